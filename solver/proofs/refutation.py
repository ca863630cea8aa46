"""Why a score is out of reach, in a form that can be checked: the witnesses of a certificate.

A refutation shows that no line lifts every stack to its *cap*. It is of one of these kinds, each
with the fields that `FIELDS` lists; DESIGN.md proves the rules behind them. Nothing here knows of
the search, and whoever makes a certificate uses the same plain functions to find what it states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from solver.game.card import Card
from solver.game.errors import InputError
from solver.game.notation import card_text, cards_text, parse_cards
from solver.game.position import Kind, Position
from solver.models.events import EventModel
from solver.models.schedule import natural_caps
from solver.proofs.lrat import check as check_proof

__all__ = ["FIELDS", "best_ending", "caps_to_refute", "check", "covers", "event_clauses",
           "events_left", "formula_digest", "plays_after", "shared_hand", "waits_for"]  # fmt: skip

FIELDS = {
    "pace": {"events"},
    "release": {"draws", "cards", "plays"},
    "shared-hand": {"states"},
    "final-round": {"states"},
    "clauses": {"variables", "clauses", "sha256", "proof"},
}
"""The kinds of refutations, cheapest first, and their fields beside ``kind`` and ``caps``."""

MOST_CAPS = 20_000
MOST_STATES = 100_000
"""States of the shared-hand relaxation and of a final round that are looked at, at most."""


def events_left(position: Position) -> int:
    """Count the events still to come, each of which can put one card on a stack."""
    if position.turns_left is not None:
        return position.turns_left
    return len(position.pile) + position.rules.players


def caps_to_refute(position: Position, target: int) -> list[tuple[int, ...]]:
    """Give all caps with a sum, none below its stack and none beyond what the cards allow.

    A game that scores ``target`` or more lifts every stack to its cap for at least one of them:
    look at it when it has just reached ``target`` points.

    Raises
    ------
    InputError
        If there are more than `MOST_CAPS`.
    """
    made: list[tuple[tuple[int, ...], int]] = [((), 0)]
    most = natural_caps(position)
    for suit, (stack, cap) in enumerate(zip(position.heights, most, strict=True)):
        above = sum(most[suit + 1 :])
        below = sum(position.heights[suit + 1 :])
        made = [
            ((*caps, height), total + height)
            for caps, total in made
            for height in range(stack, cap + 1)
            if total + height + below <= target <= total + height + above
        ]
        if len(made) > MOST_CAPS:
            raise InputError(f"there are more than {MOST_CAPS} caps with {target} points")
    return [caps for caps, _ in made]


def covers(lower: Sequence[int], caps: Sequence[int]) -> bool:
    """Whether caps are out of reach if the lower ones are."""
    return len(lower) == len(caps) and all(a <= b for a, b in zip(lower, caps, strict=True))


def check(position: Position, target: int, entry: Mapping[str, Any]) -> None:
    """Check one refutation: that ``target`` points cannot be had with its caps.

    Parameters
    ----------
    entry
        The fields of its kind, of the right types.

    Raises
    ------
    InputError
        Saying what does not hold.
    """
    kind, caps = entry["kind"], tuple(entry["caps"])
    bounds = list(zip(position.heights, caps, natural_caps(position), strict=False))
    if len(caps) != len(position.heights) or not all(a <= b <= c for a, b, c in bounds):
        raise InputError("its caps are not between the stacks and what the cards allow")
    if position.end is not None or not position.pile:
        if kind != "final-round":
            raise InputError("there is no card to draw: only a final-round refutation applies")
        _check_ending(position, target, entry)
    elif kind == "pace":
        _same("events", entry, events_left(position))
        if caps != position.heights:
            raise InputError("pace is about any caps: its own must be the stacks")
        if target - position.points <= entry["events"]:
            raise InputError(f"{entry['events']} events are enough")
    elif kind in ("release", "shared-hand") and not position.rules.heights_are_states:
        raise InputError("it is only known for suits that are built in one order")
    elif kind == "release":
        _check_release(position, caps, entry)
    elif kind == "shared-hand":
        states = shared_hand(position, caps)
        if states is None:
            raise InputError("the shared-hand relaxation does not refute its caps")
        _same("states", entry, states)
    elif kind == "clauses":
        _check_clauses(position, target, caps, entry)
    else:
        raise InputError("it is no final round yet")


def _same(field: str, entry: Mapping[str, Any], value: object) -> None:
    if entry[field] != value:
        raise InputError(f"{field} is given as {entry[field]!r}, and it is {value!r}")


def plays_after(position: Position, draws: int) -> int:
    """Count the plays at most of cards that wait for draw number ``draws``, from 1."""
    last = draws == len(position.pile)
    return events_left(position) - draws + (position.rules.deck_play and last)


def waits_for(position: Position, card: Card, draws: int) -> bool:
    """Whether a card above its stack cannot be played before draw number ``draws``, from 1.

    That is so if no copy of it, or of a card below it that is still to be played, is in a hand
    or drawn earlier.
    """
    there = {card for hand in position.hands for card in hand}
    there.update(position.pile[: draws - 1])
    rules, stack = position.rules, position.stacks[card.suit]
    below = range(stack + 1, rules.step(card) + 1)
    return any(rules.card_at(card.suit, step) not in there for step in below)


def _check_release(position: Position, caps: Sequence[int], entry: Mapping[str, Any]) -> None:
    draws = entry["draws"]
    if not 1 <= draws <= len(position.pile):
        raise InputError(f"draws is {draws}, not 1 to {len(position.pile)}")
    _same("plays", entry, plays_after(position, draws))
    ranks = [suit.ranks for suit in position.rules.suits]
    cards = parse_cards(entry["cards"], "".join(position.letters), "cards", ranks)
    if cards_text(sorted(set(cards)), position.letters) != entry["cards"]:
        raise InputError("its cards are not sorted, or one is named twice")
    for card in cards:
        name = card_text(card, position.letters)
        step = position.rules.step(card)
        if not card.is_face or not position.stacks[card.suit] < step <= caps[card.suit]:
            raise InputError(f"{name} is not needed for its caps")
        if not waits_for(position, card, draws):
            raise InputError(f"{name} need not wait for draw {draws}")
    if len(cards) <= entry["plays"]:
        raise InputError(f"{entry['plays']} plays are enough for {len(cards)} cards")


def shared_hand(position: Position, caps: Sequence[int], most: int = MOST_STATES) -> int | None:
    """Refute caps in the game in which all hands are one, without turns and tokens.

    Returns
    -------
    int | None
        The number of states that were looked at, if all are lost; None if the caps can be reached
        there, or if it takes more than ``most`` states or more depth than Python has.
    """
    if position.rules.deck_play or not position.pile:
        return None
    try:
        return _SharedHand(position, caps, most).states()
    except RecursionError:
        return None


class _SharedHand:
    """The shared-hand relaxation: what fits is played at once, trash is thrown away first.

    A state is the stacks, the different useful cards in the hand, and how many cards were drawn.
    Only where the hand is full of useful cards is there a choice: which of those to throw away
    that come again.
    """

    def __init__(self, position: Position, caps: Sequence[int], most: int) -> None:
        self.start = position
        self.rules = position.rules
        self.caps = tuple(caps)
        self.most = most
        self.pile = position.pile
        self.room = self.rules.players * self.rules.hand_size
        self.spare = events_left(position) - sum(caps) + position.points
        self.known: dict[tuple[tuple[int, ...], frozenset[Card], int], bool] = {}

    def states(self) -> int | None:
        if self.spare < 0:
            return 0
        hand = {card for cards in self.start.hands for card in cards if card.is_face}
        held = frozenset(card for card in hand if self.useful(self.start.stacks, card))
        lost = self.lost(self.start.stacks, held, 0)
        return len(self.known) if lost and len(self.known) <= self.most else None

    def useful(self, stacks: Sequence[int], card: Card) -> bool:
        return card.is_face and stacks[card.suit] < self.rules.step(card) <= self.caps[card.suit]

    def lost(self, stacks: tuple[int, ...], held: frozenset[Card], drawn: int) -> bool:
        """Whether the caps are out of reach. An answer past the limit of states is void."""
        state = (stacks, held, drawn)
        if state not in self.known:
            if len(self.known) > self.most:
                return False
            self.known[state] = False
            self.known[state] = self.is_lost(stacks, held, drawn)
        return self.known[state]

    def is_lost(self, stacks: tuple[int, ...], held: frozenset[Card], drawn: int) -> bool:
        while stacks != self.caps:
            next_cards = (
                self.rules.card_at(suit, stack + 1)
                for suit, stack in enumerate(stacks)
                if stack < self.caps[suit]
            )
            fits = next((card for card in next_cards if card in held), None)
            if fits is not None:
                suit = fits.suit
                stacks = (*stacks[:suit], stacks[suit] + 1, *stacks[suit + 1 :])
                held -= {fits}
            elif drawn == len(self.pile):
                return True
            else:
                # Every event so far drew a card, so those that were no plays are the rest.
                played = sum(stacks) - self.start.points
                if drawn - played >= self.spare:
                    return True
                if len(held) == self.room:
                    again = held.intersection(self.pile[drawn:])
                    return all(self.is_lost_after(stacks, held - {c}, drawn) for c in again)
            if drawn < len(self.pile):
                drawn += 1
                if self.is_too_late(stacks, held, drawn):
                    return True
                held = self.with_drawn(stacks, held, drawn)
        return False

    def is_lost_after(self, stacks: tuple[int, ...], held: frozenset[Card], drawn: int) -> bool:
        drawn += 1
        if self.is_too_late(stacks, held, drawn):
            return True
        return self.lost(stacks, self.with_drawn(stacks, held, drawn), drawn)

    def with_drawn(
        self, stacks: Sequence[int], held: frozenset[Card], drawn: int
    ) -> frozenset[Card]:
        card = self.pile[drawn - 1]
        return held | {card} if self.useful(stacks, card) else held

    def is_too_late(self, stacks: Sequence[int], held: frozenset[Card], drawn: int) -> bool:
        """Whether the card just drawn is the very last, and the last turn is too early for it.

        Whoever draws the last card acts last, so if no copy is held nothing can follow on it.
        """
        card = self.pile[drawn - 1]
        last = drawn == len(self.pile) and self.useful(stacks, card) and card not in held
        return last and self.rules.step(card) < self.caps[card.suit]


def _check_ending(position: Position, target: int, entry: Mapping[str, Any]) -> None:
    if tuple(entry["caps"]) != position.heights:
        raise InputError("a final round is about any caps: its own must be the stacks")
    best, states = best_ending(position)
    if best >= target:
        raise InputError(f"the final round can be played to {best} points")
    _same("states", entry, states)


def best_ending(position: Position) -> tuple[int, int]:
    """Give the best score of a position without a draw pile, and how many states there are.

    Nobody acts twice in a final round. So of the hands of those who acted only the sizes matter
    from then on (for whether a clue can be given), and of two cards that do not fit just one; all
    their cards count where some cannot be clued.
    """
    known: dict[tuple[object, ...], int] = {}
    rules = position.rules
    cards_matter = bool(rules.untouchable) or rules.alternating_clues

    def best(moment: Position) -> int:
        held: object = moment.hands if cards_matter else tuple(map(len, moment.hands))
        state = (moment.turns_left, moment.stacks, moment.clues, moment.strikes, held,
                 moment.last_clue)  # fmt: skip
        if state not in known:
            if len(known) >= MOST_STATES:
                raise InputError(f"its final round has more than {MOST_STATES} states")
            hand = moment.hands[moment.seat]
            different = {}
            for action in moment.legal_actions():
                fits = action.kind is Kind.PLAY and moment.is_playable(hand[action.slot])
                hidden = action.kind is Kind.CLUE or not (fits or cards_matter)
                card = None if hidden else hand[action.slot]
                clue = action.slot if action.kind is Kind.CLUE else 0
                different[action.kind, card, clue] = action
            scores = (best(moment.after(action)) for action in different.values())
            known[state] = max(scores, default=moment.score)
        return known[state]

    return best(position), len(known)


def event_clauses(
    position: Position, target: int, caps: Sequence[int]
) -> tuple[int, list[tuple[int, ...]]]:
    """Give variables and clauses that can be met if a game reaches its caps and ``target``.

    They are those of the event model, with a clause for each cap above its stack.
    """
    most = natural_caps(position)
    model = EventModel(position, most, None if target == sum(most) else target)
    if model.impossible:
        return 1, [()]
    variables, clauses = model.formula.cnf()
    for suit, cap in enumerate(caps):
        if cap > position.heights[suit]:
            clauses.append((model.height(suit, cap, model.last),))
    return variables, clauses


def _check_clauses(
    position: Position, target: int, caps: Sequence[int], entry: Mapping[str, Any]
) -> None:
    variables, clauses = event_clauses(position, target, caps)
    _same("variables", entry, variables)
    _same("clauses", entry, len(clauses))
    _same("sha256", entry, formula_digest(variables, clauses))
    check_proof(clauses, entry["proof"])


def formula_digest(variables: int, clauses: Sequence[tuple[int, ...]]) -> str:
    """Give the SHA-256 of the clauses in the DIMACS format."""
    rows = (" ".join(map(str, (*clause, 0))) for clause in clauses)
    text = "\n".join((f"p cnf {variables} {len(clauses)}", *rows, ""))
    return sha256(text.encode()).hexdigest()
