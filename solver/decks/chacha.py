"""The Rust crate rand 0.3: its ``ChaChaRng``, and ``Rng::shuffle`` on 64-bit machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

__all__ = ["shuffled", "words"]

T = TypeVar("T")

WORD = 2**32 - 1
MOST = 2**64 - 1
CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
HALVES = (
    tuple((*four, *turns) for four in (*COLUMNS, *DIAGONALS) for turns in ((16, 12), (8, 7))) * 10
)
"""Half a quarter round each: the words it mixes, and how far their two sums are turned."""


def words(key: Sequence[int]) -> Iterator[int]:
    """Give the words of ``ChaChaRng::from_seed(key)``: ChaCha with 20 rounds.

    Parameters
    ----------
    key
        Up to 8 words; zeros take the place of missing ones.
    """
    filled = (*key, *(0,) * (8 - len(key)))
    counter = 0
    while True:
        # The nonce's words carry on the counter: 128 bits in all.
        start = (*CONSTANTS, *filled, *(counter >> 32 * i & WORD for i in range(4)))
        x = list(start)
        for a, b, c, d, far, near in HALVES:
            x[a] = x[a] + x[b] & WORD
            mixed = x[d] ^ x[a]
            x[d] = (mixed << far | mixed >> 32 - far) & WORD
            x[c] = x[c] + x[d] & WORD
            mixed = x[b] ^ x[c]
            x[b] = (mixed << near | mixed >> 32 - near) & WORD
        yield from (one + other & WORD for one, other in zip(x, start, strict=True))
        counter += 1


def _below(source: Iterator[int], limit: int) -> int:
    """Draw as ``gen_range(0, limit)`` of a ``usize`` does: two words, the first one on top."""
    zone = MOST - MOST % limit
    while (value := next(source) << 32 | next(source)) >= zone:
        pass
    return value % limit


def shuffled(seed: int, cards: Sequence[T]) -> list[T]:
    """Shuffle as ``ChaChaRng::from_seed(&[seed]).shuffle(cards)`` does.

    Parameters
    ----------
    seed
        0 to 2**32 - 1.
    """
    source = words((seed,))
    deck = list(cards)
    for place in range(len(deck) - 1, 0, -1):
        other = _below(source, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck
