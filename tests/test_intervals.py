"""Intervals against closed forms, exact sums of fractions, and scipy where it is installed."""

from __future__ import annotations

from fractions import Fraction
from math import comb, pi, sqrt, tan

import pytest

from solver.surveys.intervals import (
    Interval,
    Moments,
    clopper_pearson,
    incomplete_beta,
    student,
    wilson,
)

COUNTS = [(0, 1), (1, 1), (0, 10), (10, 10), (5, 10), (3, 4), (1, 150), (147, 150),
          (98_664, 100_000), (999_912, 1_000_000), (1_000_000, 1_000_000)]  # fmt: skip


def tail(hits: int, tries: int, share: Fraction) -> Fraction:
    """Give the chance of ``hits`` or more, exactly."""
    return sum(
        (comb(tries, k) * share**k * (1 - share) ** (tries - k) for k in range(hits, tries + 1)),
        Fraction(0),
    )


def test_clopper_pearson_closed_forms() -> None:
    for tries in (1, 10, 1000, 100_000):
        assert clopper_pearson(0, tries).low == 0
        assert clopper_pearson(tries, tries).high == 1
        assert clopper_pearson(0, tries).high == pytest.approx(1 - 0.025 ** (1 / tries), rel=1e-12)
        assert clopper_pearson(tries, tries).low == pytest.approx(0.025 ** (1 / tries), rel=1e-12)


@pytest.mark.parametrize(("hits", "tries"), [(1, 2), (5, 10), (3, 40), (117, 120)])
def test_clopper_pearson_is_exact(hits: int, tries: int) -> None:
    low, high = map(Fraction, clopper_pearson(hits, tries))
    tiny = Fraction(1, 10**9)
    assert tail(hits, tries, low - tiny) < Fraction(1, 40) < tail(hits, tries, low + tiny)
    assert 1 - tail(hits + 1, tries, high + tiny) < Fraction(1, 40)
    assert 1 - tail(hits + 1, tries, high - tiny) > Fraction(1, 40)


def test_wilson_by_hand() -> None:
    # 5 of 10: centre 1/2, reach z sqrt(1/40 + z^2/400) / (1 + z^2/10), with z = 1.959964
    low, high = wilson(5, 10)
    assert low == pytest.approx(0.236593, abs=1e-6)
    assert high == pytest.approx(0.763407, abs=1e-6)
    assert wilson(0, 7).low == 0
    assert wilson(7, 7).high == 1
    # the sheet's half-widths: p = 0.984 of 10,000 are +-0.25 points
    low, high = wilson(9840, 10_000)
    assert (high - low) / 2 == pytest.approx(0.0025, abs=5e-5)


@pytest.mark.parametrize(("hits", "tries"), COUNTS)
def test_against_scipy(hits: int, tries: int) -> None:
    stats = pytest.importorskip("scipy.stats", reason="the extra stats is not installed")
    found = stats.binomtest(hits, tries)
    for ours, method in ((clopper_pearson, "exact"), (wilson, "wilson")):
        theirs = found.proportion_ci(method=method)
        assert ours(hits, tries) == pytest.approx((theirs.low, theirs.high), abs=1e-11, rel=1e-9)


def test_student() -> None:
    assert student(1) == pytest.approx(tan(pi * 0.475), rel=1e-9)  # Cauchy's distribution
    # with two degrees: t sqrt(2 / (4 a (1 - a)) - 2) in closed form, a = 0.025
    assert student(2) == pytest.approx(0.95 * sqrt(2 / (4 * 0.025 * 0.975)), rel=1e-9)
    assert student(10**6) == pytest.approx(1.959966, abs=2e-6)
    assert student(3) == pytest.approx(3.182446, abs=1e-6)  # every printed table


@pytest.mark.parametrize("degrees", [1, 2, 3, 9, 100, 99_999])
def test_student_against_scipy(degrees: int) -> None:
    stats = pytest.importorskip("scipy.stats", reason="the extra stats is not installed")
    assert student(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)


def test_incomplete_beta_is_a_sum() -> None:
    for hits, tries, share in ((1, 5, 0.3), (4, 9, 0.75), (60, 100, 0.5)):
        exact = float(tail(hits, tries, Fraction(share)))
        assert incomplete_beta(hits, tries - hits + 1, share) == pytest.approx(exact, rel=1e-12)
    assert incomplete_beta(2, 3, 0) == 0
    assert incomplete_beta(2, 3, 1) == 1


def test_moments() -> None:
    some = Moments()
    assert some.count == 0
    some.add(3)
    assert some.mean == 3
    assert some.interval is None
    some.add(5, times=2)
    assert some.mean == Fraction(13, 3)
    # deviations -4/3, 2/3, 2/3: variance 4/3, standard error 2/3
    reach = student(2) * 2 / 3
    assert some.interval == pytest.approx(Interval(13 / 3 - reach, 13 / 3 + reach))
    same = Moments()
    same.add(25, times=1000)
    assert same.interval is None
    sure = 0.025 ** (1 / 1000)
    assert same.within(25) == pytest.approx((25 * sure, 25))
    assert same.within(30) == pytest.approx((25 * sure, 25 * sure + 30 * (1 - sure)))
    # The mean is never beyond what the numbers can be.
    wide = Moments()
    for value in (0, 1, 25):
        wide.add(value)
    assert wide.interval is not None
    assert wide.interval.low < 0
    assert wide.interval.high > 25
    assert wide.within(25) == (0, 25)
