"""Certificates: a document that states an optimum and lets anybody check it.

It holds a position (for a deal, its start), a complete game from there that scores the optimum,
and refutations that together leave no way to score more. `verify` checks all of it by the plain
rules and by counting, and knows nothing of the search; DESIGN.md says what is left to be trusted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.position import Action, Position
from solver.game.rules import Ending
from solver.proofs.refutation import FIELDS, caps_to_refute, check, covers

__all__ = ["Verified", "target_above", "verify", "verify_file", "words", "write"]

FORMAT = "hanabi-certificate"
VERSION = 1
MOST_TEXT = 1 << 28
FIELDS_OF_ALL = ("format", "version", "position", "optimum", "full_marks", "line", "target",
                 "refutations", "sha256")  # fmt: skip


@dataclass(frozen=True)
class Verified:
    """What a certificate proves: ``optimum`` is the best score of ``line.start``."""

    line: Line
    optimum: int
    kinds: Counter[str]
    """How many refutations of each kind it took."""

    @property
    def start(self) -> Position:
        """The position whose optimum is proven."""
        return self.line.start

    def row(self) -> dict[str, Any]:
        """Give what was verified as an object for JSON."""
        rules = self.start.rules
        return {"players": rules.players, "optimum": self.optimum, "full_marks": rules.max_score,
                "winnable": self.optimum == rules.max_score, "actions": len(self.line.actions),
                "refutations": dict(self.kinds), "position": self.start.text()}  # fmt: skip

    def __str__(self) -> str:
        best = f"the optimum is {self.optimum} of {self.start.rules.max_score}"
        if self.optimum == self.start.rules.max_score:
            return f"{best}: a game reaches it"
        if not self.kinds:
            return f"{best}: a game reaches it, and there is no card left for more"
        kinds = ", ".join(f"{kind} {count}" for kind, count in self.kinds.items())
        return f"{best}: a game reaches it, and more is refuted ({kinds})"


def target_above(position: Position, optimum: int) -> int | None:
    """Give the points that are to be refuted to prove an optimum; None if there is nothing to do.

    Raises
    ------
    InputError
        If no complete game scores this.
    """
    rules = position.rules
    if not 0 <= optimum <= rules.max_score:
        raise InputError(f"optimum: {optimum} is not 0 to {rules.max_score}")
    if optimum == rules.max_score:
        return None
    # A game is lost, or scores at least what lies on the stacks.
    if optimum < position.points and (optimum or rules.lost_scores_stacks):
        raise InputError(f"optimum: {position.points} points lie on the stacks already")
    return max(optimum + 1, position.points)


def words(line: Line) -> list[str]:
    """Write a line as what is done with which card: ``play r1``, ``discard b3``, ``clue``."""
    moments = list(line.positions())
    return [p.describe(a) for p, a in zip(moments, line.actions, strict=False)]


def _read_line(position: Position, said: Sequence[str]) -> Line:
    """Read what `words` wrote and replay it; of equal cards in a hand the oldest is meant."""
    actions: list[Action] = []
    moment = position
    for turn, word in enumerate(said, 1):
        legal = {moment.describe(a): a for a in reversed(moment.legal_actions())}
        if word not in legal:
            raise InputError(f"line: turn {turn}: {word[:40]!r} is not possible")
        actions.append(legal[word])
        moment = moment.after(legal[word])
    if moment.end is None:
        raise InputError("line: the game is not over at its end")
    return Line(position, tuple(actions))


def write(line: Line, refutations: Sequence[Mapping[str, Any]]) -> str:
    """Write the certificate of a line that reaches the optimum."""
    position, optimum = line.start, line.replay().score
    document = {
        "format": FORMAT,
        "version": VERSION,
        "position": position.text(),
        "optimum": optimum,
        "full_marks": position.rules.max_score,
        "line": words(line),
        "target": target_above(position, optimum),
        "refutations": list(refutations),
    }
    return _text({**document, "sha256": _digest(document)})


def _text(document: Mapping[str, Any]) -> str:
    """Write a document for people too: a line for each field, refutation and line of a proof."""
    fields = []
    for name, value in document.items():
        text = json.dumps(value)
        if name == "refutations" and value:
            text = "[\n  " + ",\n  ".join(map(_entry_text, value)) + "\n ]"
        fields.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n}"


def _entry_text(entry: Mapping[str, Any]) -> str:
    if "proof" not in entry:
        return json.dumps(entry)
    rest = json.dumps({name: value for name, value in entry.items() if name != "proof"})
    lines = ",\n   ".join(map(json.dumps, entry["proof"]))
    return f'{rest[:-1]}, "proof": [\n   {lines}]}}'


def _digest(document: Mapping[str, Any]) -> str:
    """Give the SHA-256 of a document without its own ``sha256``, written in one fixed way."""
    rest = {name: value for name, value in document.items() if name != "sha256"}
    return sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def verify(text: str | bytes, digest: bool = True) -> Verified:
    """Check a certificate; nothing in it is taken on trust.

    Parameters
    ----------
    digest
        Whether to compare ``sha256`` too. It adds nothing to the proof; it tells a certificate
        that was changed into another true one.

    Raises
    ------
    InputError
        One line that says what does not hold.
    """
    document = _document(text)
    position = Position.from_text(document["position"])
    if position.text() != document["position"]:
        raise InputError("position: is not written in the one usual way")
    if not position.ordered:
        raise InputError("position: the draw order must be known")
    rules, optimum, target = position.rules, document["optimum"], document["target"]
    _equal("full_marks", document["full_marks"], rules.max_score)
    line = _read_line(position, document["line"])
    score = line.replay().score
    if score != optimum:
        raise InputError(f"line: it scores {score}, not {optimum}")
    _equal("target", target, target_above(position, optimum))
    refutations = document["refutations"]
    if target is None:
        if refutations:
            raise InputError("refutations: there is nothing beyond full marks to refute")
    else:
        _check_all(position, target, refutations)
    if digest:
        _equal("sha256", document["sha256"], _digest(document))
    return Verified(line, optimum, Counter(entry["kind"] for entry in refutations))


def verify_file(path: str) -> Verified:
    """Check the certificate in a file.

    Raises
    ------
    InputError
        As `verify`, or if the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_TEXT + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot be read: {why}") from None
    return verify(text)


def _equal(name: str, given: object, is_: object) -> None:
    if given != is_ or type(given) is not type(is_):
        raise InputError(f"{name}: is {given!r}, and it should be {is_!r}")


def _check_all(position: Position, target: int, refutations: Sequence[dict[str, Any]]) -> None:
    """Check every refutation, and that together they leave no caps of the target."""
    if position.rules.ending is not Ending.FINAL_ROUND:
        raise InputError("position: proofs are only known for games with a plain final round")
    everything = caps_to_refute(position, target)
    covering = [[n for n, entry in enumerate(refutations, 1) if covers(entry["caps"], caps)]
                for caps in everything]  # fmt: skip
    for caps, found in zip(everything, covering, strict=True):
        if not found:
            heights = ",".join(f"{s}{h}" for s, h in zip(position.letters, caps, strict=True))
            raise InputError(f"refutations: {target} points as {heights} are not refuted")
    needed = {found[0] for found in covering if len(found) == 1}
    for number, entry in enumerate(refutations, 1):
        if number not in needed:
            raise InputError(f"refutation {number}: the others cover all that its caps cover")
        try:
            check(position, target, entry)
        except InputError as error:
            raise InputError(f"refutation {number} ({entry['kind']}): {error}") from None


def _document(text: str | bytes) -> dict[str, Any]:
    """Read the document and check the fields' names and types."""
    if len(text) > MOST_TEXT:
        raise InputError("the file is too large for a certificate")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_float=_no_number,
                           parse_constant=_no_number)  # fmt: skip
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"not JSON: {error}") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"no certificate: format is not {FORMAT!r}")
    _equal("version", value.get("version"), VERSION)
    _names("", value, set(FIELDS_OF_ALL))
    for name in ("position", "sha256"):
        _typed(name, value[name], str)
    _typed("optimum", value["optimum"], int)
    _strings("line", value["line"])
    _typed("refutations", value["refutations"], list)
    for place, entry in enumerate(value["refutations"], 1):
        where = f"refutation {place}: "
        _typed(f"refutation {place}", entry, dict)
        kind = entry.get("kind")
        if not isinstance(kind, str) or kind not in FIELDS:
            raise InputError(f"{where}kind is none of {', '.join(FIELDS)}")
        _names(where, entry, {"kind", "caps", *FIELDS[kind]})
        for name, part in entry.items():
            if name == "caps":
                _typed(where + name, part, list)
                for cap in part:
                    _typed(where + name, cap, int)
            elif name == "proof":
                _strings(where + name, part)
            else:
                _typed(where + name, part, str if name in ("kind", "cards", "sha256") else int)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise InputError("a field is given twice")
    return dict(pairs)


def _no_number(text: str) -> object:
    raise InputError(f"{text[:20]} is no whole number")


def _names(where: str, found: Mapping[str, Any], wanted: set[str]) -> None:
    for name in sorted(wanted - set(found)):
        raise InputError(f"{where}{name} is missing")
    for name in sorted(set(found) - wanted):
        raise InputError(f"{where}{name[:40]!r} is no field of it")


def _typed(where: str, value: object, kind: type) -> None:
    if type(value) is not kind:
        names = {str: "text", int: "a whole number", list: "a list", dict: "an object"}
        raise InputError(f"{where}: is not {names[kind]}")


def _strings(where: str, value: object) -> None:
    _typed(where, value, list)
    assert isinstance(value, list)
    for item in value:
        _typed(where, item, str)
