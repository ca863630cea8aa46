"""The command ``hanabi serve``."""

from __future__ import annotations

import click

from solver.command.cli import ANSWERED
from solver.command.options import deal_options
from solver.reading.specs import Asked, Suits

__all__ = ["serve"]


@click.command()
@click.argument("spec", default="p3v0s1", metavar="[SPEC]")
@deal_options
@click.option("--port", type=click.IntRange(0, 65535), default=8025, show_default=True,
              metavar="N", help="Where to listen; 0 for any free port.")  # fmt: skip
def serve(spec: str, port: int, players: int | None, variant: Suits | Asked) -> int:
    """Try your hand at a whole deal with known cards, in a browser on this computer.

    The page says at each turn whether the win is still there. SPEC is the deal shown first: a
    seed, one deal of a source (random:0 with --players), a share link or a deck string; no file.
    The options count for all deals that are asked for on the page. Ctrl-C ends the server.
    """
    from solver.pages.serve import Server
    from solver.pages.trial import deal_named

    deal_named(spec, players, variant)
    with Server(port, spec, players=players, variant=variant) as server:
        click.echo(f"{server.url} (Ctrl-C ends it)")
        server.serve_forever(poll_interval=0.2)
    return ANSWERED
