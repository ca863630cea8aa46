"""How tight a winnable deal is: what a line of play has to spare, and where it has least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from solver.game.card import Card
from solver.game.errors import UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits
from solver.game.suit import Way
from solver.models.ways import narrowed
from solver.questions.hall import plays_after, waits
from solver.solving.choice import require, solve

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
    """A card of which one copy is left and which is needed, so that it may never be discarded.

    It is needed if without it the cards left complete the stacks in none of their ways.
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
    ways
        Empty if suits are built in one order. Else the slack is that of the way with the most (the
        first of these), which this is, and ``slack_cards`` are its steps; see
        `solver.models.ways.narrowed`.
    critical
        The cards that may never be discarded, in the order in which they become so on the line.
    """

    pace: Least
    clues: Least
    slack: int
    slack_draw: int
    slack_cards: tuple[Card, ...]
    critical: tuple[Critical, ...]
    ways: tuple[Way, ...] = ()


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
    positions = list(line.positions())
    ways: tuple[Way, ...] = ()
    if start.rules.heights_are_states:
        slack, draw, cards = _slack(start)
    else:
        of_ways = [(_slack(narrowed(start, w)), w) for w in _ways_there(start, _there(start))]
        (slack, draw, cards), ways = max(of_ways, key=lambda pair: pair[0][0])
    return Tightness(
        pace=_least([pace(position) for position in positions]),
        clues=_least([position.clues for position in positions]),
        slack=slack,
        slack_draw=draw,
        slack_cards=cards,
        critical=tuple(_critical(positions)),
        ways=ways,
    )


def _slack(start: Position) -> tuple[int, int, tuple[Card, ...]]:
    """Give the fewest plays to spare after a draw, the draw, and the cards that wait for it."""
    waiting = waits(start, [suit.full for suit in start.rules.suits])
    draws = sorted({0, *(wait.draw for wait in waiting)})
    late = {draw: tuple(w.card for w in waiting if w.draw >= draw) for draw in draws}
    spare = {draw: plays_after(start, draw) - len(late[draw]) for draw in draws}
    draw = min(draws, key=lambda draw: (spare[draw], draw))
    return spare[draw], draw, late[draw]


def _least(values: list[int]) -> Least:
    return Least(min(values), values.index(min(values)))


def _critical(positions: list[Position]) -> list[Critical]:
    found: dict[Card, Critical] = {}
    for turn, position in enumerate(positions):
        there = _there(position)
        single = [c for c in position.rules.faces() if there[c] == 1 and c not in found]
        for card in single:
            if next(_ways_there(position, there - Counter([card])), None) is None:
                draw = positions[0].pile_size - position.pile_size
                found[card] = Critical(card, turn, draw)
    return list(found.values())


def _there(position: Position) -> Counter[Card]:
    """Count the cards that can still be played or drawn."""
    return Counter(card for hand in (*position.hands, position.pile) for card in hand)


def _ways_there(position: Position, there: Counter[Card]) -> Iterator[tuple[Way, ...]]:
    """Give the ways in which the cards there complete the stacks."""
    open_ways = [
        {way for way in ways if all(any(there[Card(s, r)] for r in step) for step in way)}
        for s, ways in enumerate(position.ways)
    ]
    if all(open_ways):
        for ways in position.all_ways():
            if all(way in some for way, some in zip(ways, open_ways, strict=True)):
                yield ways
