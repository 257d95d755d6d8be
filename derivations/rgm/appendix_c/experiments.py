r"""Appendix C: the algorithm of the two nodes, its step size, and the method without privacy.

With $b_{ij} = X_{ij}y_{ij}$, as the display of the non-private method has it, that method releases the gradient of the objective.
"""

from sympy import Identity as IdentityMatrix, MatAdd, MatrixExpr

from rgm_verify.pages import *

from ..matrix_notation import MATRIX_NOTATION, X, d as features, n as records, theta, y
from ..notation import DIMENSION, NOTATION, d, gamma

page = Page("rgm-v1+v2", "", MATRIX_NOTATION, NOTATION)
_APP, APP1 = "App. C; v1 (71), v2 (79)", "App. C.1"
_STEP = "App. C, after v1 (71), after v2 (79)"

# One step of the two nodes: sums of the records' gradients and numbers of records.
line_theta = page.real("theta", "parameter, one coordinate")
_tau = page.positive("tau", "step size")
_s1, _s2 = (page.real(f"S_{k}", f"sum of the records' gradients at node {k}, one coordinate") for k in "12")
_n1, _n2 = (page.natural(f"N_{k}", f"number of records of node {k}") for k in "12")
_mean_1, _mean_2 = (named(rf"\nabla f_{k}", s / n) for k, s, n in (("1", _s1, _n1), ("2", _s2, _n2)))
_pooled = named(r"\nabla f", (_s1 + _s2) / (_n1 + _n2))

# A one-dimensional least-squares problem at each node, n_i records with second moment q_i and mean product p_i.
_reg = page.nonnegative("mu_reg", "regularisation")
_FEATURES = natural("d", "number of features")
_PARAMETER = MatrixSymbol("theta", _FEATURES.symbol, 1)
_DATA = tuple(MatrixSymbol(f"X_{k}", _FEATURES.symbol, size) for k, size in ((1, _n1), (2, _n2)))
_LABELS = tuple(MatrixSymbol(f"y_{k}", size, 1) for k, size in ((1, _n1), (2, _n2)))
_nodes = tuple(zip(_DATA, _LABELS, (_n1, _n2), strict=True))
_released = [
    named(f"g^{{({k})}}", x * (x.T * _PARAMETER - y) / size + _reg * _PARAMETER)
    for k, (x, y, size) in enumerate(_nodes, start=1)
]
_moments = named(r"\overline{XX^\top}", MatAdd(*(x * x.T / (2 * size) for x, _, size in _nodes)))
_products = named(r"\overline b", MatAdd(*(x * y / (2 * size) for x, y, size in _nodes)))
_descended = _PARAMETER - _tau * (_moments * _PARAMETER + _reg * _PARAMETER - _products)

algorithm = page.elsewhere(_APP, "NB08").algorithm(
    "rgm:two-node-algorithm",
    "The two nodes descend along the mean of their objectives",
    eq(_descended, _PARAMETER - _tau * (_released[0] + _released[1]) / 2),
    "Without noise this is gradient descent on the mean of two ridge regressions.",
    printed=r"\theta_{t+1}=\theta_t-\tau\times\tfrac12(g_t^{(1)}+g_t^{(2)})",
    by=Matrices(),
    over=(features,),
    wrong={
        "the sum": _PARAMETER - _tau * (_released[0] + _released[1]),
        "node 1 only": _PARAMETER - _tau * _released[0],
    },
    steps=Step("The gradient of a quadratic objective.", "rgm:quadratic-gradient"),
    reading="For all numbers of records and features; consistent with the theory if it is the algorithm (7) for that objective, whose $A$ and $b$ are the means of the nodes'. The nodes' noises add up with a quarter of each variance.",
)

pooled = page.elsewhere(_APP, source="beyond").identity(
    "beyond:two-node-pooled",
    "When that is the objective of all records together",
    eq((_mean_1 + _mean_2) / 2 - _pooled, (_n2 - _n1) * (_mean_1 - _mean_2) / (2 * (_n1 + _n2))),
    r"The mean of the nodes' gradients is the gradient over all records exactly if the nodes hold equally many records, or their gradients agree.",
    by=(Identity(), Smt()),
    wrong={"always": eq((_mean_1 + _mean_2) / 2, _pooled), "the weights the other way": scaled(-1)},
    reading="The right-hand side vanishes exactly in these two cases.",
    remark="Splitting by label gives nodes of very different numbers of records: there the solution is not that of (9) for the whole dataset. 141691 is odd, so that even a random split is not exactly equal; Appendix C writes one N.",
)

_largest = page.positive("Lambda", "the larger of the largest eigenvalues of the two covariances")
_smooth = page.positive("L", "largest eigenvalue of the mean of the two covariances")
_tau_printed = named(r"\tau", 1 / (2 * _largest))
_MEAN_OF_TWO = (
    Hypothesis("the mean is at most the larger", le(_smooth, _largest), "Weyl's inequality"),
    Hypothesis(
        "the mean is at least half of the larger", ge(2 * _smooth, _largest), "the other covariance is not negative"
    ),
)

words = page.elsewhere(_STEP, "EX.5").remark(
    "rgm:step-size-in-words",
    "The step size in words and as a formula",
    eq(_largest / 2, _tau_printed),
    "Half the maximum of the largest eigenvalues, in words.",
    printed=r"\tau=\frac{0.5}{\max(\lambda_{\max}(A^{(1)}),\lambda_{\max}(A^{(2)}))}",
    by=(Search(), Identity()),
    reading="The words as they stand: one half times the maximum.",
    mistake=("misprint", "beyond:step-size-in-words"),
    remark="Half of the inverse of the maximum is meant, as the formula has it.",
)

_scale = page.positive("s", "factor on the loss")
_curvature = page.nonnegative("lambda", "eigenvalue of the mean of the covariances")
_eigenvalue = positive("x").symbol

words_corrected = page.elsewhere(_STEP, source="beyond").correction(
    "beyond:step-size-in-words",
    "The formula is right",
    both(
        le(_tau_printed * _curvature, Rational(1, 2)),
        eq(At(1 / (2 * _eigenvalue), _eigenvalue, _scale * _largest), _tau_printed / _scale),
    ),
    "Half of the inverse takes the inverse unit of the loss, as a step size has to.",
    given=Hypothesis("an eigenvalue of the mean", le(_curvature, _largest)),
    wrong={
        "half of the maximum": le(_largest / 2 * _curvature, Rational(1, 2)),
        "below a quarter": le(_tau_printed * _curvature, Rational(1, 4)),
        "any curvature": without(),
    },
)

approximation = page.elsewhere(_STEP, "NB09").remark(
    "rgm:step-size-approximation",
    "The step size approximates the largest one",
    chain(1 / (4 * (1 + gamma * d) * _smooth), "<=", _tau_printed, "<=", 1 / ((1 + gamma * d) * _smooth)),
    given=(*_MEAN_OF_TWO, Hypothesis("gamma d at most 1", le(gamma * d, 1))),
    points={_largest: (0, 1, _smooth * (1 + _largest)), gamma: (0, 1, gamma / d), d: (0, 30)},
    over=(DIMENSION,),
    wrong={
        "within a factor 2": chain(1 / (2 * (1 + gamma * d) * _smooth), "<=", _tau_printed),
        "any gamma": without("gamma d at most 1"),
        "a mean below half of the larger": without("the mean is at least half of the larger"),
    },
    reading="An approximation: within a constant factor, from below. The true largest step size is that of Theorem 2 with its corrected condition, L being the largest eigenvalue of the mean of the covariances.",
    remark=r"The largest step at which the iteration stays bounded is twice that of the theorem (`beyond:stable-steps`); for $\gamma d > 1$ the step may be too long: `beyond:step-size-stable`.",
)

stable = page.elsewhere(_STEP, source="beyond").remark(
    "beyond:step-size-stable",
    "When the step size keeps the iteration bounded",
    Iff(lt(_tau_printed, 2 / ((1 + gamma * d) * _largest)), lt(gamma * d, 3)),
    "For nodes with equal largest eigenvalues.",
    over=(DIMENSION,),
    wrong={
        "up to 4": Iff(lt(_tau_printed, 2 / ((1 + gamma * d) * _largest)), lt(gamma * d, 4)),
        "without the dimension": Iff(lt(_tau_printed, 2 / ((1 + gamma * d) * _largest)), lt(gamma, 3)),
    },
    steps="beyond:stable-steps",
    reading="Nodes with equal gradients draw independent noise, which halves the variance of the mean: with gamma the level of the mean, which is half of each node's.",
)

# The non-private method, two records in dimension 1.
_x1 = page.real("x_1", "feature of record 1")
_x2 = page.real("x_2", "feature of record 2")
_y1 = page.real("y_1", "label of record 1")
_y2 = page.real("y_2", "label of record 2")
_loss = ((_x1 * line_theta - _y1) ** 2 + (_x2 * line_theta - _y2) ** 2) / 4 + _reg / 2 * line_theta**2
_terms = (
    named(rf"(A_{{i{k}}}\theta-b_{{i{k}}})", x**2 * line_theta - x * y / 2)
    for k, x, y in ((1, _x1, _y1), (2, _x2, _y2))
)

exact_gradient_printed = page.elsewhere("App. C; v1 (72), v2 (80)", source="beyond").identity(
    "rgm:non-private-release-printed",
    "The non-private release, as printed",
    eq(named(r"\nabla f(\theta)", _loss.diff(line_theta)), sum(_terms) / 2),
    r"$A_{ij}$ is $X_{ij}X_{ij}^\top$, and $b_{ij}$ has a factor $\frac1N$ of its own.",
    printed=r"g_t^{(i)}=\frac1N\sum_{j=1}^N\nabla f_{ij}(\theta)=\frac1N\sum_{j=1}^NA_{ij}\theta-b_{ij}",
    by=(Search(), Identity()),
    instance="Two records in dimension 1.",
    reading=r"$A_i$ and $b_i$ as §5.2 defines them (both versions), with a second index for the node, which Appendix C does not do; $\nabla f_{ij}(\theta)$ at $\theta_t$, and $b_{ij}$ under the sum.",
    mistake=("misprint", "beyond:non-private-release"),
    remark=r"The factor $1/n$ in §5.2's $b_i$ is one too many here as well, and the regularisation has to be part of $A_{ij}$.",
)

_t = page.real("t", "length of a step")
_direction = MatrixSymbol("v", features, 1)


def _objective_at(title: str, place: MatrixExpr) -> MatrixExpr:
    """The node's objective: the mean of the squares of the residuals, and the regularisation."""
    residuals = X.T * place - y
    return named(title, residuals.T * residuals / (2 * records) + _reg / 2 * place.T * place)


def _slope_is(slope: MatrixExpr) -> Formula:
    """Along every direction the objective has this slope, and a multiple of the square of the step."""
    curved = named("A", X * X.T / records + _reg * IdentityMatrix(features))
    return eq(
        _objective_at(r"f(\theta+tv)", theta + _t * _direction),
        _objective_at(r"f(\theta)", theta) + _t * slope.T * _direction + _t**2 / 2 * _direction.T * curved * _direction,
    )


_released_here = named(
    r"\frac1N\sum_j(A_{ij}\theta-b_{ij})", (X * X.T * theta + records * _reg * theta - X * y) / records
)

exact_gradient = page.elsewhere("App. C; v1 (72), v2 (80)", "EX.7a", source="beyond").identity(
    "beyond:non-private-release",
    "The non-private release",
    _slope_is(_released_here),
    r"$A_{ij}$ is $X_{ij}X_{ij}^\top + \mu_{reg}I$ and $b_{ij}$ is $X_{ij}y_{ij}$.",
    printed=r"\nabla f_i(\theta_t)=\frac1N\sum_{j=1}^N(A_{ij}\theta_t-b_{ij})",
    by=Matrices(),
    wrong={
        "without the regularisation": _slope_is((X * X.T * theta - X * y) / records),
        "the sum": _slope_is(X * X.T * theta + records * _reg * theta - X * y),
        "b with 1/N": _slope_is((X * X.T * theta + records * _reg * theta - X * y / records) / records),
    },
    reading=r"For all numbers of records and features, along every direction $v$. The records of the node are the columns of $X$, so that $\sum_jX_{ij}X_{ij}^\top = XX^\top$ and $\sum_jX_{ij}y_{ij} = Xy$; $b_{ij} = X_{ij}y_{ij}$, as the display itself has it and as EX.8 and EX.9 read it; the regularisation is part of $A_{ij}$.",
)
