"""A game written down move by move as an environment tells it: slots of hands, its own colours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

from solver.decks.palette import Palette
from solver.formats.composition import label_of
from solver.formats.hanablive import NAMES, Game, options_of
from solver.formats.moves import DISCARD, PLAY, Move
from solver.formats.record import Record
from solver.formats.variants import COLOUR, RANK
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.origin import Origin
from solver.game.rules import Rules

__all__ = ["Transcript", "cards_of"]

T = TypeVar("T")


class Transcript:
    """The moves so far, and which card lies where by its place in the deck.

    Parameters
    ----------
    rules
        Its suits are those of ``palette``.
    palette
        The environment's colours.
    """

    def __init__(self, rules: Rules, palette: Palette) -> None:
        size = rules.hand_size
        self.rules = rules
        self.palette = palette
        self.seat = rules.first_player
        """Who acts next."""
        self.moves: list[Move] = []
        self.hands = [list(range(p * size, (p + 1) * size)) for p in range(rules.players)]
        self.drawn = size * rules.players
        """How many cards have been dealt."""
        self.needed = self.drawn
        """So many cards have to be known; the one drawn last need not, if the game ended there."""

    def _fault(self, words: str) -> InputError:
        return InputError(f"turn {len(self.moves) + 1}: seat {self.seat} {words}")

    def follow(
        self,
        moves: Iterable[T],
        act: Callable[[Transcript, T, Sequence[Card]], object],
        cards: Sequence[Card],
    ) -> None:
        """Make all moves of a log.

        Parameters
        ----------
        act
            Makes one of them; it may look at the deck's ``cards``.

        Raises
        ------
        InputError
            What ``act`` raises, with the turn.
        """
        for turn, move in enumerate(moves, 1):
            try:
                act(self, move, cards)
            except InputError as error:
                where = "" if str(error).startswith("turn ") else f"turn {turn}: "
                raise InputError(f"{where}{error}") from None

    def play(self, slot: int) -> int:
        """Play the card in a slot, 0 the oldest; give its place in the deck."""
        return self._part_with(PLAY, slot)

    def discard(self, slot: int) -> int:
        """Discard the card in a slot, 0 the oldest; give its place in the deck."""
        return self._part_with(DISCARD, slot)

    def _part_with(self, kind: int, slot: int) -> int:
        hand = self.hands[self.seat]
        if not 0 <= slot < len(hand):
            raise self._fault(f"has no card in slot {slot}")
        order = hand.pop(slot)
        self.needed = self.drawn
        if self.drawn < self.rules.deck_size:
            hand.append(self.drawn)
            self.drawn += 1
        self._add(Move(kind, order))
        return order

    def clue_colour(self, target: int, colour: int) -> None:
        """Clue a colour, by the environment's number, to a seat."""
        if not 0 <= colour < len(self.palette.suit_of):
            raise self._fault(f"clues colour {colour}, and there are {len(self.palette.suit_of)}")
        self._clue(COLOUR, target, self.palette.suit_of[colour])

    def clue_rank(self, target: int, rank: int) -> None:
        """Clue a rank, from 1, to a seat."""
        if not 1 <= rank <= len(self.palette.copies):
            raise self._fault(f"clues rank {rank}, and there are {len(self.palette.copies)}")
        self._clue(RANK, target, rank)

    def _clue(self, kind: int, target: int, value: int) -> None:
        self.needed = self.drawn
        if not 0 <= target < self.rules.players:
            raise self._fault(f"clues to seat {target}, and there are {self.rules.players}")
        self._add(Move(kind, target, value))

    def _add(self, move: Move) -> None:
        self.moves.append(move)
        self.seat = (self.seat + 1) % self.rules.players

    def ahead(self, offset: int) -> int:
        """Give the seat so many places after the one that acts."""
        return (self.seat + offset) % self.rules.players

    def act(self, number: int) -> None:
        """Add a move by its number in the learning environments.

        Discards by slot, plays by slot, colours for the next player, for the one after and so on,
        ranks likewise.
        """
        size, colours = self.rules.hand_size, len(self.palette.suit_of)
        ranks, others = len(self.palette.copies), self.rules.players - 1
        if 0 <= number < size:
            self.discard(number)
        elif size <= number < 2 * size:
            self.play(number - size)
        elif 0 <= (clue := number - 2 * size) < others * colours:
            self.clue_colour(self.ahead(1 + clue // colours), clue % colours)
        elif 0 <= (clue := clue - others * colours) < others * ranks:
            self.clue_rank(self.ahead(1 + clue // ranks), 1 + clue % ranks)
        else:
            raise self._fault(f"takes action {number}, and there is none")

    def game(
        self,
        cards: Iterable[Card],
        record: Record,
        names: Sequence[str] = (),
        origin: Origin | None = None,
    ) -> Game:
        """Make the game; ``cards`` are those that were dealt, perhaps not the whole deck.

        Raises
        ------
        InputError
            If the cards are none of this game's, or fewer than were drawn.
        """
        rules = self.rules
        known = list(cards)
        if len(known) < self.needed:
            raise InputError(f"deck: {len(known)} cards, and {self.needed} were drawn")
        rest = rules.composition - Counter(known)
        whole = [*known, *rest.elements()]
        dealt = len(known) if len(rest) > 1 else None  # cards of one face have but one order
        if dealt is not None and origin is None:
            origin = Origin(record.source, "", f"{dealt} cards recorded, the rest put in order")
        deal = Deal(rules, tuple(whole), "", label_of(rules.suits), origin)
        options = {}
        with suppress(UnsupportedRulesError):
            options = options_of(deal)
        record = Record(record.source, record.score, record.lost_minus, dealt)
        players = tuple(names) or NAMES[: rules.players]
        moves = tuple(self.moves)
        return Game(players, deal, moves, None, options, "", record, named=bool(names))


def cards_of(found: object, palette: Palette) -> list[Card]:
    """Read the cards of a deck in an environment's colours.

    Parameters
    ----------
    found
        A text (``R1 G2`` or ``r1g2``, the rank first or last) or a list: of such words, of pairs
        of colour and rank from 0, or of numbers, colour times ranks plus rank from 0.

    Raises
    ------
    InputError
        Naming the first card that is none.
    """
    if isinstance(found, str):
        words = found.split()
        found = words if len(words) > 1 else re.findall("..?", found.strip())
    if not isinstance(found, list):
        raise InputError("deck is neither a text nor a list")
    return [_card(item, number, palette) for number, item in enumerate(found, 1)]


def _card(item: object, number: int, palette: Palette) -> Card:
    ranks = len(palette.copies)
    colour = rank = -1
    if isinstance(item, str) and (
        match := re.fullmatch("([A-Za-z])([1-9])|([1-9])([A-Za-z])", item)
    ):
        colour = palette.colours.find((match[1] or match[4]).upper())
        rank = int(match[2] or match[3]) - 1
    elif type(item) is int:
        colour, rank = divmod(item, ranks)
    elif isinstance(item, list) and len(item) == 2 and {type(part) for part in item} == {int}:
        colour, rank = item
    if not (0 <= colour < len(palette.colours) and 0 <= rank < ranks):
        raise InputError(f"deck: card {number} is {str(item)[:20]!r}, which is none")
    return Card(palette.suit_of[colour], rank + 1)
