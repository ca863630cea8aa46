"""Results of bots, game by game: tables of scores by seed, and recorded games with their decks.

CSV (a header), JSON (a list of objects, or an object with the list ``games``) and JSON Lines. A
game has its ``score``, and the ``seed``, the ``deal`` (any spec) or the ``deck`` it was played on;
perhaps ``players``, and one of ``lost``, ``strikes`` and ``lives``, which say whether it was lost.
``actions`` are those of the Hanabi Learning Environment and JaxMARL by number; they are replayed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from solver.composition import deal_of_cards, read_deck
from solver.deal import Deal
from solver.errors import InputError
from solver.inputs import parse_json, read_file, read_stdin, shorten
from solver.position import Action, Kind, Position

__all__ = ["Played", "read_results"]

NAMES = {
    "seed": ("seed", "deal", "name", "spec"),
    "score": ("score", "return", "points"),
    "players": ("players", "num_players", "n_players"),
    "lost": ("lost", "bombed", "bomb"),
    "strikes": ("strikes",),
    "lives": ("lives", "life_tokens"),
    "deck": ("deck",),
    "actions": ("actions",),
}
"""What the columns and keys may be called, the first that is there."""

WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": None}


class Played(NamedTuple):
    """A game as its player recorded it.

    Parameters
    ----------
    seed
        A number or a spec; empty if there is a `deal` without a name.
    players
        None if the file does not say.
    lost
        Whether it reached the strike limit; None if the file does not say.
    strikes
        In the end, where the file says this instead.
    deal
        The deal, if the file has it.
    place
        Where it stands, for messages.
    """

    seed: str
    players: int | None
    score: int
    lost: bool | None
    strikes: int | None
    deal: Deal | None
    place: str

    @property
    def name(self) -> str:
        """What to call it: its seed, or its place in the file."""
        return self.seed or re.sub("^.*:([0-9]+)$", r"row \1", self.place.rpartition(": ")[2])


def read_results(path: str, players: int | None = None) -> Iterator[Played]:
    """Read the results in a file, or in standard input (``-``), in order.

    Parameters
    ----------
    players
        For what does not say it.

    Raises
    ------
    InputError
        File, row or game, field, and what is wrong with it.
    """
    where = "standard input" if path == "-" else path
    try:
        text = read_stdin() if path == "-" else read_file(path)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    nothing = True
    try:
        for row, place in _rows(text, where, Path(path).suffix.lower()):
            nothing = False
            try:
                yield _played(row, place, players)
            except InputError as error:
                raise InputError(f"{place}: {error}") from None
    except csv.Error as error:
        raise InputError(f"{where}: not CSV: {error}") from None
    if nothing:
        raise InputError(f"{where}: this holds no results")


def _rows(text: str, where: str, suffix: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Give every game's fields by their names here, and its place."""
    start = text.lstrip()[:1]
    if suffix == ".jsonl" or (start == "{" and "\n{" in text.strip()):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield (
                    _object(_json(line, f"{where}:{number}"), f"{where}:{number}"),
                    (f"{where}:{number}"),
                )
    elif start in ("{", "["):
        found = _json(text, where)
        about = {}
        if isinstance(found, dict) and isinstance(found.get("games"), list):
            about = {key: value for key, value in found.items() if key in ("players", "source")}
            found = found["games"]
        for number, game in enumerate(found if isinstance(found, list) else [found], 1):
            place = f"{where}: game {number}"
            yield {**_about(about), **_object(game, place)}, place
    else:
        yield from _table(text, where)


def _json(text: str, where: str) -> Any:
    try:
        return parse_json(text.encode())
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _about(about: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the head of a file of games says of all of them."""
    said = re.search(r"\b([2-6]) players\b", str(about.get("source", "")))
    players = about.get("players", said and said[1])
    return {} if players is None else {"players": players}


def _object(found: object, place: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise InputError(f"{place}: this is no JSON object")
    lower = {str(key).lower(): value for key, value in found.items()}
    return _named(lower)


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    return {field: row[names[0]] for field, some in NAMES.items()
            if (names := [name for name in some if name in row])}  # fmt: skip


def _table(text: str, where: str) -> Iterator[tuple[dict[str, Any], str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        if not header:
            header = [cell.strip().lower() for cell in cells]
            if len(set(header)) < len(header):
                raise InputError(f"{where}: the header has a column twice")
            found = _named(dict.fromkeys(header))
            if "score" not in found:
                raise InputError(f"{where}: the header has no column score")
            if not found.keys() & {"seed", "deck"}:
                raise InputError(f"{where}: the header has no column seed, deal or deck")
            continue
        place = f"{where}:{reader.line_num}"
        if len(cells) != len(header):
            raise InputError(f"{place}: there are {len(cells)} cells, not {len(header)}")
        yield _named(dict(zip(header, (cell.strip() for cell in cells), strict=True))), place


def _played(row: Mapping[str, Any], place: str, players: int | None) -> Played:
    seats = _whole(row["players"], "players") if row.get("players") not in (None, "") else players
    if seats is not None and not 2 <= seats <= 6:
        raise InputError(f"players is {seats}, not 2 to 6")
    if row.get("score") in (None, ""):
        raise InputError("score is missing")
    score = _whole(row["score"], "score")
    lost = WORDS.get(str(row.get("lost", "")).strip().lower(), row)
    if lost is row:
        raise InputError(f"lost is {shorten(str(row['lost']))!r}, not true or false")
    strikes = _whole(row["strikes"], "strikes") if row.get("strikes") not in (None, "") else None
    if lost is None and row.get("lives") not in (None, ""):
        lost = _whole(row["lives"], "lives") == 0
    seed = str(row.get("seed", "") if row.get("seed") is not None else "").strip()
    deal = None
    if row.get("deck"):
        deal = _deal(row["deck"], seats, seed or place)
    elif not seed:
        raise InputError("seed, deal and deck are missing")
    if row.get("actions") is not None:
        if deal is None:
            raise InputError("there are actions, and no deck")
        end = _replayed(deal, row["actions"])
        lost = end.strikes >= deal.rules.max_strikes
        if score not in (end.score, end.points, end.points - 1):
            raise InputError(f"score is {score}, and its actions score {end.points}")
    assert lost is None or isinstance(lost, bool)
    return Played(seed, seats, score, lost, strikes, deal, place)


def _whole(value: object, name: str) -> int:
    """Read a whole number, also one that is written as 24.0."""
    text = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"[+-]?[0-9]{1,18}(\.0*)?", text):
        raise InputError(f"{name} is {shorten(text)!r}, not a whole number")
    return int(text.partition(".")[0])


def _deal(deck: object, players: int | None, name: str) -> Deal:
    if players is None:
        raise InputError("players is missing (--players)")
    if not isinstance(deck, str):
        raise InputError("deck is not a text of cards")
    letters, cards = read_deck("".join(deck.split()))
    return deal_of_cards(cards, letters, players, name)


def _replayed(deal: Deal, actions: object) -> Position:
    """Play actions by their numbers: discards, plays, then clues, as many as a hand has cards."""
    if not isinstance(actions, list) or any(type(number) is not int for number in actions):
        raise InputError("actions is not a list of numbers")
    position = Position.start(deal)
    size = deal.rules.hand_size
    for turn, number in enumerate(actions, 1):
        if number < 0:
            raise InputError(f"turn {turn}: there is no action {number}")
        kind = Kind.DISCARD if number < size else Kind.PLAY if number < 2 * size else Kind.CLUE
        try:
            position = position.after(Action(kind, number % size if number < 2 * size else 0))
        except InputError as error:
            raise InputError(f"turn {turn}: {error}") from None
    return position
