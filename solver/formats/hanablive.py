"""Games of hanab.live: seeds, and the JSON that the site exports and accepts.

An action there is ``{"type", "target", "value"}``: 0 play and 1 discard with a card's *order*
(its place in the deck from 0) as the target; 2 colour clue and 3 rank clue with a seat as the
target; 4 and 5 end the game. Of the options, ``cardCycle`` and the clocks change nothing that
matters here, and what the characters of ``detrimentalCharacters`` forbid is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from solver.formats.composition import deal_of_cards
from solver.formats.gorand import shuffled
from solver.formats.inputs import parse_json
from solver.formats.moves import Move, Orders, action_of, actions_of
from solver.formats.record import Record
from solver.formats.variants import COLOUR, LETTERS, RANK, find, variant_of
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import IllegalActionError, InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.origin import Origin
from solver.game.position import End, Position
from solver.game.rules import Ending, Rules

__all__ = [
    "ENDS",
    "NAMES",
    "Game",
    "Outcome",
    "actions_of",
    "deal_of_seed",
    "game_of",
    "options_of",
    "parse_json",
]

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
"""The players' names where none are given."""

END_GAME, END_BY_VOTE = 4, 5
ENDS = {
    0: "unfinished",
    1: "normal end",
    2: "strike limit reached",
    3: "out of time",
    4: "terminated",
    5: "full marks out of reach in a speedrun",
    6: "idle for too long",
    7: "no action left that the characters allow",
    8: "full marks out of reach in All or Nothing",
    9: "no action left in All or Nothing",
    10: "terminated by vote",
}
"""The site's numbers for how a game ended, in words. All above 1 score 0."""

FLAGS = {
    "deckPlays": "deck_plays",
    "emptyClues": "empty_clues",
    "oneExtraCard": "one_extra_card",
    "oneLessCard": "one_less_card",
    "allOrNothing": "all_or_nothing",
    "speedrun": "speedrun",
}
OTHER_FLAGS = ("timed", "cardCycle", "detrimentalCharacters")
ORIGIN = Origin("hanab.live", "server in Go", "Go's math/rand seeded with the CRC-64 of the seed")
SEED = re.compile(r"p([2-6])v(0|[1-9][0-9]{0,5})s[-A-Za-z0-9]+")
LONGEST_SEED = 200


def deal_of_seed(seed: str, rules: Rules | None = None) -> Deal:
    """Give the deal of a seed such as ``p3v0s1``: players, number of the variant, suffix.

    Parameters
    ----------
    seed
        Also with the site's ``legacy-`` and one more character and hyphen before it.
    rules
        Rules that differ from the variant's in what the deck does not depend on; None for the
        variant's own.

    Raises
    ------
    InputError
        If it is no seed, or of a variant that is not covered.
    """
    name = seed[9:] if seed.startswith("legacy-") else seed
    match = SEED.fullmatch(name)
    if match is None or len(seed) > LONGEST_SEED:
        raise InputError(f"{seed[:40]!r} is no hanab.live seed such as p3v0s1")
    variant = find(match[2])
    usual = variant.rules(int(match[1]))
    deck = shuffled(seed, usual.sorted_deck())
    return Deal(rules or usual, tuple(deck), seed, variant.name, ORIGIN)


@dataclass(frozen=True)
class Outcome:
    """What became of a game.

    Parameters
    ----------
    score
        What the site gives for it, 0 if it ended any other way than normally; None while it is
        unfinished.
    points
        Cards on the stacks.
    turns
        Actions of the players.
    strikes
        Misplays.
    clues
        Clue tokens left; halves in Clue Starved.
    end
        A key of `ENDS`.
    """

    score: int | None
    points: int
    turns: int
    strikes: int
    clues: Fraction
    end: int

    @property
    def phrase(self) -> str:
        """The end in words."""
        return ENDS[self.end]


@dataclass(frozen=True)
class Game:
    """A game of hanab.live: a deal, who played it, and what they did.

    The moves are checked against the rules by `line` and `replay`, not before.
    """

    players: tuple[str, ...]
    """Their names, seat 0 first."""
    deal: Deal
    """Its variant is the empty string if the site has no variant for the deck."""
    moves: tuple[Move, ...] = ()
    """Types 0 to 3."""
    ending: Move | None = None
    """The action of type 4 or 5 after the moves, if there is one."""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The site's options but for the variant, those that are not false."""
    seed: str = ""
    record: Record | None = None
    """What another program's log says about it; None for games of the site."""
    named: bool = field(default=True, compare=False)
    """Whether the players' names are their own; else they are `NAMES`, which stand for seats."""

    @classmethod
    def from_json(cls, source: str | bytes | object, where: str = "game") -> Game:
        """Read a game; unknown fields are ignored.

        Without a deck the seed gives it. A deck whose variant is not named is No Variant's if it
        has 50 cards of 5 suits, else its own composition says the suits.

        Parameters
        ----------
        source
            JSON text, or what was read from it.
        where
            The file and row, for the error message.

        Raises
        ------
        InputError
            One line: where, and the first fault.
        """
        try:
            return _read(parse_json(source) if isinstance(source, str | bytes) else source)
        except InputError as error:
            raise type(error)(f"{where}: {error}") from None

    def to_json(self) -> dict[str, Any]:
        """Write the game as the site does, ready for ``json.dumps``."""
        cards = variant_of(self.deal).on_site(self.deal.deck)
        deck = [{"suitIndex": card.suit, "rank": card.rank} for card in cards]
        moves = [*self.moves, *([self.ending] if self.ending else [])]
        made: dict[str, Any] = {
            "players": list(self.players),
            "deck": deck,
            "actions": [move.to_json() for move in moves],
        }
        options = dict(self.options)
        if self.deal.variant not in ("", "No Variant"):
            options = {"variant": self.deal.variant, **options}
        if options:
            made["options"] = options
        if self.seed:
            made["seed"] = self.seed
        return made

    def line(self) -> Line:
        """Translate the moves into actions, each checked.

        Raises
        ------
        IllegalActionError
            Naming the turn (from 1), the action, and why it is illegal.
        """
        variant = variant_of(self.deal)
        *before, _ = self._steps()
        return Line(
            Position.start(self.deal),
            tuple(
                action_of(move, position, orders, variant)
                for move, (position, orders) in zip(self.moves, before, strict=True)
            ),
        )

    def orders(self, turn: int | None = None) -> Orders:
        """Give the orders after ``turn`` moves, by default after all of them."""
        return self._at(turn)[1]

    def position(self, turn: int | None = None) -> Position:
        """Give the position after ``turn`` moves, by default after all of them."""
        return self._at(turn)[0]

    def _at(self, turn: int | None) -> tuple[Position, Orders]:
        count = len(self.moves) if turn is None else turn
        if not 0 <= count <= len(self.moves):
            raise InputError(f"turn {count}: the game has 0 to {len(self.moves)}")
        *_, last = self._steps(count)
        return last

    def _steps(self, count: int | None = None) -> Iterator[tuple[Position, Orders]]:
        """Give the position and the orders before each move and after the last one."""
        variant = variant_of(self.deal)
        position, orders = Position.start(self.deal), Orders.start(self.deal.rules)
        yield position, orders
        for turn, move in enumerate(self.moves[:count], 1):
            try:
                action = action_of(move, position, orders, variant)
                following = position.after(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"turn {turn}: {error}") from None
            orders = orders.after(position, action, move.type)
            position = following
            yield position, orders

    def replay(self) -> Outcome:
        """Play the game by the rules and say what became of it.

        The site ends a game once no stack can grow. Older games went on: moves after that point
        are checked, but count no more. Games that others recorded end by the rules alone.

        Raises
        ------
        IllegalActionError
            Naming the turn (from 1), the action, and why it is illegal.
        InputError
            If the score is not the recorded one.
        """
        record = self.record
        over = None
        turns = 0
        for turn, (position, _) in enumerate(self._steps()):
            if over is None:
                last, turns = position, turn
                if record is None or position.end is not None:
                    over = _end(position)
        end = over
        if end is None:
            end = 0 if self.ending is None else self.ending.value or 4
        lost = 0 if record is None or end != 2 else record.lost_score(last.points)
        score = {0: None, 1: last.score}.get(end, lost)
        if record is not None and record.score is not None:
            now = last.points if score is None else score
            if record.score != now:
                raise InputError(
                    f"the recorded score is {record.score}, and the moves give {now} "
                    f"({record.source}: {record.convention})"
                )
        tokens = Fraction(last.clues, last.rules.clue_price)
        return Outcome(score, last.points, turns, last.strikes, tokens, end)

    def until_end(self) -> Game:
        """Leave out the moves after the end that the rules say, as of logs that go on after it."""
        for turn, (position, _) in enumerate(self._steps()):
            if position.end is not None:
                return replace(self, moves=self.moves[:turn])
        return self

    @property
    def missing(self) -> str:
        """Say that cards of the deck are not known; empty if all are, or if they do not matter.

        They do not for a game that reached full marks: whatever they are, it was winnable.
        """
        if self.record is None or self.record.dealt is None:
            return ""
        if self.position().points == self.deal.rules.max_score:
            return ""
        size = self.deal.rules.deck_size
        return f"deck incomplete: only {self.record.dealt} of {size} cards were recorded"


def _end(position: Position) -> int | None:
    """Give the number of the end that the site sees in a position, in the order of its checks."""
    end = position.end
    if end is End.STRIKES:
        return 2
    if end is End.OUT_OF_REACH:
        return 5 if position.rules.ending is Ending.SPEEDRUN else 8
    if end is End.STUCK and position.rules.only_full_marks:
        return 9
    if end in (End.COMPLETE, End.FINAL_ROUND) or not position.can_score_more:
        return 1
    return None


def game_of(line: Line, deal: Deal, players: Sequence[str] = (), seed: str = "") -> Game:
    """Make a game of a line from the start of ``deal``; `actions_of` says what it can raise."""
    rules = deal.rules
    moves = tuple(Move(a["type"], a["target"], a.get("value")) for a in actions_of(line))
    options = options_of(deal)
    names = tuple(players) or NAMES[: rules.players]
    return Game(names, deal, moves, None, options, seed, named=bool(players))


def options_of(deal: Deal) -> dict[str, Any]:
    """Give the site's options under which the deal's variant has the deal's rules.

    Raises
    ------
    UnsupportedRulesError
        If there are none.
    """
    rules = deal.rules
    if not deal.variant or _alike(rules, variant_of(deal).rules(rules.players)):
        return {}
    return _options_for(deal)


def _alike(one: Rules, other: Rules) -> bool:
    """Whether rules are the same but for the letters of the suits."""
    letters = [suit.letter for suit in other.suits]
    if len(letters) != len(one.suits):
        return False
    named = zip(letters, one.suits, strict=True)
    same = tuple(replace(suit, letter=s) for s, suit in named)
    # What a lost game scores is no part of a replay.
    return replace(one, suits=same, lost_scores_stacks=other.lost_scores_stacks) == other


def _options_for(deal: Deal) -> dict[str, Any]:
    """Find the site's options under which the deal's variant has the deal's rules."""
    rules, variant = deal.rules, variant_of(deal)
    options: dict[str, Any] = {}
    base = variant.rules(rules.players)
    if rules.hand_size != base.hand_size:
        options["oneExtraCard" if rules.hand_size > base.hand_size else "oneLessCard"] = True
    if rules.deck_play:
        options["deckPlays"] = True
    if rules.empty_clues and not base.empty_clues:
        options["emptyClues"] = True
    if rules.ending is Ending.SPEEDRUN:
        options["speedrun"] = True
    elif rules.only_full_marks:
        options["allOrNothing"] = True
    if rules.first_player:
        options["startingPlayer"] = rules.first_player
    words = {FLAGS[key]: True for key in options if key in FLAGS}
    if rules.only_full_marks:
        rules = replace(rules, ending=Ending.ALL_OR_NOTHING)  # the same game by another name
    if not _alike(variant.rules(rules.players, first_player=rules.first_player, **words), rules):
        raise UnsupportedRulesError("hanab.live has no options for the rules of this deal")
    return options


def _read(found: object) -> Game:
    if not isinstance(found, dict):
        raise InputError("a game is a JSON object with players, deck and actions")
    names = found.get("players")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError("players is not a list of names")
    if not 2 <= len(names) <= 6:
        raise InputError(f"players: there are {len(names)}, not 2 to 6")
    seed = found.get("seed", "")
    if not isinstance(seed, str) or len(seed) > LONGEST_SEED:
        raise InputError("seed is not a text of at most 200 characters")
    variant, options = _read_options(found.get("options"), len(names))
    deal = _read_deal(found.get("deck"), seed, variant, options, len(names))
    moves = _read_moves(found.get("actions", []))
    ending = None
    if moves and moves[-1].type >= END_GAME:
        *moves, ending = moves
    for number, move in enumerate(moves, 1):
        if move.type >= END_GAME:
            raise InputError(f"action {number} ends the game, and actions follow it")
    return Game(tuple(names), deal, tuple(moves), ending, options, seed)


def _read_options(found: object, players: int) -> tuple[str, dict[str, Any]]:
    if found is None:
        return "", {}
    if not isinstance(found, dict):
        raise InputError("options is not an object")
    name = found.get("variant", "")
    if not isinstance(name, str):
        raise InputError("options: variant is not a name")
    options: dict[str, Any] = {}
    for key in (*FLAGS, *OTHER_FLAGS):
        value = found.get(key, False)
        if type(value) is not bool:
            raise InputError(f"options: {key} is not true or false")
        if value:
            options[key] = True
    for key, most in (("timeBase", 10**9), ("timePerTurn", 10**9), ("startingPlayer", players - 1)):
        value = found.get(key, 0)
        if type(value) not in (int, float) or not 0 <= value <= most:
            raise InputError(f"options: {key} is not a number from 0 to {most}")
        if key == "startingPlayer" and type(value) is not int:
            raise InputError(f"options: {key} is not a seat")
        if value:
            options[key] = value
    return name, options


def _read_deal(
    deck: object, seed: str, name: str, options: Mapping[str, Any], players: int
) -> Deal:
    words = {FLAGS[key]: True for key in options if key in FLAGS}
    first: int = options.get("startingPlayer", 0)
    if deck is None and seed:
        found = deal_of_seed(seed)
        if found.rules.players != players:
            raise InputError(f"players: there are {players}, and the seed is for another number")
        if name and find(name).name != found.variant:
            raise InputError("options: the variant is not the seed's")
        rules = variant_of(found).rules(players, first_player=first, **words)
        return Deal(rules, found.deck, seed, found.variant)
    if not isinstance(deck, list):
        raise InputError("deck is not a list of cards")
    cards = [_read_card(card, number) for number, card in enumerate(deck, 1)]
    if not name and (len(cards) != 50 or max(card.suit for card in cards) != 4):
        # The site takes such a deck for No Variant's and refuses it; its composition says more.
        suits = 1 + max((card.suit for card in cards), default=0)
        guessed = deal_of_cards(cards, LETTERS[:suits], players)
        if not guessed.variant:
            if words:
                raise InputError("options: they need the variant's name with this deck")
            return replace(guessed, name=seed)
        name = guessed.variant
    variant = find(name or "No Variant")
    rules = variant.rules(players, first_player=first, **words)
    deal = Deal(rules, tuple(variant.from_site(cards)), seed, variant.name)
    if seed and not _may_be_of(seed, deal):
        raise InputError("deck: it is not the seed's")
    return deal


def _may_be_of(seed: str, deal: Deal) -> bool:
    """Whether a deck can be the seed's; where the seed says nothing of it, it can."""
    try:
        return deal_of_seed(seed).deck == deal.deck
    except InputError:
        return True


def _read_card(found: object, number: int) -> Card:
    if not isinstance(found, dict):
        raise InputError(f"deck: card {number} is not an object with suitIndex and rank")
    suit, rank = found.get("suitIndex"), found.get("rank")
    if type(suit) is not int or not 0 <= suit <= 5:
        raise InputError(f"deck: card {number}: suitIndex is not 0 to 5")
    if type(rank) is not int or not 1 <= rank <= 10:
        raise InputError(f"deck: card {number}: rank is not 1 to 10")
    return Card(suit, rank)


def _read_moves(found: object) -> list[Move]:
    if not isinstance(found, list):
        raise InputError("actions is not a list")
    moves = []
    for number, action in enumerate(found, 1):
        if not isinstance(action, dict):
            raise InputError(f"action {number} is not an object with type and target")
        kind, target, value = action.get("type"), action.get("target"), action.get("value")
        if type(kind) is not int or not 0 <= kind <= END_BY_VOTE:
            raise InputError(f"action {number}: type is not 0 to 5")
        if type(target) is not int or not -1 <= target < 100:
            raise InputError(f"action {number}: target is not a card or a seat")
        if value is not None and (type(value) is not int or not 0 <= value < 100):
            raise InputError(f"action {number}: value is not a small number")
        if value is None and kind in (COLOUR, RANK):
            raise InputError(f"action {number}: a clue needs a value")
        if kind >= END_GAME and value is not None and value not in range(2, len(ENDS)):
            raise InputError(f"action {number}: value is no way to end a game")
        moves.append(Move(kind, target, value))
    return moves
