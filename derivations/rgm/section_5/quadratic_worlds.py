"""Section 5.2 in exact worlds: neighbouring ridge regressions, unreduced.

Each function takes a world of `ridge_pair` (two datasets that differ in one record, and a point) and says by how much
the statement holds there. Gradients are summed record by record; `A`, its inverse and the minimiser are Fractions.
"""

from ...exact_worlds import *


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

    @property
    def orders(self) -> tuple["Pair", "Pair"]:
        """The pair, and the pair with its datasets exchanged."""
        return self, Pair(self.second, self.first, self.theta)

    @property
    def longest_label2(self) -> Number:
        """The largest `|X_j y_j|^2` over both datasets."""
        data = (*zip(self.first.records, self.first.labels, strict=True), (self.records[1], self.second.labels[0]))
        return max(squared(times(y, x)) for x, y in data)

    def within(self, relative2: Number, absolute2: Number) -> Slack:
        """The statement that `|n (g - g')|^2` is at most `relative2 |g|^2 + absolute2`."""
        return at_most(squared(self.gap), relative2 * squared(self.first.gradient(self.theta)) + absolute2)

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
    """Bounds on the quadratic forms of a record, from bounds on the spectrum."""
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


def absolute_term(world: World, dropped: bool = False) -> Slack:
    """`|w| <= |E| |b| + |b_0 - b_0'|`."""
    p = pair(world)
    labels = squared(_labels(world, Fraction(0 if dropped else 1)))
    return root_at_most(squared(p.absolute), p.relative2 * squared(p.first.products), labels)


def absolute_term_clipped(world: World, added: int = 2) -> Slack:
    """`|w| <= (|E| + 2) c` where c bounds the `X_i y_i` of both datasets."""
    p = pair(world)
    longest = p.longest_label2
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


def _near_minimiser(generator: Random) -> World:
    """Records that do not agree at a point where the gradient is small, so that the absolute part is what counts."""
    world = {**ridge_pair(generator)}
    try:
        at = ridge_datasets(world)[0].minimiser()
    except ZeroDivisionError:
        return world
    return {**world, "theta": plus(at, times(Fraction(1, 50), world["theta"]))}


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


def of_absolute(world: World) -> tuple[Any, ...]:
    """|E|, |b|, |b_0 - b_0'|, |E b|, the cosine of the angle between E b and b_0 - b_0'."""
    p = pair(world)
    moved, labels = apply(p.error, p.first.products), _labels(world, Fraction(1))
    return root(p.relative2), norm(p.first.products), norm(labels), norm(moved), cosine(moved, labels)


def of_absolute_clipped(world: World) -> tuple[Any, ...]:
    """The same, and the largest norm of an X_i y_i."""
    return *of_absolute(world), root(pair(world).longest_label2)


def of_enforced_norm(world: World) -> tuple[Any, ...]:
    """|E| as eta, |g|, |w|, |E g|, the cosine of the angle between E g and w, n."""
    p = pair(world)
    g = p.first.gradient(p.theta)
    moved = apply(p.error, g)
    return root(p.relative2), norm(g), norm(p.absolute), norm(moved), cosine(moved, p.absolute), p.first.count


GRADIENT = lens("the gradient, record by record", gradient, ridge_pair, {"b without its share": {"labels": 2}})
DIFFERENCE = lens("the difference of two gradients", difference, ridge_pair, {"b with 1 over n": {"printed": True}})
DIFFERENCE_PRINTED = lens("the difference as printed", partial(difference, printed=True), ridge_pair)
INSERTED = lens("the difference as E g + w", inserted, ridge_pair, {"sign": {"sign": -1}})
BOUND = lens("(10) for neighbouring datasets", bound, ridge_pair, {"factor 1": {"factor": 1}})
BOUND_PRINTED = lens("(10) with the printed b", partial(bound, printed=True), _near_minimiser)
TERM_NORM = lens("the 2-norm of A_0 A^-1", term_norm, ridge_pair, {"by the leverage": {"power": 1}})
DIRECT = lens("the direct bound", direct_bound, ridge_pair, {"another unit": {"power": 4}})

ON_ONE_RECORD = lens(
    "forms of a record and the spectrum", on_one_record, ridge_pair, {"exchanged": on_one_record_exchanged}
)

KAPPA = lens("the condition number of A", kappa, ridge_pair, {"left out": {"form_of": "one"}})
LEVERAGES = lens("leverages of a dataset", leverages, ridge_pair, {"twice": {"share": 2}})
ABSOLUTE = lens("the absolute term", absolute_term, ridge_pair, {"without labels": {"dropped": True}})
ABSOLUTE_CLIPPED = lens("the absolute term", absolute_term_clipped, ridge_pair, {"without 2": {"added": 0}})
BELOW_ETA = lens("a norm below eta", below_eta, ridge_pair, {"n squared too large": {"divisor": -40}})
CLIPPED_RECORDS = lens("clipped records and E", clipped_records, ridge_pair, {"another unit": {"power": 2}})
