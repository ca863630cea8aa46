"""The collection: every puzzle is solved again, and small ones by the brute force."""

from __future__ import annotations

import json
from typing import Any

import pytest

import brute_endgame as plain
from puzzling import COLLECTION, PUZZLES
from solver.endgames.endgame import analyse, useless_faces
from solver.game.position import Action, Kind, Position
from solver.puzzles.judge import choice_words
from solver.puzzles.puzzle_rows import csv_text, item, verified
from solver.puzzles.themes import THEMES
from strategies import brute_game, brute_state


def test_the_collection_is_large_and_varied() -> None:
    rows = [json.loads(line) for line in COLLECTION]
    own = [row for row in rows if "generator" in row]
    assert len(own) >= 300
    assert len({row["puzzle_id"] for row in rows}) == len(rows)
    for players in range(2, 6):
        for model in ("open", "known"):
            same = [r for r in own if (r["players"], r["info_model"]) == (players, model)]
            assert len(same) >= 20
    hardness = sorted(row["difficulty"] for row in own)
    assert hardness[-1] - hardness[0] >= 20
    table = (PUZZLES / "collection.csv").read_text()
    assert table == csv_text(own)


@pytest.mark.parametrize("line", COLLECTION[::10], ids=lambda line: json.loads(line)["puzzle_id"])
def test_sample_of_the_collection(line: str) -> None:
    verified(item(line, "collection"))


def confirmed_plainly(rows: list[dict[str, Any]], states: int) -> int:
    """Compare the answers of open puzzles with the brute force; give how many it could do."""
    count = 0
    for row in rows:
        position = Position.from_text(row["position"])
        chances = plain.Chances(brute_game(position.rules), position.rules.max_score, states)
        gone = useless_faces(position)
        state = brute_state(position)
        state = state._replace(
            hands=tuple(tuple((-1, -1) if c in gone else c for c in hand) for hand in state.hands),
            pile=tuple(sorted((-1, -1) if c in gone else c for c in state.pile)),
        )
        try:
            found = chances.values(state)
        except plain.TooBig:
            continue
        count += 1
        best = max(found.values())
        assert str(best) == row["value"]
        words = {words_of(position, move) for move, value in found.items() if value == best}
        assert list(words) == row["moves"]
    return count


def words_of(position: Position, move: plain.Move) -> str:
    """Name a move as puzzles do."""
    action = Action(Kind(move.kind), move.slot)
    choice = next(c for c in analyse(position).choices if action in c.actions)
    return choice_words(position, choice)


def open_rows(most: int) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in COLLECTION]
    return [r for r in rows if r["info_model"] == "open" and 1 < r["n_orders"] <= most]


def test_small_puzzles_agree_with_the_brute_force() -> None:
    assert confirmed_plainly(open_rows(2)[:4], 8000) >= 1


@pytest.mark.slow
def test_more_puzzles_agree_with_the_brute_force() -> None:
    assert confirmed_plainly(open_rows(6)[::2], 20_000) >= 10


@pytest.mark.slow
def test_whole_collection() -> None:
    for line in COLLECTION:
        verified(item(line, "collection"))


def test_every_theme_occurs_in_the_collection() -> None:
    found = {name for line in COLLECTION for name in json.loads(line)["themes"]}
    assert found == set(THEMES)
