"""Orders of matrices in exact worlds: `A` above `rho C` without common eigenvectors, in 1 to 3 dimensions.

What is true of matrices that commute is not enough here: `C = R R^T + r I` and `A = rho C + N N^T` are drawn in general
position, with `N` of low rank now and then, so that the order is tight in some directions.
"""

from ...beyond.sensitivity.quadratic_worlds import shrunk_pair
from ...exact_worlds import *
from .quadratic_worlds import Pair, pair, spectrum, three_vectors


def condition(matrix: Matrix) -> Number:
    """An upper bound on the condition number."""
    low, high = spectrum(matrix)
    return high / low


def kantorovich(kappa: Number) -> Number:
    """The factor of Kantorovich's inequality."""
    return (1 + kappa) ** 2 / (4 * kappa)


def solved(matrix: Matrix, x: Vector) -> Vector:
    """The solution of `matrix y = x`."""
    return apply(inverse(matrix), x)


def squares(world: World, factor: str = "none") -> Slack:
    """`rho^2 |A^-1 x|^2` against `|C^-1 x|^2`, with a factor in front of the latter."""
    a, c = ordered_matrices(world)
    price = {"none": Fraction(1), "kantorovich": kantorovich(condition(c)), "of A": kantorovich(condition(a))}[factor]
    return at_most(world["rho"] ** 2 * squared(solved(a, world["x"])), price * squared(solved(c, world["x"])))


def point_of(world: World) -> Vector:
    """The point, which is not 0."""
    require(any(world["x"]))
    return tuple(world["x"])


def norm2_of(matrix: Matrix, x: Vector) -> Number:
    """`|x x^T M^-1|^2`."""
    return squared(x) * squared(solved(matrix, x))


def clipped(world: World, factor: str = "kantorovich", ellipsoid: bool = False) -> Slack:
    """Return the contribution of a clipped point: `|x x^T A^-1|^2`, with the threshold at the point."""
    a, c = ordered_matrices(world)
    x = point_of(world)
    kappa = condition(c)
    price = {"none": Fraction(1), "kantorovich": kantorovich(kappa), "kappa": kappa}[factor]
    threshold = dot(x, solved(c, x)) ** 2 if ellipsoid else norm2_of(c, x)
    return at_most(world["rho"] ** 2 * norm2_of(a, x), price * threshold)


def compared(world: World, factor: Fraction = Fraction(1), reverse: bool = False) -> Slack:
    """`(x^T C^-1 x)^2 <= |x|^2 |C^-1 x|^2`: the printed clipping is the stronger one."""
    _, c = ordered_matrices(world)
    x = point_of(world)
    leverage2, printed = dot(x, solved(c, x)) ** 2, norm2_of(c, x)
    return at_most(printed, leverage2) if reverse else at_most(leverage2, factor * printed)


def condition_number(world: World, factor: str = "kappa") -> Slack:
    """`|x|^2 x^T C^-2 x` against `(x^T C^-1 x)^2`."""
    _, c = ordered_matrices(world)
    price = {"none": Fraction(1), "kappa": condition(c), "sharp": kantorovich(condition(c))}[factor]
    return at_most(norm2_of(c, world["x"]), price * dot(world["x"], solved(c, world["x"])) ** 2)


def rayleigh(world: World, both: bool = False) -> Slack:
    """`(x^T w)^2 <= (x^T C^-1 x)(w^T C w)`."""
    _, c = ordered_matrices(world)
    x, w = world["x"], world["above"][0] if len(world["above"][0]) == len(world["x"]) else world["root"][0]
    return at_most(dot(x, w) ** 2, form(x, c if both else inverse(c), x) * form(w, c, w))


def share_of(world: World) -> Number:
    """The share beta of a level that is proposed, below 1."""
    require(world["beta"] > 0)
    return world["beta"] / (1 + world["beta"])


def level_below(world: World, p: Pair) -> tuple[Matrix, Number]:
    """C, and a level that the covariances of both datasets are above of."""
    _, c = ordered_matrices({**world, "above": world["root"]})
    rho = min(largest_level(f.moments, c)[0] for f in (p.first, p.second))
    require(rho > 0)
    return c, rho


def radius4_of(c: Matrix, p: Pair) -> Number:
    """The threshold that all records of the pair are within, as the printed clipping has it."""
    found = max(norm2_of(c, x) for x in (*p.first.records, p.second.records[0]))
    require(found > 0)
    return found


def proposition_1(world: World, factor: str = "kantorovich", six: Fraction = Fraction(6)) -> Slack:
    """Proposition 1 for a pair of datasets within the threshold, at a point, in both orders.

    With copies of every record the means stay, and one copy of one record is replaced.
    """
    p = pair(world)
    c, rho = level_below(world, p)
    n = p.first.count * world.get("copies", 1)
    radius4 = radius4_of(c, p)
    price = {"kantorovich": kantorovich(condition(c)), "none": Fraction(1)}[factor]
    eta2 = six * price * radius4 / (rho * n) ** 2
    found = []
    for q in p.orders:
        rest = 3 * squared(q.absolute) / n**2
        found.append(at_most(squared(q.gap) / n**2, eta2 * squared(q.first.gradient(q.theta)) + rest))
    return every(*found)


def above_sigma(world: World, p: Pair) -> tuple[Matrix, Number]:
    """A covariance that those of both datasets are above of, and L_rel/(6 d) for the records that differ, from 2/3 on."""
    c, rho = level_below(world, p)
    sigma = combination((rho, c))
    furthest = max(dot(x, solved(sigma, x)) for x in p.records)
    return sigma, max(furthest / (6 * len(p.theta)), furthest * 0 + Fraction(2, 3))


def of_ellipsoid(world: World) -> tuple[Any, ...]:
    """The spectrum of C, rho, R_c, |x|^2, |A^-1 x|^2, u^T C u, x^T A^-1 x, x^T C^-1 x, the point on the ellipsoid."""
    a, c = ordered_matrices(world)
    x = world["x"]
    u, e = solved(a, x), dot(x, solved(c, x))
    return *spectrum(c), world["rho"], root(e), squared(x), squared(u), form(u, c, u), dot(x, u), e


def of_relative_norm(world: World) -> tuple[Any, ...]:
    """|x|^2, x^T A^-1 x, x^T A^-2 x, x^T C^-1 x, the largest and the smallest eigenvalue of C, rho."""
    a, c = ordered_matrices(world)
    x = world["x"]
    u = solved(a, x)
    return squared(x), dot(x, u), squared(u), dot(x, solved(c, x)), *spectrum(c)[::-1], world["rho"]


def of_condition(world: World) -> tuple[Any, ...]:
    """|x|^2, x^T C^-2 x, x^T C^-1 x, the largest and the smallest eigenvalue of C."""
    _, c = ordered_matrices(world)
    x = world["x"]
    y = solved(c, x)
    return squared(x), squared(y), dot(x, y), *spectrum(c)[::-1]


def of_compared(world: World) -> tuple[Any, ...]:
    """The same, and R_c^2 with the point on the threshold of the printed clipping."""
    found = of_condition(world)
    return *found, root(found[0] * found[1])


def of_three_parts(world: World) -> tuple[Pair, Matrix, Number, tuple[Any, ...]]:
    """The pair, C, rho, and the norms of the three parts of the difference of the gradients."""
    p = pair(world)
    c, rho = level_below(world, p)
    return p, c, rho, tuple(map(norm, three_vectors(p)))


def of_gaussian_pair(world: World) -> tuple[Any, ...]:
    """For each record |X|^2, X^T A^-1 X, X^T A^-2 X, X^T Sigma^-1 X; L, l; the parts, the gap, |g|; d, log(2n/delta), n."""
    p = pair(world)
    sigma, y = above_sigma(world, p)
    numbers: list[Any] = []
    for x in p.records:
        u = solved(p.first.moments, x)
        numbers += (squared(x), dot(x, u), squared(u), dot(x, solved(sigma, x)))
    low, high = spectrum(sigma)
    vectors = (*three_vectors(p), p.gap, p.first.gradient(p.theta))
    return *numbers, high, low, *map(norm, vectors), len(p.theta), y, p.first.count


def of_printed_proposition_1(world: World) -> tuple[Any, ...]:
    """The three points that stay, the eigenvalues of C, rho, R_c, mu_reg, the point in the place of 0, theta, the copies."""
    p, c, rho, _ = of_three_parts(world)
    stay = (a for record in p.first.records[1:] for a in record)
    others = (root(root(radius4_of(c, p))), world["regularisation"], *world["new_record"], *world["theta"])
    return *stay, c[0][0], c[1][1], rho, *others, world["copies"]


def draw_with_share(generator: Random) -> World:
    """Ordered matrices with a share."""
    return {**ordered_pair(generator), "beta": size(generator, 3)}


def draw_clipped_pair(generator: Random) -> World:
    """Pairs of datasets with a matrix C and a level."""
    world = shrunk_pair(generator)
    d = len(world["theta"])
    return {**world, "root": matrix(generator, d, d), "ridge": size(generator, 2), "rho": size(generator, 2)}


def _long_ellipse(generator: Random) -> World:
    """Copies of the points (a, -1), (a, 0), (0, 1) and 0, of which one 0 becomes (4a, 0); C is long along the first axis.

    What is an int here stays: the point at 0, the labels, the axes of C, and the number of copies.
    """
    a, zero, one = Fraction(int(generator.integers(6, 20))), Fraction(0), Fraction(1)
    return {
        "records": ((0, 0), (a, -one), (a, zero), (zero, one)),
        "labels": (0,) * 4,
        "regularisation": zero,
        "new_record": (4 * a, zero),
        "new_label": 0,
        "theta": (one, 2 * a + Fraction(int(generator.integers(-6, 7)), 4)),
        "root": ((a, 0), (0, 0)),
        "ridge": one,
        "rho": one,
        "copies": 1000,
    }


SQUARES_PRINTED = lens("A^-2 by the order of A and rho C", squares, ordered_pair)
CLIPPED_PRINTED = lens("a clipped point, without a factor", partial(clipped, factor="none"), ordered_pair)

ELLIPSOID_POINT = lens(
    "a point clipped to the ellipsoid",
    partial(clipped, factor="kappa", ellipsoid=True),
    ordered_pair,
    {"no factor": {"factor": "none"}},
)

COMPARED = lens("both clippings", compared, ordered_pair, {"a half": {"factor": Fraction(1, 2)}})
COMPARED_PRINTED = lens("the ellipsoid as the stronger clipping", partial(compared, reverse=True), ordered_pair)
CONDITION = lens("the price of a condition number", condition_number, ordered_pair, {"left out": {"factor": "none"}})
RAYLEIGH = lens("Cauchy-Schwarz for C", rayleigh, ordered_pair, {"C twice": {"both": True}})

PROPOSITION_1_PRINTED = lens(
    "Proposition 1 as printed, for pairs of datasets", partial(proposition_1, factor="none"), _long_ellipse
)
