"""Endgames in which clues can be illegal: every action's chance is the brute force's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest

import brute_endgame as plain
from bare import bare_position, with_other_ending
from solver.endgames.endgame import Verdict, analyse, useless_faces
from solver.endgames.policy import Policy
from solver.engines.search import solve
from solver.game import clues
from solver.game.card import UNKNOWN
from solver.game.errors import UnsupportedRulesError
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.puzzles.canonical import canonical
from solver.puzzles.judge import examine
from strategies import brute_game, brute_state

MOST_STATES = 1_500


def positions(seeds: range, count: int) -> Iterator[Position]:
    """Give small positions that are not over, in which a clue may fail."""
    made = 0
    for seed in seeds:
        chance = random.Random(f"bare endgame {seed}")
        position = bare_position(chance, chance.randint(4, 9))
        rules = position.rules
        if rules.stack_gain > rules.discard_gain and not rules.discard_at_full:
            position = replace(position, rules=replace(rules, stack_gain=rules.discard_gain))
        if chance.random() < 0.2:
            position = with_other_ending(chance, position)
        if position.end is None and not clues.is_free(position):
            yield position
            made += 1
            if made == count:
                return
    raise AssertionError(f"only {made} such positions")


def values(verdict: Verdict) -> dict[Action, Fraction]:
    assert verdict.exact
    return {action: choice.low for choice in verdict.choices for action in choice.actions}


def brute(position: Position, target: int | None) -> dict[Action, Fraction] | None:
    chances = plain.Chances(brute_game(position.rules), target, MOST_STATES)
    try:
        found = chances.values(brute_state(position))
    except plain.TooBig:
        return None
    return {Action(Kind(move.kind), move.slot): value for move, value in found.items()}


@pytest.mark.parametrize("count", [150, pytest.param(1000, marks=pytest.mark.slow)])
def test_open_hands(count: int) -> None:
    differ = done = 0
    for number, position in enumerate(positions(range(20 * count), count)):
        position = position.unordered()
        target = None if number % 2 else position.rules.max_score
        wanted = brute(position, target)
        if wanted is None:
            continue
        done += 1
        objective = "score" if target is None else "win"
        try:
            verdict = analyse(position, "open", objective)
        except UnsupportedRulesError:
            continue
        assert values(verdict) == wanted, position
        easier = analyse(clues.free(position), "open", objective)
        differ += easier.high != verdict.high
    assert done > count / 2
    assert differ > done / 15


def test_an_order_that_is_known_is_not_looked_at() -> None:
    done = 0
    for position in positions(range(600), 30):
        with suppress(UnsupportedRulesError):
            loose = values(analyse(position.unordered(), "open", "score"))
            assert values(analyse(position, "open", "score")) == loose, position
            done += 1
    assert done > 15


@pytest.mark.parametrize("count", [25, pytest.param(150, marks=pytest.mark.slow)])
def test_hidden_hands(count: int) -> None:
    done = 0
    for position in positions(range(40 * count), 3 * count):
        hand = position.hands[position.seat]
        pool = sorted((*position.pile, *hand))
        if len(hand) > 2 or len(pool) > 6 or not position.pile or done == count:
            continue
        hands = list(position.hands)
        hands[position.seat] = (UNKNOWN,) * len(hand)
        hidden = replace(position, hands=tuple(hands), pile=tuple(pool), ordered=False)
        state = brute_state(position)._replace(pile=tuple((c.suit, c.rank) for c in pool))
        places = [(position.seat, i) for i in range(len(hand))]
        chances = plain.Chances(brute_game(position.rules), position.rules.max_score, MOST_STATES)
        try:
            found = chances.hidden(state, places, state.pile, lambda *_: True)
            verdict = analyse(hidden, "hidden")
        except (plain.TooBig, UnsupportedRulesError):
            continue
        assert found is not None
        wanted = {Action(Kind(move.kind), move.slot): v for move, v in found[0].items()}
        assert values(verdict) == wanted, position
        assert verdict.ceiling == found[1]
        done += 1
    assert done > count / 2


def test_a_clue_that_the_unknown_cards_allow_or_not() -> None:
    text = "r:11,y:11 r0,y0 y1/xx ?r1r2 y2 1/1 0/3 0 - untouchable={}"
    for untouchable in ("r1", "r1r2"):
        with pytest.raises(UnsupportedRulesError, match="depends on an unknown card"):
            analyse(Position.from_text(text.format(untouchable)), "hidden")
    assert analyse(Position.from_text(text.format("y1")), "hidden").exact


def test_known_order_is_the_optimum() -> None:
    for position in positions(range(600), 40):
        if position.rules.ending.value == "speedrun":
            continue
        try:
            found = values(analyse(position, "known", "score"))
        except UnsupportedRulesError:
            continue
        assert max(found.values()) == solve(position).score


def test_limits_leave_intervals() -> None:
    open_ = 0
    for position in map(Position.unordered, positions(range(600), 60)):
        try:
            exact = values(analyse(position))
            limited = analyse(position, limits=Limits(nodes=2))
        except UnsupportedRulesError:
            continue
        open_ += not limited.exact
        for choice in limited.choices:
            for action in choice.actions:
                assert choice.low <= exact[action] <= choice.high
    assert open_ > 10


def test_policies_tell_cards_apart_that_clues_do() -> None:
    done = 0
    for position in map(Position.unordered, positions(range(600), 60)):
        if position.rules.deck_play or not position.pile:
            continue
        policy = Policy(position)
        policy.explore()
        done += 1
        assert policy.at(policy.start).value == analyse(position).high
        touched = [[clues.touch(p.rules, card) for hand in p.hands for card in sorted(hand)]
                   for p in (position, policy.start)]  # fmt: skip
        assert Counter(touched[0]) == Counter(touched[1])
    assert done > 20


def test_puzzles_refuse() -> None:
    position = next(positions(range(100), 1))
    with pytest.raises(UnsupportedRulesError, match="puzzles are not covered"):
        examine(position, "known")


def test_canonical_forms_leave_out_what_clues_touch() -> None:
    for position in positions(range(200), 20):
        free = clues.free(position)
        assert canonical(position, useless_faces(position)) == canonical(free, useless_faces(free))
