r"""Section 5.3 put right: what $A \succcurlyeq \rho C$ says of $A^{-2}$, and the relative sensitivity that clipped data have.

Inversion reverses the order of matrices and squaring does not keep it. What holds is
$A^{-2} \preccurlyeq \frac{(1+\kappa)^2}{4\kappa}\rho^{-2}C^{-2}$ with $\kappa$ the condition number of C (or that of A), and the factor cannot be lowered.
The general statements are proved by their scalar core: with $u = A^{-1}x$ and $v = C^{-1}x$ only the numbers $|u|^2$, $u^TCu$, $|Cu|^2$, $u^TCv$ and
$|v|^2$ enter, for matrices of every size. What is quoted is the spectral theorem, as $(C - m)(M - C) \succcurlyeq 0$, and the Cauchy-Schwarz inequality.
"""

from sympy import Max, Min, sqrt

from rgm_verify.claims import *
from rgm_verify.claims.formula import substitute
from rgm_verify.lenses import *
from rgm_verify.lenses.scaling import S as SCALE

from .. import looseness
from ..rgm.clipping_notation import *
from ..theorems import CAUCHY_SCHWARZ, SPECTRAL
from ..worlds import order as order_worlds

page = Page("beyond", "", CLIPPING_NOTATION)


_WHERE = "§5.3"
low = page.positive("m", "lower bound on the eigenvalues")
high = page.positive("M", "upper bound on the eigenvalues")


#: (1 + kappa)^2 / (4 kappa) for kappa = M/m.
kantorovich = (low + high) ** 2 / (4 * low * high)
u_ = page.nonnegative("U", "$|A^{-1}x|^2$")
v_ = page.nonnegative("V", "$|C^{-1}x|^2$")
s = page.nonnegative("s", "$u^TCu$ (or $u^TAu$) with $u = A^{-1}x$")
t = page.nonnegative("t", "$|Cu|^2$ (or $|Au|^2$)")
g = page.real("g", "$u^TCv$ (or $v^TAu$) with $v = C^{-1}x$")


_SPECTRUM = Hypothesis(
    "spectrum", ge((low + high) * s, low * high * u_ + t), "(C - m)(M - C) is positive semi-definite"
)
_ORDER = Hypothesis("A >= rho C", le(level * s, g), "$\\rho u^TCu \\le u^TAu = u^TCv$")
_CAUCHY = Hypothesis("Cauchy-Schwarz", le(g**2, t * v_))
_MATRIX_UNIT = {
    **{low: SCALE * low, high: SCALE * high, level: level / SCALE, radius: radius / sqrt(SCALE)},
    **{v_: v_ / SCALE**2, s: SCALE * s, t: SCALE**2 * t},
}
_UNIT = Scaling("the unit of C", _MATRIX_UNIT, {"rho stays": {k: v for k, v in _MATRIX_UNIT.items() if k != level}})
_k = positive("k").symbol
#: The root of the factor, where the larger eigenvalue is (1 + k) times the smaller one.
_root_of_factor = (2 + _k) / (2 * sqrt(1 + _k))
#: Vectors for which all three conditions are equalities: t = mMU, rho s = g, g^2 = tV.
_EXTREME = Chart(
    {low: (0, 5), _k: (0, 12), u_: (0, 5), level: (0, 5)},
    {
        high: low * (1 + _k),
        t: low**2 * (1 + _k) * u_,
        s: 2 * low * (1 + _k) * u_ / (2 + _k),
        g: level * 2 * low * (1 + _k) * u_ / (2 + _k),
        v_: level**2 * 4 * (1 + _k) * u_ / (2 + _k) ** 2,
    },
)

order_squared = page.elsewhere("§5.3").inequality(
    "beyond:order-squared",
    "What A >= rho C says of the squares of the inverses",
    le(level**2 * u_, kantorovich * v_),
    r"If $A \succcurlyeq \rho C$ and the eigenvalues of C lie in $[m, M]$, then $\rho^2|A^{-1}x|^2 \le \frac{(m+M)^2}{4mM}|C^{-1}x|^2$ for every x. The same "
    r"with the eigenvalues of A.",
    given=(_SPECTRUM, _ORDER, _CAUCHY),
    by=(Smt(), order_worlds.SQUARES.mapped(order_worlds.of_squares, low, high, level, u_, v_, s, t, g), _UNIT),
    points=_EXTREME,
    wrong={
        "without the condition number": v_,
        "half of the factor": kantorovich * v_ / 2,
        "rho for its square": left(level * u_),
        "no spectrum": without(_SPECTRUM),
    },
    steps=(
        Step(
            r"$(C-m)(M-C) \succcurlyeq 0$ at $u$ is the condition on the spectrum.",
            theorem=SPECTRAL,
            met={"symmetric": "C is symmetric, and so is A."},
        ),
        Step(
            r"$g^2 \le tV$, as $g$ is the inner product of $Cu$ and $v$ (or of $Au$ and $v$).",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one."},
        ),
        Step(r"The spectrum and $2\sqrt{mMUt} \le mMU + t$ give Kantorovich's inequality $4mM\,U\,t \le (m+M)^2s^2$."),
        Step(r"$\rho s \le g \le \sqrt{tV}$, so $4mM\,U\,t\,\rho^2 \le (m+M)^2\,t\,V$."),
    ),
    reading=r"With $u = A^{-1}x$, $v = C^{-1}x$: $s = u^TCu$, $t = |Cu|^2$, $g = u^TCv = u^Tx$. For A: $s = u^TAu$, $t = |Au|^2$, $g = v^TAu = v^Tx$, and the order reads "
    r"$\rho x^TA^{-1}x \le x^TC^{-1}x$. The five numbers satisfy the same three conditions in both cases.",
    remark="Known as the Kantorovich form of the order of squares (Fujii, Izumino, Nakamoto, Seo).",
    tightness=looseness.CONDITION_NUMBER,
)

# Sharpness: C = diag(M, m), A = rho (C + j w w^T) with w orthogonal to u = (1/sqrt M, 1/sqrt m), and the x with C^{-1}x parallel to Cu; M = p^2, m = r^2.
p = page.positive("p", "root of the larger eigenvalue of C")
r = page.positive("r", "root of the smaller")
j = page.positive("j", "weight")

_w = (p, -r)
_x = (p**3, r**3)
_entries = (p**2 + j * _w[0] ** 2, j * _w[0] * _w[1], r**2 + j * _w[1] ** 2)
_det = _entries[0] * _entries[2] - _entries[1] ** 2
_ratio = (
    ((_entries[2] * _x[0] - _entries[1] * _x[1]) ** 2 + (_entries[0] * _x[1] - _entries[1] * _x[0]) ** 2)
    / _det**2
    / (_x[0] ** 2 / p**4 + _x[1] ** 2 / r**4)
)
_sharp = (p**2 + r**2) ** 2 / (4 * p**2 * r**2)

sharp = page.elsewhere("§5.3").inequality(
    "beyond:order-squared-sharp",
    "The factor of the order of squares cannot be lowered",
    both(ge(_ratio, (2 * j / (1 + 2 * j)) ** 2 * _sharp), le(_ratio, _sharp)),
    r"For $C = \mathrm{diag}(p^2, r^2)$, $A = \rho(C + jww^T)$, $w = (p, -r)$, $x = (p^3, r^3)$ the ratio $\rho^2|A^{-1}x|^2/|C^{-1}x|^2$ is at least "
    r"$\left(\frac{2j}{1+2j}\right)^2\frac{(1+\kappa)^2}{4\kappa}$, $\kappa = p^2/r^2$: as close to the factor as one likes.",
    wrong={"reached": ge(_ratio, _sharp), "an upper bound": le(_ratio, (2 * j / (1 + 2 * j)) ** 2 * _sharp)},
)

xx = page.nonnegative("X", "$|x|^2$")

_CLIPPED = Hypothesis("clipped as printed", le(xx * v_, radius**4), "§5.3")
_AS_ONE = Chart({**_EXTREME.ranges, radius: (0, 5)}, {**_EXTREME.maps, xx: radius**4 / _EXTREME.maps[v_]})

clipped_point = page.elsewhere("replaces §5.3, third item of the procedure; v1 (64)").inequality(
    "beyond:clipped-point",
    "What a clipped point contributes",
    le(xx * u_, kantorovich * radius**4 / level**2),
    r"If $A \succcurlyeq \rho C$ and $|x|^2x^TC^{-2}x \le R_c^4$, then $\|xx^TA^{-1}\|^2 = |x|^2x^TA^{-2}x \le \frac{(m+M)^2}{4mM}\frac{R_c^4}{\rho^2}$.",
    given=(_SPECTRUM, _ORDER, _CAUCHY, _CLIPPED),
    by=(
        Deduction((Premise("beyond:order-squared"),)),
        order_worlds.CLIPPED.mapped(order_worlds.of_clipped, low, high, level, u_, v_, s, t, g, xx, radius),
        _UNIT,
    ),
    points=_AS_ONE,
    wrong={
        "without the condition number": radius**4 / level**2,
        "half of the factor": kantorovich * radius**4 / level**2 / 2,
        "not clipped": without(_CLIPPED),
    },
    steps=(Step(r"The order of squares, times $|x|^2$.", "beyond:order-squared"),),
    tightness=looseness.CONDITION_NUMBER,
)

e = page.nonnegative("e", "$x^TC^{-1}x$")
f = page.nonnegative("f", "$x^TA^{-1}x$")

_ELLIPSOID = (
    Hypothesis("|x|^2 <= M x^T C^{-1} x", le(xx, high * e), "the largest eigenvalue of C"),
    Hypothesis("m |u|^2 <= u^T C u", le(low * u_, s), "the smallest eigenvalue of C"),
    Hypothesis("A >= rho C at u", le(level * s, f), "$\\rho u^TCu \\le u^TAu = x^TA^{-1}x$"),
    Hypothesis("A >= rho C, inverted", le(level * f, e), "inversion reverses the order"),
    Hypothesis("clipped to the ellipsoid", le(e, radius**2), "Proposition 3"),
)
_ELLIPSE_CHART = Chart(
    {low: (0, 5), _k: (0, 9), level: (0, 5), radius: (0, 5)},
    {
        high: low * (1 + _k),
        e: radius**2,
        xx: low * (1 + _k) * radius**2,
        f: radius**2 / level,
        s: radius**2 / level**2,
        u_: radius**2 / level**2 / low,
    },
)

ellipsoid = page.elsewhere("§5.3 and §5.4").inequality(
    "beyond:ellipsoid-clipped-point",
    "What a point clipped to the ellipsoid contributes",
    le(level**2 * low * xx * u_, high * radius**4),
    r"If $A \succcurlyeq \rho C$ and $x^TC^{-1}x \le R_c^2$, then $|x|^2x^TA^{-2}x \le \kappa\frac{R_c^4}{\rho^2}$, $\kappa = M/m$ the condition number of C.",
    given=_ELLIPSOID,
    by=(
        Smt(),
        order_worlds.ELLIPSOID_POINT.mapped(order_worlds.of_ellipsoid, low, high, level, radius, xx, u_, s, f, e),
    ),
    points=_ELLIPSE_CHART,
    wrong={
        "without the condition number": le(level**2 * xx * u_, radius**4),
        "not clipped": changed(hypotheses=_ELLIPSOID[:4]),
        "order not used": changed(hypotheses=(*_ELLIPSOID[:2], _ELLIPSOID[4])),
    },
    reading=r"$u = A^{-1}x$, $s = u^TCu$. No square of a matrix is compared; inversion does reverse the order of positive definite matrices.",
    tightness=looseness.ELLIPSOID,
)

contribution = page.nonnegative("W", "$|x|^2x^TA^{-2}x$")


through_inverse = page.elsewhere("replaces §5.3, after Proposition 1").inequality(
    "beyond:proposition-1-through-inverse",
    "What (10), (11) and A >= rho C do give",
    le(contribution, high / low * radius**4 / level**2),
    r"Equation (11) bounds $|x|^2x^TA^{-2}x$ by $\kappa_A(x^TA^{-1}x)^2$, and $x^TA^{-1}x \le R_c^2/\rho$ for a clipped point: the constant is "
    r"$\kappa_AR_c^4/\rho^2$, with the condition number $\kappa_A = M/m$ of A.",
    given=(
        Hypothesis("(11)", le(contribution, high / low * f**2), "(11)"),
        Hypothesis("A >= rho C, inverted", le(level * f, e)),
        Hypothesis("clipped", le(e, radius**2), by=("beyond:clippings-compared",)),
    ),
    by=(
        Smt(),
        order_worlds.THROUGH_INVERSE.mapped(order_worlds.of_inverse, low, high, level, radius, contribution, f, e),
    ),
    points={
        low: (0, 5),
        high: (0, 5),
        level: (0, 5),
        radius: (0, 5),
        e: radius**2,
        f: radius**2 / level,
        contribution: high / low * (radius**2 / level) ** 2,
    },
    wrong={"without the condition number": radius**4 / level**2, "rho for its square": high / low * radius**4 / level},
    reading=r"The printed clipping implies $x^TC^{-1}x \le R_c^2$ (beyond:clippings-compared).",
)

compared = page.elsewhere("replaces §5.4, after Proposition 3").inequality(
    "beyond:clippings-compared",
    "The printed clipping is the stronger one",
    le(by_c(x1, x2, -1) ** 2, radius**4),
    r"$|x|^2x^TC^{-2}x \le R_c^4$ implies $x^TC^{-1}x \le R_c^2$, because $(x^TC^{-1}x)^2 \le |x|^2\,|C^{-1}x|^2$.",
    given=Hypothesis("clipped as printed", le(norm_squared * by_c(x1, x2, -2), radius**4)),
    by=(
        Combination(terms=((radius**4 - norm_squared * by_c(x1, x2, -2),), ((x1 * x2 / c2 - x1 * x2 / c1) ** 2,))),
        Smt(),
        order_worlds.COMPARED,
    ),
    points={c1: (0, 10), c2: (0, 10), x1: (-3, 3), x2: (-3, 3), radius: (0, 9)},
    wrong={"half of it": radius**4 / 2, "C^-2 inside": left(by_c(x1, x2, -2) ** 2)},
    steps=(
        Step(
            "In any dimension:",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one, of $x$ and $C^{-1}x$."},
        ),
    ),
)

# Relative sensitivity: n |difference of the gradients| <= |first part| + |second part| + |difference at the minimiser|.
_PARTS = tuple(
    nonnegative(n, w)
    for n, w in (
        ("alpha", "$|A_0A^{-1}\\nabla f|$"),
        ("beta", "$|A_0'A^{-1}\\nabla f|$"),
        ("w", "$|\\nabla f_0 - \\nabla f_0'|$ at $A^{-1}b$"),
    )
)
page.declare(*_PARTS)
_DIFFERENCE = nonnegative("D", "n times the distance of the two gradients")
_NABLA = nonnegative("G", "norm of the gradient")
_N = positive("n", "number of points")
_FACTOR = positive("K", "bound on $|x|^2x^TA^{-2}x$, for both points")
_SPLIT = positive("z", "parameter of Young's inequality")
first, second, rest, difference, nabla, n, factor, split = (
    v.symbol for v in (*_PARTS, _DIFFERENCE, _NABLA, _N, _FACTOR, _SPLIT)
)
_TRIANGLE = (
    Hypothesis("triangle inequality", le(difference, first + second + rest), "v2 (10)"),
    Hypothesis("the point of x", le(first**2, factor * nabla**2), by=("beyond:clipped-point",)),
    Hypothesis("the point of y", le(second**2, factor * nabla**2), by=("beyond:clipped-point",)),
)
_ALIKE = Chart(
    {factor: (0, 5), nabla: (0, 5), rest: (0, 9), n: (0, 9), split: (0, 5)},
    {factor: factor**2, first: factor * nabla, second: factor * nabla, difference: 2 * factor * nabla + rest},
)

from_the_points = page.elsewhere("§5.3, Proposition 1").inequality(
    "beyond:proposition-1-from-the-points",
    "The relative sensitivity from what each of the two points contributes",
    le(difference**2, 6 * factor * nabla**2 + 3 * rest**2),
    r"If $|xx^\top A^{-1}\nabla f|^2 \le K|\nabla f|^2$ for the point that leaves and for the one that comes, then "
    r"$n^2|\nabla f - \nabla f'|^2 \le 6K|\nabla f|^2 + 3|\nabla f_0 - \nabla f_0'|^2$ at $A^{-1}b$.",
    given=_TRIANGLE,
    by=(
        Smt(),
        order_worlds.PROPOSITION_1.mapped(
            order_worlds.of_proposition_1, first, second, rest, difference, nabla, factor
        ),
    ),
    points=_ALIKE,
    over=(*_PARTS, _DIFFERENCE, _NABLA, _FACTOR),
    wrong={
        "3 for 6": 3 * factor * nabla**2 + 3 * rest**2,
        "1 for 3": 6 * factor * nabla**2 + rest**2,
        "one of the points not clipped": changed(hypotheses=(_TRIANGLE[0], _TRIANGLE[1])),
    },
    steps=(Step("The square of a sum of three is at most three times the sum of the squares."),),
    tightness=looseness.TRIANGLE,
)

_OTHER_NUMBERS = tuple(
    kind(f"{name}'", meaning)
    for kind, name, meaning in (
        (nonnegative, "U", "$|A^{-1}y|^2$ for the point y in the place of x"),
        (nonnegative, "V", "$|C^{-1}y|^2$"),
        (nonnegative, "s", "$u^TCu$ (or $u^TAu$) with $u = A^{-1}y$"),
        (nonnegative, "t", "$|Cu|^2$ (or $|Au|^2$)"),
        (real, "g", "$u^TCv$ (or $v^TAu$) with $v = C^{-1}y$"),
        (nonnegative, "X", "$|y|^2$"),
    )
)
page.declare(*_OTHER_NUMBERS)
_OF_Y = dict(zip((u_, v_, s, t, g, xx), (v.symbol for v in _OTHER_NUMBERS), strict=True))
_AT_Y = tuple(
    Hypothesis(f"{h.name}, for y", substitute(h.formula, _OF_Y), h.where)
    for h in (_SPECTRUM, _ORDER, _CAUCHY, _CLIPPED)
)
_constant = kantorovich * radius**4 / level**2
_AT_GRADIENT = (
    Hypothesis(
        "triangle inequality", le(difference, first + second + rest), "v2 (10)", ("rgm:gradient-difference-bound",)
    ),
    Hypothesis(
        "the point of x", le(first**2, xx * u_ * nabla**2), "$|xx^TA^{-1}\\nabla f| \\le |x||A^{-1}x||\\nabla f|$"
    ),
    Hypothesis("the point of y", le(second**2, _OF_Y[xx] * _OF_Y[u_] * nabla**2), "the same"),
)
_WHOLE = (_SPECTRUM, _ORDER, _CAUCHY, _CLIPPED, *_AT_Y, *_AT_GRADIENT)
_share_of_y = _OF_Y[xx]
_each_part = _root_of_factor * radius**2 / level * nabla
#: y lies at its share of the threshold; for shares above 1 it is not clipped.
_BOTH_EXTREME = Chart(
    {**_AS_ONE.ranges, nabla: (0, 5), rest: (0, 9), _share_of_y: (0, 2)},
    {
        **_AS_ONE.maps,
        **{_OF_Y[old]: _AS_ONE.maps.get(old, old) for old in _OF_Y},
        _share_of_y: _AS_ONE.maps[xx] * _share_of_y,
        first: _each_part,
        second: _each_part * sqrt(_share_of_y),
        difference: _each_part * (1 + sqrt(_share_of_y)) + rest,
    },
)

at_a_point = page.elsewhere("§5.3, Proposition 1").inequality(
    "beyond:contribution-at-the-gradient",
    "From the norm of a contribution to its value at the gradient",
    le(first**2, factor * nabla**2),
    r"$|xx^\top A^{-1}\nabla f|^2 \le |x|^2x^\top A^{-2}x\,|\nabla f|^2 \le K|\nabla f|^2$ if $|x|^2x^\top A^{-2}x \le K$.",
    given=(_AT_GRADIENT[1], Hypothesis("contribution", le(xx * u_, factor), by=("beyond:clipped-point",))),
    by=(Combination(terms=((xx * u_ * nabla**2 - first**2,), (factor - xx * u_, nabla**2))), Smt()),
    points={xx: (0, 4), u_: (0, 4), nabla: (0, 4), factor: xx * u_, first: sqrt(xx * u_) * nabla},
    over=(_PARTS[0], _NABLA, xx, u_, _FACTOR),
    wrong={
        "half": factor * nabla**2 / 2,
        "any contribution": without(Hypothesis("contribution", le(xx * u_, factor), by=("beyond:clipped-point",))),
    },
    steps=(
        Step(
            "The rank of the contribution is one.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one, of $A^{-1}x$ and the gradient."},
        ),
    ),
)

relative = page.elsewhere("replaces §5.3, Proposition 1 (v2), Proposition 2 (v1)").proposition(
    "beyond:proposition-1",
    "Proposition 1 with the condition number",
    le(difference**2, 6 * _constant * nabla**2 + 3 * rest**2),
    r"Whenever both neighbours have $A, A' \succcurlyeq \rho C$, clipped data have relative sensitivity with $\eta^2 = \frac{6KR_c^4}{\rho^2n^2}$, "
    r"$K = \frac{(1+\kappa)^2}{4\kappa}$, $\kappa$ the condition number of C, and $R_{rel}^2 = \frac3{n^2}|\nabla f_0 - \nabla f_0'|^2$ at $A^{-1}b$. "
    r"For version 1 put $\omega\rho$ for $\rho$.",
    given=_WHOLE,
    by=(
        Deduction(
            (
                Premise("beyond:clipped-point"),
                Premise("beyond:clipped-point", _OF_Y),
                Premise("beyond:contribution-at-the-gradient", {factor: _constant}),
                Premise(
                    "beyond:contribution-at-the-gradient",
                    {factor: _constant, first: second, xx: _OF_Y[xx], u_: _OF_Y[u_]},
                ),
                Premise("beyond:proposition-1-from-the-points", {factor: _constant}),
            )
        ),
        order_worlds.PROPOSITION_1.mapped(
            order_worlds.of_whole_proposition_1,
            *(low, high, level, radius),
            *(u_, v_, s, t, g, xx),
            *_OF_Y.values(),
            *(first, second, rest, difference, nabla),
        ),
    ),
    points=_BOTH_EXTREME,
    over=(low, high, LEVEL, u_, v_, s, t, g, xx, RADIUS, *_OTHER_NUMBERS, *_PARTS, _DIFFERENCE, _NABLA),
    wrong={
        "without the condition number": 6 * radius**4 / level**2 * nabla**2 + 3 * rest**2,
        "3 for 6": 3 * _constant * nabla**2 + 3 * rest**2,
        "1 for 3": 6 * _constant * nabla**2 + rest**2,
        "y is not clipped": changed(hypotheses=tuple(h for h in _WHOLE if h is not _AT_Y[3])),
    },
    steps=(
        Step(
            "The difference of the two gradients is the sum of three parts.", "rgm:gradient-difference-insert-inverse"
        ),
        Step("What a clipped point contributes, for x and for y.", "beyond:clipped-point"),
        Step("At the gradient.", "beyond:contribution-at-the-gradient"),
        Step("The parts put together.", "beyond:proposition-1-from-the-points"),
        Step(
            r"The condition on the spectrum is $(C-m)(M-C) \succcurlyeq 0$.",
            theorem=SPECTRAL,
            met={"symmetric": "C is a covariance matrix."},
        ),
        Step(
            r"$g^2 \le tV$ for $g = u^\top Cv$.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one, of $Cu$ and $v$."},
        ),
    ),
    reading=r"x leaves and y comes in its place; the conditions on $A \succcurlyeq \rho C$, on the spectrum of C and on clipping are those of `beyond:clipped-point`, "
    r"at x and at y. The other order of the pair is the same with $A'$ in the place of A and its own gradient, which is why both datasets have to satisfy the condition. "
    r"The bounds are multiplied by $n^2$.",
    remark=r"A quarter of it is enough, or less: `beyond:ridge-relative-part` does without the triangle inequality for the two points.",
)

young = page.elsewhere("§5.3, Proposition 1").inequality(
    "beyond:proposition-1-split",
    "The factor 6 can come down to 4, at the price of the absolute part",
    le(difference**2, 4 * (1 + split) * factor * nabla**2 + (1 + 1 / split) * rest**2),
    r"For every $z > 0$: $n^2|\nabla f - \nabla f'|^2 \le 4(1+z)K|\nabla f|^2 + (1 + 1/z)|\nabla f_0 - \nabla f_0'|^2$. The printed 6 and 3 are $z = 1/2$.",
    given=_TRIANGLE,
    by=(
        Smt(),
        order_worlds.PROPOSITION_1_SPLIT.mapped(
            order_worlds.of_proposition_1_split, first, second, rest, difference, nabla, factor, split
        ),
    ),
    points=_ALIKE,
    over=(*_PARTS, _DIFFERENCE, _NABLA, _FACTOR, _SPLIT),
    wrong={
        "3 for 4": 3 * (1 + split) * factor * nabla**2 + (1 + 1 / split) * rest**2,
        "1 for 1 + 1/z": 4 * (1 + split) * factor * nabla**2 + rest**2,
    },
)

# Two points x = (h, 1), x' = (h, -1) with A = diag(1, 1/h^2): the two rank-one parts add up.
h = page.positive("h", "first coordinate of both points", upper=1)

_each = (h**2 + 1) * (h**2 + h**4)
factor_four = page.elsewhere("§5.3, Proposition 1").identity(
    "beyond:proposition-1-four-needed",
    "A factor below 4 is not enough",
    eq((h * h - h * h) ** 2 + (2 * h) ** 2, 4 / (1 + h**2) ** 2 * _each),
    r"For $x = (h, 1)$, $x' = (h, -1)$, $A = \mathrm{diag}(1, h^{-2})$ both points have $|x|^2x^TA^{-2}x = K$, and $|(A_0 - A_0')A^{-1}e_1|^2 = \frac4{(1+h^2)^2}K$, "
    r"which tends to $4K$ as $h \to 0$.",
    wrong={
        "2 for 4": eq((2 * h) ** 2, 2 / (1 + h**2) ** 2 * _each),
        "without the denominator": eq((2 * h) ** 2, 4 * _each),
    },
    reading=r"With C = A and $\rho = 1$ the order of squares is no issue, and $K = R_c^4$. The matrix A is that of many points, of which x is one.",
)

point = page.real("x", "the point that differs")
other = page.real("y", "the point in its place")

others = page.nonnegative("T", "sum of the squares of the other points")
reg = page.nonnegative("mu_reg", "regularization")
count = page.natural("n", "number of points")

c = page.positive("c", "the matrix C, in dimension 1")

_a_x, _a_y = (others + point**2) / count + reg, (others + other**2) / count + reg

on_the_line = page.elsewhere("§5.3, Proposition 1").proposition(
    "beyond:proposition-1-on-the-line",
    "In dimension 1 the factor is 1, for both orders",
    both(
        le(level * count * (point**2 - other**2) / count, radius**2 * _a_x),
        le(level * count * (other**2 - point**2) / count, radius**2 * _a_x),
        le(level * count * (point**2 - other**2) / count, radius**2 * _a_y),
        le(level * count * (other**2 - point**2) / count, radius**2 * _a_y),
    ),
    r"In dimension 1, with $b = b' = 0$, clipped neighbours with $A, A' \ge \rho c$ have $|A - A'| \le \frac{R_c^2}{\rho n}\min(A, A')$: "
    r"$\eta^2 = R_c^4/(\rho^2n^2)$, and $R_{rel} = 0$.",
    given=(
        Hypothesis("x is clipped", le(point**2, radius**2 * c)),
        Hypothesis("y is clipped", le(other**2, radius**2 * c)),
        Hypothesis("A >= rho C", ge(_a_x, level * c)),
        Hypothesis("A' >= rho C", ge(_a_y, level * c)),
    ),
    points=Chart(
        {
            radius: (0, 4),
            c: (0, 4),
            point: (-1, 1),
            other: (-1, 1),
            others: (0, 1),
            count: (0, 20),
            reg: (0, 1),
            level: (0, 1),
        },
        {
            c: c**2,
            point: radius * c * point,
            other: radius * c * other,
            others: (count - 1) * radius**2 * c**2 * others,
            level: level
            * Min(
                ((count - 1) * radius**2 * c**2 * others + (radius * c * point) ** 2) / count + reg,
                ((count - 1) * radius**2 * c**2 * others + (radius * c * other) ** 2) / count + reg,
            )
            / c**2,
        },
    ),
    wrong={
        "half of the constant": le(level * (point**2 - other**2), radius**2 * _a_x / 2),
        "one dataset only": without(Hypothesis("A' >= rho C", ge(_a_y, level * c))),
    },
    reading="In dimension 1 the printed clipping is $x^2 \\le R_c^2c$.",
)

_largest = page.positive("L_C", "largest eigenvalue of C")
_reg = page.positive("mu_reg", "regularization")

_COVERED = Hypothesis(
    "the regularization covers rho C", le(level * _largest, _reg), "the dataset of zeros has $A = \\mu_{reg}I$"
)
_ALL = (
    Hypothesis("A >= mu_reg", le(_reg**2 * u_, xx), "$|x| = |Au| \\ge \\mu_{reg}|u|$"),
    Hypothesis("C <= L_C", le(xx, _largest**2 * v_), "$|x| = |Cv| \\le L_C|v|$"),
    _COVERED,
)

all_datasets = page.elsewhere("§5.3, Proposition 1").inequality(
    "beyond:proposition-1-all-datasets",
    "If A >= rho C holds for all datasets, the printed step is true",
    both(le(level**2 * u_, v_), le(level**2 * xx**2, _reg**2 * xx * v_)),
    r"All datasets include that of zeros, where $A = \mu_{reg}I$; so $\rho C \preccurlyeq \mu_{reg}I$, and then $\rho^2|A^{-1}x|^2 \le |C^{-1}x|^2$ after all. "
    r"But the constant is then no better than $c_A^2/\mu_{reg}^2$, that of the regularization alone.",
    given=_ALL,
    points={
        level: (0, 4),
        _largest: (0, 4),
        u_: (0, 4),
        _reg: level * _largest,
        xx: (level * _largest) ** 2 * u_,
        v_: level**2 * u_,
    },
    wrong={
        "half of it": le(level**2 * u_, v_ / 2),
        "A not above mu_reg": changed(hypotheses=_ALL[1:]),
        "a larger rho": changed(hypotheses=_ALL[:2]),
    },
    reading="$U = |A^{-1}x|^2$, $V = |C^{-1}x|^2$, $X = |x|^2$; no better: $X V/\\rho^2 \\ge X^2/\\mu_{reg}^2$ at every point.",
)

form = page.nonnegative("N", "$|w|^2$")
norm_c = page.nonnegative("q", "$w^TCw$")
squares = page.nonnegative("S", "$\\frac1n\\sum(X_i^Tw)^2$")


regularization_covers = page.elsewhere("§5.3, after Proposition 1").remark(
    "beyond:all-datasets-means-regularization",
    "A >= rho C for all datasets means that the regularization covers rho C",
    ge(squares + _reg * form, level * norm_c),
    r"$A \succcurlyeq \rho C$ for all datasets if and only if $\rho\lambda_{max}(C) \le \mu_{reg}$: $\rho$ is then known. This direction, for every w.",
    given=(_COVERED, Hypothesis("C <= L_C", le(norm_c, _largest * form))),
    points={
        level: (0, 4),
        _largest: (0, 4),
        form: (0, 4),
        squares: (0, 1),
        _reg: level * _largest,
        norm_c: _largest * form,
    },
    wrong={"half of the regularization": left(squares + _reg * form / 2), "any rho": without(_COVERED)},
    reading="The other direction is the dataset of zeros. $w^TAw = S + \\mu_{reg}|w|^2$ and $w^TCw \\le L_C|w|^2$.",
)

l2 = page.positive("l_2", "smallest eigenvalue of A")
l1 = page.positive("l_1", "largest eigenvalue of A")
dim = page.positive("d", "dimension")

_BELOW = Hypothesis("no point is longer than R_c", le(l1, radius**2), "clipping with C = I, no regularization")
_SPHERE = Hypothesis("all points have length R_c", ge(dim * l1, radius**2), "the trace is $R_c^2$ then")

identity_clipping = page.elsewhere("replaces §5.3, after Proposition 1").inequality(
    "beyond:identity-clipping",
    "With C = I the bound is at least the square of the condition number",
    both(le((l1 / l2) ** 2, radius**4 / l2**2), le(radius**4 / l2**2, dim**2 * (l1 / l2) ** 2)),
    r"For $C = I$, $\rho = \lambda_{min}(A)$: $n^2\eta^2/6 = R_c^4/\lambda_{min}^2 \ge \tilde\kappa^2$, and it is at most $d^2\tilde\kappa^2$ if all points have the length $R_c$.",
    given=(_BELOW, _SPHERE),
    points=Chart(
        {l1: (0, 4), l2: (0, 4), dim: (0, 9), _k: (0, 1)}, {l1: l1**2, radius: l1 * (1 + dim * _k), dim: (1 + dim) ** 2}
    ),
    wrong={
        "equal": le(radius**4 / l2**2, (l1 / l2) ** 2),
        "d for its square": le(radius**4 / l2**2, dim * (l1 / l2) ** 2),
    },
)

_RATIOS = tuple(positive(f"g_{i}", f"ratio of eigenvalue {i} of A to that of C") for i in (1, 2))
page.declare(*_RATIOS)
g1, g2 = (v.symbol for v in _RATIOS)
_WEIGHTS = tuple(nonnegative(f"w_{i}", f"$(A^{{-1}}x)_{i}^2$") for i in (1, 2))
page.declare(*_WEIGHTS)
w1, w2 = (v.symbol for v in _WEIGHTS)

loose = page.elsewhere("replaces §5.3, after Proposition 1").inequality(
    "beyond:loose-covariance",
    "A loose estimate of the covariance costs the square of its ratio",
    le((g1**2 * w1 + g2**2 * w2) / Min(g1, g2) ** 2, Max(g1, g2) ** 2 / Min(g1, g2) ** 2 * (w1 + w2)),
    r"If C has the eigenvectors of A and $\rho C \preccurlyeq A \preccurlyeq \sigma C$, then $x^TC^{-2}x/\rho^2 \le (\sigma/\rho)^2x^TA^{-2}x$: the constant with C is within "
    r"$(\sigma/\rho)^2$ of the best one, that with $C = A$, which is at most that with $C = I$.",
    wrong={"the ratio for its square": Max(g1, g2) / Min(g1, g2) * (w1 + w2), "no loss": w1 + w2},
    reading=r"In the common eigenbasis $C^{-1}x = (g_i (A^{-1}x)_i)_i$; $\rho$ and $\sigma$ are the least and the largest $g_i$. In the plane; each further coordinate adds a term.",
)

_LEAST_A, _LEAST_C = positive("l", "smallest eigenvalue of A"), positive("m", "smallest eigenvalue of C")
_least_a = page.add(_LEAST_A)
_least_c = _LEAST_C.symbol

helps = page.elsewhere("replaces v1 §5.3, after Assumption 1").inequality(
    "beyond:helpful-matrix",
    "When a matrix C beats the regularization",
    lt(_reg**2 * xx * v_, level**2 * xx**2),
    r"If $\rho\lambda_{min}(C) > \mu_{reg}$, then $|x|^2x^TC^{-2}x/\rho^2 < |x|^4/\mu_{reg}^2$ for every $x \ne 0$.",
    given=(
        Hypothesis("rho C above mu_reg", gt(level * _least_c, _reg)),
        Hypothesis("C >= m", le(_least_c**2 * v_, xx)),
        Hypothesis("a point", gt(xx, 0)),
    ),
    by=(Smt(), order_worlds.HELPFUL.mapped(order_worlds.of_helpful, level, low, _reg, xx, v_)),
    points=Chart(
        {level: (0, 4), _least_c: (0, 4), _reg: (0, 1), xx: (0, 4)},
        {_reg: level * _least_c * _reg, v_: xx / _least_c**2},
    ),
    over=(_LEAST_C,),
    wrong={
        "half": level**2 * xx**2 / 2,
        "any rho": without(Hypothesis("rho C above mu_reg", gt(level * _least_c, _reg))),
    },
    reading="$X = |x|^2 > 0$, and $V = x^TC^{-2}x \\le X/m^2$.",
)

best = page.elsewhere("replaces v1 §5.3").inequality(
    "beyond:regularization-alone",
    "Regularization and clipped norms alone",
    le(_reg**2 * xx * u_, factor**2),
    r"$A \succcurlyeq \mu_{reg}I$ and $\|A_0\| = |x|^2 \le c_A$ give $\|A_0A^{-1}\| \le c_A/\mu_{reg}$, as an inequality.",
    given=(Hypothesis("A >= mu_reg", le(_reg**2 * u_, xx)), Hypothesis("clipped", le(xx, factor))),
    points={_reg: (0, 4), xx: (0, 4), u_: xx / _reg**2, factor: xx},
    over=(_FACTOR,),
    wrong={
        "half": factor**2 / 2,
        "without clipping": without(Hypothesis("clipped", le(xx, factor))),
        "without the order": without(Hypothesis("A >= mu_reg", le(_reg**2 * u_, xx))),
    },
    reading="$X = |x|^2$, $U = |A^{-1}x|^2 \\le X/\\mu_{reg}^2$; squared.",
)

_root = page.nonnegative("r", "$(|X|^2X^TC^{-2}X)^{1/4}$")

_shrink = radius / Max(radius, _root)

clipping_map = page.elsewhere("replaces §5.3, Proposition 1 (v2), Proposition 2 (v1)").definition(
    "beyond:clipping-map",
    "What the clipping map does",
    both(
        gt(_shrink, 0),
        le(_shrink, 1),
        Implies(le(_root, radius), eq(_shrink, 1)),
        Implies(ge(_root, radius), eq(_shrink * _root, radius)),
    ),
    r"For a positive definite C and $R_c > 0$ the factor $R_c/\max(R_c, r)$, $r = (|X|^2X^TC^{-2}X)^{1/4}$, lies in $(0, 1]$, is 1 for points within the threshold, and takes "
    r"the others to it exactly.",
    wrong={"always to the threshold": eq(_shrink * _root, radius), "never shrinks": eq(_shrink, 1)},
    reading="C is symmetric, so that $X^TC^{-2}X = |C^{-1}X|^2$ is not negative. The fourth power of r scales as the fourth power of X: rgm:clipping-scales.",
)

every_threshold = page.elsewhere("replaces v1 §5.3, Assumption 1").remark(
    "beyond:assumption-1-never-for-all-data",
    "No matrix and no threshold satisfy Assumption 1 for all datasets",
    gt(point**4 / c**2, radius**4),
    r"For every c, $R_c > 0$ and every number $n \ge 1$ of points the dataset of n copies of $x = 2R_c\sqrt c$ has no point with $|x|^2c^{-2}x^2 \le R_c^4$; so $I_C$ is empty.",
    given=Hypothesis("the point", ge(point**2, 4 * radius**2 * c)),
    points=Chart({c: (0, 4), radius: (0, 4)}, {c: c**2, point: 2 * radius * c}),
    wrong={"17 times": 17 * radius**4, "any point": without()},
    reading="In dimension 1; in others take x along an axis. The assumption can only be about a restricted set of datasets, which has to be named.",
)

omega = page.positive("omega", "share of the points that are not clipped", upper=1)
_MEAN = nonnegative("S", "$w^T\\frac1{|I_C|}\\sum_{I_C}X_iX_i^Tw$")
clipped_sum = page.nonnegative("P", "what the clipped points add")
kept = page.nonnegative("k", "share of the points that are not clipped, exactly")
mean = _MEAN.symbol

chain_63 = page.elsewhere("replaces v1 App. B.5, v1 (63)").inequality(
    "beyond:app-b5-chain",
    "The clipped covariance, with its regularization",
    both(
        ge(kept * mean + clipped_sum + reg * form, omega * (mean + reg * form)),
        ge(omega * (mean + reg * form), omega * level * norm_c),
    ),
    r"With $\tilde A = \frac1n\sum\tilde X_i\tilde X_i^\top + \mu_{reg}I$: $\tilde A \succcurlyeq \omega A_C \succcurlyeq \omega\rho C$.",
    given=(
        Hypothesis("enough points", ge(kept, omega), "Assumption 1"),
        Hypothesis("A_C >= rho C", ge(mean + reg * form, level * norm_c), "Assumption 1"),
    ),
    points={
        mean: (0, 4),
        clipped_sum: (0, 1),
        reg: (0, 2),
        form: (0, 2),
        level: (0, 2),
        kept: omega,
        norm_c: (mean + reg * form) / level,
    },
    over=(_MEAN,),
    wrong={
        "without the regularization on the left": ge(kept * mean + clipped_sum, omega * (mean + reg * form)),
        "without omega": ge(kept * mean + clipped_sum + reg * form, mean + reg * form),
    },
    reading=r"As quadratic forms at w: $|I_C| = kn$, S is the mean over $I_C$, N is $|w|^2$ and q is $w^TCw$; the clipped points add $P \ge 0$.",
)

_number_kept = page.natural("m", "number of points that are kept")

_kept_x, _kept_y = (others + point**2) / _number_kept + reg, (others + other**2) / _number_kept + reg

dropped = page.elsewhere("replaces v1 §5.3, after Proposition 2").inequality(
    "beyond:dropped-points",
    "Dropping the clipped points: the number of kept points takes the place of n",
    both(
        le(level * (point**2 - other**2), radius**2 * _kept_x), le(level * (other**2 - point**2), radius**2 * _kept_x)
    ),
    r"If the points beyond the threshold are dropped and the mean is taken over the m that are kept, the same m for both neighbours, then $\eta^2 = R_c^4/(\rho^2m^2)$ in dimension 1; "
    r"with $m \ge \omega n$ this is the $\omega^2$ again.",
    given=(
        Hypothesis("x is kept", le(point**2, radius**2 * c)),
        Hypothesis("y is kept", le(other**2, radius**2 * c)),
        Hypothesis("A >= rho C", ge(_kept_x, level * c)),
    ),
    points=Chart(
        {radius: (0, 4), c: (0, 4), point: (-1, 1), other: (-1, 1), others: (0, 1), _number_kept: (0, 20), reg: (0, 1)},
        {
            c: c**2,
            point: radius * c * point,
            other: radius * c * other,
            others: _number_kept * radius**2 * c**2 * others,
            level: (radius**2 * (_number_kept * others + point**2) / _number_kept + reg / c**2),
        },
    ),
    wrong={
        "half": le(level * (point**2 - other**2), radius**2 * _kept_x / 2),
        "an unkept y": without(Hypothesis("y is kept", le(other**2, radius**2 * c))),
    },
    reading="The points x and y are both kept; otherwise m changes, and with it the weight of every other point.",
)
