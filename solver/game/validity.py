"""What a position must be: numbers in their ranges, and no more cards than the game has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.errors import InputError
from solver.game.notation import any_card_text, card_text
from solver.game.rules import COLOUR, RANK
from solver.game.wording import amount

if TYPE_CHECKING:
    from solver.game.position import Position

__all__ = ["require_valid"]


def require_valid(position: Position) -> None:
    """Raise InputError if the fields are not those of a position, naming the first fault."""
    rules = position.rules
    if len(position.stacks) != len(rules.suits):
        raise InputError(f"stacks: {len(position.stacks)} given for {len(rules.suits)} suits")
    for suit, state in zip(rules.suits, position.stacks, strict=True):
        if not 0 <= state < len(suit.heights):
            raise InputError(f"stacks: {suit.letter} cannot stand at {state}")
    starts = [s.starts[at] for s, at in zip(rules.suits, position.stacks, strict=True) if at]
    if rules.different_starts and len(set(starts)) < len(starts):
        raise InputError("stacks: two started with the same rank")
    if len(position.hands) != rules.players:
        raise InputError(f"hands: {len(position.hands)} given for {rules.players} players")
    if not 0 <= position.clues <= rules.max_clues:
        raise InputError(f"clues: {position.clues} is not 0 to {rules.max_clues}")
    if not 0 <= position.strikes <= rules.max_strikes:
        raise InputError(f"strikes: {position.strikes} is not 0 to {rules.max_strikes}")
    if not 0 <= position.seat < rules.players:
        raise InputError(f"seat: {position.seat} is not 0 to {rules.players - 1}")
    if position.last_clue not in ((0, COLOUR, RANK) if rules.alternating_clues else (0,)):
        raise InputError(f"last clue: {position.last_clue} is no type that counts here")
    _require_cards(position)
    size = position.pile_size
    if size < 0:
        raise InputError("pile: there are fewer unseen cards than unknown cards in hands")
    if (position.turns_left is not None) != (size == 0 and rules.has_final_round):
        when = "when the draw pile is empty" if rules.has_final_round else "with a final round"
        raise InputError(f"turns left: to be given exactly {when}")
    if position.turns_left is not None and not 0 <= position.turns_left <= rules.players:
        raise InputError(f"turns left: {position.turns_left} is not 0 to {rules.players}")
    for seat, hand in enumerate(position.hands):
        if len(hand) > rules.hand_size or (size and len(hand) < rules.hand_size):
            raise InputError(f"hands: seat {seat} holds {len(hand)} cards, not {rules.hand_size}")


def _require_cards(position: Position) -> None:
    rules = position.rules
    letters = position.letters
    seen: Counter[Card] = Counter()
    for number, (suit, height) in enumerate(zip(rules.suits, position.stacks, strict=True)):
        if suit.order and height < suit.full:
            # Cards of a finished suit may stand for any useless card.
            seen.update(Card(number, rank) for rank in suit.order[:height])
    places = [(f"hand of seat {p}", hand) for p, hand in enumerate(position.hands)]
    for where, cards in [*places, ("pile", position.pile), ("discards", position.discards)]:
        for card in cards:
            if card.is_face:
                if not rules.has_face(card):
                    word = any_card_text(card, letters)
                    raise InputError(f"{where}: {word} is no card of this game")
                seen[card] += 1
            elif card not in (USELESS, UNKNOWN):
                raise InputError(f"{where}: {tuple(card)} is no card of this game")
            elif card == UNKNOWN and (position.ordered or where in ("pile", "discards")):
                raise InputError(f"{where}: an unknown card needs an unknown draw order")
    for card, count in seen.items():
        if count > rules.copies(card):
            suit = rules.suits[card.suit]
            height = position.stacks[card.suit]
            stacked = card.rank in suit.order[:height] and height < suit.full
            most = rules.copies(card)
            raise InputError(
                f"cards: {card_text(card, letters)} occurs {amount(count, 'time')}"
                f"{', once on its stack' if stacked else ''}, "
                f"and there {'is' if most == 1 else 'are'} only {most}"
            )
