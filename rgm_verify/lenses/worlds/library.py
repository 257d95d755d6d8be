"""A library of exact worlds: ridge regression on few rational records, ordered matrices, functions of a class.

What draws, draws coordinates that may be moved freely; what is derived from them (second moments, minimisers, matrices
that are above others) is computed by `rgm_verify.lenses.worlds.linear` over Fractions or floats alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.lenses.worlds.exact import World, require
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
    minus,
    outer,
    plus,
    product,
    squared,
    times,
    trace,
    transpose,
)

_SHARES = (1, 1, 1, 2, 2, 3, 5, 10)
_NEAR = (Fraction(0), Fraction(1, 10), Fraction(1), Fraction(1))
_SIZES = (Fraction(1, 10), Fraction(1), Fraction(1), Fraction(1), Fraction(4), Fraction(10))


def number(generator: np.random.Generator, largest: int = 6) -> Fraction:
    """A small rational of either sign."""
    share = _SHARES[int(generator.integers(len(_SHARES)))]
    return Fraction(int(generator.integers(-largest * share, largest * share + 1)), share)


def size(generator: np.random.Generator, largest: int = 6) -> Fraction:
    """A small positive rational."""
    share = _SHARES[int(generator.integers(len(_SHARES)))]
    return Fraction(int(generator.integers(1, largest * share + 1)), share)


def part(generator: np.random.Generator) -> Fraction:
    """A rational in [0, 1], both ends included."""
    return Fraction(int(generator.integers(0, 13)), 12)


def vector(generator: np.random.Generator, dimension: int) -> tuple[Fraction, ...]:
    """A rational vector."""
    return tuple(number(generator) for _ in range(dimension))


def matrix(generator: np.random.Generator, rows: int, columns: int) -> tuple[tuple[Fraction, ...], ...]:
    """A rational matrix whose columns may be of different sizes, so that its Gram matrix may be badly conditioned."""
    scales = [_SIZES[int(generator.integers(len(_SIZES)))] for _ in range(columns)]
    return tuple(tuple(s * number(generator) for s in scales) for _ in range(rows))


@dataclass(frozen=True)
class Ridge:
    """The objective `(1/2n) sum (<x_i, theta> - y_i)^2 + (mu/2) |theta|^2` of a dataset, exactly."""

    records: Matrix
    labels: Vector
    regularisation: Number

    @property
    def count(self) -> int:
        """The number of records."""
        return len(self.records)

    @property
    def moments(self) -> Matrix:
        """The Hessian `A`."""
        terms = [(Fraction(1, self.count), outer(x, x)) for x in self.records]
        return combination(*terms, (self.regularisation, identity(len(self.records[0]))))

    @property
    def products(self) -> Vector:
        """The vector `b`, so that the gradient is `A theta - b`."""
        found = times(0, self.records[0])
        for x, y in zip(self.records, self.labels, strict=True):
            found = plus(found, times(y * Fraction(1, self.count), x))
        return found

    def gradient(self, theta: Vector) -> Vector:
        """The gradient, record by record: nothing of `A` and `b` is used."""
        found = times(self.regularisation, theta)
        for x, y in zip(self.records, self.labels, strict=True):
            found = plus(found, times((dot(x, theta) - y) * Fraction(1, self.count), x))
        return found

    def minimiser(self) -> Vector:
        """The minimiser `A^-1 b`; `ZeroDivisionError` if it is not unique."""
        return apply(inverse(self.moments), self.products)

    def neighbour(self, record: Vector, label: Number) -> Ridge:
        """The dataset with another first record."""
        return Ridge((record, *self.records[1:]), (label, *self.labels[1:]), self.regularisation)


def record_gradient(record: Vector, label: Number, theta: Vector) -> Vector:
    """The gradient of one record's loss `(<x, theta> - y)^2 / 2`."""
    return times(dot(record, theta) - label, record)


def ridge_pair(generator: np.random.Generator) -> World:
    """Draw two neighbouring datasets (the first record is exchanged) of 2 to 4 records in 1 to 3 dimensions, and a
    point.

    Now and then the record that comes is far away, the labels vanish, or the records are badly scaled.
    """
    d, n = int(generator.integers(1, 4)), int(generator.integers(2, 5))
    far = Fraction(int(generator.integers(1, 30))) if generator.random() < 0.2 else Fraction(1)
    # Labels that are all 0 put the minimiser at 0, where many bounds are tight.
    silent = Fraction(0) if generator.random() < 0.2 else Fraction(1)
    records = matrix(generator, n + 1, d)
    return {
        "records": records[:n],
        "labels": times(silent, vector(generator, n)),
        "regularisation": size(generator, 2) if d >= n or generator.random() < 0.5 else Fraction(0),
        "new_record": times(far, records[n]),
        "new_label": silent * number(generator),
        "theta": vector(generator, d),
    }


def ridge_datasets(world: World) -> tuple[Ridge, Ridge]:
    """The two datasets of a world of `ridge_pair`."""
    # An adversary moves it by floats, and may have gone below.
    require(world["regularisation"] >= 0)
    first = Ridge(world["records"], world["labels"], world["regularisation"])
    return first, first.neighbour(world["new_record"], world["new_label"])


def ordered_pair(generator: np.random.Generator) -> World:
    """Coordinates of `C > 0` and `A` above `rho C` in 1 to 3 dimensions, in general without common eigenvectors.

    `above` makes the order tight in some directions: with fewer columns than dimensions `A - rho C` is singular.
    """
    d = int(generator.choice((1, 2, 2, 3)))
    return {
        "root": transpose(matrix(generator, d, d)),
        "ridge": size(generator, 2),
        "above": matrix(generator, d, int(generator.integers(1, d + 1))),
        "rho": size(generator, 2),
        "x": vector(generator, d),
    }


def ordered_matrices(world: World) -> tuple[Matrix, Matrix]:
    """The matrices `A` and `C` of a world of `ordered_pair`: `C = R R^T + r I`, `A = rho C + N N^T`."""
    require(world["ridge"] > 0 and world["rho"] > 0)
    # By their coordinates and not drawn as matrices: the order holds in every world, however it is moved.
    lower = combination((1, gram(world["root"])), (world["ridge"], identity(len(world["root"]))))
    return combination((world["rho"], lower), (1, gram(world["above"]))), lower


@dataclass(frozen=True)
class SmoothConvex:
    """`(mu/2)|theta|^2 + sum_k c_k h_k(<u_k, theta>)`: strongly convex, `mu + sum_k c_k |u_k|^2`-smooth, least at 0.

    `h_k` is half the square between `-p_k` and `q_k` and straight beyond: not a quadratic, and not symmetric.
    """

    strong: Number
    weights: Vector
    directions: Matrix
    left: Vector
    right: Vector

    @property
    def smoothness(self) -> Number:
        """A smoothness constant."""
        return self.strong + sum(c * squared(u) for c, u in zip(self.weights, self.directions, strict=True))

    def value(self, theta: Vector) -> Number:
        """The function, 0 at its minimiser 0."""
        found = self.strong * squared(theta) / 2
        for c, u, p, q in zip(self.weights, self.directions, self.left, self.right, strict=True):
            x = dot(u, theta)
            # Quadratic up to the ends and linear beyond them: convex, smooth, and not quadratic as a whole.
            inner = min(max(x, -p), q)
            found += c * (inner * inner / 2 + inner * (x - inner))
        return found

    def gradient(self, theta: Vector) -> Vector:
        """The gradient."""
        found = times(self.strong, theta)
        for c, u, p, q in zip(self.weights, self.directions, self.left, self.right, strict=True):
            found = plus(found, times(c * min(max(dot(u, theta), -p), q), u))
        return found

    def bregman(self, theta: Vector, other: Vector) -> Number:
        """Return the height of `f(theta)` above the tangent at `other`."""
        return self.value(theta) - self.value(other) - dot(self.gradient(other), minus(theta, other))


def descent(generator: np.random.Generator) -> World:
    """A function of the class, a point (at times near the minimiser, or there), the amplification `gamma` and the
    variance of the noise, and a share of the step.
    """
    d, terms = int(generator.integers(1, 4)), int(generator.integers(1, 4))
    return {
        "strong": size(generator, 2) if generator.random() < 0.8 else Fraction(1, 100),
        "weights": tuple(size(generator, 3) for _ in range(terms)),
        "directions": matrix(generator, terms, d),
        "left": tuple(size(generator) for _ in range(terms)),
        "right": tuple(size(generator) for _ in range(terms)),
        "theta": times(_NEAR[int(generator.integers(len(_NEAR)))], vector(generator, d)),
        "other": vector(generator, d),
        "gamma": size(generator, 1) if generator.random() < 0.7 else Fraction(1, 50),
        "variance": size(generator, 2),
        "share": max(Fraction(1, 12), part(generator)) if generator.random() < 0.6 else Fraction(1),
    }


def smooth_convex(world: World) -> SmoothConvex:
    """The function of a world of `descent`, where its numbers are in the class."""
    numbers = (*world["weights"], *world["left"], *world["right"])
    require(all(world[name] >= 0 for name in ("strong", "gamma", "variance")) and all(v >= 0 for v in numbers))
    return SmoothConvex(world["strong"], world["weights"], world["directions"], world["left"], world["right"])


def second_moment_after(
    covariance: Matrix, hessian: Matrix, step: Number, gamma: Number, variance: Number
) -> tuple[Matrix, Number]:
    """`E (theta - theta_*)(theta - theta_*)^T` after a noisy step on a quadratic, from that before, and the variance
    of the noise.

    The noise has mean 0 and covariance `(gamma E|g|^2 + variance) I` whatever the Hessian's eigenvectors are.
    """
    d = len(hessian)
    noise = gamma * trace(_sandwich(hessian, covariance)) + variance
    kept = combination((1, identity(d)), (-step, hessian))
    return combination((1, _sandwich(kept, covariance)), (step * step * noise, identity(d))), noise


def _sandwich(symmetric: Matrix, middle: Matrix) -> Matrix:
    return product(product(symmetric, middle), symmetric)
