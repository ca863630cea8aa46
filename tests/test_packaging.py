"""What is installed is what there is, and importing it costs little."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from solver import InputError
from solver.reading.parquet import arrow
from solver.surveys.plot import plot_bytes
from solver.surveys.workers import cluster

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = {"ortools", "pysat", "networkx", "numpy", "pandas"}


def loaded(*arguments: str) -> set[str]:
    """Give the top-level modules that a fresh Python has loaded after running ``arguments``."""
    code = (
        "import runpy, sys, atexit\n"
        "names = lambda: {n.partition('.')[0] for n in sys.modules}\n"
        "atexit.register(lambda: print(*names(), file=sys.stderr))\n"
        "sys.argv[1:], name = sys.argv[2:], sys.argv[1]\n"
        "__import__(name) if len(sys.argv) == 1 else runpy.run_module(name, run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "arguments", [["solver"], ["solver", "--help"], ["solver", "solve", "--help"]]
)
def test_light_import(arguments: list[str]) -> None:
    modules = loaded(*arguments)
    assert "solver" in modules
    assert not modules & HEAVY


def test_json_needs_no_rich() -> None:
    assert not loaded("solver", "solve", "p3v0s1", "--json") & (HEAVY | {"rich"})


def test_packages_are_listed() -> None:
    found = {p.parent.relative_to(ROOT) for p in (ROOT / "solver").rglob("__init__.py")}
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert listed == sorted(".".join(path.parts) for path in found), "list it in pyproject.toml"


def test_every_data_file_is_packaged() -> None:
    package = ROOT / "solver"
    packaged = {
        path
        for name, patterns in PROJECT["tool"]["setuptools"]["package-data"].items()
        for pattern in patterns
        for path in ROOT.joinpath(*name.split(".")).glob(pattern)
    }
    for path in package.rglob("*"):
        if path.is_file() and path.suffix not in (".py", ".pyc", ".so"):
            assert path in packaged, f"{path.name} is matched by no package-data pattern"


@pytest.mark.parametrize(
    ("extra", "package", "use"),
    [
        ("cluster", "distributed", lambda: cluster("tcp://127.0.0.1:1").__enter__()),
        ("parquet", "pyarrow", arrow),
        ("plot", "matplotlib.figure", lambda: plot_bytes([], "x.png")),
    ],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, extra: str, package: str, use: Callable[[], object]
) -> None:
    wanted = PROJECT["project"]["optional-dependencies"][extra]
    assert [line.split(">=")[0] for line in wanted] == [package.split(".")[0]]
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=rf"'hanabi-solver\[{extra}\]'$"):
        use()


def readme_command(number: int) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^<!-- command {number} -->\n```sh\n(.+)\n```$", text, re.MULTILINE)
    assert found, f"README.md has no command {number}"
    return found[1]


def test_ci_runs_the_commands_of_the_readme() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for number in (1, 2):
        assert f'$(readme_command "command {number}")' in ci
    assert "pip install -e '.[dev]' && .venv/bin/hanabi solve p3v0s1" in readme_command(1)
    pytest = ".venv/bin/python -m pytest -n auto -m"
    assert readme_command(2) == f"{pytest} 'not slow' && {pytest} slow"


def test_ci_finds_the_commands_of_the_readme() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    found = re.search(r"^readme_command\(\) \{\n.*?^\}\n", ci, re.MULTILINE | re.DOTALL)
    assert found
    for number in (1, 2):
        done = subprocess.run(
            ["bash", "-euc", f'{found[0]}readme_command "command {number}"'],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == readme_command(number)


def test_version_is_one() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{PROJECT['project']['version']}]" in changes


def test_parquet_is_read_without_threads() -> None:
    pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    # Arrow's threads may outlive the interpreter, which then aborts, now and then.
    code = (
        "import os\n"
        "from solver.reading.parquet import parquet_bytes, parquet_columns\n"
        "columns = {name: int for name in 'abcdefgh'}\n"
        "data = parquet_bytes([dict.fromkeys(columns, n) for n in range(1000)], columns)\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "assert len(parquet_columns(data)['a']) == 1000\n"
        "assert len(os.listdir('/proc/self/task')) == before"
    )
    if not Path("/proc/self/task").exists():
        pytest.skip("threads are counted in Linux only")
    subprocess.run([sys.executable, "-c", code], check=True)
