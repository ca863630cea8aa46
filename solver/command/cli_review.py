"""The command ``hanabi review``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from solver.command.cli import ANSWERED, UNKNOWN, complain, json_option, print_line, progress
from solver.formats.output import check, output, write_bytes, write_whole
from solver.game.result import Limits
from solver.reading.specs import Fault
from solver.solving.choice import DEFAULT_LIMITS
from solver.surveys.reviewed import each, games_named, reviewed

if TYPE_CHECKING:
    from solver.questions.review import Review

__all__ = ["review"]


@click.command()
@click.argument("specs", nargs=-1, metavar="GAME...", required=True)
@click.option("--chances", type=click.IntRange(0, 19), default=5, show_default=True, metavar="N",
              help="Exact chances where at most N cards are left to draw.")  # fmt: skip
@click.option("--nodes", type=int, metavar="N",
              help=f"Stop a position after N nodes; without any limit {DEFAULT_LIMITS.nodes:,}."
              )  # fmt: skip
@click.option("--seconds", type=float, metavar="S", help="Stop a game after S seconds.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
              help="Review N games at a time.")  # fmt: skip
@click.option("--details", is_flag=True,
              help="More fields in --json, --csv and --parquet: kinds, tightness, chances."
              )  # fmt: skip
@click.option("--csv", "table", metavar="FILE", help="Write a table of all turns.")
@click.option("--parquet", metavar="FILE", help="Write that table as Parquet.")
@click.option("--svg", metavar="FILE", help="Draw the optimum over the game.")
@click.option("--html", metavar="FILE", help="Write a page that steps through the games.")
@json_option("game")
def review(
    specs: tuple[str, ...],
    chances: int,
    nodes: int | None,
    seconds: float | None,
    jobs: int,
    details: bool,
    table: str | None,
    parquet: str | None,
    svg: str | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Say where a finished game lost what it could have had, when every card is known.

    A GAME is a file or a share link as for hanabi replay, or a directory of files.
    """
    if nodes is None and seconds is None:
        nodes = DEFAULT_LIMITS.nodes
    limits = Limits(nodes=nodes, seconds=seconds)
    check(csv=table, parquet=parquet, svg=svg, html=html)
    if parquet is not None:
        from solver.reading.parquet import arrow

        arrow()
    asked = chain.from_iterable(games_named(spec, few=True) for spec in specs)
    first = list(islice(asked, 2))
    several = len(first) > 1
    if several and svg is not None:
        raise click.UsageError("--svg is for exactly one game")
    task = partial(reviewed, limits=limits, chances=chances)
    seen = _Seen(several, html is not None)
    with closing(each(task, chain(first, asked), jobs if several else 1)) as found:
        kept = seen.good(found)
        if table is not None or parquet is not None:
            kept = _written(kept, table, parquet, details)
        if as_json:
            from solver.tables.review_rows import review_row

            for one in kept:
                print_line(review_row(one, details))
        else:
            from solver.tables.show_review import show_review, show_reviews

            if several:
                show_reviews(kept)
            else:
                for one in kept:
                    show_review(one)
    if svg is not None and seen.last is not None:
        from solver.pictures.svg_chart import chart_svg

        write_whole(svg, chart_svg(seen.last) + "\n")
    if html is not None and seen.all:
        from solver.pages.review_page import review_page

        write_whole(html, review_page(seen.all))
    return seen.code


class _Seen:
    """What the reviews came to: the exit code, the last one, and all of them if they are kept."""

    def __init__(self, several: bool, keep: bool) -> None:
        self.code = ANSWERED
        self.last: Review | None = None
        self.all: list[Review] = []
        self._several = several
        self._keep = keep

    def good(self, found: Iterable[Review | Fault]) -> Iterator[Review]:
        """Give the reviews, and complain of the rest."""
        with progress(self._several, "reviewed {:,} games") as show:
            for number, item in enumerate(found, 1):
                if isinstance(item, Fault):
                    self.code = complain(item)
                else:
                    if not item.proven and self.code == ANSWERED:
                        self.code = UNKNOWN
                    self.last = item
                    if self._keep:
                        self.all.append(item)
                    yield item
                show(number)


def _written(
    reviews: Iterable[Review], table: str | None, parquet: str | None, details: bool
) -> Iterator[Review]:
    """Write the tables of what passes through."""
    from solver.tables.review_rows import table_bytes, table_rows, table_text

    rows: list[dict[str, Any]] = []
    for review in reviews:
        yield review
        rows += table_rows(review, details)
    if table is not None:
        with output(table) as write:
            write(table_text(rows, True, details).rstrip("\n"))
    if parquet is not None:
        write_bytes(parquet, table_bytes(rows, details))
