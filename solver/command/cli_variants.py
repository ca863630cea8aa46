"""The command ``hanabi variants``."""

from __future__ import annotations

import click

from solver.command.cli import ANSWERED, json_option, print_line
from solver.formats.inputs import shorten
from solver.game.errors import InputError

__all__ = ["variants"]


@click.command()
@click.option("--search", "text", default="", metavar="TEXT",
              help="Only those with this in name or mechanics, or of this number.")  # fmt: skip
@json_option("variant")
def variants(text: str, as_json: bool) -> int:
    """List the variants of hanab.live: number, name, suits, mechanics, whether they are solved.

    A variant is supported if its rules are known here and an engine takes its deals.
    """
    from solver.tables.variant_rows import matching, nearest, variant_row

    shown = solved = 0
    for variant in matching(text):
        row = variant_row(variant)
        shown += 1
        solved += row["supported"]
        if as_json:
            print_line(row)
            continue
        if shown == 1:
            click.echo("  id suits  name")
        words = ", ".join(row["mechanics"])
        note = "" if row["supported"] else f"  NOT SUPPORTED: {row['reason']}"
        click.echo(f"{row['id']:4} {row['suits']:5}  {row['name']}{words and f'  [{words}]'}{note}")
    if not shown:
        near = ", ".join(map(repr, nearest(text)))
        hint = f"; near are {near}" if near else ""
        raise InputError(f"--search {shorten(text)!r} finds no variant{hint}")
    if not as_json:
        click.echo(f"{solved:,} of {shown:,} supported")
    return ANSWERED
