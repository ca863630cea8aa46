"""Sum up what `hanabi solve --json` prints: what is proven, and what the deals cost.

hanabi solve python:p2c1s0-9999 --json --jobs 2 | python benches/summary.py
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import Counter


def main() -> None:
    """Read JSON Lines from standard input."""
    rows = [json.loads(line) for line in sys.stdin]
    bad = [row for row in rows if "error" in row or "seconds" not in row]
    if bad or not rows:
        raise SystemExit(f"not solved: {bad[:1]}")
    proven = [row for row in rows if row["proven"]]
    times = sorted(1e6 * row["seconds"] for row in rows)
    worst = max(rows, key=lambda row: row["seconds"])
    most = max(rows, key=lambda row: row["nodes"])
    engines = Counter(row["engine"] for row in rows)
    print(
        f"{len(rows)} deals, {len(proven)} proven, {sum(row['winnable'] is True for row in rows)} "
        f"winnable; by {', '.join(f'{name} {count}' for name, count in engines.items())}"
    )
    print(
        f"median {statistics.median(times):.1f} us   mean {statistics.fmean(times):.1f} us   "
        f"99% {times[len(times) * 99 // 100]:.1f} us   "
        f"worst {times[-1] / 1000:.2f} ms ({worst['name']})   "
        f"nodes mean {statistics.fmean(row['nodes'] for row in rows):.0f} "
        f"worst {most['nodes']} ({most['name']})"
    )
    for row in rows:
        if not row["proven"]:
            print(f"open: {row['name']}: {row['score']} to {row['bound']}")


if __name__ == "__main__":
    main()
