"""Solve deals and positions: choose the engine by name, check what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Protocol, cast

from solver.deal import Deal
from solver.errors import InputError
from solver.position import Position
from solver.result import Limits, Result

__all__ = ["DEFAULT_LIMITS", "ENGINES", "solve", "solve_many"]

DEFAULT_LIMITS = Limits(nodes=2_000_000)
"""About a second for the rare deal that uses all of it."""

ENGINES = {"auto": "solver.search", "search": "solver.search", "sat": "solver.sat",
           "cpsat": "solver.cpsat"}  # fmt: skip
"""Engine names and the modules that hold them, imported on use."""


class Engine(Protocol):
    """What every engine module offers."""

    def solve(self, position: Position, limits: Limits = ...) -> Result:
        """Find the optimum within the limits."""


def solve(start: Deal | Position, limits: Limits = DEFAULT_LIMITS, engine: str = "auto") -> Result:
    """Find the best score of a deal or position when every card is known.

    Parameters
    ----------
    limits
        What may be spent; ``Limits()`` is no limit.
    engine
        One of `ENGINES`.

    Returns
    -------
    Result
        ``score <= optimum <= bound`` and a line that reaches ``score``, replayed by the rules.

    Raises
    ------
    InputError
        If the engine is not known, or a card or the draw order is not.
    UnsupportedRulesError
        If the engine does not cover the rules.

    Examples
    --------
    >>> from solver import deal_of_seed, solve
    >>> result = solve(deal_of_seed("p3v0s1"))
    >>> result.score, result.proven
    (25, True)
    """
    return _engine(engine).solve(_position(start), limits)


def solve_many(
    starts: Iterable[Deal | Position],
    limits: Limits = DEFAULT_LIMITS,
    jobs: int = 1,
    engine: str = "auto",
) -> Iterator[Result]:
    """Solve many deals; results come in order, as soon as they are there.

    Parameters
    ----------
    limits
        For each deal.
    jobs
        Native threads of the search; the other engines take one deal after the other.
    """
    if jobs < 1:
        raise InputError(f"jobs is {jobs}, not at least 1")
    module = _engine(engine)
    positions = (_position(start) for start in starts)
    if ENGINES[engine] == "solver.search":
        from solver import search

        yield from search.solve_many(positions, limits, jobs)
    else:
        for position in positions:
            yield module.solve(position, limits)


def _engine(name: str) -> Engine:
    if name not in ENGINES:
        raise InputError(f"engine {name!r} is not known; there are {', '.join(ENGINES)}")
    return cast(Engine, import_module(ENGINES[name]))


def _position(start: Deal | Position) -> Position:
    return Position.start(start) if isinstance(start, Deal) else start
