"""The certified half of the contour, part by part: nodes, bounds of what is left out, residues, against mpmath."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.arithmetic import ball, exact, precision
from rgm_verify.gaussians.certified import hockey_stick as room
from rgm_verify.gaussians.certified import trapezoid
from rgm_verify.gaussians.certified.steering import Plan
from rgm_verify.gaussians.certified.trapezoid import Line, Quantity, Side, _steepest, lay

F = Fraction
Pair = tuple[Fraction, Fraction, int]
CASES: list[tuple[Pair, Fraction]] = [
    ((F(1), F(1, 10), 10), F(1)), ((F(1), F(-1, 10), 10), F(-1, 3)), ((F(4), F(0), 3), F(2)),
    ((F(9, 4), F(50), 1), F(30)), ((F(1), F(-1, 2), 4), F(2)), ((F(0), F(3), 2), F(0)),
]  # fmt: skip
BITS = 160


def number(value: Fraction | arb) -> mpmath.mpf:
    found = exact(value.mid()) if isinstance(value, arb) else value
    assert found is not None
    return mpmath.mpf(found.numerator) / found.denominator


def holds(found: arb, value: mpmath.mpf) -> bool:
    low, high = exact(found.lower()), exact(found.upper())
    assert low is not None
    assert high is not None
    return bool(number(low) <= value <= number(high))


def is_close(found: arb, value: mpmath.mpf, relative: float = 1e-7) -> bool:
    return bool(abs(number(found) - value) <= relative * abs(value))


def made(pair: Pair, x: Fraction, quantity: Quantity, nats: float = 30.0) -> Line:
    laid = lay(*pair, x, quantity, nats)
    assert laid is not None
    return Line(*pair, x, laid, quantity)


class Text:
    """The integrand of one pair at x along the path, as the text has it."""

    def __init__(self, pair: Pair, x: Fraction, quantity: Quantity) -> None:
        self.shift, self.w, self.d = number(pair[0]), number(pair[1]), pair[2]
        self.x, self.v = number(x), 1 + number(pair[1])
        self.factors = [side is not None for side in quantity.sides]
        self.decay = self.shift / 8 + self.w * (mpmath.mpf(self.d) / 2 * mpmath.log(self.v) + self.x) / 4

    def order(self, t: mpmath.mpc) -> mpmath.mpc:
        return t - self.w * t * t / 4

    def integrand(self, t: mpmath.mpc) -> mpmath.mpc:
        """exp(K(s) - s x) ds / dt times the kernel."""
        s, r = self.order(t), 1 - self.w * t / 2
        # log q = 2 log r: the path never comes to the cut of r.
        cumulant = self.shift * s * (s + 1) / (2 * r * r)
        cumulant -= mpmath.mpf(self.d) / 2 * (2 * mpmath.log(r) + s * mpmath.log(self.v))
        kernel = (s if self.factors[0] else 1) * (s + 1 if self.factors[1] else 1)
        return mpmath.exp(cumulant - s * self.x) * r / kernel


@pytest.mark.parametrize(("pair", "x"), CASES, ids=str)
@pytest.mark.parametrize("quantity", Quantity)
def test_nodes_are_orders_and_integrand_of_the_text(pair, x, quantity):
    with precision(BITS), mpmath.workprec(BITS + 60):
        line, text = made(pair, x, quantity), Text(pair, x, quantity)
        for k, (order, value) in enumerate(zip(line.orders, line.values, strict=True)):
            t = mpmath.mpc(line.plan.centre, k * mpmath.mpf(line.plan.step))
            for found, true in ((order, text.order(t)), (value, text.integrand(t))):
                assert holds(found.real, true.real)
                assert holds(found.imag, true.imag)
        for side, (order, value) in zip((line.plan.left, line.plan.right), line.outer, strict=True):
            assert holds(order.real, text.order(mpmath.mpf(side)))
            assert holds(value.real, mpmath.re(text.integrand(mpmath.mpc(side))))
        assert holds(line.decay(ball(x)), text.decay)
        assert holds(line.decay(ball(x + 1)), text.decay + text.w / 4)
        assert is_close(line.values[0].real, mpmath.re(text.integrand(mpmath.mpc(line.plan.centre))))


@pytest.mark.parametrize("excess", [F(1, 10**30), F(-1, 10**30), F(-1, 2), F(-3, 4), F(1, 10**30) - 1, F(10**30), F(0)])
def test_half_the_logarithm_of_the_variances_keeps_its_digits(excess):
    with precision(64), mpmath.workdps(60):
        line = Line(F(1), excess, 3, F(1), Plan(0.5, 0.25, 0.25, 0.75, 0.0, 1.0, 1.0, 1.0), Quantity.HOCKEY_STICK)
        assert holds(line.half_log, mpmath.mpf(3) / 2 * mpmath.log1p(number(excess)))
        assert line.half_log.rel_accuracy_bits() > 55 or not excess
        assert line.half_log == 0 or excess


@given(
    square=st.fractions(min_value=0, max_value=100, max_denominator=50),
    level=st.fractions(min_value=F(1, 10), max_value=10, max_denominator=50),
    share=st.fractions(min_value=0, max_value=20, max_denominator=50),
)
def test_the_steepest_fall_of_the_exponent_is_a_maximum_from_the_place_on(square, level, share):
    with precision(64):
        found = _steepest(ball(square), ball(level))

    def fall(u: Fraction) -> Fraction:
        return (u - 3 * level) / (level + u) ** 3

    assert number(fall(square + share)) <= number(found.upper())
    taken = fall(max(square, 5 * level))
    assert abs(number(found) - number(taken)) <= 1e-12 * abs(number(taken))


def test_where_no_ball_tells_whether_the_maximum_is_behind_the_greatest_fall_counts():
    with precision(64):
        wide = arb(5) + arb(0, 1)
        assert is_close(_steepest(wide, arb(1)), mpmath.mpf(1) / 108)


@pytest.mark.parametrize(("pair", "x"), CASES, ids=str)
@pytest.mark.parametrize("quantity", [Quantity.HOCKEY_STICK, Quantity.CDF_P, Quantity.SURVIVAL_Q])
def test_nodes_left_out_are_bounded_by_the_geometric_series_of_the_text(pair, x, quantity):
    with precision(BITS), mpmath.workprec(BITS):
        line, text = made(pair, x, quantity), Text(pair, x, quantity)
        h, centre = mpmath.mpf(line.plan.step), mpmath.mpf(line.plan.centre)
        level = (1 - text.w * centre / 2) ** 2
        values, held = line.values, 0
        sizes = [abs(text.integrand(mpmath.mpc(centre, k * h))) for k in range(len(values) + 30)]
        for count in range(1, len(values)):
            line.values = values[: count + 1]
            bound = line._left_out(values[count], line.decay(ball(x)))
            u = max((text.w * h * count / 2) ** 2, 5 * level)
            slower = text.decay - text.shift * text.v / 8 * (u - 3 * level) / (level + u) ** 3
            rate = 2 * count * h * h * slower
            if rate <= 0:
                assert bound == arb.pos_inf()
                continue
            assert is_close(bound, sizes[count] / (1 - mpmath.exp(-rate)))
            assert mpmath.fsum(sizes[count:]) <= number(bound.upper())
            held += 1
        assert held


def test_the_node_at_the_centre_alone_bounds_nothing():
    with precision(64):
        line = made((F(1), F(1, 10), 10), F(1), Quantity.HOCKEY_STICK)
        line.values = line.values[:1]
        assert line._left_out(line.values[0], line.decay(ball(F(1)))) == arb.pos_inf()
        assert line._left_out(line.values[0], arb(-1)) == arb.pos_inf()


def test_no_more_nodes_are_computed_than_the_greatest_number(monkeypatch):
    value = room.hockey_stick_enclosure(F(1), F(1), F(1, 10), 10)
    monkeypatch.setattr(trapezoid, "MAXIMUM_NODES", 5)
    with precision(64):
        line = made((F(1), F(1, 10), 10), F(1), Quantity.HOCKEY_STICK)
        assert len(line.values) == 5
        assert line.at(F(1)).overlaps(ball(value.lower))


@pytest.mark.parametrize(("pair", "x"), CASES, ids=str)
@pytest.mark.parametrize("quantity", [Quantity.HOCKEY_STICK, Quantity.CDF_P, Quantity.SURVIVAL_Q])
def test_the_aliases_are_bounded_by_gaussians_on_the_outer_lines(pair, x, quantity):
    """The sum over j > 0 of |G(b)| sqrt(pi / beta) / (2 pi) exp(-p j |b - c|), and the true integrals below it."""
    with precision(BITS), mpmath.workprec(BITS):
        line, text = made(pair, x, quantity), Text(pair, x, quantity)
        p, centre = 2 * mpmath.pi / mpmath.mpf(line.plan.step), mpmath.mpf(line.plan.centre)
        expected = integrals = mpmath.mpf(0)
        for b in (mpmath.mpf(line.plan.left), mpmath.mpf(line.plan.right)):
            gauss = abs(text.integrand(mpmath.mpc(b))) * mpmath.sqrt(mpmath.pi / text.decay) / (2 * mpmath.pi)
            fall = mpmath.exp(-p * abs(b - centre))
            expected += gauss * fall / (1 - fall)
            spread = 1 / mpmath.sqrt(text.decay)
            # The trapezoid rule of a function that is even and falls like a Gaussian is good to many digits.
            steps = [abs(text.integrand(mpmath.mpc(b, k * spread / 4))) for k in range(25)]
            size = (mpmath.fsum(steps) - steps[0] / 2) * spread / 4
            integrals += size / mpmath.pi * fall / (1 - fall)
        found = line._aliases([value for _, value in line.outer], line.decay(ball(x)))
        assert is_close(found, expected, 1e-6)
        assert integrals <= number(found.upper())


# --------------------------------------------------------------------------------------------------- residues


def placed(left: float, centre: float, right: float, quantity: Quantity = Quantity.HOCKEY_STICK) -> Line:
    """A line of one pair with its outer lines anywhere, v = 4: the poles lie at 0 and at -2/3."""
    return Line(F(1), F(3), 2, F(1), Plan(centre, 0.25, left, right, 0.0, 1.0, 1.0, 1.0), quantity)


def test_a_pole_lies_between_the_outer_lines_beside_them_or_it_is_unknown():
    with precision(128):
        line = placed(-0.25, 0.0625, 0.5)
        for place, pole in (("left", -0.3), ("inside", -0.2), ("inside", 0.4), ("right", 0.6)):
            assert line._place(arb(pole)) == place
        for pole in (arb(-0.25), arb(0.5), arb(-0.25, 0.01), arb(0.5, 0.01), arb(0, 2)):
            assert line._place(pole) == "unknown"
            assert not line._share(pole, Side.ABOVE).is_finite()
            assert not line._share(pole, Side.BELOW).is_finite()


def test_a_pole_counts_by_its_geometric_series_and_less_the_whole_residue_from_below():
    with precision(128), mpmath.workprec(160):
        line = placed(-0.25, 0.0625, 0.5)
        rate = 2 * mpmath.pi / mpmath.mpf(0.25)
        for pole in (-0.2, 0.0, 0.05, 0.0625 + 1e-6, 0.4):
            expected = 1 / (1 - mpmath.exp(-rate * (mpmath.mpf(pole) - 0.0625)))
            assert holds(line._share(arb(pole), Side.ABOVE), expected)
            assert holds(line._share(arb(pole), Side.BELOW), expected - 1)
            assert min(line._share(arb(pole), side).rel_accuracy_bits() for side in Side) > 90
        for pole, above in ((-0.3, 0), (0.6, 1)):
            assert line._share(arb(pole), Side.ABOVE) == above
            assert line._share(arb(pole), Side.BELOW) == above - 1


@pytest.mark.parametrize(
    ("left", "centre", "right"),
    [(-1.0, -0.5, 0.5), (-1.0, 0.25, 0.5), (-0.5, 0.25, 0.5), (0.1, 0.25, 0.5), (-2.0, -1.5, -1.0), (-0.6, -0.5, -0.1),
     (-1.0, -0.8, -0.1)],
)  # fmt: skip
@pytest.mark.parametrize("x", [F(0), F(1, 10**20), F(-1), F(3), F(60), F(-60)])
def test_both_residues_add_their_shares_without_loss(left, centre, right, x):
    with precision(256), mpmath.workprec(800):
        line = placed(left, centre, right)
        rate, low, high, middle = 2 * mpmath.pi / mpmath.mpf("0.25"), *map(mpmath.mpf, (left, right, centre))

        def share(pole: mpmath.mpf) -> mpmath.mpf:
            if low < pole < high:
                return 1 / (1 - mpmath.exp(-rate * (pole - middle)))
            return mpmath.mpf(pole > high)

        both = share(mpmath.mpf(0)) - share(-mpmath.mpf(2) / 3) * mpmath.exp(number(x))
        found = line._residues(ball(x))
        assert holds(found, both)
        assert both == 0 or found.rel_accuracy_bits() > 256 - 60
        assert holds(line._residues(ball(x)), both)


def test_two_poles_beside_each_other_lose_no_digits():
    """v = 10^40: the poles are 2e-20 apart, and their shares differ in the twentieth digit."""
    with precision(128), mpmath.workprec(800):
        line = Line(F(1), F(10**40), 2, F(1), Plan(-1e-20, 0.25, -1.0, 0.0, 0.0, 1.0, 1.0, 1.0), Quantity.HOCKEY_STICK)
        line.plan = dataclasses.replace(line.plan, right=1.0)
        line.centre = arb(-0.5)
        rate, second = 8 * mpmath.pi, -2 / (1 + mpmath.sqrt(1 + mpmath.mpf(10) ** 40))
        shares = [1 / (1 - mpmath.exp(-rate * (pole + mpmath.mpf("0.5")))) for pole in (mpmath.mpf(0), second)]
        found = line._residues(arb(0))
        assert holds(found, shares[0] - shares[1])
        assert found.rel_accuracy_bits() > 100
        assert line._residues(arb(0)).rel_accuracy_bits() > 100


@pytest.mark.parametrize(
    ("quantity", "of_zero", "of_one"),
    [(Quantity.COMPLEMENT, -1, -1), (Quantity.SURVIVAL_P, 0, None), (Quantity.CDF_P, -1, None),
     (Quantity.SURVIVAL_Q, None, 1), (Quantity.CDF_Q, None, 0)],
)  # fmt: skip
def test_each_kernel_has_the_residues_of_its_poles(quantity, of_zero, of_one):
    """With no pole between the lines: 0 left of both, or right of the pole at -1 and left of that at 0."""
    with precision(128), mpmath.workprec(200):
        line, x = placed(-0.5, -0.25, -0.125, quantity), F(3, 2)
        expected = mpmath.mpf(0)
        if of_zero is not None:  # 0 lies to the right
            expected += 1 if quantity.sides[0] is Side.ABOVE else 0
        if of_one is not None:  # -2/3 lies to the left
            residue = mpmath.exp(number(x)) * (1 if of_zero is None else -1)
            expected += 0 if quantity.sides[1] is Side.ABOVE else -residue
        assert holds(line._residues(ball(x)), expected)


# --------------------------------------------------------------------------------------------------- the value


@pytest.mark.parametrize(("pair", "x"), CASES, ids=str)
@pytest.mark.parametrize("quantity", Quantity)
@pytest.mark.parametrize("offset", [F(0), F(1, 70)])
def test_a_value_is_the_rule_and_its_residues_within_both_bounds(pair, x, quantity, offset):
    with precision(BITS), mpmath.workprec(BITS):
        line = made(pair, x, quantity)
        point = x + offset
        text = Text(pair, point, quantity)
        found = line.at(point)
        h, centre = mpmath.mpf(line.plan.step), mpmath.mpf(line.plan.centre)
        rule = mpmath.fsum(
            (1 if k == 0 else 2) * mpmath.re(text.integrand(mpmath.mpc(centre, k * h)))
            for k in range(len(line.values) - 1)
        )
        values, outer = line._moved(x - point)
        decay = line.decay(ball(point))
        error = 2 * number(line._left_out(values[-1], decay)) * h / (2 * mpmath.pi)
        error += number(line._aliases(outer, decay))
        value = quantity.sign * (rule * h / (2 * mpmath.pi) + number(line._residues(ball(point))))
        if quantity.sides[0] is None:
            value *= mpmath.exp(-number(point))
            error *= mpmath.exp(-number(point))
        low, high = exact(found.lower()), exact(found.upper())
        assert low is not None
        assert high is not None
        assert abs(number(low) - (value - error)) <= 1e-3 * error
        assert abs(number(high) - (value + error)) <= 1e-3 * error


def test_beyond_the_range_of_the_loss_and_behind_the_end_of_the_path_nothing_is_certain():
    with precision(128):
        pair, x = (F(1), F(-1, 2), 4), F(2)
        laid = lay(*pair, x, Quantity.HOCKEY_STICK, 30.0)
        assert laid is not None
        line = Line(*pair, x, laid, Quantity.HOCKEY_STICK)
        assert line.at(x).is_finite()
        assert not line.at(F(24, 10)).is_finite()  # L <= 2 log 2 + 1
        # r = 1 + t / 4 is not positive from t = -4 on.
        for left, finite in ((-3.9, True), (-4.0, False), (-5.0, False)):
            moved = dataclasses.replace(laid, left=left)
            assert Line(*pair, x, moved, Quantity.HOCKEY_STICK).at(x).is_finite() is finite
        wide = lay(F(1), F(1), 4, F(1), Quantity.HOCKEY_STICK, 30.0)
        assert wide is not None
        for right, finite in ((1.9, True), (2.0, False), (2.5, False)):
            moved = dataclasses.replace(wide, right=right)
            assert Line(F(1), F(1), 4, F(1), moved, Quantity.HOCKEY_STICK).at(F(1)).is_finite() is finite
