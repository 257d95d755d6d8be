r"""Appendix B.4: the proof of Proposition 2 of version 2.

The chain from $A'$ to the leverages $|Y_i|^2$ is right where $\tilde A - \rho C$ is positive definite. Around it: the cases "not positive semi-definite" and
"$\preccurlyeq 0$" are taken for each other's complement, (68) has a strict inequality that its left side does not allow, a positive semi-definite root need not have an
inverse, and what the test says when it passes or fails is said the wrong way round or without its probability.
"""

from sympy import Determinant, Identity as IdentityMatrix, Inverse, Trace
from sympy.matrices.expressions.matexpr import MatrixExpr

from rgm_verify.pages import *

from ... import looseness
from ...beyond.clipping.private_test import delta, epsilon, page as _private_test, passes
from ...beyond.clipping.propose_test_release import CAUCHY, leverage, n, outlier, removed, w2
from ...theorems import CAUCHY_SCHWARZ, SPECTRAL
from ..clipping_notation import CLIPPING_NOTATION, level

page = Page("rgm-v2", "", CLIPPING_NOTATION, _private_test)
_APP = "App. B.4"
_FIRST = f"{_APP}, first paragraph"

# --- What the test is for ----------------------------------------------------------------------------------------

m = page.natural("m", "number of copies of (1, 0), and of (0, 1)")
_number = 2 * m + 1
_size = m - _number * level
_searched = page.under(by=Search())

calibrated = _searched.elsewhere(_FIRST, "PT.9").remark(
    "rgm-v2:ptr-noise-scale",
    "The noise of the test is calibrated to sensitivity 1",
    ge(3 / _size, 1),
    r"In the datasets of beyond:ptr-statistic-jumps: if two points reach n in the one, so that $\Delta_+'$ is at most 2, then three do in the other.",
    given=(
        Hypothesis("positive definite", gt(_size, 0)),
        Hypothesis("two points reach n", ge(outlier**2 / (_size + outlier**2) + 1 / _size, 1)),
    ),
    reading=r"Well-calibrated: the statistic to which Lap(1/epsilon) is added changes by at most 1. The mechanism evaluates $\Delta_+$, not $\Delta$. $C$ is the identity, $n(\tilde A - \rho I)$ is $m - n\rho$ times the identity, and Y is the length of the new point.",
    instance="The pairs of datasets of beyond:ptr-statistic-jumps.",
    mistake=("false", "beyond:ptr-statistic"),
    remark=r"$\Delta$ itself has sensitivity 1, being a distance; its lower bound $\Delta_+$ has not. What the test asks, $\Delta > 1$, is the right question: a dataset with $\Delta = 1$ has a neighbour that fails.",
)

form_a = page.nonnegative("f", latex=r"w^\top Aw")
form_c = page.positive("q", latex=r"w^\top Cw")

too_low = _searched.elsewhere(_FIRST, "PT.10a").remark(
    "rgm-v2:ptr-level-too-low",
    "If the test fails, the level is too low",
    ge(form_a, 2 * level * form_c),
    "Where the test fails at a direction w, it would not with twice the level.",
    given=Hypothesis("A >= rho C fails at w", lt(form_a, level * form_c)),
    points={form_a: (0, 1, form_a * level * form_c), form_c: (0, 4), level: (0, 4)},
    reading="Too low: a larger level would do. (The test may also fail by its noise, whatever the level is.)",
    mistake=("misprint", "beyond:ptr-level-too-high"),
    remark="Too high. A larger level makes the sensitivity smaller and the condition harder.",
)

passing = _searched.elsewhere(_FIRST, "PT.10b").remark(
    "rgm-v2:ptr-passing",
    "If the test passes, the neighbours satisfy the level too",
    le(passes(delta * exp(epsilon)), delta),
    r"The left side is the probability that a dataset with a neighbour that fails, for which $\Delta$ is at most 1, passes the printed threshold $-\log(\delta)/\epsilon$.",
    given=Hypothesis("a probability", lt(delta, 1)),
    reading=r"The noise is unbounded, so that passing proves nothing; what can be meant is: except with probability $\delta$. The statistic is $\Delta$ itself, so that its sensitivity is no issue.",
    mistake=("wrong constant", "beyond:ptr-threshold"),
    remark=r"The probability is $\frac12e^\epsilon\delta$ (up to 1/2): at most $\delta$ for $\epsilon \le \log2$ (beyond:ptr-printed-threshold), more for larger $\epsilon$. Only a dataset that fails itself passes with probability at most "
    r"$\delta/2$ (beyond:laplace-tail). A threshold that is larger by 1 mends it. The text says neighbours of $\rho$, for neighbours of the dataset.",
)

total = page.nonnegative("S", latex=r"\sum(X_i^\top w)^2")
zeros = page.nonnegative("m", "number of zeros that are added")
_small = lt(total / (n + zeros), level * form_c)

add_points = page.elsewhere(f"{_APP}, third paragraph", "PT.16c").remark(
    "rgm-v2:ptr-adding-points",
    "Adding points that contribute nothing makes the covariance small",
    Iff(gt(zeros, total / (level * form_c) - n), _small),
    "Without regularization: the number of zeros that it takes depends on n.",
    wrong={
        "half as many": Iff(gt(2 * zeros, total / (level * form_c) - n), _small),
        "whatever n is": Iff(gt(zeros, total / (level * form_c)), _small),
    },
    reading="That it has to be taken into account if n may vary; for a fixed n nothing is added.",
)

# --- From A' to removed points -----------------------------------------------------------------------------------

_D, _K = natural("d", "dimension"), natural("k", "number of replaced points")
_A, _C_MATRIX, _Q = (MatrixSymbol(name, _D.symbol, _D.symbol) for name in "ACQ")
_X, _NEW = (MatrixSymbol(name, _D.symbol, _K.symbol) for name in "XZ")
_V, _POINT = (MatrixSymbol(name, _D.symbol, 1) for name in "vx")
_removed, _replaced = _A - _X * _X.T / n, named("A'", _A - _X * _X.T / n + _NEW * _NEW.T / n)
_ADDED = Matrices(squares=((1 / n, _NEW.T * _V),))


def _form(matrix: MatrixExpr) -> MatrixExpr:
    return _V.T * matrix * _V


removal = page.elsewhere(f"{_APP}, (63)", "PT.11").inequality(
    "rgm-v2:ptr-removal",
    "Replacing points leaves at least what removing them leaves",
    ge(_form(_replaced), _form(_removed)),
    by=_ADDED,
    over=(_D, _K),
    wrong={"strictly": gt(_form(_replaced), _form(_removed)), "above A itself": _form(_A)},
    reading="As quadratic forms at every $v$; the columns of $X$ are the points that are removed, those of $Z$ the new ones. (The points are the clipped ones; the tilde is left out in print.)",
)

_CHANGED = Hypothesis("A' <= rho C at v", le(_form(_replaced), level * _form(_C_MATRIX)))

inclusion = page.elsewhere(f"{_APP}, (64)", "PT.12a PT.12b").inequality(
    "rgm-v2:ptr-inclusion",
    "If replacing points is enough, removing them is",
    le(_form(_removed), level * _form(_C_MATRIX)),
    "So the least number of points to replace is at least the least number to remove.",
    given=_CHANGED,
    by=Matrices(squares=_ADDED.squares, using=((_CHANGED.name, Integer(1)),)),
    over=(_D, _K),
    wrong={"nothing removed": left(_form(_A)), "any change": without()},
    steps=Step("Replaced points contribute squares.", "rgm-v2:ptr-removal"),
    reading="The minimum over a set is at least that over a larger set. As quadratic forms at every $v$, with the points as columns.",
)

e1 = page.real("e_1", "first eigenvalue of A - rho C", latex=r"\lambda_1")
e2 = page.real("e_2", "second eigenvalue of A - rho C", latex=r"\lambda_2")

not_semidefinite = _searched.elsewhere(f"{_APP}, before (65)", "PT.3b").remark(
    "rgm-v2:ptr-not-semidefinite",
    "If A - rho C is not positive semi-definite, the distance is 0",
    both(le(e1, 0), le(e2, 0)),
    given=Hypothesis("not positive semi-definite", lt(e2, 0)),
    reading=r"$\Delta$ is the least number of changes to $\tilde A' - \rho C \preccurlyeq 0$, as the appendix defines it.",
    instance="Dimension 2, with $C = I$.",
    mistake=("false", "beyond:ptr-lower-bound"),
    remark=r"True for the distance that is needed, to datasets for which $\tilde A' \succcurlyeq \rho C$ fails. The statement of Proposition 2 has yet another condition, $\tilde A - \rho C \preccurlyeq 0$.",
    printed=r"\tilde A-\rho C \not\succcurlyeq 0 \;\Longrightarrow\; \tilde A-\rho C \preccurlyeq 0",
)

# --- The square root ---------------------------------------------------------------------------------------------

_q = page.nonnegative("q", "eigenvalue of a positive semi-definite root Q, with the eigenvector w")
_h = page.nonnegative("h", "eigenvalue of another one, H, with the eigenvector e")
_v = page.real("v", latex=r"w^\top e")

unique_root = page.elsewhere(f"{_APP}, before (65)", "PT.13a").remark(
    "rgm-v2:ptr-unique-root",
    "The positive semi-definite square root is unique",
    eq(_q * _v, _h * _v),
    "For all eigenvectors $w$ of $Q$ and $e$ of $H$, so that both are one matrix.",
    given=Hypothesis("same square", eq(_q**2 * _v, _h**2 * _v), "$w^TQ^2e = w^TH^2e$"),
    by=Smt(),
    points={_q: (0, 4), _v: (-2, 2), _h: _q},
    wrong={"another square": without(), "the root of the root": sqrt(_h) * _v},
    steps=SPECTRAL.quoted(
        "Both have an orthonormal basis of eigenvectors.", "Positive semi-definite matrices are symmetric."
    ),
    reading="In every dimension, as the eigenvectors of either matrix span the space. One root has the square roots of the eigenvalues.",
)

_Q_SYMMETRIC = Hypothesis("Q is symmetric", eq(_Q.T, _Q))
_Q_INVERTIBLE = Hypothesis("Q can be inverted", ne(Determinant(_Q), 0))
_WHITE, _DIRECTION = named("Y", _Q.I * _X), named("w", _Q * _V)

congruence = page.elsewhere(f"{_APP}, (66)", "PT.14a").identity(
    "rgm-v2:ptr-congruence",
    "The condition in terms of the points Y",
    eq(
        n * _form(_Q * _Q - _X * _X.T / n),
        _DIRECTION.T * (n * IdentityMatrix(_D.symbol) - _WHITE * _WHITE.T) * _DIRECTION,
    ),
    r"One form is never negative exactly if the other is not, that is if $\lambda_{max}$ of the sum of the $Y_iY_i^T$ is at most $n$.",
    given=(_Q_SYMMETRIC, _Q_INVERTIBLE),
    by=Matrices(),
    over=(_D, _K),
    wrong={
        "X in the place of Y": eq(_form(_X * _X.T), _DIRECTION.T * _X * _X.T * _DIRECTION),
        "v in the place of w": eq(_form(_X * _X.T), _form(_WHITE * _WHITE.T)),
        "a root that is not symmetric": without(_Q_SYMMETRIC),
    },
    reading="With the removed points as the columns of $X$. Q can be inverted, so w runs over all directions with v; the last step is the definition of the largest eigenvalue.",
)

_white_point = named("y", _Q.I * _POINT)

whitened = page.elsewhere(f"{_APP}, last sentence", "PT.15b").identity(
    "rgm-v2:ptr-whitened-norm",
    "The square root need not be computed",
    eq(_white_point.T * _white_point, _POINT.T * Inverse(_Q * _Q) * _POINT),
    "So the leverage of a point is known without the root.",
    given=(_Q_SYMMETRIC, _Q_INVERTIBLE),
    by=Matrices(),
    over=(_D,),
    wrong={"Q^-1 for Q^-2": _POINT.T * _Q.I * _POINT, "without the inverse": _POINT.T * _POINT},
    reading=r"In every dimension; $Q^2$ is $\tilde A - \rho C$.",
)

# --- The leverages -----------------------------------------------------------------------------------------------

tests = _searched.elsewhere(f"{_APP}, between (66) and (67)", "PT.14b").remark(
    "rgm-v2:ptr-number-of-tests",
    "The number of sets to test",
    ge(n, n + n * (n - 1) / 2),
    "To be sure that at least two points have to be removed it is enough to test the n sets of one point; printed is the sum on the right, for k at 2.",
    given=Hypothesis("at least two points", ge(n, 2)),
    reading="There are that many possibilities to test: no fewer will do.",
    instance="The case $k = 2$.",
    mistake=("wrong constant", "beyond:ptr-number-of-tests"),
    remark="The sum up to k is what it takes to be sure of k + 1 if every smaller set is tested as well; sets of k - 1 points are enough for k. The number grows as quickly in either case, which is the point of the sentence.",
)

_largest_quotient = (_V.T * _V) * _form(_X * _X.T)
_norms = Trace(_X * _X.T) * (_V.T * _V) * (_V.T * _V)

trace_bound = page.elsewhere(f"{_APP}, (67)", "PT.14c").inequality(
    "rgm-v2:ptr-trace",
    "The largest eigenvalue of a sum is at most the sum of the squared norms",
    both(
        le(_largest_quotient, _norms),
        eq(_POINT.T * (_POINT * _POINT.T) * _POINT, (_POINT.T * _POINT) * (_POINT.T * _POINT)),
    ),
    "For every direction; the second part is the equality for one point, in its own direction.",
    by=Matrices(squares=((Integer(1), Trace(_V.T * _V) * _X - _V * _V.T * _X),)),
    over=(_D, _K),
    wrong={
        "half": le(2 * _largest_quotient, _norms),
        "direction": ge(_largest_quotient, _norms),
        "the mean of the norms": le(_K.symbol * _largest_quotient, _norms),
    },
    reading="For all numbers of points and dimensions; the points are the columns of a matrix, here called $X$, and the sum of their squared norms is a trace. Multiplied by the squared norm of the direction $v$. The largest eigenvalue is the largest quotient; that of $YY^T$ is $|Y|^2$.",
    tightness=Tightness(
        2 / (1 + looseness.u),
        {looseness.u: (0, 1)},
        r"the sum of the norms over the largest eigenvalue, for two points of length 1 at an angle of cosine $u$",
    ),
    printed=r"\lambda_{\max}\left(\sum Y_iY_i^\top\right) \le \sum\|Y_i\|^2 \quad\text{and}\quad \lambda_{\max}(YY^\top) = \|Y\|^2",
)

subset = page.elsewhere(f"{_APP}, (68), first part", "PT.14d").remark(
    "rgm-v2:ptr-leverages",
    "Sets that fail have leverages above n",
    gt(leverage, n),
    given=(CAUCHY, Hypothesis("I is in E_-", gt(removed, n * w2))),
    points={n: (0, 20), w2: (0, 4), removed: (0, 1, n * w2 * (1 + removed)), leverage: n * (1 + removed)},
    wrong={"n + 1": n + 1, "a set that does not fail": without("I is in E_-")},
    steps=(
        CAUCHY_SCHWARZ.quoted("$(Y_i^\\top w)^2 \\le |Y_i|^2|w|^2$ for each point.", "It is the usual one."),
        Step("Each point contributes at most its squared norm.", "rgm-v2:ptr-trace"),
    ),
    reading="At the direction w of the largest eigenvalue.",
)

squares = page.nonnegative("T", "sum of the squares of the removed points", latex=r"\sum_{I_R}X_i^2")
others = page.nonnegative("V", "of the others", latex=r"\sum_{I_R^c}X_i^2")
c = page.positive("c", "the matrix C, in dimension 1")
_margin = named(r"(\tilde A-\rho c)", (squares + others) / n - level * c)

strict = _searched.elsewhere(f"{_APP}, (68), second part", "PT.14e").inequality(
    "rgm-v2:ptr-strict",
    "The lower bound of the distance, with the strict inequality",
    gt(squares / _margin, n),
    "In dimension 1, without regularization, with zeros in the place of the removed points.",
    given=(
        Hypothesis("A > rho C", gt(_margin, 0)),
        Hypothesis("A' <= rho C", le(named(r"\tilde A'", others / n), level * c)),
    ),
    points={squares: (0, 4), n: (0, 9), c: (0, 4), level: (0, 4), others: n * level * c},
    reading=r"$\Delta = \min\{|I_R| : \tilde A' - \rho C \preccurlyeq 0\}$ is at least the least number of points with a sum above n.",
    instance="Dimension 1, without regularization.",
    mistake=("wrong constant", "beyond:ptr-lower-bound-printed"),
    remark=r"With $\ge n$, as in Proposition 2, it is true. Strict it is for the distance to datasets for which $\tilde A' \succcurlyeq \rho C$ fails: $\{\tilde A - \frac1n\sum - \rho C \preccurlyeq 0\}$ is contained in $E_-$ but for the zero matrix.",
)
