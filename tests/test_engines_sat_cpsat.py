"""The SAT and CP-SAT engines: one suite on both, against brute force, known optima, each other."""

from __future__ import annotations

import csv
import itertools
import random
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replayer
from nasty import bounded_optimum, nasty_position
from solver.formats.hanablive import actions_of
from solver.game.deal import Deal
from solver.game.position import Position
from solver.game.result import Limits, Result
from solver.game.rules import Rules
from solver.game.suit import Suit
from strategies import brute_optimum, small_deals, small_positions

ENGINES = ["sat", "cpsat"]
GOLDEN = Path(__file__).parent / "data" / "golden_optima.csv"


class Solve(Protocol):
    """What the engines have in common, and `progress`."""

    def __call__(self, position: Position, limits: Limits = ..., progress: object = ...) -> Result:
        """Solve."""


@pytest.fixture(params=ENGINES)
def solve(request: pytest.FixtureRequest) -> Solve:
    pytest.importorskip({"sat": "pysat", "cpsat": "ortools"}[request.param])
    found: Solve = import_module(f"solver.engines.{request.param}").solve
    return found


def engines() -> list[Solve]:
    return [import_module(f"solver.engines.{name}").solve for name in ENGINES]


def golden() -> list[tuple[Position, int]]:
    """Give the known optima that are given as numbers."""
    found = []
    with GOLDEN.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            suits = "rygbpt"[: int(row["suits"])]
            one = suits[-1] if row["one_of_each"] == "1" else ""
            rules = Rules.standard(int(row["players"]), suits, one)
            if row["optimum"]:
                deal = Deal.of(rules, row["deck"], row["name"])
                found.append((Position.start(deal), int(row["optimum"])))
    return found


KNOWN = golden()
LOST = [known for known in KNOWN if known[1] < known[0].rules.max_score]
ONE_OF_EACH = [
    known for known in KNOWN if known[0].rules.players >= 4 and known[0].rules.suits[-1].cards == 5
]


def shuffled(seed: str | int, players: int) -> Position:
    """Give the deal of Python's own shuffle of the sorted deck."""
    rules = Rules.standard(players)
    deck = rules.sorted_deck()
    random.seed(seed)
    random.shuffle(deck)
    return Position.start(Deal(rules, tuple(deck), str(seed)))


def check_proven(result: Result, optimum: int) -> None:
    assert (result.score, result.bound) == (optimum, optimum), result.line.start.text()
    assert result.stopped == ""
    start = result.line.start
    if start.turns_left is None and start == Position.start(_deal(start)):
        deck = [(card.suit, card.rank) for card in _deal(start).deck]
        rules = start.rules
        replayed = replayer.replay(rules.players, rules.hand_size, deck, actions_of(result.line))
        assert replayed.score == optimum


def _deal(start: Position) -> Deal:
    cards = [card for hand in start.hands for card in hand]
    return Deal(start.rules, (*cards, *start.pile))


# Small positions


@settings(max_examples=60)
@given(small_positions())
def test_small_positions(position: Position) -> None:
    optimum = brute_optimum(position)
    for solve in engines():
        result = solve(position)
        assert (result.score, result.bound) == (optimum, optimum)


@settings(max_examples=60)
@given(small_deals(9), st.integers(1, 2), st.integers(1, 2))
def test_hands_of_one_card_and_plays_from_the_pile(deal: Deal, strikes: int, tokens: int) -> None:
    most = deal.rules.clue_price * tokens
    for deck_play in (False, True):
        rules = replace(deal.rules, hand_size=1, max_strikes=strikes, deck_play=deck_play,
                        max_clues=most, start_clues=most)  # fmt: skip
        position = Position.start(Deal(rules, deal.deck))
        optimum = brute_optimum(position)
        for solve in engines():
            result = solve(position)
            assert (result.score, result.bound) == (optimum, optimum)


@pytest.mark.parametrize("seed", range(0, 200, 20))
def test_nasty_positions(seed: int, solve: Solve) -> None:
    for one in range(seed, seed + 20):
        position = nasty_position(random.Random(one))
        optimum = bounded_optimum(position)
        if optimum is not None:
            result = solve(position)
            assert (result.score, result.bound) == (optimum, optimum), (one, position.text())


@settings(max_examples=40)
@given(small_positions(), st.integers(0, 13))
def test_targets(position: Position, target: int) -> None:
    optimum = brute_optimum(position)
    for solve in engines():
        result = solve(position, Limits(target=target))
        assert result.score <= optimum <= result.bound
        assert (result.score >= target) == (optimum >= target)
        assert (result.bound >= target) == (optimum >= target)


def test_the_engines_agree_on_games_of_middle_size() -> None:
    chance = random.Random(3)
    for _ in range(12):
        shapes = [chance.choice([(3, 2, 2, 1), (2, 2, 1), (1, 1, 1, 1)]) for _ in range(3)]
        rules = Rules(
            players=chance.randint(2, 4),
            hand_size=chance.randint(2, 3),
            suits=tuple(Suit(s, shape) for s, shape in zip("ryg", shapes, strict=True)),
            max_clues=4,
            start_clues=chance.randint(0, 4),
            discard_gain=chance.randint(0, 2),
            max_strikes=chance.randint(1, 3),
        )
        if rules.players * rules.hand_size >= rules.deck_size:
            continue
        deck = rules.sorted_deck()
        chance.shuffle(deck)
        position = Position.start(Deal(rules, tuple(deck)))
        results = [solve(position) for solve in engines()]
        assert all(result.proven for result in results)
        assert len({result.score for result in results}) == 1


# Whole games


@pytest.mark.parametrize("row", range(0, len(LOST), 7))
def test_lost_deals(row: int, solve: Solve) -> None:
    position, optimum = LOST[row]
    check_proven(solve(position), optimum)


@pytest.mark.parametrize("row", range(0, len(KNOWN), 160))
def test_deals_of_every_kind(row: int, solve: Solve) -> None:
    position, optimum = KNOWN[row]
    check_proven(solve(position), optimum)


@pytest.mark.parametrize("row", range(0, len(ONE_OF_EACH), 40))
def test_one_of_each_with_four_or_five_players(row: int, solve: Solve) -> None:
    position, optimum = ONE_OF_EACH[row]
    check_proven(solve(position), optimum)


@pytest.mark.parametrize(
    ("seed", "players"), [("p4c1s1116", 4), ("p5c1s98804", 5), ("p5c1s14459", 5)]
)
def test_deals_named_as_hard(seed: str, players: int, solve: Solve) -> None:
    check_proven(solve(shuffled(seed, players)), 24)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "players"),
    [*((n, 2) for n in (161, 168, 202, 431, 443, 552, 629, 762, 894, 941)), (93572, 3), (18105, 5)],
)
def test_deals_that_models_over_turns_give_up_on(seed: int, players: int, solve: Solve) -> None:
    optimum = 23 if seed in (629, 894, 93572) else 24
    check_proven(solve(shuffled(seed, players)), optimum)


@pytest.mark.slow
def test_all_lost_deals(solve: Solve) -> None:
    for position, optimum in LOST:
        check_proven(solve(position), optimum)


def test_positions_along_a_line(solve: Solve) -> None:
    """From no position on a best line is the optimum another."""
    start, optimum = LOST[0]
    line = solve(start).line
    for position in list(line.positions())[10::12]:
        result = solve(position)
        assert (result.score, result.bound) == (optimum, optimum)


# Limits


def test_a_node_limit_leaves_two_bounds_and_is_kept_to_exactly(solve: Solve) -> None:
    position = shuffled(431, 2)
    results = [solve(position, Limits(nodes=50)) for _ in range(2)]
    for result in results:
        assert result.stopped == "nodes"
        assert result.score <= 24 <= result.bound
        assert not result.proven
    first, second = (replace(result, seconds=0.0) for result in results)
    assert first == second


def test_a_time_limit_leaves_two_bounds(solve: Solve) -> None:
    position = shuffled(431, 2)
    began = time.process_time()
    result = solve(position, Limits(seconds=0.05))
    assert time.process_time() - began < 3
    assert result.stopped == "seconds"
    assert result.score <= 24 <= result.bound


def test_progress_draws_nearer(solve: Solve) -> None:
    told: list[tuple[int, int]] = []
    position, optimum = LOST[3]
    solve(position, progress=lambda score, bound: told.append((score, bound)))
    assert told[-1] == (optimum, optimum)
    assert len(told) >= 2
    for (score, bound), (later, lower) in itertools.pairwise(told):
        assert score <= later <= optimum <= lower <= bound


@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_ends_a_search_within_a_second(engine: str) -> None:
    # Seconds of CPU, which a busy machine does not stretch; the signal comes from a thread.
    program = f"""
import os, signal, sys, threading, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_engines_sat_cpsat import shuffled
from solver.engines.{engine} import solve
sent = []
def send():
    time.sleep(0.4)
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    while True:
        solve(shuffled(431, 2))
except KeyboardInterrupt:
    print(time.process_time() - sent[0])
"""
    child = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert child.stderr == ""
    assert float(child.stdout) < 1


def test_nothing_to_search(solve: Solve) -> None:
    over = Position.from_text("ry:111 r3,y0 r1/y1 - - 1/2 3/3 0 2 lost-scores")
    assert (solve(over).score, solve(over).bound) == (3, 3)
    lost = replace(over, rules=replace(over.rules, lost_scores_stacks=False))
    assert (solve(lost).score, solve(lost).bound) == (0, 0)
