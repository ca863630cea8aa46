"""Results for people: a line of play turn by turn, one row a deal, and the sentences below them.

Everything is readable without colour: the card that is acted on stands in brackets.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from solver.formats.editions import rating
from solver.formats.hanablive import Game
from solver.formats.streams import clean
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.notation import card_text
from solver.game.position import Action, Kind, Position
from solver.game.result import Result
from solver.game.wording import amount, share
from solver.tables.rows import game_link, is_settled, made_game

__all__ = [
    "Tally",
    "line_text",
    "show_deal",
    "show_one",
    "show_replay",
    "show_replays",
    "show_rows",
    "verdict",
]

Answer = tuple[Deal | Position, Result]
WIDTH = 100
"""Columns that a table has at most."""

COLOURS = {
    "r": "red", "y": "yellow", "g": "green", "b": "bright_blue", "p": "magenta", "t": "cyan",
    "k": "bright_black", "w": "bright_white", "o": "dark_orange", "i": "deep_pink2",
}  # fmt: skip
"""The colour of a suit, by its letter."""


class _Console(Console):
    """A console that leaves a closed pipe to the command, whose exit code says so."""

    def on_broken_pipe(self) -> None:
        raise  # what is being handled


def make_console() -> Console:
    """Give a console on standard output that leaves lines as long as they are."""
    width = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    return _Console(file=sys.stdout, highlight=False, width=width, soft_wrap=True)


def _card(card: Card, letters: Sequence[str]) -> Text:
    style = COLOURS.get(letters[card.suit], "") if card.is_face else "dim"
    return Text(card_text(card, letters), style)


def deck_text(cards: Sequence[Card], letters: Sequence[str]) -> Text:
    """Write cards with a space between them, each in its suit's colour."""
    return Text(" ").join(_card(card, letters) for card in cards)


def _hand(cards: Sequence[Card], letters: Sequence[str], marked: int | None, space: str) -> Text:
    """Write a hand, the card at ``marked`` in brackets that take the place of spaces."""
    text = Text()
    for slot in range(len(cards) + 1):
        opens, closes = slot == marked, marked is not None and slot == marked + 1
        edge = slot in (0, len(cards)) and space
        text.append("[" if opens else "]" if closes else edge or space)
        if slot < len(cards):
            text.append_text(_card(cards[slot], letters))
            if opens:
                text.stylize("bold reverse", len(text) - 2)
    return text


def _action(before: Position, action: Action) -> Text:
    if action.kind is Kind.PLAY and not before.is_playable(before.hands[before.seat][action.slot]):
        return Text("mis" + before.describe(action), "bold")
    if action.kind is Kind.DECK_PLAY:
        return Text("play deck")
    style = {Kind.DISCARD: "dim", Kind.CLUE: "italic"}.get(action.kind, "")
    return Text(before.describe(action), style)


def _drawn(before: Position, action: Action) -> Text:
    if action.kind is Kind.CLUE or before.pile_size == 0:
        return Text("-", "dim")
    return _card(before.pile[0], before.letters)


def _heights(position: Position) -> Text:
    text = Text()
    for suit, state in zip(position.rules.suits, position.stacks, strict=True):
        height = suit.heights[state]
        style = COLOURS.get(suit.letter, "") + (" bold" if height == suit.full else "")
        text.append(f"{height:x}" if height < 10 else "X", style)
    return text


def line_text(line: Line, width: int = WIDTH) -> Text:
    """Write a line of play as a table, a row a turn, at most ``width`` columns if that can be.

    Hands are those before the action, the card acted on in brackets, the oldest card first;
    stacks, clues, strikes and the pile's size are those after it.
    """
    seats = list(range(line.start.rules.players))
    forms = [(space, pile, seats) for space in (" ", "") for pile in (True, False)]
    for space, pile, hands in [*forms, (" ", False, [])]:
        rows = _rows(line, space, pile, hands)
        if sum(len(cell) for cell in rows[0]) + len(rows[0]) - 1 <= width:
            break
    text = Text()
    for number, row in enumerate(rows):
        joined = Text(" ").join(row)
        joined.rstrip()
        if number == 0:
            joined.stylize("bold")
        text.append_text(joined).append("\n")
    return text


def _rows(line: Line, space: str, pile: bool, seats: Sequence[int]) -> list[list[Text]]:
    """Give the table's cells, each column padded to one width, the heads first.

    ``space`` stands between cards; ``seats`` are those whose hands have a column of their own,
    if none there is one column for the hand of who acts.
    """
    letters = line.start.letters
    hands = [f"{space}seat {p}" for p in seats] or [f"{space}hand"]
    heads = ["#", "seat", "action", *hands, "".join(letters), "clues", "strikes", "draw"]
    rows = [[Text(head) for head in heads + ["pile"] * pile]]
    positions = line.positions()
    before = next(positions)
    for turn, (action, after) in enumerate(zip(line.actions, positions, strict=True), 1):
        card = action.slot if action.kind in (Kind.PLAY, Kind.DISCARD) else None
        row = [
            Text(f"{turn:2}"),
            Text(f"{before.seat:4}"),
            _action(before, action),
            *(
                _hand(before.hands[p], letters, card if p == before.seat else None, space)
                for p in seats or [before.seat]
            ),
            _heights(after),
            Text(f"{after.clues:5}"),
            Text(f"{after.strikes:7}"),
            _drawn(before, action),
        ]
        rows.append(row + [Text(f"{after.pile_size:4}")] * pile)
        before = after
    for column in zip(*rows, strict=True):
        widest = max(len(cell) for cell in column)
        for cell in column:
            cell.pad_right(widest - len(cell))
    return rows


def verdict(result: Result, target: int | None) -> str:
    """Say in words what a result proves: ``25 of 25, proven optimal: winnable``."""
    word = rating(result.score, result.line.start.rules)
    found = f"{result.score} of {result.max_score} ({word})"
    if target is not None:
        if result.score >= target:
            return f"{found}, so {target} can be reached"
        if result.bound < target:
            return f"{target} of {result.max_score} cannot be reached: {result.bound} at most"
    elif result.proven:
        return f"{found}, proven optimal: {'winnable' if result.winnable else 'not winnable'}"
    limit = f"the {result.stopped} limit was reached" if result.stopped else "not settled"
    return f"{found} found, {result.bound} at most, unproven: {limit}"


def cost(result: Result) -> str:
    """Say who answered and what it took: ``search, 1,234 nodes, 0.001 s``."""
    return f"{result.engine}, {amount(result.nodes, 'node')}, {result.seconds:.3f} s"


ROW = "{:<16} {:>7}  {:>5}  {:>5}  {:<12} {:<8} {:>12}  {:>9}  {}"
ROW_HEAD = ROW.format("deal", "players", "score", "bound", "verdict", "engine", "nodes", "seconds",
                      "rating")  # fmt: skip


def row_text(name: str, result: Result, target: int | None) -> Text:
    """Write one deal of many as a row under `ROW_HEAD`."""
    settled = is_settled(result, target)
    word, style = "unproven", "yellow"
    if settled and target is not None:
        reached = result.score >= target
        word, style = ("reached", "green") if reached else ("out of reach", "red")
    elif settled:
        word, style = ("winnable", "green") if result.winnable else ("not winnable", "red")
    players = result.line.start.rules.players
    cells = (name, players, result.score, result.bound, word, result.engine, f"{result.nodes:,}",
             f"{result.seconds:.6f}", rating(result.score, result.line.start.rules))  # fmt: skip
    text = Text(ROW.format(*cells))
    text.highlight_words([word], style)
    return text


@dataclass
class Tally:
    """Counts over many results."""

    deals: int = 0
    yes: int = 0
    no: int = 0
    seconds: float = 0.0

    def add(self, result: Result, target: int | None) -> None:
        """Count one result."""
        goal = result.max_score if target is None else target
        self.deals += 1
        self.yes += result.score >= goal
        self.no += result.bound < goal
        self.seconds += result.seconds

    def text(self, target: int | None) -> str:
        """Sum up in one sentence."""
        can = "are winnable" if target is None else f"reach {target}"
        cannot = "are not" if target is None else "cannot"
        unknown = self.deals - self.yes - self.no
        deals = max(self.deals, 1)
        part = share(self.yes / deals)
        if unknown:
            part += f" to {share((self.yes + unknown) / deals)}"
        return (
            f"{amount(self.deals, 'deal')}: {self.yes:,} {can} ({part}), {self.no:,} {cannot}, "
            f"{unknown:,} unknown; {self.seconds:.3f} s in all"
        )


def _link(asked: Deal | Position, result: Result) -> str:
    if isinstance(asked, Position) or not result.line.actions:
        return ""
    try:
        return game_link(made_game(asked, result))
    except InputError as error:
        return f"no link: {error}"


def show_one(answers: Iterable[Answer], target: int | None) -> None:
    """Print each answer in full: the line turn by turn, what it proves, the link."""
    console = make_console()
    for asked, result in answers:
        refuted = target is not None and result.bound < target
        if result.line.actions and not refuted:
            console.print(line_text(result.line, min(console.width, WIDTH)))
        name = "position" if isinstance(asked, Position) else clean(asked.name) or "deal"
        console.print(f"{name}: {verdict(result, target)} ({cost(result)})", markup=False)
        if not refuted and (link := _link(asked, result)):
            console.print(clean(link), markup=False)


def show_rows(answers: Iterable[Answer], target: int | None) -> None:
    """Print a row an answer, and a sum below."""
    console = make_console()
    tally = Tally()
    for number, (asked, result) in enumerate(answers, 1):
        if number == 1:
            console.print(ROW_HEAD, style="bold")
        name = f"position {number}" if isinstance(asked, Position) else clean(asked.name)
        console.print(row_text(name or f"deal {number}", result, target))
        tally.add(result, target)
    if tally.deals:
        console.print(tally.text(target))


def show_deal(deal: Deal) -> None:
    """Print a deal: who holds what, and what is drawn after it."""
    console = make_console()
    rules = deal.rules
    about = f"{rules.players} players" + (f", {deal.variant}" if deal.variant else "")
    console.print(f"{clean(deal.name) or 'deal'}: {about}, {rules.deck_size} cards", markup=False)
    position = Position.start(deal)
    for seat, hand in enumerate(position.hands):
        console.print(Text(f"  seat {seat}  ").append_text(deck_text(hand, deal.letters)))
    for at in range(0, len(position.pile), 20):
        head = "  pile    " if at == 0 else " " * 10
        console.print(Text(head).append_text(deck_text(position.pile[at : at + 20], deal.letters)))
    if deal.origin is not None:
        start = f"; seat 0 is its player {deal.origin.start}" if deal.origin.start else ""
        words = f"  dealt by {deal.origin.environment} {deal.origin.version}{start}"
        console.print(words, markup=False)


REPLAY = "{:<32} {:>7}  {:>5}  {:<13} {:>6}  {:>5}  {:>7}  {:>5}  {}"


def show_replays(games: Iterable[tuple[Game, str, Mapping[str, Any]]]) -> None:
    """Print a row a game, called by its place, and a sum below."""
    console = make_console()
    scores: list[int] = []
    count = 0
    for count, (game, place, row) in enumerate(games, 1):
        if count == 1:
            head = REPLAY.format("game", "players", "score", "rating", "points", "turns",
                                 "strikes", "clues", "end")  # fmt: skip
            console.print(head, style="bold")
        if row["score"] is not None:
            scores.append(row["score"])
        note = "" if row.get("recorded") is None else "; score as recorded"
        cells = (clean(place)[-32:], game.deal.rules.players,
                 "-" if row["score"] is None else row["score"],
                 "" if row["score"] is None else rating(row["score"], game.deal.rules),
                 row["points"], row["turns"],
                 row["strikes"], row["clues"], row["ending"] + note)  # fmt: skip
        console.print(REPLAY.format(*cells), markup=False)
    if count:
        mean = f"; mean score {sum(scores) / len(scores):.2f}" if scores else ""
        console.print(
            f"{amount(count, 'game')}: {count - len(scores):,} unfinished{mean}", markup=False
        )


def show_replay(game: Game, row: Mapping[str, Any]) -> None:
    """Print a game turn by turn, and what became of it (a row of `replay_row`)."""
    console = make_console()
    if game.moves:
        console.print(line_text(game.line(), min(console.width, WIDTH)))
    scored = "unfinished"
    if row["score"] is not None:
        scored = f"score {row['score']} ({rating(row['score'], game.deal.rules)})"
    console.print(
        f"{clean(row['name'])}: {scored}, {row['points']} of {game.deal.rules.max_score} on the "
        f"stacks, {amount(row['turns'], 'turn')}, {amount(row['strikes'], 'strike')}, "
        f"{amount(row['clues'], 'clue')} left: "
        f"{row['ending']}",
        markup=False,
    )
    if game.record is not None:
        recorded = "no score recorded" if row["recorded"] is None else "score as recorded"
        words = [game.record.source, recorded, game.record.convention, game.missing]
        console.print(f"  {'; '.join(word for word in words if word)}", markup=False)
