r"""Corollary 1: the baseline noise that it needs, why it needs it, and what optimising over alpha gains.

The printed corollary takes the notations of Theorem 1 over without saying at which order the baseline noise
is to be chosen. It is enough that $\sigma^2 \ge \frac{3+2\eta}{4+2\eta}\,\gamma\eta^{-2}R_{rel}^2$, what
Theorem 1 asks for at $1 + 1/(2\eta(2+\eta))$ (see `rgm/s4_corollary_1.py`). With no condition at all the
corollary is false.
"""

from ...rgm.appendix_a.corollary_1 import D_IS_LARGE_V2, GAMMA_IS_SMALL, L, chi, chi_v2, g_v2, page as _a5_corollary_1
from ...rgm.notation import *
from .tcdp import k

page = Page("beyond", "Sec. 4.1", NOTATION, _a5_corollary_1)
_sigma2 = page.positive("sigma^2", "baseline variance")
_tau = page.positive("tau", "radius of the test around 0, in units of R_rel")

explicit_noise = page.at("Corollary 1").identity(
    "beyond:corollary-1-noise",
    "The baseline noise at the order 1 + 1/(2q)",
    eq(1 - eta / (2 * eta * (2 + eta)), (3 + 2 * eta) / (4 + 2 * eta)),
    r"The left side is the weight $1 - \eta(\alpha-1)$ of Theorem 1 at the order $1 + 1/(2\eta(2+\eta))$, between $\frac34$ and 1.",
    wrong={"one half": Rational(1, 2), "at twice the distance": left(1 - eta / (eta * (2 + eta)))},
)

_chi_1 = named(r"\chi", chi_v2.subs(d, 1))
without_baseline = page.at("Corollary 1, with the condition of Theorem 1 on sigma^2 left out").corollary(
    "beyond:corollary-1-without-baseline",
    "Corollary 1 read without a condition on the baseline noise",
    le(
        erf(_tau / sqrt(2 * _sigma2)),
        exp(_chi_1 + 2 * sqrt(_chi_1 * L)) * 2 * _tau / sqrt(2 * pi * (gamma + _sigma2)) + exp(-L),
    ),
    r"If any $\sigma^2$ were enough: in dimension 1, where $R_{rel}$ and the norm at $x$ are 1 and the norm at $y$ is 0, the left side is the probability under $y$ of an output within $\tau$ of 0, and would be at most $e^\epsilon$ times that under $x$, plus $\delta$.",
    given=Hypothesis("small gamma", GAMMA_IS_SMALL, "Corollary 1"),
    points={
        eta: (0, Rational(1, 10)),
        k: (0, 1),
        L: (0, 3),
        _sigma2: (0, Rational(1, 1000)),
        _tau: (0, Rational(1, 10)),
        gamma: k / (4 * (2 + eta) ** 2 * L),
    },
    reading="Version 2's constants, d = 1; under x the probability is at most 2 tau times the largest density.",
    mistake=("missing hypothesis", "rgm-v2:corollary-1"),
    remark="The words 'same notations as in Theorem 1' have to carry that condition over, at the order that "
    "the proof uses.",
)

_epsilon = named(r"\epsilon", chi_v2 + 2 * sqrt(chi_v2 * L))
four_percent = page.at("Conversion to (epsilon, delta)-DP").inequality(
    "beyond:optimising-gains-four-percent",
    "Version 2: the gain over Corollary 1 is at least four percent",
    le(g_v2.subs(alpha, 1 + Rational(4, 5) * sqrt(L / chi_v2)), Rational(96, 100) * _epsilon),
    r"On the left is the bound of version 2 at an order nearer to 1 than that of the corollary, on the right 0.96 of the corollary's $\epsilon$.",
    given=Hypothesis("small gamma or large d", either(GAMMA_IS_SMALL, D_IS_LARGE_V2), "Corollary 1"),
    by=(
        Smt(),
        Deduction((Premise("rgm-v2:a5-conditions-suffice"), Premise("rgm:a5-value-of-the-minimum", {chi: chi_v2}))),
    ),
    points={L: (k / q) ** 2 * chi_v2},
    wrong={
        "0.96 becomes 0.9": Rational(9, 10) * _epsilon,
        "a fifth of the way": left(g_v2.subs(alpha, 1 + Rational(1, 5) * sqrt(L / chi_v2))),
    },
)
