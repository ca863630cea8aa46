"""Share links of hanab.live: a whole game in an address, read and written.

The code after ``/replay-json/`` has three fields between commas, and sometimes the seed as a
fourth: players, lowest and highest rank, and cards; lowest and highest type of action, and two
characters an action; the variant's number. A hyphen after every twenty characters means nothing,
except in the seed. Of the options only the variant is carried.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.formats.hanablive import ENDS, NAMES, Game, deal_of_seed
from solver.formats.moves import Move
from solver.formats.variants import find
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError

__all__ = ["decode", "encode", "is_link"]

DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PREFIX = "https://hanab.live/replay-json/"
PATH = re.compile(r"/?(?:shared-)?replay-json/")
CODE = re.compile(r"[2-6][0-9a-zA-Z-]*,[0-9a-zA-Z-]*,[0-9-]+(,.*)?")
WRAP = 20
LONGEST = 2000
"""Longer than any link: 60 cards and 400 actions make 900 characters."""


def is_link(text: str) -> bool:
    """Whether a text looks like a share link or its bare code."""
    return PATH.search(text) is not None or CODE.fullmatch(text.strip()) is not None


def encode(game: Game, turn: int | None = None) -> str:
    """Write a game as a share link.

    An ending by command or time is left out where the link has no room for it, and so are the
    options, the names and the first player.

    Parameters
    ----------
    turn
        The turn at which the site shows the game, from 1; None for its start.

    Raises
    ------
    InputError
        If the deck has no variant of the site, or a number has no place in a link.
    """
    deal = game.deal
    if not deal.variant:
        raise InputError("a share link needs a variant of hanab.live, and this deck has none")
    variant = find(deal.variant)
    deck = variant.on_site(deal.deck)
    ranks = [card.rank for card in deck]
    low, high = min(ranks), max(ranks)
    cards = "".join(_digit(c.suit * (high - low + 1) + c.rank - low, "card") for c in deck)
    moves = list(game.moves)
    if game.ending and game.ending.target >= 0 and game.ending.type < 5:
        moves.append(game.ending)
    types = [move.type for move in moves] or [0]
    least, kinds = min(types), max(types) - min(types) + 1
    actions = "".join(
        _digit((0 if m.value is None else m.value + 1) * kinds + m.type - least, "action")
        + _digit(m.target, "target")
        for m in moves
    )
    code = f"{deal.rules.players}{low}{high}{cards},{least}{max(types)}{actions},{variant.number}"
    wrapped = "-".join(code[at : at + WRAP] for at in range(0, len(code), WRAP))
    return PREFIX + wrapped + ("" if turn is None else f"#{turn}")


def _digit(number: int, what: str) -> str:
    if not 0 <= number < len(DIGITS):
        raise InputError(f"a share link has no room for the {what} number {number}")
    return DIGITS[number]


def decode(text: str) -> Game:
    """Read a share link or its bare code, with or without a turn after ``#``.

    A seed in the fourth field must have the deck of the first, which may be left out then.

    Raises
    ------
    InputError
        One line: what is wrong with the link, and in which of its fields.
    """
    code = _code(text)
    fields = code.split(",", 3)
    if len(fields) < 3:
        raise InputError(f"link: it has {len(fields)} of 3 fields; is it cut off?")
    deal_field, actions, number = (field.replace("-", "") for field in fields[:3])
    seed = fields[3] if len(fields) == 4 else ""
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"link: the third field, {number[:20]!r}, is not the number of a variant")
    try:
        variant = find(number)
        players, cards = _deck(deal_field)
        cards = variant.from_site(cards)
        if seed:
            deal = deal_of_seed(seed)
            players = players or deal.rules.players
            if deal.variant != variant.name or deal.rules.players != players:
                raise InputError("the seed is for another variant or number of players")
            if cards and deal.deck != tuple(cards):
                raise InputError("the deck is not the seed's")
        else:
            deal = Deal(variant.rules(players), tuple(cards), "", variant.name)
        moves = _moves(actions)
    except InputError as error:
        raise type(error)(f"link: {error}") from None
    ending = None
    if moves and moves[-1].type >= 4:
        *moves, ending = moves
        if ending.value is not None and ending.value not in range(2, len(ENDS)):
            raise InputError(f"link: the last action ends the game in no known way, {ending.value}")
    if any(move.type >= 4 for move in moves):
        raise InputError("link: an action follows the end of the game")
    return Game(NAMES[:players], deal, tuple(moves), ending, {}, seed, named=False)


def _code(text: str) -> str:
    if len(text) > LONGEST:
        raise InputError(f"link: it has {len(text)} characters, and a link has at most {LONGEST}")
    words = text.strip()
    found = PATH.search(words)
    code = words[found.end() :] if found else words
    return re.split(r"[#?/\s]", code, maxsplit=1)[0]


def _deck(field: str) -> tuple[int, Sequence[Card]]:
    """Read the first field; no players (0) and no cards if it is empty."""
    if not field:
        return 0, []
    head, cards = field[:3], field[3:]
    if not re.fullmatch(r"[2-6][1-9][1-9]", head) or head[1] > head[2]:
        raise InputError(f"the first field begins with {head!r}, not with players and two ranks")
    low, ranks = int(head[1]), int(head[2]) - int(head[1]) + 1
    deck = []
    for number, character in enumerate(cards, 1):
        at = DIGITS.find(character)
        if at < 0:
            raise InputError(f"card {number} is {character!r}, which is no letter or digit")
        deck.append(Card(at // ranks, at % ranks + low))
    return int(head[0]), deck


def _moves(field: str) -> list[Move]:
    head, body = field[:2], field[2:]
    if not re.fullmatch(r"[0-5][0-5]", head) or head[0] > head[1]:
        raise InputError(f"the second field begins with {head!r}, not with two types of action")
    if len(body) % 2:
        raise InputError("the second field ends with half an action; is it cut off?")
    least, kinds = int(head[0]), int(head[1]) - int(head[0]) + 1
    moves = []
    for at in range(0, len(body), 2):
        first, target = DIGITS.find(body[at]), DIGITS.find(body[at + 1])
        if first < 0 or target < 0:
            raise InputError(f"action {at // 2 + 1} is {body[at : at + 2]!r}, which is none")
        value, kind = divmod(first, kinds)
        kind += least
        if kind in (2, 3) and value == 0:
            raise InputError(f"action {at // 2 + 1} is a clue without a value")
        moves.append(Move(kind, target, value - 1 if value else None))
    return moves
