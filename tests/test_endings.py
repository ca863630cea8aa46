"""Games without a final round, and games that are over once full marks are out of reach."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import brute_endgame as plain
from bare import bare_position
from nasty import bounded_optimum, nasty_position, with_deck_play
from solver.endgames.endgame import analyse
from solver.engines.search import ALL_RULES, PRUNING_RULES, solve
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.position import Action, End, Kind, Position
from solver.game.result import Limits
from solver.game.rules import Ending, Rules
from solver.game.suit import Suit
from solver.questions.explain import explain
from solver.reading.specs import deals
from solver.solving import choice
from solver.solving.certify import certify
from strategies import brute_game, brute_state
from test_kernel import walk

UNUSUAL = (Ending.ENDLESS, Ending.ENDLESS, Ending.ALL_OR_NOTHING, Ending.SPEEDRUN)


def with_ending(position: Position, ending: Ending, lost_scores: bool = False) -> Position:
    """Give the same cards under another ending; a final round begins where it must."""
    rules = replace(position.rules, ending=ending, lost_scores_stacks=lost_scores)
    turns = position.turns_left
    if not rules.has_final_round:
        turns = None
    elif not position.pile and turns is None:
        turns = rules.players
    return replace(position, rules=rules, turns_left=turns)


@cache
def case(seed: int) -> tuple[Position, int | None]:
    """Give a nasty position with an unusual ending, and its optimum, None if that takes long."""
    chance = random.Random(f"ending {seed}")
    ending = chance.choice(UNUSUAL)
    position = nasty_position(chance, chance.randint(6, 12))
    scores = position.rules.lost_scores_stacks and ending is Ending.ENDLESS
    position = with_ending(position, ending, scores)
    suits = position.rules.suits
    single = all(suit.order and suit.copies[suit.order[-1] - 1] == 1 for suit in suits)
    if single and chance.random() < 0.3:
        position = with_deck_play(position)
    return position, bounded_optimum(position)


def cases(seeds: range) -> Iterator[tuple[Position, int]]:
    for position, optimum in map(case, seeds):
        if optimum is not None:
            yield position, optimum


def agrees(position: Position, optimum: int, rules: int = ALL_RULES) -> None:
    result = solve(position, rules=rules)
    if position.rules.ending is Ending.SPEEDRUN and optimum < position.rules.max_score:
        # The search asks for full marks alone there.
        assert result.winnable is False, position.text()
        assert result.bound >= optimum, position.text()
    else:
        assert (result.score, result.bound) == (optimum, optimum), (position.text(), rules)


def test_the_search_finds_the_optimum() -> None:
    for position, optimum in cases(range(600)):
        agrees(position, optimum)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_the_search_finds_many_optima(block: int) -> None:
    for position, optimum in cases(range(600 + 1000 * block, 1600 + 1000 * block)):
        agrees(position, optimum)


@pytest.mark.parametrize("name", PRUNING_RULES)
def test_pruning_rules_keep_the_optimum(name: str) -> None:
    for position, optimum in cases(range(150)):
        agrees(position, optimum, ALL_RULES - PRUNING_RULES[name])
        agrees(position, optimum, PRUNING_RULES[name])


def test_games_in_lockstep() -> None:
    for seed in range(150):
        walk(case(seed)[0], random.Random(seed))


def test_endgames_have_exact_chances() -> None:
    seen = 0
    for seed in range(120):
        position, _ = case(seed)
        rules = position.rules
        if rules.stack_gain > rules.discard_gain and not rules.discard_at_full:
            position = replace(position, rules=replace(rules, stack_gain=rules.discard_gain))
        if position.end is not None:
            continue
        position = replace(position, pile=tuple(sorted(position.pile)), ordered=False)
        full = rules.max_score
        for target in (None, random.Random(seed).choice((full, full, 0, full // 2))):
            try:
                chances = plain.Chances(brute_game(position.rules), target, 1000)
                wanted = chances.values(brute_state(position))
            except plain.TooBig:
                continue
            found = analyse(position, "open", "score" if target is None else "win", target)
            got = {a: (choice.low, choice.high) for choice in found.choices for a in choice.actions}
            assert got == {Action(Kind(m.kind), m.slot): (v, v) for m, v in wanted.items()}
            seen += 1
    assert seen > 80


def test_known_endgames_without_a_final_round() -> None:
    for seed in range(60):
        position, optimum = case(seed)
        if optimum is None or position.end is not None or not position.rules.only_full_marks:
            continue
        assert analyse(position, "known", "score").low == optimum


def normal(seed: int) -> Position:
    chance = random.Random(f"normal {seed}")
    position = with_ending(nasty_position(chance, 11), Ending.FINAL_ROUND)
    return replace(position, turns_left=None if position.pile else position.rules.players)


def test_endless_is_never_worse_than_a_final_round() -> None:
    """If points count in both, and for full marks where nothing else counts."""
    more = 0
    for seed in range(300):
        position = normal(seed)
        if position.end is End.STRIKES:
            continue  # what a lost game scores is another rule
        here = solve(position).score
        endless = solve(with_ending(position, Ending.ENDLESS, True)).score
        only_full = solve(with_ending(position, Ending.ENDLESS)).score
        nothing = solve(with_ending(position, Ending.ALL_OR_NOTHING)).score
        full = position.rules.max_score
        assert endless >= here
        assert only_full == nothing == (full if endless == full else 0)
        more += endless > here
    assert more > 20


def test_hands_shrink_and_the_show_goes_on() -> None:
    text = "ry:111 r0,y0 y3y2/r3r2 y1r1 - 2/8 0/3 0 -"
    position = Position.from_text(f"{text} ending=endless hand=2")
    won = choice.solve(position)
    assert won.score == won.bound == 0, "the first to act must throw away a card that is needed"
    text = "ry:211 r0,y0 y3r1/r3r2 r1y2y1y1 - 2/8 0/3 0 -"
    position = Position.from_text(f"{text} ending=endless hand=2")
    won = choice.solve(position)
    assert (won.score, won.winnable) == (6, True)
    last = won.line.replay()
    assert last.turns_left is None
    assert last.end is End.COMPLETE
    assert choice.solve(with_ending(position, Ending.FINAL_ROUND)).score < 6


def test_what_a_failed_show_scores() -> None:
    text = "ry:111 r2,y0 y3r3/y1y2 - - 2/8 0/3 0 - ending={} hand=2"
    for ending in ("endless", "all-or-nothing"):
        position = Position.from_text(text.format(ending))
        assert position.score == 0
        assert position.end is None
        lost = position.after(Action(Kind.DISCARD, 1))
        assert lost.end is End.OUT_OF_REACH
        assert lost.score == 0
        assert not lost.legal_actions()
    scored = Position.from_text(text.format("endless lost-scores")).after(Action(Kind.DISCARD, 1))
    assert scored.end is None
    assert scored.score == 2


def test_a_speedrun_keeps_its_points_until_a_card_is_lost() -> None:
    text = "ry:111 r2,y0 y3r3/y1y2 - - 2/8 0/3 0 {} ending=speedrun hand=2"
    position = Position.from_text(text.format(1))
    assert position.after(Action(Kind.PLAY, 1)).score == 3
    assert position.after(Action(Kind.CLUE)).score == 2
    assert position.after(Action(Kind.DISCARD, 0)).score == 0


def test_nobody_can_act() -> None:
    text = "ry:111 r3,y2 -/y3 - - 0/8 0/3 0 - ending={} hand=1"
    stuck = Position.from_text(text.format("endless"))
    assert stuck.end is End.STUCK
    assert stuck.score == 0
    assert Position.from_text(text.format("endless lost-scores")).score == 5
    assert solve(stuck).bound == 0
    clued = Position.from_text(text.replace("0/8", "1/8").format("all-or-nothing"))
    assert solve(clued).score == 6


def test_texts_and_contradictions() -> None:
    for seed in range(40):
        position, _ = case(seed)
        assert Position.from_text(position.text()) == position
    with pytest.raises(InputError, match="contradicts"):
        replace(Rules.standard(2), ending=Ending.SPEEDRUN, lost_scores_stacks=True)
    with pytest.raises(InputError, match="turns left"):
        Position.from_text("ry:111 r0,y0 r1/y1 - - 1/8 0/3 0 2 ending=endless")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_endless_deals_of_full_size(players: int) -> None:
    for deal in deals("random:0-9", players):
        assert isinstance(deal, Deal)
        endless = Deal(replace(deal.rules, ending=Ending.ENDLESS), deal.deck)
        result = choice.solve(endless)
        assert result.proven
        assert result.winnable or choice.solve(deal).winnable is False


def test_why_an_endless_deal_is_lost() -> None:
    chance = random.Random(0)
    suits = tuple(Suit(letter, (2, 2, 2, 1)) for letter in "rygb")
    kinds = set()
    for _ in range(60):
        made = Rules(2, 2, suits, ending=Ending.ENDLESS, max_strikes=1)
        deck = made.sorted_deck()
        chance.shuffle(deck)
        explanation = explain(Deal(made, tuple(deck)))
        if explanation.loss is not None:
            kinds.add(explanation.loss.kind)
            assert explanation.result.score == 0
    assert "overflow" in kinds


def test_no_proof_without_a_final_round() -> None:
    chance = random.Random(0)
    made = Rules(2, 2, tuple(Suit(s, (1, 1, 1)) for s in "rygb"), ending=Ending.ENDLESS)
    deck = made.sorted_deck()
    lost = None
    while lost is None:
        chance.shuffle(deck)
        found = solve(Position.start(Deal(made, tuple(deck))))
        lost = found if found.winnable is False else None
    with pytest.raises(UnsupportedRulesError, match="endless"):
        certify(lost)


def test_limits_leave_it_open() -> None:
    deal = next(iter(deals("random:3", 2)))
    assert isinstance(deal, Deal)
    position = Position.start(Deal(replace(deal.rules, ending=Ending.ENDLESS), deal.deck))
    result = solve(position, Limits(nodes=5))
    assert (result.score, result.bound, result.stopped) == (0, 25, "nodes")


def check_engine(engine: str, seeds: range) -> None:
    for position, optimum in cases(seeds):
        result = choice.solve(position, engine=engine)
        assert (result.score, result.bound) == (optimum, optimum), position.text()


@pytest.mark.parametrize(("engine", "count"), [("auto", 150), ("sat", 100), ("cpsat", 40)])
def test_every_engine_finds_the_optimum(engine: str, count: int) -> None:
    check_engine(engine, range(count))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["auto", "sat", "cpsat"])
def test_every_engine_finds_many_optima(engine: str) -> None:
    check_engine(engine, range(150, 1200))


@pytest.mark.parametrize("engine", ["search", "sat"])
def test_clues_that_can_be_illegal(engine: str) -> None:
    seen = 0
    for seed in range(60):
        chance = random.Random(f"bare ending {seed}")
        ending = chance.choice((Ending.ENDLESS, Ending.ALL_OR_NOTHING))
        scores = ending is Ending.ENDLESS and chance.random() < 0.3
        position = with_ending(bare_position(chance), ending, scores)
        optimum = bounded_optimum(position)
        if optimum is not None:
            result = choice.solve(position, engine=engine)
            assert (result.score, result.bound) == (optimum, optimum), position.text()
            seen += optimum > 0
    assert seen > 10


def test_plays_from_the_pile_that_no_engine_covers() -> None:
    """The proofs need a suit's last card to be the only one of its kind."""
    made = Rules(2, 2, (Suit("r", (1, 1, 2)), Suit("y", (2, 2, 1))), ending=Ending.ENDLESS,
                 deck_play=True)  # fmt: skip
    deal = Deal(made, tuple(made.sorted_deck()))
    for engine in choice.ENGINES:
        with pytest.raises(UnsupportedRulesError, match="several copies of the last card"):
            choice.solve(deal, engine=engine)


def test_targets_where_only_full_marks_count() -> None:
    for position, optimum in cases(range(60)):
        full = position.rules.max_score
        for target in {1, full} if position.rules.only_full_marks else ():
            for engine in ("search", "sat", "cpsat"):
                result = choice.solve(position, Limits(target=target), engine)
                assert (result.score >= target) == (optimum >= target), (engine, position.text())
                assert (result.bound >= target) == (optimum >= target), (engine, position.text())
