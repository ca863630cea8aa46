"""JAX's default random numbers: Threefry-2x32 keys, their splitting, and a permutation.

JAX has two ways to number the words that a key gives, chosen by its flag
``jax_threefry_partitionable``; since JAX 0.5 it is on.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Key", "key_of", "permutation", "split"]

WORD = 2**32 - 1
PARITY = 0x1BD11BDA
TURNS = ((13, 15, 26, 6), (17, 29, 16, 24))


class Key(NamedTuple):
    """A key: two words of 32 bits."""

    high: int
    low: int


def key_of(seed: int) -> Key:
    """Give the key that ``jax.random.key(seed)`` makes, for a seed from 0 to 2**31 - 1."""
    return Key(0, seed)


def threefry(key: Key, one: int, other: int) -> tuple[int, int]:
    """Encrypt two words with 20 rounds (Salmon and others, 2011)."""
    keys = (key.high, key.low, PARITY ^ key.high ^ key.low)
    one, other = one + keys[0] & WORD, other + keys[1] & WORD
    for group in range(5):
        for turn in TURNS[group % 2]:
            one = one + other & WORD
            other = (other << turn | other >> 32 - turn) & WORD ^ one
        one = one + keys[(group + 1) % 3] & WORD
        other = other + keys[(group + 2) % 3] + group + 1 & WORD
    return one, other


def split(key: Key, partitionable: bool = True) -> tuple[Key, Key]:
    """Give the two keys of ``jax.random.split(key)``."""
    if partitionable:
        return Key(*threefry(key, 0, 0)), Key(*threefry(key, 0, 1))
    (first, third), (second, fourth) = threefry(key, 0, 2), threefry(key, 1, 3)
    return Key(first, second), Key(third, fourth)


def _bits(key: Key, count: int, partitionable: bool) -> list[int]:
    """Give ``count`` words of 32 bits, ``jax.random.bits(key, (count,), "uint32")``."""
    if partitionable:
        pairs = (threefry(key, 0, index) for index in range(count))
        return [one ^ other for one, other in pairs]
    half = (count + 1) // 2
    # Both halves of the numbers 0 to count - 1 are encrypted together, a 0 filling an odd count.
    pairs = (threefry(key, i, i + half if i + half < count else 0) for i in range(half))
    words = list(zip(*pairs, strict=True))
    return [*words[0], *words[1]][:count]


def permutation(key: Key, count: int, partitionable: bool = True) -> list[int]:
    """Give ``jax.random.permutation(key, count)`` for up to 1,600 numbers: one round of sorting."""
    if count > 1600:
        raise ValueError(f"count is {count}, and more than 1600 take several rounds")
    _, sub = split(key, partitionable)
    words = _bits(sub, count, partitionable)
    return sorted(range(count), key=words.__getitem__)
