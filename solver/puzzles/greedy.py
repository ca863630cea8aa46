"""What a greedy player would do, the rule of thumb that puzzles are measured by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from solver.game.card import UNKNOWN, Card
from solver.game.position import Action, Kind, Position

__all__ = ["greedy_key", "greedy_rank"]

NOTHING: Mapping[int, Card] = {}


def greedy_key(
    position: Position, action: Action, useless: set[Card], known: Mapping[int, Card] = NOTHING
) -> tuple[int, int, int]:
    """Sort actions as a greedy player would: the least is the greedy move.

    Play a playable card, the lowest on its stack first, the oldest of these; else discard a useless
    card; else clue; else play from the draw pile; else discard the highest card; else misplay.
    What is ``known`` of unknown cards in the hand says what they are taken for. Other unknown cards
    are discarded as if they were useless, after those that are.
    """
    if action.kind is Kind.CLUE:
        return 2, 0, 0
    if action.kind is Kind.DECK_PLAY:
        return 3, 0, 0
    card = known.get(action.slot, position.hands[position.seat][action.slot])
    # Where several ways to build a suit are open a card has no step; then its rank stands for it.
    ordered = card.is_face and position.rules.heights_are_states
    step = position.rules.step(card) if ordered else card.rank
    if action.kind is Kind.PLAY:
        return 0 if position.is_playable(card) else 5, step, action.slot
    if card in useless or card == UNKNOWN:
        return 1, int(card == UNKNOWN), action.slot
    return 4, -step, action.slot


def greedy_rank(
    position: Position,
    actions: Iterable[Action],
    useless: set[Card],
    known: Mapping[int, Card] = NOTHING,
) -> tuple[int, ...]:
    """Give a greedy player's ranking without the order of the hand."""
    return min(greedy_key(position, action, useless, known)[:2] for action in actions)
