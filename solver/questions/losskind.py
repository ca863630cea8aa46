"""What kind of loss a turn was: what would have had to be otherwise for it to lose nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.solving.choice import solve

__all__ = ["KINDS", "loss_kind"]

KINDS = {
    "misplay": "misplay",
    "card": "lost critical card",
    "token": "token waste",
    "tempo": "lost tempo",
    "ended": "ended early",
}
"""The kinds of hindsight loss, and what they are called."""


def loss_kind(
    before: Position, action: Action, optimum: int, limit: Callable[[int], Limits]
) -> str:
    """Say what kind of loss an action was that made the optimum fall.

    ``misplay``: the card did not fit. ``card``: a card was discarded of which no other copy is
    left though a stack still needs it, or in whose place another discard from that hand would
    have kept the optimum. ``token``: with one clue token more after the action the optimum would
    be kept. ``tempo``: anything else, a draw too early or too late, or the wrong player's turn.

    Parameters
    ----------
    optimum
        The optimum before the action.
    limit
        Gives, for a target, what a question may cost.

    Returns
    -------
    str
        One of `KINDS`, or empty if a limit left it open.
    """

    def kept(position: Position) -> bool | None:
        result = solve(position, limit(optimum))
        if result.score < optimum <= result.bound:
            return None
        return result.score >= optimum

    hand = before.hands[before.seat]
    if action.kind is Kind.PLAY and not before.is_playable(hand[action.slot]):
        return "misplay"
    after = before.after(action)
    if action.kind is Kind.DISCARD:
        others = [
            Action(Kind.DISCARD, slot)
            for slot, card in enumerate(hand)
            if card != hand[action.slot]
        ]
        if _is_last_needed(before, action):
            return "card"
        return _named("card", [kept(before.after(other)) for other in others])
    if action.kind is Kind.CLUE and after.end is None:
        return _named("token", [kept(replace(after, clues=after.clues + before.rules.clue_price))])
    return "tempo"


def _named(kind: str, kept: list[bool | None]) -> str:
    """Give the kind of a loss that something else would have spared, if anything would."""
    return kind if True in kept else "" if None in kept else "tempo"


def _is_last_needed(position: Position, action: Action) -> bool:
    """Whether an action gives away the last copy of a card that can still be played."""
    card = position.hands[position.seat][action.slot]
    if not card.is_face:
        return False
    live = Counter(c for cards in (*position.hands, position.pile) for c in cards)
    return live[card] == 1 and card in position.later(live)
