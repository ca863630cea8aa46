"""The SAT engine: yes-or-no questions about the event model, put to Glucose. Imports pysat."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from types import TracebackType

from pysat.solvers import Glucose4

from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits, Result, checked
from solver.models.events import EventModel
from solver.models.events import require as require
from solver.models.playout import final_round, playout
from solver.models.schedule import Schedule, SharedHand, natural_caps

__all__ = ["Session", "require", "solve"]

ENGINE = "sat"
SLICE = 2000
"""Conflicts (some 0.1 s) between two looks at the clock; Ctrl-C waits no longer."""

# Of python-sat's solvers Glucose 4 does best on these models over all: CaDiCaL 1.9.5 is a little
# faster where there is no solution, and up to twenty times slower where there is one.


def solve(
    position: Position,
    limits: Limits = Limits(),
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Find the optimum of a position in which all cards are known, and a line that reaches it.

    The highest score that is not excluded is asked for, then the next lower one, until the answer
    is yes. Each no is a proof that this score is out of reach. Nothing is random: the same
    position and limit of nodes give the same answer.

    Parameters
    ----------
    limits
        ``nodes`` counts the solver's conflicts; it is looked at when Glucose starts anew, so that
        some hundreds more may be spent.
    progress
        Is told (score, bound) at the start and whenever one of them changes.

    Raises
    ------
    UnsupportedRulesError
        If the event model does not cover the rules.
    """
    with Session(position, progress) as session:
        return session.run(limits)


class _LimitError(Exception):
    """A limit was reached; its name is the argument."""


class Session:
    """A position to be worked on in several turns: what the solver has learned is kept.

    Use it as a context manager, which frees the solvers.

    Raises
    ------
    UnsupportedRulesError
        If the event model does not cover the rules.
    """

    def __init__(
        self,
        position: Position,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        require(position)
        self.position = position
        self.progress = progress
        self.question: _Question | None = None
        ends = position.turns_left is not None
        self.line = final_round(position) if ends else playout(position)
        self.score = self.bound = self.line.replay().score
        if position.end is None and not ends:
            self.bound = min(sum(natural_caps(position)), position.points + position.events_left)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._drop()

    def _drop(self) -> None:
        question, self.question = self.question, None
        if question is not None:
            question.close()

    def run(self, limits: Limits) -> Result:
        """Work on, and give all that is known by then, from turns before too.

        Parameters
        ----------
        limits
            As for `solve`; they count from here, and so do the answer's nodes and seconds.
        """
        spending, target, stopped = _Spending(limits), limits.target, ""
        self._report()
        with spending.pool:
            try:
                while self.score < self.bound:
                    if target is not None and (self.score >= target or self.bound < target):
                        break
                    self._ask(self.bound if target is None else target, spending)
            except _LimitError as error:
                stopped = str(error)
        spent = spending.seconds
        return checked(
            Result(self.score, self.bound, self.line, ENGINE, spending.nodes, spent, stopped)
        )

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(self.score, self.bound)

    def _ask(self, target: int, spending: _Spending) -> None:
        """Ask whether a score can be reached, and note what follows."""
        rules = self.position.rules
        if rules.only_full_marks:
            target = rules.max_score
        goal = max(target, self.position.points)
        if self.question is None or self.question.target != goal:
            self._drop()
            self.question = _Question(self.position, goal)
        try:
            line = self.question.answer(spending)
        except _LimitError:
            raise
        except BaseException:
            self._drop()  # it may have been interrupted anywhere, so where it was is not known
            raise
        if line is not None:
            self.line = line
            self.score = line.replay().score
        else:
            # Less than what lies on the stacks is only ever scored by a lost game.
            some = target > self.position.points and not rules.only_full_marks
            self.bound = target - 1 if some else 0
        self._report()


class _Spending:
    """What one turn may spend and has spent, and the thread that its solvers run in."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.began = time.monotonic()
        self.nodes = 0
        self.pool = ThreadPoolExecutor(1)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def budget(self) -> int:
        """Give how many conflicts may be spent before looking here again."""
        limits, budget = self.limits, SLICE
        if limits.nodes is not None:
            budget = min(budget, limits.nodes - self.nodes)
            if budget <= 0:
                raise _LimitError("nodes")
        if limits.seconds is not None and self.seconds >= limits.seconds:
            raise _LimitError("seconds")
        return budget


class _Question:
    """Whether a score can be reached. It may be asked again after a limit, and goes on.

    A game of that score reaches some caps whose sum it is. One question for each choice of caps is
    easier than one for all: with the caps, the latest time is known for every card.
    """

    def __init__(self, position: Position, target: int) -> None:
        self.position = position
        self.target = target
        self.most = natural_caps(position)
        self.only = None if target == sum(self.most) else target
        self.relaxed = _Solver(SharedHand(position, self.most, self.only))
        self.exact: _Solver | None = None
        self.refuted: list[list[tuple[int, int]]] = []
        self.choices = self.all_caps()
        self.caps = next(self.choices, None)
        self.passed = False  # the relaxed model can be met with these caps

    def close(self) -> None:
        """Free the solvers."""
        self.relaxed.close()
        if self.exact is not None:
            self.exact.close()

    def answer(self, spending: _Spending) -> Line | None:
        """Give a line of at least that score, None if there is none."""
        while (caps := self.caps) is not None:
            if not any(all(caps[s] >= cap for s, cap in core) for core in self.refuted):
                core = None if self.passed else self.relaxed.refute(caps, spending)
                if core is None:
                    self.passed = True
                    if self.exact is None:
                        self.exact = _Solver(EventModel(self.position, self.most, self.only))
                    core = self.exact.refute(caps, spending)
                    if core is None:
                        return self.exact.line()
                self.refuted.append(core)
            self.caps, self.passed = next(self.choices, None), False
        return None

    def all_caps(self) -> Iterator[tuple[int, ...]]:
        """Give all caps of the sum, those first that leave out the last suits."""
        most, least = self.most, self.position.heights

        def choose(suit: int, left: int) -> Iterator[tuple[int, ...]]:
            if suit == len(most):
                if left == 0:
                    yield ()
                return
            for cap in range(min(most[suit], left), least[suit] - 1, -1):
                for rest in choose(suit + 1, left - cap):
                    yield (cap, *rest)

        return choose(0, self.target)


class _Solver:
    """A model in the hands of Glucose, to be asked about caps."""

    def __init__(self, model: Schedule) -> None:
        self.model = model
        self.spent = 0
        clauses = [] if model.impossible else model.formula.cnf()[1]
        self.solver = Glucose4(bootstrap_with=clauses)

    def close(self) -> None:
        self.solver.delete()

    def refute(self, caps: Sequence[int], spending: _Spending) -> list[tuple[int, int]] | None:
        """Ask for stacks at least as high as caps; None if the model can be met.

        Otherwise give (suit, height) pairs that cannot be had together with the model's target.
        """
        model = self.model
        if model.impossible:
            return []
        asked = {}
        if not model.all_caps:
            for suit, cap in enumerate(caps):
                if cap > model.base[suit]:
                    asked[model.height(suit, cap, model.last)] = (suit, cap)
        answer = None
        while answer is None:
            self.solver.conf_budget(spending.budget())
            answer = self.slice(list(asked), spending)
            conflicts = self.solver.accum_stats()["conflicts"]
            spending.nodes += conflicts - self.spent
            self.spent = conflicts
        if answer:
            return None
        return [asked[literal] for literal in self.solver.get_core() or ()]

    def slice(self, assumed: list[int], spending: _Spending) -> bool | None:
        """Solve within the budget, in another thread.

        In the main thread pysat would catch Ctrl-C itself and jump out of the solver, which may
        not survive that. Like this Python notes it and raises it here after the slice.
        """
        future = spending.pool.submit(self.solver.solve_limited, assumptions=assumed)
        try:
            answer: bool | None = future.result()
        finally:
            wait([future])
        return answer

    def line(self) -> Line:
        """Give the line of the solution found last."""
        assert isinstance(self.model, EventModel)
        return self.model.line({x for x in self.solver.get_model() if x > 0}.__contains__)
