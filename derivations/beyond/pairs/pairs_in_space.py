"""Unreduced statements about the worst pair: hockey-stick divergences of vectors, in both orders of the pair.

The claims about worst pairs judge formulas that a proof has come down to. Here their statements are looked at as they
are meant: the densities of the outputs are integrated, and the reference mechanism releases them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import mpmath
from sympy import Expr, Integer, Rational, Symbol, exp

from rgm_verify.lenses.base import Lens
from rgm_verify.lenses.distributions.cases import Bound, Case, Of, Reading
from rgm_verify.lenses.distributions.outputs import Released, Unreduced
from rgm_verify.lenses.distributions.quantities import HockeyStick, LossAbove, Outputs, Renyi

Point = dict[Symbol, Rational | Integer]
LEVELS = (Rational(1, 2),)


def never_worse(
    smaller: Outputs, larger: Outputs, levels: Iterable[Expr | int] = LEVELS, *, both: bool = True
) -> tuple[Bound, ...]:
    """The statement that one pair has at most the hockey-stick divergence of another, in both orders."""
    orders = [(smaller, larger), (smaller.reversed(), larger.reversed())][: 2 if both else 1]
    return tuple(
        Bound(Of(HockeyStick(level), few), (Of(HockeyStick(level), many),)) for few, many in orders for level in levels
    )


def looked_at(bounds: tuple[Bound, ...], points: Iterable[Point]) -> tuple[Lens, Lens]:
    """Both checks of a claim that leads to `bounds`; the first point, and the first bound, for releases."""
    all_points = tuple(points)
    return Unreduced(bounds=bounds, at=all_points), Released(bounds=bounds[:1], at=all_points[:1])


def pair(distance: Rational, variance: Rational, dimension: int) -> Outputs:
    """The wide law at a distance from the narrow one, whose variance is 1; in the plane the distance is slanted."""
    if dimension == 1:
        return Outputs((distance,), (Integer(0),), 1, variances=(variance, Integer(1)))
    mean = (distance * Rational(3, 5), -distance * Rational(4, 5))
    return Outputs(mean, (Integer(0),), dimension, variances=(variance, Integer(1)))


def rational(value: mpmath.mpf, digits: int = 32) -> Rational:
    """A number near the value."""
    with mpmath.workdps(digits + 10):
        return Rational(int(mpmath.nint(value * mpmath.mpf(10) ** digits)), 10**digits)


def mean_cosine(concentration: mpmath.mpf, dimension: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The mean of the cosine t of the angle under the weight exp(z t) on the sphere, and its variance, by integration."""
    with mpmath.workdps(45):
        power = dimension - 2

        def moment(n: int) -> mpmath.mpf:
            return mpmath.quad(
                lambda x: mpmath.cos(x) ** n * mpmath.sin(x) ** power * mpmath.exp(concentration * (mpmath.cos(x) - 1)),
                [0, mpmath.pi / 8, mpmath.pi / 2, mpmath.pi],
            )

        whole, first, second = map(moment, range(3))
        return first / whole, second / whole - (first / whole) ** 2


def mean_over_concentration(square: mpmath.mpf, dimension: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    """S = y/z as a function of the square of z, and its derivative."""
    with mpmath.workdps(45):
        z = mpmath.sqrt(square)
        y, slope = mean_cosine(z, dimension)
        return y / z, (slope / z - y / z**2) / (2 * z)


def wide_first_cases(full: bool, symbols: tuple[Symbol, ...]) -> Iterator[Case]:
    """For pairs of both orders: the squared radii of the spheres of opposite levels, and the slopes of s there."""
    small, large, slope, slope_large, centre, dimension = symbols
    sizes = (("1", "2", 2, "1/4"), ("1/2", "3/2", 3, "1/5"), ("2", "3", 5, "1/2"), ("1/10", "11/10", 30, "1/10"))
    for distance, variance, n, level in sizes if full else sizes[:2]:
        D, v, e = (Rational(x) for x in (distance, variance, level))
        w = v - 1
        with mpmath.workdps(45):
            at_zero = (
                v
                * (n * mpmath.log(mpmath.mpf(v.p) / v.q) + mpmath.mpf((D**2 / w).p) / (D**2 / w).q)
                / (mpmath.mpf(w.p) / w.q)
            )
            u0, tau = rational(at_zero), 2 * v * e / w
        c = D / w
        point = {small: u0 - tau, large: u0 + tau, centre: c, dimension: Integer(n)}
        for place, name in ((u0 - tau, slope), (u0 + tau, slope_large)):
            square = c**2 * place
            point[name] = rational(mean_over_concentration(mpmath.mpf(square.p) / square.q, n)[1])
        wide = pair(D, v, n)
        yield Case(_fractions(point), bounds=never_worse(wide.reversed(), wide, (e,), both=False))


def variance_ends_cases(full: bool, symbols: tuple[Symbol, ...], *, orders: int = 2) -> Iterator[Case]:
    """For a pair whose divergence has slope 0 in the larger variance: that of a smaller or a larger one is larger."""
    excess, s, zeta, dimension = symbols
    sizes = (("1/2", "2", 3), ("1", "1", 2), ("2", "1/2", 5), ("1/4", "4", 30))
    for wide, square, n in sizes if full else sizes[:2]:
        w, z2 = Rational(wide), Rational(square)
        v = 1 + w
        with mpmath.workdps(45):
            quotient = rational(mean_over_concentration(mpmath.mpf(z2.p) / z2.q, n)[0])
            distance = rational(mpmath.mpf(w.p) / w.q / mpmath.sqrt(mpmath.mpf((v * quotient).p) / (v * quotient).q))
            level = (z2 * w**3 / (distance**2 * v) - distance**2 / w - n * _log(v)) / 2
        level = rational(mpmath.mpf(level.p) / level.q) if isinstance(level, Rational) else level
        middle = pair(distance, v, n)
        ends = [pair(distance, x, n) for x in (1 + w * Rational(4, 5), 1 + w * Rational(6, 5))]
        bounds = tuple(
            Bound(Of(HockeyStick(e), few), tuple(Of(HockeyStick(e), many) for many in others))
            for e, few, others in (
                (level, middle, ends),
                (-level, middle.reversed(), [end.reversed() for end in ends]),
            )[:orders]
        )
        point = {excess: w, s: quotient, zeta: z2, dimension: Integer(n)}
        yield Case(_fractions(point), bounds=bounds)


def _log(value: Rational) -> Rational:
    return rational(mpmath.log(mpmath.mpf(value.p) / value.q))


def monotone_cases(full: bool, symbols: tuple[Symbol, ...]) -> Iterator[Case]:
    """At a distance and at a larger one: the masses of the best region, and both divergences.

    The masses after the move are the least and the largest that the hypotheses allow.
    """
    first, second, moved_first, moved_second, factor, before, after = symbols
    sizes = (
        ("1", "1/2", "3/2", 2, "1/2", False), ("1/2", "1/4", "2", 1, "-1/4", True), ("1", "1", "1/2", 3, "1/4", False),
        ("2", "1", "1", 2, "1", False), ("1/3", "1/3", "11/10", 1000, "1", False),
    )  # fmt: skip
    for distance, further, variance, n, level, turned in sizes if full else sizes[:2]:
        D, M, v, e = (Rational(x) for x in (distance, further, variance, level))
        near, far = pair(D, v, n), pair(D + M, v, n)
        if turned:
            near, far = near.reversed(), far.reversed()
        placed = near.at({})
        with mpmath.workdps(60):
            large = rational(mpmath.exp(mpmath.mpf(e.p) / e.q), 45)
        # Finer than what they are compared with.
        masses = [LossAbove(e, under).integral(placed, {}, 36).value for under in ("P", "Q")]
        p, q = (rational(mass, 40) for mass in masses)
        larger = rational(HockeyStick(e).integral(far.at({}), {}, 36).value, 40)
        point = {
            first: p, second: q, moved_first: p, moved_second: q, factor: large, before: p - large * q, after: larger,
        }  # fmt: skip
        readings = (Reading(before, HockeyStick(e), near), Reading(after, HockeyStick(e), far))
        yield Case(_fractions(point), readings, never_worse(near, far, (e,), both=False))


def _fractions(point: dict[Symbol, Expr]) -> dict[Symbol, Fraction]:
    return {s: Fraction(int(v.p), int(v.q)) for s, v in point.items()}


def conversion_cases(
    full: bool, symbols: tuple[Symbol, Symbol, Symbol], level: Expr, more: tuple[Symbol, ...], shift: int
) -> Iterator[Case]:
    """Pairs at an order, with their Renyi divergence and delta; the level that the conversion gives.

    `symbols` are those of the order (minus `shift`), the divergence and log(delta); `more` is that of the level, or those
    of the logarithms of both masses of the best event at it. The divergence and the level are rounded up.
    """
    order_name, divergence, log_delta = symbols
    sizes = (
        ("1", "6/5", 2, "2", "-1"), ("2", "1", 1, "3/2", "-1/2"), ("1/2", "2", 3, "5/4", "-5"),
        ("1/10", "11/10", 30, "4", "-20"), ("1", "1001/1000", 1000, "3/2", "-2"),
    )  # fmt: skip
    for distance, variance, n, a, z in sizes if full else sizes[:2]:
        order = Rational(a)
        outputs = pair(Rational(distance), Rational(variance), n)
        placed = outputs.at({})
        found = Renyi(order).integral(placed, {}, 30)
        point: dict[Symbol, Expr] = {
            order_name: order - shift,
            divergence: rational(found.value) + Rational(1, 10**25),
            log_delta: Rational(z),
        }
        value = level.subs(point).evalf(45)
        epsilon = rational(value._to_mpmath(150)) + Rational(1, 10**25)
        if len(more) == 1:
            point[more[0]] = epsilon
        else:
            masses = [LossAbove(epsilon, under).integral(placed, {}, 30).value for under in ("P", "Q")]
            with mpmath.workdps(45):
                point |= {s: rational(mpmath.log(mass)) for s, mass in zip(more, masses, strict=True)}
        yield Case(_fractions(point), bounds=(Bound(Of(HockeyStick(epsilon), outputs), exp(log_delta)),))
