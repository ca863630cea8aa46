"""Many deals of the same rules without their lines: what surveys need, at the search's own pace.

The kernel replays every line by rules of its own (csrc/replay.hpp), which the search does not use;
of every `SAMPLE` deals one is replayed by the plain rules as well, and its deck, where the kernel
shuffled it, compared with Python's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from solver import _kernel
from solver.decks.shuffles import Shuffles
from solver.engines.search import LADDER, TABLE_BYTES, lost_on
from solver.game.clues import free, is_free
from solver.game.deal import Deal
from solver.game.errors import UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits, Result, checked
from solver.models.packing import pack, pack_decks, unpack_actions
from solver.models.ways import require_few
from solver.questions.ladder import RUNGS
from solver.solving import cascade

__all__ = ["RUNG_NODES", "SAMPLE", "Outcome", "decks_of", "lost_rung", "solve_bulk"]

SAMPLE = 250
"""Of so many deals one has its line replayed in Python too; the kernel replays all."""

RUNG_NODES = 200_000
"""Search nodes for each rung of the ladder, for deals that cannot be won."""


class Outcome(NamedTuple):
    """What became of a deal: ``score <= optimum <= bound``.

    ``rung`` is the first rung of `solver.questions.ladder.RUNGS` on which full marks are lost,
    with a question mark if a limit left open whether one before it will do; empty if the deal is
    winnable, if it is not known whether it is, or if its suits can be built in too many ways.
    ``turns`` is how many turns the line found takes to its last scoring play.
    """

    score: int
    bound: int
    rung: str
    turns: int
    nodes: int
    engine: str
    seconds: float


def solve_bulk(deals: Sequence[Deal], nodes: int) -> list[Outcome]:
    """Find the optima of deals of the same rules, as ``--engine auto`` does.

    Parameters
    ----------
    nodes
        Search nodes and conflicts of a SAT solver together, for each deal. The same deal and the
        same nodes always give the same outcome, but for its ``seconds``.

    Raises
    ------
    UnsupportedRulesError
        If no engine covers the rules.
    """
    if not deals:
        return []
    limits = Limits(nodes)
    try:
        like = pack(Position.start(deals[0]))
    except UnsupportedRulesError:
        return [_settled(cascade.solve(Position.start(deal), limits)) for deal in deals]
    spent = cascade.first_limits(limits).nodes or nodes
    decks = decks_of(deals)
    rows = _kernel.survey(like, decks, spent, RUNG_NODES, TABLE_BYTES)
    found = []
    for place, row in enumerate(rows):
        score, bound, line, used, seconds, stop, rung, first = row
        # Open by a limit, or for the search alone, as a speedrun may be.
        is_open = stop or score < bound
        if is_open or place % SAMPLE == 0:
            deal = deals[place]
            deck = pack_decks([deal])
            if deck != decks[place * len(deck) : (place + 1) * len(deck)]:
                raise AssertionError(f"{deal.name}: the kernel shuffles another deck than Python")
            made = Line.of(deal, unpack_actions(line))
            stopped = "nodes" if stop else ""
            result = checked(Result(score, bound, made, "search", used, seconds, stopped))
            if is_open:
                found.append(_settled(cascade.settle(result, limits)))
                continue
        words = "" if rung < 0 else LADDER[rung] if first else f"{LADDER[rung]}?"
        found.append(Outcome(score, bound, words, len(line) // 2, used, "search", seconds))
    return found


def decks_of(deals: Sequence[Deal]) -> bytes:
    """Pack the decks of deals that have the same rules, as `pack_decks`, by the kernel if it can.

    Raises
    ------
    UnsupportedRulesError
        If the kernel does not cover the rules, saying which.
    """
    if not isinstance(deals, Shuffles) or not 0 < len(deals.unshuffled) <= 256:
        return pack_decks(deals)
    codes = pack_decks([Deal(deals.rules, deals.unshuffled)])
    return _kernel.shuffled(deals.keys(), len(codes)).translate(codes.ljust(256))


def _settled(result: Result) -> Outcome:
    """Give the outcome of a deal that the kernel alone could not settle."""
    rung = lost_rung(result.line.start) if result.winnable is False else ""
    turns = len(result.line.actions)
    return Outcome(result.score, result.bound, rung, turns, result.nodes, result.engine,
                   result.seconds)  # fmt: skip


def lost_rung(start: Position) -> str:
    """Give the first rung on which a deal that cannot be won is lost, as csrc/survey.hpp does.

    Empty if there are too many ways in which the suits can be built.
    """
    several = not start.rules.heights_are_states
    if several:
        try:
            require_few(start)
        except UnsupportedRulesError:
            return ""
    game = "clues" if not is_free(start) else "ways" if several else "strikes"
    doubt = ""
    for rung in RUNGS[: RUNGS.index(game)]:
        lost = several and _ways_lost(start) if rung == "ways" else _lost_on(rung, start)
        if lost:
            return rung + doubt
        if lost is None:
            doubt = "?"
    return game + doubt


def _lost_on(rung: str, start: Position) -> bool | None:
    return lost_on(rung, start, [suit.full for suit in start.rules.suits], RUNG_NODES)


def _ways_lost(start: Position) -> bool | None:
    """Whether the game with free clues is lost; None if a limit was reached."""
    found = cascade.solve(free(start), Limits(RUNG_NODES)).winnable
    return None if found is None else not found
