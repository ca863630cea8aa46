"""A deal: rules and a deck in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from solver.game.card import Card
from solver.game.errors import InputError
from solver.game.notation import any_card_text, card_text, cards_text, parse_cards
from solver.game.origin import Origin
from solver.game.rules import Rules
from solver.game.wording import amount

__all__ = ["Deal"]


@dataclass(frozen=True)
class Deal:
    """Rules and the whole deck, the card that is dealt first at index 0 (its *order*).

    Hands are dealt in blocks: seat p holds orders ``p * h`` to ``p * h + h - 1``, oldest first.

    Raises
    ------
    InputError
        Naming the first fault of the deck, card by card from the top.
    """

    rules: Rules
    deck: tuple[Card, ...]
    name: str = field(default="", compare=False)
    """Where the deal comes from, for people: a seed, a file and row."""
    variant: str = field(default="", compare=False)
    """The hanab.live variant that names the suits, a label; empty if there is none."""
    origin: Origin | None = field(default=None, compare=False)
    """Which environment deals this deck; None if that is not known."""

    def __post_init__(self) -> None:
        rules = self.rules
        if Counter(self.deck) == rules.composition:
            return
        letters = self.letters
        seen: Counter[Card] = Counter()
        for place, card in enumerate(self.deck, 1):
            if not rules.has_face(card):
                raise InputError(
                    f"deck: card {place} is {any_card_text(card, letters)}: no card of this game"
                )
            seen[card] += 1
            if seen[card] > rules.copies(card):
                raise InputError(
                    f"deck: card {place} is {card_text(card, letters)} number {seen[card]}, "
                    f"and there are only {rules.copies(card)}"
                )
        for card in rules.faces():
            if seen[card] < rules.copies(card):
                raise InputError(
                    f"deck: there are {len(self.deck)} cards, not {rules.deck_size}: "
                    f"{card_text(card, letters)} occurs {amount(seen[card], 'time')}, "
                    f"not {rules.copies(card)}"
                )

    @classmethod
    def of(cls, rules: Rules, deck: str | Iterable[Card], name: str = "") -> Deal:
        """Make a deal from a deck string or from cards."""
        if isinstance(deck, str):
            letters = "".join(s.letter for s in rules.suits)
            deck = parse_cards(deck, letters, "deck", [s.ranks for s in rules.suits])
        return cls(rules, tuple(deck), name)

    @property
    def letters(self) -> list[str]:
        """The suits' letters in order."""
        return [suit.letter for suit in self.rules.suits]

    @property
    def dealt(self) -> int:
        """The number of cards dealt to the hands; the order of the first draw."""
        return self.rules.players * self.rules.hand_size

    def text(self) -> str:
        """Write the deck string, top card first."""
        return cards_text(self.deck, self.letters)

    def __str__(self) -> str:
        return self.name or self.text()
