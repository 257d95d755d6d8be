r"""Section 4.1, Corollary 1: a closed form of the $(\epsilon, \delta)$ guarantee, and what numerical optimisation adds.

Both versions state $\epsilon = \chi + 2\sqrt{\chi\log(1/\delta)}$, with different $\chi$ and different conditions. Both are true as long as the
baseline noise meets Theorem 1 at the order that the proof uses, $\alpha = 1 + \sqrt{\log(1/\delta)/\chi}$: version 1's although its Theorem 1 is
false, because that order stays where its formula is still an upper bound. Without baseline noise there is no guarantee at all.
For $\delta = 0$ the conditions cannot hold, and for $\delta = 1$ there is nothing to show; between them $L = \log(1/\delta) > 0$.
"""

from sympy import Expr, Rational, erf, exp, pi, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Formula,
    Hypothesis,
    Mutant,
    Step,
    either,
    ge,
    gt,
    le,
    lt,
    positive,
)
from rgm_verify.lenses import Deduction, Premise, Smt

from ..beyond.exact_renyi import IN_RANGE, exact_curve
from .a5_corollary_1 import (
    D_IS_LARGE_V1,
    D_IS_LARGE_V2,
    ETA_V1,
    GAMMA_IS_SMALL,
    LOG,
    L,
    best_order,
    chi,
    chi_v1,
    chi_v2,
    g_v1,
    g_v2,
    half_order,
)
from .notation import ALPHA, DIMENSION, ETA, GAMMA, alpha, d, eta, gamma, q

_k = positive("k").symbol
_SIGMA2 = positive("sigma^2", "baseline variance")
_RADIUS = positive("tau", "radius of the test around 0, in units of R_rel")
_sigma2, _tau = _SIGMA2.symbol, _RADIUS.symbol
_READING = (
    "The baseline noise meets Theorem 1 at the order used by the proof, alpha = 1 + sqrt(log(1/delta)/chi); the corollary mentions neither. The worst "
    "case over neighbours is the exact curve of beyond:exact-renyi-upper, converted by log(1/delta)/(alpha - 1)."
)


def _chart(constant: Expr) -> Chart:
    return Chart(
        {_k: (0, Rational(1, 2)), eta: (0, None), gamma: (0, None), d: (1, None)}, {L: (_k / q) ** 2 * constant}
    )


def _condition(large: Formula) -> Hypothesis:
    return Hypothesis("small gamma or large d", either(GAMMA_IS_SMALL, large), "Corollary 1")


def _corollary(version: int, constant: Expr, large: Formula, half_large: Formula, ref: str) -> Claim:
    order = best_order(constant)
    spent = exact_curve.subs(alpha, order) + L / (order - 1)
    less = constant - eta**2 / gamma
    return Claim(
        id=f"rgm-v{version}:corollary-1",
        refs=(ref,),
        title=f"Version {version}: Corollary 1",
        source=f"rgm-v{version}",
        where=f"Sec. 4.1, Corollary 1; App. A.5, v{version} ({42 if version == 1 else 44})",
        kind="corollary",
        statement=r"With a small $\gamma$ or a large $d$, the mechanism is $(\epsilon, \delta)$-DP for $\epsilon = \chi + 2\sqrt{\chi\log(1/\delta)}$.",
        reading=_READING,
        variables=(ETA_V1 if version == 1 else ETA, GAMMA, DIMENSION, LOG),
        hypotheses=(_condition(large),),
        conclusion=le(spent, constant + 2 * sqrt(constant * L)),
        checks=(
            Deduction(
                (
                    Premise(f"rgm-v{version}:a5-conditions-suffice"),
                    Premise("beyond:tcdp", {alpha: order}),
                    Premise("rgm:a5-value-of-the-minimum", {chi: constant}),
                )
            ),
        ),
        sampling=_chart(constant),
        depends_on=("beyond:exact-renyi-upper",),
        mutants=(
            Mutant("one root instead of two", le(spent, constant + sqrt(constant * L))),
            Mutant("without eta^2/gamma", le(spent, less + 2 * sqrt(less * L))),
            Mutant("neither condition", hypotheses=()),
        ),
        derivation=(
            Step("Convert the Rényi bound at an order of the range."),
            Step(r"Up to the order $1 + 1/(2q)$ the bound is at most $\alpha\chi$.", "beyond:tcdp"),
            Step("The sum with the conversion term is smallest at one order.", "rgm:a5-value-of-the-minimum"),
            Step("The conditions put that order into the range.", f"rgm-v{version}:a5-conditions-suffice"),
        ),
    )


corollary_v1 = _corollary(1, chi_v1, D_IS_LARGE_V1, ge(d, 4 * L), "A38")
corollary_v2 = _corollary(2, chi_v2, D_IS_LARGE_V2, ge(d, 2 * L / (1 + eta) ** 2), "A39")

_chi_1 = chi_v2.subs(d, 1)
without_baseline = Claim(
    id="beyond:corollary-1-without-baseline",
    title="Corollary 1 read without a condition on the baseline noise",
    source="beyond",
    where="Sec. 4.1, Corollary 1, with the condition of Theorem 1 on sigma^2 left out",
    kind="corollary",
    statement=(
        r"If any $\sigma^2 > 0$ were enough: for $|R(x)| = R_{rel} = 1$ and $R(y) = 0$ in dimension 1, the probability that $|output| \le \tau$ "
        r"under $y$ would be at most $e^\epsilon$ times that under $x$, plus $\delta$."
    ),
    reading="Version 2's constants, d = 1; under x the probability is at most 2 tau times the largest density.",
    variables=(ETA, GAMMA, LOG, _SIGMA2, _RADIUS),
    hypotheses=(Hypothesis("small gamma", GAMMA_IS_SMALL, "Corollary 1"),),
    conclusion=le(
        erf(_tau / sqrt(2 * _sigma2)),
        exp(_chi_1 + 2 * sqrt(_chi_1 * L)) * 2 * _tau / sqrt(2 * pi * (gamma + _sigma2)) + exp(-L),
    ),
    sampling=Chart(
        {eta: (0, Rational(1, 10)), _k: (0, 1), L: (0, 3), _sigma2: (0, Rational(1, 1000)), _tau: (0, Rational(1, 10))},
        {gamma: _k / (4 * (2 + eta) ** 2 * L)},
    ),
    category="missing hypothesis",
    corrected="rgm-v2:corollary-1",
    remark="The words 'same notations as in Theorem 1' have to carry that condition over, at the order that the proof uses.",
)


def _better(version: int, g: Expr, constant: Expr, large: Formula, ref: str) -> Claim:
    order = best_order(constant)
    return Claim(
        id=f"rgm-v{version}:optimising-is-better",
        refs=(ref,),
        title=f"Version {version}: optimising over alpha always improves on Corollary 1",
        source=f"rgm-v{version}",
        where="Sec. 4.1, Conversion to (epsilon, delta)-DP",
        kind="inequality",
        statement=r"Wherever the corollary applies, the bound to be minimised is smaller than its $\epsilon$ at an order of the range.",
        reading="Better: strictly smaller for every choice of parameters that the corollary allows.",
        variables=(ETA_V1 if version == 1 else ETA, GAMMA, DIMENSION, LOG),
        hypotheses=(_condition(large),),
        conclusion=lt(g.subs(alpha, order), constant + 2 * sqrt(constant * L)),
        checks=(
            Smt(),
            Deduction(
                (
                    Premise(f"rgm-v{version}:a5-conditions-suffice"),
                    Premise("rgm:a5-value-of-the-minimum", {chi: constant}),
                    Premise(f"rgm-v{version}:a5-chi-over-4q2"),
                )
            ),
        ),
        sampling=_chart(constant),
        mutants=(
            Mutant("half of it", lt(2 * g.subs(alpha, order), constant + 2 * sqrt(constant * L))),
            Mutant("at the last order of the proof", lt(g.subs(alpha, half_order), constant + 2 * sqrt(constant * L))),
        ),
    )


better_v1 = _better(1, g_v1, chi_v1, D_IS_LARGE_V1, "A36")
better_v2 = _better(2, g_v2, chi_v2, D_IS_LARGE_V2, "A37")

_short = 1 + Rational(4, 5) * sqrt(L / chi_v2)
four_percent = Claim(
    id="beyond:optimising-gains-four-percent",
    title="Version 2: the gain over Corollary 1 is at least four percent",
    source="beyond",
    where="Sec. 4.1, Conversion to (epsilon, delta)-DP",
    kind="inequality",
    statement=r"Already at $\alpha = 1 + \frac45\sqrt{L/\chi}$ the bound of version 2 is at most 0.96 of the corollary's $\epsilon$.",
    variables=(ETA, GAMMA, DIMENSION, LOG),
    hypotheses=(_condition(D_IS_LARGE_V2),),
    conclusion=le(g_v2.subs(alpha, _short), Rational(96, 100) * (chi_v2 + 2 * sqrt(chi_v2 * L))),
    checks=(
        Smt(),
        Deduction((Premise("rgm-v2:a5-conditions-suffice"), Premise("rgm:a5-value-of-the-minimum", {chi: chi_v2}))),
    ),
    sampling=_chart(chi_v2),
    mutants=(
        Mutant("0.96 becomes 0.9", le(g_v2.subs(alpha, _short), Rational(9, 10) * (chi_v2 + 2 * sqrt(chi_v2 * L)))),
        Mutant(
            "a fifth of the way",
            le(
                g_v2.subs(alpha, 1 + Rational(1, 5) * sqrt(L / chi_v2)),
                Rational(96, 100) * (chi_v2 + 2 * sqrt(chi_v2 * L)),
            ),
        ),
    ),
)

optimum_is_safe = Claim(
    id="rgm-v1:optimum-in-restricted-range",
    refs=("A36",),
    title="Version 1: where Corollary 1 applies, the optimised bound is a guarantee",
    source="rgm-v1",
    where="Sec. 4.1, Conversion to (epsilon, delta)-DP",
    kind="inequality",
    statement=(
        r"Under the corollary's conditions no order above $1 + 1/(2q)$ does better than $1 + 1/(2q)$ itself, so that the minimum is taken where version 1's "
        r"formula is an upper bound."
    ),
    reading=(
        "Guarantees can be obtained: compared with Corollary 1, hence where it applies. As a guarantee for every choice of parameters that Theorem 1 "
        "allows, the minimum is refuted in rgm-v1:a5-optimised-guarantee."
    ),
    variables=(ETA_V1, GAMMA, DIMENSION, ALPHA, LOG),
    hypotheses=(
        _condition(D_IS_LARGE_V1),
        IN_RANGE,
        Hypothesis("an order above the restricted range", ge(alpha, half_order)),
    ),
    conclusion=ge(g_v1, g_v1.subs(alpha, half_order)),
    checks=(
        Smt(),
        Deduction((Premise("rgm-v1:a5-conditions-suffice"), Premise("rgm-v1:a5-order-in-range"), Premise("rgm-v1:a5-chi-over-4q2"))),
    ),
    sampling=Chart(
        {_k: (Rational(1, 2), 1), eta: (0, 1), gamma: (0, None), d: (1, None), L: (0, None)}, {alpha: 1 + _k / q}
    ),
    depends_on=("beyond:a5-converted-bound-restricted",),
    mutants=(
        Mutant("without the corollary's conditions", hypotheses=(IN_RANGE, Hypothesis("above", ge(alpha, half_order)))),
        Mutant("twice as much", ge(g_v1, 2 * g_v1.subs(alpha, half_order))),
        Mutant("direction", le(g_v1, g_v1.subs(alpha, half_order))),
    ),
)
