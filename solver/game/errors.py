"""What can be wrong with an input. All are ``ValueError``: one line that says what and where."""

from __future__ import annotations

__all__ = ["IllegalActionError", "InputError", "UnsupportedRulesError"]


class InputError(ValueError):
    """Something given from outside is wrong; the message is one line for its author."""


class UnsupportedRulesError(InputError):
    """The rules are well formed, but the part of the program asked does not cover them."""


class IllegalActionError(InputError):
    """An action that the rules forbid in the position where it was tried."""
