"""Lines that need no search: one plain game to its end, and the best of a final round."""

from __future__ import annotations

from functools import cache, partial

from solver.game.card import Card
from solver.game.clues import is_free, touch
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.suit import Suit

__all__ = ["final_round", "playout", "trimmed"]


def playout(position: Position) -> Line:
    """Play a game out by plain habits and give it up to its last play onto a stack.

    Play what fits; else discard what never will; else clue, discard, misplay, whichever is legal
    first. The line's score is one that a complete game reaches, so it is never more than the
    optimum. A game that is lost by strikes is given in full.
    """
    moment, actions = position, []
    while legal := moment.legal_actions():
        action = min(legal, key=partial(_rank, moment))
        actions.append(action)
        moment = moment.after(action)
    line = Line(position, tuple(actions))
    return line if moment.score < moment.points else trimmed(line)


def _rank(position: Position, action: Action) -> int:
    """Give an action's place in the order of habits; the lowest is preferred."""
    if action.kind is Kind.PLAY:
        card = position.hands[position.seat][action.slot]
        return 0 if position.is_playable(card) else 4
    if action.kind is Kind.DISCARD:
        return 1 if _is_dead(position, action.slot) else 3
    return 2 if action.kind is Kind.CLUE else 5


def _is_dead(position: Position, slot: int) -> bool:
    """Whether no stack can take a card any more even if all cards were there."""
    suit, rank = position.hands[position.seat][slot]
    return suit < 0 or rank not in _takes(position.rules.suits[suit], position.stacks[suit])


@cache
def _takes(suit: Suit, state: int) -> set[int]:
    return suit.later(state, range(1, suit.ranks + 1))


def final_round(position: Position) -> Line:
    """Give a best line of a position whose draw pile is empty, by trying everything.

    Nobody acts twice in a final round, so of a player's cards only three things matter: which of
    them fit now, whether one does not, and how many there are; where clues can be illegal, also
    which clues touch those that stay; and where a lost card ends the game, all of them.
    """
    known: dict[tuple[object, ...], tuple[int, tuple[Action, ...]]] = {}
    rules = position.rules
    alike = is_free(position) and not rules.ends_out_of_reach

    def kept(card: Card) -> Card:
        return card if rules.ends_out_of_reach else Card(0, touch(rules, card))

    def best(moment: Position) -> tuple[int, tuple[Action, ...]]:
        legal = moment.legal_actions()
        if not legal:
            return moment.score, ()
        held: object = tuple(map(len, moment.hands))
        if not alike:
            held = tuple(tuple(sorted(map(kept, hand))) for hand in moment.hands)
        key = (moment.turns_left, moment.stacks, moment.clues, moment.strikes, held,
               moment.last_clue)  # fmt: skip
        if key in known:
            return known[key]
        hand = moment.hands[moment.seat]
        seen: set[object] = set()
        found: tuple[int, tuple[Action, ...]] = (-1, ())
        for action in legal:
            fits = action.kind is Kind.PLAY and moment.is_playable(hand[action.slot])
            sort: tuple[object, ...] = (action.kind, hand[action.slot] if fits else None)
            if action.kind is Kind.CLUE:
                sort = tuple(action)
            elif not (fits or alike or action.kind is Kind.DECK_PLAY):
                sort = (*sort, kept(hand[action.slot]))
            if sort in seen:
                continue
            seen.add(sort)
            score, rest = best(moment.after(action))
            if score > found[0]:
                found = (score, (action, *rest))
        known[key] = found
        return found

    line = Line(position, best(position)[1])
    return line if line.replay().score < line.replay().points else trimmed(line)


def trimmed(line: Line) -> Line:
    """Cut a line off after its last play onto a stack."""
    points = [position.points for position in line.positions()]
    return Line(line.start, line.actions[: points.index(points[-1])])
