"""Many questions on native threads, and what Ctrl-C does to them."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

import solver
from nasty import nasty_position
from solver._kernel import Batch
from solver._kernel import solve as kernel_solve
from solver.engines.search import ALL_RULES, solve, solve_many
from solver.game.position import Position
from solver.game.result import Limits, Result
from solver.models.packing import pack

EASY = pack(Position.from_text("rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2"))

HARD_DECK = (
    "y5g4b2g3b4g2b4y3r2p4g3p5r1r2r5p1y4r1p2g5g4y4y2b3y3r4y2r1b3p2"
    "r3b1p3b1r3g1r4y1y1y1p3b5g1p1b1b2p1g1p4g2"
)
"""A deal that cannot be won: without any pruning rule that takes for ever (python:p2c1s138)."""


def hard() -> Position:
    """Give a position that takes far longer than any test."""
    return Position.start(solver.Deal.of(solver.Rules.standard(2), HARD_DECK))


def batch(jobs: int = 1, nodes: int | None = None, rules: int = ALL_RULES) -> Batch:
    return Batch(jobs, nodes, 0.0, -1, rules, 1 << 20)


def positions(count: int, seed: int = 0) -> list[Position]:
    return [nasty_position(random.Random(seed + number)) for number in range(count)]


def answer(result: Result) -> tuple[object, ...]:
    """Give all of a result that must not depend on the clock."""
    return (result.score, result.bound, result.line.actions, result.nodes, result.stopped)


def test_answers_come_in_order() -> None:
    asked = positions(300)
    with_three = batch(3)
    for position in asked:
        with_three.push(pack(position))
    assert len(with_three) == len(asked)
    for position in asked:
        alone = kernel_solve(pack(position), None, 0.0, -1, ALL_RULES, 1 << 20)
        score, bound, line, nodes, _, stop = with_three.pop()
        assert (score, bound, line, nodes, stop) == (*alone[:4], alone[5])
    assert len(with_three) == 0
    with_three.close()


def test_nothing_to_pop() -> None:
    empty = batch()
    for _ in range(2):
        with pytest.raises(IndexError):
            empty.pop()
    empty.push(EASY)
    assert empty.pop()[:2] == (9, 9)
    with pytest.raises(IndexError):
        empty.pop()


def test_closing_twice() -> None:
    closed = batch(2)
    closed.push(EASY)
    closed.close()
    closed.close()
    assert len(closed) == 0
    with pytest.raises(IndexError):
        closed.pop()


def test_using_a_batch_that_is_closed_or_was_never_opened() -> None:
    # In a process of its own: these have crashed.
    code = (
        "from solver._kernel import Batch\n"
        "closed = Batch(1, None, 0.0, -1, 31, 1 << 20)\n"
        "closed.close()\n"
        f"for batch in (closed, Batch.__new__(Batch)):\n"
        "    try:\n"
        f"        batch.push({EASY!r})\n"
        "    except ValueError as error:\n"
        "        print('closed' in str(error))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\nTrue\n")


@pytest.mark.parametrize("jobs", [0, -1])
def test_no_threads(jobs: int) -> None:
    with pytest.raises(ValueError, match="jobs"):
        batch(jobs)


def test_rubbish_is_refused_and_the_rest_goes_on() -> None:
    mixed = batch(2)
    for number in range(20):
        mixed.push(EASY)
        with pytest.raises(ValueError, match=r"\w"):
            mixed.push(EASY[:number])
        with pytest.raises(TypeError):
            mixed.push(None)  # type: ignore[arg-type]
    assert len(mixed) == 20
    assert [mixed.pop()[0] for _ in range(20)] == [9] * 20


@pytest.mark.parametrize("how", ["close", "del", "init"])
def test_ending_while_it_works(how: str) -> None:
    working = batch(2, rules=0)
    for _ in range(3):
        working.push(pack(hard()))
    time.sleep(0.05)
    start = time.process_time()
    if how == "close":
        working.close()
    elif how == "init":
        working.__init__(1, None, 0.0, -1, ALL_RULES, 1 << 20)
        assert len(working) == 0
        working.push(EASY)
        assert working.pop()[0] == 9
    del working
    assert time.process_time() - start < 1


@pytest.mark.parametrize("how", ["solve", "pop", "solve_many"])
def test_ctrl_c(how: str) -> None:
    calls = {
        "solve": "_kernel.solve(packed, None, 0.0, -1, 0, 1 << 20)",
        "pop": "b = _kernel.Batch(2, None, 0.0, -1, 0, 1 << 20); b.push(packed); b.pop()",
        "solve_many": "list(search.solve_many([position] * 3, Limits(), 2, rules=0))",
    }
    code = (
        "import signal, time\n"
        "from solver import _kernel\n"
        "from solver.engines import search\n"
        "from solver.models.packing import pack\n"
        "from solver.game.position import Position\n"
        "from solver.game.result import Limits\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"position = Position.from_text({hard().text()!r})\n"
        "packed = pack(position)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        f"    {calls[how]}\n"
        "except KeyboardInterrupt:\n"
        "    print(time.time(), flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        assert child.poll() is None
        sent = time.time()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
        assert child.returncode == 0
        assert 0 <= float(out) - sent < 1


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("nodes", [None, 7])
def test_solve_many_gives_what_solve_gives(jobs: int, nodes: int | None) -> None:
    asked = positions(150, seed=1000)
    limits = Limits(nodes=nodes)
    together = list(solve_many(asked, limits, jobs))
    assert [answer(result) for result in together] == [
        answer(solve(position, limits)) for position in asked
    ]


def test_solve_many_takes_little_ahead() -> None:
    taken = 0

    def endless() -> Iterator[Position]:
        nonlocal taken
        for taken in range(1, 100_000):
            yield nasty_position(random.Random(taken % 50))

    results = solve_many(endless(), jobs=2)
    assert taken == 0
    for number in range(1, 400):
        next(results)
        assert number <= taken <= number + 200
    results.close()
    assert list(solve_many([], jobs=3)) == []


def test_solve_many_ends_at_an_error_of_the_positions() -> None:
    def failing() -> Iterator[Position]:
        yield hard()
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        list(solve_many(failing(), rules=0))


def test_progress_and_order_of_the_front_door() -> None:
    asked = positions(100, seed=5000)
    done: list[int] = []
    scores = [r.score for r in solver.solve_many(asked, jobs=2, progress=done.append)]
    assert done == list(range(1, 101))
    assert scores == [solver.solve(position).score for position in asked]
