"""The command ``hanabi endgame``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from solver.command.cli import ANSWERED, complain, json_option, print_line
from solver.command.cli import UNKNOWN as OPEN
from solver.formats.hanablive import Game
from solver.formats.inputs import parse_json, read_file, read_stdin, shorten
from solver.formats.output import check, form_of, output, write_whole
from solver.formats.positionfile import read
from solver.game.clues import is_free
from solver.game.errors import InputError
from solver.game.notation import parse_possible
from solver.game.position import Position
from solver.game.result import Limits
from solver.reading.misread import is_position
from solver.reading.specs import Fault, games, held, is_file

if TYPE_CHECKING:
    from solver.endgames.endgame import Possible, Verdict
    from solver.endgames.policy import Policy

__all__ = ["endgame"]

MODELS = ("known", "open", "hidden")
DEFAULT_NODES = 20_000_000
GRAPHS = {".graphml": "graphml", ".dot": "dot", ".gv": "dot"}


@click.command()
@click.argument("positions", nargs=-1, metavar="POSITION...", required=True)
@click.option("--turn", type=int, metavar="N",
              help="POSITION is a game (a file or a link): the position before turn N's action, "
              "the first turn being 1, as in the links of hanab.live.")  # fmt: skip
@click.option("--model", type=click.Choice(MODELS),
              help="What the players know; else what a puzzle says, or open, or hidden where a "
              "card in a hand is unknown (all hands are open after the action).")  # fmt: skip
@click.option("--objective", type=click.Choice(("win", "score")), default="win", show_default=True,
              help="The chance of the target, or the mean score.")  # fmt: skip
@click.option("--target", type=int, metavar="N", help="Points that count as a win; else all.")
@click.option("--possible", metavar="CARDS,...",
              help="In hidden: what each card of the player to move may be, the oldest first, "
              "such as r5y5,xx,g4 (xx: anything).")  # fmt: skip
@click.option("--nodes", type=int, metavar="N",
              help=f"Stop a position (each hand that is possible, each action of known) after N "
              f"nodes; without any limit {DEFAULT_NODES:,}.")  # fmt: skip
@click.option("--seconds", type=float, metavar="S", help="Stop a position after S seconds.")
@click.option("--policy", "with_policy", is_flag=True, help="Say what to do after each draw.")
@click.option("--losing-orders", is_flag=True, help="List the draw orders that lose.")
@click.option("--graph", "graph_path", metavar="FILE",
              help="Write the graph of all best play: .graphml, or .dot for Graphviz.")  # fmt: skip
@click.option("--svg", metavar="FILE", help="Draw the position.")
@json_option("position")
def endgame(
    positions: tuple[str, ...],
    turn: int | None,
    model: str | None,
    objective: str,
    target: int | None,
    possible: str | None,
    nodes: int | None,
    seconds: float | None,
    with_policy: bool,
    losing_orders: bool,
    graph_path: str | None,
    svg: str | None,
    as_json: bool,
) -> int:
    """Give every action of an endgame its exact chance.

    A POSITION is a position file, a file of puzzles, a position text, or with --turn a game of
    hanab.live.
    """
    if graph_path is not None:
        form_of(graph_path, GRAPHS)
    if losing_orders and objective != "win":
        raise click.UsageError("--losing-orders is for the objective win")
    if nodes is None and seconds is None:
        nodes = DEFAULT_NODES
    limits = Limits(nodes=nodes, seconds=seconds)
    wanted = _Wanted(model, objective, target, possible, limits, with_policy, losing_orders,
                     graph_path, as_json)  # fmt: skip
    asked = [item for text in positions for item in _read(text, turn)]
    if graph_path is not None and len(asked) != 1:
        raise click.UsageError("--graph is for exactly one position")
    if svg is not None and len(asked) != 1:
        raise click.UsageError("--svg is for exactly one position")
    check(graph_path, svg=svg)
    code = ANSWERED
    for number, item in enumerate(asked):
        if isinstance(item, Fault):
            code = complain(item)
            continue
        where, position, row_model, row_possible = item
        if number and not as_json:
            click.echo()
        try:
            settled = wanted.answer(position, row_model, row_possible)
            if svg is not None:
                from solver.pictures.svg_position import position_svg

                write_whole(svg, position_svg(position) + "\n")
        except InputError as error:
            code = complain(f"{where}: {error}")
            continue
        if not settled and code == ANSWERED:
            code = OPEN
    return code


Asked: TypeAlias = "tuple[str, Position, str | None, Possible | None]"
"""Where a position stands, and what a puzzle says of the model and of the mover's cards."""
Item: TypeAlias = "Asked | Fault"

A_GAME = "this is a game: say before which turn with --turn N"
A_DEAL = "this is a deal, not a position: hanabi solve and hanabi deck read it"


def _read(text: str, turn: int | None) -> Iterator[Item]:
    """Give the positions that an argument names, and where each stands."""
    if turn is not None:
        yield _of_game(text, turn)
        return
    where = "position"
    if not text.strip():
        yield Fault(f"{where}: this is empty")
        return
    content = text.removeprefix("pos:")
    try:
        if text == "-":
            where = "standard input"
            content = read_stdin()
        elif _is_path(text):
            where = text
            content = read_file(text)
    except InputError as error:
        other = "" if is_file(text) else {"game": A_GAME, "deal": A_DEAL}.get(held(text))
        yield Fault(f"{shorten(where)}: {other or error}")
        return
    rows = [(n, row) for n, row in enumerate(content.split("\n"), 1) if row.strip()]
    whole = len(rows) < 2 or not _is_row(rows[0][1])
    try:
        _position(content if whole else rows[0][1], where)
    except InputError:
        other = {"game": A_GAME, "deal": A_DEAL}.get(held(content))
        if other:
            yield Fault(f"{where}: {other}")
            return
    for place, row in [(where, content)] if whole else [(f"{where}:{n}", row) for n, row in rows]:
        try:
            if not row.strip():
                raise InputError(f"{place}: this is empty")
            yield _position(row, place)
        except InputError as error:
            yield Fault(str(error))


def _is_path(text: str) -> bool:
    """Whether an argument is meant as a file: it has not the fields of a position text."""
    like = text.startswith("{") or is_position(text) or len(text.split()) > 8
    return is_file(text) or not like


def _is_row(row: str) -> bool:
    """Whether a line stands for itself: a position text or one whole JSON object."""
    if not row.lstrip().startswith("{"):
        return not row.lstrip().startswith("[")
    try:
        parse_json(row)
    except InputError:
        return False
    return True


def _position(text: str, where: str) -> Asked:
    if not text.lstrip().startswith("{"):
        return where, read(text.strip(), where), None, None
    found: Any = None
    try:
        found = parse_json(text)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if isinstance(found, dict) and "position" in found:
        from solver.puzzles.puzzle_rows import item

        puzzle = item(text, where)
        return where, puzzle.position, str(found["info_model"]), puzzle.possible
    if isinstance(found, dict) and "hands" not in found and "actions" in found:
        raise InputError(f"{where}: {A_GAME}")
    return where, read(found, where), None, None


def _of_game(spec: str, turn: int) -> Item:
    found = list(games(spec))
    for item in found:
        if isinstance(item, Fault):
            return item
    if len(found) != 1:
        return Fault(f"{spec}: --turn is for one game, and there are {len(found)}")
    (game,) = found
    assert isinstance(game, Game)
    try:
        last = len(game.moves)
        if game.position(last).end is None:
            last += 1  # nobody has acted in it yet
        if not 1 <= turn <= last:
            return Fault(f"{spec}: turn {turn}: the game has turns 1 to {last}")
        return f"{spec}, turn {turn}", game.position(turn - 1), None, None
    except InputError as error:
        return Fault(f"{spec}: {error}")


@dataclass(frozen=True)
class _Wanted:
    """What the options ask of each position."""

    model: str | None
    objective: str
    target: int | None
    possible: str | None
    limits: Limits
    policy: bool
    losing_orders: bool
    graph: str | None
    as_json: bool

    def answer(
        self, position: Position, row_model: str | None, row_possible: Possible | None
    ) -> bool:
        """Answer for one position, and say whether everything was settled.

        A puzzle's own model and possible cards count where the options say nothing.
        """
        from solver.endgames.endgame import Teller, analyse, ranked
        from solver.endgames.policy import LimitReachedError, Policy

        model = self.model or row_model
        unasked = model is None
        if model is None:
            unknown = not position.shows_hands
            model = "hidden" if unknown or self.possible else "open"
        wanted = self.policy or self.losing_orders or self.graph is not None
        if model == "hidden" and wanted:
            raise InputError("--policy, --losing-orders and --graph are not for the model hidden")
        teller = None
        if model == "open" and position.end is None:
            teller = Teller(position, self.objective, self.target)
        question = (model, self.objective, self.target, self.limits)
        may_be = row_possible if model == "hidden" else None
        if self.possible is not None:
            may_be = _possible(self.possible, position)
        verdict = analyse(position, *question, possible=may_be, teller=teller)
        other = self._other(verdict, may_be)
        verdict = ranked(verdict, other)
        lead = ranked(other, verdict) if verdict.pointless and not self.as_json else None
        policy = best = None
        try:
            if model != "hidden" and (wanted or not self.as_json):
                first = verdict.choices[0].actions[0]
                policy = Policy(position, *question, teller=teller, first=first)
                best = policy if lead is None else self._continued(lead)
        except LimitReachedError:
            pass
        if self.as_json:
            settled = self._print_row(verdict, other, policy)
        else:
            told = unasked and model == "open" and position.ordered and len({*position.pile}) > 1
            settled = self._show(verdict, other, lead, policy, best, may_be, told)
        if self.graph is not None and not verdict.exact:
            complain(f"{self.graph}: not written: a limit left the value of an action open")
        elif self.graph is not None:
            whole = Policy(position, *question, teller=teller, every=True)
            settled &= _write(whole, self.graph)
        return settled and verdict.exact and not (wanted and best is None)

    def _print_row(self, verdict: Verdict, other: Verdict, policy: Policy | None) -> bool:
        from solver.endgames.endgame_rows import endgame_row, losing_rows, policy_rows
        from solver.endgames.policy import LimitReachedError

        row = endgame_row(verdict, other)
        settled = True
        if policy is not None:
            try:
                if self.losing_orders:
                    row["losing_orders"] = losing_rows(policy)
                if self.policy:
                    policy.explore()
                    row["policy"] = policy_rows(policy)
            except LimitReachedError as error:
                complain(f"the policy is not whole: {error}")
                settled = False
        print_line(row)
        return settled

    def _other(self, verdict: Verdict, may_be: Possible | None) -> Verdict:
        """Give the same position's verdict with the other objective."""
        from solver.endgames.endgame import analyse

        other = "score" if self.objective == "win" else "win"
        position = verdict.position
        return analyse(position, verdict.model, other, self.target, self.limits, may_be)

    def _continued(self, lead: Verdict) -> Policy:
        """Give the best continuation that begins with a verdict's first choice."""
        from solver.endgames.policy import Policy

        question = (lead.model, lead.objective, None, self.limits)
        return Policy(lead.position, *question, first=lead.choices[0].actions[0])

    def _show(
        self,
        verdict: Verdict,
        other: Verdict,
        lead: Verdict | None,
        policy: Policy | None,
        best: Policy | None,
        may_be: Possible | None,
        told: bool,
    ) -> bool:
        """Print an answer; ``lead`` and ``best`` say what to do where what is asked does not."""
        from solver.endgames.continuations import continuations
        from solver.endgames.endgame import worlds
        from solver.endgames.policy import LimitReachedError
        from solver.tables.show_endgame import (
            show_continuations,
            show_endgame,
            show_losing_orders,
            show_policy,
        )

        position = verdict.position
        hands = sum(1 for _ in worlds(position, may_be)) if verdict.model == "hidden" else 0
        chosen = verdict if lead is None else lead
        try:
            show_endgame(verdict, other, hands, best, lead, told)
            found = verdict.model == "hidden" and chosen.exact and chosen.high > 0
            if found and is_free(position):
                first = chosen.choices[0].actions[0]
                question = (chosen.objective, self.target, self.limits, may_be)
                show_continuations(chosen, *continuations(position, first, *question))
            if best is not None and self.policy:
                show_policy(best)
            if policy is not None and self.losing_orders:
                show_losing_orders(policy)
        except LimitReachedError as error:
            complain(f"the policy is not whole: {error}")
            return False
        return True


def _possible(text: str, position: Position) -> Possible:
    ranks = [suit.ranks for suit in position.rules.suits]
    return parse_possible(text, "".join(position.letters), "--possible", ranks)


def _write(policy: Policy, path: str) -> bool:
    """Write the decision graph to a file, whole or not at all, and give whether that was done."""
    from solver.endgames.policy import LimitReachedError, dot, graph, graphml

    try:
        policy.explore()
    except LimitReachedError as error:
        complain(f"{path}: not written: {error}")
        return False
    made = graph(policy)
    with output(path) as write:
        for line in (graphml if form_of(path, GRAPHS) == "graphml" else dot)(made):
            write(line)
    return True
