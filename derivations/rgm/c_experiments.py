r"""Appendix C: the methods that are compared, the calibration of clipping, and the constants of the relative mechanism.

Clipping's noise $\sigma^2 = \alpha c^2/(\varepsilon N^2)$ is half of what neighbours that differ in one record need, and twice what they need when a record is added or left out: no adjacency
makes it exact. The recipes for $\eta$ and $R_{rel}$ look at the records of the dataset; a neighbour holds a record that is not among them. With $b_{ij} = X_{ij}y_{ij}$, as the display of the
non-private method has it, the printed bound on $R_{rel}$ holds for moderate $\eta$ and is nearly N times too large.
"""

from sympy import Expr, Identity, MatrixExpr, MatrixSymbol, Max, Min, Rational

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Implies,
    Mutant,
    Step,
    both,
    chain,
    eq,
    ge,
    le,
    lt,
    natural,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.claims.formula import Formula
from rgm_verify.lenses import Identity as SymbolicIdentity
from rgm_verify.lenses import Matrices, Search, Smt

from ..theorems import INDUCTION
from .matrix_notation import FEATURES, RECORDS, X, theta, y
from .matrix_notation import d as features
from .matrix_notation import n as records
from .notation import ALPHA, DIMENSION, GAMMA, alpha, d, gamma

_SOURCE = "rgm-v1+v2"
_APP, _APP1, _APP2 = "App. C; v1 (71), v2 (79)", "App. C.1", "App. C.2"
_STEP_WHERE = "App. C, after v1 (71), after v2 (79)"

# One step of the two nodes: sums of the records' gradients and numbers of records.
_SUM_1, _SUM_2 = (real(f"S_{k}", f"sum of the records' gradients at node {k}, one coordinate") for k in "12")
_N1, _N2 = (natural(f"N_{k}", f"number of records of node {k}") for k in "12")
_THETA, _TAU = real("theta", "parameter, one coordinate"), positive("tau", "step size")
_s1, _s2, _n1, _n2, _theta, _tau = (v.symbol for v in (_SUM_1, _SUM_2, _N1, _N2, _THETA, _TAU))
_NODES = (_SUM_1, _SUM_2, _N1, _N2)
_mean_1, _mean_2, _pooled = _s1 / _n1, _s2 / _n2, (_s1 + _s2) / (_n1 + _n2)

# A one-dimensional least-squares problem at each node, n_i records with second moment q_i and mean product p_i.
_MU_REG = nonnegative("mu_reg", "regularisation")
_reg = _MU_REG.symbol

_FEATURES = natural("d", "number of features")
_PARAMETER = MatrixSymbol("theta", _FEATURES.symbol, 1)
_DATA = tuple(MatrixSymbol(f"X_{k}", _FEATURES.symbol, size) for k, size in ((1, _n1), (2, _n2)))
_LABELS = tuple(MatrixSymbol(f"y_{k}", size, 1) for k, size in ((1, _n1), (2, _n2)))
_released = [
    x * (x.T * _PARAMETER - y) / size + _reg * _PARAMETER for x, y, size in zip(_DATA, _LABELS, (_n1, _n2), strict=True)
]
_second_moments, _products = (
    sum(parts[1:], start=parts[0])
    for parts in (
        [x * x.T / (2 * size) for x, size in zip(_DATA, (_n1, _n2), strict=True)],
        [x * y / (2 * size) for x, y, size in zip(_DATA, _LABELS, (_n1, _n2), strict=True)],
    )
)
_descended = _PARAMETER - _tau * (_second_moments * _PARAMETER + _reg * _PARAMETER - _products)

algorithm = Claim(
    id="rgm:two-node-algorithm",
    refs=("NB08",),
    title="The two nodes descend along the mean of their objectives",
    source=_SOURCE,
    where=_APP,
    kind="algorithm",
    statement=r"Without noise $\theta_{t+1} = \theta_t - \tau\frac12(g^{(1)}+g^{(2)})$ is gradient descent on $\frac12(f_1+f_2)$, ridge regressions.",
    variables=(_FEATURES, _N1, _N2, _MU_REG, _TAU),
    conclusion=eq(_descended, _PARAMETER - _tau * (_released[0] + _released[1]) / 2),
    reading=(
        "For all numbers of records and features; consistent with the theory if it is the algorithm (7) for that objective, whose $A$ and $b$ are the means of the nodes'. The nodes' noises add up with a "
        "quarter of each variance."
    ),
    checks=(Matrices(),),
    derivation=(Step("The gradient of a quadratic objective.", "rgm:quadratic-gradient"),),
    mutants=(
        Mutant("the sum", eq(_descended, _PARAMETER - _tau * (_released[0] + _released[1]))),
        Mutant("node 1 only", eq(_descended, _PARAMETER - _tau * _released[0])),
    ),
)

pooled = Claim(
    id="beyond:two-node-pooled",
    title="When that is the objective of all records together",
    source="beyond",
    where=_APP,
    kind="identity",
    statement=r"The mean of the nodes' gradients is the gradient over all records exactly if the nodes hold equally many records, or their gradients agree.",
    variables=_NODES,
    conclusion=eq((_mean_1 + _mean_2) / 2 - _pooled, (_n2 - _n1) * (_mean_1 - _mean_2) / (2 * (_n1 + _n2))),
    reading="The right-hand side vanishes exactly in these two cases.",
    remark=(
        "Splitting by label gives nodes of very different numbers of records: there the solution is not that of (9) for the whole dataset. 141691 is odd, so that even a random split is not exactly equal; Appendix C writes one N."
    ),
    checks=(SymbolicIdentity(), Smt()),
    mutants=(
        Mutant("always", eq((_mean_1 + _mean_2) / 2, _pooled)),
        Mutant(
            "the weights the other way",
            eq((_mean_1 + _mean_2) / 2 - _pooled, (_n1 - _n2) * (_mean_1 - _mean_2) / (2 * (_n1 + _n2))),
        ),
    ),
)

_LARGEST = positive("Lambda", "the larger of the largest eigenvalues of the two covariances")
_SMOOTH = positive("L", "largest eigenvalue of the mean of the two covariances")
_largest, _smooth = _LARGEST.symbol, _SMOOTH.symbol
_tau_printed = 1 / (2 * _largest)
_MEAN_OF_TWO = (
    Hypothesis("the mean is at most the larger", le(_smooth, _largest), "Weyl's inequality"),
    Hypothesis(
        "the mean is at least half of the larger", ge(2 * _smooth, _largest), "the other covariance is not negative"
    ),
)
_MODERATE = Hypothesis("gamma d at most 1", le(gamma * d, 1))

words = Claim(
    id="rgm:step-size-in-words",
    refs=("EX.5",),
    title="The step size in words and as a formula",
    source=_SOURCE,
    where=_STEP_WHERE,
    kind="remark",
    statement=r"Half the maximum of the largest eigenvalues is $\frac{0.5}{\max(\lambda_{\max}(A^{(1)}),\lambda_{\max}(A^{(2)}))}$.",
    variables=(_LARGEST,),
    conclusion=eq(_largest / 2, _tau_printed),
    reading="The words as they stand: one half times the maximum.",
    checks=(Search(), SymbolicIdentity()),
    category="misprint",
    corrected="beyond:step-size-in-words",
    remark="Half of the inverse of the maximum is meant, as the formula has it.",
)

_SCALE = positive("s", "factor on the loss")
_CURVATURE = nonnegative("lambda", "eigenvalue of the mean of the covariances")
_scale, _curvature = _SCALE.symbol, _CURVATURE.symbol
_eigenvalue = positive("x").symbol

words_corrected = Claim(
    id="beyond:step-size-in-words",
    title="The formula is right",
    source="beyond",
    where=_STEP_WHERE,
    kind="correction",
    statement=r"Half of the inverse: $\tau\lambda \le \frac12$ for every eigenvalue of the mean, and it takes the inverse unit of the loss, as a step size has to.",
    variables=(_LARGEST, _CURVATURE, _SCALE),
    hypotheses=(Hypothesis("an eigenvalue of the mean", le(_curvature, _largest)),),
    conclusion=both(
        le(_tau_printed * _curvature, Rational(1, 2)),
        eq(At(1 / (2 * _eigenvalue), _eigenvalue, _scale * _largest), _tau_printed / _scale),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("half of the maximum", le(_largest / 2 * _curvature, Rational(1, 2))),
        Mutant("below a quarter", le(_tau_printed * _curvature, Rational(1, 4))),
        Mutant("any curvature", hypotheses=()),
    ),
)

approximation = Claim(
    id="rgm:step-size-approximation",
    refs=("NB09",),
    title="The step size approximates the largest one",
    source=_SOURCE,
    where=_STEP_WHERE,
    kind="remark",
    statement=r"For $\gamma d \le 1$: $\frac1{2\Lambda}$ is at most $\frac1{(1+\gamma d)L}$ and at least a quarter of it.",
    variables=(_LARGEST, _SMOOTH, GAMMA, DIMENSION),
    hypotheses=(*_MEAN_OF_TWO, _MODERATE),
    conclusion=chain(1 / (4 * (1 + gamma * d) * _smooth), "<=", _tau_printed, "<=", 1 / ((1 + gamma * d) * _smooth)),
    reading=(
        "An approximation: within a constant factor, from below. The true largest step size is that of Theorem 2 with its corrected condition, L being the largest eigenvalue of the mean of the covariances."
    ),
    remark=r"The largest step at which the iteration stays bounded is twice that of the theorem (`beyond:stable-steps`); for $\gamma d > 1$ the step may be too long: `beyond:step-size-stable`.",
    checks=(Smt(),),
    sampling=Chart(
        {_smooth: (0, None), _largest: (0, 1), gamma: (0, 1), d: (0, 30)},
        {_smooth: _smooth, _largest: _smooth * (1 + _largest), gamma: gamma / d, d: d},
    ),
    mutants=(
        Mutant("within a factor 2", chain(1 / (2 * (1 + gamma * d) * _smooth), "<=", _tau_printed)),
        Mutant("any gamma", hypotheses=_MEAN_OF_TWO),
        Mutant("a mean below half of the larger", hypotheses=(_MEAN_OF_TWO[0], _MODERATE)),
    ),
)

stable = Claim(
    id="beyond:step-size-stable",
    title="When the step size keeps the iteration bounded",
    source="beyond",
    where=_STEP_WHERE,
    kind="remark",
    statement=r"For equal nodes, $L = \Lambda$: $\frac1{2\Lambda} < \frac2{(1+\gamma d)L}$ exactly if $\gamma d < 3$.",
    variables=(_LARGEST, GAMMA, DIMENSION),
    conclusion=Iff(lt(_tau_printed, 2 / ((1 + gamma * d) * _largest)), lt(gamma * d, 3)),
    reading="Nodes with equal gradients draw independent noise, which halves the variance of the mean: with gamma the level of the mean, which is half of each node's.",
    checks=(Smt(),),
    mutants=(
        Mutant("up to 4", Iff(lt(_tau_printed, 2 / ((1 + gamma * d) * _largest)), lt(gamma * d, 4))),
        Mutant("without the dimension", Iff(lt(_tau_printed, 2 / ((1 + gamma * d) * _largest)), lt(gamma, 3))),
    ),
    derivation=(Step(claim="beyond:stable-steps"),),
)

# The non-private method, two records in dimension 1.
_X1, _X2, _Y1, _Y2 = (
    real("x_1", "feature of record 1"),
    real("x_2", "feature of record 2"),
    real("y_1", "label of record 1"),
    real("y_2", "label of record 2"),
)
_x1, _x2, _y1, _y2 = (v.symbol for v in (_X1, _X2, _Y1, _Y2))
_loss = ((_x1 * _theta - _y1) ** 2 + (_x2 * _theta - _y2) ** 2) / 4 + _reg / 2 * _theta**2
_ON_THE_LINE = (_X1, _X2, _Y1, _Y2, _MU_REG, _THETA)

exact_gradient_printed = Claim(
    id="rgm:non-private-release-printed",
    title="The non-private release, as printed",
    scope="instance",
    missing="Two records in dimension 1.",
    source="beyond",
    where="App. C; v1 (72), v2 (80)",
    kind="identity",
    statement=r"The gradient of (9) is $\frac1N\sum_j(A_{ij}\theta - b_{ij})$ with $A_{ij} = X_{ij}X_{ij}^\top$ and $b_{ij} = \frac1NX_{ij}y_{ij}$.",
    variables=_ON_THE_LINE,
    conclusion=eq(_loss.diff(_theta), ((_x1**2 * _theta - _x1 * _y1 / 2) + (_x2**2 * _theta - _x2 * _y2 / 2)) / 2),
    reading=r"$A_i$ and $b_i$ as §5.2 defines them (both versions), with a second index for the node, which Appendix C does not do; $\nabla f_{ij}(\theta)$ at $\theta_t$, and $b_{ij}$ under the sum.",
    checks=(Search(), SymbolicIdentity()),
    category="misprint",
    corrected="beyond:non-private-release",
    remark=r"The factor $1/n$ in §5.2's $b_i$ is one too many here as well, and the regularisation has to be part of $A_{ij}$.",
)

_STEP_LENGTH = real("t", "length of a step")
_t = _STEP_LENGTH.symbol
_direction = MatrixSymbol("v", features, 1)


def _objective_at(place: MatrixExpr) -> MatrixExpr:
    """The node's objective: the mean of the squares of the residuals, and the regularisation."""
    residuals = X.T * place - y
    return residuals.T * residuals / (2 * records) + _reg / 2 * place.T * place


def _slope_is(slope: MatrixExpr) -> Formula:
    """Along every direction the objective has this slope, and a multiple of the square of the step."""
    curved = X * X.T / records + _reg * Identity(features)
    return eq(
        _objective_at(theta + _t * _direction),
        _objective_at(theta) + _t * slope.T * _direction + _t**2 / 2 * _direction.T * curved * _direction,
    )


_released_here = (X * X.T * theta + records * _reg * theta - X * y) / records

exact_gradient = Claim(
    id="beyond:non-private-release",
    refs=("EX.7a",),
    title="The non-private release",
    source="beyond",
    where="App. C; v1 (72), v2 (80)",
    kind="identity",
    statement=r"With $A_{ij} = X_{ij}X_{ij}^\top + \mu_{reg}I$ and $b_{ij} = X_{ij}y_{ij}$, $\frac1N\sum_j(A_{ij}\theta_t - b_{ij})$ is the gradient of the node's objective.",
    variables=(FEATURES, RECORDS, _MU_REG, _STEP_LENGTH),
    conclusion=_slope_is(_released_here),
    reading=(
        r"For all numbers of records and features, along every direction $v$. The records of the node are the columns of $X$, so that $\sum_jX_{ij}X_{ij}^\top = XX^\top$ and $\sum_jX_{ij}y_{ij} = Xy$; "
        r"$b_{ij} = X_{ij}y_{ij}$, as the display itself has it and as EX.8 and EX.9 read it; the regularisation is part of $A_{ij}$."
    ),
    checks=(Matrices(),),
    mutants=(
        Mutant("without the regularisation", _slope_is((X * X.T * theta - X * y) / records)),
        Mutant("the sum", _slope_is(X * X.T * theta + records * _reg * theta - X * y)),
        Mutant("b with 1/N", _slope_is((X * X.T * theta + records * _reg * theta - X * y / records) / records)),
    ),
)

# Clipping. A gradient by its norm, or as a number in dimension 1.
_CLIP = positive("c", "clipping threshold")
_NORM, _NORM_2 = nonnegative("m", "norm of a record's gradient"), nonnegative("m'", "norm of another one")
_c, _m, _m2 = (v.symbol for v in (_CLIP, _NORM, _NORM_2))
_FIRST, _SECOND = real("g", "gradient of a record"), real("g'", "gradient of the record in its place")
_g, _g2 = _FIRST.symbol, _SECOND.symbol
_COUNT = natural("N", "number of records of the node")
_count = _COUNT.symbol


def _clip(value: Expr) -> Expr:
    """A gradient in dimension 1 after clipping."""
    return Max(-_c, Min(_c, value))


clipping = Claim(
    id="rgm:clipped-gradient",
    refs=("EX.7b",),
    title="Clipping of a record's gradient",
    source=_SOURCE,
    where="App. C.1; v1 (73), v2 (81)",
    kind="definition",
    statement=r"For $c > 0$ the clipped gradient $\frac{gc}{\max(c,|g|)}$ has the norm $\min(c,|g|)$.",
    variables=(_CLIP, _NORM),
    conclusion=both(eq(_m * _c / Max(_c, _m), Min(_c, _m)), le(_m * _c / Max(_c, _m), _c)),
    reading="A definition: it is defined for every gradient, keeps its direction, leaves short ones alone, and bounds the norm by c.",
    remark="At c = 0, which the recipe for c gives where all gradients vanish at the optimum, it is 0/0.",
    checks=(Smt(),),
    mutants=(
        Mutant("the minimum in the denominator", le(_m * _c / Min(_c, 1 + _m), _c)),
        Mutant("without c above", eq(_m / Max(_c, _m), Min(_c, _m))),
    ),
)

_clipped_distance2 = ((_clip(_g) - _clip(_g2)) / _count) ** 2
_LEVEL = positive("epsilon", "level of Rényi differential privacy")
_level = _LEVEL.symbol
noise_printed_value = alpha * _c**2 / (_level * _count**2)
_CALIBRATION = (_FIRST, _SECOND, _CLIP, _COUNT, ALPHA, _LEVEL)
_FAR = Chart(
    {_g: (-3, 3), _g2: (-3, 3), _c: (0, None), _count: (0, 100), alpha: (1, None), _level: (0, None)},
    {_g: _g * _c, _g2: _g2 * _c},
)

noise_printed = Claim(
    id="rgm:clipping-noise-printed",
    refs=("EX.6",),
    title="The noise of clipped gradients, as printed",
    scope="instance",
    missing="Dimension 1.",
    source=_SOURCE,
    where="App. C.1; v1 (74), v2 (82)",
    kind="remark",
    statement=r"With $\sigma^2 = \frac{\alpha c^2}{\varepsilon N^2}$ the mean of N clipped gradients is released with a Rényi divergence of at most $\varepsilon$ at the order $\alpha$, when a record is replaced.",
    variables=_CALIBRATION,
    conclusion=le(alpha * _clipped_distance2 / (2 * noise_printed_value), _level),
    reading="Neighbours differ in one record, as in §5.2. Two clipped gradients of opposite sign are 2c apart; the other records cancel. The divergence is that of the Gaussian mechanism.",
    checks=(Search(), Smt()),
    sampling=_FAR,
    category="wrong constant",
    corrected="beyond:clipping-noise",
    remark=r"The divergence reaches $2\varepsilon$. If a record is added or left out it is at most $\varepsilon/2$ (`beyond:clipping-noise-add-or-remove`): the printed variance is exact for no adjacency.",
)

noise_corrected = Claim(
    id="beyond:clipping-noise",
    title="The noise of clipped gradients when a record is replaced",
    source="beyond",
    where="App. C.1; v1 (74), v2 (82)",
    kind="correction",
    statement=r"$\sigma^2 = \frac{2\alpha c^2}{\varepsilon N^2}$: the divergence is at most $\varepsilon$, which two opposite gradients of norm at least c reach.",
    variables=_CALIBRATION,
    conclusion=both(
        le(alpha * _clipped_distance2 / (4 * noise_printed_value), _level),
        Implies(both(ge(_g, _c), le(_g2, -_c)), eq(alpha * _clipped_distance2 / (4 * noise_printed_value), _level)),
    ),
    checks=(Smt(),),
    sampling=_FAR,
    mutants=(
        Mutant("three quarters of it", le(alpha * _clipped_distance2 / (3 * noise_printed_value), _level)),
        Mutant("half of the level", le(alpha * _clipped_distance2 / (4 * noise_printed_value), _level / 2)),
    ),
    derivation=(Step("The divergence of the Gaussian mechanism.", "rgm:gaussian-mechanism"),),
)

_removed_distance2 = (_clip(_g) / _count) ** 2
noise_remove = Claim(
    id="beyond:clipping-noise-add-or-remove",
    title="The printed noise when a record is added or left out",
    source="beyond",
    where="App. C.1; v1 (74), v2 (82)",
    kind="remark",
    statement=r"With $\sigma^2 = \frac{\alpha c^2}{\varepsilon N^2}$ the divergence is at most $\varepsilon/2$, and reaches it: a quarter of what it is when a record is replaced.",
    variables=(_FIRST, _CLIP, _COUNT, ALPHA, _LEVEL),
    conclusion=both(
        le(alpha * _removed_distance2 / (2 * noise_printed_value), _level / 2),
        Implies(ge(_g, _c), eq(alpha * _removed_distance2 / (2 * noise_printed_value), _level / 2)),
    ),
    reading="The sum of the clipped gradients is divided by the same N on both sides.",
    checks=(Smt(),),
    sampling=Chart({s: r for s, r in _FAR.ranges.items() if s != _g2}, {_g: _g * _c}),
    mutants=(
        Mutant("a third", le(alpha * _removed_distance2 / (2 * noise_printed_value), _level / 3)),
        Mutant(
            "exactly the level", Implies(ge(_g, _c), eq(alpha * _removed_distance2 / (2 * noise_printed_value), _level))
        ),
    ),
)

_SO_FAR = nonnegative("M", "largest norm of the first records' gradients")
_so_far = _SO_FAR.symbol


def _unchanged(norm: Expr) -> Formula:
    return eq(norm * _c / Max(_c, norm), norm)


def _nothing_clipped(first: Formula, more: Formula) -> Formula:
    """Two equivalences: for one record, and for a further one."""
    return both(Iff(_unchanged(_m), first), Iff(both(ge(_c, _so_far), _unchanged(_m)), more))


smallest_threshold = Claim(
    id="rgm:smallest-threshold",
    refs=("EX.13b",),
    title="The smallest threshold that clips nothing at a point",
    source=_SOURCE,
    where=_APP1,
    kind="remark",
    statement=r"No gradient is changed exactly if the threshold is at least the largest of their norms.",
    variables=(_CLIP, _NORM, _SO_FAR),
    conclusion=_nothing_clipped(ge(_c, _m), ge(_c, Max(_so_far, _m))),
    reading="For every number of records, one after the other: of the first records none is changed exactly if the threshold is at least M. The norms are those at the optimum of the node.",
    remark="If all gradients vanish there every positive threshold will do and there is no smallest one.",
    checks=(Smt(),),
    derivation=(
        Step(
            "One record after the other.",
            theorem=INDUCTION,
            met={"start": "The first equivalence.", "step": "The second one."},
        ),
    ),
    mutants=(
        Mutant("the smaller norm", _nothing_clipped(ge(_c, _m), ge(_c, Min(_so_far, _m)))),
        Mutant("half of the largest", _nothing_clipped(ge(_c, _m), ge(2 * _c, Max(_so_far, _m)))),
        Mutant("half of the first", _nothing_clipped(ge(2 * _c, _m), ge(_c, Max(_so_far, _m)))),
    ),
)

_COMPONENT, _SIZE = real("g", "component of a gradient along a direction"), nonnegative("t", "norm of the gradient")
_component, _size = _COMPONENT.symbol, _SIZE.symbol
symmetric = Claim(
    id="rgm:clipping-symmetric",
    refs=("NB10",),
    title="Clipping has no bias for symmetric gradients",
    source=_SOURCE,
    where=_APP1,
    kind="remark",
    statement=r"For records that come in pairs with gradients $g$ and $-g$ at the optimum, the clipped gradients add up to 0 there, at every threshold.",
    variables=(_CLIP, _COMPONENT, _SIZE),
    conclusion=eq(printed(lambda: _component * _c / Max(_c, _size) + (-_component) * _c / Max(_c, _size)), 0),
    reading="The conjecture's example: the optimum stays one. In every dimension, along every direction; both gradients have the same norm.",
    checks=(Smt(),),
    mutants=(
        Mutant("half of the other", eq(_component * _c / Max(_c, _size) - _component / 2 * _c / Max(_c, _size / 2), 0)),
        Mutant("the same sign", eq(2 * _component * _c / Max(_c, _size), 0)),
    ),
)

observation = Claim(
    id="rgm:clipping-bias-observed",
    refs=("NB10",),
    title="Lower thresholds did not introduce a large bias",
    source=_SOURCE,
    where=_APP1,
    kind="remark",
    statement="In the paper's experiments, thresholds well below the recipe's did not bias the result much.",
    informal=(
        "An observation of the paper's runs: only repeating them can tell. In general it is false (`beyond:clipping-asymmetric`), and for symmetric gradients it is exact (`rgm:clipping-symmetric`). "
        "Repeated on ijcnn1, with our choices where the paper leaves them open: `experiment:low-threshold-printed`."
    ),
)

_HEIGHT = positive("h", "value of the record apart")
_height = _HEIGHT.symbol
asymmetric = Claim(
    id="beyond:clipping-asymmetric",
    title="For skewed data clipping turns the mean towards the median",
    source="beyond",
    where=_APP1,
    kind="remark",
    statement=r"For $f_j = \frac12(\theta-y_j)^2$ with $y = 0, 0, h$ the optimum is $h/3$, and with a threshold $c \le 2h/3$ the clipped gradients add up to 0 exactly at $c/2$.",
    variables=(_CLIP, _HEIGHT, _THETA),
    hypotheses=(Hypothesis("a threshold of at most the largest gradient at the optimum", le(3 * _c, 2 * _height)),),
    conclusion=Iff(eq(2 * _clip(_theta) + _clip(_theta - _height), 0), eq(_theta, _c / 2)),
    reading="The recipe's threshold is 2h/3, the largest gradient at the optimum; there the solution is exact.",
    remark="The bias is h/3 - c/2: in proportion to what the threshold is short of the recipe's, up to the whole distance of mean and median.",
    checks=(Smt(),),
    mutants=(
        Mutant("the mean stays", Iff(eq(2 * _clip(_theta) + _clip(_theta - _height), 0), eq(_theta, _height / 3))),
        Mutant("any threshold", hypotheses=()),
    ),
)

# The threshold at the optimum: two records at each node.
_GAP = positive("b", "distance of the two nodes' optima")
_T1, _T2 = (positive(f"t_{k}", f"spread of the labels at node {k}, and its threshold") for k in "12")
_gap, _t1, _t2 = (v.symbol for v in (_GAP, _T1, _T2))


def _clip_at(value: Expr, threshold: Expr) -> Expr:
    return Max(-threshold, Min(threshold, value))


_GRADIENTS = real("S", "sum of the first records' gradients along a direction")
_CLIPPED_ONES = real("T", "sum of the same gradients, clipped")
_gradients, _clipped_ones = _GRADIENTS.symbol, _CLIPPED_ONES.symbol
_clipped_component = _component * _c / Max(_c, _size)
_SAME_SO_FAR = Hypothesis("so far", eq(_clipped_ones, _gradients))
_WITHIN = Hypothesis("the threshold", le(_size, _c))

at_optimum = Claim(
    id="rgm:threshold-at-optimum",
    refs=("EX.13a",),
    title="The largest gradient at the optimum as threshold",
    source=_SOURCE,
    where="§6",
    kind="remark",
    statement=r"If the threshold is at least every record's gradient at the optimum, the clipped gradients add up to 0 there as the gradients do.",
    variables=(_GRADIENTS, _CLIPPED_ONES, _COMPONENT, _SIZE, _CLIP),
    hypotheses=(_SAME_SO_FAR, _WITHIN),
    conclusion=both(
        eq(_clipped_ones + _clipped_component, _gradients + _component),
        Implies(eq(_gradients + _component, 0), eq(_clipped_ones + _clipped_component, 0)),
    ),
    reading="No bias: the optimum stays one. The optimum is that of the objective of both nodes; for every number of records, one after the other, in every dimension along every direction.",
    remark="Where every threshold is below the largest gradient it need not: `rgm:threshold-at-local-optimum`. Away from the optimum gradients are clipped.",
    checks=(Smt(),),
    sampling=Chart(
        {_c: (0, 4), _size: (0, 1), _component: (-1, 1), _gradients: (-3, 3)},
        {_size: _size * _c, _component: _component * _size * _c, _clipped_ones: _gradients},
    ),
    derivation=(
        Step(
            "One record after the other.",
            theorem=INDUCTION,
            met={"start": "Of no records both sums are 0.", "step": "The first part of the formula."},
        ),
    ),
    mutants=(
        Mutant(
            "half of the record",
            eq(_clipped_ones + _clipped_component / 2, _gradients + _component),
        ),
        Mutant("another sum so far", hypotheses=(_WITHIN,)),
        Mutant("any threshold", hypotheses=(_SAME_SO_FAR,)),
    ),
)

at_local_optimum = Claim(
    id="rgm:threshold-at-local-optimum",
    refs=("EX.13a",),
    title="The largest gradient at the node's own optimum as threshold",
    scope="instance",
    missing="Two records at each node, in dimension 1.",
    source=_SOURCE,
    where="§6 with App. C.1",
    kind="remark",
    statement=r"With $c_i = \max_j|\nabla f_{ij}(\theta_i^\star)|$ at each node's own optimum, the clipped gradients add up to 0 at the optimum of both nodes.",
    variables=(_GAP, _T1, _T2),
    conclusion=eq(
        sum(_clip_at(_gap / 2 + sign * _t1, _t1) for sign in (1, -1))
        + sum(_clip_at(-_gap / 2 + sign * _t2, _t2) for sign in (1, -1)),
        0,
    ),
    reading=(
        r"The section says \"at optimum (to avoid bias)\", the appendix takes each node's own. Node 1 has the labels $\pm t_1$, node 2 $b \pm t_2$, $f_{ij} = \frac12(\theta-y)^2$: the local optima are 0 and b, the thresholds "
        r"$t_1$ and $t_2$, the common optimum $b/2$."
    ),
    checks=(Search(), Smt()),
    category="false",
    corrected="rgm:threshold-at-optimum",
    remark="The appendix says itself that it leads to small thresholds for heterogeneous nodes. In the example of Section 6 it is 0 at both nodes, where clipping is not defined.",
)
