"""Exact solver for Hanabi with all cards known.

>>> import solver
>>> result = solver.solve(solver.deal_of_seed("p3v0s1"))
>>> result.score, result.bound, result.winnable
(25, 25, True)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.card import UNKNOWN, USELESS, Card
    from solver.deal import Deal
    from solver.engines import DEFAULT_LIMITS, solve, solve_many
    from solver.errors import IllegalActionError, InputError, UnsupportedRulesError
    from solver.hanablive import deal_of_seed
    from solver.line import Line
    from solver.position import Action, End, Kind, Position
    from solver.result import Limits, Result
    from solver.rules import Ending, Rules
    from solver.suit import Suit

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

if not TYPE_CHECKING:
    _HOMES = {
        "card": "UNKNOWN USELESS Card",
        "deal": "Deal",
        "engines": "DEFAULT_LIMITS solve solve_many",
        "errors": "IllegalActionError InputError UnsupportedRulesError",
        "hanablive": "deal_of_seed",
        "line": "Line",
        "position": "Action End Kind Position",
        "result": "Limits Result",
        "rules": "Ending Rules Suit",
    }
    """What is exported, by its module: imported when it is asked for, so that the command can
    heed Ctrl-C while it starts."""

    def __getattr__(name):
        for home, names in _HOMES.items():
            if name in names.split():
                found = globals()[name] = getattr(import_module(f"solver.{home}"), name)
                return found
        raise AttributeError(f"module 'solver' has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
