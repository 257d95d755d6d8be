"""Examples for clipping: matrices that need the whole factor, two points that need 4, and dimension 1, where 1 is enough."""

from ...rgm.clipping_notation import *

page = Page("beyond", "", CLIPPING_NOTATION)

# Sharpness: C = diag(M, m), A = rho (C + j w w^T) with w orthogonal to u = (1/sqrt M, 1/sqrt m), and the x with C^{-1}x parallel to Cu; M = p^2, m = r^2.
p = page.positive("p", "root of the larger eigenvalue of C")
r = page.positive("r", "root of the smaller")
j = page.positive("j", "weight")
_w = (p, -r)
_x = (p**3, r**3)
_entries = (p**2 + j * _w[0] ** 2, j * _w[0] * _w[1], r**2 + j * _w[1] ** 2)
_det = _entries[0] * _entries[2] - _entries[1] ** 2
_moved = (_entries[2] * _x[0] - _entries[1] * _x[1]) ** 2 + (_entries[0] * _x[1] - _entries[1] * _x[0]) ** 2

_ratio = named(r"\rho^2\|A^{-1}x\|^2", _moved / _det**2) / named(
    r"\|C^{-1}x\|^2", _x[0] ** 2 / p**4 + _x[1] ** 2 / r**4
)

_sharp = named(r"\frac{(1+\kappa)^2}{4\kappa}", (p**2 + r**2) ** 2 / (4 * p**2 * r**2))

sharp = page.elsewhere("§5.3").inequality(
    "beyond:order-squared-sharp",
    "The factor of the order of squares cannot be lowered",
    both(ge(_ratio, (2 * j / (1 + 2 * j)) ** 2 * _sharp), le(_ratio, _sharp)),
    r"$C$ has the eigenvalues $p^2$ and $r^2$; $A$ is $\rho$ times $C$ and $j$ times the square of $(p, -r)$; $x$ is $(p^3, r^3)$. As $j$ grows the ratio comes arbitrarily close to the factor.",
    wrong={"reached": ge(_ratio, _sharp), "an upper bound": le(_ratio, (2 * j / (1 + 2 * j)) ** 2 * _sharp)},
)

# Two points x = (h, 1), x' = (h, -1) with A = diag(1, 1/h^2): the two rank-one parts add up.
h = page.positive("h", "first coordinate of both points", upper=1)
_each = (h**2 + 1) * (h**2 + h**4)

factor_four = page.elsewhere("§5.3, Proposition 1").identity(
    "beyond:proposition-1-four-needed",
    "A factor below 4 is not enough",
    eq((h * h - h * h) ** 2 + (2 * h) ** 2, 4 / (1 + h**2) ** 2 * _each),
    "The factor tends to 4 with $h$ to 0: both records, $(h, 1)$ and $(h, -1)$, contribute the last two factors.",
    wrong={"2 for 4": scaled("1/2"), "without the denominator": eq((2 * h) ** 2, 4 * _each)},
    reading=r"With C = A and $\rho = 1$ the order of squares is no issue, and $K = R_c^4$. The matrix A is that of many points, of which x is one.",
)

point = page.real("x", "the point that differs")
other = page.real("y", "the point in its place")
others = page.nonnegative("T", "sum of the squares of the other points")
reg = page.nonnegative("mu_reg", "regularization")
count = page.natural("n", "number of points")
c = page.positive("c", "the matrix C, in dimension 1")
_a_x, _a_y = named("A", (others + point**2) / count + reg), named("A'", (others + other**2) / count + reg)
_others = (count - 1) * radius**2 * c**2 * others

on_the_line = page.elsewhere("§5.3, Proposition 1").proposition(
    "beyond:proposition-1-on-the-line",
    "In dimension 1 the factor is 1, for both orders",
    both(
        le(level * count * (point**2 - other**2) / count, radius**2 * _a_x),
        le(level * count * (other**2 - point**2) / count, radius**2 * _a_x),
        le(level * count * (point**2 - other**2) / count, radius**2 * _a_y),
        le(level * count * (other**2 - point**2) / count, radius**2 * _a_y),
    ),
    "Without labels there is no absolute part.",
    given=(
        Hypothesis("x is clipped", le(point**2, radius**2 * c)),
        Hypothesis("y is clipped", le(other**2, radius**2 * c)),
        Hypothesis("A >= rho C", ge(_a_x, level * c)),
        Hypothesis("A' >= rho C", ge(_a_y, level * c)),
    ),
    points={
        radius: (0, 4),
        c: (0, 4, c**2),
        point: (-1, 1, radius * c * point),
        other: (-1, 1, radius * c * other),
        others: (0, 1, _others),
        count: (0, 20),
        reg: (0, 1),
        level: (0, 1, level * Min(*((_others + (radius * c * z) ** 2) / count + reg for z in (point, other))) / c**2),
    },
    wrong={
        "half of the constant": le(level * (point**2 - other**2), radius**2 * _a_x / 2),
        "one dataset only": without("A' >= rho C"),
    },
    reading="In dimension 1 the printed clipping is $x^2 \\le R_c^2c$.",
)
