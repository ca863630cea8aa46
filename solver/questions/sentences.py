"""Explanations as one plain sentence that a Hanabi player would agree with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.notation import card_text
from solver.game.position import Position
from solver.game.suit import Way
from solver.questions.explain import Explanation
from solver.questions.hall import plays_after, waits
from solver.questions.ladder import Loss
from solver.questions.onehand import FULL, LAST_CARD, LATE, Overflow
from solver.questions.reasons import Reason, Reasons
from solver.questions.tightness import Tightness

__all__ = [
    "Numbers", "capital", "fate_text", "reason_sentence", "sentence", "step_names", "tokens_of",
    "way_text",
]  # fmt: skip

MOST_REASONS = 4
"""So many reasons are told where suits can be built in several ways."""

COLOURS = {
    "r": "red", "y": "yellow", "g": "green", "b": "blue", "p": "purple", "t": "teal",
}  # fmt: skip
PLAIN = ("", "No Variant", "6 Suits")
"""Variants whose suits are called by their colours."""

WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


class Numbers:
    """How cards are numbered for people, from 1.

    Through the deck where the deal is known, hands first, otherwise through the draw pile.
    """

    def __init__(self, explanation: Explanation, reason: Reason | None = None) -> None:
        asked = explanation.asked
        self.position = reason.position if reason else explanation.start
        """The game of a way, if it is asked for with a reason."""
        self.pile = explanation.start.pile
        self.dealt = asked.dealt if isinstance(asked, Deal) else 0
        self.through = "deck" if isinstance(asked, Deal) else "pile"
        self.letters = self.position.letters
        self.names = step_names(explanation.start, reason.ways) if reason else {}

    def of(self, draw: int) -> int:
        """Give the number of the card of a draw."""
        return self.dealt + draw

    def text(self, draw: int) -> str:
        """Name the card of a draw: ``the 47th card (g2)``."""
        number = self.of(draw)
        teens = 10 < number % 100 < 14
        ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        card = self.drawn(draw)
        where = "" if self.through == "deck" else " of the draw pile"
        return f"the {number}{ending} card{where} ({card})"

    def cards(self, cards: Sequence[Card]) -> str:
        """Write cards with spaces between them."""
        return " ".join(map(self.name, cards))

    def list(self, cards: Sequence[Card]) -> str:
        """Write cards as in a sentence: ``g2, g3 and p4``."""
        return listed([self.name(card) for card in cards])

    def name(self, card: Card) -> str:
        """Write a card, or where it is the step of a way what it may be: ``r1/r6``."""
        return self.names.get(card) or card_text(card, self.letters)

    def drawn(self, draw: int) -> str:
        """Write the card of a draw."""
        return card_text(self.pile[draw - 1], self.letters)


def step_names(position: Position, ways: Sequence[Way]) -> dict[Card, str]:
    """Say which cards each step of a way may be."""
    letters = position.letters
    return {
        Card(suit, step): "/".join(card_text(Card(suit, rank), letters) for rank in sorted(ranks))
        for suit, (way, height) in enumerate(zip(ways, position.heights, strict=True))
        for step, ranks in enumerate(way, height + 1)
    }


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join words as in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def count(number: int, noun: str = "") -> str:
    """Write a number of things: ``four cards``, ``one turn``, ``30 cards``."""
    word = WORDS[number] if 0 <= number < len(WORDS) else f"{number:,}"
    return f"{word} {noun}{'' if number == 1 else 's'}" if noun else word


def are(number: int) -> str:
    """Give the verb for a number of things."""
    return "is" if number == 1 else "are"


def sentence(explanation: Explanation) -> str:
    """Say in one sentence why it cannot be won, or how tight it is."""
    numbers = Numbers(explanation)
    if explanation.tight is not None:
        if explanation.tight.ways:
            numbers.names = step_names(explanation.start, explanation.tight.ways)
        return _tight(explanation.tight, numbers)
    if explanation.loss is None:
        result = explanation.result
        limit = f"the {result.stopped} limit was reached" if result.stopped else "it is not settled"
        what = "why full marks are out of reach" if result.winnable is False else "if it can be won"
        return f"It is open {what}: {limit}."
    if explanation.reasons is not None:
        return _every_way(explanation, explanation.reasons)
    text = _SENTENCES[explanation.loss.kind](explanation.loss, numbers)
    return capital(text)


def capital(text: str) -> str:
    """Begin a sentence."""
    return text[0].upper() + text[1:]


def reason_sentence(explanation: Explanation, reason: Reason) -> str:
    """Say in which ways a reason holds, and why: ``with r upwards (16 ways): after ...``."""
    text = _SENTENCES[reason.loss.kind](reason.loss, Numbers(explanation, reason))
    open_ways = explanation.start.ways
    some = [
        f"{letter} {way_names(built, ways)}"
        for letter, built, ways in zip(
            explanation.start.letters, reason.built, open_ways, strict=True
        )
        if len(built) < len(ways)
    ]
    number = f"{reason.count:,} way{'' if reason.count == 1 else 's'}"
    return f"with {listed(some)} ({number}): {text}" if some else f"in every way: {text}"


def way_names(built: Sequence[Way], ways: Sequence[Way]) -> str:
    """Name some of the ways of a suit: ``upwards``, ``from 2 or 3``, or by the ranks in order."""
    rising = [way for way in ways if _goes(way, 1)]
    falling = [way for way in ways if _goes(way, -1)]
    if len(ways) == 2 and len(rising) == len(falling) == 1:
        return listed(["upwards" if way in rising else "downwards" for way in built], "or")
    if len({way[0] for way in ways}) == len(ways) and all(len(way[0]) == 1 for way in ways):
        return "from " + listed([str(min(way[0])) for way in built], "or")
    return "in the order " + listed([way_text(way) for way in built], "or")


def way_text(way: Way) -> str:
    """Write the ranks of a way in order: ``1/6 2 3 4 5``."""
    return " ".join("/".join(map(str, sorted(ranks))) for ranks in way)


def _goes(way: Way, by: int) -> bool:
    """Whether the ranks of a way that are certain rise or fall."""
    ranks = [min(step) for step in way if len(step) == 1]
    return len(ranks) > 1 and all(b - a == by for a, b in pairwise(ranks))


def _every_way(explanation: Explanation, reasons: Reasons) -> str:
    texts = [reason_sentence(explanation, reason) for reason in reasons.found[:MOST_REASONS]]
    more = len(reasons.found) - len(texts)
    if more:
        texts.append(f"the other ways are lost for {count(more)} more reason{'s' * (more > 1)}.")
    start = (
        f"the suits can be built in {reasons.total:,} ways, and all are lost"
        if reasons.total > 1
        else "one way to build the suits is left, and it is lost"
    )
    return " ".join(map(capital, [f"{start}.", *texts]))


def _over(loss: Loss, numbers: Numbers) -> str:
    end = numbers.position.end
    return f"the game is over: {end.value if end else 'nothing can be done'}."


def _lost_card(loss: Loss, numbers: Numbers) -> str:
    card = loss.cards[0]
    position = numbers.position
    name = numbers.cards([card])
    copies = position.rules.copies(card)
    gone = position.discards.count(card)
    start = f"no copy of {name} is left"
    if gone == copies:
        start = f"the only {name} is gone" if gone == 1 else f"all {count(gone)} {name} are gone"
        start = start.replace("all two", "both")
    if numbers.names:
        return f"{start}, so {_suit(card, numbers)} cannot be completed."
    return f"{start}, so {_suit(card, numbers)} {_stop(card, numbers)}."


def _stop(card: Card, numbers: Numbers) -> str:
    """Say where a stack stops without a card: ``stops at 3``."""
    rules = numbers.position.rules
    height = rules.step(card) - 1
    return f"stops at {rules.card_at(card.suit, height).rank}" if height else "cannot begin"


def _suit(card: Card, numbers: Numbers) -> str:
    letter = numbers.letters[card.suit]
    if numbers.position.variant in PLAIN and letter in COLOURS:
        return f"the {COLOURS[letter]} stack"
    return f"the stack of {letter}"


def _kind_of_cards(cards: Sequence[Card], numbers: Numbers) -> str:
    """Give ``green card`` if all are of one suit that has a colour, else ``card``."""
    suits = {card.suit for card in cards}
    plain = numbers.position.variant in PLAIN
    colour = COLOURS.get(numbers.letters[cards[0].suit]) if len(suits) == 1 and plain else None
    return f"{colour} card" if colour else "card"


def _pace(loss: Loss, numbers: Numbers) -> str:
    position = numbers.position
    needed = waits(position, [suit.full for suit in position.rules.suits])
    plays = plays_after(position, 0)
    last = "turn" if position.turns_left is not None else "draw and each turn of the final round"
    return (
        f"{count(len(needed), 'card')} {are(len(needed))} still to be played, and there are only "
        f"{count(plays, 'play')} left, one for each {last}."
    )


def _release(loss: Loss, numbers: Numbers) -> str:
    found = loss.violator
    assert found is not None
    cards = [wait.card for wait in found.waits]
    what = count(len(cards), _kind_of_cards(cards, numbers))
    return (
        f"after {numbers.text(found.draw)} is drawn {what} {are(len(cards))} still to be played "
        f"({numbers.cards(sorted(cards))}), and {count(found.plays, 'play')} "
        f"{are(found.plays)} left."
    )


def _last(loss: Loss, numbers: Numbers) -> str:
    first, then = (numbers.cards([card]) for card in loss.cards)
    return (
        f"the last card to be drawn is {first}: whoever draws it plays it in the very last turn, "
        f"so {then} can never be played on it."
    )


def _wanted(loss: Loss, numbers: Numbers) -> str:
    """Say which stacks are enough to lose: ``if only b5 and p3 with the cards below were wanted``.

    Nothing, if all are needed to full marks.
    """
    position = numbers.position
    pairs = list(zip(position.rules.suits, position.stacks, loss.caps, strict=True))
    if all(suit.full == cap for suit, _, cap in pairs):
        return ""
    at = position.rules.card_at
    tops = [at(n, cap) for n, (_, height, cap) in enumerate(pairs) if cap > height]
    below = " with the cards below" if len(loss.cards) > len(tops) else ""
    return (
        f"even if only {numbers.list(tops)}{below} {'was' if len(tops) == 1 else 'were'} wanted, "
    )


def _overflow(loss: Loss, numbers: Numbers) -> str:
    rules = numbers.position.rules
    wanted = _wanted(loss, numbers)
    start = (
        f"{wanted}{'' if wanted else 'even if '}all hands were one hand of "
        f"{count(rules.players * rules.hand_size, 'card')}, clues were free and every card was "
        "played as soon as it can be, "
    )
    found = loss.overflow
    if found == LAST_CARD:
        return f"{start}the last card to be drawn would be one that others must follow."
    if found == LATE:
        return f"{start}too few turns would be left in the end."
    if not isinstance(found, Overflow):
        return f"{start}a needed card would be lost or come too late."
    when = f"when {numbers.text(found.draw)} is drawn" if found.draw else "from the start"
    full = (
        f"{start}that hand would be full {when}: {numbers.cards(found.hand)} are all needed and "
        "none of them can be played yet"
    )
    if not found.throws:
        return f"{full} or comes again, so one of them is lost for ever."
    names = numbers.cards([throw.card for throw in found.throws])
    one = len(found.throws) == 1
    fates = frozenset[str]().union(*(throw.fates for throw in found.throws))
    return (
        f"{full}; only {names} {'comes' if one else 'come'} again, and "
        f"{'if it' if one else 'whichever of them'} is thrown away, {fate_text(fates)}."
    )


FATES = {
    LATE: "too few turns are left in the end",
    FULL: "the hand is full again later and a needed card is lost for ever",
    LAST_CARD: "the last card to be drawn is one that others must follow",
}


def fate_text(fates: frozenset[str]) -> str:
    """Say how it ends."""
    return listed([text for fate, text in FATES.items() if fate in fates], "or")


def _no_turn(loss: Loss, numbers: Numbers) -> str:
    (card,) = loss.cards
    seats = [f"seat {seat}" for seat, hand in enumerate(numbers.position.hands) if card in hand]
    have = "has" if len(seats) == 1 else "have"
    return (
        f"{listed(seats)} {have} no turn left to play {numbers.cards([card])}, and nobody else "
        "holds it."
    )


def _tightest(loss: Loss, numbers: Numbers) -> str:
    """Say where the cards have least room: after which draw how many wait for how many turns."""
    position = numbers.position
    waiting = waits(position, loss.caps)
    draws = sorted({wait.draw for wait in waiting}, reverse=True)
    late = {draw: sorted(w.card for w in waiting if w.draw >= draw) for draw in draws}
    draw = min(draws, key=lambda at: plays_after(position, at) - len(late[at]))
    cards = late[draw]
    when = f"after {numbers.text(draw)} is drawn" if draw else "from the start"
    what = count(len(cards), _kind_of_cards(cards, numbers))
    plays = count(plays_after(position, draw), "turn")
    return (
        f"{when} {what} {are(len(cards))} still to be played ({numbers.cards(cards)}) in at most "
        f"{plays}{_held(cards, numbers)}"
    )


def _held(cards: Sequence[Card], numbers: Numbers) -> str:
    """Say who holds those cards of which no copy is still to be drawn."""
    position = numbers.position
    held: dict[str, list[Card]] = {}
    for card in cards:
        seats = [str(seat) for seat, hand in enumerate(position.hands) if card in hand]
        if seats and card not in position.pile:
            held.setdefault(listed(seats, "or"), []).append(card)
    words = [f"{numbers.cards(some)} in the hand of seat {who}" for who, some in held.items()]
    return f", with {listed(words)}" if words else ""


def _turn_order(loss: Loss, numbers: Numbers) -> str:
    several = len({card.suit for card in loss.cards}) > 1
    wanted = (several and _wanted(loss, numbers)) or "even if "
    if not numbers.position.rules.has_final_round:
        return (
            f"{wanted}clues and discards were free, some hand would be full of needed cards that "
            f"cannot be played yet, and one of {numbers.cards(sorted(loss.cards))} would be lost."
        )
    return (
        f"{wanted}clues and discards were free, the players' turns come in the wrong order: "
        f"{_tightest(loss, numbers)}."
    )


def _tokens(loss: Loss, numbers: Numbers) -> str:
    there = tokens_of(numbers.position.clues, numbers)
    clues = count(there, "clue token") if isinstance(there, int) else f"{there} clue tokens"
    more = f" ({count(loss.more)} more might do)" if loss.more else ""
    free = "with free clues every card could be played in time, but " if loss.first else ""
    return (
        f"{_wanted(loss, numbers)}{free}{clues} and what comes back are too few to pass the turn "
        f"to the right player{more}"
        + (f": {_tightest(loss, numbers)}." if numbers.position.rules.has_final_round else ".")
    )


def _strikes(loss: Loss, numbers: Numbers) -> str:
    position = numbers.position
    spare = position.rules.max_strikes - 1 - position.strikes
    only = f"with {'only ' if spare else ''}{count(spare, 'misplay')} to spare"
    more = f" ({count(loss.more)} more would do)" if loss.more else ""
    return (
        f"{_wanted(loss, numbers)}cards would have to be thrown away while all clue tokens are "
        f"there; nobody may discard then, and {only} before the strikes lose the game{more} it "
        "cannot be done."
    )


def _clues(loss: Loss, numbers: Numbers) -> str:
    would = "could" if loss.first else "might"
    return (
        f"it {would} be won if every clue were legal; but at some moments no other hand holds a "
        "card that a clue may touch, and without those clues it cannot."
    )


def _ways(loss: Loss, numbers: Numbers) -> str:
    return (
        "in some way to build the suits it could be won if a card that begins a stack in another "
        "way could be misplayed; but such a card goes on its stack, and so it cannot."
    )


_SENTENCES = {
    "over": _over, "lost-card": _lost_card, "pace": _pace, "release": _release,
    "last-card": _last, "overflow": _overflow, "no-turn": _no_turn, "turn-order": _turn_order,
    "tokens": _tokens, "strikes": _strikes, "ways": _ways,
    "clues": _clues,
}  # fmt: skip


def _tight(tight: Tightness, numbers: Numbers) -> str:
    """Say what the line has to spare."""
    text = (
        f"Winnable: on the line found the pace is never below {tight.pace.value} "
        f"({_turn(tight.pace.turn)}), and the clue tokens never below "
        f"{tokens_of(tight.clues.value, numbers)} ({_turn(tight.clues.turn)})"
    )
    cards = tight.slack_cards
    if not cards:
        return f"{text}."
    what = f"{count(len(cards), _kind_of_cards(cards, numbers))} {are(len(cards))}"
    plays = count(len(cards) + tight.slack, "play")
    draw = tight.slack_draw
    when = f"after {numbers.text(draw)} is drawn {what} still" if draw else f"at the start {what}"
    if tight.ways:
        when = f"in the way with most to spare, {when}"
    return f"{text}; {when} to be played ({numbers.cards(cards)}), and {plays} are left."


def tokens_of(units: int, numbers: Numbers) -> int | float:
    """Give units as clue tokens; there are halves in a game with half tokens."""
    price = numbers.position.rules.clue_price
    return units // price if units % price == 0 else round(units / price, 2)


def _turn(turn: int) -> str:
    return f"after turn {turn}" if turn else "at the start"
