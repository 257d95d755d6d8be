r"""The worst ratio of the variances for the hockey-stick divergence is one of the two ends.

Units of the narrow variance: wide $P_v = N(De_1, vI_d)$, narrow $Q = N(0, I_d)$, $w = v - 1 > 0$,
$H_\varepsilon(P\|Q) = \sup_A P(A) - e^\varepsilon Q(A)$. For every fixed $D$, every real $\varepsilon$, every
dimension and both orders, $v \mapsto H_\varepsilon$ first falls and then rises (either part may be missing), so that
its supremum over $[1, V]$ is at $v = 1$ or at $v = V$.

The best region is bounded by a sphere of radius $r$ around $c = -\frac Dw e_1$, at the distance $a = \frac{Dv}{w}$ from the
mean of $P_v$. By the heat equation $\partial_v p_v = \frac12\Delta p_v$ and Gauss's theorem the slope in $v$ is an integral over that
sphere, and has the sign of $r - ay(z)$, where $y$ is the mean cosine (`mean_cosine.py`) at $z = ra/v$. This is
nonnegative exactly if $\varepsilon \ge G(v)$ for a function $G$ that does not depend on $\varepsilon$, and $G$ falls. So
nothing is left but one change of sign, from minus to plus.
"""

from rgm_verify.pages import *

from ...rgm.notation import HALF, NOTATION, d
from ...theorems import COMPARISON, DIFFERENTIATION, DIVERGENCE, ENVELOPE
from ..pairs.mean_cosine import BETWEEN, FALLING, RISING, falling, page as _mean_cosine, rising, s, y, zeta
from ..pairs.pairs_in_space import looked_at, never_worse, variance_ends_cases

page = Page(
    "beyond", "used for the worst pair of the hockey-stick divergence; in neither version", NOTATION, _mean_cosine
)
w = page.positive("w", "wide variance minus 1, in units of the narrow variance")
D = page.nonnegative("D", "distance of the means, in units of the narrow scale")
eps = page.real("epsilon", "level of the privacy loss")
x = page.real("x", "coordinate along the line of the means, from the narrow mean")
u = page.nonnegative("u", "distance from that line")
radius = page.nonnegative("r", "radius of the sphere on which the privacy loss is epsilon")
t = page.real("t", "cosine of the angle between the axis and the direction from the centre", lower=-1, upper=1)
v = 1 + w
#: Distance of the centre of the sphere from the mean of the wide distribution.
to_mean = named("a", D * v / w)
#: log p_v(x)/q(x) at a point with the coordinates x along and u across the line of the means.
log_ratio = -((x - D) ** 2 + u**2) / (2 * v) + (x**2 + u**2) / 2 - d * log(v) / 2
#: The square of the radius, where the level is epsilon.
radius2 = named("r^2", (D**2 * v + w * v * (d * log(v) + 2 * eps)) / w**2)

level_set = page.identity(
    "beyond:level-set-sphere",
    "The privacy loss is constant on spheres around a point behind the narrow mean",
    eq(log_ratio - eps, w / (2 * v) * ((x + D / w) ** 2 + u**2 - radius2)),
    r"The best region of $P_v$ against $Q$ is outside of the sphere of radius $r$ around $-\frac Dwe_1$.",
    wrong={
        "centre on the other side": w / (2 * v) * ((x - D / w) ** 2 + u**2 - radius2),
        "radius without v": w / (2 * v) * ((x + D / w) ** 2 + u**2 - radius2 / v),
        "sign of epsilon": w / (2 * v) * ((x + D / w) ** 2 + u**2 - radius2.subs(eps, -eps)),
    },
    remark=r"For $\varepsilon < 0$ the right side for $r^2$ may be negative: then the best region is everything, and $H = 1 - e^\varepsilon$.",
)

_b = page.positive("b", "distance from the mean of the wide distribution")
_v = page.positive("v", "the wide variance")
_log_density = named(r"\ell", -(_b**2) / (2 * _v) - d * log(_v) / 2)


def _laplacian(others: Expr) -> Expr:
    """The Laplace operator of the density over the density, with the number of the other directions."""
    slope = Derivative(_log_density, _b)
    return Derivative(_log_density, (_b, 2)) + slope**2 + others / _b * slope


heat = page.identity(
    "beyond:heat-equation",
    "The density of the wide distribution solves the heat equation",
    eq(Derivative(_log_density, _v), HALF * _laplacian(d - 1)),
    "This is the heat equation for $p_v$ at the distance $b$ from the mean, divided by $p_v$.",
    printed=r"\partial_v p_v = \tfrac12\Delta p_v",
    wrong={"without the factor 1/2": _laplacian(d - 1), "d for d - 1": HALF * _laplacian(d)},
)

_on_sphere = named(r"\ell", -(radius**2 + to_mean**2 - 2 * radius * to_mean * t) / (2 * v))
_z = named("z", radius * D / w)
_at_cosine = eq(_on_sphere, _z * t - (radius**2 + to_mean**2) / (2 * v))
_outwards = eq(Derivative(_on_sphere, radius), -(radius - to_mean * t) / v)

flux = page.identity(
    "beyond:flux-through-the-sphere",
    "The slope in the variance as an integral over the sphere",
    both(_at_cosine, _outwards),
    "At the point of the sphere with the cosine $t$ the logarithm of $p_v$ is $zt$ plus what does not depend on $t$; the second line is its derivative in the direction from the centre.",
    wrong={
        "sign of t": both(eq(_on_sphere, -_z * t - (radius**2 + to_mean**2) / (2 * v)), _outwards),
        "distance to the narrow mean": both(_at_cosine, eq(Derivative(_on_sphere, radius), -(radius - D / w * t) / v)),
    },
    steps=(
        "beyond:heat-equation",
        "beyond:level-set-sphere",
        ENVELOPE.quoted(
            r"The slope of the supremum over regions is the slope at the best region $A$: $\frac{d}{dv}H_\varepsilon(P_v\|Q) = \int_A\partial_vp_v$.",
            "$P_v(A)$ is differentiable in $v$, with a derivative that is continuous in $v$ uniformly over regions, as that of the density is in the mean.",
            "beyond:neyman-pearson-pointwise",
        ),
        DIFFERENTIATION.quoted(
            r"The derivative may be taken inside: $\frac{d}{dv}P_v(A) = \int_A\partial_vp_v$.",
            "The density is smooth in $v > 0$.",
            "Near a $v$ a Gaussian density of a larger variance, times a polynomial, bounds the derivative.",
        ),
        DIVERGENCE.quoted(
            r"$\frac12\int_A\Delta p_v = \frac1{2v}\int_S(r-at)\,p_v$ for the outside $A$ of the sphere $S$, a positive multiple of $r - ay(z)$.",
            "Its boundary is a sphere.",
            "The gradient of the density is smooth and falls off as the density does.",
        ),
    ),
    remark=r"In the same way $\frac{d}{dD}H_\varepsilon(P_v\|Q) = -\int_A\partial_1 p_v = \int_S t\,p_v$, a positive multiple "
    r"of $y(z) > 0$: the divergence grows with the distance.",
)

_a = page.positive("a", "distance of the centre of the interval from the mean")
_outside = (erfc((radius - _a) / sqrt(2 * _v)) + erfc((radius + _a) / sqrt(2 * _v))) / 2
_near, _far = (exp(-((radius - k * _a) ** 2) / (2 * _v)) / sqrt(2 * pi * _v) for k in (1, -1))

flux_in_one_dimension = page.identity(
    "beyond:flux-in-one-dimension",
    "The same for one dimension, from the error function",
    eq(Derivative(_outside, _v), ((radius - _a) * _near + (radius + _a) * _far) / (2 * _v)),
    "On the left is the derivative in the variance of the probability of leaving the interval: the flux of the general case, without Gauss's theorem.",
    points={radius: (0, 5), _a: (0, 5), _v: (HALF, 5)},
    wrong={"twice": scaled(2), "sign of a": ((radius + _a) * _near + (radius - _a) * _far) / (2 * _v)},
)

_critical_s = w**2 / (D**2 * v)
_D = page.positive("D", "distance of the means, in units of the narrow scale")

zero_of_slope = page.identity(
    "beyond:sign-of-the-slope",
    "The slope is nonnegative where y/z is at most w^2/(D^2 v)",
    eq((radius - to_mean * y).subs(D, _D), (to_mean * (_critical_s * _z - y)).subs(D, _D)),
    wrong={
        "without v": (to_mean * (_critical_s * v * _z - y)).subs(D, _D),
        "w for its square": (to_mean * (_critical_s / w * _z - y)).subs(D, _D),
    },
    steps="beyond:flux-through-the-sphere",
    remark=r"Since $s = y/z$ falls from $1/d$, the slope is nonnegative exactly where $z^2 \ge \zeta(v)$: the number with "
    r"$s = \frac{w^2}{D^2v}$, or 0 where that is $1/d$ or more. For $D = 0$ it never is negative.",
)

#: The level at which the slope in the variance is zero, where z^2 = zeta.
critical_level = named("G", (zeta * w**3 / (_D**2 * v) - _D**2 / w - d * log(v)) / 2)
_square_of_z = named("z^2", (radius2 * D**2 / w**2).subs(D, _D))

critical = page.identity(
    "beyond:critical-level",
    "The level at which the slope vanishes",
    eq(_square_of_z - zeta, 2 * _D**2 * v / w**3 * (eps - critical_level)),
    r"With $\zeta$ at the place where the slope vanishes it is nonnegative exactly from the level $G$ on.",
    wrong={
        "without the logarithm": 2 * _D**2 * v / w**3 * (eps - critical_level - d * log(v) / 2),
        "half": _D**2 * v / w**3 * (eps - critical_level),
    },
    steps=("beyond:sign-of-the-slope", "beyond:level-set-sphere"),
)

_radius_level = _D**2 / w + d * log(v)

no_sphere = page.inequality(
    "beyond:variances-without-a-sphere",
    "The variances for which there is no sphere form an interval",
    both(
        eq(Derivative(_radius_level, w), (d * w**2 - _D**2 * v) / (w**2 * v)),
        Iff(gt(Derivative(_radius_level, w), 0), gt(w**2 / (_D**2 * v), 1 / d)),
    ),
    r"There is no sphere where $\frac{D^2}w + d\log v$ is below $-2\varepsilon$. These $v$ form an interval around the place where the derivative is 0, if there are any.",
    wrong={
        "half of d": Iff(gt(Derivative(_radius_level, w), 0), gt(w**2 / (_D**2 * v), 1 / (2 * d))),
        "rises everywhere": gt(Derivative(_radius_level, w), 0),
    },
    steps="beyond:level-set-sphere",
)

_dcritical = diff(_critical_s.subs(D, _D), w)
_dzeta = -2 * zeta / falling * _dcritical
_total = (diff(critical_level, w) + diff(critical_level, zeta) * _dzeta).subs(_D, w / sqrt(s * v))
#: Minus 2 v s times the derivative of G: a sum of positive terms.
descent = 2 * (v + 1) * zeta * s**2 * rising / falling + falling
_BETWEEN = {**BETWEEN}

critical_falls_by = page.identity(
    "beyond:critical-level-derivative",
    "How fast the critical level falls",
    eq(2 * v * s * _total, -descent),
    r"The derivative is the one along the solution $\zeta(v)$, by the equation of $s$.",
    printed=r"2vs\,\frac{dG}{dv} = -\frac{2(v+1)\zeta s^2y'}{K} - K",
    given=FALLING,
    points=_BETWEEN,
    wrong={"sign of K": -descent + 2 * falling, "v for v + 1": -descent + 2 * zeta * s**2 * rising / falling},
    steps=("beyond:critical-level", "beyond:mean-cosine-in-squares"),
)

_SLOPE_0 = partial(variance_ends_cases, symbols=(w, s, zeta, d))

one_sign_change = page.theorem(
    "beyond:variance-ends",
    "The divergence first falls and then rises in the larger variance",
    lt(2 * v * s * falling * _total, 0),
    r"So for a fixed distance the slope of $v \mapsto H_\varepsilon(P_v\|Q)$ changes its sign at most once, from minus to plus, for every real $\varepsilon$, and the same is true of $H_\varepsilon(Q\|P_v)$.",
    printed=r"H_\varepsilon(P_v\|Q) \le \max\left(H_\varepsilon(P_1\|Q), H_\varepsilon(P_V\|Q)\right) \quad\text{for } 1 \le v \le V",
    given=(FALLING, RISING),
    by=(
        combination((2 * (v + 1) * zeta * s**2, rising), (falling, falling)),
        Unreduced(cases=_SLOPE_0),
        Released(cases=partial(_SLOPE_0, orders=1)),
    ),
    points=_BETWEEN,
    wrong={"direction": turned(), "twice as fast": -2 * falling**2, "y need not rise": without(RISING)},
    steps=(
        Step("The best region is the outside of a sphere.", "beyond:level-set-sphere"),
        Step("The density solves the heat equation,", "beyond:heat-equation"),
        Step("so that the slope is an integral over the sphere", "beyond:flux-through-the-sphere"),
        Step(r"and has the sign of $\frac{w^2}{D^2v} - y(z)/z$.", "beyond:sign-of-the-slope"),
        Step(r"Since $y(z)/z$ falls,", "beyond:mean-cosine-falls"),
        Step(r"it is nonnegative exactly if $\varepsilon \ge G(v)$.", "beyond:critical-level"),
        Step(
            "The derivative of $G$ is minus a sum of positive terms, because $y$ rises.",
            "beyond:critical-level-derivative",
        ),
        Step(
            "The other order has the same sign of the slope, at the level $-\\varepsilon$.",
            "beyond:hockey-stick-at-negative-levels",
        ),
        "beyond:mean-cosine-equation",
        COMPARISON.quoted(
            r"So $\varepsilon - G(v)$, which has the sign of the slope, stays positive once it is.",
            "It is what is assumed: a place where the slope is positive.",
            "This is what the formula says.",
            "G is an explicit function of $v$ and of the inverse of $s$, which is differentiable as $s$ falls.",
        ),
        Step(
            r"Where $r^2 < 0$ there is no sphere and $H = 1 - e^\varepsilon$, the smallest value it can have. Left of the interval of those $v$ the slope is negative near it, hence everywhere; right of it "
            r"$\zeta(v) = 0$ and the slope is positive.",
            "beyond:variances-without-a-sphere",
        ),
        Step("A function that falls and then rises is nowhere above both of its ends.", "beyond:falls-then-rises"),
    ),
    reading=r"Where the slope vanishes, $\zeta$ and $s = y/z$ stand for the square of the concentration and the mean cosine over it. What is "
    r"judged here is that the derivative of $G$ there, times the positive number $2vsK$, is negative.",
)

_ENDS = (
    real("h", "value at a place"),
    real("h_1", "value at the left end"),
    real("h_V", "value at the right end"),
    real("x", "the place"),
    real("m", "where the fall ends and the rise begins"),
)
_value, _left, _right, _place, _turn = (k.symbol for k in _ENDS)
_RISES = Hypothesis("rises", Implies(ge(_place, _turn), le(_value, _right)))

falls_then_rises = page.inequality(
    "beyond:falls-then-rises",
    "A function that falls and then rises is largest at an end",
    le(_value, Max(_left, _right)),
    "If a function falls up to a place and rises from it on, no value exceeds both values at the ends.",
    given=(Hypothesis("falls", Implies(le(_place, _turn), le(_value, _left))), _RISES),
    points={(_left, _right): (-2, 2), (_place, _turn): (0, 1), _value: (0, 1, Min(_left, _right) - _value)},
    over=_ENDS,
    wrong={"at most the smaller end": le(_value + 1, Min(_left, _right)), "without the rise": without(_RISES)},
    reading="The turn may lie outside of the interval: then one part is missing.",
)

_PAIR = Outputs((D,), (), d, variances=(v, Integer(1)))
#: From the excess w to one that is larger by a half, where the level is large.
_WIDER = never_worse(_PAIR, _PAIR.subs({w: w + Rational(1, 2)}), (eps,), both=False)
_LARGE_LEVELS = tuple(
    {w: Rational(a), D: Rational(b), eps: Rational(e), d: Integer(n)}
    for a, b, e, n in (("1/2", "1/2", "1/4", 2), ("1", "1", "1/2", 1), ("1/10", "2", "3", 3), ("1", "0", "1", 30))
)

from_half_square = page.inequality(
    "beyond:larger-variance-is-worse",
    "From half of the squared distance on, the larger variance is worse",
    ge(radius2, to_mean**2),
    r"So the slope is positive at every such level: $H_\varepsilon(P_v\|Q)$ rises in $v$ on its whole way, and is largest at the largest variance.",
    given=Hypothesis("large level", ge(2 * eps, D**2)),
    by=(
        Deduction((Premise("beyond:log-upper", {positive("P").symbol: 1, positive("Q").symbol: v}),)),
        *looked_at(_WIDER, _LARGE_LEVELS),
    ),
    points={d: (1, 1000), eps: D**2 / 2 + u},
    wrong={"a quarter": instead(Hypothesis("large level", ge(4 * eps, D**2))), "twice the distance": 4 * to_mean**2},
    steps="beyond:flux-through-the-sphere",
    remark=r"The level cannot be lowered: $G(v) \to D^2/2$ as $v \to 1$, so that for $\varepsilon < D^2/2$ the divergence falls at first.",
)

_W = page.positive("W", "the largest excess")
_f = page.real("f", "share of the largest excess", lower=0, upper=1, lower_open=True)
_eps0 = page.nonnegative("epsilon", "level of the privacy loss")


def _tail(value: Expr) -> Expr:
    """The probability that a standard normal variable exceeds a number."""
    return erfc(value / sqrt(2)) / 2


def wide_in_one_dimension(excess: Expr, distance: Expr, level: Expr) -> Expr:
    """H of the wide distribution against the narrow one for d = 1, where the radius is real."""
    radius_1 = sqrt(radius2.subs({w: excess, D: distance, eps: level, d: 1}, simultaneous=True))
    centre, scale = distance / excess, sqrt(1 + excess)
    mean = centre * (1 + excess)
    outside = _tail((radius_1 - mean) / scale) + _tail((radius_1 + mean) / scale)
    return outside - exp(level) * (_tail(radius_1 - centre) + _tail(radius_1 + centre))


def equal_variances(distance: Expr, level: Expr) -> Expr:
    """H of two normal distributions with variance 1."""
    return _tail(level / distance - distance / 2) - exp(level) * _tail(level / distance + distance / 2)


_ends = Max(equal_variances(_D, _eps0), wide_in_one_dimension(_W, _D, _eps0))

in_one_dimension = page.inequality(
    "beyond:variance-ends-in-one-dimension",
    "The theorem in one dimension, at points",
    le(wide_in_one_dimension(_f * _W, _D, _eps0), _ends),
    printed=r"H_\varepsilon(P_{1+fW}\|Q) \le \max\left(H_\varepsilon(P_1\|Q), H_\varepsilon(P_{1+W}\|Q)\right)",
    by=(Points(), Search()),
    points={_W: (0, 4), _D: (0, 5), _eps0: (0, 5)},
    wrong={
        "equal variances are the worst": equal_variances(_D, _eps0),
        "the largest variance is the worst": wide_in_one_dimension(_W, _D, _eps0),
    },
    steps="beyond:variance-ends",
    remark="An end-to-end look at what the steps prove, with the error function; only points, so that it ends as supported.",
)
