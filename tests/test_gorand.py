"""Go's generator: against Go's own numbers, and its table against the definition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gorand_table
from solver.formats import gorand
from solver.formats.gorand import crc64, shuffled

DATA = Path(__file__).parent / "data"
VECTORS = json.loads((DATA / "seed_vectors.json").read_text())
CARDS = [suit + rank for suit in "01234" for rank in "1112233445"]


def test_crc() -> None:
    assert crc64(b"123456789") == 0x995DC9BBDF1939FA
    assert crc64(b"") == 0


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: str(v["seed"]))
def test_crc_of_seeds(vector: dict[str, str]) -> None:
    assert f"{crc64(vector['seed'].encode()):016x}" == vector["crc64"]


def test_shipped_table_is_the_one_that_the_definition_gives() -> None:
    assert list(gorand._cooked()) == gorand_table.table()


def test_numbers_of_seed_1() -> None:
    source = gorand.Source(1)
    assert [source.intn(100) for _ in range(10)] == [81, 87, 47, 59, 81, 18, 25, 40, 56, 0]


def test_seed_zero_is_replaced() -> None:
    assert gorand.Source(0).uint64() == gorand.Source(89482311).uint64()
    assert gorand.Source(0).uint64() == gorand.Source(2**31 - 1).uint64()


@pytest.mark.parametrize("seed", [1, -5, 2**62])
def test_stream_follows_the_recurrence(seed: int) -> None:
    """The short cut, the start and the recurrence proper must join without a seam."""
    state = seed % (2**31 - 1)
    for _ in range(20):
        state = gorand_step(state)
    words = []
    for cooked in gorand._cooked():
        word = 0
        for shift in (40, 20, 0):
            state = gorand_step(state)
            word ^= state << shift
        words.append((word ^ cooked) % 2**64)
    tap, feed = 0, 334
    source = gorand.Source(seed)
    for _ in range(2000):
        tap, feed = (tap - 1) % 607, (feed - 1) % 607
        words[feed] = (words[feed] + words[tap]) % 2**64
        assert source.uint64() == words[feed]


def gorand_step(state: int) -> int:
    return 48271 * state % (2**31 - 1)


class Scripted(gorand.Source):
    """A source whose 31-bit numbers are given."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)

    def uint64(self) -> int:  # noqa: D102
        return self.values.pop(0) << 32


def test_intn_redraws_what_would_be_biased() -> None:
    # 2**31 is 648 more than a multiple of 1000.
    assert Scripted(2**31 - 1, 2**31 - 648, 7).intn(1000) == 7
    assert Scripted(2**31 - 649, 7).intn(1000) == 999
    assert Scripted(2**31 - 1, 5).intn(8) == 7
    assert Scripted(5, 3).intn(1) == 0


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["variant"] == "No Variant"])
def test_decks(vector: dict[str, str]) -> None:
    assert "".join(shuffled(vector["seed"], CARDS)) == vector["deck"]
    assert shuffled("legacy-x-" + vector["seed"], CARDS) == shuffled(vector["seed"], CARDS)


def test_shuffling_leaves_the_sorted_deck_as_it_is() -> None:
    cards = list(CARDS)
    assert sorted(shuffled("p2v0s1", cards)) == sorted(cards) == cards
    assert shuffled("p2v0s1", []) == []
