"""The brute force and the plain rules describe the same game."""

from __future__ import annotations

import random

from hypothesis import given, settings

from brute import Game, State, optimum, upward
from solver.game.position import Position
from strategies import brute_game, brute_optimum, brute_state, small_positions


def best(position: Position, known: dict[Position, int]) -> int:
    """Give the optimum by the plain rules, turn by turn."""
    if position not in known:
        actions = position.legal_actions()
        known[position] = (
            max(best(position.after(action), known) for action in actions)
            if actions
            else position.score
        )
    return known[position]


@settings(max_examples=60, deadline=None)
@given(small_positions(most_cards=6, most_turns=6))
def test_the_brute_force_agrees_with_the_plain_rules(position: Position) -> None:
    assert brute_optimum(position) == best(position, {})


def test_one_suit_two_players() -> None:
    game = Game(suits=(upward(3),), max_clues=1)
    hands = (((0, 1), (0, 2)), ((0, 3), (0, 1)))
    assert optimum(game, State(hands, ((0, 2),), (0,), 1, 0, 0, -1)) == 3
    # The 3 cannot wait for the 2, which is drawn last by the other player's last turn but one.
    assert optimum(game, State((((0, 3),), ((0, 1),)), (), (0,), 0, 0, 1, 1)) == 1


def test_a_forced_strike_loses_everything() -> None:
    # Full tokens, no other hand has a card, the own card does not fit: it must be played.
    game = Game(suits=(upward(2), upward(2)), max_clues=1, max_strikes=1)
    state = State((((0, 2),), ()), (), (0, 1), 1, 0, 0, 1)
    assert optimum(game, state) == 0
    assert optimum(game._replace(lost_scores=True), state) == 1
    assert optimum(game._replace(discard_at_full=True), state) == 1


def test_random_play_stays_within_the_optimum() -> None:
    chance = random.Random(1)
    for position in _starts(chance, 20):
        top = optimum(brute_game(position.rules), brute_state(position))
        for _ in range(20):
            moment = position
            while actions := moment.legal_actions():
                moment = moment.after(chance.choice(actions))
            assert moment.score <= top


def _starts(chance: random.Random, count: int) -> list[Position]:
    from solver.game.deal import Deal
    from solver.game.rules import Rules
    from solver.game.suit import Suit

    rules = Rules(2, 2, (Suit("r", (2, 2, 1)), Suit("y", (2, 2, 1))), max_clues=2, start_clues=2)
    positions = []
    for _ in range(count):
        deck = rules.sorted_deck()
        chance.shuffle(deck)
        positions.append(Position.start(Deal(rules, tuple(deck))))
    return positions
