"""The command ``hanabi``: arguments in, answers on standard output, one line for what is wrong.

Exit codes: 0 answered, 2 bad input or usage, 3 a limit left something unknown, 130 after Ctrl-C,
141 when the reader of the output stopped reading, 143 when terminated.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import chain, islice
from typing import Any, NamedTuple

import click

from solver.command.options import spec_options
from solver.decks.sources import listing
from solver.formats.hanablive import NAMES, Game, game_of
from solver.formats.output import check, output, write_whole
from solver.formats.streams import (
    BAD_INPUT,
    ClosedPipeError,
    DeadOutputError,
    InterruptedByUserError,
    complain,
    guarded,
    prepare,
    silence,
)
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits, Result
from solver.reading.misread import is_position
from solver.reading.specs import Asked as AskedRules
from solver.reading.specs import Fault, Suits, capped, deal_of, located, located_games
from solver.solving.choice import DEFAULT_LIMITS, require, solve_many
from solver.tables.rows import deck_row, game_link, is_settled, replay_row, solve_row

__all__ = ["BAD_INPUT", "cli", "complain", "main", "spec_options"]

ANSWERED, UNKNOWN, INTERRUPTED, CLOSED = 0, 3, 130, 141
ENGINES = ("auto", "search", "cpsat", "sat")


LATER = {
    "variants": "solver.command.cli_variants",
    "bound": "solver.command.cli_bound",
    "endgame": "solver.command.cli_endgame",
    "explain": "solver.command.cli_explain",
    "play": "solver.command.cli_play",
    "puzzle": "solver.command.cli_puzzle",
    "review": "solver.command.cli_review",
    "report": "solver.command.cli_report",
    "serve": "solver.command.cli_serve",
    "survey": "solver.command.cli_survey",
    "verify": "solver.command.cli_verify",
}
"""Commands in modules of their own, which are imported when they are named."""


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *LATER})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in LATER:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(LATER[cmd_name]), cmd_name)
        return command

    def make_context(self, *args: Any, **kw: Any) -> click.Context:
        with guarded():  # --help is answered here
            return super().make_context(*args, **kw)

    def invoke(self, ctx: click.Context) -> Any:
        with guarded():
            return super().invoke(ctx)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code; no exception leaves it for bad input."""
    prepare()
    try:
        code = cli.main(args=arguments, prog_name="hanabi", standalone_mode=False)
    except click.ClickException as error:
        return complain(error.format_message())
    except InputError as error:
        return complain(error)
    except (click.Abort, InterruptedByUserError, KeyboardInterrupt):
        return INTERRUPTED
    except ClosedPipeError:
        silence(sys.stdout)
        return CLOSED
    except DeadOutputError as error:
        silence(sys.stdout)
        return complain(error)
    return code if isinstance(code, int) else ANSWERED


@click.group(
    cls=_Group, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="hanabi-solver", prog_name="hanabi")
def cli() -> None:
    """Solve Hanabi exactly, with all cards known.

    A SPEC names deals: a hanab.live seed (p3v0s1), a source and a range (python:p2c1s0-99, or with
    --players random:0-9, hle:0-99; `hanabi deck --help` lists them), a file (.json, .jsonl, .csv),
    a share link, a position text, or - for standard input.
    """


def json_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give the option --json of a command that prints one object for each such thing."""
    return click.option(
        "--json", "as_json", is_flag=True, help=f"Print JSON Lines, one object a {what}."
    )


JSON_OPTION = json_option("deal")


Asked = Deal | Position
Answer = tuple[Asked, Result]


class Question(NamedTuple):
    """What is asked, and where it stands: a file and row, or the spec."""

    item: Asked
    place: str


def questions(
    specs: Sequence[str], players: int | None, variant: Suits | AskedRules
) -> Iterator[Question | Fault]:
    """Give the deals and positions of all specs, and in their places what is wrong with others."""
    _some(specs)
    positions = sum(map(is_position, specs))
    number = 0
    for spec in specs:
        place = None
        if is_position(spec) and positions > 1:
            number += 1
            place = f"position {number}"
        for found, where in capped(located(spec, players, variant, place), spec):
            if isinstance(found, Fault):
                yield found
            else:
                _characters(found, where)
                item = deal_of(found, spec) if isinstance(found, Game) else found
                yield Question(item, where)


def _characters(found: Deal | Game | Position, place: str) -> None:
    """Say of a game with detrimental characters that what they forbid is not known here."""
    if isinstance(found, Game) and found.options.get("detrimentalCharacters"):
        complain(
            f"{place}: note: this game has detrimental characters; what they forbid is not "
            "covered, and all answers are for the game without them"
        )


def _some(specs: Sequence[str]) -> None:
    if not specs:
        raise click.UsageError("which deal? Give a SPEC such as p3v0s1 (hanabi --help says more)")


def _answers(
    asked: Iterator[Question | Fault], limits: Limits, jobs: int, engine: str
) -> Iterator[Answer | Fault]:
    """Give the answers in the order of the questions, each as soon as there is one.

    The engine takes questions ahead of its answers; a question that it refuses becomes a fault.
    """
    taken: deque[Question | Fault] = deque()

    def accepted() -> Iterator[Asked]:
        for item in asked:
            fault = item if isinstance(item, Fault) else refusal(item, engine, limits)
            taken.append(fault if fault is not None else item)
            if fault is None and not isinstance(item, Fault):
                yield item.item

    for result in solve_many(accepted(), limits, jobs=jobs, engine=engine):
        while isinstance(item := taken.popleft(), Fault):
            yield item
        yield item.item, result
    for item in taken:
        assert isinstance(item, Fault)
        yield item


def refusal(question: Question, engine: str, limits: Limits = DEFAULT_LIMITS) -> Fault | None:
    """Give what keeps an engine from a question, with where it stands; None if nothing does."""
    try:
        require(question.item, engine, limits)
    except InputError as error:
        return Fault(f"{question.place}: {error}")
    return None


@contextmanager
def progress(several: bool, words: str = "solved {:,} deals") -> Iterator[Callable[[int], None]]:
    """Show on standard error, as ``words``, how many are done, if a person looks at nothing else.

    Not with rich, whose displays take over standard output too.
    """
    if not several or not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda done: None
        return
    shown = 0.0

    def show(done: int) -> None:
        nonlocal shown
        if time.monotonic() - shown > 0.1:
            shown = time.monotonic()
            print(f"\r{words.format(done)}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def print_line(row: Mapping[str, object]) -> None:
    """Print one row of JSON Lines at once, so that a reader has it."""
    sys.stdout.write(json.dumps(row, separators=(",", ":")) + "\n")
    sys.stdout.flush()


@cli.command()
@spec_options
@click.option(
    "--position", "positions", multiple=True, metavar="TEXT", help="Solve a position text."
)
@click.option("--target", type=int, metavar="N", help="Ask only whether N points can be reached.")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True)
@click.option(
    "--nodes",
    type=int,
    metavar="N",
    help="Search N nodes for a deal, and some dives more; without any limit "
    f"{DEFAULT_LIMITS.nodes:,}.",
)
@click.option("--seconds", type=float, metavar="S", help="Stop a deal after S seconds.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
              help="Solve on N threads.")  # fmt: skip
@click.option("--certificate", metavar="FILE",
              help="Write a proof of the deal's optimum, for hanabi verify.")  # fmt: skip
@click.option("--svg", metavar="FILE", help="Draw the line of play of one deal.")
@JSON_OPTION
def solve(
    specs: tuple[str, ...],
    players: int | None,
    variant: Suits | AskedRules,
    positions: tuple[str, ...],
    target: int | None,
    engine: str,
    nodes: int | None,
    seconds: float | None,
    jobs: int,
    certificate: str | None,
    svg: str | None,
    as_json: bool,
) -> int:
    """Find the best score of each deal, and a line that reaches it."""
    if nodes is None and seconds is None:
        nodes = DEFAULT_LIMITS.nodes
    limits = Limits(nodes=nodes, seconds=seconds, target=target)
    asked = questions([*specs, *(f"pos:{text}" for text in positions)], players, variant)
    first = list(islice(asked, 2))
    if certificate is not None and (len(first) != 1 or target is not None):
        raise click.UsageError("--certificate is for the optimum of exactly one deal")
    if svg is not None and len(first) != 1:
        raise click.UsageError("--svg is for exactly one deal")
    check(certificate, svg=svg)
    asked = chain(first, asked)
    settled = True
    faults = 0
    proven: list[Result] = []
    drawn: list[Result] = []

    def answers() -> Iterator[Answer]:
        nonlocal settled, faults, proven
        with progress(len(first) > 1) as show:
            for number, answer in enumerate(_answers(asked, limits, jobs, engine), 1):
                if isinstance(answer, Fault):
                    faults += 1
                    complain(answer)
                else:
                    settled &= is_settled(answer[1], target)
                    proven = [answer[1]] if answer[1].proven else []
                    drawn[:] = [answer[1]] if svg is not None else []
                    yield answer
                show(number)

    if as_json:
        for item, result in answers():
            print_line(solve_row(item, result, target))
    else:
        from solver.tables.show import show_one, show_rows

        (show_rows if len(first) > 1 else show_one)(answers(), target)
    for result in drawn:
        assert svg is not None
        from solver.pictures.svg_line import line_svg

        write_whole(svg, line_svg(result.line) + "\n")
    if certificate is not None and not faults:
        settled = _certify(proven, certificate, seconds)
    return BAD_INPUT if faults else ANSWERED if settled else UNKNOWN


def _certify(proven: Sequence[Result], path: str, seconds: float | None) -> bool:
    """Write the certificate of a proven result to a file; give whether that was done."""
    from solver.solving.certify import OutOfTimeError, certify

    with output(path) as write:
        for result in proven:
            with suppress(OutOfTimeError):
                write(certify(result, seconds))
                return True
    complain(f"{path}: not written: a limit was reached before the proof was complete")
    return False


@cli.command(
    epilog=f"Sources, with their options as in hle+random-start+colors=4:0-9:\n\n{listing()}"
)
@spec_options
@JSON_OPTION
def deck(
    specs: tuple[str, ...], players: int | None, variant: Suits | AskedRules, as_json: bool
) -> int:
    """Show each deal: the hands, and the draw pile in order."""
    code = ANSWERED
    for item in questions(specs, players, variant):
        if isinstance(item, Fault):
            code = complain(item)
        elif isinstance(item.item, Position):
            code = complain(f"{item.place}: this is a position, not a deal")
        elif as_json:
            print_line(deck_row(item.item))
        else:
            from solver.tables.show import show_deal

            show_deal(item.item)
    return code


@cli.command()
@click.argument("specs", nargs=-1, metavar="SPEC...", required=True)
@click.option("--players", type=click.IntRange(2, 6), metavar="N",
              help="Players, where a log does not say.")  # fmt: skip
@JSON_OPTION
def replay(specs: tuple[str, ...], players: int | None, as_json: bool) -> int:
    """Replay games, or the rows that solve --json prints, and say what became of them.

    One game is shown turn by turn; several are a row each.
    """
    code = ANSWERED

    def replayed() -> Iterator[tuple[Game, str, dict[str, Any]] | None]:
        nonlocal code
        for spec in specs:
            for game, place in capped(located_games(spec, whole=False, players=players), spec):
                if isinstance(game, Fault):
                    code = complain(game)
                    yield None
                    continue
                _characters(game, place)
                try:
                    yield game, place, replay_row(game, game.deal.name or game.seed or place)
                except InputError as error:
                    code = complain(f"{place}: {error}")
                    yield None

    found = replayed()
    first = list(islice(found, 2))
    games = (item for item in chain(first, found) if item is not None)
    if as_json:
        for _, place, row in games:
            print_line({**row, "place": place})
        return code
    from solver.tables.show import show_replay, show_replays

    if len(first) > 1:
        show_replays(games)
    else:
        for game, _, row in games:
            show_replay(game, row)
    return code


def _unplayed(deal: Deal, form: str) -> Game:
    """Make a game of a deal, with the site's options for its rules where the form has them."""
    if form == "deck":
        return Game(NAMES[: deal.rules.players], deal, named=False)
    return game_of(Line.of(deal, ()), deal)


FORMS: dict[str, Callable[[Game], str]] = {
    "deck": lambda game: game.deal.text(),
    "json": lambda game: json.dumps(game.to_json(), separators=(",", ":")),
    "link": game_link,
}


@cli.command()
@spec_options
@click.option(
    "--to", "form", type=click.Choice(list(FORMS)), required=True, help="The form wanted."
)
@click.option(
    "-o", "--output", "path", metavar="FILE", help="Write to a file, whole or not at all."
)
def convert(
    specs: tuple[str, ...],
    players: int | None,
    variant: Suits | AskedRules,
    form: str,
    path: str | None,
) -> int:
    """Turn each deal or game into a deck string, hanab.live's JSON, or a share link.

    Several to JSON are one a line, and a list in a file that is called .json.
    """
    _some(specs)
    code = ANSWERED
    made: list[str] | None = [] if form == "json" and (path or "").endswith(".json") else None
    with output(path) as write:
        for spec in specs:
            for found, place in capped(located(spec, players, variant), spec):
                if isinstance(found, Fault):
                    code = complain(found)
                    continue
                if isinstance(found, Position):
                    code = complain(f"{place}: this is a position, not a deal")
                    continue
                try:
                    text = FORMS[form](found if isinstance(found, Game) else _unplayed(found, form))
                except InputError as error:
                    code = complain(f"{place}: {error}")
                else:
                    write(text) if made is None else made.append(text)
        if made:  # a file that is called .json is one JSON document
            write(made[0] if len(made) == 1 else "[" + ",\n".join(made) + "]")
    return code
