r"""Appendix B, preamble: Bregman divergences, conjugates, relative smoothness.

$D_h(\theta,\theta')$ is what is left of $h$ above its tangent. Everything said of it is about few numbers: values of $h$, inner products of gradients and
differences, so that each statement, in every dimension, is one about reals. The printed conjugate takes the place of the maximum for its
value, and the letter $f$ for $h$; with the maximum, the identity of conjugates is Fenchel's equality
used twice, for functions that are strictly convex.
"""

from sympy import Derivative, Expr, Integer, Rational, exp

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Implies,
    Mutant,
    Step,
    both,
    eq,
    ge,
    le,
    lt,
    ne,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Combination, Identity, Smt

from .. import looseness
from ..theorems import CAUCHY_SCHWARZ, FENCHEL, TANGENT
from ..worlds import descent as descent_worlds
from .descent_notation import SMOOTHNESS, SQUARED_DISTANCE, SQUARED_GRADIENT, STRONG_CONVEXITY, G, L, mu, r

_SOURCE = "rgm-v1+v2"
_X, _Y = real("x", "theta, in dimension 1"), real("y", "theta', in dimension 1")
_x, _y = _X.symbol, _Y.symbol


_V, _W = real("h", "h(theta)"), real("h'", "h(theta')")
_P = real("p", "gradient of h at theta', times theta - theta'")
_N, _M = nonnegative("n", "|theta|^2"), nonnegative("n'", "|theta'|^2")
_C = real("c", "theta . theta'")
_v, _w, _p, _n, _m, _cos = (v.symbol for v in (_V, _W, _P, _N, _M, _C))
_d_h = _v - _w - _p
_AFFINE = tuple(real(k, f"the linear function at {p}") for k, p in (("a", "theta"), ("a'", "theta'")))
_CONSTANT = real("k", "a constant")
_a, _b, _k = (v.symbol for v in (*_AFFINE, _CONSTANT))
_with_affine = printed(lambda: (_v + _a + _k) - (_w + _b + _k) - (_p + (_a - _b)))

definition = Claim(
    id="rgm:bregman-definition",
    refs=("BR.1",),
    title="The Bregman divergence is what is left above the tangent",
    source=_SOURCE,
    where="App. B, v1 (47), v2 (52)",
    kind="definition",
    statement=r"$D_h$ does not see an affine function that is added to $h$: it is the height above the tangent.",
    variables=(_V, _W, _P, *_AFFINE, _CONSTANT),
    conclusion=eq(_with_affine, _d_h),
    reading="A definition; judged by what it is used for, in every dimension and for every differentiable function. The linear function's gradient times $\\theta-\\theta'$ is the difference of its values.",
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("the gradient of h alone", eq((_v + _a + _k) - (_w + _b + _k) - _p, _d_h)),
        Mutant("sign of the linear term", eq((_v + _a + _k) - (_w + _b + _k) + (_p + (_a - _b)), _d_h)),
    ),
)

_square = _n - 2 * _cos + _m
_above_mu = (_v - mu / 2 * _n) - (_w - mu / 2 * _m) - (_p - mu * (_cos - _m))
_above_l = (L / 2 * _n - _v) - (L / 2 * _m - _w) - (L * (_cos - _m) - _p)

bounds = Claim(
    id="rgm:bregman-bounds",
    refs=("BR.2",),
    title="Smooth and strongly convex, by the Bregman divergence",
    source=_SOURCE,
    where="App. B, v1 (48), v2 (53)",
    kind="proposition",
    statement=(
        r"$h - \frac\mu2|\cdot|^2$ and $\frac L2|\cdot|^2 - h$ lie above their tangents exactly if $\frac\mu2|\theta-\theta'|^2 \le D_h(\theta,\theta') \le \frac L2|\theta-\theta'|^2$."
    ),
    variables=(_V, _W, _P, _N, _M, _C, STRONG_CONVEXITY, SMOOTHNESS),
    conclusion=Iff(
        both(ge(_above_mu, 0), ge(_above_l, 0)), both(le(mu / 2 * _square, _d_h), le(_d_h, L / 2 * _square))
    ),
    reading=(
        r"Smooth and strongly convex: both functions are convex, for differentiable $h$ the same as lying above all tangents. That a gradient which is "
        r"$L$-Lipschitz gives the second, and conversely, is the next claim."
    ),
    checks=(
        Smt(),
        descent_worlds.BREGMAN_BOUNDS,
    ),
    mutants=(
        Mutant(
            "mu for mu/2",
            Iff(both(ge(_above_mu, 0), ge(_above_l, 0)), both(le(mu * _square, _d_h), le(_d_h, L / 2 * _square))),
        ),
        Mutant("no lower bound", Iff(both(ge(_above_mu, 0), ge(_above_l, 0)), le(_d_h, L / 2 * _square))),
        Mutant(
            "the square for its half",
            Iff(both(ge(_above_mu, 0), ge(_above_l, 0)), both(le(mu / 2 * _square, _d_h), le(_d_h, L * _square))),
        ),
    ),
    derivation=(
        Step(
            "Convex functions lie above their tangents, and a differentiable function that does is convex.",
            theorem=TANGENT,
            met={"convex": "Smooth and strongly convex say so of the two functions."},
        ),
        Step("The same, with the gradients.", "beyond:lipschitz-gradient"),
    ),
)

# z = theta' + g/L with g the difference of the gradients: tangent at theta from below, the parabola at theta' from above.
_Z = real("h_z", "h at theta' + g/L")
_Q = real("q", "gradient of h at theta, times theta' - theta")
_A = real("m", "gradient of h at theta', times g")
_z, _q, _a_2 = _Z.symbol, _Q.symbol, _A.symbol
_TANGENT = Hypothesis("tangent at theta", ge(_z, _v + _q + (_a_2 + G) / L), "convexity")
_PARABOLA = Hypothesis("parabola at theta'", le(_z, _w + _a_2 / L + G / (2 * L)), "smoothness")
_reverse = _w - _v - _q
_POINTS = (_V, _W, _Z, _Q, _A, SQUARED_GRADIENT, SMOOTHNESS)
_s, _t, _u = (nonnegative(n).symbol for n in "stu")
_AT_Z = Chart(
    {_v: (None, None), _q: (None, None), _a_2: (None, None), G: (0, None), L: (0, None), _s: (0, None), _t: (0, None)},
    {_z: _v + _q + (_a_2 + G) / L + _s, _w: _v + _q + G / (2 * L) + _s + _t, _v: _v, _q: _q, _a_2: _a_2, G: G, L: L},
)

cocoercive = Claim(
    id="beyond:gradient-difference-by-bregman",
    title="The difference of two gradients is bounded by the Bregman divergence",
    source="beyond",
    where="App. B",
    kind="inequality",
    statement=r"For convex, $L$-smooth $h$ and all points $|\nabla h(\theta) - \nabla h(\theta')|^2 \le 2L\,D_h(\theta',\theta)$.",
    variables=_POINTS,
    hypotheses=(_TANGENT, _PARABOLA),
    conclusion=le(G, 2 * L * _reverse),
    reading=r"$G$ is the squared norm of $g = \nabla h(\theta) - \nabla h(\theta')$, and $\nabla h(\theta)\cdot g = \nabla h(\theta')\cdot g + G$.",
    checks=(
        Combination(
            terms=(
                (2 * L, _z - _v - _q - (_a_2 + G) / L),
                (2 * L, _w + _a_2 / L + G / (2 * L) - _z),
            )
        ),
        Smt(),
        descent_worlds.BY_BREGMAN.mapped(descent_worlds.of_bregman, _v, _w, _z, _q, _a_2, G, L),
    ),
    sampling=_AT_Z,
    tightness=looseness.GRADIENT,
    mutants=(
        Mutant("L for 2L", le(G, L * _reverse)),
        Mutant("without convexity", hypotheses=(_PARABOLA,)),
        Mutant("without smoothness", hypotheses=(_TANGENT,)),
    ),
    derivation=(
        Step("The tangent at $\\theta$, at $\\theta' + g/L$.", theorem=TANGENT, met={"convex": "$h$ is convex."}),
    ),
)

lipschitz = Claim(
    id="beyond:lipschitz-gradient",
    refs=("BR.2",),
    title="The bounds on the Bregman divergence make the gradient Lipschitz",
    source="beyond",
    where="App. B, v1 (48), v2 (53)",
    kind="proposition",
    statement=r"$|\nabla h(\theta) - \nabla h(\theta')| \le L|\theta-\theta'|$ if $h$ is convex and $D_h \le \frac L2|\theta-\theta'|^2$ for all points.",
    variables=(*_POINTS, SQUARED_DISTANCE),
    hypotheses=(
        _TANGENT,
        _PARABOLA,
        Hypothesis("the bound at theta', theta", le(_reverse, L / 2 * r), "v1 (48), v2 (53)"),
    ),
    conclusion=le(G, L**2 * r),
    remark=(
        r"Conversely a Lipschitz gradient bounds $D_h$ by the integral of $sL|\theta-\theta'|^2$ over $s$ from 0 to 1. Without convexity the "
        r"upper bound alone says nothing about the gradient: $-\frac K2\theta^2$ obeys it for every $L$."
    ),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:gradient-difference-by-bregman"),),
    sampling=Chart({**_AT_Z.ranges, _u: (0, None)}, {**_AT_Z.maps, r: (2 / L) * (G / (2 * L) + _s + _t) + _u}),
    mutants=(
        Mutant("L for its square", le(G, L * r)),
        Mutant("half of it", le(G, L**2 * r / 2)),
        Mutant("without convexity", hypotheses=(_PARABOLA, Hypothesis("the bound", le(_reverse, L / 2 * r)))),
    ),
)

_ANGLE = real("s", "difference of the gradients times difference of the points")
_angle = _ANGLE.symbol

cauchy = Claim(
    id="beyond:bregman-sum",
    refs=("BR.2",),
    title="Both Bregman divergences add up to the inner product",
    source="beyond",
    where="App. B",
    kind="inequality",
    statement=(
        r"$D_h(\theta,\theta') + D_h(\theta',\theta) = g\cdot(\theta-\theta')$, which is at least $\mu|\theta-\theta'|^2$ by the lower bound, and at most "
        r"$L|\theta-\theta'|^2$ if the gradient is $L$-Lipschitz."
    ),
    variables=(_V, _W, _P, _ANGLE, SQUARED_GRADIENT, SQUARED_DISTANCE, STRONG_CONVEXITY, SMOOTHNESS),
    hypotheses=(
        Hypothesis("lower bound", ge(_d_h, mu / 2 * r)),
        Hypothesis("lower bound, exchanged", ge(_w - _v + (_p + _angle), mu / 2 * r)),
        Hypothesis("Lipschitz gradient", le(G, L**2 * r)),
        Hypothesis("Cauchy and Schwarz", le(_angle**2, G * r)),
    ),
    conclusion=both(ge(_angle, mu * r), le(_angle, L * r)),
    checks=(
        Smt(),
        descent_worlds.BREGMAN_SUM,
    ),
    sampling=Chart(
        {r: (0, None), mu: (0, None), _v: (None, None), _p: (None, None), _s: (0, 1), _t: (0, 1)},
        {
            L: mu * (1 + _s),
            _w: _v - _p - mu / 2 * r,
            _angle: mu * r * (1 + _s * _t),
            G: (mu * (1 + _s * _t)) ** 2 * r,
            r: r,
            mu: mu,
            _v: _v,
            _p: _p,
        },
    ),
    mutants=(
        Mutant("twice mu", both(ge(_angle, 2 * mu * r), le(_angle, L * r))),
        Mutant("half of L", both(ge(_angle, mu * r), le(_angle, L * r / 2))),
    ),
    derivation=(
        Step(
            "$(g\\cdot(\\theta-\\theta'))^2 \\le |g|^2|\\theta-\\theta'|^2$.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one."},
        ),
    ),
)

_CURVE = positive("kappa", "curvature of h on the line")
_curve = _CURVE.symbol
_d_quadratic = _curve / 2 * _x**2 - _curve / 2 * _y**2 - _curve * _y * (_x - _y)
_DUAL = real("u", "point of the dual space")
_dual = _DUAL.symbol


def _bregman_of_conjugate(value: Expr, slope: Expr) -> Expr:
    """D of a conjugate at (h'(y), h'(x)) for h = kappa x^2/2."""
    first, second = _curve * _y, _curve * _x
    return value.subs(_dual, first) - value.subs(_dual, second) - slope.subs(_dual, second) * (first - second)


_PLACE, _VALUE = _dual / _curve, _dual**2 / (2 * _curve)

conjugate_printed = Claim(
    id="rgm:conjugate-definition",
    refs=("BR.3",),
    title="The convex conjugate, as printed",
    source=_SOURCE,
    where="App. B, before v1 (49), before v2 (54)",
    kind="definition",
    statement=r"$h^*(\theta) = \arg\max_u \theta^\top u - f(u)$.",
    variables=(_X, _Y, _CURVE),
    conclusion=eq(_d_quadratic, _bregman_of_conjugate(_PLACE, 1 / _curve)),
    reading=r"$f$ is read as $h$, and the definition is judged by the identity for which it is made: the place of the maximum is $\theta/\kappa$, an affine function, whose Bregman divergence vanishes.",
    scope="instance",
    missing=r"Judged by $h(u) = \frac\kappa2u^2$ on the line.",
    category="misprint",
    corrected="beyond:conjugate-definition",
    remark="The place of the maximum is a point of the space and not a number; it is the gradient of the conjugate.",
)

_point = real("v").symbol

conjugate = Claim(
    id="beyond:conjugate-definition",
    title="The convex conjugate is the maximum itself",
    source="beyond",
    where="App. B, before v1 (49), before v2 (54)",
    kind="definition",
    statement=r"With $h^*(\theta) = \max_u \theta^\top u - h(u)$ the identity holds for $h(u) = \frac\kappa2u^2$, and the place of the maximum is the derivative of $h^*$.",
    variables=(_X, _Y, _CURVE, _DUAL),
    conclusion=both(
        eq(_d_quadratic, _bregman_of_conjugate(_VALUE, _VALUE.diff(_dual))),
        eq(Derivative(_VALUE, _dual), _PLACE),
        eq(At(_dual * _point - _curve / 2 * _point**2, _point, _PLACE), _VALUE),
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("the place for the value", eq(_d_quadratic, _bregman_of_conjugate(_PLACE, 1 / _curve))),
        Mutant("half of the conjugate", eq(_d_quadratic, _bregman_of_conjugate(_VALUE, _VALUE.diff(_dual)) / 2)),
    ),
)

_TP = real("a", "theta . gradient of h at theta")
_TQ = real("b", "theta . gradient of h at theta'")
_SQ = real("e", "theta' . gradient of h at theta'")
_tp, _tq, _sq = _TP.symbol, _TQ.symbol, _SQ.symbol
_half = Rational(1, 2)
_SP, _S = real("h*'", "h* at the gradient of h at theta'"), real("h*", "h* at the gradient of h at theta")
_GP, _G = (
    real("p'", "gradient of h* at grad h(theta), times grad h(theta')"),
    real("g", "gradient of h* at grad h(theta), times grad h(theta)"),
)
_star_prime, _star, _inverse_prime, _inverse = _SP.symbol, _S.symbol, _GP.symbol, _G.symbol
_FENCHEL = (
    Hypothesis("Fenchel's equality at theta'", eq(_star_prime, _sq - _w), "h is convex and differentiable"),
    Hypothesis("Fenchel's equality at theta", eq(_star, _tp - _v), "h is convex and differentiable"),
)
_INVERTED = (
    Hypothesis("the gradient of h* inverts that of h, against theta'", eq(_inverse_prime, _tq), "h is strictly convex"),
    Hypothesis("the gradient of h* inverts that of h, against theta", eq(_inverse, _tp), "h is strictly convex"),
)
_of_conjugate = _star_prime - _star - (_inverse_prime - _inverse)

identity = Claim(
    id="rgm:bregman-of-conjugate",
    title="The Bregman divergence of the conjugate, with the points exchanged",
    source=_SOURCE,
    where="App. B, v1 (49), v2 (54)",
    kind="correction",
    statement=(
        r"For $h$ closed, differentiable and strictly convex, $D_h(\theta,\theta') = D_{h^*}(\nabla h(\theta'), \nabla h(\theta))$ "
        "in every dimension."
    ),
    variables=(_V, _W, _TP, _TQ, _SQ, _SP, _S, _GP, _G),
    hypotheses=(*_FENCHEL, *_INVERTED),
    conclusion=eq(_v - _w - (_tq - _sq), _of_conjugate),
    reading=r"$h^*$ is the maximum (see the corrected definition). Its gradient at $\nabla h(\theta)$ is $\theta$.",
    checks=(Smt(),),
    sampling=Chart(
        dict.fromkeys((_v, _w, _tp, _tq, _sq), (-3, 3)),
        {
            **{s: s for s in (_v, _w, _tp, _tq, _sq)},
            **{_star_prime: _sq - _w, _star: _tp - _v, _inverse_prime: _tq, _inverse: _tp},
        },
    ),
    mutants=(
        Mutant("points not exchanged", eq(_v - _w - (_tq - _sq), -_of_conjugate)),
        Mutant("without the linear term", eq(_v - _w, _star_prime - _star)),
        Mutant("any point of the gradient of h*", hypotheses=_FENCHEL),
    ),
    derivation=(
        Step("The conjugate is the maximum.", "beyond:conjugate-definition"),
        Step(
            "Values and gradient of the conjugate.",
            theorem=FENCHEL,
            met={"Legendre": "The function is closed, differentiable and strictly convex by assumption."},
        ),
        Step("The same for a function that is not quadratic.", "beyond:bregman-of-conjugate-exponential"),
    ),
)

# Huber's function: x^2/2 up to 1, |x| - 1/2 beyond. Its conjugate is u^2/2 on [-1, 1] and infinite elsewhere.
_FAR = tuple(real(f"x_{i}", "theta, where h is affine", lower=1) for i in (1, 2))
_NEAR = real("y", "theta', where h is quadratic", lower=-1, upper=1)
_CHOSEN = real("s", "what is taken for the gradient of h* at 1", lower=1)
_far = tuple(v.symbol for v in _FAR)
_near, _chosen = _NEAR.symbol, _CHOSEN.symbol
_huber_of_conjugate = _near**2 / 2 - _half - _chosen * (_near - 1)

identity_printed = Claim(
    id="rgm:bregman-of-conjugate-printed",
    refs=("BR.4",),
    title="The Bregman divergence of the conjugate, for any function",
    source=_SOURCE,
    where="App. B, v1 (49), v2 (54)",
    kind="identity",
    statement=(
        r"For Huber's function on the line, two points $\theta \ge 1$ and $|\theta'| \le 1$: "
        r"$D_h(\theta,\theta') = D_{h^*}(\nabla h(\theta'), \nabla h(\theta))$."
    ),
    variables=(*_FAR, _NEAR, _CHOSEN),
    conclusion=both(*(eq((x - _half) - _near**2 / 2 - _near * (x - _near), _huber_of_conjugate) for x in _far)),
    reading=(
        r"Printed for a function $h$, of which nothing is assumed; Huber's is convex and has a continuous gradient. $h^*$ is the maximum. All "
        r"$\theta \ge 1$ have the gradient 1, an end of the domain of $h^*$, where its subgradients are $s \ge 1$: the right side is the same for all of "
        r"them, whatever $s$ is taken, and the left side is not."
    ),
    sampling=Chart({_far[0]: (1, 4), _far[1]: (1, 4), _near: (-1, 1), _chosen: (1, 4)}, {}),
    category="missing hypothesis",
    corrected="rgm:bregman-of-conjugate",
    remark=(
        r"$h$ has to be strictly convex. Without convexity the identity fails where everything in it is defined: "
        "`beyond:bregman-of-conjugate-not-convex`."
    ),
)

_QUARTIC = real("x", "any point")
_any, _place = _QUARTIC.symbol, real("z").symbol


def _quartic(point: Expr) -> Expr:
    return point**4 / 4 - Rational(7, 2) * point**2


not_convex = Claim(
    id="beyond:bregman-of-conjugate-not-convex",
    title="Without convexity the identity of conjugates fails where all of it is defined",
    source="beyond",
    where="App. B, v1 (49), v2 (54)",
    kind="remark",
    statement=(
        r"For $h(x) = \frac14x^4 - \frac72x^2$, $\theta = 1$ and $\theta' = -4$: $h'(1) = -6$, $h'(-4) = -36$, $h^*(-6)$ is reached at $-3$ alone and "
        r"$h^*(-36)$ at $-4$; $D_h = 168\frac34$ and $D_{h^*} = 16\frac34$."
    ),
    variables=(_QUARTIC,),
    conclusion=both(
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
    checks=(Smt(),),
    sampling=Chart({_any: (-6, 6)}, {}),
    mutants=(
        Mutant("reached at 1", le(-6 * _any - _quartic(_any), At(-6 * _place - _quartic(_place), _place, Integer(1)))),
        Mutant("reached at 2", le(-6 * _any - _quartic(_any), At(-6 * _place - _quartic(_place), _place, Integer(2)))),
    ),
)

exponential = Claim(
    id="beyond:bregman-of-conjugate-exponential",
    title="The identity of conjugates for the exponential function",
    source="beyond",
    where="App. B, v1 (49), v2 (54)",
    kind="identity",
    statement=r"For $h = \exp$ the conjugate is $h^*(u) = u\log u - u$, and $D_h(x,y) = D_{h^*}(e^y, e^x)$.",
    variables=(_X, _Y),
    conclusion=eq(
        exp(_x) - exp(_y) - exp(_y) * (_x - _y),
        (_y * exp(_y) - exp(_y)) - (_x * exp(_x) - exp(_x)) - _x * (exp(_y) - exp(_x)),
    ),
    checks=(Identity(),),
    sampling=Chart({_x: (-3, 3), _y: (-3, 3)}, {}),
    mutants=(
        Mutant(
            "points not exchanged",
            eq(
                exp(_x) - exp(_y) - exp(_y) * (_x - _y),
                (_x * exp(_x) - exp(_x)) - (_y * exp(_y) - exp(_y)) - _y * (exp(_x) - exp(_y)),
            ),
        ),
        Mutant("without the linear term", eq(exp(_x) - exp(_y), (_y * exp(_y) - exp(_y)) - (_x * exp(_x) - exp(_x)))),
    ),
)

_FV, _FW, _FP = (
    real("f", "f(theta)"),
    real("f'", "f(theta')"),
    real("p_f", "gradient of f at theta', times theta - theta'"),
)
_fv, _fw, _fp = _FV.symbol, _FW.symbol, _FP.symbol
_REL = positive("L_rel", "relative smoothness")
_rel = _REL.symbol
_d_f = _fv - _fw - _fp

relative = Claim(
    id="rgm:relative-smoothness-definition",
    refs=("BR.5a",),
    title="Relative smoothness says that a difference is convex",
    source=_SOURCE,
    where="App. B, v1 (50), v2 (55)",
    kind="definition",
    statement=r"$D_f \le L_{rel} D_h$ at all points exactly if $L_{rel}h - f$ lies above its tangents.",
    variables=(_V, _W, _P, _FV, _FW, _FP, _REL),
    conclusion=Iff(le(_d_f, _rel * _d_h), ge((_rel * _v - _fv) - (_rel * _w - _fw) - (_rel * _p - _fp), 0)),
    reading="The definition is judged by its consistency: it is convexity of one function, in both directions.",
    checks=(Smt(),),
    mutants=(
        Mutant(
            "direction", Iff(ge(_d_f, _rel * _d_h), ge((_rel * _v - _fv) - (_rel * _w - _fw) - (_rel * _p - _fp), 0))
        ),
        Mutant(
            "half of the constant",
            Iff(le(_d_f, _rel / 2 * _d_h), ge((_rel * _v - _fv) - (_rel * _w - _fw) - (_rel * _p - _fp), 0)),
        ),
    ),
)

standard = Claim(
    id="rgm:relative-smoothness-standard",
    refs=("BR.5b",),
    title="Relative to half the squared norm it is standard smoothness",
    source=_SOURCE,
    where="App. B, after v1 (50), after v2 (55)",
    kind="remark",
    statement=r"For $h = \frac12|\cdot|^2$ the condition is $D_f(\theta,\theta') \le \frac{L_{rel}}2|\theta-\theta'|^2$, the upper half of v1 (48), v2 (53).",
    variables=(_FV, _FW, _FP, _N, _M, _C, _REL),
    conclusion=Iff(le(_d_f, _rel * (_half * _n - _half * _m - (_cos - _m))), le(_d_f, _rel / 2 * _square)),
    reading="Standard smoothness: the upper bound of v1 (48), v2 (53). For convex f that is a Lipschitz gradient; for others it is weaker.",
    checks=(Smt(),),
    mutants=(
        Mutant("h without the half", Iff(le(_d_f, _rel * (_n - _m - 2 * (_cos - _m))), le(_d_f, _rel / 2 * _square))),
        Mutant(
            "gradient at theta",
            Iff(le(_d_f, _rel * (_half * _n - _half * _m - (_n - _cos))), le(_d_f, _rel / 2 * _square)),
        ),
    ),
    derivation=(Step("For convex functions the gradient is then Lipschitz.", "beyond:lipschitz-gradient"),),
)
