r"""One release of both second moments of a linear regression, and how far one record moves it.

Records are in units of their bounds, $|u| \le 1$ and $|v| \le 1$. The sums of $uu^\top$ and of $\sqrt\beta\,vu$ over all records are
released together; the weight $\beta$ says how the noise is shared. Between neighbours the other records cancel. Distances are Frobenius norms of
whole symmetric matrices, so that an entry off the diagonal counts twice. Two records span a plane: dimension 2 is enough, and their norms
and inner product say it all.
"""

from sympy import Matrix

from rgm_verify.pages import *

page = Page("beyond", "one release of both moments of a linear regression")
beta = page.positive("beta", "weight of the labels' part")
_a = page.nonnegative("a", "squared norm of the record", upper=1, latex=r"\|u\|^2")
_b = page.nonnegative("a'", "squared norm of the one in its place", upper=1, latex=r"\|u'\|^2")
_c = page.real("c", "inner product of both", lower=-1, upper=1, latex=r"(u\cdot u')")
_v = page.real("v", "label of the record", lower=-1, upper=1)
_w = page.real("v'", "label of the one in its place", lower=-1, upper=1)

_first = Matrix([page.real(f"u_{k}", "coordinate of the record") for k in (1, 2)])
_other = Matrix([page.real(f"u'_{k}", "coordinate of the one in its place") for k in (1, 2)])


def _moved(a: Expr, b: Expr, c: Expr, v: Expr, w: Expr) -> Expr:
    """The squared distance that the joint moments move, from norms, inner product and labels."""
    return a**2 + b**2 - 2 * c**2 + beta * (v**2 * a + w**2 * b - 2 * v * w * c)


def _squares(first: Matrix, other: Matrix, v: Expr, w: Expr, off_diagonal: int = 2) -> Expr:
    """The same from the coordinates: squared entries of the matrix and of the vector."""
    (x, y), (p, q) = first, other
    matrix = (x**2 - p**2) ** 2 + off_diagonal * (x * y - p * q) ** 2 + (y**2 - q**2) ** 2
    return matrix + beta * ((v * x - w * p) ** 2 + (v * y - w * q) ** 2)


_INNER = _moved(_first.dot(_first), _other.dot(_other), _first.dot(_other), _v, _w)

distance = page.identity(
    "beyond:joint-moments-distance",
    "How far one record moves the joint moments, by norms and inner products",
    eq(_squares(_first, _other, _v, _w), _INNER),
    "The squared Frobenius norm of a difference of two matrices of rank one, and that of the labels' part.",
    wrong={
        "the upper triangle alone": eq(_squares(_first, _other, _v, _w, 1), _INNER),
        "equal labels": eq(_squares(_first, _other, _v, _v), _INNER),
    },
    instance=r"Dimension 2.",
    printed=r"\|uu^\top - u'u'^\top\|_F^2 + \beta\|vu - v'u'\|^2 = \|u\|^4 + \|u'\|^4 - 2(u\cdot u')^2 + \beta(v^2\|u\|^2 + v'^2\|u'\|^2 - 2vv'(u\cdot u'))",
)

_largest = (2 + beta) ** 2 / 2

replaced = page.theorem(
    "beyond:joint-moments-sensitivity",
    "The sensitivity of the joint moments when one record is replaced",
    le(_moved(_a, _b, _c, _v, _w), _largest),
    r"For every weight and every dimension: both moments in one Gaussian release of squared sensitivity $(2+\beta)^2/2$.",
    by=combination(
        (1, 1 - _a, 1 + _a),
        (1, 1 - _b, 1 + _b),
        (2, (_c + beta * _v * _w / 2) ** 2),
        (beta, 1 - _a),
        (beta, _a, 1 - _v, 1 + _v),
        (beta, 1 - _b),
        (beta, _b, 1 - _w, 1 + _w),
        (beta**2 / 2, 1 - _v, 1 + _v),
        (beta**2 / 2, _v**2, 1 - _w, 1 + _w),
    ),
    points={beta: (0, 2), _c: (-1, 1, -beta * _v * _w / 2 * (1 - (1 - _c) / 1000))},
    wrong={"the square left out": 2 + 2 * beta, "99/100 of it": Rational(99, 100) * _largest},
    steps="beyond:joint-moments-distance",
)

_p = page.nonnegative("p", "squared norm of the labels", upper=1, latex=r"\|v\|^2")
_q = page.nonnegative("q", "squared norm of those in their place", upper=1, latex=r"\|v'\|^2")
_s = page.real("s", "inner product of both vectors of labels", lower=-1, upper=1, latex=r"(v\cdot v')")
_of_vectors = _a**2 + _b**2 - 2 * _c**2 + beta * (_p * _a + _q * _b - 2 * _s * _c)

vectors = page.theorem(
    "beyond:joint-moments-sensitivity-of-label-vectors",
    "The same number holds where a record has several labels in a ball",
    le(_of_vectors, _largest),
    "The labels' part is then a matrix, and its distance the Frobenius norm.",
    by=combination(
        (1, 1 - _a, 1 + _a),
        (1, 1 - _b, 1 + _b),
        (2, (_c + beta * _s / 2) ** 2),
        (beta, 1 - _a),
        (beta, _a, 1 - _p),
        (beta, 1 - _b),
        (beta, _b, 1 - _q),
        (beta**2 / 2, 1 - _s, 1 + _s),
    ),
    points={beta: (0, 2), _s: (-1, 1, -1 + (1 + _s) / 1000), _c: (-1, 1, -beta * _s / 2 * (1 - (1 - _c) / 1000))},
    wrong={"the square left out": 2 + 2 * beta, "99/100 of it": Rational(99, 100) * _largest},
    reading=r"The squared Frobenius norm of $uu^\top - u'u'^\top$ and of $uv^\top - u'v'^\top$, from norms and inner products.",
)

_cosine, _sine = sqrt(2 + beta) / 2, sqrt(2 - beta) / 2
_up, _down = Matrix([_cosine, _sine]), Matrix([_cosine, -_sine])
_UP_TO_TWO = Hypothesis("weight", le(beta, 2))

attained = page.remark(
    "beyond:joint-moments-sensitivity-attained",
    "Two records that mirror each other, with opposite labels, attain it",
    both(eq(printed(lambda: _cosine**2 + _sine**2), 1), eq(_squares(_up, _down, Integer(1), -Integer(1)), _largest)),
    r"So for weights up to 2 no smaller number holds, in two and more dimensions. Their inner product is $\beta/2$.",
    given=_UP_TO_TWO,
    points={beta: (0, 2)},
    wrong={
        "equal labels": eq(_squares(_up, _down, Integer(1), Integer(1)), _largest),
        "the same record": eq(_squares(_up, _up, Integer(1), -Integer(1)), _largest),
    },
    reading=r"The records are $\frac12(\sqrt{2+\beta}, \pm\sqrt{2-\beta})$, and their labels 1 and $-1$.",
)

added = page.theorem(
    "beyond:joint-moments-sensitivity-of-a-record-more",
    "The sensitivity of the joint moments when one record is added or removed",
    le(_a**2 + beta * _v**2 * _a, 1 + beta),
    "A record of length 1 with the label 1 attains it.",
    by=combination((1, 1 - _a, 1 + _a), (beta, 1 - _a), (beta, _a, 1 - _v, 1 + _v)),
    points={_a: (0, 1, 1 - (1 - _a) / 1000), _v: (-1, 1, 1 - (1 - _v) / 1000)},
    wrong={"the matrix alone": Integer(1), "99/100 of it": Rational(99, 100) * (1 + beta)},
    reading=r"The squared norm of the moments of one record.",
)
