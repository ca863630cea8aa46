"""Numbers in words: ``1 turn``, ``2 turns``; chances and shares in percent; mean scores."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["amount", "percent", "points", "share"]


def amount(number: float, noun: str) -> str:
    """Give a number and a regular noun in the number that goes with it: ``1,234 turns``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def percent(value: Fraction | float, digits: int = 2) -> str:
    """Write a chance from 0 to 1 in percent: 0% and 100% only if it is just that."""
    if value in (0, 1):
        return f"{int(value) * 100}%"
    number = float(value) * 100
    text = f"{number:.{digits}f}"
    if float(text) == 0:
        return f"{number:.3g}%"
    return f"{text}%" if float(text) < 100 else f"{100 - 10**-digits:.{digits}f}%"


def share(value: Fraction | float, digits: int = 2) -> str:
    """Write a share from 0 to 1 as `percent`, but none and all with as many digits as the rest."""
    return f"{float(value) * 100:.{digits}f}%" if value in (0, 1) else percent(value, digits)


def points(value: Fraction) -> str:
    """Write a mean score; a whole number only for one."""
    text = f"{float(value):.3f}"
    return f"{float(value):.6f}" if text.endswith(".000") and value.denominator > 1 else text
