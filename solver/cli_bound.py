"""The command ``hanabi bound``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from solver.cli import ANSWERED, JSON_OPTION, UNKNOWN, print_line
from solver.engines import DEFAULT_LIMITS
from solver.errors import InputError
from solver.options import rule_options
from solver.output import check, write_whole
from solver.request import Asked, Suits

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
@click.argument("results", metavar="RESULTS")
@click.option("--source", "word", metavar="SOURCE",
              help="Where the deals of seeds come from, such as hle, sad, python.")  # fmt: skip
@click.option("--players", type=int, metavar="N", help="Players, where RESULTS does not say.")
@rule_options
@click.option("--survey", "directory", metavar="DIR", help="Take the optima of this survey.")
@click.option("--lost", type=click.Choice(list(CONVENTIONS)), default="zero", show_default=True,
              help="What RESULTS has as the score of a game lost by strikes.")  # fmt: skip
@click.option("--count-lost", type=click.Choice(list(CONVENTIONS)),
              help="What it is to count here, if something else.")  # fmt: skip
@click.option("--nodes", type=int, metavar="N", help="Search nodes for each deal (2,000,000).")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
              help="Solve in N processes.")  # fmt: skip
@click.option("--games", "table", metavar="FILE", help="Write a row for every game as CSV.")
@click.option("--summary", is_flag=True, help="Do not list the games.")
@JSON_OPTION
def bound(
    results: str,
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
    lost, strikes or lives; or recorded games with decks and actions.
    """
    from solver import workers
    from solver.bound import Game, Source, Sums, ceilings_of_survey, games
    from solver.bound_rows import game_line, game_row, games_csv, header, sums_row, sums_text
    from solver.results import read_results

    if players is not None and not 2 <= players <= 6:
        raise InputError(f"--players is {players}, not 2 to 6")
    if table is not None:
        check(table)
    default = DEFAULT_LIMITS.nodes
    assert default is not None
    known = None
    if directory is not None:
        from solver.plan import Scope
        from solver.shards import read_manifest

        scope = Scope.of_record(read_manifest(Path(directory))["asked"])
        if variant not in (None, scope.variant):
            raise InputError(f"{directory}: this survey has other rules than those asked for")
        variant = scope.variant
        known = ceilings_of_survey(Path(directory))
    source = Source(word, players, variant, default if nodes is None else nodes)
    make = partial(workers.processes, jobs) if jobs > 1 else workers.here
    joined = list(games(read_results(results, players), source, make, lost, count_lost, known))
    sums = Sums()
    by_players: dict[int, Sums] = {}
    for game in joined:
        sums.add(game)
        by_players.setdefault(game.ceiling.players, Sums()).add(game)
    if table is not None:
        write_whole(table, games_csv(joined))
    if as_json:
        for game in () if summary else joined:
            print_line(game_row(game))
        for seats, some in sorted(by_players.items()):
            print_line({"players": seats, **sums_row(some)})
        return UNKNOWN if sums.unproven else ANSWERED
    if not summary and len(joined) <= LISTED:
        width = max(len("deal"), *(len(game.name) for game in joined))
        print(header(width))
        for game in joined:
            print(game_line(game, width))
        print()
    words = CONVENTIONS[count_lost or lost]
    if lost == "zero" and count_lost is None and not any(game.lost for game in joined):
        words += ", if there are any"
    for seats, some in sorted(by_players.items()):
        if len(by_players) > 1:
            print(f"{seats} players")
        for line in sums_text(some, words):
            print(line)

    def named(what: str, some: list[Game]) -> None:
        if not some:
            return
        names = ", ".join(game.name for game in some[:NAMED])
        more = len(some) - NAMED
        rest = f" and {more:,} more (--games FILE has all)" if more > 0 else ""
        print(f"{what}: {names}{rest}")

    named("not winnable", [game for game in joined if game.ceiling.winnable is False])
    named("lost although winnable",
          [game for game in joined if game.ceiling.winnable and not game.won])  # fmt: skip
    return UNKNOWN if sums.unproven else ANSWERED
