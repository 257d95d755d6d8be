r"""The log term of the divergence, exactly: its supremum over all admissible ratios, and what it says of the bounds.

With $v = 1/r - 1$ the log term is a sum of two nonnegative pieces,
$\frac{2}{\alpha-1}\log(\cdot) = \frac{\varphi(-(\alpha-1)v)}{\alpha-1} + \varphi(v)$ for $\varphi(x) = x - \log(1+x)$,
and $\varphi$ falls before 0 and rises after it. So the largest value over $(1+\eta)^{-2} \le r \le (1+\eta)^2$ stands
at $r = (1+\eta)^{-2}$. Everything here comes from six inequalities between a logarithm and a rational function (or
one square root), each proved by writing the difference as an integral of a positive function.
"""

from rgm_verify.balls.special import LogRemainderD

from ...rgm.notation import *
from ...rgm.output_pairs import log_points, of_two_variances
from .log_notation import *

_k = real("k", lower=0, upper=1).symbol
_x = real("t", lower=0, upper=1).symbol
#: alpha = 1 + k/(eta(2 + eta)) with k = 1 - rho, so that every point drawn lies in the range of Theorem 1.
CHART_OF_ALPHA = {_k: (0, 1), alpha: 1 + _k / q}
_t = named("t", P / Q - 1)

log_upper = page.inequality(
    "beyond:log-upper",
    "The tangent of the logarithm lies above it",
    le(log(P) - log(Q), P / Q - 1),
    by=combination((_t**2, LogRemainder(2, _t))),
    wrong={"direction": turned(), "quotient upside down": Q / P - 1, "nine tenths of the slope": scaled("9/10")},
)

log_balanced = page.inequality(
    "beyond:log-balanced-upper",
    "A symmetric upper bound of the logarithm of a number below 1",
    le(log(P) + log(R) - log(Q), 2 * (P * R - Q) / (P * R + Q)),
    given=Hypothesis("P R is the smaller", le(P * R, Q)),
    by=combination(
        (Q - P * R, (Q - P * R) ** 2, (Q + P * R) ** -3, LogRemainder(3, 2 * Q / (P * R + Q) - 1)),
        (Q - P * R, (Q - P * R) ** 2, (Q + P * R) ** -3, LogRemainder(3, 2 * P * R / (P * R + Q) - 1)),
    ),
    wrong={"direction": turned(), "without the order of P R and Q": without(), "2 becomes 3": scaled("3/2")},
)

_s = P * sqrt(R)
log_square_root = page.inequality(
    "beyond:log-square-root-upper",
    "An upper bound of the logarithm of a number above 1, with a square root",
    le(2 * log(P) + log(R), (P**2 * R - 1) / (P * sqrt(R))),
    given=Hypothesis("at least 1", ge(P**2 * R, 1)),
    by=combination((P**2 * R - 1, 1 / (_s + 1), (_s - 1) ** 2, LogRemainderD(2, _s - 1))),
    wrong={"direction": turned(), "below 1 as well": without(), "without the square root": (P**2 * R - 1) / (P**2 * R)},
)

log_cubic = page.inequality(
    "beyond:log-cubic-upper",
    "Three Taylor terms of the logarithm lie above it",
    le(log(P) - log(Q), _t - _t**2 / 2 + _t**3 / 3),
    by=(combination((_t**4, LogRemainder(4, _t))), Monotone(P, Q)),
    wrong={"1/3 becomes 1/4": _t - _t**2 / 2 + _t**3 / 4, "direction": turned()},
)

log_cubic_lower = page.inequality(
    "beyond:log-cubic-lower",
    "Two Taylor terms and a third with the pole of the logarithm lie below it",
    ge(log(P) - log(Q), _t - _t**2 / 2 + _t**3 * Q / (3 * P)),
    by=combination((_t**4, Rational(1, 3), LogRemainderD(3, _t))),
    wrong={"without the pole": _t - _t**2 / 2 + _t**3 / 3, "direction": turned()},
)

log_quadratic_lower = page.inequality(
    "beyond:log-quadratic-lower",
    "Two Taylor terms of the logarithm lie below it above 1",
    ge(log(P) - log(Q), _t - _t**2 / 2),
    given=Hypothesis("P is the larger", ge(P, Q)),
    by=(combination((P - Q, 1 / Q, _t**2, LogRemainder(3, _t))), Monotone(P, Q)),
    wrong={"1/2 becomes 1/3": _t - _t**2 / 3, "without the order of P and Q": without()},
)

log_quadratic_upper = page.inequality(
    "beyond:log-quadratic-upper",
    "Two Taylor terms of the logarithm lie above it below 1",
    le(log(P) - log(Q), _t - _t**2 / 2),
    given=Hypothesis("P is the smaller", le(P, Q)),
    by=(combination((Q - P, 1 / Q, _t**2, LogRemainder(3, _t))), Monotone(P, Q)),
    wrong={"1/2 becomes 2/3": _t - 2 * _t**2 / 3, "without the order of P and Q": without()},
)


def _rational_lower(n: int) -> Claim:
    """Bound log P from below by n - 1 Taylor terms and a last one with the denominator n P; for even n where P <= 1."""
    taylor = sum(((1 - P) ** j / Rational(j) for j in range(1, n)), start=Rational(0))
    return page.inequality(
        f"beyond:log-rational-lower-{n}",
        f"A lower bound of the logarithm that keeps its pole at 0: {n} terms",
        ge(log(P), -taylor - (1 - P) ** n / (n * P)),
        rf"The Taylor remainder of $-\log P$ after {n - 1} terms is at most $(1-P)^{n}/({n}P)$.",
        given=(Hypothesis("at most 1", le(P, 1)),) if n % 2 == 0 else (),
        by=(combination(_rational_lower_term(n)), Monotone(P, Integer(1))),
        over=(P,),
        wrong={f"without the pole at {n} terms": -taylor - (1 - P) ** n / Rational(n), "direction": turned()},
    )


def _rational_lower_term(n: int) -> tuple[Expr, ...]:
    odd: tuple[Expr, ...] = (1 - P,) if n % 2 == 0 else ()
    return (*odd, ((1 - P) ** 2) ** ((n + 1) // 2), Rational(1, n), LogRemainderD(n, P - 1))


log_rational_lower_3 = _rational_lower(3)
log_rational_lower_6 = _rational_lower(6)


def _twice_log_term(ratio: Expr) -> Expr:
    return alpha * log(ratio) - log(1 + alpha * (ratio - 1))


_twice_largest = -log(rho) - 2 * (alpha - 1) * log(1 + eta)
_of_alpha = page.under(given=OPEN_RANGE_OF_ALPHA, points=CHART_OF_ALPHA)

log_term_at_worst_ratio = _of_alpha.identity(
    "beyond:log-term-at-worst-ratio",
    "The log term at the smallest ratio",
    eq(_twice_log_term((1 + eta) ** -2), _twice_largest),
    "Twice the log term per dimension.",
    by=Identity(differentiate=(alpha, Integer(1))),
    over=(ALPHA_FROM_1,),
    wrong={
        "the largest ratio instead": left(_twice_log_term((1 + eta) ** 2)),
        "sign of the second logarithm": -log(rho) + 2 * (alpha - 1) * log(1 + eta),
    },
)

#: The smallest ratio, where both sides meet, near the pole and at small eta; then the largest one, and no change.
_RATIOS = (
    *log_points({r: (1 + eta) ** -2})[:2],
    *log_points({r: (1 + eta) ** 2})[2:3],
    *log_points({r: 1 + eta / 2})[3:],
)

log_term_supremum = page.theorem(
    "beyond:log-term-supremum",
    "The largest log term is that of the smallest ratio",
    le(_twice_log_term(r), _twice_largest),
    "Twice the log term, over all ratios that Lemma 1 allows, is largest at the lower end.",
    given=(OPEN_RANGE_OF_ALPHA, *RATIO_OF_LEMMA_1),
    by=(Deduction(), *of_two_variances(_twice_log_term(r), r, 2 * (alpha - 1), _RATIOS)),
    points={_k: (0, 1), _x: (0, 1), alpha: 1 + _k / q, r: (1 + eta) ** -2 + _x * ((1 + eta) ** 2 - (1 + eta) ** -2)},
    over=(ALPHA_FROM_1,),
    wrong={
        "half of the largest value": _twice_largest / 2,
        "without Lemma 1 from below": changed(hypotheses=(OPEN_RANGE_OF_ALPHA, RATIO_OF_LEMMA_1[1], DEFINED_AT_RATIO)),
        "the value at the largest ratio": _twice_log_term((1 + eta) ** 2),
    },
    steps=(
        Step(r"Twice the log term is $\varphi(-(\alpha-1)v) + (\alpha-1)\varphi(v)$ for $v = 1/r - 1$."),
        Step(
            r"The second piece is largest at $v = \eta(2+\eta)$.",
            Premise("beyond:log-square-root-upper", {P: 1 + eta, R: r}),
        ),
        Step(
            r"The first piece is largest there too: its argument stays within $1-\rho$ of 0.",
            Premise("beyond:log-balanced-upper", {P: rho, R: r, Q: 1 + alpha * (r - 1)}),
        ),
        Step("The bound is the value at the smallest ratio, which a pair attains.", "beyond:log-term-at-worst-ratio"),
    ),
)

log_above_parabola = page.inequality(
    "beyond:log-above-parabola-from-a-third",
    "The logarithm above a parabola, from 1/3 on",
    ge(log(P), -(1 - P) - (1 - P) ** 2),
    points={},
    over=(real("P", lower=Rational(1, 3), upper=1),),
    wrong={"4/5 of the square": -(1 - P) - Rational(4, 5) * (1 - P) ** 2, "direction": turned()},
    steps=Premise("beyond:log-rational-lower-6", {P: P}),
)

_bound_v1 = alpha * q**2 / 2
_bound_v2 = alpha * q**2 * (1 + eta) ** 2 / (2 * rho)
_one = {Q: Integer(1)}

rate = _of_alpha.inequality(
    "beyond:log-term-rate",
    "How fast the largest log term approaches half of the square",
    both(
        le((HALF - q / 3) * _bound_v1, largest_log_term),
        le(largest_log_term, (HALF + (1 - rho) / (3 * rho)) * _bound_v1),
    ),
    r"Both factors tend to $\frac12$ as $\eta$ tends to 0 at a fixed order.",
    steps=(
        Premise("beyond:log-cubic-upper", {P: 1 + eta, **_one}),
        Premise("beyond:log-quadratic-upper", {P: rho, **_one}),
        Premise("beyond:log-quadratic-lower", {P: 1 + eta, **_one}),
        Premise("beyond:log-rational-lower-3", {P: rho}),
    ),
    wrong={
        "a third of the rate from below": le((HALF - q / 9) * _bound_v1, largest_log_term),
        "no rate from above": le(largest_log_term, HALF * _bound_v1),
        "without the pole": le(largest_log_term, (HALF + (1 - rho) / 3) * _bound_v1),
    },
)

_share = real("kappa", lower=0, upper=1).symbol
_scale = real("s", lower=0, upper=1).symbol
#: Largest log term / (alpha eta^2(2+eta)^2/2) with kappa = 1 - 1/alpha and s = alpha eta(2+eta): regular at s = 0.
exact_share = _share * LogRemainder(2, -_share * _scale) + (1 - _share) * LogRemainder(2, (1 - _share) * _scale)
_BOX = {_share: (0, 1), _scale: (0, Rational(1, 2))}

factor_2 = _of_alpha.inequality(
    "beyond:v2-log-term-at-least-twice",
    "Version 2's bound of the log term is at least twice the exact value",
    le(2 * largest_log_term, _bound_v2),
    "This is so at every order of the range.",
    steps=(
        Premise("beyond:log-quadratic-lower", {P: 1 + eta, **_one}),
        Premise("beyond:log-rational-lower-3", {P: rho}),
    ),
    wrong={"three times": left(3 * largest_log_term), "without the denominator": _bound_v2 * rho},
    tightness=Tightness(
        (1 + (1 - _share) * _scale) / ((1 - _share * _scale) * exact_share),
        _BOX,
        r"bound of version 2 over the exact supremum; kappa = 1 - 1/alpha, s = alpha eta (2 + eta)",
        plot=(_scale,),
        at={_share: HALF},
    ),
    remark=r"The ratio tends to 2 as $\eta \to 0$ at fixed $\alpha$ and is unbounded as $\rho \to 0$ or $\eta \to \infty$.",
)

part_of_range = page.inequality(
    "beyond:v1-log-term-in-part-of-range",
    "Where version 1's bound of the log term does hold",
    le(largest_log_term, _bound_v1),
    "The right side is the bound of version 1.",
    given=Hypothesis("two thirds of the range", ge(rho, Rational(1, 3))),
    steps=(
        Premise("beyond:log-above-parabola-from-a-third", {P: rho}),
        Premise("beyond:log-quadratic-lower", {P: 1 + eta, **_one}),
    ),
    points={_k: (0, Rational(3, 4)), alpha: 1 + _k / q},
    wrong={
        "the whole range": changed(hypotheses=(OPEN_RANGE_OF_ALPHA,)),
        "three quarters of the range": changed(hypotheses=(Hypothesis("3/4", ge(rho, Rational(1, 4))),)),
        "half of the bound": _bound_v1 / 2,
    },
    tightness=Tightness(
        1 / exact_share,
        _BOX,
        r"bound of version 1 over the exact supremum; kappa = 1 - 1/alpha, s = alpha eta (2 + eta)",
        plot=(_scale,),
        at={_share: HALF},
    ),
    remark=r"As $\eta \to 0$ it holds up to the root $k = 0.683...$ of $-\log(1-k) = k + k^2$ and fails from there on.",
)

approximation_above = page.inequality(
    "beyond:log-term-approximation-above",
    "The quadratic approximation is an upper bound for ratios above 1",
    le(_twice_log_term(r), alpha * (alpha - 1) * (r - 1) ** 2 / 2),
    "Both sides are twice the printed ones; the order may be any.",
    given=Hypothesis("ratio at least 1", ge(r, 1)),
    steps=(
        Premise("beyond:log-square-root-upper", {P: Integer(1), R: r}),
        Premise("beyond:log-quadratic-lower", {P: 1 + alpha * (r - 1), Q: r}),
    ),
    over=(ALPHA_FROM_1,),
    wrong={"for ratios below 1 as well": changed(hypotheses=(DEFINED_AT_RATIO,)), "four fifths of it": scaled("4/5")},
)

approximation_below = page.inequality(
    "beyond:log-term-approximation-below",
    "The quadratic approximation is a lower bound for ratios below 1",
    ge(_twice_log_term(r), alpha * (alpha - 1) * (r - 1) ** 2 / 2),
    "So the approximation is no upper bound there.",
    given=(Hypothesis("ratio at most 1", le(r, 1)), DEFINED_AT_RATIO),
    steps=(
        Premise("beyond:log-rational-lower-3", {P: r}),
        Premise("beyond:log-quadratic-upper", {P: 1 + alpha * (r - 1), Q: r}),
    ),
    points={_x: (0, 1), r: 1 - _x / alpha},
    over=(ALPHA_FROM_1,),
    wrong={"direction": turned(), "for ratios above 1 as well": without("ratio at most 1")},
)

_w = sqrt(P)
log_root_lower = page.inequality(
    "beyond:log-square-root-lower",
    "A lower bound of the logarithm of a number below 1, with a square root",
    ge(log(P), (P - 1) / sqrt(P)),
    given=Hypothesis("at most 1", le(P, 1)),
    by=(combination((1 - P, 1 / (1 + _w), (1 - _w) ** 2, LogRemainderD(2, _w - 1))), Monotone(P, Integer(1))),
    wrong={"above 1 as well": without(), "without the square root": P - 1},
)

unbounded = _of_alpha.inequality(
    "beyond:v2-log-term-unbounded-factor",
    "How far version 2's bound of the log term is off near the end of the range",
    le(alpha * q * (1 + eta) ** 2 * largest_log_term, sqrt(rho) * _bound_v2),
    r"Version 2's bound is at least $\alpha\eta(2+\eta)(1+\eta)^2/\sqrt\rho$ times the largest log term, so no factor "
    r"bounds the ratio as $\rho \to 0$ or $\eta \to \infty$.",
    steps=(Premise("beyond:log-square-root-lower", {P: rho}), Premise("beyond:log-upper", {P: Integer(1), Q: 1 + eta})),
    wrong={"rho instead of its root": rho * _bound_v2, "direction": turned()},
)
