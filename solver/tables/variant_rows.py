"""The variants of hanab.live as rows: what they are made of, and whether an engine takes them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from solver.formats.variants import MECHANICS, Variant, find, names
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.solving.choice import require

__all__ = ["MECHANIC_WORDS", "matching", "mechanics", "nearest", "variant_row"]

MECHANIC_WORDS = (
    *MECHANICS, "One of Each", "Inverted", "Special Rank", "Special Suits", "Untouchable Cards",
)  # fmt: skip
"""All words that `mechanics` gives."""


def mechanics(variant: Variant) -> list[str]:
    """Give the words for what sets a variant apart from five ordinary suits, sorted.

    Beside the site's own words: ``One of Each`` (a suit with one copy of each rank), ``Reversed``,
    ``Inverted`` (Orange), ``Special Rank``, ``Special Suits`` (with touch rules of their own) and
    ``Untouchable Cards`` (no clue touches them).
    """
    suits = variant.suits
    found = set(variant.mechanics)
    tests = {
        "Reversed": any(suit.reversed for suit in suits),
        "One of Each": any(suit.dark for suit in suits),
        "Inverted": any(suit.inverted for suit in suits),
        "Special Rank": variant.special_rank > 0,
        "Special Suits": any((suit.by_colour, suit.by_rank) != ("own", "own") for suit in suits),
        "Untouchable Cards": bool(variant.untouchable) and not variant.empty_clues,
    }
    return sorted(found | {word for word, holds in tests.items() if holds})


def why_unsupported(variant: Variant) -> str:
    """Say why no engine takes a variant's deals; empty if one does."""
    try:
        rules = variant.rules(3)
        require(Deal(rules, tuple(rules.sorted_deck()), variant=variant.name))
    except InputError as error:
        return str(error)
    return ""


def matching(text: str) -> Iterator[Variant]:
    """Give the variants with a text in their name or among their mechanics, by number.

    A number finds the variant that has it, too.
    """
    wanted = text.strip().casefold()
    for number in range(len(names())):
        variant = find(number)
        if str(number) == wanted or any(
            wanted in word.casefold() for word in (variant.name, *mechanics(variant))
        ):
            yield variant


def nearest(text: str) -> list[str]:
    """Give the names and mechanics that are nearest to a text that `matching` does not find."""
    known = {word.casefold(): word for word in (*names(), *MECHANIC_WORDS)}
    found = get_close_matches(text.strip().casefold()[:60], known, 3, 0.5)
    return [known[word] for word in found]


def variant_row(variant: Variant) -> dict[str, Any]:
    """Give the object for a variant; ``reason`` only where it is not supported."""
    reason = why_unsupported(variant)
    row: dict[str, Any] = {
        "id": variant.number,
        "name": variant.name,
        "suits": len(variant.suits),
        "mechanics": mechanics(variant),
        "supported": not reason,
    }
    return {**row, "reason": reason} if reason else row
