"""Symbols of the results about Gaussian features: chi-square probabilities, eigenvalues of the covariance, what is clipped.

In units of Sigma a record X = Sigma^(1/2) u has X^T Sigma^(-1) X = |u|^2, a chi-square variable with d degrees of freedom. v is R_c^2.
"""

from sympy import gamma as gamma_function, lowergamma, uppergamma

from rgm_verify.claims.written.rendering import expression_latex
from rgm_verify.pages import *

from .notation import NOTATION, d

GAUSSIAN_NOTATION = Notation(NOTATION)
_HALF = Rational(1, 2)
L = GAUSSIAN_NOTATION.positive("L", "largest eigenvalue of Sigma")
l_min = GAUSSIAN_NOTATION.positive("l", "smallest eigenvalue of Sigma")
v = GAUSSIAN_NOTATION.positive("v", "R_c^2, the square of the clipping threshold", latex="R_c^2")
n = GAUSSIAN_NOTATION.natural("n", "number of records")
n_c = GAUSSIAN_NOTATION.natural("n_c", "number of records in I_C")
nu = GAUSSIAN_NOTATION.positive("nu", "probability of failure", upper=1)
ell = GAUSSIAN_NOTATION.nonnegative("ell", "log(2d/nu)")
t = GAUSSIAN_NOTATION.nonnegative("t", "deviation in norm")
rho_bar = GAUSSIAN_NOTATION.positive(
    "rhobar", "mean of the clipped covariance in units of Sigma", upper=1, latex=r"\bar\rho"
)
PROPOSED = positive("rho", "the proposed lower bound")
MAHALANOBIS = nonnegative("m", "X^T Sigma^(-1) X", latex=r"X^\top\Sigma^{-1}X")
epsilon = GAUSSIAN_NOTATION.positive("varepsilon", "privacy parameter of the test")
log_delta = GAUSSIAN_NOTATION.positive("lambda", "log(1/delta) of the test", latex=r"\log(1/\delta)")
distance = GAUSSIAN_NOTATION.nonnegative("D", "the statistic Delta_+ of the test", latex=r"\Delta_+")
l_rel = GAUSSIAN_NOTATION.positive("ell", "L_rel", latex="L_{rel}")
rho, m = GAUSSIAN_NOTATION.declare(PROPOSED, MAHALANOBIS)
ORDERED = Hypothesis("smallest at most largest", le(l_min, L))
ENOUGH_RECORDS = Hypothesis("enough records", ge(9 * n, 4 * ell), "n >= 4 log(2d/nu)/9")


def _probability(value: Expr, sign: str, level: Expr, degrees: Expr) -> Expr:
    """Return a chi-square probability under its name."""
    shown = {v: "R_c^2", l_rel: r"L_{rel}"}
    return named(rf"P[\chi^2_{{{expression_latex(degrees)}}} {sign} {expression_latex(level, shown)}]", value)


def tail(level: Expr, degrees: Expr = d) -> Expr:
    """The probability that a chi-square variable with `degrees` degrees of freedom exceeds `level`."""
    value = uppergamma(_HALF * degrees, level / 2) / gamma_function(_HALF * degrees)
    return _probability(value, ">", level, degrees)


def distribution(level: Expr, degrees: Expr = d) -> Expr:
    """The probability that a chi-square variable with `degrees` degrees of freedom is at most `level`."""
    value = lowergamma(_HALF * degrees, level / 2) / gamma_function(_HALF * degrees)
    return _probability(value, r"\le", level, degrees)


def density(level: Expr, degrees: Expr = d) -> Expr:
    """The density of a chi-square variable with `degrees` degrees of freedom."""
    half = _HALF * degrees
    return level ** (half - 1) * exp(-level / 2) / (2**half * gamma_function(half))


def clipped_mean(level: Expr, degrees: Expr = d) -> Expr:
    """E min(|u|^2, level)/d of version 2: P[chi2(d+2) <= level] + (level/d) P[chi2(d) > level]."""
    return distribution(level, degrees + 2) + level / degrees * tail(level, degrees)


def rejection(gap: Expr, scale: Expr = epsilon) -> Expr:
    """The probability that the test rejects, where the statistic exceeds the threshold by `gap` >= 0."""
    return exp(-scale * gap) / 2


def bernstein(deviation: Expr, variance: Expr, bound: Expr) -> Expr:
    """The exponent (t^2/2)/(variance + bound t/3) of matrix Bernstein (Tropp, Corollary 6.1.2)."""
    return deviation**2 / 2 / (variance + bound * deviation / 3)
