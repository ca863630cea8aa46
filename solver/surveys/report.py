"""What the rows of surveys come to: shares, means, reasons, and how hard the deals were."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from solver.game.errors import InputError
from solver.game.rules import usual_hand_size
from solver.surveys.intervals import Interval, Moments, clopper_pearson, wilson
from solver.surveys.plan import RANGE
from solver.surveys.shards import read_manifest, read_shards
from solver.surveys.survey_rows import Row, decode, read_times

__all__ = ["Stratum", "Survey", "rows_of", "survey_of", "surveys"]

MARKS = (50, 90, 99, 99.9, 100)
"""The percentiles of nodes and times."""


@dataclass
class Stratum:
    """Deals of the same source and rules.

    Parameters
    ----------
    source
        The spec without its range.
    label
        The variant, or the suits if it has no name.
    asked
        How many deals the surveys are to have.
    optima
        How often each optimum occurs, among the proven.
    scores, bounds
        What encloses the optimum, of all deals.
    rungs, engines, nodes
        How often each occurs.
    seconds
        Of the deals whose time is known.
    hardest
        The most nodes, and the deals that needed them.
    """

    source: str
    players: int
    label: str
    full: int
    asked: int = 0
    deals: int = 0
    won: int = 0
    lost: int = 0
    proven: int = 0
    optima: Counter[int] = field(default_factory=Counter)
    rungs: Counter[str] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    nodes: Counter[int] = field(default_factory=Counter)
    seconds: array[float] = field(default_factory=lambda: array("d"))
    scores: Moments = field(default_factory=Moments)
    bounds: Moments = field(default_factory=Moments)
    hardest: list[tuple[int, str]] = field(default_factory=list)

    def add(self, rows: Sequence[Row], seconds: Iterable[float]) -> None:
        """Take in rows, and how long they took where that is known."""
        for row in rows:
            self.won += row.winnable is True
            self.lost += row.winnable is False
            self.proven += row.proven
            if row.proven:
                self.optima[row.score] += 1
            if row.winnable is False:
                self.rungs[row.rung] += 1
            self.engines[row.engine] += 1
            self.nodes[row.nodes] += 1
            self.scores.add(row.score)
            self.bounds.add(row.bound)
        self.deals += len(rows)
        self.seconds.extend(seconds)
        most = [*self.hardest, *((row.nodes, row.deal) for row in rows)]
        self.hardest = sorted(most, key=lambda pair: (-pair[0], pair[1]))[:5]

    @property
    def open(self) -> int:
        """Deals of which it is not known whether they can be won."""
        return self.deals - self.won - self.lost

    @property
    def share(self) -> Interval:
        """The share winnable: two numbers that differ if some deals are open."""
        return Interval(self.won / self.deals, (self.won + self.open) / self.deals)

    @property
    def wilson(self) -> Interval:
        """Wilson's interval for the share, the open deals taken as lost below, as won above."""
        return self._both(wilson)

    @property
    def clopper_pearson(self) -> Interval:
        """The exact interval for the share, in the same way."""
        return self._both(clopper_pearson)

    def _both(self, interval: Any) -> Interval:
        return Interval(interval(self.won, self.deals).low,
                        interval(self.won + self.open, self.deals).high)  # fmt: skip

    @property
    def mean(self) -> Interval:
        """The mean optimum: two numbers that differ if some are unproven."""
        return Interval(float(self.scores.mean), float(self.bounds.mean))

    @property
    def mean_interval(self) -> Interval:
        """The interval for the mean optimum, the unproven taken as low below, as high above."""
        return Interval(self.scores.within(self.full).low, self.bounds.within(self.full).high)

    def node_marks(self) -> list[int]:
        """Give the nodes of the deals at `MARKS`."""
        ends, total = [], 0
        for value in sorted(self.nodes):
            total += self.nodes[value]
            ends.append((total, value))
        return [next(v for end, v in ends if end >= place) for place in _places(self.deals)]

    def second_marks(self) -> list[float] | None:
        """Give the seconds of the deals at `MARKS`; None if no time is known."""
        if not self.seconds:
            return None
        known = sorted(self.seconds)
        return [known[place - 1] for place in _places(len(known))]


def _places(count: int) -> list[int]:
    """Give the places, from 1, of the percentiles among so many sorted values."""
    return [max(1, -int(-count * mark // 100)) for mark in MARKS]


@dataclass(frozen=True)
class Survey:
    """A survey's directory: its manifest, and a checksum over the checksums of all its shards."""

    path: Path
    manifest: dict[str, Any]
    shards: int
    checksum: str

    @property
    def command(self) -> str:
        """The command that makes it."""
        asked = self.manifest["asked"]
        words = ["hanabi survey", *asked["specs"]]
        if asked["players"]:
            words.append("--players " + ",".join(map(str, asked["players"])))
        if asked["variant"] is not None:
            words.append(f"--variant '{asked['variant']}'")
        if asked["suits"] is not None:
            words.append(f"--suits {asked['suits']} --one-of-each {asked['one_of_each']}")
        for name, value in asked.get("house", {}).items():
            if value not in (None, False):
                words.append(f"--{name.replace('_', '-')}" + ("" if value is True else f" {value}"))
        limits = self.manifest["nodes"]
        words.append(f"--nodes {limits[0]}")
        words.append(f"--out {self.path.name}")
        again = (f"; hanabi survey --again-unproven --nodes {n} --out {self.path.name}"
                 for n in limits[1:])  # fmt: skip
        return " ".join(words) + "".join(again)


def rows_of(path: Path) -> Iterator[tuple[dict[str, Any], list[Row], list[float]]]:
    """Give the shards of a survey: its group's record, the rows, and their times if known.

    Raises
    ------
    InputError
        If this is no survey, or a shard of it is damaged.
    """
    manifest = read_manifest(path)
    groups = manifest["groups"]
    for key, data, times in read_shards(path):
        if key.group > len(groups):
            raise InputError(f"{path}: there are shards of more than {len(groups)} groups")
        rows = decode(data, manifest["rows"])
        yield groups[key.group - 1], rows, read_times(times, len(rows))


def survey_of(path: Path) -> Survey:
    """Look at a survey's directory."""
    listed = [(key, sha256(data).hexdigest()) for key, data, _ in read_shards(path)]
    manifest = read_manifest(path)
    lines = (f"{digest}  rows/{key.name(manifest['rows'])}\n" for key, digest in listed)
    return Survey(path, manifest, len(listed), sha256("".join(lines).encode()).hexdigest())


def surveys(paths: Sequence[Path]) -> list[Stratum]:
    """Sum up surveys, which may belong together: the same source and rules are one stratum.

    Raises
    ------
    InputError
        If two of them have the same deals, or there are none at all.
    """
    strata: dict[tuple[str, str], Stratum] = {}
    seen: list[tuple[Path, dict[str, Any]]] = []
    for path in paths:
        for group in read_manifest(path)["groups"]:
            for other, record in seen:
                if _same(record, group):
                    raise InputError(f"{path}: {group['spec']} is in {other} too")
            seen.append((path, group))
            key = _key(group)
            if key not in strata:
                strata[key] = Stratum(key[0], group["rules"]["players"], _label(group), 0)
            strata[key].asked += group["deals"]
        for group, rows, seconds in rows_of(path):
            stratum = strata[_key(group)]
            stratum.full = rows[0].full if rows else stratum.full
            stratum.add(rows, seconds)
    found = [stratum for stratum in strata.values() if stratum.deals]
    if not found:
        raise InputError(f"{paths[0]}: no deal is solved yet")
    return found


def _stem(spec: str) -> str:
    match = RANGE.fullmatch(spec)
    return match[1].rstrip(":") if match else spec


def _key(group: dict[str, Any]) -> tuple[str, str]:
    return _stem(group["spec"]), json.dumps(group["rules"], sort_keys=True)


def _label(group: dict[str, Any]) -> str:
    rules = group["rules"]
    words = [group["variant"] or rules["suits"]]
    usual = usual_hand_size(rules["players"])
    for name, number, most in (
        ("card", rules["hand_size"], usual), ("clue token", rules["max_clues"], 8),
        ("strike", rules["max_strikes"], 3),
    ):  # fmt: skip
        if number != most:
            words.append(f"{number} {name}{'' if number == 1 else 's'}")
    return ", ".join([*words, *rules["others"]])


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    if _key(one) != _key(other):
        return False
    matches = [RANGE.fullmatch(group["spec"]) for group in (one, other)]
    if one["sha256"] or other["sha256"] or not (matches[0] and matches[1]):
        same: bool = one["sha256"] == other["sha256"]
        return same
    (first, last), (begin, end) = ((int(m[2]), int(m[3])) for m in matches if m)
    return max(first, begin) <= min(last, end)
