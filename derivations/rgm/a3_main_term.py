"""Appendix A.3, second part: the term of Lemma 2 in the distance of the means.

A lower bound of its denominator S = alpha sigma_2^2 + (1 - alpha) sigma_1^2 in terms of the squared distance itself:
Young's inequality takes R(x) out, relative sensitivity takes R(y) out, and the baseline noise pays for the absolute part
of the sensitivity. What is left is gamma rho / eta^2 times the squared distance, with rho = 1 - eta (2 + eta)(alpha - 1).
One line prints S with x and y exchanged; one line of version 2 lacks a parenthesis. Neither is used further down.
"""

from sympy import Expr, Integer, Rational, Symbol

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Mutant,
    Step,
    Tightness,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Smt, Units
from rgm_verify.lenses.outputs import MainTerm, by_outputs

from .a3_condition_on_alpha import NOISE, ORDER, end, mixed
from .notation import (
    BASELINE_OF_THEOREM_1,
    ETA,
    GAMMA,
    NORM_X,
    NORM_Y,
    PAIR,
    R_REL,
    RELATIVE_SENSITIVITY,
    SIGMA2,
    a,
    alpha,
    b,
    c,
    d,
    distance2,
    eta,
    gamma,
    q,
    r_rel,
    rho,
    sigma2,
    variance_x,
    variance_y,
)
from .output_pairs import NEIGHBOURS, POINTS, SAMPLED, with_values

_SOURCE = "rgm-v1+v2"
_ALL = (ORDER, *PAIR, ETA, GAMMA, R_REL, SIGMA2)
POSITIVE_RHO = Hypothesis("orders of Theorem 1", gt(rho, 0), "Theorem 1, written as eta (alpha - 1)(2 + eta) < 1")
AT_Y = RELATIVE_SENSITIVITY[1]

_k, _l = Symbol("k", real=True), Symbol("l", real=True)
#: Points with the order in the range of Theorem 1, k being its share, and l added to the least baseline noise.
IN_RANGE = Chart(
    {
        a: (0, None),
        b: (0, None),
        c: (-1, 1),
        eta: (0, None),
        gamma: (0, None),
        r_rel: (0, None),
        _l: (0, None),
        _k: (0, 1),
    },
    {alpha: 1 + _k / q, sigma2: gamma / eta**2 * (1 - _k / (2 + eta)) * r_rel**2 + _l},
)

# Young's inequality |R(x)|^2 <= (1 + eta)|R(y)|^2 + (1 + 1/eta)|R(x) - R(y)|^2: the difference of its sides.
_YOUNG = ((1 / eta, (a - (1 + eta) * b * c) ** 2), (1 / eta, (1 + eta) ** 2, b**2, 1 + c, 1 - c))
_young_side = (1 + eta) * b**2 + (1 + 1 / eta) * distance2

young = Claim(
    id="rgm:a3-young",
    refs=("A77",),
    title="Young's inequality for the two outputs",
    source=_SOURCE,
    where="App. A.3, v1 (16), v2 (18)",
    kind="inequality",
    statement="The squared norm at $x$ is bounded by that at $y$ and the squared distance, with weights that depend on eta.",
    variables=(*PAIR, ETA),
    conclusion=le(a**2, _young_side),
    checks=(Combination(terms=_YOUNG), Smt(), Units({a: 1, b: 1})),
    mutants=(
        Mutant("1 + eta becomes 1", le(a**2, b**2 + (1 + 1 / eta) * distance2)),
        Mutant("1 + 1/eta becomes 1", le(a**2, (1 + eta) * b**2 + distance2)),
        Mutant("half of the distance", le(a**2, (1 + eta) * b**2 + (1 + 1 / eta) * distance2 / 2)),
    ),
)


def expanded(first: Expr, second: Expr) -> Expr:
    """sigma^2 + gamma alpha |first|^2 - gamma (alpha - 1)|second|^2."""
    return sigma2 + gamma * alpha * first**2 - gamma * (alpha - 1) * second**2


denominator_printed = Claim(
    id="rgm:a3-denominator-expanded",
    refs=("A78",),
    title="The denominator in terms of the outputs",
    source=_SOURCE,
    where="App. A.3, v1 (17)-(18), v2 (19)-(20)",
    kind="identity",
    statement=r"$\alpha\sigma_2^2 + (1-\alpha)\sigma_1^2$ is expanded with $R(x)$ in the place of $R(y)$.",
    variables=(ORDER, NORM_X, NORM_Y, GAMMA, SIGMA2),
    conclusion=eq(mixed, expanded(a, b)),
    category="misprint",
    corrected="rgm:a3-denominator-expanded-corrected",
    remark="The next line is the right one again, so that nothing rests on the exchange.",
)

denominator = Claim(
    id="rgm:a3-denominator-expanded-corrected",
    title="The denominator in terms of the outputs, with x and y in their places",
    source="beyond",
    where="App. A.3, v1 (17)-(18), v2 (19)-(20)",
    kind="identity",
    statement=r"The weight $\alpha$ goes with $R(y)$, and $-(\alpha-1)$ with $R(x)$.",
    variables=(ORDER, NORM_X, NORM_Y, GAMMA, SIGMA2),
    conclusion=eq(mixed, expanded(b, a)),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("exchanged", eq(mixed, expanded(a, b))),
        Mutant("baseline noise counted alpha times", eq(mixed, expanded(b, a) + (alpha - 1) * sigma2)),
    ),
)

_after_young = (
    sigma2
    + gamma * alpha * b**2
    - gamma * (alpha - 1) * (1 + eta) * b**2
    - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
)
_grouped = (
    sigma2 + (gamma * alpha - gamma * (alpha - 1) * (1 + eta)) * b**2 - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
)
_unclosed = sigma2 + (
    gamma * alpha - gamma * (alpha - 1) * (1 + eta) * b**2 - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
)
_simplified = sigma2 + gamma * (1 - (alpha - 1) * eta) * b**2 - gamma * (alpha - 1) * (1 + 1 / eta) * distance2

denominator_young = Claim(
    id="rgm:a3-denominator-young",
    refs=("A79a",),
    title="Young's inequality in the denominator",
    source=_SOURCE,
    where="App. A.3, v1 (17), (19), v2 (19), (21)",
    kind="inequality",
    statement=r"For $\alpha \ge 1$ the bound on $|R(x)|^2$ enters with a negative weight and bounds the denominator below.",
    variables=(ORDER, *PAIR, ETA, GAMMA, SIGMA2),
    conclusion=ge(mixed, _after_young),
    checks=(Combination(terms=tuple((gamma, alpha - 1, *t) for t in _YOUNG)), Smt()),
    mutants=(
        Mutant("direction", le(mixed, _after_young)),
        Mutant("1 for 1 + eta", ge(mixed, _after_young + gamma * (alpha - 1) * eta * b**2)),
        Mutant("1 for 1 + 1/eta", ge(mixed, _after_young + gamma * (alpha - 1) / eta * distance2)),
    ),
)

grouped_v1 = Claim(
    id="rgm-v1:a3-denominator-grouped",
    refs=("A79b.v1",),
    title="The two terms in the norm at y together",
    source="rgm-v1",
    where="App. A.3, v1 (20)",
    kind="identity",
    statement="The terms in $|R(y)|^2$ are put together.",
    variables=(ORDER, *PAIR, ETA, GAMMA, SIGMA2),
    conclusion=eq(_after_young, _grouped),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("parenthesis closed at the end", eq(_after_young, _unclosed)),
        Mutant("1 - eta", eq(_after_young, _grouped + 2 * gamma * (alpha - 1) * eta * b**2)),
    ),
)

grouped_v2 = Claim(
    id="rgm-v2:a3-denominator-grouped",
    refs=("A79b.v2",),
    title="The two terms in the norm at y together, version 2",
    source="rgm-v2",
    where="App. A.3, v2 (22)",
    kind="identity",
    statement="The terms in $|R(y)|^2$ are put together.",
    variables=(ORDER, *PAIR, ETA, GAMMA, SIGMA2),
    conclusion=eq(_after_young, _grouped),
    reading=(
        "The parenthesis before gamma alpha is not closed. The line before it and the line after it leave one place for its end, after (1 + eta), where "
        "version 1 has it."
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("parenthesis closed at the end", eq(_after_young, _unclosed)),
        Mutant("1 - eta", eq(_after_young, _grouped + 2 * gamma * (alpha - 1) * eta * b**2)),
    ),
)

simplified = Claim(
    id="rgm:a3-denominator-simplified",
    refs=("A79c",),
    title="The weight of the norm at y",
    source=_SOURCE,
    where="App. A.3, v1 (21), v2 (23)",
    kind="identity",
    statement=r"The weight of $|R(y)|^2$ is $\gamma(1-(\alpha-1)\eta)$.",
    variables=(ORDER, *PAIR, ETA, GAMMA, SIGMA2),
    conclusion=eq(_after_young, _simplified),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("alpha for alpha - 1", eq(_after_young, _simplified - gamma * eta * b**2)),
        Mutant("sign", eq(_after_young, _simplified + 2 * gamma * (alpha - 1) * eta * b**2)),
    ),
)

norm_bound = Claim(
    id="rgm:a3-norm-bound",
    refs=("A80",),
    title="Relative sensitivity bounds the norm from below",
    source=_SOURCE,
    where="App. A.3, before v1 (22), before v2 (24)",
    kind="inequality",
    statement="Two neighbours far apart have large outputs.",
    variables=(*PAIR, ETA, R_REL),
    hypotheses=(AT_Y,),
    conclusion=ge(b**2, 1 / eta**2 * (distance2 - r_rel**2)),
    checks=(
        Combination(terms=((1 / eta**2, eta**2 * b**2 + r_rel**2 - distance2),)),
        Smt(),
        Units({a: 1, b: 1, r_rel: 1}),
    ),
    mutants=(
        Mutant("without the absolute part", ge(b**2, distance2 / eta**2)),
        Mutant("eta for eta^2", ge(b**2, (distance2 - r_rel**2) / eta)),
        Mutant("direction", le(b**2, (distance2 - r_rel**2) / eta**2)),
    ),
)

_weight = 1 - (alpha - 1) * eta
_inserted = sigma2 + gamma / eta**2 * _weight * (distance2 - r_rel**2) - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
_slope = gamma / eta**2 * _weight - gamma * (alpha - 1) * (1 + 1 / eta)
_collected = sigma2 - gamma / eta**2 * _weight * r_rel**2 + _slope * distance2
# 1 - (alpha - 1) eta = rho / (2 + eta) + (1 + eta) / (2 + eta), so it is nonnegative where rho is.
_SENSITIVITY_GAP = eta**2 * b**2 + r_rel**2 - distance2
_INSERTED_TERMS = (
    *((gamma, alpha - 1, *t) for t in _YOUNG),
    (gamma / eta**2, 1 / (2 + eta), rho, _SENSITIVITY_GAP),
    (gamma / eta**2, (1 + eta) / (2 + eta), _SENSITIVITY_GAP),
)

inserted = Claim(
    id="rgm:a3-denominator-distance",
    refs=("A81a",),
    title="The denominator in terms of the distance",
    source=_SOURCE,
    where="App. A.3, v1 (22)-(23), v2 (24)-(25)",
    kind="inequality",
    statement="In the range of orders the weight of the norm is positive, so its lower bound may be put in.",
    variables=_ALL,
    hypotheses=(AT_Y, POSITIVE_RHO),
    conclusion=ge(mixed, _inserted),
    sampling=IN_RANGE,
    checks=(Combination(terms=_INSERTED_TERMS),),
    mutants=(
        Mutant("without the absolute part", ge(mixed, _inserted + gamma / eta**2 * _weight * r_rel**2)),
        Mutant("orders beyond the range", hypotheses=(AT_Y,)),
        Mutant("direction", le(mixed, _inserted)),
    ),
)

collected = Claim(
    id="rgm:a3-denominator-collected",
    refs=("A81b",),
    title="The bound, sorted by the absolute part and the distance",
    source=_SOURCE,
    where="App. A.3, v1 (24), v2 (26)",
    kind="identity",
    statement="The terms in the absolute part of the sensitivity and those in the squared distance are separated.",
    variables=_ALL,
    conclusion=eq(_inserted, _collected),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("sign of the absolute part", eq(_inserted, _collected + 2 * gamma / eta**2 * _weight * r_rel**2)),
        Mutant("eta for 1/eta", eq(_inserted, _collected + gamma * (alpha - 1) * (1 / eta - eta) * distance2)),
    ),
)

RHO = real("rho", "what is left of the range of orders, 1 - eta (2 + eta)(alpha - 1)")
_rho = RHO.symbol
_IS_RHO = Hypothesis("rho", eq(alpha - 1, (1 - _rho) / (eta * (2 + eta))), "after v1 (24), after v2 (26)")

rho_printed = Claim(
    id="rgm:a3-rho",
    refs=("A82",),
    title="The range of orders in terms of rho",
    source=_SOURCE,
    where="App. A.3, after v1 (24), after v2 (26)",
    kind="remark",
    statement=r"The condition on $\alpha$ is said to be $\alpha - 1 = (1-\rho)/(\eta(2+\eta))$ for some $\rho < 1$.",
    variables=(ORDER, ETA),
    conclusion=Iff(lt(alpha, end), lt(rho, 1)),
    reading=(
        r"That equation has one solution, rho = 1 - eta (2 + eta)(alpha - 1). The condition is that of Theorem 1, for "
        r"orders from 1 on."
    ),
    sampling=Chart({eta: (0, None), _k: (0, None)}, {alpha: 1 + _k / (eta * (2 + eta))}),
    category="misprint",
    corrected="rgm:a3-rho-corrected",
    remark="What the range needs, and what is used next, is rho > 0; rho < 1 only says that alpha is above 1.",
)

rho_corrected = Claim(
    id="rgm:a3-rho-corrected",
    title="The range of orders in terms of rho, with both ends",
    source="beyond",
    where="App. A.3, after v1 (24), after v2 (26)",
    kind="remark",
    statement=r"The range of Theorem 1 is $0 < \rho \le 1$.",
    variables=(ORDER, ETA),
    conclusion=Iff(lt(alpha, end), both(gt(rho, 0), le(rho, 1))),
    sampling=Chart({eta: (0, None), _k: (0, 2)}, {alpha: 1 + _k / (eta * (2 + eta))}),
    checks=(Smt(),),
    mutants=(
        Mutant("rho below 1/2", Iff(lt(alpha, end), both(gt(rho, 0), le(rho, Rational(1, 2))))),
        Mutant("no lower end", Iff(lt(alpha, end), le(rho, 1))),
    ),
)

_BASELINE = Hypothesis("baseline noise", ge(sigma2, gamma / eta**2 * _weight * r_rel**2), "Theorem 1")

baseline_simple = Claim(
    id="rgm:a3-baseline-simple",
    refs=("A83",),
    title="A baseline noise that is enough at every order",
    source=_SOURCE,
    where="App. A.3, after v1 (24), after v2 (26)",
    kind="inequality",
    statement=r"$\sigma^2 \ge \gamma R^2/\eta^2$ is enough for every order from 1 on.",
    variables=(ORDER, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(Hypothesis("baseline noise", ge(sigma2, gamma * r_rel**2 / eta**2)),),
    conclusion=ge(sigma2, gamma / eta**2 * _weight * r_rel**2),
    sampling=Chart(
        {alpha: (1, None), eta: (0, None), gamma: (0, None), r_rel: (0, None), _l: (0, None)},
        {sigma2: gamma * r_rel**2 / eta**2 + _l},
    ),
    checks=(
        Combination(terms=((sigma2 - gamma * r_rel**2 / eta**2,), (gamma / eta, alpha - 1, r_rel**2))),
        Smt(),
    ),
    mutants=(
        Mutant("half of it", hypotheses=(Hypothesis("half", ge(sigma2, gamma * r_rel**2 / (2 * eta**2))),)),
        Mutant("twice as much asked for", ge(sigma2, 2 * gamma / eta**2 * _weight * r_rel**2)),
    ),
)

denominator_bound = Claim(
    id="rgm:a3-denominator-bound",
    refs=("A84a",),
    title="The denominator is at least a multiple of the squared distance",
    source=_SOURCE,
    where="App. A.3, v1 (25), v2 (27)",
    kind="inequality",
    statement="The baseline noise pays for the absolute part of the sensitivity.",
    variables=_ALL,
    hypotheses=(AT_Y, POSITIVE_RHO, _BASELINE),
    conclusion=ge(mixed, _slope * distance2),
    sampling=IN_RANGE,
    checks=(
        Combination(terms=(*_INSERTED_TERMS, (sigma2 - gamma / eta**2 * _weight * r_rel**2,))),
        Smt(),
    ),
    mutants=(
        Mutant("no baseline noise", hypotheses=(AT_Y, POSITIVE_RHO)),
        Mutant("no relative sensitivity", hypotheses=(POSITIVE_RHO, _BASELINE)),
        Mutant("gamma / eta^2 in full", ge(mixed, gamma / eta**2 * distance2)),
    ),
)

slope = Claim(
    id="rgm:a3-slope",
    refs=("A84b",),
    title="The multiple, simplified",
    source=_SOURCE,
    where="App. A.3, v1 (26), v2 (28)",
    kind="identity",
    statement=r"The two terms with $\alpha - 1$ are put together.",
    variables=(ORDER, ETA, GAMMA),
    conclusion=eq(_slope, gamma / eta**2 - gamma / eta * (alpha - 1) * (2 + eta)),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("1 + eta", eq(_slope, gamma / eta**2 - gamma / eta * (alpha - 1) * (1 + eta))),
        Mutant("eta^2 in the second term", eq(_slope, gamma / eta**2 - gamma / eta**2 * (alpha - 1) * (2 + eta))),
    ),
)

slope_rho = Claim(
    id="rgm:a3-slope-rho",
    refs=("A84c",),
    title="The multiple in terms of rho",
    source=_SOURCE,
    where="App. A.3, v1 (27), v2 (29)",
    kind="identity",
    statement=r"With $\alpha - 1 = (1-\rho)/(\eta(2+\eta))$ the multiple is $\gamma\rho/\eta^2$.",
    variables=(ETA, GAMMA, RHO),
    conclusion=eq(gamma / eta**2 - gamma / eta * ((1 - _rho) / (eta * (2 + eta))) * (2 + eta), gamma * _rho / eta**2),
    reading="alpha - 1 is replaced by its value in terms of rho.",
    checks=(Identity(), Smt()),
    mutants=(
        Mutant(
            "1 - rho",
            eq(
                gamma / eta**2 - gamma / eta * ((1 - _rho) / (eta * (2 + eta))) * (2 + eta), gamma * (1 - _rho) / eta**2
            ),
        ),
        Mutant(
            "eta for eta^2",
            eq(gamma / eta**2 - gamma / eta * ((1 - _rho) / (eta * (2 + eta))) * (2 + eta), gamma * _rho / eta),
        ),
    ),
)

_T = nonnegative("t", "squared distance")
_DEN = positive("D", "denominator")
_t, _den = _T.symbol, _DEN.symbol

division = Claim(
    id="rgm:a3-division",
    title="From the denominator to the quotient",
    source="beyond",
    where="App. A.3, v1 (28), v2 (30)",
    kind="inequality",
    statement="A positive denominator that is a multiple of the squared distance bounds the quotient.",
    variables=(ORDER, ETA, GAMMA, _T, _DEN),
    hypotheses=(POSITIVE_RHO, Hypothesis("denominator", ge(_den, gamma * rho / eta**2 * _t))),
    conclusion=le(alpha * _t / (2 * _den), alpha * eta**2 / (2 * gamma * rho)),
    sampling=Chart(
        {_k: (0, 1), eta: (0, None), gamma: (0, None), _t: (0, None), _l: (0, None)},
        {alpha: 1 + _k / q, _den: gamma * (1 - _k) / eta**2 * _t + _l},
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("without the 2 on the left", le(alpha * _t / _den, alpha * eta**2 / (2 * gamma * rho))),
        Mutant("rho at 1", le(alpha * _t / (2 * _den), alpha * eta**2 / (2 * gamma))),
    ),
)

multiple = Claim(
    id="rgm:a3-denominator-multiple",
    title="The denominator is at least gamma rho / eta^2 times the squared distance",
    source=_SOURCE,
    where="App. A.3, v1 (25)-(27), v2 (27)-(29)",
    kind="inequality",
    statement="The three lines together.",
    variables=_ALL,
    hypotheses=(AT_Y, POSITIVE_RHO, BASELINE_OF_THEOREM_1),
    conclusion=ge(mixed, gamma * rho / eta**2 * distance2),
    sampling=IN_RANGE,
    checks=(
        Combination(terms=(*_INSERTED_TERMS, (sigma2 - gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2,))),
        Smt(),
    ),
    mutants=(
        Mutant("rho at 1", ge(mixed, gamma / eta**2 * distance2)),
        Mutant("no baseline noise", hypotheses=(AT_Y, POSITIVE_RHO)),
        Mutant("eta for eta^2 below eta = 1", ge(mixed, gamma * rho / eta**3 * distance2)),
    ),
    derivation=(
        Step("The bound by the distance.", "rgm:a3-denominator-bound"),
        Step("Its factor simplified.", "rgm:a3-slope"),
        Step("In terms of rho.", "rgm:a3-slope-rho"),
    ),
)

_PLANE = {d: Integer(2)}
#: A slanted pair at the largest distance with the least baseline noise, and a pair on one ray near the pole.
_PAIRS = with_values((POINTS[1], POINTS[4]), _PLANE)
_RELEASED = with_values(SAMPLED[:1], _PLANE)

main_term = Claim(
    id="rgm:a3-main-term",
    refs=("A85",),
    title="The main term",
    source=_SOURCE,
    where="App. A.3, v1 (28), v2 (30)",
    kind="inequality",
    statement=r"The term in the distance of the means is at most $\alpha\eta^2/(2\gamma\rho)$.",
    variables=_ALL,
    hypotheses=(*RELATIVE_SENSITIVITY, POSITIVE_RHO, BASELINE_OF_THEOREM_1, NOISE),
    conclusion=le(alpha * distance2 / (2 * mixed), alpha * eta**2 / (2 * gamma * rho)),
    reading=(
        "Printed up to and with eta (2 + eta)(alpha - 1) = 1, where rho = 0 and the right side is infinite: read as a "
        "statement on numbers, below that end (`beyond:main-term-at-the-end` has the end). Noise is positive by Definition 3, so that the left side is defined."
    ),
    sampling=IN_RANGE,
    checks=(
        Deduction(
            (
                Premise("rgm:a3-rho-corrected"),
                Premise("rgm:a3-lemma-2-applies"),
                Premise("rgm:a3-denominator-multiple"),
                Premise("rgm:a3-division", {_t: distance2, _den: mixed}),
            )
        ),
        *by_outputs(alpha * distance2 / (2 * mixed), MainTerm(alpha), NEIGHBOURS.subs(_PLANE), _PAIRS, _RELEASED),
    ),
    mutants=(
        Mutant("without the factor 1/rho", le(alpha * distance2 / (2 * mixed), alpha * eta**2 / (2 * gamma))),
        Mutant("without alpha", le(alpha * distance2 / (2 * mixed), eta**2 / (2 * gamma * rho))),
        Mutant("no baseline bound", hypotheses=(*RELATIVE_SENSITIVITY, POSITIVE_RHO, NOISE)),
    ),
    tightness=(
        Tightness(
            1 / (1 + sigma2 / (1 - _k)),
            {_k: (0, Rational(9, 10)), sigma2: (0, 1)},
            r"term over its bound for $R(x)=(1+\eta)R(y)$, $\gamma|R(y)|^2=1$, $k = 1 - \rho$: 1 without baseline noise",
            plot=(sigma2,),
            at={_k: Rational(1, 2)},
        ),
    ),
    derivation=(
        Step("The denominator is positive.", "rgm:a3-lemma-2-applies"),
        Step("It is at least a multiple of the squared distance.", "rgm:a3-denominator-multiple"),
        Step("Divide.", "rgm:a3-division"),
    ),
)

_ALPHA_OF_RHO = 1 + (1 - _rho) / (eta * (2 + eta))

main_term_form = Claim(
    id="rgm:a3-main-term-form",
    refs=("A85",),
    title="The bound of the main term without rho",
    source=_SOURCE,
    where="App. A.3, v1 (28), v2 (30)",
    kind="identity",
    statement=r"$\rho$ is replaced by $1 - \eta(2+\eta)(\alpha-1)$.",
    variables=(ETA, GAMMA, RHO),
    hypotheses=(Hypothesis("rho", gt(_rho, 0), "Theorem 1's range"),),
    conclusion=eq(
        _ALPHA_OF_RHO * eta**2 / (2 * gamma * _rho),
        _ALPHA_OF_RHO * eta**2 / (2 * gamma) * printed(lambda: 1 / (1 - eta * (2 + eta) * (_ALPHA_OF_RHO - 1))),
    ),
    reading="alpha is written in terms of rho, alpha - 1 = (1 - rho)/(eta (2 + eta)).",
    checks=(Identity(), Smt()),
    mutants=(
        Mutant(
            "1 + eta for 2 + eta",
            eq(
                _ALPHA_OF_RHO * eta**2 / (2 * gamma * _rho),
                _ALPHA_OF_RHO * eta**2 / (2 * gamma) * (1 / (1 - eta * (1 + eta) * (_ALPHA_OF_RHO - 1))),
            ),
        ),
        Mutant(
            "gamma for 2 gamma",
            eq(
                _ALPHA_OF_RHO * eta**2 / (2 * gamma * _rho),
                _ALPHA_OF_RHO * eta**2 / gamma * (1 / (1 - eta * (2 + eta) * (_ALPHA_OF_RHO - 1))),
            ),
        ),
    ),
)

closed_end = Claim(
    id="beyond:main-term-at-the-end",
    title="At the closed end of the range the main term has no bound",
    source="beyond",
    where="App. A.3, v1 (28), v2 (30), at eta (2 + eta)(alpha - 1) = 1",
    kind="remark",
    statement=(
        r"For $R(x) = (1+\eta)R(y)$ and the excluded order the denominator is $2\sigma^2$ whatever $|R(y)|$ is, "
        "so that the term grows without bound with the outputs."
    ),
    variables=(ETA, GAMMA, NORM_Y, SIGMA2),
    hypotheses=(NOISE,),
    conclusion=eq(
        (alpha * distance2 / (2 * mixed)).subs({alpha: end, a: (1 + eta) * b, c: 1}, simultaneous=True),
        end * eta**2 * b**2 / (2 * sigma2),
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant(
            "the order 1",
            eq(
                (alpha * distance2 / (2 * mixed)).subs({alpha: 1, a: (1 + eta) * b, c: 1}, simultaneous=True),
                end * eta**2 * b**2 / (2 * sigma2),
            ),
        ),
        Mutant(
            "noise at y in the denominator",
            eq(
                (alpha * distance2 / (2 * mixed)).subs({alpha: end, a: (1 + eta) * b, c: 1}, simultaneous=True),
                end * eta**2 * b**2 / (2 * variance_y),
            ),
        ),
    ),
)

log_ratio = Claim(
    id="rgm:a3-variance-ratio",
    refs=("A86",),
    title="The ratio of the variances in the log term",
    source=_SOURCE,
    where="App. A.3, Bounding the log term",
    kind="remark",
    statement=r"$r = \sigma_2^2/\sigma_1^2$ is at most $(1+\eta)^2$ under the hypotheses of Theorem 1.",
    variables=_ALL,
    hypotheses=(*RELATIVE_SENSITIVITY, POSITIVE_RHO, BASELINE_OF_THEOREM_1, NOISE),
    conclusion=le(variance_y / variance_x, (1 + eta) ** 2),
    reading="The only r with sigma_2^2 = r sigma_1^2 is the ratio, which is defined as there is noise (Definition 3).",
    sampling=IN_RANGE,
    checks=(
        Deduction(
            (
                Premise("rgm:a3-rho-corrected"),
                Premise("rgm:a3-range-strict"),
                Premise("rgm:a3-range-shifted"),
                Premise("rgm:a3-baseline-enough"),
                Premise("rgm:a3-baseline-needed"),
                Premise("rgm:lemma-1"),
            )
        ),
    ),
    mutants=(
        Mutant("1 + eta", le(variance_y / variance_x, 1 + eta)),
        Mutant("the other direction", ge(variance_y / variance_x, (1 + eta) ** 2)),
        Mutant("no relative sensitivity at x", hypotheses=(AT_Y, POSITIVE_RHO, BASELINE_OF_THEOREM_1, NOISE)),
    ),
    derivation=(
        Step("The baseline noise is enough for Lemma 1.", "rgm:a3-baseline-enough"),
        Step("Lemma 1, divided by the variance at $x$.", "rgm:lemma-1"),
    ),
)
