"""The assembled propose-test-release mechanism in exact worlds: on neighbours, and on data above a multiple of Sigma."""

import sympy

from ...exact_worlds import *
from .propose_test_release_worlds import covariance_of, draw_points, passes, smallest_set, unit_matrix, whole


@dataclass(frozen=True)
class Tested:
    """The printed statistic of data on the event, its terms on the smallest set over n, R_c^2 and rho-bar."""

    found: int
    terms: Number
    radius2: Number
    level: Number


def tested(world: World) -> Tested:
    """The printed test of half of rho-bar, the largest level up to 1 that the covariance is above of."""
    points, unit = world["points"], unit_matrix(world)
    require(world["reg"] >= 0)
    a = covariance_of(points, world["reg"])
    level = min(largest_level(a, unit)[0], 1 + 0 * world["reg"])
    require(level > 0)
    shifted = combination((1, a), (-level / 2, unit))
    n, k = len(points), smallest_set(points, shifted)
    require(k <= n)
    back, middle = inverse(shifted), inverse(unit)
    leverages = sorted((form(x, back, x) for x in points), reverse=True)
    return Tested(k, sum(leverages[:k]) / n, max(form(x, middle, x) for x in points), level)


def accepted(world: World, printed: bool = False, lucky: bool = False) -> Slack:
    """With enough records the printed test accepts half of rho-bar with the stated probability.

    The data are on the event with a probability; off it the test is taken to reject.
    """
    at, u, t, j = tested(world), world["u"], world["threshold"], world["miss"]
    require(0 < u < 1 and 0 <= world["off"] <= 1)
    price = Fraction(1, 2) * at.radius2 * t if printed else 2 * at.radius2 * (t + j) / at.level
    require(len(world["points"]) >= price)
    off = 0 * world["off"] if lucky else world["off"]
    return at_most(1 - off - u**j / 2, (1 - world["off"]) * passes(at.found - t, u))


def _accepting(generator: Random) -> World:
    world = {**draw_points(generator)}
    d = 1 if generator.random() < 0.9 else 2
    n = int(generator.integers(4, 8))
    rows = matrix(generator, n, d)
    nearly = tuple((2 + number(generator, 3) / 4,) for _ in rows) if d == 1 else rows
    return {
        "points": nearly,
        "root": matrix(generator, d, d),
        "ridge": world["ridge"],
        "reg": Fraction(0) if generator.random() < 0.5 else size(generator, 1),
        "u": Fraction(int(generator.integers(1, 12)), 12),
        "threshold": 1 if generator.random() < 0.8 else 2,
        "miss": int(generator.integers(0, 2)),
        "off": Fraction(int(generator.integers(0, 6)), 12),
    }


def _passing(odds: Number) -> Number:
    return odds / 2 if odds < 1 else 1 - 1 / (2 * odds)


def private(world: World, coarse: int = 1, without: bool = False, cheap: bool = False) -> Slack:
    """The probability of an event on one dataset against that on the other, with the run mechanism as bad as it may be.

    The mechanism behind the test is private for two datasets that both have A >= rho C, and anything at all otherwise.
    """
    found = whole(world)
    h, delta, other = world["h"], world["delta"], world["delta_R"]
    r1, r2, empty, growth = world["r1"], world["r2"], world["empty"], world["F"]
    require(0 < h < 1 and 0 < delta <= 1 and other >= 0 and growth >= 1)
    require(all(0 <= x <= 1 for x in (r1, r2, empty)))
    require(not all(found.good) or r1 <= growth * r2 + other)
    threshold_power = 0 if without else 4
    odds = (2 * delta * h ** (threshold_power - coarse * k) for k in found.steps)
    first, second = ((1 - p) * empty + p * r for p, r in zip(map(_passing, odds), (r1, r2), strict=True))
    lost = min(delta, other) if cheap else max(delta, other)
    return at_most(first, growth * second / h**4 + lost)


def _mechanism(generator: Random) -> World:
    d, n = int(generator.integers(1, 3)), int(generator.integers(2, 6))
    growth = 1 + size(generator, 2)
    r2, other = Fraction(int(generator.integers(0, 13)), 12), Fraction(int(generator.integers(0, 7)), 24)
    return {
        "rotation": (int(generator.integers(1, 5)), int(generator.integers(0, 4))),
        "scales": tuple(size(generator) for _ in range(d)),
        "radius": size(generator, 3),
        "points": tuple((int(generator.integers(0, d)), int(generator.integers(0, 3))) for _ in range(n + 1)),
        "level": int(generator.integers(0, 9)),
        "h": Fraction(int(generator.integers(1, 12)), 12),
        "delta": Fraction(int(generator.integers(1, 13)), 24),
        "delta_R": other,
        "F": growth,
        "r1": min(Fraction(1), growth * r2 + other) if generator.random() < 0.6 else Fraction(1),
        "r2": r2 if generator.random() < 0.6 else Fraction(0),
        "empty": Fraction(int(generator.integers(0, 2))),
    }


def of_accepted(world: World) -> tuple[Any, ...]:
    """Delta_+, its terms over n, n, R_c^2, rho-bar; epsilon, log(1/delta), log(1/(2 nu_2)); the event, accepting, nu."""
    at, u, t, j = tested(world), world["u"], world["threshold"], world["miss"]
    epsilon = -sympy.log(sympy.Rational(u.numerator, u.denominator))
    on = 1 - world["off"]
    accepts = on * passes(at.found - t, u)
    data = (at.found, at.terms, len(world["points"]), at.radius2, at.level)
    return *data, epsilon, t * epsilon, j * epsilon, on, accepts, world["off"]


def of_private(world: World) -> tuple[Any, ...]:
    """e^(epsilon Gamma) for both datasets, e^epsilon, delta; r_1, r_2, the empty answer, e^(epsilon_RGM), delta_RGM."""
    h = world["h"]
    first, second = (h ** (-k) for k in whole(world).steps)
    rest = (world["r1"], world["r2"], world["empty"], world["F"], world["delta_R"])
    return first, second, h ** (-4), world["delta"], *rest


PRIVATE = lens(
    "the assembled mechanism on neighbouring datasets",
    private,
    _mechanism,
    {
        "a statistic that moves by 2": {"coarse": 2},
        "a threshold without the 1": {"without": True},
        "the smaller delta": {"cheap": True},
    },
    count=480,
)

ACCEPTED = lens(
    "the printed test on small datasets",
    accepted,
    _accepting,
    {"the printed number of records": {"printed": True}, "off the event": {"lucky": True}},
    count=160,
)
