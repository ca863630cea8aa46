"""Results of bots beside what was possible on their deals."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from solver.command.cli import main
from solver.surveys.bound import Ceiling, Source, Spec, games
from solver.surveys.intervals import student, wilson
from solver.surveys.results import Played, read_results
from solver.surveys.workers import here

DATA = Path(__file__).parent / "data"
RECORDED = DATA / "jaxmarl_obl_games.json"
Capture = pytest.CaptureFixture[str]


def answers(capsys: Capture, *words: str, code: int = 0) -> list[dict[str, Any]]:
    """Run ``hanabi bound --json`` and give what it prints."""
    capsys.readouterr()
    assert main(["bound", *words, "--json"]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def table(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_recorded_games(capsys: Capture) -> None:
    *found, sums = answers(capsys, str(RECORDED))
    recorded = json.loads(RECORDED.read_text())["games"]
    assert [row["score"] for row in found] == [game["score"] for game in recorded]
    assert all(row["loss"] == row["ceiling"] - row["score"] for row in found)
    assert all(row["ceiling"] == row["bound"] for row in found)
    # the deals that cannot be won, each confirmed by a certificate in another test of this file
    lost = {row["deal"]: row["ceiling"] for row in found if not row["winnable"]}
    assert set(lost) == {"game 123", "game 134", "game 137"}
    assert sums["games"] == 150
    assert sums["score_sum"] == sum(game["score"] for game in recorded) == 3137
    assert sums["ceiling_sums"] == [147 * 25 + sum(lost.values())] * 2
    assert sums["lost"] == sum(row["lost"] for row in found) == 5
    assert sums["wins"] == 0


def test_three_games_by_hand(tmp_path: Path, capsys: Capture) -> None:
    record = json.loads(RECORDED.read_text())
    # Games 1, 2 and 137 scored 18, 0 (the third strike) and 22. Full marks are there for the first
    # two. Of the third, ten needed cards are in the hands when y5 is drawn; whichever of y4 and g4
    # goes (only these come again), something is out of time: y4 comes again as the last card, when
    # nothing can follow on it. So 24 is its ceiling.
    record["games"] = [record["games"][place] for place in (0, 1, 136)]
    path = table(tmp_path / "three.json", json.dumps(record))
    *found, sums = answers(capsys, path)
    assert [row["score"] for row in found] == [18, 0, 22]
    assert [row["ceiling"] for row in found] == [25, 25, 24]
    assert [row["loss"] for row in found] == [7, 25, 2]
    assert sums["score_sum"] == 40
    assert sums["ceiling_sums"] == [74, 74]
    assert sums["mean"] == pytest.approx(40 / 3)
    assert sums["gap"] == pytest.approx([34 / 3, 34 / 3])
    # differences from the mean 34/3: -13/3, 41/3, -28/3, so the variance is 2634/9/2
    reach = student(2) * (2634 / 18 / 3) ** 0.5
    assert 34 / 3 + reach > 25  # and no game loses more than 25
    assert sums["gap_interval"] == [0, 25]
    assert reach > 34 / 3


@pytest.mark.slow
def test_lost_deals_have_certificates(tmp_path: Path) -> None:
    record = json.loads(RECORDED.read_text())["games"]
    for place in (122, 133, 136):
        deck = record[place]["deck"].replace(" ", "")
        proof = tmp_path / f"{place}.json"
        assert main(["solve", deck, "--players", "2", "--certificate", str(proof)]) == 0
        assert main(["verify", str(proof)]) == 0


def test_seeds(tmp_path: Path, capsys: Capture) -> None:
    # random:161 cannot be won with two players: 24 is the most
    path = table(tmp_path / "r.csv", "seed,score\n160,25\n161,24\n162,20\n161,23\n")
    *found, sums = answers(capsys, path, "--source", "random", "--players", "2")
    assert [row["ceiling"] for row in found] == [25, 24, 25, 24]
    assert [row["loss"] for row in found] == [0, 0, 5, 1]
    assert [row["won"] for row in found] == [True, False, False, False]
    assert (sums["wins"], sums["winnable"], sums["not_winnable"]) == (1, 2, 2)
    assert sums["wins_interval"] == pytest.approx(list(wilson(1, 2)))
    assert sums["gap"] == [1.5, 1.5]


def test_a_game_shows_what_its_deal_allows(tmp_path: Path, capsys: Capture) -> None:
    # random:160 has 25, random:161 has 24 and no more; one node proves neither
    path = table(tmp_path / "r.csv", "seed,score\n160,25\n161,24\n")
    words = ("--source", "random", "--players", "2", "--nodes", "1")
    won, other, sums = answers(capsys, path, *words, code=3)
    assert (won["ceiling"], won["bound"], won["loss"], won["winnable"]) == (25, 25, 0, True)
    assert (other["ceiling"], other["loss"]) == (24, 0)
    assert (sums["wins"], sums["winnable"]) == (1, 1)
    assert sums["gap"][0] == 0
    # Nothing is known to be winnable, nor not to be.
    path = table(tmp_path / "t.csv", "seed,score\n160,20\n")
    assert main(["bound", path, *words]) == 3
    assert "wins         0 of 0 to 1 that can be won\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lost", "recorded", "score", "low"),
    [
        (False, "stacks", 20, 20),
        (None, "zero", 20, 20),
        (None, "stacks", 25, 25),
        # What lies on the stacks of a lost game may be in reach for lost games only.
        (True, "stacks", 20, 10),
        (True, "stacks", 25, 10),
        (None, "stacks", 20, 10),
        (None, "minus-one", 20, 10),
    ],
)
def test_only_a_game_that_was_not_lost_shows_something(
    lost: bool | None, recorded: str, score: int, low: int
) -> None:
    played = Played("5", 2, score, lost, None, None, "here")
    known: dict[Spec, Ceiling] = {("hle:5", 2): Ceiling(10, 25, 25, 2, 3)}
    (game,) = games([played], Source("hle", 2, None, 1), here, recorded, known=known)
    assert (game.ceiling.low, game.ceiling.high) == (low, 25)


def test_games_that_all_lose_the_same_have_an_interval(tmp_path: Path, capsys: Capture) -> None:
    path = table(tmp_path / "r.csv", "seed,score\n160,24\n162,24\n163,24\n")
    *_, sums = answers(capsys, path, "--source", "random", "--players", "2")
    sure = 0.025 ** (1 / 3)  # the share of such games is at least this
    assert sums["gap"] == [1, 1]
    assert sums["gap_interval"] == pytest.approx([sure, sure + 25 * (1 - sure)])


def test_lists_in_words(tmp_path: Path, capsys: Capture) -> None:
    path = table(tmp_path / "r.csv", "seed,score\n160,25\n161,24\n162,20\n")
    assert main(["bound", path, "--source", "random", "--players", "2"]) == 0
    out = capsys.readouterr().out
    assert "161         2     24       24     0  not winnable\n" in out
    assert "\nnot winnable: 161\n" in out
    assert out.endswith("\nlost although winnable: 162\n")
    main(["bound", path, "--source", "random", "--players", "2", "--summary"])
    short = capsys.readouterr().out
    assert "deal" not in short.splitlines()[0]
    assert out.endswith(short)


def test_seeds_far_apart_and_in_any_order(tmp_path: Path, capsys: Capture) -> None:
    seeds = [5, 161, 3, 4, 90_000, 6, 168, 2, 5]
    text = "seed,players,score\n" + "".join(f"{s},{2 + s % 2},0\n" for s in seeds)
    path = table(tmp_path / "r.csv", text)
    found = answers(capsys, path, "--source", "random")
    assert [(row["deal"], row["players"]) for row in found[:-2]] == [
        (str(seed), 2 + seed % 2) for seed in seeds
    ]
    assert [row["players"] for row in found[-2:]] == [2, 3]
    by_one = answers(capsys, path, "--source", "random", "--jobs", "2")
    assert by_one == found


def test_a_survey_instead_of_solving(tmp_path: Path, capsys: Capture,
                                     monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    path = table(tmp_path / "r.csv", "seed,score\n" + "".join(f"{s},1\n" for s in range(200)))
    words = ("--source", "random", "--players", "2")
    fresh = answers(capsys, path, *words)
    main(["survey", "random:0-199", "--players", "2", "--out", str(tmp_path / "s")])
    monkeypatch.setattr("solver.surveys.bound.solve_bulk", None)
    assert answers(capsys, path, *words, "--survey", str(tmp_path / "s")) == fresh
    assert main(["bound", path, *words, "--survey", str(tmp_path / "s"), "--suits", "4"]) == 2
    assert "other rules than those asked for" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("recorded", "counted", "score", "lost", "counts"),
    [
        ("zero", None, 0, "true", 0),
        ("zero", None, 0, "", 0),
        ("zero", None, 21, "false", 21),
        ("stacks", None, 17, "true", 17),
        ("stacks", "zero", 17, "true", 0),
        ("stacks", "zero", 17, "false", 17),
        ("stacks", "minus-one", 17, "true", 16),
        ("minus-one", None, -1, "", -1),
        ("minus-one", "zero", 12, "true", 0),
        ("minus-one", "stacks", 12, "true", 13),
        ("minus-one", "stacks", -1, "", 0),
        ("zero", "stacks", 21, "false", 21),
    ],
)
def test_what_a_lost_game_scores(recorded: str, counted: str | None, score: int, lost: str,
                                 counts: int, tmp_path: Path, capsys: Capture) -> None:  # fmt: skip
    path = table(tmp_path / "r.csv", f"seed,score,lost\n7,{score},{lost}\n")
    words = ["--source", "hle", "--players", "2", "--lost", recorded]
    if counted is not None:
        words += ["--count-lost", counted]
    row, _ = answers(capsys, path, *words)
    assert row["score"] == counts
    assert row["loss"] == 25 - counts


def test_strikes_and_lives(tmp_path: Path, capsys: Capture) -> None:
    words = ("--source", "hle", "--players", "2", "--lost", "stacks", "--count-lost", "zero")
    path = table(tmp_path / "r.csv", "seed,score,strikes\n1,20,2\n2,20,3\n")
    assert [row["score"] for row in answers(capsys, path, *words)[:2]] == [20, 0]
    path = table(tmp_path / "r.csv", "seed,score,lives\n1,20,1\n2,20,0\n")
    assert [row["score"] for row in answers(capsys, path, *words)[:2]] == [20, 0]


def test_strikes_are_those_of_the_rules(tmp_path: Path, capsys: Capture) -> None:
    words = ("--lost", "stacks", "--count-lost", "zero")
    own = ("--source", "hle", "--players", "2", "--strikes", "2")
    path = table(tmp_path / "r.csv", "seed,score,strikes\n1,20,1\n2,20,2\n")
    assert [row["score"] for row in answers(capsys, path, *own, *words)[:2]] == [20, 0]
    survey = str(tmp_path / "survey")
    assert main(["survey", "hle:1-2", "--players", "2", "--strikes", "2", "--out", survey]) == 0
    capsys.readouterr()
    found = answers(capsys, path, "--source", "hle", "--players", "2", "--survey", survey, *words)
    assert [row["score"] for row in found[:2]] == [20, 0]
    path = table(tmp_path / "r.csv", "seed,score,strikes\nhle+small:1,3,1\n")
    assert answers(capsys, path, "--players", "2", *words)[0]["score"] == 0


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("seed,score\n1,26\n", (), "r.csv:2: the score 26 is above the optimum 25"),
        ("seed,score\n161,25\n", ("--source", "random"), "above the optimum 24 of this deal"),
        ("seed,score\n1,-1\n", (), "r.csv:2: the score is -1"),
        ("seed,score\n1,24.5\n", (), "r.csv:2: score is '24.5', not a whole number"),
        ("seed,score\n1,\n", (), "r.csv:2: score is missing"),
        ("seed,score,lost\n1,5,true\n", (), "say --lost stacks or minus-one"),
        ("seed,score,lost\n1,5,perhaps\n", (), "lost is 'perhaps', not true or false"),
        ("seed,score,strikes\n1,5,-5\n", (), "r.csv:2: strikes is -5"),
        ("seed,score\n1,0\n", ("--count-lost", "stacks"), "what lay on the stacks of this lost"),
        ("seed,score\n1,5\n", ("--lost", "stacks", "--count-lost", "zero"), "it is not said"),
        ("seed,points,score,score\n", (), "has a column twice"),
        ("seed,x\n1,2\n", (), "the header has no column score"),
        ("bot,score\n1,2\n", (), "no column seed, deal or deck"),
        ("seed,score\n1,2,3\n", (), "r.csv:2: there are 3 cells, not 2"),
        ("seed,score\n", (), "this holds no results"),
        ("seed,score\n,3\n", (), "seed, deal and deck are missing"),
        ("seed,score,players\n1,3,9\n", (), "players is 9, not 2 to 6"),
        ("seed,score\nx,3\n", (), "no such file, and no seed"),
        ("seed,score\n1,3\n", ("--source", "nowhere"), "nowhere"),
        ('seed,score\n"1,3\n', (), "not CSV"),
        ("", (), "this is empty"),
        ('{"games":[{"deck":"r1","score":1,"players":2}]}', (), "game 1: "),
        ('{"games":[{"seed":1}]}', (), "game 1: score is missing"),
        ('{"games":[3]}', (), "game 1: this is no JSON object"),
        ("[{", (), "not JSON"),
        ('{"games":3}', (), "games is not a list"),
    ],
)
def test_bad_results(text: str, words: tuple[str, ...], message: str, tmp_path: Path,
                     capsys: Capture) -> None:  # fmt: skip
    path = table(tmp_path / "r.csv", text)
    source = () if "--source" in words else ("--source", "hle")
    assert main(["bound", path, *source, "--players", "2", *words]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_source_is_needed(tmp_path: Path, capsys: Capture) -> None:
    path = table(tmp_path / "r.csv", "seed,score\n1,3\n")
    assert main(["bound", path, "--players", "2"]) == 2
    assert "seed 1 of what? Say --source" in capsys.readouterr().err
    assert main(["bound", path, "--source", "hle"]) == 2
    assert "needs the number of players" in capsys.readouterr().err
    assert main(["bound", str(tmp_path / "none.csv")]) == 2
    assert "none.csv: cannot be read" in capsys.readouterr().err
    assert main(["bound", path, "--source", "hle", "--players", "7"]) == 2


def test_specs_instead_of_seeds(tmp_path: Path, capsys: Capture) -> None:
    path = table(tmp_path / "r.csv", "deal,score\np2v0s1,25\nhle:3,20\npython:p2c1s129,24\n")
    *found, _ = answers(capsys, path, "--players", "2")
    assert [row["loss"] for row in found] == [0, 5, 0]


def test_json_lines(tmp_path: Path, capsys: Capture) -> None:
    lines = [{"seed": 1, "score": 25.0, "num_players": 3}, {"seed": 2, "return": 20, "players": 3}]
    path = table(tmp_path / "r.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    *found, _ = answers(capsys, path, "--source", "hle")
    assert [(row["players"], row["loss"]) for row in found] == [(3, 0), (3, 5)]
    path = table(tmp_path / "r.txt", "\n".join(json.dumps(line) for line in lines))
    assert answers(capsys, path, "--source", "hle")[:2] == found
    path = table(tmp_path / "r.json", json.dumps(lines))
    assert answers(capsys, path, "--source", "hle")[:2] == found


def test_recorded_games_are_replayed(tmp_path: Path, capsys: Capture) -> None:
    record = json.loads(RECORDED.read_text())
    game = record["games"][0]
    for change, message in (
        ({"score": 19}, "the recorded score is 19, and the moves give 18"),
        ({"actions": [0, *game["actions"]]}, "discard"),
        ({"actions": game["actions"][:5], "score": 1}, "not finished"),
        ({"deck": game["deck"][3:]}, "deck"),
    ):
        changed = {**record, "players": 2, "games": [{**game, **change}]}
        path = table(tmp_path / "r.json", json.dumps(changed))
        assert main(["bound", path]) == 2
        err = capsys.readouterr().err
        assert f"{path}:1: " in err
        assert message in err


def test_lost_games_whose_moves_are_known(capsys: Capture) -> None:
    for convention, score in (("zero", 0), ("stacks", 12), ("minus-one", 11)):
        found = answers(capsys, str(RECORDED), "--count-lost", convention)
        assert [row["score"] for row in found[:3]] == [18, score, 22]


def test_games_as_a_table(tmp_path: Path, capsys: Capture) -> None:
    path = table(tmp_path / "r.csv", "seed,score,lost\n160,25,false\n161,0,true\n")
    out = tmp_path / "games.csv"
    main(["bound", path, "--source", "random", "--players", "2", "--games", str(out)])
    found = list(csv.DictReader(io.StringIO(out.read_text())))
    assert found[1] == {
        "deal": "161", "players": "2", "score": "0", "ceiling": "24", "bound": "24", "loss": "24",
        "winnable": "false", "won": "false", "lost": "true",
    }  # fmt: skip
    capsys.readouterr()


def test_unproven_deals_are_two_numbers(tmp_path: Path, capsys: Capture) -> None:
    text = "seed,score\n" + "".join(f"{seed},5\n" for seed in range(60))
    path = table(tmp_path / "r.csv", text)
    words = ("--source", "random", "--players", "5", "--one-of-each", "1", "--nodes", "60")
    *found, sums = answers(capsys, path, *words, code=3)
    low = sum(row["ceiling"] for row in found)
    high = sum(row["bound"] for row in found)
    assert low < high
    assert sums["gap"] == pytest.approx([low / 60 - 5, high / 60 - 5])
    assert sums["unproven"] == sum(row["ceiling"] < row["bound"] for row in found)
    assert sums["wins_share"] == [0, 0]
    main(["bound", path, *words])
    assert "a limit left two numbers" in capsys.readouterr().out


def test_very_many_results() -> None:
    count = 100_000  # ten times as many take ten times as long
    known: dict[Spec, Ceiling] = {
        (f"hle:{seed}", 2): Ceiling(25 - seed % 2, 25 - seed % 2, 25, 2, 3) for seed in range(count)
    }
    results = (Played(str(seed), 2, 20, None, None, None, "x") for seed in range(count))
    source = Source("hle", None, None, 1)
    joined = games(results, source, here, known=known)
    assert sum(game.ceiling.low - game.score for game in joined) == count // 2 * (5 + 4)


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", "seed,score\n1,2\nx,y\n")
    assert next(read_results(path)).score == 2
