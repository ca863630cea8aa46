"""What is asked of a source of decks: a range of seeds, players, a variant, and options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from solver.formats.editions import House
from solver.formats.variants import LETTERS, find
from solver.game.errors import InputError

__all__ = ["LARGEST_SEED", "Asked", "Named", "Request", "Shape", "Suits", "number_range"]

LARGEST_SEED = 2**31 - 1
"""The largest seed of environments that read it as a C ``int``."""


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


class Named(str):
    """The name of a variant, and the options that it was asked for by, for messages."""

    option: str

    def __new__(cls, name: str, option: str) -> Named:
        """Make the name."""
        made = super().__new__(cls, name)
        made.option = option
        return made

    def __reduce__(self) -> tuple[type[Named], tuple[str, str]]:
        return Named, (str(self), self.option)


Suits: TypeAlias = "str | Shape | None"
"""What is asked for where a spec leaves the suits open: a variant, a shape, or nothing."""


@dataclass(frozen=True)
class Asked:
    """Suits and house rules together; the latter change the deals of every spec."""

    suits: Suits
    house: House


def number_range(text: str, most: int = 10**15 - 1) -> range:
    """Read ``7`` or ``0-99``, both ends included.

    Raises
    ------
    InputError
        If it is none, ends before it begins, or goes beyond ``most``.
    """
    match = re.fullmatch(r"([0-9]{1,15})(?:-([0-9]{1,15}))?", text)
    if match is None:
        raise InputError(f"{text[:40]!r} is no range such as 7 or 0-99")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise InputError(f"the range {text} ends before it begins")
    if last > most:
        raise InputError(f"the range {text} goes beyond the largest seed, {most}")
    return range(first, last + 1)


@dataclass(frozen=True)
class Request:
    """What stands before and after the colon of a spec, and what was said apart from it."""

    word: str
    """The source with its options, as it is written: ``hle+small``."""
    text: str
    """What stands after the colon."""
    players: int | None = None
    variant: str | Shape | None = None
    """A hanab.live variant by name or number, or a shape."""
    options: Mapping[str, int] = field(default_factory=dict)
    """The options by their names; 1 for those without a number."""

    @property
    def source(self) -> str:
        """The name of the source alone."""
        return self.word.partition("+")[0]

    def has(self, option: str) -> bool:
        """Whether an option is given."""
        return option in self.options

    def get(self, option: str, default: int) -> int:
        """Give the number of an option."""
        return self.options.get(option, default)

    def name(self, seed: int | str) -> str:
        """Name the deal of one seed; with the players it is a spec of that deal again."""
        return f"{self.word}:{seed}"

    def seeds(self, most: int = LARGEST_SEED) -> range:
        """Give the seeds asked for."""
        return number_range(self.text, most)

    def seats(self, least: int = 2, most: int = 5) -> int:
        """Give the number of players, which has to be given."""
        if self.players is None:
            raise InputError(f"the source {self.source} needs the number of players (--players)")
        if not least <= self.players <= most:
            raise InputError(
                f"players is {self.players}, not {least} to {most} (source {self.source})"
            )
        return self.players

    def own_suits(self) -> None:
        """Refuse a variant: the source has suits of its own."""
        if isinstance(self.variant, Shape):
            raise InputError(f"--suits and --one-of-each are not for the source {self.source}")
        if self.variant is not None and find(self.variant).name != "No Variant":
            raise InputError(f"the source {self.source} deals no variants of hanab.live")
