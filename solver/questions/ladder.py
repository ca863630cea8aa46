"""Why full marks are out of reach in a game whose suits are built in one order each.

The ladder of relaxations is climbed to the first rung on which they are already lost, and the
cards that cause it are looked for, none of which can be left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product

from solver.game.card import Card
from solver.game.position import Position
from solver.questions.hall import Violator, releases, violator
from solver.questions.onehand import Overflow, overflow

__all__ = ["KINDS", "RUNGS", "Climb", "Loss", "lower_is_easier", "minimal_caps"]

RUNGS = ("release", "shared-hand", "turn-order", "tokens", "strikes", "ways", "clues")
"""The ladder of relaxations, weakest first; `solver.engines.search.lost_on` says what each is.

The last is the game itself; ``ways`` is the game with free clues (`solver.game.clues`), and
``strikes`` one in which also the way is fixed in which each suit is built (`solver.models.ways`).
"""

KINDS = (
    "over", "lost-card", "pace", "release", "last-card", "overflow", "no-turn", "turn-order",
    "tokens", "strikes", "every-way", "ways", "clues",
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
        The cards that cause it, suit by suit; none for the kinds ``every-way``, ``ways`` and
        ``clues``.
    minimal
        Whether it is proven that none of them can be left out; for ``every-way``, of none of the
        reasons.
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


def _full(position: Position) -> Caps:
    return tuple(suit.full for suit in position.rules.suits)


class Climb:
    """One climb of the ladder, rung by rung from the first to ``strikes``.

    Parameters
    ----------
    position
        A game that is not over and whose suits are built in one order each.
    nodes
        The most for each question, None for no limit.
    deadline
        When to stop, by `time.monotonic`.
    """

    def __init__(self, position: Position, nodes: int | None, deadline: float | None) -> None:
        self.position = position
        self.nodes = nodes
        self.deadline = deadline
        self.sure = True
        """Whether full marks are proven to be possible on all rungs asked, the lost one aside."""
        self.ask = _asker(position, nodes, deadline)

    def run(self) -> Loss | None:
        """Give the loss on the first rung that is lost; None if none is, as far as is known."""
        return next((self.loss(rung) for rung in RUNGS[:5] if self.is_lost(rung)), None)

    def is_lost(self, rung: str) -> bool:
        """Whether full marks are proven to be lost on a rung; they were not on the one before."""
        if rung == "release":
            return self._released is not None
        lost = self.ask(rung, _full(self.position))
        self.sure &= lost is not None
        return bool(lost)

    def loss(self, rung: str) -> Loss:
        """Give the loss on a rung that is lost, the first."""
        if rung == "release" and self._released is not None:
            return self._released
        more = _more(rung, self.position, self.nodes, self.deadline)
        return _loss_on(rung, self.position, self.ask, self.sure, more)

    @cached_property
    def _released(self) -> Loss | None:
        full = _full(self.position)
        found = releases(self.position)
        for card in _needed(self.position, full):
            if card not in found:
                return Loss("release", "lost-card", (card,), True, full)
        late = violator(self.position, full)
        if late is None:
            return None
        kind = "pace" if late.draw == 0 else "release"
        cards = tuple(sorted(wait.card for wait in late.waits))
        return Loss("release", kind, cards, True, full, violator=late)


def lower_is_easier(rung: str, position: Position) -> bool:
    """Whether lower caps are never harder to reach on a rung.

    They can be where playing a card is worth more than discarding it: at full tokens, where a
    finished suit gives back more than a discard, and where a card that is thrown away from the
    draw pile costs a strike.
    """
    rules = position.rules
    if rung == "strikes" or rules.deck_play:
        return rung == "shared-hand"
    return rung == "shared-hand" or rules.discard_gain >= rules.stack_gain


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
    from solver.engines.search import lost_on

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
    """Say when caps are lost together with all higher ones; where need be these are asked too."""
    if lower_is_easier(rung, position):
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
    from solver.engines.search import lost_on

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
