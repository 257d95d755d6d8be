r"""Appendix A.3, the log term: what the divergence of two Gaussians keeps when their means agree.

With $\sigma_2^2 = r\sigma_1^2$ the logarithm of Lemma 2 is split in two, each half is bounded by a rational function of
$r$, and $r$ is then replaced by its extreme values. Version 1 loses the denominator $1 + \alpha(r-1)$ on the way, so
that its bound fails as $\alpha$ nears the end of its range; version 2 keeps it, and its bound holds. The printed range
$x \ge -1$ of the two elementary inequalities is closed by mistake for the second of them.
"""

from ..notation import *

page = Page("rgm-v1+v2", "", NOTATION)
page.add(ALPHA_FROM_1)

#: The divergence is divided by alpha - 1.
ALPHA_ABOVE_1 = real("alpha", "order of the Rényi divergence", lower=1, lower_open=True)
_P, _Q = positive("P").symbol, positive("Q").symbol
_X_CLOSED = real("x", lower=-1)
x = page.real("x", lower=-1, lower_open=True)
_halves = (alpha - 1) / 2 * log(r) - log((1 + (r - 1) * alpha) / r) / 2
_ratio_logarithm = log(r ** (alpha / 2) / sqrt(1 - alpha + alpha * r))
_second_half = -log(1 + (alpha - 1) * (r - 1) / r) / 2
_second_bound = -HALF * (alpha - 1) * (r - 1) / (r + (alpha - 1) * (r - 1))
_joined_bound = (alpha - 1) * (r - 1) / 2 * (1 - 1 / (1 + alpha * (r - 1)))
_bound_v1 = alpha * (alpha - 1) * (r - 1) ** 2 / 2
_bound_v2 = alpha * (alpha - 1) * (r - 1) ** 2 / (2 * (1 + alpha * (r - 1)))
kept_v1 = alpha * d * eta**2 * (2 + eta) ** 2 / 2
_final_v2 = alpha * d * eta**2 * (2 + eta) ** 2 / (2 * (1 - alpha * eta * (2 + eta) / (1 + eta) ** 2))
kept_v2 = alpha * d * eta**2 * (2 + eta) ** 2 * (1 + eta) ** 2 / (2 * rho)
_k, _t = real("k", lower=0, upper=1).symbol, real("t", lower=0, upper=1).symbol
_lowest, _highest = (1 + eta) ** -2, (1 + eta) ** 2
#: alpha = 1 + k/(eta(2 + eta)) with 0 < k < 1, and r between the ends that Lemma 1 gives.
_IN_RANGE = {_k: (0, 1), _t: (0, 1), alpha: 1 + _k / q, r: _lowest + _t * (_highest - _lowest)}
#: alpha and r with 1 + alpha(r - 1) > 0 and nothing else: r = 1 - 1/alpha + t.
_s = positive("s").symbol
#: The pair that is furthest apart: R(x) = (1 + eta) R(y), no baseline noise.
_FURTHEST = {_k: (0, 1), alpha: 1 + _k / q, a: (1 + eta) * b, c: 1 + 0 * b, r_rel: 0 * b, sigma2: 0 * b}
_at_ratio = page.under(given=DEFINED_AT_RATIO, points={_s: (0, None), r: 1 - 1 / alpha + _s})

term_in_ratio = _at_ratio.elsewhere("App. A.3; v1 (29), v2 (31), first equation", "A87a").identity(
    "rgm:a3-log-term-in-ratio",
    "The log term depends on the ratio of the variances only",
    eq(log_term, _ratio_logarithm),
    by=Identity(positive=(1 - alpha + alpha * r,)),
    wrong={
        "alpha/2 becomes alpha": log(r**alpha / sqrt(1 - alpha + alpha * r)),
        "alpha and 1 - alpha swapped": log(r ** (alpha / 2) / sqrt(alpha + (1 - alpha) * r)),
    },
)

split = _at_ratio.elsewhere("App. A.3; v1 (29), v2 (31), second equation", "A87b").identity(
    "rgm:a3-log-term-split",
    "The log term as a difference of two logarithms",
    eq(_ratio_logarithm, _halves),
    "Both halves vanish at equal variances.",
    by=Identity(positive=(1 - alpha + alpha * r,)),
    wrong={"without the division by r": _halves - log(r) / 2, "alpha - 1 becomes alpha": _halves + log(r) / 2},
)

log_upper = page.elsewhere("App. A.3, before v1 (30) and v2 (32)", "A88a").inequality(
    "rgm:a3-log-upper",
    "The logarithm below its tangent",
    le(log(1 + x), x),
    wrong={"x becomes x/2": x / 2, "direction": turned()},
    reading=r"$x > -1$; the end $x = -1$ of the printed range is judged in the exponential form.",
    steps=Premise("beyond:log-upper", {_P: 1 + x, _Q: x**0}),
)

log_upper_closed = page.elsewhere("App. A.3, before v1 (30) and v2 (32)", "A88a").inequality(
    "rgm:a3-log-upper-closed-end",
    "The same inequality with the end x = -1",
    le(1 + x, exp(x)),
    by=combination(((exp(x) - 1) ** 2, LogRemainder(2, exp(x) - 1))),
    over=(_X_CLOSED,),
    wrong={"a larger left side": left(1 + 2 * x), "direction": turned()},
    reading=r"$\log 0 = -\infty$, so that the inequality at $x = -1$ says that $0 \le e^{-1}$.",
)

first_half = page.elsewhere("App. A.3; v1 (30), v2 (32)", "A88b").inequality(
    "rgm:a3-first-logarithm",
    "Bound of the first logarithm",
    le((alpha - 1) / 2 * log(r), (alpha - 1) / 2 * (r - 1)),
    by=combination((alpha - 1, HALF, (r - 1) ** 2, LogRemainder(2, r - 1))),
    wrong={"direction": turned(), "r - 1 becomes 1 - 1/r": (alpha - 1) / 2 * (1 - 1 / r)},
)

log_lower_printed = page.elsewhere("App. A.3, before v1 (31) and v2 (33)", source="beyond").inequality(
    "rgm:a3-log-lower",
    "The logarithm above x/(1 + x), on the printed range",
    gt(1 + x, 0),
    over=(_X_CLOSED,),
    reading="The end of the printed range alone. Printing an inequality on a range asserts that its right side has a value all over it: $1 + x > 0$.",
    mistake=("missing hypothesis", "rgm:a3-log-lower-open-range"),
    remark=r"At $x = -1$ the right side divides by 0. The proof uses the inequality for $x > -1$ only.",
    printed=r"\log(1+x) \ge \frac{x}{1+x} \qquad (x \ge -1)",
)

log_lower = page.elsewhere("App. A.3, before v1 (31) and v2 (33)", "A88c").inequality(
    "rgm:a3-log-lower-open-range",
    "The logarithm above x/(1 + x)",
    ge(log(1 + x), x / (1 + x)),
    wrong={"x becomes 3x/2": 3 * x / (2 * (1 + x)), "direction": turned()},
    reading="Where both sides have a value, as for A88a; at the end x = -1 of the printed range the right side divides by 0, and the proof does not use it.",
    steps=Premise("beyond:log-upper", {_P: x**0, _Q: 1 + x}),
)

second_rewritten = _at_ratio.elsewhere("App. A.3; v1 (31), v2 (33)", "A88d").identity(
    "rgm:a3-second-logarithm-rewritten",
    "The second logarithm around 1",
    eq(-log((1 + (r - 1) * alpha) / r) / 2, _second_half),
    by=Identity(differentiate=(r, r**0)),
    wrong={
        "alpha - 1 becomes alpha": -log(1 + alpha * (r - 1) / r) / 2,
        "without the division by r": left(-log(1 + (r - 1) * alpha) / 2),
    },
)

second_half = _at_ratio.elsewhere("App. A.3; v1 (32), v2 (34)", "A88e").inequality(
    "rgm:a3-second-logarithm",
    "Bound of the second logarithm",
    le(_second_half, _second_bound),
    r"The lower bound of the logarithm is taken at $(\alpha-1)(r-1)/r$.",
    wrong={"direction": turned(), "denominator r": -HALF * (alpha - 1) * (r - 1) / r},
    steps=Premise("rgm:a3-log-lower-open-range", {x: (alpha - 1) * (r - 1) / r}),
)

second_denominator = _at_ratio.elsewhere("App. A.3; v1 (33), v2 (35)", "A88f").identity(
    "rgm:a3-second-denominator",
    "The denominator collected",
    eq(_second_bound, -HALF * (alpha - 1) * (r - 1) / (1 + alpha * (r - 1))),
    wrong={
        "alpha becomes alpha - 1": -HALF * (alpha - 1) * (r - 1) / (1 + (alpha - 1) * (r - 1)),
        "1 becomes r": -HALF * (alpha - 1) * (r - 1) / (r + alpha * (r - 1)),
    },
)

_in_range = page.under(given=(OPEN_RANGE_OF_ALPHA, *RATIO_OF_LEMMA_1), points=_IN_RANGE)

condition = _in_range.elsewhere("App. A.3, used for v1 (34) and v2 (36)", "A89a").inequality(
    "rgm:a3-log-term-defined",
    "The log term is defined in the range of Theorem 1",
    gt(1 + alpha * (r - 1), 0),
    wrong={
        "alpha one larger": left(1 + (alpha + 1) * (r - 1)),
        "without Lemma 1 from below": without("ratio from below"),
    },
)

joined = _at_ratio.elsewhere("App. A.3; first relation of v1 (34) and v2 (36)", "A89a").inequality(
    "rgm:a3-log-term-joined",
    "Both halves together",
    le(log_term, _joined_bound),
    wrong={
        "half of the bound": _joined_bound / 2,
        "direction": turned(),
        "1 - 1/(...) becomes 1/(...)": (alpha - 1) * (r - 1) / (2 * (1 + alpha * (r - 1))),
    },
    steps=(
        Step(r"The log term depends on $r$ alone.", Premise("rgm:a3-log-term-in-ratio")),
        Step("It is split in two.", Premise("rgm:a3-log-term-split")),
        Step(r"The first half is at most $\frac{\alpha-1}{2}(r-1)$.", Premise("rgm:a3-first-logarithm")),
        Premise("rgm:a3-second-logarithm-rewritten"),
        Step("The second is rewritten around 1 and bounded.", Premise("rgm:a3-second-logarithm")),
        Step("Its denominator is collected and the bounds are added.", "rgm:a3-second-denominator"),
    ),
)

square_v1 = _in_range.elsewhere("App. A.3; v1 (34), second relation", "A89b", source="rgm-v1").identity(
    "rgm-v1:a3-square",
    "Version 1: the joined bound as a square",
    eq(_joined_bound, _bound_v1),
    over=(ETA_V1,),
    mistake=("false", "rgm-v2:a3-square"),
    remark=r"The denominator $1 + \alpha(r-1)$ is lost. For $r < 1$ the printed right side is the smaller one.",
)

square_bound_v1 = _in_range.elsewhere("App. A.3; v1 (34), both relations together", "A89c", source="rgm-v1").inequality(
    "rgm-v1:a3-log-term-in-square",
    "Version 1: the log term below a square",
    le(log_term, _bound_v1),
    over=(ETA_V1,),
    mistake=("false", "rgm-v2:a3-log-term-in-square"),
    remark=r"The log term grows without bound as $1 + \alpha(r-1) \to 0$, the right side does not. For $r \ge 1$ half "
    "of it is enough.",
)

square_v2 = _at_ratio.elsewhere("App. A.3; v2 (36), second relation", "A90", source="rgm-v2").identity(
    "rgm-v2:a3-square",
    "Version 2: the joined bound as a square over a denominator",
    eq(_joined_bound, _bound_v2),
    wrong={"without the denominator, as in version 1": _bound_v1, "without the factor alpha": _bound_v2 / alpha},
)

square_bound_v2 = _at_ratio.elsewhere("App. A.3; v2 (36), both relations together", source="rgm-v2").inequality(
    "rgm-v2:a3-log-term-in-square",
    "Version 2: the log term below a square over a denominator",
    le(log_term, _bound_v2),
    wrong={"without the denominator, as in version 1": _bound_v1, "half of the bound, for every ratio": _bound_v2 / 3},
    steps=(Premise("rgm:a3-log-term-joined"), Premise("rgm-v2:a3-square")),
)

distance_from_1 = page.elsewhere("App. A.3; v1 (35), v2 (37)", "A91").inequality(
    "rgm:a3-ratio-distance",
    "How far the ratio is from 1",
    chain(Abs(r - 1), "<=", Max((1 + eta) ** 2 - 1, 1 - (1 + eta) ** -2), "==", Max(q, q / (1 + eta) ** 2), "<=", q),
    given=RATIO_OF_LEMMA_1,
    points={_t: (0, 1), r: _lowest + _t * (_highest - _lowest)},
    wrong={
        "2 + eta becomes 2": le(Abs(r - 1), 2 * eta),
        "the smaller of the two distances": le(Abs(r - 1), q / (1 + eta) ** 2),
        "without Lemma 1 from above": without("ratio from above"),
    },
)

_UNDER_THEOREM_1 = (
    *RELATIVE_SENSITIVITY,
    OPEN_RANGE_OF_ALPHA,
    BASELINE_OF_THEOREM_1,
    Hypothesis("the noise at x is not zero", gt(variance_x, 0), "else the log term is 0/0"),
)
_OF_PAIR = {sigma_1: sqrt(variance_x), r: variance_y / variance_x}
_pair_term = (
    d
    / (alpha - 1)
    * log(
        named(r"\sigma_1", sqrt(variance_x)) ** (1 - alpha)
        * named(r"\sigma_2", sqrt(variance_y)) ** alpha
        / sqrt(alpha * variance_y + (1 - alpha) * variance_x)
    )
)

final_v1 = page.elsewhere("App. A.3; v1 (36)", "A92", source="rgm-v1").inequality(
    "rgm-v1:a3-log-term",
    "Version 1: bound of the log term for neighbours",
    le(_pair_term, kept_v1),
    given=_UNDER_THEOREM_1,
    points=_FURTHEST,
    over=(ETA_V1, ALPHA_ABOVE_1),
    reading=r"$\alpha > 1$ and $\sigma_1 > 0$, since the left side is 0/0 otherwise.",
    mistake=("false", "rgm-v2:a3-log-term"),
    remark=r"Rests on the lost denominator. It does hold where $\eta(2+\eta)(\alpha-1) \le 2/3$.",
)

per_ratio_v2 = _in_range.elsewhere(
    "App. A.3; v2 (38), first relation, before the ratio is that of a pair", "A93a", source="rgm-v2"
).inequality(
    "rgm-v2:a3-log-term-per-ratio",
    "Version 2: bound of the log term for every ratio",
    le(log_term, (alpha - 1) * alpha * q**2 / (2 * (1 - alpha * q / (1 + eta) ** 2))),
    wrong={
        "without the denominator, as in version 1": (alpha - 1) * alpha * q**2 / 2,
        "direction": turned(),
        "without Lemma 1 from below": changed(hypotheses=(OPEN_RANGE_OF_ALPHA, RATIO_OF_LEMMA_1[1], DEFINED_AT_RATIO)),
    },
    steps=Premise("rgm-v2:a3-log-term-in-square"),
)

final_v2 = page.elsewhere("App. A.3; v2 (38), first relation", "A93a", source="rgm-v2").inequality(
    "rgm-v2:a3-log-term",
    "Version 2: bound of the log term for neighbours",
    le(_pair_term, _final_v2),
    given=_UNDER_THEOREM_1,
    points=_FURTHEST,
    over=(ALPHA_ABOVE_1,),
    wrong={"without the denominator, as in version 1": kept_v1, "a fifth of the bound": _final_v2 / 5},
    steps=(
        Step(
            "The baseline noise of Theorem 1 is enough for Lemma 1, so the ratio lies in its range.",
            Premise("rgm:lemma-1"),
        ),
        Step("For every such ratio the bound holds.", Premise("rgm-v2:a3-log-term-per-ratio", _OF_PAIR)),
        Step("The distance from 1 is at most the larger of the two.", "rgm:a3-ratio-distance"),
    ),
    reading=r"$\alpha > 1$ and $\sigma_1 > 0$, since the left side is 0/0 otherwise.",
)

final_rewritten = page.elsewhere("App. A.3; v2 (38), second relation", "A93b", source="rgm-v2").identity(
    "rgm-v2:a3-log-term-rewritten",
    "Version 2: the bound with the denominator of Theorem 1",
    eq(_final_v2, kept_v2),
    given=OPEN_RANGE_OF_ALPHA,
    points={_k: (0, 1), alpha: 1 + _k / q},
    wrong={
        "without the factor (1 + eta)^2": kept_v2 / (1 + eta) ** 2,
        "alpha - 1 becomes alpha": kept_v2 * rho / (1 - alpha * q),
    },
)
