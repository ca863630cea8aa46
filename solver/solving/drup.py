"""Clause proofs, made: a SAT solver's trace, cut down to what is needed and given hints.

The trace (DRUP) lists the clauses that the solver learnt. `refute` works backwards from the
contradiction, keeps the clauses that lead there, and notes for each what forces it: that is
LRAT, which `solver.proofs.lrat` checks. Nothing here needs to be trusted. Imports pysat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pysat.solvers import Glucose4

from solver.proofs.lrat import step_text

__all__ = ["core", "refute"]

SLICE = 2000
"""Conflicts between two looks at the clock; Ctrl-C waits no longer."""

Item = tuple[bool, int]
"""(True, a clause's index) or (False, a fact)."""


class Step(NamedTuple):
    """Something explained: a learnt clause or a fact, its literals, and the hints, in order."""

    item: Item
    literals: tuple[int, ...]
    hints: list[Item]


def core(
    clauses: Sequence[tuple[int, ...]], asked: Sequence[int], go_on: Callable[[], object]
) -> list[int] | None:
    """Give some of the literals asked for that cannot be had together; None if all can be."""
    with Glucose4(bootstrap_with=clauses) as solver:
        if _answer(solver, asked, go_on):
            return None
        return list(solver.get_core() or ())


def refute(clauses: Sequence[tuple[int, ...]], go_on: Callable[[], object]) -> list[str] | None:
    """Give an LRAT proof that the clauses cannot be met; None if they can be.

    Parameters
    ----------
    go_on
        Called now and then; may raise to end the work.
    """
    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        if _answer(solver, (), go_on):
            return None
        trace = solver.get_proof() or []
    learnt = [tuple(map(int, line.split()))[:-1] for line in trace if not line.startswith("d")]
    return _Trimmer(clauses, learnt, go_on).proof()


def _answer(solver: Glucose4, asked: Sequence[int], go_on: Callable[[], object]) -> bool:
    answer = None
    while answer is None:
        go_on()
        solver.conf_budget(SLICE)
        answer = solver.solve_limited(assumptions=list(asked))
    return bool(answer)


class _Trimmer:
    """Unit propagation over the formula and the learnt clauses, forwards once, then backwards.

    A clause is known by its index. Literals that are forced without any assumption are *facts*:
    they stand on the trail, each with the clause that forces it.
    """

    def __init__(
        self,
        clauses: Sequence[tuple[int, ...]],
        learnt: Sequence[tuple[int, ...]],
        go_on: Callable[[], object],
    ) -> None:
        self.given = len(clauses)
        self.go_on = go_on
        # A literal named twice would be watched twice.
        self.clauses = [list(dict.fromkeys(clause)) for clause in (*clauses, *learnt)]
        self.watches: dict[int, list[int]] = {}
        self.reason: dict[int, int] = {}
        """Of each true literal the clause that forces it, -1 for an assumption."""
        self.trail: list[int] = []
        self.done = 0
        self.alias: dict[Item, Item] = {}
        """Facts that are a clause of their own, and that clause."""

    def proof(self) -> list[str]:
        """Give the lines of the proof."""
        timeline, conflict = self._forwards()
        return self._written(self._backwards(timeline, conflict))

    def _forwards(self) -> tuple[list[Item], int]:
        """Take in all clauses, up to the contradiction.

        Give what happened, (True, clause) for a learnt clause and (False, literal) for a fact,
        and the clause that is contradicted.
        """
        timeline: list[Item] = []
        conflict = -1
        for index in range(self.given):
            if conflict < 0:
                conflict = self._attach(index)
        shown = 0
        for index in range(self.given, len(self.clauses) + 1):
            if conflict < 0:
                conflict = self._propagate(index)
            timeline.extend((False, literal) for literal in self.trail[shown:])
            shown = len(self.trail)
            if conflict >= 0:
                return timeline, conflict
            if index < len(self.clauses):
                timeline.append((True, index))
                conflict = self._attach(index)
        raise AssertionError("the solver's trace does not end in a contradiction")

    def _attach(self, index: int) -> int:
        """Watch two literals of a clause and take what it forces; give it if contradicted."""
        clause = self.clauses[index]
        # Those that are not false first: they are the ones to watch.
        clause.sort(key=lambda literal: -literal in self.reason)
        free = [literal for literal in clause[:2] if -literal not in self.reason]
        for literal in clause[:2]:
            self.watches.setdefault(literal, []).append(index)
        if not free:
            return index
        if len(free) == 1 and free[0] not in self.reason:
            self._take(free[0], index)
        return -1

    def _take(self, literal: int, reason: int) -> None:
        self.reason[literal] = reason
        self.trail.append(literal)

    def _propagate(self, limit: int) -> int:
        """Take all that the clauses before ``limit`` force; give a contradicted one, or -1."""
        reason, clauses = self.reason, self.clauses
        while self.done < len(self.trail):
            false = -self.trail[self.done]
            self.done += 1
            watching = self.watches.get(false)
            if not watching:
                continue
            kept: list[int] = []
            conflict = -1
            for place, index in enumerate(watching):
                if index >= limit:  # forgotten on the way back
                    continue
                clause = clauses[index]
                if clause[0] == false and len(clause) > 1:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if first not in reason:
                    for other in range(2, len(clause)):
                        if -clause[other] not in reason:
                            clause[1], clause[other] = clause[other], false
                            self.watches.setdefault(clause[1], []).append(index)
                            break
                    else:
                        kept.append(index)
                        if -first in reason:
                            conflict = index
                            kept.extend(watching[place + 1 :])
                            break
                        self._take(first, index)
                    continue
                kept.append(index)
            self.watches[false] = kept
            if conflict >= 0:
                return conflict
        return -1

    def _backwards(self, timeline: list[Item], conflict: int) -> list[Step]:
        """Go back through what happened and explain what is needed; give it first to last."""
        hints = self._explain(conflict, set())
        needed = set(hints)
        made = [Step((True, len(self.clauses)), (), hints)]
        for is_clause, item in reversed(timeline):
            if not is_clause:
                reason = self.reason[item]
                if (False, item) in needed:
                    facts = sorted((False, -x) for x in self.clauses[reason] if x != item)
                    needed.update((*facts, (True, reason)))
                    if not facts:
                        self.alias[False, item] = (True, reason)
                    else:
                        made.append(Step((False, item), (item,), [*facts, (True, reason)]))
                del self.reason[item]
                self.trail.pop()
                self.done = min(self.done, len(self.trail))
            elif (True, item) in needed:
                self.go_on()
                hints = self._derive(item)
                needed.update(hints)
                made.append(Step((True, item), tuple(self.clauses[item]), hints))
        return made[::-1]

    def _derive(self, index: int) -> list[Item]:
        """Explain why a learnt clause follows from what stands before it."""
        literals = self.clauses[index]
        before = len(self.trail)
        conflict = -1
        assumed = {-literal for literal in literals}
        for literal in literals:
            if literal in self.reason:  # a fact: what forces it contradicts the assumption
                conflict = self.reason[literal]
            elif -literal not in self.reason:
                self._take(-literal, -1)
        if conflict < 0:
            self.done = before
            conflict = self._propagate(index)
        if conflict < 0:
            raise AssertionError("the solver's trace has a clause that does not follow")
        answer = self._explain(conflict, assumed, before)
        for literal in self.trail[before:]:
            del self.reason[literal]
        del self.trail[before:]
        self.done = before
        return answer

    def _explain(self, conflict: int, assumed: set[int], since: int | None = None) -> list[Item]:
        """Give the hints that lead to a contradicted clause.

        Parameters
        ----------
        since
            Where on the trail that begins what follows from the assumptions.
        """
        place = {} if since is None else {x: n for n, x in enumerate(self.trail[since:])}
        facts: set[int] = set()
        steps: set[int] = set()
        waiting = [-literal for literal in self.clauses[conflict]]
        while waiting:
            literal = waiting.pop()
            if literal in assumed or literal in facts or literal in steps:
                continue
            if literal in place:
                steps.add(literal)
                reason = self.clauses[self.reason[literal]]
                waiting.extend(-other for other in reason if other != literal)
            else:
                facts.add(literal)
        hints: list[Item] = [(False, literal) for literal in sorted(facts)]
        hints += [(True, self.reason[literal]) for literal in sorted(steps, key=place.__getitem__)]
        hints.append((True, conflict))
        return hints

    def _written(self, steps: Sequence[Step]) -> list[str]:
        """Write what was explained, as numbered lines."""
        number: dict[Item, int] = {}
        lines: list[str] = []
        for step in steps:
            items = (self.alias.get(hint, hint) for hint in step.hints)
            # A clause of the formula has its own number.
            numbers = [number.get(item, item[1] + 1) for item in items]
            number[step.item] = self.given + len(lines) + 1
            lines.append(step_text(number[step.item], step.literals, numbers))
        return lines
