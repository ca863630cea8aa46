"""A report's numbers as text, CSV, Markdown, and JSON."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from solver.game.wording import share
from solver.questions.ladder import RUNGS
from solver.surveys.intervals import Interval
from solver.surveys.report import MARKS, Stratum, Survey, rows_of
from solver.surveys.survey_rows import Row

__all__ = ["csv_text", "export", "markdown", "report_row", "text"]

EXPORT = (*Row._fields, "seconds")


def band(some: Interval, digits: int = 3) -> str:
    """Write a share, or the two between which it lies."""
    low, high = share(some.low, digits), share(some.high, digits)
    return low if some.low == some.high else f"{low} to {high}"


def span(some: Interval, digits: int = 3) -> str:
    """Write a confidence interval of a share."""
    return f"{100 * some.low:.{digits}f} to {100 * some.high:.{digits}f}%"


def report_row(stratum: Stratum) -> dict[str, Any]:
    """Give the object of a stratum for JSON and CSV: flat, lists as texts ``value:count``."""
    known = stratum.second_marks()
    seconds: Sequence[float | None] = [None] * len(MARKS) if known is None else known
    row: dict[str, Any] = {
        "source": stratum.source, "players": stratum.players, "variant": stratum.label,
        "full": stratum.full, "asked": stratum.asked, "deals": stratum.deals,
        "winnable": stratum.won, "not_winnable": stratum.lost, "open": stratum.open,
        "unproven": stratum.deals - stratum.proven,
    }  # fmt: skip
    for name in ("share", "wilson", "clopper_pearson", "mean", "mean_interval"):
        some: Interval = getattr(stratum, name)
        row |= {f"{name}_low": some.low, f"{name}_high": some.high}
    row["optima"] = _counts(stratum.optima)
    row["rungs"] = _counts(stratum.rungs)
    row["engines"] = _counts(stratum.engines)
    for mark, nodes, took in zip(MARKS, stratum.node_marks(), seconds, strict=True):
        row |= {f"nodes_{mark}": nodes, f"seconds_{mark}": took}
    return row


def _counts(counter: Counter[Any]) -> str:
    return " ".join(f"{value}:{counter[value]}" for value in sorted(counter, reverse=True))


def csv_text(strata: Sequence[Stratum]) -> str:
    """Write a row for each stratum."""
    rows = [report_row(stratum) for stratum in strata]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def markdown(strata: Sequence[Stratum], found: Sequence[Survey]) -> str:
    """Write a table of the strata, and one of the surveys: command, version, checksums."""
    lines = [
        "| deals | variant | players | number | winnable | 95% (Wilson) | 95% (exact) "
        "| mean optimum | 95% | unproven |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for some in strata:
        cells = (
            some.source, some.label, some.players, f"{some.deals:,}", band(some.share),
            span(some.wilson), span(some.clopper_pearson), _mean(some.mean),
            _mean(some.mean_interval), f"{some.deals - some.proven:,}",
        )  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    lines += ["", "| command | shards | SHA-256 of the checksums of all shards |", "|---|---|---|"]
    for survey in found:
        lines.append(f"| `{survey.command}` | {survey.shards:,} | `{survey.checksum}` |")
    return "\n".join(lines) + "\n"


def _mean(some: Interval) -> str:
    low, high = f"{some.low:.4f}", f"{some.high:.4f}"
    return low if some.low == some.high else f"{low} to {high}"


def text(strata: Sequence[Stratum]) -> str:
    """Write all numbers for people."""
    return "\n".join(line for stratum in strata for line in _lines(stratum))


def _lines(some: Stratum) -> Iterator[str]:
    asked = "" if some.asked == some.deals else f" of {some.asked:,} asked for"
    yield f"{some.source}, {some.players} players, {some.label}: {some.deals:,} deals{asked}"
    counts = f"{some.won:,} can be won, {some.lost:,} cannot"
    yield f"  winnable      {band(some.share)}: {counts}, {some.open:,} are open"
    yield f"  95% interval  {span(some.wilson)} (Wilson), {span(some.clopper_pearson)} (exact)"
    yield (f"  mean optimum  {_mean(some.mean)} of {some.full}, 95% interval "
           f"{_mean(some.mean_interval)}")  # fmt: skip
    optima = ", ".join(f"{value}: {some.optima[value]:,}" for value in sorted(some.optima)[::-1])
    unproven = some.deals - some.proven
    open_ = f"; {unproven:,} unproven" if unproven else ""
    yield f"  optimum       {optima}{open_}"
    if some.rungs:
        names = sorted(some.rungs, key=_rung_place)
        yield "  lost by       " + ", ".join(f"{n or 'unknown'} {some.rungs[n]:,}" for n in names)
    nodes = ", ".join(f"{nodes:,} ({mark}%)" for mark, nodes in zip(MARKS, some.node_marks(),
                                                                   strict=True))  # fmt: skip
    yield f"  nodes         {nodes}"
    marks = some.second_marks()
    if marks is not None:
        times = ", ".join(f"{_time(s)} ({mark}%)" for mark, s in zip(MARKS, marks, strict=True))
        mean = _time(sum(some.seconds) / len(some.seconds))
        yield f"  time          {times}; mean {mean}"
    yield "  engine        " + ", ".join(f"{n} {some.engines[n]:,}" for n in sorted(some.engines))
    yield "  hardest       " + ", ".join(f"{deal} ({nodes:,})" for nodes, deal in some.hardest)


def _rung_place(name: str) -> tuple[int, str]:
    plain = name.rstrip("?")
    return (RUNGS.index(plain) if plain in RUNGS else len(RUNGS), name)


def _time(seconds: float) -> str:
    for unit, size in (("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def export(paths: Sequence[Path], form: str) -> bytes:
    """Write all rows of surveys as one file, with the seconds each took where that is known.

    Parameters
    ----------
    form
        ``csv``, ``jsonl`` or ``parquet``.
    """
    import json

    from solver.reading.parquet import parquet_bytes

    rows = [
        {**row._asdict(), "seconds": seconds[place] if seconds else None}
        for path in paths
        for _, some, seconds in rows_of(path)
        for place, row in enumerate(some)
    ]
    if form == "parquet":
        kinds: dict[str, type] = dict.fromkeys(EXPORT, int)
        kinds |= {"deal": str, "rung": str, "engine": str, "winnable": bool, "seconds": float}
        return parquet_bytes(rows, kinds)
    if form == "jsonl":
        dump = json.JSONEncoder(separators=(",", ":")).encode
        return "".join([dump(row) + "\n" for row in rows]).encode()
    text = io.StringIO()
    writer = csv.DictWriter(text, EXPORT, lineterminator="\n")
    writer.writeheader()
    words = {True: "true", False: "false", None: ""}
    for row in rows:
        took = "" if row["seconds"] is None else f"{row['seconds']:.6f}"
        writer.writerow({**row, "winnable": words[row["winnable"]], "seconds": took})
    return text.getvalue().encode()
