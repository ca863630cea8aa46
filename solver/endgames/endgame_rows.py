"""Answers about endgames as objects: the row that ``--json`` prints."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import Any

from solver.endgames.endgame import Choice, Verdict, useless_faces
from solver.endgames.policy import Policy, action_name
from solver.game.card import UNKNOWN, Card
from solver.game.notation import cards_text
from solver.game.position import Kind, Position

__all__ = ["MOST_ORDERS", "choice_name", "endgame_row", "losing_rows", "order_words", "policy_rows"]

MOST_ORDERS = 50
"""Losing draw orders that are listed at most."""


def choice_name(verdict: Verdict, choice: Choice) -> str:
    """Name a choice: ``play r3``, ``discard useless``, ``clue``, ``play unknown card 2``.

    Cards that are not known are numbered, the oldest first, unless all are alike.
    """
    position, action = verdict.position, choice.actions[0]
    if action.kind not in (Kind.PLAY, Kind.DISCARD):
        return position.describe(action)
    hand = position.hands[position.seat]
    if hand[action.slot] != UNKNOWN and not _hidden_hand(verdict):
        return action_name(position, action)
    verb = "play" if action.kind is Kind.PLAY else "discard"
    unknown = hand.count(UNKNOWN) or len(hand)
    slots = [str(action.slot + 1) for action in choice.actions]
    if len(slots) == unknown:
        return f"{verb} unknown"
    return f"{verb} unknown card {' or '.join(slots)}"


def _hidden_hand(verdict: Verdict) -> bool:
    """Whether the mover's whole hand counts as unknown, though the position tells it."""
    return verdict.model == "hidden" and verdict.position.shows_hands


def endgame_row(verdict: Verdict, other: Verdict) -> dict[str, Any]:
    """Give the object for a verdict.

    ``value`` is null where a limit left it open; ``low`` and ``high`` then enclose it.

    Parameters
    ----------
    other
        The verdict of the same position with the other objective, for the fields ``other``.
    """
    others = {choice.actions: choice for choice in other.choices}
    row: dict[str, Any] = {
        "model": verdict.model,
        "objective": verdict.objective,
        **_value(verdict.low, verdict.high),
        "actions": [
            {
                "action": choice_name(verdict, choice),
                **_value(choice.low, choice.high),
                "slots": [a.slot for a in choice.actions if a.kind in (Kind.PLAY, Kind.DISCARD)],
                "other": _value(others[choice.actions].low, others[choice.actions].high),
            }
            for choice in verdict.choices
        ],
        "exact": verdict.exact,
        "states": verdict.states,
        "seconds": round(verdict.seconds, 6),
        "target": verdict.target if verdict.objective == "win" else None,
        "position": verdict.position.text(),
        "other": {"objective": other.objective, **_value(other.low, other.high)},
    }
    if verdict.ceiling is not None:
        row["ceiling"] = str(verdict.ceiling)
    return row


def _value(low: Fraction, high: Fraction) -> dict[str, Any]:
    if low == high:
        return {"value": str(low), "float": float(low)}
    return {"value": None, "float": None, "low": str(low), "high": str(high)}


def policy_rows(policy: Policy) -> list[dict[str, Any]]:
    """Give one object for each decision of a policy, the start first."""
    letters = policy.start.letters
    return [
        {
            "position": position.text(),
            "value": str(decision.value),
            "actions": [
                {
                    "action": move.name,
                    "then": [
                        {
                            "drawn": None if o.drawn is None else cards_text([o.drawn], letters),
                            "count": o.copies,
                            "position": o.position.text(),
                        }
                        for o in move.outcomes
                    ],
                }
                for move in decision.moves
            ],
        }
        for position, decision in policy.decisions.items()
    ]


def losing_rows(policy: Policy, most: int = MOST_ORDERS) -> list[dict[str, Any]]:
    """Give an object for each way in which draws lose, at most so many."""
    letters = policy.start.letters
    return [
        {"drawn": order_words(drawn, letters), "count": count}
        for drawn, count in islice(policy.losing_orders(), most)
    ]


def order_words(drawn: Iterable[Card], letters: list[str]) -> str:
    """Write cards in the order in which they are drawn, with spaces between."""
    return " ".join(cards_text([card], letters) for card in drawn)


def hand_words(position: Position, seat: int) -> str:
    """Write a hand, useless cards as such."""
    gone = useless_faces(position)
    return " ".join(
        "kt" if card in gone else cards_text([card], position.letters)
        for card in position.hands[seat]
    )
