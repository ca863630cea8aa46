"""Reports: what the rows of a survey come to."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from solver.command.cli import main
from solver.surveys.intervals import clopper_pearson, wilson
from solver.surveys.report import Stratum, survey_of, surveys
from solver.surveys.report_rows import report_row, text
from solver.surveys.survey_rows import Row, decode

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a survey with deals that cannot be won and unproven ones."""
    path = tmp_path_factory.mktemp("report") / "one-of-each"
    words = ["random:0-199", "--players", "2,5", "--one-of-each", "1", "--nodes", "60"]
    assert main(["survey", *words, "--out", str(path)]) == 3
    return path


def rows(path: Path) -> list[Row]:
    return [row for shard in sorted((path / "rows").iterdir())
            for row in decode(shard.read_bytes(), "csv")]  # fmt: skip


def test_numbers_are_those_of_the_rows(directory: Path) -> None:
    two, five = surveys([directory])
    assert (two.players, five.players) == (2, 5)
    for some in (two, five):
        own = [row for row in rows(directory) if row.players == some.players]
        assert some.deals == some.asked == len(own) == 200
        assert some.won == sum(row.winnable is True for row in own)
        assert some.lost == sum(row.winnable is False for row in own)
        assert some.open == sum(row.winnable is None for row in own)
        assert some.optima == Counter(row.score for row in own if row.proven)
        assert some.rungs == Counter(row.rung for row in own if row.winnable is False)
        assert sum(some.engines.values()) == sum(some.nodes.values()) == 200
        assert some.mean == (sum(r.score for r in own) / 200, sum(r.bound for r in own) / 200)
        assert some.wilson == (wilson(some.won, 200).low, wilson(some.won + some.open, 200).high)
        assert some.clopper_pearson == (
            clopper_pearson(some.won, 200).low, clopper_pearson(some.won + some.open, 200).high,
        )  # fmt: skip
        nodes = sorted(row.nodes for row in own)
        assert some.node_marks() == [nodes[99], nodes[179], nodes[197], nodes[199], nodes[199]]
        assert some.hardest[0][0] == nodes[-1]
        assert len(some.seconds) == 200
    assert five.open > 0
    assert five.share.low < five.share.high


def stratum(won: int, lost: int, open_: int) -> Stratum:
    some = Stratum("random", 3, "No Variant", 25)
    row = Row("a", 3, 25, 25, 25, True, "", 50, 40, 100, "search")
    some.add([row] * won, [1e-5] * won)
    some.add([row._replace(winnable=False, score=24, bound=24, rung="release")] * lost, [])
    some.add([row._replace(winnable=None, score=20)] * open_, [])
    some.asked = 10
    return some


def test_open_deals_are_a_band() -> None:
    some = stratum(6, 2, 2)
    assert some.share == (0.6, 0.8)
    assert some.mean == ((6 * 25 + 2 * 24 + 2 * 20) / 10, (8 * 25 + 2 * 24) / 10)
    assert some.optima == {25: 6, 24: 2}
    words = text([some])
    assert "60.000% to 80.000%: 6 can be won, 2 cannot, 2 are open" in words
    assert "2 unproven" in words
    assert "lost by       release 2" in words
    single = stratum(1, 0, 0)
    assert single.mean_interval == pytest.approx((0.025 * 25, 25))
    assert report_row(single)["seconds_50"] == 1e-5
    assert report_row(stratum(0, 1, 0))["seconds_50"] is None


def test_text(directory: Path, capsys: Capture) -> None:
    assert main(["report", str(directory)]) == 3
    out = capsys.readouterr().out
    assert "random, 2 players, Black (5 Suits): 200 deals\n" in out
    assert " (Wilson), " in out
    assert "nodes " in out
    assert "time " in out


def test_csv_and_json_say_the_same(directory: Path, capsys: Capture) -> None:
    main(["report", str(directory), "--format", "csv"])
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    main(["report", str(directory), "--json"])
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(row) for row in table] == [list(row) for row in objects]
    for row, other in zip(table, objects, strict=True):
        assert {key: str(value) for key, value in other.items()} == row


def test_markdown(directory: Path, capsys: Capture) -> None:
    main(["report", str(directory), "--format", "markdown"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| random | Black (5 Suits) | 2 | 200 |")
    assert len({line.count("|") for line in lines[:4]}) == 1
    digest = sha256((directory / "checksums").read_bytes()).hexdigest()
    command = ("hanabi survey random:0-199 --players 2,5 --suits 5 --one-of-each 1 --nodes 60 "
               "--out one-of-each")  # fmt: skip
    assert lines[-1] == f"| `{command}` | 2 | `{digest}` |"
    assert survey_of(directory).checksum == digest


def test_the_command_makes_the_survey(directory: Path, tmp_path: Path,
                                      monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    main(survey_of(directory).command.split()[1:])
    assert survey_of(tmp_path / "one-of-each").checksum == survey_of(directory).checksum


def test_house_rules_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                               capsys: Capture) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    words = ["random:0-4", "--players", "3", "--clues", "2", "--strikes", "1", "--endless",
             "--empty-clues", "--hand-size", "4"]  # fmt: skip
    main(["survey", *words, "--out", "one"])
    command = survey_of(Path("one")).command
    main(command.replace("--out one", "--out two").split()[1:])
    assert survey_of(Path("two")).checksum == survey_of(Path("one")).checksum
    capsys.readouterr()
    main(["report", "one"])
    out = capsys.readouterr().out
    for words_ in ("No Variant, 4 cards, 2 clue tokens, 1 strike", "endless", "empty-clues"):
        assert words_ in out


def test_several_directories(directory: Path, tmp_path: Path, capsys: Capture) -> None:
    for name, spec in (("a", "random:0-9"), ("b", "random:10-29"), ("c", "random:29-30")):
        main(["survey", spec, "--players", "2", "--out", str(tmp_path / name)])
    (some,) = surveys([tmp_path / "a", tmp_path / "b"])
    assert some.deals == 30
    assert len(surveys([tmp_path / "a", directory])) == 3
    assert main(["report", str(tmp_path / "b"), str(tmp_path / "c")]) == 2
    assert f"random:29-30 is in {tmp_path / 'b'} too" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "a"), str(tmp_path / "a")]) == 2


@pytest.mark.parametrize("end", [".csv", ".jsonl", ".parquet"])
def test_all_rows_in_one_file(end: str, directory: Path, tmp_path: Path) -> None:
    path = tmp_path / f"rows{end}"
    if end == ".parquet":
        pyarrow = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is missing")
        main(["report", str(directory), "--rows", str(path)])
        found = pyarrow.read_table(path).to_pylist()
    elif end == ".jsonl":
        main(["report", str(directory), "--rows", str(path)])
        found = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        main(["report", str(directory), "--rows", str(path)])
        found = list(csv.DictReader(io.StringIO(path.read_text())))
    assert len(found) == 400
    assert list(found[0]) == [*Row._fields, "seconds"]
    assert [row["deal"] for row in found] == [row.deal for row in rows(directory)]
    assert float(found[0]["seconds"]) > 0


def test_pictures(directory: Path, tmp_path: Path) -> None:
    svg = tmp_path / "report.svg"
    main(["report", str(directory), "--svg", str(svg)])
    root = ElementTree.fromstring(svg.read_text())
    words = "".join(root.itertext())
    for expected in ("random, 2 players", "shared-hand", "open: ", "95% interval (Wilson)"):
        assert expected in words
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    png = tmp_path / "report.png"
    main(["report", str(directory), "--plot", str(png)])
    assert png.read_bytes().startswith(b"\x89PNG")


def test_bad_words(directory: Path, tmp_path: Path, capsys: Capture,
                   monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    def complaint(*words: str) -> str:
        assert main(["report", *words]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        return err

    assert "no manifest.json" in complaint(str(tmp_path))
    assert "none of .csv, .jsonl and .parquet" in complaint(str(directory), "--rows", "x.txt")
    assert "x.txt: the name ends in none of" in complaint(str(directory), "--plot", "x.txt")
    assert "written as .svg" in complaint(str(directory), "--svg", "x.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert "hanabi-solver[plot]" in complaint(str(directory), "--plot", str(tmp_path / "x.png"))
    monkeypatch.undo()
    main(["survey", "random:0-9", "--players", "2", "--shard-deals", "5",
          "--out", str(tmp_path / "new")])  # fmt: skip
    capsys.readouterr()
    shard = tmp_path / "new" / "rows" / "01-00000001.csv"
    shard.write_bytes(shard.read_bytes()[:-1])
    assert f"{shard}: this shard is damaged" in complaint(str(tmp_path / "new"))
    (tmp_path / "new" / "checksums").write_text("nonsense\n")
    assert "checksums:1: this is no checksum" in complaint(str(tmp_path / "new"))
    (tmp_path / "new" / "checksums").write_text("")
    assert "no deal is solved yet" in complaint(str(tmp_path / "new"))
    (tmp_path / "new" / "manifest.json").write_text("{")
    assert "manifest.json: not JSON" in complaint(str(tmp_path / "new"))


def test_times_may_be_missing(tmp_path: Path, capsys: Capture) -> None:
    main(["survey", "random:0-9", "--players", "2", "--out", str(tmp_path)])
    (tmp_path / "times" / "01-00000000.csv").unlink()
    capsys.readouterr()
    assert main(["report", str(tmp_path)]) == 0
    assert "\n  time" not in capsys.readouterr().out
