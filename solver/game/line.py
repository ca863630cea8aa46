"""A line of play: a sequence of actions from a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.game.deal import Deal
from solver.game.errors import IllegalActionError
from solver.game.position import Action, Position

__all__ = ["Line"]


@dataclass(frozen=True)
class Line:
    """Actions from a starting position, not yet checked: `replay` checks them."""

    start: Position
    actions: tuple[Action, ...]

    @classmethod
    def of(cls, start: Deal | Position, actions: tuple[Action, ...]) -> Line:
        """Make a line from the start of a deal, or from a position."""
        return cls(Position.start(start) if isinstance(start, Deal) else start, actions)

    def positions(self) -> Iterator[Position]:
        """Give the starting position, then the one after each action.

        Raises
        ------
        IllegalActionError
            Naming the first illegal action, its turn (from 1), and why.
        """
        position = self.start
        yield position
        for turn, action in enumerate(self.actions, 1):
            try:
                position = position.after(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"turn {turn}: {error}") from None
            yield position

    def replay(self) -> Position:
        """Play all actions by the rules and give the last position; it alone says the score."""
        *_, last = self.positions()
        return last

    def _repr_svg_(self) -> str:
        """Draw the line, for notebooks."""
        from importlib import import_module  # pictures stand in a later layer

        return str(import_module("solver.pictures.svg_line").line_svg(self))
