r"""The bent contour of the certified hockey-stick divergence: its path, its exponent, and the bounds on what is left out.

With $s = t - wt^2/4$ on a line $\mathrm{Re}\,t = c$ the tilted variance is a square, $q_s = r^2$ with $r = 1 - wt/2$, and the exponent
$K(s) - sx$ becomes $Av/r^2 + Br^2 - d\log r$ up to a constant. On the line $r = \rho - iu$ with $u = wy/2$; with $S = \rho^2$ and
$U = u^2$ everything that bounds the integrand is an inequality between rational functions of $S$ and $U$. The rule
itself is Poisson's summation formula, quoted where the claim about its residues uses it.
"""

from sympy import Derivative, Expr, diff, log

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    Tightness,
    both,
    eq,
    ge,
    le,
    ne,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Identity, Smt

from ..rgm.notation import DIMENSION, d
from ..theorems import POISSON, RESIDUES
from .privacy_loss import EXCESS, SHIFT, UNEQUAL, VARIANCE, D, cumulant, epsilon, radius2, s, v
from .privacy_loss import w as excess

_WHERE = "contour formula of the hockey-stick divergence"
_T = real("t", "parameter of the path")
_R = positive("r", "1 - w t / 2")
_X = real("x", "level of the privacy loss")
_t, _r, _x, _w = (z.symbol for z in (_T, _R, _X, EXCESS))
_DIFFERENT = Hypothesis("the variances differ", ne(_w, 0))
_path = _t - _w * _t**2 / 4
_root = 1 - _w * _t / 2

path = Claim(
    id="beyond:contour-path",
    title="The path on which the tilted variance is a square",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"With $s = t - wt^2/4$ and $r = 1 - wt/2$: $1 - sw = r^2$, $s = t(1+r)/2$, $w(s+1) = v - r^2$ and $ds = r\,dt$. All are identities of "
        r"polynomials, so they hold for complex $t$."
    ),
    variables=(EXCESS, _T),
    conclusion=both(
        eq(1 - _path * _w, _root**2),
        eq(_path, _t * (1 + _root) / 2),
        eq(_w * (_path + 1), 1 + _w - _root**2),
        eq(Derivative(_path, _t), _root),
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("half of the bend", eq(1 - (_t - _w * _t**2 / 8) * _w, _root**2)),
        Mutant("bent the other way", eq(1 - (_t + _w * _t**2 / 4) * _w, _root**2)),
        Mutant("ds = dt", eq(Derivative(_path, _t), 1)),
    ),
)

_a = D**2 / (2 * _w**2)
_tilt = d * log(1 + _w) / 2 + _x
_b = _a + _tilt / _w
_on_path = cumulant.subs({v: 1 + _w, s: (1 - _r**2) / _w}, simultaneous=True) - _x * (1 - _r**2) / _w
_exponent = _a * (1 + _w) / _r**2 + _b * _r**2 - d * log(_r) - _a * (2 + _w) - _tilt / _w

exponent = Claim(
    id="beyond:contour-exponent",
    title="The exponent on the path",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"With $A = \frac{D^2}{2w^2}$ and $B = A + \frac1w(\frac d2\log v + x)$: $K(s) - sx = A\frac v{r^2} + Br^2 - d\log r$ up to the constant "
        r"$-A(1+v) - \frac1w(\frac d2\log v + x)$."
    ),
    reading=r"On the real axis, where $r > 0$; both sides are analytic where $\mathrm{Re}\,r > 0$.",
    variables=(SHIFT, EXCESS, DIMENSION, _X, _R),
    hypotheses=(_DIFFERENT,),
    conclusion=eq(_on_path, _exponent),
    checks=(Identity(),),
    derivation=(
        Step(claim="beyond:cumulant"),
        Step(claim="beyond:contour-path"),
    ),
    sampling=Chart({D: (0, 4), _w: (-1, 4), d: (0, 40), _x: (-3, 3), _r: (0, 3)}, {}),
    mutants=(
        Mutant("without v", eq(_on_path, _exponent - _a * _w / _r**2)),
        Mutant("r^d for r^(d/2)", eq(_on_path, _exponent + d * log(_r) / 2)),
        Mutant("the level with the other sign", eq(_on_path, _exponent - 2 * _x * (_r**2 - 1) / _w)),
    ),
)

_beta = D**2 / 8 + excess * (d * log(v) / 2 + epsilon) / 4

decay = Claim(
    id="beyond:contour-decay-rate",
    title="The rate of decay is a squared radius",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$\beta = \frac{Bw^2}4 = \frac{D^2}8 + \frac w4(\frac d2\log v + x)$ is $\frac{w^2}{8v}$ times the squared radius of the ball at level $x$: where it is not "
        r"positive the region is everything or nothing, and there is nothing to integrate."
    ),
    reading="The level x is written as epsilon.",
    variables=(SHIFT, VARIANCE, DIMENSION, real("epsilon", "level of the privacy loss")),
    hypotheses=(UNEQUAL,),
    conclusion=both(
        eq(_beta, excess**2 * radius2 / (8 * v)),
        eq(_beta, _b.subs({_w: excess, _x: epsilon}, simultaneous=True) * excess**2 / 4),
    ),
    checks=(Identity(),),
    derivation=(Step(claim="beyond:loss-rejection-region"),),
    sampling=Chart({D: (0, 4), v: (0, 6), d: (0, 40), epsilon: (-3, 3)}, {}),
    mutants=(
        Mutant("without v", eq(_beta, excess**2 * radius2 / 8)),
        Mutant("w for w^2", eq(_beta, excess * radius2 / (8 * v))),
        Mutant("D^2/4", eq(_beta + D**2 / 8, excess**2 * radius2 / (8 * v))),
    ),
)

_RHO = positive("rho", "real part of r")
_IMAGINARY = real("u", "minus the imaginary part of r")
_rho, _u = _RHO.symbol, _IMAGINARY.symbol
_modulus = _rho**2 + _u**2
_real_part = (_rho**2 - _u**2) / _modulus**2
_imaginary_part = 2 * _rho * _u / _modulus**2

real_parts = Claim(
    id="beyond:contour-real-part",
    title="The real part of 1 / r^2",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"For $r = \rho - iu$: $r^2 = \rho^2 - u^2 - 2i\rho u$, and $\frac{\rho^2-u^2}{(\rho^2+u^2)^2} + i\frac{2\rho u}{(\rho^2+u^2)^2}$ times it is 1; the formula "
        r"is the real and the imaginary part of that product."
    ),
    variables=(_RHO, _IMAGINARY),
    conclusion=both(
        eq(_real_part * (_rho**2 - _u**2) + _imaginary_part * 2 * _rho * _u, 1),
        eq(printed(lambda: _imaginary_part * (_rho**2 - _u**2) - _real_part * (2 * _rho * _u)), 0),
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("a plus sign", eq((_rho**2 + _u**2) ** 2 / _modulus**2 + _imaginary_part * 2 * _rho * _u, 1)),
        Mutant(
            "the first power of the modulus",
            eq(_real_part * _modulus * (_rho**2 - _u**2) + _imaginary_part * _modulus * 2 * _rho * _u, 1),
        ),
    ),
)

_S = positive("S", "square of the real part of r")
_U = nonnegative("U", "square of the imaginary part of r")
_LATER = nonnegative("m", "by how much U grows")
_CA = nonnegative("A", "A v")
_CB = positive("B", "coefficient of r^2")
_s2, _u2, _later, _ca, _cb = (z.symbol for z in (_S, _U, _LATER, _CA, _CB))
_part = (_s2 - _u2) / (_s2 + _u2) ** 2

size = Claim(
    id="beyond:contour-size",
    title="The integrand decays at least like a Gaussian",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"The real part of the exponent on the line, $Av\frac{S-U}{(S+U)^2} + B(S-U)$, is at most its value at $U = 0$ less $BU = \beta y^2$. The other "
        r"factors, powers of $|r|$, $|t|$, $|1+r|$ and $|r^2-v|$ in the denominator, grow with $|y|$."
    ),
    variables=(_S, _U, _CA, _CB),
    conclusion=le(_ca * _part + _cb * (_s2 - _u2), _ca / _s2 + _cb * _s2 - _cb * _u2),
    checks=(Smt(),),
    derivation=(
        Step(claim="beyond:contour-exponent"),
        Step(claim="beyond:contour-real-part"),
        Step(claim="beyond:contour-pole-distance"),
    ),
    mutants=(
        Mutant("twice the decay", le(_ca * _part + _cb * (_s2 - _u2), _ca / _s2 + _cb * _s2 - 2 * _cb * _u2)),
        Mutant("without A", le(_ca * _part + _cb * (_s2 - _u2), _cb * _s2 - _cb * _u2)),
    ),
)

slope = Claim(
    id="beyond:contour-slope",
    title="How fast the real part of 1 / r^2 may rise",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"The derivative of $\frac{S-U}{(S+U)^2}$ in $U$ is $\frac{U-3S}{(S+U)^3}$, which vanishes at $3S$ and has its own derivative $\frac{2(5S-U)}{(S+U)^4}$.",
    variables=(_S, _U),
    conclusion=both(
        eq(diff(_part, _u2), (_u2 - 3 * _s2) / (_s2 + _u2) ** 3),
        eq(diff((_u2 - 3 * _s2) / (_s2 + _u2) ** 3, _u2), 2 * (5 * _s2 - _u2) / (_s2 + _u2) ** 4),
    ),
    checks=(Identity(),),
    mutants=(
        Mutant("the square below", eq(diff(_part, _u2), (_u2 - 3 * _s2) / (_s2 + _u2) ** 2)),
        Mutant("zero at 2 S", eq(diff(_part, _u2), (_u2 - 2 * _s2) / (_s2 + _u2) ** 3)),
    ),
)

_slope = (_u2 - 3 * _s2) / (_s2 + _u2) ** 3

steepest = Claim(
    id="beyond:contour-steepest-rise",
    title="The steepest rise",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$\frac{U-3S}{(S+U)^3} \le \frac1{108S^2}$, with equality at $U = 5S$; beyond $5S$ it falls.",
    variables=(_S, _U),
    conclusion=le(_slope, 1 / (108 * _s2**2)),
    checks=(Smt(),),
    mutants=(
        Mutant("109", le(_slope, 1 / (109 * _s2**2))),
        Mutant("direction", ge(_slope, 1 / (108 * _s2**2))),
    ),
    tightness=(
        Tightness(
            108 * _slope.subs(_s2, 1),
            {_u2: (3, 20)},
            r"the slope over its bound, for $S = 1$",
            plot=(_u2,),
        ),
    ),
)

tail = Claim(
    id="beyond:contour-tail",
    title="The nodes that are left out",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"From $U$ on the real part of $1/r^2$ rises by at most $\frac m{108S^2}$ when $U$ grows by $m$: beyond a node the integrand falls at least at "
        r"the rate $\beta' = \beta - \frac{D^2v}8\cdot\frac1{108S^2}$, and what is left out is bounded by a geometric series."
    ),
    reading=r"The rate is in $y^2$: $U = w^2y^2/4$ and $Av\,w^2/4 = D^2v/8$.",
    variables=(_S, _U, _LATER),
    conclusion=le(_part.subs(_u2, _u2 + _later), _part + _later / (108 * _s2**2)),
    checks=(Smt(),),
    mutants=(
        Mutant("no rise at all", le(_part.subs(_u2, _u2 + _later), _part)),
        Mutant("200", le(_part.subs(_u2, _u2 + _later), _part + _later / (200 * _s2**2))),
    ),
    derivation=(
        Step("The slope.", "beyond:contour-slope"),
        Step("Its largest value.", "beyond:contour-steepest-rise"),
    ),
)


def _distance(square: Expr) -> Expr:
    """|r^2 - v|^2 at a squared imaginary part of r."""
    return (_s2 - square - v) ** 2 + 4 * _s2 * square


pole_distance = Claim(
    id="beyond:contour-pole-distance",
    title="The distance from the pole at -1 grows along the line",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$|r^2-v|^2 = (S-U-v)^2 + 4SU$ grows with $U$, and with it $|s+1| = |r^2-v|/|w|$.",
    variables=(_S, _U, _LATER, VARIANCE),
    conclusion=le(_distance(_u2), _distance(_u2 + _later)),
    checks=(Smt(),),
    mutants=(
        Mutant("the real part alone", le((_s2 - _u2 - v) ** 2, (_s2 - _u2 - _later - v) ** 2)),
        Mutant("direction", ge(_distance(_u2), _distance(_u2 + _later))),
    ),
)

_ROOT_V = positive("n", "square root of v")
_n = _ROOT_V.symbol

poles = Claim(
    id="beyond:contour-poles",
    title="Where the poles are on the path",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"$t = 0$ is $s = 0$. At $t = -\frac2{1+\sqrt v}$, $r = \sqrt v$ and $s = -1$.",
    variables=(_ROOT_V,),
    conclusion=both(
        eq(_root.subs({_t: -2 / (1 + _n), _w: _n**2 - 1}, simultaneous=True), _n),
        eq(_path.subs({_t: -2 / (1 + _n), _w: _n**2 - 1}, simultaneous=True), -1),
    ),
    checks=(Identity(),),
    mutants=(
        Mutant("at -1", eq(_path.subs({_t: -1, _w: _n**2 - 1}, simultaneous=True), -1)),
        Mutant("1 + v below", eq(_path.subs({_t: -2 / (1 + _n**2), _w: _n**2 - 1}, simultaneous=True), -1)),
    ),
)

_RATIO = positive("x", "e^(-p |a - c|)", upper=1, upper_open=True)
_ratio = _RATIO.symbol

residues = Claim(
    id="beyond:contour-residues-of-the-rule",
    title="What a pole near the line adds to the rule",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"For a pole at $a$ with residue $R$ the rule of step $h = 2\pi/p$ on the line through $c$ lacks $\frac R{1-e^{-p(a-c)}}$: on the right of the line it is $R$ and the "
        r"series of all shifted copies, $R(1 + \frac x{1-x})$, on the left the series alone, $-R\frac x{1-x}$; one formula for both sides."
    ),
    reading=r"$x = e^{-p|a-c|}$; to the left of the line $e^{-p(a-c)} = 1/x$.",
    variables=(_RATIO,),
    conclusion=both(
        eq(1 + _ratio / (1 - _ratio), 1 / (1 - _ratio)),
        eq(-_ratio / (1 - _ratio), 1 / (1 - 1 / _ratio)),
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("the pole counted twice", eq(2 + _ratio / (1 - _ratio), 1 / (1 - _ratio))),
        Mutant("the left side with the other sign", eq(_ratio / (1 - _ratio), 1 / (1 - 1 / _ratio))),
    ),
    derivation=(
        Step(
            "The rule of step $h$ is the integral plus those of the shifted frequencies $kp$, $p = 2\\pi/h$.",
            theorem=POISSON,
            met={
                "decay": "The integrand falls off as a Gaussian along the line and is analytic in a strip around it, so that its transform falls off exponentially."
            },
        ),
        Step(
            "The lines of these integrals are moved over the pole, which adds its residue to each.",
            theorem=RESIDUES,
            met={
                "meromorphic": "The integrand is analytic but for its poles.",
                "decay": "It falls off as a Gaussian between the lines.",
            },
        ),
    ),
)
