"""The command ``hanabi bound``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from solver.command.cli import ANSWERED, JSON_OPTION, UNKNOWN, complain, print_line, progress
from solver.command.options import rule_options
from solver.decks.request import Asked, Suits
from solver.formats.output import check, write_whole
from solver.formats.streams import clean
from solver.game.errors import InputError
from solver.reading.specs import Fault
from solver.solving.choice import DEFAULT_LIMITS
from solver.surveys.reviewed import each, games_named

if TYPE_CHECKING:
    from solver.questions.losses import Losses
    from solver.surveys.bound import Game, Source
    from solver.surveys.bound_logs import Unfinished

__all__ = ["bound"]

LISTED = 200
"""As many games are listed one by one, if it is not said."""

NAMED = 30
"""As many deals are named in a line."""

CONVENTIONS = {
    "zero": "a lost game counts 0",
    "stacks": "a lost game counts what lies on its stacks",
    "minus-one": "a lost game counts what lies on its stacks, less one",
}


@click.command()
@click.argument("paths", metavar="RESULTS...", nargs=-1, required=True)
@click.option("--logs", is_flag=True,
              help="RESULTS are recorded games, files or directories: add what was lost how."
              )  # fmt: skip
@click.option("--source", "word", metavar="SOURCE",
              help="Where the deals of seeds come from, such as hle, sad, random.")  # fmt: skip
@click.option("--players", type=int, metavar="N", help="Players, where RESULTS does not say.")
@rule_options
@click.option(
    "--survey",
    "directory",
    metavar="DIR",
    help="Take the rules and the optima of this survey; what it lacks is solved.",
)
@click.option("--lost", type=click.Choice(list(CONVENTIONS)), default="zero", show_default=True,
              help="What RESULTS has as the score of a game lost by strikes.")  # fmt: skip
@click.option("--count-lost", type=click.Choice(list(CONVENTIONS)),
              help="What it is to count here, if something else.")  # fmt: skip
@click.option("--nodes", type=int, metavar="N",
              help="Search nodes for each deal, or position (2,000,000).")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
              help="Solve in N processes.")  # fmt: skip
@click.option("--games", "table", metavar="FILE", help="Write a row for every game as CSV.")
@click.option("--summary", is_flag=True, help="Do not list the games.")
@JSON_OPTION
def bound(
    paths: tuple[str, ...],
    logs: bool,
    word: str | None,
    players: int | None,
    variant: Suits | Asked,
    directory: str | None,
    lost: str,
    count_lost: str | None,
    nodes: int | None,
    jobs: int,
    table: str | None,
    summary: bool,
    as_json: bool,
) -> int:
    """Join a bot's scores with what was possible on its deals.

    RESULTS is CSV, JSON or JSON Lines: seed (or deal, or deck) and score, perhaps players, and
    lost, strikes or lives; or recorded games with decks and actions. With --logs there may be many
    files and directories of recorded games, as for hanabi review, which are reviewed turn by turn.
    """
    from solver.surveys.bound import Source, Sums
    from solver.surveys.bound_rows import (
        game_line,
        game_row,
        games_csv,
        header,
        losses_row,
        losses_text,
        sums_row,
        sums_text,
    )  # fmt: skip

    if players is not None and not 2 <= players <= 6:
        raise InputError(f"--players is {players}, not 2 to 6")
    check(csv=table)
    default = DEFAULT_LIMITS.nodes
    assert default is not None
    nodes = default if nodes is None else nodes
    record = _Logs()
    if logs:
        _unlogged(word, players, variant, directory)
        record = _logged(paths, nodes, count_lost, jobs)
        joined, moves = record.games, True
    elif len(paths) > 1:
        raise click.UsageError("more than one RESULTS: that is for recorded games, with --logs")
    else:
        source = Source(word, players, variant, nodes)
        joined, moves = _joined(paths[0], source, directory, lost, count_lost, jobs)
    sums = Sums()
    by_players: dict[int, Sums] = {}
    for game in joined:
        sums.add(game)
        by_players.setdefault(game.ceiling.players, Sums()).add(game)
    if table is not None:
        write_whole(table, games_csv(joined))
    settled = UNKNOWN if sums.unproven or record.open else ANSWERED
    code = record.code or settled
    if as_json:
        for game in () if summary else joined:
            print_line(game_row(game))
        for seats, some in sorted(by_players.items()):
            row = {"players": seats, **sums_row(some)}
            if logs:
                losses = record.losses[seats]
                row |= {"losses": losses_row(losses, seats)}
            print_line(row)
        return code
    if not summary and len(joined) <= LISTED:
        width = max(len("deal"), *(len(game.name) for game in joined))
        print(header(width))
        for game in joined:
            print(game_line(game, width))
        print()
    words = CONVENTIONS[count_lost or lost]
    if moves and count_lost is None:
        words = "a lost game counts as its source has it"
    elif lost == "zero" and count_lost is None and not any(game.lost for game in joined):
        words += ", if there are any"
    for seats, some in sorted(by_players.items()):
        if len(by_players) > 1:
            print(f"{seats} players")
        for line in sums_text(some, words):
            print(line)
        if logs:
            for line in losses_text(record.losses[seats], seats):
                print(line)
            print()

    def named(what: str, some: Sequence[Game | Unfinished]) -> None:
        if not some:
            return
        names = ", ".join(clean(game.name) for game in some[:NAMED])
        more = len(some) - NAMED
        rest = f" and {more:,} more (--games FILE has all)" if more > 0 else ""
        print(f"{what}: {names}{rest}")

    named("not winnable", [game for game in joined if game.ceiling.winnable is False])
    named("lost although winnable",
          [game for game in joined if game.ceiling.winnable and not game.won])  # fmt: skip
    if logs:
        from solver.tables.review_rows import HINDSIGHT

        named("unfinished, not counted", record.unfinished)
        if record.faults:
            print(f"left out: {record.faults:,}, for which see standard error")
        print(HINDSIGHT)
    return code


def _joined(
    results: str,
    source: Source,
    directory: str | None,
    lost: str,
    count_lost: str | None,
    jobs: int,
) -> tuple[list[Game], bool]:
    """Join results with the optima, and say whether they are games with their moves."""
    from solver.surveys import workers
    from solver.surveys.bound import ceilings_of_survey, games
    from solver.surveys.results import Played, read_results

    known = None
    if directory is not None:
        from solver.surveys.plan import Scope
        from solver.surveys.shards import read_manifest

        scope = Scope.of_record(read_manifest(Path(directory))["asked"])
        if source.variant not in (None, scope.variant):
            raise InputError(f"{directory}: this survey has other rules than those asked for")
        source = replace(source, variant=scope.variant)
        known = ceilings_of_survey(Path(directory))
    make = partial(workers.processes, jobs) if jobs > 1 else workers.here
    moves = False

    def noted() -> Iterator[Played]:
        nonlocal moves
        for played in read_results(results, source.players):
            moves |= played.points is not None
            yield played

    return list(games(noted(), source, make, lost, count_lost, known)), moves


@dataclass
class _Logs:
    """What recorded games came to."""

    games: list[Game] = field(default_factory=list)
    losses: dict[int, Losses] = field(default_factory=dict)
    """By the number of players."""
    unfinished: list[Unfinished] = field(default_factory=list)
    faults: int = 0
    code: int = ANSWERED

    @property
    def open(self) -> bool:
        """Whether a limit left something open."""
        return any(some.left_in for some in self.losses.values())


def _unlogged(
    word: str | None, players: int | None, variant: Suits | Asked, directory: str | None
) -> None:
    """Refuse the options that are for results without moves."""
    source = click.get_current_context().get_parameter_source("lost")
    given = {
        "--source": word is not None,
        "--players": players is not None,
        "--survey": directory is not None,
        "--lost": source is not ParameterSource.DEFAULT,
        "the options for rules": variant is not None,
    }
    for name, there in given.items():
        if there:
            what = "recorded games say it themselves" if name != "--survey" else "it has no moves"
            raise click.UsageError(f"{name}: not with --logs, {what}")


def _logged(paths: tuple[str, ...], nodes: int, counted: str | None, jobs: int) -> _Logs:
    """Review all games that the arguments name."""
    from solver.game.result import Limits
    from solver.questions.losses import Losses
    from solver.surveys.bound_logs import Unfinished, join

    record = _Logs()
    asked = chain.from_iterable(map(games_named, paths))
    task = partial(join, limits=Limits(nodes), counted=counted)
    with closing(each(task, asked, jobs)) as found, progress(True, "reviewed {:,} games") as show:
        for number, item in enumerate(found, 1):
            if isinstance(item, Fault):
                record.code = complain(item)
                record.faults += 1
            elif isinstance(item, Unfinished):
                record.unfinished.append(item)
            else:
                record.games.append(item.game)
                losses = record.losses.setdefault(item.game.ceiling.players, Losses())
                losses.add(item.review)
            show(number)
    if not record.games:
        raise InputError("there is no finished game in this" if not record.faults else
                         "no game is left: none could be read and reviewed")  # fmt: skip
    return record
