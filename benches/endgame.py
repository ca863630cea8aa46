"""How fast endgames are: times by cards left, states per second, and the ratio to a brute force.

    python benches/endgame.py              random positions of 2 to 5 players, 2 to 10 cards left
    python benches/endgame.py --most 13    up to 13 cards left
    python benches/endgame.py --brute      hands of one card, and the brute force of tests/ too
    python benches/endgame.py --cases      every position of tests/data/endgame_cases.jsonl

*natural*: a greedy player, who plays what can be played, comes to so many cards left; most of these
are won for certain. *tight*: made so that of all draws and last turns 0 to 2 need not be a play,
with 0 to 2 tokens, every card in a random place: nearly all are hard.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from solver.endgames.endgame import Teller, analyse, useless_faces
from solver.formats import positionfile
from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.deal import Deal
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.game.rules import Rules

TESTS = Path(__file__).parent.parent / "tests"
LIMIT = Limits(seconds=60.0)


def natural(chance: random.Random, players: int, left: int) -> Position:
    """Play a random deal greedily down to so many cards."""
    while True:
        cards = Rules.standard(players).sorted_deck()
        chance.shuffle(cards)
        position = Position.start(Deal(Rules.standard(players), tuple(cards)))
        while position.end is None and position.pile_size > left:
            position = position.after(greedy(position))
        if position.end is None:
            pile = tuple(sorted(position.pile))
            return replace(position, pile=pile, ordered=False)


def greedy(position: Position) -> Action:
    """Play the lowest card that can be played, else discard a useless one, else clue."""
    hand = position.hands[position.seat]
    plays = [slot for slot, card in enumerate(hand) if position.is_playable(card)]
    if plays:
        return Action(Kind.PLAY, min(plays, key=lambda slot: hand[slot].rank))
    gone = useless_faces(position)
    actions = position.legal_actions()
    for slot, card in enumerate(hand):
        if card in gone and Action(Kind.DISCARD, slot) in actions:
            return Action(Kind.DISCARD, slot)
    if Action(Kind.CLUE) in actions:
        return Action(Kind.CLUE)
    return max(actions, key=lambda action: (action.kind, hand[action.slot].rank))


def small(chance: random.Random, players: int, left: int) -> Position:
    """Make a tight position with one card a hand, which a brute force can take."""
    return tight(chance, 2 + players % 2, left, 1)


def tight(chance: random.Random, players: int, left: int, hand_size: int = 0) -> Position:
    """Deal the last cards at random, with a pace of 0 to 2 and 0 to 2 tokens."""
    rules = Rules.standard(players)
    rules = replace(rules, hand_size=hand_size or rules.hand_size)
    places = players * rules.hand_size + left
    needed = min(left + players - chance.randint(0, 2), places, rules.max_score)
    stacks = [5] * 5
    for _ in range(needed):
        suit = chance.choice([s for s in range(5) if stacks[s]])
        stacks[suit] -= 1
    cards = [Card(s, r) for s in range(5) for r in range(stacks[s] + 1, 6)]
    copies = [card for card in cards if card.rank < 5 and chance.random() < 0.3]
    cards += copies[: places - len(cards)]
    cards += [USELESS] * (places - len(cards))
    chance.shuffle(cards)
    size = rules.hand_size
    return Position(
        rules=rules,
        stacks=tuple(stacks),
        hands=tuple(tuple(cards[p * size : (p + 1) * size]) for p in range(players)),
        pile=tuple(sorted(cards[players * size :])),
        discards=(),
        clues=chance.randint(0, 2),
        strikes=0,
        seat=chance.randrange(players),
        turns_left=None if left else players,
        ordered=False,
    )


def run(kind: str, make: Callable[..., Position], left: int, count: int, brute: bool) -> None:
    """Print one row of the table."""
    times, states, open_ones, slow = [], 0, 0, 0.0
    for number in range(count):
        chance = random.Random(f"{kind} {left} {number}")
        position = make(chance, 2 + number % 4, left)
        began = time.perf_counter()
        teller = Teller(position)
        values = teller.values(position, LIMIT)
        times.append(time.perf_counter() - began)
        states += teller.states
        open_ones += any(low != high for low, high in values.values())
        if brute:
            slow += brute_seconds(position)
    times.sort()
    ratio = f" {slow / sum(times):8.0f}" if brute else ""
    row = [f"{kind:8} {left:5} {count:6}", f"{statistics.median(times) * 1000:10.2f}",
           f"{statistics.mean(times) * 1000:10.2f} {times[-1] * 1000:10.1f}",
           f"{states / count:12.0f} {states / sum(times):12.0f} {open_ones:5}{ratio}"]  # fmt: skip
    print(" ".join(row), flush=True)


def brute_seconds(position: Position) -> float:
    """Time the brute force, which has to agree."""
    import brute_endgame
    from strategies import brute_game, brute_state

    began = time.perf_counter()
    goal = position.rules.max_score
    found = brute_endgame.Chances(brute_game(position.rules), goal).values(brute_state(position))
    seconds = time.perf_counter() - began
    assert max(found.values()) == analyse(position).low, position.text()
    return seconds


def cases() -> None:
    """Print the time of each published position."""
    import json

    worst = 0.0
    for line in (TESTS / "data" / "endgame_cases.jsonl").read_text().splitlines():
        row = json.loads(line)
        if not row.get("check"):
            continue
        position = positionfile.read(row)
        rules = replace(position.rules, untouchable=frozenset())
        position = replace(position, rules=rules, pile=tuple(sorted(position.pile)), ordered=False)
        model = "hidden" if any(UNKNOWN in hand for hand in position.hands) else "open"
        verdict = analyse(position, model)
        worst = max(worst, verdict.seconds)
        print(f"{row['id']:40} {model:7} {verdict.low!s:>12} {verdict.states:8} "
              f"{verdict.seconds * 1000:9.2f} ms")  # fmt: skip
    print(f"worst: {worst * 1000:.2f} ms")


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--least", type=int, default=2)
    parser.add_argument("--most", type=int, default=10)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--brute", action="store_true")
    parser.add_argument("--cases", action="store_true")
    wanted = parser.parse_args()
    sys.path.insert(0, str(TESTS))
    if wanted.cases:
        cases()
        return
    heads = "kind      left  count  median ms    mean ms   worst ms       states     states/s  open"
    print(heads + "    ratio" * wanted.brute)
    for left in range(wanted.least, wanted.most + 1):
        kinds = {"small": small} if wanted.brute else {"natural": natural, "tight": tight}
        for kind, make in kinds.items():
            run(kind, make, left, wanted.count, wanted.brute)


if __name__ == "__main__":
    main()
