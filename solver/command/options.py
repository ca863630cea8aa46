"""The options of commands that say which deals are meant, and by which rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from solver.decks.request import Asked, Named, Shape, Suits
from solver.formats.editions import EDITIONS, House, edition, variant_name
from solver.formats.variants import find
from solver.game.errors import InputError
from solver.game.rules import Ending

__all__ = ["deal_options", "rule_options", "spec_options", "suit_options"]

HOUSE = ("strikes", "clues", "hand_size", "empty_clues", "deck_plays")
"""House rules whose options have the names of the fields of `House`."""


def suit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what says which suits are meant; the command gets ``variant``, a name or a `Shape`."""

    @wraps(command)
    def function(
        *args: Any,
        variant: str | None,
        suits: int | None,
        one_of_each: int | None,
        multicolour: str | None,
        every_colour: bool,
        black_powder: bool,
        **kw: Any,
    ) -> Any:
        shape = suits is not None or one_of_each is not None
        box = multicolour is not None or every_colour or black_powder
        if (variant is not None) + shape + box > 1:
            raise click.UsageError(
                "--variant names the suits: no --suits or --one-of-each with it, and no "
                "--multicolour, --every-colour or --black-powder with any of these"
            )
        asked: Suits = variant
        if variant is not None:
            find(variant)
        if shape:
            asked = Shape(5 if suits is None else suits, one_of_each or 0)
        if box:
            words = [f"--multicolour {multicolour}"] * (multicolour is not None)
            words += ["--every-colour"] * every_colour + ["--black-powder"] * black_powder
            name = variant_name(int(multicolour or 0), every_colour, black_powder)
            asked = Named(name, " ".join(words))
        return command(*args, variant=asked, **kw)

    for option in (
        click.option("--black-powder", is_flag=True,
                     help="A sixth suit built downwards that no colour touches."),
        click.option("--every-colour", is_flag=True,
                     help="Every colour clue touches the multicolour suit."),
        click.option("--multicolour", type=click.Choice(["5", "10"]),
                     help="A sixth suit of so many cards."),
        click.option(
            "--variant", metavar="NAME", help="The hanab.live variant, where SPEC says none."
        ),
        click.option(
            "--one-of-each", type=int, metavar="N", help="Of these, the last N have one of each."
        ),
        click.option("--suits", type=int, metavar="N", help="Suits that a source deals (5)."),
    ):  # fmt: skip
        function = option(function)
    return function


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what says which suits and which house rules are meant; the command gets ``variant``."""

    @wraps(command)
    def ruled(*args: Any, variant: Suits, **kw: Any) -> Any:
        house = _house(kw)
        return command(*args, variant=variant if house == House() else Asked(variant, house), **kw)

    function: Callable[..., Any] = ruled
    for option in (
        click.option("--deck-plays", is_flag=True, help="The last card may be played unseen."),
        click.option("--empty-clues", is_flag=True, help="Allow clues that touch no card."),
        click.option("--endless", is_flag=True, help="The endless show: --ending endless."),
        click.option("--ending", type=click.Choice([ending.value for ending in Ending]),
                     help="What ends the game."),
        click.option("--hand-size", type=int, metavar="N", help="Cards in a hand."),
        click.option("--clues", type=int, metavar="N",
                     help="Clue tokens, to begin with and at most."),
        click.option("--strikes", type=int, metavar="N", help="Strikes that lose the game."),
        click.option("--edition", metavar="NAME",
                     help=f"The printed edition: {', '.join(EDITIONS)}."),
    ):  # fmt: skip
        function = option(function)
    return suit_options(function)


def deal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what says how deals are dealt; the command gets all but the players as ``variant``."""

    @wraps(command)
    def checked(*args: Any, **kw: Any) -> Any:
        players = kw.get("players")
        if players is not None and not 2 <= players <= 6:
            raise InputError(f"--players is {players}, not 2 to 6")
        return command(*args, **kw)

    players = click.option(
        "--players", type=int, metavar="N", help="Players, where SPEC does not say."
    )
    return players(rule_options(checked))


def spec_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `deal_options`, and the specs that say which deals are meant."""
    return click.argument("specs", nargs=-1, metavar="SPEC...")(deal_options(command))


def _house(options: dict[str, Any]) -> House:
    """Take the house rules out of a command's options."""
    ending = options.pop("ending")
    if options.pop("endless"):
        if ending not in (None, Ending.ENDLESS.value):
            raise click.UsageError(f"--endless and --ending {ending} contradict one another")
        ending = Ending.ENDLESS.value
    name = options.pop("edition")
    return House(
        edition=None if name is None else edition(name).name,
        ending=None if ending is None else Ending(ending),
        **{key: options.pop(key) for key in HOUSE},
    )
