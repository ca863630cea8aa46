"""Reviews: the optimum at every turn is that of a fresh solve, and the losses sum up."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from played import ROWS, lines, read
from replayer import replay
from solver.command.cli import main
from solver.endgames.endgame import analyse
from solver.formats.hanablive import game_of
from solver.formats.link import decode, encode
from solver.formats.moves import Move
from solver.formats.record import Record
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.pages.review_page import review_page
from solver.questions.losskind import loss_kind
from solver.questions.review import Review, Span, review, review_line, values_along
from solver.questions.tightness import pace, spare_clues
from solver.solving.choice import solve
from solver.tables.review_rows import COLUMNS, Sums, kept_line, review_row, turn_link

Outputs = pytest.CaptureFixture[str]

TEN = (
    "p2v0s1-053", "p2v0s7", "p2v0s5-", "p3v0s11", "p3v0s13", "p4v0s4-", "p4v0s10", "p5v0s10",
    "p6v0s1-", "p6v0s6-",
)  # fmt: skip
"""Games that lost something, with two to six players."""

GAMES = [name for name in (str(row["file"]) for row in ROWS)]
LOSING = "p3v0s13"
ENDED = "p2v0s18"
UNFINISHED = "p3v1638s3"


def fresh(position: Position) -> int:
    """Give the optimum of a position as nothing but its own solve says it."""
    result = solve(position)
    assert result.proven
    return result.score


def losses_are_right(found: Review) -> None:
    """Check every row against the rows beside it, and the sum against the score."""
    for before, after in zip(found.turns, found.turns[1:], strict=False):
        assert before.after == after.before
    lost = sum(turn.loss.low for turn in found.turns)
    assert lost == sum(turn.loss.high for turn in found.turns)
    final = found.last.low if found.score is None else found.score
    assert lost == found.optimum.low - final
    assert all(turn.loss.low >= 0 for turn in found.turns)


@pytest.mark.parametrize("name", TEN)
def test_every_turn_has_the_optimum_of_a_fresh_solve(name: str) -> None:
    found = review(read(name), chance_cards=0)
    assert found.proven
    assert found.first_loss is not None
    losses_are_right(found)
    optima = [fresh(position) for position in found.positions]
    assert [turn.before.low for turn in found.turns[: len(optima) - 1]] == optima[:-1]
    assert [turn.after.low for turn in found.turns[: len(optima) - 1]] == optima[1:]


@pytest.mark.slow
def test_every_game_of_the_test_data_sums_up() -> None:
    for name in GAMES:
        found = review(read(name), chance_cards=0)
        assert found.proven, name
        losses_are_right(found)


@pytest.mark.parametrize(("name", "losses"), [("p3v0s12", 1), ("p4v0s5-", 1), ("p3v0s1-073", 0)])
def test_one_loss_is_found_with_a_handful_of_solves(name: str, losses: int) -> None:
    found = review(read(name), chance_cards=0)
    assert sum(turn.loss.low for turn in found.turns) == losses
    assert found.solves <= 1 + losses * math.ceil(math.log2(len(found.turns) + 1))


@pytest.mark.parametrize("nodes", [1, 30, 300])
@pytest.mark.parametrize("name", ["p2v0s5-", "p4v0s9-112", "p5v0s10"])
def test_a_limit_leaves_spans_that_hold_the_truth(name: str, nodes: int) -> None:
    positions = list(read(name).line().positions())
    open_spans, _ = values_along(positions, Limits(nodes=nodes))
    truth, _ = values_along(positions)
    for span, true in zip(open_spans, truth, strict=True):
        assert true.exact
        assert span.low <= true.low <= span.high
    for before, after in itertools.pairwise(open_spans):
        assert before.low >= after.low
        assert before.high >= after.high


@given(lines(18))
@settings(max_examples=15)
def test_reviews_of_any_variant_contradict_no_fresh_solve(played: tuple[Deal, Line]) -> None:
    limits = Limits(nodes=2_000)
    try:
        found = review_line(played[1], limits=limits, chance_cards=0)
    except UnsupportedRulesError:
        return
    spans = [found.optimum, *(turn.after for turn in found.turns)]
    for position, span in zip(found.positions, spans, strict=True):
        result = solve(position, limits)
        assert result.score <= span.high
        assert span.low <= result.bound
    for turn in found.turns:
        assert 0 <= turn.loss.low <= turn.loss.high
        assert (turn.kind != "") <= (turn.loss.low > 0)


def test_open_losses_hold_the_truth_and_say_that_they_are_open() -> None:
    game = read("p4v0s9-112")
    found, true = (review(game, limits, chance_cards=0)
                   for limits in (Limits(nodes=20), Limits()))  # fmt: skip
    assert not found.proven
    assert true.proven
    for turn, right in zip(found.turns, true.turns, strict=True):
        assert turn.loss.low <= right.loss.low <= turn.loss.high
        assert turn.best is None or turn.best.replay().score >= turn.before.low
    row = review_row(found)
    assert true.first_loss is not None
    may, has = row["first_loss"]
    assert may <= true.first_loss.number <= has
    open_row = next(turn for turn in row["turns"] if isinstance(turn["loss"], list))
    assert open_row["loss"][0] < open_row["loss"][1]


def test_a_game_that_was_ended_has_a_last_row() -> None:
    game = read(ENDED)
    found = review(game)
    *_, last = found.turns
    assert game.ending is not None
    assert found.score == 0
    assert len(found.turns) == len(game.moves) + 1
    assert last.kind == "ended"
    assert last.action.startswith("end: ")
    assert last.before.low == fresh(found.positions[-1]) > 0 == last.after.low
    losses_are_right(found)


def test_an_unfinished_game_is_measured_up_to_where_it_stands() -> None:
    found = review(read(UNFINISHED))
    assert found.score is None
    assert found.last.low == fresh(found.positions[-1])
    losses_are_right(found)
    assert review_row(found)["score"] is None


def test_a_game_without_moves() -> None:
    game = replace(read(LOSING), moves=(), ending=None)
    found = review(game)
    assert found.turns == ()
    assert found.first_loss is None
    assert found.score is None
    assert found.optimum == found.last == Span(25, 25)
    assert review_row(found)["turns"] == []


def test_a_score_that_cannot_be_is_refused() -> None:
    line = read(LOSING).line()
    with pytest.raises(InputError, match="at most"):
        review_line(replace(line, actions=line.actions[:-1]), 26, "end")


def test_a_log_may_count_less_for_a_lost_game() -> None:
    position = Position.from_text("rb:11111 r3,b4 b5r5/r4 - - 1/8 2/3 0 2 lost-scores")
    line = Line(position, (Action(Kind.PLAY, 1),))
    assert [str(turn.loss) for turn in review_line(line).turns] == ["2"]
    found = review_line(line, 6)
    assert [(str(turn.loss), turn.kind) for turn in found.turns] == [("3", "misplay")]
    losses_are_right(found)
    with pytest.raises(InputError, match="7 at most"):
        review_line(line, 8)


def test_a_deck_that_is_not_known_to_its_end_is_refused() -> None:
    game = replace(read(LOSING), record=Record("some program", dealt=30))
    with pytest.raises(InputError, match="deck incomplete"):
        review(game)


@pytest.mark.parametrize("name", [LOSING, "p2v0s1-053", "p4v0s13", "p5v0s19"])
def test_what_would_have_kept_it_does(name: str) -> None:
    game = read(name)
    found = review(game, chance_cards=0)
    for turn in found.turns:
        if turn.loss.low == 0 or turn.kind == "ended":
            assert turn.best is None or turn.kind == "ended"
            continue
        assert turn.best is not None
        assert turn.best.replay().score == turn.before.low
        moves = kept_line(found, turn)
        assert moves[: turn.number - 1] == [m.to_json() for m in game.moves[: turn.number - 1]]
        if game.options:
            continue
        rules = game.deal.rules
        deck = [(card.suit, card.rank) for card in game.deal.deck]
        played = replay(rules.players, rules.hand_size, deck, moves)
        assert played.score == turn.before.low
        link = turn_link(found, turn)
        assert link.endswith(f"#{turn.number}")
        again = decode(link)
        assert again.replay().points == turn.before.low
        assert again.moves[: turn.number - 1] == game.moves[: turn.number - 1]


def test_a_shared_link_gives_the_same_review() -> None:
    game = read(LOSING)
    one, other = review(game), review(decode(encode(game)))
    assert one.turns == other.turns
    assert one.score == other.score


# Kinds of loss


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        (LOSING, {29: "card", 55: "token"}),
        ("p3v0s12", {58: "tempo"}),
        ("p4v0s5-", {47: "misplay"}),
        ("p5v0s8", {23: "misplay"}),
        ("p2v0s18", {29: "card", 41: "card", 43: "card", 44: "ended"}),
    ],
)
def test_kinds(name: str, kinds: dict[int, str]) -> None:
    found = review(read(name), chance_cards=0)
    assert {turn.number: turn.kind for turn in found.turns if turn.kind} == kinds


def test_the_last_copy_of_a_card_that_is_needed() -> None:
    discard = Action(Kind.DISCARD, 0)
    for text, expected in (
        ("rb:11111 r3,b5 r5b1/r4b2 b3 - 3/8 0/3 0 -", "card"),
        # No other discard would do either: r4 has to be played now. Still it was the last one.
        ("rb:11111 r3,b5 r4b1/r5b2 - - 3/8 0/3 0 2", "card"),
        # Nobody has r4, so r5 is of no use; and no other discard keeps ten points either.
        ("rb:11111 r3,b5 r5b1/b4b2 b3 - 3/8 0/3 0 -", "tempo"),
    ):
        position = Position.from_text(text)
        assert loss_kind(position, discard, 10, lambda target: Limits(target=target)) == expected


def test_a_kind_that_a_limit_left_open_is_none() -> None:
    game = read("p4v0s9-112")
    found = review(game, chance_cards=0)
    turn = next(turn for turn in found.turns if turn.kind == "tempo")
    before = found.positions[turn.number - 1]
    action = found.line.actions[turn.number - 1]
    kind = loss_kind(before, action, turn.before.low, lambda target: Limits(10, target=target))
    assert kind == ""


# Tightness and chances


def test_spare_tokens_are_those_that_can_be_missing() -> None:
    found = review(read("p4v0s8"), chance_cards=0)
    tight = 0
    for position, turn in zip(found.positions, found.turns, strict=False):
        optimum = turn.before.low
        assert turn.pace == pace(position, optimum)
        if turn.spare_clues is None:
            continue
        enough = [
            spare
            for spare in range(position.clues + 1)
            if fresh(replace(position, clues=position.clues - spare)) >= optimum
        ]
        assert turn.spare_clues == max(enough)
        tight += turn.spare_clues < position.clues
    assert tight > 2


def test_spare_tokens_are_unknown_where_the_search_is_not_for_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = Position.from_text("rb:11111 r3,b4 r4b5/r5 - - 3/8 0/3 0 2")
    assert spare_clues(position, 9) == 3

    def refuse(start: Position, engine: str) -> None:
        raise UnsupportedRulesError(f"{engine}, {start}")

    monkeypatch.setattr("solver.questions.tightness.require", refuse)
    assert spare_clues(position, 9) is None


def test_chances_are_those_of_the_open_model() -> None:
    found = review(read("p3v0s12"), chance_cards=4)
    late = [turn for turn in found.turns if turn.win is not None]
    positions = found.positions
    assert {positions[turn.number - 1].pile_size for turn in late} == {0, 1, 2, 3, 4}
    assert any(turn.win is not None and turn.win.best > turn.win.taken for turn in late)
    for turn in late:
        position = positions[turn.number - 1]
        for objective, chance in (("win", turn.win), ("score", turn.mean)):
            verdict = analyse(position, "open", objective)
            assert chance is not None
            assert chance.best == verdict.high
            values = {a: choice.high for choice in verdict.choices for a in choice.actions}
            assert chance.taken == values[found.line.actions[turn.number - 1]]
        if turn.pace is not None and turn.before.low < found.full:
            assert turn.win is not None
            assert 0 <= turn.win.taken <= turn.win.best < 1


# Rows


def test_rows_have_exactly_these_keys() -> None:
    row = review_row(review(read(LOSING)))
    assert list(row) == ["name", "score", "optimum", "first_loss", "turns"]
    for turn in row["turns"]:
        assert list(turn) == ["turn", "seat", "action", "before", "after", "loss"]
    assert row["name"] == "p3v0s13"
    assert row["first_loss"] == 29
    assert sum(turn["loss"] for turn in row["turns"]) == row["optimum"] - row["score"] == 2
    assert row["turns"][28]["action"] == "discard r4"


def test_sums_over_games() -> None:
    sums = Sums()
    found = [review(read(name), chance_cards=0) for name in (*TEN, ENDED, UNFINISHED)]
    for one in found:
        sums.add(one)
    assert (sums.games, sums.unfinished, sums.open) == (12, 1, 0)
    lost = sum(one.optimum.low - one.last.low for one in found)
    assert sum(sums.kinds.values()) == sum(sums.tens.values()) == lost
    assert sum(points for _, points, _ in sums.by_kind()) == lost
    assert sum(points for _, points in sums.by_turn()) == lost
    charged = sum(points for _, _, points, _ in sums.by_player())
    assert charged == lost - sums.kinds["ended"]
    assert sums.optimum - sums.score == lost - (found[-1].optimum.low - found[-1].last.low)


def test_games_without_names_are_summed_by_seat() -> None:
    game = read(LOSING)
    plain = game_of(game.line(), game.deal)
    sums = Sums()
    for one in (game, plain, decode(encode(game))):
        sums.add(review(one, chance_cards=0))
    points = {name: points for name, _, points, _ in sums.by_player()}
    games = {name: games for name, games, _, _ in sums.by_player()}
    assert games == {**dict.fromkeys(game.players, 1), **{f"seat {n}": 2 for n in range(3)}}
    for seat, name in enumerate(game.players):
        assert points[f"seat {seat}"] == 2 * points[name]
    assert sum(points.values()) == sum(sums.kinds.values()) > 0
    row = review_row(review(plain, chance_cards=0), details=True)
    assert {turn["player"] for turn in row["turns"]} == {None}


# The command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory with three games, two of them in one file."""
    path = tmp_path_factory.mktemp("games")
    rows = {name: read(name).to_json() for name in (LOSING, ENDED, "p3v0s12")}
    (path / "a.json").write_text(json.dumps(rows[LOSING]), encoding="utf-8")
    lines = [json.dumps(rows[ENDED]), json.dumps(rows["p3v0s12"])]
    (path / "b.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (path / "notes.txt").write_text("no game", encoding="utf-8")
    return path


def test_a_directory_gives_json_and_csv(folder: Path, tmp_path: Path, capsys: Outputs) -> None:
    table = tmp_path / "t.csv"
    assert main(["review", str(folder), "--json", "--csv", str(table)]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    rows = [json.loads(line) for line in out.out.splitlines()]
    assert [row["score"] for row in rows] == [23, 0, 24]
    cells = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert tuple(cells[0]) == COLUMNS
    assert len(cells) == sum(len(row["turns"]) for row in rows)
    assert sum(int(cell["loss"]) for cell in cells) == 2 + 25 + 1


@pytest.mark.parametrize("details", [False, True])
def test_parquet_has_what_csv_has(
    details: bool, folder: Path, tmp_path: Path, capsys: Outputs
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    table, arrow = tmp_path / "t.csv", tmp_path / "t.parquet"
    more = ["--details"] if details else []
    code = main(["review", str(folder), *more, "--csv", str(table), "--parquet", str(arrow)])
    capsys.readouterr()
    assert code == 0
    cells = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    stored = parquet.read_table(arrow).to_pylist()
    assert [{k: "" if v is None else str(v) for k, v in row.items()} for row in stored] == cells


def test_parquet_without_pyarrow_is_told_before_any_work(
    folder: Path, capsys: Outputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["review", str(folder), "--parquet", "x.parquet"]) == 2
    out = capsys.readouterr()
    assert "hanabi-solver[parquet]" in out.err
    assert out.out == ""


def test_jobs_change_nothing(folder: Path, capsys: Outputs) -> None:
    assert main(["review", str(folder), "--json", "--details"]) == 0
    one = capsys.readouterr().out
    assert main(["review", str(folder), "--json", "--details", "--jobs", "2"]) == 0
    assert capsys.readouterr().out == one


def test_a_table_of_games_and_their_sums(folder: Path, capsys: Outputs) -> None:
    assert main(["review", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "3 games: 3 winnable, 0 with full marks" in out
    assert "hindsight loss by kind" in out
    assert "by player" in out
    assert "need not have been" in out


def test_one_game_says_where_and_what(folder: Path, capsys: Outputs) -> None:
    assert main(["review", str(folder / "a.json")]) == 0
    out = capsys.readouterr().out
    assert "Full marks were gone after turn 29: discard r4" in out
    assert "What would have kept it: seats 1 and 2 clue; seat 0 plays r3; " in out
    assert "https://hanab.live/replay-json/" in out
    assert "#29" in out
    assert "need not have been a mistake" in out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["p3v0s1"], 2, "this is a deal, not a game"),
        (["nowhere.json"], 2, "no such file"),
        (["a.json", "b.jsonl", "--svg", "x.svg"], 2, "--svg is for exactly one game"),
        (["empty"], 2, "there is no file of games"),
        (["a.json", "--csv", "nowhere/x.csv"], 2, "cannot be written"),
        (["a.json", "--nodes", "5"], 3, ""),
    ],
)
def test_faults_are_one_line(
    arguments: list[str], code: int, words: str, folder: Path, capsys: Outputs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir(exist_ok=True)
    assert main(["review", *arguments]) == code
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == bool(words)


def test_an_illegal_game_is_a_fault_and_the_rest_is_answered(
    folder: Path, tmp_path: Path, capsys: Outputs
) -> None:
    game = read(LOSING)
    wrong = replace(game, moves=(Move(0, 49), *game.moves[1:]))
    path = tmp_path / "games.jsonl"
    path.write_text(
        f"{json.dumps(wrong.to_json())}\n{json.dumps(game.to_json())}\n", encoding="utf-8"
    )
    assert main(["review", str(path), "--json"]) == 2
    out = capsys.readouterr()
    assert f"{path.name}:1: turn 1" in out.err
    assert out.err.count("\n") == 1
    assert [json.loads(line)["score"] for line in out.out.splitlines()] == [23]


def test_a_deal_of_ones_own_has_no_link() -> None:
    position = Position.from_text("rb:11111 r3,b4 b5r5/r4 - - 1/8 0/3 0 2")
    found = review_line(Line(position, (Action(Kind.PLAY, 1), Action(Kind.PLAY, 0))))
    assert found.score == 8
    assert [str(t.loss) for t in found.turns] == ["1", "0"]
    with pytest.raises(InputError):
        turn_link(found, found.turns[0])
    assert review_row(found, details=True)["kept"] == {"line": None, "link": None}


def test_mean_scores_are_written_as_in_endgames(capsys: Outputs, tmp_path: Path) -> None:
    """The same position has the same mean score in a review, on its page, and in an endgame."""
    game = read(LOSING)
    found = review(game)
    turn = next(t for t in found.turns if t.mean is not None and t.mean.best.denominator > 1)
    assert turn.mean is not None
    path = tmp_path / "game.txt"
    path.write_text(encode(game) + "\n", encoding="utf-8")
    assert main(["review", str(path)]) == 0
    row = capsys.readouterr().out.splitlines()[turn.number]
    assert main(["endgame", str(path), "--turn", str(turn.number), "--objective", "score"]) == 0
    lines = capsys.readouterr().out.splitlines()
    best = lines[next(n for n, line in enumerate(lines) if line.startswith("action")) + 1].split()[
        -1
    ]
    assert best == f"{float(turn.mean.best):.3f}"
    assert best in row.split()
    assert f'"mean":["{best}"' in review_page([found])
