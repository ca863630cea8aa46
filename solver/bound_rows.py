"""A bot's results beside the optima, as text and as rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from solver.bound import Game, Sums
from solver.intervals import Interval
from solver.report_rows import percent

__all__ = ["COLUMNS", "game_line", "game_row", "games_csv", "header", "sums_row", "sums_text"]

COLUMNS = ("deal", "players", "score", "ceiling", "bound", "loss", "winnable", "won", "lost")
"""``loss`` is the ceiling less the score; where the optimum is unproven, the bound may be it."""


def game_row(game: Game) -> dict[str, Any]:
    """Give the object for a game."""
    low, high, full, players = game.ceiling
    del full
    return dict(zip(COLUMNS, (
        game.name, players, game.score, low, high, low - game.score,
        game.ceiling.winnable, game.won, game.lost,
    ), strict=True))  # fmt: skip


def games_csv(games: Sequence[Game]) -> str:
    """Write a row for every game."""
    words = {True: "true", False: "false", None: ""}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        *cells, winnable, won, lost = game_row(game).values()
        writer.writerow((*cells, words[winnable], words[won], words[lost]))
    return text.getvalue()


def header(width: int) -> str:
    """Give the head of the table of games."""
    return f"{'deal':<{width}}  players  score  ceiling  loss"


def game_line(game: Game, width: int) -> str:
    """Give a game's line in that table."""
    low, high, full, players = game.ceiling
    ceiling = str(low) if low == high else f"{low} to {high}"
    loss = str(low - game.score) if low == high else f"{low - game.score} to {high - game.score}"
    words = "lost by strikes" if game.lost else ""
    if game.ceiling.winnable is False:
        words = f"{words}, not winnable" if words else "not winnable"
    del full
    line = f"{game.name:<{width}}  {players:>7}  {game.score:>5}  {ceiling:>7}  {loss:>4}  {words}"
    return line.rstrip()


def sums_row(sums: Sums) -> dict[str, Any]:
    """Give the object for the sums."""
    share = sums.wins_share
    return {
        "games": sums.games, "mean": float(sums.scores.mean), "score_sum": sums.scores.sum,
        "ceiling": list(sums.ceiling), "ceiling_sums": [some.sum for some in sums.ceilings],
        "gap": list(sums.gap), "gap_interval": _list(sums.gap_interval),
        "wins": sums.wins, "winnable": sums.winnable, "not_winnable": sums.not_winnable,
        "wins_share": _list(share and share[0]), "wins_interval": _list(share and share[1]),
        "lost": sums.lost, "unproven": sums.unproven,
    }  # fmt: skip


def _list(some: Interval | None) -> list[float] | None:
    return None if some is None else list(some)


def sums_text(sums: Sums, convention: str) -> Iterator[str]:
    """Say what games come to, line by line.

    Parameters
    ----------
    convention
        How lost games count, in words.
    """
    yield f"games        {sums.games:,}; {convention}"
    yield f"mean score   {float(sums.scores.mean):.4f}  (sum {sums.scores.sum:,})"
    sums_of = _both(*(some.sum for some in sums.ceilings))
    yield f"ceiling      {_band(sums.ceiling)}  (sum {sums_of})"
    interval = sums.gap_interval
    words = f", 95% interval {interval.low:.4f} to {interval.high:.4f} (paired)" if interval else ""
    yield f"gap          {_band(sums.gap)}{words}"
    share = sums.wins_share
    if share is None:
        yield f"wins         none of {sums.games:,} games could be won"
    else:
        (low, high), between = share
        most = sums.games - sums.not_winnable
        part = percent(low, 2) if low == high else f"{percent(low, 2)} to {percent(high, 2)}"
        of = _both(sums.winnable, most)
        yield (f"wins         {sums.wins:,} of {of} that can be won: {part}, "
               f"95% interval {100 * between.low:.2f} to {100 * between.high:.2f}%")  # fmt: skip
    yield f"not winnable {sums.not_winnable:,}"
    if sums.unproven:
        yield f"unproven     {sums.unproven:,}: a limit left two numbers for what depends on them"


def _both(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _band(some: Interval) -> str:
    return f"{some.low:.4f}" if some.low == some.high else f"{some.low:.4f} to {some.high:.4f}"
