"""Lists of deals that must all be proven with default settings, the hard ones by name."""

from __future__ import annotations

import random

import pytest

from solver.engines.search import solve as search
from solver.game.deal import Deal
from solver.game.position import Position
from solver.game.rules import Rules
from solver.solving.choice import solve, solve_many

# Turn-based SAT models give up on these after minutes. Seeds of random.Random, by players.
GIVEN_UP = {2: (161, 168, 202, 431, 443, 552, 629, 762, 894, 941), 3: (93572,), 5: (18105,)}

WINNABLE = {2: 9866, 3: 9991, 4: 9996, 5: 9999}
"""Of the deals 0 to 9,999 with so many players: found by the search, all proven."""


def shuffled(players: int, seed: str | int, one_of_each: str = "") -> Deal:
    rules = Rules.standard(players, one_of_each=one_of_each)
    deck = rules.sorted_deck()
    random.Random(seed).shuffle(deck)
    return Deal(rules, tuple(deck), str(seed))


@pytest.mark.parametrize("name", ["p4c1s1116", "p5c1s98804", "p5c1s14459"])
def test_deals_named_as_hard_elsewhere_are_lost(name: str) -> None:
    result = search(Position.start(shuffled(int(name[1]), name)))
    assert result.winnable is False
    assert result.proven
    assert result.nodes < 10_000


@pytest.mark.parametrize(("players", "seed"), [(n, s) for n in GIVEN_UP for s in GIVEN_UP[n]])
def test_deals_that_models_over_turns_give_up_on(players: int, seed: int) -> None:
    result = search(Position.start(shuffled(players, seed)))
    assert result.proven
    assert result.nodes < 10_000


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ten_thousand_deals(players: int) -> None:
    deals = (shuffled(players, f"p{players}c1s{number}") for number in range(10_000))
    results = list(solve_many(deals, jobs=2))
    assert all(result.proven for result in results)
    assert sum(result.winnable is True for result in results) == WINNABLE[players]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_hundred_deals_with_a_one_of_each_suit(players: int) -> None:
    deals = [shuffled(players, f"p{players}c1s{number}", "p") for number in range(200)]
    assert all(result.proven for result in solve_many(deals, jobs=2))


def test_sat_takes_over_where_the_search_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.solving import cascade

    monkeypatch.setattr(cascade, "SEARCH_NODES", 10)
    result = solve(shuffled(2, "p2c1s138"))
    assert (result.score, result.bound, result.engine) == (22, 22, "search+sat")
