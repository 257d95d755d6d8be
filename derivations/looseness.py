r"""Looseness of the bounds of Sections 5 and 6: each bound over what it bounds, on a family that shows the spread.

A bound of the gradient-descent theory speaks of quadratic forms, operator norms or whole classes of functions, where a ratio has no range
of its own: it is infinite where what is bounded vanishes. Each ratio here is taken on a family of the claim's own case, in units in which it
has few parameters, over a closed box: a record at an angle to the eigenvectors of a matrix with the condition number $\kappa$, a quadratic
with one curvature, vectors on a line. Its infimum says how sharp the bound can be, its supremum how loose it gets.
"""

from typing import Any

from sympy import Rational, symbols

from rgm_verify.claims import Tightness

kappa, u, a, b, s, k, x, y, z, d, lam = symbols("kappa u a b s k x y z d lambda", positive=True)
HALF, TENTH = Rational(1, 2), Rational(1, 10)

# ---------------------------------------------------------------------- a record and a matrix with two eigenvalues
# In the basis of eigenvectors the matrix is diag(kappa, 1), and u the share of the record's squared length along the second.
inverse = (1 - u) / kappa + u
inverse_square = (1 - u) / kappa**2 + u
BOX = {kappa: (1, 100), u: (0, 1)}
AT_100: dict[str, Any] = {"plot": (u,), "at": {kappa: 100}}
GAIN = (1 + kappa) ** 2 / (4 * kappa)

LEVERAGE = Tightness(
    kappa * inverse**2 / inverse_square,
    BOX,
    r"the bound by $\kappa$ over the relative term, in the plane: $u$ is the record's share along the small eigenvalue",
    **AT_100,
)
CONDITION_NUMBER = Tightness(
    GAIN,
    {kappa: (1, 100)},
    r"the factor $\frac{(1+\kappa)^2}{4\kappa}$ of the bound: how far it is above what holds for $A = \rho C$",
)

# -------------------------------------------------------------------------------------------- sums of three vectors
ON_A_LINE = {a: (0, 1), b: (0, 1)}
THREE_SQUARES = Tightness(
    3 * (1 + a**2 + b**2) / (1 + a + b) ** 2,
    ON_A_LINE,
    r"the bound over the square, for three vectors on a line of lengths $1$, $a$ and $b$ that add up",
)
TRIANGLE = Tightness(
    (6 + 3 * x**2) / (2 + x) ** 2,
    {x: (0, 4)},
    r"the bound over the square of the triangle inequality, for an absolute part of $x$ times the relative part of each record",
)

# ------------------------------------------------------------------------------------------ functions of one curvature
# f = (lambda/2) x^2 with mu <= lambda <= L = 1, mu = 1/10; k = 1 + gamma d, and s = k L tau, which is at most 1.
tau = s / k
once = 1 - 2 * tau * lam + k * tau**2 * lam**2
STEP = {lam: (TENTH, 1), s: (TENTH, 1), k: (2, 5)}
GRADIENT = Tightness(
    1 / lam, {lam: (TENTH, 1)}, r"the bound over the squared gradient, on $\frac\lambda2x^2$ with $L = 1$"
)
