"""Deal specs: the words for deals and games on the command line, and the files they name.

A spec is one of

- a hanab.live seed, ``p3v0s1``;
- ``SOURCE:RANGE``, the range being a number or two with a hyphen, both ends included;
  ``SOURCE+OPTION+OPTION=NUMBER:RANGE`` where the source has options. `solver.decks.sources` lists
  them all, the research environments among them (``hle+random-start:0-99``). Two have more to say:
  ``python:p2c1s0-99``, Python's ``random.seed("p2c1s0")`` and ``random.shuffle``; the players come
  from the ``p``, and what stands between them and the ``s`` is nothing but text.
  ``random:0-99`` is ``random.Random(0)`` and needs the number of players. Both shuffle the sorted
  deck, suit by suit, ranks upwards, of No Variant or of the variant that is asked for;
- a file: ``.json`` a hanab.live game or a deal, or a list of them, ``.jsonl`` one a line,
  ``.csv`` with the columns name, players, deck and perhaps variant; of any other name, whatever
  of these it looks like, or
  one spec a line, but no file. A deal in JSON is ``{"name", "players", "deck", "variant"}``, with
  the deck as a string;
- a share link of hanab.live;
- a deck string, top card first, which needs the number of players;
- a position text, with ``pos:`` before it or without;
- ``-``, standard input, read like a file; its lines may name files.

The players and variant that are given apart from the spec say what the spec leaves open; one that
says otherwise itself is a fault, but for the rows of files. Whatever is wrong becomes a `Fault`,
and the next deal follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from solver.decks.request import Asked, Named, Suits
from solver.decks.shuffles import Shuffles
from solver.decks.sources import SOURCES, Shape, dealt, is_source
from solver.formats.editions import House
from solver.formats.hanablive import SEED, Game, deal_of_seed
from solver.formats.inputs import LONGEST_LINE, read_file, read_stdin, shorten
from solver.formats.link import decode, is_link
from solver.formats.variants import find
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Position
from solver.reading.arrays import BINARY, games_of_arrays, read_arrays
from solver.reading.decklog import recorded_decks
from solver.reading.documents import (
    TOO_LONG,
    Fault,
    Found,
    Placed,
    deal_of_text,
    is_document,
    of_json,
    of_lines,
    of_table,
    placed,
)
from solver.reading.games import numbered, of_text
from solver.reading.misread import is_position, is_prose, position_text, refuse_name, what_is_wrong

__all__ = ["SOURCES", "Asked", "Fault", "Shape", "Suits", "capped", "deal_of", "deals", "games",
           "held", "is_file", "located", "located_games", "named", "read", "shuffled"]  # fmt: skip

STDIN = "standard input"
MOST_FAULTS = 5
"""Faults of one file that the commands name."""


T = TypeVar("T")
Some = TypeVar("Some", Deal, Game, Position, "Deal | Game")


def located(
    spec: str,
    players: int | None = None,
    variant: Suits | Asked = None,
    place: str | None = None,
    whole: bool = True,
) -> Iterator[Placed]:
    """Give what a spec names, in order, each with its place: file and row, or the spec.

    Parameters
    ----------
    players, variant
        As for `deals`.
    place
        What to call the spec, where not by itself.
    whole
        Whether a game of whose deck cards are missing is a fault.
    """
    if isinstance(variant, Asked):
        for thing, where in located(spec, players, variant.suits, place, whole):
            yield _changed(thing, where, variant.house), where
        return
    spec = spec.strip()
    if place is None:
        place = {"-": STDIN}.get(spec, "position" if is_position(spec) else shorten(spec))
    nothing = True
    try:
        for found, where in _of_spec(spec, place, players, variant):
            nothing = False
            yield (_whole(found, where) if whole else found), where
    except InputError as error:
        yield Fault(f"{place}: {error}"), place
    else:
        if nothing:
            yield Fault(f"{place}: this holds no deals"), place


def capped(found: Iterable[tuple[T, str]], spec: str) -> Iterator[tuple[T | Fault, str]]:
    """Give what a spec names with at most `MOST_FAULTS` faults, and one that counts the rest."""
    faults = 0
    for thing, place in found:
        faults += isinstance(thing, Fault)
        if faults <= MOST_FAULTS or not isinstance(thing, Fault):
            yield thing, place
    if faults > MOST_FAULTS:
        place = STDIN if spec == "-" else shorten(spec)
        yield Fault(f"{place}: and {faults - MOST_FAULTS:,} more faults"), place


def _changed(found: Found, place: str, house: House) -> Found:
    """Give a deal or the deal of a game by house rules; a position has its own."""
    try:
        if isinstance(found, Position):
            raise InputError("this is a position: the words after it say its rules")
        if isinstance(found, Game):
            return replace(found, deal=house.deal(found.deal))
        return house.deal(found) if isinstance(found, Deal) else found
    except InputError as error:
        return Fault(f"{place}: {error}")


def _whole(found: Found, place: str) -> Found:
    """Make a fault of a game whose deck is not known to its end."""
    if isinstance(found, Game) and found.record is not None:
        try:
            missing = found.missing
        except InputError as error:
            missing = str(error)
        if missing:
            return Fault(f"{place}: {missing}")
    return found


def read(spec: str, players: int | None = None, variant: Suits | Asked = None) -> Iterator[Found]:
    """Give what a spec names, in order; the parameters are those of `deals`."""
    return (found for found, _ in located(spec, players, variant))


def deals(
    spec: str, players: int | None = None, variant: Suits | Asked = None
) -> Iterator[Deal | Fault]:
    """Give the deals that a spec names, in order; of games, their deals.

    Parameters
    ----------
    players
        2 to 6, for specs that do not say it.
    variant
        A name or number on hanab.live, for specs that do not say it; or a `Shape`, for sources.
        With `Asked` also the house rules that change all deals.
    """
    for found, place in located(spec, players, variant):
        if isinstance(found, Position):
            yield Fault(f"{place}: this is a position, not a deal")
        elif isinstance(found, Game):
            yield deal_of(found, spec)
        else:
            yield found


def shuffled(
    spec: str, players: int | None = None, variant: Suits | Asked = None
) -> Shuffles | None:
    """Give the deals of a source that Python shuffles, as `deals` does but all unmade.

    None for whatever else a spec may be, and for what is wrong: `deals` says what that is.
    """
    asked = variant if isinstance(variant, Asked) else Asked(variant, House())
    if not is_source(spec):
        return None
    try:
        found = dealt(spec, players, asked.suits)
        if not isinstance(found, Shuffles) or players not in (None, found.rules.players):
            return None
        return replace(found, rules=asked.house.rules(found.rules))
    except InputError:
        return None


def deal_of(game: Game, name: str) -> Deal:
    """Give a game's deal, called ``name`` if it has no name of its own."""
    return game.deal if game.deal.name else replace(game.deal, name=name)


def games(spec: str) -> Iterator[Game | Fault]:
    """Give the games that a spec names, in order: files, share links, standard input."""
    return (found for found, _ in located_games(spec))


def located_games(
    spec: str, whole: bool = True, players: int | None = None
) -> Iterator[tuple[Game | Fault, str]]:
    """Give the games that a spec names, each with its place; as `located`."""
    for found, place in located(spec, players, whole=whole):
        if isinstance(found, Deal | Position):
            what = "deal" if isinstance(found, Deal) else "position"
            yield Fault(f"{place}: this is a {what}, not a game that was played"), place
        else:
            yield found, place


def held(text: str) -> str:
    """Say what the text of a file holds, a spec being one too: ``game``, ``deal``, or nothing.

    Nothing also stands for anything else, and for several things of which not all are such.
    """
    if is_source(text):
        return "deal"
    try:
        found = [thing for thing, _ in _of_text(text, STDIN, None, None)]
    except InputError:
        return ""
    if found and all(isinstance(thing, Game) for thing in found):
        return "game"
    return "deal" if found and all(isinstance(thing, Deal) for thing in found) else ""


def _of_spec(
    spec: str, place: str, players: int | None, variant: Suits, listed: bool = False
) -> Iterator[Placed]:
    """Give what a spec names; in a list, players and variant are no contradiction to it."""
    if is_source(spec):
        for deal in dealt(spec, players, variant):
            yield _agreed(deal, None if listed else players, None), place
    elif is_position(spec) and not is_file(spec):
        position = Position.from_text(position_text(spec))
        name = None if isinstance(variant, Shape) else variant
        yield (position if listed else _agreed(position, players, name)), place
    elif isinstance(variant, Shape):
        raise InputError("--suits and --one-of-each are for sources such as python:p2c1s0-99")
    elif spec == "-":
        yield from _of_text(read_stdin(), place, players, variant)
    elif (found := _of_word(spec)) is not None:
        yield (found if listed else _agreed(found, players, variant)), place
    elif is_file(spec) and Path(spec).suffix.lower() in BINARY:
        arrays = read_arrays(Path(spec))
        decks = recorded_decks(arrays, players)
        yield from placed(decks or numbered(games_of_arrays(arrays)), place)
    elif is_file(spec):
        refuse_name(spec)
        text = read_file(spec)
        readers = {".json": of_json, ".jsonl": of_lines, ".csv": of_table}
        reader = readers.get(Path(spec).suffix.lower(), _of_text)
        yield from reader(text, place, players, variant)
    elif _is_deck(spec):
        if players is None:
            raise InputError("a deck string needs the number of players (--players)")
        yield deal_of_text(spec, players, variant, ""), place
    else:
        raise InputError(what_is_wrong(spec))


def named(
    spec: str, players: int | None = None, variant: Suits | Asked = None, strict: bool = True
) -> Deal:
    """Give the one deal that a spec names that is no file: a seed, source, link or deck string.

    Parameters
    ----------
    players, variant
        As for `deals`.
    strict
        Whether players that contradict the spec are a fault; else they count where it says none.

    Raises
    ------
    InputError
        If it is nothing of the kind, or names several deals.
    """
    whole = (
        is_link(spec) or SEED.fullmatch(spec) or spec.partition(":")[0] in ("python", "hanablive")
    )
    if not (whole or is_source(spec) or _is_deck(spec)):
        raise InputError(
            "this is no seed such as p3v0s1, no source such as random:0, no link, no deck"
        )
    _, numbered, game = spec.partition("#")
    if numbered and not re.fullmatch("[0-9]{1,5}", game):
        raise InputError("of a run, this takes one of the games 0 to 99999")
    found = list(islice(deals(spec, players if strict or not whole else None, variant), 2))
    if len(found) != 1:
        raise InputError("this names several deals: name one")
    (deal,) = found
    if isinstance(deal, Fault):
        raise InputError(str(deal))
    return deal


def _of_word(spec: str) -> Deal | Game | None:
    """Read what says everything itself: a share link, a seed."""
    if is_link(spec):
        return decode(spec)
    if SEED.fullmatch(spec) or spec.startswith("legacy-"):
        return deal_of_seed(spec)
    return None


def _agreed(found: Some, players: int | None, variant: str | None) -> Some:
    """Give what was found unless the players or the variant asked for contradict it."""
    deal = found.deal if isinstance(found, Game) else found
    if players is not None and deal.rules.players != players:
        raise InputError(f"--players is {players}, and this is for {deal.rules.players}")
    if variant is not None and deal.variant and find(variant).name != deal.variant:
        option = variant.option if isinstance(variant, Named) else "--variant"
        raise InputError(f"{option} is {find(variant).name}, and this is {deal.variant}")
    return found


def _is_deck(spec: str) -> bool:
    """Whether a spec can only be a deck string, perhaps one with a few wrong cards."""
    if re.fullmatch("([A-Za-z][0-9Aa])+[A-Za-z0-9]?", spec):
        return len(spec) > 8
    pairs = re.findall("[A-Za-z][1-5]", spec)
    return 3 * len(pairs) > len(spec) > 20


def is_file(spec: str) -> bool:
    """Whether there is a file or directory of this name."""
    try:
        return bool(spec) and Path(spec).exists()
    except (OSError, ValueError):
        return False


def _of_text(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Placed]:
    """Read text of any of the kinds: what it is shows in how it begins."""
    first, *more = text.lstrip().split("\n", 1)
    played = None if re.match(r"\s*(\[\s*)?[{\]]", text) else of_text(text, players)
    if played is not None:
        yield from placed(played, where)
    elif first[0] in "{[":
        # One object a line is no JSON document, unless there is only one.
        reader = of_lines if more and not is_document(text) else of_json
        yield from reader(text, where, players, variant)
    elif "deck" in [cell.strip().lower() for cell in first[:LONGEST_LINE].split(",")]:
        yield from of_table(text, where, players, variant)
    elif (lines := text.splitlines()) and more and is_prose(lines):
        begins = f"it begins with {shorten(first[:60])!r}"
        raise InputError(f"no file of games or deals, and no list of specs: {begins}")
    else:
        for row, line in enumerate(lines, 1):
            if line.strip():
                yield from _of_line(line.strip(), f"{where}:{row}", where, players, variant)


def _of_line(
    line: str, place: str, where: str, players: int | None, variant: str | None
) -> Iterator[Placed]:
    """Read a line of a list of specs."""
    if len(line) > LONGEST_LINE:
        yield Fault(f"{place}: {TOO_LONG}"), place
    elif line == "-":
        yield Fault(f"{place}: standard input cannot be named in a list of specs"), place
    elif where != STDIN and _of_file_only(line):
        # Else two lists could name each other for ever.
        yield Fault(f"{place}: {shorten(line)}: a list cannot name a file"), place
    else:
        short = "position" if is_position(line) else shorten(line)
        try:
            for found, inner in _of_spec(line, short, players, variant, True):
                if isinstance(found, Fault):
                    found = Fault(f"{place}: {found}")
                elif isinstance(found, Deal) and not found.name:
                    found = replace(found, name=place)
                yield found, place if inner == short else f"{place}: {inner}"
        except InputError as error:
            yield Fault(f"{place}: {short}: {error}"), place


def _of_file_only(line: str) -> bool:
    return is_file(line) and not is_source(line)
