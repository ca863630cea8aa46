"""The hindsight losses of many games, by kind, by turn, by seat, and by how the games ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.questions.losskind import KINDS
from solver.questions.review import Review, Span

__all__ = ["ENDS", "Losses", "end_of"]

ENDS = {
    "played": "played out",
    "lost": "lost by strikes",
    "ended": "ended early",
}
"""How a finished game ended, and what that is called."""


def end_of(review: Review) -> str:
    """Give the key of `ENDS` for a finished game."""
    if review.ended_early:
        return "ended"
    return "lost" if review.lost else "played"


@dataclass
class Losses:
    """Hindsight losses in points; what a limit left open stands apart, in `left`.

    All kinds together, and what is left, sum to the optima less the scores.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    """Points by kind; the empty kind is that of losses whose kind is open."""
    cases: Counter[str] = field(default_factory=Counter)
    """Turns by kind."""
    found_in: Counter[str] = field(default_factory=Counter)
    """Games by kind."""
    tens: Counter[int] = field(default_factory=Counter)
    """Points by turn: 0 for the turns 1 to 10, 1 for 11 to 20, and so on."""
    at_seat: Counter[int | None] = field(default_factory=Counter)
    """Points by seat; None for those of games that were ended early."""
    ends: dict[str, Counter[str]] = field(default_factory=dict)
    """Points by the key of `ENDS` and kind, of finished games."""
    end_games: Counter[str] = field(default_factory=Counter)
    """Finished games by the key of `ENDS`."""
    left: Span = field(default_factory=lambda: Span(0, 0))
    """What turns may have lost beyond that; more than one number if a limit was reached."""
    left_in: int = 0
    """Games of which a limit left something open."""

    def add(self, review: Review) -> None:
        """Count a game."""
        by_end: Counter[str] = Counter()
        for turn in review.turns:
            points = turn.loss.low
            if points == 0:
                continue
            self.kinds[turn.kind] += points
            self.cases[turn.kind] += 1
            by_end[turn.kind] += points
            self.tens[(turn.number - 1) // 10] += points
            self.at_seat[None if turn.kind == "ended" else turn.seat] += points
        self.found_in.update(by_end.keys())
        if review.score is not None:
            end = end_of(review)
            self.end_games[end] += 1
            self.ends.setdefault(end, Counter()).update(by_end)
        # Both ends of what encloses an optimum never rise, so the certain losses of turns are
        # parts, which do not overlap, of what was lost for certain from first to last.
        certain, whole = by_end.total(), review.optimum.less(review.last)
        self.left_in += not review.proven
        self.left = Span(self.left.low + whole.low - certain, self.left.high + whole.high - certain)

    @property
    def certain(self) -> int:
        """The points of all kinds."""
        return self.kinds.total()

    @property
    def whole(self) -> Span:
        """The losses of all games: the optima less the scores."""
        return Span(self.certain + self.left.low, self.certain + self.left.high)

    def each_kind(self) -> Iterator[tuple[str, str]]:
        """Give the kinds that there are, each with what it is called, in the usual order."""
        names = {**KINDS, "": "of unknown kind"}
        return ((key, names[key]) for key in names if self.cases[key])

    def by_kind(self) -> list[tuple[str, int, int]]:
        """Give each kind in words, with its points and turns."""
        return [(name, self.kinds[key], self.cases[key]) for key, name in self.each_kind()]

    def by_turn(self) -> list[tuple[str, int]]:
        """Give the points of each ten turns."""
        last = max(self.tens, default=-1)
        return [(f"{10 * ten + 1}-{10 * ten + 10}", self.tens[ten]) for ten in range(last + 1)]

    def by_seat(self, players: int) -> list[int]:
        """Give the points of each seat."""
        return [self.at_seat[seat] for seat in range(players)]
