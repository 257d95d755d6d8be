"""Orthogonal data in exact worlds.

Records are columns of a product of rational rotations, each with its own length; a dataset has each of them a number of
times.
"""

from ...exact_worlds import *


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


def _orthogonal(generator: Random, least: int = 1) -> World:
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


def _in_a_plane_or_more(generator: Random) -> World:
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


def _any_half(generator: Random) -> World:
    world = _orthogonal(generator)
    d = len(world["lengths"])
    return {**world, "half": matrix(generator, d, 1)}


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
