r"""Section 5.3, clipping: Proposition 1 of version 2, Assumption 1 and Proposition 2 of version 1, with its Appendix B.5.

The clipping map does what it should, for a positive definite C. What fails is the step from $A \succcurlyeq \rho C$ to
$A^{-2} \preccurlyeq \rho^{-2}C^{-2}$: squaring does not keep the order of matrices, and the constant of the propositions lacks a factor that depends on
the condition number of C. In dimension 1, where all matrices commute, the constant could even be six times smaller; but both
neighbours have to satisfy $A \succcurlyeq \rho C$. Version 1 prints its constant as $\eta$, where $\eta^2$ is meant.
"""

from sympy import Determinant, Expr, MatMul, MatrixSymbol, Max, Min, Rational, Symbol, Transpose, sqrt
from sympy.matrices.expressions.matexpr import MatrixExpr

from rgm_verify.claims import *
from rgm_verify.lenses import *

from .. import looseness
from ..worlds import order as order_worlds
from ..worlds import units as units_worlds
from .clipping_notation import *

page = Page("rgm-v1", "§5.3", CLIPPING_NOTATION)


_BOTH = "rgm-v1+v2"
_PROPOSITION = "§5.3, Proposition 1 (v2), Proposition 2 (v1)"
_AFTER = "§5.3, after Proposition 1"
_SHIFT = Symbol("k", real=True)

# --- The clipping map --------------------------------------------------------------------------------------------

_ENTRIES = tuple(real(f"c_{i}{j}", f"entry {i}{j} of C") for i in (1, 2) for j in (1, 2))
page.declare(*_ENTRIES)
_c11, _c12, _c21, _c22 = (v.symbol for v in _ENTRIES)
_det_c = _c11 * _c22 - _c12 * _c21
#: $C^{-1}x$ and $C^{-T}x$, up to the determinant of C.
_left = (_c22 * x1 - _c12 * x2, _c11 * x2 - _c21 * x1)
_right = (_c22 * x1 - _c21 * x2, _c11 * x2 - _c12 * x1)

well_defined = page.at("Proposition 1 (v2), Proposition 2 (v1)", "P1.0", source=_BOTH).definition(
    "rgm:clipping-map",
    "The clipping map is defined for every matrix C",
    ge(named(r"\|X\|^2X^\top C^{-2}X", norm_squared * dot(_right, _left) / _det_c**2), 0),
    "The fourth root of this number is taken.",
    printed=r"\tilde X_i=\frac{R_cX_i}{\max(R_c,(\|X_i\|^2X_i^\top C^{-2}X_i)^{1/4})}",
    given=Hypothesis("invertible", ne(_det_c, 0)),
    by=(Search(), Smt()),
    points=Chart(dict.fromkeys((_c11, _c12, _c21, _c22, x1, x2), (-2, 2)), {}),
    reading="C is any real matrix, as printed; the least that the definition needs is that its root exists.",
    scope="instance",
    missing="Dimension 2.",
    category="missing hypothesis",
    corrected="beyond:clipping-map",
    remark=r"A quarter turn has $C^{-2} = -I$. C has to be symmetric and positive definite, as every later use takes for granted, and $R_c > 0$.",
)

_factor = page.nonnegative("lambda", "factor by which a point is shrunk")
_root = page.nonnegative("r", "$(|X|^2X^TC^{-2}X)^{1/4}$")


_SIZE = natural("d", "dimension")
_anything, _clipping = MatrixSymbol("X_i", _SIZE.symbol, 1), MatrixSymbol("C", _SIZE.symbol, _SIZE.symbol)


def _quantity(point: MatrixExpr, power: int) -> MatrixExpr:
    """$|X|^2 X^T C^{power} X$, left as it is written."""
    turned = Transpose(point)
    return MatMul(turned, point, turned, _clipping**power, point, evaluate=False)


_shrunk = MatMul(_factor, _anything, evaluate=False)

scales = page.elsewhere("v1 App. B.5, (64); v2 §5.3, first item of the procedure", "P1.0b", source=_BOTH).identity(
    "rgm:clipping-scales",
    "The clipped quantity scales as the fourth power",
    eq(_quantity(_shrunk, -2), _factor**4 * _quantity(_anything, -2)),
    given=Hypothesis("C is invertible", ne(Determinant(_clipping), 0)),
    by=Matrices(),
    over=(_SIZE,),
    wrong={"the square": _factor**2 * _quantity(_anything, -2), "C^-1 on one side": left(_quantity(_shrunk, -1))},
    reading="In every dimension.",
)

bound = page.elsewhere("v1 App. B.5, (64); v2 §5.3, first item of the procedure", "P1.0b", source=_BOTH).inequality(
    "rgm:clipping-bound",
    "Clipped points are within the threshold",
    le(named(r"\lambda", radius / Max(radius, _root)) ** 4 * _root**4, radius**4),
    r"$r$ is the fourth root of $\|X\|^2X^\top C^{-2}X$, and $\lambda^4r^4$ is the same of the clipped point.",
    printed=r"\|\tilde X_i\|^2\tilde X_i^\top C^{-2}\tilde X_i\le R_c^4",
    wrong={
        "half of the threshold": radius**4 / 2,
        "the smaller for the larger": left((radius / Min(radius, _root + radius / 9)) ** 4 * _root**4),
        "without clipping": left(_root**4),
    },
    steps=(
        Step(r"The quantity scales with $\lambda^4$.", "rgm:clipping-scales"),
        Step(r"$\lambda r = \min(R_c, r)$.", "beyond:clipping-map"),
    ),
)

_z = page.positive("z", "a point of both datasets")
_ONE, _TWO = (positive(n, w) for n, w in (("x", "the point that differs"), ("y", "the point in its place")))
_c = page.positive("c", "the matrix C, in dimension 1")
_x = page.add(_ONE)
_y = page.add(_TWO)


def _clip(point: Expr, matrix: Expr, title: str) -> Expr:
    """The square of a clipped point in dimension 1, $x^2 min(1, R_c^2 c / x^2)$, written as printed."""
    return named(title, point**2 * radius**2 / Max(radius**2, point**2 / matrix))


_shared_sum = page.nonnegative(
    "T",
    "sum over the shared points, clipped, of their squared inner products with a direction w",
    latex=r"\textstyle\sum_{i\ge1}(w^\top\tilde X_i)^2",
)
_ALONG = tuple(
    nonnegative(k, f"squared inner product of the {w} point with the direction")
    for k, w in (("p", "first"), ("q", "second"))
)
page.declare(*_ALONG)
_LENGTHS = tuple(nonnegative(k, f"$|X|^2X^TC^{{-2}}X$ of the {w} point") for k, w in (("s", "first"), ("t", "second")))
page.declare(*_LENGTHS)
_many = page.natural("n", "number of points")

(_p, _q), (_s, _t) = ((v.symbol for v in pair) for pair in (_ALONG, _LENGTHS))


def _clipped_part(square: Expr, length: Expr) -> Expr:
    """Return the contribution of a clipped point: its square times $R_c^2/max(R_c, length^{1/4})^2$."""
    return square * radius**2 / Max(radius, sqrt(sqrt(length))) ** 2


_first_part = named(r"(w^\top\tilde X_0)^2", _clipped_part(_p, _s))
_second_part = named(r"(w^\top\tilde X_0')^2", _clipped_part(_q, _t))

neighbours = page.at("after Proposition 2; App. B.5", "P1.14b").identity(
    "rgm-v1:clipping-keeps-neighbours",
    "Clipping by a fixed C keeps neighbours neighbours",
    eq(
        printed(lambda: (_shared_sum + _first_part) / _many - (_shared_sum + _second_part) / _many),
        (_first_part - _second_part) / _many,
    ),
    "In the difference of the two clipped covariances all points cancel but the one that differs.",
    wrong={
        "the shared points clipped with the one that differs": left(
            (_clipped_part(_shared_sum, _s) + _first_part) / _many
            - (_clipped_part(_shared_sum, _t) + _second_part) / _many
        ),
        "without clipping on the right": eq(
            (_shared_sum + _first_part) / _many - (_shared_sum + _second_part) / _many, (_p - _q) / _many
        ),
    },
    reading="As quadratic forms along every direction, for all numbers of points and dimensions. The factor of a point depends on the point and on C alone, so that the sum over the shared points is the same in both datasets.",
)

_own_x, _own_y = (named(a, (_z**2 + p**2) / 2) for a, p in (("A", _x), ("A'", _y)))
_clipped_here = _clip(_z, _own_x, r"\tilde z^2")

by_the_data = page.at("after Proposition 1", "P1.14a", source="rgm-v2").remark(
    "rgm-v2:clipping-by-the-data",
    "Clipping by the data breaks the cancellation",
    gt(_clipped_here, _clip(_z, _own_y, r"\tilde z'^2")),
    "With A in the place of C a point that two neighbours share can be clipped differently.",
    exists=True,
    by=(Search(), Smt()),
    over=(_c,),
    wrong={
        "clipped more than with no other point": lt(_clipped_here, _clip(_z, _z**2 / 2, r"\tilde z_0^2")),
        "clipped to more than the point": _z**2,
    },
    reading="That the clipping has to be independent of X: there are neighbours for which the other clipping fails. Two points in dimension 1.",
)

_THETA = real("theta", "parameter")
_N = natural("n", "number of points")
_VALUES = (real("v", "value at x"), real("w", "value at y"))
page.declare(*_VALUES)
_U, _W = (
    nonnegative("U", "sum of the squares of the shared points"),
    real("W", "sum of their products with their values"),
)
_theta, _n, _v, _w, _u, _wsum = (s.symbol for s in (_THETA, _N, *_VALUES, _U, _W))
_REG = nonnegative("mu_reg", "regularization")
_reg = page.add(_REG)
_gradient_x = named(r"\nabla f(\theta; D)", ((_u + _x**2) / _n + _reg) * _theta - (_wsum + _x * _v) / _n)
_gradient_y = named(r"\nabla f(\theta; D')", ((_u + _y**2) / _n + _reg) * _theta - (_wsum + _y * _w) / _n)
_a_0, _a_1 = named("A_0", _x**2), named("A_0'", _y**2)
_b_0, _b_1 = named("b_0", _x * _v), named("b_0'", _y * _w)
_DATA = (_ONE, _TWO, *_VALUES, _U, _W, _N, _REG, _THETA)

cancellation = page.elsewhere("App. B.5", "P1.14c").identity(
    "rgm-v1:app-b5-cancellation",
    "The difference of the gradients, as printed",
    eq(_gradient_x - _gradient_y, _a_0 * _theta - _b_0 - _a_1 * _theta + _b_1),
    r"$A_i$ is $X_iX_i^\top$ and $b_i$ is $X_iy_i$.",
    printed=r"\nabla f(\theta;D)-\nabla f(\theta;D')=A_0\theta-b_0-A_0'\theta+b_0'",
    over=_DATA,
    reading="Points after clipping. The misprint in the definition of $b_i$ is charged where it stands (S52.2a).",
    scope="instance",
    missing="Dimension 1.",
    category="misprint",
    corrected="beyond:app-b5-cancellation",
    remark="The factor 1/n is missing, which v2 (10) has as $n^2$ on its left side.",
)

cancellation_corrected = page.elsewhere("replaces v1 App. B.5", source="beyond").identity(
    "beyond:app-b5-cancellation",
    "The difference of the gradients",
    eq(_n * (_gradient_x - _gradient_y), (_a_0 - _a_1) * _theta - _b_0 + _b_1),
    "All indices but 0 cancel.",
    over=_DATA,
    wrong={"without n": left(_gradient_x - _gradient_y), "a sign": (_a_0 - _a_1) * _theta - _b_0 - _b_1},
)

# --- The order of squares ----------------------------------------------------------------------------------------

order = page.at("third item of the procedure", "P1.2a", source="rgm-v2").inequality(
    "rgm-v2:order-of-squares",
    "A >= rho C implies A^-2 <= rho^-2 C^-2",
    le(solved_squared, quadratic_form / level**2),
    "For every x.",
    printed=r"\tilde A\succcurlyeq\rho C\;\Longrightarrow\;\tilde A^{-2}\preccurlyeq\rho^{-2}C^{-2}",
    given=above(level),
    by=(Search(), order_worlds.SQUARES_PRINTED, units_worlds.MATRIX),
    points=chart_above(level, level),
    scope="instance",
    missing="Dimension 2.",
    category="false",
    corrected="beyond:order-squared",
    remark="Inversion reverses the order of positive definite matrices; squaring does not keep it unless they commute. Lost is the factor "
    r"$(1+\kappa)^2/(4\kappa)$, which cannot be lowered: beyond:order-squared-sharp.",
)

_omega = page.positive("omega", "share of the points that are not clipped", upper=1)


order_v1 = page.elsewhere("App. B.5, (64)", "P1.2c").inequality(
    "rgm-v1:app-b5-order",
    "The clipped covariance at a clipped point, first relation",
    le(norm_squared * solved_squared, norm_squared * quadratic_form / (_omega * level) ** 2),
    printed=r"\|\tilde X_i\|^2\tilde X_i^\top\tilde A^{-2}\tilde X_i\le\omega^{-2}\rho^{-2}\|\tilde X_i\|^2\tilde X_i^\top C^{-2}\tilde X_i",
    given=above(_omega * level),
    by=(Search(), order_worlds.SQUARES_PRINTED),
    points=Chart({**chart_above(_omega * level, level).ranges, _omega: (0, 1)}, chart_above(_omega * level).maps),
    scope="instance",
    missing="Dimension 2.",
    category="false",
    corrected="beyond:order-squared",
    remark="The step is that of version 2, with omega rho in the place of rho.",
)


_AT_THRESHOLD = clipped_to(x1, x2, "x")
_v1_chart = chart_at_threshold(_omega * level, level)

clipped_v1 = page.elsewhere("App. B.5, (64)", "P1.2d").inequality(
    "rgm-v1:app-b5-clipped",
    "The clipped covariance at a clipped point",
    le(norm_squared * solved_squared, radius**4 / (_omega * level) ** 2),
    printed=r"\|\tilde X_i\|^2\tilde X_i^\top\tilde A^{-2}\tilde X_i\le\frac{R_c^4}{\omega^2\rho^2}",
    given=(*above(_omega * level), _AT_THRESHOLD),
    by=(Search(), order_worlds.CLIPPED_PRINTED),
    points=Chart({**_v1_chart.ranges, _omega: (0, 1)}, _v1_chart.maps),
    scope="instance",
    missing="Dimension 2.",
    category="false",
    corrected="beyond:clipped-point",
    remark=r"With $\omega\rho$ for $\rho$ in beyond:clipped-point the right side has the factor $(1+\kappa)^2/(4\kappa)$.",
)

proof = page.at("after Proposition 1", "P1.5", source="rgm-v2").remark(
    "rgm-v2:proposition-1-proof",
    "The proof of Proposition 1",
    le(norm_squared * solved_squared, radius**4 / level**2),
    r"For a clipped point, by (10) and (11); the left side is $\|A_0A^{-1}\|^2$.",
    given=(*above(level), _AT_THRESHOLD),
    by=(Search(), order_worlds.CLIPPED_PRINTED),
    points=chart_at_threshold(level, level),
    reading="What the constant needs in (10), for each of the two points.",
    scope="instance",
    missing="Dimension 2.",
    category="false",
    corrected="beyond:proposition-1-through-inverse",
    remark=r"What the three do give has the condition number of A in front. The order of squares, which the procedure uses, is rgm-v2:order-of-squares.",
)

# --- The propositions --------------------------------------------------------------------------------------------

_POINTS = tuple((real(f"{name}_1"), real(f"{name}_2")) for name in "pqs")
_shared = tuple((v.symbol, w.symbol) for v, w in _POINTS)
_DIRECTION = (real("theta_1"), real("theta_2"))
page.declare(*_DIRECTION)
_t1, _t2 = (v.symbol for v in _DIRECTION)
#: The second moments of four points, the first of which is 0 in one dataset and x in the other.
_m11, _m12, _m22 = (
    sum(f(p) for p in _shared) / 4 for f in (lambda p: p[0] ** 2, lambda p: p[0] * p[1], lambda p: p[1] ** 2)
)
_moment = tuple(
    named(rf"\tilde A_{{{i}}}", entry) for i, entry in (("11", _m11 + _reg), ("12", _m12), ("22", _m22 + _reg))
)
_at_theta = (_moment[0] * _t1 + _moment[1] * _t2, _moment[1] * _t1 + _moment[2] * _t2)
_gradient2 = named(r"\|\nabla f(\theta)\|^2", _at_theta[0] ** 2 + _at_theta[1] ** 2)
_change = named(r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2", (x1 * _t1 + x2 * _t2) ** 2 * norm_squared / 4**2)
_eta2 = named(r"\eta^2", 6 * radius**4 / (level**2 * 4**2))

_EXCHANGED = (*(v for pair in _POINTS for v in pair), C_1, C_2, LEVEL, RADIUS, _REG, *POINT, *_DIRECTION)

proposition = page.at("Proposition 1", "P1.1", source="rgm-v2").proposition(
    "rgm-v2:proposition-1",
    "Proposition 1: relative sensitivity of clipped data",
    le(_change, _eta2 * _gradient2),
    "Two datasets of four clipped points in the plane differ in one point, which is 0 in one of them.",
    printed=r"\tilde A\succcurlyeq\rho C\;\Longrightarrow\;\eta^2=\frac{6R_c^4}{\rho^2n^2}",
    given=(
        *(clipped_to(*p, name) for p, name in zip(_shared, "pqs", strict=True)),
        _AT_THRESHOLD,
        Hypothesis("first entry", ge(_moment[0], level * c1), "Proposition 1"),
        Hypothesis("last entry", ge(_moment[2], level * c2), "Proposition 1"),
        Hypothesis(
            "determinant", ge((_moment[0] - level * c1) * (_moment[2] - level * c2), _moment[1] ** 2), "Proposition 1"
        ),
    ),
    by=(
        Search(),
        order_worlds.PROPOSITION_1_PRINTED.mapped(
            order_worlds.of_printed_proposition_1, *(v.symbol for v in _EXCHANGED)
        ),
        units_worlds.MATRIX,
    ),
    points=Chart(
        {_SHIFT: (0, 1)},
        {
            **dict(zip((s for p in _shared for s in p), map(Rational, (10, -1, 10, 0, 0, 1)), strict=True)),
            **{c1: Rational(100), c2: Rational(1), level: Rational(1, 4), radius: Rational(4), _reg: Rational(0)},
            **{x1: Rational(40), x2: Rational(0), _t1: 1 + 0 * _SHIFT, _t2: 19 + 2 * _SHIFT},
        },
    ),
    over=_EXCHANGED,
    reading=r"$b = b' = 0$ (all values 0), so that the absolute part is 0; with any $R_{rel}$ the same point, scaled up, fails. $\rho$ is the same for both datasets. That $\tilde A \succcurlyeq \rho C$ "
    "holds regardless of the dataset is read: for all datasets that can occur. Read for every dataset whatever, that of zeros included, the printed constant holds, and nothing is gained over the regularization: "
    "rgm-v2:proposition-1-every-dataset. "
    r"$\tilde A' \succcurlyeq \tilde A$ here.",
    scope="instance",
    missing="Datasets of four points in the plane, one of which is 0 in the first, with all values 0.",
    category="false",
    corrected="beyond:proposition-1",
    remark=r"The condition number of C is 100 at the witness, and by beyond:order-squared-sharp no constant in the place of 6 is enough for all C. The printed constant is true for multiples of the "
    r"identity, and for condition numbers up to 3 if the absolute part is enlarged: $4(1+z)K = 6$ with $z = 1/8$, $K = 4/3$ in beyond:proposition-1-split.",
    tightness=looseness.PRINTED_CLIPPING,
)

_moment_x, _moment_y = named(r"\tilde A", (_u + _x**2) / _n + _reg), named(r"\tilde A'", (_u + _y**2) / _n + _reg)
_moved2 = named(r"|\tilde A-\tilde A'|^2", (_x**2 - _y**2) ** 2 / _n**2)
_printed_eta2 = named(r"\eta^2", 6 * radius**4 / (level**2 * _n**2))
_PASSES = Hypothesis("A >= rho C", ge(_moment_x, level * _c))

_CLIPPED_ON_LINE = (
    Hypothesis("x is clipped", le(_x**2, radius**2 * _c)),
    Hypothesis("y is clipped", le(_y**2, radius**2 * _c)),
    Hypothesis("the other points are clipped", le(_u, (_n - 1) * radius**2 * _c)),
)

test_passes = page.at("third item of the procedure", "P1.2b", source="rgm-v2").corollary(
    "rgm-v2:procedure-third-item",
    "If the test passes, the constant can be used",
    le(_moved2, _printed_eta2 * _moment_y**2),
    "For the neighbours of a dataset that passes the test.",
    given=(*_CLIPPED_ON_LINE, _PASSES),
    by=Search(),
    points=Chart(
        {radius: (0, 4), _y: (0, 1), _n: (0, 5)},
        {_c: 1 + 0 * _n, _x: radius, _u: 0 * _n, _reg: 0 * _n, level: radius**2 / _n, _y: radius * _y},
    ),
    over=(_U,),
    reading=r"The test concerns the dataset at hand. Relative sensitivity is asked for in both orders, here at the neighbour: $|A - A'| \le \eta A'$. The order of squares plays no part.",
    scope="instance",
    missing="Dimension 1, with $b = b' = 0$.",
    category="missing hypothesis",
    corrected="beyond:proposition-1",
    remark="The neighbour has to satisfy A' >= rho C as well. In more dimensions the condition number is missing besides (rgm-v2:proposition-1, beyond:proposition-1).",
)

one_dataset = page.at("before Proposition 2", "NB04", source="rgm-v2").remark(
    "rgm-v2:one-dataset-is-not-enough",
    "That A >= rho C holds for one dataset is not enough",
    gt(_moved2, _printed_eta2 * _moment_y**2),
    "The relative sensitivity of Proposition 1 fails at some neighbour of some dataset that passes, even in dimension 1.",
    exists=True,
    given=(*_CLIPPED_ON_LINE, _PASSES),
    by=(Search(), Smt()),
    points=test_passes.sampling,
    over=(_U,),
    wrong={
        "at the dataset itself": _printed_eta2 * _moment_x**2,
        "A >= rho C for both": instead(Hypothesis("A' >= rho C", ge(_moment_y, level * _c))),
    },
    reading=r"As rgm-v2:procedure-third-item. That $\rho$ is unknown: it is, for a restricted set of datasets; for all datasets the largest $\rho$ is $\mu_{reg}/\lambda_{max}(C)$ (beyond:all-datasets-means-regularization).",
)

_p_2 = page.positive("p", "length of the first point")
_q_2 = page.positive("q", "length of the second point")


identity_matrix = page.at("after Proposition 1", "P1.8a", source="rgm-v2").remark(
    "rgm-v2:identity-clipping",
    "C = I gives the square of the condition number",
    le(radius**4 / named(r"\rho", _q_2**2 / 2) ** 2, named(r"\tilde\kappa", _p_2**2 / _q_2**2) ** 2),
    r"For the points $(p, 0)$ and $(0, q)$; the left side is $n^2\eta^2/6$.",
    given=(
        Hypothesis("p is clipped", le(_p_2, radius)),
        Hypothesis("q is clipped", le(_q_2, radius)),
        Hypothesis("order of the lengths", ge(_p_2, _q_2)),
    ),
    by=Search(),
    reading=r"A bound of $\tilde\kappa^2$: the constant $R_c^4/\rho^2$ in the place of $\|A_0A^{-1}\|^2$ is at most that.",
    scope="instance",
    missing="Two points along the axes of the plane.",
    category="false",
    corrected="beyond:identity-clipping",
    remark=r"The constant is never smaller than $\tilde\kappa^2$ (without regularization), because no point is longer than $R_c$; it equals it only if $\lambda_{max}(\tilde A) = R_c^2$, that is if all points lie on one line.",
)

_copies = page.natural("m", "number of copies of (1, 0)")

_a1, _a2 = _copies / (_copies + 1), 1 / (_copies + 1)
_g1, _g2 = _a1 / c1, _a2 / c2

better_matrix = page.at("after Proposition 1", "P1.8b", source="rgm-v2").remark(
    "rgm-v2:better-matrix",
    "Any C that captures the structure better improves the bound",
    le(
        named("R_c^4", Max(c1**-2, c2**-2)) / named(r"\lambda_{\min}(C^{-1/2}\tilde AC^{-1/2})", Min(_g1, _g2)) ** 2,
        1 / named(r"\lambda_{\min}(\tilde A)", Min(_a1, _a2)) ** 2,
    ),
    r"For m copies of $(1, 0)$ and one of $(0, 1)$: the left side is $R_c^4/\rho^2$ with C, the right side with I.",
    given=Hypothesis(
        "better conditioned",
        lt(
            named(r"\kappa(C^{-1/2}\tilde AC^{-1/2})", Max(_g1, _g2) / Min(_g1, _g2)),
            named(r"\kappa(\tilde A)", Max(_a1, _a2) / Min(_a1, _a2)),
        ),
    ),
    by=Search(),
    reading=r"C captures the structure better than I if $\tilde A$ is better conditioned relative to C. For each matrix $R_c^4 = \max_i|X_i|^2X_i^TC^{-2}X_i$, the least threshold that clips nothing, and $\rho = \lambda_{min}(C^{-1/2}\tilde AC^{-1/2})$. The order of squares plays no part.",
    scope="instance",
    missing="Copies of two points of the plane, and diagonal matrices.",
    category="false",
    corrected="beyond:loose-covariance",
    remark="A matrix that overcorrects makes rare directions expensive. What holds: C within a factor of the covariance costs at most the square of that factor.",
)

stronger = page.elsewhere("§5.4, after Proposition 3", "P1.9", source="rgm-v2").remark(
    "rgm-v2:stronger-clipping",
    "Clipping to the ellipsoid is the stronger condition",
    le(norm_squared * quadratic_form, radius**4),
    given=Hypothesis("clipped to the ellipsoid", le(named(r"x^\top C^{-1}x", by_c(x1, x2, -1)), radius**2)),
    by=(Search(), order_worlds.COMPARED_PRINTED),
    scope="instance",
    missing="Dimension 2.",
    category="false",
    corrected="beyond:clippings-compared",
    remark="It is the other way round; otherwise the same procedure would not have to pay a condition number for it. With the ellipsoid the constant is that of beyond:ellipsoid-clipped-point.",
)

# --- Version 1 ---------------------------------------------------------------------------------------------------

_square = page.nonnegative("X", "$|x|^2$", latex=r"\|A_0\|")
_solved = page.nonnegative("U", "$|A^{-1}x|^2$", latex=r"\|A^{-1}x\|^2")
_limit = page.positive("c_A", "bound on the norms of the matrices")
_positive_reg = page.positive("mu_reg", "regularization")


regularization = page.at("", "P1.10").inequality(
    "rgm-v1:regularization-alone",
    "Regularization and clipped norms, as an equality",
    eq(named(r"\|A_0A^{-1}\|^2", _square * _solved), _limit**2 / _positive_reg**2),
    printed=r"\|A_0A^{-1}\|=\frac{c_A}{\mu_{\rm reg}}",
    given=(
        Hypothesis("A >= mu_reg", le(_positive_reg**2 * _solved, _square)),
        Hypothesis("clipped", le(_square, _limit)),
    ),
    by=Search(),
    reading=r"$\|A_0A^{-1}\|^2 = |x|^2|A^{-1}x|^2$ is compared with the square of the right side.",
    category="misprint",
    corrected="beyond:regularization-alone",
)

assumption = page.at("Assumption 1", "P1.7").remark(
    "rgm-v1:assumption-1",
    "Assumption 1, for any dataset",
    le(_x**4 / _c**2, radius**4),
    "A dataset of one point, in dimension 1.",
    by=Search(),
    reading=r"What $|I_C| \ge \omega n > 0$ asks of a dataset of copies of one point x, for any dataset $X \in \mathbb R^{d\times n}$ as printed.",
    scope="instance",
    missing="One point in dimension 1.",
    category="false",
    corrected="beyond:assumption-1-never-for-all-data",
    remark="Whatever C and R_c are, there are datasets all of whose points are clipped: as printed nothing satisfies the assumption, and Proposition 2 of version 1 is empty. It can be meant for a restricted set of datasets only.",
)

_least_c = page.positive("m", "smallest eigenvalue of C")
_largest_c = page.positive("M", "largest eigenvalue of C")
_v2 = page.nonnegative("V", "$x^TC^{-2}x$")


any_matrix = page.at("after Assumption 1", "P1.11").remark(
    "rgm-v1:any-matrix-helps",
    "Any C other than I helps if rho/|C| exceeds the regularization",
    lt(named("R_c^4", _x**4 / _c**2) / level**2, _x**4 / _positive_reg**2),
    "In dimension 1; the right side is the constant of the regularization alone.",
    given=(Hypothesis("not the identity", ne(_c, 1)), Hypothesis("printed condition", gt(level / _c, _positive_reg))),
    by=Search(),
    reading=r"Better values of $\eta$ than $c_A/\mu_{reg}$, at a point of length x that is just not clipped. Any covariance $A \ge \rho c$, $A \ge \mu_{reg}$ will do.",
    scope="instance",
    missing="Dimension 1.",
    category="false",
    corrected="beyond:helpful-matrix",
    remark=r"The condition is not even invariant under $C \to sC$, $\rho \to \rho/s$. What is needed is $\rho\lambda_{min}(C) > \mu_{reg}$; $\rho\|C\| > \mu_{reg}$ is not enough either in more dimensions.",
)

v1_proposition = page.at("Proposition 2", "P1.6").proposition(
    "rgm-v1:proposition-2",
    "Version 1's Proposition 2: relative sensitivity of clipped data",
    le(
        named(r"\tilde A-\tilde A'".join(("(", ")")), (_x**2 - _y**2) / _n),
        named(r"\eta", 6 * radius**4 / (_omega**2 * level**2 * _n**2)) * _moment_x,
    ),
    given=(
        *_CLIPPED_ON_LINE,
        Hypothesis("A >= omega rho C", ge(_moment_x, _omega * level * _c)),
        Hypothesis("A' >= omega rho C", ge(_moment_y, _omega * level * _c)),
    ),
    by=Search(),
    points=Chart(
        {radius: (0, 4), _y: (0, 1), _n: (0, 50)},
        {
            _c: 1 + 0 * _n,
            _x: radius,
            _u: (_n - 1) * radius**2,
            _reg: 0 * _n,
            _y: radius * _y,
            _omega: 1 + 0 * _n,
            level: ((_n - 1) * radius**2 + (radius * _y) ** 2) / _n,
        },
    ),
    over=(_U,),
    reading=r"$\eta$ as printed, not its square. What Assumption 1 gives (beyond:app-b5-chain) is taken for both datasets.",
    scope="instance",
    missing="Dimension 1, with $b = b' = 0$.",
    category="false",
    corrected="beyond:proposition-1",
    remark=r"What its proof bounds is $\eta^2$. Too small as soon as n is large: the true value is of order 1/n. With $\eta^2$ the statement is that of version 2 with $\omega\rho$ for $\rho$, which fails in the plane (rgm-v2:proposition-1).",
)

_KEPT = natural("m", "number of points that are kept")
_kept = _KEPT.symbol
_kept_x, _kept_y = (named(a, (_u + p**2) / _kept + _reg) for a, p in (("A", _x), ("A'", _y)))

discard = page.at("after Proposition 2", "P1.12").remark(
    "rgm-v1:discarding",
    "Discarding the clipped points removes the factor omega^2",
    le(named("|A-A'|^2", (_x**2 - _y**2) ** 2 / _kept**2), _printed_eta2 * _kept_x**2),
    "The mean is over the m of n points that are kept.",
    given=(
        *_CLIPPED_ON_LINE[:2],
        Hypothesis("the other points are kept", le(_u, (_kept - 1) * radius**2 * _c)),
        Hypothesis("kept points", le(_kept, _n)),
        Hypothesis("A >= rho C", ge(_kept_x, level * _c)),
        Hypothesis("A' >= rho C", ge(_kept_y, level * _c)),
    ),
    by=Search(),
    points=Chart(
        {radius: (0, 4), _x: (0, 1), _kept: (0, 5), _SHIFT: (0, 20)},
        {
            _c: 1 + 0 * _kept,
            _y: radius,
            _u: (_kept - 1) * radius**2,
            _reg: 0 * _kept,
            _x: radius * _x,
            _n: 5 * _kept,
            level: ((_kept - 1) * radius**2 + (radius * _x) ** 2) / _kept,
        },
    ),
    over=(_U, _KEPT),
    reading=r"The constant as version 2 prints it, without $\omega$. (With the mean still over n, $A \succcurlyeq \omega\rho C$ is all that there is, and $\omega$ stays.)",
    scope="instance",
    missing="Dimension 1.",
    category="false",
    corrected="beyond:dropped-points",
    remark="A single point then weighs 1/m instead of 1/n, and with m = omega n the factor is back. Worse, a point that is dropped in one dataset only changes the weight of all the others.",
)

_sum = page.nonnegative("S", "what the points of I_C contribute at w")
_clipped = page.nonnegative("P", "what the clipped points contribute at w")
_whole_form, _kept_form = named(r"w^\top\tilde Aw", (_sum + _clipped) / _n + _reg), _sum / _n + _reg


underestimated = page.at("after Proposition 2", "NB05").remark(
    "rgm-v1:clipped-points-contribute",
    "The analysis counts clipped points as zero",
    both(ge(_whole_form, _kept_form), Implies(gt(_clipped, 0), gt(_whole_form, _kept_form))),
    r"The clipped covariance is above the sum over $I_C$ that the proof keeps, strictly along every direction that is not orthogonal to all clipped points.",
    wrong={
        "strictly in every direction": gt(_whole_form, _kept_form),
        "not divided by n": ge((_sum + _clipped) / _n, _sum / _n + _clipped),
    },
    reading="Underestimated: the covariance is larger than what the proof uses of it, and with it the constant smaller. As quadratic forms at every w; the points contribute their squared inner products with w.",
)

_MEAN, _POSSIBLE = (
    nonnegative("S", "mean of the squares of the points of I_C"),
    nonnegative("P", "what the clipped points add"),
)
_share = page.nonnegative("k", "share of the points that are not clipped, exactly", upper=1)
_mean = _MEAN.symbol
_added = _POSSIBLE.symbol

chain_63 = page.elsewhere("App. B.5, (63)", "P1.13").inequality(
    "rgm-v1:app-b5-chain",
    "The clipped covariance is above omega A_C, as printed",
    ge(named(r"\tilde A", _share * _mean + _added), _omega * named("A_C", _mean + _reg)),
    given=Hypothesis("enough points", ge(_share, _omega), "Assumption 1"),
    by=Search(),
    over=(_MEAN, _POSSIBLE),
    reading=r"$\tilde A = \frac1n\sum_i\tilde X_i\tilde X_i^T$ as (63) has it (its first line even says $\tilde X\tilde X^T$), $A_C$ as in Assumption 1.",
    scope="instance",
    missing="Dimension 1.",
    category="misprint",
    corrected="beyond:app-b5-chain",
    remark="With the regularization in the clipped covariance, as in Section 5.2, the chain is true.",
)
