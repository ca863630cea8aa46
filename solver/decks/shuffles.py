"""Deals by Python's `random`: the sorted deck, shuffled by one seed after the other.

Each deal is made when it is looked at. A survey, which needs few of them as deals, has the kernel
shuffle all decks at once, from `Shuffles.keys` (csrc/shuffle.hpp).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha512
from random import Random
from typing import overload

from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.origin import Origin
from solver.game.rules import Rules

__all__ = ["Shuffles", "key", "names"]


@dataclass(frozen=True)
class Shuffles(Sequence[Deal]):
    """The deals of a range of numbers, by the same rules.

    Parameters
    ----------
    label
        The variant's name.
    name, seed
        Give for a number the name of its deal and the seed of ``random.Random``.
    """

    rules: Rules
    label: str
    origin: Origin
    numbers: range
    name: Callable[[int], str] = field(repr=False)
    seed: Callable[[int], int | str] = field(repr=False)

    @cached_property
    def unshuffled(self) -> tuple[Card, ...]:
        """The deck that is shuffled."""
        return tuple(self.rules.sorted_deck())

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Deal: ...
    @overload
    def __getitem__(self, place: slice) -> Shuffles: ...
    def __getitem__(self, place: int | slice) -> Deal | Shuffles:
        if isinstance(place, slice):
            return replace(self, numbers=self.numbers[place])
        number = self.numbers[place]
        deck = list(self.unshuffled)
        Random(self.seed(number)).shuffle(deck)
        return Deal(self.rules, tuple(deck), self.name(number), self.label, self.origin)

    def keys(self) -> Iterator[int]:
        """Give what `key` gives for each seed."""
        return (key(self.seed(number)) for number in self.numbers)


def key(seed: int | str) -> int:
    """Give the whole number that ``random.Random(seed)`` takes in, its sign apart."""
    if isinstance(seed, int):
        return seed
    text = seed.encode()
    return int.from_bytes(text + sha512(text).digest(), "big")


def names(deals: Sequence[Deal]) -> list[str]:
    """Give the names of deals, without making any of them."""
    if isinstance(deals, Shuffles):
        return list(map(deals.name, deals.numbers))
    return [deal.name for deal in deals]
