"""Exact solver for Hanabi with all cards known.

>>> import solver
>>> result = solver.solve(solver.deal_of_seed("p3v0s1"))
>>> result.score, result.bound, result.winnable
(25, 25, True)
"""

from solver.card import UNKNOWN, USELESS, Card
from solver.deal import Deal
from solver.engines import DEFAULT_LIMITS, solve, solve_many
from solver.errors import IllegalActionError, InputError, UnsupportedRulesError
from solver.hanablive import deal_of_seed
from solver.line import Line
from solver.position import Action, End, Kind, Position
from solver.result import Limits, Result
from solver.rules import Ending, Rules, Suit

__all__ = [
    "DEFAULT_LIMITS",
    "UNKNOWN",
    "USELESS",
    "Action",
    "Card",
    "Deal",
    "End",
    "Ending",
    "IllegalActionError",
    "InputError",
    "Kind",
    "Limits",
    "Line",
    "Position",
    "Result",
    "Rules",
    "Suit",
    "UnsupportedRulesError",
    "deal_of_seed",
    "solve",
    "solve_many",
]
