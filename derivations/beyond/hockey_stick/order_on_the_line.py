r"""The wide distribution first is the worse order in one dimension too: by letting the distance grow.

Fix $v > 1$ and $\varepsilon > 0$, and let $F(D) = H_\varepsilon(P_v\|Q) - H_\varepsilon(Q\|P_v)$ for $d = 1$. $F(0) \ge 0$ as in more dimensions, and
$F(D) \to 0$ for large $D$. With $c = D/w$, $\tau = \frac{2v}w\varepsilon$, $x = c\sqrt{u_0+\tau}$ and $y = c\sqrt{u_0-\tau}$ the slope of $F$
has the sign of

$T = \log\frac{\sinh x}{\sinh y} - \frac{v+1}{2v}\tau$

(it is positive where $u_0 < \tau$, when the second divergence is 0). At a zero of $T$ its derivative in $c$ is negative, so
that $F$ first rises and then falls (either part may be missing), and is at least the smaller of $F(0)$ and its limit 0.

With $p(z) = z\tanh z$ the derivative is, up to a positive factor, $x\coth x - y\coth y - c^4v\,(1/p(y) - 1/p(x))$. At a zero of $T$
$c^4v \ge p(x)p(y)$, because $p$ is concave in $z^2$; and $p(x) - p(y) > x\coth x - y\coth y$, because $2z/\sinh 2z$ falls.
"""

from sympy import sinh

from rgm_verify.pages import *

from ...rgm.notation import HALF, NOTATION, d
from ...theorems import COMPARISON
from ..composition.releases_of_steps import line_cases
from ..pairs.mean_cosine import falling, page as _mean_cosine, rising, s, slope, zeta
from ..renyi.log_notation import P, R

page = Page("beyond", "used for the order of the worst pair; in neither version", NOTATION, _mean_cosine)
_c = page.positive("c", "distance of the centre from the narrow mean, D/w")
_r = page.positive("r", "radius")
_v = page.real("v", "the wide variance", lower=1, lower_open=True)
_tau = page.positive("tau", "how far the squares of the two radii are from that of level 0")
_m = page.real("m", "square of the radius less c^2 v: v log(v)/w and tau, added or subtracted")
_X = page.real("X", "log sinh x", latex=r"\log\sinh x")
_Y = page.real("Y", "log sinh y", latex=r"\log\sinh y")
_u0 = page.positive("u_0", "square of the radius where the loss is 0")
_sinh = named(r"\sinh(rc)", sinh(_r * _c).rewrite(exp))

two_ends = page.identity(
    "beyond:two-ends-of-the-interval",
    "The densities at the two ends of an interval",
    eq(exp(-((_r - _c) ** 2) / 2) - exp(-((_r + _c) ** 2) / 2), 2 * exp(-(_r**2 + _c**2) / 2) * _sinh),
    r"In one dimension the slope of $H_\varepsilon(P_v\|Q)$ in $D$ is the density of $P_v$ at the end of the interval that is nearer to its mean minus that at the other end, and there it is $e^\varepsilon$ times that of $Q$. On the left is the difference for $Q$, up to a factor.",
    points={_r: (0, 5), _c: (0, 5)},
    wrong={"once": exp(-(_r**2 + _c**2) / 2) * _sinh, "without c": 2 * exp(-(_r**2) / 2) * _sinh},
    steps=("beyond:level-set-sphere", "beyond:flux-through-the-sphere"),
    remark=r"The slope of $H_\varepsilon(Q\|P_v) = 1 - e^\varepsilon + e^\varepsilon H_{-\varepsilon}(P_v\|Q)$ is $e^\varepsilon$ times such a difference for $p_v$ on the "
    r"smaller interval, where $p_v = e^{-\varepsilon}q$.",
)

_level = (_v - 1) * _tau / (2 * _v)

sign_of_growth = page.identity(
    "beyond:slope-of-the-difference-of-orders",
    "The slopes of the two orders in the distance, compared",
    eq(_level - (_u0 + _tau) / 2 + _X + (_u0 - _tau) / 2 - _Y, _X - _Y - (_v + 1) / (2 * _v) * _tau),
    "On the left is the logarithm of the quotient of the two slopes, and on the right $T$.",
    over=(_u0,),
    wrong={
        "v - 1": _X - _Y - (_v - 1) / (2 * _v) * _tau,
        "without the level": left(-(_u0 + _tau) / 2 + _X + (_u0 - _tau) / 2 - _Y),
    },
    steps=("beyond:two-ends-of-the-interval", "beyond:radii-of-opposite-levels"),
)

_z = named("z", sqrt(_c**4 * _v + _c**2 * _m))

growth_of_concentration = page.identity(
    "beyond:concentration-against-distance",
    "How the concentration grows with the distance",
    eq(Derivative(_z, _c), (_z**2 + _c**4 * _v) / (_c * _z)),
    r"Both $x$ and $y$ are of this form. So $c$ times the derivative of $T$ is $x\coth x - y\coth y - c^4v(\frac{\coth y}y - \frac{\coth x}x)$.",
    given=Hypothesis("a real radius", gt(_c**2 * _v + _m, 0)),
    by=(Smt(), Identity(positive=(_c**2 * _v + _m,))),
    points={_c: (0, 5), _v: (1, 5), _m: (0, 5, _m - _c**2 * _v / 2)},
    wrong={"without c^4 v": _z / _c, "twice": 2 * (_z**2 + _c**4 * _v) / (_c * _z)},
)

_x = page.positive("x", "the larger concentration")
_y = page.positive("y", "the smaller concentration")
_lam = page.positive("lambda", "log(sinh x/sinh y)")

at_zero = page.inequality(
    "beyond:distance-at-a-zero",
    "The distance at a zero of T",
    ge(4 * _c**4 * _v * _lam**2, (_x**2 - _y**2) ** 2),
    r"The number $\lambda$ is the logarithm of $\sinh x/\sinh y$.",
    given=(
        Hypothesis("a zero of T", eq(_lam, (_v + 1) / (2 * _v) * _tau)),
        Hypothesis("the two concentrations", eq(_x**2 - _y**2, 2 * _tau * _c**2)),
    ),
    points={
        _x: (0, 5),
        _m: (0, 1),
        _v: (1, 5),
        _c: (0, 5),
        _y: _x * _m,
        _tau: _x**2 * (1 - _m**2) / (2 * _c**2),
        _lam: (_v + 1) / (2 * _v) * _x**2 * (1 - _m**2) / (2 * _c**2),
    },
    wrong={"without v": left(4 * _c**4 * _lam**2), "twice": left(2 * _c**4 * _v * _lam**2)},
)

_K, _rising, _slope = (named("K", falling.subs(d, 1)), rising.subs(d, 1), slope.subs(d, 1))
#: p = z tanh z in the square of the concentration, with its derivatives along the equation of s for d = 1.
_p = named("p", zeta * s)
_p1 = diff(_p, zeta) + diff(_p, s) * _slope
_p2 = diff(_p1, zeta) + diff(_p1, s) * _slope
_RISES = Hypothesis("y rises", gt(_rising, 0), "a variance", by=("beyond:mean-cosine-equation",))
_BELOW_START = Hypothesis("s is below its start", lt(s, 1), by=("beyond:mean-cosine-falls",))
_y2 = real("g", lower=0, upper=1).symbol
_share = real("f", lower=0, upper=1).symbol
#: y^2 = g, and s between 1 - g and 1.
_LINE = {_y2: (0, 1), _share: (0, 1), s: 1 - _y2 * _share, zeta: _y2 / (1 - _y2 * _share) ** 2}

concave = page.inequality(
    "beyond:z-tanh-z-concave",
    "z tanh z grows and is concave in the square of z",
    both(
        eq(Derivative(_p, zeta) + Derivative(_p, s) * _slope, s - _K / 2),
        eq(4 * zeta * (Derivative(_p1, zeta) + Derivative(_p1, s) * _slope), _K * (2 * zeta * s - 1) - 2 * zeta * s**2),
        gt(_p1, 0),
        lt(_p2, 0),
    ),
    r"In one dimension $s$ is $\tanh z/z$, and $p$ is $\zeta s$. The first two lines are its derivatives in $\zeta$.",
    printed=r"\frac{dp}{d\zeta} = s - \frac K2 > 0, \qquad \frac{d^2p}{d\zeta^2} = \frac{K(2\zeta s - 1) - 2\zeta s^2}{4\zeta} < 0",
    given=(Hypothesis("s falls", gt(_K, 0), by=("beyond:mean-cosine-falls",)), _RISES),
    points=_LINE,
    wrong={"convex": gt(_p2, 0), "falls": lt(_p1, 0)},
    steps=("beyond:mean-cosine-in-squares", "beyond:mean-cosine-explicit"),
)

_px = page.positive("p", "z tanh z at the larger concentration")
_py = page.positive("g", "z tanh z at the smaller one")

mean_of_reciprocal = page.inequality(
    "beyond:logarithm-against-geometric-mean",
    "The mean of a reciprocal over a straight way is below that of the geometric mean",
    le(log(_px / _py), (_px / _py - 1) / sqrt(_px / _py)),
    r"So over a straight way from $g$ to $p$ the mean of the reciprocal is at most $1/\sqrt{pg}$, and over a concave one as well, which lies above it.",
    given=Hypothesis("in order", ge(_px, _py)),
    points={_py: (0, 10), _y2: (0, 10), _px: _py + _y2},
    wrong={"the larger end": (_px / _py - 1) / (_px / _py), "in any order": without()},
    remark=r"$\lambda = \int_y^x\coth z\,dz = \frac12\int_{y^2}^{x^2}\frac{d\zeta}{p}$, so that $2\lambda\sqrt{p(x)p(y)} \le x^2 - y^2$.",
    steps=Premise("beyond:log-square-root-upper", {P: 1, R: _px / _py}),
)

comparison = page.inequality(
    "beyond:z-tanh-z-outgrows-z-coth-z",
    "z tanh z grows faster than z coth z",
    lt(diff(1 / s, s) * _slope, _p1),
    r"These are the derivatives in $\zeta$ of $z\coth z$, which is $1/s$, and of $z\tanh z$. Their difference is $-2z/\sinh 2z$, which rises.",
    given=(Hypothesis("y is below 1", lt(zeta * s**2, 1)), _BELOW_START),
    points=_LINE,
    wrong={"direction": turned(), "half of it": _p1 / 2},
    steps=("beyond:mean-cosine-in-squares", "beyond:mean-cosine-explicit"),
)

_w = page.positive("C", "c^4 v", latex="c^4v")
_gap = page.positive("G", "x^2 - y^2")
_nx = page.positive("n", "x coth x", latex=r"x\coth x")
_ny = page.positive("k", "y coth y", latex=r"y\coth y")
_h = page.positive("h", "square root of p(x) p(y)")
_WAY = (
    real("F", "value at a place"),
    real("F_0", "value at the start"),
    real("x", "the place"),
    real("m", "where the rise ends and the fall begins"),
    real("F_1", "limit"),
)
_there, _at_start, _place, _turn, _limit = (k.symbol for k in _WAY)
_STARTS = Hypothesis("starts", ge(_at_start, 0), by=("beyond:order-without-distance",))
_RISES_FIRST = Hypothesis("rises", Implies(le(_place, _turn), ge(_there, _at_start)))
_FALLS_LATER = Hypothesis("falls", Implies(ge(_place, _turn), ge(_there, _limit)))

rises_then_falls = page.inequality(
    "beyond:rises-then-falls",
    "A function that rises and then falls to 0 is nowhere below 0, if it does not start there",
    ge(_there, 0),
    "A function that starts at 0 or above, rises up to a place and from it on falls to the limit 0 is nowhere negative.",
    given=(_STARTS, Hypothesis("limit", eq(_limit, 0)), _RISES_FIRST, _FALLS_LATER),
    points={_at_start: (0, 2), _place: (0, 2), _turn: (0, 2), _there: (0, 1, _at_start + _there), _limit: 0 * _place},
    over=_WAY,
    wrong={
        "more than it started with": gt(_there, _at_start),
        "without the fall": without(_FALLS_LATER),
        "any start": without(_STARTS),
    },
    reading="The turn may be at the start or nowhere: then one part is missing.",
)

_AT_ZEROS = partial(line_cases, symbols=(_w, _gap, _lam, _px, _py, _h, _nx, _ny))

theorem = page.theorem(
    "beyond:wide-first-in-one-dimension",
    "The order with the wide distribution first is the worse one in one dimension",
    lt(_nx - _ny - _w * (1 / _py - 1 / _px), 0),
    r"This is so for every $\varepsilon$ of at least 0, every distance and every $v$ of at least 1. Judged is that the derivative of $T$ in $c$ is negative at a zero of $T$.",
    printed=r"H_\varepsilon(P_v\|Q) \ge H_\varepsilon(Q\|P_v) \quad\text{for } d = 1",
    given=(
        Hypothesis("at a zero of T", ge(4 * _w * _lam**2, _gap**2), by=("beyond:distance-at-a-zero",)),
        Hypothesis("the square root", eq(_h**2, _px * _py)),
        Hypothesis("p is concave", le(2 * _lam * _h, _gap), by=("beyond:logarithm-against-geometric-mean",)),
        Hypothesis("p grows", gt(_px, _py), by=("beyond:z-tanh-z-concave",)),
        Hypothesis("p outgrows z coth z", gt(_px - _py, _nx - _ny), by=("beyond:z-tanh-z-outgrows-z-coth-z",)),
    ),
    by=(Smt(), Unreduced(cases=_AT_ZEROS), Released(cases=_AT_ZEROS)),
    points={
        (_x, _y): (0, 3),
        _gap: (0, 5),
        (_share, _y2): (0, 1),
        _ny: (0, 5),
        _px: (_x + _y) ** 2,
        _py: _x**2,
        _h: (_x + _y) * _x,
        _lam: _gap * _share / (2 * _x * (_x + _y)),
        _w: (_x * (_x + _y) / _share) ** 2,
        _nx: _ny + ((_x + _y) ** 2 - _x**2) * _y2,
    },
    wrong={"direction": turned(), "half of c^4 v": left(_nx - _ny - _w * (1 / _py - 1 / _px) / 2)},
    steps=(
        Step("Without a distance the wide distribution first is the worse order.", "beyond:order-without-distance"),
        Step(
            r"The slope of the difference in the distance has the sign of $T$.",
            "beyond:slope-of-the-difference-of-orders",
        ),
        Step(r"The derivative of $T$.", "beyond:concentration-against-distance"),
        Step(r"At a zero of $T$: $c^4v \ge ((x^2-y^2)/(2\lambda))^2$.", "beyond:distance-at-a-zero"),
        Step(r"Since $p$ is concave in $z^2$,", "beyond:z-tanh-z-concave"),
        Step(r"that is at least $p(x)p(y)$,", "beyond:logarithm-against-geometric-mean"),
        Step(
            r"and $p(x)p(y)(1/p(y) - 1/p(x)) = p(x) - p(y)$ is more than $x\coth x - y\coth y$.",
            "beyond:z-tanh-z-outgrows-z-coth-z",
        ),
        COMPARISON.quoted(
            "So $-T$ stays positive once it is.",
            "It is what is assumed: a distance at which $T$ is negative.",
            "This is what the formula says.",
            "$T$ is an explicit function of the distance, of hyperbolic sines and square roots of positive numbers.",
        ),
        Step(
            "For large distances both divergences tend to 1, by half-spaces between the means.",
            "beyond:neyman-pearson-pointwise",
        ),
        Step("The difference first rises and then falls to its limit 0.", "beyond:rises-then-falls"),
        "beyond:weights-grow",
        "beyond:hockey-stick-at-negative-levels",
    ),
)

without_distance = page.inequality(
    "beyond:order-without-distance",
    "In one dimension without a distance the quotient of the densities is below 1 until it is infinite",
    lt(-HALF * log((_u0 + _tau) / (_u0 - _tau)) - (_v + 1) / (2 * _v) * _tau, 0),
    "On the left is the logarithm of $e^lf(l)/f(-l)$ without a distance. From $u_0$ on $f(-l)$ is 0: one change of sign, from minus to plus, so that $F$ does not start below 0.",
    given=Hypothesis("the smaller interval is there", lt(_tau, _u0)),
    by=Deduction((Premise("beyond:log-upper", {P: 1, positive("Q").symbol: (_u0 + _tau) / (_u0 - _tau)}),)),
    points={_y2: (0, 1), _tau: _u0 * _y2},
    wrong={
        "sign of the logarithm": left(HALF * log((_u0 + _tau) / (_u0 - _tau)) - (_v + 1) / (2 * _v) * _tau),
        "direction": turned(),
    },
    steps="beyond:quotient-of-loss-densities",
)
