r"""Section 5.2: relative sensitivity of quadratic objectives.

The gradients of two neighbouring least-squares objectives differ by $\frac1n(Eg + w)$, with $g = \nabla f(\theta)$, $E = (A_0-A_0')A^{-1}$ and $w$ the
difference of the two records' gradients at the minimiser $A^{-1}b$: a relative part and an absolute part. As printed, $b_i = \frac1nX_iy_i$ carries a
factor $1/n$ too many; with $b_i = X_iy_i$ the bound holds. What is said of the two parts is judged here one by one; sharp constants are in
`beyond/quadratic_sensitivity.py`.

Identities are judged for matrices of all sizes. Elsewhere matrices become scalars: a record enters by inner products only; inequalities between
quadratic forms in $A$ are taken in a basis of eigenvectors (spectral theorem), where $A$ is diagonal.
"""

from sympy import Expr, Identity, MatMul, MatrixSymbol, Rational, Trace, sqrt
from sympy.matrices.expressions.matexpr import MatrixExpr

from rgm_verify.claims import *
from rgm_verify.lenses import Combination, Deduction, Matrices, Premise, Search, Smt, Units
from rgm_verify.lenses import Identity as SymbolicIdentity

from .. import looseness
from ..theorems import SPECTRAL
from ..worlds import ridge as ridge_worlds
from .matrix_notation import *
from .parts_notation import *

page = Page("rgm-v1+v2", "§5.2", MATRIX_NOTATION, PARTS_NOTATION)


_HALF = Rational(1, 2)

# Coordinates of a record in dimension 2, labels and the regularisation.
_x1 = page.real("x_1", "first feature of record 0")
_x2 = page.real("x_2", "second feature of record 0")
_y = page.real("y", "label of record 0")
_s = page.real("s", "label of the other record")
_mu_reg = page.nonnegative("mu_reg", "regularisation")
_n = page.natural("n", "number of records")


_residuals = X.T * theta - y
_penalty = _mu_reg / 2 * named(r"\|\theta\|^2", theta.T * theta)
_square_of_residuals = named(r"\|X^\top\theta-y\|^2", _residuals.T * _residuals)
_sum_of_squares = named(r"\sum_i(X_i^\top\theta-y_i)^2", Trace(_residuals * _residuals.T) * Identity(1))
_matrix = named("A", X * X.T / n + _mu_reg * Identity(d))
_vector = named("b", X * y / n)
_losses = named(r"f(\theta)", _square_of_residuals / (2 * n) + _penalty)

objective_sums = page.elsewhere("§5.2; v1 (9)", "S52.1a.v1", source="rgm-v1").identity(
    "rgm-v1:quadratic-objective",
    "The objective as a norm and as a sum",
    eq(_square_of_residuals / (2 * n) + _penalty, _sum_of_squares / (2 * n) + _penalty),
    by=Matrices(),
    over=(d,),
    wrong={
        "the norm over n": left(2 * _losses),
        "the penalty twice": left(_losses + _penalty),
        "labels left out": Trace(X.T * theta * theta.T * X) / (2 * n) * Identity(1) + _penalty,
    },
    reading=r"For all numbers of records and features. The sum is the trace of $rr^\top$ with $r = X^\top\theta-y$.",
)

_form, _constant = theta.T * _matrix * theta, named(r"\|y\|^2", y.T * y) / (2 * n)

quadratic = page.elsewhere("§5.2; v2 (9)", "S52.1a.v2", source="rgm-v2").definition(
    "rgm-v2:quadratic-objective",
    "The objective is the quadratic of A and b",
    eq(_losses, _form / 2 - _vector.T * theta + _constant),
    by=Matrices(),
    over=(d,),
    wrong={
        "b without 1/n": _form / 2 - y.T * X.T * theta + _constant,
        "A without one half": _form - _vector.T * theta + _constant,
    },
    reading="A definition: what can be checked is that it is the quadratic that the text speaks of, for all numbers of records and features.",
)

t = page.real("t", "length of a step")

_direction = MatrixSymbol("v", d, 1)


_place = theta + t * _direction
_residuals_there = X.T * _place - y
_moved = named(r"f(\theta+tv)", _residuals_there.T * _residuals_there / (2 * n) + _mu_reg / 2 * _place.T * _place)
_gradient = named(r"\frac1n\sum_i\nabla f_i(\theta)", X * _residuals / n + _mu_reg * theta)
_slope = t * (_matrix * theta - _vector).T * _direction
_curvature = t**2 / 2 * _direction.T * _matrix * _direction

gradient = page.at("after v1 (9), v2 (9)", "S52.1b").identity(
    "rgm:quadratic-gradient",
    "The gradient of the objective",
    both(eq(_moved, _losses + _slope + _curvature), eq(_gradient, _matrix * theta - _vector)),
    "The same for either dataset.",
    printed=r"\nabla f(\theta)=A\theta-b",
    by=(Matrices(), ridge_worlds.GRADIENT),
    over=(d,),
    wrong={
        "without the regularisation": eq(_gradient, X * X.T * theta / n - X * y / n),
        "b without 1/n": eq(_gradient, _matrix * theta - X * y),
        "the sign of b": eq(_gradient, _matrix * theta + X * y / n),
        "twice the slope": eq(_moved, _losses + 2 * _slope + _curvature),
    },
    reading="For all numbers of records and features. The coefficient of $t$ along every direction $v$ is the slope; the second relation is the mean of the records' gradients.",
)

# The difference of two gradients: R and h are the other records and their labels.
_yp = page.real("y'", "label of the record in place of record 0")


def _gradient_with(title: str, record: MatrixExpr, label: Expr) -> MatrixExpr:
    """The gradient for the other records and one more."""
    value = (R * R.T + record * record.T) * theta / n + _mu_reg * theta - (R * h + record * label) / n
    return named(title, value)


_difference = _gradient_with(r"\nabla f(\theta)", X_0, _y) - _gradient_with(r"\nabla f'(\theta)", X_0p, _yp)
_swap = named("A_0", X_0 * X_0.T) - named("A_0'", X_0p * X_0p.T)
_old, _new = named("b_0", X_0 * _y), named("b_0'", X_0p * _yp)
_change = _swap * theta - _old + _new


def _square(vector: MatrixExpr) -> MatrixExpr:
    return vector.T * vector


_difference2 = named(r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2", _square(_difference))
_change2 = named(r"\|(A_0-A_0')\theta-b_0+b_0'\|^2", _square(_change))


# In dimension 1 with one record besides: x, y and z, s; the neighbour has x', y' instead of x, y.
_x = page.real("x", "feature of record 0")
_xp = page.real("x'", "feature of the record in its place")
_z = page.real("z", "feature of the other record")
_t = page.real("theta", "parameter")

_mean_square, _mean_product = (_x**2 + _z**2) / 2, (_x * _y + _z * _s) / 2
_line_difference2 = named(
    r"|\nabla f(\theta)-\nabla f'(\theta)|^2", (((_x**2 - _xp**2) * _t - (_x * _y - _xp * _yp)) / 2) ** 2
)
_line_printed2 = named(r"|(A_0-A_0')\theta-b_0+b_0'|^2", ((_x**2 - _xp**2) * _t - (_x * _y - _xp * _yp) / 2) ** 2)


difference_printed = page.at(
    "unnumbered display after v1 (9), first line; v2 (10) first line", "S52.2a.v1 S52.2a.v2"
).identity(
    "rgm:gradient-difference-printed",
    "The difference of two gradients, as printed",
    both(eq(_line_difference2, _line_printed2 / 4), eq(4 * _line_difference2, _line_printed2)),
    r"$b_i$ is printed with a factor $\frac1n$ of its own; version 1 has the other $n^2$ on the other side.",
    printed=r"n^2\|\nabla f(\theta)-\nabla f'(\theta)\|^2=\|(A_0-A_0')\theta-b_0+b_0'\|^2,\quad b_i=\tfrac1nX_iy_i",
    by=(Search(), SymbolicIdentity(), ridge_worlds.DIFFERENCE_PRINTED),
    over=(_z, _s),
    scope="instance",
    missing="Dimension 1 with two records.",
    reading="Both versions' forms.",
    category="misprint",
    corrected="rgm:gradient-difference",
    remark=r"The factor $1/n$ stands before the norm and in $b_i$; it belongs to one of them.",
)

difference = page.at("display of the gradient difference, first line").correction(
    "rgm:gradient-difference",
    "The difference of two gradients",
    both(eq(_difference2, _change2 / n**2), eq(n**2 * _difference2, _change2)),
    by=(Matrices(), ridge_worlds.DIFFERENCE),
    over=(d, m, _mu_reg),
    wrong={
        "n once": eq(n * _difference2, _change2),
        "b_i with 1/n": eq(n**2 * _difference2, _square(_swap * theta - (_old - _new) / n)),
        "a sign": eq(n**2 * _difference2, _square(_swap * theta - _old - _new)),
    },
    reading="For all numbers of records and features: the other records enter by sums that cancel.",
)

_labels = _old - _new
_inserted = MatMul(_swap, A.I, A * theta - b, evaluate=False) + _swap * A.I * b - _labels

inserted = page.at("display of the gradient difference, second line", "S52.2b").identity(
    "rgm:gradient-difference-insert-inverse",
    "Inserting the inverse of A",
    eq(_swap * theta - _labels, _inserted),
    given=A_INVERTIBLE,
    by=(Matrices(), ridge_worlds.INSERTED),
    over=(d,),
    wrong={
        "a sign": _inserted + 2 * _labels,
        "A without its inverse": _swap * A * theta - _labels,
        "the inverse on the other side": A.I * _swap * (A * theta - b) + A.I * _swap * b - _labels,
    },
    reading="In every dimension. It does not matter what $b_0$ and $b_0'$ are.",
)

_line_minimum = _mean_product / _mean_square
_line_gradient = named(r"\nabla f(\theta)", _mean_square * _t - _mean_product)
_line_norms2 = (named(rf"|A_0{prime}A^{{-1}}|^2", (x**2 / _mean_square) ** 2) for prime, x in (("", _x), ("'", _xp)))
_line_absolute2 = named(
    r"|\nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)|^2", ((_x**2 - _xp**2) * _line_minimum - (_x * _y - _xp * _yp)) ** 2
)

bound_printed = page.at(
    "unnumbered display after v1 (9), third line; v2 (10) third and fourth lines", source="beyond"
).inequality(
    "rgm:gradient-difference-bound-printed",
    "The relative and the absolute part, as printed",
    le(_line_printed2, 3 * sum(_line_norms2) * _line_gradient**2 + 3 * _line_absolute2),
    r"$b_i$ carries its printed factor $\frac1n$.",
    printed=r"\|(A_0-A_0')\theta-b_0+b_0'\|^2\le3\big[\|A_0A^{-1}\|^2+\|A_0'A^{-1}\|^2\big]\|\nabla f(\theta)\|^2+3\|\nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)\|^2",
    given=Hypothesis("A is invertible", gt(_mean_square, 0), "§5.2"),
    by=(Search(), Smt(), ridge_worlds.BOUND_PRINTED),
    scope="instance",
    missing="Dimension 1 with two records.",
    reading=r"With the misprint of the first line, which is charged there. $f_0$ is the loss of the record that differs, $\frac12(X_0^\top\theta-y_0)^2$, as in the sum that defines $f$. "
    r"Version 1 divides both sides by $n^2$.",
    category="misprint",
    corrected="rgm:gradient-difference-bound",
    remark=r"A consequence of the factor $1/n$ in $b_i$, which the gradient of a record's loss does not have. The outer inequality, from the first line to "
    "the last, holds: it is the corrected statement. With $A_0\\theta-b_0$ for the gradient of $f_0$, printed $b_0$ included, this step would hold and the outer one fail.",
)

_P, _Q, _R = (real(k) for k in "PQR")
_p = page.add(_P)
_q = page.add(_Q)
_r = page.add(_R)
_ON_A_LINE = Chart(
    {_p: (-3, 3), _q: (-3, 3), _r: (-3, 3), gradient_norm: (0, None)},
    {
        **{uu: _p**2, vv: _q**2, ww: _r**2, uv: _p * _q, uw: _p * _r, vw: _q * _r},
        **{nu: sqrt(_p**2) / gradient_norm, nu_p: sqrt(_q**2) / gradient_norm, gradient_norm: gradient_norm},
    },
)

bound = page.at("display of the gradient difference, from the first line to the last", "S52.3.v1 S52.3.v2").inequality(
    "rgm:gradient-difference-bound",
    "The relative and the absolute part of the difference",
    le(difference2, 3 * (nu**2 + nu_p**2) * gradient_norm**2 + 3 * ww),
    given=(*GRAM, *OPERATOR),
    by=(
        Combination(
            terms=(
                (uu + vv + 2 * uv,),
                (uu + ww - 2 * uw,),
                (vv + ww + 2 * vw,),
                (3, nu**2 * gradient_norm**2 - uu),
                (3, nu_p**2 * gradient_norm**2 - vv),
            )
        ),
        Smt(),
        ridge_worlds.BOUND.mapped(ridge_worlds.of_bound, uu, vv, ww, uv, uw, vw, nu, nu_p, gradient_norm),
    ),
    points=_ON_A_LINE,
    wrong={
        "2 in place of 3": 2 * (nu**2 + nu_p**2) * gradient_norm**2 + 2 * ww,
        "3 only on the relative part": 3 * (nu**2 + nu_p**2) * gradient_norm**2 + ww,
        "the old record only": 3 * nu**2 * gradient_norm**2 + 3 * ww,
    },
    steps=(
        Step("The difference of the gradients.", "rgm:gradient-difference"),
        Step(r"Insert $A^{-1}A$.", "rgm:gradient-difference-insert-inverse"),
        Step("Three times the sum of the squares of three vectors bounds the square of their sum."),
    ),
    reading=r"With $b_i = X_iy_i$: the misprint of the first line of the display is charged there (`rgm:gradient-difference-printed`). In any dimension: the difference, times $n$, is $u - v + w$ with $u = A_0A^{-1}\nabla f(\theta)$, $v = A_0'A^{-1}\nabla f(\theta)$ and the difference $w$ of the records' gradients at the minimiser; they enter by norms and inner products only.",
    tightness=looseness.ONE_RECORD + looseness.THREE_SQUARES,
)

# In a basis of eigenvectors of A: eigenvalues l_i, and the coordinates of a vector.
_L = tuple(positive(f"l_{k}", "eigenvalue of A") for k in "12")
page.declare(*_L)
_l1, _l2 = (v.symbol for v in _L)
_eigen_square, _eigen_inverse, _eigen_inverse2 = (_x1**2 / _l1**k + _x2**2 / _l2**k for k in (0, 1, 2))
_trace = named(r"\lambda_{\max}(A_0A^{-1})", _eigen_inverse)
_in_ellipse = named(r"X_0^\top A^{-1}X_0", _eigen_inverse)
_ellipse_norm = named(r"|X_0|_{A^{-1}}", sqrt(_eigen_inverse))

norm_printed = page.at("after the display of the gradient difference", "S52.4").remark(
    "rgm:norm-as-largest-eigenvalue-printed",
    "The 2-norm as the largest eigenvalue, for the matrices where it is used",
    eq(_trace**2, named(r"\|A_0A^{-1}\|^2", _eigen_square * _eigen_inverse2)),
    by=(Search(), SymbolicIdentity()),
    reading=r"The sentence explains the norms in the bound, which are those of $A_0A^{-1}$ and $A_0'A^{-1}$. The largest eigenvalue of $A_0A^{-1}$ is its trace $X_0^\top A^{-1}X_0$; both sides are squared.",
    scope="instance",
    missing="Dimension 2, in a basis of eigenvectors of $A$.",
    category="missing hypothesis",
    corrected="rgm:norm-as-largest-eigenvalue",
    remark=r"$A_0A^{-1}$ is not symmetric unless $X_0$ is an eigenvector of $A$. The formula $|X_0|^2X_0^\top A^{-2}X_0$ that the paper goes on with is the "
    "right one, that of the largest singular value.",
)

_v1 = page.real("v_1")
_v2 = page.real("v_2")
_top = page.positive("l_max", "largest eigenvalue", latex=r"\lambda_{\max}(A)")

_MAXIMAL = (Hypothesis("l_1 is at most l_max", le(_l1, _top)), Hypothesis("l_2 is at most l_max", le(_l2, _top)))

norm_symmetric = page.at("after the display of the gradient difference").correction(
    "rgm:norm-as-largest-eigenvalue",
    "The 2-norm of a positive definite matrix",
    le(named(r"\|Av\|^2", (_l1 * _v1) ** 2 + (_l2 * _v2) ** 2), _top**2 * named(r"\|v\|^2", _v1**2 + _v2**2)),
    given=_MAXIMAL,
    by=(Combination(terms=((_v1**2, _top - _l1, _top + _l1), (_v2**2, _top - _l2, _top + _l2))), Smt()),
    wrong={
        "the smaller eigenvalue": changed(hypotheses=(_MAXIMAL[0],)),
        "without the square": _top * (_v1**2 + _v2**2),
    },
    reading="In a basis of eigenvectors; an eigenvector of the largest eigenvalue makes it an equality.",
    scope="instance",
    missing=r"Dimension 2.",
)

# |X_0|^2, X_0^T A^-1 X_0 and X_0^T A^-2 X_0, and what bounds on the spectrum say of them.
_psq = page.nonnegative("p", "|X_0|^2", latex=r"\|X_0\|^2")
_lev = page.nonnegative("e", "X_0^T A^-1 X_0", latex=r"X_0^\top A^{-1}X_0")
_lev2 = page.nonnegative("k", "X_0^T A^-2 X_0", latex=r"(X_0^\top A^{-2}X_0)")
_mu = page.positive("mu", "lower bound on the spectrum of A")
_largest = page.positive("L", "upper bound on the spectrum of A")


_big = page.nonnegative("M", "the largest |X_i|^2, which is the norm of A_i", latex=r"\max_i\|A_i\|")

_norm2 = named(r"\|A_0A^{-1}\|^2", _psq * _lev2)
_kappa = named(r"\kappa", _largest / _mu)

_SPECTRUM_BELOW2 = Hypothesis("the spectrum of A is at least mu, for A^-2", le(_mu**2 * _lev2, _psq), "§5.2")
_SPECTRUM_BELOW = Hypothesis("the spectrum of A is at least mu", le(_mu * _lev2, _lev), "§5.2")
_SPECTRUM_ABOVE = Hypothesis("the spectrum of A is at most L", le(_psq, _largest * _lev), "§5.2")
_LARGEST_RECORD = Hypothesis("record 0 is no larger than the largest record", le(_psq, _big))
_EIGEN = Chart(
    {_x1: (-3, 3), _x2: (-3, 3), _mu: (0, None), _l1: (0, 1), _largest: (0, None)},
    {
        _psq: _x1**2 + _x2**2,
        _lev: _x1**2 / (_mu + _l1 * _largest) + _x2**2 / _mu,
        _lev2: _x1**2 / (_mu + _l1 * _largest) ** 2 + _x2**2 / _mu**2,
        _mu: _mu,
        _largest: _mu + _l1 * _largest,
        _big: _x1**2 + _x2**2,
    },
)

_REST = tuple(
    nonnegative(f"S_{k}", f"the other eigenvectors' part of the quadratic form of $A^{{-{k}}}$") for k in range(3)
)
page.declare(*_REST)
_rest_0, _rest_1, _rest_2 = (v.symbol for v in _REST)
_EIGENVALUE, _COORDINATE = positive("l", "an eigenvalue of A"), real("x", "coordinate of X_0 along its eigenvector")
_eigenvalue = page.add(_EIGENVALUE)
_coordinate = _COORDINATE.symbol
_form_0, _form_1, _form_2 = (
    rest + _coordinate**2 / _eigenvalue**k for k, rest in enumerate((_rest_0, _rest_1, _rest_2))
)


def _by_the_spectrum(zero: Expr, one: Expr, two: Expr) -> All:
    return both(le(zero, _largest * one), le(_mu * two, one), le(_mu**2 * two, zero))


_IN_RANGE = Hypothesis("the eigenvalue in the range", both(ge(_eigenvalue, _mu), le(_eigenvalue, _largest)), "§5.2")
_SO_FAR = Hypothesis("the other eigenvectors", _by_the_spectrum(_rest_0, _rest_1, _rest_2))

spectral = page.at("L and mu").definition(
    "rgm:spectrum-on-one-record",
    "What bounds on the spectrum say of the quadratic forms of a record",
    _by_the_spectrum(_form_0, _form_1, _form_2),
    r"For eigenvalues of $A$ between $\mu$ and $L$.",
    printed=r"\|X_0\|^2\le L\,X_0^\top A^{-1}X_0,\quad\mu\,X_0^\top A^{-2}X_0\le X_0^\top A^{-1}X_0,\quad\mu^2X_0^\top A^{-2}X_0\le\|X_0\|^2",
    given=(_IN_RANGE, _SO_FAR),
    by=(Smt(), ridge_worlds.ON_ONE_RECORD),
    points=Chart(
        {_rest_1: (0, 3), _coordinate: (-3, 3), _mu: (0, None), _eigenvalue: (0, 1), _largest: (0, None)},
        {
            **{_rest_1: _rest_1, _coordinate: _coordinate, _mu: _mu, _largest: _mu + _largest},
            **{_eigenvalue: _mu + _eigenvalue * _largest, _rest_0: _mu * _rest_1, _rest_2: _rest_1 / (_mu + _largest)},
        },
    ),
    over=(*_REST, _EIGENVALUE, _COORDINATE, _mu, _largest),
    wrong={
        "L and mu swapped": both(le(_form_0, _mu * _form_1), le(_largest * _form_2, _form_1)),
        "mu once": both(le(_form_0, _largest * _form_1), le(_mu * _form_2, _form_0)),
        "an eigenvalue out of the range": without(_IN_RANGE),
    },
    steps=(Step("The basis.", theorem=SPECTRAL, met={"symmetric": "A is a sum of symmetric matrices."}),),
    reading="In a basis of eigenvectors, in every dimension: every eigenvector adds a term to the three forms, and keeps the inequalities; none of them has 0 in all three.",
)

direct = page.at("", "S52.5").inequality(
    "rgm:relative-term-direct-bound",
    "The direct bound on the relative term",
    le(_norm2, _big**2 / _mu**2),
    given=(_SPECTRUM_BELOW2, _LARGEST_RECORD),
    by=(
        Combination(terms=((_psq / _mu**2, _psq - _mu**2 * _lev2), (_big - _psq, _big + _psq, 1 / _mu**2))),
        Smt(),
        Units({_psq: 2, _lev2: -2, _mu: 2, _big: 2}),
        ridge_worlds.DIRECT.mapped(ridge_worlds.of_direct, _psq, _lev2, _mu, _big),
    ),
    points=_EIGEN,
    wrong={
        "mu once": _big**2 / _mu,
        "half": _big**2 / _mu**2 / 2,
        "record 0 larger than all": without(_LARGEST_RECORD),
    },
    steps=(
        Step("The spectrum.", "rgm:spectrum-on-one-record"),
        Step("The norm of the rank-one term.", "rgm:relative-term-norm"),
    ),
    reading=r"$|A_i| = |X_i|^2$. In any dimension: the bound on the spectrum enters by $\mu^2X_0^\top A^{-2}X_0 \le |X_0|^2$. The maximum is over both datasets, as "
    "the bound is used for $A_0'$ as well.",
    tightness=looseness.DIRECT,
)

_product = X_0 * X_0.T * A.I
_form2 = X_0.T * A.I * A.I * X_0
_norm_squared = X_0.T * X_0

norm_of_product = page.elsewhere("§5.2; v1 (10), v2 (11)", "S52.6a").identity(
    "rgm:relative-term-norm",
    "The norm of the rank-one term",
    both(
        eq(_product * _product.T * X_0, X_0 * _norm_squared * _form2),
        eq(Trace(_product * _product.T) * Identity(1), _norm_squared * _form2),
    ),
    "In the 2-norm.",
    printed=r"\|A_0A^{-1}\|^2=\|X_0\|^2X_0^\top A^{-2}X_0",
    given=(A_SYMMETRIC, A_INVERTIBLE),
    by=(Matrices(), ridge_worlds.TERM_NORM),
    over=(d,),
    wrong={
        "A^-1 in place of A^-2": eq(Trace(_product * _product.T) * Identity(1), _norm_squared * (X_0.T * A.I * X_0)),
        "the square of the quadratic form": eq(
            Trace(_product * _product.T) * Identity(1), (X_0.T * A.I * X_0) * (X_0.T * A.I * X_0)
        ),
        "A not symmetric": without(A_SYMMETRIC),
    },
    reading=r"The squared norm of $M = A_0A^{-1}$ is the largest eigenvalue of $MM^\top$. In every dimension $X_0$ is an eigenvector for the stated value, and the "
    r"trace, the sum of all eigenvalues, none of which is negative, is no larger. If $X_0 = 0$, both sides are 0.",
)

kappa_bound = page.elsewhere("§5.2; v1 (10), v2 (11)", "S52.6b").inequality(
    "rgm:relative-term-kappa",
    "The relative term by the condition number",
    le(_psq * _lev2, _kappa * _lev**2),
    given=(_SPECTRUM_BELOW, _SPECTRUM_ABOVE),
    by=(
        Combination(terms=((_lev / _mu, _largest * _lev - _psq), (_psq / _mu, _lev - _mu * _lev2))),
        Smt(),
        Units({_psq: 2, _lev: 0, _lev2: -2, _mu: 2, _largest: 2}),
        ridge_worlds.KAPPA.mapped(ridge_worlds.of_condition, _psq, _lev, _lev2, _mu, _largest),
    ),
    points=_EIGEN,
    wrong={
        "without kappa": _lev**2,
        "a tenth of kappa": _largest / _mu * _lev**2 / 10,
        "the spectrum unbounded above": without(_SPECTRUM_ABOVE),
    },
    steps=(Step("The spectrum.", "rgm:spectrum-on-one-record"),),
    reading="In any dimension; the spectrum enters by two inequalities between quadratic forms.",
    remark=r"The best factor is $(\kappa+1)^2/(4\kappa)$, about a quarter of $\kappa$: `beyond:relative-term-kantorovich`.",
    tightness=looseness.LEVERAGE,
)

_l_rel = page.nonnegative("L_rel", "bound on X_0^T A^-1 X_0")

_RELATIVE = Hypothesis("X_0 in the ellipsoid", le(_lev, _l_rel), "§5.2 of version 1")
_EIGEN_REL = Chart(_EIGEN.ranges, {**_EIGEN.maps, _l_rel: _EIGEN.maps[_lev]})

sufficient = page.at("after v1 (10)", "S52.7a", source="rgm-v1").remark(
    "rgm-v1:relative-term-sufficient",
    "A bound on the quadratic form suffices",
    le(_norm2, _kappa * _l_rel**2),
    given=(_SPECTRUM_BELOW, _SPECTRUM_ABOVE, _RELATIVE),
    by=Deduction((Premise("rgm:relative-term-kappa"),)),
    points=_EIGEN_REL,
    wrong={"by L_rel alone": _l_rel**2, "kappa L_rel": _largest / _mu * _l_rel, "X_0 anywhere": without(_RELATIVE)},
    reading="To bound the norm is to bound it by $\\kappa$ and $L_{rel}$; no bound by $L_{rel}$ alone is possible.",
)

ellipse_printed = page.at("after v1 (10)", "S52.7b", source="rgm-v1").remark(
    "rgm-v1:ellipse-radius-printed",
    "The radius of the ellipse, as printed",
    Iff(le(_in_ellipse, _l_rel), le(_ellipse_norm, _l_rel)),
    "$X_0$ is said to lie in the ellipse of radius $L_{rel}$ in the norm of $A^{-1}$.",
    by=(Search(), Smt()),
    reading=r"The radius of $\{x : |x|_{A^{-1}} \le r\}$ is $r$, where $|x|_{A^{-1}}^2 = x^\top A^{-1}x$.",
    scope="instance",
    missing="Dimension 2, in a basis of eigenvectors.",
    category="misprint",
    corrected="rgm-v1:ellipse-radius",
    remark=r"The radius is $\sqrt{L_{rel}}$. Section 5.3 has it right: there the square of the radius $R_c$ stands on the right.",
)

ellipse = page.at("after v1 (10)", source="rgm-v1").correction(
    "rgm-v1:ellipse-radius",
    "The radius of the ellipse",
    Iff(le(_in_ellipse, _l_rel), le(_ellipse_norm, sqrt(_l_rel))),
    wrong={
        "radius L_rel": Iff(le(_in_ellipse, _l_rel), le(_ellipse_norm, _l_rel)),
        "the ellipse of A": Iff(le(_in_ellipse, _l_rel), le(sqrt(_l1 * _x1**2 + _l2 * _x2**2), sqrt(_l_rel))),
    },
)

_reg = page.positive("mu_reg", "regularisation")


_moment = Trace(A.I * (X * X.T / n))
_mean_leverage = Trace(A.I * (A - _reg * Identity(d)))
_POSITIVE_INVERSE = Hypothesis(
    "no eigenvalue of the inverse is negative", ge(Trace(A.I), 0), "§5.2: A is positive definite"
)

mean_leverage = page.at("after v1 (10)", "S52.8a", source="rgm-v1").remark(
    "rgm-v1:l-rel-without-conditioning",
    "On average over the records, the quadratic form does not see the conditioning",
    both(eq(named(r"\frac1n\sum_iX_i^\top A^{-1}X_i", Trace(X.T * A.I * X) / n), _moment), le(_mean_leverage, d)),
    r"The mean of $X_i^\top A^{-1}X_i$ over the records is at most the dimension, whatever the spectrum of $A$.",
    given=(A_INVERTIBLE, _POSITIVE_INVERSE),
    by=(Matrices(using=((_POSITIVE_INVERSE.name, _reg),)), ridge_worlds.LEVERAGES),
    over=(d,),
    wrong={"half of the dimension": le(_mean_leverage, d / 2), "any sign": without(_POSITIVE_INVERSE)},
    reading=r"In most cases: for the average record of the dataset; $\frac1nXX^\top$ is $A-\mu_{reg}I$. By Markov's inequality at most the share $d/L$ of the records exceeds $L$.",
    remark="It is no statement about the largest record, nor about a record outside of the dataset, which a neighbour may contain: "
    "`beyond:leverage-at-most-n`, `beyond:outside-record`.",
)

_along_eigenvector = named(r"\|X_0\|^2X_0^\top A^{-2}X_0", printed(lambda: _x1**2 * (_x1**2 / _l1**2)))
_squared_form = printed(lambda: named(r"X_0^\top A^{-1}X_0", _x1**2 / _l1) ** 2)

tighter = page.at("after v1 (10)", "S52.8b", source="rgm-v1").remark(
    "rgm-v1:relative-term-tighter",
    "Along an eigenvector no condition number is needed",
    eq(_along_eigenvector, _squared_form),
    "For an eigenvector $X_0$ of $A$.",
    wrong={"A^-1 for A^-2": eq(_x1**2 * (_x1**2 / _l1), (_x1**2 / _l1) ** 2), "a factor": 2 * (_x1**2 / _l1) ** 2},
    reading=r"A tighter bound, depending on the distribution: the factor $\kappa$ is not needed for records along eigenvectors, such as orthogonal data.",
)

_en = page.nonnegative("E", "norm of (A_0 - A_0') A^-1", latex=r"\|(A_0-A_0')A^{-1}\|")
_bn = page.nonnegative("B", "norm of b", latex=r"\|b\|")
_dn = page.nonnegative("D", "norm of b_0 - b_0'", latex=r"\|b_0-b_0'\|")
_u = page.nonnegative("U", "norm of (A_0 - A_0') A^-1 b", latex=r"\|(A_0-A_0')A^{-1}b\|")
_cos = page.real("c", "cosine of the angle between (A_0 - A_0') A^-1 b and b_0 - b_0'", lower=-1, upper=1)

_OPERATOR_E = Hypothesis("operator norm", le(_u, _en * _bn))
_absolute2 = named(r"\|(A_0-A_0')A^{-1}b-b_0+b_0'\|^2", _u**2 + _dn**2 - 2 * _u * _dn * _cos)
_OPERATOR_CHART = Chart(
    {_en: (0, None), _bn: (0, None), _dn: (0, None), _u: (0, 1), _cos: (-1, 1)},
    {_en: _en, _bn: _bn, _dn: _dn, _cos: _cos, _u: _u * _en * _bn},
)

absolute = page.at("The absolute term", "S52.9a").inequality(
    "rgm:absolute-term",
    "The absolute term by the norms of b and of its change",
    le(_absolute2, (_en * _bn + _dn) ** 2),
    printed=r"\|(A_0-A_0')A^{-1}b-b_0+b_0'\|\le\|(A_0-A_0')A^{-1}\|\,\|b\|+\|b_0-b_0'\|",
    given=_OPERATOR_E,
    by=(
        Combination(terms=((_en * _bn - _u, _en * _bn + _u + 2 * _dn), (2 * _u * _dn, 1 + _cos))),
        Smt(),
        ridge_worlds.ABSOLUTE.mapped(ridge_worlds.of_absolute, _en, _bn, _dn, _u, _cos),
    ),
    points=_OPERATOR_CHART,
    wrong={
        "the difference of the norms": (_en * _bn - _dn) ** 2,
        "no cross term": (_en * _bn) ** 2 + _dn**2,
        "no operator norm": without(),
    },
    reading="Both sides squared, by the law of cosines, in any dimension. True whatever the factor in $b_i$.",
    tightness=looseness.ABSOLUTE,
)

_clip = page.nonnegative("c_b", "clipping radius of the b_i")

_CLIPPED = (
    Hypothesis("the mean of clipped vectors", le(_bn, _clip), "b is the mean of the b_i = X_i y_i"),
    Hypothesis("the difference of two clipped vectors", le(_dn, 2 * _clip)),
)

clipping = page.at("The absolute term", "S52.9b").remark(
    "rgm:absolute-term-clipped",
    "The absolute term after clipping",
    le(_absolute2, ((_en + 2) * _clip) ** 2),
    "The $b_i = X_iy_i$ are clipped; the absolute term is a difference of gradients at the one point $A^{-1}b$.",
    given=(_OPERATOR_E, *_CLIPPED),
    by=(
        Deduction((Premise("rgm:absolute-term"),)),
        ridge_worlds.ABSOLUTE_CLIPPED.mapped(ridge_worlds.of_absolute_clipped, _en, _bn, _dn, _u, _cos, _clip),
    ),
    points=Chart(
        {_en: (0, None), _clip: (0, None), _bn: (0, 1), _dn: (0, 1), _u: (0, 1), _cos: (-1, 1)},
        {_en: _en, _clip: _clip, _bn: _bn * _clip, _dn: 2 * _dn * _clip, _cos: _cos, _u: _u * _en * _bn * _clip},
    ),
    wrong={
        "1 in place of 2": ((_en + 1) * _clip) ** 2,
        "without the relative term": (2 * _clip) ** 2,
        "only b clipped": changed(hypotheses=(_OPERATOR_E, _CLIPPED[0])),
    },
    reading="One only needs to control these norms: the absolute term is bounded by them and by the norm that the relative term needs anyway. "
    "The point $A^{-1}b$ is that of the dataset whose gradient stands on the right; the neighbour's order has the neighbour's.",
)

_d = page.natural("d", "dimension")
_w = page.positive("w", "share of the records along X_i", upper=1)


linear_or_not = page.at("The relative term", "S52.10", source="rgm-v2").remark(
    "rgm-v2:relative-term-linear-in-kappa",
    "Linear in the condition number, or not at all",
    both(le(_norm2, _kappa * _l_rel**2), le(_along_eigenvector, _l_rel**2)),
    "The second bound is that of an eigenvector of $A$, such as a record of orthogonal data.",
    given=(
        _SPECTRUM_BELOW,
        _SPECTRUM_ABOVE,
        _RELATIVE,
        Hypothesis("the eigenvector in its ellipsoid", le(_x1**2 / _l1, _l_rel)),
    ),
    by=Deduction((Premise("rgm-v1:relative-term-sufficient"), Premise("rgm-v1:relative-term-tighter"))),
    points=Chart(
        {**_EIGEN.ranges, _l_rel: (0, 1)},
        {**_EIGEN.maps, _l_rel: _EIGEN.maps[_lev], _l1: 1 + _l1, _x1: _l_rel * sqrt((1 + _l1) * _EIGEN.maps[_lev])},
    ),
    wrong={
        "not at all, without an eigenvector": le(_psq * _lev2, _l_rel**2),
        "the square root of kappa": le(_psq * _lev2, sqrt(_largest / _mu) * _l_rel**2 / 10),
        "L_rel once": le(_x1**2 * (_x1**2 / _l1**2), _l_rel),
    },
    reading=r"Well-behaved: the quadratic form is bounded by a number that does not depend on the conditioning. The second record, along an eigenvector with "
    "eigenvalue $l_1$, has coordinate $x_1$ there.",
)

_eta = page.positive("eta", "relative sensitivity")
_w_norm = page.nonnegative(
    "r", "norm of w, the difference of the two records' gradients at the minimiser", latex=r"\|w\|"
)
_U_NORM = nonnegative("U", "norm of E g", latex=r"\|(A_0-A_0')A^{-1}\nabla f(\theta)\|")
_ANGLE = real("c", "cosine of the angle between E g and w", lower=-1, upper=1)
_TWO_OR_MORE = natural("n", "number of records", lower=2)
_u_norm = _U_NORM.symbol
_angle = _ANGLE.symbol
_many = _TWO_OR_MORE.symbol
_change2 = named(
    r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2", (_u_norm**2 + _w_norm**2 + 2 * _u_norm * _w_norm * _angle) / _many**2
)

enforcing = page.elsewhere("§5.3", "S52.11.v1", source="rgm-v1").remark(
    "rgm-v1:enforce-norm-below-eta",
    "A norm below eta gives relative sensitivity eta",
    le(_change2, _eta**2 * gradient_norm**2 + named(r"R_{rel}^2", _w_norm**2 / (_many**2 - 1))),
    r"For every $\theta$; $w$ is the difference of the two records' gradients at $A^{-1}b$.",
    given=Hypothesis("the enforced norm", le(_u_norm, _eta * gradient_norm), "§5.3 of version 1"),
    by=(
        Smt(),
        ridge_worlds.BELOW_ETA.mapped(
            ridge_worlds.of_enforced_norm, _eta, gradient_norm, _w_norm, _u_norm, _angle, _many
        ),
    ),
    points=Chart(
        {
            _eta: (0, None),
            gradient_norm: (0, None),
            _w_norm: (0, None),
            _u_norm: (0, 1),
            _angle: (-1, 1),
            _many: (2, None),
        },
        {
            _eta: _eta,
            gradient_norm: gradient_norm,
            _w_norm: _w_norm,
            _u_norm: _u_norm * _eta * gradient_norm,
            _angle: _angle,
            _many: _many,
        },
    ),
    over=(_U_NORM, _ANGLE, _TWO_OR_MORE),
    wrong={
        "no absolute part": _eta**2 * gradient_norm**2,
        "no norm enforced": without(),
        "an absolute part of w over n^2": _eta**2 * gradient_norm**2 + _w_norm**2 / _many**4,
    },
    reading="What should be enforced is read as what suffices. The gradients differ by a vector of norm U and one of norm r, over n.",
    remark=r"It asks for a factor of nearly $n$ too much: $|(A_0-A_0')A^{-1}| < n\eta$ suffices and $\le n\eta$ is necessary "
    r"(`beyond:quadratic-smallest-absolute-part`, `beyond:quadratic-relative-part-necessary`). The factor $1/n$ of the gradients is lost here.",
)

_c = page.positive("c", "clipping radius of the records")
_SQ = tuple(
    nonnegative(f"s_{k}", "(X_0 . e)^2 along an eigenvector e of A_0 - A_0'", latex=rf"(X_0\cdot e_{k})^2")
    for k in "12"
)
page.declare(*_SQ)
_SQP = tuple(
    nonnegative(f"s'_{k}", "(X_0' . e)^2 along an eigenvector e of A_0 - A_0'", latex=rf"(X_0'\cdot e_{k})^2")
    for k in "12"
)
page.declare(*_SQP)
_V = tuple(real(f"h_{k}", "coordinate of A^-1 g") for k in "12")
page.declare(*_V)

_sq, _sqp, _v = ([v.symbol for v in group] for group in (_SQ, _SQP, _V))
_image2 = named(
    r"\|(A_0-A_0')A^{-1}\nabla f(\theta)\|^2", sum((s - t) ** 2 * h**2 for s, t, h in zip(_sq, _sqp, _v, strict=True))
)
_SHORT = tuple(Hypothesis(f"clipped: {s}", le(s, _c**2)) for s in (*_sq, *_sqp))

clipped_records = page.elsewhere("§5.3", "S52.11.v2", source="rgm-v2").remark(
    "rgm-v2:clipped-records-control-the-norm",
    "Clipping the records controls the relative term",
    le(_image2, (_c**2 / _mu) ** 2 * gradient_norm**2),
    printed=r"\|(A_0-A_0')A^{-1}\|\le\frac{c^2}\mu",
    given=(
        *_SHORT,
        Hypothesis(
            "the spectrum of A is at least mu", le(_mu**2 * (_v[0] ** 2 + _v[1] ** 2), gradient_norm**2), "§5.2"
        ),
    ),
    by=(Smt(), ridge_worlds.CLIPPED_RECORDS),
    points=Chart(
        {
            **dict.fromkeys((*_sq, *_sqp), (0, 1)),
            **dict.fromkeys(_v, (-3, 3)),
            _c: (0, None),
            _mu: (0, None),
            gradient_norm: (0, 1),
        },
        {
            **{s: s * _c**2 for s in (*_sq, *_sqp)},
            **{h: h for h in _v},
            **{_c: _c, _mu: _mu, gradient_norm: _mu * (sqrt(_v[0] ** 2 + _v[1] ** 2)) * (1 + gradient_norm)},
        },
    ),
    wrong={
        "mu without a bound on the spectrum": changed(hypotheses=_SHORT),
        "the new record not clipped": changed(
            hypotheses=(*_SHORT[:2], Hypothesis("spectrum", le(_mu**2 * (_v[0] ** 2 + _v[1] ** 2), gradient_norm**2)))
        ),
        "half": (_c**2 / _mu) ** 2 * gradient_norm**2 / 4,
    },
    steps=(Step("The basis.", theorem=SPECTRAL, met={"symmetric": "It is a difference of symmetric matrices."}),),
    reading=r"Shrinking a norm that is too large to $c$. In a basis of eigenvectors of $A_0-A_0'$, whose eigenvalue along $e$ is "
    r"$(X_0\cdot e)^2-(X_0'\cdot e)^2$. In every dimension: the matrix has rank two, so that two of them matter. $h = A^{-1}g$, so $|h| \le |g|/\mu$. The absolute term is `rgm:absolute-term-clipped`.",
    remark=r"The spectrum needs its lower bound, from regularisation or from records that are known: the bound is no better than the direct one and has the "
    r"condition number in it. Not even the factor 2 of the triangle inequality is lost.",
)
