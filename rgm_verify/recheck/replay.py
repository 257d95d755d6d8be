"""Replay of a certificate of an accounting number: both ends are proved again, over integers.

It imports nothing that computed the number. An upper end of epsilon is one at which delta is certainly at most the
given one, a lower end one at which it is certainly larger; ends of delta are compared at the given epsilon. Nothing is
searched for: delta falls as epsilon grows, so that one value of delta decides an end.

The names at the top are claims. They reduce a mechanism to pairs of laws or to losses, and are what a replay rests on
beside its own code.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial, reduce

from rgm_verify.recheck.certificate import Certificate, Mechanism, Noised, Planned, Relative, Sampled
from rgm_verify.recheck.dots import Curve, dots_above, dots_below
from rgm_verify.recheck.fixed import Fixed, Span, minus, plus
from rgm_verify.recheck.losses import Loss, delta, power, summed
from rgm_verify.recheck.pairs import Pair, hockey_stick
from rgm_verify.recheck.refusal import NotProved, Refused
from rgm_verify.recheck.sampled import Grid, above, below

_PAIRS = (
    "beyond:hockey-stick-monotone-in-distance",
    "beyond:variance-ends",
    "beyond:equal-noise-on-both-sides",
    "beyond:pairs-at-full-distance",
    "beyond:wide-first-hockey-stick",
)
_CURVE = (
    "beyond:neyman-pearson-pointwise",
    "beyond:level-set-sphere",
    "beyond:loss-noncentralities",
    "beyond:noncentral-chi-square-mixture",
)
_SAMPLED = ("beyond:sampled-mixture", "beyond:sampled-removal", "beyond:sampled-addition", "beyond:sampled-loss")
_FIXED = ("beyond:fixed-batch-pair", "beyond:fixed-batch-convexity")
_CELLS = ("beyond:cell-split", "beyond:cell-split-above", "beyond:channel-pointwise")
_STEPS = ("beyond:hockey-stick-of-two-steps", "beyond:value-iteration-kernel")
_DOTS = (
    "beyond:hockey-stick-below-its-chords",
    "beyond:discrete-loss-masses",
    "beyond:hockey-stick-at-negative-levels",
)
_GAUSSIAN = ("beyond:hockey-stick-equal-variances", "beyond:gaussian-steps-add")


@dataclass(frozen=True)
class Result:
    """The outcome of a replay: accepted or not, the first reason against, and what the statement says in words."""

    accepted: bool
    reason: str
    mechanism: str
    statement: tuple[str, ...]
    premises: tuple[str, ...]
    not_checked: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the result as lines of text; a rejected one names no premises."""
        lines = [f"accepted: {self.reason}" if self.accepted else f"REJECTED: {self.reason}"]
        lines.append(f"  mechanism: {self.mechanism}")
        lines += [f"  {'proved' if self.accepted else 'said to be proved'}: {text}" for text in self.statement]
        if self.accepted:
            lines.append(f"  rests on: {', '.join(self.premises)}")
            lines += [f"  not checked: {text}" for text in self.not_checked]
        return lines


def replay(certificate: Certificate) -> Result:
    """Return whether the certificate proves its statement; `Refused` where it asks for what no replay knows.

    Rejected does not mean false: the hints may be too poor to prove it. The reason then names the end and what was
    proved.
    """
    premises = _premises(certificate)
    accepted, reason = True, "the ends were computed again over integers"
    try:
        _prove(certificate)
    except NotProved as error:
        accepted, reason = False, str(error)
    # The arithmetic refuses divisors and logarithms that are not certain; `Refused` is a `ValueError` with a reason of
    # its own.
    except (ZeroDivisionError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        accepted, reason = False, f"the precision that the certificate asks for is too low ({error})"
    unchecked = (
        "that no other pair of neighbouring data sets is worse, nor another adversary: the claims that it rests on "
        "prove that, and `rgm-verify show ID` has their proofs",
        "that the mechanism that is run is the one described, with exact Gaussian noise and random bits",
    )
    return Result(accepted, reason, _described(certificate), _statement(certificate), premises, unchecked)


def _prove(certificate: Certificate) -> None:
    """Raise `NotProved` at the first end that is not certain; a lower end of 0 and an upper delta of 1 always are."""
    lower, upper = certificate.lower, certificate.upper
    if certificate.quantity == "delta":
        if upper is not None and upper < 1:
            most = delta_above(certificate, certificate.given)
            if most > upper:
                raise NotProved(f"the upper end is not proved: delta is at most {_decimal(most)} by this certificate")
        if lower:
            least = delta_below(certificate, certificate.given)
            if least < lower:
                raise NotProved(
                    f"the lower end is not proved: delta is at least {_decimal(least, up=False)} by this certificate"
                )
        return
    if upper is not None:
        most = delta_above(certificate, upper)
        if most > certificate.given:
            raise NotProved(f"the upper end is not proved: delta there is at most {_decimal(most)} by this certificate")
    if lower:
        least = delta_below(certificate, lower)
        # Strictly larger: at an equal delta the mechanism may still be private with this epsilon.
        if least <= certificate.given:
            raise NotProved(f"the lower end is not proved: delta there is at least {_decimal(least, up=False)}")


# ------------------------------------------------------------------------------------------------------------ values


def delta_above(certificate: Certificate, level: Fraction) -> Fraction:
    """Return an upper bound of delta at `level >= 0`, of every pair and in every direction that counts."""
    if not certificate.grids:
        return Fraction(max(high for _, high in _closed(certificate, level)), 1 << certificate.bits)
    step, digits = certificate.grids[0].step, certificate.grids[0].digits
    found = [
        delta(_composed_above(certificate.mechanism, certificate.grids, remove), level, step)
        for remove in _directions(certificate.mechanism)
    ]
    return Fraction(max(found), 10**digits)


def delta_below(certificate: Certificate, level: Fraction) -> Fraction:
    """Return a lower bound of delta at `level >= 0`, of pairs that are the worst as a rule.

    It is true of these pairs whether or not they are the worst, and so of the mechanism.
    """
    mechanism, grids = certificate.mechanism, certificate.grids
    if not grids:
        return Fraction(max(low for low, _ in _closed(certificate, level)), 1 << certificate.bits)
    if isinstance(mechanism, Relative | Noised):
        # Equal releases of one pair are one pair.
        bits = grids[0].bits + 2 * int(level)
        return Fraction(max(hockey_stick(level, pair, bits)[0] for pair in _repeated(mechanism)), 1 << bits)
    # Each pair in turn, for all releases of a kind: any choice is a lower bound, and the best one counts.
    orders = max(1, *(len(_repeated(release)) for release in _releases(mechanism)))
    found = []
    for order in range(orders):
        total, offset = _composed_below(mechanism, grids, order)
        found.append(Fraction(delta(total, level - offset, grids[0].step), 10 ** grids[0].digits))
    return max(found)


def _releases(mechanism: Mechanism) -> tuple[Sampled | Relative | Noised, ...]:
    """Return the releases of a plan, or the one that there is."""
    return mechanism.releases if isinstance(mechanism, Planned) else (mechanism,)


def _repeated(release: Sampled | Relative | Noised) -> list[Pair]:
    """Return pairs of which one release may have any, each as often as it is released; none for samples.

    Repeated, a Gaussian pair is a Gaussian pair again. A batch of all records (rate 1) is no sample.
    """
    if isinstance(release, Relative):
        return [pair.repeated(release.steps) for pair in pairs_of(release)]
    if isinstance(release, Noised):
        return [Pair(release.steps / release.noise**2, Fraction(0), 1)]
    noise = _noise_of(release)
    return [Pair(release.steps / noise**2, Fraction(0), 1)] if release.rate == 1 else []


@lru_cache(maxsize=4)
def _composed_above(mechanism: Mechanism, grids: tuple[Grid, ...], remove: bool) -> Loss:
    """Return a loss that dominates all releases together, whatever an adversary chooses after each.

    Queries may depend on the outputs before, parameters may not: losses may then be added up
    (`beyond:hockey-stick-of-two-steps`). Cached: a search for a certificate replays many intervals with one grid.
    """
    found = []
    for release, grid in zip(_releases(mechanism), grids, strict=True):
        if isinstance(release, Sampled) and release.rate < 1 and release.sampler == "poisson":
            # Removal and addition are bounded apart; dots, which serve fixed batches, would bound both at once.
            loss = above(release.rate, release.noise, grid, remove=remove)
            found.append(power(loss, release.steps, grid.cut))
        elif isinstance(release, Relative) or (isinstance(release, Sampled) and release.rate < 1):
            found.append(power(dots_above(_curve(release), grid), release.steps, grid.cut))
        else:
            # All releases of a Gaussian pair are one Gaussian pair: no convolution.
            (pair,) = _repeated(release)
            found.append(dots_above(partial(_of_pair, pair), grid))
    cut = grids[0].cut
    return reduce(lambda x, y: summed(x, y).trimmed(cut), found)


def _of_pair(pair: Pair, level: Fraction, bits: int) -> Span:
    """Return the divergence of a pair, with the pair as the first argument."""
    return hockey_stick(level, pair, bits)


def _curve(release: Sampled | Relative) -> Curve:
    """Return the largest divergence of one release at a level `>= 0`, of either order."""
    if isinstance(release, Relative):
        pairs = pairs_of(release)
        # Upper ends are what is asked for.
        return lambda level, bits: max((hockey_stick(level, pair, bits) for pair in pairs), key=lambda span: span[1])
    return lambda level, bits: one_sampled(level, release.rate, _noise_of(release), bits, remove=True)


@lru_cache(maxsize=4)
def _composed_below(mechanism: Sampled | Planned, grids: tuple[Grid, ...], order: int) -> tuple[Loss, Fraction]:
    """Return a loss that two data sets reach, and an offset that its places are counted from."""
    found, offset = [], Fraction(0)
    remove = _directions(mechanism)[0]
    for release, grid in zip(_releases(mechanism), grids, strict=True):
        pairs = _repeated(release)
        if pairs:
            pair = pairs[min(order, len(pairs) - 1)]
            found.append(dots_below(partial(_of_pair, pair), grid))
        elif isinstance(release, Sampled):
            loss, moved = below(release.rate, _noise_of(release), grid, remove=remove)
            found.append(power(loss, release.steps, grid.cut))
            offset += release.steps * moved
    cut = grids[0].cut
    return reduce(lambda x, y: summed(x, y).trimmed(cut), found), offset


def _noise_of(release: Sampled) -> Fraction:
    """Return the noise for a distance of 1: a record moves the output by 1, a replacement by 2."""
    return release.noise / (2 if release.adjacency == "replace-one" else 1)


def _directions(mechanism: Mechanism) -> tuple[bool, ...]:
    """Return the orders of the two laws that differ; a replacement has the same curve in both.

    True stands for removal. Without samples one is enough: losses by dots are above both orders.
    """
    adjacency = next((r.adjacency for r in _releases(mechanism) if isinstance(r, Sampled)), "replace-one")
    one_way = {"add-one": (False,), "remove-one": (True,), "replace-one": (True,)}
    return one_way.get(adjacency, (True, False))


def _closed(certificate: Certificate, level: Fraction) -> list[Span]:
    """Return the divergence of each pair that can be the worst, in units of `2^-bits`.

    `Refused` where releases do not make one pair: plans, several releases of the relative mechanism, several of
    samples.
    """
    mechanism, bits = certificate.mechanism, certificate.bits
    if isinstance(mechanism, Planned):
        raise Refused("a plan has no closed form: a check by a grid is expected")
    if isinstance(mechanism, Relative) and mechanism.steps > 1:
        raise Refused("several releases have no closed form: a check by a grid is expected")
    pairs = _repeated(mechanism)
    if pairs or not isinstance(mechanism, Sampled):
        return [hockey_stick(level, pair, bits) for pair in pairs]
    if mechanism.steps > 1:
        raise Refused("several releases of samples have no closed form: a check by a grid is expected")
    noise = _noise_of(mechanism)
    return [one_sampled(level, mechanism.rate, noise, bits, remove=remove) for remove in _directions(mechanism)]


def pairs_of(release: Relative) -> list[Pair]:
    """Return the pairs of which one is the worst; `Refused` where that is a curve of pairs.

    Outputs on one ray at full distance in both orders, and outputs of one norm, where two outputs can have them.

    Examples:
        >>> half = Fraction(1, 2)
        >>> [pair.excess for pair in pairs_of(Relative(half, half, 5, Fraction(0), Fraction(0)))]
        [Fraction(5, 4), Fraction(-5, 9), Fraction(0, 1)]
    """
    if release.sigma2 * release.eta**2 < release.gamma * release.r_rel**2:
        raise Refused(
            "the baseline noise does not cover r_rel: the worst pair lies on a curve, which no replay follows"
        )
    # No claim names the worst of opposite outputs there.
    if release.eta > 2 or (release.r_rel > 0 and release.dimension == 1):
        raise Refused("the worst pair may lie on a curve of opposite outputs, which no replay follows")
    far = release.eta**2 / release.gamma
    wide = Pair(far, release.eta * (2 + release.eta), release.dimension)
    found = [wide, wide.turned()]
    if release.dimension > 1 or release.eta == 2:
        found.append(Pair(far, Fraction(0), release.dimension))
    return found


def one_sampled(level: Fraction, rate: Fraction, noise: Fraction, bits: int, *, remove: bool) -> Span:
    """Return the divergence of one release of a sample at `level >= 0`: a difference of normal tails.

    `noise` is the deviation for a record that moves the output by 1. An enclosure in units of `2^-bits`; `NotProved`
    where the level is too close to the largest loss of addition, `-log(1 - rate)`, to tell on which side it lies.
    """
    fine = Fixed(bits + 64)
    # Addition is removal with the laws exchanged: its loss exceeds the level where that of removal is below minus it.
    scale = fine.exp(fine.of(level if remove else -level))
    inside = minus(scale, fine.of(1 - rate))
    if inside[1] <= 0:  # only for addition: no output has such a loss
        return 0, 0
    if inside[0] <= 0:
        raise NotProved("the level is too close to the largest loss: more bits are needed")
    rise = fine.times(fine.of(noise), fine.log(fine.over(inside, fine.of(rate))))
    half = fine.of(1 / (2 * noise))
    places = plus(rise, half), minus(rise, half)
    base, moved = (fine.tail(place if remove else (-place[1], -place[0])) for place in places)
    mixed = plus(fine.times(fine.of(1 - rate), base), fine.times(fine.of(rate), moved))
    first, second = (mixed, base) if remove else (base, mixed)
    low, high = minus(first, fine.times(fine.exp(fine.of(level)), second))
    return max(0, low >> 64), max(0, -(-high >> 64))


# ------------------------------------------------------------------------------------------------------------- words


def _premises(certificate: Certificate) -> tuple[str, ...]:
    """Return the claims that a replay of this certificate rests on, each once; `Refused` for a release without any."""
    found: list[str] = []
    for release in _releases(certificate.mechanism):
        if isinstance(release, Relative):
            # For its refusal alone: a release without a worst pair has no premises to name.
            pairs_of(release)
            found += (*_PAIRS, *_CURVE, _GAUSSIAN[0])
        elif isinstance(release, Noised) or release.rate == 1:
            found += _GAUSSIAN
        else:
            found += (*_SAMPLED, *(_FIXED if release.sampler == "fixed-batch" else ()))
    if certificate.grids:
        releases = _releases(certificate.mechanism)
        # What is not a Gaussian pair is cut into cells from below, and by Poisson sampling from above.
        found += _CELLS if not all(map(_repeated, releases)) else ()
        found += (*_STEPS, *(_DOTS if any(map(_by_dots, releases)) else ()))
    return tuple(dict.fromkeys(found))


def _by_dots(release: Sampled | Relative | Noised) -> bool:
    """Return whether a release is bounded by its curve, and not by cells of its output."""
    return not isinstance(release, Sampled) or release.rate == 1 or release.sampler == "fixed-batch"


def _described(certificate: Certificate) -> str:
    """Return all releases in words."""
    found = "; ".join(map(_in_words, _releases(certificate.mechanism)))
    if any(release.steps > 1 for release in _releases(certificate.mechanism)) or ";" in found:
        found += "; queries may depend on all outputs before"
    return found


def _in_words(release: Sampled | Relative | Noised) -> str:
    """Return mechanism, numbers, sampler and neighbours of one kind of release."""
    if isinstance(release, Relative):
        return (
            f"the relative Gaussian mechanism, releases: {release.steps}, eta {release.eta}, gamma {release.gamma}, "
            f"{release.dimension} dimensions, r_rel {release.r_rel}, sigma2 {release.sigma2}, neighbours those of this "
            "sensitivity"
        )
    if isinstance(release, Noised):
        return f"Gaussian noise, releases: {release.steps}, noise multiplier {release.noise}"
    return (
        f"DP-SGD, steps: {release.steps}, sampling rate {release.rate}, noise multiplier {release.noise}, "
        f"sampler {release.sampler}, neighbours {release.adjacency}"
    )


def _statement(certificate: Certificate) -> tuple[str, ...]:
    """Return each end that is stated as a sentence: what the mechanism is private with, and what it is not."""
    given, name = certificate.given, certificate.quantity
    other = "delta" if name == "epsilon" else "epsilon"
    found = []
    if certificate.upper is not None:
        text = _decimal(certificate.upper)
        found.append(f"upper end: at {other} {_decimal(given)} the mechanism is private with {name} = {text}")
    if certificate.lower is not None:
        text = _decimal(certificate.lower, up=False)
        found.append(f"lower end: at {other} {_decimal(given)} it is not private with any {name} below {text}")
    return tuple(found)


def _decimal(value: Fraction, *, up: bool = True) -> str:
    """Return a number >= 0 for reading, rounded to the side asked for at the 17th digit.

    Examples:
        >>> _decimal(Fraction(1, 3)), _decimal(Fraction(1, 3), up=False)
        ('3.3333333333333334e-1', '3.3333333333333333e-1')
    """
    if value == 0:
        return "0"
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    if value < Fraction(10) ** exponent:
        exponent -= 1
    scaled = value / Fraction(10) ** (exponent - 16)
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    digits = str(whole).rstrip("0")
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    exponent += len(str(whole)) - 17
    return mantissa + (f"e{exponent}" if exponent else "")
