"""Reviews as rows: JSON, tables, and the sums over many games."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from solver.formats.moves import Move, actions_of
from solver.formats.variants import variant_of
from solver.game.errors import InputError
from solver.game.line import Line
from solver.questions.losses import Losses
from solver.questions.review import Chance, Review, Span, Turn
from solver.reading.parquet import parquet_bytes
from solver.tables.rows import game_link

__all__ = [
    "COLUMNS", "HINDSIGHT", "MORE_COLUMNS", "Sums", "first_words", "kept_line", "review_row",
    "table_bytes", "table_rows", "table_text", "turn_link",
]  # fmt: skip

COLUMNS = (
    "name", "score", "optimum", "first_loss", "turn", "seat", "action", "before", "after", "loss",
)  # fmt: skip
"""The columns of the table of all turns."""

MORE_COLUMNS = (
    "player", "kind", "pace", "spare_clues", "win_best", "win_taken", "mean_best", "mean_taken",
)  # fmt: skip
"""Further columns, on request."""


HINDSIGHT = (
    "Hindsight loss is measured with every card known, also those that nobody could see: "
    "a turn that loses in hindsight need not have been a mistake."
)
"""What is to be said beside every loss."""


def review_row(review: Review, details: bool = False) -> dict[str, Any]:
    """Give the object for a review.

    A value that a limit left open is a list of the two numbers that enclose it.

    Parameters
    ----------
    details
        Add what is known besides: kinds of losses, tightness, chances, and what would have kept
        the first loss.
    """
    first = review.first_loss
    row: dict[str, Any] = {
        "name": review.name,
        "score": review.score,
        "optimum": _value(review.optimum),
        "first_loss": _first(review),
        "turns": [_turn_row(turn, review, details) for turn in review.turns],
    }
    if not details:
        return row
    row["full"] = review.full
    row["proven"] = review.proven
    row["players"] = list(review.players)
    row["variant"] = review.line.start.variant
    row["kept"] = None
    if first is not None and first.best is not None:
        row["kept"] = {"line": _actions(review, first), "link": _link(review, first)}
    return row


def _turn_row(turn: Turn, review: Review, details: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "turn": turn.number,
        "seat": turn.seat,
        "action": turn.action,
        "before": _value(turn.before),
        "after": _value(turn.after),
        "loss": _value(turn.loss),
    }
    if details:
        row["player"] = _player(review, turn)
        row["kind"] = turn.kind or None
        row["pace"] = turn.pace
        row["spare_clues"] = turn.spare_clues
        row["win"] = _chances(turn.win)
        row["mean"] = _chances(turn.mean)
        row["best"] = None if turn.best is None else first_words(turn.best)
    return row


def _first(review: Review) -> int | list[int | None] | None:
    """Give the first turn that lost something, or, where that is open, the first that may have.

    Beside that stands the first that has for certain, None if perhaps none has.
    """
    may, has = review.first_possible, review.first_loss
    if may is None:
        return None
    if may is has:
        return may.number
    return [may.number, None if has is None else has.number]


def first_words(line: Line) -> str:
    """Name the first action of a line; ``anything`` if nothing is left to be done."""
    return line.start.describe(line.actions[0]) if line.actions else "anything"


def _value(span: Span) -> int | list[int]:
    return span.low if span.exact else [span.low, span.high]


def _chances(chance: Chance | None) -> list[str] | None:
    return None if chance is None else [str(chance.best), str(chance.taken)]


def _player(review: Review, turn: Turn) -> str | None:
    if not review.is_named or turn.seat is None or turn.seat >= len(review.players):
        return None
    return review.players[turn.seat]


def kept_line(review: Review, turn: Turn) -> list[dict[str, int]]:
    """Give the game's actions up to a turn that lost something, and then those that lose nothing.

    Raises
    ------
    InputError
        If this is no game of hanab.live, or the site has no such clues.
    """
    if review.game is None or turn.best is None:
        raise InputError("this is no game of hanab.live")
    game, before = review.game, turn.number - 1
    later = actions_of(turn.best, game.orders(before), variant_of(game.deal))
    return [*(move.to_json() for move in game.moves[:before]), *later]


def turn_link(review: Review, turn: Turn) -> str:
    """Give the link that shows what would have been best, at the turn that lost something.

    Raises
    ------
    InputError
        As `kept_line`, or if a link has no room for it.
    """
    actions = kept_line(review, turn)
    assert review.game is not None
    moves = tuple(Move(a["type"], a["target"], a.get("value")) for a in actions)
    game = replace(review.game, moves=moves, ending=None)
    return game_link(game, turn.number)


def _actions(review: Review, turn: Turn) -> list[dict[str, int]] | None:
    try:
        return kept_line(review, turn)[turn.number - 1 :]
    except InputError:
        return None


def _link(review: Review, turn: Turn) -> str | None:
    try:
        return turn_link(review, turn)
    except InputError:
        return None


def table_rows(review: Review, details: bool = False) -> Iterator[dict[str, Any]]:
    """Give a row for each turn, with the columns of `COLUMNS`, and of `MORE_COLUMNS` on request."""
    whole = review_row(review, details)
    for turn in whole["turns"]:
        if details:
            for key in ("win", "mean"):
                best, taken = turn[key] or (None, None)
                turn = {**turn, f"{key}_best": best, f"{key}_taken": taken}
        row = {**whole, **turn}
        yield {key: row[key] for key in (*COLUMNS, *(MORE_COLUMNS if details else ()))}


def table_bytes(rows: Iterable[Mapping[str, Any]], details: bool = False) -> bytes:
    """Write rows as a Parquet file; an open value is null.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    """
    words = {"name", "action", "player", "kind", "win_best", "win_taken", "mean_best", "mean_taken"}
    names = (*COLUMNS, *(MORE_COLUMNS if details else ()))
    closed = [{k: None if isinstance(v, list) else v for k, v in row.items()} for row in rows]
    return parquet_bytes(closed, {name: str if name in words else int for name in names})


def table_text(rows: Iterable[Mapping[str, Any]], head: bool, details: bool = False) -> str:
    """Write rows as CSV, perhaps with the head; an open value as ``23-25``."""
    out = io.StringIO()
    columns = [*COLUMNS, *(MORE_COLUMNS if details else ())]
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    if head:
        writer.writeheader()
    for row in rows:
        writer.writerow({k: _range(v) if isinstance(v, list) else v for k, v in row.items()})
    return out.getvalue()


def _range(ends: list[int | None]) -> str:
    return "-".join("" if end is None else str(end) for end in ends)


@dataclass
class Sums(Losses):
    """What games come to; of what a limit left open what is certain."""

    games: int = 0
    unfinished: int = 0
    open: int = 0
    """Games in which a limit left something open."""
    full: int = 0
    """Games that scored full marks."""
    winnable: int = 0
    """Games that could have scored full marks."""
    optimum: int = 0
    """The sum of the first optima, of games with a score."""
    score: int = 0
    players: dict[str, Counter[str]] = field(default_factory=dict)
    """Points by player, or by seat where names are not known, and kind; not those of ended games.
    """
    seats: Counter[str] = field(default_factory=Counter)
    """Games by player."""

    def add(self, review: Review) -> None:
        """Count a game."""
        super().add(review)
        self.games += 1
        self.open += not review.proven
        self.winnable += review.optimum.low == review.full
        if review.score is None:
            self.unfinished += 1
        else:
            self.full += review.score == review.full
            self.optimum += review.optimum.low
            self.score += review.score
        names = review.players
        if not review.is_named:
            names = tuple(f"seat {seat}" for seat in range(review.line.start.rules.players))
        self.seats.update(set(names))
        for turn in review.turns:
            if turn.loss.low and turn.seat is not None and turn.kind != "ended":
                self.players.setdefault(names[turn.seat], Counter())[turn.kind] += turn.loss.low

    def by_player(self) -> list[tuple[str, int, int, Fraction]]:
        """Give each player's games, points, and points a game, most points first."""
        found = [
            (name, games, sum(self.players.get(name, Counter()).values()))
            for name, games in self.seats.items()
        ]
        found.sort(key=lambda row: (-row[2], row[0]))
        return [(name, games, points, Fraction(points, games)) for name, games, points in found]
