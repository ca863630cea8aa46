"""Files that are written whole or not at all, and devices and pipes that are written straight to.

A regular file is made beside the old one, which it replaces at the end; a symbolic link stays, and
what it leads to is replaced.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from typing import IO, BinaryIO

from solver.game.errors import InputError

__all__ = ["check", "form_of", "output", "write_bytes", "write_whole"]

OWN = ("/dev", "/proc")
"""What lies here is never replaced: ``/dev/stdout`` may lead to a regular file."""

ENDINGS = {"html": (".html", ".htm"), "csv": (".csv", ".txt")}
"""What a file's name may end in, by its format, if in anything else than the format's name."""


def check(*paths: str | None, **formats: str | None) -> None:
    """Refuse at once names under which no file can be written; None is no name.

    Parameters
    ----------
    formats
        Names by the format that is written under them, as in ``svg=path``: a name may have no
        ending, but none of another format.

    Raises
    ------
    InputError
        One line: the name, and why.
    """
    for form, path in formats.items():
        named = Path(path or "").suffix.lower()
        if path and named not in ("", *ENDINGS.get(form, (f".{form}",))) and not _straight(path):
            raise InputError(f"{path}: this is written as .{form}, not as {named}")
    for path in (*paths, *formats.values()):
        if path == "":
            raise InputError("the name of the file to write is empty")
        if path is None or path == "-" or _straight(path):
            continue
        parent = Path(os.path.realpath(path)).parent
        if not parent.is_dir():
            raise InputError(f"{path}: cannot be written: No such file or directory")
        # Only to try tells: rights, read-only systems and the user root make too many cases.
        with _refusing(path), TemporaryFile(dir=parent):
            pass


def form_of(path: str, forms: Mapping[str, str]) -> str:
    """Give the format that the ending of a file's name asks for.

    Parameters
    ----------
    forms
        The formats by endings in lower case: ``{".csv": "csv"}``.

    Raises
    ------
    InputError
        If the name ends in none of them: the name, and what it may end in.
    """
    found = forms.get(Path(path).suffix.lower())
    if found is None:
        *most, last = forms
        raise InputError(f"{path}: the name ends in none of {', '.join(most)} and {last}")
    return found


@contextmanager
def output(path: str | None) -> Iterator[Callable[[str], object]]:
    """Give a function that writes a line, to a file or (None and ``-``) to standard output.

    The file is complete at the end, if there are any lines; else nothing happens to it.

    Raises
    ------
    InputError
        One line: the name, and why it cannot be written.
    """
    if path is None or path == "-":
        yield _print
        return
    with _opened(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", errors="backslashreplace")
        try:
            yield _writer(text, path)
        finally:
            with _refusing(path):
                text.flush()
            text.detach()


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """Open a file for what replaces the old one at the end, if anything was written."""
    check(path)
    if _straight(path):
        with _refusing(path):
            straight = open(path, "ab")  # noqa: SIM115 (closed below, where that can fail)
        try:
            yield straight
        finally:
            with _refusing(path):
                straight.close()
        return
    target = Path(os.path.realpath(path))
    new = None
    try:
        with _refusing(path):
            number, name = mkstemp(dir=target.parent, prefix=".hanabi-")
            new = Path(name)
        file = os.fdopen(number, "wb")
        try:
            yield file
            with _refusing(path):
                file.flush()
            written = file.tell() > 0
        finally:
            with _refusing(path):
                file.close()
        if written:
            with _refusing(path):
                mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
                new.chmod(mode)
                new.replace(target)
    finally:
        if new is not None:
            new.unlink(missing_ok=True)


def write_bytes(path: str, data: bytes) -> None:
    """Write a whole file that is no text; as `output`, and ``-`` is standard output.

    Raises
    ------
    InputError
        One line: the name, and why it cannot be written.
    """
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with _opened(path) as file, _refusing(path):
        file.write(data)


def write_whole(path: str, text: str) -> None:
    """Write a text that ends with its last line's end; as `output`."""
    with output(path) as write:
        write(text.removesuffix("\n"))


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _writer(file: IO[str], path: str) -> Callable[[str], object]:
    def write(line: str) -> None:
        with _refusing(path):
            file.write(line + "\n")

    return write


@contextmanager
def _refusing(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _straight(path: str) -> bool:
    """Whether a name stands for a device or a pipe, and not for a file that can be replaced."""
    if path.endswith("/") or Path(path).name in ("", "..", "."):
        raise InputError(f"{path}: cannot be written: this is the name of a directory")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "there is a zero byte in it"
        raise InputError(f"{path}: cannot be written: {why}") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{path}: cannot be written: this is a directory")
    if not os.access(path, os.W_OK) or not mode & 0o222:
        raise InputError(f"{path}: cannot be written: it is read-only")
    absolute = os.path.abspath(path)
    return not stat.S_ISREG(mode) or absolute.startswith(tuple(f"{place}/" for place in OWN))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
