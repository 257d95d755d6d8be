r"""Absolute noise whose sensitivity is taken at the released iterate, against any Gaussian noise that depends on the data.

The iterate $\theta$ is public, and so is $S$: the largest distance of two gradients of one record there, over the
number of records. Two neighbours $D', D''$ of the data $D$ replace one record by the two whose gradients are $S$ apart.
The farther of the two is at least $S/2$ from $D$, which gives a factor of four. The two are neighbours of each other as
well, so their own variance is large, and $D$ may not be far below it: that leaves the factor $4\alpha/(4\alpha - 3)$.
"""

from rgm_verify.pages import *

from ...rgm.notation import DIMENSION, HALF, NOTATION, alpha, d
from .any_variance import absolute, divergence, gap, level, log_part, mixed, page as _any_variance, v1, v2

page = Page("beyond", "§4.2, Standard vs. Relative Gaussian Mechanism", NOTATION, _any_variance)
diameter = page.positive(
    "S", "largest distance of the outputs of two neighbours that differ in one record from the data"
)
_far = page.nonnegative("R", "distance of the output of D from the farther of the two")
_near = page.nonnegative("R'", "distance of the output of D from the nearer of the two")
_third = page.positive("u", "variance per coordinate at the second neighbour", latex="v(D'')")

seen = page.inequality(
    "beyond:set-seen-from-a-point",
    "A set's radius, seen from any point, is at least half of its diameter",
    ge(Max(_far, _near), diameter / 2),
    "The distances of a point from two points that are $S$ apart.",
    given=Hypothesis("triangle inequality", le(diameter, _far + _near)),
    wrong={"the whole diameter": diameter, "no triangle": without()},
)

_FARTHER = Hypothesis(
    "the farther one", ge(2 * _far, diameter), "gradients of two records S apart", by=("beyond:set-seen-from-a-point",)
)


def _at_level(title: str, distance: Expr, first: tuple[Expr, str], second: tuple[Expr, str]) -> Hypothesis:
    """Both orders of a pair are finite and have the level; variances and names of the laws, in the order of the pair."""
    formulas = (
        formula
        for (v, p), (w, q) in ((first, second), (second, first))
        for formula in (gt(mixed(v, w), 0), le(divergence(distance, v, w, rf"{p}\|{q}"), level))
    )
    return Hypothesis(title, both(*formulas), "of Rényi differential privacy")


_PAIR = _at_level("level of D and D'", _far, (v1, "P"), (v2, "Q"))
_OTHERS = _at_level("level of D' and D''", diameter, (v2, "Q"), (_third, "R"))
_FROM, _TO = (alpha - 1) / alpha, alpha / (alpha - 1)
_POINTS = {
    _far: diameter / 2 + _near,
    v2: (0, 1, v1 * (_FROM + v2 * (_TO - _FROM))),
    _third: (0, 1, v2 * (_FROM + _third * (_TO - _FROM))),
    level: (0, 40),
}

four = page.theorem(
    "beyond:noise-at-the-iterate-factor-four",
    "Noise at the released iterate has at most four times the variance of any Gaussian noise that depends on the data",
    le(absolute(diameter), 4 * v1),
    "At any point, for any data all of whose neighbours are covered by the guarantee, and for variances that depend on the data in any way.",
    given=(_PAIR, _FARTHER),
    points={k: _POINTS[k] for k in (_far, v2, level)},
    over=(DIMENSION,),
    wrong={"three times": 3 * v1, "no level": without(_PAIR), "a point of its own": without(_FARTHER)},
    steps=(
        Premise("beyond:least-variance-of-gaussian-noise", {gap: _far}),
        Step("One of the two is far.", "beyond:set-seen-from-a-point"),
    ),
    outputs="puts a distance into beyond:least-variance-of-gaussian-noise, which is integrated and released",
)

_quarter = named(r"\frac14\frac{\alpha S^2}{2\varepsilon}", absolute(diameter) / 4)
attained = page.remark(
    "beyond:factor-four-attained",
    "Data in the middle of the set, with a quarter of the variance at the data and at their neighbours",
    eq(divergence(diameter / 2, _quarter, _quarter), level),
    "So four is the best factor where nothing is asked of the neighbours' own neighbours, as for data that a test has let pass.",
    over=(DIMENSION,),
    wrong={
        "neighbours at the full distance": left(divergence(diameter, _quarter, _quarter)),
        "a fifth of the variance": left(divergence(diameter / 2, _quarter * Rational(4, 5), _quarter * Rational(4, 5))),
    },
    outputs="two equal variances: rgm:gaussian-mechanism integrates and releases such a pair",
)

_share = named("s", 1 - 3 / (4 * alpha))
_MIXED = Hypothesis("mixed", ge(mixed(v2, v1), absolute(_far)), "of D' before D")
_LARGE = Hypothesis("large", ge(v2, absolute(diameter)), "at D', which is far from D''")

arithmetic = page.inequality(
    "beyond:variance-in-the-middle-of-the-set",
    "The variance at the data, from that at a neighbour and the mixed one",
    ge(v1, _share * absolute(diameter)),
    given=(_MIXED, _LARGE, _FARTHER),
    by=combination(
        (1 / alpha, mixed(v2, v1) - absolute(_far)),
        ((alpha - 1) / alpha, v2 - absolute(diameter)),
        (1 / (8 * level), 2 * _far - diameter, 2 * _far + diameter),
    ),
    points={
        _far: diameter / 2 + _far,
        v2: absolute(diameter) + v2,
        v1: (absolute(_far) + (alpha - 1) * v2) / alpha + v1,
    },
    wrong={"the whole variance": absolute(diameter), "little noise at the neighbour": without(_LARGE)},
)

far_neighbours = page.inequality(
    "beyond:far-neighbours-have-much-noise",
    "The two neighbours, being far from each other, have much noise",
    ge(v2, absolute(diameter)),
    given=_OTHERS,
    points={k: _POINTS[k] for k in (_third, level)},
    over=(DIMENSION,),
    wrong={"twice as much": scaled(2), "no level": without()},
    steps=Premise("beyond:least-variance-of-gaussian-noise", {gap: diameter, v1: v2, v2: _third}),
)

farther = page.inequality(
    "beyond:mixed-variance-of-the-farther-neighbour",
    "The mixed variance of the farther neighbour before the data",
    ge(mixed(v2, v1), absolute(_far)),
    given=_PAIR,
    points={k: _POINTS[k] for k in (v2, level)},
    over=(DIMENSION,),
    wrong={"twice as much": scaled(2), "no level": without()},
    steps=Premise("beyond:mixed-variance-at-least", {gap: _far, v1: v2, v2: v1}),
)

sharp = page.theorem(
    "beyond:noise-at-the-iterate-factor",
    "Where all data are covered, the factor is at most 4 alpha/(4 alpha - 3)",
    ge(v1, _share * absolute(diameter)),
    r"At the order 2 that is 8/5, at the order 10 40/37: the variance of noise at the released iterate is within these factors of any other, at any point and for any data.",
    given=(_PAIR, _OTHERS, _FARTHER),
    by=(Deduction(),),
    points=_POINTS,
    over=(DIMENSION,),
    wrong={
        "the whole variance": absolute(diameter),
        "the neighbours uncovered": without(_OTHERS),
        "a point of its own": without(_FARTHER),
    },
    steps=(
        Step("The two neighbours have much noise.", Premise("beyond:far-neighbours-have-much-noise")),
        Step("So the mixed variance is bounded.", Premise("beyond:mixed-variance-of-the-farther-neighbour")),
        Step("One of the two is far.", "beyond:set-seen-from-a-point"),
        Step("Put together.", Premise("beyond:variance-in-the-middle-of-the-set")),
    ),
    outputs="follows from mixed variances, whose bounds beyond:least-variance-of-gaussian-noise integrates and releases",
)

_small, _large = named("v(D)", _share * absolute(diameter)), named("v(D')", absolute(diameter))
_excess = d * log_part(_share) / (2 * (alpha - 1))
_MIDDLE = Outputs(
    (diameter / 2,), (Integer(0),), d, variances=(absolute(diameter), (1 - 3 / (4 * alpha)) * absolute(diameter))
)
_AT = tuple(
    {alpha: Rational(a), diameter: Rational(x), level: Rational(e), d: Integer(n)}
    for a, x, e, n in (("3/2", "1", "2", 3), ("2", "3", "1/4", 1), ("11/10", "2", "5", 2), ("10", "1", "1/10", 30))
)

factor_attained = page.proposition(
    "beyond:noise-at-the-iterate-factor-attained",
    "The factor is reached up to a constant in the level",
    eq(divergence(diameter / 2, _large, _small), level + _excess),
    r"Data in the middle of the set have the variance $s$ times that of all other data; the constant depends on the order and is in proportion to $d$. "
    r"So for large levels the factor is the best one, and for small ones the logarithmic term leaves less.",
    by=(Identity(), *by_outputs(level + _excess, Renyi(alpha), _MIDDLE, _AT, _AT[:1])),
    wrong={"no constant": level, "neighbours at the full distance": left(divergence(diameter, _large, _small))},
    steps=(
        Step("The other order of this pair has no larger divergence,", "beyond:wide-first-is-worse"),
        Step("and all other pairs have equal variances and the distance $S$ at most.", "rgm:gaussian-mechanism"),
    ),
)

_moved = page.nonnegative("r", "distance of the gradients of two neighbours at the released iterate")
_c = page.positive("c", "variance over the squared sensitivity")
_variance = named(r"\sigma^2(\theta)", _c * diameter**2)
_WITHIN = Hypothesis("sensitivity at the iterate", le(_moved, diameter))
_OF_A_STEP = named(r"D_\alpha(P\|Q)", alpha * _moved**2 / (2 * _variance))
_STEP = Outputs((_moved,), (Integer(0),), d, variances=(_c * diameter**2, _c * diameter**2))
_STEPS = tuple(
    {alpha: Rational(a), _moved: Rational(r), diameter: Rational(s), _c: Rational(c), d: Integer(n)}
    for a, r, s, c, n in (("3/2", "1", "1", "2", 3), ("2", "1/2", "2", "1/4", 1), ("10", "1", "3/2", "7", 30))
)

of_a_step = page.theorem(
    "beyond:noise-at-the-iterate-of-a-step",
    "A step with noise at the released iterate costs the same at every iterate",
    both(le(_moved**2, _variance / _c), le(_OF_A_STEP, alpha / (2 * _c))),
    r"The iterate and the sensitivity $S(\theta)$ there are public, and so is the variance $cS(\theta)^2$: neighbours are at most $1/\sqrt c$ standard deviations apart whatever came before, so that steps compose as Gaussian releases do (`beyond:gaussian-composition`).",
    given=_WITHIN,
    outputs=by_outputs(alpha * _moved**2 / (2 * (_c * diameter**2)), Renyi(alpha), _STEP, _STEPS, _STEPS[:1]),
    points={_moved: (0, 1, diameter * _moved)},
    over=(DIMENSION,),
    wrong={"half of the level": both(le(_OF_A_STEP, alpha / (4 * _c))), "a sensitivity from elsewhere": without()},
    steps=Step("With equal variances the divergence is the main term.", "rgm:gaussian-mechanism"),
)

_k = page.nonnegative("k", "length of the iterate, in units of the labels over the radius")

# The largest difference of two records in units of the bounds, by x, the squared cosine of the best angle.
_x = page.nonnegative("x", "squared cosine of the best angle to the iterate", upper=Rational(1, 2), latex="x")
_x0 = page.nonnegative("x_0", "the same at another length of the iterate", upper=Rational(1, 2))


def _squared_length(x: Expr) -> Expr:
    """The squared length of the iterate, in units of the labels over the radius, at which x is best."""
    return x / (1 - 2 * x) ** 2


def _largest(x: Expr) -> Expr:
    """The square of the largest difference there."""
    return 4 * (1 - x) ** 3 / (1 - 2 * x) ** 2


_INSIDE = Hypothesis("lengths", both(lt(_x, HALF), lt(_x0, HALF)))

concave = page.inequality(
    "beyond:squared-sensitivity-below-its-tangents",
    "The squared sensitivity is concave in the squared length of the iterate",
    le(_largest(_x), _largest(_x0) + 4 * (1 - _x0) ** 2 * (_squared_length(_x) - _squared_length(_x0))),
    "It lies below each of its tangents: so the mean noise of a step is at most that at the mean squared length.",
    given=_INSIDE,
    points={_x: (0, Rational(49, 100)), _x0: (0, Rational(49, 100))},
    wrong={
        "half of the slope": le(
            _largest(_x), _largest(_x0) + 2 * (1 - _x0) ** 2 * (_squared_length(_x) - _squared_length(_x0))
        ),
        "convex": turned(),
    },
    reading=r"At the best angle $k(1 - 2x) = \sqrt x$, so that $k^2 = x/(1-2x)^2$; the largest difference is that of `beyond:sensitivity-at-the-best-angle`.",
)

best_angle = page.identity(
    "beyond:sensitivity-at-the-best-angle",
    "The largest difference of two records at the best angle",
    eq(At(4 * (1 - _x) * (_k * sqrt(_x) + 1) ** 2, _k, sqrt(_x) / (1 - 2 * _x)), _largest(_x)),
    r"On the left is the square of $2c(ks + 1)$ in `beyond:mirrored-records`, for the squared sine $x$ and the length $k$ at which the angle is the best one.",
    given=Hypothesis("length", lt(_x, HALF)),
    points={_x: (0, Rational(49, 100))},
    wrong={"a square less": _largest(_x) * (1 - 2 * _x), "half": _largest(_x) / 2},
)
