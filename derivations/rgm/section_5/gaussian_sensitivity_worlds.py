"""Proposition 3 for pairs of datasets with records in the ellipsoid, in exact worlds."""

from math import isqrt

from ...exact_worlds import *
from .clipping_worlds import condition, draw_clipped_pair, solved
from .quadratic_worlds import Pair, pair, spectrum


def _radius2(c: Matrix, p: Pair) -> Number:
    """The square of the threshold of the ellipsoid that all records of the pair lie in."""
    found = _largest_leverage(c, p)
    require(found > 0)
    return found


def _largest_leverage(c: Matrix, p: Pair) -> Number:
    return max(dot(x, solved(c, x)) for x in (*p.first.records, p.second.records[0]))


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
    return g, solved(p.first.moments, g)


def _regularised_pair(generator: Random) -> World:
    """The same with the regularisation that Proposition 3 asks for, or a little more."""
    world = dict(draw_clipped_pair(generator))
    p = pair(world)
    _, c = ordered_matrices({**world, "above": world["root"]})
    least = Fraction(33, 10) * largest_eigenvalue(c)[1] * _largest_leverage(c, p) / isqrt(p.first.count)
    return {**world, "regularisation": least * (1 + Fraction(int(generator.integers(0, 3)), 10))}


PROPOSITION_3 = lens(
    "the sensitivity of records in the ellipsoid, in both orders",
    ellipsoid_sensitivity,
    _regularised_pair,
    {"no relative part": {"share": Fraction(0)}},
)
