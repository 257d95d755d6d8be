r"""From the threshold of the baseline noise on, the divergence is largest at an end of the curve of outputs on one ray.

Let $S$ and the excess $w$ grow along a curve of pairs, and let $\frac1h = 1 - \frac{d\log S}{d\log w} > 0$. The slope of the divergence of the wide
distribution against the narrow one has the sign of $\theta - s$ with $\theta = \frac{hw^2}{Sv}$: the mean cosine over the concentration, $s$,
is compared with what the curve asks for. As in `variance_ends.py`, which is the case $h = 1$, it is nonnegative exactly if
$\varepsilon$ is at least a critical level $G$, and along the curve $G$ falls wherever it is $\ge 0$: the divergence falls and then rises.

On the outer curve (`pairs_that_remain.py`) with $\kappa \ge 1$, $h = 1 + \frac{(\kappa-1)z(\eta+2z)}N$. So at $\varepsilon \ge 0$, where the wide distribution first is
the worse order, no pair of it is worse than the first, which is the first pair of the inner curve as well, and the last, which is
the limit $(\eta^2/\gamma, q)$.
"""

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, d, eta, gamma, q
from ..hockey_stick.variance_ends import eps, v, w
from .mean_cosine import BETWEEN, FALLING, RISING, falling, page as _mean_cosine, rising, s, y, zeta
from .pairs_that_remain import KAPPA, inner_excess, kappa, outer_excess, page as _pairs_that_remain, shift2, spread, z
from .slope_along_pairs import D, X, page as _slope_along_pairs, s1, signed, w1

_USED = (_mean_cosine, _pairs_that_remain, _slope_along_pairs)
page = Page("beyond", "used for exact accounting; in neither version", NOTATION, *_USED)
h = page.real("h", "1 over 1 minus the logarithmic slope of S against w", lower=1)
u = page.nonnegative("u", "logarithmic slope of h against w")
_shift2 = D**2
#: What s is compared with.
threshold = named(r"\theta", h * w**2 / (_shift2 * v))
_slope = (v * w * signed).subs({s1: _shift2 * (1 - 1 / h), w1: w, y: s * _shift2 * X / w**2}, simultaneous=True)
_distance = w * sqrt(h / (s * v))

sign = page.identity(
    "beyond:sign-along-a-rising-curve",
    "The sign of the slope where distance and excess grow together",
    eq(_slope, v * _shift2 * X / (h * w) * (threshold - s)),
    r"The parameter is $\log w$, so that the derivative of $w$ is $w$ and that of $S$ is $S(1-\frac1h)$. On the left is $vwG$, at $s$ times the concentration as the mean cosine.",
    over=(D,),
    wrong={"without h": v * _shift2 * X / w * (threshold / h - s), "sign": v * _shift2 * X / (h * w) * (threshold + s)},
    steps="beyond:slope-along-pairs-short",
    remark=r"So it is positive for $\theta \ge \frac1d > s$; otherwise there is one $\zeta$ with $s(\zeta) = \theta$, and it is nonnegative exactly if $x^2 \ge \zeta$.",
)

#: The critical level, twice, by theta: the squared distance is h w^2/(theta v).
twice_critical = named("2G", zeta * s * w / h - h * w / (s * v) - d * log(v))
_concentration2 = _shift2**2 / w**4 * v * (1 + w * (2 * eps + d * log(v)) / _shift2)
_factor = (_shift2 * v / w**3).subs(D, _distance)

critical = page.identity(
    "beyond:critical-level-on-a-curve",
    "The level at which the slope along a curve vanishes",
    eq((_concentration2 - zeta).subs(D, _distance), _factor * (2 * eps - twice_critical)),
    r"In the formula $s$ stands for $\theta$, and $x$ is the concentration.",
    printed=r"x^2 - \zeta = \frac{Sv}{w^3}(2\varepsilon - 2G), \qquad 2G = \frac{\zeta\theta w}{h} - \frac{hw}{\theta v} - d\log v",
    wrong={
        "without the logarithm": _factor * (2 * eps - twice_critical - d * log(v)),
        "h left out": _factor * (2 * eps - twice_critical.subs(h, 1)),
    },
    steps=("beyond:sign-along-a-rising-curve", "beyond:radius-and-concentration"),
)

_dlog_threshold = u + 1 / h + 1 / v


def along(expression: Expr) -> Expr:
    """The derivative by log w of an expression in w, h, theta and zeta, along the curve and s(zeta) = theta."""
    return (
        w * diff(expression, w)
        + h * u * diff(expression, h)
        + s * _dlog_threshold * diff(expression, s)
        - 2 * zeta / falling * s * _dlog_threshold * diff(expression, zeta)
    )


_both_ends = 1 / h + 1 / v
#: The derivative of 2 G by log w, over w.
change = -zeta * s / h * (2 * s * (u + _both_ends) / falling - (1 + h) * _both_ends) - falling / (s * v)
_POINTS = {**BETWEEN, u: (0, 3)}

threshold_moves = page.identity(
    "beyond:threshold-along-a-curve",
    "How fast the threshold of s grows",
    eq(u + 2 - (1 - 1 / h) - w / v, _dlog_threshold),
    r"On the left is the derivative by $\log w$ of the logarithm of $\theta$.",
    wrong={"without v": left(u + 2 - (1 - 1 / h) - w), "S falls": left(u + 2 + (1 - 1 / h) - w / v)},
)

critical_moves = page.identity(
    "beyond:critical-level-along-a-curve",
    "How fast the critical level falls along a curve",
    eq(along(twice_critical), w * change),
    r"The derivative is that along the curve and along the solution with $s(\zeta)$ at $\theta$, for which $s$ stands.",
    printed=r"\frac1w\frac{d(2G)}{d\log w} = -\frac{\zeta\theta}{h}\left(\frac{2\theta}{K}\left(u + \tfrac1h + \tfrac1v\right) - (1+h)\left(\tfrac1h + \tfrac1v\right)\right) - \frac{K}{\theta v}",
    given=FALLING,
    points=_POINTS,
    wrong={"sign of K": w * (change + 2 * falling / (s * v)), "without u": w * change.subs(u, 0)},
    steps=("beyond:critical-level-on-a-curve", "beyond:threshold-along-a-curve", "beyond:mean-cosine-in-squares"),
    remark=r"For $h = 1$, $u = 0$ it is `beyond:critical-level-derivative`, divided by $s$.",
)

_l = page.nonnegative("l", "d log v", latex=r"d\log v")
_NOT_NEGATIVE = Hypothesis("the level is not negative", ge(zeta * s * w / h - h * w / (s * v), _l))

at_levels = page.inequality(
    "beyond:critical-level-not-negative",
    "Where the critical level is not negative, h^2 is below v",
    lt(h**2, v),
    "The first hypothesis bounds the mean cosine from below, the second one from above.",
    given=(
        _NOT_NEGATIVE,
        Hypothesis("a mean cosine", lt(zeta * s**2, 1), "a variance", by=("beyond:mean-cosine-equation",)),
    ),
    points={
        zeta: (0, 1, zeta / s**2),
        h: (1, 3),
        w: (0, 5),
        s: (0, 1),
        _l: (0, 1, _l * (zeta * w / h / s - h * w / (s * (1 + w)))),
    },
    wrong={"any level": without(_NOT_NEGATIVE), "twice the square": left(2 * h**2)},
)

_FAST = Hypothesis("h grows fast enough", ge(2 * u, (h - 1) * _both_ends))

falls = page.inequality(
    "beyond:critical-level-falls-along-a-curve",
    "The critical level falls where h grows fast enough",
    lt(falling * change, 0),
    "On the left is the derivative of the critical level, times $K$.",
    given=(FALLING, RISING, _FAST),
    by=combination(
        (2 * zeta * s / h, rising, u + _both_ends),
        (zeta * s / h, falling, 2 * u - (h - 1) * _both_ends),
        (falling, falling, 1 / (s * v)),
    ),
    points={**_POINTS, u: (0, 3, (h - 1) * (1 / h + 1 / (1 + w)) / 2 + u)},
    wrong={"direction": turned(), "h may stand still": without(_FAST), "y need not rise": without(RISING)},
    steps=("beyond:critical-level-along-a-curve", "beyond:mean-cosine-falls", "beyond:mean-cosine-equation"),
)

_k = page.real("kappa", "baseline noise over its threshold", lower=1)
_z = page.real("z", "place on the curve", lower=0, upper=1, lower_open=True)
_AT = {kappa: _k, z: _z}
_spread = named("N", spread.subs(_AT))
_outer, _shift = named("w", outer_excess.subs(_AT)), named("S", shift2.subs(_AT))
#: h and u on the outer curve.
outer_factor = named("h", 1 + (_k - 1) * _z * (eta + 2 * _z) / _spread)
_steepness = (eta + 2 * _z) / (2 * _z)
outer_change = (outer_factor - 1) * (_steepness / outer_factor**2 + 1 / outer_factor)
_dlog_w, _dlog_shift, _dlog_factor = (
    named(f"{title}'", Derivative(value, _z)) / value
    for title, value in (("w", _outer), ("S", _shift), ("h", outer_factor))
)

outer_form = page.identity(
    "beyond:outer-curve-above-the-threshold",
    "The outer curve from the threshold on",
    All((eq(_dlog_shift / _dlog_w, 1 - 1 / outer_factor), eq(_dlog_factor / _dlog_w, outer_change))),
    r"On the left are the derivatives by $\log w$ of the logarithms of $S$ and of $h$.",
    over=(gamma,),
    wrong={
        "S stands still": eq(_dlog_shift / _dlog_w, 0),
        "h upside down": eq(_dlog_shift / _dlog_w, 1 - outer_factor),
        "u without the first part": eq(_dlog_factor / _dlog_w, 1 - 1 / outer_factor),
    },
    steps=("beyond:pairs-at-full-distance", "beyond:distance-along-the-curve"),
    remark=r"At $z = 0$: $h = 1$ and $u = \frac{(\kappa-1)\eta^2}{2\kappa} \ge 0$, which is enough there.",
)

outer_grows = page.inequality(
    "beyond:outer-curve-grows",
    "The excess grows along the outer curve from the threshold on",
    All((gt(Derivative(_outer, _z), 0), ge(-Derivative(_spread, _z), 0), ge(outer_factor, 1))),
    "The excess rises, and $S$ does not fall, as $N$ does not rise.",
    wrong={
        "S falls": lt(-Derivative(_spread, _z), 0),
        "the excess falls": lt(Derivative(_outer, _z), 0),
        "h is 2 at least": ge(outer_factor, 2),
    },
)

_steep = page.real("k", "(eta + 2 z)/(2 z)", lower=1)
_u_outer = (h - 1) * (_steep / h**2 + 1 / h)

fast_enough = page.inequality(
    "beyond:outer-curve-is-steep-enough",
    "On the outer curve h grows fast enough",
    ge(2 * _u_outer, (h - 1) * _both_ends),
    r"On the left is $2u$ on the outer curve, with $k$ for $\frac{\eta+2z}{2z}$.",
    given=Hypothesis("h is at most v", le(h, v)),
    points={w: (0, 20), u: (0, 1), _steep: (1, 3), h: 1 + w * u},
    wrong={"any h": without(), "with u itself": ge(_u_outer, 2 * (h - 1) * _both_ends), "direction": turned()},
)

theorem = page.theorem(
    "beyond:outer-curve-falls-then-rises",
    "At or above the threshold the divergence falls and then rises along the outer curve",
    lt((falling * change).subs(u, _u_outer), 0),
    r"So at a level of at least 0 the slope along the outer curve changes its sign at most once, from minus to plus: for $\kappa$ of at least 1 the divergence of the wide distribution against the narrow one is largest at an end, in every dimension. Judged is the derivative of the critical level, times $K$.",
    printed=r"H_\varepsilon(z) \le \max\left(H_\varepsilon(0), H_\varepsilon(1)\right) \quad\text{for } \kappa \ge 1,\ \varepsilon \ge 0",
    given=(FALLING, RISING, _NOT_NEGATIVE),
    wrong={"direction": turned(), "at any level": without(_NOT_NEGATIVE)},
    steps=(
        Step("The sign of the slope.", "beyond:sign-along-a-rising-curve"),
        Step("It is nonnegative exactly from a critical level on.", "beyond:critical-level-on-a-curve"),
        Step("How that level moves.", "beyond:critical-level-along-a-curve"),
        Step("On the outer curve distance and excess grow together.", "beyond:outer-curve-grows"),
        Step("With these $h$ and $u$.", "beyond:outer-curve-above-the-threshold"),
        Step("At a critical level that is not negative $h^2 < v$,", Premise("beyond:critical-level-not-negative")),
        Step("and $h$ grows fast enough,", Premise("beyond:outer-curve-is-steep-enough")),
        Step("for the level to fall.", Premise("beyond:critical-level-falls-along-a-curve", {u: _u_outer})),
        Step(
            "The other order is no worse at $\\varepsilon \\ge 0$, at the same pair.",
            "beyond:wide-first-in-one-dimension",
        ),
        "beyond:wide-first-hockey-stick",
    ),
    remark=r"At negative levels, which are those of the narrow distribution first, the divergence can rise and then fall along the curve. "
    r"The pair at $z = 0$, of the norms 0 and $R_{rel}$, belongs to the inner curve as well.",
)

start = page.identity(
    "beyond:curves-begin-together",
    "The outer and the inner curve begin with the same pair",
    All(
        (
            eq(At(outer_excess, z, 0), At(inner_excess, z, 0)),
            eq(At(outer_excess, z, 1), q),
            eq(At(shift2, z, 1), eta**2 / gamma),
        )
    ),
    "The first is at $z$ of 0, the others at the other end of the outer curve.",
    over=(KAPPA,),
    wrong={
        "at the other end too": eq(At(outer_excess, z, 1), At(inner_excess, z, 1)),
        "q at the start": eq(At(outer_excess, z, 0), q),
    },
)
