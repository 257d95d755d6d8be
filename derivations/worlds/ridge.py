"""Section 5.2 in exact worlds: neighbouring ridge regressions, unreduced.

Each function takes a world of `ridge_pair` (two datasets that differ in one record, and a point) and says by how much
the statement holds there. Gradients are summed record by record; `A`, its inverse and the minimiser are Fractions.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from rgm_verify.lenses.library_of_worlds import (
    Ridge,
    matrix,
    number,
    record_gradient,
    ridge_datasets,
    ridge_pair,
    size,
    vector,
)
from rgm_verify.lenses.linear import (
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
    minus,
    outer,
    plus,
    product,
    root_above,
    smallest_eigenvalue,
    squared,
    times,
    trace,
)
from rgm_verify.lenses.reduction import cosine, norm, root
from rgm_verify.lenses.worlds import Slack, World, Worlds, at_most, equal, every, require, root_at_most, same


@dataclass(frozen=True)
class Pair:
    """Two neighbouring objectives at a point, and what Section 5.2 makes of them."""

    first: Ridge
    second: Ridge
    theta: Vector

    @property
    def records(self) -> tuple[Vector, Vector]:
        """The record that leaves and the one that comes."""
        return self.first.records[0], self.second.records[0]

    @property
    def gap(self) -> Vector:
        """N times the difference of the gradients."""
        return times(
            Fraction(self.first.count), minus(self.first.gradient(self.theta), self.second.gradient(self.theta))
        )

    @property
    def change(self) -> Matrix:
        """`A_0 - A_0'`."""
        x, z = self.records
        return combination((1, outer(x, x)), (-1, outer(z, z)))

    @property
    def error(self) -> Matrix:
        """`E = (A_0 - A_0') A^-1`."""
        return product(self.change, inverse(self.first.moments))

    @property
    def relative2(self) -> Number:
        """An upper bound on `|E|^2`, within 2^-24 of it."""
        return largest_eigenvalue(gram(self.error))[1]

    @property
    def absolute(self) -> Vector:
        """`w`, the difference of the gradients of both records at the minimiser."""
        at = self.first.minimiser()
        (x, z), y, s = self.records, self.first.labels[0], self.second.labels[0]
        return minus(record_gradient(x, y, at), record_gradient(z, s, at))

    def term2(self, record: Vector) -> Number:
        """`|A_0 A^-1|^2` as the sum of the squares of all entries, which is the norm of a matrix of rank one."""
        return trace(gram(product(outer(record, record), inverse(self.first.moments))))


def pair(world: World) -> Pair:
    """The pair of a world."""
    first, second = ridge_datasets(world)
    return Pair(first, second, world["theta"])


def gradient(world: World, labels: int = 1) -> Slack:
    """The gradient, record by record, is `A theta - b`."""
    f = pair(world).first
    return same(
        f.gradient(world["theta"]), minus(apply(f.moments, world["theta"]), times(Fraction(1, labels), f.products))
    )


def _labels(world: World, share: Number) -> Vector:
    p = pair(world)
    (x, z), y, s = p.records, p.first.labels[0], p.second.labels[0]
    return times(share, minus(times(y, x), times(s, z)))


def difference(world: World, printed: bool = False) -> Slack:
    """The difference of the gradients is `(A_0 - A_0') theta - b_0 + b_0'`, over n."""
    p = pair(world)
    share = Fraction(1, p.first.count) if printed else Fraction(1)
    return equal(squared(p.gap), squared(minus(apply(p.change, p.theta), _labels(world, share))))


def inserted(world: World, sign: int = 1) -> Slack:
    """The same as `E g + w`, without any `theta` but in the gradient `g`."""
    p = pair(world)
    return same(p.gap, plus(apply(p.error, p.first.gradient(p.theta)), times(Fraction(sign), p.absolute)))


def bound(world: World, factor: int = 3, printed: bool = False) -> Slack:
    """The bound (10) with the factor 3; as printed, its left side has `b_i` with another 1/n."""
    p = pair(world)
    x, z = p.records
    gap = minus(apply(p.change, p.theta), _labels(world, Fraction(1, p.first.count))) if printed else p.gap
    relative = (p.term2(x) + p.term2(z)) * squared(p.first.gradient(p.theta))
    return at_most(squared(gap), factor * (relative + squared(p.absolute)))


def term_norm(world: World, power: int = 2) -> Slack:
    """`|A_0 A^-1|^2`, the largest eigenvalue of a Gram matrix, is `|X_0|^2 X_0^T A^-2 X_0`."""
    p = pair(world)
    x = p.records[0]
    y = apply(inverse(p.first.moments), x)
    low, high = largest_eigenvalue(gram(product(outer(x, x), inverse(p.first.moments))))
    claimed = squared(x) * squared(y) if power == 2 else dot(x, y) ** 2
    return every(at_most(low, claimed), at_most(claimed, high))


def spectrum(matrix: Matrix) -> tuple[Number, Number]:
    """A lower bound on the smallest eigenvalue, which has to be positive, and an upper bound on the largest."""
    low, high = smallest_eigenvalue(matrix)[0], largest_eigenvalue(matrix)[1]
    require(low > 0)
    return low, high


def direct_bound(world: World, power: int = 2) -> Slack:
    """`|A_0 A^-1|^2 <= max |A_i|^2 / mu^2`."""
    p = pair(world)
    low, _ = spectrum(p.first.moments)
    largest = max(squared(x) for x in p.first.records)
    return at_most(p.term2(p.records[0]) * low**power, largest**2)


def on_one_record(world: World) -> Slack:
    """What bounds on the spectrum say of the quadratic forms of a record."""
    p = pair(world)
    low, high = spectrum(p.first.moments)
    x = p.records[1]
    y = apply(inverse(p.first.moments), x)
    return every(
        at_most(squared(x), high * dot(x, y)),
        at_most(low * squared(y), dot(x, y)),
        at_most(low**2 * squared(y), squared(x)),
    )


def on_one_record_exchanged(world: World) -> Slack:
    """The same with the ends of the spectrum exchanged: false."""
    p = pair(world)
    low, _ = spectrum(p.first.moments)
    x = p.records[1]
    return at_most(squared(x), low * dot(x, apply(inverse(p.first.moments), x)))


def kappa(world: World, form_of: str = "kappa") -> Slack:
    """`|X_0|^2 X_0^T A^-2 X_0` is at most the condition number times `(X_0^T A^-1 X_0)^2`, for any record."""
    p = pair(world)
    low, high = spectrum(p.first.moments)
    x = p.records[1]
    leverage = dot(x, apply(inverse(p.first.moments), x))
    factor = {"kappa": high / low, "sharp": (low + high) ** 2 / (4 * low * high), "one": Fraction(1)}[form_of]
    return at_most(p.term2(x), factor * leverage**2)


def leverages(world: World, share: int = 1) -> Slack:
    """The mean of `X_i^T A^-1 X_i` over the dataset is at most the dimension, and each is at most n."""
    f = pair(world).first
    back = inverse(f.moments)
    found = [form(x, back, x) for x in f.records]
    d = len(f.records[0])
    return every(at_most(sum(found) * share, f.count * d), at_most(max(found) * share, Fraction(f.count)))


def outside(world: World, largest: bool = False) -> Slack:
    """A record outside of the dataset has `X^T A^-1 X <= |X|^2 / lambda_min`."""
    p = pair(world)
    x = p.records[1]
    end = largest_eigenvalue(p.first.moments)[1] if largest else spectrum(p.first.moments)[0]
    return at_most(form(x, inverse(p.first.moments), x) * end, squared(x))


def absolute_term(world: World, dropped: bool = False) -> Slack:
    """`|w| <= |E| |b| + |b_0 - b_0'|`."""
    p = pair(world)
    labels = squared(_labels(world, Fraction(0 if dropped else 1)))
    return root_at_most(squared(p.absolute), p.relative2 * squared(p.first.products), labels)


def absolute_term_clipped(world: World, added: int = 2) -> Slack:
    """`|w| <= (|E| + 2) c` where c bounds the `X_i y_i` of both datasets."""
    p = pair(world)
    both = (*zip(p.first.records, p.first.labels, strict=True), (p.second.records[0], p.second.labels[0]))
    longest = max(squared(times(y, x)) for x, y in both)
    return root_at_most(squared(p.absolute), p.relative2 * longest, added**2 * longest)


def below_eta(world: World, divisor: int = 1) -> Slack:
    """With `eta >= |E|` and n >= 2: `|grad f - grad f'|^2 <= eta^2 |g|^2 + |w|^2/(n^2-1)`."""
    p = pair(world)
    n = p.first.count
    require(p.relative2 > 0)
    g2 = squared(p.first.gradient(p.theta))
    return at_most(squared(p.gap) / n**2, p.relative2 * g2 + squared(p.absolute) / (n**2 - divisor))


def clipped_records(world: World, power: int = 1) -> Slack:
    """`|E| <= c^2 / mu` where c bounds both records."""
    p = pair(world)
    low, _ = spectrum(p.first.moments)
    longest = max(map(squared, p.records))
    return at_most(largest_eigenvalue(gram(p.error))[0] * low ** (2 * power), longest**2)


def triangle(world: World, squares: bool = False) -> Slack:
    """`|E| <= |A_0 A^-1| + |A_0' A^-1|`; of the squares it is false."""
    p = pair(world)
    low = largest_eigenvalue(gram(p.error))[0]
    x, z = map(p.term2, p.records)
    return at_most(low, x + z) if squares else root_at_most(low, x, z)


def exact_norm(world: World, cross: int = 2) -> Slack:
    """Trace and second symmetric function of `E E^T`, whose rank is 2, in any dimension."""
    p = pair(world)
    (x, z), back = p.records, inverse(p.first.moments)
    y, v = apply(back, x), apply(back, z)
    square = gram(p.error)
    found = trace(square)
    total = squared(x) * squared(y) + squared(z) * squared(v) - cross * dot(x, z) * dot(y, v)
    areas = (squared(x) * squared(z) - dot(x, z) ** 2) * (squared(y) * squared(v) - dot(y, v) ** 2)
    return every(equal(found, total), equal((found**2 - trace(product(square, square))) / 2, areas))


def split(world: World, second: int = 1) -> Slack:
    """`|grad f - grad f'|^2 <= (1+t) e^2 |g|^2 + (1+1/t) r^2`."""
    p, t = pair(world), world["t"]
    require(t > 0)
    g2 = squared(p.first.gradient(p.theta))
    return at_most(squared(p.gap), (1 + t) * p.relative2 * g2 + (second + 1 / t) * squared(p.absolute))


def smallest(world: World, share: Fraction = Fraction(1)) -> Slack:
    """With `eta^2 = (1+t) e^2`: `R_rel^2 = eta^2 r^2/(eta^2 - e^2)` serves every point."""
    p, t = pair(world), world["t"]
    require(t > 0)
    e2 = p.relative2
    require(e2 > 0)
    eta2 = (1 + t) * e2
    rest = eta2 * squared(p.absolute) / (eta2 - e2)
    return at_most(squared(p.gap), eta2 * squared(p.first.gradient(p.theta)) + share * rest)


def _large(world: World, reverse: bool = False) -> tuple[Pair, Number]:
    """The pair at a point whose gradient is a large multiple of `v`, with the sign that counts; and `n^2 eta^2`."""
    p, t, v = pair(world), world["t"], world["theta"]
    require(t > 0)
    moved = squared(apply(p.error, v))
    require(moved > 0)
    eta2 = moved / squared(v) / (1 + t)
    scale = root_above((1 + world["regularisation"]) / (moved - eta2 * squared(v))) + 1
    sign = -1 if dot(apply(p.error, v), p.absolute) < 0 else 1
    g = times((-sign if reverse else sign) * scale, v)
    return Pair(p.first, p.second, apply(inverse(p.first.moments), plus(p.first.products, g))), eta2


def necessary(world: World, reverse: bool = False) -> Slack:
    """Return where `eta < |E v|/|v|`, the bound fails at `g = s v` as soon as `s^2 (|Ev|^2 - eta^2 |v|^2) > R^2`."""
    p, eta2 = _large(world, reverse)
    return at_most(eta2 * squared(p.first.gradient(p.theta)) + 1 + world["regularisation"], squared(p.gap))


def at_neighbour(world: World) -> Slack:
    """The bound (10) with the gradient of the neighbour: false."""
    p = pair(world)
    x, z = p.records
    relative = (p.term2(x) + p.term2(z)) * squared(p.second.gradient(p.theta))
    return at_most(squared(p.gap), 3 * (relative + squared(p.absolute)))


def both_gradients(world: World, shrink: bool = False) -> Slack:
    """If `e < 1`: `|grad f - grad f'| <= (e |g'| + r)/(1-e)`, and with `|g|`."""
    p = pair(world)
    n = p.first.count
    e = root_above(p.relative2) / n
    require(e < 1)
    rest = Fraction(1) if shrink else 1 - e
    gap, r2 = squared(p.gap) / n**2, squared(p.absolute) / n**2
    parts = [squared(f.gradient(p.theta)) for f in (p.first, p.second)]
    return every(*(root_at_most(gap, (e / rest) ** 2 * g2, r2 / rest**2) for g2 in parts))


def neighbour_matrix(world: World, sign: int = -1) -> Slack:
    """`(A_0 - A_0') A'^-1 (I - E/n) = E`, in any dimension, and `|(A_0 - A_0') A'^-1|/n <= e/(1-e)`."""
    p = pair(world)
    n, d = p.first.count, len(p.theta)
    there = product(p.change, inverse(p.second.moments))
    back = product(there, combination((1, identity(d)), (Fraction(sign, n), p.error)))
    parts = [same(left, right) for left, right in zip(back, p.error, strict=True)]
    e = root_above(p.relative2) / n
    if e < 1:
        parts.append(at_most(largest_eigenvalue(gram(there))[0] * (1 - e) ** 2, (n * e) ** 2))
    return every(*parts)


def _shared(generator: np.random.Generator) -> World:
    return {**ridge_pair(generator), "t": size(generator, 3)}


def shrunk_pair(generator: np.random.Generator) -> World:
    """Pairs of nearly equal records, or of more records, so that `e < 1` is common."""
    world = {**ridge_pair(generator)}
    if generator.random() < 0.7:
        d = len(world["theta"])
        near = plus(world["records"][0], times(Fraction(1, 10), vector(generator, d)))
        world |= {"new_record": near, "records": world["records"] * 2, "labels": world["labels"] * 2}
    return world


def _in_a_plane(generator: np.random.Generator, count: int | None = None) -> World:
    """Pairs in dimension 2, where a claim has every entry as a variable, of `count` records if it fixes their number."""
    n = count or int(generator.integers(2, 5))
    records = matrix(generator, n + 1, 2)
    return {
        "records": records[:n],
        "labels": vector(generator, n),
        "regularisation": size(generator, 2) if generator.random() < 0.5 else Fraction(0),
        "new_record": records[n],
        "new_label": number(generator),
        "theta": vector(generator, 2),
    }


def _near_minimiser(generator: np.random.Generator) -> World:
    """Records that do not agree at a point where the gradient is small, so that the absolute part is what counts."""
    world = {**ridge_pair(generator)}
    try:
        at = ridge_datasets(world)[0].minimiser()
    except ZeroDivisionError:
        return world
    return {**world, "theta": plus(at, times(Fraction(1, 50), world["theta"]))}


# --- What the variables of the claims are in a world, in the order of the symbols that a claim gives -------------------


def three_vectors(p: Pair) -> tuple[Vector, Vector, Vector]:
    """`u = A_0 A^-1 g`, `v = A_0' A^-1 g` and `w`: n times the difference of the gradients is `u - v + w`."""
    x, z = p.records
    h = apply(inverse(p.first.moments), p.first.gradient(p.theta))
    return times(dot(x, h), x), times(dot(z, h), z), p.absolute


def gram_of_three(p: Pair) -> tuple[Any, ...]:
    """|u|^2, |v|^2, |w|^2, u.v, u.w, v.w, |A_0 A^-1|, |A_0' A^-1|, |g|."""
    u, v, w = three_vectors(p)
    products = (squared(u), squared(v), squared(w), dot(u, v), dot(u, w), dot(v, w))
    return *products, *(root(p.term2(x)) for x in p.records), norm(p.first.gradient(p.theta))


def of_bound(world: World) -> tuple[Any, ...]:
    """The same for the pair of a world."""
    return gram_of_three(pair(world))


def of_direct(world: World) -> tuple[Any, ...]:
    """|X_0|^2, X_0^T A^-2 X_0, mu, the largest |X_i|^2."""
    p = pair(world)
    x = p.records[0]
    largest = max(map(squared, p.first.records))
    return squared(x), squared(apply(inverse(p.first.moments), x)), spectrum(p.first.moments)[0], largest


def of_condition(world: World) -> tuple[Any, ...]:
    """|X|^2, X^T A^-1 X, X^T A^-2 X, mu, L for any record."""
    p = pair(world)
    x = p.records[1]
    y = apply(inverse(p.first.moments), x)
    return squared(x), dot(x, y), squared(y), *spectrum(p.first.moments)


def of_leverage(world: World) -> tuple[Any, ...]:
    """The largest X_i^T A^-1 X_i, n."""
    f = pair(world).first
    back = inverse(f.moments)
    return max(form(x, back, x) for x in f.records), f.count


def of_absolute(world: World) -> tuple[Any, ...]:
    """|E|, |b|, |b_0 - b_0'|, |E b|, the cosine of the angle between E b and b_0 - b_0'."""
    p = pair(world)
    moved, labels = apply(p.error, p.first.products), _labels(world, Fraction(1))
    return root(p.relative2), norm(p.first.products), norm(labels), norm(moved), cosine(moved, labels)


def of_absolute_clipped(world: World) -> tuple[Any, ...]:
    """The same, and the largest norm of an X_i y_i."""
    p = pair(world)
    both = (*zip(p.first.records, p.first.labels, strict=True), (p.second.records[0], p.second.labels[0]))
    return *of_absolute(world), root(max(squared(times(y, x)) for x, y in both))


def of_enforced_norm(world: World) -> tuple[Any, ...]:
    """|E| as eta, |g|, |w|, |E g|, the cosine of the angle between E g and w, n."""
    p = pair(world)
    g = p.first.gradient(p.theta)
    moved = apply(p.error, g)
    return root(p.relative2), norm(g), norm(p.absolute), norm(moved), cosine(moved, p.absolute), p.first.count


def of_parts(world: World) -> tuple[Any, ...]:
    """e, r, |g|, |E g|/n, the cosine of the angle between E g and w, t."""
    e, g, w, moved, angle, n = of_enforced_norm(world)
    return e / n, w / n, g, moved / n, angle, world["t"]


def of_smallest(world: World) -> tuple[Any, ...]:
    """The same with `eta = sqrt(1 + t) e` for t."""
    p = pair(world)
    return *of_parts(world)[:5], root((1 + world["t"]) * p.relative2 / p.first.count**2)


def of_necessary(world: World) -> tuple[Any, ...]:
    """|E g|/(n |g|), r, |g|, the cosine of the angle between E g and w, eta, R_rel."""
    p, eta2 = _large(world)
    n, g = p.first.count, p.first.gradient(p.theta)
    moved = apply(p.error, g)
    e, rest = root(squared(moved) / squared(g) / n**2), root((1 + world["regularisation"]) / n**2)
    return e, norm(p.absolute) / n, norm(g), cosine(moved, p.absolute), root(eta2 / n**2), rest


def of_both_gradients(world: World) -> tuple[Any, ...]:
    """e, r, |g|, |g'|, the distance of the gradients."""
    p = pair(world)
    n = p.first.count
    slopes = (norm(f.gradient(p.theta)) for f in (p.first, p.second))
    return root_above(p.relative2) / n, norm(p.absolute) / n, *slopes, norm(p.gap) / n


def _entries(symmetric: Matrix) -> Vector:
    """The entries 11, 12 and 22."""
    return symmetric[0][0], symmetric[0][1], symmetric[1][1]


def of_exact_norm(world: World) -> tuple[Any, ...]:
    """The record that leaves, the one that comes, the inverse of A."""
    p = pair(world)
    x, z = p.records
    return *x, *z, *_entries(inverse(p.first.moments))


def of_neighbour_matrix(world: World) -> tuple[Any, ...]:
    """(A_0 - A_0')/n and A."""
    p = pair(world)
    return *_entries(combination((Fraction(1, p.first.count), p.change))), *_entries(p.first.moments)


def _lens(says: str, statement: Any, draw: Any = ridge_pair, **broken: Any) -> Worlds:
    return Worlds(says, draw, statement, {name.replace("_", " "): wrong for name, wrong in broken.items()})


GRADIENT = _lens("the gradient, record by record", gradient, b_without_its_share=partial(gradient, labels=2))
DIFFERENCE = _lens("the difference of two gradients", difference, b_with_1_over_n=partial(difference, printed=True))
DIFFERENCE_PRINTED = _lens("the difference as printed", partial(difference, printed=True))
INSERTED = _lens("the difference as E g + w", inserted, sign=partial(inserted, sign=-1))
BOUND = _lens("(10) for neighbouring datasets", bound, factor_1=partial(bound, factor=1))
BOUND_PRINTED = _lens("(10) with the printed b", partial(bound, printed=True), _near_minimiser)
TERM_NORM = _lens("the 2-norm of A_0 A^-1", term_norm, by_the_leverage=partial(term_norm, power=1))
DIRECT = _lens("the direct bound", direct_bound, another_unit=partial(direct_bound, power=4))
ON_ONE_RECORD = _lens("forms of a record and the spectrum", on_one_record, exchanged=on_one_record_exchanged)
KAPPA = _lens("the condition number of A", kappa, left_out=partial(kappa, form_of="one"))
KANTOROVICH = _lens("the sharp function of it", partial(kappa, form_of="sharp"), left_out=partial(kappa, form_of="one"))
LEVERAGES = _lens("leverages of a dataset", leverages, twice=partial(leverages, share=2))
OUTSIDE = _lens("leverage of any record", outside, largest_eigenvalue=partial(outside, largest=True))
ABSOLUTE = _lens("the absolute term", absolute_term, without_labels=partial(absolute_term, dropped=True))
ABSOLUTE_CLIPPED = _lens("the absolute term", absolute_term_clipped, without_2=partial(absolute_term_clipped, added=0))
BELOW_ETA = _lens("a norm below eta", below_eta, n_squared_too_large=partial(below_eta, divisor=-40))
CLIPPED_RECORDS = _lens("clipped records and E", clipped_records, another_unit=partial(clipped_records, power=2))
TRIANGLE = _lens("the norm of E", triangle, of_squares=partial(triangle, squares=True))
EXACT_NORM = _lens("the spectrum of E in 1 to 3 dimensions", exact_norm, no_cross_term=partial(exact_norm, cross=0))
SPLIT = Worlds("the two parts shared", _shared, split, {"without the 1": partial(split, second=0)})
SMALLEST = Worlds(
    "R_rel for a given eta at every point", _shared, smallest, {"half": partial(smallest, share=Fraction(1, 2))}
)
NECESSARY = Worlds(
    "no R_rel for a smaller eta", _shared, necessary, {"the other sign": partial(necessary, reverse=True)}
)
AT_NEIGHBOUR = Worlds("(10) with the neighbour's gradient", ridge_pair, at_neighbour)
BOTH_GRADIENTS = Worlds(
    "e/(1-e) and r/(1-e) for both gradients",
    shrunk_pair,
    both_gradients,
    {"e and r": partial(both_gradients, shrink=True)},
)
NEIGHBOUR_MATRIX = Worlds(
    "E at the neighbour, in 1 to 3 dimensions",
    shrunk_pair,
    neighbour_matrix,
    {"plus": partial(neighbour_matrix, sign=1)},
)
EXACT_NORM_IN_A_PLANE = replace(EXACT_NORM, says="the same in a plane", worlds=_in_a_plane)
NEIGHBOUR_MATRIX_IN_A_PLANE = replace(NEIGHBOUR_MATRIX, says="the same in a plane", worlds=_in_a_plane)
