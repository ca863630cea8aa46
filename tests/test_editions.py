"""Printed editions, house rules on the command line, and the words for a score."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from solver.command.cli import main
from solver.formats.editions import EDITIONS, House, rating
from solver.formats.hanablive import deal_of_seed
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.rules import Ending, Rules
from solver.solving.choice import solve

ALL = tuple(EDITIONS)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_of_the_editions(name: str, players: int) -> None:
    rules = Rules.edition(name, players=players)
    usual = {2: 5, 3: 5, 4: 4}[players]
    assert rules.hand_size == (4 if (name, players) == ("french", 3) else usual)
    assert (rules.max_strikes, rules.max_clues, rules.start_clues) == (3, 8, 8)
    assert rules.max_score == 25
    assert rules.empty_clues == (name in ("standard", "cocktail"))
    assert rules.ending is Ending.FINAL_ROUND


def test_editions_have_their_players() -> None:
    assert Rules.edition("R&R", players=5).hand_size == 4
    for name, players in (("french", 5), ("standard", 6), ("rr", 1)):
        with pytest.raises(InputError, match=r"players"):
            Rules.edition(name, players=players)
    with pytest.raises(InputError, match="there are standard, rr"):
        Rules.edition("swiss", players=3)


def test_variants_of_the_editions() -> None:
    rules = Rules.edition("cocktail", 4, multicolour=10, strikes=1, clues=9, endless=True)
    assert (rules.max_score, rules.deck_size) == (30, 60)
    assert (rules.max_strikes, rules.max_clues, rules.start_clues) == (1, 9, 9)
    assert rules.ending is Ending.ENDLESS
    few = Rules.edition("rr", 2, multicolour=5)
    assert few.suits[-1].copies == (1, 1, 1, 1, 1)
    assert few.suits == Rules.edition("rr", 2, multicolour=5, every_colour=True).suits
    with pytest.raises(InputError, match="seven suits"):
        Rules.edition("cocktail", 3, multicolour=5, black_powder=True)
    with pytest.raises(InputError, match="needs one"):
        Rules.edition("standard", 3, every_colour=True)
    with pytest.raises(InputError, match="not 0, 5 or 10"):
        Rules.edition("standard", 3, multicolour=7)


def test_black_powder_is_built_downwards() -> None:
    suit = Rules.edition("cocktail", 3, black_powder=True).suits[-1]
    assert suit.copies == (1, 2, 2, 2, 3)
    assert suit.build[0] == (-1, -1, -1, -1, 1)


def test_rules_of_a_variant() -> None:
    assert Rules.variant("clue starved (5 suits)", 3).clue_price == 2
    assert Rules.variant(1, 4, one_less_card=True).hand_size == 3
    with pytest.raises(InputError, match="not known"):
        Rules.variant("Nope", 3)


def test_ratings() -> None:
    plain, six = Rules.standard(3), Rules.standard(3, "rygbpt")
    words = [rating(score, plain) for score in range(26)]
    ends = [0, *(n for n in range(1, 26) if words[n] != words[n - 1])]
    assert ends == [0, 6, 11, 16, 21, 25]
    assert [words[n] for n in ends] == list(EDITIONS["standard"].words)
    assert rating(30, six) == "legendary"
    assert rating(29, six) == rating(24, plain)
    assert rating(7, Rules.edition("rr", 3)) == "poor"
    for edition in EDITIONS.values():
        assert len(set(edition.words)) == 6


@pytest.mark.parametrize("engine", ["auto", "search", "sat"])
@pytest.mark.parametrize(
    "house",
    [
        House("french", strikes=1),
        House("rr", clues=20, strikes=7),
        House(clues=3, strikes=2),
        House(hand_size=6, empty_clues=True),
        House(hand_size=4, deck_plays=True),
        House("standard", deck_plays=True, strikes=1),
    ],
    ids=str,
)
def test_every_engine_takes_house_rules(engine: str, house: House) -> None:
    deal = house.deal(deal_of_seed("p3v0s1"))
    result = solve(deal, engine=engine)
    assert (result.score, result.proven) == (25, True)
    assert result.line.start == Position.start(deal)


def test_a_hand_size_deals_the_same_deck() -> None:
    deal = deal_of_seed("p3v0s1")
    french = House("french").deal(deal)
    assert french.deck == deal.deck
    assert [len(hand) for hand in Position.start(french).hands] == [4, 4, 4]


def test_strikes_do_not_hide_in_a_label() -> None:
    rules = Rules.edition("rr", 3)
    assert rules == replace(Rules.variant(0, 3), book="standard")
    assert Deal(rules, tuple(rules.sorted_deck())).rules.book == "rr"


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    assert main([*words, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_house_rules_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    common = ["solve", "random:0-4", "--players", "3"]
    for words in (
        ["--edition", "french", "--multicolour", "5", "--strikes", "1"],
        ["--edition", "rr", "--endless"],
        ["--multicolour", "10", "--every-colour", "--clues", "9"],
        ["--variant", "Clue Starved (6 Suits)", "--clues", "9", "--hand-size", "4"],
        ["--suits", "4", "--one-of-each", "1", "--ending", "all-or-nothing"],
        ["--deck-plays", "--empty-clues", "--ending", "speedrun"],
    ):
        found = rows(capsys, *common, *words)
        assert [row["proven"] for row in found] == [True] * 5, words


def test_what_the_command_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (["random:0", "--players", "5", "--edition", "french"], "2 to 4 players"),
        (["p3v0s1", "--edition", "swiss"], "edition 'swiss' is not known"),
        (["p3v0s1", "--strikes", "0"], "max_strikes is 0"),
        (["p3v0s1", "--hand-size", "0"], "hand_size is 0"),
        (["p3v0s1", "--endless", "--ending", "speedrun"], "contradict"),
        (["p3v0s1", "--multicolour", "5", "--suits", "4"], "names the suits"),
        (["p3v0s1", "--black-powder"], "and this is No Variant"),
        (["pos:rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2", "--strikes", "1"], "a position"),
    ):
        assert main(["solve", *words]) == 2
        assert said in capsys.readouterr().err, words


def test_the_word_stands_beside_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "python:p2c1s129", "--edition", "rr"]) == 0
    assert "24 of 25 (very good), proven optimal" in capsys.readouterr().out
    assert main(["solve", "python:p2c1s128-129", "--edition", "rr"]) == 0
    assert [row.split()[-1] for row in capsys.readouterr().out.splitlines()[1:3]] == [
        "legendary",
        "good",
    ]


def test_rules_that_the_site_has_options_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["convert", "p3v0s1", "--hand-size", "4", "--ending", "all-or-nothing"]
    assert main([*words, "--to", "json"]) == 0
    options = json.loads(capsys.readouterr().out)["options"]
    assert options == {"oneLessCard": True, "allOrNothing": True}
    assert main([*words, "--to", "deck"]) == 0
    capsys.readouterr()
    assert main(["convert", "p3v0s1", "--strikes", "1", "--to", "json"]) == 2
    assert "no options for the rules" in capsys.readouterr().err


def test_games_with_characters_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = {"players": ["a", "b"], "seed": "p2v0s1", "actions": [],
            "options": {"detrimentalCharacters": True}}  # fmt: skip
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game))
    for command in ("solve", "replay"):
        assert main([command, str(path)]) == 0
        assert "detrimental characters" in capsys.readouterr().err


README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\|[^|]*\| `hanabi (solve [^`]*)` \|$", README, re.MULTILINE)


def test_the_table_of_the_readme_is_there() -> None:
    assert len(COMMANDS) == 17
    assert all(f"--edition {name}" in " ".join(COMMANDS) for name in EDITIONS)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_readme(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*shlex.split(command), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["proven"] for row in rows] == [True] * (10 if "random" in command else 1)
