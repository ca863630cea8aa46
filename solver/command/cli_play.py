"""The command ``hanabi play``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from solver.command.cli import (
    ANSWERED,
    BAD_INPUT,
    JSON_OPTION,
    Asked,
    Question,
    complain,
    print_line,
    progress,
    questions,
)
from solver.command.options import spec_options
from solver.game.errors import InputError
from solver.reading.specs import Asked as AskedRules
from solver.reading.specs import Fault, Suits
from solver.solving.choice import DEFAULT_LIMITS
from solver.solving.choice import solve as solved
from solver.tables.rows import play_row

if TYPE_CHECKING:
    from solver.game.result import Result
    from solver.players.openhands import Played

__all__ = ["play"]


@click.command()
@spec_options
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True,
              metavar="N", help="Chooses the draw orders that are sampled.")  # fmt: skip
@click.option("--samples", type=click.IntRange(0, 1_000_000), metavar="N",
              help="Draw orders sampled for a decision, at most; 0 for none.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(1), metavar="N",
              help="States of the exact endgame for a decision, at most.")  # fmt: skip
@click.option("--optimum/--no-optimum", default=True, show_default=True,
              help="Solve each deal too, with the draw order known.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
              help="Play N games at a time.")  # fmt: skip
@JSON_OPTION
def play(
    specs: tuple[str, ...],
    players: int | None,
    variant: Suits | AskedRules,
    seed: int,
    samples: int | None,
    nodes: int | None,
    optimum: bool,
    jobs: int,
    as_json: bool,
) -> int:
    """Play each deal with all hands open, the draw pile unknown.

    What such a player wins and what can be won when the draw pile is known enclose what the best
    possible player with open hands wins, and so what any player can hope for.
    """
    from solver.players.openhands import NODES, SAMPLES, play_many, require

    asked = questions(specs, players, variant)
    first = list(islice(asked, 2))
    several = len(first) > 1
    taken: deque[Question | Fault] = deque()
    faults = 0

    def accepted() -> Iterator[Asked]:
        for item in chain(first, asked):
            fault = item
            if isinstance(item, Question):
                try:
                    require(item.item)
                except InputError as error:
                    fault = Fault(f"{item.place}: {error}")
            taken.append(fault)
            if isinstance(item, Question) and fault is item:
                yield item.item

    def games() -> Iterator[tuple[Asked, Played, Result | None]]:
        nonlocal faults
        played = play_many(
            accepted(),
            SAMPLES if samples is None else samples,
            NODES if nodes is None else nodes,
            seed,
            jobs,
        )
        with closing(played), progress(several, "played {:,} games") as show:
            for number, game in enumerate(played, 1):
                while isinstance(item := taken.popleft(), Fault):
                    faults += 1
                    complain(item)
                yield item.item, game, solved(item.item, DEFAULT_LIMITS) if optimum else None
                show(number)
            for item in taken:
                faults += 1
                complain(item)

    if as_json:
        for row in games():
            print_line(play_row(*row))
    else:
        from solver.tables.show_play import show_game, show_games

        (show_games if several else show_game)(games())
    return BAD_INPUT if faults else ANSWERED
