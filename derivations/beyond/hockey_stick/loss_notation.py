r"""Symbols of the privacy loss of two isotropic Gaussians: the pair, the loss, its level and its generating function.

In units of the second variance the pair is $P = N(De_1, vI)$ against $Q = N(0, I)$.
"""

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, d

page = Page("beyond", "privacy loss of two isotropic Gaussians", NOTATION)
D = page.nonnegative("D", "distance of the means, in standard deviations of Q per coordinate")
v = page.positive("v", "variance of P per coordinate, in units of that of Q")
z = page.real("z", "coordinate of the point along the line of the means, 0 at the mean of Q")
h = page.nonnegative("h", "squared distance of the point from the line of the means")
epsilon = page.real("epsilon", "level of the privacy loss")
s = page.real("s", "argument of the cumulant generating function: the Rényi order is 1 + s")
_n = page.real("n", "standard normal coordinate along the line of the means")
_k = page.nonnegative("k", "squared norm of the other standard normal coordinates")
any_excess = page.real("w", "v - 1", lower=-1, lower_open=True)
#: The excess of the variance.
w = named("w", v - 1)
#: The centre of the ball, on the line of the means.
centre = named("c", -D / w)
#: What the tilted variance is divided by.
qs = named("q_s", 1 - s * w)
UNEQUAL = Hypothesis("the variances differ", ne(v, 1))
FINITE = Hypothesis("the moment is finite", gt(qs, 0), "for w > 0: s < 1/w; for w < 0: s > 1/w")
#: The privacy loss as completing the square leaves it.
loss = named("L", (w * ((z - centre) ** 2 + h) / v - d * log(v) - D**2 / w) / 2)
#: The squared radius of the ball where the loss is epsilon; no ball is left where it is negative.
radius2 = named("r^2", v * (2 * epsilon + d * log(v) + D**2 / w) / w)
#: The cumulant generating function log E_P exp(s L).
cumulant = named("K(s)", D**2 * s * (s + 1) / (2 * qs) - d / 2 * (log(qs) + s * log(v)))
#: Sizes at which nothing overflows.
SIZES = {
    D: (0, 4), v: (Rational(1, 4), 4), d: (0, 40), z: (-4, 4), h: (0, 9), epsilon: (-3, 3), s: (-4, 4),
    _n: (-4, 4), _k: (0, 40),
}  # fmt: skip


def sized(*symbols: Symbol) -> dict[Symbol, tuple[Expr | int, Expr | int]]:
    """The variables at moderate sizes, for choosing points."""
    return {x: SIZES[x] for x in symbols}


def log_density(squared: Expr, variance: Expr) -> Expr:
    """The logarithm of a Gaussian density in dimension d at a squared distance from its mean."""
    return -d * (log(2 * pi) + log(variance)) / 2 - squared / (2 * variance)


def tilted(log_p: Expr, log_q: Expr) -> Expr:
    """The logarithm of P^(1+s) Q^(-s)."""
    return (1 + s) * log_p - s * log_q


#: The two laws, and points of them: the second is near the end of the range of s, the last has one mean.
UNIT_PAIR = Outputs((D,), (), d, variances=(v, Integer(1)))
LAW_POINTS = tuple(
    {
        v: Rational(a),
        D: Rational(b),
        s: Rational(c),
        d: Integer(n),
        epsilon: Rational(e),
        z: Integer(1),
        h: Integer(0 if n == 1 else 2),
    }
    for a, b, c, n, e in (
        ("6/5", "1", "1/2", 3, "1/2"),
        ("1/2", "1", "1/4", 1, "1/4"),
        ("101/100", "2", "1", 1000, "2"),
        ("2", "1/3", "99/100", 2, "1"),
        ("3/2", "0", "1/10", 30, "1/2"),
    )
)
LOG_MOMENT = by_outputs(cumulant, Renyi(1 + s), UNIT_PAIR, LAW_POINTS, LAW_POINTS[:1], scale=s)
