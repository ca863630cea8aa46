"""Surveys: the same bytes however the work went, nothing lost, nothing mixed."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from solver.command.cli import main
from solver.command.cli_survey import progress_text
from solver.decks.request import Asked, Shape
from solver.formats.editions import House
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.rules import Ending
from solver.surveys import survey
from solver.surveys.plan import Scope, plan
from solver.surveys.shards import SEAL, Key, Store, seal
from solver.surveys.survey import probe
from solver.surveys.survey_rows import Row, decode, encode, read_times
from surveying import ask, files


def rows(path: Path) -> list[Row]:
    """Give all rows of a survey in CSV."""
    shards = sorted((path / "rows").iterdir())
    return [row for shard in shards for row in decode(shard.read_bytes(), "csv")]


SMALL = ("random:0-219", "--players", "2,3", "--shard-deals", "50")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an undisturbed survey of 440 deals."""
    path = tmp_path_factory.mktemp("survey") / "small"
    assert ask(path, *SMALL) == 0
    return path


def test_rows(small: Path) -> None:
    found = rows(small)
    assert [(row.players, row.deal) for row in found] == [
        (players, f"random:{number}") for players in (2, 3) for number in range(220)
    ]
    assert all(row.proven and row.winnable == (row.score == row.full == 25) for row in found)
    lost = {row.deal: row.score for row in found if not row.winnable}
    assert lost["random:161"] == lost["random:168"] == 24
    assert all(bool(row.rung) == (row.winnable is False) for row in found)
    sizes = [50, 50, 50, 50, 20] * 2
    for place, size in zip(sorted((small / "times").iterdir()), sizes, strict=True):
        assert len(read_times(place.read_bytes(), size)) == size


def test_manifest_and_checksums(small: Path) -> None:
    manifest = json.loads((small / "manifest.json").read_text())
    assert manifest["nodes"] == [2_000_000]
    assert manifest["columns"] == list(Row._fields)
    assert [group["rules"]["players"] for group in manifest["groups"]] == [2, 3]
    assert manifest["groups"][0]["rules"]["suits"] == "rygbp:32221"
    assert len(manifest["groups"][0]["first"]) == 100
    done = subprocess.run(["sha256sum", "-c", "--strict", "checksums"], cwd=small, check=False,
                          capture_output=True)  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.count(b": OK") == 10


def test_two_jobs_make_the_same(small: Path, tmp_path: Path) -> None:
    assert ask(tmp_path, *SMALL, "--jobs", "2") == 0
    assert files(tmp_path) == files(small)


def test_any_executor(small: Path, tmp_path: Path) -> None:
    asked = Scope(("random:0-219",), (2, 3))
    with Store.opened(tmp_path) as store:
        groups = survey.begin(store, asked, 2_000_000, "csv", 50)
        survey.run(store, groups, lambda: ThreadPoolExecutor(2), 3)
    assert files(tmp_path) == files(small)


def test_shares_and_merging(small: Path, tmp_path: Path) -> None:
    for share in (1, 2, 3):
        assert ask(tmp_path / str(share), *SMALL, "--shard", f"{share}/3") == 0
    counts = [len(list((tmp_path / str(share) / "rows").iterdir())) for share in (1, 2, 3)]
    assert counts == [4, 3, 3]
    others = [word for share in (1, 2, 3) for word in ("--merge", str(tmp_path / str(share)))]
    assert ask(tmp_path / "all", *others) == 0
    assert files(tmp_path / "all") == files(small)
    assert ask(tmp_path / "1", "--merge", str(tmp_path / "2")) == 0  # and solves what is missing
    assert files(tmp_path / "1") == files(small)


def test_merging_refuses_another_survey(small: Path, tmp_path: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    assert ask(tmp_path, "random:0-9", "--players", "2") == 0
    assert ask(tmp_path, "--merge", str(small)) == 2
    assert "this is another survey" in capsys.readouterr().err


class Killed(BaseException):
    """Stands for a sudden end."""


@pytest.mark.parametrize("seed", range(8))
def test_an_end_at_any_call_of_the_system(seed: int, small: Path, tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    chance = random.Random(seed)
    left = chance.randrange(1, 150)
    real = {name: getattr(os, name) for name in ("open", "write", "fsync", "replace")}

    def counting(name: str) -> Any:
        def call(*args: Any, **kw: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                if name == "write":
                    real["write"](args[0], args[1][: chance.randrange(len(args[1]))])
                raise Killed
            return real[name](*args, **kw)

        return call

    for name in real:
        monkeypatch.setattr(os, name, counting(name))
    with suppress(Killed):
        ask(tmp_path, *SMALL)
    monkeypatch.undo()
    assert ask(tmp_path, *SMALL) == 0
    assert files(tmp_path) == files(small)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_other_forms_hold_the_same(form: str, small: Path, tmp_path: Path) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    assert ask(tmp_path, *SMALL, "--format", form) == 0
    found = [row for shard in sorted((tmp_path / "rows").iterdir())
             for row in decode(shard.read_bytes(), form)]  # fmt: skip
    assert found == rows(small)
    again = tmp_path / "again"
    assert ask(again, *SMALL, "--format", form, "--jobs", "2") == 0
    assert files(again) == {n: d for n, d in files(tmp_path).items() if not n.startswith("again")}


def test_parquet_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                   capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert ask(tmp_path / "new", *SMALL, "--format", "parquet") == 2
    assert "hanabi-solver[parquet]" in capsys.readouterr().err


def test_damaged_shards_are_made_again(small: Path, tmp_path: Path,
                                       capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    assert ask(tmp_path, *SMALL) == 0
    shards = sorted((tmp_path / "rows").iterdir())
    shards[0].write_bytes(shards[0].read_bytes()[:100])
    shards[1].write_bytes(b"")
    shards[2].unlink()
    with (tmp_path / "checksums").open("a") as file:
        file.write("0123abc")
    (tmp_path / "rows" / ".new-01-00000004.csv").write_bytes(b"half")
    assert ask(tmp_path) == 0
    assert files(tmp_path) == files(small)
    assert capsys.readouterr().err.count("is damaged and will be made again") == 3


def test_unlisted_shard_does_not_count(small: Path, tmp_path: Path) -> None:
    assert ask(tmp_path, *SMALL) == 0
    sums = (tmp_path / "checksums").read_text().splitlines(keepends=True)
    (tmp_path / "checksums").write_text("".join(sums[1:]))
    (tmp_path / "rows" / "01-00000000.csv").write_text("something else")
    assert ask(tmp_path, *SMALL) == 0
    assert files(tmp_path) == files(small)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("random:0-229", "--players", "2,3"), "other deals were asked for"),
        (("random:0-219", "--players", "3,2"), "other deals were asked for"),
        (("random:0-219", "--players", "2,3", "--one-of-each", "1"), "other deals were asked for"),
        ((*SMALL[:3], "--shard-deals", "51"), "shard_deals is 50, not 51"),
        ((*SMALL, "--format", "jsonl"), "rows is 'csv', not 'jsonl'"),
        ((*SMALL, "--nodes", "3000000"), "the limit of 2000000 nodes, not 3000000"),
    ],
)
def test_nothing_is_mixed(words: tuple[str, ...], message: str, small: Path,
                          capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    before = files(small)
    assert ask(small, *words) == 2
    assert message in capsys.readouterr().err
    assert files(small) == before


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("probe", "0", "the search gives other answers"),
        ("solver", "0.0.1", "solver is '0.0.1'"),
        ("format", "hanabi-survey 0", "the form is 'hanabi-survey 0'"),
        ("format", "x", "no survey's manifest"),
        ("groups", [], "the deals are others than before"),
    ],
)
def test_another_version_is_refused(field: str, value: object, message: str, tmp_path: Path,
                                    capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    assert ask(tmp_path, "random:0-9", "--players", "2") == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    changed = {**manifest, field: value}
    del changed[SEAL]
    (tmp_path / "manifest.json").write_text(json.dumps({**changed, SEAL: seal(changed)}))
    assert ask(tmp_path, "random:0-9", "--players", "2") == 2
    assert message in capsys.readouterr().err


def test_a_changed_manifest_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(tmp_path / "s", "random:0-9", "--players", "2") == 0
    (tmp_path / "r.csv").write_text("seed,score\n1,20\n")
    place = tmp_path / "s" / "manifest.json"
    whole = json.loads(place.read_text())
    broken = [{name: value for name, value in whole.items() if name != left} for left in whole]
    broken.append({**whole, "shard_deals": 0})
    broken.append({**whole, "groups": [{**whole["groups"][0], "rules": 1}]})
    for manifest in broken:
        place.write_text(json.dumps(manifest))
        for words in (
            ("survey", "--out", str(tmp_path / "s")),
            ("report", str(tmp_path / "s")),
            ("bound", str(tmp_path / "r.csv"), "--source", "random", "--survey", str(place.parent)),
        ):
            capsys.readouterr()
            assert main(list(words)) == 2
            (line,) = capsys.readouterr().err.splitlines()
            assert "manifest" in line


def test_lengths_of_turns_are_of_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = probe()
    probe.cache_clear()
    monkeypatch.setattr("solver.solving.cascade.TURNS", (1, 2))
    assert probe() != before
    probe.cache_clear()


@pytest.mark.parametrize("left", [0, 5, 60, 75, 78])
def test_times_are_no_results(left: int, tmp_path: Path) -> None:
    assert ask(tmp_path, "random:0-9", "--players", "2", "--nodes", "60") == 3
    place = tmp_path / "times" / "01-00000000.csv"
    place.write_bytes(place.read_bytes()[:left])
    assert main(["report", str(tmp_path)]) == 3
    assert ask(tmp_path, "--again-unproven", "--nodes", "100000") == 0


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "x", "1,1", '"'])
def test_times_that_are_none(seconds: str) -> None:
    assert read_times(b"deal,seconds\na,0.5\n", 1) == [0.5]
    assert read_times(f"deal,seconds\na,{seconds}\n".encode(), 1) == []
    assert read_times(b"\xff", 1) == read_times(None, 1) == read_times(b"deal,seconds\n", 1) == []


def test_a_worker_of_another_version_is_refused(tmp_path: Path) -> None:
    class Other(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kw: Any) -> Any:
            return super().submit(lambda: fn(*args, **kw)._replace(probe="other"))

    with Store.opened(tmp_path) as store:
        groups = survey.begin(store, Scope(("random:0-9",), (2,)), 1000, "csv", 5)
        with pytest.raises(InputError, match="another version of the search"):
            survey.run(store, groups, lambda: Other(1), 1)
        assert not store.sums


@pytest.mark.parametrize(
    ("name", "message"),
    [("notes.txt", "there is notes.txt, and no survey"), ("rows", "there is rows, and no survey")],
)
def test_foreign_directory(name: str, message: str, tmp_path: Path,
                           capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    (tmp_path / name).mkdir()
    assert ask(tmp_path, *SMALL) == 2
    assert message in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["01-00000000.parquet", "mine.csv", "01-00000009.csv",
                                  "03-00000000.csv"])  # fmt: skip
def test_foreign_shard(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(tmp_path, "random:0-9", "--players", "2,3") == 0
    data = (tmp_path / "rows" / "01-00000000.csv").read_bytes()
    (tmp_path / "rows" / name).write_bytes(data)
    if name[0] == "0":
        line = (tmp_path / "checksums").read_text().splitlines()[0]
        with (tmp_path / "checksums").open("a") as file:
            file.write(line.replace("01-00000000.csv", name) + "\n")
    assert ask(tmp_path) == 2
    err = capsys.readouterr().err
    assert "no shard of this survey" in err or "is none of these" in err or "more than 2" in err


def test_two_at_once(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.opened(small):
        assert ask(small, *SMALL) == 2
    assert "another survey is writing to it" in capsys.readouterr().err
    assert ask(small, *SMALL) == 0


def test_full_disk(small: Path, tmp_path: Path) -> None:
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))\n"
        "from solver.command.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "survey", *SMALL, "--out", str(tmp_path)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert ask(tmp_path, *SMALL) == 0
    assert files(tmp_path) == files(small)


def test_solving_again_what_is_unproven(tmp_path: Path) -> None:
    words = ("random:0-59", "--players", "5", "--one-of-each", "1", "--shard-deals", "20")
    assert ask(tmp_path / "a", *words, "--nodes", "60") == 3
    before = rows(tmp_path / "a")
    open_ = [row.deal for row in before if not row.proven]
    assert open_
    assert ask(tmp_path / "a", "--again-unproven", "--nodes", "200") == 3
    assert ask(tmp_path / "a", "--again-unproven", "--nodes", "3000000", "--jobs", "2") == 0
    after = rows(tmp_path / "a")
    assert [row.deal for row in after if row.limit != 60] == open_
    assert all(row.proven for row in after)
    for old, new in zip(before, after, strict=True):
        assert old == new or (not old.proven and old.score <= new.score <= old.bound)
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert manifest["nodes"] == [60, 200, 3_000_000]
    # with all limits known from the start it comes out the same
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "manifest.json").write_bytes((tmp_path / "a" / "manifest.json").read_bytes())
    assert ask(tmp_path / "b") == 0
    assert files(tmp_path / "b") == files(tmp_path / "a")


def test_solving_again_needs_more(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(small, "--again-unproven", "--nodes", "100") == 2
    assert "give more than 100" in capsys.readouterr().err
    assert ask(small, "--again-unproven") == 2
    assert ask(small / "none", "--again-unproven", "--nodes", "100") == 2


def test_deals_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "deals.csv"
    deck = "r5r4r3r2r1r1r1r2r3r4y5y4y3y2y1y1y1y2y3y4"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([
            ["name", "players", "deck"], ["one, two", 2, deck], ["b", 3, deck[::1]],
            ["c", 2, deck[20:] + deck[:20]],
        ])  # fmt: skip
    assert ask(tmp_path / "out", str(table)) == 0
    assert [(r.deal, r.players, r.full) for r in rows(tmp_path / "out")] == [
        ("one, two", 2, 10), ("b", 3, 10), ("c", 2, 10),
    ]  # fmt: skip
    text = table.read_text()
    table.write_text(text.replace("one", "ONE"))
    assert ask(tmp_path / "out") == 2
    assert "the deals are others than before" in capsys.readouterr().err
    table.write_text(text + "d,2,r1\n")
    assert ask(tmp_path / "other", str(table)) == 2
    assert "deals.csv:5" in capsys.readouterr().err
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "which deals"),
        (("random:0-9",), "needs the number of players"),
        (("random:0-9", "--players", "2,7"), "'7', not 2 to 6"),
        (("random:0-9", "--players", "2,2"), "names a number twice"),
        (("random:9-0", "--players", "2"), "ends before it begins"),
        (("random:0-9", "random:9-12", "--players", "2"), "are named by random:0-9 too"),
        (("p3v0s1", "p3v0s1"), "are named by p3v0s1 too"),
        (("random:0-9", "--players", "2", "--shard", "0/2"), "'0/2', not such as 1/4"),
        (("random:0-9", "--players", "2", "--shard", "3/2"), "'3/2', not such as 1/4"),
        (("random:0-9", "--players", "2", "--nodes", "0"), "nodes is 0"),
        (("pos:rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 2",), "this is a position, not a deal"),
        (("python:p2c1s0-9", "--players", "3"), "--players is 3, and this is for 2"),
        (("random:0-9", "--players", "2", "--merge", "x"), "--merge takes no SPEC"),
        (("--merge", "/none"), "this is no survey"),
        (("random:0-9", "--players", "2", "--cluster", "tcp://127.0.0.1:9"), "no scheduler"),
        (("random:0-9", "--players", "2", "--cluster", "nonsense"), "is no address of a scheduler"),
    ],
)
def test_bad_words(words: tuple[str, ...], message: str, tmp_path: Path,
                   monkeypatch: pytest.MonkeyPatch,
                   capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    if "--cluster" in words:
        pytest.importorskip("distributed", reason="the extra cluster is not installed")
        monkeypatch.setattr("solver.surveys.workers.PATIENCE", 0.3)
    assert ask(tmp_path / "new", *words) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_rules_that_no_engine_covers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                     capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    def refuse(start: object) -> None:
        raise UnsupportedRulesError("this is not covered")

    monkeypatch.setattr("solver.surveys.survey.require", refuse)
    assert ask(tmp_path, "p2v0s1") == 2
    assert capsys.readouterr().err == "hanabi: p2v0s1: this is not covered\n"
    assert list(tmp_path.iterdir()) == []


def test_directory_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert ask(tmp_path / "file", *SMALL) == 2
    assert ask(Path("/proc/none"), *SMALL) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_huge_range() -> None:
    asked = Scope(("random:0-999999999999999",), (2,))
    (group,) = plan(asked)
    assert group.count == 10**15
    part = group.part(10**12 - 1, 1000)
    assert [deal.name for deal in part.deals()][-1] == "random:999999999999999"


def test_asked_survives_json() -> None:
    house = House(ending=Ending.ENDLESS, clues=4)
    for variant in (None, "Black (5 Suits)", Shape(6, 1), Asked(Shape(), house)):
        asked = Scope(("a", "b"), (2, 3), variant)
        assert Scope.of_record(json.loads(json.dumps(asked.record()))) == asked


ROW = Row("a,b", 2, 25, 24, 25, None, "", 60, 7, 10, "search")


def test_rows_of_a_file() -> None:
    some = [ROW, ROW._replace(winnable=True, score=25), ROW._replace(winnable=False, rung="x")]
    for form in ("csv", "jsonl"):
        assert decode(encode(some, form), form) == some
        assert decode(encode([], form), form) == []
        with pytest.raises(InputError, match="no file of a survey"):
            decode(b"deal,x\n1,2\n", form)
    assert encode([ROW], "jsonl").startswith(b'{"deal":"a,b","players":2,"full":25,')


def test_progress() -> None:
    assert progress_text(0, 100, 0, 1.0) == "0 of 100 deals"
    assert progress_text(2500, 10_000, 3, 10.0) == (
        "2,500 of 10,000 deals (25.0%), 250 a second, 0:00:30 left, 3 unproven"
    )


def test_work_is_counted(small: Path, tmp_path: Path) -> None:
    with Store.opened(small) as store:
        groups = plan(Scope(("random:0-219",), (2, 3)))
        assert survey.Work(store, groups, (1, 1)).deals == 0
    with Store.opened(tmp_path) as store:
        groups = survey.begin(store, Scope(("random:0-219",), (2, 3)), 1000, "csv", 50)
        for of in (1, 2, 3, 7, 30):
            works = [survey.Work(store, groups, (which, of)) for which in range(1, of + 1)]
            for work in works:
                assert work.deals == sum(task.part.size for task in work)
            keys = [task.key for work in works for task in work]
            assert sorted(keys) == [Key(g, n) for g in (1, 2) for n in range(5)]
        with pytest.raises(InputError, match="not from 1/2 to 2/2"):
            survey.Work(store, groups, (3, 2))


def test_broken_pools_are_replaced(small: Path, tmp_path: Path) -> None:
    made = 0

    @contextmanager
    def breaking() -> Iterator[Executor]:
        nonlocal made
        made += 1

        class Some(ThreadPoolExecutor):
            count = 0

            def submit(self, fn: Any, /, *args: Any, **kw: Any) -> Any:
                self.count += 1
                if made < 5 and self.count == 3:
                    raise BrokenProcessPool("dead")
                return super().submit(fn, *args, **kw)

        with Some(1) as executor:
            yield executor

    with Store.opened(tmp_path) as store:
        groups = survey.begin(store, Scope(("random:0-219",), (2, 3)), 2_000_000, "csv", 50)
        survey.run(store, groups, breaking, 2)
    assert made >= 5
    assert files(tmp_path) == files(small)


def test_pools_that_only_break_are_given_up(tmp_path: Path) -> None:
    class Dead(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kw: Any) -> Any:
            raise BrokenProcessPool("dead")

    with Store.opened(tmp_path) as store:
        groups = survey.begin(store, Scope(("random:0-9",), (2,)), 1000, "csv", 5)
        with pytest.raises(InputError, match="die again and again"):
            survey.run(store, groups, lambda: Dead(1), 1)


def test_the_lock_is_let_go(tmp_path: Path) -> None:
    with Store.opened(tmp_path):
        pass
    number = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(number)
