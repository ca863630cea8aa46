"""An independent replayer of hanab.live actions. It shares nothing with the solver.

The rules are those of the printed game in hanab.live's *No Variant*: upward suits, every clue
names a colour (suit index) or a rank and touches a card of another player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

PLAY, DISCARD, COLOUR_CLUE, RANK_CLUE, END_GAME = 0, 1, 2, 3, 4


class Replayed(NamedTuple):
    """What a replay came to."""

    score: int
    turns: int
    strikes: int
    clues: int
    over: bool


class ReplayError(Exception):
    """An action that the rules forbid; the message names its turn, from 1."""


def replay(
    players: int,
    hand_size: int,
    deck: Sequence[tuple[int, int]],
    actions: Sequence[Mapping[str, int]],
    *,
    tokens: int = 8,
    strikes: int = 3,
    lost_scores: bool = False,
) -> Replayed:
    """Play actions ``{type, target, value}`` out and check each.

    ``type`` is 0 play, 1 discard, 2 colour clue, 3 rank clue, 4 the end of the game as hanab.live
    writes it (only as the last action); ``target`` is a card's place in the deck, or a seat.

    Parameters
    ----------
    deck
        Pairs (suit, rank) with ranks from 1, the first card dealt first.
    tokens
        Clue tokens at the start and at most.
    strikes
        The strike limit.
    lost_scores
        Whether a game at the strike limit scores what lies on the stacks.
    """
    hands = [list(range(p * hand_size, (p + 1) * hand_size)) for p in range(players)]
    top = players * hand_size
    ranks = {suit: max(r for s, r in deck if s == suit) for suit in {s for s, _ in deck}}
    stacks = dict.fromkeys(ranks, 0)
    clues, struck, seat, turn = tokens, 0, 0, 0
    last_turns = players if top >= len(deck) else None
    for turn, action in enumerate(actions, 1):
        kind, target = action["type"], action["target"]
        if kind == END_GAME:
            if turn != len(actions):
                raise ReplayError(f"turn {turn}: actions after the end of the game")
            turn -= 1
            break
        if struck >= strikes or last_turns == 0 or stacks == ranks:
            raise ReplayError(f"turn {turn}: the game is over")
        if last_turns is not None:
            last_turns -= 1
        if kind in (COLOUR_CLUE, RANK_CLUE):
            value = action["value"]
            if clues < 1:
                raise ReplayError(f"turn {turn}: no clue token")
            if target == seat or not 0 <= target < players:
                raise ReplayError(f"turn {turn}: seat {seat} cannot clue seat {target}")
            if not any(deck[c][kind - COLOUR_CLUE] == value for c in hands[target]):
                raise ReplayError(f"turn {turn}: the clue touches nothing")
            clues -= 1
        elif kind in (PLAY, DISCARD):
            if target not in hands[seat]:
                raise ReplayError(f"turn {turn}: seat {seat} does not hold card {target}")
            suit, rank = deck[target]
            hands[seat].remove(target)
            if kind == DISCARD:
                if clues >= tokens:
                    raise ReplayError(f"turn {turn}: discard at full tokens")
                clues += 1
            elif rank == stacks[suit] + 1:
                stacks[suit] = rank
                if rank == ranks[suit] and clues < tokens:
                    clues += 1
            else:
                struck += 1
            if top < len(deck):
                hands[seat].append(top)
                top += 1
                if top == len(deck):
                    last_turns = players
        else:
            raise ReplayError(f"turn {turn}: no action has the type {kind}")
        seat = (seat + 1) % players
    lost = struck >= strikes
    return Replayed(
        score=0 if lost and not lost_scores else sum(stacks.values()),
        turns=turn,
        strikes=struck,
        clues=clues,
        over=lost or last_turns == 0 or stacks == ranks,
    )
