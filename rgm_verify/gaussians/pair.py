"""A pair of isotropic Gaussians in exact numbers, in units of the second variance.

Rotations, shifts and a common scale change no divergence of two laws. What is left of two isotropic Gaussians are three
numbers, which is why everything else in this room takes a `GaussianPair`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.errors import reject
from rgm_verify.numbers.exact import Floats, NumberInput, exact, nonnegative, positive, positive_integer


@dataclass(frozen=True, init=False)
class GaussianPair:
    """`P = N(mu1, (1 + excess) I)` against `Q = N(mu2, I)` in `dimension`, with `|mu1 - mu2|^2 = shift_squared`.

    The unit of length is the standard deviation of `Q`, since no divergence depends on it. `excess` is the relative
    excess of the first variance, `variance_1 / variance_2 - 1 > -1`: positive for wide against narrow, negative for the
    other order, 0 for two Gaussians of one variance. Exact; floats only with `floats="binary"`.
    Raises `InputError` for `shift_squared < 0`, `excess <= -1` and a dimension that is no integer >= 1.
    """

    shift_squared: Fraction
    excess: Fraction
    dimension: int

    def __init__(
        self, shift_squared: NumberInput, excess: NumberInput, dimension: NumberInput, *, floats: Floats = "refuse"
    ) -> None:
        shift = nonnegative(shift_squared, name="shift_squared", meaning="a squared distance", floats=floats)
        change = exact(excess, name="excess", floats=floats)
        # The first variance is `1 + excess` times the second.
        if change <= -1:
            raise reject("excess", excess, "variance_1 / variance_2 - 1 must be > -1")
        object.__setattr__(self, "shift_squared", shift)
        object.__setattr__(self, "excess", change)
        object.__setattr__(self, "dimension", positive_integer(dimension, name="dimension", meaning="a dimension"))

    @classmethod
    def of(
        cls,
        distance_squared: NumberInput,
        variance_1: NumberInput,
        variance_2: NumberInput,
        dimension: NumberInput,
        *,
        floats: Floats = "refuse",
    ) -> GaussianPair:
        """Return the pair of `N(mu1, variance_1 I)` against `N(mu2, variance_2 I)`; variances are per coordinate.

        `distance_squared` is that of the means; all numbers are taken exactly, and floats as `floats` says. Raises
        `InputError` for a negative distance, a variance that is not positive, and a dimension that is no positive
        integer.
        """
        square = nonnegative(distance_squared, name="distance_squared", meaning="a squared distance", floats=floats)
        first = positive(variance_1, name="variance_1", meaning="a variance", floats=floats)
        second = positive(variance_2, name="variance_2", meaning="a variance", floats=floats)
        return cls(square / second, first / second - 1, dimension)

    def reversed(self) -> GaussianPair:
        """Return `Q` against `P`, exactly: lengths are then measured in deviations of the former `P`.

        Examples:
            >>> GaussianPair(1, 1, 3).reversed()
            GaussianPair(shift_squared=Fraction(1, 2), excess=Fraction(-1, 2), dimension=3)
        """
        ratio = 1 + self.excess
        return GaussianPair(self.shift_squared / ratio, -self.excess / ratio, self.dimension)

    def repeated(self, times: NumberInput) -> GaussianPair:
        """Return the pair of `times` independent releases of this one.

        The products of equal pairs have the privacy loss of one pair with `times` the squared distance and the
        dimension: the cumulant generating function is linear in the two (`beyond:composition-one-pair`). An identity of
        laws, no bound.

        Args:
            times: the number of releases, an integer >= 1.

        Raises:
            InputError: for another number.
        """
        count = positive_integer(times, name="times", meaning="the number of releases")
        return GaussianPair(count * self.shift_squared, self.excess, count * self.dimension)
