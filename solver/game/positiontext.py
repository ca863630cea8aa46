"""Positions as text: the one line that is read back, and the board for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.game.errors import InputError
from solver.game.notation import (
    built_text,
    card_text,
    cards_text,
    parse_cards,
    parse_rules,
    parse_stack,
    rules_text,
)
from solver.game.rules import COLOUR, RANK
from solver.game.wording import amount

if TYPE_CHECKING:
    from solver.game.position import Position

__all__ = ["CLUE_WORDS", "board", "read", "write"]

CLUE_WORDS = {COLOUR: "colour", RANK: "rank"}
"""The types of clue as words."""


def write(position: Position) -> str:
    """Write a position in one line; `read` reads it back. docs/positions.md has the grammar."""
    rules, letters = position.rules, position.letters
    suits, words = rules_text(rules)
    if rules.hand_size != max(map(len, position.hands)):
        words.append(f"hand={rules.hand_size}")
    if position.last_clue:
        words.append(f"last={CLUE_WORDS[position.last_clue]}")
    pile = cards_text(position.pile, letters)
    fields = [
        suits,
        ",".join(
            suit.letter + built_text(suit, state)
            for suit, state in zip(rules.suits, position.stacks, strict=True)
        ),
        "/".join(cards_text(hand, letters) for hand in position.hands),
        pile if position.ordered else "?" + pile,
        cards_text(position.discards, letters),
        f"{position.clues}/{rules.max_clues}",
        f"{position.strikes}/{rules.max_strikes}",
        str(position.seat),
        "-" if position.turns_left is None else str(position.turns_left),
        *words,
    ]
    return " ".join(fields)


def read(text: str) -> dict[str, Any]:
    """Read what `write` wrote: the fields of a `Position` by their names.

    Raises
    ------
    InputError
        Saying which field is wrong.
    """
    fields = text.split()
    if len(fields) < 9:
        raise InputError(f"a position has 9 fields, and this has {len(fields)}")
    suits, stacks, hands, pile, discards, clues, strikes, seat, turns, *words = fields
    left, most = _fraction(clues, "clues")
    struck, limit = _fraction(strikes, "strikes")
    seats = hands.split("/")
    sized = [word for word in words if word.startswith("hand=")]
    clued = [word for word in words if word.startswith("last=")][:1]
    types = {f"last={word}": kind for kind, word in CLUE_WORDS.items()}
    if clued and clued[0] not in types:
        raise InputError(f"last: {clued[0][5:]!r} is not colour or rank")
    size = _number(sized[0][5:], "hand") if sized else 0
    if not sized:
        size = max(0 if hand == "-" else len(hand) // 2 for hand in seats)
    rest = [word for word in words if word not in (*sized[:1], *clued)]
    rules = parse_rules(suits, len(seats), size, most, limit, rest)
    letters = "".join(s.letter for s in rules.suits)
    ranks = [s.ranks for s in rules.suits]
    towers = stacks.split(",")
    if [t[:1] for t in towers] != list(letters):
        raise InputError(f"stacks: {stacks!r} does not name the suits {letters} in order")
    ordered = not pile.startswith("?")
    unseen = parse_cards(pile.removeprefix("?"), letters, "pile", ranks)
    return {
        "rules": rules,
        "stacks": tuple(
            parse_stack(suit, tower[1:]) for suit, tower in zip(rules.suits, towers, strict=True)
        ),
        "hands": tuple(
            tuple(parse_cards(hand, letters, f"hand of seat {p}", ranks))
            for p, hand in enumerate(seats)
        ),
        "pile": tuple(unseen if ordered else sorted(unseen)),
        "discards": tuple(sorted(parse_cards(discards, letters, "discards", ranks))),
        "clues": left,
        "strikes": struck,
        "seat": _number(seat, "seat"),
        "turns_left": None if turns == "-" else _number(turns, "turns left"),
        "ordered": ordered,
        "last_clue": types[clued[0]] if clued else 0,
    }


def board(position: Position) -> str:
    """Show a position for people, a line each for the stacks, the hands, the pile and so on."""
    rules, letters = position.rules, position.letters
    towers = zip(letters, position.stacks, rules.suits, strict=True)
    lines = [
        "stacks    " + " ".join(letter + built_text(s, state) for letter, state, s in towers),
        *(
            f"{'> ' if p == position.seat else '  '}seat {p}  "
            + " ".join(card_text(card, letters) for card in hand)
            for p, hand in enumerate(position.hands)
        ),
        f"{'pile' if position.ordered else 'unseen':<10}"
        + (" ".join(card_text(card, letters) for card in position.pile) or "-"),
        "discards  " + (" ".join(card_text(card, letters) for card in position.discards) or "-"),
        f"clues {position.clues} of {rules.max_clues}, strikes {position.strikes} of "
        f"{rules.max_strikes}, score {position.score} of {rules.max_score}"
        + ("" if position.turns_left is None else f", {amount(position.turns_left, 'turn')} left"),
    ]
    return "\n".join(lines)


def _number(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InputError(f"{where}: {text!r} is not a number")
    return int(text)


def _fraction(text: str, where: str) -> tuple[int, int]:
    left, slash, most = text.partition("/")
    if not slash:
        raise InputError(f"{where}: {text!r} is not of the form 3/8")
    return _number(left, where), _number(most, where)
