"""Positions in which clues can be illegal: many cards that no clue touches, and small hands.

One seed, one position, whatever the version of hypothesis.
"""

from __future__ import annotations

import random
from dataclasses import replace

from nasty import nasty_position
from solver.game.card import Card
from solver.game.position import Position
from solver.game.rules import COLOUR, RANK, Ending, Rules


def bare_rules(chance: random.Random, rules: Rules) -> Rules:
    """Make cards of a game untouchable, or its clues alternate."""
    faces = rules.faces()
    share = chance.choice((0.3, 0.6, 0.8, 1.0))
    suits = {suit for suit in range(len(rules.suits)) if chance.random() < share}
    ranks = {rank for rank in range(1, 11) if chance.random() < share}
    by_suit = chance.random() < 0.6

    def is_bare(card: Card) -> bool:
        return card.suit in suits if by_suit else card.rank in ranks

    bare = [card for card in faces if is_bare(card)]
    if chance.random() < 0.5:
        return replace(rules, empty_clues=False, untouchable=frozenset(bare))
    groups: list[list[Card]] = [[], [], [], []]
    for card in bare:
        groups[chance.choice((0, 0, 1, 2, 3))].append(card)
    return replace(
        rules,
        empty_clues=False,
        untouchable=frozenset(groups[0]),
        alternating_clues=True,
        colour_only=frozenset(groups[1]),
        rank_only=frozenset(groups[2]),
    )


def bare_position(chance: random.Random, most_cards: int = 11) -> Position:
    """Make a position whose clues may be illegal."""
    position = nasty_position(chance, most_cards)
    rules = bare_rules(chance, position.rules)
    last = chance.choice((0, 0, COLOUR, RANK)) if rules.alternating_clues else 0
    return replace(position, rules=rules, last_clue=last)


def with_other_ending(chance: random.Random, position: Position) -> Position:
    """Give the same position of a game that ends in another way, and now and then plays blind."""
    rules = position.rules
    ending = chance.choice([e for e in Ending if e is not Ending.FINAL_ROUND])
    scores = rules.lost_scores_stacks and ending is Ending.ENDLESS
    deck_play = chance.random() < 0.3
    rules = replace(rules, ending=ending, lost_scores_stacks=scores, deck_play=deck_play)
    turns = position.turns_left if rules.has_final_round else None
    return replace(position, rules=rules, turns_left=turns)
