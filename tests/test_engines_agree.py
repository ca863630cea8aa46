"""The engines agree on the optimum: positions from the middle and the end of real games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module

import pytest

from played import ROWS
from solver.endgames.endgame import as_seen
from solver.engines.search import require, solve
from solver.formats.hanablive import Game
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.position import Position
from solver.game.result import Limits
from solver.solving import choice


def middles(count: int) -> Iterator[Position]:
    """Give positions of the recorded games, two thirds of the way and later."""
    rng = random.Random(5)
    games = [Game.from_json(row) for row in ROWS]
    given = 0
    while given < count:
        positions = list(rng.choice(games).line().positions())
        position = positions[rng.randrange(len(positions) // 2, len(positions))]
        try:
            require(position)
        except UnsupportedRulesError:
            continue
        if position.end is None:
            given += 1
            yield position


@pytest.mark.parametrize("engine", list(choice.ENGINES))
def test_an_optimum_needs_every_card(engine: str) -> None:
    position = next(middles(1)).unordered()
    for asked in (position, as_seen(position, "hidden")):
        with pytest.raises(InputError, match="the draw order is unknown") as error:
            choice.solve(asked, engine=engine)
        assert not isinstance(error.value, UnsupportedRulesError)


@pytest.mark.parametrize(
    ("engine", "count"),
    [
        ("sat", 20),
        ("cpsat", 5),
        pytest.param("sat", 200, marks=pytest.mark.slow),
        pytest.param("cpsat", 200, marks=pytest.mark.slow),
    ],
)
def test_real_games(engine: str, count: int) -> None:
    other = import_module(choice.ENGINES[engine])
    for position in middles(count):
        ours = solve(position, Limits(nodes=1_000_000))
        theirs = other.solve(position, Limits(seconds=60))
        assert ours.score <= theirs.bound, position
        assert theirs.score <= ours.bound, position
        assert ours.proven or theirs.proven, position
