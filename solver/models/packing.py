"""Positions as the bytes that the native kernel reads; csrc/position.hpp draws the layout."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.position import Action, Kind, Position
from solver.game.rules import Rules

__all__ = ["pack", "pack_decks", "unpack_actions"]

NEVER = 255
MOST_CARDS = 250


def pack(position: Position, ordered: bool = True) -> bytes:
    """Pack a position for the kernel.

    Parameters
    ----------
    ordered
        Whether the order of the draw pile counts. If not, it need not be known.

    Raises
    ------
    UnsupportedRulesError
        If the kernel does not cover the rules, saying which.
    InputError
        If the draw order or a card is unknown.
    """
    head, codes = _packed_rules(position.rules)
    if ordered:
        position.require_order()
    if not position.shows_hands:
        raise InputError("a card in a hand is unknown")
    if len(position.pile) > MOST_CARDS:
        raise UnsupportedRulesError(f"a draw pile of more than {MOST_CARDS} cards is not covered")
    out = bytearray(head)
    turns = NEVER if position.turns_left is None else position.turns_left
    out += bytes((position.clues, position.strikes, position.seat, turns))
    for suit, state in zip(position.rules.suits, position.stacks, strict=True):
        out += bytes((suit.full, suit.heights[state]))
    for hand in position.hands:
        out.append(len(hand))
        out += bytes([codes.get(card, NEVER) for card in hand])
    out.append(len(position.pile))
    out += bytes([codes.get(card, NEVER) for card in position.pile])
    return bytes(out)


def pack_decks(deals: Sequence[Deal]) -> bytes:
    """Pack the decks of deals that have the same rules, a byte a card.

    Raises
    ------
    UnsupportedRulesError
        If the kernel does not cover the rules, saying which.
    """
    if not deals:
        return b""
    _, codes = _packed_rules(deals[0].rules)
    return b"".join([bytes([codes.get(card, NEVER) for card in deal.deck]) for deal in deals])


@lru_cache(maxsize=256)
def _packed_rules(rules: Rules) -> tuple[bytes, dict[Card, int]]:
    """Give the rules' part of the packed form and the code of every card that can be played."""
    faults = {
        "playing from the draw pile without a final round, where there are several copies of the "
        "last card of a suit,": rules.deck_play
        and not rules.has_final_round
        and any(suit.last_copies > 1 for suit in rules.suits),
        "a card that no clue can touch": rules.untouchable and not rules.empty_clues,
        "a game with alternating clues": rules.alternating_clues,
        f"a hand of more than {MOST_CARDS} cards": rules.hand_size > MOST_CARDS,
        "a gain of more than 200 clue units": max(rules.discard_gain, rules.stack_gain) > 200,
    }
    for what, there in faults.items():
        if there:
            raise UnsupportedRulesError(f"{what} is not covered here")
    rules.require_heights()
    codes = {}
    for index, suit in enumerate(rules.suits):
        for step, rank in enumerate(suit.order):
            codes[Card(index, rank)] = index << 4 | step
    head = bytes((rules.players, rules.hand_size, len(rules.suits), rules.max_clues,
                  rules.clue_price, rules.discard_gain, rules.stack_gain, rules.max_strikes,
                  rules.discard_at_full, rules.lost_scores_stacks,
                  rules.deck_play, _ending(rules)))  # fmt: skip
    return head, codes


def _ending(rules: Rules) -> int:
    """Give the number that csrc/position.hpp has for an ending."""
    if rules.has_final_round:
        return int(rules.ends_out_of_reach)
    return 2 + rules.only_full_marks


def unpack_actions(packed: bytes) -> tuple[Action, ...]:
    """Read actions from the kernel: two bytes each, kind and slot."""
    return tuple(Action(Kind(packed[i]), packed[i + 1]) for i in range(0, len(packed), 2))
