r"""Appendix B.2: relative sensitivity of general objectives, by relative smoothness.

The argument is right and its display is full of slips: the factor $1/n$ is missing in $f-f' = \frac1n(f_0-f_0')$, an equality stands for an inequality, a
prime too many makes the first difference one of two functions, and $f$ stands for $f_0$ in the assumptions. With these put right,
$\eta^2 = 6LL_{rel}/(\mu n^2)$ follows for convex records. Convexity by itself is not enough.

Everything reduces to values of Bregman divergences, inner products and squared norms, in any dimension; counterexamples are quadratics on the line.
"""

from rgm_verify.claims import *
from rgm_verify.claims.formula import relations
from rgm_verify.lenses import *

from .. import looseness
from ..theorems import CAUCHY_SCHWARZ
from ..worlds import orthogonal as orthogonal_worlds

page = Page("rgm-v1+v2", "App. B.2")

_n = page.natural("n", "number of records")

# The difference of the gradients of f and f' (norm D), and that of the gradients of f_0 and f_0' (norm D_0).
_d = page.nonnegative(
    "D", "norm of the difference of the gradients of f and f'", latex=r"\|\nabla f(\theta)-\nabla f'(\theta)\|"
)
_d0 = page.nonnegative("D_0", "the same for f_0 and f_0'", latex=r"\|\nabla f_0(\theta)-\nabla f_0'(\theta)\|")

scale_printed = page.at("display, first line", "G.1").identity(
    "rgm:b2-scale-printed",
    "The difference of the gradients, as printed",
    eq(_d**2, _d0**2 / _n**2),
    "For losses whose difference is that of the two records, without the mean.",
    given=Hypothesis("f - f' = f_0 - f_0'", eq(_d, _d0), "App. B.2"),
    by=(Search(), Smt()),
    points={_n: (0, None), _d0: _d},
    category="misprint",
    corrected="rgm:b2-scale",
    remark=r"Objectives that are means of $n$ losses differ by $\frac1n(f_0-f_0')$.",
)

scale = page.at("display, first line").correction(
    "rgm:b2-scale",
    "The difference of the gradients of two means",
    eq(_d**2, _d0**2 / _n**2),
    given=Hypothesis("f - f' = (f_0 - f_0')/n", eq(_d, _d0 / _n)),
    by=Smt(),
    points=Chart({_d: (0, None), _n: (0, None)}, {_d: _d / _n, _d0: _d}),
    wrong={"n once": _d0**2 / _n, "without 1/n": instead(Hypothesis("f - f' = (f_0 - f_0')/n", eq(_d, _d0)))},
)

# Quadratics on the line: second derivatives of the records, the others' adding up to G, so that f'' = (a + G)/n.
_second = page.nonnegative("a", "second derivative of f_0")
_second_p = page.nonnegative("a'", "second derivative of f_0'")
_others = page.positive("G", "sum of the second derivatives of the other records")
_l_rel = page.positive("L_rel", "relative smoothness", latex=r"L_{rel}")

_curvature, _curvature_p = (_second + _others) / _n, (_second_p + _others) / _n

assumptions_printed = page.at("assumptions", "G.2").definition(
    "rgm:b2-assumptions-printed",
    "The assumptions, as printed, do not give what they are used for",
    le(_second, _l_rel * _curvature),
    "The assumptions are to make $f_0$ relatively smooth with respect to $f$, which the proof uses.",
    given=(
        Hypothesis("f with respect to f", ge(_l_rel, 1), "App. B.2"),
        Hypothesis("f with respect to f'", le(_curvature, _l_rel * _curvature_p), "App. B.2"),
        Hypothesis("f_0' with respect to f", le(_second_p, _l_rel * _curvature), "App. B.2"),
        Hypothesis("f_0' with respect to f'", le(_second_p, _l_rel * _curvature_p), "App. B.2"),
    ),
    by=(Search(), Smt()),
    points=Chart(
        {_others: (0, None), _second: (0, 1), _l_rel: (0, None), _n: (0, None)},
        {_second_p: 0 * _others, _l_rel: 1 + _l_rel, _second: _second * _l_rel * _others},
    ),
    reading="A definition; what is judged is whether it serves its purpose. Relative smoothness compares second derivatives; smoothness and strong convexity hold with some constants.",
    scope="instance",
    missing="Quadratics on the line.",
    category="misprint",
    corrected="rgm:b2-assumptions",
    remark="$f_0$ is meant in place of $f$: that $f$ is 1-smooth relative to itself says nothing.",
    printed=r"D_{f_0} \le L_{rel}\,D_f",
)

_EIGENVALUES = tuple(positive(f"l_{k}", "eigenvalue of A") for k in "12")
page.declare(*_EIGENVALUES)
_RECORD = tuple(real(f"x_{k}", "coordinate of X_0 in a basis of eigenvectors") for k in "12")
page.declare(*_RECORD)
_STEP = tuple(real(f"v_{k}", "coordinate of a direction") for k in "12")
page.declare(*_STEP)
_l1, _l2 = (v.symbol for v in _EIGENVALUES)
_x1, _x2 = (v.symbol for v in _RECORD)
_v1, _v2 = (v.symbol for v in _STEP)
_form = named(r"X_0^\top A^{-1}X_0", _x1**2 / _l1 + _x2**2 / _l2)

_sides = (named("D_{f_0}", (_x1 * _v1 + _x2 * _v2) ** 2 / 2), _form * (_l1 * _v1**2 + _l2 * _v2**2) / 2)

assumptions = page.at("assumptions").correction(
    "rgm:b2-assumptions",
    "The assumptions for least squares",
    both(le(*_sides), eq(*(At(side, (_v1, _v2), (_x1 / _l1, _x2 / _l2)) for side in _sides))),
    "With $f_0$ and $f_0'$ relatively smooth with respect to both $f$ and $f'$ they are those of Section 5.2. For least squares equality holds in the direction $A^{-1}X_0$.",
    by=(Smt(), orthogonal_worlds.RELATIVELY_SMOOTH),
    wrong={
        "without the inverse": le((_x1 * _v1 + _x2 * _v2) ** 2, (_x1**2 + _x2**2) * (_l1 * _v1**2 + _l2 * _v2**2)),
        "half": le((_x1 * _v1 + _x2 * _v2) ** 2, _form * (_l1 * _v1**2 + _l2 * _v2**2) / 2),
    },
    reading="In a basis of eigenvectors of $A$; the Bregman divergence of a quadratic is the quadratic form of its second derivatives.",
    scope="instance",
    missing=r"Dimension 2.",
    printed=r"D_{f_0} \le X_0^\top A^{-1}X_0\,D_f",
)

# The gradients of f_0 and f_0' at theta and at theta_*, on the line.
_u = page.real("u", "gradient of f_0 at theta")
_up = page.real("u'", "gradient of f_0' at theta")
_v = page.real("v", "gradient of f_0 at theta_*")
_vp = page.real("v'", "gradient of f_0' at theta_*")

_printed = (_u - _vp) - (_up - _vp) + (_v - _vp)

inserted_printed = page.at("display, second line", "G.3a").identity(
    "rgm:b2-insert-minimiser-printed",
    "Inserting the gradients at the minimiser, as printed",
    eq((_u - _up) ** 2, _printed**2),
    by=(Search(), Identity()),
    reading="Squared.",
    scope="instance",
    missing="Gradients on the line.",
    category="misprint",
    corrected="rgm:b2-insert-minimiser",
    remark=r"The first difference should be $\nabla f_0(\theta)-\nabla f_0(\theta_\star)$; the prime is one too many, here and in the lines that follow.",
    printed=r"\begin{aligned} & \|\nabla f_0(\theta)-\nabla f_0'(\theta)\|^2 \\ & \quad = \|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)-[\nabla f_0'(\theta)-\nabla f_0'(\theta_\star)]+\nabla f_0(\theta_\star)-\nabla f_0'(\theta_\star)\|^2 \end{aligned}",
)

inserted = page.at("display, second line").correction(
    "rgm:b2-insert-minimiser",
    "Inserting the gradients at the minimiser",
    eq(_u - _up, printed(lambda: (_u - _v) - (_up - _vp) + (_v - _vp))),
    wrong={"the prime": _printed, "a sign": (_u - _v) + (_up - _vp) + (_v - _vp)},
    reading="Coordinate by coordinate.",
)

three_printed = page.at("display, third line", "G.3b").identity(
    "rgm:b2-three-squares-printed",
    "Three squares, as printed",
    eq(_printed**2 / _n**2, 3 * ((_u - _vp) ** 2 + (_up - _vp) ** 2 + (_v - _vp) ** 2) / _n**2),
    "An equality between the square of the sum and the sum of the squares.",
    by=(Search(), Identity()),
    reading="With the differences as printed.",
    scope="instance",
    missing="Gradients on the line.",
    category="misprint",
    corrected="rgm:b2-three-squares",
    remark="An inequality is meant.",
    printed=r"\begin{aligned} & \frac{1}{n^2}\|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)-[\nabla f_0'(\theta)-\nabla f_0'(\theta_\star)]+\nabla f_0(\theta_\star)-\nabla f_0'(\theta_\star)\|^2 \\ & \quad = \frac{3}{n^2}\|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)\|^2+\frac{3}{n^2}\|\nabla f_0'(\theta)-\nabla f_0'(\theta_\star)\|^2+\frac{3}{n^2}\|\nabla f_0(\theta_\star)-\nabla f_0'(\theta_\star)\|^2 \end{aligned}",
)

# Three vectors by their Gram matrix.
_SQUARES = tuple(
    nonnegative(f"{k}{k}", m, latex=rf"\|{k}\|^2")
    for k, m in (
        ("u", "squared norm of u, the change of the gradient of f_0 from theta_* to theta"),
        ("v", "squared norm of v, the same for f_0'"),
        ("w", "squared norm of w, the difference of the gradients at theta_*"),
    )
)
page.declare(*_SQUARES)
_PRODUCTS = tuple(
    real(k, f"inner product of {k[0]} and {k[1]}", latex=rf"{k[0]}^\top {k[1]}") for k in ("uv", "uw", "vw")
)
page.declare(*_PRODUCTS)
_uu, _vv, _ww = (v.symbol for v in _SQUARES)
_uv, _uw, _vw = (v.symbol for v in _PRODUCTS)
_GRAM = (
    Hypothesis("|u + v|^2 >= 0", ge(_uu + _vv + 2 * _uv, 0)),
    Hypothesis("|u - w|^2 >= 0", ge(_uu + _ww - 2 * _uw, 0)),
    Hypothesis("|v + w|^2 >= 0", ge(_vv + _ww + 2 * _vw, 0)),
)
_total = named(r"\|u-v+w\|^2", _uu + _vv + _ww - 2 * _uv + 2 * _uw - 2 * _vw)
_LINE_MAPS = {_uu: _u**2, _vv: _up**2, _ww: _v**2, _uv: _u * _up, _uw: _u * _v, _vw: _up * _v}
_LINE_RANGES = {_u: (-3, 3), _up: (-3, 3), _v: (-3, 3)}

three = page.at("display, third line").correction(
    "rgm:b2-three-squares",
    "Three squares",
    le(_total, 3 * (_uu + _vv + _ww)),
    given=_GRAM,
    by=(Combination(terms=tuple((next(iter(relations(h.formula))).lhs,) for h in _GRAM)), Smt()),
    points=Chart(_LINE_RANGES, _LINE_MAPS),
    wrong={
        "an equality": eq(_total, 3 * (_uu + _vv + _ww)),
        "2": 2 * (_uu + _vv + _ww),
        "two vectors": without("|u + v|^2 >= 0"),
    },
    reading="Three vectors in any dimension, by their norms and inner products.",
    tightness=looseness.THREE_SQUARES,
)

# Quadratics on the line: f_0 = a theta^2/2 - k theta, f_0' likewise, and f with second derivative h and minimum at theta_*.
_k = page.real("k", "linear part of f_0")
_kp = page.real("k'", "linear part of f_0'")
_t = page.real("theta", "parameter")
_tstar = page.real("theta_*", "minimiser of f")
_smooth = page.positive("L", "smoothness of the records")
_mu = page.positive("mu", "strong convexity of f")

_SMOOTH_RECORDS = (
    Hypothesis("f_0 is L-smooth", le(_second, _smooth), "App. B.2"),
    Hypothesis("f_0' is L-smooth", le(_second_p, _smooth), "App. B.2"),
)
_cross = (_second * _t - _k) - (_second_p * _tstar - _kp)

cocoercive_printed = page.elsewhere("App. B.2; v1 (57) first relation, v2 (62) first relation", "G.4a").inequality(
    "rgm:b2-smoothness-printed",
    "The gradient by the Bregman divergence, as printed",
    le(_cross**2, 2 * _smooth * (_second / 2 * (_t - _tstar) ** 2)),
    given=_SMOOTH_RECORDS,
    by=(Search(), Smt()),
    reading="With the prime as printed.",
    scope="instance",
    missing="Quadratics on the line.",
    category="misprint",
    corrected="rgm:b2-smoothness",
    remark=r"At $\theta = \theta_\star$ the right side is 0. The prime is one too many.",
    printed=r"\|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)\|^2 \le 2L\,D_{f_0}(\theta,\theta_\star)",
)

_bregman0 = page.real("D_0", "Bregman divergence of f_0 from theta_* to theta", latex=r"D_{f_0}(\theta,\theta_\star)")
_bregmanz = page.real(
    "D_z",
    "Bregman divergence of f_0 from theta_* to z = theta - (grad f_0(theta) - grad f_0(theta_*))/L",
    latex=r"D_{f_0}(z,\theta_\star)",
)
_moved = page.nonnegative(
    "u",
    "squared norm of the change of the gradient of f_0 from theta_* to theta",
    latex=r"\|\nabla f_0(\theta)-\nabla f_0(\theta_\star)\|^2",
)

_CONVEX0 = Hypothesis(
    "f_0 is convex, between theta_* and z", ge(_bregmanz, 0), "§5.2, General functions: convex functions"
)
_SMOOTH0 = Hypothesis(
    "f_0 is L-smooth, between theta and z",
    le(_bregmanz, _bregman0 - _moved / _smooth + _moved / (2 * _smooth)),
    "App. B.2",
)
_FLAT = Chart(
    {_moved: (0, None), _smooth: (0, None), _bregmanz: (0, None)}, {_bregman0: _moved / (2 * _smooth) + _bregmanz}
)

cocoercive = page.elsewhere("App. B.2; v1 (57) first relation, v2 (62) first relation").correction(
    "rgm:b2-smoothness",
    "The gradient by the Bregman divergence",
    le(_moved, 2 * _smooth * _bregman0),
    "For convex, $L$-smooth $f_0$.",
    given=(_CONVEX0, _SMOOTH0),
    by=(
        Combination(
            terms=(
                (2 * _smooth, _bregmanz),
                (2 * _smooth, _bregman0 - _moved / _smooth + _moved / (2 * _smooth) - _bregmanz),
            )
        ),
        Smt(),
    ),
    points=_FLAT,
    wrong={"L": _smooth * _bregman0, "not convex": without(_CONVEX0), "not smooth": without(_SMOOTH0)},
    reading=r"In any dimension: one gradient step from $\theta$ on $f_0 - \nabla f_0(\theta_\star)^\top\cdot$, whose minimum is at $\theta_\star$. Convexity of the records is "
    "needed and stands only in the main text.",
    tightness=looseness.GRADIENT,
)

_bregmanf = page.real(
    "D_f",
    "Bregman divergence of f from theta_* to theta, which is f(theta) - f(theta_*)",
    latex=r"D_f(\theta,\theta_\star)",
)

_RELATIVE0 = Hypothesis("f_0 is relatively smooth", le(_bregman0, _l_rel * _bregmanf), "App. B.2, with f_0 for f")

relative = page.elsewhere("App. B.2; v1 (57) second relation, v2 (62) second relation", "G.4b").inequality(
    "rgm:b2-relative-smoothness",
    "From the record to the objective",
    le(2 * _smooth * _bregman0, 2 * _smooth * _l_rel * _bregmanf),
    given=_RELATIVE0,
    by=(Combination(terms=((2 * _smooth, _l_rel * _bregmanf - _bregman0),)), Smt()),
    points={_bregmanf: (0, None), _bregman0: _l_rel * _bregmanf},
    wrong={"without L_rel": 2 * _smooth * _bregmanf, "not relatively smooth": without()},
)

_inner = page.real(
    "s",
    "inner product of the gradient of f at theta with theta - theta_*",
    latex=r"\nabla f(\theta)^\top(\theta-\theta_\star)",
)
_distance2 = page.nonnegative("r2", "squared distance of theta and theta_*", latex=r"\|\theta-\theta_\star\|^2")
_gradient2 = page.nonnegative("g2", "squared norm of the gradient of f at theta", latex=r"\|\nabla f(\theta)\|^2")

_STRONG = Hypothesis("f is mu-strongly convex", le(_bregmanf, _inner - _mu / 2 * _distance2), "App. B.2")
_SQUARE = Hypothesis(
    "|grad f - mu (theta - theta_*)|^2 >= 0", ge(_gradient2 - 2 * _mu * _inner + _mu**2 * _distance2, 0)
)
_QUADRATIC = {_gradient2: _mu**2 * _t**2, _inner: _mu * _t**2, _distance2: _t**2, _bregmanf: _mu / 2 * _t**2}

strong = page.elsewhere("App. B.2; v1 (57) third relation, v2 (62) third relation", "G.4c").inequality(
    "rgm:b2-strong-convexity",
    "From the objective to its gradient",
    le(2 * _smooth * _l_rel * _bregmanf, _smooth * _l_rel / _mu * _gradient2),
    given=(_STRONG, _SQUARE),
    by=(
        Combination(
            terms=(
                (2 * _smooth * _l_rel, _inner - _mu / 2 * _distance2 - _bregmanf),
                (_smooth * _l_rel / _mu, _gradient2 - 2 * _mu * _inner + _mu**2 * _distance2),
            )
        ),
        Smt(),
    ),
    points=Chart(
        {_t: (-3, 3), _mu: (0, None), _smooth: (0, None), _l_rel: (0, None)},
        {**_QUADRATIC, _mu: _mu, _smooth: _smooth, _l_rel: _l_rel},
    ),
    wrong={
        "half": _smooth * _l_rel / _mu * _gradient2 / 2,
        "convex only": instead(Hypothesis("f is mu-strongly convex", le(_bregmanf, _inner))),
        "without mu": _smooth * _l_rel * _gradient2,
    },
    reading=r"In any dimension. $\nabla f(\theta_\star) = 0$, so the divergence is $f(\theta)-f(\theta_\star)$.",
)

_h = page.positive("h", "second derivative of f")

chain_printed = page.elsewhere("App. B.2; v1 (57), v2 (62)", "G.4d").inequality(
    "rgm:b2-record-by-gradient-printed",
    "The gradient of the record by that of the objective, as printed",
    le(_cross**2, _smooth * _l_rel / _mu * (_h * (_t - _tstar)) ** 2),
    given=(
        *_SMOOTH_RECORDS,
        Hypothesis("f is mu-strongly convex", le(_mu, _h), "App. B.2"),
        Hypothesis("f_0 is relatively smooth", le(_second, _l_rel * _h), "App. B.2, with f_0 for f"),
    ),
    by=(Search(), Smt()),
    points=Chart(
        {**dict.fromkeys((_k, _kp, _t), (-3, 3)), _second: (0, None), _second_p: (0, None), _h: (0, None)},
        {_tstar: _t, _mu: _h, _l_rel: _second / _h, _smooth: _second + _second_p},
    ),
    reading="With the prime as printed.",
    scope="instance",
    missing="Quadratics on the line.",
    category="misprint",
    corrected="rgm:b2-record-by-gradient",
    remark=r"At $\theta = \theta_\star$ the right side is 0.",
    printed=r"\|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)\|^2 \le \frac{LL_{rel}}{\mu}\|\nabla f(\theta)\|^2",
)

_HYPOTHESES_OF_62 = (_CONVEX0, _SMOOTH0, _RELATIVE0, _STRONG, _SQUARE)
_CHAIN_MAPS = {
    **_QUADRATIC,
    **{_mu: _mu, _l_rel: _l_rel, _smooth: _mu * _l_rel, _moved: (_mu * _l_rel * _t) ** 2},
    **{_bregman0: _mu * _l_rel * _t**2 / 2, _bregmanz: 0 * _t},
}

chained = page.elsewhere("App. B.2; v1 (57), v2 (62)").correction(
    "rgm:b2-record-by-gradient",
    "The gradient of the record by that of the objective",
    le(_moved, _smooth * _l_rel / _mu * _gradient2),
    "For convex records; the same for $f_0'$.",
    given=_HYPOTHESES_OF_62,
    by=(
        Deduction(
            (Premise("rgm:b2-smoothness"), Premise("rgm:b2-relative-smoothness"), Premise("rgm:b2-strong-convexity"))
        ),
        orthogonal_worlds.RECORD.mapped(
            orthogonal_worlds.of_record,
            _bregman0,
            _bregmanz,
            _moved,
            _smooth,
            _bregmanf,
            _l_rel,
            _inner,
            _distance2,
            _gradient2,
            _mu,
        ),
    ),
    points=Chart({_t: (-3, 3), _mu: (0, None), _l_rel: (0, None)}, _CHAIN_MAPS),
    wrong={
        "half": _smooth * _l_rel / _mu * _gradient2 / 2,
        "without mu": _smooth * _l_rel * _gradient2,
        "not relatively smooth": without("f_0 is relatively smooth"),
    },
    steps=(
        Step("Smoothness and convexity of the record.", "rgm:b2-smoothness"),
        Step("Relative smoothness.", "rgm:b2-relative-smoothness"),
        Step("Strong convexity of the objective.", "rgm:b2-strong-convexity"),
    ),
    reading=r"The minimiser is that of $f$ for both records; for $f'$ in place of $f$ it is that of $f'$.",
    tightness=looseness.RECORD_BY_GRADIENT,
)

direct = page.at("after v1 (57), after v2 (62)", "G.5a").remark(
    "rgm:b2-direct-bound",
    "What relative smoothness replaces",
    both(
        le(_moved, (_smooth / _mu) ** 2 * _gradient2),
        eq(printed(lambda: _smooth * _l_rel / _mu * (_smooth / _mu)), (_smooth / _mu) ** 2 * _l_rel),
    ),
    r"The bound by relative smoothness has $L_{rel}$ in place of one of the two factors $L/\mu$.",
    given=(
        Hypothesis("the gradient of f_0 is L-Lipschitz", le(_moved, _smooth**2 * _distance2), "App. B.2"),
        Hypothesis("f is mu-strongly convex", le(_mu**2 * _distance2, _gradient2), "App. B.2"),
    ),
    points={_moved: _smooth**2 * _distance2, _gradient2: _mu**2 * _distance2},
    wrong={
        "the condition number once": le(_moved, _smooth / _mu * _gradient2),
        "not strongly convex": without("f is mu-strongly convex"),
    },
)

smaller = page.at("after v1 (57), after v2 (62)", "G.5b").remark(
    "rgm:b2-relative-smoothness-smaller",
    "Relative smoothness never exceeds the condition number",
    both(le(_bregman0, _smooth / _mu * _bregmanf), le(_bregman0, _n * _bregmanf)),
    "The second part is for a record of the dataset, the others being convex.",
    given=(
        Hypothesis("f_0 is L-smooth", le(_bregman0, _smooth / 2 * _distance2), "App. B.2"),
        Hypothesis("f is mu-strongly convex", ge(_bregmanf, _mu / 2 * _distance2), "App. B.2"),
        Hypothesis("f is a mean of convex records", ge(_n * _bregmanf, _bregman0), "§5.2, General functions"),
    ),
    points=Chart(
        {_distance2: (0, None), _mu: (0, None), _smooth: (0, 1), _n: (0, None)},
        {_smooth: _smooth * _mu * _n, _bregmanf: _mu / 2 * _distance2, _bregman0: _smooth * _mu * _n / 2 * _distance2},
    ),
    wrong={
        "half of the condition number": le(_bregman0, _smooth / (2 * _mu) * _bregmanf),
        "L_rel = 1": both(le(_bregman0, _bregmanf), le(_bregman0, _n * _bregmanf)),
    },
    steps=(Step("The mean over the records, for least squares.", "rgm-v1:l-rel-without-conditioning"),),
    reading=r"Generally much smaller: never larger, and bounded for records of the dataset however ill-conditioned $f$ is. For least squares its mean over the records is "
    r"at most $d$ (`rgm-v1:l-rel-without-conditioning`). For a record outside of the dataset it may be $L/\mu$ (`beyond:outside-record`).",
)

_factor = _smooth * _l_rel / _mu
_BY_GRADIENT = (
    Hypothesis("the record that leaves, by the gradient", le(_uu, _factor * _gradient2), "v1 (57), v2 (62)"),
    Hypothesis("the record that comes, by the gradient", le(_vv, _factor * _gradient2), "v1 (57), v2 (62)"),
)
_SENSITIVITY_CHART = Chart(
    {**_LINE_RANGES, _smooth: (0, None), _l_rel: (0, None), _mu: (0, None), _n: (0, None)},
    {
        **_LINE_MAPS,
        **{_smooth: _smooth, _l_rel: _l_rel, _mu: _mu, _n: _n},
        _gradient2: (_u**2 + _up**2) * _mu / (_smooth * _l_rel),
    },
)

_sensitivity2 = named(r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2", _total / _n**2)

order = page.at("last sentence", "G.6").remark(
    "rgm:b2-order-of-eta",
    "The relative sensitivity of general objectives",
    le(_sensitivity2, 6 * _factor / _n**2 * _gradient2 + 3 * _ww / _n**2),
    r"The factor of the first term is $\eta^2$, of the order $\kappa L_{rel}/n^2$ with the condition number $\kappa$.",
    given=(*_GRAM, *_BY_GRADIENT),
    by=(
        Deduction((Premise("rgm:b2-three-squares"),)),
        orthogonal_worlds.GENERAL.mapped(
            orthogonal_worlds.of_general, _uu, _vv, _ww, _uv, _uw, _vw, _gradient2, _smooth, _l_rel, _mu, _n
        ),
    ),
    points=_SENSITIVITY_CHART,
    wrong={
        "1 in place of 6": _factor / _n**2 * _gradient2 + 3 * _ww / _n**2,
        "n once more": 6 * _factor / _n**3 * _gradient2 + 3 * _ww / _n**3,
        "the record that comes is free": changed(hypotheses=(*_GRAM, _BY_GRADIENT[0])),
    },
    steps=(
        Step("The factor $1/n$.", "rgm:b2-scale"),
        Step("The gradients at the minimiser.", "rgm:b2-insert-minimiser"),
        Step("Three squares.", "rgm:b2-three-squares"),
        Step("Each record by the gradient.", "rgm:b2-record-by-gradient"),
    ),
    reading=r"O(...) with the constant 6. $\kappa = L/\mu$ with the $L$ of B.2, the smoothness of the records; the smoothness of $f$ may be $n$ times smaller, and with it "
    r"the statement fails (`beyond:b2-condition-number-of-the-objective`).",
    tightness=looseness.TRIANGLE,
)

_psq = page.nonnegative("p", "|X_0|^2", latex=r"\|X_0\|^2")
_lev = page.nonnegative("e", "X_0^T A^-1 X_0", latex=r"X_0^\top A^{-1}X_0")
_lev2 = page.nonnegative("k", "X_0^T A^-2 X_0", latex=r"X_0^\top A^{-2}X_0")

_top = page.positive("L_A", "largest eigenvalue of A")

compared = page.at("last sentence", "G.6").remark(
    "rgm:b2-compared-with-quadratic",
    "For least squares the general bound is the better one",
    both(le(_psq * _lev2, _psq * _lev / _mu), le(_psq * _lev / _mu, _top / _mu * _lev**2)),
    r"Both bound $\|A_0A^{-1}\|^2$, the better one with $L$ and $L_{rel}$ of the record $X_0$, the other with the condition number of $A$.",
    given=(
        Hypothesis("the spectrum of A is at least mu", le(_mu * _lev2, _lev), "§5.2"),
        Hypothesis("the spectrum of A is at most L_A", le(_psq, _top * _lev), "§5.2"),
    ),
    by=(Smt(), orthogonal_worlds.COMPARED.mapped(orthogonal_worlds.of_compared, _psq, _lev, _lev2, _mu, _top)),
    points={
        _x1: (-3, 3),
        _x2: (-3, 3),
        _l1: (0, None),
        _psq: _x1**2 + _x2**2,
        _lev: _x1**2 / (_mu + _l1) + _x2**2 / _mu,
        _lev2: _x1**2 / (_mu + _l1) ** 2 + _x2**2 / _mu**2,
        _top: _mu + _l1,
    },
    wrong={
        "L_rel once on the right": both(le(_psq * _lev / _mu, _top / _mu * _lev)),
        "without mu": le(_psq * _lev2, _psq * _lev),
    },
    reading=r"Much like in (10) of version 1, (11) of version 2: $L_{rel}$ stands there with its square, and with the condition number of $A$ in place of that of a record. "
    "Both bound the same quantity.",
)

_eta = page.nonnegative("eta", "relative sensitivity")
_r = page.nonnegative("R_rel", "absolute part", latex=r"R_{rel}")

arbitrary = page.elsewhere("§5.2, General functions", "NB02").remark(
    "rgm:b2-arbitrary-convex-printed",
    "Arbitrary convex functions",
    le((_n * (_r + 1)) ** 2 / _n**2, _eta**2 * 0 + _r**2),
    "For arbitrary convex functions.",
    exists=True,
    by=(Search(), Smt()),
    over=(_eta, _n),
    reading=r"All records of $f$ are 0, which is convex; the new record is $\frac12\theta^2$. The gradients differ by $\theta/n$ and $\nabla f = 0$; at $\theta = n(R_{rel}+1)$ no choice of $\eta$ and $R_{rel}$ will do. A term like those of Section 5.2 is a pair of such numbers.",
    scope="instance",
    missing="One pair of objectives on the line, at one parameter.",
    category="missing hypothesis",
    corrected="rgm:b2-order-of-eta",
    remark="The appendix assumes strong convexity and relative smoothness, by which the statement holds; the main text mentions neither.",
    printed=r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2 \le \eta^2\|\nabla f(\theta)\|^2 + R_{rel}^2 \qquad \text{for all } \theta",
)

_quad = page.nonnegative("q", "(X_0 . v)^2", latex=r"(X_0^\top v)^2")
_weighted = page.nonnegative("F", "v^T A_m v with A_m = m/n X X^T + mu_reg I", latex=r"v^\top A_m v")
_LEVERAGE = nonnegative("e", "X_0^T A_m^-1 X_0", latex=r"X_0^\top A_m^{-1}X_0")
_curved = page.positive("M", "upper bound on the second derivative of the losses")
_leverage = _LEVERAGE.symbol
_FROM_BELOW = Hypothesis("the losses' second derivatives are at least m", ge(_bregmanf, _weighted / 2))

linear_models = page.elsewhere("App. D", "G.7", source="rgm-v2").remark(
    "rgm-v2:d-generalized-linear-models",
    "Relative smoothness for generalized linear models",
    le(_bregman0, _curved * _leverage * _bregmanf),
    r"For losses that are functions of $X_i^\top\theta$ with second derivatives between $m$ and $M$; $A_m$ is $\frac mnXX^\top+\mu_{reg}I$.",
    given=(
        Hypothesis("the loss of record 0 has second derivative at most M", le(_bregman0, _curved / 2 * _quad)),
        Hypothesis("Cauchy-Schwarz in the norm of A_m", le(_quad, _leverage * _weighted)),
        _FROM_BELOW,
    ),
    points={_quad: _leverage * _weighted, _bregman0: _curved / 2 * _leverage * _weighted, _bregmanf: _weighted / 2},
    over=(_LEVERAGE,),
    wrong={
        "half": _curved * _leverage * _bregmanf / 2,
        "without M": _leverage * _bregmanf,
        "no curvature from below": without("the losses' second derivatives are at least m"),
    },
    steps=(
        Step(
            "$(X_0^\\top v)^2 \\le X_0^\\top A_m^{-1}X_0\\;v^\\top A_mv$.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is that of $A_m^{-1/2}X_0$ and $A_m^{1/2}v$; $A_m$ is positive definite."},
        ),
    ),
    reading=r"In any dimension, for the step $v = \theta-\theta_\star$.",
    remark=r"The logistic loss has $M = 1/4$ and no $m > 0$ for all $\theta$: over the whole space $A_m$ is then $\mu_{reg}I$, and $L_{rel}$ is the condition number $L/\mu$. "
    "With bounded parameters and records there is an $m$.",
)

_steep = page.positive("a", "minus the second derivative of f")
_steep_p = page.positive("a'", "minus the second derivative of f'")
_place = page.real("theta", "parameter")
_eta_one = page.positive("eta", "relative sensitivity")

_CLOSE = tuple(
    Hypothesis(f"the curvatures are close, measured by {v}", le((_steep - _steep_p) ** 2, _eta_one**2 * v**2))
    for v in (_steep, _steep_p)
)

non_convex = page.elsewhere("App. D", "NB03", source="rgm-v2").remark(
    "rgm-v2:d-non-convex",
    "Non-convex functions may be relatively sensitive",
    both(
        le((-_steep * _place + _steep_p * _place) ** 2, _eta_one**2 * (-_steep * _place) ** 2),
        le((-_steep * _place + _steep_p * _place) ** 2, _eta_one**2 * (-_steep_p * _place) ** 2),
    ),
    r"The concave $-\frac a2\theta^2$ and $-\frac{a'}2\theta^2$ with close curvatures have gradients of relative sensitivity $\eta$ without an absolute part, in both orders.",
    given=_CLOSE,
    points={_place: (-3, 3), _steep_p: _steep * (1 + _eta_one)},
    wrong={
        "half of eta": le((-_steep * _place + _steep_p * _place) ** 2, (_eta_one / 2) ** 2 * (_steep * _place) ** 2),
        "one order only": changed(hypotheses=(_CLOSE[1],)),
    },
    reading="To handle: the definition and the guarantee of the mechanism speak of the two outputs only, and some functions that are not convex meet the definition. "
    "The guarantee on the error of gradient descent is for convex functions.",
)
