"""What of a puzzle can be counted or weighed, so that it can be asked for within a range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from solver.endgames.endgame import MOST_DRAWS
from solver.game.card import USELESS, Card
from solver.game.position import Position
from solver.puzzles.judge import LIMITS, PuzzleReport, UndecidedError
from solver.solving import cascade

__all__ = ["MEASURES", "Measure", "foresight"]

MOST_ORDERED = 7
"""Cards to draw at most where all draw orders are solved: there are up to 5,040."""


class Measure(NamedTuple):
    """A number that a puzzle has, 0 or more; the models, and the cards to draw, it is for."""

    of: Callable[[PuzzleReport], Fraction | int]
    models: tuple[str, ...] = ("open", "known", "hidden")
    most_cards: int = MOST_DRAWS


def foresight(report: PuzzleReport) -> Fraction:
    """Give by how much the chance would rise if the draw order were known.

    The share of the draw orders with which the game can be won by somebody who knows the order,
    less the chance of somebody who does not. 0 or more: who knows more can do the same.

    Raises
    ------
    UndecidedError
        If a limit is reached.
    """
    won = total = 0
    most = report.position.rules.max_score
    for ordered in _orders(report.position, report.useless):
        result = cascade.solve(ordered, replace(LIMITS, target=most))
        if result.score < most <= result.bound:
            raise UndecidedError(f"too hard: not decided with {LIMITS.nodes:,} nodes")
        won += result.score >= most
        total += 1
    return Fraction(won, total) - report.value


def _orders(position: Position, useless: set[Card]) -> Iterator[Position]:
    """Give the position with every different draw order: each comes in as many ways."""
    cards = sorted(USELESS if card in useless else card for card in position.pile)

    def fill(order: tuple[Card, ...], left: list[Card]) -> Iterator[tuple[Card, ...]]:
        if not left:
            yield order
        for card in dict.fromkeys(left):
            rest = [*left]
            rest.remove(card)
            yield from fill((*order, card), rest)

    for order in fill((), cards):
        yield replace(position, pile=order, ordered=True)


_WITH_A_LINE = ("open", "known")

MEASURES = {
    "value": Measure(lambda report: report.value),
    "second": Measure(lambda report: report.second),
    "trap-loss": Measure(lambda report: report.trap_loss),
    "greedy-rank": Measure(lambda report: report.greedy_rank),
    "depth": Measure(lambda report: report.depth, _WITH_A_LINE),
    "only-moves": Measure(lambda report: report.only_moves, _WITH_A_LINE),
    "ties": Measure(lambda report: report.ties, _WITH_A_LINE),
    "forks": Measure(lambda report: report.forks, _WITH_A_LINE),
    "difficulty": Measure(lambda report: report.difficulty),
    "foresight": Measure(foresight, ("open",), MOST_ORDERED),
}
"""Every measure by its name, the quicker ones first."""
