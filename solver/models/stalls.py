"""Which clues the event model lets be given, where clues can be illegal.

A seat that clues needs a card in another hand that the clue touches. Hands do not change between
two events, so one literal for each seat and event says what is asked: somebody else holds such a
card. Where types of clue alternate, the type of the first clue settles all others, and which comes
next is one literal more for each event. DESIGN.md ("Clues that can be illegal") has the proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.game.clues import touch, types_that_count
from solver.game.rules import COLOUR, RANK
from solver.models.cnf import TRUE

if TYPE_CHECKING:
    from solver.models.events import EventModel

__all__ = ["Stalls"]


class Stalls:
    """The clauses for legal clues, added to a model that has seats, uses and stacks."""

    def __init__(self, model: EventModel) -> None:
        self.model = model
        self.formula = model.formula
        self.types = len(types_that_count(model.rules))
        self.touches = [touch(model.rules, card) for card in model.faces]
        if model.rules.empty_clues:
            self.touches = [(1 << self.types) - 1] * len(model.faces)
        self.over = [-TRUE, -TRUE, *(self.formula.new() for _ in range(model.last - 1))]
        """For each event whether the game is over before it; it then asks for nothing."""
        last = model.position.last_clue
        first = {0: self.formula.new(), COLOUR: -TRUE, RANK: TRUE}[last]
        self.colour_next = [-TRUE, first]
        """For each event whether the next clue, if there is one before or in it, is a colour."""
        self._held: dict[tuple[int, int, int], int] = {}
        self._others: dict[tuple[int, int, int], list[int]] = {}
        self._ends()

    def _ends(self) -> None:
        """Say when the game may be over: once all stacks are complete (and see `struck`)."""
        formula, model = self.formula, self.model
        for k in range(2, model.last + 1):
            formula.implies(self.over[k - 1], self.over[k])
            formula.implies(self.over[k], -model.play[k])

    def struck(self, counts: Sequence[int]) -> None:
        """Link the ends of the game to the literals "the strike limit is reached" after events."""
        formula, model = self.formula, self.model
        for k in range(2, model.last + 1):
            formula.implies(counts[k - 1], self.over[k])
            for suit in range(len(model.rules.suits)):
                complete = model.height(suit, model.full(suit), k - 1)
                formula.add(-self.over[k], counts[k - 1], complete)

    def _holds(self, event: int, seat: int, number: int) -> int:
        """Give a literal that holds only if a seat has a card before an event."""
        model = self.model
        owner, born = model.owner[number], model.born(number)
        stays = -model.gone[number][event - 1]
        if owner is not None:
            return stays if owner == seat else -TRUE
        if born >= event:
            return -TRUE
        key = event, seat, number
        if key not in self._held:
            held = self._held[key] = self.formula.new()
            self.formula.implies(held, model.actor[born][seat])
            self.formula.implies(held, stays)
        return self._held[key]

    def _touchable(self, event: int, seat: int, kind: int) -> int:
        """Give a literal that holds only if a seat has a card that a type of clue touches."""
        key = event, seat, kind
        if key not in self._others:
            found = self.formula.new()
            cards = [i for i, mask in enumerate(self.touches) if mask >> kind & 1]
            held = (self._holds(event, seat, i) for i in cards)
            self.formula.implies(found, -TRUE) if not cards else self.formula.add(-found, *held)
            self._others[key] = [found]
        return self._others[key][0]

    def allow(self, conditions: Sequence[int], event: int, seat: int, nth: int) -> None:
        """Ask that a seat can clue before or in an event, under conditions that all hold.

        ``nth`` counts the clues before the event from 0.
        """
        others = [p for p in range(self.model.players) if p != seat]
        waived = [*(-literal for literal in conditions), self.over[event]]
        if self.types == 1:
            self.formula.add(*waived, *(self._touchable(event, p, 0) for p in others))
            return
        for colour in (True, False):
            kind = 0 if colour == (nth % 2 == 0) else 1
            first = self.colour_next[event] if colour else -self.colour_next[event]
            self.formula.add(*waived, -first, *(self._touchable(event, p, kind) for p in others))

    def gap(self, event: int, wasted: Sequence[int]) -> None:
        """Let only legal clues stand before a draw event.

        ``wasted`` are the literals "at least m whole rounds", as in `EventModel._tokens`.
        """
        model, players = self.model, self.model.players
        rounds = len(wasted) - 1
        for before, actor in enumerate(model.actor[event - 1]):
            for d, skip in enumerate(model.skip[event]):
                for m in range(rounds):
                    # With m - 1 rounds the first clues are asked for already.
                    for j in range(max(0, d + (m - 1) * players) if m else 0, d + m * players):
                        seat = (before + 1 + j) % players
                        self.allow((actor, skip, wasted[m]), event, seat, j)
        if self.types == 1:
            self.colour_next.append(-TRUE)
            return
        after = self.formula.new()
        self.colour_next.append(after)
        for d, skip in enumerate(model.skip[event]):
            for m in range(rounds):
                self._turned((skip, wasted[m], -wasted[m + 1]), event, (d + m * players) % 2 == 1)

    def turn(self, event: int, clue: int) -> None:
        """Let the clue of a turn of the final round be a legal one."""
        for seat in range(self.model.players):
            self.allow((clue, self.model.seat(event, seat)), event, seat, 0)
        if self.types == 1:
            self.colour_next.append(-TRUE)
            return
        self.colour_next.append(self.formula.new())
        self._turned((clue,), event, True)
        self._turned((-clue,), event, False)

    def _turned(self, conditions: Sequence[int], event: int, odd: bool) -> None:
        """Say which type comes after an event: the other one after an odd number of clues."""
        now, after = self.colour_next[event], self.colour_next[event + 1]
        for one in (now, -now):
            other = after if one == now else -after
            self.formula.implies(*conditions, one, -other if odd else other)
