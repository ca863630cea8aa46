"""Solve random deals of every mechanic and write docs/variants.md.

    python benches/variants.py --deals 1000       a thousand deals of each mechanic and player count
    python benches/variants.py --deals 1000       the same again goes on where it stopped

Deals are seeds of hanab.live, p{players}v{variant}s{n}, spread evenly over the variants that have
the mechanic; each is solved with ``--nodes`` at most. What was solved is kept in a file of JSON
Lines (``--work``), one line a cell of the table; a run with other deals makes other cells. Times
are those that the engines report, one deal after the other on one thread.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from solver.formats.hanablive import deal_of_seed
from solver.formats.output import output
from solver.formats.variants import Variant, find, names
from solver.game.result import Limits
from solver.solving.choice import DEFAULT_LIMITS, solve_many
from solver.tables.variant_rows import mechanics, why_unsupported

ROOT = Path(__file__).parent.parent
PLAYERS = (2, 3, 4, 5)
PLAIN = "none of these"
Cell = dict[str, Any]


def groups() -> dict[str, list[Variant]]:
    """Give the variants of each mechanic, those without any first; one may be in several."""
    found: dict[str, list[Variant]] = {PLAIN: []}
    for number in range(len(names())):
        variant = find(number)
        for word in mechanics(variant) or [PLAIN]:
            found.setdefault(word, []).append(variant)
    return {word: found[word] for word in sorted(found, key=lambda word: (word != PLAIN, word))}


def cell(word: str, some: Sequence[Variant], players: int, count: int, nodes: int) -> Cell:
    """Solve the deals of one cell."""
    seeds = [f"p{players}v{some[n % len(some)].number}s{n // len(some) + 1}" for n in range(count)]
    won = lost = proven = 0
    seconds = 0.0
    for result in solve_many(map(deal_of_seed, seeds), Limits(nodes=nodes)):
        won += result.winnable is True
        lost += result.winnable is False
        proven += result.proven
        seconds += result.seconds
    return {"mechanic": word, "players": players, "deals": count, "won": won, "lost": lost,
            "nodes": nodes, "proven": proven, "seconds": seconds}  # fmt: skip


def kept(path: Path) -> Iterator[Cell]:
    """Give the cells of earlier runs; a last line that was cut off is left out."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            yield json.loads(line)
        except ValueError:
            continue


ABOUT = """
Of each mechanic of hanab.live's variants {count} random deals for each number of players, spread
evenly over its variants and solved with {nodes} nodes at most; a variant with several mechanics
counts for each. *Winnable*: the share for which full marks are reached. *Proven*: the share whose
optimum is proven. *Time*: the mean for a deal, on one thread. Made by `python benches/variants.py`.
"""


def table(made: Mapping[tuple[str, int], Cell], count: int, nodes: int) -> str:
    """Write the page."""
    heads = "".join(f" {p} players: winnable | proven | time |" for p in PLAYERS)
    rows = [
        "# Variants",
        ABOUT.format(count=f"{count:,}", nodes=f"{nodes:,}"),
        f"| mechanic | variants |{heads}",
    ]
    rows.append("|---|---|" + "---|---|---|" * len(PLAYERS))
    for word, some in groups().items():
        cells = [f"| {word} | {len(some)} |"]
        for players in PLAYERS:
            one = made.get((word, players))
            if one is None:
                cells.append(" - | - | - |")
                continue
            deals = one["deals"]
            time = 1000 * one["seconds"] / deals
            cells.append(
                f" {one['won'] / deals:.1%} | {one['proven'] / deals:.1%} | {time:,.2f} ms |"
            )
        rows.append("".join(cells))
    return "\n".join(rows)


def main() -> None:
    """Make the cells that are missing, then the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000, help="deals for each cell (1000)")
    parser.add_argument("--nodes", type=int, default=DEFAULT_LIMITS.nodes,
                        help="nodes for each deal (2,000,000)")  # fmt: skip
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "variants.jsonl",
                        help="what was solved already (build/variants.jsonl)")  # fmt: skip
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "variants.md")
    wanted = parser.parse_args()
    made = {
        (one["mechanic"], one["players"]): one
        for one in kept(wanted.work)
        if (one["deals"], one["nodes"]) == (wanted.deals, wanted.nodes)
    }
    wanted.work.parent.mkdir(exist_ok=True)
    for word, some in groups().items():
        able = [variant for variant in some if not why_unsupported(variant)]
        for players in PLAYERS:
            if (word, players) in made or not able:
                continue
            one = cell(word, able, players, wanted.deals, wanted.nodes)
            made[word, players] = one
            with wanted.work.open("a", encoding="utf-8") as file:
                file.write(json.dumps(one) + "\n")
            print(json.dumps(one), flush=True)
    with output(str(wanted.out)) as write:
        write(table(made, wanted.deals, wanted.nodes))


if __name__ == "__main__":
    main()
