"""Replay of a certificate of an accounting number: both ends are proved again, over integers.

It imports nothing that computed the number. An upper end of epsilon is one at which delta is certainly at most the
given one, a lower end one at which it is certainly larger; ends of delta are compared at the given epsilon. Nothing is
searched for: delta falls as epsilon grows, so that one value of delta decides an end.

What a replay rests on beside its own code are the claims of `premises`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial, reduce
from html import escape

from rgm_verify.recheck.certificate import Certificate
from rgm_verify.recheck.concentrated import concentrated, divergent
from rgm_verify.recheck.dots import Curve, dots_above, dots_below
from rgm_verify.recheck.events import events_below
from rgm_verify.recheck.fixed import Fixed, Span, minus, plus
from rgm_verify.recheck.groups import chained, enlarged
from rgm_verify.recheck.losses import Loss, delta, power, summed
from rgm_verify.recheck.mechanisms import (
    Concentrated,
    Divergent,
    Factored,
    Grouped,
    Mechanism,
    Noise,
    Noised,
    Planned,
    Relative,
    Sampled,
    Selected,
    Single,
    Thresholded,
    Truncated,
    by_coordinates,
    releases_of,
)
from rgm_verify.recheck.mixtures import mixture_above, mixture_below, one_mixture
from rgm_verify.recheck.noises import KEPT_BITS, divergence, events, kept, largest
from rgm_verify.recheck.pairs import Pair, hockey_stick
from rgm_verify.recheck.premises import premises
from rgm_verify.recheck.refusal import NotProved, Refused
from rgm_verify.recheck.sampled import Grid, Sample, above, below
from rgm_verify.recheck.selection import GAPS, losses
from rgm_verify.recheck.strategies import squares
from rgm_verify.recheck.words import decimal, described, statement


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

    def _repr_html_(self) -> str:
        return f"<pre>{escape(chr(10).join(self.lines()))}</pre>"


def replay(certificate: Certificate) -> Result:
    """Return whether the certificate proves its statement; `Refused` where it asks for what no replay knows.

    Rejected does not mean false: the hints may be too poor to prove it. The reason then names the end and what was
    proved.
    """
    mechanism = certificate.mechanism
    _refuse(mechanism)
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
        "that the mechanism that is run is the one described, with exact noise and random bits",
    )
    resting_on = premises(mechanism, closed=not certificate.grids, chain=enlarged(mechanism) is None)
    return Result(
        accepted, reason, described(mechanism, certificate.neighbours), statement(certificate), resting_on, unchecked
    )


def _refuse(mechanism: Mechanism) -> None:
    """Raise `Refused` for a release without a worst pair that is known."""
    for release in releases_of(mechanism):
        if isinstance(release, Relative):
            pairs_of(release)


def _prove(certificate: Certificate) -> None:
    """Raise `NotProved` at the first end that is not certain; a lower end of 0 and an upper delta of 1 always are."""
    lower, upper = certificate.lower, certificate.upper
    if certificate.quantity == "delta":
        if upper is not None and upper < 1:
            most = delta_above(certificate, certificate.given)
            if most > upper:
                raise NotProved(f"the upper end is not proved: delta is at most {decimal(most)} by this certificate")
        if lower:
            least = delta_below(certificate, certificate.given)
            if least < lower:
                raise NotProved(
                    f"the lower end is not proved: delta is at least {decimal(least, up=False)} by this certificate"
                )
        return
    if upper is not None:
        most = delta_above(certificate, upper)
        if most > certificate.given:
            raise NotProved(f"the upper end is not proved: delta there is at most {decimal(most)} by this certificate")
    if lower:
        least = delta_below(certificate, lower)
        # Strictly larger: at an equal delta the mechanism may still be private with this epsilon.
        if least <= certificate.given:
            raise NotProved(f"the lower end is not proved: delta there is at least {decimal(least, up=False)}")


# ------------------------------------------------------------------------------------------------------------ values


def delta_above(certificate: Certificate, level: Fraction) -> Fraction:
    """Return an upper bound of delta at `level >= 0`, of every pair and in every direction that counts."""
    mechanism, grids, bits = certificate.mechanism, certificate.grids, certificate.bits
    known = enlarged(mechanism)
    if known is not None:
        return _above(known, grids, bits, level)
    if not isinstance(mechanism, Grouped):
        raise TypeError("only a group has releases that do not know how far apart neighbours are")
    share = level / mechanism.records
    return chained(share, mechanism.records) * _above(by_coordinates(mechanism.of), grids, bits, share)


def _above(mechanism: Mechanism, grids: tuple[Grid, ...], bits: int, level: Fraction) -> Fraction:
    """Return an upper bound of delta for neighbours that differ in one record."""
    return 1 - Fraction(kept(mechanism)[0], 1 << KEPT_BITS) * (1 - _above_alone(mechanism, grids, bits, level))


def _above_alone(mechanism: Mechanism, grids: tuple[Grid, ...], bits: int, level: Fraction) -> Fraction:
    """Return an upper bound of delta where no release shows the record for certain."""
    most = _largest(mechanism)
    if most is not None and level >= most:
        return Fraction(0)
    if not grids:
        return Fraction(max(high for _, high in _closed(mechanism, bits, level)), 1 << bits)
    step, digits = grids[0].step, grids[0].digits
    found = [delta(_composed_above(mechanism, grids, remove), level, step) for remove in _directions(mechanism)]
    most, rho = Fraction(max(found), 10**digits), _concentration(mechanism)
    if rho is not None:
        most = min(most, Fraction(concentrated(rho, level, grids[0].bits)[1], 1 << grids[0].bits))
    return most


def delta_below(certificate: Certificate, level: Fraction) -> Fraction:
    """Return a lower bound of delta at `level >= 0`, of pairs that are the worst as a rule.

    It is true of these pairs whether or not they are the worst, and so of the mechanism. For a group of which a release
    does not know how far apart it is, it is that of one record.
    """
    mechanism = enlarged(certificate.mechanism)
    if mechanism is None:
        group = certificate.mechanism
        mechanism = by_coordinates(group.of) if isinstance(group, Grouped) else group
    return 1 - Fraction(kept(mechanism)[1], 1 << KEPT_BITS) * (1 - _below_alone(certificate, mechanism, level))


def _below_alone(certificate: Certificate, mechanism: Mechanism, level: Fraction) -> Fraction:
    """Return a lower bound of delta where no release shows the record for certain."""
    grids = certificate.grids
    if not grids:
        bits = certificate.bits
        return Fraction(max(low for low, _ in _closed(mechanism, bits, level)), 1 << bits)
    known = [_repeated(release) for release in releases_of(mechanism)]
    if isinstance(mechanism, Relative) or all(map(_equal_variances, known)):
        # Equal releases of one pair are one pair, and so are all Gaussian pairs of equal variances.
        pairs = known[0] if isinstance(mechanism, Relative) else [_joined([one[0] for one in known])]
        bits = grids[0].bits + 2 * int(level)
        return Fraction(max(hockey_stick(level, pair, bits)[0] for pair in pairs), 1 << bits)
    # Each pair in turn, for all releases of a kind: any choice is a lower bound, and the best one counts.
    orders = max(1, *map(_orders, releases_of(mechanism)))
    found = []
    for order in range(orders):
        total, offset = _composed_below(mechanism, grids, order)
        found.append(Fraction(delta(total, level - offset, grids[0].step), 10 ** grids[0].digits))
    return max(found)


def _concentration(mechanism: Mechanism) -> Fraction | None:
    """Return a `rho` of all releases together where some are choices of a range; None where one has none.

    Losses in a range of epsilon are zero-concentrated with an eighth of its square.
    """
    total, choices = Fraction(0), False
    for release in releases_of(mechanism):
        if isinstance(release, Selected) and release.noise == "gumbel":
            total, choices = total + release.steps * release.loss**2 / 8, True
        elif isinstance(release, Noised):
            total += release.steps / (2 * release.noise**2)
        elif isinstance(release, Concentrated):
            total += release.steps * release.rho
        else:
            return None
    return total if choices else None


def _orders(release: Single) -> int:
    """Return the number of pairs of which a release may have any."""
    return len(GAPS) if isinstance(release, Selected) else len(_repeated(release))


def _largest(mechanism: Mechanism) -> Fraction | None:
    """Return an upper bound of all losses together, where they have one: no epsilon above it needs a delta."""
    total = Fraction(0)
    for release in releases_of(mechanism):
        most = largest(release) if isinstance(release, Noise) else None
        if most is None:
            return None
        total += release.steps * most
    return total


def _repeated(release: Single) -> list[Pair]:
    """Return pairs of Gaussians of which one release may have any, each as often as it is released; else none.

    Repeated, a Gaussian pair is a Gaussian pair again. A batch of all records (rate 1) is no sample.
    """
    if isinstance(release, Relative):
        return [pair.repeated(release.steps) for pair in pairs_of(release)]
    if isinstance(release, Factored):
        # The pair that some patterns have: a bound from below, where the sensitivity is enclosed.
        return [Pair(release.steps * squares(release)[0] / release.noise**2, Fraction(0), 1)]
    if isinstance(release, Thresholded):
        return [Pair(release.steps * release.cells / release.sigma**2, Fraction(0), 1)]
    if isinstance(release, Noised):
        return [Pair(release.steps / release.noise**2, Fraction(0), 1)]
    if isinstance(release, Concentrated | Divergent):
        # Gaussian noise of the same rho is one such mechanism: a bound from below alone.
        return [Pair(2 * release.rho * release.steps, Fraction(0), 1)]
    if not isinstance(release, Sampled):
        return []
    noise = _noise_of(release)
    return [Pair(release.steps / noise**2, Fraction(0), 1)] if release.rate == 1 else []


@lru_cache(maxsize=4)
def _composed_above(mechanism: Mechanism, grids: tuple[Grid, ...], remove: bool) -> Loss:
    """Return a loss that dominates all releases together, whatever an adversary chooses after each.

    Queries may depend on the outputs before, parameters may not: losses may then be added up
    (`beyond:hockey-stick-of-two-steps`). Cached: a search for a certificate replays many intervals with one grid.
    """
    found = []
    for release, grid in zip(releases_of(mechanism), grids, strict=True):
        if isinstance(release, Truncated) or (isinstance(release, Sampled) and release.mixed):
            found.append(power(mixture_above(release, grid, remove=remove), release.steps, grid.cut))
        elif isinstance(release, Sampled) and release.rate < 1 and release.sampler == "poisson":
            # Removal and addition are bounded apart; dots, which serve fixed batches, would bound both at once.
            loss = above(Sample(release.rate, release.noise).tails, grid, remove=remove)
            found.append(power(loss, release.steps, grid.cut))
        elif isinstance(release, Concentrated):
            # Together they are zero-concentrated with the sum.
            found.append(dots_above(partial(concentrated, release.rho * release.steps), grid, both=True))
        elif isinstance(release, Divergent):
            found.append(dots_above(partial(divergent, _all(release)), grid, both=True))
        elif isinstance(release, Relative | Noise) or (isinstance(release, Sampled) and release.rate < 1):
            found.append(power(dots_above(_curve(release), grid), release.steps, grid.cut))
        else:
            # All releases of a Gaussian pair are one Gaussian pair: no convolution.
            (pair,) = _repeated(release) if not isinstance(release, Factored) else [_farthest(release)]
            found.append(dots_above(partial(_of_pair, pair), grid))
    cut = grids[0].cut
    return reduce(lambda x, y: summed(x, y).trimmed(cut), found)


def _equal_variances(pairs: list[Pair]) -> bool:
    """Return whether there is one pair of Gaussians with equal variances, so that all that are such are one."""
    return len(pairs) == 1 and pairs[0].excess == 0


def _joined(pairs: list[Pair]) -> Pair:
    """Return all pairs of equal variances as one: their squared distances add up."""
    return Pair(sum((pair.shift for pair in pairs), Fraction(0)), Fraction(0), 1)


def _farthest(release: Factored) -> Pair:
    """Return the pair at the largest distance that any pattern of rounds may have, of all runs together."""
    return Pair(release.steps * squares(release)[1] / release.noise**2, Fraction(0), 1)


def _all(release: Divergent) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the bounds of all mechanisms of a curve together: they add up at each order."""
    return tuple((order, release.steps * value) for order, value in release.curve)


def _of_pair(pair: Pair, level: Fraction, bits: int) -> Span:
    """Return the divergence of a pair, with the pair as the first argument."""
    return hockey_stick(level, pair, bits)


def _curve(release: Relative | Sampled | Noise) -> Curve:
    """Return the largest divergence of one release at a level `>= 0`, of either order."""
    if isinstance(release, Relative):
        pairs = pairs_of(release)
        # Upper ends are what is asked for.
        return lambda level, bits: max((hockey_stick(level, pair, bits) for pair in pairs), key=lambda span: span[1])
    if not isinstance(release, Sampled):
        return partial(divergence, release)
    return lambda level, bits: one_sampled(level, release.rate, _noise_of(release), bits, remove=True)


@lru_cache(maxsize=8)
def _composed_below(mechanism: Mechanism, grids: tuple[Grid, ...], order: int) -> tuple[Loss, Fraction]:
    """Return a loss that two data sets reach, and an offset that its places are counted from."""
    found, offset = [], Fraction(0)
    remove = _directions(mechanism)[0]
    plain: list[tuple[Pair, Grid]] = []
    for release, grid in zip(releases_of(mechanism), grids, strict=True):
        if isinstance(release, Noise):
            greatest = losses(release, order)[0] if isinstance(release, Selected) else largest(release)
            loss, moved = events_below(partial(events, release, order=order), grid, greatest)
        elif isinstance(release, Truncated) or (isinstance(release, Sampled) and release.mixed):
            loss, moved = mixture_below(release, grid, remove=remove)
        elif isinstance(release, Sampled) and release.rate < 1:
            loss, moved = below(Sample(release.rate, _noise_of(release)), grid, remove=remove)
        else:
            pairs = _repeated(release)
            pair = pairs[min(order, len(pairs) - 1)]
            if _equal_variances(pairs):
                plain.append((pair, grid))
                continue
            found.append(dots_below(partial(_of_pair, pair), grid))
            continue
        found.append(power(loss, release.steps, grid.cut))
        offset += release.steps * moved
    if plain:
        widest = max((grid for _, grid in plain), key=lambda grid: grid.places[-1])
        found.append(dots_below(partial(_of_pair, _joined([pair for pair, _ in plain])), widest))
    cut = grids[0].cut
    return reduce(lambda x, y: summed(x, y).trimmed(cut), found), offset


def _noise_of(release: Sampled) -> Fraction:
    """Return the noise for a distance of 1: each record of a user moves the output by 1, a replacement by 2."""
    return release.noise / (release.records * (2 if release.adjacency == "replace-one" else 1))


def _directions(mechanism: Mechanism) -> tuple[bool, ...]:
    """Return the orders of the two laws that differ; a replacement has the same curve in both.

    True stands for removal. Without samples one is enough: losses by dots are above both orders.
    """
    samples = (r.adjacency for r in releases_of(mechanism) if isinstance(r, Sampled | Truncated))
    adjacency = next(samples, "replace-one")
    one_way = {"add-one": (False,), "remove-one": (True,), "replace-one": (True,)}
    return one_way.get(adjacency, (True, False))


def _closed(mechanism: Mechanism, bits: int, level: Fraction) -> list[Span]:
    """Return the divergence of each pair that can be the worst, in units of `2^-bits`.

    `Refused` where releases do not make one pair: plans, and several releases that are not Gaussian.
    """
    if isinstance(mechanism, Planned | Grouped):
        raise Refused("a plan has no closed form: a check by a grid is expected")
    if mechanism.steps > 1 and (isinstance(mechanism, Relative) or not _repeated(mechanism)):
        raise Refused("several releases have no closed form: a check by a grid is expected")
    if isinstance(mechanism, Noise):
        return [divergence(mechanism, level, bits)]
    pairs = _repeated(mechanism)
    if isinstance(mechanism, Concentrated | Divergent):
        found = (
            concentrated(mechanism.rho * mechanism.steps, level, bits)
            if isinstance(mechanism, Concentrated)
            else divergent(_all(mechanism), level, bits)
        )
        low = hockey_stick(level, pairs[0], bits)[0]
        return [(low, max(low, found[1]))]
    if isinstance(mechanism, Factored):
        return [(hockey_stick(level, pairs[0], bits)[0], hockey_stick(level, _farthest(mechanism), bits)[1])]
    if pairs or not isinstance(mechanism, Sampled | Truncated):
        return [hockey_stick(level, pair, bits) for pair in pairs]
    if isinstance(mechanism, Truncated) or mechanism.mixed:
        return [one_mixture(mechanism, level, bits, remove=remove) for remove in _directions(mechanism)]
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
