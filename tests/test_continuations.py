"""How an endgame with unknown cards goes on: the ways and values of all of them make the mean."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

import test_clues_endgame
import test_endgame
from solver.endgames.continuations import continuations
from solver.endgames.endgame import analyse, as_seen
from solver.game.errors import UnsupportedRulesError
from solver.game.position import Kind, Position


def hidden(positions: Iterator[Position]) -> Iterator[Position]:
    """Give those of the positions that have few worlds, the mover's hand or some of it hidden."""
    for position in positions:
        chance = random.Random(position.text())
        hand = position.hands[position.seat]
        if 1 <= len(hand) <= 2 and 0 < position.pile_size <= 4:
            seen = test_endgame.masked(chance, position.unordered())
            yield seen if seen != position.unordered() else as_seen(seen, "hidden")


def check(position: Position) -> None:
    for objective in ("win", "score"):
        verdict = analyse(position, "hidden", objective)
        for choice in verdict.choices:
            found, count, total = continuations(position, choice.actions[0], objective, most=10**6)
            assert len(found) == count
            assert sum(some.ways for some in found) == total
            mean = sum(Fraction(some.ways, total) * some.value for some in found)
            assert mean == choice.low == choice.high, position.text()
            for some in found:
                assert (some.acted is not None) <= (choice.actions[0].kind is not Kind.CLUE)
                for decision, move, outcome in some.steps:
                    after = decision.position.after(move.action, outcome.drawn)
                    assert after.pile_size == outcome.position.pile_size
                    assert after.stacks == outcome.position.stacks


@pytest.mark.parametrize("bare", [False, True])
def test_they_make_the_mean(bare: bool) -> None:
    some = (
        test_clues_endgame.positions(range(3000), 400) if bare else test_endgame.positions(21, 400)
    )
    done = 0
    for position in islice(hidden(some), 45):
        try:
            check(position)
            done += 1
        except UnsupportedRulesError:
            assert bare  # whether a clue is legal depends on an unknown card
    assert done > 15
