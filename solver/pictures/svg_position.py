"""A position as a picture: stacks, tokens, hands, draw pile and discards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from solver.game.card import Card
from solver.game.notation import DIGITS, stack_text
from solver.game.position import Position
from solver.pictures.svg import TILE, Canvas

__all__ = ["position_svg"]

LEFT, GAP, WIDE = 84, 5, 20
SMALL = 0.7


def position_svg(position: Position, title: str = "") -> str:
    """Draw a position.

    Hands have the oldest card on the left, the seat to move is marked; the draw pile is drawn
    with the next card on the left, or, where its order is not known, sorted.
    """
    canvas = Canvas()
    y = _stacks(canvas, position, 16)
    for seat, hand in enumerate(position.hands):
        y = _hand(canvas, position, seat, hand, y + 8)
    known = "pile" if position.ordered else "unseen"
    y = _cards(canvas, f"{known} {position.pile_size}", position.pile, position.letters, y + 12)
    _cards(canvas, "discards", position.discards, position.letters, y + 8)
    return canvas.picture(title or _words(position))


def _words(position: Position) -> str:
    return " | ".join(str(position).splitlines())


def _stacks(canvas: Canvas, position: Position, y: float) -> float:
    rules = position.rules
    canvas.text(16, y + 25, "stacks", style="faint")
    x = float(LEFT)
    for number, (suit, state) in enumerate(zip(rules.suits, position.stacks, strict=True)):
        height = suit.heights[state]
        words = stack_text(suit, state)
        canvas.tile(x, y, words, suit.letter, faded=not height)
        under = f"of {suit.full}"
        if not suit.is_upward:
            under = "".join(DIGITS[rank] for rank in position.next_ranks(number))
            under = f"+{under}" if under else "full"
        elif height == suit.full:
            under = "full"
        canvas.text(x + TILE[0] / 2, y + TILE[1] + 13, under, 10, "middle", "faint")
        x += TILE[0] + GAP
    x += WIDE
    price = rules.clue_price
    tokens = f"{position.clues / price:g} of {rules.max_clues / price:g}"
    left = position.turns_left
    canvas.text(x, y + 11, f"score {position.score} of {rules.max_score}", bold=True)
    canvas.text(x, y + 29, f"clues {tokens}")
    canvas.text(x, y + 47, f"strikes {position.strikes} of {rules.max_strikes}"
                + ("" if left is None else f" \u00b7 turns left {left}"))  # fmt: skip
    return y + TILE[1] + 18


def _hand(
    canvas: Canvas, position: Position, seat: int, hand: Sequence[Card], y: float
) -> float:  # fmt: skip
    moves = seat == position.seat
    name = f"\u25b6 seat {seat}" if moves else f"seat {seat}"
    canvas.text(16, y + 25, name, bold=moves, style="ink" if moves else "faint")
    for slot, card in enumerate(hand):
        canvas.card(LEFT + slot * (TILE[0] + GAP), y, card, position.letters)
    if not hand:
        canvas.text(LEFT, y + 25, "no cards", style="faint")
    return y + TILE[1]


def _cards(
    canvas: Canvas, what: str, cards: Sequence[Card], letters: Sequence[str], y: float
) -> float:
    """Draw small cards in rows; of sorted ones a wider gap stands between the suits."""
    width, height = TILE[0] * SMALL, TILE[1] * SMALL
    canvas.text(16, y + 18, what, style="faint")
    if not cards:
        canvas.text(LEFT, y + 18, "none", style="faint")
    x = float(LEFT)
    right = LEFT + 15 * (width + 3)
    # Runs of one suit stay together where the order says nothing.
    ordered = list(cards) != sorted(cards)
    runs = [[card] for card in cards]
    if not ordered:
        runs = [list(run) for _, run in groupby(cards, key=lambda card: card.suit)]
    for run in runs:
        if x > LEFT and x + len(run) * (width + 3) > right:
            x, y = float(LEFT), y + height + 4
        for card in run:
            canvas.card(x, y, card, letters, SMALL)
            x += width + 3
        x += 0 if ordered else 6
    return y + height
