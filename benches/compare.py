"""Compare the engines, and a model over turns, on the same deals in one run.

    python benches/compare.py                                50 deals each of 2 to 5 players
    python benches/compare.py --players 2 --deals 200        other deals
    python benches/compare.py --one-of-each 1                the last suit has one card of each rank
    python benches/compare.py python:p4c1s1116               these deals only
    python benches/compare.py --players 2 random:161         a source that needs the players
    python benches/compare.py --optimum --engines auto,sat   the best score rather than a yes or no

Every engine is asked whether the deal can be won, one deal after the other, in one process on one
core. `turns` is the model of turns.py with its greedy player first, which is Py-Hanabi's way.
A deal that is undecided when its time is up counts with its whole time.

Times are what the engine reports: without reading the deal, and without the replay of the line
that follows every answer. `cpu` is the mean processor time of the whole call, replay included.
Machines are noisy: compare ratios of one run.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import turns

from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.result import Limits
from solver.reading.specs import Fault, Shape, deals
from solver.solving.choice import solve

ENGINES = ("auto", "search", "sat", "cpsat", "turns")
EASY = "python:p4c1s0-9"
"""Deals to warm up with."""


@dataclass(frozen=True)
class Sample:
    """What an engine did with one deal."""

    answer: int | None
    """1 or 0 for winnable or not, or the optimum; None if undecided."""
    seconds: float
    cpu: float


Run = Callable[[Deal], Sample]


def engine(name: str, seconds: float, optimum: bool) -> Run:
    """Give the function that runs an engine."""

    def run(deal: Deal) -> Sample:
        began = time.process_time()
        answer: int | None
        if name == "turns":
            found = turns.solve(deal, seconds)
            answer, spent = found.winnable, found.seconds
        else:
            target = None if optimum else deal.rules.max_score
            result = solve(deal, Limits(seconds=seconds, target=target), name)
            answer, spent = result.winnable, result.seconds
            if optimum:
                answer = result.score if result.proven else None
        return Sample(answer, spent if answer is not None else max(spent, seconds),
                      time.process_time() - began)  # fmt: skip

    return run


def text(seconds: float) -> str:
    """Write a time with its unit."""
    for unit, scale in (("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def table(title: str, samples: dict[str, list[Sample]]) -> None:
    """Print one line for each engine; ``>``: undecided deals make it more than that."""
    print(f"\n{title}")
    rows = [("engine", "decided", "median", "mean", "worst", "cpu", "median/auto", "mean/auto")]
    own = [sample.seconds for sample in samples.get("auto", [])]
    for name, some in samples.items():
        times = [sample.seconds for sample in some]
        open_ = sum(sample.answer is None for sample in some)
        least = "> " if open_ else ""
        half = "> " if 2 * open_ >= len(some) else ""
        middle, mean = statistics.median(times), statistics.fmean(times)
        rows.append((
            name,
            f"{len(some) - open_} of {len(some)}",
            half + text(middle),
            least + text(mean),
            least + text(max(times)),
            least + text(statistics.fmean(sample.cpu for sample in some)),
            f"{half}x{middle / statistics.median(own):.3g}" if own else "-",
            f"{least}x{mean / statistics.fmean(own):.3g}" if own else "-",
        ))  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        print("  ".join(cell.rjust(width) for cell, width in cells), flush=True)


def read(specs: Sequence[str], players: int | None, shape: Shape | None) -> list[Deal]:
    """Read the deals."""
    found = []
    for spec in specs:
        for deal in deals(spec, players, shape):
            if isinstance(deal, Fault):
                raise SystemExit(deal.message)
            found.append(deal)
    return found


def compare(some: Sequence[Deal], runs: dict[str, Run]) -> dict[str, list[Sample]]:
    """Run one engine after the other over the deals and compare their answers."""
    samples = {}
    for name, run in runs.items():
        for deal in read([EASY], None, None):  # imports and cold caches are no part of the time
            run(deal)
        samples[name] = [run(deal) for deal in some]
    for deal, taken in zip(some, zip(*samples.values(), strict=True), strict=True):
        answers = {sample.answer for sample in taken} - {None}
        if len(answers) > 1:
            raise SystemExit(f"{deal}: the engines do not agree: {answers}")
    return samples


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("specs", nargs="*", help="deal specs (default: python:pNc1s0...)")
    parser.add_argument("--players", default="2,3,4,5", help="such as 2,3 (default: 2,3,4,5)")
    parser.add_argument("--deals", type=int, default=50, help="for each number of players")
    parser.add_argument("--suits", type=int, default=5)
    parser.add_argument("--one-of-each", type=int, default=0, metavar="N")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--seconds", type=float, default=10, help="a deal and engine, at most")
    parser.add_argument("--optimum", action="store_true", help="not for the engine turns")
    args = parser.parse_args()
    names = [name for name in args.engines.split(",") if name != "turns" or not args.optimum]
    if not set(names) <= set(ENGINES):
        parser.error(f"the engines are {', '.join(ENGINES)}")
    runs = {name: engine(name, args.seconds, args.optimum) for name in names}
    try:
        counts = [int(count) for count in args.players.split(",")]
        shape = Shape(args.suits, args.one_of_each)
    except (InputError, ValueError) as error:
        parser.error(str(error))
    variant = None if shape == Shape() else shape
    asked = "the optimum" if args.optimum else "winnable or not"
    print(f"{asked}; at most {args.seconds:g} s for each engine and deal")
    if args.specs:
        some = read(args.specs, counts[0], variant)
        table(" ".join(args.specs), compare(some, runs))
        return
    whole: dict[str, list[Sample]] = {name: [] for name in runs}
    for count in counts:
        some = read([f"python:p{count}c1s0-{args.deals - 1}"], None, variant)
        samples = compare(some, runs)
        table(f"{count} players, {len(some)} deals", samples)
        for name, taken in samples.items():
            whole[name].extend(taken)
    if len(counts) > 1:
        table(f"all {len(counts) * args.deals} deals", whole)


if __name__ == "__main__":
    main()
