"""Recorded games beside what was possible: each with its optimum and its hindsight losses."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeAlias

from solver.game.errors import InputError
from solver.game.result import Limits
from solver.questions.review import Review, review
from solver.reading.specs import Fault
from solver.surveys.bound import Ceiling, Game, score_of
from solver.surveys.results import played_of
from solver.surveys.reviewed import Named

__all__ = ["Joined", "Logged", "Unfinished", "join"]


class Joined(NamedTuple):
    """A finished game, and its review."""

    game: Game
    review: Review


class Unfinished(NamedTuple):
    """A game without a score."""

    name: str


Logged: TypeAlias = Joined | Unfinished | Fault


def join(item: Named, limits: Limits, counted: str | None = None) -> Logged:
    """Review a game, its losses and their kinds alone.

    Parameters
    ----------
    limits
        Nodes are for each position that is solved.
    counted
        What a game lost by strikes is to count, one of `solver.surveys.bound.LOST`; None leaves it
        what its source gives for it.
    """
    if isinstance(item, Fault):
        return item
    game, place = item
    try:
        played = played_of(game, place)
        if played is None:
            return Unfinished(game.deal.name or game.seed or place)
        score = score_of(played, "zero", counted, game.deal.rules.max_strikes)
        if counted is not None:
            # The optima are to follow the same convention as the score.
            rules = replace(game.deal.rules, lost_scores_stacks=counted != "zero")
            game = replace(game, deal=replace(game.deal, rules=rules))
        found = review(game, limits, place, score=score, brief=True)
    except InputError as error:
        return Fault(f"{place}: {error}")
    rules, optimum = game.deal.rules, found.optimum
    ceiling = Ceiling(optimum.low, optimum.high, found.full, rules.players, rules.max_strikes)
    return Joined(Game(found.name, score, played.lost, ceiling), found)
