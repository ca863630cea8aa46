"""A bot's gap by kind: hindsight losses of recorded games sum to what lies under the ceiling."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from played import read
from solver import solve
from solver.command.cli import main
from solver.formats.hanablive import Game
from solver.game.deal import Deal
from solver.game.result import Limits
from solver.questions.losses import Losses
from solver.reading.specs import deals, games
from solver.surveys.bound_logs import Joined, Unfinished, join
from teller import played, told

DATA = Path(__file__).parent / "data"
HLE = json.loads((DATA / "hle_decks.json").read_text(encoding="utf-8"))["games"]
OBL = json.loads((DATA / "jaxmarl_obl_games.json").read_text(encoding="utf-8"))["games"]
RL_ENV = next(
    row["text"]
    for row in map(json.loads, (DATA / "environment_games.jsonl").read_text().splitlines())
    if row["format"] == "rl_env"
)
Outputs = pytest.CaptureFixture[str]


def dealt(spec: str, players: int) -> Deal:
    (deal,) = deals(spec, players)
    assert isinstance(deal, Deal), deal
    return deal


def lost_game(spec: str, players: int) -> Game:
    """Give a game on a deal that is lost with points on its stacks."""
    some = (played(dealt(spec, players), number, False) for number in range(100))
    return next(game for game in some
                if game.position().strikes == 3 and game.position().points > 1)  # fmt: skip


LOST = {
    "sparta.log": (lost_game("sparta:7", 2), -1),
    "quux.log": (lost_game("quux:7", 3), 0),
    "rs.json": (lost_game("hanabirs+no-full-discard:1", 3), 0),
    "bomb.json": (None, 0),
}
"""Lost games by file, and what each counts beside its points by its program's convention."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory with games of many programs."""
    path = tmp_path_factory.mktemp("logs")
    sparta, quux, rs = (LOST[name][0] for name in ("sparta.log", "quux.log", "rs.json"))
    assert sparta is not None
    assert quux is not None
    assert rs is not None
    points = sparta.position().points
    files = {
        "arrays.json": json.dumps({"games": OBL[:4]}),
        "bomb.json": json.dumps({**HLE[0], "bomb": 1, "score": sum(HLE[0]["fireworks"])}),
        "hle.json": json.dumps({"games": HLE}),
        "live.jsonl": "\n".join(json.dumps(read(name).to_json())
                                for name in ("p3v0s13", "p2v0s18", "p3v0s1-073")),
        "quux.log": "\n".join(["--seed 7", *told(quux, False), "Bot scored "
                               f"{quux.position().points} points in that first game."]),
        "rl_env.log": RL_ENV,
        "rs.json": json.dumps({**rs.to_json(), "first_player": 0}),
        "sparta.log": "\n".join(["--seed 7", *told(sparta),
                                 f"Final score 0 : {points - 1} bomb: 1"]),
    }  # fmt: skip
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    (path / "notes.txt").write_text("no game", encoding="utf-8")
    return path


def answers(capsys: Outputs, *words: str, code: int = 0) -> list[dict[str, Any]]:
    """Run a command with ``--json`` and give what it prints."""
    capsys.readouterr()
    assert main([*words, "--json"]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_losses_are_those_of_the_reviews_and_sum_to_the_gap(folder: Path, capsys: Outputs) -> None:
    reviews = answers(capsys, "review", str(folder), "--details", "--chances", "0")
    rows = answers(capsys, "bound", "--logs", str(folder))
    found = [row for row in rows if "deal" in row]
    sums = {row["players"]: row for row in rows if "games" in row}
    assert [(row["deal"], row["score"], row["ceiling"]) for row in found] == [
        (row["name"], row["score"], row["optimum"]) for row in reviews
    ]
    assert set(sums) == {2, 3}
    for players, row in sums.items():
        some = [review for review in reviews if len(review["players"]) == players]
        losses = row["losses"]
        gap = sum(review["optimum"] - review["score"] for review in some)
        low, high = row["ceiling_sums"]
        assert losses["sum"] == [gap, gap] == [low - row["score_sum"], high - row["score_sum"]]
        assert losses["open"] == [0, 0]
        points: Counter[str] = Counter()
        turns: Counter[str] = Counter()
        where: Counter[int] = Counter()
        inside: Counter[str] = Counter()
        for review in some:
            lossy = [turn for turn in review["turns"] if turn["loss"]]
            for turn in lossy:
                points[turn["kind"]] += turn["loss"]
                turns[turn["kind"]] += 1
                if turn["kind"] != "ended":
                    where[turn["seat"]] += turn["loss"]
            inside.update({turn["kind"] for turn in lossy})
        assert sum(points.values()) == gap
        kinds = losses["kinds"]
        assert {kind: each["points"] for kind, each in kinds.items()} == points
        assert {kind: each["turns"] for kind, each in kinds.items()} == turns
        assert {kind: each["games"] for kind, each in kinds.items()} == inside
        for each in kinds.values():
            assert each["played"] + each["lost"] + each["ended"] == each["points"]
        assert losses["seats"] == [where[seat] for seat in range(players)]
        assert sum(losses["turns"].values()) == gap
        ended = kinds.get("ended", {"points": 0})["points"]
        assert sum(losses["seats"]) + ended == gap
        assert sum(losses["ends"].values()) == row["games"] == len(some)
        assert losses["ends"]["lost"] == row["lost"]
    assert sums[2]["losses"]["ends"]["ended"] == 1
    assert sums[2]["losses"]["kinds"]["ended"]["ended"] > 0


def test_lost_games_lose_down_to_what_their_program_gives(folder: Path) -> None:
    for name, (told_game, less) in LOST.items():
        (game,) = games(str(folder / name))
        assert isinstance(game, Game), game
        points = (told_game or game).position().points
        found = join((game, name), Limits(2_000_000))
        assert isinstance(found, Joined), found
        assert found.review.lost
        assert found.game.score == found.review.score == points + less > 0
        assert found.review.turns[-1].kind in ("misplay", "")
        optima = [solve(position).score for position in found.review.positions[:-1]]
        values = [turn.before.low for turn in found.review.turns]
        assert values == [turn.before.high for turn in found.review.turns] == optima
        assert found.review.turns[-1].after == (points + less, points + less)


def test_the_convention_that_is_named_is_the_one_that_counts(folder: Path, capsys: Outputs) -> None:
    score = LOST["quux.log"][0].position().points  # type: ignore[union-attr]
    for words in (["bound"], ["bound", "--logs"]):
        assert main([*words, str(folder / "quux.log")]) == 0
        out = capsys.readouterr().out
        assert f"(sum {score})" in out
        assert "a lost game counts as its source has it" in out
        assert main([*words, str(folder / "quux.log"), "--count-lost", "zero"]) == 0
        out = capsys.readouterr().out
        assert "(sum 0)" in out
        assert "a lost game counts 0\n" in out


@pytest.mark.parametrize(("counted", "less"), [("zero", None), ("stacks", 0), ("minus-one", -1)])
def test_lost_games_counted_otherwise(counted: str, less: int | None, folder: Path) -> None:
    for name in LOST:
        (game,) = games(str(folder / name))
        assert isinstance(game, Game)
        score = 0 if less is None else game.position().points + less
        found = join((game, name), Limits(2_000_000), counted)
        assert isinstance(found, Joined), found
        assert found.game.score == found.review.score == score
        assert found.review.line.start.rules.lost_scores_stacks == (counted != "zero")
        lost = sum(turn.loss.low for turn in found.review.turns)
        assert lost == sum(turn.loss.high for turn in found.review.turns)
        assert lost == found.game.loss.low == found.game.loss.high == found.game.ceiling.low - score


def test_a_lost_game_may_count_less_than_nothing() -> None:
    deal = read("p3v0s13").deal
    some = (played(deal, number, False) for number in range(2000))
    game = next(g for g in some if g.position().strikes == 3 and g.position().points == 0)
    found = join((game, "x"), Limits(2_000_000), "minus-one")
    assert isinstance(found, Joined), found
    assert found.game.score == -1
    assert sum(turn.loss.low for turn in found.review.turns) == found.game.ceiling.low + 1
    assert found.review.proven


def test_unfinished_games_are_named_and_not_counted(tmp_path: Path, capsys: Outputs) -> None:
    row = read("p3v0s13").to_json()
    cut = {**row, "actions": row["actions"][:9]}
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(cut) + "\n" + json.dumps(row) + "\n", encoding="utf-8")
    assert main(["bound", "--logs", str(path)]) == 0
    out = capsys.readouterr().out
    assert "games        1;" in out
    assert "unfinished, not counted: p3v0s13\n" in out
    assert isinstance(join((Game.from_json(cut, "x"), "x"), Limits(1)), Unfinished)
    path.write_text(json.dumps(cut), encoding="utf-8")
    assert main(["bound", "--logs", str(path)]) == 2
    assert capsys.readouterr().err == "hanabi: there is no finished game in this\n"


def test_limits_leave_intervals(folder: Path, capsys: Outputs) -> None:
    words = ["bound", "--logs", str(folder / "arrays.json")]
    (*_, exact) = answers(capsys, *words)
    (*_, found) = answers(capsys, *words, "--nodes", "1", code=3)
    losses = found["losses"]
    certain = sum(kind["points"] for kind in losses["kinds"].values())
    low, high = losses["open"]
    assert losses["open_games"] > 0
    assert low < high
    assert losses["sum"] == [certain + low, certain + high]
    assert losses["sum"] == [some - found["score_sum"] for some in found["ceiling_sums"]]
    assert losses["sum"][0] <= exact["losses"]["sum"][0] <= losses["sum"][1]
    for kind, each in losses["kinds"].items():
        if kind != "unknown":
            assert each["points"] <= exact["losses"]["kinds"][kind]["points"]
    assert main([*words, "--nodes", "1"]) == 3
    assert "left open by a limit" in capsys.readouterr().out


def test_what_is_wrong_is_left_out_and_told(folder: Path, tmp_path: Path, capsys: Outputs) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({**HLE[1], "score": 3}), encoding="utf-8")
    assert main(["bound", "--logs", str(bad), str(folder / "hle.json"), "--summary"]) == 2
    out = capsys.readouterr()
    assert "bad.json: the recorded score is 3, and the moves give 20" in out.err
    assert out.err.count("\n") == 1
    assert "left out: 1," in out.out
    assert out.out.count("games        2;") == 2
    assert main(["bound", "--logs", str(bad)]) == 2
    assert "none could be read" in capsys.readouterr().err
    deck = tmp_path / "deck.json"
    deck.write_text(json.dumps({"deck": HLE[1]["deck"], "players": 2}), encoding="utf-8")
    for wrong in (str(tmp_path / "none.json"), "p3v0s1", str(deck)):
        assert main(["bound", "--logs", wrong]) == 2
        assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "words",
    [["--source", "hle"], ["--players", "2"], ["--survey", "x"], ["--lost", "zero"],
     ["--variant", "No Variant"]],
)  # fmt: skip
def test_options_for_results_without_moves(words: list[str], capsys: Outputs) -> None:
    assert main(["bound", "--logs", str(DATA / "hle_decks.json"), *words]) == 2
    assert "not with --logs" in capsys.readouterr().err


def test_many_results_are_for_logs(capsys: Outputs) -> None:
    assert main(["bound", "a.csv", "b.csv"]) == 2
    assert "with --logs" in capsys.readouterr().err


def test_jobs_change_nothing(folder: Path, capsys: Outputs) -> None:
    words = ["bound", "--logs", str(folder)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert main([*words, "--jobs", "2"]) == 0
    assert capsys.readouterr().out == out
    kinds = out[out.index("hindsight loss") :]
    assert "ceiling less score" in kinds
    assert "need not have been a mistake" in kinds


def test_no_loss_is_no_table() -> None:
    assert Losses().whole == (0, 0)
