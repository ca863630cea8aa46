"""Make the table of optima of Hanabi Learning Environment seeds from a survey of them.

    python benches/hle_optima.py DIR hle_optima.csv

A row for each seed, with the optimum for each number of players. Every one must be proven.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from solver.formats.output import write_whole
from solver.surveys.report import rows_of


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", help="of the survey")
    parser.add_argument("path", help="the table to write, CSV")
    asked = parser.parse_args()
    directory, path = asked.directory, asked.path
    optima: dict[int, dict[int, int]] = {}
    for _, rows, _ in rows_of(Path(directory)):
        for row in rows:
            source, _, seed = row.deal.partition(":")
            if source != "hle" or not row.proven:
                raise SystemExit(f"{row.deal}: not a proven deal of the source hle")
            optima.setdefault(int(seed), {})[row.players] = row.score
    players = sorted(optima[0])
    lines = ["seed," + ",".join(f"{count}_players" for count in players)]
    for seed in sorted(optima):
        lines.append(f"{seed}," + ",".join(str(optima[seed][count]) for count in players))
    write_whole(path, "\n".join(lines) + "\n")
    print(f"{path}: {len(optima)} seeds of {', '.join(map(str, players))} players", file=sys.stderr)


if __name__ == "__main__":
    main()
