"""Slow, plain chances in endgames: every legal action, every draw, as fractions. No solver here.

The cards of the draw pile come in every order with the same chance; everybody knows all hands. A
state's pile is a bag of cards, kept sorted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from brute import DEAD, Brute, Card, Game, Hand, State, clue_types, optimum

PLAY, DISCARD, CLUE, DECK_PLAY = 0, 1, 2, 3


class Move(NamedTuple):
    """What the seat to move does; the slot counts for plays and discards.

    Where types of clue alternate, a clue has its type for a slot.
    """

    kind: int
    slot: int = 0


class TooBig(Exception):
    """More states than were allowed."""


class Chances:
    """Values of states of one game: the chance of ``target`` points, or the mean score if None."""

    def __init__(self, game: Game, target: int | None, most_states: int = 10**9) -> None:
        self.game = game
        self.target = target
        self.most_states = most_states
        self.known: dict[State, Fraction] = {}
        self.brute = Brute(game)

    def worth(self, state: State) -> Fraction | None:
        """Give what a finished game is worth, None if it goes on."""
        points = self.brute.points(state.stacks)
        if state.strikes >= self.game.max_strikes:
            return self.scored(points if self.game.lost_scores else 0)
        if points == self.brute.full:
            return self.scored(points)
        if self.game.fails and not self.brute.hopeful(state):
            return self.scored(0)
        if state.turns == 0:
            return self.scored(points)
        return None

    def scored(self, score: int) -> Fraction:
        """Give what a final score is worth."""
        return Fraction(score if self.target is None else score >= self.target)

    def value(self, state: State) -> Fraction:
        """Give the value of the best action, or what the finished game is worth."""
        state = state._replace(hands=tuple(tuple(sorted(hand)) for hand in state.hands))
        if state not in self.known:
            worth = self.worth(state)
            if worth is None:
                if len(self.known) >= self.most_states:
                    raise TooBig
                values = [self.after(state, move) for move in self.moves(state)]
                points = self.brute.points(state.stacks)
                stuck = self.scored(0 if self.game.all_or_nothing else points)
                worth = max(values) if values else stuck
            self.known[state] = worth
        return self.known[state]

    def moves(self, state: State) -> Iterator[Move]:
        """Give every legal action."""
        game = self.game
        for slot in range(len(state.hands[state.seat])):
            yield Move(PLAY, slot)
            if state.clues < game.max_clues or game.discard_at_full:
                yield Move(DISCARD, slot)
        yield from (Move(CLUE, kind) for kind in clue_types(game, state))
        if game.deck_play and len(state.pile) == 1:
            yield Move(DECK_PLAY)

    def values(self, state: State) -> dict[Move, Fraction]:
        """Give the value of every legal action of a state, hands in their own order."""
        return {move: self.after(state, move) for move in self.moves(state)}

    def after(self, state: State, move: Move) -> Fraction:
        """Give the value of one action: the mean over the draws."""
        outcomes = self.outcomes(state, move)
        total = sum(weight for weight, _ in outcomes)
        return sum((weight * self.value(s) for weight, s in outcomes), Fraction()) / total

    def outcomes(self, state: State, move: Move) -> list[tuple[int, State]]:
        """Give the states after an action, one for each card that may be drawn, with its copies."""
        players = len(state.hands)
        turns = state.turns - 1 if state.turns > 0 else -1
        following = (state.seat + 1) % players
        if move.kind == CLUE:
            clues = state.clues - self.game.clue_price
            after = state._replace(clues=clues, seat=following, turns=turns, last=move.slot)
            return [(1, after)]
        hand = state.hands[state.seat]
        if move.kind == DECK_PLAY:
            (card,) = state.pile
            after = self.acted(state, card, PLAY)
            turns = players if self.game.final_round else -1
            return [(1, after._replace(pile=(), seat=following, turns=turns))]
        rest = hand[: move.slot] + hand[move.slot + 1 :]
        acted = self.acted(state, hand[move.slot], move.kind)._replace(seat=following)
        found = []
        for card in sorted(set(state.pile)):
            pile = list(state.pile)
            pile.remove(card)
            left = turns if pile or not self.game.final_round else players
            new = acted._replace(pile=tuple(pile), turns=left)
            found.append((state.pile.count(card), _held(new, state.seat, (*rest, card))))
        return found or [(1, _held(acted._replace(turns=turns), state.seat, rest))]

    def acted(self, state: State, card: Card, kind: int) -> State:
        """Give the stacks, tokens and strikes after a card was played or discarded."""
        game = self.game
        if kind == DISCARD:
            return state._replace(clues=min(game.max_clues, state.clues + game.discard_gain))
        suit, rank = card
        on = -1 if card == DEAD else game.suits[suit][state.stacks[suit]][rank - 1]
        if on >= 0 and not state.stacks[suit] and rank in self.brute.begun(state.stacks):
            on = -1
        if on < 0:
            return state._replace(strikes=state.strikes + 1)
        clues = state.clues
        if all(after < 0 for after in game.suits[suit][on]):
            clues = min(game.max_clues, clues + game.stack_gain)
        stacks = (*state.stacks[:suit], on, *state.stacks[suit + 1 :])
        return state._replace(stacks=stacks, clues=clues)

    def hidden(
        self, state: State, places: Sequence[tuple[int, int]], pool: Hand,
        allowed: Callable[[int, int, Card], bool],
    ) -> tuple[dict[Move, Fraction], Fraction] | None:  # fmt: skip
        """Give the means of all actions' values, and of the best one's, over the worlds.

        ``places`` (seat, slot) are filled with cards of ``pool``, each physical card apart, as
        ``allowed`` says; the rest is the pile. None if nothing fits.
        """
        sums: dict[Move, Fraction] = {}
        best = Fraction()
        worlds = 0
        seen: dict[tuple[Card, ...], dict[Move, Fraction]] = {}
        for picked in permutations(range(len(pool)), len(places)):
            cards = tuple(pool[i] for i in picked)
            if not all(allowed(p, i, c) for (p, i), c in zip(places, cards, strict=True)):
                continue
            if cards not in seen:
                hands = [list(hand) for hand in state.hands]
                for (p, i), card in zip(places, cards, strict=True):
                    hands[p][i] = card
                pile = sorted(c for i, c in enumerate(pool) if i not in picked)
                world = state._replace(hands=tuple(map(tuple, hands)), pile=tuple(pile))
                seen[cards] = self.values(world)
            worlds += 1
            best += max(seen[cards].values())
            for move, value in seen[cards].items():
                sums[move] = sums.get(move, Fraction()) + value
        if not worlds:
            return None
        return {move: value / worlds for move, value in sums.items()}, best / worlds


def _held(state: State, seat: int, hand: Hand) -> State:
    return state._replace(hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def orders(pile: Hand) -> Iterator[Hand]:
    """Give every order of the pile, physical cards apart, n! in all."""
    return permutations(pile)


def clairvoyant(game: Game, state: State, target: int | None) -> Fraction:
    """Give the mean over all draw orders of what is best if the order is known from the start."""
    total = Fraction()
    seen: dict[Hand, int] = {}
    for order in orders(state.pile):
        if order not in seen:
            seen[order] = optimum(game, state._replace(pile=order))
        total += seen[order] if target is None else seen[order] >= target
    return total / math.factorial(len(state.pile))


def policy_value(
    game: Game, state: State, target: int | None, policy: Callable[[State, Collection[Move]], Move]
) -> Fraction:
    """Give what a fixed policy reaches, by playing every draw order through, one after the other.

    The policy sees a state whose pile is sorted, so it does not know the order.
    """
    chances = Chances(game, target)
    total = Fraction()
    for order in orders(state.pile):
        now, coming = state, list(order)
        while (worth := chances.worth(now)) is None:
            moves = list(chances.moves(now))
            if not moves:
                worth = chances.scored(chances.brute.points(now.stacks))
                break
            move = policy(now, moves)
            outcomes = chances.outcomes(now, move)
            if move.kind != DECK_PLAY and len(outcomes[0][1].pile) < len(now.pile):
                card = coming.pop(0)
                now = next(s for _, s in outcomes if s.hands[now.seat][-1] == card)
            else:
                now = outcomes[0][1]
        total += worth
    return total / math.factorial(len(state.pile))
