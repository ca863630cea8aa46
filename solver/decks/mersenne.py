"""C++'s ``std::mt19937``, and what libstdc++ draws from it.

Python's own ``random.Random`` is the same engine, seeded in another way: it takes over the state
that the C++ standard prescribes for a seed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from sys import byteorder
from typing import TypeVar

__all__ = ["bounded", "engines", "pick"]

T = TypeVar("T")

WORDS = 624
MULTIPLIER = 1812433253
LANES = 64
"""So many seeds are expanded at once, each in 64 bits of one long integer."""
LOW = 2**64 - 1
EDGE = 2**40
"""2**-24 in units of 2**-64: how near to the border of two kinds doubles decide."""


def engines(seeds: Iterable[int]) -> Iterator[Random]:
    """Give for each seed an engine that was seeded as ``std::mt19937(seed)``.

    Its ``getrandbits(32)`` is a word of the C++ engine, and ``getrandbits(64)`` two, the first one
    in the low half. It is one object that is seeded again and again: use it up before the next.

    Parameters
    ----------
    seeds
        Each 0 to 2**32 - 1.
    """
    engine = Random(0)
    left = iter(seeds)
    while lane := list(islice(left, LANES)):
        yield from map(engine_with, _states(lane), [engine] * len(lane))


def engine_with(state: Sequence[int], engine: Random) -> Random:
    engine.setstate((3, (*state, WORDS), None))
    return engine


def _states(seeds: Sequence[int]) -> Iterator[array[int]]:
    """Expand seeds to states: x[i] = 1812433253 * (x[i-1] ^ x[i-1] >> 30) + i modulo 2**32.

    A lane of 64 bits holds a whole product of two words, so lanes do not disturb one another.
    """
    count = len(seeds)
    ones = sum(1 << 64 * lane for lane in range(count))
    low, high = ones * (2**32 - 1), ones * 3
    words = sum(seed << 64 * lane for lane, seed in enumerate(seeds))
    size = 8 * count
    rows = [words.to_bytes(size, "little")]
    for index in range(1, WORDS):
        words = (words ^ words >> 30 & high) * MULTIPLIER + ones * index & low
        rows.append(words.to_bytes(size, "little"))
    flat = array("Q", b"".join(rows))
    if byteorder == "big":
        flat.byteswap()
    return (flat[lane::count] for lane in range(count))


def bounded(engine: Random, limit: int) -> int:
    """Draw as ``std::uniform_int_distribution(0, limit - 1)`` does since GCC 11 (Lemire's way)."""
    product = engine.getrandbits(32) * limit
    while product & 2**32 - 1 < 2**32 % limit:
        product = engine.getrandbits(32) * limit
    return product >> 32


def pick(engine: Random, left: list[T]) -> T:
    """Take one of the cards that are left as ``std::discrete_distribution`` over kinds does.

    The distribution sums the chances of the kinds in doubles and takes the first kind whose sum is
    not below a draw u. That sum differs from the exact k/n (k cards up to that kind, of n) by less
    than 2**-44: some hundred roundings of 2**-53. So where u * n is further than 2**-24 from every
    whole number, the kind is that of the card at the place floor(u * n). Else the doubles decide.

    Parameters
    ----------
    left
        The cards, kinds together, in the order of the distribution; the one drawn is removed.
    """
    bits = engine.getrandbits(64)
    scaled = bits * len(left)
    if EDGE < scaled & LOW < LOW - EDGE:
        return left.pop(scaled >> 64)
    return left.pop(_in_doubles(bits, left))


def _in_doubles(bits: int, left: Sequence[object]) -> int:
    """Give the place of a card of the kind drawn, by libstdc++'s own arithmetic.

    A kind's last card is at the place one less than the cards up to it.
    """
    total = len(left)
    ends = [place for place in range(1, total) if left[place] != left[place - 1]] + [total]
    starts = [0, *ends[:-1]]
    chances = [(end - start) / total for start, end in zip(starts, ends, strict=True)]
    whole = 0.0
    for chance in chances:
        whole += chance
    draw = min(float(bits) / 2.0**64, 1 - 2.0**-53)
    reached = 0.0
    for chance, end in zip(chances[:-1], ends[:-1], strict=True):
        reached += chance / whole
        if reached >= draw:
            return end - 1
    return total - 1
