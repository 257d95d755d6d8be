r"""Section 4.1, Arbitrary privacy guarantees cannot be achieved.

For $\alpha > 1 + 1/q$ the pair $R(x) = (1+\eta)R(y)$ has an infinite divergence as soon as $\gamma|R(y)|^2(-\rho) \ge \sigma^2$: no $\gamma$ and no $\sigma$ help. For smaller orders
the pair with $\gamma|R(y)|^2 = \sigma^2$ has variances in a ratio that depends on $\eta$ alone, so that the logarithmic term of its divergence is a positive floor,
the same for all $\gamma$ and $\sigma$. With norms bounded by B, on the other hand, baseline noise alone makes the divergence as small as one likes.
As $\eta \to 0$ every order and level can be had. The level grows with the dimension; leaving out coordinates helps if the noise is still set by the whole
output, or if what is left is itself relatively sensitive, which does not follow.
"""

from sympy import Integer, Rational, log, sqrt

from rgm_verify.claims import *
from rgm_verify.gaussians.symbolic import renyi_expression
from rgm_verify.lenses import *
from rgm_verify.lenses.outputs import Outputs, Renyi, by_outputs

from ..beyond.exact_renyi import ADMISSIBLE, IN_RANGE, WORST_PAIRS, divergence, exact_curve, exact_log_term
from ..beyond.exact_renyi import page as _exact_renyi
from .notation import *
from .s4_theorem_1 import page as _s4_theorem_1
from .s4_theorem_1 import printed_v1, printed_v2

page = Page("beyond", "§4.1", NOTATION, _exact_renyi, _s4_theorem_1)


_SOURCE = "rgm-v1+v2"
_WHERE = "§4.1, Arbitrary privacy guarantees cannot be achieved"
_noise = page.positive("sigma^2", "baseline variance per coordinate")
_output = page.positive("b", "norm of R(y)")

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

no_order = page.at("Arbitrary privacy guarantees cannot be achieved", "A28 A29", source=_SOURCE).remark(
    "rgm:orders-not-achievable",
    "Orders that no choice of gamma and sigma achieves",
    both(
        le(_mixed, 0),
        le((eta * _output) ** 2, eta**2 * _output**2 + r_rel**2),
        le((eta * _output) ** 2, eta**2 * ((1 + eta) * _output) ** 2 + r_rel**2),
    ),
    r"For every $\eta > 0$, every $\gamma$ and $\sigma$, and every $\alpha > 1 + 1/q$ the neighbours $R(x) = (1+\eta)R(y)$ with "
    r"$\gamma|R(y)|^2(-\rho) \ge \sigma^2$ are admissible, and their divergence is infinite.",
    given=(_BEYOND, Hypothesis("a large output", ge(gamma * _output**2 * (-rho), _noise), "the choice of the pair")),
    by=(Smt(), Units({_output: 1, _noise: 2, r_rel: 1})),
    points=_BEYOND_CHART,
    wrong={
        "in the range of alpha": changed(hypotheses=(IN_RANGE,)),
        "any output": without(
            Hypothesis("a large output", ge(gamma * _output**2 * (-rho), _noise), "the choice of the pair")
        ),
        "a pair too far apart": le((2 * eta * _output) ** 2, eta**2 * _output**2 + r_rel**2),
    },
    steps=(Step("Lemma 2 outside its assumption.", "beyond:lemma-2-infinite"),),
    reading="Not achievable: whatever the noise, some pair of neighbours has an infinite divergence (Lemma 2: mixed variance not positive).",
)

_ratio = page.positive("r", "ratio of the variances")

_ratio_floor = alpha * log(_ratio) - log(1 + alpha * (_ratio - 1))
_FINITE = Hypothesis("finite", gt(1 + alpha * (_ratio - 1), 0), "Lemma 2")
_RATIOS = Chart({alpha: (1, None), _ratio: (0, 1)}, {_ratio: 1 - _ratio / alpha, alpha: alpha})

log_positive = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:log-term-positive",
    "Different variances are told apart",
    gt(_ratio_floor, 0),
    r"The logarithmic term $\alpha\log r - \log(1+\alpha(r-1))$ is positive for every ratio $r < 1$ of the variances where it is finite.",
    given=(_FINITE, Hypothesis("different variances", lt(_ratio, 1))),
    by=Monotone(_ratio, 1, order=1),
    points=_RATIOS,
    wrong={
        "alpha dropped inside": left(alpha * log(_ratio) - log(1 + (_ratio - 1) / 2)),
        "larger than 1 - r": 1 - _ratio,
        "direction": le(_ratio_floor, 0),
    },
)

#: The ratio of the variances of the pair with gamma |R(y)|^2 = sigma^2 and R(x) = (1 + eta) R(y), and its logarithmic term per dimension.
_r_pair = 2 / (1 + (1 + eta) ** 2)
floor_term = _ratio_floor.subs(_ratio, _r_pair) / (2 * (alpha - 1))
_pair_divergence = renyi_expression(alpha, eta**2 * _noise / gamma, (1 + (1 + eta) ** 2) * _noise, 2 * _noise, d)
_ETA_CHART = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), _noise: (0, None), d: (0, 1000)},
    {alpha: 1 + _k / q, eta: eta, gamma: gamma, _noise: _noise, d: d},
)


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

pair_is_admissible = page.at("Arbitrary privacy guarantees cannot be achieved", "A28 A29", source=_SOURCE).remark(
    "rgm:floor-pair",
    "The pair whose variances are in a fixed ratio",
    both(
        ge(
            eta**2 * (sqrt(_noise / gamma)) ** 2 + r_rel**2,
            ((1 + eta) * sqrt(_noise / gamma) - sqrt(_noise / gamma)) ** 2,
        ),
        le(((1 + eta) * sqrt(_noise / gamma) - sqrt(_noise / gamma)) ** 2, eta**2 * _noise / gamma),
        ge(gamma * ((1 + eta) * sqrt(_noise / gamma)) ** 2 + _noise, (1 + (1 + eta) ** 2) * _noise),
        le(gamma * ((1 + eta) * sqrt(_noise / gamma)) ** 2 + _noise, (1 + (1 + eta) ** 2) * _noise),
    ),
    r"For $R(x) = (1+\eta)R(y)$ and $\gamma|R(y)|^2 = \sigma^2$ the two variances are $(1+(1+\eta)^2)\sigma^2$ and $2\sigma^2$, and the squared "
    r"distance is $\eta^2\sigma^2/\gamma$, which the definition allows.",
    wrong={
        "the distance without eta": le(((1 + eta) * sqrt(_noise / gamma) - sqrt(_noise / gamma)) ** 2, _noise / gamma),
        "the variance without its square": ge(
            gamma * ((1 + eta) * sqrt(_noise / gamma)) + _noise, (1 + (1 + eta) ** 2) * _noise
        ),
    },
)

no_level = page.at("Arbitrary privacy guarantees cannot be achieved", "A28 A29", source=_SOURCE).remark(
    "rgm:levels-not-achievable",
    "Levels that no choice of gamma and sigma achieves",
    both(gt(_pair_divergence, d * floor_term), gt(d * floor_term, 0)),
    r"Also for $\alpha < 1 + 1/q$, whatever $\gamma$ and $\sigma$ are, the pair $R(x) = (1+\eta)R(y)$ with $\gamma|R(y)|^2 = \sigma^2$ has a divergence above "
    r"a positive floor that depends on $\eta$, $\alpha$ and $d$ alone.",
    given=IN_RANGE,
    by=(
        Deduction(
            (Premise("beyond:log-term-positive", {_ratio: _r_pair}), Premise("beyond:logarithms-of-the-floor-pair"))
        ),
        *_OF_THE_FLOOR_PAIR,
    ),
    points=_ETA_CHART,
    wrong={
        "twice the floor": gt(_pair_divergence, 2 * d * floor_term),
        "a floor of alpha eta^2 d": gt(d * floor_term, d * alpha * eta**2),
        "the floor without the sum": gt(d * floor_term, _pair_divergence),
    },
    steps=(
        Step("The pair and its variances.", "rgm:floor-pair"),
        Step("The logarithms of the two variances.", "beyond:logarithms-of-the-floor-pair"),
        Step("The logarithmic term is positive.", "beyond:log-term-positive"),
    ),
    reading="Not achievable, and not privatised by more baseline noise: whatever the noise, some pair of neighbours has at least the divergence of the floor. "
    "The output of that pair grows with the noise, so that a bound on the norms would exclude it.",
)

floor_logs = page.at("Arbitrary privacy guarantees cannot be achieved").identity(
    "beyond:logarithms-of-the-floor-pair",
    "The logarithmic term of the floor pair does not contain the noise",
    eq(_pair_divergence, alpha * eta**2 / (2 * gamma * (1 + rho)) + d * floor_term),
    r"In the divergence of the pair the baseline variance cancels from the logarithms; the main term is $\alpha\eta^2/(2\gamma(1+\rho))$.",
    given=IN_RANGE,
    by=(Identity(positive=(1 + rho,)), *_OF_THE_FLOOR_PAIR),
    points=_ETA_CHART,
    wrong={
        "the pair in the other order": alpha * eta**2 / (2 * gamma * (1 + rho)) - d * floor_term,
        "rho instead of 1 + rho": alpha * eta**2 / (2 * gamma * rho) + d * floor_term,
    },
)

_bound = page.positive("B", "bound on the norms of all outputs")

_y = page.positive("y", "a positive number")


log_line = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:log-below-tangent",
    "log y <= y - 1",
    le(log(_y), _y - 1),
    "The logarithm lies below its tangent at one, on both sides.",
    by=Monotone(_y, Integer(1), order=1),
    wrong={"half the slope": (_y - 1) / 2, "a smaller constant": _y - Rational(11, 10), "direction": turned()},
)

log_quadratic = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:log-term-below-square",
    "The logarithmic term is of second order in the ratio of the variances",
    le(_ratio_floor, alpha**2 * (_ratio - 1) ** 2 / (1 + alpha * (_ratio - 1))),
    r"$\alpha\log r - \log(1+\alpha(r-1)) \le \alpha^2(r-1)^2/(1+\alpha(r-1))$ wherever it is finite.",
    given=_FINITE,
    by=Deduction(
        (
            Premise("beyond:log-below-tangent", {_y: _ratio}),
            Premise("beyond:log-below-tangent", {_y: 1 / (1 + alpha * (_ratio - 1))}),
            Premise("beyond:log-of-inverse", {_y: 1 + alpha * (_ratio - 1)}),
        )
    ),
    points=_RATIOS,
    wrong={
        "a quarter": alpha**2 * (_ratio - 1) ** 2 / (1 + alpha * (_ratio - 1)) / 4,
        "without alpha squared": (_ratio - 1) ** 2 / (1 + alpha * (_ratio - 1)) / 2,
        "without the denominator": (_ratio - 1) ** 2 / 2,
    },
)

log_inverse = page.at("Arbitrary privacy guarantees cannot be achieved").identity(
    "beyond:log-of-inverse",
    "log(1/y) = -log y",
    eq(log(1 / _y) + log(_y), 0),
    "Taking the inverse changes the sign of the logarithm.",
    wrong={"without the inverse": left(log(_y) + log(_y)), "of the square": left(log(1 / _y**2) + log(_y))},
)

_level = page.positive("epsilon", "level of Rényi differential privacy")

_gap = page.positive("s", "sigma^2 - (alpha - 1) gamma B^2")

_t = page.positive("t", "alpha - 1")
_d2 = page.nonnegative("D", "squared distance")
_w = page.nonnegative("W", "squared difference of the variances")
_v = page.positive("v", "variance at x")
_s = page.positive("S", "mixed variance")

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

bounded_split = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:divergence-with-bounded-norms-split",
    "The divergence bounded by an arithmetic expression",
    le(divergence, _arithmetic),
    "The logarithmic term is replaced by its quadratic bound.",
    given=_DEFINED,
    by=Deduction((Premise("beyond:log-term-below-square", {_ratio: variance_y / variance_x}),)),
    points=Chart(
        {s: r for s, r in _BOUNDED_CHART.ranges.items() if s != c},
        {s: e for s, e in _BOUNDED_CHART.maps.items() if s not in (_gap, _bound)},
    ),
    wrong={
        "without the logarithmic part": alpha * distance2 / (2 * _spread),
        "without the main part": _arithmetic - alpha * distance2 / (2 * _spread),
    },
)

bounded_arithmetic = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:bounded-norms-arithmetic",
    "The arithmetic expression with bounded norms",
    both(
        le(distance2, 4 * _bound**2),
        le((variance_y - variance_x) ** 2, gamma**2 * _bound**4),
        ge(variance_x, gamma * _bound**2),
        ge(_spread, _gap),
    ),
    "Distances are at most $2B$, variances differ by at most $\\gamma B^2$, and the mixed variance is at least $s$.",
    given=_bounded,
    points=_BOUNDED_CHART,
    over=(d,),
    wrong={
        "no bound": changed(hypotheses=(_bounded[2],)),
        "half of the baseline noise": changed(hypotheses=(*_bounded[:2], Hypothesis("half", ge(sigma2, _gap / 2)))),
        "distances up to B": le(distance2, _bound**2),
    },
)

quotients = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:bounded-norms-quotients",
    "The two quotients of the arithmetic expression",
    le(_split_divergence, _split_level),
    "Numerators are bounded from above and denominators from below.",
    given=(
        Hypothesis("distance", le(_d2, 4 * _bound**2)),
        Hypothesis("variances", le(_w, gamma * _bound**2 * _v)),
        Hypothesis("mixed variance", ge(_s, _gap)),
    ),
    by=Combination(
        terms=(
            (1 + _t, 2 * _bound**2 / (_gap * _s), _s - _gap),
            (1 + _t, 1 / (2 * _s), 4 * _bound**2 - _d2),
            (d * (1 + _t) ** 2, gamma * _bound**2 / (2 * _t * _gap * _s), _s - _gap),
            (d * (1 + _t) ** 2, 1 / (2 * _t * _v * _s), gamma * _bound**2 * _v - _w),
        )
    ),
    wrong={"half of it": _split_level / 2, "any mixed variance": without(Hypothesis("mixed variance", ge(_s, _gap)))},
)

bounded_squares = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:bounded-norms-squares",
    "The squared difference of the variances against the variance",
    le((variance_y - variance_x) ** 2, gamma * _bound**2 * variance_x),
    r"$(\sigma_2^2-\sigma_1^2)^2 \le \gamma B^2\,\sigma_1^2$ with the baseline noise.",
    given=_BOUNDED,
    by=Deduction((Premise("beyond:bounded-norms-arithmetic"),)),
    points=_BOUNDED_CHART,
    over=(c, d),
    wrong={"no bound": changed(hypotheses=(_bounded[2],)), "half of it": gamma * _bound**2 * variance_x / 8},
)

bounded_level_claim = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:bounded-norms-level",
    "The arithmetic expression is at most a constant over s",
    le(_arithmetic, bounded_level),
    r"With norms of at most B and the baseline noise $\sigma^2 \ge \alpha\gamma B^2 + s$ both parts of the expression are at most constants over s.",
    given=_BOUNDED,
    by=Deduction(
        (
            Premise("beyond:bounded-norms-arithmetic"),
            Premise("beyond:bounded-norms-squares"),
            Premise("beyond:bounded-norms-quotients", _AT_PAIR),
        )
    ),
    points=_BOUNDED_CHART,
    wrong={
        "a constant over s squared": bounded_level / _gap,
        "no bound on the norms": changed(hypotheses=(_bounded[2],)),
    },
    steps=(
        Step("Everything in sight is bounded.", "beyond:bounded-norms-arithmetic"),
        Step("So are the quotients.", "beyond:bounded-norms-quotients"),
    ),
)

bounded_positive = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:bounded-norms-positive",
    "With bounded norms the divergence is finite",
    _DEFINED.formula,
    "With the baseline noise the variances and the mixed variance are positive.",
    given=_BOUNDED,
    by=Deduction((Premise("beyond:bounded-norms-arithmetic"),)),
    points=_BOUNDED_CHART,
    over=(c, d),
    wrong={
        "no bound on the norms": changed(hypotheses=(_bounded[2],)),
        "no baseline noise": changed(hypotheses=_bounded[:2]),
    },
)

_P, _Q, _L = (real(n) for n in ("P", "Q", "L"))
_p = page.add(_P)
_q = page.add(_Q)
_l = page.add(_L)

in_a_row = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:two-bounds-in-a-row",
    "A bound on a bound is a bound",
    le(_p, _l),
    "If P is at most Q and Q is at most L, then P is at most L.",
    given=(Hypothesis("first", le(_p, _q)), Hypothesis("second", le(_q, _l))),
    by=(Combination(terms=((_q - _p,), (_l - _q,))), Smt()),
    wrong={"the first only": without(Hypothesis("second", le(_q, _l))), "strictly": lt(_p, _l), "direction": turned()},
)

bounded = page.at("Arbitrary privacy guarantees cannot be achieved", "A29", source=_SOURCE).remark(
    "rgm:bounded-norms-can-be-privatised",
    "With a bound on the norms baseline noise does help",
    le(divergence, bounded_level),
    r"If all norms are at most B and $\sigma^2 \ge \alpha\gamma B^2 + s$, the divergence is at most a constant over s, so that enough baseline noise "
    r"achieves every level at every order, with $\gamma$ kept and without relative sensitivity.",
    given=_BOUNDED,
    by=Deduction(
        (
            Premise("beyond:bounded-norms-positive"),
            Premise("beyond:divergence-with-bounded-norms-split"),
            Premise("beyond:bounded-norms-level"),
            Premise("beyond:two-bounds-in-a-row", {_p: divergence, _q: _arithmetic, _l: bounded_level}),
        )
    ),
    points=_BOUNDED_CHART,
    wrong={
        "a constant over s squared": bounded_level / _gap,
        "no bound on the norms": changed(hypotheses=(_bounded[2],)),
    },
    steps=(
        Step("The logarithmic term is of second order.", "beyond:divergence-with-bounded-norms-split"),
        Step("What it is bounded by.", "beyond:bounded-norms-level"),
    ),
    reading="Without a priori bounds: the other half, that with them it can be done.",
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
    page.at("Arbitrary privacy guarantees cannot be achieved", "A30", source=f"rgm-{version}").remark(
        f"rgm-{version}:small-eta-levels",
        f"Version {version[1]}: for small eta the theorem reaches every level",
        both(gt(rho, 0), le(printed, _level)),
        r"For every $\alpha$, $\varepsilon$ and d: if $\eta \le 1$, $6(\alpha-1)\eta \le 1$ and $72\alpha d\eta^2 \le \varepsilon$, then $\gamma \ge 2\alpha\eta^2/\varepsilon$ "
        r"makes the level of Theorem 1 at most $\varepsilon$, and $\alpha$ lies in its range.",
        given=_SMALL_ETA,
        by=Deduction((Premise("beyond:small-eta-factors"),)),
        points=_SMALL_CHART,
        over=(eta, alpha, _level, gamma, DIMENSION),
        wrong={
            "any eta": changed(hypotheses=_SMALL_ETA[3:]),
            "any gamma": changed(hypotheses=_SMALL_ETA[:3]),
            "a hundredth of the level": both(gt(rho, 0), le(printed, _level / 100)),
        },
        steps=(Step("The factors that tend to 1 are bounded.", "beyond:small-eta-factors"),),
        reading=r"When $\eta \to 0$: for every order and level there is an $\eta_0$ such that they are possible for all $\eta \le \eta_0$.",
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)

small_eta_factors = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:small-eta-factors",
    "The factors of the level for small eta",
    both(ge(rho, Rational(1, 2)), le((2 + eta) ** 2 * (1 + eta) ** 2, 36), le((2 + eta) ** 2, 9)),
    r"For $\eta \le 1$ and $6(\alpha-1)\eta \le 1$: $\rho \ge \frac12$, $(2+\eta)^2(1+\eta)^2 \le 36$.",
    given=_SMALL_ETA[:2],
    points={eta: (0, 1), _k: (0, 1), alpha: 1 + _k / (6 * eta)},
    wrong={
        "rho at least 3/4": ge(rho, Rational(3, 4)),
        "any order": changed(hypotheses=_SMALL_ETA[:1]),
        "35": le((2 + eta) ** 2 * (1 + eta) ** 2, 35),
    },
)

small_eta_mechanism = page.at("Arbitrary privacy guarantees cannot be achieved", "A30", source=_SOURCE).remark(
    "rgm:small-eta-achieves-every-level",
    "For small eta the mechanism achieves every order and level",
    le(divergence, _level),
    r"Under the same conditions the divergence of every admissible pair is at most $\varepsilon$.",
    given=(_ADMISSIBLE, Hypothesis("eta small, gamma large", both(*(h.formula for h in _SMALL_ETA)))),
    by=Deduction((Premise("rgm-v2:theorem-1"), Premise("rgm-v2:small-eta-levels"))),
    points=Chart(
        {b: (0, None), **_SMALL_CHART.ranges, sigma2: (0, 1)},
        {**_SMALL_CHART.maps, a: (1 + eta) * b, b: b, c: 1 + 0 * b, r_rel: 0 * b, sigma2: sigma2 / 1000},
    ),
    wrong={"a thousandth of the level": _level / 1000, "any gamma": changed(hypotheses=(_ADMISSIBLE, *_SMALL_ETA[:3]))},
    steps=(
        Step("Theorem 1 of version 2.", "rgm-v2:theorem-1"),
        Step("Its level for small eta.", "rgm-v2:small-eta-levels"),
    ),
    reading=r"When $\eta \to 0$: for every order and level there is an $\eta_0$ such that they are possible for all $\eta \le \eta_0$.",
)

_fewer = page.natural("m", "a smaller dimension")

_FEWER_THAN = Hypothesis("fewer coordinates", lt(_fewer, d))
_DIMENSIONS = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), _fewer: (0, 100), d: (0, 100)},
    {alpha: 1 + _k / q, d: _fewer + d, _fewer: _fewer, eta: eta, gamma: gamma},
)

dimension = tuple(
    page.at("Arbitrary privacy guarantees cannot be achieved", "A33", source=source).remark(
        f"{prefix}:guarantee-weaker-with-dimension",
        title,
        lt(level.subs(d, _fewer), level),
        r"For fixed $\eta$, $\gamma$ and order, fewer coordinates mean a smaller level.",
        given=(_FEWER_THAN, IN_RANGE),
        by=checks,
        points=_DIMENSIONS,
        over=(eta, alpha, gamma, DIMENSION, _fewer),
        wrong={
            "direction": ge(level.subs(d, _fewer), level),
            "by half": level / 2,
            "in proportion to the dimension": le(level.subs(d, _fewer), level * _fewer / d),
        },
        reading="More likely to give good guarantees: the level is smaller, everything else being equal.",
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
_x1 = page.add(_X1)
_x2 = page.add(_X2)
_y1 = page.add(_Y1)
_y2 = page.add(_Y2)
_apart = (_x1 - _y1) ** 2 + (_x2 - _y2) ** 2

subset = page.at("Arbitrary privacy guarantees cannot be achieved", "A34", source=_SOURCE).remark(
    "rgm:subset-of-coordinates",
    "A part of a relatively sensitive query is relatively sensitive",
    le((_x2 - _y2) ** 2, eta**2 * _x2**2 + r_rel**2),
    r"If a query with two coordinates meets the definition, its second coordinate meets it with the same $\eta$ and $R_{rel}$.",
    given=(
        Hypothesis("relative sensitivity at x", le(_apart, eta**2 * (_x1**2 + _x2**2) + r_rel**2), "Definition 2"),
        Hypothesis("relative sensitivity at y", le(_apart, eta**2 * (_y1**2 + _y2**2) + r_rel**2), "Definition 2"),
    ),
    by=(Search(), Smt()),
    reading="Restricting the query mitigates the dependence if Theorem 1 then speaks of the restricted query, with fewer coordinates and the same constants.",
    scope="instance",
    missing="Queries with two coordinates, of which the second is kept.",
    category="missing hypothesis",
    corrected="beyond:subset-of-coordinates-of-the-noised-output",
    remark="A coordinate near 0 may move with the norm of the others. Restricting helps if what is left is relatively sensitive itself, or if the noise "
    "is still set by the norm of the whole output.",
)

_part = page.nonnegative("Delta", "distance of the two outputs in the coordinates that are kept")


subset_after = page.at("Arbitrary privacy guarantees cannot be achieved").remark(
    "beyond:subset-of-coordinates-of-the-noised-output",
    "Releasing some coordinates of the noised output mitigates the dependence on the dimension",
    le(divergence - alpha * (distance2 - _part**2) / (2 * _spread), exact_curve),
    r"If the noise is set by the norm of the whole output and d coordinates of the result are released, the divergence is at most the exact "
    r"level for dimension d, whatever the dimension of the whole.",
    given=(_ADMISSIBLE, Hypothesis("a part of the distance", le(_part**2, distance2))),
    by=Deduction((Premise("beyond:exact-renyi-upper"), Premise("beyond:spread-positive"))),
    points=Chart({**WORST_PAIRS.ranges, _part: (0, 1)}, {**WORST_PAIRS.maps, _part: eta * b * _part}),
    wrong={"half of the level": exact_curve / 2, "the level of dimension 0": exact_curve - d * exact_log_term},
    steps=(
        Step("The exact level bounds the divergence of the whole.", "beyond:exact-renyi-upper"),
        Step("A smaller distance gives a smaller divergence.", "beyond:spread-positive"),
    ),
    reading="The released coordinates are two Gaussians with the variances of the whole, in dimension d, at a distance of at most that of the whole.",
)

spread_positive = page.at("Arbitrary privacy guarantees cannot be achieved").inequality(
    "beyond:spread-positive",
    "The mixed variance is positive in the range of Theorem 1",
    gt(_spread, 0),
    r"Under the hypotheses of Theorem 1 $\alpha\sigma_2^2 + (1-\alpha)\sigma_1^2 > 0$ for every admissible pair.",
    given=ADMISSIBLE,
    by=Deduction((Premise("beyond:ratio-in-range"),)),
    points=Chart(
        {s: r for s, r in WORST_PAIRS.ranges.items() if s != d}, {s: e for s, e in WORST_PAIRS.maps.items() if s != d}
    ),
    wrong={
        "no range of alpha": changed(hypotheses=tuple(h for h in ADMISSIBLE if h is not IN_RANGE)),
        "at least the variance at x": variance_x,
    },
)

_kept = page.positive("theta", "relative sensitivity of the restricted or adapted query")


adapted = tuple(
    page.at("Arbitrary privacy guarantees cannot be achieved", "A34", source=f"rgm-{version}").remark(
        f"rgm-{version}:fewer-coordinates-or-smaller-eta",
        f"Version {version[1]}: fewer coordinates or a smaller eta lower the level",
        le(printed.subs({eta: _kept, d: _fewer}), printed),
        r"For a query with at most d coordinates and a relative sensitivity of at most $\eta$ the level of Theorem 1 is no larger.",
        given=(
            Hypothesis("fewer coordinates", le(_fewer, d)),
            Hypothesis("theta is not larger", le(_kept, eta)),
            IN_RANGE,
        ),
        by=(
            Deduction((Premise(f"rgm-{version}:guarantee-grows-with-eta", {_kept: _kept}, where_it_applies=True),)),
            Smt(),
        ),
        points=Chart(
            {eta: (0, None), _k: (0, 1), _kept: (0, 1), gamma: (0, None), _fewer: (0, 100), d: (0, 100)},
            {alpha: 1 + _k / q, _kept: eta * _kept, d: _fewer + d, _fewer: _fewer, eta: eta, gamma: gamma},
        ),
        over=(eta, _kept, alpha, gamma, DIMENSION, _fewer),
        wrong={
            "more coordinates": without(Hypothesis("fewer coordinates", le(_fewer, d))),
            "a larger eta": without(Hypothesis("theta is not larger", le(_kept, eta))),
            "by half": printed / 2,
        },
        reading="The restricted or adapted query is taken to be relatively sensitive with the constants that are put in.",
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)
