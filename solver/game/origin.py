"""Where a deck comes from: the environment that deals it, its version, and its generator."""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["Origin"]


@dataclass(frozen=True)
class Origin:
    """What one must know to deal the same deck again; a seed alone does not say it.

    Parameters
    ----------
    environment
        The program that deals it, such as ``Hanabi Learning Environment``.
    version
        The release, or the commit, whose decks these are.
    generator
        The random numbers and what is made of them, in the variant that was used.
    start
        The environment's number of the player who acts first. A deal from a source has that
        player in seat 0, and the others follow in their order.
    """

    environment: str
    version: str
    generator: str
    start: int = 0

    def to_json(self) -> dict[str, str | int]:
        """Give the fields for ``json.dumps``."""
        return asdict(self)
