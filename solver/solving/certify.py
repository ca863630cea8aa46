"""Make certificates: find for every way to score one point more the cheapest refutation."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from solver.game.card import Card
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.notation import cards_text
from solver.game.position import Action, Kind, Position
from solver.game.result import Result
from solver.game.rules import Ending
from solver.proofs.certificate import target_above, verify, write
from solver.proofs.refutation import (
    best_ending,
    caps_to_refute,
    covers,
    event_clauses,
    events_left,
    formula_digest,
    plays_after,
    shared_hand,
    waits_for,
)

__all__ = ["OutOfTimeError", "certify", "completed", "refutations"]

Refutation = dict[str, Any]


class OutOfTimeError(Exception):
    """The limit of seconds was reached."""


def certify(result: Result, seconds: float | None = None) -> str:
    """Write the certificate of a proven result.

    Parameters
    ----------
    seconds
        How long it may take; the engine's own proof is not used, so this starts from nothing.

    Raises
    ------
    OutOfTimeError
        If it takes longer.
    InputError
        If the result is not proven.
    UnsupportedRulesError
        If a clause proof is needed and the event model does not cover the rules.
    AssertionError
        If the bound does not hold: a fault of the engine.
    """
    if not result.proven:
        raise InputError("only a proven optimum has a certificate")
    line = completed(result.line)
    target = target_above(line.start, result.score)
    found = [] if target is None else refutations(line.start, target, seconds)
    text = write(line, found)
    try:
        verify(text)
    except InputError as error:
        raise AssertionError(f"{line.start.text()}: a certificate with a fault: {error}") from None
    return text


def refutations(position: Position, target: int, seconds: float | None = None) -> list[Refutation]:
    """Find refutations of all ways to score ``target`` points or more; exceptions as `certify`."""
    if position.rules.ending is not Ending.FINAL_ROUND:
        raise UnsupportedRulesError(
            f"proofs are not known for games with the ending {position.rules.ending.value}"
        )
    return _Prover(position, target, seconds).refutations()


def completed(line: Line) -> Line:
    """Play a line on to the end of the game without losing it, by clues and discards."""
    last = line.replay()
    actions = _plain_rest(last)
    if actions is None:
        actions = _rest(last, last.score, set())
    if actions is None:
        raise AssertionError(f"no game ends as this line says: {line.start.text()}")
    return Line(line.start, (*line.actions, *actions))


def _ranked(moment: Position) -> list[Action]:
    """List the legal actions, first those that keep a game going: discards, clues when full."""
    full = moment.clues == moment.rules.max_clues
    first, second = (Kind.CLUE, Kind.DISCARD) if full else (Kind.DISCARD, Kind.CLUE)
    order = (first, second, Kind.PLAY, Kind.DECK_PLAY)
    return sorted(moment.legal_actions(), key=lambda action: order.index(action.kind))


def _plain_rest(moment: Position) -> list[Action] | None:
    """Play on without a choice; None if that needs a play."""
    actions: list[Action] = []
    while moment.end is None:
        action = _ranked(moment)[0]
        if action.kind not in (Kind.CLUE, Kind.DISCARD):
            return None
        actions.append(action)
        moment = moment.after(action)
    return actions


def _rest(moment: Position, score: int, hopeless: set[Position]) -> list[Action] | None:
    """Play on to an end with this score, trying everything; None if there is no such end."""
    if moment.end is not None:
        return [] if moment.score == score else None
    if moment not in hopeless:
        for action in _ranked(moment):
            found = _rest(moment.after(action), score, hopeless)
            if found is not None:
                return [action, *found]
        hopeless.add(moment)
    return None


class _Prover:
    """The search for refutations of one target."""

    def __init__(self, position: Position, target: int, seconds: float | None) -> None:
        self.position = position
        self.target = target
        self.until = None if seconds is None else time.monotonic() + seconds

    def go_on(self) -> None:
        if self.until is not None and time.monotonic() > self.until:
            raise OutOfTimeError

    def refutations(self) -> list[Refutation]:
        position = self.position
        left = caps_to_refute(position, self.target)
        if not left:
            return []
        everything = {"caps": list(position.heights)}
        if position.end is not None or not position.pile:
            states = best_ending(position)[1]
            return [{"kind": "final-round", **everything, "states": states}]
        if self.target - position.points > events_left(position):
            return [{"kind": "pace", **everything, "events": events_left(position)}]
        found = []
        for refute in (self.release, self.shared_hand, self.clauses):
            hard = []
            while left:
                self.go_on()
                entry = refute(left[0])
                if entry is None:
                    hard.append(left.pop(0))
                    continue
                found.append(entry)
                left = [caps for caps in left if not covers(entry["caps"], caps)]
            left = hard
        if left:
            raise AssertionError(f"{left[0]} can be reached from {position.text()}")
        return self.needed(found)

    def needed(self, found: list[Refutation]) -> list[Refutation]:
        """Leave out the refutations whose caps are covered by the others, the first one first."""
        covering = [{n for n, entry in enumerate(found) if covers(entry["caps"], caps)}
                    for caps in caps_to_refute(self.position, self.target)]  # fmt: skip
        kept = []
        for number, entry in enumerate(found):
            if {number} in covering:
                kept.append(entry)
            else:
                for numbers in covering:
                    numbers.discard(number)
        return kept

    def release(self, caps: Sequence[int]) -> Refutation | None:
        """Find the most crowded draw, and just so many cards that must wait for it."""
        position, rules = self.position, self.position.rules
        if not rules.heights_are_states:
            return None
        crowded: tuple[int, int, list[Card]] = (0, 0, [])
        for draws in range(1, len(position.pile) + 1):
            cards = [
                card
                for suit, cap in enumerate(caps)
                for step in range(position.stacks[suit] + 1, cap + 1)
                if waits_for(position, card := rules.card_at(suit, step), draws)
            ]
            crowded = max(crowded, (len(cards) - plays_after(position, draws), draws, cards))
        excess, draws, cards = crowded
        if excess <= 0:
            return None
        # One card too many is enough; leave out the highest of the suits with the fewest.
        for _ in range(excess - 1):
            sizes = [sum(card.suit == suit for card in cards) for suit in range(len(caps))]
            fewest = min(suit for suit in range(len(caps)) if sizes[suit] ==
                         min(size for size in sizes if size))  # fmt: skip
            cards.remove(max((c for c in cards if c.suit == fewest), key=rules.step))
        need = list(position.stacks)
        for card in cards:
            need[card.suit] = max(need[card.suit], rules.step(card))
        return {"kind": "release", "caps": need, "draws": draws,
                "cards": cards_text(sorted(cards), position.letters),
                "plays": plays_after(position, draws)}  # fmt: skip

    def shared_hand(self, caps: Sequence[int]) -> Refutation | None:
        """Refute the caps in the shared-hand relaxation, then lower ones as long as it holds."""
        ordered = self.position.rules.heights_are_states
        states = shared_hand(self.position, caps) if ordered else None
        if states is None:
            return None
        need = list(caps)
        for suit, stack in enumerate(self.position.stacks):
            while need[suit] > stack:
                self.go_on()
                lower = [*need[:suit], need[suit] - 1, *need[suit + 1 :]]
                fewer = shared_hand(self.position, lower)
                if fewer is None:
                    break
                need, states = lower, fewer
        return {"kind": "shared-hand", "caps": need, "states": states}

    def clauses(self, caps: Sequence[int]) -> Refutation | None:
        """Refute the caps in the event model, and find out which of them it takes."""
        from solver.solving.drup import core, refute

        position = self.position
        _, model = event_clauses(position, self.target, position.heights)
        _, asked = event_clauses(position, self.target, caps)
        literals = [clause[0] for clause in asked[len(model) :]]
        needed = core(model, literals, self.go_on)
        if needed is None:
            return None
        need = list(position.heights)
        # Where the model is impossible as it is, it has no literals for caps, and needs none.
        raised = [s for s, cap in enumerate(caps) if cap > position.heights[s] and literals]
        for suit, literal in zip(raised, literals, strict=True):
            if literal in needed:
                need[suit] = caps[suit]
        variables, clauses = event_clauses(position, self.target, need)
        proof = refute(clauses, self.go_on)
        if proof is None:
            raise AssertionError(f"the core {need} is none for {position.text()}")
        return {"kind": "clauses", "caps": need, "variables": variables, "clauses": len(clauses),
                "sha256": formula_digest(variables, clauses), "proof": proof}  # fmt: skip
