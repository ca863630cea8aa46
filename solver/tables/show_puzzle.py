"""Puzzles for people: the position, and what every first move is worth."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.text import Text

from solver.game.card import Card
from solver.game.notation import card_text
from solver.game.position import Position
from solver.game.wording import amount, percent
from solver.puzzles.judge import MODEL_WORDS, PuzzleReport, choice_words
from solver.puzzles.puzzle_rows import line_words
from solver.puzzles.themes import themes
from solver.questions.tightness import pace
from solver.tables.show import deck_text, make_console

__all__ = ["show_answer", "show_puzzle", "show_report"]


def show_puzzle(report: PuzzleReport, name: str) -> None:
    """Print the position and the question, not the answer."""
    console = make_console()
    position = report.position
    console.print(f"{name}: {MODEL_WORDS[report.model]}", markup=False)
    console.print(_board(position))
    if report.possible is not None:
        console.print(f"  {_knowledge(report.possible, position.letters)}", markup=False)


def _board(position: Position) -> Text:
    rules, letters = position.rules, position.letters
    text = Text("  stacks    ")
    stacks = zip(letters, position.stacks, rules.suits, strict=True)
    text.append(" ".join(f"{letter}{suit.heights[state]}" for letter, state, suit in stacks))
    for seat, hand in enumerate(position.hands):
        text.append(f"\n{'>' if seat == position.seat else ' '} seat {seat}    ")
        text.append_text(deck_text(hand, letters))
    text.append(f"\n  {'pile' if position.ordered else 'unseen':<10}")
    text.append_text(deck_text(position.pile, letters))
    left = position.turns_left
    text.append(
        f"\n  {position.points} of {rules.max_score} points, "
        f"clues {position.clues} of {rules.max_clues}, {amount(position.strikes, 'strike')}, "
        + (f"{position.pile_size} to draw" if left is None else f"{amount(left, 'turn')} left")
        + f", pace {pace(position)}"
    )
    return text


def _knowledge(possible: Sequence[Collection[Card] | None], letters: Sequence[str]) -> str:
    words = []
    for number, faces in enumerate(possible, 1):
        if faces is not None:
            names = [card_text(card, letters) for card in sorted(faces)]
            words.append(f"card {number} is {' or '.join(names)}")
    return f"{'; '.join(words)} (1 is the oldest)" if words else "nothing is known of the hand"


def show_answer(report: PuzzleReport, mark: int | None = None) -> None:
    """Print every choice with its chance, one of them marked, and the main line."""
    console = make_console()
    for number, choice in enumerate(report.verdict.choices):
        words = choice_words(report.position, choice)
        sign = ">" if number == mark else " "
        value = choice.high
        console.print(f"{sign} {words:<18} {value!s:>9}  {percent(value):>7}", markup=False)
    if report.line:
        console.print(f"line: {'; '.join(line_words(report))}", markup=False)


def show_report(report: PuzzleReport, name: str) -> None:
    """Print what there is to say of a position as a puzzle."""
    show_puzzle(report, name)
    show_answer(report)
    console = make_console()
    faults = report.faults()
    twins = ", ".join(
        f"{name} {'changes' if c else 'leaves'} it" for name, c in report.twins.items()
    )
    greedy = choice_words(report.position, report.greedy)
    lost = f"loses {report.trap_loss}" if report.trap_loss else "is right"
    lines = [
        f"puzzle: {'; '.join(faults)}" if faults else "puzzle: one answer, clear and tight",
        f"margin {report.margin}; the greedy move, {greedy}, {lost}; twins: {twins or 'none'}",
        f"depth {report.depth}, difficulty {report.difficulty}, "
        f"themes: {' '.join(themes(report)) or 'none'}",
    ]
    for line in lines:
        console.print(line, markup=False)
