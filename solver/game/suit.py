"""A suit: its cards, and how its stack is built."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from solver.game.errors import InputError

__all__ = ["MAX_COPIES", "STANDARD_COPIES", "Suit", "Way"]

STANDARD_COPIES = (3, 2, 2, 2, 1)
"""Copies of the ranks 1 to 5 in a suit of the printed game."""

MAX_RANKS = 10
MAX_COPIES = 9

Way = tuple[frozenset[int], ...]
"""For each card still missing on a stack, from below: the ranks that it may have."""


@dataclass(frozen=True)
class Suit:
    """A suit: its letter, how many copies of each rank there are, and how it is built.

    Parameters
    ----------
    letter
        One lower-case ASCII letter, unique among the suits of a game.
    copies
        ``copies[r - 1]`` copies of rank ``r``, each at least 1; 1 to 10 ranks.
    build
        The building order as a small automaton: ``build[state][r - 1]`` is the state of the
        stack after rank ``r`` is played on it, or -1 if that is a misplay. State 0 is the empty
        stack. Every way to a state has the same number of cards, its height. Empty means
        upwards, 1 to n, where the state *is* the height.
    """

    letter: str
    copies: tuple[int, ...] = STANDARD_COPIES
    build: tuple[tuple[int, ...], ...] = ()
    heights: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)
    """Cards on the stack in each state; computed, not given."""
    order: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)
    """The ranks in the order in which they are built, if there is only one and it has each rank
    once: then the state *is* the height. Empty for all other suits; computed, not given."""
    steps: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)
    """For such a suit, by rank from 1: the height of the stack once this rank is played."""
    starts: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)
    """The rank at the bottom of the stack in each state, 0 if there is none or it may differ."""

    def __post_init__(self) -> None:
        if not (len(self.letter) == 1 and "a" <= self.letter <= "z"):
            raise InputError(f"suit letter {self.letter!r} is not one of a to z")
        if not 1 <= len(self.copies) <= MAX_RANKS:
            raise InputError(
                f"suit {self.letter} has {len(self.copies)} ranks, not 1 to {MAX_RANKS}"
            )
        for rank, count in enumerate(self.copies, 1):
            if not 1 <= count <= MAX_COPIES:
                raise InputError(
                    f"suit {self.letter} has {count} copies of rank {rank}, not 1 to {MAX_COPIES}"
                )
        if not self.build:
            object.__setattr__(self, "build", _upward(len(self.copies)))
        object.__setattr__(self, "heights", _heights(self.letter, len(self.copies), self.build))
        object.__setattr__(self, "starts", _starts(self.build))
        order = _order(self.build)
        if len(order) == len(self.copies):
            object.__setattr__(self, "order", order)
            steps = tuple(order.index(rank) + 1 for rank in range(1, len(order) + 1))
            object.__setattr__(self, "steps", steps)

    @classmethod
    def ordered(cls, letter: str, copies: tuple[int, ...], order: Sequence[int]) -> Suit:
        """Make a suit that is built in one order of its ranks, such as 5, 4, 3, 2, 1."""
        if sorted(order) != list(range(1, len(copies) + 1)):
            raise InputError(f"suit {letter}: {tuple(order)} is no order of its ranks")
        build = tuple(
            tuple(state + 1 if rank == following else -1 for rank in range(1, len(copies) + 1))
            for state, following in enumerate((*order, 0))
        )
        return cls(letter, copies, build)

    @classmethod
    def up_or_down(cls, letter: str, copies: tuple[int, ...]) -> Suit:
        """Make a suit that is built upwards or downwards; its last rank is the START card.

        An empty stack takes the lowest rank, the highest or START. On the first only upwards can
        be built, on the second only downwards, on START either way, the lowest or highest last.
        """
        most = len(copies) - 1
        if most < 2:
            raise InputError(f"suit {letter} has {len(copies)} ranks, and both ways need 3")
        up, down, full = 4, 4 + most - 2, 4 + 2 * (most - 2)
        build = [[-1] * (most + 1) for _ in range(full + 1)]
        build[0][0], build[0][most - 1], build[0][most] = 1, 2, 3
        for height in range(1, most):
            # The states after `height` cards with the low end, or the high end, at the bottom.
            above, below = (
                (full, full) if height == most - 1 else (up + height - 1, down + height - 1)
            )
            for state in (1, 3) if height == 1 else (up + height - 2,):
                build[state][height] = above
            for state in (2, 3) if height == 1 else (down + height - 2,):
                build[state][most - 1 - height] = below
        if most == 3:
            # On START the middle rank belongs to both ways, and leaves both open.
            build.append([full, -1, full, -1])
            build[3][1] = full + 1
        return cls(letter, copies, tuple(map(tuple, build)))

    @classmethod
    def cyclic(cls, letter: str, copies: tuple[int, ...]) -> Suit:
        """Make a suit that starts at any rank and is built upwards, the lowest on the highest."""
        ranks = len(copies)
        build = [[1 + rank * ranks for rank in range(ranks)]]
        for start in range(ranks):
            for height in range(1, ranks + 1):
                row = [-1] * ranks
                if height < ranks:
                    row[(start + height) % ranks] = 1 + start * ranks + height
                build.append(row)
        return cls(letter, copies, tuple(map(tuple, build)))

    @property
    def ranks(self) -> int:
        """The number of ranks; they run from 1."""
        return len(self.copies)

    @property
    def is_upward(self) -> bool:
        """Whether the stack is built 1, 2, 3 ... and so its state is its height."""
        return self.build == _upward(self.ranks)

    @property
    def full(self) -> int:
        """The height of a complete stack."""
        return max(self.heights)

    @property
    def cards(self) -> int:
        """The number of cards of this suit in the deck."""
        return sum(self.copies)

    @property
    def last_copies(self) -> int:
        """The copies of the card that completes the stack; of several such, the most."""
        return max(
            count
            for row in self.build
            for after, count in zip(row, self.copies, strict=True)
            if after >= 0 and self.heights[after] == self.full
        )

    def ways(self, state: int = 0) -> tuple[Way, ...]:
        """Give the ways in which a stack in ``state`` can be completed.

        Each order of ranks that completes it is in one of them; each way of taking one of the
        ranks of every step completes it.
        """
        return _ways(self.build, state)

    def later(self, state: int, ranks: Collection[int]) -> set[int]:
        """Give the ranks of ``ranks`` that can still be played on a stack in ``state``."""
        found: set[int] = set()
        seen = {state}
        todo = [state]
        for at in todo:
            for rank, after in enumerate(self.build[at], 1):
                if after >= 0 and rank in ranks:
                    found.add(rank)
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)
        return found

    def stacked(self, state: int) -> tuple[int, ...]:
        """Give ranks, from below, that make a stack of this state; the lowest if there are several.

        `state_of` is the inverse.
        """
        return _stacked(self.build)[state]

    def state_of(self, ranks: Iterable[int]) -> int:
        """Give the state of a stack of these ranks from below, -1 if they do not make one."""
        state = 0
        for rank in ranks:
            state = self.build[state][rank - 1] if 1 <= rank <= self.ranks else -1
            if state == -1:
                return -1
        return state


def _upward(ranks: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(state + 1 if rank == state else -1 for rank in range(ranks))
        for state in range(ranks + 1)
    )


@cache
def _ways(build: tuple[tuple[int, ...], ...], state: int) -> tuple[Way, ...]:
    ways: list[Way] = []
    row = build[state]
    if max(row) == -1:
        return ((),)
    by_rest: dict[Way, set[int]] = {}
    for rank, after in enumerate(row, 1):
        if after >= 0:
            for rest in _ways(build, after):
                by_rest.setdefault(rest, set()).add(rank)
    ways.extend((frozenset(ranks), *rest) for rest, ranks in by_rest.items())
    return tuple(ways)


@cache
def _stacked(build: tuple[tuple[int, ...], ...]) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {0: ()}
    todo = [0]
    for state in todo:
        for rank, after in enumerate(build[state], 1):
            if after >= 0 and after not in found:
                found[after] = (*found[state], rank)
                todo.append(after)
    return found


def _starts(build: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    found: list[set[int]] = [set() for _ in build]
    for rank, first in enumerate(build[0], 1):
        todo = [first] if first >= 0 else []
        for state in todo:
            if rank not in found[state]:
                found[state].add(rank)
                todo.extend(after for after in build[state] if after >= 0)
    return tuple(min(ranks) if len(ranks) == 1 else 0 for ranks in found)


def _order(build: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Give the ranks on the one way from state to state, if it goes by steps of 1; else nothing."""
    order = []
    for state, row in enumerate(build[:-1], 1):
        if row.count(state) != 1 or row.count(-1) != len(row) - 1:
            return ()
        order.append(row.index(state) + 1)
    return tuple(order) if len(set(order)) == len(order) else ()


def _heights(letter: str, ranks: int, build: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    heights = [-1] * len(build)
    heights[0] = 0
    queue = [0]
    for state in queue:
        if len(build[state]) != ranks:
            raise InputError(f"suit {letter}: build row {state} has not {ranks} entries")
        for after in build[state]:
            if after == -1:
                continue
            if not 0 < after < len(build):
                raise InputError(f"suit {letter}: build row {state} leads to no state")
            if heights[after] == -1:
                heights[after] = heights[state] + 1
                queue.append(after)
            elif heights[after] != heights[state] + 1:
                raise InputError(f"suit {letter}: state {after} is reached at two heights")
    if -1 in heights:
        raise InputError(f"suit {letter}: state {heights.index(-1)} of its build is never reached")
    ends = {heights[state] for state, row in enumerate(build) if max(row) == -1}
    if len(ends) != 1:
        raise InputError(f"suit {letter}: its build ends at different heights")
    return tuple(heights)
