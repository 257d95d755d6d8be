r"""Appendix B, preamble: Bregman divergences, conjugates, relative smoothness.

$D_h(\theta,\theta')$ is the height of $h$ above its tangent. Everything said of it is about few numbers: values of $h$, inner products of gradients and
differences, so that each statement, in every dimension, is one about reals. The printed conjugate takes the place of the maximum for its
value, and the letter $f$ for $h$; with the maximum, the identity of conjugates is Fenchel's equality
used twice, for functions that are strictly convex.
"""

from ... import looseness
from ...theorems import CAUCHY_SCHWARZ, FENCHEL, TANGENT
from ..descent_notation import *
from . import utility_worlds as worlds

page = Page("rgm-v1+v2", "App. B", DESCENT_NOTATION)
_x = page.real("x", "theta, in dimension 1")
_y = page.real("y", "theta', in dimension 1")
_v = page.real("h", "h(theta)", latex=r"h(\theta)")
_w = page.real("h'", "h(theta')", latex=r"h(\theta')")
_p = page.real("p", "gradient of h at theta', times theta - theta'", latex=r"\nabla h(\theta')^\top(\theta-\theta')")
_n = page.nonnegative("n", "|theta|^2", latex=r"\|\theta\|^2")
_m = page.nonnegative("n'", "|theta'|^2", latex=r"\|\theta'\|^2")
_cos = page.real("c", "theta . theta'", latex=r"\theta^\top\theta'")
r = page.nonnegative("r", "squared distance of the points", latex=r"\|\theta-\theta'\|^2")
G = page.nonnegative("G", "squared distance of the gradients", latex=r"\|\nabla h(\theta)-\nabla h(\theta')\|^2")
_d_h = named(r"D_h(\theta,\theta')", _v - _w - _p)
_AFFINE = tuple(real(k, f"the linear function at {p}") for k, p in (("a", "theta"), ("a'", "theta'")))
_CONSTANT = real("k", "a constant")
_a, _b, _k = (v.symbol for v in (*_AFFINE, _CONSTANT))

definition = page.at("v1 (47), v2 (52)", "BR.1").definition(
    "rgm:bregman-definition",
    "The Bregman divergence is the height above the tangent",
    eq(printed(lambda: (_v + _a + _k) - (_w + _b + _k) - (_p + (_a - _b))), _d_h),
    "It does not see an affine function that is added to $h$.",
    by=(Identity(), Smt()),
    over=(_v, _w, _p, *_AFFINE, _CONSTANT),
    wrong={
        "the gradient of h alone": left((_v + _a + _k) - (_w + _b + _k) - _p),
        "sign of the linear term": left((_v + _a + _k) - (_w + _b + _k) + (_p + (_a - _b))),
    },
    reading="A definition; judged by what it is used for, in every dimension and for every differentiable function. The linear function's gradient times $\\theta-\\theta'$ is the difference of its values.",
    printed=r"D_h(\theta,\theta') = h(\theta) - h(\theta') - \nabla h(\theta')^\top(\theta-\theta')",
)

_square = named(r"\|\theta-\theta'\|^2", _n - 2 * _cos + _m)
_above_mu = named(
    r"D_{h-\frac{\mu}{2}\|\cdot\|^2}(\theta,\theta')", (_v - mu / 2 * _n) - (_w - mu / 2 * _m) - (_p - mu * (_cos - _m))
)
_above_l = named(
    r"D_{\frac{L}{2}\|\cdot\|^2-h}(\theta,\theta')", (L / 2 * _n - _v) - (L / 2 * _m - _w) - (L * (_cos - _m) - _p)
)

bounds = page.at("v1 (48), v2 (53)", "BR.2").proposition(
    "rgm:bregman-bounds",
    "Smooth and strongly convex, by the Bregman divergence",
    Iff(both(ge(_above_mu, 0), ge(_above_l, 0)), both(le(mu / 2 * _square, _d_h), le(_d_h, L / 2 * _square))),
    by=(Smt(), worlds.BREGMAN_BOUNDS),
    wrong={
        "mu for mu/2": Iff(
            both(ge(_above_mu, 0), ge(_above_l, 0)), both(le(mu * _square, _d_h), le(_d_h, L / 2 * _square))
        ),
        "no lower bound": Iff(both(ge(_above_mu, 0), ge(_above_l, 0)), le(_d_h, L / 2 * _square)),
        "the square for its half": Iff(
            both(ge(_above_mu, 0), ge(_above_l, 0)), both(le(mu / 2 * _square, _d_h), le(_d_h, L * _square))
        ),
    },
    steps=(
        TANGENT.quoted(
            "Convex functions lie above their tangents, and a differentiable function that does is convex.",
            "Smooth and strongly convex say so of the two functions.",
        ),
        Step("The same, with the gradients.", "beyond:lipschitz-gradient"),
    ),
    reading=r"Smooth and strongly convex: both functions are convex, for differentiable $h$ the same as lying above all tangents. That a gradient which is "
    r"$L$-Lipschitz gives the second, and conversely, is the next claim.",
)

# z = theta' + g/L with g the difference of the gradients: tangent at theta from below, the parabola at theta' from above.
_z = page.real("h_z", "h at theta' + g/L", latex=r"h(\theta'+g/L)")
_q = page.real("q", "gradient of h at theta, times theta' - theta", latex=r"\nabla h(\theta)^\top(\theta'-\theta)")
_a_2 = page.real("m", "gradient of h at theta', times g", latex=r"\nabla h(\theta')^\top g")
_TANGENT = Hypothesis("tangent at theta", ge(_z, _v + _q + (_a_2 + G) / L), "convexity")
_PARABOLA = Hypothesis("parabola at theta'", le(_z, _w + _a_2 / L + G / (2 * L)), "smoothness")
_reverse = named(r"D_h(\theta',\theta)", _w - _v - _q)
_s, _t, _u = (nonnegative(n).symbol for n in "stu")
_AT_Z = {_s: (0, None), _t: (0, None), _z: _v + _q + (_a_2 + G) / L + _s, _w: _v + _q + G / (2 * L) + _s + _t}

cocoercive = page.at(source="beyond").inequality(
    "beyond:gradient-difference-by-bregman",
    "The difference of two gradients is bounded by the Bregman divergence",
    le(G, 2 * L * _reverse),
    "For convex, $L$-smooth $h$ and all points.",
    given=(_TANGENT, _PARABOLA),
    by=(
        combination((2 * L, _z - _v - _q - (_a_2 + G) / L), (2 * L, _w + _a_2 / L + G / (2 * L) - _z)),
        Smt(),
        worlds.BY_BREGMAN.mapped(worlds.of_bregman, _v, _w, _z, _q, _a_2, G, L),
    ),
    points=_AT_Z,
    wrong={"L for 2L": L * _reverse, "without convexity": without(_TANGENT), "without smoothness": without(_PARABOLA)},
    steps=TANGENT.quoted("The tangent at $\\theta$, at $\\theta' + g/L$.", "$h$ is convex."),
    reading=r"$G$ is the squared norm of $g = \nabla h(\theta) - \nabla h(\theta')$, and $\nabla h(\theta)\cdot g = \nabla h(\theta')\cdot g + G$.",
    tightness=looseness.GRADIENT,
)

lipschitz = page.at("v1 (48), v2 (53)", "BR.2", source="beyond").proposition(
    "beyond:lipschitz-gradient",
    "The bounds on the Bregman divergence make the gradient Lipschitz",
    le(G, L**2 * r),
    "If $h$ is convex and the bound holds at all points.",
    given=(_TANGENT, _PARABOLA, Hypothesis("the bound at theta', theta", le(_reverse, L / 2 * r), "v1 (48), v2 (53)")),
    points={**_AT_Z, _u: (0, None), r: (2 / L) * (G / (2 * L) + _s + _t) + _u},
    wrong={"L for its square": L * r, "half of it": L**2 * r / 2, "without convexity": without("tangent at theta")},
    steps="beyond:gradient-difference-by-bregman",
    remark=r"Conversely a Lipschitz gradient bounds $D_h$ by the integral of $sL|\theta-\theta'|^2$ over $s$ from 0 to 1. Without convexity the "
    r"upper bound alone says nothing about the gradient: $-\frac K2\theta^2$ obeys it for every $L$.",
)

_angle = page.real(
    "s",
    "difference of the gradients times difference of the points",
    latex=r"(\nabla h(\theta)-\nabla h(\theta'))^\top(\theta-\theta')",
)

cauchy = page.at("", "BR.2", source="beyond").inequality(
    "beyond:bregman-sum",
    "Both Bregman divergences add up to the inner product",
    both(ge(_angle, mu * r), le(_angle, L * r)),
    given=(
        Hypothesis("lower bound", ge(_d_h, mu / 2 * r)),
        Hypothesis("lower bound, exchanged", ge(_w - _v + (_p + _angle), mu / 2 * r)),
        Hypothesis("Lipschitz gradient", le(G, L**2 * r)),
        Hypothesis("Cauchy and Schwarz", le(_angle**2, G * r)),
    ),
    by=(Smt(), worlds.BREGMAN_SUM),
    points={
        (_s, _t): (0, 1),
        L: mu * (1 + _s),
        _w: _v - _p - mu / 2 * r,
        _angle: mu * r * (1 + _s * _t),
        G: (mu * (1 + _s * _t)) ** 2 * r,
    },
    wrong={
        "twice mu": both(ge(_angle, 2 * mu * r), le(_angle, L * r)),
        "half of L": both(ge(_angle, mu * r), le(_angle, L * r / 2)),
    },
    steps=CAUCHY_SCHWARZ.quoted(
        "$(g\\cdot(\\theta-\\theta'))^2 \\le |g|^2|\\theta-\\theta'|^2$.", "It is the usual one."
    ),
)

_curve = page.positive("kappa", "curvature of h on the line")
_d_quadratic = _curve / 2 * _x**2 - _curve / 2 * _y**2 - _curve * _y * (_x - _y)
_dual = page.real("u", "point of the dual space")


def _bregman_of_conjugate(value: Expr, slope: Expr) -> Expr:
    """D of a conjugate at (h'(y), h'(x)) for h = kappa x^2/2."""
    first, second = _curve * _y, _curve * _x
    return value.subs(_dual, first) - value.subs(_dual, second) - slope.subs(_dual, second) * (first - second)


_PLACE, _VALUE = _dual / _curve, _dual**2 / (2 * _curve)

conjugate_printed = page.at("before v1 (49), before v2 (54)", "BR.3").definition(
    "rgm:conjugate-definition",
    "The convex conjugate, as printed",
    eq(_d_quadratic, _bregman_of_conjugate(_PLACE, 1 / _curve)),
    reading=r"$f$ is read as $h$, and the definition is judged by the identity for which it is made: the place of the maximum is $\theta/\kappa$, an affine function, whose Bregman divergence vanishes.",
    instance=r"Judged by $h(u) = \frac\kappa2u^2$ on the line.",
    mistake=("misprint", "beyond:conjugate-definition"),
    remark="The place of the maximum is a point of the space and not a number; it is the gradient of the conjugate.",
    printed=r"h^*(\theta) = \arg\max_u \theta^\top u - f(u)",
)

_point = real("v").symbol

conjugate = page.at("before v1 (49), before v2 (54)", source="beyond").definition(
    "beyond:conjugate-definition",
    "The convex conjugate is the maximum itself",
    both(
        eq(_d_quadratic, _bregman_of_conjugate(_VALUE, _VALUE.diff(_dual))),
        eq(Derivative(_VALUE, _dual), _PLACE),
        eq(At(_dual * _point - _curve / 2 * _point**2, _point, _PLACE), _VALUE),
    ),
    "The place of the maximum is the derivative of $h^*$.",
    by=(Identity(), Smt()),
    wrong={
        "the place for the value": eq(_d_quadratic, _bregman_of_conjugate(_PLACE, 1 / _curve)),
        "half of the conjugate": eq(_d_quadratic, _bregman_of_conjugate(_VALUE, _VALUE.diff(_dual)) / 2),
    },
    printed=r"h^*(\theta) = \max_u \theta^\top u - h(u)",
)

_tp = page.real("a", "theta . gradient of h at theta")
_tq = page.real("b", "theta . gradient of h at theta'")
_sq = page.real("e", "theta' . gradient of h at theta'")
_half = Rational(1, 2)
_star_prime = page.real("h*'", "h* at the gradient of h at theta'")
_star = page.real("h*", "h* at the gradient of h at theta")
_inverse_prime = page.real("p'", "gradient of h* at grad h(theta), times grad h(theta')")
_inverse = page.real("g", "gradient of h* at grad h(theta), times grad h(theta)")

_FENCHEL = (
    Hypothesis("Fenchel's equality at theta'", eq(_star_prime, _sq - _w), "h is convex and differentiable"),
    Hypothesis("Fenchel's equality at theta", eq(_star, _tp - _v), "h is convex and differentiable"),
)
_INVERTED = (
    Hypothesis("the gradient of h* inverts that of h, against theta'", eq(_inverse_prime, _tq), "h is strictly convex"),
    Hypothesis("the gradient of h* inverts that of h, against theta", eq(_inverse, _tp), "h is strictly convex"),
)

identity = page.at("v1 (49), v2 (54)").correction(
    "rgm:bregman-of-conjugate",
    "The Bregman divergence of the conjugate, with the points exchanged",
    eq(_v - _w - (_tq - _sq), _star_prime - _star - (_inverse_prime - _inverse)),
    "For $h$ closed, differentiable and strictly convex, in every dimension.",
    given=(*_FENCHEL, *_INVERTED),
    by=Smt(),
    points=dict.fromkeys((_v, _w, _tp, _tq, _sq), (-3, 3))
    | {_star_prime: _sq - _w, _star: _tp - _v, _inverse_prime: _tq, _inverse: _tp},
    wrong={
        "points not exchanged": scaled(-1),
        "without the linear term": eq(_v - _w, _star_prime - _star),
        "any point of the gradient of h*": changed(hypotheses=_FENCHEL),
    },
    steps=(
        Step("The conjugate is the maximum.", "beyond:conjugate-definition"),
        FENCHEL.quoted(
            "Values and gradient of the conjugate.",
            "The function is closed, differentiable and strictly convex by assumption.",
        ),
        Step("The same for a function that is not quadratic.", "beyond:bregman-of-conjugate-exponential"),
    ),
    reading=r"$h^*$ is the maximum (see the corrected definition). Its gradient at $\nabla h(\theta)$ is $\theta$.",
    printed=r"D_h(\theta,\theta') = D_{h^*}(\nabla h(\theta'), \nabla h(\theta))",
)

# Huber's function: x^2/2 up to 1, |x| - 1/2 beyond. Its conjugate is u^2/2 on [-1, 1] and infinite elsewhere.
_FAR = tuple(real(f"x_{i}", "theta, where h is affine", lower=1) for i in (1, 2))
page.declare(*_FAR)
_NEAR = real("y", "theta', where h is quadratic", lower=-1, upper=1)
_chosen = page.real("s", "what is taken for the gradient of h* at 1", lower=1)
_far = tuple(v.symbol for v in _FAR)
_near = _NEAR.symbol
_huber_of_conjugate = _near**2 / 2 - _half - _chosen * (_near - 1)

identity_printed = page.at("v1 (49), v2 (54)", "BR.4").identity(
    "rgm:bregman-of-conjugate-printed",
    "The Bregman divergence of the conjugate, for any function",
    both(*(eq((x - _half) - _near**2 / 2 - _near * (x - _near), _huber_of_conjugate) for x in _far)),
    "For Huber's function on the line and two points where it is affine.",
    points={_far[0]: (1, 4), _far[1]: (1, 4), _chosen: (1, 4)},
    over=(*_FAR, _NEAR, _chosen),
    reading=r"Printed for a function $h$, of which nothing is assumed; Huber's is convex and has a continuous gradient. $h^*$ is the maximum. All "
    r"$\theta \ge 1$ have the gradient 1, an end of the domain of $h^*$, where its subgradients are $s \ge 1$: the right side is the same for all of "
    r"them, whatever $s$ is taken, and the left side is not.",
    mistake=("missing hypothesis", "rgm:bregman-of-conjugate"),
    remark=r"$h$ has to be strictly convex. Without convexity the identity fails where everything in it is defined: "
    "`beyond:bregman-of-conjugate-not-convex`.",
    printed=r"D_h(\theta,\theta') = D_{h^*}(\nabla h(\theta'), \nabla h(\theta))",
)

_QUARTIC = real("x", "any point")
_any, _place = _QUARTIC.symbol, real("z").symbol


def _quartic(point: Expr) -> Expr:
    return point**4 / 4 - Rational(7, 2) * point**2


not_convex = page.at("v1 (49), v2 (54)", source="beyond").remark(
    "beyond:bregman-of-conjugate-not-convex",
    "Without convexity the identity of conjugates fails where all of it is defined",
    both(
        eq(At(_quartic(_place).diff(_place), _place, Integer(1)), -6),
        eq(At(_quartic(_place).diff(_place), _place, Integer(-4)), -36),
        le(-6 * _any - _quartic(_any), At(-6 * _place - _quartic(_place), _place, Integer(-3))),
        Implies(ne(_any, -3), lt(-6 * _any - _quartic(_any), At(-6 * _place - _quartic(_place), _place, Integer(-3)))),
        le(-36 * _any - _quartic(_any), At(-36 * _place - _quartic(_place), _place, Integer(-4))),
        ne(
            printed(lambda: _quartic(Integer(1)) - _quartic(Integer(-4)) + 36 * (1 + 4)),
            printed(lambda: (144 - _quartic(Integer(-4))) - (18 - _quartic(Integer(-3))) + 3 * (-36 + 6)),
        ),
    ),
    r"For $h(x)$ of the form $\frac14x^4 - \frac72x^2$ at 1 and $-4$: each maximum is reached at one point alone, and the left side is $168\frac34$, the right side $16\frac34$.",
    points={_any: (-6, 6)},
    over=(_QUARTIC,),
    wrong={
        "reached at 1": le(-6 * _any - _quartic(_any), At(-6 * _place - _quartic(_place), _place, Integer(1))),
        "reached at 2": le(-6 * _any - _quartic(_any), At(-6 * _place - _quartic(_place), _place, Integer(2))),
    },
    printed=r"D_h(1,-4) \ne D_{h^*}(h'(-4), h'(1))",
)

exponential = page.at("v1 (49), v2 (54)", source="beyond").identity(
    "beyond:bregman-of-conjugate-exponential",
    "The identity of conjugates for the exponential function",
    eq(
        exp(_x) - exp(_y) - exp(_y) * (_x - _y),
        (_y * exp(_y) - exp(_y)) - (_x * exp(_x) - exp(_x)) - _x * (exp(_y) - exp(_x)),
    ),
    points={_x: (-3, 3), _y: (-3, 3)},
    wrong={
        "points not exchanged": (_x * exp(_x) - exp(_x)) - (_y * exp(_y) - exp(_y)) - _y * (exp(_x) - exp(_y)),
        "without the linear term": eq(exp(_x) - exp(_y), (_y * exp(_y) - exp(_y)) - (_x * exp(_x) - exp(_x))),
    },
)

_fv = page.real("f", "f(theta)", latex=r"f(\theta)")
_fw = page.real("f'", "f(theta')", latex=r"f(\theta')")
_fp = page.real("p_f", "gradient of f at theta', times theta - theta'", latex=r"\nabla f(\theta')^\top(\theta-\theta')")
_rel = page.positive("L_rel", "relative smoothness", latex=r"L_{rel}")
_difference = named(r"D_{L_{rel}h-f}(\theta,\theta')", (_rel * _v - _fv) - (_rel * _w - _fw) - (_rel * _p - _fp))
_d_f = named(r"D_f(\theta,\theta')", _fv - _fw - _fp)

relative = page.at("v1 (50), v2 (55)", "BR.5a").definition(
    "rgm:relative-smoothness-definition",
    "Relative smoothness says that a difference is convex",
    Iff(le(_d_f, _rel * _d_h), ge(_difference, 0)),
    wrong={
        "direction": Iff(ge(_d_f, _rel * _d_h), ge(_difference, 0)),
        "half of the constant": Iff(le(_d_f, _rel / 2 * _d_h), ge(_difference, 0)),
    },
    reading="The definition is judged by its consistency: it is convexity of one function, in both directions.",
)

standard = page.at("after v1 (50), after v2 (55)", "BR.5b").remark(
    "rgm:relative-smoothness-standard",
    "Relative to half the squared norm it is standard smoothness",
    Iff(
        le(_d_f, _rel * named(r"D_h(\theta,\theta')", _half * _n - _half * _m - (_cos - _m))),
        le(_d_f, _rel / 2 * _square),
    ),
    wrong={
        "h without the half": Iff(le(_d_f, _rel * (_n - _m - 2 * (_cos - _m))), le(_d_f, _rel / 2 * _square)),
        "gradient at theta": Iff(
            le(_d_f, _rel * (_half * _n - _half * _m - (_n - _cos))), le(_d_f, _rel / 2 * _square)
        ),
    },
    steps=Step("For convex functions the gradient is then Lipschitz.", "beyond:lipschitz-gradient"),
    reading="Standard smoothness: the upper bound of v1 (48), v2 (53). For convex f that is a Lipschitz gradient; for others it is weaker.",
)
