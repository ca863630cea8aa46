"""The game as a fixed number of events, described once for the engines that reason by clauses.

A play or a discard draws exactly one card and a clue draws none. So when all cards are known,
what is left of a game is one *draw event* for each card of the draw pile, then the final round's
turns. The clues between two draw events are nothing but seats that are skipped; each costs the
price of a clue. DESIGN.md ("Events") proves that every simplification made here keeps the
optimum; the comments say which one is used where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from solver.game.card import Card
from solver.game.clues import free, is_free, legal_part, touch
from solver.game.errors import UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Action, Kind, Position
from solver.game.rules import Ending
from solver.game.suit import Way
from solver.models.cnf import TRUE
from solver.models.schedule import Schedule
from solver.models.stalls import Stalls

__all__ = ["EventModel", "require"]


def require(position: Position) -> None:
    """Check that the event model covers a position.

    Raises
    ------
    UnsupportedRulesError
        Naming what it does not cover.
    InputError
        If the draw order is unknown.
    """
    position.require_order()
    rules = position.rules
    twins = any(suit.last_copies > 1 for suit in rules.suits)
    if rules.deck_play and not rules.has_final_round and twins:
        raise UnsupportedRulesError(
            "the event model does not cover playing from the draw pile without a final round, "
            "where there are several copies of the last card of a suit"
        )


class EventModel(Schedule):
    """The clauses that hold exactly if a game can go on to reach its caps, or its target.

    It needs no target for a game that is only to be played to its end without being lost: that
    of the points reached already.

    Parameters
    ----------
    position, caps, target
        See `Schedule`.
    """

    def __init__(
        self, position: Position, caps: Sequence[int] | None = None, target: int | None = None
    ) -> None:
        require(position)
        super().__init__(position, caps, target)
        rules = self.rules
        self.endless = not rules.has_final_round
        self.acts = self.last if self.endless else self.draws
        """The events that any seat may act in, as clues allow; the others are the final round's."""
        self.is_free = is_free(position) and rules.ending is Ending.FINAL_ROUND
        """Whether no clue can be illegal; only if one can, `Stalls` are part of the model. Without
        a final round other hands may be empty, and in a speedrun the last turns are not free to
        throw any card away."""
        self.is_tight = self.is_free and (
            rules.hand_size == 1 and not rules.lost_scores_stacks and not rules.discard_at_full
        )
        """Whether the very last turn may leave nothing but a misplay (see `_last_round`)."""
        self.spare_strikes = rules.max_strikes - 1 - position.strikes
        """Strikes that may still be made: one fewer than those that end the game."""
        if rules.discard_at_full and not rules.deck_play:
            # The discard of the same card leaves at least as many tokens, and where discarding
            # is always legal more tokens are never worse.
            self.spare_strikes = 0
        # Tokens are wasted, by whole rounds of clues, only to get below full tokens. Delaying
        # that as long as possible shows when it is of use: if gains are at most 1, right at
        # full tokens. With a tight last turn, tokens matter to the end, and all is allowed.
        self.wastes_at_full_only = (
            max(rules.discard_gain, rules.stack_gain) <= 1 and self.is_free and not self.is_tight
        )
        rounds = rules.max_clues // (rules.clue_price * rules.players)
        self.most_wasted = min(rounds, 1) if self.wastes_at_full_only else rounds
        if rules.discard_at_full and (self.is_free or not rules.alternating_clues):
            self.most_wasted = 0
        self._known_starts: dict[tuple[int, int, int], int] = {}
        self.owner: list[int | None] = [p for p, hand in enumerate(position.hands) for _ in hand]
        self.owner.extend([None] * self.draws)
        if self.impossible:
            return
        self._stacks()
        self._seats()
        self._uses()
        self._choose_copies()
        self._fit()
        self._hold()
        self._pace()
        self.stalls = None if self.is_free else Stalls(self)
        self._tokens()
        if self.stalls is not None and not self.endless:
            self._full_last_round(self.stalls)
        self._strikes()
        if self.is_tight:
            self._last_round()

    def _seats(self) -> None:
        """Who acts in each event outside the final round, and how many seats were skipped."""
        new, players = self.formula.new, self.players
        now = (self.position.seat - 1) % players
        self.actor = [[TRUE if p == now else -TRUE for p in range(players)]]
        self.skip: list[list[int]] = [[]]
        for k in range(1, self.acts + 1):
            skip = [new() for _ in range(players)]
            self.skip.append(skip)
            self.formula.choose(skip)
            if k == 1:
                self.actor.append([skip[(p - now - 1) % players] for p in range(players)])
                continue
            actor = [new() for _ in range(players)]
            self.actor.append(actor)
            self.formula.choose(actor)
            for p, before in enumerate(self.actor[k - 1]):
                for d in range(players):
                    after = actor[(p + 1 + d) % players]
                    self.formula.implies(before, skip[d], after)
                    self.formula.implies(before, after, skip[d])

    def seat(self, event: int, p: int) -> int:
        """Give the literal that seat p acts in an event."""
        if event <= self.acts:
            return self.actor[event][p]
        return self.actor[self.draws][(p - (event - self.draws)) % self.players]

    def _uses(self) -> None:
        """Which card each event takes out of a hand: the actor's, and no card twice."""
        formula, new = self.formula, self.formula.new
        self.use: list[dict[int, int]] = [{} for _ in range(self.last + 1)]
        for k in range(1, self.last + 1):
            for i in range(len(self.faces)):
                if self.born(i) >= k:
                    continue
                # In the final round a hand matters only by what is played from it.
                late = k > self.draws and self.is_free
                steps = self.useful_steps(i) if late else ()
                if late and not any(self.first[c] <= k <= self.final[c] for c in steps):
                    continue
                use = self.use[k][i] = new()
                owner = self.owner[i]
                if owner is not None:
                    formula.implies(use, self.seat(k, owner))
                else:
                    for p in range(self.players):
                        formula.implies(use, self.actor[self.born(i)][p], self.seat(k, p))
        if self.rules.deck_play and self.draws:
            # The last card may go straight from the pile to where it is played.
            self.use[self.draws][len(self.faces) - 1] = new()
        self.idle: list[int] = [-TRUE] * (self.last + 1)
        if self.endless:
            self._idle()
        for k in range(1, self.acts + 1):
            formula.choose([*([self.idle[k]] if self.endless else []), *self.use[k].values()])
        self.gone: list[list[int]] = []
        for i in range(len(self.faces)):
            gone = [-TRUE]
            for k in range(1, self.last + 1):
                if i not in self.use[k]:
                    gone.append(gone[-1])
                    continue
                use, after = self.use[k][i], new()
                formula.implies(gone[-1], -use)
                formula.implies(gone[-1], after)
                formula.implies(use, after)
                formula.add(-after, gone[-1], use)
                gone.append(after)
            self.gone.append(gone)
        self._twins()

    def _idle(self) -> None:
        """Let a game without a final round stop at any event: nothing happens from there on.

        All that is wanted has been played then. Either full marks end the game, or every game
        scores its stacks, and these never get lower.
        """
        formula = self.formula
        for k in range(1, self.last + 1):
            idle = self.idle[k] = formula.new()
            formula.implies(self.idle[k - 1], idle)
            formula.implies(idle, self.skip[k][0])

    def _twins(self) -> None:
        """Use equal cards of a hand in their order: swapping them changes nothing.

        Cards that can never be played are all equal, if the same clues touch them; but not those
        that would fit above a cap, for those must not be misplayed (see `_strikes`).
        """
        clued = [0 if self.is_free else touch(self.rules, face) for face in self.faces]
        latest: dict[tuple[int | None, Card | int], int] = {}
        for i, card in enumerate(self.faces[: self.dealt]):
            fits = any(step <= self.caps[card.suit] + 1 for step in self.roles[i])
            key = (self.owner[i], card if fits else clued[i])
            if key in latest:
                for k in range(1, self.acts + 1):
                    self.formula.implies(self.gone[i][k], self.gone[latest[key]][k])
            latest[key] = i

    def _fit(self) -> None:
        """Put a card on a stack only by using it; let the final round's uses be such plays."""
        formula = self.formula
        for k in range(1, self.last + 1):
            use = self.use[k]
            for card, put in self.puts[k].items():
                copies = [i for i in self.copies(card) if i in use]
                formula.add(-put, *(use[i] for i in copies))
                for i in copies:
                    formula.implies(put, use[i], self.role[i, card])
            if k <= self.draws or not self.is_free:
                for i in use:
                    formula.implies(use[i], self.chosen[i], self.play[k])
            else:
                formula.choose([-self.play[k], *use.values()])

    def _tokens(self) -> None:
        """How many units of tokens there are before and after each draw event."""
        formula, new, rules = self.formula, self.formula.new, self.rules
        most, price = rules.max_clues, rules.clue_price
        held = self.position.clues
        self.before: list[list[int]] = [[]]
        self.after = [[TRUE if v <= held else -TRUE for v in range(most + 1)]]
        self.discard: list[int] = [-TRUE]
        self.strike: list[int] = [-TRUE]
        for k in range(1, self.acts + 1):
            before = self._scale()
            self.before.append(before)
            wasted = [TRUE, *(new() for _ in range(self.most_wasted)), -TRUE]
            if self.wastes_at_full_only and self.most_wasted:
                formula.implies(wasted[1], self.skip[k][0])
                formula.implies(wasted[1], self.after[k - 1][most])
            for m in range(self.most_wasted + 1):
                formula.implies(wasted[m + 1], wasted[m])
                for d, skipped in enumerate(self.skip[k]):
                    cost = (d + m * self.players) * price
                    for v in range(most + 1):
                        held_before = self.after[k - 1][v + cost] if v + cost <= most else -TRUE
                        formula.implies(skipped, wasted[m], before[v], held_before)
                        formula.add(-skipped, wasted[m + 1], -held_before, before[v])
            discard, strike = new(), new() if self.spare_strikes > 0 else -TRUE
            self.discard.append(discard)
            self.strike.append(strike)
            idle = self.idle[k]
            formula.choose([self.play[k], discard, strike, idle])
            formula.implies(idle, -wasted[1])
            if self.stalls is not None:
                self.stalls.gap(k, wasted)
            if not rules.discard_at_full:
                self._discards_below_full(k, discard, before)
            if rules.deck_play and k == self.draws and self.draws:
                formula.implies(self.use[k][len(self.faces) - 1], -discard)
            self.after.append(self._spent(k, before, discard, [strike, idle]))

    def _discards_below_full(self, k: int, discard: int, held: list[int]) -> None:
        over = -TRUE if self.stalls is None else self.stalls.over[k]
        self.formula.add(-discard, -held[self.rules.max_clues], over)

    def _scale(self) -> list[int]:
        """Give literals for "at least v units", v = 0 to the most."""
        scale = [TRUE, *(self.formula.new() for _ in range(self.rules.max_clues))]
        for v in range(2, len(scale)):
            self.formula.implies(scale[v], scale[v - 1])
        return scale

    def _spent(self, k: int, before: list[int], discard: int, others: list[int]) -> list[int]:
        """Give the tokens after an event: a discard or a finished stack gives some back."""
        formula, rules = self.formula, self.rules
        finish = [self.puts[k][card] for card in self.puts[k] if card.rank == self.full(card.suit)]
        after = self._scale()
        gains = [(discard, rules.discard_gain), *((f, rules.stack_gain) for f in finish)]
        for v in range(rules.max_clues + 1):
            for event, gain in gains:
                formula.implies(event, before[v], after[min(v + gain, rules.max_clues)])
                if v + gain <= rules.max_clues:
                    formula.implies(event, after[v + gain], before[v])
            for event in others:
                formula.implies(event, before[v], after[v])
                formula.implies(event, after[v], before[v])
            formula.implies(self.play[k], before[v], after[v])
            formula.add(-self.play[k], *finish, -after[v], before[v])
        return after

    def _strikes(self) -> None:
        """Misplays: only of cards that do not fit, only at full tokens, and few enough."""
        formula, rules = self.formula, self.rules
        if self.spare_strikes <= 0 and self.is_free:
            return
        for k in range(1, len(self.strike)):
            strike = self.strike[k]
            blind = self.use[k].get(len(self.faces) - 1, -TRUE) if k == self.draws else -TRUE
            # Below full tokens the discard of the same card does as well, and leaves a strike
            # to spare; it needs a discard to give at least what a finished stack gives.
            if rules.discard_at_full:
                formula.implies(strike, blind)
            elif self._discard_replaces_misplay() and k <= self.acts:
                formula.add(-strike, self.before[k][rules.max_clues], blind)
            for i, use in self.use[k].items():
                for fits in self._where_it_fits(i, k - 1):
                    formula.add(-strike, -use, *(-literal for literal in fits))
        if self.stalls is None:
            self.at_most(self.strike[1 : self.draws + 1], self.spare_strikes)
        else:
            self.stalls.struck(self._struck())

    def _discard_replaces_misplay(self) -> bool:
        rules = self.rules
        return rules.discard_gain >= rules.stack_gain and rules.heights_are_states

    def _struck(self) -> list[int]:
        """Count strikes, and give for each event whether they have reached the limit after it.

        They must not, unless a game lost so scores what lies on its stacks.
        """
        formula, most = self.formula, self.spare_strikes + 1
        counts = [[TRUE] + [-TRUE] * most]
        for strike in self.strike[1:]:
            before = counts[-1]
            after = [TRUE, *(formula.new() for _ in range(most))]
            for j in range(1, most + 1):
                formula.implies(before[j], after[j])
                formula.implies(before[j - 1], strike, after[j])
                formula.add(-after[j], before[j], strike)
                formula.add(-after[j], before[j - 1])
            if not self.rules.lost_scores_stacks:
                formula.add(-after[most])
            counts.append(after)
        return [count[most] for count in counts]

    def _full_last_round(self, stalls: Stalls) -> None:
        """Play the final round turn by turn, where a player may be unable to pass.

        Each turn is a play, a discard below full tokens, a legal clue, or a misplay.
        """
        formula, new, rules = self.formula, self.formula.new, self.rules
        most, price = rules.max_clues, rules.clue_price
        tokens = self.after[self.draws]
        self.clue: dict[int, int] = {}
        for k in range(self.draws + 1, self.last + 1):
            discard, strike, clue = new(), new(), new()
            self.discard.append(discard)
            self.strike.append(strike)
            self.clue[k] = clue
            formula.choose([self.play[k], discard, strike, clue])
            formula.choose([clue, *self.use[k].values()])
            if not rules.discard_at_full:
                self._discards_below_full(k, discard, tokens)
            formula.implies(clue, tokens[price])
            stalls.turn(k, clue)
            after = self._spent(k, tokens, discard, [strike])
            for v in range(most + 1):
                higher = tokens[v + price] if v + price <= most else -TRUE
                formula.implies(clue, higher, after[v])
                formula.implies(clue, after[v], higher)
            tokens = after

    def _where_it_fits(self, number: int, event: int) -> Iterator[list[int]]:
        """Give what holds after an event whenever a card could go on its stack then.

        Each list of literals stands for one state of the stack that takes the card.
        """
        card = self.faces[number]
        if not card.is_face:
            return
        suit = card.suit
        for step, ways in self.roles[number].items():
            if step <= self.caps[suit] + 1:
                for way in ways:
                    yield [self.selected[suit][way], self.height(suit, step - 1, event),
                           -self.height(suit, step, event)]  # fmt: skip
        if len(self.ways[suit]) > 1:
            # While the stack is still open to several ways, also cards of the others fit.
            yield from self._fits_another_way(card, event)

    def _fits_another_way(self, card: Card, event: int) -> Iterator[list[int]]:
        """Give the same for the states from which several ways go on, not all with this card."""
        suit, base = card.suit, self.base[card.suit]
        todo: list[tuple[list[int], list[Way]]] = [([], list(self.ways[suit]))]
        for literals, ways in todo:
            put = len(literals)
            takes = [card.rank in way[put] for way in ways]
            if any(takes) and not all(takes):
                free = []
                if put == 0 == base and self.rules.different_starts:
                    others = [s for s in range(len(self.base)) if s != suit and not self.base[s]]
                    free = [-self._started(other, card.rank, event) for other in others]
                yield [*literals, self.height(suit, base + put, event),
                       -self.height(suit, base + put + 1, event), *free]  # fmt: skip
            step = Card(suit, base + put + 1)
            for i in self._copies.get(step, ()):
                same = [way for way in ways if self.faces[i].rank in way[put]]
                if len(same) > 1:
                    todo.append(([*literals, self.role[i, step]], same))

    def _started(self, suit: int, rank: int, event: int) -> int:
        """Give a literal that holds only if a stack was begun with a rank up to an event."""
        key = (suit, rank, event)
        if key not in self._known_starts:
            started = self._known_starts[key] = self.formula.new()
            ways = zip(self.ways[suit], self.selected[suit], strict=True)
            self.formula.implies(started, self.height(suit, 1, event))
            self.formula.add(-started, *(literal for way, literal in ways if rank in way[0]))
        return self._known_starts[key]

    def _last_round(self) -> None:
        """Take care that the last turn does not force a strike that loses the game.

        Otherwise a player of the final round who does not play has a free choice: a discard below
        full tokens, a clue at full tokens. Only with hands of one card can that fail: in the very
        last turn no other hand may have a card left to be clued.
        """
        formula, new, rules = self.formula, self.formula.new, self.rules
        most = rules.max_clues
        tokens = self.after[self.draws]
        self.clue = {}
        for k in range(self.draws + 1, self.last):
            discard, clue = new(), new()
            formula.choose([self.play[k], discard, clue])
            formula.implies(discard, -tokens[most])
            formula.implies(clue, tokens[rules.clue_price])
            self.clue[k] = clue
            after = self._spent(k, tokens, discard, [])
            for v in range(most + 1):
                higher = tokens[v + rules.clue_price] if v + rules.clue_price <= most else -TRUE
                formula.implies(clue, higher, after[v])
                formula.implies(clue, after[v], higher)
            tokens = after
        strike, over = new(), new()
        for suit in range(len(rules.suits)):
            formula.implies(over, self.height(suit, self.full(suit), self.last - 1))
        formula.add(self.play[self.last], -tokens[most], *self.clue.values(), strike, over)
        if self.spare_strikes > 0:
            self.at_most([*self.strike[1 : self.draws + 1], strike], self.spare_strikes)
        else:
            formula.add(-strike)

    def line(self, holds: Callable[[int], bool]) -> Line:
        """Give the line that a solution describes, up to its last play onto a stack.

        Parameters
        ----------
        holds
            Whether a variable is true in the solution.
        """
        moment = free(self.position)
        actions: list[Action] = []

        def value(literal: int) -> bool:
            return holds(literal) if literal > 0 else not holds(-literal)

        def units(scale: Sequence[int]) -> int:
            return sum(value(literal) for literal in scale) - 1

        end = max((k for k in range(1, self.last + 1) if value(self.play[k])), default=0)
        for k in range(1, end + 1):
            steps: list[Action] = []
            if k <= self.acts:
                spent = units(self.after[k - 1]) - units(self.before[k])
                steps.extend([Action(Kind.CLUE)] * (spent // self.rules.clue_price))
            seat = (moment.seat + len(steps)) % self.players
            used = next((i for i, use in self.use[k].items() if value(use)), None)
            if used is None and not self.is_free:
                steps.append(Action(Kind.CLUE))
            elif used is None:
                clue = value(self.clue[k]) if self.is_tight and k < self.last else not (
                    moment.clues < self.rules.max_clues or self.rules.discard_at_full)  # fmt: skip
                steps.append(Action(Kind.CLUE) if clue else Action(Kind.DISCARD))
            elif used == len(self.faces) - 1 and k == self.draws:  # not drawn yet
                steps.append(Action(Kind.DECK_PLAY))
            else:
                discards = k < len(self.discard) and value(self.discard[k])
                kind = Kind.DISCARD if discards else Kind.PLAY
                steps.append(Action(kind, moment.hands[seat].index(self.faces[used])))
            for action in steps:
                moment = moment.after(action)
            actions.extend(steps)
        return legal_part(self.position, actions)
