r"""Appendix B.1: the convex case, summed and averaged.

The left sides of v1 (51), (56) and v2 (56), (61) are random, the right sides are not: Gaussian noise exceeds every bound with positive probability. With the
expectation on the left they still lack the factor $d$ of the noise; in dimension 1 they then hold.
"""

from ..descent_notation import *
from ..notation import NOTATION, d, gamma, sigma2

page = Page("rgm-v1+v2", "", DESCENT_NOTATION, NOTATION)
_AT_MOST_L = IN_CLASS[1]
_NOISY = positive("sigma^2", "baseline variance per coordinate")
_SUM, _AVERAGE = "App. B.1, v1 (56), v2 (61)", "App. B.1, v1 (51), v2 (56)"
_ONE_OUTCOME = (
    "One outcome of the noise of the first step: outcomes near it fail too, so that the probability is positive."
)
_LINE_ONLY = r"Only $f(\theta) = \frac\lambda2\theta^2$ in dimension 1, and $t = 2$."
_TWO = f"With the expectation put in. {ON_QUADRATICS}"
_TWO_ONLY = QUADRATICS_ONLY + " The case $t = 2$."
_moved = theta_0 - tau * (lam * theta_0 + z)
_bound_line = theta_0**2 / (4 * tau) + tau * _NOISY.symbol / 2
_bound = r_0 / (4 * tau) + tau * sigma2 / 2
_next = on_quadratic(next_moment, r_0)
#: E |(theta_0 + theta_1)/2|^2: the mean of the two points moves to (1 - tau lambda/2) theta_0, with half of the step's noise.
_average_moment = r_0 - tau * lam * r_0 + tau**2 * lam**2 * r_0 / 4 + tau**2 / 4 * d * (gamma * lam**2 * r_0 + sigma2)

sum_outcome = page.elsewhere(_SUM, "T2.13").inequality(
    "rgm:b1-convex-sum",
    "The sum over the steps, as printed, for every outcome",
    le((lam * theta_0**2 / 2 + lam * _moved**2 / 2) / 2, _bound_line),
    "The left side is random, the right side is not.",
    given=(_AT_MOST_L, STEP_OF_PROOF),
    over=(_NOISY,),
    reading=_ONE_OUTCOME,
    instance=_LINE_ONLY,
    mistake=("misprint", "beyond:descent-convex-sum"),
    remark="The sum of the lines before it has expectations; one is missing on the left.",
    printed=r"\frac1t\sum_{k=0}^{t-1} f(\theta_k) - f(\theta_\star) \le \frac{\|\theta_0-\theta_\star\|^2}{2\tau t} + \frac{\tau\sigma^2}{2}",
)

sum_expected = page.elsewhere(_SUM, "T2.13").inequality(
    "rgm:b1-convex-sum-expected",
    "The sum over the steps, in expectation, without the dimension",
    le((on_quadratic(F, r_0) + lam * _next / 2) / 2, _bound),
    given=(_AT_MOST_L, STEP_OF_PROOF),
    reading=_TWO,
    instance=_TWO_ONLY,
    mistake=("wrong constant", "beyond:descent-convex-sum"),
    printed=r"\frac1t\sum_{k=0}^{t-1} E f(\theta_k) - f(\theta_\star) \le \frac{\|\theta_0-\theta_\star\|^2}{2\tau t} + \frac{\tau\sigma^2}{2}",
)

average_outcome = page.elsewhere(_AVERAGE, "T2.14").corollary(
    "rgm:b1-convex-average",
    "The averaged iterate, as printed, for every outcome",
    le(lam * ((theta_0 + _moved) / 2) ** 2 / 2, _bound_line),
    "The left side is random, the right side is not.",
    given=(_AT_MOST_L, PRINTED_STEP, STEP_OF_PROOF),
    over=(_NOISY,),
    reading=_ONE_OUTCOME + " Both step sizes that the paper names are observed.",
    instance=_LINE_ONLY,
    mistake=("misprint", "beyond:descent-convex-average"),
    printed=r"f(\bar\theta_t) - f(\theta_\star) \le \frac{\|\theta_0-\theta_\star\|^2}{2\tau t} + \frac{\tau\sigma^2}{2}",
)

average_expected = page.elsewhere(_AVERAGE, "T2.14").corollary(
    "rgm:b1-convex-average-expected",
    "The averaged iterate, in expectation, without the dimension",
    le(lam * _average_moment / 2, _bound),
    "Under the assumptions of Theorem 2, or for convex $f$.",
    given=(_AT_MOST_L, PRINTED_STEP, STEP_OF_PROOF),
    reading=_TWO + " Both step sizes that the paper names are observed.",
    instance=_TWO_ONLY,
    mistake=("wrong constant", "beyond:descent-convex-average"),
    printed=r"E f(\bar\theta_t) - f(\theta_\star) \le \frac{\|\theta_0-\theta_\star\|^2}{2\tau t} + \frac{\tau\sigma^2}{2}",
)
