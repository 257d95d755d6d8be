r"""Appendix A.3, the log term: what the divergence of two Gaussians keeps when their means agree.

With $\sigma_2^2 = r\sigma_1^2$ the logarithm of Lemma 2 is split in two, each half is bounded by a rational function of
$r$, and $r$ is then replaced by its extreme values. Version 1 loses the denominator $1 + \alpha(r-1)$ on the way, so
that its bound fails as $\alpha$ nears the end of its range; version 2 keeps it, and its bound holds. The printed range
$x \ge -1$ of the two elementary inequalities is closed by mistake for the second of them.
"""

from sympy import Abs, Max, exp, log, sqrt

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    chain,
    eq,
    ge,
    gt,
    le,
    positive,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Smt

from .notation import (
    ALPHA,
    ALPHA_FROM_1,
    BASELINE_OF_THEOREM_1,
    DEFINED_AT_RATIO,
    DIMENSION,
    ETA,
    GAMMA,
    HALF,
    OPEN_RANGE_OF_ALPHA,
    PAIR,
    R_REL,
    RATIO,
    RATIO_OF_LEMMA_1,
    RELATIVE_SENSITIVITY,
    SIGMA2,
    SIGMA_1,
    a,
    alpha,
    b,
    c,
    d,
    eta,
    gamma,
    log_term,
    q,
    r,
    r_rel,
    rho,
    sigma2,
    sigma_1,
    variance_x,
    variance_y,
)

_SOURCE = "rgm-v1+v2"
_P, _Q = positive("P").symbol, positive("Q").symbol
_X_CLOSED = real("x", lower=-1)
_X_OPEN = real("x", lower=-1, lower_open=True)
x = _X_OPEN.symbol
_halves = (alpha - 1) / 2 * log(r) - log((1 + (r - 1) * alpha) / r) / 2
_ratio_logarithm = log(r ** (alpha / 2) / sqrt(1 - alpha + alpha * r))
_second_half = -log(1 + (alpha - 1) * (r - 1) / r) / 2
_second_bound = -HALF * (alpha - 1) * (r - 1) / (r + (alpha - 1) * (r - 1))
_joined_bound = (alpha - 1) * (r - 1) / 2 * (1 - 1 / (1 + alpha * (r - 1)))
_bound_v1 = alpha * (alpha - 1) * (r - 1) ** 2 / 2
_bound_v2 = alpha * (alpha - 1) * (r - 1) ** 2 / (2 * (1 + alpha * (r - 1)))
_final_v1 = alpha * d * eta**2 * (2 + eta) ** 2 / 2
_final_v2 = alpha * d * eta**2 * (2 + eta) ** 2 / (2 * (1 - alpha * eta * (2 + eta) / (1 + eta) ** 2))
_final_v2_again = alpha * d * eta**2 * (2 + eta) ** 2 * (1 + eta) ** 2 / (2 * rho)

_k, _t = real("k", lower=0, upper=1).symbol, real("t", lower=0, upper=1).symbol
_lowest, _highest = (1 + eta) ** -2, (1 + eta) ** 2
_ETA_V1 = positive("eta", "relative sensitivity", upper=1)
#: alpha = 1 + k/(eta(2 + eta)) with 0 < k < 1, and r between the ends that Lemma 1 gives.
_IN_RANGE = Chart(
    {_k: (0, 1), eta: (0, None), _t: (0, 1), sigma_1: (0, None)},
    {alpha: 1 + _k / q, r: _lowest + _t * (_highest - _lowest)},
)
#: alpha and r with 1 + alpha(r - 1) > 0 and nothing else: r = 1 - 1/alpha + t.
_s = positive("s").symbol
_DEFINED = Chart({alpha: (1, None), _s: (0, None), sigma_1: (0, None)}, {r: 1 - 1 / alpha + _s})
#: The pair that is furthest apart: R(x) = (1 + eta) R(y), no baseline noise.
_FURTHEST = Chart(
    {_k: (0, 1), eta: (0, None), gamma: (0, None), b: (0, None), d: (1, None)},
    {alpha: 1 + _k / q, a: (1 + eta) * b, c: 1 + 0 * b, r_rel: 0 * b, sigma2: 0 * b},
)
_AS_IN_THEOREM_1 = (OPEN_RANGE_OF_ALPHA, *RATIO_OF_LEMMA_1)

term_in_ratio = Claim(
    id="rgm:a3-log-term-in-ratio",
    refs=("A87a",),
    title="The log term depends on the ratio of the variances only",
    source=_SOURCE,
    where="App. A.3; v1 (29), v2 (31), first equation",
    kind="identity",
    statement=r"With $\sigma_2^2 = r\sigma_1^2$ the scale $\sigma_1$ cancels inside the logarithm.",
    variables=(ALPHA_FROM_1, RATIO, SIGMA_1),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=eq(log_term, _ratio_logarithm),
    checks=(Identity(positive=(1 - alpha + alpha * r,)),),
    sampling=_DEFINED,
    mutants=(
        Mutant("alpha/2 becomes alpha", eq(log_term, log(r**alpha / sqrt(1 - alpha + alpha * r)))),
        Mutant("alpha and 1 - alpha swapped", eq(log_term, log(r ** (alpha / 2) / sqrt(alpha + (1 - alpha) * r)))),
    ),
)

split = Claim(
    id="rgm:a3-log-term-split",
    refs=("A87b",),
    title="The log term as a difference of two logarithms",
    source=_SOURCE,
    where="App. A.3; v1 (29), v2 (31), second equation",
    kind="identity",
    statement=r"One factor $r^{1/2}$ moves from the power to the root; two halves are left that vanish at $r = 1$.",
    variables=(ALPHA_FROM_1, RATIO),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=eq(_ratio_logarithm, _halves),
    checks=(Identity(positive=(1 - alpha + alpha * r,)),),
    sampling=_DEFINED,
    mutants=(
        Mutant("without the division by r", eq(_ratio_logarithm, _halves - log(r) / 2)),
        Mutant("alpha - 1 becomes alpha", eq(_ratio_logarithm, _halves + log(r) / 2)),
    ),
)

log_upper = Claim(
    id="rgm:a3-log-upper",
    refs=("A88a",),
    title="The logarithm below its tangent",
    source=_SOURCE,
    where="App. A.3, before v1 (30) and v2 (32)",
    kind="inequality",
    statement=r"$\log(1+x) \le x$ wherever the logarithm is a real number.",
    reading=r"$x > -1$; the end $x = -1$ of the printed range is judged in the exponential form.",
    variables=(_X_OPEN,),
    conclusion=le(log(1 + x), x),
    checks=(Deduction((Premise("beyond:log-upper", {_P: 1 + x, _Q: x**0}),)),),
    mutants=(Mutant("x becomes x/2", le(log(1 + x), x / 2)), Mutant("direction", ge(log(1 + x), x))),
)

log_upper_closed = Claim(
    id="rgm:a3-log-upper-closed-end",
    refs=("A88a",),
    title="The same inequality with the end x = -1",
    source=_SOURCE,
    where="App. A.3, before v1 (30) and v2 (32)",
    kind="inequality",
    statement=r"$1 + x \le e^x$ on the whole printed range $x \ge -1$.",
    reading=r"$\log 0 = -\infty$, so that the inequality at $x = -1$ says that $0 \le e^{-1}$.",
    variables=(_X_CLOSED,),
    conclusion=le(1 + x, exp(x)),
    checks=(Combination(terms=(((exp(x) - 1) ** 2, LogRemainder(2, exp(x) - 1)),)),),
    mutants=(Mutant("a larger left side", le(1 + 2 * x, exp(x))), Mutant("direction", ge(1 + x, exp(x)))),
)

first_half = Claim(
    id="rgm:a3-first-logarithm",
    refs=("A88b",),
    title="Bound of the first logarithm",
    source=_SOURCE,
    where="App. A.3; v1 (30), v2 (32)",
    kind="inequality",
    statement=r"The logarithm of $r$ is replaced by $r - 1$.",
    variables=(ALPHA_FROM_1, RATIO),
    conclusion=le((alpha - 1) / 2 * log(r), (alpha - 1) / 2 * (r - 1)),
    checks=(Combination(terms=((alpha - 1, HALF, (r - 1) ** 2, LogRemainder(2, r - 1)),)),),
    mutants=(
        Mutant("direction", ge((alpha - 1) / 2 * log(r), (alpha - 1) / 2 * (r - 1))),
        Mutant("r - 1 becomes 1 - 1/r", le((alpha - 1) / 2 * log(r), (alpha - 1) / 2 * (1 - 1 / r))),
    ),
)

log_lower_printed = Claim(
    id="rgm:a3-log-lower",
    title="The logarithm above x/(1 + x), on the printed range",
    source="beyond",
    where="App. A.3, before v1 (31) and v2 (33)",
    kind="inequality",
    statement=r"$\log(1+x) \ge x/(1+x)$ has a right side for every $x \ge -1$, the end included.",
    reading="The end of the printed range alone. Printing an inequality on a range asserts that its right side has a value all over it: $1 + x > 0$.",
    variables=(_X_CLOSED,),
    conclusion=gt(1 + x, 0),
    category="missing hypothesis",
    corrected="rgm:a3-log-lower-open-range",
    remark=r"At $x = -1$ the right side divides by 0. The proof uses the inequality for $x > -1$ only.",
)

log_lower = Claim(
    id="rgm:a3-log-lower-open-range",
    refs=("A88c",),
    title="The logarithm above x/(1 + x)",
    source=_SOURCE,
    where="App. A.3, before v1 (31) and v2 (33)",
    kind="inequality",
    statement=r"$\log(1+x) \ge x/(1+x)$ for every $x > -1$.",
    reading="Where both sides have a value, as for A88a; at the end x = -1 of the printed range the right side divides by 0, and the proof does not use it.",
    variables=(_X_OPEN,),
    conclusion=ge(log(1 + x), x / (1 + x)),
    checks=(Deduction((Premise("beyond:log-upper", {_P: x**0, _Q: 1 + x}),)),),
    mutants=(
        Mutant("x becomes 3x/2", ge(log(1 + x), 3 * x / (2 * (1 + x)))),
        Mutant("direction", le(log(1 + x), x / (1 + x))),
    ),
)

second_rewritten = Claim(
    id="rgm:a3-second-logarithm-rewritten",
    refs=("A88d",),
    title="The second logarithm around 1",
    source=_SOURCE,
    where="App. A.3; v1 (31), v2 (33)",
    kind="identity",
    statement=r"The argument of the second logarithm is 1 plus $(\alpha-1)(r-1)/r$.",
    variables=(ALPHA_FROM_1, RATIO),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=eq(-log((1 + (r - 1) * alpha) / r) / 2, _second_half),
    checks=(Identity(differentiate=(r, r**0)),),
    sampling=_DEFINED,
    mutants=(
        Mutant("alpha - 1 becomes alpha", eq(-log((1 + (r - 1) * alpha) / r) / 2, -log(1 + alpha * (r - 1) / r) / 2)),
        Mutant("without the division by r", eq(-log(1 + (r - 1) * alpha) / 2, _second_half)),
    ),
)

second_half = Claim(
    id="rgm:a3-second-logarithm",
    refs=("A88e",),
    title="Bound of the second logarithm",
    source=_SOURCE,
    where="App. A.3; v1 (32), v2 (34)",
    kind="inequality",
    statement=r"The lower bound of the logarithm is taken at $x = (\alpha-1)(r-1)/r$, which exceeds $-1$.",
    variables=(ALPHA_FROM_1, RATIO),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=le(_second_half, _second_bound),
    checks=(Deduction((Premise("rgm:a3-log-lower-open-range", {x: (alpha - 1) * (r - 1) / r}),)),),
    sampling=_DEFINED,
    mutants=(
        Mutant("direction", ge(_second_half, _second_bound)),
        Mutant("denominator r", le(_second_half, -HALF * (alpha - 1) * (r - 1) / r)),
    ),
)

second_denominator = Claim(
    id="rgm:a3-second-denominator",
    refs=("A88f",),
    title="The denominator collected",
    source=_SOURCE,
    where="App. A.3; v1 (33), v2 (35)",
    kind="identity",
    statement=r"$r + (\alpha-1)(r-1) = 1 + \alpha(r-1)$ in the denominator.",
    variables=(ALPHA_FROM_1, RATIO),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=eq(_second_bound, -HALF * (alpha - 1) * (r - 1) / (1 + alpha * (r - 1))),
    checks=(Identity(),),
    sampling=_DEFINED,
    mutants=(
        Mutant(
            "alpha becomes alpha - 1", eq(_second_bound, -HALF * (alpha - 1) * (r - 1) / (1 + (alpha - 1) * (r - 1)))
        ),
        Mutant("1 becomes r", eq(_second_bound, -HALF * (alpha - 1) * (r - 1) / (r + alpha * (r - 1)))),
    ),
)

condition = Claim(
    id="rgm:a3-log-term-defined",
    refs=("A89a",),
    title="The log term is defined in the range of Theorem 1",
    source=_SOURCE,
    where="App. A.3, used for v1 (34) and v2 (36)",
    kind="inequality",
    statement=r"$1 + \alpha(r-1)$ is positive for every order of Theorem 1 and every ratio of Lemma 1.",
    variables=(ALPHA_FROM_1, ETA, RATIO),
    hypotheses=_AS_IN_THEOREM_1,
    conclusion=gt(1 + alpha * (r - 1), 0),
    checks=(Smt(),),
    sampling=_IN_RANGE,
    mutants=(
        Mutant("alpha one larger", gt(1 + (alpha + 1) * (r - 1), 0)),
        Mutant("without Lemma 1 from below", hypotheses=(OPEN_RANGE_OF_ALPHA, RATIO_OF_LEMMA_1[1])),
    ),
)

joined = Claim(
    id="rgm:a3-log-term-joined",
    refs=("A89a",),
    title="Both halves together",
    source=_SOURCE,
    where="App. A.3; first relation of v1 (34) and v2 (36)",
    kind="inequality",
    statement=r"The bounds of the two halves add up to $\frac{(\alpha-1)(r-1)}{2}$ times $1 - 1/(1+\alpha(r-1))$.",
    variables=(ALPHA_FROM_1, RATIO, SIGMA_1),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=le(log_term, _joined_bound),
    checks=(
        Deduction(
            (
                Premise("rgm:a3-log-term-in-ratio"),
                Premise("rgm:a3-log-term-split"),
                Premise("rgm:a3-first-logarithm"),
                Premise("rgm:a3-second-logarithm-rewritten"),
                Premise("rgm:a3-second-logarithm"),
            )
        ),
    ),
    sampling=_DEFINED,
    mutants=(
        Mutant("half of the bound", le(log_term, _joined_bound / 2)),
        Mutant("direction", ge(log_term, _joined_bound)),
        Mutant("1 - 1/(...) becomes 1/(...)", le(log_term, (alpha - 1) * (r - 1) / (2 * (1 + alpha * (r - 1))))),
    ),
    derivation=(
        Step(r"The log term depends on $r$ alone.", "rgm:a3-log-term-in-ratio"),
        Step("It is split in two.", "rgm:a3-log-term-split"),
        Step(r"The first half is at most $\frac{\alpha-1}{2}(r-1)$.", "rgm:a3-first-logarithm"),
        Step("The second is rewritten around 1 and bounded.", "rgm:a3-second-logarithm"),
        Step("Its denominator is collected and the bounds are added.", "rgm:a3-second-denominator"),
    ),
)

square_v1 = Claim(
    id="rgm-v1:a3-square",
    refs=("A89b",),
    title="Version 1: the joined bound as a square",
    source="rgm-v1",
    where="App. A.3; v1 (34), second relation",
    kind="identity",
    statement=r"Version 1 equates the joined bound with $\alpha(\alpha-1)(r-1)^2/2$.",
    variables=(ALPHA_FROM_1, _ETA_V1, RATIO),
    hypotheses=_AS_IN_THEOREM_1,
    conclusion=eq(_joined_bound, _bound_v1),
    sampling=_IN_RANGE,
    category="false",
    corrected="rgm-v2:a3-square",
    remark=r"The denominator $1 + \alpha(r-1)$ is lost. For $r < 1$ the printed right side is the smaller one.",
)

square_bound_v1 = Claim(
    id="rgm-v1:a3-log-term-in-square",
    refs=("A89c",),
    title="Version 1: the log term below a square",
    source="rgm-v1",
    where="App. A.3; v1 (34), both relations together",
    kind="inequality",
    statement=r"Version 1 concludes that the log term is at most $\alpha(\alpha-1)(r-1)^2/2$.",
    variables=(ALPHA_FROM_1, _ETA_V1, RATIO, SIGMA_1),
    hypotheses=_AS_IN_THEOREM_1,
    conclusion=le(log_term, _bound_v1),
    sampling=_IN_RANGE,
    category="false",
    corrected="rgm-v2:a3-log-term-in-square",
    remark=r"The log term grows without bound as $1 + \alpha(r-1) \to 0$, the right side does not. For $r \ge 1$ half "
    "of it is enough.",
)

square_v2 = Claim(
    id="rgm-v2:a3-square",
    refs=("A90",),
    title="Version 2: the joined bound as a square over a denominator",
    source="rgm-v2",
    where="App. A.3; v2 (36), second relation",
    kind="identity",
    statement=r"The joined bound is $\alpha(\alpha-1)(r-1)^2$ over $2(1+\alpha(r-1))$.",
    variables=(ALPHA_FROM_1, RATIO),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=eq(_joined_bound, _bound_v2),
    checks=(Identity(),),
    sampling=_DEFINED,
    mutants=(
        Mutant("without the denominator, as in version 1", eq(_joined_bound, _bound_v1)),
        Mutant("without the factor alpha", eq(_joined_bound, _bound_v2 / alpha)),
    ),
)

square_bound_v2 = Claim(
    id="rgm-v2:a3-log-term-in-square",
    title="Version 2: the log term below a square over a denominator",
    source="rgm-v2",
    where="App. A.3; v2 (36), both relations together",
    kind="inequality",
    statement=r"The log term is at most $\alpha(\alpha-1)(r-1)^2$ over $2(1+\alpha(r-1))$.",
    variables=(ALPHA_FROM_1, RATIO, SIGMA_1),
    hypotheses=(DEFINED_AT_RATIO,),
    conclusion=le(log_term, _bound_v2),
    checks=(Deduction((Premise("rgm:a3-log-term-joined"), Premise("rgm-v2:a3-square"))),),
    sampling=_DEFINED,
    mutants=(
        Mutant("without the denominator, as in version 1", le(log_term, _bound_v1)),
        Mutant("half of the bound, for every ratio", le(log_term, _bound_v2 / 3)),
    ),
)

distance_from_1 = Claim(
    id="rgm:a3-ratio-distance",
    refs=("A91",),
    title="How far the ratio is from 1",
    source=_SOURCE,
    where="App. A.3; v1 (35), v2 (37)",
    kind="inequality",
    statement=r"A ratio between $(1+\eta)^{-2}$ and $(1+\eta)^2$ is at most $\eta(2+\eta)$ away from 1.",
    variables=(ETA, RATIO),
    hypotheses=RATIO_OF_LEMMA_1,
    conclusion=chain(
        Abs(r - 1),
        "<=",
        Max((1 + eta) ** 2 - 1, 1 - (1 + eta) ** -2),
        "==",
        Max(q, q / (1 + eta) ** 2),
        "<=",
        q,
    ),
    checks=(Smt(),),
    sampling=Chart({eta: (0, None), _t: (0, 1)}, {r: _lowest + _t * (_highest - _lowest)}),
    mutants=(
        Mutant("2 + eta becomes 2", le(Abs(r - 1), 2 * eta)),
        Mutant("the smaller of the two distances", le(Abs(r - 1), q / (1 + eta) ** 2)),
        Mutant("without Lemma 1 from above", hypotheses=(RATIO_OF_LEMMA_1[0],)),
    ),
)

_UNDER_THEOREM_1 = (
    *RELATIVE_SENSITIVITY,
    OPEN_RANGE_OF_ALPHA,
    BASELINE_OF_THEOREM_1,
    Hypothesis("the noise at x is not zero", gt(variance_x, 0), "else the log term is 0/0"),
)
_OF_PAIR = {sigma_1: sqrt(variance_x), r: variance_y / variance_x}
_pair_term = d / (alpha - 1) * log_term.subs(_OF_PAIR, simultaneous=True)

final_v1 = Claim(
    id="rgm-v1:a3-log-term",
    refs=("A92",),
    title="Version 1: bound of the log term for neighbours",
    source="rgm-v1",
    where="App. A.3; v1 (36)",
    kind="inequality",
    statement=r"Version 1 bounds the log term over $\alpha - 1$ by $\alpha d\eta^2(2+\eta)^2/2$ under its Theorem 1.",
    reading=r"$\alpha > 1$ and $\sigma_1 > 0$, since the left side is 0/0 otherwise.",
    variables=(ALPHA, *PAIR, DIMENSION, _ETA_V1, GAMMA, R_REL, SIGMA2),
    hypotheses=_UNDER_THEOREM_1,
    conclusion=le(_pair_term, _final_v1),
    sampling=_FURTHEST,
    category="false",
    corrected="rgm-v2:a3-log-term",
    remark=r"Rests on the lost denominator. It does hold where $\eta(2+\eta)(\alpha-1) \le 2/3$.",
)

per_ratio_v2 = Claim(
    id="rgm-v2:a3-log-term-per-ratio",
    refs=("A93a",),
    title="Version 2: bound of the log term for every ratio",
    source="rgm-v2",
    where="App. A.3; v2 (38), first relation, before the ratio is that of a pair",
    kind="inequality",
    statement=r"Extreme ratios are put in: $(r-1)^2 \le \eta^2(2+\eta)^2$ and $1 + \alpha(r-1) \ge \rho/(1+\eta)^2$.",
    variables=(ALPHA_FROM_1, ETA, RATIO, SIGMA_1),
    hypotheses=_AS_IN_THEOREM_1,
    conclusion=le(log_term, (alpha - 1) * alpha * q**2 / (2 * (1 - alpha * q / (1 + eta) ** 2))),
    checks=(Deduction((Premise("rgm-v2:a3-log-term-in-square"),)),),
    sampling=_IN_RANGE,
    mutants=(
        Mutant("without the denominator, as in version 1", le(log_term, (alpha - 1) * alpha * q**2 / 2)),
        Mutant("direction", ge(log_term, (alpha - 1) * alpha * q**2 / (2 * (1 - alpha * q / (1 + eta) ** 2)))),
        Mutant("without Lemma 1 from below", hypotheses=(OPEN_RANGE_OF_ALPHA, RATIO_OF_LEMMA_1[1], DEFINED_AT_RATIO)),
    ),
)

final_v2 = Claim(
    id="rgm-v2:a3-log-term",
    refs=("A93a",),
    title="Version 2: bound of the log term for neighbours",
    source="rgm-v2",
    where="App. A.3; v2 (38), first relation",
    kind="inequality",
    statement=r"The log term over $\alpha - 1$ is bounded for every pair of neighbours, with the denominator kept.",
    reading=r"$\alpha > 1$ and $\sigma_1 > 0$, since the left side is 0/0 otherwise.",
    variables=(ALPHA, *PAIR, DIMENSION, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=_UNDER_THEOREM_1,
    conclusion=le(_pair_term, _final_v2),
    checks=(Deduction((Premise("rgm:lemma-1"), Premise("rgm-v2:a3-log-term-per-ratio", _OF_PAIR))),),
    sampling=_FURTHEST,
    mutants=(
        Mutant("without the denominator, as in version 1", le(_pair_term, _final_v1)),
        Mutant("a fifth of the bound", le(_pair_term, _final_v2 / 5)),
    ),
    derivation=(
        Step("The baseline noise of Theorem 1 is enough for Lemma 1, so the ratio lies in its range.", "rgm:lemma-1"),
        Step("For every such ratio the bound holds.", "rgm-v2:a3-log-term-per-ratio"),
        Step("The distance from 1 is at most the larger of the two.", "rgm:a3-ratio-distance"),
    ),
)

final_rewritten = Claim(
    id="rgm-v2:a3-log-term-rewritten",
    refs=("A93b",),
    title="Version 2: the bound with the denominator of Theorem 1",
    source="rgm-v2",
    where="App. A.3; v2 (38), second relation",
    kind="identity",
    statement=r"Numerator and denominator multiplied by $(1+\eta)^2$ give the denominator of Theorem 1.",
    variables=(ALPHA_FROM_1, DIMENSION, ETA),
    hypotheses=(OPEN_RANGE_OF_ALPHA,),
    conclusion=eq(_final_v2, _final_v2_again),
    checks=(Identity(),),
    sampling=Chart({_k: (0, 1), eta: (0, None), d: (1, None)}, {alpha: 1 + _k / q}),
    mutants=(
        Mutant("without the factor (1 + eta)^2", eq(_final_v2, _final_v2_again / (1 + eta) ** 2)),
        Mutant("alpha - 1 becomes alpha", eq(_final_v2, _final_v2_again * rho / (1 - alpha * q))),
    ),
)
