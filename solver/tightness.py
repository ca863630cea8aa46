"""How tight a winnable deal is: what a line of play has to spare, and where it has least."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from solver.card import Card
from solver.engines import require, solve
from solver.errors import UnsupportedRulesError
from solver.hall import plays_after, waits
from solver.line import Line
from solver.position import Kind, Position
from solver.result import Limits

__all__ = ["SPARE_NODES", "Critical", "Least", "Tightness", "pace", "spare_clues", "tightness"]

SPARE_NODES = 2_000
"""What each number of tokens may cost: there are several for each turn of a game."""


@dataclass(frozen=True)
class Least:
    """The least value of something over a line, and the turn (0: the start) after which it is."""

    value: int
    turn: int


@dataclass(frozen=True)
class Critical:
    """A needed card of which one copy is left, so that it may never be discarded.

    ``turn`` is the turn of the line after which this is so, 0 from the start, and ``draw`` the
    number of cards drawn by then.
    """

    card: Card
    turn: int
    draw: int


@dataclass(frozen=True)
class Tightness:
    """What a line that reaches full marks has to spare.

    Parameters
    ----------
    pace
        The least *pace*: score + cards in the draw pile + players - full marks, in the final round
        score + turns left - full marks. That many draws need not be plays.
    clues
        The fewest units of clue tokens.
    slack
        The fewest plays to spare after a draw, by the release bound from the start: the plays that
        are left after it, less the cards that cannot be played before it.
    slack_draw
        The first draw after which it is so, 0 at the start.
    slack_cards
        The cards that cannot be played before it.
    critical
        The cards that may never be discarded, in the order in which they become so on the line.
    """

    pace: Least
    clues: Least
    slack: int
    slack_draw: int
    slack_cards: tuple[Card, ...]
    critical: tuple[Critical, ...]


def pace(position: Position, goal: int | None = None) -> int:
    """Count the draws and turns to come that need not be plays; the goal is full marks if None."""
    most = position.points + position.events_left
    return most - (position.rules.max_score if goal is None else goal)


def spare_clues(
    position: Position, goal: int, limits: Limits = Limits(nodes=SPARE_NODES)
) -> int | None:
    """Count the clue tokens that could be missing while ``goal`` can still be reached.

    The largest such number: with one token less it may be otherwise, where full tokens forbid
    discarding.

    Returns
    -------
    int | None
        None if a limit left it open, or the native search does not cover the rules.
    """
    try:
        require(position, "search")
    except UnsupportedRulesError:
        return None
    price = position.rules.clue_price
    for spare in range(position.clues // price, 0, -1):
        less = replace(position, clues=position.clues - spare * price)
        result = solve(less, replace(limits, target=goal), "search")
        if result.score >= goal:
            return spare
        if result.bound >= goal:
            return None
    return 0


def tightness(line: Line) -> Tightness:
    """Measure a line that reaches full marks."""
    start = line.start
    caps = [suit.full for suit in start.rules.suits]
    waiting = waits(start, caps)
    draws = sorted({0, *(wait.draw for wait in waiting)})
    late = {draw: tuple(w.card for w in waiting if w.draw >= draw) for draw in draws}
    slack_draw = min(draws, key=lambda draw: (plays_after(start, draw) - len(late[draw]), draw))
    positions = list(line.positions())
    return Tightness(
        pace=_least([pace(position) for position in positions]),
        clues=_least([position.clues for position in positions]),
        slack=plays_after(start, slack_draw) - len(late[slack_draw]),
        slack_draw=slack_draw,
        slack_cards=late[slack_draw],
        critical=tuple(_critical(line, positions)),
    )


def _least(values: list[int]) -> Least:
    return Least(min(values), values.index(min(values)))


def _critical(line: Line, positions: list[Position]) -> list[Critical]:
    start = positions[0]
    left = Counter(card for hand in (*start.hands, start.pile) for card in hand)
    needed = [c for c in start.rules.faces() if start.rules.step(c) > start.stacks[c.suit]]
    found = [Critical(card, 0, 0) for card in needed if left[card] == 1]
    for turn, action in enumerate(line.actions, 1):
        before, after = positions[turn - 1], positions[turn]
        if action.kind not in (Kind.PLAY, Kind.DISCARD) or after.points > before.points:
            continue
        card = before.hands[before.seat][action.slot]
        left[card] -= 1
        if left[card] == 1 and start.rules.step(card) > after.stacks[card.suit]:
            found.append(Critical(card, turn, start.pile_size - after.pile_size))
    return found
