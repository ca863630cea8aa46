"""The kernel plays the game as the plain rules do, and no bytes make it crash."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nasty import nasty_position, with_deck_play
from solver import _kernel
from solver.engines.search import ALL_RULES
from solver.game.position import Action, Kind, Position
from solver.models.packing import pack, unpack_actions
from strategies import small_positions

DATA = Path(__file__).parent / "data" / "perft.txt"
QUICK = 1500
"""Lines at most that the plain rules count outside the slow tests."""


class Perft(NamedTuple):
    """A row of perft.txt."""

    name: str
    position: Position
    counts: tuple[int, ...]


def _rows() -> list[Perft]:
    rows = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, text, counts = line.split(" | ")
            rows.append(Perft(name, Position.from_text(text), tuple(map(int, counts.split()))))
    return rows


ROWS = _rows()
rows = pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])


def count(position: Position, depth: int) -> int:
    """Count the lines of exactly ``depth`` actions by the plain rules."""
    if depth == 0:
        return 1
    return sum(count(position.after(action), depth - 1) for action in position.legal_actions())


def kernel_actions(position: Position) -> list[Action]:
    """List the legal actions by the kernel."""
    return list(unpack_actions(_kernel.legal_actions(pack(position))))


def divided(position: Position, depth: int) -> str:
    """Say, for each root action, how many lines both sides count below it."""
    ours = {action: count(position.after(action), depth - 1) for action in position.legal_actions()}
    theirs = {
        action: _kernel.perft(_kernel.after(pack(position), *action), depth - 1)
        for action in kernel_actions(position)
    }
    lines = [f"{position.text()}: lines of {depth} actions, by the rules and by the kernel"]
    for action in dict.fromkeys((*ours, *theirs)):
        left, right = ours.get(action, "illegal"), theirs.get(action, "illegal")
        mark = "" if left == right else "   <--"
        lines.append(f"  {position.describe(action)} ({action.slot}): {left} {right}{mark}")
    return "\n".join(lines)


@rows
def test_perft_of_the_kernel(row: Perft) -> None:
    for depth, expected in enumerate(row.counts, 1):
        if _kernel.perft(pack(row.position), depth) != expected:
            pytest.fail(divided(row.position, depth))


@rows
def test_perft_of_the_plain_rules(row: Perft) -> None:
    for depth, expected in enumerate(row.counts, 1):
        if expected <= QUICK:
            assert count(row.position, depth) == expected


@pytest.mark.slow
@rows
def test_perft_of_the_plain_rules_at_full_depth(row: Perft) -> None:
    assert count(row.position, len(row.counts)) == row.counts[-1]


def test_perft_data_covers_what_it_should() -> None:
    assert len(ROWS) >= 20
    assert len({row.position.rules for row in ROWS}) >= 15
    assert {row.position.rules.players for row in ROWS} == {2, 3, 4, 5, 6}
    assert sum(row.counts[-1] == 0 < row.counts[0] for row in ROWS) >= 5
    assert all(Position.from_text(row.position.text()) == row.position for row in ROWS)


def test_perft_says_where_the_counts_part() -> None:
    text = divided(Position.from_text("ry:11 r0,y0 r1/r2 y1y2 - 1/2 0/2 0 -"), 2)
    assert text.splitlines()[1:] == [
        "  play r1 (0): 3 3",
        "  discard r1 (0): 2 2",
        "  clue (0): 2 2",
    ]


def walk(position: Position, chance: random.Random) -> None:
    """Play a random game on both sides and compare everything at every step."""
    packed = pack(position)
    for _ in range(60):
        assert pack(position) == packed
        actions = position.legal_actions()
        assert kernel_actions(position) == actions, position.text()
        if not actions:
            answer = _kernel.solve(packed, None, 0.0, -1, ALL_RULES, 0)
            assert answer[:3] == (position.score, position.score, b"")
            assert position.end is not None
            assert _kernel.perft(packed, 1) == 0
            return
        assert position.end is None
        assert _kernel.perft(packed, 1) == len(actions)
        for kind in Kind:
            of_hand = kind in (Kind.PLAY, Kind.DISCARD)
            for slot in range(len(position.hands[position.seat]) + 2 if of_hand else 1):
                if Action(kind, slot) not in actions:
                    with pytest.raises(ValueError, match="illegal"):
                        _kernel.after(packed, kind, slot)
        action = chance.choice(actions)
        packed = _kernel.after(packed, *action)
        position = position.after(action)


@given(small_positions(), st.integers(0, 2**32))
def test_lockstep_games(position: Position, seed: int) -> None:
    walk(position, random.Random(seed))


@given(st.integers(0, 2**32))
def test_lockstep_games_in_the_corners(seed: int) -> None:
    chance = random.Random(seed)
    position = nasty_position(chance, 20)
    walk(with_deck_play(position) if seed % 3 == 0 else position, chance)


@pytest.mark.parametrize("row", ROWS[:6], ids=[row.name for row in ROWS[:6]])
def test_lockstep_games_of_full_size(row: Perft) -> None:
    for seed in range(10):
        walk(row.position, random.Random(seed))


def try_bytes(packed: bytes) -> None:
    """Give bytes to all of the kernel; they hold a position or raise ValueError."""
    try:
        actions = _kernel.legal_actions(packed)
    except ValueError:
        for call in (
            lambda: _kernel.perft(packed, 1),
            lambda: _kernel.after(packed, 0, 0),
            lambda: _kernel.solve(packed, 10, 0.0, -1, ALL_RULES, 0),
        ):
            with pytest.raises(ValueError, match=r"\w"):
                call()
        return
    for action in unpack_actions(actions):
        _kernel.legal_actions(_kernel.after(packed, *action))
    for target in (-1, 1):
        score, bound, line, *_ = _kernel.solve(packed, 20, 0.0, target, ALL_RULES, 1 << 20)
        assert 0 <= score <= bound
        for action in unpack_actions(line):
            packed = _kernel.after(packed, *action)


@given(st.binary(max_size=80))
@example(b"")
@example(bytes(14))
@example(b"\xff" * 100)
def test_rubbish_bytes(packed: bytes) -> None:
    try_bytes(packed)


@given(st.integers(0, 2**32))
def test_damaged_bytes(seed: int) -> None:
    chance = random.Random(seed)
    packed = bytearray(pack(nasty_position(chance, 20)))
    for _ in range(chance.choice((1, 1, 2, 5))):
        packed[chance.randrange(len(packed))] = chance.choice(
            (0, 1, 255, chance.randrange(8), chance.randrange(256))
        )
    try_bytes(bytes(packed))


def test_truncated_and_prolonged_bytes() -> None:
    for row in ROWS:
        packed = pack(row.position)
        for size in range(len(packed)):
            with pytest.raises(ValueError, match="early"):
                _kernel.legal_actions(packed[:size])
        for more in (b"\0", b"\xff", bytes(10_000_000)):
            with pytest.raises(ValueError, match="after its end"):
                _kernel.legal_actions(packed + more)


def test_a_suit_without_cards() -> None:
    # No rules say so, but the packed form can.
    head = bytes((2, 1, 2, 1, 1, 1, 1, 1, 0, 0))
    packed = head + bytes((1, 0, 0, 255, 0, 0, 1, 0, 1, 0x10, 1, 0x10, 1, 0x10))
    try_bytes(packed)


def test_arguments() -> None:
    packed = pack(ROWS[0].position)
    for kind, slot in ((0, -1), (0, 256), (-1, 0), (3, 0), (0, 5)):
        with pytest.raises(ValueError, match="action"):
            _kernel.after(packed, kind, slot)
    with pytest.raises(ValueError, match="negative"):
        _kernel.perft(packed, -1)
    for nodes in (-1, 2**64):
        with pytest.raises(OverflowError):
            _kernel.solve(packed, nodes, 0.0, -1, ALL_RULES, 0)
    for wrong in (None, "", bytearray(packed)):
        with pytest.raises(TypeError):
            _kernel.legal_actions(wrong)  # type: ignore[arg-type]


def as_python(seed: int, size: int) -> bytes:
    """Shuffle the numbers below ``size`` by Python's own generator."""
    places = list(range(size))
    random.Random(seed).shuffle(places)
    return bytes(places)


EDGES = [n + d for n in (0, 2**32, 2**64, 2**96, 2**700) for d in (-1, 0, 1)]
LONG = [3**100_000, 2**19968 - 1, 2**19968, 3**12_600]  # 624 words of a key are a whole state


@pytest.mark.parametrize(("size", "seeds"), [
    (50, range(3000)), (60, range(10**15 - 100, 10**15)), (55, EDGES), (250, LONG), (256, EDGES),
    *((size, range(20)) for size in (1, 2, 3, 4, 5, 8, 9, 40, 64, 65, 128, 129)),
])  # fmt: skip
def test_shuffles_are_pythons(size: int, seeds: list[int]) -> None:
    wanted = [as_python(seed, size) for seed in seeds]
    assert _kernel.shuffled(seeds, size) == b"".join(wanted)
    # Neither what stands beside a seed nor its sign matters.
    alone = [_kernel.shuffled([-seed], size) for seed in seeds[::7]]
    assert alone == wanted[::7]


@given(st.lists(st.integers(0, 2**80) | st.integers(0, 2**31), max_size=30), st.integers(1, 256))
def test_shuffles_of_any_seeds_are_pythons(seeds: list[int], size: int) -> None:
    assert _kernel.shuffled(seeds, size) == b"".join(as_python(seed, size) for seed in seeds)


def test_shuffle_arguments() -> None:
    assert _kernel.shuffled([], 50) == b""
    for size in (0, -1, 257):
        with pytest.raises(ValueError, match="size"):
            _kernel.shuffled([1], size)
    with pytest.raises(TypeError):
        _kernel.shuffled(["1"], 50)  # type: ignore[list-item]
