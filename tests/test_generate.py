"""Generating: equal arguments give equal puzzles, and what is asked for is what comes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from puzzling import SACRIFICE
from solver.errors import InputError
from solver.generate import Wanted, digest, generate
from solver.line import Line
from solver.position import Position
from solver.puzzle_rows import puzzle_row
from solver.themes import themes


def test_the_same_arguments_give_the_same_puzzles() -> None:
    wanted = Wanted(5, 4, seed=3)
    runs = []
    for _ in range(2):
        found = generate(wanted)
        runs.append([puzzle_row(next(found).report) for _ in range(3)])
    assert runs[0] == runs[1]
    other = next(generate(replace(wanted, seed=4))).report
    assert other.puzzle_id not in {row["puzzle_id"] for row in runs[0]}


def test_what_is_asked_for_is_what_comes() -> None:
    wanted = Wanted(5, 3, tokens=(1, 1), margin=Fraction(1, 2), themes=("stall",), trap=True)
    found = generate(wanted)
    for _ in range(2):
        report = next(found).report
        assert report.position.pile_size == 3
        assert report.position.clues == 1
        assert report.faults(Fraction(1, 2)) == []
        assert report.trap_loss > 0
        assert "stall" in themes(report)


def test_known_puzzles_are_not_given_again() -> None:
    wanted = Wanted(4, 3)
    first = next(generate(wanted))
    second = next(generate(wanted, known=[first.report.puzzle_id]))
    assert second.deal > first.deal
    later = next(generate(wanted, first=first.deal + 1))
    assert puzzle_row(later.report) == puzzle_row(second.report)


def test_patience_ends() -> None:
    wanted = Wanted(2, 5, themes=("last-round",))
    assert list(generate(wanted, patience=5)) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": 1}, "players is 1"),
        ({"players": 3, "deck": 0}, "deck is 0"),
        ({"players": 3, "deck": 40}, "deck is 40"),
        ({"players": 3, "model": "hidden"}, "model"),
        ({"players": 3, "tokens": (2, 1)}, "tokens"),
        ({"players": 3, "tokens": (0, 9)}, "tokens"),
        ({"players": 3, "margin": Fraction(2)}, "margin"),
        ({"players": 3, "themes": ("luck",)}, "luck"),
    ],
)
def test_wishes_that_make_no_sense(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Wanted(**{"deck": 5, **arguments})


def test_games_keep_their_tokens() -> None:
    wanted = Wanted(3, 5, tokens=None, margin=Fraction(0), tight=False, games="these")
    line = Line(Position.from_text(SACRIFICE), ())
    assert next(generate(replace(wanted, deck=5), games=[line])).report.position == line.start
    assert list(generate(replace(wanted, deck=4), games=[line])) == []
    assert digest([line]) != digest([line, line])
