"""Deal specs: every source and file, the suits of nameless decks, and bad rows among good ones."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from played import DATA, ROWS
from solver.decks.sources import Source
from solver.formats.composition import read_deck, suits_of
from solver.formats.hanablive import Game, deal_of_seed
from solver.formats.link import encode
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.rules import Rules
from solver.reading.specs import SOURCES, Fault, deals, games, read

GOLDEN = DATA / "golden_optima.csv"
ROW = next(csv.DictReader(io.StringIO(GOLDEN.read_text())))
DECK = ROW["deck"]
SEED = deal_of_seed("p3v0s1")


def one(spec: str, players: int | None = None, variant: str | None = None) -> Deal:
    """Give the one deal of a spec."""
    (found,) = deals(spec, players, variant)
    assert isinstance(found, Deal), found
    return found


def fault(spec: str, players: int | None = None, variant: str | None = None) -> str:
    """Give the one fault of a spec."""
    (found,) = deals(spec, players, variant)
    assert isinstance(found, Fault), found
    assert "\n" not in found.message
    return found.message


def kinds(spec: str, players: int | None = None) -> list[str]:
    """Give the names of the deals, and the faults as they are."""
    return [
        found.name if isinstance(found, Deal) else found.message for found in deals(spec, players)
    ]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a function that writes a file; its name is then a spec."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, content: str | bytes) -> str:
        data = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(data)
        return name

    return written


@pytest.mark.slow
def test_golden_decks_are_python_s_own() -> None:
    """Every row of the golden file is also what the source ``python`` makes."""
    rows = list(csv.DictReader(io.StringIO(GOLDEN.read_text())))
    found = list(deals(str(GOLDEN)))
    assert len(rows) == len(found) == 1727
    labels = {
        ("5", "0"): "No Variant",
        ("5", "1"): "Black (5 Suits)",
        ("6", "0"): "6 Suits",
        ("6", "1"): "Black (6 Suits)",
    }
    for row, deal in zip(rows, found, strict=True):
        assert isinstance(deal, Deal)
        label = labels[row["suits"], row["one_of_each"]]
        assert (deal.name, deal.text(), deal.variant) == (row["name"], row["deck"], label)
        made = one(f"python:{row['name']}", None, label)
        assert (made, made.name, made.variant) == (deal, deal.name, label)


def test_ranges() -> None:
    names = [str(deal) for deal in deals("python:p4c1s9-11")]
    assert names == ["p4c1s9", "p4c1s10", "p4c1s11"]
    deck = Rules.standard(2).sorted_deck()
    random.Random(7).shuffle(deck)
    deal = one("random:7", 2)
    assert (deal.deck, deal.name, deal.variant) == (tuple(deck), "random:7", "No Variant")
    assert one("random:7", 2, "6 Suits").rules == Rules.standard(2, "rygbpt")
    assert next(deals("random:0-999999999", 2))


def test_seeds_and_links() -> None:
    assert one("p3v0s1") == one(" p3v0s1\n") == SEED
    assert one("p3v0s1-50") == deal_of_seed("p3v0s1-50")
    assert one("legacy-1-p3v0s1").deck == SEED.deck
    game = Game.from_json(ROWS[0])
    assert one(encode(game)).deck == game.deal.deck


def test_deck_strings() -> None:
    assert one(DECK, 2).text() == DECK
    assert one(DECK.upper(), 2) == one(DECK, 2)
    assert one(DECK, 2).variant == "No Variant"
    assert "--players" in fault(DECK)
    assert one(DECK, 4, "0").rules == Rules.standard(4)
    assert one(DECK, 2, "Null (5 Suits)").rules.untouchable
    assert one(DECK.replace("p", "t"), 2, "Null (5 Suits)").text() == DECK
    assert "half a card" in fault(DECK + "r", 2)
    assert "deck: card 51 is r1 number 4" in fault(DECK + "r1", 2, "No Variant")
    assert "has the suits" in fault(DECK, 2, "4 Suits")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "no such file"),
        (":", "no such file"),
        ("nowhere.json", "nowhere.json: no such file"),
        ("hla:0-9", "source 'hla' is not known; there are hanabirs, hanablive"),
        ("random:", "no range"),
        ("random:1-", "no range"),
        ("random:٣", "no range"),
        ("random:5-1", "ends before it begins"),
        ("random:" + "9" * 40, "no range"),
        ("random:1", "random needs the number of players"),
        ("python:p7c1s1", "no name and range"),
        ("python:", "no name and range"),
        ("p2v9999s1", "the numbers end"),
        ("415w,00,0", "link: "),
        ("\0", "no such file"),
        ("x" * 5000, "no such file"),
        ("/", "a directory"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    assert message in fault(spec)


@pytest.mark.parametrize("players", [0, 1, 7, -3, 10**20])
@pytest.mark.parametrize("spec", [DECK, "random:1"])
def test_wrong_players(spec: str, players: int) -> None:
    assert "not 2 to 6" in fault(spec, players)


def test_wrong_variant() -> None:
    assert "near are 'Black (6 Suits)'" in fault("random:1", 2, "Blck (6 Suits)")


def test_a_bad_row_of_a_table_does_not_stop_the_others(write: Any) -> None:
    spec = write(
        "decks.csv",
        "\ufeffName,players,deck,optimum\r\n"
        f"a,2,{DECK},25\r\n"
        f"b,9,{DECK},25\r\n"
        f"c,2,{DECK[:-2]},25\r\n"
        "\r\n"
        f"d,2,{DECK}\r\n"
        f"e,two,{DECK},1\r\n"
        f"f,٣,{DECK},1\r\n"
        "g,2,,1\r\n"
        f'h,2,"{DECK}",1\r\n'
        f'i,2,"{DECK}"x,1\r\n'
        f",3,{DECK},1\r\n",
    )
    assert kinds(spec) == [
        "a",
        "decks.csv:3: players is 9, not 2 to 6",
        "decks.csv:4: deck: suit r has 3 2 1 2 1 copies of the ranks from 1, not 3 2 2 2 1: "
        "1 r3 too few",
        "decks.csv:6: there are 3 cells, and the header has 4",
        "decks.csv:7: players is 'two', not 2 to 6",
        "decks.csv:8: players is '٣', not 2 to 6",
        "decks.csv:9: deck is missing",
        "h",
        "decks.csv:11: not CSV: ',' expected after '\"'",
        "decks.csv:12",
    ]


def test_tables_with_a_variant_and_without_players(write: Any) -> None:
    spec = write("d.csv", f"name,deck,variant\na,{DECK},\nb,{DECK},Null (5 Suits)\nc,{DECK},Nul\n")
    found = list(deals(spec, 3))
    assert [getattr(d, "variant", "") for d in found] == ["No Variant", "Null (5 Suits)", ""]
    assert "d.csv:4: variant 'Nul' is not known" in str(found[2])
    assert "the header has no column players" in fault(spec)
    assert "no column deck" in fault(write("e.csv", "name,players\na,2\n"))
    assert fault(write("f.csv", 'name,players,deck\na,2,"r1\n')) == (
        "f.csv:2: not CSV: unexpected end of data"
    )


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv", "a.txt", "a"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "this is empty"),
        (b"\n \r\n", "this is empty"),
        (b"\xef\xbb\xbf", "this is empty"),
        (b"\xff\xfe\x00", "byte 1 is not UTF-8 text"),
        (b"abc\0def", "a binary file"),
    ],
)
def test_files_that_are_no_text(write: Any, name: str, content: bytes, message: str) -> None:
    assert fault(write(name, content)).startswith(f"{name}: ")
    assert message in fault(name)


def test_json_files(write: Any) -> None:
    assert one(write("game.json", json.dumps(ROWS[0]))).name == ROWS[0]["seed"]
    deal = {"name": "x", "players": 2, "deck": DECK}
    assert one(write("deal.json", "\ufeff" + json.dumps(deal, indent=1))).name == "x"
    assert kinds(write("list.json", json.dumps([deal, 5, ROWS[0]]))) == [
        "x", "list.json:2: not a JSON object", ROWS[0]["seed"],
    ]  # fmt: skip
    nameless = {**ROWS[0], "seed": ""}
    assert one(write("bare.json", json.dumps(nameless))).name == "bare.json"
    assert "bare.json: not JSON: line 1" in fault(write("bare.json", "{"))


def test_json_lines(write: Any) -> None:
    rows: list[Any] = [
        {"name": "a", "players": 2, "deck": DECK},
        {"players": 2, "deck": DECK, "variant": "Null (5 Suits)"},
        {"name": 5, "players": 2, "deck": DECK},
        {"name": "a", "players": "2", "deck": DECK},
        {"name": "a", "players": True, "deck": DECK},
        {"name": "a", "players": 2},
        {"name": "a", "deck": DECK},
        {"name": "a", "players": 2, "deck": DECK, "variant": [1]},
        [],
        ROWS[0],
        {**ROWS[0], "deck": ROWS[0]["deck"][1:]},
    ]
    text = "\n".join(map(json.dumps, rows)) + "\n{\n\n"
    expected = [
        "a",
        ":2",
        ":3: name is not a text",
        ":4: players is not a number",
        ":5: players is not a number",
        ":6: deck is missing",
        ":7: players is missing",
        ":8: variant is not a name or a number",
        ":9: not a JSON object",
        ROWS[0]["seed"],
        ":11: deck: there are 49 cards, not 50",
        ":12: not JSON: line 1",
    ]
    for name in ("rows.jsonl", "rows.txt"):
        for found, part in zip(kinds(write(name, text)), expected, strict=True):
            assert part in found
    assert list(deals("rows.jsonl", 2))[6] == one(DECK, 2)


def test_other_files_are_read_by_their_look(write: Any) -> None:
    spec = write("list", f"p3v0s1\n\n{DECK}\nrandom:1-2\nnope\n-\n")
    assert kinds(spec, 2) == [
        "p3v0s1",
        "list:3",
        "random:1",
        "random:2",
        "list:5: nope: no such file, and no seed (p3v0s1), source (random:0-9), share link, "
        "position or deck string",
        "list:6: standard input cannot be named in a list of specs",
    ]


def test_standard_input(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(b"p3v0s1\r\nnope\r\n")

    monkeypatch.setattr("sys.stdin", Input)
    assert kinds("-") == [
        "p3v0s1",
        "standard input:2: nope: no such file, and no seed (p3v0s1), source (random:0-9), "
        "share link, position or deck string",
    ]
    spec = write("z.csv", f"deck,name,players\n{DECK},z,4\n")
    Input.buffer = io.BytesIO(spec.encode())
    assert kinds("-") == ["z"]
    Input.buffer = io.BytesIO(b"")
    assert kinds("-") == ["standard input: this is empty"]


def test_a_list_does_not_name_files(write: Any) -> None:
    assert kinds(write("loop", "loop\n")) == ["loop:1: loop: a list cannot name a file"]


def test_games(write: Any) -> None:
    spec = write(
        "games.jsonl", "\n".join(map(json.dumps, [*ROWS[:2], {"deck": DECK, "players": 2}]))
    )
    first, second, third = games(spec)
    assert isinstance(first, Game)
    assert isinstance(second, Game)
    assert (first.seed, second.moves) == (ROWS[0]["seed"], Game.from_json(ROWS[1]).moves)
    assert str(third) == "games.jsonl:3: this is a deal, not a game that was played"
    assert [type(found) for found in games(encode(first))] == [Game]
    assert [str(found) for found in games("p3v0s1")] == [
        "p3v0s1: this is a deal, not a game that was played"
    ]
    assert [type(found) for found in read(spec)] == [Game, Game, Deal]


def test_new_sources_are_registered_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SOURCES, "same", Source(lambda request: iter([SEED]), "same:1", "one deal"))
    assert one("same:1") == SEED
    assert "sad, same, sparta" in fault("other:1")
    assert "source 'other' is not known" in fault("other+small:1")


def composed(shapes: str) -> tuple[tuple[int, ...], ...]:
    letters, suits = "", shapes.split()
    deck = ""
    for suit in suits:
        letters += suit[0]
        deck += "".join(f"{suit[0]}{r}" * int(n) for r, n in enumerate(suit[1:], 1))
    order, cards = read_deck(deck)
    return tuple(suit.copies for suit in suits_of(cards, order))


@pytest.mark.parametrize(
    "shapes",
    [
        "r32221 y32221",
        "r32221 y11111",
        "r22221 y11111",
        "r32211 y11111",
        "r321 y111",
        "r3222221 y1111111",
        "r11 y11",
        "r9 y9",
        "r54 y54",
        "r12345",
        "r31 y11",
    ],
)
def test_known_compositions(shapes: str) -> None:
    wanted = tuple(tuple(map(int, suit[1:])) for suit in shapes.split())
    assert composed(shapes) == wanted


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ("r32221 y32221 g32211", "suit g has 3 2 2 1 1 copies .*: 1 g4 too few"),
        ("r32221 y22221 g32221", "suit y .*: 1 y1 too few"),
        ("r32221 y32221 g32222", "suit g .*: 1 g5 too many"),
        ("r32221 y11112", "suit y .*: 1 y5 too many"),
        ("r32221 y3222", "suit y .*: 1 y5 too few"),
        ("r32221 y32220", "suit y .*: 1 y5 too few"),
        ("r42221 y32221", "suit r .*: 1 r1 too many"),
        ("r33321 y11111", "suit r "),
        ("r32021", "suit r has no card of rank 3"),
        ("r02221 y02221", "suit r has no card of rank 1"),
        ("r1 y1 g1 b1 p1 t1 k1", "there are 7 suits"),
    ],
)
def test_typing_errors_in_decks(shapes: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        composed(shapes)


def test_suits_stand_in_the_usual_order() -> None:
    assert read_deck("w1m1k1p1r1")[0] == "rpkwm"
    assert read_deck("z1a1g1")[0] == "gza"


@given(st.text(max_size=30), st.none() | st.integers(2, 6))
def test_any_text_gives_deals_or_faults(text: str, players: int | None) -> None:
    if text.strip() == "-":
        return
    for found in deals(text, players):
        assert isinstance(found, Deal) or "\n" not in found.message


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode), st.sampled_from(
    ["x.csv", "x.json", "x.jsonl", "x"]))  # fmt: skip
def test_any_file_gives_deals_or_faults(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    for found in deals(str(path), 2):
        assert isinstance(found, Deal) or len(found.message.splitlines()) == 1


@given(st.data())
def test_damaged_tables_give_deals_or_faults(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = f"name,players,deck,variant\na,2,{DECK},\nb,3,{DECK},0\n"
    at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 40))
    damaged = text[:at] + data.draw(st.text(max_size=6)) + text[at + length :]
    path = tmp_path_factory.getbasetemp() / "damaged.csv"
    path.write_text(damaged, encoding="utf-8", errors="replace")
    for found in deals(str(path)):
        assert isinstance(found, Deal) or len(found.message.splitlines()) == 1
