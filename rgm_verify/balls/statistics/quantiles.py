"""Quantiles on the safe side: ball arithmetic certifies that the stated tail is not exceeded.

SciPy's inverse functions are only a first guess (that of the beta law is 1.9 times too large for 1,000 successes in 1e9
trials). From there Newton's method goes to a float at which an enclosure of the tail lies below the stated one. Each
result is a float on the safe side, within about 2^-36 of its tail's logarithm; the trivial end where none is found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flint import arb

from rgm_verify.balls.arithmetic import precision

__all__ = ["binomial_quantile", "chi_square_above", "chi_square_below", "normal_above"]

# Up to 4096 bits: an extreme tail cancels that much in Arb's series.
_PRECISIONS = tuple(64 << doublings for doublings in range(7))
_ACCURATE = 50  # bits of a tail, more than the stopping rule asks for
# Newton's method takes about five; the rest is for tails that rounding makes flat.
_TRIES = 64
_TINY = 1e-300
_LONGEST = 600.0  # of a step toward 0, in logarithms: `exp` does not overflow
_CLOSE = 2.0**-36  # how much of its logarithm a tail may be too small by
_CLOSE_END = 2.0**-51

_Law = Callable[[arb], tuple[arb, arb]]
"""An end to the tail beyond it and the density at it, as balls at the working precision."""


def _special() -> Any:
    """Return SciPy's inverse functions, for first guesses."""
    # Loaded here because pages of claims import this module and compute no quantile: `show` takes a quarter less time.
    from scipy import special

    return special


def binomial_quantile(successes: int, trials: int, tail: float) -> float:
    """Return a probability `p` such that `trials` throws give `successes` or more with probability <= `tail`.

    A lower bound on the largest such `p`, which is a beta quantile.

    Args:
        successes: from 1 to `trials`.
        tail: `0 < tail <= 1/2`.
    """
    failures = trials - successes

    def law(p: arb) -> tuple[arb, arb]:
        log_beta = arb(successes).lgamma() + arb(failures + 1).lgamma() - arb(trials + 1).lgamma()
        density = ((successes - 1) * p.log() + failures * (-p).log1p() - log_beta).exp()
        return p.beta_lower(arb(successes), arb(failures + 1), regularized=True), density

    # Beyond the mode the tail is no longer steep, and the first guess may lie there.
    guess = _start(float(_special().betaincinv(successes, failures + 1, tail)), most=successes / (trials + 1))
    return _outward(guess, law, tail, -1)


def chi_square_above(degrees: int, tail: float) -> float:
    """Return an `x` that a chi-square variable of `degrees` exceeds with probability <= `tail`; an upper bound.

    Args:
        degrees: the degrees of freedom, >= 1.
        tail: a probability, 0 < tail <= 1/2.
    """
    guess = _start(2 * float(_special().gammainccinv(degrees / 2, tail)), least=degrees - 2 / 3)
    return _outward(guess, lambda x: (_chi_square_exceeds(degrees, x), _chi_square_density(degrees, x)), tail, 1)


def chi_square_below(degrees: int, tail: float) -> float:
    """Return an `x` below which a chi-square variable of `degrees` is with probability <= `tail`; a lower bound.

    Args:
        degrees: the degrees of freedom, >= 1.
        tail: a probability, 0 < tail <= 1/2.

    Returns:
        A float >= 0; 0, which is always right, where no other is certified.
    """
    shape, log_tail = degrees / 2, math.log(tail)
    # Below both bounds the tail is smaller than `tail`: by Laurent and Massart (2000), and by its leading power.
    least = max(
        degrees - 2 * math.sqrt(-degrees * log_tail), 2 * math.exp((log_tail + math.lgamma(shape + 1)) / shape), _TINY
    )
    guess = _start(2 * float(_special().gammaincinv(shape, tail)), least=least, most=degrees)
    # Arb's lower incomplete gamma function takes seconds from 10,000 degrees on; its complement does not.
    return _outward(guess, lambda x: (1 - _chi_square_exceeds(degrees, x), _chi_square_density(degrees, x)), tail, -1)


def _chi_square_exceeds(degrees: int, x: arb) -> arb:
    """Return the tail of the chi-square law above x, at the precision in force."""
    return (x / 2).gamma_upper(arb(degrees) / 2, regularized=1)


def _chi_square_density(degrees: int, x: arb) -> arb:
    """Return the density of the chi-square law at x, at the precision in force."""
    shape, half = arb(degrees) / 2, x / 2
    return ((shape - 1) * half.log() - half - shape.lgamma()).exp() / 2


def normal_above(tail: float) -> float:
    """Return a `z` >= 0 that a standard Gaussian exceeds with probability <= `tail`; an upper bound.

    Args:
        tail: a probability, 0 < tail <= 1/2.
    """

    def law(z: arb) -> tuple[arb, arb]:
        return (z / arb(2).sqrt()).erfc() / 2, (-z * z / 2).exp() / (2 * arb.pi()).sqrt()

    return _outward(_start(-float(_special().ndtri(tail)), least=1e-3), law, tail, 1)


def _start(guess: float, *, least: float = _TINY, most: float = math.inf) -> float:
    """Return `guess` moved to the side of the median where the tail falls steeply enough for Newton's method."""
    return min(max(guess if math.isfinite(guess) else 1.0, least), most)


def _outward(guess: float, law: _Law, tail: float, direction: int) -> float:
    """Return an end at which the tail is certainly <= `tail`, by Newton's method on logarithms, from `guess`.

    Ends are > 0 and move outward in `direction`. The logarithm of a tail is concave in that of the end, so after the
    first step all others come from the safe side; rounding may need one more outward. Without success the end is the
    trivial one, 0 or infinity.
    """
    trivial = safe = 0.0 if direction < 0 else math.inf
    # Toward 0 a tail may fall over hundreds of orders; outward a factor of e^2 at a time is enough.
    longest = _LONGEST if direction < 0 else 2.0
    end = guess
    for attempt in range(_TRIES):
        certain, gap, elasticity = _compare(law, end, tail)
        shift = min(max(gap / elasticity, -longest), longest)
        if certain:
            safe = end
            if -gap <= _CLOSE or -shift <= _CLOSE_END:
                break
        # An end that is not certain never moves inward: the middle of a ball that straddles `tail` may lie below it.
        moved = end * math.exp(direction * (shift if certain else max(shift, 0.0) * (1 + _CLOSE)))
        end = moved if certain and attempt <= _TRIES // 2 else math.nextafter(moved, trivial)
        if not 0 < end < math.inf:
            break
    return safe


def _compare(law: _Law, end: float, tail: float) -> tuple[bool, float, float]:
    """Return whether the tail at `end` is certainly <= `tail`, about the logarithm of its excess, and its elasticity.

    The elasticity is about the change of that logarithm with the logarithm of the end. Only the first is certain; a
    tail that no precision encloses counts as too large.
    """
    for bits in _PRECISIONS:
        with precision(bits):
            found, density = law(arb(end))
            # A ball that reaches 0 has no logarithm, and one with few bits would steer badly.
            if found > 0 and found.rel_accuracy_bits() >= _ACCURATE:
                gap, elasticity = (found / arb(tail)).log(), density * arb(end) / found
                return bool(found <= arb(tail)), float(gap.mid()), float(elasticity.mid())
    return False, math.inf, 1.0
