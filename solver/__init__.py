"""Exact solver for Hanabi with all cards known.

>>> import solver
>>> result = solver.solve(solver.deal_of_seed("p3v0s1"))
>>> result.score, result.bound, result.winnable
(25, 25, True)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.formats.hanablive import deal_of_seed
    from solver.game.card import UNKNOWN, USELESS, Card
    from solver.game.deal import Deal
    from solver.game.errors import IllegalActionError, InputError, UnsupportedRulesError
    from solver.game.line import Line
    from solver.game.position import Action, End, Kind, Position
    from solver.game.result import Limits, Result
    from solver.game.rules import Ending, Rules
    from solver.game.suit import Suit
    from solver.solving.choice import DEFAULT_LIMITS, solve, solve_many

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
        "game.card": "UNKNOWN USELESS Card",
        "game.deal": "Deal",
        "solving.choice": "DEFAULT_LIMITS solve solve_many",
        "game.errors": "IllegalActionError InputError UnsupportedRulesError",
        "formats.hanablive": "deal_of_seed",
        "game.line": "Line",
        "game.position": "Action End Kind Position",
        "game.result": "Limits Result",
        "game.rules": "Ending Rules Suit",
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
