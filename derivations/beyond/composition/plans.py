r"""One account for releases by different noise: pairs that dominate, losses of Laplace, discrete and randomised answers, groups.

Each release adds noise of a fixed law to a query that may depend on all outputs before. $F$ is the probability that the noise is at most $t$; the outputs of
two neighbours are at most a distance $s$ apart.
"""

from sympy import Abs, Max, exp

from rgm_verify.pages import *

from ...theorems import HINGES, INDUCTION, MONOTONE_INTEGRAL

page = Page("beyond", "different noise in one account")
x = page.positive("x", "e^epsilon")

# ---------------------------------------------------------------------------------------------- shifted noise

_F0 = page.nonnegative("F_0", "probability of noise up to t")
_F1 = page.nonnegative("F_1", "the same up to t less the distance of the chosen outputs")
_F2 = page.nonnegative("F_2", "the same up to t less the largest distance")
_FARTHER = Hypothesis("farther is less", le(_F2, _F1), "a distribution function grows")

shift = page.inequality(
    "beyond:shifted-noise-grows",
    "Outputs that are farther apart are told apart better",
    le(_F0 - x * _F1, _F0 - x * _F2),
    r"Noise with a log-concave law on the line or on the integers has a loss that falls in the output, so that some set of all outputs up to $t$ is the best one. Hence the divergence is the largest $F(t) - xF(t-s)$, and grows with $s$.",
    given=(_FARTHER,),
    points=Chart({x: (0, 3), _F0: (0, 1), _F1: (0, 1), _F2: (0, 1)}, {x: x, _F0: _F0, _F1: _F1, _F2: _F1 * _F2}),
    wrong={"direction": turned(), "any distance": without(_FARTHER)},
    steps=("beyond:laplace-loss-falls", "beyond:neyman-pearson-pointwise"),
)

_y1 = page.real("y_1", "an output")
_y2 = page.real("y_2", "a larger output")
_s = page.nonnegative("s", "distance of both outputs without noise")
_LARGER = Hypothesis("larger output", le(_y1, _y2))

falls = page.inequality(
    "beyond:laplace-loss-falls",
    "The loss of Laplace noise falls in the output",
    le(Abs(_y2 - _s) - Abs(_y2), Abs(_y1 - _s) - Abs(_y1)),
    r"Times $1/b$. On the integers it is the same; there the loss of Gaussian noise, $(s^2-2ys)/(2\sigma^2)$, falls too.",
    given=(_LARGER,),
    by=Smt(),
    points=Chart({_y1: (-3, 3), _y2: (0, 3), _s: (0, 3)}, {_y1: _y1, _y2: _y1 + _y2, _s: _s}),
    wrong={"direction": turned(), "for any two outputs": without(_LARGER)},
)

_z = page.real("z", "the output turned around between both")
_TURNED = Hypothesis("turned around", eq(_z, _s - _y1))

turns = page.identity(
    "beyond:laplace-pair-turns",
    "Turned around between its outputs the pair changes its order",
    eq(Abs(_z - _s) - Abs(_z), Abs(_y1) - Abs(_y1 - _s)),
    "So both directions have one curve. The same holds for every law that is the same on both sides of 0, and for randomised response.",
    given=(_TURNED,),
    by=Smt(),
    points=Chart({_y1: (-3, 3), _s: (0, 3)}, {_y1: _y1, _s: _s, _z: _s - _y1}),
    wrong={"the order kept": Abs(_y1 - _s) - Abs(_y1), "for any output": without(_TURNED)},
)

_b = page.positive("b", "scale of the noise over the sensitivity")
_from = page.real("a", "least loss of a cell")
_to = page.real("c", "largest loss of a cell")


def _tail(loss: Expr) -> Expr:
    """The probability of noise beyond the output with a loss, between both outputs at distance 1."""
    return exp(-(1 - _b * loss) / (2 * _b)) / 2


cell = page.identity(
    "beyond:laplace-cell",
    "The mass of Laplace noise between two losses",
    eq(_tail(_to) - _tail(_from), exp(-1 / (2 * _b)) * (exp(_to / 2) - exp(_from / 2)) / 2),
    r"The loss is $(1-2y)/b$ between the outputs 0 and 1, and $\pm1/b$ beyond them.",
    points={_b: (0, 3), _from: (-2, 2), _to: (-2, 2)},
    wrong={
        "halves left out": exp(-1 / (2 * _b)) * (exp(_to) - exp(_from)) / 2,
        "the second law": exp(-1 / (2 * _b)) * (exp(-_from / 2) - exp(-_to / 2)) / 2,
    },
)

# --------------------------------------------------------------------------------------- noise on the integers

_n = page.natural("n", "first output of the tail")
_j = page.natural("j", "steps beyond it")

tail = page.inequality(
    "beyond:discrete-gaussian-tail",
    "Squares grow at least as the first step does",
    ge((_n + _j) ** 2, _n**2 + (2 * _n + 1) * _j),
    r"So the masses $e^{-y^2/(2\sigma^2)}$ from $n$ on are at most a geometric series of the ratio $e^{-(2n+1)/(2\sigma^2)}$.",
    wrong={"the second step": _n**2 + (2 * _n + 3) * _j, "direction": turned()},
)

_k = page.natural("k", "number of answers", lower=2)
_l = page.positive("l", "largest loss of an answer, in nats")
_truth = exp(_l) / (exp(_l) + _k - 1)

response = page.identity(
    "beyond:randomised-response-loss",
    "The true answer is more likely by the factor of its loss",
    eq(_truth * (_k - 1) / (1 - _truth), exp(_l)),
    "The losses of one answer are this, its negative, and 0 for the other answers.",
    points={_l: (0, 3), _k: (2, 9)},
    wrong={"one answer more": left(_truth * _k / (1 - _truth)), "half of it": exp(_l / 2)},
)

# -------------------------------------------------------------------------------------------------- composition

_h = page.nonnegative("h", "hockey-stick divergence of all releases")
_t = page.nonnegative("t", "that of the dominating pairs, independent")
_w1, _w2 = (page.nonnegative(f"w_{i}", f"weight of the kinked function {i}") for i in (1, 2))
_a1, _a2 = (page.nonnegative(f"a_{i}", f"divergence of the chosen first pair at level {i}") for i in (1, 2))
_b1, _b2 = (page.nonnegative(f"b_{i}", f"divergence of the loss that dominates it at level {i}") for i in (1, 2))
_REST = Hypothesis(
    "what remains",
    le(_h, _w1 * _a1 + _w2 * _a2),
    "the other releases have at most the curve of theirs, by induction",
    by=("beyond:hockey-stick-of-two-steps", "beyond:value-iteration-kernel"),
)
_DOMINATED = tuple(Hypothesis(f"dominated at level {i}", le(a, b)) for i, a, b in ((1, _a1, _b1), (2, _a2, _b2)))
_PRODUCT = Hypothesis("dominating pairs", eq(_t, _w1 * _b1 + _w2 * _b2), by=("beyond:value-iteration-kernel",))

composition = page.theorem(
    "beyond:plan-composition",
    "Releases by different noise have at most the curve of their dominating losses",
    le(_h, _t),
    r"The law of each noise is fixed in advance, the queries may depend on all outputs before. A discrete loss that dominates all admissible pairs in both orders, as for the relative Gaussian mechanism, may stand for a release.",
    given=(_REST, *_DOMINATED, _PRODUCT),
    by=Smt(),
    points={
        _w1: (0, 1),
        _w2: (0, 1),
        _a1: (0, 1),
        _a2: (0, 1),
        _b1: (0, 1, _a1 + _b1),
        _b2: (0, 1, _a2 + _b2),
        _h: (0, 1, _h * (_w1 * _a1 + _w2 * _a2)),
        _t: _w1 * (_a1 + _b1) + _w2 * (_a2 + _b2),
    },
    wrong={"not dominated": without(_DOMINATED[1]), "what remains is free": without(_REST), "direction": turned()},
    steps=(
        Step("Two adaptive steps have at most the mean of what remains.", "beyond:hockey-stick-of-two-steps"),
        HINGES.quoted(
            "The curve of what remains is a mixture of kinked functions.",
            "A curve is a supremum of functions $P(A) - xQ(A)$, which are affine in $x$.",
        ),
        MONOTONE_INTEGRAL.quoted(
            "A mixture is an integral over the kinks.",
            "At each kink the loss that dominates has the larger divergence.",
            "Divergences are at most 1, and the weights have a finite sum.",
        ),
        Step("Masses that are rounded to a higher loss keep that order.", "beyond:cells-negative-mass"),
        Step("Shifted noise is dominated by the largest shift.", "beyond:shifted-noise-grows"),
        INDUCTION.quoted(
            "For all numbers of releases:", "No release has the curve of no release.", "This is what the formula says."
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------- groups

_p, _q, _r = (page.nonnegative(f"p_{i}", f"density of the output for data set {i} of a chain") for i in (1, 2, 3))
_first = page.positive("A", "e to the epsilon of the first two")

chain_rule = page.inequality(
    "beyond:group-chain",
    "Data sets along a chain of neighbours",
    le(Max(_p - _first * x * _r, 0), Max(_p - _first * _q, 0) + _first * Max(_q - x * _r, 0)),
    r"Integrated, and by induction: neighbours of a mechanism with $(\epsilon, \delta)$ that are $k$ records apart have $(k\epsilon, \delta(1 + e^\epsilon + \dots + e^{(k-1)\epsilon}))$.",
    by=Smt(),
    wrong={
        "deltas added": Max(_p - _first * _q, 0) + Max(_q - x * _r, 0),
        "the factor of the second": Max(_p - _first * _q, 0) + x * Max(_q - x * _r, 0),
    },
    steps=(
        MONOTONE_INTEGRAL.quoted(
            "Both sides are integrated.", "This is what the formula says.", "They are at most multiples of densities."
        ),
    ),
)
