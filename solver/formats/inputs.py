"""Text from outside, files and standard input alike: of bounded size, UTF-8, and not empty."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from solver.game.errors import InputError

__all__ = ["LARGEST", "LONGEST_LINE", "parse_json", "read_file", "read_stdin", "shorten"]

LARGEST = 64 * 2**20
"""Bytes; what is larger is refused rather than read into memory."""
LONGEST_LINE = 2**20
"""Characters in a row of a file."""


def shorten(text: str) -> str:
    """Give a place, such as a file's name, as at most 80 printable characters."""
    clean = text if text.isprintable() else repr(text)
    return clean if len(clean) <= 80 else f"{clean[:40]}...{clean[-37:]}"


def read_stdin() -> str:
    """Give the text on standard input."""
    try:
        data = sys.stdin.buffer.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    return decoded(data)


def read_file(name: str) -> str:
    """Give the text of a file."""
    path = Path(name)
    if path.is_dir():
        raise InputError("this is a directory, not a file")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    return decoded(data)


def decoded(data: bytes) -> str:
    if len(data) > LARGEST:
        raise InputError(f"this has more than {LARGEST >> 20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8 text") from None
    if "\0" in text:
        raise InputError("this is a binary file, not text")
    if not text.strip():
        raise InputError("this is empty")
    return text


def parse_json(text: str | bytes) -> object:
    """Read JSON text; InputError with line and column if it is none."""
    try:
        found: object = json.loads(text, object_pairs_hook=_object)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"not JSON: {where}: {error.msg}") from None
    except UnicodeDecodeError:
        raise InputError("not JSON: it is not UTF-8 text") from None
    except (RecursionError, ValueError):
        raise InputError("not JSON: it nests too deeply, or a number is too long") from None
    return found


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key in made if counts[key] > 1)
        raise InputError(f"JSON: the key {twice[:40]!r} occurs twice")
    return made
