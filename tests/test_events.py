"""The event model and the shared hand: every simplification keeps the optimum, none is idle."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.suit import Suit
from solver.models.cnf import TRUE, Formula
from solver.models.events import EventModel, require
from solver.models.playout import final_round, playout
from solver.models.schedule import SharedHand, natural_caps
from strategies import brute_optimum, small_positions

pysat = pytest.importorskip("pysat.solvers")


def solution(formula: Formula, assumed: tuple[int, ...] = ()) -> set[int] | None:
    """Give the true variables of a solution, None if there is none."""
    with pysat.Solver("minisat22", bootstrap_with=formula.cnf()[1]) as solver:
        if not solver.solve(assumptions=assumed):
            return None
        return {x for x in solver.get_model() if x > 0}


def ordered(name: str, players: int, suits: str = "rygbp") -> Position:
    """Give the start of a deal whose deck is sorted by suits."""
    rules = Rules.standard(players, suits)
    return Position.start(Deal(rules, tuple(rules.sorted_deck()), name))


@pytest.mark.parametrize("size", range(1, 9))
def test_a_choice_is_exactly_one(size: int) -> None:
    formula = Formula()
    variables = [formula.new() for _ in range(size)]
    formula.choose(variables)
    for values in itertools.product((False, True), repeat=size):
        assumed = tuple(x if v else -x for x, v in zip(variables, values, strict=True))
        assert (solution(formula, assumed) is not None) == (sum(values) == 1)


def test_constants_are_folded() -> None:
    formula = Formula()
    x = formula.new()
    formula.add(TRUE, x)
    formula.add(-TRUE, x)
    formula.implies(-TRUE, -x)
    formula.implies(TRUE, x)
    assert formula.clauses == [(TRUE,), (x,), (x,)]
    assert formula.dimacs() == "p cnf 2 3\n1 0\n2 0\n2 0\n"


@pytest.mark.parametrize(("players", "suits"), [(2, "rygbp"), (5, "rygbp"), (5, "rygbpt")])
def test_the_model_of_a_whole_game_is_small(players: int, suits: str) -> None:
    model = EventModel(ordered("sorted", players, suits))
    if not model.impossible:
        variables, clauses = model.formula.cnf()
        assert variables < 14_000
        assert len(clauses) < 75_000


def test_an_unknown_draw_order_is_refused() -> None:
    with pytest.raises(InputError, match="the draw order is unknown"):
        require(Position.from_text("r:2211 r0 r1xx/r2r2 ?r1r3r4 - 8/8 0/3 0 -"))


def test_natural_caps_stop_at_the_first_card_that_is_gone() -> None:
    position = Position.from_text("ry:11111 r1,y0 r2y1/y2r4 r5y4y5 r3y3 8/8 0/3 0 -")
    assert natural_caps(position) == (2, 2)


REFUTING = {
    # A whole round of clues must be wasted: at full tokens neither card may go, and no strike.
    "waste": ("r:21111 r0 r3/r5 r2r1r1r4 - 2/2 0/1 0 -", 2),
    # A misplay at full tokens saves the turn and the tokens.
    "strike": ("r:21,y:21111 r0,y0 y1y4/r1r2 y1y2y5y3r1 - 2/2 0/2 0 - price=2 finish=0", 6),
    # Five points are there, but then the last player must misplay, which loses all.
    "last turn": ("r:221,y:211 r0,y0 y1/r1 r3y3r2y2r2r1y1 - 0/1 0/1 0 - start=0 finish=0", 4),
}


@pytest.mark.parametrize("name", REFUTING)
def test_refuting_deals(name: str) -> None:
    """Each was wrong while the part of the model that it is named for was left out."""
    from solver.engines.sat import solve

    text, optimum = REFUTING[name]
    position = Position.from_text(text)
    assert brute_optimum(position) == optimum
    result = solve(position)
    assert (result.score, result.bound) == (optimum, optimum)


@settings(max_examples=150, deadline=None)
@given(small_positions(), st.data())
def test_models_hold_exactly_if_the_target_is_reached(
    position: Position, data: st.DataObject
) -> None:
    if position.end is not None or not position.pile:
        return
    optimum = brute_optimum(position)
    target = data.draw(st.integers(position.points, sum(natural_caps(position))))
    model = EventModel(position, target=target)
    found = None if model.impossible else solution(model.formula)
    assert (found is not None) == (optimum >= target)
    if found is not None:
        last = model.line(found.__contains__).replay()
        assert last.points >= target
        shared = SharedHand(position, target=target)
        assert not shared.impossible
        assert solution(shared.formula) is not None


@settings(max_examples=100, deadline=None)
@given(small_positions())
def test_caps_of_the_optimum_can_be_reached(position: Position) -> None:
    if position.end is not None or not position.pile:
        return
    optimum = brute_optimum(position)
    model = EventModel(position, target=optimum)
    if optimum < position.points:
        return
    found = solution(model.formula)
    assert found is not None
    caps = model.line(found.__contains__).replay().stacks
    exact = EventModel(position, caps)
    assert not exact.impossible
    again = solution(exact.formula)
    # Where the last turn may force a strike, more plays may be what avoids it.
    assert again is not None or exact.is_tight
    if again is not None:
        assert exact.line(again.__contains__).replay().stacks == caps


@settings(max_examples=200, deadline=None)
@given(small_positions())
def test_a_playout_is_never_above_the_optimum(position: Position) -> None:
    optimum = brute_optimum(position)
    assert playout(position).replay().score <= optimum
    if not position.pile:
        assert final_round(position).replay().score == optimum


def test_final_rounds_with_empty_hands_are_exact() -> None:
    rules = Rules(3, 1, (Suit("r", (1, 1, 1)), Suit("y", (1, 1, 1))), max_clues=1, start_clues=1,
                  max_strikes=1)  # fmt: skip
    position = Position(
        rules=rules, stacks=(1, 0), hands=((), (Card(0, 3),), ()), pile=(), discards=(),
        clues=1, strikes=0, seat=1, turns_left=3,
    )  # fmt: skip
    for start in (position, replace(position, seat=0), replace(position, clues=0)):
        assert final_round(start).replay().score == brute_optimum(start)
