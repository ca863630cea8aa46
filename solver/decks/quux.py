"""Decks of Quuxplusone's Hanabi program and of SPARTA, which was made from it.

A run seeds one engine and shuffles a new deck for every game, 50 words each. ``sparta:7#0-99`` are
the games 0 to 99 of the run with seed 7; ``sparta:0-99`` the first games of a hundred runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from solver.decks.mersenne import engines
from solver.decks.palette import ROYGB
from solver.decks.request import LARGEST_SEED, Request, number_range
from solver.formats.composition import label_of
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.origin import Origin
from solver.game.rules import Rules, usual_hand_size

__all__ = ["quux", "sparta"]

SHUFFLE = "mt19937(seed), portable_shuffle of a new deck for every game of a run"
QUUX = Origin("Quuxplusone/Hanabi", "daef9de8", SHUFFLE)
SPARTA = Origin("SPARTA", "88edc9f2", SHUFFLE)
MOST_GAMES = 10**7


def quux(request: Request) -> Iterator[Deal]:
    """Deal as Quuxplusone's program, where a lost game keeps its points."""
    return _deals(request, QUUX, lost_scores=True)


def sparta(request: Request) -> Iterator[Deal]:
    """Deal as SPARTA, where a lost game scores one point less, or nothing.

    That makes no optimum higher than the usual nothing, which the rules of these deals say.
    """
    return _deals(request, SPARTA, lost_scores=False)


def _asked(request: Request) -> tuple[range, range | None]:
    """Give the seeds and, where they are asked for, the games of one run."""
    text, sign, games = request.text.partition("#")
    seeds = number_range(text, LARGEST_SEED)
    if not sign:
        return seeds, None
    if len(seeds) > 1:
        raise InputError(f"{request.text[:40]!r}: the games of a run need one seed, such as 7#0-99")
    return seeds, number_range(games, MOST_GAMES)


def _deals(request: Request, origin: Origin, lost_scores: bool) -> Iterator[Deal]:
    request.own_suits()
    players = request.seats()
    rules = Rules(
        players,
        request.get("hand", usual_hand_size(players)),
        ROYGB.suits,
        discard_at_full=request.has("full-discard"),
        empty_clues=request.has("empty-clues"),
        lost_scores_stacks=lost_scores,
    )
    label = label_of(rules.suits)
    seeds, games = _asked(request)
    if 0 in seeds:
        raise InputError(f"{request.source}: with seed 0 the program takes one from the clock")
    for seed, engine in zip(seeds, engines(seeds), strict=True):
        for game in range(1 if games is None else games.stop):
            deck = _shuffled(engine)
            if games is None:
                yield Deal(rules, deck, request.name(seed), label, origin)
            elif game in games:
                run = replace(origin, generator=f"{origin.generator}; game {game}")
                yield Deal(rules, deck, request.name(f"{seed}#{game}"), label, run)


def _shuffled(engine: Random) -> tuple[Card, ...]:
    """Shuffle a new deck; the program draws from its back."""
    deck = list(ROYGB.sorted_deck)
    for place in range(len(deck)):
        other = engine.getrandbits(32) % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck[::-1])
