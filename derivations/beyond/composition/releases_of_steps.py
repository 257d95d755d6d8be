"""Unreduced statements about several releases, and about the two orders of a pair on the line: cases for both checks.

The variables of these claims are themselves divergences, densities or functions of a distance that is a zero of a
function. They are found here, and the densities of the outputs are integrated next to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import mpmath
from sympy import Integer, Rational, Symbol, log, sqrt

from rgm_verify.gaussians.unreduced import Law, mean_of_loss
from rgm_verify.lenses.distributions.cases import Bound, Case, Of, Reading
from rgm_verify.lenses.distributions.quantities import HockeyStick, Outputs

from ..pairs.pairs_in_space import _fractions, never_worse, pair, rational

#: Digits for integrals over several releases, which are many; those that they are compared with have more.
DIGITS = 10
_MORE = 12


def _real(value: Rational) -> mpmath.mpf:
    return mpmath.mpf(value.p) / value.q


def apart(*distances: Rational) -> Outputs:
    """Releases of variance 1, one coordinate each, whose means are at the distances: one vector of independent outputs."""
    size = len(distances)
    return Outputs(distances, (Integer(0),) * size, size, variances=(Integer(1), Integer(1)))


def _without_slope(variance: Rational, level: Rational) -> tuple[mpmath.mpf, mpmath.mpf, mpmath.mpf]:
    """The distance over v - 1 at which the difference of both orders has no slope, and the two concentrations there."""
    v, tau = _real(variance), _real(2 * variance * level / (variance - 1))
    start = v * mpmath.log(v) / (v - 1)

    def concentrations(centre: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
        middle = centre**2 * v + start
        return centre * mpmath.sqrt(middle + tau), centre * mpmath.sqrt(middle - tau)

    def slope(centre: mpmath.mpf) -> mpmath.mpf:
        x, y = concentrations(centre)
        return mpmath.log(mpmath.sinh(x) / mpmath.sinh(y)) - (v + 1) / (2 * v) * tau

    nearest = mpmath.sqrt(max(tau - start, 0) / v) + mpmath.mpf(10) ** -6
    found = mpmath.findroot(slope, (nearest, mpmath.mpf(50)), solver="anderson", tol=mpmath.mpf(10) ** -60)
    return found, *concentrations(found)


def line_cases(full: bool, symbols: tuple[Symbol, ...]) -> Iterator[Case]:
    """For distances on the line at which the difference of both orders has no slope, which is what the claim speaks of.

    With the statement of both orders there, and at half and at twice the distance.
    """
    fourth, gap, logarithm, large, small, root, large_other, small_other = symbols
    sizes = (("2", "1/4"), ("3/2", "1/2"), ("5", "1"), ("11/10", "1/10"))
    for variance, level in sizes if full else sizes[:2]:
        v, e = Rational(variance), Rational(level)
        with mpmath.workdps(45):
            c, x, y = _without_slope(v, e)
            p, g = x * mpmath.tanh(x), y * mpmath.tanh(y)
            mean, lower = rational(mpmath.sqrt(p * g)), rational(g)
            point = {
                fourth: rational(c**4 * _real(v)),
                gap: rational(x**2 - y**2),
                logarithm: rational(mpmath.log(mpmath.sinh(x) / mpmath.sinh(y))),
                large: mean**2 / lower,
                small: lower,
                root: mean,
                large_other: rational(x * mpmath.coth(x)),
                small_other: rational(y * mpmath.coth(y)),
            }
            distance = rational(c * _real(v - 1))
        bounds: list[Bound] = []
        for factor in (1, Rational(1, 2), 2):
            wide = pair(distance * factor, v, 1)
            bounds += never_worse(wide.reversed(), wide, (e,), both=False)
        yield Case(_fractions(point), bounds=tuple(bounds))


def two_step_cases(full: bool, symbols: tuple[Symbol, ...]) -> Iterator[Case]:
    """For two releases at distances of their own: the divergence of both, and the mean of what the second one leaves.

    Under the first law, of the divergence of the second pair at the level less the first loss; an integral over the first
    output, to 30 digits; the bound is the mean plus its stated error. The densities are those at one place.
    """
    first, other_first, second, other_second, factor = symbols
    sizes = (("1", "1/2", "3/2"), ("1/2", "2", "4/5"), ("1/10", "1/5", "1"), ("3", "1", "2"))
    for distance, after, large in sizes if full else sizes[:2]:
        one, two, e = Rational(distance), Rational(after), Rational(large)
        with mpmath.workdps(45):
            level = mpmath.log(_real(e))
            left = partial(_left_by_a_loss, _real(two), level)
            mean = mean_of_loss(Law((one,), 1), Law((0,), 1), 1, left)
            most = rational(mean.value + mean.error, 40)
            densities = [
                rational(mpmath.npdf(mpmath.mpf(1) / 3, _real(centre)), 40) for centre in (one, 0 * one, two, 0 * two)
            ]
        point = dict(zip((first, other_first, second, other_second), densities, strict=True)) | {factor: e}
        yield Case(_fractions(point), bounds=(Bound(Of(HockeyStick(log(e)), apart(one, two)), most),))


def _left_by_a_loss(distance: mpmath.mpf, level: mpmath.mpf, loss: mpmath.mpf) -> mpmath.mpf:
    return _normal_curve(distance, level - loss)


def _normal_curve(distance: mpmath.mpf, level: mpmath.mpf) -> mpmath.mpf:
    """The hockey-stick divergence of two normal laws of variance 1 at a distance."""
    half, turn = distance / 2, level / distance
    return mpmath.ncdf(half - turn) - mpmath.exp(level) * mpmath.ncdf(-half - turn)


def composition_cases(full: bool, symbols: tuple[Symbol, ...]) -> Iterator[Case]:
    """For releases of which the first is nearer than allowed: all divergences of the claim, and weights that fit them.

    The weights of two kinks are those with which both sums are what the releases have.
    """
    value, together, weight_1, weight_2, chosen_1, chosen_2, worst_1, worst_2 = symbols
    sizes = (("1/2", "1", 2, "1/2"), ("3/4", "1", 2, "1"), ("1/10", "2", 2, "3"), ("1", "3/2", 4, "1/4"))
    for nearer, farthest, times, level in sizes if full else sizes[:2]:
        near, far, e = Rational(nearer), Rational(farthest), Rational(level)
        released, single = apart(near, *(far,) * (times - 1)), apart(sqrt(Integer(times)) * far)
        kinks = (e - 2, e + 2)

        def found(outputs: Outputs, at: Rational) -> Rational:
            return rational(HockeyStick(at).integral(outputs.at({}), {}, _MORE).value, 25)

        h, t = found(released, e), found(single, e)
        a1, a2 = (found(apart(near), kink) for kink in kinks)
        b1, b2 = (found(apart(far), kink) for kink in kinks)
        determinant = a1 * b2 - a2 * b1
        point = {
            value: h, together: t, chosen_1: a1, chosen_2: a2, worst_1: b1, worst_2: b2,
            weight_1: (h * b2 - a2 * t) / determinant, weight_2: (a1 * t - h * b1) / determinant,
        }  # fmt: skip
        readings = (Reading(value, HockeyStick(e), released), Reading(together, HockeyStick(e), single))
        yield Case(_fractions(point), readings)
