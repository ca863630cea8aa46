"""The command ``hanabi serve``."""

from __future__ import annotations

import click

from solver.cli import ANSWERED

__all__ = ["serve"]


@click.command()
@click.argument("spec", default="p3v0s1", metavar="[SPEC]")
@click.option("--port", type=click.IntRange(0, 65535), default=8025, show_default=True,
              metavar="N", help="Where to listen; 0 for any free port.")  # fmt: skip
def serve(spec: str, port: int) -> int:
    """Try your hand at a whole deal with known cards, in a browser on this computer.

    The page says at each turn whether the win is still there. SPEC is the deal shown first: a
    seed, a source with one deal, or a share link. Ctrl-C ends the server.
    """
    from solver.serve import Server
    from solver.trial import deal_named

    deal_named(spec)
    with Server(port, spec) as server:
        click.echo(f"{server.url} (Ctrl-C ends it)")
        server.serve_forever(poll_interval=0.2)
    return ANSWERED
