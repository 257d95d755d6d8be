r"""Looseness of the bounds of Sections 5 and 6: each bound over what it bounds, on a family that shows the spread.

A bound of the gradient-descent theory speaks of quadratic forms, operator norms or whole classes of functions, where a ratio has no range
of its own: it is infinite where what is bounded vanishes. Each ratio here is taken on a family of the claim's own case, in units in which it
has few parameters, over a closed box: a record at an angle to the eigenvectors of a matrix with the condition number $\kappa$, a quadratic
with one curvature, vectors on a line. Its infimum says how sharp the bound can be, its supremum how loose it gets.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Max, Rational, Symbol, exp, log

from rgm_verify.claims import Tightness


def _symbol(name: str) -> Symbol:
    return Symbol(name, positive=True)


def _over(ratio: Expr, ranges: Mapping[Symbol, Any], meaning: str, **shown: Any) -> tuple[Tightness, ...]:
    """The one ratio of a claim; `shown` says along which variable it is drawn, and where the others are."""
    return (Tightness(ratio, ranges, meaning, **shown),)


_kappa, _u, _a, _b, _s, _k, _x, _z = (_symbol(n) for n in ("kappa", "u", "a", "b", "s", "k", "x", "z"))
_HALF, _TENTH = Rational(1, 2), Rational(1, 10)

# ---------------------------------------------------------------------- a record and a matrix with two eigenvalues
# In the basis of eigenvectors the matrix is diag(kappa, 1), and u the share of the record's squared length along the second.
_inverse: Expr = (1 - _u) / _kappa + _u
_inverse_square: Expr = (1 - _u) / _kappa**2 + _u
_BOX = {_kappa: (1, 100), _u: (0, 1)}
_AT_100: dict[str, Any] = {"plot": (_u,), "at": {_kappa: 100}}
_GAIN = (1 + _kappa) ** 2 / (4 * _kappa)

LEVERAGE = _over(
    _kappa * _inverse**2 / _inverse_square,
    _BOX,
    r"the bound by $\kappa$ over the relative term, in the plane: $u$ is the record's share along the small eigenvalue",
    **_AT_100,
)
DIRECT = _over(
    1 / _inverse_square,
    _BOX,
    r"the direct bound over the relative term, for the longest record, in the plane: $u$ is its share along the small eigenvalue",
    **_AT_100,
)
KANTOROVICH = _over(
    _GAIN * _inverse**2 / _inverse_square,
    _BOX,
    r"the bound over what it bounds, in the plane: $u$ is the record's share along the small eigenvalue",
    **_AT_100,
)
CONDITION_NUMBER = _over(
    _GAIN,
    {_kappa: (1, 100)},
    r"the factor $\frac{(1+\kappa)^2}{4\kappa}$ of the bound: how far it is above what holds for $A = \rho C$",
)
ELLIPSOID = _over(
    _kappa / ((_kappa * (1 - _u) + _u) * _inverse),
    _BOX,
    r"the bound over $|x|^2x^\top A^{-2}x$ for $A = \rho C$, in the plane: $u$ is the share of $x^\top C^{-1}x$ along the small eigenvalue of $C$",
    **_AT_100,
)
PRINTED_CLIPPING = _over(
    1 / _GAIN, {_kappa: (1, 100)}, r"the printed $\eta^2$ over the proved one, by the condition number of $C$"
)

# -------------------------------------------------------------------------------------------- sums of three vectors
_ON_A_LINE = {_a: (0, 1), _b: (0, 1)}
THREE_SQUARES = _over(
    3 * (1 + _a**2 + _b**2) / (1 + _a + _b) ** 2,
    _ON_A_LINE,
    r"the bound over the square, for three vectors on a line of lengths $1$, $a$ and $b$ that add up",
)
ONE_RECORD = _over(
    3 * (1 + _a**2) / (1 - _a) ** 2,
    {_a: (0, Rational(9, 10))},
    r"the relative part of (10) over the least possible one, for two records on a line whose squared lengths have the ratio $a$",
)
TWO_PARTS = _over(
    (Rational(3, 2) + 3 * _x**2) / (1 + _x) ** 2,
    {_x: (0, 4)},
    r"the bound at $t = \frac12$ over $(e|g| + r)^2$, the largest value, for $r = x\,e|g|$",
)
TRIANGLE = _over(
    (6 + 3 * _x**2) / (2 + _x) ** 2,
    {_x: (0, 4)},
    r"the bound over the square of the triangle inequality, for an absolute part of $x$ times the relative part of each record",
)
ABSOLUTE = _over(
    (1 + _x) ** 2 / (1 + _x**2 + 2 * _x * _u),
    {_x: (0, 1), _u: (0, 1)},
    r"the bound over the square, for parts with the ratio $x$ at an angle of cosine $u$",
)

# ------------------------------------------------------------------------------------------ functions of one curvature
# f = (lambda/2) x^2 with mu <= lambda <= L = 1, mu = 1/10; k = 1 + gamma d, and s = k L tau, which is at most 1.
_lam = _symbol("lambda")
_tau = _s / _k
_once: Expr = 1 - 2 * _tau * _lam + _k * _tau**2 * _lam**2
_STEP = {_lam: (_TENTH, 1), _s: (_TENTH, 1), _k: (2, 5)}
GRADIENT = _over(
    1 / _lam, {_lam: (_TENTH, 1)}, r"the bound over the squared gradient, on $\frac\lambda2x^2$ with $L = 1$"
)
PROGRESS = _over(
    (1 - 2 * _tau * _lam + _s * _tau * _lam) / _once,
    _STEP,
    r"the bound over the second moment after one step without baseline noise, on $\frac\lambda2x^2$ with $L = 1$, $k = 1+\gamma d$, $\tau = s/k$",
    at={_lam: 1, _k: 2},
    plot=(_s,),
)
ONE_STEP = _over(
    (1 - _tau / 10) / _once,
    _STEP,
    r"the bound over the second moment after one step without baseline noise, on $\frac\lambda2x^2$ with $\mu = \frac1{10}$, $L = 1$, $k = 1+\gamma d$, $\tau = s/k$",
    at={_lam: 1, _k: 2},
    plot=(_s,),
)
NOISE_FLOOR = _over(
    10 * _lam * (2 - _s * _lam),
    {_lam: (_TENTH, 1), _s: (_TENTH, 1)},
    r"the noise term $d\tau\sigma^2/\mu$ over what remains on $\frac\lambda2|\theta|^2$, with $\mu = \frac1{10}$, $L = 1$, $s = (1+\gamma d)L\tau$",
)
_d = _symbol("d")
PRINTED_FLOOR = _over(
    (2 - _s) / _d,
    {_s: (_TENTH, 1), _d: (1, 100)},
    r"the printed noise term $\tau\sigma^2/\mu$ over what remains on $\frac\mu2|\theta|^2$ in $d$ dimensions, with $s = (1+\gamma d)\mu\tau$",
    plot=(_d,),
)
INTERPOLATION = _over(
    Rational(11, 10) * _lam / (_lam**2 + _TENTH),
    {_lam: (_TENTH, 1)},
    r"the left side over the right one, on $\frac\lambda2x^2$ with $\mu = \frac1{10}$, $L = 1$",
)
CONVEX_STEP = _over(
    2 - _s * _lam,
    {_lam: (_TENTH, 1), _s: (_TENTH, 1)},
    r"the right side over the left one, on $\frac\lambda2x^2$ with $L = 1$, $s = (1+\gamma d)\tau$",
)
RECORD_BY_GRADIENT = _over(
    _x / _a,
    {_x: (1, 10), _a: (_TENTH, 1)},
    r"the bound over the squared gradient of the record, for curvatures $aL$ of the record and $x\mu$ of the objective",
)

# ------------------------------------------------------------------------------------------- propose-test-release
TRACE = _over(
    2 / (1 + _u),
    {_u: (0, 1)},
    r"the sum of the norms over the largest eigenvalue, for two points of length 1 at an angle of cosine $u$",
)
PRINTED_THRESHOLD = _over(
    2 * exp(-_x),
    {_x: (_TENTH, Rational(69, 100))},
    r"$\delta$ over the probability that a statistic of 1 passes the printed threshold, by $x = \varepsilon$",
)

# ------------------------------------------------------------------------------------------------ Gaussian features
BERNSTEIN = _over(
    16 / (8 + 4 * _z / 3),
    {_z: (0, 6)},
    r"the exponent of the tail bound over the simplified one, for a deviation of $z$ times $LR_c^2$",
)
VARIANCE = _over(
    4 * _x / _b,
    {_x: (1, 50), _b: (_HALF, 1)},
    r"the printed bound on the variance over the proved one $L^2\bar\rho R_c^2/n$, for $x = R_c^2$ and $b = \bar\rho$",
)
LOGARITHM = _over(2 * _z / (3 * log(_z)), {_z: (2, 20)}, r"$\frac23z$ over $\log z$")
_y = _symbol("y")
LEVEL_STEP = _over(4 * _y / (log(6 * _y) + 1), {_y: (1, 20)}, r"the right side over the left one")
SHARE = _over(Rational(25, 4) * _x**2, {_x: (Rational(2, 5), 1)}, r"the bound over what it bounds, by $x = \rho$")

# -------------------------------------------------------------------------------------------------- two nodes
TWO_NODES = _over(
    _s**2 / Max(2 - _s, _s - 1) ** 2,
    {_s: (1, 2)},
    r"the bound over the largest squared difference of the gradients, for records in $[1, 2]$ and the record $s$ at hand",
)
PRINTED_NODES = _over(
    1 / (_x * (_x - 1)),
    {_x: (Rational(11, 10), 10)},
    r"the printed $\eta$ over the least one, for $x = \alpha_{\max}/\alpha_{\min}$",
)
NO_MORE_NOISE = _over(
    _x**2,
    {_x: (1, 10)},
    r"the variance of relative noise over that of the Gaussian mechanism, for a record of $x$ times the smallest one",
)
NODES_STEP = _over(
    2 * _x / (1 + _z),
    {_x: (1, 2), _z: (0, 1)},
    r"the step that is allowed over the step that is taken, for $x = \Lambda/L$ and $z = \gamma d$",
)
