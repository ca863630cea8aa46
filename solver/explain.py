"""Why a deal cannot be won, and how tight one is that can.

`explain` climbs the ladder of relaxations to the first rung on which full marks are already lost,
and looks for the cards that cause it, none of which can be left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from solver.card import Card
from solver.clues import is_free
from solver.deal import Deal
from solver.engines import DEFAULT_LIMITS, solve
from solver.hall import Violator, releases, violator
from solver.line import Line
from solver.onehand import Overflow, overflow
from solver.position import Position
from solver.result import Limits, Result
from solver.tightness import Tightness, tightness

__all__ = ["KINDS", "RUNGS", "Explanation", "Loss", "explain", "minimal_caps"]

RUNGS = ("release", "shared-hand", "turn-order", "tokens", "strikes", "clues")
"""The ladder of relaxations, weakest first; `solver.search.lost_on` says what each is.

The last is the game itself, where ``strikes`` is one with free clues (`solver.clues`).
"""

KINDS = (
    "over", "lost-card", "pace", "release", "last-card", "overflow", "no-turn", "turn-order",
    "tokens", "strikes", "clues",
)  # fmt: skip
"""The kinds of loss, each a sentence of its own."""

Caps = tuple[int, ...]
Ask = Callable[[str, Caps], bool | None]
MOST_MORE = 24
"""The most clue tokens or strikes more that are tried."""


@dataclass(frozen=True)
class Loss:
    """Why full marks are out of reach.

    Parameters
    ----------
    rung
        The first rung of the ladder on which they are; empty if the game is over.
    kind
        One of `KINDS`.
    cards
        The cards that cause it, suit by suit; none for the kind ``clues``.
    minimal
        Whether it is proven that none of them can be left out.
    first
        Whether it is proven that full marks are possible on the rungs before.
    caps
        The heights of the stacks that are out of reach on this rung. Only for the kinds
        ``overflow``, ``turn-order``, ``tokens`` and ``strikes`` less than full marks.
    violator
        For ``pace`` and ``release``: the cards and the plays into which they do not fit.
    overflow
        For ``overflow``: the first moment at which the one hand overflows, or how it is lost.
    more
        For ``tokens`` and ``strikes``: how many more, to begin with and at most, would leave full
        marks possible on this rung; None if that is not known.
    """

    rung: str
    kind: str
    cards: tuple[Card, ...]
    minimal: bool
    caps: Caps
    first: bool = True
    violator: Violator | None = None
    overflow: Overflow | str | None = None
    more: int | None = None


@dataclass(frozen=True)
class Explanation:
    """What is to be said about a deal or position: of `loss` and `tight` one at most is there.

    Both are None if a limit left open whether it can be won, or why not.
    """

    asked: Deal | Position
    result: Result
    loss: Loss | None
    tight: Tightness | None

    @property
    def start(self) -> Position:
        """The position that is explained."""
        return self.result.line.start

    @property
    def winnable(self) -> bool | None:
        """Whether full marks can be reached; None if that is open."""
        return False if self.loss else self.result.winnable

    @property
    def settled(self) -> bool:
        """Whether no limit left anything open."""
        loss = self.loss
        return self.result.proven and (
            self.tight is not None or (loss is not None and loss.minimal)
        )


def explain(start: Deal | Position, limits: Limits = DEFAULT_LIMITS) -> Explanation:
    """Say why full marks cannot be reached, or how tight it is.

    Parameters
    ----------
    limits
        What may be spent: the nodes on the optimum and on each question of the ladder, the seconds
        on the whole. A target is ignored.

    Raises
    ------
    InputError, UnsupportedRulesError
        As `solver.solve`, and if the native search does not cover the rules.

    Examples
    --------
    >>> from solver.specs import deals
    >>> (deal,) = deals("python:p2c1s129", None, None)
    >>> explain(deal).loss.rung
    'release'
    """
    start.rules.require_heights()
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    result = solve(start, Limits(limits.nodes, limits.seconds))
    position = result.line.start
    loss = None
    tight = None
    if result.winnable:
        tight = tightness(_to_full_marks(result.line))
    elif position.end is not None:
        loss = Loss("", "over", (), True, _full(position))
    else:
        loss = _loss(position, limits.nodes, deadline)
        if loss is None and result.winnable is False and not is_free(position):
            loss = _without_clue(position, limits.nodes, deadline)
    return Explanation(start, result, loss, tight)


def _to_full_marks(line: Line) -> Line:
    """Leave out what follows on the last card."""
    for turn, position in enumerate(line.positions()):
        if position.points == position.rules.max_score:
            return Line(line.start, line.actions[:turn])
    return line


def _full(position: Position) -> Caps:
    return tuple(suit.full for suit in position.rules.suits)


def _loss(position: Position, nodes: int | None, deadline: float | None) -> Loss | None:
    """Find the first rung on which full marks are lost, and why; None if a limit leaves it open."""
    full = _full(position)
    found = releases(position)
    for card in _needed(position, full):
        if card not in found:
            return Loss("release", "lost-card", (card,), True, full)
    late = violator(position, full)
    if late is not None:
        kind = "pace" if late.draw == 0 else "release"
        cards = tuple(sorted(wait.card for wait in late.waits))
        return Loss("release", kind, cards, True, full, violator=late)
    ask = _asker(position, nodes, deadline)
    sure = True
    for rung in RUNGS[1:-1]:
        lost = ask(rung, full)
        if lost:
            more = _more(rung, position, nodes, deadline)
            return _loss_on(rung, position, ask, sure, more)
        sure &= lost is not None
    return None


def _without_clue(position: Position, nodes: int | None, deadline: float | None) -> Loss:
    """Say that only clues that cannot be given are wanting, and if that is sure."""
    full = _full(position)
    sure = _asker(position, nodes, deadline)("strikes", full) is False
    return Loss("clues", "clues", (), True, full, sure)


def _loss_on(rung: str, position: Position, ask: Ask, sure: bool, more: int | None) -> Loss:
    full = _full(position)
    last = _last_card(position)
    if rung == "shared-hand" and last:
        return Loss(rung, "last-card", last, True, full, sure)
    idle = _without_turn(position)
    if rung == "turn-order" and idle:
        return Loss(rung, "no-turn", idle, True, full, sure)
    quick = rung in ("shared-hand", "turn-order")
    lost = _closed(rung, position, ask)
    caps, minimal = minimal_caps(position.stacks, full, lost, _orders(len(full), quick))
    kind = "overflow" if rung == "shared-hand" else rung
    return Loss(
        rung,
        kind,
        tuple(_needed(position, caps)),
        minimal,
        caps,
        sure,
        overflow=overflow(position, caps) if rung == "shared-hand" else None,
        more=more,
    )


def _needed(position: Position, caps: Sequence[int]) -> list[Card]:
    """Give the cards to be played for the caps, suit by suit, in the order of their building."""
    pairs = enumerate(zip(position.stacks, caps, strict=True))
    at = position.rules.card_at
    return [at(s, step) for s, (low, cap) in pairs for step in range(low + 1, cap + 1)]


def _last_card(position: Position) -> tuple[Card, ...]:
    """Give the last card of the pile and the next of its suit, if it is the only copy of a card.

    Whoever draws it acts last of all, so nothing can be played on it.
    """
    if not position.pile or not position.rules.has_final_round:
        return ()
    card = position.pile[-1]
    earlier = releases(position).get(card) if card.is_face else None
    rules = position.rules
    step = rules.step(card)
    needed = earlier == len(position.pile) and step > position.stacks[card.suit]
    if not needed or step == rules.suits[card.suit].full:
        return ()
    return card, rules.card_at(card.suit, step + 1)


def _without_turn(position: Position) -> tuple[Card, ...]:
    """Give a needed card that only players hold who have had their last turn, if there is one."""
    if position.turns_left is None:
        return ()
    players = position.rules.players
    live = {
        card
        for ahead in range(position.turns_left)
        for card in position.hands[(position.seat + ahead) % players]
    }
    return tuple(c for c in _needed(position, _full(position)) if c not in live)[:1]


def _asker(position: Position, nodes: int | None, deadline: float | None) -> Ask:
    """Give a function that asks whether a rung is lost, with a memory and within the limits."""
    from solver.search import lost_on

    known: dict[tuple[str, Caps], bool | None] = {}

    def ask(rung: str, caps: Caps) -> bool | None:
        if (rung, caps) not in known:
            question = partial(lost_on, rung, position, caps)
            known[rung, caps] = _within(deadline, nodes, question)
        return known[rung, caps]

    return ask


def _within(
    deadline: float | None, nodes: int | None, ask: Callable[[int | None], bool | None]
) -> bool | None:
    """Ask with all nodes, or with more and more as long as there is time."""
    if deadline is None:
        return ask(nodes)
    budget = 20_000
    while (left := deadline - time.monotonic()) > 0:
        budget = min(budget, max(1, int(left * 500_000)), nodes or budget)
        answer = ask(budget)
        if answer is not None or budget == nodes:
            return answer
        budget *= 2
    return None


def _closed(rung: str, position: Position, ask: Ask) -> Callable[[Caps], bool | None]:
    """Say when caps are lost together with all higher ones.

    On most rungs lower caps are never harder. They can be where playing a card is worth more than
    discarding it: at full tokens, and where a finished suit gives back more than a discard. There
    all higher caps are asked too.
    """
    rules = position.rules
    if rung != "strikes" and (rung == "shared-hand" or rules.discard_gain >= rules.stack_gain):
        return lambda caps: ask(rung, caps)

    def lost(caps: Caps) -> bool | None:
        sure = True
        pairs = zip(caps, _full(position), strict=True)
        for higher in product(*(range(top, cap - 1, -1) for cap, top in pairs)):
            answer = ask(rung, higher)
            if answer is False:
                return False
            sure &= answer is not None
        return True if sure else None

    return lost


def minimal_caps(
    floor: Caps, top: Caps, lost: Callable[[Caps], bool | None], orders: Iterable[Caps]
) -> tuple[Caps, bool]:
    """Lower caps that are lost until no cap can be lowered any more and all stay lost.

    The suits are lowered one after the other, in each of the orders; of what comes out, the caps
    with the fewest cards are taken, and the lowest first suits among these.

    Parameters
    ----------
    floor, top
        The stacks, and the caps to begin with, which are lost.
    lost
        Whether caps are lost; None if that is not known.
    orders
        Orders of the suits, at least one.

    Returns
    -------
    tuple[Caps, bool]
        The caps, and whether it is proven that none can be lowered by one.
    """
    suits = range(len(top))
    best = None
    for order in orders:
        caps = top
        for suit in order:
            for height in (floor[suit], *range(caps[suit] - 1, floor[suit], -1)):
                lower = (*caps[:suit], height, *caps[suit + 1 :])
                if height < caps[suit] and lost(lower):
                    caps = lower
                elif height > floor[suit]:
                    break
        if best is None or (sum(caps), caps) < (sum(best), best):
            best = caps
    assert best is not None
    below = [(*best[:s], best[s] - 1, *best[s + 1 :]) for s in suits if best[s] > floor[s]]
    return best, all(lost(caps) is False for caps in below)


def _orders(suits: int, many: bool) -> list[tuple[int, ...]]:
    """Give orders of the suits: upwards and downwards, and with ``many`` begun at every suit."""
    both = (tuple(range(suits)), tuple(reversed(range(suits))))
    return [some[n:] + some[:n] for some in both for n in range(suits if many else 1)]


def _more(rung: str, position: Position, nodes: int | None, deadline: float | None) -> int | None:
    """Count the clue tokens or strikes more with which full marks are not lost on the rung."""
    from solver.search import lost_on

    rules = position.rules
    step = rules.clue_price if rung == "tokens" else 1
    for more in range(step, MOST_MORE * step + 1, step):
        if rung == "tokens":
            easier = replace(rules, max_clues=rules.max_clues + more)
            other = replace(position, rules=easier, clues=position.clues + more)
        elif rung == "strikes":
            easier = replace(rules, max_strikes=rules.max_strikes + more)
            other = replace(position, rules=easier)
        else:
            return None
        lost = _within(deadline, nodes, partial(lost_on, rung, other, _full(other)))
        if not lost:
            return more // step if lost is False else None
    return None
