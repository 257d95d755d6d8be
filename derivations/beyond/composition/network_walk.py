r"""Network privacy of a model that walks on a complete graph: the upper end, for one observer or a coalition.

The path does not depend on data, and the coalition is told all of it. Where the target takes a step, two runs part by at most $d$ deviations of a step's noise.
Shifts of the noise steer them together again before the target or the coalition comes next. The squared distance of a view is then $d^2\sum\frac1g$, over the visits
of the target and the waiting times $g$. The mean over paths of its exponential, with $k$ moves left, is at most $\rho^k$ times a weight of where the model is: each claim
below is one move. A model that may stay goes to each of $n = K$ parties alike; one that has to move on goes to each of $n = K - 1$.
"""

from rgm_verify.pages import *

from ...slides.notation import NOTATION, K, T
from ...theorems import DATA_PROCESSING, INDUCTION, TOWER

page = Page("beyond", "A model that walks on a complete graph", NOTATION)

_d = page.positive("d", "distance of two steps of the target, in deviations of the noise")
_g = page.natural("g", "steps until the target or the coalition comes next")
_i = page.real("i", "steps since the visit", lower=0)
_z = page.nonnegative("z", "distance of the two models before a step")
_w = page.nonnegative("w", "distance of the two models after the step, without shift and noise")
_LEFT = Hypothesis("steered so far", le(_z, _d * (1 - _i / _g)))
_CONTRACTION = Hypothesis("the step is a contraction", le(_w, _z))

steered = page.at().theorem(
    "beyond:steered-walk",
    "Two runs are steered together by equal shifts of the noise",
    le(Max(_w - _d / _g, 0), _d * (1 - (_i + 1) / _g)),
    r"In each of $g$ steps the second run's noise is shifted by at most $\frac dg$ towards the first run's model. After $g$ steps both runs hold one model. The shifts are known from the past: "
    r"the view is an image of Gaussian releases at distances $\frac dg$, chosen one after the other, with the squared distance $\frac{d^2}g$ for each visit of the target, however many lie between two views.",
    given=(_LEFT, _CONTRACTION, Hypothesis("before the end", le(_i + 1, _g))),
    by=Smt(),
    points={_g: (1, 12), _i: (0, 1, _i * (_g - 1)), _d: (0, 3), _z: (0, 1, _z * _d * (1 - _i / _g)), _w: (0, 1, _w * _z)},
    wrong={"half of the shift": left(Max(_w - _d / (2 * _g), 0)), "no contraction": without(_CONTRACTION), "not steered before": without(_LEFT)},
    steps=(
        Step("The target's own step parts equal models by at most $d$, which is the start at $i = 0$. Steps of a smooth convex loss that are short enough are contractions, and so is a projection."),
        Step("Shifts that depend on the past are releases that are chosen on the way; their squares add up to a budget that is known from the path.", "beyond:gaussian-filter"),
        DATA_PROCESSING.quoted("The view is computed from the noises.", "The map from noises to models is that of the first run, for both laws of the noises."),
        INDUCTION.quoted("For all steps up to the next visit:", "At $i = 0$ the distance is at most $d$.", "This is what the formula says."),
    ),
    reading="Time and noise are in the units of one step. A coalition is a set of parties without the target; it knows the noises of its own steps, and these are not shifted: both runs hold one model then. "
    "Visits after the last view of the coalition cost nothing; here they may cost something.",
)  # fmt: skip

_alpha = page.real("alpha", "order", lower=1, lower_open=True)
_share = page.positive("w_j", "probability of a path")
_p, _q = page.positive("p_j", "density of a view on this path"), page.positive("q_j", "the same for the other data")

paths = page.at().identity(
    "beyond:walk-over-paths",
    "The integrand of a path and a view",
    eq((_share * _p) ** _alpha * (_share * _q) ** (1 - _alpha), _share * _p**_alpha * _q ** (1 - _alpha)),
    r"So the exponential of $(\alpha-1)$ times the divergence of path and view is the mean over paths; each has at most $\exp\frac{\alpha(\alpha-1)d^2}2\sum\frac1g$.",
    wrong={"the probability twice": _share**2 * _p**_alpha * _q ** (1 - _alpha), "without it": _p**_alpha * _q ** (1 - _alpha)},
    steps=("beyond:steered-walk",),
)  # fmt: skip

_n = page.natural("n", "parties that the model may go to: all, or all others")
_c = page.natural("c", "parties in the coalition")
_rho = page.real("rho", "growth of the mean with a move", lower=1, latex=r"\rho")
_R = page.positive("R", "the growth over the moves that are left then", latex=r"\rho^k")
_target = page.nonnegative("M_t", "mean over the rest of the path, from the target on")
_other = page.nonnegative(
    "M_o", "the same from a member of the coalition, or from another party without a visit to pay for"
)
_open = page.nonnegative("U", "the same from another party, with a visit of the target to pay for")
#: The weight of a model that is with the target.
_v = named("v", 1 + _n * (_rho - 1))
_TARGET = Hypothesis("from the target", le(_target, _v * _R), "with $k$ moves left")
_OTHER = Hypothesis("from others", le(_other, _R), "with $k$ moves left")
_MOVES = {
    _n: (2, 30),
    _c: (1, 9),
    _rho: (1, 3),
    _R: (0, 4),
    _target: (0, 1, _target * _v * _R),
    _other: (0, 1, _other * _R),
}
_ROOM = Hypothesis("there are other parties", ge(_n, _c + 1))

without_cost = page.at().lemma(
    "beyond:walk-without-cost",
    "A move when no visit has to be paid for",
    le((_target + (_n - 1) * _other) / _n, _rho * _R),
    r"From a member of the coalition, or from another party that the target's last visit does not concern any more: one of the $n$ parties is the target. The weight $v = 1 + n(\rho-1)$ of the target is the largest with which others have the weight 1.",
    given=(_TARGET, _OTHER),
    by=Smt(),
    points=_MOVES,
    wrong={"no growth": _R, "any mean from the target": without(_TARGET), "any mean from others": without(_OTHER)},
    steps=(TOWER.quoted("The mean is taken over the next party first.", "The costs are positive."),),
    reading="Without self-loops a member of the coalition does not go to itself, and another party neither: in either case $n - 1$ parties other than the target are left.",
)  # fmt: skip

_cost = page.real("W", "the factor that the visit costs if the wait ends now", lower=1, latex=r"e^{\lambda/(g+1)}")
_later = page.nonnegative("u'", "weight of a wait that is a step longer", latex=r"u_{g+1}")
_weight = page.nonnegative("u", "weight of a wait of g steps", latex=r"u_g")
_LATER = Hypothesis("from another party, a step later", le(_open, _later * _R), "with $k$ moves left")
_ENOUGH = Hypothesis("the weight is enough", le(_cost * (_v + _c) + (_n - 1 - _c) * _later, _n * _rho * _weight))
#: Points where n is c + 1 and more; the weight of the target, and the next wait's part of a move, in these coordinates.
_MORE = 1 + _c + _n
_v_there = 1 + _MORE * (_rho - 1)
_move_there = (_cost * (_v_there + _c) + _n * _later) / (_MORE * _rho)
_SHARES = {
    **_MOVES,
    _n: _MORE,
    _target: (0, 1, _target * _v_there * _R),
    _cost: (1, 4),
    _later: (0, 3),
    _open: (0, 1, _open * _later * _R),
    _weight: (0, 1, (_weight + 1) * _move_there),
}

waiting = page.at().lemma(
    "beyond:walk-waiting",
    "A move while a visit waits to be paid for",
    le((_cost * (_target + _c * _other) + (_n - 1 - _c) * _open) / _n, _weight * _rho * _R),
    r"The target had the model $g$ steps ago. If it comes to the target or to one of the $c$ members of the coalition, the visit costs the factor $e^{\lambda/(g+1)}$ with $\lambda = \frac{\alpha(\alpha-1)d^2}2$; otherwise the wait goes on. "
    r"A model that may stay with the target has $g = 0$ there, and $v$ in the place of $u_0$.",
    given=(_TARGET, _OTHER, _LATER, _ENOUGH, _ROOM),
    by=Smt(),
    points=_SHARES,
    wrong={
        "without growth": le((_cost * (_target + _c * _other) + (_n - 1 - _c) * _open) / _n, _weight * _R),
        "any weight": without(_ENOUGH),
        "any later wait": without(_LATER),
        "any mean from the target": without(_TARGET),
        "any mean from others": without(_OTHER),
    },
    steps=(TOWER.quoted("The mean is taken over the next party first.", "The costs are positive."), "beyond:walk-over-paths"),
)  # fmt: skip

_cheaper = page.real("W'", "the factor after a longer wait", lower=1, latex=r"e^{\lambda/(h+1)}")
_CHEAPER = Hypothesis("longer waits cost less", le(_cheaper, _cost))
long = page.at().lemma(
    "beyond:walk-long-waiting",
    "One weight for all long waits",
    le(_cheaper * (_v + _c) + (_n - 1 - _c) * _cost, _n * _rho * _cost),
    r"For waits of $h \ge g$ steps the weight $e^{\lambda/(g+1)}$ is enough, so that the weights are computed backwards from there, in finitely many steps.",
    given=(_CHEAPER, _ROOM),
    by=Smt(),
    points={_c: (1, 9), _n: _MORE, _rho: (1, 3), _cheaper: (1, 4), _cost: (0, 1, _cheaper + _cost)},
    wrong={"no growth": le(_cheaper * (_v + _c) + (_n - 1 - _c) * _cost, _n * _cost), "dearer ones": without(_CHEAPER), "a weight of 1": le(_cheaper * (_v + _c) + (_n - 1 - _c), _n * _rho)},
    steps=("beyond:walk-waiting",),
)  # fmt: skip

_FROM_TARGET = Hypothesis("the weight of the target is enough", le(_cost * _c + (_n - _c) * _later, _n * _rho * _v))
leaves = page.at().lemma(
    "beyond:walk-target-leaves",
    "A move of a model that has to leave the target",
    le((_cost * _c * _other + (_n - _c) * _open) / _n, _v * _rho * _R),
    r"Without self-loops the model goes from the target to the coalition, at the full cost $e^\lambda$, or to another party, where the visit waits.",
    given=(_OTHER, _LATER, _FROM_TARGET, Hypothesis("the coalition is among the others", ge(_n, _c))),
    by=Smt(),
    points={_c: (1, 9), _n: _c + _n, _rho: (1, 9), _R: (0, 4), _other: (0, 1, _other * _R), _cost: (1, 2), _later: (0, 2), _open: (0, 1, _open * _later * _R)},
    wrong={"any growth": without(_FROM_TARGET), "any later wait": without(_LATER), "any mean from others": without(_OTHER), "the weight 1": le((_cost * _c * _other + (_n - _c) * _open) / _n, _rho * _R)},
    steps=(TOWER.quoted("The mean is taken over the next party first.", "The costs are positive."), "beyond:walk-waiting"),
)  # fmt: skip

_EXACT = Hypothesis(
    "the weight is that of the move", eq(_cost * (_v + _c) + (_n - 1 - _c) * _later, _n * _rho * _weight)
)
_AT_LEAST_1 = Hypothesis("so is that of the next wait", ge(_later, 1))
ends = page.at().lemma(
    "beyond:walk-no-moves-left",
    "All weights are at least 1",
    both(ge(_weight, 1), ge(_v, 1)),
    "Without moves left the mean is 1, as a visit that nobody sees costs nothing; this is below every weight, so that the induction over the moves that are left begins.",
    given=(_EXACT, _AT_LEAST_1, _ROOM),
    by=Smt(),
    points={_c: (1, 9), _n: _MORE, _rho: (1, 3), _cost: (1, 4), _later: (1, 3), _weight: _move_there},
    wrong={"at least 2": ge(_weight, 2), "any next wait": without(_AT_LEAST_1), "any weight": without(_EXACT)},
)  # fmt: skip

start = page.at().lemma(
    "beyond:walk-start",
    "The first party is uniform",
    le((_target + (K - 1) * _other) / K, (1 + (_rho - 1) * _n / K) * _R),
    r"With $k = T$ moves. If the model may stay, $n = K$ and the mean over all paths is at most $\rho^{T+1}$; otherwise it is less.",
    given=(_TARGET, _OTHER),
    by=Smt(),
    points={**_MOVES, K: (2, 30)},
    wrong={"no first step": _R, "any mean from the target": without(_TARGET), "any mean from others": without(_OTHER)},
    steps=(
        INDUCTION.quoted("For all numbers of moves:", "Without moves the mean is 1, and all weights are at least 1 (`beyond:walk-no-moves-left`).", "The claims about moves."),
        "beyond:walk-without-cost", "beyond:walk-waiting", "beyond:walk-long-waiting", "beyond:walk-target-leaves", "beyond:walk-no-moves-left",
    ),
)  # fmt: skip

_x = page.positive("x", "order less 1", latex=r"(\alpha-1)")
_L = page.nonnegative("L", "logarithm of the mean over the paths of the exponential")
_WALK = named(r"\Lambda", T * log(_rho) + log(1 + (_rho - 1) * _n / K))
_MEAN = Hypothesis("growth over the walk", le(_L, _WALK), by=("beyond:walk-start",))

upper = page.at().theorem(
    "beyond:network-upper-end",
    "Network privacy of a walk, from above",
    le(_L / _x, _WALK / _x),
    r"On the left is the divergence of what the coalition sees. So it is for every $\rho \ge 1$ at which the weights $n\rho u_g = e^{\lambda/(g+1)}(v + c) + (n-1-c)u_{g+1}$, computed backwards from a long wait, leave $n\rho v \ge e^\lambda(v + c) + (n-1-c)u_1$ if the model may stay ($n = K$), "
    r"and $n\rho v \ge ce^\lambda + (n-c)u_1$ if it has to move on ($n = K - 1$). There is no condition on the order or the noise.",
    given=_MEAN,
    by=combination((_WALK - _L, 1 / _x)),
    points={K: (3, 30), T: (1, 20), _n: (2, 30), _rho: (1, 3), _x: (0, 9), _L: (0, 1, _L * _WALK)},
    wrong={"no first step": le(_L / _x, T * log(_rho) / _x), "any mean": without(_MEAN), "half": _WALK / (2 * _x)},
    steps=("beyond:walk-start", "beyond:walk-over-paths"),
)  # fmt: skip
