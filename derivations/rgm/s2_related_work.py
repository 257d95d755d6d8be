r"""Section 2 of version 2: in dimension 1 the mechanism is an instance of Gaussian smooth sensitivity.

There the noise is $\mathcal N(0, e^{g(x)})$ with $|R(x)-R(y)| \le \Delta_f e^{g(x)/2}$ and $|g(x)-g(y)| \le \Delta_g$. With
$g(x) = \log(\gamma|R(x)|^2+\sigma^2)$ both hold, with $\Delta_f = \eta/\sqrt\gamma$ and $\Delta_g = 2\log(1+\eta)$, once the baseline noise is that of
Theorem 1 at order 1. The smaller baseline that Theorem 1 allows at larger orders does not suffice for the first of them.
"""

from sympy import exp, log

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Step, both, eq, ge, gt, le, positive
from rgm_verify.lenses import Deduction, Identity, Premise, Search, Smt

from .notation import (
    ALPHA,
    BASELINE_OF_THEOREM_1,
    ETA,
    GAMMA,
    NORM_X,
    PAIR,
    R_REL,
    RANGE_OF_ALPHA,
    RELATIVE_SENSITIVITY,
    SIGMA2,
    a,
    alpha,
    b,
    c,
    distance2,
    eta,
    gamma,
    r_rel,
    sigma2,
    variance_x,
    variance_y,
)

_WHERE = "§2, Local and smooth sensitivity"
SMOOTH_BASELINE = Hypothesis(
    "baseline noise of Theorem 1 at order 1",
    ge(sigma2, gamma / eta**2 * r_rel**2),
    "App. A.6 and Theorem 1 for alpha = 1",
)
_DIMENSION_1 = Hypothesis("dimension 1", eq(c**2, 1))
_NOISE = Hypothesis("noise", gt(variance_x, 0), "Definition 3")

same_noise = Claim(
    id="rgm-v2:smooth-sensitivity-noise",
    refs=("NA03",),
    title="The same noise as Gaussian smooth sensitivity",
    source="rgm-v2",
    where=_WHERE,
    kind="remark",
    statement=r"With $g(x) = \log(\gamma|R(x)|^2 + \sigma^2)$ the variance $e^{g(x)}$ of the one mechanism is that of the other.",
    variables=(NORM_X, GAMMA, SIGMA2),
    hypotheses=(_NOISE,),
    conclusion=eq(exp(log(variance_x)), variance_x),
    checks=(Identity(),),
    mutants=(
        Mutant("g halved", eq(exp(log(variance_x) / 2), variance_x)),
        Mutant("no baseline noise in g", eq(exp(log(variance_x - sigma2 / 2)), variance_x)),
    ),
)

smooth_bound = Claim(
    id="rgm-v2:smooth-sensitivity-in-dimension-1",
    refs=("NA03",),
    title="The noise scale is a smooth upper bound on the local sensitivity",
    source="rgm-v2",
    where=_WHERE,
    kind="remark",
    statement=(
        r"Up to the factor $\eta/\sqrt\gamma$ the noise scale bounds the distance to every neighbour, and between neighbours it changes at most by "
        r"the factor $1+\eta$."
    ),
    variables=(*PAIR, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(*RELATIVE_SENSITIVITY, SMOOTH_BASELINE, _DIMENSION_1),
    conclusion=both(le(distance2, eta**2 / gamma * variance_x), le(variance_x, (1 + eta) ** 2 * variance_y)),
    reading="The inequalities that Gaussian smooth sensitivity asks for, squared and without logarithms; in dimension 1 the cosine is 1 or -1.",
    checks=(Deduction((Premise("rgm:lemma-1"),)), Smt()),
    sampling=Chart(
        {b: (0, None), eta: (0, None), gamma: (0, None), sigma2: (0, None)},
        {a: b * (1 + eta), c: 1 + 0 * b, r_rel: 0 * b, b: b, eta: eta, gamma: gamma, sigma2: sigma2},
    ),
    mutants=(
        Mutant(
            "without eta",
            both(le(distance2, eta**2 / (4 * gamma) * variance_x), le(variance_x, (1 + eta) ** 2 * variance_y)),
        ),
        Mutant(
            "1 + eta without the square",
            both(le(distance2, eta**2 / gamma * variance_x), le(variance_x, (1 + eta) * variance_y)),
        ),
        Mutant("no baseline noise", hypotheses=(*RELATIVE_SENSITIVITY, _DIMENSION_1)),
    ),
    derivation=(Step("The ratio of the noise scales.", "rgm:lemma-1"),),
)

_OUTPUT = positive("b", "norm of R(y)")
_output = _OUTPUT.symbol
_AT_ORDER_1 = Hypothesis(
    "baseline noise of Theorem 1 at order 1", ge(sigma2, gamma / eta**2 * r_rel**2), "Theorem 1 for alpha = 1"
)

smaller_baseline = Claim(
    id="beyond:smaller-baseline-is-not-smooth",
    title="The smaller baseline noise of larger orders is no smooth upper bound",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=(
        r"With the baseline noise that Theorem 1 asks for at some $\alpha > 1$, the distance from an output that is 0 can exceed $\eta/\sqrt\gamma$ "
        r"times the noise scale there."
    ),
    variables=(_OUTPUT, ETA, GAMMA, R_REL, SIGMA2, ALPHA),
    hypotheses=(
        Hypothesis("relative sensitivity", le(_output**2, r_rel**2), "Definition 2 for R(x) = 0"),
        RANGE_OF_ALPHA,
        BASELINE_OF_THEOREM_1,
    ),
    conclusion=gt(_output**2, eta**2 / gamma * sigma2),
    quantifier="exists",
    checks=(Search(), Smt()),
    sampling=Chart(
        {r_rel: (0, None), eta: (0, None), gamma: (0, None)},
        {
            _output: r_rel,
            alpha: 1 + 1 / (2 * eta * (2 + eta)),
            sigma2: gamma / eta**2 * (1 - 1 / (2 * (2 + eta))) * r_rel**2,
            r_rel: r_rel,
            eta: eta,
            gamma: gamma,
        },
    ),
    mutants=(
        Mutant("twice the bound", gt(_output**2, 2 * eta**2 / gamma * sigma2)),
        Mutant(
            "the baseline noise of order 1",
            hypotheses=(Hypothesis("relative sensitivity", le(_output**2, r_rel**2)), RANGE_OF_ALPHA, _AT_ORDER_1),
        ),
    ),
)
