"""Each release of `PrivateRidge(mechanism="auto")` moves by no more than the sensitivity that its noise is for.

The definition of adaptive releases, played: the data set gets its outputs, its neighbour is asked for values after the
same outputs, and at every release the two values are compared in exact arithmetic with the stated sensitivity. The
power control: some neighbours reach nearly all of it, so a smaller one would have been broken.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.learning.private_ridge import auto
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.mechanisms.sensitivity import Adjacency
from rgm_verify.numbers.sampling import spawn

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE


class Player:
    """Answers a fit: with noise of its own, or with the outputs of another one."""

    def __init__(self, ratio, generator, outputs=None):
        self.answer = auto.Releases(Fraction(ratio), generator)
        self.given, self.outputs, self.values, self.shares, self.stated = outputs, [], [], [], []

    def __call__(self, value, share, sensitivity):
        self.values.append(value)
        self.shares.append(share)
        self.stated.append(sensitivity)
        self.outputs.append(self.given[len(self.outputs)] if self.given else self.answer(value, share, sensitivity))
        return self.outputs[-1]


def records(generator, n, d, k, kind):
    """Records in the unit balls: usual ones, tiny ones, some at the very bound, and copies of one."""
    X, y = generator.normal(size=(n, d)), generator.normal(size=(n, k))
    X *= 10.0 ** (generator.uniform(-6, 0, (n, 1)) if kind == "scales" else 0)
    X, y = (part / np.maximum(1, np.linalg.norm(part, axis=1, keepdims=True) * (1 + 1e-12)) for part in (X, y))
    return (np.tile(X[:1], (n, 1)), np.tile(y[:1], (n, 1))) if kind == "copies" else (X, y)


def worst(public, k, kind, generator, ratio):
    """The largest quotient of what moved and what was stated, for each of the releases: squared, exact."""
    # A private number of records may be far from the public one, and nothing but values may depend on it.
    d, n = public.dimension, 7 if public.adjacency is ADD and k == 2 else public.divisor
    X, y = records(generator, n, d, k, kind)
    first = Player(ratio, generator)
    fit = auto.fitted(X, y, public, first)
    assert sum(first.shares) == 1
    assert len(first.shares) == auto.RELEASES
    found = [Fraction(0)] * auto.RELEASES
    # Neighbours: anything, the same with the sign of its label changed, and far along what the fit has learnt.
    direction = fit.coefficients[:, 0] / max(np.linalg.norm(fit.coefficients[:, 0]), 1e-300)
    for other, label in (
        records(generator, 1, d, k, "usual"),
        (-X[:1], -y[:1]),
        (X[:1] * 0, y[:1]),
        (direction[np.newaxis] * (1 - 1e-12), -np.eye(1, k)),
    ):
        if public.adjacency is ADD:
            neighbour = np.vstack([X, other]), np.vstack([y, label])
        else:
            neighbour = np.vstack([other, X[1:]]), np.vstack([label, y[1:]])
        second = Player(ratio, generator, first.outputs)
        auto.fitted(*neighbour, public, second)
        # Sensitivities and shares are made of what was released: the neighbour's are the same to the last bit.
        assert (second.stated, second.shares) == (first.stated, first.shares)
        for at, (a, b, stated) in enumerate(zip(first.values, second.values, first.stated, strict=True)):
            moved = sum(
                (Fraction(p) - Fraction(q)) ** 2 for p, q in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
            )
            assert moved <= stated**2, (at, float(moved), float(stated))
            found[at] = max(found[at], moved / stated**2)
    return found


@pytest.mark.parametrize("adjacency", [REPLACE, ADD])
def test_no_release_moves_by_more_than_its_noise_is_for(adjacency):
    best = [Fraction(0)] * auto.RELEASES
    for at, generator in enumerate(spawn(17, 12)):
        # With much noise and with hardly any: scales, metric and threshold then differ by orders of magnitude.
        d, k, ratio = at % 3 + 1, at % 2 + 1, 10.0 ** (3 - 2 * (at % 4))
        public = PublicRidge(Fraction(1), Fraction(1), Fraction(at % 2, 50), 600, d, adjacency)
        for kind in ("usual", "scales", "copies"):
            best = [max(pair) for pair in zip(best, worst(public, k, kind, generator, ratio), strict=True)]
    assert all(math.sqrt(quotient) >= 0.85 for quotient in best), [math.sqrt(quotient) for quotient in best]
