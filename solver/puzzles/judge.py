"""What makes an endgame a puzzle: one answer, a clear one, and none that a rule of thumb finds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import prod

from solver.endgames.endgame import (
    MOST_DRAWS,
    Choice,
    Possible,
    Verdict,
    analyse,
    as_seen,
    useless_faces,
    worlds,
)
from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.clues import is_free
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.notation import card_text
from solver.game.position import Action, Kind, Position
from solver.game.result import Limits
from solver.puzzles.canonical import canonical
from solver.puzzles.greedy import greedy_rank

__all__ = [
    "CLEAR", "LIMITS", "MODEL_WORDS", "TRAPS", "TWINS", "PuzzleReport", "Step", "UndecidedError",
    "choice_named", "choice_words", "examine",
]  # fmt: skip

CLEAR = Fraction(1, 4)
"""By how much the best first move has to beat the second, unless another margin is asked for."""

TWINS = ("token-more", "token-less", "useless-more", "useless-less")
"""The changes that a tight puzzle does not survive: a clue token, a useless card in the pile."""

TRAPS = {
    "play": "the greedy move plays, and the answer is something else",
    "order": "both play, but not the same card",
    "discard": "the greedy move is a discard",
    "clue": "the greedy move is a clue",
}
"""The kinds of traps, in words."""


LIMITS = Limits(nodes=20_000_000)
"""What one position may cost."""


MODEL_WORDS = {
    "open": "all hands are open, the draw order is not known",
    "known": "all hands are open, and the draw order is known",
    "hidden": "nobody knows their own hand at this move, afterwards all hands are open",
}
"""What the players know in each model, in words."""


class UndecidedError(InputError):
    """A limit was reached before a position was decided."""


def choice_words(position: Position, choice: Choice) -> str:
    """Name a choice: ``play r3``, ``misplay useless``, ``discard r3``, ``discard useless``.

    Unknown cards are ``xx``; where they are not alike, ``play card 2 or 3``, the oldest being 1.
    """
    return _words(position, choice.actions[0], useless_faces(position), choice)


def _words(
    position: Position, action: Action, useless: set[Card], choice: Choice | None = None
) -> str:
    if action.kind not in (Kind.PLAY, Kind.DISCARD):
        return position.describe(action)
    hand = position.hands[position.seat]
    card = hand[action.slot]
    if card == UNKNOWN and choice and len(choice.actions) < hand.count(UNKNOWN):
        verb = "discard" if action.kind is Kind.DISCARD else "play"
        return f"{verb} card {' or '.join(str(a.slot + 1) for a in choice.actions)}"
    wrong = card != UNKNOWN and not position.is_playable(card)
    verb = "discard" if action.kind is Kind.DISCARD else "misplay" if wrong else "play"
    return f"{verb} {'useless' if card in useless else card_text(card, position.letters)}"


def choice_named(verdict: Verdict, words: str) -> Choice | None:
    """Find the choice that words such as ``play r3``, ``discard useless`` or ``clue`` mean."""
    position, useless = verdict.position, useless_faces(verdict.position)
    verb, _, what = " ".join(words.lower().split()).partition(" ")
    verb = {"p": "play", "d": "discard", "c": "clue", "misplay": "play", "stall": "clue"}.get(
        verb, verb
    )
    what = {"trash": "useless"}.get(what, what)
    for choice in verdict.choices:
        for action in choice.actions:
            if action.kind is Kind.CLUE:
                names = {"clue"} if not what else set()
            elif action.kind is Kind.DECK_PLAY:
                names = {"play from the draw pile", "play deck"}
            else:
                card = position.hands[position.seat][action.slot]
                kind = "play" if action.kind is Kind.PLAY else "discard"
                names = {f"{kind} {card_text(card, position.letters)}"}
                if card in useless:
                    names.add(f"{kind} useless")
                if card == UNKNOWN:
                    names |= {f"{kind} card {action.slot + 1}", f"{kind} unknown"}
                    if len(choice.actions) < position.hands[position.seat].count(UNKNOWN):
                        names = {f"{kind} card {action.slot + 1}"}
            if f"{verb} {what}".strip() in names:
                return choice
    return None


@dataclass(frozen=True)
class Step:
    """One turn of the main line."""

    before: Position
    action: Action
    drawn: Card | None
    after: Position
    matters: bool
    """Whether some legal action would have been worth less."""
    ways: int
    """Choices there were, times the different cards that could have been drawn."""
    best: int
    """Choices that were the best."""
    forks: bool
    """Whether no answer of the next player is among the best after every draw."""


@dataclass(frozen=True)
class PuzzleReport:
    """What is to be known of a position as a puzzle; the chances are those of full marks.

    What costs more time (`twins`, `line`) is found out when it is first asked for.
    """

    position: Position
    model: str
    verdict: Verdict
    possible: Possible | None = None
    """For ``hidden``: what each card of the player to move may be, None for anything."""

    @property
    def value(self) -> Fraction:
        """The chance after the best first move."""
        return self.verdict.high

    @property
    def second(self) -> Fraction:
        """The chance after the best first move but one; 0 if there is no other."""
        return self.verdict.choices[1].high if len(self.verdict.choices) > 1 else Fraction(0)

    @property
    def margin(self) -> Fraction:
        """The best less the second."""
        return self.value - self.second

    @property
    def moves(self) -> tuple[str, ...]:
        """The best first moves in words; equivalent actions are one."""
        return tuple(choice_words(self.position, choice) for choice in self.verdict.best)

    @property
    def unique(self) -> bool:
        """Whether one first move is better than all others, up to equivalence."""
        return self.margin > 0 and len(self.verdict.choices) > 1

    @cached_property
    def useless(self) -> set[Card]:
        """The faces that can never be played any more."""
        return useless_faces(self.position)

    @cached_property
    def ranked(self) -> tuple[Choice, ...]:
        """The choices as a greedy player ranks them, the better first of those ranked alike."""
        return tuple(sorted(self.verdict.choices, key=self._liking))

    def _greedy_key(self, choice: Choice) -> tuple[int, ...]:
        return greedy_rank(self.position, choice.actions, self.useless, self._known)

    @cached_property
    def _known(self) -> dict[int, Card]:
        """The mover's cards that surely fit (the lowest face they may have), or are useless."""
        position, pool = self.position, {*self.position.pile, USELESS}
        known = {}
        for slot, may_be in enumerate(self.possible or ()):
            faces = pool.intersection(may_be or ())
            if faces and faces <= self.useless:
                known[slot] = USELESS
            elif faces and all(face.is_face and position.is_playable(face) for face in faces):
                known[slot] = min(faces, key=lambda face: (face.rank, face.suit))
        return known

    def _liking(self, choice: Choice) -> tuple[object, ...]:
        return self._greedy_key(choice), -choice.high

    @property
    def greedy(self) -> Choice:
        """The greedy move; the best of them where several are ranked alike."""
        return self.ranked[0]

    @property
    def trap_loss(self) -> Fraction:
        """What the greedy move costs."""
        return self.value - self.greedy.high

    @property
    def greedy_rank(self) -> int:
        """How many choices a greedy player would rather make than the best."""
        best = min(map(self._greedy_key, self.verdict.best))
        return sum(self._greedy_key(choice) < best for choice in self.verdict.choices)

    @property
    def trap_kind(self) -> str | None:
        """Which of `TRAPS` the greedy move falls into; None if it is right."""
        if not self.trap_loss:
            return None
        greedy, best = self.greedy.actions[0], self.verdict.best[0].actions[0]
        if greedy.kind is Kind.CLUE:
            return "clue"
        if greedy.kind is Kind.DISCARD:
            return "discard"
        fits = best.kind is Kind.DECK_PLAY or self._greedy_key(self.verdict.best[0])[0] == 0
        return "order" if fits else "play"

    @cached_property
    def twins(self) -> dict[str, bool]:
        """For each change of `TWINS` that can be made: whether it changes the answer.

        The answer is the best first moves with their chance.
        """
        found = {name: self.twin(name) for name in TWINS}
        return {name: changed for name, changed in found.items() if changed is not None}

    def twin(self, name: str) -> bool | None:
        """Say whether a change of `TWINS` changes the answer; None if it cannot be made."""
        twin = _twin(self.position, name, self.useless, self.possible)
        if twin is None:
            return None
        other = examine(twin, self.model, self.possible)
        return (other.moves, other.value) != (self.moves, self.value)

    @property
    def passed(self) -> Fraction:
        """The chance if the player to move could pass without a token; not for ``hidden``."""
        position = self.position
        left = position.turns_left
        return self.worth(
            replace(
                position,
                seat=(position.seat + 1) % position.rules.players,
                turns_left=None if left is None else left - 1,
            )
        )

    @property
    def tight(self) -> bool:
        """Whether every twin that there is has another answer."""
        return all(self.twins.values())

    @cached_property
    def line(self) -> tuple[Step, ...]:
        """The main line: best play, where the kindest card is drawn, up to the last decision.

        Among equally good actions the greedy one is taken; of those that a greedy player ranks
        alike, and of the draws that leave the same chance, the one whose outcome has the first
        canonical form, so that the line does not depend on names. The tail in which no choice
        matters any more is cut off. The model ``hidden`` has no line: what happens depends on
        cards that are not known.
        """
        if self.model == "hidden":
            return ()
        steps = _main_line(self.position, self.model, self.verdict)
        decisions = [number for number, step in enumerate(steps, 1) if step.matters]
        return tuple(steps[: decisions[-1]] if decisions else [])

    @property
    def depth(self) -> int:
        """Turns of the main line until nothing is left to decide."""
        return len(self.line)

    @property
    def only_moves(self) -> int:
        """Turns of the main line at which one choice is better than all others."""
        return sum(step.matters and step.best == 1 for step in self.line)

    @property
    def ties(self) -> int:
        """Turns of the main line at which a choice matters, but more than one is best."""
        return sum(step.matters and step.best > 1 for step in self.line)

    @property
    def forks(self) -> int:
        """Draws of the main line to which no answer is the best whatever is drawn."""
        return sum(step.forks for step in self.line)

    @property
    def difficulty(self) -> int:
        """An estimate; the more, the harder.

        The binary digits of the number of ways through the decisions of the main line (choices
        times different draws, all multiplied), four for each choice that a greedy player prefers
        (at most five of them), and up to ten for how near the second comes to the best.
        """
        ways = prod(step.ways for step in self.line if step.matters)
        near = int(10 * self.second / self.value) if self.value else 0
        return ways.bit_length() + 4 * min(self.greedy_rank, 5) + near

    @cached_property
    def canonical(self) -> str:
        """The same text for puzzles that differ in names only."""
        return f"{self.model} {canonical(self.position, self.useless, self.possible)}"

    @property
    def puzzle_id(self) -> str:
        """Ten digits made from the canonical form."""
        return sha256(self.canonical.encode()).hexdigest()[:10]

    def worth(self, position: Position) -> Fraction:
        """Give the chance in another position, in the same model."""
        if position.end is not None:
            return Fraction(position.score == position.rules.max_score)
        return _verdict(position, self.model).high

    def faults(self, margin: Fraction = CLEAR) -> list[str]:
        """Say why this is no good puzzle; nothing if it is one."""
        if not self.value:
            return ["it cannot be won"]
        if len(self.verdict.choices) < 2:
            return ["there is no choice"]
        if not self.unique:
            return [f"{len(self.moves)} first moves are equally good: {', '.join(self.moves)}"]
        found = []
        if self.margin < margin:
            found.append(f"the margin is {self.margin}, less than {margin}")
        same = [name for name, changed in self.twins.items() if not changed]
        if same:
            found.append(f"not tight, for these leave the answer: {', '.join(same)}")
        return found


def examine(
    position: Position, model: str = "open", possible: Possible | None = None
) -> PuzzleReport:
    """Judge a position as a puzzle: full marks are to be reached.

    Parameters
    ----------
    model
        What the players know, as for `solver.endgames.endgame.analyse`. What they do not know is
        forgotten: the draw order, and for ``hidden`` the mover's hand, unless some card is unknown.
    possible
        For ``hidden``: what each card of the mover may be; see `solver.endgames.endgame.analyse`.

    Raises
    ------
    InputError
        If the game is over, or the model does not fit.
    UndecidedError
        If `LIMITS` are reached.
    """
    if model != "known":
        position = as_seen(position.unordered(), model)
    return PuzzleReport(position, model, _verdict(position, model, possible), possible)


def _verdict(position: Position, model: str, possible: Possible | None = None) -> Verdict:
    if not is_free(position):
        raise UnsupportedRulesError(
            "puzzles are not covered where it may be that no clue touches a card in another hand"
        )
    verdict = analyse(position, model, limits=LIMITS, possible=possible)
    if not verdict.exact:
        raise UndecidedError(f"too hard: not decided with {LIMITS.nodes:,} nodes")
    return verdict


def _twin(
    position: Position, name: str, useless: set[Card], possible: Possible | None
) -> Position | None:
    """Make the change, if it can be made; a useless card is put or taken as near the top.

    What is taken may not be a card that the mover is known to hold.
    """
    rules, pile, size = position.rules, position.pile, position.pile_size
    kind, _, sense = name.partition("-")
    if kind == "token":
        clues = position.clues + (rules.clue_price if sense == "more" else -rules.clue_price)
        return replace(position, clues=clues) if 0 <= clues <= rules.max_clues else None
    if sense == "more":
        if not 0 < size < MOST_DRAWS:
            return None
        pile = (USELESS, *pile)
    else:
        places = [place for place, card in enumerate(pile) if card in useless]
        shorter = (pile[:at] + pile[at + 1 :] for at in places if size > 1)
        twins = (replace(position, pile=cards) for cards in shorter)
        fit = (t.pile for t in twins if possible is None or any(worlds(t, possible)))
        if (rest := next(fit, None)) is None:
            return None
        pile = rest
    return replace(position, pile=pile if position.ordered else tuple(sorted(pile)))


def _main_line(position: Position, model: str, verdict: Verdict) -> list[Step]:
    steps = []
    while True:
        useless = useless_faces(position)
        best = [action for choice in verdict.best for action in choice.actions]
        action = _greediest(position, best, useless)
        matters = verdict.choices[-1].high < verdict.high
        draws = _draws(position, action, useless)
        drawn, after, following, forks = _kindest(position, action, model, draws)
        ways = len(verdict.choices) * len(draws)
        counts = ways, len(verdict.best)
        steps.append(Step(position, action, drawn, after, matters, *counts, forks))
        if following is None:
            return steps
        position, verdict = after, following


def _greediest(position: Position, best: list[Action], useless: set[Card]) -> Action:
    ranks = {action: greedy_rank(position, [action], useless) for action in best}
    hand, least = position.hands[position.seat], min(ranks.values())
    alike = {
        hand[action.slot] if action.kind in (Kind.PLAY, Kind.DISCARD) else None: action
        for action in best
        if ranks[action] == least
    }
    if len(alike) == 1 or least[0] == 1:
        return next(action for action in best if ranks[action] == least)

    def outcomes(action: Action) -> list[str]:
        draws = _draws(position, action, useless)
        return sorted(_form(position.after(action, drawn)) for drawn in draws)

    return min(alike.values(), key=outcomes)


def _form(position: Position) -> str:
    return canonical(position, useless_faces(position))


def _draws(position: Position, action: Action, useless: set[Card]) -> list[Card | None]:
    """Give the different cards that may be drawn after an action, useless ones being one."""
    if action.kind is Kind.CLUE or not position.pile_size:
        return [None]
    if position.ordered:
        return [position.pile[0]]
    faces = list(dict.fromkeys(position.pile))
    spare = [card for card in faces if card in useless]
    return [card for card in faces if card not in spare[1:]]


def _kindest(
    position: Position, action: Action, model: str, draws: list[Card | None]
) -> tuple[Card | None, Position, Verdict | None, bool]:
    """Give the draw after an action that leaves the best chance, and what is the case then.

    And whether no answer is the best after every draw: the next player's hand is the same after
    all of them, so that actions can be compared.
    """
    found = []
    for drawn in draws:
        after = position.after(action, drawn)
        verdict = None if after.end else _verdict(after, model)
        won = Fraction(after.score == after.rules.max_score)
        found.append((verdict.high if verdict else won, drawn, after, verdict))
    most = max(item[0] for item in found)
    best = [item for item in found if item[0] == most]
    answers = [{a for c in v.best for a in c.actions} for _, _, _, v in found if v is not None]
    forks = bool(answers) and not set.intersection(*answers)
    _, drawn, after, verdict = (
        best[0] if len(best) == 1 else min(best, key=lambda item: _form(item[2]))
    )
    return drawn, after, verdict, forks
