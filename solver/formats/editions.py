"""The printed editions by name: hand sizes, clue rules, variants, and their words for a score.

What each edition says is fact; the words for a score are our own, after those of its text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from solver.formats.variants import find
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.rules import Ending, Rules

__all__ = ["EDITIONS", "Edition", "House", "edition", "rating", "rules_of", "variant_name"]


@dataclass(frozen=True)
class Edition:
    """A printed edition of the game.

    Parameters
    ----------
    name
        What it is called here.
    text
        Whose rules these are.
    hands
        Cards in a hand, by the number of players.
    empty_clues
        Whether a clue that touches nothing is allowed; where the text does not say, it is not.
    words
        The ratings of 0-5, 6-10, 11-15, 16-20, 21-24 points and of full marks.
    """

    name: str
    text: str
    hands: dict[int, int]
    empty_clues: bool
    words: tuple[str, str, str, str, str, str]


USUAL = {2: 5, 3: 5, 4: 4, 5: 4}

EDITIONS = {
    made.name: made
    for made in (
        Edition("standard", "Abacusspiele; the German, Spanish and Turkish texts", USUAL, True,
                ("horrible", "mediocre", "honourable", "excellent", "extraordinary",
                 "legendary")),
        Edition("rr", "R&R Games, in English", USUAL, False,
                ("booed", "poor", "okay", "good", "very good", "legendary")),
        Edition("cocktail", "Cocktail Games; the Portuguese text", USUAL, True,
                ("horrible, booed", "mediocre, hardly applauded", "honourable, soon forgotten",
                 "excellent, well applauded", "extraordinary, long talked about",
                 "legendary, nobody finds words")),
        Edition("french", "the French transcription", {2: 5, 3: 4, 4: 4}, False,
                ("horrible", "poor", "honourable", "excellent", "extraordinary", "legendary")),
        Edition("romanian", "the Romanian text", USUAL, False,
                ("booed", "mediocre", "okay", "good", "extraordinary", "legendary")),
    )
}  # fmt: skip
"""The editions by name."""

ALIASES = {"r&r": "rr"}
BANDS = (5, 10, 15, 20, 24)
"""The most points of each rating but the last, of 25."""


def edition(name: str) -> Edition:
    """Find an edition by its name, upper or lower case.

    Raises
    ------
    InputError
        If there is none.
    """
    word = name.strip().casefold()
    found = EDITIONS.get(ALIASES.get(word, word))
    if found is None:
        raise InputError(f"edition {name[:40]!r} is not known; there are {', '.join(EDITIONS)}")
    return found


def rating(score: int, rules: Rules) -> str:
    """Give the word for a final score, in the edition that the rules name, else the standard one.

    The texts rate games of 25 points. In others a score counts for as many of 25, rounded down;
    the best word is for full marks alone.
    """
    words = edition(rules.book or "standard").words
    if score == rules.max_score:
        return words[-1]
    return words[sum(25 * score // rules.max_score > most for most in BANDS)]


def variant_name(
    multicolour: int = 0, every_colour: bool = False, black_powder: bool = False
) -> str:
    """Give the hanab.live variant with the suits of an edition's variants.

    Parameters
    ----------
    multicolour
        Cards of the multicolour suit: 0, 5 or 10.
    every_colour
        Whether every colour clue touches the multicolour suit.
    black_powder
        Whether there is the black suit that is built downwards and that no colour touches.

    Raises
    ------
    InputError
        If it is no such number, or there would be more than six suits.
    """
    if multicolour not in (0, 5, 10):
        raise InputError(f"multicolour is {multicolour}, not 0, 5 or 10 cards")
    if every_colour and not multicolour:
        raise InputError("every-colour says how clues touch the multicolour suit: it needs one")
    if multicolour and black_powder:
        raise InputError("multicolour and black powder together are seven suits, more than six")
    if black_powder:
        return "White Reversed (6 Suits)"
    if every_colour:
        return "Rainbow (6 Suits)" if multicolour == 10 else "Dark Rainbow (6 Suits)"
    return {0: "No Variant", 5: "Black (6 Suits)", 10: "6 Suits"}[multicolour]


def rules_of(
    name: str,
    players: int,
    *,
    multicolour: int = 0,
    every_colour: bool = False,
    black_powder: bool = False,
    strikes: int = 3,
    clues: int = 8,
    endless: bool = False,
) -> Rules:
    """Give the rules of a printed edition.

    Parameters
    ----------
    name
        One of `EDITIONS`: ``standard``, ``rr``, ``cocktail``, ``french`` or ``romanian``.
    players
        2 to 5; 2 to 4 in the French one.
    multicolour, every_colour, black_powder
        The suits, as for `variant_name`.
    strikes, clues
        The strike limit, 1 to 100; clue tokens at the start and at most, 1 to 200.
    endless
        Whether the show is endless (`Ending.ENDLESS`).

    Raises
    ------
    InputError
        If the edition is not known, not for so many players, or a number is out of range.
    """
    found = find(variant_name(multicolour, every_colour, black_powder))
    house = House(name, strikes, clues, Ending.ENDLESS if endless else None)
    return house.rules(found.rules(players))


@dataclass(frozen=True)
class House:
    """What is to be changed in the rules of deals; None and False leave a rule as it is.

    Parameters
    ----------
    edition
        An edition's name: its hand size, its clue rule, its words.
    strikes, clues
        The strike limit; clue tokens at the start and at most, in whole tokens.
    ending
        What ends the game.
    hand_size
        Cards in a hand, whatever the edition says.
    empty_clues, deck_plays
        Whether clues may touch nothing; whether the last card may be played from the pile.
    """

    edition: str | None = None
    strikes: int | None = None
    clues: int | None = None
    ending: Ending | None = None
    hand_size: int | None = None
    empty_clues: bool = False
    deck_plays: bool = False

    def rules(self, rules: Rules) -> Rules:
        """Give the rules with the changes.

        Raises
        ------
        InputError
            If the edition is not known or not for so many players, or a number is out of range.
        """
        made = rules
        if self.edition is not None:
            book = edition(self.edition)
            if rules.players not in book.hands:
                raise InputError(
                    f"the edition {book.name} is for {min(book.hands)} to {max(book.hands)} "
                    f"players, not {rules.players}"
                )
            made = replace(made, hand_size=book.hands[rules.players], book=book.name,
                           empty_clues=made.empty_clues or book.empty_clues)  # fmt: skip
        if self.strikes is not None:
            made = replace(made, max_strikes=self.strikes)
        if self.clues is not None:
            units = self.clues * made.clue_price
            made = replace(made, max_clues=units, start_clues=units)
        if self.hand_size is not None:
            made = replace(made, hand_size=self.hand_size)
        if self.ending is not None:
            made = replace(made, ending=self.ending)
        return replace(made, empty_clues=made.empty_clues or self.empty_clues,
                       deck_play=made.deck_play or self.deck_plays)  # fmt: skip

    def deal(self, deal: Deal) -> Deal:
        """Give the deal of the same deck by the changed rules."""
        return replace(deal, rules=self.rules(deal.rules))
