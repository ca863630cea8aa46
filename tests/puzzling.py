"""What the tests of puzzles share: positions to look at, and the collection."""

from __future__ import annotations

import json
import random
from pathlib import Path

from played import DATA
from solver.formats.positionfile import read
from solver.game.position import Position
from solver.puzzles.generate import Wanted, self_play
from solver.puzzles.judge import PuzzleReport, examine

PUZZLES = Path(__file__).parent.parent / "puzzles"
CASES = {
    row["id"]: row
    for row in map(json.loads, (DATA / "endgame_cases.jsonl").read_text().splitlines())
}
COLLECTION = [
    line
    for name in ("collection", "published")
    if (PUZZLES / f"{name}.jsonl").exists()
    for line in (PUZZLES / f"{name}.jsonl").read_text().splitlines()
]
SACRIFICE = "rb:32221 r2,b3 r5r4/b5r4 ?ktktr3b4b4 - 0/8 0/3 0 -"


def case(name: str) -> Position:
    """Give a published position."""
    return read(CASES[name], name)


def at(text: str, model: str = "open") -> PuzzleReport:
    """Examine a position text."""
    return examine(Position.from_text(text), model)


def sample(number: int, players: int = 3, deck: int = 5, model: str = "open") -> Position:
    """Give one of the positions that self-play comes to."""
    wanted = Wanted(players, deck, model=model)
    found = (self_play(wanted, random.Random(f"{number} {n}")) for n in range(100))
    return next(position for position in found if position is not None)
