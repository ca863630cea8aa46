"""Why deals whose suits can be built in several ways are lost: every reason, in every way."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from forked import ODD, forked_position, tight_position
from nasty import bounded_optimum
from solver.command.cli import main
from solver.engines.search import LADDER, lost_on
from solver.formats.hanablive import deal_of_seed
from solver.formats.variants import find
from solver.game.card import USELESS, Card
from solver.game.errors import UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits
from solver.game.suit import Suit, Way
from solver.models.ways import narrowed
from solver.questions.explain import Explanation, explain
from solver.questions.explanation_rows import explanation_row
from solver.questions.hall import releases
from solver.questions.ladder import RUNGS
from solver.questions.reasons import Reason
from solver.questions.sentences import sentence, way_names
from solver.questions.tightness import Tightness
from solver.surveys import bulk
from test_explain import KEYS, check, fits, full
from test_ways import GAPS

LOST = {"p2v2107s6": "shared-hand", "p3v2073s4": "shared-hand"}
"""Deals of Up or Down & Black (6 Suits) and Sudoku & Black (5 Suits), and their rungs."""


def ranks_of(reason: Reason, position: Position) -> list[tuple[int, frozenset[int]]]:
    """Give the suit of each card of a reason, and the ranks that it may have."""
    return [
        (c.suit, reason.ways[c.suit][c.rank - position.heights[c.suit] - 1])
        for c in reason.loss.cards
    ]


def check_in_way(reason: Reason, position: Position, ways: tuple[Way, ...]) -> None:
    """Check in the narrowed game of a way what a reason says."""
    loss = reason.loss
    game = narrowed(position, ways)
    held = [card for hand in position.hands for card in hand]
    there = [*held, *position.pile]
    named = ranks_of(reason, position)
    # The kernel's release bound does not count turns left; what it leaves the next rung sees.
    rung = LADDER[max(1, LADDER.index(loss.rung))]
    assert lost_on(rung, game, full(game)) is True
    if loss.kind == "pace":
        assert sum(full(game)) - sum(game.stacks) > game.events_left
        return
    if loss.kind in ("lost-card", "release", "last-card", "no-turn"):
        assert all(ranks in ways[suit] for suit, ranks in named)
        cards = [Card(s, ways[s].index(r) + position.heights[s] + 1) for s, r in named]
    if loss.kind == "lost-card":
        ((suit, ranks),) = named
        assert not any(Card(suit, rank) in there for rank in ranks)
    elif loss.kind == "release":
        assert loss.violator is not None
        found = releases(game)
        steps = {c: range(game.stacks[c.suit] + 1, c.rank + 1) for c in cards}
        if all(Card(c.suit, step) in found for c in cards for step in steps[c]):
            assert not fits(cards, game)
        for card in cards:
            late = [found.get(Card(card.suit, step), len(there)) for step in steps[card]]
            assert max(late) >= loss.violator.draw
        assert len(cards) > game.events_left - loss.violator.draw
    elif loss.kind == "last-card":
        first, then = cards
        assert then == Card(first.suit, first.rank + 1)
        assert game.pile[-1] == first
        assert game.pile.count(first) + sum(hand.count(first) for hand in game.hands) == 1
    elif loss.kind == "no-turn":
        turns = game.turns_left or 0
        seats = [(game.seat + n) % game.rules.players for n in range(turns)]
        assert not any(cards[0] in game.hands[seat] for seat in seats)
    else:
        assert lost_on(loss.rung, game, loss.caps) is True
        higher = (range(cap, top + 1) for cap, top in zip(loss.caps, full(game), strict=True))
        if loss.rung == "strikes":
            assert all(lost_on(loss.rung, game, caps) for caps in product(*higher))


def check_ways(found: Explanation) -> None:
    """Check all that is said of a deal that is lost in every way."""
    loss, reasons, position = found.loss, found.reasons, found.start
    assert loss is not None
    assert reasons is not None
    every = list(position.all_ways())
    assert reasons.total == len(every)
    at = LADDER.index(loss.rung)
    assert lost_on(LADDER[max(at, 1)], position, full(position)) is True
    if at:
        assert loss.first
        assert lost_on(LADDER[at - 1], position, full(position)) is False
    assert all(any(reason.holds(ways) for reason in reasons.found) for ways in every)
    for reason in reasons.found:
        holding = [ways for ways in every if reason.holds(ways)]
        assert reason.count == len(holding)
        assert reason.ways in holding
        for ways in holding:
            check_in_way(reason, position, ways)
        # In its own way it is an explanation as any other, minimal and on the first rung.
        result = replace(found.result, line=Line(reason.position, ()))
        check(Explanation(reason.position, result, reason.loss, None))
    row = explanation_row(found)
    assert list(row) == KEYS
    assert json.loads(json.dumps(row)) == row
    assert [line["count"] for line in row["ways"]] == [r.count for r in reasons.found]
    for line, reason in zip(row["ways"], reasons.found, strict=True):
        assert (line["rung"], line["kind"]) == (reason.loss.rung, reason.loss.kind)
        named = [
            "/".join(f"{position.letters[suit]}{rank}" for rank in sorted(ranks))
            for suit, ranks in ranks_of(reason, position)
        ]
        assert line["cards"] == named
        assert sorted(one["card"] for one in line["table"]) == sorted(named)
        for letter, some in line["built"].items():
            suit = position.letters.index(letter)
            assert 0 < len(some) < len(position.ways[suit])
        if reason is reasons.found[0]:
            assert line["sentence"] in row["sentence"]


def check_tight(tight: Tightness, found: Explanation) -> None:
    """Count again what a line that wins has to spare."""
    start = found.start
    positions = [start]
    for action in found.result.line.actions:
        if positions[-1].points < start.rules.max_score:
            positions.append(positions[-1].after(action))
    critical: dict[Card, int] = {}
    for turn, position in enumerate(positions):
        cards = Counter(c for hand in (*position.hands, position.pile) for c in hand if c.is_face)
        for card in (card for card, number in cards.items() if number == 1):
            without = replace(
                position,
                hands=tuple(tuple(USELESS if c == card else c for c in h) for h in position.hands),
                pile=tuple(USELESS if c == card else c for c in position.pile),
            )
            if without.is_out_of_reach:
                critical.setdefault(card, turn)
    assert {one.card: one.turn for one in tight.critical} == critical
    least = {}
    for ways in start.all_ways():
        game = narrowed(start, ways)
        late = []
        for suit, (height, top) in enumerate(zip(game.stacks, full(game), strict=True)):
            draw = 0
            for step in range(height + 1, top + 1):
                draw = max(draw, releases(game).get(Card(suit, step), 10_000))
                late.append(draw)
        if max(late, default=0) < 10_000:
            spare = [game.events_left - at - sum(n >= at for n in late) for at in {0, *late}]
            least[ways] = min(spare)
    assert tight.slack == max(least.values()) == least[tight.ways]


def bare(chance: random.Random, position: Position) -> Position:
    """Let no clue touch a suit or two, as in "Up or Down & Null", or some other cards."""
    faces = position.rules.faces()
    suits = {chance.choice(faces).suit for _ in range(2)}
    some = [c for c in faces if c.suit in suits or chance.random() < 0.2]
    return replace(position, rules=replace(position.rules, untouchable=frozenset(some)))


def corners(seeds: range, restricted: bool = False) -> Counter[str]:
    """Explain small positions, and check all that is said; count the kinds of the reasons."""
    kinds: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        position = tight_position(chance) if seed % 3 == 0 else forked_position(chance, 9)
        if position.rules.heights_are_states:
            continue
        if restricted:
            position = bare(chance, position)
        best = bounded_optimum(position)
        if best is None:
            continue
        try:
            found = explain(position, Limits())
        except UnsupportedRulesError:
            assert any(len(set().union(*way)) < sum(map(len, way))
                       for ways in position.ways for way in ways)  # fmt: skip
            continue
        assert sentence(found)
        assert found.winnable is (best == position.rules.max_score), position.text()
        if found.tight is not None:
            check_tight(found.tight, found)
            kinds["winnable"] += 1
        elif found.reasons is not None:
            check_ways(found)
            kinds.update(reason.loss.kind for reason in found.reasons.found)
            kinds["several"] += len(found.reasons.found) > 1
        else:
            assert found.loss is not None
            kinds[found.loss.kind] += 1
            if found.loss.kind != "over":
                assert lost_on("strikes", position, full(position)) is False
    return kinds


def test_corners() -> None:
    kinds = corners(range(350))
    assert len(kinds) >= 8, kinds


def test_corners_where_clues_can_be_illegal() -> None:
    kinds = corners(range(1000, 1200), restricted=True)
    assert kinds["clues"]
    assert kinds["winnable"]
    assert len(kinds) >= 8, kinds


@pytest.mark.parametrize("name", ["Up or Down & Null (5 Suits)", "Sudoku & Null (4 Suits)"])
def test_a_suit_that_nothing_touches(name: str) -> None:
    found = explain(deal_of_seed(f"p3v{find(name).number}s1"), Limits(nodes=20_000))
    assert found.winnable
    assert found.tight is not None
    check_tight(found.tight, found)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_many_corners(block: int) -> None:
    corners(range(350 + 500 * block, 850 + 500 * block))


@pytest.mark.parametrize("text", [text for text, _, _ in GAPS[1:]])
def test_lost_though_some_way_is_not(text: str) -> None:
    position = Position.from_text(text)
    found = explain(position)
    assert found.loss is not None
    assert (found.loss.rung, found.loss.kind) == ("ways", "ways")
    assert bulk.lost_rung(position) == "ways"
    assert found.settled
    assert [lost_on(rung, position, full(position)) for rung in LADDER] == [False] * len(LADDER)
    assert "misplayed" in sentence(found)
    assert RUNGS.index("ways") == len(LADDER)


@pytest.mark.parametrize("seed", LOST)
def test_lost_deals(seed: str) -> None:
    deal = deal_of_seed(seed)
    found = explain(deal)
    assert found.settled
    check_ways(found)
    assert found.loss is not None
    assert found.loss.rung == LOST[seed]
    (outcome,) = bulk.solve_bulk([deal], 1_000_000)
    assert outcome.rung == LOST[seed]


def test_lost_deal_with_too_many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.models.ways.MOST_WAYS", 1)
    deal = deal_of_seed(min(LOST))
    (outcome,) = bulk.solve_bulk([deal], 1_000_000)
    assert (outcome.engine, outcome.rung) == ("sat", "")
    assert outcome.bound < deal.rules.max_score


def test_the_sentence_groups_the_ways() -> None:
    assert sentence(explain(deal_of_seed("p2v2107s6"))) == (
        "The suits can be built in 64 ways, and all are lost. With t upwards (32 ways): after the "
        "51st card (t2) is drawn three cards are still to be played (t2 t3 t4), and two plays are "
        "left. With t downwards (32 ways): the last card to be drawn is t2: whoever draws it plays "
        "it in the very last turn, so t1 can never be played on it."
    )


def test_names_of_ways() -> None:
    both = Suit.up_or_down("r", (1, 1, 1, 1, 1, 1)).ways()
    assert way_names(both[1:], both) == "downwards"
    anywhere = Suit.cyclic("r", (1, 1, 1, 1)).ways()
    assert way_names(anywhere[1:3], anywhere) == "from 2 or 3"
    tiny = Suit.up_or_down("r", (1, 1, 1)).ways()
    assert way_names(tiny[2:], tiny) == "from 3"
    odd = ODD[0].ways()
    text = way_names(odd, odd)
    assert text.startswith("in the order ")
    assert {"1 3 2", "2 1 3", "2 3 1"} == set(
        text.removeprefix("in the order ").replace(" or", ",").split(", ")
    )


def test_limits_leave_it_open() -> None:
    found = explain(deal_of_seed("p2v2107s6"), Limits(nodes=1))
    assert found.winnable is False  # by the first two rungs, which take no nodes
    open_ = explain(deal_of_seed("p3v24s1"), Limits(nodes=1))
    assert open_.loss is None
    assert open_.tight is None
    assert not open_.settled


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "p2v2107s6", "p3v24s1", "p2v2072s1"]) == 0
    text = capsys.readouterr().out
    assert "29 of 30 (extraordinary), not winnable, lost by shared-hand" in text
    assert text.count("in the way with most to spare") == 2
