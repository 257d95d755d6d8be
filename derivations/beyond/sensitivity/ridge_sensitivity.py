r"""Relative sensitivity of ridge regression over all records of a public domain, with sharp constants.

Records have $x^\top C^{-1}x \le R^2$ and $|y| \le Y$, the eigenvalues of $C$ lie in $[m, M]$, and at both neighbours $A \succcurlyeq \rho C$, $A \succcurlyeq lI$. In the
metric of $C$ the change $xx^\top - x'x'^\top$ is no larger than the larger of its two terms, so that nothing is lost to the triangle inequality:
$|(A_0-A_0')A^{-1}|^2 \le MR^4/(\rho l)$, which is $\kappa R^4/\rho^2$ for $l = \rho m$ and cannot be lowered. At the minimiser two records differ the most where they mirror
each other. Matrices of every size enter by inner products: with $u = A^{-1}g$ the numbers $|u|^2$, $u^\top Cu$, $u^\top Au = u^\top g$, $|g|^2$.
"""

from sympy import Matrix

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

two_records = page.inequality(
    "beyond:two-records-no-more-than-one",
    "The change of two records is no larger than the larger one",
    both(le(_p - _q, _radius**2 * _v), le(_q - _p, _radius**2 * _v)),
    r"So the symmetric matrix $S$, $uu^\top$ less $u'u'^\top$, has a norm of at most $R^2$, not twice that.",
    given=(
        Hypothesis("u in the ball", le(_p, _radius**2 * _v), "Cauchy-Schwarz, |u| <= R"),
        Hypothesis("u' in the ball", le(_q, _radius**2 * _v), "Cauchy-Schwarz, |u'| <= R"),
    ),
    points={_radius: (0, 4), _v: (0, 4), _p: (0, 1, _p * _radius**2 * _v), _q: (0, 1, _q * _radius**2 * _v)},
    wrong={
        "half": both(le(_p - _q, _radius**2 * _v / 2), le(_q - _p, _radius**2 * _v / 2)),
        "one record free": without("u' in the ball"),
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

relative = page.theorem(
    "beyond:ridge-relative-part",
    "The relative part over a domain",
    le(_level * _least * _w, _top * _radius**4 * _g),
    r"For all records of the domain; $l$ may be $\rho m$, or the regularisation.",
    given=(_IN_METRIC, _ABOVE, _SPECTRUM, Hypothesis("Cauchy-Schwarz", le(_f**2, _u * _g))),
    points={
        (_radius, _level, _least, _top, _g): (0, 3),
        _u: _g / _least**2,
        _f: _g / _least,
        _s: _g / (_level * _least),
        _w: _top * _radius**4 * _g / (_level * _least),
    },
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

sharp = page.theorem(
    "beyond:ridge-relative-part-sharp",
    "The relative part over a domain cannot be lowered",
    both(
        eq(named(r"x^\top C^{-1}x", printed(lambda: _one[0] ** 2 / _rp**2 + _one[1] ** 2 / _rq**2)), _radius**2),
        eq(_moved, _kappa * _radius**4 / (_level * (1 + _h)) ** 2),
        ge(named(r"\det(A'-\rho C)", _neighbour[0, 0] * _neighbour[1, 1] - _neighbour[0, 1] ** 2), 0),
        gt(named(r"e_2^\top(A'-\rho C)e_2", _neighbour[1, 1]), 0),
    ),
    r"Both neighbours are above $\rho C$, and with small h the relative part is arbitrarily close to the bound.",
    given=Hypothesis("a is large", ge((_a - _level * _rp**2) * _level * _h * _n**2, _radius**4 * _rp**2)),
    points={
        (_rp, _rq, _radius, _level): (0, 3),
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
_AT_T = Hypothesis("A >= rho C at t", le(_level * _s, _b))

minimiser = page.inequality(
    "beyond:ridge-minimiser",
    "Where the minimiser is",
    both(le(_b, _labels**2), le(_level * _s, _labels**2)),
    given=(_MEAN, Hypothesis("A is at least the mean of x_j x_j^T", le(_z, _b)), _AT_T),
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

minimiser_regularized = page.inequality(
    "beyond:ridge-minimiser-regularized",
    "Where the minimiser is, by the regularisation",
    both(le(4 * _mu * _norm, _labels**2), le(4 * _mu * _s, _top * _labels**2)),
    r"At the level $\mu_{reg}/M$ it is half of the distance that the level alone gives.",
    given=(_MEAN, _SPLIT, Hypothesis("C is at most M", le(_s, _top * _norm))),
    over=_AT_MINIMISER,
    points={
        (_labels, _mu, _top): (0, 4),
        _z: _labels**2 / 4,
        _norm: _labels**2 / (4 * _mu),
        _b: _labels**2 / 2,
        _s: _top * _labels**2 / (4 * _mu),
    },
    wrong={
        "an eighth": both(le(8 * _mu * _norm, _labels**2), le(4 * _mu * _s, _top * _labels**2)),
        "C free": without("C is at most M"),
        "any labels": without(_MEAN),
    },
    steps=(_LABELS_OUT,),
    reading=r"A record $\sqrt{\mu_{reg}}$ on the line with the label $Y$ has equality.",
)

minimiser_by_norms = page.inequality(
    "beyond:ridge-minimiser-by-norms",
    "Where the minimiser is, by the norms of the records",
    le(_level * _least * _s, _top * _radius**2 * _labels**2),
    "The smaller bound where the records are short against the level.",
    given=(
        _AT_T,
        Hypothesis("A >= l at t", le(_least * _norm, _b)),
        Hypothesis("Cauchy-Schwarz", le(_b**2, _norm * _beta)),
        Hypothesis("b is a mean of x_j y_j", le(_beta, _top * _radius**2 * _labels**2), "|x_j|^2 <= M R^2"),
    ),
    over=_AT_MINIMISER,
    points={
        (_radius, _labels, _top, _level, _least): (0, 3),
        _beta: _top * _radius**2 * _labels**2,
        _b: _top * _radius**2 * _labels**2 / _least,
        _norm: _top * _radius**2 * _labels**2 / _least**2,
        _s: _top * _radius**2 * _labels**2 / (_least * _level),
    },
    wrong={
        "half": left(2 * _level * _least * _s),
        "without the order": without("A >= rho C at t"),
        "any records": without("b is a mean of x_j y_j"),
    },
    steps=CAUCHY_SCHWARZ.quoted("$(b\\cdot t)^2 \\le |b|^2|t|^2$.", "It is the usual one."),
)

# From u, u' to the records: w = C^1/2 (z - z'), in units R, Y, R t/Y.
_worst = page.nonnegative("w", "the largest $2\\cos\\phi\\,(k\\sin\\phi+1)$, for $k = R|C^{1/2}t|/Y$", latex="w(k)")
_between = page.nonnegative("Q", latex=r"\|C^{-1/2}w\|^2")
_ABSOLUTE = nonnegative("W", "of the difference $w$ of the gradients", latex=r"\|w\|^2")
_absolute = _ABSOLUTE.symbol

_MIRRORED = Hypothesis(
    "mirrored records", le(_between, (_radius * _labels * _worst) ** 2), by=("beyond:mirrored-records",)
)

absolute = page.inequality(
    "beyond:ridge-absolute-part",
    "The absolute part over a domain",
    le(_absolute, _top * (_radius * _labels * _worst) ** 2),
    "Two records of the domain have gradients at $t$ that differ by no more.",
    given=(_MIRRORED, Hypothesis("C is at most M", le(_absolute, _top * _between))),
    points={
        (_radius, _labels, _top): (0, 3),
        _worst: (0, 5),
        _between: (_radius * _labels * _worst) ** 2,
        _absolute: _top * (_radius * _labels * _worst) ** 2,
    },
    over=(_ABSOLUTE,),
    wrong={"half": left(2 * _absolute), "C free": without("C is at most M")},
    steps=("beyond:mirrored-records", "beyond:ridge-minimiser"),
    reading=r"$C^{-1/2}$ takes the records to $Ru$, $|u| \le 1$, and $t$ to $C^{1/2}t$; labels are in units of $Y$.",
)

_er = page.nonnegative("e", "bound on the relative part")
_ar = page.nonnegative("r", "bound on the absolute part")
_gr = page.nonnegative("g", latex=r"\|\nabla f\|")
_gn = page.nonnegative("g'", latex=r"\|\nabla f'\|")
_dist = page.nonnegative("D", latex=r"\|\nabla f-\nabla f'\|")
_share = page.positive("t", "how the two parts share")


def _sensitive(norm: Symbol) -> Expr:
    """The right side for a gradient of that norm."""
    return (1 + _share) * _er**2 * norm**2 + (1 + 1 / _share) * _ar**2


sensitivity = page.theorem(
    "beyond:ridge-relative-sensitivity",
    "Relative sensitivity of ridge regression over a domain",
    both(le(_dist**2, _sensitive(_gr)), le(_dist**2, _sensitive(_gn))),
    r"For every share, both orders and every $\theta$, between neighbours that both are above the level; $e$ is $\frac{R^2}n\sqrt{M/(\rho l)}$ and $r$ is $\frac1n\sqrt M\,R\,Y\,w(k)$.",
    given=(
        Hypothesis(
            "at the one", le(_dist, _er * _gr + _ar), by=("beyond:ridge-relative-part", "beyond:ridge-absolute-part")
        ),
        Hypothesis("at the other", le(_dist, _er * _gn + _ar), "A' has the same bounds"),
    ),
    points={(_er, _ar, _gr): (0, 3), _gn: (0, 3, _gr + _gn), _dist: _er * _gr + _ar, _share: _ar / (_er * _gr)},
    wrong={
        "less of the absolute part": le(_dist**2, _sensitive(_gr) - _ar**2 / 100),
        "one neighbour at the level": without("at the other"),
    },
    steps=(
        Step("The relative part.", "beyond:ridge-relative-part"),
        Step("The absolute part.", "beyond:ridge-absolute-part"),
        Step("The two share.", "beyond:quadratic-split"),
    ),
    reading="The gradients differ by $(Eg + w)/n$, at either dataset with its own $A$.",
)

# One pair: the largest |E g + w|^2 - s |g|^2, in dimension 2.
SQUARE = ("11", "12", "21", "22")
symmetric_of = Matrix(2, 2, [page.real(f"E_{k}", "entry of E") for k in SQUARE])
vector_of = Matrix([page.real(f"w_{k}") for k in "12"])
row_of = Matrix([page.real(f"g_{k}") for k in "12"])
