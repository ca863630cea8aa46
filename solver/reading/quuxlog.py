"""Text logs of Quuxplusone's Hanabi program and of SPARTA.

They tell a game in sentences: the hands, each move with the name of its slot, each card drawn. A
deck that was not drawn to its end is known all the same if the log names the seed (``--seed 7``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from solver.decks.palette import ROYGB
from solver.decks.sources import dealt
from solver.formats.hanablive import Game
from solver.formats.record import Record
from solver.game.card import Card
from solver.game.errors import InputError
from solver.game.origin import Origin
from solver.game.rules import Rules
from solver.reading.transcript import Transcript, cards_of

__all__ = ["games_of_log", "is_log"]

QUUX, SPARTA = "Quuxplusone/Hanabi", "SPARTA"
NAMES = {
    5: ("oldest", "second-oldest", "middle", "second-newest", "newest"),
    4: ("oldest", "second-oldest", "second-newest", "newest"),
    3: ("oldest", "middle", "newest"),
    2: ("oldest", "middle"),
    1: ("oldest",),
}
"""What the slots of a hand of so many cards are called."""
COLOURS = ("red", "orange", "yellow", "green", "blue")
LONGEST_RUN = 10**6

HANDS = re.compile(r"Current hands: (.+)")
PARTS = re.compile(
    r"Player (\d) (discarded|played|tried to play) \w+ (\S+) card \((\d[roygb])\)( but failed)?\."
)
DRAWS = re.compile(r"Player (\d) drew a replacement \((\d[roygb])\)")
CLUES = re.compile(r"Player (\d) told player (\d) that .* (?:was|were) (\w+)\.")
FINAL = re.compile(r"Final score (\d+) : (\d+) bomb: ([01])")
FIRST = re.compile(r"\S+ scored (\d+) points in that (?:first )?game")
SETTING = re.compile(r"(BOMB0|BOMBD): (-?\d+)")
SEED = re.compile(r"--seed (\d+)")


def is_log(text: str) -> bool:
    """Whether a text is such a log, or at least its scores."""
    return bool(HANDS.search(text) or FINAL.search(text))


@dataclass
class _Told:
    """What was told of one game."""

    hands: str = ""
    moves: list[re.Match[str]] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    number: int | None = None
    score: int | None = None
    bombed: bool = False
    sparta: bool = False


def games_of_log(text: str) -> Iterator[Game | InputError]:
    """Give the games of a log in their order, and in their places what is wrong with others."""
    settings = {key: int(value) for key, value in SETTING.findall(text)}
    seed = SEED.search(text)
    for place, told in enumerate(_told(text)):
        try:
            yield _game(told, place, settings, int(seed[1]) if seed else None)
        except InputError as error:
            yield error


def _told(text: str) -> Iterator[_Told]:
    told = _Told()
    for line in text.splitlines():
        if "Starting game..." in line and told.hands:
            yield told
            told = _Told()
        if final := FINAL.search(line):
            told.sparta = True
            told.number, told.score, told.bombed = int(final[1]), int(final[2]), final[3] == "1"
            yield told
            told = _Told()
        elif first := FIRST.search(line):
            told.score = int(first[1])
            yield told
            told = _Told()
        elif hands := HANDS.search(line):
            told.hands = told.hands or hands[1]
        elif part := PARTS.search(line) or CLUES.search(line):
            told.moves.append(part)
        elif draw := DRAWS.search(line):
            told.drawn.append(draw[2])
    if told.hands:
        yield told


def _game(told: _Told, place: int, settings: dict[str, int], seed: int | None) -> Game:
    number = place if told.number is None else told.number
    if not told.hands:
        raise InputError(f"game {number}: a score alone, without the moves")
    hands = [cards_of(" ".join(hand.split(",")).split(), ROYGB) for hand in told.hands.split()]
    sizes = {len(hand) for hand in hands}
    if not 2 <= len(hands) <= 5 or len(sizes) != 1:
        raise InputError("Current hands: these are not 2 to 5 hands of the same size at the start")
    sparta = told.sparta or "BOMBD" in settings
    lost_minus: int | None = 0
    if sparta:
        lost_minus = None if settings.get("BOMB0", 0) else max(settings.get("BOMBD", 1), 0)
    rules = Rules(len(hands), sizes.pop(), ROYGB.suits, lost_scores_stacks=lost_minus is not None)
    cards = [card for hand in hands for card in hand] + cards_of(told.drawn, ROYGB)
    script = Transcript(rules, ROYGB)
    script.follow(told.moves, _acted, cards)
    origin = None
    if len(cards) < rules.deck_size and seed:
        cards, origin = _whole(cards, rules, "sparta" if sparta else "quux", seed, number)
    record = Record(SPARTA if sparta else QUUX, told.score, lost_minus)
    game = script.game(cards, record, origin=origin)
    if told.bombed and game.position().strikes < rules.max_strikes:
        raise InputError("bomb: 1, and the moves do not lose the game")
    return game


def _acted(script: Transcript, move: re.Match[str], cards: Sequence[Card]) -> None:
    if int(move[1]) != script.seat:
        raise InputError(f"it is the turn of seat {script.seat}, not of player {move[1]}")
    if move.re is CLUES:
        target, word = int(move[2]), move[3]
        if word in COLOURS:
            script.clue_colour(target, COLOURS.index(word))
        elif re.fullmatch("[1-5]s?", word):
            script.clue_rank(target, int(word[0]))
        else:
            raise InputError(f"{word[:20]!r} is no colour and no rank")
        return
    names = NAMES.get(len(script.hands[script.seat]), ())
    if move[3] not in names:
        raise InputError(f"a hand of {len(script.hands[script.seat])} has no {move[3]} card")
    slot = names.index(move[3])
    order = script.discard(slot) if move[2] == "discarded" else script.play(slot)
    if order < len(cards) and cards_of([move[4]], ROYGB) != [cards[order]]:
        raise InputError(f"the {move[3]} card is not {move[4]}")


def _whole(
    cards: list[Card], rules: Rules, source: str, seed: int, number: int
) -> tuple[list[Card], Origin | None]:
    """Give the whole deck that a seed says, if it agrees with the cards that were seen."""
    if number > LONGEST_RUN:
        return cards, None
    option = f"+hand={rules.hand_size}"
    (deal,) = dealt(f"{source}{option}:{seed}#{number}", rules.players, None)
    if list(deal.deck[: len(cards)]) != cards:
        return cards, None
    return list(deal.deck), deal.origin
