"""The recipes of Appendix C.2 for the parameters of a node, in exact worlds of neighbouring ridge regressions."""

from ...exact_worlds import *
from ..section_5.quadratic_worlds import Pair, gram_of_three, pair


def _largest_term2(p: Pair) -> Number:
    return max(map(p.term2, p.records))


def all_records(world: World, factor: int = 6) -> Slack:
    """`6 K^2/N^2` and `3 R^2/N^2` for the records of the pair, in both orders."""
    return every(*(p.within(factor * _largest_term2(p), 3 * squared(p.absolute)) for p in pair(world).orders))


def eta_of_the_dataset(world: World) -> Slack:
    """The same with the largest term among the records of the dataset: false."""
    p = pair(world)
    return p.within(6 * max(map(p.term2, p.first.records)), 3 * squared(p.absolute))


def absolute_of_the_dataset(world: World) -> Slack:
    """The absolute part from the records of the dataset, without 1/N, with the relative part of all: false."""
    p = pair(world)
    at = p.first.minimiser()
    data = zip(p.first.records, p.first.labels, strict=True)
    slopes = [record_gradient(x, y, at) for x, y in data]
    rest = max(squared(minus(one, two)) for one in slopes for two in slopes)
    return p.within(6 * _largest_term2(p), p.first.count**2 * rest)


def _eta2(p: Pair) -> Number:
    return 3 * sum(map(p.term2, p.records)) / Fraction(p.first.count) ** 2


def by_records(world: World, sharper: bool = False, labels: int = 1) -> Slack:
    """The absolute part by the norms of `b` and of the `b_j`: as printed where `eta` is not too large, and with its 1/N."""
    p = pair(world)
    n, square, longest = p.first.count, squared(p.first.products), p.longest_label2
    eta2 = _eta2(p)
    require(eta2 > 0)
    part = 3 * squared(p.absolute) / n**2
    if sharper:
        return root_at_most(part, 2 * eta2 * square, labels * 12 * longest / n**2)
    require(25 * eta2 <= (24 - Fraction(42, n)) ** 2)  # sqrt(2) - 1 < 5/12, sqrt(3) < 7/4
    return root_at_most(part, eta2 * square, labels * 4 * longest)


def enforced(world: World, added: int = 1) -> Slack:
    """`eta^2 = 6 K^2/N^2` and `R_rel = 2 sqrt(3) (K + 1) M/N` for clipped `b_j`, in both orders."""
    found = []
    for p in pair(world).orders:
        k2 = _largest_term2(p)
        found.append(p.within(6 * k2, 12 * (root_above(k2) + added) ** 2 * p.longest_label2))
    return every(*found)


def norm_of_the_mean(world: World, of: int = 1) -> Slack:
    """`|b| <= max |b_j|`."""
    f = pair(world).first
    longest = max(squared(times(y, x)) for x, y in zip(f.records, f.labels, strict=True))
    return at_most(of * squared(f.products), longest)


def _many_records(generator: Random) -> World:
    """Nine or more records, so that `eta` may be small; the one that comes is small as well."""
    world = {**ridge_pair(generator)}
    n = 8 // len(world["records"]) + 1
    return {
        **world,
        "records": world["records"] * n,
        "labels": world["labels"] * n,
        "new_record": times(Fraction(1, 8), world["new_record"]),
    }


def _at_the_minimiser(generator: Random) -> World:
    """A point at the minimiser of a dataset without labels, and a record with one that comes."""
    world = {**ridge_pair(generator)}
    d = len(world["theta"])
    return {**world, "labels": (Fraction(0),) * len(world["records"]), "theta": (Fraction(0),) * d}


def of_all_records(world: World) -> tuple[Any, ...]:
    """|u|^2, |v|^2, |w|^2, u.v, u.w, v.w, |A_0 A^-1|, |A_0' A^-1|, |g|, K, R."""
    p = pair(world)
    return *gram_of_three(p), root(_largest_term2(p)), norm(p.absolute)


def of_enforced(world: World) -> tuple[Any, ...]:
    """The same with M, the largest norm of a `b_j`, for R."""
    p = pair(world)
    return *gram_of_three(p), root_above(_largest_term2(p)), root(p.longest_label2)


def of_records(world: World) -> tuple[Any, ...]:
    """n, eta, |E|, |b|, the largest |b_j|, |w|."""
    p = pair(world)
    norms = (root(p.relative2), norm(p.first.products), root(p.longest_label2), norm(p.absolute))
    return p.first.count, root(_eta2(p)), *norms


def of_mean(world: World) -> tuple[Any, ...]:
    """n, |sum of the other b_j|, |b_0|, the cosine of the angle between them, the largest |b_j|."""
    f = pair(world).first
    found: list[Vector] = [times(y, x) for x, y in zip(f.records, f.labels, strict=True)]
    others = tuple(0 * a for a in found[0])
    for b in found[1:]:
        others = plus(others, b)
    return f.count, norm(others), norm(found[0]), cosine(others, found[0]), root(max(map(squared, found)))


ALL_RECORDS = lens("the recipes over the pair", all_records, ridge_pair, {"one": {"factor": 1}})
ETA_OF_THE_DATASET = lens("the recipe for eta over the dataset", eta_of_the_dataset, ridge_pair)

ABSOLUTE_OF_THE_DATASET = lens(
    "the recipe for the absolute part over the dataset", absolute_of_the_dataset, _at_the_minimiser
)

BY_RECORDS = lens("the absolute part by b and the b_j", by_records, _many_records, {"without the b_j": {"labels": 0}})

BY_RECORDS_SHARPER = lens(
    "the absolute part with its 1/N", partial(by_records, sharper=True), ridge_pair, {"without the b_j": {"labels": 0}}
)

ENFORCED = lens("enforced parameters, both orders", enforced, _at_the_minimiser, {"K - 1": {"added": -1}})
NORM_OF_THE_MEAN = lens("the mean of the b_j", norm_of_the_mean, ridge_pair, {"twice": {"of": 2}})
