r"""Appendix C: the methods that are compared, the calibration of clipping, and the constants of the relative mechanism.

Clipping's noise $\sigma^2 = \alpha c^2/(\varepsilon N^2)$ is half of what neighbours that differ in one record need, and twice what they need when a record is added or left out: no adjacency
makes it exact. The recipes for $\eta$ and $R_{rel}$ look at the records of the dataset; a neighbour holds a record that is not among them. With $b_{ij} = X_{ij}y_{ij}$, as the display of the
non-private method has it, the printed bound on $R_{rel}$ holds for moderate $\eta$ and is nearly N times too large.
"""

from sympy import Expr, Identity, MatAdd, MatrixExpr, MatrixSymbol, Max, Min, Rational

from rgm_verify.claims import *
from rgm_verify.claims.formula import Formula
from rgm_verify.lenses import Identity as SymbolicIdentity
from rgm_verify.lenses import Matrices, Search, Smt

from ..theorems import INDUCTION
from .matrix_notation import MATRIX_NOTATION, X, theta, y
from .matrix_notation import d as features
from .matrix_notation import n as records
from .notation import DIMENSION, NOTATION, alpha, d, gamma

page = Page("rgm-v1+v2", "", MATRIX_NOTATION, NOTATION)


_APP, _APP1, _APP2 = "App. C; v1 (71), v2 (79)", "App. C.1", "App. C.2"
_STEP = "App. C, after v1 (71), after v2 (79)"

# One step of the two nodes: sums of the records' gradients and numbers of records.
_theta = page.real("theta", "parameter, one coordinate")
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
    steps=(Step("The gradient of a quadratic objective.", "rgm:quadratic-gradient"),),
    reading="For all numbers of records and features; consistent with the theory if it is the algorithm (7) for that objective, whose $A$ and $b$ are the means of the nodes'. The nodes' noises add up with a "
    "quarter of each variance.",
)

pooled = page.elsewhere(_APP, source="beyond").identity(
    "beyond:two-node-pooled",
    "When that is the objective of all records together",
    eq((_mean_1 + _mean_2) / 2 - _pooled, (_n2 - _n1) * (_mean_1 - _mean_2) / (2 * (_n1 + _n2))),
    r"The mean of the nodes' gradients is the gradient over all records exactly if the nodes hold equally many records, or their gradients agree.",
    by=(SymbolicIdentity(), Smt()),
    wrong={
        "always": eq((_mean_1 + _mean_2) / 2, _pooled),
        "the weights the other way": (_n1 - _n2) * (_mean_1 - _mean_2) / (2 * (_n1 + _n2)),
    },
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
_MODERATE = Hypothesis("gamma d at most 1", le(gamma * d, 1))

words = page.elsewhere(_STEP, "EX.5").remark(
    "rgm:step-size-in-words",
    "The step size in words and as a formula",
    eq(_largest / 2, _tau_printed),
    "Half the maximum of the largest eigenvalues, in words.",
    printed=r"\tau=\frac{0.5}{\max(\lambda_{\max}(A^{(1)}),\lambda_{\max}(A^{(2)}))}",
    by=(Search(), SymbolicIdentity()),
    reading="The words as they stand: one half times the maximum.",
    category="misprint",
    corrected="beyond:step-size-in-words",
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
    given=(*_MEAN_OF_TWO, _MODERATE),
    points=Chart(
        {_smooth: (0, None), _largest: (0, 1), gamma: (0, 1), d: (0, 30)},
        {_smooth: _smooth, _largest: _smooth * (1 + _largest), gamma: gamma / d, d: d},
    ),
    over=(DIMENSION,),
    wrong={
        "within a factor 2": chain(1 / (2 * (1 + gamma * d) * _smooth), "<=", _tau_printed),
        "any gamma": changed(hypotheses=_MEAN_OF_TWO),
        "a mean below half of the larger": changed(hypotheses=(_MEAN_OF_TWO[0], _MODERATE)),
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
    steps=("beyond:stable-steps",),
    reading="Nodes with equal gradients draw independent noise, which halves the variance of the mean: with gamma the level of the mean, which is half of each node's.",
)

# The non-private method, two records in dimension 1.
_x1 = page.real("x_1", "feature of record 1")
_x2 = page.real("x_2", "feature of record 2")
_y1 = page.real("y_1", "label of record 1")
_y2 = page.real("y_2", "label of record 2")

_loss = ((_x1 * _theta - _y1) ** 2 + (_x2 * _theta - _y2) ** 2) / 4 + _reg / 2 * _theta**2
_terms = (
    named(rf"(A_{{i{k}}}\theta-b_{{i{k}}})", x**2 * _theta - x * y / 2) for k, x, y in ((1, _x1, _y1), (2, _x2, _y2))
)


exact_gradient_printed = page.elsewhere("App. C; v1 (72), v2 (80)", source="beyond").identity(
    "rgm:non-private-release-printed",
    "The non-private release, as printed",
    eq(named(r"\nabla f(\theta)", _loss.diff(_theta)), sum(_terms) / 2),
    r"$A_{ij}$ is $X_{ij}X_{ij}^\top$, and $b_{ij}$ has a factor $\frac1N$ of its own.",
    printed=r"g_t^{(i)}=\frac1N\sum_{j=1}^N\nabla f_{ij}(\theta)=\frac1N\sum_{j=1}^NA_{ij}\theta-b_{ij}",
    by=(Search(), SymbolicIdentity()),
    scope="instance",
    missing="Two records in dimension 1.",
    reading=r"$A_i$ and $b_i$ as §5.2 defines them (both versions), with a second index for the node, which Appendix C does not do; $\nabla f_{ij}(\theta)$ at $\theta_t$, and $b_{ij}$ under the sum.",
    category="misprint",
    corrected="beyond:non-private-release",
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
    curved = named("A", X * X.T / records + _reg * Identity(features))
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
    reading=r"For all numbers of records and features, along every direction $v$. The records of the node are the columns of $X$, so that $\sum_jX_{ij}X_{ij}^\top = XX^\top$ and $\sum_jX_{ij}y_{ij} = Xy$; "
    r"$b_{ij} = X_{ij}y_{ij}$, as the display itself has it and as EX.8 and EX.9 read it; the regularisation is part of $A_{ij}$.",
)

# Clipping. A gradient by its norm, or as a number in dimension 1.
_c = page.positive("c", "clipping threshold")
_m = page.nonnegative("m", "norm of a record's gradient", latex=r"\|g\|")
_g = page.real("g", "gradient of a record")
_g2 = page.real("g'", "gradient of the record in its place")

_count = page.natural("N", "number of records of the node")


def _clip(value: Expr, threshold: Expr = _c) -> Expr:
    """A gradient in dimension 1 after clipping."""
    return Max(-threshold, Min(threshold, value))


_clipped_norm = named(r"\|\tilde g\|", _m * _c / Max(_c, _m))

clipping = page.elsewhere("App. C.1; v1 (73), v2 (81)", "EX.7b").definition(
    "rgm:clipped-gradient",
    "Clipping of a record's gradient",
    both(eq(_clipped_norm, Min(_c, _m)), le(_clipped_norm, _c)),
    printed=r"\tilde g=\frac{gc}{\max(c,\|g\|)}",
    wrong={
        "the minimum in the denominator": le(_m * _c / Min(_c, 1 + _m), _c),
        "without c above": eq(_m / Max(_c, _m), Min(_c, _m)),
    },
    reading="A definition: it is defined for every gradient, keeps its direction, leaves short ones alone, and bounds the norm by c.",
    remark="At c = 0, which the recipe for c gives where all gradients vanish at the optimum, it is 0/0.",
)

_level = page.positive("epsilon", "level of Rényi differential privacy", latex=r"\varepsilon")
noise_printed_value = alpha * _c**2 / (_level * _count**2)


def _divergence(distance: Expr, factor: Rational | int) -> Expr:
    """The divergence of the Gaussian mechanism, with the printed variance multiplied by `factor`."""
    return named(r"D_\alpha(P\|Q)", alpha * (distance / _count) ** 2 / (2 * factor * noise_printed_value))


_clipped, _other_clipped = named(r"\tilde g", _clip(_g)), named(r"\tilde g'", _clip(_g2))
_FAR = Chart(
    {_g: (-3, 3), _g2: (-3, 3), _c: (0, None), _count: (0, 100), alpha: (1, None), _level: (0, None)},
    {_g: _g * _c, _g2: _g2 * _c},
)

noise_printed = page.elsewhere("App. C.1; v1 (74), v2 (82)", "EX.6").remark(
    "rgm:clipping-noise-printed",
    "The noise of clipped gradients, as printed",
    le(_divergence(_clipped - _other_clipped, 1), _level),
    "The mean of $N$ clipped gradients is released, and a record is replaced.",
    printed=r"\sigma^2=\frac{\alpha c^2}{\varepsilon N^2}",
    by=(Search(), Smt()),
    points=_FAR,
    over=(_count, alpha),
    scope="instance",
    missing="Dimension 1.",
    reading="Neighbours differ in one record, as in §5.2. Two clipped gradients of opposite sign are 2c apart; the other records cancel. The divergence is that of the Gaussian mechanism.",
    category="wrong constant",
    corrected="beyond:clipping-noise",
    remark=r"The divergence reaches $2\varepsilon$. If a record is added or left out it is at most $\varepsilon/2$ (`beyond:clipping-noise-add-or-remove`): the printed variance is exact for no adjacency.",
)

_replaced = _divergence(_clipped - _other_clipped, 2)

noise_corrected = page.elsewhere("App. C.1; v1 (74), v2 (82)", source="beyond").correction(
    "beyond:clipping-noise",
    "The noise of clipped gradients when a record is replaced",
    both(le(_replaced, _level), Implies(both(ge(_g, _c), le(_g2, -_c)), eq(_replaced, _level))),
    "Two opposite gradients of norm at least $c$ reach the level.",
    printed=r"\sigma^2=\frac{2\alpha c^2}{\varepsilon N^2}",
    points=_FAR,
    over=(_count, alpha),
    wrong={
        "three quarters of it": le(_divergence(_clipped - _other_clipped, Rational(3, 2)), _level),
        "half of the level": le(_replaced, _level / 2),
    },
    steps=(Step("The divergence of the Gaussian mechanism.", "rgm:gaussian-mechanism"),),
)

_removed = _divergence(_clipped, 1)

noise_remove = page.elsewhere("App. C.1; v1 (74), v2 (82)", source="beyond").remark(
    "beyond:clipping-noise-add-or-remove",
    "The printed noise when a record is added or left out",
    both(le(_removed, _level / 2), Implies(ge(_g, _c), eq(_removed, _level / 2))),
    "It is a quarter of what it is when a record is replaced, and is reached.",
    printed=r"\sigma^2=\frac{\alpha c^2}{\varepsilon N^2}\;\Longrightarrow\;D_\alpha(P\|Q)\le\frac\varepsilon2",
    points=Chart({s: r for s, r in _FAR.ranges.items() if s != _g2}, {_g: _g * _c}),
    over=(_count, alpha),
    wrong={"a third": le(_removed, _level / 3), "exactly the level": Implies(ge(_g, _c), eq(_removed, _level))},
    reading="The sum of the clipped gradients is divided by the same N on both sides.",
)

_so_far = page.nonnegative("M", "largest norm of the first records' gradients")


def _unchanged(norm: Expr) -> Formula:
    return eq(named(r"\|\tilde g\|", norm * _c / Max(_c, norm)), norm)


def _nothing_clipped(first: Formula, more: Formula) -> Formula:
    """Two equivalences: for one record, and for a further one."""
    return both(Iff(_unchanged(_m), first), Iff(both(ge(_c, _so_far), _unchanged(_m)), more))


smallest_threshold = page.elsewhere(_APP1, "EX.13b").remark(
    "rgm:smallest-threshold",
    "The smallest threshold that clips nothing at a point",
    _nothing_clipped(ge(_c, _m), ge(_c, Max(_so_far, _m))),
    r"No gradient is changed exactly if the threshold is at least the largest of their norms.",
    wrong={
        "the smaller norm": _nothing_clipped(ge(_c, _m), ge(_c, Min(_so_far, _m))),
        "half of the largest": _nothing_clipped(ge(_c, _m), ge(2 * _c, Max(_so_far, _m))),
        "half of the first": _nothing_clipped(ge(2 * _c, _m), ge(_c, Max(_so_far, _m))),
    },
    steps=(
        Step(
            "One record after the other.",
            theorem=INDUCTION,
            met={"start": "The first equivalence.", "step": "The second one."},
        ),
    ),
    reading="For every number of records, one after the other: of the first records none is changed exactly if the threshold is at least M. The norms are those at the optimum of the node.",
    remark="If all gradients vanish there every positive threshold will do and there is no smallest one.",
)

_COMPONENT = real("g", "component of a gradient along a direction")
_component, _size = _COMPONENT.symbol, page.nonnegative("t", "norm of the gradient", latex=r"\|g\|")
symmetric = page.elsewhere(_APP1, "NB10").remark(
    "rgm:clipping-symmetric",
    "Clipping has no bias for symmetric gradients",
    eq(printed(lambda: _component * _c / Max(_c, _size) + (-_component) * _c / Max(_c, _size)), 0),
    r"For records that come in pairs with gradients $g$ and $-g$ at the optimum, the clipped gradients add up to 0 there, at every threshold.",
    by=Smt(),
    over=(_COMPONENT,),
    wrong={
        "half of the other": left(_component * _c / Max(_c, _size) - _component / 2 * _c / Max(_c, _size / 2)),
        "the same sign": left(2 * _component * _c / Max(_c, _size)),
    },
    reading="The conjecture's example: the optimum stays one. In every dimension, along every direction; both gradients have the same norm.",
)

observation = page.elsewhere(_APP1, "NB10").remark(
    "rgm:clipping-bias-observed",
    "Lower thresholds did not introduce a large bias",
    says="In the paper's experiments, thresholds well below the recipe's did not bias the result much.",
    informal="An observation of the paper's runs: only repeating them can tell. In general it is false (`beyond:clipping-asymmetric`), and for symmetric gradients it is exact (`rgm:clipping-symmetric`). "
    "Repeated on ijcnn1, with our choices where the paper leaves them open: `experiment:low-threshold-printed`.",
)

_height = page.positive("h", "value of the record apart")
_sum_of_clipped = named(r"\sum_j\widetilde{\nabla f_j}(\theta)", 2 * _clip(_theta) + _clip(_theta - _height))

asymmetric = page.elsewhere(_APP1, source="beyond").remark(
    "beyond:clipping-asymmetric",
    "For skewed data clipping turns the mean towards the median",
    Iff(eq(_sum_of_clipped, 0), eq(_theta, _c / 2)),
    r"For $f_j(\theta)$ half the squared distance to $y_j$, the $y_j$ being 0, 0 and $h$; the optimum is $h/3$.",
    given=Hypothesis("a threshold of at most the largest gradient at the optimum", le(3 * _c, 2 * _height)),
    wrong={"the mean stays": Iff(eq(_sum_of_clipped, 0), eq(_theta, _height / 3)), "any threshold": without()},
    reading="The recipe's threshold is 2h/3, the largest gradient at the optimum; there the solution is exact.",
    remark="The bias is h/3 - c/2: in proportion to what the threshold is short of the recipe's, up to the whole distance of mean and median.",
)

# The threshold at the optimum: two records at each node.
_gap = page.positive("b", "distance of the two nodes' optima")
_t1, _t2 = (page.positive(f"t_{k}", f"spread of the labels at node {k}, and its threshold") for k in "12")
_gradients = page.real("S", "sum of the first records' gradients along a direction")
_clipped_ones = page.real("T", "sum of the same gradients, clipped")

_clipped_component = named(r"\tilde g", _component * _c / Max(_c, _size))
_SAME_SO_FAR = Hypothesis("so far", eq(_clipped_ones, _gradients))
_WITHIN = Hypothesis("the threshold", le(_size, _c))

at_optimum = page.elsewhere("§6", "EX.13a").remark(
    "rgm:threshold-at-optimum",
    "The largest gradient at the optimum as threshold",
    both(
        eq(_clipped_ones + _clipped_component, _gradients + _component),
        Implies(eq(_gradients + _component, 0), eq(_clipped_ones + _clipped_component, 0)),
    ),
    r"If the threshold is at least every record's gradient at the optimum, the clipped gradients add up to 0 there as the gradients do.",
    given=(_SAME_SO_FAR, _WITHIN),
    by=Smt(),
    points=Chart(
        {_c: (0, 4), _size: (0, 1), _component: (-1, 1), _gradients: (-3, 3)},
        {_size: _size * _c, _component: _component * _size * _c, _clipped_ones: _gradients},
    ),
    over=(_COMPONENT,),
    wrong={
        "half of the record": eq(_clipped_ones + _clipped_component / 2, _gradients + _component),
        "another sum so far": without(_SAME_SO_FAR),
        "any threshold": without(_WITHIN),
    },
    steps=(
        Step(
            "One record after the other.",
            theorem=INDUCTION,
            met={"start": "Of no records both sums are 0.", "step": "The first part of the formula."},
        ),
    ),
    reading="No bias: the optimum stays one. The optimum is that of the objective of both nodes; for every number of records, one after the other, in every dimension along every direction.",
    remark="Where every threshold is below the largest gradient it need not: `rgm:threshold-at-local-optimum`. Away from the optimum gradients are clipped.",
)

_clipped_at_node = (
    named(rf"\sum_j\widetilde{{\nabla f_{{{k}j}}}}", sum(_clip(place + sign * spread, spread) for sign in (1, -1)))
    for k, place, spread in ((1, _gap / 2, _t1), (2, -_gap / 2, _t2))
)

at_local_optimum = page.elsewhere("§6 with App. C.1", "EX.13a").remark(
    "rgm:threshold-at-local-optimum",
    "The largest gradient at the node's own optimum as threshold",
    eq(sum(_clipped_at_node), 0),
    "The clipped gradients should add up to 0 at the optimum of both nodes.",
    printed=r"c_i=\max_j\|\nabla f_{ij}(\theta_i^\star)\|",
    by=(Search(), Smt()),
    scope="instance",
    missing="Two records at each node, in dimension 1.",
    reading=r"The section says \"at optimum (to avoid bias)\", the appendix takes each node's own. Node 1 has the labels $\pm t_1$, node 2 $b \pm t_2$, $f_{ij} = \frac12(\theta-y)^2$: the local optima are 0 and b, the thresholds "
    r"$t_1$ and $t_2$, the common optimum $b/2$.",
    category="false",
    corrected="rgm:threshold-at-optimum",
    remark="The appendix says itself that it leads to small thresholds for heterogeneous nodes. In the example of Section 6 it is 0 at both nodes, where clipping is not defined.",
)
