"""What a puzzle is about, found from the position, its best first move and its main line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from solver.game.card import UNKNOWN, Card
from solver.game.position import Kind, Position
from solver.puzzles.judge import PuzzleReport, Step
from solver.questions.tightness import pace

__all__ = ["THEMES", "Theme", "themes"]

_Test = Callable[[PuzzleReport], bool]


class Theme(NamedTuple):
    """What a theme means, in words and as a test."""

    words: str
    holds: Callable[[PuzzleReport], bool]


THEMES: dict[str, Theme] = {}
"""Every theme, in the order in which a puzzle's are listed."""


def _theme(name: str, words: str) -> Callable[[_Test], _Test]:
    def register(holds: _Test) -> _Test:
        THEMES[name] = Theme(words, holds)
        return holds

    return register


def themes(report: PuzzleReport) -> list[str]:
    """Give the themes of a puzzle in the order of `THEMES`; none without one answer."""
    if not report.unique:
        return []
    return [name for name, theme in THEMES.items() if theme.holds(report)]


def _first(report: PuzzleReport) -> tuple[Kind, Card | None]:
    """Give what kind of action the answer is, and with which card."""
    action = report.verdict.choices[0].actions[0]
    held = report.position.hands[report.position.seat]
    return action.kind, held[action.slot] if action.kind in (Kind.PLAY, Kind.DISCARD) else None


def _needed(report: PuzzleReport, cards: Iterable[Card]) -> set[Card]:
    return {card for card in cards if card.is_face and card not in report.useless}


def _stepped(report: PuzzleReport, cards: Iterable[Card]) -> set[Card]:
    """Give the cards of suits that are built in one order, so that each has its step."""
    return {card for card in cards if report.position.rules.suits[card.suit].order}


def _sole(position: Position, seat: int) -> set[Card]:
    """Give the cards of a hand that are nowhere else."""
    hands = position.hands
    return set(hands[seat]).difference(position.pile, *hands[:seat], *hands[seat + 1 :])


def _spent(steps: Iterable[Step]) -> bool:
    """Whether the next change of the clue tokens is a clue."""
    for step in steps:
        if step.after.clues != step.before.clues:
            return step.after.clues < step.before.clues
    return False


@_theme("only-win", "every other first move loses for certain")
def _only_win(report: PuzzleReport) -> bool:
    return report.second == 0


@_theme("trap", "the greedy move is worse than the best")
def _trap(report: PuzzleReport) -> bool:
    return report.trap_loss > 0


@_theme("stall", "the answer is a clue: a pass")
def _stall(report: PuzzleReport) -> bool:
    return _first(report)[0] is Kind.CLUE


@_theme(
    "discard-for-token",
    "with no clue token there, the answer is a discard whose token is then spent",
)
def _discard_for_token(report: PuzzleReport) -> bool:
    kind, _ = _first(report)
    none = report.position.clues < report.position.rules.clue_price
    return kind is Kind.DISCARD and none and _spent(report.line[1:])


@_theme(
    "token-from-5",
    "with no clue token there, a suit is finished on the main line and its token is spent",
)
def _token_from_5(report: PuzzleReport) -> bool:
    for number, step in enumerate(report.line):
        played = step.action.kind is Kind.PLAY and step.after.points > step.before.points
        if played and step.before.clues < step.before.rules.clue_price <= step.after.clues:
            return _spent(report.line[number + 1 :])
    return False


@_theme(
    "order-of-two-playables",
    "the answer plays one of several playable cards, and playing another is worse",
)
def _order_of_two_playables(report: PuzzleReport) -> bool:
    position = report.position
    playable = {card for card in position.hands[position.seat] if position.is_playable(card)}
    return _first(report)[0] is Kind.PLAY and _first(report)[1] in playable and len(playable) > 1


@_theme("right-person-draws", "one card is left to draw, and the answer leaves it to somebody else")
def _right_person_draws(report: PuzzleReport) -> bool:
    return report.position.pile_size == 1 and _stall(report)


@_theme("void-player", "somebody holds no card that is still needed")
def _void_player(report: PuzzleReport) -> bool:
    hands = report.position.hands
    return any(UNKNOWN not in hand and not _needed(report, hand) for hand in hands)


@_theme("pace-0", "not one of the draws and last turns to come may go without a play")
def _pace_0(report: PuzzleReport) -> bool:
    return pace(report.position) == 0


@_theme(
    "bottom-deck-risk",
    "the order is not known, and a card below the top of its suit is in the draw pile only",
)
def _bottom_deck_risk(report: PuzzleReport) -> bool:
    position, rules = report.position, report.position.rules
    if report.model == "known":
        return False
    held = {card for hand in position.hands for card in hand}
    return any(
        card not in held and rules.step(card) < rules.suits[card.suit].full
        for card in _stepped(report, _needed(report, position.pile))
    )


@_theme("sole-holder", "one player holds the only copies of two successive cards of a suit")
def _sole_holder(report: PuzzleReport) -> bool:
    position = report.position
    for seat in range(len(position.hands)):
        sole = _stepped(report, _needed(report, _sole(position, seat)))
        steps = {(card.suit, position.rules.step(card)) for card in sole}
        if any((suit, step + 1) in steps for suit, step in steps):
            return True
    return False


@_theme(
    "five-lockout",
    "one card is left to draw, and drawing it now without playing the lower of them would leave "
    "the last card of a suit no turn after the one below it",
)
def _five_lockout(report: PuzzleReport) -> bool:
    """Compare turns of the final round that a draw now would begin.

    Turn 1 is that of the next seat, and the drawer's is the last. A suit that lacks its last two
    cards is locked if every holder of the last one has a turn before, or at the same time as, every
    holder of the one below. What is left to draw is the drawer's.
    """
    position, rules = report.position, report.position.rules
    if position.pile_size != 1 or report.model == "hidden" or not rules.has_final_round:
        return False
    turns: dict[Card, list[int]] = {}
    for ahead in range(1, rules.players + 1):
        hand = position.hands[(position.seat + ahead) % rules.players]
        for card in (*hand, *(position.pile if ahead == rules.players else ())):
            turns.setdefault(card, []).append(ahead)
    for number, (suit, state) in enumerate(zip(rules.suits, position.stacks, strict=True)):
        if suit.order and state <= suit.full - 2:
            lower, last = (rules.card_at(number, suit.full - back) for back in (1, 0))
            locked = max(turns.get(last, [0])) <= min(turns.get(lower, [0]))
            if not report.useless & {lower, last} and locked:
                return True
    return False


@_theme(
    "two-critical",
    "one card is left to draw, and somebody holds the only copies of two cards that are needed",
)
def _two_critical(report: PuzzleReport) -> bool:
    position = report.position
    if position.pile_size != 1 or report.model == "hidden":
        return False
    return any(
        len(_needed(report, _sole(position, seat))) > 1 for seat in range(len(position.hands))
    )


@_theme(
    "distribution",
    "a playable card lies in the hand of the player to move and in another, and the answer leaves "
    "it to the other: playing it is worse",
)
def _distribution(report: PuzzleReport) -> bool:
    position = report.position
    mine = position.hands[position.seat]
    others = set().union(*position.hands[: position.seat], *position.hands[position.seat + 1 :])
    shared = {card for card in mine if card in others and position.is_playable(card)}
    return bool(shared) and (_first(report)[0] is not Kind.PLAY or _first(report)[1] not in shared)


@_theme(
    "zugzwang",
    "passing the turn without a token, were it allowed, would be better than the answer",
)
def _zugzwang(report: PuzzleReport) -> bool:
    return report.model != "hidden" and report.passed > report.value


@_theme("sacrifice", "the answer throws a card away that is still needed, a copy being elsewhere")
def _sacrifice(report: PuzzleReport) -> bool:
    kind, card = _first(report)
    lost = kind is Kind.DISCARD or not (card and report.position.is_playable(card))
    return card is not None and lost and card.is_face and card not in report.useless


@_theme("last-round", "the final round has begun, or the answer begins it")
def _last_round(report: PuzzleReport) -> bool:
    size = report.position.pile_size
    return size == 0 or (size == 1 and not _stall(report))


@_theme("misplay-burn", "the answer is a misplay: a draw without a token")
def _misplay_burn(report: PuzzleReport) -> bool:
    kind, card = _first(report)
    known = card is not None and card != UNKNOWN
    return kind is Kind.PLAY and known and not (card and report.position.is_playable(card))
