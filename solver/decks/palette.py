"""The colours of an environment, in its own order, and the suits that they are here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.formats.composition import letters_in_order
from solver.game.card import Card
from solver.game.suit import STANDARD_COPIES, Suit

__all__ = ["HANABIRS", "HLE", "ROYGB", "Palette", "learning_copies"]


@dataclass(frozen=True)
class Palette:
    """Colours as an environment numbers them, from 0.

    The suits stand in the order in which a deck string is read, whatever the environment's, so
    that a deal is the same after it was written and read again.
    """

    colours: str
    """A capital letter each."""
    copies: tuple[int, ...] = STANDARD_COPIES

    @cached_property
    def suits(self) -> tuple[Suit, ...]:
        """The suits in their order here."""
        return tuple(Suit(s, self.copies) for s in letters_in_order(self.colours.lower()))

    @cached_property
    def suit_of(self) -> tuple[int, ...]:
        """For each colour its suit."""
        letters = [suit.letter for suit in self.suits]
        return tuple(letters.index(colour) for colour in self.colours.lower())

    @cached_property
    def sorted_deck(self) -> tuple[Card, ...]:
        """The unshuffled deck in the environment's order: colours, ranks upwards, copies."""
        return tuple(
            Card(suit, rank)
            for suit in self.suit_of
            for rank, count in enumerate(self.copies, 1)
            for _ in range(count)
        )

    def shortened(self, colours: int, copies: Sequence[int]) -> Palette:
        """Give the first colours alone, with other copies of the ranks."""
        return Palette(self.colours[:colours], tuple(copies))


HLE = Palette("RYGWB")
"""The Hanabi Learning Environment, what was made from it, OpenSpiel and JaxMARL."""
ROYGB = Palette("ROYGB")
"""Quuxplusone's program, and SPARTA."""
HANABIRS = Palette("RYGBW")
"""The Rust program hanabi.rs."""


def learning_copies(ranks: int) -> tuple[int, ...]:
    """Give the copies of each rank in the Hanabi Learning Environment: 3, 2 ..., 1."""
    return (3, *(2,) * (ranks - 2), 1)[:ranks] if ranks > 1 else (3,)
