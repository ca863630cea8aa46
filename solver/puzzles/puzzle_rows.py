"""Puzzles as JSON Lines and CSV, and whether what is stored of one is true."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from math import factorial
from typing import Any, NamedTuple

from solver.endgames.endgame import MODELS, Possible
from solver.formats.inputs import parse_json, read_file, read_stdin
from solver.formats.positionfile import read
from solver.game.errors import InputError
from solver.game.notation import card_text, parse_possible, possible_text
from solver.game.position import Kind, Position
from solver.puzzles.judge import PuzzleReport, choice_words, examine
from solver.puzzles.themes import themes
from solver.reading.specs import held

__all__ = [
    "CSV_HEAD", "Item", "Wrong", "csv_text", "item", "items", "judged", "line_words",
    "puzzle_row", "report_row", "row_text", "verified",
]  # fmt: skip

NEEDED = ("position", "info_model", "moves", "value")
"""Fields that a stored puzzle must have; of the others those that are there must be true."""

CSV_HEAD = (
    "PuzzleId", "Position", "Model", "Moves", "Rating", "Themes", "Value", "Second", "Margin",
    "Orders", "Depth", "Source",
)  # fmt: skip


class Wrong(InputError):
    """What is stored of a puzzle is not so."""


class Item(NamedTuple):
    """A position to be judged, and, if it is a stored puzzle, what is stored of it."""

    where: str
    position: Position
    row: Mapping[str, Any] | None = None
    possible: Possible | None = None


def puzzle_row(report: PuzzleReport, **more: object) -> dict[str, object]:
    """Write a puzzle as a row, fields that are given besides at its end."""
    position = report.position
    orders = 1 if report.model == "known" else factorial(position.pile_size)
    return {
        "puzzle_id": report.puzzle_id,
        "position": position.text(),
        "info_model": report.model,
        **_possible(report),
        "objective": report.verdict.objective,
        "players": position.rules.players,
        "moves": list(report.moves),
        "value": str(report.value),
        "second": str(report.second),
        "margin": str(report.margin),
        "trap_loss": str(report.trap_loss),
        "n_orders": orders,
        "themes": themes(report),
        "depth": report.depth,
        "line": line_words(report),
        "difficulty": report.difficulty,
        **more,
    }


def _possible(report: PuzzleReport) -> dict[str, object]:
    if report.possible is None:
        return {}
    return {"possible": possible_text(report.possible, report.position.letters)}


def row_text(row: Mapping[str, object]) -> str:
    """Write a row as a line of JSON Lines."""
    return json.dumps(row, separators=(",", ":")) + "\n"


def report_row(report: PuzzleReport) -> dict[str, object]:
    """Write everything that is known of a position as a puzzle."""
    choices = [
        {"action": choice_words(report.position, choice), "value": str(choice.high)}
        for choice in report.verdict.choices
    ]
    return {
        **puzzle_row(report),
        "unique": report.unique,
        "states": report.verdict.states,
        "greedy": choice_words(report.position, report.greedy),
        "greedy_fails": report.trap_loss > 0,
        "trap_kind": report.trap_kind,
        "greedy_rank": report.greedy_rank,
        "only_moves": report.only_moves,
        "ties": report.ties,
        "forks": report.forks,
        "tight": report.tight,
        "twins": report.twins,
        "faults": report.faults(),
        "choices": choices,
    }


def line_words(report: PuzzleReport) -> list[str]:
    """Write the main line: what each player does, and what they draw."""
    words = []
    for step in report.line:
        if step.action.kind is Kind.DECK_PLAY and step.drawn is not None:
            card = card_text(step.drawn, step.before.letters)
            words.append(f"play {card} from the draw pile")
            continue
        drawn = (
            "" if step.drawn is None else f", draws {card_text(step.drawn, step.before.letters)}"
        )
        words.append(step.before.describe(step.action) + drawn)
    return words


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Write rows as CSV, in the style of lichess's puzzle database."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for row in rows:
        source = row.get("source") or row.get("generator") or ""
        writer.writerow(
            [
                row["puzzle_id"], row["position"], row["info_model"], ";".join(row["moves"]),
                row["difficulty"], " ".join(row["themes"]), row["value"], row["second"],
                row["margin"], row["n_orders"], row["depth"], source,
            ]
        )  # fmt: skip
    return out.getvalue()


def items(path: str) -> Iterator[Item | InputError]:
    """Read a position file, or lines of puzzles, position files or position texts; - is the input.

    In the place of what is no position, what is wrong with it.
    """
    name = "standard input" if path == "-" else path
    try:
        text = read_stdin() if path == "-" else read_file(path)
    except InputError as error:
        yield InputError(f"{name}: {error}")
        return
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if (len(lines) > 1 and lines[0][1].strip() in ("{", "[")) or text.lstrip().startswith("["):
        lines = [(0, text)]
    try:
        item(lines[0][1], name)
    except InputError:
        other = held(text)
        if other == "game":
            yield InputError(f"{name}: this is a game, not a position: hanabi endgame --turn N "
                             "takes one from it, hanabi puzzle generate --games many")  # fmt: skip
            return
        if other == "deal":
            yield InputError(f"{name}: this is a deal, not a position")
            return
    for number, line in lines:
        where = f"{name}:{number}" if number and len(lines) > 1 else name
        try:
            yield item(line, where)
        except InputError as error:
            yield error


def item(line: str, where: str) -> Item:
    """Read one position or stored puzzle."""
    if not line.lstrip().startswith(("{", "[")):
        return Item(where, read(line.strip(), where))
    try:
        found = parse_json(line)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if not (isinstance(found, dict) and "position" in found):
        return Item(where, read(found, where))
    for field in NEEDED:
        if field not in found:
            raise InputError(f"{where}: a puzzle needs the field {field}")
    if not isinstance(found["position"], str):
        raise InputError(f"{where}: position is not a position text")
    if found["info_model"] not in MODELS:
        raise InputError(f"{where}: info_model is not one of {', '.join(MODELS)}")
    position = read(found["position"], where)
    return Item(where, position, found, _read_possible(found, position, where))


def _read_possible(row: Mapping[str, Any], position: Position, where: str) -> Possible | None:
    if "possible" not in row:
        return None
    if row["info_model"] != "hidden":
        raise InputError(f"{where}: possible counts only in the model hidden")
    if not isinstance(row["possible"], str):
        raise InputError(f"{where}: possible is not a text such as r5y5,xx,kt")
    ranks = [suit.ranks for suit in position.rules.suits]
    letters = "".join(position.letters)
    return parse_possible(row["possible"], letters, f"{where}: possible", ranks)


def judged(item: Item, model: str) -> PuzzleReport:
    """Examine a position; what is wrong with it is told with where it stands."""
    try:
        return examine(item.position, model, item.possible)
    except InputError as error:
        raise type(error)(f"{item.where}: {error}") from None


def verified(item: Item) -> PuzzleReport:
    """Solve a stored puzzle again.

    Raises
    ------
    Wrong
        If something stored is not so, or there is more than one answer.
    """
    assert item.row is not None
    name = item.row.get("puzzle_id")
    where = f"{item.where}: puzzle {name}" if isinstance(name, str) else item.where
    report = judged(item._replace(where=where), item.row["info_model"])
    if not report.unique:
        raise Wrong(f"{where}: {report.faults()[0]}")
    for field, true in puzzle_row(report).items():
        if field in ("position", "possible") or field not in item.row:
            continue
        stored = item.row[field]
        if stored != true or type(stored) is not type(true):
            raise Wrong(f"{where}: {field} is {_brief(true)}, not {_brief(stored)}")
    return report


def _brief(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text[:80] or "nothing"
