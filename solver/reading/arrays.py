"""Games as arrays: decks, actions and scores of JaxMARL and of the AH2AC2 data set.

``decks`` is (games, cards, 2), colour and rank from 0, the top card first; ``actions`` (games,
turns) with the number of the acting player's action, or (games, turns, players) with everybody's,
those who do not act doing nothing, the highest number. Optional are ``scores`` (games),
``num_actions`` (games), ``num_players`` and ``game_ids``. Without ``num_actions`` whatever stands
after a game's end is left out. Files: JSON, numpy's ``.npz``, and ``.safetensors``.
"""

from __future__ import annotations

import json
import sys
import zipfile
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from solver.decks.palette import HLE
from solver.formats.hanablive import Game
from solver.formats.inputs import LARGEST
from solver.formats.record import Record
from solver.game.errors import InputError
from solver.reading.learninglog import JAXMARL, rules_of
from solver.reading.transcript import Transcript, cards_of

__all__ = ["BINARY", "games_of_arrays", "read_arrays"]

BINARY = (".npz", ".safetensors")
"""The names of files that are read here end so."""
AH2AC2 = "AH2AC2"
CODES = {"I64": "q", "I32": "i", "I16": "h", "I8": "b", "U8": "B", "U16": "H", "U32": "I",
         "U64": "Q", "BOOL": "B", "F32": "f", "F64": "d"}  # fmt: skip


def games_of_arrays(found: Mapping[str, Any]) -> Iterator[Game | InputError]:
    """Give the games in their order, and in their places what is wrong with others."""
    try:
        rows, players = _rows(found)
    except InputError as error:
        yield error
        return
    for deck, moves, row in rows:
        try:
            yield _game(deck, moves, players, row)
        except InputError as error:
            yield error


def _rows(found: Mapping[str, Any]) -> tuple[list[tuple[object, object, dict[str, Any]]], object]:
    """Give deck, actions and the rest of every game, and the number of players if it is there."""
    decks, actions = found.get("decks"), found.get("actions")
    if not isinstance(decks, list) or not isinstance(actions, list):
        raise InputError("decks and actions are no lists")
    if len(decks) != len(actions):
        raise InputError(f"there are {len(decks)} decks and actions of {len(actions)} games")
    columns = {}
    for key in ("scores", "num_actions", "game_ids"):
        column = found.get(key)
        if column is not None and (not isinstance(column, list) or len(column) != len(decks)):
            raise InputError(f"{key} is no list of {len(decks)}")
        columns[key] = column
    players = found.get("num_players")
    while isinstance(players, list) and len(players) == 1:
        players = players[0]
    rows = []
    for number, (deck, moves) in enumerate(zip(decks, actions, strict=True)):
        row = {key: column[number] for key, column in columns.items() if column is not None}
        rows.append((deck, moves, row))
    return rows, players


def _game(deck: object, moves: object, players: object, row: Mapping[str, Any]) -> Game:
    if not isinstance(moves, list) or not moves:
        raise InputError("actions has no turns")
    if isinstance(moves[0], list):
        if players is None:
            players = len(moves[0])
        elif players != len(moves[0]):
            raise InputError(f"num_players is {players}, and actions is for {len(moves[0])}")
    if type(players) is not int or not 2 <= players <= 5:
        raise InputError("num_players is missing, or not 2 to 5")
    score, count = row.get("scores"), row.get("num_actions")
    if score is not None:
        if not isinstance(score, int | float) or score != int(score):
            raise InputError("its score is not a whole number")
        score = int(score)
    if count is not None and (type(count) is not int or not 0 <= count <= len(moves)):
        raise InputError(f"num_actions is not 0 to {len(moves)}")
    palette, rules = rules_of(players, 5, {})
    cards = cards_of(deck, palette)
    nothing = 2 * rules.hand_size + (players - 1) * 10
    script = Transcript(rules, HLE)
    for turn, move in enumerate(islice(moves, count), 1):
        acting = move
        if isinstance(move, list):
            others = [number for seat, number in enumerate(move) if seat != script.seat]
            if len(move) != players or (count is not None and set(others) - {nothing}):
                raise InputError(f"turn {turn}: not seat {script.seat} alone acts")
            acting = move[script.seat]
        if type(acting) is not int:
            raise InputError(f"turn {turn}: an action that is no number")
        if count is None and acting == nothing:
            break
        try:
            script.act(acting)
        except InputError:
            if count is not None:
                raise
            break
    source = AH2AC2 if "game_ids" in row or count is not None else JAXMARL
    game = script.game(cards, Record(source, score))
    if "game_ids" in row:
        game = replace(game, deal=replace(game.deal, name=f"game {row['game_ids']}"))
    return game.until_end() if count is None else game


def read_arrays(path: Path) -> dict[str, Any]:
    """Read the arrays of a ``.npz`` or ``.safetensors`` file as lists.

    Raises
    ------
    InputError
        Saying what is wrong with the file, or that it is too large.
    """
    if path.suffix.lower() == ".npz":
        return _read_npz(path)
    return _read_safetensors(path)


WANTED = ("decks", "actions", "scores", "num_actions", "num_players", "game_ids")


def _read_npz(path: Path) -> dict[str, Any]:
    import numpy

    try:
        with zipfile.ZipFile(path) as archive:
            if sum(item.file_size for item in archive.infolist()) > 4 * LARGEST:
                raise InputError(f"this holds more than {4 * LARGEST >> 20} MiB")
        with numpy.load(path, allow_pickle=False) as file:
            return {key: file[key].tolist() for key in WANTED if key in file}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None
    except (ValueError, zipfile.BadZipFile, EOFError) as error:
        raise InputError(f"not numpy's .npz: {error}") from None


def _read_safetensors(path: Path) -> dict[str, Any]:
    """Read the format: the length of a JSON header, the header, and all the numbers in a row."""
    try:
        data = path.read_bytes() if path.stat().st_size <= 4 * LARGEST else b""
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    if not data:
        raise InputError(f"this is empty, or has more than {4 * LARGEST >> 20} MiB")
    size = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8 : 8 + size])
        body = data[8 + size :]
        return {key: _tensor(header[key], body) for key in WANTED if key in header}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError("not a .safetensors file of numbers") from None


def _tensor(about: Mapping[str, Any], body: bytes) -> Any:
    first, last = about["data_offsets"]
    numbers = array(CODES[about["dtype"]], body[first:last])
    if sys.byteorder == "big":
        numbers.byteswap()
    made: list[Any] = numbers.tolist()
    for length in reversed(about["shape"][1:]):
        made = [made[at : at + length] for at in range(0, len(made), length)]
    return made if about["shape"] else made[0]
