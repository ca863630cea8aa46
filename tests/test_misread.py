"""What cannot be read is named for what it nearly is, and a bare position is read as one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.command.cli import main
from solver.formats.hanablive import deal_of_seed
from solver.formats.variants import names
from solver.game.position import Position
from solver.reading.misread import is_position

POSITION = "rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2"
Outputs = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fault(*arguments: str, capsys: Outputs) -> str:
    """Give the one line on standard error of a call that must end with 2 and print nothing."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hanabi: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("command", ["solve", "explain", "review", "replay", "deck"])
@pytest.mark.parametrize(
    "link",
    ["https://hanab.live/replay/123456", "hanab.live/shared-replay/123456#7",
     "https://www.hanab.live/replay/123456?x", "https://hanab.live/export/123456"],
)  # fmt: skip
def test_a_numbered_replay_says_how_to_get_it(command: str, link: str, capsys: Outputs) -> None:
    words = fault(command, link, capsys=capsys)
    assert "numbered replays cannot be fetched" in words
    assert "save https://hanab.live/export/123456 as a .json file" in words
    assert "hanab.live/replay-json/" in words


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("P3V0S1", "seeds begin with small letters, as in p3v0s1"),
        ("p3v0", "as in p3v0s1"),
        ("p3s1", "the variant is missing, as in p3v0s1"),
        ("random", "a source without its range, as in random:0-99"),
        ("r1y2g3", "too short for a deck string: 3 cards"),
        ("r1", "too short for a deck string: 1 card,"),
        ("123456", "https://hanab.live/export/123456"),
        ("https://hanab.live/seed/p3v0s1", "give the seed, p3v0s1"),
        ("games/none.json", "games/none.json: no such file\n"),
        ("nosuch:1", "source 'nosuch' is not known"),
        ("zzz", "no such file, and no seed"),
    ],
)
def test_what_it_nearly_is(spec: str, part: str, capsys: Outputs) -> None:
    assert part in fault("solve", spec, capsys=capsys)


def test_texts_of_no_kind_have_one_fault(capsys: Outputs) -> None:
    Path("notes").write_text("Some words\nabout a game: ours\n\nand more of them\n" * 9)
    assert "it begins with 'Some words'" in fault("solve", "notes", capsys=capsys)
    Path("page.md").write_text("score 25\n\n" * 9)
    assert "a .md file holds no deals or games" in fault("replay", "page.md", capsys=capsys)
    Path("list").write_text("# seeds\np3v0s1\n")  # one line that is a spec makes it a list
    assert main(["deck", "list"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("p3v0s1: 3 players")
    assert err.startswith("hanabi: list:1: ")


@pytest.mark.parametrize("command", ["solve", "explain"])
def test_a_bare_position_is_one(command: str, capsys: Outputs) -> None:
    answers = []
    for arguments in ([POSITION], [f"pos:{POSITION}"], ["--position", POSITION]):
        assert main([command, *arguments, "--json"]) == 0
        (row,) = map(json.loads, capsys.readouterr().out.splitlines())
        row.pop("seconds", None)
        answers.append(row)
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["score"] == 9


def test_bare_positions_in_lists_and_elsewhere(capsys: Outputs) -> None:
    Path("list").write_text(f"p3v0s1\n{POSITION}\n")
    assert main(["solve", "list", "--json"]) == 0
    found = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    assert found == ["p3v0s1", POSITION]
    cut = POSITION.rsplit(" ", 1)[0]
    assert "a position has 9 fields, and this has 8" in fault("solve", cut, capsys=capsys)
    assert "this is a position, not a deal" in fault("deck", POSITION, capsys=capsys)
    assert main(["solve", POSITION, POSITION.replace("r5 ", "r6 ")]) == 2
    assert "hanabi: position 2: " in capsys.readouterr().err


def test_positions_of_all_kinds_of_variants_are_recognised() -> None:
    for number in range(0, len(names()), 41):
        assert is_position(Position.start(deal_of_seed(f"p3v{number}s1")).text())
    for other in ("random:0-9", "python:p2c1s0", "hle+colors=2+hand=3:0-4", "p3v0s1", "r1 y2"):
        assert not is_position(other)
