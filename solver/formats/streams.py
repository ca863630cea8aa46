"""The standard streams and signals of the command: none may end it in a traceback.

A missing standard input or standard error becomes the null device. What goes wrong on standard
output becomes `DeadOutputError`, which is no ``OSError``: libraries between here and there catch
those.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

__all__ = ["BAD_INPUT", "ClosedPipeError", "DeadOutputError", "InterruptedByUserError", "clean",
           "complain", "guarded", "prepare", "silence"]  # fmt: skip

BAD_INPUT = 2
TERMINATED = 143
LONGEST = 500


class ClosedPipeError(Exception):
    """Whoever read our output has stopped reading; not for click to handle."""


class InterruptedByUserError(Exception):
    """Ctrl-C; not for click, which writes to standard error then."""


class DeadOutputError(Exception):
    """Nothing can be written to standard output; the message says why."""


def prepare() -> None:
    """Give the process streams that can be used; it ends in order when it is terminated."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        # Nothing can be written to it, and whoever tries is told so.
        number = os.open(os.devnull, os.O_RDONLY)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(number, "w")), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    ):
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


@contextmanager
def guarded() -> Iterator[None]:
    """Tell what goes wrong on standard output, and Ctrl-C, from everything else."""
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise InterruptedByUserError from None
    except BrokenPipeError:
        raise ClosedPipeError from None
    except OSError as error:
        where = "standard output" if error.filename is None else error.filename
        raise DeadOutputError(f"{where}: {error.strerror}") from None


def silence(stream: object) -> None:
    """Send what is left in a dead stream to the null device, so that the flush at exit succeeds."""
    if isinstance(stream, io.TextIOWrapper):
        with suppress(OSError, ValueError):
            number = os.open(os.devnull, os.O_WRONLY)
            os.dup2(number, stream.fileno())
            os.close(number)


def clean(text: object) -> str:
    """Give a text of others on one line, with nothing in it that a terminal would obey."""
    words = " ".join(str(text).split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)


def complain(message: object) -> int:
    """Write one line to standard error and give the exit code for bad input."""
    line = clean(message)
    if len(line) > LONGEST:
        line = f"{line[:150]} ... {line[155 - LONGEST :]}"  # where, and why
    try:
        clear = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{clear}hanabi: {line}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        silence(sys.stderr)
    return BAD_INPUT
