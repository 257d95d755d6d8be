"""Orders of matrices in exact worlds: `A` above `rho C` without common eigenvectors, in 1 to 3 dimensions.

What is true of matrices that commute is not enough here: `C = R R^T + r I` and `A = rho C + N N^T` are drawn in general
position, with `N` of low rank now and then, so that the order is tight in some directions.
"""

from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from rgm_verify.lenses.worlds.exact import Slack, World, at_most, equal, every, require
from rgm_verify.lenses.worlds.library import matrix, ordered_matrices, ordered_pair, size
from rgm_verify.lenses.worlds.linear import (
    Matrix,
    Number,
    Vector,
    apply,
    combination,
    dot,
    form,
    identity,
    inverse,
    largest_eigenvalue,
    largest_level,
    smallest_eigenvalue,
    squared,
)
from rgm_verify.lenses.worlds.reduction import norm, root

from .making import lens
from .ridge import Pair, pair, shrunk_pair, spectrum, three_vectors


def condition(matrix: Matrix) -> Number:
    """An upper bound on the condition number."""
    low, high = spectrum(matrix)
    return high / low


def kantorovich(kappa: Number) -> Number:
    """The factor of Kantorovich's inequality."""
    return (1 + kappa) ** 2 / (4 * kappa)


def _solved(matrix: Matrix, x: Vector) -> Vector:
    return apply(inverse(matrix), x)


def squares(world: World, factor: str = "none") -> Slack:
    """`rho^2 |A^-1 x|^2` against `|C^-1 x|^2`, with a factor in front of the latter."""
    a, c = ordered_matrices(world)
    price = {"none": Fraction(1), "kantorovich": kantorovich(condition(c)), "of A": kantorovich(condition(a))}[factor]
    return at_most(world["rho"] ** 2 * squared(_solved(a, world["x"])), price * squared(_solved(c, world["x"])))


def two_factors(world: World) -> Slack:
    """The order of squares with the condition number of C and with that of A."""
    return every(squares(world, "kantorovich"), squares(world, "of A"))


def inverses(world: World, power: int = 1) -> Slack:
    """`rho x^T A^-1 x <= x^T C^-1 x`."""
    a, c = ordered_matrices(world)
    x = world["x"]
    return at_most(world["rho"] ** power * dot(x, _solved(a, x)), dot(x, _solved(c, x)))


def _point(world: World) -> Vector:
    """The point, which is not 0."""
    require(any(world["x"]))
    return tuple(world["x"])


def _norm2(matrix: Matrix, x: Vector) -> Number:
    """`|x x^T M^-1|^2`."""
    return squared(x) * squared(_solved(matrix, x))


def clipped(world: World, factor: str = "kantorovich", ellipsoid: bool = False) -> Slack:
    """Return the contribution of a clipped point: `|x x^T A^-1|^2`, with the threshold at the point."""
    a, c = ordered_matrices(world)
    x = _point(world)
    kappa = condition(c)
    price = {"none": Fraction(1), "kantorovich": kantorovich(kappa), "kappa": kappa}[factor]
    threshold = dot(x, _solved(c, x)) ** 2 if ellipsoid else _norm2(c, x)
    return at_most(world["rho"] ** 2 * _norm2(a, x), price * threshold)


def through_inverse(world: World, factor: bool = True) -> Slack:
    """The same with the condition number of A and the printed clipping."""
    a, c = ordered_matrices(world)
    x = _point(world)
    return at_most(world["rho"] ** 2 * _norm2(a, x), (condition(a) if factor else 1) * _norm2(c, x))


def compared(world: World, factor: Fraction = Fraction(1), reverse: bool = False) -> Slack:
    """`(x^T C^-1 x)^2 <= |x|^2 |C^-1 x|^2`: the printed clipping is the stronger one."""
    _, c = ordered_matrices(world)
    x = _point(world)
    leverage2, printed = dot(x, _solved(c, x)) ** 2, _norm2(c, x)
    return at_most(printed, leverage2) if reverse else at_most(leverage2, factor * printed)


def condition_number(world: World, factor: str = "kappa") -> Slack:
    """`|x|^2 x^T C^-2 x` against `(x^T C^-1 x)^2`."""
    _, c = ordered_matrices(world)
    price = {"none": Fraction(1), "kappa": condition(c), "sharp": kantorovich(condition(c))}[factor]
    return at_most(_norm2(c, world["x"]), price * dot(world["x"], _solved(c, world["x"])) ** 2)


def inclusion_printed(world: World) -> Slack:
    """Version 1's inclusion: `X^T A^-1 X > sqrt(kappa) L` whenever the norm exceeds `L`."""
    _, c = ordered_matrices(world)
    kappa = largest_eigenvalue(c)[0] / smallest_eigenvalue(c)[1]  # from below: what fails here fails for kappa
    return at_most(kappa * _norm2(c, world["x"]), dot(world["x"], _solved(c, world["x"])) ** 2)


def rayleigh(world: World, both: bool = False) -> Slack:
    """`(x^T w)^2 <= (x^T C^-1 x)(w^T C w)`."""
    _, c = ordered_matrices(world)
    x, w = world["x"], world["above"][0] if len(world["above"][0]) == len(world["x"]) else world["root"][0]
    return at_most(dot(x, w) ** 2, form(x, c if both else inverse(c), x) * form(w, c, w))


def longest(world: World, unit: int = 1) -> Slack:
    """`|x|^2 <= L x^T C^-1 x`: clipped records have bounded norms."""
    _, c = ordered_matrices(world)
    return at_most(squared(world["x"]), largest_eigenvalue(c)[1] ** unit * dot(world["x"], _solved(c, world["x"])))


def _share(world: World) -> Number:
    require(world["beta"] > 0)
    return world["beta"] / (1 + world["beta"])


def _at_most_one(world: World) -> Number:
    """The level as clipped records have it: their covariance is below that of all."""
    require(world["rho"] <= 1)
    return world["rho"]


def share_left(world: World, printed: bool = False) -> Slack:
    """`A >= rho C` leaves `A - beta rho C >= (1 - beta) rho C`, along x; as printed without rho."""
    a, c = ordered_matrices(world)
    beta, rho, x = _share(world), _at_most_one(world), _point(world)
    left = form(x, combination((1, a), (-beta * rho, c)), x)
    return at_most((1 - beta) * (1 if printed else rho) * form(x, c, x), left)


def statistic_terms(world: World, printed: bool = False) -> Slack:
    """`x^T (A - beta rho C)^-1 x <= x^T C^-1 x / ((1 - beta) rho)`."""
    a, c = ordered_matrices(world)
    beta, rho, x = _share(world), _at_most_one(world), _point(world)
    left = dot(x, _solved(combination((1, a), (-beta * rho, c)), x))
    return at_most(left * (1 - beta) * (1 if printed else rho), dot(x, _solved(c, x)))


def _deviation(world: World) -> tuple[Matrix, Matrix, Number]:
    """C, another matrix, and an upper bound on their distance."""
    _, c = ordered_matrices(world)
    other = _symmetric(world)
    delta = max(largest_eigenvalue(other)[1], largest_eigenvalue(combination((-1, other)))[1])
    return c, combination((1, c), (1, other)), delta


def event(world: World, half: bool = False) -> Slack:
    """`|A - C| <= Delta` gives `A + Delta I >= C`, along x."""
    c, other, delta = _deviation(world)
    x = _point(world)
    raised = combination((1, other), (delta * Fraction(1, 2 if half else 1), identity(len(c))))
    return at_most(form(x, c, x), form(x, raised, x))


def _symmetric(world: World) -> Matrix:
    root = world["root"]
    return tuple(tuple(root[min(i, j)][max(i, j)] for j in range(len(root))) for i in range(len(root)))


def whitening(world: World, doubled: bool = False) -> Slack:
    """`X^T Sigma^-1 X = |u|^2` for `X = M u` and `Sigma = M M^T`."""
    root = world["root"]
    x = apply(root, world["x"])
    sigma = tuple(tuple(dot(a, b) for b in root) for a in root)
    return equal(dot(x, _solved(sigma, x)), squared(world["x"]) * (2 if doubled else 1))


def helpful(world: World, other: bool = False) -> Slack:
    """If `rho lambda_min(C) > mu_reg`: `mu_reg^2 |x|^2 x^T C^-2 x < rho^2 |x|^4`."""
    _, c = ordered_matrices(world)
    low, high = spectrum(c)
    rho, share = world["rho"], _share(world)
    reg = share * rho * (high if other else low)
    x = _point(world)
    return at_most(reg**2 * squared(_solved(c, x)), rho**2 * squared(x))


# --- Proposition 1 for neighbouring datasets ---------------------------------------------------------------------


def _levels(world: World, p: Pair) -> tuple[Matrix, Number]:
    """C, and a level that the covariances of both datasets are above of."""
    _, c = ordered_matrices({**world, "above": world["root"]})
    rho = min(largest_level(f.moments, c)[0] for f in (p.first, p.second))
    require(rho > 0)
    return c, rho


def _radius4(c: Matrix, p: Pair) -> Number:
    """The threshold that all records of the pair are within, as the printed clipping has it."""
    found = max(_norm2(c, x) for x in (*p.first.records, p.second.records[0]))
    require(found > 0)
    return found


def _radius2(c: Matrix, p: Pair) -> Number:
    """The square of the threshold of the ellipsoid that all records of the pair lie in."""
    found = _largest_leverage(c, p)
    require(found > 0)
    return found


def _largest_leverage(c: Matrix, p: Pair) -> Number:
    return max(dot(x, _solved(c, x)) for x in (*p.first.records, p.second.records[0]))


def proposition_1(world: World, factor: str = "kantorovich", six: Fraction = Fraction(6)) -> Slack:
    """Proposition 1 for a pair of datasets within the threshold, at a point, in both orders."""
    p = pair(world)
    c, rho = _levels(world, p)
    n = p.first.count
    radius4 = _radius4(c, p)
    price = {"kantorovich": kantorovich(condition(c)), "none": Fraction(1)}[factor]
    eta2 = six * price * radius4 / (rho * n) ** 2
    found = []
    for q in p.orders:
        rest = 3 * squared(q.absolute) / n**2
        found.append(at_most(squared(q.gap) / n**2, eta2 * squared(q.first.gradient(q.theta)) + rest))
    return every(*found)


def proposition_1_split(world: World, four: Fraction = Fraction(4)) -> Slack:
    """The same with the parts shared freely."""
    p, z = pair(world), world["rho"]
    require(z > 0)
    c, rho = _levels(world, p)
    radius4 = _radius4(c, p)
    price = kantorovich(condition(c)) * radius4 / rho**2
    return p.within(four * (1 + z) * price, (1 + 1 / z) * squared(p.absolute))


def _proposition_3(world: World) -> tuple[Pair, Matrix, Number, Number]:
    """The pair, C, the square of the threshold, and a level of the first dataset; of the second nothing is asked."""
    p = pair(world)
    _, c = ordered_matrices({**world, "above": world["root"]})
    radius2 = _radius2(c, p)
    # mu_reg of the proposition is 4 |Sigma| R_c^2 sqrt(log(2d/nu)/n), and log 2 > 2/3.
    least = 4 * largest_eigenvalue(c)[1] * radius2
    require(3 * p.first.count * world["regularisation"] ** 2 >= 2 * least**2)
    rho = largest_level(p.first.moments, c)[0]
    require(rho > 0)
    return p, c, radius2, rho


def ellipsoid_sensitivity(world: World, share: Fraction = Fraction(1)) -> Slack:
    """Proposition 3's sensitivity in both orders: `eta^2 = 6 kappa R_c^4/(rho^2 n^2)` for records in the ellipsoid."""
    p, c, radius2, rho = _proposition_3(world)
    eta2 = 6 * share * condition(c) * radius2**2 / rho**2
    return every(*(q.within(eta2, 3 * squared(q.absolute)) for q in p.orders))


def _above_sigma(world: World, p: Pair) -> tuple[Matrix, Number]:
    """A covariance that those of both datasets are above of, and L_rel/(6 d) for the records that differ, from 2/3 on."""
    c, rho = _levels(world, p)
    sigma = combination((rho, c))
    furthest = max(dot(x, _solved(sigma, x)) for x in p.records)
    return sigma, max(furthest / (6 * len(p.theta)), furthest * 0 + Fraction(2, 3))


def gaussian_pair(world: World, factor: int = 216, kappa: bool = True) -> Slack:
    """Proposition 1 of version 1 for a pair of datasets above Sigma, at a point, in both orders."""
    p = pair(world)
    sigma, y = _above_sigma(world, p)
    eta2 = factor * (condition(sigma) if kappa else 1) * (len(p.theta) * y) ** 2
    return every(*(q.within(eta2, 3 * squared(q.absolute)) for q in p.orders))


# --- What the variables of the claims are in a world, in the order of the symbols that a claim gives -------------------


def of_squares(world: World) -> tuple[Any, ...]:
    """The spectrum of C, rho, |A^-1 x|^2, |C^-1 x|^2, u^T C u, |C u|^2 and u.x for u = A^-1 x."""
    a, c = ordered_matrices(world)
    x = world["x"]
    u = _solved(a, x)
    numbers = (squared(u), squared(_solved(c, x)), form(u, c, u), squared(apply(c, u)), dot(u, x))
    return *spectrum(c), world["rho"], *numbers


def of_clipped(world: World) -> tuple[Any, ...]:
    """The same, |x|^2, and the threshold with the point on it."""
    _, c = ordered_matrices(world)
    return *of_squares(world), squared(world["x"]), root(root(_norm2(c, world["x"])))


def of_ellipsoid(world: World) -> tuple[Any, ...]:
    """The spectrum of C, rho, R_c, |x|^2, |A^-1 x|^2, u^T C u, x^T A^-1 x, x^T C^-1 x, the point on the ellipsoid."""
    a, c = ordered_matrices(world)
    x = world["x"]
    u, e = _solved(a, x), dot(x, _solved(c, x))
    return *spectrum(c), world["rho"], root(e), squared(x), squared(u), form(u, c, u), dot(x, u), e


def of_relative_norm(world: World) -> tuple[Any, ...]:
    """|x|^2, x^T A^-1 x, x^T A^-2 x, x^T C^-1 x, the largest and the smallest eigenvalue of C, rho."""
    a, c = ordered_matrices(world)
    x = world["x"]
    u = _solved(a, x)
    return squared(x), dot(x, u), squared(u), dot(x, _solved(c, x)), *spectrum(c)[::-1], world["rho"]


def of_inverse(world: World) -> tuple[Any, ...]:
    """The spectrum of A, rho, R_c with the point on the threshold, |x|^2 x^T A^-2 x, x^T A^-1 x, x^T C^-1 x."""
    a, c = ordered_matrices(world)
    x = world["x"]
    radius = root(root(_norm2(c, x)))
    return *spectrum(a), world["rho"], radius, _norm2(a, x), dot(x, _solved(a, x)), dot(x, _solved(c, x))


def of_condition(world: World) -> tuple[Any, ...]:
    """|x|^2, x^T C^-2 x, x^T C^-1 x, the largest and the smallest eigenvalue of C."""
    _, c = ordered_matrices(world)
    x = world["x"]
    y = _solved(c, x)
    return squared(x), squared(y), dot(x, y), *spectrum(c)[::-1]


def of_compared(world: World) -> tuple[Any, ...]:
    """The same, and R_c^2 with the point on the threshold of the printed clipping."""
    found = of_condition(world)
    return *found, root(found[0] * found[1])


def of_order(world: World) -> tuple[Any, ...]:
    """x^T A^-1 x, y^T C y for y = A^-1 x, x^T C^-1 x, rho."""
    a, c = ordered_matrices(world)
    x = world["x"]
    y = _solved(a, x)
    return dot(x, y), form(y, c, y), dot(x, _solved(c, x)), world["rho"]


def of_event(world: World) -> tuple[Any, ...]:
    """x^T A x, x^T C x, |x|^2, Delta, and Delta again as the regularisation."""
    c, other, delta = _deviation(world)
    x = world["x"]
    return form(x, other, x), form(x, c, x), squared(x), delta, delta


def of_share(world: World) -> tuple[Any, ...]:
    """x^T A x, x^T C x, rho, beta."""
    a, c = ordered_matrices(world)
    x = world["x"]
    return form(x, a, x), form(x, c, x), world["rho"], _share(world)


def of_terms(world: World) -> tuple[Any, ...]:
    """The form x^T B^-1 x for B = A - beta rho C, y^T C y for y = B^-1 x, x^T C^-1 x, rho, beta, R_c^2 = x^T C^-1 x."""
    a, c = ordered_matrices(world)
    beta, rho, x = _share(world), world["rho"], world["x"]
    y, leverage = _solved(combination((1, a), (-beta * rho, c)), x), dot(x, _solved(c, x))
    return dot(x, y), form(y, c, y), leverage, rho, beta, leverage


def of_helpful(world: World) -> tuple[Any, ...]:
    """rho, the smallest eigenvalue of C, mu_reg, |x|^2, |C^-1 x|^2."""
    _, c = ordered_matrices(world)
    low, _ = spectrum(c)
    x = world["x"]
    return world["rho"], low, _share(world) * world["rho"] * low, squared(x), squared(_solved(c, x))


def _of_parts(world: World) -> tuple[Pair, Matrix, Number, tuple[Any, ...]]:
    """The pair, C, rho, and the norms of the three parts of the difference of the gradients."""
    p = pair(world)
    c, rho = _levels(world, p)
    return p, c, rho, tuple(map(norm, three_vectors(p)))


def of_proposition_1(world: World) -> tuple[Any, ...]:
    """|A_0 A^-1 g|, |A_0' A^-1 g|, |w|, n times the distance of the gradients, |g|, K R_c^4/rho^2; in the first order."""
    p, c, rho, parts = _of_parts(world)
    bound = kantorovich(condition(c)) * _radius4(c, p) / rho**2
    return *parts, norm(p.gap), norm(p.first.gradient(p.theta)), bound


def of_whole_proposition_1(world: World) -> tuple[Any, ...]:
    """The spectrum of C, rho, R_c; six numbers of x, six of y; the norms of the three parts and of the gap, |g|."""
    p, c, rho, parts = _of_parts(world)
    numbers: list[Any] = []
    for x in p.records:
        u = _solved(p.first.moments, x)
        products = (squared(u), squared(_solved(c, x)), form(u, c, u), squared(apply(c, u)), dot(u, x), squared(x))
        numbers += products
    radius = root(root(_radius4(c, p)))
    return *spectrum(c), rho, radius, *numbers, *parts, norm(p.gap), norm(p.first.gradient(p.theta))


def of_gaussian_pair(world: World) -> tuple[Any, ...]:
    """For each record |X|^2, X^T A^-1 X, X^T A^-2 X, X^T Sigma^-1 X; L, l; the parts, the gap, |g|; d, log(2n/delta), n."""
    p = pair(world)
    sigma, y = _above_sigma(world, p)
    numbers: list[Any] = []
    for x in p.records:
        u = _solved(p.first.moments, x)
        numbers += (squared(x), dot(x, u), squared(u), dot(x, _solved(sigma, x)))
    low, high = spectrum(sigma)
    vectors = (*three_vectors(p), p.gap, p.first.gradient(p.theta))
    return *numbers, high, low, *map(norm, vectors), len(p.theta), y, p.first.count


def of_gaussian_pair_likely(world: World) -> tuple[Any, ...]:
    """The same, and the probabilities of a miss at their largest for delta = 1/4: of any, of the covariance, of a record, delta."""
    numbers = of_gaussian_pair(world)
    n, failure = numbers[-1], Fraction(1, 4)
    covariance, one = failure / 2, failure / (2 * n)
    return *numbers, covariance + (n + 1) * one, covariance, one, failure


def of_printed_proposition_1(world: World) -> tuple[Any, ...]:
    """The three points that stay, the eigenvalues of C, rho, R_c, mu_reg, the point in the place of 0, theta."""
    p, c, rho, _ = _of_parts(world)
    stay = (a for record in p.first.records[1:] for a in record)
    radius = root(root(_radius4(c, p)))
    return *stay, c[0][0], c[1][1], rho, radius, world["regularisation"], *world["new_record"], *world["theta"]


def of_proposition_1_split(world: World) -> tuple[Any, ...]:
    """The same, and the share z of the parts."""
    return *of_proposition_1(world), world["rho"]


def of_proposition_3(world: World) -> tuple[Any, ...]:
    """|(A_0 - A_0') A^-1 g|, |w|, |g|^2, kappa, R_c^2, the level there, rho, n; at the neighbour of the dataset with rho."""
    p, c, radius2, rho = _proposition_3(world)
    q = p.orders[1]
    g = q.first.gradient(q.theta)
    level = largest_level(q.first.moments, c)[0]
    return norm(apply(q.error, g)), norm(q.absolute), squared(g), condition(c), radius2, level, rho, q.first.count


def of_whole_proposition_3(world: World) -> tuple[Any, ...]:
    """Return the numbers of both datasets, the records at the neighbour's u, n times the gap, L, l, R_c^2, ell, rho, n.

    A dataset's numbers are |u|^2, u^T C u and u^T A u for u = A^-1 g, |g|^2, |(A_0 - A_0') u|, |w|; the matrix of the form is
    that of the dataset with the level, for both.
    """
    p, c, radius2, rho = _proposition_3(world)
    numbers: list[Any] = []
    for q in p.orders:
        g, u = _at_gradient(q)
        forms = (form(u, c, u), form(u, p.first.moments, u))
        numbers += (squared(u), *forms, squared(g), norm(apply(q.change, u)), norm(q.absolute))
    _, at_neighbour = _at_gradient(p.orders[1])
    seen = (dot(at_neighbour, x) ** 2 for x in p.records)
    low, high = spectrum(c)
    ell = p.first.count * (world["regularisation"] / (4 * high * radius2)) ** 2
    return *numbers, *seen, norm(p.gap), high, low, radius2, ell, rho, p.first.count


def _at_gradient(p: Pair) -> tuple[Vector, Vector]:
    """The gradient g of the first dataset, and A^-1 g."""
    g = p.first.gradient(p.theta)
    return g, _solved(p.first.moments, g)


def _with_share(generator: np.random.Generator) -> World:
    return {**ordered_pair(generator), "beta": size(generator, 3)}


def _with_share_below_one(generator: np.random.Generator) -> World:
    world = _with_share(generator)
    return {**world, "rho": min(world["rho"], 1 / world["rho"])}


def _clipped_pair(generator: np.random.Generator) -> World:
    world = shrunk_pair(generator)
    d = len(world["theta"])
    return {**world, "root": matrix(generator, d, d), "ridge": size(generator, 2), "rho": size(generator, 2)}


def _regularised_pair(generator: np.random.Generator) -> World:
    """The same with the regularisation that Proposition 3 asks for, or a little more."""
    world = dict(_clipped_pair(generator))
    p = pair(world)
    _, c = ordered_matrices({**world, "above": world["root"]})
    least = Fraction(33, 10) * largest_eigenvalue(c)[1] * _largest_leverage(c, p) / isqrt(p.first.count)
    return {**world, "regularisation": least * (1 + Fraction(int(generator.integers(0, 3)), 10))}


def _long_ellipse(generator: np.random.Generator) -> World:
    """Points (a, -1), (a, 0), (0, 1) and a fourth one at 0 that becomes (4a, 0); C is long along the first axis.

    What is 0 here as an int stays: the point at 0, the labels, and the axes of C.
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
    }


SQUARES_PRINTED = lens("A^-2 by the order of A and rho C", squares, ordered_pair)
SQUARES = lens("A^-2 with Kantorovich's factor", two_factors, ordered_pair, {"without it": squares})
INVERSES = lens("A^-1 by the order", inverses, ordered_pair, {"rho squared": {"power": 2}})
CLIPPED_PRINTED = lens("a clipped point, without a factor", partial(clipped, factor="none"), ordered_pair)
CLIPPED = lens("a clipped point", clipped, ordered_pair, {"no factor": {"factor": "none"}})
ELLIPSOID_POINT = lens(
    "a point clipped to the ellipsoid",
    partial(clipped, factor="kappa", ellipsoid=True),
    ordered_pair,
    {"no factor": {"factor": "none"}},
)
THROUGH_INVERSE = lens(
    "a clipped point by the condition number of A", through_inverse, ordered_pair, {"no factor": squares}
)
COMPARED = lens("both clippings", compared, ordered_pair, {"a half": {"factor": Fraction(1, 2)}})
COMPARED_PRINTED = lens("the ellipsoid as the stronger clipping", partial(compared, reverse=True), ordered_pair)
CONDITION = lens("the price of a condition number", condition_number, ordered_pair, {"left out": {"factor": "none"}})
KANTOROVICH = lens(
    "Kantorovich's factor", partial(condition_number, factor="sharp"), ordered_pair, {"left out": {"factor": "none"}}
)
INCLUSION_PRINTED = lens("the norm of a record and its leverage", inclusion_printed, ordered_pair)
RAYLEIGH = lens("Cauchy-Schwarz for C", rayleigh, ordered_pair, {"C twice": {"both": True}})
LONGEST = lens("norms of clipped records", longest, ordered_pair, {"L left out": {"unit": 0}})
SHARE = lens("what is left above rho C", share_left, _with_share_below_one, {"printed": {"printed": True}})
SHARE_PRINTED = lens("what is left above rho C, as printed", partial(share_left, printed=True), _with_share_below_one)
TERMS = lens("terms of the statistic", statistic_terms, _with_share_below_one, {"printed": {"printed": True}})
TERMS_PRINTED = lens(
    "terms of the statistic, as printed", partial(statistic_terms, printed=True), _with_share_below_one
)
EVENT = lens("from the norm to the order", event, ordered_pair, {"half": {"half": True}})
WHITENING = lens("the form of a whitened record", whitening, ordered_pair, {"twice": {"doubled": True}})
HELPFUL = lens("C against the regularisation", helpful, _with_share, {"largest": {"other": True}})
PROPOSITION_1 = lens(
    "Proposition 1 with (1+kappa)^2/(4 kappa), for pairs of datasets",
    proposition_1,
    _clipped_pair,
    {"no relative part": {"six": Fraction(0)}},
)
PROPOSITION_1_PRINTED = lens(
    "Proposition 1 as printed, for pairs of datasets", partial(proposition_1, factor="none"), _long_ellipse
)
PROPOSITION_1_SPLIT = lens(
    "Proposition 1 with 4(1+z), for pairs of datasets",
    proposition_1_split,
    _clipped_pair,
    {"no relative part": {"four": Fraction(0)}},
)
PROPOSITION_3 = lens(
    "the sensitivity of records in the ellipsoid, in both orders",
    ellipsoid_sensitivity,
    _regularised_pair,
    {"no relative part": {"share": Fraction(0)}},
)
GAUSSIAN_PAIR = lens(
    "Gaussian features without clipping, for pairs of datasets",
    gaussian_pair,
    _clipped_pair,
    {"no relative part": {"factor": 0}},
)
