"""Enclosures of the hockey-stick divergence and of the privacy-loss law meet all else that is known of them."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.enclose import Enclosure, enclose, from_ball
from rgm_verify.gaussians.certified import chi_square
from rgm_verify.gaussians.certified import hockey_stick as room
from rgm_verify.gaussians.certified.chi_square import _central
from rgm_verify.gaussians.certified.hockey_stick import (
    chi_square_floor_enclosure,
    complement_enclosure,
    hockey_stick_by_contour,
    hockey_stick_by_series,
    hockey_stick_enclosure,
    hockey_stick_enclosures,
    loss_cdf_enclosure,
    loss_sf_enclosure,
)
from rgm_verify.gaussians.certified.probability import SMALLEST
from rgm_verify.gaussians.certified.trapezoid import Line, Quantity, lay

F = Fraction
ZERO = F(0)

shifts = st.one_of(
    st.just(ZERO),
    st.fractions(min_value=F(1, 1000), max_value=30, max_denominator=1000),
    st.integers(-20, 8).map(lambda k: F(10) ** k),
)
wide = st.one_of(
    st.fractions(min_value=F(1, 50), max_value=50, max_denominator=100), st.integers(-15, 1).map(lambda k: F(10) ** k)
)
narrow = wide.map(lambda w: -w / (1 + w))
excesses = st.one_of(wide, narrow)
dimensions = st.one_of(st.integers(1, 12), st.sampled_from([100, 10_000, 10**6]))
digit_counts = st.sampled_from([10, 15, 25, 40])


def moments(shift, excess, dimension):
    """Return mean and standard deviation of the privacy loss under P, in floats."""
    mean = shift / 2 * (1 + excess) + dimension / 2 * (excess - math.log1p(excess))
    return float(mean), math.sqrt(shift * (1 + excess) ** 3 + dimension * excess * excess / 2)


@st.composite
def questions(draw, most_terms=None, excess=excesses):
    """A pair and an epsilon where something happens: some deviations from the mean of the loss, or near 0."""
    pair = draw(shifts), draw(excess), draw(dimensions)
    if most_terms is not None:
        assume(pair[0] * max(1 + pair[1], F(1)) <= 2 * most_terms * pair[1] ** 2)
    mean, deviation = moments(*map(float, pair[:2]), pair[2])
    steps = draw(st.fractions(min_value=-8, max_value=12, max_denominator=50))
    centre = draw(st.sampled_from([0, 1]))
    return F(centre * mean + float(steps) * deviation).limit_denominator(10**40), pair


def is_tight(found: Enclosure, digits: int) -> bool:
    return found.width() * 10**digits <= found.lower or found == Enclosure(ZERO, SMALLEST)


def reversed_pair(pair):
    shift, excess, dimension = pair
    return shift / (1 + excess), -excess / (1 + excess), dimension


def combined(x, other: Enclosure) -> Enclosure:
    """Return 1 - e^x + e^x H for H in `other`."""
    with precision(500):
        low, high = (from_ball(-ball(x).expm1() + ball(x).exp() * ball(end)) for end in (other.lower, other.upper))
    return Enclosure(low.lower, high.upper)


# ------------------------------------------------------------------------------------------------ two routes


@settings(max_examples=60)
@given(question=questions(most_terms=200), digits=digit_counts)
def test_contour_and_series_enclose_one_number_as_tightly_as_asked(question, digits):
    x, pair = question
    contour, series = (route(x, *pair, digits=digits) for route in (hockey_stick_by_contour, hockey_stick_by_series))
    assert contour.overlaps(series)
    assert is_tight(contour, digits)


@settings(max_examples=60)
@given(question=questions(), digits=digit_counts)
def test_every_pair_is_enclosed_as_tightly_as_asked_at_two_precisions(question, digits):
    x, pair = question
    coarse, fine = (hockey_stick_by_contour(x, *pair, digits=n) for n in (digits, digits + 25))
    assert coarse.overlaps(fine)
    assert is_tight(coarse, digits)
    assert is_tight(fine, digits + 25)


@settings(max_examples=40)
@given(question=questions(excess=st.just(ZERO)), digits=digit_counts)
def test_equal_variances_are_the_gaussian_case(question, digits):
    x, pair = question
    assume(pair[0] > 0)
    closed, contour = (f(x, *pair, digits=digits) for f in (hockey_stick_enclosure, hockey_stick_by_contour))
    assert closed.overlaps(contour)
    assert is_tight(closed, digits)
    assert is_tight(contour, digits)


@settings(max_examples=30)
@given(excess=excesses, dimension=dimensions, x=st.fractions(min_value=-3, max_value=20, max_denominator=30))
def test_equal_means_are_the_central_chi_square_case(excess, dimension, x):
    floor = chi_square_floor_enclosure(x, excess, dimension, 20)
    assert floor.overlaps(hockey_stick_by_contour(x, ZERO, excess, dimension, digits=20))


def test_one_dimension_is_a_matter_of_error_functions():
    for shift, excess, x in [(F(1), F(1, 2), F(1)), (F(4), F(-1, 2), F(1, 10)), (F(9, 4), F(50), F(2))]:
        found = hockey_stick_by_contour(x, shift, excess, 1, digits=40)
        assert found.overlaps(enclose(interval_probability(shift, excess, x), {}, digits=40))


def interval_probability(shift, excess, x):
    """Return H in d = 1: the loss is quadratic in z, so the region is an interval or its complement."""
    root, w, loss = (sympy.sqrt(sympy.Rational(str(shift))), sympy.Rational(str(excess)), sympy.Rational(str(x)))
    v = 1 + w
    a, b, c = w / (2 * v), root / v, -(root**2) / (2 * v) - sympy.log(v) / 2 - loss
    ends = [(-b + sign * sympy.sqrt(b * b - 4 * a * c)) / (2 * abs(a)) * sympy.sign(a) for sign in (-1, 1)]
    below, above = sorted(ends, key=lambda end: end.evalf(30))
    inside = cdf((above - root) / sympy.sqrt(v)) - cdf((below - root) / sympy.sqrt(v))
    inside_q = cdf(above) - cdf(below)
    if w > 0:
        return 1 - inside - sympy.exp(loss) * (1 - inside_q)
    return inside - sympy.exp(loss) * inside_q


def cdf(z):
    return sympy.erfc(-z / sympy.sqrt(2)) / 2


@pytest.mark.parametrize(("shift", "excess", "x"), [("1", "1/2", "1"), ("1", "-1/2", "1/10"), ("4", "2", "3")])
def test_quadrature_of_the_density_between_its_break_points_agrees(shift, excess, x):
    found = hockey_stick_by_contour(F(x), F(shift), F(excess), 1, digits=25)
    with mpmath.workdps(45):
        value, error = density_quadrature(*(mpmath.mpf(F(n).numerator) / F(n).denominator for n in (shift, excess, x)))
        assert error < mpmath.mpf(10) ** -25
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        assert low - error <= value <= high + error


def density_quadrature(shift, w, x):
    """Return the integral of (p - e^x q)_+ in d = 1 with the error that mpmath estimates."""
    v, m = 1 + w, mpmath.sqrt(shift)
    a, b, c = w / (2 * v), m / v, -shift / (2 * v) - mpmath.log(v) / 2 - x
    spread = mpmath.sqrt(b * b - 4 * a * c)
    low, high = sorted([(-b - spread) / (2 * a), (-b + spread) / (2 * a)])

    def density(z):
        return mpmath.npdf(z, m, mpmath.sqrt(v)) - mpmath.exp(x) * mpmath.npdf(z)

    if w < 0:
        return mpmath.quad(density, mpmath.linspace(low, high, 5), error=True)
    left = mpmath.quad(density, [-mpmath.inf, low - 20, low - 8, low - 3, low], error=True)
    right = mpmath.quad(density, [high, high + 3, high + 8, high + 20, mpmath.inf], error=True)
    return left[0] + right[0], left[1] + right[1]


# ------------------------------------------------------------------------------------------------- laws


@settings(max_examples=50)
@given(question=questions(), digits=digit_counts)
def test_the_reversed_pair_answers_for_the_opposite_epsilon(question, digits):
    x, pair = question
    assume(abs(x) < 100)
    reverse = hockey_stick_by_contour(-x, *reversed_pair(pair), digits=digits)
    assert combined(x, reverse).overlaps(hockey_stick_by_contour(x, *pair, digits=digits))


@settings(max_examples=40)
@given(question=questions(), step=st.fractions(min_value=F(1, 100), max_value=3, max_denominator=100))
def test_hockey_stick_is_nonincreasing_in_epsilon(question, step):
    x, pair = question
    near, far = (hockey_stick_by_contour(place, *pair) for place in (x, x + step))
    assert far.lower <= near.upper


@settings(max_examples=40)
@given(question=questions())
def test_hockey_stick_and_its_complement_add_to_one(question):
    x, pair = question
    value, rest = (f(x, *pair, digits=15) for f in (hockey_stick_by_contour, complement_enclosure))
    assert value.lower + rest.lower <= 1 <= value.upper + rest.upper
    assert is_tight(rest, 15)


@settings(max_examples=40)
@given(question=questions())
def test_hockey_stick_is_a_difference_of_two_tails_of_the_loss(question):
    x, pair = question
    assume(abs(x) < 100)
    under_p, under_q = (loss_sf_enclosure(x, *pair, under=law, digits=40) for law in ("P", "Q"))
    with precision(300):
        factor = ball(x).exp()
        tails = [
            from_ball(ball(p) - factor * ball(q))
            for p, q in ((under_p.lower, under_q.upper), (under_p.upper, under_q.lower))
        ]
    assert Enclosure(tails[0].lower, tails[1].upper).overlaps(hockey_stick_by_contour(x, *pair))


@settings(max_examples=40)
@given(question=questions(), under=st.sampled_from(["P", "Q"]))
def test_both_tails_of_the_loss_are_tight_and_add_to_one(question, under):
    x, pair = question
    lower, upper = (f(x, *pair, under=under) for f in (loss_cdf_enclosure, loss_sf_enclosure))
    assert lower.lower + upper.lower <= 1 <= lower.upper + upper.upper
    assert is_tight(lower, 15)
    assert is_tight(upper, 15)


@settings(max_examples=25)
@given(question=questions(most_terms=100))
def test_the_loss_under_q_is_the_loss_of_the_reversed_pair_turned_round(question):
    x, pair = question
    direct = loss_cdf_enclosure(x, *pair, under="Q")
    assert direct.overlaps(loss_sf_enclosure(-x, *reversed_pair(pair), under="P"))


@settings(max_examples=12)
@given(question=questions(), digits=st.sampled_from([10, 15, 30]), data=st.data())
def test_shared_nodes_enclose_what_single_values_enclose(question, digits, data):
    x, pair = question
    deviation = F(moments(*map(float, pair[:2]), pair[2])[1])
    places = data.draw(st.lists(st.integers(-30, 60), min_size=1, max_size=12))
    many = [x + place * deviation / 10 for place in places]
    found = hockey_stick_enclosures(many, *pair, digits=digits)
    for place, value in zip(many, found, strict=True):
        assert value.overlaps(hockey_stick_by_contour(place, *pair, digits=digits + 5))
        assert is_tight(value, digits)


@settings(max_examples=30)
@given(question=questions(), centre=st.floats(-0.3, 0.3), step=st.floats(-0.4, 0.4))
def test_a_badly_placed_line_is_wide_but_never_wrong(question, centre, step):
    """Whatever steering does, the enclosure holds: the bounds know nothing of how the line was found."""
    x, pair = question
    good = hockey_stick_by_contour(x, *pair, digits=20)
    laid = lay(*pair, x, Quantity.HOCKEY_STICK, 30.0)
    assume(laid is not None)
    moved = type(laid)(
        laid.centre + centre * (laid.right - laid.left) / 2,
        laid.step * math.exp(step),
        *(laid.left, laid.right, laid.goal, laid.nats, laid.size, laid.deviation),
    )
    assume(moved.left < moved.centre < moved.right)
    with precision(300):
        value = from_ball(Line(*pair, x, moved, Quantity.HOCKEY_STICK).at(x))
    assert value.indeterminate or value.overlaps(good)


# ---------------------------------------------------------------------------------------------- corner cases

CORNERS = [
    ("1", "1e-15", 1, "1"), ("1e-20", "1e-15", 1, "0"), ("1e-20", "1e-15", 1, "-1e-9"),
    ("1e-20", "1e-15", 10**6, "1e-9"), ("1", "50", 1, "1"), ("1", "50", 1, "-2"), ("1e8", "50", 10**6, "1e9"),
    ("1", "-0.999999", 3, "1"), ("1", "-0.999999", 1, "500000"), ("1e8", "1/2", 3, "100"),
    ("1e8", "-1e-15", 10**6, "49999000"), ("1e-20", "1", 1, "1"), ("0", "1", 1, "1"), ("0", "-1/2", 1, "1/3"),
    ("1/100", "1/100", 10**6, "300"), ("1", "1/10", 10, "200"), ("1e-400", "1", 2, "1"), ("1", "1/10", 10, "60"),
    ("1", "-1/10", 10, "5.526802578"),
]  # fmt: skip


@pytest.mark.parametrize(("shift", "excess", "dimension", "x"), CORNERS)
def test_corners_are_tight_and_agree_with_the_reversed_pair(shift, excess, dimension, x):
    pair, x = (F(shift), F(excess), dimension), F(x)
    found = hockey_stick_by_contour(x, *pair, digits=15)
    assert is_tight(found, 15)
    if abs(x) <= 500:
        assert found.overlaps(combined(x, hockey_stick_by_contour(-x, *reversed_pair(pair), digits=60)))


def test_a_divergence_of_1e_minus_200_is_as_tight_as_any_other():
    found = hockey_stick_enclosure(F(60), F(1), F(1, 10), 10, digits=30)
    assert F(1, 10**210) < found.lower < F(1, 10**100)
    assert is_tight(found, 30)
    assert found.overlaps(hockey_stick_by_series(F(60), F(1), F(1, 10), 10, digits=30))


def test_a_divergence_without_a_storable_size_has_the_lower_end_zero():
    assert hockey_stick_enclosure(F(10) ** 6, F(1), F(1), 1) == Enclosure(ZERO, SMALLEST)
    assert hockey_stick_enclosure(F(10) ** 6, F(1), ZERO, 1) == Enclosure(ZERO, SMALLEST)


def test_what_floats_cannot_steer_is_decided_by_chernoff():
    tiny = (F(1, 10**31), F(1, 10**26), 1)
    assert hockey_stick_enclosure(F(6), *tiny) == Enclosure(ZERO, SMALLEST)
    for law in ("P", "Q"):
        assert loss_sf_enclosure(F(6), *tiny, under=law) == Enclosure(ZERO, SMALLEST)
        cdf = loss_cdf_enclosure(F(6), *tiny, under=law)
        assert is_tight(cdf, 15)
        assert str(cdf).endswith(", 1]")


@settings(max_examples=40)
@given(question=questions(), far=st.integers(0, 3), quantity=st.sampled_from(list(Quantity)))
def test_what_chernoff_decides_holds_what_the_contour_finds(question, far, quantity):
    x, pair = question
    x *= 100**far
    assume(room._beyond_the_range(x, pair, quantity, 5) is None)
    assert room._beyond_floats(x, pair, quantity).overlaps(room._enclose(x, pair, quantity, 10))


def test_many_deviations_of_equal_variances_are_tight():
    assert is_tight(hockey_stick_enclosure(F(500015387030), F(10) ** 12, ZERO, 10), 15)


@pytest.mark.parametrize("x", [F(10) ** 400, -(F(10) ** 400)])
@pytest.mark.parametrize("shift", [F(10) ** 400, F(1, 10**400)])
def test_numbers_beyond_the_range_of_floats_give_something_true(shift, x):
    found = hockey_stick_enclosure(x, shift, F(1), 2)
    assert 0 <= found.lower <= found.upper <= 1
    assert x > 0 or found.upper == 1


def test_equal_distributions_have_no_loss():
    for x, value in ((F(1), ZERO), (ZERO, ZERO)):
        assert hockey_stick_enclosure(x, ZERO, ZERO, 3) == Enclosure(value, value)
    assert hockey_stick_enclosure(F(-1), ZERO, ZERO, 3).overlaps(enclose(1 - sympy.exp(-1), {}))
    assert loss_cdf_enclosure(ZERO, ZERO, ZERO, 3) == Enclosure(F(1), F(1))
    assert loss_cdf_enclosure(F(-1), ZERO, ZERO, 3) == Enclosure(ZERO, ZERO)


def test_beyond_the_range_of_the_loss_nothing_is_left():
    # L <= (D^2 / |w| - d log v) / 2 = 2 log 2 + 1 for D^2 = 1, w = -1/2, d = 4.
    assert hockey_stick_enclosure(F(24, 10), F(1), F(-1, 2), 4) == Enclosure(ZERO, ZERO)
    assert hockey_stick_enclosure(F(23, 10), F(1), F(-1, 2), 4).lower > 0
    assert loss_sf_enclosure(F(24, 10), F(1), F(-1, 2), 4) == Enclosure(ZERO, ZERO)
    # L >= -(d log v + D^2 / w) / 2: below, H = 1 - e^x.
    below = hockey_stick_enclosure(F(-5), F(1), F(1), 2)
    assert below.overlaps(enclose(1 - sympy.exp(-5), {}))
    assert loss_cdf_enclosure(F(-5), F(1), F(1), 2, under="Q") == Enclosure(ZERO, ZERO)


def test_the_series_refuses_equal_variances_and_what_takes_too_long():
    with pytest.raises(ValueError, match="excess=0"):
        hockey_stick_by_series(F(1), F(1), ZERO, 1)
    assert hockey_stick_by_series(F(1), F(1), F(1, 10**6), 1) == Enclosure(ZERO, F(1))


@pytest.mark.parametrize(("excess", "terms"), [(F(1, 10), 60), (F(-1, 10), 60), (F(1, 10), 75), (F(-1, 10), 75)])
def test_a_series_cut_short_is_wide_but_never_wrong(monkeypatch, excess, terms):
    full = hockey_stick_by_contour(F(1), F(1), excess, 3, digits=40)
    monkeypatch.setattr(chi_square, "_last_term", lambda rate: terms)
    monkeypatch.setattr(chi_square, "MAXIMUM_TERMS", terms)
    short = hockey_stick_by_series(F(1), F(1), excess, 3, digits=40)
    assert short.width() > full.width()
    assert short.lower <= full.lower
    assert full.upper <= short.upper


def test_another_law_is_refused():
    with pytest.raises(ValueError, match="under='R'"):
        loss_cdf_enclosure(F(1), F(1), F(1), 1, under="R")


@given(twice=st.integers(1, 400), z=st.floats(1e-3, 1e3))
def test_incomplete_gammas_of_half_integer_order_agree_with_those_of_arb(twice, z):
    with precision(192):
        lower, upper = _central(twice, arb(z))
        reference = arb(z).gamma_upper(arb(twice) / 2, regularized=1)
        assert upper.overlaps(reference)
        assert lower.overlaps(1 - reference)
        assert max(lower.rel_accuracy_bits(), upper.rel_accuracy_bits()) > 128
