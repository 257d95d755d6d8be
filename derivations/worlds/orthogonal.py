"""Orthogonal data and general quadratic objectives in exact worlds.

Orthogonal records are columns of a product of rational rotations, each with its own length; a dataset has each of them
a number of times. General objectives are means of quadratics whose Hessians do not commute.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from rgm_verify.lenses.worlds.exact import Slack, World, at_most, equal, every, require
from rgm_verify.lenses.worlds.library import matrix, part, size, vector
from rgm_verify.lenses.worlds.linear import (
    Matrix,
    Number,
    Vector,
    apply,
    combination,
    dot,
    form,
    gram,
    identity,
    inverse,
    largest_eigenvalue,
    largest_level,
    minus,
    outer,
    plus,
    product,
    smallest_eigenvalue,
    squared,
    times,
)

from .making import lens


def orthogonal_records(world: World) -> list[Vector]:
    """As many mutually orthogonal records as there are lengths, by rational reflections along the `mirrors`."""
    d = len(world["lengths"])
    found: Matrix = identity(d)
    for v in world["mirrors"]:
        require(squared(v) > 0)
        mirror = combination((1, identity(d)), (-2 / squared(v), outer(v, v)))
        found = product(found, mirror)
    require(all(x > 0 for x in world["lengths"]))
    return [times(x, row) for x, row in zip(world["lengths"], found, strict=True)]


def _weighted(records: list[Vector], counts: Vector, total: Number) -> Matrix:
    return combination(*((c / total, outer(x, x)) for c, x in zip(counts, records, strict=True)))


def _counts(world: World) -> tuple[Vector, Number]:
    """The number of times that each record occurs: `m` times in the fixed half, and so often in the free half; and their number."""
    fixed = Fraction(world["copies"])
    free = tuple(Fraction(c) for c in world["free"])
    require(sum(free) == fixed * len(free))
    return tuple(fixed + c for c in free), 2 * fixed * len(free)


def relative_term(world: World, share: str = "4d^2") -> Slack:
    """`|X|^2 X^T A^-2 X <= (2d)^2` for each record, unreduced."""
    records = orthogonal_records(world)
    d = len(records)
    counts, n = _counts(world)
    back = inverse(_weighted(records, counts, n))
    largest = max(squared(x) * squared(apply(back, x)) for x in records)
    return at_most(largest, Fraction({"4d^2": (2 * d) ** 2, "2d": 2 * d, "d^2": d**2}[share]))


def by_the_sum(world: World, factor: str = "4d^2") -> Slack:
    """`X^T A^-2 X` against `X^T (sum X_j X_j^T)^-2 X`."""
    records = orthogonal_records(world)
    d = len(records)
    counts, n = _counts(world)
    back, whole = inverse(_weighted(records, counts, n)), inverse(_weighted(records, (Fraction(1),) * d, 1))
    price = {"4d^2": (2 * d) ** 2, "2d": 2 * d}[factor]
    return every(*(at_most(squared(apply(back, x)), price * squared(apply(whole, x))) for x in records))


def matrix_order(world: World, half: bool = True) -> Slack:
    """`A >= (1/2d) sum X_i X_i^T` along a direction."""
    records = orthogonal_records(world)
    d = len(records)
    counts, n = _counts(world)
    whole = _weighted(records, (Fraction(1, 2 * d if half else d),) * d, 1)
    v = world["direction"]
    return at_most(form(v, whole, v), form(v, _weighted(records, counts, n), v))


def _exchanged(world: World) -> tuple[list[Vector], Vector, Number, Matrix]:
    records = orthogonal_records(world)
    require(len(records) > 1)
    counts, n = _counts(world)
    change = combination((1, outer(records[0], records[0])), (-1, outer(records[1], records[1])))
    return records, counts, n, change


def difference(world: World, share: Fraction = Fraction(1)) -> Slack:
    """`|(A_0 - A_0') A^-1|` is at most n over the smaller number of records along both directions."""
    records, counts, n, change = _exchanged(world)
    low = largest_eigenvalue(gram(product(change, inverse(_weighted(records, counts, n)))))[0]
    return at_most(low, share * (n / min(counts[0], counts[1])) ** 2)


def removed(world: World, margin: int = 1) -> Slack:
    """Removing one record: `(1 - 1/m) A <= A' <= A` along a direction, and `|A_0 A'^-1|/n <= 1/(m-1)`."""
    records = orthogonal_records(world)
    counts, n = _counts(world)
    m = min(counts)
    require(m > 1)
    before = _weighted(records, counts, n)
    after = combination((1, before), (Fraction(-1) / n, outer(records[0], records[0])))
    v = world["direction"]
    x = records[0]
    term = squared(x) * squared(apply(inverse(after), x)) / n**2
    return every(
        at_most((1 - 1 / m) * form(v, before, v), form(v, after, v)),
        at_most(form(v, after, v), form(v, before, v)),
        at_most(term * (m - margin) ** 2, Fraction(1)),
    )


def scale_free(world: World, other: bool = False) -> Slack:
    """Another length of the records along one direction changes nothing: `|X|^2 X^T A^-2 X = (n/count)^2`."""
    records = orthogonal_records(world)
    counts, n = _counts(world)
    back = inverse(_weighted(records, counts, n))
    x = records[0]
    return equal(squared(x) * squared(apply(back, x)), (n / counts[0]) ** (1 if other else 2))


def _orthogonal(generator: np.random.Generator, least: int = 1) -> World:
    d = int(generator.integers(least, 4))
    copies = int(generator.integers(1, 3))
    free = generator.multinomial(copies * d, [1 / d] * d)
    return {
        "lengths": tuple(size(generator) for _ in range(d)),
        "mirrors": tuple(tuple(a + Fraction(1, 7) for a in vector(generator, d)) for _ in range(2)),
        "copies": copies,
        "free": tuple(int(c) for c in free),
        "direction": vector(generator, d),
    }


def _in_a_plane_or_more(generator: np.random.Generator) -> World:
    return _orthogonal(generator, least=2)


def any_half(world: World, squares: bool = False) -> Slack:
    """With any positive semidefinite other half: `X_i^T A^-1 X_i <= 2d`; with squares it fails."""
    records = orthogonal_records(world)
    d = len(records)
    whole = combination((Fraction(1, 2 * d), _weighted(records, (Fraction(1),) * d, 1)), (1, gram(world["half"])))
    back, x = inverse(whole), records[0]
    if squares:
        return at_most(squared(x) * squared(apply(back, x)), Fraction((2 * d) ** 2))
    return at_most(form(x, back, x), Fraction(2 * d))


def _any_half(generator: np.random.Generator) -> World:
    world = _orthogonal(generator)
    d = len(world["lengths"])
    return {**world, "half": matrix(generator, d, 1)}


# --- Means of quadratics (App. B.2) ------------------------------------------------------------------------------


def _hessian(root: Matrix, ridge: Number) -> Matrix:
    require(ridge >= 0)
    return combination((1, gram(root)), (ridge, identity(len(root))))


@dataclass(frozen=True)
class Exchange:
    """A mean of convex quadratics `(theta - c_i)^T H_i (theta - c_i)/2` of which the first is exchanged for another.

    `L` bounds the Hessians of the exchanged records, `mu` that of the mean, `L_rel` is the least constant of relative
    smoothness, all rounded outward; `away` is theta less the minimiser.
    """

    pair: tuple[tuple[Matrix, Vector], tuple[Matrix, Vector]]
    mean: Matrix
    star: Vector
    away: Vector
    smooth: Number
    relative: Number
    strong: Number

    @property
    def slope2(self) -> Number:
        """The squared norm of the gradient of the mean."""
        return squared(apply(self.mean, self.away))

    def moved(self, which: int) -> Vector:
        """The change of a record's gradient from the minimiser to theta."""
        return apply(self.pair[which][0], self.away)

    def apart(self) -> Vector:
        """The difference of the gradients of both records at the minimiser."""
        return minus(*(apply(h, minus(self.star, c)) for h, c in self.pair))


def exchange(world: World) -> Exchange:
    """The objective of a world with `roots`, `ridges` and `centres`."""
    n = len(world["roots"]) - 1
    hessians = [_hessian(r, h) for r, h in zip(world["roots"], world["ridges"], strict=True)]
    centres, theta = world["centres"], world["theta"]
    share = Fraction(1, n)
    mean = combination(*((share, h) for h in hessians[:n]))
    mu = smallest_eigenvalue(mean)[0]
    require(mu > 0)
    slope = tuple(0 * a for a in theta)
    for h, c in zip(hessians[:n], centres[:n], strict=True):
        slope = plus(slope, times(share, apply(h, c)))
    star = apply(inverse(mean), slope)
    pair = ((hessians[0], centres[0]), (hessians[n], centres[n]))
    smooth = max(largest_eigenvalue(h)[1] for h, _ in pair)
    least = max(-largest_level(combination((-1, h)), mean)[0] for h, _ in pair)
    require(smooth > 0 and least > 0)
    return Exchange(pair, mean, star, minus(theta, star), smooth, least, mu)


def general(world: World, factor: int = 6, record: bool = False, relative: bool = True) -> Slack:
    """The relative sensitivity of a mean of convex quadratics, unreduced.

    With `record` the gradient of one record alone, as in (57), (62).
    """
    f = exchange(world)
    price = f.smooth * (f.relative if relative else 1) / f.strong * f.slope2
    if record:
        return at_most(squared(f.moved(0)), price)
    at_theta = minus(*(apply(h, minus(world["theta"], c)) for h, c in f.pair))
    return at_most(squared(at_theta), factor * price + Fraction(factor, 2) * squared(f.apart()))


def compared(world: World, reverse: bool = False) -> Slack:
    """For a record of least squares: `|A_0 A^-1|^2 <= L L_rel/mu <= kappa_A L_rel^2`, record and A as they are."""
    mean = _hessian(world["roots"][0], world["ridges"][0] + 1)
    x = world["theta"]
    low, high = smallest_eigenvalue(mean)[0], largest_eigenvalue(mean)[1]
    require(low > 0)
    back = inverse(mean)
    leverage, term = form(x, back, x), squared(x) * squared(apply(back, x))
    middle = squared(x) * leverage / low
    if reverse:
        return at_most(high / low * leverage**2, middle)
    return every(at_most(term, middle), at_most(middle, high / low * leverage**2))


def relatively_smooth(world: World, share: Fraction = Fraction(1)) -> Slack:
    """`D_{f_0} <= X_0^T A^-1 X_0 D_f` for least squares, at any two points."""
    mean = _hessian(world["roots"][0], world["ridges"][0] + 1)
    x, v = world["centres"][0], world["theta"]
    return at_most(dot(x, v) ** 2, share * form(x, inverse(mean), x) * form(v, mean, v))


def _quadratics(generator: np.random.Generator) -> World:
    d, n = int(generator.integers(1, 4)), int(generator.integers(1, 4))
    return {
        "roots": tuple(matrix(generator, d, d) for _ in range(n + 1)),
        "ridges": tuple(part(generator) for _ in range(n + 1)),
        "centres": tuple(vector(generator, d) for _ in range(n + 1)),
        "theta": vector(generator, d),
    }


# --- What the variables of the claims are in a world, in the order of the symbols that a claim gives -------------------


def of_worst_record(world: World) -> tuple[Any, ...]:
    """|X_i|^2 and the eigenvalue of A along the rarest X_i, the dimension."""
    records = orthogonal_records(world)
    counts, n = _counts(world)
    count, square = min(zip(counts, map(squared, records), strict=True))
    return square, count / n * square, len(records)


def of_order(world: World) -> tuple[Any, ...]:
    """The copies in the fixed half, d, the sum of (X_j.v)^2 over the different records, and over the free half."""
    products = [dot(x, world["direction"]) ** 2 for x in orthogonal_records(world)]
    rest = sum(c * s for c, s in zip(world["free"], products, strict=True))
    return world["copies"], len(products), sum(products), rest


def of_removed(world: World) -> tuple[Any, ...]:
    """|X_0|^2, the least number of records along a direction, and that along the first."""
    counts, _ = _counts(world)
    return squared(orthogonal_records(world)[0]), min(counts), counts[0]


def of_record(world: World) -> tuple[Any, ...]:
    """D_0, D_z, |u|^2, L, D_f, L_rel, s, |theta - theta_*|^2, |grad f|^2, mu."""
    f = exchange(world)
    first, away, moved = f.pair[0][0], f.away, f.moved(0)
    stepped = minus(away, times(1 / f.smooth, moved))
    record = (form(away, first, away) / 2, form(stepped, first, stepped) / 2, squared(moved), f.smooth)
    inner = form(away, f.mean, away)
    return *record, inner / 2, f.relative, inner, squared(away), f.slope2, f.strong


def of_general(world: World) -> tuple[Any, ...]:
    """|u|^2, |v|^2, |w|^2, u.v, u.w, v.w, |grad f|^2, L, L_rel, mu, n."""
    f = exchange(world)
    u, v, w = f.moved(0), f.moved(1), f.apart()
    products = (squared(u), squared(v), squared(w), dot(u, v), dot(u, w), dot(v, w))
    return *products, f.slope2, f.smooth, f.relative, f.strong, len(world["roots"]) - 1


def of_compared(world: World) -> tuple[Any, ...]:
    """|X_0|^2, X_0^T A^-1 X_0, X_0^T A^-2 X_0, mu, L_A."""
    mean = _hessian(world["roots"][0], world["ridges"][0] + 1)
    x = world["theta"]
    y = apply(inverse(mean), x)
    return squared(x), dot(x, y), squared(y), smallest_eigenvalue(mean)[0], largest_eigenvalue(mean)[1]


MATRIX_ORDER = lens("A above half of the sum", matrix_order, _orthogonal, {"twice": {"half": False}})
RELATIVE_TERM = lens(
    "the relative term of orthogonal data", relative_term, _in_a_plane_or_more, {"d squared": {"share": "d^2"}}
)
RELATIVE_TERM_PRINTED = lens(
    "the relative term of orthogonal data, at most 2d", partial(relative_term, share="2d"), _in_a_plane_or_more
)
BY_THE_SUM = lens("A^-2 by the sum", by_the_sum, _in_a_plane_or_more, {"as printed": {"factor": "2d"}})
BY_THE_SUM_PRINTED = lens("A^-2 by the sum, as printed", partial(by_the_sum, factor="2d"), _in_a_plane_or_more)
SCALE_FREE = lens("lengths of orthogonal records", scale_free, _orthogonal, {"without square": {"other": True}})
DIFFERENCE = lens("both records of orthogonal data", difference, _orthogonal, {"half": {"share": Fraction(1, 2)}})
REMOVED = lens("a record less, orthogonal data", removed, _orthogonal, {"one over m": {"margin": 0}})
ANY_HALF = lens("any other half", any_half, _any_half, {"squares": {"squares": True}})
ANY_HALF_SQUARES = lens("any other half, for the square", partial(any_half, squares=True), _any_half)
GENERAL = lens("means of quadratics", general, _quadratics, {"no relative part": {"factor": 0}})
RECORD = lens(
    "one record by the objective", partial(general, record=True), _quadratics, {"L rel 1": {"relative": False}}
)
COMPARED = lens("both bounds for least squares", compared, _quadratics, {"exchanged": {"reverse": True}})
RELATIVELY_SMOOTH = lens(
    "relative smoothness of a record", relatively_smooth, _quadratics, {"half": {"share": Fraction(1, 2)}}
)
