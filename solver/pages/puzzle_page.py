"""The page on which puzzles are played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.game.card import Card
from solver.game.errors import InputError
from solver.game.notation import card_text
from solver.game.position import Kind, Position
from solver.pages.page import board, page_html
from solver.puzzles.judge import MODEL_WORDS
from solver.puzzles.puzzle_graph import Node, Option, puzzle_graph
from solver.puzzles.puzzle_rows import Item

__all__ = ["puzzle_data", "puzzle_page"]

LOST = -1
KINDS = {Kind.PLAY: "play", Kind.DISCARD: "discard", Kind.CLUE: "clue", Kind.DECK_PLAY: "deck"}
MOVING = ("stacks", "clues", "strikes", "left", "score", "seat")
"""What of a board is not kept by the page itself."""


def puzzle_page(puzzles: Sequence[dict[str, Any]]) -> str:
    """Give the page for puzzles, each as `puzzle_data` gives it."""
    title = puzzles[0]["name"] if len(puzzles) == 1 else f"{len(puzzles)} endgames"
    numbered = [
        {**data, "name": f"{data['name']} {number} of {len(puzzles)}"} if len(puzzles) > 1 else data
        for number, data in enumerate(puzzles, 1)
    ]
    return page_html(title, "puzzle.html", ["board.js", "puzzle.js"], numbered)


def puzzle_data(item: Item, model: str) -> dict[str, Any]:
    """Work out all that the page needs of one position.

    Raises
    ------
    InputError
        Saying where the position stands and why there can be no page of it.
    """
    row = item.row or {}
    try:
        nodes = puzzle_graph(item.position, str(row.get("info_model", model)))
    except InputError as error:
        raise type(error)(f"{item.where}: {error}") from None
    start = next(iter(nodes))
    numbers = {position: number for number, position in enumerate(nodes)}
    whole = board(item.position)
    return {
        "name": "Puzzle" if "puzzle_id" in row else "Endgame",
        "id": f"puzzle_id {row['puzzle_id']}" if "puzzle_id" in row else item.where,
        "question": f"Which move has the best chance of full marks? {_sentence(start)}",
        "ordered": start.ordered,
        "board": {**whole, "ordered": start.ordered},
        "nodes": [_node(node, numbers) for node in nodes.values()],
    }


def _sentence(start: Position) -> str:
    words = MODEL_WORDS["known" if start.ordered else "open"]
    return f"{words[0].upper()}{words[1:]}."


def _node(node: Node, numbers: dict[Position, int]) -> dict[str, Any]:
    position = node.position
    letters = position.letters
    cards = {c for cards in (*position.hands, position.pile) for c in cards if c.is_face}
    shown = board(position)
    return {
        "seat": position.seat,
        "value": str(node.options[0].value if node.options else 1),
        "useful": [card_text(card, letters) for card in sorted(cards)],
        "board": {key: shown[key] for key in MOVING},
        "options": [_option(option, letters, numbers) for option in node.options],
    }


def _option(option: Option, letters: list[str], numbers: dict[Position, int]) -> list[Any]:
    """Give kind, card, words, value, and for each draw: the card, its copies, the node after."""
    reached = [
        [_card(outcome.drawn, letters), outcome.copies, numbers.get(outcome.position, LOST)]
        for outcome in option.outcomes
    ]
    card = _card(option.card, letters)
    return [KINDS[option.kind], card, option.name, str(option.value), reached]


def _card(card: Card | None, letters: list[str]) -> str:
    return "" if card is None else card_text(card, letters)
