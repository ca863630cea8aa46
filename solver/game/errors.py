"""What can be wrong with an input. All are ``ValueError``: one line that says what and where."""

from __future__ import annotations

__all__ = ["IllegalActionError", "InputError", "MissingExtraError", "UnsupportedRulesError"]


class InputError(ValueError):
    """Something given from outside is wrong; the message is one line for its author."""


class MissingExtraError(InputError):
    """A package is not installed; the message says which of our extras brings it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra {extra}: pip install 'hanabi-solver[{extra}]'")


class UnsupportedRulesError(InputError):
    """The rules are well formed, but the part of the program asked does not cover them."""


class IllegalActionError(InputError):
    """An action that the rules forbid in the position where it was tried."""
