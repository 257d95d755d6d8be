"""Discrete Laplace and discrete Gaussian noise, sampled exactly: integers and rationals only, no floating point.

Every draw is made of uniform integers, and these of random bits; nothing is rounded, so that the law is the one that
the account is for. The methods are those of Canonne, Kamath and Steinke (2020): a coin of probability `exp(-x)` from
uniform integers, discrete Laplace noise from such coins, and discrete Gaussian noise from both by rejection. How long
a draw takes depends on its value, so that an observer of the time may learn of it. The bits have to be those of a
cryptographic source; `secrets.randbits` is used unless another one is given.
"""

from __future__ import annotations

import math
import operator
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import SupportsIndex, TypeAlias, overload

from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.numbers.exact import ExactInput, positive

__all__ = ["DiscreteGaussianMechanism", "DiscreteLaplaceMechanism", "ExactNoise"]

Bits: TypeAlias = Callable[[int], int]
"""Returns so many independent, fair bits as an integer."""

# Between this and its inverse; whoever asks for more has most likely mistaken the unit.
_LARGEST = Fraction(10**12)


class ExactNoise:
    """Draws from exact laws, by the bits of a source."""

    def __init__(self, bits: Bits = secrets.randbits) -> None:
        self._bits = bits

    def below(self, number: int) -> int:
        """Return one of `0 .. number - 1`, all as likely; `number >= 1`."""
        # A remainder of more bits would prefer small numbers: what is too large is thrown away, less than half of all.
        length = (number - 1).bit_length()
        while True:
            found = self._bits(length) if length else 0
            if found < number:
                return found

    def chance(self, probability: Fraction) -> bool:
        """Return True with a rational probability in [0, 1]."""
        return self.below(probability.denominator) < probability.numerator

    def decay(self, exponent: Fraction) -> bool:
        """Return True with the probability `exp(-exponent)`, for a rational `exponent >= 0`."""
        # The series of the coins below has falling terms up to the exponent 1 alone.
        whole = math.floor(exponent)
        for _ in range(whole):
            if not self._decay_within_one(Fraction(1)):
                return False
        return self._decay_within_one(exponent - whole)

    def _decay_within_one(self, exponent: Fraction) -> bool:
        """Return True with the probability `exp(-exponent)`, `0 <= exponent <= 1`.

        The first `k` coins of probabilities `x, x/2, .., x/k` all succeed with `x^k/k!`; that the first failure is the
        one at an odd place has the alternating sum of these.
        """
        place = 1
        while self.chance(exponent / place):
            place += 1
        return place % 2 == 1

    def laplace(self, scale: Fraction) -> int:
        """Return an integer with a mass in proportion to `exp(-|x|/scale)`; `scale > 0` is rational."""
        while True:
            found = self.laplace_round(scale)
            if found is not None:
                return found

    def laplace_round(self, scale: Fraction) -> int | None:
        """Return one attempt at discrete Laplace noise, None where it is to be repeated.

        A uniform remainder that is kept with `exp(-u/t)`, and a geometric number of whole `t`, make a number with
        masses in proportion to `exp(-x/t)`; its part by the denominator falls off as the scale says. One of the two
        zeros goes.
        """
        top, bottom = scale.numerator, scale.denominator
        remainder = self.below(top)
        if not self.decay(Fraction(remainder, top)):
            return None
        times = 0
        while self.decay(Fraction(1)):
            times += 1
        size = (remainder + top * times) // bottom
        negative = self.chance(Fraction(1, 2))
        # With both signs, 0 would have twice its mass.
        if negative and size == 0:
            return None
        return -size if negative else size

    def gaussian(self, sigma_squared: Fraction) -> int:
        """Return an integer with a mass in proportion to `exp(-x^2/(2 sigma_squared))`; the square is rational, > 0."""
        while True:
            found = self.gaussian_round(sigma_squared)
            if found is not None:
                return found

    def gaussian_round(self, sigma_squared: Fraction) -> int | None:
        """Return one attempt at discrete Gaussian noise, None where it is to be repeated.

        Laplace noise of an integer scale `t` just above sigma, kept with `exp(-(|x| - sigma^2/t)^2/(2 sigma^2))`.
        """
        scale = math.isqrt(math.floor(sigma_squared)) + 1
        found = self.laplace(Fraction(scale))
        gap = abs(found) - sigma_squared / scale
        return found if self.decay(gap * gap / (2 * sigma_squared)) else None


def _integer(value: SupportsIndex) -> int:
    # Python takes True for 1, and a truth value in the place of a count is a mistake of the caller.
    if isinstance(value, bool):
        raise depends_on_data("value: a truth value is not a number; pass 0 or 1")
    try:
        return operator.index(value)
    except TypeError:
        # Raised outside of the handler, as the exception here may quote the value.
        problem = depends_on_data("value: noise on the integers is for integers; scale and round the query first")
    raise problem


def _with_noise(value: SupportsIndex | Sequence[SupportsIndex], draw: Callable[[], int]) -> int | list[int]:
    """Return a number, or a list, an array or a tuple of numbers, each with a draw of its own."""
    # An array without an axis is a number, and one with two has no order that everybody would expect.
    if not isinstance(value, list | tuple) and getattr(value, "ndim", 0) != 1:
        return _integer(value) + draw()  # type: ignore[arg-type]
    exact = [_integer(one) for one in value]  # type: ignore[union-attr]
    if not exact:
        raise InputError("value: a vector has at least one coordinate")
    return [one + draw() for one in exact]


def _moderate(value: ExactInput, name: str, meaning: str) -> Fraction:
    found = positive(value, name=name, meaning=meaning)
    if not 1 / _LARGEST <= found <= _LARGEST:
        raise reject(name, value, "must lie between 1e-12 and 1e12")
    return found


@dataclass(frozen=True, init=False)
class DiscreteLaplaceMechanism:
    """Adds discrete Laplace noise of an exact `scale` to an integer. Raises `InputError` for a scale out of range."""

    scale: Fraction
    noise: ExactNoise = field(compare=False, repr=False)

    def __init__(self, scale: ExactInput, *, bits: Bits = secrets.randbits) -> None:
        object.__setattr__(self, "scale", _moderate(scale, "scale", "the scale"))
        object.__setattr__(self, "noise", ExactNoise(bits))

    @overload
    def release(self, value: SupportsIndex) -> int: ...

    @overload
    def release(self, value: Sequence[SupportsIndex]) -> list[int]: ...

    def release(self, value: SupportsIndex | Sequence[SupportsIndex]) -> int | list[int]:
        """Return the integer, or each integer of a vector, with noise of its own; `InputError` for anything else."""
        return _with_noise(value, lambda: self.noise.laplace(self.scale))


@dataclass(frozen=True, init=False)
class DiscreteGaussianMechanism:
    """Adds discrete Gaussian noise of an exact `sigma` to an integer. Raises `InputError` for a sigma out of range."""

    sigma: Fraction
    noise: ExactNoise = field(compare=False, repr=False)

    def __init__(self, sigma: ExactInput, *, bits: Bits = secrets.randbits) -> None:
        object.__setattr__(self, "sigma", _moderate(sigma, "sigma", "the parameter sigma"))
        object.__setattr__(self, "noise", ExactNoise(bits))

    @overload
    def release(self, value: SupportsIndex) -> int: ...

    @overload
    def release(self, value: Sequence[SupportsIndex]) -> list[int]: ...

    def release(self, value: SupportsIndex | Sequence[SupportsIndex]) -> int | list[int]:
        """Return the integer, or each integer of a vector, with noise of its own; `InputError` for anything else."""
        return _with_noise(value, lambda: self.noise.gaussian(self.sigma**2))
