"""Laws of a private gradient step, from `derivations/beyond/utility*.py`, where second moments are exact.

The functions are sums over the coordinates of convex, piecewise quadratic ones, least at 0, with rational knots and
curvatures in [mu, L]. The noise has variance gamma |g|^2 + sigma^2 in every coordinate, so that the second moment after
a step is a rational number.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

SIGMA2 = Fraction(3, 7)
shares = st.fractions(0, 1, max_denominator=12)
levels = st.fractions(Fraction(1, 20), 4, max_denominator=20)
places = st.fractions(-6, 6, max_denominator=6)


@dataclass(frozen=True)
class Curve:
    """A function on the line, least at 0: its curvatures on pieces of width 1 to both sides; the last piece goes on."""

    right: tuple[Fraction, ...]
    left: tuple[Fraction, ...]

    def at(self, x: Fraction) -> tuple[Fraction, Fraction]:
        """The value and the slope."""
        pieces, sign = (self.right, 1) if x >= 0 else (self.left, -1)
        value, slope, rest = Fraction(0), Fraction(0), abs(x)
        for i, curvature in enumerate(pieces):
            width = rest if i == len(pieces) - 1 else min(rest, Fraction(1))
            value += slope * width + curvature * width**2 / 2
            slope += curvature * width
            rest -= width
        return value, sign * slope


@dataclass(frozen=True)
class Point:
    """The view of a step: F, B and G, the squared distance, and the bounds on the curvature."""

    r: Fraction
    F: Fraction
    B: Fraction
    G: Fraction
    mu: Fraction
    L: Fraction
    d: int

    def moment(self, tau: Fraction, gamma: Fraction) -> Fraction:
        """E|theta - tau (g + noise)|^2, coordinate by coordinate in closed form."""
        noise = self.d * tau**2 * (gamma * self.G + SIGMA2)
        return self.r - 2 * tau * (self.F + self.B) + tau**2 * self.G + noise


@st.composite
def points(draw: st.DrawFn, *, flat: bool = False) -> Point:
    largest = draw(levels)
    smallest = Fraction(0) if flat else largest * draw(st.fractions(Fraction(1, 30), 1, max_denominator=30))
    curvature = shares.map(lambda s: smallest + s * (largest - smallest))
    pieces = st.lists(curvature, min_size=1, max_size=4).map(tuple)
    d = draw(st.integers(1, 4))
    theta = [draw(places) for _ in range(d)]
    seen = [Curve(draw(pieces), draw(pieces)).at(x) for x in theta]
    F, inner = sum(v for v, _ in seen), sum(s * x for (_, s), x in zip(seen, theta, strict=True))
    return Point(sum(x * x for x in theta), F, inner - F, sum(s * s for _, s in seen), smallest, largest, d)


def factor(curvature: Fraction, tau: Fraction, gamma: Fraction, d: int) -> Fraction:
    return (1 - tau * curvature) ** 2 + gamma * d * tau**2 * curvature**2


@given(points(), levels, st.fractions(0, 3, max_denominator=12))
def test_a_step_contracts_by_the_worse_of_the_extreme_curvatures(point, gamma, share):
    tau = share / ((1 + gamma * point.d) * point.L)
    worst = max(factor(c, tau, gamma, point.d) for c in (point.mu, point.L))
    assert point.moment(tau, gamma) <= worst * point.r + point.d * tau**2 * SIGMA2


@given(points(), levels, shares)
def test_a_step_of_the_corrected_size_contracts_by_one_minus_tau_mu(point, gamma, share):
    tau = share / ((1 + gamma * point.d) * point.L)
    assert point.moment(tau, gamma) <= (1 - tau * point.mu) * point.r + point.d * tau**2 * SIGMA2


@given(points(), levels, st.fractions(0, 3, max_denominator=12))
def test_distance_and_value_bound_a_step_of_every_size(point, gamma, share):
    tau = share / ((1 + gamma * point.d) * point.L)
    bound = (1 - tau * point.mu) * point.r - 2 * tau * (1 - share) * point.F
    assert point.moment(tau, gamma) <= bound + point.d * tau**2 * SIGMA2


@given(points(flat=True), levels, st.fractions(0, 2, max_denominator=12))
def test_in_the_convex_case_the_decrease_pays_for_the_value(point, gamma, share):
    tau = share / ((1 + gamma * point.d) * point.L)
    decrease = point.r - point.moment(tau, gamma) + point.d * tau**2 * SIGMA2
    assert 2 * tau * min(Fraction(1), 2 - share) * point.F <= decrease


@given(points(flat=True))
def test_the_squared_gradient_is_bounded_by_both_bregman_divergences(point):
    assert 2 * point.L * min(point.F, point.B) >= point.G


def after(moments: list[Fraction], eigenvalues: list[Fraction], tau: Fraction, gamma: Fraction) -> list[Fraction]:
    """The second moments of the coordinates after one step on a quadratic."""
    inflow = gamma * sum(c**2 * m for c, m in zip(eigenvalues, moments, strict=True)) + SIGMA2
    return [(1 - tau * c) ** 2 * m + tau**2 * inflow for c, m in zip(eigenvalues, moments, strict=True)]


@given(levels, levels, st.integers(1, 6), st.integers(0, 8), shares)
def test_equal_curvatures_attain_the_factor_at_every_step(curvature, gamma, d, steps, share):
    tau = Fraction(9, 10) * (share + Fraction(1, 10)) * 2 / ((1 + gamma * d) * curvature)
    q, added = factor(curvature, tau, gamma, d), d * tau**2 * SIGMA2
    moments = [Fraction(i) for i in range(d)]
    start = sum(moments)
    for _ in range(steps):
        moments = after(moments, [curvature] * d, tau, gamma)
    assert sum(moments) == q**steps * start + added * (1 - q**steps) / (1 - q)


eigenvalues = st.lists(levels, min_size=1, max_size=6)


@given(eigenvalues, levels, st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), st.integers(1, 6))
def test_the_energy_balance_on_a_quadratic_is_exact(spectrum, gamma, share, steps):
    tau = 2 * share / max(spectrum)
    total = sum(tau * c / (2 - tau * c) for c in spectrum)
    weights = [c / (tau * (2 - tau * c)) for c in spectrum]

    def energy(moments: list[Fraction]) -> Fraction:
        return sum(u * m for u, m in zip(weights, moments, strict=True))

    moments = [Fraction(i, 3) for i in range(len(spectrum))]
    for _ in range(steps):
        gradient = sum(c**2 * m for c, m in zip(spectrum, moments, strict=True))
        following = after(moments, spectrum, tau, gamma)
        assert energy(following) == energy(moments) - (1 - gamma * total) * gradient + total * SIGMA2
        moments = following


@given(eigenvalues, st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), shares)
def test_a_step_that_the_trace_allows_has_stationary_moments(spectrum, share, part):
    tau = share / max(spectrum)
    gamma = (1 + part) / 2 / (tau * sum(spectrum))
    total = sum(tau * c / (2 - tau * c) for c in spectrum)
    assert gamma * total <= 1
    if gamma * total < 1:
        inflow = SIGMA2 / (1 - gamma * total)
        moments = [tau * inflow / (c * (2 - tau * c)) for c in spectrum]
        assert after(moments, spectrum, tau, gamma) == moments


@given(points(), points(), levels, shares, places)
def test_two_nodes_have_a_floor_from_their_disagreement(first, second, gamma, share, apart):
    node = [Curve((first.L, first.mu), (first.mu,)), Curve((second.mu, second.L), (second.L,))]
    x = apart + first.r / 7
    (value_1, slope_1), (value_2, slope_2) = (curve.at(x) for curve in node)
    zeta = Fraction(5, 3)  # the gradients at the minimiser of the mean are zeta and -zeta
    F, slope = (value_1 + value_2) / 2, (slope_1 + slope_2) / 2
    L, mu = max(first.L, second.L), min(first.mu, second.mu)
    tau = share / ((1 + gamma) * L)
    noise = tau**2 / 4 * (gamma * ((slope_1 + zeta) ** 2 + (slope_2 - zeta) ** 2) + 2 * SIGMA2)
    moment = (x - tau * slope) ** 2 + noise
    assert moment <= (1 - tau * mu) * x**2 + tau**2 * (gamma * zeta**2 + SIGMA2 / 2)
    assert mu * x**2 / 2 <= F


def test_printed_steps_diverge_in_one_hundred_dimensions():
    d, gamma, tau = 100, Fraction(1, 10), 1 / (1 + Fraction(1, 10))
    moments = [Fraction(1)] * d
    for _ in range(10):
        moments = after(moments, [Fraction(1)] * d, tau, gamma)
    assert sum(moments) > 10**9 * d
