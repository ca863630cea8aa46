"""Policies: what they promise they keep over all draw orders, and the graph says the same."""

from __future__ import annotations

import io
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import networkx
import pytest

from solver.endgames.endgame import analyse
from solver.endgames.policy import LimitReachedError, Policy, dot, graph, graphml, tidied
from solver.game.card import USELESS, Card
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.result import Limits
from test_endgame import positions, target_of

SMALL = "rb:32221 r3,b3 r4r1/b4b1 ?r5b2b5 - 0/8 0/3 0 -"
RISKY = "rb:32221 r2,b3 b4r5/r3b3 ?r4b1b5 - 1/8 0/3 0 -"


def samples(seed: int, count: int, most_pile: int = 4) -> Iterator[tuple[Position, int | None]]:
    found = 0
    for number, position in enumerate(positions(seed, 10 * count, 9)):
        if position.pile_size <= most_pile and found < count:
            found += 1
            chance = random.Random(number)
            yield position, chance.choice((None, target_of(chance, position)))


def played(
    policy: Policy, order: tuple[Card, ...], draws: list[Card] | None = None
) -> Position:  # fmt: skip
    """Follow a policy through one draw order, checking every action by the rules."""
    at = policy.start
    coming = list(order)
    while moves := policy.at(at).moves:
        move = moves[0]
        drawn = None
        if move.outcomes[0].drawn is not None:
            card = coming.pop(0)
            drawn = card if card in at.pile else USELESS  # it became that on the way
            if draws is not None:
                draws.append(drawn)
        (following,) = [o.position for o in move.outcomes if o.drawn == drawn]
        assert following == tidied(at.after(move.action, drawn))
        at = following
    return at


@pytest.mark.parametrize("seed", range(3))
def test_policy_reaches_its_value_over_all_draw_orders(seed: int) -> None:
    for position, target in samples(seed, 60):
        objective = "score" if target is None else "win"
        loose = position.unordered()
        policy = Policy(loose, "open", objective, target)
        assert policy.value == analyse(loose, "open", objective, target).low
        total = Fraction(0)
        for order in permutations(policy.start.pile):
            last = played(policy, order)
            total += policy.at(last).value
            if last.end is not None:
                worth = last.score if target is None else last.score >= target
                assert policy.at(last).value == worth, position.text()
        assert total / math.factorial(position.pile_size) == policy.value, position.text()


def test_losing_orders_are_those_that_lose() -> None:
    some = 0
    for position, _ in samples(5, 250):
        policy = Policy(position.unordered())
        lost: Counter[tuple[Card, ...]] = Counter()
        for order in permutations(policy.start.pile):
            draws: list[Card] = []
            last = played(policy, order, draws)
            if policy.at(last).value == 0:
                lost[tuple(draws)] += 1
        found = Counter[tuple[Card, ...]]()
        for drawn_cards, count in policy.losing_orders():
            found[drawn_cards] += count
        assert sum(found.values()) == math.factorial(position.pile_size) * (1 - policy.value)
        assert found == lost, position.text()
        some += 0 < policy.value < 1
    assert some > 5


def test_known_policy_reaches_the_best_score() -> None:
    for position, target in samples(6, 40):
        policy = Policy(position, "known", "score" if target is None else "win", target)
        last = played(policy, policy.start.pile)
        verdict = analyse(position, "known", policy.objective, target)
        assert policy.value == policy.at(last).value == verdict.low
        if target is not None:
            assert sum(count for _, count in policy.losing_orders()) == 1 - policy.value


def test_graph_values_follow_from_its_edges() -> None:
    for position, target in samples(7, 40, 3):
        for model in ("open", "known"):
            asked = position.unordered() if model == "open" else position
            objective = "score" if target is None else "win"
            policy = Policy(asked, model, objective, target, every=True)
            try:
                policy.explore(3_000)
            except LimitReachedError:
                continue
            made = graph(policy)
            assert networkx.is_directed_acyclic_graph(made)
            assert Fraction(made.nodes[policy.start.text()]["value"]) == policy.value
            for name, data in made.nodes(data=True):
                edges = list(made.out_edges(name, data=True))
                values = [Fraction(made.nodes[to]["value"]) for _, to, _ in edges]
                value = Fraction(data["value"])
                if data["kind"] == "draw":
                    counts = [edge["count"] for _, _, edge in edges]
                    assert sum(counts) == (1 if model == "known" else data["left"])
                    mean = sum(v * n for v, n in zip(values, counts, strict=True)) / sum(counts)
                    assert mean == value
                elif data["kind"] == "decision":
                    assert set(values) == {value}
                else:
                    assert not edges


def test_every_best_action_is_in_the_graph() -> None:
    position = Position.from_text(RISKY)
    policy = Policy(position, every=True)
    names = {move.action for move in policy.at(policy.start).moves}
    best = {choice.actions[0] for choice in analyse(policy.start).best}
    assert names == best


def test_graphml_and_dot() -> None:
    policy = Policy(Position.from_text(SMALL), every=True)
    policy.explore()
    made = graph(policy)
    back = networkx.read_graphml(io.BytesIO("\n".join(graphml(made)).encode()))
    assert list(back.nodes(data=True)) == list(made.nodes(data=True))
    assert sorted(back.edges) == sorted(made.edges)
    lines = list(dot(made))
    assert lines[0] == "digraph endgame {"
    assert lines[-1] == "}"
    assert sum("->" in line for line in lines) == made.number_of_edges()


def test_tidied_forgets_what_does_not_matter() -> None:
    position = Position.from_text("r:32221,b:11111 r3,b3 r4r1/b4r2 ?r5r3b5 r1 0/8 0/3 0 -")
    tidy = tidied(position)
    assert USELESS in tidy.pile
    assert tidy.discards == ()
    assert analyse(tidy).low == analyse(position).low
    assert tidied(tidy) == tidy


def test_limits() -> None:
    position = Position.from_text(RISKY)
    with pytest.raises(LimitReachedError, match="a limit left the value"):
        Policy(position, limits=Limits(nodes=1))
    policy = Policy(position)
    with pytest.raises(LimitReachedError, match="more than 2 decisions"):
        policy.explore(2)


def test_refuses_other_models() -> None:
    with pytest.raises(InputError, match="not for hidden"):
        Policy(Position.from_text(SMALL), "hidden")
    score = Policy(replace(Position.from_text(SMALL)), objective="score")
    with pytest.raises(InputError, match="for the win"):
        list(score.losing_orders())
