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

from rgm_verify.claims import (
    All,
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Mutant,
    Step,
    both,
    eq,
    ge,
    gt,
    le,
    natural,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Matrices, Premise, Search, Smt, Units
from rgm_verify.lenses import Identity as SymbolicIdentity

from .. import looseness
from ..theorems import SPECTRAL
from ..worlds import ridge as ridge_worlds
from .matrix_notation import (
    A_INVERTIBLE,
    A_SYMMETRIC,
    FEATURES,
    OTHERS,
    RECORDS,
    X_0,
    A,
    R,
    X,
    X_0p,
    b,
    d,
    h,
    n,
    theta,
    y,
)

_SOURCE = "rgm-v1+v2"
_HALF = Rational(1, 2)

# Coordinates of a record in dimension 2, labels and the regularisation.
_X1, _X2 = real("x_1", "first feature of record 0"), real("x_2", "second feature of record 0")
_Y, _S = real("y", "label of record 0"), real("s", "label of the other record")
_MU_REG = nonnegative("mu_reg", "regularisation")
_N = natural("n", "number of records")
_x1, _x2 = (v.symbol for v in (_X1, _X2))
_y, _s, _mu_reg, _n = (v.symbol for v in (_Y, _S, _MU_REG, _N))

_SIZES = (FEATURES, RECORDS, _MU_REG)
_residuals = X.T * theta - y
_penalty = _mu_reg / 2 * theta.T * theta
_matrix = X * X.T / n + _mu_reg * Identity(d)
_losses = _residuals.T * _residuals / (2 * n) + _penalty

objective_sums = Claim(
    id="rgm-v1:quadratic-objective",
    refs=("S52.1a.v1",),
    title="The objective as a norm and as a sum",
    source="rgm-v1",
    where="§5.2; v1 (9)",
    kind="identity",
    statement=r"The squared norm of $X^\top\theta - y$, divided by $2n$, is the mean of the records' losses.",
    variables=_SIZES,
    conclusion=eq(_losses, Trace(_residuals * _residuals.T) / (2 * n) * Identity(1) + _penalty),
    reading=(
        r"For all numbers of records and features. The trace adds up the diagonal of $rr^\top$, $r = X^\top\theta-y$: there stand the squares "
        r"$(X_i^\top\theta-y_i)^2$ of the records."
    ),
    checks=(Matrices(),),
    mutants=(
        Mutant("the norm over n", eq(2 * _losses, Trace(_residuals * _residuals.T) / (2 * n) * Identity(1) + _penalty)),
        Mutant(
            "the penalty twice",
            eq(_losses + _penalty, Trace(_residuals * _residuals.T) / (2 * n) * Identity(1) + _penalty),
        ),
        Mutant("labels left out", eq(_losses, Trace(X.T * theta * theta.T * X) / (2 * n) * Identity(1) + _penalty)),
    ),
)

quadratic = Claim(
    id="rgm-v2:quadratic-objective",
    refs=("S52.1a.v2",),
    title="The objective is the quadratic of A and b",
    source="rgm-v2",
    where="§5.2; v2 (9)",
    kind="definition",
    statement=r"The objective is $\frac12\theta^\top A\theta - b^\top\theta + \frac1{2n}|y|^2$ with $A = \frac1nXX^\top + \mu_{reg}I$ and $b = \frac1nXy$.",
    variables=_SIZES,
    conclusion=eq(_losses, theta.T * _matrix * theta / 2 - y.T * X.T * theta / n + y.T * y / (2 * n)),
    reading="A definition: what can be checked is that it is the quadratic that the text speaks of, for all numbers of records and features.",
    checks=(Matrices(),),
    mutants=(
        Mutant("b without 1/n", eq(_losses, theta.T * _matrix * theta / 2 - y.T * X.T * theta + y.T * y / (2 * n))),
        Mutant(
            "A without one half", eq(_losses, theta.T * _matrix * theta - y.T * X.T * theta / n + y.T * y / (2 * n))
        ),
    ),
)

_STEP_SIZE = real("t", "length of a step")
t = _STEP_SIZE.symbol
_direction = MatrixSymbol("v", d, 1)


def _moved(length: Expr) -> MatrixExpr:
    """The objective at theta plus a multiple of the direction."""
    place = theta + length * _direction
    residuals = X.T * place - y
    return residuals.T * residuals / (2 * n) + _mu_reg / 2 * place.T * place


_gradient = X * _residuals / n + _mu_reg * theta

gradient = Claim(
    id="rgm:quadratic-gradient",
    refs=("S52.1b",),
    title="The gradient of the objective",
    source=_SOURCE,
    where="§5.2, after v1 (9), v2 (9)",
    kind="identity",
    statement=r"The gradient at $\theta$ is $A\theta - b$ with $A = \frac1nXX^\top + \mu_{reg}I$ and $b = \frac1nXy$, for either dataset.",
    variables=(*_SIZES, _STEP_SIZE),
    conclusion=both(
        eq(
            _moved(t),
            _losses + t * (_matrix * theta - X * y / n).T * _direction + t**2 / 2 * _direction.T * _matrix * _direction,
        ),
        eq(_gradient, _matrix * theta - X * y / n),
    ),
    reading=(
        r"For all numbers of records and features. Along every direction $v$ the objective at $\theta+tv$ is its value at $\theta$, plus $t$ times $(A\theta-b)^\top v$, plus a multiple of "
        r"$t^2$: so $A\theta-b$ is the gradient. The second relation is the mean of the records' gradients."
    ),
    checks=(Matrices(), ridge_worlds.GRADIENT),
    mutants=(
        Mutant("without the regularisation", eq(_gradient, X * X.T * theta / n - X * y / n)),
        Mutant("b without 1/n", eq(_gradient, _matrix * theta - X * y)),
        Mutant("the sign of b", eq(_gradient, _matrix * theta + X * y / n)),
        Mutant(
            "twice the slope",
            eq(
                _moved(t),
                _losses
                + 2 * t * (_matrix * theta - X * y / n).T * _direction
                + t**2 / 2 * _direction.T * _matrix * _direction,
            ),
        ),
    ),
)

# The difference of two gradients: R and h are the other records and their labels.
_YP = real("y'", "label of the record in place of record 0")
_yp = _YP.symbol


def _gradient_with(record: MatrixExpr, label: Expr) -> MatrixExpr:
    """The gradient for the other records and one more."""
    return (R * R.T + record * record.T) * theta / n + _mu_reg * theta - (R * h + record * label) / n


_difference = _gradient_with(X_0, _y) - _gradient_with(X_0p, _yp)
_swap = X_0 * X_0.T - X_0p * X_0p.T
_change = _swap * theta - X_0 * _y + X_0p * _yp
_ALL_RECORDS = (FEATURES, RECORDS, OTHERS, _Y, _YP, _MU_REG)


def _square(vector: MatrixExpr) -> MatrixExpr:
    return vector.T * vector


# In dimension 1 with one record besides: x, y and z, s; the neighbour has x', y' instead of x, y.
_X, _XP, _Z = (
    real("x", "feature of record 0"),
    real("x'", "feature of the record in its place"),
    real("z", "feature of the other record"),
)
_T = real("theta", "parameter")
_x, _xp, _z, _t = (v.symbol for v in (_X, _XP, _Z, _T))
_mean_square, _mean_product = (_x**2 + _z**2) / 2, (_x * _y + _z * _s) / 2
_line_difference = ((_x**2 - _xp**2) * _t - (_x * _y - _xp * _yp)) / 2
_line_printed = (_x**2 - _xp**2) * _t - (_x * _y - _xp * _yp) / 2
_LINE = (_X, _Y, _XP, _YP, _Z, _S, _T)

difference_printed = Claim(
    id="rgm:gradient-difference-printed",
    refs=("S52.2a.v1", "S52.2a.v2"),
    title="The difference of two gradients, as printed",
    scope="instance",
    missing="Dimension 1 with two records.",
    source=_SOURCE,
    where="§5.2, unnumbered display after v1 (9), first line; v2 (10) first line",
    kind="identity",
    statement=(
        r"$n^2|\nabla f(\theta)-\nabla f'(\theta)|^2 = |(A_0-A_0')\theta - b_0 + b_0'|^2$ with $b_i = \frac1nX_iy_i$; version 1 has $n^2$ on the "
        "other side."
    ),
    variables=_LINE,
    conclusion=both(eq(_line_difference**2, _line_printed**2 / 4), eq(4 * _line_difference**2, _line_printed**2)),
    reading="Both versions' forms.",
    checks=(Search(), SymbolicIdentity(), ridge_worlds.DIFFERENCE_PRINTED),
    category="misprint",
    corrected="rgm:gradient-difference",
    remark=r"The factor $1/n$ stands before the norm and in $b_i$; it belongs to one of them.",
)

difference = Claim(
    id="rgm:gradient-difference",
    title="The difference of two gradients",
    source=_SOURCE,
    where="§5.2, display of the gradient difference, first line",
    kind="correction",
    statement=r"With $b_i = X_iy_i$: $n^2|\nabla f(\theta)-\nabla f'(\theta)|^2 = |(A_0-A_0')\theta - b_0 + b_0'|^2$.",
    variables=_ALL_RECORDS,
    conclusion=both(
        eq(_square(_difference), _square(_change) / n**2),
        eq(n**2 * _square(_difference), _square(_change)),
    ),
    reading="For all numbers of records and features: the other records enter by sums that cancel.",
    checks=(Matrices(), ridge_worlds.DIFFERENCE),
    mutants=(
        Mutant("n once", eq(n * _square(_difference), _square(_change))),
        Mutant("b_i with 1/n", eq(n**2 * _square(_difference), _square(_swap * theta - (X_0 * _y - X_0p * _yp) / n))),
        Mutant("a sign", eq(n**2 * _square(_difference), _square(_swap * theta - X_0 * _y - X_0p * _yp))),
    ),
)

_labels = X_0 * _y - X_0p * _yp
_inserted = MatMul(_swap, A.I, A * theta - b, evaluate=False) + _swap * A.I * b - _labels

inserted = Claim(
    id="rgm:gradient-difference-insert-inverse",
    refs=("S52.2b",),
    title="Inserting the inverse of A",
    source=_SOURCE,
    where="§5.2, display of the gradient difference, second line",
    kind="identity",
    statement=r"$(A_0-A_0')\theta - b_0 + b_0'$ is $(A_0-A_0')A^{-1}(A\theta-b) + (A_0-A_0')A^{-1}b - b_0 + b_0'$.",
    variables=(FEATURES, _Y, _YP),
    hypotheses=(A_INVERTIBLE,),
    conclusion=eq(_swap * theta - _labels, _inserted),
    reading="In every dimension. It does not matter what $b_0$ and $b_0'$ are.",
    checks=(Matrices(), ridge_worlds.INSERTED),
    mutants=(
        Mutant("a sign", eq(_swap * theta - _labels, _inserted + 2 * _labels)),
        Mutant("A without its inverse", eq(_swap * theta - _labels, _swap * A * theta - _labels)),
        Mutant(
            "the inverse on the other side",
            eq(_swap * theta - _labels, A.I * _swap * (A * theta - b) + A.I * _swap * b - _labels),
        ),
    ),
)

_line_minimum = _mean_product / _mean_square
_line_gradient = _mean_square * _t - _mean_product
_line_relative = 3 * (_x**4 + _xp**4) / _mean_square**2 * _line_gradient**2
_line_absolute = 3 * ((_x**2 - _xp**2) * _line_minimum - (_x * _y - _xp * _yp)) ** 2

bound_printed = Claim(
    id="rgm:gradient-difference-bound-printed",
    title="The relative and the absolute part, as printed",
    scope="instance",
    missing="Dimension 1 with two records.",
    source="beyond",
    where="§5.2, unnumbered display after v1 (9), third line; v2 (10) third and fourth lines",
    kind="inequality",
    statement=(
        r"With $b_i = \frac1nX_iy_i$, $|(A_0-A_0')\theta-b_0+b_0'|^2$ is at most $3[|A_0A^{-1}|^2+|A_0'A^{-1}|^2]$ times $|\nabla f(\theta)|^2$, plus "
        r"$3|\nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)|^2$."
    ),
    variables=_LINE,
    hypotheses=(Hypothesis("A is invertible", gt(_mean_square, 0), "§5.2"),),
    conclusion=le(_line_printed**2, _line_relative + _line_absolute),
    reading=(
        r"With the misprint of the first line, which is charged there. $f_0$ is the loss of the record that differs, $\frac12(X_0^\top\theta-y_0)^2$, as in the sum that defines $f$. "
        r"Version 1 divides both sides by $n^2$."
    ),
    checks=(Search(), Smt(), ridge_worlds.BOUND_PRINTED),
    category="misprint",
    corrected="rgm:gradient-difference-bound",
    remark=(
        r"A consequence of the factor $1/n$ in $b_i$, which the gradient of a record's loss does not have. The outer inequality, from the first line to "
        "the last, holds: it is the corrected statement. With $A_0\\theta-b_0$ for the gradient of $f_0$, printed $b_0$ included, this step would hold and the outer one fail."
    ),
)

# The three vectors u = A_0 A^{-1} g, v = A_0' A^{-1} g, w by their Gram matrix.
_NORMS = tuple(nonnegative(f"{k}{k}", f"squared norm of {k}") for k in "uvw")
_PRODUCTS = tuple(real(k, f"inner product of {k[0]} and {k[1]}") for k in ("uv", "uw", "vw"))
_uu, _vv, _ww = (v.symbol for v in _NORMS)
_uv, _uw, _vw = (v.symbol for v in _PRODUCTS)
_NU, _NUP, _GRAD = (
    nonnegative("nu", "norm of A_0 A^-1"),
    nonnegative("nu'", "norm of A_0' A^-1"),
    nonnegative("g", "norm of the gradient"),
)
_nu, _nup, _grad = (v.symbol for v in (_NU, _NUP, _GRAD))
_GRAM = (
    Hypothesis("|u + v|^2 >= 0", ge(_uu + _vv + 2 * _uv, 0)),
    Hypothesis("|u - w|^2 >= 0", ge(_uu + _ww - 2 * _uw, 0)),
    Hypothesis("|v + w|^2 >= 0", ge(_vv + _ww + 2 * _vw, 0)),
)
_OPERATOR = (
    Hypothesis("operator norm of A_0 A^-1", le(_uu, _nu**2 * _grad**2)),
    Hypothesis("operator norm of A_0' A^-1", le(_vv, _nup**2 * _grad**2)),
)
_difference_square = _uu + _vv + _ww - 2 * _uv + 2 * _uw - 2 * _vw
_P, _Q, _R = (real(k) for k in "PQR")
_p, _q, _r = (v.symbol for v in (_P, _Q, _R))
_ON_A_LINE = Chart(
    {_p: (-3, 3), _q: (-3, 3), _r: (-3, 3), _grad: (0, None)},
    {
        **{_uu: _p**2, _vv: _q**2, _ww: _r**2, _uv: _p * _q, _uw: _p * _r, _vw: _q * _r},
        **{_nu: sqrt(_p**2) / _grad, _nup: sqrt(_q**2) / _grad, _grad: _grad},
    },
)

bound = Claim(
    id="rgm:gradient-difference-bound",
    refs=("S52.3.v1", "S52.3.v2"),
    title="The relative and the absolute part of the difference",
    source=_SOURCE,
    where="§5.2, display of the gradient difference, from the first line to the last",
    kind="inequality",
    statement=(
        r"$n^2|\nabla f(\theta)-\nabla f'(\theta)|^2$ is at most $3[|A_0A^{-1}|^2+|A_0'A^{-1}|^2]\,|\nabla f(\theta)|^2 + 3|\nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)|^2$; "
        r"so is $|(A_0-A_0')\theta-b_0+b_0'|^2$ with $b_i = X_iy_i$."
    ),
    variables=(*_NORMS, *_PRODUCTS, _NU, _NUP, _GRAD),
    hypotheses=(*_GRAM, *_OPERATOR),
    conclusion=le(_difference_square, 3 * (_nu**2 + _nup**2) * _grad**2 + 3 * _ww),
    reading=(
        r"$b_i = X_iy_i$: the factor $\frac1n$ of its definition is the misprint of the first line of the display (`rgm:gradient-difference-printed`). In any dimension: $u = A_0A^{-1}\nabla f(\theta)$, $v = A_0'A^{-1}\nabla f(\theta)$ and $w = \nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)$ enter by their norms and "
        "inner products only, and the difference is $u - v + w$."
    ),
    checks=(
        Combination(
            terms=(
                (_uu + _vv + 2 * _uv,),
                (_uu + _ww - 2 * _uw,),
                (_vv + _ww + 2 * _vw,),
                (3, _nu**2 * _grad**2 - _uu),
                (3, _nup**2 * _grad**2 - _vv),
            )
        ),
        Smt(),
        ridge_worlds.BOUND.mapped(ridge_worlds.of_bound, _uu, _vv, _ww, _uv, _uw, _vw, _nu, _nup, _grad),
    ),
    sampling=_ON_A_LINE,
    derivation=(
        Step("The difference of the gradients.", "rgm:gradient-difference"),
        Step(r"Insert $A^{-1}A$.", "rgm:gradient-difference-insert-inverse"),
        Step("Three times the sum of the squares of three vectors bounds the square of their sum."),
    ),
    tightness=looseness.ONE_RECORD + looseness.THREE_SQUARES,
    mutants=(
        Mutant("2 in place of 3", le(_difference_square, 2 * (_nu**2 + _nup**2) * _grad**2 + 2 * _ww)),
        Mutant("3 only on the relative part", le(_difference_square, 3 * (_nu**2 + _nup**2) * _grad**2 + _ww)),
        Mutant("the old record only", le(_difference_square, 3 * _nu**2 * _grad**2 + 3 * _ww)),
    ),
)

# In a basis of eigenvectors of A: eigenvalues l_i, and the coordinates of a vector.
_L = tuple(positive(f"l_{k}", "eigenvalue of A") for k in "12")
_l1, _l2 = (v.symbol for v in _L)
_eigen_square, _eigen_inverse, _eigen_inverse2 = (_x1**2 / _l1**k + _x2**2 / _l2**k for k in (0, 1, 2))

norm_printed = Claim(
    id="rgm:norm-as-largest-eigenvalue-printed",
    refs=("S52.4",),
    title="The 2-norm as the largest eigenvalue, for the matrices where it is used",
    source=_SOURCE,
    where="§5.2, after the display of the gradient difference",
    kind="remark",
    statement=r"The 2-norm of $A_0A^{-1}$ is its largest eigenvalue.",
    variables=(*_L, _X1, _X2),
    conclusion=eq(_eigen_inverse**2, _eigen_square * _eigen_inverse2),
    reading=r"The sentence explains the norms in the bound, which are those of $A_0A^{-1}$ and $A_0'A^{-1}$. The largest eigenvalue of $A_0A^{-1}$ is its trace $X_0^\top A^{-1}X_0$; both sides are squared.",
    scope="instance",
    missing="Dimension 2, in a basis of eigenvectors of $A$.",
    checks=(Search(), SymbolicIdentity()),
    category="missing hypothesis",
    corrected="rgm:norm-as-largest-eigenvalue",
    remark=(
        r"$A_0A^{-1}$ is not symmetric unless $X_0$ is an eigenvector of $A$. The formula $|X_0|^2X_0^\top A^{-2}X_0$ that the paper goes on with is the "
        "right one, that of the largest singular value."
    ),
)

_V1, _V2, _TOP = real("v_1"), real("v_2"), positive("l_max", "largest eigenvalue")
_v1, _v2, _top = (v.symbol for v in (_V1, _V2, _TOP))
_MAXIMAL = (Hypothesis("l_1 is at most l_max", le(_l1, _top)), Hypothesis("l_2 is at most l_max", le(_l2, _top)))

norm_symmetric = Claim(
    id="rgm:norm-as-largest-eigenvalue",
    title="The 2-norm of a positive definite matrix",
    source=_SOURCE,
    where="§5.2, after the display of the gradient difference",
    kind="correction",
    statement=r"For symmetric positive definite $A$, $|Av| \le \lambda_{\max}(A)|v|$.",
    variables=(*_L, _TOP, _V1, _V2),
    hypotheses=_MAXIMAL,
    conclusion=le((_l1 * _v1) ** 2 + (_l2 * _v2) ** 2, _top**2 * (_v1**2 + _v2**2)),
    reading="In a basis of eigenvectors; an eigenvector of the largest eigenvalue makes it an equality.",
    scope="instance",
    missing=r"Dimension 2.",
    checks=(
        Combination(
            terms=(
                (_v1**2, _top - _l1, _top + _l1),
                (_v2**2, _top - _l2, _top + _l2),
            )
        ),
        Smt(),
    ),
    mutants=(
        Mutant("the smaller eigenvalue", hypotheses=(_MAXIMAL[0],)),
        Mutant("without the square", le((_l1 * _v1) ** 2 + (_l2 * _v2) ** 2, _top * (_v1**2 + _v2**2))),
    ),
)

# |X_0|^2, X_0^T A^-1 X_0 and X_0^T A^-2 X_0, and what bounds on the spectrum say of them.
_PSQ = nonnegative("p", "|X_0|^2")
_LEV = nonnegative("e", "X_0^T A^-1 X_0")
_LEV2 = nonnegative("k", "X_0^T A^-2 X_0")
_MU, _LARGEST = positive("mu", "lower bound on the spectrum of A"), positive("L", "upper bound on the spectrum of A")
_psq, _lev, _lev2, _mu, _largest = (v.symbol for v in (_PSQ, _LEV, _LEV2, _MU, _LARGEST))
_BIG = nonnegative("M", "the largest |X_i|^2, which is the norm of A_i")
_big = _BIG.symbol
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
_rest_0, _rest_1, _rest_2 = (v.symbol for v in _REST)
_EIGENVALUE, _COORDINATE = positive("l", "an eigenvalue of A"), real("x", "coordinate of X_0 along its eigenvector")
_eigenvalue, _coordinate = _EIGENVALUE.symbol, _COORDINATE.symbol
_form_0, _form_1, _form_2 = (
    rest + _coordinate**2 / _eigenvalue**k for k, rest in enumerate((_rest_0, _rest_1, _rest_2))
)


def _by_the_spectrum(zero: Expr, one: Expr, two: Expr) -> All:
    return both(le(zero, _largest * one), le(_mu * two, one), le(_mu**2 * two, zero))


_IN_RANGE = Hypothesis("the eigenvalue in the range", both(ge(_eigenvalue, _mu), le(_eigenvalue, _largest)), "§5.2")
_SO_FAR = Hypothesis("the other eigenvectors", _by_the_spectrum(_rest_0, _rest_1, _rest_2))

spectral = Claim(
    id="rgm:spectrum-on-one-record",
    title="What bounds on the spectrum say of the quadratic forms of a record",
    source=_SOURCE,
    where="§5.2, L and mu",
    kind="definition",
    statement=(
        r"If the eigenvalues of $A$ lie between $\mu$ and $L$, then $|X_0|^2 \le L\,X_0^\top A^{-1}X_0$, $\mu X_0^\top A^{-2}X_0 \le X_0^\top A^{-1}X_0$ and "
        r"$\mu^2X_0^\top A^{-2}X_0 \le |X_0|^2$."
    ),
    variables=(*_REST, _EIGENVALUE, _COORDINATE, _MU, _LARGEST),
    hypotheses=(_IN_RANGE, _SO_FAR),
    conclusion=_by_the_spectrum(_form_0, _form_1, _form_2),
    reading="In a basis of eigenvectors, in every dimension: every eigenvector adds a term to the three forms, and keeps the inequalities; none of them has 0 in all three.",
    checks=(
        Smt(),
        ridge_worlds.ON_ONE_RECORD,
    ),
    derivation=(Step("The basis.", theorem=SPECTRAL, met={"symmetric": "A is a sum of symmetric matrices."}),),
    sampling=Chart(
        {_rest_1: (0, 3), _coordinate: (-3, 3), _mu: (0, None), _eigenvalue: (0, 1), _largest: (0, None)},
        {
            **{_rest_1: _rest_1, _coordinate: _coordinate, _mu: _mu, _largest: _mu + _largest},
            **{_eigenvalue: _mu + _eigenvalue * _largest, _rest_0: _mu * _rest_1, _rest_2: _rest_1 / (_mu + _largest)},
        },
    ),
    mutants=(
        Mutant("L and mu swapped", both(le(_form_0, _mu * _form_1), le(_largest * _form_2, _form_1))),
        Mutant("mu once", both(le(_form_0, _largest * _form_1), le(_mu * _form_2, _form_0))),
        Mutant("an eigenvalue out of the range", hypotheses=(_SO_FAR,)),
    ),
)

direct = Claim(
    id="rgm:relative-term-direct-bound",
    refs=("S52.5",),
    title="The direct bound on the relative term",
    source=_SOURCE,
    where="§5.2",
    kind="inequality",
    statement=r"$|A_0A^{-1}|^2 = |X_0|^2X_0^\top A^{-2}X_0$ is at most $\max_i|A_i|^2/\mu^2$.",
    variables=(_PSQ, _LEV2, _MU, _BIG),
    hypotheses=(_SPECTRUM_BELOW2, _LARGEST_RECORD),
    conclusion=le(_psq * _lev2, _big**2 / _mu**2),
    reading=(
        r"$|A_i| = |X_i|^2$. In any dimension: the bound on the spectrum enters by $\mu^2X_0^\top A^{-2}X_0 \le |X_0|^2$. The maximum is over both datasets, as "
        "the bound is used for $A_0'$ as well."
    ),
    checks=(
        Combination(
            terms=((_psq / _mu**2, _psq - _mu**2 * _lev2), (_big - _psq, _big + _psq, 1 / _mu**2)),
        ),
        Smt(),
        Units({_psq: 2, _lev2: -2, _mu: 2, _big: 2}),
        ridge_worlds.DIRECT.mapped(ridge_worlds.of_direct, _psq, _lev2, _mu, _big),
    ),
    sampling=_EIGEN,
    derivation=(
        Step("The spectrum.", "rgm:spectrum-on-one-record"),
        Step("The norm of the rank-one term.", "rgm:relative-term-norm"),
    ),
    tightness=looseness.DIRECT,
    mutants=(
        Mutant("mu once", le(_psq * _lev2, _big**2 / _mu)),
        Mutant("half", le(_psq * _lev2, _big**2 / _mu**2 / 2)),
        Mutant("record 0 larger than all", hypotheses=(_SPECTRUM_BELOW2,)),
    ),
)

_product = X_0 * X_0.T * A.I
_form2 = X_0.T * A.I * A.I * X_0
_norm_squared = X_0.T * X_0

norm_of_product = Claim(
    id="rgm:relative-term-norm",
    refs=("S52.6a",),
    title="The norm of the rank-one term",
    source=_SOURCE,
    where="§5.2; v1 (10), v2 (11)",
    kind="identity",
    statement=r"$|A_0A^{-1}|^2 = |X_0|^2X_0^\top A^{-2}X_0$ in the 2-norm.",
    variables=(FEATURES,),
    hypotheses=(A_SYMMETRIC, A_INVERTIBLE),
    conclusion=both(
        eq(_product * _product.T * X_0, X_0 * _norm_squared * _form2),
        eq(Trace(_product * _product.T) * Identity(1), _norm_squared * _form2),
    ),
    reading=(
        r"The squared norm of $M = A_0A^{-1}$ is the largest eigenvalue of $MM^\top$. In every dimension $X_0$ is an eigenvector for the stated value, and the "
        r"trace, the sum of all eigenvalues, none of which is negative, is no larger. If $X_0 = 0$, both sides are 0."
    ),
    checks=(Matrices(), ridge_worlds.TERM_NORM),
    mutants=(
        Mutant(
            "A^-1 in place of A^-2", eq(Trace(_product * _product.T) * Identity(1), _norm_squared * (X_0.T * A.I * X_0))
        ),
        Mutant(
            "the square of the quadratic form",
            eq(Trace(_product * _product.T) * Identity(1), (X_0.T * A.I * X_0) * (X_0.T * A.I * X_0)),
        ),
        Mutant("A not symmetric", hypotheses=(A_INVERTIBLE,)),
    ),
)

kappa_bound = Claim(
    id="rgm:relative-term-kappa",
    refs=("S52.6b",),
    title="The relative term by the condition number",
    source=_SOURCE,
    where="§5.2; v1 (10), v2 (11)",
    kind="inequality",
    statement=r"$|X_0|^2X_0^\top A^{-2}X_0 \le \kappa(X_0^\top A^{-1}X_0)^2$ with $\kappa = L/\mu$.",
    variables=(_PSQ, _LEV, _LEV2, _MU, _LARGEST),
    hypotheses=(_SPECTRUM_BELOW, _SPECTRUM_ABOVE),
    conclusion=le(_psq * _lev2, _largest / _mu * _lev**2),
    reading="In any dimension; the spectrum enters by two inequalities between quadratic forms.",
    checks=(
        Combination(terms=((_lev / _mu, _largest * _lev - _psq), (_psq / _mu, _lev - _mu * _lev2))),
        Smt(),
        Units({_psq: 2, _lev: 0, _lev2: -2, _mu: 2, _largest: 2}),
        ridge_worlds.KAPPA.mapped(ridge_worlds.of_condition, _psq, _lev, _lev2, _mu, _largest),
    ),
    sampling=_EIGEN,
    derivation=(Step("The spectrum.", "rgm:spectrum-on-one-record"),),
    remark=r"The best factor is $(\kappa+1)^2/(4\kappa)$, about a quarter of $\kappa$: `beyond:relative-term-kantorovich`.",
    tightness=looseness.LEVERAGE,
    mutants=(
        Mutant("without kappa", le(_psq * _lev2, _lev**2)),
        Mutant("a tenth of kappa", le(_psq * _lev2, _largest / _mu * _lev**2 / 10)),
        Mutant("the spectrum unbounded above", hypotheses=(_SPECTRUM_BELOW,)),
    ),
)

_L_REL = nonnegative("L_rel", "bound on X_0^T A^-1 X_0")
_l_rel = _L_REL.symbol
_RELATIVE = Hypothesis("X_0 in the ellipsoid", le(_lev, _l_rel), "§5.2 of version 1")
_EIGEN_REL = Chart(_EIGEN.ranges, {**_EIGEN.maps, _l_rel: _EIGEN.maps[_lev]})

sufficient = Claim(
    id="rgm-v1:relative-term-sufficient",
    refs=("S52.7a",),
    title="A bound on the quadratic form suffices",
    source="rgm-v1",
    where="§5.2, after v1 (10)",
    kind="remark",
    statement=r"If $X_0^\top A^{-1}X_0 \le L_{rel}$ then $|A_0A^{-1}|^2 \le \kappa L_{rel}^2$.",
    variables=(_PSQ, _LEV, _LEV2, _MU, _LARGEST, _L_REL),
    hypotheses=(_SPECTRUM_BELOW, _SPECTRUM_ABOVE, _RELATIVE),
    conclusion=le(_psq * _lev2, _largest / _mu * _l_rel**2),
    reading="To bound the norm is to bound it by $\\kappa$ and $L_{rel}$; no bound by $L_{rel}$ alone is possible.",
    checks=(Deduction((Premise("rgm:relative-term-kappa"),)),),
    sampling=_EIGEN_REL,
    mutants=(
        Mutant("by L_rel alone", le(_psq * _lev2, _l_rel**2)),
        Mutant("kappa L_rel", le(_psq * _lev2, _largest / _mu * _l_rel)),
        Mutant("X_0 anywhere", hypotheses=(_SPECTRUM_BELOW, _SPECTRUM_ABOVE)),
    ),
)

ellipse_printed = Claim(
    id="rgm-v1:ellipse-radius-printed",
    refs=("S52.7b",),
    title="The radius of the ellipse, as printed",
    source="rgm-v1",
    where="§5.2, after v1 (10)",
    kind="remark",
    statement=r"$X_0^\top A^{-1}X_0 \le L_{rel}$ says that $X_0$ lies in the ellipse of radius $L_{rel}$ in the norm of $A^{-1}$.",
    variables=(*_L, _X1, _X2, _L_REL),
    conclusion=Iff(le(_eigen_inverse, _l_rel), le(sqrt(_eigen_inverse), _l_rel)),
    reading=r"The radius of $\{x : |x|_{A^{-1}} \le r\}$ is $r$, where $|x|_{A^{-1}}^2 = x^\top A^{-1}x$.",
    scope="instance",
    missing="Dimension 2, in a basis of eigenvectors.",
    checks=(Search(), Smt()),
    category="misprint",
    corrected="rgm-v1:ellipse-radius",
    remark=r"The radius is $\sqrt{L_{rel}}$. Section 5.3 has it right: there the square of the radius $R_c$ stands on the right.",
)

ellipse = Claim(
    id="rgm-v1:ellipse-radius",
    title="The radius of the ellipse",
    source="rgm-v1",
    where="§5.2, after v1 (10)",
    kind="correction",
    statement=r"$X_0^\top A^{-1}X_0 \le L_{rel}$ says that $X_0$ lies in the ellipse of radius $\sqrt{L_{rel}}$ in the norm of $A^{-1}$.",
    variables=(*_L, _X1, _X2, _L_REL),
    conclusion=Iff(le(_eigen_inverse, _l_rel), le(sqrt(_eigen_inverse), sqrt(_l_rel))),
    checks=(Smt(),),
    mutants=(
        Mutant("radius L_rel", Iff(le(_eigen_inverse, _l_rel), le(sqrt(_eigen_inverse), _l_rel))),
        Mutant(
            "the ellipse of A", Iff(le(_eigen_inverse, _l_rel), le(sqrt(_l1 * _x1**2 + _l2 * _x2**2), sqrt(_l_rel)))
        ),
    ),
)

_REG = positive("mu_reg", "regularisation")
_reg = _REG.symbol

_mean_leverage = Trace(A.I * (A - _reg * Identity(d)))
_POSITIVE_INVERSE = Hypothesis(
    "no eigenvalue of the inverse is negative", ge(Trace(A.I), 0), "§5.2: A is positive definite"
)

mean_leverage = Claim(
    id="rgm-v1:l-rel-without-conditioning",
    refs=("S52.8a",),
    title="On average over the records, the quadratic form does not see the conditioning",
    source="rgm-v1",
    where="§5.2, after v1 (10)",
    kind="remark",
    statement=r"The mean of $X_i^\top A^{-1}X_i$ over the records is at most the dimension, whatever the spectrum of $A$.",
    variables=(FEATURES, RECORDS, _REG),
    hypotheses=(A_INVERTIBLE, _POSITIVE_INVERSE),
    conclusion=both(eq(Trace(X.T * A.I * X) / n, Trace(A.I * (X * X.T / n))), le(_mean_leverage, d)),
    reading=(
        r"In most cases: for the average record of the dataset. The mean is the trace of $X^\top A^{-1}X$ over n, and $\frac1nXX^\top$ is $A-\mu_{reg}I$; "
        r"by Markov's inequality at most the share $d/L$ of the records exceeds $L$."
    ),
    remark=(
        "It is no statement about the largest record, nor about a record outside of the dataset, which a neighbour may contain: "
        "`beyond:leverage-at-most-n`, `beyond:outside-record`."
    ),
    checks=(Matrices(using=((_POSITIVE_INVERSE.name, _reg),)), ridge_worlds.LEVERAGES),
    mutants=(
        Mutant("half of the dimension", le(_mean_leverage, d / 2)),
        Mutant("any sign", hypotheses=(A_INVERTIBLE,)),
    ),
)

_along_eigenvector = printed(lambda: _x1**2 * (_x1**2 / _l1**2))

tighter = Claim(
    id="rgm-v1:relative-term-tighter",
    refs=("S52.8b",),
    title="Along an eigenvector no condition number is needed",
    source="rgm-v1",
    where="§5.2, after v1 (10)",
    kind="remark",
    statement=r"If $X_0$ is an eigenvector of $A$ then $|X_0|^2X_0^\top A^{-2}X_0 = (X_0^\top A^{-1}X_0)^2$.",
    variables=(_L[0], _X1),
    conclusion=eq(_along_eigenvector, printed(lambda: (_x1**2 / _l1) ** 2)),
    reading=r"A tighter bound, depending on the distribution: the factor $\kappa$ is not needed for records along eigenvectors, such as orthogonal data.",
    checks=(SymbolicIdentity(),),
    mutants=(
        Mutant("A^-1 for A^-2", eq(_x1**2 * (_x1**2 / _l1), (_x1**2 / _l1) ** 2)),
        Mutant("a factor", eq(_along_eigenvector, 2 * (_x1**2 / _l1) ** 2)),
    ),
)

_EN = nonnegative("E", "norm of (A_0 - A_0') A^-1")
_BN = nonnegative("B", "norm of b")
_DN = nonnegative("D", "norm of b_0 - b_0'")
_U = nonnegative("U", "norm of (A_0 - A_0') A^-1 b")
_COS = real("c", "cosine of the angle between (A_0 - A_0') A^-1 b and b_0 - b_0'", lower=-1, upper=1)
_en, _bn, _dn, _u, _cos = (v.symbol for v in (_EN, _BN, _DN, _U, _COS))
_OPERATOR_E = Hypothesis("operator norm", le(_u, _en * _bn))
_absolute2 = _u**2 + _dn**2 - 2 * _u * _dn * _cos
_OPERATOR_CHART = Chart(
    {_en: (0, None), _bn: (0, None), _dn: (0, None), _u: (0, 1), _cos: (-1, 1)},
    {_en: _en, _bn: _bn, _dn: _dn, _cos: _cos, _u: _u * _en * _bn},
)

absolute = Claim(
    id="rgm:absolute-term",
    refs=("S52.9a",),
    title="The absolute term by the norms of b and of its change",
    source=_SOURCE,
    where="§5.2, The absolute term",
    kind="inequality",
    statement=r"$|(A_0-A_0')A^{-1}b-b_0+b_0'| \le |(A_0-A_0')A^{-1}|\,|b|+|b_0-b_0'|$.",
    variables=(_EN, _BN, _DN, _U, _COS),
    hypotheses=(_OPERATOR_E,),
    conclusion=le(_absolute2, (_en * _bn + _dn) ** 2),
    reading="Both sides squared, by the law of cosines, in any dimension. True whatever the factor in $b_i$.",
    checks=(
        Combination(
            terms=(
                (_en * _bn - _u, _en * _bn + _u + 2 * _dn),
                (2 * _u * _dn, 1 + _cos),
            )
        ),
        Smt(),
        ridge_worlds.ABSOLUTE.mapped(ridge_worlds.of_absolute, _en, _bn, _dn, _u, _cos),
    ),
    sampling=_OPERATOR_CHART,
    tightness=looseness.ABSOLUTE,
    mutants=(
        Mutant("the difference of the norms", le(_absolute2, (_en * _bn - _dn) ** 2)),
        Mutant("no cross term", le(_absolute2, (_en * _bn) ** 2 + _dn**2)),
        Mutant("no operator norm", hypotheses=()),
    ),
)

_CLIP = nonnegative("c_b", "clipping radius of the b_i")
_clip = _CLIP.symbol
_CLIPPED = (
    Hypothesis("the mean of clipped vectors", le(_bn, _clip), "b is the mean of the b_i = X_i y_i"),
    Hypothesis("the difference of two clipped vectors", le(_dn, 2 * _clip)),
)

clipping = Claim(
    id="rgm:absolute-term-clipped",
    refs=("S52.9b",),
    title="The absolute term after clipping",
    source=_SOURCE,
    where="§5.2, The absolute term",
    kind="remark",
    statement=(
        r"If every $b_i = X_iy_i$ is clipped at $c_b$, the absolute term, a difference of gradients at the one point $A^{-1}b$, is at most "
        r"$(|(A_0-A_0')A^{-1}| + 2)\,c_b$."
    ),
    variables=(_EN, _BN, _DN, _U, _COS, _CLIP),
    hypotheses=(_OPERATOR_E, *_CLIPPED),
    conclusion=le(_absolute2, ((_en + 2) * _clip) ** 2),
    reading=(
        "One only needs to control these norms: the absolute term is bounded by them and by the norm that the relative term needs anyway. "
        "The point $A^{-1}b$ is that of the dataset whose gradient stands on the right; the neighbour's order has the neighbour's."
    ),
    checks=(
        Deduction((Premise("rgm:absolute-term"),)),
        ridge_worlds.ABSOLUTE_CLIPPED.mapped(ridge_worlds.of_absolute_clipped, _en, _bn, _dn, _u, _cos, _clip),
    ),
    sampling=Chart(
        {_en: (0, None), _clip: (0, None), _bn: (0, 1), _dn: (0, 1), _u: (0, 1), _cos: (-1, 1)},
        {_en: _en, _clip: _clip, _bn: _bn * _clip, _dn: 2 * _dn * _clip, _cos: _cos, _u: _u * _en * _bn * _clip},
    ),
    mutants=(
        Mutant("1 in place of 2", le(_absolute2, ((_en + 1) * _clip) ** 2)),
        Mutant("without the relative term", le(_absolute2, (2 * _clip) ** 2)),
        Mutant("only b clipped", hypotheses=(_OPERATOR_E, _CLIPPED[0])),
    ),
)

_DIM = natural("d", "dimension")
_W = positive("w", "share of the records along X_i", upper=1)
_d, _w = _DIM.symbol, _W.symbol

linear_or_not = Claim(
    id="rgm-v2:relative-term-linear-in-kappa",
    refs=("S52.10",),
    title="Linear in the condition number, or not at all",
    source="rgm-v2",
    where="§5.2, The relative term",
    kind="remark",
    statement=(
        r"If $X_0^\top A^{-1}X_0 \le L_{rel}$, the relative term is at most $\kappa L_{rel}^2$; if moreover $X_0$ is an eigenvector of $A$, as it is for "
        r"orthogonal data, it is at most $L_{rel}^2$."
    ),
    variables=(_PSQ, _LEV, _LEV2, _MU, _LARGEST, _L_REL, _L[0], _X1),
    hypotheses=(
        _SPECTRUM_BELOW,
        _SPECTRUM_ABOVE,
        _RELATIVE,
        Hypothesis("the eigenvector in its ellipsoid", le(_x1**2 / _l1, _l_rel)),
    ),
    conclusion=both(
        le(_psq * _lev2, _largest / _mu * _l_rel**2),
        le(_x1**2 * (_x1**2 / _l1**2), _l_rel**2),
    ),
    reading=(
        r"Well-behaved: the quadratic form is bounded by a number that does not depend on the conditioning. The second record, along an eigenvector with "
        "eigenvalue $l_1$, has coordinate $x_1$ there."
    ),
    checks=(Deduction((Premise("rgm-v1:relative-term-sufficient"), Premise("rgm-v1:relative-term-tighter"))),),
    sampling=Chart(
        {**_EIGEN.ranges, _l_rel: (0, 1)},
        {
            **_EIGEN.maps,
            _l_rel: _EIGEN.maps[_lev],
            _l1: 1 + _l1,
            _x1: _l_rel * sqrt((1 + _l1) * _EIGEN.maps[_lev]),
        },
    ),
    mutants=(
        Mutant("not at all, without an eigenvector", le(_psq * _lev2, _l_rel**2)),
        Mutant("the square root of kappa", le(_psq * _lev2, sqrt(_largest / _mu) * _l_rel**2 / 10)),
        Mutant("L_rel once", le(_x1**2 * (_x1**2 / _l1**2), _l_rel)),
    ),
)

_ETA = positive("eta", "relative sensitivity")
_W_NORM = nonnegative("r", "norm of w, the difference of the two records' gradients at the minimiser")
_U_NORM = nonnegative("U", "norm of E g")
_ANGLE = real("c", "cosine of the angle between E g and w", lower=-1, upper=1)
_TWO_OR_MORE = natural("n", "number of records", lower=2)
_eta, _w_norm, _u_norm, _angle, _many = (v.symbol for v in (_ETA, _W_NORM, _U_NORM, _ANGLE, _TWO_OR_MORE))
_change2 = (_u_norm**2 + _w_norm**2 + 2 * _u_norm * _w_norm * _angle) / _many**2

enforcing = Claim(
    id="rgm-v1:enforce-norm-below-eta",
    refs=("S52.11.v1",),
    title="A norm below eta gives relative sensitivity eta",
    source="rgm-v1",
    where="§5.3",
    kind="remark",
    statement=(
        r"If $|(A_0-A_0')A^{-1}| \le \eta$ and $n \ge 2$, then $|\nabla f(\theta)-\nabla f'(\theta)|^2 \le \eta^2|\nabla f(\theta)|^2 + R_{rel}^2$ for every "
        r"$\theta$, with $R_{rel}^2 = |w|^2/(n^2-1)$ and $w = \nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)$."
    ),
    variables=(_ETA, _GRAD, _W_NORM, _U_NORM, _ANGLE, _TWO_OR_MORE),
    hypotheses=(Hypothesis("the enforced norm", le(_u_norm, _eta * _grad), "§5.3 of version 1"),),
    conclusion=le(_change2, _eta**2 * _grad**2 + _w_norm**2 / (_many**2 - 1)),
    reading="What should be enforced is read as what suffices. The gradients differ by a vector of norm U and one of norm r, over n.",
    checks=(
        Smt(),
        ridge_worlds.BELOW_ETA.mapped(ridge_worlds.of_enforced_norm, _eta, _grad, _w_norm, _u_norm, _angle, _many),
    ),
    sampling=Chart(
        {_eta: (0, None), _grad: (0, None), _w_norm: (0, None), _u_norm: (0, 1), _angle: (-1, 1), _many: (2, None)},
        {_eta: _eta, _grad: _grad, _w_norm: _w_norm, _u_norm: _u_norm * _eta * _grad, _angle: _angle, _many: _many},
    ),
    remark=(
        r"It asks for a factor of nearly $n$ too much: $|(A_0-A_0')A^{-1}| < n\eta$ suffices and $\le n\eta$ is necessary "
        r"(`beyond:quadratic-smallest-absolute-part`, `beyond:quadratic-relative-part-necessary`). The factor $1/n$ of the gradients is lost here."
    ),
    mutants=(
        Mutant("no absolute part", le(_change2, _eta**2 * _grad**2)),
        Mutant("no norm enforced", hypotheses=()),
        Mutant("an absolute part of w over n^2", le(_change2, _eta**2 * _grad**2 + _w_norm**2 / _many**4)),
    ),
)

_C = positive("c", "clipping radius of the records")
_SQ = tuple(nonnegative(f"s_{k}", "(X_0 . e)^2 along an eigenvector e of A_0 - A_0'") for k in "12")
_SQP = tuple(nonnegative(f"s'_{k}", "(X_0' . e)^2 along an eigenvector e of A_0 - A_0'") for k in "12")
_V = tuple(real(f"h_{k}", "coordinate of A^-1 g") for k in "12")
_c = _C.symbol
_sq, _sqp, _v = ([v.symbol for v in group] for group in (_SQ, _SQP, _V))
_image2 = sum((s - t) ** 2 * h**2 for s, t, h in zip(_sq, _sqp, _v, strict=True))
_SHORT = tuple(Hypothesis(f"clipped: {s}", le(s, _c**2)) for s in (*_sq, *_sqp))

clipped_records = Claim(
    id="rgm-v2:clipped-records-control-the-norm",
    refs=("S52.11.v2",),
    title="Clipping the records controls the relative term",
    source="rgm-v2",
    where="§5.3",
    kind="remark",
    statement=r"If the records have norm at most $c$ and the spectrum of $A$ is at least $\mu$, then $|(A_0-A_0')A^{-1}| \le c^2/\mu$.",
    variables=(*_SQ, *_SQP, *_V, _C, _GRAD, _MU),
    hypotheses=(
        *_SHORT,
        Hypothesis("the spectrum of A is at least mu", le(_mu**2 * (_v[0] ** 2 + _v[1] ** 2), _grad**2), "§5.2"),
    ),
    conclusion=le(_image2, (_c**2 / _mu) ** 2 * _grad**2),
    reading=(
        r"Shrinking a norm that is too large to $c$. In a basis of eigenvectors of $A_0-A_0'$, whose eigenvalue along $e$ is "
        r"$(X_0\cdot e)^2-(X_0'\cdot e)^2$. In every dimension: the matrix has rank two, so that two of them matter. $h = A^{-1}g$, so $|h| \le |g|/\mu$. The absolute term is `rgm:absolute-term-clipped`."
    ),
    remark=(
        r"The spectrum needs its lower bound, from regularisation or from records that are known: the bound is no better than the direct one and has the "
        r"condition number in it. Not even the factor 2 of the triangle inequality is lost."
    ),
    checks=(
        Smt(),
        ridge_worlds.CLIPPED_RECORDS,
    ),
    derivation=(Step("The basis.", theorem=SPECTRAL, met={"symmetric": "It is a difference of symmetric matrices."}),),
    sampling=Chart(
        {
            **dict.fromkeys((*_sq, *_sqp), (0, 1)),
            **dict.fromkeys(_v, (-3, 3)),
            _c: (0, None),
            _mu: (0, None),
            _grad: (0, 1),
        },
        {
            **{s: s * _c**2 for s in (*_sq, *_sqp)},
            **{h: h for h in _v},
            **{_c: _c, _mu: _mu, _grad: _mu * (sqrt(_v[0] ** 2 + _v[1] ** 2)) * (1 + _grad)},
        },
    ),
    mutants=(
        Mutant("mu without a bound on the spectrum", hypotheses=_SHORT),
        Mutant(
            "the new record not clipped",
            hypotheses=(*_SHORT[:2], Hypothesis("spectrum", le(_mu**2 * (_v[0] ** 2 + _v[1] ** 2), _grad**2))),
        ),
        Mutant("half", le(_image2, (_c**2 / _mu) ** 2 * _grad**2 / 4)),
    ),
)
