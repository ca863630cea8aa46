"""The cascade behind ``--engine auto``: the native search first, SAT for what it leaves open."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from solver.errors import UnsupportedRulesError
from solver.position import Position
from solver.result import Limits, Result

__all__ = ["first_limits", "require", "settle", "solve", "solve_many"]

SEARCH_NODES = 500_000
"""What the native search may spend before SAT takes over; few deals in ten thousand need more."""


def require(position: Position) -> None:
    """Raise UnsupportedRulesError or InputError if no engine of the cascade takes the position."""
    from solver import search

    try:
        search.require(position)
    except UnsupportedRulesError as error:
        if not _sat_takes(position):
            raise error


def solve(position: Position, limits: Limits = Limits()) -> Result:
    """Find the optimum; without limits the answer is proven.

    Parameters
    ----------
    limits
        ``nodes`` is the sum of search nodes and the SAT solver's conflicts.
    """
    return next(solve_many([position], limits))


def solve_many(
    positions: Iterable[Position],
    limits: Limits = Limits(),
    jobs: int = 1,
) -> Iterator[Result]:
    """Solve many positions: the search on ``jobs`` threads, SAT here; results in order.

    SAT also takes the positions whose rules the search does not cover, if it covers them.
    """
    from solver import search

    order: deque[Position | None] = deque()  # None for one that the search has

    def searched() -> Iterator[Position]:
        for position in positions:
            try:
                search.require(position)
            except UnsupportedRulesError:
                if not _sat_takes(position):
                    raise
                order.append(position)
            else:
                order.append(None)
                yield position

    def others() -> Iterator[Result]:
        while order and (position := order[0]) is not None:
            from solver import sat

            yield sat.solve(position, limits)
            order.popleft()

    for result in search.solve_many(searched(), first_limits(limits), jobs):
        yield from others()
        order.popleft()
        yield settle(result, limits)
    yield from others()


def _sat_takes(position: Position) -> bool:
    from solver import sat

    try:
        sat.require(position)
    except UnsupportedRulesError:
        return False
    return True


def first_limits(limits: Limits) -> Limits:
    """Give what the native search may spend of the limits."""
    return replace(limits, nodes=min(limits.nodes or SEARCH_NODES, SEARCH_NODES))


def settle(result: Result, limits: Limits) -> Result:
    """Ask SAT for the highest score that is open, then for the next, until none is left.

    Parameters
    ----------
    result
        What the native search answered within `first_limits`.
    """
    if result.stopped != "nodes" or result.nodes == limits.nodes:
        return result
    from solver import sat

    result = replace(result, stopped="")
    while not result.stopped and _is_open(result, limits.target):
        began = time.monotonic()
        nodes = None if limits.nodes is None else limits.nodes - result.nodes
        seconds = None if limits.seconds is None else limits.seconds - result.seconds
        if nodes is not None and nodes <= 0:
            return replace(result, stopped="nodes")
        if seconds is not None and seconds <= 0:
            return replace(result, stopped="seconds")
        asked = result.bound if limits.target is None else limits.target
        answer = sat.solve(result.line.start, Limits(nodes, seconds, asked))
        better = answer if answer.score > result.score else result
        result = Result(
            better.score,
            min(result.bound, answer.bound),
            better.line,
            "search+sat",
            result.nodes + answer.nodes,
            result.seconds + time.monotonic() - began,
            answer.stopped,
        )
    return result


def _is_open(result: Result, target: int | None) -> bool:
    if target is not None and (result.score >= target or result.bound < target):
        return False
    return not result.proven
