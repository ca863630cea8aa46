"""A report as a picture: how many deals cannot be won, and why."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from solver.pictures.svg import Canvas
from solver.questions.ladder import RUNGS
from solver.surveys.intervals import Interval
from solver.surveys.report import Stratum

__all__ = ["FILLS", "lost_bars", "report_svg"]

LEFT, TOP, WIDTH, STEP, BAR = 220, 66, 420, 34, 18

FILLS = dict(zip(RUNGS, ("#2a62b8", "#0b7a7a", "#b8560f", "#7a3fae", "#c0272d", "#5f7312",
                         "#a3246f"), strict=True))  # fmt: skip
"""What each rung of the ladder is painted with; the words of the key and the title name them."""

OTHER = ("unknown", "#8f969e")


def lost_bars(stratum: Stratum) -> list[tuple[str, str, int]]:
    """Give the parts of a stratum's bar: a rung, its paint, and the deals lost by it."""
    counts = {rung: stratum.rungs[rung] + stratum.rungs[f"{rung}?"] for rung in FILLS}
    parts = [(rung, fill, counts[rung]) for rung, fill in FILLS.items()]
    rest = stratum.lost - sum(count for _, _, count in parts)
    return [part for part in (*parts, (*OTHER, rest)) if part[2]]


def lost_interval(stratum: Stratum) -> Interval:
    """Give the interval of the share that cannot be won."""
    inner = stratum.wilson
    return Interval(1 - inner.high, 1 - inner.low)


def report_svg(strata: Sequence[Stratum]) -> str:
    """Draw a bar for each stratum: the share not winnable by reason, its interval, what is open."""
    canvas = Canvas()
    most = max(lost_interval(stratum).high for stratum in strata)
    scale = WIDTH / most
    canvas.text(20, 26, "Deals that cannot be won, by the first reason", 15, bold=True)
    x = 20.0
    for name, fill in (*FILLS.items(), OTHER):
        if any(name == part[0] for stratum in strata for part in lost_bars(stratum)):
            canvas.rect(x, 38, 11, 11, "hs-edge", f' fill="{fill}"')
            canvas.text(x + 16, 48, name, 12)
            x += 36 + 7 * len(name)
    bottom = TOP + STEP * len(strata)
    for tick in _ticks(most):
        at = LEFT + tick * scale
        canvas.line(at, TOP - 6, at, bottom, "grid", 1)
        canvas.text(at, bottom + 16, f"{100 * tick:g}%", 11, "middle", "faint")
    for place, stratum in enumerate(strata):
        y = TOP + STEP * place
        words = f"{stratum.source}, {stratum.players} players"
        canvas.text(LEFT - 10, y + 8, words, 12, "end")
        canvas.text(LEFT - 10, y + 22, stratum.label, 11, "end", "faint")
        at = float(LEFT)
        for name, fill, count in lost_bars(stratum):
            width = count / stratum.deals * scale
            title = f"<title>{name}: {count:,} of {stratum.deals:,}</title>"
            canvas.raw(f'<rect x="{at:.2f}" y="{y}" width="{width:.2f}" height="{BAR}" '
                       f'fill="{fill}">{title}</rect>')  # fmt: skip
            at += width
        if stratum.open:
            width = stratum.open / stratum.deals * scale
            canvas.raw(f'<rect x="{at:.2f}" y="{y}" width="{width:.2f}" height="{BAR}" '
                       f'class="hs-slot hs-edge" stroke-dasharray="3 2"><title>open: '
                       f"{stratum.open:,}</title></rect>")  # fmt: skip
        low, high = lost_interval(stratum)
        middle = y + BAR / 2
        canvas.line(LEFT + low * scale, middle, LEFT + high * scale, middle, "edge", 2)
        for end in (low, high):
            canvas.line(LEFT + end * scale, middle - 5, LEFT + end * scale, middle + 5, "edge", 2)
        share = 100 * stratum.lost / stratum.deals
        canvas.text(LEFT + high * scale + 8, middle + 4, f"{share:.3g}%", 12)
    canvas.text(20, bottom + 36, "The line over a bar is the 95% interval (Wilson).", 11,
                style="faint")  # fmt: skip
    return canvas.picture("the share of deals that cannot be won")


def _ticks(most: float) -> list[float]:
    """Give four to nine round numbers from 0 on, up to the most."""
    power = 10.0 ** floor(log10(most))
    step = next(size * power for size in (1, 0.5, 0.2, 0.1) if most / (size * power) >= 3)
    return [step * place for place in range(int(most / step) + 1)]
