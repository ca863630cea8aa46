"""Why a deal cannot be won, and how tight one is that can.

`explain` climbs the ladder of relaxations to the first rung on which full marks are already lost,
and looks for the cards that cause it, none of which can be left out; where suits can be built in
several ways, for each way.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from solver.game.clues import free, is_free
from solver.game.deal import Deal
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits, Result
from solver.models.ways import require_few
from solver.questions.ladder import Climb, Loss
from solver.questions.reasons import Reasons, find_reasons
from solver.questions.tightness import Tightness, tightness
from solver.solving.choice import DEFAULT_LIMITS, solve

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True)
class Explanation:
    """What is to be said about a deal or position: of `loss` and `tight` one at most is there.

    Both are None if a limit left open whether it can be won, or why not.
    """

    asked: Deal | Position
    result: Result
    loss: Loss | None
    tight: Tightness | None
    reasons: Reasons | None = None
    """For a loss of the kind ``every-way``."""

    @property
    def start(self) -> Position:
        """The position that is explained."""
        return self.result.line.start

    @property
    def winnable(self) -> bool | None:
        """Whether full marks can be reached; None if that is open."""
        return False if self.loss else self.result.winnable

    @property
    def settled(self) -> bool:
        """Whether no limit left anything open."""
        loss = self.loss
        return self.result.proven and (
            self.tight is not None or (loss is not None and loss.minimal)
        )


def explain(start: Deal | Position, limits: Limits = DEFAULT_LIMITS) -> Explanation:
    """Say why full marks cannot be reached, or how tight it is.

    Parameters
    ----------
    limits
        What may be spent: the nodes on the optimum and on each question of the ladder, the seconds
        on the whole. A target is ignored.

    Raises
    ------
    InputError, UnsupportedRulesError
        As `solver.solve`, and if the native search does not cover the rules.

    Examples
    --------
    >>> from solver.reading.specs import deals
    >>> (deal,) = deals("python:p2c1s129", None, None)
    >>> explain(deal).loss.rung
    'release'
    """
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    if not start.rules.heights_are_states:
        require_few(Position.start(start) if isinstance(start, Deal) else start)
    result = solve(start, Limits(limits.nodes, limits.seconds))
    position = result.line.start
    if result.winnable:
        return Explanation(start, result, None, tightness(_to_full_marks(result.line)))
    full = tuple(suit.full for suit in position.rules.suits)
    if position.end is not None:
        return Explanation(start, result, Loss("", "over", (), True, full), None)
    if not position.rules.heights_are_states:
        return _any_way(Explanation(start, result, None, None), limits.nodes, deadline)
    climb = Climb(position, limits.nodes, deadline)
    loss = climb.run()
    if loss is None and result.winnable is False and not is_free(position):
        loss = Loss("clues", "clues", (), True, full, climb.sure)
    return Explanation(start, result, loss, None)


def _any_way(open_: Explanation, nodes: int | None, deadline: float | None) -> Explanation:
    """Explain a game whose suits can be built in several ways, and which may be lost."""
    position = open_.start
    full = tuple(suit.full for suit in position.rules.suits)
    reasons = find_reasons(position, nodes, deadline)
    if reasons.covered:
        minimal = all(reason.loss.minimal for reason in reasons.found)
        loss = Loss(reasons.rung, "every-way", (), minimal, full, reasons.first)
        return replace(open_, loss=loss, reasons=reasons)
    if open_.result.winnable is not False:
        return open_
    rung = "ways"
    sure = reasons.won
    if not is_free(position):
        seconds = None if deadline is None else max(1e-6, deadline - time.monotonic())
        easier = solve(free(position), Limits(nodes, seconds))
        if easier.winnable is not False:
            rung = "clues"
            sure = bool(easier.winnable)
    if rung == "ways" and not sure:
        return open_
    return replace(open_, loss=Loss(rung, rung, (), True, full, sure))


def _to_full_marks(line: Line) -> Line:
    """Leave out what follows on the last card."""
    for turn, position in enumerate(line.positions()):
        if position.points == position.rules.max_score:
            return Line(line.start, line.actions[:turn])
    return line
