"""Explanations as objects: the row that ``--json`` prints, with a table of who is played when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.suit import Way
from solver.questions.explain import Explanation
from solver.questions.hall import plays_after, waits
from solver.questions.ladder import Loss
from solver.questions.onehand import Overflow
from solver.questions.reasons import Reason
from solver.questions.sentences import (
    Numbers,
    capital,
    reason_sentence,
    sentence,
    step_names,
    tokens_of,
    way_text,
)
from solver.questions.tightness import Tightness

__all__ = ["explanation_row", "who_when"]


def who_when(loss: Loss, numbers: Numbers) -> list[dict[str, Any]]:
    """Give a row for each card that causes the loss: where it comes from, and how late it is.

    ``copies`` has the seat that holds each copy, None if it is still to be drawn, and its number
    among the cards, None where that is not known. ``after`` is the number of the card that must
    be drawn before it can be played, None if none must; ``plays`` are then left at most.
    """
    if not loss.cards:
        return []
    position = numbers.position
    full = [suit.full for suit in position.rules.suits]
    draws = {wait.card: wait.draw for wait in waits(position, full)}
    rows = []
    for card in sorted(loss.cards, key=lambda card: (draws.get(card, 0), card)):
        draw = draws.get(card)
        rows.append(
            {
                "card": numbers.cards([card]),
                "copies": _copies(card, numbers),
                "after": numbers.of(draw) if draw else None,
                "drawn": numbers.drawn(draw) if draw else None,
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
    reasons = explanation.reasons
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
        "cards": [numbers.name(card) for card in loss.cards] if loss else [],
        "first": loss.first if loss else None,
        "minimal": loss.minimal if loss else None,
        "numbers": numbers.through,
        "table": who_when(loss, numbers) if loss else [],
        "overflow": _overflow_row(loss, numbers) if loss else None,
        "more": loss.more if loss else None,
        "ways": [_reason_row(explanation, reason) for reason in reasons.found] if reasons else [],
        "tight": _tight_row(tight, numbers) if tight else None,
        "sentence": sentence(explanation),
    }


def _reason_row(explanation: Explanation, reason: Reason) -> dict[str, Any]:
    """Give the object for a reason that holds in some of the ways; names are as in the deal's."""
    loss = reason.loss
    numbers = Numbers(explanation, reason)
    every = zip(numbers.letters, reason.built, explanation.start.ways, strict=True)
    return {
        "count": reason.count,
        "built": {
            letter: [way_text(way) for way in built]
            for letter, built, ways in every
            if len(built) < len(ways)
        },
        "example": _built(reason.ways, numbers),
        "rung": loss.rung,
        "kind": loss.kind,
        "cards": [numbers.name(card) for card in loss.cards],
        "first": loss.first,
        "minimal": loss.minimal,
        "table": who_when(loss, numbers),
        "overflow": _overflow_row(loss, numbers),
        "more": loss.more,
        "sentence": capital(reason_sentence(explanation, reason)),
    }


def _built(ways: Sequence[Way], numbers: Numbers) -> dict[str, str]:
    return {letter: way_text(way) for letter, way in zip(numbers.letters, ways, strict=True)}


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

    names = step_names(numbers.position, tight.ways) if tight.ways else {}
    return {
        "pace": {"least": tight.pace.value, "turn": tight.pace.turn},
        "clues": {"least": tokens_of(tight.clues.value, numbers), "turn": tight.clues.turn},
        "slack": {
            "least": tight.slack,
            "after": after(tight.slack_draw),
            "cards": [names.get(card) or numbers.name(card) for card in tight.slack_cards],
            "built": _built(tight.ways, numbers) if tight.ways else {},
        },
        "critical": [
            {"card": numbers.cards([c.card]), "turn": c.turn, "after": after(c.draw)}
            for c in tight.critical
        ],
    }
