"""Endgames: exact chances agree with the brute force, for every action, model and objective."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import brute_endgame as plain
from brute import Card as Pair
from brute import State, optimum
from nasty import nasty_position
from solver.endgames.endgame import (
    CUTS,
    MODELS,
    OBJECTIVES,
    Teller,
    Verdict,
    analyse,
    as_seen,
    useless_faces,
    worlds,
)
from solver.formats import positionfile
from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.puzzles.generate import Wanted, self_play
from strategies import brute_game, brute_state

CASES = Path(__file__).parent / "data" / "endgame_cases.jsonl"
MOST_STATES = 1_500


def positions(seed: int, count: int, most_cards: int = 10) -> Iterator[Position]:
    """Give small positions that are not over, their draw order known."""
    made = 0
    while made < count:
        chance = random.Random(f"endgame {seed} {made}")
        seed += 1_000_003
        position = nasty_position(chance, chance.randint(4, most_cards))
        gain = position.rules.stack_gain > position.rules.discard_gain
        if gain and not position.rules.discard_at_full:
            rules = replace(position.rules, stack_gain=position.rules.discard_gain)
            position = replace(position, rules=rules)
        if chance.random() < 0.3:
            position = replace(position, rules=replace(position.rules, deck_play=True))
        if position.end is None:
            made += 1
            yield position


def values(verdict: Verdict) -> dict[Action, Fraction]:
    assert verdict.exact
    return {action: choice.low for choice in verdict.choices for action in choice.actions}


def expected(found: dict[plain.Move, Fraction]) -> dict[Action, Fraction]:
    return {Action(Kind(move.kind), move.slot): value for move, value in found.items()}


def target_of(chance: random.Random, position: Position) -> int:
    full = position.rules.max_score
    return chance.choice((full, full, chance.randint(0, full), min(full, position.points + 1)))


def check_known(position: Position, target: int | None) -> None:
    game, state = brute_game(position.rules), brute_state(position)
    chances = plain.Chances(game, target)
    wanted = {}
    for move in chances.moves(state):
        if move.kind in (plain.CLUE, plain.DECK_PLAY) or not state.pile:
            after = chances.outcomes(state, move)[0][1]
        else:
            first, rest = state.pile[0], state.pile[1:]
            after = next(
                s._replace(pile=rest)
                for _, s in chances.outcomes(state, move)
                if s.hands[state.seat][-1] == first
            )
        wanted[move] = chances.scored(optimum(game, after))
    objective = "score" if target is None else "win"
    found = analyse(position, "known", objective, target)
    assert values(found) == expected(wanted), position.text()


def check_open(position: Position, target: int | None, states: int = MOST_STATES) -> bool:
    state = brute_state(position)
    try:
        wanted = plain.Chances(brute_game(position.rules), target, states).values(state)
    except plain.TooBig:
        return False
    found = analyse(position, "open", "score" if target is None else "win", target)
    assert values(found) == expected(wanted), position.text()
    return True


def masked(chance: random.Random, position: Position) -> Position:
    """Hide some cards of some hands, or none: then it is the mover's whole hand that counts."""
    if chance.random() < 0.5:
        return position
    hide = [p for p in range(len(position.hands)) if p == position.seat or chance.random() < 0.1]
    hands = list(position.hands)
    gone = []
    for p in hide:
        kept = [c if chance.random() < 0.5 else UNKNOWN for c in hands[p]]
        gone += [c for c, k in zip(hands[p], kept, strict=True) if k == UNKNOWN]
        hands[p] = tuple(kept)
    pile = tuple(sorted((*position.pile, *gone)))
    return replace(position, hands=tuple(hands), pile=pile)


def check_hidden(
    position: Position, target: int | None, chance: random.Random, states: int = MOST_STATES
) -> bool:
    seat = position.seat
    if any(UNKNOWN in hand for hand in position.hands):
        places = [
            (p, i) for p, h in enumerate(position.hands) for i, c in enumerate(h) if c == UNKNOWN
        ]
        pool = list(position.pile)
    else:
        places = [(seat, i) for i in range(len(position.hands[seat]))]
        pool = [*position.pile, *position.hands[seat]]
    possible = None
    if chance.random() < 0.4:
        faces = sorted(set(pool))
        possible = [
            None if chance.random() < 0.5 else chance.sample(faces, chance.randint(1, len(faces)))
            for _ in position.hands[seat]
        ]
        if not faces:
            possible = None

    def allowed(p: int, i: int, card: Pair) -> bool:
        if possible is None or p != seat:
            return True
        faces = possible[i]
        return faces is None or Card(*card) in faces

    pairs = tuple((c.suit, c.rank) for c in pool)
    chances = plain.Chances(brute_game(position.rules), target, states)
    try:
        wanted = chances.hidden(brute_state(position), places, pairs, allowed)
    except plain.TooBig:
        return False
    objective = "score" if target is None else "win"
    if wanted is None:
        with pytest.raises(InputError, match="no choice of cards"):
            analyse(position, "hidden", objective, target, possible=possible)
        return True
    found = analyse(position, "hidden", objective, target, possible=possible)
    what = position.text(), possible
    assert values(found) == expected(wanted[0]), what
    assert found.ceiling == wanted[1] >= found.high, what
    return True


def check_all(seed: int, count: int, most_cards: int = 10, states: int = MOST_STATES) -> int:
    """Compare every model and objective; give how many positions were small enough."""
    done = 0
    for number, position in enumerate(positions(seed, count, most_cards)):
        chance = random.Random(f"{seed} {number}")
        for target in (None, target_of(chance, position)):
            loose = position.unordered()
            if check_open(loose, target, states):
                done += 1
                check_known(position, target)
            check_hidden(masked(chance, loose), target, chance, states)
    return done


@pytest.mark.parametrize("seed", range(4))
def test_every_action_agrees_with_the_brute_force(seed: int) -> None:
    assert check_all(seed, 40) > 25


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 106))
def test_more_actions_agree_with_the_brute_force(seed: int) -> None:
    assert check_all(seed, 300, 11, 3_000) > 300


@cache
def close_ones() -> list[Position]:
    """Give ends of games with little to spare, under rules of all kinds."""
    made = []
    for number in range(60):
        chance = random.Random(f"close {number}")
        position = self_play(Wanted(2 + number % 4, 2 + number % 3), chance)
        if position is None:
            continue
        most = chance.choice((1, 2, 8))
        rules = replace(
            position.rules, max_clues=most, start_clues=most, max_strikes=chance.choice((1, 2, 3)),
            discard_at_full=chance.random() < 0.2, deck_play=chance.random() < 0.3,
            stack_gain=chance.choice((0, 1)),
        )  # fmt: skip
        made.append(replace(position, rules=rules, clues=chance.randint(0, most)))
    assert len(made) > 20
    return made


@pytest.mark.parametrize("cuts", [sum(CUTS.values()) - cut for cut in CUTS.values()] + [0])
def test_without_a_cut_the_values_are_the_same(cuts: int) -> None:
    for position in [*positions(12, 150, 14), *close_ones()]:
        chance = random.Random(position.text())
        for target in (None, position.rules.max_score, target_of(chance, position)):
            objective = "score" if target is None else "win"
            one, other = (
                Teller(position, objective, target, c).counts(position)
                for c in (sum(CUTS.values()), cuts)
            )
            assert one == other, position.text()


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


CHECKED = [row for row in rows() if row.get("check")]
AVERAGED = "average_over_unseen_own_cards_then_open_hands"


@cache
def case(name: str) -> Position:
    """Read a case; the one whose clues are restricted without that, which its check ignores too."""
    (row,) = [row for row in rows() if row["id"] == name]
    return unordered_if_known(positionfile.read(row))


def unordered_if_known(position: Position) -> Position:
    rules = replace(position.rules, untouchable=frozenset())
    position = replace(position, rules=rules)
    return position.unordered()


def named(position: Position, verdict: Verdict) -> dict[str, Fraction]:
    """Give values by the names of the cases file."""
    gone = useless_faces(position)
    found = {}
    for action, value in values(verdict).items():
        name = position.describe(action)
        if action.kind in (Kind.PLAY, Kind.DISCARD):
            card = position.hands[position.seat][action.slot]
            name = f"{name.split()[0]} trash" if card in gone else name
            if action.kind is Kind.PLAY and not position.is_playable(card):
                name = "mis" + name
        found[name] = value
    return found


def means_by_name(position: Position) -> dict[str, Fraction]:
    """Give the mean of what each name is worth over the worlds, 0 where a world has it not."""
    sums: dict[str, Fraction] = defaultdict(Fraction)
    total = 0
    for world, weight in worlds(position):
        total += weight
        for name, value in named(world, analyse(world)).items():
            sums[name] += weight * value
    return {name: value / total for name, value in sums.items()}


@pytest.mark.parametrize("row", CHECKED, ids=lambda row: str(row["id"]))
def test_case(row: dict[str, Any]) -> None:
    position, check = case(row["id"]), row["check"]
    full = Fraction(check["win_prob"])
    if check["model"] == AVERAGED:
        verdict = analyse(position, "hidden")
        assert verdict.ceiling == full
        assert verdict.high <= full
        averaged = means_by_name(position)
        for name, value in check["per_action"].items():
            assert averaged[name] == Fraction(value), name
        return
    if any(UNKNOWN in hand for hand in position.hands):
        ((position, _),) = worlds(position)  # all that is unknown is useless
    verdict = analyse(position)
    assert verdict.exact
    assert verdict.low == verdict.high == full
    if "winning_orderings" in check:
        won, orders = check["winning_orderings"]
        assert verdict.low == Fraction(won, orders)
    found = named(position, verdict)
    for name, value in check["per_action"].items():
        assert found[name] == Fraction(value), name
    best = {name for name, value in found.items() if value == full}
    assert set(check["optimal"]) <= best
    if check["unique_first_move"]:  # the file leaves out misplays where a discard is legal
        assert best & set(check["per_action"]) == set(check["optimal"])
    if "exp_score" in check:
        score = analyse(position, objective="score")
        assert score.low == score.high == Fraction(check["exp_score"])
        means = named(position, score)
        for name, value in check["exp_score_per_action"].items():
            assert means[name] == Fraction(value), name


def test_every_case_but_one_has_a_check() -> None:
    assert len(rows()) == 33
    assert [row["id"] for row in rows() if not row.get("check")] == ["bga-florrat-3"]
    untouchable = [row["id"] for row in CHECKED if positionfile.read(row).rules.untouchable]
    assert untouchable == ["hanablive-1874799-T23"]


DECK_PLAY = Action(Kind.DECK_PLAY)


def test_the_last_card_may_be_played_from_the_pile() -> None:
    position = Position.from_text("r:11111 r3 ktkt/r5kt r4 - 0/8 0/3 0 - deck-play")
    for model in ("known", "open"):
        verdict = analyse(position, model)
        assert verdict.low == 1
        assert [choice.actions for choice in verdict.best] == [(DECK_PLAY,)]
        plain = replace(position, rules=replace(position.rules, deck_play=False))
        assert analyse(plain, model).high == 0
    assert values(analyse(position, "hidden"))[DECK_PLAY] == Fraction(1, 3)
    useless = [USELESS]
    known = analyse(position, "hidden", possible=[useless, useless])
    assert values(known)[DECK_PLAY] == 1  # by elimination
    half = analyse(position, "hidden", possible=[useless, None])
    assert values(half)[DECK_PLAY] == Fraction(1, 2)


def test_one_order_left_is_a_known_order() -> None:
    seen = 0
    for position in positions(7, 400):
        if len(set(position.pile)) > 1:
            continue
        for objective in OBJECTIVES:
            seen += 1
            loose = analyse(position.unordered(), "open", objective)
            assert values(loose) == values(analyse(position, "known", objective)), position.text()
    assert seen > 200


def test_between_a_fixed_policy_and_knowing_the_order() -> None:
    chance = random.Random(8)
    seen = 0
    for position in positions(8, 200, 9):
        if not 1 < len(position.pile) < 5:
            continue
        game, state = brute_game(position.rules), brute_state(position)
        state = state._replace(pile=tuple(sorted(state.pile)))
        seen += 1
        ranking = {(kind, slot): chance.random() for kind in range(4) for slot in range(9)}

        def policy(now: State, moves: Collection[plain.Move], ranking: Any = ranking) -> plain.Move:
            def liking(move: plain.Move) -> float:
                return float(ranking[move.kind, move.slot])

            return max(moves, key=liking)

        for target in (None, target_of(chance, position)):
            found = analyse(position.unordered(), "open", "score" if target is None else "win",
                            target)  # fmt: skip
            assert found.low >= plain.policy_value(game, state, target, policy), position.text()
            assert found.low <= plain.clairvoyant(game, state, target), position.text()
    assert seen > 30


def relabelled(chance: random.Random, position: Position) -> Position:
    """Permute the suits."""
    order = list(range(len(position.stacks)))
    chance.shuffle(order)
    at = {old: new for new, old in enumerate(order)}

    def move(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(at[c.suit], c.rank) if c.is_face else c for c in cards)

    return replace(
        position,
        rules=replace(position.rules, suits=tuple(position.rules.suits[old] for old in order)),
        stacks=tuple(position.stacks[old] for old in order),
        hands=tuple(map(move, position.hands)),
        pile=tuple(sorted(move(position.pile))),
        discards=tuple(sorted(move(position.discards))),
    )


def test_names_of_suits_change_nothing() -> None:
    chance = random.Random(9)
    for position in positions(9, 150):
        loose = position.unordered()
        for objective in OBJECTIVES:
            for model in ("open", "hidden"):
                one = analyse(loose, model, objective)
                other = analyse(relabelled(chance, loose), model, objective)
                assert values(one) == values(other), position.text()


def test_same_question_same_answer() -> None:
    for position in positions(10, 60):
        loose = position.unordered()
        for limits in (Limits(), Limits(nodes=5)):
            one, other = (analyse(loose, limits=limits) for _ in range(2))
            assert (one.choices, one.states) == (other.choices, other.states)


def test_limits_leave_intervals_that_hold_the_value() -> None:
    left = 0
    for position in positions(11, 120):
        chance = random.Random(position.text())
        for model in MODELS:
            asked = position if model == "known" else position.unordered()
            for objective in OBJECTIVES:
                target = target_of(chance, position)
                exact = values(analyse(asked, model, objective, target))
                for nodes in (1, 2, 4, 8):
                    found = analyse(asked, model, objective, target, Limits(nodes=nodes))
                    left += not found.exact
                    for choice in found.choices:
                        for action in choice.actions:
                            assert choice.low <= exact[action] <= choice.high, position.text()
                    assert found.low <= max(exact.values()) <= found.high
    assert left > 50


@pytest.mark.parametrize(("name", "objective"), [
    ("clueless-1-fives-win-this", "score"), ("clueless-2-a-big-fuel-vessel", "win"),
])  # fmt: skip
def test_a_full_table_changes_no_value(
    name: str, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = analyse(case(name), objective=objective)
    monkeypatch.setattr("solver.endgames.endgame.MEMORY", 0)
    small = analyse(case(name), objective=objective)
    assert small.states < whole.states
    assert small.choices == whole.choices


def test_an_unknown_card_is_not_taken_for_a_useless_one() -> None:
    known = next(positions(1, 1)).unordered()
    hidden = as_seen(known, "hidden")
    for position in (known, hidden):
        with pytest.raises(InputError, match="a card in a hand is unknown"):
            Teller(position).values(hidden)


def test_choices_are_ranked_and_name_every_action_once() -> None:
    for position in positions(12, 100):
        verdict = analyse(position.unordered())
        named = [action for choice in verdict.choices for action in choice.actions]
        assert sorted(named) == sorted(position.legal_actions())
        highs = [choice.high for choice in verdict.choices]
        assert highs == sorted(highs, reverse=True)
        assert verdict.best[0] == verdict.choices[0]


@pytest.mark.parametrize(("model", "text", "words"), [
    ("known", "r:11111 r3 r4/kt ?r5kt - 0/8 0/3 0 -", "the draw order is unknown"),
    ("open", "r:11111 r3 xx/r4 ?r5kt - 0/8 0/3 0 -", "unknown: the model open needs every hand"),
    ("open", "r:11111 r5 kt/kt ?kt - 0/8 0/3 0 -", "the game is over: all stacks complete"),
    ("guess", "r:11111 r3 r4/kt ?r5 - 0/8 0/3 0 -", "model 'guess' is not one of known, open"),
])  # fmt: skip
def test_bad_questions(model: str, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        analyse(Position.from_text(text), model)


def test_refuses_what_it_does_not_cover() -> None:
    much = Position.from_text("r:11111 r3 r4/kt ?r5 - 0/8 0/3 0 - finish=2")
    with pytest.raises(UnsupportedRulesError, match="gives more than a discard"):
        analyse(much)
    pile = "kt" * 20
    with pytest.raises(UnsupportedRulesError, match="20 cards to be drawn: exact"):
        analyse(Position.from_text(f"rygb:32221 r3,y0,g0,b0 r4/kt ?{pile} - 0/8 0/3 0 -"))
    for target in (-1, 6):
        with pytest.raises(InputError, match=f"target is {target}, not 0 to 5"):
            analyse(Position.from_text("r:11111 r3 r4/kt ?r5 - 0/8 0/3 0 -"), target=target)


def test_useless_faces_follow_what_is_left() -> None:
    position = Position.from_text("ry:11111 r1,y4 r4r5/ktkt ?y5 r3 0/8 0/3 0 -")
    assert useless_faces(position) == {
        USELESS, *(Card(0, rank) for rank in (1, 2, 3, 4, 5)), *(Card(1, r) for r in (1, 2, 3, 4)),
    }  # fmt: skip
