"""Cards and rules as text: the words that deck strings and position texts are made of.

A card is its suit's letter and its rank in base 36 (``r1``, ``b5``, ``ta`` for rank 10), ``xx``
when its face is unknown and ``kt`` when it is known to be useless. A run of cards has nothing
between them; ``-`` stands for no card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.errors import InputError
from solver.game.rules import Ending, Rules
from solver.game.suit import Suit

__all__ = [
    "DIGITS", "any_card_text", "built_text", "card_text", "cards_text",
    "parse_cards", "parse_possible", "parse_rules", "parse_stack", "possible_text",
    "rules_text", "stack_text",
]  # fmt: skip

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Ranks as they are written."""

_BUILDS = {"updown": Suit.up_or_down, "cyclic": Suit.cyclic}

_NUMBERS = {
    "first": "first_player",
    "start": "start_clues",
    "price": "clue_price",
    "discard": "discard_gain",
    "finish": "stack_gain",
}
_FLAGS = {
    "full-discard": "discard_at_full",
    "empty-clues": "empty_clues",
    "alternating-clues": "alternating_clues",
    "lost-scores": "lost_scores_stacks",
    "deck-play": "deck_play",
    "different-starts": "different_starts",
}
_FACES = {
    "untouchable": "untouchable",
    "colour-only": "colour_only",
    "rank-only": "rank_only",
}


def card_text(card: Card, letters: Sequence[str]) -> str:
    """Write one card; ``letters`` are the suits' letters in order."""
    if card == UNKNOWN:
        return "xx"
    if card == USELESS:
        return "kt"
    return letters[card.suit] + DIGITS[card.rank]


def stack_text(suit: Suit, state: int) -> str:
    """Write what a stack shows: its top card, only the letter while it is empty.

    Where its state leaves open which card lies on top, the number of its cards: ``r*2``.
    """
    height = suit.heights[state]
    if not height:
        return suit.letter
    top = {rank for row in suit.build for rank, after in enumerate(row, 1) if after == state}
    return suit.letter + DIGITS[top.pop()] if len(top) == 1 else f"{suit.letter}*{height}"


def any_card_text(card: Card, letters: Sequence[str]) -> str:
    """Write a card that may be none of the game, such as ``r6`` or ``suit 7 rank 3``."""
    if not card.is_face or (card.suit < len(letters) and 1 <= card.rank < len(DIGITS)):
        return card_text(card, letters)
    return f"suit {card.suit + 1} rank {card.rank}"


def cards_text(cards: Iterable[Card], letters: Sequence[str]) -> str:
    """Write cards in a run, ``-`` if there are none."""
    return "".join(card_text(card, letters) for card in cards) or "-"


def parse_cards(text: str, letters: str, where: str, ranks: Sequence[int] = ()) -> list[Card]:
    """Read a run of cards, upper or lower case, ``-`` for none.

    Parameters
    ----------
    letters
        The suits' letters in order.
    where
        What is being read, for the error message.
    ranks
        The number of ranks of each suit; empty to let every rank from 1 pass.

    Raises
    ------
    InputError
        Naming the first card that is none.
    """
    if text == "-":
        return []
    lower = text.lower()
    cards = []
    for place in range(0, len(lower), 2):
        word = lower[place : place + 2]
        number = place // 2 + 1
        if word == "xx":
            cards.append(UNKNOWN)
            continue
        if word == "kt":
            cards.append(USELESS)
            continue
        suit = letters.find(word[0])
        if suit < 0:
            raise InputError(
                f"{where}: card {number} is {word!r}, and no suit is called {word[0]!r}"
            )
        rank = DIGITS.find(word[1]) if len(word) == 2 else -1
        most = ranks[suit] if ranks else len(DIGITS)
        if not 1 <= rank <= most:
            raise InputError(
                f"{where}: card {number} is {word!r}, "
                f"and its rank is not 1 to {DIGITS[min(most, 35)]}"
            )
        cards.append(Card(suit, rank))
    return cards


def parse_possible(
    text: str, letters: str, where: str, ranks: Sequence[int] = ()
) -> list[list[Card] | None]:
    """Read what each card of a hand may be: ``r5y5,xx,kt``, the oldest card first.

    ``xx`` is anything, which is given as None; ``kt`` any useless card.
    """
    found: list[list[Card] | None] = []
    for number, word in enumerate(text.split(","), 1):
        cards = parse_cards(word, letters, f"{where}: card {number}", ranks)
        found.append(None if UNKNOWN in cards else cards)
    return found


def possible_text(possible: Sequence[Iterable[Card] | None], letters: Sequence[str]) -> str:
    """Write what `parse_possible` reads."""
    return ",".join("xx" if c is None else cards_text(sorted(c), letters) for c in possible)


def _short_build(suit: Suit) -> str | None:
    for word, make in _BUILDS.items():
        try:
            if make(suit.letter, suit.copies) == suit:
                return word
        except InputError:
            continue
    return None


def built_text(suit: Suit, state: int) -> str:
    """Write a stack: its height, or the ranks on it from below where one height is not one state.

    In such suits ``0`` is an empty stack, and where several stacks come to the same state, such as
    1, 2 and START, 2, the lowest ranks are written.
    """
    if suit.order:
        return str(state)
    return "".join(DIGITS[rank] for rank in suit.stacked(state)) or "0"


def parse_stack(suit: Suit, text: str) -> int:
    """Read what `built_text` wrote, or any other ranks that make a stack; give its state."""
    if suit.order:
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise InputError(f"stacks: {text!r} is not a number")
        return int(text)
    known = text and all(c in DIGITS for c in text)
    state = 0 if text == "0" else suit.state_of(map(DIGITS.index, text)) if known else -1
    if state < 0:
        raise InputError(f"stacks: {suit.letter}{text} is no stack of that suit, ranks from below")
    return state


def rules_text(rules: Rules) -> tuple[str, list[str]]:
    """Write the suits (``rygb:32221,k:11111``) and the words for every unusual rule.

    After the copies of the ranks from 1 stands how a suit is built if it is not upwards: ``>`` and
    the ranks in their order (``k:12223>54321``), or ``>updown`` (the last rank is START), or
    ``>cyclic``; all others have ``!`` and the rows of their table, states in base 36.
    """
    groups: list[tuple[str, str]] = []
    for suit in rules.suits:
        shape = "".join(str(count) for count in suit.copies)
        if suit.order and not suit.is_upward:
            shape += ">" + "".join(DIGITS[rank] for rank in suit.order)
        elif (short := _short_build(suit)) is not None:
            shape += ">" + short
        elif not suit.is_upward:
            rows = ("".join("-" if s < 0 else DIGITS[s] for s in row) for row in suit.build)
            shape += "!" + ".".join(rows)
        if groups and groups[-1][1] == shape:
            groups[-1] = (groups[-1][0] + suit.letter, shape)
        else:
            groups.append((suit.letter, shape))
    words = []
    usual = Rules(rules.players, rules.hand_size, rules.suits, max_clues=rules.max_clues,
                  start_clues=rules.max_clues)  # fmt: skip
    for word, name in _NUMBERS.items():
        if getattr(rules, name) != getattr(usual, name):
            words.append(f"{word}={getattr(rules, name)}")
    words.extend(word for word, name in _FLAGS.items() if getattr(rules, name))
    if rules.ending is not Ending.FINAL_ROUND:
        words.append(f"ending={rules.ending.value}")
    letters = [suit.letter for suit in rules.suits]
    for word, name in _FACES.items():
        if faces := getattr(rules, name):
            words.append(f"{word}={cards_text(sorted(faces), letters)}")
    return ",".join(f"{letters}:{shape}" for letters, shape in groups), words


def parse_suits(text: str) -> tuple[Suit, ...]:
    """Read ``rygb:32221,k:11111``, the suits field of a position text."""
    suits: list[Suit] = []
    for group in text.split(","):
        letters, colon, shape = group.partition(":")
        counts, mark, table = shape.partition("!" if "!" in shape else ">")
        if not (letters and colon and counts.isascii() and counts.isdigit()):
            raise InputError(f"suits: {group!r} is not letters, a colon and copies per rank")
        copies = tuple(int(c) for c in counts)
        if mark == ">" and table in _BUILDS:
            suits.extend(_BUILDS[table](letter, copies) for letter in letters)
            continue
        if mark == ">":
            if not all(c in DIGITS for c in table):
                raise InputError(f"suits: {table!r} is no order of ranks")
            order = [DIGITS.index(c) for c in table]
            suits.extend(Suit.ordered(letter, copies, order) for letter in letters)
            continue
        rows = []
        for row in table.split(".") if table else ():
            if not all(c == "-" or c in DIGITS for c in row):
                raise InputError(f"suits: {row!r} is no row of a building order")
            rows.append(tuple(-1 if c == "-" else DIGITS.index(c) for c in row))
        suits.extend(Suit(letter, copies, tuple(rows)) for letter in letters)
    return tuple(suits)


def parse_rules(suits: str, players: int, hand_size: int, max_clues: int, max_strikes: int,
                words: Iterable[str]) -> Rules:  # fmt: skip
    """Build rules from the fields of a position text."""
    made = parse_suits(suits)
    values: dict[str, Any] = {"start_clues": max_clues}
    for word in words:
        name, equals, value = word.partition("=")
        if name in _FLAGS and not equals:
            values[_FLAGS[name]] = True
        elif name in _NUMBERS and value.isascii() and value.isdigit():
            values[_NUMBERS[name]] = int(value)
        elif name == "ending" and value in {e.value for e in Ending}:
            values["ending"] = Ending(value)
        elif name in _FACES:
            letters = "".join(s.letter for s in made)
            ranks = [s.ranks for s in made]
            values[_FACES[name]] = frozenset(parse_cards(value, letters, name, ranks))
        else:
            raise InputError(f"rule word {word!r} is not known")
    return Rules(players, hand_size, made, max_clues=max_clues, max_strikes=max_strikes,
                 **values)  # fmt: skip
