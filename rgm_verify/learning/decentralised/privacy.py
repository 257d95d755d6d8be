r"""Network loss on a complete graph: what a party, or a coalition, sees of another party, between certified ends.

Upper end. Tell the coalition of `c` parties the whole path, which does not depend on data. Where the target takes a
step, the two runs part by at most `d = 2 l / s` deviations of a step's noise; the drift is made up for in equal parts
by the noise of the steps until the target or the coalition comes next, `g` steps, so that later steps start from the
same model. Each part is a shift of a Gaussian that is known from the past, and steps are contractions. So the view is
an image of an adaptive composition of Gaussians at the squared distance `d^2 sum 1/g` over the target's visits, several
between two views included (`beyond:steered-walk`). For Renyi orders, `exp((a-1) R(a))` is the mean over paths of
`exp(lambda sum 1/g)`, `lambda = a (a-1) d^2/2`. Let `n` be the number of parties that a model may go to: `K`, or
`K - 1` without self-loops. The mean is at most `rho^T (1 + (rho-1) n/K)` for every `rho >= 1` at which

    n rho u_g  =  e^(lambda/(g+1)) (v + c) + (n-1-c) u_(g+1),     v = 1 + n (rho - 1),

backwards from a wait from which on `u` is constant, leaves `n rho v >= e^lambda (v + c) + (n-1-c) u_1` with self-loops,
and `n rho v >= c e^lambda + (n-c) u_1` without (`beyond:network-upper-end`; each move of the model is a claim, from
`beyond:walk-without-cost` to `beyond:walk-start`). That it does is checked in balls, for `u - 1`, which is small.

Lower end. Losses are linear, the target's is `l x` or `-l x`, the others' are 0. Where the coalition sends the model
and gets it back from the target after at most `m` steps, it sees a Gaussian that is shifted by at least one visit, at
the distance `d/sqrt(m)` or more. That this happens at some time has a probability that is bounded from below by two
terms of inclusion and exclusion (`beyond:network-return`).
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
from rgm_verify.numbers.shown import Framed

_LONGEST = 20_000  # waits that are told apart; longer ones count as this one
_BITS = 80
_HEAVIEST = 600  # exponents that floats hold with room to spare
_ROOM = 1e-9  # by which a rate of growth is enlarged, relatively to its excess over 1, so that balls confirm it


@dataclass(frozen=True)
class NetworkLoss(Framed):
    """Epsilons at one delta, in nats: of what a coalition sees of another party, and of the whole transcript.

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


@dataclass(frozen=True)
class _Walk:
    """A walk among `parties`, `coalition` of which observe; the model goes to each of `goals` parties alike."""

    parties: int
    coalition: int
    goals: int

    @property
    def self_loops(self) -> bool:
        return self.goals == self.parties


def network_loss(
    parties: ExactInput,
    steps: ExactInput,
    *,
    distance: ExactInput,
    delta: ExactInput,
    coalition: ExactInput = 1,
    self_loops: bool = True,
) -> NetworkLoss:
    """Return certified ends of the network loss of `DecentralisedSgd` of a party to others that pool what they see.

    Args:
        parties: the number K >= 3 of parties.
        steps: the number T of steps.
        distance: `2 l / s`, how far a change of a party's loss moves one step, in deviations of its noise; > 0.
        delta: the probability of failure, 0 < delta < 1.
        coalition: the number of parties that pool their views, 1 to K - 2: fixed, chosen without the path.
        self_loops: whether the model may stay with the party that has it.

    Raises:
        InputError: for fewer than three parties, a coalition that leaves no honest party besides the target, and
            numbers outside of these ranges.

    Sources: `beyond:steered-walk`, `beyond:network-upper-end`, `beyond:network-return`; the slides, Section 3.

    Examples:
        >>> found = network_loss(1000, 10_000, distance="1/10", delta="1e-6")
        >>> 0 < found.lower < found.upper < found.local_lower
        True
        >>> network_loss(1000, 10_000, distance="1/10", delta="1e-6", coalition=10).upper > found.upper
        True
    """
    walk = _walk(parties, coalition, self_loops)
    T = positive_integer(steps, name="steps", meaning="the number of steps")
    d = positive(distance, name="distance", meaning="the distance of two steps in deviations of the noise")
    target = positive(delta, name="delta", meaning="a probability of failure")
    if target >= 1:
        raise reject("delta", delta, "must be < 1")
    guess = epsilon_from_renyi(lambda order: _renyi(walk, T, d, order), target, largest_order=None)
    # Any order is a bound: a short fraction near the best one keeps the exact numbers small.
    order = max(guess.order.limit_denominator(1000), 1 + Fraction(1, 1000))
    upper = epsilon_at_order(order, _renyi_upper(walk, T, d, order, distance), target)
    return NetworkLoss(_lower(walk, T, d, target), upper, _local_lower(walk, T, d, target), order)


def renyi_upper(
    parties: ExactInput,
    steps: ExactInput,
    *,
    distance: ExactInput,
    order: ExactInput,
    coalition: ExactInput = 1,
    self_loops: bool = True,
) -> Fraction:
    """Return an upper end of the Renyi divergence, of an order > 1, of a coalition's view of another party.

    Arguments and errors as in `network_loss`; the bound is certified in balls.
    """
    walk = _walk(parties, coalition, self_loops)
    T = positive_integer(steps, name="steps", meaning="the number of steps")
    d = positive(distance, name="distance", meaning="the distance of two steps in deviations of the noise")
    given = positive(order, name="order", meaning="the order")
    if given <= 1:
        raise reject("order", order, "must be > 1")
    return _renyi_upper(walk, T, d, given, distance)


def _renyi_upper(walk: _Walk, T: int, d: Fraction, order: Fraction, distance: ExactInput) -> Fraction:
    """Return the bound of `renyi_upper`; `distance` is for the message."""
    above = order - 1
    weight = order * above * d**2 / 2
    # Such orders are of no use. A bound all the same: every step is the target's, and goes straight to the coalition.
    if weight > _HEAVIEST:
        return T * order * d**2 / 2
    # Six digits, rounded up: the bound is then the same number whatever the last bits of the guess are.
    excess = Fraction(decimal(max(_excess(walk, float(weight)), 1e-300) * (1 + _ROOM), up=True, digits=6))
    # Doubled until balls confirm it: a poor guess costs tightness, and never the bound.
    while not _confirmed(walk, weight, excess):
        excess *= 2
    with precision(_BITS):
        growth = ball(1 + excess).log() * T + ball(1 + excess * walk.goals / walk.parties).log()
        _, end = rational_ends(growth)
    if end is None:
        raise reject("distance", distance, "the divergence is beyond the range of numbers; take less")
    return end / above


def _confirmed(walk: _Walk, weight: Fraction, excess: Fraction) -> bool:
    """Return whether balls show that the weights grow at most by `1 + excess` with a move.

    With `u_g = 1 + y_g` the recurrence is `n rho y_g = (e^(lambda/(g+1)) - 1)(v + c) + (n-1-c) y_(g+1)`.
    """
    n, c = walk.goals, walk.coalition
    longest = _longest(walk)
    with precision(_BITS):
        scale = ball(weight)
        all_of_it = ball(n * (1 + excess))
        comes, stays = ball(1 + n * excess + c) / all_of_it, ball(Fraction(n - 1 - c)) / all_of_it
        waits = (scale / (longest + 1)).expm1()
        for waited in range(longest - 1, 0, -1):
            waits = (scale / (waited + 1)).expm1() * comes + waits * stays
        at_once = scale.expm1()
        if walk.self_loops:
            left = ball(n * excess) - at_once * comes - waits * stays
        else:
            left = ball(n * excess * (1 + n * (1 + excess))) - at_once * c - waits * (n - c)
        start, _ = rational_ends(left)
    return start is not None and start >= 0


def _longest(walk: _Walk) -> int:
    return min(_LONGEST, 12 * walk.parties)


def _excess(walk: _Walk, weight: float) -> float:
    """Return the least growth less 1 that the weights allow, in floating point: a guess."""
    n, c = walk.goals, walk.coalition
    waited = np.arange(1, _longest(walk) + 1)
    gains = np.expm1(np.minimum(weight / (waited + 1), 690.0))
    at_once = math.expm1(weight)

    def surplus(excess: float) -> float:
        # The inequality that balls check, less its left side.
        comes = (1 + n * excess + c) / (n * (1 + excess))
        stays = (n - 1 - c) / (n * (1 + excess))
        shares = comes * stays ** (waited - 1.0)
        # The last gain is the weight itself, of all that wait longer.
        shares[-1] = stays ** (waited[-1] - 1.0)
        waits = float(gains @ shares)
        if walk.self_loops:
            return at_once * comes + waits * stays - n * excess
        return at_once * c + waits * (n - c) - n * excess * (1 + n * (1 + excess))

    low, high = 0.0, 1.0
    while surplus(high) > 0:
        low, high = high, 2 * high
    return float(brentq(surplus, low, high, xtol=1e-30, rtol=1e-12))


def _renyi(walk: _Walk, T: int, d: Fraction, order: Fraction) -> float:
    """Return the bound of `renyi_upper` in floating point, to find an order by; infinite where floats end."""
    above = float(order) - 1
    weight = float(order) * above * float(d) ** 2 / 2
    if weight > _HEAVIEST:
        return math.inf
    excess = _excess(walk, weight)
    return (T * math.log1p(excess) + math.log1p(excess * walk.goals / walk.parties)) / above


def _lower(walk: _Walk, T: int, d: Fraction, delta: Fraction) -> float:
    """Return the best epsilon that returns to the coalition within a few steps show."""
    # Short returns show more, long ones are likelier: which count depends on delta.
    within = {1, 3, *(2**k for k in range(1, walk.parties.bit_length()))}
    return max((_shown(d**2 / m, delta, _some_return(walk, T, m)) for m in sorted(within) if m < T), default=0.0)


def _some_return(walk: _Walk, T: int, m: int) -> Fraction:
    """Return a lower bound on the chance that the target sends the model to a coalition that had it `m` steps ago."""
    K, c, n = walk.parties, walk.coalition, walk.goals
    # The exact power has millions of digits where there are many parties.
    with precision(_BITS):
        low, high = rational_ends((1 - ball(Fraction(n - c, n)) ** m) / n)
    if low is None or high is None or low <= 0:
        return Fraction(0)
    # The chance of a return to one who has it, as it ends where the next one begins; and that of one at any step.
    once, at_most = low * c / K, high * c / K
    # A model that has to move on comes back to the coalition a little more often than it comes there.
    more = Fraction(1) if walk.self_loops else 1 + Fraction(K - c, c * n**2)
    # Starts that leave room for the return; fewer, where they are so many that pairs would outweigh them.
    starts = min(T - m, int((1 - high) / (more * at_most)))
    if starts <= 0:
        return Fraction(0)
    return max(Fraction(0), starts * once * (1 - more * starts * at_most / 2 - high))


def _local_lower(walk: _Walk, T: int, d: Fraction, delta: Fraction) -> float:
    """Return the epsilon of a number of visits that at least half of the paths have."""
    return _shown(_median_visits(walk, T) * d**2, delta, Fraction(1, 2))


def _median_visits(walk: _Walk, T: int) -> int:
    """Return a number of visits of a party in `T` steps that is reached with a probability of at least a half."""
    if walk.self_loops:
        return T // walk.parties  # visits are binomial, and a median is at least the integer part of the mean
    # The mean less one deviation, as the variance is at most that of independent visits.
    deviation = math.isqrt(T * (walk.parties - 1) - 1) + 1
    return max(0, (T - deviation) // walk.parties)


def _shown(distance_squared: Fraction, delta: Fraction, chance: Fraction) -> float:
    """Return an epsilon that two Gaussians exceed at delta if they are seen with at least this chance."""
    # At epsilon 0 the delta is below `distance / sqrt(2 pi)`: nothing is shown, and no search for it is needed.
    if distance_squared == 0 or distance_squared * chance**2 <= 6 * delta**2 or chance <= delta:
        return 0.0
    # A float below the chance: its exact fraction has thousands of digits.
    allowed = delta / Fraction(round_down(chance))
    found = epsilon(GaussianPair(distance_squared, 0, 1), allowed, 8)
    return max(0.0, round_down(Fraction(found.lower or 0)))


def _walk(parties: ExactInput, coalition: ExactInput, self_loops: bool) -> _Walk:
    count = positive_integer(parties, name="parties", meaning="the number of parties")
    if count < 3:
        raise reject("parties", parties, "there must be a party besides the target and the observer")
    pooled = positive_integer(coalition, name="coalition", meaning="the number of parties that pool their views")
    if pooled > count - 2:
        raise reject(
            "coalition",
            coalition,
            f"must be at most parties - 2 = {count - 2}: there must be an honest party besides the target",
        )
    if not isinstance(self_loops, bool):
        raise reject("self_loops", self_loops, "must be True or False")
    return _Walk(count, pooled, count if self_loops else count - 1)
