"""Reviews of all the games that arguments name: files, links, directories; in several processes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from solver.formats.hanablive import Game
from solver.game.errors import InputError
from solver.game.result import Limits
from solver.reading.arrays import BINARY
from solver.reading.specs import Fault, capped, located_games

if TYPE_CHECKING:
    from solver.questions.review import Review

__all__ = ["Named", "each", "games_named", "reviewed"]

SUFFIXES = {".json", ".jsonl", ".log", *BINARY}
"""What is read of a directory."""

Named: TypeAlias = "tuple[Game, str] | Fault"
"""A game with its place, or what is wrong there."""

T = TypeVar("T")


def games_named(spec: str, few: bool = False) -> Iterator[Named]:
    """Give the games that an argument names, with what each is called.

    With ``few`` only the first faults of a file, and how many more there are.
    """
    paths = [spec]
    with suppress(OSError, ValueError):
        folder = Path(spec)
        if folder.is_dir():
            paths = sorted(str(p) for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)
            if not paths:
                yield Fault(
                    f"{spec}: there is no file of games (.json, .jsonl, .log) in this directory"
                )
    for path in paths:
        found = located_games(path)
        for game, place in capped(found, path) if few else found:
            yield game if isinstance(game, Fault) else (game, place)


def reviewed(item: Named, limits: Limits, chances: int) -> Review | Fault:
    """Review a game; a fault if that cannot be."""
    from solver.questions.review import review

    if isinstance(item, Fault):
        return item
    game, place = item
    try:
        return review(game, limits, place, chances)
    except InputError as error:
        return Fault(f"{place}: {error}")


def each(task: Callable[[Named], T], asked: Iterable[Named], jobs: int) -> Generator[T, None, None]:
    """Do a task, such as `reviewed`, for games, in their order, in so many processes.

    All of them end with the caller.
    """
    if jobs == 1:
        yield from map(task, asked)
        return
    heeded = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as the new processes shall: Ctrl-C is for us
    try:
        pool = get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, heeded)
    with pool:
        yield from pool.imap(task, asked)
