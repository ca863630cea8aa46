"""Positions made to be nasty: tiny hands, one token, one life, full tokens, late ones, short hands.

Made card by card, so also positions that no game comes to; every one is valid and small enough for
the brute force. One seed, one position, whatever the version of hypothesis.
"""

from __future__ import annotations

import random
from dataclasses import replace

from brute import Brute, State
from solver.game.card import USELESS, Card
from solver.game.deal import Deal
from solver.game.position import Kind, Position
from solver.game.rules import Rules
from solver.game.suit import Suit
from strategies import brute_game, brute_state

SHAPES = ((2, 1), (1, 1), (2, 2, 1), (1, 1, 1), (3, 2, 1), (1, 2), (1, 1, 1, 1), (2, 2, 1, 1),
          (1, 2, 1), (1,), (2, 1, 1, 1, 1))  # fmt: skip
MOST_STATES = 6_000


class TooBig(Exception):
    """More states than the brute force is given here."""


class Bounded(Brute):
    """The brute force, which gives up where there are too many states."""

    def optimum(self, state: State) -> int:
        """Give the highest score over all complete games from here."""
        if len(self.known) > MOST_STATES:
            raise TooBig
        return super().optimum(state)


def bounded_optimum(position: Position) -> int | None:
    """Give the optimum by the brute force, None where that would take long."""
    brute = Bounded(brute_game(position.rules))
    state = brute_state(position)
    hands = tuple(brute.tidy(hand, state.stacks) for hand in state.hands)
    try:
        return brute.optimum(state._replace(hands=hands))
    except TooBig:
        return None


def nasty_rules(chance: random.Random, most_cards: int = 11) -> Rules:
    """Make rules that lean to the corners."""
    players = chance.choice((2, 2, 2, 3, 3, 4, 5, 6))
    suits: list[Suit] = []
    left = most_cards
    for letter in "rygb"[: chance.choice((1, 2, 2, 3, 4))]:
        shape = chance.choice(SHAPES)
        if sum(shape) <= left:
            order = list(range(1, len(shape) + 1))
            if chance.random() < 0.2:
                chance.shuffle(order)
            suits.append(Suit.ordered(letter, shape, order))
            left -= sum(shape)
    cards = sum(suit.cards for suit in suits)
    while players * 1 > cards:
        players -= 1
        if players < 2:
            return nasty_rules(chance, most_cards)
    price = chance.choice((1, 1, 1, 1, 2, 3))
    most = chance.choice((price, price, price + 1, 2 * price, 2 * price + 1, 3 * price))
    return Rules(
        players=players,
        hand_size=min(chance.choice((1, 1, 1, 2, 2, 3)), cards // players),
        suits=tuple(suits),
        first_player=chance.randrange(players),
        max_clues=most,
        start_clues=chance.choice((0, most, most, chance.randint(0, most))),
        clue_price=price,
        discard_gain=chance.choice((1, 1, 1, 0, 2)),
        stack_gain=chance.choice((1, 1, 0, 2)),
        max_strikes=chance.choice((1, 1, 2, 2, 3)),
        discard_at_full=chance.random() < 0.2,
        empty_clues=chance.random() < 0.3,
        lost_scores_stacks=chance.random() < 0.3,
    )


def nasty_deal(chance: random.Random, most_cards: int = 11) -> Deal:
    """Make a deal; now and then low cards come late."""
    rules = nasty_rules(chance, most_cards)
    cards = rules.sorted_deck()
    chance.shuffle(cards)
    if chance.random() < 0.3:
        late = chance.uniform(0.0, 3.0)
        cards.sort(key=lambda card: chance.random() * 3 - late * card.rank)
    return Deal(rules, tuple(cards))


def nasty_position(chance: random.Random, most_cards: int = 11) -> Position:
    """Make the start of a deal, a position of a game, or one that was put together by hand."""
    kind = chance.random()
    deal = nasty_deal(chance, most_cards)
    position = Position.start(deal)
    if kind < 0.3:
        return position
    if kind < 0.6:
        return _played(chance, position)
    return _made(chance, deal)


def with_deck_play(position: Position) -> Position:
    """Let the last card of the draw pile be played from it."""
    return replace(position, rules=replace(position.rules, deck_play=True))


def _played(chance: random.Random, position: Position) -> Position:
    for _ in range(chance.randint(1, 10)):
        actions = position.legal_actions()
        if not actions:
            break
        hand = position.hands[position.seat]
        good = [a for a in actions if a.kind is not Kind.PLAY or position.is_playable(hand[a.slot])]
        position = position.after(chance.choice(good or actions))
    return position


def _made(chance: random.Random, deal: Deal) -> Position:
    rules = deal.rules
    stacks = tuple(chance.choice((0, chance.randint(0, suit.ranks))) for suit in rules.suits)
    cards = [
        card
        for card in deal.deck
        if rules.step(card) > stacks[card.suit] or chance.random() < 0.3
    ]  # fmt: skip
    for card in sorted(set(cards)):
        if rules.step(card) <= stacks[card.suit] and cards.count(card) == rules.copies(card):
            cards.remove(card)  # one copy lies on the stack
    size, players = rules.hand_size, rules.players
    pile: tuple[Card, ...] = ()
    spare = len(cards) - size * players
    if spare > 0 and chance.random() < 0.7:
        hands = tuple(tuple(cards[p * size : (p + 1) * size]) for p in range(players))
        pile = tuple(cards[size * players :][: chance.randint(1, spare)])
    else:
        made = []
        for _ in range(players):
            n = chance.choice((0, 1, size, chance.randint(0, size)))
            made.append(tuple(cards[:n]))
            cards = cards[n:]
        hands = tuple(made)
    if chance.random() < 0.2:
        hands = tuple(tuple(USELESS if chance.random() < 0.3 else c for c in h) for h in hands)
        pile = tuple(USELESS if chance.random() < 0.3 else c for c in pile)
    return Position(
        rules=rules,
        stacks=stacks,
        hands=hands,
        pile=pile,
        discards=(),
        clues=chance.choice((0, rules.max_clues, chance.randint(0, rules.max_clues))),
        strikes=chance.choice((0, 0, rules.max_strikes - 1, chance.randint(0, rules.max_strikes))),
        seat=chance.randrange(players),
        turns_left=None if pile else chance.choice((players, players, chance.randint(0, players))),
    )


def middling_position(chance: random.Random) -> Position:
    """Make the start of a deal too big for the brute force, short of tokens and of time.

    The search comes to many states on different ways here, so that what it remembers matters.
    """
    players = chance.choice((2, 2, 3, 3, 4))
    ranks = chance.choice((3, 4, 5))
    shape = chance.choice(((2,) * (ranks - 1) + (1,), (3, *(2,) * (ranks - 2), 1), (2,) * ranks))
    suits = tuple(Suit(letter, shape) for letter in "rygb"[: chance.choice((2, 3, 3, 4))])
    cards = len(suits) * sum(shape)
    price = chance.choice((1, 1, 2))
    most = price * chance.choice((1, 2, 2, 3, 4))
    rules = Rules(
        players=players,
        hand_size=min(chance.choice((1, 2, 2, 3, 3, 4)), cards // players - 1),
        suits=suits,
        max_clues=most,
        start_clues=chance.choice((0, most, most)),
        clue_price=price,
        discard_gain=chance.choice((1, 1, 1, 2, 0)),
        stack_gain=chance.choice((1, 1, 0)),
        max_strikes=chance.choice((1, 1, 2, 3)),
        lost_scores_stacks=chance.random() < 0.2,
    )
    late = chance.choice((0.0, 0.0, 0.2, 0.5))
    deck = sorted(rules.sorted_deck(), key=lambda card: chance.random() * 3 - late * card.rank)
    return Position.start(Deal(rules, tuple(deck)))
