"""The optimum over a game as a picture, with what each turn lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from solver.pictures.svg import Canvas
from solver.questions.review import Review, Span

__all__ = ["HEIGHT", "LEFT", "STEP", "TOP", "chart_svg"]

LEFT, TOP, HEIGHT = 46, 40, 190
STEP = 10
"""Width of a turn; turn t ends at ``LEFT + t * STEP``."""

Height: TypeAlias = "Callable[[float], float]"


def chart_svg(review: Review, title: str = "") -> str:
    """Draw the optimum after each turn as steps, the cards played so far, and every loss.

    Where a limit left the optimum open, a band encloses it.
    """
    canvas = Canvas()
    full = review.full
    scale = HEIGHT / full
    spans = [review.optimum, *(turn.after for turn in review.turns)]
    right = LEFT + max(len(review.turns), 12) * STEP

    def y(points: float) -> float:
        return TOP + HEIGHT - points * scale

    tick = 5 if full <= 30 else 10
    for points in sorted({*range(0, full, tick), full}):
        if full - points >= tick or points == full:
            canvas.line(LEFT, y(points), right, y(points), "grid", 1)
            canvas.text(LEFT - 8, y(points) + 4, str(points), 11, "end", "faint")
    for turn in range(0, len(review.turns) + 1, 10):
        x = LEFT + turn * STEP
        canvas.line(x, y(0), x, y(0) + 5, "grid", 1)
        canvas.text(x, y(0) + 18, str(turn), 11, "middle", "faint")
    canvas.text(LEFT, 24, _words(review), 14, bold=True)
    canvas.text(LEFT, y(0) + 36, "turn", 12, style="faint")
    _key(canvas, LEFT + 60, y(0) + 36)
    if not review.proven:
        canvas.raw(_band(spans, y))
    points = [(LEFT + t * STEP, y(p.points)) for t, p in enumerate(review.positions)]
    canvas.raw(
        f'<path d="{_steps(points)}" fill="none" class="hs-aside" stroke-width="1.5" '
        'stroke-dasharray="4 3"/>'
    )
    best = [(LEFT + t * STEP, y(span.high)) for t, span in enumerate(spans)]
    canvas.raw(f'<path d="{_steps(best)}" fill="none" class="hs-main" stroke-width="2.5"/>', right)
    _losses(canvas, review, right, y)
    return canvas.picture(title or f"the optimum over a game: {_words(review)}")


def _losses(canvas: Canvas, review: Review, right: float, y: Height) -> None:
    """Mark every loss, and name it below the steps where there is room for that."""
    lowest = 0.0
    for turn in review.turns:
        if turn.loss.low == 0:
            continue
        x, top, bottom = LEFT + turn.number * STEP, y(turn.before.high), y(turn.after.high)
        canvas.line(x, top, x, bottom, "loss", 3)
        words = f"{turn.number}: \u2212{turn.loss} {turn.action}"
        leftwards = x > (LEFT + right) / 2
        reach = -(-len(words) * 7 // STEP)
        near = [
            other.after.high
            for other in review.turns
            if 0
            <= (turn.number - other.number if leftwards else other.number - turn.number)
            <= reach
        ]
        height = max(y(min(near)) + 14, lowest + 13)
        if height > y(0) - 4:
            height = max((top + bottom) / 2, lowest + 13)
        if height > y(0) - 4:
            continue
        side = ("end", x - 6) if leftwards else ("start", x + 6)
        canvas.text(side[1], height, words, 11, side[0], "bad")
        lowest = height


def _words(review: Review) -> str:
    score = "unfinished" if review.score is None else f"score {review.score}"
    name = f"{review.name}: " if review.name else ""
    return f"{name}optimum {review.optimum} of {review.full}, {score}"


def _key(canvas: Canvas, x: float, y: float) -> None:
    canvas.line(x, y - 4, x + 22, y - 4, "main", 2.5)
    canvas.text(x + 28, y, "optimum", 12, style="faint")
    canvas.raw(f'<line x1="{x + 100}" y1="{y - 4}" x2="{x + 122}" y2="{y - 4}" class="hs-aside" '
               'stroke-width="1.5" stroke-dasharray="4 3"/>')  # fmt: skip
    canvas.text(x + 128, y, "played", 12, style="faint")
    canvas.line(x + 190, y - 11, x + 190, y + 2, "loss", 3)
    canvas.text(x + 198, y, "hindsight loss", 12, style="faint")


def _steps(points: Sequence[tuple[float, float]]) -> str:
    """Give a path that stays level during a turn and falls or rises at its end."""
    (x, y), *rest = points
    parts = [f"M{x:g} {y:.1f}"]
    for x, y in rest:
        parts.append(f"H{x:g}V{y:.1f}")
    return "".join(parts)


def _band(spans: list[Span], y: Height) -> str:
    above = [(LEFT + t * STEP, y(span.high)) for t, span in enumerate(spans)]
    below = [(LEFT + t * STEP, y(span.low)) for t, span in enumerate(spans)]
    corners = [*_corners(above), *reversed(_corners(below))]
    path = " ".join(f"{x:g},{height:.1f}" for x, height in corners)
    return f'<polygon points="{path}" class="hs-band" opacity="0.45"/>'


def _corners(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    made = list(points[:1])
    for x, y in points[1:]:
        made += [(x, made[-1][1]), (x, y)]
    return made
