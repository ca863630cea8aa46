"""Clauses over numbered variables, as every SAT solver and the DIMACS format take them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["TRUE", "Formula"]

TRUE = 1
"""The variable that is always true; ``-TRUE`` is always false."""

FEW = 5
"""Of up to this many literals, `Formula.cnf` forbids each pair."""


class Formula:
    """A formula: clauses, and choices (exactly one of some literals holds).

    Literals are as in DIMACS: a variable's number, negative if it is negated. Variable 1 is
    always true, so that constants need no special case anywhere.
    """

    def __init__(self) -> None:
        self.variables = TRUE
        self.clauses: list[tuple[int, ...]] = [(TRUE,)]
        self.choices: list[tuple[int, ...]] = []

    def new(self) -> int:
        """Give a variable that was not used before."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Ask that one of the literals holds. Constants are folded away."""
        if TRUE not in literals:
            self.clauses.append(tuple(lit for lit in literals if lit != -TRUE))

    def implies(self, *literals: int) -> None:
        """Ask for the last literal wherever all the others hold."""
        self.add(*(-lit for lit in literals[:-1]), literals[-1])

    def choose(self, literals: Iterable[int]) -> None:
        """Ask that exactly one of the literals holds."""
        self.choices.append(tuple(lit for lit in literals if lit != -TRUE))

    def cnf(self) -> tuple[int, list[tuple[int, ...]]]:
        """Give the number of variables and all clauses, the choices written out as clauses.

        Of few literals every pair is forbidden. Of more, the first ones are replaced by a new
        variable that holds if one of them does, and so on.
        """
        variables = self.variables
        clauses = list(self.clauses)
        for choice in self.choices:
            clauses.append(choice)
            rest = choice
            while len(rest) > FEW:
                head, variables = rest[: FEW - 1], variables + 1
                clauses.extend((-lit, variables) for lit in head)
                clauses.extend(_pairs(head))
                rest = (variables, *rest[FEW - 1 :])
            clauses.extend(_pairs(rest))
        return variables, clauses

    def dimacs(self) -> str:
        """Write the formula in the DIMACS format."""
        variables, clauses = self.cnf()
        rows = (" ".join(map(str, (*clause, 0))) for clause in clauses)
        return "\n".join((f"p cnf {variables} {len(clauses)}", *rows, ""))


def _pairs(literals: Sequence[int]) -> Iterable[tuple[int, int]]:
    for place, first in enumerate(literals):
        for second in literals[place + 1 :]:
            yield -first, -second
