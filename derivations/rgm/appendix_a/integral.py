"""Appendix A.2, Lemma 2: the integral that the divergence is, and its part in one coordinate.

The integral of P^alpha Q^(1 - alpha) splits into one integral per coordinate; each is a Gaussian integral, which exists
exactly if S = alpha sigma_2^2 + (1 - alpha) sigma_1^2 is positive.
"""

from __future__ import annotations

from sympy import Mul

from ..notation import *
from .lemma_2_notation import *
from .lemma_2_notation import _S, integral as page

definition = page.at("first display", "A67").definition(
    "rgm:a2-renyi-definition",
    "The two forms of the Rényi divergence",
    eq((p / dens_q) ** alpha * dens_q, p**alpha / dens_q ** (alpha - 1)),
    outputs="an equation between integrands at a point of the space; their integral is looked at in rgm:lemma-2",
    printed=r"D_\alpha(P\|Q) = \frac{1}{\alpha-1}\log\int\frac{P(x)^\alpha}{Q(x)^\alpha}\,dQ(x) "
    r"= \frac{1}{\alpha-1}\log\int\frac{P(x)^\alpha}{Q(x)^{\alpha-1}}\,dx",
    by=(Identity(), Units({p: 1, dens_q: 1})),
    wrong={"exponent alpha below": p**alpha / dens_q**alpha, "integrated against P": left((p / dens_q) ** alpha * p)},
    reading="The two integrals are compared by their integrands, at points where both densities are positive.",
)

integrand = page.at("proof of Lemma 2, first display", "A70").identity(
    "rgm:a2-integrand",
    "The integrand in dimension d",
    eq(log_integrand, log(normaliser) + exponent(from_1, from_2)),
    outputs="an equation between integrands at a point of the space; their integral is looked at in rgm:lemma-2",
    printed=r"D_\alpha(P\|Q) = \frac{1}{\alpha-1}\log\sqrt{\frac{\sigma_2^{2d(\alpha-1)}}{(2\pi)^d\sigma_1^{2d\alpha}}} "
    r"\int\exp\left(-\frac{\alpha\|u-\mu_1\|^2}{2\sigma_1^2} - \frac{(1-\alpha)\|u-\mu_2\|^2}{2\sigma_2^2}\right)du",
    wrong={
        "a power of the deviation more": log(normaliser * s2**d) + exponent(from_1, from_2),
        "distances swapped": log(normaliser) + exponent(from_2, from_1),
        "without pi": log(normaliser) + d * log(2 * pi) / 2 + exponent(from_1, from_2),
    },
    reading="Compared under the integral and by logarithms, so that the page has both constants; s and t are the squared "
    "distances of the point from the two means.",
)

_collected = (
    -(alpha / (2 * s1**2) + (1 - alpha) / (2 * s2**2)) * u**2
    + (alpha * m1 / s1**2 + (1 - alpha) * m2 / s2**2) * u
    - alpha * m1**2 / (2 * s1**2)
    - (1 - alpha) * m2**2 / (2 * s2**2)
)
_coefficients = (
    _S / (2 * s1**2 * s2**2),
    (alpha * m1 * s2**2 + (1 - alpha) * m2 * s1**2) / (s1**2 * s2**2),
    (alpha * m1**2 * s2**2 + (1 - alpha) * m2**2 * s1**2) / (2 * s1**2 * s2**2),
)
_common = -_coefficients[0] * u**2 + _coefficients[1] * u - _coefficients[2]
line = exponent((u - m1) ** 2, (u - m2) ** 2)

expanded = page.at("proof of Lemma 2, second display, second line", "A71a").identity(
    "rgm:a2-expanded-exponent",
    "The exponent in one coordinate, multiplied out",
    eq(line, _collected),
    by=(Identity(), Smt(), Units({s1: 1, s2: 1, m1: 1, m2: 1, u: 1})),
    wrong={
        "sign of the linear term": _collected.subs(u, -u),
        "1 - alpha becomes alpha - 1 in the last term": _collected + (1 - alpha) * m2**2 / s2**2,
    },
    reading="Equal exponents at every point give equal integrals.",
)

common_denominator = page.at("proof of Lemma 2, second display, last line", "A71b").identity(
    "rgm:a2-common-denominator",
    "The exponent over a common denominator",
    eq(_collected, _common),
    by=(Identity(), Smt()),
    wrong={
        "the variances swapped": _common.subs({s1: s2, s2: s1}, simultaneous=True),
        "the linear term halved": _common - _coefficients[1] * u / 2,
    },
    reading="Equal exponents at every point give equal integrals.",
)

_quadratic = -(qa * u**2 + qb * u + qc)
_gaussian = sqrt(pi / qa) * exp(qb**2 / (4 * qa) - qc)
#: A density on the line: the derivative of a function that climbs from -1/2 to 1/2.
_density = diff(erf(sqrt(qa) * u + qb / (2 * sqrt(qa))) / 2, u)


def _value_times_density(value: Expr) -> Expr:
    """The product as it is written: SymPy would cancel the roots."""
    return Mul(value, _density, evaluate=False)


gaussian_integral = page.at("proof of Lemma 2", "A72").identity(
    "rgm:a2-gaussian-integral",
    "The Gaussian integral",
    eq(exp(_quadratic), _value_times_density(_gaussian)),
    printed=r"\int_{-\infty}^{+\infty}\exp(-(au^2+bu+c))\,du = \sqrt{\frac{\pi}{a}}\exp\left(\frac{b^2}{4a}-c\right)",
    by=(
        Identity(),
        Quadrature(log_integrand=_quadratic.subs(u, along), variable=along, closed_form=_gaussian, count=2),
    ),
    points={qa: (0, 8), qb: (-4, 4), qc: (-3, 3), u: (-4, 4)},
    wrong={
        "b^2 / (2a)": _value_times_density(_gaussian * exp(qb**2 / (4 * qa))),
        "2 pi for pi": _value_times_density(sqrt(2) * _gaussian),
        "sign of c": _value_times_density(_gaussian * exp(2 * qc)),
    },
    reading="The integrand is the printed value times a density, the derivative of erf(...)/2, so that the printed value is "
    "the integral; a positive $a$ is understood, as both sides need it. Direct integration is the second computation.",
)

completed_square = page.at("proof of Lemma 2, third display", "A73.v1 A73.v2").identity(
    "rgm:a2-completed-square",
    "The exponent that the integral over one coordinate leaves",
    eq(_coefficients[1] ** 2 / (4 * _coefficients[0]) - _coefficients[2], shift((m1 - m2) ** 2)),
    "The exponent of the Gaussian integral at these coefficients depends on the means by their difference only.",
    given=MIXED,
    by=(Identity(), Units({s1: 1, s2: 1, m1: 1, m2: 1})),
    points={**POINTS, m1: (-3, 3), m2: (-3, 3)},
    wrong={"sign": -shift((m1 - m2) ** 2), "the factor 2": 2 * shift((m1 - m2) ** 2)},
    reading="Version 2 does not close the parenthesis of the denominator in the two exponentials; the bar of the fraction "
    "leaves one place for it, at the end of the denominator, where version 1 has it.",
)

_kept = exp(shift((m1 - m2) ** 2))
#: The logarithm of the printed root.
_log_root = (log(2 * pi * s1**2 * s2**2) - log(_S)) / 2
#: The normal density of one coordinate, by logarithms: the coefficients of the square and of the linear term are these.
_centre = _coefficients[1] / (2 * _coefficients[0])
_log_one_density = named(r"\log f(u)", -_log_root - _coefficients[0] * (u - _centre) ** 2)
_ROOT_OF_RATIO = sqrt(2 * pi * s1**2 * s2**2 / _S) * _kept
_RATIO_OF_ROOTS = per_coordinate * _kept

one_coordinate = page.at("proof of Lemma 2, third display", "A73.v1 A73.v2").identity(
    "rgm:a2-one-coordinate",
    "The integral over one coordinate",
    both(eq(line, _log_root + shift((m1 - m2) ** 2) + _log_one_density), eq(_ROOT_OF_RATIO, _RATIO_OF_ROOTS)),
    "The integrand of one coordinate is the printed value, in its two forms, times a normal density $f$.",
    printed=r"\int_{-\infty}^{+\infty}\exp\left(-\frac{\alpha(u-\mu_1)^2}{2\sigma_1^2} - \frac{(1-\alpha)(u-\mu_2)^2}{2\sigma_2^2}\right)du "
    r"= \sqrt{\frac{2\pi\sigma_1^2\sigma_2^2}{\alpha\sigma_2^2+(1-\alpha)\sigma_1^2}}\exp\left(-\frac{\alpha(1-\alpha)(\mu_1-\mu_2)^2}{2(\alpha\sigma_2^2+(1-\alpha)\sigma_1^2)}\right) "
    r"= \frac{\sqrt{2\pi}\,\sigma_1\sigma_2}{\sqrt{\alpha\sigma_2^2+(1-\alpha)\sigma_1^2}}"
    r"\exp\left(-\frac{\alpha(1-\alpha)(\mu_1-\mu_2)^2}{2(\alpha\sigma_2^2+(1-\alpha)\sigma_1^2)}\right)",
    given=MIXED,
    by=(
        Identity(positive=(mixed,)),
        Quadrature(log_integrand=line.subs(u, along), variable=along, closed_form=_RATIO_OF_ROOTS, count=2),
    ),
    points={**POINTS, m1: (-3, 3), m2: (-3, 3), u: (-4, 4)},
    wrong={
        "pi for 2 pi": eq(line, _log_root - log(2) / 2 + shift((m1 - m2) ** 2) + _log_one_density),
        "variances for deviations": eq(_ROOT_OF_RATIO, _RATIO_OF_ROOTS * s1 * s2),
    },
    steps=(
        Step("Multiply out.", "rgm:a2-expanded-exponent"),
        Step("Bring over a common denominator.", "rgm:a2-common-denominator"),
        Step("Apply the Gaussian integral: the density integrates to 1.", "rgm:a2-gaussian-integral"),
        Step("Simplify its exponent.", "rgm:a2-completed-square"),
    ),
    reading="At every point of the line, by logarithms. The density integrates to 1, so that the printed value is the "
    "integral; direct integration is the second computation.",
)
