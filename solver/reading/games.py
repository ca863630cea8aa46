"""Finished games in any of the formats: those of hanab.live, and logs of research programs.

What a file holds shows in its content:

- JSON with ``decks`` and ``actions``: arrays (`solver.reading.arrays`), also ``.npz`` and
  ``.safetensors``;
- JSON with ``moves``, or with ``actions`` and no list of players' names: a game of a learning
  environment (`solver.reading.learninglog`); with ``game`` and ``history``: one of OpenSpiel;
- JSON with ``games``: a list of any of these, whose ``players`` holds for all of them;
- JSON of hanab.live with ``first_player``: a game that hanabi.rs wrote with ``-j``;
- text with ``Current hands:``: a log of Quuxplusone's program or of SPARTA;
- text with ``(Deal R1)``: a printed ``move_history()``, a list or an item a line;
- text with ``Agent: 0 action: {``: a log of ``rl_env``, after a line that names the deal;
- text with ``[Game]`` and ``[State]``: what OpenSpiel serialized.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from solver.formats.hanablive import Game
from solver.formats.record import Record
from solver.game.errors import InputError
from solver.reading.arrays import games_of_arrays
from solver.reading.learninglog import game_of_history, game_of_object
from solver.reading.openspiel import game_of_history_object, game_of_serialized, is_serialized
from solver.reading.quuxlog import games_of_log, is_log

__all__ = ["Found", "numbered", "of_object", "of_text"]

Found = tuple[str, Game | InputError]
"""What to add to the place, such as ``:3``, and the game or what is wrong with it."""

HISTORY = re.compile(r"<?\((?:Deal|Play|Discard|Reveal)[^)]*\)[^<>,\n]*(?:,\d[^<>\n]*)?>?")
AGENT = re.compile(r"Agent: (\d) action: (\{.*\})")
SCORE = re.compile(r"(?i)^\W*(?:final )?score\W+(\d+)\W*$")


def of_object(found: Mapping[str, Any], players: int | None = None) -> Iterator[Found] | None:
    """Give the games of a JSON object; None if it is in none of these formats.

    ``players`` is the number of players of games that do not say it.
    """
    moves = found.get("actions")
    if players is not None and found.get("players") is None:
        found = {**found, "players": players}
    if isinstance(found.get("games"), list):
        return _container(found)
    if "decks" in found and "actions" in found:
        return numbered(games_of_arrays(found))
    if "history" in found and "game" in found:
        return _one(game_of_history_object, found)
    if isinstance(found.get("moves"), list):
        return _one(game_of_object, found)
    if isinstance(found.get("players"), list):  # of names: the site's own format
        return _one(_of_hanabi_rs, found) if "first_player" in found else None
    return _one(game_of_object, found) if isinstance(moves, list) else None


def _one(read: Callable[[Any], Game], found: object) -> Iterator[Found]:
    try:
        yield "", read(found)
    except InputError as error:
        yield "", error


def numbered(games: Iterator[Game | InputError]) -> Iterator[Found]:
    """Give games their numbers from 1."""
    for number, game in enumerate(games, 1):
        yield f":{number}", game


def _container(found: Mapping[str, Any]) -> Iterator[Found]:
    for number, item in enumerate(found["games"], 1):
        inner = None
        if isinstance(item, dict) and "games" not in item:
            if type(found.get("players")) is int:
                item = {"players": found["players"], **item}
            inner = of_object(item)
        if inner is None:
            yield f":{number}", InputError("no game in a format that is known")
        else:
            for place, game in inner:
                yield f":{number}{place}", game


def _of_hanabi_rs(found: Mapping[str, Any]) -> Game:
    """Read a game of hanabi.rs, which plays on after full marks and may discard at full tokens."""
    first = found["first_player"]
    options = found.get("options", {})
    if isinstance(options, dict) and first:
        options = {**options, "startingPlayer": first}
    game = Game.from_json({**found, "options": options}, "game")
    rules = replace(game.deal.rules, discard_at_full=True, lost_scores_stacks=True)
    record = Record("hanabi.rs", None, 0)
    return replace(game, deal=replace(game.deal, rules=rules), record=record).until_end()


def of_text(text: str, players: int | None = None) -> Iterator[Found] | None:
    """Give the games of a text; None if it is in none of these formats.

    ``players`` is the number of players of logs from which it does not follow.
    """
    if is_serialized(text):
        return _one(game_of_serialized, text)
    if is_log(text):
        return numbered(games_of_log(text))
    if AGENT.search(text):
        return numbered(_of_agents(text, players))
    if "(Deal " in text:
        return numbered(_of_histories(text))
    return None


def _of_histories(text: str) -> Iterator[Game | InputError]:
    """Give the games of printed histories: a list a line, or items apart from blank lines."""
    items: list[str] = []
    score: int | None = None

    def ended() -> Iterator[Game | InputError]:
        if items:
            try:
                yield game_of_history(items, score)
            except InputError as error:
                yield error

    for line in [*text.splitlines(), ""]:
        found = HISTORY.findall(line)
        if said := SCORE.match(line):
            score = int(said[1])
        elif not found or line.lstrip().startswith("["):
            yield from ended()
            items, score = [], None
        items += found


def _of_agents(text: str, players: int | None) -> Iterator[Game | InputError]:
    """Give the games of a log of ``rl_env``; its first line, or a ``deal:``, names the deal."""
    deal, score, episode = "", None, 0
    moves: list[object] = []
    seats: list[int] = []

    def ended() -> Iterator[Game | InputError]:
        try:
            if not deal:
                raise InputError(f"episode {episode}: no line before it names its deal (hle:7)")
            turns = [turn for turn in range(1, len(seats)) if seats[turn] == seats[0]]
            if not turns and players is None:
                raise InputError("no full round, so the number of players is not known (--players)")
            found = {
                "players": turns[0] if turns else players,
                "moves": moves,
                "deal": deal,
                "score": score,
            }
            yield game_of_object(found)
        except InputError as error:
            yield error

    for line in text.splitlines():
        if agent := AGENT.search(line):
            try:
                move = ast.literal_eval(agent[2])
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                move = None
            seats.append(int(agent[1]))
            moves.append(move)
        elif said := SCORE.match(line):
            score = int(said[1])
        elif line.startswith("Running episode") and moves:
            yield from ended()
            # The deck of a later episode of the same game depends on how the first was played.
            deal, moves, seats, score = "", [], [], None
            episode += 1
        elif named := re.fullmatch(r"\s*(?:deal:\s*)?([a-z]+[-+=a-z0-9]*:\S+)\s*", line):
            if moves:
                yield from ended()
                moves, seats, score = [], [], None
                episode += 1
            deal = named[1]
    if moves:
        yield from ended()
