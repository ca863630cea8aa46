"""The commands ``hanabi puzzle check``, ``generate`` and ``show``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from solver.command.cli import (
    ANSWERED,
    BAD_INPUT,
    UNKNOWN,
    complain,
    json_option,
    print_line,
    progress,
)
from solver.formats.output import check as check_name
from solver.formats.output import output, write_whole
from solver.game.errors import InputError
from solver.game.wording import amount

if TYPE_CHECKING:
    from solver.game.line import Line
    from solver.puzzles.generate import Found, Wanted
    from solver.puzzles.puzzle_rows import Item

__all__ = ["puzzle"]

MOST_STATES = 100_000
"""States that one page may hold: some 40 MB."""

PATIENCE = 20_000
"""Deals without another puzzle, after which a run gives up, unless it is told otherwise."""

REPORT = 30.0
"""Seconds between the lines that say how far the work is, where there is no bar."""

MODEL = click.Choice(["open", "known", "hidden"])


@click.group(no_args_is_help=False)
def puzzle() -> None:
    """Check, make and show endgame puzzles that have exactly one answer."""


@puzzle.command()
@click.argument("paths", nargs=-1, metavar="FILE...")
@click.option("--position", "texts", multiple=True, metavar="TEXT", help="Judge a position text.")
@click.option("--model", type=MODEL, default="open", show_default=True,
              help="What players know, where a puzzle does not say.")  # fmt: skip
@json_option("position")
def check(paths: tuple[str, ...], texts: tuple[str, ...], model: str, as_json: bool) -> int:
    """Judge positions as puzzles, and solve stored puzzles again.

    A FILE is a position file, or has a position text, a position file or a puzzle on each line;
    - is standard input. A puzzle with a wrong answer, or a second one, gives exit code 2.
    """
    from solver.puzzles.judge import UndecidedError
    from solver.puzzles.puzzle_rows import judged, report_row, verified

    confirmed = stored = 0
    code = ANSWERED
    for found in _items(paths, texts):
        try:
            if isinstance(found, InputError):
                raise found
            if found.row is not None:
                stored += 1
                report = verified(found)
                confirmed += 1
                if as_json:
                    print_line({"puzzle_id": report.puzzle_id, "confirmed": True})
                continue
            report = judged(found, model)
        except InputError as error:
            bad = complain(error)
            if code == ANSWERED or not isinstance(error, UndecidedError):
                code = UNKNOWN if isinstance(error, UndecidedError) else bad
            if as_json and not isinstance(found, InputError) and found.row is not None:
                name = found.row.get("puzzle_id")
                print_line({"puzzle_id": name, "confirmed": False, "reason": str(error)})
            continue
        if as_json:
            print_line(report_row(report))
        else:
            from solver.tables.show_puzzle import show_report

            show_report(report, found.where)
    if stored and not as_json:
        click.echo(f"{amount(stored, 'puzzle')}: {confirmed} confirmed, "
                   f"{stored - confirmed} wrong")  # fmt: skip
    return code


def _items(paths: tuple[str, ...], texts: tuple[str, ...]) -> Iterator[Item | InputError]:
    from solver.puzzles.puzzle_rows import item, items

    if not paths and not texts:
        raise click.UsageError("which puzzles? Give a FILE, - for standard input, or --position")
    for path in paths:
        yield from items(path)
    for text in texts:
        try:
            yield item(text, "position")
        except InputError as error:
            yield error


RANGES = {
    "value": "The chance of the best first move.",
    "second": "The chance of the second best.",
    "trap-loss": "What the greedy move costs.",
    "greedy-rank": "Choices that a greedy player prefers to the best.",
    "depth": "Turns of the main line until nothing is left to decide.",
    "only-moves": "Turns of the main line with one best choice.",
    "ties": "Turns of it with several, though not all; 0: one answer throughout.",
    "forks": "Draws of it that decide what the next answer is.",
    "difficulty": "How hard it is, an estimate; DESIGN.md says how it is made.",
    "foresight": "What knowing the draw order would add to the chance.",
}
"""The measures that can be asked for within a range."""


def range_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each of `RANGES`."""
    for name in reversed(RANGES):
        command = click.option(f"--{name}", metavar="A-B", help=RANGES[name])(command)
    return command


@puzzle.command()
@click.option("--players", type=int, required=True, metavar="N", help="Players, 2 to 6.")
@click.option("--deck", type=int, default=5, show_default=True, metavar="N",
              help="Cards left to draw.")  # fmt: skip
@click.option("--count", type=click.IntRange(1), default=10, show_default=True, metavar="N",
              help="Puzzles wanted.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Which deals.")
@click.option("--model", type=MODEL, default="open", show_default=True,
              help="What the players know.")  # fmt: skip
@click.option("--facts", metavar="A-B",
              help="In hidden: known suits and ranks of the mover's cards (3-7).")  # fmt: skip
@click.option("--tokens", metavar="A-B",
              help="Clue tokens left: 0-2, or in games what there were.")  # fmt: skip
@click.option("--most-tokens", type=click.IntRange(1), metavar="N",
              help="Clue tokens at most in self-play; else those of the printed game.")  # fmt: skip
@click.option("--margin", default="1/4", show_default=True, metavar="A/B",
              help="By how much the best first move must beat the second.")  # fmt: skip
@click.option("--theme", "names", multiple=True, metavar="NAME", help="Must have this theme.")
@click.option("--without", multiple=True, metavar="NAME", help="Must not have this theme.")
@click.option("--trap", is_flag=True, help="The greedy move must fail.")
@click.option("--trap-kind", "trap_kinds", multiple=True, metavar="KIND",
              help="The greedy move must fail like this: play, order, discard or clue; "
              "several: one of them.")  # fmt: skip
@click.option("--loose", is_flag=True,
              help="A token or a useless card more or less may leave the answer.")  # fmt: skip
@click.option("--twin", "twins", multiple=True, metavar="NAME",
              help="Only these must change the answer, not all that there are: token-more, "
              "token-less, useless-more, useless-less, pass (the turn).")  # fmt: skip
@range_options
@click.option("--games", metavar="SPEC",
              help="Take games with so many players rather than self-play.")  # fmt: skip
@click.option("--patience", type=click.IntRange(1), default=PATIENCE, show_default=True,
              metavar="N", help="Give up after N deals without another puzzle.")  # fmt: skip
@click.option("--out", metavar="FILE", help="Write rows to FILE, going on where it ends.")
@click.option("--csv", "table", metavar="FILE", help="Write a table of all puzzles too.")
def generate(
    count: int,
    games: str | None,
    patience: int,
    out: str | None,
    table: str | None,
    **options: Any,
) -> int:
    """Make puzzles from greedy self-play or games: JSON Lines, the same for the same arguments.

    A-B stands for a range such as 4-8, 1/4-1/2, 4 (4-4) or 4- (at least 4).
    """
    from solver.puzzles.puzzle_file import opened
    from solver.puzzles.puzzle_rows import csv_text, row_text

    check_name(csv=table)
    played = None if games is None else _games(games, options["players"])
    wanted = _wanted(played, **options)
    if out is None:
        made: list[Mapping[str, Any]] = []
        for found in _found(wanted, count, played, patience, 0, [], not sys.stdout.isatty()):
            made.append(_row(wanted, found))
            sys.stdout.write(row_text(made[-1]))
            sys.stdout.flush()
    else:
        with opened(out, wanted.text()) as file:
            names = [row["puzzle_id"] for row in file.rows]
            for found in _found(wanted, count, played, patience, file.next_deal, names, True):
                file.add(_row(wanted, found))
            made = [*file.rows]
    if table is not None and made:
        with output(table) as write:
            write(csv_text(made).rstrip("\n"))
    if len(made) < count:
        tried = (
            f"{patience:,} more deals gave none (--patience)"
            if played is None
            else f"the games, or {patience:,} on end (--patience), gave no more"
        )
        complain(f"{len(made)} of {count} puzzles found: {tried}")
        return UNKNOWN
    return ANSWERED


def _games(spec: str, players: int) -> list[Line]:
    """Read the games of so many players."""
    from solver.reading.specs import Fault, games

    found = []
    for game in games(spec):
        if isinstance(game, Fault):
            raise InputError(str(game))
        if game.deal.rules.players == players:
            found.append(game.line())
    return found


def _wanted(
    played: list[Line] | None,
    tokens: str | None,
    margin: str,
    names: tuple[str, ...],
    loose: bool,
    most_tokens: int | None,
    facts: str | None,
    twins: tuple[str, ...],
    **rest: Any,
) -> Wanted:
    from solver.puzzles.generate import FACTS, SELF_PLAY_TOKENS, Wanted, digest

    if played is not None and most_tokens is not None:
        raise InputError("--most-tokens is for self-play: games have their own rules")
    span: tuple[int, int] | None = None
    if played is None:
        least_tokens, usual = SELF_PLAY_TOKENS
        span = least_tokens, min(usual, most_tokens or usual)
    least, dash, most = (tokens or "").partition("-")
    try:
        if tokens is not None:
            span = int(least), int(most if dash else least)
    except ValueError:
        raise InputError(f"tokens {tokens!r} is not of the form 0-2") from None
    try:
        gap = Fraction(margin)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"margin {margin!r} is not of the form 1/4") from None
    asked = {name: rest.pop(name.replace("-", "_")) for name in RANGES}
    ranges = [(name, *_range(name, text)) for name, text in asked.items() if text is not None]
    known = FACTS
    if facts is not None:
        if rest["model"] != "hidden":
            raise InputError("--facts is for the model hidden")
        fewest, top = _range("facts", facts)
        if fewest.denominator > 1 or top is None or top.denominator > 1:
            raise InputError(f"facts {facts!r} is not of the form 3-7")
        known = int(fewest), int(top)
    games = "" if played is None else digest(played)
    return Wanted(tokens=span, margin=gap, themes=names, tight=not (loose or twins), games=games,
                  most_tokens=most_tokens, ranges=tuple(ranges), twins=twins, facts=known,
                  **rest)  # fmt: skip


def _range(name: str, text: str) -> tuple[Fraction, Fraction | None]:
    """Read a range such as 4-8, 1/4-1/2, 4 or 4-."""
    low, dash, high = text.partition("-")
    try:
        least = Fraction(low)
        return least, (Fraction(high) if high else None) if dash else least
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{name} {text!r} is not of the form 4-8, 1/4-1/2, 4 or 4-") from None


def _row(wanted: Wanted, found: Found) -> dict[str, Any]:
    from solver.puzzles.puzzle_rows import puzzle_row

    row = puzzle_row(found.report)
    return {**row, "seed": wanted.seed, "deal": found.deal, "generator": wanted.text()}


def _found(
    wanted: Wanted,
    count: int,
    played: list[Line] | None,
    patience: int,
    first: int,
    names: list[str],
    bar: bool,
) -> Iterator[Found]:
    """Give as many puzzles as are missing, or fewer, if no more come."""
    from solver.puzzles.generate import generate as generated

    if count <= len(names):
        return
    with _progress(count, bar) as show:
        found = generated(wanted, first, names, patience, show, played)
        for number, one in enumerate(found, len(names) + 1):
            yield one
            if number == count:
                return


@contextmanager
def _progress(count: int, bar: bool) -> Iterator[Callable[[int, int], object]]:
    """Show on standard error how far the work is: a bar, or else a line now and then.

    A bar needs a person who looks at it and at nothing else.
    """
    shown = time.monotonic()
    if not (bar and sys.stderr.isatty()):

        def tell(done: int, deals: int) -> None:
            nonlocal shown
            if time.monotonic() - shown >= REPORT:
                shown = time.monotonic()
                print(f"{done} of {count} puzzles, {deals:,} deals", file=sys.stderr, flush=True)

        yield tell
        return
    shown = 0.0

    def show(done: int, deals: int) -> None:
        nonlocal shown
        if time.monotonic() - shown > 0.1:
            shown = time.monotonic()
            bar = "#" * (20 * done // count)
            print(f"\r[{bar:<20}] {done} of {count} puzzles, {deals:,} deals", end="",
                  file=sys.stderr, flush=True)  # fmt: skip

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@puzzle.command()
@click.argument("path", metavar="FILE")
@click.option("--number", type=click.IntRange(1), metavar="N", help="The N-th of the file (1).")
@click.option("--id", "name", metavar="ID", help="The puzzle with this puzzle_id.")
@click.option("--model", type=MODEL, default="open", show_default=True,
              help="What players know, where a puzzle does not say.")  # fmt: skip
def show(path: str, number: int | None, name: str | None, model: str) -> int:
    """Draw a puzzle, read an answer from standard input, and judge it.

    An answer is such as: play r3, discard b1, discard useless, clue. After one that is no legal
    move the next is read.
    """
    from solver.puzzles.judge import UndecidedError, choice_named, choice_words
    from solver.puzzles.puzzle_rows import judged
    from solver.tables.show_puzzle import show_answer, show_puzzle

    if path == "-":
        raise click.UsageError("standard input is for the answer: give a file")
    if number is not None and name is not None:
        raise click.UsageError("--number and --id both name a puzzle: give one of them")
    found = _chosen(path, number or 1, name)
    row = found.row or {}
    try:
        report = judged(found, str(row.get("info_model", model)))
    except UndecidedError as error:
        complain(error)
        return UNKNOWN
    show_puzzle(report, f"puzzle {row['puzzle_id']}" if "puzzle_id" in row else found.where)
    legal = ", ".join(sorted(choice_words(report.position, c) for c in report.verdict.choices))
    wrong = False
    while True:
        if sys.stdin.isatty():
            click.echo("your move> ", nl=False)
        else:
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return BAD_INPUT if wrong else complain("no answer was given")
        choice = choice_named(report.verdict, line)
        if choice is not None:
            break
        complain(f"the answer {line.strip()[:40]!r} is no legal move here; these are: {legal}")
        wrong = True
    best = " or ".join(report.moves)
    if choice in report.verdict.best:
        click.echo(f"right: {best}" if report.unique else f"right, as is any of: {best}")
    else:
        words = choice_words(report.position, choice)
        click.echo(f"wrong: {words} has {choice.high}, {best} has {report.value}")
    show_answer(report, report.verdict.choices.index(choice))
    return ANSWERED


@puzzle.command()
@click.argument("paths", nargs=-1, metavar="FILE...", required=True)
@click.option("-o", "--output", "out", required=True, metavar="PAGE.html",
              help="The page to write, whole or not at all.")  # fmt: skip
@click.option("--number", type=click.IntRange(1), metavar="N", help="Only the N-th position.")
@click.option("--id", "name", metavar="ID", help="Only the puzzle with this puzzle_id.")
@click.option("--model", type=click.Choice(["open", "known"]), default="open", show_default=True,
              help="What players know, where a puzzle does not say.")  # fmt: skip
def page(paths: tuple[str, ...], out: str, number: int | None, name: str | None, model: str) -> int:
    """Write a page on which puzzles, or any endgames, are played: one file, without a network.

    The chances of every choice in every state that can be reached stand in the page.
    """
    from solver.pages.puzzle_page import puzzle_data, puzzle_page

    if (number is not None or name is not None) and len(paths) > 1:
        raise click.UsageError("--number and --id are for exactly one file")
    check_name(html=out)
    code = ANSWERED
    made = []
    size = 0
    chosen = number is not None or name is not None
    found = [_chosen(paths[0], number or 1, name)] if chosen else _items(paths, ())
    with progress(True, "worked out {:,} positions") as show:
        for count, item in enumerate(found, 1):
            show(count)
            try:
                if isinstance(item, InputError):
                    raise item
                data = puzzle_data(item, model)
            except InputError as error:
                code = complain(error)
                continue
            size += len(data["nodes"])
            if size > MOST_STATES:
                return complain(f"{item.where}: more than {MOST_STATES:,} states for one page: "
                                "give fewer positions, or --number N")  # fmt: skip
            made.append(data)
    if made:
        write_whole(out, puzzle_page(made))
        click.echo(f"{out}: {amount(len(made), 'position')}, {amount(size, 'state')}")
    return code


def _chosen(path: str, number: int, name: str | None) -> Item:
    from solver.puzzles.puzzle_rows import items

    count = 0
    for found in items(path):
        count += 1
        if name is None and count == number:
            if isinstance(found, InputError):
                raise found
            return found
        if not isinstance(found, InputError) and found.row and found.row.get("puzzle_id") == name:
            return found
        if isinstance(found, InputError) and count == 1 and number == 1:
            raise found
    what = f"number {number}: there are {count}" if name is None else f"puzzle_id {name}"
    raise InputError(f"{path}: there is no {what}")
