r"""Appendix B.2: relative sensitivity of general objectives, by relative smoothness.

The argument is right and its display is full of slips: the factor $1/n$ is missing in $f-f' = \frac1n(f_0-f_0')$, an equality stands for an inequality, a
prime too many makes the first difference one of two functions, and $f$ stands for $f_0$ in the assumptions.

Everything reduces to values of Bregman divergences, inner products and squared norms, in any dimension; counterexamples are quadratics on the line.
"""

from rgm_verify.claims.formula import relations
from rgm_verify.pages import *

from ... import looseness
from . import general_objectives_worlds as worlds

page = Page("rgm-v1+v2", "App. B.2")
n = page.natural("n", "number of records")

# The difference of the gradients of f and f' (norm D), and that of the gradients of f_0 and f_0' (norm D_0).
_d = page.nonnegative(
    "D", "norm of the difference of the gradients of f and f'", latex=r"\|\nabla f(\theta)-\nabla f'(\theta)\|"
)
_d0 = page.nonnegative("D_0", "the same for f_0 and f_0'", latex=r"\|\nabla f_0(\theta)-\nabla f_0'(\theta)\|")

scale_printed = page.at("display, first line", "G.1").identity(
    "rgm:b2-scale-printed",
    "The difference of the gradients, as printed",
    eq(_d**2, _d0**2 / n**2),
    "For losses whose difference is that of the two records, without the mean.",
    given=Hypothesis("f - f' = f_0 - f_0'", eq(_d, _d0), "App. B.2"),
    by=(Search(), Smt()),
    points={n: (0, None), _d0: _d},
    mistake=("misprint", "rgm:b2-scale"),
    remark=r"Objectives that are means of $n$ losses differ by $\frac1n(f_0-f_0')$.",
)

scale = page.at("display, first line").correction(
    "rgm:b2-scale",
    "The difference of the gradients of two means",
    eq(_d**2, _d0**2 / n**2),
    given=Hypothesis("f - f' = (f_0 - f_0')/n", eq(_d, _d0 / n)),
    by=Smt(),
    points={_d: (0, None, _d / n), n: (0, None), _d0: _d},
    wrong={"n once": _d0**2 / n, "without 1/n": instead(Hypothesis("f - f' = (f_0 - f_0')/n", eq(_d, _d0)))},
)

# Quadratics on the line: second derivatives of the records, the others' adding up to G, so that f'' = (a + G)/n.
_second = page.nonnegative("a", "second derivative of f_0")
_second_p = page.nonnegative("a'", "second derivative of f_0'")
_others = page.positive("G", "sum of the second derivatives of the other records")
l_rel = page.positive("L_rel", "relative smoothness", latex=r"L_{rel}")
_curvature, _curvature_p = (_second + _others) / n, (_second_p + _others) / n

assumptions_printed = page.at("assumptions", "G.2").definition(
    "rgm:b2-assumptions-printed",
    "The assumptions, as printed, do not give what they are used for",
    le(_second, l_rel * _curvature),
    "The assumptions are to make $f_0$ relatively smooth with respect to $f$, which the proof uses.",
    given=(
        Hypothesis("f with respect to f", ge(l_rel, 1), "App. B.2"),
        Hypothesis("f with respect to f'", le(_curvature, l_rel * _curvature_p), "App. B.2"),
        Hypothesis("f_0' with respect to f", le(_second_p, l_rel * _curvature), "App. B.2"),
        Hypothesis("f_0' with respect to f'", le(_second_p, l_rel * _curvature_p), "App. B.2"),
    ),
    by=(Search(), Smt()),
    points={
        _second: (0, 1, _second * l_rel * _others),
        l_rel: (0, None, 1 + l_rel),
        n: (0, None),
        _second_p: 0 * _others,
    },
    reading="A definition; what is judged is whether it serves its purpose. Relative smoothness compares second derivatives; smoothness and strong convexity hold with some constants.",
    instance="Quadratics on the line.",
    mistake=("misprint", "rgm:b2-assumptions"),
    remark="$f_0$ is meant in place of $f$: that $f$ is 1-smooth relative to itself says nothing.",
    printed=r"D_{f_0} \le L_{rel}\,D_f",
)

l1, _l2 = (page.positive(f"l_{k}", "eigenvalue of A") for k in "12")
x1, x2 = (page.real(f"x_{k}", "coordinate of X_0 in a basis of eigenvectors") for k in "12")
_v1, _v2 = (page.real(f"v_{k}", "coordinate of a direction") for k in "12")
_form = named(r"X_0^\top A^{-1}X_0", x1**2 / l1 + x2**2 / _l2)
_sides = (named("D_{f_0}", (x1 * _v1 + x2 * _v2) ** 2 / 2), _form * (l1 * _v1**2 + _l2 * _v2**2) / 2)

assumptions = page.at("assumptions").correction(
    "rgm:b2-assumptions",
    "The assumptions for least squares",
    both(le(*_sides), eq(*(At(side, (_v1, _v2), (x1 / l1, x2 / _l2)) for side in _sides))),
    "With $f_0$ and $f_0'$ relatively smooth with respect to both $f$ and $f'$ they are those of Section 5.2. For least squares equality holds in the direction $A^{-1}X_0$.",
    by=(Smt(), worlds.RELATIVELY_SMOOTH),
    wrong={
        "without the inverse": le((x1 * _v1 + x2 * _v2) ** 2, (x1**2 + x2**2) * (l1 * _v1**2 + _l2 * _v2**2)),
        "half": le((x1 * _v1 + x2 * _v2) ** 2, _form * (l1 * _v1**2 + _l2 * _v2**2) / 2),
    },
    reading="In a basis of eigenvectors of $A$; the Bregman divergence of a quadratic is the quadratic form of its second derivatives.",
    instance=r"Dimension 2.",
    printed=r"D_{f_0} \le X_0^\top A^{-1}X_0\,D_f",
)

# The gradients of f_0 and f_0' at theta and at theta_*, on the line.
u = page.real("u", "gradient of f_0 at theta")
up = page.real("u'", "gradient of f_0' at theta")
_v = page.real("v", "gradient of f_0 at theta_*")
_vp = page.real("v'", "gradient of f_0' at theta_*")
_printed = (u - _vp) - (up - _vp) + (_v - _vp)

inserted_printed = page.at("display, second line", "G.3a").identity(
    "rgm:b2-insert-minimiser-printed",
    "Inserting the gradients at the minimiser, as printed",
    eq((u - up) ** 2, _printed**2),
    by=(Search(), Identity()),
    reading="Squared.",
    instance="Gradients on the line.",
    mistake=("misprint", "rgm:b2-insert-minimiser"),
    remark=r"The first difference should be $\nabla f_0(\theta)-\nabla f_0(\theta_\star)$; the prime is one too many, here and in the lines that follow.",
    printed=r"\begin{aligned} & \|\nabla f_0(\theta)-\nabla f_0'(\theta)\|^2 \\ & \quad = \|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)-[\nabla f_0'(\theta)-\nabla f_0'(\theta_\star)]+\nabla f_0(\theta_\star)-\nabla f_0'(\theta_\star)\|^2 \end{aligned}",
)

inserted = page.at("display, second line").correction(
    "rgm:b2-insert-minimiser",
    "Inserting the gradients at the minimiser",
    eq(u - up, printed(lambda: (u - _v) - (up - _vp) + (_v - _vp))),
    wrong={"the prime": _printed, "a sign": (u - _v) + (up - _vp) + (_v - _vp)},
    reading="Coordinate by coordinate.",
)

three_printed = page.at("display, third line", "G.3b").identity(
    "rgm:b2-three-squares-printed",
    "Three squares, as printed",
    eq(_printed**2 / n**2, 3 * ((u - _vp) ** 2 + (up - _vp) ** 2 + (_v - _vp) ** 2) / n**2),
    "An equality between the square of the sum and the sum of the squares.",
    by=(Search(), Identity()),
    reading="With the differences as printed.",
    instance="Gradients on the line.",
    mistake=("misprint", "rgm:b2-three-squares"),
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
uu, vv, ww = (v.symbol for v in _SQUARES)
uv, uw, vw = (v.symbol for v in _PRODUCTS)
GRAM = (
    Hypothesis("|u + v|^2 >= 0", ge(uu + vv + 2 * uv, 0)),
    Hypothesis("|u - w|^2 >= 0", ge(uu + ww - 2 * uw, 0)),
    Hypothesis("|v + w|^2 >= 0", ge(vv + ww + 2 * vw, 0)),
)
total = named(r"\|u-v+w\|^2", uu + vv + ww - 2 * uv + 2 * uw - 2 * vw)
ON_A_LINE = {
    **dict.fromkeys((u, up, _v), (-3, 3)),
    **{uu: u**2, vv: up**2, ww: _v**2, uv: u * up, uw: u * _v, vw: up * _v},
}

three = page.at("display, third line").correction(
    "rgm:b2-three-squares",
    "Three squares",
    le(total, 3 * (uu + vv + ww)),
    given=GRAM,
    by=(combination(*tuple((next(iter(relations(h.formula))).lhs,) for h in GRAM)), Smt()),
    points=ON_A_LINE,
    wrong={
        "an equality": eq(total, 3 * (uu + vv + ww)),
        "2": 2 * (uu + vv + ww),
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
smooth = page.positive("L", "smoothness of the records")
mu = page.positive("mu", "strong convexity of f")

_SMOOTH_RECORDS = (
    Hypothesis("f_0 is L-smooth", le(_second, smooth), "App. B.2"),
    Hypothesis("f_0' is L-smooth", le(_second_p, smooth), "App. B.2"),
)
_cross = (_second * _t - _k) - (_second_p * _tstar - _kp)

cocoercive_printed = page.elsewhere("App. B.2; v1 (57) first relation, v2 (62) first relation", "G.4a").inequality(
    "rgm:b2-smoothness-printed",
    "The gradient by the Bregman divergence, as printed",
    le(_cross**2, 2 * smooth * (_second / 2 * (_t - _tstar) ** 2)),
    given=_SMOOTH_RECORDS,
    by=(Search(), Smt()),
    reading="With the prime as printed.",
    instance="Quadratics on the line.",
    mistake=("misprint", "rgm:b2-smoothness"),
    remark=r"At $\theta = \theta_\star$ the right side is 0. The prime is one too many.",
    printed=r"\|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)\|^2 \le 2L\,D_{f_0}(\theta,\theta_\star)",
)

bregman0 = page.real("D_0", "Bregman divergence of f_0 from theta_* to theta", latex=r"D_{f_0}(\theta,\theta_\star)")
_bregmanz = page.real(
    "D_z",
    "Bregman divergence of f_0 from theta_* to z = theta - (grad f_0(theta) - grad f_0(theta_*))/L",
    latex=r"D_{f_0}(z,\theta_\star)",
)
moved = page.nonnegative(
    "u",
    "squared norm of the change of the gradient of f_0 from theta_* to theta",
    latex=r"\|\nabla f_0(\theta)-\nabla f_0(\theta_\star)\|^2",
)

_CONVEX0 = Hypothesis(
    "f_0 is convex, between theta_* and z", ge(_bregmanz, 0), "§5.2, General functions: convex functions"
)
_SMOOTH0 = Hypothesis(
    "f_0 is L-smooth, between theta and z", le(_bregmanz, bregman0 - moved / smooth + moved / (2 * smooth)), "App. B.2"
)

cocoercive = page.elsewhere("App. B.2; v1 (57) first relation, v2 (62) first relation").correction(
    "rgm:b2-smoothness",
    "The gradient by the Bregman divergence",
    le(moved, 2 * smooth * bregman0),
    "For convex, $L$-smooth $f_0$.",
    given=(_CONVEX0, _SMOOTH0),
    by=(
        combination(
            (2 * smooth, _bregmanz), (2 * smooth, bregman0 - moved / smooth + moved / (2 * smooth) - _bregmanz)
        ),
        Smt(),
    ),
    points={_bregmanz: (0, None), bregman0: moved / (2 * smooth) + _bregmanz},
    wrong={"L": smooth * bregman0, "not convex": without(_CONVEX0), "not smooth": without(_SMOOTH0)},
    reading=r"In any dimension: one gradient step from $\theta$ on $f_0 - \nabla f_0(\theta_\star)^\top\cdot$, whose minimum is at $\theta_\star$. Convexity of the records is "
    "needed and stands only in the main text.",
    tightness=looseness.GRADIENT,
)

bregmanf = page.real(
    "D_f",
    "Bregman divergence of f from theta_* to theta, which is f(theta) - f(theta_*)",
    latex=r"D_f(\theta,\theta_\star)",
)

_RELATIVE0 = Hypothesis("f_0 is relatively smooth", le(bregman0, l_rel * bregmanf), "App. B.2, with f_0 for f")

relative = page.elsewhere("App. B.2; v1 (57) second relation, v2 (62) second relation", "G.4b").inequality(
    "rgm:b2-relative-smoothness",
    "From the record to the objective",
    le(2 * smooth * bregman0, 2 * smooth * l_rel * bregmanf),
    given=_RELATIVE0,
    by=(combination((2 * smooth, l_rel * bregmanf - bregman0)), Smt()),
    points={bregmanf: (0, None), bregman0: l_rel * bregmanf},
    wrong={"without L_rel": 2 * smooth * bregmanf, "not relatively smooth": without()},
)

_inner = page.real(
    "s",
    "inner product of the gradient of f at theta with theta - theta_*",
    latex=r"\nabla f(\theta)^\top(\theta-\theta_\star)",
)
distance2 = page.nonnegative("r2", "squared distance of theta and theta_*", latex=r"\|\theta-\theta_\star\|^2")
gradient2 = page.nonnegative("g2", "squared norm of the gradient of f at theta", latex=r"\|\nabla f(\theta)\|^2")
_STRONG = Hypothesis("f is mu-strongly convex", le(bregmanf, _inner - mu / 2 * distance2), "App. B.2")
_SQUARE = Hypothesis("|grad f - mu (theta - theta_*)|^2 >= 0", ge(gradient2 - 2 * mu * _inner + mu**2 * distance2, 0))
_QUADRATIC = {gradient2: mu**2 * _t**2, _inner: mu * _t**2, distance2: _t**2, bregmanf: mu / 2 * _t**2}

strong = page.elsewhere("App. B.2; v1 (57) third relation, v2 (62) third relation", "G.4c").inequality(
    "rgm:b2-strong-convexity",
    "From the objective to its gradient",
    le(2 * smooth * l_rel * bregmanf, smooth * l_rel / mu * gradient2),
    given=(_STRONG, _SQUARE),
    by=(
        combination(
            (2 * smooth * l_rel, _inner - mu / 2 * distance2 - bregmanf),
            (smooth * l_rel / mu, gradient2 - 2 * mu * _inner + mu**2 * distance2),
        ),
        Smt(),
    ),
    points={**_QUADRATIC, _t: (-3, 3)},
    wrong={
        "half": smooth * l_rel / mu * gradient2 / 2,
        "convex only": instead(Hypothesis("f is mu-strongly convex", le(bregmanf, _inner))),
        "without mu": smooth * l_rel * gradient2,
    },
    reading=r"In any dimension. $\nabla f(\theta_\star) = 0$, so the divergence is $f(\theta)-f(\theta_\star)$.",
)

_h = page.positive("h", "second derivative of f")

chain_printed = page.elsewhere("App. B.2; v1 (57), v2 (62)", "G.4d").inequality(
    "rgm:b2-record-by-gradient-printed",
    "The gradient of the record by that of the objective, as printed",
    le(_cross**2, smooth * l_rel / mu * (_h * (_t - _tstar)) ** 2),
    given=(
        *_SMOOTH_RECORDS,
        Hypothesis("f is mu-strongly convex", le(mu, _h), "App. B.2"),
        Hypothesis("f_0 is relatively smooth", le(_second, l_rel * _h), "App. B.2, with f_0 for f"),
    ),
    by=(Search(), Smt()),
    points=dict.fromkeys((_k, _kp, _t), (-3, 3))
    | {_tstar: _t, mu: _h, l_rel: _second / _h, smooth: _second + _second_p},
    reading="With the prime as printed.",
    instance="Quadratics on the line.",
    mistake=("misprint", "rgm:b2-record-by-gradient"),
    remark=r"At $\theta = \theta_\star$ the right side is 0.",
    printed=r"\|\nabla f_0(\theta)-\nabla f_0'(\theta_\star)\|^2 \le \frac{LL_{rel}}{\mu}\|\nabla f(\theta)\|^2",
)

chained = page.elsewhere("App. B.2; v1 (57), v2 (62)").correction(
    "rgm:b2-record-by-gradient",
    "The gradient of the record by that of the objective",
    le(moved, smooth * l_rel / mu * gradient2),
    "For convex records; the same for $f_0'$.",
    given=(_CONVEX0, _SMOOTH0, _RELATIVE0, _STRONG, _SQUARE),
    by=worlds.RECORD.mapped(
        worlds.of_record, bregman0, _bregmanz, moved, smooth, bregmanf, l_rel, _inner, distance2, gradient2, mu
    ),
    points={
        **_QUADRATIC,
        **{_t: (-3, 3), smooth: mu * l_rel, moved: (mu * l_rel * _t) ** 2},
        **{bregman0: mu * l_rel * _t**2 / 2, _bregmanz: 0 * _t},
    },
    wrong={
        "half": smooth * l_rel / mu * gradient2 / 2,
        "without mu": smooth * l_rel * gradient2,
        "not relatively smooth": without("f_0 is relatively smooth"),
    },
    steps=(
        Step("Smoothness and convexity of the record.", Premise("rgm:b2-smoothness")),
        Step("Relative smoothness.", Premise("rgm:b2-relative-smoothness")),
        Step("Strong convexity of the objective.", Premise("rgm:b2-strong-convexity")),
    ),
    reading=r"The minimiser is that of $f$ for both records; for $f'$ in place of $f$ it is that of $f'$.",
    tightness=Tightness(
        looseness.x / looseness.a,
        {looseness.x: (1, 10), looseness.a: (looseness.TENTH, 1)},
        r"the bound over the squared gradient of the record, for curvatures $aL$ of the record and $x\mu$ of the objective",
    ),
)
