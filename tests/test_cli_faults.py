"""What the command ``hanabi`` refuses, where it says that the fault is, and that it goes on."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from solver.command.cli import main
from solver.formats.hanablive import deal_of_seed
from solver.formats.inputs import LARGEST, LONGEST_LINE, parse_json
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.result import Limits
from solver.game.wording import amount
from solver.reading.specs import deals, games
from solver.solving.choice import solve
from solver.tables.rows import solve_row

POSITION = "rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2"
BLIND = "rb:32221 r0,b0 xxb5/r5r1 ?r2r3r4b1b2b3b4 - 8/8 0/3 0 -"
SEED = deal_of_seed("p2v0s1")
DECK = SEED.text()
ROW = json.dumps({"name": "good", "players": 2, "deck": DECK})
Outputs = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def faults(*arguments: str, capsys: Outputs) -> list[str]:
    """Give the lines on standard error of a call that must end with 2."""
    assert main(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("hanabi: ") for line in lines)
    return [line.removeprefix("hanabi: ") for line in lines]


def fault(*arguments: str, capsys: Outputs) -> str:
    (line,) = faults(*arguments, capsys=capsys)
    return line


def give(text: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put text on standard input."""
    data = text if isinstance(text, bytes) else text.encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


# Positions among deals


@pytest.mark.parametrize("more", [["deck"], ["convert", "--to", "deck"]])
def test_a_position_is_no_deal(more: list[str], capsys: Outputs) -> None:
    command, *options = more
    assert main([command, "p2v0s1", f"pos:{POSITION}", "p3v0s1", *options]) == 2
    outputs = capsys.readouterr()
    assert outputs.err == "hanabi: position: this is a position, not a deal\n"
    assert main([command, "p2v0s1", "p3v0s1", *options]) == 0
    assert outputs.out == capsys.readouterr().out


def test_positions_in_lists(capsys: Outputs) -> None:
    Path("list").write_text(f"p2v0s1\npos:{POSITION}\npos:{BLIND}\n")
    assert main(["solve", "list", "--json"]) == 2
    outputs = capsys.readouterr()
    names = [json.loads(line)["name"] for line in outputs.out.splitlines()]
    assert names == ["p2v0s1", POSITION]
    assert outputs.err.startswith("hanabi: list:3: ")
    for command in ("deck", "replay"):
        lines = faults(command, "list", capsys=capsys)
        assert any(line.startswith("list:2: this is a position, not a ") for line in lines)


def test_rows_of_positions_cannot_be_replayed(
    capsys: Outputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["solve", "--json", "--position", POSITION]) == 0
    give(capsys.readouterr().out, monkeypatch)
    assert fault("replay", "-", capsys=capsys) == (
        "standard input: this answer has no link, and so no deal and no game: "
        "a position has no link"
    )


# Places


def test_several_positions_are_numbered(capsys: Outputs) -> None:
    bad = POSITION.replace("r5 ", "r6 ")
    options = [word for text in (POSITION, bad, BLIND) for word in ("--position", text)]
    first, second = faults("solve", *options, capsys=capsys)
    assert first.startswith("position 2: ")
    assert second.startswith("position 3: ")
    assert fault("solve", "--position", BLIND, capsys=capsys).startswith("position: ")


def test_every_command_says_where(capsys: Outputs) -> None:
    game = {
        "players": ["a", "b"], "seed": "p2v0s1",
        "actions": [{"type": 0, "target": 0}, {"type": 1, "target": 0}],
    }  # fmt: skip
    Path("games.jsonl").write_text(f"{json.dumps(game)}\n{{}}\n{json.dumps(game)}\n")
    lines = faults("replay", "games.jsonl", capsys=capsys)
    assert [line.split(": ")[0] for line in lines] == [f"games.jsonl:{n}" for n in (1, 2, 3)]
    assert "turn 2" in lines[0]
    own = {"name": "own", "players": 2, "deck": "r1r2r3r4r5" * 3}
    Path("deals.jsonl").write_text(f"{ROW}\n{json.dumps(own)}\n")
    line = fault("convert", "--to", "link", "deals.jsonl", capsys=capsys)
    assert line.startswith("deals.jsonl:2: a share link needs a variant")
    Path("deals.jsonl").write_text(f"{ROW}\n{json.dumps({**own, 'players': 9})}\n")
    for words in (["solve"], ["explain"], ["convert", "--to", "link"], ["deck"]):
        line = fault(*words, "deals.jsonl", capsys=capsys)
        assert line == "deals.jsonl:2: players is 9, not 2 to 6"


def test_the_reason_is_never_cut_away(capsys: Outputs) -> None:
    folder = Path("x" * 200) / ("y" * 200) / ("z" * 200)
    folder.mkdir(parents=True)
    file = folder / "deals.csv"
    file.write_text(f"name,players,deck\n{'n' * 3000},9,{DECK}\n")
    line = fault("solve", str(file), capsys=capsys)
    assert line.endswith("/deals.csv:2: players is 9, not 2 to 6")
    assert fault("verify", str(folder / "nothing"), capsys=capsys).endswith("file or directory")
    assert fault("solve", "z" * 5000, capsys=capsys).endswith("position or deck string")


@pytest.mark.parametrize("text", [b"", b"\xff", b"[]", b"{", b"name,players\n", b"nope"])
def test_standard_input_has_one_name(
    text: bytes, capsys: Outputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in ("solve", "deck", "replay"):
        give(text, monkeypatch)
        assert fault(command, "-", capsys=capsys).startswith("standard input")


# Contradictions


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["p2v0s1", "--players", "3"], "--players is 3, and this is for 2"),
        (["python:p2c1s0-9", "--players", "3"], "--players is 3, and this is for 2"),
        ([f"pos:{POSITION}", "--players", "3"], "--players is 3, and this is for 2"),
        (["p2v0s1", "--variant", "6 Suits"], "--variant is 6 Suits, and this is No Variant"),
        (["p2v0s1", "--variant", "nope"], "variant 'nope' is not known"),
        (["--position", POSITION, "--variant", "nope"], "variant 'nope' is not known"),
        (["--position", POSITION, "--players", "7"], "--players is 7, not 2 to 6"),
    ],
)
def test_options_that_contradict(arguments: list[str], part: str, capsys: Outputs) -> None:
    assert part in fault("solve", *arguments, capsys=capsys)


def test_options_that_agree(capsys: Outputs) -> None:
    assert main(["deck", "p2v0s1", "python:p2c1s0", "--players", "2", "--variant", "0"]) == 0
    Path("list").write_text("p3v0s1\n" + DECK)  # for rows the option says what they leave open
    assert main(["deck", "list", "--players", "2"]) == 0


def test_a_seed_that_is_not_the_deck_s(capsys: Outputs) -> None:
    other = [{"suitIndex": card.suit, "rank": card.rank} for card in deal_of_seed("p2v0s2").deck]
    game: dict[str, Any] = {"players": ["a", "b"], "deck": other, "actions": []}
    Path("game.json").write_text(json.dumps({**game, "seed": "p2v0s1"}))
    assert fault("deck", "game.json", capsys=capsys) == "game.json: deck: it is not the seed's"
    for seed in ("p2v0s2", "my own", "p2v99999s1", ""):
        Path("game.json").write_text(json.dumps({**game, "seed": seed}))
        assert main(["deck", "game.json"]) == 0


def test_a_deal_that_only_has_the_name_of_a_seed() -> None:
    from solver.tables.rows import made_game

    deal = Deal(SEED.rules, SEED.deck[::-1], "p2v0s1", "No Variant")
    assert made_game(deal, solve(deal)).seed == ""
    assert made_game(SEED, solve(SEED)).seed == "p2v0s1"


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"x": {"a": 1, "b": 2, "a": 3}}]'])
def test_keys_that_occur_twice(text: str) -> None:
    with pytest.raises(InputError, match="the key 'a' occurs twice"):
        parse_json(text)


def test_rows_and_columns_that_occur_twice(capsys: Outputs) -> None:
    double = '{"players":3,' + ROW[1:]
    for name in ("rows.jsonl", "rows"):
        Path(name).write_text(f"{double}\n{ROW}\n")
        assert main(["deck", name, "--json"]) == 2
        outputs = capsys.readouterr()
        assert outputs.err == f"hanabi: {name}:1: JSON: the key 'players' occurs twice\n"
        assert json.loads(outputs.out)["name"] == "good"
    Path("deals.csv").write_text(f"name,players,deck,Players\na,2,{DECK},3\n")
    assert fault("deck", "deals.csv", capsys=capsys) == (
        "deals.csv: the header has the column players twice"
    )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rb:32221 r1,b4 b5r2/r5 - r1r1r1 0/8 0/3 0 2", "r1 occurs 4 times, once on its stack"),
        ("rb:11111 r3,b4 r4b5/r5r2 - - 0/8 0/3 0 2", "r2 occurs 2 times, once on its stack"),
        ("rb:32221 r1,b4 b5r2/r5r1 ?r1r1 - 0/8 0/3 0 -", "r1 occurs 4 times, once on its stack"),
    ],
)
def test_more_cards_than_the_deck_has(text: str, part: str) -> None:
    with pytest.raises(InputError, match=part):
        Position.from_text(text)


# Nothing asked, nothing found


@pytest.mark.parametrize("text", ["[]", "[ ]\n", "name,players,deck\n", "\n name,players,deck"])
@pytest.mark.parametrize("name", ["rows.json", "rows.csv", "rows", "-"])
def test_no_deals(name: str, text: str, capsys: Outputs, monkeypatch: pytest.MonkeyPatch) -> None:
    if name.endswith(("json", "csv")) and ("[" in text) != name.endswith("json"):
        return
    give(text, monkeypatch)
    Path("rows" if name == "-" else name).write_text(text)
    place = "standard input" if name == "-" else name
    for command in ("solve", "deck", "replay", "explain"):
        give(text, monkeypatch)
        assert fault(command, name, capsys=capsys) == f"{place}: this holds no deals"


@pytest.mark.parametrize("words", [["convert", "--to", "deck"], ["solve"], ["deck"], ["replay"]])
def test_no_spec(words: list[str], capsys: Outputs) -> None:
    assert "SPEC" in fault(*words, capsys=capsys)


# Sizes


def test_long_decks_and_rows(capsys: Outputs) -> None:
    assert "more than 1,200" in fault("deck", "r1" * 700, "--players", "2", capsys=capsys)
    blanks = " " * (LONGEST_LINE + 1)
    Path("rows.jsonl").write_text(f"{blanks}{{}}\n{ROW}\n")
    Path("rows").write_text(f"{'x' * len(blanks)}\np2v0s1\n")
    wide = [["name", "players", "deck"], ["x" * 60_000] * 3, ["good", "2", DECK]]
    table = [[*row, *([row[0] * (row[0][0] == "x")] * 20)] for row in wide]
    Path("rows.csv").write_text("\n".join(map(",".join, table)))
    for name, row in (("rows.jsonl", 1), ("rows", 1), ("rows.csv", 2)):
        assert main(["deck", name, "--json"]) == 2
        outputs = capsys.readouterr()
        assert outputs.err == f"hanabi: {name}:{row}: this row has more than 1,048,576 characters\n"
        assert len(outputs.out.splitlines()) == 1


def test_large_input(capsys: Outputs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.formats.inputs.LARGEST", 2 * LARGEST >> 6)
    data = b" " * (3 << 20)
    give(data, monkeypatch)
    Path("large").write_bytes(data)
    assert fault("deck", "-", capsys=capsys) == "standard input: this has more than 2 MiB"
    assert fault("deck", "large", capsys=capsys) == "large: this has more than 2 MiB"


# Words


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([DECK.replace("r4", "r6", 1)], "deck: card 4 is r6, and most suits have no such rank"),
        ([DECK.replace("r4", "x4", 1)], "deck: card 4 is x4, and the suits are rygbp"),
        ([DECK.replace("r4", "4r", 1)], "deck: card 4 is '4r'"),
        ([DECK.replace("b5", "5b", 1)], "deck: card 1 is '5b'"),
        ([DECK.replace("r4", "x4", 1), "--variant", "0"], "card 4 is x4"),
        ([DECK.replace("r4", "r6", 1), "--variant", "0"], "card 4 is 'r6'"),
        (["p7v0s1"], "7 players, not 2 to 6"),
        (["p3v0s"], "nothing stands after the s"),
        (["p3v01s1"], "the number of the variant, 01, begins with a zero"),
        (["p3v0s1_"], "'_' stands after the s"),
        (["https://hanab"], "a link that is cut off"),
        (["hanab.live/repl"], "a link that is cut off"),
        (["p2v0s1", "--nodes", "9" * 30], "not 1 to 4611686018427387903"),
        (["p2v0s1", "--seconds", "inf"], "not a finite number above 0"),
    ],
)
def test_words(arguments: list[str], part: str, capsys: Outputs) -> None:
    players = [] if arguments[0].startswith("p") and "v0" in arguments[0] else ["--players", "2"]
    assert part in fault("solve", *arguments, *players, capsys=capsys)


def test_cards_of_games_are_words(capsys: Outputs) -> None:
    deck: list[dict[str, int]] = [{"suitIndex": card.suit, "rank": card.rank} for card in SEED.deck]
    deck[3]["rank"] = 6
    game = {"players": ["a", "b"], "deck": deck, "options": {"variant": "No Variant"}}
    Path("game.json").write_text(json.dumps(game))
    assert fault("deck", "game.json", capsys=capsys) == (
        "game.json: deck: card 4 is r6: no card of this game"
    )


@pytest.mark.parametrize(("target", "nodes", "reached"), [(25, None, True), (20, None, True)])
def test_rows_say_whether_the_target_is_reached(
    target: int, nodes: int | None, reached: bool | None, capsys: Outputs
) -> None:
    assert main(["solve", "p2v0s1", "--json", "--target", str(target)]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["target"], row["reached"]) == (target, reached)


def test_an_open_target() -> None:
    from solver.game.line import Line
    from solver.game.result import Result

    result = Result(20, 25, Line(Position.start(SEED), ()), "none", 1, 0.0, "nodes")
    assert solve_row(SEED, result, 24)["reached"] is None
    assert "reached" not in solve_row(SEED, result)


def test_other_letters_have_a_line_and_a_link(capsys: Outputs) -> None:
    Path("d.csv").write_text(f"name,players,deck,variant\na,2,{DECK.replace('p', 'k')},0\n")
    assert main(["solve", "d.csv", "p2v0s1", "--json"]) == 0
    other, usual = map(json.loads, capsys.readouterr().out.splitlines())
    assert (other["line"], other["link"]) == (usual["line"], usual["link"])


def test_a_link_that_fails_takes_no_line_along(monkeypatch: pytest.MonkeyPatch) -> None:

    def fails(*_: object) -> str:
        raise InputError("no room")

    monkeypatch.setattr("solver.tables.rows.made_game", fails)
    row = solve_row(SEED, solve(SEED))
    assert (row["link"], row["reason"]) == (None, "no room")
    assert len(row["line"]) > 20


def test_positions_are_neither_deals_nor_games() -> None:
    for reader in (deals, games):
        (found,) = reader(f"pos:{POSITION}")
        assert "position: this is a position, not a " in str(found)


# Many faults, several answers


@pytest.mark.parametrize("command", [["solve"], ["deck"], ["replay"], ["review"], ["explain"]])
def test_the_faults_of_a_file_are_capped(command: list[str], capsys: Outputs) -> None:
    Path("rows.jsonl").write_text('{"name": "x"}\n' * 40)
    assert main([*command, "rows.jsonl"]) == 2
    out, err = capsys.readouterr()
    assert out == ""  # no table without a row, and no sum over nothing
    *shown, last = err.splitlines()
    assert [line.split(": ")[1] for line in shown] == [f"rows.jsonl:{n}" for n in range(1, 6)]
    assert last == "hanabi: rows.jsonl: and 35 more faults"


def test_a_cap_is_for_one_file_and_hides_no_answer(capsys: Outputs) -> None:
    Path("folder").mkdir()
    for name in ("a", "b"):
        Path(f"folder/{name}.jsonl").write_text("{}\n" * 7)
    lines = faults("review", "folder", capsys=capsys)
    assert [line for line in lines if "more faults" in line] == [
        f"folder/{name}.jsonl: and 2 more faults" for name in ("a", "b")
    ]
    Path("rows.jsonl").write_text("{}\n" * 9 + ROW + "\n")
    assert main(["deck", "rows.jsonl", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["name"] == "good"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--edition", "standard", "--multicolour", "10"], "--multicolour 10 is 6 Suits, and this"),
        (["--black-powder"], "--black-powder is White Reversed (6 Suits), and this is No Variant"),
        (["--multicolour", "5", "--every-colour"], "--multicolour 5 --every-colour is Dark Rainb"),
    ],
)
def test_contradictions_name_what_was_given(
    arguments: list[str], part: str, capsys: Outputs
) -> None:
    for command in ("solve", "deck"):
        assert part in fault(command, "p2v0s1", *arguments, capsys=capsys)


def test_several_games_in_one_json_file_are_read_again(capsys: Outputs) -> None:
    assert main(["convert", "p2v0s1", "p3v0s1", "--to", "json", "-o", "two.json"]) == 0
    assert len(json.loads(Path("two.json").read_text())) == 2
    assert main(["convert", "p2v0s1", "p3v0s1", "--to", "json"]) == 0
    Path("lines.json").write_text(capsys.readouterr().out)
    for name in ("two.json", "lines.json"):
        assert main(["deck", name, "--json"]) == 0
        decks = [json.loads(line)["deck"] for line in capsys.readouterr().out.splitlines()]
        assert decks == [DECK, deal_of_seed("p3v0s1").text()]


def test_what_a_limit_left_open_is_no_share(capsys: Outputs) -> None:
    few = ["--engine", "search", "--nodes", "1"]
    assert main(["solve", "p2v0s1", "p2v0s1", *few]) == 3
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("2 deals: 0 are winnable (0.00% to 100.00%), 0 are not, 2 unknown;")


def test_a_target_above_full_marks_is_refused_as_in_endgames(capsys: Outputs) -> None:
    assert fault("solve", "p2v0s1", "--target", "26", capsys=capsys) == (
        "p2v0s1: target is 26, not 0 to 25"
    )
    with pytest.raises(InputError, match="target is 26, not 0 to 25"):
        solve(SEED, Limits(target=26))
    assert main(["solve", "p2v0s1", "p2v1s1", "--target", "30"]) == 2  # the second has six suits
    out, err = capsys.readouterr()
    assert err == "hanabi: p2v0s1: target is 30, not 0 to 25\n"
    assert out.splitlines()[-1].startswith("1 deal: 1 reach 30")


def test_one_thing_is_not_many() -> None:
    with pytest.raises(InputError, match="r5 occurs 2 times, and there is only 1"):
        Position.from_text("rb:11111 r3,b4 r4b5/r5r5 - - 0/8 0/3 0 2")
    last = Position.from_text("rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 1")
    assert str(last).endswith(", 1 turn left")
    assert (amount(1, "turn"), amount(0, "turn"), amount(1234, "turn")) == (
        "1 turn", "0 turns", "1,234 turns",
    )  # fmt: skip


# Games


def test_several_games_are_a_row_each(capsys: Outputs) -> None:
    assert main(["solve", "p3v0s1", "p2v0s1", "--json"]) == 0
    Path("rows.jsonl").write_text(capsys.readouterr().out)
    assert main(["replay", "rows.jsonl"]) == 0
    head, *table, total = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["game", "players", "score"]
    assert [line.split()[:3] for line in table] == [
        ["rows.jsonl:1", "3", "25"], ["rows.jsonl:2", "2", "25"],
    ]  # fmt: skip
    assert total == "2 games: 0 unfinished; mean score 25.00"
    assert main(["replay", "rows.jsonl", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["name"], row["place"]) for row in found] == [
        ("p3v0s1", "rows.jsonl:1"), ("p2v0s1", "rows.jsonl:2"),
    ]  # fmt: skip


def test_a_log_without_a_full_round_takes_players(capsys: Outputs) -> None:
    move = {"action_type": "PLAY", "card_index": 0}
    Path("one.log").write_text(f"hle:7\nAgent: 0 action: {move}\n")
    Path("one.json").write_text(json.dumps({"deal": "hle:7", "moves": [move]}))
    assert "is not known (--players)" in fault("replay", "one.log", capsys=capsys)
    assert "players is missing" in fault("replay", "one.json", capsys=capsys)
    for name in ("one.log", "one.json"):
        assert main(["replay", name, "--players", "3", "--json"]) == 0
        row = json.loads(capsys.readouterr().out)
        assert (row["turns"], row["score"]) == (1, None)


def test_names_of_python_s_shuffle(capsys: Outputs) -> None:
    assert "is python:p2c1s129" in fault("solve", "p2c1s129", capsys=capsys)
    names = []
    for spec in ("python:p2v0s1", "p2v0s1"):  # two decks, and so two names
        assert main(["deck", spec, "--json"]) == 0
        names.append(json.loads(capsys.readouterr().out)["name"])
    assert names == ["python:p2v0s1", "p2v0s1"]


@pytest.mark.parametrize(
    ("words", "option", "form"),
    [
        (("solve", "p2v0s1"), "--svg", "svg"),
        (("review", "p2v0s1"), "--svg", "svg"),
        (("review", "p2v0s1"), "--html", "html"),
        (("review", "p2v0s1"), "--csv", "csv"),
        (("review", "p2v0s1"), "--parquet", "parquet"),
        (("endgame", "r:11 r0 r1/r2 - - 0/8 0/3 0 2"), "--svg", "svg"),
        (("bound", "p2v0s1"), "--games", "csv"),
        (("puzzle", "generate", "--players", "2"), "--csv", "csv"),
        (("puzzle", "page", "none.jsonl"), "--output", "html"),
        (("report", "none"), "--svg", "svg"),
    ],
)
def test_a_file_has_no_other_format(
    words: Sequence[str], option: str, form: str, capsys: Outputs
) -> None:
    line = fault(*words, option, "x.png", capsys=capsys)
    assert line == f"x.png: this is written as .{form}, not as .png"
    assert not Path("x.png").exists()
