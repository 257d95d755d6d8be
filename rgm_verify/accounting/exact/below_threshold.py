r"""The pairs that decide when the baseline noise is too small for one pair to be the worst in every respect.

Fix the smaller norm m of two admissible outputs. Their distance is at most D = sqrt(eta^2 m^2 + r_rel^2), the larger
norm at most m + D. Put z = eta m / D, which runs from 0 (m = 0) to 1 (m to infinity), and
kappa = sigma2 eta^2 / (gamma r_rel^2). In units of the smaller variance the squared distance is at most S(z) and the
relative excess of the larger variance at most w(z), with

    N(z) = kappa + (1 - kappa) z^2,   S(z) = (eta^2 / gamma) / N(z),   w(z) = eta (eta + 2 z) / N(z).

Both are rational in z, and S decreases where kappa < 1. They are reached together, by two outputs on one ray.

Source: derived in `derivations/beyond/`: `below_threshold`, `pairs_that_remain`, `stationary_orders`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.release import Release
from rgm_verify.gaussians.pair import GaussianPair

Polynomial = tuple[Fraction, ...]
"""Coefficients, the constant first."""


@dataclass(frozen=True)
class Family:
    """The pairs (S(z), w(z)), 0 <= z <= 1, of a release with `r_rel > 0` and `kappa < 1`: exact.

    `z = 1` is the limit of large outputs, and `release.worst_pair`.

    Attributes:
        release: the release.
        kappa: its baseline noise over the covering one.
    """

    release: Release
    kappa: Fraction

    @classmethod
    def of(cls, release: Release) -> Family:
        """Return the family of a release whose baseline noise is below `gamma r_rel^2 / eta^2`."""
        return cls(release, release.sigma2 * release.eta**2 / (release.gamma * release.r_rel**2))

    @property
    def spread(self) -> Polynomial:
        """N(z), proportional to the smaller variance in units of the squared distance."""
        return (self.kappa, Fraction(0), 1 - self.kappa)

    @property
    def surplus(self) -> Polynomial:
        """Eta (eta + 2 z), the excess of the larger variance in the units of N(z)."""
        return (self.release.eta**2, 2 * self.release.eta)

    def pair(self, z: Fraction) -> GaussianPair:
        """Return the pair at z, wide against narrow: admissible for z < 1, a limit of admissible pairs at 1."""
        return self.corner(z, z)

    def corner(self, low: Fraction, high: Fraction) -> GaussianPair:
        """Return a pair with the largest distance, and at least the largest excess, of all z in [low, high].

        The pair itself need not be admissible; for `low = high` it is the pair at z.
        """
        spread = evaluate(self.spread, low)
        release = self.release
        return GaussianPair(
            release.eta**2 / (release.gamma * spread), evaluate(self.surplus, high) / spread, release.dimension
        )

    def is_finite(self, alpha: Fraction) -> bool:
        """Decide exactly whether the Renyi divergences of order `alpha` have a finite supremum over z.

        It is finite where the mixed variance is positive on [0, 1]: a quadratic, known at its lowest place there.
        """
        mixed = self.mixed(alpha)
        # The vertex of the quadratic, or the end of the interval if that comes first. It is not below 0, as
        # `1 - alpha <= 0`, and the quadratic opens upward, as `kappa < 1`: no root has to be found.
        lowest = min(Fraction(1), -mixed[1] / (2 * mixed[2]))
        return evaluate(mixed, lowest) > 0

    def mixed(self, alpha: Fraction) -> Polynomial:
        """N(z) (1 - (alpha - 1) w(z)): the divergence of order `alpha` at z is finite where this is > 0."""
        return add(self.spread, scale(1 - alpha, self.surplus))

    def stationary(self, alpha: Fraction) -> Polynomial:
        """A polynomial that vanishes where the Renyi divergence of order `alpha`, as a function of z, has slope 0.

        With Q the mixed variance and W = N + eta (eta + 2 z), the divergence is
        alpha A / (2 Q) + (d/2) [-log(Q)/(alpha - 1) + alpha log(N)/(alpha - 1) - log(W)], A = eta^2 / gamma; its
        derivative is multiplied by 2 (alpha - 1) Q^2 N W. For alpha = 1 it is A / (2 N) + (d/2) [W/N - 1 - log(W/N)],
        multiplied by 2 N^2 W.
        """
        release, spread, mixed = self.release, self.spread, self.mixed(alpha)
        wide = add(spread, self.surplus)
        dimension, ratio, excess = Fraction(release.dimension), release.eta**2 / release.gamma, alpha - 1
        slope, slope_wide, slope_mixed = derivative(spread), derivative(wide), derivative(mixed)
        # The Kullback-Leibler divergence has its own formula, as that of other orders divides by alpha - 1.
        if alpha == 1:
            change = add(times(slope_wide, spread), scale(Fraction(-1), times(wide, slope)))
            logs = times(change, add(wide, scale(Fraction(-1), spread)))
            return add(scale(-ratio, times(slope, wide)), scale(dimension, logs))
        square = times(mixed, mixed)
        logs = add(
            scale(Fraction(-1), times(times(slope_mixed, mixed), times(spread, wide))),
            scale(alpha, times(times(slope, square), wide)),
            scale(-excess, times(times(slope_wide, square), spread)),
        )
        main = scale(-alpha * excess * ratio, times(slope_mixed, times(spread, wide)))
        return add(main, scale(dimension, logs))


def evaluate(polynomial: Polynomial, z: Fraction) -> Fraction:
    """Return the exact value at z, by Horner's scheme."""
    total = Fraction(0)
    for coefficient in reversed(polynomial):
        total = total * z + coefficient
    return total


def add(*polynomials: Polynomial) -> Polynomial:
    """Return the exact sum."""
    # Padded, since the shorter ones have no coefficients there: a plain `zip` would cut the longest one off.
    longest = max(map(len, polynomials))
    padded = [(*p, *[Fraction(0)] * (longest - len(p))) for p in polynomials]
    return tuple(sum(column, Fraction(0)) for column in zip(*padded, strict=True))


def scale(factor: Fraction, polynomial: Polynomial) -> Polynomial:
    """Return the exact multiple."""
    return tuple(factor * coefficient for coefficient in polynomial)


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the exact product."""
    product = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            product[i + j] += x * y
    return tuple(product)


def derivative(polynomial: Polynomial) -> Polynomial:
    """Return the exact derivative."""
    return tuple(k * coefficient for k, coefficient in enumerate(polynomial))[1:] or (Fraction(0),)
