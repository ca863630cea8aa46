"""Where the command ``hanabi`` begins: Ctrl-C is heeded from here on, also during the imports."""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["main"]

INTERRUPTED = 130


def main() -> int:
    """Run the command on the process's arguments and give its exit code."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeded:
        # An exception that comes up in the middle of an import can be lost, or be shown.
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
    from solver.command.cli import main as command

    try:
        if heeded:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return command(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if heeded:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
