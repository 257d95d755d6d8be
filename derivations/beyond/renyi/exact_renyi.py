"""The exact Rényi curve of the Relative Gaussian Mechanism, and a closed bound that is never far from it.

Write q = eta (2 + eta), V = (1 + eta)^2 = 1 + q, k = (alpha - 1) q and rho = 1 - k. Over all admissible pairs of outputs
(with the baseline noise of Theorem 1) the Rényi divergence of order alpha is at most

    E(alpha) = alpha eta^2 / (2 gamma rho) + d [ -log(rho) / (2 (alpha - 1)) - log(1 + eta) ],

and the pair R(x) = (1 + eta) R(y) reaches it (exactly without absolute terms, in the limit of large outputs otherwise).
The main term and the logarithmic term peak at the same pair. The logarithmic term, as a function of the ratio r of the two variances,
falls until r = 1 and rises after it, so that only the ends r = 1/V and r = V matter, and the first is the larger one.
"""

from ...rgm.notation import *
from ...rgm.output_pairs import log_points, of_neighbours, of_the_main_term, of_the_worst_pair, of_two_variances
from .curve_notation import *
from .curve_notation import _mixed, _q, _r, _twice, _y

_V = named("V", 1 + _q)

log_upper = page.inequality(
    "beyond:log-below-trapezoid",
    "log(1 + q) lies below the trapezoid rule",
    le(log(1 + _q), _q * (2 + _q) / (2 * (1 + _q))),
    r"The integral of $1/(1+x)$ up to $q$ is at most the mean of its end values times $q$.",
    by=Monotone(_q, 0, order=1),
    wrong={"denominator": scaled("2/3"), "numerator": _q * (1 + _q) / (2 * (1 + _q)), "direction": turned()},
)

log_lower = page.inequality(
    "beyond:log-above-parabola",
    "log(1 + y) lies above y - y^2/2",
    ge(log(1 + _y), _y - _y**2 / 2),
    by=Monotone(_y, 0, order=1),
    wrong={"coefficient": _y - _y**2 / 3, "degree": _y, "direction": turned()},
)

log_of_one_minus = page.inequality(
    "beyond:minus-log-above-parabola",
    "-log(1 - k) lies above k + k^2/2",
    ge(-log(1 - k_in_range), k_in_range + k_in_range**2 / 2),
    by=Monotone(k_in_range, 0, order=1),
    wrong={"coefficient": k_in_range + k_in_range**2, "first order": 2 * k_in_range, "direction": turned()},
)

ends = page.inequality(
    "beyond:lower-end-is-worse",
    "The ratio 1/V is worse than the ratio V",
    ge(log(1 + k_in_range / _V) - log(1 - k_in_range) - 2 * k_in_range / _q * log(_V), 0),
    "The left side is the logarithmic term at $1/V$ less that at $V$, multiplied by $2k/q$.",
    steps=(
        Premise("beyond:log-below-trapezoid", {_q: _q}),
        Premise("beyond:log-above-parabola", {_y: k_in_range / _V}),
        Premise("beyond:minus-log-above-parabola", {k_in_range: k_in_range}),
    ),
    points={},
    wrong={
        "factor 2 becomes 3": left(log(1 + k_in_range / _V) - log(1 - k_in_range) - 3 * k_in_range / _q * log(_V)),
        "first term dropped": left(-log(1 - k_in_range) - 2 * k_in_range / _q * log(_V)),
        "direction": turned(),
    },
)

_lower, _upper = (1 + eta) ** -2, (1 + eta) ** 2


def _between(lower: Expr | int, upper: Expr | int) -> dict[Symbol, Any]:
    """Ratios between two numbers, at orders in the range."""
    return {eta: (0, None), k_in_range: (0, 1), _r: (0, 1, lower + _r * (upper - lower)), alpha: 1 + k_in_range / q}


at_or_below_one = page.inequality(
    "beyond:log-term-below-one",
    "Left of r = 1 the logarithmic term is largest at the left end",
    le(_twice(_r), _twice(_lower)),
    given=(IN_RANGE, RATIO_RANGE[0], Hypothesis("r at most 1", le(_r, 1))),
    by=Monotone(_r, _lower, order=1),
    points=_between(_lower, 1),
    wrong={"half of the value at the end": _twice(_lower) / 2, "the other end": 0},
)

at_or_above_one = page.inequality(
    "beyond:log-term-above-one",
    "Right of r = 1 the logarithmic term is largest at the right end",
    le(_twice(_r), _twice(_upper)),
    given=(IN_RANGE, Hypothesis("r at least 1", ge(_r, 1)), RATIO_RANGE[1]),
    by=Monotone(_r, _upper, order=1),
    points=_between(1, _upper),
    wrong={"half of the value at the end": _twice(_upper) / 2, "the other end": 0},
)

_LOG_V = log(1 + eta)
_k_of_alpha = (alpha - 1) * q

rewriting = page.identity(
    "beyond:logarithms-at-the-ends",
    "The logarithms at both ends in terms of log(1 + eta) and log(rho)",
    All(
        (
            eq(log((1 + eta) ** -2), -2 * _LOG_V),
            eq(log((1 + eta) ** 2), 2 * _LOG_V),
            eq(log(1 + q), 2 * _LOG_V),
            eq(log(1 + alpha * ((1 + eta) ** -2 - 1)), log(rho) - 2 * _LOG_V),
            eq(log(1 + alpha * ((1 + eta) ** 2 - 1)), 2 * _LOG_V + log(1 + _k_of_alpha / (1 + q))),
            eq(log(1 - _k_of_alpha), log(rho), definition=True),
        )
    ),
    "All logarithms that occur at the two ends, taken apart.",
    given=IN_RANGE,
    by=Identity(positive=(rho, 1 + alpha * ((1 + eta) ** 2 - 1))),
    points={alpha: 1 + k_in_range / q},
    wrong={
        "sign": eq(log((1 + eta) ** -2), 2 * _LOG_V),
        "shift": eq(log(1 + alpha * ((1 + eta) ** -2 - 1)), log(rho) - _LOG_V),
    },
)

exact_log = page.elsewhere("the log part of Theorem 1, exactly").theorem(
    "beyond:exact-log-term",
    "The logarithmic term is largest at r = (1 + eta)^(-2)",
    le(log_term, exact_log_term),
    "The right side is the value at the lower end. Both are per dimension.",
    given=(IN_RANGE, *RATIO_RANGE),
    by=(Deduction(), *of_two_variances(log_term, _r, 1, log_points({_r: _lower}))),
    points=_between(_lower, _upper),
    wrong={
        "half of it": exact_log_term / 2,
        "log(1 + eta) counted twice": exact_log_term - log(1 + eta),
        "direction": turned(),
    },
    steps=(
        Premise("beyond:log-term-below-one", where_it_applies=True),
        Premise("beyond:log-term-above-one", where_it_applies=True),
        Premise("beyond:logarithms-at-the-ends"),
        Premise("beyond:lower-end-is-worse", {_q: q, k_in_range: _k_of_alpha}),
        Step("Left of $r = 1$ the term falls, so its left end is the worst there.", "beyond:log-term-below-one"),
        Step("Right of $r = 1$ it rises, so its right end is the worst there.", "beyond:log-term-above-one"),
        Step("Of the two ends the left one is worse.", "beyond:lower-end-is-worse"),
        Step("The value there, written with $\\rho$.", "beyond:logarithms-at-the-ends"),
    ),
)

_INSTEAD = page.elsewhere("in place of Theorem 1")
#: The same for claims without a dimension.
_ANY_DIMENSION = {key: value for key, value in WORST_PAIRS.items() if key != d}

mixed_positive = _INSTEAD.inequality(
    "beyond:mixed-variance-positive",
    "The mixed variance is at least rho times the variance at y",
    All((ge(_mixed, rho * variance_y), gt(_mixed, 0))),
    "So Lemma 2 applies.",
    given=ADMISSIBLE,
    points=_ANY_DIMENSION,
    wrong={"rho dropped": ge(_mixed, variance_y), "no range of alpha": without(IN_RANGE)},
    steps=Premise("beyond:ratio-in-range"),
)

main_term = _INSTEAD.inequality(
    "beyond:main-term",
    "The main term, wherever both variances are positive",
    le(alpha * distance2 / (2 * _mixed), alpha * eta**2 / (2 * gamma * rho)),
    "The left side is the term of Lemma 2 in the distance of the means.",
    given=ADMISSIBLE,
    by=(Deduction(), *of_the_main_term(alpha * distance2 / (2 * _mixed))),
    steps=(
        Premise("beyond:mixed-variance-positive"),
        Premise("rgm:a3-denominator-multiple"),
        Premise("rgm:a3-division", {nonnegative("t").symbol: distance2, positive("D").symbol: _mixed}),
    ),
    points=_ANY_DIMENSION,
    wrong={"rho dropped": alpha * eta**2 / (2 * gamma), "half": alpha * eta**2 / (4 * gamma * rho)},
)

renyi_upper = _INSTEAD.theorem(
    "beyond:exact-renyi-upper",
    "The exact curve bounds the Rényi divergence of every admissible pair",
    le(divergence, exact_curve),
    r"The right side is the exact curve $E(\alpha)$.",
    given=ADMISSIBLE,
    by=(Deduction(), *of_neighbours(divergence)),
    points=WORST_PAIRS,
    wrong={
        "without the log term": alpha * eta**2 / (2 * gamma * rho),
        "without the main term": d * exact_log_term,
        "the value at alpha = 1": eta**2 / (2 * gamma) + d * (q / 2 - log(1 + eta)),
        "no baseline noise": without(BASELINE_OF_THEOREM_1),
    },
    steps=(
        Step("The divergence of two outputs is that of two normal distributions.", "rgm:lemma-2"),
        Step("The main term is at most its value at the worst pair.", Premise("beyond:main-term")),
        Step(r"The ratio of the variances stays within $(1+\eta)^{\pm 2}$.", Premise("beyond:ratio-in-range")),
        Step(
            "So the logarithmic term is at most its value at the same pair.",
            Premise("beyond:exact-log-term", {_r: variance_y / variance_x}),
        ),
    ),
)

ratio_in_range = _INSTEAD.inequality(
    "beyond:ratio-in-range",
    "The ratio of the variances under the hypotheses of Theorem 1",
    All((ge(variance_y / variance_x, (1 + eta) ** -2), le(variance_y / variance_x, (1 + eta) ** 2))),
    given=ADMISSIBLE,
    points=_ANY_DIMENSION,
    wrong={
        "1 + eta instead of its square": le(variance_y / variance_x, 1 + eta),
        "x and y never differ": ge(variance_y / variance_x, 1),
    },
    steps=(Premise("beyond:baseline-suffices"), Premise("rgm:lemma-1")),
)

baseline = _INSTEAD.inequality(
    "beyond:baseline-suffices",
    "The baseline noise of Theorem 1 is enough for Lemma 1",
    ge(sigma2, gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2),
    given=(IN_RANGE, BASELINE_OF_THEOREM_1),
    wrong={"twice as much": scaled(2), "no range of alpha": without(IN_RANGE)},
)

_NOT_ZERO = positive("b", "norm of R(y)", latex=r"\|R(y)\|")


def _at(free: Expr, other: dict[Expr, Expr]) -> Expr:
    """The divergence on one ray without absolute terms, with one norm given by the other, which is not 0."""
    value = divergence.subs({**other, c: 1, sigma2: 0, r_rel: 0}).subs(free, _NOT_ZERO.symbol)
    return named(r"D_\alpha(P\|Q)", value)


renyi_attained = _INSTEAD.theorem(
    "beyond:exact-renyi-attained",
    "The pair R(x) = (1 + eta) R(y) reaches the exact curve",
    eq(_at(b, {a: (1 + eta) * b}), exact_curve),
    "Without absolute terms the pair is admissible, so that no smaller bound is valid.",
    given=IN_RANGE,
    by=(Identity(positive=(rho,)), *of_the_worst_pair(exact_curve)),
    points={d: (1, 1000), alpha: 1 + k_in_range / q},
    over=(_NOT_ZERO, eta, gamma, alpha, DIMENSION),
    wrong={
        "the pair the other way round": left(_at(a, {b: (1 + eta) * a})),
        "without log(1 + eta)": exact_curve + d * log(1 + eta),
    },
)
