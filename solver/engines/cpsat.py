"""The CP-SAT engine: the event model with the score as its objective. Imports ortools."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread

from ortools.sat.python import cp_model

from solver.game.position import Position
from solver.game.result import Limits, Result, checked
from solver.models.events import EventModel
from solver.models.events import require as require
from solver.models.playout import final_round, playout
from solver.models.schedule import Schedule, SharedHand, natural_caps

__all__ = ["require", "solve"]

ENGINE = "cpsat"
SEED = 0
WAIT = 0.2
"""Seconds between two looks for Ctrl-C."""

Progress = Callable[[int, int], None]


def solve(
    position: Position,
    limits: Limits = Limits(),
    progress: Progress | None = None,
    workers: int = 1,
) -> Result:
    """Find the optimum of a position in which all cards are known, and a line that reaches it.

    First the most that one shared hand could reach is found, then the best of the game itself;
    score and bound draw nearer all the time.

    Parameters
    ----------
    limits
        ``nodes`` counts the solver's conflicts.
    progress
        Is told (score, bound) at the start and whenever one of them changes, in this thread.
    workers
        The solver's threads. With more than one, equal calls may give different lines, and with
        limits also different bounds.

    Raises
    ------
    UnsupportedRulesError
        If the event model does not cover the rules.
    """
    require(position)
    return _Search(position, limits, progress, workers).run()


class _Search:
    """One call of `solve`: the best line so far, the bound so far, and what was spent."""

    def __init__(
        self, position: Position, limits: Limits, progress: Progress | None, workers: int
    ) -> None:
        self.position = position
        self.limits = limits
        self.progress = progress
        self.workers = workers
        self.began = time.monotonic()
        self.nodes = 0
        self.stopped = ""
        ends = position.turns_left is not None
        self.line = final_round(position) if ends else playout(position)
        self.score = self.bound = self.line.replay().score
        if position.end is None and not ends:
            self.bound = min(sum(natural_caps(position)), position.points + position.events_left)
        self.told = self.score
        """The score, or what the solver has found while it still runs."""
        self.reported = (-1, -1)
        self.report()

    def run(self) -> Result:
        for kind in (SharedHand, EventModel):
            if self.is_open():
                full = self.position.rules.only_full_marks
                least = self.position.rules.max_score if full else self.position.points
                self.improve(kind(self.position, target=least))
        seconds = time.monotonic() - self.began
        return checked(
            Result(self.score, self.bound, self.line, ENGINE, self.nodes, seconds, self.stopped)
        )

    def is_open(self) -> bool:
        """Whether there is something left to ask, and to spend."""
        target = self.limits.target
        if self.score >= self.bound or self.stopped:
            return False
        return target is None or self.score < target <= self.bound

    def report(self) -> None:
        if self.progress is not None and self.reported != (self.told, self.bound):
            self.reported = (self.told, self.bound)
            self.progress(*self.reported)

    def improve(self, model: Schedule) -> None:
        """Look for the best solution of a model that beats the score; lower the bound by it."""
        limits, points = self.limits, self.position.points
        program = _Program(model)
        # A lost game scores less than what lies on the stacks; everything else is at least that.
        floor = max(self.score + 1, points)
        decision = limits.target is not None and isinstance(model, EventModel)
        if decision and limits.target is not None:
            floor = max(floor, limits.target)
        only_full = self.position.rules.only_full_marks
        if only_full:
            decision = True
            floor = self.bound = self.position.rules.max_score
        program.demand(floor - points, self.bound - points, maximize=not decision)
        parameters = program.solver.parameters
        if limits.nodes is not None:
            if limits.nodes <= self.nodes:
                self.stopped = "nodes"
                return
            parameters.max_number_of_conflicts = limits.nodes - self.nodes
        if limits.seconds is not None:
            left = limits.seconds - (time.monotonic() - self.began)
            if left <= 0:
                self.stopped = "seconds"
                return
            parameters.max_time_in_seconds = left
        parameters.num_workers = self.workers

        def heard(value: int | None, most: int | None) -> None:
            if value is not None and isinstance(model, EventModel):
                self.told = max(self.told, points + value)
            if most is not None:
                self.bound = min(self.bound, points + most)
            self.report()

        status = program.run(heard)
        self.nodes += program.solver.num_conflicts
        if status == cp_model.MODEL_INVALID:
            raise AssertionError(f"cpsat: {program.program.validate()}")
        solved = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        if solved and isinstance(model, EventModel):
            self.line = model.line(program.holds)
            self.score = self.told = self.line.replay().score
        if status == cp_model.INFEASIBLE:
            # Nothing from the floor up; if the floor is the points, every game is lost.
            self.bound = max(self.score, floor - 1) if floor > points and not only_full else 0
        elif status == cp_model.OPTIMAL and not decision:
            self.bound = min(self.bound, points + program.optimum())
        if status == cp_model.UNKNOWN or (status == cp_model.FEASIBLE and not decision):
            spent = limits.nodes is not None and (
                limits.seconds is None or self.nodes >= limits.nodes
            )
            self.stopped = "nodes" if spent else "seconds"
        self.report()


class _Program:
    """A model as CP-SAT takes it, and one run of the solver."""

    def __init__(self, model: Schedule) -> None:
        self.model = model
        self.program = cp_model.CpModel()
        self.solver = cp_model.CpSolver()
        parameters = self.solver.parameters
        parameters.random_seed = SEED
        # Measured: without the linear relaxation deals take half the time.
        parameters.linearization_level = 0
        # Ctrl-C is the caller's business.
        parameters.catch_sigint_signal = False
        formula = model.formula
        self.variables = [self.program.new_bool_var("") for _ in range(formula.variables)]
        for clause in formula.clauses:
            self.program.add_bool_or(map(self.literal, clause))
        for choice in formula.choices:
            self.program.add_exactly_one(map(self.literal, choice))
        self.total = sum(map(self.literal, model.gained(model.last)))
        # Each event gains at most a point.
        for k in range(1, model.last):
            gained = sum(map(self.literal, model.gained(k)))
            self.program.add(gained + model.last - k >= self.total)
        self.maximizes = False

    def literal(self, literal: int) -> cp_model.LiteralT:
        variable = self.variables[abs(literal) - 1]
        return variable if literal > 0 else ~variable

    def demand(self, least: int, most: int, maximize: bool) -> None:
        """Ask for a gain of ``least`` to ``most`` points, and for the highest of them if told."""
        self.program.add(self.total >= least)
        self.program.add(self.total <= most)
        self.maximizes = maximize
        if maximize:
            self.program.maximize(self.total)

    def run(self, heard: Callable[[int | None, int | None], None]) -> cp_model.CpSolverStatus:
        """Solve in a thread of its own, so that this one hears of Ctrl-C.

        Parameters
        ----------
        heard
            Is told, in this thread, of every better gain or lower bound on it.
        """
        told: SimpleQueue[tuple[int | None, int | None] | cp_model.CpSolverStatus] = SimpleQueue()
        failed: list[BaseException] = []

        class Callback(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                told.put((round(self.objective_value), None))

        def work() -> None:
            try:
                callback = Callback() if self.maximizes else None
                told.put(self.solver.solve(self.program, callback))
            except BaseException as error:
                failed.append(error)
                told.put(cp_model.UNKNOWN)

        if self.maximizes:
            self.solver.best_bound_callback = lambda most: told.put((None, _floor(most)))
        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            while True:
                try:
                    event = told.get(timeout=WAIT)
                except Empty:
                    continue
                if not isinstance(event, tuple):
                    break
                heard(*event)
        finally:
            self.solver.stop_search()
            thread.join()
        if failed:
            raise failed[0]
        return event

    def holds(self, variable: int) -> bool:
        """Whether a variable is true in the solution."""
        return self.solver.boolean_value(self.variables[variable - 1])

    def optimum(self) -> int:
        """Give the highest gain, of a run that has found it."""
        return round(self.solver.objective_value)


def _floor(bound: float) -> int:
    """Round a bound on an integer down, with care for what a float may lack; it may be infinite."""
    return int(min(bound, 1e6) + 1e-6)
