"""Games recorded from OpenSpiel's ``hanabi``: its serialized text, or a history in JSON.

A history mixes the cards that chance deals (colour times ranks plus rank, from 0) with the
players' actions; which is which follows from the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from solver.decks.mersenne import bounded, engines
from solver.formats.hanablive import Game
from solver.formats.record import Record
from solver.game.errors import InputError
from solver.game.rules import usual_hand_size
from solver.reading.learninglog import rules_of
from solver.reading.transcript import Transcript, cards_of

__all__ = ["game_of_history_object", "game_of_serialized", "is_serialized"]

SOURCE = "OpenSpiel"


def is_serialized(text: str) -> bool:
    """Whether a text is a game and state as ``pyspiel`` serializes them."""
    return "SerializeGameAndState" in text[:200] or text.lstrip().startswith("[Game]")


def game_of_serialized(text: str) -> Game:
    """Read what ``pyspiel.serialize_game_and_state`` gave."""
    match = re.search(r"\[Game\]\s*(\S+)\s*\[State\]([-\s\d]*)\Z", text.strip())
    if match is None:
        raise InputError("OpenSpiel: no [Game] with a [State] of numbers after it")
    return _game(match[1], [int(word) for word in match[2].split()])


def game_of_history_object(found: Mapping[str, Any]) -> Game:
    """Read ``{"game": "hanabi(players=3)", "history": [...], "score": 20}``.

    The history has numbers, or pairs of player (-1 for chance) and number, as ``full_history()``.
    """
    name, history, score = found.get("game"), found.get("history"), found.get("score")
    if not isinstance(name, str) or not isinstance(history, list):
        raise InputError("OpenSpiel: game is no text, or history no list")
    if score is not None and type(score) is not int:
        raise InputError("score is not a whole number")
    pairs = [item for item in history if isinstance(item, list)]
    if pairs and len(pairs) < len(history):
        raise InputError("OpenSpiel: history has numbers and pairs")
    if any(len(pair) != 2 or {type(part) for part in pair} != {int} for pair in pairs):
        raise InputError("OpenSpiel: history has a pair that is not player and action")
    numbers = [pair[1] for pair in pairs] if pairs else history
    if any(type(number) is not int for number in numbers):
        raise InputError("OpenSpiel: history has an item that is no number")
    seats = [pair[0] for pair in pairs if pair[0] >= 0]
    return _game(name, numbers, score, seats[0] if seats else None)


def _game(
    name: str, history: Sequence[int], score: int | None = None, first: int | None = None
) -> Game:
    match = re.fullmatch(r"hanabi(?:\((.*)\))?", name)
    if match is None:
        raise InputError(f"OpenSpiel: {name[:40]!r} is not the game hanabi")
    found: dict[str, Any] = {}
    for word in (match[1] or "").split(",") if match[1] else ():
        key, _, value = word.partition("=")
        found[key.strip()] = int(value) if re.fullmatch("-?[0-9]{1,9}", value) else value == "True"
    players = found.get("players", 2)
    if type(players) is not int or not 2 <= players <= 5:
        raise InputError("OpenSpiel: players is not 2 to 5")
    if first is None and found.get("random_start_player"):
        if found.get("seed", -1) < 0:
            raise InputError("OpenSpiel: who starts is random, and there is no seed that says it")
        first = bounded(next(engines([found["seed"]])), players)
    found["first_player"] = first or 0
    palette, rules = rules_of(players, usual_hand_size(players), found)
    script = Transcript(rules, palette)
    left = iter(history)
    numbers: list[int] = []
    for number in left:
        if len(numbers) < min(script.drawn, rules.deck_size):
            numbers.append(number)
        else:
            script.act(number)
    return script.game(cards_of(numbers, palette), Record(SOURCE, score))
