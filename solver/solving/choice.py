"""Solve deals and positions: choose the engine by name, check what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Protocol, cast

from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.result import Limits, Result

__all__ = ["DEFAULT_LIMITS", "ENGINES", "require", "solve", "solve_many"]

DEFAULT_LIMITS = Limits(nodes=2_000_000)
"""Enough for nearly every deal; a deal that uses all of it takes a minute or two."""

ENGINES = {
    "auto": "solver.solving.cascade",
    "search": "solver.engines.search",
    "sat": "solver.engines.sat",
    "cpsat": "solver.engines.cpsat",
}
"""Engine names and the modules that hold them, imported on use."""


class Engine(Protocol):
    """What every engine module offers."""

    def require(self, position: Position) -> None:
        """Raise UnsupportedRulesError or InputError if the engine cannot take the position."""

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
        If the engine is not known, or a card or the draw order is not; if the target is more than
        full marks.
    UnsupportedRulesError
        If the engine does not cover the rules.

    Examples
    --------
    >>> from solver import deal_of_seed, solve
    >>> result = solve(deal_of_seed("p3v0s1"))
    >>> result.score, result.proven
    (25, True)
    """
    return _engine(engine).solve(_position(start, limits), limits)


def require(start: Deal | Position, engine: str = "auto", limits: Limits = DEFAULT_LIMITS) -> None:
    """Raise at once what `solve` would raise for this deal or position and engine."""
    _engine(engine).require(_position(start, limits))


def solve_many(
    starts: Iterable[Deal | Position],
    limits: Limits = DEFAULT_LIMITS,
    jobs: int = 1,
    engine: str = "auto",
    progress: Callable[[int], None] | None = None,
) -> Iterator[Result]:
    """Solve many deals; results come in order, as soon as they are there.

    Parameters
    ----------
    limits
        For each deal.
    jobs
        Native threads of the search; SAT and CP-SAT take one deal after the other.
    progress
        Called with the number of deals done, after each.

    Raises
    ------
    InputError
        As `solve`, at the deal concerned, and that is the end: try `require` first to go on.
    """
    if jobs < 1:
        raise InputError(f"jobs is {jobs}, not at least 1")
    module = _engine(engine)
    positions = (_position(start, limits) for start in starts)
    if hasattr(module, "solve_many"):
        results = module.solve_many(positions, limits, jobs)
    else:
        results = (module.solve(position, limits) for position in positions)
    for done, result in enumerate(results, 1):
        if progress is not None:
            progress(done)
        yield result


def _engine(name: str) -> Engine:
    if name not in ENGINES:
        raise InputError(f"engine {name!r} is not known; there are {', '.join(ENGINES)}")
    return cast(Engine, import_module(ENGINES[name]))


def _position(start: Deal | Position, limits: Limits) -> Position:
    position = Position.start(start) if isinstance(start, Deal) else start
    most = position.rules.max_score
    if limits.target is not None and limits.target > most:
        raise InputError(f"target is {limits.target}, not 0 to {most}")
    return position
