"""Suits that can be built both ways or from anywhere: every engine against the brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from pysat.solvers import Glucose4

from brute_endgame import Chances, TooBig
from forked import forked_position, tight_position
from nasty import bounded_optimum
from solver.command.cli import main
from solver.endgames.endgame import Teller
from solver.engines import sat, search
from solver.engines.search import solve
from solver.formats import link
from solver.formats.hanablive import Game, deal_of_seed, game_of
from solver.formats.positionfile import read, write
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import IllegalActionError, InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits
from solver.game.rules import Ending, Rules
from solver.game.suit import Suit
from solver.models.events import EventModel
from solver.models.ways import narrowed
from solver.proofs.certificate import verify
from solver.questions.explain import explain
from solver.solving import cascade
from solver.solving.certify import certify
from solver.solving.choice import ENGINES
from strategies import brute_game, brute_state

SEEDS = {"Up or Down (5 Suits)": "p3v24s1", "Sudoku (5 Suits)": "p2v2072s1",
         "Sudoku & Black (5 Suits)": "p4v2073s2",
         "Up or Down & Black (6 Suits)": "p5v2107s1"}  # fmt: skip

GAPS = [
    ("r:111>cyclic,y:222>cyclic r0,y0 y2/y1 y1y3r1y3r3y2r2 - 1/1 0/2 1 - first=1 discard=0 "
     "different-starts", 4, 5),
    ("r:21,y:1221>updown r0,y0 y3/r2 y2r1y1r1y3y2y4 - 1/1 0/3 0 - finish=0", 4, 5),
    ("r:211>updown,y:11 r0,y0 r1/r1 r3y2y1r2 - 1/1 0/2 0 - discard=0", 3, 4),
    ("r:11,y:212>updown r0,y0 y1/y3 r2y1r1y3y2 - 1/1 0/3 0 - discard=0", 3, 4),
    ("r:2111>updown,y:11 r0,y0 r1/r4 r3y1r1r2y2 - 1/1 0/3 0 - discard=0 finish=0", 4, 5),
]  # fmt: skip
"""Positions, their optimum, and what the best way gives: there a card is misplayed that fits."""


def test_both_ways() -> None:
    suit = Suit.up_or_down("r", (1, 2, 2, 2, 1, 1))
    assert (suit.full, suit.ranks, suit.order) == (5, 6, ())
    up, down = suit.ways()
    assert up == tuple(map(frozenset, ({1, 6}, {2}, {3}, {4}, {5})))
    assert down == tuple(map(frozenset, ({5, 6}, {4}, {3}, {2}, {1})))
    following: dict[tuple[int, ...], set[int]] = {
        (): {1, 5, 6}, (1,): {2}, (5,): {4}, (6,): {2, 4}, (6, 4): {3}, (1, 2, 3, 4): {5},
        (6, 4, 3, 2): {1}, (1, 2, 3, 4, 5): set(),
    }  # fmt: skip
    for ranks, takes in following.items():
        row = suit.build[suit.state_of(ranks)]
        assert {rank for rank, after in enumerate(row, 1) if after >= 0} == takes, ranks
        assert suit.heights[suit.state_of(ranks)] == len(ranks)
    assert suit.state_of((2,)) == -1
    assert suit.state_of((6, 2)) == suit.state_of((1, 2))
    middle = Suit.up_or_down("r", (1, 1, 1, 1))
    assert {middle.state_of(ranks) for ranks in ((4, 2, 1), (4, 2, 3), (1, 2, 3), (3, 2, 1))} == {
        middle.state_of((4, 2, 3))
    }
    assert middle.state_of((1, 2, 1)) == middle.state_of((3, 2, 3)) == -1
    assert set(Suit.up_or_down("r", (1, 1, 1)).ways()) == {
        (frozenset({1}), frozenset({2})),
        (frozenset({2}), frozenset({1})),
        (frozenset({3}), frozenset({1, 2})),
    }


def test_from_anywhere() -> None:
    suit = Suit.cyclic("r", (2,) * 4)
    assert suit.full == 4
    assert len(suit.ways()) == 4
    row = suit.build[suit.state_of((3, 4, 1))]
    assert [rank for rank, after in enumerate(row, 1) if after >= 0] == [2]
    for start in range(1, 5):
        ranks = [(start - 1 + step) % 4 + 1 for step in range(4)]
        assert suit.starts[suit.state_of(ranks)] == start
        assert suit.stacked(suit.state_of(ranks)) == tuple(ranks)
    assert suit.state_of((3, 1)) == -1


def test_starts_must_differ() -> None:
    suits = tuple(Suit.cyclic(letter, (2, 2, 2)) for letter in "ryg")
    rules = Rules(2, 2, suits, different_starts=True)
    text = "ryg:222>cyclic r2,y0,g0 r2y2/g3y3 y1g1 - 8/8 0/3 0 - different-starts"
    position = Position.from_text(text)
    assert position.rules == rules
    assert position.text() == text
    assert not position.is_playable(Card(1, 2))
    assert position.is_playable(Card(1, 3))
    assert len(list(position.all_ways())) == 2
    with pytest.raises(InputError, match="two started with the same rank"):
        Position.from_text(text.replace("y0", "y23"))
    with pytest.raises(InputError, match="too few ranks"):
        Rules(2, 2, (Suit.cyclic("r", (2, 2)), *suits[1:]), different_starts=True)
    with pytest.raises(InputError, match="cannot start at every rank"):
        Rules(2, 2, (Suit("r", (2, 2, 2)), *suits[1:]), different_starts=True)
    with pytest.raises(InputError, match="no stack of that suit"):
        Position.from_text(text.replace("r2,", "r31,").replace("31,", "32,"))


def bounded(wanted: int, first: int, most_cards: int = 9) -> Iterator[tuple[Position, int]]:
    """Give positions with their optimum by the brute force."""
    seed = first
    while wanted:
        chance = random.Random(seed)
        position = tight_position(chance) if seed % 4 == 0 else forked_position(chance, most_cards)
        best = bounded_optimum(position)
        seed += 1
        if best is not None:
            wanted -= 1
            yield position, best


@pytest.mark.parametrize(
    ("engine", "wanted", "cards"),
    [
        ("search", 100, 9), ("sat", 40, 9), ("cpsat", 12, 8), ("auto", 10, 8),
        pytest.param("search", 2000, 9, marks=pytest.mark.slow),
        pytest.param("sat", 700, 9, marks=pytest.mark.slow),
        pytest.param("cpsat", 150, 8, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_engines_and_the_brute_force(engine: str, wanted: int, cards: int) -> None:
    solve_by = import_module(ENGINES[engine]).solve
    for position, best in bounded(wanted, 100 * wanted, cards):
        assert Position.from_text(position.text()) == position
        result = solve_by(position)
        assert result.score <= best <= result.bound, position.text()
        # The search alone leaves open what a speedrun scores that cannot have full marks.
        asked = engine != "search" or position.rules.ending is not Ending.SPEEDRUN
        assert result.proven or not asked, position.text()


@pytest.mark.parametrize(
    ("copies", "build", "message"),
    [
        ((5, 5, 1), ((1, 1, -1), (-1, -1, 2), (-1, -1, -1)), "more than 9 cards for one step"),
        ((2, 9, 9), ((1, -1, -1), (-1, -1, -1)), "too many cards for its height"),
    ],
)
def test_more_cards_than_a_narrowed_suit_can_have(
    copies: tuple[int, ...], build: tuple[tuple[int, ...], ...], message: str
) -> None:
    """The search refuses them, and the cascade asks SAT alone."""
    rules = Rules(2, 5, (Suit("r", copies, build),))
    position = Position.start(Deal(rules, tuple(rules.sorted_deck())))
    for ask in (search.require, partial(search.lost_on, "release", caps=[1]), explain, Teller):
        with pytest.raises(UnsupportedRulesError, match=f"suit r has {message}"):
            ask(position)
    for engine in (cascade, sat):
        result = engine.solve(position)
        assert result.score == result.bound == rules.max_score


@pytest.mark.parametrize(("text", "best", "relaxed"), GAPS)
def test_a_card_that_fits_cannot_be_misplayed(text: str, best: int, relaxed: int) -> None:
    position = Position.from_text(text)
    assert bounded_optimum(position) == best
    narrow = [solve(narrowed(position, ways)).score for ways in position.all_ways()]
    assert max(narrow) == relaxed
    for engine in ("search", "sat", "cpsat"):
        result = import_module(ENGINES[engine]).solve(position)
        assert (result.score, result.bound) == (best, best), engine
    verify(certify(solve(position)))


def can_be_met(position: Position, target: int) -> bool:
    with Glucose4(bootstrap_with=EventModel(position, target=target).formula.cnf()[1]) as solver:
        return bool(solver.solve())


def test_a_gap_is_seen_by_the_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the clauses for other ways the event model believes the misplay."""
    positions = [Position.from_text(text) for text, _, _ in GAPS]
    targets = [relaxed for _, _, relaxed in GAPS]
    assert not any(map(can_be_met, positions, targets))
    monkeypatch.setattr(EventModel, "_fits_another_way", lambda *_: iter(()))
    assert all(map(can_be_met, positions, targets))


def test_every_line_is_a_line_of_some_way() -> None:
    """The first half of the proof: action by action, with the same points, tokens and strikes."""
    for seed in range(120):
        chance = random.Random(seed)
        position = forked_position(chance, 10)
        line = [position]
        actions = []
        while legal := line[-1].legal_actions():
            actions.append(chance.choice(legal))
            line.append(line[-1].after(actions[-1]))
        last = line[-1]
        found = False
        for ways in position.all_ways():
            narrow = Line(narrowed(position, ways), tuple(actions))
            try:
                ends = list(narrow.positions())
            except IllegalActionError:  # the game is over earlier in this way
                continue
            found = found or all(
                (a.points, a.clues, a.strikes, a.seat) == (b.points, b.clues, b.strikes, b.seat)
                for a, b in zip(line, ends, strict=True)
            )
        assert found, (position.text(), last.text())


def test_relabelled_ranks_change_nothing() -> None:
    """Turning all cyclic suits on by one rank, or both ways upside down."""
    for seed in range(300, 360):
        position = forked_position(random.Random(seed), 10)
        turns = []
        for suit in position.rules.suits:
            n = suit.ranks
            if suit == Suit.cyclic(suit.letter, suit.copies):
                turns.append([0, *(r % n + 1 for r in range(1, n + 1))])
            elif n > 2 and suit == Suit.up_or_down(suit.letter, suit.copies):
                turns.append([0, *range(n - 1, 0, -1), n])
            else:
                turns.append(list(range(n + 1)))

        def turn(card: Card, turns: list[list[int]] = turns) -> Card:
            return Card(card.suit, turns[card.suit][card.rank]) if card.is_face else card

        suits, stacks = [], []
        for number, (suit, state) in enumerate(
            zip(position.rules.suits, position.stacks, strict=True)
        ):
            copies = [0] * suit.ranks
            for rank, number_of in enumerate(suit.copies, 1):
                copies[turns[number][rank] - 1] = number_of
            suits.append(replace(suit, copies=tuple(copies)))
            stacks.append(suit.state_of(turns[number][rank] for rank in suit.stacked(state)))
        other = replace(
            position,
            rules=replace(position.rules, suits=tuple(suits)),
            stacks=tuple(stacks),
            hands=tuple(tuple(map(turn, hand)) for hand in position.hands),
            pile=tuple(map(turn, position.pile)),
            discards=tuple(sorted(map(turn, position.discards))),
        )
        assert solve(position).score == solve(other).score, position.text()


def test_certificates() -> None:
    """Certificates hold, and with a lower claim they do not."""
    kinds: set[str] = set()
    for seed in range(40):
        position = forked_position(random.Random(seed), 9)
        if position.rules.ending is not Ending.FINAL_ROUND:
            continue
        result = solve(position)
        text = certify(result)
        verify(text)
        kinds.update(part.split('"')[0] for part in text.split('"kind": "')[1:])
        if result.score:
            with pytest.raises(InputError):
                verify(text.replace(f'"optimum": {result.score}', f'"optimum": {result.score - 1}'))
    assert kinds >= {"clauses", "final-round", "pace"}


def endgames(first: int) -> Iterator[Position]:
    """Give positions with at most three cards to draw in an order that is not known."""
    for seed in count(first):
        chance = random.Random(seed)
        position = forked_position(chance, 9)
        while position.end is None and position.pile_size > 3:
            position = position.after(chance.choice(position.legal_actions()))
        plain_pile = not position.rules.deck_play and position.end is None and position.pile
        if plain_pile and len(list(position.all_ways())) > 1:
            yield replace(position, ordered=False, pile=tuple(sorted(position.pile)))


@pytest.mark.parametrize(
    ("wanted", "states"), [(14, 300), pytest.param(60, 1500, marks=pytest.mark.slow)]
)
def test_chances(wanted: int, states: int) -> None:
    done = 0
    for position in endgames(1000 * wanted):
        objective = ("score", "win")[done % 2]
        goal = position.rules.max_score - done % 3
        rules = position.rules
        if rules.stack_gain > rules.discard_gain and not rules.discard_at_full:
            continue  # refused
        teller = Teller(position, objective, goal)
        chances = Chances(
            brute_game(position.rules), None if objective == "score" else goal, states
        )
        try:
            values = chances.values(brute_state(position))
        except TooBig:
            continue
        found = teller.values(position)
        assert {(a.kind, a.slot): value for a, value in found.items()} == {
            (move.kind, move.slot): (value, value) for move, value in values.items()
        }, position.text()
        done += 1
        if done == wanted:
            return


@pytest.mark.parametrize("name", SEEDS)
def test_variants(name: str) -> None:
    deal = deal_of_seed(SEEDS[name])
    assert deal.variant == name
    result = solve(Position.start(deal))
    assert result.winnable
    game = game_of(result.line, deal)
    assert link.decode(link.encode(game)).line() == result.line
    assert Game.from_json(game.to_json()).line() == result.line
    assert Game.from_json(game.to_json()).replay().score == result.max_score
    for moment in result.line.positions():
        assert Position.from_text(moment.text()) == moment
        if moment.pile:
            assert read(write(moment)) == moment


def test_links_call_start_seven() -> None:
    deal = deal_of_seed("p3v24s1")
    game = game_of(Line.of(deal, ()), deal)
    ranks = {card["rank"] for card in game.to_json()["deck"]}
    assert ranks == {1, 2, 3, 4, 5, 7}
    assert "/replay-json/317" in link.encode(game)


def test_unwinnable_deal_and_its_certificate() -> None:
    result = solve(Position.start(deal_of_seed("p2v2107s6")))
    assert (result.score, result.bound) == (29, 29)
    verify(certify(result))


def test_limits_leave_bounds() -> None:
    position = Position.start(deal_of_seed("p2v2107s6"))
    result = solve(position, Limits(nodes=1))
    assert result.score <= 29 <= result.bound
    assert solve(position, Limits(target=30)).bound == 29
    assert solve(position, Limits(target=20)).score >= 20


def test_puzzles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A position with a way still open is checked as any other, with the themes that have sense."""
    text = (
        "rygbp:122211>updown r0,y12345,g54321,b1234,p1234 r1g3g4b5/r2p5g3g4 ?r3r5r4 - 3/8 0/3 0 -"
    )
    file = tmp_path / "open.txt"
    file.write_text(text + "\n")
    assert main(["puzzle", "check", str(file)]) == 0
    assert "themes:" in capsys.readouterr().out


SPEEDRUN = (
    "rygbp:122211>updown r0,y0,g1,b0,p0 y1y2r2y2b3/y6p1g3b4b2/g5g4r5y3p5 "
    "g3r4b3g2b5p2b6r2y3p4r1g6y5r6p3r3b2p3r4y4g2p6b1g4b4r3p2y4p4 - 8/8 0/3 1 - ending=speedrun"
)


def test_a_speedrun_whose_line_loses_it_after_its_last_play() -> None:
    position = Position.from_text(SPEEDRUN)
    for limits in (Limits(nodes=20), Limits(target=0), Limits(nodes=200), Limits(nodes=2000)):
        result = solve(position, limits)
        assert result.line.replay().score == result.score <= result.bound


def test_a_position_is_refused_before_it_is_solved_if_some_way_is_not_covered() -> None:
    position = Position.from_text(
        "r:31>cyclic,y:111>cyclic r0,y0 y1r1/r1y2/r1r2 y3 - 2/2 0/1 2 - first=2 discard=0 "
        "deck-play different-starts ending=all-or-nothing"
    )
    with pytest.raises(UnsupportedRulesError, match="several copies of the last card"):
        search.require(position)
