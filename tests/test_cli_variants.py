"""The list of variants, and that what it calls supported is solved."""

from __future__ import annotations

import json

import pytest

from solver.command.cli import main
from solver.formats.hanablive import Game, deal_of_seed
from solver.formats.link import decode
from solver.formats.variants import find, names
from solver.game.errors import UnsupportedRulesError
from solver.solving.choice import solve
from solver.tables import variant_rows
from solver.tables.rows import game_link, made_game
from solver.tables.variant_rows import (
    MECHANIC_WORDS,
    matching,
    mechanics,
    variant_row,
    why_unsupported,
)

TENTH = [number for number in range(len(names())) if number % 10 == 0]
REST = [number for number in range(len(names())) if number % 10]


def test_the_sum_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variants"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 2426 + 2
    assert not [row for row in out if "NOT SUPPORTED" in row]
    assert out[-1] == "2,426 of 2,426 supported"


def test_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variants", "--search", "critical FOURS", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 33
    assert all("Critical Fours" in row["mechanics"] for row in rows)
    assert {row["suits"] for row in rows} == {5, 6}
    assert len(list(matching("inverted"))) == 266
    assert [variant.number for variant in matching("1283")] == [1283]
    assert 6 in [variant.number for variant in matching("6")]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_search_that_finds_nothing(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variants", "--search", "clue starvd", *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hanabi: --search 'clue starvd' finds no variant; near are ")
    assert "'Clue Starved'" in err
    assert main(["variants", "--search", "qqqqqqqqqqqqqq"]) == 2
    assert capsys.readouterr().err.endswith("finds no variant\n")


def test_mechanics_have_words() -> None:
    for number in range(len(names())):
        assert set(mechanics(find(number))) <= set(MECHANIC_WORDS)
    assert mechanics(find("No Variant")) == []
    assert mechanics(find("Sudoku & Black (5 Suits)")) == ["One of Each", "Sudoku"]
    assert mechanics(find("White Reversed (6 Suits)")) == ["Reversed", "Special Suits"]


def test_a_refusal_has_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "reason" not in variant_row(find(0))

    def refuse(start: object) -> None:
        raise UnsupportedRulesError("no engine today")

    monkeypatch.setattr(variant_rows, "require", refuse)
    assert why_unsupported(find(0)) == "no engine today"
    assert variant_row(find(0))["supported"] is False


def solved(number: int) -> None:
    """Solve a random deal with the default limits: the answer is a line, replayed, and a link."""
    players = 2 + number % 4
    deal = deal_of_seed(f"p{players}v{number}s7")
    result = solve(deal)
    assert result.line.replay().score == result.score <= result.bound
    assert result.proven or result.stopped == "nodes", find(number).name
    game = made_game(deal, result)
    assert decode(game_link(game)).line() == game.line()
    assert Game.from_json(game.to_json()).line() == result.line


@pytest.mark.parametrize("block", range(8))
def test_a_tenth_of_all_variants(block: int) -> None:
    for number in TENTH[block::8]:
        solved(number)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(60))
def test_all_other_variants(block: int) -> None:
    for number in REST[block::60]:
        solved(number)


KINDS = sorted(
    {(word, len(find(n).suits)): n for n in range(len(names())) for word in mechanics(find(n))}
    .items()
)  # fmt: skip


@pytest.mark.parametrize(("kind", "number"), KINDS, ids=[f"{w} {n}" for (w, n), _ in KINDS])
def test_each_mechanic_with_each_number_of_suits(kind: tuple[str, int], number: int) -> None:
    for players in range(2, 7):
        deal = deal_of_seed(f"p{players}v{number}s1")
        result = solve(deal)
        game = made_game(deal, result)
        assert kind[0] in mechanics(find(deal.variant))
        again = decode(game_link(game))
        assert again.deal.variant == deal.variant
        assert again.replay().points == result.score
