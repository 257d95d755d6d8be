r"""Section 5.2, Orthogonal data: the bound that is meant is $(2d)^2$, not $2d$.

In the paper's sense data are orthogonal if two records are equal or orthogonal. Every record is then an eigenvector of $A$, with eigenvalue
$w|X_i|^2$ for the share $w$ of records along it, and $|A_0A^{-1}| = 1/w$. A share of at least $1/(2d)$ gives $|A_0A^{-1}| \le 2d$, the square of which is
the quantity that the paper bounds by $2d$: relative sensitivity is of the order $d/n$ and not $\sqrt d/n$. The independence of the scales holds.
"""

from rgm_verify.pages import *

from . import orthogonal_worlds as worlds

page = Page("rgm-v1+v2", "§5.2")
_p = page.positive("p", "|X_i|^2", latex=r"\|X_i\|^2")
_q = page.positive("q", "|X_j|^2", latex=r"\|X_j\|^2")
_s = page.real("s", "inner product of X_i and X_j", latex=r"X_i^\top X_j")

#: The definition for the pair (i, j) and for the pair (j, i).
ORTHOGONAL = (
    Hypothesis("orthogonal data, i and j", either(eq(_s, _p), eq(_s, 0)), "§5.2, Orthogonal data"),
    Hypothesis("orthogonal data, j and i", either(eq(_s, _q), eq(_s, 0)), "§5.2, Orthogonal data"),
)

orthogonal = page.at("Orthogonal data; App. B.3", "O.1a").definition(
    "rgm:orthogonal-data",
    "Orthogonal data: equal or orthogonal",
    either(eq(_s, 0), le(_p + _q - 2 * _s, 0)),
    given=ORTHOGONAL,
    points={_q: (0, None, _p), _s: _p},
    wrong={
        "orthogonal": eq(_s, 0),
        "equal": le(_p + _q - 2 * _s, 0),
        "one order of the pair": without("orthogonal data, j and i"),
    },
    reading=r"The definition speaks of ordered pairs, so of $(j,i)$ as well. $|X_i-X_j|^2 = p + q - 2s$.",
)

# Along a direction v: the fixed half has m copies of each of d records, S is the sum of the squares of their inner
# products with v, and the rest of the dataset adds what it adds.
_m = page.positive("m", "copies of each record in the fixed half")
_d = page.positive("d", "number of different records")
_sum = page.nonnegative("S", "sum over the different records of (X_j . v)^2", latex=r"\sum_j(X_j^\top v)^2")
_rest = page.nonnegative("T", "sum over the rest of the dataset of (X_i . v)^2")
_size = 2 * _d * _m
_fixed_half = printed(lambda: _m * _sum / (2 * _d * _m))

order = page.at("Orthogonal data; App. B.3, first display", "O.3").inequality(
    "rgm:orthogonal-matrix-order",
    "The fixed half bounds A from below",
    chain((_m * _sum + _rest) / _size, ">=", _fixed_half, ">=", _sum / (2 * _d)),
    "If half of the $n$ records are fixed and contain each of the $d$ different records equally often.",
    by=(Smt(), Units({_sum: 2, _rest: 2}), worlds.MATRIX_ORDER.mapped(worlds.of_order, _m, _d, _sum, _rest)),
    wrong={
        "1/d": chain((_m * _sum + _rest) / _size, ">=", _fixed_half, ">=", _sum / _d),
        "n/2 in place of n": ge((_m * _sum + _rest) / _size, 2 * _m * _sum / _size),
    },
    reading=r"Along every direction $v$, in any dimension: the fixed half has $m$ copies of each record, so $n = 2dm$. The last relation is an equality. "
    "More than half fixed, or regularisation, adds to the left.",
    printed=r"A \succcurlyeq \frac1n\sum_{i=1}^{n/2}X_iX_i^\top \succcurlyeq \frac{1}{2d}\sum_{i=1}^dX_iX_i^\top",
)

# Along the eigenvector X_i of A.
_dim = page.natural("d", "dimension", lower=2)
_eigenvalue = page.positive("l", "eigenvalue of A along X_i")
_FROM_ORDER = Hypothesis("A along X_i", ge(_eigenvalue, _p / (2 * _dim)), "§5.2, the matrix order")
_relative = _p * (_p / _eigenvalue**2)

relative_printed = page.at("Orthogonal data", "O.4a").inequality(
    "rgm:orthogonal-relative-term-printed",
    "The relative term of orthogonal data, as printed",
    le(_relative, 2 * _dim),
    given=_FROM_ORDER,
    by=(Search(), Smt(), worlds.RELATIVE_TERM_PRINTED.mapped(worlds.of_worst_record, _p, _eigenvalue, _dim)),
    reading=r"$X_i$ is an eigenvector of $A$; the order, taken along it, says that its eigenvalue is at least $|X_i|^2/(2d)$. "
    r"In dimension at least 2, so that nothing degenerates.",
    mistake=("wrong constant", "rgm:orthogonal-relative-term"),
    remark=r"The inverse is squared, so the constant is. The dataset $e_1, e_2 \mid e_2, e_2$ has $A = \mathrm{diag}(1/4, 3/4)$ and the value 16, while $2d = 4$; "
    r"the evenly spread dataset $e_1, e_2, e_3$ has 9 while $2d = 6$ (`beyond:orthogonal-even-dataset`).",
    printed=r"\|X_i\|^2 X_i^\top A^{-2} X_i \le 2d",
)

relative = page.at("Orthogonal data; App. B.3, second display").correction(
    "rgm:orthogonal-relative-term",
    "The relative term of orthogonal data",
    le(_relative, (2 * _dim) ** 2),
    given=_FROM_ORDER,
    by=(
        combination(
            (2 * _dim / _eigenvalue, _eigenvalue - _p / (2 * _dim), 2 * _dim),
            (2 * _dim / _eigenvalue, _eigenvalue - _p / (2 * _dim), _p / _eigenvalue),
        ),
        Smt(),
        Units({_p: 2, _eigenvalue: 2}),
        worlds.RELATIVE_TERM.mapped(worlds.of_worst_record, _p, _eigenvalue, _dim),
    ),
    points={_dim: (1, None), _eigenvalue: (0, 1, _p / (2 * _dim) * (1 + _eigenvalue))},
    wrong={"2d": 2 * _dim, "d^2": _dim**2, "nothing fixed": without()},
    steps=(
        Step("The fixed half.", "rgm:orthogonal-matrix-order"),
        Step("A record is an eigenvector of $A$: no condition number.", "rgm-v1:relative-term-tighter"),
    ),
    tightness=Tightness(
        1 / (1 + _eigenvalue) ** 2,
        {_eigenvalue: (0, 3)},
        r"the relative term over its bound, when the other half adds $l$ times what the fixed half has along $X_i$: 1 if it has no record there",
    ),
    printed=r"\|X_i\|^2 X_i^\top A^{-2} X_i \le (2d)^2",
)

_w = page.positive("w", "share of the records along X_i", upper=1)
_scale = page.positive("t", "factor by which X_i is scaled")


def _value(square: Expr, regularisation: Expr) -> Expr:
    """|X|^2 X^T A^-2 X for the share w of records of squared norm `square` along X."""
    return square**2 / (_w * square + regularisation) ** 2


def _without_regularisation(square: Expr) -> Expr:
    """The same without regularisation, not simplified."""
    return printed(lambda: square**2 / (_w * square) ** 2)


_scaled, _unscaled = _without_regularisation(_scale**2 * _p), _without_regularisation(_p)

scale_free = page.at("Orthogonal data; App. B.3", "O.5").remark(
    "rgm:orthogonal-scale-free",
    "The relative sensitivity of orthogonal data does not see the scales",
    both(eq(_scaled, _unscaled), eq(_unscaled, 1 / _w**2)),
    "For the share $w$ of the records along a direction, all of which are scaled.",
    by=(Identity(), worlds.SCALE_FREE),
    wrong={
        "with regularisation 1": eq(_value(_scale**2 * _p, 1), _value(_p, 1)),
        "the share once": eq(_unscaled, 1 / _w),
    },
    reading="Each direction has its own scale. Without regularisation, as in the example; with it the scale matters.",
)

# A direction with n_1 records, of squared norm p, and n_2 records along the others.
_n1 = page.natural("n_1", "number of records along the first direction")
_n2 = page.natural("n_2", "number of records along other directions")
_records = _n1 + _n2

singular = page.at("Orthogonal data", "O.6a", source="rgm-v2").remark(
    "rgm-v2:orthogonal-single-point",
    "Without the only record of a direction, A is singular",
    both(gt(_n1 * _p / _records, 0), eq((_n1 - 1) * _p / _records, 0)),
    "Without regularisation $A$ is then no longer invertible.",
    given=Hypothesis("a single record along the first direction", eq(_n1, 1), "§5.2 of version 2"),
    points={_n2: (0, None), _n1: 1 + 0 * _n2},
    wrong={
        "still invertible": gt((_n1 - 1) * _p / _records, 0),
        "two records": changed(
            both(gt(_n1 * _p / _records, 0), eq((_n1 - 1) * _p / _records, 0)), (Hypothesis("two", eq(_n1, 2)),)
        ),
    },
    steps=Step("Directions of orthogonal records are eigenvectors.", "beyond:orthogonal-sum-on-one-record"),
    reading="In every dimension: a direction of the records is an eigenvector of $A$, with the number of its records times their squared norm over the number of all records as the eigenvalue, and $A$ "
    "is invertible exactly if none is 0. Removed, with the mean over the same number; or replaced by a record along another direction, as neighbours do in the rest of the paper.",
)

_KAPPA_SIDE = positive("l", "largest eigenvalue of A before regularisation")
_lambda = page.positive("mu_reg", "regularisation", latex=r"\mu_{reg}")
_side = _KAPPA_SIDE.symbol
_kappa = (_side + _lambda) / _lambda
#: The largest eigenvalue is the squared length.
_length2 = positive("p").symbol

conditioned = page.at("Orthogonal data", "O.6b", source="rgm-v2").remark(
    "rgm-v2:orthogonal-regularised",
    "Regularisation brings the condition number back",
    eq(At(_length2**2 / _lambda**2, _length2, _side + _lambda), printed(lambda: _kappa**2)),
    r"If the neighbour has no record along $X_0$, and $\|X_0\|^2$ is its largest eigenvalue before regularisation.",
    by=(Identity(), Units({_side: 2, _lambda: 2})),
    over=(_KAPPA_SIDE,),
    wrong={"linear in kappa": _kappa, "no kappa": 1},
    reading=r"$X_0$ is orthogonal to all other records, and as long as the square root of the largest eigenvalue of $A' = \frac1nX'X'^\top + \mu_{reg}I$.",
    printed=r"\|X_0\|^2 X_0^\top A'^{-2}X_0 = \frac{\|X_0\|^4}{\mu_{reg}^2} = \kappa^2",
)

_k = page.nonnegative("K", "a bound that does not depend on kappa")

unavoidable = page.at("Orthogonal data", "O.6b", source="rgm-v2").remark(
    "rgm-v2:orthogonal-no-uniform-bound",
    "In the worst case no bound does without the condition number",
    gt((_side + _lambda) * ((_side + _lambda) / _lambda**2), _k),
    "For every $K$ there are such $X_0$ and $A'$.",
    given=Hypothesis("ill-conditioned", gt(_kappa, _k + 1)),
    points={_side: (0, 1, _lambda * (_k + _side))},
    over=(_KAPPA_SIDE,),
    wrong={"well-conditioned": without(), "K cubed": _k**3},
    steps=Step("The value with regularisation.", "rgm-v2:orthogonal-regularised"),
    printed=r"\|X_0\|^2 X_0^\top A'^{-2}X_0 > K",
)

_count = page.natural("m", "number of records along a direction", lower=2)

mild = page.at("Orthogonal data", "O.6b", source="rgm-v2").remark(
    "rgm-v2:orthogonal-mild-change",
    "Where a direction has many records, removing one changes little",
    both(
        chain((1 - 1 / _count) * _n1 * _p, "<=", (_n1 - 1) * _p, "<=", _n1 * _p),
        le(_p / ((_n1 - 1) * _p), 1 / (_count - 1)),
    ),
    r"If each direction has at least $m$ records and one is removed, so that $\eta$ is of the order $1/m$.",
    given=Hypothesis("at least m records along the direction", ge(_n1, _count)),
    by=(Smt(), worlds.REMOVED.mapped(worlds.of_removed, _p, _count, _n1)),
    points={_count: (1, None), _n1: (-1, None, _count + _n1)},
    wrong={
        "1/m": le(_p / ((_n1 - 1) * _p), 1 / _count),
        "few records": changed(hypotheses=(Hypothesis("two records", ge(_n1, 2)),)),
    },
    reading=r"Well-behaved: no direction depends on few records. Along each direction, where $nA$ has the eigenvalue $n_1|X_0|^2$; the other directions do not change.",
    printed=r"\left(1-\frac1m\right)A \preccurlyeq A' \preccurlyeq A \quad\text{and}\quad \frac1n\|A_0A'^{-1}\| \le \frac{1}{m-1}",
)
