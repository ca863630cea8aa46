"""What a bot's results could have been: joined with the optima of the deals it played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from solver.decks.request import Asked, Suits
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.surveys.bulk import solve_bulk
from solver.surveys.intervals import Interval, Moments, wilson
from solver.surveys.plan import Part
from solver.surveys.report import rows_of
from solver.surveys.results import Played

__all__ = [
    "LOST", "Ceiling", "Game", "Source", "Sums", "ceilings_of_survey", "games", "score_of",
]  # fmt: skip

LOST = ("zero", "stacks", "minus-one")
"""What a lost game scores: 0, what lies on its stacks, or that less one."""

BATCH = 1000

Spec: TypeAlias = "tuple[str, int | None]"
"""What names a deal: a spec, and the players where it does not say them."""


class Ceiling(NamedTuple):
    """The optimum of a deal: between ``low`` and ``high``, of ``full`` marks.

    A game of it is lost at so many ``strikes``.
    """

    low: int
    high: int
    full: int
    players: int
    strikes: int

    @property
    def winnable(self) -> bool | None:
        """Whether full marks can be reached; None if that is open."""
        return self.low == self.full or (None if self.high == self.full else False)


class Game(NamedTuple):
    """A game and the optimum of its deal. ``score`` is what counts, after `Played.score`."""

    name: str
    score: int
    lost: bool | None
    ceiling: Ceiling

    @property
    def loss(self) -> Interval:
        """What it scored less than it could have: two whole numbers that differ if it is open."""
        return Interval(self.ceiling.low - self.score, self.ceiling.high - self.score)

    @property
    def won(self) -> bool:
        """Whether it has full marks."""
        return self.score == self.ceiling.full


@dataclass
class Sums:
    """What games come to."""

    games: int = 0
    wins: int = 0
    winnable: int = 0
    not_winnable: int = 0
    lost: int = 0
    unproven: int = 0
    most: int = 0
    """The most that a game can lose."""
    scores: Moments = field(default_factory=Moments)
    ceilings: tuple[Moments, Moments] = field(default_factory=lambda: (Moments(), Moments()))
    gaps: tuple[Moments, Moments] = field(default_factory=lambda: (Moments(), Moments()))

    def add(self, game: Game) -> None:
        """Take in a game."""
        ceiling = game.ceiling
        self.games += 1
        self.wins += game.won
        self.winnable += ceiling.winnable is True
        self.not_winnable += ceiling.winnable is False
        self.lost += game.lost is True
        self.unproven += ceiling.low < ceiling.high
        self.most = max(self.most, ceiling.full - min(game.score, 0))
        self.scores.add(game.score)
        for some, value in zip(self.ceilings, (ceiling.low, ceiling.high), strict=True):
            some.add(value)
        for some, value in zip(self.gaps, (ceiling.low, ceiling.high), strict=True):
            some.add(value - game.score)

    @property
    def ceiling(self) -> Interval:
        """The mean optimum: two numbers that differ if some are unproven."""
        return Interval(*(float(some.mean) for some in self.ceilings))

    @property
    def gap(self) -> Interval:
        """The mean loss, in the same way."""
        return Interval(*(float(some.mean) for some in self.gaps))

    @property
    def gap_interval(self) -> Interval | None:
        """The interval of the mean loss: of the differences, deal by deal; None for one game."""
        if self.games < 2:
            return None
        low, high = (some.within(self.most) for some in self.gaps)
        return Interval(low.low, high.high)

    @property
    def wins_share(self) -> tuple[Interval, Interval] | None:
        """The share won of what can be won, and Wilson's interval; None if nothing can be.

        Open deals count as not winnable for the upper number, as winnable for the lower one.
        """
        most = self.games - self.not_winnable
        if not self.winnable:
            return None
        share = Interval(self.wins / most, self.wins / self.winnable)
        return share, Interval(wilson(self.wins, most).low, wilson(self.wins, self.winnable).high)


@dataclass(frozen=True)
class Source:
    """Where the deals of seeds come from, and what may be spent on each.

    Parameters
    ----------
    word
        A source with its options, such as ``hle``; None if the results say more than a number.
    players
        For results that do not say it.
    variant
        Suits and house rules.
    """

    word: str | None
    players: int | None
    variant: Suits | Asked
    nodes: int

    def spec(self, played: Played) -> Spec:
        """Give the spec of the deal of a game, and the players that it does not say itself.

        Raises
        ------
        InputError
            If there is no source.
        """
        seats = played.players or self.players
        if re.fullmatch("[0-9]{1,15}([#][0-9]{1,15})?", played.seed):
            if self.word is None:
                raise InputError(f"{played.place}: seed {played.seed} of what? Say --source")
            return f"{self.word}:{played.seed}", seats
        return played.seed, seats


Workers = Callable[[], AbstractContextManager[Executor]]


def ceilings_of_survey(path: Path) -> dict[Spec, Ceiling]:
    """Give the optima of a survey by the deals' names and players.

    Raises
    ------
    InputError
        If it is no survey, or a shard is damaged.
    """
    return {
        (row.deal, row.players): Ceiling(
            row.score, row.bound, row.full, row.players, group["rules"]["max_strikes"]
        )
        for group, rows, _ in rows_of(path)
        for row in rows
    }


def games(
    results: Iterable[Played],
    source: Source,
    workers: Workers,
    recorded: str = "zero",
    counted: str | None = None,
    known: Mapping[Spec, Ceiling] | None = None,
) -> Iterator[Game]:
    """Join results with the optima of their deals, in order.

    Parameters
    ----------
    workers
        Makes an executor.
    recorded, counted
        What a lost game scores in the results, and what it is to score here; one of `LOST`. None
        leaves scores as they are.
    known
        Optima that are known already; others are solved.

    Raises
    ------
    InputError
        If a deal cannot be made, a score is more than the optimum, or contradicts ``recorded``.
    """
    optima = dict(known or {})
    pending = iter(results)
    with workers() as executor:
        while some := list(islice(pending, 20 * BATCH)):
            keys = [source.spec(played) for played in some]
            wanted = {key: played.deal for key, played in zip(keys, some, strict=True)
                      if played.deal is None and key not in optima}  # fmt: skip
            fresh = _solved(executor, list(wanted), source)
            optima.update(fresh)
            given = [played.deal for played in some if played.deal is not None]
            own = iter(_solved_deals(executor, given, source.nodes))
            for key, played in zip(keys, some, strict=True):
                ceiling = optima[key] if played.deal is None else next(own)
                yield _game(played, ceiling, recorded, counted)


def _game(played: Played, ceiling: Ceiling, recorded: str, counted: str | None) -> Game:
    score = score_of(played, recorded, counted, ceiling.strikes)
    if score > ceiling.high:
        raise InputError(
            f"{played.place}: the score {score} is above the optimum {ceiling.high} of this deal: "
            "it is another deal (source, seed, players) or another game"
        )
    lost = _is_lost(played, ceiling.strikes)
    # A game that was not lost is itself a line of its deal. Where it is not said, one with points
    # was not lost if lost games score 0, and in no case one with full marks.
    if lost is False or (lost is None and (recorded == "zero" or score == ceiling.full)):
        ceiling = ceiling._replace(low=max(ceiling.low, score))
    return Game(played.name, score, lost, ceiling)


def _is_lost(played: Played, limit: int) -> bool | None:
    if played.lost is not None or played.strikes is None:
        return played.lost
    return played.strikes >= limit


def score_of(played: Played, recorded: str, counted: str | None, limit: int) -> int:
    """Give what counts as the score of a game, which is lost at ``limit`` strikes.

    Raises
    ------
    InputError
        If the results do not say what is needed for that, or contradict themselves.
    """
    lost, score, where = _is_lost(played, limit), played.score, played.place
    if played.points is not None:  # its moves say everything
        if counted is None or not lost:
            return score
        return {"zero": 0, "stacks": played.points, "minus-one": played.points - 1}[counted]
    if score < 0 and (recorded != "minus-one" or score < -1):
        raise InputError(f"{where}: the score is {score}")
    if lost and recorded == "zero" and score:
        raise InputError(
            f"{where}: this game was lost and has the score {score}: say --lost stacks or minus-one"
        )
    if counted in (None, recorded):
        return score
    if recorded == "zero":
        if score == 0 and lost is not False:
            raise InputError(f"{where}: what lay on the stacks of this lost game is not known")
        return score
    if lost is None and not (recorded == "minus-one" and score < 0):
        raise InputError(f"{where}: it is not said whether this game was lost")
    if lost is False:
        return score
    stacks = score + 1 if recorded == "minus-one" else score
    return {"zero": 0, "stacks": stacks, "minus-one": stacks - 1}[str(counted)]


def _solved(executor: Executor, wanted: Sequence[Spec], source: Source) -> dict[Spec, Ceiling]:
    """Solve what specs name, neighbouring numbers together."""
    work: list[tuple[list[Spec], Part]] = []
    for some in _runs(wanted):
        (spec, players) = some[0]
        if len(some) > 1:
            spec += "-" + re.split("[:#]", some[-1][0])[-1]
        work.append((some, Part(spec, players, source.variant, len(some))))
    found: dict[Spec, Ceiling] = {}
    for keys, ceilings in _mapped(executor, work, source.nodes):
        found.update(zip(keys, ceilings, strict=True))
    return found


def _solved_deals(executor: Executor, given: Sequence[Deal], nodes: int) -> list[Ceiling]:
    work: list[tuple[list[Spec], Part]] = []
    for at in range(0, len(given), BATCH):
        some = tuple(given[at : at + BATCH])
        work.append(([], Part("", None, None, len(some), some)))
    return [ceiling for _, ceilings in _mapped(executor, work, nodes) for ceiling in ceilings]


def _mapped(
    executor: Executor, work: Sequence[tuple[list[Spec], Part]], nodes: int
) -> Iterator[tuple[list[Spec], list[Ceiling]]]:
    """Solve the parts, about `BATCH` deals at a time; in order."""
    bundles: list[list[Part]] = []
    size = BATCH
    for _, part in work:
        if size >= BATCH:
            bundles.append([])
            size = 0
        bundles[-1].append(part)
        size += part.size
    futures = [executor.submit(solve_parts, bundle, nodes) for bundle in bundles]
    answers = (ceilings for future in futures for ceilings in future.result())
    yield from zip((keys for keys, _ in work), answers, strict=True)


def solve_parts(parts: Sequence[Part], nodes: int) -> list[list[Ceiling]]:
    """Solve the deals of parts, wherever the executor runs this."""
    deals = [part.deals() for part in parts]
    by_rules: dict[object, list[tuple[int, int, Deal]]] = {}
    for at, some in enumerate(deals):
        for place, deal in enumerate(some):
            by_rules.setdefault(deal.rules, []).append((at, place, deal))
    found = [[Ceiling(0, 0, 0, 0, 0)] * len(some) for some in deals]
    for asked in by_rules.values():
        outcomes = solve_bulk([deal for _, _, deal in asked], nodes)
        for (at, place, deal), outcome in zip(asked, outcomes, strict=True):
            rules = deal.rules
            found[at][place] = Ceiling(
                outcome.score, outcome.bound, rules.max_score, rules.players, rules.max_strikes
            )
    return found


def _runs(wanted: Sequence[Spec]) -> Iterator[list[Spec]]:
    """Group specs of one source whose numbers follow on one another, at most `BATCH` together."""

    def order(key: Spec) -> tuple[str, int, int]:
        match = re.fullmatch(r"(.*[:#])([0-9]{1,15})", key[0], re.DOTALL)
        stem, number = (match[1], int(match[2])) if match else (key[0], -1)
        return stem, key[1] or 0, number

    run: list[Spec] = []
    for key in sorted(wanted, key=order):
        if run:
            stem, players, number = order(run[-1])
            following = number >= 0 and order(key) == (stem, players, number + 1)
            if not following or len(run) >= BATCH:
                yield run
                run = []
        run.append(key)
    if run:
        yield run
