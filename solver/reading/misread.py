"""What a spec that cannot be read nearly is: the words for its author."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from solver.decks.sources import SOURCES, is_source
from solver.formats.hanablive import SEED
from solver.formats.inputs import shorten
from solver.formats.link import is_link
from solver.game.errors import InputError

__all__ = ["is_position", "is_prose", "position_text", "refuse_name", "what_is_wrong"]

ADDRESS = re.compile(r"(https?:|(www[.])?hanab[.])", re.IGNORECASE)
NUMBERED = re.compile(r"hanab[.]live/(?:shared-)?(?:replay|export|game)/([0-9]+)", re.IGNORECASE)
POSITION = re.compile(r"[a-z][^\s:/]*:[0-9]\S*\s+\S*[a-z][0-9]", re.IGNORECASE)
"""How a position text begins: the suits, the copies of each rank, the stacks."""
CARDS = re.compile("([A-Za-z][0-9])+")
SHOWN = 40
"""Characters of a word that are repeated in a message."""
OTHERS = {
    ".md",
    ".rst",
    ".py",
    ".toml",
    ".html",
    ".svg",
    ".png",
    ".jpg",
    ".pdf",
    ".dot",
    ".graphml",
}
"""Suffixes of files that hold no games, whatever words are in them."""
LINES = 20
"""Lines of a text that are looked at."""


def is_position(spec: str) -> bool:
    """Whether a spec is meant as a position text, with ``pos:`` before it or without."""
    return spec.startswith("pos:") or POSITION.match(spec[:2000]) is not None


def position_text(spec: str) -> str:
    """Give the position text of a spec that `is_position`."""
    return spec.removeprefix("pos:").strip()


def is_prose(lines: Iterable[str]) -> bool:
    """Whether the first lines of a text are words, and none is anything like a spec."""
    looked, spaces = 0, False
    for line in lines:
        if looked == LINES:
            break
        word = line.strip()
        if word:
            looked += 1
            spaces |= " " in word
            if word == "-" or is_position(word) or is_source(word) or is_link(word):
                return False
            if " " not in word and (SEED.match(word) or len(word) > SHOWN or _nearly(word)):
                return False
    return spaces


def refuse_name(file: str) -> None:
    """Refuse a file whose name says that it is a document, a program or a picture.

    Raises
    ------
    InputError
        Naming the files that are read.
    """
    suffix = Path(file).suffix.lower()
    if suffix in OTHERS:
        raise InputError(
            f"a {suffix} file holds no deals or games; .json, .jsonl, .csv and logs are read"
        )


def what_is_wrong(spec: str) -> str:
    """Say what a spec nearly is that is none, and what it lacks."""
    nearly = _nearly(spec)
    return nearly or (
        "no such file, and no seed (p3v0s1), source (random:0-9), share link, position or "
        "deck string"
    )


def _nearly(spec: str) -> str:
    """Say what a word nearly is, and what it lacks; nothing if it is like no spec at all."""
    source, colon, _ = spec.partition(":")
    if numbered := NUMBERED.search(spec):
        number = numbered[1][:SHOWN]
        return (
            "numbered replays cannot be fetched from here (nothing is loaded from the network): "
            f"save https://hanab.live/export/{number} as a .json file and give that, or give a "
            "share link, hanab.live/replay-json/..."
        )
    if seed := re.search("hanab[.]live/seed/([-A-Za-z0-9]+)", spec):
        return f"this is a link to the games of a seed: give the seed, {seed[1][:SHOWN]}"
    if ADDRESS.match(spec):
        return "this is a link that is cut off, or none that replays a game of hanab.live"
    source = source.partition("+")[0]
    if colon and re.fullmatch("[a-z][a-z0-9_-]*", source):
        return f"source {source!r} is not known; there are {', '.join(sorted(SOURCES))}"
    if not colon and spec in SOURCES:
        return f"a source without its range, as in {SOURCES[spec].example}"
    return _seed(spec) or _deck(spec)


def _seed(spec: str) -> str:
    lower = spec.lower()
    if spec != lower and SEED.fullmatch(lower):
        return f"no seed: seeds begin with small letters, as in {shorten(lower)}"
    if re.fullmatch("p[0-9]+v[0-9]+", lower):
        return f"no seed: the s and what follows it is missing, as in {lower[:SHOWN]}s1"
    if re.fullmatch("p[0-9]+s[0-9]+", lower):
        players, _, suffix = lower.partition("s")
        return f"no seed: the variant is missing, as in {players[:9]}v0s{suffix[:SHOWN]}"
    if re.fullmatch("p[2-6](?!v)[a-z0-9]*s[0-9]+", spec):
        return f"no seed of hanab.live; Python's shuffle with that seed is python:{spec[:SHOWN]}"
    seed = re.fullmatch("p([0-9]+)v([0-9]+)s(.*)", spec)
    if seed is None:
        return ""
    count, number, suffix = seed.groups()
    if not re.fullmatch("[2-6]", count):
        return f"no seed: {count[:20]} players, not 2 to 6"
    if not re.fullmatch("0|[1-9][0-9]{0,5}", number):
        zero = "begins with a zero" if number.startswith("0") else "is too large"
        return f"no seed: the number of the variant, {number[:20]}, {zero}"
    if not suffix:
        return "no seed: nothing stands after the s"
    wrong = next((c for c in suffix if not re.match("[-A-Za-z0-9]", c)), "")
    return f"no seed: {wrong!r} stands after the s, and only letters, digits and hyphens may"


def _deck(spec: str) -> str:
    if CARDS.fullmatch(spec):
        count = len(spec) // 2
        cards = "1 card" if count == 1 else f"{count} cards"
        return f"no such file, and too short for a deck string: {cards}, and a deck has 50 or so"
    if re.fullmatch("[0-9]+", spec):
        return (
            f"a number alone: for the hanab.live game {spec[:SHOWN]}, save "
            f"https://hanab.live/export/{spec[:SHOWN]} as a .json file and give that"
        )
    if re.search(r"[.](json|jsonl|csv|txt|log|npz|safetensors)$", spec.lower()) or "/" in spec:
        return "no such file"
    return ""
