"""The sensitivity of least squares beyond Section 5.2 in exact worlds of neighbouring ridge regressions."""

from ...exact_worlds import *
from ...rgm.section_5.quadratic_worlds import Pair, kappa, of_enforced_norm, pair, spectrum


def outside(world: World, largest: bool = False) -> Slack:
    """A record outside of the dataset has `X^T A^-1 X <= |X|^2 / lambda_min`."""
    p = pair(world)
    x = p.records[1]
    end = largest_eigenvalue(p.first.moments)[1] if largest else spectrum(p.first.moments)[0]
    return at_most(form(x, inverse(p.first.moments), x) * end, squared(x))


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
    return p.within((1 + t) * p.relative2, (second + 1 / t) * squared(p.absolute))


def smallest(world: World, share: Fraction = Fraction(1)) -> Slack:
    """With `eta^2 = (1+t) e^2`: `R_rel^2 = eta^2 r^2/(eta^2 - e^2)` serves every point."""
    p, t = pair(world), world["t"]
    require(t > 0)
    e2 = p.relative2
    require(e2 > 0)
    eta2 = (1 + t) * e2
    return p.within(eta2, share * (eta2 * squared(p.absolute) / (eta2 - e2)))


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


def _shared(generator: Random) -> World:
    return {**ridge_pair(generator), "t": size(generator, 3)}


def shrunk_pair(generator: Random) -> World:
    """Pairs of nearly equal records, or of more records, so that `e < 1` is common."""
    world = {**ridge_pair(generator)}
    if generator.random() < 0.7:
        d = len(world["theta"])
        near = plus(world["records"][0], times(Fraction(1, 10), vector(generator, d)))
        world |= {"new_record": near, "records": world["records"] * 2, "labels": world["labels"] * 2}
    return world


def _in_a_plane(generator: Random, count: int | None = None) -> World:
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


def of_leverage(world: World) -> tuple[Any, ...]:
    """The largest X_i^T A^-1 X_i, n."""
    f = pair(world).first
    back = inverse(f.moments)
    return max(form(x, back, x) for x in f.records), f.count


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


KANTOROVICH = lens(
    "the sharp function of it", partial(kappa, form_of="sharp"), ridge_pair, {"left out": {"form_of": "one"}}
)

OUTSIDE = lens("leverage of any record", outside, ridge_pair, {"largest eigenvalue": {"largest": True}})
TRIANGLE = lens("the norm of E", triangle, ridge_pair, {"of squares": {"squares": True}})
EXACT_NORM = lens("the spectrum of E in 1 to 3 dimensions", exact_norm, ridge_pair, {"no cross term": {"cross": 0}})
SPLIT = lens("the two parts shared", split, _shared, {"without the 1": {"second": 0}})
SMALLEST = lens("R_rel for a given eta at every point", smallest, _shared, {"half": {"share": Fraction(1, 2)}})
NECESSARY = lens("no R_rel for a smaller eta", necessary, _shared, {"the other sign": {"reverse": True}})
AT_NEIGHBOUR = lens("(10) with the neighbour's gradient", at_neighbour, ridge_pair)

BOTH_GRADIENTS = lens(
    "e/(1-e) and r/(1-e) for both gradients", both_gradients, shrunk_pair, {"e and r": {"shrink": True}}
)

NEIGHBOUR_MATRIX = lens(
    "E at the neighbour, in 1 to 3 dimensions", neighbour_matrix, shrunk_pair, {"plus": {"sign": 1}}
)

EXACT_NORM_IN_A_PLANE = replace(EXACT_NORM, says="the same in a plane", worlds=_in_a_plane)
NEIGHBOUR_MATRIX_IN_A_PLANE = replace(NEIGHBOUR_MATRIX, says="the same in a plane", worlds=_in_a_plane)
