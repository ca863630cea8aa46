"""The release bound as a matching of cards to plays, and the cards that cannot all be fitted in.

Every card that is drawn is taken as kept for ever. A card cannot be played before the earliest copy
of it is drawn, nor before the cards below it; after a draw, the draws still to come and the turns
of the final round (without one, the cards in hands) each give one play. Where the cards do not
fit, Hall's theorem names a set that does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.game.card import Card
from solver.game.position import Position

__all__ = ["Violator", "Wait", "plays_after", "releases", "violator", "waits"]


@dataclass(frozen=True)
class Wait:
    """A needed card, and the draw before which it cannot be played.

    ``draw`` counts the cards drawn from the position on; 0 is now, if no draw is needed.
    """

    card: Card
    draw: int


@dataclass(frozen=True)
class Violator:
    """Cards that cannot all be played, though without any one of them the others can.

    All of them must wait for the draw ``draw`` at least (0: none), after which ``plays`` plays are
    left, one fewer than there are cards.
    """

    waits: tuple[Wait, ...]
    draw: int
    plays: int


def plays_after(position: Position, draw: int) -> int:
    """Count the plays that are left at most after that many draws."""
    return position.events_left - draw


def releases(position: Position) -> dict[Card, int]:
    """Give the draw after which a first copy of each card can be played: 0 in a hand, else from 1.

    The last card is there before its own draw if it may be played from the draw pile.
    """
    found = {card: 0 for hand in position.hands for card in hand if card.is_face}
    for draw, card in enumerate(position.pile, 1):
        if card.is_face:
            blind = position.rules.deck_play and draw == len(position.pile)
            found.setdefault(card, draw - blind)
    return found


def waits(position: Position, caps: Sequence[int]) -> list[Wait]:
    """Give every card that is needed for the caps, suit by suit, and the draw it waits for.

    A suit ends before a card of which no copy is left.
    """
    found = releases(position)
    made = []
    for suit, (height, cap) in enumerate(zip(position.stacks, caps, strict=True)):
        draw = 0
        for step in range(height + 1, cap + 1):
            card = position.rules.card_at(suit, step)
            if card not in found:
                break
            draw = max(draw, found[card])
            made.append(Wait(card, draw))
    return made


def violator(position: Position, caps: Sequence[int]) -> Violator | None:
    """Find cards that cannot all be played in time, minimal; None if all can be.

    The latest ones are taken, and of a suit the lowest.
    """
    step = position.rules.step
    late_first = sorted(waits(position, caps), key=lambda wait: (-wait.draw, step(wait.card)))
    for count in range(1, len(late_first) + 1):
        found = _unmatched(late_first[:count], position.events_left)
        if found:
            draw = min(wait.draw for wait in found)
            ordered = sorted(found, key=lambda wait: (wait.draw, wait.card))
            return Violator(tuple(ordered), draw, plays_after(position, draw))
    return None


def _unmatched(some: Sequence[Wait], last: int) -> set[Wait]:
    """Match cards to the events 1 to ``last``, and give a minimal set without a matching, or none.

    From a card that a largest matching leaves out, walk to any event that the card could take, and
    on to the card that has it. DESIGN.md says why the cards met are a minimal set.
    """
    import networkx as nx

    graph: nx.Graph[Wait | int] = nx.Graph()
    graph.add_nodes_from(some)
    graph.add_edges_from((w, event) for w in some for event in range(w.draw + 1, last + 1))
    taken = nx.bipartite.maximum_matching(graph, top_nodes=some)
    left_out = next((wait for wait in some if wait not in taken), None)
    if left_out is None:
        return set()
    walk: nx.DiGraph[Wait | int] = nx.DiGraph()
    walk.add_node(left_out)
    for wait in some:
        walk.add_edges_from((wait, event) for event in graph[wait] if taken.get(wait) != event)
        if wait in taken:
            walk.add_edge(taken[wait], wait)
    met = {left_out, *nx.descendants(walk, left_out)}
    return {wait for wait in some if wait in met}
