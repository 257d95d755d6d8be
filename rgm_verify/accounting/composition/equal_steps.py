r"""Composition of equal `(epsilon, delta)` guarantees: simple, advanced, and the optimum that nothing can be below.

The first two are as the slides print them (`slides:simple-composition`, `slides:advanced-composition`). The optimum is
that of randomised response, which dominates every private pair (Kairouz, Oh and Viswanath, quoted there): after K steps

    delta(e) = 1 - (1 - delta)^K (1 - sum over i of C(K, i) (exp((K-i) eps) - exp(e + i eps))_+ / (1 + exp(eps))^K).

Everything is computed in balls and rounded outward.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.errors import reject
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive, positive_integer

_BITS = 160  # sums of positive terms lose hardly any; the difference of both tails loses as many as delta is small
_MOST_STEPS = 20_000  # each of as many binomial coefficients has as many bits
_HALVINGS = 60


def simple(epsilon: ExactInput, delta: ExactInput, steps: ExactInput) -> tuple[Fraction, Fraction]:
    """Return the exact guarantee `(K epsilon, K delta)` of K steps, each of which has `(epsilon, delta)`.

    Raises `InputError` for `epsilon < 0`, `delta < 0` and steps that are no positive integer.
    """
    level, failure, count = _step(epsilon, delta, steps)
    return count * level, count * failure


def advanced(epsilon: ExactInput, delta: ExactInput, steps: ExactInput, *, extra: ExactInput) -> tuple[float, float]:
    """Return `sqrt(2 K ln(1/extra)) epsilon + K epsilon (e^epsilon - 1)` and `K delta + extra`, rounded up.

    `extra` is the delta' of the theorem, 0 < extra < 1. Other arguments and errors as in `simple`.
    """
    level, failure, count = _step(epsilon, delta, steps)
    more = probability(extra, name="extra")
    with precision(_BITS):
        e = ball(level)
        root = (-2 * count * ball(more).log()).sqrt()
        _, end = rational_ends(root * e + count * e * (e.exp() - 1))
    if end is None:
        raise reject("epsilon", epsilon, "the result is beyond the range of numbers")
    return round_up(end), round_up(count * failure + more)


def optimal_delta(epsilon: ExactInput, delta: ExactInput, steps: ExactInput, *, total: ExactInput) -> Bounds:
    """Return the least delta for which K steps of `(epsilon, delta)` are sure to have an epsilon of `total`, enclosed.

    Up to 20,000 steps; other arguments and errors as in `simple`.
    """
    level, failure, count = _step(epsilon, delta, steps)
    found = _Optimum(level, failure, count).delta(nonnegative(total, name="total", meaning="the epsilon of all steps"))
    method = "randomised response, in balls"
    return Bounds(round_down(found[0]), round_up(found[1]), method, method)


def optimal_epsilon(epsilon: ExactInput, delta: ExactInput, steps: ExactInput, *, target: ExactInput) -> Bounds:
    """Return the least epsilon that K steps of `(epsilon, delta)` are sure to have at a delta of `target`, enclosed.

    Raises `InputError` as `simple`, and for a target that no epsilon meets: it is at most `1 - (1 - delta)^K`.
    """
    level, failure, count = _step(epsilon, delta, steps)
    wanted = positive(target, name="target", meaning="the delta of all steps")
    if wanted <= 1 - (1 - failure) ** count:
        raise reject("target", target, "must be above 1 - (1 - delta)^steps, which no epsilon goes below")
    optimum = _Optimum(level, failure, count)
    low, high = Fraction(0), count * level
    certain = low
    if optimum.delta(low)[1] <= wanted:
        high = low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        lower, upper = optimum.delta(middle)
        # Only a delta that is certainly too large moves the lower end; balls that hold the target move neither.
        if upper <= wanted:
            high = middle
        else:
            low = middle
            certain = middle if lower > wanted else certain
    method = "randomised response, by bisection"
    return Bounds(round_down(certain), round_up(high), method, method)


class _Optimum:
    """The divergences of K randomised responses; the sums over outcomes are formed once, for all levels."""

    def __init__(self, level: Fraction, failure: Fraction, count: int) -> None:
        self.level, self.count = level, count
        with precision(_BITS):
            chance = 1 / (1 + ball(-level).exp())
            other = 1 - chance
            self.kept = (1 - ball(failure)) ** count
            # The tails of two binomial laws: the outcomes whose loss is above a level are the first ones.
            first, second = ball(Fraction(0)), ball(Fraction(0))
            self.tails: list[tuple[Any, Any]] = [(first, second)]
            # Sums of all lengths, as a bisection asks for one level after the other.
            for i in range(count + 1):
                first += comb(count, i) * chance ** (count - i) * other**i
                second += comb(count, i) * chance**i * other ** (count - i)
                self.tails.append((first, second))

    def delta(self, total: Fraction) -> tuple[Fraction, Fraction]:
        """Return both ends of the divergence at a level, within [0, 1]."""
        # Outcomes with (K - 2 i) epsilon above the level; at equality both ways agree.
        outcomes = 0 if self.level == 0 else max(0, -((total / self.level - self.count) // 2))
        with precision(_BITS):
            first, second = self.tails[min(int(outcomes), self.count + 1)]
            lower, upper = rational_ends(1 - self.kept * (1 - (first - ball(total).exp() * second)))
        return max(Fraction(0), lower or Fraction(0)), Fraction(1) if upper is None else min(Fraction(1), upper)


def _step(epsilon: ExactInput, delta: ExactInput, steps: ExactInput) -> tuple[Fraction, Fraction, int]:
    """Return the guarantee of one step and the number of steps, checked; `InputError` names what is out of range."""
    level = nonnegative(epsilon, name="epsilon", meaning="the epsilon of a step")
    failure = nonnegative(delta, name="delta", meaning="the delta of a step")
    if failure >= 1:
        raise reject("delta", delta, "must be < 1")
    count = positive_integer(steps, name="steps", meaning="the number of steps")
    if count > _MOST_STEPS:
        raise reject("steps", steps, f"must be at most {_MOST_STEPS}")
    return level, failure, count
