"""Appendix A.2, Lemma 2: the Rényi divergence of two isotropic Gaussians in closed form.

The integral is the product of those over the coordinates, which is an induction; its logarithm is the lemma.
The formula is compared with direct integration in one, two, three and five dimensions, and with a simulation.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from sympy import MatrixExpr, expand_log

from rgm_verify.pages import *

from ...theorems import FUBINI, INDUCTION
from .integral import line
from .lemma_2_notation import *
from .lemma_2_notation import _base

Interval: TypeAlias = "tuple[float, float] | None"
divergence = named(r"D_\alpha(P\|Q)", alpha * distance**2 / (2 * named("S", mixed)) + d / (alpha - 1) * log(base))
_u, _m1, _m2 = (MatrixSymbol(name, d, 1) for name in ("u", "mu_1", "mu_2"))
_between = named(r"\bar\mu", (alpha * s2**2 * _m1 + (1 - alpha) * s1**2 * _m2) / mixed)


def _square(vector: MatrixExpr) -> MatrixExpr:
    """The squared length of a vector, as a matrix of one entry."""
    return vector.T * vector


_SQUARES = alpha / (2 * s1**2) * _square(_u - _m1) + (1 - alpha) / (2 * s2**2) * _square(_u - _m2)


def _completed(apart: Expr, centre: MatrixExpr) -> MatrixExpr:
    """The square completed: a multiple of |mu_1 - mu_2|^2 and the squared distance from a centre."""
    return apart * _square(_m1 - _m2) + mixed / (2 * s1**2 * s2**2) * _square(_u - centre)


_APART = alpha * (1 - alpha) / (2 * mixed)

square_of_vectors = page.at("proof of Lemma 2, third display", source="beyond").identity(
    "beyond:a2-completed-square",
    "The square completed in every dimension",
    eq(_SQUARES, _completed(_APART, _between)),
    "The two weighted squared distances are the squared distance from one centre and a multiple of that of the means.",
    given=MIXED,
    by=Matrices(),
    over=(d,),
    wrong={
        "sign": _completed(-_APART, _between),
        "the factor 2": _completed(2 * _APART, _between),
        "the variances exchanged in the centre": _completed(
            _APART, (alpha * s1**2 * _m1 + (1 - alpha) * s2**2 * _m2) / mixed
        ),
    },
)

_DEFINITION_OF_S = Hypothesis("S", eq(big_s, mixed), "Lemma 2, whose assumption is S > 0")


def _shift(squared: Expr) -> Expr:
    """`shift` with S for the mixed variance."""
    return -alpha * (1 - alpha) * squared / (2 * big_s)


#: The squared distance of the point from (alpha sigma_2^2 mu_1 + (1 - alpha) sigma_1^2 mu_2) / S.
_from_centre = -2 * s1**2 * s2**2 / big_s * (exponent(from_1, from_2) - _shift(distance**2))
#: The density of a normal law per coordinate of variance (sigma_1 sigma_2)^2 / S around the centre, by logarithms.
_log_density = named(
    r"\log f(u)", -d * log(2 * pi * s1**2 * s2**2 / big_s) / 2 - big_s * _from_centre / (2 * s1**2 * s2**2)
)
_POINTWISE = {**POINTS, d: (0, 60), distance: (0, 4), from_1: (0, 9), from_2: (0, 9), big_s: mixed}
_DENSITY_INTEGRATES = (
    Step("A normal density integrates to 1 over a line.", "rgm:a2-gaussian-integral"),
    FUBINI.quoted(
        "The normal density of d coordinates is the product of their densities.",
        "The density is continuous.",
        "It is positive.",
    ),
    INDUCTION.quoted(
        "So its integral is 1 in every dimension.",
        "claim:rgm:a2-gaussian-integral",
        "One more coordinate multiplies the integral by 1.",
    ),
)

#: The same factors with S for the mixed variance: what follows holds for every S > 0.
_per_coordinate = sqrt(2 * pi) * s1 * s2 / sqrt(big_s)
_log_product = log(normaliser * _per_coordinate**d * exp(_shift(distance**2)))

coordinates = page.at("proof of Lemma 2, fourth display, first line", "A74a").identity(
    "rgm:a2-coordinates",
    "The integral in dimension d is a product over the coordinates",
    eq(log_integrand, _log_product + _log_density),
    "The integrand is the printed product times a normal density $f$.",
    printed=r"D_\alpha(P\|Q) = \frac{1}{\alpha-1}\log\left(\sqrt{\frac{\sigma_2^{2d(\alpha-1)}}{(2\pi)^d\sigma_1^{2d\alpha}}} "
    r"\prod_{j=1}^d\frac{\sqrt{2\pi}\,\sigma_1\sigma_2}{\sqrt{\alpha\sigma_2^2+(1-\alpha)\sigma_1^2}}\exp\left(-\frac{\alpha(1-\alpha)(\mu_{1,j}-\mu_{2,j})^2}{2(\alpha\sigma_2^2+(1-\alpha)\sigma_1^2)}\right)\right)",
    given=_DEFINITION_OF_S,
    by=(
        Identity(),
        *(
            Quadrature(
                log_integrand=exponent(along**2, (along - distance) ** 2),
                variable=along,
                closed_form=per_coordinate**n * exp(shift(distance**2)),
                dimension=n,
                count=2,
            )
            for n in (2, 3, 5)
        ),
    ),
    points=_POINTWISE,
    wrong={
        "the means exchanged": left(log_integrand.subs({s1: s2, s2: s1}, simultaneous=True)),
        "one factor less": _log_product - log(_per_coordinate) + _log_density,
        "without the exponentials": _log_product - _shift(distance**2) + _log_density,
    },
    steps=(
        Step("The integrand in dimension $d$.", "rgm:a2-integrand"),
        Step("Complete the square.", "beyond:a2-completed-square"),
        Step("The integral over one coordinate.", "rgm:a2-one-coordinate"),
        *_DENSITY_INTEGRATES,
    ),
    reading="At every point, by logarithms; the density integrates to 1, so that the printed product is the integral. The exponentials of the "
    "coordinates are collected: their squares add up to the squared distance of the means. Direct integration in dimensions 2, 3 and 5 agrees.",
)

constants = page.at("proof of Lemma 2, fourth display, second line", "A74b").identity(
    "rgm:a2-constants",
    "The constants go into the product",
    eq(log(normaliser * _per_coordinate**d * factors), log(_base**d * factors)),
    wrong={
        "sigma_1^alpha": log(_base**d * s1 ** (2 * d * alpha - d) * factors),
        "one factor less": log(_base ** (d - 1) * factors),
    },
    reading="The d factors E_j have the product E, and d equal factors are a power; compared by logarithms. It holds for any S > 0.",
)

_n1 = page.natural("n", "number of coordinates multiplied so far")
_m = page.real("m", "difference of the two means in the next coordinate")

product = page.at("proof of Lemma 2, fourth display, third line", "A74c").identity(
    "rgm:a2-product",
    "The product over the coordinates depends on the distance of the means",
    eq(
        log(_base**_n1 * exp(_shift(from_1)) * _base * exp(_shift(_m**2))),
        log(_base ** (_n1 + 1) * exp(_shift(from_1 + _m**2))),
    ),
    "One more coordinate raises the power by one and adds its squared difference to the exponent.",
    wrong={
        "differences added before squaring": log(_base ** (_n1 + 1) * exp(_shift((sqrt(from_1) + _m) ** 2))),
        "the power kept": log(_base**_n1 * exp(_shift(from_1 + _m**2))),
    },
    steps=INDUCTION.quoted(
        "Over all coordinates:", "Of one coordinate there is nothing to multiply.", "This is what the formula says."
    ),
    reading="The step of an induction over the coordinates, which starts from one; s is the sum of squares so far.",
)

logarithm = page.at("proof of Lemma 2, fourth display, last line", "A74c").identity(
    "rgm:a2-logarithm",
    "The logarithm of the product",
    eq(
        log(_base**d * exp(_shift(distance**2))) / (alpha - 1),
        d / (alpha - 1) * log(_base) + alpha * distance**2 / (2 * big_s),
    ),
    wrong={
        "sign of the main term": d / (alpha - 1) * log(_base) - alpha * distance**2 / (2 * big_s),
        "the factor alpha - 1 kept": d / (alpha - 1) * log(_base) + alpha * (alpha - 1) * distance**2 / (2 * big_s),
    },
)


def _interval(order: float, distribution: tuple[float, float, int], *run: Any) -> Interval:
    """A confidence interval (None if inconclusive) for the divergence of laws with given variances and dimension and means at distance 1."""
    from rgm_verify.gaussians.simulated import renyi_confidence_interval
    from rgm_verify.numbers.sampling import Inconclusive

    found = renyi_confidence_interval(order, 1, *distribution, *run)
    return None if isinstance(found, Inconclusive) else (found.lower, found.upper)


def simulated(samples: int, generator: np.random.Generator, false_alarm: float, scale: float) -> Interval:
    """Order 2 in dimension 3: P has variance 1, Q variance 9/4 with a deviation times `scale`."""
    return _interval(2, (1, 2.25 * scale**2, 3), samples, generator, false_alarm)


def simulated_wide(samples: int, generator: np.random.Generator, false_alarm: float, scale: float) -> Interval:
    """As `simulated`, for order 3/2 in dimension 5 with P wider than Q: variances 9/4 and 1."""
    return _interval(1.5, (2.25, scale**2, 5), samples, generator, false_alarm)


#: The two laws; at the last point the outputs are equal, at the second the order is near the end of its range.
_LAWS = Outputs((distance,), (), d, variances=(s1**2, s2**2))
#: A place in the space, for what is said at each.
_PLACE = {from_1: 1, from_2: 2}
_LAW_POINTS = tuple(
    {
        s1: Rational(v),
        s2: Rational(w),
        distance: Rational(x),
        alpha: Rational(o),
        d: n,
        big_s: mixed.subs({s1: Rational(v), s2: Rational(w), alpha: Rational(o)}),
        **_PLACE,
    }
    for v, w, x, o, n in (
        ("11/10", "1", "1", "3/2", 3),
        ("2", "1", "1/3", "133/100", 1),
        ("1", "101/100", "3", "2", 1000),
        ("1", "2", "1", "1001/1000", 2),
        ("3/2", "1", "0", "5/4", 30),
    )
)


def _integrates_to(value: Expr) -> Relation:
    """The integrand is exp((alpha - 1) D) times a normal density, by logarithms, for a value D of the divergence."""
    return eq(log_integrand, (alpha - 1) * value + _log_density)


lemma_2 = page.at("Lemma 2; v1 (11), v2 (13)", "A68.v1 A68.v2").lemma(
    "rgm:lemma-2",
    "Lemma 2: Rényi divergence of two isotropic Gaussians",
    _integrates_to(divergence_s),
    printed=r"D_\alpha(P\|Q) = \frac{\alpha\|\mu_1-\mu_2\|^2}{2(\alpha\sigma_2^2+(1-\alpha)\sigma_1^2)} + "
    r"\frac{d}{\alpha-1}\log\left(\frac{\sigma_1^{1-\alpha}\sigma_2^\alpha}{\sqrt{\alpha\sigma_2^2+(1-\alpha)\sigma_1^2}}\right)",
    given=_DEFINITION_OF_S,
    by=(
        Identity(),
        *(
            Quadrature(
                log_integrand=exponent(along**2, (along - distance) ** 2) + expand_log(log(normaliser)).subs(d, n),
                variable=along,
                closed_form=exp((alpha - 1) * divergence_s.subs(d, n)),
                dimension=n,
                count=1,
                part=normaliser * _per_coordinate**d * exp(_shift(distance**2)),
                at={d: n},
            )
            for n in (1, 2, 3, 5)
        ),
        Simulation(
            simulated,
            divergence_s,
            {alpha: 2, s1: 1, s2: Rational(3, 2), big_s: Rational(7, 2), distance: 1, d: 3, **_PLACE},
        ),
        Simulation(
            simulated_wide,
            divergence_s,
            {alpha: Rational(3, 2), s1: Rational(3, 2), s2: 1, big_s: Rational(3, 8), distance: 1, d: 5, **_PLACE},
        ),
        *by_outputs(divergence_s, Renyi(alpha), _LAWS, _LAW_POINTS, _LAW_POINTS[:1]),
    ),
    points=_POINTWISE,
    wrong={
        "deviations exchanged": _integrates_to(divergence_s.subs({s1: s2, s2: s1}, simultaneous=True)),
        "alpha dropped from the main term": _integrates_to(divergence_s - (alpha - 1) * distance**2 / (2 * big_s)),
        "the dimension dropped": _integrates_to(divergence_s.subs(d, 1)),
        "1/2 dropped from the main term": _integrates_to(divergence_s + alpha * distance**2 / (2 * big_s)),
    },
    steps=(
        Step("The definition, written with one integral.", "rgm:a2-renyi-definition"),
        Step("The integrand in dimension $d$.", "rgm:a2-integrand"),
        Step("It separates into coordinates.", "rgm:a2-coordinates"),
        Step("The integral over one coordinate.", "rgm:a2-one-coordinate"),
        Step("The constants go into the product.", "rgm:a2-constants"),
        Step("The product over the coordinates.", "rgm:a2-product"),
        Step("The logarithm.", "rgm:a2-logarithm"),
        *_DENSITY_INTEGRATES,
    ),
    reading="At every point, $P^\\alpha Q^{1-\\alpha}$ is $e^{(\\alpha-1)D}$ times a normal density, which integrates to 1; D is the printed value. "
    "The variance is per coordinate, as version 2 writes it. Direct integration and simulation compare the integral itself.",
)

equal_scales = page.at("after v1 (11), v2 (13)", "A69").remark(
    "rgm:a2-equal-scales",
    "Equal variances give the Gaussian mechanism",
    eq(keeping_names(divergence, {s2: s1}), alpha * distance**2 / (2 * s1**2)),
    by=(
        Identity(),
        *by_outputs(
            alpha * distance**2 / (2 * s1**2), Renyi(alpha), _LAWS.subs({s2: s1}), _LAW_POINTS, _LAW_POINTS[:1]
        ),
    ),
    wrong={"without alpha": distance**2 / (2 * s1**2), "twice": alpha * distance**2 / s1**2},
)

_CONVEX = ge(diff(line, u, 2), 0)

infinite = page.at("Lemma 2, the assumption", source="beyond").remark(
    "beyond:lemma-2-infinite",
    "Where the mixed variance is not positive, the divergence is infinite",
    Implies(le(named("S", mixed), 0), _CONVEX),
    "The exponent of the integrand then is a convex function of every coordinate, and the integral diverges.",
    over=(m1, m2),
    wrong={
        "for every pair": _CONVEX,
        "S up to 1": Implies(le(mixed, 1), _CONVEX),
        "concave": Implies(le(mixed, 0), lt(diff(line, u, 2), 0)),
    },
    reading="The exponential of a convex function on the line has an infinite integral.",
)
