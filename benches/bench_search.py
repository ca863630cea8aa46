"""pytest-benchmark: the native search on the first golden deals, 1 to 10 to 100 of them."""

from __future__ import annotations

import pytest
from golden import golden
from pytest_benchmark.fixture import BenchmarkFixture

from solver.engines.search import solve_many
from solver.solving.choice import DEFAULT_LIMITS


@pytest.mark.parametrize("deals", [1, 10, 100])
def test_golden_deals(benchmark: BenchmarkFixture, deals: int) -> None:
    """Solve the deals once a round; the nodes are the same on every machine."""
    found = golden(one_of_each=False)[:deals]
    positions = [position for position, _ in found]
    results = benchmark(lambda: list(solve_many(positions, DEFAULT_LIMITS)))
    assert [result.score for result in results] == [optimum for _, optimum in found]
    benchmark.extra_info["nodes"] = sum(result.nodes for result in results)
