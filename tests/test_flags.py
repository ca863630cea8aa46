"""Every field of `Rules`, and every question: the brute force agrees, or the rules are refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import pytest

import test_endgame
from nasty import bounded_optimum, nasty_rules
from solver.engines import cpsat, sat, search
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits
from solver.game.rules import Ending, Rules
from solver.game.suit import Suit
from solver.players import openhands
from solver.proofs.certificate import verify
from solver.puzzles.judge import examine
from solver.questions.explain import explain
from solver.questions.review import review_line
from solver.solving import cascade
from solver.solving.certify import OutOfTimeError, certify
from solver.surveys import bulk

Make = Callable[[random.Random, Rules], dict[str, Any]]


def some(chance: random.Random, rules: Rules) -> frozenset[Card]:
    """Give about half of the faces, but one at least."""
    faces = rules.faces()
    return frozenset(chance.sample(faces, max(1, len(faces) // 2)))


def ending(of: Ending, lost: bool = False) -> Make:
    """Make games end in this way."""
    return lambda *_: {"ending": of, "lost_scores_stacks": lost}


def value(name: str, *values: object) -> Make:
    """Give a field one of some values."""
    return lambda chance, _: {name: chance.choice(values)}


def price(chance: random.Random, _: Rules) -> dict[str, Any]:
    """Make clues cost more than a token."""
    cost = chance.choice((2, 3))
    most = cost * chance.choice((1, 2)) + chance.randint(0, 1)
    return {"clue_price": cost, "max_clues": most, "start_clues": chance.randint(0, most)}


def suits(make: Callable[[Suit, random.Random], Suit]) -> Make:
    """Build the suits in other ways."""
    return lambda chance, rules: {"suits": tuple(make(suit, chance) for suit in rules.suits)}


FLAGS: dict[str, Make] = {
    "players": lambda *_: {},
    "hand_size": lambda *_: {},
    "suits: in an order": suits(
        lambda s, chance: Suit.ordered(
            s.letter, s.copies, chance.sample(range(1, s.ranks + 1), s.ranks)
        )
    ),
    "suits: from anywhere": suits(lambda s, _: Suit.cyclic(s.letter, s.copies)),
    "suits: both ways": suits(
        lambda s, _: Suit.up_or_down(s.letter, s.copies) if s.ranks >= 3 else s
    ),
    "first_player": lambda chance, rules: {"first_player": chance.randrange(rules.players)},
    "max_clues": lambda chance, _: {"max_clues": (n := chance.randint(1, 4)), "start_clues": n},
    "start_clues": value("start_clues", 0),
    "clue_price": price,
    "discard_gain": value("discard_gain", 0, 2),
    "stack_gain": value("stack_gain", 0, 2, 3),
    "max_strikes": value("max_strikes", 1, 2),
    "discard_at_full": value("discard_at_full", True),
    "empty_clues": lambda chance, rules: {"empty_clues": True, "untouchable": some(chance, rules)},
    "untouchable": lambda chance, rules: {"untouchable": some(chance, rules)},
    "alternating_clues": value("alternating_clues", True),
    "colour_only": lambda chance, rules: {
        "alternating_clues": True, "colour_only": some(chance, rules)
    },
    "rank_only": lambda chance, rules: {
        "alternating_clues": True, "rank_only": some(chance, rules)
    },
    "ending: speedrun": ending(Ending.SPEEDRUN),
    "ending: endless": ending(Ending.ENDLESS),
    "ending: all-or-nothing": ending(Ending.ALL_OR_NOTHING),
    "lost_scores_stacks": value("lost_scores_stacks", True),
    "lost_scores_stacks: endless": ending(Ending.ENDLESS, lost=True),
    "deck_play": value("deck_play", True),
    "different_starts": lambda _, rules: {
        "different_starts": True,
        "suits": tuple(Suit.cyclic(suit.letter, suit.copies) for suit in rules.suits),
    },
}  # fmt: skip
"""Fields, and how to give them values that are not usual ones."""

WAYS = {"suits: from anywhere", "suits: both ways", "different_starts"}
CLUES = {"untouchable", "alternating_clues", "colour_only", "rank_only"}
ENDLESS = {"ending: endless", "ending: all-or-nothing", "lost_scores_stacks: endless"}
REFUSED = {
    "certificate": {*ENDLESS, "ending: speedrun"},
    "player": {*WAYS, *CLUES, *ENDLESS, "deck_play"},
    "endgame": {"stack_gain", "discard_gain"},
    "puzzle": {"stack_gain", "discard_gain", *CLUES},
}
"""What may be refused for rules with a flag; nothing else."""


def test_every_field_has_a_flag() -> None:
    named = {flag.partition(":")[0] for flag in FLAGS}
    assert named == {field.name for field in fields(Rules)} - {"book"}


def positions(
    flags: Sequence[str], seeds: range
) -> Iterator[tuple[list[Position], list[int]]]:  # fmt: skip
    """Give the positions of beginnings of small games with flags, and their optima."""
    for seed in seeds:
        chance = random.Random(f"{flags} {seed}")
        rules = nasty_rules(chance, 8)
        base = replace(
            rules, first_player=0, clue_price=1, discard_gain=1, stack_gain=1,
            discard_at_full=False, empty_clues=False, lost_scores_stacks=False,
            suits=tuple(Suit(suit.letter, suit.copies) for suit in rules.suits),
        )  # fmt: skip
        try:
            rules = base
            for flag in flags:
                rules = replace(rules, **FLAGS[flag](chance, rules))
        except InputError:  # such as starts that differ in suits with too few ranks
            continue
        deck = rules.sorted_deck()
        chance.shuffle(deck)
        played = [Position.start(Deal(rules, tuple(deck)))]
        for _ in range(chance.choice((0, 0, 2, 5))):
            if actions := played[-1].legal_actions():
                played.append(played[-1].after(chance.choice(actions)))
        best = [bounded_optimum(position) for position in played]
        if None not in best:
            yield played, [score for score in best if score is not None]


def engines(position: Position, best: int, heavy: bool) -> None:
    """Ask every engine, without limits and with small ones."""
    for engine in (search, sat, cascade, *([cpsat] if heavy else [])):
        engine.require(position)
        result = engine.solve(position)
        assert result.score <= best <= result.bound
        open_ = engine is search and position.rules.ending is Ending.SPEEDRUN
        assert result.proven or open_
        for nodes in (1, 7):
            result = engine.solve(position, Limits(nodes))
            assert result.score <= best <= result.bound


def lost(position: Position, best: int) -> None:
    """Ask why it is lost, if it is."""
    full = position.rules.max_score
    if position.end is None and best == full:
        caps = [suit.full for suit in position.rules.suits]
        assert not any(search.lost_on(rung, position, caps) for rung in search.LADDER)
    assert explain(position, Limits(nodes=3)).winnable in (None, best == full)
    assert explain(position).winnable is (best == full)


def deals(start: Position, best: int) -> None:
    """Ask what surveys ask."""
    deck = [card for cards in (*start.hands, start.pile) for card in cards]
    for nodes in (1, 500_000):
        (outcome,) = bulk.solve_bulk([Deal(start.rules, tuple(deck))], nodes)
        assert outcome.score <= best <= outcome.bound
        assert nodes == 1 or outcome.score == outcome.bound
        assert not (outcome.rung and best == start.rules.max_score)


def certificate(position: Position, best: int) -> None:
    """Prove the optimum."""
    try:
        assert verify(certify(cascade.solve(position), 5)).optimum == best
    except OutOfTimeError:
        return


def play(position: Position, best: int) -> None:
    """Let the player play it out."""
    openhands.require(position)
    if position.end is None:
        assert openhands.play(position, samples=2, nodes=50).score <= best


def endgame(position: Position, best: int) -> None:
    """Ask for chances, with the order known, open, and hands hidden."""
    if position.end is None:
        chance = random.Random(position.text())
        for target in (None, chance.randint(0, position.rules.max_score)):
            test_endgame.check_known(position, target)
            loose = position.unordered()
            test_endgame.check_open(loose, target, 300)
            hidden = test_endgame.masked(chance, loose)
            try:
                test_endgame.check_hidden(hidden, target, chance, 150)
            except UnsupportedRulesError as error:
                if "depends on an unknown card" not in str(error):
                    raise


def puzzle(position: Position, best: int) -> None:
    """Judge it as a puzzle in which the order is known."""
    if position.end is None and position.pile_size < 4:
        report = examine(position, "known")
        assert report.value == (best == position.rules.max_score)
        assert isinstance(report.faults(), list)


def reviewed(played: list[Position], best: list[int]) -> None:
    """Review the beginning of the game."""
    start = played[0]
    if start.end is None and len(played) > 1:
        actions = []
        for before, after in pairwise(played):
            actions.append(next(a for a in before.legal_actions() if before.after(a) == after))
        line = Line(start, tuple(actions))
        for limits in (Limits(nodes=3), Limits(nodes=10**6)):
            turns = review_line(line, limits=limits).turns
            for turn, (was, now) in zip(turns, pairwise(best), strict=True):
                assert turn.before.low <= was <= turn.before.high
                assert turn.after.low <= now <= turn.after.high


def refused(name: str, flags: Sequence[str]) -> bool:
    """Whether a question may be refused for rules with these flags."""
    if "deck_play" in flags and ENDLESS.intersection(flags):
        return True
    return bool(REFUSED.get(name, set()).intersection(flags))


def check(flags: Sequence[str], seeds: range) -> Counter[str]:
    """Ask everything; count the answers and refusals."""
    done: Counter[str] = Counter()

    def ask(name: str, question: Callable[..., None], *args: Any) -> None:
        try:
            question(*args)
            done[name] += 1
        except UnsupportedRulesError:
            if not refused(name, flags):
                raise
            done[f"{name} refused"] += 1
        except AssertionError as error:
            raise AssertionError(f"{name}: {args[0]}") from error

    for number, (played, best) in enumerate(positions(flags, seeds)):
        last = played[-1]
        ask("engines", engines, last, best[-1], number % 4 == 0)
        ask("lost", lost, last, best[-1])
        ask("certificate", certificate, last, best[-1])
        ask("player", play, last, best[-1])
        ask("endgame", endgame, last, best[-1])
        ask("puzzle", puzzle, last, best[-1])
        ask("deals", deals, played[0], best[0])
        ask("review", reviewed, played, best)
    return done


@pytest.mark.parametrize("flag", FLAGS)
def test_every_question(flag: str) -> None:
    done = check([flag], range(4))
    assert done["engines"] >= 1, done


@pytest.mark.slow
@pytest.mark.parametrize("flag", FLAGS)
def test_every_question_with_two_flags(flag: str) -> None:
    for other in FLAGS:
        check([flag, other], range(1))
