"""The energy of private gradient descent on a quadratic, by covariance matrices that are not diagonal."""

from ...exact_worlds import *
from ...rgm.section_5.gradient_descent_worlds import draw_quadratic, hessian_of


def _energy(world: World) -> tuple[Matrix, Matrix, Number, Number]:
    """The Hessian `H`, the weight `(tau(2 - tau H))^-1` of the energy, a stable step and `S`."""
    h, _, high = hessian_of(world)
    tau = 2 * world["share"] / high * Fraction(9, 10)
    weight = inverse(combination((2 * tau, identity(len(h))), (-(tau**2), h)))
    return h, weight, tau, tau**2 * trace(product(h, weight))


def _start(world: World) -> Matrix:
    return combination((1, outer(world["theta"], world["theta"])), (world["variance"], gram(world["root"])))


def energy(world: World, lost: int = 1) -> Slack:
    """`V' = V - (1 - gamma S) g + S sigma^2`, with matrices that are not diagonal."""
    h, weight, tau, s = _energy(world)
    before = _start(world)
    after, _ = second_moment_after(before, h, tau, world["gamma"], world["variance"])
    g = trace(product(product(h, before), h))
    wh = product(weight, h)
    right = trace(product(wh, before)) - lost * (1 - world["gamma"] * s) * g + s * world["variance"]
    return equal(trace(product(wh, after)), right)


def rate(world: World, power: int = 1) -> Slack:
    """`V' <= (1 - (1 - gamma S) omega) V + S sigma^2` for `gamma S <= 1`."""
    h, weight, tau, s = _energy(world)
    _, low, high = hessian_of(world)
    gamma = world["gamma"]
    require(gamma * s <= 1)
    omega = 1 - max((1 - tau * x) ** 2 for x in (low, high))
    before, wh = _start(world), product(weight, h)
    after, _ = second_moment_after(before, h, tau, gamma, world["variance"])
    kept = 1 - (1 - gamma * s * (power == 1)) * omega
    return at_most(trace(product(wh, after)), kept * trace(product(wh, before)) + s * world["variance"])


def stationary(world: World, half: bool = False) -> Slack:
    """The covariance `w tau (tau H (2 - tau H))^-1 tau` does not change in a step, `w = sigma^2/(1 - gamma S)`."""
    h, weight, tau, s = _energy(world)
    gamma = world["gamma"]
    require(gamma * s < 1)
    w = world["variance"] / (1 - gamma * s)
    stays = combination((w * tau**2 * (Fraction(1, 2) if half else 1), product(weight, inverse(h))))
    after, _ = second_moment_after(stays, h, tau, gamma, world["variance"])
    return every(*(same(a, b) for a, b in zip(after, stays, strict=True)))


def short_trace(world: World, half: bool = False) -> Slack:
    """`S <= tau tr A` and `f - f_* <= tau V <= 2 (f - f_*)` for `tau L <= 1`."""
    h, _, high = hessian_of(world)
    tau = world["share"] / high
    weight = inverse(combination((2 * tau, identity(len(h))), (-(tau**2), h)))
    s, before = tau**2 * trace(product(h, weight)), _start(world)
    value, found = trace(product(h, before)) / 2, tau * trace(product(product(weight, h), before))
    top = tau * trace(h) * (Fraction(1, 2) if half else 1)
    return every(at_most(s, top), at_most(tau * trace(h) / 2, s), at_most(value, found), at_most(found, 2 * value))


ENERGY = lens("the energy, by covariances", energy, draw_quadratic, {"twice": {"lost": 2}})
RATE = lens("the rate, by covariances", rate, draw_quadratic, {"without gamma": {"power": 2}})
STATIONARY = lens("a covariance that stays", stationary, draw_quadratic, {"half": {"half": True}})
TRACE = lens("the trace, by matrices", short_trace, draw_quadratic, {"half": {"half": True}})
