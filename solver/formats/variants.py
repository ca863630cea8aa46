"""The 2,426 variants of hanab.live: their rules, and which clues touch which cards.

A variant's name says everything: a mechanic or a special rank, then special suits, then the number
of suits. Names and numbers are the site's; the properties were checked against its list of August
2026, by the number of suits, one-of-each suits, cards and untouchable cards of every variant.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.rules import COLOUR, RANK, ClueType, Ending, Rules, usual_hand_size
from solver.game.suit import STANDARD_COPIES, Suit

__all__ = [
    "COLOUR",
    "LETTERS",
    "RANK",
    "ClueType",
    "SuitKind",
    "Variant",
    "find",
    "names",
    "plain",
    "variant_of",
]

LETTERS = "rygbpt"
"""The letters of a variant's suits in order, whatever the suits are called."""

START = 6
"""The rank of the START card of Up or Down here, after the others; the site calls it 7."""
SITE_START = 7

ONE_OF_EACH = (1, 1, 1, 1, 1)
BASIC = ["", "R", "RB", "RGB", "RYGB", "RYGBP", "RYGBPT"]
"""The ordinary suits' colours when there are so many of them."""


@dataclass(frozen=True)
class SuitKind:
    """What clues touch the cards of a suit.

    Parameters
    ----------
    colours
        The colours that touch it: words for special suits, one capital for ordinary ones. Empty
        for suits that no colour of their own touches.
    by_colour, by_rank
        ``own``: by its own colours, or by its rank; ``all``, ``none``: by every clue, by no
        clue; ``prism`` (colours only): by the colour whose turn it is when ranks are counted
        through the colours.
    dark
        Whether there is one copy of each rank.
    inverted, reversed
        Whether the buttons for play and discard are swapped; whether it is built downwards.
    """

    colours: tuple[str, ...] = ()
    by_colour: str = "own"
    by_rank: str = "own"
    dark: bool = False
    inverted: bool = False
    reversed: bool = False


def _special() -> dict[str, SuitKind]:
    lights = {
        "Rainbow": SuitKind((), "all", "own"),
        "Pink": SuitKind(("Pink",), "own", "all"),
        "White": SuitKind((), "none", "own"),
        "Brown": SuitKind(("Brown",), "own", "none"),
        "Omni": SuitKind((), "all", "all"),
        "Null": SuitKind((), "none", "none"),
        "Muddy Rainbow": SuitKind((), "all", "none"),
        "Light Pink": SuitKind((), "none", "all"),
        "Prism": SuitKind((), "prism", "own"),
        "Orange": SuitKind(("Orange",), inverted=True),
    }
    own_names = {"White": "Gray", "Muddy Rainbow": "Cocoa Rainbow", "Light Pink": "Gray Pink"}
    kinds = dict(lights)
    for name, k in lights.items():
        dark = SuitKind(k.colours, k.by_colour, k.by_rank, True, k.inverted)
        kinds[own_names.get(name, f"Dark {name}")] = dark
    kinds["Black"] = SuitKind(("Black",), dark=True)
    for name, k in list(kinds.items()):
        turned = SuitKind(k.colours, k.by_colour, k.by_rank, k.dark, k.inverted, True)
        kinds[f"{name} Reversed"] = turned
    return kinds


SPECIAL = _special()
"""Every special suit by name."""

MECHANICS = (
    "Alternating Clues", "Chimneys", "Clue Starved", "Color Blind", "Color Mute", "Cow", "Pig",
    "Critical Fours", "Duck", "Funnels", "Number Blind", "Number Mute", "Odds and Evens",
    "Reversed", "Scarce Ones", "Sudoku", "Synesthesia", "Throw It in a Hole", "Totally Blind",
    "Up or Down",
)  # fmt: skip

COLOURINGS = {
    "Ambiguous": {2: "R R", 4: "R R B B", 6: "R R G G B B"},
    "Very Ambiguous": {3: "B B B", 6: "R R R B B B"},
    "Extremely Ambiguous": {4: "B B B B", 5: "B B B B B", 6: "B B B B B B"},
    "Matryoshka": {n: " ".join(BASIC[6][:k] for k in range(1, n + 1)) for n in range(2, 7)},
    "Dual-Color": {3: "RY RB YB", 5: "RY YG GB BP PR", 6: "RY RB RK YB YK BK"},
}
"""The colours of the ordinary suits, by their number, where they are not one colour each."""

MIXES = {
    "Special Mix (5 Suits)": "Black,Rainbow,Pink,White,Brown",
    "Special Mix (6 Suits)": "Black,Rainbow,Pink,White,Brown,Null",
    "Ambiguous Mix": "R,R,B,B,Black,White",
    "Dual-Color Mix": "RY,RB,YB,Black,Rainbow,White",
    "Ambiguous & Dual-Color Mix": "RY,RY,RB,RB,YB,YB",
    "Candy Corn Mix (5 Suits)": "R,RY,Y,White,Brown",
    "Candy Corn Mix (6 Suits)": "R,RY,Y,White,Brown,Cocoa Rainbow",
    "Holiday Mix (5 Suits)": "Dark Pink,G,White,B,B",
    "Holiday Mix (6 Suits)": "Light Pink,R,G,White,B,B",
    "Valentine Mix (5 Suits)": "R,Pink,White,Light Pink,Cocoa Rainbow",
    "Valentine Mix (6 Suits)": "R,Pink,White,Light Pink,Cocoa Rainbow,Null",
    "RGB Mix (6 Suits)": "R,RG,G,GB,B,RB",
}
"""The suits of the variants whose names do not name them."""


def _ordinary(colours: str) -> SuitKind:
    # K is the black clue colour of some two-coloured suits.
    return SuitKind(tuple("Black" if c == "K" else c for c in colours))


@dataclass(frozen=True)
class Variant:
    """A variant: the site's number and name, its suits, and what else its name says.

    Parameters
    ----------
    number
        The site's id, 0 to 2425; -1 for rules that are no variant of the site.
    name
        The site's name.
    suits
        What each suit is, in deck order.
    mechanics
        Words of `MECHANICS`; usually none or one.
    special_rank
        The rank with touch rules of its own, 1 or 5; 0 for none.
    special
        Those rules: the suit whose properties the rank has; None for none, and for Deceptive.
    """

    number: int
    name: str
    suits: tuple[SuitKind, ...]
    mechanics: frozenset[str] = frozenset()
    special_rank: int = 0
    special: SuitKind | None = None

    @property
    def alternating(self) -> bool:
        """Whether two clues running must not be of one type."""
        return "Alternating Clues" in self.mechanics

    @property
    def empty_clues(self) -> bool:
        """Whether clues that touch nothing are legal: so where a type of clue touches nothing."""
        return any(word.endswith("Blind") for word in self.mechanics)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the cards, START last."""
        if "Sudoku" in self.mechanics:
            return tuple(range(1, len(self.suits) + 1))
        return (1, 2, 3, 4, 5, START) if "Up or Down" in self.mechanics else (1, 2, 3, 4, 5)

    @cached_property
    def clue_colours(self) -> tuple[str, ...]:
        """The colours that can be clued, in the order of a colour clue's value."""
        if "Color Mute" in self.mechanics:
            return ()
        return tuple(dict.fromkeys(colour for suit in self.suits for colour in suit.colours))

    @cached_property
    def clue_ranks(self) -> tuple[int, ...]:
        """The values that a rank clue can have; 1 is odd and 2 even in Odds and Evens."""
        if {"Number Mute", "Synesthesia"} & self.mechanics:
            return ()
        if "Odds and Evens" in self.mechanics:
            return (1, 2)
        normal = self.special is not None and self.special.by_rank == "own"
        left_out = 0 if normal else self.special_rank
        return tuple(rank for rank in (1, 2, 3, 4, 5) if rank != left_out)

    def touches(self, kind: ClueType, value: int, card: Card) -> bool:
        """Whether a clue touches a card.

        Parameters
        ----------
        kind
            `COLOUR` or `RANK`.
        value
            The colour's index in `clue_colours`, or one of `clue_ranks`.
        """
        suit = self.suits[card.suit]
        if kind == COLOUR:
            return self._colour_touches(value, suit, card.rank)
        return self._rank_touches(value, suit, card)

    def _colour_touches(self, value: int, suit: SuitKind, rank: int) -> bool:
        if {"Color Blind", "Totally Blind"} & self.mechanics:
            return False
        if suit.by_colour in ("all", "none"):
            return suit.by_colour == "all"
        count = len(self.clue_colours)
        by_number = value == (rank - 1) % count
        if "Synesthesia" in self.mechanics and suit.by_rank != "none" and by_number:
            return True
        if rank == self.special_rank and self.special and self.special.by_colour != "own":
            return self.special.by_colour == "all"
        if suit.by_colour == "prism":
            return value == count - 1 if rank == START else by_number
        return self.clue_colours[value] in suit.colours

    def _rank_touches(self, value: int, suit: SuitKind, card: Card) -> bool:
        if {"Number Blind", "Totally Blind"} & self.mechanics:
            return False
        if suit.by_rank != "own":
            return suit.by_rank == "all"
        if "Funnels" in self.mechanics:
            return card.rank <= value
        if "Chimneys" in self.mechanics:
            return card.rank >= value
        if "Odds and Evens" in self.mechanics:
            return card.rank != START and card.rank % 2 == value % 2
        if card.rank == self.special_rank:
            if self.special is None:
                return value == self.clue_ranks[card.suit % len(self.clue_ranks)]
            if self.special.by_rank != "own":
                return self.special.by_rank == "all"
        return value == card.rank

    def clues(self, card: Card) -> Iterator[tuple[ClueType, int]]:
        """Give the clues that touch a card: the clue of its own rank first, then rank clues."""
        ranks = sorted(self.clue_ranks, key=lambda rank: rank != card.rank)
        for kind, values in ((RANK, ranks), (COLOUR, range(len(self.clue_colours)))):
            yield from ((kind, v) for v in values if self.touches(kind, v, card))

    def cards(self) -> list[Card]:
        """Every face, suit by suit."""
        return [Card(suit, rank) for suit in range(len(self.suits)) for rank in self.ranks]

    @cached_property
    def untouchable(self) -> frozenset[Card]:
        """The faces that no clue touches."""
        return frozenset(card for card in self.cards() if not any(self.clues(card)))

    def only(self, kind: ClueType) -> frozenset[Card]:
        """Give the faces that clues of this type touch and clues of the other do not."""
        return frozenset(c for c in self.cards() if {t for t, _ in self.clues(c)} == {kind})

    def copies(self, suit: SuitKind) -> tuple[int, ...]:
        """Give the copies of each rank in a suit, from 1."""
        if suit.dark:
            return (1,) * len(self.ranks)
        if "Sudoku" in self.mechanics:
            return (2,) * len(self.ranks)
        if "Up or Down" in self.mechanics:
            return (1, 2, 2, 2, 1, 1)
        if suit.reversed:
            return STANDARD_COPIES[::-1]
        if "Scarce Ones" in self.mechanics:
            return (2, 2, 2, 2, 1)
        return (3, 2, 2, 1, 1) if "Critical Fours" in self.mechanics else STANDARD_COPIES

    def from_site(self, cards: Iterable[Card]) -> list[Card]:
        """Give the cards that the site writes with its own ranks.

        Raises
        ------
        InputError
            Naming the card whose rank the variant has not.
        """
        if "Up or Down" not in self.mechanics:
            return list(cards)
        made = []
        for number, (suit, rank) in enumerate(cards, 1):
            if rank not in (*range(1, START), SITE_START):
                raise InputError(f"deck: card {number}: {self.name} has no rank {rank}")
            made.append(Card(suit, START if rank == SITE_START else rank))
        return made

    def on_site(self, cards: Iterable[Card]) -> list[Card]:
        """Give cards as the site writes them."""
        if "Up or Down" not in self.mechanics:
            return list(cards)
        return [Card(suit, SITE_START if rank == START else rank) for suit, rank in cards]

    def rules(
        self,
        players: int,
        *,
        hand_size: int | None = None,
        first_player: int = 0,
        one_extra_card: bool = False,
        one_less_card: bool = False,
        deck_plays: bool = False,
        empty_clues: bool = False,
        all_or_nothing: bool = False,
        speedrun: bool = False,
    ) -> Rules:
        """Give the rules of this variant for 2 to 6 players and the site's options.

        Parameters
        ----------
        hand_size
            Cards in a hand; None for the site's usual number, with the two options for it.

        Raises
        ------
        InputError
            If there are not 2 to 6 players.
        """
        if type(players) is not int or not 2 <= players <= 6:
            raise InputError(f"players is {players!r}, not 2 to 6")
        if hand_size is None:
            hand_size = usual_hand_size(players) + one_extra_card - one_less_card
        starved = "Clue Starved" in self.mechanics
        ending = Ending.SPEEDRUN if speedrun else Ending.FINAL_ROUND
        if all_or_nothing:
            ending = Ending.ALL_OR_NOTHING  # also in a speedrun: it ends no later
        empty = empty_clues or self.empty_clues
        untouchable = frozenset() if empty else self.untouchable
        only = {kind: self.only(kind) if self.alternating and not empty else frozenset()
                for kind in (COLOUR, RANK)}  # fmt: skip
        return Rules(
            players,
            hand_size,
            tuple(
                self._suit(letter, suit) for letter, suit in zip(LETTERS, self.suits, strict=False)
            ),
            first_player=first_player,
            max_clues=16 if starved else 8,
            start_clues=16 if starved else 8,
            clue_price=2 if starved else 1,
            stack_gain=0 if "Throw It in a Hole" in self.mechanics else 1,
            discard_at_full=any(suit.inverted for suit in self.suits),
            empty_clues=empty,
            untouchable=untouchable,
            alternating_clues=bool(untouchable or only[COLOUR] or only[RANK]) and self.alternating,
            colour_only=only[COLOUR],
            rank_only=only[RANK],
            ending=ending,
            deck_play=deck_plays,
            different_starts="Sudoku" in self.mechanics,
        )

    def _suit(self, letter: str, suit: SuitKind) -> Suit:
        copies = self.copies(suit)
        if suit.reversed:
            return Suit.ordered(letter, copies, range(len(copies), 0, -1))
        if "Sudoku" in self.mechanics:
            return Suit.cyclic(letter, copies)
        if "Up or Down" in self.mechanics:
            return Suit.up_or_down(letter, copies)
        return Suit(letter, copies)


def plain(suits: int) -> Variant:
    """Give ordinary suits, 1 to 6, that are no variant of the site, for decks without a name."""
    return Variant(-1, "", tuple(map(_ordinary, BASIC[suits])))


def variant_of(place: Deal | Position) -> Variant:
    """Give the variant that a deal or position is labelled with, ordinary suits if it has none."""
    return find(place.variant) if place.variant else plain(len(place.rules.suits))


@cache
def names() -> tuple[str, ...]:
    """Give the site's names; a variant's number is its place."""
    text = files("solver.formats").joinpath("variant_names.txt").read_text(encoding="utf-8")
    return tuple(text.splitlines())


@cache
def _numbers() -> dict[str, int]:
    return {name.casefold(): number for number, name in enumerate(names())}


def find(name: str | int) -> Variant:
    """Find a variant by its name, upper or lower case, or by its number.

    Raises
    ------
    InputError
        With the nearest names, if there is none.
    """
    text = str(name).strip()
    if text.isascii() and text.isdigit():
        number = int(text) if len(text) < 10 else len(names())
        if number >= len(names()):
            raise InputError(f"variant {text[:20]}: the numbers end at {len(names()) - 1}")
        return _made(number)
    known = _numbers().get(text.casefold())
    if known is None:
        near = difflib.get_close_matches(text[:60], names(), 3, 0.5)
        hint = f"; near are {', '.join(map(repr, near))}" if near else ""
        raise InputError(f"variant {text[:60]!r} is not known{hint}")
    return _made(known)


@cache
def _made(number: int) -> Variant:
    name = names()[number]
    if name in MIXES:
        words = MIXES[name].split(",")
        return Variant(number, name, tuple(SPECIAL.get(w) or _ordinary(w) for w in words))
    parts, count = _parts(name)
    mechanics = frozenset(part for part in parts if part in MECHANICS)
    special = tuple(SPECIAL[part] for part in parts if part in SPECIAL)
    ordinary = count - len(special)
    colours = next((COLOURINGS[p][ordinary].split() for p in parts if p in COLOURINGS), None)
    suits = tuple(map(_ordinary, colours or BASIC[ordinary])) + special
    if "Reversed" in mechanics:
        last = suits[-1]
        suits = (*suits[:-1], SuitKind(last.colours, reversed=True))
    rank, kind = 0, None
    for part in parts:
        word, _, which = part.rpartition("-")
        if which in ("Ones", "Fives"):
            rank = 1 if which == "Ones" else 5
            kind = SPECIAL.get(word.replace("-", " "))
    return Variant(number, name, suits, mechanics, rank, kind)


def _parts(name: str) -> tuple[list[str], int]:
    """Split ``Funnels & Black (5 Suits)`` into its parts and the number of suits."""
    if name == "No Variant":
        return [], 5
    match = re.fullmatch(r"(?:(.+) \()?(\d) Suits\)?", name)
    assert match is not None, name
    return (match[1] or "").split(" & ") if match[1] else [], int(match[2])
