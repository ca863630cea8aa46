"""The command ``hanabi report``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.command.cli import ANSWERED, UNKNOWN, json_option, print_line
from solver.formats.output import check, form_of, write_bytes

if TYPE_CHECKING:
    from solver.surveys.report import Stratum

__all__ = ["report"]

TABLES = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}


@click.command()
@click.argument("directories", nargs=-1, required=True, metavar="DIR...")
@click.option("--format", "form", type=click.Choice(["text", "csv", "markdown"]), default="text",
              show_default=True, help="How the numbers are written.")  # fmt: skip
@click.option("--svg", metavar="FILE", help="Draw what cannot be won, and why.")
@click.option("--plot", metavar="FILE", help="The same by matplotlib: .png, .pdf, .svg.")
@click.option("--rows", "table", metavar="FILE",
              help="Write all rows with their times as one .csv, .jsonl or .parquet.")  # fmt: skip
@json_option("group of deals")
def report(
    directories: tuple[str, ...],
    form: str,
    svg: str | None,
    plot: str | None,
    table: str | None,
    as_json: bool,
) -> int:
    """Sum up surveys: the share winnable, the optima, the reasons, and how hard the deals were."""
    from solver.surveys import report_rows
    from solver.surveys.report import survey_of, surveys

    check(plot, table, svg=svg)
    paths = [Path(directory) for directory in directories]
    kind = form_of(table, TABLES) if table else None
    strata = surveys(paths)
    files = list(_files(strata, paths, svg, plot, table, kind))
    if as_json:
        for stratum in strata:
            print_line(report_rows.report_row(stratum))
    elif form == "csv":
        sys.stdout.write(report_rows.csv_text(strata))
    elif form == "markdown":
        sys.stdout.write(report_rows.markdown(strata, [survey_of(path) for path in paths]))
    else:
        print(report_rows.text(strata))
    for path, data in files:
        write_bytes(path, data)
    return UNKNOWN if any(stratum.proven < stratum.deals for stratum in strata) else ANSWERED


def _files(
    strata: Sequence[Stratum],
    directories: Sequence[Path],
    svg: str | None,
    plot: str | None,
    table: str | None,
    kind: str | None,
) -> Iterator[tuple[str, bytes]]:
    """Give the names and contents of the files that are asked for."""
    from solver.surveys import report_rows

    if svg is not None:
        from solver.surveys.svg_report import report_svg

        yield svg, (report_svg(strata) + "\n").encode()
    if plot is not None:
        from solver.surveys.plot import plot_bytes

        yield plot, plot_bytes(strata, plot)
    if table is not None:
        assert kind is not None
        yield table, report_rows.export(directories, kind)
