"""Results of bots, game by game: tables of scores by seed, and games recorded with their moves.

A table is CSV with a header, JSON (a list of objects, or an object with the list ``games``) or JSON
Lines. A game has its ``score``, and the ``seed``, the ``deal`` (any spec) or the ``deck`` it was
played on; perhaps ``players``, and one of ``lost``, ``strikes`` and ``lives``, which say whether it
was lost. Everything else is read as `solver.reading.games` reads it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from solver.formats.composition import deal_of_cards, read_deck
from solver.formats.hanablive import Game
from solver.formats.inputs import parse_json, read_file, read_stdin, shorten
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.reading.specs import Fault, located_games

__all__ = ["Played", "played_of", "read_results"]

NAMES = {
    "seed": ("seed", "deal", "name", "spec"),
    "score": ("score", "return", "points"),
    "players": ("players", "num_players", "n_players"),
    "lost": ("lost", "bombed", "bomb"),
    "strikes": ("strikes",),
    "lives": ("lives", "life_tokens"),
    "deck": ("deck",),
}
"""What the columns and keys may be called, the first that is there."""

MOVES = {"actions", "moves", "history", "decks"}
"""Keys of games that were recorded with their moves."""

ARRAYS = {".npz", ".safetensors"}

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
    points
        What lay on the stacks in the end, if its moves are known.
    """

    seed: str
    players: int | None
    score: int
    lost: bool | None
    strikes: int | None
    deal: Deal | None
    place: str
    points: int | None = None

    @property
    def name(self) -> str:
        """What to call it: its seed, or its place in the file."""
        if self.seed:
            return self.seed
        what = "row" if self.points is None else "game"
        return re.sub("^.*:([0-9]+)$", rf"{what} \1", self.place.rpartition(": ")[2])


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
    rows = None if Path(path).suffix.lower() in ARRAYS else _rows(_text(path, where), where)
    if rows is None:
        if path == "-":
            raise InputError(f"{where}: this is no table of results")
        yield from _recorded(path)
        return
    nothing = True
    try:
        for row, place in rows:
            nothing = False
            try:
                yield _played(row, place, players)
            except InputError as error:
                raise InputError(f"{place}: {error}") from None
    except csv.Error as error:
        raise InputError(f"{where}: not CSV: {error}") from None
    if nothing:
        raise InputError(f"{where}: this holds no results")


def _text(path: str, where: str) -> str:
    try:
        return read_stdin() if path == "-" else read_file(path)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _recorded(path: str) -> Iterator[Played]:
    """Give the games that were recorded with their moves."""
    for game, place in located_games(path):
        if isinstance(game, Fault):
            raise InputError(str(game))
        try:
            played = played_of(game, place)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
        if played is None:
            raise InputError(f"{place}: this game is not finished")
        yield played


def played_of(game: Game, place: str) -> Played | None:
    """Give what a game with its moves came to; None while it is unfinished.

    Raises
    ------
    InputError
        If a move is illegal, or the score is not the recorded one.
    """
    end, rules = game.replay(), game.deal.rules
    if end.score is None:
        return None
    name = game.seed if game.deal.name in ("", place) else game.deal.name
    lost = end.strikes >= rules.max_strikes
    return Played(name, rules.players, end.score, lost, None, game.deal, place, end.points)


Rows = Iterator[tuple[dict[str, Any], str]]


def _rows(text: str, where: str) -> Rows | None:
    """Give every game's fields by their names here, and its place; None if this is no table."""
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        header = text.lstrip().splitlines()[0].lower()
        words = {word.strip() for word in header.split(",")}
        known = {name for names in NAMES.values() for name in names}
        return _table(text, where) if words & known or where.endswith(".csv") else None
    try:
        found = parse_json(text.encode())
    except InputError as error:
        if start == "[" or "\n" not in text.strip():
            raise InputError(f"{where}: {error}") from None
        lines = [(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        first = _object(lines[0][0], f"{where}:{lines[0][1]}")
        if first.keys() & MOVES:
            return None
        places = ((line, f"{where}:{number}") for line, number in lines)
        return ((_named(_object(line, place)), place) for line, place in places)
    games = found.get("games", [found]) if isinstance(found, dict) else found
    if not isinstance(games, list):
        raise InputError(f"{where}: games is not a list")
    if (isinstance(found, dict) and found.keys() & MOVES) or any(
        isinstance(game, dict) and game.keys() & MOVES for game in games[:1]
    ):
        return None
    return ((_named(_object(game, f"{where}: game {number}")), f"{where}: game {number}")
            for number, game in enumerate(games, 1))  # fmt: skip


def _object(found: object, place: str) -> dict[str, Any]:
    """Give a JSON object, which may still be text, with keys in lower case."""
    if isinstance(found, str):
        try:
            found = parse_json(found.encode())
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{place}: this is no JSON object")
    return {str(key).lower(): value for key, value in found.items()}


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
    if strikes is not None and strikes < 0:
        raise InputError(f"strikes is {strikes}")
    if lost is None and row.get("lives") not in (None, ""):
        lost = _whole(row["lives"], "lives") == 0
    seed = str(row.get("seed", "") if row.get("seed") is not None else "").strip()
    deal = None
    if row.get("deck"):
        deal = _deal(row["deck"], seats, seed or place)
    elif not seed:
        raise InputError("seed, deal and deck are missing")
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
