r"""Appendix A.4: how tight the two terms of Theorem 1 are.

The first term is attained by a pair. For the log term the paper expands $g(u) = \frac\alpha2\log(1+u) -
\frac12\log(1+\alpha u)$ at $u = r - 1 = 0$. The expansion is right, its argument is misprinted; near $r = 1$ the kept bounds
are off by a factor 2.
"""

from rgm_verify.claims.notation import spelled

from ..notation import *
from ..output_pairs import WORST, of_the_main_term, of_two_variances

page = Page("rgm-v1+v2", "App. A.4", NOTATION)
page.add(ALPHA_FROM_1)

_P, _Q = positive("P").symbol, positive("Q").symbol
_k, _s = real("k", lower=0, upper=1).symbol, positive("s").symbol
#: u > -1/alpha and nothing else.
_DEFINED = {_s: (0, None), u: _s - 1 / alpha}
g = named("g(u)", log_term_of_shift)
g1 = alpha / 2 * (1 / (1 + u) - 1 / (1 + alpha * u))
g2 = alpha / 2 * (alpha / (1 + alpha * u) ** 2 - 1 / (1 + u) ** 2)
g3 = named("g'''(u)", alpha * (1 / (1 + u) ** 3 - alpha**2 / (1 + alpha * u) ** 3))
lead = alpha * (alpha - 1) / 4 * u**2
_square_v1 = named("B", alpha * (alpha - 1) * u**2 / 2)
_square_v2 = named("B", alpha * (alpha - 1) * u**2 / (2 * (1 + alpha * u)))

#: g is (alpha - 1) times the divergence per dimension of two laws around one mean.
_SHIFTS = tuple(
    {alpha: Rational(o), u: Rational(w), sigma_1: Integer(1)}
    for o, w in (("2", "1/4"), ("3/2", "-1/4"), ("10", "1/1000"), ("1001/1000", "1/3"))
)
_LOG_TERM = of_two_variances(g, 1 + u, alpha - 1, _SHIFTS)
_MINUS_LOG_TERM = of_two_variances(-g, 1 + u, 1 - alpha, _SHIFTS)
_NORM_Y = positive("b", "norm of R(y)", latex=r"\|R(y)\|")
#: R(x) = (1 + eta) R(y), without baseline noise: the furthest pair that relative sensitivity with R_rel = 0 admits.
_furthest = {a: (1 + eta) * _NORM_Y.symbol, b: _NORM_Y.symbol, c: Integer(1), sigma2: Integer(0)}


def _at_furthest(title: str, value: Expr) -> Expr:
    return named(title, value.subs(_furthest, simultaneous=True))


_distance2 = _at_furthest(r"\|R(x)-R(y)\|^2", distance2)
_variance_x, _variance_y = _at_furthest(r"\sigma_1^2", variance_x), _at_furthest(r"\sigma_2^2", variance_y)
_largest_term = alpha * eta**2 / (2 * gamma * rho)


def _term(first: Expr, second: Expr) -> Expr:
    """The term in the distance of the means for those variances."""
    return alpha * _distance2 / (2 * (alpha * second + (1 - alpha) * first))


first_term = page.at("first paragraph", "A94a").remark(
    "rgm:a4-first-term-attained",
    "The first term of Theorem 1 is attained",
    both(eq(_distance2, eta**2 * _NORM_Y.symbol**2), eq(_term(_variance_x, _variance_y), _largest_term)),
    r"Two outputs on one ray, $R(x)$ longer by the factor $1+\eta$, without baseline noise. At $x$ relative sensitivity then holds as well.",
    given=OPEN_RANGE_OF_ALPHA,
    by=(Identity(), *of_the_main_term(_largest_term, WORST)),
    points={_k: (0, 1), alpha: 1 + _k / q},
    over=(_NORM_Y,),
    wrong={
        "without 1/rho": eq(_term(_variance_x, _variance_y), alpha * eta**2 / (2 * gamma)),
        "x and y exchanged": eq(_term(_variance_y, _variance_x), _largest_term),
    },
    reading=r"Tight: for all $\gamma$, $\eta$ and $\alpha$ in the range there is an admissible pair with equality. The link with "
    r"local sensitivity alone would give the first term up to its factor $1/\rho$.",
)

_log_term_at_shift = log(
    sigma_1 ** (1 - alpha)
    * named(r"\sigma_2", sqrt(1 + u) * sigma_1) ** alpha
    / sqrt(alpha * named(r"\sigma_2^2", (1 + u) * sigma_1**2) + (1 - alpha) * sigma_1**2)
)

_defined = page.under(given=DEFINED_AT_SHIFT, points=_DEFINED)

term_of_shift = _defined.elsewhere("App. A.4; v1 (37), v2 (39)", "A94b1").identity(
    "rgm:a4-log-term-of-shift",
    "The log term as a function of u = r - 1",
    eq(_log_term_at_shift, log_term_of_shift),
    by=(Identity(positive=(1 + u, 1 + alpha * u)), *_LOG_TERM),
    wrong={
        "1/2 becomes 1": log_term_of_shift - log(1 + alpha * u) / 2,
        "alpha and 1 exchanged": alpha * log(1 + alpha * u) / 2 - log(1 + u) / 2,
    },
)

first_derivative = _defined.elsewhere("App. A.4; v1 (38), v2 (40)", "A94b2").identity(
    "rgm:a4-first-derivative",
    "The first derivative of g",
    both(eq(Derivative(g, u), g1), eq(At(g, u, 0), 0), eq(At(Derivative(g, u), u, 0), 0)),
    wrong={
        "alpha/2 becomes 1/2": eq(Derivative(g, u), g1 / alpha),
        "sign of the second fraction": eq(Derivative(g, u), alpha / 2 * (1 / (1 + u) + 1 / (1 + alpha * u))),
    },
)

second_derivative = _defined.elsewhere("App. A.4; v1 (39), v2 (41)", "A94b3").identity(
    "rgm:a4-second-derivative",
    "The second derivative of g",
    both(eq(Derivative(g, (u, 2)), g2), eq(At(Derivative(g, (u, 2)), u, 0), alpha * (alpha - 1) / 2)),
    wrong={
        "without the inner factor alpha": eq(
            Derivative(g, (u, 2)), alpha / 2 * ((1 + alpha * u) ** -2 - (1 + u) ** -2)
        ),
        "twice the value at 0": eq(At(g2, u, 0), alpha * (alpha - 1)),
    },
)

third_derivative = _defined.elsewhere("App. A.4; v1 (41), v2 (43)", "A94b4").identity(
    "rgm:a4-third-derivative",
    "The third derivative of g",
    eq(Derivative(g, (u, 3)), spelled(g3)),
    wrong={"alpha^2 becomes alpha": alpha * ((1 + u) ** -3 - alpha * (1 + alpha * u) ** -3), "sign": -g3},
)

expansion_printed = page.elsewhere("App. A.4; v1 (40), v2 (42)", "A94c").identity(
    "rgm:a4-expansion-as-printed",
    "The expansion, with r as the argument of g",
    eq(g.subs(u, 1), 0),
    reading=r"Taken literally with $g$ as defined before it, where the argument is $u = r - 1$: at $r = 1$ the right side is 0, so "
    r"$g(1)$ would have to be 0.",
    mistake=("misprint", "rgm:a4-expansion"),
    remark=r"The argument of $g$ should read $r - 1$.",
    printed=r"g(r) = \frac{\alpha(\alpha-1)}{4}(r-1)^2 + O\left((r-1)^3\right)",
)

_kappa = real("kappa", lower=0, upper=1).symbol
_y = real("y").symbol
#: kappa = 1/alpha and y = alpha u: a closed box for all orders at once.
_NEAR_1 = Chart(
    {_kappa: (0, 1), _y: (-HALF, HALF)}, {alpha: 1 / _kappa, u: _kappa * _y}, {_kappa: 1 / alpha, _y: alpha * u}
)
_NEAR_1_POINTS = {_y: (-HALF, HALF), u: _y / alpha}
_SMALL_SHIFT = (
    Hypothesis("close to 1 from below", ge(alpha * u, -HALF)),
    Hypothesis("close to 1 from above", le(alpha * u, HALF)),
)
_NOT_EQUAL = Hypothesis("the variances differ", ne(u, 0), "for equal ones both sides are 0")
_remainder_in_chart = (_kappa**2 * LogRemainder(3, _kappa * _y) - LogRemainder(3, _y)) / 2

expansion = page.elsewhere("App. A.4; v1 (40), v2 (42), with the argument r - 1", "A94c").inequality(
    "rgm:a4-expansion",
    "The expansion of g at 0, with an explicit remainder",
    le((g - lead) ** 2, (alpha**3 * u**3 / 3) ** 2),
    given=(*_SMALL_SHIFT, _NOT_EQUAL),
    by=(*_LOG_TERM, Region(chart=_NEAR_1, target=Rational(1, 9) - _remainder_in_chart**2, factor=_y**6)),
    points=_NEAR_1_POINTS,
    wrong={"1/3 becomes 1/5": (alpha**3 * u**3 / 5) ** 2, "lead with 1/2 instead of 1/4": left((g - 2 * lead) ** 2)},
    steps=(
        Step("Function and first derivative vanish at 0.", "rgm:a4-first-derivative"),
        Step(r"Half of the second derivative at 0 is $\alpha(\alpha-1)/4$.", "rgm:a4-second-derivative"),
        Step("The rest has a closed form that is a cube times a bounded function.", "beyond:log-term-remainder"),
    ),
    reading=r"$O((r-1)^3)$ as $r \to 1$ at each order: a constant times $|r-1|^3$ on a neighbourhood of 1.",
    printed=r"g(r-1) = \frac{\alpha(\alpha-1)}{4}(r-1)^2 + O\left((r-1)^3\right)",
)

remainder = page.at("after v1 (40) and v2 (42); in neither version", source="beyond").identity(
    "beyond:log-term-remainder",
    "The exact remainder of the expansion",
    eq(g - lead, u**3 / 2 * (alpha * LogRemainder(3, u) - alpha**3 * LogRemainder(3, alpha * u))),
    r"What stands in brackets is analytic at 0, with the value $-\alpha(\alpha^2-1)/3$ there.",
    given=(DEFINED_AT_SHIFT, _NOT_EQUAL),
    by=(Identity(), *_LOG_TERM),
    points=_DEFINED,
    wrong={
        "alpha^3 becomes alpha^2": u**3 / 2 * (alpha * LogRemainder(3, u) - alpha**2 * LogRemainder(3, alpha * u)),
        "next remainder": u**3 / 2 * (alpha * LogRemainder(4, u) - alpha**3 * LogRemainder(4, alpha * u)),
    },
)

leading_v1 = page.at("after v1 (40)", "A94d", source="rgm-v1").identity(
    "rgm-v1:a4-leading-term",
    "Version 1: the leading term is half of the bound",
    eq(At(Derivative(g, (u, 2)), u, 0) / 2 * u**2, HALF * _square_v1),
    "$B$ is version 1's bound of the log term.",
    wrong={"equal, not half": _square_v1, "a quarter": _square_v1 / 4},
)

leading_v2 = _defined.at("after v2 (42)", source="beyond").identity(
    "rgm-v2:a4-leading-term",
    "Version 2: the leading term is half of the bound",
    eq(lead, HALF * _square_v2),
    "$B$ is version 2's bound of the log term.",
    reading=r"A stricter reading than the text asks for, equal for all $\alpha$ and $r$; a leading term is one as $r \to 1$ (`rgm-v2:a4-half-in-the-limit`).",
    mistake=("false", "beyond:v2-leading-term"),
    remark=r"The sentence was kept from version 1 when the bound got its denominator. The ratio is $1/2$ in the limit $r \to 1$ only.",
)

leading_v2_corrected = _defined.at("after v2 (42), with the denominator of v2 (36)", source="beyond").identity(
    "beyond:v2-leading-term",
    "Version 2: the leading term and the bound",
    eq(lead, (1 + alpha * u) / 2 * _square_v2),
    wrong={"the constant 1/2": _square_v2 / 2, "alpha becomes 1": (1 + u) / 2 * _square_v2},
)

_CUBIC = tuple(
    Premise(f"beyond:log-cubic-{side}", {_P: larger, _Q: smaller})
    for side in ("upper", "lower")
    for larger, smaller in ((1 + u, Integer(1)), (1 + alpha * u, 1 + u))
)
_LIMIT = r"Tight up to a factor $1/2$: the ratio of log term and bound tends to $1/2$ as $r \to 1$, at each order."


def _half_off(bound: Expr, error: Expr) -> Relation:
    return le(Abs(g - bound / 2), error * bound)


half_in_limit_v1 = page.at("after v1 (40)", "A94d", source="rgm-v1").remark(
    "rgm-v1:a4-half-in-the-limit",
    "Version 1: the bound of the log term is off by a factor 2 near r = 1",
    _half_off(_square_v1, 2 * alpha * Abs(u)),
    "$B$ is version 1's bound of the log term.",
    given=_SMALL_SHIFT,
    by=(Deduction(_CUBIC), *_MINUS_LOG_TERM),
    points=_NEAR_1_POINTS,
    wrong={
        "a third instead of a half": le(Abs(g - _square_v1 / 3), 2 * alpha * Abs(u) * _square_v1),
        "an error of second order": _half_off(_square_v1, 2 * alpha**2 * u**2),
    },
    reading=_LIMIT,
)

half_in_limit_v2 = page.at("after v2 (42)", "A94d", source="rgm-v2").remark(
    "rgm-v2:a4-half-in-the-limit",
    "Version 2: the bound of the log term is off by a factor 2 near r = 1",
    _half_off(_square_v2, 4 * alpha * Abs(u)),
    "$B$ is version 2's bound of the log term.",
    given=_SMALL_SHIFT,
    by=(Deduction((Premise("rgm-v1:a4-half-in-the-limit"),)), *_MINUS_LOG_TERM),
    points=_NEAR_1_POINTS,
    wrong={
        "a third instead of a half": le(Abs(g - _square_v2 / 3), 4 * alpha * Abs(u) * _square_v2),
        "an error of third order": _half_off(_square_v2, 4 * alpha**3 * Abs(u) ** 3),
    },
    reading=_LIMIT,
)
