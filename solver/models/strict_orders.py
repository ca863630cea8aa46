"""Chances in endgames where clues can be illegal: orders of the draw pile, action by action.

As in `solver.models.strict` the game with free clues is a bound: an action is worth no more here
than there. Actions are tried in the order of that bound, so when the best value found is no less
than the next bound, the rest need not be looked at; and as soon as no clue can be illegal any more,
the bound is the value. DESIGN.md ("Endgames") says how orders are counted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from solver.game.card import Card
from solver.game.clues import is_free
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.models.strict import different, face_of, state_of

__all__ = ["Counts", "StrictOrders"]

Counts = dict[Action, tuple[int, int]]
"""The least and the most orders, out of n!, for each legal action."""

Free = Callable[[Position, Limits], tuple[Counts, int]]
"""Counts for the game with free clues, each action by its name here, and the nodes spent."""


class StrictOrders:
    """The orders of the draw pile in which positions of one game reach a target; it remembers.

    Parameters
    ----------
    free
        Counts them for the game with free clues.
    worth
        What a finished game counts for: 0 or 1, or its score.
    exact
        Whether what ``free`` counts for a position is more than a bound: what it is worth.
    """

    def __init__(
        self,
        free: Free,
        worth: Callable[[int], int],
        exact: Callable[[Position], bool] = is_free,
    ) -> None:
        self.free = free
        self.worth = worth
        self.exact = exact
        self.known: dict[tuple[object, ...], int] = {}
        self.left: int | None = None
        self.until: float | None = None

    def counts(self, position: Position, limits: Limits) -> Counts:
        """Count the orders for every legal action of a position that is not over."""
        self.left = limits.nodes
        self.until = None if limits.seconds is None else time.monotonic() + limits.seconds
        bounds = self.bounds(position)
        found: Counts = {}
        same: dict[object, tuple[int, int]] = {}
        for action in position.legal_actions():
            sort = _sort(position, action)
            if sort not in same:
                same[sort] = self.after(position, action, bounds[action][1])
            found[action] = same[sort]
        return found

    def bounds(self, position: Position) -> Counts:
        """Ask the game with free clues, with what is left of the limits."""
        seconds = None if self.until is None else max(self.until - time.monotonic(), 1e-6)
        counts, nodes = self.free(position, Limits(self.left, seconds))
        if self.left is not None:
            self.left = max(1, self.left - nodes - 1)
        return counts

    def after(self, position: Position, action: Action, most: int) -> tuple[int, int]:
        """Count the orders for one action; ``most`` is a bound."""
        if most == 0:
            return 0, 0
        if action.kind is Kind.CLUE or position.pile_size == 0:
            return self.value(position.after(action))
        drawn: dict[Card, list[Card]] = {}
        for card in position.pile:
            drawn.setdefault(face_of(position, card), []).append(card)
        low = high = 0
        for cards in drawn.values():
            part = self.value(position.after(action, cards[0]))
            low += len(cards) * part[0]
            high += len(cards) * part[1]
        return low, min(high, most)

    def value(self, position: Position) -> tuple[int, int]:
        """Count the orders for best play."""
        orders = math.factorial(position.pile_size)
        if not position.legal_actions():
            return (self.worth(position.score) * orders,) * 2
        pile = tuple(sorted(face_of(position, card) for card in position.pile))
        key = (state_of(position), pile)
        if key in self.known:
            return (self.known[key],) * 2
        late = self.until is not None and time.monotonic() >= self.until
        if late or (self.left is not None and self.left <= 1):
            return 0, self.worth(position.rules.max_score) * orders
        bounds = self.bounds(position)
        low = high = 0
        if self.exact(position):
            low = max(least for least, _ in bounds.values())
            high = max(most for _, most in bounds.values())
        else:
            # Misplays that a discard replaces need not be tried, for the same reasons as there.
            for action in sorted(different(position), key=lambda action: -bounds[action][1]):
                most = bounds[action][1]
                if most <= low:
                    high = max(high, low)
                    break
                value = self.after(position, action, most)
                low, high = max(low, value[0]), max(high, value[1])
        if low == high:
            self.known[key] = low
        return low, high


def _sort(position: Position, action: Action) -> object:
    """Give what actions have in common that come to the same."""
    if action.kind in (Kind.PLAY, Kind.DISCARD):
        return action.kind, face_of(position, position.hands[position.seat][action.slot])
    return action
