"""Decks of the Hanabi Learning Environment and of its forks for SAD and off-belief learning.

Cards are drawn during play from one engine that a *game* object owns, so what is modelled here is
the first episode of a new game: later ones depend on how the earlier were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from solver.decks.mersenne import bounded, engines, pick
from solver.decks.palette import HLE, Palette, learning_copies
from solver.decks.request import Request
from solver.formats.composition import label_of
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.origin import Origin
from solver.game.rules import Rules, usual_hand_size

__all__ = ["learning_rules", "obl", "original", "sad", "seated"]

DRAWS = "mt19937(seed), a libstdc++ discrete_distribution over the kinds left at every draw"
ORIGINAL = Origin("Hanabi Learning Environment", "0.0.4", f"{DRAWS}; first episode")
SAD = Origin("SAD", "415804b5, with its fork 3512c045 of the Hanabi Learning Environment",
             f"{DRAWS}, a word skipped for every player after the deal; first episode")  # fmt: skip
OBL = Origin("Off-belief learning", "ce8e4fdb, with its fork of the Hanabi Learning Environment",
             f"{DRAWS}; first episode")  # fmt: skip
STARTED = ", a word for the start player before the deal"


def original(request: Request) -> Iterator[Deal]:
    """Deal as the Hanabi Learning Environment; hands of 5, or of 4 for four and five players."""
    players = request.seats()
    return _deals(request, ORIGINAL, usual_hand_size(players), request.has("random-start"), 0)


def sad(request: Request) -> Iterator[Deal]:
    """Deal as SAD, whose reset takes a word for every player after the hands are dealt."""
    return _deals(request, SAD, 5, False, request.seats())


def obl(request: Request) -> Iterator[Deal]:
    """Deal as the off-belief-learning code, whose start player is random unless it is told not."""
    return _deals(request, OBL, 5, not request.has("fixed-start"), 0)


def learning_rules(players: int, hand: int, request: Request) -> tuple[Palette, Rules]:
    """Give the colours and rules that the options ask for; ``hand`` is the usual hand size."""
    request.own_suits()
    small, tiny = request.has("small"), request.has("very-small")
    colours = request.get("colors", 1 if tiny else 2 if small else 5)
    palette = HLE.shortened(colours, learning_copies(request.get("ranks", 5)))
    reduced = small or tiny
    clues = request.get("clues", 3 if reduced else 8)
    return palette, Rules(
        players,
        request.get("hand", 2 if reduced else hand),
        palette.suits,
        max_clues=clues,
        start_clues=clues,
        max_strikes=request.get("lives", 1 if reduced else 3),
    )


def seated(deck: Sequence[Card], rules: Rules, start: int) -> tuple[Card, ...]:
    """Give a deck in which the hand of seat ``start`` is dealt to seat 0, and so on round."""
    first, dealt = start * rules.hand_size, rules.players * rules.hand_size
    return (*deck[first:dealt], *deck[:first], *deck[dealt:])


def _deals(
    request: Request, origin: Origin, hand: int, random_start: bool, skipped: int
) -> Iterator[Deal]:
    palette, rules = learning_rules(request.seats(), hand, request)
    label = label_of(rules.suits)
    dealt = rules.players * rules.hand_size
    if random_start:
        origin = replace(origin, generator=origin.generator + STARTED)
    started = cache(lambda start: replace(origin, start=start))
    seeds = request.seeds()
    for seed, engine in zip(seeds, engines(seeds), strict=True):
        start = bounded(engine, rules.players) if random_start else 0
        left = list(palette.sorted_deck)
        deck = [pick(engine, left) for _ in range(dealt)]
        if skipped:
            engine.getrandbits(32 * skipped)
        deck += [pick(engine, left) for _ in range(len(left))]
        yield Deal(rules, seated(deck, rules, start), request.name(seed), label, started(start))
