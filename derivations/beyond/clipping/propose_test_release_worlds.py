"""Propose-test-release in exact worlds: the statistic from the data, and acceptance probabilities as exact functions.

`Delta_+` is computed by trying all sets of points; probabilities of Laplace noise are powers of `u = exp(-epsilon)`,
which is rational here, for statistics and thresholds that are integers.
"""

from itertools import combinations

import sympy

from ...exact_worlds import *


def covariance_of(points: tuple[Vector, ...], reg: Number) -> Matrix:
    """The regularised covariance of points."""
    return combination(*((Fraction(1, len(points)), outer(x, x)) for x in points), (reg, identity(len(points[0]))))


def unit_matrix(world: World) -> Matrix:
    """The positive definite matrix C of a world."""
    require(world["ridge"] > 0)
    return combination((1, gram(world["root"])), (world["ridge"], identity(len(world["root"]))))


def smallest_set(points: tuple[Vector, ...], shifted: Matrix) -> int:
    """`Delta_+`: the least number of points whose leverages by `A - rho C` reach n; n + 1 if no set does."""
    back = inverse(shifted)
    leverages = [form(x, back, x) for x in points]
    n = len(points)
    for k in range(1, n + 1):
        if any(sum(leverages[i] for i in chosen) >= n for chosen in combinations(range(n), k)):
            return k
    return n + 1


@dataclass(frozen=True)
class Removal:
    """Points of which the first `gone` are replaced, seen along a direction `v` that is not 0, at a level below A's."""

    points: tuple[Vector, ...]
    come: tuple[Vector, ...]
    gone: int
    unit: Matrix
    rho: Number
    shifted: Matrix
    direction: Vector

    @property
    def leverage(self) -> Number:
        """The sum of the removed points' leverages by `A - rho C`."""
        back = inverse(self.shifted)
        return sum(form(x, back, x) for x in self.points[: self.gone])


def removal(world: World) -> Removal:
    """The removal of a world."""
    points, c = world["points"], unit_matrix(world)
    a = covariance_of(points, world["reg"])
    require(world["reg"] >= 0 and any(world["direction"]))
    rho = world["share"] * largest_level(a, c)[0]
    require(rho > 0 and world["share"] < 1)
    gone = 1 + world["gone"] % len(points)
    shifted = combination((1, a), (-rho, c))
    return Removal(points, world["new"][:gone], gone, c, rho, shifted, world["direction"])


def lower_bound(world: World, more: int = 0) -> Slack:
    """If the removed points have leverages of at most n, `A' >= rho C` along any direction, whatever comes instead."""
    r = removal(world)
    require(r.leverage <= len(r.points) + more)
    v = r.direction
    after = covariance_of((*r.come, *r.points[r.gone :]), world["reg"])
    return at_most(r.rho * form(v, r.unit, v), form(v, after, v))


def statistic(world: World, step: Fraction = Fraction(1)) -> Slack:
    """`n lambda_min(C^-1/2 A C^-1/2)/R_c^2` moves by at most 1 when a point is exchanged; both orders."""
    points, c = world["points"], unit_matrix(world)
    n = len(points)
    other = (world["new"][0], *points[1:])
    back = inverse(c)
    radius2 = max(form(x, back, x) for x in (*points, world["new"][0]))
    levels = [largest_level(covariance_of(p, world["reg"]), c) for p in (points, other)]
    gaps = [one[0] - two[1] for one, two in (levels, levels[::-1])]
    return every(*(at_most(n * gap, step * radius2) for gap in gaps))


def rayleigh(world: World, both: bool = False) -> Slack:
    """`(x^T w)^2 <= (x^T C^-1 x)(w^T C w)` for a full matrix C."""
    c, w, x = unit_matrix(world), world["direction"], world["points"][0]
    product = sum(a * b for a, b in zip(x, w, strict=True))
    return at_most(product * product, form(x, c if both else inverse(c), x) * form(w, c, w))


def draw_points(generator: Random) -> World:
    """Points, the ones that come, C, and a share of the level."""
    d, n = int(generator.integers(1, 4)), int(generator.integers(2, 6))
    return {
        "points": matrix(generator, n, d),
        "new": matrix(generator, n, d),
        "root": matrix(generator, d, d),
        "ridge": size(generator, 2),
        "reg": Fraction(0) if n > d and generator.random() < 0.5 else size(generator, 1),
        "share": Fraction(int(generator.integers(1, 12)), 12),
        "gone": int(generator.integers(0, 3)),
        "direction": vector(generator, d),
    }


def on_the_line(world: World, strict: bool = False) -> Slack:
    """In dimension 1, `Delta_+` by all sets is the least number of zeros that bring A down to rho c."""
    points, c = tuple((x,) for x in world["line"]), world["c"]
    n = len(points)
    require(c > 0)
    a = covariance_of(points, world["reg"])[0][0]
    rho = world["share"] * a / c
    require(rho > 0 and world["share"] < 1)
    found = smallest_set(points, ((a - rho * c,),))
    largest = sorted((x * x for x in world["line"]), reverse=True)
    enough = [k for k in range(1, n + 1) if sum(largest[k:]) / n + world["reg"] <= rho * c]
    return holds(found == (enough[0] if enough else n + 1) + (1 if strict else 0))


def _on_a_line(generator: Random) -> World:
    return {
        "line": vector(generator, int(generator.integers(2, 6))),
        "c": size(generator),
        "reg": Fraction(0),
        "share": Fraction(int(generator.integers(1, 12)), 12),
    }


def _distance(points: tuple[Vector, ...], world: World, unit: Matrix, level: Number) -> int:
    """The least number of points to replace until `A' >= rho C` fails, by all sets; zeros are the worst that can come."""
    n = len(points)
    nothing = tuple(0 * a for a in points[0])
    for k in range(n + 1):
        for chosen in combinations(range(n), k):
            left = tuple(nothing if i in chosen else x for i, x in enumerate(points))
            if not is_semidefinite(combination((1, covariance_of(left, world["reg"])), (-level, unit))):
                return k
    return n + 1


def distance(world: World, most: int = 1) -> Slack:
    """The distance to a dataset for which `A' >= rho C` fails moves by at most 1 when a point is exchanged."""
    points, unit = world["points"][:4], unit_matrix(world)
    require(world["reg"] >= 0 and world["share"] > 0)
    level = world["share"] * largest_level(covariance_of(points, world["reg"]), unit)[0]
    other = (world["new"][0], *points[1:])
    return holds(abs(_distance(points, world, unit, level) - _distance(other, world, unit, level)) <= most)


def _outlier(world: World) -> tuple[int, int]:
    """`Delta_+` of m copies of each axis and a point at 0, and with that point far out."""
    s, m, far = world["s"], world["m"], world["far"]
    require(far * far >= s * s - s)
    zero, one = Fraction(0), Fraction(1)
    axes = ((one, zero), (zero, one)) * m
    n = 2 * m + 1
    found = []
    for last in ((zero, zero), (far, zero)):
        shifted = combination((1, covariance_of((*axes, last), zero)), (Fraction(s - m, n), identity(2)))
        require(is_definite(shifted))
        found.append(smallest_set((*axes, last), shifted))
    return found[0], found[1]


def jumps(world: World, to: int = 2) -> Slack:
    """One point takes the statistic from s to 2, by all sets of points."""
    return holds(_outlier(world) == (world["s"], to))


def _jump(generator: Random) -> World:
    s = int(generator.integers(2, 5))
    return {
        "s": s,
        "m": s + int(generator.integers(0, 2)),
        "far": s + size(generator, 3),
        "u": Fraction(int(generator.integers(1, 12)), 12),
        "threshold": int(generator.integers(1, 7)),
    }


def passes(statistic_minus_threshold: int, u: Number) -> Number:
    """`P[D + Lap(1/epsilon) > t]` for integers, with `u = exp(-epsilon)`."""
    gap = statistic_minus_threshold
    return u ** (-gap) / 2 if gap < 0 else 1 - u**gap / 2


def proposition_2(world: World) -> Slack:
    """Proposition 2's condition on the event of an answer, for the pair with the outlier, as printed; the rest is exact.

    The mechanism that is run gives away nothing: its epsilon and delta are 0.
    """
    u, t = world["u"], world["threshold"]
    require(0 < u < 1)
    first, second = _outlier(world)
    return at_most(passes(first - t, u), passes(second - t, u) / u + u**t)


def calibrated(world: World, steps: int = 1) -> Slack:
    """Statistics that differ by at most 1: passing and failing differ at most by `1/u`."""
    u = world["u"]
    require(0 < u < 1)
    gap = world["s"] - world["threshold"]
    parts = []
    for other in range(gap - steps, gap + steps + 1):
        p, q = passes(gap, u), passes(other, u)
        parts += [at_most(q * u, p), at_most((1 - q) * u, 1 - p)]
    return every(*parts)


def tail(world: World, whole: bool = False) -> Slack:
    """`P[Lap > t] = u^t/2`: with what lies between -t and t, and by symmetry, it makes up 1; and it is memoryless."""
    u, t = world["u"], world["threshold"]
    require(0 < u < 1)
    above = passes(-t, u) * (2 if whole else 1)
    between = passes(t, u) - passes(-t, u)
    return every(equal(2 * above + between, Fraction(1)), equal(passes(-t - 1, u), u * passes(-t, u)))


def half_odds(world: World, share: Fraction = Fraction(1, 2)) -> Slack:
    """Passing has at most half of the odds."""
    u, gap = world["u"], world["s"] - world["threshold"]
    require(0 < u < 1)
    return at_most(passes(gap, u), share * u ** (-gap))


def printed_threshold(world: World, any_budget: bool = False) -> Slack:
    """With `t = log(1/delta)/epsilon` a statistic of 1 passes with at most delta, for epsilon up to log 2."""
    u, t = world["u"], world["threshold"]
    require(0 < u < 1 and (any_budget or 2 * u >= 1))
    return at_most(passes(1 - t, u), u**t)


def threshold(world: World, without: bool = False) -> Slack:
    """With `t = 1 + log(1/(2 delta))/epsilon` for every epsilon."""
    u, k = world["u"], world["threshold"]
    require(0 < u < 1)
    return at_most(passes(1 - (k if without else 1 + k), u), u**k / 2)


@dataclass(frozen=True)
class Whole:
    """The mechanism on both datasets: four times each statistic, an integer, and which datasets have A >= rho C."""

    steps: tuple[int, int]
    good: tuple[bool, bool]


def whole(world: World) -> Whole:
    """The statistic of two neighbouring datasets from their full matrices.

    In the eigenbasis of C, a rational rotation of the axes, each point lies on an axis, at 0, half the threshold or the
    threshold, so that four times the statistic is an integer; the first point is exchanged. There is no regularisation,
    which cancels in the statistic.
    """
    p, q = world["rotation"]
    scales, radius = world["scales"], world["radius"]
    require(radius > 0 and all(g > 0 for g in scales) and p + q > 0)
    cosine, sine = Fraction(p * p - q * q, p * p + q * q), Fraction(2 * p * q, p * p + q * q)
    basis = ((cosine, sine), (-sine, cosine)) if len(scales) == 2 else ((Fraction(1),),)
    unit = combination(*((g * g, outer(e, e)) for g, e in zip(scales, basis, strict=True)))
    points = [tuple(Fraction(k, 2) * radius * scales[j] * a for a in basis[j]) for j, k in world["points"]]
    n = len(points) - 1
    grid = radius * radius / (4 * n)
    rho = world["level"] * grid
    steps, good = [], []
    for chosen in (points[:-1], [points[-1], *points[1:-1]]):
        found = combination(*((Fraction(1, n), outer(x, x)) for x in chosen), (-rho, unit))
        low, high = largest_level(found, unit)
        at = round((low + high) / 2 / grid)
        slip = 0 if isinstance(grid, Fraction) else 1e-9 * grid
        require(low - slip <= at * grid <= high + slip)
        steps.append(at)
        good.append(is_semidefinite(combination((1, found), (slip, unit))))
    return Whole((steps[0], steps[1]), (good[0], good[1]))


def of_lower_bound(world: World) -> tuple[Any, ...]:
    """n, v^T (A - rho C) v, what the removed points take away along v, their leverages, what the others add."""
    r = removal(world)
    v = r.direction
    taken, added = (sum(dot(x, v) ** 2 for x in some) for some in (r.points[: r.gone], r.come))
    return len(r.points), form(v, r.shifted, v), taken, r.leverage, added


def of_jump(world: World) -> tuple[Any, ...]:
    """The statistic, and how far the new point is out."""
    return world["s"], world["far"]


def _odds(world: World, gap: int) -> Number:
    """e^(epsilon gap)."""
    return Fraction(1) / world["u"] ** gap


def of_test(world: World) -> tuple[Any, ...]:
    """e^(epsilon (statistic - t)), e^epsilon for a statistic that is more by 1, e^epsilon."""
    return _odds(world, world["s"] - world["threshold"]), 1 / world["u"], 1 / world["u"]


def of_odds(world: World) -> tuple[Any, ...]:
    """e^(epsilon (statistic - t))."""
    return (_odds(world, world["s"] - world["threshold"]),)


def of_printed_threshold(world: World) -> tuple[Any, ...]:
    """e^(epsilon (1 - t)), e^epsilon, delta."""
    return _odds(world, 1 - world["threshold"]), 1 / world["u"], world["u"] ** world["threshold"]


def of_threshold(world: World) -> tuple[Any, ...]:
    """e^(epsilon (1 - t)), delta, epsilon."""
    u, k = world["u"], world["threshold"]
    return u**k, u**k / 2, -sympy.log(sympy.Rational(u.numerator, u.denominator))


LOWER_BOUND = lens(
    "points with leverages up to n replaced", lower_bound, draw_points, {"up to n + 9": {"more": 9}}, count=90
)

STATISTIC = lens("the statistic of neighbouring datasets", statistic, draw_points, {"half": {"step": Fraction(1, 2)}})
RAYLEIGH = lens("Cauchy-Schwarz for C", rayleigh, draw_points, {"C twice": {"both": True}})

ON_THE_LINE = lens(
    "the statistic and the distance, by all sets", on_the_line, _on_a_line, {"one more": {"strict": True}}
)

DISTANCE = lens("the distance of neighbouring datasets", distance, draw_points, {"not at all": {"most": 0}}, count=36)
JUMPS = lens("the statistic of both datasets, by all sets", jumps, _jump, {"to 1": {"to": 1}})
PROPOSITION_2 = lens("Proposition 2 for the datasets with an outlier", proposition_2, _jump)
CALIBRATED = lens("the test on neighbours", calibrated, _jump, {"two steps": {"steps": 2}})
TAIL = lens("Laplace probabilities", tail, _jump, {"without the half": {"whole": True}})
HALF_ODDS = lens("passing against the odds", half_odds, _jump, {"a quarter": {"share": Fraction(1, 4)}})
PRINTED_THRESHOLD = lens("the printed threshold", printed_threshold, _jump, {"any epsilon": {"any_budget": True}})
THRESHOLD = lens("a threshold for every epsilon", threshold, _jump, {"without 1": {"without": True}})
