"""Surveys: the optima of any number of deals, shard by shard, on whatever runs them.

The rows depend on the deals, the limits and the version alone, so a survey that was interrupted, or
divided among machines, ends with the same bytes as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from solver.decks.shuffles import names
from solver.game.errors import InputError
from solver.game.result import Limits
from solver.game.rules import Rules
from solver.solving import cascade
from solver.solving.choice import require
from solver.surveys.bulk import Outcome, solve_bulk
from solver.surveys.plan import Group, Part, Scope, plan
from solver.surveys.shards import FORMAT, Key, Store, read_manifest, read_shards
from solver.surveys.survey_rows import Row, decode, encode, read_times, times_text

__all__ = ["SHARD_DEALS", "Progress", "Task", "Totals", "again", "begin", "merge", "probe", "run",
           "solve_task"]  # fmt: skip

SHARD_DEALS = 1000
"""Deals in a shard, if nothing else is asked for."""

PATIENCE = 3
"""How often work that died with its process is tried again."""

PROBES = tuple(f"python:p{players}c1s{first}-{first + 9}" for players, first in
               ((2, 120), (3, 0), (4, 0), (5, 0)))  # fmt: skip
"""Deals whose answers tell versions of the search apart."""


class Task(NamedTuple):
    """The work of one shard, as it is sent to a process or machine.

    Parameters
    ----------
    nodes
        The limits, each tried on what the one before left open.
    rows, times
        The shard as it was with fewer limits; empty if it is new.
    """

    key: Key
    part: Part
    nodes: tuple[int, ...]
    form: str
    rows: bytes = b""
    times: bytes = b""


class Done(NamedTuple):
    """A shard as it comes back, and what the search that made it is known by."""

    key: Key
    rows: bytes
    times: bytes
    deals: int
    unproven: int
    probe: str


class Totals(NamedTuple):
    """How much of a survey is there.

    Parameters
    ----------
    deals, shards
        In the directory.
    unproven
        Deals of these whose optimum a limit left open.
    missing
        Deals that are still to be solved, or, if only a share of the shards was asked for, that are
        for others.
    """

    deals: int
    shards: int
    unproven: int
    missing: int


Progress = Callable[[int, int, int], object]
"""Called with the deals done now, those that there were to do, and those among them unproven."""


@cache
def probe() -> str:
    """Give what the present search is known by: a digest of its answers to a few deals.

    Another order of moves finds other lines with other node counts, also where no version says so.
    """
    digest = sha256(version("python-sat").encode())
    # Few deals take turns of SAT and search, and none of these: their lengths stand for them.
    digest.update(repr(cascade.TURNS).encode())
    for spec in PROBES:
        deals = Part(spec, None, None, 10).deals()
        for outcome in solve_bulk(deals, 100_000):
            digest.update(repr(outcome._replace(seconds=0.0)).encode())
    return digest.hexdigest()[:16]


def solve_task(task: Task) -> Done:
    """Do the work of a shard; this runs wherever the executor runs it."""
    deals = task.part.deals()
    called, rules = names(deals), deals[0].rules
    if task.rows:
        rows = decode(task.rows, task.form)
        if [row.deal for row in rows] != called:
            raise InputError(f"the shard {task.key.name(task.form)} has other deals than it should")
        seconds = read_times(task.times, len(rows)) or [0.0] * len(rows)
    else:
        outcomes = solve_bulk(deals, task.nodes[0])
        rows = [_row(name, rules, task.nodes[0], outcome)
                for name, outcome in zip(called, outcomes, strict=True)]  # fmt: skip
        seconds = [outcome.seconds for outcome in outcomes]
    for place in range(len(rows)):
        for nodes in task.nodes:
            if not rows[place].proven and nodes > rows[place].limit:
                (outcome,) = solve_bulk([deals[place]], nodes)
                rows[place] = _row(called[place], rules, nodes, outcome)
                seconds[place] += outcome.seconds
    unproven = sum(not row.proven for row in rows)
    data = encode(rows, task.form)
    return Done(task.key, data, times_text(rows, seconds), len(rows), unproven, probe())


def _row(name: str, rules: Rules, limit: int, outcome: Outcome) -> Row:
    full = rules.max_score
    winnable = outcome.score == full or (None if outcome.bound == full else False)
    return Row(name, rules.players, full, outcome.score, outcome.bound, winnable,
               outcome.rung, outcome.turns, outcome.nodes, limit, outcome.engine)  # fmt: skip


def manifest(asked: Scope, groups: list[Group], nodes: int, form: str, size: int) -> dict[str, Any]:
    """Say what a survey is: all that its rows depend on."""
    return {
        "format": FORMAT,
        "solver": version("hanabi-solver"),
        "probe": probe(),
        "asked": asked.record(),
        "nodes": [nodes],
        "rows": form,
        "columns": list(Row._fields),
        "shard_deals": size,
        "groups": [group.record() for group in groups],
    }


def begin(store: Store, asked: Scope, nodes: int, form: str, size: int) -> list[Group]:
    """Make a directory that of a survey, or go on with one that is there.

    Raises
    ------
    InputError
        If a deal cannot be solved by any engine, or the directory is that of another survey: the
        first thing in which the two differ.
    """
    groups = plan(asked)
    for group in groups:
        try:
            require(group.part(0, 1).deals()[0])
        except InputError as error:
            raise InputError(f"{group.spec}: {error}") from None
    Limits(nodes)
    made = manifest(asked, groups, nodes, form, size)
    if not store.manifest:
        encode([], form)  # needs what may not be installed
        store.declare(made)
        return groups
    there = dict(store.manifest)
    if nodes not in there["nodes"]:
        raise InputError(
            f"{store.path}: this survey has the limit of {there['nodes'][-1]} nodes, not {nodes}; "
            "--again-unproven solves again what is unproven"
        )
    check_same(store.path, {**there, "nodes": made["nodes"]}, made)
    return groups


def check_same(path: Path, there: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse what belongs to another survey, saying in what the two differ."""
    words = {
        "probe": "the search gives other answers than that of this version",
        "asked": "other deals were asked for",
        "groups": "the deals are others than before",
    }
    for name in wanted:
        if there.get(name) != wanted[name]:
            why = words.get(name, f"{name} is {there.get(name)!r}, not {wanted[name]!r}")
            raise InputError(f"{path}: this is another survey: {why}")


def again(store: Store, nodes: int) -> None:
    """Add a limit, with which all that is unproven is solved again.

    Raises
    ------
    InputError
        If there is no survey, or the limit is no higher than the last.
    """
    Limits(nodes)
    limits = store.manifest["nodes"]
    if nodes == limits[-1] and len(limits) > 1:
        return  # going on with what was begun
    if nodes <= limits[-1]:
        raise InputError(f"{store.path}: unproven with {limits[-1]} nodes: give more than {nodes}")
    store.declare({**store.manifest, "nodes": [*limits, nodes]})


def _share(group: Group, size: int, before: int, share: tuple[int, int]) -> range:
    """Give the numbers of a group's shards that are in the share; ``before`` are in groups before.

    Raises
    ------
    InputError
        If the share is not the i-th of n.
    """
    which, of = share
    if not 1 <= which <= of:
        raise InputError(f"shard {which}/{of}: not from 1/{of} to {of}/{of}")
    return range((which - 1 - before) % of, group.parts(size), of)


class Work:
    """What is left to do, in order, and how many deals that is."""

    def __init__(self, store: Store, groups: list[Group], share: tuple[int, int]) -> None:
        self._store = store
        self._size: int = store.manifest["shard_deals"]
        self._nodes: tuple[int, ...] = tuple(store.manifest["nodes"])
        self._there = {key: 0 for key in store.held()}
        self._ranges: list[tuple[Group, range]] = []
        self.deals = 0
        before = 0
        for number, group in enumerate(groups, 1):
            mine = _share(group, self._size, before, share)
            self._ranges.append((group, mine))
            before += group.parts(self._size)
            self.deals += len(mine) * self._size
            if mine and mine[-1] == group.parts(self._size) - 1:
                self.deals -= -group.count % self._size
            for key in [key for key in self._there if key.group == number]:
                if key.number >= group.parts(self._size):
                    raise InputError(f"{store.path}: shard {key.name('')[:-1]} is none of these")
                if key.number in mine:
                    self._there[key] = group.part(key.number, self._size).size
                    self.deals -= self._there[key]
        if any(key.group > len(groups) for key in self._there):
            raise InputError(f"{store.path}: there are shards of more than {len(groups)} groups")
        self._again = {key for key, deals in self._there.items() if deals and self._is_open(key)}
        self.deals += sum(self._there[key] for key in self._again)

    def _is_open(self, key: Key) -> bool:
        """Whether a shard has deals that a further limit is for."""
        if len(self._nodes) == 1:
            return False
        found = decode(self._store.read(key)[0], self._store.form)
        return any(not row.proven and row.limit < self._nodes[-1] for row in found)

    def __iter__(self) -> Iterator[Task]:
        form = self._store.form
        for number, (group, mine) in enumerate(self._ranges, 1):
            for shard in mine:
                key = Key(number, shard)
                if key in self._there and key not in self._again:
                    continue
                rows, times = self._store.read(key) if key in self._again else (b"", None)
                part = group.part(shard, self._size)
                yield Task(key, part, self._nodes, form, rows, times or b"")


def run(
    store: Store,
    groups: list[Group],
    workers: Callable[[], AbstractContextManager[Executor]],
    ahead: int,
    share: tuple[int, int] = (1, 1),
    progress: Progress = lambda done, deals, unproven: None,
) -> None:
    """Do the work that is left.

    Parameters
    ----------
    workers
        Makes an executor, any of `concurrent.futures`; and another one, if that one breaks.
    ahead
        How many shards it is given at a time.
    share
        ``(i, n)`` does only every n-th shard, beginning with the i-th.

    Raises
    ------
    InputError
        If a shard cannot be written, a worker has another version, or processes die again and
        again without anything getting done. What is done stays.
    """
    work = Work(store, groups, share)
    tasks = iter(work)
    lost: list[Task] = []
    done = unproven = fruitless = 0
    progress(0, work.deals, 0)
    while fruitless < PATIENCE:
        task = lost.pop() if lost else next(tasks, None)
        if task is None:
            break
        lost.append(task)
        fruitless += 1
        with workers() as executor:
            for answer in _answers(executor, tasks, lost, ahead):
                if answer.probe != store.manifest["probe"]:
                    raise InputError("a worker has another version of the search")
                store.add(answer.key, answer.rows, answer.times)
                fruitless = 0
                done += answer.deals
                unproven += answer.unproven
                progress(done, work.deals, unproven)
    store.finish()
    if lost:
        name = lost[-1].key.name("csv")
        raise InputError(f"the processes that solve die again and again, at last with {name}")


def _answers(
    executor: Executor, tasks: Iterator[Task], lost: list[Task], ahead: int
) -> Iterator[Done]:
    """Give the executor what was lost, then more, until there is no more or it breaks.

    What it did not answer is in ``lost`` in the end.
    """
    pending: dict[Future[Done], Task] = {}
    try:
        while True:
            while len(pending) < ahead:
                task = lost[-1] if lost else next(tasks, None)
                if task is None:
                    break
                if not lost:
                    lost.append(task)
                future = executor.submit(solve_task, task)
                pending[future] = lost.pop()
            if not pending:
                return
            for future in wait(pending, 0.5, FIRST_COMPLETED).done:
                answer = future.result()
                del pending[future]
                yield answer
    except (BrokenExecutor, CancelledError):
        pass
    finally:
        lost.extend(pending.values())


def totals(store: Store, groups: list[Group]) -> Totals:
    """Count what is there."""
    deals = unproven = 0
    for key in store.held():
        rows = decode(store.read(key)[0], store.form)
        deals += len(rows)
        unproven += sum(not row.proven for row in rows)
    wanted = sum(group.count for group in groups)
    return Totals(deals, len(store.sums), unproven, wanted - deals)


def merge(store: Store, others: list[Path]) -> None:
    """Take in the shards of other directories of the same survey.

    Raises
    ------
    InputError
        If a directory is that of another survey, or has another shard in a place that is taken.
    """
    for path in others:
        there = read_manifest(path)
        if not store.manifest:
            store.declare(there)
        check_same(path, there, store.manifest)
        for key, rows, times in read_shards(path):
            known = store.held().get(key)
            if known is None:
                store.add(key, rows, times or times_text([], []))
            elif known != sha256(rows).hexdigest():
                name = key.name(store.form)
                raise InputError(f"{path}: the shard {name} differs from that in {store.path}")
    store.finish()
