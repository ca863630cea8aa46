"""Why full marks are out of reach where suits can be built in several ways: a reason for each way.

A deal is lost on a rung if it is lost there in every way, that is in every narrowed game
(`solver.models.ways`). One reason mostly holds in many ways, for it speaks of few cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from solver.game.card import Card
from solver.game.position import Position
from solver.game.suit import Way
from solver.models.ways import narrowed
from solver.questions.hall import releases
from solver.questions.ladder import RUNGS, Climb, Loss, lower_is_easier

__all__ = ["Reason", "Reasons", "find_reasons"]

Ways = tuple[Way, ...]


@dataclass(frozen=True)
class Reason:
    """Why full marks are lost in some of the ways.

    Parameters
    ----------
    loss
        The loss in the first of these ways; its cards are those of ``position``.
    ways
        That way, for each suit the ranks of every step still missing.
    position
        The narrowed game of that way: each card is its step.
    built
        For each suit, the ways in which it may be built for the reason to hold; what the other
        suits do does not matter.
    count
        In how many ways of all it holds.
    """

    loss: Loss
    ways: Ways
    position: Position
    built: tuple[tuple[Way, ...], ...]
    count: int

    def holds(self, ways: Ways) -> bool:
        """Whether the reason holds in a way."""
        return all(way in some for way, some in zip(ways, self.built, strict=True))


@dataclass(frozen=True)
class Reasons:
    """What is known of all the ways.

    Parameters
    ----------
    total
        How many ways there are.
    found
        Reasons, those of the first rungs first.
    covered
        Whether one of them holds in every way.
    won
        Whether some way is proven to be possible on all rungs.
    first
        Whether it is proven that full marks are possible on all rungs before `rung`.
    """

    total: int
    found: tuple[Reason, ...]
    covered: bool
    won: bool
    first: bool

    @property
    def rung(self) -> str:
        """The first rung on which every way is lost."""
        return max((reason.loss.rung for reason in self.found), key=RUNGS.index)


def find_reasons(position: Position, nodes: int | None, deadline: float | None) -> Reasons:
    """Find a reason for each way in which full marks are lost.

    Parameters
    ----------
    position
        A game that is not over, with at most `solver.models.ways.MOST_WAYS` ways.
    nodes
        The most for each question, None for no limit.
    deadline
        When to stop, by `time.monotonic`.
    """
    every = list(position.all_ways())
    left = {ways: _climb(position, ways, nodes, deadline) for ways in every}
    found: list[Reason] = []
    for rung in RUNGS[:5]:
        for ways in every:
            if ways in left and left[ways].is_lost(rung):
                reason = _reason(position, every, ways, left[ways], rung)
                found.append(reason)
                left = {other: climb for other, climb in left.items() if not reason.holds(other)}
    kept = _needed(every, found) if not left else found
    won = any(climb.sure for climb in left.values())
    rung = kept[-1].loss.rung if kept else ""
    first = any(reason.loss.first for reason in found if reason.loss.rung == rung)
    return Reasons(len(every), tuple(kept), not left, won, first)


def _climb(position: Position, ways: Ways, nodes: int | None, deadline: float | None) -> Climb:
    game = replace(narrowed(position, ways), variant=position.variant)
    return Climb(game, nodes, deadline)


def _needed(every: Sequence[Ways], found: list[Reason]) -> list[Reason]:
    """Leave out each reason, the last rungs first, without which every way still has one."""
    kept = list(found)
    for reason in reversed(found):
        others = [other for other in kept if other is not reason]
        if all(any(other.holds(ways) for other in others) for ways in every):
            kept = others
    return kept


def _reason(
    position: Position, every: Sequence[Ways], ways: Ways, climb: Climb, rung: str
) -> Reason:
    loss = climb.loss(rung)
    built = tuple(
        tuple(way for way in some if _holds(loss, climb.position, ways, suit, way, position))
        for suit, some in enumerate(position.ways)
    )
    made = Reason(loss, ways, climb.position, built, 0)
    return replace(made, count=sum(map(made.holds, every)))


def _holds(loss: Loss, game: Position, ways: Ways, suit: int, way: Way, position: Position) -> bool:
    """Whether a loss in one way is one too if a suit is built in this way. DESIGN.md says why."""
    height = position.heights[suit]
    mine = ways[suit]
    ranks = [mine[game.rules.step(c) - height - 1] for c in loss.cards if c.suit == suit]
    if loss.kind == "pace" or way == mine:
        return True
    if loss.violator is not None:
        late = _waits(position, suit, way)
        return all(late.get(step, -1) >= loss.violator.draw for step in ranks)
    if loss.kind in ("lost-card", "no-turn"):
        return set(ranks) <= set(way)
    if loss.kind == "last-card":
        return not ranks or tuple(ranks) in set(pairwise(way))
    steps = loss.caps[suit] - height
    return lower_is_easier(loss.rung, game) and way[:steps] == mine[:steps]


def _waits(position: Position, suit: int, way: Way) -> dict[frozenset[int], float]:
    """Give for each step of a way the draw before which it cannot be made."""
    there = releases(position)
    late: dict[frozenset[int], float] = {}
    draw: float = 0
    for step in way:
        draw = max(draw, min((there.get(Card(suit, rank), inf) for rank in step), default=inf))
        late[step] = draw
    return late
