r"""Section 5.2, Orthogonal data: the bound that is meant is $(2d)^2$, not $2d$.

In the paper's sense data are orthogonal if two records are equal or orthogonal. Every record is then an eigenvector of $A$, with eigenvalue
$w|X_i|^2$ for the share $w$ of records along it, and $|A_0A^{-1}| = 1/w$. A share of at least $1/(2d)$ gives $|A_0A^{-1}| \le 2d$, the square of which is
the quantity that the paper bounds by $2d$: relative sensitivity is of the order $d/n$ and not $\sqrt d/n$. The independence of the scales holds.
"""

from sympy import Expr

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    Tightness,
    both,
    chain,
    either,
    eq,
    ge,
    gt,
    le,
    natural,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Combination, Identity, Search, Smt, Units

from ..worlds import orthogonal as orthogonal_worlds

_SOURCE = "rgm-v1+v2"

_P, _Q = positive("p", "|X_i|^2"), positive("q", "|X_j|^2")
_S = real("s", "inner product of X_i and X_j")
_p, _q, _s = (v.symbol for v in (_P, _Q, _S))
#: The definition for the pair (i, j) and for the pair (j, i).
ORTHOGONAL = (
    Hypothesis("orthogonal data, i and j", either(eq(_s, _p), eq(_s, 0)), "§5.2, Orthogonal data"),
    Hypothesis("orthogonal data, j and i", either(eq(_s, _q), eq(_s, 0)), "§5.2, Orthogonal data"),
)
_CASES = Chart(
    {_p: (0, None), _q: (0, None)},
    {_p: _p, _q: _p, _s: _p},
)

orthogonal = Claim(
    id="rgm:orthogonal-data",
    refs=("O.1a",),
    title="Orthogonal data: equal or orthogonal",
    source=_SOURCE,
    where="§5.2, Orthogonal data; App. B.3",
    kind="definition",
    statement=r"If $X_i^\top X_j$ is $|X_i|^2$ or 0 for all pairs, two records are orthogonal or equal.",
    variables=(_P, _Q, _S),
    hypotheses=ORTHOGONAL,
    conclusion=either(eq(_s, 0), le(_p + _q - 2 * _s, 0)),
    reading=r"The definition speaks of ordered pairs, so of $(j,i)$ as well. $|X_i-X_j|^2 = p + q - 2s$.",
    checks=(Smt(),),
    sampling=_CASES,
    mutants=(
        Mutant("orthogonal", eq(_s, 0)),
        Mutant("equal", le(_p + _q - 2 * _s, 0)),
        Mutant("one order of the pair", hypotheses=(ORTHOGONAL[0],)),
    ),
)

# Along a direction v: the fixed half has m copies of each of d records, S is the sum of the squares of their inner
# products with v, and the rest of the dataset adds what it adds.
_COPIES = positive("m", "copies of each record in the fixed half")
_DIM = positive("d", "number of different records")
_SUM = nonnegative("S", "sum over the different records of (X_j . v)^2")
_REST = nonnegative("T", "sum over the rest of the dataset of (X_i . v)^2")
_m, _d, _sum, _rest = (v.symbol for v in (_COPIES, _DIM, _SUM, _REST))
_size = 2 * _d * _m

_fixed_half = printed(lambda: _m * _sum / (2 * _d * _m))

order = Claim(
    id="rgm:orthogonal-matrix-order",
    refs=("O.3",),
    title="The fixed half bounds A from below",
    source=_SOURCE,
    where="§5.2, Orthogonal data; App. B.3, first display",
    kind="inequality",
    statement=(
        r"If half of the $n$ records are fixed and contain each of the $d$ different records equally often, then "
        r"$A \succcurlyeq \frac1n\sum_{i\le n/2}X_iX_i^\top \succcurlyeq \frac1{2d}\sum_{i\le d}X_iX_i^\top$."
    ),
    variables=(_COPIES, _DIM, _SUM, _REST),
    conclusion=chain((_m * _sum + _rest) / _size, ">=", _fixed_half, ">=", _sum / (2 * _d)),
    reading=(
        r"Along every direction $v$, in any dimension: the fixed half has $m$ copies of each record, so $n = 2dm$. The last relation is an equality. "
        "More than half fixed, or regularisation, adds to the left."
    ),
    checks=(
        Smt(),
        Units({_sum: 2, _rest: 2}),
        orthogonal_worlds.MATRIX_ORDER.mapped(orthogonal_worlds.of_order, _m, _d, _sum, _rest),
    ),
    mutants=(
        Mutant("1/d", chain((_m * _sum + _rest) / _size, ">=", _fixed_half, ">=", _sum / _d)),
        Mutant("n/2 in place of n", ge((_m * _sum + _rest) / _size, 2 * _m * _sum / _size)),
    ),
)

# Along the eigenvector X_i of A.
_DIMENSION = natural("d", "dimension", lower=2)
_EIGENVALUE = positive("l", "eigenvalue of A along X_i")
_dim, _eigenvalue = _DIMENSION.symbol, _EIGENVALUE.symbol
_FROM_ORDER = Hypothesis("A along X_i", ge(_eigenvalue, _p / (2 * _dim)), "§5.2, the matrix order")
_relative = _p * (_p / _eigenvalue**2)
_ALONG = Chart(
    {_p: (0, None), _dim: (1, None), _eigenvalue: (0, 1)},
    {_p: _p, _dim: _dim, _eigenvalue: _p / (2 * _dim) * (1 + _eigenvalue)},
)

relative_printed = Claim(
    id="rgm:orthogonal-relative-term-printed",
    refs=("O.4a",),
    title="The relative term of orthogonal data, as printed",
    source=_SOURCE,
    where="§5.2, Orthogonal data",
    kind="inequality",
    statement=r"$A \succcurlyeq \frac1{2d}\sum_{i\le d}X_iX_i^\top$ gives $|X_i|^2X_i^\top A^{-2}X_i \le 2d$.",
    variables=(_P, _EIGENVALUE, _DIMENSION),
    hypotheses=(_FROM_ORDER,),
    conclusion=le(_relative, 2 * _dim),
    reading=(
        r"$X_i$ is an eigenvector of $A$; the order, taken along it, says that its eigenvalue is at least $|X_i|^2/(2d)$. "
        r"In dimension at least 2, so that nothing degenerates."
    ),
    checks=(
        Search(),
        Smt(),
        orthogonal_worlds.RELATIVE_TERM_PRINTED.mapped(orthogonal_worlds.of_worst_record, _p, _eigenvalue, _dim),
    ),
    category="wrong constant",
    corrected="rgm:orthogonal-relative-term",
    remark=(
        r"The inverse is squared, so the constant is. The dataset $e_1, e_2 \mid e_2, e_2$ has $A = \mathrm{diag}(1/4, 3/4)$ and the value 16, while $2d = 4$; "
        r"the evenly spread dataset $e_1, e_2, e_3$ has 9 while $2d = 6$ (`beyond:orthogonal-even-dataset`)."
    ),
)

relative = Claim(
    id="rgm:orthogonal-relative-term",
    title="The relative term of orthogonal data",
    source=_SOURCE,
    where="§5.2, Orthogonal data; App. B.3, second display",
    kind="correction",
    statement=r"$|A_0A^{-1}|^2 = |X_i|^2X_i^\top A^{-2}X_i \le (2d)^2$.",
    variables=(_P, _EIGENVALUE, _DIMENSION),
    hypotheses=(_FROM_ORDER,),
    conclusion=le(_relative, (2 * _dim) ** 2),
    checks=(
        Combination(
            terms=(
                (2 * _dim / _eigenvalue, _eigenvalue - _p / (2 * _dim), 2 * _dim),
                (2 * _dim / _eigenvalue, _eigenvalue - _p / (2 * _dim), _p / _eigenvalue),
            )
        ),
        Smt(),
        Units({_p: 2, _eigenvalue: 2}),
        orthogonal_worlds.RELATIVE_TERM.mapped(orthogonal_worlds.of_worst_record, _p, _eigenvalue, _dim),
    ),
    sampling=_ALONG,
    derivation=(
        Step("The fixed half.", "rgm:orthogonal-matrix-order"),
        Step("A record is an eigenvector of $A$: no condition number.", "rgm-v1:relative-term-tighter"),
    ),
    mutants=(
        Mutant("2d", le(_relative, 2 * _dim)),
        Mutant("d^2", le(_relative, _dim**2)),
        Mutant("nothing fixed", hypotheses=()),
    ),
    tightness=(
        Tightness(
            1 / (1 + _eigenvalue) ** 2,
            {_eigenvalue: (0, 3)},
            r"the relative term over its bound, when the other half adds $l$ times what the fixed half has along $X_i$: 1 if it has no record there",
        ),
    ),
)

_SHARE = positive("w", "share of the records along X_i", upper=1)
_SCALE = positive("t", "factor by which X_i is scaled")
_REG = nonnegative("mu_reg", "regularisation")
_w, _scale, _reg = (v.symbol for v in (_SHARE, _SCALE, _REG))


def _value(square: Expr, regularisation: Expr) -> Expr:
    """|X|^2 X^T A^-2 X for the share w of records of squared norm `square` along X."""
    return square**2 / (_w * square + regularisation) ** 2


def _without_regularisation(square: Expr) -> Expr:
    """The same without regularisation, not simplified."""
    return printed(lambda: square**2 / (_w * square) ** 2)


_scaled, _unscaled = _without_regularisation(_scale**2 * _p), _without_regularisation(_p)

scale_free = Claim(
    id="rgm:orthogonal-scale-free",
    refs=("O.5",),
    title="The relative sensitivity of orthogonal data does not see the scales",
    source=_SOURCE,
    where="§5.2, Orthogonal data; App. B.3",
    kind="remark",
    statement=r"Scaling all records along one direction leaves $|X_i|^2X_i^\top A^{-2}X_i$ as it is, which is $1/w^2$ for the share $w$ of these records.",
    variables=(_P, _SHARE, _SCALE),
    conclusion=both(eq(_scaled, _unscaled), eq(_unscaled, 1 / _w**2)),
    reading="Each direction has its own scale. Without regularisation, as in the example; with it the scale matters.",
    checks=(
        Identity(),
        orthogonal_worlds.SCALE_FREE,
    ),
    mutants=(
        Mutant("with regularisation 1", eq(_value(_scale**2 * _p, 1), _value(_p, 1))),
        Mutant("the share once", eq(_unscaled, 1 / _w)),
    ),
)

# A direction with n_1 records, of squared norm p, and n_2 records along the others.
_N1, _N2 = (
    natural("n_1", "number of records along the first direction"),
    natural("n_2", "number of records along other directions"),
)
_n1, _n2 = _N1.symbol, _N2.symbol
_records = _n1 + _n2


_ONE = Hypothesis("a single record along the first direction", eq(_n1, 1), "§5.2 of version 2")

singular = Claim(
    id="rgm-v2:orthogonal-single-point",
    refs=("O.6a",),
    title="Without the only record of a direction, A is singular",
    source="rgm-v2",
    where="§5.2, Orthogonal data",
    kind="remark",
    statement="If a direction has a single record and this record leaves, $A$ is no longer invertible without regularisation.",
    variables=(_P, _N1, _N2),
    hypotheses=(_ONE,),
    conclusion=both(
        gt(_n1 * _p / _records, 0),
        eq((_n1 - 1) * _p / _records, 0),
    ),
    reading=(
        "In every dimension: a direction of the records is an eigenvector of $A$, with the number of its records times their squared norm over the number of all records as the eigenvalue, and $A$ "
        "is invertible exactly if none is 0. Removed, with the mean over the same number; or replaced by a record along another direction, as neighbours do in the rest of the paper."
    ),
    checks=(Smt(),),
    derivation=(Step("Directions of orthogonal records are eigenvectors.", "beyond:orthogonal-sum-on-one-record"),),
    sampling=Chart({_p: (0, None), _n2: (0, None)}, {_p: _p, _n2: _n2, _n1: 1 + 0 * _n2}),
    mutants=(
        Mutant("still invertible", gt((_n1 - 1) * _p / _records, 0)),
        Mutant(
            "two records",
            both(gt(_n1 * _p / _records, 0), eq((_n1 - 1) * _p / _records, 0)),
            (Hypothesis("two", eq(_n1, 2)),),
        ),
    ),
)

_KAPPA_SIDE = positive("l", "largest eigenvalue of A before regularisation")
_LAMBDA = positive("mu_reg", "regularisation")
_side, _lambda = _KAPPA_SIDE.symbol, _LAMBDA.symbol
_kappa = (_side + _lambda) / _lambda
#: The largest eigenvalue is the squared length.
_length2 = positive("p").symbol
_regularised = At(_length2**2 / _lambda**2, _length2, _side + _lambda)

conditioned = Claim(
    id="rgm-v2:orthogonal-regularised",
    refs=("O.6b",),
    title="Regularisation brings the condition number back",
    source="rgm-v2",
    where="§5.2, Orthogonal data",
    kind="remark",
    statement=(
        r"If the neighbour has no record along $X_0$, regularisation leaves $|X_0|^2X_0^\top A'^{-2}X_0 = |X_0|^4/\mu_{reg}^2$, which for $|X_0|^2 = \lambda_{\max}(A')$ "
        r"is $\kappa^2$."
    ),
    variables=(_KAPPA_SIDE, _LAMBDA),
    conclusion=eq(_regularised, printed(lambda: _kappa**2)),
    reading=r"$X_0$ is orthogonal to all other records, and as long as the square root of the largest eigenvalue of $A' = \frac1nX'X'^\top + \mu_{reg}I$.",
    checks=(Identity(), Units({_side: 2, _lambda: 2})),
    mutants=(
        Mutant("linear in kappa", eq(_regularised, _kappa)),
        Mutant("no kappa", eq(_regularised, 1)),
    ),
)

_unavoidable = nonnegative("K", "a bound that does not depend on kappa")
_k = _unavoidable.symbol

unavoidable = Claim(
    id="rgm-v2:orthogonal-no-uniform-bound",
    refs=("O.6b",),
    title="In the worst case no bound does without the condition number",
    source="rgm-v2",
    where="§5.2, Orthogonal data",
    kind="remark",
    statement=r"For every $K$ there are $X_0$ and $A'$ with $|X_0|^2X_0^\top A'^{-2}X_0 > K$: whenever $\kappa > K + 1$ in `rgm-v2:orthogonal-regularised`.",
    variables=(_KAPPA_SIDE, _LAMBDA, _unavoidable),
    hypotheses=(Hypothesis("ill-conditioned", gt(_kappa, _k + 1)),),
    conclusion=gt((_side + _lambda) * ((_side + _lambda) / _lambda**2), _k),
    derivation=(Step("The value with regularisation.", "rgm-v2:orthogonal-regularised"),),
    checks=(Smt(),),
    sampling=Chart(
        {_k: (0, None), _lambda: (0, None), _side: (0, 1)},
        {_k: _k, _lambda: _lambda, _side: _lambda * (_k + _side)},
    ),
    mutants=(
        Mutant("well-conditioned", hypotheses=()),
        Mutant("K cubed", gt((_side + _lambda) * ((_side + _lambda) / _lambda**2), _k**3)),
    ),
)

_COUNT = natural("m", "number of records along a direction", lower=2)
_count = _COUNT.symbol

mild = Claim(
    id="rgm-v2:orthogonal-mild-change",
    refs=("O.6b",),
    title="Where a direction has many records, removing one changes little",
    source="rgm-v2",
    where="§5.2, Orthogonal data",
    kind="remark",
    statement=(
        r"If each direction has at least $m$ records, then $(1-\frac1m)A \preccurlyeq A' \preccurlyeq A$ after removing one, and $|A_0A'^{-1}|/n \le 1/(m-1)$: "
        r"$\eta$ is of the order $1/m$."
    ),
    variables=(_P, _COUNT, _N1),
    hypotheses=(Hypothesis("at least m records along the direction", ge(_n1, _count)),),
    conclusion=both(
        chain((1 - 1 / _count) * _n1 * _p, "<=", (_n1 - 1) * _p, "<=", _n1 * _p),
        le(_p / ((_n1 - 1) * _p), 1 / (_count - 1)),
    ),
    reading=(
        r"Well-behaved: no direction depends on few records. Along each direction, where $nA$ has the eigenvalue $n_1|X_0|^2$; the other directions do not change."
    ),
    checks=(
        Smt(),
        orthogonal_worlds.REMOVED.mapped(orthogonal_worlds.of_removed, _p, _count, _n1),
    ),
    sampling=Chart({_p: (0, None), _count: (1, None), _n1: (-1, None)}, {_p: _p, _count: _count, _n1: _count + _n1}),
    mutants=(
        Mutant("1/m", le(_p / ((_n1 - 1) * _p), 1 / _count)),
        Mutant("few records", hypotheses=(Hypothesis("two records", ge(_n1, 2)),)),
    ),
)
