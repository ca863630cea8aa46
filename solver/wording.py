"""Numbers of things in words: ``1 turn``, ``2 turns``."""

from __future__ import annotations

__all__ = ["amount"]


def amount(number: float, noun: str) -> str:
    """Give a number and a regular noun in the number that goes with it: ``1,234 turns``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
