"""The command ``hanabi survey``."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click

from solver.command.cli import ANSWERED, UNKNOWN, print_line
from solver.command.options import rule_options
from solver.decks.request import Asked, Suits
from solver.formats.streams import complain
from solver.game.errors import InputError
from solver.game.wording import amount
from solver.solving.choice import DEFAULT_LIMITS

__all__ = ["survey"]

Workers: TypeAlias = "Callable[[], AbstractContextManager[Executor]]"

CLUSTER_AHEAD = 200
"""Shards that a cluster is given at a time."""


@click.command()
@click.argument("specs", nargs=-1, metavar="SPEC...")
@click.option("--players", metavar="N,N...", help="Players, where SPEC does not say; 2,3,4,5.")
@rule_options
@click.option("--out", "directory", required=True, metavar="DIR", help="Where the shards are put.")
@click.option(
    "--nodes",
    type=int,
    metavar="N",
    help="Search nodes for each deal, some dives more (2,000,000).",
)
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, metavar="N",
              help="Solve in N processes.")  # fmt: skip
@click.option("--cluster", "address", metavar="ADDRESS",
              help="Solve on the Dask cluster with this scheduler.")  # fmt: skip
@click.option("--shard", "share", metavar="I/N", help="Do every N-th shard, from the I-th on.")
@click.option("--shard-deals", type=click.IntRange(1, 1_000_000), metavar="N",
              help="Deals in a shard (1000).")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["csv", "jsonl", "parquet"]),
              help="What the shards are (csv).")  # fmt: skip
@click.option("--again-unproven", is_flag=True,
              help="Solve what --nodes left unproven again, with more of them.")  # fmt: skip
@click.option("--merge", "others", multiple=True, metavar="DIR",
              help="Take in shards made elsewhere, and go on; once for each DIR."
              )  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def survey(
    specs: tuple[str, ...],
    players: str | None,
    variant: Suits | Asked,
    directory: str,
    nodes: int | None,
    jobs: int,
    address: str | None,
    share: str | None,
    shard_deals: int | None,
    form: str | None,
    again_unproven: bool,
    others: tuple[str, ...],
    as_json: bool,
) -> int:
    """Find the best scores of any number of deals, shard by shard.

    The same command goes on with what was interrupted; without SPEC too. hanabi report DIR sums up.
    """
    from solver.surveys import survey as surveys
    from solver.surveys import workers
    from solver.surveys.plan import Scope
    from solver.surveys.shards import Store

    seats = _players(players)
    which = _share(share)
    if again_unproven and nodes is None:
        raise click.UsageError("--again-unproven needs --nodes, more than before")
    if specs and others:
        raise click.UsageError("--merge takes no SPEC: the directories say what they hold")
    with Store.opened(Path(directory)) as store:
        for name in store.damaged:
            complain(f"{directory}: the shard {name} is damaged and will be made again")
        if others:
            surveys.merge(store, [Path(other) for other in others])
        there = store.manifest
        if not there and not specs:
            raise click.UsageError("which deals? Give a SPEC such as random:0-999")
        if not there and again_unproven:
            raise InputError(f"{directory}: there is no survey yet")
        if there:
            asked = Scope.of_record(there["asked"])
            if specs:
                asked = Scope(specs, seats, variant)
            elif players or variant is not None:
                raise click.UsageError("without SPEC the survey's own deals are meant")
            if again_unproven:
                assert nodes is not None
                surveys.again(store, nodes)
            groups = surveys.begin(
                store, asked, nodes or there["nodes"][0], form or there["rows"],
                shard_deals or there["shard_deals"],
            )  # fmt: skip
        else:
            default = DEFAULT_LIMITS.nodes
            assert default is not None
            groups = surveys.begin(
                store, Scope(specs, seats, variant), default if nodes is None else nodes,
                form or "csv", shard_deals or surveys.SHARD_DEALS,
            )  # fmt: skip
        if address is not None:
            make: Workers = partial(workers.cluster, address)
            ahead = CLUSTER_AHEAD
        elif jobs > 1:
            make, ahead = partial(workers.processes, jobs), 2 * jobs
        else:
            make, ahead = workers.here, 1
        with _progress() as show:
            surveys.run(store, groups, make, ahead, which, show)
        found = surveys.totals(store, groups)
    if as_json:
        print_line({"directory": directory, **found._asdict()})
    else:
        missing = f"; {found.missing:,} more are asked for" if found.missing else ""
        print(f"{directory}: {amount(found.deals, 'deal')} in {amount(found.shards, 'shard')}, "
              f"{found.unproven:,} of them unproven{missing}")  # fmt: skip
    partly = found.missing and which == (1, 1)
    return UNKNOWN if found.unproven or partly else ANSWERED


def _players(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    words = text.split(",")
    for word in words:
        if not re.fullmatch("[2-6]", word.strip()):
            raise InputError(f"--players has {word.strip()[:20]!r}, not 2 to 6")
    found = tuple(int(word) for word in words)
    if len(set(found)) < len(found):
        raise InputError(f"--players names a number twice: {text[:40]}")
    return found


def _share(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    match = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise InputError(f"--shard is {text[:20]!r}, not such as 1/4, from 1/4 to 4/4")
    return int(match[1]), int(match[2])


@contextmanager
def _progress() -> Iterator[Callable[[int, int, int], object]]:
    """Show on standard error how far the work is, if a person looks at it."""
    if not sys.stderr.isatty():
        yield lambda done, deals, unproven: None
        return
    began = time.monotonic()

    def show(done: int, deals: int, unproven: int) -> None:
        spent = time.monotonic() - began
        print(f"\r{progress_text(done, deals, unproven, spent)}\x1b[K", end="", file=sys.stderr,
              flush=True)  # fmt: skip

    try:
        yield show
    except KeyboardInterrupt:
        print("\r\x1b[Kstopped; the same command goes on from here", file=sys.stderr, flush=True)
        raise
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def progress_text(done: int, deals: int, unproven: int, spent: float) -> str:
    """Say how far the work is, how fast it goes, and how long it will take."""
    share = f"{done:,} of {deals:,} deals"
    if not done or spent <= 0:
        return share
    rate = done / spent
    left = round((deals - done) / rate)
    clock = f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}"
    open_ = f", {unproven:,} unproven" if unproven else ""
    return f"{share} ({done / deals:.1%}), {rate:,.0f} a second, {clock} left{open_}"
