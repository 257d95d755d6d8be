"""The steps of the proof of Theorem 2 on functions of the class, in exact worlds."""

from ...exact_worlds import *
from ..section_5.gradient_descent_worlds import after_step, amplified, four_numbers, noise_terms


def progress(world: World, dimension: bool = True) -> Slack:
    """One step of any size by both Bregman divergences."""
    f, theta = smooth_convex(world), world["theta"]
    require(f.smoothness > 0 and world["share"] > 0)
    tau = 2 * world["share"] / f.smoothness
    origin = tuple(0 * a for a in theta)
    forward, reverse = f.bregman(theta, origin), f.bregman(origin, theta)
    found, noise = after_step(f, world, tau)
    k = amplified(world) if dimension else amplified(world, False)
    right = squared(theta) - 2 * tau * forward - 2 * tau * (1 - k * tau * f.smoothness) * reverse
    return at_most(found, right + (noise if dimension else tau**2 * world["variance"]))


def values(world: World, dimension: bool = True) -> Slack:
    """One step of any size by distance and value."""
    f, theta = smooth_convex(world), world["theta"]
    require(f.smoothness > 0 and world["share"] > 0)
    tau = 2 * world["share"] / f.smoothness
    found, noise = after_step(f, world, tau)
    k = amplified(world) if dimension else amplified(world, False)
    right = (1 - tau * f.strong) * squared(theta) - 2 * tau * (1 - k * tau * f.smoothness) * f.value(theta)
    return at_most(found, right + (noise if dimension else tau**2 * world["variance"]))


def by_bregman(world: World, exchanged: bool = False) -> Slack:
    """`|grad f(x) - grad f(y)|^2 <= 2L D_f(y, x)`."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    require(f.smoothness > 0)
    found = f.bregman(y, x)
    return at_most(squared(minus(f.gradient(x), f.gradient(y))), (1 if exchanged else 2) * f.smoothness * found)


def bregman_bounds(world: World, half: int = 2) -> Slack:
    """`mu/2 |x-y|^2 <= D_f(x, y) <= L/2 |x-y|^2`."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    apart2, found = squared(minus(x, y)), f.bregman(x, y)
    return every(at_most(f.strong * apart2, half * found), at_most(2 * found, f.smoothness * apart2))


def bregman_sum(world: World, minus_sign: int = 1) -> Slack:
    """Both divergences add up to the inner product."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    return equal(f.bregman(x, y) + minus_sign * f.bregman(y, x), dot(minus(f.gradient(x), f.gradient(y)), minus(x, y)))


def of_any_step(world: World) -> Vector:
    """The same for a step of any size."""
    f = smooth_convex(world)
    return *four_numbers(f, world), f.strong, f.smoothness, *noise_terms(world), 2 * world["share"] / f.smoothness


def of_progress(world: World) -> Vector:
    """r, F, B, G, L, gamma, sigma^2, d, tau, for a step of any size."""
    found = of_any_step(world)
    return *found[:4], *found[5:]


def of_bregman(world: World) -> Vector:
    """h(theta), h(theta'), h(theta' + g/L), grad h(theta) (theta' - theta), grad h(theta') g, |g|^2, L."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    g = minus(f.gradient(x), f.gradient(y))
    at = f.value(plus(y, times(1 / f.smoothness, g)))
    return f.value(x), f.value(y), at, dot(f.gradient(x), minus(y, x)), dot(f.gradient(y), g), squared(g), f.smoothness


def of_gradient_bound(world: World) -> Vector:
    """F, f(theta_* + g/L) - f_*, g (theta - theta_*), |g|^2, L for the function less its tangent at the second point."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    g = minus(f.gradient(x), f.gradient(y))
    at = f.bregman(plus(y, times(1 / f.smoothness, g)), y)
    return f.bregman(x, y), at, dot(g, minus(x, y)), squared(g), f.smoothness


PROGRESS = lens("a step by both divergences", progress, descent, {"without the dimension": {"dimension": False}})
PROGRESS_PRINTED = lens("a step by both divergences, as printed", partial(progress, dimension=False), descent)
VALUES = lens("a step by distance and value", values, descent, {"without the dimension": {"dimension": False}})
VALUES_PRINTED = lens("a step by distance and value, as printed", partial(values, dimension=False), descent)
BY_BREGMAN = lens("gradients and the divergence", by_bregman, descent, {"without 2": {"exchanged": True}})
BREGMAN_BOUNDS = lens("bounds on the divergence", bregman_bounds, descent, {"whole": {"half": 1}})
BREGMAN_SUM = lens("the sum of both divergences", bregman_sum, descent, {"sign": {"minus_sign": -1}})
