"""Certificates: written, verified, and of no use once anything in them is changed."""

from __future__ import annotations

import copy
import csv
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from solver.command.cli import main
from solver.engines.search import solve
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.position import Kind, Position
from solver.game.result import Limits
from solver.game.rules import Rules
from solver.models.playout import playout
from solver.proofs import certificate
from solver.proofs.certificate import target_above, verify, write
from solver.proofs.lrat import check as check_proof
from solver.proofs.refutation import caps_to_refute, check, event_clauses, shared_hand
from solver.solving.certify import OutOfTimeError, certify, completed, refutations
from strategies import brute_optimum, small_positions
from test_layers import imports

DATA = Path(__file__).parent / "data"


def python_deal(seed: str | int, players: int, suits: str = "rygbp", one: str = "") -> Position:
    """Give the start of a deal that Python's own generator shuffled."""
    rules = Rules.standard(players, suits, one)
    deck = rules.sorted_deck()
    random.Random(seed).shuffle(deck)
    return Position.start(Deal(rules, tuple(deck)))


def played(start: Position, actions: int) -> Position:
    """Give the position after some actions of a best line."""
    return list(solve(start).line.positions())[actions]


STARTS = {
    "winnable": (python_deal("p3c1s1", 3), set()),
    "release": (python_deal("p2c1s129", 2), {"release"}),
    "shared-hand": (python_deal("p2c1s138", 2), {"shared-hand"}),
    "clauses": (python_deal("p4c1s1116", 4), {"clauses"}),
    "several": (python_deal("p5c1s345", 5, one="p"), {"clauses"}),
    "long proof": (python_deal("p5c1s63", 5, one="p"), {"clauses"}),
    "a lost 5": (
        Position.from_text("rb:221 r1,b1 r2b2/b3r1 b1r2b2 r3 2/8 0/3 0 -"),
        set(),
    ),
    "no caps needed": (
        Position.from_text("r:21111>cyclic,y:111>cyclic r1,y312 r1/r5 r3r2r4 - 0/1 0/3 1 -"),
        {"clauses"},
    ),
    "pace": (
        Position.from_text("rb:11111 r0,b0 r1b1/r2b2 r3b3 r4r5b4b5 8/8 0/3 0 - hand=2"),
        {"pace"},
    ),
    "mid-game": (played(python_deal("p4c1s1116", 4), 3), {"clauses"}),
    "later": (played(python_deal("p2c1s138", 2), 15), {"shared-hand"}),
    "no card left for more": (played(python_deal("p2c1s138", 2), 52), set()),
    "final round": (
        Position.from_text("rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2"),
        {"final-round"},
    ),
    "over": (
        Position.from_text("rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 0"),
        {"final-round"},
    ),
}


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """Give a certificate for each of the starts."""
    return {name: certify(solve(start)) for name, (start, _) in STARTS.items()}


@pytest.mark.parametrize("name", STARTS)
def test_round_trip(name: str, made: dict[str, str]) -> None:
    start, kinds = STARTS[name]
    verified = verify(made[name])
    assert verified.start == start
    assert verified.optimum == solve(start).score
    assert verified.line.replay().end is not None
    assert set(verified.kinds) == kinds


def test_same_certificate_again(made: dict[str, str]) -> None:
    for name, (start, _) in STARTS.items():
        assert certify(solve(start)) == made[name]


@pytest.mark.slow
def test_all_unwinnable_golden_deals() -> None:
    count = 0
    with open(DATA / "golden_optima.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            suits = "rygbpt"[: int(row["suits"])]
            one = suits[len(suits) - int(row["one_of_each"]) :]
            if int(row["optimum"]) < 5 * len(suits):
                rules = Rules.standard(int(row["players"]), suits, one)
                start = Position.start(Deal.of(rules, row["deck"]))
                verified = verify(certify(solve(start)))
                assert verified.optimum == int(row["optimum"])
                count += 1
    assert count > 20


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of everything in a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def edited(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Change one thing, chosen at random, so that it is not the same document."""
    paths = list(places(document))
    while True:
        new = copy.deepcopy(document)
        # Every field is as likely as another, however long.
        field = chance.choice(list(document))
        path = chance.choice([p for p in paths if p[:1] == (field,)])
        holder: Any = new
        for key in path[:-1]:
            holder = holder[key]
        edit(holder, path[-1], chance)
        if new != document:
            return new


def edit(holder: Any, key: Any, chance: random.Random) -> None:
    """Change or remove one element of a list or an object, or add one."""
    value = holder[key]
    choice = chance.randrange(6)
    if choice == 0:
        del holder[key]
    elif choice == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif choice == 1:
        holder[f"{key}2"] = value
    elif choice == 2 and isinstance(holder, list):
        other = chance.randrange(len(holder))
        holder[key], holder[other] = holder[other], holder[key]
    elif isinstance(value, bool) or value is None:
        holder[key] = 1
    elif isinstance(value, int):
        holder[key] = chance.choice([value + 1, value - 1, str(value), float(value), True, -value])
    elif isinstance(value, str) and value:
        place = chance.randrange(len(value))
        other = chance.randrange(len(value))
        low, high = min(place, other), max(place, other)
        holder[key] = chance.choice(
            [
                value[:place] + value[place + 1 :],
                value[:place] + chance.choice("0123456789rygbp -/") + value[place + 1 :],
                value[:low] + value[high : high + 1] + value[low + 1 : high]
                + value[low : low + 1] + value[high + 1 :],
            ]
        )  # fmt: skip
    else:
        holder[key] = []


@pytest.mark.parametrize("name", STARTS)
def test_a_hundred_edits_are_rejected(name: str, made: dict[str, str]) -> None:
    document = json.loads(made[name])
    chance = random.Random(name)
    for _ in range(100):
        new = edited(document, chance)
        if json.dumps(new) != json.dumps(document):
            with pytest.raises(InputError):
                verify(json.dumps(new))


@pytest.mark.parametrize("name", STARTS)
def test_an_edit_with_a_new_digest_is_rejected_or_true(name: str, made: dict[str, str]) -> None:
    """Whoever computes the digest again gets no further than to another true statement."""
    document = json.loads(made[name])
    chance = random.Random(name + "2")
    rejected = 0
    for _ in range(100):
        new = edited(document, chance)
        try:
            verified = verify(json.dumps(new), digest=False)
        except InputError:
            rejected += 1
            continue
        assert verified.optimum == solve(verified.start).score == solve(verified.start).bound
    assert rejected >= 60


def test_every_number_of_a_refutation_counts(made: dict[str, str]) -> None:
    for text in made.values():
        document = json.loads(text)
        for place, entry in enumerate(document["refutations"]):
            for field, value in entry.items():
                if isinstance(value, int):
                    for other in (value - 1, value + 1):
                        new = copy.deepcopy(document)
                        new["refutations"][place][field] = other
                        with pytest.raises(InputError, match=f"^refutation {place + 1}"):
                            verify(json.dumps(new), digest=False)


def test_every_line_of_a_proof_counts(made: dict[str, str]) -> None:
    (entry,) = json.loads(made["clauses"])["refutations"]
    proof = entry["proof"]
    _, clauses = event_clauses(STARTS["clauses"][0], 25, entry["caps"])
    check_proof(clauses, proof)
    chance = random.Random(2)
    as_good = 0
    for place, line in enumerate(proof):
        with pytest.raises(InputError, match="proof"):
            check_proof(clauses, proof[:place] + proof[place + 1 :])
        words = line.split()
        word = chance.randrange(len(words))
        words[word] = str(int(words[word]) + chance.choice((1, -1)))
        try:
            check_proof(clauses, [*proof[:place], " ".join(words), *proof[place + 1 :]])
        except InputError:
            continue
        as_good += 1  # another proof of the same; the digest tells
    assert as_good <= len(proof) // 10


def test_every_refutation_is_needed(made: dict[str, str]) -> None:
    for name in ("release", "shared-hand", "several"):
        document = json.loads(made[name])
        entries = document["refutations"]
        for place in range(len(entries)):
            document["refutations"] = entries[:place] + entries[place + 1 :]
            with pytest.raises(InputError, match="are not refuted"):
                verify(json.dumps(document), digest=False)
        document["refutations"] = [*entries, entries[0]]
        with pytest.raises(InputError, match="the others cover"):
            verify(json.dumps(document), digest=False)


@pytest.mark.parametrize(
    ("clauses", "proof", "why"),
    [
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["5 1 0 1 2 0", "6 0 5 3 4 0"], ""),
        ([(1, 2), (1, -2), (-1, 2)], ["4 1 0 1 2 0", "5 0 4 3 0"], "no contradiction"),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["6 1 0 1 2 0"], "the number 6"),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["5 1 0 1 2 0"], "does not end"),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["5 1 -1 0 1 2 0"], "a variable twice"),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["5 3 0 1 2 0"], "do not have"),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["5 1 0 1 2 3 0"], "follow on"),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["5 1 0 3 1 2 0"], "forces nothing"),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["5 1 0 1 5 0"], "no earlier"),
        ([(1,), (-1,)], ["3 0 1 2 0", "4 0 1 2 0"], "comes after"),
        ([(1,), (-1,)], ["3 1 0 1 0", "4 0 1 2 0"], "used nowhere"),
        ([(1,), (-1,)], ["3 0 1 2 0 "], "not of the form"),
        ([(1,), (-1,)], [], "does not end"),
    ],
)
def test_proof_checker(clauses: list[tuple[int, ...]], proof: list[str], why: str) -> None:
    if why:
        with pytest.raises(InputError, match=why):
            check_proof(clauses, proof)
    else:
        check_proof(clauses, proof)


def test_random_formulas_are_refuted_exactly_if_they_cannot_be_met() -> None:
    from solver.solving.drup import refute

    chance = random.Random(5)
    refuted = 0
    for _ in range(150):
        size = chance.randint(2, 9)
        clauses = [
            tuple(chance.choice((1, -1)) * chance.randint(1, size)
                  for _ in range(chance.choice((1, 2, 3, 3, 3))))
            for _ in range(chance.randint(2, 6 * size))
        ]  # fmt: skip
        possible = any(
            all(any((bits >> abs(x) - 1 & 1) == (x > 0) for x in c) for c in clauses)
            for bits in range(1 << size)
        )
        proof = refute(clauses, lambda: None)
        assert (proof is None) == possible
        if proof is not None:
            check_proof(clauses, proof)
            refuted += 1
    assert 30 < refuted < 120


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(small_positions(most_cards=10))
def test_certificates_of_brute_force_optima(position: Position) -> None:
    """What the brute force finds has a certificate; what can be reached has no refutation."""
    best = brute_optimum(position)
    result = solve(position)
    assert (result.score, result.bound) == (best, best)
    verified = verify(certify(result))
    assert verified.optimum == best
    if best > position.points:
        with pytest.raises(AssertionError):
            write_and_verify(result.line, best)


def write_and_verify(line: Line, target: int) -> None:
    """Try to refute a target that can be reached."""
    entries = refutations(line.start, target)
    for entry in entries:
        try:
            check(line.start, target, entry)
        except InputError as error:
            raise AssertionError(error) from None


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(small_positions(most_cards=10))
def test_a_claim_of_less_than_the_optimum_is_rejected(position: Position) -> None:
    """A true line of a lower score, with the refutations of the optimum or none or made up."""
    assume(position.end is None)
    result = solve(position)
    line = completed(playout(position))
    score = line.replay().score
    assume(position.points <= score < result.score)
    target = score + 1
    honest = json.loads(certify(result))["refutations"]
    everything = list(position.stacks)
    made_up: list[list[dict[str, Any]]] = [
        honest,
        [],
        [{"kind": "pace", "caps": everything, "events": target - position.points - 1}],
        [{"kind": "shared-hand", "caps": list(c), "states": 1}
         for c in caps_to_refute(position, target)],
        [{"kind": "release", "caps": everything, "draws": 1, "cards": "-", "plays": 0}],
        [{"kind": "final-round", "caps": everything, "states": 1}],
        [{"kind": "clauses", "caps": everything, "variables": 1, "clauses": 1, "sha256": "",
          "proof": ["2 0 1 0"]}],
    ]  # fmt: skip
    for entries in made_up:
        with pytest.raises(InputError):
            verify(write(line, entries), digest=False)


def test_the_shared_hand_is_a_relaxation_of_the_rules() -> None:
    """Heights that a random game reached are never refuted."""
    chance = random.Random(3)
    for seed in range(60):
        rules = Rules.standard(chance.choice((2, 3)), "rgbyp"[: chance.choice((2, 3, 5))])
        deck = rules.sorted_deck()
        random.Random(seed).shuffle(deck)
        moment = start = Position.start(Deal(rules, tuple(deck)))
        while moment.end is None:
            legal = moment.legal_actions()
            good = [
                action for action in legal
                if action.kind is Kind.PLAY
                and moment.is_playable(moment.hands[moment.seat][action.slot])
            ]  # fmt: skip
            rest = [action for action in legal if action.kind is not Kind.PLAY]
            moment = moment.after(chance.choice(good or rest or legal))
        assert shared_hand(start, moment.stacks) is None


def test_rules_that_only_the_event_model_covers() -> None:
    from solver.engines import sat

    start = Position.from_text("rb:211 r0,b0 r2b1/b3r1 b1r1r3b2 - 2/2 0/3 0 - deck-play")
    for position in (start, replace(start, pile=start.pile[::-1])):
        assert verify(certify(sat.solve(position))).optimum == brute_optimum(position)


def test_target() -> None:
    start = STARTS["final round"][0]
    assert target_above(start, 9) == 10
    assert target_above(start, 10) is None
    assert target_above(start, 0) == 7
    with pytest.raises(InputError):
        target_above(start, 6)
    with pytest.raises(InputError):
        target_above(start, 11)


def test_only_proven_results_have_one() -> None:
    start = STARTS["shared-hand"][0]
    with pytest.raises(InputError, match="proven"):
        certify(solve(start, Limits(nodes=1)))
    with pytest.raises(OutOfTimeError):
        certify(solve(start), seconds=1e-9)


RUBBISH = {
    "empty": b"",
    "no JSON": b"hanabi",
    "not text": b"\xff\xfe\x00\x80",
    "list": b"[]",
    "deep": b"[" * 100_000,
    "other": b'{"format": "x"}',
    "twice": b'{"format": "hanabi-certificate", "format": "hanabi-certificate"}',
    "nan": b'{"format": "hanabi-certificate", "version": NaN}',
    "long number": b'{"format": "hanabi-certificate", "version": ' + b"9" * 5000 + b"}",
    "no fields": b'{"format": "hanabi-certificate", "version": 1}',
    "surrogate": b'{"format": "\\ud800"}',
}


@pytest.mark.parametrize("name", RUBBISH)
def test_rubbish(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(RUBBISH[name])
    assert main(["verify", str(path)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"hanabi: {path}: not verified: ")
    assert err.count("\n") == 1


def test_truncated(made: dict[str, str], tmp_path: Path) -> None:
    text = made["shared-hand"]
    for end in range(0, len(text) - 1, 37):
        with pytest.raises(InputError):
            verify(text[:end])


def test_huge_values(made: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(made["release"])
    for field in ("draws", "plays"):
        new = copy.deepcopy(document)
        new["refutations"][0][field] = 10**40
        with pytest.raises(InputError):
            verify(json.dumps(new), digest=False)
    document["refutations"][0]["cards"] = "r" * 10**6
    with pytest.raises(InputError):
        verify(json.dumps(document), digest=False)
    monkeypatch.setattr(certificate, "MOST_TEXT", 100)
    with pytest.raises(InputError, match="too large"):
        verify(made["release"])


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "solver", *arguments],
        cwd=folder, text=True, capture_output=True, check=False,
    )  # fmt: skip


def test_command(tmp_path: Path) -> None:
    done = run("solve", "python:p2c1s138", "--certificate", "c.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = run("verify", "c.json", "c.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("c.json: verified: the optimum is 22 of 25") == 2
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    path = tmp_path / "c.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"play r1"', '"play r5"', 1))
    done = run("verify", "c.json", "--json", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "hanabi: c.json: not verified: line: turn 8: 'play r5' is not possible\n"
    row = json.loads(done.stdout)
    assert (row["file"], row["verified"]) == ("c.json", False)


def test_command_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "c.json")
    assert main(["solve", "python:p4c1s1116", "--json", "--certificate", path]) == 0
    assert json.loads(capsys.readouterr().out)["score"] == 24
    assert main(["verify", path, "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["verified"] is True
    assert (row["optimum"], row["full_marks"], row["winnable"]) == (24, 25, False)
    assert row["refutations"] == {"clauses": 1}


def test_command_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.json"
    to = ["--certificate", str(path)]
    for arguments, code in (
        (["solve", "python:p2c1s0-1", *to], 2),
        (["solve", "p3v0s1", "--target", "25", *to], 2),
        (["solve", "nonsense", *to], 2),
        (["solve", "python:p2c1s138", "--nodes", "1", *to], 3),
        (["verify", str(path)], 2),
        (["verify", str(tmp_path)], 2),
        (["verify"], 2),
        (["solve", "p3v0s1", "--certificate", str(tmp_path / "none" / "c.json")], 2),
    ):
        assert main(arguments) == code, arguments
        err = capsys.readouterr().err
        assert err.count("\n") == 1, arguments
        assert not path.exists()


def test_verify_uses_none_of_the_search(made: dict[str, str], tmp_path: Path) -> None:
    paths = []
    for name, text in made.items():
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(text, encoding="utf-8")
    script = (
        "import sys\n"
        "from solver.command.cli import main\n"
        "assert main(['verify', *sys.argv[1:]]) == 0\n"
        "ours = {'_kernel', 'packing', 'search', 'sat', 'cpsat', 'cascade', 'certify', 'drup'}\n"
        "found = {f'solver.{name}' for name in ours} | {'pysat', 'ortools', 'networkx'}\n"
        "assert not found & set(sys.modules), found & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *map(str, paths)], check=False,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": verified: ") == len(made)


def test_what_verify_is_made_of() -> None:
    """Nothing that it imports, however far away, is an engine or a package from elsewhere."""
    seen: set[str] = set()
    waiting = ["certificate"]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            for found in imports(module):
                assert found.ours or found.module in sys.stdlib_module_names
                waiting.extend([found.module] if found.ours else [])
    game = {
        "position",
        "line",
        "deal",
        "origin",
        "suit",
        "rules",
        "notation",
        "positiontext",
        "validity",
        "card",
        "errors",
        "wording",
    }
    models = {"clues", "events", "stalls", "schedule", "cnf"}
    assert seen == {"certificate", "refutation", "lrat", *models, *game}
