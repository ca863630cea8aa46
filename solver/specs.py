"""Deal specs: the words for deals and games on the command line, and the files they name.

A spec is one of

- a hanab.live seed, ``p3v0s1``;
- ``SOURCE:RANGE``, the range being a number or two with a hyphen, both ends included. Sources:
  ``python:p2c1s0-99``, Python's ``random.seed("p2c1s0")`` and ``random.shuffle``; the players come
  from the ``p``, and what stands between them and the ``s`` is nothing but text.
  ``random:0-99`` is ``random.Random(0)`` and needs the number of players. Both shuffle the sorted
  deck, suit by suit, ranks upwards, of No Variant or of the variant that is asked for;
- a file: ``.json`` a hanab.live game or a deal, ``.jsonl`` one a line, ``.csv`` with the columns
  name, players, deck and perhaps variant; of any other name, whatever of these it looks like, or
  one spec a line, but no file. A deal in JSON is ``{"name", "players", "deck", "variant"}``, with
  the deck as a string;
- a share link of hanab.live;
- a deck string, top card first, which needs the number of players;
- ``-``, standard input, read like a file; its lines may name files.

The players and variant that are given apart from the spec say what the spec leaves open; they do
not overrule it. Whatever is wrong becomes a `Fault`, and the next deal follows.
"""

from __future__ import annotations

import csv
import io
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from solver.composition import LETTER_ORDER, deal_of_cards, label_of, read_deck
from solver.deal import Deal
from solver.errors import InputError
from solver.hanablive import SEED, Game, deal_of_seed, parse_json
from solver.link import decode, is_link
from solver.rules import Rules
from solver.variants import LETTERS, find

__all__ = ["SOURCES", "Fault", "Source", "deals", "games", "read"]

COLUMNS = ("name", "players", "deck")
STDIN = "standard input"
LARGEST_FILE = 64 * 2**20
"""Bytes; a larger file is refused rather than read into memory."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a spec or with one row of a file."""

    message: str
    """One line: where, and what."""

    def __str__(self) -> str:
        return self.message


Found: TypeAlias = "Deal | Game | Fault"
Source: TypeAlias = "Callable[[str, int | None, str | Shape | None], Iterator[Deal]]"
"""From what stands after the colon, the players and the variant or suits, to the deals."""


@dataclass(frozen=True)
class Shape:
    """How many suits the sources deal, 1 to 6, and how many of them, the last, are one-of-each."""

    suits: int = 5
    one_of_each: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.suits <= len(LETTERS):
            raise InputError(f"suits is {self.suits}, not 1 to {len(LETTERS)}")
        if not 0 <= self.one_of_each <= self.suits:
            raise InputError(f"one-of-each is {self.one_of_each}, not 0 to {self.suits}")


def read(
    spec: str, players: int | None = None, variant: str | Shape | None = None
) -> Iterator[Deal | Game | Fault]:
    """Give the deals and games that a spec names, in order; the parameters are those of `deals`."""
    try:
        yield from _of_spec(spec.strip(), players, variant)
    except InputError as error:
        message = str(error)
        start = _short(spec.strip())
        yield Fault(message if message.startswith(start) else f"{start}: {message}")


def deals(
    spec: str, players: int | None = None, variant: str | Shape | None = None
) -> Iterator[Deal | Fault]:
    """Give the deals that a spec names, in order; of games, their deals.

    Parameters
    ----------
    players
        2 to 6, for specs that do not say it.
    variant
        A name or number on hanab.live, for specs that do not say it; or a `Shape`, for sources.
    """
    for found in read(spec, players, variant):
        if isinstance(found, Game):
            yield found.deal if found.deal.name else replace(found.deal, name=spec)
        else:
            yield found


def games(spec: str) -> Iterator[Game | Fault]:
    """Give the games that a spec names, in order: files, share links, standard input."""
    for found in read(spec):
        if isinstance(found, Deal):
            yield Fault(f"{_short(str(found))}: this is a deal, not a game that was played")
        else:
            yield found


def _short(text: str) -> str:
    clean = text if text.isprintable() else repr(text)
    return clean if len(clean) <= 80 else f"{clean[:60]}..."


def _of_spec(spec: str, players: int | None, variant: str | Shape | None) -> Iterator[Found]:
    source, colon, rest = spec.partition(":")
    if colon and source in SOURCES:
        yield from SOURCES[source](rest, players, variant)
    elif isinstance(variant, Shape):
        raise InputError("--suits and --one-of-each are for sources such as python:p2c1s0-99")
    elif spec == "-":
        yield from _of_text(_decoded(sys.stdin.buffer.read()), STDIN, players, variant)
    elif is_link(spec):
        yield decode(spec)
    elif SEED.fullmatch(spec) or spec.startswith("legacy-"):
        yield deal_of_seed(spec)
    elif _is_file(spec):
        yield from _of_file(spec, players, variant)
    elif colon and re.fullmatch("[a-z][a-z0-9_-]*", source):
        raise InputError(f"source {source!r} is not known; there are {', '.join(sorted(SOURCES))}")
    elif re.fullmatch("([A-Za-z][0-9Aa])+[A-Za-z0-9]?", spec) and len(spec) > 8:
        if players is None:
            raise InputError("a deck string needs the number of players (--players)")
        yield _deal(spec, players, variant, "")
    else:
        raise InputError("no such file, and no seed, source, share link or deck string")


def _is_file(spec: str) -> bool:
    try:
        return bool(spec) and Path(spec).exists()
    except (OSError, ValueError):
        return False


def _deal(deck: str, players: int, variant: str | None, name: str) -> Deal:
    """Make a deal of a deck string; without a variant its composition says the suits."""
    letters, cards = read_deck(deck)
    if variant is None:
        return deal_of_cards(cards, letters, players, name)
    found = find(variant)
    own = LETTERS[: len(found.suits)]
    rules = found.rules(players)
    if set(letters) <= set(own):
        deal = Deal.of(rules, deck.strip(), name)
    elif len(letters) == len(own):
        # Other letters than ours, such as k for a black suit, stand for the suits in their order.
        if not all(letter in LETTER_ORDER for letter in letters):
            raise InputError(f"deck: the suits {letters} cannot be matched with those of {variant}")
        deal = Deal(rules, tuple(cards), name)
    else:
        raise InputError(f"deck: it has the suits {letters}, and {found.name} has {own}")
    return replace(deal, variant=found.name)


def _range(text: str) -> range:
    match = re.fullmatch(r"([0-9]{1,15})(?:-([0-9]{1,15}))?", text)
    if match is None:
        raise InputError(f"{text[:40]!r} is no range such as 7 or 0-99")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise InputError(f"the range {text} ends before it begins")
    return range(first, last + 1)


def _sorted_rules(players: int, variant: str | Shape | None) -> tuple[Rules, str]:
    if isinstance(variant, Shape):
        letters = LETTERS[: variant.suits]
        rules = Rules.standard(players, letters, letters[variant.suits - variant.one_of_each :])
        return rules, label_of(rules.suits)
    found = find("No Variant" if variant is None else variant)
    return found.rules(players), found.name


def _python(text: str, players: int | None, variant: str | Shape | None) -> Iterator[Deal]:
    match = re.fullmatch(r"(p([2-6])[a-z0-9]*s)([0-9-]+)", text)
    if match is None:
        raise InputError("after python: there is no name and range such as p2c1s0-99")
    rules, label = _sorted_rules(int(match[2]), variant)
    for number in _range(match[3]):
        seed = f"{match[1]}{number}"
        deck = rules.sorted_deck()
        random.Random(seed).shuffle(deck)
        yield Deal(rules, tuple(deck), seed, label)


def _random(text: str, players: int | None, variant: str | Shape | None) -> Iterator[Deal]:
    numbers = _range(text)
    if players is None:
        raise InputError("the source random needs the number of players (--players)")
    rules, label = _sorted_rules(players, variant)
    for number in numbers:
        deck = rules.sorted_deck()
        random.Random(number).shuffle(deck)
        yield Deal(rules, tuple(deck), f"random:{number}", label)


SOURCES: dict[str, Source] = {"python": _python, "random": _random}
"""Where decks come from, by the word before the colon."""


def _of_file(spec: str, players: int | None, variant: str | None) -> Iterator[Found]:
    path = Path(spec)
    if path.is_dir():
        raise InputError("this is a directory, not a file")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise InputError(f"this file has more than {LARGEST_FILE} bytes")
    text = _decoded(data)
    reader = {".json": _of_json, ".jsonl": _of_lines, ".csv": _of_table}.get(path.suffix.lower())
    yield from (reader or _of_text)(text, spec, players, variant)


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8 text") from None
    if "\0" in text:
        raise InputError("this is a binary file, not text")
    if not text.strip():
        raise InputError("this is empty")
    return text


def _of_text(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Found]:
    """Read text of any of the kinds: what it is shows in how it begins."""
    first, *more = text.lstrip().split("\n", 1)
    if first[0] in "{[":
        try:
            parse_json(text)
        except InputError:
            # One object a line is no JSON document, unless there is only one.
            yield from (_of_lines if more else _of_json)(text, where, players, variant)
        else:
            yield from _of_json(text, where, players, variant)
    elif "deck" in [cell.strip().lower() for cell in first.split(",")]:
        yield from _of_table(text, where, players, variant)
    else:
        for row, line in enumerate(text.splitlines(), 1):
            if line.strip() == "-":
                yield Fault(f"{where}:{row}: standard input cannot be named in a list of specs")
            elif where != STDIN and _is_file(line.strip()):
                # Else two lists could name each other for ever.
                yield Fault(f"{where}:{row}: {_short(line.strip())}: a list cannot name a file")
            elif line.strip():
                for found in read(line, players, variant):
                    yield _placed(found, f"{where}:{row}")


def _placed(found: Found, where: str) -> Found:
    if isinstance(found, Fault):
        return Fault(f"{where}: {found.message}")
    if isinstance(found, Deal) and not found.name:
        return replace(found, name=where)
    return found


def _of_json(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Found]:
    found = parse_json(text)
    if not isinstance(found, list):
        yield _of_object(found, where, players, variant)
        return
    for number, item in enumerate(found, 1):
        yield _of_object(item, f"{where}:{number}", players, variant)


def _of_lines(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Found]:
    for row, line in enumerate(text.split("\n"), 1):
        if line.strip():
            place = f"{where}:{row}"
            try:
                found = parse_json(line)
            except InputError as error:
                yield Fault(f"{place}: {error}")
            else:
                yield _of_object(found, place, players, variant)


def _of_object(found: object, where: str, players: int | None, variant: str | None) -> Found:
    """Read a game or a deal from JSON; a deal's players and deck are no lists."""
    try:
        if isinstance(found, dict) and list in (
            type(found.get("players")),
            type(found.get("deck")),
        ):
            game = Game.from_json(found, where)
            return replace(game, deal=replace(game.deal, name=game.deal.name or where))
    except InputError as error:
        return Fault(str(error))
    try:
        if not isinstance(found, dict):
            raise InputError("not a JSON object")
        if isinstance(found.get("link"), str):  # a row of `hanabi solve --json`
            game = decode(found["link"])
            return replace(game, deal=replace(game.deal, name=str(found.get("name") or where)))
        row = {key: found[key] for key in (*COLUMNS, "variant") if found.get(key) is not None}
        for key in ("name", "deck"):
            if not isinstance(row.get(key, ""), str):
                raise InputError(f"{key} is not a text")
        if type(row.get("variant", "")) not in (str, int):
            raise InputError("variant is not a name or a number")
        if type(row.get("players", 0)) is not int:
            raise InputError("players is not a number")
        return _of_row({key: str(value) for key, value in row.items()}, where, players, variant)
    except InputError as error:
        return Fault(f"{where}: {error}")


def _of_row(row: Mapping[str, str], where: str, players: int | None, variant: str | None) -> Deal:
    if not row.get("deck"):
        raise InputError("deck is missing")
    text = row.get("players", "").strip()
    if text:
        if not re.fullmatch("[0-9]{1,3}", text):
            raise InputError(f"players is {text[:20]!r}, not 2 to 6")
        players = int(text)
    if players is None:
        raise InputError("players is missing")
    return _deal(row["deck"], players, row.get("variant") or variant, row.get("name", "") or where)


def _of_table(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Found]:
    reader = csv.reader(io.StringIO(text), strict=True)
    header: list[str] | None = None
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield Fault(f"{where}:{reader.line_num}: not CSV: {error}")
            continue
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        place = f"{where}:{reader.line_num}"
        if header is None:
            header = [cell.strip().lower() for cell in cells]
            missing = [c for c in COLUMNS if c not in header and (c != "players" or not players)]
            if missing:
                raise InputError(f"the header has no column {missing[0]}")
            continue
        if len(cells) != len(header):
            yield Fault(f"{place}: there are {len(cells)} cells, and the header has {len(header)}")
            continue
        try:
            yield _of_row(dict(zip(header, cells, strict=True)), place, players, variant)
        except InputError as error:
            yield Fault(f"{place}: {error}")
