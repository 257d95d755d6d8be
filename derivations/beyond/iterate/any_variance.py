r"""The least variance of Gaussian noise whose variance depends on the data, at a level of Rényi differential privacy.

A release is $g(D) + N(0, v(D) I)$ with any positive function $v$ of the data. Between two neighbours at the distance
$\Delta$ both orders have at most the level $\varepsilon$. The logarithmic term of Lemma 2 is not negative, and each
variance is a weighted mean of the two mixed variances: so both variances are at least what the Gaussian mechanism has
at the sensitivity $\Delta$.
"""

from rgm_verify.pages import *

from ...rgm.notation import DIMENSION, NOTATION, alpha, d
from ...theorems import DATA_PROCESSING

page = Page("beyond", "§4.2, Standard vs. Relative Gaussian Mechanism", NOTATION)
gap = page.nonnegative("Delta", "distance of the outputs on two neighbours")
level = page.positive("epsilon", "level of Rényi differential privacy", latex=r"\varepsilon")
v1 = page.positive("v", "variance per coordinate at the first of two neighbours", latex="v(D)")
v2 = page.positive("w", "variance per coordinate at the second", latex="v(D')")
_ratio = page.positive("r", "ratio of the second variance to the first")


def mixed(first: Expr, second: Expr) -> Expr:
    """The mixed variance of Lemma 2, for the law with the variance `first` before the other."""
    return alpha * second + (1 - alpha) * first


def log_part(ratio: Expr) -> Expr:
    """What the dimension is multiplied by in Lemma 2, times 2 (alpha - 1)."""
    return alpha * log(ratio) - log(1 + alpha * (ratio - 1))


def divergence(distance: Expr, first: Expr, second: Expr, laws: str = r"P\|Q") -> Expr:
    """The Rényi divergence of Lemma 2, shown with the names of the laws."""
    value = alpha * distance**2 / (2 * mixed(first, second)) + d * (log_part(second / first) / (2 * (alpha - 1)))
    return named(rf"D_\alpha({laws})", value)


def _in_one_dimension(distance: Expr, first: Expr, second: Expr, laws: str) -> Expr:
    """The divergence of one coordinate."""
    return named(rf"D_\alpha({laws})", divergence(distance, first, second).value.subs(d, 1))


def absolute(sensitivity: Expr) -> Expr:
    """The variance of the Gaussian mechanism at a sensitivity, for the level."""
    return alpha * sensitivity**2 / (2 * level)


_FINITE_RATIO = Hypothesis("finite", gt(1 + alpha * (_ratio - 1), 0), "Lemma 2; else the divergence is infinite")

logarithm = page.inequality(
    "beyond:logarithm-of-two-variances",
    "The logarithmic term of Lemma 2 is not negative",
    ge(log_part(_ratio), 0),
    r"So it is for any two variances with a positive mixed variance, in every dimension.",
    given=_FINITE_RATIO,
    by=Monotone(_ratio, Integer(1), order=1),
    points={_ratio: (0, 4, (alpha - 1) / alpha + _ratio)},
    wrong={
        "direction": turned(),
        "at the order 2 alpha": left(2 * alpha * log(_ratio) - log(1 + alpha * (_ratio - 1))),
    },
    steps=Step(r"The derivative in the ratio has the sign of $r - 1$, and the term is 0 at $r = 1$."),
)

_S = named("S", mixed(v1, v2))
_FINITE = Hypothesis("finite", gt(_S, 0), "Lemma 2; else the divergence is infinite")
_LEVEL = Hypothesis("level, in one order", le(divergence(gap, v1, v2), level), "of Rényi differential privacy")
_BACK = both(gt(mixed(v2, v1), 0), le(divergence(gap, v2, v1, r"Q\|P"), level))
_FROM, _TO = (alpha - 1) / alpha, alpha / (alpha - 1)
#: Variances at which both orders are finite, and large levels.
_POINTS = {v2: (0, 1, v1 * (_FROM + v2 * (_TO - _FROM))), level: (0, 40)}

_m = page.positive("m", "a mixed variance")
_more = page.nonnegative("l", "what is added to the main term")
_main = alpha * gap**2 / (2 * _m)

main_term = page.inequality(
    "beyond:mixed-variance-from-the-main-term",
    "A bound on the main term bounds the mixed variance",
    ge(_m, absolute(gap)),
    given=Hypothesis("level", le(_main + _more, level)),
    by=combination((_m / level, level - _main - _more), (_m / level, _more)),
    points={level: (0, 9, _main + _more + level)},
    over=(_more,),
    wrong={"twice as much": scaled(2), "any level": without()},
)

_logarithm = d * (log_part(v2 / v1) / (2 * (alpha - 1)))

one_order = page.inequality(
    "beyond:mixed-variance-at-least",
    "The level of one order bounds the mixed variance",
    ge(_S, absolute(gap)),
    r"The right side is the variance of the Gaussian mechanism at the sensitivity $\Delta$.",
    given=(_FINITE, _LEVEL),
    points=_POINTS,
    over=(DIMENSION,),
    wrong={"twice as much": scaled(2), "any level": without(_LEVEL)},
    steps=(
        Step("The logarithmic term is not negative.", Premise("beyond:logarithm-of-two-variances", {_ratio: v2 / v1})),
        Step(
            "So the main term alone is at most the level.",
            Premise("beyond:mixed-variance-from-the-main-term", {_m: mixed(v1, v2), _more: _logarithm}),
        ),
    ),
    outputs="a step of beyond:least-variance-of-gaussian-noise, which is integrated and released",
)

weighted = page.identity(
    "beyond:variance-is-a-mean-of-mixed-variances",
    "Each variance is a weighted mean of the two mixed variances",
    eq(v2, (alpha * mixed(v1, v2) + (alpha - 1) * mixed(v2, v1)) / (2 * alpha - 1)),
    r"The weights $\alpha$ and $\alpha - 1$ over $2\alpha - 1$ are positive and add up to 1; for the first variance the two exchange places.",
    wrong={"equal weights": (mixed(v1, v2) + mixed(v2, v1)) / 2 + v1 / 2, "exchanged": left(v1)},
)

_PAIR = Outputs((gap,), (Integer(0),), d, variances=(v1, v2))
_OF_PAIR = (Of(Renyi(alpha), _PAIR), Of(Renyi(alpha), _PAIR.reversed()))
#: Pairs and a level that both orders have; the first for releases.
_PAIRS = tuple(
    {alpha: Rational(a), gap: Rational(x), v1: Rational(v), v2: Rational(w), d: Integer(n), level: Rational(e)}
    for a, x, v, w, n, e in (
        ("3/2", "1", "1", "6/5", 3, "2"), ("2", "1/2", "1", "1", 1, "1/4"), ("4", "1/10", "1", "11/10", 30, "5"),
        ("1001/1000", "2", "3", "1/2", 2, "10"), ("6/5", "1", "1", "101/100", 1000, "3"),
    )
)  # fmt: skip
_BOTH = (
    Hypothesis("level, in one order", both(_FINITE.formula, _LEVEL.formula)),
    Hypothesis("level, in the other", _BACK),
)

least = page.theorem(
    "beyond:least-variance-of-gaussian-noise",
    "Noise whose variance depends on the data has at both neighbours at least the variance of the Gaussian mechanism",
    both(ge(v1, absolute(gap)), ge(v2, absolute(gap))),
    r"In every dimension, and for variances that depend on the data in any way: where outputs that a distance $\Delta$ apart have the level $\varepsilon$ in both orders, "
    r"both variances are at least $\alpha\Delta^2/(2\varepsilon)$.",
    given=_BOTH,
    by=(Deduction(), *of_bounds((Bound(alpha * gap**2 / (2 * Min(v1, v2)), _OF_PAIR),), _PAIRS)),
    points=_POINTS,
    over=(DIMENSION,),
    wrong={
        "a tenth more": both(ge(v1, Rational(11, 10) * absolute(gap)), ge(v2, Rational(11, 10) * absolute(gap))),
        "one order only": without("level, in one order"),
        "the sensitivity for its square": both(ge(v1, alpha * gap / (2 * level)), ge(v2, alpha * gap / (2 * level))),
    },
    steps=(
        Step("Each order bounds its mixed variance.", Premise("beyond:mixed-variance-at-least")),
        Step("So does the other one.", Premise("beyond:mixed-variance-at-least", {v1: v2, v2: v1})),
        Step("Each variance is a weighted mean of the two.", Premise("beyond:variance-is-a-mean-of-mixed-variances")),
        Step("So is the other one.", Premise("beyond:variance-is-a-mean-of-mixed-variances", {v1: v2, v2: v1})),
        Step("Where a mixed variance is not positive, the divergence is infinite.", "beyond:lemma-2-infinite"),
    ),
    remark=r"With equal variances of this size both orders have exactly the level $\varepsilon$ (`rgm:gaussian-mechanism`), so the factor 1 is the best one.",
)

_line = _in_one_dimension(gap, v1, v2, r"P_1\|Q_1"), _in_one_dimension(gap, v2, v1, r"Q_1\|P_1")

any_covariance = page.proposition(
    "beyond:least-variance-along-the-line",
    "Noise of any covariance has at least that variance along the line of the two outputs",
    both(ge(v1, absolute(gap)), ge(v2, absolute(gap))),
    "The variances are those of the coordinate along the line through the two outputs; the noise is Gaussian, and its covariance depends on the data in any way.",
    given=(
        Hypothesis("level along the line, in one order", both(gt(mixed(v1, v2), 0), le(_line[0], level))),
        Hypothesis("level along the line, in the other", both(gt(mixed(v2, v1), 0), le(_line[1], level))),
    ),
    points=_POINTS,
    wrong={
        "a tenth more": both(ge(v1, Rational(11, 10) * absolute(gap)), ge(v2, Rational(11, 10) * absolute(gap))),
        "one order only": without("level along the line, in one order"),
    },
    steps=(
        DATA_PROCESSING.quoted(
            "The coordinate along the line has at most the divergences of the outputs,",
            "It is the same map of both outputs.",
        ),
        Step("and is Gaussian.", Premise("beyond:least-variance-of-gaussian-noise", {d: 1})),
    ),
    outputs="in dimension 1 it is beyond:least-variance-of-gaussian-noise, which is integrated and released",
)

_kl = named(r"D_1(P\|Q)", gap**2 / (2 * v2) + d * (v1 / v2 - 1 - log(v1 / v2)) / 2)
_kl_back = named(r"D_1(Q\|P)", gap**2 / (2 * v1) + d * (v2 / v1 - 1 - log(v2 / v1)) / 2)
_number = page.positive("y", "a positive number")
_KL_POINTS = ({**_PAIRS[0], level: Integer(1)}, {**_PAIRS[3], level: Integer(9)}, _PAIRS[4])

order_1 = page.theorem(
    "beyond:least-variance-of-gaussian-noise-order-1",
    "The same at the order 1",
    both(ge(v1, gap**2 / (2 * level)), ge(v2, gap**2 / (2 * level))),
    "The divergences are those of Kullback and Leibler, in both orders.",
    given=(Hypothesis("level, in one order", le(_kl, level)), Hypothesis("level, in the other", le(_kl_back, level))),
    by=(
        Deduction(),
        *of_bounds(
            (Bound(gap**2 / (2 * Min(v1, v2)), (Of(Renyi(1), _PAIR), Of(Renyi(1), _PAIR.reversed()))),), _KL_POINTS
        ),
    ),
    points={level: (0, 40)},
    over=(DIMENSION,),
    wrong={
        "twice as much": both(ge(v1, gap**2 / level), ge(v2, gap**2 / level)),
        "one order only": without("level, in one order"),
    },
    steps=(
        Premise("beyond:log-below-tangent", {_number: v1 / v2}),
        Premise("beyond:log-below-tangent", {_number: v2 / v1}),
    ),
)
