"""Small positions of games whose suits can be built in several ways: both ways, or from anywhere.

One seed, one position, whatever the version of hypothesis.
"""

from __future__ import annotations

import random
from dataclasses import replace

from solver.game.card import USELESS, Card
from solver.game.deal import Deal
from solver.game.position import Kind, Position
from solver.game.rules import Ending, Rules
from solver.game.suit import Suit

BOTH_WAYS = ((1, 1, 1), (1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 2, 1), (2, 1, 2), (2, 2, 1),
             (2, 2, 2, 1), (1, 1, 1, 1, 1), (1, 2, 1, 2))  # fmt: skip
CYCLIC = ((1, 1), (2, 2), (2, 1), (1, 1, 1), (2, 2, 2), (2, 1, 1), (1, 1, 1, 1), (3, 1))
PLAIN = ((2, 1), (1, 1, 1), (2, 2, 1), (1, 1))
ODD = (
    # Rank 2 first, then the others in any order; or 1, 3 and then 2.
    Suit("r", (1, 1, 1), ((2, 1, -1), (3, -1, 4), (-1, -1, 5), (-1, -1, 6), (6, -1, -1),
                          (-1, 6, -1), (-1, -1, -1))),
    # Any rank but the one below it on the stack, twice in all.
    Suit("r", (2, 2), ((1, 2), (-1, 3), (3, -1), (-1, -1))),
)  # fmt: skip


def forked_suits(chance: random.Random, most_cards: int) -> tuple[tuple[Suit, ...], bool]:
    """Make one to three suits, and say whether they must start differently."""
    differ = chance.random() < 0.45
    suits: list[Suit] = []
    left = most_cards
    for letter in "ryg"[: chance.choice((1, 2, 2, 3))]:
        kind = (
            "cyclic"
            if differ
            else chance.choice(("both", "both", "both", "cyclic", "plain", "down", "odd"))
        )
        shape = chance.choice({"both": BOTH_WAYS, "cyclic": CYCLIC}.get(kind, PLAIN))
        if sum(shape) > left:
            continue
        if kind == "both":
            suit = Suit.up_or_down(letter, shape)
        elif kind == "cyclic":
            suit = Suit.cyclic(letter, shape)
        elif kind == "odd":
            suit = replace(chance.choice(ODD), letter=letter)
            if suit.cards > left:
                continue
        else:
            order = range(1, len(shape) + 1)
            suit = Suit.ordered(letter, shape, order if kind == "plain" else order[::-1])
        suits.append(suit)
        left -= suit.cards
    suits = [suit for suit in suits if not differ or suit.ranks >= len(suits)]
    if sum(suit.cards for suit in suits) < 3:
        return forked_suits(chance, most_cards)
    return tuple(suits), differ


def forked_rules(chance: random.Random, most_cards: int = 11) -> Rules:
    """Make rules of such a game; flags and numbers lean to the corners."""
    suits, differ = forked_suits(chance, most_cards)
    cards = sum(suit.cards for suit in suits)
    players = min(chance.choice((2, 2, 2, 3, 3, 4)), cards)
    price = chance.choice((1, 1, 1, 1, 2))
    most = chance.choice((price, price, price + 1, 2 * price, 3 * price))
    ending = Ending.FINAL_ROUND
    if chance.random() < 0.2:
        ending = chance.choice((Ending.SPEEDRUN, Ending.ENDLESS, Ending.ALL_OR_NOTHING))
    loses = ending in (Ending.SPEEDRUN, Ending.ALL_OR_NOTHING)
    return Rules(
        players=players,
        hand_size=min(chance.choice((1, 2, 2, 2, 3)), cards // players),
        suits=suits,
        first_player=chance.randrange(players),
        max_clues=most,
        start_clues=chance.choice((0, most, most, most)),
        clue_price=price,
        discard_gain=chance.choice((1, 1, 1, 0, 2)),
        stack_gain=chance.choice((1, 1, 0, 2)),
        max_strikes=chance.choice((1, 2, 3, 3)),
        discard_at_full=chance.random() < 0.15,
        lost_scores_stacks=not loses and chance.random() < 0.25,
        ending=ending,
        deck_play=ending is Ending.FINAL_ROUND and chance.random() < 0.15,
        different_starts=differ,
    )


def forked_deal(chance: random.Random, most_cards: int = 11) -> Deal:
    """Make a deal of such a game."""
    rules = forked_rules(chance, most_cards)
    cards = rules.sorted_deck()
    chance.shuffle(cards)
    return Deal(rules, tuple(cards))


def tight_position(chance: random.Random) -> Position:
    """Make a deal with one token and hands so small that a misplay may be the only way on."""
    shapes = [(1, 1, 1), (2, 1, 1), (1, 2, 1), (2, 1, 2), (2, 2, 1), (1, 1, 1, 1), (2, 1, 1, 1),
              (1, 2, 2, 1)]  # fmt: skip
    suits = tuple(
        Suit.up_or_down(letter, chance.choice(shapes))
        if chance.random() < 0.7
        else Suit(letter, chance.choice(((1, 1), (2, 1), (1, 2))))
        for letter in "ry"
    )
    rules = Rules(2, chance.choice((1, 1, 2)), suits, max_clues=1, start_clues=1,
                  discard_gain=chance.choice((0, 1)), stack_gain=chance.choice((0, 1)),
                  max_strikes=chance.choice((2, 3)))  # fmt: skip
    deck = rules.sorted_deck()
    chance.shuffle(deck)
    return Position.start(Deal(rules, tuple(deck)))


def forked_position(chance: random.Random, most_cards: int = 11) -> Position:
    """Make the start of a deal, or a position of a game, some with cards known as useless."""
    position = Position.start(forked_deal(chance, most_cards))
    for _ in range(chance.choice((0, 0, chance.randint(1, 8)))):
        actions = position.legal_actions()
        if not actions:
            break
        hand = position.hands[position.seat]
        good = [a for a in actions if a.kind is not Kind.PLAY or position.is_playable(hand[a.slot])]
        position = position.after(
            chance.choice(good if chance.random() < 0.8 and good else actions)
        )
    if chance.random() < 0.2:
        everything = position.later(position.rules.faces())

        def dull(card: Card) -> Card:
            return USELESS if card not in everything and chance.random() < 0.7 else card

        hands = tuple(tuple(map(dull, hand)) for hand in position.hands)
        position = replace(position, hands=hands)
    return position
