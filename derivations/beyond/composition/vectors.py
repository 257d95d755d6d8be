r"""Laplace noise on every coordinate of a vector: how neighbours that may move it by so much in the 1-norm move it most.

In units of the noise the answers of two neighbours differ by $a_i$ in coordinate $i$, and $s$ is the sum of all $a_i$. What is found: whatever is moved from a
coordinate to one that is moved as much or more makes the two data sets easier to tell apart. So the worst neighbours move one coordinate by all there is, or,
where no coordinate may move by more than $c$, as many as possible by $c$ and one more by the rest. The same holds for discrete noise and whole numbers.
"""

from rgm_verify.lenses.distributions.mechanisms import Y, laplace
from rgm_verify.pages import *

from ...theorems import FUBINI, INDUCTION

page = Page("beyond", "noise on a vector")
_small = page.nonnegative("a", "change of the second coordinate, in units of the noise")
_more = page.nonnegative("b", "by how much more the first coordinate changes")
_level = page.real("l", "level, in nats")
_large = _small + _more
_s = named("s", _large + _small)

_y = page.real("y", "output of one coordinate, in units of the noise")

loss = page.identity(
    "beyond:vector-loss",
    "The loss of one coordinate ends at its change",
    eq(Abs(_y - _small) - Abs(_y), _small - 2 * Min(Max(_y, 0), _small)),
    r"Of all coordinates together it is $s$ less twice the sum of what the noise moves towards the neighbour, at most $a_i$ in each.",
    by=Smt(),
    points={_y: (-3, 3), _small: (0, 2)},
    wrong={"once": _small - Min(Max(_y, 0), _small), "without an end": _small - 2 * Max(_y, 0)},
)

# ------------------------------------------------------------------------------------------------- two coordinates

_z = page.real("z", "loss of the second coordinate")
_BETWEEN = exp((_z - _small) / 2) / 4
"""The density of that loss between its ends."""


def _one(level: Expr) -> Expr:
    """The divergence of the first coordinate alone, at a level between both of its largest losses."""
    return 1 - exp((level - _large) / 2)


def _two(least: Expr) -> Expr:
    return 1 - exp((_level - _s) / 2) * (1 + least / 2)


_right = _one(_level - _small) / 2
_LOSS = Abs(Y - _small) - Abs(Y)
_MEAN = Mean(_one(_level - _LOSS), (0, 1), _large - _level + _LOSS)
"""The divergence of the first coordinate at the level that the second one leaves, where it is above 0."""
_AT = tuple(
    {_small: Rational(a, 2), _more: Rational(b, 2), _level: Rational(level, 4)}
    for a, b, level in ((2, 1, 1), (1, 3, 2), (3, 1, 10), (1, 0, 1))
)

two = page.identity(
    "beyond:laplace-two-coordinates",
    "Two coordinates with Laplace noise",
    both(
        eq(
            _right
            + exp(-_small) / 2 * _one(_level + _small)
            + Integral(_BETWEEN * _one(_level - _z), (_z, -_small, _small)),
            _two(_small),
        ),
        eq(_right + Integral(_BETWEEN * _one(_level - _z), (_z, _level - _large, _small)), _two((_s - _level) / 2)),
    ),
    r"Given the second coordinate, whose loss is $a$ with probability $1/2$, $-a$ with $e^{-a}/2$, and has a density between, the divergence is that of the first at the level that is left. The first line is for levels between $-b$ and $b$; the second for those up to $s$, where losses below $l - a - b$ add nothing. At negative levels the pair that is turned around has the same form. So at levels of either sign it is $1 - e^{(l-s)/2}(1 + m/2)$, where $m$ is the least of $a$ and $(s-|l|)/2$.",
    points=Chart({_small: (0, 2), _more: (0, 2), _level: (-3, 3)}, {_small: _small, _more: _more, _level: _level}),
    wrong={
        "one coordinate moved by all": both(
            eq(
                _right
                + exp(-_small) / 2 * _one(_level + _small)
                + Integral(_BETWEEN * _one(_level - _z), (_z, -_small, _small)),
                1 - exp((_level - _s) / 2),
            )
        ),
        "the ends of the second coordinate left out": eq(
            Integral(_BETWEEN * _one(_level - _z), (_z, -_small, _small)), _two(_small)
        ),
    },
    outputs=of_bounds(is_quantity(Of(_MEAN, laplace(0, _small, 1)), _two(Min(_small, (_s - _level) / 2))), _AT),
    steps=(
        "beyond:vector-loss",
        Step("At levels below 0.", "beyond:hockey-stick-at-negative-levels"),
        Step("Both orders have one curve.", "beyond:laplace-pair-turns"),
        FUBINI.quoted(
            "The divergence is a mean over the second coordinate.",
            "Densities are measurable on the plane.",
            "A positive part is not negative.",
        ),
    ),
)

# ------------------------------------------------------------------------------------------------- whole numbers

_q = page.real("q", "ratio of neighbouring masses", lower=0, upper=1, lower_open=True, upper_open=True)
_n = page.natural("n", "change of the second coordinate, a whole number", lower=1)
_c = page.natural("c", "half of what is between the level and the largest loss, in steps of the noise", lower=1)
_k = page.natural("k", "what the noise of the second coordinate moves", lower=1)
_part = (1 - _q) / (1 + _q)

discrete = page.identity(
    "beyond:discrete-two-coordinates",
    "Two coordinates with discrete Laplace noise",
    both(
        eq(
            (1 - _q**_c) / (1 + _q)
            + Sum(_part * _q**_k * (1 - _q ** (_c - _k)), (_k, 1, _n - 1))
            + _q**_n / (1 + _q) * (1 - _q ** (_c - _n)),
            1 - _q**_c * (1 + _part * _n),
        ),
        eq(
            (1 - _q**_c) / (1 + _q) + Sum(_part * _q**_k * (1 - _q ** (_c - _k)), (_k, 1, _c - 1)),
            1 - _q**_c * (1 + _part * _c),
        ),
    ),
    r"Levels are the losses that there are, $s - 2c$ over the scale; between them curves are straight. One coordinate alone has the divergence $1 - q^c$, as long as $c$ is at most its change. The noise moves the second one by $k$ with probability $\frac{1-q}{1+q}q^k$, by 0 with $\frac1{1+q}$ and by its change $n$, where it ends, with $\frac{q^n}{1+q}$. The first line is for $c$ from $n$ to the other change, the second for less. So the divergence is $1 - q^c(1 + \frac{1-q}{1+q}m)$, where $m$ is the least of both changes, $c$ and $s - c$.",
    points={_q: (0, 1), _n: (1, 6), _c: (1, 6)},
    wrong={
        "one coordinate moved by all": eq(
            (1 - _q**_c) / (1 + _q) + Sum(_part * _q**_k * (1 - _q ** (_c - _k)), (_k, 1, _c - 1)), 1 - _q**_c
        ),
        "without the end": eq(
            (1 - _q**_c) / (1 + _q) + Sum(_part * _q**_k * (1 - _q ** (_c - _k)), (_k, 1, _n - 1)),
            1 - _q**_c * (1 + _part * _n),
        ),
    },
    steps=(
        "beyond:vector-loss",
        Step("At levels below 0.", "beyond:hockey-stick-at-negative-levels"),
        Step("Both orders have one curve.", "beyond:laplace-pair-turns"),
    ),
)

# ------------------------------------------------------------------------------------------------- the worst split

_h = page.nonnegative("h", "what is moved to the larger change")
_r = page.nonnegative("r", "the least of what the level leaves on both sides")
_f = page.positive("f", "e to half of the level less the sum")
_g = page.positive("g", "share: one half, or of discrete noise (1 - q)/(1 + q)")
_ENOUGH = Hypothesis("as much as there is", le(_h, _small))


def _split(first: Expr, second: Expr) -> Expr:
    return 1 - _f * (1 + _g * Min(first, second, _r))


moved = page.inequality(
    "beyond:transfer-to-the-larger-change",
    "Moved to the coordinate that changes more, the same sum is told apart better",
    le(_split(_large, _small), _split(_large + _h, _small - _h)),
    "With all of it the second coordinate does not change at all, and the divergence is that of one number.",
    given=(_ENOUGH,),
    by=Smt(),
    points=Chart(
        {_small: (0, 2), _more: (0, 2), _h: (0, 1), _r: (0, 2), _f: (0, 1), _g: (0, 1)},
        {_small: _small, _more: _more, _h: _h * _small, _r: _r, _f: _f, _g: _g},
    ),
    wrong={"direction": turned(), "to the smaller change": right(_split(_large - _h, _small + _h))},
    steps=("beyond:laplace-two-coordinates", "beyond:discrete-two-coordinates"),
)

_w1, _w2 = (page.nonnegative(f"w_{i}", f"weight of outcome {i} of all other coordinates") for i in (1, 2))
_d1, _d2 = (page.nonnegative(f"d_{i}", f"divergence of two coordinates at the level of outcome {i}") for i in (1, 2))
_e1, _e2 = (page.nonnegative(f"e_{i}", f"the same after the transfer, outcome {i}") for i in (1, 2))
_TRANSFERS = tuple(
    Hypothesis(f"outcome {i}", le(d, e), by=("beyond:transfer-to-the-larger-change",))
    for i, d, e in ((1, _d1, _e1), (2, _d2, _e2))
)

worst = page.theorem(
    "beyond:worst-change-in-the-one-norm",
    "Of all changes within both norms, few large ones are told apart best",
    le(_w1 * _d1 + _w2 * _d2, _w1 * _e1 + _w2 * _e2),
    r"A change of a sum of at most $s$ with no coordinate above $c$: its curve is below that of $\lfloor s/c\rfloor$ coordinates that change by $c$ and one that changes by the rest. Where only the sum is bounded, it is below that of one number that changes by $s$. This one is among them, so that the curve is exact, in every dimension that has so many coordinates.",
    given=_TRANSFERS,
    by=Smt(),
    points={_w1: (0, 1), _w2: (0, 1), _e1: (0, 1), _e2: (0, 1), _d1: (0, 1, _d1 * _e1), _d2: (0, 1, _d2 * _e2)},
    wrong={"direction": turned(), "only one outcome": without(_TRANSFERS[1])},
    steps=(
        FUBINI.quoted(
            "The divergence is the mean, over all other coordinates, of that of two of them at the level that is left.",
            "Densities are measurable on the product.",
            "A positive part is not negative.",
        ),
        Step(
            "A change that does not use all that is allowed is raised in one coordinate.", "beyond:shifted-noise-grows"
        ),
        Step("Two coordinates strictly between 0 and the bound: a transfer.", "beyond:transfer-to-the-larger-change"),
        INDUCTION.quoted(
            "After at most as many transfers as there are coordinates, all but one change by 0 or by the bound.",
            "With one coordinate strictly between there is nothing to do.",
            "The transfer goes on until one of the two changes by 0 or by the bound.",
        ),
    ),
)
