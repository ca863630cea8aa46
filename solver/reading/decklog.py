"""Decks recorded from environments, without games: JSON of cards in the environments' own terms.

``{"decks": [...]}``, as arrays (n, cards, 2) of colour and rank from 0 or any form of deck that
`solver.reading.transcript` reads, or one object a deck with ``deck``; colours are R Y G W B.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from solver.formats.composition import label_of
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.origin import Origin
from solver.game.rules import usual_hand_size
from solver.reading.learninglog import rules_of
from solver.reading.transcript import cards_of

__all__ = ["recorded_decks"]

ORIGIN = Origin("recorded", "", "the cards as they stand in the file")


def recorded_decks(
    found: Mapping[str, Any], players: int | None
) -> Iterator[tuple[str, Deal | InputError]] | None:
    """Give the deals of recorded decks, each with what to add to its place; None if it has none.

    Parameters
    ----------
    found
        Perhaps also with ``num_players`` or ``players``, and with ``hand_size``, ``first_player``
        and so on as the learning environments name them.
    players
        What was asked for.
    """
    if "actions" in found or "moves" in found or isinstance(found.get("players"), list):
        return None
    deck = found.get("deck")
    items = found.get("decks")
    if isinstance(items, list):
        return _deals(items, found, players)
    if isinstance(deck, list) and not any(isinstance(card, dict) for card in deck):
        return _deals([deck], found, players)
    if isinstance(deck, str) and " " in deck.strip():
        return _deals([deck], found, players)
    return None


def _deals(
    items: list[Any], found: Mapping[str, Any], players: int | None
) -> Iterator[tuple[str, Deal | InputError]]:
    several = "decks" in found
    for number, item in enumerate(items, 1):
        settings = {**found, **item} if isinstance(item, dict) else found
        deck = item.get("deck") if isinstance(item, dict) else item
        try:
            made: Deal | InputError = _deal(deck, settings, players)
        except InputError as error:
            made = error
        yield f":{number}" if several else "", made


def _deal(deck: object, settings: Mapping[str, Any], players: int | None) -> Deal:
    seats = settings.get("players", settings.get("num_players"))
    if players is not None and seats is not None and seats != players:
        raise InputError(f"--players is {players}, and this is for {seats}")
    seats = players if seats is None else seats
    if seats is None:
        raise InputError("players is missing (--players)")
    if type(seats) is not int or not 2 <= seats <= 6:
        raise InputError("players is not a number from 2 to 6")
    palette, rules = rules_of(seats, usual_hand_size(seats), settings)
    name = settings.get("name", "")
    cards = tuple(cards_of(deck, palette))
    return Deal(rules, cards, name if isinstance(name, str) else "", label_of(rules.suits), ORIGIN)
