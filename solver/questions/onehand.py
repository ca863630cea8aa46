"""The shared-hand relaxation in plain Python: where the one hand overflows, and what follows.

All hands are one hand, clues are free, and nobody waits for a turn. What can be played is played
at once, what is not needed is thrown away first; DESIGN.md says why nothing better can be done. So
there is a choice only when the hand is full of cards that are needed and none can be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.game.card import USELESS, Card
from solver.game.position import Position

__all__ = ["FULL", "LAST_CARD", "LATE", "Overflow", "Throw", "overflow"]

FULL = "full"
"""The hand is full of needed cards of which none can be played and none comes again."""
LATE = "late"
"""Too few turns are left for the cards still needed."""
LAST_CARD = "last card"
"""The last card is needed, and others on top of it: but it is played in the very last turn."""

MOST_STATES = 50_000


@dataclass(frozen=True)
class Throw:
    """A needed card that could be thrown away because it comes again, and how that ends.

    ``again`` is the draw at which it comes again; ``fates`` are the ways, of `FULL`, `LATE` and
    `LAST_CARD`, in which the game is then lost, whatever is done.
    """

    card: Card
    again: int
    fates: frozenset[str]


@dataclass(frozen=True)
class Overflow:
    """The first moment at which the one hand is full of needed cards that cannot be played.

    It comes after ``draw`` draws; without ``throws`` no card of ``hand`` comes again.
    """

    draw: int
    hand: tuple[Card, ...]
    throws: tuple[Throw, ...]


class _TooMany(Exception):
    """More states than a person would wait for."""


def overflow(position: Position, caps: Sequence[int]) -> Overflow | str | None:
    """Say why the caps are out of reach even in one hand.

    Returns
    -------
    Overflow | str | None
        The first overflow; `LATE` or `LAST_CARD` if it is lost without any; None if it is not
        lost, or has more states than are looked at.
    """
    hand = _OneHand(position, caps)
    try:
        return hand.explain()
    except _TooMany:
        return None


class _OneHand:
    """The relaxed game of one position and caps.

    A state is the needed cards in the hand, the heights of the stacks, and the draws so far.
    """

    def __init__(self, position: Position, caps: Sequence[int]) -> None:
        self.position = position
        self.step = position.rules.step
        self.caps = tuple(caps)
        self.room = position.rules.players * position.rules.hand_size
        self.pile = position.pile
        self.known: dict[tuple[frozenset[Card], tuple[int, ...], int], frozenset[str]] = {}

    def explain(self) -> Overflow | str | None:
        if self.spare < 0:
            return LATE
        held = {card for hand in self.position.hands for card in hand}
        end = self.run(held, list(self.position.stacks), 0, self.spare)
        if isinstance(end, str):
            return end or None
        hand, heights, draw, spare = end
        throws = []
        for card, again in self.options(hand, draw):
            fates = self.fates(self.run(hand - {card}, list(heights), draw, spare, True))
            if not fates:
                return None
            throws.append(Throw(card, again, fates))
        return Overflow(draw, tuple(sorted(hand)), tuple(throws))

    @property
    def spare(self) -> int:
        """The events that need not be plays."""
        needed = sum(c - s for c, s in zip(self.caps, self.position.stacks, strict=True))
        return self.position.events_left - needed

    def needs(self, card: Card, heights: Sequence[int]) -> bool:
        return card.is_face and heights[card.suit] < self.step(card) <= self.caps[card.suit]

    def options(self, hand: set[Card], draw: int) -> list[tuple[Card, int]]:
        """Give the cards of the hand that come again, and when they do."""
        pairs = [(card, n) for n, card in enumerate(self.pile[draw:], draw + 1) if card in hand]
        return sorted(dict(reversed(pairs)).items())

    def run(
        self, held: set[Card], heights: list[int], draw: int, spare: int, thrown: bool = False
    ) -> str | tuple[set[Card], tuple[int, ...], int, int]:
        """Play on to the next overflow, and give it, or why it is lost, or "" if it is won.

        With ``thrown``, a card has just been thrown away and the next is to be drawn.
        """
        hand = {card for card in held if self.needs(card, heights)}
        draws = int(thrown)
        rules = self.position.rules
        while True:
            for _ in range(min(draws, len(self.pile) - draw)):
                card = self.pile[draw]
                draw += 1
                new = self.needs(card, heights) and card not in hand
                last = draw == len(self.pile) and rules.has_final_round and not rules.deck_play
                if new and last and self.step(card) < self.caps[card.suit]:
                    return LAST_CARD
                if new:
                    hand.add(card)
            now = [card for card in hand if self.step(card) == heights[card.suit] + 1]
            if now:
                draws = len(now)
                hand.difference_update(now)
                for card in now:
                    heights[card.suit] += 1
                continue
            if tuple(heights) == self.caps:
                return ""
            draws = 0
            from_pile = rules.deck_play and draw == len(self.pile) - 1
            top = self.pile[draw] if from_pile else USELESS
            if self.needs(top, heights) and self.step(top) == heights[top.suit] + 1:
                draw += 1
                heights[top.suit] += 1
                continue
            spare -= 1
            if draw == len(self.pile) or spare < 0:
                return LATE
            if from_pile and len(hand) == self.room:
                draw += 1  # thrown away from the pile
                continue
            if len(hand) == self.room:
                return hand, tuple(heights), draw, spare
            draws = 1

    def fates(self, end: str | tuple[set[Card], tuple[int, ...], int, int]) -> frozenset[str]:
        """Give the ways in which it is lost, whatever is thrown away; none if it can be won."""
        if isinstance(end, str):
            return frozenset([end] if end else [])
        hand, heights, draw, spare = end
        key = (frozenset(hand), heights, draw)
        if key not in self.known:
            if len(self.known) >= MOST_STATES:
                raise _TooMany
            self.known[key] = self._fates(hand, heights, draw, spare)
        return self.known[key]

    def _fates(
        self, hand: set[Card], heights: tuple[int, ...], draw: int, spare: int
    ) -> frozenset[str]:
        options = self.options(hand, draw)
        met = frozenset() if options else frozenset([FULL])
        for card, _ in options:
            fates = self.fates(self.run(hand - {card}, list(heights), draw, spare, True))
            if not fates:
                return fates
            met |= fates
        return met
