"""Statements that users of these papers make, and that are wrong."""

from rgm_verify.pages import *

from .classical import page as classical_page
from .discrete import page as discrete_page
from .discrete import t
from .notation import *

page = Page("Balle and Wang 2018", "as it is often used", classical_page)
other = Page("Canonne, Kamath and Steinke 2020", "as it is often used", discrete_page)

classical_beyond_one = page.remark(
    "calibration:classical-beyond-one",
    "The classical noise at every epsilon",
    le(At(profile(epsilon, m), m, epsilon / sqrt(2 * log(Rational(5, 4) / delta))), delta),
    points={epsilon: (1, 40), delta: (Rational(1, 100), Rational(1, 2))},
    mistake=("missing hypothesis", "calibration:classical"),
)

without_its_quarter = page.remark(
    "calibration:classical-without-its-quarter",
    "The classical noise with log(1/delta) in the place of log(5/(4 delta))",
    le(At(profile(epsilon, m), m, epsilon / sqrt(2 * log(1 / delta))), delta),
    given=Hypothesis("a small epsilon", le(epsilon, 1)),
    points={epsilon: (Rational(1, 10), 1), delta: (Rational(1, 2), Rational(99, 100))},
    mistake=("wrong constant", "calibration:classical"),
)

tail_alone = page.remark(
    "calibration:tail-alone",
    "The tail of the loss as if it were the profile",
    eq(profile(epsilon, m), normal(m / 2 - epsilon / m)),
    mistake=("false", "calibration:profile-below-the-tail"),
)

symmetric = page.remark(
    "calibration:profile-of-twice-the-epsilon",
    "Half the noise as if it cost twice the epsilon at one delta",
    le(profile(2 * epsilon, 2 * m), profile(epsilon, m)),
    mistake=("false", "calibration:slope-in-the-ratio"),
)

same_variance = other.remark(
    "discrete:variance-of-laplace",
    "The variance of the continuous Laplace law for the discrete one",
    eq(2 * exp(epsilon) / (exp(epsilon) - 1) ** 2, 2 / epsilon**2),
    mistake=("false", "discrete:less-variance-than-laplace"),
)

dropped_order = other.remark(
    "discrete:conversion-without-its-factor",
    "The conversion with the order dropped from its last logarithm",
    le(log(1 / (alpha * delta)) / (alpha - 1) + log(1 - 1 / alpha), log(1 / delta) / alpha),
    mistake=("false", "discrete:better-conversion"),
)

narrow_proposals = other.remark(
    "discrete:narrow-proposals",
    "The constant of the sampler for proposals of any width",
    ge(exp(-(sigma**2) / (2 * t**2)), exp(-Rational(1, 2))),
    mistake=("missing hypothesis", "discrete:constant-of-the-sampler"),
)
