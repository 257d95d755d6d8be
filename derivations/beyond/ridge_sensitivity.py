r"""Relative sensitivity of ridge regression over all records of a public domain, with sharp constants.

Records have $x^\top C^{-1}x \le R^2$ and $|y| \le Y$, the eigenvalues of $C$ lie in $[m, M]$, and at both neighbours $A \succcurlyeq \rho C$, $A \succcurlyeq lI$. In the
metric of $C$ the change $xx^\top - x'x'^\top$ is no larger than the larger of its two terms, so that nothing is lost to the triangle inequality:
$|(A_0-A_0')A^{-1}|^2 \le MR^4/(\rho l)$, which is $\kappa R^4/\rho^2$ for $l = \rho m$ and cannot be lowered. At the minimiser two records differ the most where they mirror
each other. Matrices of every size enter by inner products: with $u = A^{-1}g$ the numbers $|u|^2$, $u^\top Cu$, $u^\top Au = u^\top g$, $|g|^2$.
"""

from sympy import Expr, Matrix, Symbol, cos, eye, sin, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    both,
    eq,
    ge,
    gt,
    le,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Identity, Smt

from ..theorems import CAUCHY_SCHWARZ, SPECTRAL

_WHERE = "relative sensitivity of ridge regression over a domain"
_RADIUS, _LABELS = positive("R", "radius of the domain"), nonnegative("Y", "bound on the labels")
_LEVEL, _LEAST = positive("rho", "A is at least rho C"), positive("l", "lower bound on the eigenvalues of A")
_TOP = positive("M", "largest eigenvalue of C")
_radius, _labels, _level, _least, _top = (v.symbol for v in (_RADIUS, _LABELS, _LEVEL, _LEAST, _TOP))

# v^T S v for S = u u^T - u' u'^T: squares of inner products.
_V = nonnegative("V", "|v|^2")
_P, _Q = nonnegative("p", "(v.u)^2"), nonnegative("q", "(v.u')^2")
_v, _p, _q = _V.symbol, _P.symbol, _Q.symbol
_INSIDE = (
    Hypothesis("u in the ball", le(_p, _radius**2 * _v), "Cauchy-Schwarz, |u| <= R"),
    Hypothesis("u' in the ball", le(_q, _radius**2 * _v), "Cauchy-Schwarz, |u'| <= R"),
)

two_records = Claim(
    id="beyond:two-records-no-more-than-one",
    title="The change of two records is no larger than the larger one",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"For $|u|, |u'| \le R$ the symmetric matrix $uu^\top - u'u'^\top$ has a norm of at most $R^2$, not $2R^2$.",
    reading=r"In the metric of $C$: $u = C^{-1/2}x$.",
    variables=(_V, _P, _Q, _RADIUS),
    hypotheses=_INSIDE,
    conclusion=both(le(_p - _q, _radius**2 * _v), le(_q - _p, _radius**2 * _v)),
    checks=(Smt(),),
    sampling=Chart(
        {_radius: (0, 4), _v: (0, 4), _p: (0, 1), _q: (0, 1)},
        {_radius: _radius, _v: _v, _p: _p * _radius**2 * _v, _q: _q * _radius**2 * _v},
    ),
    mutants=(
        Mutant("half", both(le(_p - _q, _radius**2 * _v / 2), le(_q - _p, _radius**2 * _v / 2))),
        Mutant("one record free", hypotheses=_INSIDE[:1]),
    ),
    derivation=(
        Step(
            "The norm of a symmetric matrix is the largest modulus of $v^\\top Sv/|v|^2$.",
            theorem=SPECTRAL,
            met={"symmetric": "It is a difference of squares of vectors."},
        ),
        Step("$(v\\cdot u)^2 \\le |v|^2|u|^2$.", theorem=CAUCHY_SCHWARZ, met={"inner product": "It is the usual one."}),
    ),
)

_U, _S, _F, _G = (
    nonnegative("U", "|u|^2, u = A^-1 g"),
    nonnegative("s", "u^T C u"),
    nonnegative("f", "u^T A u = u.g"),
    nonnegative("G", "|g|^2"),
)
_W = nonnegative("W", "|(A_0 - A_0') u|^2")
_u, _s, _f, _g, _w = (v.symbol for v in (_U, _S, _F, _G, _W))
_IN_METRIC = Hypothesis(
    "the change in the metric of C", le(_w, _top * _radius**4 * _s), "|C^1/2 S C^1/2 u|^2 <= M R^4 |C^1/2 u|^2"
)
_ABOVE = Hypothesis("A >= rho C at u", le(_level * _s, _f))
_SPECTRUM = Hypothesis("A >= l at u", le(_least * _u, _f))
_CAUCHY = Hypothesis("Cauchy-Schwarz", le(_f**2, _u * _g))
_RELATIVE = (_IN_METRIC, _ABOVE, _SPECTRUM, _CAUCHY)
_EXTREME = Chart(
    {_radius: (0, 3), _level: (0, 3), _least: (0, 3), _top: (0, 3), _g: (0, 3)},
    {
        **{_radius: _radius, _level: _level, _least: _least, _top: _top, _g: _g},
        **{_u: _g / _least**2, _f: _g / _least, _s: _g / (_level * _least)},
        _w: _top * _radius**4 * _g / (_level * _least),
    },
)

relative = Claim(
    id="beyond:ridge-relative-part",
    title="The relative part over a domain",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"If $A \succcurlyeq \rho C$ and $A \succcurlyeq lI$, then $|(A_0-A_0')A^{-1}|^2 \le MR^4/(\rho l)$ for all records of the domain; $l = \rho m$ is allowed, where it is "
        r"$\kappa R^4/\rho^2$, and $l = \mu_{reg}$."
    ),
    reading=r"In any dimension, applied to a vector $g = Au$. For the ball $|x| \le B$ put $C = I$, so that it is $B^4/l^2$.",
    variables=(_TOP, _RADIUS, _LEVEL, _LEAST, _U, _S, _F, _G, _W),
    hypotheses=_RELATIVE,
    conclusion=le(_level * _least * _w, _top * _radius**4 * _g),
    checks=(Smt(),),
    sampling=_EXTREME,
    remark="The triangle inequality for the two records gives at least twice the root: at most a quarter of `beyond:proposition-1` in $\\eta^2$ remains, for both clippings.",
    derivation=(
        Step(
            "$f^2 = (u\\cdot g)^2 \\le |u|^2|g|^2$.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one."},
        ),
        Step("The change in the metric of C.", "beyond:two-records-no-more-than-one"),
        Step(r"$\rho s \le f$, and $f^2 \le |u|^2|g|^2 \le f|g|^2/l$."),
    ),
    mutants=(
        Mutant("half", le(2 * _level * _least * _w, _top * _radius**4 * _g)),
        Mutant("without the level", hypotheses=(_IN_METRIC, _SPECTRUM, _CAUCHY)),
        Mutant("without the spectrum", hypotheses=(_IN_METRIC, _ABOVE, _CAUCHY)),
        Mutant("not in the domain", hypotheses=_RELATIVE[1:]),
    ),
)

# Sharp: C = diag(p^2, q^2), records R (p, +-q)/sqrt 2, A = diag(a, rho (1 + h) q^2).
_ROOTS = positive("p", "root of the larger eigenvalue of C"), positive("q", "root of the smaller")
_A, _H, _N = (
    positive("a", "first eigenvalue of A"),
    positive("h", "what A is above the level"),
    positive("n", "number of records"),
)
_rp, _rq = (v.symbol for v in _ROOTS)
_a, _h, _n = _A.symbol, _H.symbol, _N.symbol
_one, _two = Matrix([_rp, _rq]) * _radius / sqrt(2), Matrix([_rp, -_rq]) * _radius / sqrt(2)
_change = _one * _one.T - _two * _two.T
_image = _change * Matrix([0, 1 / (_level * (1 + _h) * _rq**2)])
_moved = printed(lambda: _image[0] ** 2 + _image[1] ** 2)
_neighbour = (
    Matrix([[_a, 0], [0, _level * (1 + _h) * _rq**2]]) - _change / _n - _level * Matrix([[_rp**2, 0], [0, _rq**2]])
)

sharp = Claim(
    id="beyond:ridge-relative-part-sharp",
    title="The relative part over a domain cannot be lowered",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"For $C = \mathrm{diag}(p^2, q^2)$, the records $\frac R{\sqrt2}(p, \pm q)$ and $A = \mathrm{diag}(a, \rho(1+h)q^2)$ with $a$ large both neighbours are above $\rho C$, and "
        r"$|(A_0-A_0')A^{-1}e_2|^2 = \frac{\kappa R^4}{\rho^2(1+h)^2}$: as close to the bound as one likes."
    ),
    reading=r"$\kappa = p^2/q^2$. The records are on the edge of the domain; the neighbour's order is judged by the determinant and an entry of $A' - \rho C$.",
    variables=(*_ROOTS, _RADIUS, _LEVEL, _A, _H, _N),
    hypotheses=(Hypothesis("a is large", ge((_a - _level * _rp**2) * _level * _h * _n**2, _radius**4 * _rp**2)),),
    conclusion=both(
        eq(printed(lambda: _one[0] ** 2 / _rp**2 + _one[1] ** 2 / _rq**2), _radius**2),
        eq(_moved, _rp**2 / _rq**2 * _radius**4 / (_level * (1 + _h)) ** 2),
        ge(_neighbour[0, 0] * _neighbour[1, 1] - _neighbour[0, 1] ** 2, 0),
        gt(_neighbour[1, 1], 0),
    ),
    checks=(Smt(),),
    sampling=Chart(
        {_rp: (0, 3), _rq: (0, 3), _radius: (0, 3), _level: (0, 3), _h: (0, 1), _n: (0, 9), _a: (0, 1)},
        {
            **{_rp: _rp, _rq: _rq, _radius: _radius, _level: _level, _h: _h, _n: _n},
            _a: _level * _rp**2 + _radius**4 * _rp**2 / (_level * _h * _n**2) * (1 + _a),
        },
    ),
    mutants=(
        Mutant("any a", hypotheses=()),
        Mutant("without the condition number", eq(_moved, _radius**4 / (_level * (1 + _h)) ** 2)),
    ),
)

# The minimiser t = A^-1 b, b = mean of x_j y_j: B = b.t = t^T A t, z = mean of (x_j.t)^2, N = |t|^2.
_B, _Z, _NORM, _BETA = (
    nonnegative("B", "b.t = t^T A t"),
    nonnegative("z", "mean of (x_j.t)^2"),
    nonnegative("N", "|t|^2"),
    nonnegative("beta", "|b|^2"),
)
_b, _z, _norm, _beta = (v.symbol for v in (_B, _Z, _NORM, _BETA))
_MU = positive("mu_reg", "regularisation")
_mu = _MU.symbol
_MEAN = Hypothesis("b.t is the mean of y_j x_j.t", le(_b**2, _labels**2 * _z), "Cauchy-Schwarz, |y_j| <= Y")
_PART = Hypothesis("A is at least the mean of x_j x_j^T", le(_z, _b))
_AT_T = Hypothesis("A >= rho C at t", le(_level * _s, _b))

minimiser = Claim(
    id="beyond:ridge-minimiser",
    title="Where the minimiser is",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$\rho\,t^\top Ct \le t^\top At = b^\top A^{-1}b \le Y^2$ at the minimiser $t = A^{-1}b$, if $A \succcurlyeq \rho C$ and all labels are within $Y$.",
    reading=r"In any dimension, with or without regularisation. Equality for one label everywhere that the records reproduce.",
    variables=(_LABELS, _LEVEL, _S, _B, _Z),
    hypotheses=(_MEAN, _PART, _AT_T),
    conclusion=both(le(_b, _labels**2), le(_level * _s, _labels**2)),
    checks=(Smt(),),
    sampling=Chart(
        {_labels: (0, 4), _level: (0, 4)},
        {_labels: _labels, _level: _level, _z: _labels**2, _b: _labels**2, _s: _labels**2 / _level},
    ),
    mutants=(
        Mutant("half", both(le(_b, _labels**2), le(2 * _level * _s, _labels**2))),
        Mutant("without the order", hypotheses=(_MEAN, _PART)),
        Mutant("any labels", hypotheses=(_PART, _AT_T)),
    ),
    derivation=(
        Step(
            "$(b\\cdot t)^2$ is at most the mean of $y_j^2$ times that of $(x_j\\cdot t)^2$.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the mean of products over the records."},
        ),
    ),
)

_SPLIT = Hypothesis("A is the mean of x_j x_j^T and the regularisation", eq(_b, _z + _mu * _norm))
_BELOW_TOP = Hypothesis("C is at most M", le(_s, _top * _norm))

minimiser_regularized = Claim(
    id="beyond:ridge-minimiser-regularized",
    title="Where the minimiser is, by the regularisation",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$|t|^2 \le Y^2/(4\mu_{reg})$ at the minimiser: with $\rho = \mu_{reg}/M$, $\rho\,t^\top Ct \le Y^2/4$, half of the distance that the level alone gives.",
    reading=r"$b\cdot t = z + \mu_{reg}|t|^2$ and $4z\mu_{reg}|t|^2 \le (b\cdot t)^2 \le Y^2z$. A record $\sqrt{\mu_{reg}}$ on the line with the label $Y$ has equality.",
    variables=(_LABELS, _TOP, _MU, _S, _B, _Z, _NORM),
    hypotheses=(_MEAN, _SPLIT, _BELOW_TOP),
    conclusion=both(le(4 * _mu * _norm, _labels**2), le(4 * _mu * _s, _top * _labels**2)),
    checks=(Smt(),),
    sampling=Chart(
        {_labels: (0, 4), _mu: (0, 4), _top: (0, 4)},
        {
            **{_labels: _labels, _mu: _mu, _top: _top, _z: _labels**2 / 4, _norm: _labels**2 / (4 * _mu)},
            **{_b: _labels**2 / 2, _s: _top * _labels**2 / (4 * _mu)},
        },
    ),
    mutants=(
        Mutant("an eighth", both(le(8 * _mu * _norm, _labels**2), le(4 * _mu * _s, _top * _labels**2))),
        Mutant("C free", hypotheses=(_MEAN, _SPLIT)),
        Mutant("any labels", hypotheses=(_SPLIT, _BELOW_TOP)),
    ),
    derivation=(
        Step(
            "$(b\\cdot t)^2$ is at most the mean of $y_j^2$ times that of $(x_j\\cdot t)^2$.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the mean of products over the records."},
        ),
    ),
)

_BY_NORMS = (
    _AT_T,
    Hypothesis("A >= l at t", le(_least * _norm, _b)),
    Hypothesis("Cauchy-Schwarz", le(_b**2, _norm * _beta)),
    Hypothesis("b is a mean of x_j y_j", le(_beta, _top * _radius**2 * _labels**2), "|x_j|^2 <= M R^2"),
)

minimiser_by_norms = Claim(
    id="beyond:ridge-minimiser-by-norms",
    title="Where the minimiser is, by the norms of the records",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$\rho l\,t^\top Ct \le MR^2Y^2$ at the minimiser: the smaller bound where the records are short against the level.",
    variables=(_RADIUS, _LABELS, _TOP, _LEVEL, _LEAST, _S, _B, _NORM, _BETA),
    hypotheses=_BY_NORMS,
    conclusion=le(_level * _least * _s, _top * _radius**2 * _labels**2),
    checks=(Smt(),),
    sampling=Chart(
        {_radius: (0, 3), _labels: (0, 3), _top: (0, 3), _level: (0, 3), _least: (0, 3)},
        {
            **{_radius: _radius, _labels: _labels, _top: _top, _level: _level, _least: _least},
            **{_beta: _top * _radius**2 * _labels**2, _b: _top * _radius**2 * _labels**2 / _least},
            _norm: _top * _radius**2 * _labels**2 / _least**2,
            _s: _top * _radius**2 * _labels**2 / (_least * _level),
        },
    ),
    mutants=(
        Mutant("half", le(2 * _level * _least * _s, _top * _radius**2 * _labels**2)),
        Mutant("without the order", hypotheses=_BY_NORMS[1:]),
        Mutant("any records", hypotheses=_BY_NORMS[:3]),
    ),
    derivation=(
        Step("$(b\\cdot t)^2 \\le |b|^2|t|^2$.", theorem=CAUCHY_SCHWARZ, met={"inner product": "It is the usual one."}),
    ),
)

# What two records differ by at t: along a unit vector at the angle psi to t, records at the angles a and a'.
_ANGLES = real("a", "angle of a record"), real("a'", "angle of the other"), real("psi", "angle of t")
_first, _other, _psi = (v.symbol for v in _ANGLES)
_products = cos(_first) * cos(_first - _psi) - cos(_other) * cos(_other - _psi)

mirrored_angles = Claim(
    id="beyond:mirrored-records-angles",
    title="Two records at a point, by their angles",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$\cos a\cos(a-\psi) - \cos a'\cos(a'-\psi) = \sin(a+a'-\psi)\sin(a'-a)$ and $\cos a + \cos a' = 2\cos\frac{a+a'}2\cos\frac{a'-a}2$."
    ),
    variables=_ANGLES,
    conclusion=both(
        eq(_products, sin(_first + _other - _psi) * sin(_other - _first)),
        eq(cos(_first) + cos(_other), 2 * cos((_first + _other) / 2) * cos((_other - _first) / 2)),
    ),
    checks=(Identity(),),
    sampling=Chart({_first: (-3, 3), _other: (-3, 3), _psi: (-3, 3)}, {}),
    mutants=(
        Mutant("a sign", eq(_products, sin(_first + _other + _psi) * sin(_other - _first))),
        Mutant("cosines", eq(_products, cos(_first + _other - _psi) * sin(_other - _first))),
    ),
)

_K = nonnegative("k", "|t|, in units of the labels over the radius")
_C, _SINE = (
    nonnegative("c", "cosine of half of the angle between the records", upper=1),
    nonnegative("s", "its sine", upper=1),
)
_E, _I = (
    real("e", "cosine of their mean angle", lower=-1, upper=1),
    real("i", "sine of their mean angle less psi", lower=-1, upper=1),
)
_k, _c, _sine, _e, _i = (v.symbol for v in (_K, _C, _SINE, _E, _I))

mirrored = Claim(
    id="beyond:mirrored-records",
    title="Two records differ the most where they mirror each other",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"For $|u|, |u'| \le 1$, $|y|, |y'| \le 1$ and $|t| = k$: $|u(u\cdot t-y)-u'(u'\cdot t-y')|$ is at most the largest $2\cos\phi\,(k\sin\phi+1)$, and has that value for two "
        r"records at the angles $\phi$ on both sides of the normal to $t$ in a plane, with the label $-1$ at one and $1$ at the other."
    ),
    reading=(
        r"Along a unit vector at the angle $\psi$ to $t$, with $u$ and $u'$ in the plane of both (components out of it only lose), of length 1 (shorter ones lose, as the value is "
        r"linear in the length and its square) and the worst labels: `beyond:mirrored-records-angles`, with $c = |\cos\frac{a'-a}2|$, $s = |\sin\frac{a'-a}2|$."
    ),
    variables=(_K, _C, _SINE, _E, _I),
    conclusion=both(
        le(_k * _i * 2 * _sine * _c + 2 * _e * _c, 2 * _c * (_k * _sine + 1)),
        eq(_k * 1 * 2 * _sine * _c + 2 * 1 * _c, 2 * _c * (_k * _sine + 1)),
    ),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:mirrored-records-angles"),),
    mutants=(
        Mutant("without the labels", le(_k * _i * 2 * _sine * _c + 2 * _e * _c, 2 * _c * _k * _sine)),
        Mutant("half of the first part", le(_k * _i * 2 * _sine * _c + 2 * _e * _c, _c * (_k * _sine + 2))),
    ),
)

_SLOPE = positive("w", "slope")
_slope = _SLOPE.symbol
_CIRCLE = Hypothesis("a point of the circle", eq(_sine**2 + _c**2, 1))
_LONGER = Hypothesis("w above k", gt(_slope, _k))
_line = _k * _sine + 1
_gap = _slope**2 - _k**2

certificate = Claim(
    id="beyond:mirrored-records-certificate",
    title="A certificate for the largest difference",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$2c(ks+1) \le wc^2 + \frac1w(ks+1)^2$ and $w(1-s^2) + \frac1w(ks+1)^2 \le w + \frac w{w^2-k^2}$ for every $w > k$: so for $s^2+c^2 = 1$ the left side is at most the right.",
    reading=r"Multiplied by $w$, and by $w(w^2-k^2)$; the differences are squares. Equality where $wc = ks+1$ and $s(w^2-k^2) = k$.",
    variables=(_K, _C, _SINE, _SLOPE),
    hypotheses=(_LONGER,),
    conclusion=both(
        le(2 * _slope * _c * _line, _slope**2 * _c**2 + _line**2),
        le(_gap * (_slope**2 * (1 - _sine**2) + _line**2), _slope**2 * _gap + _slope**2),
    ),
    checks=(Smt(),),
    sampling=Chart(
        {_k: (0, 3), _c: (0, 1), _sine: (0, 1), _slope: (0, 3)},
        {_k: _k, _c: _c, _sine: _sine, _slope: _k + _slope},
    ),
    mutants=(
        Mutant("without the last term", le(_gap * (_slope**2 * (1 - _sine**2) + _line**2), _slope**2 * _gap)),
        Mutant("half of the squares", le(4 * _slope * _c * _line, _slope**2 * _c**2 + _line**2)),
    ),
)

below_triangle = Claim(
    id="beyond:mirrored-records-below-triangle",
    title="The largest difference is below what the triangle inequality gives",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$2c(ks+1) \le k + 2$ for $s^2 + c^2 = 1$.",
    reading=r"$2cs \le 1$ and $c \le 1$, which do not hold with equality together.",
    variables=(_K, _C, _SINE),
    hypotheses=(_CIRCLE,),
    conclusion=le(2 * _c * _line, _k + 2),
    checks=(Smt(),),
    sampling=Chart({_k: (0, 3), _c: (0, 1)}, {_k: _k, _c: (1 - _c**2) / (1 + _c**2), _sine: 2 * _c / (1 + _c**2)}),
    mutants=(
        Mutant("k + 1", le(2 * _c * _line, _k + 1)),
        Mutant("off the circle", hypotheses=()),
    ),
)

# From u, u' to the records: w = C^1/2 (z - z'), in units R, Y, R t/Y.
_WORST, _BETWEEN = nonnegative("w", "the largest difference, with k = R |C^1/2 t|/Y"), nonnegative("Q", "|C^-1/2 w|^2")
_ABSOLUTE = nonnegative("W", "|w|^2")
_worst, _between, _absolute = _WORST.symbol, _BETWEEN.symbol, _ABSOLUTE.symbol
_MIRRORED = Hypothesis(
    "mirrored records", le(_between, (_radius * _labels * _worst) ** 2), by=("beyond:mirrored-records",)
)
_BACK = Hypothesis("C is at most M", le(_absolute, _top * _between))

absolute = Claim(
    id="beyond:ridge-absolute-part",
    title="The absolute part over a domain",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"Two records of the domain have gradients at $t$ that differ by at most $\sqrt M\,R\,Y\,w(k)$, $k = R|C^{1/2}t|/Y$, with $w(k)$ the largest $2\cos\phi\,(k\sin\phi+1)$.",
    reading=r"$C^{-1/2}$ takes the records to $Ru$, $|u| \le 1$, and $t$ to $C^{1/2}t$; labels are in units of $Y$.",
    variables=(_RADIUS, _LABELS, _TOP, _WORST, _BETWEEN, _ABSOLUTE),
    hypotheses=(_MIRRORED, _BACK),
    conclusion=le(_absolute, _top * (_radius * _labels * _worst) ** 2),
    checks=(Smt(),),
    derivation=(
        Step(claim="beyond:mirrored-records"),
        Step(claim="beyond:ridge-minimiser"),
    ),
    sampling=Chart(
        {_radius: (0, 3), _labels: (0, 3), _top: (0, 3), _worst: (0, 5)},
        {_between: (_radius * _labels * _worst) ** 2, _absolute: _top * (_radius * _labels * _worst) ** 2},
    ),
    mutants=(
        Mutant("half", le(2 * _absolute, _top * (_radius * _labels * _worst) ** 2)),
        Mutant("C free", hypotheses=(_MIRRORED,)),
    ),
)

_RELATIVE_PART, _ABSOLUTE_PART = (
    nonnegative("e", "bound on the relative part"),
    nonnegative("r", "bound on the absolute part"),
)
_GRADIENT, _NEIGHBOUR = (
    nonnegative("g", "norm of the gradient"),
    nonnegative("g'", "norm of the gradient of the neighbour"),
)
_DISTANCE, _SHARE = nonnegative("D", "distance of the gradients"), positive("t", "how the two parts share")
_er, _ar, _gr, _gn, _dist, _share = (
    x.symbol for x in (_RELATIVE_PART, _ABSOLUTE_PART, _GRADIENT, _NEIGHBOUR, _DISTANCE, _SHARE)
)
_BOTH = (
    Hypothesis(
        "at the one", le(_dist, _er * _gr + _ar), by=("beyond:ridge-relative-part", "beyond:ridge-absolute-part")
    ),
    Hypothesis("at the other", le(_dist, _er * _gn + _ar), "A' has the same bounds"),
)


def _sensitive(norm: Symbol) -> Expr:
    """The right side for a gradient of that norm."""
    return (1 + _share) * _er**2 * norm**2 + (1 + 1 / _share) * _ar**2


sensitivity = Claim(
    id="beyond:ridge-relative-sensitivity",
    title="Relative sensitivity of ridge regression over a domain",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"With $e = \frac{R^2}n\sqrt{M/(\rho l)}$ and $r = \frac1n\sqrt M\,R\,Y\,w(k)$, $\eta^2 = (1+t)e^2$ and $R_{rel}^2 = (1+\frac1t)r^2$ are a relative sensitivity of the gradients, for "
        r"every $t > 0$, both orders and every $\theta$, between neighbours that both have $A \succcurlyeq \rho C$."
    ),
    reading="The gradients differ by $(Eg + w)/n$, at either dataset with its own $A$.",
    variables=(_RELATIVE_PART, _ABSOLUTE_PART, _GRADIENT, _NEIGHBOUR, _DISTANCE, _SHARE),
    hypotheses=_BOTH,
    conclusion=both(le(_dist**2, _sensitive(_gr)), le(_dist**2, _sensitive(_gn))),
    checks=(Smt(),),
    sampling=Chart(
        {_er: (0, 3), _ar: (0, 3), _gr: (0, 3), _gn: (0, 3)},
        {**{_er: _er, _ar: _ar, _gr: _gr, _gn: _gr + _gn}, _dist: _er * _gr + _ar, _share: _ar / (_er * _gr)},
    ),
    mutants=(
        Mutant("less of the absolute part", le(_dist**2, _sensitive(_gr) - _ar**2 / 100)),
        Mutant("one neighbour at the level", hypotheses=_BOTH[:1]),
    ),
    derivation=(
        Step("The relative part.", "beyond:ridge-relative-part"),
        Step("The absolute part.", "beyond:ridge-absolute-part"),
        Step("The two share.", "beyond:quadratic-split"),
    ),
)

# One pair: the largest |E g + w|^2 - s |g|^2, in dimension 2.
_ENTRIES = tuple(real(f"E_{k}", "entry of E") for k in ("11", "12", "21", "22"))
_VECTOR, _POINT = tuple(real(f"w_{k}") for k in "12"), tuple(real(f"g_{k}") for k in "12")
_SQUARE = positive("s", "n^2 eta^2")
_sq = _SQUARE.symbol
_matrix = Matrix(2, 2, [x.symbol for x in _ENTRIES])
_vector, _point = Matrix([x.symbol for x in _VECTOR]), Matrix([x.symbol for x in _POINT])
_inner, _outer = _sq * eye(2) - _matrix.T * _matrix, _sq * eye(2) - _matrix * _matrix.T
_determinant = _inner.det()
_peak = _inner.adjugate() * _matrix.T * _vector
_value = _matrix * _point + _vector


def _printed_determinant(matrix: Matrix) -> Expr:
    """The determinant of a 2 by 2 matrix, not multiplied out."""
    return printed(lambda: matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])


completed = Claim(
    id="beyond:pair-completed-square",
    title="The gradient at which a pair needs the most",
    source="beyond",
    where="relative sensitivity of one pair",
    kind="identity",
    statement=(
        r"$|Eg+w|^2 - s|g|^2 = s\,w^\top(s-EE^\top)^{-1}w - (g-g_\star)^\top(s-E^\top E)(g-g_\star)$ with $g_\star = (s-E^\top E)^{-1}E^\top w$: for $s > |E|^2$ the first term is the largest value, and "
        r"attained."
    ),
    reading="Multiplied by the determinant of $s - E^\\top E$, which is that of $s - EE^\\top$.",
    scope="instance",
    missing=r"Dimension 2.",
    variables=(*_ENTRIES, *_VECTOR, *_POINT, _SQUARE),
    conclusion=both(
        eq(_printed_determinant(_inner), _printed_determinant(_outer)),
        eq(
            _determinant**2 * (_value.dot(_value) - _sq * _point.dot(_point)),
            _determinant * _sq * (_vector.T * _outer.adjugate() * _vector)[0]
            - ((_determinant * _point - _peak).T * _inner * (_determinant * _point - _peak))[0],
        ),
    ),
    checks=(Identity(),),
    mutants=(
        Mutant(
            "w alone",
            eq(
                _determinant**2 * (_value.dot(_value) - _sq * _point.dot(_point)),
                _determinant**2 * _vector.dot(_vector),
            ),
        ),
        Mutant(
            "E for its transpose",
            eq(
                _determinant * (_value.dot(_value) - _sq * _point.dot(_point)),
                _sq * (_vector.T * _inner.adjugate() * _vector)[0],
            ),
        ),
    ),
)

_RECORDS = tuple(real(f"x_{k}") for k in ("11", "12", "21", "22"))
_SYMMETRIC = tuple(real(f"b_{k}", "entry of the inverse of A") for k in ("11", "12", "22"))
_RESIDUALS = tuple(real(f"c_{k}", "residual") for k in "12")
_both = Matrix(2, 2, [x.symbol for x in _RECORDS])
_inverse = Matrix([[_SYMMETRIC[0].symbol, _SYMMETRIC[1].symbol], [_SYMMETRIC[1].symbol, _SYMMETRIC[2].symbol]])
_turn = Matrix([[1, 0], [0, -1]])
_residuals = Matrix([x.symbol for x in _RESIDUALS])
_gram, _images = _both.T * _both, _turn * _both.T * _inverse * _inverse * _both * _turn
_full = _both * _turn * _both.T * _inverse
_plane = _sq * eye(2) - _images * _gram
_whole = _sq * eye(2) - _full * _full.T

in_the_plane = Claim(
    id="beyond:pair-absolute-part",
    title="The absolute part of a pair by inner products",
    source="beyond",
    where="relative sensitivity of one pair",
    kind="identity",
    statement=(
        r"With $P = (X_0, X_0')$, $J = \mathrm{diag}(1,-1)$, $E = PJP^\top A^{-1}$ and $w = Pc$: $w^\top(s-EE^\top)^{-1}w = c^\top G(s - JQJG)^{-1}c$, $G = P^\top P$ and $Q = P^\top A^{-2}P$: Gram matrices of the "
        "records and of their images."
    ),
    reading="With both determinants, which agree; in any dimension $P^\\top(s - PKP^\\top)^{-1} = (s - GK)^{-1}P^\\top$.",
    scope="instance",
    missing=r"Dimension 2.",
    variables=(*_RECORDS, *_SYMMETRIC, *_RESIDUALS, _SQUARE),
    conclusion=both(
        eq(_printed_determinant(_plane), _printed_determinant(_whole)),
        eq(
            ((_both * _residuals).T * _whole.adjugate() * (_both * _residuals))[0],
            (_residuals.T * _gram * _plane.adjugate() * _residuals)[0],
        ),
    ),
    checks=(Identity(),),
    derivation=(Step(claim="beyond:pair-completed-square"),),
    mutants=(
        Mutant(
            "without J",
            eq(_plane.det(), (_sq * eye(2) - _both.T * _inverse * _inverse * _both * _gram).det()),
        ),
        Mutant(
            "without the Gram matrix",
            eq(
                ((_both * _residuals).T * _whole.adjugate() * (_both * _residuals))[0],
                (_residuals.T * _plane.adjugate() * _residuals)[0],
            ),
        ),
    ),
)
