"""Clipping put right in exact worlds: points, both clippings, and Proposition 1 for pairs of datasets."""

from ...exact_worlds import *
from ...rgm.section_5.clipping_worlds import *
from ...rgm.section_5.quadratic_worlds import pair, spectrum


def two_factors(world: World) -> Slack:
    """The order of squares with the condition number of C and with that of A."""
    return every(squares(world, "kantorovich"), squares(world, "of A"))


def through_inverse(world: World, factor: bool = True) -> Slack:
    """The same with the condition number of A and the printed clipping."""
    a, c = ordered_matrices(world)
    x = point_of(world)
    return at_most(world["rho"] ** 2 * norm2_of(a, x), (condition(a) if factor else 1) * norm2_of(c, x))


def helpful(world: World, other: bool = False) -> Slack:
    """If `rho lambda_min(C) > mu_reg`: `mu_reg^2 |x|^2 x^T C^-2 x < rho^2 |x|^4`."""
    _, c = ordered_matrices(world)
    low, high = spectrum(c)
    rho, share = world["rho"], share_of(world)
    reg = share * rho * (high if other else low)
    x = point_of(world)
    return at_most(reg**2 * squared(solved(c, x)), rho**2 * squared(x))


def proposition_1_split(world: World, four: Fraction = Fraction(4)) -> Slack:
    """The same with the parts shared freely."""
    p, z = pair(world), world["rho"]
    require(z > 0)
    c, rho = level_below(world, p)
    radius4 = radius4_of(c, p)
    price = kantorovich(condition(c)) * radius4 / rho**2
    return p.within(four * (1 + z) * price, (1 + 1 / z) * squared(p.absolute))


def gaussian_pair(world: World, factor: int = 216, kappa: bool = True) -> Slack:
    """Proposition 1 of version 1 for a pair of datasets above Sigma, at a point, in both orders."""
    p = pair(world)
    sigma, y = above_sigma(world, p)
    eta2 = factor * (condition(sigma) if kappa else 1) * (len(p.theta) * y) ** 2
    return every(*(q.within(eta2, 3 * squared(q.absolute)) for q in p.orders))


def of_squares(world: World) -> tuple[Any, ...]:
    """The spectrum of C, rho, |A^-1 x|^2, |C^-1 x|^2, u^T C u, |C u|^2 and u.x for u = A^-1 x."""
    a, c = ordered_matrices(world)
    x = world["x"]
    u = solved(a, x)
    numbers = (squared(u), squared(solved(c, x)), form(u, c, u), squared(apply(c, u)), dot(u, x))
    return *spectrum(c), world["rho"], *numbers


def of_clipped(world: World) -> tuple[Any, ...]:
    """The same, |x|^2, and the threshold with the point on it."""
    _, c = ordered_matrices(world)
    return *of_squares(world), squared(world["x"]), root(root(norm2_of(c, world["x"])))


def of_inverse(world: World) -> tuple[Any, ...]:
    """The spectrum of A, rho, R_c with the point on the threshold, |x|^2 x^T A^-2 x, x^T A^-1 x, x^T C^-1 x."""
    a, c = ordered_matrices(world)
    x = world["x"]
    radius = root(root(norm2_of(c, x)))
    return *spectrum(a), world["rho"], radius, norm2_of(a, x), dot(x, solved(a, x)), dot(x, solved(c, x))


def of_helpful(world: World) -> tuple[Any, ...]:
    """rho, the smallest eigenvalue of C, mu_reg, |x|^2, |C^-1 x|^2."""
    _, c = ordered_matrices(world)
    low, _ = spectrum(c)
    x = world["x"]
    return world["rho"], low, share_of(world) * world["rho"] * low, squared(x), squared(solved(c, x))


def of_proposition_1(world: World) -> tuple[Any, ...]:
    """|A_0 A^-1 g|, |A_0' A^-1 g|, |w|, n times the distance of the gradients, |g|, K R_c^4/rho^2; in the first order."""
    p, c, rho, parts = of_three_parts(world)
    bound = kantorovich(condition(c)) * radius4_of(c, p) / rho**2
    return *parts, norm(p.gap), norm(p.first.gradient(p.theta)), bound


def of_whole_proposition_1(world: World) -> tuple[Any, ...]:
    """The spectrum of C, rho, R_c; six numbers of x, six of y; the norms of the three parts and of the gap, |g|."""
    p, c, rho, parts = of_three_parts(world)
    numbers: list[Any] = []
    for x in p.records:
        u = solved(p.first.moments, x)
        products = (squared(u), squared(solved(c, x)), form(u, c, u), squared(apply(c, u)), dot(u, x), squared(x))
        numbers += products
    radius = root(root(radius4_of(c, p)))
    return *spectrum(c), rho, radius, *numbers, *parts, norm(p.gap), norm(p.first.gradient(p.theta))


def of_gaussian_pair_likely(world: World) -> tuple[Any, ...]:
    """The same, and the probabilities of a miss at their largest for delta = 1/4: of any, of the covariance, of a record, delta."""
    numbers = of_gaussian_pair(world)
    n, failure = numbers[-1], Fraction(1, 4)
    covariance, one = failure / 2, failure / (2 * n)
    return *numbers, covariance + (n + 1) * one, covariance, one, failure


def of_proposition_1_split(world: World) -> tuple[Any, ...]:
    """The same, and the share z of the parts."""
    return *of_proposition_1(world), world["rho"]


SQUARES = lens("A^-2 with Kantorovich's factor", two_factors, ordered_pair, {"without it": squares})
CLIPPED = lens("a clipped point", clipped, ordered_pair, {"no factor": {"factor": "none"}})

THROUGH_INVERSE = lens(
    "a clipped point by the condition number of A", through_inverse, ordered_pair, {"no factor": squares}
)

KANTOROVICH = lens(
    "Kantorovich's factor", partial(condition_number, factor="sharp"), ordered_pair, {"left out": {"factor": "none"}}
)

HELPFUL = lens("C against the regularisation", helpful, draw_with_share, {"largest": {"other": True}})

PROPOSITION_1 = lens(
    "Proposition 1 with (1+kappa)^2/(4 kappa), for pairs of datasets",
    proposition_1,
    draw_clipped_pair,
    {"no relative part": {"six": Fraction(0)}},
)

PROPOSITION_1_SPLIT = lens(
    "Proposition 1 with 4(1+z), for pairs of datasets",
    proposition_1_split,
    draw_clipped_pair,
    {"no relative part": {"four": Fraction(0)}},
)

GAUSSIAN_PAIR = lens(
    "Gaussian features without clipping, for pairs of datasets",
    gaussian_pair,
    draw_clipped_pair,
    {"no relative part": {"factor": 0}},
)
