"""Generating: equal arguments give equal puzzles, and what is asked for is what comes."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, takewhile
from typing import Any

import pytest

from puzzling import SACRIFICE, sample
from solver.endgames.endgame import analyse
from solver.game.card import UNKNOWN, Card
from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.position import Position
from solver.puzzles.generate import Wanted, digest, generate, self_play
from solver.puzzles.judge import choice_words, examine
from solver.puzzles.measures import foresight
from solver.puzzles.puzzle_rows import puzzle_row
from solver.puzzles.themes import themes

ONE = Fraction(1)


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
        ({"players": 3, "model": "blind"}, "model"),
        ({"players": 3, "model": "hidden", "deck": 8}, "hidden has at most 7"),
        ({"players": 3, "model": "hidden", "twins": ("pass",)}, "pass"),
        ({"players": 3, "model": "hidden", "facts": (3, 2)}, "facts"),
        ({"players": 3, "model": "hidden", "ranges": (("depth", ONE, None),)}, "depth"),
        ({"players": 3, "model": "known", "ranges": (("foresight", ONE, None),)}, "foresight"),
        ({"players": 3, "deck": 8, "ranges": (("foresight", ONE, None),)}, "at most 7 cards"),
        ({"players": 3, "ranges": (("value", ONE, Fraction(0)),)}, "value is 1 to 0"),
        ({"players": 3, "ranges": (("luck", ONE, None),)}, "luck"),
        ({"players": 3, "trap_kinds": ("luck",)}, "luck"),
        ({"players": 3, "twins": ("luck",)}, "luck"),
        ({"players": 3, "without": ("luck",)}, "luck"),
        ({"players": 3, "themes": ("trap",), "without": ("trap",)}, "both"),
        ({"players": 3, "tokens": (2, 1)}, "tokens"),
        ({"players": 3, "tokens": (0, 9)}, "tokens"),
        ({"players": 3, "margin": Fraction(2)}, "margin"),
        ({"players": 3, "themes": ("luck",)}, "luck"),
    ],
)
def test_wishes_that_make_no_sense(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Wanted(**{"deck": 5, **arguments})


@pytest.mark.parametrize("name", ["value", "depth", "ties", "foresight"])
def test_a_range_splits_the_puzzles(name: str) -> None:
    """What lies within a range, and what lies above it, are all there is, and nothing twice."""

    def names(*ranges: tuple[str, Fraction, Fraction | None]) -> list[str]:
        wanted = Wanted(5, 3, margin=Fraction(0), tight=False, ranges=ranges)
        found = generate(wanted, patience=40)
        some = takewhile(lambda one: one.deal < 40, found)
        return [one.report.puzzle_id for one in some]

    middle = {"depth": 9, "ties": 0, "foresight": 0}.get(name, Fraction(1, 2))
    low = names((name, Fraction(0), Fraction(middle)))
    high = names((name, middle + Fraction(1, 1000), None))
    assert low
    assert high
    assert sorted(low + high) == sorted(names())


def test_foresight_is_what_the_order_adds() -> None:
    """Against the model known for every order of the physical cards."""
    more = set()
    for number in range(12):
        report = examine(sample(number, players=5, deck=3))
        pile = report.position.pile
        orders = [
            replace(report.position, pile=order, ordered=True) for order in permutations(pile)
        ]
        known = sum(analyse(order, "known").high for order in orders) / len(orders)
        assert foresight(report) == known - report.value >= 0
        more.add(foresight(report))
    assert len(more) > 1


def test_what_is_known_of_a_hidden_hand_is_true() -> None:
    wanted = Wanted(4, 3, model="hidden", facts=(2, 4), tight=False)
    for found, _ in zip(generate(wanted), range(3), strict=False):
        report, position = found.report, found.report.position
        dice = random.Random(f"1/4/3/{found.deal}")
        dealt = self_play(wanted, dice)
        assert dealt is not None
        hand, possible = dealt.hands[dealt.seat], report.possible
        assert possible is not None
        assert set(position.hands[position.seat]) == {UNKNOWN}
        assert all(
            faces is None or card in faces for card, faces in zip(hand, possible, strict=True)
        )
        assert any(faces is not None for faces in possible)


def test_a_twin_takes_no_card_that_is_known_to_be_held() -> None:
    """The only useless card is known to be in the hand: none can be taken from the pile."""
    position = Position.from_text("rb:32221 r3,b4 xxxx/r5r1 ?r2r4b5b1 - 0/8 0/3 0 -")
    r2, b1 = Card(0, 2), Card(1, 1)
    assert examine(position, "hidden", [[r2], [b1]]).twin("useless-less") is None
    assert examine(position, "hidden", [[r2], None]).twin("useless-less") is not None


def test_a_greedy_player_plays_what_surely_fits() -> None:
    """Of r4 and b5 either fits; what may be r2 may not; and a card that is useless is thrown."""
    position = Position.from_text("rb:32221 r3,b4 xxxx/r5r1 ?r2r4b5b1 - 0/8 0/3 0 -")
    r2, r4, b5, b1 = Card(0, 2), Card(0, 4), Card(1, 5), Card(1, 1)
    for faces, greedy in [
        ([r4, b5], "play card 1"), ([r2, r4], "discard card"), ([r2, b1], "discard card 1"),
    ]:  # fmt: skip
        report = examine(position, "hidden", [faces, None])
        assert choice_words(report.position, report.greedy).startswith(greedy)


def test_games_keep_their_tokens() -> None:
    wanted = Wanted(3, 5, tokens=None, margin=Fraction(0), tight=False, games="these")
    line = Line(Position.from_text(SACRIFICE), ())
    assert next(generate(replace(wanted, deck=5), games=[line])).report.position == line.start
    assert list(generate(replace(wanted, deck=4), games=[line])) == []
    assert digest([line]) != digest([line, line])
