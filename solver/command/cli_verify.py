"""The command ``hanabi verify``."""

from __future__ import annotations

import click

from solver.command.cli import ANSWERED, complain, json_option, print_line
from solver.formats.editions import rating
from solver.game.errors import InputError
from solver.proofs.certificate import verify_file

__all__ = ["verify"]


@click.command()
@click.argument("paths", nargs=-1, metavar="FILE...", required=True)
@json_option("certificate")
def verify(paths: tuple[str, ...], as_json: bool) -> int:
    """Check certificates from solve --certificate, by the plain rules and by counting."""
    code = ANSWERED
    for path in paths:
        try:
            verified = verify_file(path)
        except InputError as error:
            code = complain(f"{path}: not verified: {error}")
            if as_json:
                print_line({"file": path, "verified": False, "reason": str(error)})
            continue
        if as_json:
            print_line({"file": path, "verified": True, **verified.row()})
        else:
            best, _, why = str(verified).partition(":")
            word = rating(verified.optimum, verified.start.rules)
            click.echo(f"{path}: verified: {best} ({word}):{why}")
    return code
