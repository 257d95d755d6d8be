"""Divergences of two isotropic Gaussians by integrating their densities over the space, to 30 digits.

The laws are given as vectors and variances, and nothing is used of them but their densities: no Gaussian integral, no
law of the privacy loss, no completed square. In dimension 1 the integral is over the line. In dimension d >= 2 a point
is its distance from the second mean and the angle to the line through the two means, and the integral over the other
directions is the area of a sphere. Along that line the densities are known at once for any d, so that d = 1000 costs as
much as d = 2; numbers of mpmath have no least exponent, so that nothing underflows. The exponentials, which are nearly
all of the work, are Arb's.

Each value carries an estimate of its error: how much it changes when there are more nodes in every direction, and a
rounding on top. It is an estimate and no bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import mpmath
from flint import arb

from rgm_verify.balls.arithmetic import precision
from rgm_verify.errors import InputError, reject
from rgm_verify.gaussians.quadrature import middle, rule_of, sides_of, smoothed, span_of, summed

Real = Any
"""A real number: int, Fraction, a number of mpmath's, or a constant of SymPy's."""
Weight = Callable[[Any], Any]
Under = Literal["P", "Q"]

DIGITS = 30
"""Digits asked for unless given."""
_GUARD = 10
_ROUNDS = (1.25, 2, 4, 8)  # nodes by round, as multiples of the first; the rules converge exponentially
_START = 52  # nodes across a Gaussian for 30 digits; their number grows like the root of the digits
_START_WIDE = 62
_NEAR = 0.02  # of a radius, or an angle: nearer to 0 a power law is not negligible


class Measured(NamedTuple):
    """A number of mpmath's and an estimate of its absolute error; the estimate is no bound."""

    value: Any
    error: Any


@dataclass(frozen=True)
class Exponential:
    """The function `scale (e^(factor (x - level)) - 1)` of a loss `x`, which loses no digits near its zero.

    Attributes:
        factor: a number of mpmath's, as the others.
        level: where the function is 0.
        scale: a factor.
    """

    factor: Any
    level: Any
    scale: Any

    def __call__(self, loss: Any) -> Any:
        """Return the value at a number of mpmath's."""
        return self.scale * mpmath.expm1(self.factor * (loss - self.level))

    def times(self, terms: Iterable[arb], losses: Iterable[arb]) -> Iterator[arb]:
        """Yield each term times the value at its loss."""
        factor, level, scale = arb(self.factor), arb(self.level), arb(self.scale)
        for term, loss in zip(terms, losses, strict=True):
            yield term * scale * (factor * (loss - level)).expm1()


@dataclass(frozen=True)
class Law:
    """An isotropic Gaussian: the leading coordinates of its mean (the others are 0), and its variance per coordinate.

    Exact numbers, or numbers of mpmath's. Raises `InputError` for a variance that is not positive.
    """

    mean: tuple[Real, ...]
    variance: Real

    def __post_init__(self) -> None:
        if not _number(self.variance) > 0:
            raise reject("variance", self.variance, "must be > 0")


def renyi(first: Law, second: Law, dimension: int, order: Real, digits: int = DIGITS) -> Measured:
    """Return the Renyi divergence of order `order` > 0 of the first law from the second, in nats.

    By the integral of `P^order Q^(1 - order)`; at the order 1 that of `P log(P / Q)`.

    Args:
        first: the law `P`.
        second: the law `Q`.
        dimension: the number of coordinates of both laws.
        order: the order, > 0, an exact number or one of mpmath's.
        digits: asked for; `error` tells what was reached.

    Returns:
        A numerical value with an estimate of its error, no enclosure.

    Raises:
        InputError: where the integrand does not fall off, so that the divergence is infinite.

    Examples:
        >>> found = renyi(Law((1,), 1), Law((), 1), 1, 2)
        >>> bool(abs(found.value - 1) <= found.error < 1e-29)
        True
    """
    if order == 1:
        return mean_of_loss(first, second, dimension, lambda loss: loss, digits)
    with mpmath.workdps(digits + _GUARD):
        factor = _number(order)
        # The divergence is the logarithm of this integral over `order - 1`; nothing else is known of it here.
        found = _Integral(first, second, dimension, (factor, 1 - factor), None, digits).value()
        logarithm = mpmath.log(found.value) / (factor - 1)
        # A relative error of the integral is an absolute one of its logarithm.
        return Measured(logarithm, found.error / found.value / abs(factor - 1))


def hockey_stick(first: Law, second: Law, dimension: int, epsilon: Real, digits: int = DIGITS) -> Measured:
    """Return the integral of `(P - e^epsilon Q)_+`: the least delta at this epsilon, in one order of the pair.

    Args:
        first: the law `P`.
        second: the law `Q`.
        dimension: the number of coordinates of both laws.
        epsilon: any real number, in nats.
        digits: asked for.

    Returns:
        A value between 0 and 1 with an estimate of its error, no enclosure.
    """
    with mpmath.workdps(digits + _GUARD):
        level = _number(epsilon)
        # `1 - e^(epsilon - loss)` relative to P, and so without the difference of two densities.
        weight = Exponential(factor=mpmath.mpf(-1), level=level, scale=mpmath.mpf(-1))
        return _Integral(first, second, dimension, (1, 0), (level, 1), digits, weight).value()


def loss_above(
    first: Law, second: Law, dimension: int, level: Real, digits: int = DIGITS, *, under: Under = "P"
) -> Measured:
    """Return the probability, under the first law `P` or the second `Q`, that `log dP/dQ` exceeds `level`.

    Args:
        first: the law `P`.
        second: the law `Q`.
        dimension: the number of coordinates of both laws.
        level: a real number, in nats.
        digits: asked for.
        under: the law of the point.

    Returns:
        A value between 0 and 1 with an estimate of its error, no enclosure.

    Raises:
        InputError: for another `under`.
    """
    with mpmath.workdps(digits + _GUARD):
        return _Integral(first, second, dimension, _powers(under), (_number(level), 1), digits).value()


def mean_of_loss(
    first: Law,
    second: Law,
    dimension: int,
    function: Weight,
    digits: int = DIGITS,
    *,
    above: Real | None = None,
    below: Real | None = None,
    powers: tuple[Real, Real] = (1, 0),
) -> Measured:
    """Return the integral of `P^s Q^t f(log P/Q)` with `(s, t) = powers`, `s + t = 1`: unless given, a mean under P.

    Args:
        first: the law `P`.
        second: the law `Q`.
        dimension: the number of coordinates of both laws.
        function: maps a number of mpmath's to one, and is smooth on the region.
        digits: asked for.
        above: the region is where the loss is larger; everywhere unless given.
        below: the region is where the loss is smaller.
        powers: the exponents of the two densities.

    Returns:
        A value with an estimate of its error, no enclosure.

    Raises:
        InputError: for both `above` and `below`.
    """
    if above is not None and below is not None:
        raise InputError(f"above={above}, below={below}: give one of the two")
    with mpmath.workdps(digits + _GUARD):
        region = None
        if above is not None or below is not None:
            region = (_number(above), 1) if below is None else (_number(below), -1)
        exponents = (_number(powers[0]), _number(powers[1]))
        return _Integral(first, second, dimension, exponents, region, digits, function).value()


def _powers(under: str) -> tuple[int, int]:
    """Return the exponents of the two densities for a mean under the law that is named."""
    if under not in ("P", "Q"):
        raise reject("under", under, 'allowed are "P" and "Q"')
    return (1, 0) if under == "P" else (0, 1)


def _number(value: Real) -> Any:
    """The number at mpmath's precision, which has to be in force: a `Fraction` is divided there and not before."""
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    if isinstance(value, int | float | mpmath.mpf):
        return mpmath.mpf(value)
    # A constant of SymPy's, such as a root: a few digits more than asked for.
    digits = mpmath.mp.dps + 5
    found = value.evalf(digits)
    if not found.is_Float and not found.is_Rational:
        raise reject("number", value, "expected a real number")
    return mpmath.mpf(found.p) / found.q if found.is_Rational else found._to_mpmath(mpmath.mp.prec + 20)


def distance_squared(first: Sequence[Real], second: Sequence[Real]) -> Any:
    """The squared distance of two means at mpmath's precision; missing coordinates are 0."""
    longest = max(len(first), len(second))
    one, two = ([*map(_number, mean)] + [mpmath.mpf(0)] * (longest - len(mean)) for mean in (first, second))
    return mpmath.fsum((a - b) ** 2 for a, b in zip(one, two, strict=True))


# ------------------------------------------------------------------------------------------------------- the integral


class _Integral:
    """The integral of `P^s Q^t w(L)` over the space, or over where `sign (L - level) > 0`.

    Coordinates: along the line of the means, 0 at the second mean, and across. A `Measured` relative to no scale.
    """

    def __init__(
        self,
        first: Law,
        second: Law,
        dimension: int,
        powers: tuple[Any, Any],
        region: tuple[Any, int] | None,
        digits: int,
        weight: Weight | None = None,
    ) -> None:
        longest = max(len(first.mean), len(second.mean))
        if dimension < 1 or (longest > dimension):
            raise reject("dimension", dimension, f"must be >= 1 and at least the {longest} coordinates of the means")
        self.dimension, self.digits = dimension, digits
        self.region, self.weight = region, weight
        self.powers = powers
        self.laws = first, second
        self.centre: Any = mpmath.mpf(0)
        self.prepare()
        # Large exponents lose their leading digits to the exponential.
        extra = max(0, math.ceil(math.log10(1 + self.size())))
        self.working = digits + _GUARD + extra
        with mpmath.workdps(self.working):
            self.prepare()

    def prepare(self) -> None:
        """Compute the constants of both laws at the precision that mpmath has now.

        The constructor calls it twice: the first pass gives the size of the exponents, and with it the working
        precision. Raises `InputError` if `P^s Q^t` does not fall off.
        """
        first, second = self.laws
        self.distance = mpmath.sqrt(distance_squared(first.mean, second.mean))
        self.twice = 2 * _number(first.variance), 2 * _number(second.variance)
        half = mpmath.mpf(self.dimension) / 2
        self.constants = tuple(-half * mpmath.log(mpmath.pi * twice) for twice in self.twice)
        s, t = map(_number, self.powers)
        precision = 2 * (s / self.twice[0] + t / self.twice[1])
        if not precision > 0:
            raise InputError(f"powers={self.powers}: the integrand does not fall off, so that the integral is infinite")
        self.width = 1 / mpmath.sqrt(precision)

    def size(self) -> float:
        """Return the size of the exponents where the integrand is not small: its digits are lost before the point."""
        radius = self.distance + (math.sqrt(self.dimension) + 20) * self.width
        s, t = (abs(_number(power)) for power in self.powers)
        return float(s * (radius + self.distance) ** 2 / self.twice[0] + t * radius**2 / self.twice[1])

    def value(self) -> Measured:
        """Return the integral with an estimate of its error, at the working precision."""
        with mpmath.workdps(self.working):
            return self.on_the_line() if self.dimension == 1 else self.in_the_plane()

    # The densities, by definition.

    def logs(self, along: Any, across: Any) -> tuple[Any, Any]:
        """The logarithms of both densities at a place along the line of the means and a squared distance from it."""
        from_first = (along - self.distance) ** 2 + across
        from_second = along * along + across
        return self.constants[0] - from_first / self.twice[0], self.constants[1] - from_second / self.twice[1]

    def density(self, log_p: Any, log_q: Any) -> Any:
        """The integrand where the densities have these logarithms."""
        s, t = self.powers
        found = mpmath.exp(s * log_p + t * log_q) if t else mpmath.exp(s * log_p) if s != 1 else mpmath.exp(log_p)
        return found if self.weight is None else found * self.weight(log_p - log_q)

    def exponent(self, along: float, across: float) -> float:
        """The exponent of the integrand without the weight, for choosing where to integrate."""
        log_p, log_q = self.logs(mpmath.mpf(along), mpmath.mpf(across))
        return float(self.powers[0] * log_p + self.powers[1] * log_q)

    def excess(self, along: Any, across: Any) -> Any:
        """The loss minus its level, with the sign that is positive in the region; positive without a region."""
        if self.region is None:
            return mpmath.mpf(1)
        log_p, log_q = self.logs(along, across)
        return self.region[1] * (log_p - log_q - self.region[0])

    def crossings(self) -> list[Any]:
        """Find where on the line of the means the loss has its level: a quadratic, known from three values.

        Returns none, one or two places in increasing order; one where the variances agree. The larger root comes first
        and the other one from their product, without cancellation.
        """
        if self.region is None:
            return []
        # Any three places determine the quadratic; a deviation apart they are of its own scale.
        step = self.width
        low, middle, high = (self.excess(x, mpmath.mpf(0)) for x in (-step, mpmath.mpf(0), step))
        square, linear = (high + low - 2 * middle) / (2 * step**2), (high - low) / (2 * step)
        # The quadratic term is a difference of variances; below the rounding it is none.
        if abs(square) * step**2 <= mpmath.mpf(10) ** (3 - self.working) * (abs(low) + abs(middle) + abs(high)):
            return [-middle / linear] if linear else []
        root = linear**2 - 4 * square * middle
        if root <= 0:
            return []
        # Signs are chosen so that nothing cancels; the other root follows from the product of both.
        larger = -(linear + mpmath.sign(linear or 1) * mpmath.sqrt(root)) / 2
        return sorted({larger / square, middle / larger} if larger else {mpmath.mpf(0)})

    @property
    def drop(self) -> float:
        """Return the fall below its peak from which on an exponent counts for nothing, with a margin for weights."""
        return (self.digits + 6) * math.log(10)

    # One dimension.

    def on_the_line(self) -> Measured:
        """Integrate in dimension 1: over each part of the region, from its peak to where the integrand counts for
        nothing.
        """
        cuts = self.crossings()
        inside = self.pieces(cuts)
        if not inside:
            return Measured(mpmath.mpf(0), mpmath.mpf(0))
        # On the line there is nothing across.
        zero = mpmath.mpf(0)

        def value(x: Any) -> Any:
            return self.density(*self.logs(x, zero))

        def level(x: float) -> float:
            return self.exponent(x, 0.0)

        spans = [span_of(level, low, high, float(self.width), self.drop) for low, high in inside]
        peak = max(level(top) for _, top, _ in spans)
        # A piece whose peak lies this far below the highest one adds nothing within the digits asked for.
        kept = [(low, high) for low, top, high in spans if level(top) > peak - self.drop]
        return self.refined(lambda n: mpmath.fsum(summed(value, low, high, n) for low, high in kept))

    def pieces(self, cuts: list[Any]) -> list[tuple[Any, Any]]:
        """The parts of the line that lie in the region, the first and the last without an end (None)."""
        ends = [None, *cuts, None]
        found = []
        for low, high in pairwise(ends):
            step = self.width
            place = 0 if low is None and high is None else high - step if low is None else low + step
            # The sign at any inner place decides a whole piece, since the pieces end at all crossings.
            place = (low + high) / 2 if low is not None and high is not None else place
            if self.excess(mpmath.mpf(place), mpmath.mpf(0)) > 0:
                found.append((low, high))
        return found

    def refined(self, rule: Callable[[int], Any]) -> Measured:
        """Return a rule's value at more and more nodes, until more change nothing within the digits asked for.

        The last change is the estimate of the error, and a rounding on top.
        """
        # Powers of the radius and of the sine of middling degree are far from Gaussian and take more.
        most = _START_WIDE if 4 < self.dimension < 300 else _START
        nodes = 2 * math.ceil(most / 2 * math.sqrt(self.digits / DIGITS))
        # Each round starts anew: the nodes of Gauss's rule are no part of the next one's.
        coarse = rule(nodes)
        fine, change = coarse, abs(coarse)
        for more in _ROUNDS:
            fine = rule(2 * math.ceil(more * nodes / 2))
            change = abs(fine - coarse)
            if change <= abs(fine) * mpmath.mpf(10) ** -self.digits:
                break
            coarse = fine
        return Measured(fine, change + abs(fine) * mpmath.mpf(10) ** -(self.digits + 2))

    # Two dimensions and more: the distance from a centre on the line of the means, and the angle.

    def in_the_plane(self) -> Measured:
        """Integrate in dimension 2 and more: over the radius around a centre, and over the angle.

        The centre is on the line of the means. With two crossings the region is a ball around their middle, or its
        complement, so that the radius alone bounds it. With one crossing or none the centre is the second mean, and the
        angle is cut at each radius.
        """
        cuts = self.crossings()
        # Around the middle of the two places the region has the same angles at every radius.
        around = len(cuts) == 2
        self.centre = (cuts[0] + cuts[1]) / 2 if around else mpmath.mpf(0)
        bottom: Any = mpmath.mpf(0)
        top: Any = None
        # Around the middle of two crossings the region is the ball or what is outside of it: one sign decides.
        inside = bool(self.excess(self.centre, mpmath.mpf(0)) > 0)
        if around:
            edge = (cuts[1] - cuts[0]) / 2
            bottom, top = (bottom, edge) if inside else (edge, None)
        elif not cuts and not inside:
            return Measured(mpmath.mpf(0), mpmath.mpf(0))
        plane = _Plane(self, None if around or not cuts else cuts[0])
        low, peak, high = span_of(plane.best, bottom, top, float(self.width), self.drop, [float(abs(x)) for x in cuts])
        # Towards the centre an integrand that does not vanish is even or odd in the radius.
        near = not around or inside
        if near and low < _NEAR * peak:
            low = bottom
        flat = high != top and (low != bottom or (near and self.dimension % 2 == 1))
        cut = [abs(cuts[0])] if len(cuts) == 1 else []
        # The float search cannot tell the edge of a half-space from its neighbours.
        if cut and abs(low - cut[0]) < mpmath.mpf(10) ** -9 * cut[0]:
            low = cut[0]
        cut = [c for c in cut if low <= c < high]
        ends = sorted({low, *cut, high})
        box = None if cut or plane.turn is not None else plane.box(float(low), peak, float(high), self.drop)
        # The directions across the plane of means and point: the area of a sphere in `dimension - 1` coordinates.
        area = 2 * mpmath.pi ** (mpmath.mpf(self.dimension - 1) / 2) / mpmath.gamma(mpmath.mpf(self.dimension - 1) / 2)

        def rule(nodes: int) -> Any:
            parts = []
            for start, stop in pairwise(ends):
                parts.append(self.shells(plane, start, stop, nodes, (start in cut, stop in cut), flat and not cut, box))
            return area * mpmath.fsum(parts)

        return self.refined(rule)

    def shells(
        self, plane: _Plane, low: Any, high: Any, nodes: int, cut: tuple[bool, bool], flat: bool, box: Any
    ) -> Any:
        """The integral over the radii between two ends.

        At a radius where the region begins or ends the angle has a root; a substitution takes it away.
        """
        angles = None if box is None else self.fixed_angles(box, nodes)
        total = []
        for x, weight in rule_of(nodes, flat):
            share, slope = smoothed(x, *cut)
            radius = low + (high - low) * share
            if angles is None:
                start, stop = plane.limits(radius, self.drop)
                found = self.angles(radius, self.fixed_angles((start, stop, False), nodes)) if start < stop else 0
            else:
                found = self.angles(radius, angles)
            if found:
                total.append(weight * slope * (high - low) * radius ** (self.dimension - 1) * found)
        return mpmath.fsum(total)

    def fixed_angles(self, box: tuple[Any, Any, bool], nodes: int) -> list[tuple[arb, arb]]:
        """Cosines of angles between two ends, and their weights with the power of the sine."""
        low, high, flat = box
        power = self.dimension - 2
        found = []
        with precision(mpmath.mp.prec):
            centre, half = arb((low + high) / 2), arb((high - low) / 2)
            for x, weight in rule_of(nodes, flat):
                sine, cosine = (centre + half * arb(x)).sin_cos()
                found.append((cosine, half * arb(weight) * sine**power))
        return found

    def angles(self, radius: Any, angles: list[tuple[arb, arb]]) -> Any:
        """The integral over the angles at a radius."""
        square, away = radius * radius, self.centre - self.distance
        # |x - mu|^2 for both means is a constant and a multiple of the cosine.
        fixed_p = self.constants[0] - (square + away * away) / self.twice[0]
        fixed_q = self.constants[1] - (square + self.centre * self.centre) / self.twice[1]
        slope_p, slope_q = -2 * radius * away / self.twice[0], -2 * radius * self.centre / self.twice[1]
        s, t = self.powers
        # So the exponent and the loss are linear in the cosine as well.
        exponent = s * fixed_p + t * fixed_q, s * slope_p + t * slope_q
        loss = fixed_p - fixed_q, slope_p - slope_q
        # Without a weight the loss is not needed, and with one it is linear in the cosine, so that it costs a product.
        return _sum_of_exponentials(exponent, angles, None if self.weight is None else (self.weight, *loss))


def _sum_of_exponentials(
    exponent: tuple[Any, Any], nodes: Sequence[tuple[arb, arb]], weight: tuple[Weight, Any, Any] | None
) -> Any:
    """The sum of `w exp(a + b c)` over nodes c with their w, `(a, b) = exponent`; `weight` adds a factor `f(l + m c)`.

    The middles of balls are what counts: the radius, a rounding of the working precision, is far below the error that
    is stated.
    """
    with precision(mpmath.mp.prec):
        fixed, slope = map(arb, exponent)
        terms: Iterable[arb] = [(fixed + slope * c).exp() * w for c, w in nodes]
        if weight is not None:
            function, *loss = weight
            start, growth = map(arb, loss)
            losses = (start + growth * c for c, _ in nodes)
            if isinstance(function, Exponential):
                terms = function.times(terms, losses)
            else:
                terms = (t * arb(function(middle(loss))) for t, loss in zip(terms, losses, strict=True))
        return middle(sum(terms, arb(0)))


class _Plane:
    """The exponent of the integrand over radius and angle, in floats, for choosing where to integrate.

    `turn`: where on the line of the means the region ends, if it is a half-space.
    """

    def __init__(self, whole: _Integral, turn: Any) -> None:
        self.whole, self.turn = whole, turn
        #: Whether the region is on the side of larger coordinates.
        self.ahead = turn is not None and whole.excess(turn + whole.width, mpmath.mpf(0)) > 0
        self.power = whole.dimension - 2
        s, t = map(float, whole.powers)
        centre, away = float(whole.centre), float(whole.centre - whole.distance)
        # A large constant is left out on purpose: its rounding would drown the differences.
        self.square = -s / float(whole.twice[0]) - t / float(whole.twice[1])
        self.linear = -2 * s * away / float(whole.twice[0]) - 2 * t * centre / float(whole.twice[1])

    def level(self, radius: float, angle: float) -> float:
        """The logarithm of the integrand over radius and angle, up to a constant."""
        if not radius > 0 or (self.power and not 0 < angle < math.pi):
            return -math.inf
        sine = self.power * math.log(math.sin(angle)) if self.power else 0.0
        growth = (self.power + 1) * math.log(radius)
        return self.square * radius * radius + self.linear * radius * math.cos(angle) + sine + growth

    def ends(self, radius: float) -> tuple[float, float]:
        """The angles of the region at a radius, in floats; the first is not below the second where it has none."""
        if self.turn is None:
            return 0.0, math.pi
        cosine = float(self.turn) / radius
        angle = math.acos(max(-1.0, min(1.0, cosine)))
        return (0.0, angle) if self.ahead else (angle, math.pi)

    def best_angle(self, radius: float) -> float:
        """The angle of the region where the integrand is largest at a radius."""
        start, stop = self.ends(radius)
        slope = self.linear * radius
        if slope == 0:
            best = math.pi / 2 if self.power else start
        else:
            best = math.acos(max(-1.0, min(1.0, 2 * slope / (self.power + math.hypot(self.power, 2 * slope)))))
        return min(max(best, start), stop)

    def best(self, radius: float) -> float:
        """The largest exponent at a radius."""
        if not radius > 0:
            return -math.inf
        start, stop = self.ends(radius)
        return self.level(radius, self.best_angle(radius)) if start < stop else -math.inf

    def box(self, low: float, peak: float, high: float, drop: float) -> tuple[Any, Any, bool]:
        """Return two angles between which the integrand is not negligible at any radius, and whether it is flat at
        both.
        """
        goal = self.best(peak) - drop
        start, stop, open_start, open_stop = math.pi, 0.0, True, True
        # The angles of the sphere that count change slowly with the radius, so that a few radii show all.
        for k in range(17):
            radius = low + (high - low) * k / 16
            top = self.best_angle(radius)
            rest = self.level(radius, top) - goal
            if not rest > 0:
                continue
            left, right = sides_of(partial(self.level, radius), top, 0.0, math.pi, rest)
            open_start, open_stop = open_start and left is not None, open_stop and right is not None
            start, stop = min(start, left or 0.0), max(stop, math.pi if right is None else right)
        # Close to the axis the power of the sine is no small number, but an even one goes on smoothly beyond it.
        open_start, open_stop = open_start and start > _NEAR, open_stop and stop < math.pi - _NEAR
        first = mpmath.mpf(start) if open_start else mpmath.mpf(0)
        last = mpmath.mpf(stop) if open_stop else +mpmath.pi
        return first, last, self.power % 2 == 0 or (open_start and open_stop)

    def limits(self, radius: Any, drop: float) -> tuple[Any, Any]:
        """The angles of the half-space at a radius, without those where the integrand is negligible."""
        start, stop = mpmath.mpf(0), +mpmath.pi
        if abs(self.turn) < radius:
            angle = mpmath.acos(self.turn / radius)
            start, stop = (start, angle) if self.ahead else (angle, stop)
        elif self.ahead == (self.turn > 0):
            return stop, start
        r = float(radius)
        top = self.best_angle(r)
        left, right = sides_of(lambda angle: self.level(r, angle), top, float(start), float(stop), drop)
        return (start if left is None else mpmath.mpf(left)), (stop if right is None else mpmath.mpf(right))
