"""Quantiles on the safe side: the stated tail is certainly not exceeded, whatever the special functions return.

SciPy's inverse functions are only a first guess (that of the beta law is 1.9 times too large for 1,000 successes in
1e9 trials). From there Newton's method goes to where an upper bound on the tail is small enough. The bound is a first
term, by Stirling's series with its remainder, times a sum of products whose factors decrease, cut where a geometric
series covers the rest (Loader, "Fast and accurate computation of binomial probabilities", 2000, has the first term in
the form used). Every rounding is counted; what is trusted is that the C library's `log`, `log1p`, `exp` and `erfc` err
by at most 8 units in the last place. Tests compare with ball arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

FloatArray = NDArray[np.float64]

_UNIT = 2.0**-53
_LIBRARY = 16 * _UNIT  # relative error of a function of the C library: 8 units in the last place
_SMALL = 16  # below this argument Stirling's series is reached by its recursion
_BLOCK = 256
_LARGEST_BLOCK = 2**18
_MOST_TERMS = 2**21
_TRIES = 64
_TINY = 1e-300
_LONGEST = 600.0  # of Newton's steps toward 0, in logarithms: `exp` does not overflow
_CLOSE = 2.0**-36  # how much of its logarithm a tail may be too small by
_CLOSE_END = 2.0**-51


class _Bound(NamedTuple):
    """`log` is an upper bound on the logarithm of a tail, `elasticity` about its change with that of the end."""

    log: float
    elasticity: float


# ------------------------------------------------------------------------------------------- quantiles


def binomial_quantile(successes: int, trials: int, tail: float) -> float:
    """Return a probability `p` such that `trials` throws give `successes` or more with probability <= `tail`.

    A lower bound on the largest such `p`, which is a beta quantile, for `1 <= successes <= trials`, `0 < tail <= 1/2`.
    """
    guess = _start(float(special.betaincinv(successes, trials - successes + 1, tail)), most=successes / (trials + 1))
    return _outward(guess, lambda p: _binomial_tail(successes, trials, p), tail, direction=-1)


def chi_square_above(degrees: int, tail: float) -> float:
    """Return an `x` that a chi-square variable of `degrees` exceeds with probability <= `tail`; an upper bound."""
    guess = _start(2 * float(special.gammainccinv(degrees / 2, tail)), least=degrees - 2 / 3)
    return _outward(guess, lambda x: _chi_square_upper_tail(degrees, x), tail, direction=1)


def chi_square_below(degrees: int, tail: float) -> float:
    """Return an `x` below which a chi-square variable of `degrees` is with probability <= `tail`; a lower bound."""
    guess = _start(2 * float(special.gammaincinv(degrees / 2, tail)), most=degrees)
    return _outward(guess, lambda x: _chi_square_lower_tail(degrees, x), tail, direction=-1)


def normal_above(tail: float) -> float:
    """Return a `z` >= 0 that a standard Gaussian exceeds with probability <= `tail`, for `tail` <= 1/2; upper bound."""
    guess = _start(-float(special.ndtri(tail)), least=1e-3)
    return _outward(guess, _normal_tail, tail, direction=1)


def _outward(guess: float, bound: Callable[[float], _Bound], tail: float, *, direction: int) -> float:
    """Return an end at which the bound is certainly <= `tail`, by Newton's method on logarithms, from `guess`.

    Ends are > 0 and move outward in `direction`. The logarithm of a tail is concave in that of the end, so after the
    first step all others come from the safe side; rounding may need one more outward. Without success the end is the
    trivial one, 0 or infinity.
    """
    trivial = safe = 0.0 if direction < 0 else math.inf
    target = math.log(tail) - _LIBRARY * abs(math.log(tail))
    longest = _LONGEST if direction < 0 else 2.0
    end = guess
    for attempt in range(_TRIES):
        found = bound(end)
        gap = found.log - target
        shift = min(max(gap / found.elasticity, -longest), longest)
        if gap <= 0:
            safe = end
            if -gap <= _CLOSE or -shift <= _CLOSE_END:
                break
        moved = end * math.exp(direction * shift * (1 + _CLOSE if gap > 0 else 1))
        end = math.nextafter(moved, trivial) if gap > 0 or attempt > _TRIES // 2 else moved
        if not 0 < end < math.inf:
            break
    return safe


def _start(guess: float, *, least: float = _TINY, most: float = math.inf) -> float:
    """Return `guess` moved to the right side of the median, where the sums below have decreasing terms."""
    return min(max(guess if math.isfinite(guess) else 1.0, least), most)


# ----------------------------------------------------------------------------------------------- tails


def _binomial_tail(successes: int, trials: int, p: float) -> _Bound:
    """Bound the probability of `successes` or more; `p` is taken as the exact binary number that it is."""
    failures = trials - successes
    top, bottom = p.as_integer_ratio()
    if top >= bottom:
        return _Bound(math.inf, 1.0)
    if failures == 0:
        log_tail = trials * math.log(p)
        return _Bound(log_tail + 2 * _LIBRARY * abs(log_tail), trials)
    first = _deviance(successes * bottom, trials * top, bottom)
    second = _deviance(failures * bottom, trials * (bottom - top), bottom)
    front = _log_gamma_ratio(trials, successes, failures) - first - second
    size = abs(front) + 4 * (first + second) + 8
    total = _series(lambda i: (failures - i + 1) / (successes + i) * (top / (bottom - top)), failures)
    return _Bound(_rounded_up(front, size) + math.log(total), successes / total)


def _chi_square_lower_tail(degrees: int, x: float) -> _Bound:
    shape, half = degrees / 2, x / 2
    front, size = _gamma_front(degrees, x)
    total = _series(lambda i: half / (shape + i), None)
    return _Bound(_rounded_up(front, size) + math.log(total), shape / total)


def _chi_square_upper_tail(degrees: int, x: float) -> _Bound:
    """Bound the tail by repeated integration by parts; odd degrees end in the complementary error function."""
    shape, half = degrees / 2, x / 2
    front, size = _gamma_front(degrees, x)
    count = (degrees - 1) // 2
    last = _error_function_share(half) if degrees % 2 else 1.0
    total = _series(lambda i: (shape - i) / half, count, last=last)
    return _Bound(_rounded_up(front + math.log(shape / half), size + 8) + math.log(total), half / total)


def _error_function_share(half: float) -> float:
    """Return an upper bound on `Gamma(1/2, half) / (half^(-1/2) exp(-half))`, which is below 1."""
    if half > 600:
        return 1.0
    share = math.sqrt(math.pi * half) * math.exp(half) * math.erfc(math.sqrt(half))
    return min(1.0, share * (1 + _UNIT * (64 + 8 * half)))


def _normal_tail(z: float) -> _Bound:
    log_density = -z * z / 2 - math.log(2 * math.pi) / 2
    if z > 30:
        log_tail = log_density - math.log(z)
        return _Bound(_rounded_up(log_tail, abs(log_tail) + 8), z * z)
    tail = math.erfc(z / math.sqrt(2)) / 2
    size = abs(math.log(tail)) + z * z + 8
    return _Bound(_rounded_up(math.log(tail), size), z * math.exp(log_density) / tail)


# -------------------------------------------------------------------------------------- their ingredients


def _rounded_up(log_front: float, size: float) -> float:
    """Add a bound on the error of a sum of terms of total `size`, each good to 32 units of rounding."""
    return log_front + 32 * _UNIT * size


def _gamma_front(degrees: int, x: float) -> tuple[float, float]:
    """Return the logarithm of `h^a exp(-h) / Gamma(a + 1)`, `a = degrees/2`, `h = x/2`, and the size of its terms."""
    top, bottom = x.as_integer_ratio()
    deviance = _deviance(degrees * bottom, top, 2 * bottom)
    front = -deviance - _stirling_remainder(degrees / 2) - math.log(math.pi * degrees) / 2
    return front, 4 * deviance + abs(front) + 8


def _log_gamma_ratio(trials: int, successes: int, failures: int) -> float:
    """Return the logarithm of the binomial probability at its own mean."""
    remainders = _stirling_remainder(trials) - _stirling_remainder(successes) - _stirling_remainder(failures)
    return remainders + math.log(trials / (2 * math.pi * successes * failures)) / 2


def _deviance(observed: int, expected: int, unit: int) -> float:
    """Return `x log(x/m) + m - x` for `x = observed/unit`, `m = expected/unit`, to a few units in the last place.

    Quotients of integers are rounded once. Close to each other the series of Loader (2000) avoids the cancellation.
    """
    mean = expected / unit
    if abs(observed - expected) * 10 < observed + expected:
        ratio = (observed - expected) / (observed + expected)
        odd, square, total = ratio, ratio * ratio, 0.0
        for order in range(3, 41, 2):
            odd *= square
            total += odd / order
        return (observed - expected) / unit * ratio + 2 * (observed / unit) * total
    share = observed / expected
    return mean * (share * math.log(share) + (1 - share)) if share < math.inf else math.inf


@lru_cache(maxsize=4096)
def _stirling_remainder(z: float) -> float:
    """Return `log Gamma(z+1) - (z+1/2) log z + z - log(2 pi)/2` for `z > 0`, absolute error below 200 roundings.

    The series envelops its value; from 16 on the first term left out is below 2e-16.
    """
    if z < _SMALL:
        return _stirling_remainder(z + 1) + ((z + 0.5) * math.log1p(1 / z) - 1)
    square = z * z
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / z


def _series(factor: Callable[[FloatArray], FloatArray], count: int | None, *, last: float = 1.0) -> float:
    """Return an upper bound on `1 + f(1) + f(1) f(2) + ...` for decreasing factors, up to the product of `count`.

    `last` multiplies the product of `count`. Each factor may be wrong by 5 roundings.
    """
    total, slack, term, start, block = 0.0, 0.0, 1.0, 0, _BLOCK
    while True:
        stop = start + block if count is None else min(start + block, count + 1)
        index = np.arange(start, stop, dtype=np.float64)
        with np.errstate(under="ignore", over="ignore"):
            factors = np.where(index > 0, factor(index), 1.0)
            terms = term * np.cumprod(factors)
            slack += 5 * _UNIT * float(np.dot(terms, index + 1))
        if stop - 1 == count:
            terms[-1] *= last
            return (total + float(terms.sum())) * (1 + 64 * _UNIT) + slack
        total, term, start = total + float(terms.sum()), float(terms[-1]), stop
        ratio = float(factor(np.array([float(stop)]))[0]) * (1 + 8 * _UNIT)
        rest = term * ratio / (1 - ratio) if ratio < 1 else math.inf
        if rest <= _UNIT * total or (ratio < 1 and stop >= _MOST_TERMS) or not math.isfinite(total):
            return (total + rest) * (1 + 64 * _UNIT) + 2 * slack
        block = min(2 * block, _LARGEST_BLOCK)
