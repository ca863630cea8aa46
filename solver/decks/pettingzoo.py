"""Decks of PettingZoo's ``hanabi_v5``: OpenSpiel's game, its cards drawn by numpy.

The environment draws card by card during play, each time with ``Generator.choice`` over the kinds
that are left, and from nothing else, so the deck depends on the seed alone. Only a random start
player comes from OpenSpiel's game itself, an engine like that of the Hanabi Learning Environment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import repeat

from solver.decks.learningenv import learning_rules, seated
from solver.decks.mersenne import bounded, engines
from solver.decks.pcg import Pcg
from solver.decks.request import Request
from solver.formats.composition import label_of
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.origin import Origin

__all__ = ["pettingzoo"]

ORIGIN = Origin(
    "PettingZoo hanabi_v5",
    "1.27.0, with Shimmy 2.0.1 and OpenSpiel 2.0.2",
    "numpy PCG64(SeedSequence(seed)), Generator.choice over the kinds left at every draw",
)
UNIT = 2**53
EDGE = 2**23
"""In units of 2**-53: how near to the border of two kinds doubles decide."""


def pettingzoo(request: Request) -> Iterator[Deal]:
    """Deal as PettingZoo after ``reset(seed)``; hands of 5 for any number of players."""
    palette, rules = learning_rules(request.seats(), 5, request)
    if not 2 <= rules.hand_size <= 5 or min(len(rules.suits), rules.suits[0].ranks) < 2:
        raise InputError("pettingzoo takes 2 to 5 colours, ranks and cards in a hand")
    if rules.players > len(rules.suits):
        raise InputError("pettingzoo takes no more players than colours")
    label = label_of(rules.suits)
    random_start = request.has("random-start")
    origin = ORIGIN
    if random_start:
        origin = replace(origin, generator=f"{origin.generator}; start player by mt19937(seed)")
    started = cache(lambda start: replace(origin, start=start))
    seeds = request.seeds()
    starts: Iterator[int] = repeat(0)
    if random_start:
        starts = (bounded(engine, rules.players) for engine in engines(seeds))
    for seed, start in zip(seeds, starts, strict=False):
        numbers = Pcg(seed)
        left = list(palette.sorted_deck)
        deck = [left.pop(_place(numbers.bits(), left)) for _ in range(len(left))]
        yield Deal(rules, seated(deck, rules, start), request.name(seed), label, started(start))


def _place(bits: int, left: Sequence[Card]) -> int:
    """Give the place of the card drawn, kinds lying together.

    numpy takes the first kind whose sum of chances is greater than the draw u. Its sums, and their
    quotients by the last one, differ from the exact k/n by less than 2**-44, so where u * n is
    further than 2**-30 from every whole number, it is the card at the place floor(u * n).
    """
    total = len(left)
    scaled = bits * total
    if EDGE < scaled % UNIT < UNIT - EDGE:
        return scaled // UNIT
    draw = bits / UNIT
    ends = [place for place in range(1, total) if left[place] != left[place - 1]] + [total]
    starts = [0, *ends[:-1]]
    reached, sums = 0.0, []
    for start, end in zip(starts, ends, strict=True):
        reached += (end - start) / total
        sums.append(reached)
    return next(end - 1 for end, s in zip(ends, sums, strict=True) if s / reached > draw)
