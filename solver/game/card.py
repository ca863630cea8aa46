"""Cards: what is printed on them, and nothing about where they are."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["UNKNOWN", "USELESS", "Card"]


class Card(NamedTuple):
    """A card's face: suit (index from 0 into ``Rules.suits``) and rank (from 1).

    Two cards of one face are equal; copies are told apart only by where they lie.
    """

    suit: int
    rank: int

    @property
    def is_face(self) -> bool:
        """Whether this is a real face, not `UNKNOWN` or `USELESS`."""
        return self.suit >= 0


UNKNOWN = Card(-1, 0)
"""A card whose face is not known; its possible faces are the position's unseen cards."""

USELESS = Card(-1, -1)
"""A card of which only this is known: it can never be played."""
