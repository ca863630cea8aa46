"""Why deals cannot be won, checked card by card without the code that says so; and how tight."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest

from nasty import bounded_optimum, nasty_position, with_deck_play
from played import ROWS, read
from solver.command.cli import main
from solver.engines.search import LADDER, lost_on, require
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.notation import card_text, parse_cards
from solver.game.position import Kind, Position
from solver.game.result import Limits
from solver.questions.explain import Explanation, explain
from solver.questions.explanation_rows import explanation_row
from solver.questions.ladder import KINDS, RUNGS, minimal_caps
from solver.questions.onehand import Overflow, overflow
from solver.questions.sentences import WORDS, sentence
from solver.reading.specs import Fault, Shape, deals
from strategies import is_played
from test_cli import hanabi, is_one_line

GOLDEN = Path(__file__).parent / "data" / "golden_optima.csv"
KEYS = [
    "name", "players", "variant", "full", "score", "bound", "winnable", "rung", "kind", "cards",
    "first", "minimal", "numbers", "table", "overflow", "more", "ways", "tight", "sentence",
]  # fmt: skip
ONE_OF_EACH = Shape(5, 1)
TURN_ORDER = [
    ("python:p4c1s1116", None), ("python:p5c1s98804", None), ("python:p5c1s14459", None),
    *((f"python:{seed}", ONE_OF_EACH) for seed in ("p5c1s0", "p4c1s13", "p3c1s28")),
]  # fmt: skip
TOKENS = ("python:p3c1s2071", ONE_OF_EACH)
STRIKES = [
    "r:321,y:12 r0,y0 r2/r1 r1r2r1y2y2y1r3 - 1/1 0/2 1 - first=1 discard=0",
    "ry:111 r2,y2 kt/-/r3/kt/-/y3 - - 3/3 0/1 5 6 first=5 start=0 price=3",
    "r:21,y:321 r0,y0 r1/y1/r1 y3y2y1y2r2y1 - 3/3 0/1 0 - price=3 finish=2 empty-clues lost-scores",
]


def one(spec: str, shape: Shape | None = None) -> Deal:
    (deal,) = deals(spec, None, shape)
    assert isinstance(deal, Deal)
    return deal


def lost_golden() -> list[tuple[Deal, int]]:
    with GOLDEN.open(newline="", encoding="utf-8") as file:
        optima = [int(row["optimum"]) for row in csv.DictReader(file)]
    pairs = []
    for deal, optimum in zip(deals(str(GOLDEN), None, None), optima, strict=True):
        assert not isinstance(deal, Fault)
        assert isinstance(deal, Deal)
        if optimum < deal.rules.max_score:
            pairs.append((deal, optimum))
    return pairs


LOST = lost_golden()
IDS = [deal.name for deal, _ in LOST]


def full(position: Position) -> tuple[int, ...]:
    return tuple(suit.full for suit in position.rules.suits)


def cards_below(position: Position, card: Card) -> list[Card]:
    """Give the cards that a needed card still waits for on its stack."""
    order = position.rules.suits[card.suit].order
    ranks = order[position.stacks[card.suit] : order.index(card.rank)]
    return [Card(card.suit, rank) for rank in ranks]


def fits(cards: list[Card], position: Position) -> bool:
    """Whether cards can be played one an event, each after its draw and those below it are there.

    Kept simple: at every event take any card that is there, for all are done after the last.
    """
    there: dict[Card, int] = {}
    for card in sorted(cards):
        late = 0
        for below in (*cards_below(position, card), card):
            if not any(below in hand for hand in position.hands):
                draw = position.pile.index(below) + 1
                blind = position.rules.deck_play and draw == len(position.pile)
                late = max(late, draw - blind)
        there[card] = late
    last = len(position.pile) + position.rules.players
    if position.turns_left is not None:
        last = position.turns_left
    waiting = dict(there)
    for event in range(1, last + 1):
        now = [card for card, late in waiting.items() if late < event]
        if now:
            del waiting[min(now)]
    return not waiting


def check(found: Explanation) -> None:
    """Check everything that an explanation claims about a loss."""
    loss, position = found.loss, found.start
    assert loss is not None
    assert found.tight is None
    assert found.winnable is False
    assert loss.kind in KINDS
    row = explanation_row(found)
    assert list(row) == KEYS
    assert json.loads(json.dumps(row)) == row
    assert [line["card"] for line in row["table"]] or loss.kind == "over"
    if loss.kind == "over":
        assert position.end is not None
        return
    assert sorted(line["card"] for line in row["table"]) == sorted(row["cards"])
    at = RUNGS.index(loss.rung)
    for rung in RUNGS[max(at, 1) : -2]:
        assert lost_on(rung, position, full(position)) is True, rung
    for rung in RUNGS[:at]:
        assert lost_on(rung, position, full(position)) is False, rung
    if loss.violator is not None:
        cards = list(loss.cards)
        assert not fits(cards, position)
        for card in cards:
            assert fits([c for c in cards if c != card], position)
        assert loss.violator.plays == len(cards) - 1
    elif loss.kind == "lost-card":
        (card,) = loss.cards
        assert card not in position.pile
        assert not any(card in hand for hand in position.hands)
        assert not is_played(position, card)
    elif loss.kind == "last-card":
        below, above = loss.cards
        assert position.pile[-1] == below
        assert position.pile.count(below) == 1
        assert not any(below in hand for hand in position.hands)
        order = position.rules.suits[below.suit].order
        assert above == Card(below.suit, order[order.index(below.rank) + 1])
    elif loss.kind == "no-turn":
        (card,) = loss.cards
        turns = position.turns_left
        assert turns is not None
        seats = [(position.seat + n) % position.rules.players for n in range(turns)]
        assert not any(card in position.hands[seat] for seat in seats)
    else:
        check_caps(found)


def check_caps(found: Explanation) -> None:
    loss, position = found.loss, found.start
    rules = position.rules

    def asked(rung: str, caps: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Give the caps, and all higher ones where lower caps can be harder."""
        easier = rules.discard_gain >= rules.stack_gain and not rules.deck_play
        if rung == "shared-hand" or (rung != "strikes" and easier):
            return [caps]
        pairs = zip(caps, full(position), strict=True)
        return list(product(*(range(cap, top + 1) for cap, top in pairs)))

    assert loss is not None
    assert loss.minimal
    assert lost_on(loss.rung, position, loss.caps) is True
    for suit, (height, cap) in enumerate(zip(position.stacks, loss.caps, strict=True)):
        assert Counter(c.suit for c in loss.cards)[suit] == cap - height
        if cap > height:
            lower = (*loss.caps[:suit], cap - 1, *loss.caps[suit + 1 :])
            assert not all(lost_on(loss.rung, position, caps) for caps in asked(loss.rung, lower))
    if loss.kind == "overflow":
        assert isinstance(loss.overflow, Overflow)
        check_overflow(loss.overflow, position, loss.caps)


def check_overflow(found: Overflow, position: Position, caps: tuple[int, ...]) -> None:
    seen = [card for hand in position.hands for card in hand] + list(position.pile[: found.draw])
    later = position.pile[found.draw :]
    assert len(set(found.hand)) == position.rules.players * position.rules.hand_size
    assert set(found.hand) <= set(seen)
    for card in found.hand:
        assert not is_played(position, card)
        assert card.rank in position.rules.suits[card.suit].order[: caps[card.suit]]
        # Some card below it is needed, and neither played nor there yet.
        assert any(c not in seen for c in cards_below(position, card))
    assert [throw.card for throw in found.throws] == sorted(set(found.hand) & set(later))
    for throw in found.throws:
        assert throw.again == found.draw + 1 + later.index(throw.card)
        assert throw.fates


def check_sentence(found: Explanation) -> None:
    """Check that the numbers and cards which the sentence names are those of the deal."""
    text, loss, position = sentence(found), found.loss, found.start
    assert loss is not None
    assert re.fullmatch(r"[A-Z][^\n]*\.", text)
    assert "  " not in text
    for number, card in re.findall(r"the (\d+)(?:st|nd|rd|th) card \((\w\w)\)", text):
        asked = found.asked
        assert isinstance(asked, Deal)
        assert card_text(asked.deck[int(number) - 1], position.letters) == card
    still = re.search(
        r"(\w+)(?: (?:red|yellow|green|blue|purple|teal))? cards? (?:is|are) still to be played "
        r"\(([^)]*)\).* (\S+) (?:plays?|turns?)(?: (?:is|are) left|,|\.)",
        text,
    )
    if loss.kind in ("release", "turn-order", "tokens"):
        assert still, text
        cards = parse_cards(still[2].replace(" ", ""), "".join(position.letters), "sentence")
        assert number_of(still[1]) == len(cards)
        assert set(cards) <= set(loss.cards)
        after = re.search(r"fter the (\d+)", text)
        assert after, text
        plays = position.rules.deck_size - int(after[1]) + position.rules.players
        assert number_of(still[3]) == plays


def number_of(word: str) -> int:
    return WORDS.index(word.lower()) if word.lower() in WORDS else int(word)


@pytest.mark.parametrize(("deal", "optimum"), LOST, ids=IDS)
def test_lost_golden_deals(deal: Deal, optimum: int) -> None:
    found = explain(deal)
    assert found.settled
    assert found.result.score == optimum
    check(found)
    check_sentence(found)


@pytest.mark.parametrize(("spec", "shape"), TURN_ORDER)
def test_turn_order(spec: str, shape: Shape | None) -> None:
    found = explain(one(spec, shape))
    assert found.loss is not None
    assert found.loss.rung == found.loss.kind == "turn-order"
    check(found)
    check_sentence(found)


def test_tokens() -> None:
    found = explain(one(*TOKENS))
    assert found.loss is not None
    assert found.loss.rung == found.loss.kind == "tokens"
    check(found)
    check_sentence(found)
    assert found.loss.more is not None
    rules = found.start.rules
    for more in range(found.loss.more + 1):
        easier = replace(rules, max_clues=rules.max_clues + more)
        position = replace(found.start, rules=easier, clues=found.start.clues + more)
        assert lost_on("tokens", position, full(position)) is (more < found.loss.more)


@pytest.mark.parametrize("text", STRIKES)
def test_strikes(text: str) -> None:
    found = explain(Position.from_text(text), Limits())
    assert found.loss is not None
    assert found.loss.kind == "strikes"
    check(found)
    assert "while all clue tokens are there" in sentence(found)


def test_the_sentence_of_the_readme() -> None:
    assert sentence(explain(one("python:p2c1s129"))) == (
        "After the 49th card (r2) is drawn four red cards are still to be played (r2 r3 r4 r5), "
        "and three plays are left."
    )


def is_covered(position: Position) -> bool:
    try:
        require(position)
    except InputError:
        return False
    return True


def every_corner(seeds: range, blind: bool = False) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for seed in seeds:
        position = nasty_position(random.Random(seed))
        if blind and not is_covered(position := with_deck_play(position)):
            continue
        optimum = bounded_optimum(position)
        if optimum is None:
            continue
        found = explain(position, Limits())
        assert found.settled
        if optimum == position.rules.max_score:
            assert found.tight is not None, position.text()
            check_tight(found)
        else:
            check(found)
            assert sentence(found)
        kinds[found.loss.kind if found.loss else "winnable"] += 1
    return kinds


def test_corners() -> None:
    assert len(every_corner(range(150))) >= 8


def test_corners_with_plays_from_the_pile() -> None:
    assert len(every_corner(range(150), blind=True)) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("block", range(3))
def test_many_corners_with_plays_from_the_pile(block: int) -> None:
    every_corner(range(150 + 300 * block, 450 + 300 * block), blind=True)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(3))
def test_many_corners(block: int) -> None:
    every_corner(range(150 + 300 * block, 450 + 300 * block))


@pytest.mark.parametrize("blind", [False, True])
def test_one_hand_agrees_with_the_kernel(blind: bool) -> None:
    lost = Counter[bool]()
    for seed in range(150):
        chance = random.Random(seed)
        position = nasty_position(chance)
        if blind and not is_covered(position := with_deck_play(position)):
            continue
        heights = zip(position.stacks, full(position), strict=True)
        caps = tuple(chance.randint(low, top) for low, top in heights)
        left = {card for hand in (*position.hands, position.pile) for card in hand}
        pairs = enumerate(zip(position.stacks, caps, strict=True))
        if any(Card(s, n + 1) not in left for s, (low, cap) in pairs for n in range(low, cap)):
            continue
        answer = lost_on("shared-hand", position, caps)
        assert (overflow(position, caps) is not None) is answer, (position.text(), caps)
        lost[bool(answer)] += 1
    assert min(lost.values()) > 10


def test_minimal_caps_of_a_made_up_question() -> None:
    def lost(caps: tuple[int, ...]) -> bool:
        return caps[0] + caps[1] >= 4 or caps[2] >= 2

    assert minimal_caps((0, 0, 1), (5, 5, 5), lost, [(0, 1, 2)]) == ((0, 0, 2), True)
    assert minimal_caps((0, 0, 0), (5, 5, 1), lost, [(0, 1, 2), (1, 0, 2)]) == ((0, 4, 0), True)

    def unsure(caps: tuple[int, ...]) -> bool | None:
        return None if sum(caps) < 6 else True

    assert minimal_caps((0, 0), (5, 5), unsure, [(0, 1), (1, 0)]) == ((1, 5), False)


# How tight


def check_tight(found: Explanation) -> None:
    """Count again, from the line, what a tight deal has to spare."""
    tight, start = found.tight, found.start
    assert tight is not None
    assert found.loss is None
    assert sentence(found).startswith("Winnable: ")
    rules = start.rules
    positions = [start]
    for action in found.result.line.actions:
        if positions[-1].points == rules.max_score:
            break
        positions.append(positions[-1].after(action))
    assert positions[-1].points == rules.max_score
    spare = [
        (len(p.pile) + rules.players if p.turns_left is None else p.turns_left)
        - sum(top - height for top, height in zip(full(p), p.stacks, strict=True))
        for p in positions
    ]
    assert (tight.pace.value, tight.pace.turn) == (min(spare), spare.index(min(spare)))
    clues = [p.clues for p in positions]
    assert (tight.clues.value, tight.clues.turn) == (min(clues), clues.index(min(clues)))
    critical: dict[Card, tuple[int, int]] = {}
    for turn, p in enumerate(positions):
        copies = Counter(card for hand in (*p.hands, p.pile) for card in hand)
        for card in rules.faces():
            if not is_played(p, card) and copies[card] == 1 and card not in critical:
                critical[card] = (turn, len(start.pile) - len(p.pile))
    assert {c.card: (c.turn, c.draw) for c in tight.critical} == critical
    assert all(a.turn <= b.turn for a, b in pairwise(tight.critical))
    slacks = {}
    for draw in range(len(start.pile) + 1):
        held = {card for hand in start.hands for card in hand} | set(start.pile[:draw][:-1])
        if rules.deck_play and draw >= len(start.pile) - 1:
            # The last card needs one draw less: it waits with the one before, nothing for its own.
            held = {card for hand in start.hands for card in hand} | set(
                start.pile[: max(0, draw - 1)]
            )
            if draw == len(start.pile):
                held |= set(start.pile)
        waiting = []
        for suit, (height, top) in enumerate(zip(start.stacks, full(start), strict=True)):
            ranks = rules.suits[suit].order[height:top]
            missing = [n for n, rank in enumerate(ranks) if Card(suit, rank) not in held]
            first = 0 if draw == 0 else min(missing, default=len(ranks))
            waiting += [Card(suit, rank) for rank in ranks[first:]]
        plays = len(start.pile) - draw + rules.players
        if start.turns_left is not None:
            plays = start.turns_left
        slacks[draw] = (plays - len(waiting), waiting)
    assert tight.slack == slacks[tight.slack_draw][0]
    assert list(tight.slack_cards) == slacks[tight.slack_draw][1]
    least = [slack for slack, waiting in slacks.values() if waiting]
    assert not least or tight.slack == min(least)


@pytest.mark.parametrize("seed", [f"p{p}v0s{n}" for p in (2, 3, 4, 5, 6) for n in (1, 2)])
def test_winnable_deals(seed: str) -> None:
    found = explain(one(seed))
    assert found.settled
    assert found.winnable is True
    check_tight(found)
    row = explanation_row(found)
    assert list(row) == KEYS
    assert json.loads(json.dumps(row)) == row
    fives = {card_text(Card(s, 5), found.start.letters) for s in range(5)}
    assert {c["card"] for c in row["tight"]["critical"] if c["turn"] == 0} == fives


@pytest.mark.parametrize("number", range(0, len(ROWS), 9))
def test_positions_in_the_middle_of_games(number: int) -> None:
    positions = list(read(ROWS[number]["file"]).line().positions())
    for position in positions[:: max(1, len(positions) // 5)]:
        try:
            found = explain(position, Limits(nodes=50_000))
        except InputError:  # rules that the native search does not cover
            return
        if found.tight is not None:
            check_tight(found)
        elif found.loss is not None and found.loss.minimal and found.loss.first:
            check(found)


# Limits and the command


def test_limits_leave_it_open() -> None:
    found = explain(one("p2v0s1"), Limits(nodes=1))
    assert found.loss is None
    assert found.tight is None
    assert found.winnable is None
    assert not found.settled
    row = explanation_row(found)
    assert list(row) == KEYS
    assert row["winnable"] is None
    assert "nodes limit" in row["sentence"]


def test_the_ladder_has_the_kernel_s_rungs() -> None:
    assert RUNGS[: len(LADDER)] == LADDER


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "python:p2c1s129", "python:p2c1s138"]) == 0
    text = capsys.readouterr().out
    assert "p2c1s129: 24 of 25 (extraordinary), not winnable, lost by release" in text
    assert "four red cards are still to be played" in text
    assert "thrown away" in text
    assert "\x1b" not in text
    assert not any(line.endswith(" ") for line in text.splitlines())
    assert main(["explain", "p3v0s1"]) == 0
    assert "may never be discarded" in capsys.readouterr().out


def test_real_command_json() -> None:
    position = "rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2"
    done = hanabi(
        "explain", "python:p5c1s0", "--one-of-each", "1", "--json", "--position", position
    )
    assert done.returncode == 0
    assert done.stderr == b""
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(row) for row in rows] == [KEYS, KEYS]
    assert rows[0]["rung"] == "turn-order"
    assert rows[0]["cards"] == ["p1", "p2", "p3", "p4"]
    assert rows[0]["table"][1] == {
        "card": "p2", "copies": [{"seat": None, "number": 44}], "after": 44, "drawn": "p2",
        "plays": 11 - 5,
    }  # fmt: skip
    assert rows[1]["name"] == position
    assert rows[1]["kind"] == "pace"
    assert rows[1]["numbers"] == "pile"


def test_real_command_refuses_and_goes_on() -> None:
    done = hanabi("explain", "nonsense", "p3v0s1", "--json")
    assert done.returncode == 2
    assert is_one_line(done.stderr.decode())
    assert len(done.stdout.splitlines()) == 1
    for bad in (["explain"], ["explain", "p3v0s1", "--nodes", "0"], ["explain", "--position", "x"]):
        done = hanabi(*bad)
        assert done.returncode == 2
        assert is_one_line(done.stderr.decode())


def test_real_command_says_unknown() -> None:
    done = hanabi("explain", "p2v0s1", "--nodes", "1")
    assert done.returncode == 3
    assert b"It is open" in done.stdout


def test_a_critical_card_after_a_discard() -> None:
    found = explain(one("p2v0s1"))
    assert found.tight is not None
    later = [c for c in found.tight.critical if c.turn]
    assert later
    positions = list(found.result.line.positions())
    for critical in later:
        action = found.result.line.actions[critical.turn - 1]
        before = positions[critical.turn - 1]
        assert action.kind in (Kind.DISCARD, Kind.PLAY)
        assert before.hands[before.seat][action.slot] == critical.card
