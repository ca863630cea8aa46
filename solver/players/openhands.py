"""The open-hands player: it sees all hands and which cards are left, but not their order.

What it wins is a lower bound of what can be won with all hands known; the optimum of a deal, with
the draw order known too, is an upper bound. DESIGN.md says how it decides.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from solver._kernel import Player as _Player
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.models.packing import pack

__all__ = ["NODES", "SAMPLES", "Played", "Player", "play", "play_many", "require"]

SAMPLES = 400
"""Draw orders that are sampled for a decision, at most."""
NODES = 10_000
"""States of the exact endgame for a decision, at most."""
MEMORY = 32 << 20
"""Bytes that exact values of endgames may use, for each game."""


@dataclass(frozen=True)
class Played:
    """A whole game of the player, every action checked by the plain rules."""

    line: Line
    score: int
    seconds: float

    @property
    def max_score(self) -> int:
        """Full marks in this game."""
        return self.line.start.rules.max_score

    @property
    def won(self) -> bool:
        """Whether all stacks were completed."""
        return self.score == self.max_score


class Player:
    """The player in one game.

    Parameters
    ----------
    like
        Any position of the game.
    samples
        Draw orders that are sampled for a decision, at most; with 0 it plays by habit up to the
        endgame.
    nodes
        States of the exact endgame for a decision, at most.
    seed
        Chooses the samples, 0 to 2**64 - 1.

    Raises
    ------
    UnsupportedRulesError
        If it does not cover the rules.
    """

    def __init__(
        self, like: Position, samples: int = SAMPLES, nodes: int = NODES, seed: int = 0
    ) -> None:
        if not 0 <= samples <= 1_000_000:
            raise InputError(f"samples is {samples}, not 0 to 1,000,000")
        if not 1 <= nodes < 2**62:
            raise InputError(f"nodes is {nodes}, not 1 to {2**62 - 1}")
        if not 0 <= seed < 2**64:
            raise InputError(f"seed is {seed}, not 0 to {2**64 - 1}")
        require(like)
        self._kernel = _Player(pack(like, ordered=False), samples, nodes, seed, MEMORY)

    def choose(
        self, position: Position, turn: int = 0, stop: threading.Event | None = None
    ) -> Action:
        """Choose an action. The order of the draw pile is not looked at.

        Parameters
        ----------
        position
            A position of the game that is not over.
        turn
            Together with the seed it chooses the samples.
        stop
            Another thread may set it to make an end.

        Raises
        ------
        InterruptedError
            When ``stop`` is set.

        Examples
        --------
        >>> from solver import Position, deal_of_seed
        >>> start = Position.start(deal_of_seed("p3v0s1"))
        >>> start.describe(Player(start).choose(start))
        'play b1'
        """
        # The kernel sorts the pile before it does anything else; a test permutes it.
        kind, slot = self._kernel.choose(pack(position, ordered=False), turn, stop)
        return Action(Kind(kind), slot)


def require(start: Deal | Position) -> None:
    """Raise at once what playing this deal or position would raise.

    Raises
    ------
    UnsupportedRulesError
        If the player does not cover the rules.
    InputError
        If a card is unknown.
    """
    rules = start.rules
    if not rules.has_final_round:
        raise UnsupportedRulesError("a game without a final round is not covered by the player yet")
    if rules.deck_play:
        raise UnsupportedRulesError("playing from the draw pile is not covered by the player yet")
    pack(_position(start), ordered=False)


def play(
    start: Deal | Position, samples: int = SAMPLES, nodes: int = NODES, seed: int = 0
) -> Played:
    """Play a deal, or a position with its draw order known, to the end.

    The player is shown each card only when it is drawn. The same start, samples, nodes and seed
    give the same game.

    Examples
    --------
    >>> from solver import deal_of_seed
    >>> play(deal_of_seed("p3v0s1")).score
    25
    """
    return _play(_ordered(start), samples, nodes, seed, None)


def play_many(
    starts: Iterable[Deal | Position],
    samples: int = SAMPLES,
    nodes: int = NODES,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Generator[Played]:
    """Play many deals on ``jobs`` threads; games come in the order of the deals.

    ``progress`` is called with the number of games played, after each.
    """
    if jobs < 1:
        raise InputError(f"jobs is {jobs}, not at least 1")
    positions = map(_ordered, starts)
    games = (
        (_play(position, samples, nodes, seed, None) for position in positions)
        if jobs == 1
        else _threaded(positions, samples, nodes, seed, jobs)
    )
    for done, game in enumerate(games, 1):
        if progress is not None:
            progress(done)
        yield game


def _threaded(
    positions: Iterable[Position], samples: int, nodes: int, seed: int, jobs: int
) -> Generator[Played]:
    stop = threading.Event()
    waiting: deque[Future[Played]] = deque()
    with ThreadPoolExecutor(jobs) as executor:
        try:
            for position in positions:
                waiting.append(executor.submit(_play, position, samples, nodes, seed, stop))
                if len(waiting) >= 4 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            stop.set()
            for future in waiting:
                future.cancel()


def _play(
    position: Position, samples: int, nodes: int, seed: int, stop: threading.Event | None
) -> Played:
    began = time.perf_counter()
    start = position
    actions: list[Action] = []
    player = Player(start, samples, nodes, seed)
    while position.end is None:
        action = player.choose(position, len(actions), stop)
        actions.append(action)
        position = position.after(action)
    line = Line(start, tuple(actions))
    return Played(line, position.score, time.perf_counter() - began)


def _position(start: Deal | Position) -> Position:
    return Position.start(start) if isinstance(start, Deal) else start


def _ordered(start: Deal | Position) -> Position:
    position = _position(start)
    if not position.ordered:
        raise InputError("the draw order is unknown: a game needs one to be played out")
    return position
