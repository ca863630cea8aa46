"""Games recorded from the Hanabi Learning Environment, its forks, JaxMARL and OpenSpiel.

In JSON a game is an object with the number of ``players``, the ``deck`` or the ``seed``, and its
``moves`` (or ``actions``), each of them

- a number, as the environments number their actions;
- an action of ``rl_env``: ``{"action_type": "REVEAL_RANK", "target_offset": 1, "rank": 0}``, ranks
  from 0;
- ``{"type": "play", "index": 2}``, ``discard``, ``clue_color`` and ``clue_rank`` with the seat as
  ``target`` and a letter or a rank from 1 as ``value``;
- a text as pyhanabi prints it: ``(Reveal player +1 color R)``.

Further fields: ``score``; ``first_player``; ``hand_size``, ``colors``, ``ranks``,
``max_information_tokens`` and ``max_life_tokens`` where they are not the usual ones; ``bomb`` as in
the forks (0: a lost game scores 0, 1: it keeps its points, -1: one less); ``deal``, a spec such as
``sad:7``, instead of deck or seed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from solver.decks.learningenv import seated
from solver.decks.palette import HLE, Palette, learning_copies
from solver.decks.sources import dealt, is_source
from solver.formats.hanablive import Game
from solver.formats.record import Record
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.rules import Rules, usual_hand_size
from solver.reading.transcript import Transcript, cards_of

__all__ = ["acted", "game_of_history", "game_of_object", "rules_of"]

ENVIRONMENT = "Hanabi Learning Environment"
JAXMARL = "JaxMARL"
REVEAL = re.compile(r"Reveal player [+](\d) (?:color ([A-Z])|rank (\d))")
SLOT = re.compile(r"(Play|Discard) (\d)")
DEAL = re.compile(r"Deal ([A-Z]\d|XX)")


def number_of(found: Mapping[str, Any], key: str, default: int, least: int, most: int) -> int:
    value = found.get(key)
    if value is None:
        return default
    if type(value) is not int or not least <= value <= most:
        raise InputError(f"{key} is not a number from {least} to {most}")
    return value


def rules_of(
    players: int, hand: int, found: Mapping[str, Any], keeps: bool = False
) -> tuple[Palette, Rules]:
    """Give the colours and rules that an environment's parameters say.

    Parameters
    ----------
    hand
        Cards in a hand where ``hand_size`` is missing.
    found
        The parameters by the names that the learning environments have for them.
    keeps
        Whether a lost game scores its points.
    """
    ranks = number_of(found, "ranks", 5, 1, 5)
    palette = HLE.shortened(number_of(found, "colors", 5, 1, 5), learning_copies(ranks))
    clues = number_of(found, "max_information_tokens", 8, 1, 200)
    return palette, Rules(
        players,
        number_of(found, "hand_size", hand, 1, 50),
        palette.suits,
        first_player=number_of(found, "first_player", 0, 0, players - 1),
        max_clues=clues,
        start_clues=clues,
        max_strikes=number_of(found, "max_life_tokens", 3, 1, 100),
        lost_scores_stacks=keeps,
    )


def game_of_object(found: Mapping[str, Any]) -> Game:
    """Read a game from a JSON object.

    Raises
    ------
    InputError
        Saying which field or turn is wrong. Without the number of players, if not exactly one
        number fits, that is, makes every move legal, the last one the end, and the score the
        recorded one.
    """
    if found.get("players") is not None:
        return _game(found, number_of(found, "players", 0, 2, 5))
    if found.get("score") is None:
        raise InputError("players is missing")
    fitting = []
    for players in range(2, 6):
        try:
            game = _game(found, players)
            if game.replay().end:
                fitting.append(game)
        except InputError:
            continue
    if len(fitting) != 1:
        which = "several numbers fit" if fitting else "no number from 2 to 5 fits"
        raise InputError(f"players is missing, and {which} the moves and the score")
    return fitting[0]


def _game(found: Mapping[str, Any], players: int) -> Game:
    moves = found.get("moves", found.get("actions"))
    if not isinstance(moves, list):
        raise InputError("moves is not a list")
    plain = bool(moves) and "moves" not in found and all(type(move) is int for move in moves)
    score = found.get("score")
    if score is not None and type(score) is not int:
        raise InputError("score is not a whole number")
    bomb = number_of(found, "bomb", 0, -1, 1)
    lost_minus = {0: None, 1: 0, -1: 1}[bomb]
    hand = 5 if plain else usual_hand_size(players)
    deal = _dealt(found, players)
    start = 0
    if deal is not None:
        hand, start = deal.rules.hand_size, deal.origin.start if deal.origin else 0
        found = {"first_player": start, **found}
    palette, rules = rules_of(players, hand, found, lost_minus is not None)
    cards: Sequence[Card]
    if deal is None:
        cards = cards_of(found.get("deck"), palette)
    else:
        if deal.rules.composition != rules.composition or deal.rules.hand_size != rules.hand_size:
            raise InputError("the seed's deal has another deck or hand size than the game")
        if rules.first_player != start:
            raise InputError(f"first_player is not {start}, who starts with this seed")
        cards = seated(deal.deck, rules, -start % players)  # back into the environment's seats
    script = Transcript(rules, palette)
    script.follow(moves, acted, cards)
    source = JAXMARL if plain else ENVIRONMENT
    origin = None if deal is None else deal.origin
    return script.game(cards, Record(source, score, lost_minus), origin=origin)


def _dealt(found: Mapping[str, Any], players: int) -> Deal | None:
    """Give the deal that a seed or a spec names; None if the game has its own deck."""
    if found.get("deck") is not None:
        return None
    spec = found.get("deal")
    if spec is None:
        if found.get("seed") is None:
            raise InputError("deck is missing, and so is the seed")
        seed = number_of(found, "seed", 0, 0, 2**31 - 1)
        options = "+random-start" if found.get("random_start_player") else ""
        for key, name in (("colors", "colors"), ("ranks", "ranks"), ("hand_size", "hand")):
            if found.get(key) is not None:
                options += f"+{name}={number_of(found, key, 0, 1, 50)}"
        spec = f"hle{options}:{seed}"
    if not isinstance(spec, str) or not is_source(spec):
        raise InputError("deal is no spec of a source such as hle:7")
    deals = list(dealt(spec, players, None))
    if len(deals) != 1:
        raise InputError(f"deal: {spec[:40]} names {len(deals)} deals, not one")
    return deals[0]


def acted(script: Transcript, move: object, cards: Sequence[Card]) -> None:
    """Add a move in any of its forms; a card that it names has to be the one in its slot."""
    if type(move) is int:
        script.act(move)
    elif isinstance(move, str):
        _printed(script, move, cards)
    elif isinstance(move, dict) and "action_type" in move:
        _requested(script, move)
    elif isinstance(move, dict) and "type" in move:
        _described(script, move, cards)
    elif isinstance(move, dict) and type(move.get("uid")) is int:
        script.act(move["uid"])
    else:
        raise InputError("a move in no form that is known")


def _colour(letter: object, script: Transcript) -> int:
    if not isinstance(letter, str) or len(letter) != 1:
        raise InputError(f"{str(letter)[:20]!r} is no colour")
    return script.palette.colours.find(letter)


def _slot(script: Transcript, verb: str, slot: object) -> int:
    if type(slot) is not int:
        raise InputError(f"{verb} of no slot")
    part: Callable[[int], int] = script.play if verb.lower() == "play" else script.discard
    return part(slot)


def _requested(script: Transcript, move: Mapping[str, Any]) -> None:
    """Add an action of ``rl_env``."""
    kind = move["action_type"]
    if kind in ("PLAY", "DISCARD"):
        _slot(script, kind, move.get("card_index"))
        return
    offset = move.get("target_offset")
    if type(offset) is not int or not 1 <= offset < script.rules.players:
        raise InputError("target_offset is none of the other seats")
    if kind == "REVEAL_COLOR":
        script.clue_colour(script.ahead(offset), _colour(move.get("color"), script))
    elif kind == "REVEAL_RANK" and type(rank := move.get("rank")) is int:
        script.clue_rank(script.ahead(offset), rank + 1)
    else:
        raise InputError(f"action_type {str(kind)[:20]!r} is not known, or its rank is missing")


def _described(script: Transcript, move: Mapping[str, Any], cards: Sequence[Card]) -> None:
    kind = move["type"]
    if move.get("player", script.seat) != script.seat:
        raise InputError(f"it is the turn of seat {script.seat}")
    if kind in ("play", "discard"):
        order = _slot(script, kind, move.get("index"))
        _is_card(move.get("card"), cards, order, script)
    elif kind == "clue_color" and type(target := move.get("target")) is int:
        script.clue_colour(target, _colour(move.get("value"), script))
    elif (
        kind == "clue_rank"
        and type(target := move.get("target")) is int
        and type(value := move.get("value")) is int
    ):
        script.clue_rank(target, value)
    else:
        raise InputError(f"type {str(kind)[:20]!r} is not known, or its target is missing")


def _is_card(word: object, cards: Sequence[Card], order: int, script: Transcript) -> None:
    if word is None:
        return
    (said,) = cards_of([word], script.palette)
    if order < len(cards) and cards[order] != said:
        raise InputError(f"the card in that slot is not {word}")


def _printed(script: Transcript, text: str, cards: Sequence[Card]) -> None:
    """Add a move as pyhanabi prints moves and items of a history."""
    by = re.search(r"by player (\d)", text)
    if by and int(by[1]) != script.seat:
        raise InputError(f"it is the turn of seat {script.seat}, not of player {by[1]}")
    if slot := SLOT.search(text):
        order = _slot(script, slot[1], int(slot[2]))
        _is_card(card[1] if (card := re.search(r" ([A-Z]\d)>?$", text)) else None, cards, order,
                 script)  # fmt: skip
    elif clue := REVEAL.search(text):
        target = script.ahead(int(clue[1]))
        if clue[2]:
            script.clue_colour(target, _colour(clue[2], script))
        else:
            script.clue_rank(target, int(clue[3]))
    else:
        raise InputError(f"{text[:40]!r} is no move")


def game_of_history(items: Iterable[str], score: int | None = None) -> Game:
    """Read a game from the printed items of a ``move_history()``, deals and moves alike.

    The number of players follows from the first round, the hand size from the cards dealt before
    it. Of the full game alone: five colours and ranks, 8 information and 3 life tokens.
    """
    words, moves = [], []
    first = 0
    for item in items:
        if deal := DEAL.search(item):
            words.append(deal[1])
        else:
            first = first or len(words)
            moves.append(item)
    seats = [int(by[1]) for by in (re.search(r"by player (\d)", item) for item in moves) if by]
    if len(seats) != len(moves) or not moves:
        raise InputError("the history has moves without their player" if moves else "no moves")
    rounds = [turn for turn in range(1, len(seats)) if seats[turn] == seats[0]]
    if not rounds:
        raise InputError("the history has no full round, so the number of players is not known")
    players = rounds[0]
    if not 2 <= players <= 5 or first % players:
        raise InputError(f"{first} cards are no hands for {players} players")
    palette, rules = rules_of(players, first // players, {"first_player": seats[0]})
    cards = cards_of(words, palette)
    script = Transcript(rules, palette)
    script.follow(moves, _printed, cards)
    return script.game(cards, Record(ENVIRONMENT, score))
