"""The open-hands player: it does not peek, it repeats itself, and it plays any rules it takes."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from nasty import nasty_position
from solver import Deal, Ending, InputError, Position, Rules, UnsupportedRulesError
from solver.command.cli import main
from solver.endgames.endgame import Teller, as_seen
from solver.engines.search import solve
from solver.players.openhands import Player, play, play_many, require

QUICK: dict[str, Any] = {"samples": 24, "nodes": 500}


def shuffled(rules: Rules, seed: str) -> Deal:
    deck = rules.sorted_deck()
    random.Random(seed).shuffle(deck)
    return Deal(rules, tuple(deck))


def deals(players: int, count: int) -> list[Deal]:
    return [shuffled(Rules.standard(players), f"player {players} {n}") for n in range(count)]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_does_not_peek(players: int) -> None:
    """What is still to be drawn may be permuted: no action changes before a card has changed."""
    chance = random.Random(players)
    for deal in deals(players, 3):
        game = play(deal, **QUICK)
        seen = list(game.line.positions())
        for kept in (0, 5, 15):
            cut = deal.dealt + kept
            rest = list(deal.deck[cut:])
            chance.shuffle(rest)
            other = Deal(deal.rules, deal.deck[:cut] + tuple(rest))
            same = next(i for i in range(cut, len(other.deck)) if other.deck[i] != deal.deck[i])
            known = sum(p.pile_size >= len(deal.deck) - same for p in seen)
            again = play(other, **QUICK)
            assert known > kept
            assert game.line.actions[:known] == again.line.actions[:known]


def test_it_plays_what_it_would_choose_without_the_order() -> None:
    game = play(deals(3, 1)[0], **QUICK)
    player = Player(game.line.start, **QUICK)
    for turn, (position, action) in enumerate(
        zip(game.line.positions(), game.line.actions, strict=False)
    ):
        unordered = replace(position, pile=tuple(sorted(position.pile)), ordered=False)
        assert player.choose(unordered, turn) == action


def test_same_seed_same_games_whatever_the_jobs() -> None:
    starts = deals(2, 6)
    alone = [game.line.actions for game in play_many(starts, **QUICK)]
    threads = [game.line.actions for game in play_many(starts, **QUICK, jobs=3)]
    others = [game.line.actions for game in play_many(starts, **QUICK, seed=1)]
    assert alone == threads
    assert alone != others


def test_more_samples_are_used() -> None:
    starts = deals(2, 6)
    few = [play(start, samples=0).line.actions for start in starts]
    assert few != [play(start, **QUICK).line.actions for start in starts]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_wins(players: int) -> None:
    games = list(play_many(deals(players, 10), **QUICK))
    assert sum(game.won for game in games) >= 8
    for game in games:
        assert game.line.replay().score == game.score
        assert game.won == (game.score == game.max_score == 25)


def test_never_more_than_the_optimum() -> None:
    """Rules and positions of every kind: each action is legal, and nothing beats the optimum."""
    chance = random.Random(7)
    below = 0
    for _ in range(300):
        position = nasty_position(chance)
        game = play(position, samples=24, nodes=200)
        last = game.line.replay()
        assert not last.legal_actions()
        most = solve(position).score
        assert last.score == game.score <= most
        below += game.score < most
    assert 0 < below < 150


@pytest.mark.parametrize(
    "rules",
    [
        Rules.standard(6),
        Rules.standard(3, "rygbpk"),
        Rules.standard(4, one_of_each="p"),
        replace(Rules.standard(2), max_strikes=1),
        replace(Rules.standard(2), max_clues=3, start_clues=3),
        replace(Rules.standard(3), clue_price=2, max_clues=16, start_clues=16, stack_gain=1),
        replace(Rules.standard(2), discard_at_full=True),
        replace(Rules.standard(2), hand_size=1),
        replace(Rules.standard(3), ending=Ending.SPEEDRUN),
    ],
    ids=[
        "6p",
        "6suits",
        "one-of-each",
        "1strike",
        "3tokens",
        "halves",
        "at-full",
        "1card",
        "speed",
    ],
)
def test_rules_as_data(rules: Rules) -> None:
    deal = shuffled(rules, "rules")
    game = play(deal, **QUICK)
    assert not game.line.replay().legal_actions()
    assert game.score <= solve(Position.start(deal)).bound


def test_small_piles_are_played_exactly() -> None:
    """With few cards left the action is one of the best by the exact engine."""
    checked = 0
    for deal in deals(2, 8):
        game = play(deal, samples=0, nodes=1)
        near = (p for p in game.line.positions() if 0 < p.pile_size <= 5)
        for position in islice(near, 0, 12, 3):
            if position.end is not None:
                continue
            unordered = replace(position, pile=tuple(sorted(position.pile)), ordered=False)
            counts = Teller(unordered).counts(unordered)
            if max(counts.values())[1] == 0:
                continue
            chosen = Player(unordered, samples=0, nodes=10**6).choose(unordered)
            assert counts[chosen] == max(counts.values())
            checked += len(set(counts.values())) > 1
    assert checked > 5


def test_samples_find_better_actions() -> None:
    """Where the exact endgame gives up, sampled actions lose less of the exact chance."""
    lost = {0: Fraction(0), 400: Fraction(0)}
    for deal in deals(3, 30):
        for position in play(deal, samples=0, nodes=1).line.positions():
            if not 6 <= position.pile_size <= 8 or position.end is not None:
                continue
            unordered = replace(position, pile=tuple(sorted(position.pile)), ordered=False)
            wins = {action: low for action, (low, _) in Teller(unordered).values(unordered).items()}
            for samples in lost:
                chosen = Player(unordered, samples=samples, nodes=1).choose(unordered)
                lost[samples] += max(wins.values()) - wins[chosen]
    assert lost[400] < lost[0] / 2


def test_points_count_once_the_win_is_gone() -> None:
    """Every copy of a card is discarded: it still collects the rest."""
    start = Position.start(deals(3, 1)[0])
    gone = next(card for card in start.pile if card.rank == 5)
    pile = tuple(card for card in start.pile if card != gone)
    game = play(replace(start, pile=pile, discards=(gone,)), **QUICK)
    assert 21 <= game.score <= 24


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"ending": Ending.ENDLESS}, "final round"),
        ({"deck_play": True}, "draw pile"),
        ({"alternating_clues": True}, "alternating"),
    ],
)
def test_refuses_what_it_does_not_cover(changes: dict[str, Any], what: str) -> None:
    deal = shuffled(replace(Rules.standard(2), **changes), "refused")
    with pytest.raises(UnsupportedRulesError, match=what):
        require(deal)
    with pytest.raises(UnsupportedRulesError, match=what):
        play(deal)


def test_refuses_bad_numbers() -> None:
    deal = deals(2, 1)[0]
    for bad in ({"samples": -1}, {"nodes": 0}, {"seed": -1}, {"seed": 2**64}):
        with pytest.raises(InputError):
            play(deal, **bad)
    start = Position.start(deal)
    with pytest.raises(InputError, match="draw order"):
        play(start.unordered())
    with pytest.raises(InputError, match="a card in a hand is unknown"):
        Player(start).choose(as_seen(start, "hidden"))


def rows(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[Any]:
    assert main(["play", "--json", "--samples", "24", *arguments]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = rows(capsys, "random:0-1", "--players", "3")
    assert list(first) == [
        "name", "players", "variant", "score", "won", "bound", "winnable", "line", "link", "seconds"
    ]  # fmt: skip
    assert (first["name"], first["players"], first["won"]) == ("random:0", 3, first["score"] == 25)
    assert first["score"] <= first["bound"]
    assert "bound" not in rows(capsys, "random:1", "--players", "3", "--no-optimum")[0]
    assert second["line"] == rows(capsys, "random:1", "--players", "3", "--jobs", "2")[0]["line"]
    assert main(["replay", "--json", first["link"]]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert (replayed["score"], replayed["turns"]) == (first["score"], len(first["line"]))


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "random:0-2", "--players", "3", "--samples", "24"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith("3 games: ")
    assert "95% interval" in out
    assert "with the draw order known" in out
    assert main(["play", "p3v0s1", "--samples", "24"]) == 0
    assert re.search(r"of 25 \([a-z ]+\) played", capsys.readouterr().out)


def test_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "p3v0s1", "nothing", "p2v0s1", "--samples", "0"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("hanabi: nothing")
    assert out.splitlines()[-1].startswith("2 games")
    assert main(["play"]) == 2
    assert main(["play", "p2v0s1", "--seed", "-1"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_it(jobs: str) -> None:
    command = ["play", "random:0-9999", "--players", "2", "--samples", "100000", "--jobs", jobs]
    with subprocess.Popen(
        [sys.executable, "-m", "solver", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err
