"""How an endgame goes on after a move that was made without knowing all cards, by what they are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from solver.endgames.endgame import Possible, Teller, alike_faces, as_seen, worlds
from solver.endgames.policy import OPEN, Decision, LimitReachedError, Move, Outcome, Policy, moved
from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits

__all__ = ["Continuation", "continuations"]

Cards = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True)
class Continuation:
    """How a game goes on if the unknown cards are these.

    ``acted`` is the card that is acted on, if it was unknown; ``cards`` are the other unknown ones
    of each seat, in some order. So many of all ways to choose unseen cards are like this; ``value``
    is what the action is worth then, ``steps`` the line that the best draws allow.
    """

    acted: Card | None
    cards: Cards
    ways: int
    value: Fraction
    start: Position
    steps: list[tuple[Decision, Move, Outcome]]


def continuations(
    position: Position,
    action: Action,
    objective: str = "win",
    target: int | None = None,
    limits: Limits = Limits(),
    possible: Possible | None = None,
    most: int = 6,
) -> tuple[list[Continuation], int, int]:
    """Give how best play goes on after an action of the model ``hidden``.

    Returns
    -------
    tuple[list[Continuation], int, int]
        The most frequent ones, ``most`` at most; how many there are; the sum of the ways of all.

    Raises
    ------
    LimitReachedError
        If a limit was reached.
    """
    groups: dict[tuple[Card | None, Cards], tuple[Position, int]] = {}
    seen, alike = as_seen(position, "hidden"), alike_faces(position)
    total = 0
    for world, ways in worlds(position, possible):
        key = _unknown(world, seen, action, alike)
        groups[key] = world, groups.get(key, (world, 0))[1] + ways
        total += ways
    teller = Teller(next(iter(groups.values()))[0], objective, target)
    found = []
    for (acted, cards), (world, ways) in sorted(groups.items(), key=lambda g: -g[1][1])[:most]:
        policy = Policy(world, "open", objective, target, limits, teller=teller)
        low, high = teller.values(world, limits)[action]
        if low != high:
            raise LimitReachedError(OPEN)
        steps = policy.line(moved(action, world, policy.start))
        found.append(Continuation(acted, cards, ways, low, policy.start, steps))
    return found, len(groups), total


def _unknown(
    world: Position, seen: Position, action: Action, alike: set[Card]
) -> tuple[Card | None, Cards]:
    """Give the card acted on, if it was unknown, and the others that were; ``alike`` as useless."""
    acted = None
    cards = []
    for seat, cards_held in enumerate(world.hands):
        hand = [USELESS if card in alike else card for card in cards_held]
        slots = [slot for slot, card in enumerate(seen.hands[seat]) if card == UNKNOWN]
        if seat == world.seat and action.kind in (Kind.PLAY, Kind.DISCARD) and action.slot in slots:
            acted = hand[action.slot]
            slots.remove(action.slot)
        cards.append(tuple(sorted((hand[slot] for slot in slots), reverse=True)))
    return acted, tuple(cards)
