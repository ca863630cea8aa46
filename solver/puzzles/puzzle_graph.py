"""Everything that can happen in an endgame, with what every choice is worth: for playing it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from fractions import Fraction

from solver.endgames.endgame import Teller, Values, analyse, merged, naturalness
from solver.endgames.policy import Outcome, action_name, outcomes, tidied
from solver.game.card import USELESS, Card
from solver.game.clues import is_free
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits

__all__ = ["Node", "Option", "TooManyStatesError", "puzzle_graph"]

MOST_NODES = 20_000
"""States that a page may hold; most puzzles have a few hundred."""

LIMITS = Limits(nodes=20_000_000)
"""For the values of each state."""


class TooManyStatesError(InputError):
    """There are more states than were allowed, or a limit was reached before all were known."""


@dataclass(frozen=True)
class Option:
    """A choice: actions of a tidied position that come to the same, and what they are worth.

    ``card`` is the card that is played or discarded, `USELESS` for all that are; None for a clue
    or a play from the draw pile. ``outcomes`` is empty where the value is 0.
    """

    kind: Kind
    card: Card | None
    name: str
    value: Fraction
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Node:
    """A tidied position in which full marks are possible, and the choices.

    `solver.endgames.policy.tidied` says what tidied is. The best come first. Of a complete game
    there are none.
    """

    position: Position
    options: tuple[Option, ...]


def puzzle_graph(
    position: Position, model: str = "open", most: int = MOST_NODES
) -> dict[Position, Node]:
    """Work out every state that can be reached while there is a chance of full marks.

    Where an option is worth nothing the game is lost, whatever comes: nothing is kept of that.

    Parameters
    ----------
    model
        ``open`` or ``known``, as for `solver.endgames.endgame.analyse`.

    Returns
    -------
    dict
        By tidied position; the start is the first.

    Raises
    ------
    TooManyStatesError
        If there are more than ``most``, or a value is not known exactly.
    UnsupportedRulesError
        If from here on a clue can be illegal though it can be paid for.
    InputError
        If the model does not fit what the position tells, the game is over, or full marks cannot
        be reached.
    """
    if model not in ("open", "known"):
        raise InputError(f"every state can be told in the models open and known, not in {model}")
    if not is_free(position):
        raise UnsupportedRulesError("a clue can be illegal here: not covered by pages")
    verdict = analyse(position, model, limits=LIMITS)
    if verdict.high == 0:
        raise InputError("full marks cannot be reached from here")
    if model == "open":
        position = position.unordered()
    start = tidied(replace(position, ordered=model == "known"))
    teller = Teller(start) if model == "open" else None
    worth: dict[Position, Values] = {}
    nodes: dict[Position, Node] = {}

    def values(at: Position) -> Values:
        if at not in worth:
            worth[at] = _values(at, teller)
        return worth[at]

    def alive(at: Position) -> bool:
        if at.end is not None:
            return at.score == at.rules.max_score
        return any(low for low, _ in values(at).values())

    todo = deque([start])
    seen = {start}
    while todo:
        at = todo.popleft()
        nodes[at] = Node(at, _options(at, values(at)) if at.end is None else ())
        for option in nodes[at].options:
            for outcome in option.outcomes:
                if outcome.position not in seen and alive(outcome.position):
                    seen.add(outcome.position)
                    todo.append(outcome.position)
        if len(seen) > most:
            raise TooManyStatesError(f"more than {most:,} states can be reached")
    return nodes


def _values(at: Position, teller: Teller | None) -> Values:
    if teller is not None:
        found = teller.values(at, LIMITS)
    else:
        verdict = analyse(at, "known", limits=LIMITS)
        found = {a: (c.low, c.high) for c in verdict.choices for a in c.actions}
    if any(low != high for low, high in found.values()):
        raise TooManyStatesError("a limit left the value of an action open")
    return found


def _options(at: Position, values: Values) -> tuple[Option, ...]:
    useful = naturalness(at)
    first = [actions[0] for actions in merged(at)]
    first.sort(key=lambda action: (-values[action][0], useful(action)))
    return tuple(_option(at, action, values[action][0]) for action in first)


def _option(at: Position, action: Action, value: Fraction) -> Option:
    card = None
    if action.kind in (Kind.PLAY, Kind.DISCARD):
        card = at.hands[at.seat][action.slot]
        card = card if card.is_face else USELESS
    reached = outcomes(at, action) if value else ()
    return Option(action.kind, card, action_name(at, action), value, reached)
