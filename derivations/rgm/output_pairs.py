"""Pairs of outputs as vectors, and points where their densities are integrated and where releases of them are drawn.

In d >= 2 the two outputs span a plane whose first axis is that of R(x); the points reach the ends of the ranges: orders
near the pole and near 1, small and large eta, baseline noise as small as Theorem 1 allows, pairs on one ray and others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, Rational, Symbol, simplify, sqrt

from rgm_verify.claims import positive
from rgm_verify.lenses.base import Lens
from rgm_verify.lenses.distributions.cases import Reading
from rgm_verify.lenses.distributions.outputs import Released, Unreduced, by_outputs
from rgm_verify.lenses.distributions.quantities import MainTerm, Outputs, Renyi

from .notation import a, alpha, b, c, d, eta, gamma, q, r_rel, sigma2

Point = Mapping[Symbol, Any]

#: The outputs at x and y with the noise of the mechanism.
NEIGHBOURS = Outputs((a, Integer(0)), (b * c, b * sqrt(1 - c**2)), d, gamma, sigma2)
#: The noise of the worst pair, around one mean.
WORST_NOISE = Outputs((), (), d, variances=(Integer(1), (1 + eta) ** -2))
#: The worst pair without baseline noise; its size does not matter.
WORST = Outputs((1 + eta,), (Integer(1),), d, gamma)


def two_variances(ratio: Expr, dimension: int) -> Outputs:
    """Two laws around one mean, the second with `ratio` times the variance of the first."""
    return Outputs((), (), dimension, variances=(Integer(1), ratio))


def _point(
    size: Rational | int, slope: Rational | int, k: Rational, noise: Rational | int, dimension: int, **more: Any
) -> dict[Symbol, Any]:
    """R(x) = (1 + eta) R(y) at |R(y)| = `size` and the order 1 + k / (eta (2 + eta)), unless `more` says otherwise."""
    values: dict[Symbol, Any] = {eta: Rational(slope), gamma: Rational(noise), d: Integer(dimension), b: Rational(size)}
    values |= {a: (1 + values[eta]) * size, c: Integer(1), r_rel: Integer(0), sigma2: Integer(0)}
    values[positive("b").symbol] = values[b]
    values[alpha] = 1 + k / q.subs(eta, values[eta])
    by_name = {"a": a, "c": c, "r_rel": r_rel, "sigma2": sigma2}
    return values | {by_name[name]: value for name, value in more.items()}


_R = Rational


def _points(end: Rational, floor: Rational) -> tuple[Point, ...]:
    """Pairs at orders up to k = `end`. The second is slanted and at the largest distance, with an absolute part and the
    baseline noise `floor` times gamma.
    """
    ks = [min(end, k) for k in (_R(99, 100), _R(1, 2), _R(1, 2), _R(1, 1000), _R(9, 10), _R(9, 10), _R(1, 3))]
    slanted: dict[str, Any] = {"a": _R(3, 2), "c": _R(2, 3), "r_rel": Integer(1), "sigma2": floor / 3}
    return (
        _point(2, _R(1, 2), ks[0], _R(1, 2), 1, sigma2=_R(1, 10**9)),
        _point(1, _R(1, 2), ks[1], _R(1, 3), 2, **slanted),
        _point(1, _R(1, 100), ks[2], _R(1, 100), 1000, sigma2=_R(1, 10**6)),
        _point(1, 1, ks[3], 3, 3, sigma2=_R(1, 10**6)),
        _point(3, _R(1, 10), ks[4], _R(1, 10), 30, sigma2=_R(1, 10**6)),
        _point(1, 4, ks[5], 2, 2),
        _point(2, _R(1, 4), ks[6], _R(1, 5), 3, a=_R(8, 5), sigma2=_R(1, 100)),
    )


#: Up to near the pole; the baseline noise is the least of Theorem 1.
POINTS = _points(_R(99, 100), _R(16, 5))
#: Up to the order 1 + 1/(2q), where the noise is the least of that order.
HALF_POINTS = _points(_R(1, 2), _R(16, 5))
#: Up to half of that, for the orders of Corollary 1.
LOWER_POINTS = _points(_R(1, 4), _R(16, 5))
#: At the order 1, for which the noise has to be larger.
POINTS_AT_ONE = _points(_R(1, 2), Integer(4))
#: Where few releases tell a divergence from one that is 30 % smaller.
SAMPLED = (
    _point(1, _R(1, 5), _R(1, 5), _R(1, 10), 3, sigma2=_R(1, 1000)),
    _point(1, _R(1, 3), _R(1, 3), _R(1, 4), 1, sigma2=_R(1, 1000)),
    _point(1, _R(1, 50), _R(1, 5), _R(1, 500), 30, sigma2=_R(1, 10**6)),
)
#: Near the pole, where version 1's Theorem 1 fails.
NEAR_THE_POLE = (_point(1, _R(3, 10), _R(9, 10), 3, 3, sigma2=_R(1, 10**6)),)


def of_neighbours(
    part: Expr,
    order: Expr | int = alpha,
    *,
    outputs: Outputs = NEIGHBOURS,
    half: bool = False,
    points: tuple[Point, ...] | None = None,
    sampled: tuple[Point, ...] = SAMPLED,
    further: Mapping[Symbol, Expr] | None = None,
    **more: Any,
) -> tuple[Lens, Lens]:
    """Both checks of a claim in which `part` is the Renyi divergence of an order of R(x) from R(y).

    `half`: for orders up to 1 + 1/(2q). `further` gives the values of further symbols at the points.
    """
    usual = POINTS_AT_ONE if order == 1 else HALF_POINTS if half else POINTS
    found, few = (with_values(p, further or {}) for p in (points or usual, sampled))
    return by_outputs(part, Renyi(order), outputs, found, few, **more)


def of_the_main_term(part: Expr, outputs: Outputs = NEIGHBOURS) -> tuple[Lens, Lens]:
    """Both checks of a claim in which `part` is what the distance of the outputs adds, in dimension 2."""
    flat = with_values(tuple(p for p in POINTS if p[d] > 1), {d: Integer(2)})
    sampled = with_values(SAMPLED[:1], {d: Integer(2)})
    return by_outputs(part, MainTerm(alpha), outputs.subs({d: 2}), flat, sampled)


def of_the_worst_pair(part: Expr, **more: Any) -> tuple[Lens, Lens]:
    """Both checks of a claim in which `part` is the Renyi divergence of the worst pair without baseline noise."""
    return of_neighbours(part, outputs=WORST, **more)


def of_two_variances(part: Expr, ratio: Expr, scale: Expr | int, points: tuple[Point, ...]) -> tuple[Lens, Lens]:
    """Both checks of a claim in which `part` is the Renyi divergence of two laws around one mean, times `scale`,
    per dimension. By integration in dimension 3 and by releases in dimension 5.
    """
    three, five = (two_variances(ratio, n) for n in (3, 5))
    integrated = Unreduced((Reading(part, Renyi(alpha), three, scale / Integer(3)),), at=points)
    return integrated, Released((Reading(part, Renyi(alpha), five, scale / Integer(5)),), at=points[:1])


def fewer(points: Point, *dropped: str) -> dict[Symbol, Any]:
    """Points without what is said of the symbols of some names."""
    return {s: e for s, e in points.items() if s.name not in dropped}


def with_values(points: tuple[Point, ...], further: Mapping[Symbol, Expr]) -> tuple[Point, ...]:
    """The points with the values of further symbols, which are expressions in those that they have."""
    return tuple({**p, **{s: simplify(e.subs(p)) for s, e in further.items()}} for p in points)


def log_points(*more: Mapping[Symbol, Expr]) -> tuple[Point, ...]:
    """Orders and slopes for the logarithmic term, with the values of further symbols; the first for releases."""
    found = [
        {eta: _R(1, 5), alpha: 1 + _R(1, 3) / _R(11, 25), d: Integer(5), gamma: _R(1, 10)},
        {eta: _R(1, 2), alpha: 1 + _R(99, 100) / _R(5, 4), d: Integer(1), gamma: Integer(1)},
        {eta: _R(1, 100), alpha: 1 + _R(1, 2) / _R(201, 10000), d: Integer(1000), gamma: _R(1, 50)},
        {eta: Integer(1), alpha: _R(1001, 1000), d: Integer(2), gamma: Integer(3)},
    ]
    return with_values(tuple(found), {s: e for values in more for s, e in values.items()})
