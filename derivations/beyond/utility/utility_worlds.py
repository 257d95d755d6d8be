"""The utility of private gradient descent beyond Theorem 2, in exact worlds."""

from ...exact_worlds import *
from ...rgm.section_5.gradient_descent_worlds import *


def _convex(world: World) -> SmoothConvex:
    return smooth_convex({**world, "strong": 0 * world["strong"]})


def convex_step(world: World, noise: bool = True) -> Slack:
    """The convex case: `2 tau (f - f_*) <= r - E r' + d tau^2 sigma^2`."""
    f = _convex(world)
    tau = short_step(f, world)
    found, added = after_step(f, world, tau)
    decrease = squared(world["theta"]) - found
    return at_most(2 * tau * f.value(world["theta"]), decrease + (added if noise else 0))


def convex_long_step(world: World, share: int = 2) -> Slack:
    """The same with `(2 - u)` for `1 <= u = (1 + gamma d) tau L <= 2`."""
    f = _convex(world)
    require(f.smoothness > 0 and 0 <= world["share"] <= 1)
    u = 1 + world["share"]
    tau = u / (amplified(world) * f.smoothness)
    found, added = after_step(f, world, tau)
    left = (share - u) * 2 * tau * f.value(world["theta"])
    return at_most(left, squared(world["theta"]) - found + added)


def sharp(world: World, length: str = "long", other: bool = False) -> Slack:
    """The sharp factor, at mu for short steps and at L for long ones."""
    f = smooth_convex(world)
    k = amplified(world)
    ends = f.strong + f.smoothness
    require(ends > 0 and world["share"] > 0)
    border = 2 / (k * ends)
    tau = border * (1 + 2 * world["share"]) if length == "long" else border * world["share"]
    require(length == "long" or world["share"] <= 1)
    found, noise = after_step(f, world, tau)
    at = f.smoothness if (length == "long") != other else f.strong
    return at_most(found, ((1 - tau * at) ** 2 + (k - 1) * tau**2 * at**2) * squared(world["theta"]) + noise)


def interpolation(world: World, twice: int = 1) -> Slack:
    """`(L + mu) g . (theta - theta') >= |g|^2 + mu L |theta - theta'|^2` for two points."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    g, apart = minus(f.gradient(x), f.gradient(y)), minus(x, y)
    left = twice * squared(g) + f.strong * f.smoothness * squared(apart)
    return at_most(left, (f.smoothness + f.strong) * dot(g, apart))


def gradient_range(world: World, twice: int = 1) -> Slack:
    """The gradient is between mu and L times the distance."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    g2, apart2 = squared(minus(f.gradient(x), f.gradient(y))), squared(minus(x, y))
    return every(at_most(twice * f.strong**2 * apart2, g2), at_most(twice * g2, f.smoothness**2 * apart2))


def theorem(world: World, dimension: bool = True) -> Slack:
    """Theorem 2, corrected, after several steps on a quadratic."""
    h, low, high = hessian_of(world)
    d, t = len(world["theta"]), world["steps"]
    tau = world["share"] / ((1 + world["gamma"] * d) * high)
    floor = (d if dimension else Fraction(1, 4)) * tau * world["variance"] / low
    return at_most(distance_after(world, h, tau), (1 - tau * low) ** t * squared(world["theta"]) + floor)


def recurrence(world: World, noise: bool = True) -> Slack:
    """The second moment after several steps on a quadratic, against the solution of the recurrence."""
    h, low, high = hessian_of(world)
    d, t = len(world["theta"]), world["steps"]
    tau = world["share"] / ((1 + world["gamma"] * d) * high)
    kept = 1 - tau * low
    added = d * tau**2 * world["variance"] if noise else 0
    return at_most(
        distance_after(world, h, tau), kept**t * squared(world["theta"]) + added * sum(kept**k for k in range(t))
    )


@dataclass(frozen=True)
class Averaged:
    """A run on a quadratic: the sum of E f at its points, E f at their average, E |theta_t - theta_*|^2, the step."""

    gaps: Number
    average: Number
    last: Number
    step: Number


def averaged(world: World) -> Averaged:
    """The second moments of the points of a run, of their sum, and of both together, step by step."""
    h, _, high = hessian_of(world)
    t, tau = world["steps"], world["share"] / (amplified(world) * high)
    kept = combination((1, identity(len(h))), (-tau, h))
    points = outer(world["theta"], world["theta"])
    nothing = combination((0, points))
    mixed, total, gaps = nothing, nothing, 0 * tau
    for _ in range(t):
        gaps += trace(product(h, points)) / 2
        total = combination((1, total), (1, mixed), (1, transpose(mixed)), (1, points))
        mixed = product(combination((1, mixed), (1, points)), kept)
        points, _ = second_moment_after(points, h, tau, world["gamma"], world["variance"])
    return Averaged(gaps, trace(product(h, total)) / 2 / t**2, trace(points), tau)


def average(world: World, start: int = 1) -> Slack:
    """E f at the average of the points of a run on a quadratic, from `steps` noisy steps."""
    found, t, d = averaged(world), world["steps"], len(world["theta"])
    first = squared(world["theta"]) / (2 * found.step * t * start)
    return at_most(found.average, first + d * found.step * world["variance"] / 2)


def sharp_theorem(world: World, dimension: bool = True) -> Slack:
    """The sharp rate after several stable steps on a quadratic."""
    h, low, high = hessian_of(world)
    require(world["share"] < 1)
    d, t = len(world["theta"]), world["steps"]
    k = 1 + world["gamma"] * (d if dimension else 0)
    tau = 2 * world["share"] / (k * high)
    q = max(1 - 2 * tau * x + k * tau**2 * x**2 for x in (low, high))
    added = d * tau**2 * world["variance"]
    return at_most(distance_after(world, h, tau), q**t * squared(world["theta"]) + added * sum(q**i for i in range(t)))


def of_short_step(world: World) -> Vector:
    """r, F, B, G, mu, L, gamma, sigma^2, d, tau."""
    f = smooth_convex(world)
    return *four_numbers(f, world), f.strong, f.smoothness, *noise_terms(world), short_step(f, world)


def of_convex_step(world: World) -> Vector:
    """r, F, B, G, L, gamma, sigma^2, d, tau, without strong convexity."""
    f = _convex(world)
    return *four_numbers(f, world), f.smoothness, *noise_terms(world), short_step(f, world)


def of_convex_long_step(world: World) -> Vector:
    """The same for a long step."""
    f = _convex(world)
    return (
        *four_numbers(f, world),
        f.smoothness,
        *noise_terms(world),
        (1 + world["share"]) / (amplified(world) * f.smoothness),
    )


def of_sharp_step(world: World, length: str) -> Vector:
    """r, F, B, G, mu, L, tau, k."""
    f = smooth_convex(world)
    border = 2 / (amplified(world) * (f.strong + f.smoothness))
    tau = border * (1 + 2 * world["share"]) if length == "long" else border * world["share"]
    return *four_numbers(f, world), f.strong, f.smoothness, tau, amplified(world)


def of_two_points(world: World) -> Vector:
    """r, F, B, G, mu, L for the function less its tangent at the second point, which is then the minimiser."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    g2 = squared(minus(f.gradient(x), f.gradient(y)))
    return squared(minus(x, y)), f.bregman(x, y), f.bregman(y, x), g2, f.strong, f.smoothness


def of_range(world: World) -> tuple[Any, ...]:
    """Distance of two points and of their gradients, mu, L."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    return norm(minus(x, y)), norm(minus(f.gradient(x), f.gradient(y))), f.strong, f.smoothness


def _before_last(world: World, hessian: Matrix, tau: Number) -> Matrix:
    """The second moments before the last step of a run."""
    covariance = outer(world["theta"], world["theta"])
    for _ in range(world["steps"] - 1):
        covariance, _ = second_moment_after(covariance, hessian, tau, world["gamma"], world["variance"])
    return covariance


def of_theorem(world: World) -> Vector:
    """r, F, B, G before the last step, r_0, (1 - tau mu)^(t-1), mu, L, gamma, sigma^2, d, tau."""
    h, low, high = hessian_of(world)
    tau = world["share"] / (amplified(world) * high)
    before = _before_last(world, h, tau)
    value, slope2 = trace(product(h, before)) / 2, trace(product(product(h, before), h))
    share = (1 - tau * low) ** (world["steps"] - 1)
    return trace(before), value, value, slope2, squared(world["theta"]), share, low, high, *noise_terms(world), tau


def of_average(world: World) -> Vector:
    """The sum of E f, t, E f at the average, the mean divergence to it, E |theta_t - theta_*|^2, r_0; the mechanism, tau."""
    found, t = averaged(world), world["steps"]
    spread = found.gaps / t - found.average
    return found.gaps, t, found.average, spread, found.last, squared(world["theta"]), *noise_terms(world), found.step


def of_sharp_theorem(world: World) -> Vector:
    """The squared distance before and after the last step, r_0, q^(t-1), q, d tau^2 sigma^2."""
    h, low, high = hessian_of(world)
    k = amplified(world)
    tau = 2 * world["share"] / (k * high)
    q = max(1 - 2 * tau * x + k * tau**2 * x**2 for x in (low, high))
    before, added = trace(_before_last(world, h, tau)), len(world["theta"]) * tau**2 * world["variance"]
    return before, distance_after(world, h, tau), squared(world["theta"]), q ** (world["steps"] - 1), q, added


STEP = lens("a step on functions of the class", step, descent, {"without the dimension": {"dimension": False}})
CONVEX_STEP = lens("a step in the convex case", convex_step, descent, {"without noise": {"noise": False}})
CONVEX_LONG = lens("a long step in the convex case", convex_long_step, descent, {"three": {"share": 3}})
SHARP_LONG = lens("long steps on functions of the class", sharp, descent, {"at mu": {"other": True}})

SHARP_SHORT = lens(
    "short steps on functions of the class", partial(sharp, length="short"), descent, {"at L": {"other": True}}
)

INTERPOLATION = lens("the interpolation inequality", interpolation, descent, {"twice": {"twice": 2}})
GRADIENT_RANGE = lens("gradients between mu and L", gradient_range, descent, {"twice": {"twice": 2}})
THEOREM = lens("Theorem 2 corrected, by covariances", theorem, draw_quadratic, {"a quarter": {"dimension": False}})

RECURRENCE = lens(
    "the solution of the recurrence, by covariances", recurrence, draw_quadratic, {"without noise": {"noise": False}}
)

AVERAGE = lens("the averaged iterate, by covariances", average, draw_quadratic, {"a quarter": {"start": 4}})

SHARP_THEOREM = lens(
    "the sharp rate, by covariances", sharp_theorem, draw_quadratic, {"without gamma": {"dimension": False}}
)
