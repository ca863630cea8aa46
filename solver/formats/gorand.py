"""Go's old ``math/rand``, as far as hanab.live needs it: from a seed's name to a shuffled deck.

The generator is an additive one, x[n] = x[n-607] + x[n-273] modulo 2**64. Its first 273 words
depend on two words of the start each, so a deck needs only those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import TypeVar

__all__ = ["crc64", "shuffled"]

T = TypeVar("T")

MODULUS = 2**31 - 1
MULTIPLIER = 48271
WORDS = 607
TAP = 334
DIRECT = 273
"""So many words can be had without running the recurrence."""
MASK = 2**64 - 1
ECMA = 0xC96C5795D7870F42
"""The CRC's polynomial, bits reversed."""


@cache
def _crc_table() -> tuple[int, ...]:
    table = []
    for word in range(256):
        for _ in range(8):
            word = word >> 1 ^ (ECMA if word & 1 else 0)
        table.append(word)
    return tuple(table)


def crc64(data: bytes) -> int:
    """Compute the CRC-64/XZ checksum, 0 to 2**64 - 1 (``b"123456789"`` gives 995dc9bbdf1939fa)."""
    table = _crc_table()
    crc = MASK
    for byte in data:
        crc = table[crc & 0xFF ^ byte] ^ crc >> 8
    return crc ^ MASK


@cache
def _cooked() -> tuple[int, ...]:
    """Read Go's table of start words; ``tests/gorand_table.py`` computes it anew."""
    text = files("solver.formats").joinpath("gorand_table.txt").read_text(encoding="ascii")
    return tuple(int(word, 16) for word in text.split())


@cache
def _powers() -> tuple[int, ...]:
    """Give the multipliers from the seed to each of the start's 21 + 3 * 607 small words."""
    powers = [1]
    for _ in range(21 + 3 * WORDS):
        powers.append(powers[-1] * MULTIPLIER % MODULUS)
    return tuple(powers)


def _start(seed: int) -> Callable[[int], int]:
    """Give the function from an index to that word of the generator's start."""
    state = seed % MODULUS or 89482311
    powers, cooked = _powers(), _cooked()

    def word(index: int) -> int:
        at = 21 + 3 * index
        high, middle, low = (power * state % MODULUS for power in powers[at : at + 3])
        return (high << 40 ^ middle << 20 ^ low ^ cooked[index]) & MASK

    return word


class Source:
    """The stream of numbers of ``rand.New(rand.NewSource(seed))``.

    Parameters
    ----------
    seed
        Any integer; signed, as in Go.
    """

    def __init__(self, seed: int) -> None:
        self._word = _start(seed)
        self._drawn: list[int] = []

    def uint64(self) -> int:
        """Draw 64 bits."""
        drawn = self._drawn
        place = len(drawn)
        if place < DIRECT:
            word = self._word(TAP - 1 - place) + self._word(WORDS - 1 - place)
        elif place < WORDS:
            # The older of the two words still lies in the start.
            word = self._word((TAP - 1 - place) % WORDS) + drawn[place - DIRECT]
        else:
            word = drawn[place - WORDS] + drawn[place - DIRECT]
        drawn.append(word & MASK)
        return drawn[-1]

    def intn(self, limit: int) -> int:
        """Draw a number from 0 to ``limit - 1``; ``limit`` is 1 to 2**31 - 1."""
        value = (self.uint64() & MASK >> 1) >> 32
        if limit & limit - 1 == 0:
            return value & limit - 1
        most = 2**31 - 1 - 2**31 % limit
        while value > most:
            value = (self.uint64() & MASK >> 1) >> 32
        return value % limit


def shuffled(seed: str, cards: Sequence[T]) -> list[T]:
    """Shuffle as hanab.live does for a seed such as ``p2v0s1``.

    A seed that begins with ``legacy-`` stands for what follows its first nine characters.

    Parameters
    ----------
    seed
        The seed's full name, ASCII.
    cards
        The unshuffled deck; it is left as it is.
    """
    name = seed[9:] if seed.startswith("legacy-") else seed
    checksum = crc64(name.encode())
    source = Source(checksum - 2**64 if checksum >> 63 else checksum)
    deck = list(cards)
    for place in range(len(deck)):
        other = source.intn(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck
