r"""Symbols of Section 5.3 in the plane: the matrix C by its eigenvalues, A by its entries, points and directions by coordinates.

The axes are eigenvectors of C, which costs nothing: rotate the data. A positive definite matrix $A \succcurlyeq \rho C$ is then given by the
entries of $A$ with the signs of the diagonal entries and of the determinant of $A - \rho C$.
"""

from rgm_verify.lenses.worlds.scaling import S
from rgm_verify.pages import *

CLIPPING_NOTATION = Notation()
C_1, C_2 = (positive(f"c_{i}", f"eigenvalue {i} of C") for i in (1, 2))
A_11, A_22 = (positive(f"a_{i}{i}", f"entry {i}{i} of A") for i in (1, 2))
LEVEL, RADIUS = positive("rho", "proposed level"), positive("R_c", "clipping threshold")
X_1, X_2 = (real(f"x_{i}", f"coordinate {i} of the point") for i in (1, 2))
c1, c2, a11, a22, level, radius, x1, x2 = CLIPPING_NOTATION.declare(C_1, C_2, A_11, A_22, LEVEL, RADIUS, X_1, X_2)
a12 = CLIPPING_NOTATION.real("a_12", "entry 12 of A")
POINT = (X_1, X_2)


def dot(u: tuple[Expr, ...], v: tuple[Expr, ...]) -> Expr:
    """The inner product of two vectors."""
    return sum((s * t for s, t in zip(u, v, strict=True)), start=0 * u[0])


def by_c(x: Expr, y: Expr, power: int) -> Expr:
    """$x^T C^{power} x$ for the point (x, y)."""
    return c1**power * x**2 + c2**power * y**2


def square(x: Expr, y: Expr, name: str = "x") -> Expr:
    """The squared norm of the point (x, y)."""
    return named(rf"\|{name}\|^2", x**2 + y**2)


def form(x: Expr, y: Expr, name: str = "x") -> Expr:
    """$x^T C^{-2} x$ under its name."""
    return named(rf"{name}^\top C^{{-2}}{name}", by_c(x, y, -2))


def clipped_to(x: Expr, y: Expr, name: str) -> Hypothesis:
    """The printed condition on a clipped point: $|x|^2 x^T C^{-2} x <= R_c^4$."""
    return Hypothesis(f"{name} is clipped", le(square(x, y, name) * form(x, y, name), radius**4), "§5.3")


determinant = a11 * a22 - a12**2
#: $A^{-1}x$ and its squared norm.
solved = ((a22 * x1 - a12 * x2) / determinant, (a11 * x2 - a12 * x1) / determinant)
solved_squared = named(r"x^\top A^{-2}x", solved[0] ** 2 + solved[1] ** 2)
norm_squared, quadratic_form = square(x1, x2), form(x1, x2)


def above(factor: Expr) -> tuple[Hypothesis, ...]:
    """The matrix order $A >= factor * C$, in three conditions."""
    first, last = a11 - factor * c1, a22 - factor * c2
    return (
        Hypothesis("A - rho C, first entry", ge(first, 0), "Proposition 1"),
        Hypothesis("A - rho C, last entry", ge(last, 0), "Proposition 1"),
        Hypothesis("A - rho C, determinant", ge(first * last, a12**2), "Proposition 1"),
    )


_k1, _k2 = Symbol("k_1", real=True), Symbol("k_2", real=True)


def chart_above(factor: Expr, *kept: Symbol) -> dict[Symbol, Any]:
    """Matrices with $A = factor * C + k k^T$; the symbols `kept` are drawn as they are."""
    ranges = {_k1: (-12, 12), _k2: (-12, 12), c1: (0, 120), c2: (0, 4), x1: (-10, 10), x2: (-10, 10)}
    ranges |= dict.fromkeys(kept, (0, 4))
    return {**ranges, a11: factor * c1 + _k1**2, a22: factor * c2 + _k2**2, a12: _k1 * _k2}


def chart_at_threshold(factor: Expr, *kept: Symbol) -> dict[Symbol, Any]:
    """The same, with a point on the first axis that is at the clipping threshold."""
    above = chart_above(factor, *kept) | {a11: factor * c1**2 + _k1**2, radius: (0, 4)}
    return {**above, c1: (0, 12, c1**2), x1: radius * c1, x2: 0 * c1}


_IN_UNITS = {c1: S * c1, c2: S * c2, level: level / S, radius: radius / sqrt(S)}
#: With s C for C the same test has the level rho/s and the same clipping the threshold R_c/sqrt(s).
UNIT_OF_MATRIX = Scaling("the unit of C", _IN_UNITS, {"rho stays": {k: v for k, v in _IN_UNITS.items() if k != level}})
