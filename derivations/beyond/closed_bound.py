"""A closed bound on the exact logarithmic term: at most twice too large for small eta, and valid everywhere.

With q = eta (2 + eta), k = (alpha - 1) q and rho = 1 - k, the exact logarithmic term per dimension is
(q/2) (L(k) - M(q)) with L(k) = -log(1-k)/k and M(q) = log(1+q)/q. Two one-variable inequalities bound it by
alpha q^2 / (4 (1 + eta) rho).
"""

from sympy import Rational, log

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Step, Tightness, ge, gt, le, positive, real
from rgm_verify.lenses import Deduction, Monotone, Premise

from ..rgm.notation import ALPHA, ETA, alpha, eta, gamma, q, rho
from ..rgm.output_pairs import of_neighbours
from .exact_renyi import (
    ADMISSIBLE,
    PAIR_AND_PARAMETERS,
    WORST_PAIRS,
    closed_curve,
    divergence,
    exact_log_term,
)

_Q = positive("q", "eta (2 + eta)")
_K = real("k", "(alpha - 1) q", lower=0, upper=1, lower_open=True, upper_open=True)
_q, _k = _Q.symbol, _K.symbol
_IN_RANGE = Hypothesis("open range of alpha", gt(rho, 0), "Theorem 1")
_closed_log_term = alpha * q**2 / (4 * (1 + eta) * rho)

one_variable = Claim(
    id="beyond:closed-bound-in-k",
    title="The first step: the pole at k = 1 taken out",
    source="beyond",
    where="used for the closed bound",
    kind="inequality",
    statement=(
        r"With $\ell = \log(1+q)$ the left side is $k$ times the difference between $(q+k)(q-\ell)/q^2$ and "
        r"$(1-k)\,(-\log(1-k)/k - \ell/q)$."
    ),
    variables=(_Q, _K),
    conclusion=ge(
        (_q + _k) * (_q - log(1 + _q)) * _k / _q**2 + (1 - _k) * log(1 - _k) + (1 - _k) * _k * log(1 + _q) / _q,
        0,
    ),
    checks=(Monotone(_k, 0, order=2, premises=(Premise("beyond:log-below-trapezoid", {_q: _q}),)),),
    mutants=(
        Mutant(
            "first term halved",
            ge(
                (_q + _k) * (_q - log(1 + _q)) * _k / (2 * _q**2)
                + (1 - _k) * log(1 - _k)
                + (1 - _k) * _k * log(1 + _q) / _q,
                0,
            ),
        ),
        Mutant(
            "last term dropped",
            ge((_q + _k) * (_q - log(1 + _q)) * _k / _q**2 + (1 - _k) * log(1 - _k), 0),
        ),
    ),
)

in_eta = Claim(
    id="beyond:closed-bound-in-eta",
    title="The second step: q - log(1 + q) against its quadratic bound",
    source="beyond",
    where="used for the closed bound",
    kind="inequality",
    statement=r"With $q = \eta(2+\eta)$: $q - 2\log(1+\eta) \le q^2 / (2(1+\eta))$.",
    variables=(ETA,),
    conclusion=le(q - 2 * log(1 + eta), q**2 / (2 * (1 + eta))),
    checks=(Monotone(eta, 0, order=1),),
    mutants=(
        Mutant("without 1 + eta in the denominator, a third", le(q - 2 * log(1 + eta), q**2 / (3 * (1 + eta)))),
        Mutant("square of 1 + eta", le(q - 2 * log(1 + eta), q**2 / (2 * (1 + eta) ** 2))),
    ),
)

_RANGE_CHART = Chart({eta: (0, None), _k: (0, 1)}, {eta: eta, alpha: 1 + _k / q})

floor = Claim(
    id="beyond:floor",
    title="A floor that no noise level removes",
    source="beyond",
    where="in place of the limit stated after Theorem 1",
    kind="inequality",
    statement=(
        r"The exact logarithmic term does not depend on $\gamma$ or $\sigma$ and is at least $\alpha\eta^2/2$ per dimension, "
        r"for every $\eta$ and $\alpha$ in the range."
    ),
    variables=(ETA, ALPHA),
    hypotheses=(_IN_RANGE,),
    conclusion=ge(exact_log_term, alpha * eta**2 / 2),
    checks=(
        Deduction(
            (
                Premise("beyond:minus-log-above-parabola", {_k: (alpha - 1) * q}),
                Premise("beyond:logarithms-at-the-ends"),
                Premise("beyond:log-below-identity"),
            )
        ),
    ),
    sampling=_RANGE_CHART,
    mutants=(
        Mutant("without the half", ge(exact_log_term, alpha * eta**2)),
        Mutant("2 alpha eta^2", ge(exact_log_term, 2 * alpha * eta**2)),
    ),
    tightness=(
        Tightness(
            q / 2 * (LogRemainder(1, -_k) - LogRemainder(1, q)) / ((1 + _k / q) * eta**2),
            {eta: (Rational(1, 100), 1), _k: (Rational(1, 100), Rational(9, 10))},
            "exact logarithmic term / (alpha eta^2)",
            plot=(_k,),
            at={eta: Rational(1, 10)},
        ),
    ),
)

log_below_identity = Claim(
    id="beyond:log-below-identity",
    title="log(1 + eta) <= eta",
    source="beyond",
    where="used for the floor",
    kind="inequality",
    statement="The logarithm lies below its tangent at one.",
    variables=(ETA,),
    conclusion=le(log(1 + eta), eta),
    checks=(Monotone(eta, 0, order=1),),
    mutants=(
        Mutant("half the slope", le(log(1 + eta), eta / 2)),
        Mutant("direction", ge(log(1 + eta), eta)),
    ),
)

closed_log = Claim(
    id="beyond:closed-log-bound",
    title="The logarithmic term in closed form",
    source="beyond",
    where="the log part of Theorem 1",
    kind="inequality",
    statement=(
        r"The exact logarithmic term per dimension is at most $\alpha q^2/(4(1+\eta)\rho)$: half of what version 2 prints, "
        r"divided by $(1+\eta)^3$."
    ),
    variables=(ETA, ALPHA),
    hypotheses=(_IN_RANGE,),
    conclusion=le(exact_log_term, _closed_log_term),
    checks=(
        Deduction(
            (
                Premise("beyond:closed-bound-in-k", {_q: q, _k: (alpha - 1) * q}),
                Premise("beyond:closed-bound-in-eta"),
                Premise("beyond:logarithms-at-the-ends"),
            )
        ),
    ),
    sampling=_RANGE_CHART,
    mutants=(
        Mutant("4 becomes 5", le(exact_log_term, alpha * q**2 / (5 * (1 + eta) * rho))),
        Mutant("(1 + eta)^2", le(exact_log_term, alpha * q**2 / (4 * (1 + eta) ** 2 * rho))),
        Mutant("without rho", le(exact_log_term, alpha * q**2 / (4 * (1 + eta)))),
    ),
    tightness=(
        Tightness(
            (q + _k) / (2 * (1 + eta) * (1 - _k)) / (LogRemainder(1, -_k) - LogRemainder(1, q)),
            {eta: (Rational(1, 100), 1), _k: (Rational(1, 100), Rational(9, 10))},
            "closed bound on the logarithmic term / exact logarithmic term",
            plot=(_k,),
            at={eta: Rational(1, 10)},
        ),
    ),
)

closed_renyi = Claim(
    id="beyond:closed-bound",
    title="A corrected Theorem 1 in closed form",
    source="beyond",
    where="in place of Theorem 1",
    kind="theorem",
    statement=(
        r"Under the hypotheses of Theorem 1, for every $\eta > 0$ and every dimension, the mechanism satisfies Rényi differential "
        r"privacy with $\frac{\alpha\eta^2}{2\gamma\rho}\big(1 + \frac{\gamma d (2+\eta)^2}{2(1+\eta)}\big)$."
    ),
    variables=PAIR_AND_PARAMETERS,
    hypotheses=ADMISSIBLE,
    conclusion=le(divergence, closed_curve),
    checks=(
        Deduction((Premise("beyond:exact-renyi-upper"), Premise("beyond:closed-log-bound"))),
        *of_neighbours(divergence),
    ),
    sampling=WORST_PAIRS,
    mutants=(
        Mutant("its value at alpha = 1", le(divergence, closed_curve.subs(alpha, 1))),
        Mutant("only the main term", le(divergence, alpha * eta**2 / (2 * gamma * rho))),
    ),
    derivation=(
        Step("The exact curve bounds every admissible pair.", "beyond:exact-renyi-upper"),
        Step("Its logarithmic term has a closed bound.", "beyond:closed-log-bound"),
    ),
)
