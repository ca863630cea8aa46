"""Sources of decks that are named rather than written: ``python:p2c1s0-99``, ``hle:0-9``.

A source may have options between its name and the colon: ``hle+random-start+colors=4:0-9``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from solver.decks.hanabirs import hanabirs
from solver.decks.jaxmarl import jaxmarl
from solver.decks.learningenv import obl, original, sad
from solver.decks.pettingzoo import pettingzoo
from solver.decks.quux import quux, sparta
from solver.decks.request import Request, Shape, number_range
from solver.decks.shuffles import Shuffles
from solver.formats.composition import label_of
from solver.formats.hanablive import SEED, deal_of_seed
from solver.formats.variants import LETTERS, find
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.origin import Origin
from solver.game.rules import Rules

__all__ = ["SOURCES", "Shape", "Source", "dealt", "is_source", "listing"]

PYTHON = Origin("Python", "3.2 or later", "random.seed(name), random.shuffle of the sorted deck")
RANDOM = Origin("Python", "3.2 or later", "random.Random(seed).shuffle of the sorted deck")


@dataclass(frozen=True)
class Source:
    """Where decks come from."""

    deals: Callable[[Request], Iterable[Deal]]
    example: str
    about: str
    """What it deals, in a few words."""
    options: Mapping[str, range | None] = field(default_factory=dict)
    """The numbers that an option takes, or None if it takes none."""


def _sorted_rules(players: int, variant: str | Shape | None) -> tuple[Rules, str]:
    if isinstance(variant, Shape):
        letters = LETTERS[: variant.suits]
        rules = Rules.standard(players, letters, letters[variant.suits - variant.one_of_each :])
        return rules, label_of(rules.suits)
    found = find("No Variant" if variant is None else variant)
    return found.rules(players), found.name


def _python(request: Request) -> Shuffles:
    match = re.fullmatch(r"(p([2-6])[a-z0-9]*s)([0-9-]+)", request.text)
    if match is None:
        raise InputError("after python: there is no name and range such as p2c1s0-99")
    rules, label = _sorted_rules(int(match[2]), request.variant)
    numbers = number_range(match[3])
    # The name of a seed of hanab.live would be that of another deal.
    stem = f"python:{match[1]}" if SEED.fullmatch(f"{match[1]}0") else match[1]
    return Shuffles(rules, label, PYTHON, numbers, lambda number: f"{stem}{number}",
                    lambda number: f"{match[1]}{number}")  # fmt: skip


def _random(request: Request) -> Shuffles:
    numbers = number_range(request.text)
    rules, label = _sorted_rules(request.seats(2, 6), request.variant)
    return Shuffles(rules, label, RANDOM, numbers, request.name, int)


def _hanablive(request: Request) -> Iterator[Deal]:
    match = re.fullmatch(r"(p[2-6]v[0-9]{1,6}s)([0-9-]+)", request.text)
    if match is None:
        raise InputError("after hanablive: there is no seed and range such as p2v0s1-100")
    for number in number_range(match[2]):
        yield deal_of_seed(f"{match[1]}{number}")


SIZES: dict[str, range | None] = {
    "small": None, "very-small": None, "colors": range(1, 6), "ranks": range(1, 6),
    "hand": range(1, 11), "clues": range(1, 201), "lives": range(1, 101),
}  # fmt: skip
PROGRAM = {"hand": range(1, 11), "empty-clues": None, "full-discard": None}

SOURCES: dict[str, Source] = {
    "hanablive": Source(_hanablive, "hanablive:p2v0s1-100", "hanab.live's seeds p2v0s1 to 100"),
    "hanabirs": Source(hanabirs, "hanabirs:0-99", "hanabi.rs; discards at full tokens are legal",
                       {"hand": range(1, 11), "empty-clues": None, "no-full-discard": None}),
    "hle": Source(original, "hle:0-99", "Hanabi Learning Environment, a new game for every seed",
                  {"random-start": None, **SIZES}),
    "jaxmarl": Source(jaxmarl, "jaxmarl:0-99", "JaxMARL, reset(PRNGKey(seed)); hands of 5",
                      {"jax04": None, **SIZES}),
    "obl": Source(obl, "obl:0-99", "off-belief learning; random start player, hands of 5",
                  {"fixed-start": None, **SIZES}),
    "pettingzoo": Source(pettingzoo, "pettingzoo:0-99", "PettingZoo's hanabi_v5; hands of 5",
                         {"random-start": None, **SIZES}),
    "python": Source(_python, "python:p2c1s0-99", 'random.seed("p2c1s0"), random.shuffle'),
    "quux": Source(quux, "quux:7#0-99", "Quuxplusone's program, games 0 to 99 of seed 7", PROGRAM),
    "random": Source(_random, "random:0-99", "random.Random(0).shuffle"),
    "sad": Source(sad, "sad:0-99", "SAD; hands of 5", SIZES),
    "sparta": Source(sparta, "sparta:7#0-99", "SPARTA, games 0 to 99 of seed 7", PROGRAM),
}  # fmt: skip
"""Where decks come from, by the word before the colon."""


def listing() -> str:
    """List the sources and their options for a help text; blank lines stand between them."""
    lines = []
    for source in SOURCES.values():
        words = [o if numbers is None else f"{o}=N" for o, numbers in source.options.items()]
        options = f" Options: {', '.join(words)}." if words else ""
        lines.append(f"{source.example}: {source.about}.{options}")
    return "\n\n".join(lines)


def is_source(spec: str) -> bool:
    """Whether a spec begins with the name of a source, options or not, and a colon."""
    word, colon, _ = spec.partition(":")
    return bool(colon) and word.partition("+")[0] in SOURCES


def dealt(spec: str, players: int | None, variant: str | Shape | None) -> Iterable[Deal]:
    """Give the deals of a spec that `is_source`.

    Raises
    ------
    InputError
        If its options, range, players or variant are not for this source.
    """
    word, _, text = spec.partition(":")
    name, *options = word.split("+")
    source = SOURCES[name]
    return source.deals(Request(word, text, players, variant, _options(name, source, options)))


def _options(name: str, source: Source, words: list[str]) -> dict[str, int]:
    made: dict[str, int] = {}
    for word in words:
        option, equals, value = word.partition("=")
        if option not in source.options:
            known = ", ".join(f"+{o}" for o in source.options) or "none"
            raise InputError(
                f"source {name}: option {option[:40]!r} is not known; there are {known}"
            )
        if option in made:
            raise InputError(f"source {name}: the option {option} stands there twice")
        numbers = source.options[option]
        if numbers is None:
            if equals:
                raise InputError(f"source {name}: the option {option} takes no value")
            made[option] = 1
        elif re.fullmatch("[0-9]{1,4}", value) and int(value) in numbers:
            made[option] = int(value)
        else:
            raise InputError(
                f"source {name}: {word[:40]!r} is not {option}={numbers[0]} to {numbers[-1]}"
            )
    return made
