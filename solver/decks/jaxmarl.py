"""Decks of JaxMARL's Hanabi: ``env.reset(jax.random.PRNGKey(seed))``."""

from __future__ import annotations

from collections.abc import Iterator

from solver.decks.learningenv import learning_rules
from solver.decks.request import Request
from solver.decks.threefry import key_of, permutation, split
from solver.formats.composition import label_of
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.origin import Origin

__all__ = ["jaxmarl"]

VERSION = "0.2.0 (c793d095)"
GENERATOR = "permutation of the sorted deck by the second half of PRNGKey(seed), Threefry"
NEW = Origin("JaxMARL", VERSION, f"{GENERATOR} partitionable, the default since JAX 0.5")
OLD = Origin("JaxMARL", VERSION, f"{GENERATOR} not partitionable, the default before JAX 0.5")


def jaxmarl(request: Request) -> Iterator[Deal]:
    """Deal as JaxMARL; hands of 5 for any number of players unless ``hand`` says otherwise."""
    palette, rules = learning_rules(request.seats(), 5, request)
    partitionable = not request.has("jax04")
    origin = NEW if partitionable else OLD
    label = label_of(rules.suits)
    # Its sorted deck runs through the colours of every copy in turn.
    unshuffled = [
        Card(suit, rank)
        for rank, count in enumerate(palette.copies, 1)
        for _ in range(count)
        for suit in palette.suit_of
    ]
    for seed in request.seeds():
        _, key = split(key_of(seed), partitionable)
        order = permutation(key, len(unshuffled), partitionable)
        deck = tuple(unshuffled[place] for place in order)
        yield Deal(rules, deck, request.name(seed), label, origin)
