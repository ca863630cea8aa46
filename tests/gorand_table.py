"""Recompute the start table of Go's old generator from its definition.

Go fills its table by running its own recurrence for a very long time from a plain start. The
recurrence is linear over the integers modulo 2**64, so the words that far out are a fixed linear
combination of the first 607, and its coefficients are those of t**N modulo the recurrence's
polynomial. ``python tests/gorand_table.py`` writes the file that the package ships.
"""

from __future__ import annotations

from pathlib import Path

WORDS, LAG = 607, 273
STEPS = 7_800_000_000_000
MASK = 2**64 - 1
BYTES = 18
"""Width of a packed coefficient: a sum of 607 products of 64 bits fits into 144 bits."""


def first_words() -> list[int]:
    """Give the first 607 words of the recurrence, oldest first."""
    state = pow(48271, 20, 2**31 - 1)
    filled = []
    for _ in range(WORDS):
        word = 0
        for shift in (20, 10, 0):
            state = 48271 * state % (2**31 - 1)
            word ^= state << shift & MASK
        filled.append(word)
    return [filled[(334 - (j - 606)) % WORDS] for j in range(WORDS)]


def reduced(coefficients: list[int]) -> list[int]:
    """Reduce a polynomial of degree at most 1212 by t**607 = t**334 + 1."""
    work = coefficients + [0] * (2 * WORDS - 1 - len(coefficients))
    for degree in range(2 * WORDS - 2, WORDS - 1, -1):
        top = work[degree]
        work[degree - WORDS] = work[degree - WORDS] + top & MASK
        work[degree - LAG] = work[degree - LAG] + top & MASK
    return work[:WORDS]


def squared(coefficients: list[int]) -> list[int]:
    """Square a polynomial by one multiplication of big integers, and reduce it."""
    packed = int.from_bytes(b"".join(c.to_bytes(BYTES, "little") for c in coefficients), "little")
    product = (packed * packed).to_bytes(BYTES * 2 * WORDS, "little")
    places = range(0, BYTES * (2 * WORDS - 1), BYTES)
    return reduced([int.from_bytes(product[at : at + 8], "little") for at in places])


def table() -> list[int]:
    """Give the 607 words of the table."""
    words = first_words()
    for place in range(WORDS, 2 * WORDS - 1):
        words.append(words[place - WORDS] + words[place - LAG] & MASK)
    power = [1] + [0] * (WORDS - 1)
    for bit in f"{STEPS:b}":
        power = squared(power)
        if bit == "1":
            power = reduced([0, *power])
    made = [0] * WORDS
    for ahead in range(WORDS):
        word = sum(c * words[place + ahead] for place, c in enumerate(power)) & MASK
        made[(334 - (STEPS - 606 + ahead)) % WORDS] = word
    return made


if __name__ == "__main__":
    target = Path(__file__).parent.parent / "solver" / "formats" / "gorand_table.txt"
    target.write_text("".join(f"{word:016x}\n" for word in table()), encoding="ascii")
