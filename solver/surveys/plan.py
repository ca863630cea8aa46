"""What a survey is to solve: groups of deals with the same rules, cut into parts of one size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Any

from solver.decks.request import Asked, Shape, Suits
from solver.decks.sources import is_source
from solver.formats.editions import House
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.notation import rules_text
from solver.game.rules import Ending, Rules
from solver.reading.specs import Fault, deals, shuffled

__all__ = ["Group", "Part", "Scope", "plan", "rules_record"]

RANGE = re.compile(r"(.*?)([0-9]{1,15})-([0-9]{1,15})", re.DOTALL)


@dataclass(frozen=True)
class Scope:
    """The words of a survey: specs, the players for those that do not say, the variant or suits."""

    specs: tuple[str, ...]
    players: tuple[int, ...] = ()
    variant: Suits | Asked = None

    def record(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        asked = self.variant if isinstance(self.variant, Asked) else Asked(self.variant, House())
        shape = asked.suits if isinstance(asked.suits, Shape) else None
        ending = asked.house.ending
        return {
            "specs": list(self.specs),
            "players": list(self.players),
            "variant": asked.suits if isinstance(asked.suits, str) else None,
            "suits": shape and shape.suits,
            "one_of_each": shape and shape.one_of_each,
            "house": {**asdict(asked.house), "ending": ending and ending.value},
        }

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Scope:
        """Read what `record` gave."""
        suits: Suits = record["variant"]
        if record["suits"] is not None:
            suits = Shape(record["suits"], record["one_of_each"])
        ending = record["house"]["ending"]
        house = House(**{**record["house"], "ending": ending and Ending(ending)})
        variant = suits if house == House() else Asked(suits, house)
        return cls(tuple(record["specs"]), tuple(record["players"]), variant)


@dataclass(frozen=True)
class Part:
    """Some deals that follow on one another in a group: a spec that gives them, or they themselves.

    It can be sent to another process or machine.
    """

    spec: str
    players: int | None
    variant: Suits | Asked
    size: int
    given: tuple[Deal, ...] = ()

    def deals(self) -> Sequence[Deal]:
        """Give the deals; those that Python shuffles are made when they are looked at.

        Raises
        ------
        InputError
            If the spec gives other than so many deals.
        """
        if self.given:
            return list(self.given)
        made = shuffled(self.spec, self.players, self.variant)
        found = made or _all_deals(self.spec, self.players, self.variant)
        if len(found) != self.size:
            raise InputError(f"{self.spec}: this gives {len(found)} deals, not {self.size}")
        if not made and any(deal.rules != found[0].rules for deal in found):
            raise InputError(f"{self.spec}: these deals have different rules")
        return found


@dataclass(frozen=True)
class Group:
    """Deals of the same rules that one spec names.

    Parameters
    ----------
    first
        The first deal: a source that has changed is known by its deck.
    start
        The number of the first deal in a source's range; None for deals that are given.
    given
        The deals, if they are not those of a source's range.
    """

    spec: str
    players: int | None
    variant: Suits | Asked
    rules: Rules
    label: str
    count: int
    first: Deal
    start: int | None = None
    given: tuple[Deal, ...] = field(default=(), repr=False)

    def part(self, number: int, size: int) -> Part:
        """Give the part of this number, from 0, if all parts but the last have ``size`` deals."""
        low = number * size
        high = min(low + size, self.count)
        if self.start is None:
            return Part(self.spec, None, None, high - low, self.given[low:high])
        spec = f"{self._stem}{self.start + low}-{self.start + high - 1}"
        return Part(spec, self.players, self.variant, high - low)

    @property
    def _stem(self) -> str:
        """What stands before the numbers in the spec of a source's range."""
        match = RANGE.fullmatch(self.spec)
        assert match is not None
        return match[1]

    def overlaps(self, other: Group) -> bool:
        """Whether another group has some of the same deals."""
        if self.rules != other.rules:
            return False
        if self.start is None or other.start is None:
            return self.spec == other.spec and self.given[:1] == other.given[:1] != ()
        first = max(self.start, other.start)
        last = min(self.start + self.count, other.start + other.count)
        return self._stem == other._stem and first < last

    def parts(self, size: int) -> int:
        """Count the parts."""
        return -(-self.count // size)

    def record(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return {
            "spec": self.spec,
            "variant": self.label,
            "deals": self.count,
            "rules": rules_record(self.rules),
            "origin": self.first.origin and self.first.origin.to_json(),
            "first": self.first.text(),
            "sha256": _digest(self.given) if self.given else None,
        }


def plan(asked: Scope) -> list[Group]:
    """Find out what deals are asked for, in groups; the ranges of sources are not run through.

    Raises
    ------
    InputError
        If a spec is wrong, or names deals that another one names too.
    """
    groups: list[Group] = []
    for spec in asked.specs:
        for players in asked.players or (None,):
            groups.extend(_groups(spec.strip(), players, asked.variant))
    seen: list[Group] = []
    for group in groups:
        for other in seen:
            if group.overlaps(other):
                raise InputError(f"{group.spec}: some of these deals are named by {other.spec} too")
        seen.append(group)
    return groups


def rules_record(rules: Rules) -> dict[str, Any]:
    """Write rules as JSON has them: the words of a position text, and what a position shows."""
    suits, words = rules_text(rules)
    return {
        "players": rules.players,
        "hand_size": rules.hand_size,
        "suits": suits,
        "max_clues": rules.max_clues,
        "max_strikes": rules.max_strikes,
        "others": words,
    }


def _groups(spec: str, players: int | None, variant: Suits | Asked) -> Iterator[Group]:
    match = RANGE.fullmatch(spec)
    if is_source(spec) and match is not None:
        first, last = int(match[2]), int(match[3])
        if first > last:
            raise InputError(f"{spec}: the range ends before it begins")
        (deal,) = Part(f"{match[1]}{first}-{first}", players, variant, 1).deals()
        count = last - first + 1
        yield Group(spec, players, variant, deal.rules, deal.variant, count, deal, first)
        return
    for rules, some in groupby(_all_deals(spec, players, variant), lambda deal: deal.rules):
        given = tuple(some)
        label = given[0].variant
        yield Group(spec, players, variant, rules, label, len(given), given[0], None, given)


def _all_deals(spec: str, players: int | None, variant: Suits | Asked) -> list[Deal]:
    found = []
    for deal in deals(spec, players, variant):
        if isinstance(deal, Fault):
            raise InputError(str(deal))
        found.append(deal)
    return found


def _digest(given: Sequence[Deal]) -> str:
    digest = sha256()
    for deal in given:
        digest.update(f"{deal.name}\0{deal.text()}\n".encode())
    return digest.hexdigest()
