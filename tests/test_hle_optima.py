"""The shipped optima of the first 10,000 seeds of the Hanabi Learning Environment."""

from __future__ import annotations

import csv
import random
from importlib.resources import files

import pytest

from solver.game.deal import Deal
from solver.reading.specs import deals
from solver.surveys.bulk import solve_bulk

PLAYERS = (2, 3, 4, 5)


def table() -> list[list[int]]:
    """Give the rows, each the seed and the optimum for 2, 3, 4 and 5 players."""
    text = (files("solver") / "data" / "hle_optima.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    assert header == ["seed", *(f"{players}_players" for players in PLAYERS)]
    return [[int(cell) for cell in row] for row in rows]


def prove(seeds: dict[int, list[int]]) -> None:
    """Solve seeds again, for each number of players some, and compare."""
    rows = table()
    for place, players in enumerate(PLAYERS, 1):
        some = [deal for seed in seeds[players] for deal in deals(f"hle:{seed}", players)]
        found = [deal for deal in some if isinstance(deal, Deal)]
        for seed, outcome in zip(seeds[players], solve_bulk(found, 2_000_000), strict=True):
            assert outcome.score == outcome.bound == rows[seed][place], f"hle:{seed}, {players}"


def test_every_seed_is_there() -> None:
    rows = table()
    assert [row[0] for row in rows] == list(range(10_000))
    assert all(15 <= optimum <= 25 for row in rows for optimum in row[1:])


def test_sample_is_proven_again() -> None:
    prove({players: random.Random(players).sample(range(10_000), 100) for players in PLAYERS})


def test_deals_that_cannot_be_won_are_proven_again() -> None:
    rows = table()
    lost = {players: [row[0] for row in rows if row[place] < 25]
            for place, players in enumerate(PLAYERS, 1)}  # fmt: skip
    assert list(map(len, lost.values())) == [150, 12, 2, 1]
    prove(lost)


@pytest.mark.slow
def test_a_tenth_is_proven_again() -> None:
    prove({players: list(range(3, 10_000, 10)) for players in PLAYERS})
