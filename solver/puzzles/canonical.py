"""The canonical form of an endgame position: one text for all that differ in names only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import permutations

from solver.game.card import UNKNOWN, Card
from solver.game.clues import free
from solver.game.notation import rules_text
from solver.game.position import Position

__all__ = ["canonical"]


Faces = Collection[Card] | None


def canonical(
    position: Position, useless: set[Card], possible: Sequence[Faces] | None = None
) -> str:
    """Write what counts for how a game goes on, the same for positions that are alike.

    Suits may be permuted, a suit's ranks be built in another order with the same copies, seats
    rotated, hands in another order, and useless cards others: the
    form counts, for each suit, where the copies of its needed cards lie (the seat to move is 0),
    and sorts the suits. What lies in one suit does not depend on another, so positions have one
    form exactly if some permutation of suits and some rotation of seats makes them equal. What
    clues touch is left out: every clue must be one that cannot be illegal (`solver.game.clues`).

    Parameters
    ----------
    useless
        The faces that can never be played any more (`solver.endgames.endgame.useless_faces`).
    possible
        What each card of the seat to move may be, None for anything: this ties suits together, so
        all their permutations are tried.
    """
    rules = position.rules
    seats = [
        position.hands[(position.seat + ahead) % rules.players] for ahead in range(rules.players)
    ]
    suits = []
    for number, (suit, state) in enumerate(zip(rules.suits, position.stacks, strict=True)):
        cards = []
        ranks = suit.order or range(1, suit.ranks + 1)
        for step, rank in enumerate(ranks, 1):
            card = Card(number, rank)
            if card in useless:
                continue
            held = ".".join(str(hand.count(card)) for hand in seats)
            cards.append(f"{step}:{held}:{_places(position, card)}")
        copies = "".join(str(suit.copies[rank - 1]) for rank in ranks)
        # The 0 stands there only because puzzles are known by this text.
        suits.append(f"{copies},{'' if suit.order else suit.build},0,{state}," +
                     " ".join(cards))  # fmt: skip
    hands = ".".join(f"{len(hand)}-{hand.count(UNKNOWN)}" for hand in seats)
    said = rules_text(free(position).rules)[1]
    words = [word for word in said if not word.startswith(("first=", "start="))]
    counts = (
        position.clues, rules.max_clues, position.strikes, rules.max_strikes,
        position.turns_left, position.pile_size, hands, *words,
    )  # fmt: skip
    head = " ".join(map(str, counts)) + " | "
    if possible is None:
        return head + " | ".join(sorted(suits))
    return head + min(
        " | ".join([*(suits[old] for old in order), _knowledge(possible, order)])
        for order in permutations(range(len(suits)))
    )


def _knowledge(possible: Sequence[Faces], order: Sequence[int]) -> str:
    """Write what the cards may be, suits numbered by their places in ``order``."""
    words = []
    for faces in possible:
        names = {
            f"{order.index(card.suit)}.{card.rank}" if card.is_face else "kt"
            for card in faces or ()
        }
        words.append("any" if faces is None else "+".join(sorted(names)))
    return " ".join(sorted(words))


def _places(position: Position, card: Card) -> str:
    """Write where a card lies in the draw pile, or how often, if the order is not known."""
    if not position.ordered:
        return str(position.pile.count(card))
    return ".".join(str(place) for place, other in enumerate(position.pile) if other == card)
