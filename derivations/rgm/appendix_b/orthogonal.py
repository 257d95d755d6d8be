r"""Appendix B.3: the proof for orthogonal data.

The display for $A$ holds; the reason given for it counts the copies of each record twice. The second display loses a square: what stands in the first
relation is $(2d)^2$ and not $2d$. There are at most $d$ different records if none of them is 0.
"""

from rgm_verify.pages import *

from ...theorems import CAUCHY_SCHWARZ, INDUCTION
from ..section_5 import orthogonal_worlds as worlds
from ..section_5.orthogonal import ORTHOGONAL

page = Page("rgm-v1+v2", "App. B.3")
_p = page.positive("p", "|X_i|^2", latex=r"\|X_i\|^2")
_q = page.positive("q", "|X_j|^2", latex=r"\|X_j\|^2")
_s = page.real("s", "inner product of X_i and X_j", latex=r"X_i^\top X_j")

stronger = page.at("", "O.1b").remark(
    "rgm:b3-stronger-than-orthogonality",
    "The assumption is orthogonality without a spread of norms",
    Iff(both(*(h.formula for h in ORTHOGONAL)), either(eq(_s, 0), both(eq(_s**2, _p * _q), gt(_s, 0), eq(_p, _q)))),
    "For records that are not 0: two records are orthogonal, or parallel, of the same sense and of the same norm.",
    points={_q: _p, _s: _p},
    wrong={
        "parallel, of any norm": Iff(both(*(h.formula for h in ORTHOGONAL)), either(eq(_s, 0), eq(_s**2, _p * _q))),
        "orthogonal only": Iff(both(*(h.formula for h in ORTHOGONAL)), eq(_s, 0)),
    },
    reading="Orthogonality by itself: two records are orthogonal or parallel. What is added is the equality of the norms (and of the sense).",
)

_x = page.real("x", "a record on the line")
_y = page.real("y", "another one")

number_printed = page.at(source="beyond").remark(
    "rgm:b3-number-of-records-printed",
    "At most d different records, as printed",
    eq(_x, _y),
    "In dimension 1 there is at most one different record.",
    given=(
        Hypothesis("orthogonal data, x and y", either(eq(_x * _y, _x**2), eq(_x * _y, 0))),
        Hypothesis("orthogonal data, y and x", either(eq(_x * _y, _y**2), eq(_x * _y, 0))),
    ),
    by=(Search(), Smt()),
    points={_x: (0, None), _y: 0 * _x},
    instance="Dimension 1.",
    reading="With the record 0 counted, which nothing in the text turns on.",
    mistake=("missing hypothesis", "rgm:b3-number-of-records"),
    remark="The record 0 is orthogonal to all others and to itself. It changes nothing but the count: it adds nothing to $A$.",
)

_m = page.natural("m", "copies of each record in the fixed half")
_d = page.natural("d", "dimension, or number of different records")

# Orthogonal records that are not 0, one after the other; P projects on the span of the first ones.
_share = page.nonnegative("s", "$|Pe|^2$ for a vector e of length 1", latex=r"\|Pe\|^2")
_length = page.nonnegative("N", "$|x|^2$ for a further record", latex=r"\|x\|^2")
_seen = page.real("f", "$x \\cdot e$, which is $x \\cdot (e - Pe)$", latex=r"x^\top e")
_SEES_THE_REST = Hypothesis(
    "it is orthogonal to the first ones", le(_seen**2, _length * (1 - _share)), "Cauchy-Schwarz for x and e - Pe"
)

bessel = page.at(source="beyond").inequality(
    "beyond:b3-bessel",
    "Bessel's inequality, one record after the other",
    le(_share + _seen**2 / _length, 1),
    "For orthogonal records that are not 0 and a vector $e$ of length 1.",
    given=(Hypothesis("the further record is not 0", gt(_length, 0)), _SEES_THE_REST),
    points={_share: (0, 1), _length: (0, 4), _seen: (-1, 1, _seen * sqrt(_length * (1 - _share)))},
    wrong={
        "half": Rational(1, 2),
        "the term twice": left(_share + 2 * _seen**2 / _length),
        "not orthogonal": without(_SEES_THE_REST),
    },
    steps=(
        CAUCHY_SCHWARZ.quoted(r"$(x\cdot(e - Pe))^2 \le |x|^2(1 - |Pe|^2)$.", "It is the usual one."),
        INDUCTION.quoted("One record after the other.", "Of no records the sum is 0.", "The formula."),
    ),
    reading=r"The sum over the first records is $|Pe|^2$, and the further one adds its term.",
    printed=r"\sum_i \frac{(X_i^\top e)^2}{\|X_i\|^2} \le 1",
)

_different = page.natural("k", "number of different records that are not 0")
_mean_share = page.nonnegative(
    "t", r"mean of $\sum_i(X_i\cdot e_j)^2/|X_i|^2$ over the d vectors of an orthonormal basis"
)

_PYTHAGORAS = Hypothesis(
    "each record has a share of 1 in all",
    eq(_d * _mean_share, _different),
    "the squares of its coordinates add up to |X_i|^2",
)

number = page.at("", "O.2a").remark(
    "rgm:b3-number-of-records",
    "At most d different records that are not 0",
    le(_different, _d),
    given=(Hypothesis("each sum over the records", le(_mean_share, 1), "", ("beyond:b3-bessel",)), _PYTHAGORAS),
    points={_d: (1, 9), _different: (1, 9), _mean_share: _different / _d},
    wrong={
        "fewer than the dimension": lt(_different, _d),
        "half of it": left(2 * _different),
        "any records": without("each sum over the records"),
    },
    steps=Step("Bessel's inequality.", "beyond:b3-bessel"),
    reading=r"In every dimension: $\sum_j\sum_i(X_i\cdot e_j)^2/|X_i|^2$ is $k$, summed over $j$ first, and at most $d$, summed over $i$ first. With fewer than d different records all gradients of the losses lie "
    "in the span of the records, and the dimension is that of the span.",
    remark="The record 0 is orthogonal to all others and to itself. It changes nothing but the count: it adds nothing to $A$.",
)

_n = page.natural("n", "number of records", lower=2)
_HALF_FIXED = Hypothesis("the fixed half has m copies of each of d records", eq(_n, 2 * _d * _m), "App. B.3")
_HALVES = {_m: (0, None), _d: (0, None), _n: 2 * _d * _m}

copies_printed = page.at("after the first display", "O.2b").remark(
    "rgm:b3-copies-printed",
    "How often each record occurs, as printed",
    eq(_m, _n / _d),
    "Said of each record, for the display for $A$.",
    given=_HALF_FIXED,
    by=(Search(), Smt()),
    points=_HALVES,
    reading="The sum in question is over the fixed half, which has $n/2$ records.",
    mistake=("misprint", "rgm:b3-copies"),
    remark=r"With $n/d$ copies the display would have $\frac1d$ on the right; its $\frac1{2d}$ is what $n/(2d)$ copies give.",
)

copies = page.at("after the first display", "O.2a").correction(
    "rgm:b3-copies",
    "How often each record occurs in the fixed half",
    both(eq(_m, _n / (2 * _d)), eq(_m / _n, 1 / (2 * _d)), eq(_m / (_n / 2), 1 / _d)),
    "For each record; the last part is its weight in the fixed half.",
    given=_HALF_FIXED,
    by=Smt(),
    points=_HALVES,
    wrong={
        "n/d": eq(_m, _n / _d),
        "the whole dataset even": changed(hypotheses=(Hypothesis("whole", eq(_n, _d * _m)),)),
    },
)

# Along X_i, which is an eigenvector of A (eigenvalue l) and of the sum of the X_j X_j^T (eigenvalue p).
_eigenvalue = page.positive("l", "eigenvalue of A along X_i")
_DIMENSION = natural("d", "dimension", lower=2)
_dim = _DIMENSION.symbol
_FROM_ORDER = Hypothesis("A along X_i", le(_p / (2 * _dim), _eigenvalue), "App. B.3, first display")
_left, _right = _p * (_p / _eigenvalue**2), _p * (_p / _p**2)

square_lost = page.at("second display, first relation", "O.4b").inequality(
    "rgm:b3-inverse-square-printed",
    "The inverse square by the matrix order, as printed",
    le(_left, 2 * _dim * _right),
    given=_FROM_ORDER,
    by=(Search(), Smt(), worlds.BY_THE_SUM_PRINTED.mapped(worlds.of_worst_record, _p, _eigenvalue, _d)),
    over=(_DIMENSION,),
    reading=r"$X_i$ is an eigenvector of $A$ and of $\sum_jX_jX_j^\top$, of the latter with eigenvalue $|X_i|^2$.",
    mistake=("wrong constant", "rgm:b3-inverse-square"),
    remark=r"$A \succcurlyeq cB$ gives $A^{-2} \preccurlyeq c^{-2}B^{-2}$ at best: for matrices that commute, as here. For others the square of an inverse need not "
    "even have this order (`beyond:orthogonal-half-only`).",
    printed=r"\|X_i\|^2 X_i^\top A^{-2} X_i \le 2d\,\|X_i\|^2 X_i^\top\Big(\sum_{j=1}^d X_jX_j^\top\Big)^{-2}X_i",
)

square_kept = page.at("second display, first relation").correction(
    "rgm:b3-inverse-square",
    "The inverse square by the matrix order",
    le(_left, (2 * _dim) ** 2 * _right),
    given=_FROM_ORDER,
    by=worlds.BY_THE_SUM.mapped(worlds.of_worst_record, _p, _eigenvalue, _d),
    points={_dim: (1, None), _eigenvalue: (0, 1, _p / (2 * _dim) * (1 + _eigenvalue))},
    over=(_DIMENSION,),
    wrong={"2d": 2 * _dim * _right, "d^2": _dim**2 * _right, "nothing fixed": without()},
    printed=r"\|X_i\|^2 X_i^\top A^{-2} X_i \le (2d)^2\,\|X_i\|^2 X_i^\top\Big(\sum_{j=1}^d X_jX_j^\top\Big)^{-2}X_i",
    steps=Premise("rgm:orthogonal-relative-term"),
)

_OTHER_DIRECTIONS = natural("m", "number of the other records")
_one, _rest = MatrixSymbol("X_i", _d, 1), MatrixSymbol("R", _d, _OTHER_DIRECTIONS.symbol)

on_one_record = page.at("second display", source="beyond").identity(
    "beyond:orthogonal-sum-on-one-record",
    "A record is an eigenvector of the sum, up to what is not orthogonal to it",
    eq((_one * _one.T + _rest * _rest.T) * _one, _one * (_one.T * _one) + _rest * (_rest.T * _one)),
    by=Matrices(),
    over=(_d, _OTHER_DIRECTIONS),
    wrong={
        "without the others": _one * (_one.T * _one),
        "the others once more": left((_one * _one.T + 2 * _rest * _rest.T) * _one),
    },
    reading="The other records are the columns of $R$. For orthogonal records $R^\\top X_i = 0$, so that $X_i$ is an eigenvector of the sum with the eigenvalue $|X_i|^2$, as it is of $X_iX_i^\\top$ by itself.",
)

_through_sum = printed(lambda: 2 * _dim * _p * (_p / _p**2))
_through_projector = printed(lambda: 2 * _dim * _p * (_p * (_p / _p**2) ** 2))

evaluated = page.at("second display, last two relations", "O.4c").identity(
    "rgm:b3-inverse-square-evaluated",
    "The inverse square of the sum, evaluated",
    both(eq(_through_sum, _through_projector), eq(_through_projector, 2 * _dim)),
    "For mutually orthogonal records.",
    over=(_DIMENSION,),
    wrong={
        "the projector over the square of the norm": eq(_through_sum, _through_projector * _p**2),
        "d in place of 2d": eq(_through_projector, _dim),
    },
    steps=Step("The record is an eigenvector of both.", "beyond:orthogonal-sum-on-one-record"),
    reading=r"In every dimension, with $p = |X_i|^2$: $X_i$ is an eigenvector of the sum with eigenvalue $p$, and of $X_iX_i^\top/|X_i|^4$ with eigenvalue $p/p^2$, so that both "
    r"quadratic forms are $p$ times a power of the eigenvalue. None of the records is 0, as the inverse exists.",
    printed=r"2d\,\|X_i\|^2X_i^\top\Big(\sum_{j=1}^dX_jX_j^\top\Big)^{-2}X_i = 2d\,\|X_i\|^2X_i^\top\Big(\frac{X_iX_i^\top}{\|X_i\|^4}\Big)^2X_i = 2d",
)
