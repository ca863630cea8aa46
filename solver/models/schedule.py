"""Which card is put on a stack when: the part of the event model that knows no seats.

From here on *event* k, from 1, is the k-th play or discard from now on; each draws a card as long
as there are cards to draw, and the final round has one for each player. Taken alone, with all
hands put together into one, this is a relaxation of the game: `SharedHand`.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.game.card import Card
from solver.game.position import Position
from solver.game.rules import Ending
from solver.models.cnf import TRUE, Formula

__all__ = ["Schedule", "SharedHand", "natural_caps"]


def natural_caps(position: Position) -> tuple[int, ...]:
    """Give for each suit the height beyond which a needed card is gone for ever.

    Each suit is taken alone: where starts must differ, not all may be reached together.
    """
    there = {*position.pile, *(card for hand in position.hands for card in hand)}
    caps = []
    for number, (ways, height) in enumerate(zip(position.ways, position.heights, strict=True)):
        most = height
        for way in ways:
            steps = 0
            while steps < len(way) and any(Card(number, rank) in there for rank in way[steps]):
                steps += 1
            most = max(most, height + steps)
        caps.append(most)
    return tuple(caps)


class Schedule:
    """Clauses on the heights of the stacks after each event, and on the cards kept for them.

    What is to be reached is a height for each stack (``caps``), all of them; or, with ``target``,
    any heights up to the caps with that many points in all.

    Events are numbered from 1: the ``draws`` draw events, then the turns of the final round up to
    ``last``. Event 0 is what lies behind. Cards are numbered too: those in the hands first, seat
    by seat, then the draw pile; card ``dealt + k - 1`` is drawn in event k.

    What is to be played is named by suit and *step*, the height of the stack once it is played, in
    a `Card` of its own: so every suit is built 1, 2, 3 ... Which cards are *copies* of a step, or
    are of no use, depends on the way in which the suit is built. Where there are several, literals
    choose one; DESIGN.md ("Several ways") says why choosing it ahead loses no game.

    Parameters
    ----------
    position
        A position with cards to draw that is not over.
    caps
        The heights at which the stacks are to be left; None for the `natural_caps`.
    target
        Points to be reached in all, at least those reached already; None to reach every cap.
    """

    def __init__(
        self, position: Position, caps: Sequence[int] | None = None, target: int | None = None
    ) -> None:
        if position.end is not None or position.turns_left is not None or not position.ordered:
            raise ValueError("a schedule needs a game that goes on and known cards to draw")
        self.position = position
        self.rules = position.rules
        self.players = position.rules.players
        self.keeps = self.rules.ending is Ending.SPEEDRUN
        """Whether a copy of every card must be kept that is not played: there is no other way to
        more than 0 points."""
        self.draws = len(position.pile)
        self.last = position.events_left
        self.caps = natural_caps(position) if caps is None else tuple(caps)
        self.all_caps = target is None
        self.target = sum(self.caps) if target is None else target
        self.spare = self.last - (self.target - position.points)
        """How many events need not be plays onto a stack: the pace."""

        self.faces: list[Card] = [card for hand in position.hands for card in hand]
        self.dealt = len(self.faces)
        self.faces.extend(position.pile)
        self.base = position.heights
        self.ways = position.ways
        self.roles = [self._roles_of(face) for face in self.faces]
        """For each card: the steps of which it may be a copy, and the ways in which it is."""
        self.formula = Formula()
        self.impossible = self.spare < 0 or self.target > sum(self.caps)
        """Whether the question needs no solver: the answer is no. The formula is left empty."""
        self.impossible = self.impossible or not self._windows()

    def _roles_of(self, face: Card) -> dict[int, list[int]]:
        roles: dict[int, list[int]] = {}
        if face.is_face:
            for number, way in enumerate(self.ways[face.suit]):
                for step, ranks in enumerate(way, self.base[face.suit] + 1):
                    if face.rank in ranks:
                        roles.setdefault(step, []).append(number)
        return roles

    def useful_steps(self, number: int) -> list[Card]:
        """Give the steps that must be played for the caps and of which a card may be a copy."""
        suit = self.faces[number].suit
        return [card for step in self.roles[number] if (card := Card(suit, step)) in self.first]

    def born(self, number: int) -> int:
        """Give the event in which a card is drawn, 0 for a card in a hand."""
        return max(0, number - self.dealt + 1)

    def release(self, number: int) -> int:
        """Give the event after which a card can be played."""
        born = self.born(number)
        return born - 1 if self.rules.deck_play and born == self.draws else born

    def copies(self, card: Card) -> list[int]:
        """Give the numbers of the cards that may be copies of a step to be played."""
        return self._copies[card]

    def full(self, suit: int) -> int:
        """Give the height of a complete stack."""
        return self.rules.suits[suit].full

    def height(self, suit: int, rank: int, event: int) -> int:
        """Give the literal that a stack is at least ``rank`` high after an event."""
        if rank <= self.base[suit]:
            return TRUE
        return self._heights[Card(suit, rank)][event] if rank <= self.caps[suit] else -TRUE

    def gained(self, event: int) -> list[int]:
        """Give literals of which as many hold as points were gained up to an event."""
        return [heights[event] for heights in self._heights.values()]

    def _windows(self) -> bool:
        """Find the first and the last event in which each useful card can be played.

        First: after the draw of its first copy, and after its predecessor. Last: where every cap
        must be reached, so that the cards above it still find an event each. Give whether none
        is empty.
        """
        self.first: dict[Card, int] = {}
        self.final: dict[Card, int] = {}
        self._copies: dict[Card, list[int]] = {}
        fits = True
        for suit, (height, cap) in enumerate(zip(self.base, self.caps, strict=True)):
            mine = [i for i, face in enumerate(self.faces) if face.suit == suit]
            firsts = [self._firsts(number, suit, mine) for number in range(len(self.ways[suit]))]
            for rank in range(height + 1, cap + 1):
                card = Card(suit, rank)
                befores = [
                    first[rank - height - 1] for first in firsts if rank - height <= len(first)
                ]
                if not befores:
                    return False
                before = min(befores)
                self._copies[card] = [i for i in mine if rank in self.roles[i]]
                self.first[card] = before
                self.final[card] = self.last - (cap - rank if self.all_caps else 0)
                fits = fits and (before <= self.final[card] or not self.all_caps)
        return fits

    def _firsts(self, way: int, suit: int, mine: Sequence[int]) -> list[int]:
        """Give the first event of each step of a way, up to one of which there is no copy."""
        firsts: list[int] = []
        before = 0
        for step in range(self.base[suit] + 1, self.base[suit] + 1 + len(self.ways[suit][way])):
            copies = [i for i in mine if way in self.roles[i].get(step, ())]
            if not copies:
                break
            before = max(before, min(map(self.release, copies))) + 1
            firsts.append(before)
        return firsts

    def _select(self) -> None:
        """Choose a way for each suit that has several; stacks with nothing on start differently."""
        formula = self.formula
        self.selected: list[list[int]] = []
        for ways in self.ways:
            chosen = [formula.new() for _ in ways] if len(ways) > 1 else [TRUE] * len(ways)
            if len(ways) > 1:
                formula.choose(chosen)
            self.selected.append(chosen)
        if not self.rules.different_starts:
            return
        begins: dict[frozenset[int], list[int]] = {}
        for suit, ways in enumerate(self.ways):
            for way, literal in zip(ways, self.selected[suit], strict=True):
                if self.base[suit] == 0:
                    begins.setdefault(way[0], []).append(literal)
        for literals in begins.values():
            for place, literal in enumerate(literals):
                for other in literals[place + 1 :]:
                    formula.add(-literal, -other)

    def _stacks(self) -> None:
        """Which card goes on its stack in each event, and how high the stacks are after it.

        That at most one does in each event is left to the models that build on this.
        """
        self._select()
        formula, new = self.formula, self.formula.new
        self._heights: dict[Card, list[int]] = {}
        self.puts: list[dict[Card, int]] = [{} for _ in range(self.last + 1)]
        for card, first in self.first.items():
            heights = self._heights[card] = [-TRUE]
            for k in range(1, self.last + 1):
                before = heights[-1]
                if not first <= k <= self.final[card]:
                    heights.append(before)
                    continue
                put = self.puts[k][card] = new()
                after = TRUE if self.all_caps and k == self.final[card] else new()
                heights.append(after)
                below = self.height(card.suit, card.rank - 1, k - 1)
                formula.implies(before, after)
                formula.implies(put, after)
                formula.implies(put, -before)
                formula.add(-after, before, put)
                formula.implies(after, below)
                formula.implies(put, below)
        self.play: list[int] = [-TRUE]
        for puts in self.puts[1:]:
            play = new()
            self.play.append(play)
            formula.add(-play, *puts.values())
            for put in puts.values():
                formula.implies(put, play)

    def _choose_copies(self) -> None:
        """Say for each step which of its copies is the one that is played, if any.

        In a speedrun each step has such a copy: if it is not played, it is kept to the end.
        """
        formula = self.formula
        self.role: dict[tuple[int, Card], int] = {}
        """Whether a card is the copy of a step that is played, if the step is."""
        for card, copies in self._copies.items():
            needed = self.all_caps or self.keeps
            if needed and len(copies) == 1 and len(self.ways[card.suit]) == 1:
                self.role[copies[0], card] = TRUE
            else:
                for i in copies:
                    self.role[i, card] = formula.new()
                never = [] if needed else [-self.height(*card, self.last)]
                formula.choose([*(self.role[i, card] for i in copies), *never])
            for i in copies:
                ways = [self.selected[card.suit][way] for way in self.roles[i][card.rank]]
                if TRUE not in ways:
                    formula.add(-self.role[i, card], *ways)
            for k in range(1, self.last + 1):
                if card in self.puts[k]:
                    for i in copies:
                        if self.release(i) >= k:
                            formula.implies(self.puts[k][card], -self.role[i, card])
        self.chosen = [self._is_chosen(i) for i in range(len(self.faces))]
        """Whether a card is the copy of some step that is played, if the step is."""

    def _is_chosen(self, number: int) -> int:
        roles = [self.role[number, card] for card in self.useful_steps(number)]
        if len(roles) <= 1:
            return roles[0] if roles else -TRUE
        chosen = self.formula.new()
        self.formula.add(-chosen, *roles)
        for role in roles:
            self.formula.implies(role, chosen)
        return chosen

    def _hold(self) -> None:
        """Count the chosen cards in all hands: an event without a play throws another card away.

        This follows from what every single hand can hold, but by a pigeonhole argument, which
        clauses alone see only after a long search.
        """
        formula, size = self.formula, self.dealt
        held = self.at_most(self.chosen[: self.dealt], size)
        for k in range(1, self.draws + 1):
            drawn, play = self.chosen[self.dealt + k - 1], self.play[k]
            if not (self.rules.deck_play and k == self.draws):
                formula.add(play, -held[size])
            after = [TRUE, *(formula.new() for _ in range(size)), -TRUE]
            for v in range(size + 1):
                formula.implies(held[v], drawn, -play, after[v + 1])
                formula.implies(held[v], -play, after[v])
                formula.implies(held[v], drawn, after[v])
                if v:
                    formula.implies(held[v], after[v - 1])
            held = after

    def _pace(self) -> None:
        """Let all but ``spare`` events be plays.

        For caps this follows from the heights; counting it as the game goes lets it be seen early.
        """
        if self.spare < self.last:
            self.at_most([-play for play in self.play[1:]], self.spare)

    def at_most(self, literals: Sequence[int], most: int) -> list[int]:
        """Ask that at most ``most`` of the literals hold, by counting them up.

        Give the literals "at least j of them", j from 0 to ``most`` + 1.
        """
        formula = self.formula
        count = [TRUE] + [-TRUE] * (most + 1)
        for place, literal in enumerate(literals, 1):
            reached = min(place, most)
            after = [TRUE, *(formula.new() for _ in range(reached))]
            after += [-TRUE] * (most + 1 - reached)
            for j in range(1, most + 2):
                formula.implies(count[j], after[j])
                formula.implies(count[j - 1], literal, after[j])
                formula.add(-after[j], count[j], literal)
                formula.add(-after[j], count[j - 1])
            count = after
        return count


class SharedHand(Schedule):
    """The relaxation in which all hands are one, and there are neither turns nor tokens.

    Its clauses can be met wherever the game can reach the same caps or target. Of the many orders
    of play only one is let through: what fits is played at once, the first such card in a fixed
    order. So nothing is left to choose but the copies, and few choices are to be refuted.
    """

    def __init__(
        self, position: Position, caps: Sequence[int] | None = None, target: int | None = None
    ) -> None:
        super().__init__(position, caps, target)
        if self.impossible:
            return
        self._stacks()
        for k in range(1, self.last + 1):
            self.formula.choose([-self.play[k], *self.puts[k].values()])
        self._choose_copies()
        self._hold()
        self._pace()
        self._at_once()

    def _at_once(self) -> None:
        """In each event play the first card that fits and whose chosen copy was drawn.

        Any schedule can be changed to this one, event by event: move the play of that card
        forward to event k, and what was in between one event later. Nothing comes before its
        draw or its predecessor by that; no more cards are held at any time; the number of plays
        stays the same.
        """
        formula = self.formula
        for k in range(1, self.last + 1):
            earlier = -TRUE
            for card, copies in self._copies.items():
                if card in self.puts[k]:
                    upto = formula.new()
                    formula.implies(self.puts[k][card], upto)
                    formula.implies(earlier, upto)
                    formula.add(-upto, self.puts[k][card], earlier)
                    earlier = upto
                if k >= self.first[card]:
                    below = self.height(card.suit, card.rank - 1, k - 1)
                    there = self.height(*card, k - 1)
                    # In a speedrun a chosen copy may also be kept.
                    kept = [-self.height(*card, self.last)] if self.keeps else []
                    for i in copies:
                        if self.release(i) < k:
                            formula.add(-below, there, -self.role[i, card], *kept, earlier)
