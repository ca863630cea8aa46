"""Surveys that are killed or stopped, alone, with several processes, and on a cluster."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.surveys.shards import Store
from solver.surveys.workers import here, processes
from surveying import ask, files


def children(parent: int) -> list[int]:
    """Give the processes that a process has started and that are still there."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], text=True, check=False,
                            capture_output=True)  # fmt: skip
    return [int(word) for word in listed.stdout.split()]


def start(path: Path, *words: str) -> subprocess.Popen[bytes]:
    """Start ``hanabi survey`` as a process of its own."""
    command = [sys.executable, "-m", "solver", "survey", *words, "--out", str(path)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


LONG = ("random:0-3999", "--players", "5", "--one-of-each", "1", "--nodes", "20000",
        "--shard-deals", "40")  # fmt: skip


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an undisturbed survey that takes some seconds."""
    path = tmp_path_factory.mktemp("survey") / "long"
    assert ask(path, *LONG) == 3
    return path


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Give a cluster of two workers on this machine."""
    distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as made:
        yield made


def killing(path: Path, chance: random.Random, *words: str) -> None:
    """Kill a survey ten times at random moments, now and then only one of its processes."""
    kills = 0
    while kills < 10:
        process = start(path, *words)
        try:
            before = len(list(path.glob("rows/0*")))
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(chance.uniform(0.01, 0.4))
                if len(list(path.glob("rows/0*"))) > before:
                    break
            some = children(process.pid)
            if some and chance.random() < 0.3:
                os.kill(chance.choice(some), signal.SIGKILL)
                time.sleep(chance.uniform(0.01, 0.2))
            kills += process.poll() is None
            process.kill()
        finally:
            process.kill()
            process.wait()
        if len(list(path.glob("rows/0*"))) >= 100:
            break
        deadline = time.monotonic() + 10
        while any(Path(f"/proc/{pid}").exists() for pid in some) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not [pid for pid in some if Path(f"/proc/{pid}/exe").exists()], "orphans"
    assert kills >= 3


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_ten_times(jobs: int, long: Path, tmp_path: Path) -> None:
    words = (*LONG, "--jobs", str(jobs))
    killing(tmp_path, random.Random(jobs), *words)
    assert ask(tmp_path, *words) == 3
    assert files(tmp_path) == files(long)


@pytest.mark.slow
def test_cluster_with_a_killed_worker(cluster: Any, long: Path, tmp_path: Path) -> None:
    words = (*LONG, "--cluster", cluster.scheduler_address)
    process = start(tmp_path, *words)
    while len(list(tmp_path.glob("rows/0*"))) < 10:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    assert process.wait(timeout=120) == 3
    assert files(tmp_path) == files(long)


@pytest.mark.slow
def test_cluster_survey_killed_ten_times(cluster: Any, long: Path, tmp_path: Path) -> None:
    words = (*LONG, "--cluster", cluster.scheduler_address)
    killing(tmp_path, random.Random(0), *words)
    assert ask(tmp_path, *words) == 3
    assert files(tmp_path) == files(long)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c(jobs: int, tmp_path: Path) -> None:
    process = start(tmp_path, *LONG, "--jobs", str(jobs))
    while not list(tmp_path.glob("rows/0*")):
        assert process.poll() is None
        time.sleep(0.02)
    some = children(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    with Store.opened(tmp_path) as store:
        assert store.sums
        assert not store.damaged
    assert not list(tmp_path.rglob(".new-*"))
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in some) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not [pid for pid in some if Path(f"/proc/{pid}/exe").exists()]


def test_executors_end_their_processes() -> None:
    with processes(2) as executor:
        pid = executor.submit(os.getpid).result()
        assert pid != os.getpid()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}").exists()
    with here() as executor:
        assert executor.submit(os.getpid).result() == os.getpid()
        assert isinstance(executor.submit(int, "x").exception(), ValueError)
