"""Puzzles: what is rejected, what is the same, and that equal arguments give equal puzzles."""

from __future__ import annotations

import csv
import io
import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute_endgame as plain
from played import DATA
from solver.canonical import canonical
from solver.card import Card
from solver.cli import main
from solver.endgame import analyse, useless_faces
from solver.errors import InputError
from solver.generate import Wanted, digest, generate, self_play
from solver.line import Line
from solver.position import Action, Kind, Position
from solver.positionfile import read
from solver.puzzle_file import opened
from solver.puzzle_rows import CSV_HEAD, Item, Wrong, csv_text, item, puzzle_row, verified
from solver.puzzles import PuzzleReport, choice_named, choice_words, examine
from solver.result import Limits
from solver.themes import THEMES, themes
from solver.tightness import pace
from strategies import brute_game, brute_state

PUZZLES = Path(__file__).parent.parent / "puzzles"
COLLECTION = [
    line
    for name in ("collection", "published")
    if (PUZZLES / f"{name}.jsonl").exists()
    for line in (PUZZLES / f"{name}.jsonl").read_text().splitlines()
]
CASES = {
    row["id"]: row
    for row in map(json.loads, (DATA / "endgame_cases.jsonl").read_text().splitlines())
}
Outputs = pytest.CaptureFixture[str]


def case(name: str) -> Position:
    return read(CASES[name], name)


def at(text: str, model: str = "open") -> PuzzleReport:
    return examine(Position.from_text(text), model)


def sample(number: int, players: int = 3, deck: int = 5, model: str = "open") -> Position:
    """Give one of the positions that self-play comes to."""
    wanted = Wanted(players, deck, model=model)
    found = (self_play(wanted, random.Random(f"{number} {n}")) for n in range(100))
    return next(position for position in found if position is not None)


# What a puzzle is


def test_published_puzzle_passes() -> None:
    report = examine(case("clueless-0-puff-ups"))
    assert report.faults() == []
    assert report.moves == ("discard useless",)
    assert (report.value, report.second) == (Fraction(1, 2), Fraction(0))
    assert report.tight
    assert report.greedy_rank == 0 == report.trap_loss
    words = [step.before.describe(step.action) for step in report.line]
    assert words[1:] == ["clue", "play r2", "play r3", "play r4", "play r5", "play w5"]


def test_two_equal_first_moves_are_rejected() -> None:
    """The faulty first version of a published puzzle: playing and discarding are equally good."""
    report = examine(case("hgroup-l8-3-cards-left-OLD-4-left"))
    assert not report.unique
    assert len(report.moves) > 1
    assert "equally good" in report.faults()[0]
    assert themes(report) == []


def test_thin_margin_is_rejected() -> None:
    report = examine(case("clueless-1-fives-win-this"))
    assert report.unique
    assert report.faults() == ["the margin is 1/180, less than 1/4"]
    assert report.faults(Fraction(1, 180)) == []


def test_what_one_token_more_leaves_is_rejected() -> None:
    """Seat 0 holds r4 and must play it now; tokens do not come into it."""
    report = at("rygbp:32221 r3,y5,g5,b5,p5 ktktktktr4/ktktktktr5 ?kt - 2/8 0/3 0 -")
    assert not report.twins["token-more"]
    assert not report.tight
    assert any("token-more" in fault for fault in report.faults()) or not report.unique


def test_lost_positions_are_no_puzzles() -> None:
    report = examine(case("rule-nothing-on-top-of-bottom-card"))
    assert report.faults() == ["it cannot be won"]
    assert not report.unique


@pytest.mark.parametrize("model", ["open", "known"])
@pytest.mark.parametrize("number", range(8))
def test_report_agrees_with_the_engine(number: int, model: str) -> None:
    position = sample(number, players=2 + number % 4, deck=4, model=model)
    report = examine(position, model)
    values = [choice.high for choice in analyse(position, model).choices]
    assert report.value == max(values)
    assert report.unique == (values.count(max(values)) == 1 and max(values) > 0)
    assert report.margin == values[0] - values[1]
    assert report.trap_loss == report.value - report.greedy.high >= 0
    more = replace(position, clues=position.clues + 1)
    changed = (examine(more, model).moves, examine(more, model).value)
    assert report.twins["token-more"] == (changed != (report.moves, report.value))
    assert report.twins.keys() >= {"token-more", "useless-more"}
    assert ("token-less" in report.twins) == (position.clues > 0)


@pytest.mark.parametrize("model", ["open", "known"])
@pytest.mark.parametrize("number", range(4))
def test_the_main_line_is_best_play(number: int, model: str) -> None:
    report = examine(sample(number, players=5 - number, deck=3, model=model), model)
    before = report.position
    for step in report.line:
        assert step.before == before
        verdict = analyse(before, model)
        assert any(step.action in choice.actions for choice in verdict.best)
        assert step.matters == (verdict.choices[-1].high < verdict.high)
        drawn = None if before.ordered else step.drawn
        assert before.after(step.action, drawn) == step.after
        before = step.after
    assert not report.line or report.line[-1].matters
    assert report.depth == len(report.line)


def test_greedy_move() -> None:
    text = "rygbp:32221 r3,y2,g5,b5,p5 {}/r5y5kt ?r1y4 - {}/8 0/3 0 -"
    lowest = at(text.format("r4y3kt", 1))
    assert lowest.greedy.actions[0].slot == 1
    discard = at(text.format("y5ktr5", 1).replace("r5y5kt", "r4y3kt"))
    assert discard.greedy.actions[0][:] == (Kind.DISCARD, 1)
    clue = at(text.format("y5ktr5", 8).replace("r5y5kt", "r4y3kt"))
    assert clue.greedy.actions[0].kind is Kind.CLUE


def test_hidden_forgets_the_movers_hand() -> None:
    report = examine(case("issue-1064-2p"), "hidden")
    assert "xx" in report.position.text()
    assert report.value == Fraction(1)
    assert report.line == ()


def test_answers_in_words() -> None:
    verdict = examine(case("clueless-1-fives-win-this")).verdict
    best = verdict.choices[0]
    for words in ("play g5", " PLAY  G5\n", "p g5"):
        assert choice_named(verdict, words) is best
    for words in ("", "play", "play r5", "clue", "g5", "discard useless", "play xx"):
        assert choice_named(verdict, words) is None
    verdict = examine(case("clueless-0-puff-ups")).verdict
    named = {choice_named(verdict, f"discard {what}") for what in ("w1", "trash", "useless")}
    assert named == {verdict.choices[0]}


# Canonical form


def relabelled(position: Position, suits: list[int], turn: int) -> Position:
    """Permute the suits and rotate the seats."""

    def cards(found: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(suits[c.suit], c.rank) if c.is_face else c for c in found)

    players = position.rules.players
    stacks = [0] * len(suits)
    for suit, state in enumerate(position.stacks):
        stacks[suits[suit]] = state
    hands = [cards(hand) for hand in position.hands]
    pile = cards(position.pile)
    return replace(
        position,
        stacks=tuple(stacks),
        hands=tuple(hands[(seat - turn) % players] for seat in range(players)),
        pile=pile if position.ordered else tuple(sorted(pile)),
        discards=tuple(sorted(cards(position.discards))),
        seat=(position.seat + turn) % players,
    )


@settings(max_examples=25)
@given(
    st.integers(0, 30), st.integers(2, 5), st.sampled_from(["open", "known"]),
    st.permutations(range(5)), st.integers(0, 4), st.randoms(use_true_random=False),
)  # fmt: skip
def test_canonical_form_ignores_names(
    number: int, players: int, model: str, suits: list[int], turn: int, dice: random.Random
) -> None:
    position = sample(number, players, 3, model)
    other = relabelled(position, suits, turn % players)
    hands = tuple(tuple(dice.sample(hand, len(hand))) for hand in other.hands)
    other = replace(other, hands=hands)
    one, two = examine(position, model), examine(other, model)
    assert one.canonical == two.canonical
    assert one.puzzle_id == two.puzzle_id
    assert (one.value, one.second, one.tight) == (two.value, two.second, two.tight)
    by_line = {"token-from-5", "discard-for-token"}  # ties on the main line go by the cards' order
    assert set(themes(one)) - by_line == set(themes(two)) - by_line


def test_canonical_form_collapses_useless_cards() -> None:
    text = "rygbp:32221 r3,y5,g5,b5,p5 {}y1r4/y2g1r5 ?{} - 1/8 0/3 0 -"
    forms = set()
    for card, drawn in (("r1", "b1"), ("g2", "kt"), ("p5", "y3")):
        position = Position.from_text(text.format(card, drawn))
        forms.add(canonical(position, useless_faces(position)))
    assert len(forms) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda p: replace(p, clues=p.clues + 1),
        lambda p: replace(p, strikes=1),
        lambda p: replace(p, seat=(p.seat + 1) % p.rules.players),
        lambda p: replace(p, pile=p.pile[1:]),
        lambda p: replace(p, hands=(p.hands[1], p.hands[0], *p.hands[2:])),
    ],
)
def test_canonical_form_tells_what_counts(change: Any) -> None:
    text = "rygbp:32221 r3,y4,g5,b5,p5 r4y5kt/r5y1kt/ktktkt ?r1kt - 1/8 0/3 0 -"
    position = Position.from_text(text)
    other = change(position)
    assert canonical(position, useless_faces(position)) != canonical(other, useless_faces(other))


# Themes

RIGHT_PERSON = "rygbp:32221 r4,y4,g4,b5,p4 b4g5g4p5r2/y4g2p1r5g3/y5y2y1r4b3 ?p4 - 1/8 0/3 2 -"
BURN = "rb:32221 r3,b3 ktkt/b5r5 ?b4r4ktkt - 1/1 0/3 0 -"
SACRIFICE = "rb:32221 r2,b3 r5r4/b5r4 ?ktktr3b4b4 - 0/8 0/3 0 -"
EXAMPLES = {
    "only-win": (BURN, SACRIFICE, RIGHT_PERSON),
    "trap": (BURN, RIGHT_PERSON, case("clueless-1-fives-win-this").text()),
    "stall": (RIGHT_PERSON,),
    "discard-for-token": (case("clueless-0-puff-ups").text(),),
    "token-from-5": (case("clueless-1-fives-win-this").text(),),
    "order-of-two-playables": (case("clueless-1-fives-win-this").text(),),
    "right-person-draws": (RIGHT_PERSON,),
    "void-player": (case("clueless-0-puff-ups").text(), BURN),
    "pace-0": (case("clueless-1-fives-win-this").text(),),
    "bottom-deck-risk": (case("clueless-2-a-big-fuel-vessel").text(), BURN),
    "sole-holder": ("rb:32221 r3,b5 r4r5/ktkt ?ktkt - 0/8 0/3 0 -",),
    "sacrifice": (SACRIFICE,),
    "last-round": (case("rule-last-card-order").text(),),
    "misplay-burn": (BURN,),
}


@pytest.mark.parametrize("name", THEMES)
def test_theme_of_handmade_positions(name: str) -> None:
    for text in EXAMPLES[name]:
        assert name in themes(at(text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("only-win", "rb:32221 r3,b4 r5r4/ktr4 ?b4b5 - 0/8 0/3 0 -"),
        ("trap", case("clueless-0-puff-ups").text()),
        ("stall", BURN),
        ("discard-for-token", SACRIFICE.replace(" 0/8", " 1/8")),
        ("token-from-5", BURN),
        ("order-of-two-playables", RIGHT_PERSON),
        ("right-person-draws", BURN),
        ("void-player", SACRIFICE),
        ("pace-0", BURN),
        ("bottom-deck-risk", RIGHT_PERSON),
        ("sole-holder", SACRIFICE),
        ("sole-holder", BURN),
        ("sacrifice", case("clueless-0-puff-ups").text()),
        ("last-round", RIGHT_PERSON),
        ("misplay-burn", SACRIFICE),
    ],
)
def test_theme_that_a_position_has_not(name: str, text: str) -> None:
    assert name not in themes(at(text))


def test_pace() -> None:
    assert pace(case("clueless-1-fives-win-this")) == 0
    assert pace(Position.from_text(BURN)) == 2
    assert pace(Position.from_text("rb:32221 r3,b4 r4/r5 - - 0/8 0/3 0 2")) == -1


def test_nearly_every_theme_occurs_in_the_collection() -> None:
    found = {name for line in COLLECTION for name in json.loads(line)["themes"]}
    assert found >= set(THEMES) - {"misplay-burn"}


# Generating


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


def test_games_keep_their_tokens() -> None:
    wanted = Wanted(3, 5, tokens=None, margin=Fraction(0), tight=False, games="these")
    line = Line(Position.from_text(SACRIFICE), ())
    assert next(generate(replace(wanted, deck=5), games=[line])).report.position == line.start
    assert list(generate(replace(wanted, deck=4), games=[line])) == []
    assert digest([line]) != digest([line, line])


def test_a_limit_is_not_an_answer(
    capsys: Outputs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_text(COLLECTION[30])
    monkeypatch.setattr("solver.puzzles.LIMITS", Limits(nodes=1))
    for arguments in (["check", str(file)], ["show", str(file)]):
        assert main(["puzzle", *arguments]) == 3
        assert "too hard" in capsys.readouterr().err
    assert list(generate(Wanted(5, 5), patience=3)) == []


# The commands

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


# The collection


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


def test_a_puzzle_with_two_answers_is_wrong() -> None:
    position = case("hgroup-l8-3-cards-left-OLD-4-left")
    row = puzzle_row(examine(position))
    with pytest.raises(Wrong, match="equally good"):
        verified(Item("here", position, row))


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
