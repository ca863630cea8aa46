"""The bracket: what can be won with the draw order known, and what the open-hands player wins.

python benches/bracket.py bracket/ --jobs 2         (again: goes on where it stopped)

Plays and solves the same deals, random:0-9999 for 2 to 5 players, keeps a row a deal in a file for
each number of players, and prints the table as Markdown. The published shares are those of
fpvandoorn/hanabi (`cheater`, 3bd9e066) and of Quuxplusone/Hanabi's CheatBot, each over 10,000 games
of its own, run again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from solver import Deal, Limits, solve
from solver.players.openhands import NODES, SAMPLES, play_many
from solver.reading.specs import read
from solver.surveys.intervals import wilson

PUBLISHED = {
    2: ("95.0%", "93.8%"),
    3: ("98.8%", "98.2%"),
    4: ("98.2%", "97.7%"),
    5: ("97.5%", "96.1%"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--players", default="2,3,4,5")
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--nodes", type=int, default=NODES)
    asked = parser.parse_args()
    asked.directory.mkdir(exist_ok=True, parents=True)
    lines = [
        "| players | can be won, draw order known | open-hands player | 95% interval | mean score "
        "| van Doorn's | CheatBot |",
        "|---|---|---|---|---|---|---|",
    ]
    for players in map(int, asked.players.split(",")):
        path = asked.directory / f"{players}-{asked.samples}-{asked.nodes}.jsonl"
        rows = run(path, players, asked)
        won = sum(row["won"] for row in rows)
        assert all(row["winnable"] is not None and row["score"] <= row["bound"] for row in rows)
        winnable = sum(row["winnable"] for row in rows)
        low, high = wilson(won, len(rows))
        mean = sum(row["score"] for row in rows) / len(rows)
        lines.append(
            f"| {players} | {winnable / len(rows):.2%} | {won / len(rows):.2%} "
            f"| {low:.2%} to {high:.2%} | {mean:.3f} | {' | '.join(PUBLISHED[players])} |"
        )
        seconds = sum(row["seconds"] for row in rows) / len(rows)
        print(f"{players} players: {1000 * seconds:.0f} ms a game", file=sys.stderr)
    print("\n".join(lines))


def run(path: Path, players: int, asked: argparse.Namespace) -> list[dict[str, object]]:
    """Play what is missing in a file, and give its rows."""
    head = {"players": players, "samples": asked.samples, "nodes": asked.nodes}
    rows: list[dict[str, object]] = []
    if path.exists():
        kept = path.read_text(encoding="utf-8").split("\n")[:-1]  # what a kill cut off is dropped
        if not kept or json.loads(kept[0]) != head:
            raise SystemExit(f"{path} holds games of other settings: {kept[:1]}")
        rows = [json.loads(line) for line in kept[1:]][: asked.games]
        path.write_text("\n".join([*kept, ""]), encoding="utf-8")
    else:
        path.write_text(json.dumps(head) + "\n", encoding="utf-8")
    deals = list(missing(players, len(rows), asked.games))
    games = play_many(deals, samples=asked.samples, nodes=asked.nodes, jobs=asked.jobs)
    began = time.monotonic()
    with path.open("a", encoding="utf-8") as file:
        for deal, played in zip(deals, games, strict=True):
            best = solve(deal, Limits())
            row = {
                "name": deal.name, "score": played.score, "won": played.won, "bound": best.bound,
                "winnable": best.winnable, "seconds": round(played.seconds, 4),
            }  # fmt: skip
            rows.append(row)
            file.write(json.dumps(row) + "\n")
            file.flush()
            if len(rows) % 500 == 0:
                won = sum(bool(row["won"]) for row in rows) / len(rows)
                spent = time.monotonic() - began
                print(f"{players} players: {len(rows)} games, {won:.2%}, {spent:.0f} s",
                      file=sys.stderr)  # fmt: skip
    return rows


def missing(players: int, done: int, games: int) -> Iterator[Deal]:
    """Give the deals that are not played yet."""
    if done < games:
        for deal in read(f"random:{done}-{games - 1}", players, None):
            assert isinstance(deal, Deal)
            yield deal


if __name__ == "__main__":
    main()
