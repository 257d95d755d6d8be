"""Symbols and standing assumptions of the RGM paper, named as in the paper.

Every statement about a pair of neighbours x ~ y speaks of the two outputs only through their norms and the angle
between them, so a pair is three numbers: a = |R(x)|, b = |R(y)|, and the cosine c of the angle. In dimension
d >= 2 every (a, b, c) with a, b >= 0 and |c| <= 1 occurs; in dimension 1 those with c = 1 or c = -1.
"""

from rgm_verify.claims.notation import Name, has_names
from rgm_verify.pages import *

NOTATION = Notation()
#: Version 1 asks for eta at most 1.
ETA_V1 = positive("eta", "relative sensitivity", upper=1)
eta = NOTATION.positive("eta", "relative sensitivity")
gamma = NOTATION.positive("gamma", "relative noise level: variance per squared norm of the output, per coordinate")
r_rel = NOTATION.nonnegative("R_rel", "absolute part of the relative sensitivity")
sigma2 = NOTATION.nonnegative("sigma^2", "baseline variance per coordinate")
alpha = NOTATION.real("alpha", "order of the Rényi divergence", lower=1, lower_open=True)
DIMENSION = natural("d", "dimension of the output")
a = NOTATION.nonnegative("a", "norm of R(x)", latex=r"\|R(x)\|")
b = NOTATION.nonnegative("b", "norm of R(y)", latex=r"\|R(y)\|")
c = NOTATION.real("c", "cosine of the angle between R(x) and R(y)", lower=-1, upper=1)
delta = NOTATION.positive("delta", "probability of failure", upper=1)
d = NOTATION.add(DIMENSION)
PAIR = (a, b, c)

#: |R(x) - R(y)|^2 by the law of cosines.
distance2 = named(r"\|R(x)-R(y)\|^2", a**2 + b**2 - 2 * a * b * c)
#: The variances per coordinate of the two outputs.
variance_x = named(r"\sigma_1^2", gamma * a**2 + sigma2)
variance_y = named(r"\sigma_2^2", gamma * b**2 + sigma2)
#: q = eta (2 + eta), so that (1 + eta)^2 = 1 + q.
q = eta * (2 + eta)
#: rho = 1 - (alpha - 1) q, positive in the range of Theorem 1.
rho = named(r"\rho", 1 - eta * (alpha - 1) * (2 + eta))
#: The ratio of the variances, and the Rényi divergence of the two outputs by Lemma 2.
variance_ratio = named("r", variance_y / variance_x)
divergence = named(
    r"D_\alpha(P\|Q)",
    alpha * distance2 / (2 * (alpha * variance_y + (1 - alpha) * variance_x))
    + d * ((alpha * log(variance_ratio) - log(1 + alpha * (variance_ratio - 1))) / (2 * (alpha - 1))),
)


def keeping_names(value: Any, values: Mapping[Any, Any]) -> Any:
    """Return `value` with `values` put in for symbols; a name in it then stands for what its expression becomes."""
    if isinstance(value, Name):
        return named(value.title, keeping_names(value.value, values))
    if not has_names(value):
        return value.subs(values)
    return value.func(*(keeping_names(part, values) for part in value.args))


RELATIVE_SENSITIVITY = (
    Hypothesis("relative sensitivity at x", le(distance2, eta**2 * a**2 + r_rel**2), "Definition 2"),
    Hypothesis("relative sensitivity at y", le(distance2, eta**2 * b**2 + r_rel**2), "Definition 2, by symmetry"),
)
RANGE_OF_ALPHA = Hypothesis("range of alpha", ge(rho, 0), "Theorem 1, written as eta (alpha - 1)(2 + eta) <= 1")
BASELINE_OF_LEMMA_1 = Hypothesis(
    "baseline noise of Lemma 1", ge(sigma2, gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2), "Lemma 1"
)
BASELINE_OF_THEOREM_1 = Hypothesis(
    "baseline noise of Theorem 1", ge(sigma2, gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2), "Theorem 1"
)
HALF = Rational(1, 2)

# The log term of Appendices A.3 and A.4: the part of the divergence that is left when the two means agree.
RATIO = positive("r", "ratio of the variance at y to the variance at x")
u = NOTATION.real("u", "the ratio of variances minus 1")
sigma_1 = NOTATION.positive("sigma_1", "noise scale at x")
ALPHA_FROM_1 = real("alpha", "order of the Rényi divergence", lower=1)
r = NOTATION.add(RATIO)

#: The logarithm in Lemma 2 for sigma_2^2 = r sigma_1^2.
log_term = log(
    sigma_1 ** (1 - alpha)
    * named(r"\sigma_2", sqrt(r) * sigma_1) ** alpha
    / sqrt(alpha * named(r"\sigma_2^2", r * sigma_1**2) + (1 - alpha) * sigma_1**2)
)
#: The same logarithm as the function of u = r - 1 that Appendix A.4 studies.
log_term_of_shift = alpha / 2 * log(1 + u) - log(1 + alpha * u) / 2
#: The largest log term over alpha - 1, per dimension: its value at r = (1 + eta)^(-2).
largest_log_term = -log(rho) / (2 * (alpha - 1)) - log(1 + eta)
OPEN_RANGE_OF_ALPHA = Hypothesis("range of alpha", gt(rho, 0), "Theorem 1: alpha < (1 + eta)^2/(2 eta + eta^2)")
RATIO_OF_LEMMA_1 = (
    Hypothesis("ratio from below", ge(r, (1 + eta) ** -2), "Lemma 1"),
    Hypothesis("ratio from above", le(r, (1 + eta) ** 2), "Lemma 1"),
)
DEFINED_AT_RATIO = Hypothesis("the divergence is finite", gt(1 + alpha * (r - 1), 0), "Lemma 2's condition on alpha")
DEFINED_AT_SHIFT = Hypothesis("the divergence is finite", gt(1 + alpha * u, 0), "Lemma 2's condition on alpha")
