"""The command ``hanabi``: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from replayer import replay
from solver.command.cli import main
from solver.game.deal import Deal
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.result import Result
from solver.game.rules import Rules
from solver.tables.rows import is_settled
from solver.tables.show import line_text

HANABI = [sys.executable, "-m", "solver"]
SOLVE_KEYS = [
    "name", "players", "variant", "score", "bound", "proven", "winnable", "line", "link",
    "engine", "nodes", "seconds",
]  # fmt: skip
POSITION = "rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2"
LOST_DEAL = "python:p2c1s129"
SLOW_DEAL = "p2v0s1"  # winnable, but not in one node
COUNTS = {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}
Outputs = pytest.CaptureFixture[str]


def hanabi(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the real command."""
    return subprocess.run(
        [*HANABI, *arguments], input=stdin, capture_output=True, timeout=60, check=False
    )


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def is_one_line(stderr: str) -> bool:
    return stderr.startswith("hanabi: ") and stderr.count("\n") == 1 and stderr.endswith("\n")


# Answers


def test_solves_the_five_seeds_and_each_line_replays(capsys: Outputs) -> None:
    seeds = [f"p{players}v0s1" for players in range(2, 7)]
    assert main(["solve", *seeds, "--json"]) == 0
    outputs = capsys.readouterr()
    assert outputs.err == ""
    answers = rows(outputs.out)
    assert main(["deck", *seeds, "--json"]) == 0
    decks = rows(capsys.readouterr().out)
    assert [row["name"] for row in answers] == [row["name"] for row in decks] == seeds
    for answer, row in zip(answers, decks, strict=True):
        assert list(answer) == SOLVE_KEYS
        assert answer["proven"]
        assert answer["variant"] == "No Variant"
        deck = [("rygbp".index(a), int(b)) for a, b in zip(*[iter(row["deck"])] * 2, strict=True)]
        last = replay(row["players"], COUNTS[row["players"]], deck, answer["line"])
        assert last.score == answer["score"] == answer["bound"]


def test_links_replay_to_the_score(capsys: Outputs) -> None:
    assert main(["solve", "p2v0s1", "p3v1s1", "--json"]) == 0
    answers = rows(capsys.readouterr().out)
    assert main(["replay", *(row["link"] for row in answers), "--json"]) == 0
    games = rows(capsys.readouterr().out)
    assert [row["score"] for row in games] == [row["score"] for row in answers]
    assert all(row["end"] == 1 for row in games)


def test_table_and_sentence(capsys: Outputs) -> None:
    assert main(["solve", "p3v0s1"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split()[:3] == ["#", "seat", "action"]
    assert table[1].split()[0] == "1"
    assert table[-2].startswith("p3v0s1: 25 of 25 (legendary), proven optimal: winnable (")
    assert table[-1].startswith("https://hanab.live/replay-json/315")
    assert max(map(len, table[:-1])) <= 100
    assert "\x1b" not in "".join(table)


def test_lost_deal(capsys: Outputs) -> None:
    assert main(["solve", LOST_DEAL]) == 0
    assert "of 25 (extraordinary), proven optimal: not winnable (" in capsys.readouterr().out
    assert main(["solve", LOST_DEAL, "--json"]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert row["winnable"] is False
    assert row["score"] == row["bound"] < 25


def test_target(capsys: Outputs) -> None:
    assert main(["solve", LOST_DEAL, "--target", "25"]) == 0
    assert "25 cannot be reached" in capsys.readouterr().out
    assert main(["solve", LOST_DEAL, "--target", "20"]) == 0
    assert "so 20 can be reached" in capsys.readouterr().out


def test_rows_and_sum(capsys: Outputs) -> None:
    assert main(["solve", "python:p2c1s0-29", "--jobs", "2"]) == 0
    head, *table, total = capsys.readouterr().out.splitlines()
    assert head.split()[0] == "deal"
    assert [line.split()[0] for line in table] == [f"p2c1s{n}" for n in range(30)]
    wins = sum(" winnable" in line and "not winnable" not in line for line in table)
    assert total.startswith(f"30 deals: {wins} are winnable (")


def test_a_limit_is_unknown_not_lost(capsys: Outputs) -> None:
    assert main(["solve", SLOW_DEAL, "--engine", "search", "--nodes", "1", "--json"]) == 3
    (row,) = rows(capsys.readouterr().out)
    assert row["winnable"] is None
    assert not row["proven"]
    assert row["score"] < row["bound"] == 25
    assert row["stopped"] == "nodes"
    assert main(["solve", SLOW_DEAL, "--engine", "search", "--nodes", "1"]) == 3
    assert "unproven: the nodes limit was reached" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--position", POSITION], [f"pos:{POSITION}"]])
def test_positions(arguments: list[str], capsys: Outputs) -> None:
    assert main(["solve", *arguments, "--json"]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert (row["name"], row["score"], row["proven"]) == (POSITION, 9, True)
    assert row["link"] is None
    assert row["reason"]
    assert [(action["type"], action["target"]) for action in row["line"]] == [(0, 0), (0, 2)]
    assert main(["solve", *arguments]) == 0
    assert (
        "position: 9 of 10 (extraordinary), proven optimal: not winnable" in capsys.readouterr().out
    )


def test_deck_for_people(capsys: Outputs) -> None:
    assert main(["deck", "p3v0s1"]) == 0
    *lines, origin = capsys.readouterr().out.splitlines()
    assert origin == "  dealt by hanab.live server in Go"
    assert lines[0] == "p3v0s1: 3 players, No Variant, 50 cards"
    assert lines[1] == "  seat 0  g3 g3 b1 y3 r5"
    assert lines[4].startswith("  pile    r1 b1 y1 g4")
    assert len(" ".join(line[10:] for line in lines[1:]).split()) == 50


def test_convert_there_and_back(tmp_path: Path, capsys: Outputs) -> None:
    assert main(["solve", "p2v0s1", "--json"]) == 0
    (answer,) = rows(capsys.readouterr().out)
    file = tmp_path / "game.json"
    assert main(["convert", answer["link"], "--to", "json", "-o", str(file)]) == 0
    game = json.loads(file.read_text(encoding="utf-8"))
    assert game["actions"] == answer["line"]
    assert main(["convert", str(file), "--to", "link"]) == 0
    assert main(["convert", "p2v0s1", "--to", "deck"]) == 0
    assert main(["deck", "p2v0s1", "--json"]) == 0
    link, deck, row = capsys.readouterr().out.splitlines()
    assert link == answer["link"]
    assert deck == json.loads(row)["deck"]
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_convert_writes_nothing_half(tmp_path: Path, capsys: Outputs) -> None:
    file = tmp_path / "kept.txt"
    file.write_text("old", encoding="utf-8")
    assert main(["convert", "p2v99999s1", "--to", "deck", "-o", str(file)]) == 2
    assert main(["convert", "p2v0s1", "--to", "deck", "-o", str(tmp_path / "no" / "file")]) == 2
    assert main(["convert", "p2v0s1", "--to", "deck", "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert file.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_help_names_every_command(capsys: Outputs) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("solve", "deck", "replay", "convert"))


# Bad input

GAME = {
    "players": ["a", "b"],
    "seed": "p2v0s1",
    "actions": [{"type": 0, "target": 0}, {"type": 1, "target": 0}],
}
BAD_FILES = {
    "empty.json": b"",
    "empty.csv": b"\n\n",
    "rubbish": bytes(range(256)),
    "rubbish.json": b"\x00\x01\x02" * 50,
    "cut.json": json.dumps(GAME).encode()[:-20],
    "nested.json": b"[" * 100_000,
    "number.json": b"17",
    "no_deck.csv": b"name,players\nx,2\n",
    "no_rows.jsonl": b"\n",
    "lines.txt": b"p2v0s1x!\n",
}
BAD_CALLS = [
    ["solve"],
    ["solve", ""],
    ["solve", "p9v0s1"],
    ["solve", "p3v0"],
    ["solve", "p3v9999s1"],
    ["solve", "legacy-"],
    ["solve", "python:p2c1s9-0"],
    ["solve", "python:"],
    ["solve", "random:0-3"],
    ["solve", "random:0", "--players", "7"],
    ["solve", "random:0", "--players", "3", "--variant", "No Such Variant"],
    ["solve", "nosuch:1"],
    ["solve", "no/such/file.json"],
    ["solve", "r1y2", "--players", "2"],
    ["solve", "r1" * 51, "--players", "2"],
    ["solve", "r1\n\x1b[31my2\udc80"],
    ["solve", "https://hanab.live/replay-json/315mmphex"],
    ["solve", "https://hanab.live/replay-json/" + "a" * 5000],
    ["solve", "p3v0s1", "--target", "-1"],
    ["solve", "p3v0s1", "--nodes", "0"],
    ["solve", "p3v0s1", "--seconds", "nan"],
    ["solve", "p3v0s1", "--seconds", "-1"],
    ["solve", "p3v0s1", "--jobs", "0"],
    ["solve", "p3v0s1", "--engine", "magic"],
    ["solve", "p3v0s1", "--nodes", "many"],
    ["solve", "p3v0s1", "--no-such-option"],
    ["solve", "--position", "r1 y2"],
    ["solve", "--position", POSITION.replace("r5 ", "r6 ")],
    ["solve", "--position", POSITION.replace("r4b5", "r4r4")],
    ["replay"],
    ["replay", "p3v0s1"],
    ["convert", "p3v0s1"],
    ["convert", "p3v0s1", "--to", "magic"],
    ["deck", f"pos:{POSITION}"],
    ["magic"],
    [],
]  # fmt: skip


@pytest.mark.parametrize("arguments", BAD_CALLS, ids=lambda a: ascii(" ".join(a))[1:60])
def test_bad_call(arguments: list[str], capsys: Outputs) -> None:
    assert main(arguments) == 2
    outputs = capsys.readouterr()
    assert outputs.out == ""
    assert is_one_line(outputs.err)
    assert outputs.err[:-1].isprintable()
    assert len(outputs.err) < 600


@pytest.mark.parametrize(
    ("command", "name"),
    [*itertools.product(["solve", "replay", "deck"], BAD_FILES), ("replay", "illegal.json")],
)
def test_bad_file(command: str, name: str, tmp_path: Path, capsys: Outputs) -> None:
    file = tmp_path / name
    file.write_bytes(BAD_FILES.get(name, json.dumps(GAME).encode()))
    assert main([command, str(file)]) == 2
    outputs = capsys.readouterr()
    assert outputs.out == ""
    assert is_one_line(outputs.err)


def test_bad_files_of_other_kinds(tmp_path: Path, capsys: Outputs) -> None:
    assert main(["solve", str(tmp_path)]) == 2
    assert "directory" in capsys.readouterr().err


def test_illegal_action_says_where_and_why(tmp_path: Path, capsys: Outputs) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(GAME), encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    error = capsys.readouterr().err
    assert "turn 2" in error
    assert "not in that hand" in error


@pytest.mark.parametrize(
    "arguments",
    [["solve", "p9v0s1"], ["solve", "-"], ["replay", "-", "--json"], ["solve", "--jobs", "x"], []],
)
@pytest.mark.parametrize("stdin", [b"", bytes(range(256))])
def test_bad_input_of_the_real_command(arguments: list[str], stdin: bytes) -> None:
    done = hanabi(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == b""
    assert is_one_line(done.stderr.decode())


def test_mixed_batch_goes_on(tmp_path: Path, capsys: Outputs) -> None:
    assert main(["deck", "p2v0s1", "--json"]) == 0
    deck = json.loads(capsys.readouterr().out)["deck"]
    file = tmp_path / "deals.csv"
    table = ["name,players,deck", f"good,2,{deck}", f"bad,2,{deck[:-2]}", f"fine,3,{deck}"]
    file.write_text("\n".join(table), encoding="utf-8")
    assert main(["solve", "p3v0s1", "p3v0", str(file), "p2v0s1", "--json"]) == 2
    outputs = capsys.readouterr()
    assert [row["name"] for row in rows(outputs.out)] == ["p3v0s1", "good", "fine", "p2v0s1"]
    errors = outputs.err.splitlines()
    assert [line.startswith("hanabi: ") for line in errors] == [True, True]
    assert "p3v0" in errors[0]
    assert "deals.csv:3" in errors[1]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_deal_that_the_engine_refuses(jobs: str, capsys: Outputs) -> None:
    unknown = "pos:rb:11111 r0,b0 xxb5/r5r1 ?r2r3r4b1b2b3b4 - 8/8 0/3 0 -"
    assert main(["solve", "p2v0s1", "p3v0", unknown, "p3v0s1", "--jobs", jobs, "--json"]) == 2
    outputs = capsys.readouterr()
    assert [row["name"] for row in rows(outputs.out)] == ["p2v0s1", "p3v0s1"]
    errors = outputs.err.splitlines()
    assert len(errors) == 2
    assert "p3v0" in errors[0]
    assert errors[1].startswith("hanabi: position: ")


# Ends


@pytest.mark.parametrize("more", [["--json"], []])
def test_interrupt(more: list[str]) -> None:
    process = subprocess.Popen(
        [*HANABI, "solve", "random:0-9999999", "--players", "2", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in stderr


def test_closed_pipe() -> None:
    process = subprocess.Popen(
        [*HANABI, "solve", "random:0-9999999", "--players", "2", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=20) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_progress_goes_to_a_terminal_only(tmp_path: Path) -> None:
    reader, writer = pty.openpty()
    shown = b""
    with (tmp_path / "answers").open("wb") as file:
        process = subprocess.Popen(
            [*HANABI, "solve", "python:p2c1s0-199", "--json"], stdout=file, stderr=writer
        )
        os.close(writer)
        with contextlib.suppress(OSError), open(reader, "rb", buffering=0) as terminal:
            while seen := terminal.read(1024):
                shown += seen
        assert process.wait(timeout=20) == 0
    names = [row["name"] for row in rows((tmp_path / "answers").read_text(encoding="utf-8"))]
    assert names == [f"p2c1s{number}" for number in range(200)]
    assert shown.startswith(b"\rsolved 1 deals\r")
    assert b"{" not in shown


def test_colour_only_where_it_is_wanted() -> None:
    plain = hanabi("solve", "p3v0s1").stdout
    assert b"\x1b" not in plain
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    coloured = subprocess.run(
        [*HANABI, "solve", "p3v0s1"], env={**environment, "FORCE_COLOR": "1", "TERM": "xterm"},
        capture_output=True, timeout=60, check=True,
    ).stdout  # fmt: skip
    assert b"\x1b[" in coloured


# Pieces


def greedy(start: Position) -> Line:
    """Play whatever can be played, else clue, else discard."""
    actions = []
    position = start
    while position.end is None:
        hand = position.hands[position.seat]
        plays = [Action(Kind.PLAY, s) for s, c in enumerate(hand) if position.is_playable(c)]
        legal = position.legal_actions()
        others = [a for a in reversed(legal) if a.kind is not Kind.PLAY]
        actions.append([*plays, *others, *legal][0])
        position = position.after(actions[-1])
    return Line(start, tuple(actions))


@pytest.mark.parametrize("suits", ["rygbp", "rygbpt"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_tables_fit(players: int, suits: str) -> None:
    rules = Rules.standard(players, suits)
    line = greedy(Position.start(Deal(rules, tuple(rules.sorted_deck()[::-1]))))
    text = line_text(line).plain
    table = text.splitlines()
    assert max(map(len, table)) <= 100
    assert len(table) == 1 + len(line.actions)
    assert text.count("[") == sum(a.kind is not Kind.CLUE for a in line.actions)


@pytest.mark.parametrize(
    ("score", "bound", "target", "settled"),
    [(25, 25, None, True), (24, 25, None, False), (24, 25, 24, True), (20, 23, 24, True)],
)
def test_settled(score: int, bound: int, target: int | None, settled: bool) -> None:
    start = Position.from_text(POSITION)
    result = Result(score, bound, Line(start, ()), "none", 0, 0.0)
    assert is_settled(result, target) is settled


@pytest.mark.parametrize(
    ("command", "thing"),
    [("solve", "deal"), ("endgame", "position"), ("verify", "certificate"), ("review", "game"),
     ("variants", "variant"), ("report", "group of deals")],
)  # fmt: skip
def test_help_says_what_a_json_object_is_about(
    command: str, thing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    assert f"one object a {thing}." in " ".join(capsys.readouterr().out.split())
