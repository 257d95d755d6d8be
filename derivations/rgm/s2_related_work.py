r"""Section 2 of version 2: in dimension 1 the mechanism is an instance of Gaussian smooth sensitivity.

There the noise is $\mathcal N(0, e^{g(x)})$ with $|R(x)-R(y)| \le \Delta_f e^{g(x)/2}$ and $|g(x)-g(y)| \le \Delta_g$. With
$g(x) = \log(\gamma|R(x)|^2+\sigma^2)$ both hold, with $\Delta_f = \eta/\sqrt\gamma$ and $\Delta_g = 2\log(1+\eta)$, once the baseline noise is that of
Theorem 1 at order 1. The smaller baseline that Theorem 1 allows at larger orders does not suffice for the first of them.
"""

from sympy import exp, log

from rgm_verify.claims import *
from rgm_verify.lenses import *

from .notation import *

page = Page("rgm-v2", "§2", NOTATION)


_WHERE = "§2, Local and smooth sensitivity"
SMOOTH_BASELINE = Hypothesis(
    "baseline noise of Theorem 1 at order 1",
    ge(sigma2, gamma / eta**2 * r_rel**2),
    "App. A.6 and Theorem 1 for alpha = 1",
)
_DIMENSION_1 = Hypothesis("dimension 1", eq(c**2, 1))
_NOISE = Hypothesis("noise", gt(variance_x, 0), "Definition 3")

same_noise = page.at("Local and smooth sensitivity", "NA03").remark(
    "rgm-v2:smooth-sensitivity-noise",
    "The same noise as Gaussian smooth sensitivity",
    eq(exp(log(variance_x)), variance_x),
    r"With $g(x) = \log(\gamma|R(x)|^2 + \sigma^2)$ the variance $e^{g(x)}$ of the one mechanism is that of the other.",
    given=_NOISE,
    wrong={
        "g halved": left(exp(log(variance_x) / 2)),
        "no baseline noise in g": left(exp(log(variance_x - sigma2 / 2))),
    },
)

smooth_bound = page.at("Local and smooth sensitivity", "NA03").remark(
    "rgm-v2:smooth-sensitivity-in-dimension-1",
    "The noise scale is a smooth upper bound on the local sensitivity",
    both(le(distance2, eta**2 / gamma * variance_x), le(variance_x, (1 + eta) ** 2 * variance_y)),
    r"Up to the factor $\eta/\sqrt\gamma$ the noise scale bounds the distance to every neighbour, and between neighbours it changes at most by "
    r"the factor $1+\eta$.",
    given=(*RELATIVE_SENSITIVITY, SMOOTH_BASELINE, _DIMENSION_1),
    by=(Deduction((Premise("rgm:lemma-1"),)), Smt()),
    points={a: b * (1 + eta), c: 1 + 0 * b, r_rel: 0 * b},
    wrong={
        "without eta": both(
            le(distance2, eta**2 / (4 * gamma) * variance_x), le(variance_x, (1 + eta) ** 2 * variance_y)
        ),
        "1 + eta without the square": both(
            le(distance2, eta**2 / gamma * variance_x), le(variance_x, (1 + eta) * variance_y)
        ),
        "no baseline noise": without(SMOOTH_BASELINE),
    },
    steps=(Step("The ratio of the noise scales.", "rgm:lemma-1"),),
    reading="The inequalities that Gaussian smooth sensitivity asks for, squared and without logarithms; in dimension 1 the cosine is 1 or -1.",
)

_output = page.positive("b", "norm of R(y)")

_AT_ORDER_1 = Hypothesis(
    "baseline noise of Theorem 1 at order 1", ge(sigma2, gamma / eta**2 * r_rel**2), "Theorem 1 for alpha = 1"
)

smaller_baseline = page.at("Local and smooth sensitivity", source="beyond").remark(
    "beyond:smaller-baseline-is-not-smooth",
    "The smaller baseline noise of larger orders is no smooth upper bound",
    gt(_output**2, eta**2 / gamma * sigma2),
    r"With the baseline noise that Theorem 1 asks for at some $\alpha > 1$, the distance from an output that is 0 can exceed $\eta/\sqrt\gamma$ "
    r"times the noise scale there.",
    exists=True,
    given=(
        Hypothesis("relative sensitivity", le(_output**2, r_rel**2), "Definition 2 for R(x) = 0"),
        RANGE_OF_ALPHA,
        BASELINE_OF_THEOREM_1,
    ),
    by=(Search(), Smt()),
    points={
        _output: r_rel,
        alpha: 1 + 1 / (2 * eta * (2 + eta)),
        sigma2: gamma / eta**2 * (1 - 1 / (2 * (2 + eta))) * r_rel**2,
    },
    wrong={
        "twice the bound": 2 * eta**2 / gamma * sigma2,
        "the baseline noise of order 1": changed(
            hypotheses=(Hypothesis("relative sensitivity", le(_output**2, r_rel**2)), RANGE_OF_ALPHA, _AT_ORDER_1)
        ),
    },
)
