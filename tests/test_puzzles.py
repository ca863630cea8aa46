"""Puzzles: what makes a position one, and what is rejected."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from puzzling import at, case, sample
from solver.endgames.endgame import analyse
from solver.game.position import Kind
from solver.puzzles.judge import choice_named, examine
from solver.puzzles.puzzle_rows import Item, Wrong, puzzle_row, verified
from solver.puzzles.themes import themes


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


def test_a_puzzle_with_two_answers_is_wrong() -> None:
    position = case("hgroup-l8-3-cards-left-OLD-4-left")
    row = puzzle_row(examine(position))
    with pytest.raises(Wrong, match="equally good"):
        verified(Item("here", position, row))
