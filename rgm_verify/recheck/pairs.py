"""The hockey-stick divergence of two isotropic Gaussians, over integers.

`P = N(D e_1, (1 + w) I_d)` against `Q = N(0, I_d)`, `S = D^2`. For `w = 0` it is a difference of two normal tails. Else
the loss exceeds `eps` where a noncentral chi-square number lies above (`w > 0`) or below (`w < 0`) the level

    y = (2 eps + d log(1 + w) + S/w) / w

under P, with noncentrality `S (1 + w)/w^2`, and `(1 + w) y` with noncentrality `S/w^2` under Q. A noncentral tail is a
mixture of central ones, `sum_j pois(j) Q(d/2 + j, y/2)`, and a central one a sum of the terms
`g(a) = t^a e^-t / Gamma(a + 1)`. Poisson weights are such terms too. They follow from each other by one product,
outward from the largest, and are normed by their sum: 1 for whole `a`, `erf(sqrt t)` for halves. So neither a gamma
function nor an exponential is needed.
Source: derived in `derivations/beyond/hockey_stick/` (`level-set-sphere`, `noncentral-chi-square-mixture`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from rgm_verify.recheck.fixed import Fixed, Span, down, minus, moved, plus, up
from rgm_verify.recheck.refusal import Refused

MOST_TERMS = 3_000_000
_GUARD = 40


@dataclass(frozen=True)
class Pair:
    """`shift = S >= 0`, `excess = w > -1`, `dimension = d >= 1`, exact.

    P has the variance 1 + w in each of d coordinates and is moved by the square root of S; Q is standard. Units are the
    deviation of Q.
    """

    shift: Fraction
    excess: Fraction
    dimension: int

    def turned(self) -> Pair:
        """Return Q against P, in units of the deviation of what was P.

        Examples:
            >>> Pair(Fraction(1), Fraction(3), 2).turned()
            Pair(shift=Fraction(1, 4), excess=Fraction(-3, 4), dimension=2)
        """
        wide = 1 + self.excess
        return Pair(self.shift / wide, -self.excess / wide, self.dimension)

    def repeated(self, times: int) -> Pair:
        """Return the pair with the law of the sum of so many independent losses of this one.

        The loss of equal releases depends on the squared distance and the number of coordinates alone, and both add up.
        """
        return Pair(times * self.shift, self.excess, times * self.dimension)


def hockey_stick(level: Fraction, pair: Pair, bits: int) -> Span:
    """Return `sup_S P(S) - e^level Q(S)` of a pair in units of `2^-bits`, within about a unit where `level <= 0`.

    For `level > 0` the second term has its own relative accuracy: ask for `1.5 level` bits more than are needed.
    The result is an enclosure, and cut to [0, 1]. Raises `Refused` where the series is too long.

    At level 0 it is the total variation, for equal variances `2 Phi(D/2) - 1`:

    Examples:
        >>> low, high = hockey_stick(Fraction(0), Pair(Fraction(1), Fraction(0), 1), 30)
        >>> low - 1 <= 0.3829249225 * 2**30 <= high + 1
        True
    """
    if pair.excess == 0:
        return _equal_variances(level, pair.shift, bits)
    y = _level_of_the_square(level, pair, bits)
    arithmetic = Fixed(bits)
    scale = arithmetic.exp(arithmetic.of(level))
    whole = (arithmetic.one, arithmetic.one)
    # No square lies below 0: for w > 0 all outputs are above the level, for w < 0 none is below it.
    if y[1] <= 0:
        p = q = whole if pair.excess > 0 else (0, 0)
    # The level may lie on either side of 0, where the two formulas differ by all of the mass.
    elif y[0] <= 0:
        raise Refused("the level of the loss is too close to the end of its range: more bits are needed")
    else:
        work = bits + _GUARD
        wide = 1 + pair.excess
        other = down(y[0] * wide.numerator, wide.denominator), up(y[1] * wide.numerator, wide.denominator)
        noncentrality = pair.shift / pair.excess**2
        first, second = (
            moved(_noncentral_tail(level_of, mean, pair.dimension, work, _scale_bits(pair, bits)), _GUARD)
            for level_of, mean in ((y, noncentrality * wide), (other, noncentrality))
        )
        p, q = (first, second) if pair.excess > 0 else (minus(whole, first), minus(whole, second))
    low, high = minus(p, arithmetic.times(scale, q))
    # A divergence lies in [0, 1]; cutting an enclosure there loses nothing.
    return max(0, low), min(arithmetic.one, max(0, high))


def _equal_variances(level: Fraction, shift: Fraction, bits: int) -> Span:
    """Return `tail(eps/D - D/2) - e^eps tail(eps/D + D/2)`.

    This is the formula of the Gaussian mechanism (Balle and Wang, 2018); `eps` may be negative.
    """
    arithmetic = Fixed(bits)
    scale = arithmetic.exp(arithmetic.of(level))
    if shift == 0:
        low, high = minus((arithmetic.one, arithmetic.one), scale)
        return max(0, low), max(0, high)
    # The quotient by D costs the digits of a small D.
    fine = Fixed(bits + _GUARD + max(0, _log2(1 / shift)))
    distance = fine.sqrt(fine.of(shift))
    # Of the absolute value: `over` then rounds a number that is not negative, and the sign turns the ends.
    quotient = fine.over(fine.of(abs(level)), distance)
    if level < 0:
        quotient = -quotient[1], -quotient[0]
    half = distance[0] >> 1, -(-distance[1] >> 1)
    near, far = (moved(fine.tail(place), fine.bits - bits) for place in (minus(quotient, half), plus(quotient, half)))
    low, high = minus(near, arithmetic.times(scale, far))
    return max(0, low), min(arithmetic.one, max(0, high))


# ------------------------------------------------------------------------------------------------ chi-square tails


def _log2(value: Fraction) -> int:
    """Return an integer above the binary logarithm of a positive number."""
    return value.numerator.bit_length() - value.denominator.bit_length() + 1


def _scale_bits(pair: Pair, bits: int) -> int:
    """Return the bits behind the point of the level of the square: what its size costs comes on top.

    The level is divided by the excess twice, and the logarithm in it is multiplied by the dimension.
    """
    return bits + _GUARD + 2 * max(0, _log2(1 / abs(pair.excess))) + pair.dimension.bit_length()


def _level_of_the_square(level: Fraction, pair: Pair, bits: int) -> Span:
    """Return `y`, in units of 2 to the minus `_scale_bits`.

    For `w < 0` numerator and denominator change signs first, as quotients here are by positive numbers. One unit is
    added above for the rounding.
    """
    w = pair.excess
    scale = _scale_bits(pair, bits)
    arithmetic = Fixed(scale + _GUARD)
    log = arithmetic.log(arithmetic.of(1 + w))
    rest = arithmetic.of(2 * level + pair.shift / w)
    low, high = rest[0] + pair.dimension * log[0], rest[1] + pair.dimension * log[1]
    ends = [down(end * w.denominator, w.numerator) for end in (low, high)] if w > 0 else [
        down(-end * w.denominator, -w.numerator) for end in (low, high)
    ]  # fmt: skip
    return moved((min(ends), max(ends) + 1), _GUARD)


@dataclass(frozen=True)
class _Terms:
    """Bounds of `u(k)`, proportional to `t^a/Gamma(a + 1)` at `a = k + half/2`, for `k = first, first + 1, ...`.

    `before` and `beyond` are bounds of the sums of what is left out; the total lies between `total`. The factor is the
    same for all: only quotients of sums are ever used, so that nobody has to know it.
    """

    first: int
    low: list[int]
    high: list[int]
    before: int
    beyond: int

    @property
    def total(self) -> Span:
        """The sum over all k >= 0."""
        return sum(self.low), sum(self.high) + self.before + self.beyond


def _terms(t: Span, scale: int, half: int, work: int) -> _Terms:
    """Return the terms that are seen with `work` bits, from the largest outward; `t > 0` in units of `2^-scale`.

    About the largest is set to 1, so that the others are fractions of it and none vanishes too early. Raises `Refused`
    for more than `MOST_TERMS`.
    """
    # Any start is sound; from about the largest term the others fall on both sides, as the geometric remainders need.
    peak = max(0, t[0] >> scale)
    if 30 * (peak + 40) ** 0.5 * (work / 150) ** 0.5 > MOST_TERMS:
        raise Refused(f"a series of more than {MOST_TERMS} terms")
    low_up, high_up, k = [1 << work], [1 << work], peak
    low, high = 1 << work, 1 << work
    doubled = 2 * t[0], 2 * t[1]
    # Above the peak a term is the one before, times t / (a + 1).
    # Once rounding upward stops the fall there is nothing more to see.
    falls = True
    while falls:
        under = 2 * k + half + 2 << scale
        before, low, high = high, low * doubled[0] // under, -(-high * doubled[1] // under)
        falls = high < before or under <= doubled[1]
        low_up.append(low)
        high_up.append(high)
        k += 1
    beyond = _geometric(high, doubled[1], 2 * k + half + 2 << scale)
    # Below it, times a / t.
    low_down, high_down, k = [], [], peak
    low = high = 1 << work
    falls = True
    while k > 0 and falls:
        over = 2 * k + half << scale
        before, low, high = high, low * over // doubled[1], -(-high * over // doubled[0])
        falls = high < before or over >= doubled[0]
        low_down.append(low)
        high_down.append(high)
        k -= 1
    left = 0 if k == 0 else _geometric(high, 2 * k + half << scale, doubled[0])
    return _Terms(k, low_down[::-1] + low_up, high_down[::-1] + high_up, left, beyond)


def _geometric(last: int, over: int, under: int) -> int:
    """Return an upper bound of `last (r + r^2 + ...)`, `r = over/under < 1`; terms beyond fall at least as fast."""
    if over >= under:
        raise Refused("terms that do not fall: more bits are needed")
    return up(last * over, under - over)


def _noncentral_tail(y: Span, noncentrality: Fraction, dimension: int, bits: int, scale: int) -> Span:
    """Return the probability that a noncentral chi-square number exceeds `y > 0`, given in units of `2^-scale`.

    A mixture over j of central tails of `dimension + 2 j` degrees of freedom, with Poisson weights of mean half of the
    noncentrality. The result is in units of `2^-bits`.
    """
    arithmetic = Fixed(bits)
    half, whole = dimension % 2, dimension // 2
    halved = y[0], y[1]  # y/2 in units of 2^-(scale + 1)
    terms = _terms(halved, scale + 1, half, bits)
    norm, start = _norm_and_start(halved, scale + 1, half, arithmetic)
    weights = _Terms(0, [1], [1], 0, 0)
    if noncentrality:
        fine = Fixed(scale)
        weights = _terms(fine.of(noncentrality / 2), scale, 0, bits)
    low, high = _mixed(weights, terms, whole)
    all_weights, all_terms = weights.total, terms.total
    # Q(d/2 + j) = Q(half/2) + norm * (sum of the terms below) / (sum of all terms)
    least = start[0] + down(norm[0] * low, all_weights[1] * all_terms[1])
    most = start[1] + up(norm[1] * high, all_weights[0] * all_terms[0])
    return max(0, least), min(arithmetic.one, most)


def _norm_and_start(t: Span, scale: int, half: int, arithmetic: Fixed) -> tuple[Span, Span]:
    """Return the sum of all terms `g(k + half/2)`, and what the central tail of order `half/2` is: `erfc(sqrt t)`.

    For an even dimension these are 1 and 0; for an odd one `erf(sqrt t)` and `erfc(sqrt t) = 2 tail(sqrt(2 t))`. `t`
    comes in units of `2^-scale`.
    """
    one = arithmetic.one, arithmetic.one
    if not half:
        return one, (0, 0)
    fine = Fixed(scale + (scale % 2))
    root = fine.sqrt(moved((2 * t[0], 2 * t[1]), scale - fine.bits))
    twice = fine.tail(root)
    start = moved((2 * twice[0], 2 * twice[1]), fine.bits - arithmetic.bits)
    return minus(one, start), start


def _mixed(weights: _Terms, terms: _Terms, offset: int) -> Span:
    """Return bounds of `sum_j weight(j) * (sum of the terms below offset + j)`.

    In units of the products of both. Weights that are left out count for nothing from below, and from above as if they
    met all terms.
    """
    sums_low = [0, *accumulate(terms.low)]
    sums_high = [terms.before, *(value + terms.before for value in accumulate(terms.high))]
    everything = terms.total[1]
    low = high = 0
    last = len(terms.low)
    for j, (least, most) in enumerate(zip(weights.low, weights.high, strict=True)):
        # The first term that does not count for this weight.
        n = offset + weights.first + j - terms.first
        if n >= last:
            low += least * sums_low[-1]
            high += most * everything
        elif n > 0:
            low += least * sums_low[n]
            high += most * sums_high[n]
        else:
            # All the terms below are among those left out: at most their sum, at least nothing.
            high += most * terms.before
    return low, high + (weights.before + weights.beyond) * everything
