"""Answers as rows: the objects that ``--json`` prints, and the links of both kinds of output."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from solver.formats.hanablive import Game, deal_of_seed, game_of
from solver.formats.link import encode
from solver.formats.moves import Orders, actions_of
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Result

if TYPE_CHECKING:
    from solver.players.openhands import Played

__all__ = [
    "deck_row", "game_link", "is_settled", "made_game", "play_row", "replay_row", "solve_row",
]  # fmt: skip


class HasLine(Protocol):
    """An answer with a line of play."""

    @property
    def line(self) -> Line:
        """The line, from the start of the deal or position."""


def made_game(deal: Deal, result: HasLine) -> Game:
    """Make a game of the line that an engine or the player found for a deal.

    Raises
    ------
    InputError
        If the site has no clues or no options for it.
    """
    return game_of(result.line, deal, seed=deal.name if _is_seed_of(deal) else "")


def _is_seed_of(deal: Deal) -> bool:
    if not deal.variant or not deal.name.startswith(f"p{deal.rules.players}v"):
        return False
    try:
        return deal_of_seed(deal.name).deck == deal.deck
    except InputError:
        return False


def game_link(game: Game, turn: int | None = None) -> str:
    """Give the link that replays a game on hanab.live, from a turn on or from its start.

    Raises
    ------
    InputError
        If a link has no room for it; it carries no options, so a game with any has none.
    """
    ignored = {"timed", "timeBase", "timePerTurn", "speedrun", "cardCycle", "emptyClues"}
    kept = sorted(set(game.options) - ignored)
    if kept:
        raise InputError(f"a share link does not carry the option {kept[0]}")
    return encode(game, turn)


def is_settled(result: Result, target: int | None) -> bool:
    """Whether the question was answered: the optimum, or whether ``target`` can be reached."""
    if target is None:
        return result.proven
    return result.score >= target or result.bound < target


def position_actions(line: Line) -> list[dict[str, int]]:
    """Write a line from a position in hanab.live's form.

    Where a card was dealt is not known there, so cards are numbered from 0 through the hands, seat
    by seat, the oldest first, and on through the draw pile.
    """
    hands = line.start.hands
    ends = list(accumulate(map(len, hands)))
    numbers = tuple(tuple(range(e - len(h), e)) for h, e in zip(hands, ends, strict=True))
    return actions_of(line, Orders(numbers, ends[-1]))


def solve_row(asked: Deal | Position, result: Result, target: int | None = None) -> dict[str, Any]:
    """Give the object for an answer; ``target`` is the score that was asked for, if one was.

    ``line`` and ``link`` are null where they cannot be written; ``reason`` then says why.
    """
    actions, link, reason = _written(asked, result)
    row = {
        **_named(asked),
        "score": result.score,
        "bound": result.bound,
        "proven": result.proven,
        "winnable": result.winnable,
        "line": actions,
        "link": link,
        "engine": result.engine,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
    }
    if target is not None:
        row["target"] = target
        row["reached"] = (result.score >= target) if is_settled(result, target) else None
    if result.stopped in ("nodes", "seconds"):
        row["stopped"] = result.stopped
    if reason:
        row["reason"] = reason
    return row


def _named(asked: Deal | Position) -> dict[str, Any]:
    return {
        "name": asked.text() if isinstance(asked, Position) else asked.name,
        "players": asked.rules.players,
        "variant": asked.variant,
    }


def _written(
    asked: Deal | Position, found: HasLine
) -> tuple[list[dict[str, int]] | None, str | None, str]:
    """Give a line's actions, its link, and why one of them is missing."""
    actions = None
    try:
        if isinstance(asked, Position):
            return position_actions(found.line), None, "a position has no link"
        actions = actions_of(found.line)
        return actions, game_link(made_game(asked, found)), ""
    except InputError as error:
        return actions, None, str(error)


def play_row(asked: Deal | Position, played: Played, optimum: Result | None) -> dict[str, Any]:
    """Give the object for a game of the open-hands player.

    ``optimum`` is what `solve` found with the draw order known, if it was asked: ``bound`` is the
    most that can be reached, ``winnable`` null if that is not known.
    """
    actions, link, reason = _written(asked, played)
    row = {**_named(asked), "score": played.score, "won": played.won}
    if optimum is not None:
        row |= {"bound": optimum.bound, "winnable": optimum.winnable}
    row |= {"line": actions, "link": link, "seconds": round(played.seconds, 6)}
    if reason:
        row["reason"] = reason
    return row


def deck_row(deal: Deal) -> dict[str, Any]:
    """Give the object for a deal; it names the environment that deals it, if one is known."""
    row: dict[str, Any] = {
        "name": deal.name,
        "players": deal.rules.players,
        "variant": deal.variant,
        "deck": deal.text(),
    }
    if deal.origin is not None:
        row["origin"] = deal.origin.to_json()
    return row


def replay_row(game: Game, name: str) -> dict[str, Any]:
    """Replay a game and give the object for what became of it, with the name that it goes by.

    ``score`` is null while the game is unfinished; ``clues`` has halves in Clue Starved.

    Of a log, the row names the program, the score recorded there, which is checked, and what lost
    games score.

    Raises
    ------
    IllegalActionError
        Naming the turn, the action, and why it is illegal.
    InputError
        If the recorded score is another one.
    """
    outcome = game.replay()
    clues: Fraction = outcome.clues
    row = {
        "name": name,
        "score": outcome.score,
        "turns": outcome.turns,
        "strikes": outcome.strikes,
        "clues": int(clues) if clues.denominator == 1 else float(clues),
        "end": outcome.end,
        "points": outcome.points,
        "ending": outcome.phrase,
    }
    if game.record is not None:
        row["source"] = game.record.source
        row["recorded"] = game.record.score
        row["convention"] = game.record.convention
        if game.missing:
            row["missing"] = game.missing
    return row
