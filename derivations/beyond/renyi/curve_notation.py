"""Names of the exact Rényi curve: the curve, the divergence of a pair, admissible pairs, the worst pairs."""

from ...rgm.notation import *

page = Page("beyond", "used for the exact Rényi curve", NOTATION)
_q = page.positive("q", "eta (2 + eta)")
k_in_range = page.real(
    "k", "(alpha - 1) q, below 1 in the range of alpha", lower=0, upper=1, lower_open=True, upper_open=True
)
_r = page.positive("r", "ratio of the variances, sigma_2^2 / sigma_1^2")
_y = page.nonnegative("y")
IN_RANGE = Hypothesis("open range of alpha", gt(rho, 0), "Theorem 1")
RATIO_RANGE = (
    Hypothesis("r from below", ge(_r, (1 + eta) ** -2), "Lemma 1"),
    Hypothesis("r from above", le(_r, (1 + eta) ** 2), "Lemma 1"),
)
#: The logarithmic term of Lemma 2 in one dimension, as a function of the ratio of the variances.
log_term = (alpha * log(_r) - log(1 + alpha * (_r - 1))) / (2 * (alpha - 1))
#: Its value at r = (1 + eta)^(-2).
exact_log_term = -log(rho) / (2 * (alpha - 1)) - log(1 + eta)
#: The exact Rényi divergence of the worst pair.
exact_curve = alpha * eta**2 / (2 * gamma * rho) + d * exact_log_term
#: A closed bound on it.
closed_curve = alpha * eta**2 / (2 * gamma * rho) + d * alpha * q**2 / (4 * (1 + eta) * rho)


def _twice(ratio: Expr) -> Expr:
    """The logarithmic term at a ratio, times 2 (alpha - 1)."""
    return alpha * log(ratio) - log(1 + alpha * (ratio - 1))


#: The Rényi divergence of Lemma 2 for a pair of outputs, R(x) against R(y).
_ratio = named("r", variance_y / variance_x)
_mixed = alpha * variance_y + (1 - alpha) * variance_x
divergence = named(r"D_\alpha(P\|Q)", alpha * distance2 / (2 * _mixed) + d * _twice(_ratio) / (2 * (alpha - 1)))
POSITIVE_NOISE = Hypothesis(
    "both variances are positive", All((gt(variance_x, 0), gt(variance_y, 0))), "Definition 3 has sigma > 0"
)
ADMISSIBLE = (*RELATIVE_SENSITIVITY, IN_RANGE, BASELINE_OF_THEOREM_1, POSITIVE_NOISE)
_NOISE = positive("s", "baseline variance, for choosing points")
#: The worst pairs, for choosing points: R(x) = (1 + eta) R(y) or the other way round, without an absolute term.
WORST_PAIRS = {
    _NOISE.symbol: (0, 1),
    d: (1, 1000),
    a: (1 + eta) * b,
    c: 1 + 0 * b,
    r_rel: 0 * b,
    sigma2: _NOISE.symbol**3,
    alpha: 1 + k_in_range / q,
}
