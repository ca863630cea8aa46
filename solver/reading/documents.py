"""Deals and games in JSON and CSV: what an object or a row says, each with its place.

A deal is ``{"name", "players", "deck", "variant"}``, with the deck as a string; a table has columns
of these names. `solver.reading.specs` says what else a file may be.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from solver.formats.composition import LETTER_ORDER, deal_of_cards, read_deck
from solver.formats.hanablive import Game
from solver.formats.inputs import LONGEST_LINE, parse_json, shorten
from solver.formats.link import decode
from solver.formats.variants import LETTERS, find
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.notation import card_text
from solver.game.position import Position
from solver.reading.decklog import recorded_decks
from solver.reading.games import of_object

__all__ = ["TOO_LONG", "Fault", "Found", "Placed", "deal_of_text", "is_document", "of_json",
           "of_lines", "of_table", "placed"]  # fmt: skip

COLUMNS = ("name", "players", "deck")
LONGEST_DECK = 1200
"""Characters; six suits of ten ranks with nine cards of each are 1,080."""
TOO_LONG = f"this row has more than {LONGEST_LINE:,} characters"


@dataclass(frozen=True)
class Fault:
    """What is wrong with a spec or with one row of a file."""

    message: str
    """One line: where, and what."""

    def __str__(self) -> str:
        return self.message


Found: TypeAlias = "Deal | Game | Position | Fault"
Placed: TypeAlias = tuple[Found, str]


def of_json(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Placed]:
    """Read what a JSON document holds, or JSON Lines."""
    first, *more = text.strip().split("\n", 1)
    if more and first.startswith("{") and is_document(first):
        yield from of_lines(text, where, players, variant)  # JSON Lines, whatever the name says
        return
    found = parse_json(text)
    if not isinstance(found, list):
        yield from _of_any(found, where, players, variant)
        return
    for number, item in enumerate(found, 1):
        yield from _of_any(item, f"{where}:{number}", players, variant)


def of_lines(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Placed]:
    """Read JSON Lines."""
    for row, line in enumerate(text.split("\n"), 1):
        if line.strip():
            place = f"{where}:{row}"
            try:
                if len(line) > LONGEST_LINE:
                    raise InputError(TOO_LONG)
                found = parse_json(line)
            except InputError as error:
                yield Fault(f"{place}: {error}"), place
            else:
                yield from _of_any(found, place, players, variant)


def of_table(text: str, where: str, players: int | None, variant: str | None) -> Iterator[Placed]:
    """Read a CSV table with a header.

    Raises
    ------
    InputError
        If the header will not do; what is wrong with a row is a `Fault`.
    """
    reader = csv.reader(io.StringIO(text), strict=True)
    header: list[str] | None = None
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            place = f"{where}:{reader.line_num}"
            yield Fault(f"{place}: not CSV: {error}"), place
            continue
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        place = f"{where}:{reader.line_num}"
        if sum(map(len, cells)) > LONGEST_LINE:
            yield Fault(f"{place}: {TOO_LONG}"), place
            continue
        if header is None:
            header = [cell.strip().lower() for cell in cells]
            missing = [c for c in COLUMNS if c not in header and (c != "players" or not players)]
            if missing:
                raise InputError(f"the header has no column {missing[0]}")
            twice = [cell for cell, count in Counter(header).items() if cell and count > 1]
            if twice:
                raise InputError(f"the header has the column {shorten(twice[0])} twice")
            continue
        if len(cells) != len(header):
            words = f"there are {len(cells)} cells, and the header has {len(header)}"
            yield Fault(f"{place}: {words}"), place
            continue
        try:
            yield _of_row(dict(zip(header, cells, strict=True)), place, players, variant), place
        except InputError as error:
            yield Fault(f"{place}: {error}"), place


def _of_any(
    found: object, where: str, players: int | None, variant: str | None
) -> Iterator[Placed]:
    """Read games or a deal from JSON."""
    played = recorded = None
    if isinstance(found, dict) and (other := _other_file(found)):
        yield Fault(f"{where}: {other}"), where
        return
    if isinstance(found, dict):
        played = of_object(found, players)
        recorded = None if played is not None else recorded_decks(found, players)
    if played is not None or recorded is not None:
        yield from placed(played or recorded or iter(()), where)
    else:
        yield _of_object(found, where, players, variant), where


def _other_file(found: Mapping[str, object]) -> str:
    """Say what reads an object that holds no deal; nothing of one that may hold one."""
    if "deck" in found or "actions" in found:
        return ""
    if "position" in found and "info_model" in found:
        return "this is a puzzle, not a deal: hanabi puzzle check and hanabi endgame read it"
    if "position" in found and "refutations" in found:
        return "this is a certificate, not a deal: hanabi verify reads it"
    if isinstance(found.get("position"), str) or {"hands", "stacks"} <= found.keys():
        return "this is a position, not a deal: hanabi endgame reads it"
    return ""


def placed(
    found: Iterator[tuple[str, Game | InputError]] | Iterator[tuple[str, Deal | InputError]],
    where: str,
) -> Iterator[Placed]:
    """Give games and decks that a log holds the names of their places, where they have none."""
    for suffix, item in found:
        place = where + suffix
        if isinstance(item, Game):
            yield replace(item, deal=replace(item.deal, name=item.deal.name or place)), place
        elif isinstance(item, Deal):
            yield replace(item, name=item.name or place), place
        else:
            yield Fault(f"{place}: {item}"), place


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
        if "link" in found and "deck" not in found:
            reason = found.get("reason")
            why = f": {shorten(reason)}" if isinstance(reason, str) else ""
            raise InputError(f"this answer has no link, and so no deal and no game{why}")
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
    return deal_of_text(
        row["deck"], players, row.get("variant") or variant, row.get("name", "") or where
    )


def deal_of_text(deck: str, players: int, variant: str | None, name: str) -> Deal:
    """Make a deal of a deck string; without a variant its composition says the suits."""
    if len(deck) > LONGEST_DECK:
        raise InputError(f"deck: it has {len(deck):,} characters, more than {LONGEST_DECK:,}")
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
        wrong = next((n for n, c in enumerate(cards, 1) if letters[c.suit] not in own), 0)
        first = f"card {wrong} is {card_text(cards[wrong - 1], letters)}, and " if wrong else ""
        raise InputError(f"deck: {first}it has the suits {letters}, and {found.name} has {own}")
    return replace(deal, variant=found.name)


def is_document(text: str) -> bool:
    """Whether a text is one JSON document."""
    try:
        json.loads(text)
    except (RecursionError, ValueError):
        return False
    return True
