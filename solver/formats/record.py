"""What a log of a game says beside its cards and moves: whose it is, and the score it gives."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Record"]


@dataclass(frozen=True)
class Record:
    """Where a game was recorded, and how it is scored there.

    Parameters
    ----------
    source
        The program that wrote the log.
    score
        The score that it gives for the game; None if it gives none.
    lost_minus
        What a game that was lost by strikes scores there: None for nothing at all, else so much
        less than its points, but at least 0.
    dealt
        How many cards of the deck are known, from the top; None for all, or for all but cards of
        one face. The others stand in the deal in the order of suits and ranks and mean nothing.
    """

    source: str
    score: int | None = None
    lost_minus: int | None = None
    dealt: int | None = None

    def lost_score(self, points: int) -> int:
        """Give what a lost game with so many points scores."""
        return 0 if self.lost_minus is None else max(points - self.lost_minus, 0)

    @property
    def convention(self) -> str:
        """Say what a lost game scores."""
        if self.lost_minus is None:
            return "a lost game scores 0"
        if self.lost_minus == 0:
            return "a lost game keeps its points"
        return f"a lost game scores {self.lost_minus} less than its points, at least 0"
