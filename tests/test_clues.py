"""Clues that can be illegal: every engine decides such positions as the brute force does."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bare import bare_position, bare_rules, with_other_ending
from forked import forked_position
from nasty import bounded_optimum, middling_position, nasty_position
from solver.engines.search import ALL_RULES, _relaxed, solve
from solver.formats import positionfile
from solver.formats.hanablive import deal_of_seed, game_of
from solver.formats.link import decode
from solver.formats.variants import Variant, find, names
from solver.game import clues
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.game.rules import COLOUR, RANK, Ending, Rules
from solver.game.suit import Suit
from solver.models.events import EventModel
from solver.models.playout import final_round
from solver.models.strict import Strict, different, state_of
from solver.proofs.certificate import verify
from solver.questions.explain import explain
from solver.questions.sentences import sentence
from solver.solving import choice
from solver.solving.certify import certify
from solver.surveys import bulk
from solver.tables.rows import game_link, made_game
from strategies import brute_optimum

with (Path(__file__).parent / "data" / "bare_optima.csv").open() as file:
    GOLDEN = list(csv.DictReader(file))

CAN_FAIL = [
    number
    for number in range(len(names()))
    if ((rules := find(number).rules(2)).untouchable or rules.alternating_clues)
    and not rules.empty_clues
]
"""The variants in which some clue can be illegal."""


def test_number_of_variants() -> None:
    assert len([n for n in CAN_FAIL if find(n).rules(2).alternating_clues]) == 30
    assert len(CAN_FAIL) == 464


@cache
def optimum(seed: int) -> int | None:
    return bounded_optimum(bare_position(random.Random(seed)))


def bare(seeds: range, count: int) -> Iterator[tuple[Position, int]]:
    """Give positions in which a clue may fail, and their optimum by the brute force."""
    found = 0
    for seed in seeds:
        position = bare_position(random.Random(seed))
        if clues.is_free(position):
            continue
        best = optimum(seed)
        if best is None:
            continue
        yield position, best
        found += 1
        if found == count:
            return
    raise AssertionError(f"only {found} such positions")


@pytest.mark.parametrize(
    ("engine", "count"),
    [
        ("search", 100),
        ("sat", 50),
        ("cpsat", 20),
        ("auto", 30),
        pytest.param("search", 1500, marks=pytest.mark.slow),
        pytest.param("sat", 500, marks=pytest.mark.slow),
        pytest.param("cpsat", 150, marks=pytest.mark.slow),
    ],
)
def test_engines_agree_with_the_brute_force(engine: str, count: int) -> None:
    module = import_module(choice.ENGINES[engine])
    differ = 0
    for position, best in bare(range(20 * count), count):
        result = module.solve(position)
        assert (result.score, result.bound) == (best, best), position
        differ += result.score != solve(clues.free(position)).score
    assert differ > count / 20  # legality mattered


@pytest.mark.parametrize(
    ("engine", "count"),
    [
        ("search", 150),
        ("sat", 60),
        ("cpsat", 20),
        pytest.param("search", 1500, marks=pytest.mark.slow),
        pytest.param("sat", 300, marks=pytest.mark.slow),
    ],
)
def test_other_endings(engine: str, count: int) -> None:
    """The search leaves speedruns open that cannot have full marks."""
    module = import_module(choice.ENGINES[engine])
    decided = 0
    for seed in range(count):
        chance = random.Random(seed)
        position = with_other_ending(chance, bare_position(chance))
        best = None if clues.is_free(position) else bounded_optimum(position)
        if best is None:
            continue
        try:
            result = module.solve(position)
        except UnsupportedRulesError:
            continue
        assert result.score <= best <= result.bound
        decided += result.proven
        if engine != "search" or position.rules.ending is not Ending.SPEEDRUN:
            assert result.proven
    assert decided > count / 4


def test_suits_built_in_several_ways() -> None:
    done = 0
    for seed in range(60):
        chance = random.Random(seed)
        position = forked_position(chance, 8)
        position = replace(position, rules=bare_rules(chance, position.rules))
        best = None if clues.is_free(position) else bounded_optimum(position)
        if best is None:
            continue
        try:
            result = solve(position)
        except UnsupportedRulesError:
            continue
        done += 1
        assert result.score <= best <= result.bound, position
        if position.rules.ending is not Ending.SPEEDRUN:
            assert result.proven
    assert done > 25


@pytest.mark.parametrize("row", GOLDEN, ids=[str(n) for n in range(len(GOLDEN))])
def test_golden(row: dict[str, str]) -> None:
    position = Position.from_text(row["position"])
    assert position.text() == row["position"]
    for engine in ("search", "sat"):
        result = choice.solve(position, engine=engine)
        assert (result.score, result.bound) == (int(row["optimum"]),) * 2, engine
    free = solve(clues.free(position))
    assert free.score == int(row["optimum_with_free_clues"]) > int(row["optimum"])


@pytest.mark.slow
def test_golden_by_the_brute_force() -> None:
    for row in GOLDEN:
        position = Position.from_text(row["position"])
        assert brute_optimum(position) == int(row["optimum"])
        assert brute_optimum(clues.free(position)) == int(row["optimum_with_free_clues"])


def test_a_suit_that_nothing_touches_and_empty_clues_are_the_plain_game() -> None:
    for seed in range(60):
        plain = nasty_position(random.Random(seed))
        bare_faces = frozenset(c for c in plain.rules.faces() if c.suit == 0)
        rules = replace(plain.rules, untouchable=bare_faces, empty_clues=True)
        position = replace(plain, rules=rules)
        assert clues.is_free(position)
        assert position.legal_actions() == plain.legal_actions()
        ours, theirs = solve(position), solve(plain)
        assert (ours.score, ours.line.actions) == (theirs.score, theirs.line.actions)


def test_free_clues_are_counted_rightly() -> None:
    """Where none can fail, no game that is played comes to a seat that can pay and not clue."""
    free = 0
    for seed in range(400):
        chance = random.Random(seed)
        position = bare_position(chance)
        expected = clues.is_free(position)
        free += expected
        while expected and (legal := position.legal_actions()):
            others = [h for p, h in enumerate(position.hands) if p != position.seat and h]
            if position.clues >= position.rules.clue_price and others:
                both = position.rules.alternating_clues and not position.last_clue
                assert len(position.clue_types()) == 1 + both
            position = position.after(chance.choice(legal))
    assert 40 < free < 360


def untouchable_hand(rules: Rules) -> Position:
    """Deal so that seat 1 holds only cards of the last suit."""
    last = len(rules.suits) - 1
    deck = sorted(rules.sorted_deck(), key=lambda card: card.suit)
    size = rules.hand_size
    bare_cards = [card for card in deck if card.suit == last][:size]
    rest = [card for card in deck if card.suit != last]
    left = list(rules.sorted_deck())
    first = rest[:size]
    for card in (*first, *bare_cards):
        left.remove(card)
    return Position.start(Deal(rules, (*first, *bare_cards, *left)))


def test_no_clue_for_a_hand_that_nothing_touches() -> None:
    position = untouchable_hand(find("Null (5 Suits)").rules(2))
    assert not position.can_clue()
    assert all(action.kind is Kind.PLAY for action in position.legal_actions())
    assert "no other hand has a card" in str(position.why_illegal(Action(Kind.CLUE)))


def test_types_of_clues() -> None:
    position = untouchable_hand(find("Alternating Clues & White (5 Suits)").rules(2))
    assert position.clue_types() == [RANK]
    assert "type of this one is not said" in str(position.why_illegal(Action(Kind.CLUE)))
    assert "this type" in str(position.why_illegal(Action(Kind.CLUE, COLOUR)))
    after = position.after(Action(Kind.CLUE, RANK))
    assert after.last_clue == RANK
    assert after.clue_types() == [COLOUR]
    assert "same type" in str(after.why_illegal(Action(Kind.CLUE, RANK)))
    assert after.describe(Action(Kind.CLUE, COLOUR)) == "colour clue"
    assert "last=rank" in after.text()
    assert Position.from_text(after.text()) == after
    again = after.after(Action(Kind.CLUE, COLOUR))
    assert again.last_clue == COLOUR
    assert again.after(Action(Kind.PLAY, 0)).last_clue == COLOUR


def test_rules_say_what_types_touch() -> None:
    white = find("Alternating Clues & White (5 Suits)").rules(3)
    brown = find("Alternating Clues & Brown (5 Suits)").rules(3)
    null = find("Alternating Clues & Null (5 Suits)").rules(3)
    suit = {Card(4, rank) for rank in range(1, 6)}
    sets = [[set(r.rank_only), set(r.colour_only), set(r.untouchable)]
            for r in (white, brown, null)]  # fmt: skip
    assert sets == [[suit, set(), set()], [set(), suit, set()], [set(), set(), suit]]
    assert all(rules.alternating_clues for rules in (white, brown, null))
    plain = find("Alternating Clues (5 Suits)").rules(3)
    assert plain == Rules.standard(3)
    assert not find("Alternating Clues & White (5 Suits)").rules(3, empty_clues=True).rank_only


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rank_only": frozenset([Card(0, 1)])}, "count only where clues alternate"),
        (
            {"rank_only": frozenset([Card(0, 1)]), "untouchable": frozenset([Card(0, 1)]),
             "alternating_clues": True},
            "which another of these has too",
        ),
        ({"colour_only": frozenset([Card(7, 1)])}, "which is no card of this game"),
    ],
)  # fmt: skip
def test_wrong_rules(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rules(2, 5, (Suit("r"), Suit("y")), **fields)  # type: ignore[arg-type]


def test_wrong_last_clue() -> None:
    with pytest.raises(InputError, match="last clue"):
        replace(nasty_position(random.Random(1)), last_clue=COLOUR)
    with pytest.raises(InputError, match="last: 'blue' is not colour or rank"):
        Position.from_text("r:2211 r0 r1/r2 r3r1r2r4 - 8/8 0/3 0 - alternating-clues last=blue")


def test_states_that_are_alike_have_one_optimum() -> None:
    """What `Strict` takes for one state is one by the brute force too."""
    met = 0
    for seed in range(120):
        chance = random.Random(seed)
        position = bare_position(chance, most_cards=7)
        hands = tuple(tuple(chance.sample(hand, len(hand))) for hand in position.hands)
        assert state_of(replace(position, hands=hands)) == state_of(position)
        assert set(different(position)) <= set(position.legal_actions())
        known: dict[object, int] = {}
        for _ in range(12):
            moment = position
            while legal := moment.legal_actions():
                moment = moment.after(chance.choice(legal))
                if (key := state_of(moment)) in known:
                    met += 1
                    assert known[key] == brute_optimum(moment)
                else:
                    known[key] = brute_optimum(moment)
    assert met > 500


def test_useless_cards_are_told_apart_by_what_touches_them() -> None:
    text = "ryg:221 r1,y1,g1 {}r3/g2g3 r2y2 - 1/2 0/3 0 - untouchable=r1r2r3y1"

    def state(word: str) -> object:
        return state_of(Position.from_text(text.format(word)))

    assert state("r1") == state("y1") != state("g1") == state("kt")
    position = Position.from_text(text.format("r1").replace("r3/", "g1/"))
    discards = [a for a in different(position) if a.kind is Kind.DISCARD]
    assert [a.slot for a in discards] == [0, 1]


def test_whole_rounds_of_clues_may_come_anywhere_if_one_can_fail() -> None:
    position = Position.from_text("ry:221 r0,y0 r1y3/r2r3 r1y1y2y2r2y1 - 8/8 0/3 0 -")
    rules = replace(position.rules, untouchable=frozenset([Card(0, 2), Card(0, 3)]))
    assert EventModel(position).most_wasted == 1
    assert EventModel(replace(position, rules=rules)).most_wasted == 4


def test_a_limit_leaves_two_bounds() -> None:
    stopped = 0
    for seed in range(60):
        position = bare_position(random.Random(seed), most_cards=16)
        exact = solve(position, Limits(nodes=200_000))
        for nodes in (1, 3, 10):
            result = solve(position, Limits(nodes=nodes))
            assert result.score <= exact.bound
            assert result.bound >= exact.score
            assert result.proven or result.stopped == "nodes"
            stopped += bool(result.stopped)
            again = solve(position, Limits(nodes=nodes))
            assert (again.score, again.bound, again.nodes) == (
                result.score, result.bound, result.nodes,
            )  # fmt: skip
        target = solve(position, Limits(target=max(exact.score, 0)))
        assert target.score >= exact.score
        above = solve(position, Limits(target=exact.score + 1))
        assert above.bound < exact.score + 1 or not exact.proven
    assert stopped > 20


def test_final_rounds() -> None:
    count = 0
    for seed in range(600):
        position = bare_position(random.Random(seed), most_cards=8)
        if position.turns_left is None:
            continue
        count += 1
        assert final_round(position).replay().score == brute_optimum(position)
    assert count > 50


@pytest.mark.parametrize("players", [2, 3])
def test_search_and_sat_agree_beyond_the_brute_force(players: int) -> None:
    for seed in range(4):
        plain = middling_position(random.Random(seed + 10 * players))
        suit = frozenset(c for c in plain.rules.faces() if c.suit < 2)
        position = replace(plain, rules=replace(plain.rules, untouchable=suit))
        ours, theirs = solve(position, Limits(nodes=100_000)), choice.solve(position, engine="sat")
        assert ours.score <= theirs.score == theirs.bound <= ours.bound


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**40), st.integers(4, 10))
def test_engines_agree_on_any_position(seed: int, cards: int) -> None:
    chance = random.Random(seed)
    position = bare_position(chance, cards)
    best = bounded_optimum(position)
    if best is not None:
        results = [choice.solve(position, engine=engine) for engine in ("search", "sat")]
        assert [(r.score, r.bound) for r in results] == [(best, best)] * 2
        assert verify(certify(results[0])).optimum == best


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_types_are_said_where_no_clue_can_fail(engine: str) -> None:
    deal = deal_of_seed(f"p5v{find('Alternating Clues & White (3 Suits)').number}s1")
    assert clues.is_free(Position.start(deal))
    result = choice.solve(deal, Limits(seconds=60), engine)
    assert result.score == 15
    game = game_of(result.line, deal)
    assert game.replay().score == 15
    check_clues(5, find(deal.variant), game.to_json())


def test_position_files_say_the_last_clue() -> None:
    position = untouchable_hand(find("Alternating Clues & White (5 Suits)").rules(2))
    position = replace(position, variant="Alternating Clues & White (5 Suits)")
    after = position.after(Action(Kind.CLUE, RANK))
    made = positionfile.write(after)
    assert made["last_clue"] == "rank"
    assert positionfile.read(made) == after
    assert "last_clue" not in positionfile.write(position)
    with pytest.raises(InputError, match="last_clue is not colour or rank"):
        positionfile.read({**made, "last_clue": "red"})


def sampled(share: int) -> list[int]:
    return [number for number in CAN_FAIL if number % share == 0]


@pytest.mark.parametrize("engine", list(choice.ENGINES))
def test_every_engine_takes_every_variant(engine: str) -> None:
    for number in CAN_FAIL[:: 10 if engine == "auto" else 3]:
        choice.require(deal_of_seed(f"p2v{number}s1"), engine)


@pytest.mark.parametrize("numbers", [sampled(16), pytest.param(CAN_FAIL, marks=pytest.mark.slow)])
def test_links_hold_concrete_legal_clues(numbers: list[int]) -> None:
    """The line of a deal becomes a link, and that a game whose every clue touches a card."""
    for number in numbers:
        deal = deal_of_seed(f"p{2 + number % 5}v{number}s{number}")
        result = choice.solve(deal)
        game = made_game(deal, result)
        assert game.replay().score == result.score
        check_clues(game.deal.rules.players, find(number), game.to_json())


def check_clues(players: int, variant: Variant, game: dict[str, object]) -> None:
    """Check the clues of a game by the orders of its cards, with no help of the rules."""
    deck = [Card(c["suitIndex"], c["rank"]) for c in game["deck"]]  # type: ignore[attr-defined]
    size = {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}[players]
    hands = [list(range(p * size, (p + 1) * size)) for p in range(players)]
    top, last = players * size, 0
    for turn, action in enumerate(game["actions"]):  # type: ignore[arg-type, var-annotated]
        seat, kind, target = turn % players, action["type"], action["target"]
        if kind in (COLOUR, RANK):
            assert target != seat
            allowed = range(len(variant.clue_colours)) if kind == COLOUR else variant.clue_ranks
            assert action["value"] in allowed
            assert not variant.alternating or kind != last
            assert any(variant.touches(kind, action["value"], deck[i]) for i in hands[target])
            last = kind
        else:
            hands[seat].remove(target)
            if top < len(deck):
                hands[seat].append(top)
                top += 1


def test_the_line_of_a_deal_where_it_matters_is_written() -> None:
    deal = deal_of_seed("p2v1365s4")
    line = choice.solve(deal).line
    game = game_of(line, deal)
    assert game.line() == line


def test_illegal_lines_are_repaired() -> None:
    """Deals of which the best line with free clues holds an illegal clue: some are found."""
    repaired = 0
    variant = find("Null (3 Suits)")
    for seed in range(60):
        position = Position.start(deal_of_seed(f"p2v{variant.number}s{seed}"))
        free = solve(clues.free(position))
        legal = clues.legal_part(position, free.line.actions)
        if len(legal.actions) < len(free.line.actions):
            repaired += 1
            assert solve(position).score == free.score
    assert repaired >= 2


def test_the_strict_search_needs_no_first_answer() -> None:
    for seed in range(40):
        position = bare_position(random.Random(seed))
        best = optimum(seed)
        if best is None or clues.is_free(position):
            continue
        answer = Strict(position, Limits(), lambda p, left: _relaxed(p, left, ALL_RULES)[0]).run()
        assert answer.score == answer.bound == best


def test_decoded_links_are_the_same_game() -> None:
    for number in CAN_FAIL[::40]:
        deal = deal_of_seed(f"p2v{number}s3")
        game = made_game(deal, choice.solve(deal))
        again = decode(game_link(game))
        assert (again.deal.deck, again.moves) == (deal.deck, game.moves)


def test_why_only_clues_are_wanting() -> None:
    told = 0
    for row in GOLDEN:
        position = Position.from_text(row["position"])
        if int(row["optimum_with_free_clues"]) < position.rules.max_score:
            continue
        found = explain(position)
        told += 1
        assert found.loss is not None
        assert (found.loss.rung, found.loss.kind, found.loss.cards) == ("clues", "clues", ())
        assert bulk.lost_rung(position) == "clues"
        assert found.settled
        assert sentence(found).startswith("It could be won if every clue were legal")
    assert told > 5


def test_certificates() -> None:
    """By the relaxations where they are enough, else by the clauses of the game itself."""
    kinds: Counter[str] = Counter()
    for row in GOLDEN[::3]:
        position = Position.from_text(row["position"])
        found = verify(certify(choice.solve(position)))
        assert found.optimum == int(row["optimum"])
        kinds.update(found.kinds)
    assert kinds["clauses"] >= 4
    for position, best in bare(range(100), 10):
        assert verify(certify(choice.solve(position))).optimum == best


def test_a_certificate_of_the_game_with_free_clues_says_nothing_of_the_other() -> None:
    position = Position.from_text(GOLDEN[0]["position"])
    text = certify(choice.solve(clues.free(position)))
    free, strict = clues.free(position).text(), position.text()
    with pytest.raises(InputError, match="is not possible"):
        verify(text.replace(free, strict), digest=False)
