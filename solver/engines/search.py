"""The native search: the optimum of a position with every card known, by the C++ kernel."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice

from solver._kernel import Batch
from solver._kernel import climb as _climb
from solver._kernel import solve as _solve
from solver.game.clues import free, is_free, legal_part
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits, Result, checked
from solver.models.packing import pack, unpack_actions
from solver.models.strict import Answer, Strict
from solver.models.ways import best_way, narrowed, require_few

__all__ = ["ALL_RULES", "LADDER", "PRUNING_RULES", "lost_on", "require", "solve", "solve_many"]

PRUNING_RULES = {
    "release": 1,
    "shared-hand": 2,
    "trash-first": 4,
    "clue-order": 8,
    "table": 16,
    "tail": 32,
}
"""The pruning rules that may be switched off; DESIGN.md proves each."""

ALL_RULES = sum(PRUNING_RULES.values())
TABLE_BYTES = 96 << 20
"""What the table of refuted states may use, for each thread and width of hands."""

LADDER = ("release", "shared-hand", "turn-order", "tokens", "strikes")
"""Relaxations of the game, weakest first; the last is the game with free clues."""

_STOPS = ("", "nodes", "seconds", "asked")
_AHEAD = 64


def require(position: Position) -> None:
    """Raise what `solve` would raise for this position at once."""
    if position.rules.heights_are_states:
        pack(free(position))
        return
    position.require_order()
    require_few(position)
    rules = position.rules
    ways = position.all_ways()
    # Only that rule can be covered for one way and not for another: it asks for the last card.
    every = rules.deck_play and not rules.has_final_round
    for some in ways if every else islice(ways, 1):
        pack(narrowed(position, some))


def solve(
    position: Position, limits: Limits = Limits(), rules: int = ALL_RULES, bound: int | None = None
) -> Result:
    """Find the optimum of a position, and a line that reaches it.

    Parameters
    ----------
    rules
        The sum of the `PRUNING_RULES` to use; fewer give the same answer more slowly.
    bound
        What the optimum is known not to exceed; used only where clues are always legal.

    Raises
    ------
    UnsupportedRulesError
        If the search does not cover the position's rules.
    """
    if not position.rules.heights_are_states:
        require(position)
        return _strict(position, limits, rules)
    if is_free(position):
        return _result(position, _relaxed(free(position), limits, rules, bound))
    return _strict(position, limits, rules)


def lost_on(
    rung: str, position: Position, caps: Sequence[int], nodes: int | None = None
) -> bool | None:
    """Whether a rung of the ladder already rules out that every stack reaches its cap.

    Parameters
    ----------
    rung
        One of `LADDER`: ``release`` and ``shared-hand`` are the bounds of these names;
        ``turn-order`` is the game with free clues in which discarding is always legal;
        ``tokens`` the game in which discarding at full tokens is legal and free; ``strikes`` the
        game itself, but for clues that may be illegal: here all are free. What is lost on a rung
        is lost on all that follow. Where suits can be built in several ways, it is lost if it is
        in each of them (`solver.models.ways`).
    caps
        For each suit the height asked for, at least what its stack has and at most a full suit.
        The game must end without being lost, and a card above its cap is never put on its stack;
        so where playing one is worth more than discarding it, caps can be lost though higher ones
        are not (`solver.questions.ladder.lower_is_easier`).
    nodes
        Search nodes at most for each way, None for no limit.

    Returns
    -------
    bool | None
        None if the limit was reached.

    Raises
    ------
    UnsupportedRulesError
        If the rules are not covered.
    """
    if not position.rules.heights_are_states:
        require_few(position)
        lost = True
        for ways in position.all_ways():
            answer_there = lost_on(rung, narrowed(position, ways), caps, nodes)
            if answer_there is False:
                return False
            lost &= answer_there is True
        return True if lost else None
    heights = bytes(caps) + bytes(6 - len(caps))
    answer = _climb(pack(free(position)), heights, LADDER.index(rung), nodes, TABLE_BYTES)
    return {0: False, 1: True, 2: True}.get(answer)


def solve_many(
    positions: Iterable[Position],
    limits: Limits = Limits(),
    jobs: int = 1,
    rules: int = ALL_RULES,
) -> Generator[Result, None, None]:
    """Solve many positions on ``jobs`` native threads; results in the order of the positions.

    The positions are taken from the iterable only a little ahead of the results.
    """
    waiting: deque[Position] = deque()

    def answered(position: Position) -> Result:
        if not position.rules.heights_are_states:
            return solve(position, limits, rules)
        answer, seconds = _unpacked(batch.pop())
        if is_free(position):
            return _result(position, (answer, seconds))
        return _strict(position, limits, rules, answer, seconds)

    with closing(Batch(jobs, *_arguments(limits, rules))) as batch:
        for position in positions:
            require(position)
            if position.rules.heights_are_states:
                batch.push(pack(free(position)))
            waiting.append(position)
            if len(waiting) >= _AHEAD * jobs:
                yield answered(waiting.popleft())
        while waiting:
            yield answered(waiting.popleft())


def _arguments(limits: Limits, rules: int) -> tuple[int | None, float, int, int, int]:
    target = -1 if limits.target is None else min(limits.target, 10_000)
    return limits.nodes, limits.seconds or 0.0, target, rules, TABLE_BYTES


def _unpacked(answer: tuple[int, int, bytes, int, float, int]) -> tuple[Answer, float]:
    score, bound, line, nodes, seconds, stop = answer
    return Answer(score, bound, unpack_actions(line), nodes, _STOPS[stop]), seconds


def _relaxed(
    position: Position, limits: Limits, rules: int, bound: int | None = None
) -> tuple[Answer, float]:
    """Solve a game with free clues, and say how many seconds it took."""
    most = -1 if bound is None else bound
    return _unpacked(_solve(pack(position), *_arguments(limits, rules), most))


def _strict(
    position: Position, limits: Limits, rules: int, first: Answer | None = None, spent: float = 0.0
) -> Result:
    """Solve a game in which clues can be illegal; ``first`` is the answer for free ones."""
    require(position)
    began = time.monotonic()
    if limits.seconds is not None and spent:
        limits = replace(limits, seconds=max(limits.seconds - spent, 1e-6))

    def ask(asked: Position, left: Limits) -> Answer:
        return _relaxed(asked, left, rules)[0]

    def ask_ways(asked: Position, left: Limits) -> Answer:
        return best_way(asked, left, ask)

    search = Strict(position, limits, ask if position.rules.heights_are_states else ask_ways)
    answer = search.run(first)
    line = Line(position, answer.actions)
    return _checked(line, answer, spent + time.monotonic() - began)


def _result(position: Position, answered: tuple[Answer, float]) -> Result:
    answer, seconds = answered
    line = Line(position, answer.actions)
    if position.rules.alternating_clues:
        line = legal_part(position, answer.actions)
    return _checked(line, answer, seconds)


def _checked(line: Line, answer: Answer, seconds: float) -> Result:
    return checked(
        Result(answer.score, answer.bound, line, "search", answer.nodes, seconds, answer.stopped)
    )
