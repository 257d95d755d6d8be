r"""Appendix B.3: the proof for orthogonal data.

The display for $A$ holds; the reason given for it counts the copies of each record twice. The second display loses a square: what stands in the first
relation is $(2d)^2$ and not $2d$. There are at most $d$ different records if none of them is 0.
"""

from sympy import MatrixSymbol

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Mutant,
    Step,
    both,
    either,
    eq,
    gt,
    le,
    natural,
    ne,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Deduction, Identity, Matrices, Premise, Search, Smt

from ..worlds import orthogonal as orthogonal_worlds
from .s5_orthogonal import ORTHOGONAL

_SOURCE = "rgm-v1+v2"

_P, _Q = positive("p", "|X_i|^2"), positive("q", "|X_j|^2")
_S = real("s", "inner product of X_i and X_j")
_p, _q, _s = (v.symbol for v in (_P, _Q, _S))

stronger = Claim(
    id="rgm:b3-stronger-than-orthogonality",
    refs=("O.1b",),
    title="The assumption is orthogonality without a spread of norms",
    source=_SOURCE,
    where="App. B.3",
    kind="remark",
    statement=(
        "For records that are not 0 the assumption says that two records are orthogonal, or parallel, of the same sense and of the same norm."
    ),
    variables=(_P, _Q, _S),
    conclusion=Iff(
        both(*(h.formula for h in ORTHOGONAL)),
        either(eq(_s, 0), both(eq(_s**2, _p * _q), gt(_s, 0), eq(_p, _q))),
    ),
    reading="Orthogonality by itself: two records are orthogonal or parallel. What is added is the equality of the norms (and of the sense).",
    checks=(Smt(),),
    sampling=Chart({_p: (0, None)}, {_p: _p, _q: _p, _s: _p}),
    mutants=(
        Mutant(
            "parallel, of any norm",
            Iff(both(*(h.formula for h in ORTHOGONAL)), either(eq(_s, 0), eq(_s**2, _p * _q))),
        ),
        Mutant("orthogonal only", Iff(both(*(h.formula for h in ORTHOGONAL)), eq(_s, 0))),
    ),
)

# Vectors in the plane.
_VECTORS = tuple(real(f"{v}_{k}", "coordinate of a record") for v in "xyz" for k in "12")
_x1, _x2, _y1, _y2, _z1, _z2 = (v.symbol for v in _VECTORS)
_X, _Y = real("x", "a record on the line"), real("y", "another one")
_x, _y = _X.symbol, _Y.symbol
_ON_THE_LINE = (
    Hypothesis("orthogonal data, x and y", either(eq(_x * _y, _x**2), eq(_x * _y, 0))),
    Hypothesis("orthogonal data, y and x", either(eq(_x * _y, _y**2), eq(_x * _y, 0))),
)

number_printed = Claim(
    id="rgm:b3-number-of-records-printed",
    title="At most d different records, as printed",
    scope="instance",
    missing="Dimension 1.",
    source="beyond",
    where="App. B.3",
    kind="remark",
    statement="Orthogonal data in dimension $d$ have at most $d$ different records: in dimension 1, two records are equal.",
    variables=(_X, _Y),
    hypotheses=_ON_THE_LINE,
    conclusion=eq(_x, _y),
    reading="With the record 0 counted, which nothing in the text turns on. For the simplest case, $d = 1$.",
    checks=(Search(), Smt()),
    sampling=Chart({_x: (0, None)}, {_x: _x, _y: 0 * _x}),
    category="missing hypothesis",
    corrected="rgm:b3-number-of-records",
    remark="The record 0 is orthogonal to all others and to itself. It changes nothing but the count: it adds nothing to $A$.",
)

# In the basis along the first record, x = (x_1, 0).
_NOT_ZERO = Hypothesis("none of the records is 0", both(gt(_x1**2, 0), gt(_y1**2 + _y2**2, 0), gt(_z1**2 + _z2**2, 0)))
_ORTHOGONAL_TO_X = Hypothesis("y and z are orthogonal to x", both(eq(_x1 * _y1, 0), eq(_x1 * _z1, 0)))
_COPIES, _DIM = natural("m", "copies of each record in the fixed half"), natural("d", "number of different records")
_m, _d = _COPIES.symbol, _DIM.symbol

number = Claim(
    id="rgm:b3-number-of-records",
    refs=("O.2a",),
    title="At most d different records that are not 0",
    source=_SOURCE,
    where="App. B.3",
    kind="remark",
    statement="Records that are not 0 and mutually orthogonal are at most as many as the dimension: in the plane, three cannot be.",
    variables=(_VECTORS[0], *_VECTORS[2:]),
    hypotheses=(_NOT_ZERO, _ORTHOGONAL_TO_X),
    conclusion=ne(_y1 * _z1 + _y2 * _z2, 0),
    reading=(
        "In a basis along the first record; in any dimension, orthogonal vectors that are not 0 are linearly independent. With fewer than d different records all gradients of the losses lie "
        "in the span of the records, and the dimension is that of the span."
    ),
    remark="The record 0 is orthogonal to all others and to itself. It changes nothing but the count: it adds nothing to $A$.",
    scope="instance",
    missing=r"Dimension 2.",
    checks=(Smt(),),
    sampling=Chart(
        {_x1: (1, 3), _y2: (1, 3), _z2: (-3, 3)},
        {_x1: _x1, _y1: 0 * _x1, _y2: _y2, _z1: 0 * _x1, _z2: _z2},
    ),
    mutants=(
        Mutant("three orthogonal ones", eq(_y1 * _z1 + _y2 * _z2, 0)),
        Mutant("the record 0 allowed", hypotheses=(_ORTHOGONAL_TO_X,)),
        Mutant("any two records", hypotheses=(_NOT_ZERO,)),
    ),
)

_N = natural("n", "number of records", lower=2)
_n = _N.symbol
_HALF_FIXED = Hypothesis("the fixed half has m copies of each of d records", eq(_n, 2 * _d * _m), "App. B.3")
_HALVES = Chart({_m: (0, None), _d: (0, None)}, {_m: _m, _d: _d, _n: 2 * _d * _m})

copies_printed = Claim(
    id="rgm:b3-copies-printed",
    refs=("O.2b",),
    title="How often each record occurs, as printed",
    source=_SOURCE,
    where="App. B.3, after the first display",
    kind="remark",
    statement="The last relation of the display for $A$ comes from each record's being represented $n/d$ times in the fixed half.",
    variables=(_N, _COPIES, _DIM),
    hypotheses=(_HALF_FIXED,),
    conclusion=eq(_m, _n / _d),
    reading="The sum in question is over the fixed half, which has $n/2$ records.",
    checks=(Search(), Smt()),
    sampling=_HALVES,
    category="misprint",
    corrected="rgm:b3-copies",
    remark=r"With $n/d$ copies the display would have $\frac1d$ on the right; its $\frac1{2d}$ is what $n/(2d)$ copies give.",
)

copies = Claim(
    id="rgm:b3-copies",
    refs=("O.2a",),
    title="How often each record occurs in the fixed half",
    source=_SOURCE,
    where="App. B.3, after the first display",
    kind="correction",
    statement=r"Each record is represented $n/(2d)$ times in the fixed half, so that $\frac1n\sum_{i\le n/2}X_iX_i^\top = \frac1{2d}\sum_{i\le d}X_iX_i^\top$; its weight there is $d^{-1}$.",
    variables=(_N, _COPIES, _DIM),
    hypotheses=(_HALF_FIXED,),
    conclusion=both(eq(_m, _n / (2 * _d)), eq(_m / _n, 1 / (2 * _d)), eq(_m / (_n / 2), 1 / _d)),
    checks=(Smt(),),
    sampling=_HALVES,
    mutants=(
        Mutant("n/d", eq(_m, _n / _d)),
        Mutant("the whole dataset even", hypotheses=(Hypothesis("whole", eq(_n, _d * _m)),)),
    ),
)

# Along X_i, which is an eigenvector of A (eigenvalue l) and of the sum of the X_j X_j^T (eigenvalue p).
_EIGENVALUE = positive("l", "eigenvalue of A along X_i")
_DIMENSION = natural("d", "dimension", lower=2)
_eigenvalue, _dim = _EIGENVALUE.symbol, _DIMENSION.symbol
_FROM_ORDER = Hypothesis("A along X_i", le(_p / (2 * _dim), _eigenvalue), "App. B.3, first display")
_left, _right = _p * (_p / _eigenvalue**2), _p * (_p / _p**2)
_ALONG = Chart(
    {_p: (0, None), _dim: (1, None), _eigenvalue: (0, 1)},
    {_p: _p, _dim: _dim, _eigenvalue: _p / (2 * _dim) * (1 + _eigenvalue)},
)

square_lost = Claim(
    id="rgm:b3-inverse-square-printed",
    refs=("O.4b",),
    title="The inverse square by the matrix order, as printed",
    source=_SOURCE,
    where="App. B.3, second display, first relation",
    kind="inequality",
    statement=r"$|X_i|^2X_i^\top A^{-2}X_i \le 2d\,|X_i|^2X_i^\top(\sum_jX_jX_j^\top)^{-2}X_i$.",
    variables=(_P, _EIGENVALUE, _DIMENSION),
    hypotheses=(_FROM_ORDER,),
    conclusion=le(_left, 2 * _dim * _right),
    reading=r"$X_i$ is an eigenvector of $A$ and of $\sum_jX_jX_j^\top$, of the latter with eigenvalue $|X_i|^2$.",
    checks=(
        Search(),
        Smt(),
        orthogonal_worlds.BY_THE_SUM_PRINTED.mapped(orthogonal_worlds.of_worst_record, _p, _eigenvalue, _d),
    ),
    category="wrong constant",
    corrected="rgm:b3-inverse-square",
    remark=(
        r"$A \succcurlyeq cB$ gives $A^{-2} \preccurlyeq c^{-2}B^{-2}$ at best: for matrices that commute, as here. For others the square of an inverse need not "
        "even have this order (`beyond:orthogonal-half-only`)."
    ),
)

square_kept = Claim(
    id="rgm:b3-inverse-square",
    title="The inverse square by the matrix order",
    source=_SOURCE,
    where="App. B.3, second display, first relation",
    kind="correction",
    statement=r"$|X_i|^2X_i^\top A^{-2}X_i \le (2d)^2|X_i|^2X_i^\top(\sum_jX_jX_j^\top)^{-2}X_i$.",
    variables=(_P, _EIGENVALUE, _DIMENSION),
    hypotheses=(_FROM_ORDER,),
    conclusion=le(_left, (2 * _dim) ** 2 * _right),
    checks=(
        Deduction((Premise("rgm:orthogonal-relative-term"),)),
        orthogonal_worlds.BY_THE_SUM.mapped(orthogonal_worlds.of_worst_record, _p, _eigenvalue, _d),
    ),
    sampling=_ALONG,
    mutants=(
        Mutant("2d", le(_left, 2 * _dim * _right)),
        Mutant("d^2", le(_left, _dim**2 * _right)),
        Mutant("nothing fixed", hypotheses=()),
    ),
)

# Two orthogonal vectors in the plane: (x_1, x_2) and a multiple of (-x_2, x_1).
_T = real("t", "length of the second record in units of the first")
_t = _T.symbol

_OTHER_DIRECTIONS = natural("m", "number of the other records")
_one, _rest = MatrixSymbol("X_i", _d, 1), MatrixSymbol("R", _d, _OTHER_DIRECTIONS.symbol)

on_one_record = Claim(
    id="beyond:orthogonal-sum-on-one-record",
    title="A record is an eigenvector of the sum, up to what is not orthogonal to it",
    source="beyond",
    where="App. B.3, second display",
    kind="identity",
    statement=r"$(\sum_jX_jX_j^\top)X_i = |X_i|^2X_i + \sum_{j\ne i}(X_j^\top X_i)X_j$.",
    variables=(_DIM, _OTHER_DIRECTIONS),
    conclusion=eq((_one * _one.T + _rest * _rest.T) * _one, _one * (_one.T * _one) + _rest * (_rest.T * _one)),
    reading="The other records are the columns of $R$. For orthogonal records $R^\\top X_i = 0$, so that $X_i$ is an eigenvector of the sum with the eigenvalue $|X_i|^2$, as it is of $X_iX_i^\\top$ by itself.",
    checks=(Matrices(),),
    mutants=(
        Mutant("without the others", eq((_one * _one.T + _rest * _rest.T) * _one, _one * (_one.T * _one))),
        Mutant(
            "the others once more",
            eq((_one * _one.T + 2 * _rest * _rest.T) * _one, _one * (_one.T * _one) + _rest * (_rest.T * _one)),
        ),
    ),
)

_through_sum = printed(lambda: 2 * _dim * _p * (_p / _p**2))
_through_projector = printed(lambda: 2 * _dim * _p * (_p * (_p / _p**2) ** 2))

evaluated = Claim(
    id="rgm:b3-inverse-square-evaluated",
    refs=("O.4c",),
    title="The inverse square of the sum, evaluated",
    source=_SOURCE,
    where="App. B.3, second display, last two relations",
    kind="identity",
    statement=(
        r"$2d|X_i|^2X_i^\top(\sum_jX_jX_j^\top)^{-2}X_i = 2d|X_i|^2X_i^\top(X_iX_i^\top/|X_i|^4)^2X_i = 2d$ for mutually orthogonal $X_1,\dots,X_d$."
    ),
    variables=(_P, _DIMENSION),
    conclusion=both(eq(_through_sum, _through_projector), eq(_through_projector, 2 * _dim)),
    reading=(
        r"In every dimension, with $p = |X_i|^2$: $X_i$ is an eigenvector of the sum with eigenvalue $p$, and of $X_iX_i^\top/|X_i|^4$ with eigenvalue $p/p^2$, so that both "
        r"quadratic forms are $p$ times a power of the eigenvalue. None of the records is 0, as the inverse exists."
    ),
    checks=(Identity(),),
    derivation=(Step("The record is an eigenvector of both.", "beyond:orthogonal-sum-on-one-record"),),
    mutants=(
        Mutant("the projector over the square of the norm", eq(_through_sum, _through_projector * _p**2)),
        Mutant("d in place of 2d", eq(_through_projector, _dim)),
    ),
)
