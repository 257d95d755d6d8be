r"""The worst pair of outputs at a smaller norm: that of the largest distance on one ray.

Let $m$ be the smaller of the two norms, $\delta(m)^2 = \eta^2m^2 + R_{rel}^2$ the largest squared distance that goes with it, and
count in units of the narrow variance $\gamma m^2 + \sigma^2$: $D^2$ is the squared distance and $w$ the excess of the wide
variance. No pair has more than $D^2(m)$ and $w(m)$, those of the two outputs on one ray with the norms $m$ and
$m + \delta(m)$. The Rényi divergence grows in both, and is larger with the wide distribution first; so at each $m$
one pair is the worst. All $m$ together are a curve (`curve_of_pairs.py`). For the hockey-stick divergence
at each $m$ three curves are enough: equal variances, and $w(m)$ in both orders, all at $D(m)$.
"""

from rgm_verify.lenses.distributions.outputs import Released, Unreduced

from ...rgm.notation import *
from ...rgm.output_pairs import NEIGHBOURS
from ..renyi.curve_notation import divergence

page = Page("beyond", "used for exact accounting; in neither version", NOTATION)
_SENSITIVE = RELATIVE_SENSITIVITY[1]
SMALLER = Hypothesis("y has the smaller norm", le(b, a))
NOISE = Hypothesis("noise at y", gt(variance_y, 0), "Definition 3 has sigma > 0")
#: The largest distance that goes with the smaller norm b, and what it makes of the excess.
largest_distance = named(r"\delta(\|R(y)\|)", sqrt(eta**2 * b**2 + r_rel**2))
largest_shift2 = largest_distance**2 / variance_y
largest_excess = named(r"w(\|R(y)\|)", gamma * ((b + largest_distance) ** 2 - b**2) / variance_y)
_REACH = real("f", lower=0, upper=1).symbol
STEP = real("g", lower=0, upper=1).symbol
#: Pairs near the largest distance that the relative sensitivity allows, on one ray or nearly so.
NEARBY = {STEP: (0, 1), gamma: (0, 10), r_rel: (0, 10), sigma2: (0, 10), a: b * (1 + eta * STEP), c: 1 + 0 * b}

farthest = page.inequality(
    "beyond:largest-norm",
    "No neighbour has a larger norm than the one on the same ray",
    le(a, b + largest_distance),
    given=_SENSITIVE,
    points={STEP: (0, 1), r_rel: (0, 10), a: b * (1 + eta * STEP), c: 1 + 0 * b},
    wrong={
        "without the square root": b + eta * b / 2 + r_rel,
        "at y only": without(),
        "without the absolute part": b + eta * b,
    },
)


def _apart(times: int, cosine: int) -> Expr:
    """The squared distance of two outputs on one line whose norms differ by a multiple of the largest distance."""
    return named(r"\|R(x)-R(y)\|^2", distance2.subs({a: b + times * largest_distance, c: cosine}))


extreme_pair = page.identity(
    "beyond:extreme-pair-is-admissible",
    "The pair on one ray at the largest distance is admissible",
    both(eq(_apart(1, 1), largest_distance**2), ge(b + largest_distance, b)),
    wrong={
        "on opposite rays": eq(_apart(1, -1), largest_distance**2),
        "twice the distance": eq(_apart(2, 1), largest_distance**2),
    },
)

all_pairs = page.inequality(
    "beyond:pairs-below-the-extreme-pair",
    "Every pair has at most the distance and the excess of the extreme pair",
    All(
        (
            le(distance2 / variance_y, largest_shift2),
            ge(variance_x / variance_y - 1, 0),
            le(variance_x / variance_y - 1, largest_excess),
        )
    ),
    "The units are those of the narrow variance.",
    given=(_SENSITIVE, SMALLER, NOISE),
    points=NEARBY,
    wrong={
        "half of the excess": le(variance_x / variance_y - 1, largest_excess / 2),
        "half of the distance": le(distance2 / variance_y, largest_shift2 / 4),
        "the order of the norms does not matter": without(SMALLER),
    },
    steps=(Premise("beyond:largest-norm"), "beyond:hockey-stick-monotone-in-distance", "beyond:variance-ends"),
    remark=r"For the hockey-stick divergence, at every level and in both orders: it grows with the distance, so that $D(m)$ may be put for "
    r"the distance (whether or not some pair has that distance and that excess), and then the excess is worst at 0 or $w(m)$. The "
    r"supremum over all pairs is thus at most that over $m$ of three curves. Those with $w(m)$ are those of "
    r"the extreme pair, in its two orders; that of equal variances is met where two outputs of norm $m$ can have the "
    r"distance $\delta(m)$: in dimension 2 or more, where $\delta(m) \le 2m$.",
)

_x = page.nonnegative("x", "squared distance of the means, in units of the narrow variance", latex="D^2")
_X = page.nonnegative("X", "a larger one", latex=r"\bar D^2")
_w = page.nonnegative("w", "excess of the wide variance, in units of the narrow one")
_W = page.nonnegative("W", "a larger excess", latex=r"\bar w")


def wide_log_term(excess: Expr) -> Expr:
    """The logarithmic term per dimension of the wide distribution against the narrow one."""
    return -log(1 - (alpha - 1) * excess) / (2 * (alpha - 1)) - log(1 + excess) / 2


def narrow_log_term(excess: Expr) -> Expr:
    """The logarithmic term per dimension of the narrow distribution against the wide one."""
    return (alpha * log(1 + excess) - log(1 + alpha * excess)) / (2 * (alpha - 1))


def wide_first(shift2: Expr, excess: Expr) -> Expr:
    """The Rényi divergence of the wide distribution from the narrow one."""
    return alpha * shift2 / (2 * (1 - (alpha - 1) * excess)) + d * wide_log_term(excess)


def narrow_first(shift2: Expr, excess: Expr) -> Expr:
    """The Rényi divergence of the narrow distribution from the wide one."""
    return alpha * shift2 / (2 * (1 + alpha * excess)) + d * narrow_log_term(excess)


def _finite(excess: Expr) -> Hypothesis:
    return Hypothesis("the divergence is finite", gt(1 - (alpha - 1) * excess, 0), "Lemma 2's condition on alpha")


_H = real("h", lower=0, upper=1).symbol
#: (alpha - 1) W = h < 1 and w = f W.
_EXCESSES = {_H: (0, 1), _REACH: (0, 1), alpha: 1 + _H / _W, _w: _REACH * _W}
#: With two squared distances.
_BOTH = {**_EXCESSES, STEP: (0, 1), _X: _x + STEP}
_SMALLER_EXCESS = Hypothesis("w is the smaller", le(_w, _W))

log_rises = page.inequality(
    "beyond:wide-log-term-rises",
    "The logarithmic term of the wide distribution grows with the excess",
    le(wide_log_term(_w), wide_log_term(_W)),
    given=(_SMALLER_EXCESS, _finite(_W)),
    by=Monotone(_w, _W, order=1),
    points=_EXCESSES,
    wrong={"direction": turned(), "half of it": wide_log_term(_W) / 2},
)

orders_log = page.inequality(
    "beyond:wide-log-term-is-larger",
    "The logarithmic term is larger with the wide distribution first",
    le((2 * alpha - 1) * log(1 + _w) + log(1 - (alpha - 1) * _w), log(1 + alpha * _w)),
    given=_finite(_w),
    by=Monotone(_w, Rational(0), order=1),
    points={_H: (0, 1), alpha: 1 + _H / _w},
    wrong={"2 alpha + 1": left((2 * alpha + 1) * log(1 + _w) + log(1 - (alpha - 1) * _w)), "direction": turned()},
)

_narrow_first = named(r"D_\alpha(Q\|P)", narrow_first(_x, _w))


def _in_both_orders(
    narrow: Expr, wide: Expr, square: Expr, large: Expr, small: Expr, *points: dict[Symbol, Any]
) -> tuple[Lens, Lens]:
    """Both checks of the divergences of two laws with these variances, at a squared distance."""
    pair = Outputs((sqrt(square),), (Integer(0),), d, variances=(large, small))
    readings = (Reading(narrow, Renyi(alpha), pair.reversed()), Reading(wide, Renyi(alpha), pair))
    made = tuple(
        {**p, alpha: order, d: Integer(n)}
        for p, order, n in zip(points, (Rational(3, 2), Rational(2)), (3, 1), strict=True)
    )
    return Unreduced(readings, at=made), Released(readings[1:], at=made[:1])


wide_is_worse = page.inequality(
    "beyond:wide-first-is-worse",
    "The Rényi divergence is larger with the wide distribution first",
    le(_narrow_first, named(r"D_\alpha(P\|Q)", wide_first(_x, _w))),
    "$P$ is the wide distribution and $Q$ the narrow one.",
    outputs=_in_both_orders(
        _narrow_first,
        wide_first(_x, _w),
        _x,
        1 + _w,
        Integer(1),
        {_x: Integer(1), _w: Rational(1, 5)},
        {_x: Rational(4), _w: Rational(1, 2)},
    ),
    given=_finite(_w),
    points={_H: (0, 1), d: (1, 1000), alpha: 1 + _H / _w},
    wrong={"direction": turned(), "by a factor 2": left(2 * _narrow_first)},
    steps=Premise("beyond:wide-log-term-is-larger"),
)

monotone = page.inequality(
    "beyond:renyi-grows-with-both",
    "The Rényi divergence grows with the distance and the excess",
    le(wide_first(_x, _w), wide_first(_X, _W)),
    "The wide distribution stands first on both sides.",
    given=(_SMALLER_EXCESS, Hypothesis("no farther", le(_x, _X)), _finite(_W)),
    points={**_BOTH, d: (1, 1000)},
    wrong={"direction": turned(), "farther as well": without("no farther")},
    steps=(Premise("beyond:wide-log-term-rises"), Premise("beyond:wide-main-term-rises")),
)

main_rises = page.inequality(
    "beyond:wide-main-term-rises",
    "The main term grows with the distance and the excess",
    le(alpha * _x / (2 * (1 - (alpha - 1) * _w)), alpha * _X / (2 * (1 - (alpha - 1) * _W))),
    given=monotone.hypotheses,
    points=_BOTH,
    wrong={
        "direction": turned(),
        "1 + (alpha - 1) w": le(alpha * _x / (2 * (1 + (alpha - 1) * _w)), alpha * _X / (2 * (1 + (alpha - 1) * _W))),
    },
)

_S = page.positive("S", "the larger variance")
_s = page.positive("s", "the smaller variance")
_L = page.nonnegative("L", "squared distance of the means")


def _divergence(first: Expr, second: Expr, squared_distance: Expr) -> Expr:
    """The formula of Lemma 2 with the logarithm of the exact curve, for the variances of the two distributions."""
    ratio = second / first
    log_term = (alpha * log(ratio) - log(1 + alpha * (ratio - 1))) / (2 * (alpha - 1))
    return alpha * squared_distance / (2 * (alpha * second + (1 - alpha) * first)) + d * log_term


_from_wide = named(r"D_\alpha(P\|Q)", _divergence(_S, _s, _L))
_from_narrow = named(r"D_\alpha(Q\|P)", _divergence(_s, _S, _L))
_shift, _surplus = named("D^2", _L / _s), named("w", _S / _s - 1)

narrow_units = page.identity(
    "beyond:divergence-in-narrow-units",
    "The divergence in units of the narrow variance",
    both(eq(_from_wide, wide_first(_shift, _surplus)), eq(_from_narrow, narrow_first(_shift, _surplus))),
    "The formula of Lemma 2, in both orders; $P$ is the wide distribution.",
    outputs=_in_both_orders(
        _from_narrow,
        _from_wide,
        _L,
        _S,
        _s,
        {_L: Integer(1), _S: Rational(6, 5), _s: Integer(1)},
        {_L: Integer(4), _S: Integer(3), _s: Integer(2)},
    ),
    given=(Hypothesis("the larger and the smaller", ge(_S, _s)), _finite(_surplus)),
    by=Identity(positive=(alpha * _s + (1 - alpha) * _S, alpha * _S + (1 - alpha) * _s)),
    points={_s: (0, 4), STEP: (0, 4), _H: (0, 1), _L: (0, 4), d: (1, 100), _S: _s * (1 + STEP), alpha: 1 + _H / STEP},
    wrong={
        "the orders exchanged": both(
            eq(_from_wide, narrow_first(_shift, _surplus)), eq(_from_narrow, wide_first(_shift, _surplus))
        ),
        "units of the wide variance": both(
            eq(_from_wide, wide_first(_L / _S, _surplus)), eq(_from_narrow, narrow_first(_L / _S, _surplus))
        ),
    },
)

_EXCESS_OF_PAIR = variance_x / variance_y - 1
_reversed = named(r"D_\alpha(Q\|P)", divergence.subs({a: b, b: a}, simultaneous=True))
_at_the_extreme_pair = wide_first(largest_shift2, largest_excess)
#: R(x) and R(y) in both orders, and the extreme pair: the same smaller norm, on one ray, the larger one first.
_READINGS = (
    Reading(divergence, Renyi(alpha), NEIGHBOURS),
    Reading(_reversed, Renyi(alpha), NEIGHBOURS.reversed()),
    Reading(_at_the_extreme_pair, Renyi(alpha), Outputs((b + largest_distance,), (b,), d, gamma, sigma2)),
)
#: Less baseline noise than Theorem 1 asks for: on a line, slanted, and the extreme pair itself.
_PLACES = tuple(
    {**dict(zip((a, b, c, eta, r_rel, gamma, sigma2, alpha), map(Rational, values), strict=True)), d: Integer(n)}
    for *values, n in (
        ("5/4", "1", "1", "3/10", "2/5", "1/4", "1/100", "11/10", 1),
        ("3/2", "1", "4/5", "3/4", "1", "1/3", "1/10", "21/20", 2),
        ("3/2", "1", "1", "3/10", "2/5", "1/4", "1/100", "3/2", 1),
    )
)


def _both_orders(bound: Expr) -> All:
    return both(le(divergence, bound), le(_reversed, bound))


renyi_supremum = page.theorem(
    "beyond:renyi-at-the-extreme-pair",
    "At each smaller norm the extreme pair has the largest Rényi divergence",
    _both_orders(_at_the_extreme_pair),
    r"On the right is the pair of norms $m$ and $m + \delta(m)$ on one ray, the larger one first, where $m$ is the smaller norm. It bounds both orders whatever the baseline noise, so that the supremum over all pairs is that over $m$.",
    given=(_SENSITIVE, SMALLER, NOISE, _finite(largest_excess)),
    by=(Unreduced(_READINGS, at=_PLACES, digits=15), Released(_READINGS, at=_PLACES[:1])),
    wrong={
        "half of the excess": _both_orders(wide_first(largest_shift2, largest_excess / 2)),
        "the narrow distribution first": _both_orders(narrow_first(largest_shift2, largest_excess)),
    },
    steps=(
        Premise("beyond:pairs-below-the-extreme-pair"),
        Premise("beyond:divergence-in-narrow-units", {_L: distance2, _S: variance_x, _s: variance_y}),
        Premise("beyond:wide-first-is-worse", {_x: distance2 / variance_y, _w: _EXCESS_OF_PAIR}),
        Premise(
            "beyond:renyi-grows-with-both",
            {_x: distance2 / variance_y, _X: largest_shift2, _w: _EXCESS_OF_PAIR, _W: largest_excess},
        ),
        Step(
            "In units of the narrow variance a pair is a distance and an excess.", "beyond:divergence-in-narrow-units"
        ),
        Step(r"Neither exceeds $D^2(m)$ and $w(m)$.", "beyond:pairs-below-the-extreme-pair"),
        Step("The order with the wide distribution first is the worse one,", "beyond:wide-first-is-worse"),
        Step("and it grows with both.", "beyond:renyi-grows-with-both"),
        Step(r"The extreme pair is admissible, so that nothing smaller is valid.", "beyond:extreme-pair-is-admissible"),
    ),
    remark=r"Where $(\alpha-1)w(m) \ge 1$ for some $m$ the divergence of that extreme pair, and so the supremum, is infinite.",
)
