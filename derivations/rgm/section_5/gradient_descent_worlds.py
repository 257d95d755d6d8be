"""Private gradient descent in exact worlds: steps on functions of the class, and the covariance of runs on quadratics.

Functions are strongly convex, smooth and not quadratic (`SmoothConvex`); their values, gradients and Bregman divergences
are Fractions. On quadratics the whole covariance matrix is carried from step to step, with a Hessian that is not
diagonal. The noise has mean 0 and the covariance `(gamma |g|^2 + sigma^2) I`; nothing else of it is used.
"""

from ...exact_worlds import *


def after_step(f: SmoothConvex, world: World, step: Number) -> tuple[Number, Number]:
    """`E |theta'|^2` after a step from `theta` on a function that is least at 0, and `d tau^2 sigma^2`."""
    theta = world["theta"]
    g, d = f.gradient(theta), len(theta)
    noise = d * step**2 * world["variance"]
    return squared(minus(theta, times(step, g))) + d * step**2 * world["gamma"] * squared(g) + noise, noise


def amplified(world: World, dimension: bool = True) -> Number:
    """`1 + gamma d`."""
    return 1 + world["gamma"] * (len(world["theta"]) if dimension else 1)


def short_step(f: SmoothConvex, world: World, dimension: bool = True) -> Number:
    """A step of at most `1/((1 + gamma d) L)`."""
    require(f.smoothness > 0 and 0 < world["share"] <= 1)
    return world["share"] / (amplified(world, dimension) * f.smoothness)


def step(world: World, dimension: bool = True, twice: int = 1) -> Slack:
    """A short step contracts by `1 - tau mu`, up to its noise."""
    f = smooth_convex(world)
    tau = short_step(f, world)
    found, noise = after_step(f, world, tau)
    added = noise if dimension else tau**2 * world["variance"]
    return at_most(found, (1 - twice * tau * f.strong) * squared(world["theta"]) + added)


def draw_quadratic(generator: Random) -> World:
    """Quadratics in up to three dimensions, with a start, the noise and a number of steps."""
    return _quadratic_in(int(generator.integers(1, 4)), generator)


def _quadratic_in(d: int, generator: Random) -> World:
    return {
        "root": matrix(generator, d, d),
        "ridge": size(generator, 2),
        "theta": vector(generator, d),
        "gamma": size(generator, 1) if generator.random() < 0.5 else Fraction(1, 20),
        "variance": size(generator, 2),
        "share": Fraction(int(generator.integers(1, 13)), 12),
        "steps": int(generator.integers(1, 4)),
    }


def hessian_of(world: World) -> tuple[Matrix, Number, Number]:
    """The Hessian, and bounds on its spectrum."""
    require(world["ridge"] > 0 and world["gamma"] >= 0 and world["variance"] >= 0 and 0 < world["share"] <= 1)
    found = combination((1, gram(world["root"])), (world["ridge"], identity(len(world["root"]))))
    low, high = smallest_eigenvalue(found)[0], largest_eigenvalue(found)[1]
    require(low > 0)
    return found, low, high


def distance_after(world: World, hessian: Matrix, tau: Number) -> Number:
    """`E |theta_t - theta_*|^2` by the covariance, step by step."""
    covariance = outer(world["theta"], world["theta"])
    for _ in range(world["steps"]):
        covariance, _ = second_moment_after(covariance, hessian, tau, world["gamma"], world["variance"])
    return trace(covariance)


def theorem_printed(world: World) -> Slack:
    """Theorem 2, as printed, after several steps on a quadratic."""
    h, low, high = hessian_of(world)
    tau = world["share"] / (high + world["gamma"])
    right = (1 - tau * low) ** world["steps"] * squared(world["theta"]) + tau * world["variance"] / low
    return at_most(distance_after(world, h, tau), right)


def four_numbers(f: SmoothConvex, world: World) -> Vector:
    """r, F, B and G of a point, seen from the minimiser 0."""
    theta = world["theta"]
    origin = tuple(0 * a for a in theta)
    return squared(theta), f.value(theta), f.bregman(origin, theta), squared(f.gradient(theta))


def noise_terms(world: World) -> Vector:
    """gamma, sigma^2 and d."""
    return world["gamma"], world["variance"], len(world["theta"])


THEOREM_PRINTED = lens("Theorem 2 as printed, by covariances", theorem_printed, draw_quadratic)
PRINTED_LINE = lens("Theorem 2 as printed, on the line", theorem_printed, partial(_quadratic_in, 1))
