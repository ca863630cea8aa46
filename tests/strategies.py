"""Hypothesis strategies: small rules, deals and positions; and the way into the brute force."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

from brute import Game, State, optimum
from solver.game.card import USELESS, Card
from solver.game.deal import Deal
from solver.game.position import Kind, Position
from solver.game.rules import Ending, Rules
from solver.game.suit import Suit

LETTERS = "rygbpt"


def brute_optimum(position: Position) -> int:
    """Give the optimum of a position with all cards known, by the brute force."""
    return optimum(brute_game(position.rules), brute_state(position))


def brute_game(rules: Rules) -> Game:
    """Say the rules in the brute force's words."""
    return Game(
        suits=tuple(suit.build for suit in rules.suits),
        max_clues=rules.max_clues,
        clue_price=rules.clue_price,
        discard_gain=rules.discard_gain,
        stack_gain=rules.stack_gain,
        max_strikes=rules.max_strikes,
        discard_at_full=rules.discard_at_full,
        empty_clues=rules.empty_clues,
        untouchable=frozenset((card.suit, card.rank) for card in rules.untouchable),
        alternating=rules.alternating_clues,
        colour_only=frozenset((card.suit, card.rank) for card in rules.colour_only),
        rank_only=frozenset((card.suit, card.rank) for card in rules.rank_only),
        lost_scores=rules.lost_scores_stacks,
        deck_play=rules.deck_play,
        different_starts=rules.different_starts,
        final_round=rules.ending in (Ending.FINAL_ROUND, Ending.SPEEDRUN),
        fails=rules.ending is not Ending.FINAL_ROUND and not rules.lost_scores_stacks,
        all_or_nothing=rules.ending in (Ending.ENDLESS, Ending.ALL_OR_NOTHING)
        and not rules.lost_scores_stacks,
    )


def brute_state(position: Position) -> State:
    """Say a position in the brute force's words."""
    return State(
        hands=tuple(tuple((c.suit, c.rank) for c in hand) for hand in position.hands),
        pile=tuple((c.suit, c.rank) for c in position.pile),
        stacks=position.stacks,
        clues=position.clues,
        strikes=position.strikes,
        seat=position.seat,
        turns=-1 if position.turns_left is None else position.turns_left,
        last=position.last_clue,
    )


@st.composite
def built_suits(draw: st.DrawFn, letter: str, shape: tuple[int, ...]) -> Suit:
    """Draw how a suit is built: mostly upwards, else downwards or in some other order."""
    up = tuple(range(1, len(shape) + 1))
    order = draw(st.sampled_from([up, up, up, up[::-1], (*up[1::2], *up[::2])]))
    return Suit.ordered(letter, shape[::-1] if order == up[::-1] else shape, order)


@st.composite
def small_rules(draw: st.DrawFn, most_cards: int = 12, plain: bool = False) -> Rules:
    """Draw rules of a game with few cards: 2 to 6 players, 1 to 3 suits of 2 to 5 ranks.

    Parameters
    ----------
    most_cards
        The largest deck.
    plain
        Only the printed rules' flags and prices, as a part that does not cover others needs it.
    """
    players = draw(st.integers(2, 6) if draw(st.integers(0, 4)) == 0 else st.integers(2, 4))
    suits: list[Suit] = []
    left = most_cards
    for letter in LETTERS[: draw(st.integers(1, 3))]:
        shape = draw(
            st.sampled_from(
                [(2, 1), (2, 2, 1), (1, 1, 1), (3, 2, 1), (2, 1, 1), (1, 1, 1, 1), (2, 2, 1, 1),
                 (1, 1), (1, 2, 1), (2, 1, 1, 1, 1)]
            )
        )  # fmt: skip
        if sum(shape) <= left:
            suits.append(draw(built_suits(letter, shape)))
            left -= sum(shape)
    if not suits:
        suits.append(Suit("r", (2, 2, 1)))
    cards = sum(suit.cards for suit in suits)
    if cards < players:
        players = 2
    hand_size = draw(st.integers(1, min(5, cards // players)))
    price = 1 if plain else draw(st.sampled_from([1, 1, 1, 2]))
    max_clues = draw(st.integers(price, 4 if plain or price == 1 else 6))
    gain = st.just(1) if plain else st.sampled_from([1, 1, 1, 0, 2])
    return Rules(
        players=players,
        hand_size=hand_size,
        suits=tuple(suits),
        first_player=draw(st.integers(0, players - 1)),
        max_clues=max_clues,
        start_clues=draw(st.sampled_from([max_clues, 0, max_clues // 2])),
        clue_price=price,
        discard_gain=draw(gain),
        stack_gain=draw(gain),
        max_strikes=draw(st.integers(1, 3)),
        discard_at_full=not plain and draw(st.integers(0, 5)) == 0,
        empty_clues=draw(st.booleans()),
        lost_scores_stacks=draw(st.booleans()),
    )


@st.composite
def small_deals(draw: st.DrawFn, most_cards: int = 12, plain: bool = False) -> Deal:
    """Draw a deal that is small enough for the brute force."""
    rules = draw(small_rules(most_cards, plain))
    cards = rules.sorted_deck()
    random.Random(draw(st.integers(0, 2**32))).shuffle(cards)
    return Deal(rules, tuple(cards))


@st.composite
def small_positions(
    draw: st.DrawFn, most_cards: int = 12, plain: bool = False, most_turns: int = 10
) -> Position:
    """Draw a position: the start of a small deal, or what random legal play made of it.

    Some are over. Now and then dead cards in hands are known only as useless.
    """
    position = Position.start(draw(small_deals(most_cards, plain)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, most_turns))):
        actions = position.legal_actions()
        if not actions:
            break
        good = [
            action
            for action in actions
            if action.kind is not Kind.PLAY
            or position.is_playable(position.hands[position.seat][action.slot])
        ]
        position = position.after(
            chance.choice(good if good and chance.random() < 0.9 else actions)
        )
    if chance.random() < 0.2:
        hands = tuple(
            tuple(USELESS if is_played(position, c) and chance.random() < 0.7 else c for c in hand)
            for hand in position.hands
        )
        position = replace(position, hands=hands)
    return position


def is_played(position: Position, card: Card) -> bool:
    """Whether the stack of a card, built in one order, has one of its face already."""
    return 0 < position.rules.step(card) <= position.stacks[card.suit]


def card(text: str, letters: str = LETTERS) -> Card:
    """Read one card such as ``r1``."""
    return Card(letters.index(text[0]), int(text[1:]))
