"""A finished game in hindsight: what each turn cost, when every card is known."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from solver.formats.hanablive import Game
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import End, Kind, Position
from solver.game.result import Limits
from solver.questions.losskind import KINDS, loss_kind
from solver.questions.tightness import SPARE_NODES, pace, spare_clues
from solver.solving.choice import DEFAULT_LIMITS, require, solve

if TYPE_CHECKING:
    from solver.endgames.endgame import Values

__all__ = [
    "CHANCE_CARDS", "KINDS", "Chance", "Review", "Span", "Turn", "review", "review_line",
    "values_along",
]  # fmt: skip

CHANCE_CARDS = 5
"""The last turns, which get exact chances: those with so many cards to draw, or fewer."""

CHANCE_NODES = 500_000
"""What the chances of one turn may cost."""


class Span(NamedTuple):
    """What encloses a value in points: ``low <= value <= high``."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high

    def less(self, other: Span) -> Span:
        """Give what encloses this value less a later one, which is not larger."""
        return Span(max(self.low - other.high, 0), self.high - other.low)

    def __str__(self) -> str:
        return str(self.low) if self.exact else f"{self.low}-{self.high}"


class Chance(NamedTuple):
    """Exact values in the model ``open`` of `solver.endgames.endgame`: best action, action taken.

    Both are those before the draw, so their difference is what the choice cost, not the luck.
    """

    best: Fraction
    taken: Fraction


@dataclass(frozen=True)
class Turn:
    """One turn in hindsight.

    Parameters
    ----------
    number
        From 1, as in the links of hanab.live.
    seat
        Who acted; None where nobody's action ended the game.
    action
        In words: ``play r1``, ``misplay r3``, ``discard b3``, ``clue``, or how the game was ended.
    before, after
        The optimum before and after it.
    kind
        One of `KINDS` if the turn lost something, else empty; empty too where a limit left open
        whether it did.
    pace
        Draws and turns to come that need not be plays if the optimum before is to be reached;
        None if that is not proven.
    spare_clues
        How many clue tokens could be missing and the optimum before still be reached; None if
        that is not known.
    win, mean
        In the last turns: the chances of full marks, and the mean scores.
    best
        A line from before the turn that reaches the optimum before it, where the turn lost some
        of it; else None.
    """

    number: int
    seat: int | None
    action: str
    before: Span
    after: Span
    kind: str = ""
    pace: int | None = None
    spare_clues: int | None = None
    win: Chance | None = None
    mean: Chance | None = None
    best: Line | None = None

    @property
    def loss(self) -> Span:
        """The *hindsight loss*: by how much the optimum fell. It need not be a mistake."""
        return self.before.less(self.after)


@dataclass(frozen=True)
class Review:
    """A game with the optimum before and after each of its turns.

    The losses of all turns sum to the first optimum less the final score (of an unfinished game,
    less the optimum of where it stands).
    """

    line: Line
    turns: tuple[Turn, ...]
    score: int | None
    """What the game scored; None while it is unfinished."""
    optimum: Span
    """The optimum of the game's first position."""
    name: str = ""
    players: tuple[str, ...] = ()
    """The players' names, seat 0 first; perhaps none, or only the usual ones (`is_named`)."""
    game: Game | None = None
    solves: int = field(default=0, compare=False)
    """How many positions were solved to find the optima of all."""

    @property
    def is_named(self) -> bool:
        """Whether the players' own names are known."""
        return bool(self.players) and (self.game is None or self.game.named)

    @property
    def last(self) -> Span:
        """The final score, or the optimum of where an unfinished game stands."""
        return self.turns[-1].after if self.turns else self.optimum

    @property
    def ended_early(self) -> bool:
        """Whether its players ended it; the last turn tells what that gave away."""
        return len(self.turns) > len(self.line.actions)

    @property
    def lost(self) -> bool:
        """Whether it was lost by strikes."""
        return self.line.replay().end is End.STRIKES

    @property
    def full(self) -> int:
        """Full marks."""
        return self.line.start.rules.max_score

    @property
    def proven(self) -> bool:
        """Whether the optimum of every position is known."""
        return self.optimum.exact and all(turn.after.exact for turn in self.turns)

    @cached_property
    def first_loss(self) -> Turn | None:
        """The first turn that lost something for certain; None if none did.

        If full marks could be reached at first, they were gone after it.
        """
        return next((turn for turn in self.turns if turn.loss.low > 0), None)

    @cached_property
    def first_possible(self) -> Turn | None:
        """The first turn that may have lost something: before `first_loss` only by a limit."""
        return next((turn for turn in self.turns if turn.loss.high > 0), None)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each action, and the last one."""
        return tuple(self.line.positions())

    def _repr_svg_(self) -> str:
        from importlib import import_module  # pictures stand in a later layer

        return str(import_module("solver.pictures.svg_chart").chart_svg(self))


def review(
    game: Game,
    limits: Limits = DEFAULT_LIMITS,
    name: str = "",
    chance_cards: int = CHANCE_CARDS,
    score: int | None = None,
    brief: bool = False,
) -> Review:
    """Review a game of hanab.live, up to where the site ended it, or one of another program.

    Parameters
    ----------
    limits
        Nodes are for each position that is solved, seconds for the game.
    name
        What to call it, if the deal has no name.
    chance_cards
        Turns with at most so many cards to draw get exact chances.
    score
        What a finished game is to count, if not what its source gives for it.
    brief
        Find the losses and their kinds alone: no tightness, no chances, no better lines.

    Raises
    ------
    InputError
        If a move is illegal, or no engine covers the rules.
    """
    outcome = game.replay()
    if game.missing:
        raise InputError(game.missing)
    line = game.line()
    line = replace(line, actions=line.actions[: outcome.turns])
    ending = None
    if outcome.end > 2 and line.replay().end is None:
        ending = f"end: {outcome.phrase}"
    scored = outcome.score if score is None else score
    found = review_line(line, scored, ending, limits, chance_cards, brief)
    if ending is not None and game.ending is not None and game.ending.target >= 0:
        *turns, last = found.turns
        found = replace(found, turns=(*turns, replace(last, seat=game.ending.target)))
    called = game.deal.name or game.seed or name
    return replace(found, name=called, players=game.players, game=game)


def review_line(
    line: Line,
    score: int | None = None,
    ending: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    chance_cards: int = CHANCE_CARDS,
    brief: bool = False,
) -> Review:
    """Review a line of play from a position with every card known.

    Parameters
    ----------
    score
        What the game scored; None if it is unfinished, or if it is over and scores what the rules
        say. A log may count less for a game that was lost.
    ending
        How the players ended the game early, in words: a last turn tells what that gave away.
        None if they did not.
    limits, chance_cards, brief
        As for `review`.
    """
    require(line.start)
    positions = list(line.positions())
    clock = _Clock(limits)
    final = positions[-1]
    if final.end is not None:
        score = final.score if score is None else score
    known = None if ending is not None else score
    values, solved = values_along(positions, clock, known)
    most = values[-1].high if final.end is None else final.score
    if score is not None and score > most:
        raise InputError(f"the game is said to score {score}: it allows {most} at most")
    turns = [
        _turn(number, positions[number - 1], line, values, clock, brief)
        for number in range(1, len(positions))
    ]
    if ending is not None and score is not None:
        kind = "ended" if values[-1].low > score else ""
        turns.append(Turn(len(positions), None, ending, values[-1], Span(score, score), kind))
    if not brief:
        turns = _with_chances(turns, positions, line, chance_cards, clock)
    return Review(line, tuple(turns), score, values[0], solves=solved)


class _Clock:
    """Limits whose seconds run out over many questions."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.end = None if limits.seconds is None else time.monotonic() + limits.seconds

    def limit(self, target: int | None = None, nodes: int | None = None) -> Limits:
        """Give what the next question may cost."""
        most = self.limits.nodes
        if nodes is not None:
            most = nodes if most is None else min(most, nodes)
        left = None if self.end is None else max(self.end - time.monotonic(), 1e-6)
        return Limits(most, left, target)


def values_along(
    positions: Sequence[Position], clock: _Clock | Limits = DEFAULT_LIMITS, known: int | None = None
) -> tuple[list[Span], int]:
    """Give the optimum of every position of a game, and how many of them were solved.

    The optimum never rises along a game, for what can be reached after an action can be reached
    before it. So where two positions have the same optimum all between them have it too, and
    halving finds each fall; what is solved is asked only between the two known ends.

    Parameters
    ----------
    known
        The optimum of the last position, if it is known.
    """
    if isinstance(clock, Limits):
        clock = _Clock(clock)
    last = len(positions) - 1
    low = [0] * len(positions)
    high = [positions[0].rules.max_score] * len(positions)
    solved = 0

    def enclose(at: int, least: int, most: int) -> None:
        for index in range(at, -1, -1):
            if low[index] >= least:
                break
            low[index] = least
        for index in range(at, len(positions)):
            if high[index] <= most:
                break
            high[index] = most

    def ask(at: int) -> None:
        nonlocal solved
        solved += 1
        while low[at] < high[at]:
            target = high[at]
            result = solve(positions[at], clock.limit(target))
            enclose(at, min(result.score, target), min(result.bound, target))
            if high[at] == target and low[at] < target:
                return  # a limit was reached

    if known is not None:
        low[last] = min(low[last], known)  # a lost game may count less than nothing
        enclose(last, known, known)
    ask(0)
    if known is None:
        ask(last)
    segments = [(0, last)]
    while segments:
        first, end = segments.pop()
        if end - first < 2 or low[end] == high[first]:
            continue
        middle = (first + end) // 2
        if low[middle] < high[middle]:
            ask(middle)
        segments += [(middle, end), (first, middle)]
    return [Span(*both) for both in zip(low, high, strict=True)], solved


def _turn(
    number: int,
    before: Position,
    line: Line,
    values: Sequence[Span],
    clock: _Clock,
    brief: bool,
) -> Turn:
    action = line.actions[number - 1]
    was, now = values[number - 1], values[number]
    turn = Turn(number, before.seat, before.describe(action), was, now)
    if was.exact and not brief:
        less = clock.limit(None, SPARE_NODES)
        turn = replace(
            turn, pace=pace(before, was.low), spare_clues=spare_clues(before, was.low, less)
        )
    if action.kind is Kind.PLAY and not before.is_playable(before.hands[before.seat][action.slot]):
        turn = replace(turn, action=f"mis{turn.action}")
    if turn.loss.low == 0:
        return turn
    best = None
    if not brief:
        result = solve(before, clock.limit(was.low))
        best = result.line if result.score >= was.low else None
    kind = ""
    if was.exact:
        kind = loss_kind(before, action, was.low, clock.limit)
    return replace(turn, kind=kind, best=best)


def _with_chances(
    turns: Sequence[Turn], positions: Sequence[Position], line: Line, cards: int, clock: _Clock
) -> list[Turn]:
    """Add the exact chances of the turns with few cards to draw."""
    late = [
        number
        for number in range(len(line.actions))
        if positions[number].pile_size <= cards and positions[number].end is None
    ]
    made = list(turns)
    if not late:
        return made
    from solver.endgames.endgame import Teller

    try:
        win = Teller(positions[late[0]], "win")
        mean = Teller(positions[late[0]], "score")
        for number in late:
            at, limits = positions[number], clock.limit(None, CHANCE_NODES)
            made[number] = replace(
                made[number],
                win=_chance(win.values(at, limits), line, number),
                mean=_chance(mean.values(at, limits), line, number),
            )
    except UnsupportedRulesError:
        return list(turns)
    return made


def _chance(values: Values, line: Line, number: int) -> Chance | None:
    if any(low != high for low, high in values.values()):
        return None
    return Chance(max(low for low, _ in values.values()), values[line.actions[number]][0])
