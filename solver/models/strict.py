"""The optimum where clues can be illegal: real actions, with the game of free clues as a bound.

The game with free clues has all lines of the game and more. So what is lost there is lost, and a
best line there that is legal here is a best line here. That answers nearly every question at once;
where the line breaks a rule, every other action is tried, from the last legal moment backwards,
and each is asked about in the same way. DESIGN.md ("Clues that can be illegal") has the proofs.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from solver.game.card import Card
from solver.game.clues import free, legal_part, touch
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.game.suit import Suit
from solver.models.playout import final_round, playout, trimmed

__all__ = ["Answer", "Relaxed", "Strict"]


class Answer(NamedTuple):
    """What is known of a position: ``score <= optimum <= bound``, and a line of the score."""

    score: int
    bound: int
    actions: tuple[Action, ...]
    nodes: int
    stopped: str


Relaxed = Callable[[Position, Limits], Answer]
"""Solves a position of a game with free clues."""


class _LimitError(Exception):
    """A limit was reached, named by the argument; or, if that is empty, it is not decided at all.

    The search does not ask what speedruns score that cannot have full marks.
    """


class Strict:
    """The search of one position.

    Parameters
    ----------
    relaxed
        Solves the game with free clues.
    """

    def __init__(self, position: Position, limits: Limits, relaxed: Relaxed) -> None:
        self.position = position
        self.limits = limits
        self.relaxed = relaxed
        self.began = time.monotonic()
        self.nodes = 0
        self.refuted: dict[tuple[object, ...], int] = {}
        """States, and the fewest points that cannot be reached from them."""

    def run(self, first: Answer | None = None) -> Answer:
        """Find the optimum.

        Parameters
        ----------
        first
            What the game with free clues gives for the position, if that is known already.
        """
        position, target = self.position, self.limits.target
        if position.turns_left is not None or position.end is not None:
            line = final_round(position)
            score = line.replay().score
            return Answer(score, score, line.actions, 1, "")
        try:
            found = first or self.ask(position, target)
            self.nodes = found.nodes
        except _LimitError as error:
            return self.answer(playout(position), position.rules.max_score, str(error))
        good = self.followed(position, found.actions)
        if good.ends and good.line.replay().score == found.score:
            cut = Line(position, good.line.actions[: len(found.actions)])
            # Before its end a line has what lies on its stacks, which the game may lose again.
            made = cut if cut.replay().score == found.score else good.line
            return found._replace(actions=made.actions)
        best, bound, stopped = playout(position), found.bound, found.stopped
        if good.ends:
            best = max(best, good.line, key=lambda line: line.replay().score)
        score = best.replay().score
        only_full = position.rules.only_full_marks
        while not stopped and score < bound and not (
            target is not None and (score >= target or bound < target)
        ):  # fmt: skip
            asked = max(position.points, bound if target is None else target)
            try:
                reached = self.reach(position, asked)
            except _LimitError as error:
                stopped = str(error)
                break
            else:
                if reached is None and asked > position.points and not only_full:
                    bound = asked - 1
                elif reached is None:
                    # Less than what lies on the stacks is only ever scored by a lost game.
                    bound = score
                else:
                    best, score = reached, reached.replay().score
        return self.answer(best, bound, stopped)

    def answer(self, line: Line, bound: int, stopped: str) -> Answer:
        """Make an answer of the best line that was found."""
        last = line.replay()
        made = line if last.score < last.points else trimmed(line)
        return Answer(last.score, max(bound, last.score), made.actions, self.nodes, stopped)

    def ask(self, position: Position, target: int | None) -> Answer:
        """Ask the game with free clues, with what is left of the limits."""
        limits = self.limits
        nodes = None if limits.nodes is None else limits.nodes - self.nodes
        seconds = None
        if limits.seconds is not None:
            seconds = limits.seconds - (time.monotonic() - self.began)
            if seconds <= 0:
                raise _LimitError("seconds")
        if nodes is not None and nodes <= 0:
            raise _LimitError("nodes")
        return self.relaxed(free(position), Limits(nodes, seconds, target))

    def reach(self, position: Position, target: int) -> Line | None:
        """Give a complete game of at least ``target`` points, None if there is none."""
        if position.turns_left is not None or position.end is not None:
            line = final_round(position)
            return line if line.replay().score >= target else None
        key = state_of(position)
        if self.refuted.get(key, target + 1) <= target:
            return None
        found = self.ask(position, target)
        self.nodes += found.nodes + 1
        if found.score < target:
            if found.bound >= target:
                raise _LimitError(found.stopped)
            self.refuted[key] = target
            return None
        good = self.followed(position, found.actions)
        if good.ends and good.line.replay().score >= target:
            return good.line
        moments = list(good.line.positions())
        taken: Sequence[Action | None] = (*good.line.actions, None)
        rounds = (n for n, moment in enumerate(moments) if moment.turns_left is not None)
        late = next(rounds, len(moments))
        if late < len(moments):
            rest = self.reach(moments[late], target)
            if rest is not None:
                return Line(position, (*good.line.actions[:late], *rest.actions))
        for turn in range(late - 1, -1, -1):
            moment = moments[turn]
            if moment.end is not None:
                continue
            for action in different(moment, taken[turn]):
                rest = self.reach(moment.after(action), target)
                if rest is not None:
                    before = good.line.actions[:turn]
                    return Line(position, (*before, action, *rest.actions))
            self.refuted[state_of(moment)] = target
        return None

    def followed(self, position: Position, actions: Sequence[Action]) -> _Followed:
        """Follow a line as far as it is legal, and play the game to its end without losing it."""
        line = legal_part(position, actions)
        if len(line.actions) < len(actions) and position.rules.heights_are_states:
            line = legal_part(position, _thrifty(position, actions))
        last = line.replay()
        if len(line.actions) < len(actions):
            return _Followed(line, False)
        made = list(line.actions)
        while last.end is None:
            action = _idle(last)
            if action is None:
                return _Followed(Line(position, tuple(made)), False)
            made.append(action)
            last = last.after(action)
        return _Followed(Line(position, tuple(made)), True)


class _Followed(NamedTuple):
    """A line that was followed as far as it goes, and whether it is a complete game, not lost."""

    line: Line
    ends: bool


def _idle(moment: Position) -> Action | None:
    """Give an action that passes the turn and does not lose the game, None if there is none."""
    rules = moment.rules
    hand = moment.hands[moment.seat]
    types = moment.clue_types()
    if hand and (moment.clues < rules.max_clues or rules.discard_at_full):
        faces = [face_of(moment, card) for card in hand]
        worth = [
            (face.suit >= 0, touch(rules, card).bit_count())
            for face, card in zip(faces, hand, strict=True)
        ]
        return Action(Kind.DISCARD, worth.index(min(worth)))
    if types:
        return Action(Kind.CLUE, types[0])
    for slot, card in enumerate(hand):
        if moment.is_playable(card):
            return Action(Kind.PLAY, slot)
    if hand and (moment.strikes + 1 < rules.max_strikes or rules.lost_scores_stacks):
        return Action(Kind.PLAY, 0)
    return None


def _thrifty(position: Position, actions: Sequence[Action]) -> list[Action]:
    """Throw cards away that clues cannot touch where a line throws away something.

    The line's plays onto stacks stay as they are, card by card, and so do its tokens: of the
    cards of a hand that it never plays, another one goes first.
    """

    def worth(card: Card) -> int:
        return touch(position.rules, card).bit_count()

    start = free(position)
    steps = []
    moment = start
    hands = [[(p, i) for i in range(len(hand))] for p, hand in enumerate(start.hands)]
    kept: Counter[tuple[int, int]] = Counter()
    for turn, action in enumerate(actions):
        scores = False
        if action.kind in (Kind.PLAY, Kind.DISCARD):
            hand = hands[moment.seat]
            scores = action.kind is Kind.PLAY and moment.is_playable(
                moment.hands[moment.seat][action.slot]
            )
            name = hand.pop(action.slot)
            kept[name] += scores
            if moment.pile:
                hand.append((-1, turn))
            steps.append((name, scores))
        else:
            steps.append(((-1, -1), False))
        moment = moment.after(action)
    made: list[Action] = []
    moment = start
    hands = [[(p, i) for i in range(len(hand))] for p, hand in enumerate(start.hands)]
    for turn, (action, (name, scores)) in enumerate(zip(actions, steps, strict=True)):
        given = action
        if action.kind in (Kind.PLAY, Kind.DISCARD):
            names, cards = hands[moment.seat], moment.hands[moment.seat]
            if scores:
                slot = names.index(name)
            else:
                loose = [
                    i
                    for i, other in enumerate(names)
                    if not kept[other]
                    and not (action.kind is Kind.PLAY and moment.is_playable(cards[i]))
                ]
                if not loose:
                    return list(actions)
                slot = min(loose, key=lambda i: (worth(cards[i]), names[i] != name))
            del names[slot]
            if moment.pile:
                names.append((-1, turn))
            given = Action(action.kind, slot)
        made.append(given)
        moment = moment.after(given)
    return made


@lru_cache(maxsize=4096)
def _ranks_ahead(suit: Suit, state: int) -> frozenset[int]:
    """Give the ranks that can still be played from a state of a stack on."""
    ranks: set[int] = set()
    for rank, after in enumerate(suit.build[state], 1):
        if after >= 0:
            ranks |= {rank} | _ranks_ahead(suit, after)
    return frozenset(ranks)


def face_of(position: Position, card: Card) -> Card:
    """Give a card as what it still counts for: a card that is of no more use only by its touch."""
    rules = position.rules
    if card.is_face and card.rank in _ranks_ahead(
        rules.suits[card.suit], position.stacks[card.suit]
    ):
        return card
    return Card(-1, -2 - touch(rules, card))


def state_of(position: Position) -> tuple[object, ...]:
    """Give all that counts for how a game goes on, if the draw pile is known."""
    hands = tuple(
        tuple(sorted(face_of(position, card) for card in hand)) for hand in position.hands
    )
    return (hands, position.stacks, position.clues, position.strikes, len(position.pile),
            position.seat, position.turns_left, position.last_clue)  # fmt: skip


def different(position: Position, but: Action | None = None) -> Iterator[Action]:
    """Give the legal actions that may be best, equal ones once, and without those equal to one.

    Misplays that a discard of the same card replaces are left out: DESIGN.md, E3 and E4. The
    likeliest come first.
    """
    rules = position.rules
    hand = position.hands[position.seat]
    discards = position.clues < rules.max_clues or rules.discard_at_full
    # The second needs that a card put on its stack in place of a discard does no harm.
    replaced = discards and (
        rules.discard_at_full
        or (rules.discard_gain >= rules.stack_gain and rules.heights_are_states)
    )
    seen: set[object] = set()

    def sort(action: Action) -> tuple[object, ...]:
        if action.kind in (Kind.PLAY, Kind.DISCARD):
            return action.kind, face_of(position, hand[action.slot])
        return tuple(action)

    def rank(action: Action) -> tuple[int, int]:
        if action.kind is Kind.DISCARD:
            card = face_of(position, hand[action.slot])
            worth = touch(rules, hand[action.slot]).bit_count()
            return (1 if card.suit < 0 else 3), worth
        if action.kind is Kind.PLAY:
            return (0 if position.is_playable(hand[action.slot]) else 4), 0
        return 2, 0

    if but is not None:
        seen.add(sort(but))
    for action in sorted(position.legal_actions(), key=rank):
        misplay = action.kind is Kind.PLAY and not position.is_playable(hand[action.slot])
        if sort(action) in seen or (misplay and replaced):
            continue
        seen.add(sort(action))
        yield action
