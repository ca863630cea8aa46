"""Decks of the Rust program hanabi.rs; game i of a run that starts at seed s has the seed s + i."""

from __future__ import annotations

from collections.abc import Iterator

from solver.decks.chacha import shuffled
from solver.decks.palette import HANABIRS
from solver.decks.request import Request
from solver.formats.composition import label_of
from solver.game.deal import Deal
from solver.game.origin import Origin
from solver.game.rules import Rules, usual_hand_size

__all__ = ["hanabirs"]

ORIGIN = Origin(
    "hanabi.rs", "ef773112", "rand 0.3: ChaChaRng::from_seed(&[seed]), shuffle; 64 bits"
)


def hanabirs(request: Request) -> Iterator[Deal]:
    """Deal as hanabi.rs, which allows discards at full tokens; a lost game keeps its points."""
    request.own_suits()
    players = request.seats()
    rules = Rules(
        players,
        request.get("hand", usual_hand_size(players)),
        HANABIRS.suits,
        discard_at_full=not request.has("no-full-discard"),
        empty_clues=request.has("empty-clues"),
        lost_scores_stacks=True,
    )
    label = label_of(rules.suits)
    for seed in request.seeds(2**32 - 1):
        deck = shuffled(seed, HANABIRS.sorted_deck)[::-1]  # it draws from the back
        yield Deal(rules, tuple(deck), request.name(seed), label, ORIGIN)
