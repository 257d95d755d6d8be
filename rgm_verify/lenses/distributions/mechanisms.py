"""Mechanisms with their inputs, as pairs of laws for claims: the density by definition, the releases by the reference.

Each function takes expressions of a claim and returns `Laws`. The densities are written here as anybody would write
them; the releases come from the mechanisms of the library, or from their source of chance where these release a single
number at a time. So that a claim names a mechanism and two inputs, and both checks follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy
from sympy import Abs, Integer, exp, pi, sqrt

from rgm_verify.lenses.distributions.laws import STRETCH, Around, FloatArray, Laws, Under

#: The coordinates of a release.
Y, Y_2 = sympy.Symbol("release", real=True), sympy.Symbol("release_2", real=True)
_FAR = 110  # scales of Laplace noise, beyond which less than 1e-47 of it lies
_HALF_TURNS = 1  # on either side of 0: noise on an angle beyond a whole turn is not told apart
_SLOW = 2000  # releases of a mechanism that makes them one by one


def normal(mean: sympy.Expr | int, deviation: sympy.Expr | int, other: sympy.Expr | int | None = None) -> Laws:
    """A number with Gaussian noise; on the neighbour its mean is `other`, if that is given."""
    return mixture(((1, mean),), ((1, mean if other is None else other),), deviation)


def mixture(
    first: Sequence[tuple[sympy.Expr | int, sympy.Expr | int]],
    second: Sequence[tuple[sympy.Expr | int, sympy.Expr | int]],
    deviation: sympy.Expr | int,
) -> Laws:
    """A number that is drawn from a list with its chances, as by a batch, and released with Gaussian noise.

    Args:
        first: Chances and numbers on the one data set.
        second: Those on the neighbour, as many.
        deviation: The deviation of the noise.
    """
    laws = [sum((w * _bell(Y, c, deviation) for w, c in part), sympy.S.Zero) for part in (first, second)]
    # Around each mean; how they lie is known where they are numbers.
    axis = tuple(c + k * deviation for c in dict.fromkeys(c for _, c in (*first, *second)) for k in STRETCH)
    given = (deviation, len(first), *(x for part in (*first, *second) for x in part))
    return Laws((Y,), laws[0], laws[1], (axis,), _drawn_from, given)


def _bell(x: Any, mean: Any, deviation: Any) -> Any:
    return exp(-((x - mean) ** 2) / (2 * deviation**2)) / (sqrt(2 * pi) * deviation)


def _drawn_from(
    count: int, generator: np.random.Generator, under: Under, noise: float, deviation: float, size: float, *pairs: float
) -> FloatArray:
    """Draw a number for each release, and let the Gaussian mechanism release it."""
    from rgm_verify.mechanisms import GaussianMechanism

    table = np.reshape(pairs, (2, int(size), 2))[0 if under == "P" else 1]
    mechanism = GaussianMechanism((deviation * noise) ** 2, floats="binary")
    drawn = table[:, 1][np.searchsorted(np.cumsum(table[:-1, 0]), generator.random(count), side="right")]
    return mechanism.release(drawn[:, np.newaxis], generator)


def laplace(first: sympy.Expr | int, second: sympy.Expr | int, scale: sympy.Expr | int) -> Laws:
    """A number with Laplace noise, as the noise of the test of `level_test`."""
    laws = [exp(-Abs(Y - c) / scale) / (2 * scale) for c in (first, second)]
    tails = (0, 4, 10, 20, 40, 70, _FAR)
    axis = (
        second,
        *(first + side * k * scale for k in tails for side in (1, -1)),
        *(second + side * _FAR * scale for side in (1, -1)),
    )
    return Laws((Y,), laws[0], laws[1], (axis,), _laplace, (first, second, scale))


def _laplace(
    count: int, generator: np.random.Generator, under: Under, noise: float, first: float, second: float, scale: float
) -> FloatArray:
    return (first if under == "P" else second) + noise * scale * generator.laplace(size=count)


def response(factor: sympy.Expr | int, failing: sympy.Expr | int = 0) -> Laws:
    """Randomised response of a bit, 0 on the one data set and 1 on the neighbour, right `factor` times as often as not.

    With the chance `failing` it shows the bit; outputs 2 and 3 are bits that are shown.
    """
    right = (1 - failing) * factor / (1 + factor)
    wrong = (1 - failing) / (1 + factor)
    laws = [sympy.Piecewise((a, sympy.Eq(Y, 0)), (b, sympy.Eq(Y, 1)), (c, sympy.Eq(Y, 2)), (e, True))
            for a, b, c, e in ((right, wrong, failing, Integer(0)), (wrong, right, Integer(0), failing))]  # fmt: skip
    outputs = (0, 1, 2, 3) if failing != 0 else (0, 1)
    return Laws((Y,), laws[0], laws[1], (outputs,), _response, (wrong, failing), finite=True)


def _response(
    count: int, generator: np.random.Generator, under: Under, noise: float, wrong: float, failing: float
) -> FloatArray:
    """Flip the bit with the chance of a wrong answer, show it where the mechanism fails."""
    bit = 0.0 if under == "P" else 1.0
    coins = generator.random(count)
    flipped = np.where(coins < wrong * noise, 1 - bit, bit)
    return np.where(coins > 1 - failing, 2 + bit, flipped)


def coin(first: sympy.Expr | int, second: sympy.Expr | int) -> Laws:
    """A coin that shows 1 with a chance that depends on the data set, and 0 otherwise."""
    laws = [
        sympy.Piecewise((chance, sympy.Eq(Y, 1)), (1 - chance, True)) for chance in map(sympy.sympify, (first, second))
    ]
    return Laws((Y,), laws[0], laws[1], ((0, 1),), _coin, (first, second), finite=True)


def _coin(
    count: int, generator: np.random.Generator, under: Under, noise: float, first: float, second: float
) -> FloatArray:
    """Toss it; with less noise the rarer side is rarer."""
    chance = first if under == "P" else second
    rare = noise * min(chance, 1 - chance)
    return (generator.random(count) < (rare if chance <= 0.5 else 1 - rare)).astype(np.float64)


def flipped_response(factor: sympy.Expr | int, flip: sympy.Expr | int) -> Laws:
    """Randomised response of a bit whose answer is turned around with the chance `flip`, by a coin of its own."""
    wrong = ((1 - flip) + factor * flip) / (1 + factor)
    laws = [sympy.Piecewise((1 - chance, sympy.Eq(Y, 0)), (chance, True)) for chance in (wrong, 1 - wrong)]
    return Laws((Y,), laws[0], laws[1], ((0, 1),), _flipped, (1 / (1 + factor), flip), finite=True)


def _flipped(
    count: int, generator: np.random.Generator, under: Under, noise: float, wrong: float, flip: float
) -> FloatArray:
    answers = _response(count, generator, under, noise, wrong, 0.0)
    return np.where(generator.random(count) < flip, 1 - answers, answers)


def responses(factor: sympy.Expr | int, times: int) -> Laws:
    """Randomised response of one bit, so many times, each with its own coin: the number of ones among the answers."""
    right = factor / (1 + factor)
    laws = [sympy.binomial(times, Y) * p**Y * (1 - p) ** (times - Y) for p in (1 - right, right)]
    return Laws((Y,), laws[0], laws[1], (tuple(range(times + 1)),), _responses, (1 - right, times), finite=True)


def _responses(
    count: int, generator: np.random.Generator, under: Under, noise: float, wrong: float, times: float
) -> FloatArray:
    answers = [_response(count, generator, under, noise, wrong, 0.0) for _ in range(int(times))]
    return np.asarray(np.sum(answers, axis=0))


def noisy_gradient(length: Any, clip: Any, batch: Any, multiplier: Any) -> Laws:
    """The average gradient `(length, 0)` in the plane, as DP-SGD releases it: both coordinates."""
    deviation = clip * multiplier / batch
    density = _bell(Y, length, deviation) * _bell(Y_2, 0, deviation)
    axes = (Around(length, deviation), Around(0, deviation))
    return Laws((Y, Y_2), density, density, axes, _dp_sgd, (length, clip, batch, multiplier))


def _dp_sgd(
    count: int, generator: np.random.Generator, under: Under, noise: float, length: float, clip: float, batch: float,
    multiplier: float,
) -> FloatArray:  # fmt: skip
    from rgm_verify.learning.geometric.training import NoisyGradient

    mechanism = NoisyGradient(_exact(clip), int(batch), _exact(multiplier * noise))
    return np.asarray(mechanism.release(np.broadcast_to([length, 0.0], (count, 2)), generator))


def geometric_gradient(length: Any, clip: Any, batch: Any, multiplier: Any, factor: Any, angle: Any = 0) -> Laws:
    """An average gradient in the plane, of a length and at an angle, as GeoDP releases it as printed: each with noise.
    On the neighbour the angle is turned around.

    Events and functions have to be those of the vector, as a length below 0 turns it around.
    """
    far, turn = clip * multiplier / batch, 2 * factor * pi * multiplier / batch
    laws = [_bell(Y, length, far) * _bell(Y_2, side * angle, turn) for side in (1, -1)]
    # With an angle events are looked at, which begin or end where the length is 0.
    ends = (STRETCH[0], 0, STRETCH[-1])
    lengths = (0, *(length + k * far for k in ends)) if angle != 0 else Around(length, far)
    halves = tuple(k * pi for k in range(-_HALF_TURNS, _HALF_TURNS + 1))
    turns = (*halves, *(angle + k * turn for k in ends)) if angle != 0 else Around(angle, turn)
    axes = (lengths, turns)
    return Laws((Y, Y_2), laws[0], laws[1], axes, _geodp, (length, clip, batch, multiplier, factor, angle), each=_SLOW)


def _geodp(
    count: int, generator: np.random.Generator, under: Under, noise: float, length: float, clip: float, batch: float,
    multiplier: float, factor: float, angle: float,
) -> FloatArray:  # fmt: skip
    """Length and angle of what the reference releases: the length has a sign, by the half of the turn that it is in."""
    from rgm_verify.learning.geometric.geodp import GeoDPAsPrinted

    mechanism = GeoDPAsPrinted(_exact(clip), int(batch), _exact(multiplier * noise), _exact(factor))
    turned = angle if under == "P" else -angle
    gradient = [length * np.cos(turned), length * np.sin(turned)]
    found = np.array([mechanism.release(gradient, generator) for _ in range(count)])
    return np.stack([np.hypot(found[:, 0], found[:, 1]), np.arctan2(found[:, 1], found[:, 0])], axis=1)


def _exact(value: float) -> Any:
    from fractions import Fraction

    return Fraction(value)
