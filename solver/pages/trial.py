"""Trying one's hand at a deal: what was done so far, and whether the win is still there."""

from __future__ import annotations

from typing import Any

from solver.endgames.policy import action_name
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.pages.page import board
from solver.questions.review import values_along
from solver.reading.specs import Asked, Suits, named
from solver.solving.choice import solve

__all__ = ["LONGEST_SPEC", "MOST_MOVES", "deal_named", "trial"]

LONGEST_SPEC = 1000
"""Characters of a spec; links have at most 900."""

MOST_MOVES = 400
"""More than any game has turns."""

KINDS = {"play": Kind.PLAY, "discard": Kind.DISCARD, "clue": Kind.CLUE, "deck": Kind.DECK_PLAY}
NAMES = {kind: name for name, kind in KINDS.items()}


def deal_named(
    spec: object,
    players: int | None = None,
    variant: Suits | Asked = None,
    strict: bool = True,
) -> Deal:
    """Give the one deal that a spec names; files are none here.

    Parameters
    ----------
    players, variant, strict
        As for `solver.reading.specs.named`.

    Raises
    ------
    InputError
        If it is no seed, source, link or deck string, or names several deals.
    """
    if not isinstance(spec, str) or not 0 < len(spec) <= LONGEST_SPEC:
        raise InputError(f"spec is not a text of 1 to {LONGEST_SPEC:,} characters")
    return named(spec, players, variant, strict)


def trial(
    spec: object,
    moves: object,
    limits: Limits,
    players: int | None = None,
    variant: Suits | Asked = None,
) -> dict[str, Any]:
    """Say where a trial stands.

    Parameters
    ----------
    spec
        Which deal, for `deal_named`.
    moves
        What was done: pairs of ``play``, ``discard``, ``clue`` or ``deck`` and the card's place in
        the hand, 0 for the draw pile, for clues 0 or their type (`solver.game.position.Action`).
    limits
        What it may cost; nodes are for each position that is solved.
    players, variant
        What counts where the spec does not say it, and the house rules for all deals.

    Raises
    ------
    InputError
        If something given is wrong, or an action illegal.
    """
    deal = deal_named(spec, players, variant, strict=False)
    positions = [Position.start(deal)]
    actions = _actions(moves)
    log = []
    for turn, action in enumerate(actions, 1):
        before = positions[-1]
        try:
            positions.append(before.after(action))
        except InputError as error:
            raise type(error)(f"turn {turn}: {error}") from None
        log.append(f"seat {before.seat}: {action_name(before, action)}")
    spans, _ = values_along(positions, limits)
    full = deal.rules.max_score
    gone = next((turn for turn, span in enumerate(spans) if span.high < full), None)
    if gone is not None and gone > 0 and spans[gone - 1].low < full:
        gone = None
    last = positions[-1]
    best = None
    if last.end is None:
        line = solve(last, Limits(limits.nodes, limits.seconds, spans[-1].low)).line
        best = action_name(last, line.actions[0]) if line.actions else None
    return {
        "name": deal.name or "deal",
        "board": board(last),
        "end": None if last.end is None else last.end.value,
        "score": last.score,
        "full": full,
        "optimum": spans[-1].low,
        "bound": spans[-1].high,
        "gone": gone,
        "best": best,
        "legal": [[NAMES[action.kind], action.slot] for action in last.legal_actions()],
        "log": [[words, turn == gone] for turn, words in enumerate(log, 1)],
    }


def _actions(moves: object) -> list[Action]:
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise InputError(f"moves is not a list of at most {MOST_MOVES}")
    actions = []
    for number, move in enumerate(moves, 1):
        if not (
            isinstance(move, list)
            and len(move) == 2
            and isinstance(move[0], str)
            and move[0] in KINDS
            and type(move[1]) is int
            and 0 <= move[1] < 100
        ):
            raise InputError(f"move {number} is not a kind of action and a place in the hand")
        actions.append(Action(KINDS[move[0]], move[1]))
    return actions
