"""Deals a second of a survey, beside a greedy player that sees all hands, on the same deals.

    python benches/survey.py                      3 players, 20,000 deals
    python benches/survey.py --players 2 --deals 100000 --jobs 2

All times are processor seconds but the last. The greedy player is that of `csrc/habit.hpp`, C++
like the search; it knows which cards are left to be drawn, not their order.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from functools import partial
from pathlib import Path

from solver._kernel import survey as kernel_survey
from solver._kernel import won_by_habit
from solver.engines.search import TABLE_BYTES
from solver.game.position import Position
from solver.models.packing import pack, pack_decks
from solver.solving.cascade import SEARCH_NODES
from solver.surveys import survey, workers
from solver.surveys.bulk import RUNG_NODES, decks_of, solve_bulk
from solver.surveys.plan import Part, Scope
from solver.surveys.report import surveys
from solver.surveys.shards import Store


def line(what: str, deals: int, seconds: float, won: int | None = None) -> None:
    """Print what something costs, and the share that it calls winnable."""
    share = "" if won is None else f"  {won:>7,} won ({won / deals:.3%})"
    each, rate = seconds / deals * 1e6, deals / seconds
    print(f"{what:<60} {each:8.1f} us a deal {rate:9,.0f} a second{share}")


def processor_time() -> float:
    """Give the processor seconds of this process and of those that it waited for."""
    return sum(os.times()[:4])


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    spec, count = f"random:0-{args.deals - 1}", args.deals
    make = partial(workers.processes, args.jobs) if args.jobs > 1 else workers.here
    print(f"{spec}, {args.players} players")
    began = time.process_time()
    deals = Part(spec, args.players, None, count).deals()
    wanted, full = pack_decks(list(deals)), deals[0].rules.max_score
    line("Python: shuffling with random, packing for C++", count, time.process_time() - began)
    began = time.process_time()
    like, decks = pack(Position.start(deals[0])), decks_of(deals)
    line("C++: the same decks", count, time.process_time() - began)
    if decks != wanted:
        raise SystemExit("the decks of C++ are not those of Python")
    began = time.process_time()
    won = won_by_habit(like, decks)
    line("C++: the greedy player, hands open", count, time.process_time() - began, won)
    began = time.process_time()
    rows = kernel_survey(like, decks, SEARCH_NODES, RUNG_NODES, TABLE_BYTES)
    won = sum(score == full for score, *_ in rows)
    line("C++: search with proof, check of the line, rung", count, time.process_time() - began, won)
    began = time.process_time()
    solve_bulk(deals, 2_000_000)
    line("decks and search, one of 250 checked in Python", count,
         time.process_time() - began)  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        with Store.opened(Path(folder)) as store:
            scope = Scope((spec,), (args.players,))
            groups = survey.begin(store, scope, 2_000_000, "csv", survey.SHARD_DEALS)
            began, used = time.monotonic(), processor_time()
            survey.run(store, groups, make, 2 * args.jobs)
            seconds, used = time.monotonic() - began, processor_time() - used
        (some,) = surveys([Path(folder)])
    if some.proven < count:
        raise SystemExit(f"{count - some.proven} deals are unproven")
    line(f"hanabi survey --jobs {args.jobs}, all of it", count, used, some.won)
    line("the same in wall time", count, seconds)


if __name__ == "__main__":
    main()
