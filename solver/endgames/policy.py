"""The best continuation of an endgame: what to do after each draw, and which draw orders lose.

A *decision* is a position with its best actions. Positions that differ only in the order of a hand
or in which useless card lies where are one: useless cards are written ``kt`` here.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from solver.endgames.endgame import Teller, alike_faces, analyse, merged, naturalness, useless_faces
from solver.game.card import USELESS, Card
from solver.game.errors import InputError
from solver.game.notation import card_text
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "Decision",
    "LimitReachedError",
    "Move",
    "Outcome",
    "Policy",
    "action_name",
    "dot",
    "graph",
    "graphml",
    "moved",
    "outcomes",
    "tidied",
]

MOST_DECISIONS = 100_000
"""Decisions that a policy or a graph may have, unless said otherwise."""


OPEN = "a limit left the value of an action open"


class LimitReachedError(Exception):
    """A limit was reached before every value was exact, or there are too many decisions."""


@dataclass(frozen=True)
class Outcome:
    """What an action leads to: the card drawn, if any, its copies among the unseen, and then."""

    drawn: Card | None
    copies: int
    position: Position


@dataclass(frozen=True)
class Move:
    """A best action of a decision, or several that come to the same."""

    action: Action
    name: str
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Decision:
    """A position, its value, and its best actions; none if the game is over or lost."""

    position: Position
    value: Fraction
    moves: tuple[Move, ...]


class Policy:
    """The best continuation from a position, worked out as far as it is asked for.

    Parameters
    ----------
    position
        Where it starts; `start` is that, tidied.
    model
        ``open`` or ``known``.
    objective, target
        As for `solver.endgames.endgame.analyse`.
    limits
        For each decision; all values have to be exact.
    teller
        For ``open``: one of the same game and question, which knows much already.
    every
        Follow every best action, not only the first.
    first
        What to do in ``position`` where several actions are best.

    Raises
    ------
    LimitReachedError
        Here and wherever a decision is asked for, if a limit was reached.
    InputError
        If the model does not fit what the position tells, or the game is over.
    """

    def __init__(
        self,
        position: Position,
        model: str = "open",
        objective: str = "win",
        target: int | None = None,
        limits: Limits = Limits(),
        *,
        teller: Teller | None = None,
        every: bool = False,
        first: Action | None = None,
    ) -> None:
        if model not in ("open", "known"):
            raise InputError(f"a policy is for the models open and known, not for {model}")
        verdict = analyse(position, model, objective, target, limits, teller=teller)
        if not verdict.exact:
            raise LimitReachedError(OPEN)
        if model == "open":
            position = position.unordered()
        self.start = tidied(replace(position, ordered=model == "known"))
        self._first = None if first is None else moved(first, position, self.start)
        self.model = model
        self.objective = objective
        self.target = verdict.target
        self.limits = limits
        self.every = every
        self.decisions: dict[Position, Decision] = {}
        """What has been worked out so far."""
        self._teller = None
        if model == "open":
            self._teller = teller or Teller(self.start, objective, self.target)

    @property
    def value(self) -> Fraction:
        """What the start is worth."""
        return self.at(self.start).value

    def at(self, position: Position) -> Decision:
        """Give the decision at a tidied position."""
        if position not in self.decisions:
            value, best = self._best(position)
            moves = tuple(
                Move(a, action_name(position, a), outcomes(position, a))
                for a in best[: None if self.every else 1]
            )
            self.decisions[position] = Decision(position, value, moves)
        return self.decisions[position]

    def explore(self, most: int = MOST_DECISIONS) -> None:
        """Work out every decision that best play leads to.

        Raises
        ------
        LimitReachedError
            If there are more than ``most``, or a limit was reached.
        """
        seen = {self.start}
        todo = deque(seen)
        while todo:
            for move in self.at(todo.popleft()).moves:
                new = {outcome.position: None for outcome in move.outcomes}
                todo.extend(position for position in new if position not in seen)
                seen.update(new)
            if len(seen) > most:
                raise LimitReachedError(f"there are more than {most:,} decisions")

    def _best(self, at: Position) -> tuple[Fraction, list[Action]]:
        """Give a position's value and its best actions, the most natural first."""
        win = self.objective == "win"
        if at.end is not None:
            return Fraction(at.score >= self.target if win else at.score), []
        if self._teller is None:
            verdict = analyse(at, "known", self.objective, self.target, self.limits)
            values = {a: (c.low, c.high) for c in verdict.choices for a in c.actions}
        else:
            values = self._teller.values(at, self.limits)
        if any(low != high for low, high in values.values()):
            raise LimitReachedError(OPEN)
        value = max(low for low, _ in values.values())
        if win and value == 0:
            return value, []
        if win and at.points >= self.target and all(low == 1 for low, _ in values.values()):
            return value, []  # nothing can go wrong any more
        groups = [actions for actions in merged(at) if values[actions[0]][0] == value]
        rank = naturalness(at)
        wish = self._first if at == self.start else None
        groups.sort(key=lambda actions: (wish not in actions, rank(actions[0])))
        return value, [actions[0] for actions in groups]

    def line(self, first: Action | None = None) -> list[tuple[Decision, Move, Outcome]]:
        """Follow the first best action, and of the draws always the one that gives the most.

        Parameters
        ----------
        first
            What is done at the start, if not the best; an action of `start`.
        """
        steps = []
        decision = self.at(self.start)
        while decision.moves or first is not None:
            move = decision.moves[0] if first is None else self._move(first)
            first = None
            outcome = max(move.outcomes, key=lambda o: o.copies * self.at(o.position).value)
            steps.append((decision, move, outcome))
            decision = self.at(outcome.position)
        return steps

    def _move(self, action: Action) -> Move:
        name = action_name(self.start, action)
        return Move(action, name, outcomes(self.start, action))

    def losing_orders(self) -> Iterator[tuple[tuple[Card, ...], int]]:
        """Give the draws after which the game is lost, and how many draw orders begin so.

        The orders count every physical card apart, n! in all. Useless cards are alike.
        """
        if self.objective != "win":
            raise InputError("draw orders lose only if it is for the win")
        yield from self._losing(self.start, (), 1)

    def _losing(
        self, at: Position, drawn: tuple[Card, ...], ways: int
    ) -> Iterator[tuple[tuple[Card, ...], int]]:
        decision = self.at(at)
        if decision.value == 0:
            yield drawn, ways * (1 if at.ordered else math.factorial(at.pile_size))
        elif decision.value < 1:
            for outcome in decision.moves[0].outcomes:
                more = () if outcome.drawn is None else (outcome.drawn,)
                yield from self._losing(outcome.position, drawn + more, ways * outcome.copies)


def outcomes(at: Position, action: Action) -> tuple[Outcome, ...]:
    """Give what an action of a tidied position can lead to: one outcome for each card drawn."""
    if action.kind is Kind.CLUE or at.pile_size == 0:
        return (Outcome(None, 1, tidied(at.after(action))),)
    drawable = list(dict.fromkeys(at.pile[:1] if at.ordered else at.pile))
    return tuple(
        Outcome(card, 1 if at.ordered else at.pile.count(card), tidied(at.after(action, card)))
        for card in drawable
    )


def tidied(position: Position) -> Position:
    """Sort the hands, write useless cards as such if all are alike, and forget the discards."""
    gone = alike_faces(position)

    def mark(cards: tuple[Card, ...]) -> list[Card]:
        return [USELESS if card in gone else card for card in cards]

    pile = mark(position.pile)
    return replace(
        position,
        hands=tuple(tuple(sorted(mark(hand), reverse=True)) for hand in position.hands),
        pile=tuple(pile if position.ordered else sorted(pile)),
        discards=(),
    )


def moved(action: Action, position: Position, tidy: Position) -> Action:
    """Give the action of a tidied position that is this one of the position that it was."""
    if action.kind not in (Kind.PLAY, Kind.DISCARD):
        return action
    card = position.hands[position.seat][action.slot]
    if card in alike_faces(position):
        card = USELESS
    return Action(action.kind, tidy.hands[tidy.seat].index(card))


def action_name(position: Position, action: Action) -> str:
    """Name an action: ``play r3``, ``misplay r5``, ``discard useless``, ``clue``."""
    name = position.describe(action)
    if action.kind not in (Kind.PLAY, Kind.DISCARD):
        return name
    card = position.hands[position.seat][action.slot]
    if card in useless_faces(position):
        name = f"{name.split()[0]} useless"
    wrong = action.kind is Kind.PLAY and not position.is_playable(card)
    return f"mis{name}" if (wrong and card.is_face) or name == "play useless" else name


def graph(policy: Policy) -> nx.DiGraph[str]:
    """Make the decision graph of a policy that has been explored.

    A node is a position's text (``kind`` is ``decision``, or ``end`` if nothing follows), or that
    text and an action (``draw``), where the next card decides. Every node has its ``value`` as a
    fraction and as a ``number``, the ``seat`` to move, the cards ``left`` to be drawn and the
    ``score`` so far. An edge has an ``action``, or a ``drawn`` card and its ``count`` among the
    unseen; actions or cards that lead to the same are one edge, with "or" between them.
    """
    import networkx

    made: nx.DiGraph[str] = networkx.DiGraph()
    letters = policy.start.letters
    names = {position: position.text() for position in policy.decisions}

    def add(name: str, kind: str, value: Fraction, at: Position) -> None:
        made.add_node(
            name, kind=kind, value=str(value), number=float(value), seat=at.seat,
            left=at.pile_size, score=at.points,
        )  # fmt: skip

    for position, decision in policy.decisions.items():
        add(names[position], "decision" if decision.moves else "end", decision.value, position)

    def act(name: str, to: str, action: str) -> None:
        if made.has_edge(name, to):
            action = f"{made.edges[name, to]['action']} or {action}"
        made.add_edge(name, to, action=action)

    def draw(name: str, to: str, card: Card, count: int) -> None:
        drawn = card_text(card, letters)
        if made.has_edge(name, to):
            drawn = f"{made.edges[name, to]['drawn']} or {drawn}"
            count += made.edges[name, to]["count"]
        made.add_edge(name, to, drawn=drawn, count=count)

    for position, decision in policy.decisions.items():
        name = names[position]
        for move in decision.moves:
            chance = f"{name} {move.name}"
            for outcome in move.outcomes:
                if outcome.drawn is None:
                    act(name, names[outcome.position], move.name)
                    continue
                if chance not in made:
                    add(chance, "draw", decision.value, position)
                    act(name, chance, move.name)
                draw(chance, names[outcome.position], outcome.drawn, outcome.copies)
    return made


def graphml(made: nx.DiGraph[str]) -> Iterator[str]:
    """Write a graph as GraphML, line by line."""
    import networkx

    yield from networkx.generate_graphml(made)


def dot(made: nx.DiGraph[str]) -> Iterator[str]:
    """Write a graph in the language of Graphviz, line by line."""
    ids = {name: f"n{number}" for number, name in enumerate(made)}
    shapes = {"decision": "box", "draw": "ellipse", "end": "box,style=rounded"}
    yield "digraph endgame {"
    for name, data in made.nodes(data=True):
        label = f"{data['value']}" if data["kind"] == "draw" else f"{name}\\n{data['value']}"
        yield f'  {ids[name]} [shape={shapes[data["kind"]]},label="{label}"];'
    for source, target, data in made.edges(data=True):
        what: Any = data.get("action") or f"{data['drawn']} x{data['count']}"
        yield f'  {ids[source]} -> {ids[target]} [label="{what}"];'
    yield "}"
