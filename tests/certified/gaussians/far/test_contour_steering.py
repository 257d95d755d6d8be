"""Steering the contour: the formulas that place a line are those of the text, and the line is close to the best one."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.gaussians.certified import hockey_stick as room
from rgm_verify.gaussians.certified import steering, trapezoid
from rgm_verify.gaussians.certified.probability import missing_bits
from rgm_verify.gaussians.certified.steering import Exponent
from rgm_verify.gaussians.certified.trapezoid import Line, Quantity, lay

F = Fraction
Pair = tuple[Fraction, Fraction, int]
PAIRS: list[Pair] = [
    (F(1), F(1, 10), 10), (F(1), F(-1, 10), 10), (F(4), F(0), 3), (F(0), F(1, 2), 5), (F(9, 4), F(50), 1),
    (F(1), F(-1, 2), 4), (F(100), F(-49, 50), 2), (F(1, 1000), F(1, 100), 10**6), (F(10) ** -20, F(10) ** -15, 1),
]  # fmt: skip
DEVIATIONS = (-12, -5, -2, -1, 0, 1, 2, 5, 12)
NATS = 40.0


def real(value: Fraction | float) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mpmath.mpf(value)


def at_deviation(pair: Pair, steps: float) -> Fraction:
    """The mean of the loss under P and so many standard deviations."""
    shift, w, d = float(pair[0]), float(pair[1]), pair[2]
    mean, variance = shift / 2 * (1 + w) + d / 2 * (w - math.log1p(w)), shift * (1 + w) ** 3 + d * w * w / 2
    return F(mean + steps * math.sqrt(variance))


def places() -> list[tuple[Pair, Fraction]]:
    found = [(pair, at_deviation(pair, k)) for pair in PAIRS for k in DEVIATIONS]
    inside = [(pair, x) for pair, x in found if room._beyond_the_range(x, pair, Quantity.HOCKEY_STICK, 5) is None]
    # Beside the end of the range of the loss, and where x and the order 0 are close.
    return [*inside, ((F(1), F(-1, 10), 10), F("5.526802578")), ((F(1), F(1, 10), 10), F(0)), ((F(1), F(1), 2), F(-1))]


PLACES = places()
OF_PAIR = {pair: [x for other, x in PLACES if other == pair] for pair, _ in PLACES}
every_pair = pytest.mark.parametrize("pair", OF_PAIR, ids=str)


def exponent_at(pair: Pair, x: Fraction) -> Exponent:
    return Exponent(float(pair[0]), float(pair[1]), float(1 + pair[1]), pair[2], *trapezoid._slope_and_decay(*pair, x))


class Exact:
    """F of one pair at x, as the text has it, in mpmath."""

    def __init__(self, pair: Pair, x: Fraction) -> None:
        self.shift, self.w, self.d = real(pair[0]), real(pair[1]), pair[2]
        self.slope = mpmath.mpf(self.d) / 2 * mpmath.log1p(self.w) + real(x)
        self.decay = self.shift / 8 + self.w * self.slope / 4

    def root(self, t: mpmath.mpf) -> mpmath.mpf:
        return 1 - self.w * t / 2

    def order(self, t: mpmath.mpf) -> mpmath.mpf:
        return t - self.w * t**2 / 4

    def terms(self, t: mpmath.mpf) -> list[mpmath.mpf]:
        r, s = self.root(t), self.order(t)
        return [self.shift * s * (s + 1) / (2 * r * r), -(self.d - 1) * mpmath.log(r), -s * self.slope]

    def value(self, t: mpmath.mpf) -> mpmath.mpf:
        return mpmath.fsum(self.terms(t))


def points(pair: Pair) -> list[float]:
    if not pair[1]:
        return [-3.0, -0.5, 0.0, 1e-3, 2.0, 40.0]
    return [2 * (1 - r) / float(pair[1]) for r in (0.05, 0.5, 0.999, 1.0, 1.5, 30.0, 1e4)]


# -------------------------------------------------------------------------------------------------- the exponent


@every_pair
@pytest.mark.parametrize("nearest", [None, 0.0, math.inf])
def test_value_derivative_and_curvature_are_those_of_the_formula_in_both_forms(pair, nearest, monkeypatch):
    """Both forms at every place: they are one function. An error is measured by the largest term."""
    if nearest is not None:
        monkeypatch.setattr(steering, "_NEAREST", nearest)
    for x in OF_PAIR[pair]:
        found = exponent_at(pair, x)
        with mpmath.workdps(40):
            exact = Exact(pair, x)
            if nearest == math.inf and pair[1]:
                assert found.near_end
            for place in points(pair):
                t = mpmath.mpf(place)
                r, form = exact.root(t), [abs(term) for term in exact.terms(t)]
                if found.near_end:
                    if not pair[1]:
                        continue
                    a, b = exact.shift / (2 * exact.w**2), 4 * exact.decay / exact.w**2
                    form = [a * (1 + exact.w) / r**2, b * r**2, a * (2 + exact.w), abs(exact.slope / exact.w)]
                scale = max(form)
                assert abs(found.root(place) - r) <= 1e-15 * (1 + abs(r))
                assert abs(found.order(place) - exact.order(t)) <= 1e-15 * (abs(t) + abs(exact.order(t)))
                assert abs(found.value(place) - exact.value(t)) <= 1e-11 * scale
                steepness = abs(exact.w) / r + abs(r) / max(abs(exact.order(t)), mpmath.mpf("1e-12"))
                slopes = scale * steepness + abs(r * exact.slope) + abs(r * exact.shift)
                assert abs(found.derivative(place) - mpmath.diff(exact.value, t)) <= 1e-10 * slopes
                second = mpmath.diff(exact.value, t, 2)
                assert second > 0
                assert abs(found.curvature(place) - second) <= 1e-10 * second


@every_pair
def test_the_size_is_the_sum_of_the_terms_and_of_those_that_meet_in_them(pair):
    for x in OF_PAIR[pair]:
        found = exponent_at(pair, x)
        with mpmath.workdps(40):
            exact = Exact(pair, x)
            for place in points(pair):
                t = mpmath.mpf(place)
                s, r = exact.order(t), exact.root(t)
                least = mpmath.fsum(abs(term) for term in exact.terms(t))
                most = least + abs(mpmath.log(r)) + abs(s) * exact.d
                assert least * (1 - 1e-9) <= found.size(place) <= most * (1 + 1e-9)
                assert found.size(place) >= (abs(s) * exact.d) * (1 - 1e-9)


@pytest.mark.parametrize(("share", "near"), [(0.9e-3, True), (1.1e-3, False), (-0.5, True), (0.5, False)])
@pytest.mark.parametrize("excess", [0.5, -0.5])
@pytest.mark.parametrize("shift", [0.0, 16.0])
def test_the_end_is_near_where_the_decay_is_a_small_difference(share, near, excess, shift):
    slope = -3.0
    decay = share * (shift / 8 + abs(excess * slope) / 4)
    assert Exponent(shift, excess, 1 + excess, 3, slope, decay).near_end is near


@every_pair
def test_slope_and_decay_keep_their_digits_through_cancellation(pair):
    for x in OF_PAIR[pair]:
        near = [x]
        with mpmath.workdps(120):
            w, half_log = real(pair[1]), mpmath.mpf(pair[2]) / 2 * mpmath.log1p(real(pair[1]))
            # Where m is 0, and where beta is 0, to 70 digits.
            near.append(F(mpmath.nstr(-half_log, 70)))
            if w:
                near.append(F(mpmath.nstr(-half_log - real(pair[0]) / (2 * w), 70)))
            for place in near:
                exact = Exact(pair, place)
                slope, decay = trapezoid._slope_and_decay(*pair, place)
                assert abs(slope - exact.slope) <= abs(exact.slope) * mpmath.mpf(2) ** -39
                assert abs(decay - exact.decay) <= abs(exact.decay) * mpmath.mpf(2) ** -39


def test_the_digits_of_slope_and_decay_are_asked_for_and_not_hundreds_more(monkeypatch):
    asked = []
    original = trapezoid.precision
    monkeypatch.setattr(trapezoid, "precision", lambda bits: asked.append(bits) or original(bits))
    trapezoid._slope_and_decay(F(1), F(1, 10), 10, F(1))
    assert asked == [64]
    asked.clear()
    assert trapezoid._slope_and_decay(F(1), F(0), 10, F(0)) == (0.0, 0.125)
    assert len(asked) <= 8


# ------------------------------------------------------------------------------------------- tangents and the saddle


def counted(monkeypatch) -> list[float]:
    """The places where the curvature is asked for: once for each step of Newton's method."""
    steps: list[float] = []
    original = Exponent.curvature
    monkeypatch.setattr(Exponent, "curvature", lambda self, t: steps.append(t) or original(self, t))
    return steps


@every_pair
def test_the_saddle_is_the_minimum_after_few_steps(pair, monkeypatch):
    steps = counted(monkeypatch)
    for x in OF_PAIR[pair]:
        exponent = exponent_at(pair, x)
        steps.clear()
        middle = steering.saddle(exponent)
        assert len(steps) <= 4
        flat = abs(float(pair[1])) / (4 * math.sqrt(exponent.decay))
        if pair[2] == 1 and exponent.root(middle) <= flat * (1 + 1e-9):
            # The derivative does not change its sign before r = 0, or only behind the place.
            assert exponent.root(middle) == pytest.approx(flat, rel=1e-9)
            assert math.copysign(1, exponent.derivative(middle)) == -math.copysign(1, float(pair[1]))
            continue
        assert abs(exponent.derivative(middle)) <= 0.02 * math.sqrt(exponent.curvature(middle))


@every_pair
@pytest.mark.parametrize("steepness", [-30.0, -3.0, 0.0, 3.0, 30.0])
@pytest.mark.parametrize("start", [-2.0, 0.0, 2.0])
def test_a_tangent_touches_with_its_slope_or_stops_at_the_floor(pair, steepness, start):
    for x in OF_PAIR[pair]:
        exponent = exponent_at(pair, x)
        middle = steering.saddle(exponent)
        deviation = math.sqrt(exponent.curvature(middle))
        floor = exponent.root(middle) * 1e-3
        slope, begin = steepness * deviation, middle + start / deviation
        if exponent.root(begin) <= floor:
            begin = middle
        t = exponent.tangent(slope, begin, floor)
        assert exponent.root(t) >= floor * (1 - 1e-6)
        if exponent.root(t) <= floor * (1 + 1e-6):
            # The slope is reached behind the floor only: F' rises in t, and r falls in w t.
            assert (exponent.derivative(t) - slope) * float(pair[1]) < 0
        else:
            assert abs(exponent.derivative(t) - slope) <= 0.05 * math.sqrt(exponent.curvature(t))


# ------------------------------------------------------------------------------------------------------- the goal


def logarithm_of(x: Fraction, pair: Pair, quantity: Quantity) -> float:
    """The logarithm of the integral with its residues: under Q the factor exp(-x) is not in it."""
    found = room._enclose(x, pair, quantity, 10)
    with precision(64):
        total = float(((ball(found.lower) + ball(found.upper)) / 2).log())
    return total + (float(x) if quantity.sides[0] is None else 0.0)


@pytest.mark.parametrize("quantity", Quantity)
def test_the_goal_is_near_the_logarithm_of_what_is_asked(quantity):
    """Laplace's method is good to a tenth in the tails; in the bulk, where it is cut, to a factor of about two."""
    for pair, x in PLACES:
        laid = lay(*pair, x, quantity, NATS)
        assert laid is not None
        difference = laid.goal - logarithm_of(x, pair, quantity)
        assert -1.01 <= difference <= 0.85, (pair, x)


@pytest.mark.parametrize("quantity", Quantity)
@pytest.mark.parametrize(
    "pair", [(F(1, 100), F(1, 3), 1), (F(1, 10_000), F(1, 50), 1), (F(0), F(-1, 3), 1), (F(0), F(1, 3), 1)], ids=str
)
def test_the_goal_is_good_to_a_factor_of_twelve_where_the_path_ends_beside_the_pole(pair, quantity):
    """In one dimension, near the end of the range: Laplace's point lies behind r = 0 and is taken on this side."""
    for steps in (-1, -0.9, -0.8, -0.5, 0.5, 0.9, 1, 3):
        x = at_deviation(pair, steps)
        if room._beyond_the_range(x, pair, quantity, 5) is None:
            laid = lay(*pair, x, quantity, NATS)
            assert laid is not None
            assert -1.01 <= laid.goal - logarithm_of(x, pair, quantity) <= 2.5, x


@pytest.mark.parametrize(
    ("pair", "x"),
    [((F(1, 10_000), F(1, 50), 10), F(-1, 10)), ((F(1, 100), F(1, 50), 10), F(-33, 100)), ((F(0), F(2), 2), None),
     ((F(0), F(1, 50), 2), None)],
)  # fmt: skip
def test_the_goal_is_not_below_what_every_divergence_is_at_least(pair, x):
    """H >= 1 - exp(x): near the lower end of the range, or at its nearest float, that is nearly all."""
    x = F(math.nextafter(-math.log1p(float(pair[1])) * pair[2] / 2, 0)) if x is None else x
    laid = lay(*pair, x, Quantity.HOCKEY_STICK, NATS)
    assert laid is not None
    assert abs(laid.goal - math.log(-math.expm1(x))) < 1e-9


@pytest.mark.parametrize("quantity", Quantity)
def test_in_the_tails_the_goal_is_that_of_laplace(quantity):
    """Half of the goals below exp(-5) are off by less than a tenth."""
    differences = []
    for pair, x in PLACES:
        true = logarithm_of(x, pair, quantity)
        if true - (float(x) if quantity.sides[0] is None else 0.0) < -5:
            laid = lay(*pair, x, quantity, NATS)
            assert laid is not None
            differences.append(abs(laid.goal - true))
    assert len(differences) >= 8
    assert float(np.median(differences)) < 0.1


# ------------------------------------------------------------------------------------------------------- the line


def setting(pair: Pair, x: Fraction, quantity: Quantity):
    """The exponent, the poles of the kernel and the logarithm of its absolute value, from the text."""
    exponent = exponent_at(pair, x)
    has_zero, has_one = (side is not None for side in quantity.sides)
    poles = [0.0] * has_zero + [-2 / (1 + math.sqrt(1 + float(pair[1])))] * has_one

    def kernel(t: float) -> float:
        s = exponent.order(t)
        return -math.log(abs(s if has_zero else 1.0)) - math.log(abs(s + 1 if has_one else 1.0))

    return exponent, poles, kernel


def demand(pair: Pair, x: Fraction, quantity: Quantity, laid, nats: float):
    """The distance in nats of a line from the centre, in steps: the logarithm of its bound over what is allowed."""
    exponent, _, kernel = setting(pair, x, quantity)
    margin = nats - laid.goal + math.log(math.pi / exponent.decay) / 2 - math.log(2 * math.pi)
    return lambda t: max(1.0, exponent.value(t) + kernel(t) + margin)


@pytest.mark.parametrize("quantity", Quantity)
@pytest.mark.parametrize("nats", [15.0, 40.0, 150.0])
def test_the_step_is_the_widest_that_both_outer_lines_allow(quantity, nats):
    for pair, x in PLACES:
        laid = lay(*pair, x, quantity, nats)
        assert laid is not None
        need, rate = demand(pair, x, quantity, laid, nats), 2 * math.pi / laid.step
        spare = [
            rate * (laid.right - laid.centre) - need(laid.right),
            rate * (laid.centre - laid.left) - need(laid.left),
        ]
        assert abs(min(spare)) <= 1e-9 * NATS
        exponent, poles, _ = setting(pair, x, quantity)
        assert laid.left < laid.centre < laid.right
        assert laid.nats == nats
        assert laid.deviation == pytest.approx(math.sqrt(exponent.curvature(steering.saddle(exponent))), rel=1e-9)
        # Between both lines the centre is where both demands are met, or the nearest place a unit off the poles.
        balanced = (need(laid.right) + need(laid.left)) / (laid.right - laid.left)
        centre = laid.right - need(laid.right) / balanced
        if all(abs(centre - pole) * balanced >= 1 for pole in poles):
            assert laid.centre == pytest.approx(centre, rel=1e-9)
            assert abs(max(spare)) <= 1e-9 * NATS
        else:
            free = [pole + side / balanced for pole in poles for side in (-1, 1)]
            free = [t for t in free if laid.left < t < laid.right]
            free = [t for t in free if all(abs(t - pole) * balanced >= 1 - 1e-9 for pole in poles)]
            nearest = min((abs(t - centre) for t in free), default=0.0)
            assert abs(laid.centre - centre) == pytest.approx(nearest, rel=1e-2, abs=1.1e-3 / balanced)


@pytest.mark.parametrize("quantity", Quantity)
def test_no_other_two_lines_allow_a_much_wider_step(quantity):
    """Over a grid of pairs of lines, where the integral is needed at all."""
    shares = []
    for pair, x in PLACES:
        laid = lay(*pair, x, quantity, NATS)
        assert laid is not None
        exponent, _, _ = setting(pair, x, quantity)
        need = demand(pair, x, quantity, laid, NATS)
        middle = steering.saddle(exponent)
        reach = math.sqrt(2 * NATS / exponent.curvature(middle))
        grid = [middle + k * reach / 20 for k in range(-80, 81)]
        if exponent.excess:
            grid += [2 * (1 - exponent.root(middle) * f) / exponent.excess for f in np.geomspace(1e-3, 30, 60)]
        lines = np.array(sorted(t for t in grid if exponent.root(t) > 0 and abs(exponent.order(t)) not in (0, 1)))
        needed = np.array([need(t) for t in lines])
        width = lines[None, :] - lines[:, None]
        rates = np.where(width > 0, (needed[None, :] + needed[:, None]) / np.where(width > 0, width, 1), np.inf)
        if needed.min() > 15:  # else the residues are nearly all, and a few nodes do
            shares.append(laid.step * rates.min() / (2 * math.pi))
    assert len(shares) > 25
    assert min(shares) > 0.75
    assert float(np.median(shares)) > 0.98


@pytest.mark.parametrize("quantity", Quantity)
def test_every_line_keeps_away_from_the_poles(quantity):
    """By half a step's worth of decay for the outer lines, a whole one for the centre, unless there is no room."""
    kept = total = 0
    for pair, x in PLACES:
        laid = lay(*pair, x, quantity, NATS)
        assert laid is not None
        _, poles, _ = setting(pair, x, quantity)
        rate = 2 * math.pi / laid.step
        outer = min(abs(line - pole) * rate for pole in poles for line in (laid.left, laid.right))
        centre = min(abs(laid.centre - pole) * rate for pole in poles)
        total += 1
        kept += outer >= 0.4 and centre >= 0.9
    assert kept >= 0.9 * total


@pytest.mark.parametrize("quantity", Quantity)
@pytest.mark.parametrize("digits", [5, 15, 40])
def test_the_width_asked_for_is_reached_at_the_first_precision_with_few_nodes(quantity, digits, monkeypatch):
    nodes = []

    class Counted(Line):
        def __init__(self, *arguments) -> None:
            super().__init__(*arguments)
            nodes.append(len(self.values))

    monkeypatch.setattr(room, "Line", Counted)
    for pair, x in PLACES:
        found = room._enclose(x, pair, quantity, digits)
        assert found.width() * 10**digits <= found.lower
    assert len(nodes) == len(PLACES)
    # About nats / pi nodes on one side of the centre of a Gaussian integrand, where the strip is as wide as wanted.
    assert max(nodes) <= 0.6 * (digits * math.log(10) + 5) + 2
    assert float(np.median(nodes)) <= 0.5 * (digits * math.log(10) + 5)


@pytest.mark.parametrize("quantity", Quantity)
def test_the_bits_planned_are_nearly_all_needed(quantity):
    """With twenty bits less than planned, ten of them spare, most values are no longer as tight as asked for."""
    loose = 0
    for pair, x in PLACES:
        laid = lay(*pair, x, quantity, 15 * math.log(10) + 5)
        with precision(room._bits(laid, -10)):
            loose += missing_bits(Line(*pair, x, laid, quantity).at(x), 15) > 0
    assert loose > len(PLACES) / 2


@pytest.mark.parametrize("extreme", [(F(10) ** 400, F(1), 1, F(1)), (F(1), F(1), 1, F(10) ** 400)])
def test_beyond_the_range_of_floats_there_is_no_plan(extreme):
    assert lay(*extreme, Quantity.HOCKEY_STICK, NATS) is None


def test_beyond_the_end_of_the_range_of_the_loss_there_is_no_plan():
    assert lay(F(1), F(-1, 2), 4, F(24, 10), Quantity.HOCKEY_STICK, NATS) is None
    assert lay(F(1), F(-1, 2), 4, F(23, 10), Quantity.HOCKEY_STICK, NATS) is not None


@pytest.mark.parametrize(
    "change",
    [{"left": 1.0}, {"left": 0.5}, {"right": 0.5}, {"right": 0.0}, {"step": 0.0}, {"step": -0.1}, {"step": math.nan},
     {"goal": math.nan},
     {"goal": -math.inf}, {"size": math.inf}, {"left": -math.inf}, {"right": math.inf}],
)  # fmt: skip
def test_a_plan_that_is_out_of_order_or_not_finite_is_none(change, monkeypatch):
    good = steering.Plan(centre=0.5, step=0.1, left=0.25, right=0.75, goal=-1.0, nats=40.0, size=5.0, deviation=1.0)
    monkeypatch.setattr(trapezoid, "plan", lambda *a: dataclasses.replace(good, **change))
    assert lay(F(1), F(1, 10), 10, F(1), Quantity.HOCKEY_STICK, NATS) is None
    monkeypatch.setattr(trapezoid, "plan", lambda *a: good)
    assert lay(F(1), F(1, 10), 10, F(1), Quantity.HOCKEY_STICK, NATS) is good


# ------------------------------------------------------------------------------------------------ small functions


@pytest.mark.parametrize(
    ("line", "poles", "gap", "expected"),
    [
        (3.0, [0.0, -1.0], 0.5, 3.0),
        (0.1, [0.0, -1.0], 0.5, 0.5005),
        (-0.1, [0.0, -1.0], 0.4, -0.4004),
        (-0.9, [0.0, -1.0], 0.4, -0.5996),
        (-0.5, [0.0, -1.0], 0.7, 0.7007),
        (-0.6, [0.0, -1.0], 0.7, -1.7007),
        (0.5, [0.0], 0.5, 0.5),
        (-0.5, [0.0], 0.5, -0.5),
        (0.2, [], 0.5, 0.2),
    ],
)
def test_a_line_is_moved_to_the_nearest_place_off_the_poles(line, poles, gap, expected):
    assert steering._away(line, poles, gap, lambda t: True) == pytest.approx(expected, abs=1e-12)


def test_a_line_is_moved_only_where_it_may_lie_and_stays_where_nothing_is_free():
    assert steering._away(0.1, [0.0], 0.5, lambda t: t < 0) == pytest.approx(-0.5005)
    assert steering._away(0.1, [0.0], 0.5, lambda t: abs(t) < 0.3) == 0.1


@pytest.mark.parametrize("floor", [0.25, 2.0])
@pytest.mark.parametrize("excess", [0.5, -0.5])
def test_a_line_may_lie_where_its_root_is_not_below_the_floor(floor, excess):
    allowed = steering._inside(Exponent(1.0, excess, 1 + excess, 1, 1.0, 1.0), floor)
    edge = 2 * (1 - floor) / excess
    assert allowed(edge)
    assert allowed(edge - math.copysign(1e-6, excess))
    assert not allowed(edge + math.copysign(1e-6, excess))


def test_opposite_quantities_add_to_one_and_have_opposite_signs():
    for quantity in Quantity:
        assert quantity.opposite.opposite is quantity
        assert quantity.opposite is not quantity
        assert (quantity.sign, quantity.opposite.sign) in ((1, -1), (-1, 1))
        assert [side is None for side in quantity.sides] == [side is None for side in quantity.opposite.sides]
    rising = [quantity for quantity in Quantity if quantity.sign == 1]
    assert rising == [Quantity.HOCKEY_STICK, Quantity.SURVIVAL_P, Quantity.SURVIVAL_Q]
    pair, x = (F(1), F(1, 2), 3), F(1)
    for quantity in Quantity:
        one, other = (room._enclose(x, pair, q, 20) for q in (quantity, quantity.opposite))
        assert one.lower + other.lower <= 1 <= one.upper + other.upper
