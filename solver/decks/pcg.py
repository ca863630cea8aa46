"""numpy's ``Generator(PCG64(SeedSequence(seed)))``, as far as drawing doubles goes.

The 128-bit state of PCG64 is expanded from the seed by O'Neill's seed_seq_fe; a double is made of
the upper 53 bits of a word (XSL-RR output).
"""

from __future__ import annotations

__all__ = ["Pcg"]

WORD, LONG, WIDE = 2**32 - 1, 2**64 - 1, 2**128 - 1
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
POOL = 4
INIT_A, MULT_A = 0x43B0D7E5, 0x931E8875
INIT_B, MULT_B = 0x8B51F9DD, 0x58F38DED
MIX_LEFT, MIX_RIGHT = 0xCA01F9DD, 0x4973F715


class _Hash:
    """A multiplicative hash of 32-bit words whose constant changes with every word."""

    def __init__(self, constant: int, multiplier: int) -> None:
        self._constant = constant
        self._multiplier = multiplier

    def __call__(self, value: int) -> int:
        value ^= self._constant
        self._constant = self._constant * self._multiplier & WORD
        value = value * self._constant & WORD
        return value ^ value >> 16


def _mixed(one: int, other: int) -> int:
    value = one * MIX_LEFT - other * MIX_RIGHT & WORD
    return value ^ value >> 16


def _pool(seed: int) -> list[int]:
    words = [seed & WORD]
    while seed := seed >> 32:
        words.append(seed & WORD)
    hashed = _Hash(INIT_A, MULT_A)
    pool = [hashed(word) for word in (words + [0] * POOL)[:POOL]]
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                pool[target] = _mixed(pool[target], hashed(pool[source]))
    for word in words[POOL:]:
        for target in range(POOL):
            pool[target] = _mixed(pool[target], hashed(word))
    return pool


class Pcg:
    """The stream of 64-bit words.

    Parameters
    ----------
    seed
        Any integer that is not negative.
    """

    def __init__(self, seed: int) -> None:
        hashed = _Hash(INIT_B, MULT_B)
        words = [hashed(word) for word in _pool(seed) * 2]
        longs = [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]
        self._step = (longs[2] << 64 | longs[3]) << 1 & WIDE | 1
        start = self._step + (longs[0] << 64 | longs[1])
        self._state = start * MULTIPLIER + self._step & WIDE

    def word(self) -> int:
        """Draw 64 bits."""
        state = self._state = self._state * MULTIPLIER + self._step & WIDE
        mixed = (state >> 64 ^ state) & LONG
        turn = state >> 122
        return (mixed >> turn | mixed << 64 - turn) & LONG

    def bits(self) -> int:
        """Draw the 53 bits of a double from 0 to 1, in units of 2**-53."""
        return self.word() >> 11
