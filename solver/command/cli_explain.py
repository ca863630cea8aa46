"""The command ``hanabi explain``."""

from __future__ import annotations

import click

from solver.command.cli import (
    ANSWERED,
    BAD_INPUT,
    JSON_OPTION,
    UNKNOWN,
    complain,
    print_line,
    questions,
    refusal,
    spec_options,
)
from solver.game.result import Limits
from solver.reading.specs import Asked, Fault, Suits
from solver.solving.choice import DEFAULT_LIMITS

__all__ = ["explain"]


@click.command()
@spec_options
@click.option(
    "--position", "positions", multiple=True, metavar="TEXT", help="Explain a position text."
)
@click.option(
    "--nodes", type=int, metavar="N", help="Search nodes for each question; else 2,000,000."
)
@click.option("--seconds", type=float, metavar="S", help="Stop a deal after S seconds.")
@JSON_OPTION
def explain(
    specs: tuple[str, ...],
    players: int | None,
    variant: Suits | Asked,
    positions: tuple[str, ...],
    nodes: int | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Say why a deal cannot be won, or how tight it is."""
    from solver.questions.explain import explain as explained
    from solver.questions.explanation_rows import explanation_row

    if nodes is None and seconds is None:
        nodes = DEFAULT_LIMITS.nodes
    limits = Limits(nodes=nodes, seconds=seconds)
    faults = 0
    settled = True
    for item in questions([*specs, *(f"pos:{text}" for text in positions)], players, variant):
        fault = item if isinstance(item, Fault) else refusal(item, "search")
        if isinstance(item, Fault) or fault is not None:
            faults += 1
            complain(fault)
            continue
        explanation = explained(item.item, limits)
        settled &= explanation.settled
        if as_json:
            print_line(explanation_row(explanation))
        else:
            from solver.tables.show_explanation import show_explanation

            show_explanation(explanation)
    return BAD_INPUT if faults else ANSWERED if settled else UNKNOWN
