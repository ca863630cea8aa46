"""Sources of decks that are named rather than written: ``python:p2c1s0-99``, ``random:0-9``."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from solver.composition import label_of
from solver.deal import Deal
from solver.errors import InputError
from solver.rules import Rules
from solver.variants import LETTERS, find

__all__ = ["SOURCES", "Shape", "Source"]

Source: TypeAlias = "Callable[[str, int | None, str | Shape | None], Iterator[Deal]]"
"""From what stands after the colon, the players and the variant or suits, to the deals."""


@dataclass(frozen=True)
class Shape:
    """How many suits the sources deal, 1 to 6, and how many of them, the last, are one-of-each."""

    suits: int = 5
    one_of_each: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.suits <= len(LETTERS):
            raise InputError(f"suits is {self.suits}, not 1 to {len(LETTERS)}")
        if not 0 <= self.one_of_each <= self.suits:
            raise InputError(f"one-of-each is {self.one_of_each}, not 0 to {self.suits}")


def _range(text: str) -> range:
    match = re.fullmatch(r"([0-9]{1,15})(?:-([0-9]{1,15}))?", text)
    if match is None:
        raise InputError(f"{text[:40]!r} is no range such as 7 or 0-99")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise InputError(f"the range {text} ends before it begins")
    return range(first, last + 1)


def _sorted_rules(players: int, variant: str | Shape | None) -> tuple[Rules, str]:
    if isinstance(variant, Shape):
        letters = LETTERS[: variant.suits]
        rules = Rules.standard(players, letters, letters[variant.suits - variant.one_of_each :])
        return rules, label_of(rules.suits)
    found = find("No Variant" if variant is None else variant)
    return found.rules(players), found.name


def _python(text: str, players: int | None, variant: str | Shape | None) -> Iterator[Deal]:
    match = re.fullmatch(r"(p([2-6])[a-z0-9]*s)([0-9-]+)", text)
    if match is None:
        raise InputError("after python: there is no name and range such as p2c1s0-99")
    rules, label = _sorted_rules(int(match[2]), variant)
    for number in _range(match[3]):
        seed = f"{match[1]}{number}"
        deck = rules.sorted_deck()
        random.Random(seed).shuffle(deck)
        yield Deal(rules, tuple(deck), seed, label)


def _random(text: str, players: int | None, variant: str | Shape | None) -> Iterator[Deal]:
    numbers = _range(text)
    if players is None:
        raise InputError("the source random needs the number of players (--players)")
    rules, label = _sorted_rules(players, variant)
    for number in numbers:
        deck = rules.sorted_deck()
        random.Random(number).shuffle(deck)
        yield Deal(rules, tuple(deck), f"random:{number}", label)


SOURCES: dict[str, Source] = {"python": _python, "random": _random}
"""Where decks come from, by the word before the colon."""
