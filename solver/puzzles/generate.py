"""Puzzles from self-play: shuffled deals, played greedily down to the last few cards."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import islice

from solver.endgames.endgame import MODELS, Possible, useless_faces, worlds
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.rules import Rules
from solver.puzzles.greedy import greedy_key
from solver.puzzles.judge import (
    CLEAR,
    TRAPS,
    TWINS,
    PuzzleReport,
    UndecidedError,
    examine,
)
from solver.puzzles.measures import MEASURES
from solver.puzzles.themes import THEMES, themes
from solver.questions.tightness import pace

__all__ = [
    "FACTS", "SELF_PLAY_TOKENS", "VERSION", "Found", "Wanted", "digest", "generate", "self_play",
]  # fmt: skip

VERSION = 2
"""Changes whenever the same arguments give other puzzles."""

PASS = "pass"
"""The twin in which the turn is passed without a token: it counts only if it is asked for."""

MOST_WORLDS = 3_000
"""A hidden hand that may be more than so many is passed over: it would take too long."""

MOST_HIDDEN = 7
"""Cards to draw at most in the model hidden."""

FACTS = (3, 7)
"""Facts that are known of a hidden hand at least and at most, if nothing else is asked for."""

SELF_PLAY_TOKENS = (0, 2)
"""Clue tokens at least and at most, if nothing else is asked for."""


@dataclass(frozen=True)
class Wanted:
    """What puzzles are asked for.

    Parameters
    ----------
    deck
        Cards in the draw pile.
    tokens
        Clue tokens at least and at most: the count is drawn for each deal. None for as many as
        the game has there.
    margin
        By how much the best first move has to beat the second.
    themes
        All of these the puzzle must have.
    trap
        Whether the greedy move has to fail.
    tight
        Whether every twin has to have another answer.
    games
        What the games are known by (`digest`), if positions come from games; ``seed`` counts then
        for the tokens only.
    most_tokens
        Clue tokens at most in self-play, 1 or more; None for the printed game's.
    ranges
        For some of `MEASURES` the least and the most there may be, None for no upper end.
    trap_kinds
        One of these kinds the trap must be of, if any are given.
    twins
        Each of these must be there and have another answer, besides what `tight` asks for: some of
        `TWINS`, or ``pass``, the turn passed without a token.
    without
        None of these themes the puzzle may have.
    facts
        For ``hidden``: how many facts the player to move knows of the own hand, at least and at
        most. A fact is the suit or the rank of one card; which are known is drawn for each deal.
    """

    players: int
    deck: int
    seed: int = 1
    model: str = "open"
    tokens: tuple[int, int] | None = SELF_PLAY_TOKENS
    margin: Fraction = CLEAR
    themes: tuple[str, ...] = ()
    trap: bool = False
    tight: bool = True
    games: str = ""
    most_tokens: int | None = None
    ranges: tuple[tuple[str, Fraction, Fraction | None], ...] = ()
    trap_kinds: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    facts: tuple[int, int] = FACTS

    @property
    def rules(self) -> Rules:
        """The rules of self-play."""
        rules = Rules.standard(self.players)
        most = rules.max_clues if self.most_tokens is None else self.most_tokens
        return replace(rules, max_clues=most, start_clues=most)

    def __post_init__(self) -> None:
        rules = self.rules
        most = rules.deck_size - rules.players * rules.hand_size
        if not 1 <= self.deck <= min(most, 12):
            raise InputError(f"deck is {self.deck}, not 1 to {min(most, 12)}")
        if self.model not in MODELS:
            raise InputError(f"model {self.model!r} is not one of {', '.join(MODELS)}")
        least, top = self.tokens or (0, 0)
        if not 0 <= least <= top <= rules.max_clues:
            raise InputError(f"tokens are {least} to {top}, not some of 0 to {rules.max_clues}")
        if not 0 <= self.margin <= 1:
            raise InputError(f"margin is {self.margin}, not 0 to 1")
        _require("theme", (*self.themes, *self.without), THEMES)
        _require("trap", self.trap_kinds, TRAPS)
        _require("twin", self.twins, (*TWINS, PASS))
        _require("measure", [name for name, _, _ in self.ranges], MEASURES)
        if both := set(self.themes) & set(self.without):
            raise InputError(f"theme {min(both)!r} is both wanted and not")
        for name, low, high in self.ranges:
            if low < 0 or (high is not None and high < low):
                raise InputError(f"{name} is {low} to {high}, which is no range from 0 on")
            if self.model not in MEASURES[name].models:
                raise InputError(f"{name} is not for the model {self.model}")
            if self.deck > MEASURES[name].most_cards:
                raise InputError(
                    f"{name} is for at most {MEASURES[name].most_cards} cards to draw: "
                    "all draw orders are looked at"
                )
        if self.model == "hidden":
            if PASS in self.twins:
                raise InputError("twin 'pass' is not for the model hidden")
            if not 0 <= self.facts[0] <= self.facts[1]:
                raise InputError(f"facts are {self.facts[0]} to {self.facts[1]}")
            if self.deck > MOST_HIDDEN:
                raise InputError(f"deck is {self.deck}: the model hidden has at most {MOST_HIDDEN}")

    def text(self) -> str:
        """Write everything that the puzzles depend on, the generator's version first."""
        tokens = "-".join(map(str, self.tokens)) if self.tokens else "natural"
        words = [
            f"hanabi puzzle generate {VERSION}",
            f"players={self.players} deck={self.deck} seed={self.seed} model={self.model}",
            f"tokens={tokens} margin={self.margin}",
            *(f"theme={name}" for name in self.themes),
            *["trap"] * self.trap,
            *["loose"] * (not self.tight),
            *[f"games={self.games}"] * bool(self.games),
            *[f"most-tokens={self.most_tokens}"] * (self.most_tokens is not None),
            *(f"{name}={low}-{'' if high is None else high}" for name, low, high in self.ranges),
            *(f"trap-kind={name}" for name in self.trap_kinds),
            *(f"twin={name}" for name in self.twins),
            *(f"without={name}" for name in self.without),
            *[f"facts={self.facts[0]}-{self.facts[1]}"] * (self.model == "hidden"),
        ]
        return " ".join(words)


def _require(what: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise InputError(f"{what} {name!r} is not one of {', '.join(known)}")


@dataclass(frozen=True)
class Found:
    """A puzzle, and the number of the deal that it comes from."""

    report: PuzzleReport
    deal: int


def generate(
    wanted: Wanted,
    first: int = 0,
    known: Collection[str] = (),
    patience: int | None = None,
    progress: Callable[[int, int], object] = lambda puzzles, deals: None,
    games: Sequence[Line] | None = None,
) -> Iterator[Found]:
    """Give puzzles, at most one for each deal, in the order of the deals.

    Parameters
    ----------
    first
        The number of the deal to begin with: deals do not depend on one another.
    known
        The identities of the puzzles found before, which are not given again.
    patience
        Stop after so many deals without a puzzle; None for never.
    progress
        Is told how many puzzles there are, and how many deals have been looked at.
    games
        Take the positions of these games, each one a deal, rather than self-play.
    """
    names = set(known)
    number = last = first
    while patience is None or number - last < patience:
        if games is not None and number >= len(games):
            return
        dice = random.Random(f"{wanted.seed}/{wanted.players}/{wanted.deck}/{number}")
        if games is None:
            found = [self_play(wanted, dice)]
        else:
            found = [_prepared(p, wanted, dice) for p in games[number].positions()]
        for position in found:
            report = None if position is None else _report(position, wanted, dice)
            if report and report.puzzle_id not in names and _is_wanted(report, wanted):
                names.add(report.puzzle_id)
                last = number + 1
                yield Found(report, number)
                break
        number += 1
        progress(len(names), number)


def digest(games: Sequence[Line]) -> str:
    """Give ten digits that tell games from others."""
    text = "\n".join(f"{game.start.text()} {game.actions}" for game in games)
    return sha256(text.encode()).hexdigest()[:10]


def _report(position: Position, wanted: Wanted, dice: random.Random) -> PuzzleReport | None:
    """Judge a position; one that the engines do not cover, or cannot decide, is passed over."""
    possible = None
    if wanted.model == "hidden":
        possible = _possible(position, wanted.facts, dice)
        if sum(1 for _ in islice(worlds(position, possible), MOST_WORLDS + 1)) > MOST_WORLDS:
            return None
    try:
        return examine(position, wanted.model, possible)
    except (UnsupportedRulesError, UndecidedError):
        return None


def _possible(position: Position, facts: tuple[int, int], dice: random.Random) -> Possible:
    """Draw which suits and ranks of the own hand are known, and give what each card may be."""
    hand = position.hands[position.seat]
    every = [(slot, field) for slot in range(len(hand)) for field in ("suit", "rank")]
    known = dice.sample(every, min(dice.randint(*facts), len(every)))
    unseen = {*position.pile, *hand}
    found: list[Collection[Card] | None] = []
    for slot, card in enumerate(hand):
        fields = [field for at, field in known if at == slot]
        alike = {c for c in unseen if all(getattr(c, f) == getattr(card, f) for f in fields)}
        found.append(sorted(alike) if fields else None)
    return found


def _is_wanted(report: PuzzleReport, wanted: Wanted) -> bool:
    """Look at the cheap criteria first; what cannot be decided is not wanted."""
    try:
        return _fits(report, wanted)
    except UndecidedError:
        return False


def _fits(report: PuzzleReport, wanted: Wanted) -> bool:
    if not report.unique or report.margin < wanted.margin:
        return False
    if wanted.trap and not report.trap_loss:
        return False
    if wanted.trap_kinds and report.trap_kind not in wanted.trap_kinds:
        return False
    if wanted.tight and not report.tight:
        return False
    if not all(_differs(report, name) for name in wanted.twins):
        return False
    found = set(themes(report)) if wanted.themes or wanted.without else set()
    if not set(wanted.themes) <= found or found & set(wanted.without):
        return False
    return all(
        low <= (much := MEASURES[name].of(report)) and (high is None or much <= high)
        for name, low, high in sorted(wanted.ranges, key=lambda item: list(MEASURES).index(item[0]))
    )


def _differs(report: PuzzleReport, twin: str) -> bool:
    """Whether there is such a twin, and its answer is another; of a passed turn, its chance."""
    return report.passed != report.value if twin == PASS else report.twin(twin) is True


def self_play(wanted: Wanted, dice: random.Random) -> Position | None:
    """Deal, play down to the draw pile's size, and set the clue tokens.

    Everybody sees everything but the draw pile, and makes the greedy move, but rather clues than
    throws a needed card away. Such games end with turns to spare, where every move wins; so as long
    as the pace is above a number drawn for each deal, a player who can throw away a useless card
    does so, more or less often, though a card can be played, and up to three suits are
    left for later.
    None if a needed card was lost on the way, or all stacks are complete.
    """
    rules = wanted.rules
    deck = rules.sorted_deck()
    dice.shuffle(deck)
    position = Position.start(Deal(rules, tuple(deck)))
    spare, idle = dice.randint(0, 2), dice.choice((60, 80, 100))
    late = set(dice.sample(range(len(rules.suits)), dice.randint(0, 3)))
    while position.pile_size > wanted.deck:
        useless = _useless(position)
        if useless is None or position.end is not None:
            return None
        action = None
        if pace(position) > spare:
            action = _idle(position, useless, late, dice.randrange(100) < idle)
        position = position.after(action or _greedy(position, useless))
    return _prepared(position, wanted, dice)


def _prepared(position: Position, wanted: Wanted, dice: random.Random) -> Position | None:
    """Set the clue tokens, and forget the order if it is not to be known; None if it does not fit.

    It has to have as many cards to draw as are wanted, and no needed card may be lost.
    """
    if position.pile_size != wanted.deck or position.end is not None:
        return None
    if _useless(position) is None:
        return None
    if wanted.tokens is not None:
        tokens = dice.randint(*wanted.tokens) * position.rules.clue_price
        if tokens > position.rules.max_clues:
            return None
        position = replace(position, clues=tokens)
    if wanted.model == "known":
        return position
    return position.unordered()


def _useless(position: Position) -> set[Card] | None:
    """Give the faces that are of no use; None if a needed card is lost for good."""
    useless = useless_faces(position)
    rules = position.rules
    for suit, height in enumerate(position.stacks):
        full = rules.suits[suit].full
        if height < full and rules.card_at(suit, full) in useless:
            return None
    return useless


def _greedy(position: Position, useless: set[Card]) -> Action:
    return min(position.legal_actions(), key=lambda action: greedy_key(position, action, useless))


def _idle(position: Position, useless: set[Card], late: set[int], idly: bool) -> Action | None:
    """Give a discard of a useless card, or a clue at full tokens, if nothing else is wanted."""
    hand = position.hands[position.seat]
    if not idly and any(position.is_playable(c) and c.suit not in late for c in hand):
        return None
    if position.clues == position.rules.max_clues:
        return Action(Kind.CLUE)
    for slot, card in enumerate(hand):
        if card in useless:
            return Action(Kind.DISCARD, slot)
    return None
