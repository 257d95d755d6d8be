r"""Network loss on a complete graph: what a party's view tells of another party, between certified ends.

Upper end. Tell the observer the whole path, which does not depend on data. Where the target takes a step, the two runs
part by at most `d = 2 l / s` deviations of a step's noise; the drift is made up for in equal parts by the noise of the
steps until the target or the observer comes next, `g` steps, so that later steps start from the same model. Each part
is a shift of a Gaussian that is known from the past, and steps are contractions. So the view is an image of an
adaptive composition of Gaussians at the squared distance `d^2 sum 1/g` over the target's visits, several between two
views included (`beyond:steered-walk`). For Renyi orders, `exp((a-1) R(a))` is the mean over paths of
`exp(a (a-1) d^2/2 sum 1/g)`, and `g` is geometric with the chance `2/K`: the mean is at most
`rho^(T+1) (1 + (rho-1) K/2)` for every `rho >= 1` at which

    sum over g of  q_g (exp(a (a-1) d^2 / (2 g)) + 1) / 2 rho^-g  <=  1,   q_g = (1 - 2/K)^(g-1) 2/K

(`beyond:walk-growth`, `beyond:walk-first-stretch`). That the inequality holds is checked in balls.

Lower end. Losses are linear, the target's is `l x` or `-l x`, the others' are 0. Where the observer sends the model and
gets it back from the target after at most `n` steps, it sees a Gaussian that is shifted by at least one visit, at
the distance `d/sqrt(n)` or more. That this happens at some time has a probability that is bounded from below by two
terms of inclusion and exclusion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq

from rgm_verify.accounting.conversion import epsilon_at_order, epsilon_from_renyi
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.errors import reject
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.bounds import round_down
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

_LONGEST = 20_000  # waiting times that are told apart; longer ones count as this one
_BITS = 80
_HEAVIEST = 600  # exponents that floats hold with room to spare
_ROOM = 1e-9  # by which a rate of growth is enlarged, relatively to its excess over 1, so that balls confirm it


@dataclass(frozen=True)
class NetworkLoss:
    """Epsilons at one delta, in nats: of a party's view of another party, and of the whole transcript.

    Attributes:
        lower: below the network loss for some convex losses; rounded down.
        upper: a network guarantee for all of them; rounded up.
        local_lower: below the local loss (that of all messages) for some convex losses; rounded down.
        order: the Renyi order that the upper end was converted at.
    """

    lower: float
    upper: float
    local_lower: float
    order: Fraction


def network_loss(parties: ExactInput, steps: ExactInput, *, distance: ExactInput, delta: ExactInput) -> NetworkLoss:
    """Return certified ends of the network loss of `DecentralisedSgd` between two distinct parties.

    Args:
        parties: the number K >= 3 of parties.
        steps: the number T of steps.
        distance: `2 l / s`, how far a change of a party's loss moves one step, in deviations of its noise; > 0.
        delta: the probability of failure, 0 < delta < 1.

    Raises:
        InputError: for fewer than three parties and numbers outside of these ranges.

    Sources: `beyond:steered-walk`, `beyond:walk-growth`, `beyond:walk-first-stretch`; the slides, Section 3.

    Example:
        >>> found = network_loss(1000, 10_000, distance="1/10", delta="1e-6")
        >>> 0 < found.lower < found.upper < found.local_lower
        True
    """
    K = _parties(parties)
    T = positive_integer(steps, name="steps", meaning="the number of steps")
    d = positive(distance, name="distance", meaning="the distance of two steps in deviations of the noise")
    target = positive(delta, name="delta", meaning="a probability of failure")
    if target >= 1:
        raise reject("delta", delta, "must be < 1")
    guess = epsilon_from_renyi(lambda order: _renyi(K, T, d, order), target, largest_order=None)
    # Any order is a bound: a short fraction near the best one keeps the exact numbers small.
    order = max(guess.order.limit_denominator(1000), 1 + Fraction(1, 1000))
    upper = epsilon_at_order(order, renyi_upper(K, T, distance=d, order=order), target)
    return NetworkLoss(_lower(K, T, d, target), upper, _local_lower(K, T, d, target), order)


def renyi_upper(parties: ExactInput, steps: ExactInput, *, distance: ExactInput, order: ExactInput) -> Fraction:
    """Return an upper end of the Renyi divergence, of an order > 1, of a party's view of another party.

    Arguments and errors as in `network_loss`; the bound is certified in balls.
    """
    K = _parties(parties)
    T = positive_integer(steps, name="steps", meaning="the number of steps")
    d = positive(distance, name="distance", meaning="the distance of two steps in deviations of the noise")
    above = positive(order, name="order", meaning="the order") - 1
    if above <= 0:
        raise reject("order", order, "must be > 1")
    weight = (above + 1) * above * d**2 / 2
    # Such orders are of no use. A bound all the same: every step is the target's, and goes straight to the observer.
    if weight > _HEAVIEST:
        return T * (above + 1) * d**2 / 2
    # Six digits, rounded up: the bound is then the same number whatever the last bits of the guess are.
    excess = Fraction(decimal(max(_excess(K, float(weight)), 1e-300) * (1 + _ROOM), up=True, digits=6))
    # Doubled until balls confirm it: a poor guess costs tightness, and never the bound.
    while not _confirmed(K, weight, excess):
        excess *= 2
    with precision(_BITS):
        growth = ball(1 + excess).log() * (T + 1) + ball(1 + excess * K / 2).log()
        _, end = rational_ends(growth)
    if end is None:
        raise reject("distance", distance, "the divergence is beyond the range of numbers; take less")
    return end / above


def _confirmed(K: int, weight: Fraction, excess: Fraction) -> bool:
    """Return whether balls show that waiting times lose at most the growth `1 + excess` a step."""
    longest = min(_LONGEST, 12 * K)
    with precision(_BITS):
        chance, growth, scale = ball(Fraction(2, K)), ball(1 + excess), ball(weight)
        kept = (1 - chance) / growth
        share, total = chance / growth, ball(Fraction(0))
        for waited in range(1, longest + 1):
            total += share * ((scale / waited).exp() + 1) / 2
            share *= kept
        # Longer times weigh as the longest; their shares are a geometric series.
        total += share / (1 - kept) * ((scale / longest).exp() + 1) / 2
        _, end = rational_ends(total)
    return end is not None and end <= 1


def _excess(K: int, weight: float) -> float:
    """Return the least growth less 1 that waiting times allow, in floating point: a guess."""
    waited = np.arange(1, min(_LONGEST, 12 * K) + 1)
    shares = np.exp((waited - 1) * math.log1p(-2 / K)) * 2 / K
    # Shares of times beyond the last one are added to it.
    shares[-1] = shares[-1] * K / 2
    gains = shares * (np.expm1(np.minimum(weight / waited, 690.0)) / 2)

    def surplus(excess: float) -> float:
        # The sum less 1, without the cancellation that small growth would bring.
        less = np.exp(-waited * math.log1p(excess))
        return float(gains @ less) - excess / (excess + 2 / K)

    low, high = 0.0, 1.0
    while surplus(high) > 0:
        low, high = high, 2 * high
    return float(brentq(surplus, low, high, xtol=1e-30, rtol=1e-12))


def _renyi(K: int, T: int, d: Fraction, order: Fraction) -> float:
    """Return the bound of `renyi_upper` in floating point, to find an order by; infinite where floats end."""
    above = float(order) - 1
    weight = float(order) * above * float(d) ** 2 / 2
    if weight > _HEAVIEST:
        return math.inf
    excess = _excess(K, weight)
    return ((T + 1) * math.log1p(excess) + math.log1p(excess * K / 2)) / above


def _lower(K: int, T: int, d: Fraction, delta: Fraction) -> float:
    """Return the best epsilon that returns to the observer within a few steps show."""
    # Short returns show more, long ones are likelier: which count depends on delta.
    within = {1, 3, *(2**k for k in range(1, K.bit_length()))}
    return max((_shown(d**2 / n, delta, _some_return(K, T, n)) for n in sorted(within) if n < T), default=0.0)


def _some_return(K: int, T: int, n: int) -> Fraction:
    """Return a lower bound on the chance that the target sends the model to an observer who had it `n` steps ago."""
    within = 1 - Fraction(K - 1, K) ** n
    once = within / K**2
    # Starts that leave room for the return; fewer, where they are so many that pairs would outweigh them.
    starts = min(T - n, int(1 / (2 * once)))
    if starts <= 0:
        return Fraction(0)
    # Two returns overlap in one party's visit at most, and then the second has a factor 1/K^2 beside it.
    return max(Fraction(0), starts * once * (1 - starts * once / 2 - Fraction(n, K**2)))


def _local_lower(K: int, T: int, d: Fraction, delta: Fraction) -> float:
    """Return the epsilon of the least number of visits that half of the paths have: a median is at least T // K."""
    return _shown(T // K * d**2, delta, Fraction(1, 2))


def _shown(distance_squared: Fraction, delta: Fraction, chance: Fraction) -> float:
    """Return an epsilon that two Gaussians exceed at delta if they are seen with at least this chance."""
    # At epsilon 0 the delta is below `distance / sqrt(2 pi)`: nothing is shown, and no search for it is needed.
    if distance_squared == 0 or distance_squared * chance**2 <= 6 * delta**2 or chance <= delta:
        return 0.0
    # A float below the chance: its exact fraction has thousands of digits.
    allowed = delta / Fraction(round_down(chance))
    found = epsilon(GaussianPair(distance_squared, 0, 1), allowed, 8)
    return max(0.0, round_down(Fraction(found.lower or 0)))


def _parties(given: ExactInput) -> int:
    count = positive_integer(given, name="parties", meaning="the number of parties")
    if count < 3:
        raise reject("parties", given, "there must be a party besides the target and the observer")
    return count
