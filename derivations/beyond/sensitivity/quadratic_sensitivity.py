r"""The relative sensitivity of least-squares gradients, with sharp constants.

Neighbouring gradients differ by $\frac1n(Eg+w)$ with $g = \nabla f(\theta)$, $E = (A_0-A_0')A^{-1}$ and $w = \nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)$. Write
$e = |E|/n$ and $r = |w|/n$. Relative sensitivity at this dataset holds for all $\theta$ with every $\eta > e$ and $R_{rel} = \eta r/\sqrt{\eta^2-e^2}$, and with no
smaller $R_{rel}$ in the worst case; $\eta < e$ never does. If $e < 1$, both gradients of the pair are served by $e/(1-e)$ and $r/(1-e)$, from what is known at one.
$|E|$ itself is at most $|A_0A^{-1}|+|A_0'A^{-1}|$, which is sharp, and a root of a quadratic equation in inner products of two records. The condition number in
$|X_0|^2X_0^\top A^{-2}X_0 \le \kappa(X_0^\top A^{-1}X_0)^2$ may be replaced by $(\kappa+1)^2/(4\kappa)$ (Kantorovich), which is sharp.
"""

from sympy import Matrix, eye

from rgm_verify.pages import *

from ... import looseness
from . import quadratic_worlds as worlds

page = Page("beyond", "§5.2")
_eta = page.positive("eta", "relative sensitivity")
_e = page.nonnegative("e", "norm of (A_0 - A_0') A^-1, over n")
_r = page.nonnegative("r", "norm of w, over n")
_g = page.nonnegative("g", latex=r"\|\nabla f\|")
_u = page.nonnegative("U", "norm of E g, over n, for the gradient g")
_c = page.real("c", "cosine of the angle between E g and w", lower=-1, upper=1)
_t = page.positive("t", "how the two parts share")
_OPERATOR = Hypothesis("operator norm", le(_u, _e * _g))
_distance2 = named(r"\|\nabla f-\nabla f'\|^2", _u**2 + _r**2 + 2 * _u * _r * _c)

_POINTS = {**{}, _u: (0, 1, _e * _g * (1 - _u / 1000)), _c: (-1, 1, 1 - (1 - _c) / 1000)}

split = page.inequality(
    "beyond:quadratic-split",
    "The relative and the absolute part, shared freely",
    le(_distance2, (1 + _t) * _e**2 * _g**2 + (1 + 1 / _t) * _r**2),
    "For every t, in any dimension.",
    given=_OPERATOR,
    by=(
        combination((1 + _t, _e * _g - _u, _e * _g + _u), (2 * _u * _r, 1 - _c), (1 / _t, (_t * _u - _r) ** 2)),
        Smt(),
        worlds.SPLIT.mapped(worlds.of_parts, _e, _r, _g, _u, _c, _t),
    ),
    points={**_POINTS},
    wrong={
        "1 for 1 + t": _e**2 * _g**2 + (1 + 1 / _t) * _r**2,
        "t for 1/t": (1 + _t) * _e**2 * _g**2 + (1 + _t) * _r**2,
        "no operator norm": without(),
    },
    reading="One half for t, with the sum of the squares of both norms for that of their sum, is the printed bound with its 3.",
    tightness=Tightness(
        (Rational(3, 2) + 3 * looseness.x**2) / (1 + looseness.x) ** 2,
        {looseness.x: (0, 4)},
        r"the bound at $t = \frac12$ over $(e|g| + r)^2$, the largest value, for $r = x\,e|g|$",
    ),
)

_ABOVE = Hypothesis("eta is more than e", gt(_eta, _e))
_smallest = named(r"R_{rel}^2", _eta**2 * _r**2 / (_eta**2 - _e**2))
_worst = named(r"\|\nabla f\|", _e * _r / (_eta**2 - _e**2))

smallest = page.theorem(
    "beyond:quadratic-smallest-absolute-part",
    "The smallest absolute part for a relative part",
    le(_distance2, _eta**2 * _g**2 + _smallest),
    r"So least-squares gradients are relatively sensitive with any relative part above $e$, for all $\theta$.",
    given=(_OPERATOR, _ABOVE),
    by=(Smt(), Units({_r: 1, _g: 1, _u: 1}), worlds.SMALLEST.mapped(worlds.of_smallest, _e, _r, _g, _u, _c, _eta)),
    points={**_POINTS, _eta: (0, None, _e + _eta), _g: (0, None, _e * _r / (_eta * (2 * _e + _eta)))},
    wrong={
        "R_rel = r": _eta**2 * _g**2 + _r**2,
        "99/100 of it": _eta**2 * _g**2 + Rational(99, 100) * _smallest,
        "eta up to e/2": changed(
            hypotheses=(_OPERATOR, Hypothesis("less", gt(2 * _eta, _e)), Hypothesis("not e", gt((_eta - _e) ** 2, 0)))
        ),
    },
)

attained = page.theorem(
    "beyond:quadratic-smallest-absolute-part-attained",
    "The smallest absolute part is attained",
    eq((_e * _worst + _r) ** 2, _eta**2 * _worst**2 + _smallest),
    r"At this gradient, with $Eg$ aligned with $w$ and as long as it can be, the bound is an equality; in dimension 1 there is always such a $\theta$.",
    given=_ABOVE,
    by=Smt(),
    points={_eta: (0, None, _e + _eta)},
    wrong={
        "another gradient": eq((_e * _r + _r) ** 2, _eta**2 * _r**2 + _smallest),
        "R_rel = r": _eta**2 * _worst**2 + _r**2,
    },
)

_r_rel = page.nonnegative("R_rel", "absolute part")
_SMALLER = Hypothesis("eta is less than e", lt(_eta, _e))
_LARGE = Hypothesis("a large gradient", gt((_e**2 - _eta**2) * _g**2, _r_rel**2))

necessary = page.theorem(
    "beyond:quadratic-relative-part-necessary",
    "A relative part below e never does",
    gt(named(_distance2.title, (_e * _g) ** 2 + _r**2 + 2 * _e * _g * _r * _c), _eta**2 * _g**2 + _r_rel**2),
    "Whatever the absolute part is, the bound fails where the gradient is large, along the direction of E.",
    given=(_SMALLER, _LARGE, Hypothesis("the nearer of the two signs of g", ge(_c, 0))),
    by=(Smt(), worlds.NECESSARY.mapped(worlds.of_necessary, _e, _r, _g, _c, _eta, _r_rel)),
    points={_e: (0, None, _eta + _e), _c: (0, 1), _g: (0, None, _r_rel / _e + _g)},
    wrong={
        "any gradient": changed(hypotheses=(_SMALLER, Hypothesis("sign", ge(_c, 0)))),
        "either sign": without("the nearer of the two signs of g"),
    },
    reading=r"$g$ along the singular vector of $E$, where $|Eg| = n\,e|g|$; every $g$ is a gradient, as $A$ is invertible, and $-g$ turns the sign of the cosine.",
)

# The norm of E.
_nu = page.nonnegative("nu", latex=r"\|A_0A^{-1}\|")
_nup = page.nonnegative("nu'", latex=r"\|A_0'A^{-1}\|")
_v = page.nonnegative("v", latex=r"\|A_0A^{-1}\nabla f\|")
_vp = page.nonnegative("v'", latex=r"\|A_0'A^{-1}\nabla f\|")
_difference2 = named(r"\|(A_0-A_0')A^{-1}\nabla f\|^2", _v**2 + _vp**2 - 2 * _v * _vp * _c)

_PARTS = (
    Hypothesis("operator norm of A_0 A^-1", le(_v, _nu * _g)),
    Hypothesis("operator norm of A_0' A^-1", le(_vp, _nup * _g)),
)

triangle = page.inequality(
    "beyond:quadratic-triangle",
    "The norm of the difference by the norms of both terms",
    both(le(_difference2, ((_nu + _nup) * _g) ** 2), le((_nu + _nup) ** 2, 2 * (_nu**2 + _nup**2))),
    given=_PARTS,
    by=(Smt(), worlds.TRIANGLE),
    points={
        _v: (0, 1, _nu * _g * (1 - _v / 1000)),
        _vp: (0, 1, _nup * _g * (1 - _vp / 1000)),
        _c: (-1, 1, -1 + (1 + _c) / 1000),
    },
    wrong={
        "the sum of the squares": le(_difference2, (_nu**2 + _nup**2) * _g**2),
        "1 for 2": le((_nu + _nup) ** 2, _nu**2 + _nup**2),
        "a free record": without(_PARTS[1]),
    },
    reading="In any dimension, applied to a vector $g$.",
)

_eps = page.positive("h", "half of the distance of the records")
_big = page.positive("K", "condition number of A")
records = page.natural("n", "number of records")
_family_norm2 = named(r"\|A_0A^{-1}\|^2", (1 + _eps**2) * (1 + (_eps * _big) ** 2))
_family_difference = named(r"\|(A_0-A_0')A^{-1}\|", 2 * _eps * _big)

triangle_sharp = page.remark(
    "beyond:quadratic-triangle-sharp",
    "The triangle inequality for the two terms is sharp",
    ge(_family_difference**2, Rational(99, 100) ** 2 * 4 * _family_norm2),
    "The norm of the difference comes within 1% of the sum of the norms, which is more than the larger one; a dataset of n records with this A contains the first.",
    exists=True,
    given=Hypothesis("A contains the first record", le(1 + _eps**2 * _big, records)),
    by=(Search(), Smt()),
    points={_eps: (0, 1, Rational(1, 100) + 0 * _eps), _big: 10**4 + 0 * _eps, records: 10 + 0 * _eps},
    wrong={"more than the sum": gt(_family_difference**2, 4 * _family_norm2)},
    reading=r"A has the eigenvalues 1 and $1/K$, and the records are $(1, h)$ and $(1, -h)$. $(A_0-A_0')A^{-1}$ has the entries $2hK$ and $2h$ off the diagonal and 0 on it; both terms have the same norm. The first record lies in the dataset if its leverage $X_0^\top A^{-1}X_0$ is at most n.",
)

# E in dimension 2, with a general symmetric inverse.
_x = Matrix([page.real(f"x_{k}", "feature of the record that leaves") for k in "12"])
_xp = Matrix([page.real(f"x'_{k}", "feature of the record that comes", latex=f"x_{k}'") for k in "12"])


def symmetric(name: str, meaning: str, page: Page = page) -> Matrix:
    """A symmetric matrix of order 2 whose entries are variables of a page."""
    first, mixed, last = (page.real(f"{name}_{k}", meaning) for k in ("11", "12", "22"))
    return Matrix([[first, mixed], [mixed, last]])


def entries(matrix: Matrix) -> tuple[Expr, Expr, Expr]:
    """The entries 11, 12 and 22."""
    return matrix[0, 0], matrix[0, 1], matrix[1, 1]


_inverse = symmetric("b", "entry of the inverse of A")
_term = (_x * _x.T - _xp * _xp.T) * _inverse
_y, _yp = _inverse * _x, _inverse * _xp
_trace = _x.dot(_x) * _y.dot(_y) + _xp.dot(_xp) * _yp.dot(_yp) - 2 * _x.dot(_xp) * _y.dot(_yp)
_determinant = (_x.dot(_x) * _xp.dot(_xp) - _x.dot(_xp) ** 2) * (_y.dot(_y) * _yp.dot(_yp) - _y.dot(_yp) ** 2)

exact_norm = page.identity(
    "beyond:quadratic-exact-norm",
    "The norm of the difference exactly",
    both(eq((_term * _term.T).trace(), _trace), eq(_term.det() ** 2, _determinant)),
    "Both are inner products of the records and of $Y$ and $Y'$, their images under $A^{-1}$: the squared norm is the larger root of a quadratic equation.",
    by=(
        Identity(),
        worlds.EXACT_NORM,
        worlds.EXACT_NORM_IN_A_PLANE.mapped(worlds.of_exact_norm, *_x, *_xp, *entries(_inverse)),
    ),
    wrong={
        "no cross term": eq((_term * _term.T).trace(), _trace + 2 * _x.dot(_xp) * _y.dot(_yp)),
        "one Gram determinant": eq(_term.det() ** 2, (_x.dot(_x) * _xp.dot(_xp) - _x.dot(_xp) ** 2) ** 2),
    },
    reading="Trace and determinant of $EE^\\top$, whose larger eigenvalue is the square of the norm. In any dimension $E$ has rank 2 and acts between the "
    "planes of $X_0, X_0'$ and of $Y, Y'$: the same numbers, six inner products.",
    instance=r"Dimension 2.",
    printed=r"\begin{aligned} & \operatorname{tr}EE^\top = \|X_0\|^2\|Y\|^2 + \|X_0'\|^2\|Y'\|^2 - 2(X_0\cdot X_0')(Y\cdot Y') \\ & \det EE^\top = \left(\|X_0\|^2\|X_0'\|^2 - (X_0\cdot X_0')^2\right)\left(\|Y\|^2\|Y'\|^2 - (Y\cdot Y')^2\right) \end{aligned}",
)

# Both gradients of a pair.
_gp = page.nonnegative("g'", latex=r"\|\nabla f'\|")
_d = page.nonnegative("D", latex=r"\|\nabla f-\nabla f'\|")
_z = page.real("z", "feature of the other record")
_theta = page.real("theta", "parameter")
_line = named("A", (1 + _x[0] ** 2 + _z**2) / 2)
_line_new = named("A'", (1 + _xp[0] ** 2 + _z**2) / 2)
_relative_line = named("e", (_x[0] ** 2 - _xp[0] ** 2) / 2 / _line)
_AT_F = Hypothesis("sensitive at f", le(_d, _e * _g + _r), "before squaring", by=("rgm:gradient-difference-bound",))

other_gradient = page.inequality(
    "beyond:quadratic-same-constants-at-neighbour",
    "The same constants with the other gradient",
    le(
        ((_x[0] ** 2 - _xp[0] ** 2) * _theta) ** 2,
        3 * (_x[0] ** 4 + _xp[0] ** 4) / _line**2 * (_line_new * _theta) ** 2,
    ),
    "The constants are those of (10) of version 2 at the one dataset, the gradient is that of the other, as relative sensitivity with the smaller of the two norms asks.",
    by=(Search(), Smt(), worlds.AT_NEIGHBOUR),
    reading="Two records on the line, all labels 0, so that there is no absolute part; regularisation 1/2.",
    mistake=("missing hypothesis", "beyond:quadratic-both-gradients"),
    remark="The paper bounds with one gradient and says that the bound hints at relative sensitivity. The other order needs $A'$, or what the correction does.",
)

both_gradients = page.theorem(
    "beyond:quadratic-both-gradients",
    "Relative sensitivity for both gradients from one dataset",
    both(le(_d, _e / (1 - _e) * _gp + _r / (1 - _e)), le(_d, _e / (1 - _e) * _g + _r / (1 - _e))),
    "What is known at one dataset serves both orders of the pair.",
    given=(_AT_F, Hypothesis("the gradients differ by D", le(_g, _gp + _d)), Hypothesis("e is less than 1", lt(_e, 1))),
    by=(
        Smt(),
        Units({_r: 1, _g: 1, _gp: 1, _d: 1}),
        worlds.BOTH_GRADIENTS.mapped(worlds.of_both_gradients, _e, _r, _g, _gp, _d),
    ),
    points={_e: (0, 1), _d: (_e * _gp + _r) / (1 - _e), _g: _gp + (_e * _gp + _r) / (1 - _e)},
    wrong={
        "e for the other gradient": le(_d, _e * _gp + _r),
        "r not enlarged": le(_d, _e / (1 - _e) * _gp + _r),
        "e above 1": without("e is less than 1"),
    },
    reading="In any dimension. Squares are shared as in `beyond:quadratic-split`, with $e$ and $r$ enlarged by the same factor.",
)

both_attained = page.identity(
    "beyond:quadratic-both-gradients-attained",
    "The factor for the other gradient is attained",
    both(
        eq((_line - _line_new) * _theta, _relative_line / (1 - _relative_line) * (_line_new * _theta)),
        gt(_relative_line, 0),
        lt(_relative_line, 1),
    ),
    "On the line, without an absolute part and when the larger record leaves.",
    given=Hypothesis("the larger record leaves", gt(_x[0] ** 2, _xp[0] ** 2)),
    wrong={
        "e": eq((_line - _line_new) * _theta, _relative_line * (_line_new * _theta)),
        "the larger record comes": changed(hypotheses=(Hypothesis("comes", lt(_x[0] ** 2, _xp[0] ** 2)),)),
    },
    reading=r"Two records, all labels 0, regularisation 1/2; the sign of $\theta$ is that of both gradients.",
)

_matrix, _change = symmetric("a", "entry of A"), symmetric("k", "entry of (A_0 - A_0')/n")
_shared = _change * _matrix.adjugate()
_product = (_matrix - _change).det() * _shared


def _entrywise(first: Matrix, second: Matrix) -> Formula:
    return both(*(eq(p, q) for p, q in zip(first, second, strict=True)))


def _at_the_neighbour(sign: int) -> Matrix:
    return _change * (_matrix - _change).adjugate() * (_matrix.det() * eye(2) + sign * _shared)


neighbour_matrix = page.identity(
    "beyond:quadratic-neighbour-matrix",
    "The relative part at the neighbour",
    _entrywise(_at_the_neighbour(-1), _product),
    "So what e is at one dataset bounds the relative part at its neighbour.",
    by=(
        Identity(),
        worlds.NEIGHBOUR_MATRIX,
        worlds.NEIGHBOUR_MATRIX_IN_A_PLANE.mapped(worlds.of_neighbour_matrix, *entries(_change), *entries(_matrix)),
    ),
    wrong={
        "plus": _entrywise(_at_the_neighbour(1), _product),
        "A in place of A'": _entrywise(_shared * (_matrix.det() * eye(2) - _shared), _matrix.det() * _shared),
    },
    reading=r"Entry by entry, multiplied by both determinants and divided by $n$. On the line $e/(1-e)$ is attained when the record that leaves is the larger.",
    instance=r"Dimension 2.",
    printed=r"(A_0-A_0')A'^{-1}\left(I - \frac1nE\right) = E",
)
