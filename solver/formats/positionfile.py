"""Position files: a moment in a game as one JSON object.

Its fields, all in words of this project's cards (``r1``, ``xx`` unknown, ``kt`` known to be
useless):

- ``num_players``; ``suits``, the suits' letters, and ``one_copy_suits``, a list of those that have
  one card of each rank; ``variant``, a hanab.live name that must fit them, for everything else that
  the rules leave open; or null;
- ``hands``, seat 0 first; oldest card first, unless ``hands_order`` says "newest first";
- ``stacks``, the height of each suit (a reversed one of height 2 shows its 4); of suits that can
  be built in several ways a text instead, the ranks on the stack from below, or "0";
  ``discards``, or null if they are not known;
- ``clues`` (tokens), ``strikes``, ``to_move`` (a seat), ``turns_left`` (null before the final
  round); ``last_clue``, "colour" or "rank", where types of clue must alternate and that matters;
- ``deck_size``, the cards still to be drawn; ``deck_order_top_first`` where their order is known;
  else ``unseen_pool``, all cards that are not in sight: those and the unknown ones in the hands.
  If it is null and the discards are known, it is what remains of the whole deck.

The longest hand is the hand size. Further fields are ignored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from solver.formats.hanablive import parse_json
from solver.formats.variants import LETTERS, find
from solver.game.card import UNKNOWN, Card
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.notation import DIGITS, built_text, card_text, parse_cards, parse_stack
from solver.game.position import Position
from solver.game.positiontext import CLUE_WORDS
from solver.game.rules import ClueType, Rules
from solver.game.suit import STANDARD_COPIES, Suit

__all__ = ["read", "write"]

ONE_OF_EACH = (1, 1, 1, 1, 1)


def read(source: str | bytes | object, where: str = "position") -> Position:
    """Read a position file, or the one line that `Position.text` writes.

    Parameters
    ----------
    source
        The file's text, or what was read from its JSON.
    where
        The file and row, for the error message.

    Raises
    ------
    InputError
        One line: where, which field, and what is wrong.
    """
    try:
        if isinstance(source, bytes):
            try:
                source = source.decode("utf-8-sig")
            except UnicodeDecodeError:
                raise InputError("this is not UTF-8 text") from None
        if isinstance(source, str):
            if not source.lstrip("\ufeff \t\r\n").startswith("{"):
                return Position.from_text(source)
            source = parse_json(source.lstrip("\ufeff"))
        if not isinstance(source, dict):
            raise InputError("a position is a JSON object")
        return _read(source)
    except InputError as error:
        raise type(error)(f"{where}: {error}") from None


def _read(found: Mapping[str, Any]) -> Position:
    letters = _letters(found)
    players = _number(found, "num_players", 2, 6)
    seats = found.get("hands")
    if not isinstance(seats, list) or len(seats) != players:
        raise InputError(f"hands is not a list of {players} hands")
    hands = [_cards(hand, f"hands: seat {seat}", letters) for seat, hand in enumerate(seats)]
    order = found.get("hands_order")
    if isinstance(order, str) and "newest first" in order:
        hands = [hand[::-1] for hand in hands]
    rules, variant = _rules(found, letters, players, max(map(len, hands)))
    stacks, built = _stacks(found, letters, rules)
    discards = found.get("discards")
    gone = [] if discards is None else _cards(discards, "discards", letters)
    ordered, pile = _pile(found, letters, hands, None if discards is None else gone, rules, built)
    turns = found.get("turns_left")
    return Position(
        rules=rules,
        stacks=stacks,
        hands=tuple(map(tuple, hands)),
        pile=tuple(pile if ordered else sorted(pile)),
        discards=tuple(sorted(gone)),
        clues=_number(found, "clues", 0, 100) * rules.clue_price,
        strikes=_number(found, "strikes", 0, 100),
        seat=_number(found, "to_move", 0, players - 1),
        turns_left=None if turns is None else _number(found, "turns_left", 0, players),
        ordered=ordered,
        last_clue=_last_clue(found),
        variant=variant,
    )


def _last_clue(found: Mapping[str, Any]) -> ClueType:
    word = found.get("last_clue")
    for kind, name in CLUE_WORDS.items():
        if word == name:
            return kind
    if word is not None:
        raise InputError("last_clue is not colour or rank")
    return 0


def _pile(
    found: Mapping[str, Any],
    letters: str,
    hands: list[list[Card]],
    discards: list[Card] | None,
    rules: Rules,
    built: list[Card],
) -> tuple[bool, list[Card]]:
    """Read the unseen cards, and say whether they are the draw pile in order."""
    size = _number(found, "deck_size", 0, 60)
    unknown = sum(hand.count(UNKNOWN) for hand in hands)
    known, pool = found.get("deck_order_top_first"), found.get("unseen_pool")
    unseen = None if pool is None else _cards(pool, "unseen_pool", letters)
    if known is not None:
        order = _cards(known, "deck_order_top_first", letters)
        if unknown:
            raise InputError("hands: a card is unknown, though the order of the deck is known")
        if unseen is not None and sorted(unseen) != sorted(order):
            raise InputError("deck_order_top_first and unseen_pool are not the same cards")
        unseen = order
    elif unseen is None and size + unknown > 0:
        if discards is None:
            raise InputError("unseen_pool: it is missing, and the discards are not known either")
        unseen = _rest(rules, [*built, *discards, *(card for hand in hands for card in hand)])
    unseen = unseen or []
    if len(unseen) != size + unknown:
        raise InputError(
            f"deck_size: {size} cards to draw and {unknown} unknown ones in hands make "
            f"{size + unknown}, and there are {len(unseen)} unseen cards"
        )
    return known is not None or not unseen, unseen


def _rest(rules: Rules, seen: list[Card]) -> list[Card]:
    """Give the cards of the whole deck that are neither on the stacks nor among ``seen``."""
    left = Counter(rules.sorted_deck())
    left.subtract(card for card in seen if card.is_face)
    if any(not card.is_face and card != UNKNOWN for card in seen):
        raise InputError("unseen_pool: it is missing, and a card is only known to be useless")
    return sorted(left.elements())


def _letters(found: Mapping[str, Any]) -> str:
    letters = found.get("suits")
    if not isinstance(letters, str) or not 1 <= len(letters) <= len(LETTERS):
        raise InputError("suits is not a text of 1 to 6 letters")
    if not re.fullmatch("[A-Za-z]+", letters) or len(set(letters.lower())) < len(letters):
        raise InputError(f"suits: {letters!r} are not different letters from a to z")
    return letters.lower()


def _number(found: Mapping[str, Any], field: str, least: int, most: int) -> int:
    value = found.get(field)
    if type(value) is not int or not least <= value <= most:
        raise InputError(f"{field} is not a number from {least} to {most}")
    return value


def _cards(found: object, where: str, letters: str) -> list[Card]:
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise InputError(f"{where}: this is not a list of cards")
    for number, word in enumerate(found, 1):
        if len(word) != 2:
            raise InputError(f"{where}: card {number} is {word[:20]!r}, which is none")
    return parse_cards("".join(found), letters, where)


def _stacks(
    found: Mapping[str, Any], letters: str, rules: Rules
) -> tuple[tuple[int, ...], list[Card]]:
    """Read the stacks' states, and the cards on them."""
    stacks = found.get("stacks")
    if not isinstance(stacks, dict) or sorted(stacks) != sorted(letters):
        raise InputError(f"stacks does not give a height for each of the suits {letters}")
    states: list[int] = []
    built: list[Card] = []
    for number, (letter, suit) in enumerate(zip(letters, rules.suits, strict=True)):
        text = stacks[letter]
        if suit.order:
            if type(text) is not int or not 0 <= text <= suit.full:
                raise InputError(f"stacks: {letter} is not a height from 0 to {suit.full}")
            states.append(text)
            ranks: Sequence[int] = suit.order[:text]
        else:
            if not isinstance(text, str):
                raise InputError(f"stacks: {letter} is no text of the ranks on it, from below")
            states.append(parse_stack(suit, text))
            ranks = [DIGITS.index(c) for c in text if c != "0"]
        built.extend(Card(number, rank) for rank in ranks)
    return tuple(states), built


def _rules(
    found: Mapping[str, Any], letters: str, players: int, hand_size: int
) -> tuple[Rules, str]:
    """Give the rules, and the variant that they are labelled with."""
    ones = found.get("one_copy_suits", [])
    if not isinstance(ones, list) or not all(isinstance(s, str) and s in letters for s in ones):
        raise InputError(f"one_copy_suits is not a list of some of the suits {letters}")
    name = found.get("variant")
    if name is not None and not isinstance(name, str):
        raise InputError("variant is not a name")
    suits = tuple(Suit(s, ONE_OF_EACH if s in ones else STANDARD_COPIES) for s in letters)
    if name is None:
        return Rules(players, hand_size, suits), ""
    variant = find(name)
    dark = [letter for letter, s in zip(letters, variant.suits, strict=False) if s.dark]
    if len(variant.suits) != len(letters) or dark != sorted(ones, key=letters.index):
        if name == "No Variant":
            return Rules(players, hand_size, suits), ""
        raise InputError(f"variant: {variant.name} has not the suits {letters}, or other copies")
    rules = variant.rules(players, hand_size=hand_size)
    named = tuple(replace(suit, letter=s) for s, suit in zip(letters, rules.suits, strict=True))
    return replace(rules, suits=named), variant.name


def write(position: Position) -> dict[str, Any]:
    """Write a position as a position file, ready for ``json.dumps``.

    Raises
    ------
    UnsupportedRulesError
        If the fields cannot say its rules; `Position.text` can say all.
    """
    rules, letters = position.rules, position.letters

    def words(cards: Iterable[Card]) -> list[str]:
        return [card_text(card, letters) for card in cards]

    made: dict[str, Any] = {
        "num_players": rules.players,
        "variant": position.variant or None,
        "suits": "".join(letters),
        "one_copy_suits": [s.letter for s in rules.suits if set(s.copies) == {1}],
        "hands": [words(hand) for hand in position.hands],
        "hands_order": "oldest first",
        "stacks": {
            suit.letter: state if suit.order else built_text(suit, state)
            for suit, state in zip(rules.suits, position.stacks, strict=True)
        },
        "discards": words(position.discards),
        "clues": position.clues // rules.clue_price,
        "strikes": position.strikes,
        **({"last_clue": CLUE_WORDS[position.last_clue]} if position.last_clue else {}),
        "to_move": position.seat,
        "turns_left": position.turns_left,
        "deck_size": position.pile_size,
        "unseen_pool": words(sorted(position.pile)),
        "deck_order_top_first": words(position.pile) if position.ordered else None,
    }
    try:
        same = read(made) == position
    except InputError:
        same = False
    if not same:
        raise UnsupportedRulesError("the rules of this position are none that a position file has")
    return made
