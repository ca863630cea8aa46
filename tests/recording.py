"""How what environments say is recorded: rows in JSON, of those environments that are installed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from typing import Any

__all__ = ["print_rows"]


def print_rows(*recorders: Callable[[], Iterator[dict[str, Any]]]) -> None:
    """Print the rows of each recorder as JSON; one whose environment is missing is left out."""
    for recorder in recorders:
        try:
            with redirect_stdout(sys.stderr):  # some environments greet whoever imports them
                rows = list(recorder())
        except ModuleNotFoundError as error:
            print(f"left out: {error}", file=sys.stderr)
        else:
            for row in rows:
                print(json.dumps(row), flush=True)
