r"""Section 2 of version 2: in dimension 1 the mechanism is an instance of Gaussian smooth sensitivity.

There the noise is $\mathcal N(0, e^{g(x)})$ with $|R(x)-R(y)| \le \Delta_f e^{g(x)/2}$ and $|g(x)-g(y)| \le \Delta_g$. With
$g(x) = \log(\gamma|R(x)|^2+\sigma^2)$ both hold, with $\Delta_f = \eta/\sqrt\gamma$ and $\Delta_g = 2\log(1+\eta)$, once the baseline noise is that of
Theorem 1 at order 1. The smaller baseline that Theorem 1 allows at larger orders does not suffice for the first of them.

Noise at the level of the local sensitivity itself, which is no smooth bound, is private at no level: the motive of the paper.
"""

from rgm_verify.lenses.distributions.mechanisms import Y, normal

from ..gaussian_releases import of_readings
from ..notation import *

page = Page("rgm-v2", "§2", NOTATION)
_PLACE = "Local and smooth sensitivity"
SMOOTH_BASELINE = Hypothesis(
    "baseline noise of Theorem 1 at order 1",
    ge(sigma2, gamma / eta**2 * r_rel**2),
    "App. A.6 and Theorem 1 for alpha = 1",
)
_output = page.positive("b", "norm of R(y)", latex=r"\|R(y)\|")
_SLOWLY = le(variance_x, (1 + eta) ** 2 * variance_y)

same_noise = page.at(_PLACE, "NA03").remark(
    "rgm-v2:smooth-sensitivity-noise",
    "The same noise as Gaussian smooth sensitivity",
    eq(exp(log(variance_x)), variance_x),
    "The exponent is $g(x)$: the variance of the one mechanism is that of the other.",
    given=Hypothesis("noise", gt(variance_x, 0), "Definition 3"),
    wrong={
        "g halved": left(exp(log(variance_x) / 2)),
        "no baseline noise in g": left(exp(log(variance_x - sigma2 / 2))),
    },
)

smooth_bound = page.at(_PLACE, "NA03").remark(
    "rgm-v2:smooth-sensitivity-in-dimension-1",
    "The noise scale is a smooth upper bound on the local sensitivity",
    both(le(distance2, eta**2 / gamma * variance_x), _SLOWLY),
    "Up to a factor the noise scale bounds the distance to every neighbour, and it changes little between neighbours.",
    given=(*RELATIVE_SENSITIVITY, SMOOTH_BASELINE, Hypothesis("dimension 1", eq(c**2, 1))),
    by=(Deduction((Premise("rgm:lemma-1"),)), Smt()),
    points={a: b * (1 + eta), c: 1, r_rel: 0},
    wrong={
        "without eta": both(le(distance2, eta**2 / (4 * gamma) * variance_x), _SLOWLY),
        "1 + eta without the square": both(
            le(distance2, eta**2 / gamma * variance_x), le(variance_x, (1 + eta) * variance_y)
        ),
        "no baseline noise": without(SMOOTH_BASELINE),
    },
    reading="The inequalities that Gaussian smooth sensitivity asks for, squared and without logarithms; in dimension 1 the cosine is 1 or -1.",
)

_AT_0 = Hypothesis("relative sensitivity", le(_output**2, r_rel**2), "Definition 2 for R(x) = 0")

smaller_baseline = page.at(_PLACE, source="beyond").remark(
    "beyond:smaller-baseline-is-not-smooth",
    "The smaller baseline noise of larger orders is no smooth upper bound",
    gt(_output**2, eta**2 / gamma * sigma2),
    "The distance from an output that is 0 can exceed what the noise scale there should bound.",
    exists=True,
    given=(_AT_0, RANGE_OF_ALPHA, BASELINE_OF_THEOREM_1),
    by=(Search(), Smt()),
    points={
        _output: r_rel,
        alpha: 1 + 1 / (2 * eta * (2 + eta)),
        sigma2: gamma / eta**2 * (1 - 1 / (2 * (2 + eta))) * r_rel**2,
    },
    wrong={
        "twice the bound": 2 * eta**2 / gamma * sigma2,
        "the baseline noise of order 1": changed(hypotheses=(_AT_0, RANGE_OF_ALPHA, SMOOTH_BASELINE)),
    },
)

# Outputs 0, 0, 1 and D of datasets x ~ y, x ~ x', y ~ y': the local sensitivities are 1 at x and D at y, and both outputs are 0.
_local = page.positive("D", "local sensitivity at y, in units of that at x")
_FAR = Hypothesis("far", ge((alpha - 1) * _local**2, alpha))


def _apart(level: int, share: Expr) -> Formula:
    """The event that the release is beyond 5 standard deviations at x, where y has a hundred times the deviation."""
    at_y, at_x = (named(rf"P_{{{name}}}", erfc(5 / (z * sqrt(Integer(2))))) for name, z in (("y", 100), ("x", 1)))
    return gt(at_y - exp(Integer(level)) * at_x, share)


def _not_private(mixed: Expr, level: int, share: Expr) -> Formula:
    return both(le(named(r"(\alpha\sigma_x^2+(1-\alpha)\sigma_y^2)", mixed), 0), _apart(level, share))


local_noise = page.at(f"{_PLACE}; §3, Links to local sensitivity; §4.2", "NA04", source="rgm-v1+v2").remark(
    "rgm:noise-by-local-sensitivity",
    "Noise calibrated to the local sensitivity is not private",
    _not_private(alpha + (1 - alpha) * _local**2, 10, Rational(94, 100)),
    r"On the line: $x \sim y$ have the output 0, their other neighbours 1 and $D$. Whatever multiple of the local sensitivity the deviation is, no Rényi divergence of an order from $D^2/(D^2-1)$ on is finite, and with $D$ at 100 the release is not $(10, 0.94)$-private.",
    outputs=of_readings(
        (Reading(erfc(5 / (100 * sqrt(Integer(2)))), Chance(Y**2 - 25), normal(0, 100)),),
        ({alpha: Integer(2), _local: Integer(2)},),
    ),
    given=_FAR,
    points={alpha: (Rational(11, 10), 3), _local: (1, 4)},
    wrong={
        "a deviation of D for D^2": _not_private(alpha + (1 - alpha) * _local, 10, Rational(94, 100)),
        "close": without(),
        "epsilon of 20": _not_private(alpha + (1 - alpha) * _local**2, 20, Rational(94, 100)),
        "delta of 97/100": _not_private(alpha + (1 - alpha) * _local**2, 10, Rational(97, 100)),
    },
    steps=Step("Where the mixed variance is not positive the divergence is infinite.", "beyond:lemma-2-infinite"),
    reading=r"In units of the local sensitivity at $x$, times the factor that the deviation has. The event is that the release is farther from 0 than five deviations at $x$.",
)

returns = page.elsewhere("§2, Beyond absolute sensitivity", "NA07", source="rgm-v1").remark(
    "rgm-v1:always-returns",
    "The mechanism always returns a value",
    says="Unlike methods that test first, the mechanism always returns a value, without a bound on the absolute sensitivity.",
    informal="That it returns a value is its definition: every output gets noise of some variance. The procedure of version 2 tests first and may return nothing (rgm-v2:proposition-3).",
)

analysis = page.elsewhere("§2, Private gradient descent", "NB13", source="rgm-v1").remark(
    "rgm-v1:analysis-as-without-clipping",
    "The convergence analysis is very similar to that without clipping",
    says="The analysis of gradient descent with the mechanism is very similar to that without clipping.",
    informal="How similar two proofs are is no statement. What the analysis gives is Theorem 2 (rgm:theorem-2), and what it should give beyond:descent-theorem.",
)
