"""The command ``hanabi`` and what is around it: files it writes, standard streams, signals."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from solver.command.cli import main
from solver.formats.output import write_whole

HANABI = f"exec {sys.executable} -m solver"
DECK = ["convert", "p2v0s1", "--to", "deck", "-o"]
FULL = Path("/dev/full")
Outputs = pytest.CaptureFixture[str]


def shell(words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command with redirections."""
    return subprocess.run(
        f"{HANABI} {words}", shell=True, input=stdin, capture_output=True, timeout=60, check=False
    )


def is_one_line(stderr: bytes) -> bool:
    return stderr.startswith(b"hanabi: ") and stderr.count(b"\n") == 1


# Files


def test_a_symbolic_link_stays(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    target, link = tmp_path / "sub" / "target", tmp_path / "link"
    link.symlink_to("sub/target")
    for _ in range(2):  # first to nothing, then to a file
        assert main([*DECK, str(link)]) == 0
        assert link.is_symlink()
        assert len(target.read_text()) == 101
    target.chmod(0o640)
    assert main([*DECK, str(link)]) == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [path.name for path in (tmp_path / "sub").iterdir()] == ["target"]


@pytest.mark.parametrize("name", ["", "no/file", "/proc/file", "."])
def test_names_are_refused_before_anything_is_said(name: str, capsys: Outputs) -> None:
    position = "rb:32221 r3,b4 r5r4/ktr4 ?b4b5 - 0/8 0/3 0 -"
    for words in (["endgame", position, "--svg"], ["solve", "p2v0s1", "--svg"],
                  ["solve", "p2v0s1", "--certificate"], DECK):  # fmt: skip
        assert main([*words, name]) == 2
        outputs = capsys.readouterr()
        assert outputs.out == ""
        assert outputs.err.count("\n") == 1


@pytest.mark.parametrize("place", ["no", "/proc"])
def test_a_graph_is_refused_before_anything_is_said(place: str, capsys: Outputs) -> None:
    position = "rb:32221 r3,b4 r5r4/ktr4 ?b4b5 - 0/8 0/3 0 -"
    assert main(["endgame", position, "--graph", f"{place}/x.dot"]) == 2
    outputs = capsys.readouterr()
    assert outputs.out == ""
    assert outputs.err.count("\n") == 1


@pytest.mark.parametrize("linked", [False, True])
def test_a_fifo_is_written_to(tmp_path: Path, linked: bool) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    name = fifo
    if linked:
        name = tmp_path / "link"
        name.symlink_to(fifo)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()))
    reader.start()
    assert main([*DECK, str(name)]) == 0
    reader.join(10)
    assert [len(text) for text in read] == [101]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_certificates_are_written_in_the_same_way(tmp_path: Path, capsys: Outputs) -> None:
    link = tmp_path / "link"
    link.symlink_to("target")
    assert main(["solve", "p2v0s1", "--json", "--certificate", str(link)]) == 0
    assert link.is_symlink()
    assert main(["verify", str(link)]) == 0
    capsys.readouterr()
    assert main(["solve", "p2v0s1", "--json", "--certificate", str(tmp_path)]) == 2
    outputs = capsys.readouterr()
    assert (outputs.out, outputs.err.count("\n")) == ("", 1)


def test_a_hyphen_is_standard_output(
    tmp_path: Path, capsys: Outputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*DECK, "-"]) == 0
    assert len(capsys.readouterr().out) == 101
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [("", "empty"), ("new/", "directory"), (".", "directory"), ("sub", "directory"),
     ("sub/..", "directory"), ("fixed", "read-only"), ("no/file", "No such file"),
     ("fixed/file", "Not a directory"), ("x" * 300, "too long"), ("loop", "symbolic links")],
)  # fmt: skip
def test_names_that_are_refused(
    name: str, why: str, tmp_path: Path, capsys: Outputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("fixed").write_text("old")
    Path("fixed").chmod(0o444)
    Path("loop").symlink_to("loop")
    assert main([*DECK, name]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert why in error
    assert Path("fixed").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fixed", "loop", "sub"]


def test_long_names_have_room_for_the_new_file(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 255)
    write_whole(str(file), "a\nb\n")
    assert file.read_text() == "a\nb\n"


def test_termination_leaves_nothing_behind(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*HANABI.split()[1:], "convert", "random:0-99999999", "--players", "2", "--to", "deck",
         "-o", "made"], cwd=tmp_path, stderr=subprocess.PIPE,
    )  # fmt: skip
    began = time.monotonic()
    while not list(tmp_path.iterdir()) and time.monotonic() - began < 20:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=20)
    assert (process.returncode, stderr) == (143, b"")
    assert list(tmp_path.iterdir()) == []


# Standard streams


@pytest.mark.parametrize(
    "words",
    ["solve - <&-", "replay - --json <&-", "deck p2v0s1 --json >&-", "deck p2v0s1 >&-",
     "solve p2v0s1 >&-", "--help >&-", "solve --help >&-", "deck p2v0s1 <&- >&-"],
)  # fmt: skip
def test_closed_streams(words: str) -> None:
    done = shell(words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert is_one_line(done.stderr)
    assert (b"standard output: " in done.stderr) == (">&-" in words)


@pytest.mark.parametrize("words", ["solve p2v0s1x! 2>&-", "deck 2>&-", "solve p2v0s1x! >&- 2>&-"])
def test_a_closed_standard_error(words: str) -> None:
    done = shell(words)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_streams_that_are_not_needed_may_be_closed(tmp_path: Path) -> None:
    assert shell("deck p2v0s1 --json <&- 2>&-").returncode == 0
    assert shell(f"convert p2v0s1 --to deck -o {tmp_path}/made >&-").returncode == 0
    assert (tmp_path / "made").read_text().startswith("b5p4")


@pytest.mark.skipif(not FULL.is_char_device(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words",
    ["deck p2v0s1 --json", "deck p2v0s1", "solve p2v0s1", "--help", "solve --help", "--version",
     "solve python:p2c1s0-9", "explain p2v0s1"],
)  # fmt: skip
def test_a_full_disk(words: str) -> None:
    done = shell(f"{words} > /dev/full")
    assert done.returncode == 2
    assert is_one_line(done.stderr)
    assert b"standard output: No space left on device" in done.stderr
    assert shell(f"{words} p3v0 nosuch --nosuch > /dev/full 2>&1").returncode == 2


@pytest.mark.parametrize(
    "words", ["solve p2v0s1", "solve python:p2c1s0-9", "deck p2v0s1", "--help", "solve --help",
              "--version", "explain p2v0s1", "convert p2v0s1 --to deck"],
)  # fmt: skip
def test_a_closed_pipe_ends_quietly(words: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*HANABI.split()[1:], *words.split()], stdout=writer, stderr=subprocess.PIPE, timeout=60,
        check=False,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_standard_output_of_another_encoding() -> None:
    done = subprocess.run(
        [*HANABI.split()[1:], "solve", "-", "--nodes", "1"], capture_output=True, timeout=60,
        check=False, env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        input='name,players,deck\n"é\x1b[31m\nz",2,'.encode()
        + shell("convert p2v0s1 --to deck").stdout,
    )  # fmt: skip
    assert done.stderr == b""
    assert b"\\xe9\\x1b[31m z: " in done.stdout


def test_foreign_names_are_cleaned(capsys: Outputs) -> None:
    deck = shell("convert p2v0s1 --to deck").stdout.decode().strip()
    text = '{"name":"\\ud800\\u001b[2J\\nx\\u202e","players":2,"deck":"' + deck + '"}\n'
    for words in ("solve -", "deck -", "explain -", "solve p2v0s1 -"):
        done = shell(words, text.encode())
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\\ud800\\x1b[2J x\\u202e" in done.stdout
        assert b"\x1b" not in done.stdout


# Signals


@pytest.mark.parametrize("after", [0.01, 0.03, 0.05, 0.1])
def test_interrupt_while_it_starts(after: float) -> None:
    code = (
        "import os, signal, sys, threading, time\n"
        "import solver.entry\n"
        f"threading.Timer({after}, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "sys.argv = ['hanabi', 'solve', 'random:0-9999999', '--players', '2', '--json']\n"
        "sys.exit(solver.entry.main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"")


def test_nothing_is_imported_before_signals_are_heeded() -> None:
    code = (
        "import sys, solver.entry\n"
        "print(*sorted(name for name in sys.modules if name.startswith('solver')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [b"solver", b"solver.entry"]
