"""Clause proofs that carry their own hints (the LRAT format), checked step by step.

A proof is a list of lines ``ID LITERALS 0 HINTS 0``. Each adds a clause that follows from earlier
ones by unit propagation: suppose that all its literals are false; then the clauses that the hints
name, one after the other, each leave one literal that must be true, and the last leaves none. So
nothing is searched for, and a line is checked in the time it takes to read its hints. Clauses of
the formula have the IDs 1, 2, ...; the last line adds the empty clause, which nothing can meet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.game.errors import InputError

__all__ = ["check", "step_text"]

STEP = re.compile(r"([1-9][0-9]{0,8})((?: -?[1-9][0-9]{0,8})*) 0((?: [1-9][0-9]{0,8})+) 0")


def step_text(number: int, literals: Sequence[int], hints: Sequence[int]) -> str:
    """Write one line of a proof."""
    return " ".join(map(str, (number, *literals, 0, *hints, 0)))


def check(clauses: Sequence[tuple[int, ...]], proof: Sequence[str]) -> None:
    """Check that a proof refutes a formula, line by line.

    Stricter than the format asks: lines are numbered without gaps, every hint is of use, every
    clause that a line adds is used later, and no literal is new.

    Raises
    ------
    InputError
        Naming the first line that does not hold, and why.
    """
    known = list(clauses)
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    unused: set[int] = set()
    empty = False
    for place, line in enumerate(proof, 1):
        if empty:
            raise InputError(f"proof line {place}: comes after the empty clause")
        match = STEP.fullmatch(line)
        if match is None:
            raise InputError(f"proof line {place}: is not of the form ID LITERALS 0 HINTS 0")
        number, literals, hints = (tuple(map(int, part.split())) for part in match.groups())
        if number[0] != len(known) + 1:
            raise InputError(f"proof line {place}: has the number {number[0]}, "
                             f"not {len(known) + 1}")  # fmt: skip
        if len(set(map(abs, literals))) < len(literals):
            raise InputError(f"proof line {place}: names a variable twice")
        if any(abs(literal) > variables for literal in literals):
            raise InputError(f"proof line {place}: names a variable that the clauses do not have")
        why = _why_not(known, literals, hints)
        if why is not None:
            raise InputError(f"proof line {place}: {why}")
        unused.difference_update(hints)
        empty = not literals
        known.append(literals)
        unused.add(len(known))
    if not empty:
        raise InputError("the proof does not end with the empty clause")
    if len(unused) > 1:
        line_number = min(unused) - len(clauses)
        raise InputError(f"proof line {line_number}: its clause is used nowhere")


def _why_not(
    known: Sequence[tuple[int, ...]], literals: Sequence[int], hints: Sequence[int]
) -> str | None:
    """Say why the hints do not lead to a contradiction; None if they do."""
    true = {-literal for literal in literals}
    for place, hint in enumerate(hints, 1):
        if hint > len(known):
            return f"hint {hint} names no earlier clause"
        free = {literal for literal in known[hint - 1] if -literal not in true}
        if not free:
            return None if place == len(hints) else f"hints follow on the contradiction at {hint}"
        if len(free) > 1 or free <= true:
            return f"the clause of hint {hint} forces nothing"
        true |= free
    return "its hints lead to no contradiction"
