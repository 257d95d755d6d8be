r"""Appendix B.4: the proof of Proposition 2 of version 2.

The chain from $A'$ to the leverages $|Y_i|^2$ is right where $\tilde A - \rho C$ is positive definite. Around it: the cases "not positive semi-definite" and
"$\preccurlyeq 0$" are taken for each other's complement, (68) has a strict inequality that its left side does not allow, a positive semi-definite root need not have an
inverse, and what the test says when it passes or fails is said the wrong way round or without its probability.
"""

from sympy import Determinant, Identity, Integer, Inverse, MatrixSymbol, Trace, exp, sqrt
from sympy.matrices.expressions.matexpr import MatrixExpr

from rgm_verify.claims import (
    Chart,
    Hypothesis,
    Iff,
    Page,
    Step,
    both,
    eq,
    ge,
    gt,
    le,
    left,
    lt,
    natural,
    ne,
    nonnegative,
    real,
    without,
)
from rgm_verify.lenses import Matrices, Search, Smt

from .. import looseness
from ..beyond.propose_test_release import CAUCHY, delta, epsilon, leverage, n, outlier, passes, removed, w2
from ..beyond.propose_test_release import page as _propose_test_release
from ..theorems import CAUCHY_SCHWARZ, SPECTRAL
from .clipping_notation import CLIPPING_NOTATION, level

page = Page("rgm-v2", "", CLIPPING_NOTATION, _propose_test_release)


_APP = "App. B.4"
_FIRST = f"{_APP}, first paragraph"

# --- What the test is for ----------------------------------------------------------------------------------------

m = page.natural("m", "number of copies of (1, 0), and of (0, 1)")

_number = 2 * m + 1
_size = m - _number * level

calibrated = page.elsewhere(_FIRST, "PT.9").remark(
    "rgm-v2:ptr-noise-scale",
    "The noise of the test is calibrated to sensitivity 1",
    ge(3 / _size, 1),
    r"In the datasets of beyond:ptr-statistic-jumps: if two points reach n in the one, $\Delta_+' \le 2$, then three do in the other, $\Delta_+ \le 3$.",
    given=(
        Hypothesis("positive definite", gt(_size, 0)),
        Hypothesis("two points reach n", ge(outlier**2 / (_size + outlier**2) + 1 / _size, 1)),
    ),
    by=Search(),
    reading=r"Well-calibrated: the statistic to which Lap(1/epsilon) is added changes by at most 1. The mechanism evaluates $\Delta_+$, not $\Delta$. $C = I$, $n = 2m+1$, $n(\tilde A - \rho I) = sI$ with $s = m - n\rho$, and Y is the "
    "length of the new point.",
    scope="instance",
    missing="The pairs of datasets of beyond:ptr-statistic-jumps.",
    category="false",
    corrected="beyond:ptr-statistic",
    remark=r"$\Delta$ itself has sensitivity 1, being a distance; its lower bound $\Delta_+$ has not. What the test asks, $\Delta > 1$, is the right question: a dataset with $\Delta = 1$ has a neighbour that fails.",
)

form_a = page.nonnegative("f", "$w^TAw$")
form_c = page.positive("q", "$w^TCw$")


too_low = page.elsewhere(_FIRST, "PT.10a").remark(
    "rgm-v2:ptr-level-too-low",
    "If the test fails, the level is too low",
    ge(form_a, 2 * level * form_c),
    r"If $\tilde A \succcurlyeq \rho C$ fails at a direction w, then with twice the level it holds there.",
    given=Hypothesis("A >= rho C fails at w", lt(form_a, level * form_c)),
    by=Search(),
    points=Chart({form_a: (0, 1), form_c: (0, 4), level: (0, 4)}, {form_a: form_a * level * form_c}),
    reading="Too low: a larger level would do. (The test may also fail by its noise, whatever the level is.)",
    category="misprint",
    corrected="beyond:ptr-level-too-high",
    remark="Too high. A larger level makes the sensitivity smaller and the condition harder.",
)

passing = page.elsewhere(_FIRST, "PT.10b").remark(
    "rgm-v2:ptr-passing",
    "If the test passes, the neighbours satisfy the level too",
    le(passes(delta * exp(epsilon)), delta),
    r"A dataset with a neighbour that fails has $\Delta \le 1$; it passes the printed threshold $-\log(\delta)/\epsilon$ with probability at most $\delta$.",
    given=Hypothesis("a probability", lt(delta, 1)),
    by=Search(),
    reading=r"The noise is unbounded, so that passing proves nothing; what can be meant is: except with probability $\delta$. The statistic is $\Delta = 1$ itself, so that its sensitivity is no issue.",
    category="wrong constant",
    corrected="beyond:ptr-threshold",
    remark=r"The probability is $\frac12e^\epsilon\delta$ (up to 1/2): at most $\delta$ for $\epsilon \le \log2$ (beyond:ptr-printed-threshold), more for larger $\epsilon$. Only a dataset that fails itself passes with probability at most "
    r"$\delta/2$ (beyond:laplace-tail). A threshold that is larger by 1 mends it. The text says neighbours of $\rho$, for neighbours of the dataset.",
)

total = page.nonnegative("S", "$\\sum(X_i^Tw)^2$")
zeros = page.nonnegative("m", "number of zeros that are added")


add_points = page.elsewhere(f"{_APP}, third paragraph", "PT.16c").remark(
    "rgm-v2:ptr-adding-points",
    "Adding points that contribute nothing makes the covariance small",
    Iff(gt(zeros, total / (level * form_c) - n), lt(total / (n + zeros), level * form_c)),
    r"Without regularization, $A \succcurlyeq \rho C$ fails at w exactly when more than $S/(\rho w^TCw) - n$ zeros have been added: the number depends on n.",
    wrong={
        "half as many": Iff(gt(2 * zeros, total / (level * form_c) - n), lt(total / (n + zeros), level * form_c)),
        "whatever n is": Iff(gt(zeros, total / (level * form_c)), lt(total / (n + zeros), level * form_c)),
    },
    reading="That it has to be taken into account if n may vary; for a fixed n nothing is added.",
)

# --- From A' to removed points -----------------------------------------------------------------------------------

_Z = (real("z_1", "first coordinate of the new point"), real("z_2", "second coordinate of the new point"))
page.declare(*_Z)

_D, _K = natural("d", "dimension"), natural("k", "number of replaced points")
_A, _C_MATRIX, _Q = (MatrixSymbol(name, _D.symbol, _D.symbol) for name in "ACQ")
_X, _NEW = (MatrixSymbol(name, _D.symbol, _K.symbol) for name in "XZ")
_V, _POINT = (MatrixSymbol(name, _D.symbol, 1) for name in "vx")
_removed, _replaced = _A - _X * _X.T / n, _A - _X * _X.T / n + _NEW * _NEW.T / n
_ADDED = Matrices(squares=((1 / n, _NEW.T * _V),))


def _form(matrix: MatrixExpr) -> MatrixExpr:
    return _V.T * matrix * _V


removal = page.elsewhere(f"{_APP}, (63)", "PT.11").inequality(
    "rgm-v2:ptr-removal",
    "Replacing points leaves at least what removing them leaves",
    ge(_form(_replaced), _form(_removed)),
    r"$\tilde A' = \tilde A - \frac1n\sum_{I_R}X_iX_i^T + \frac1n\sum_{I_R^c}X_iX_i^T \succcurlyeq \tilde A - \frac1n\sum_{I_R}X_iX_i^T$.",
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
    r"If $\tilde A' \preccurlyeq \rho C$, then $\tilde A - \frac1n\sum_{I_R}X_iX_i^T \preccurlyeq \rho C$; so the least number of points to replace is at least the least number to remove.",
    given=_CHANGED,
    by=Matrices(squares=_ADDED.squares, using=((_CHANGED.name, Integer(1)),)),
    over=(_D, _K),
    wrong={"nothing removed": left(_form(_A)), "any change": without()},
    steps=(Step("Replaced points contribute squares.", "rgm-v2:ptr-removal"),),
    reading="The minimum over a set is at least that over a larger set. As quadratic forms at every $v$, with the points as columns.",
)

_E = (real("e_1", "first eigenvalue of A - rho C"), real("e_2", "second eigenvalue of A - rho C"))
page.declare(*_E)
e1, e2 = (w.symbol for w in _E)

not_semidefinite = page.elsewhere(f"{_APP}, before (65)", "PT.3b").remark(
    "rgm-v2:ptr-not-semidefinite",
    "If A - rho C is not positive semi-definite, the distance is 0",
    both(le(e1, 0), le(e2, 0)),
    r"If an eigenvalue of $\tilde A - \rho C$ is negative, then $\tilde A - \rho C \preccurlyeq 0$ (for $C = I$, in the plane), so that no point has to be changed.",
    given=Hypothesis("not positive semi-definite", lt(e2, 0)),
    by=Search(),
    reading=r"$\Delta$ is the least number of changes to $\tilde A' - \rho C \preccurlyeq 0$, as the appendix defines it.",
    scope="instance",
    missing="Dimension 2, with $C = I$.",
    category="false",
    corrected="beyond:ptr-lower-bound",
    remark=r"True for the distance that is needed, to datasets for which $\tilde A' \succcurlyeq \rho C$ fails. The statement of Proposition 2 has yet another condition, $\tilde A - \rho C \preccurlyeq 0$.",
)

# --- The square root ---------------------------------------------------------------------------------------------


_q = page.nonnegative("q", "eigenvalue of a positive semi-definite root Q, with the eigenvector w")
_h = page.nonnegative("h", "eigenvalue of another one, H, with the eigenvector e")
_v = page.real("v", "$w^Te$")

_SAME = Hypothesis("same square", eq(_q**2 * _v, _h**2 * _v), "$w^TQ^2e = w^TH^2e$")

unique_root = page.elsewhere(f"{_APP}, before (65)", "PT.13a").remark(
    "rgm-v2:ptr-unique-root",
    "The positive semi-definite square root is unique",
    eq(_q * _v, _h * _v),
    r"If two positive semi-definite matrices have the same square, then $w^TQe = w^THe$ for all eigenvectors $w$ of $Q$ and $e$ of $H$, so that $Q = H$.",
    given=_SAME,
    by=Smt(),
    points={_q: (0, 4), _v: (-2, 2), _h: _q},
    wrong={"another square": without(), "the root of the root": sqrt(_h) * _v},
    steps=(
        Step(
            "Both have an orthonormal basis of eigenvectors.",
            theorem=SPECTRAL,
            met={"symmetric": "Positive semi-definite matrices are symmetric."},
        ),
    ),
    reading="In every dimension, as the eigenvectors of either matrix span the space. One root has the square roots of the eigenvalues.",
)

_ENTRY = (
    nonnegative("m_11", "entry 11 of A - rho C"),
    real("m_12", "entry 12 of A - rho C"),
    nonnegative("m_22", "entry 22 of A - rho C"),
)
page.declare(*_ENTRY)
m11, m12, m22 = (w.symbol for w in _ENTRY)

inverse_root = page.elsewhere(f"{_APP}, (65)", "PT.13b").definition(
    "rgm-v2:ptr-inverse-root",
    "The points Y = Q^-1 X are defined",
    ne(m11 * m22 - m12**2, 0),
    r"If $\tilde A - \rho C = Q^2$ is positive semi-definite, Q can be inverted.",
    given=Hypothesis("positive semi-definite", ge(m11 * m22, m12**2)),
    by=Search(),
    scope="instance",
    missing="Dimension 2.",
    reading=r"$\det Q^2 = (\det Q)^2$.",
    category="missing hypothesis",
    corrected="beyond:ptr-square-root",
    remark=r"Positive definite is needed, also for $(\tilde A - \rho C)^{-1}$ in the statement. If $\tilde A - \rho C$ is singular, removing one more point of a direction may already fail, and the statistic has to be set to at most 1.",
)


_Q_SYMMETRIC = Hypothesis("Q is symmetric", eq(_Q.T, _Q))
_Q_INVERTIBLE = Hypothesis("Q can be inverted", ne(Determinant(_Q), 0))
_WHITE, _DIRECTION = _Q.I * _X, _Q * _V

congruence = page.elsewhere(f"{_APP}, (66)", "PT.14a").identity(
    "rgm-v2:ptr-congruence",
    "The condition in terms of the points Y",
    eq(n * _form(_Q * _Q - _X * _X.T / n), _DIRECTION.T * (n * Identity(_D.symbol) - _WHITE * _WHITE.T) * _DIRECTION),
    r"$n\,v^T(Q^2 - \frac1n\sum X_iX_i^T)v = w^T(nI - \sum Y_iY_i^T)w$ with $w = Qv$: one is never negative exactly if the other is not, that is if $\lambda_{max}(\sum Y_iY_i^T) \le n$.",
    given=(_Q_SYMMETRIC, _Q_INVERTIBLE),
    by=Matrices(),
    over=(_D, _K),
    wrong={
        "X in the place of Y": eq(_form(_X * _X.T), _DIRECTION.T * _X * _X.T * _DIRECTION),
        "v in the place of w": eq(_form(_X * _X.T), _form(_WHITE * _WHITE.T)),
        "a root that is not symmetric": without(_Q_SYMMETRIC),
    },
    reading="With the removed points as the columns of $X$, and $Y = Q^{-1}X$. Q can be inverted, so w runs over all directions with v; the last step is the definition of the largest eigenvalue.",
)

_white_point = _Q.I * _POINT

whitened = page.elsewhere(f"{_APP}, last sentence", "PT.15b").identity(
    "rgm-v2:ptr-whitened-norm",
    "The square root need not be computed",
    eq(_white_point.T * _white_point, _POINT.T * Inverse(_Q * _Q) * _POINT),
    r"$|Y|^2 = |Q^{-1}X|^2 = X^T(\tilde A - \rho C)^{-1}X$.",
    given=(_Q_SYMMETRIC, _Q_INVERTIBLE),
    by=Matrices(),
    over=(_D,),
    wrong={"Q^-1 for Q^-2": _POINT.T * _Q.I * _POINT, "without the inverse": _POINT.T * _POINT},
    reading=r"In every dimension, with $Q^2 = \tilde A - \rho C$.",
)

# --- The leverages -----------------------------------------------------------------------------------------------

_printed_tests, _needed_tests = n + n * (n - 1) / 2, n

tests = page.elsewhere(f"{_APP}, between (66) and (67)", "PT.14b").remark(
    "rgm-v2:ptr-number-of-tests",
    "The number of sets to test",
    ge(_needed_tests, _printed_tests),
    r"To be sure that $\min\{|I| : I \in E_-\} \ge 2$ it is enough to test the n sets of one point, which are at least as many as the printed $\sum_{\ell=1}^2\binom n\ell$.",
    given=Hypothesis("at least two points", ge(n, 2)),
    by=Search(),
    reading="There are that many possibilities to test: no fewer will do.",
    scope="instance",
    missing="The case $k = 2$.",
    category="wrong constant",
    corrected="beyond:ptr-number-of-tests",
    remark="The sum up to k is what it takes to be sure of k + 1 if every smaller set is tested as well; sets of k - 1 points are enough for k. The number grows as quickly in either case, which is the point of the sentence.",
)

_largest_quotient = (_V.T * _V) * _form(_X * _X.T)
_norms = Trace(_X * _X.T) * (_V.T * _V) * (_V.T * _V)
_deviation = Trace(_V.T * _V) * _X - _V * _V.T * _X

trace_bound = page.elsewhere(f"{_APP}, (67)", "PT.14c").inequality(
    "rgm-v2:ptr-trace",
    "The largest eigenvalue of a sum is at most the sum of the squared norms",
    both(
        le(_largest_quotient, _norms),
        eq(_POINT.T * (_POINT * _POINT.T) * _POINT, (_POINT.T * _POINT) * (_POINT.T * _POINT)),
    ),
    r"$w^T(\sum Y_iY_i^T)w \le \sum|Y_i|^2\,|w|^2$ for every w, with equality for one point and $w = Y$.",
    by=Matrices(squares=((Integer(1), _deviation),)),
    over=(_D, _K),
    wrong={
        "half": le(2 * _largest_quotient, _norms),
        "direction": ge(_largest_quotient, _norms),
        "the mean of the norms": le(_K.symbol * _largest_quotient, _norms),
    },
    reading=r"For all numbers of points and dimensions; the points are the columns of a matrix, here called $X$, and the sum of their squared norms is a trace. Multiplied by $|w|^2$, here $v^Tv$; for $w = 0$ both "
    r"sides are 0. The largest eigenvalue is the largest quotient. The part about one point: the largest eigenvalue of $YY^T$ is $|Y|^2$.",
    tightness=looseness.TRACE,
)

_EXCEEDS = Hypothesis("I is in E_-", gt(removed, n * w2))

subset = page.elsewhere(f"{_APP}, (68), first part", "PT.14d").remark(
    "rgm-v2:ptr-leverages",
    "Sets that fail have leverages above n",
    gt(leverage, n),
    r"If $\lambda_{max}(\sum_{I_R}Y_iY_i^T) > n$, then $\sum_{I_R}|Y_i|^2 > n$.",
    given=(CAUCHY, _EXCEEDS),
    points=Chart(
        {n: (0, 20), w2: (0, 4), removed: (0, 1)}, {removed: n * w2 * (1 + removed), leverage: n * (1 + removed)}
    ),
    wrong={"n + 1": n + 1, "a set that does not fail": without(_EXCEEDS)},
    steps=(
        Step(
            "$(Y_i^\\top w)^2 \\le |Y_i|^2|w|^2$ for each point.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one."},
        ),
        Step("Each point contributes at most its squared norm.", "rgm-v2:ptr-trace"),
    ),
    reading=r"At the direction w of the largest eigenvalue $P = \sum(Y_i^Tw)^2 > n|w|^2$.",
)

squares = page.nonnegative("T", "sum of the squares of the removed points")
left = page.nonnegative("V", "of the others")
c = page.positive("c", "the matrix C, in dimension 1")

_margin = (squares + left) / n - level * c

strict = page.elsewhere(f"{_APP}, (68), second part", "PT.14e").inequality(
    "rgm-v2:ptr-strict",
    "The lower bound of the distance, with the strict inequality",
    gt(squares / _margin, n),
    r"In dimension 1, without regularization: if $\tilde A > \rho c$ and replacing some points by zeros gives $\tilde A' \le \rho c$, then $\sum_{I_R}|Y_i|^2 > n$.",
    given=(Hypothesis("A > rho C", gt(_margin, 0)), Hypothesis("A' <= rho C", le(left / n, level * c))),
    by=Search(),
    points={squares: (0, 4), n: (0, 9), c: (0, 4), level: (0, 4), left: n * level * c},
    reading=r"$\Delta = \min\{|I_R| : \tilde A' - \rho C \preccurlyeq 0\}$ is at least the least number of points with a sum above n.",
    scope="instance",
    missing="Dimension 1, without regularization.",
    category="wrong constant",
    corrected="beyond:ptr-lower-bound-printed",
    remark=r"With $\ge n$, as in Proposition 2, it is true. Strict it is for the distance to datasets for which $\tilde A' \succcurlyeq \rho C$ fails: $\{\tilde A - \frac1n\sum - \rho C \preccurlyeq 0\}$ is contained in $E_-$ but for the zero matrix.",
)
