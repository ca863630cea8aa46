"""A first check of an installation; needs nothing of the source tree."""

from __future__ import annotations

import json
import subprocess
import sys

import solver
from solver.game.position import Position


def test_command_solves_a_seed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "solver", "solve", "p3v0s1", "--json"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    row = json.loads(done.stdout)
    assert (row["score"], row["bound"], row["proven"], row["winnable"]) == (25, 25, True, True)
    assert row["link"].startswith("https://hanab.live/")


def test_data_files_are_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "solver", "deck", "p2v1s1", "--json"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["variant"]


def test_a_position_is_solved() -> None:
    position = Position.from_text("rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2")
    result = solver.solve(position)
    assert (result.score, result.proven) == (9, True)
