r"""Section 4.1, Arbitrary privacy guarantees cannot be achieved.

For $\alpha > 1 + 1/q$ the pair $R(x) = (1+\eta)R(y)$ has an infinite divergence as soon as $\gamma|R(y)|^2(-\rho) \ge \sigma^2$: no $\gamma$ and no $\sigma$ help. For smaller orders
the pair with $\gamma|R(y)|^2 = \sigma^2$ has variances in a ratio that depends on $\eta$ alone, so that the logarithmic term of its divergence is a positive floor,
the same for all $\gamma$ and $\sigma$. With norms bounded by B, on the other hand, baseline noise alone makes the divergence as small as one likes.
As $\eta \to 0$ every order and level can be had. The level grows with the dimension; leaving out coordinates helps if the noise is still set by the whole
output, or if what is left is itself relatively sensitive, which does not follow.
"""

from sympy import Integer, Rational, log, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.gaussians.symbolic import renyi_expression
from rgm_verify.lenses import Combination, Deduction, Identity, Monotone, Premise, Search, Smt, Units
from rgm_verify.lenses.outputs import Outputs, Renyi, by_outputs

from ..beyond.exact_renyi import ADMISSIBLE, IN_RANGE, WORST_PAIRS, divergence, exact_curve, exact_log_term
from .notation import (
    ALPHA,
    DIMENSION,
    ETA,
    GAMMA,
    PAIR,
    R_REL,
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
from .s4_theorem_1 import printed_v1, printed_v2

_SOURCE = "rgm-v1+v2"
_WHERE = "§4.1, Arbitrary privacy guarantees cannot be achieved"
_NOISE = positive("sigma^2", "baseline variance per coordinate")
_OUTPUT = positive("b", "norm of R(y)")
_noise, _output = _NOISE.symbol, _OUTPUT.symbol
_k = positive("k").symbol
_ADMISSIBLE = Hypothesis("the hypotheses of Theorem 1", both(*(h.formula for h in ADMISSIBLE)), "Theorem 1")
_BEYOND = Hypothesis("beyond the range of alpha", lt(rho, 0), "alpha > 1 + 1/q")
_BEYOND_CHART = Chart(
    {eta: (0, None), _k: (0, None), gamma: (0, None), _noise: (0, None), _output: (0, 1), r_rel: (0, None)},
    {
        alpha: 1 + (1 + _k) / q,
        _output: sqrt(_noise / (gamma * _k)) * (1 + _output),
        eta: eta,
        gamma: gamma,
        _noise: _noise,
        r_rel: r_rel,
    },
)
_mixed = alpha * (gamma * _output**2 + _noise) + (1 - alpha) * (gamma * (1 + eta) ** 2 * _output**2 + _noise)

no_order = Claim(
    id="rgm:orders-not-achievable",
    refs=("A28", "A29"),
    title="Orders that no choice of gamma and sigma achieves",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=(
        r"For every $\eta > 0$, every $\gamma$ and $\sigma$, and every $\alpha > 1 + 1/q$ the neighbours $R(x) = (1+\eta)R(y)$ with "
        r"$\gamma|R(y)|^2(-\rho) \ge \sigma^2$ are admissible, and their divergence is infinite."
    ),
    variables=(ETA, ALPHA, GAMMA, R_REL, _NOISE, _OUTPUT),
    hypotheses=(
        _BEYOND,
        Hypothesis("a large output", ge(gamma * _output**2 * (-rho), _noise), "the choice of the pair"),
    ),
    conclusion=both(
        le(_mixed, 0),
        le((eta * _output) ** 2, eta**2 * _output**2 + r_rel**2),
        le((eta * _output) ** 2, eta**2 * ((1 + eta) * _output) ** 2 + r_rel**2),
    ),
    reading="Not achievable: whatever the noise, some pair of neighbours has an infinite divergence (Lemma 2: mixed variance not positive).",
    checks=(Smt(), Units({_output: 1, _noise: 2, r_rel: 1})),
    sampling=_BEYOND_CHART,
    mutants=(
        Mutant("in the range of alpha", hypotheses=(IN_RANGE,)),
        Mutant("any output", hypotheses=(_BEYOND,)),
        Mutant("a pair too far apart", le((2 * eta * _output) ** 2, eta**2 * _output**2 + r_rel**2)),
    ),
    derivation=(Step("Lemma 2 outside its assumption.", "beyond:lemma-2-infinite"),),
)

_RATIO = positive("r", "ratio of the variances")
_ratio = _RATIO.symbol
_ratio_floor = alpha * log(_ratio) - log(1 + alpha * (_ratio - 1))
_FINITE = Hypothesis("finite", gt(1 + alpha * (_ratio - 1), 0), "Lemma 2")
_RATIOS = Chart({alpha: (1, None), _ratio: (0, 1)}, {_ratio: 1 - _ratio / alpha, alpha: alpha})

log_positive = Claim(
    id="beyond:log-term-positive",
    title="Different variances are told apart",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"The logarithmic term $\alpha\log r - \log(1+\alpha(r-1))$ is positive for every ratio $r < 1$ of the variances where it is finite.",
    variables=(ALPHA, _RATIO),
    hypotheses=(_FINITE, Hypothesis("different variances", lt(_ratio, 1))),
    conclusion=gt(_ratio_floor, 0),
    checks=(Monotone(_ratio, 1, order=1),),
    sampling=_RATIOS,
    mutants=(
        Mutant("alpha dropped inside", gt(alpha * log(_ratio) - log(1 + (_ratio - 1) / 2), 0)),
        Mutant("larger than 1 - r", gt(_ratio_floor, 1 - _ratio)),
        Mutant("direction", le(_ratio_floor, 0)),
    ),
)

#: The ratio of the variances of the pair with gamma |R(y)|^2 = sigma^2 and R(x) = (1 + eta) R(y), and its logarithmic term per dimension.
_r_pair = 2 / (1 + (1 + eta) ** 2)
floor_term = _ratio_floor.subs(_ratio, _r_pair) / (2 * (alpha - 1))
_pair_divergence = renyi_expression(alpha, eta**2 * _noise / gamma, (1 + (1 + eta) ** 2) * _noise, 2 * _noise, d)
_ETA_CHART = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), _noise: (0, None), d: (0, 1000)},
    {alpha: 1 + _k / q, eta: eta, gamma: gamma, _noise: _noise, d: d},
)
_FLOOR_VARIABLES = (ETA, ALPHA, GAMMA, _NOISE, DIMENSION)

#: The pair as outputs of the mechanism, and parameters: near the end of the range, and in many dimensions.
_FLOOR_PAIR = Outputs(((1 + eta) * sqrt(_noise / gamma),), (sqrt(_noise / gamma),), d, gamma, _noise)
_FLOOR_POINTS = tuple(
    {
        eta: Rational(slope),
        alpha: 1 + Rational(share) / q.subs(eta, Rational(slope)),
        gamma: Rational(1, 4),
        _noise: Rational(baseline),
        d: Integer(n),
    }
    for slope, share, baseline, n in (
        ("1/2", "1/3", "1/4", 3),
        ("1", "99/100", "4", 1),
        ("1/10", "1/2", "9/4", 30),
        ("1/100", "1/10", "1/100", 1000),
    )
)
_OF_THE_FLOOR_PAIR = by_outputs(_pair_divergence, Renyi(alpha), _FLOOR_PAIR, _FLOOR_POINTS, _FLOOR_POINTS[:1])

pair_is_admissible = Claim(
    id="rgm:floor-pair",
    refs=("A28", "A29"),
    title="The pair whose variances are in a fixed ratio",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=(
        r"For $R(x) = (1+\eta)R(y)$ and $\gamma|R(y)|^2 = \sigma^2$ the two variances are $(1+(1+\eta)^2)\sigma^2$ and $2\sigma^2$, and the squared "
        r"distance is $\eta^2\sigma^2/\gamma$, which the definition allows."
    ),
    variables=(ETA, GAMMA, _NOISE, R_REL),
    conclusion=both(
        ge(
            eta**2 * (sqrt(_noise / gamma)) ** 2 + r_rel**2,
            ((1 + eta) * sqrt(_noise / gamma) - sqrt(_noise / gamma)) ** 2,
        ),
        le(((1 + eta) * sqrt(_noise / gamma) - sqrt(_noise / gamma)) ** 2, eta**2 * _noise / gamma),
        ge(gamma * ((1 + eta) * sqrt(_noise / gamma)) ** 2 + _noise, (1 + (1 + eta) ** 2) * _noise),
        le(gamma * ((1 + eta) * sqrt(_noise / gamma)) ** 2 + _noise, (1 + (1 + eta) ** 2) * _noise),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "the distance without eta",
            le(((1 + eta) * sqrt(_noise / gamma) - sqrt(_noise / gamma)) ** 2, _noise / gamma),
        ),
        Mutant(
            "the variance without its square",
            ge(gamma * ((1 + eta) * sqrt(_noise / gamma)) + _noise, (1 + (1 + eta) ** 2) * _noise),
        ),
    ),
)

no_level = Claim(
    id="rgm:levels-not-achievable",
    refs=("A28", "A29"),
    title="Levels that no choice of gamma and sigma achieves",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=(
        r"Also for $\alpha < 1 + 1/q$, whatever $\gamma$ and $\sigma$ are, the pair $R(x) = (1+\eta)R(y)$ with $\gamma|R(y)|^2 = \sigma^2$ has a divergence above "
        r"a positive floor that depends on $\eta$, $\alpha$ and $d$ alone."
    ),
    variables=_FLOOR_VARIABLES,
    hypotheses=(IN_RANGE,),
    conclusion=both(gt(_pair_divergence, d * floor_term), gt(d * floor_term, 0)),
    reading=(
        "Not achievable, and not privatised by more baseline noise: whatever the noise, some pair of neighbours has at least the divergence of the floor. "
        "The output of that pair grows with the noise, so that a bound on the norms would exclude it."
    ),
    checks=(
        Deduction(
            (
                Premise("beyond:log-term-positive", {_ratio: _r_pair}),
                Premise("beyond:logarithms-of-the-floor-pair"),
            )
        ),
        *_OF_THE_FLOOR_PAIR,
    ),
    sampling=_ETA_CHART,
    mutants=(
        Mutant("twice the floor", gt(_pair_divergence, 2 * d * floor_term)),
        Mutant("a floor of alpha eta^2 d", gt(d * floor_term, d * alpha * eta**2)),
        Mutant("the floor without the sum", gt(d * floor_term, _pair_divergence)),
    ),
    derivation=(
        Step("The pair and its variances.", "rgm:floor-pair"),
        Step("The logarithms of the two variances.", "beyond:logarithms-of-the-floor-pair"),
        Step("The logarithmic term is positive.", "beyond:log-term-positive"),
    ),
)

floor_logs = Claim(
    id="beyond:logarithms-of-the-floor-pair",
    title="The logarithmic term of the floor pair does not contain the noise",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"In the divergence of the pair the baseline variance cancels from the logarithms; the main term is $\alpha\eta^2/(2\gamma(1+\rho))$.",
    variables=_FLOOR_VARIABLES,
    hypotheses=(IN_RANGE,),
    conclusion=eq(_pair_divergence, alpha * eta**2 / (2 * gamma * (1 + rho)) + d * floor_term),
    checks=(Identity(positive=(1 + rho,)), *_OF_THE_FLOOR_PAIR),
    sampling=_ETA_CHART,
    mutants=(
        Mutant(
            "the pair in the other order",
            eq(_pair_divergence, alpha * eta**2 / (2 * gamma * (1 + rho)) - d * floor_term),
        ),
        Mutant("rho instead of 1 + rho", eq(_pair_divergence, alpha * eta**2 / (2 * gamma * rho) + d * floor_term)),
    ),
)

_BOUND = positive("B", "bound on the norms of all outputs")
_bound = _BOUND.symbol
_LOG_ARGUMENT = positive("y", "a positive number")
_y = _LOG_ARGUMENT.symbol

log_line = Claim(
    id="beyond:log-below-tangent",
    title="log y <= y - 1",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement="The logarithm lies below its tangent at one, on both sides.",
    variables=(_LOG_ARGUMENT,),
    conclusion=le(log(_y), _y - 1),
    checks=(Monotone(_y, Integer(1), order=1),),
    mutants=(
        Mutant("half the slope", le(log(_y), (_y - 1) / 2)),
        Mutant("a smaller constant", le(log(_y), _y - Rational(11, 10))),
        Mutant("direction", ge(log(_y), _y - 1)),
    ),
)

log_quadratic = Claim(
    id="beyond:log-term-below-square",
    title="The logarithmic term is of second order in the ratio of the variances",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$\alpha\log r - \log(1+\alpha(r-1)) \le \alpha^2(r-1)^2/(1+\alpha(r-1))$ wherever it is finite.",
    variables=(ALPHA, _RATIO),
    hypotheses=(_FINITE,),
    conclusion=le(_ratio_floor, alpha**2 * (_ratio - 1) ** 2 / (1 + alpha * (_ratio - 1))),
    checks=(
        Deduction(
            (
                Premise("beyond:log-below-tangent", {_y: _ratio}),
                Premise("beyond:log-below-tangent", {_y: 1 / (1 + alpha * (_ratio - 1))}),
                Premise("beyond:log-of-inverse", {_y: 1 + alpha * (_ratio - 1)}),
            )
        ),
    ),
    sampling=_RATIOS,
    mutants=(
        Mutant("a quarter", le(_ratio_floor, alpha**2 * (_ratio - 1) ** 2 / (1 + alpha * (_ratio - 1)) / 4)),
        Mutant("without alpha squared", le(_ratio_floor, (_ratio - 1) ** 2 / (1 + alpha * (_ratio - 1)) / 2)),
        Mutant("without the denominator", le(_ratio_floor, (_ratio - 1) ** 2 / 2)),
    ),
)

log_inverse = Claim(
    id="beyond:log-of-inverse",
    title="log(1/y) = -log y",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement="Taking the inverse changes the sign of the logarithm.",
    variables=(_LOG_ARGUMENT,),
    conclusion=eq(log(1 / _y) + log(_y), 0),
    checks=(Identity(),),
    mutants=(
        Mutant("without the inverse", eq(log(_y) + log(_y), 0)),
        Mutant("of the square", eq(log(1 / _y**2) + log(_y), 0)),
    ),
)

_LEVEL = positive("epsilon", "level of Rényi differential privacy")
_level = _LEVEL.symbol
_GAP = positive("s", "sigma^2 - (alpha - 1) gamma B^2")
_gap = _GAP.symbol
_T = positive("t", "alpha - 1")
_D = nonnegative("D", "squared distance")
_W = nonnegative("W", "squared difference of the variances")
_V, _S = positive("v", "variance at x"), positive("S", "mixed variance")
_t, _d2, _w, _v, _s = (v.symbol for v in (_T, _D, _W, _V, _S))
_split_level = (4 * (1 + _t) * _bound**2 + d * (1 + _t) ** 2 * gamma * _bound**2 / _t) / (2 * _gap)
_split_divergence = (1 + _t) * _d2 / (2 * _s) + d * (1 + _t) ** 2 * _w / (2 * _t * _v * _s)
_spread = alpha * variance_y + (1 - alpha) * variance_x
_AT_PAIR = {_t: alpha - 1, _d2: distance2, _w: (variance_y - variance_x) ** 2, _v: variance_x, _s: _spread}
#: What the divergence is below when the norms are at most B and the baseline variance is alpha gamma B^2 + s, and an expression in between.
bounded_level = _split_level.subs(_AT_PAIR, simultaneous=True)
_arithmetic = _split_divergence.subs(_AT_PAIR, simultaneous=True)
_bounded = (
    Hypothesis("bounded at x", le(a, _bound)),
    Hypothesis("bounded at y", le(b, _bound)),
    Hypothesis("baseline noise", ge(sigma2, alpha * gamma * _bound**2 + _gap)),
)
_BOUNDED = Hypothesis("norms at most B, baseline noise", both(*(h.formula for h in _bounded)))
_BOUNDED_VARIABLES = (*PAIR, GAMMA, SIGMA2, ALPHA, DIMENSION, _BOUND, _GAP)
_BOUNDED_CHART = Chart(
    {_bound: (0, None), a: (0, 1), b: (0, 1), alpha: (1, None), gamma: (0, None), _gap: (0, None), d: (0, 100)},
    {
        a: _bound * a,
        b: _bound * b,
        c: -1 + 0 * b,
        sigma2: alpha * gamma * _bound**2 + _gap,
        alpha: alpha,
        gamma: gamma,
        _gap: _gap,
        d: d,
        _bound: _bound,
    },
)
_DEFINED = Hypothesis("finite", both(gt(_spread, 0), gt(variance_x, 0), gt(variance_y, 0)), "Lemma 2")

bounded_split = Claim(
    id="beyond:divergence-with-bounded-norms-split",
    title="The divergence bounded by an arithmetic expression",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement="The logarithmic term is replaced by its quadratic bound.",
    variables=(*PAIR, GAMMA, SIGMA2, ALPHA, DIMENSION),
    hypotheses=(_DEFINED,),
    conclusion=le(divergence, _arithmetic),
    checks=(Deduction((Premise("beyond:log-term-below-square", {_ratio: variance_y / variance_x}),)),),
    sampling=Chart(
        {s: r for s, r in _BOUNDED_CHART.ranges.items() if s != c},
        {s: e for s, e in _BOUNDED_CHART.maps.items() if s not in (_gap, _bound)},
    ),
    mutants=(
        Mutant("without the logarithmic part", le(divergence, alpha * distance2 / (2 * _spread))),
        Mutant("without the main part", le(divergence, _arithmetic - alpha * distance2 / (2 * _spread))),
    ),
)

bounded_arithmetic = Claim(
    id="beyond:bounded-norms-arithmetic",
    title="The arithmetic expression with bounded norms",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement="Distances are at most $2B$, variances differ by at most $\\gamma B^2$, and the mixed variance is at least $s$.",
    variables=_BOUNDED_VARIABLES,
    hypotheses=_bounded,
    conclusion=both(
        le(distance2, 4 * _bound**2),
        le((variance_y - variance_x) ** 2, gamma**2 * _bound**4),
        ge(variance_x, gamma * _bound**2),
        ge(_spread, _gap),
    ),
    checks=(Smt(),),
    sampling=_BOUNDED_CHART,
    mutants=(
        Mutant("no bound", hypotheses=(_bounded[2],)),
        Mutant("half of the baseline noise", hypotheses=(*_bounded[:2], Hypothesis("half", ge(sigma2, _gap / 2)))),
        Mutant("distances up to B", le(distance2, _bound**2)),
    ),
)

quotients = Claim(
    id="beyond:bounded-norms-quotients",
    title="The two quotients of the arithmetic expression",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement="Numerators are bounded from above and denominators from below.",
    variables=(_T, DIMENSION, GAMMA, _BOUND, _GAP, _D, _W, _V, _S),
    hypotheses=(
        Hypothesis("distance", le(_d2, 4 * _bound**2)),
        Hypothesis("variances", le(_w, gamma * _bound**2 * _v)),
        Hypothesis("mixed variance", ge(_s, _gap)),
    ),
    conclusion=le(_split_divergence, _split_level),
    checks=(
        Combination(
            terms=(
                (1 + _t, 2 * _bound**2 / (_gap * _s), _s - _gap),
                (1 + _t, 1 / (2 * _s), 4 * _bound**2 - _d2),
                (d * (1 + _t) ** 2, gamma * _bound**2 / (2 * _t * _gap * _s), _s - _gap),
                (d * (1 + _t) ** 2, 1 / (2 * _t * _v * _s), gamma * _bound**2 * _v - _w),
            )
        ),
    ),
    mutants=(
        Mutant("half of it", le(_split_divergence, _split_level / 2)),
        Mutant(
            "any mixed variance",
            hypotheses=(
                Hypothesis("distance", le(_d2, 4 * _bound**2)),
                Hypothesis("variances", le(_w, gamma * _bound**2 * _v)),
            ),
        ),
    ),
)

bounded_squares = Claim(
    id="beyond:bounded-norms-squares",
    title="The squared difference of the variances against the variance",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$(\sigma_2^2-\sigma_1^2)^2 \le \gamma B^2\,\sigma_1^2$ with the baseline noise.",
    variables=_BOUNDED_VARIABLES,
    hypotheses=(_BOUNDED,),
    conclusion=le((variance_y - variance_x) ** 2, gamma * _bound**2 * variance_x),
    checks=(Deduction((Premise("beyond:bounded-norms-arithmetic"),)),),
    sampling=_BOUNDED_CHART,
    mutants=(
        Mutant("no bound", hypotheses=(_bounded[2],)),
        Mutant("half of it", le((variance_y - variance_x) ** 2, gamma * _bound**2 * variance_x / 8)),
    ),
)

bounded_level_claim = Claim(
    id="beyond:bounded-norms-level",
    title="The arithmetic expression is at most a constant over s",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"With norms of at most B and the baseline noise $\sigma^2 \ge \alpha\gamma B^2 + s$ both parts of the expression are at most constants over s.",
    variables=_BOUNDED_VARIABLES,
    hypotheses=(_BOUNDED,),
    conclusion=le(_arithmetic, bounded_level),
    checks=(
        Deduction(
            (
                Premise("beyond:bounded-norms-arithmetic"),
                Premise("beyond:bounded-norms-squares"),
                Premise(
                    "beyond:bounded-norms-quotients",
                    _AT_PAIR,
                ),
            )
        ),
    ),
    sampling=_BOUNDED_CHART,
    mutants=(
        Mutant("a constant over s squared", le(_arithmetic, bounded_level / _gap)),
        Mutant("no bound on the norms", hypotheses=(_bounded[2],)),
    ),
    derivation=(
        Step("Everything in sight is bounded.", "beyond:bounded-norms-arithmetic"),
        Step("So are the quotients.", "beyond:bounded-norms-quotients"),
    ),
)

bounded_positive = Claim(
    id="beyond:bounded-norms-positive",
    title="With bounded norms the divergence is finite",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement="With the baseline noise the variances and the mixed variance are positive.",
    variables=_BOUNDED_VARIABLES,
    hypotheses=(_BOUNDED,),
    conclusion=_DEFINED.formula,
    checks=(Deduction((Premise("beyond:bounded-norms-arithmetic"),)),),
    sampling=_BOUNDED_CHART,
    mutants=(
        Mutant("no bound on the norms", hypotheses=(_bounded[2],)),
        Mutant("no baseline noise", hypotheses=_bounded[:2]),
    ),
)

_P, _Q, _L = (real(n) for n in ("P", "Q", "L"))
_p, _q, _l = (v.symbol for v in (_P, _Q, _L))

in_a_row = Claim(
    id="beyond:two-bounds-in-a-row",
    title="A bound on a bound is a bound",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement="If P is at most Q and Q is at most L, then P is at most L.",
    variables=(_P, _Q, _L),
    hypotheses=(Hypothesis("first", le(_p, _q)), Hypothesis("second", le(_q, _l))),
    conclusion=le(_p, _l),
    checks=(Combination(terms=((_q - _p,), (_l - _q,))), Smt()),
    mutants=(
        Mutant("the first only", hypotheses=(Hypothesis("first", le(_p, _q)),)),
        Mutant("strictly", lt(_p, _l)),
        Mutant("direction", ge(_p, _l)),
    ),
)

bounded = Claim(
    id="rgm:bounded-norms-can-be-privatised",
    refs=("A29",),
    title="With a bound on the norms baseline noise does help",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=(
        r"If all norms are at most B and $\sigma^2 \ge \alpha\gamma B^2 + s$, the divergence is at most a constant over s, so that enough baseline noise "
        r"achieves every level at every order, with $\gamma$ kept and without relative sensitivity."
    ),
    variables=_BOUNDED_VARIABLES,
    hypotheses=(_BOUNDED,),
    conclusion=le(divergence, bounded_level),
    reading="Without a priori bounds: the other half, that with them it can be done.",
    checks=(
        Deduction(
            (
                Premise("beyond:bounded-norms-positive"),
                Premise("beyond:divergence-with-bounded-norms-split"),
                Premise("beyond:bounded-norms-level"),
                Premise("beyond:two-bounds-in-a-row", {_p: divergence, _q: _arithmetic, _l: bounded_level}),
            )
        ),
    ),
    sampling=_BOUNDED_CHART,
    mutants=(
        Mutant("a constant over s squared", le(divergence, bounded_level / _gap)),
        Mutant("no bound on the norms", hypotheses=(_bounded[2],)),
    ),
    derivation=(
        Step("The logarithmic term is of second order.", "beyond:divergence-with-bounded-norms-split"),
        Step("What it is bounded by.", "beyond:bounded-norms-level"),
    ),
)

_SMALL_ETA = (
    Hypothesis("eta at most 1", le(eta, 1)),
    Hypothesis("eta small for the order", le(6 * (alpha - 1) * eta, 1)),
    Hypothesis("eta small for the level", le(72 * alpha * d * eta**2, _level)),
    Hypothesis("gamma large for the level", ge(gamma * _level, 2 * alpha * eta**2)),
)
_SMALL_CHART = Chart(
    {eta: (0, 1), _k: (0, 1), _level: (1, None), gamma: (1, None), d: (0, 100)},
    {
        alpha: 1 + _k / (6 * eta),
        eta: eta,
        _level: 72 * _level * (1 + _k / (6 * eta)) * d * eta**2,
        gamma: gamma / (36 * d),
        d: d,
    },
)

small_eta = tuple(
    Claim(
        id=f"rgm-{version}:small-eta-levels",
        refs=("A30",),
        title=f"Version {version[1]}: for small eta the theorem reaches every level",
        source=f"rgm-{version}",
        where=_WHERE,
        kind="remark",
        statement=(
            r"For every $\alpha$, $\varepsilon$ and d: if $\eta \le 1$, $6(\alpha-1)\eta \le 1$ and $72\alpha d\eta^2 \le \varepsilon$, then $\gamma \ge 2\alpha\eta^2/\varepsilon$ "
            r"makes the level of Theorem 1 at most $\varepsilon$, and $\alpha$ lies in its range."
        ),
        variables=(ETA, ALPHA, _LEVEL, GAMMA, DIMENSION),
        hypotheses=_SMALL_ETA,
        conclusion=both(gt(rho, 0), le(printed, _level)),
        reading=r"When $\eta \to 0$: for every order and level there is an $\eta_0$ such that they are possible for all $\eta \le \eta_0$.",
        checks=(Deduction((Premise("beyond:small-eta-factors"),)),),
        sampling=_SMALL_CHART,
        mutants=(
            Mutant("any eta", hypotheses=_SMALL_ETA[3:]),
            Mutant("any gamma", hypotheses=_SMALL_ETA[:3]),
            Mutant("a hundredth of the level", both(gt(rho, 0), le(printed, _level / 100))),
        ),
        derivation=(Step("The factors that tend to 1 are bounded.", "beyond:small-eta-factors"),),
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)

small_eta_factors = Claim(
    id="beyond:small-eta-factors",
    title="The factors of the level for small eta",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"For $\eta \le 1$ and $6(\alpha-1)\eta \le 1$: $\rho \ge \frac12$, $(2+\eta)^2(1+\eta)^2 \le 36$.",
    variables=(ETA, ALPHA),
    hypotheses=_SMALL_ETA[:2],
    conclusion=both(ge(rho, Rational(1, 2)), le((2 + eta) ** 2 * (1 + eta) ** 2, 36), le((2 + eta) ** 2, 9)),
    checks=(Smt(),),
    sampling=Chart({eta: (0, 1), _k: (0, 1)}, {alpha: 1 + _k / (6 * eta), eta: eta}),
    mutants=(
        Mutant("rho at least 3/4", ge(rho, Rational(3, 4))),
        Mutant("any order", hypotheses=_SMALL_ETA[:1]),
        Mutant("35", le((2 + eta) ** 2 * (1 + eta) ** 2, 35)),
    ),
)

small_eta_mechanism = Claim(
    id="rgm:small-eta-achieves-every-level",
    refs=("A30",),
    title="For small eta the mechanism achieves every order and level",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=r"Under the same conditions the divergence of every admissible pair is at most $\varepsilon$.",
    variables=(*PAIR, ETA, GAMMA, R_REL, SIGMA2, ALPHA, DIMENSION, _LEVEL),
    hypotheses=(_ADMISSIBLE, Hypothesis("eta small, gamma large", both(*(h.formula for h in _SMALL_ETA)))),
    conclusion=le(divergence, _level),
    reading=r"When $\eta \to 0$: for every order and level there is an $\eta_0$ such that they are possible for all $\eta \le \eta_0$.",
    checks=(Deduction((Premise("rgm-v2:theorem-1"), Premise("rgm-v2:small-eta-levels"))),),
    sampling=Chart(
        {b: (0, None), **_SMALL_CHART.ranges, sigma2: (0, 1)},
        {**_SMALL_CHART.maps, a: (1 + eta) * b, b: b, c: 1 + 0 * b, r_rel: 0 * b, sigma2: sigma2 / 1000},
    ),
    mutants=(
        Mutant("a thousandth of the level", le(divergence, _level / 1000)),
        Mutant("any gamma", hypotheses=(_ADMISSIBLE, *_SMALL_ETA[:3])),
    ),
    derivation=(
        Step("Theorem 1 of version 2.", "rgm-v2:theorem-1"),
        Step("Its level for small eta.", "rgm-v2:small-eta-levels"),
    ),
)

_FEWER = natural("m", "a smaller dimension")
_fewer = _FEWER.symbol
_FEWER_THAN = Hypothesis("fewer coordinates", lt(_fewer, d))
_DIMENSIONS = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), _fewer: (0, 100), d: (0, 100)},
    {alpha: 1 + _k / q, d: _fewer + d, _fewer: _fewer, eta: eta, gamma: gamma},
)

dimension = tuple(
    Claim(
        id=f"{prefix}:guarantee-weaker-with-dimension",
        refs=("A33",),
        title=title,
        source=source,
        where=_WHERE,
        kind="remark",
        statement=r"For fixed $\eta$, $\gamma$ and order, fewer coordinates mean a smaller level.",
        variables=(ETA, ALPHA, GAMMA, DIMENSION, _FEWER),
        hypotheses=(_FEWER_THAN, IN_RANGE),
        conclusion=lt(level.subs(d, _fewer), level),
        reading="More likely to give good guarantees: the level is smaller, everything else being equal.",
        checks=checks,
        sampling=_DIMENSIONS,
        mutants=(
            Mutant("direction", ge(level.subs(d, _fewer), level)),
            Mutant("by half", lt(level.subs(d, _fewer), level / 2)),
            Mutant("in proportion to the dimension", le(level.subs(d, _fewer), level * _fewer / d)),
        ),
    )
    for prefix, source, level, title, checks in (
        ("rgm-v1", "rgm-v1", printed_v1, "Version 1: the level grows with the dimension", (Smt(),)),
        ("rgm-v2", "rgm-v2", printed_v2, "Version 2: the level grows with the dimension", (Smt(),)),
        (
            "rgm",
            "rgm-v1+v2",
            exact_curve,
            "The exact divergence of the worst pair grows with the dimension",
            (Deduction((Premise("beyond:floor"),)),),
        ),
    )
)

_X1, _X2, _Y1, _Y2 = (real(n, f"coordinate {n[2]} of R({n[0]})") for n in ("x_1", "x_2", "y_1", "y_2"))
_x1, _x2, _y1, _y2 = (v.symbol for v in (_X1, _X2, _Y1, _Y2))
_apart = (_x1 - _y1) ** 2 + (_x2 - _y2) ** 2

subset = Claim(
    id="rgm:subset-of-coordinates",
    refs=("A34",),
    title="A part of a relatively sensitive query is relatively sensitive",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=r"If a query with two coordinates meets the definition, its second coordinate meets it with the same $\eta$ and $R_{rel}$.",
    variables=(_X1, _X2, _Y1, _Y2, ETA, R_REL),
    hypotheses=(
        Hypothesis("relative sensitivity at x", le(_apart, eta**2 * (_x1**2 + _x2**2) + r_rel**2), "Definition 2"),
        Hypothesis("relative sensitivity at y", le(_apart, eta**2 * (_y1**2 + _y2**2) + r_rel**2), "Definition 2"),
    ),
    conclusion=le((_x2 - _y2) ** 2, eta**2 * _x2**2 + r_rel**2),
    reading="Restricting the query mitigates the dependence if Theorem 1 then speaks of the restricted query, with fewer coordinates and the same constants.",
    scope="instance",
    missing="Queries with two coordinates, of which the second is kept.",
    checks=(Search(), Smt()),
    category="missing hypothesis",
    corrected="beyond:subset-of-coordinates-of-the-noised-output",
    remark=(
        "A coordinate near 0 may move with the norm of the others. Restricting helps if what is left is relatively sensitive itself, or if the noise "
        "is still set by the norm of the whole output."
    ),
)

_PART = nonnegative("Delta", "distance of the two outputs in the coordinates that are kept")
_part = _PART.symbol

subset_after = Claim(
    id="beyond:subset-of-coordinates-of-the-noised-output",
    title="Releasing some coordinates of the noised output mitigates the dependence on the dimension",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=(
        r"If the noise is set by the norm of the whole output and d coordinates of the result are released, the divergence is at most the exact "
        r"level for dimension d, whatever the dimension of the whole."
    ),
    variables=(*PAIR, ETA, GAMMA, R_REL, SIGMA2, ALPHA, DIMENSION, _PART),
    hypotheses=(_ADMISSIBLE, Hypothesis("a part of the distance", le(_part**2, distance2))),
    conclusion=le(divergence - alpha * (distance2 - _part**2) / (2 * _spread), exact_curve),
    reading="The released coordinates are two Gaussians with the variances of the whole, in dimension d, at a distance of at most that of the whole.",
    checks=(Deduction((Premise("beyond:exact-renyi-upper"), Premise("beyond:spread-positive"))),),
    sampling=Chart({**WORST_PAIRS.ranges, _part: (0, 1)}, {**WORST_PAIRS.maps, _part: eta * b * _part}),
    mutants=(
        Mutant("half of the level", le(divergence - alpha * (distance2 - _part**2) / (2 * _spread), exact_curve / 2)),
        Mutant(
            "the level of dimension 0",
            le(divergence - alpha * (distance2 - _part**2) / (2 * _spread), exact_curve - d * exact_log_term),
        ),
    ),
    derivation=(
        Step("The exact level bounds the divergence of the whole.", "beyond:exact-renyi-upper"),
        Step("A smaller distance gives a smaller divergence.", "beyond:spread-positive"),
    ),
)

spread_positive = Claim(
    id="beyond:spread-positive",
    title="The mixed variance is positive in the range of Theorem 1",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"Under the hypotheses of Theorem 1 $\alpha\sigma_2^2 + (1-\alpha)\sigma_1^2 > 0$ for every admissible pair.",
    variables=(*PAIR, ETA, GAMMA, R_REL, SIGMA2, ALPHA),
    hypotheses=ADMISSIBLE,
    conclusion=gt(_spread, 0),
    checks=(Deduction((Premise("beyond:ratio-in-range"),)),),
    sampling=Chart(
        {s: r for s, r in WORST_PAIRS.ranges.items() if s != d}, {s: e for s, e in WORST_PAIRS.maps.items() if s != d}
    ),
    mutants=(
        Mutant("no range of alpha", hypotheses=tuple(h for h in ADMISSIBLE if h is not IN_RANGE)),
        Mutant("at least the variance at x", gt(_spread, variance_x)),
    ),
)

_KEPT = positive("theta", "relative sensitivity of the restricted or adapted query")
_kept = _KEPT.symbol

adapted = tuple(
    Claim(
        id=f"rgm-{version}:fewer-coordinates-or-smaller-eta",
        refs=("A34",),
        title=f"Version {version[1]}: fewer coordinates or a smaller eta lower the level",
        source=f"rgm-{version}",
        where=_WHERE,
        kind="remark",
        statement=r"For a query with at most d coordinates and a relative sensitivity of at most $\eta$ the level of Theorem 1 is no larger.",
        variables=(ETA, _KEPT, ALPHA, GAMMA, DIMENSION, _FEWER),
        hypotheses=(
            Hypothesis("fewer coordinates", le(_fewer, d)),
            Hypothesis("theta is not larger", le(_kept, eta)),
            IN_RANGE,
        ),
        conclusion=le(printed.subs({eta: _kept, d: _fewer}), printed),
        checks=(
            Deduction((Premise(f"rgm-{version}:guarantee-grows-with-eta", {_kept: _kept}, where_it_applies=True),)),
            Smt(),
        ),
        reading="The restricted or adapted query is taken to be relatively sensitive with the constants that are put in.",
        sampling=Chart(
            {eta: (0, None), _k: (0, 1), _kept: (0, 1), gamma: (0, None), _fewer: (0, 100), d: (0, 100)},
            {alpha: 1 + _k / q, _kept: eta * _kept, d: _fewer + d, _fewer: _fewer, eta: eta, gamma: gamma},
        ),
        mutants=(
            Mutant("more coordinates", hypotheses=(Hypothesis("theta is not larger", le(_kept, eta)), IN_RANGE)),
            Mutant("a larger eta", hypotheses=(Hypothesis("fewer coordinates", le(_fewer, d)), IN_RANGE)),
            Mutant("by half", le(printed.subs({eta: _kept, d: _fewer}), printed / 2)),
        ),
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)
