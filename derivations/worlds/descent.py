"""Private gradient descent in exact worlds: steps on functions of the class, and the covariance of runs on quadratics.

Functions are strongly convex, smooth and not quadratic (`SmoothConvex`); their values, gradients and Bregman divergences
are Fractions. On quadratics the whole covariance matrix is carried from step to step, with a Hessian that is not
diagonal. The noise has mean 0 and the covariance `(gamma |g|^2 + sigma^2) I`; nothing else of it is used.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from rgm_verify.lenses.worlds.exact import Slack, World, at_most, equal, every, require, same
from rgm_verify.lenses.worlds.library import (
    SmoothConvex,
    descent,
    matrix,
    number,
    part,
    second_moment_after,
    size,
    smooth_convex,
    vector,
)
from rgm_verify.lenses.worlds.linear import (
    Matrix,
    Number,
    Vector,
    apply,
    combination,
    dot,
    gram,
    identity,
    inverse,
    largest_eigenvalue,
    minus,
    outer,
    plus,
    product,
    smallest_eigenvalue,
    squared,
    times,
    trace,
    transpose,
)
from rgm_verify.lenses.worlds.reduction import norm

from .making import lens


def _after(f: SmoothConvex, world: World, step: Number) -> tuple[Number, Number]:
    """`E |theta'|^2` after a step from `theta` on a function that is least at 0, and `d tau^2 sigma^2`."""
    theta = world["theta"]
    g, d = f.gradient(theta), len(theta)
    noise = d * step**2 * world["variance"]
    return squared(minus(theta, times(step, g))) + d * step**2 * world["gamma"] * squared(g) + noise, noise


def _amplified(world: World, dimension: bool = True) -> Number:
    return 1 + world["gamma"] * (len(world["theta"]) if dimension else 1)


def _short(f: SmoothConvex, world: World, dimension: bool = True) -> Number:
    """A step of at most `1/((1 + gamma d) L)`."""
    require(f.smoothness > 0 and 0 < world["share"] <= 1)
    return world["share"] / (_amplified(world, dimension) * f.smoothness)


def step(world: World, dimension: bool = True, twice: int = 1) -> Slack:
    """A short step contracts by `1 - tau mu`, up to its noise."""
    f = smooth_convex(world)
    tau = _short(f, world)
    found, noise = _after(f, world, tau)
    added = noise if dimension else tau**2 * world["variance"]
    return at_most(found, (1 - twice * tau * f.strong) * squared(world["theta"]) + added)


def progress(world: World, dimension: bool = True) -> Slack:
    """One step of any size by both Bregman divergences."""
    f, theta = smooth_convex(world), world["theta"]
    require(f.smoothness > 0 and world["share"] > 0)
    tau = 2 * world["share"] / f.smoothness
    origin = tuple(0 * a for a in theta)
    forward, reverse = f.bregman(theta, origin), f.bregman(origin, theta)
    found, noise = _after(f, world, tau)
    k = _amplified(world) if dimension else _amplified(world, False)
    right = squared(theta) - 2 * tau * forward - 2 * tau * (1 - k * tau * f.smoothness) * reverse
    return at_most(found, right + (noise if dimension else tau**2 * world["variance"]))


def values(world: World, dimension: bool = True) -> Slack:
    """One step of any size by distance and value."""
    f, theta = smooth_convex(world), world["theta"]
    require(f.smoothness > 0 and world["share"] > 0)
    tau = 2 * world["share"] / f.smoothness
    found, noise = _after(f, world, tau)
    k = _amplified(world) if dimension else _amplified(world, False)
    right = (1 - tau * f.strong) * squared(theta) - 2 * tau * (1 - k * tau * f.smoothness) * f.value(theta)
    return at_most(found, right + (noise if dimension else tau**2 * world["variance"]))


def _convex(world: World) -> SmoothConvex:
    return smooth_convex({**world, "strong": 0 * world["strong"]})


def convex_step(world: World, noise: bool = True) -> Slack:
    """The convex case: `2 tau (f - f_*) <= r - E r' + d tau^2 sigma^2`."""
    f = _convex(world)
    tau = _short(f, world)
    found, added = _after(f, world, tau)
    decrease = squared(world["theta"]) - found
    return at_most(2 * tau * f.value(world["theta"]), decrease + (added if noise else 0))


def convex_long_step(world: World, share: int = 2) -> Slack:
    """The same with `(2 - u)` for `1 <= u = (1 + gamma d) tau L <= 2`."""
    f = _convex(world)
    require(f.smoothness > 0 and 0 <= world["share"] <= 1)
    u = 1 + world["share"]
    tau = u / (_amplified(world) * f.smoothness)
    found, added = _after(f, world, tau)
    left = (share - u) * 2 * tau * f.value(world["theta"])
    return at_most(left, squared(world["theta"]) - found + added)


def sharp(world: World, length: str = "long", other: bool = False) -> Slack:
    """The sharp factor, at mu for short steps and at L for long ones."""
    f = smooth_convex(world)
    k = _amplified(world)
    ends = f.strong + f.smoothness
    require(ends > 0 and world["share"] > 0)
    border = 2 / (k * ends)
    tau = border * (1 + 2 * world["share"]) if length == "long" else border * world["share"]
    require(length == "long" or world["share"] <= 1)
    found, noise = _after(f, world, tau)
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


# --- Runs on quadratics ------------------------------------------------------------------------------------------


def _quadratic(generator: np.random.Generator) -> World:
    return _quadratic_in(int(generator.integers(1, 4)), generator)


def _quadratic_in(d: int, generator: np.random.Generator) -> World:
    return {
        "root": matrix(generator, d, d),
        "ridge": size(generator, 2),
        "theta": vector(generator, d),
        "gamma": size(generator, 1) if generator.random() < 0.5 else Fraction(1, 20),
        "variance": size(generator, 2),
        "share": Fraction(int(generator.integers(1, 13)), 12),
        "steps": int(generator.integers(1, 4)),
    }


def _hessian(world: World) -> tuple[Matrix, Number, Number]:
    """The Hessian, and bounds on its spectrum."""
    require(world["ridge"] > 0 and world["gamma"] >= 0 and world["variance"] >= 0 and 0 < world["share"] <= 1)
    found = combination((1, gram(world["root"])), (world["ridge"], identity(len(world["root"]))))
    low, high = smallest_eigenvalue(found)[0], largest_eigenvalue(found)[1]
    require(low > 0)
    return found, low, high


def _run(world: World, hessian: Matrix, tau: Number) -> Number:
    """`E |theta_t - theta_*|^2` by the covariance, step by step."""
    covariance = outer(world["theta"], world["theta"])
    for _ in range(world["steps"]):
        covariance, _ = second_moment_after(covariance, hessian, tau, world["gamma"], world["variance"])
    return trace(covariance)


def theorem(world: World, dimension: bool = True) -> Slack:
    """Theorem 2, corrected, after several steps on a quadratic."""
    h, low, high = _hessian(world)
    d, t = len(world["theta"]), world["steps"]
    tau = world["share"] / ((1 + world["gamma"] * d) * high)
    floor = (d if dimension else Fraction(1, 4)) * tau * world["variance"] / low
    return at_most(_run(world, h, tau), (1 - tau * low) ** t * squared(world["theta"]) + floor)


def recurrence(world: World, noise: bool = True) -> Slack:
    """The second moment after several steps on a quadratic, against the solution of the recurrence."""
    h, low, high = _hessian(world)
    d, t = len(world["theta"]), world["steps"]
    tau = world["share"] / ((1 + world["gamma"] * d) * high)
    kept = 1 - tau * low
    added = d * tau**2 * world["variance"] if noise else 0
    return at_most(_run(world, h, tau), kept**t * squared(world["theta"]) + added * sum(kept**k for k in range(t)))


@dataclass(frozen=True)
class Averaged:
    """A run on a quadratic: the sum of E f at its points, E f at their average, E |theta_t - theta_*|^2, the step."""

    gaps: Number
    average: Number
    last: Number
    step: Number


def averaged(world: World) -> Averaged:
    """The second moments of the points of a run, of their sum, and of both together, step by step."""
    h, _, high = _hessian(world)
    t, tau = world["steps"], world["share"] / (_amplified(world) * high)
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


def theorem_printed(world: World) -> Slack:
    """Theorem 2, as printed, after several steps on a quadratic."""
    h, low, high = _hessian(world)
    tau = world["share"] / (high + world["gamma"])
    right = (1 - tau * low) ** world["steps"] * squared(world["theta"]) + tau * world["variance"] / low
    return at_most(_run(world, h, tau), right)


def sharp_theorem(world: World, dimension: bool = True) -> Slack:
    """The sharp rate after several stable steps on a quadratic."""
    h, low, high = _hessian(world)
    require(world["share"] < 1)
    d, t = len(world["theta"]), world["steps"]
    k = 1 + world["gamma"] * (d if dimension else 0)
    tau = 2 * world["share"] / (k * high)
    q = max(1 - 2 * tau * x + k * tau**2 * x**2 for x in (low, high))
    added = d * tau**2 * world["variance"]
    return at_most(_run(world, h, tau), q**t * squared(world["theta"]) + added * sum(q**i for i in range(t)))


def _energy(world: World) -> tuple[Matrix, Matrix, Number, Number]:
    """The Hessian `H`, the weight `(tau(2 - tau H))^-1` of the energy, a stable step and `S`."""
    h, _, high = _hessian(world)
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
    _, low, high = _hessian(world)
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
    h, _, high = _hessian(world)
    tau = world["share"] / high
    weight = inverse(combination((2 * tau, identity(len(h))), (-(tau**2), h)))
    s, before = tau**2 * trace(product(h, weight)), _start(world)
    value, found = trace(product(h, before)) / 2, tau * trace(product(product(weight, h), before))
    top = tau * trace(h) * (Fraction(1, 2) if half else 1)
    return every(at_most(s, top), at_most(tau * trace(h) / 2, s), at_most(value, found), at_most(found, 2 * value))


# --- Two nodes ---------------------------------------------------------------------------------------------------


def _nodes(generator: np.random.Generator) -> World:
    world = _quadratic(generator)
    d = len(world["theta"])
    return {
        **world,
        "second_root": matrix(generator, d, d),
        "centre": vector(generator, d),
        "theta": times(part(generator) * part(generator), world["theta"]),
    }


def _interval(generator: np.random.Generator) -> World:
    d = int(generator.integers(1, 4))
    return {
        "low": size(generator),
        "wide": size(generator),
        "ends": (number(generator), number(generator)),
        "theta": vector(generator, d),
    }


def _two(world: World) -> tuple[tuple[Matrix, Matrix], Matrix, Vector, Number, Number, Number]:
    """The Hessians of both nodes, their mean, the minimiser, mu, L and the step."""
    first, _, high_1 = _hessian(world)
    second, _, high_2 = _hessian({**world, "root": world["second_root"]})
    mean = combination((Fraction(1, 2), first), (Fraction(1, 2), second))
    star = times(Fraction(1, 2), apply(inverse(mean), apply(second, world["centre"])))
    low, high = smallest_eigenvalue(mean)[0], max(high_1, high_2)
    return (first, second), mean, star, low, high, world["share"] / (_amplified(world) * high)


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


# --- What the variables of the claims are in a world, in the order of the symbols that a claim gives -------------------


def _four(f: SmoothConvex, world: World) -> Vector:
    """r, F, B and G of a point, seen from the minimiser 0."""
    theta = world["theta"]
    origin = tuple(0 * a for a in theta)
    return squared(theta), f.value(theta), f.bregman(origin, theta), squared(f.gradient(theta))


def _noise(world: World) -> Vector:
    """gamma, sigma^2 and d."""
    return world["gamma"], world["variance"], len(world["theta"])


def of_short_step(world: World) -> Vector:
    """r, F, B, G, mu, L, gamma, sigma^2, d, tau."""
    f = smooth_convex(world)
    return *_four(f, world), f.strong, f.smoothness, *_noise(world), _short(f, world)


def of_any_step(world: World) -> Vector:
    """The same for a step of any size."""
    f = smooth_convex(world)
    return *_four(f, world), f.strong, f.smoothness, *_noise(world), 2 * world["share"] / f.smoothness


def of_progress(world: World) -> Vector:
    """r, F, B, G, L, gamma, sigma^2, d, tau, for a step of any size."""
    found = of_any_step(world)
    return *found[:4], *found[5:]


def of_convex_step(world: World) -> Vector:
    """r, F, B, G, L, gamma, sigma^2, d, tau, without strong convexity."""
    f = _convex(world)
    return *_four(f, world), f.smoothness, *_noise(world), _short(f, world)


def of_convex_long_step(world: World) -> Vector:
    """The same for a long step."""
    f = _convex(world)
    return *_four(f, world), f.smoothness, *_noise(world), (1 + world["share"]) / (_amplified(world) * f.smoothness)


def of_sharp_step(world: World, length: str) -> Vector:
    """r, F, B, G, mu, L, tau, k."""
    f = smooth_convex(world)
    border = 2 / (_amplified(world) * (f.strong + f.smoothness))
    tau = border * (1 + 2 * world["share"]) if length == "long" else border * world["share"]
    return *_four(f, world), f.strong, f.smoothness, tau, _amplified(world)


def of_two_points(world: World) -> Vector:
    """r, F, B, G, mu, L for the function less its tangent at the second point, which is then the minimiser."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    g2 = squared(minus(f.gradient(x), f.gradient(y)))
    return squared(minus(x, y)), f.bregman(x, y), f.bregman(y, x), g2, f.strong, f.smoothness


def of_range(world: World) -> tuple[Any, ...]:
    """Distance of two points and of their gradients, mu, L."""
    f, x, y = smooth_convex(world), world["theta"], world["other"]
    return norm(minus(x, y)), norm(minus(f.gradient(x), f.gradient(y))), f.strong, f.smoothness


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


def _before_last(world: World, hessian: Matrix, tau: Number) -> Matrix:
    """The second moments before the last step of a run."""
    covariance = outer(world["theta"], world["theta"])
    for _ in range(world["steps"] - 1):
        covariance, _ = second_moment_after(covariance, hessian, tau, world["gamma"], world["variance"])
    return covariance


def of_theorem(world: World) -> Vector:
    """r, F, B, G before the last step, r_0, (1 - tau mu)^(t-1), mu, L, gamma, sigma^2, d, tau."""
    h, low, high = _hessian(world)
    tau = world["share"] / (_amplified(world) * high)
    before = _before_last(world, h, tau)
    value, slope2 = trace(product(h, before)) / 2, trace(product(product(h, before), h))
    share = (1 - tau * low) ** (world["steps"] - 1)
    return trace(before), value, value, slope2, squared(world["theta"]), share, low, high, *_noise(world), tau


def of_average(world: World) -> Vector:
    """The sum of E f, t, E f at the average, the mean divergence to it, E |theta_t - theta_*|^2, r_0; the mechanism, tau."""
    found, t = averaged(world), world["steps"]
    spread = found.gaps / t - found.average
    return found.gaps, t, found.average, spread, found.last, squared(world["theta"]), *_noise(world), found.step


def of_sharp_theorem(world: World) -> Vector:
    """The squared distance before and after the last step, r_0, q^(t-1), q, d tau^2 sigma^2."""
    h, low, high = _hessian(world)
    k = _amplified(world)
    tau = 2 * world["share"] / (k * high)
    q = max(1 - 2 * tau * x + k * tau**2 * x**2 for x in (low, high))
    before, added = trace(_before_last(world, h, tau)), len(world["theta"]) * tau**2 * world["variance"]
    return before, _run(world, h, tau), squared(world["theta"]), q ** (world["steps"] - 1), q, added


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
    return squared(away), value, value, slope2, *nodes, low, high, *_noise(world), tau


def of_node(world: World) -> tuple[Any, ...]:
    """Both ends of the interval, the records at them, the norm of theta: the pair that needs the largest eta."""
    low, high = world["low"], world["low"] + world["wide"]
    return low, high, low, high, norm(world["theta"])


STEP = lens("a step on functions of the class", step, descent, {"without the dimension": {"dimension": False}})
PROGRESS = lens("a step by both divergences", progress, descent, {"without the dimension": {"dimension": False}})
PROGRESS_PRINTED = lens("a step by both divergences, as printed", partial(progress, dimension=False), descent)
VALUES = lens("a step by distance and value", values, descent, {"without the dimension": {"dimension": False}})
VALUES_PRINTED = lens("a step by distance and value, as printed", partial(values, dimension=False), descent)
CONVEX_STEP = lens("a step in the convex case", convex_step, descent, {"without noise": {"noise": False}})
CONVEX_LONG = lens("a long step in the convex case", convex_long_step, descent, {"three": {"share": 3}})
SHARP_LONG = lens("long steps on functions of the class", sharp, descent, {"at mu": {"other": True}})
SHARP_SHORT = lens(
    "short steps on functions of the class", partial(sharp, length="short"), descent, {"at L": {"other": True}}
)
INTERPOLATION = lens("the interpolation inequality", interpolation, descent, {"twice": {"twice": 2}})
GRADIENT_RANGE = lens("gradients between mu and L", gradient_range, descent, {"twice": {"twice": 2}})
BY_BREGMAN = lens("gradients and the divergence", by_bregman, descent, {"without 2": {"exchanged": True}})
BREGMAN_BOUNDS = lens("bounds on the divergence", bregman_bounds, descent, {"whole": {"half": 1}})
BREGMAN_SUM = lens("the sum of both divergences", bregman_sum, descent, {"sign": {"minus_sign": -1}})
THEOREM = lens("Theorem 2 corrected, by covariances", theorem, _quadratic, {"a quarter": {"dimension": False}})
RECURRENCE = lens(
    "the solution of the recurrence, by covariances", recurrence, _quadratic, {"without noise": {"noise": False}}
)
AVERAGE = lens("the averaged iterate, by covariances", average, _quadratic, {"a quarter": {"start": 4}})
THEOREM_PRINTED = lens("Theorem 2 as printed, by covariances", theorem_printed, _quadratic)
PRINTED_LINE = lens("Theorem 2 as printed, on the line", theorem_printed, partial(_quadratic_in, 1))
SHARP_THEOREM = lens(
    "the sharp rate, by covariances", sharp_theorem, _quadratic, {"without gamma": {"dimension": False}}
)
ENERGY = lens("the energy, by covariances", energy, _quadratic, {"twice": {"lost": 2}})
RATE = lens("the rate, by covariances", rate, _quadratic, {"without gamma": {"power": 2}})
STATIONARY = lens("a covariance that stays", stationary, _quadratic, {"half": {"half": True}})
TRACE = lens("the trace, by matrices", short_trace, _quadratic, {"half": {"half": True}})
TWO_NODES = lens("a step of two nodes", two_nodes, _nodes, {"no spread": {"spread": False}})
NODE_ETA = lens("a node's gradients", node_eta, _interval, {"printed": {"printed": True}})
NODE_ETA_PRINTED = lens("a node's gradients, as printed", partial(node_eta, printed=True), _interval)
