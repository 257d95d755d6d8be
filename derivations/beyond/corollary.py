r"""Corollary 1: the baseline noise that it needs, why it needs it, and what optimising over alpha gains.

The printed corollary takes the notations of Theorem 1 over without saying at which order the baseline noise
is to be chosen. It is enough that $\sigma^2 \ge \frac{3+2\eta}{4+2\eta}\,\gamma\eta^{-2}R_{rel}^2$, what
Theorem 1 asks for at $1 + 1/(2\eta(2+\eta))$ (see `rgm/s4_corollary_1.py`). With no condition at all the
corollary is false.
"""

from sympy import Rational, erf, exp, pi, sqrt

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, either, eq, le, positive
from rgm_verify.lenses import Deduction, Identity, Premise, Smt

from ..rgm.a5_corollary_1 import D_IS_LARGE_V2, GAMMA_IS_SMALL, LOG, L, chi, chi_v2, g_v2
from ..rgm.notation import DIMENSION, ETA, GAMMA, alpha, d, eta, gamma, q
from .tcdp import k

_SIGMA2 = positive("sigma^2", "baseline variance")
_RADIUS = positive("tau", "radius of the test around 0, in units of R_rel")
_sigma2, _tau = _SIGMA2.symbol, _RADIUS.symbol

explicit_noise = Claim(
    id="beyond:corollary-1-noise",
    title="The baseline noise at the order 1 + 1/(2q)",
    source="beyond",
    where="Sec. 4.1, Corollary 1",
    kind="identity",
    statement=(
        r"At $\alpha = 1 + 1/(2\eta(2+\eta))$ the weight $1 - \eta(\alpha-1)$ of Theorem 1 is "
        r"$(3+2\eta)/(4+2\eta)$, between $\frac34$ and 1."
    ),
    variables=(ETA,),
    conclusion=eq(1 - eta / (2 * eta * (2 + eta)), (3 + 2 * eta) / (4 + 2 * eta)),
    checks=(Identity(),),
    mutants=(
        Mutant("one half", eq(1 - eta / (2 * eta * (2 + eta)), Rational(1, 2))),
        Mutant("at twice the distance", eq(1 - eta / (eta * (2 + eta)), (3 + 2 * eta) / (4 + 2 * eta))),
    ),
)

_chi_1 = chi_v2.subs(d, 1)
without_baseline = Claim(
    id="beyond:corollary-1-without-baseline",
    title="Corollary 1 read without a condition on the baseline noise",
    source="beyond",
    where="Sec. 4.1, Corollary 1, with the condition of Theorem 1 on sigma^2 left out",
    kind="corollary",
    statement=(
        r"If any $\sigma^2 > 0$ were enough: for $|R(x)| = R_{rel} = 1$ and $R(y) = 0$ in dimension 1, the "
        r"probability that $|output| \le \tau$ "
        r"under $y$ would be at most $e^\epsilon$ times that under $x$, plus $\delta$."
    ),
    reading=("Version 2's constants, d = 1; under x the probability is at most 2 tau times the largest density."),
    variables=(ETA, GAMMA, LOG, _SIGMA2, _RADIUS),
    hypotheses=(Hypothesis("small gamma", GAMMA_IS_SMALL, "Corollary 1"),),
    conclusion=le(
        erf(_tau / sqrt(2 * _sigma2)),
        exp(_chi_1 + 2 * sqrt(_chi_1 * L)) * 2 * _tau / sqrt(2 * pi * (gamma + _sigma2)) + exp(-L),
    ),
    sampling=Chart(
        {
            eta: (0, Rational(1, 10)),
            k: (0, 1),
            L: (0, 3),
            _sigma2: (0, Rational(1, 1000)),
            _tau: (0, Rational(1, 10)),
        },
        {gamma: k / (4 * (2 + eta) ** 2 * L)},
    ),
    category="missing hypothesis",
    corrected="rgm-v2:corollary-1",
    remark=(
        "The words 'same notations as in Theorem 1' have to carry that condition over, at the order that "
        "the proof uses."
    ),
)

_short = 1 + Rational(4, 5) * sqrt(L / chi_v2)
four_percent = Claim(
    id="beyond:optimising-gains-four-percent",
    title="Version 2: the gain over Corollary 1 is at least four percent",
    source="beyond",
    where="Sec. 4.1, Conversion to (epsilon, delta)-DP",
    kind="inequality",
    statement=(
        r"Already at $\alpha = 1 + \frac45\sqrt{L/\chi}$ the bound of version 2 is at most 0.96 of the "
        r"corollary's $\epsilon$."
    ),
    variables=(ETA, GAMMA, DIMENSION, LOG),
    hypotheses=(Hypothesis("small gamma or large d", either(GAMMA_IS_SMALL, D_IS_LARGE_V2), "Corollary 1"),),
    conclusion=le(g_v2.subs(alpha, _short), Rational(96, 100) * (chi_v2 + 2 * sqrt(chi_v2 * L))),
    checks=(
        Smt(),
        Deduction((Premise("rgm-v2:a5-conditions-suffice"), Premise("rgm:a5-value-of-the-minimum", {chi: chi_v2}))),
    ),
    sampling=Chart(
        {k: (0, Rational(1, 2)), eta: (0, None), gamma: (0, None), d: (1, None)}, {L: (k / q) ** 2 * chi_v2}
    ),
    mutants=(
        Mutant(
            "0.96 becomes 0.9",
            le(g_v2.subs(alpha, _short), Rational(9, 10) * (chi_v2 + 2 * sqrt(chi_v2 * L))),
        ),
        Mutant(
            "a fifth of the way",
            le(
                g_v2.subs(alpha, 1 + Rational(1, 5) * sqrt(L / chi_v2)),
                Rational(96, 100) * (chi_v2 + 2 * sqrt(chi_v2 * L)),
            ),
        ),
    ),
)
