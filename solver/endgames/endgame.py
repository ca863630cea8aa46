"""Exact chances in endgames, for what the players know: the draw order, the hands, or less."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from solver._kernel import Endgame as _Kernel
from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.clues import free, is_free, touch
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.models.packing import pack
from solver.models.schedule import natural_caps
from solver.models.strict_orders import Counts, StrictOrders
from solver.models.ways import narrowed, only_way, require_few

__all__ = [
    "CUTS",
    "MODELS",
    "OBJECTIVES",
    "Choice",
    "Possible",
    "Teller",
    "Values",
    "Verdict",
    "alike_faces",
    "analyse",
    "as_seen",
    "merged",
    "naturalness",
    "ranked",
    "useless_faces",
    "worlds",
]

MODELS = ("known", "open", "hidden")
OBJECTIVES = ("win", "score")
MOST_DRAWS = 19
"""Cards in the draw pile at most: 19! times the most points that there are fits in 64 bits."""
MEMORY = 256 << 20
"""Bytes for the values of states, for each objective."""

CUTS = {"in-time": 1, "last-turns": 2, "forget": 4, "window": 8}
"""What may be switched off in a `Teller`; DESIGN.md proves each."""

Possible = Sequence[Collection[Card] | None]
"""For each card of a hand, the oldest first, the faces it may have; None for any."""


@dataclass(frozen=True)
class Choice:
    """Actions that come to the same, and what they are worth.

    ``low <= value <= high``; the two are equal unless a limit was reached. The value is a chance
    from 0 to 1, or an expected score in points.
    """

    actions: tuple[Action, ...]
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class Verdict:
    """All legal actions of an endgame position, the best first, and how they were judged."""

    position: Position
    model: str
    objective: str
    target: int
    choices: tuple[Choice, ...]
    states: int
    seconds: float
    ceiling: Fraction | None = None
    """For ``hidden``: the mean over the worlds of what ``open`` gives there, at most."""

    @property
    def low(self) -> Fraction:
        """The least that the best action is worth."""
        return max(choice.low for choice in self.choices)

    @property
    def high(self) -> Fraction:
        """The most that the best action is worth."""
        return max(choice.high for choice in self.choices)

    @property
    def exact(self) -> bool:
        """Whether every action's value is exact."""
        return all(choice.low == choice.high for choice in self.choices)

    @property
    def best(self) -> tuple[Choice, ...]:
        """The choices that are worth the most; more than one if they are equally good."""
        return tuple(choice for choice in self.choices if choice.high >= self.low)

    @property
    def pointless(self) -> bool:
        """Whether what is asked is settled whatever anybody does: never, or already."""
        if self.objective != "win" or not self.exact:
            return False
        reached = self.position.points >= self.target
        return self.high == 0 or (reached and all(choice.low == 1 for choice in self.choices))


def ranked(verdict: Verdict, by: Verdict) -> Verdict:
    """Give a verdict with its equal choices in the order of another objective's verdict."""
    place = {choice.actions: (-choice.high, -choice.low) for choice in by.choices}
    order = sorted(verdict.choices, key=lambda c: (-c.high, -c.low, place[c.actions]))
    return replace(verdict, choices=tuple(order))


def analyse(
    position: Position,
    model: str = "open",
    objective: str = "win",
    target: int | None = None,
    limits: Limits = Limits(),
    possible: Possible | None = None,
    teller: Teller | None = None,
) -> Verdict:
    """Value every legal action of a position exactly.

    Parameters
    ----------
    model
        ``known``: the draw order is known, every action has its optimum. ``open``: all hands are
        known, and every order of the unseen cards is equally likely. ``hidden``: the player to
        move does not know their own hand, or, if some cards are given as unknown, just those;
        every way to choose them from the unseen cards is equally likely. The value of an action
        is its mean over these worlds, in each of which hands are open from then on.
    objective
        ``win``, the chance of at least ``target`` points, or ``score``, the expected score.
    target
        Points, fixed for the whole game; None for full marks. Does not count for ``score``.
    limits
        What is reached leaves an interval. Nodes are for each world, in ``known`` for each
        action; seconds are for all, in equal shares.
    possible
        For ``hidden``: for each of the mover's cards the faces it may have, None for any;
        `USELESS` among them is any face that can never be played.
    teller
        For ``open``: one of the same game and question, which knows much already.

    Raises
    ------
    InputError
        If the model does not fit what the position tells, or the game is over.
    UnsupportedRulesError
        If the rules or so many cards are not covered.
    """
    if model not in MODELS:
        raise InputError(f"model {model!r} is not one of {', '.join(MODELS)}")
    if objective not in OBJECTIVES:
        raise InputError(f"objective {objective!r} is not one of {', '.join(OBJECTIVES)}")
    if possible is not None and model != "hidden":
        raise InputError("what cards may be counts only in the model hidden")
    end = position.end
    if end is not None:
        raise InputError(f"the game is over: {end.value}")
    began = time.monotonic()
    goal = position.rules.max_score if target is None else target
    if not 0 <= goal <= position.rules.max_score:
        raise InputError(f"target is {goal}, not 0 to {position.rules.max_score}")
    judged: Judged
    if model == "known":
        judged = _known(position, objective, goal, limits)
    elif model == "open":
        teller = teller or Teller(position, objective, goal)
        judged = teller.values(position, limits), teller.states, None
    else:
        judged = _hidden(position, objective, goal, limits, possible)
    values, states, ceiling = judged
    choices = [
        Choice(actions, *values[actions[0]]) for actions in merged(position, model, possible)
    ]
    rank = naturalness(as_seen(position, model))
    choices.sort(key=lambda choice: (-choice.high, -choice.low, rank(choice.actions[0])))
    seconds = time.monotonic() - began
    return Verdict(position, model, objective, goal, tuple(choices), states, seconds, ceiling)


Values = dict[Action, tuple[Fraction, Fraction]]
Judged = tuple[Values, int, Fraction | None]


def _known(position: Position, objective: str, goal: int, limits: Limits) -> Judged:
    from solver.solving import cascade

    if not position.ordered:
        if position.pile_size < len(position.pile) or len(set(position.pile)) > 1:
            raise InputError("the draw order is unknown: the model known needs it")
        position = replace(position, ordered=True)
    aim = goal if objective == "win" else None
    values: Values = {}
    states = 0
    shares = _Shares(limits)
    actions = position.legal_actions()
    for number, action in enumerate(actions):
        share = shares.of(len(actions) - number)
        result = cascade.solve(position.after(action), replace(share, target=aim))
        states += result.nodes
        if objective == "score":
            values[action] = Fraction(result.score), Fraction(result.bound)
        else:
            values[action] = Fraction(result.score >= goal), Fraction(result.bound >= goal)
    return values, states, None


def _hidden(
    position: Position, objective: str, goal: int, limits: Limits, possible: Possible | None
) -> Judged:
    lows: Counter[Action] = Counter()
    highs: Counter[Action] = Counter()
    total = best = 0
    found = list(worlds(position, possible))
    if not found:
        raise InputError("no choice of cards fits what is known of the hand")
    legal = set(position.legal_actions())
    teller = Teller(found[0][0], objective, goal)
    shares = _Shares(limits)
    for number, (world, weight) in enumerate(found):
        total += weight
        counts = teller.counts(world, shares.of(len(found) - number))
        if counts.keys() != legal:
            raise UnsupportedRulesError("whether a clue is legal depends on an unknown card")
        best += weight * max(high for _, high in counts.values())
        for action, (low, high) in counts.items():
            lows[action] += weight * low
            highs[action] += weight * high
    scale = total * math.factorial(position.pile_size)
    values = {
        action: (Fraction(lows[action], scale), Fraction(highs[action], scale)) for action in highs
    }
    return values, teller.states, Fraction(best, scale)


class _Shares:
    """Limits whose seconds are shared out among what is still to be done."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.began = time.monotonic()

    def of(self, parts: int) -> Limits:
        """Give the next part's limits, of so many that are to come."""
        if self.limits.seconds is None:
            return self.limits
        left = self.limits.seconds - (time.monotonic() - self.began)
        return replace(self.limits, seconds=max(left / parts, 1e-6))


def _worth(objective: str, goal: int, score: int) -> int:
    return score if objective == "score" else int(score >= goal)


def _require_hands(position: Position) -> None:
    if not position.shows_hands:
        raise InputError("a card in a hand is unknown: the model open needs every hand")


class Teller:
    """The values of positions of one game when all hands are open; it remembers what it found.

    Parameters
    ----------
    like
        Any position of the game: its rules and its number of cards count.
    objective
        ``win`` or ``score``.
    target
        Points to be reached; None for full marks.
    cuts
        The sum of the `CUTS` to use; fewer give the same values more slowly.

    Raises
    ------
    UnsupportedRulesError
        If the rules or so many cards are not covered.
    InputError
        Here and wherever values are asked for, if a card in a hand is unknown.
    """

    def __init__(
        self,
        like: Position,
        objective: str = "win",
        target: int | None = None,
        cuts: int = sum(CUTS.values()),
    ) -> None:
        _require_hands(like)
        if like.pile_size > MOST_DRAWS:
            raise UnsupportedRulesError(
                f"{like.pile_size} cards to be drawn: exact chances cover at most {MOST_DRAWS}"
            )
        rules = like.rules
        if rules.stack_gain > rules.discard_gain and not rules.discard_at_full:
            raise UnsupportedRulesError(
                "a finished stack that gives more than a discard is not covered"
            )
        goal = rules.max_score if target is None else target
        if rules.heights_are_states:
            packed = pack(free(like), ordered=False)
        else:
            require_few(like)
            packed = pack(narrowed(like, next(like.all_ways())), ordered=False)
        self._kernel = _Kernel(packed, objective == "score", goal, MEMORY, cuts)
        self._worth = partial(_worth, objective, goal)
        self._strict = StrictOrders(self._free, self._worth, self._is_exact)

    def counts(
        self, position: Position, limits: Limits = Limits()
    ) -> dict[Action, tuple[int, int]]:  # fmt: skip
        """Give the least and the most that each legal action is worth, out of n! draw orders.

        If the position says the order of its draw pile, that is not looked at.
        """
        _require_hands(position)
        position = position.unordered()
        if self._is_exact(position):
            return self._free(position, limits)[0]
        return self._strict.counts(position, limits)

    @staticmethod
    def _is_exact(position: Position) -> bool:
        """Whether the kernel plays this very game: no illegal clues, one way to build."""
        ordered = position.rules.heights_are_states or only_way(position) is not None
        return ordered and is_free(position)

    def _free(self, position: Position, limits: Limits) -> tuple[Counts, int]:
        """Count for the game with free clues, and give the nodes spent.

        While the stacks can be built in several ways, only the cards that are left are counted.
        """
        if position.rules.heights_are_states:
            relaxed = free(position)
        else:
            way = only_way(position)
            if way is None:
                most = min(sum(natural_caps(position)), position.points + position.events_left)
                high = math.factorial(position.pile_size) * self._worth(most)
                return {action: (0, high) for action in position.legal_actions()}, 1
            relaxed = narrowed(position, way)
        packed = pack(relaxed, ordered=False)
        found, nodes = self._kernel.values(packed, limits.nodes, limits.seconds or 0.0)
        values = {(Kind(kind), slot): (low, high) for kind, slot, low, high in found}
        counts = {
            action: values[action.kind, 0 if action.kind is Kind.CLUE else action.slot]
            for action in position.legal_actions()
        }
        return counts, nodes

    def values(self, position: Position, limits: Limits = Limits()) -> Values:
        """Give the same as chances, or as points."""
        orders = math.factorial(position.pile_size)
        return {
            action: (Fraction(low, orders), Fraction(high, orders))
            for action, (low, high) in self.counts(position, limits).items()
        }

    @property
    def states(self) -> int:
        """How many states' values it keeps."""
        return self._kernel.states() + len(self._strict.known)


def worlds(position: Position, possible: Possible | None = None) -> Iterator[tuple[Position, int]]:
    """Give every world that the player to move cannot tell apart, and in how many ways it comes.

    The ways of choosing physical cards for the unknown places, one after the other, are equally
    likely; worlds that differ only in which useless card lies where are given as one. Where no
    card in any hand is unknown, the hand of the player to move is.
    """
    position = as_seen(position, "hidden")
    seat = position.seat
    hands = list(position.hands)
    pool = Counter(position.pile)
    places = [(p, i) for p, hand in enumerate(hands) for i, c in enumerate(hand) if c == UNKNOWN]
    if possible is not None and len(possible) != len(hands[seat]):
        raise InputError(
            f"what cards may be is given for {len(possible)} cards, not {len(hands[seat])}"
        )
    gone = useless_faces(position)
    if possible is None:
        alike = alike_faces(position)
        merged: Counter[Card] = Counter()
        for card, count in pool.items():
            merged[USELESS if card in alike else card] += count
        pool = merged

    def fill(at: int, ways: int) -> Iterator[tuple[Position, int]]:
        if at == len(places):
            pile = tuple(sorted(pool.elements()))
            yield replace(position, hands=tuple(hands), pile=pile, ordered=False), ways
            return
        p, i = places[at]
        allowed = possible[i] if possible is not None and p == seat else None
        hand = hands[p]
        for card in sorted(pool):
            count = pool[card]
            if count == 0 or not (allowed is None or _allows(allowed, card, gone)):
                continue
            pool[card] -= 1
            hands[p] = (*hand[:i], card, *hand[i + 1 :])
            yield from fill(at + 1, ways * count)
            pool[card] += 1
        hands[p] = hand

    yield from fill(0, 1)


def _allows(allowed: Collection[Card], card: Card, gone: set[Card]) -> bool:
    return card in allowed or (USELESS in allowed and card in gone)


def useless_faces(position: Position) -> set[Card]:
    """Give the faces that can never be played any more, whatever is drawn."""
    seen = set(position.pile)
    for hand in position.hands:
        seen.update(hand)
    return {USELESS, *position.rules.faces()} - position.later(seen)


def alike_faces(position: Position) -> set[Card]:
    """Give the faces that come to the same as `USELESS`.

    None where a clue can be illegal: then some useless cards can be clued, and some cannot.
    """
    return useless_faces(position) if is_free(position) else set()


def merged(
    position: Position, model: str = "open", possible: Possible | None = None
) -> list[tuple[Action, ...]]:
    """Group the legal actions that come to the same by what the player to move can see."""
    hand = as_seen(position, model).hands[position.seat]
    gone = useless_faces(position)
    alike = is_free(position)
    groups: dict[object, list[Action]] = {}
    for action in position.legal_actions():
        what: object = action
        if action.kind in (Kind.PLAY, Kind.DISCARD):
            card = hand[action.slot]
            face: object = card
            if card in gone:
                face = USELESS, 0 if alike else touch(position.rules, card)
            if card == UNKNOWN and possible is not None:
                allowed = possible[action.slot]
                face = None if allowed is None else frozenset(allowed)
            what = (action.kind, face)
        elif action.kind is Kind.CLUE and alike:
            what = action.kind
        groups.setdefault(what, []).append(action)
    return [tuple(actions) for actions in groups.values()]


def as_seen(position: Position, model: str) -> Position:
    """Hide the hand of the player to move, if the model does and no other card is unknown."""
    if model != "hidden" or not position.shows_hands:
        return position
    hands = list(position.hands)
    pile = sorted((*position.pile, *hands[position.seat]))
    hands[position.seat] = (UNKNOWN,) * len(hands[position.seat])
    return replace(position, hands=tuple(hands), pile=tuple(pile), ordered=False)


def naturalness(position: Position) -> Callable[[Action], int]:
    """Give a ranking of actions that are equally good: plays, useless discards, clues, the rest."""
    gone = useless_faces(position)

    def rank(action: Action) -> int:
        if action.kind not in (Kind.PLAY, Kind.DISCARD):
            return 2
        card = position.hands[position.seat][action.slot]
        if action.kind is Kind.PLAY:
            return 0 if position.is_playable(card) else 4
        return 1 if card in gone else 3

    return rank
