"""The cascade: the engines take turns, and what one has proven the other builds upon."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import partialmethod
from itertools import islice

import pytest

from solver import Limits, Position
from solver.engines import sat, search
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.game.suit import Suit
from solver.models.events import EventModel
from solver.solving import cascade

SMALL = Rules(3, 2, (Suit("r", (2, 2, 1)), Suit("y", (1, 1, 1)), Suit("g", (2, 1, 1))))


def _deals(count: int, rules: Rules = SMALL) -> list[Position]:
    positions = []
    for number in range(count):
        deck = rules.sorted_deck()
        random.Random(number).shuffle(deck)
        positions.append(Position.start(Deal(rules, tuple(deck))))
    return positions


def test_turns_of_a_node_or_two_reach_the_same_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cascade, "SEARCH_NODES", 1)
    monkeypatch.setattr(cascade, "FIRST_CONFLICTS", 1)
    monkeypatch.setattr(cascade, "FACTOR", 2)
    monkeypatch.setattr(cascade, "SEARCH_FACTOR", 2)
    turns = {"sat": 0, "search": 0}
    ask_sat, ask_search = sat.Session.run, search.solve
    positions = _deals(40)
    expected = [search.solve(position).score for position in positions]

    def counted_sat(session: sat.Session, limits: Limits) -> object:
        turns["sat"] += 1
        return ask_sat(session, limits)

    def counted_search(position: Position, limits: Limits, bound: int | None = None) -> object:
        turns["search"] += bound is not None  # the first search is no turn
        return ask_search(position, limits, bound=bound)

    monkeypatch.setattr(sat.Session, "run", counted_sat)
    monkeypatch.setattr(search, "solve", counted_search)
    results = [cascade.solve(position) for position in positions]
    assert [(result.score, result.bound) for result in results] == [(s, s) for s in expected]
    assert min(turns.values()) > 10


def test_a_limit_of_nodes_is_shared_by_the_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cascade, "SEARCH_NODES", 2)
    monkeypatch.setattr(cascade, "FIRST_CONFLICTS", 2)
    for position in _deals(20):
        optimum = search.solve(position).score
        for nodes in (1, 3, 10, 40):
            result = cascade.solve(position, Limits(nodes=nodes))
            assert result.score <= optimum <= result.bound
            assert result.proven or result.stopped == "nodes"


def test_what_is_proven_was_not_stopped() -> None:
    text = "r:2211 r0 r4r2/r1r3 r2r1 - 2/2 0/1 1 - first=1 ending=speedrun untouchable=r1r2r3"
    position = Position.from_text(text)
    for nodes in range(1, 6):
        for solve in (cascade.solve, search.solve, sat.solve):
            result = solve(position, Limits(nodes=nodes))
            assert not (result.proven and result.stopped)


def test_a_session_that_was_interrupted_forgets_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose = sat._Question.all_caps
    interrupted = 0

    def some_caps(question: sat._Question, most: int) -> Iterator[tuple[int, ...]]:
        nonlocal interrupted
        yield from islice(choose(question), most)
        interrupted += 1
        raise KeyboardInterrupt

    rules = Rules(2, 2, tuple(Suit(letter, (1, 1, 1, 1)) for letter in "ryg"), 0, 2, 2)
    for position in _deals(30, rules):
        optimum = search.solve(position).score
        for most in (1, 2, 3):
            with sat.Session(position) as session:
                caps = partialmethod(some_caps, most=most)
                monkeypatch.setattr(sat._Question, "all_caps", caps)
                with suppress(KeyboardInterrupt):
                    session.run(Limits())
                monkeypatch.setattr(sat._Question, "all_caps", choose)
                result = session.run(Limits())
                assert (result.score, result.bound) == (optimum, optimum)
    assert interrupted > 5


def test_a_known_bound_leaves_the_optimum_as_it_is() -> None:
    for position in _deals(60):
        optimum = search.solve(position).score
        for more in (0, 1, 5):
            result = search.solve(position, bound=optimum + more)
            assert (result.score, result.bound) == (optimum, optimum)
        if optimum > 1:
            wrong = search.solve(position, bound=optimum - 1)
            assert wrong.bound == optimum - 1  # it is believed, so it must be true


def test_a_session_of_sat_goes_on_where_its_last_turn_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[int | None] = []
    build = EventModel.__init__

    def counted(model: EventModel, position: Position, caps: list[int], only: int | None) -> None:
        built.append(only)
        build(model, position, caps, only)

    monkeypatch.setattr(EventModel, "__init__", counted)
    limit = Limits(nodes=1)
    most = 0
    for position in _deals(40):
        optimum = search.solve(position).score
        built.clear()
        with sat.Session(position) as session:
            turns = 1
            while not (result := session.run(limit)).proven:
                assert result.stopped == "nodes"
                assert result.score <= optimum <= result.bound
                turns += 1
                assert turns < 1000
            assert (result.score, result.bound) == (optimum, optimum)
            assert session.run(limit).nodes == 0  # nothing is left to ask
        assert len(built) == len(set(built))  # no model was built twice
        most = max(most, turns)
    assert most > 4


def test_one_position_leaves_no_generator_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    # One that ends in the garbage collector would swallow a Ctrl-C that comes up in there.
    monkeypatch.setattr(search, "solve_many", None)
    for position in _deals(5):
        assert cascade.solve(position).proven
