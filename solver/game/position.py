"""A moment in a game, the actions that are legal in it, and what they lead to.

This module is the executable specification: every other part is checked against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from itertools import product
from typing import NamedTuple

from solver.game.card import UNKNOWN, Card
from solver.game.deal import Deal
from solver.game.errors import IllegalActionError, InputError
from solver.game.notation import card_text
from solver.game.positiontext import CLUE_WORDS, board, read, write
from solver.game.rules import COLOUR, RANK, ClueType, Rules
from solver.game.suit import Way
from solver.game.validity import require_valid

__all__ = ["Action", "End", "Kind", "Position"]


class Kind(IntEnum):
    """What an action does, in the order in which legal actions are listed."""

    PLAY = 0
    DISCARD = 1
    CLUE = 2
    DECK_PLAY = 3


class Action(NamedTuple):
    """An action of the seat to move.

    ``slot`` is the card's index in the hand, 0 the oldest; 0 for clues and deck plays. A clue has
    no target here, for with all cards known it is a pass that costs tokens; `solver.formats.moves`
    finds a legal one. Only under rules with ``alternating_clues`` its ``slot`` is its type,
    `COLOUR` or `RANK`.
    """

    kind: Kind
    slot: int = 0


class End(Enum):
    """The ways in which a game ends."""

    COMPLETE = "all stacks complete"
    OUT_OF_REACH = "full marks out of reach"
    FINAL_ROUND = "final round over"
    STRIKES = "strike limit reached"
    STUCK = "no legal action"


@dataclass(frozen=True)
class Position:
    """A moment in a game. Immutable; equal positions have equal cards in equal places.

    Parameters
    ----------
    rules
        The rules of the game.
    stacks
        The state of each suit's stack: its height, if the suit is built in one order.
    hands
        Each seat's cards, seat 0 first, the oldest card first. A hand has ``rules.hand_size``
        cards as long as there are cards to draw.
    pile
        The cards to be drawn, next card first. With ``ordered`` false: all unseen cards, sorted,
        as many more than the draw pile as there are `UNKNOWN` cards in the hands.
    discards
        The cards discarded or misplayed, sorted.
    clues
        Units of clue tokens, 0 to ``rules.max_clues``.
    strikes
        0 to ``rules.max_strikes``.
    seat
        Who acts next.
    turns_left
        Turns of the final round still to come; None before the last card is drawn, and always in
        games without a final round.
    ordered
        Whether the order of the draw pile is known.
    last_clue
        The type of the last clue, where the rules have ``alternating_clues``; 0 if there was none.

    Raises
    ------
    InputError
        Naming the first fault.
    """

    rules: Rules
    stacks: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    discards: tuple[Card, ...]
    clues: int
    strikes: int
    seat: int
    turns_left: int | None
    ordered: bool = True
    last_clue: ClueType = 0
    variant: str = field(default="", compare=False, repr=False)
    """The hanab.live variant that names the suits, a label; empty if there is none."""

    def __post_init__(self) -> None:
        require_valid(self)

    @classmethod
    def start(cls, deal: Deal) -> Position:
        """Give the position before the first action of a deal."""
        rules, size = deal.rules, deal.rules.hand_size
        hands = tuple(deal.deck[p * size : (p + 1) * size] for p in range(rules.players))
        pile = deal.deck[deal.dealt :]
        return cls(
            rules=rules,
            stacks=(0,) * len(rules.suits),
            hands=hands,
            pile=pile,
            discards=(),
            clues=rules.start_clues,
            strikes=0,
            seat=rules.first_player,
            turns_left=None if pile or not rules.has_final_round else rules.players,
            variant=deal.variant,
        )

    @property
    def pile_size(self) -> int:
        """The number of cards still to be drawn."""
        if self.ordered:
            return len(self.pile)
        return len(self.pile) - sum(hand.count(UNKNOWN) for hand in self.hands)

    @property
    def shows_hands(self) -> bool:
        """Whether no card in a hand is `UNKNOWN`."""
        return not any(UNKNOWN in hand for hand in self.hands)

    @property
    def points(self) -> int:
        """The number of cards on the stacks."""
        return sum(self.heights)

    @property
    def score(self) -> int:
        """What the game scores if it ends here."""
        rules = self.rules
        if self.strikes >= rules.max_strikes and not rules.lost_scores_stacks:
            return 0
        if rules.only_full_marks:
            return self.points if self.points == rules.max_score else 0
        return 0 if rules.ends_out_of_reach and self.is_out_of_reach else self.points

    @property
    def is_out_of_reach(self) -> bool:
        """Whether a card that full marks still need is in no hand and not in the draw pile."""
        there = {*self.pile, *(card for hand in self.hands for card in hand)}
        if UNKNOWN in there:
            there.remove(UNKNOWN)  # the pile lists what it may be
        return not any(
            all(
                any(Card(suit, rank) in there for rank in ranks)
                for suit, way in enumerate(ways)
                for ranks in way
            )
            for ways in self.all_ways()
        )

    @property
    def ways(self) -> tuple[tuple[Way, ...], ...]:
        """For each suit, the ways in which its stack can still be completed."""
        rules = self.rules
        taken = self._starts_taken()
        found = []
        for suit, state in zip(rules.suits, self.stacks, strict=True):
            ways = suit.ways(state)
            if rules.different_starts and state == 0:
                ways = tuple(
                    (frozenset([start]), *way[1:]) for way in ways for start in way[0] - taken
                )
            found.append(ways)
        return tuple(found)

    def all_ways(self) -> Iterator[tuple[Way, ...]]:
        """Give the ways in which all stacks together can be completed, a way for each suit."""
        for chosen in product(*self.ways):
            if self.rules.different_starts:
                pairs = zip(chosen, self.stacks, strict=True)
                starts = [way[0] for way, state in pairs if state == 0]
                if len(set(starts)) < len(starts):
                    continue
            yield chosen

    @property
    def heights(self) -> tuple[int, ...]:
        """The number of cards on each stack."""
        if self.rules.heights_are_states:
            return self.stacks
        return tuple(s.heights[at] for s, at in zip(self.rules.suits, self.stacks, strict=True))

    def later(self, cards: Iterable[Card]) -> set[Card]:
        """Give those of ``cards`` that can still be played, if none but these are there.

        Where starts must differ, a start may be given that another stack will take first.
        """
        there: list[set[int]] = [set() for _ in self.stacks]
        for card in cards:
            if card.is_face:
                there[card.suit].add(card.rank)
        taken = self._starts_taken()
        found: set[Card] = set()
        for number, (suit, state) in enumerate(zip(self.rules.suits, self.stacks, strict=True)):
            if state == 0 and taken:
                afters = [suit.build[0][r - 1] for r in there[number] - taken]
                ranks = {suit.starts[after] for after in afters}.union(
                    *(suit.later(after, there[number]) for after in afters)
                )
            else:
                ranks = suit.later(state, there[number])
            found.update(Card(number, rank) for rank in ranks)
        return found

    def _starts_taken(self) -> set[int]:
        """Give the ranks at which no stack may start any more."""
        if not self.rules.different_starts:
            return set()
        pairs = zip(self.rules.suits, self.stacks, strict=True)
        return {suit.starts[state] for suit, state in pairs if state}

    def unordered(self) -> Position:
        """Give the same moment with the order of the draw pile forgotten."""
        if not self.ordered:
            return self
        return self._next(pile=tuple(sorted(self.pile)), ordered=False)

    def require_order(self) -> None:
        """Raise InputError if the order of the draw pile is unknown."""
        if not self.ordered:
            raise InputError("the draw order is unknown: an optimum needs every card known")

    @property
    def events_left(self) -> int:
        """How many cards can still leave hands: an upper bound on the plays still to come."""
        if self.turns_left is not None:
            return self.turns_left
        if self.rules.has_final_round:
            return self.pile_size + self.rules.players
        return self.pile_size + sum(map(len, self.hands))

    @property
    def end(self) -> End | None:
        """How the game has ended, or None if it goes on."""
        if self.strikes >= self.rules.max_strikes:
            return End.STRIKES
        if self.points == self.rules.max_score:
            return End.COMPLETE
        if self.rules.ends_out_of_reach and self.is_out_of_reach:
            return End.OUT_OF_REACH
        if self.turns_left == 0:
            return End.FINAL_ROUND
        if not self.hands[self.seat] and not self._actions():
            return End.STUCK
        return None

    def is_playable(self, card: Card) -> bool:
        """Whether ``card`` would go on its stack now."""
        if not card.is_face:
            return False
        state = self.stacks[card.suit]
        if state == 0 and card.rank in self._starts_taken():
            return False
        return self.rules.suits[card.suit].build[state][card.rank - 1] >= 0

    def next_ranks(self, suit: int) -> list[int]:
        """Give the ranks that the stack of a suit takes now."""
        ranks = range(1, self.rules.suits[suit].ranks + 1)
        return [rank for rank in ranks if self.is_playable(Card(suit, rank))]

    @property
    def can_score_more(self) -> bool:
        """Whether a card that some stack needs *next* is still to be drawn or in a live hand.

        Hands of players who had their last turn are not live. hanab.live ends a game when this
        turns false; the printed rules play on, to the same score.
        """
        live = list(self.pile)
        turns = self.rules.players if self.turns_left is None else self.turns_left
        for ahead in range(turns):
            live.extend(self.hands[(self.seat + ahead) % self.rules.players])
        return UNKNOWN in live or any(self.is_playable(card) for card in live)

    def clue_types(self) -> list[ClueType]:
        """Give the types of clue that the seat to move can give; ``[0]`` where types do not count.

        An empty list says that no clue is legal.
        """
        rules = self.rules
        if self.clues < rules.clue_price:
            return []
        others = [c for p, hand in enumerate(self.hands) if p != self.seat for c in hand]
        if not rules.alternating_clues:
            types: tuple[ClueType, ...] = (0,)
        else:
            types = {0: (COLOUR, RANK), COLOUR: (RANK,), RANK: (COLOUR,)}[self.last_clue]
        if rules.empty_clues or not (rules.untouchable or rules.alternating_clues):
            return list(types) if others else []
        return [kind for kind in types if any(rules.touches(kind, card) for card in others)]

    def can_clue(self) -> bool:
        """Whether the seat to move can give some clue."""
        return bool(self.clue_types())

    def legal_actions(self) -> list[Action]:
        """List the legal actions: plays, discards (both oldest card first), a clue, a deck play."""
        return [] if self.end not in (None, End.STUCK) else self._actions()

    def _actions(self) -> list[Action]:
        slots = range(len(self.hands[self.seat]))
        actions = [Action(Kind.PLAY, slot) for slot in slots]
        if self.clues < self.rules.max_clues or self.rules.discard_at_full:
            actions.extend(Action(Kind.DISCARD, slot) for slot in slots)
        actions.extend(Action(Kind.CLUE, kind) for kind in self.clue_types())
        if self.rules.deck_play and self.pile_size == 1:
            actions.append(Action(Kind.DECK_PLAY))
        return actions

    def why_illegal(self, action: Action) -> str | None:
        """Say why an action is illegal here, None if it is legal."""
        rules = self.rules
        end = self.end
        if end is not None:
            return f"the game is over: {end.value}"
        if action.kind in (Kind.PLAY, Kind.DISCARD) and action.slot not in range(
            len(self.hands[self.seat])
        ):
            return f"seat {self.seat} holds no such card"
        if action.kind is Kind.DISCARD and not (
            self.clues < rules.max_clues or rules.discard_at_full
        ):
            return "discarding is not allowed while all clue tokens are there"
        if action.kind is Kind.CLUE and self.clues < rules.clue_price:
            return "there is no clue token"
        if action.kind is Kind.CLUE and rules.alternating_clues:
            if action.slot not in (COLOUR, RANK):
                return "clues alternate, and the type of this one is not said"
            if action.slot == self.last_clue:
                return "the last clue was of the same type"
            if action.slot not in self.clue_types():
                return "no other hand has a card that a clue of this type can touch"
        if action.kind is Kind.CLUE and not self.can_clue():
            return "no other hand has a card that a clue can touch"
        if action.kind is Kind.DECK_PLAY and not rules.deck_play:
            return "the rules do not allow playing from the draw pile"
        if action.kind is Kind.DECK_PLAY and self.pile_size != 1:
            return "only the last card of the draw pile can be played from it"
        return None

    def after(self, action: Action, drawn: Card | None = None) -> Position:
        """Give the position after a legal action.

        Parameters
        ----------
        drawn
            The card that is drawn, where the order of the pile is not known.

        Raises
        ------
        IllegalActionError
            Saying why the action is illegal.
        InputError
            If the drawn card is missing, or not among the unseen cards.
        """
        why = self.why_illegal(action)
        if why is not None:
            raise IllegalActionError(f"{self.describe(action)} by seat {self.seat}: {why}")
        rules = self.rules
        turns_left = None if self.turns_left is None else self.turns_left - 1
        following = (self.seat + 1) % rules.players
        if action.kind is Kind.CLUE:
            return self._next(
                clues=self.clues - rules.clue_price, seat=following, turns_left=turns_left,
                last_clue=action.slot if rules.alternating_clues else 0,
            )  # fmt: skip
        pile, new = self._draw(drawn)
        hand = self.hands[self.seat]
        if action.kind is Kind.DECK_PLAY:
            card, new = new[0], ()
        else:
            card = hand[action.slot]
            if card == UNKNOWN:
                raise InputError("an unknown card cannot be played or discarded here")
            hand = hand[: action.slot] + hand[action.slot + 1 :] + new
        if self.pile_size == 1 and rules.has_final_round:
            turns_left = rules.players
        stacks, clues, strikes, discards = self.stacks, self.clues, self.strikes, self.discards
        if action.kind is not Kind.DISCARD and self.is_playable(card):
            suit = rules.suits[card.suit]
            state = suit.build[stacks[card.suit]][card.rank - 1]
            stacks = (*stacks[: card.suit], state, *stacks[card.suit + 1 :])
            if suit.heights[state] == suit.full:
                clues = min(clues + rules.stack_gain, rules.max_clues)
        else:
            discards = tuple(sorted((*discards, card)))
            if action.kind is Kind.DISCARD:
                clues = min(clues + rules.discard_gain, rules.max_clues)
            else:
                strikes += 1
        hands = (*self.hands[: self.seat], hand, *self.hands[self.seat + 1 :])
        return self._next(
            stacks=stacks, hands=hands, pile=pile, discards=discards, clues=clues,
            strikes=strikes, seat=following, turns_left=turns_left,
        )  # fmt: skip

    def _next(self, **changes: object) -> Position:
        """Copy with changes that a legal action made: from a valid position to a valid one."""
        position = object.__new__(Position)
        position.__dict__.update(self.__dict__)
        position.__dict__.update(changes)
        return position

    def _draw(self, drawn: Card | None) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Give the pile after a draw, and the drawn card, if any, as a tuple."""
        if self.pile_size == 0:
            return self.pile, ()
        if self.ordered:
            if drawn is not None and drawn != self.pile[0]:
                raise InputError("the drawn card is not the next of the draw pile")
            return self.pile[1:], self.pile[:1]
        if drawn is None:
            raise InputError("the draw order is unknown: say which card is drawn")
        if drawn not in self.pile:
            raise InputError("the drawn card is not among the unseen cards")
        at = self.pile.index(drawn)
        return self.pile[:at] + self.pile[at + 1 :], (drawn,)

    def describe(self, action: Action) -> str:
        """Name an action for people: ``play r1``, ``discard b3``, ``clue``, ``rank clue``."""
        if action.kind is Kind.CLUE:
            types = CLUE_WORDS if self.rules.alternating_clues else {}
            return f"{types[action.slot]} clue" if action.slot in types else "clue"
        if action.kind is Kind.DECK_PLAY:
            return "play from the draw pile"
        verb = "play" if action.kind is Kind.PLAY else "discard"
        hand = self.hands[self.seat]
        if action.slot not in range(len(hand)):
            return f"{verb} card {action.slot}"
        return f"{verb} {card_text(hand[action.slot], self.letters)}"

    @property
    def letters(self) -> list[str]:
        """The suits' letters in order."""
        return [suit.letter for suit in self.rules.suits]

    def text(self) -> str:
        """Write the position in one line; `from_text` reads it back. docs/ has the grammar."""
        return write(self)

    @classmethod
    def from_text(cls, text: str) -> Position:
        """Read what `text` wrote.

        Raises
        ------
        InputError
            Saying which field is wrong.
        """
        return cls(**read(text))

    def _repr_svg_(self) -> str:
        """Draw the position, for notebooks."""
        from importlib import import_module  # pictures stand in a later layer

        return str(import_module("solver.pictures.svg_position").position_svg(self))

    def __repr__(self) -> str:
        return f"Position.from_text({self.text()!r})"

    def __str__(self) -> str:
        return board(self)
