"""``hanabi puzzle``: files that grow, wrong rows, limits, answers."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from played import DATA
from puzzling import CASES, COLLECTION, case
from solver.command.cli import main
from solver.command.cli_puzzle import RANGES
from solver.game.result import Limits
from solver.puzzles.generate import Wanted, generate
from solver.puzzles.measures import MEASURES
from solver.puzzles.puzzle_file import opened
from solver.puzzles.puzzle_rows import CSV_HEAD, csv_text, item, verified

Outputs = pytest.CaptureFixture[str]


MAKE = ["puzzle", "generate", "--players", "5", "--deck", "3", "--seed", "2"]


def made(capsys: Outputs, count: int) -> str:
    assert main([*MAKE, "--count", str(count)]) == 0
    outputs = capsys.readouterr()
    assert outputs.err == ""
    return outputs.out


def refused(capsys: Outputs, *arguments: str) -> str:
    """Run what is refused; give its one line."""
    assert main(["puzzle", *arguments]) == 2
    line = capsys.readouterr().err
    assert line.startswith("hanabi: ")
    assert line.count("\n") == 1
    return line


def test_generate_and_check(capsys: Outputs, tmp_path: Path) -> None:
    text = made(capsys, 4)
    file = tmp_path / "puzzles.jsonl"
    file.write_text(text)
    assert main(["puzzle", "check", str(file)]) == 0
    assert capsys.readouterr().out == "4 puzzles: 4 confirmed, 0 wrong\n"
    assert main(["puzzle", "check", "--json", str(file)]) == 0
    assert all(json.loads(row)["confirmed"] for row in capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("cut", [0, 1, 500, -1, -40])
def test_a_file_goes_on_where_it_was_cut(capsys: Outputs, tmp_path: Path, cut: int) -> None:
    text = made(capsys, 4)
    file, table = tmp_path / "puzzles.jsonl", tmp_path / "puzzles.csv"
    file.write_text(text[:cut] if cut else "")
    for _ in range(2):
        assert main([*MAKE, "--count", "4", "--out", str(file), "--csv", str(table)]) == 0
        assert file.read_text() == text
    rows = list(csv.reader(io.StringIO(table.read_text())))
    assert rows[0] == list(CSV_HEAD)
    assert [row[0] for row in rows[1:]] == [json.loads(r)["puzzle_id"] for r in text.splitlines()]
    assert table.read_text() == csv_text(map(json.loads, text.splitlines()))
    assert capsys.readouterr() == ("", "")


def test_a_killed_run_goes_on(capsys: Outputs, tmp_path: Path) -> None:
    text = made(capsys, 6)
    file = tmp_path / "puzzles.jsonl"
    arguments = [sys.executable, "-m", "solver", *MAKE, "--count", "1000", "--out", str(file)]
    with subprocess.Popen(arguments) as process:
        until = time.monotonic() + 30
        while not (file.exists() and file.read_bytes().count(b"\n") > 1):
            assert time.monotonic() < until
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:6]))
    assert main([*MAKE, "--count", "6", "--out", str(file)]) == 0
    assert file.read_text() == text


def test_one_run_at_a_time(capsys: Outputs, tmp_path: Path) -> None:
    file = str(tmp_path / "puzzles.jsonl")
    with opened(file, ""):
        assert "another run" in refused(capsys, *MAKE[1:], "--out", file)


def test_a_file_of_something_else_is_left_alone(capsys: Outputs, tmp_path: Path) -> None:
    file = tmp_path / "file"
    row = json.loads(made(capsys, 1))
    texts = [
        "precious", "precious\n", "{}\n", "[1]\n", json.dumps({**row, "generator": "other"}) + "\n",
        json.dumps({**row, "deal": "one"}) + "\n", json.dumps(row) + "\n",
    ]  # fmt: skip
    for text in texts:
        file.write_text(text)
        refused(capsys, *MAKE[1:], "--out", str(file))
        assert file.read_text() == text
    refused(capsys, *MAKE[1:], "--out", str(tmp_path))
    refused(capsys, *MAKE[1:], "--out", str(tmp_path / "no" / "file"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("moves", ["clue", "play r1"]), ("value", "1/7"), ("second", "1/8"), ("themes", ["luck"]),
        ("depth", 99), ("n_orders", True), ("puzzle_id", "0123456789"), ("line", []),
        ("moves", None), ("info_model", "known"), ("position", "nonsense"), ("position", 7),
        ("info_model", ["open"]),
    ],
)  # fmt: skip
def test_a_wrong_row_is_named(capsys: Outputs, tmp_path: Path, field: str, value: object) -> None:
    good = made(capsys, 2).splitlines()
    bad = json.dumps({**json.loads(good[1]), field: value})
    file = tmp_path / "puzzles.jsonl"
    file.write_text(f"{good[0]}\n\n{bad}\n")
    line = refused(capsys, "check", str(file))
    assert f"{file}:3: " in line


def test_bad_files(capsys: Outputs, tmp_path: Path) -> None:
    file = tmp_path / "file"
    texts = [
        b"", b"\n\n", b"{", b"[]", b"\xff\xfe", b"{}", b"rygbp", b"null", b"{\n\n",
        b'{"position":1}', b'{"position":"x","info_model":"open","moves":[],"value":"1"}',
        b"[" * 9999,
    ]  # fmt: skip
    for text in texts:
        file.write_bytes(text)
        assert str(file) in refused(capsys, "check", str(file))
        refused(capsys, "show", str(file))
    refused(capsys, "check", str(tmp_path / "none"))
    refused(capsys, "check")
    refused(capsys, "check", "--position", "x")
    refused(capsys, "generate")
    refused(capsys, "generate", "--players", "3", "--tokens", "few")
    refused(capsys, "generate", "--players", "3", "--margin", "1/0")


HIDDEN = "rygbp:32221 r2,y5,g5,b5,p5 xxxxxxxx/p3r5b1p2/b3y4p1r3 ?ktktktktr4r4 r3 2/8 2/3 0 -"


def test_what_is_known_of_the_hand(capsys: Outputs, tmp_path: Path) -> None:
    """Chop known to be useless: with two strikes it can only be discarded, else all is alike."""
    file = tmp_path / "puzzles.jsonl"
    row: dict[str, Any] = {"position": HIDDEN, "info_model": "hidden", "possible": "kt,xx,xx,xx",
                           "moves": ["discard card 1"], "value": "1", "second": "9/10"}  # fmt: skip
    file.write_text(json.dumps(row))
    assert main(["puzzle", "check", str(file)]) == 0
    assert capsys.readouterr().out == "1 puzzle: 1 confirmed, 0 wrong\n"
    code, out, err = asked(file, "discard card 1\n")
    assert (code, err) == (0, "")
    assert "card 1 is kt (1 is the oldest)" in out
    assert "right: discard card 1" in out
    code, out, err = asked(file, "discard card 3\n")
    assert "wrong: discard card 2 or 3 or 4 has 9/10, discard card 1 has 1" in out
    for field, value, words in [
        ("possible", "kt,xx", "2 cards, not 4"), ("possible", "kt,xx,xx,z1", "card 4"),
        ("possible", 7, "possible is not a text"), ("info_model", "open", "only in the model"),
        ("possible", "y1,xx,xx,xx", "no choice of cards"), ("possible", "r9,xx,xx,xx", "card 1"),
    ]:  # fmt: skip
        file.write_text(json.dumps({**row, field: value}))
        assert words in refused(capsys, "check", str(file))
    del row["possible"]
    file.write_text(json.dumps(row))
    assert "2 first moves are equally good" in refused(capsys, "check", str(file))


def every(rows: str, capsys: Outputs) -> list[dict[str, Any]]:
    """Judge the positions of rows anew, by ``check``."""
    texts = [json.loads(row)["position"] for row in rows.splitlines()]
    asked = [word for text in texts for word in ("--position", text)]
    assert main(["puzzle", "check", "--json", *asked]) == 0
    return [json.loads(row) for row in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("options", "holds"),
    [
        (["--difficulty", "30-40"], lambda row: 30 <= row["difficulty"] <= 40),
        (["--difficulty", "21-22"], lambda row: 21 <= row["difficulty"] <= 22),
        (["--depth", "11-"], lambda row: row["depth"] >= 11),
        (["--depth", "8"], lambda row: row["depth"] == 8),
        (["--only-moves", "11-"], lambda row: row["only_moves"] >= 11),
        (["--ties", "1"], lambda row: row["ties"] == 1),
        (["--forks", "1-"], lambda row: row["forks"] >= 1),
        (["--greedy-rank", "2-"], lambda row: row["greedy_rank"] >= 2),
        (["--trap-loss", "1/2-"], lambda row: Fraction(row["trap_loss"]) >= Fraction(1, 2)),
        (["--value", "1/2-3/4"], lambda row: row["value"] in ("1/2", "2/3")),
        (["--second", "1/4-"], lambda row: Fraction(row["second"]) >= Fraction(1, 4)),
        (["--trap-kind", "play"], lambda row: row["trap_kind"] == "play"),
        (["--twin", "token-less"], lambda row: row["twins"].get("token-less")),
        (["--without", "pace-0"], lambda row: "pace-0" not in row["themes"]),
        (["--margin", "1/2"], lambda row: Fraction(row["margin"]) >= Fraction(1, 2)),
        (["--theme", "only-win"], lambda row: row["second"] == "0"),
        (["--trap"], lambda row: row["greedy_fails"]),
        (["--tokens", "1"], lambda row: " 1/8 " in row["position"]),
    ],
)  # fmt: skip
def test_each_criterion(
    options: list[str],
    holds: Callable[[dict[str, Any]], bool],
    capsys: Outputs,
) -> None:
    """What is asked for is what comes, and without asking something else comes too."""
    found = []
    for more in (options, []):
        assert main([*MAKE, *more, "--count", "2" if more else "5"]) == 0
        found.append(every(capsys.readouterr().out, capsys))
    assert all(map(holds, found[0]))
    assert not all(map(holds, found[1]))


def test_twins_one_by_one(capsys: Outputs) -> None:
    """With --twin the others may leave the answer; with --loose all may; else none."""
    wish = ["puzzle", "generate", "--players", "3", "--deck", "3", "--count", "12"]
    assert main([*wish, "--twin", "token-more"]) == 0
    rows = every(capsys.readouterr().out, capsys)
    assert all(row["twins"]["token-more"] for row in rows)
    assert not all(row["tight"] for row in rows)
    assert main([*wish, "--loose"]) == 0
    rows = every(capsys.readouterr().out, capsys)
    assert not all(row["twins"].get("token-more") for row in rows)
    assert main(wish) == 0
    assert all(row["tight"] for row in every(capsys.readouterr().out, capsys))


def test_hidden_puzzles(capsys: Outputs, tmp_path: Path) -> None:
    wish = ["puzzle", "generate", "--players", "4", "--deck", "3", "--model", "hidden"]
    texts = []
    for _ in range(2):
        assert main([*wish, "--count", "3", "--trap"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    rows = [json.loads(row) for row in texts[0].splitlines()]
    for row in rows:
        assert row["info_model"] == "hidden"
        assert row["trap_loss"] != "0"
        assert set(row["possible"]) - set("x,")
    file = tmp_path / "puzzles.jsonl"
    file.write_text(texts[0])
    assert main(["puzzle", "check", str(file)]) == 0
    assert capsys.readouterr().out == "3 puzzles: 3 confirmed, 0 wrong\n"
    # The same answer by the command for endgames.
    asked = ["endgame", "--json", "--model", "hidden", "--possible", rows[0]["possible"]]
    assert main([*asked, rows[0]["position"]]) == 0
    assert json.loads(capsys.readouterr().out)["actions"][0]["value"] == rows[0]["value"]
    assert main([*wish, "--facts", "8", "--count", "1", "--loose"]) == 0
    known = json.loads(capsys.readouterr().out)["possible"].split(",")
    assert [len(card) for card in known] == [2, 2, 2, 2]


def test_ranges_that_are_none(capsys: Outputs) -> None:
    wish = ["generate", "--players", "3"]
    for name in RANGES:
        for text in ("", "x", "-", "1-0", "1/0", "1-2-3", "-1"):
            assert name in refused(capsys, *wish, f"--{name}={text}")
    assert "facts" in refused(capsys, *wish, "--facts", "3")
    for text in ("3-", "1/2", "x"):
        assert "facts" in refused(capsys, *wish, "--model", "hidden", "--facts", text)
    assert "depth" in refused(capsys, *wish, "--model", "hidden", "--depth", "3-")
    assert list(RANGES) == list(MEASURES)


def test_names_of_files_first(capsys: Outputs) -> None:
    for name in ("", "no/file", "/proc/file"):
        for option in ("--csv", "--out"):
            assert main([*MAKE, "--count", "1", option, name]) == 2
            outputs = capsys.readouterr()
            assert outputs.out == ""
            assert outputs.err.count("\n") == 1


def test_input_without_an_end(capsys: Outputs, tmp_path: Path) -> None:
    for command in (["check"], ["show"]):
        assert "more than 64 MiB" in refused(capsys, *command, "/dev/zero")
        assert "directory" in refused(capsys, *command, str(tmp_path))
    assert "no file that a run could go on with" in refused(capsys, *MAKE[1:], "--out", "/dev/zero")


def test_check_judges_positions(capsys: Outputs, tmp_path: Path) -> None:
    position = case("clueless-0-puff-ups")
    texts = [position.text(), json.dumps(CASES["clueless-0-puff-ups"])]
    file = tmp_path / "positions"
    file.write_text("\n".join(texts))
    assert main(["puzzle", "check", str(file), "--json"]) == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert rows[0] == rows[1]
    assert rows[0]["unique"]
    assert rows[0]["choices"][0] == {"action": "discard useless", "value": "1/2"}
    whole = tmp_path / "position.json"
    whole.write_text(json.dumps(CASES["clueless-0-puff-ups"], indent=1))
    assert main(["puzzle", "check", str(whole)]) == 0
    assert "one answer, clear and tight" in capsys.readouterr().out


def asked(file: Path, answer: str, *options: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "solver", "puzzle", "show", str(file), *options],
        input=answer, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_show_asks_and_judges(tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text(
        case("clueless-0-puff-ups").text() + "\n" + case("clueless-1-fives-win-this").text()
    )
    code, out, err = asked(file, "discard useless\n")
    assert (code, err) == (0, "")
    assert "right: discard useless" in out
    assert "50.00%" in out
    code, out, err = asked(file, "play r4\n", "--number", "2")
    assert (code, err) == (0, "")
    assert "wrong: play r4 has 0, play g5 has 1/180" in out
    question = out[: out.index("wrong")]
    assert "1/180" not in question
    for answer in ("", "fly\n", "play y9\n"):
        code, out, err = asked(file, answer)
        assert code == 2
        assert err.count("\n") == 1
    for options in (["--number", "3"], ["--id", "none"], ["--number", "0"]):
        code, _, err = asked(file, "clue\n", *options)
        assert code == 2
        assert err.count("\n") == 1


def test_positions_of_games(capsys: Outputs) -> None:
    file = str(DATA / "games.jsonl")
    wish = ["puzzle", "generate", "--players", "3", "--deck", "3", "--games", file, "--tokens",
            "0-2", "--loose"]  # fmt: skip
    assert main([*wish, "--count", "2"]) == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert len(rows) == 2
    assert rows[0]["deal"] < rows[1]["deal"]
    for row in rows:
        report = verified(item(json.dumps(row), "row"))
        assert report.position.rules.players == 3
        assert report.position.clues <= 2
    assert main([*wish, "--count", "99"]) == 3
    assert capsys.readouterr().err.count("\n") == 1
    refused(capsys, *wish[1:5], "--games", "nothing")


def test_a_limit_is_not_an_answer(
    capsys: Outputs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_text(COLLECTION[30])
    monkeypatch.setattr("solver.puzzles.judge.LIMITS", Limits(nodes=1))
    for arguments in (["check", str(file)], ["show", str(file)]):
        assert main(["puzzle", *arguments]) == 3
        assert "too hard" in capsys.readouterr().err
    assert list(generate(Wanted(5, 5), patience=3)) == []


@pytest.mark.slow
def test_fifty_puzzles_confirmed_twice_the_same(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "solver", "puzzle"]
    wish = ["generate", "--players", "3", "--deck", "5", "--count", "50", "--seed", "1"]
    runs = [
        subprocess.run([*command, *wish], capture_output=True, timeout=300, check=True).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert runs[0].count(b"\n") == 50
    done = subprocess.run(
        [*command, "check", "-"], input=runs[0], capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0
    assert done.stdout == b"50 puzzles: 50 confirmed, 0 wrong\n"


# What a newcomer meets: progress without a terminal, an end, and slips of the pen


def test_a_run_without_a_find_gives_up_and_says_how_far_it_is(
    capsys: Outputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.command.cli_puzzle.REPORT", 0.0)
    arguments = ["--players", "2", "--tokens", "5", "--count", "1", "--patience", "4"]
    assert main(["puzzle", "generate", *arguments]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    *lines, last = err.splitlines()
    assert lines == [f"0 of 1 puzzles, {deals} deals" for deals in range(1, 5)]
    assert last == "hanabi: 0 of 1 puzzles found: 4 more deals gave none (--patience)"


@pytest.mark.parametrize("slips", [["plya r4"], ["play z9", "", "fold"]])
def test_after_a_slip_the_legal_moves_are_told_and_the_next_line_is_read(
    tmp_path: Path, capsys: Outputs, monkeypatch: pytest.MonkeyPatch, slips: list[str]
) -> None:
    file = tmp_path / "position.txt"
    file.write_text("rb:32221 r3,b4 r5r4/ktr4 ?b4b5 - 0/8 0/3 0 -\n", encoding="utf-8")
    legal = "these are: discard r4, discard r5, misplay r5, play r4"
    for answers, code in ([*slips, "play r4"], 0), (slips, 2):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
        assert main(["puzzle", "show", str(file)]) == code
        out, err = capsys.readouterr()
        lines = err.splitlines()
        assert len(lines) == len(slips)
        for line, slip in zip(lines, slips, strict=True):
            assert line == f"hanabi: the answer {slip!r} is no legal move here; {legal}"
        assert ("wrong: play r4 has 1/2, discard r4 has 1" in out) == (code == 0)


@pytest.mark.parametrize(
    ("text", "wanted"), [("rb:32221 r3,b4 r5r4/ktr4 ?b4b5 - 0/8 0/3 0 -", ["100%", "50.00%", "0%"])]
)
def test_chances_look_the_same_in_every_command(
    capsys: Outputs, text: str, wanted: list[str]
) -> None:
    for command in (["endgame", text], ["puzzle", "check", "--position", text]):
        assert main(command) == 0
        found = [word for word in capsys.readouterr().out.split() if word.endswith("%")]
        assert list(dict.fromkeys(found)) == wanted
