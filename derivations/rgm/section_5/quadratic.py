r"""Section 5.2: quadratic objectives, their gradients, and how far a record changes them.

The gradients of two neighbouring least-squares objectives differ by $\frac1n(Eg + w)$, with $g = \nabla f(\theta)$, $E = (A_0-A_0')A^{-1}$ and $w$ the
difference of the two records' gradients at the minimiser $A^{-1}b$: a relative part and an absolute part. As printed, $b_i = \frac1nX_iy_i$ carries a
factor $1/n$ too many; with $b_i = X_iy_i$ the bound holds. The two parts are `s5_quadratic_terms.py` and `s5_quadratic_enforced.py`; sharp constants are in
`beyond/quadratic_sensitivity.py`. Identities are judged for matrices of all sizes.
"""

from sympy import Identity as IdentityMatrix, MatMul, Trace
from sympy.matrices.expressions.matexpr import MatrixExpr

from ... import looseness
from ..matrix_notation import *
from ..parts_notation import *
from . import quadratic_worlds as worlds

page = Page("rgm-v1+v2", "§5.2", MATRIX_NOTATION, PARTS_NOTATION)
_y = page.real("y", "label of record 0")
_s = page.real("s", "label of the other record")
_mu_reg = page.nonnegative("mu_reg", "regularisation")
_residuals = X.T * theta - y
_penalty = _mu_reg / 2 * named(r"\|\theta\|^2", theta.T * theta)
_square_of_residuals = named(r"\|X^\top\theta-y\|^2", _residuals.T * _residuals)
_sum_of_squares = named(r"\sum_i(X_i^\top\theta-y_i)^2", Trace(_residuals * _residuals.T) * IdentityMatrix(1))
_matrix = named("A", X * X.T / n + _mu_reg * IdentityMatrix(d))
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
        "labels left out": Trace(X.T * theta * theta.T * X) / (2 * n) * IdentityMatrix(1) + _penalty,
    },
    reading=r"For all numbers of records and features. The sum is the trace of $rr^\top$ with $r = X^\top\theta-y$.",
)

_form, _constant = theta.T * _matrix * theta, named(r"\|y\|^2", y.T * y) / (2 * n)

quadratic = page.elsewhere("§5.2; v2 (9)", "S52.1a.v2", source="rgm-v2").definition(
    "rgm-v2:quadratic-objective",
    "The objective is the quadratic of A and b",
    eq(_losses, _form / 2 - _vector.T * theta + _constant),
    by=Matrices(),
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
    by=(Matrices(), worlds.GRADIENT),
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


def _square(vector: MatrixExpr) -> MatrixExpr:
    return vector.T * vector


_difference2 = named(r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2", _square(_difference))
_change2 = named(r"\|(A_0-A_0')\theta-b_0+b_0'\|^2", _square(_swap * theta - _old + _new))

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
    by=(Search(), Identity(), worlds.DIFFERENCE_PRINTED),
    over=(_z, _s),
    instance="Dimension 1 with two records.",
    reading="Both versions' forms.",
    mistake=("misprint", "rgm:gradient-difference"),
    remark=r"The factor $1/n$ stands before the norm and in $b_i$; it belongs to one of them.",
)

difference = page.at("display of the gradient difference, first line").correction(
    "rgm:gradient-difference",
    "The difference of two gradients",
    both(eq(_difference2, _change2 / n**2), eq(n**2 * _difference2, _change2)),
    by=(Matrices(), worlds.DIFFERENCE),
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
    by=(Matrices(), worlds.INSERTED),
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
    by=(Search(), Smt(), worlds.BOUND_PRINTED),
    instance="Dimension 1 with two records.",
    reading=r"With the misprint of the first line, which is charged there. $f_0$ is the loss of the record that differs, $\frac12(X_0^\top\theta-y_0)^2$, as in the sum that defines $f$. Version 1 divides both sides by $n^2$.",
    mistake=("misprint", "rgm:gradient-difference-bound"),
    remark=r"A consequence of the factor $1/n$ in $b_i$, which the gradient of a record's loss does not have. The outer inequality, from the first line to "
    "the last, holds: it is the corrected statement. With $A_0\\theta-b_0$ for the gradient of $f_0$, printed $b_0$ included, this step would hold and the outer one fail.",
)

_P, _Q, _R = (real(k) for k in "PQR")
_p = page.add(_P)
_q = page.add(_Q)
_r = page.add(_R)

bound = page.at("display of the gradient difference, from the first line to the last", "S52.3.v1 S52.3.v2").inequality(
    "rgm:gradient-difference-bound",
    "The relative and the absolute part of the difference",
    le(difference2, 3 * (nu**2 + nu_p**2) * gradient_norm**2 + 3 * ww),
    given=(*GRAM, *OPERATOR),
    by=(
        combination(
            (uu + vv + 2 * uv,),
            (uu + ww - 2 * uw,),
            (vv + ww + 2 * vw,),
            (3, nu**2 * gradient_norm**2 - uu),
            (3, nu_p**2 * gradient_norm**2 - vv),
        ),
        Smt(),
        worlds.BOUND.mapped(worlds.of_bound, uu, vv, ww, uv, uw, vw, nu, nu_p, gradient_norm),
    ),
    points={
        (_p, _q, _r): (-3, 3),
        uu: _p**2,
        vv: _q**2,
        ww: _r**2,
        uv: _p * _q,
        uw: _p * _r,
        vw: _q * _r,
        nu: sqrt(_p**2) / gradient_norm,
        nu_p: sqrt(_q**2) / gradient_norm,
    },
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
    tightness=(
        Tightness(
            3 * (1 + looseness.a**2) / (1 - looseness.a) ** 2,
            {looseness.a: (0, Rational(9, 10))},
            r"the relative part of (10) over the least possible one, for two records on a line whose squared lengths have the ratio $a$",
        ),
        looseness.THREE_SQUARES,
    ),
)
