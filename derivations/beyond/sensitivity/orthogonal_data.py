r"""Orthogonal data, beyond the paper: both records together, and what is left if the other half of the data is arbitrary."""

from sympy import Matrix

from rgm_verify.pages import *

from ...rgm.section_5 import orthogonal_worlds as worlds
from .leverages import length2, page as _leverages
from .quadratic_sensitivity import entries, symmetric

page = Page("beyond", "§5.2", _leverages)
_w1 = page.positive("w", "share of the records along X_0", upper=1)
_w2 = page.positive("w'", "share of the records along X_0'", upper=1)
_h1 = page.real("h_1", "coordinate along X_0")
_h2 = page.real("h_2", "coordinate along X_0'")
_dims = page.natural("d", "dimension")

orthogonal = page.at("Orthogonal data").theorem(
    "beyond:orthogonal-difference",
    "Orthogonal data: both records together",
    le((_h1 / _w1) ** 2 + (_h2 / _w2) ** 2, (2 * _dims) ** 2 * (_h1**2 + _h2**2)),
    r"So the norm of $(A_0-A_0')A^{-1}$ is at most $2d$: the sum of two terms costs nothing, and $\eta$ may be anything above $2d/n$, or above one over the number of records along the two directions.",
    given=Hypothesis("at least the share 1/(2d)", both(ge(2 * _dims * _w1, 1), ge(2 * _dims * _w2, 1))),
    by=(Smt(), worlds.DIFFERENCE),
    points={
        (_h1, _h2): (-3, 3),
        _dims: (0, None),
        _w1: (0, 1, (1 + _w1) / (2 * _dims)),
        _w2: (0, 1, (1 + _w2) / (2 * _dims)),
    },
    wrong={"d": _dims**2 * (_h1**2 + _h2**2), "any share": without()},
    reading=r"In the basis of the directions of the records $E$ is diagonal with $1/w$, $-1/w'$ and zeros.",
)

_DIM = natural("d", "dimension", lower=3)
_dim = _DIM.symbol
_even = length2 * (length2 / (length2 / _dim) ** 2)

even = page.at("Orthogonal data").remark(
    "beyond:orthogonal-even-dataset",
    "Even the evenly spread dataset exceeds 2d",
    both(eq(_even, _dim**2), gt(_even, 2 * _dim)),
    "All different records occur equally often.",
    given=Hypothesis("X_i is not 0", gt(length2, 0)),
    over=(_DIM,),
    wrong={"d^2 < 2d": lt(_even, 2 * _dim), "d cubed": gt(_even, _dim**3)},
    reading=r"$X_i$ is an eigenvector of $A$ with eigenvalue $|X_i|^2/d$.",
    printed=r"\|X_i\|^2X_i^\top A^{-2}X_i = d^2 > 2d",
)

# The fixed half is (1, 0) and (0, s); the other half holds an arbitrary record twice.
_side = page.positive("s", "length of the second record")
_f1 = page.real("u_1", "feature of the free record")
_f2 = page.real("u_2", "feature of the free record")
_free = Matrix([[1 + 2 * _f1**2, 2 * _f1 * _f2], [2 * _f1 * _f2, _side**2 + 2 * _f2**2]]) / 4
_free_inverse = _free.adjugate() / _free.det()

half_only = page.elsewhere("App. B.3").inequality(
    "beyond:orthogonal-half-only",
    "With an arbitrary other half, the bound on the inverse square fails",
    le(named(r"X_0^\top A^{-2}X_0", (_free_inverse * _free_inverse)[0, 0]), 16),
    "Half of the data is orthogonal, the other half is arbitrary.",
    by=(Search(), Smt(), worlds.ANY_HALF_SQUARES),
    reading=r"The records $(1,0)$ and $(0,s)$ are fixed, the other two are equal and arbitrary.",
    instance=r"Four records in dimension 2.",
    mistake=("missing hypothesis", "beyond:orthogonal-half-inverse"),
    remark="The square of an inverse is not monotone in the order of matrices. The whole dataset has to be orthogonal, as the paper assumes.",
    printed=r"\|X_i\|^2X_i^\top A^{-2}X_i \le (2d)^2",
)

_f11, _f12, _f22 = entries(symmetric("f", "entry of the second moments of the other half", page))
_any_half = Matrix([[Rational(1, 4) + _f11, _f12], [_f12, _side**2 / 4 + _f22]])
_any_inverse = _any_half.adjugate() / _any_half.det()

half_inverse = page.elsewhere("App. B.3").correction(
    "beyond:orthogonal-half-inverse",
    "With an arbitrary other half, the quadratic form keeps its bound",
    le(named(r"X_0^\top A^{-1}X_0", _any_inverse[0, 0]), 4),
    r"So $|A_0A^{-1}|$ is at most $2d\,(\kappa+1)/(2\sqrt\kappa)$.",
    given=(
        Hypothesis("second moments: an entry", ge(_f11, 0)),
        Hypothesis("second moments: the other entry", ge(_f22, 0)),
        Hypothesis("second moments: the determinant", ge(_f11 * _f22, _f12**2)),
    ),
    by=(Smt(), worlds.ANY_HALF),
    points={_f11: (0, None, _f11**2), _f22: (0, None, _f22**2), _f12: (-1, 1, _f12 * _f11 * _f22)},
    wrong={
        "2 in place of 4": 2,
        "for the inverse square": le((_any_inverse * _any_inverse)[0, 0], 16),
        "not positive semidefinite": without("second moments: the determinant"),
    },
    steps=Step("From the quadratic form to the norm.", "beyond:relative-term-kantorovich"),
    reading="The inverse is monotone in the order of matrices. The fixed half is $(1,0)$ and $(0,s)$, equally often, the other half and regularisation add "
    "any positive semidefinite matrix.",
    instance=r"Dimension 2.",
    printed=r"X_i^\top A^{-1}X_i \le 2d",
)
