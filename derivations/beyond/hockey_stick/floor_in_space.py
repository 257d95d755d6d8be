"""Unreduced statements about the floor of calibration: the worst pair without its distance, and with it.

The variables of these claims are masses and divergences. They are found here, and the densities of the outputs are
integrated next to them.
"""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
from sympy import Expr, Integer, Rational, Symbol, sqrt

from rgm_verify.lenses.distributions.cases import Bound, Case, Of, Reading
from rgm_verify.lenses.distributions.quantities import HockeyStick, LossAbove, Outputs

from ..pairs.pairs_in_space import _fractions, never_worse, pair, rational

#: Finer than what the values are compared with.
_DIGITS = 36


def centred(variance: Expr, dimension: Expr | int) -> Outputs:
    """Two laws around one mean, the first with `variance` times the variance of the second."""
    return Outputs((), (), dimension, variances=(variance, Integer(1)))


def worst(eta: Expr, gamma: Expr, dimension: int) -> Outputs:
    """The worst pair without baseline noise, as outputs of the mechanism."""
    return Outputs((1 + eta,), (Integer(1),), dimension, gamma)


def curves_fall(eta: Symbol, gamma: Symbol, more: Symbol, dimension: int) -> tuple[Bound, ...]:
    """The statement that the worst pair at a larger noise ratio has no larger divergence, at both signs of the level."""
    levels = (Rational(1, 4), -Rational(1, 4))
    return never_worse(worst(eta, gamma + more, dimension), worst(eta, gamma, dimension), levels, both=False)


def _exponential(level: Rational) -> Rational:
    with mpmath.workdps(60):
        return rational(mpmath.exp(mpmath.mpf(level.p) / level.q), 45)


def _integral(level: Rational, outputs: Outputs) -> Rational:
    return rational(HockeyStick(level).integral(outputs.at({}), {}, _DIGITS).value, 40)


def floor_cases(full: bool, symbols: tuple[Symbol, ...]) -> Iterator[Case]:
    """For worst pairs at a distance: the masses of the region that is best at distance 0, and both divergences.

    The mass of the region at the distance is the largest that the divergence there leaves.
    """
    at_zero, moved, other, factor, lowest, curve = symbols
    sizes = (("1/2", "3/2", 2, "1/4"), ("1", "2", 1, "1/2"), ("1/4", "5/4", 30, "1"), ("1/10", "11/10", 1000, "1/2"))
    for distance, root, n, level in sizes if full else sizes[:2]:
        v, e = Rational(root) ** 2, Rational(level)
        near, far = centred(v, n), pair(Rational(distance), v, n)
        large = _exponential(e)
        p, q = (rational(LossAbove(e, under).integral(near.at({}), {}, _DIGITS).value, 40) for under in ("P", "Q"))
        value = _integral(e, far)
        point = {
            at_zero: p, other: q, factor: large, lowest: p - large * q, curve: value, moved: value + large * q,
        }  # fmt: skip
        readings = (Reading(lowest, HockeyStick(e), near), Reading(curve, HockeyStick(e), far))
        yield Case(_fractions(point), readings, never_worse(near, far, (e,), both=False))


def approach_cases(full: bool, symbols: tuple[Symbol, ...]) -> Iterator[Case]:
    """For targets a little above the floor: the noise ratio of the claim, and the worst pair there."""
    eta, gamma, target, floor = symbols
    sizes = (
        ("1/2", 2, "1/4", "1/20"),
        ("1", 1, "1/2", "1/10"),
        ("1/10", 30, "1/10", "1/100"),
        ("1/20", 1000, "1", "1/50"),
    )
    for slope, n, level, above in sizes if full else sizes[:2]:
        h, e, room = Rational(slope), Rational(level), Rational(above)
        least = centred((1 + h) ** 2, n)
        value = _integral(e, least)
        ratio = 4 * h**2 / (25 * (1 + h) ** 2 * room**2)
        point = {eta: h, gamma: ratio, target: value + room, floor: value}
        bounds = (Bound(Of(HockeyStick(e), worst(h, ratio, n)), target),)
        yield Case(_fractions(point), (Reading(floor, HockeyStick(e), least),), bounds)


def shifted(distance: Symbol, variance: Symbol) -> Outputs:
    """Two laws of one variance, in dimension 3 and in units of it: their distance is that of the means."""
    return Outputs((distance / sqrt(variance),), (Integer(0),), 3, variances=(Integer(1), Integer(1)))
