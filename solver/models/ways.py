"""Suits that can be built in several ways, as one question for each way.

A *way* fixes for each stack which ranks go on it, one step after the other, so that the suit is
built upwards. Every line of the game is, action by action, a line of some way, in which it scores
the same; so the best of all ways is a bound, and the optimum where its line can be followed. It
need not be: a card that would begin the stack in another way is a misplay in this one. DESIGN.md
("Several ways") has the proofs; `solver.models.strict` settles what this leaves open.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from solver.game.card import USELESS, Card
from solver.game.clues import free
from solver.game.errors import IllegalActionError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Action, Position
from solver.game.result import Limits
from solver.game.rules import Rules
from solver.game.suit import MAX_COPIES, Suit, Way
from solver.models.strict import Answer

__all__ = ["best_way", "narrowed", "only_way", "require_few"]

MOST_WAYS = 1000
FIRST_NODES = 2000
FACTOR = 8
"""Search nodes for each way at first, and how many times more in each round."""

Ways = tuple[Way, ...]


def require_few(position: Position) -> None:
    """Raise UnsupportedRulesError if the stacks can be built in too many ways, or in odd ones."""
    if len(list(islice(position.all_ways(), MOST_WAYS + 1))) > MOST_WAYS:
        raise UnsupportedRulesError(f"suits that can be built in more than {MOST_WAYS} ways")
    for suit, ways in zip(position.rules.suits, position.ways, strict=True):
        for way in ways:
            ranks = [rank for step in way for rank in step]
            if len(set(ranks)) < len(ranks):
                raise UnsupportedRulesError(f"suit {suit.letter} can take a rank at two heights")
            if any(_copies(suit, step) > MAX_COPIES for step in way):
                raise UnsupportedRulesError(
                    f"suit {suit.letter} has more than {MAX_COPIES} cards for one step"
                )
        if suit.cards > MAX_COPIES * suit.full:
            raise UnsupportedRulesError(f"suit {suit.letter} has too many cards for its height")


def _copies(suit: Suit, step: frozenset[int]) -> int:
    return sum(suit.copies[rank - 1] for rank in step)


def only_way(position: Position) -> Ways | None:
    """Give the way in which the stacks can be built, None if there are several.

    With one way left the narrowed game is the game: every card that fits is of that way.
    """
    found = list(islice(position.all_ways(), 2))
    return found[0] if len(found) == 1 else None


def narrowed(position: Position, ways: Ways) -> Position:
    """Give the position of the game in which the stacks can be built in these ways only.

    All its suits are built upwards, and all clues are free, for its cards are steps, which do not
    tell what a clue touches; hands, tokens and turns are the same, card by card. No card may be
    unknown.
    """
    position = free(position)
    rules = _narrowed_rules(position.rules, ways, position.heights)
    steps = _steps(ways, position.heights)
    pile = [steps.get(card, USELESS) for card in position.pile]
    return Position(
        rules=rules,
        stacks=position.heights,
        hands=tuple(tuple(steps.get(card, USELESS) for card in hand) for hand in position.hands),
        pile=tuple(pile if position.ordered else sorted(pile)),
        discards=(),
        clues=position.clues,
        strikes=position.strikes,
        seat=position.seat,
        turns_left=position.turns_left,
        ordered=position.ordered,
    )


@lru_cache(maxsize=4096)
def _steps(ways: Ways, heights: tuple[int, ...]) -> dict[Card, Card]:
    return {
        Card(suit, rank): Card(suit, step)
        for suit, (way, height) in enumerate(zip(ways, heights, strict=True))
        for step, ranks in enumerate(way, height + 1)
        for rank in ranks
    }


@lru_cache(maxsize=4096)
def _narrowed_rules(rules: Rules, ways: Ways, heights: tuple[int, ...]) -> Rules:
    suits = []
    for suit, way, height in zip(rules.suits, ways, heights, strict=True):
        # Of the cards below nothing counts, but that there are enough for the deal.
        copies = [min(MAX_COPIES, suit.cards)] * height
        copies += [_copies(suit, step) for step in way]
        if sum(copies) < suit.cards:
            copies = [MAX_COPIES] * len(copies)
        suits.append(Suit(suit.letter, tuple(copies)))
    return replace(rules, suits=tuple(suits), different_starts=False)


def best_way(
    position: Position, limits: Limits, ask: Callable[[Position, Limits], Answer]
) -> Answer:
    """Find the most that can be scored in any way.

    Parameters
    ----------
    position
        A game that is not over, with free clues.
    ask
        Solves a position whose suits are built upwards.

    Returns
    -------
    Answer
        Its actions reach the score in the narrowed game of some way, and in the game itself if
        such a line was found.
    """
    return _Ways(position, limits, ask).run()


class _Ways:
    """One call of `best_way`: what is known of each way, and what was spent."""

    def __init__(
        self, position: Position, limits: Limits, ask: Callable[[Position, Limits], Answer]
    ) -> None:
        self.position = position
        self.limits = limits
        self.ask = ask
        self.began = time.monotonic()
        self.nodes = 0
        self.stopped = ""
        self.score = -1
        self.actions: tuple[Action, ...] = ()
        self.holds = False
        """Whether the actions reach the score in the game itself."""
        rated = sorted(_rated(position), key=lambda pair: pair[1:])
        self.ways = [ways for ways, _, _ in rated]
        most = position.points + position.events_left
        self.bounds = [min(most, -negative) for _, negative, _ in rated]

    def run(self) -> Answer:
        target = self.limits.target
        while not self.stopped:
            bound = max(self.bounds)
            if self.score >= bound:
                break
            if target is not None and (self.score >= target or bound < target):
                break
            self.settle(bound if target is None else target)
        bound = max(self.bounds)
        return Answer(self.score, max(bound, self.score), self.actions, self.nodes, self.stopped)

    def settle(self, asked: int) -> None:
        """Find out whether some way reaches a score, asking all that may with ever more nodes."""
        open_ways = [n for n, bound in enumerate(self.bounds) if bound >= asked]
        budget = FIRST_NODES
        while open_ways:
            left: list[int] = []
            for number in open_ways:
                share = self.share(asked, budget)
                if share is None:
                    return
                found = self.ask(narrowed(self.position, self.ways[number]), share)
                self.nodes += found.nodes
                self.bounds[number] = min(self.bounds[number], found.bound)
                self.take(found)
                if self.score >= asked and self.holds:
                    return
                if found.score < asked <= found.bound:
                    left.append(number)
                    if found.stopped == "seconds":
                        self.stopped = "seconds"
                        return
            if self.score >= asked:
                return
            if left and budget > 2**40:
                self.stopped = "nodes"  # left open without a limit: lines that do not fit hands
                return
            open_ways, budget = left, budget * FACTOR

    def share(self, asked: int, budget: int) -> Limits | None:
        """Give the limits for one question; None, and note it, if nothing is left to spend."""
        seconds = self.limits.seconds
        if seconds is not None:
            seconds -= time.monotonic() - self.began
            if seconds <= 0:
                self.stopped = "seconds"
                return None
        if self.limits.nodes is not None:
            budget = min(budget, self.limits.nodes - self.nodes)
            if budget <= 0:
                self.stopped = "nodes"
                return None
        return Limits(budget, seconds, asked)

    def take(self, found: Answer) -> None:
        """Keep an answer that is better, or as good and the first whose line can be followed."""
        if found.score > self.score or (found.score == self.score and not self.holds):
            holds = _follows(self.position, found.actions, found.score)
            if found.score > self.score or holds:
                self.score, self.actions, self.holds = found.score, found.actions, holds


def _follows(position: Position, actions: Sequence[Action], score: int) -> bool:
    try:
        return Line(position, tuple(actions)).replay().score >= score
    except IllegalActionError:
        return False


def _rated(position: Position) -> list[tuple[Ways, int, int]]:
    """Give all ways, each with the negative of the most points and how late its cards come."""
    found: dict[Card, int] = {}
    for card in (card for hand in position.hands for card in hand):
        found[card] = 0
    for draw, card in enumerate(position.pile, 1):
        found.setdefault(card, draw)
    known: dict[tuple[int, Way], tuple[int, int]] = {}
    for suit, (ways, height) in enumerate(zip(position.ways, position.heights, strict=True)):
        for way in ways:
            most, late, cost = height, 0, 0
            for ranks in way:
                draws = [found[Card(suit, rank)] for rank in ranks if Card(suit, rank) in found]
                if not draws:
                    break
                late = max(late, min(draws))
                cost += late * late
                most += 1
            known[suit, way] = -most, cost
    rated = []
    for ways in position.all_ways():
        sums = [known[pair] for pair in enumerate(ways)]
        rated.append((ways, sum(most for most, _ in sums), sum(cost for _, cost in sums)))
    return rated
