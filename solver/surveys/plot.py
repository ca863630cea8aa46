"""The picture of a report by matplotlib, for which the extra ``plot`` is needed."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from solver.formats.output import form_of
from solver.game.errors import MissingExtraError
from solver.surveys.report import Stratum
from solver.surveys.svg_report import lost_bars, lost_interval

__all__ = ["plot_bytes"]


def plot_bytes(strata: Sequence[Stratum], path: str) -> bytes:
    """Draw what `solver.surveys.svg_report.report_svg` draws, as the whole of a file.

    Parameters
    ----------
    path
        The file's name, which ends in ``.png``, ``.pdf``, ``.svg`` or what else matplotlib knows.

    Raises
    ------
    InputError
        If matplotlib is not installed, or does not know the form.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("--plot", "plot") from None
    figure: Any = Figure(figsize=(8, 1.2 + 0.45 * len(strata)), layout="constrained")
    forms = FigureCanvasAgg(figure).get_supported_filetypes()
    form = form_of(path, {f".{name}": name for name in forms})
    axes = figure.subplots()
    places = range(len(strata))
    named: set[str] = set()
    for place, stratum in zip(places, strata, strict=True):
        left = 0.0
        for name, fill, count in lost_bars(stratum):
            width = 100 * count / stratum.deals
            label = None if name in named else name
            axes.barh(place, width, left=left, color=fill, height=0.6, label=label)
            named.add(name)
            left += width
        low, high = (100 * end for end in lost_interval(stratum))
        axes.errorbar((low + high) / 2, place, xerr=(high - low) / 2, color="black", capsize=3)
    axes.set_yticks(list(places), [f"{s.source}, {s.players} players, {s.label}" for s in strata])
    axes.invert_yaxis()
    axes.set_xlabel("deals that cannot be won, % (line: 95% interval)")
    if named:
        axes.legend(title="lost by")
    sink = io.BytesIO()
    figure.savefig(sink, format=form)
    return sink.getvalue()
