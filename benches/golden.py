"""Solve the golden deals on one core and print what a deal costs.

    python benches/golden.py                 the deals without variant, all pruning rules
    python benches/golden.py --one-of-each   the deals with a one-of-each suit
    python benches/golden.py --ratios        each pruning rule off, as a ratio to all

Times are those of the native search alone, as the kernel measures them, each deal once. Machines
are noisy: compare the ratios of one run, and nodes, rather than times of different runs.
"""

from __future__ import annotations

import argparse
import csv
import resource
import statistics
from pathlib import Path

from solver.engines.search import ALL_RULES, PRUNING_RULES, solve_many
from solver.game.position import Position
from solver.game.result import Limits, Result
from solver.reading.specs import Fault, deals

GOLDEN = Path(__file__).parent.parent / "tests" / "data" / "golden_optima.csv"


def golden(one_of_each: bool) -> list[tuple[Position, int]]:
    """Read the golden deals and their optima."""
    with GOLDEN.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    for row, deal in zip(rows, deals(str(GOLDEN)), strict=True):
        if isinstance(deal, Fault):
            raise SystemExit(deal.message)
        if (row["one_of_each"] != "0") == one_of_each:
            found.append((Position.start(deal), int(row["optimum"])))
    return found


def summary(results: list[Result]) -> str:
    """Say in one line what the deals cost."""
    times = sorted(1e6 * result.seconds for result in results)
    nodes = sorted(result.nodes for result in results)
    proven = sum(result.proven for result in results)
    return (
        f"median {statistics.median(times):7.1f} us   mean {statistics.fmean(times):9.1f} us   "
        f"99% {times[len(times) * 99 // 100]:9.1f} us   worst {times[-1] / 1000:8.1f} ms   "
        f"nodes median {nodes[len(nodes) // 2]} mean {statistics.fmean(nodes):.0f} "
        f"worst {nodes[-1]}   proven {proven} of {len(results)} ({proven / len(results):.2%})"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one-of-each", action="store_true")
    parser.add_argument("--ratios", action="store_true")
    parser.add_argument("--nodes", type=int, default=2_000_000)
    args = parser.parse_args()
    found = golden(args.one_of_each)
    limits = Limits(nodes=args.nodes)
    by_players: dict[int, list[Result]] = {}
    results = list(solve_many((position for position, _ in found), limits))
    for (position, optimum), result in zip(found, results, strict=True):
        if not result.score <= optimum <= result.bound:
            raise SystemExit(
                f"wrong: {result.score} to {result.bound}, not {optimum}: {position!r}"
            )
        by_players.setdefault(position.rules.players, []).append(result)
    for players, some in sorted(by_players.items()):
        print(f"{players} players  {summary(some)}")
    print(f"all        {summary(results)}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"every optimum as recorded; peak memory {peak:.0f} MB")
    if not args.ratios:
        return
    base_nodes = sum(result.nodes for result in results)
    base_time = sum(result.seconds for result in results)
    for name, bit in PRUNING_RULES.items():
        some = list(solve_many((position for position, _ in found), limits, 1, ALL_RULES - bit))
        nodes = sum(result.nodes for result in some) / base_nodes
        time = sum(result.seconds for result in some) / base_time
        open_ = sum(not result.proven for result in some)
        print(f"without {name:<12} nodes x{nodes:<8.2f} time x{time:<8.2f} unproven {open_}")


if __name__ == "__main__":
    main()
