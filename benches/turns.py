"""A SAT model over turns, not events: the usual way, as a yardstick for the engines.

    python benches/turns.py        check the model against the native search on a few hundred deals

For every turn there are variables for what is done, with which card, how far the draw pile is used
up, how high the stacks are, and how many tokens and strikes there are. This is how Py-Hanabi does
it; the code is our own. Like Py-Hanabi, `solve` asks a greedy player first and the solver
(CaDiCaL, the one of the SAT engine) only about the deals that this player does not win. The one
question is whether a deal can be won.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from pysat.solvers import Cadical195

from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.game.rules import Rules
from solver.game.suit import Suit
from solver.models.cnf import TRUE, Formula

SLICE = 500
"""Conflicts between two looks at the clock."""


@dataclass(frozen=True)
class Answer:
    """Whether a deal can be won, with a line if so; None if the time was up."""

    winnable: bool | None
    line: Line | None
    seconds: float
    how: str
    """``greedy``, ``count`` (too few events for so many cards) or ``sat``."""


def solve(deal: Deal, seconds: float | None = None, greedy_first: bool = True) -> Answer:
    """Decide whether a deal can be won."""
    began = time.perf_counter()
    won, how, line = None, "greedy", greedy(deal) if greedy_first else None
    if line is None:
        model = TurnModel(deal)
        how = "count" if model.impossible else "sat"
        until = None if seconds is None else began + seconds
        won, line = (False, None) if model.impossible else _ask(model, until)
    if line is not None:
        won = True
    answer = Answer(won, line, time.perf_counter() - began, how)
    if line is not None and line.replay().score != deal.rules.max_score:
        raise AssertionError(f"the line of {how} does not win {deal.name or deal.text()}")
    return answer


def _ask(model: TurnModel, until: float | None) -> tuple[bool | None, Line | None]:
    with Cadical195(bootstrap_with=model.formula.cnf()[1]) as solver:
        answer = None
        while answer is None:
            if until is not None and time.perf_counter() >= until:
                return None, None
            solver.conf_budget(SLICE)
            answer = solver.solve_limited()
        if not answer:
            return False, None
        return True, model.line({x for x in solver.get_model() if x > 0}.__contains__)


class TurnModel:
    """The clauses that hold exactly if a deal can be won.

    Everything is said of turns t = 0, 1, ... up to the most that a won game can take; `over` marks
    turns after its end. Seat t mod players acts in turn t.

    Raises
    ------
    UnsupportedRulesError
        For other rules than the printed ones with any number of suits, ranks, copies, tokens and
        strikes, and at least two cards in a hand.
    """

    def __init__(self, deal: Deal) -> None:
        rules = deal.rules
        plain = replace(
            Rules(rules.players, rules.hand_size, rules.suits),
            max_clues=rules.max_clues,
            start_clues=rules.start_clues,
            max_strikes=rules.max_strikes,
        )
        lost = replace(rules, lost_scores_stacks=False)  # makes no difference to winning
        if lost != plain or rules.hand_size < 2 or not all(s.is_upward for s in rules.suits):
            raise UnsupportedRulesError("the model over turns covers only the printed rules")
        self.deal = deal
        self.players = rules.players
        self.cards = len(deal.deck)
        draws = self.cards - deal.dealt
        # Of the turns with a card, all before the final round draw, and the rest are that round.
        spare = draws + self.players - rules.max_score
        self.impossible = spare < 0
        # Every clue costs a token: those at the start, one a discard, one a finished suit.
        clues = rules.start_clues + spare + len(rules.suits) - 1
        self.turns = draws + self.players + clues
        self.formula = Formula()
        if self.impossible:
            return
        self._actions()
        self._pile()
        self._hands()
        self._stacks()
        self._tokens()
        self._strikes()

    def _grid(self, width: int) -> list[list[int]]:
        return [[self.formula.new() for _ in range(width)] for _ in range(self.turns)]

    def _actions(self) -> None:
        """Do one thing in each turn, with one card of the hand or with none."""
        formula = self.formula
        self.play, self.discard, self.strike, self.clue, self.over = (
            [formula.new() for _ in range(self.turns)] for _ in range(5)
        )
        self.use = self._grid(self.cards)
        for t in range(self.turns):
            none = [self.clue[t], self.over[t]]
            formula.choose([self.play[t], self.discard[t], self.strike[t], *none])
            formula.choose([*self.use[t], *none])
            if t:
                formula.implies(self.over[t - 1], self.over[t])

    def _pile(self) -> None:
        """``drawn[t][i]``: card i was drawn before turn t. The pile is used from the top."""
        formula, dealt = self.formula, self.deal.dealt
        row = [TRUE if i < dealt else -TRUE for i in range(self.cards)]
        self.drawn = [row]
        for t in range(self.turns):
            before = self.drawn[t]
            # At most one card a turn: card i not before turn i - dealt + 1.
            late = range(dealt, min(self.cards, dealt + t + 1))
            after = [TRUE] * dealt + [-TRUE] * (self.cards - dealt)
            for i in late:
                after[i] = formula.new()
                formula.implies(after[i], after[i - 1])
                formula.implies(before[i], after[i])
                formula.implies(after[i], before[i - 1])
                for none in (self.clue[t], self.over[t]):
                    formula.implies(none, after[i], before[i])
                formula.add(self.clue[t], self.over[t], -before[i - 1], after[i])
            self.drawn.append(after)
            if t >= self.players:
                # The last card was drawn at least a round ago.
                formula.implies(self.drawn[t - self.players][-1], self.over[t])

    def _hands(self) -> None:
        """Use cards only from the own hand, and each once."""
        formula, players = self.formula, self.players
        size = self.deal.rules.hand_size
        for i in range(self.cards):
            drawer = [-TRUE] * players
            if i < self.deal.dealt:
                drawer[i // size] = TRUE
            else:
                drawer = [formula.new() for _ in range(players)]
                for t in range(self.turns):
                    new = (-self.drawn[t + 1][i], self.drawn[t][i])
                    formula.add(*new, drawer[t % players])
                    for p in range(players):
                        if p != t % players:
                            formula.add(*new, -drawer[p])
            gone = -TRUE
            for t in range(self.turns):
                use = self.use[t][i]
                formula.implies(use, self.drawn[t][i])
                formula.implies(use, drawer[t % players])
                formula.implies(gone, -use)
                before, gone = gone, formula.new()
                formula.implies(before, gone)
                formula.implies(use, gone)
                formula.add(-gone, before, use)

    def _stacks(self) -> None:
        """``height[t][suit, r]``: the stack has at least r cards before turn t; all at the end."""
        formula, deck = self.formula, self.deal.deck
        faces = self.deal.rules.faces()
        empty = {Card(s, 0): TRUE for s in range(len(self.deal.rules.suits))}
        self.height = [{**empty, **{card: -TRUE for card in faces}}]
        for t in range(self.turns):
            before, after = self.height[t], dict(empty)
            last = t == self.turns - 1
            for card in faces:
                below = Card(card.suit, card.rank - 1)
                after[card] = TRUE if last else formula.new()
                copies = [self.use[t][i] for i, other in enumerate(deck) if other == card]
                formula.implies(before[card], after[card])
                formula.implies(after[card], before[below])
                formula.add(-after[card], before[card], self.play[t])
                formula.add(-after[card], before[card], *copies)
                for use in copies:
                    formula.implies(use, self.play[t], -before[card])
                    formula.implies(use, self.play[t], after[card])
                    formula.add(-use, -self.strike[t], -before[below], before[card])
            self.height.append(after)

    def _tokens(self) -> None:
        """``tokens[t][v]``: there are at least v tokens before turn t."""
        formula, rules = self.formula, self.deal.rules
        most = rules.max_clues
        self.tokens = [[TRUE if v <= rules.start_clues else -TRUE for v in range(most + 2)]]
        ends = [Card(s, suit.ranks) for s, suit in enumerate(rules.suits)]
        for t in range(self.turns):
            before = self.tokens[t]
            after = [TRUE, *(formula.new() for _ in range(most)), -TRUE]
            formula.implies(self.discard[t], -before[most])
            formula.implies(self.clue[t], before[1])
            finished = [(-self.height[t + 1][end], self.height[t][end]) for end in ends]
            done = formula.new()  # a suit is finished in this turn
            formula.implies(done, self.play[t])
            for new in finished:
                formula.add(*new, done)
            for end in ends:
                for use in [self.use[t][i] for i, c in enumerate(self.deal.deck) if c == end]:
                    formula.implies(use, self.play[t], done)
            ended = [use for i, use in enumerate(self.use[t]) if self.deal.deck[i] in ends]
            formula.add(-done, *ended)
            for v in range(1, most + 1):
                formula.implies(after[v], after[v - 1])
                # More by one at most, fewer by one at most.
                formula.implies(before[v], after[v - 1])
                formula.implies(after[v], before[v - 1])
                for gains in (self.discard[t], done):
                    formula.implies(gains, before[v - 1], after[v])
                formula.implies(self.clue[t], after[v], before[v + 1])
                formula.add(self.clue[t], -before[v], after[v])
                formula.add(self.discard[t], done, -after[v], before[v])
            self.tokens.append(after)

    def _strikes(self) -> None:
        """Make fewer strikes than lose the game."""
        formula = self.formula
        spare = self.deal.rules.max_strikes - 1
        made = [TRUE] + [-TRUE] * (spare + 1)
        for t in range(self.turns):
            before = made
            made = [TRUE, *(formula.new() for _ in range(spare)), -TRUE]
            for s in range(spare + 1):
                formula.implies(before[s], made[s])
                formula.implies(before[s], self.strike[t], made[s + 1])

    def line(self, holds: Callable[[int], bool]) -> Line:
        """Give the line that a solution describes, up to the winning play."""
        moment, actions = Position.start(self.deal), []
        for t in range(self.turns):
            if moment.end is not None:
                break
            if holds(self.clue[t]):
                action = Action(Kind.CLUE)
            else:
                card = self.deal.deck[next(i for i, use in enumerate(self.use[t]) if holds(use))]
                kind = Kind.DISCARD if holds(self.discard[t]) else Kind.PLAY
                action = Action(kind, moment.hands[moment.seat].index(card))
            actions.append(action)
            moment = moment.after(action)
        return Line.of(self.deal, tuple(actions))


def greedy(deal: Deal) -> Line | None:
    """Play once, without looking ahead, and give the line if it wins."""
    moment, actions = Position.start(deal), []
    while moment.end is None:
        action = _greedy_action(moment)
        if action is None:
            return None
        actions.append(action)
        moment = moment.after(action)
    won = moment.score == deal.rules.max_score
    return Line.of(deal, tuple(actions)) if won else None


def _greedy_action(moment: Position) -> Action | None:
    """Choose by simple rules; None if a card would be lost that is needed."""
    rules, stacks, hand = moment.rules, moment.stacks, moment.hands[moment.seat]
    needed = [card for card in hand if card.rank > stacks[card.suit]]
    fits = [card for card in needed if moment.is_playable(card)]
    if fits:
        # First what frees an own card, then what only this hand has, then low ranks.
        def worth(card: Card) -> tuple[bool, int, int]:
            held = sum(other.count(card) for other in moment.hands)
            return Card(card.suit, card.rank + 1) not in hand, held, card.rank

        return Action(Kind.PLAY, hand.index(min(fits, key=worth)))
    missing = rules.max_score - moment.points
    turns = moment.pile_size + rules.players if moment.turns_left is None else moment.turns_left
    if moment.can_clue() and (moment.clues == rules.max_clues or turns <= missing):
        return Action(Kind.CLUE)
    if moment.clues == rules.max_clues:
        return None
    # Who plays before this hand's next turn makes waiting worth a token.
    others = [h for p, h in enumerate(moment.hands) if p != moment.seat]
    busy = sum(any(moment.is_playable(card) for card in other) for other in others)
    spare = turns - missing
    if moment.can_clue() and busy and (moment.clues > rules.max_clues // 2 or spare < busy):
        return Action(Kind.CLUE)
    seen = set()
    for slot, card in enumerate(hand):
        if card not in needed or card in seen:
            return Action(Kind.DISCARD, slot)
        seen.add(card)
    if moment.can_clue():
        return Action(Kind.CLUE)
    elsewhere = {card for other in others for card in other}
    doubles = [card for card in hand if card in elsewhere] or [c for c in hand if c in moment.pile]
    if not doubles:
        return None
    return Action(Kind.DISCARD, hand.index(max(doubles, key=lambda card: card.rank)))


def _check(count: int) -> None:
    """Compare the model with the native search on random small deals and a few whole ones."""
    from solver.engines.search import solve as search

    rng, won = random.Random(3), 0
    shapes = [(2, 1), (2, 2, 1), (1, 1, 1), (3, 2, 1), (2, 1, 1), (1, 1, 1, 1), (2, 2, 1, 1)]
    made: list[Rules] = []
    while len(made) < count:
        suits = tuple(Suit(s, rng.choice(shapes)) for s in "ryg"[: rng.randint(1, 3)])
        clues = rng.randint(1, 4)
        players, size = rng.randint(2, 4), rng.randint(2, 3)
        if players * size <= sum(suit.cards for suit in suits):
            made.append(Rules(players, size, suits, 0, clues, rng.randint(0, clues),
                              max_strikes=rng.randint(1, 3)))  # fmt: skip
    whole = [Rules.standard(players) for players in (2, 3, 4, 5)]
    for rules in [*made, *whole]:
        deck = rules.sorted_deck()
        rng.shuffle(deck)
        deal = Deal(rules, tuple(deck))
        expected = search(Position.start(deal), Limits(target=rules.max_score)).winnable
        for first in (False, True):
            found = solve(deal, greedy_first=first)
            if found.winnable is not expected:
                raise SystemExit(f"wrong: {found.winnable}, not {expected}: {rules} {deal.text()}")
        won += expected is True
    print(f"{len(made)} small and {len(whole)} whole deals as the native search: {won} winnable")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("deals", nargs="?", type=int, default=300, help="small deals (300)")
    _check(parser.parse_args().deals)
