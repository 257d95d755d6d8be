r"""Section 5.2: the relative part of the change of a quadratic objective's gradient.

Matrices become scalars: a record enters by inner products only; inequalities between quadratic forms in $A$ are taken in a basis of eigenvectors
(spectral theorem), where $A$ is diagonal.
"""

from sympy import Identity as IdentityMatrix, Trace

from ... import looseness
from ...theorems import SPECTRAL
from ..matrix_notation import *
from ..parts_notation import *
from . import quadratic_worlds as worlds

page = Page("rgm-v1+v2", "§5.2", MATRIX_NOTATION, PARTS_NOTATION)

# Coordinates of a record in dimension 2, labels and the regularisation.
x1 = page.real("x_1", "first feature of record 0")
_x2 = page.real("x_2", "second feature of record 0")

# In a basis of eigenvectors of A: eigenvalues l_i, and the coordinates of a vector.
l1, _l2 = page.declare(*(positive(f"l_{k}", "eigenvalue of A") for k in "12"))
_eigen_square, _eigen_inverse, _eigen_inverse2 = (x1**2 / l1**k + _x2**2 / _l2**k for k in (0, 1, 2))
_trace = named(r"\lambda_{\max}(A_0A^{-1})", _eigen_inverse)
_in_ellipse = named(r"X_0^\top A^{-1}X_0", _eigen_inverse)
_ellipse_norm = named(r"|X_0|_{A^{-1}}", sqrt(_eigen_inverse))

norm_printed = page.at("after the display of the gradient difference", "S52.4").remark(
    "rgm:norm-as-largest-eigenvalue-printed",
    "The 2-norm as the largest eigenvalue, for the matrices where it is used",
    eq(_trace**2, named(r"\|A_0A^{-1}\|^2", _eigen_square * _eigen_inverse2)),
    by=(Search(), Identity()),
    reading=r"The sentence explains the norms in the bound, which are those of $A_0A^{-1}$ and $A_0'A^{-1}$. The largest eigenvalue of $A_0A^{-1}$ is its trace $X_0^\top A^{-1}X_0$; both sides are squared.",
    instance="Dimension 2, in a basis of eigenvectors of $A$.",
    mistake=("missing hypothesis", "rgm:norm-as-largest-eigenvalue"),
    remark=r"$A_0A^{-1}$ is not symmetric unless $X_0$ is an eigenvector of $A$. The formula $|X_0|^2X_0^\top A^{-2}X_0$ that the paper goes on with is the right one, that of the largest singular value.",
)

_v1 = page.real("v_1")
_v2 = page.real("v_2")
_top = page.positive("l_max", "largest eigenvalue", latex=r"\lambda_{\max}(A)")

norm_symmetric = page.at("after the display of the gradient difference").correction(
    "rgm:norm-as-largest-eigenvalue",
    "The 2-norm of a positive definite matrix",
    le(named(r"\|Av\|^2", (l1 * _v1) ** 2 + (_l2 * _v2) ** 2), _top**2 * named(r"\|v\|^2", _v1**2 + _v2**2)),
    given=(Hypothesis("l_1 is at most l_max", le(l1, _top)), Hypothesis("l_2 is at most l_max", le(_l2, _top))),
    by=(combination((_v1**2, _top - l1, _top + l1), (_v2**2, _top - _l2, _top + _l2)), Smt()),
    wrong={"the smaller eigenvalue": without("l_2 is at most l_max"), "without the square": _top * (_v1**2 + _v2**2)},
    reading="In a basis of eigenvectors; an eigenvector of the largest eigenvalue makes it an equality.",
    instance=r"Dimension 2.",
)

# |X_0|^2, X_0^T A^-1 X_0 and X_0^T A^-2 X_0, and what bounds on the spectrum say of them.
psq = page.nonnegative("p", "|X_0|^2", latex=r"\|X_0\|^2")
lev = page.nonnegative("e", "X_0^T A^-1 X_0", latex=r"X_0^\top A^{-1}X_0")
lev2 = page.nonnegative("k", "X_0^T A^-2 X_0", latex=r"(X_0^\top A^{-2}X_0)")
mu = page.positive("mu", "lower bound on the spectrum of A")
largest = page.positive("L", "upper bound on the spectrum of A")
_big = page.nonnegative("M", "the largest |X_i|^2, which is the norm of A_i", latex=r"\max_i\|A_i\|")
norm2 = named(r"\|A_0A^{-1}\|^2", psq * lev2)
kappa = named(r"\kappa", largest / mu)
SPECTRUM_BELOW = Hypothesis("the spectrum of A is at least mu", le(mu * lev2, lev), "§5.2")
SPECTRUM_ABOVE = Hypothesis("the spectrum of A is at most L", le(psq, largest * lev), "§5.2")
_LARGEST_RECORD = Hypothesis("record 0 is no larger than the largest record", le(psq, _big))
EIGEN = {
    x1: (-3, 3),
    _x2: (-3, 3),
    l1: (0, 1),
    largest: (0, None, mu + l1 * largest),
    psq: x1**2 + _x2**2,
    lev: x1**2 / (mu + l1 * largest) + _x2**2 / mu,
    lev2: x1**2 / (mu + l1 * largest) ** 2 + _x2**2 / mu**2,
    _big: x1**2 + _x2**2,
}
_REST = tuple(
    nonnegative(f"S_{k}", f"the other eigenvectors' part of the quadratic form of $A^{{-{k}}}$") for k in range(3)
)
_rest_0, _rest_1, _rest_2 = page.declare(*_REST)
_EIGENVALUE, _COORDINATE = positive("l", "an eigenvalue of A"), real("x", "coordinate of X_0 along its eigenvector")
_eigenvalue = page.add(_EIGENVALUE)
_coordinate = _COORDINATE.symbol
_form_0, _form_1, _form_2 = (
    rest + _coordinate**2 / _eigenvalue**k for k, rest in enumerate((_rest_0, _rest_1, _rest_2))
)


def _by_the_spectrum(zero: Expr, one: Expr, two: Expr) -> All:
    return both(le(zero, largest * one), le(mu * two, one), le(mu**2 * two, zero))


_IN_RANGE = Hypothesis("the eigenvalue in the range", both(ge(_eigenvalue, mu), le(_eigenvalue, largest)), "§5.2")
_SO_FAR = Hypothesis("the other eigenvectors", _by_the_spectrum(_rest_0, _rest_1, _rest_2))

spectral = page.at("L and mu").definition(
    "rgm:spectrum-on-one-record",
    "What bounds on the spectrum say of the quadratic forms of a record",
    _by_the_spectrum(_form_0, _form_1, _form_2),
    r"For eigenvalues of $A$ between $\mu$ and $L$.",
    printed=r"\|X_0\|^2\le L\,X_0^\top A^{-1}X_0,\quad\mu\,X_0^\top A^{-2}X_0\le X_0^\top A^{-1}X_0,\quad\mu^2X_0^\top A^{-2}X_0\le\|X_0\|^2",
    given=(_IN_RANGE, _SO_FAR),
    by=(Smt(), worlds.ON_ONE_RECORD),
    points={
        _rest_1: (0, 3),
        _coordinate: (-3, 3),
        _eigenvalue: (0, 1, mu + _eigenvalue * largest),
        largest: (0, None, mu + largest),
        _rest_0: mu * _rest_1,
        _rest_2: _rest_1 / (mu + largest),
    },
    over=(*_REST, _EIGENVALUE, _COORDINATE, mu, largest),
    wrong={
        "L and mu swapped": both(le(_form_0, mu * _form_1), le(largest * _form_2, _form_1)),
        "mu once": both(le(_form_0, largest * _form_1), le(mu * _form_2, _form_0)),
        "an eigenvalue out of the range": without(_IN_RANGE),
    },
    steps=SPECTRAL.quoted("The basis.", "A is a sum of symmetric matrices."),
    reading="In a basis of eigenvectors, in every dimension: every eigenvector adds a term to the three forms, and keeps the inequalities; none of them has 0 in all three.",
)

direct = page.at("", "S52.5").inequality(
    "rgm:relative-term-direct-bound",
    "The direct bound on the relative term",
    le(norm2, _big**2 / mu**2),
    given=(Hypothesis("the spectrum of A is at least mu, for A^-2", le(mu**2 * lev2, psq), "§5.2"), _LARGEST_RECORD),
    by=(
        combination((psq / mu**2, psq - mu**2 * lev2), (_big - psq, _big + psq, 1 / mu**2)),
        Smt(),
        Units({psq: 2, lev2: -2, mu: 2, _big: 2}),
        worlds.DIRECT.mapped(worlds.of_direct, psq, lev2, mu, _big),
    ),
    points=EIGEN,
    wrong={"mu once": _big**2 / mu, "half": _big**2 / mu**2 / 2, "record 0 larger than all": without(_LARGEST_RECORD)},
    steps=(
        Step("The spectrum.", "rgm:spectrum-on-one-record"),
        Step("The norm of the rank-one term.", "rgm:relative-term-norm"),
    ),
    reading=r"$|A_i| = |X_i|^2$. In any dimension: the bound on the spectrum enters by $\mu^2X_0^\top A^{-2}X_0 \le |X_0|^2$. The maximum is over both datasets, as the bound is used for $A_0'$ as well.",
    tightness=Tightness(
        1 / looseness.inverse_square,
        looseness.BOX,
        r"the direct bound over the relative term, for the longest record, in the plane: $u$ is its share along the small eigenvalue",
        **looseness.AT_100,
    ),
)

_product = X_0 * X_0.T * A.I
_form2 = X_0.T * A.I * A.I * X_0
_norm_squared = X_0.T * X_0

norm_of_product = page.elsewhere("§5.2; v1 (10), v2 (11)", "S52.6a").identity(
    "rgm:relative-term-norm",
    "The norm of the rank-one term",
    both(
        eq(_product * _product.T * X_0, X_0 * _norm_squared * _form2),
        eq(Trace(_product * _product.T) * IdentityMatrix(1), _norm_squared * _form2),
    ),
    "In the 2-norm.",
    printed=r"\|A_0A^{-1}\|^2=\|X_0\|^2X_0^\top A^{-2}X_0",
    given=(A_SYMMETRIC, A_INVERTIBLE),
    by=(Matrices(), worlds.TERM_NORM),
    over=(d,),
    wrong={
        "A^-1 in place of A^-2": eq(
            Trace(_product * _product.T) * IdentityMatrix(1), _norm_squared * (X_0.T * A.I * X_0)
        ),
        "the square of the quadratic form": eq(
            Trace(_product * _product.T) * IdentityMatrix(1), (X_0.T * A.I * X_0) * (X_0.T * A.I * X_0)
        ),
        "A not symmetric": without(A_SYMMETRIC),
    },
    reading=r"The squared norm of $M = A_0A^{-1}$ is the largest eigenvalue of $MM^\top$. In every dimension $X_0$ is an eigenvector for the stated value, and the trace, the sum of all eigenvalues, none of which is negative, is no larger. If $X_0 = 0$, both sides are 0.",
)

kappa_bound = page.elsewhere("§5.2; v1 (10), v2 (11)", "S52.6b").inequality(
    "rgm:relative-term-kappa",
    "The relative term by the condition number",
    le(psq * lev2, kappa * lev**2),
    given=(SPECTRUM_BELOW, SPECTRUM_ABOVE),
    by=(
        combination((lev / mu, largest * lev - psq), (psq / mu, lev - mu * lev2)),
        Smt(),
        Units({psq: 2, lev: 0, lev2: -2, mu: 2, largest: 2}),
        worlds.KAPPA.mapped(worlds.of_condition, psq, lev, lev2, mu, largest),
    ),
    points=EIGEN,
    wrong={
        "without kappa": lev**2,
        "a tenth of kappa": largest / mu * lev**2 / 10,
        "the spectrum unbounded above": without(SPECTRUM_ABOVE),
    },
    steps=Step("The spectrum.", "rgm:spectrum-on-one-record"),
    reading="In any dimension; the spectrum enters by two inequalities between quadratic forms.",
    remark=r"The best factor is $(\kappa+1)^2/(4\kappa)$, about a quarter of $\kappa$: `beyond:relative-term-kantorovich`.",
    tightness=looseness.LEVERAGE,
)

l_rel = page.nonnegative("L_rel", "bound on X_0^T A^-1 X_0")
RELATIVE = Hypothesis("X_0 in the ellipsoid", le(lev, l_rel), "§5.2 of version 1")

sufficient = page.at("after v1 (10)", "S52.7a", source="rgm-v1").remark(
    "rgm-v1:relative-term-sufficient",
    "A bound on the quadratic form suffices",
    le(norm2, kappa * l_rel**2),
    given=(SPECTRUM_BELOW, SPECTRUM_ABOVE, RELATIVE),
    points={**EIGEN, l_rel: EIGEN[lev]},
    wrong={"by L_rel alone": l_rel**2, "kappa L_rel": largest / mu * l_rel, "X_0 anywhere": without(RELATIVE)},
    reading="To bound the norm is to bound it by $\\kappa$ and $L_{rel}$; no bound by $L_{rel}$ alone is possible.",
    steps=Premise("rgm:relative-term-kappa"),
)

ellipse_printed = page.at("after v1 (10)", "S52.7b", source="rgm-v1").remark(
    "rgm-v1:ellipse-radius-printed",
    "The radius of the ellipse, as printed",
    Iff(le(_in_ellipse, l_rel), le(_ellipse_norm, l_rel)),
    "$X_0$ is said to lie in the ellipse of radius $L_{rel}$ in the norm of $A^{-1}$.",
    by=(Search(), Smt()),
    reading=r"The radius of $\{x : |x|_{A^{-1}} \le r\}$ is $r$, where $|x|_{A^{-1}}^2 = x^\top A^{-1}x$.",
    instance="Dimension 2, in a basis of eigenvectors.",
    mistake=("misprint", "rgm-v1:ellipse-radius"),
    remark=r"The radius is $\sqrt{L_{rel}}$. Section 5.3 has it right: there the square of the radius $R_c$ stands on the right.",
)

ellipse = page.at("after v1 (10)", source="rgm-v1").correction(
    "rgm-v1:ellipse-radius",
    "The radius of the ellipse",
    Iff(le(_in_ellipse, l_rel), le(_ellipse_norm, sqrt(l_rel))),
    wrong={
        "radius L_rel": Iff(le(_in_ellipse, l_rel), le(_ellipse_norm, l_rel)),
        "the ellipse of A": Iff(le(_in_ellipse, l_rel), le(sqrt(l1 * x1**2 + _l2 * _x2**2), sqrt(l_rel))),
    },
)

_reg = page.positive("mu_reg", "regularisation")
_moment = Trace(A.I * (X * X.T / n))
_mean_leverage = Trace(A.I * (A - _reg * IdentityMatrix(d)))
_POSITIVE_INVERSE = Hypothesis(
    "no eigenvalue of the inverse is negative", ge(Trace(A.I), 0), "§5.2: A is positive definite"
)

mean_leverage = page.at("after v1 (10)", "S52.8a", source="rgm-v1").remark(
    "rgm-v1:l-rel-without-conditioning",
    "On average over the records, the quadratic form does not see the conditioning",
    both(eq(named(r"\frac1n\sum_iX_i^\top A^{-1}X_i", Trace(X.T * A.I * X) / n), _moment), le(_mean_leverage, d)),
    r"The mean of $X_i^\top A^{-1}X_i$ over the records is at most the dimension, whatever the spectrum of $A$.",
    given=(A_INVERTIBLE, _POSITIVE_INVERSE),
    by=(Matrices(using=((_POSITIVE_INVERSE.name, _reg),)), worlds.LEVERAGES),
    wrong={"half of the dimension": le(_mean_leverage, d / 2), "any sign": without(_POSITIVE_INVERSE)},
    reading=r"In most cases: for the average record of the dataset; $\frac1nXX^\top$ is $A-\mu_{reg}I$. By Markov's inequality at most the share $d/L$ of the records exceeds $L$.",
    remark="It is no statement about the largest record, nor about a record outside of the dataset, which a neighbour may contain: `beyond:leverage-at-most-n`, `beyond:outside-record`.",
)

along_eigenvector = named(r"\|X_0\|^2X_0^\top A^{-2}X_0", printed(lambda: x1**2 * (x1**2 / l1**2)))

tighter = page.at("after v1 (10)", "S52.8b", source="rgm-v1").remark(
    "rgm-v1:relative-term-tighter",
    "Along an eigenvector no condition number is needed",
    eq(along_eigenvector, printed(lambda: named(r"X_0^\top A^{-1}X_0", x1**2 / l1) ** 2)),
    "For an eigenvector $X_0$ of $A$.",
    wrong={"A^-1 for A^-2": eq(x1**2 * (x1**2 / l1), (x1**2 / l1) ** 2), "a factor": 2 * (x1**2 / l1) ** 2},
    reading=r"A tighter bound, depending on the distribution: the factor $\kappa$ is not needed for records along eigenvectors, such as orthogonal data.",
)

linear_or_not = page.at("The relative term", "S52.10", source="rgm-v2").remark(
    "rgm-v2:relative-term-linear-in-kappa",
    "Linear in the condition number, or not at all",
    both(le(norm2, kappa * l_rel**2), le(along_eigenvector, l_rel**2)),
    "The second bound is that of an eigenvector of $A$, such as a record of orthogonal data.",
    given=(
        SPECTRUM_BELOW,
        SPECTRUM_ABOVE,
        RELATIVE,
        Hypothesis("the eigenvector in its ellipsoid", le(x1**2 / l1, l_rel)),
    ),
    points={**EIGEN, l_rel: (0, 1, EIGEN[lev]), l1: (0, 1, 1 + l1), x1: (-3, 3, l_rel * sqrt((1 + l1) * EIGEN[lev]))},
    wrong={
        "not at all, without an eigenvector": le(psq * lev2, l_rel**2),
        "the square root of kappa": le(psq * lev2, sqrt(largest / mu) * l_rel**2 / 10),
        "L_rel once": le(x1**2 * (x1**2 / l1**2), l_rel),
    },
    reading=r"Well-behaved: the quadratic form is bounded by a number that does not depend on the conditioning. The second record, along an eigenvector with eigenvalue $l_1$, has coordinate $x_1$ there.",
    steps=(Premise("rgm-v1:relative-term-sufficient"), Premise("rgm-v1:relative-term-tighter")),
)
