"""The rows of a survey, and the files they stand in: CSV, JSON Lines, or Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from solver.game.errors import InputError
from solver.reading.parquet import parquet_bytes, parquet_columns

__all__ = ["FORMS", "Row", "decode", "encode", "read_times", "times_text"]

FORMS = ("csv", "jsonl", "parquet")
"""The forms of the files with rows, which are also the ends of their names."""


class Row(NamedTuple):
    """A deal and its optimum: ``score <= optimum <= bound``.

    Parameters
    ----------
    deal
        The deal's name, as the spec that gives it.
    full
        Full marks.
    winnable
        None if a limit left it open.
    rung
        As in `solver.surveys.bulk.Outcome`.
    turns
        Of the line found, up to its last scoring play.
    nodes
        Search nodes, and conflicts of a SAT solver.
    limit
        How many of these were allowed.
    engine
        ``search``, ``search+sat`` or ``sat``.
    """

    deal: str
    players: int
    full: int
    score: int
    bound: int
    winnable: bool | None
    rung: str
    turns: int
    nodes: int
    limit: int
    engine: str

    @property
    def proven(self) -> bool:
        """Whether score is the optimum."""
        return self.score == self.bound


_WORDS = {True: "true", False: "false", None: ""}
_VALUES = {word: value for value, word in _WORDS.items()}
_PLACE = Row._fields.index("winnable")
_KINDS = {name: int for name in Row._fields} | {
    "deal": str, "rung": str, "engine": str, "winnable": bool,
}  # fmt: skip
_NUMBERS = tuple(place for place, kind in enumerate(_KINDS.values()) if kind is int)


def encode(rows: Sequence[Row], form: str) -> bytes:
    """Write rows as the whole of a file; the same rows always give the same bytes.

    Raises
    ------
    InputError
        If the form is Parquet and pyarrow is not installed.
    """
    if form == "parquet":
        return parquet_bytes([row._asdict() for row in rows], _KINDS)
    if form == "jsonl":
        dump = json.JSONEncoder(separators=(",", ":")).encode
        return "".join([dump(row._asdict()) + "\n" for row in rows]).encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row._fields)
    writer.writerows((*row[:_PLACE], _WORDS[row.winnable], *row[_PLACE + 1 :]) for row in rows)
    return text.getvalue().encode()


def decode(data: bytes, form: str) -> list[Row]:
    """Read what `encode` wrote.

    Raises
    ------
    InputError
        If it did not write this.
    """
    try:
        if form == "parquet":
            columns = parquet_columns(data)
            if tuple(columns) != Row._fields:
                raise InputError("the columns are not those of a survey")
            return list(map(Row._make, zip(*columns.values(), strict=True)))
        if form == "jsonl":
            return [Row(**json.loads(line)) for line in data.decode().splitlines()]
        header, *cells = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
        if tuple(header) != Row._fields:
            raise InputError("the columns are not those of a survey")
        return [_of_cells(row) for row in cells]
    except (ValueError, KeyError, TypeError, IndexError, csv.Error) as error:
        raise InputError(f"this is no file of a survey: {error}") from None


def _of_cells(cells: list[Any]) -> Row:
    for place in _NUMBERS:
        cells[place] = int(cells[place])
    cells[_PLACE] = _VALUES[cells[_PLACE]]
    return Row._make(cells)


def times_text(rows: Sequence[Row], seconds: Sequence[float]) -> bytes:
    """Write how long each deal took, in seconds to the microsecond, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("deal", "seconds"))
    writer.writerows((row.deal, f"{s:.6f}") for row, s in zip(rows, seconds, strict=True))
    return text.getvalue().encode()


def read_times(data: bytes | None, count: int) -> list[float]:
    """Read what `times_text` wrote: seconds, at least 0, for each of ``count`` deals.

    Times are no results and have no checksum, so what is missing or damaged is no fault: the list
    is empty then.
    """
    try:
        header, *cells = csv.reader(io.StringIO((data or b"").decode(), newline=""), strict=True)
        found = [float(seconds) for _, seconds in cells]
    except (ValueError, csv.Error):
        return []
    sound = len(found) == count and all(0 <= seconds < inf for seconds in found)
    return found if header == ["deal", "seconds"] and sound else []
