r"""Network privacy of a model that walks on a complete graph: certified ends, with several visits between two views.

The path does not depend on data, and the observer is told all of it. Where the target takes a step, two runs part by at most $d$ deviations of a step's noise.
Shifts of the noise steer them together again before the target or the observer comes next. The squared distance of a view is then $d^2\sum\frac1g$, over the visits
of the target and the waiting times $g$; the mean over paths of its exponential grows by a factor $\rho$ a step.
"""

from rgm_verify.pages import *

from ...slides.notation import NOTATION, K, T
from ...theorems import DATA_PROCESSING, INDUCTION, TOWER

page = Page("beyond", "A model that walks on a complete graph", NOTATION)

_d = page.positive("d", "distance of two steps of the target, in deviations of the noise")
_g = page.natural("g", "steps until the target or the observer comes next")
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
    reading="Time and noise are in the units of one step. Visits after the last view of the observer cost nothing; here they may cost something.",
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

_rho = page.real("rho", "growth of the mean in a step", lower=1, latex=r"\rho")
_chance = page.real("p", "chance of the target or the observer", lower=0, lower_open=True, upper=1, upper_open=True)
_rest = named("r", _chance / (_rho - 1 + _chance))

first = page.at().identity(
    "beyond:walk-first-stretch",
    "The stretch that the end of the walk cuts",
    both(eq(_chance / _rho + (1 - _chance) / _rho * _rest, _rest), eq(1 / _rest, 1 + (_rho - 1) / _chance)),
    r"$r = \mathbb E\rho^{-g}$ for a geometric time $g$: it is 1 with the chance $p$, and begins again otherwise. With the chance $p = \frac2K$ the inverse is $1 + (\rho-1)\frac K2$.",
    wrong={"another chance": both(eq(_chance / _rho + (1 - _chance) * _rest, _rest), eq(1 / _rest, 1 + (_rho - 1) / _chance)), "the chance as a factor": both(eq(_chance / _rho + (1 - _chance) / _rho * _rest, _rest), eq(1 / _rest, 1 + (_rho - 1) * _chance))},
)  # fmt: skip

_A = page.positive("A", "the bound for all steps that are left", latex=r"A")
_s = page.nonnegative("s", "weighted shares of waiting times up to the end")
_t = page.nonnegative("t", "weighted shares of later ones")
_u = page.nonnegative("u", "the same without the weights")
_GROWTH = Hypothesis("the growth is enough", le(_s + _t, 1))
_WEIGHTS = Hypothesis("weights are at least 1", le(_u, _t))

growth = page.at().lemma(
    "beyond:walk-growth",
    "The mean over paths grows by a factor a step",
    le(_A * _s + _A * _u, _A),
    r"For $N$ steps that are left let $A = \rho^N/r$. Weights are $q_g\frac12(e^{\lambda/g} + 1)\rho^{-g}$ with $\lambda = \frac{\alpha(\alpha-1)d^2}2$: half of those who come next are the target, and cost $\frac1g$. "
    r"Times up to $N$ leave $A\rho^{-g}$ by induction; that nobody comes has the probability $(1-p)^N = Au$, as later times begin again.",
    given=(_GROWTH, _WEIGHTS),
    by=Smt(),
    points={_t: (0, 1), _s: (0, 1, _s * (1 - _t)), _u: (0, 1, _u * _t), _A: (0, 4)},
    wrong={"no room at all": le(_A * _s + _A * _u, _A * _s), "any growth": without(_GROWTH), "any weights": without(_WEIGHTS)},
    steps=(
        Step("Waiting times begin again after each step without a visit.", "beyond:walk-first-stretch"),
        TOWER.quoted("The mean is taken over the next visit first.", "The costs are positive."),
        INDUCTION.quoted("For all numbers of steps:", "Without steps the mean is 1, and $A = 1/r$ is at least 1.", "This is what the formula says."),
        "beyond:walk-over-paths",
    ),
)  # fmt: skip

_x = page.positive("x", "order less 1", latex=r"(\alpha-1)")
_L = page.nonnegative("L", "logarithm of the mean over the paths of the exponential")
_WALK = named(r"\Lambda", (T + 1) * log(_rho) + log(1 + (_rho - 1) * K / 2))
_MEAN = Hypothesis("growth over the walk", le(_L, _WALK), by=("beyond:walk-growth",))

upper = page.at().theorem(
    "beyond:network-upper-end",
    "Network privacy of a walk, from above",
    le(_L / _x, _WALK / _x),
    r"On the left is the divergence of a view. So it is for every $\rho \ge 1$ with $\sum_gq_g\frac12(e^{\lambda/g}+1)\rho^{-g} \le 1$, $\lambda = \frac{\alpha(\alpha-1)d^2}2$, and $q_g$ the probabilities of a geometric time with the chance $\frac2K$. There is no condition on the order or the noise.",
    given=_MEAN,
    by=combination((_WALK - _L, 1 / _x)),
    points={K: (3, 30), T: (1, 20), _rho: (1, 3), _x: (0, 9), _L: (0, 1, _L * _WALK)},
    wrong={"no first stretch": le(_L / _x, T * log(_rho) / _x), "any mean": without(_MEAN), "half": _WALK / (2 * _x)},
    steps=("beyond:walk-growth", "beyond:walk-first-stretch", "beyond:walk-over-paths"),
)  # fmt: skip

_once = page.real("P_1", "chance of a return that begins at one step", lower=0, upper=1)
_starts = page.real("W", "number of steps that it may begin at", lower=1)
_n = page.natural("n", "longest return that counts")
_some = page.real("P", "chance of some return", lower=0, upper=1)
_BONFERRONI = Hypothesis("one less pairs", ge(_some, _starts * _once - _starts * (_starts - 1) / 2 * _once**2 - _starts * _n * _once / K**2))  # fmt: skip

returns = page.at().lemma(
    "beyond:network-return",
    "The chance that the target sends the model to an observer who just had it",
    le(_starts * _once * (1 - _starts * _once / 2 - _n / K**2), _some),
    r"$P_1 = \frac1{K^2}(1 - (1-\frac1K)^n)$. Two returns that touch have one visit of the observer in common: the first has the factor $\frac1{K^2}$ beside the second. There are at most $n$ such pairs for a second one.",
    given=_BONFERRONI,
    by=Smt(),
    points={_starts: 1 + _starts, _once: (0, 1, _once / _starts), K: (2, 40), _n: (1, 8)},
    wrong={"pairs left out": _some / 2, "twice": left(2 * _starts * _once), "without the pairs": without(_BONFERRONI)},
    reading="The hypothesis is the inequality of Bonferroni, with the chances of pairs put in.",
)  # fmt: skip
