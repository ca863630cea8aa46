"""Explanations for people: the sentence, and a small table of who must be played when."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from solver.formats.editions import rating
from solver.formats.streams import clean
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.questions.explain import Explanation
from solver.questions.explanation_rows import explanation_row
from solver.questions.sentences import fate_text
from solver.tables.show import COLOURS, make_console

__all__ = ["show_explanation"]


def show_explanation(explanation: Explanation) -> None:
    """Print what is proven, the sentence, and the table."""
    console = make_console()
    row = explanation_row(explanation)
    asked = explanation.asked
    name = (clean(asked.name) or "deal") if isinstance(asked, Deal) else "position"
    console.print(f"{name}: {_head(row, explanation.start.rules)}", markup=False)
    console.print(row["sentence"], markup=False)
    if row["table"]:
        _show(console, _table(row))
    if row["overflow"] and row["overflow"]["throws"]:
        _show(console, _throws(row))
    if row["tight"]:
        _show(console, _critical(row))
    if row["first"] is False:
        console.print("A limit left open whether it is lost on an earlier rung too.")
    if row["minimal"] is False:
        console.print("A limit left open whether fewer cards are enough.")


def _head(row: dict[str, Any], rules: Rules) -> str:
    least, most = row["score"], row["bound"]
    score = f"{least if least == most else f'{least} to {most}'} of {row['full']}"
    words = dict.fromkeys(rating(end, rules) for end in (least, most))
    score += f" ({' to '.join(words)})"
    if row["winnable"] is None:
        return f"{score}, unknown if it can be won"
    if row["winnable"]:
        return f"{score}, winnable"
    rung = f", lost by {row['rung']}" if row["rung"] else ""
    return f"{score}, not winnable{rung}"


def _show(console: Console, table: Table) -> None:
    """Print a table without the blanks at the ends of its lines."""
    with console.capture() as capture:
        console.print(table, soft_wrap=False)
    for line in capture.get().splitlines():
        console.out(line.rstrip(), highlight=False)


def _grid(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for head in heads:
        table.add_column(head, no_wrap=True)
    return table


def _card(name: str) -> Text:
    return Text(name, COLOURS.get(name[0], ""))


def _table(row: dict[str, Any]) -> Table:
    table = _grid("card", "copies", "waits for", "plays then left")
    for line in row["table"]:
        copies = ", ".join(
            f"card {c['number']}" if c["seat"] is None else f"seat {c['seat']}"
            for c in line["copies"]
        )
        after = f"card {line['after']} ({line['drawn']})" if line["after"] else "-"
        plays = "-" if line["plays"] is None else str(line["plays"])
        table.add_row(_card(line["card"]), copies or "-", after, plays)
    return table


def _throws(row: dict[str, Any]) -> Table:
    table = _grid("thrown away", "again", "then")
    for throw in row["overflow"]["throws"]:
        again = f"card {throw['again']}"
        table.add_row(_card(throw["card"]), again, fate_text(frozenset(throw["fates"])))
    return table


def _critical(row: dict[str, Any]) -> Table:
    """List the cards that may never be discarded, those of one moment in one row."""
    table = _grid("may never be discarded", "from turn", "after card")
    moments: dict[tuple[int, int | None], list[Text]] = {}
    for line in row["tight"]["critical"]:
        moments.setdefault((line["turn"], line["after"]), []).append(_card(line["card"]))
    for (turn, after), cards in moments.items():
        table.add_row(Text(" ").join(cards), str(turn + 1), str(after) if after else "-")
    return table
