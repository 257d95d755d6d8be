r"""Appendix C.1: clipped gradients, their noise and their threshold.

The noise $\sigma^2 = \alpha c^2/(\varepsilon N^2)$ is half of what neighbours that differ in one record need, and twice what they need when a record is added or left
out: no adjacency makes it exact.
"""

from rgm_verify.pages import *

from ...theorems import INDUCTION
from ..notation import NOTATION, alpha
from .experiments import APP1, line_theta, page as _c_experiments

page = Page("rgm-v1+v2", "", NOTATION, _c_experiments)

# A gradient by its norm, or as a number in dimension 1.
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


def _released(part: Expr, first: Expr, second: Expr, factor: int) -> tuple[Lens, Lens]:
    """Both checks of the divergence of two averages, which differ in one clipped gradient."""
    variance = factor * noise_printed_value
    points = tuple(
        {_count: Integer(10), alpha: order, _c: Integer(1), _g: Integer(2), _g2: other, _level: Rational(1, 2)}
        for order, other in ((Rational(3, 2), Integer(-3)), (Integer(4), Rational(-1, 2)))
    )
    pair = Outputs((first / _count,), (second / _count,), 1, variances=(variance, variance))
    return by_outputs(part, Renyi(alpha), pair, points, points[:1])


_clipped, _other_clipped = named(r"\tilde g", _clip(_g)), named(r"\tilde g'", _clip(_g2))
_FAR = {_g: (-3, 3, _g * _c), _g2: (-3, 3, _g2 * _c), _count: (0, 100)}

noise_printed = page.elsewhere("App. C.1; v1 (74), v2 (82)", "EX.6").remark(
    "rgm:clipping-noise-printed",
    "The noise of clipped gradients, as printed",
    le(_divergence(_clipped - _other_clipped, 1), _level),
    "The mean of $N$ clipped gradients is released, and a record is replaced.",
    outputs=_released(_divergence(_clipped - _other_clipped, 1), _clipped, _other_clipped, 1),
    printed=r"\sigma^2=\frac{\alpha c^2}{\varepsilon N^2}",
    by=(Search(), Smt()),
    points=_FAR,
    over=(_count, alpha),
    instance="Dimension 1.",
    reading="Neighbours differ in one record, as in §5.2. Two clipped gradients of opposite sign are 2c apart; the other records cancel. The divergence is that of the Gaussian mechanism.",
    mistake=("wrong constant", "beyond:clipping-noise"),
    remark=r"The divergence reaches $2\varepsilon$. If a record is added or left out it is at most $\varepsilon/2$ (`beyond:clipping-noise-add-or-remove`): the printed variance is exact for no adjacency.",
)

_replaced = _divergence(_clipped - _other_clipped, 2)

noise_corrected = page.elsewhere("App. C.1; v1 (74), v2 (82)", source="beyond").correction(
    "beyond:clipping-noise",
    "The noise of clipped gradients when a record is replaced",
    both(le(_replaced, _level), Implies(both(ge(_g, _c), le(_g2, -_c)), eq(_replaced, _level))),
    "Two opposite gradients of norm at least $c$ reach the level.",
    outputs=_released(_replaced, _clipped, _other_clipped, 2),
    printed=r"\sigma^2=\frac{2\alpha c^2}{\varepsilon N^2}",
    points=_FAR,
    over=(_count, alpha),
    wrong={
        "three quarters of it": le(_divergence(_clipped - _other_clipped, Rational(3, 2)), _level),
        "half of the level": le(_replaced, _level / 2),
    },
    steps=Step("The divergence of the Gaussian mechanism.", "rgm:gaussian-mechanism"),
)

_removed = _divergence(_clipped, 1)

noise_remove = page.elsewhere("App. C.1; v1 (74), v2 (82)", source="beyond").remark(
    "beyond:clipping-noise-add-or-remove",
    "The printed noise when a record is added or left out",
    both(le(_removed, _level / 2), Implies(ge(_g, _c), eq(_removed, _level / 2))),
    "It is a quarter of what it is when a record is replaced, and is reached.",
    outputs=_released(_removed, _clipped, Integer(0), 1),
    printed=r"\sigma^2=\frac{\alpha c^2}{\varepsilon N^2}\;\Longrightarrow\;D_\alpha(P\|Q)\le\frac\varepsilon2",
    points={**{s: r for s, r in _FAR.items() if s != _g2}, _g: (*_FAR[_g][:2], _g * _c)},
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


smallest_threshold = page.elsewhere(APP1, "EX.13b").remark(
    "rgm:smallest-threshold",
    "The smallest threshold that clips nothing at a point",
    _nothing_clipped(ge(_c, _m), ge(_c, Max(_so_far, _m))),
    r"No gradient is changed exactly if the threshold is at least the largest of their norms.",
    wrong={
        "the smaller norm": _nothing_clipped(ge(_c, _m), ge(_c, Min(_so_far, _m))),
        "half of the largest": _nothing_clipped(ge(_c, _m), ge(2 * _c, Max(_so_far, _m))),
        "half of the first": _nothing_clipped(ge(2 * _c, _m), ge(_c, Max(_so_far, _m))),
    },
    steps=INDUCTION.quoted("One record after the other.", "The first equivalence.", "The second one."),
    reading="For every number of records, one after the other: of the first records none is changed exactly if the threshold is at least M. The norms are those at the optimum of the node.",
    remark="If all gradients vanish there every positive threshold will do and there is no smallest one.",
)

_COMPONENT = real("g", "component of a gradient along a direction")
_component, _size = _COMPONENT.symbol, page.nonnegative("t", "norm of the gradient", latex=r"\|g\|")

symmetric = page.elsewhere(APP1, "NB10").remark(
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

_height = page.positive("h", "value of the record apart")
_sum_of_clipped = named(r"\sum_j\widetilde{\nabla f_j}(\theta)", 2 * _clip(line_theta) + _clip(line_theta - _height))

asymmetric = page.elsewhere(APP1, source="beyond").remark(
    "beyond:clipping-asymmetric",
    "For skewed data clipping turns the mean towards the median",
    Iff(eq(_sum_of_clipped, 0), eq(line_theta, _c / 2)),
    r"For $f_j(\theta)$ half the squared distance to $y_j$, the $y_j$ being 0, 0 and $h$; the optimum is $h/3$.",
    given=Hypothesis("a threshold of at most the largest gradient at the optimum", le(3 * _c, 2 * _height)),
    wrong={"the mean stays": Iff(eq(_sum_of_clipped, 0), eq(line_theta, _height / 3)), "any threshold": without()},
    reading="The recipe's threshold is 2h/3, the largest gradient at the optimum; there the solution is exact.",
    remark="The bias is h/3 - c/2: in proportion to what the threshold is short of the recipe's, up to the whole distance of mean and median.",
)

# The threshold at the optimum: two records at each node.
_gap = page.positive("b", "distance of the two nodes' optima")
_t1, _t2 = (page.positive(f"t_{k}", f"spread of the labels at node {k}, and its threshold") for k in "12")
_gradients = page.real("S", "sum of the first records' gradients along a direction")
_clipped_ones = page.real("T", "sum of the same gradients, clipped")
_clipped_component = named(r"\tilde g", _component * _c / Max(_c, _size))

at_optimum = page.elsewhere("§6", "EX.13a").remark(
    "rgm:threshold-at-optimum",
    "The largest gradient at the optimum as threshold",
    both(
        eq(_clipped_ones + _clipped_component, _gradients + _component),
        Implies(eq(_gradients + _component, 0), eq(_clipped_ones + _clipped_component, 0)),
    ),
    r"If the threshold is at least every record's gradient at the optimum, the clipped gradients add up to 0 there as the gradients do.",
    given=(Hypothesis("so far", eq(_clipped_ones, _gradients)), Hypothesis("the threshold", le(_size, _c))),
    by=Smt(),
    points={
        _c: (0, 4),
        _size: (0, 1, _size * _c),
        _component: (-1, 1, _component * _size * _c),
        _gradients: (-3, 3),
        _clipped_ones: _gradients,
    },
    over=(_COMPONENT,),
    wrong={
        "half of the record": eq(_clipped_ones + _clipped_component / 2, _gradients + _component),
        "another sum so far": without("so far"),
        "any threshold": without("the threshold"),
    },
    steps=INDUCTION.quoted(
        "One record after the other.", "Of no records both sums are 0.", "The first part of the formula."
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
    instance="Two records at each node, in dimension 1.",
    reading=r"The section says \"at optimum (to avoid bias)\", the appendix takes each node's own. Node 1 has the labels $\pm t_1$, node 2 $b \pm t_2$, $f_{ij} = \frac12(\theta-y)^2$: the local optima are 0 and b, the thresholds $t_1$ and $t_2$, the common optimum $b/2$.",
    mistake=("false", "rgm:threshold-at-optimum"),
    remark="The appendix says itself that it leads to small thresholds for heterogeneous nodes. In the example of Section 6 it is 0 at both nodes, where clipping is not defined.",
)
