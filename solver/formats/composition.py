"""What the cards of a deck say about its suits, for decks that come without a variant's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from solver.formats.variants import find
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.notation import DIGITS
from solver.game.rules import Rules, usual_hand_size
from solver.game.suit import Suit

__all__ = ["deal_of_cards", "letters_in_order", "read_deck", "suits_of"]

LETTER_ORDER = "rygbptkwm"
"""Suits stand in this order, others after them as they first appear."""

LABELS = {
    (0, 3): "3 Suits",
    (0, 4): "4 Suits",
    (0, 5): "No Variant",
    (0, 6): "6 Suits",
    (1, 5): "Black (5 Suits)",
    (1, 6): "Black (6 Suits)",
}
"""The plainest variant with so many one-of-each suits, the last ones, and so many in all."""


def read_deck(text: str) -> tuple[str, list[Card]]:
    """Read a deck string whose suits are not known; give the suits' letters in order, and the deck.

    Raises
    ------
    InputError
        Naming the first card that is none.
    """
    lower = text.strip().lower()
    found = []
    for place in range(0, len(lower), 2):
        word = lower[place : place + 2]
        rank = DIGITS.find(word[1]) if len(word) == 2 else -1
        if not "a" <= word[0] <= "z" or not 1 <= rank <= 10:
            what = "no card" if len(word) == 2 else "half a card"
            raise InputError(f"deck: card {place // 2 + 1} is {word!r}, which is {what}")
        found.append((word[0], rank))
    if not found:
        raise InputError("deck: there are no cards")
    appeared = dict.fromkeys(letter for letter, _ in found)
    letters = letters_in_order(appeared)
    if len(letters) > 6:
        counts = Counter(letter for letter, _ in found)
        ones = [(n, s + DIGITS[r]) for n, (s, r) in enumerate(found, 1) if counts[s] == 1]
        lone = ones[0] if len(ones) == 1 else None
        raise InputError(
            f"deck: there are {len(letters)} suits, {letters}, not 1 to 6"
            + (f": card {lone[0]} is {lone[1]}" if lone else "")
        )
    return letters, [Card(letters.index(letter), rank) for letter, rank in found]


def letters_in_order(letters: Iterable[str]) -> str:
    """Put the letters of suits into the order that the suits have."""
    return "".join(sorted(letters, key=_letter_place))


def _letter_place(letter: str) -> int:
    place = LETTER_ORDER.find(letter)
    return place if place >= 0 else len(LETTER_ORDER)


def known_shapes(ranks: int) -> list[tuple[int, ...]]:
    """Give the copies of each rank in suits that are known to stand beside one-of-each ones.

    Standard (3 2 2 2 1), Scarce Ones (2 2 2 2 1) and Critical Fours (3 2 2 1 1), shortened or
    lengthened in the middle.
    """
    if ranks < 2:
        return [(3,)]
    shapes = [(3, *(2,) * (ranks - 2), 1), (2, *(2,) * (ranks - 2), 1)]
    if ranks > 2:
        shapes.append((3, *(2,) * (ranks - 3), 1, 1))
    return shapes


def suits_of(cards: Sequence[Card], letters: str) -> tuple[Suit, ...]:
    """Find out the suits of a whole deck.

    If all suits have the same copies, any will do. Else all but the one-of-each suits must have
    the copies of one known shape; anything else is taken for a typing error.

    Raises
    ------
    InputError
        Naming the suit that is wrong, its copies, and the likely card.
    """
    counts = Counter(cards)
    ranks = max((card.rank for card in cards), default=0)
    shapes = [tuple(counts[Card(s, r)] for r in range(1, ranks + 1)) for s in range(len(letters))]
    for letter, shape in zip(letters, shapes, strict=True):
        if not any(shape):
            raise InputError(f"deck: there is no card of suit {letter}")
    for number, card in enumerate(cards, 1):
        # A rank that only few suits reach is rather a typing error than a longer suit.
        holders = sum(len(shape) >= card.rank > 0 < shape[card.rank - 1] for shape in shapes)
        if card.rank > 5 and 2 * holders <= len(letters):
            word = letters[card.suit] + DIGITS[card.rank]
            raise InputError(f"deck: card {number} is {word}, and most suits have no such rank")
    sizes = [sum(shape) for shape in shapes]
    for number, card in enumerate(cards, 1):
        if 4 * sizes[card.suit] < max(sizes):
            word = letters[card.suit] + DIGITS[card.rank]
            others = "".join(s for s, n in zip(letters, sizes, strict=True) if 4 * n >= max(sizes))
            raise InputError(f"deck: card {number} is {word}, and the suits are {others}")
    if len(set(shapes)) > 1:
        ones = (1,) * ranks
        usual = max(known_shapes(ranks), key=shapes.count)
        for letter, shape in zip(letters, shapes, strict=True):
            if shape not in (usual, ones):
                raise InputError(_fault(letter, shape, (usual, ones)))
    for letter, shape in zip(letters, shapes, strict=True):
        if 0 in shape:
            raise InputError(f"deck: suit {letter} has no card of rank {shape.index(0) + 1}")
    return tuple(Suit(letter, shape) for letter, shape in zip(letters, shapes, strict=True))


def _fault(letter: str, shape: tuple[int, ...], known: tuple[tuple[int, ...], ...]) -> str:
    def distance(wanted: tuple[int, ...]) -> int:
        return sum(abs(have - want) for have, want in zip(shape, wanted, strict=True))

    wanted = min(known, key=distance)
    words = []
    for rank, (have, want) in enumerate(zip(shape, wanted, strict=True), 1):
        if have != want:
            few = "many" if have > want else "few"
            words.append(f"{abs(have - want)} {letter}{DIGITS[rank]} too {few}")
    return (
        f"deck: suit {letter} has {' '.join(map(str, shape))} copies of the ranks from 1, "
        f"not {' '.join(map(str, wanted))}: {', '.join(words)}"
    )


def deal_of_cards(cards: Sequence[Card], letters: str, players: int, name: str = "") -> Deal:
    """Make a deal of a whole deck in order, by the printed rules for its own suits.

    Raises
    ------
    InputError
        As `suits_of`, and if there are not 2 to 6 players or too few cards for them.
    """
    suits = suits_of(cards, letters)
    if not 2 <= players <= 6:
        raise InputError(f"players is {players}, not 2 to 6")
    rules = Rules(players, usual_hand_size(players), suits)
    return Deal(rules, tuple(cards), name, label_of(suits))


def label_of(suits: tuple[Suit, ...]) -> str:
    dark = sum(suit.copies == (1, 1, 1, 1, 1) for suit in suits)
    name = LABELS.get((dark, len(suits)), "")
    if not name:
        return ""
    variant = find(name)
    fits = [variant.copies(suit) for suit in variant.suits] == [suit.copies for suit in suits]
    return name if fits else ""
