r"""Section 5.3 put right: what $A \succcurlyeq \rho C$ says of $A^{-2}$, and the relative sensitivity that clipped data have.

Inversion reverses the order of matrices and squaring does not keep it. What holds is
$A^{-2} \preccurlyeq \frac{(1+\kappa)^2}{4\kappa}\rho^{-2}C^{-2}$ with $\kappa$ the condition number of C (or that of A), and the factor cannot be lowered.
The general statements are proved by their scalar core: with $u = A^{-1}x$ and $v = C^{-1}x$ only the numbers $|u|^2$, $u^TCu$, $|Cu|^2$, $u^TCv$ and
$|v|^2$ enter, for matrices of every size. What is quoted is the spectral theorem, as $(C - m)(M - C) \succcurlyeq 0$, and the Cauchy-Schwarz inequality.
"""

from rgm_verify.claims.formula import substitute
from rgm_verify.lenses.worlds.scaling import S as SCALE

from ... import looseness
from ...rgm.clipping_notation import *
from ...rgm.section_5 import clipping_worlds as clipped
from ...theorems import CAUCHY_SCHWARZ, SPECTRAL
from . import clipping_worlds as worlds

page = Page("beyond", "", CLIPPING_NOTATION)
low = page.positive("m", "lower bound on the eigenvalues")
high = page.positive("M", "upper bound on the eigenvalues")

#: (1 + kappa)^2 / (4 kappa) for kappa = M/m.
kantorovich = (low + high) ** 2 / (4 * low * high)
u_ = page.nonnegative("U", latex=r"\|A^{-1}x\|^2")
v_ = page.nonnegative("V", latex=r"\|C^{-1}x\|^2")
s = page.nonnegative("s", "for $u = A^{-1}x$ (or $u^TAu$)", latex=r"u^\top Cu")
t = page.nonnegative("t", "the same (or $|Au|^2$)", latex=r"\|Cu\|^2")
g = page.real("g", "with $v = C^{-1}x$ (or $v^TAu$)", latex=r"u^\top Cv")

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
_EXTREME = {
    low: (0, 5),
    _k: (0, 12),
    u_: (0, 5),
    level: (0, 5),
    high: low * (1 + _k),
    t: low**2 * (1 + _k) * u_,
    s: 2 * low * (1 + _k) * u_ / (2 + _k),
    g: level * 2 * low * (1 + _k) * u_ / (2 + _k),
    v_: level**2 * 4 * (1 + _k) * u_ / (2 + _k) ** 2,
}

order_squared = page.elsewhere("§5.3").inequality(
    "beyond:order-squared",
    "What A >= rho C says of the squares of the inverses",
    le(level**2 * u_, kantorovich * v_),
    "In every dimension, and the same with bounds on the eigenvalues of A in the place of those of C.",
    given=(_SPECTRUM, _ORDER, _CAUCHY),
    by=(Smt(), worlds.SQUARES.mapped(worlds.of_squares, low, high, level, u_, v_, s, t, g), _UNIT),
    points=_EXTREME,
    wrong={
        "without the condition number": v_,
        "half of the factor": kantorovich * v_ / 2,
        "rho for its square": left(level * u_),
        "no spectrum": without(_SPECTRUM),
    },
    steps=(
        SPECTRAL.quoted(
            r"$(C-m)(M-C) \succcurlyeq 0$ at $u$ is the condition on the spectrum.", "C is symmetric, and so is A."
        ),
        CAUCHY_SCHWARZ.quoted("The inner product of $Cu$ and $v$ (or of $Au$ and $v$).", "It is the usual one."),
        Step(r"From the spectrum, Kantorovich's inequality $4mM|u|^2|Cu|^2 \le (m+M)^2(u^\top Cu)^2$."),
        Step(r"Multiplied by $\rho^2$, with $\rho\,u^\top Cu \le u^\top Cv \le |Cu||v|$."),
    ),
    reading=r"For A the forms are $u^TAu$, $|Au|^2$ and $v^TAu$, and the order is that of $\rho A^{-1}$ and $C^{-1}$ at x. The five numbers satisfy the same three conditions in both cases.",
    remark="Known as the Kantorovich form of the order of squares (Fujii, Izumino, Nakamoto, Seo).",
    tightness=looseness.CONDITION_NUMBER,
)

xx = page.nonnegative("X", latex=r"\|x\|^2")
_CLIPPED = Hypothesis("clipped as printed", le(xx * v_, radius**4), "§5.3")
_AS_ONE = {**_EXTREME, radius: (0, 5), xx: radius**4 / _EXTREME[v_]}

clipped_point = page.elsewhere("replaces §5.3, third item of the procedure; v1 (64)").inequality(
    "beyond:clipped-point",
    "What a clipped point contributes",
    le(xx * u_, kantorovich * radius**4 / level**2),
    r"The left side is the squared norm of $xx^\top A^{-1}$.",
    given=(_SPECTRUM, _ORDER, _CAUCHY, _CLIPPED),
    by=(worlds.CLIPPED.mapped(worlds.of_clipped, low, high, level, u_, v_, s, t, g, xx, radius), _UNIT),
    points=_AS_ONE,
    wrong={
        "without the condition number": radius**4 / level**2,
        "half of the factor": kantorovich * radius**4 / level**2 / 2,
        "not clipped": without(_CLIPPED),
    },
    steps=Step(r"The order of squares, times $|x|^2$.", Premise("beyond:order-squared")),
    tightness=looseness.CONDITION_NUMBER,
)

e = page.nonnegative("e", latex=r"x^\top C^{-1}x")
f = page.nonnegative("f", latex=r"x^\top A^{-1}x")

ellipsoid = page.elsewhere("§5.3 and §5.4").inequality(
    "beyond:ellipsoid-clipped-point",
    "What a point clipped to the ellipsoid contributes",
    le(level**2 * low * xx * u_, high * radius**4),
    "The factor that is left is the condition number of C.",
    given=(
        Hypothesis("|x|^2 <= M x^T C^{-1} x", le(xx, high * e), "the largest eigenvalue of C"),
        Hypothesis("m |u|^2 <= u^T C u", le(low * u_, s), "the smallest eigenvalue of C"),
        Hypothesis("A >= rho C at u", le(level * s, f), "$\\rho u^TCu \\le u^TAu = x^TA^{-1}x$"),
        Hypothesis("A >= rho C, inverted", le(level * f, e), "inversion reverses the order"),
        Hypothesis("clipped to the ellipsoid", le(e, radius**2), "Proposition 3"),
    ),
    by=(Smt(), clipped.ELLIPSOID_POINT.mapped(clipped.of_ellipsoid, low, high, level, radius, xx, u_, s, f, e)),
    points={
        low: (0, 5),
        _k: (0, 9),
        (level, radius): (0, 5),
        high: low * (1 + _k),
        e: radius**2,
        xx: low * (1 + _k) * radius**2,
        f: radius**2 / level,
        s: radius**2 / level**2,
        u_: radius**2 / level**2 / low,
    },
    wrong={
        "without the condition number": le(level**2 * xx * u_, radius**4),
        "not clipped": without("clipped to the ellipsoid"),
        "order not used": without("A >= rho C at u", "A >= rho C, inverted"),
    },
    reading="No square of a matrix is compared; inversion does reverse the order of positive definite matrices.",
    tightness=Tightness(
        looseness.kappa / ((looseness.kappa * (1 - looseness.u) + looseness.u) * looseness.inverse),
        looseness.BOX,
        r"the bound over $|x|^2x^\top A^{-2}x$ for $A = \rho C$, in the plane: $u$ is the share of $x^\top C^{-1}x$ along the small eigenvalue of $C$",
        **looseness.AT_100,
    ),
)

contribution = page.nonnegative("W", latex=r"\|x\|^2 x^\top A^{-2}x")

through_inverse = page.elsewhere("replaces §5.3, after Proposition 1").inequality(
    "beyond:proposition-1-through-inverse",
    "What (10), (11) and A >= rho C do give",
    le(contribution, high / low * radius**4 / level**2),
    "The factor is the condition number of A, which (11) brings in.",
    given=(
        Hypothesis("(11)", le(contribution, high / low * f**2), "(11)"),
        Hypothesis("A >= rho C, inverted", le(level * f, e)),
        Hypothesis("clipped", le(e, radius**2), by=("beyond:clippings-compared",)),
    ),
    by=(Smt(), worlds.THROUGH_INVERSE.mapped(worlds.of_inverse, low, high, level, radius, contribution, f, e)),
    points={
        (low, high, level, radius): (0, 5),
        e: radius**2,
        f: radius**2 / level,
        contribution: high / low * (radius**2 / level) ** 2,
    },
    wrong={"without the condition number": radius**4 / level**2, "rho for its square": high / low * radius**4 / level},
    reading="The printed clipping implies this one (beyond:clippings-compared).",
)

compared = page.elsewhere("replaces §5.4, after Proposition 3").inequality(
    "beyond:clippings-compared",
    "The printed clipping is the stronger one",
    le(by_c(x1, x2, -1) ** 2, radius**4),
    "Points that are clipped as printed lie in the ellipsoid of Proposition 3.",
    given=Hypothesis("clipped as printed", le(norm_squared * by_c(x1, x2, -2), radius**4)),
    by=(
        combination((radius**4 - norm_squared * by_c(x1, x2, -2),), ((x1 * x2 / c2 - x1 * x2 / c1) ** 2,)),
        Smt(),
        clipped.COMPARED,
    ),
    points={c1: (0, 10), c2: (0, 10), x1: (-3, 3), x2: (-3, 3), radius: (0, 9)},
    wrong={"half of it": radius**4 / 2, "C^-2 inside": left(by_c(x1, x2, -2) ** 2)},
    steps=CAUCHY_SCHWARZ.quoted("In any dimension:", "It is the usual one, of $x$ and $C^{-1}x$."),
    printed=r"\|x\|^2x^\top C^{-2}x \le R_c^4 \;\Longrightarrow\; x^\top C^{-1}x \le R_c^2",
)

# Relative sensitivity: n |difference of the gradients| <= |first part| + |second part| + |difference at the minimiser|.
first = page.nonnegative("alpha", latex=r"\|A_0A^{-1}\nabla f\|")
second = page.nonnegative("beta", latex=r"\|A_0'A^{-1}\nabla f\|")
rest = page.nonnegative("w", "at $A^{-1}b$", latex=r"\|\nabla f_0-\nabla f_0'\|")
difference = page.nonnegative("D", latex=r"(n\|\nabla f-\nabla f'\|)")
nabla = page.nonnegative("G", latex=r"\|\nabla f\|")
n = positive("n", "number of points").symbol
factor = page.positive("K", "bound on $|x|^2x^TA^{-2}x$, for both points")
split = page.positive("z", "parameter of Young's inequality")

_TRIANGLE = (
    Hypothesis("triangle inequality", le(difference, first + second + rest), "v2 (10)"),
    Hypothesis("the point of x", le(first**2, factor * nabla**2), by=("beyond:clipped-point",)),
    Hypothesis("the point of y", le(second**2, factor * nabla**2), by=("beyond:clipped-point",)),
)

_ALIKE = {
    factor: (0, 5, factor**2),
    nabla: (0, 5),
    (rest, n): (0, 9),
    split: (0, 5),
    first: factor * nabla,
    second: factor * nabla,
    difference: 2 * factor * nabla + rest,
}

from_the_points = page.elsewhere("§5.3, Proposition 1").inequality(
    "beyond:proposition-1-from-the-points",
    "The relative sensitivity from what each of the two points contributes",
    le(difference**2, 6 * factor * nabla**2 + 3 * rest**2),
    given=_TRIANGLE,
    by=(Smt(), worlds.PROPOSITION_1.mapped(worlds.of_proposition_1, first, second, rest, difference, nabla, factor)),
    points=_ALIKE,
    wrong={
        "3 for 6": 3 * factor * nabla**2 + 3 * rest**2,
        "1 for 3": 6 * factor * nabla**2 + rest**2,
        "one of the points not clipped": changed(hypotheses=(_TRIANGLE[0], _TRIANGLE[1])),
    },
    steps=Step("The square of a sum of three is at most three times the sum of the squares."),
    tightness=looseness.TRIANGLE,
)

#: The same for the point y in the place of x.
_OF_Y = {
    u_: page.nonnegative("U'", "for the point y in the place of x", latex=r"\|A^{-1}y\|^2"),
    v_: page.nonnegative("V'", latex=r"\|C^{-1}y\|^2"),
    s: page.nonnegative("s'", "for $u' = A^{-1}y$ (or $u'^TAu'$)", latex=r"u'^\top Cu'"),
    t: page.nonnegative("t'", "the same (or $|Au'|^2$)", latex=r"\|Cu'\|^2"),
    g: page.real("g'", "with $v' = C^{-1}y$ (or $v'^TAu'$)", latex=r"u'^\top Cv'"),
    xx: page.nonnegative("X'", latex=r"\|y\|^2"),
}

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

_share_of_y = _OF_Y[xx]
_each_part = _root_of_factor * radius**2 / level * nabla

#: y lies at its share of the threshold; for shares above 1 it is not clipped.
_BOTH_EXTREME = {
    **_AS_ONE,
    **{_OF_Y[old]: _AS_ONE[old] for old in _OF_Y},
    nabla: (0, 5),
    rest: (0, 9),
    _OF_Y[u_]: u_,
    _share_of_y: (0, 2, _AS_ONE[xx] * _share_of_y),
    first: _each_part,
    second: _each_part * sqrt(_share_of_y),
    difference: _each_part * (1 + sqrt(_share_of_y)) + rest,
}

at_a_point = page.elsewhere("§5.3, Proposition 1").inequality(
    "beyond:contribution-at-the-gradient",
    "From the norm of a contribution to its value at the gradient",
    le(first**2, factor * nabla**2),
    given=(_AT_GRADIENT[1], Hypothesis("contribution", le(xx * u_, factor), by=("beyond:clipped-point",))),
    by=(combination((xx * u_ * nabla**2 - first**2,), (factor - xx * u_, nabla**2)), Smt()),
    points={xx: (0, 4), u_: (0, 4), nabla: (0, 4), factor: xx * u_, first: sqrt(xx * u_) * nabla},
    wrong={"half": factor * nabla**2 / 2, "any contribution": without("contribution")},
    steps=CAUCHY_SCHWARZ.quoted(
        "The rank of the contribution is one.", "It is the usual one, of $A^{-1}x$ and the gradient."
    ),
)

relative = page.elsewhere("replaces §5.3, Proposition 1 (v2), Proposition 2 (v1)").proposition(
    "beyond:proposition-1",
    "Proposition 1 with the condition number",
    le(difference**2, 6 * _constant * nabla**2 + 3 * rest**2),
    r"Clipped data are relatively sensitive whenever both neighbours satisfy the order. For version 1 put $\omega\rho$ for $\rho$.",
    given=(_SPECTRUM, _ORDER, _CAUCHY, _CLIPPED, *_AT_Y, *_AT_GRADIENT),
    by=worlds.PROPOSITION_1.mapped(
        worlds.of_whole_proposition_1,
        *(low, high, level, radius),
        *(u_, v_, s, t, g, xx),
        *_OF_Y.values(),
        *(first, second, rest, difference, nabla),
    ),
    points=_BOTH_EXTREME,
    wrong={
        "without the condition number": 6 * radius**4 / level**2 * nabla**2 + 3 * rest**2,
        "3 for 6": 3 * _constant * nabla**2 + 3 * rest**2,
        "1 for 3": 6 * _constant * nabla**2 + rest**2,
        "y is not clipped": without("clipped as printed, for y"),
    },
    steps=(
        Step(
            "The difference of the two gradients is the sum of three parts.", "rgm:gradient-difference-insert-inverse"
        ),
        Step("What a clipped point contributes, for x and for y.", Premise("beyond:clipped-point")),
        Premise("beyond:clipped-point", _OF_Y),
        Step("At the gradient.", Premise("beyond:contribution-at-the-gradient", {factor: _constant})),
        Premise(
            "beyond:contribution-at-the-gradient", {factor: _constant, first: second, xx: _OF_Y[xx], u_: _OF_Y[u_]}
        ),
        Step("The parts put together.", Premise("beyond:proposition-1-from-the-points", {factor: _constant})),
        SPECTRAL.quoted(r"The condition on the spectrum is $(C-m)(M-C) \succcurlyeq 0$.", "C is a covariance matrix."),
        CAUCHY_SCHWARZ.quoted("For the inner product of $Cu$ and $v$.", "It is the usual one."),
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
    "The printed 6 and 3 are those of one half for z.",
    given=_TRIANGLE,
    by=(
        Smt(),
        worlds.PROPOSITION_1_SPLIT.mapped(
            worlds.of_proposition_1_split, first, second, rest, difference, nabla, factor, split
        ),
    ),
    points=_ALIKE,
    wrong={
        "3 for 4": 3 * (1 + split) * factor * nabla**2 + (1 + 1 / split) * rest**2,
        "1 for 1 + 1/z": 4 * (1 + split) * factor * nabla**2 + rest**2,
    },
)
