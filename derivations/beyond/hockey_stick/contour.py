r"""The bent contour of the certified hockey-stick divergence: its path, its exponent, and the bounds on what is left out.

With $s = t - wt^2/4$ on a line $\mathrm{Re}\,t = c$ the tilted variance is a square, $q_s = r^2$ with $r = 1 - wt/2$, and the exponent
$K(s) - sx$ becomes $Av/r^2 + Br^2 - d\log r$ up to a constant. On the line $r = \rho - iu$ with $u = wy/2$; with $S = \rho^2$ and
$U = u^2$ everything that bounds the integrand is an inequality between rational functions of $S$ and $U$. The rule
itself is Poisson's summation formula, quoted where the claim about its residues uses it.
"""

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, d
from ...theorems import POISSON, RESIDUES
from .loss_notation import UNEQUAL, D, any_excess, cumulant, epsilon, page as _privacy_loss, radius2, s, v, w as excess

page = Page("beyond", "contour formula of the hockey-stick divergence", NOTATION, _privacy_loss)
_t = page.real("t", "parameter of the path")
_r = page.positive("r", "1 - w t / 2")
_x = page.real("x", "level of the privacy loss")
_w = any_excess
_path = named("s", _t - _w * _t**2 / 4)
_root = named("r", 1 - _w * _t / 2)

path = page.identity(
    "beyond:contour-path",
    "The path on which the tilted variance is a square",
    both(
        eq(1 - _path * _w, _root**2),
        eq(_path, _t * (1 + _root) / 2),
        eq(_w * (_path + 1), 1 + _w - _root**2),
        eq(Derivative(_path, _t), _root),
    ),
    "All are identities of polynomials, so that they hold for complex $t$.",
    by=(Identity(), Smt()),
    wrong={
        "half of the bend": eq(1 - (_t - _w * _t**2 / 8) * _w, _root**2),
        "bent the other way": eq(1 - (_t + _w * _t**2 / 4) * _w, _root**2),
        "ds = dt": eq(Derivative(_path, _t), 1),
    },
)

_a = named("A", D**2 / (2 * _w**2))
_tilt = d * log(1 + _w) / 2 + _x
_b = named("B", _a + _tilt / _w)
_at_root = (1 - _r**2) / _w
_moments = named("K(s)", cumulant.subs({v: 1 + _w, s: _at_root}, simultaneous=True))
_exponent = _a * (1 + _w) / _r**2 + _b * _r**2 - d * log(_r) - _a * (2 + _w) - _tilt / _w

exponent = page.identity(
    "beyond:contour-exponent",
    "The exponent on the path",
    eq(_moments - _x * named("s", _at_root), _exponent),
    "The last two terms do not depend on $r$.",
    given=Hypothesis("the variances differ", ne(_w, 0)),
    points={D: (0, 4), _w: (-1, 4), d: (0, 40), _x: (-3, 3), _r: (0, 3)},
    wrong={
        "without v": _exponent - _a * _w / _r**2,
        "r^d for r^(d/2)": _exponent + d * log(_r) / 2,
        "the level with the other sign": _exponent - 2 * _x * (_r**2 - 1) / _w,
    },
    steps=("beyond:cumulant", "beyond:contour-path"),
    reading=r"On the real axis, where $r > 0$; both sides are analytic where $\mathrm{Re}\,r > 0$.",
)

_beta = named(r"\beta", D**2 / 8 + excess * (d * log(v) / 2 + epsilon) / 4)

decay = page.identity(
    "beyond:contour-decay-rate",
    "The rate of decay is a squared radius",
    both(
        eq(_beta, excess**2 * radius2 / (8 * v)),
        eq(_beta, named("B", _b.subs({_w: excess, _x: epsilon}, simultaneous=True)) * excess**2 / 4),
    ),
    "Where it is not positive the region is everything or nothing, and there is nothing to integrate.",
    given=UNEQUAL,
    points={D: (0, 4), v: (0, 6), d: (0, 40), epsilon: (-3, 3)},
    wrong={
        "without v": eq(_beta, excess**2 * radius2 / 8),
        "w for w^2": eq(_beta, excess * radius2 / (8 * v)),
        "D^2/4": eq(_beta + D**2 / 8, excess**2 * radius2 / (8 * v)),
    },
    steps="beyond:loss-rejection-region",
    reading="The level x is written as epsilon.",
)

_rho = page.positive("rho", "real part of r")
_u = page.real("u", "minus the imaginary part of r")
_modulus = _rho**2 + _u**2
_real_part = (_rho**2 - _u**2) / _modulus**2
_imaginary_part = 2 * _rho * _u / _modulus**2

real_parts = page.identity(
    "beyond:contour-real-part",
    "The real part of 1 / r^2",
    both(
        eq(_real_part * (_rho**2 - _u**2) + _imaginary_part * 2 * _rho * _u, 1),
        eq(printed(lambda: _imaginary_part * (_rho**2 - _u**2) - _real_part * (2 * _rho * _u)), 0),
    ),
    r"These are the real and the imaginary part of $r^2$ times $1/r^2$, where $r$ has the real part $\rho$ and the imaginary part $-u$.",
    by=(Identity(), Smt()),
    wrong={
        "a plus sign": eq((_rho**2 + _u**2) ** 2 / _modulus**2 + _imaginary_part * 2 * _rho * _u, 1),
        "the first power of the modulus": eq(
            _real_part * _modulus * (_rho**2 - _u**2) + _imaginary_part * _modulus * 2 * _rho * _u, 1
        ),
    },
)

_s2 = page.positive("S", "square of the real part of r")
_u2 = page.nonnegative("U", "square of the imaginary part of r")
_later = page.nonnegative("m", "by how much U grows")
_ca = page.nonnegative("A", "A v")
_cb = page.positive("B", "coefficient of r^2")
_part = (_s2 - _u2) / (_s2 + _u2) ** 2

size = page.inequality(
    "beyond:contour-size",
    "The integrand decays at least like a Gaussian",
    le(_ca * _part + _cb * (_s2 - _u2), _ca / _s2 + _cb * _s2 - _cb * _u2),
    "On the left is the real part of the exponent on the line. The other factors, powers of $|r|$, $|t|$, $|1+r|$ and $|r^2-v|$ in the denominator, grow with $|y|$.",
    wrong={"twice the decay": _ca / _s2 + _cb * _s2 - 2 * _cb * _u2, "without A": _cb * _s2 - _cb * _u2},
    steps=("beyond:contour-exponent", "beyond:contour-real-part", "beyond:contour-pole-distance"),
)

_slope = (_u2 - 3 * _s2) / (_s2 + _u2) ** 3

slope = page.identity(
    "beyond:contour-slope",
    "How fast the real part of 1 / r^2 may rise",
    both(eq(Derivative(_part, _u2), _slope), eq(Derivative(_slope, _u2), 2 * (5 * _s2 - _u2) / (_s2 + _u2) ** 4)),
    wrong={
        "the square below": eq(Derivative(_part, _u2), (_u2 - 3 * _s2) / (_s2 + _u2) ** 2),
        "zero at 2 S": eq(Derivative(_part, _u2), (_u2 - 2 * _s2) / (_s2 + _u2) ** 3),
    },
)

steepest = page.inequality(
    "beyond:contour-steepest-rise",
    "The steepest rise",
    le(_slope, 1 / (108 * _s2**2)),
    "Both sides meet where $U$ is five times $S$; beyond that the left one falls.",
    wrong={"109": 1 / (109 * _s2**2), "direction": turned()},
    tightness=Tightness(
        108 * _slope.subs(_s2, 1), {_u2: (3, 20)}, r"the slope over its bound, for $S = 1$", plot=(_u2,)
    ),
)

tail = page.inequality(
    "beyond:contour-tail",
    "The nodes that are left out",
    le(_part.subs(_u2, _u2 + _later), _part + _later / (108 * _s2**2)),
    r"When $U$ grows by $m$: beyond a node the integrand falls at least at the rate $\beta - \frac{D^2v}8\cdot\frac1{108S^2}$, and a geometric series bounds what is left out.",
    wrong={"no rise at all": _part, "200": _part + _later / (200 * _s2**2)},
    steps=(Step("The slope.", "beyond:contour-slope"), Step("Its largest value.", "beyond:contour-steepest-rise")),
    reading=r"The rate is in $y^2$: $U = w^2y^2/4$ and $Av\,w^2/4 = D^2v/8$.",
)


def _distance(square: Expr) -> Expr:
    """|r^2 - v|^2 at a squared imaginary part of r."""
    return (_s2 - square - v) ** 2 + 4 * _s2 * square


pole_distance = page.inequality(
    "beyond:contour-pole-distance",
    "The distance from the pole at -1 grows along the line",
    le(_distance(_u2), _distance(_u2 + _later)),
    "These are values of $|r^2-v|^2$. So $|s+1|$, which is $|r^2-v|/|w|$, grows along the line.",
    wrong={"the real part alone": le((_s2 - _u2 - v) ** 2, (_s2 - _u2 - _later - v) ** 2), "direction": turned()},
)

_n = page.positive("n", "square root of v")


def _at_place(title: str, along: Expr, place: Expr | int) -> Expr:
    """A function on the path at a value of t."""
    return named(title, along.subs({_t: place, _w: _n**2 - 1}, simultaneous=True))


poles = page.identity(
    "beyond:contour-poles",
    "Where the poles are on the path",
    both(eq(_at_place("r", _root, -2 / (1 + _n)), _n), eq(_at_place("s", _path, -2 / (1 + _n)), -1)),
    "The other pole is at $t$ and $s$ both 0.",
    wrong={"at -1": eq(_at_place("s", _path, -1), -1), "1 + v below": eq(_at_place("s", _path, -2 / (1 + _n**2)), -1)},
)

_ratio = page.positive("x", "e^(-p |a - c|)", upper=1, upper_open=True)

residues = page.identity(
    "beyond:contour-residues-of-the-rule",
    "What a pole near the line adds to the rule",
    both(eq(1 + _ratio / (1 - _ratio), 1 / (1 - _ratio)), eq(-_ratio / (1 - _ratio), 1 / (1 - 1 / _ratio))),
    r"On the right of the line a pole adds its residue $R$ and the series of all shifted copies, on the left the series alone: what the rule lacks is $\frac R{1-e^{-p(a-c)}}$ on both sides.",
    by=(Identity(), Smt()),
    wrong={
        "the pole counted twice": eq(2 + _ratio / (1 - _ratio), 1 / (1 - _ratio)),
        "the left side with the other sign": eq(_ratio / (1 - _ratio), 1 / (1 - 1 / _ratio)),
    },
    steps=(
        POISSON.quoted(
            "The rule of step $h$ is the integral plus those of the shifted frequencies $kp$, $p = 2\\pi/h$.",
            "The integrand falls off as a Gaussian along the line and is analytic in a strip around it, so that its transform falls off exponentially.",
        ),
        RESIDUES.quoted(
            "The lines of these integrals are moved over the pole, which adds its residue to each.",
            "The integrand is analytic but for its poles.",
            "It falls off as a Gaussian between the lines.",
        ),
    ),
    reading=r"$x = e^{-p|a-c|}$; to the left of the line $e^{-p(a-c)} = 1/x$.",
)
