"""The rules of a game as data: everything except the order of the deck."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib import import_module

from solver.game.card import Card
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.suit import STANDARD_COPIES, Suit

__all__ = ["COLOUR", "RANK", "ClueType", "Ending", "Rules", "usual_hand_size"]

ClueType = int
COLOUR, RANK = 2, 3
"""The two types of clue, by their numbers in hanab.live's actions."""

MAX_SUITS = 6
PLAYERS = range(2, 7)
USUAL_LETTERS = "rygbpt"


class Ending(Enum):
    """What ends a game, apart from the strike limit and complete stacks, and what it then scores.

    *Out of reach* means: some card that full marks still need has no copy left in a hand or in
    the draw pile. Whether there is time to play it does not count. A player who has no legal
    action (no card in hand, and no clue to give) ends every game.
    """

    FINAL_ROUND = "final-round"
    """Once the last card is drawn, every player has exactly one more turn. The score is the cards
    on the stacks."""
    SPEEDRUN = "speedrun"
    """As `FINAL_ROUND`; but the game ends at once, with 0, when full marks are out of reach."""
    ENDLESS = "endless"
    """No final round: when the draw pile is empty play goes on, and hands shrink. Only full marks
    count: anything else scores 0, and the game ends at once when they are out of reach. With
    ``lost_scores_stacks`` every game scores the cards on its stacks instead, so there is no reason
    to end it early, and it goes on while somebody can act."""
    ALL_OR_NOTHING = "all-or-nothing"
    """As `ENDLESS` without ``lost_scores_stacks``, which is refused beside it (hanab.live)."""


def usual_hand_size(players: int) -> int:
    """Cards in a hand in the printed game (2 to 5 players) and on hanab.live (also 6)."""
    return {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}[players]


@dataclass(frozen=True)
class Rules:
    """Everything about a game except the order of its deck. Nothing is inferred later.

    Token fields count *units*: a game with half tokens doubles ``clue_price`` and both maxima,
    so that no fraction is ever needed.

    Parameters
    ----------
    players
        2 to 6.
    hand_size
        Cards dealt to each player, at least 1.
    suits
        1 to 6 suits with different letters.
    first_player
        The seat that acts first.
    max_clues, start_clues
        Units of clue tokens at most (at least ``clue_price``) and at the start.
    clue_price, discard_gain, stack_gain
        Units that a clue costs, and that a discard and a finished stack give back.
    max_strikes
        The game is lost at this many strikes, at least 1.
    discard_at_full
        Whether discarding is legal while all tokens are there (it gains nothing then).
    empty_clues
        Whether a clue that touches no card is legal.
    untouchable
        Faces that no clue touches.
    alternating_clues
        Whether two clues running may not be of one type, in a game where that can make a clue
        illegal: where some card is touched by one type only, or by none.
    colour_only, rank_only
        Faces that only colour clues touch, and faces that only rank clues touch. They count, and
        may be given, only where clues alternate.
    ending
        What ends the game.
    lost_scores_stacks
        What a game that reached the strike limit scores: what lies on the stacks, or 0.
    deck_play
        Whether the last card of the draw pile may be played from the pile.
    different_starts
        Whether no two stacks may have the same rank at the bottom, as in Sudoku.
    """

    players: int
    hand_size: int
    suits: tuple[Suit, ...]
    first_player: int = 0
    max_clues: int = 8
    start_clues: int = 8
    clue_price: int = 1
    discard_gain: int = 1
    stack_gain: int = 1
    max_strikes: int = 3
    discard_at_full: bool = False
    empty_clues: bool = False
    untouchable: frozenset[Card] = frozenset()
    alternating_clues: bool = False
    colour_only: frozenset[Card] = frozenset()
    rank_only: frozenset[Card] = frozenset()
    ending: Ending = Ending.FINAL_ROUND
    lost_scores_stacks: bool = False
    deck_play: bool = False
    different_starts: bool = False
    book: str = field(default="", compare=False)
    """The edition whose words rate a score, a label; empty for the standard one."""

    def __post_init__(self) -> None:
        if self.players not in PLAYERS:
            raise InputError(f"players is {self.players}, not 2 to 6")
        if self.hand_size < 1:
            raise InputError(f"hand_size is {self.hand_size}, not at least 1")
        if not 1 <= len(self.suits) <= MAX_SUITS:
            raise InputError(f"there are {len(self.suits)} suits, not 1 to {MAX_SUITS}")
        letters = [suit.letter for suit in self.suits]
        for letter in letters:
            if letters.count(letter) > 1:
                raise InputError(f"two suits have the letter {letter}")
        if not 0 <= self.first_player < self.players:
            raise InputError(f"first_player is {self.first_player}, not 0 to {self.players - 1}")
        if self.clue_price < 1 or min(self.discard_gain, self.stack_gain) < 0:
            raise InputError(
                "clue_price must be at least 1, discard_gain and stack_gain at least 0"
            )
        if not self.clue_price <= self.max_clues <= 200:
            raise InputError(f"max_clues is {self.max_clues}, not {self.clue_price} to 200")
        if not 0 <= self.start_clues <= self.max_clues:
            raise InputError(f"start_clues is {self.start_clues}, not 0 to {self.max_clues}")
        if not 1 <= self.max_strikes <= 100:
            raise InputError(f"max_strikes is {self.max_strikes}, not 1 to 100")
        if self.players * self.hand_size > self.deck_size:
            raise InputError(
                f"{self.players} hands of {self.hand_size} need more than the deck's "
                f"{self.deck_size} cards"
            )
        seen: set[Card] = set()
        for name in ("untouchable", "colour_only", "rank_only"):
            for card in getattr(self, name):
                if not self.has_face(card):
                    raise InputError(f"{name} names {tuple(card)}, which is no card of this game")
                if card in seen:
                    raise InputError(f"{name} names {tuple(card)}, which another of these has too")
                seen.add(card)
        if (self.colour_only or self.rank_only) and not self.alternating_clues:
            raise InputError("colour_only and rank_only count only where clues alternate")
        if self.different_starts:
            self._check_starts()
        if self.lost_scores_stacks and self.ending in (Ending.ALL_OR_NOTHING, Ending.SPEEDRUN):
            raise InputError(f"lost_scores_stacks contradicts the ending {self.ending.value}")

    def _check_starts(self) -> None:
        """Check that whatever stacks are begun, the others can still begin, each somewhere else."""
        for suit in self.suits:
            if min(suit.build[0]) == -1 or 0 in suit.starts[1:]:
                raise InputError(
                    f"different_starts: suit {suit.letter} cannot start at every rank, or its "
                    "build forgets where it did"
                )
            if suit.ranks < len(self.suits):
                raise InputError(f"different_starts: suit {suit.letter} has too few ranks")

    @classmethod
    def standard(cls, players: int, suits: str = "rygbp", one_of_each: str = "") -> Rules:
        """Give the printed game's rules for ``players`` (6 as on hanab.live).

        Parameters
        ----------
        suits
            The suits' letters; five are the plain game, six add the multicolour suit.
        one_of_each
            The letters of those suits that have one copy of each rank.
        """
        if players not in PLAYERS:
            raise InputError(f"players is {players}, not 2 to 6")
        for letter in one_of_each:
            if letter not in suits:
                raise InputError(f"one-of-each suit {letter} is not among the suits {suits}")
        made = tuple(Suit(s, (1,) * 5 if s in one_of_each else STANDARD_COPIES) for s in suits)
        return cls(players, usual_hand_size(players), made)

    @classmethod
    def edition(cls, name: str, players: int, **options: int) -> Rules:
        """Give the rules of a printed edition by its name.

        Parameters
        ----------
        options
            `solver.formats.editions.rules_of` describes them: ``multicolour``, ``every_colour``,
            ``black_powder``, ``strikes``, ``clues``, ``endless``.

        Raises
        ------
        InputError
            If the edition is not known, not for so many players, or a number is out of range.

        Examples
        --------
        >>> Rules.edition("french", players=3).hand_size
        4
        """
        made: Rules = import_module("solver.formats.editions").rules_of(name, players, **options)
        return made

    @classmethod
    def variant(cls, name: str | int, players: int, **options: bool) -> Rules:
        """Give the rules of a hanab.live variant by its name or number.

        Parameters
        ----------
        options
            The site's options: ``one_extra_card``, ``one_less_card``, ``deck_plays``,
            ``empty_clues``, ``all_or_nothing``, ``speedrun``.

        Raises
        ------
        InputError
            If there is no such variant, or there are not 2 to 6 players.

        Examples
        --------
        >>> Rules.variant("Clue Starved (6 Suits)", players=4).clue_price
        2
        """
        made: Rules = import_module("solver.formats.variants").find(name).rules(players, **options)
        return made

    @cached_property
    def deck_size(self) -> int:
        """Cards in the whole deck."""
        return sum(suit.cards for suit in self.suits)

    @cached_property
    def composition(self) -> Counter[Card]:
        """How many of each face the whole deck holds."""
        return Counter(self.sorted_deck())

    @cached_property
    def max_score(self) -> int:
        """Full marks: the sum of the heights of complete stacks."""
        return sum(suit.full for suit in self.suits)

    @cached_property
    def has_final_round(self) -> bool:
        """Whether every player has one more turn after the last draw, and no more."""
        return self.ending in (Ending.FINAL_ROUND, Ending.SPEEDRUN)

    @cached_property
    def only_full_marks(self) -> bool:
        """Whether everything but full marks scores 0."""
        return not self.has_final_round and not self.lost_scores_stacks

    @cached_property
    def ends_out_of_reach(self) -> bool:
        """Whether the game ends, with 0, once full marks are out of reach (see `Ending`)."""
        return self.only_full_marks or self.ending is Ending.SPEEDRUN

    @cached_property
    def heights_are_states(self) -> bool:
        """Whether there is one order in which each suit is built, so that stacks hold heights."""
        return all(suit.order for suit in self.suits)

    def step(self, card: Card) -> int:
        """Give the height of the stack once ``card`` is played, 0 for a card that is no face.

        Only for suits that are built in one order.
        """
        if not card.is_face:
            return 0
        if not self.suits[card.suit].order:
            self.require_heights()
        return self.suits[card.suit].steps[card.rank - 1]

    def card_at(self, suit: int, step: int) -> Card:
        """Give the card that makes a stack ``step`` high, from 1, in a suit built in one order."""
        if not self.suits[suit].order:
            self.require_heights()
        return Card(suit, self.suits[suit].order[step - 1])

    def require_heights(self) -> None:
        """Raise UnsupportedRulesError if some suit can be built in several ways."""
        if not self.heights_are_states:
            letter = next(suit.letter for suit in self.suits if not suit.order)
            raise UnsupportedRulesError(
                f"suit {letter} can be built in several ways, which is not covered here"
            )

    def touches(self, kind: ClueType, card: Card) -> bool:
        """Whether some clue of a type touches ``card``; of any type, if ``kind`` is 0.

        A card that is only known to be useless is taken for an ordinary one.
        """
        if card in self.untouchable:
            return False
        return card not in {0: (), COLOUR: self.rank_only, RANK: self.colour_only}[kind]

    def has_face(self, card: Card) -> bool:
        """Whether ``card`` is one of this game's faces."""
        return 0 <= card.suit < len(self.suits) and 1 <= card.rank <= self.suits[card.suit].ranks

    def copies(self, card: Card) -> int:
        """How many copies of ``card`` the deck holds."""
        return self.suits[card.suit].copies[card.rank - 1]

    def faces(self) -> list[Card]:
        """Every face once, suit by suit, ranks upwards."""
        return [Card(s, r) for s, suit in enumerate(self.suits) for r in range(1, suit.ranks + 1)]

    def sorted_deck(self) -> list[Card]:
        """Give the unshuffled deck: suit by suit, ranks upwards, copies together."""
        return [card for card in self.faces() for _ in range(self.copies(card))]
