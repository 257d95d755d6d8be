"""Clipped covariances of Gaussian features in exact worlds: how much lies above a level, and the terms of the statistic."""

from ...exact_worlds import *
from ..section_5.clipping_worlds import draw_with_share, norm2_of, point_of, share_of, solved


def inverses(world: World, power: int = 1) -> Slack:
    """`rho x^T A^-1 x <= x^T C^-1 x`."""
    a, c = ordered_matrices(world)
    x = world["x"]
    return at_most(world["rho"] ** power * dot(x, solved(a, x)), dot(x, solved(c, x)))


def inclusion_printed(world: World) -> Slack:
    """Version 1's inclusion: `X^T A^-1 X > sqrt(kappa) L` whenever the norm exceeds `L`."""
    _, c = ordered_matrices(world)
    kappa = largest_eigenvalue(c)[0] / smallest_eigenvalue(c)[1]  # from below: what fails here fails for kappa
    return at_most(kappa * norm2_of(c, world["x"]), dot(world["x"], solved(c, world["x"])) ** 2)


def longest(world: World, unit: int = 1) -> Slack:
    """`|x|^2 <= L x^T C^-1 x`: clipped records have bounded norms."""
    _, c = ordered_matrices(world)
    return at_most(squared(world["x"]), largest_eigenvalue(c)[1] ** unit * dot(world["x"], solved(c, world["x"])))


def _at_most_one(world: World) -> Number:
    """The level as clipped records have it: their covariance is below that of all."""
    require(world["rho"] <= 1)
    return world["rho"]


def share_left(world: World, printed: bool = False) -> Slack:
    """`A >= rho C` leaves `A - beta rho C >= (1 - beta) rho C`, along x; as printed without rho."""
    a, c = ordered_matrices(world)
    beta, rho, x = share_of(world), _at_most_one(world), point_of(world)
    left = form(x, combination((1, a), (-beta * rho, c)), x)
    return at_most((1 - beta) * (1 if printed else rho) * form(x, c, x), left)


def statistic_terms(world: World, printed: bool = False) -> Slack:
    """`x^T (A - beta rho C)^-1 x <= x^T C^-1 x / ((1 - beta) rho)`."""
    a, c = ordered_matrices(world)
    beta, rho, x = share_of(world), _at_most_one(world), point_of(world)
    left = dot(x, solved(combination((1, a), (-beta * rho, c)), x))
    return at_most(left * (1 - beta) * (1 if printed else rho), dot(x, solved(c, x)))


def _deviation(world: World) -> tuple[Matrix, Matrix, Number]:
    """C, another matrix, and an upper bound on their distance."""
    _, c = ordered_matrices(world)
    other = _symmetric(world)
    delta = max(largest_eigenvalue(other)[1], largest_eigenvalue(combination((-1, other)))[1])
    return c, combination((1, c), (1, other)), delta


def event(world: World, half: bool = False) -> Slack:
    """`|A - C| <= Delta` gives `A + Delta I >= C`, along x."""
    c, other, delta = _deviation(world)
    x = point_of(world)
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
    return equal(dot(x, solved(sigma, x)), squared(world["x"]) * (2 if doubled else 1))


def of_order(world: World) -> tuple[Any, ...]:
    """x^T A^-1 x, y^T C y for y = A^-1 x, x^T C^-1 x, rho."""
    a, c = ordered_matrices(world)
    x = world["x"]
    y = solved(a, x)
    return dot(x, y), form(y, c, y), dot(x, solved(c, x)), world["rho"]


def of_event(world: World) -> tuple[Any, ...]:
    """x^T A x, x^T C x, |x|^2, Delta, and Delta again as the regularisation."""
    c, other, delta = _deviation(world)
    x = world["x"]
    return form(x, other, x), form(x, c, x), squared(x), delta, delta


def of_share(world: World) -> tuple[Any, ...]:
    """x^T A x, x^T C x, rho, beta."""
    a, c = ordered_matrices(world)
    x = world["x"]
    return form(x, a, x), form(x, c, x), world["rho"], share_of(world)


def of_terms(world: World) -> tuple[Any, ...]:
    """The form x^T B^-1 x for B = A - beta rho C, y^T C y for y = B^-1 x, x^T C^-1 x, rho, beta, R_c^2 = x^T C^-1 x."""
    a, c = ordered_matrices(world)
    beta, rho, x = share_of(world), world["rho"], world["x"]
    y, leverage = solved(combination((1, a), (-beta * rho, c)), x), dot(x, solved(c, x))
    return dot(x, y), form(y, c, y), leverage, rho, beta, leverage


def _with_share_below_one(generator: Random) -> World:
    world = draw_with_share(generator)
    return {**world, "rho": min(world["rho"], 1 / world["rho"])}


INVERSES = lens("A^-1 by the order", inverses, ordered_pair, {"rho squared": {"power": 2}})
INCLUSION_PRINTED = lens("the norm of a record and its leverage", inclusion_printed, ordered_pair)
LONGEST = lens("norms of clipped records", longest, ordered_pair, {"L left out": {"unit": 0}})
SHARE = lens("the part above rho C", share_left, _with_share_below_one, {"printed": {"printed": True}})
SHARE_PRINTED = lens("the part above rho C, as printed", partial(share_left, printed=True), _with_share_below_one)
TERMS = lens("terms of the statistic", statistic_terms, _with_share_below_one, {"printed": {"printed": True}})

TERMS_PRINTED = lens(
    "terms of the statistic, as printed", partial(statistic_terms, printed=True), _with_share_below_one
)

EVENT = lens("from the norm to the order", event, ordered_pair, {"half": {"half": True}})
WHITENING = lens("the form of a whitened record", whitening, ordered_pair, {"twice": {"doubled": True}})
