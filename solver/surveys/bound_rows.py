"""A bot's results beside the optima, as text and as rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from solver.game.wording import share
from solver.questions.losses import ENDS, Losses
from solver.questions.review import Span
from solver.surveys.bound import Game, Sums
from solver.surveys.intervals import Interval

__all__ = [
    "COLUMNS", "game_line", "game_row", "games_csv", "header", "losses_row", "losses_text",
    "sums_row", "sums_text",
]  # fmt: skip

COLUMNS = ("deal", "players", "score", "ceiling", "bound", "loss", "winnable", "won", "lost")
"""``loss`` is the ceiling less the score; where the optimum is unproven, the bound may be it."""


def game_row(game: Game) -> dict[str, Any]:
    """Give the object for a game."""
    most = game.ceiling
    return dict(zip(COLUMNS, (
        game.name, most.players, game.score, most.low, most.high, most.low - game.score,
        most.winnable, game.won, game.lost,
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
    low, high, players = game.ceiling.low, game.ceiling.high, game.ceiling.players
    ceiling = str(low) if low == high else f"{low} to {high}"
    loss = str(low - game.score) if low == high else f"{low - game.score} to {high - game.score}"
    words = "lost by strikes" if game.lost else ""
    if game.ceiling.winnable is False:
        words = f"{words}, not winnable" if words else "not winnable"
    line = f"{game.name:<{width}}  {players:>7}  {game.score:>5}  {ceiling:>7}  {loss:>4}  {words}"
    return line.rstrip()


def sums_row(sums: Sums) -> dict[str, Any]:
    """Give the object for the sums."""
    part = sums.wins_share
    return {
        "games": sums.games, "mean": float(sums.scores.mean), "score_sum": sums.scores.sum,
        "ceiling": list(sums.ceiling), "ceiling_sums": [some.sum for some in sums.ceilings],
        "gap": list(sums.gap), "gap_interval": _list(sums.gap_interval),
        "wins": sums.wins, "winnable": sums.winnable, "not_winnable": sums.not_winnable,
        "wins_share": _list(part and part[0]), "wins_interval": _list(part and part[1]),
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
    known = sums.wins_share
    most = sums.games - sums.not_winnable
    if not most:
        yield f"wins         none of {sums.games:,} games could be won"
    elif known is None:
        yield f"wins         0 of {_both(0, most)} that can be won"
    else:
        (low, high), between = known
        part = share(low) if low == high else f"{share(low)} to {share(high)}"
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


def losses_row(losses: Losses, players: int) -> dict[str, Any]:
    """Give the object for hindsight losses.

    The points of all kinds, and ``open``, sum to ``sum``, which is the ceilings less the scores.
    """
    return {
        "kinds": {
            kind or "unknown": {
                "points": losses.kinds[kind], "turns": losses.cases[kind],
                "games": losses.found_in[kind],
                **{end: _of_end(losses, end, kind) for end in ENDS},
            }
            for kind, _ in losses.each_kind()
        },
        "open": list(losses.left), "open_games": losses.left_in, "sum": list(losses.whole),
        "ends": {end: losses.end_games[end] for end in ENDS},
        "seats": losses.by_seat(players), "turns": dict(losses.by_turn()),
    }  # fmt: skip


def _of_end(losses: Losses, end: str, kind: str) -> int:
    return losses.ends[end][kind] if end in losses.ends else 0


LOSSES = "{:<24} {:>7} {:>6} {:>6}  {:>10} {:>15} {:>11}"


def losses_text(losses: Losses, players: int) -> Iterator[str]:
    """Say what was lost, in tables: by kind and end of the game, by turn, by seat."""
    if losses.whole.high == 0:
        return
    yield ""
    yield LOSSES.format("hindsight loss", "points", "turns", "games", *ENDS.values())
    for kind, name in losses.each_kind():
        points = (_of_end(losses, end, kind) for end in ENDS)
        yield LOSSES.format(
            name, losses.kinds[kind], losses.cases[kind], losses.found_in[kind], *points
        )
    if losses.left_in:
        row = ("left open by a limit", _span(losses.left), "", losses.left_in, "", "", "")
        yield LOSSES.format(*row).rstrip()
    certain = (losses.ends[end].total() if end in losses.ends else 0 for end in ENDS)
    all_games = losses.end_games.total()
    yield LOSSES.format("ceiling less score", _span(losses.whole), "", all_games, *certain)
    yield LOSSES.format("games", "", "", "", *(losses.end_games[end] for end in ENDS))
    if not losses.certain:
        return
    yield ""
    yield f"{'by turn':<24} {'points':>7}"
    for turns, some in losses.by_turn():
        yield f"{turns:<24} {some:>7}"
    yield ""
    yield f"{'by seat':<24} {'points':>7}"
    for seat, some in enumerate(losses.by_seat(players)):
        yield f"{f'seat {seat}':<24} {some:>7}"
    if losses.at_seat[None]:
        yield f"{ENDS['ended']:<24} {losses.at_seat[None]:>7}"


def _span(span: Span) -> str:
    return _both(span.low, span.high)
