"""The relative sensitivity of one pair of ridge regressions: the least absolute part for a relative part, in closed form."""

from sympy import Matrix, eye

from rgm_verify.pages import *

from .ridge_sensitivity import SQUARE, page as _ridge_sensitivity, row_of, symmetric_of, vector_of

page = Page("beyond", "relative sensitivity of ridge regression over a domain", _ridge_sensitivity)
_sq = page.positive("s", "n^2 eta^2")
_inner, _outer = _sq * eye(2) - symmetric_of.T * symmetric_of, _sq * eye(2) - symmetric_of * symmetric_of.T
_determinant = _inner.det()
_peak = _inner.adjugate() * symmetric_of.T * vector_of
_value = symmetric_of * row_of + vector_of


def _printed_determinant(matrix: Matrix) -> Expr:
    """The determinant of a 2 by 2 matrix, not multiplied out."""
    return printed(lambda: matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])


completed = page.elsewhere("relative sensitivity of one pair").identity(
    "beyond:pair-completed-square",
    "The gradient at which a pair needs the most",
    both(
        eq(_printed_determinant(_inner), _printed_determinant(_outer)),
        eq(
            _determinant**2 * (_value.dot(_value) - _sq * row_of.dot(row_of)),
            _determinant * _sq * (vector_of.T * _outer.adjugate() * vector_of)[0]
            - ((_determinant * row_of - _peak).T * _inner * (_determinant * row_of - _peak))[0],
        ),
    ),
    "So for $s$ above $|E|^2$ the first term on the right is the largest value, and attained.",
    wrong={
        "w alone": eq(
            _determinant**2 * (_value.dot(_value) - _sq * row_of.dot(row_of)),
            _determinant**2 * vector_of.dot(vector_of),
        ),
        "E for its transpose": eq(
            _determinant * (_value.dot(_value) - _sq * row_of.dot(row_of)),
            _sq * (vector_of.T * _inner.adjugate() * vector_of)[0],
        ),
    },
    reading="Multiplied by the determinant of $s - E^\\top E$, which is that of $s - EE^\\top$.",
    instance=r"Dimension 2.",
    printed=r"\|Eg+w\|^2 - s\|g\|^2 = s\,w^\top(s-EE^\top)^{-1}w - (g-g_\star)^\top(s-E^\top E)(g-g_\star) \quad\text{with}\quad g_\star = (s-E^\top E)^{-1}E^\top w",
)

_both = Matrix(2, 2, [page.real(f"x_{k}") for k in SQUARE])
_b11, _b12, _b22 = (page.real(f"b_{k}", "entry of the inverse of A") for k in ("11", "12", "22"))
_inverse = Matrix([[_b11, _b12], [_b12, _b22]])
_turn = Matrix([[1, 0], [0, -1]])
_residuals = Matrix([page.real(f"c_{k}", "residual") for k in "12"])
_gram, _images = _both.T * _both, _turn * _both.T * _inverse * _inverse * _both * _turn
_full = _both * _turn * _both.T * _inverse
_plane = _sq * eye(2) - _images * _gram
_whole = _sq * eye(2) - _full * _full.T

in_the_plane = page.elsewhere("relative sensitivity of one pair").identity(
    "beyond:pair-absolute-part",
    "The absolute part of a pair by inner products",
    both(
        eq(_printed_determinant(_plane), _printed_determinant(_whole)),
        eq(
            ((_both * _residuals).T * _whole.adjugate() * (_both * _residuals))[0],
            (_residuals.T * _gram * _plane.adjugate() * _residuals)[0],
        ),
    ),
    "$P$ has the two records as columns, $J$ the entries 1 and $-1$ on its diagonal; $G$ and $Q$ are the Gram matrices of the records and of their images under $A^{-1}$.",
    wrong={
        "without J": eq(
            _printed_determinant(_plane),
            _printed_determinant(_sq * eye(2) - _both.T * _inverse * _inverse * _both * _gram),
        ),
        "without the Gram matrix": eq(
            ((_both * _residuals).T * _whole.adjugate() * (_both * _residuals))[0],
            (_residuals.T * _plane.adjugate() * _residuals)[0],
        ),
    },
    steps="beyond:pair-completed-square",
    reading="With both determinants, which agree; in any dimension $P^\\top(s - PKP^\\top)^{-1} = (s - GK)^{-1}P^\\top$.",
    instance=r"Dimension 2.",
    printed=r"w^\top(s-EE^\top)^{-1}w = c^\top G(s - JQJG)^{-1}c \quad\text{with}\quad E = PJP^\top A^{-1},\; w = Pc",
)
