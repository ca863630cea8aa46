"""Many deals without their lines: the same answers as one by one, checked by rules of their own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver._kernel import replay
from solver.engines.search import lost_on, solve
from solver.game.deal import Deal
from solver.game.errors import UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Kind, Position
from solver.game.result import Limits, Result, checked
from solver.game.rules import Ending
from solver.models.packing import pack, pack_decks
from solver.questions.explain import explain
from solver.reading.specs import Shape, deals
from solver.surveys import bulk
from solver.surveys.bulk import Outcome, solve_bulk
from strategies import brute_optimum, small_deals


def found(spec: str, players: int | None = None, shape: Shape | None = None) -> list[Deal]:
    """Give the deals of a spec that has no faults."""
    made = [deal for deal in deals(spec, players, shape) if isinstance(deal, Deal)]
    assert made
    return made


def timeless(outcomes: list[Outcome]) -> list[Outcome]:
    return [outcome._replace(seconds=0.0) for outcome in outcomes]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_same_answers_as_one_by_one(players: int) -> None:
    some = found("random:0-39", players, Shape(5, 1))
    for deal, outcome in zip(some, solve_bulk(some, 500_000), strict=True):
        result = solve(Position.start(deal), Limits(nodes=500_000))
        assert (outcome.score, outcome.bound, outcome.nodes) == (
            result.score, result.bound, result.nodes,
        )  # fmt: skip
        assert outcome.turns == len(result.line.actions)
        assert bool(outcome.rung) == (result.winnable is False)


def test_neighbours_do_not_matter() -> None:
    some = found("python:p2c1s100-199")
    together = timeless(solve_bulk(some, 10_000))
    assert timeless(solve_bulk(some[::-1], 10_000))[::-1] == together
    assert [timeless(solve_bulk([deal], 10_000))[0] for deal in some[::9]] == together[::9]


def test_rungs_are_those_of_the_explanation() -> None:
    some = found("random:0-299", 2, Shape(5, 1))
    lost = [(d, o) for d, o in zip(some, solve_bulk(some, 500_000), strict=True) if o.rung]
    assert len({outcome.rung for _, outcome in lost}) >= 3
    for deal, outcome in lost[::4]:
        loss = explain(deal).loss
        assert loss is not None
        assert loss.rung == outcome.rung


def test_rung_that_is_open_has_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    some = found("random:0-1", 2, Shape(1))
    start = Position.start(some[0])
    answers: dict[str, bool | None] = {"release": False, "turn-order": None, "tokens": True}
    monkeypatch.setattr(bulk, "lost_on", lambda rung, *rest: answers.get(rung, False))
    assert bulk.lost_rung(start) == "tokens?"
    monkeypatch.setattr(bulk, "lost_on", lambda *rest: False)
    assert bulk.lost_rung(start) == "strikes"


@st.composite
def any_deals(draw: st.DrawFn) -> Deal:
    """Draw a small deal of any rules that the native search covers."""
    deal = draw(small_deals())
    ending = draw(st.sampled_from([Ending.FINAL_ROUND, *Ending]))
    lost = deal.rules.lost_scores_stacks and ending in (Ending.FINAL_ROUND, Ending.ENDLESS)
    play = draw(st.booleans())
    rules = replace(deal.rules, ending=ending, lost_scores_stacks=lost, deck_play=play)
    made = Deal(rules, deal.deck)
    try:
        pack(Position.start(made))
    except UnsupportedRulesError:
        made = Deal(replace(rules, deck_play=False), deal.deck)
    return made


@given(any_deals())
@settings(max_examples=60, deadline=None)
def test_any_rules_against_the_brute_force(deal: Deal) -> None:
    (outcome,) = solve_bulk([deal], 100_000)
    start = Position.start(deal)
    best = brute_optimum(start)
    assert outcome.score <= best <= outcome.bound
    assert outcome.score == outcome.bound
    full = [suit.full for suit in deal.rules.suits]
    lost = outcome.bound < deal.rules.max_score
    assert bool(outcome.rung) == lost
    if outcome.rung and start.end is None:
        assert lost_on(outcome.rung, start, full)


@given(any_deals(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_second_rules_agree_with_the_first(deal: Deal, seed: int) -> None:
    chance = random.Random(seed)
    position = Position.start(deal)
    like, deck = pack(position), pack_decks([deal])
    line = b""
    for turn in range(60):
        legal = position.legal_actions()
        actions = [bytes((kind, slot)) for kind in (0, 1) for slot in range(6)] + [b"\2\0", b"\3\0"]
        for code in actions:
            accepted, _ = replay(like, deck, line + code)
            kind, slot = code
            assert (accepted == turn + 1) == ((kind, slot) in legal)
        if not legal:
            break
        action = chance.choice(legal)
        position = position.after(action)
        line += bytes((action.kind, action.slot))
        assert replay(like, deck, line) == (turn + 1, position.score)


def test_open_deals_go_to_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    some = found("random:0-14", 4, Shape(5, 1))
    monkeypatch.setattr("solver.solving.cascade.SEARCH_NODES", 40)
    outcomes = solve_bulk(some, 1_000_000)
    monkeypatch.undo()
    assert {outcome.engine for outcome in outcomes} == {"search", "search+sat"}
    for outcome, other in zip(outcomes, solve_bulk(some, 1_000_000), strict=True):
        assert (outcome.score, outcome.bound) == (other.score, other.bound)
        assert outcome.rung.rstrip("?") == other.rung.rstrip("?")


def test_limit_leaves_bounds_apart() -> None:
    some = found("random:0-99", 5, Shape(5, 1))
    open_ = [o for o in solve_bulk(some, 60) if o.score < o.bound]
    assert open_
    assert all(outcome.nodes <= 1000 for outcome in open_)
    assert timeless(open_) == timeless([o for o in solve_bulk(some, 60) if o.score < o.bound])


def test_rules_that_the_kernel_does_not_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(position: Position) -> bytes:
        raise UnsupportedRulesError("not covered")

    some = found("random:0-1", 3)
    expected = timeless(solve_bulk(some, 100_000))
    monkeypatch.setattr(bulk, "pack", refuse)
    assert timeless(solve_bulk(some, 100_000)) == expected


def test_every_sampled_line_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Line] = []

    def replayed(result: Result) -> Result:
        seen.append(result.line)
        return checked(result)

    monkeypatch.setattr(bulk, "checked", replayed)
    monkeypatch.setattr(bulk, "SAMPLE", 50)
    solve_bulk(found("random:0-100", 3), 100_000)
    assert len(seen) == 3
    assert all(line.actions[0].kind in Kind for line in seen)


def test_no_deals() -> None:
    assert solve_bulk([], 1) == []
    assert pack_decks([]) == b""
