"""Divergences of one pair: the hockey-stick divergence against two noncentral chi-square tails, and the Renyi curve.

The grid is small and friendly to `scipy.stats.ncx2`: without equal variances, where that has no form, and with
noncentralities to 1e8; beyond it takes seconds a point, or raises. What it gets wrong on the grid is counted.
"""

from __future__ import annotations

import itertools
import math
import time
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import ncx2, norm

from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.floating.hockey_stick import log_hockey_stick
from rgm_verify.gaussians.floating.renyi import renyi_of_pair

LOSSES = (
    -3.0,
    -1.0,
    0.0,
    1.0,
    2.0,
    4.0,
    6.0,
    9.0,
    12.0,
    16.0,
    20.0,
    25.0,
    30.0,
)  # standard deviations from the mean loss
EXCESSES = (-0.5, -1e-2, -1e-3, 1e-3, 1e-2, 0.3, 3.0)


def grid():
    pairs = [
        p
        for p in itertools.product((1e-2, 1.0, 30.0), EXCESSES, (1, 3, 30, 1000, 10**4, 10**5, 10**6), LOSSES)
        if p[0] / p[1] ** 2 <= 1e8
    ]
    shift, excess, dimension, z = (np.array(x, dtype=float) for x in zip(*pairs, strict=True))
    mean = shift / 2 + dimension / 2 * (excess - np.log1p(excess))
    return mean + z * np.sqrt(shift * (1 + excess) + dimension / 2 * excess**2), shift, excess, dimension


def by_tails(epsilon, shift, excess, dimension):
    """The textbook formula: a difference of two tails of noncentral chi-squares."""
    ratio = 1 + excess
    y = (2 * epsilon + dimension * np.log1p(excess) + shift / excess) / excess
    p, q = shift * ratio / excess**2, shift / excess**2
    wide = excess > 0
    result = np.empty_like(epsilon)
    with np.errstate(all="ignore"):
        for mask, tail in ((wide, ncx2.sf), (~wide, ncx2.cdf)):
            first = tail(y[mask], dimension[mask], p[mask])
            result[mask] = first - np.exp(epsilon[mask]) * tail((y * ratio)[mask], dimension[mask], q[mask])
    return result


def certified(arguments):
    found = []
    for *floats, dimension in zip(*arguments, strict=True):
        enclosure = hockey_stick_enclosure(*(Fraction(float(x)) for x in floats), int(dimension))
        found.append(enclosure)
    return found


def log_error(value, enclosure):
    """Absolute error of the logarithm, for a certified value in the range of floats; inf for NaN and values <= 0."""
    if not value > 0:
        return math.inf
    middle = (enclosure.lower + enclosure.upper) / 2
    return abs(math.log1p(float((Fraction(float(value)) - middle) / middle)))


@pytest.mark.filterwarnings("ignore")
def test_hockey_stick_against_two_noncentral_chi_square_tails(ratio, report):
    arguments = grid()
    truth = certified(arguments)
    inside = np.array([t.lower > Fraction(1, 10**200) for t in truth])
    arguments = tuple(x[inside] for x in arguments)
    truth = [t for t, keep in zip(truth, inside, strict=True) if keep]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tails = by_tails(*arguments)
        ratio(
            f"log_hockey_stick / two ncx2 tails, {len(truth)} points",
            lambda: log_hockey_stick(*arguments),
            lambda: by_tails(*arguments),
            target=0.2,
            rounds=3,
        )
    wrong = [log_error(value, t) > 1e-6 for value, t in zip(tails, truth, strict=True)]
    unusable = int(np.count_nonzero(~(tails > 0)))
    ours = max(log_error(v, t) for v, t in zip(np.exp(log_hockey_stick(*arguments)), truth, strict=True))
    report(f"ncx2: NaN, 0 or negative, of {len(truth)} points", unusable, target=0, relation=">=")
    report("ncx2: logarithm wrong by more than 1e-6, points", sum(wrong), target=0, relation=">=")
    report("log_hockey_stick: largest error of log delta / 1e-11", ours / 1e-11, target=1.0)


def test_a_million_points_of_the_hockey_stick_stay_below_a_gibibyte(report):
    import resource

    points = np.linspace(0.0, 10.0, 10**6)
    start = time.perf_counter()
    log_hockey_stick(points, 1.0, 0.1, 100)
    report("log_hockey_stick: microseconds a point", (time.perf_counter() - start) / points.size * 1e6, target=35.0)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    report("largest resident memory of this process so far, GiB", used, target=1.0)


@pytest.mark.parametrize("excess", [1e-3, 0.3, 3.0, -0.3])
def test_renyi_curve_against_a_logarithm(ratio, report, benchmark, excess):
    orders = 1 + np.geomspace(1e-6, 20, 10**6)
    ratio(
        f"Renyi curve / np.log, excess {excess}",
        lambda: renyi_of_pair(orders, 0.3, excess, 10),
        lambda: np.log(orders),
        target=200.0,
        rounds=7,
    )
    report(f"Renyi curve: ns a point, excess {excess}", benchmark.stats.stats.min * 1e9 / orders.size, target=100.0)


def test_one_point_by_itself_against_its_certified_value(ratio):
    ratio(
        "one hockey-stick divergence in floating point / the certified one at 15 digits",
        lambda: log_hockey_stick(0.5, 0.01, 0.002, 10),
        lambda: hockey_stick_enclosure(Fraction(1, 2), Fraction(1, 100), Fraction(1, 500), 10),
        target=1.5,
        rounds=51,
    )


def plain_by_normal_tails(epsilon, mu):
    """The textbook formula, as anyone would write it."""
    return norm.cdf(mu / 2 - epsilon / mu) - np.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)


def test_one_plain_gaussian_against_its_certified_value(ratio):
    ratio(
        "one plain Gaussian delta in floating point / the certified one at 15 digits",
        lambda: [log_hockey_stick(1.0, 1.0, 0.0, 10) for _ in range(100)],
        lambda: [hockey_stick_enclosure(Fraction(1), Fraction(1), Fraction(0), 10) for _ in range(100)],
        target=1.0,
    )


def test_one_plain_gaussian_against_two_normal_tails_of_scipy(ratio):
    ratio(
        "one plain Gaussian delta in floating point / two tails of scipy.stats.norm",
        lambda: [log_hockey_stick(1.0, 1.0, 0.0, 10) for _ in range(100)],
        lambda: [plain_by_normal_tails(1.0, 1.0) for _ in range(100)],
        target=1.0,
    )


def test_many_plain_gaussians_against_two_normal_tails_of_scipy(ratio):
    points = np.linspace(0.0, 5.0, 10**5)
    ratio(
        "100,000 plain Gaussian deltas, checked and without cancellation / two tails of scipy.stats.norm",
        lambda: log_hockey_stick(points, 1.0, 0.0, 10),
        lambda: plain_by_normal_tails(points, 1.0),
        target=3.0,
    )


@pytest.mark.parametrize(("excess", "dimension"), [(0.1, 10), (0.3, 10), (-0.3, 10), (3.0, 5)])
def test_many_easy_points_against_two_noncentral_chi_square_tails(ratio, excess, dimension):
    points = np.linspace(0.0, 3.0, 10**5)
    ratio(
        f"100,000 easy deltas / two ncx2 tails, excess {excess}, d = {dimension}",
        lambda: log_hockey_stick(points, 1.0, excess, dimension),
        lambda: by_tails(points, *(np.full(points.shape, x) for x in (1.0, excess, float(dimension)))),
        target=2.0,
        rounds=5,
    )
