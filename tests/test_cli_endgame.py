"""``hanabi endgame``: files, texts, games in; rows, tables, graphs out; one line for faults."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx
import pytest

from solver.command.cli import main
from solver.endgames.endgame import analyse
from solver.formats.hanablive import Game
from solver.formats.positionfile import write
from solver.game.position import Position

DATA = Path(__file__).parent / "data"
CASES = DATA / "endgame_cases.jsonl"
TEXT = "rb:32221 r2,b3 b4r5/r3b3 ?r4b1b5 - 1/8 0/3 0 -"
KNOWN = "rb:32221 r2,b3 b4r5/r3b3 r4b1b5 - 1/8 0/3 0 -"


def rows(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[Any]:
    assert main(["endgame", "--json", *arguments]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def fault(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["endgame", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hanabi: ")
    assert err.count("\n") == 1
    return err


def case_file(tmp_path: Path, number: int) -> Path:
    path = tmp_path / "position.json"
    row = json.loads(CASES.read_text(encoding="utf-8").splitlines()[number])
    path.write_text(json.dumps(row, indent=2), encoding="utf-8")
    return path


def test_row_has_the_keys_that_others_read(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(capsys, TEXT)
    assert list(row)[:7] == [
        "model", "objective", "value", "float", "actions", "exact", "states",
    ]  # fmt: skip
    verdict = analyse(Position.from_text(TEXT))
    assert (row["model"], row["objective"], row["exact"]) == ("open", "win", True)
    assert Fraction(row["value"]) == verdict.low
    assert row["float"] == float(verdict.low)
    assert [Fraction(a["value"]) for a in row["actions"]] == [c.low for c in verdict.choices]
    assert len({a["action"] for a in row["actions"]}) == len(row["actions"])


@pytest.mark.parametrize(("objective", "other"), [("win", "score"), ("score", "win")])
def test_rows_have_both_objectives(
    objective: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (row,) = rows(capsys, TEXT, "--objective", objective)
    verdict = analyse(Position.from_text(TEXT), objective=other)
    assert row["other"] == {
        "objective": other, "value": str(verdict.low), "float": float(verdict.low)
    }  # fmt: skip
    values = {a["action"]: Fraction(a["other"]["value"]) for a in row["actions"]}
    (turned,) = rows(capsys, TEXT, "--objective", other)
    assert values == {a["action"]: Fraction(a["value"]) for a in turned["actions"]}
    pairs = [(Fraction(a["value"]), values[a["action"]]) for a in row["actions"]]
    assert pairs == sorted(pairs, reverse=True)
    ties = len({*pairs}) - len({value for value, _ in pairs})
    assert ties == (2 if objective == "win" else 0)


def test_policy_begins_with_the_best_mean_score(capsys: pytest.CaptureFixture[str]) -> None:
    tied = "rb:32221 r2,b2 b4b3/r4b3 ?b4b5r3 - 1/8 0/3 0 -"
    (row,) = rows(capsys, tied, "--policy", "--target", "8")
    (first, second, *_) = row["actions"]
    assert first["value"] == second["value"]
    assert Fraction(first["other"]["value"]) > Fraction(second["other"]["value"])
    assert row["policy"][0]["actions"][0]["action"] == first["action"]


def test_limit_leaves_both_open(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(capsys, TEXT, "--nodes", "1", code=3)
    low, high = (Fraction(row["other"][end]) for end in ("low", "high"))
    assert row["other"]["value"] is None
    assert low < analyse(Position.from_text(TEXT), objective="score").low < high


def test_position_files_and_lists(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (row,) = rows(capsys, str(case_file(tmp_path, 1)))
    assert (row["model"], row["value"]) == ("open", "1/180")
    assert row["actions"][0]["action"] == "play g5"
    path = tmp_path / "many.jsonl"
    good = json.dumps(write(Position.from_text("rb:32221 r3,b4 r4b5/r5kt ?ktkt - 0/8 0/3 0 -")))
    path.write_text(f"{good}\n{{}}\n{TEXT}\n", encoding="utf-8")
    assert main(["endgame", "--json", str(path)]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert f"{path}:2: suits is not" in err


def test_models(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(case_file(tmp_path, 7))  # willbot-basic-winrate: own cards unknown
    (row,) = rows(capsys, path)
    assert (row["model"], row["ceiling"]) == ("hidden", "1")
    assert "unknown: the model open" in fault(capsys, path, "--model", "open")
    (row,) = rows(capsys, TEXT, "--model", "hidden")
    assert {a["action"] for a in row["actions"]} == {"clue", "play unknown", "discard unknown"}
    (row,) = rows(capsys, TEXT, "--possible", "r4,xx")
    assert {a["action"] for a in row["actions"]} >= {"play unknown card 1", "play unknown card 2"}
    (row,) = rows(capsys, KNOWN, "--model", "known")
    assert row["model"] == "known"
    assert row["value"] in ("0", "1")
    assert "draw order is unknown" in fault(capsys, TEXT, "--model", "known")


def test_objective_and_target(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(capsys, TEXT, "--objective", "score")
    assert Fraction(row["value"]) == analyse(Position.from_text(TEXT), objective="score").low
    assert row["target"] is None
    (row,) = rows(capsys, TEXT, "--target", "6")
    assert (row["value"], row["target"]) == ("1", 6)
    assert "target is 11, not 0 to 10" in fault(capsys, TEXT, "--target", "11")


def test_turn_of_a_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = (DATA / "games.jsonl").read_text(encoding="utf-8").splitlines()
    found = next(g for g in map(json.loads, lines) if not g.get("options"))
    path = tmp_path / "game.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    game = Game.from_json(found)
    turns = len(game.moves)
    turn = max(turn for turn in range(1, turns + 1) if game.position(turn - 1).end is None)
    at = game.position(turn - 1)
    (row,) = rows(capsys, str(path), "--turn", str(turn), "--model", "known")
    assert row["position"] == at.text()
    assert "say before which turn with --turn N" in fault(capsys, str(path))
    over = game.position(turns).end is not None
    last = turns if over else turns + 1  # in a game that is over nobody acts once more
    for wrong in ("0", str(last + 1), str(last + 2)):
        assert f"turns 1 to {last}" in fault(capsys, str(path), "--turn", wrong)


def test_limit_leaves_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(capsys, TEXT, "--nodes", "1", code=3)
    assert (row["exact"], row["value"]) == (False, None)
    exact = analyse(Position.from_text(TEXT)).low
    assert Fraction(row["low"]) <= exact <= Fraction(row["high"])
    assert main(["endgame", TEXT, "--nodes", "1"]) == 3
    assert "A limit was reached" in capsys.readouterr().out
    assert main(["endgame", TEXT, "--nodes", "1", "--policy"]) == 3


def test_table_and_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["endgame", TEXT, "--policy", "--losing-orders"]) == 0
    out = capsys.readouterr().out
    verdict = analyse(Position.from_text(TEXT))
    assert "chance of 10, full marks" in out
    assert str(verdict.low) in out
    assert "Best line" in out
    assert "What to do:\n  1. seat 0: " in out
    lost = int(6 * (1 - verdict.low))
    assert f"Draw orders that lose: {lost} of 6" in out


def test_table_hides_what_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["endgame", KNOWN, "--model", "hidden"]) == 0
    out = capsys.readouterr().out
    assert "> seat 0  xx xx" in out
    assert "unseen    r4 r5 b1 b4 b5" in out
    assert main(["endgame", KNOWN]) == 0
    assert "unseen    r4 b1 b5" in capsys.readouterr().out


def test_policy_rows(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(capsys, TEXT, "--policy", "--losing-orders")
    assert row["policy"][0]["value"] == row["value"]
    known = {step["position"] for step in row["policy"]}
    for step in row["policy"]:
        for action in step["actions"]:
            assert {then["position"] for then in action["then"]} <= known
    assert sum(lost["count"] for lost in row["losing_orders"]) == 6 * (1 - Fraction(row["value"]))


@pytest.mark.parametrize("form", ["graphml", "dot"])
def test_graph_files(form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / f"best.{form}"
    rows(capsys, TEXT, "--graph", str(path))
    if form == "graphml":
        made = networkx.read_graphml(path)
        assert made.number_of_edges() > 3
    else:
        assert path.read_text(encoding="utf-8").startswith("digraph endgame {\n")
    before = path.read_bytes()
    rows(capsys, TEXT, "--graph", str(path), "--nodes", "1", code=3)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_faults_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "no.json: cannot be read" in fault(capsys, str(tmp_path / "no.json"))
    assert "none of .graphml, .dot and .gv" in fault(capsys, TEXT, "--graph", "x.png")
    assert "not for the model hidden" in fault(capsys, TEXT, "--model", "hidden", "--policy")
    assert "exactly one position" in fault(capsys, TEXT, TEXT, "--graph", "x.dot")
    assert "objective win" in fault(capsys, TEXT, "--losing-orders", "--objective", "score")
    assert "--possible: card 2" in fault(capsys, TEXT, "--possible", "r4,q9")
    assert "given for 1 cards, not 2" in fault(capsys, TEXT, "--possible", "r4")
    assert "cannot be written" in fault_of_graph(capsys, tmp_path / "none" / "x.dot")
    empty = tmp_path / "empty.json"
    empty.write_text("", encoding="utf-8")
    assert "this is empty" in fault(capsys, str(empty))
    empty.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in fault(capsys, str(empty))
    empty.write_text("[1]", encoding="utf-8")
    assert str(empty) in fault(capsys, str(empty))
    empty.write_text('{\n"suits": 3}', encoding="utf-8")
    assert "suits is not" in fault(capsys, str(empty))
    big = "rygb:32221 r3,y0,g0,b0 r4/kt ?" + "kt" * 20 + " - 0/8 0/3 0 -"
    assert "cover at most 19" in fault(capsys, big)
    assert "the game is over" in fault(capsys, "r:11111 r5 kt/kt ?kt - 0/8 0/3 0 -")


def fault_of_graph(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    assert main(["endgame", "--json", TEXT, "--graph", str(path)]) == 2
    return capsys.readouterr().err


def test_hidden_says_how_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    """By what the unknown cards are, in words; the chances agree with those of the table."""
    text = "rygbp:32221 r2,y5,g5,b5,p5 xxxxxxxx/p3r5b1p2/b3y4p1r3 ?ktktktktr4r4 r3 2/8 0/3 0 -"
    assert main(["endgame", text, "--possible", "kt,xx,xx,xx"]) == 0
    out = capsys.readouterr().out
    assert "\nBest: discard unknown card 1. Hands are open then" in out
    assert "  if it is a useless card, the others are r4 kt kt (144 of 240): seat 0 disc" in out
    assert "(72 of 240)" in out
    assert "(24 of 240)" in out
    assert (
        main(["endgame", "--model", "hidden", "rb:32221 r2,b3 b4r3/r4r1 r5b5r3 - 1/8 0/3 0 -"]) == 0
    )
    out = capsys.readouterr().out
    assert "if it is r5, the other is r3 (2 of 20) [0]: lost" in out
    assert "if it is b4, the other is r3 (2 of 20) [5/6]: seat 0 plays b4 and draws r3" in out
    assert "  ... and 7 more\n" in out


# What is asked is settled: then the mean score decides

LOST = "rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2"
"""10 points are out of reach; playing r4 first gives 9, everything else less."""


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["endgame", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_out_of_reach_the_best_mean_score_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, LOST)
    assert "Nothing that is done" not in "".join(lines)
    assert "10 points are out of reach; best by mean score: play r4." in lines
    assert any(line.startswith("Best line: seat 0 plays r4; seat 1 plays r5: 9") for line in lines)
    mirrored = "rb:11111 r4,b3 b4r5/b5 - - 0/8 0/3 0 2"  # the colours' order says nothing
    assert "10 points are out of reach; best by mean score: play b4." in shown(capsys, mirrored)
    lines = shown(capsys, LOST, "--model", "hidden")
    assert "10 points are out of reach; best by mean score: play unknown." in lines
    assert any(line.startswith("Best: play unknown.") for line in lines)
    lines = shown(capsys, LOST, "--policy")
    assert lines[lines.index("What to do:") + 1].split("  [")[0] == "  1. seat 0: play r4"


@pytest.mark.parametrize("asked", ["5", "6", "9", "10"])
@pytest.mark.parametrize("model", ["open", "known"])
def test_equal_chances_stand_in_the_order_of_their_mean_scores(
    capsys: pytest.CaptureFixture[str], model: str, asked: str
) -> None:
    text = "rb:32221 r2,b3 b4r3/r4r1 r5b5r3 - 1/8 0/3 0 -"
    lines = shown(capsys, text, "--target", asked, "--model", model)
    head = next(n for n, line in enumerate(lines) if line.startswith("action"))
    end = next(n for n, line in enumerate(lines) if n > head and not line[-1:].isdigit())
    table = [(float(Fraction(row[-3])), float(row[-1]))
             for row in map(str.split, lines[head + 1 : end])]  # fmt: skip
    assert len(table) > 3
    assert table == sorted(table, reverse=True)
    first = lines[head + 1].split("  ")[0].replace("play", "plays")
    assert any(line.startswith("Best line") and f"seat 0 {first}" in line for line in lines)
    reached = "5 points are there already; best by mean score: "
    assert any(line.startswith(reached) for line in lines) == (asked == "5")


def test_nothing_more_to_gain_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "rb:32221 r3,b4 r1b1/r1 - - 1/8 0/3 0 2")
    assert "10 points are out of reach; the mean score is the same after every action." in lines
    assert not any(line.startswith("Best line") for line in lines)


# What else may be named: puzzles, games, deals, and mistakes

COLLECTION = Path(__file__).parent.parent / "puzzles" / "collection.jsonl"


def test_puzzles_are_read_with_their_models(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stored = [json.loads(line) for line in COLLECTION.read_text(encoding="utf-8").splitlines()]
    some = [next(row for row in stored if row["info_model"] == model)
            for model in sorted({row["info_model"] for row in stored})]  # fmt: skip
    path = tmp_path / "puzzles.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in some), encoding="utf-8")
    found = rows(capsys, str(path))
    assert len(found) == len(some) > 1
    for row, puzzle in zip(found, some, strict=True):
        assert row["model"] == puzzle["info_model"]
        assert Fraction(row["value"]) == Fraction(puzzle["value"])
    path.write_text(json.dumps(some[0]), encoding="utf-8")
    (row,) = rows(capsys, str(path))
    assert row["position"] == found[0]["position"]
    (row,) = rows(capsys, str(path), "--model", "hidden")
    assert row["model"] == "hidden"
    for command in ("solve", "explain", "deck"):
        assert main([command, str(path)]) == 2
        err = capsys.readouterr().err
        assert f"{path.name}:1: this is a puzzle, not a deal: hanabi puzzle check" in err


def test_games_and_deals_are_told_apart(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    link = "https://hanab.live/replay-json/315mmphexkydblirwuap-fnuqcfvaxchpfktvkdsi-saggqwlrjobnu,03acag,0"
    game = json.loads((DATA / "games.jsonl").read_text(encoding="utf-8").splitlines()[0])
    texts = {"game.txt": link, "game.json": json.dumps(game, indent=1),
             "games.jsonl": f"{json.dumps(game)}\n{json.dumps(game)}\n"}  # fmt: skip
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert f"{name}: this is a game: say before" in fault(capsys, str(path))
        for command in (["check"], ["page", "-o", str(tmp_path / "page.html")]):
            assert main(["puzzle", *command, str(path)]) == 2
            assert f"{name}: this is a game, not a position" in capsys.readouterr().err
    assert "this is a game: say before" in fault(capsys, link)
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("p3v0s1\np2v0s1\n", encoding="utf-8")
    for deal in ("p3v0s1", "random:0", str(seeds)):
        assert "this is a deal, not a position" in fault(capsys, deal)
    assert "cannot be read: No such file" in fault(capsys, str(tmp_path / "none.json"))


@pytest.mark.parametrize("command", [["endgame"], ["solve", "--position"]])
@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_position_that_is_too_short_is_told_so_once(
    capsys: pytest.CaptureFixture[str], command: list[str], count: int
) -> None:
    text = " ".join(TEXT.split()[:count])
    assert main([*command, text]) == 2
    err = capsys.readouterr().err
    assert err == f"hanabi: position: a position has 9 fields, and this has {count}\n"


def test_the_answer_says_what_its_model_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    unused = "(the draw order was given and is not used: --model known uses it)"
    assert unused in shown(capsys, KNOWN)
    for arguments in ([KNOWN, "--model", "open"], [KNOWN, "--model", "known"], [TEXT], [LOST]):
        assert unused not in shown(capsys, *arguments)
    optimistic = "(after the action all hands are open: at a table it is this much at most)"
    assert optimistic in shown(capsys, TEXT, "--model", "hidden")
    assert optimistic not in shown(capsys, TEXT)
