r"""Records that are sampled on their own, several of them or one in the place of another: mixtures of Gaussians on a line.

Given the rest of the batch the outputs of two neighbours have the laws $P = \sum_i p_i N(u_i, \sigma^2I)$ and $Q = \sum_j q_j N(v_j, \sigma^2I)$: the weights are those
of the records that are sampled, and $u_i$ what they add to the sum, a vector of norm at most $r_i$, as $v_j$ of norm at most $s_j$. No direction is the worst for all
levels by itself. But every test can be replaced by a half-space that is as probable under $N(0, \sigma^2I)$, and this makes all parts worse at once.
"""

from sympy import Expr, exp

from rgm_verify.pages import *

from ...theorems import NEYMAN_PEARSON, STIRLING
from .sampled_pairs import E, page as _pairs

page = Page("beyond", "mixtures of Gaussians on a line", _pairs)
_p = page.real("p", "weight of the first part of the first law", lower=0, upper=1)
_q = page.real("q", "weight of the first part of the second law", lower=0, upper=1)
_a1, _a2 = (page.real(f"a_{i}", f"probability of the test under part {i} of P", lower=0, upper=1) for i in (1, 2))
_b1, _b2 = (page.real(f"b_{i}", f"probability of the test under part {i} of Q", lower=0, upper=1) for i in (1, 2))
_A1, _A2 = (page.real(f"A_{i}", f"that of the half-space under N(r_{i})", lower=0, upper=1) for i in (1, 2))
_B1, _B2 = (page.real(f"B_{i}", f"that of the half-space under N(-s_{i})", lower=0, upper=1) for i in (1, 2))
_MORE = Hypothesis(
    "at least as probable", both(le(_a1, _A1), le(_a2, _A2)), "by the lemma", by=("beyond:neyman-pearson-pointwise",)
)
_LESS = Hypothesis(
    "at most as probable", both(ge(_b1, _B1), ge(_b2, _B2)), "by the lemma", by=("beyond:neyman-pearson-pointwise",)
)

shifts = page.inequality(
    "beyond:mixture-shifts",
    "Of mixtures with bounded shifts those on one line, in opposite directions, are told apart best",
    le(
        _p * _a1 + (1 - _p) * _a2 - E * (_q * _b1 + (1 - _q) * _b2),
        _p * _A1 + (1 - _p) * _A2 - E * (_q * _B1 + (1 - _q) * _B2),
    ),
    r"Let a test have the probability $\alpha$ under $N(0, \sigma^2I)$, and let the half-line $H$ above $t$ have it too. Under $N(u, \sigma^2I)$, $|u| \le r$, no test of this $\alpha$ is more probable than $H$ under $N(r, \sigma^2)$, and under $N(v, \sigma^2I)$, $|v| \le s$, none is less probable than $H$ under $N(-s, \sigma^2)$. So $H$ is at least as good for the pair on the line, whatever the level, and for any number of parts. Both orders of a pair have one curve, read at levels of either sign. It is reached where all records are parallel.",
    given=(_MORE, _LESS),
    by=Smt(),
    points=Chart(
        {_p: (0, 1), _q: (0, 1), _a1: (0, 1), _a2: (0, 1), _A1: (0, 1), _A2: (0, 1), _B1: (0, 1), _B2: (0, 1)}
        | {_b1: (0, 1), _b2: (0, 1), E: (0, 4)},
        {_p: _p, _q: _q, _A1: _A1, _A2: _A2, _a1: _a1 * _A1, _a2: _a2 * _A2, _b1: _b1, _b2: _b2}
        | {_B1: _B1 * _b1, _B2: _B2 * _b2, E: E},
    ),
    wrong={"direction": turned(), "the second law alone": without(_MORE), "the first law alone": without(_LESS)},
    steps=(
        NEYMAN_PEARSON.quoted(
            "No test of one probability under the first of two laws has a larger one under the second than that of large quotients, and none a smaller one than that of small quotients.",
            "Gaussians have densities.",
            "Of two Gaussians of one variance it is a half-space, along the line of both means.",
        ),
        Step("The half-space is moved further.", "beyond:hockey-stick-monotone-in-distance"),
    ),
)

sigma = page.positive("sigma", "noise multiplier")
_y = page.real("y", "output along the line")
_k = page.natural("k", "shift, in clipping norms", lower=1)
_z = page.nonnegative("z", "how much further another output lies")


def _density(mean: Expr) -> Expr:
    """The density of the output around a mean, without its factor."""
    return exp(-((_y - mean) ** 2) / (2 * sigma**2))


_ZERO = _density(Integer(0))
_FIRST = (1 - _p) * _ZERO + _p * _density(_k)
_SECOND = (1 - _q) * _ZERO + _q * _density(-_k)

loss = page.identity(
    "beyond:mixture-loss",
    "The quotient of two mixtures on a line",
    eq(
        _FIRST / _SECOND,
        (1 - _p + _p * exp(_k * (2 * _y - _k) / (2 * sigma**2)))
        / (1 - _q + _q * exp(_k * (-2 * _y - _k) / (2 * sigma**2))),
    ),
    r"It grows with $y$: each part of the numerator does, and those of the denominator fall. So the outputs above a level are a half-line, and its end is where the numerator is $e^\epsilon$ times the denominator.",
    points={_p: (0, 1), _q: (0, 1), sigma: (1, 4), _y: (-4, 4), _k: (1, 4)},
    wrong={
        "one sign": (1 - _p + _p * exp(_k * (2 * _y - _k) / (2 * sigma**2)))
        / (1 - _q + _q * exp(_k * (2 * _y - _k) / (2 * sigma**2))),
        "without the shift": (1 - _p + _p * exp(_k * 2 * _y / (2 * sigma**2)))
        / (1 - _q + _q * exp(-_k * 2 * _y / (2 * sigma**2))),
    },
)

# --------------------------------------------------------------------------------------------- batches that are full

_rate = page.real("q_1", "probability of each record to be sampled", lower=0, upper=1, lower_open=True, upper_open=True)
_m = page.natural("m", "records that fill a batch", lower=1)
_rest = page.natural("l", "other records beyond those that fill a batch", lower=1)
_n = named("n", _m + _rest)
_odds = named("t", _m * (1 - _rate) / (_rest * _rate))

full = page.identity(
    "beyond:full-batch",
    "The probability that a batch is full, by Chernoff",
    eq((1 - _rate + _rate * _odds) ** _n / _odds**_m, (_n * _rate / _m) ** _m * (_n * (1 - _rate) / _rest) ** _rest),
    r"For $t \ge 1$, which is $m \ge nq$, the mean of $t^{K-m}$ bounds the probability that at least $m$ of $n$ records are sampled. By Stirling the probability of exactly $m$ has in addition the factor $\sqrt{n/(2\pi m(n-m))}$, and the tail is at most $1/(1-r)$ times as large, since each term is at most $r$ times the one before.",
    points={_rate: (0, 1), _m: (1, 6), _rest: (1, 6)},
    wrong={
        "rates exchanged": (_n * (1 - _rate) / _m) ** _m * (_n * _rate / _rest) ** _rest,
        "without the rest": (_n * _rate / _m) ** _m,
    },
    steps=(
        "beyond:full-batch-ratio",
        STIRLING.quoted("A binomial coefficient is at most this.", "Both numbers are at least 1."),
    ),
)

_i = page.natural("i", "how much further the term is", lower=0)

ratio = page.inequality(
    "beyond:full-batch-ratio",
    "The quotient of probabilities falls with the number of records",
    le((_rest - _i) * _rate / ((_m + _i + 1) * (1 - _rate)), _rest * _rate / ((_m + 1) * (1 - _rate))),
    r"On the left stands the quotient of the probabilities of $m+i+1$ and of $m+i$ records, $\frac{n-m-i}{m+i+1}\cdot\frac q{1-q}$; so the tail is at most a geometric series.",
    by=Smt(),
    points={_rate: (0, 1), _m: (1, 6), _rest: (1, 6), _i: (0, 6)},
    wrong={"direction": turned(), "halved": _rest * _rate / ((_m + 1) * (1 - _rate)) / 2},
)

_w = page.real("w", "probability that the other records fill a batch", lower=0, upper=1)
_W = page.real("W", "upper bound of it", lower=0, upper=1)
_once = page.real("h_1", "curve of a step whose batch is not full", lower=0, upper=1)
_twice = page.real("h_2", "curve of one at twice the distance", lower=0, upper=1)
_BOUND = Hypothesis("it is a bound", le(_w, _W))
_FARTHER = Hypothesis("farther apart", le(_once, _twice), "by shifts that are larger", by=("beyond:mixture-shifts",))

costs = page.inequality(
    "beyond:full-batch-costs-more",
    "A batch that is full more often costs more",
    le((1 - _w) * _once + _w * _twice, (1 - _W) * _once + _W * _twice),
    r"The batch without the record in question is revealed. Where it is not full, the record adds to the sum; where it is, the record may take the place of another one, and the sum moves by at most twice the clipping norm. Whether the record is sampled does not depend on that. The probability that a batch is full grows with the number of other records, so that the largest data set bounds all.",
    given=(_BOUND, _FARTHER),
    by=Smt(),
    points=Chart(
        {_w: (0, 1), _W: (0, 1), _once: (0, 1), _twice: (0, 1)},
        {_w: _w * _W, _W: _W, _once: _once * _twice, _twice: _twice},
    ),
    wrong={"direction": turned(), "closer": without(_FARTHER), "less often": without(_BOUND)},
    steps=(
        Step("What is revealed gives a mean of curves.", "beyond:sampled-mixture"),
        Step("A record in the place of another.", "beyond:mixture-shifts"),
    ),
)
