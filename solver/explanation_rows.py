"""Explanations as objects: the row that ``--json`` prints, with a table of who is played when."""

from __future__ import annotations

from typing import Any

from solver.card import Card
from solver.deal import Deal
from solver.explain import Explanation, Loss
from solver.hall import plays_after, waits
from solver.onehand import Overflow
from solver.sentences import Numbers, sentence, tokens_of
from solver.tightness import Tightness

__all__ = ["explanation_row", "who_when"]


def who_when(explanation: Explanation) -> list[dict[str, Any]]:
    """Give a row for each card that causes the loss: where it comes from, and how late it is.

    ``copies`` has the seat that holds each copy, None if it is still to be drawn, and its number
    among the cards, None where that is not known. ``after`` is the number of the card that must
    be drawn before it can be played, None if none must; ``plays`` are then left at most.
    """
    if explanation.loss is None:
        return []
    numbers = Numbers(explanation)
    position = numbers.position
    full = [suit.full for suit in position.rules.suits]
    draws = {wait.card: wait.draw for wait in waits(position, full)}
    rows = []
    for card in sorted(explanation.loss.cards, key=lambda card: (draws.get(card, 0), card)):
        draw = draws.get(card)
        rows.append(
            {
                "card": numbers.cards([card]),
                "copies": _copies(card, numbers),
                "after": numbers.of(draw) if draw else None,
                "drawn": numbers.cards([position.pile[draw - 1]]) if draw else None,
                "plays": None if draw is None else plays_after(position, draw),
            }
        )
    return rows


def _copies(card: Card, numbers: Numbers) -> list[dict[str, int | None]]:
    found: list[dict[str, int | None]] = []
    dealt = 0
    for seat, hand in enumerate(numbers.position.hands):
        for number, other in enumerate(hand, dealt + 1):
            if other == card:
                found.append({"seat": seat, "number": number if numbers.dealt else None})
        dealt += len(hand)
    for draw, other in enumerate(numbers.position.pile, 1):
        if other == card:
            found.append({"seat": None, "number": numbers.of(draw)})
    return found


def explanation_row(explanation: Explanation) -> dict[str, Any]:
    """Give the object for an explanation; every key is always there."""
    asked, result, loss = explanation.asked, explanation.result, explanation.loss
    numbers = Numbers(explanation)
    tight = explanation.tight
    return {
        "name": asked.name if isinstance(asked, Deal) else asked.text(),
        "players": explanation.start.rules.players,
        "variant": asked.variant,
        "full": result.max_score,
        "score": result.score,
        "bound": result.bound,
        "winnable": explanation.winnable,
        "rung": loss.rung if loss and loss.rung else None,
        "kind": loss.kind if loss else None,
        "cards": [numbers.cards([card]) for card in loss.cards] if loss else [],
        "first": loss.first if loss else None,
        "minimal": loss.minimal if loss else None,
        "numbers": numbers.through,
        "table": who_when(explanation),
        "overflow": _overflow_row(loss, numbers) if loss else None,
        "more": loss.more if loss else None,
        "tight": _tight_row(tight, numbers) if tight else None,
        "sentence": sentence(explanation),
    }


def _overflow_row(loss: Loss, numbers: Numbers) -> dict[str, Any] | None:
    found = loss.overflow
    if not isinstance(found, Overflow):
        return None
    return {
        "after": numbers.of(found.draw) if found.draw else None,
        "hand": [numbers.cards([card]) for card in found.hand],
        "throws": [
            {
                "card": numbers.cards([throw.card]),
                "again": numbers.of(throw.again),
                "fates": sorted(throw.fates),
            }
            for throw in found.throws
        ],
    }


def _tight_row(tight: Tightness, numbers: Numbers) -> dict[str, Any]:
    def after(draw: int) -> int | None:
        return numbers.of(draw) if draw else None

    return {
        "pace": {"least": tight.pace.value, "turn": tight.pace.turn},
        "clues": {"least": tokens_of(tight.clues.value, numbers), "turn": tight.clues.turn},
        "slack": {
            "least": tight.slack,
            "after": after(tight.slack_draw),
            "cards": [numbers.cards([card]) for card in tight.slack_cards],
        },
        "critical": [
            {"card": numbers.cards([c.card]), "turn": c.turn, "after": after(c.draw)}
            for c in tight.critical
        ],
    }
