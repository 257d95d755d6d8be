"""Two nodes in exact worlds: a step along the mean of their noisy gradients, and the sensitivity of one of them."""

from ...exact_worlds import *
from ..section_5.gradient_descent_worlds import amplified, draw_quadratic, hessian_of, noise_terms


def _nodes(generator: Random) -> World:
    world = draw_quadratic(generator)
    d = len(world["theta"])
    return {
        **world,
        "second_root": matrix(generator, d, d),
        "centre": vector(generator, d),
        "theta": times(part(generator) * part(generator), world["theta"]),
    }


def _interval(generator: Random) -> World:
    d = int(generator.integers(1, 4))
    return {
        "low": size(generator),
        "wide": size(generator),
        "ends": (number(generator), number(generator)),
        "theta": vector(generator, d),
    }


def _two(world: World) -> tuple[tuple[Matrix, Matrix], Matrix, Vector, Number, Number, Number]:
    """The Hessians of both nodes, their mean, the minimiser, mu, L and the step."""
    first, _, high_1 = hessian_of(world)
    second, _, high_2 = hessian_of({**world, "root": world["second_root"]})
    mean = combination((Fraction(1, 2), first), (Fraction(1, 2), second))
    star = times(Fraction(1, 2), apply(inverse(mean), apply(second, world["centre"])))
    low, high = smallest_eigenvalue(mean)[0], max(high_1, high_2)
    return (first, second), mean, star, low, high, world["share"] / (amplified(world) * high)


def _slopes(hessians: tuple[Matrix, Matrix], world: World, at: Vector) -> tuple[Vector, Vector]:
    """The gradients of both nodes."""
    return apply(hessians[0], at), apply(hessians[1], minus(at, world["centre"]))


def two_nodes(world: World, spread: bool = True) -> Slack:
    """A step along the mean of two noisy gradients of different quadratics."""
    hessians, _, star, low, _, tau = _two(world)
    d, theta = len(world["theta"]), plus(star, world["theta"])
    g1, g2 = _slopes(hessians, world, theta)
    moved = squared(minus(minus(theta, star), times(tau / 2, plus(g1, g2))))
    noise = tau**2 * d / 4 * (world["gamma"] * (squared(g1) + squared(g2)) + 2 * world["variance"])
    zeta2 = squared(_slopes(hessians, world, star)[0]) if spread else 0
    floor = d * tau**2 * (world["gamma"] * zeta2 + world["variance"] / 2)
    return at_most(moved + noise, (1 - tau * low) * squared(minus(theta, star)) + floor)


def node_eta(world: World, printed: bool = False) -> Slack:
    """The gradients `2 a theta` of two records in an interval, in both orders."""
    low, high = world["low"], world["low"] + world["wide"]
    require(low > 0 and world["wide"] >= 0)
    inside = [low + world["wide"] * e * e / (1 + e * e) for e in world["ends"]]
    found = []
    for a, b in ((low, high), tuple(inside), (high, low)):
        g, other = (times(2 * x, world["theta"]) for x in (a, b))
        eta = low / high if printed else (high - low) / low
        found.append(at_most(squared(minus(g, other)), eta**2 * squared(g)))
    return every(*found)


def of_two_nodes(world: World) -> Vector:
    """r, F, B, G, H, N, zeta^2, mu, L, gamma, sigma^2, d, tau."""
    (first, second), mean, star, low, high, tau = _two(world)
    away = world["theta"]
    g1, g2 = _slopes((first, second), world, plus(star, away))
    at_1, at_2 = _slopes((first, second), world, star)
    value = dot(away, apply(mean, away)) / 2
    moved = squared(minus(g1, at_1)) + squared(minus(g2, at_2))
    slope2 = squared(times(Fraction(1, 2), plus(g1, g2)))
    nodes = (moved, squared(g1) + squared(g2), squared(at_1))
    return squared(away), value, value, slope2, *nodes, low, high, *noise_terms(world), tau


def of_node(world: World) -> tuple[Any, ...]:
    """Both ends of the interval, the records at them, the norm of theta: the pair that needs the largest eta."""
    low, high = world["low"], world["low"] + world["wide"]
    return low, high, low, high, norm(world["theta"])


TWO_NODES = lens("a step of two nodes", two_nodes, _nodes, {"no spread": {"spread": False}})
NODE_ETA = lens("a node's gradients", node_eta, _interval, {"printed": {"printed": True}})
NODE_ETA_PRINTED = lens("a node's gradients, as printed", partial(node_eta, printed=True), _interval)
