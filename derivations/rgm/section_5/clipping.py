r"""Section 5.3: the clipping map, and the order of squares that its constant rests on; with Appendix B.5 of version 1.

The clipping map does what it should, for a positive definite C. What fails is the step from $A \succcurlyeq \rho C$ to
$A^{-2} \preccurlyeq \rho^{-2}C^{-2}$: squaring does not keep the order of matrices, and the constant of the propositions lacks a factor that depends on
the condition number of C.
"""

from sympy import Determinant, MatMul, Transpose, ZeroMatrix
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..clipping_notation import *
from . import clipping_worlds as worlds

page = Page("rgm-v1", "§5.3", CLIPPING_NOTATION)
_BOTH = "rgm-v1+v2"
_DIMENSION = natural("d", "dimension")
_X, _C = MatrixSymbol("X", _DIMENSION.symbol, 1), MatrixSymbol("C", _DIMENSION.symbol, _DIMENSION.symbol)
_SYMMETRIC = Hypothesis("C is symmetric", eq(_C.T, _C), "the order against rho C says so")
_INVERTIBLE = Hypothesis("C can be inverted", ne(Determinant(_C), 0), "its inverse is used")

well_defined = page.at("Proposition 1 (v2), Proposition 2 (v1)", "P1.0", source=_BOTH).definition(
    "rgm:clipping-map",
    "The clipping map is defined",
    ge(named(r"X^\top C^{-2}X", _X.T * _C.I * _C.I * _X), ZeroMatrix(1, 1)),
    r"So $\|X\|^2X^\top C^{-2}X$ has a fourth root.",
    printed=r"\tilde X_i=\frac{R_cX_i}{\max(R_c,(\|X_i\|^2X_i^\top C^{-2}X_i)^{1/4})}",
    given=(_SYMMETRIC, _INVERTIBLE),
    by=Matrices(squares=((Integer(1), _C.I * _X),)),
    over=(_DIMENSION,),
    wrong={"C^-1 for C^-2": ge(_X.T * _C.I * _X, ZeroMatrix(1, 1)), "any matrix": without(_SYMMETRIC)},
    reading=r"$C$ is compared with $\tilde A$ in the order of symmetric matrices and inverted; 'any real matrix' is read so.",
    remark=r"A quarter turn, which is a real matrix, has $C^{-2} = -I$. $R_c$ has to be positive.",
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
c = page.positive("c", "the matrix C, in dimension 1")
x, y = page.declare(_ONE, _TWO)


def _clip(point: Expr, matrix: Expr, title: str) -> Expr:
    """The square of a clipped point in dimension 1, $x^2 min(1, R_c^2 c / x^2)$, written as printed."""
    return named(title, point**2 * radius**2 / Max(radius**2, point**2 / matrix))


_shared_sum = page.nonnegative(
    "T",
    "sum over the shared points, clipped, of their squared inner products with a direction w",
    latex=r"\textstyle\sum_{i\ge1}(w^\top\tilde X_i)^2",
)
_POINTS = ("first", "second")
_p, _q = (
    page.nonnegative(k, f"squared inner product of the {w} point with w") for k, w in zip("pq", _POINTS, strict=True)
)
_s, _t = (page.nonnegative(k, f"$|X|^2X^TC^{{-2}}X$ of the {w} point") for k, w in zip("st", _POINTS, strict=True))
_many = page.natural("n", "number of points")


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

_own_x, _own_y = (named(a, (_z**2 + p**2) / 2) for a, p in (("A", x), ("A'", y)))
_clipped_here = _clip(_z, _own_x, r"\tilde z^2")

by_the_data = page.at("after Proposition 1", "P1.14a", source="rgm-v2").remark(
    "rgm-v2:clipping-by-the-data",
    "Clipping by the data breaks the cancellation",
    gt(_clipped_here, _clip(_z, _own_y, r"\tilde z'^2")),
    "With A in the place of C a point that two neighbours share can be clipped differently.",
    exists=True,
    by=(Search(), Smt()),
    over=(c,),
    wrong={
        "clipped more than with no other point": lt(_clipped_here, _clip(_z, _z**2 / 2, r"\tilde z_0^2")),
        "clipped to more than the point": _z**2,
    },
    reading="That the clipping has to be independent of X: there are neighbours for which the other clipping fails. Two points in dimension 1.",
)

_THETA = real("theta", "parameter")
_N = natural("n", "number of points")
_VALUES = (real("v", "value at x"), real("w", "value at y"))
U = nonnegative("U", "sum of the squares of the shared points")
_W = real("W", "sum of their products with their values")
REG = nonnegative("mu_reg", "regularization")
_theta, n, u, _wsum = (s.symbol for s in (_THETA, _N, U, _W))
_v, _w, reg = page.declare(*_VALUES, REG)
_gradient_x = named(r"\nabla f(\theta; D)", ((u + x**2) / n + reg) * _theta - (_wsum + x * _v) / n)
_gradient_y = named(r"\nabla f(\theta; D')", ((u + y**2) / n + reg) * _theta - (_wsum + y * _w) / n)
_a_0, _a_1 = named("A_0", x**2), named("A_0'", y**2)
_b_0, _b_1 = named("b_0", x * _v), named("b_0'", y * _w)
_DATA = (_ONE, _TWO, *_VALUES, U, _W, _N, REG, _THETA)

cancellation = page.elsewhere("App. B.5", "P1.14c").identity(
    "rgm-v1:app-b5-cancellation",
    "The difference of the gradients, as printed",
    eq(_gradient_x - _gradient_y, _a_0 * _theta - _b_0 - _a_1 * _theta + _b_1),
    r"$A_i$ is $X_iX_i^\top$ and $b_i$ is $X_iy_i$.",
    printed=r"\nabla f(\theta;D)-\nabla f(\theta;D')=A_0\theta-b_0-A_0'\theta+b_0'",
    over=_DATA,
    reading="Points after clipping. The misprint in the definition of $b_i$ is charged where it stands (S52.2a).",
    instance="Dimension 1.",
    mistake=("misprint", "beyond:app-b5-cancellation"),
    remark="The factor 1/n is missing, which v2 (10) has as $n^2$ on its left side.",
)

cancellation_corrected = page.elsewhere("replaces v1 App. B.5", source="beyond").identity(
    "beyond:app-b5-cancellation",
    "The difference of the gradients",
    eq(n * (_gradient_x - _gradient_y), (_a_0 - _a_1) * _theta - _b_0 + _b_1),
    "All indices but 0 cancel.",
    over=_DATA,
    wrong={"without n": left(_gradient_x - _gradient_y), "a sign": (_a_0 - _a_1) * _theta - _b_0 - _b_1},
)

order = page.at("third item of the procedure", "P1.2a", source="rgm-v2").inequality(
    "rgm-v2:order-of-squares",
    "A >= rho C implies A^-2 <= rho^-2 C^-2",
    le(solved_squared, quadratic_form / level**2),
    "For every x.",
    printed=r"\tilde A\succcurlyeq\rho C\;\Longrightarrow\;\tilde A^{-2}\preccurlyeq\rho^{-2}C^{-2}",
    given=above(level),
    by=(Search(), worlds.SQUARES_PRINTED, UNIT_OF_MATRIX),
    points=chart_above(level, level),
    instance="Dimension 2.",
    mistake=("false", "beyond:order-squared"),
    remark=r"Inversion reverses the order of positive definite matrices; squaring does not keep it unless they commute. Lost is the factor $(1+\kappa)^2/(4\kappa)$, which cannot be lowered: beyond:order-squared-sharp.",
)

omega = page.positive("omega", "share of the points that are not clipped", upper=1)

order_v1 = page.elsewhere("App. B.5, (64)", "P1.2c").inequality(
    "rgm-v1:app-b5-order",
    "The clipped covariance at a clipped point, first relation",
    le(norm_squared * solved_squared, norm_squared * quadratic_form / (omega * level) ** 2),
    printed=r"\|\tilde X_i\|^2\tilde X_i^\top\tilde A^{-2}\tilde X_i\le\omega^{-2}\rho^{-2}\|\tilde X_i\|^2\tilde X_i^\top C^{-2}\tilde X_i",
    given=above(omega * level),
    by=(Search(), worlds.SQUARES_PRINTED),
    points={**chart_above(omega * level, level)},
    instance="Dimension 2.",
    mistake=("false", "beyond:order-squared"),
    remark="The step is that of version 2, with omega rho in the place of rho.",
)

AT_THRESHOLD = clipped_to(x1, x2, "x")

clipped_v1 = page.elsewhere("App. B.5, (64)", "P1.2d").inequality(
    "rgm-v1:app-b5-clipped",
    "The clipped covariance at a clipped point",
    le(norm_squared * solved_squared, radius**4 / (omega * level) ** 2),
    printed=r"\|\tilde X_i\|^2\tilde X_i^\top\tilde A^{-2}\tilde X_i\le\frac{R_c^4}{\omega^2\rho^2}",
    given=(*above(omega * level), AT_THRESHOLD),
    by=(Search(), worlds.CLIPPED_PRINTED),
    points={**chart_at_threshold(omega * level, level)},
    instance="Dimension 2.",
    mistake=("false", "beyond:clipped-point"),
    remark=r"With $\omega\rho$ for $\rho$ in beyond:clipped-point the right side has the factor $(1+\kappa)^2/(4\kappa)$.",
)

proof = page.at("after Proposition 1", "P1.5", source="rgm-v2").remark(
    "rgm-v2:proposition-1-proof",
    "The proof of Proposition 1",
    le(norm_squared * solved_squared, radius**4 / level**2),
    r"For a clipped point, by (10) and (11); the left side is $\|A_0A^{-1}\|^2$.",
    given=(*above(level), AT_THRESHOLD),
    by=(Search(), worlds.CLIPPED_PRINTED),
    points=chart_at_threshold(level, level),
    reading="What the constant needs in (10), for each of the two points.",
    instance="Dimension 2.",
    mistake=("false", "beyond:proposition-1-through-inverse"),
    remark=r"What the three do give has the condition number of A in front. The order of squares, which the procedure uses, is rgm-v2:order-of-squares.",
)
