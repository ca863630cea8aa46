"""Confidence intervals for shares and means, from counts and sums that are exact integers.

The tails of the beta and of Student's distribution are the continued fraction of the incomplete
beta function (Numerical Recipes' name for it is ``betai``; the fraction is DLMF 8.17.22).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, isqrt, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import NamedTuple

__all__ = ["LEVEL", "Interval", "Moments", "clopper_pearson", "incomplete_beta", "student",
           "wilson"]  # fmt: skip

LEVEL = 0.95
"""The confidence of all intervals."""


class Interval(NamedTuple):
    """From ``low`` to ``high``."""

    low: float
    high: float


def wilson(hits: int, tries: int) -> Interval:
    """Give Wilson's score interval for a share, 0 to 1.

    Parameters
    ----------
    hits, tries
        ``0 <= hits <= tries``, ``tries >= 1``.
    """
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    share = hits / tries
    middle = share + z * z / (2 * tries)
    reach = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 1 + z * z / tries
    low = 0.0 if hits == 0 else (middle - reach) / scale
    high = 1.0 if hits == tries else (middle + reach) / scale
    return Interval(low, high)


def clopper_pearson(hits: int, tries: int) -> Interval:
    """Give the exact interval of Clopper and Pearson for a share, 0 to 1.

    Its ends are the shares at which ``hits`` or more, and ``hits`` or fewer, have the chance
    2.5%: they hold at least 95%, whatever the share.
    """
    tail = (1 - LEVEL) / 2
    low = 0.0 if hits == 0 else _solve(lambda p: incomplete_beta(hits, tries - hits + 1, p), tail)
    high = 1.0
    if hits < tries:
        high = _solve(lambda p: incomplete_beta(hits + 1, tries - hits, p), 1 - tail)
    return Interval(low, high)


def student(degrees: int) -> float:
    """Give how many standard errors a mean's interval reaches to either side.

    Parameters
    ----------
    degrees
        Degrees of freedom, at least 1.
    """
    tail = (1 - LEVEL) / 2

    def beyond(share: float) -> float:
        """Give the upper tail at the t with df / (df + t^2) = 1 - share."""
        return 1 - incomplete_beta(degrees / 2, 0.5, 1 - share) / 2

    share = _solve(beyond, 1 - tail)
    return sqrt(degrees * share / (1 - share))


def _solve(rising: Callable[[float], float], wanted: float) -> float:
    """Find where a function that rises from 0 to 1 has a value, by halving."""
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Give the regularized incomplete beta function I_x(a, b), for a, b > 0.

    For whole numbers it is the chance of ``a`` or more hits in ``a + b - 1`` tries of share x.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(front) * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction from its front, by Lentz's method."""
    tiny = 1e-300
    upper, lower = 1.0, 1 - (a + b) * x / (a + 1)
    lower = 1 / (lower if abs(lower) > tiny else tiny)
    value = lower
    for m in range(1, 200 + 20 * isqrt(int(a + b))):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            lower = 1 + term * lower
            lower = 1 / (lower if abs(lower) > tiny else tiny)
            upper = 1 + term / upper
            upper = upper if abs(upper) > tiny else tiny
            value *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return value


class Moments:
    """The mean of whole numbers, exactly, and its interval."""

    def __init__(self) -> None:
        self.count = 0
        self.sum = 0
        self.squares = 0

    def add(self, value: int, times: int = 1) -> None:
        """Take in a number that occurs so many times."""
        self.count += times
        self.sum += value * times
        self.squares += value * value * times

    @property
    def mean(self) -> Fraction:
        """The mean, of at least one number."""
        return Fraction(self.sum, self.count)

    @property
    def interval(self) -> Interval | None:
        """The interval of the mean, by Student's distribution; None if all numbers are the same."""
        if self.squares * self.count == self.sum**2:
            return None
        spread = Fraction(self.squares * self.count - self.sum**2, self.count - 1)
        error = sqrt(spread / self.count / self.count)
        reach = student(self.count - 1) * error
        return Interval(float(self.mean) - reach, float(self.mean) + reach)

    def within(self, most: int) -> Interval:
        """Give the interval of the mean of numbers, at least one, all from 0 to ``most``.

        Where all that were seen are one number v, a spread of 0 would say too much: at least the
        share s has v (`clopper_pearson`), so the mean is between s v and s v + (1 - s) ``most``.
        """
        found = self.interval
        if found is None:
            sure = clopper_pearson(self.count, self.count).low
            same = sure * float(self.mean)
            found = Interval(same, same + (1 - sure) * most)
        return Interval(max(found.low, 0.0), min(found.high, float(most)))
