"""A line of play as a picture: a table of seats and turns."""

from __future__ import annotations

from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.wording import amount
from solver.pictures.svg import TILE, Canvas

__all__ = ["line_svg"]

LEFT, COLUMN, ROW = 52, 124, 36
SCALE = 0.75


def line_svg(line: Line, title: str = "") -> str:
    """Draw a line: a column a seat, a row a round, the card acted on in each cell.

    A card that is played is painted, one that is discarded outlined, a misplayed one crossed out;
    beside it stands what is drawn. What stands at the end of a row is so after its last turn.
    """
    canvas = Canvas()
    start = line.start
    seats, first = start.rules.players, start.seat
    for seat in range(seats):
        canvas.text(LEFT + seat * COLUMN, 28, f"seat {seat}", bold=True)
    right = LEFT + seats * COLUMN
    canvas.text(right, 28, "".join(start.letters), bold=True)
    towers = max(len(start.letters) * 10, 40) + 14
    canvas.text(right + towers, 28, "clues", bold=True)
    canvas.text(right + towers + 52, 28, "pile", bold=True)
    *before, last = line.positions()
    for turn, (position, action) in enumerate(zip(before, line.actions, strict=True)):
        row, seat = divmod(first + turn, seats)
        y = 40 + row * ROW
        if seat == 0 or turn == 0:
            canvas.line(14, y - 3, right + towers + 84, y - 3, "grid", 1)
            canvas.text(LEFT - 10, y + 19, str(turn + 1), 12, "end", "faint")
        _cell(canvas, LEFT + seat * COLUMN, y, position, action)
        if seat == seats - 1 or turn == len(before) - 1:
            after = before[turn + 1] if turn + 1 < len(before) else last
            _state(canvas, right, towers, y + 19, after)
    rows = (first + len(before) + seats - 1) // seats
    _legend(canvas, 40 + rows * ROW + 6)
    words = f"{amount(len(before), 'turn')}, {last.score} of {start.rules.max_score} points"
    canvas.text(16, 40 + rows * ROW + 54, words, bold=True)
    return canvas.picture(title or f"a line of play: {words}")


def _cell(canvas: Canvas, x: float, y: float, position: Position, action: Action) -> None:
    if action.kind is Kind.CLUE:
        canvas.text(x + 2, y + 19, "clue", 13, style="faint")
        return
    drawn = position.pile[0] if position.pile_size and position.ordered else None
    if action.kind is Kind.DECK_PLAY:
        assert drawn is not None
        canvas.card(x, y, drawn, position.letters, SCALE, crossed=not position.is_playable(drawn))
        canvas.text(x + TILE[0] * SCALE + 8, y + 19, "from the pile", 11, style="faint")
        return
    card = position.hands[position.seat][action.slot]
    wrong = action.kind is Kind.PLAY and not position.is_playable(card)
    canvas.card(x, y, card, position.letters, SCALE, action.kind is Kind.DISCARD, wrong)
    if drawn is not None:
        canvas.text(x + TILE[0] * SCALE + 8, y + 19, "draws", 11, style="faint")
        canvas.card(x + TILE[0] * SCALE + 44, y + 4, drawn, position.letters, 0.55)


def _state(canvas: Canvas, x: float, towers: float, y: float, after: Position) -> None:
    for number, (suit, state) in enumerate(zip(after.rules.suits, after.stacks, strict=True)):
        height = suit.heights[state]
        canvas.text(x + number * 10, y, f"{height:x}", 14, bold=height == suit.full)
    price = after.rules.clue_price
    canvas.text(x + towers, y, f"{after.clues / price:g}", 14)
    canvas.text(x + towers + 52, y, str(after.pile_size), 14)


def _legend(canvas: Canvas, y: float) -> None:
    x = 16.0
    for words, faded, crossed in (
        ("play", False, False), ("discard", True, False), ("misplay", False, True)
    ):  # fmt: skip
        canvas.tile(x, y, "x1", "", 0.6, faded, crossed)
        canvas.text(x + 24, y + 16, words, 12, style="faint")
        x += 92
