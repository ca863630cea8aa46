"""The page that steps through reviewed games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from solver.game.errors import InputError
from solver.game.position import Kind
from solver.game.wording import points
from solver.pages.page import board, page_html
from solver.pictures.svg_chart import HEIGHT, LEFT, STEP, TOP, chart_svg
from solver.questions.losskind import KINDS
from solver.questions.review import Chance, Review, Turn
from solver.tables.review_rows import HINDSIGHT, first_words, turn_link

__all__ = ["review_page"]


def review_page(reviews: Sequence[Review]) -> str:
    """Give the page for one game or several."""
    charts = "\n".join(f'<div class="chart">{chart_svg(review)}</div>' for review in reviews)
    data = {
        "games": [_game(review) for review in reviews],
        "note": HINDSIGHT,
        "chartLeft": LEFT,
        "chartStep": STEP,
        "top": TOP - 6,
        "bottom": TOP + HEIGHT,
    }
    title = f"{reviews[0].name or 'game'}: review" if len(reviews) == 1 else "reviews"
    return page_html(title, "review.html", ["board.js", "review.js"], data, {"charts": charts})


def _game(review: Review) -> dict[str, Any]:
    return {
        "name": review.name or "game",
        "players": list(review.players),
        "score": review.score,
        "optimum": str(review.optimum),
        "full": review.full,
        "lost": str(review.optimum.less(review.last)),
        "turns": [_turn(review, turn) for turn in review.turns],
        "boards": [board(position) for position in review.positions],
    }


def _turn(review: Review, turn: Turn) -> dict[str, Any]:
    row: dict[str, Any] = {
        "turn": turn.number,
        "seat": turn.seat,
        "action": turn.action,
        "before": str(turn.before),
        "after": str(turn.after),
        "loss": str(turn.loss),
        "kind": KINDS.get(turn.kind, ""),
        "pace": turn.pace,
        "spare": turn.spare_clues,
        "win": _pair(turn.win, str),
        "mean": _pair(turn.mean, points),
        "slot": _slot(review, turn),
    }
    if turn.best is not None:
        row["best"] = first_words(turn.best)
        try:
            row["link"] = turn_link(review, turn)
        except InputError:
            row["link"] = None
    return row


def _pair(chance: Chance | None, write: Callable[[Fraction], str]) -> list[str] | None:
    return None if chance is None else [write(chance.best), write(chance.taken)]


def _slot(review: Review, turn: Turn) -> int | None:
    """Give the place in the hand of the card that a turn acted on."""
    if turn.number > len(review.line.actions):
        return None
    action = review.line.actions[turn.number - 1]
    return action.slot if action.kind in (Kind.PLAY, Kind.DISCARD) else None
