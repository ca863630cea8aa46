"""Relations between optima that hold whatever they are, and the deals whose optimum is known."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

import replayer
from nasty import nasty_position
from solver.engines.search import solve, solve_many
from solver.formats.hanablive import actions_of, deal_of_seed
from solver.game.card import USELESS, Card
from solver.game.deal import Deal
from solver.game.position import Position
from solver.game.result import Result
from solver.game.rules import Rules
from solver.solving.choice import DEFAULT_LIMITS
from strategies import is_played, small_positions

GOLDEN = Path(__file__).parent / "data" / "golden_optima.csv"


def optimum(position: Position) -> int:
    """Give the optimum by the native search."""
    result = solve(position)
    assert result.proven
    return result.score


def corners(count: int, start: int = 0) -> list[Position]:
    return [nasty_position(random.Random(start + seed), 20) for seed in range(count)]


# The same game, written otherwise


def mapped(position: Position, change: Callable[[Card], Card]) -> Position:
    """Put other cards in the places of the cards."""
    return replace(
        position,
        hands=tuple(tuple(map(change, hand)) for hand in position.hands),
        pile=tuple(map(change, position.pile)),
        discards=tuple(sorted(map(change, position.discards))),
    )


def permuted_suits(position: Position, chance: random.Random) -> Position:
    rules = position.rules
    order = list(range(len(rules.suits)))
    chance.shuffle(order)
    new = replace(rules, suits=tuple(rules.suits[s] for s in order))
    faces = {card: Card(order.index(card.suit), card.rank) for card in rules.faces()}
    stacks = tuple(position.stacks[s] for s in order)
    bare = replace(position, hands=((),) * rules.players, pile=(), discards=(), turns_left=0)
    moved = replace(bare, rules=new, stacks=stacks)
    hands = tuple(tuple(faces.get(c, c) for c in hand) for hand in position.hands)
    pile = tuple(faces.get(c, c) for c in position.pile)
    return replace(moved, hands=hands, pile=pile, turns_left=position.turns_left)


def rotated_seats(position: Position, chance: random.Random) -> Position:
    players = position.rules.players
    by = chance.randrange(players)
    hands = tuple(position.hands[(p - by) % players] for p in range(players))
    return replace(position, hands=hands, seat=(position.seat + by) % players)


def shuffled_hands(position: Position, chance: random.Random) -> Position:
    hands = tuple(tuple(chance.sample(hand, len(hand))) for hand in position.hands)
    return replace(position, hands=hands)


def named_useless(position: Position, chance: random.Random) -> Position:
    """Turn cards that are on their stacks already into cards without a face."""

    def change(card: Card) -> Card:
        return USELESS if is_played(position, card) and chance.random() < 0.7 else card

    return mapped(position, change)


@pytest.mark.parametrize("other", [permuted_suits, rotated_seats, shuffled_hands, named_useless])
def test_same_game_written_otherwise(
    other: Callable[[Position, random.Random], Position],
) -> None:
    chance = random.Random(5)
    for position in corners(250):
        assert optimum(position) == optimum(other(position, chance)), position.text()


# A kinder game


def with_rules(position: Position, **changes: object) -> Position:
    return replace(position, rules=replace(position.rules, **changes))  # type: ignore[arg-type]


def test_kinder_rules_never_lower_the_optimum() -> None:
    for position in corners(250, 1000):
        rules = position.rules
        least = optimum(position)
        more = min(rules.max_strikes + 1, 100)
        kinder = [
            with_rules(position, max_strikes=more),
            with_rules(position, lost_scores_stacks=True),
            with_rules(position, discard_at_full=True),
        ]
        for other in kinder:
            assert optimum(other) >= least, (position.text(), other.text())


def test_more_tokens_never_lower_the_optimum_if_discards_are_free() -> None:
    # With discards barred at full tokens that would be wrong: a token too many can force a strike.
    for position in corners(250, 2000):
        free = with_rules(position, discard_at_full=True)
        least = optimum(free)
        assert optimum(with_rules(free, max_clues=free.rules.max_clues + 1)) >= least, free.text()
        if free.clues < free.rules.max_clues:
            assert optimum(replace(free, clues=free.clues + 1)) >= least, free.text()


def test_a_token_too_many_can_force_a_strike() -> None:
    text = "ry:11 r0,y1 r2/- - - {}/1 0/1 0 1 hand=1"
    assert [optimum(Position.from_text(text.format(clues))) for clues in (0, 1)] == [1, 0]


# One action further


def children_agree(position: Position) -> None:
    """Check that the optimum is the best child's."""
    children = [position.after(action) for action in position.legal_actions()]
    best = max(optimum(child) for child in children) if children else position.score
    assert optimum(position) == best, position.text()


@given(small_positions(most_cards=24))
def test_the_optimum_is_the_best_childs(position: Position) -> None:
    children_agree(position)


def test_the_optimum_is_the_best_childs_in_the_corners() -> None:
    for position in corners(200, 3000):
        children_agree(position)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 7))
def test_the_optimum_is_the_best_childs_late_in_full_games(players: int) -> None:
    chance = random.Random(players)
    for number in range(12):
        line = solve(Position.start(deal_of_seed(f"p{players}v0s{number}"))).line
        positions = list(line.positions())
        position = chance.choice(positions[len(positions) // 2 :])
        for _ in range(6):  # away from the best line
            actions = position.legal_actions()
            if actions:
                position = position.after(chance.choice(actions))
        children_agree(position)


# Known deals


def golden(step: int) -> list[tuple[Deal, int | None]]:
    with GOLDEN.open(encoding="utf-8") as file:
        found = list(csv.DictReader(file))[::step]
    deals = []
    for row in found:
        suits = "rygbpt"[: int(row["suits"])]
        one = suits[-1] if row["one_of_each"] == "1" else ""
        rules = Rules.standard(int(row["players"]), suits, one)
        known = int(row["optimum"]) if row["optimum"] else None
        deals.append((Deal.of(rules, row["deck"], row["name"]), known))
    return deals


def check_golden(deals: list[tuple[Deal, int | None]], least: float) -> None:
    """Check the optima, replay the lines, and count how many plain deals are proven."""
    results = solve_many((Position.start(deal) for deal, _ in deals), DEFAULT_LIMITS)
    plain = proven = 0
    for (deal, known), result in zip(deals, results, strict=True):
        if known is not None:
            assert result.score <= known <= result.bound, deal.name
        if len(deal.deck) == 50 and deal.rules == Rules.standard(deal.rules.players):
            plain += 1
            proven += result.proven
            check_replay(deal, result)
    assert proven >= least * plain


def check_replay(deal: Deal, result: Result) -> None:
    rules = deal.rules
    deck = [(card.suit, card.rank) for card in deal.deck]
    replayed = replayer.replay(rules.players, rules.hand_size, deck, actions_of(result.line))
    assert replayed.score == result.score, deal.name


def test_known_optima() -> None:
    check_golden(golden(10), 0.99)


@pytest.mark.slow
def test_all_known_optima() -> None:
    check_golden(golden(1), 0.998)


@pytest.mark.slow
def test_2000_deals_of_two_players() -> None:
    rules = Rules.standard(2)
    deals = []
    for number in range(2000):
        deck = rules.sorted_deck()
        random.seed(f"p2c1s{number}")
        random.shuffle(deck)
        deals.append(Deal(rules, tuple(deck), f"p2c1s{number}"))
    results = list(solve_many((Position.start(deal) for deal in deals), DEFAULT_LIMITS))
    assert [result.winnable for result in results].count(True) == 1968
    assert [result.winnable for result in results].count(None) == 0
    for deal, result in zip(deals, results, strict=True):
        check_replay(deal, result)
