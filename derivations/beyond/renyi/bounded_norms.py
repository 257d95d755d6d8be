r"""Section 4.1, Arbitrary privacy guarantees cannot be achieved: with bounded norms they can.

With norms of at most B, baseline noise alone makes the divergence arbitrarily small: distances and differences of variances are bounded, and the
mixed variance grows with the noise. The logarithmic term is of second order in the ratio of the variances.
"""

from ...rgm.notation import *
from ...rgm.output_pairs import of_neighbours
from ...rgm.section_4.achievable import FINITE_RATIO, RATIOS, ratio, ratio_term

page = Page("beyond", "§4.1, Arbitrary privacy guarantees cannot be achieved", NOTATION)
_y = page.positive("y", "a positive number")
_radius = page.positive("B", "bound on the norms of all outputs")
gap = page.positive("s", "sigma^2 - (alpha - 1) gamma B^2")
_t = page.positive("t", "alpha - 1")
_d2 = page.nonnegative("D", "squared distance")
_w = page.nonnegative("W", "squared difference of the variances")
_v = page.positive("v", "variance at x")
_s = page.positive("S", "mixed variance")
first_number, middle_number, last_number = (page.real(n) for n in "PQL")

log_line = page.inequality(
    "beyond:log-below-tangent",
    "log y <= y - 1",
    le(log(_y), _y - 1),
    "The logarithm lies below its tangent at one, on both sides.",
    by=Monotone(_y, Integer(1), order=1),
    wrong={"half the slope": (_y - 1) / 2, "a smaller constant": _y - Rational(11, 10), "direction": turned()},
)

log_inverse = page.identity(
    "beyond:log-of-inverse",
    "log(1/y) = -log y",
    eq(log(1 / _y) + log(_y), 0),
    "Taking the inverse changes the sign of the logarithm.",
    wrong={"without the inverse": left(log(_y) + log(_y)), "of the square": left(log(1 / _y**2) + log(_y))},
)

_square = (ratio - 1) ** 2 / (1 + alpha * (ratio - 1))

log_quadratic = page.inequality(
    "beyond:log-term-below-square",
    "The logarithmic term is of second order in the ratio of the variances",
    le(ratio_term, alpha**2 * (ratio - 1) ** 2 / (1 + alpha * (ratio - 1))),
    given=FINITE_RATIO,
    steps=(
        Premise("beyond:log-below-tangent", {_y: ratio}),
        Premise("beyond:log-below-tangent", {_y: 1 / (1 + alpha * (ratio - 1))}),
        Premise("beyond:log-of-inverse", {_y: 1 + alpha * (ratio - 1)}),
    ),
    points=RATIOS,
    wrong={
        "a quarter": alpha**2 * _square / 4,
        "without alpha squared": _square / 2,
        "without the denominator": (ratio - 1) ** 2 / 2,
    },
)

_split_level = (4 * (1 + _t) * _radius**2 + d * (1 + _t) ** 2 * gamma * _radius**2 / _t) / (2 * gap)
_split_divergence = (1 + _t) * _d2 / (2 * _s) + d * (1 + _t) ** 2 * _w / (2 * _t * _v * _s)
_spread = alpha * variance_y + (1 - alpha) * variance_x
_AT_PAIR = {_t: alpha - 1, _d2: distance2, _w: (variance_y - variance_x) ** 2, _v: variance_x, _s: _spread}
#: What the divergence is below when the norms are at most B and the baseline variance is alpha gamma B^2 + s, and an expression in between.
bounded_level = _split_level.subs(_AT_PAIR, simultaneous=True)
arithmetic = _split_divergence.subs(_AT_PAIR, simultaneous=True)
_bounded = (
    Hypothesis("bounded at x", le(a, _radius)),
    Hypothesis("bounded at y", le(b, _radius)),
    Hypothesis("baseline noise", ge(sigma2, alpha * gamma * _radius**2 + gap)),
)
BOUNDED = Hypothesis("norms at most B, baseline noise", both(*(h.formula for h in _bounded)))
NO_BOUND = changed(hypotheses=_bounded[2:])

#: Pairs with the least baseline noise of the bound, as vectors; the first for releases.
BOUNDED_PAIRS = tuple(
    {alpha: Rational(order), gamma: Rational(1, 10), gap: Rational(1, 2), _radius: Integer(1), a: Integer(1), b: Rational(4, 5), c: cosine, d: Integer(n),
     sigma2: Rational(order) / 10 + Rational(1, 2)}
    for order, cosine, n in (("3/2", Rational(-1), 2), ("2", Rational(3, 5), 3))
)  # fmt: skip

BOUNDED_POINTS = {
    a: (0, 1, _radius * a),
    b: (0, 1, _radius * b),
    d: (0, 100),
    c: Integer(-1),
    sigma2: alpha * gamma * _radius**2 + gap,
}
_DEFINED = Hypothesis("finite", both(gt(_spread, 0), gt(variance_x, 0), gt(variance_y, 0)), "Lemma 2")

bounded_arithmetic = page.inequality(
    "beyond:bounded-norms-arithmetic",
    "The arithmetic expression with bounded norms",
    both(
        le(distance2, 4 * _radius**2),
        le((variance_y - variance_x) ** 2, gamma**2 * _radius**4),
        ge(variance_x, gamma * _radius**2),
        ge(_spread, gap),
    ),
    given=_bounded,
    points=BOUNDED_POINTS,
    over=(d,),
    wrong={
        "no bound": NO_BOUND,
        "half of the baseline noise": changed(hypotheses=(*_bounded[:2], Hypothesis("half", ge(sigma2, gap / 2)))),
        "distances up to B": le(distance2, _radius**2),
    },
)

_with_bound = page.under(given=BOUNDED, points=BOUNDED_POINTS)

bounded_squares = _with_bound.inequality(
    "beyond:bounded-norms-squares",
    "The squared difference of the variances against the variance",
    le((variance_y - variance_x) ** 2, gamma * _radius**2 * variance_x),
    over=(c, d),
    wrong={"no bound": NO_BOUND, "half of it": gamma * _radius**2 * variance_x / 8},
    steps=Premise("beyond:bounded-norms-arithmetic"),
)

quotients = page.inequality(
    "beyond:bounded-norms-quotients",
    "The two quotients of the arithmetic expression",
    le(_split_divergence, _split_level),
    "Numerators are bounded from above and denominators from below.",
    given=(
        Hypothesis("distance", le(_d2, 4 * _radius**2)),
        Hypothesis("variances", le(_w, gamma * _radius**2 * _v)),
        Hypothesis("mixed variance", ge(_s, gap)),
    ),
    by=combination(
        (1 + _t, 2 * _radius**2 / (gap * _s), _s - gap),
        (1 + _t, 1 / (2 * _s), 4 * _radius**2 - _d2),
        (d * (1 + _t) ** 2, gamma * _radius**2 / (2 * _t * gap * _s), _s - gap),
        (d * (1 + _t) ** 2, 1 / (2 * _t * _v * _s), gamma * _radius**2 * _v - _w),
    ),
    wrong={"half of it": _split_level / 2, "any mixed variance": without("mixed variance")},
)

bounded_split = page.inequality(
    "beyond:divergence-with-bounded-norms-split",
    "The divergence bounded by an arithmetic expression",
    le(divergence, arithmetic),
    "The logarithmic term is replaced by its quadratic bound.",
    outputs=of_neighbours(divergence, points=BOUNDED_PAIRS, sampled=BOUNDED_PAIRS[:1]),
    given=_DEFINED,
    points=BOUNDED_POINTS,
    wrong={
        "without the logarithmic part": alpha * distance2 / (2 * _spread),
        "without the main part": arithmetic - alpha * distance2 / (2 * _spread),
    },
    steps=Premise("beyond:log-term-below-square", {ratio: variance_y / variance_x}),
)

bounded_level_claim = _with_bound.inequality(
    "beyond:bounded-norms-level",
    "The arithmetic expression is at most a constant over s",
    le(arithmetic, bounded_level),
    steps=(
        Premise("beyond:bounded-norms-arithmetic"),
        Premise("beyond:bounded-norms-squares"),
        Premise("beyond:bounded-norms-quotients", _AT_PAIR),
    ),
    wrong={"a constant over s squared": bounded_level / gap, "no bound on the norms": NO_BOUND},
)

bounded_positive = _with_bound.inequality(
    "beyond:bounded-norms-positive",
    "With bounded norms the divergence is finite",
    _DEFINED.formula,
    over=(c, d),
    wrong={"no bound on the norms": NO_BOUND, "no baseline noise": changed(hypotheses=_bounded[:2])},
    steps=Premise("beyond:bounded-norms-arithmetic"),
)

in_a_row = page.inequality(
    "beyond:two-bounds-in-a-row",
    "A bound on a bound is a bound",
    le(first_number, last_number),
    given=(Hypothesis("first", le(first_number, middle_number)), Hypothesis("second", le(middle_number, last_number))),
    by=(combination((middle_number - first_number,), (last_number - middle_number,)), Smt()),
    wrong={"the first only": without("second"), "strictly": lt(first_number, last_number), "direction": turned()},
)
