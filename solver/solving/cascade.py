"""The cascade behind ``--engine auto``: the native search, then SAT and the search by turns."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import cycle, repeat
from typing import TYPE_CHECKING

from solver.game.errors import UnsupportedRulesError
from solver.game.position import Position
from solver.game.result import Limits, Result

if TYPE_CHECKING:
    from solver.engines import sat

__all__ = ["first_limits", "require", "settle", "solve", "solve_many"]

SEARCH_NODES = 1_000_000
"""What the native search may spend at first; few deals in ten thousand need more."""

FIRST_CONFLICTS = 80_000
"""What SAT may spend on its first turn."""

FACTOR = 8
"""How much more SAT may spend on its next turn."""

SEARCH_FACTOR = 8
"""How much more the search may spend on its next turn: its nodes are cheap beside conflicts."""

TURNS = (SEARCH_NODES, FIRST_CONFLICTS, FACTOR, SEARCH_FACTOR)
"""What of the cascade a survey's rows depend on."""


def require(position: Position) -> None:
    """Raise UnsupportedRulesError or InputError if no engine of the cascade takes the position."""
    from solver.engines import search

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
    from solver.engines import search

    if not _search_takes(position):
        require(position)
        from solver.engines import sat

        return sat.solve(position, limits)
    return settle(search.solve(position, first_limits(limits)), limits)


def solve_many(
    positions: Iterable[Position],
    limits: Limits = Limits(),
    jobs: int = 1,
) -> Iterator[Result]:
    """Solve many positions: the search on ``jobs`` threads, SAT here; results in order.

    SAT also takes the positions whose rules the search does not cover, if it covers them.
    """
    from solver.engines import search

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
            from solver.engines import sat

            yield sat.solve(position, limits)
            order.popleft()

    # Closed here, not by the garbage collector, in which Ctrl-C would be lost.
    with closing(search.solve_many(searched(), first_limits(limits), jobs)) as found:
        for result in found:
            yield from others()
            order.popleft()
            yield settle(result, limits)
    yield from others()


def _search_takes(position: Position) -> bool:
    from solver.engines import search

    try:
        search.require(position)
    except UnsupportedRulesError:
        return False
    return True


def _sat_takes(position: Position) -> bool:
    from solver.engines import sat

    try:
        sat.require(position)
    except UnsupportedRulesError:
        return False
    return True


def first_limits(limits: Limits) -> Limits:
    """Give what the native search may spend of the limits."""
    return replace(limits, nodes=min(limits.nodes or SEARCH_NODES, SEARCH_NODES))


def settle(result: Result, limits: Limits) -> Result:
    """Let SAT and the search take turns, with ever more to spend, until nothing is open.

    SAT is quick at refuting and the search at finding, each with many exceptions; with turns a
    deal costs a few times what the better of the two needs.

    Parameters
    ----------
    result
        What the native search answered within `first_limits`.
    """
    if result.stopped not in ("", "nodes") or result.nodes == limits.nodes:
        return result
    if not _is_open(result, limits.target):
        return result
    from solver.engines import sat

    start = result.line.start
    searches = _search_takes(start)
    with sat.Session(start) as session:
        return _by_turns(replace(result, stopped=""), limits, session, searches)


def _by_turns(result: Result, limits: Limits, session: sat.Session, searches: bool) -> Result:
    """Give the turns to SAT, which goes on where it was, and to the search, which begins anew."""
    from solver.engines import search

    share: int | None
    conflicts, nodes = FIRST_CONFLICTS, SEARCH_NODES
    for to_search in cycle((False, True)) if searches else repeat(False):
        if not _is_open(result, limits.target):
            return result
        left = None if limits.nodes is None else limits.nodes - result.nodes
        seconds = None if limits.seconds is None else limits.seconds - result.seconds
        if left is not None and left <= 0:
            return replace(result, stopped="nodes")
        if seconds is not None and seconds <= 0:
            return replace(result, stopped="seconds")
        asked = result.bound if limits.target is None else limits.target
        if to_search:
            nodes *= SEARCH_FACTOR
            # Conflicts are the better use of a limit: the search gets half of what is left.
            share = nodes if left is None else min(nodes, max(left // 2, 1))
        else:
            share = conflicts if searches else None
            conflicts *= FACTOR
        within = min((n for n in (left, share) if n is not None), default=None)
        began = time.monotonic()
        turn = Limits(within, seconds, asked)
        answer = (
            search.solve(session.position, turn, bound=result.bound)
            if to_search
            else session.run(turn)
        )
        better = answer if answer.score > result.score else result
        result = Result(
            better.score,
            min(result.bound, answer.bound),
            better.line,
            "search+sat",
            result.nodes + answer.nodes,
            result.seconds + time.monotonic() - began,
            answer.stopped if answer.stopped not in ("", "nodes") else "",
        )
        if result.stopped:
            return result
    raise AssertionError


def _is_open(result: Result, target: int | None) -> bool:
    if target is not None and (result.score >= target or result.bound < target):
        return False
    return not result.proven
