"""Symbols of Lemma 2: two normal laws and a point, the integral that the divergence is, and the divergence."""

from ..notation import *

integral = Page("rgm-v1+v2", "App. A.2", NOTATION)
p = integral.positive("P", "density of the first distribution at a point")
dens_q = integral.positive("Q", "density of the second distribution at the same point")
s1 = integral.positive("sigma_1", "standard deviation of P per coordinate")
s2 = integral.positive("sigma_2", "standard deviation of Q per coordinate")
m1 = integral.real("mu_1", "mean of P in one coordinate")
m2 = integral.real("mu_2", "mean of Q in one coordinate")
distance = integral.nonnegative("Delta", "distance of the two means")
from_1 = integral.nonnegative("s", "squared distance of the point from the mean of P")
from_2 = integral.nonnegative("t", "squared distance of the point from the mean of Q")
u = integral.real("u", "a coordinate of the point")
qa = integral.positive("a", "coefficient of the square")
qb = integral.real("b", "coefficient of the linear term")
qc = integral.real("c", "constant term")

#: The variable of integration, where a lens integrates.
along = Symbol("x", real=True)
#: S, the common denominator of the lemma.
mixed = alpha * s2**2 + (1 - alpha) * s1**2
_S = named("S", mixed)
MIXED = Hypothesis("mixed variance", gt(_S, 0), "Lemma 2")

#: Sizes that integrate fast; the hypothesis on the mixed variance picks among them.
POINTS = {alpha: (Rational(11, 10), 6), s1: (Rational(1, 2), 3), s2: (Rational(1, 2), 3)}

#: Both densities' constants, to the powers alpha and 1 - alpha.
normaliser = sqrt(s2 ** (2 * d * (alpha - 1)) / ((2 * pi) ** d * s1 ** (2 * d * alpha)))
#: What one coordinate contributes apart from the means.
per_coordinate = sqrt(2 * pi) * s1 * s2 / sqrt(_S)
base = s1 ** (1 - alpha) * s2**alpha / sqrt(_S)


def exponent(first: Expr, second: Expr) -> Expr:
    """The exponent of P^alpha Q^(1 - alpha) at given squared distances from the two means."""
    return -alpha * first / (2 * s1**2) - (1 - alpha) * second / (2 * s2**2)


def shift(squared: Expr) -> Expr:
    """The exponent that the integral keeps of means at a given squared distance."""
    return -alpha * (1 - alpha) * squared / (2 * _S)


def density(squared: Expr, scale: Expr) -> Expr:
    """The density of a Gaussian in dimension d at a squared distance from its mean."""
    return (2 * pi * scale**2) ** (-d / 2) * exp(-squared / (2 * scale**2))


log_integrand = named(
    r"\log(P^\alpha Q^{1-\alpha})", alpha * log(density(from_1, s1)) + (1 - alpha) * log(density(from_2, s2))
)


page = Page("rgm-v1+v2", "App. A.2", NOTATION, integral)
factors = page.positive("E", "product of the d exponential factors E_j")
big_s = page.positive("S", "mixed variance, alpha sigma_2^2 + (1 - alpha) sigma_1^2")
#: The same factors with S for the mixed variance: what is made of them holds for every S > 0.
_base = s1 ** (1 - alpha) * s2**alpha / sqrt(big_s)
divergence_s = named("D", alpha * distance**2 / (2 * big_s) + d / (alpha - 1) * log(_base))
