"""hanab.live's actions and ours: card orders against slots, real clues against passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from solver.formats.variants import COLOUR, RANK, ClueType, Variant, variant_of
from solver.game.card import Card
from solver.game.errors import IllegalActionError, InputError
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.rules import Rules

__all__ = ["DISCARD", "PLAY", "Move", "Orders", "action_of", "actions_of"]

PLAY, DISCARD = 0, 1
CLUES = (COLOUR, RANK)


class Move(NamedTuple):
    """An action as the site writes it, not yet checked against any rules."""

    type: int
    target: int
    value: int | None = None

    def to_json(self) -> dict[str, int]:
        """Write it as the site does; without a value if there is none."""
        made = {"type": self.type, "target": self.target}
        return made if self.value is None else {**made, "value": self.value}


class Orders(NamedTuple):
    """Which cards lie where, by their orders, and what was clued last."""

    hands: tuple[tuple[int, ...], ...]
    """Each seat's cards, the oldest first."""
    drawn: int
    """The order of the next card to be drawn."""
    last_clue: ClueType = 0
    """The type of the last clue; 0 if there was none."""

    @classmethod
    def start(cls, rules: Rules) -> Orders:
        """Give the orders after the deal."""
        size = rules.hand_size
        hands = tuple(tuple(range(p * size, (p + 1) * size)) for p in range(rules.players))
        return cls(hands, rules.players * size)

    def after(self, before: Position, action: Action, clue: ClueType = 0) -> Orders:
        """Give the orders after an action in ``before``, a clue being of the type ``clue``."""
        if action.kind is Kind.CLUE:
            return self._replace(last_clue=clue)
        new = (self.drawn,) if before.pile_size else ()
        drawn = self.drawn + len(new)
        if action.kind is Kind.DECK_PLAY:
            return self._replace(drawn=drawn)
        seat, hands = before.seat, self.hands
        hand = hands[seat][: action.slot] + hands[seat][action.slot + 1 :] + new
        return self._replace(hands=(*hands[:seat], hand, *hands[seat + 1 :]), drawn=drawn)


def action_of(move: Move, position: Position, orders: Orders, variant: Variant) -> Action:
    """Translate a move into the action that it is in this position.

    Whether the rules allow the action is for `Position.after` to say; what only the site's move
    can do wrong is checked here: whose card, whose hand, and what the clue touches.

    Raises
    ------
    IllegalActionError
        Saying what is wrong with the move.
    """
    if move.type in CLUES:
        _check_clue(move, position, orders, variant)
        return Action(Kind.CLUE, move.type if position.rules.alternating_clues else 0)
    hand = orders.hands[position.seat]
    if move.target in hand:
        return Action(Kind.PLAY if move.type == PLAY else Kind.DISCARD, hand.index(move.target))
    if move.type == PLAY and position.pile_size == 1 and move.target == orders.drawn:
        return Action(Kind.DECK_PLAY)
    verb = "play" if move.type == PLAY else "discard"
    raise IllegalActionError(
        f"{verb} of card {move.target} by seat {position.seat}: it is not in that hand"
    )


def _check_clue(move: Move, position: Position, orders: Orders, variant: Variant) -> None:
    colour = move.type == COLOUR
    seat, value = position.seat, -1 if move.value is None else move.value
    what = f"{'colour' if colour else 'rank'} clue {value} by seat {seat} to seat {move.target}"
    if not 0 <= move.target < position.rules.players:
        raise IllegalActionError(f"{what}: there is no such seat")
    if move.target == seat:
        raise IllegalActionError(f"{what}: nobody can clue their own hand")
    if value not in (range(len(variant.clue_colours)) if colour else _ranks(variant, position)):
        raise IllegalActionError(f"{what}: that {'colour' if colour else 'rank'} cannot be clued")
    if variant.alternating and move.type == orders.last_clue:
        raise IllegalActionError(f"{what}: the last clue was of the same type")
    if position.rules.empty_clues:
        return
    hand = position.hands[move.target]
    if not any(card.is_face and variant.touches(move.type, value, card) for card in hand):
        raise IllegalActionError(f"{what}: it touches no card")


def _ranks(variant: Variant, position: Position) -> Sequence[int]:
    if variant.number >= 0:
        return variant.clue_ranks
    return range(1, 1 + max(suit.ranks for suit in position.rules.suits))


def actions_of(
    line: Line, orders: Orders | None = None, variant: Variant | None = None
) -> list[dict[str, int]]:
    """Write a line as the site's actions, each clue made a concrete one.

    Where there is a choice, a clue goes to the next player that one can touch, and names the rank
    of that hand's oldest card that has one.

    Parameters
    ----------
    orders
        Where the cards lie at the start of the line, and what was clued last (`Game.orders`);
        None for a line from the start of a deal.
    variant
        Says what clues touch; None for the one that the position is labelled with.

    Raises
    ------
    IllegalActionError
        If an action is illegal, or a clue is due where none of a type that is allowed touches
        a card; the turn is counted from 1.
    InputError
        If the orders do not fit the position.
    """
    start = line.start
    if orders is None:
        orders = Orders.start(start.rules)
        if start.points or start.discards or start.clues != start.rules.start_clues:
            raise InputError("the line starts in mid-game: the orders of its cards are needed")
    if [len(hand) for hand in orders.hands] != [len(hand) for hand in start.hands]:
        raise InputError("the orders of the cards do not fit the hands of the position")
    variant = variant or variant_of(start)
    if not variant.alternating or start.rules.alternating_clues:
        return _written(line, orders, variant, CLUES)
    # Types must alternate, so the first clue's type settles them all: there are two ways.
    try:
        return _written(line, orders, variant, (RANK,))
    except IllegalActionError:
        return _written(line, orders, variant, (COLOUR,))


def _written(
    line: Line, orders: Orders, variant: Variant, first: tuple[ClueType, ...]
) -> list[dict[str, int]]:
    """Write a line whose first clue is of one of the types ``first``.

    Under rules that tell types apart the actions say them.
    """
    *before, _ = line.positions()
    types = first
    alternates = variant.alternating and not line.start.rules.alternating_clues
    if alternates and orders.last_clue:
        types = (COLOUR + RANK - orders.last_clue,)
    made = []
    for turn, (position, action) in enumerate(zip(before, line.actions, strict=True), 1):
        if action.kind is Kind.CLUE:
            move = _clue(position, variant, (action.slot,) if action.slot else types)
            if move is None:
                raise IllegalActionError(f"turn {turn}: clue: no clue touches a card")
            if alternates:
                types = (COLOUR + RANK - move.type,)
        elif action.kind is Kind.DECK_PLAY:
            move = Move(PLAY, orders.drawn)
        else:
            verb = PLAY if action.kind is Kind.PLAY else DISCARD
            move = Move(verb, orders.hands[position.seat][action.slot])
        orders = orders.after(position, action, move.type)
        made.append(move.to_json())
    return made


def _clue(position: Position, variant: Variant, types: tuple[ClueType, ...]) -> Move | None:
    rules = position.rules
    seats = [(position.seat + ahead) % rules.players for ahead in range(1, rules.players)]
    for seat in seats:
        for card in position.hands[seat]:
            for kind, value in _touching(card, variant, types):
                return Move(kind, seat, value)
    if rules.empty_clues:
        for kind in types:
            values = range(len(variant.clue_colours)) if kind == COLOUR else variant.clue_ranks
            for value in values:
                return Move(kind, seats[0], value)
    return None


def _touching(
    card: Card, variant: Variant, types: tuple[ClueType, ...]
) -> list[tuple[ClueType, int]]:
    if not card.is_face:
        return []
    if variant.number < 0 and RANK in types:
        # Suits without a variant may have other ranks than 1 to 5; all are ordinary.
        return [(RANK, card.rank)]
    return [clue for clue in variant.clues(card) if clue[0] in types]
