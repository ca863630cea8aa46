"""A file of generated puzzles that grows by whole rows, and goes on where it was cut off."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from solver.formats.inputs import LARGEST, parse_json
from solver.game.errors import InputError
from solver.puzzles.puzzle_rows import row_text

__all__ = ["PuzzleFile", "opened"]


class PuzzleFile:
    """The rows of a file, and a way to add one: it is there whole or not at all."""

    def __init__(self, file: int, rows: list[Mapping[str, Any]]) -> None:
        self._file = file
        self.rows = rows

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a row and wait until it is on the disk."""
        left = row_text(row).encode()
        while left:
            left = left[os.write(self._file, left) :]
        os.fsync(self._file)
        self.rows.append(row)

    @property
    def next_deal(self) -> int:
        """The number of the deal to go on with."""
        return self.rows[-1]["deal"] + 1 if self.rows else 0


@contextmanager
def opened(path: str, settings: str) -> Iterator[PuzzleFile]:
    """Open a file of puzzles, or make it; what an interrupted run left of a row is cut off.

    Parameters
    ----------
    settings
        What the puzzles depend on: the field ``generator`` of every row.

    Raises
    ------
    InputError
        If the file cannot be written, or holds something else than such puzzles.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            kind = os.fstat(file)
            if not stat.S_ISREG(kind.st_mode):
                raise InputError(f"{path}: this is no file that a run could go on with")
            if kind.st_size > LARGEST:
                raise InputError(f"{path}: this has more than {LARGEST >> 20} MiB")
            old = Path(path).read_bytes()
            whole = old[: old.rfind(b"\n") + 1]
            rows = _rows(path, whole, settings)
            if len(whole) < len(old):
                if not whole and not old.startswith(b'{"puzzle_id":'[: len(old)]):
                    raise InputError(f"{path}: line 1 is no puzzle; nothing is changed")
                os.ftruncate(file, len(whole))
            yield PuzzleFile(file, rows)
        finally:
            os.close(file)
    except BlockingIOError:
        raise InputError(f"{path}: another run is writing to it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _rows(path: str, text: bytes, settings: str) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{path}:{number}"
        try:
            row = parse_json(line)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        if not isinstance(row, dict) or not isinstance(row.get("puzzle_id"), str):
            raise InputError(f"{where}: this is no puzzle; nothing is changed")
        if row.get("generator") != settings:
            raise InputError(f"{where}: made by {row.get('generator')!s}, not by {settings}")
        deal = row.get("deal")
        if type(deal) is not int or (rows and deal <= rows[-1]["deal"]):
            raise InputError(f"{where}: the puzzles are not in the order of their deals")
        if row_text(row).encode() != line + b"\n":
            raise InputError(f"{where}: this row was changed; nothing is done")
        rows.append(row)
    return rows
