r"""Relative sensitivity of ridge regression over all records of a public domain, with sharp constants.

Records have $x^\top C^{-1}x \le R^2$ and $|y| \le Y$, the eigenvalues of $C$ lie in $[m, M]$, and at both neighbours $A \succcurlyeq \rho C$, $A \succcurlyeq lI$. In the
metric of $C$ the change $xx^\top - x'x'^\top$ is no larger than the larger of its two terms, so that nothing is lost to the triangle inequality:
$|(A_0-A_0')A^{-1}|^2 \le MR^4/(\rho l)$, which is $\kappa R^4/\rho^2$ for $l = \rho m$ and cannot be lowered. At the minimiser two records differ the most where they mirror
each other. Matrices of every size enter by inner products: with $u = A^{-1}g$ the numbers $|u|^2$, $u^\top Cu$, $u^\top Au = u^\top g$, $|g|^2$.
"""

from sympy import Matrix, cos, eye, sin

from rgm_verify.pages import *

from ...theorems import CAUCHY_SCHWARZ, SPECTRAL

page = Page("beyond", "relative sensitivity of ridge regression over a domain")
_radius = page.positive("R", "radius of the domain")
_labels = page.nonnegative("Y", "bound on the labels")
_level = page.positive("rho", "A is at least rho C")
_least = page.positive("l", "lower bound on the eigenvalues of A")
_top = page.positive("M", "largest eigenvalue of C")

# v^T S v for S = u u^T - u' u'^T: squares of inner products.
_v = page.nonnegative("V", latex=r"\|v\|^2")
_p = page.nonnegative("p", latex=r"(v\cdot u)^2")
_q = page.nonnegative("q", latex=r"(v\cdot u')^2")

_INSIDE = (
    Hypothesis("u in the ball", le(_p, _radius**2 * _v), "Cauchy-Schwarz, |u| <= R"),
    Hypothesis("u' in the ball", le(_q, _radius**2 * _v), "Cauchy-Schwarz, |u'| <= R"),
)

two_records = page.inequality(
    "beyond:two-records-no-more-than-one",
    "The change of two records is no larger than the larger one",
    both(le(_p - _q, _radius**2 * _v), le(_q - _p, _radius**2 * _v)),
    r"So the symmetric matrix $S$, $uu^\top$ less $u'u'^\top$, has a norm of at most $R^2$, not twice that.",
    given=_INSIDE,
    points={_radius: (0, 4), _v: (0, 4), _p: (0, 1, _p * _radius**2 * _v), _q: (0, 1, _q * _radius**2 * _v)},
    wrong={
        "half": both(le(_p - _q, _radius**2 * _v / 2), le(_q - _p, _radius**2 * _v / 2)),
        "one record free": changed(hypotheses=_INSIDE[:1]),
    },
    steps=(
        SPECTRAL.quoted(
            "The norm of a symmetric matrix is the largest modulus of $v^\\top Sv/|v|^2$.",
            "It is a difference of squares of vectors.",
        ),
        CAUCHY_SCHWARZ.quoted("$(v\\cdot u)^2 \\le |v|^2|u|^2$.", "It is the usual one."),
    ),
    reading=r"In the metric of $C$: $u = C^{-1/2}x$.",
)

_u = page.nonnegative("U", "for $u = A^{-1}g$", latex=r"\|u\|^2")
_s = page.nonnegative("s", latex=r"u^\top Cu")
_f = page.nonnegative("f", "$u^TAu$", latex=r"(u\cdot g)")
_g = page.nonnegative("G", latex=r"\|g\|^2")
_w = page.nonnegative("W", latex=r"\|(A_0-A_0')A^{-1}g\|^2")

_IN_METRIC = Hypothesis(
    "the change in the metric of C", le(_w, _top * _radius**4 * _s), "|C^1/2 S C^1/2 u|^2 <= M R^4 |C^1/2 u|^2"
)
_ABOVE = Hypothesis("A >= rho C at u", le(_level * _s, _f))
_SPECTRUM = Hypothesis("A >= l at u", le(_least * _u, _f))
_CAUCHY = Hypothesis("Cauchy-Schwarz", le(_f**2, _u * _g))
_RELATIVE = (_IN_METRIC, _ABOVE, _SPECTRUM, _CAUCHY)
_EXTREME = {
    _radius: (0, 3),
    _level: (0, 3),
    _least: (0, 3),
    _top: (0, 3),
    _g: (0, 3),
    _u: _g / _least**2,
    _f: _g / _least,
    _s: _g / (_level * _least),
    _w: _top * _radius**4 * _g / (_level * _least),
}

relative = page.theorem(
    "beyond:ridge-relative-part",
    "The relative part over a domain",
    le(_level * _least * _w, _top * _radius**4 * _g),
    r"For all records of the domain; $l$ may be $\rho m$, or the regularisation.",
    given=_RELATIVE,
    points=_EXTREME,
    wrong={
        "half": left(2 * _level * _least * _w),
        "without the level": without(_ABOVE),
        "without the spectrum": without(_SPECTRUM),
        "not in the domain": without(_IN_METRIC),
    },
    steps=(
        CAUCHY_SCHWARZ.quoted("$(u\\cdot g)^2 \\le |u|^2|g|^2$.", "It is the usual one."),
        Step("The change in the metric of C.", "beyond:two-records-no-more-than-one"),
        Step(r"$\rho\,u^\top Cu \le u\cdot g$, and $(u\cdot g)^2 \le |u|^2|g|^2 \le (u\cdot g)|g|^2/l$."),
    ),
    reading="In any dimension, applied to a vector $g$. For a ball take the identity as $C$.",
    remark="The triangle inequality for the two records gives at least twice the root: at most a quarter of `beyond:proposition-1` in $\\eta^2$ remains, for both clippings.",
)

# Sharp: C = diag(p^2, q^2), records R (p, +-q)/sqrt 2, A = diag(a, rho (1 + h) q^2).
_rp = page.positive("p", "root of the larger eigenvalue of C")
_rq = page.positive("q", "root of the smaller")
_a = page.positive("a", "first eigenvalue of A")
_h = page.positive("h", "what A is above the level")
_n = page.positive("n", "number of records")
_one, _two = Matrix([_rp, _rq]) * _radius / sqrt(2), Matrix([_rp, -_rq]) * _radius / sqrt(2)
_change = _one * _one.T - _two * _two.T
_image = _change * Matrix([0, 1 / (_level * (1 + _h) * _rq**2)])
_moved = named(r"\|(A_0-A_0')A^{-1}e_2\|^2", printed(lambda: _image[0] ** 2 + _image[1] ** 2))
_kappa = named(r"\kappa", _rp**2 / _rq**2)
_neighbour = (
    Matrix([[_a, 0], [0, _level * (1 + _h) * _rq**2]]) - _change / _n - _level * Matrix([[_rp**2, 0], [0, _rq**2]])
)
_neighbour_determinant = named(r"\det(A'-\rho C)", _neighbour[0, 0] * _neighbour[1, 1] - _neighbour[0, 1] ** 2)
_in_domain = named(r"x^\top C^{-1}x", printed(lambda: _one[0] ** 2 / _rp**2 + _one[1] ** 2 / _rq**2))

sharp = page.theorem(
    "beyond:ridge-relative-part-sharp",
    "The relative part over a domain cannot be lowered",
    both(
        eq(_in_domain, _radius**2),
        eq(_moved, _kappa * _radius**4 / (_level * (1 + _h)) ** 2),
        ge(_neighbour_determinant, 0),
        gt(named(r"e_2^\top(A'-\rho C)e_2", _neighbour[1, 1]), 0),
    ),
    r"Both neighbours are above $\rho C$, and with small h the relative part is as close to the bound as one likes.",
    given=Hypothesis("a is large", ge((_a - _level * _rp**2) * _level * _h * _n**2, _radius**4 * _rp**2)),
    points={
        _rp: (0, 3),
        _rq: (0, 3),
        _radius: (0, 3),
        _level: (0, 3),
        _h: (0, 1),
        _n: (0, 9),
        _a: (0, 1, _level * _rp**2 + _radius**4 * _rp**2 / (_level * _h * _n**2) * (1 + _a)),
    },
    wrong={"any a": without(), "without the condition number": eq(_moved, _radius**4 / (_level * (1 + _h)) ** 2)},
    reading=r"$C$ has the eigenvalues $p^2$ and $q^2$, $A$ has $a$ and $\rho(1+h)q^2$, and the records are $\frac R{\sqrt2}(p, q)$ and $\frac R{\sqrt2}(p, -q)$, on the edge of the domain. The neighbour's order is judged by the determinant and an entry.",
)

# The minimiser t = A^-1 b, b = mean of x_j y_j: B = b.t = t^T A t, z = mean of (x_j.t)^2, N = |t|^2.
_b = page.nonnegative("B", "$b\\cdot t$", latex=r"t^\top At")
_z = page.nonnegative("z", "mean of $(x_j\\cdot t)^2$")
_norm = page.nonnegative("N", latex=r"\|t\|^2")
_beta = page.nonnegative("beta", latex=r"\|b\|^2")
#: The same symbol as for u, for the minimiser.
_AT_MINIMISER = (nonnegative("s", latex=r"t^\top Ct"),)
_mu = page.positive("mu_reg", "regularisation")

_LABELS_OUT = CAUCHY_SCHWARZ.quoted(
    "$(b\\cdot t)^2$ is at most the mean of $y_j^2$ times that of $(x_j\\cdot t)^2$.",
    "It is the mean of products over the records.",
)

_MEAN = Hypothesis("b.t is the mean of y_j x_j.t", le(_b**2, _labels**2 * _z), "Cauchy-Schwarz, |y_j| <= Y")
_PART = Hypothesis("A is at least the mean of x_j x_j^T", le(_z, _b))
_AT_T = Hypothesis("A >= rho C at t", le(_level * _s, _b))

minimiser = page.inequality(
    "beyond:ridge-minimiser",
    "Where the minimiser is",
    both(le(_b, _labels**2), le(_level * _s, _labels**2)),
    given=(_MEAN, _PART, _AT_T),
    over=_AT_MINIMISER,
    points={_labels: (0, 4), _level: (0, 4), _z: _labels**2, _b: _labels**2, _s: _labels**2 / _level},
    wrong={
        "half": both(le(_b, _labels**2), le(2 * _level * _s, _labels**2)),
        "without the order": without(_AT_T),
        "any labels": without(_MEAN),
    },
    steps=(_LABELS_OUT,),
    reading=r"In any dimension, with or without regularisation. Equality for one label everywhere that the records reproduce.",
)

_SPLIT = Hypothesis("A is the mean of x_j x_j^T and the regularisation", eq(_b, _z + _mu * _norm))
_BELOW_TOP = Hypothesis("C is at most M", le(_s, _top * _norm))

minimiser_regularized = page.inequality(
    "beyond:ridge-minimiser-regularized",
    "Where the minimiser is, by the regularisation",
    both(le(4 * _mu * _norm, _labels**2), le(4 * _mu * _s, _top * _labels**2)),
    r"At the level $\mu_{reg}/M$ it is half of the distance that the level alone gives.",
    given=(_MEAN, _SPLIT, _BELOW_TOP),
    over=_AT_MINIMISER,
    points={
        _labels: (0, 4),
        _mu: (0, 4),
        _top: (0, 4),
        _z: _labels**2 / 4,
        _norm: _labels**2 / (4 * _mu),
        _b: _labels**2 / 2,
        _s: _top * _labels**2 / (4 * _mu),
    },
    wrong={
        "an eighth": both(le(8 * _mu * _norm, _labels**2), le(4 * _mu * _s, _top * _labels**2)),
        "C free": without(_BELOW_TOP),
        "any labels": without(_MEAN),
    },
    steps=(_LABELS_OUT,),
    reading=r"A record $\sqrt{\mu_{reg}}$ on the line with the label $Y$ has equality.",
)

_BY_NORMS = (
    _AT_T,
    Hypothesis("A >= l at t", le(_least * _norm, _b)),
    Hypothesis("Cauchy-Schwarz", le(_b**2, _norm * _beta)),
    Hypothesis("b is a mean of x_j y_j", le(_beta, _top * _radius**2 * _labels**2), "|x_j|^2 <= M R^2"),
)

minimiser_by_norms = page.inequality(
    "beyond:ridge-minimiser-by-norms",
    "Where the minimiser is, by the norms of the records",
    le(_level * _least * _s, _top * _radius**2 * _labels**2),
    "The smaller bound where the records are short against the level.",
    given=_BY_NORMS,
    over=_AT_MINIMISER,
    points={
        _radius: (0, 3),
        _labels: (0, 3),
        _top: (0, 3),
        _level: (0, 3),
        _least: (0, 3),
        _beta: _top * _radius**2 * _labels**2,
        _b: _top * _radius**2 * _labels**2 / _least,
        _norm: _top * _radius**2 * _labels**2 / _least**2,
        _s: _top * _radius**2 * _labels**2 / (_least * _level),
    },
    wrong={
        "half": left(2 * _level * _least * _s),
        "without the order": changed(hypotheses=_BY_NORMS[1:]),
        "any records": changed(hypotheses=_BY_NORMS[:3]),
    },
    steps=CAUCHY_SCHWARZ.quoted("$(b\\cdot t)^2 \\le |b|^2|t|^2$.", "It is the usual one."),
)

# What two records differ by at t: along a unit vector at the angle psi to t, records at the angles a and a'.
_first = page.real("a", "angle of a record")
_other = page.real("a'", "angle of the other")
_psi = page.real("psi", "angle of t")
_products = cos(_first) * cos(_first - _psi) - cos(_other) * cos(_other - _psi)

mirrored_angles = page.identity(
    "beyond:mirrored-records-angles",
    "Two records at a point, by their angles",
    both(
        eq(_products, sin(_first + _other - _psi) * sin(_other - _first)),
        eq(cos(_first) + cos(_other), 2 * cos((_first + _other) / 2) * cos((_other - _first) / 2)),
    ),
    points={_first: (-3, 3), _other: (-3, 3), _psi: (-3, 3)},
    wrong={
        "a sign": eq(_products, sin(_first + _other + _psi) * sin(_other - _first)),
        "cosines": eq(_products, cos(_first + _other - _psi) * sin(_other - _first)),
    },
)

_k = page.nonnegative("k", "|t|, in units of the labels over the radius")
_SINE = nonnegative("s", "its sine", upper=1)
_c = page.nonnegative("c", "cosine of half of the angle between the records", upper=1)
_e = page.real("e", "cosine of their mean angle", lower=-1, upper=1)
_i = page.real("i", "sine of their mean angle less psi", lower=-1, upper=1)
_sine = _SINE.symbol

mirrored = page.theorem(
    "beyond:mirrored-records",
    "Two records differ the most where they mirror each other",
    both(
        le(_k * _i * 2 * _sine * _c + 2 * _e * _c, 2 * _c * (_k * _sine + 1)),
        eq(_k * 1 * 2 * _sine * _c + 2 * 1 * _c, 2 * _c * (_k * _sine + 1)),
    ),
    r"So $|u(u\cdot t-y)-u'(u'\cdot t-y')|$ is at most the largest value of the right side, which two records at the same angle on both sides of the normal to $t$ have, with the label $-1$ at one and $1$ at the other.",
    over=(_SINE,),
    wrong={
        "without the labels": le(_k * _i * 2 * _sine * _c + 2 * _e * _c, 2 * _c * _k * _sine),
        "half of the first part": le(_k * _i * 2 * _sine * _c + 2 * _e * _c, _c * (_k * _sine + 2)),
    },
    steps="beyond:mirrored-records-angles",
    reading=r"Records and labels have at most the length 1, and $k$ is the length of $t$. Along a unit vector at the angle $\psi$ to $t$, with $u$ and $u'$ in the plane of both (components out of it only lose), of length 1 (shorter ones lose, as the value is linear in the length and its square) and the worst labels: `beyond:mirrored-records-angles`.",
)

_slope = page.positive("w", "slope")
_CIRCLE = Hypothesis("a point of the circle", eq(_sine**2 + _c**2, 1))
_LONGER = Hypothesis("w above k", gt(_slope, _k))
_line = _k * _sine + 1
_gap = _slope**2 - _k**2

certificate = page.inequality(
    "beyond:mirrored-records-certificate",
    "A certificate for the largest difference",
    both(
        le(2 * _slope * _c * _line, _slope**2 * _c**2 + _line**2),
        le(_gap * (_slope**2 * (1 - _sine**2) + _line**2), _slope**2 * _gap + _slope**2),
    ),
    "On the circle both bounds together hold the left side of the first below a number without c and s.",
    given=_LONGER,
    points={_k: (0, 3), _sine: (0, 1), _slope: (0, 3, _k + _slope)},
    over=(_SINE,),
    wrong={
        "without the last term": le(_gap * (_slope**2 * (1 - _sine**2) + _line**2), _slope**2 * _gap),
        "half of the squares": le(4 * _slope * _c * _line, _slope**2 * _c**2 + _line**2),
    },
    reading="Differences are squares; there is equality at one point of the circle.",
    printed=r"\begin{aligned} & 2c(ks+1) \le wc^2 + \frac1w(ks+1)^2 \\ & \text{and}\quad w(1-s^2) + \frac1w(ks+1)^2 \le w + \frac w{w^2-k^2} \end{aligned}",
)

below_triangle = page.inequality(
    "beyond:mirrored-records-below-triangle",
    "The largest difference is below what the triangle inequality gives",
    le(2 * _c * _line, _k + 2),
    given=_CIRCLE,
    points={_k: (0, 3), _c: (0, 1, (1 - _c**2) / (1 + _c**2)), _sine: 2 * _c / (1 + _c**2)},
    over=(_SINE,),
    wrong={"k + 1": _k + 1, "off the circle": without()},
    reading="Two bounds that do not hold with equality together: on the product of c and s, and on c.",
)

# From u, u' to the records: w = C^1/2 (z - z'), in units R, Y, R t/Y.
_worst = page.nonnegative("w", "the largest $2\\cos\\phi\\,(k\\sin\\phi+1)$, for $k = R|C^{1/2}t|/Y$", latex="w(k)")
_between = page.nonnegative("Q", latex=r"\|C^{-1/2}w\|^2")
_ABSOLUTE = nonnegative("W", "of the difference $w$ of the gradients", latex=r"\|w\|^2")
_absolute = _ABSOLUTE.symbol
_MIRRORED = Hypothesis(
    "mirrored records", le(_between, (_radius * _labels * _worst) ** 2), by=("beyond:mirrored-records",)
)
_BACK = Hypothesis("C is at most M", le(_absolute, _top * _between))

absolute = page.inequality(
    "beyond:ridge-absolute-part",
    "The absolute part over a domain",
    le(_absolute, _top * (_radius * _labels * _worst) ** 2),
    "Two records of the domain have gradients at $t$ that differ by no more.",
    given=(_MIRRORED, _BACK),
    points={
        _radius: (0, 3),
        _labels: (0, 3),
        _top: (0, 3),
        _worst: (0, 5),
        _between: (_radius * _labels * _worst) ** 2,
        _absolute: _top * (_radius * _labels * _worst) ** 2,
    },
    over=(_ABSOLUTE,),
    wrong={"half": left(2 * _absolute), "C free": without(_BACK)},
    steps=("beyond:mirrored-records", "beyond:ridge-minimiser"),
    reading=r"$C^{-1/2}$ takes the records to $Ru$, $|u| \le 1$, and $t$ to $C^{1/2}t$; labels are in units of $Y$.",
)

_er = page.nonnegative("e", "bound on the relative part")
_ar = page.nonnegative("r", "bound on the absolute part")
_gr = page.nonnegative("g", latex=r"\|\nabla f\|")
_gn = page.nonnegative("g'", latex=r"\|\nabla f'\|")
_dist = page.nonnegative("D", latex=r"\|\nabla f-\nabla f'\|")
_share = page.positive("t", "how the two parts share")

_BOTH = (
    Hypothesis(
        "at the one", le(_dist, _er * _gr + _ar), by=("beyond:ridge-relative-part", "beyond:ridge-absolute-part")
    ),
    Hypothesis("at the other", le(_dist, _er * _gn + _ar), "A' has the same bounds"),
)


def _sensitive(norm: Symbol) -> Expr:
    """The right side for a gradient of that norm."""
    return (1 + _share) * _er**2 * norm**2 + (1 + 1 / _share) * _ar**2


sensitivity = page.theorem(
    "beyond:ridge-relative-sensitivity",
    "Relative sensitivity of ridge regression over a domain",
    both(le(_dist**2, _sensitive(_gr)), le(_dist**2, _sensitive(_gn))),
    r"For every share, both orders and every $\theta$, between neighbours that both are above the level; $e$ is $\frac{R^2}n\sqrt{M/(\rho l)}$ and $r$ is $\frac1n\sqrt M\,R\,Y\,w(k)$.",
    given=_BOTH,
    points={
        _er: (0, 3),
        _ar: (0, 3),
        _gr: (0, 3),
        _gn: (0, 3, _gr + _gn),
        _dist: _er * _gr + _ar,
        _share: _ar / (_er * _gr),
    },
    wrong={
        "less of the absolute part": le(_dist**2, _sensitive(_gr) - _ar**2 / 100),
        "one neighbour at the level": changed(hypotheses=_BOTH[:1]),
    },
    steps=(
        Step("The relative part.", "beyond:ridge-relative-part"),
        Step("The absolute part.", "beyond:ridge-absolute-part"),
        Step("The two share.", "beyond:quadratic-split"),
    ),
    reading="The gradients differ by $(Eg + w)/n$, at either dataset with its own $A$.",
)

# One pair: the largest |E g + w|^2 - s |g|^2, in dimension 2.
_SQUARE = ("11", "12", "21", "22")
_matrix = Matrix(2, 2, [page.real(f"E_{k}", "entry of E") for k in _SQUARE])
_vector = Matrix([page.real(f"w_{k}") for k in "12"])
_point = Matrix([page.real(f"g_{k}") for k in "12"])
_sq = page.positive("s", "n^2 eta^2")
_inner, _outer = _sq * eye(2) - _matrix.T * _matrix, _sq * eye(2) - _matrix * _matrix.T
_determinant = _inner.det()
_peak = _inner.adjugate() * _matrix.T * _vector
_value = _matrix * _point + _vector


def _printed_determinant(matrix: Matrix) -> Expr:
    """The determinant of a 2 by 2 matrix, not multiplied out."""
    return printed(lambda: matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])


completed = page.elsewhere("relative sensitivity of one pair").identity(
    "beyond:pair-completed-square",
    "The gradient at which a pair needs the most",
    both(
        eq(_printed_determinant(_inner), _printed_determinant(_outer)),
        eq(
            _determinant**2 * (_value.dot(_value) - _sq * _point.dot(_point)),
            _determinant * _sq * (_vector.T * _outer.adjugate() * _vector)[0]
            - ((_determinant * _point - _peak).T * _inner * (_determinant * _point - _peak))[0],
        ),
    ),
    "So for $s$ above $|E|^2$ the first term on the right is the largest value, and attained.",
    wrong={
        "w alone": eq(
            _determinant**2 * (_value.dot(_value) - _sq * _point.dot(_point)), _determinant**2 * _vector.dot(_vector)
        ),
        "E for its transpose": eq(
            _determinant * (_value.dot(_value) - _sq * _point.dot(_point)),
            _sq * (_vector.T * _inner.adjugate() * _vector)[0],
        ),
    },
    reading="Multiplied by the determinant of $s - E^\\top E$, which is that of $s - EE^\\top$.",
    instance=r"Dimension 2.",
    printed=r"\|Eg+w\|^2 - s\|g\|^2 = s\,w^\top(s-EE^\top)^{-1}w - (g-g_\star)^\top(s-E^\top E)(g-g_\star) \quad\text{with}\quad g_\star = (s-E^\top E)^{-1}E^\top w",
)

_both = Matrix(2, 2, [page.real(f"x_{k}") for k in _SQUARE])
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
