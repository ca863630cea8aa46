"""Clues that may be illegal: whether any can be, and the game in which none is.

A clue needs a token and a card in another hand that it touches. Where some cards are touched by no
clue, or by one type of clue while types must alternate, a seat that can pay may still not be able
to clue. The game with *free* clues, in which a token and a card in another hand are enough, has
every line that the game has, and more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from solver.game.card import Card
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.rules import COLOUR, RANK, ClueType, Rules

__all__ = ["free", "is_free", "legal_part", "touch", "types_that_count"]


def types_that_count(rules: Rules) -> tuple[ClueType, ...]:
    """Give the types of clue that are told apart: 0 alone where types do not count."""
    return (COLOUR, RANK) if rules.alternating_clues else (0,)


def touch(rules: Rules, card: Card) -> int:
    """Give which of the types that count touch a card, the n-th as binary digit n."""
    return sum(rules.touches(kind, card) << n for n, kind in enumerate(types_that_count(rules)))


def is_free(position: Position) -> bool:
    """Whether from here on every clue that can be paid for is legal if another hand has a card.

    Counted, not searched: a clue fails only if the other hands and the draw pile have as many cards
    that it cannot touch as those hands hold, and in a final round no hand gets shorter by more than
    one card.
    """
    rules = position.rules
    if rules.empty_clues or not (rules.untouchable or rules.alternating_clues):
        return True
    for kind in types_that_count(rules):
        bare = [sum(not rules.touches(kind, card) for card in hand) for hand in position.hands]
        drawn = sum(not rules.touches(kind, card) for card in position.pile)
        for seat in range(rules.players):
            others = [p for p in range(rules.players) if p != seat]
            sizes = [max(0, len(position.hands[p]) - 1) for p in others]
            # Without a final round all other hands may shrink to one card together.
            least = max(1, sum(sizes)) if rules.has_final_round else 1
            if drawn + sum(bare[p] for p in others) >= least:
                return False
    return True


def free(position: Position) -> Position:
    """Give the same moment of the game with free clues."""
    rules = position.rules
    if not (rules.untouchable or rules.alternating_clues):
        return position
    return replace(position, rules=_free(position.rules), last_clue=0)


@lru_cache(maxsize=64)
def _free(rules: Rules) -> Rules:
    none: frozenset[Card] = frozenset()
    return replace(
        rules, untouchable=none, alternating_clues=False, colour_only=none, rank_only=none
    )


def legal_part(start: Position, actions: Sequence[Action]) -> Line:
    """Give the part of a line of the game with free clues that is legal in the game itself.

    Where types count each clue gets the one that it must have; of the two ways to begin the one
    that goes further.
    """
    if not start.rules.alternating_clues:
        return _legal(start, actions, 0)
    if start.last_clue:
        return _legal(start, actions, COLOUR + RANK - start.last_clue)
    return max((_legal(start, actions, kind) for kind in (RANK, COLOUR)),
               key=lambda line: len(line.actions))  # fmt: skip


def _legal(start: Position, actions: Sequence[Action], kind: ClueType) -> Line:
    moment = start
    made: list[Action] = []
    for given in actions:
        action = given
        if given.kind is Kind.CLUE:
            action = Action(Kind.CLUE, kind)
            kind = COLOUR + RANK - kind if kind else 0
        if moment.why_illegal(action) is not None:
            break
        made.append(action)
        moment = moment.after(action)
    return Line(start, tuple(made))
