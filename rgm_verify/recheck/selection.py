"""Choices of one of several candidates by noisy scores, over integers: the largest curve, and two candidates below it.

With Gumbel noise all losses lie in a range of epsilon, and the largest curve of such mechanisms is
`(1 - e^((l - epsilon)/2))^2 / (1 - e^-epsilon)` at a level `l` from `-epsilon` to `epsilon`
(`beyond:largest-curve-of-a-range`). With other noise it is that of randomised response of the pure epsilon.

From below, with a lead of the first of two candidates by `x` over the scale, the second one is chosen with probability
`1/(1 + e^x)` for Gumbel noise, `e^-x/2` for exponential noise and `e^-x (1 + x/2)/2` for Laplace noise, `x >= 0`
(`beyond:noisy-maximum-of-two`). The lead is `epsilon/2 - g` for one data set and `-epsilon/2 - g` for its neighbour.
"""

from __future__ import annotations

from fractions import Fraction

from rgm_verify.recheck.fixed import Fixed, Span, minus, moved, plus
from rgm_verify.recheck.mechanisms import Selected

GAPS = tuple(map(Fraction, ("0", "1/2", "1", "2", "3", "5")))
"""The gaps `g` that are tried: any is a lower bound, and the best one counts."""

_BITS = 200


def largest_curve(release: Selected, level: Fraction, bits: int) -> Span:
    """Return the largest divergence of one choice with Gumbel noise at a level below its epsilon.

    Examples:
        >>> low, high = largest_curve(Selected(Fraction(1), "gumbel", 1), Fraction(0), 30)  # tanh(1/4)
        >>> low - 4 <= 0.2449186624037092 * 2**30 <= high + 4
        True
    """
    if level >= release.loss:
        return 0, 0
    fine = Fixed(bits + 8)
    one = fine.one, fine.one
    if level <= -release.loss:
        return moved(minus(one, fine.exp(fine.of(level))), 8)
    rest = minus(one, fine.exp(fine.of((level - release.loss) / 2)))
    whole = minus(one, fine.exp(fine.of(-release.loss)))
    return moved(fine.over(fine.times(rest, rest), whole), 8)


def two_candidates(release: Selected, order: int, bits: int) -> tuple[Span, Span]:
    """Return both masses of the choice that the first law makes rather than the second one."""
    gap, fine = GAPS[min(order, len(GAPS) - 1)], Fixed(bits)
    first, second = (_behind(release, sign * release.loss / 2 - gap, fine) for sign in (1, -1))
    one = fine.one, fine.one
    # The second candidate is behind by more for the first law, so that this one makes the first choice rather.
    return minus(one, first), minus(one, second)


def _behind(release: Selected, lead: Fraction, fine: Fixed) -> Span:
    """Return the probability that the second candidate is chosen when the first one leads by so much over the scale."""
    one, far = (fine.one, fine.one), abs(lead)
    tail = fine.exp(fine.of(-far))
    if release.noise == "gumbel":
        tail = fine.over(tail, plus(one, tail))
    elif release.noise == "exponential":
        tail = moved(tail, 1)
    else:
        tail = moved(fine.times(tail, fine.of(1 + far / 2)), 1)
    return tail if lead >= 0 else minus(one, tail)


def choices_above(release: Selected, order: int, level: Fraction, bits: int) -> tuple[Span, Span]:
    """Return the masses of the choices whose loss exceeds about the level, or of another event."""
    (p, q), one = two_candidates(release, order, bits), (1 << bits, 1 << bits)
    most, least = losses(release, order)
    if level >= most:
        return (0, 0), (0, 0)
    return (p, q) if level >= least else (one, one)


def losses(release: Selected, order: int) -> tuple[Fraction, Fraction]:
    """Return about the two losses: the choice of an event rests on them, and no bound."""
    fine = Fixed(_BITS)
    (p, q), one = two_candidates(release, order, _BITS), (fine.one, fine.one)
    found = []
    for first, second in ((p, q), (minus(one, p), minus(one, q))):
        found.append(Fraction(fine.log((max(1, first[0]),) * 2)[0] - fine.log((max(1, second[0]),) * 2)[0], fine.one))
    return found[0], found[1]


def divergence_below(release: Selected, level: Fraction, bits: int) -> int:
    """Return a lower bound of the largest divergence of two candidates, over the gaps that are tried."""
    fine = Fixed(bits)
    scale = fine.exp(fine.of(level))
    one = fine.one, fine.one
    found = [minus(one, scale)[0], 0]
    for order in range(len(GAPS)):
        p, q = two_candidates(release, order, bits)
        found.append(minus(p, fine.times(scale, q))[0])
    return max(found)
