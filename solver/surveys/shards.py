"""The directory of a survey: a manifest, whole shards of rows, and the checksums of these.

    DIR/manifest.json               what was asked, by what rules, version and limits; sealed
    DIR/rows/01-00000000.csv        the rows of a shard: group 1, shard 0
    DIR/checksums                   the SHA-256 of every shard, as the command sha256sum has it
    DIR/times/01-00000000.csv       how long each deal took: the one part that is not reproducible

A shard is written beside its place and moved there, then its checksum is appended; a shard without
checksum, or with another one, does not count. Nothing else is ever changed in the directory, and
only one process at a time writes to it.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from solver.formats.inputs import parse_json
from solver.game.errors import InputError

__all__ = ["FORMAT", "SEAL", "Key", "Store", "read_manifest", "read_shards", "seal"]

FORMAT = "hanabi-survey 1"
NEW = ".new-"
SEAL = "sha256"
"""The manifest's key for its own checksum: whoever reads it may trust the fields to be there."""
NAME = re.compile(r"([0-9]{2,})-([0-9]{8,})\.([a-z]+)")
SUM = re.compile(r"([0-9a-f]{64})  rows/([^/\s]+)\n")


class Key(NamedTuple):
    """The place of a shard: its group from 1, and its number in the group from 0."""

    group: int
    number: int

    def name(self, form: str) -> str:
        """Give the file's name."""
        return f"{self.group:02}-{self.number:08}.{form}"


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


class Store:
    """A survey's directory, open for writing. `opened` makes one.

    Parameters
    ----------
    manifest
        What the survey is. ``rows`` is the form of the shards.
    sums
        The checksum of every shard that counts, by the file's name.
    damaged
        Names of shards whose bytes are not those that were written.
    """

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.manifest = manifest
        self.sums: dict[str, str] = {}
        self.damaged: list[str] = []

    @property
    def form(self) -> str:
        """The form of the shards."""
        form: str = self.manifest["rows"]
        return form

    @classmethod
    @contextmanager
    def opened(cls, path: Path) -> Iterator[Store]:
        """Open a directory, made if it is not there; its manifest is empty if there is none.

        Raises
        ------
        InputError
            If it cannot be written to, holds something else, or another process writes to it.
        """
        with _refusing(path):
            path.mkdir(parents=True, exist_ok=True)
            lock = os.open(path, os.O_RDONLY)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(f"{path}: another survey is writing to it") from None
            store = cls(path, {})
            store._look()
            yield store
        finally:
            os.close(lock)

    def _look(self) -> None:
        """Take in what is there."""
        if not (self.path / "manifest.json").exists():
            with _refusing(self.path):
                names = [entry.name for entry in self.path.iterdir()]
            for name in names:
                if not name.startswith(f"{NEW}manifest"):
                    raise InputError(f"{self.path}: there is {name}, and no survey")
            self._clear(self.path)
            return
        self.manifest = read_manifest(self.path)
        self._make_folders()
        for folder in (self.path, self.path / "rows", self.path / "times"):
            self._clear(folder)
        self.sums, self.damaged = _checked(self.path, self.form)
        self.finish()  # nothing may be appended to a line that was cut off

    @staticmethod
    def _clear(folder: Path) -> None:
        """Remove what an interrupted run left."""
        with _refusing(folder):
            for entry in folder.glob(f"{NEW}*"):
                entry.unlink()

    def held(self) -> dict[Key, str]:
        """Give the shards that count and their checksums."""
        return {_key(name): digest for name, digest in self.sums.items()}

    def declare(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest: first of all, or with a further limit."""
        self.manifest = dict(manifest)
        sealed = {**self.manifest, SEAL: seal(manifest)}
        text = json.dumps(sealed, indent=1, ensure_ascii=False) + "\n"
        self._put(self.path / "manifest.json", text.encode())
        self._make_folders()

    def _make_folders(self) -> None:
        for name in ("rows", "times"):
            with _refusing(self.path / name):
                (self.path / name).mkdir(exist_ok=True)

    def add(self, key: Key, rows: bytes, times: bytes) -> None:
        """Write a shard, whole or not at all, in the place of what may be there.

        Raises
        ------
        InputError
            Naming the file and why it cannot be written. The shards before stay.
        """
        self._put(self.path / "times" / key.name("csv"), times, lasting=False)
        name = key.name(self.form)
        self._put(self.path / "rows" / name, rows)
        digest = sha256(rows).hexdigest()
        place = self.path / "checksums"
        line = f"{digest}  rows/{name}\n".encode()
        with _refusing(place):
            file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            try:
                before = os.fstat(file).st_size
                if os.write(file, line) < len(line):
                    os.ftruncate(file, before)
                    raise OSError(28, os.strerror(28))
                os.fsync(file)
            finally:
                os.close(file)
        self.sums[name] = digest

    def finish(self) -> None:
        """Put the checksums in order, so that they too are the same however the work went."""
        names = sorted(self.sums, key=_key)
        lines = (f"{self.sums[name]}  rows/{name}\n" for name in names)
        self._put(self.path / "checksums", "".join(lines).encode())

    def read(self, key: Key) -> tuple[bytes, bytes | None]:
        """Give the bytes of a shard that counts, and of its times if they are there."""
        times = self.path / "times" / key.name("csv")
        with _refusing(self.path):
            return (
                (self.path / "rows" / key.name(self.form)).read_bytes(),
                times.read_bytes() if times.exists() else None,
            )

    def _put(self, place: Path, data: bytes, lasting: bool = True) -> None:
        new = place.with_name(f"{NEW}{place.name}")
        with _refusing(place):
            try:
                with new.open("wb") as file:
                    file.write(data)
                    file.flush()
                    if lasting:
                        os.fsync(file.fileno())
                new.replace(place)
            except BaseException:
                with suppress(OSError):
                    new.unlink(missing_ok=True)
                raise
            if lasting:
                folder = os.open(place.parent, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)


def _key(name: str) -> Key:
    match = NAME.fullmatch(name)
    assert match is not None
    return Key(int(match[1]), int(match[2]))


def read_manifest(path: Path) -> dict[str, Any]:
    """Read what a survey's directory says it is.

    Raises
    ------
    InputError
        If it says nothing, or not in the form of this version.
    """
    place = path / "manifest.json"
    try:
        found = parse_json(place.read_bytes())
    except FileNotFoundError:
        raise InputError(f"{path}: this is no survey: there is no manifest.json") from None
    except OSError as error:
        raise InputError(f"{place}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if not isinstance(found, dict) or not str(found.get("format")).startswith("hanabi-survey "):
        raise InputError(f"{place}: this is no survey's manifest")
    if found["format"] != FORMAT:
        raise InputError(f"{place}: the form is {found['format']!r}, and this reads {FORMAT!r}")
    if found.pop(SEAL, None) != seal(found):
        raise InputError(f"{place}: this is damaged, or was changed: it does not have its {SEAL}")
    needed = ("asked", "groups", "nodes", "rows", "shard_deals", "probe")
    for name in needed:
        if name not in found:
            raise InputError(f"{place}: {name} is missing")
    return found


def seal(manifest: Mapping[str, Any]) -> str:
    """Give the SHA-256 of a manifest without its `SEAL`, in hexadecimal; keys in any order."""
    return sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _listed(path: Path) -> dict[str, str]:
    """Read the checksums; the last line of a name counts, and one that was cut off does not."""
    place = path / "checksums"
    try:
        text = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{place}: cannot be read: {error}") from None
    sums = {}
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        match = SUM.fullmatch(line)
        if match is not None and NAME.fullmatch(match[2]):
            sums[match[2]] = match[1]
        elif line.endswith("\n"):
            raise InputError(f"{place}:{number}: this is no checksum of a shard")
    return sums


def _checked(path: Path, form: str) -> tuple[dict[str, str], list[str]]:
    """Give the shards that hold what was written to them, and the names of those that do not."""
    listed = _listed(path)
    rows = path / "rows"
    with _refusing(rows):
        names = sorted(entry.name for entry in rows.iterdir()) if rows.exists() else []
    good, bad = {}, []
    for name in names:
        match = NAME.fullmatch(name)
        if match is None or match[3] != form:
            raise InputError(f"{rows / name}: this is no shard of this survey")
        with _refusing(rows / name):
            digest = sha256((rows / name).read_bytes()).hexdigest()
        if listed.get(name) == digest:
            good[name] = digest
        elif name in listed:
            bad.append(name)
    bad.extend(name for name in listed if not (rows / name).exists())
    return good, bad


def read_shards(path: Path) -> Iterator[tuple[Key, bytes, bytes | None]]:
    """Give the shards of a survey in order: the bytes of its rows, and of their times if there.

    Raises
    ------
    InputError
        Naming a shard that is not what was written, or a file that cannot be read.
    """
    form = read_manifest(path)["rows"]
    good, bad = _checked(path, form)
    if bad:
        raise InputError(
            f"{path / 'rows' / bad[0]}: this shard is damaged: go on with the survey to mend it"
        )
    for name in sorted(good, key=_key):
        key = _key(name)
        times = path / "times" / key.name("csv")
        with _refusing(path / "rows" / name):
            data = (path / "rows" / name).read_bytes()
            yield key, data, times.read_bytes() if times.exists() else None
