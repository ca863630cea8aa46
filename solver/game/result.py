"""What an engine is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from solver.game.errors import InputError
from solver.game.line import Line

__all__ = ["Limits", "Result", "checked"]


@dataclass(frozen=True)
class Limits:
    """How much an engine may spend. None is no limit.

    Parameters
    ----------
    nodes
        Search nodes (conflicts, for the SAT and CP-SAT engines), at least 1. The same input and
        node limit give the same answer.
    seconds
        Wall time, more than 0.
    target
        Ask only whether this score can be reached: the engine may stop as soon as
        ``score >= target`` or ``bound < target``. None asks for the optimum.
    """

    nodes: int | None = None
    seconds: float | None = None
    target: int | None = None

    def __post_init__(self) -> None:
        if self.nodes is not None and not 1 <= self.nodes < 2**62:
            raise InputError(f"nodes is {self.nodes}, not 1 to {2**62 - 1}")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise InputError(f"seconds is {self.seconds}, not a finite number above 0")
        if self.target is not None and self.target < 0:
            raise InputError(f"target is {self.target}, not at least 0")


@dataclass(frozen=True)
class Result:
    """An engine's answer: ``score <= optimum <= bound``, and a line that reaches ``score``.

    A limit that was reached leaves score and bound apart; it never reads as "lost". A result has
    no truth value.
    """

    score: int
    bound: int
    line: Line
    engine: str
    nodes: int
    seconds: float
    stopped: str = ""
    """Why the engine stopped before it had an answer: ``nodes``, ``seconds``, or empty."""

    @property
    def proven(self) -> bool:
        """Whether score is the optimum."""
        return self.score == self.bound

    @property
    def max_score(self) -> int:
        """Full marks in this game."""
        return self.line.start.rules.max_score

    @property
    def winnable(self) -> bool | None:
        """Whether full marks can be reached; None if that is open."""
        if self.score >= self.max_score:
            return True
        return False if self.bound < self.max_score else None

    def __bool__(self) -> NoReturn:
        raise TypeError("a Result has no truth value: ask for .proven or .winnable")


def checked(result: Result) -> Result:
    """Replay the line by the plain rules and return the result if it holds.

    Raises
    ------
    AssertionError
        If the line does not reach the score or the bounds are crossed: a fault of the engine.
    """
    last = result.line.replay()
    if not last.score == result.score <= result.bound <= result.max_score:
        raise AssertionError(
            f"{result.engine}: a line of {last.score} for the score {result.score}, "
            f"bound {result.bound}, from {result.line.start.text()}"
        )
    return replace(result, stopped="") if result.proven and result.stopped else result
