"""A slow, plain optimum by trying everything. It shares nothing with the solver.

The optimum is the highest score over *complete* games: games played to their end by the printed
rules, in which nobody may refuse to move. A game that reaches the strike limit scores 0, or what
lies on the stacks if ``lost_scores`` says so. For deals of up to about 14 cards.

Cards are pairs (suit, rank), ranks from 1; (-1, -1) stands for a card that is never playable.
"""

from __future__ import annotations

from typing import NamedTuple

Card = tuple[int, int]
Hand = tuple[Card, ...]
Suits = tuple[tuple[tuple[int, ...], ...], ...]

DEAD: Card = (-1, -1)


class Game(NamedTuple):
    """The rules, as plain values; the names are those of the rule sheet.

    ``suits[s][state][rank - 1]`` is the stack's state after that rank is played, -1 a misplay.
    """

    suits: Suits
    max_clues: int = 8
    clue_price: int = 1
    discard_gain: int = 1
    stack_gain: int = 1
    max_strikes: int = 3
    discard_at_full: bool = False
    empty_clues: bool = False
    untouchable: frozenset[Card] = frozenset()
    alternating: bool = False
    colour_only: frozenset[Card] = frozenset()
    rank_only: frozenset[Card] = frozenset()
    lost_scores: bool = False
    deck_play: bool = False
    different_starts: bool = False
    """Whether two stacks may not begin with the same rank."""
    final_round: bool = True
    fails: bool = False
    """Whether the game is over, with 0, once the cards left do not make full marks."""
    all_or_nothing: bool = False
    """Whether everything but full marks scores 0."""


class State(NamedTuple):
    """A moment of the game; every hand is sorted, ``turns`` is -1 before the final round.

    ``last`` is the type of the last clue where types alternate, 2 or 3, and 0 if there was none.
    """

    hands: tuple[Hand, ...]
    pile: Hand
    stacks: tuple[int, ...]
    clues: int
    strikes: int
    seat: int
    turns: int
    last: int = 0


def upward(ranks: int) -> tuple[tuple[int, ...], ...]:
    """Give the table of a suit that is built 1, 2, 3 ... up to ``ranks``."""
    return tuple(
        tuple(height + 1 if rank == height + 1 else -1 for rank in range(1, ranks + 1))
        for height in range(ranks + 1)
    )


class Brute:
    """The optimum of states of one game, remembered."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[State, int] = {}
        self.heights = [self._heights(table) for table in game.suits]
        self.full = sum(max(heights) for heights in self.heights)
        self.alive = [
            [self._ahead(table, state) for state in range(len(table))] for table in game.suits
        ]

    @staticmethod
    def _heights(table: tuple[tuple[int, ...], ...]) -> list[int]:
        heights = [0] * len(table)
        todo = [0]
        while todo:
            state = todo.pop()
            for after in table[state]:
                if after >= 0:
                    heights[after] = heights[state] + 1
                    todo.append(after)
        return heights

    @staticmethod
    def _ahead(table: tuple[tuple[int, ...], ...], state: int) -> set[int]:
        """Give the ranks that can still be played from a state on."""
        ranks: set[int] = set()
        for rank, after in enumerate(table[state], 1):
            if after >= 0:
                ranks |= {rank} | Brute._ahead(table, after)
        return ranks

    def points(self, stacks: tuple[int, ...]) -> int:
        """Count the cards on the stacks."""
        return sum(heights[state] for heights, state in zip(self.heights, stacks, strict=True))

    def begun(self, stacks: tuple[int, ...]) -> set[int]:
        """Give the ranks with which stacks were begun, if no other may begin with them."""
        found = set()
        for table, stack in zip(self.game.suits, stacks, strict=True):
            for rank, first in enumerate(table[0], 1):
                if self.game.different_starts and stack and self._leads(table, first, stack):
                    found.add(rank)
        return found

    @staticmethod
    def _leads(table: tuple[tuple[int, ...], ...], at: int, to: int) -> bool:
        """Whether a stack can get from one state to another."""
        return at == to or (at >= 0 and any(Brute._leads(table, x, to) for x in table[at]))

    def tidy(self, hand: Hand, stacks: tuple[int, ...]) -> Hand:
        """Sort a hand and forget the faces of dead cards, where nothing asks for them."""
        if self.game.untouchable or self.game.alternating:
            return tuple(sorted(hand))
        return tuple(sorted(card if self.is_alive(card, stacks) else DEAD for card in hand))

    def is_alive(self, card: Card, stacks: tuple[int, ...]) -> bool:
        """Whether a card can still be played some time."""
        return card != DEAD and card[1] in self.alive[card[0]][stacks[card[0]]]

    def optimum(self, state: State) -> int:
        """Give the highest score over all complete games from here."""
        if state in self.known:
            return self.known[state]
        game = self.game
        points = self.points(state.stacks)
        if state.strikes >= game.max_strikes:
            return points if game.lost_scores else 0
        if points == self.full:
            return points
        if game.fails and not self.hopeful(state):
            return 0
        if state.turns == 0:
            return points
        best = -1
        most = self.most(state)
        for after in sorted(self.children(state), key=lambda s: -self.points(s.stacks)):
            best = max(best, self.optimum(after))
            if best >= most:  # nothing can be better
                break
        if best == -1:  # nobody can move: the game ends as it stands
            best = 0 if game.all_or_nothing else points
        self.known[state] = best
        return best

    def hopeful(self, state: State) -> bool:
        """Whether every stack could be completed with the cards in all hands and the pile."""
        there = {card for hand in (*state.hands, state.pile) for card in hand}

        def ends(suit: int, on: int) -> bool:
            row = self.game.suits[suit][on]
            steps = [(rank, after) for rank, after in enumerate(row, 1) if after >= 0]
            return not steps or any((suit, r) in there and ends(suit, after) for r, after in steps)

        if not self.game.different_starts:
            return all(ends(suit, on) for suit, on in enumerate(state.stacks))

        def begin(suit: int, taken: set[int]) -> bool:
            if suit == len(state.stacks):
                return True
            on = state.stacks[suit]
            if on:
                return ends(suit, on) and begin(suit + 1, taken)
            return any(
                after >= 0
                and rank not in taken
                and (suit, rank) in there
                and ends(suit, after)
                and begin(suit + 1, taken | {rank})
                for rank, after in enumerate(self.game.suits[suit][0], 1)
            )

        return begin(0, self.begun(state.stacks))

    def most(self, state: State) -> int:
        """Give a score that cannot be passed: every play takes a turn and a card that is there.

        No suit takes a rank twice.
        """
        there = {card for hand in (*state.hands, state.pile) for card in hand}
        last = len(state.hands) if self.game.final_round else sum(map(len, state.hands))
        turns = state.turns if state.turns >= 0 else len(state.pile) + last
        points = self.points(state.stacks)
        return min(points + turns, points + sum(self.is_alive(c, state.stacks) for c in there))

    def children(self, state: State) -> list[State]:
        """Give the states after every legal action."""
        game = self.game
        found = []
        hand = state.hands[state.seat]
        for place, card in enumerate(hand):
            if place and hand[place - 1] == card:
                continue
            rest = hand[:place] + hand[place + 1 :]
            found.append(self.play(state, card, rest, state.pile[:1]))
            if state.clues < game.max_clues or game.discard_at_full:
                clues = min(game.max_clues, state.clues + game.discard_gain)
                found.append(self.follow(state, rest, state.pile[:1], clues=clues))
        for kind in clue_types(game, state):
            turns = state.turns - 1 if state.turns > 0 else -1
            seat = (state.seat + 1) % len(state.hands)
            clues = state.clues - game.clue_price
            found.append(state._replace(clues=clues, seat=seat, turns=turns, last=kind))
        if game.deck_play and len(state.pile) == 1:
            found.append(self.play(state, state.pile[0], hand, ()))
        return found

    def play(self, state: State, card: Card, rest: Hand, drawn: Hand) -> State:
        """Play a card: onto its stack, or as a strike."""
        game = self.game
        suit, rank = card
        after = -1 if card == DEAD else game.suits[suit][state.stacks[suit]][rank - 1]
        if after >= 0 and state.stacks[suit] == 0 and rank in self.begun(state.stacks):
            after = -1
        if after < 0:
            return self.follow(state, rest, drawn, strikes=state.strikes + 1)
        stacks = (*state.stacks[:suit], after, *state.stacks[suit + 1 :])
        clues = state.clues
        if self.heights[suit][after] == max(self.heights[suit]):
            clues = min(game.max_clues, clues + game.stack_gain)
        return self.follow(state, rest, drawn, stacks=stacks, clues=clues)

    def follow(
        self,
        state: State,
        rest: Hand,
        drawn: Hand,
        stacks: tuple[int, ...] | None = None,
        clues: int | None = None,
        strikes: int | None = None,
    ) -> State:
        """Draw, pass the turn, start or count the final round."""
        stacks = state.stacks if stacks is None else stacks
        hands = list(state.hands)
        hands[state.seat] = rest + drawn
        players = len(hands)
        turns = state.turns
        if turns > 0:
            turns -= 1
        elif len(state.pile) == 1 and self.game.final_round:
            turns = players
        return State(
            hands=tuple(self.tidy(hand, stacks) for hand in hands),
            pile=state.pile[1:],
            stacks=stacks,
            clues=state.clues if clues is None else clues,
            strikes=state.strikes if strikes is None else strikes,
            seat=(state.seat + 1) % players,
            turns=turns,
            last=state.last,
        )


def clue_types(game: Game, state: State) -> list[int]:
    """Give the types of clue that may be given: 0 for any where types do not alternate."""
    others = [c for p, cards in enumerate(state.hands) if p != state.seat for c in cards]
    if state.clues < game.clue_price or not others:
        return []
    kinds = [0] if not game.alternating else [kind for kind in (2, 3) if kind != state.last]
    if game.empty_clues:
        return kinds
    bare = {0: frozenset(), 2: game.rank_only, 3: game.colour_only}
    return [
        kind
        for kind in kinds
        if any(c not in game.untouchable and c not in bare[kind] for c in others)
    ]


def optimum(game: Game, state: State) -> int:
    """Give the optimum of one state; hands need not be sorted."""
    brute = Brute(game)
    return brute.optimum(
        state._replace(hands=tuple(brute.tidy(hand, state.stacks) for hand in state.hands))
    )
