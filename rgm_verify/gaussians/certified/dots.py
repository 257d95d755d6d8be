r"""Upper bounds of a pair's hockey-stick curve on a grid of epsilons, as floats: one line of nodes for many points.

A `Line` of `trapezoid` gives the divergence at `x = x_0 + k h` as `sum_j Re(v_j r_j^k)`, `r_j = exp(-s_j h)`, with
residues `a + b e^x + c (e^x - 1)` and radii that are sums of the same kind. The numbers `v_j`, `r_j` and the residues
are enclosed in balls; what depends on `k` is real arithmetic of arrays, whose error is bounded, `u = 2^-53`:

* a product of `m` complex factors, each within `u` of what it stands for, is within `3.85 m u` to first order, in any
  order of the products: each of these adds at most `sqrt(2) gamma_2 < 2.83 u` (Higham 2002, Lemma 3.5);
* a sum of `n` products in any order is within `n u` of the sum of moduli to first order (Higham 2002, section 3.1).

The radii of a line do not grow with the decay `beta` of the integrand, and `beta` is linear in `x`, so that its smaller
value at both ends of a block serves all of the block. A dot that is not as tight as asked for is computed alone.
Derived in `derivations/beyond/hockey_stick/dots_in_floats.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from flint import acb, arb
from numpy.typing import NDArray

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.fourier import UNIT, float_above
from rgm_verify.gaussians.certified.hockey_stick import decays, hockey_stick_enclosures
from rgm_verify.gaussians.certified.probability import MAXIMUM_BITS
from rgm_verify.gaussians.certified.trapezoid import Line, Quantity, lay
from rgm_verify.numbers.bounds import round_up

__all__ = ["dots_from_zero"]

FloatArray: TypeAlias = NDArray[np.float64]
Parts: TypeAlias = tuple[FloatArray, FloatArray]
Pair: TypeAlias = tuple[Fraction, Fraction, int]

# Half a block in deviations of the tilted loss, and whether its strip has to lie above the poles: the first has the
# fewest nodes; a shorter block, and a strip without a pole, lose fewer digits.
_WAYS = ((2.0, False), (2.0, True), (1.0, True), (1.0, False), (0.5, True), (0.5, False))
_PLACE = Fraction(5, 8)  # of a line in its block: above it the sum loses more digits than below
_SHARES = (0.0, 0.25, 0.5, 0.75)
_FEWEST = 4
_WORTH_A_LINE = 12
_FEW = 0.1  # of a block that may be left to balls
_ROUNDS = 2
_NARROWER = 0.9
_MOST = 1024
_TOGETHER = 256  # dots in balls between two tries
_GUARD_NATS = 6.0
_GUARD_BITS = 10
_TABLE_BITS = 80
_ACCURATE = 60  # bits of a ball that becomes a float: its radius is then far below the rounding
_LARGEST = 690  # exp of more comes near the end of the range of floats
_SLACK = 1.001  # for terms of second order, and for the rounding of error bounds themselves
_TINY = 120  # a smaller bound is of no account, and is raised to 2^-120
_RANGE = 200  # binary exponents of node values that leave no product near the end of the range of floats


def dots_from_zero(pair: Pair, step: Fraction, first: int, last: int, *, digits: int = 11) -> FloatArray:
    """Return upper bounds of `H_{k step}(P||Q)` for `k = first, ..., last`.

    Each is at most a relative `10^-digits` above the divergence, or as tight as `hockey_stick_enclosure` makes it with
    so many digits, which also serves dots alone; the rounding to a float comes on top.

    Args:
        pair: squared shift, excess and dimension, as in `GaussianPair`, unchecked.
        step: > 0.
        first: at least 0.
        last: the last index; none are returned if it is below `first`.
        digits: at most 12.

    Returns:
        Floats in [0, 1], shape (max(0, last - first + 1),).
    """
    found = np.zeros(max(0, last - first + 1))
    # Beyond the range of the loss all dots are 0.
    last = _last_within(pair, step, first, last)
    place, way = first, 0
    while place <= last:
        values = _prefix(pair, step, (place, last), digits, _WAYS[way])
        if values is None and way + 1 < len(_WAYS):
            way += 1
            continue
        if values is None:
            stop = min(place + _TOGETHER - 1, last)
            values, way = _one_by_one(pair, [step * k for k in range(place, stop + 1)], digits), 0
        found[place - first : place - first + len(values)] = values
        place += len(values)
    return found


def _last_within(pair: Pair, step: Fraction, first: int, last: int) -> int:
    """Return the last index with a loss that can be above it; `first - 1` if there is none."""
    shift, excess, _ = pair
    if excess == 0:
        return last if shift else first - 1
    if excess > 0 or last < first or decays(step * last, *pair):
        return last
    low, high = first - 1, last
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if decays(step * middle, *pair) else (low, middle)
    return low


def _prefix(
    pair: Pair, step: Fraction, ends: tuple[int, int], digits: int, way: tuple[float, bool]
) -> FloatArray | None:
    """Return the dots of a block as far as they are tight; None where too few are for a line to be worth its while."""
    block = _block(pair, step, *ends, digits, *way)
    if block is None:
        return None
    values, tight = block
    count = len(values) if tight.all() else int(np.argmin(tight))
    if count == len(values) or count >= _WORTH_A_LINE:
        return values[:count]
    left = np.nonzero(~tight)[0]
    if len(left) > _FEW * len(values):
        return None
    values[left] = _one_by_one(pair, [step * (ends[0] + k) for k in left.tolist()], digits)
    return values


def _one_by_one(pair: Pair, epsilons: Sequence[Fraction], digits: int) -> FloatArray:
    """Return upper ends of divergences in balls, rounded up and at most 1."""
    uppers = [found.upper for found in hockey_stick_enclosures(epsilons, *pair, digits=digits)]
    return np.array([1.0 if upper is None else min(1.0, round_up(upper)) for upper in uppers])


def _block(
    pair: Pair, step: Fraction, first: int, last: int, digits: int, reach: float, above: bool
) -> tuple[FloatArray, NDArray[np.bool_]] | None:
    """Return the dots that one line serves from `first` on, and which of them are tight; None where there is none."""
    needed = digits * math.log(10) + _GUARD_NATS
    start = first * step
    laid = lay(*pair, start, Quantity.HOCKEY_STICK, needed)
    if laid is None:
        return None
    # The rule's error grows towards the ends of a block as that of a shared line does.
    nats = (reach / math.sqrt(2) + math.sqrt(reach**2 / 2 + needed)) ** 2 + reach**2 / 2
    found, deviation = None, laid.deviation
    # Twice, where the loss is spread less in the middle than at the start.
    for _ in range(_ROUNDS):
        count = min(last - first + 1, int(min(_MOST, 2 * reach * deviation / float(step) + 1)))
        end = start + (count - 1) * step
        if count < _FEWEST or end > _LARGEST or not (decays(start, *pair) and decays(end, *pair)):
            return None
        middle = start + _PLACE * (end - start)
        laid = lay(*pair, middle, Quantity.HOCKEY_STICK, nats, above=above)
        if laid is None:
            return None
        found = laid, middle, end, count
        if laid.deviation >= _NARROWER * deviation:
            break
        deviation = laid.deviation
    if found is None:
        return None
    laid, middle, end, count = found
    bits = math.ceil(laid.nats / math.log(2) + laid.size) + _GUARD_BITS
    if bits > MAXIMUM_BITS:
        return None
    with precision(max(bits, _TABLE_BITS)):
        terms = _Terms.of(Line(*pair, middle, laid, Quantity.HOCKEY_STICK), start, end, step, count)
    exponentials, less_one = _tables(step, last + 1)
    return None if terms is None else terms.dots(exponentials[first:], less_one[first:], digits)


@lru_cache(maxsize=8)
def _tables(step: Fraction, count: int) -> Parts:
    """Return `exp(k step)` and `exp(k step) - 1` for `k < count`, each the float next to a ball of 80 bits."""
    with precision(_TABLE_BITS):
        h = ball(step)
        points = [h * k for k in range(min(count, int(_LARGEST / step) + 1))]
        found = [
            [float(value.mid()) for value in values]
            for values in ([x.exp() for x in points], [x.expm1() for x in points])
        ]
    return np.array(found[0]), np.array(found[1])


# ------------------------------------------------------------------------------------------------- one block


@dataclass(frozen=True, eq=False)
class _Terms:
    """A block's nodes as floats: `coarse[a] fine[b]` stands for `v_j r_j^(a m + b)`, all divided by `2^exponent`.

    Attributes:
        count: the number of dots.
        exponent: the power of 2 that brings the values near 1.
        coarse: real and imaginary parts, shape (a, n): nodes of the rule, then bounds: of the nodes left out, of the
            aliases by lines to the left, and by lines to the right.
        fine: the same, shape (m, n).
        nodes: how many of them belong to the sum.
        left: how many lines lie to the left. Each bounds the same aliases.
        residues: coefficients of 1, `e^x` and `e^x - 1`, in one or two forms.
    """

    count: int
    exponent: int
    coarse: Parts
    fine: Parts
    nodes: int
    left: int
    residues: Sequence[tuple[float, float, float]]

    @classmethod
    def of(cls, line: Line, start: Fraction, end: Fraction, step: Fraction, count: int) -> _Terms | None:
        """Return the terms of a line for `count` dots from `start` to `end`; None where floats do not serve."""
        low, high = line.decay(ball(start)), line.decay(ball(end))
        # Bounds of what is left out do not grow with the decay, which is linear in x.
        decay = low if low < high else high
        if not (line.serves(low) and line.serves(high)):
            return None
        exponent = math.floor(line.plan.goal / math.log(2))
        scale = arb(2) ** -exponent
        back, fine = acb(ball(line.origin - start)), math.isqrt(count - 1) + 1
        coarse = -(-count // fine)
        # Nodes above and below the axis are conjugate: all but the one on it count twice.
        nodes = list(zip(line.orders, line.values, strict=True))
        factors = [scale / line.rate, *[2 * scale / line.rate] * (len(nodes) - 1)]
        starts = [value * (s * back).exp() * factor for (s, value), factor in zip(nodes, factors, strict=True)]
        bounded = [(line.orders[-1], starts[-1] * line.tail_factor(decay))]
        left, right = (_nearer(line, side) for side in (line.plan.left, line.plan.right))
        for place in (*left, *right):
            s, value = line.node(arb(place), arb(0))
            bounded.append((s, value * (s * back).exp() * line.alias_factor(place, decay) * scale))
        orders = [s for s, _ in nodes[:-1]]
        parts = [
            _joined(starts[:-1], [value for _, value in bounded]),
            *(_joined([_moved(s, h) for s in orders], [_moved(s, h) for s, _ in bounded]) for h in (step, fine * step)),
        ]
        forms = [_real_floats([scale * part for part in form]) for form in line.residue_forms()]
        residues = [form for form in forms if form is not None]
        if any(part is None for part in parts) or not residues:
            return None
        v, r, jump = (part for part in parts if part is not None)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            rows = _times(_powers(jump, coarse), v)
        if not (_in_range(v) and _in_range((rows[0][-1], rows[1][-1]))):
            return None
        return cls(count, exponent, rows, _powers(r, fine), len(orders), len(left), residues)

    def dots(self, exponentials: FloatArray, less_one: FloatArray, digits: int) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return upper bounds at all dots, and whether each is as tight as asked for.

        `exponentials` and `less_one` are `e^x` and `e^x - 1` at the dots, within `1.01 u`; longer arrays are cut.
        """
        n, e, m = self.nodes, exponentials[: self.count], less_one[: self.count]
        (ar, ai), (fr, fi) = self.coarse, self.fine
        product = np.hstack([ar[:, :n], -ai[:, :n]]) @ np.hstack([fr[:, :n], fi[:, :n]]).T
        integral = product.reshape(-1)[: self.count]
        coarse, fine = _modulus(self.coarse), _modulus(self.fine)
        # Factors of each product: fewer than its rows here, and the value; then sums of 2 n products.
        rounding = (3.85 * (len(coarse) + len(fine)) + 2 * n + 4) * UNIT
        bounds = (coarse.T[n:, :, None] * fine.T[n:, None, :]).reshape(-1, product.size)
        left, right = bounds[1 : 1 + self.left], bounds[1 + self.left :]
        radius = (
            rounding * (coarse[:, :n] @ fine[:, :n].T).reshape(-1) + bounds[0] + left.min(axis=0) + right.min(axis=0)
        )
        radius = radius[: self.count]
        upper, tight = np.full(self.count, np.inf), np.zeros(self.count, bool)
        for one, of_e, of_m in self.residues:
            terms = (one, of_e * e, of_m * m)
            total = integral + (terms[0] + terms[1] + terms[2])
            # Coefficients, tables, products and sums: less than eight roundings of the largest moduli.
            size = np.abs(integral) + abs(terms[0]) + np.abs(terms[1]) + np.abs(terms[2])
            error = (radius + 8 * UNIT * size) * _SLACK
            upper = np.minimum(upper, np.nextafter(total + error, np.inf))
            tight |= 2 * error * 10.0**digits <= total - error
        # Upwards once more, for a power of 2 that takes a dot below the normal floats.
        scaled = np.nextafter(np.ldexp(upper, self.exponent), np.inf)
        return np.minimum(scaled, 1.0), tight


def _nearer(line: Line, outer: float) -> list[float]:
    """Return an outer line and some that are nearer to the nodes, on the same side of every pole.

    An outer line that is best at one epsilon lies too far out at another; each of them bounds the aliases.
    """
    centre = line.plan.centre
    places = [outer + share * (centre - outer) for share in _SHARES]
    return [place for place in places if all(_beside(p, place, outer) for p in line.poles())]


def _beside(pole: arb, first: float, second: float) -> bool:
    """Tell whether a pole certainly lies on one side of both lines."""
    return bool((pole < first and pole < second) or (pole > first and pole > second))


def _moved(order: acb, length: Fraction) -> acb:
    """Return the factor of a node from one epsilon to another that lies `length` above."""
    return (order * acb(ball(-length))).exp()


def _joined(numbers: Sequence[acb], bounds: Sequence[acb]) -> Parts | None:
    """Return numbers within `1.01 u` of their moduli, then upper bounds of moduli; None where floats do not serve."""
    if min(number.rel_accuracy_bits() for number in numbers) < _ACCURATE:
        return None
    sizes = [float_above(number.abs_upper()) for number in bounds]
    re = [float(z.real.mid()) for z in numbers] + [max(size, 2.0**-_TINY) for size in sizes]
    im = [float(z.imag.mid()) for z in numbers] + [0.0] * len(sizes)
    return (np.array(re), np.array(im)) if all(map(math.isfinite, re)) else None


def _real_floats(numbers: Sequence[arb]) -> tuple[float, float, float] | None:
    """Return three floats within `1.01 u` relatively; None where a ball is too wide for that, or no float holds it."""
    if any(not number.is_zero() and number.rel_accuracy_bits() < _ACCURATE for number in numbers):
        return None
    one, of_e, of_m = (float(number.mid()) for number in numbers)
    # A huge coefficient has no float; a tiny one may lose digits only where it is far below the values.
    return (one, of_e, of_m) if all(map(math.isfinite, (one, of_e, of_m))) else None


def _times(a: Parts, b: Parts) -> Parts:
    """Return the complex product, operation by operation, so that each is rounded once."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _powers(base: Parts, count: int) -> Parts:
    """Return the powers 0 to `count - 1` of each number, shape (count, n), by products of lower powers."""
    re, im = np.ones((1, len(base[0]))), np.zeros((1, len(base[0])))
    top = base
    while len(re) < count:
        more = _times((re, im), top)
        re, im = np.vstack([re, more[0]]), np.vstack([im, more[1]])
        top = _times(top, top)
    return re[:count], im[:count]


def _modulus(parts: Parts) -> FloatArray:
    """Return the moduli, within three roundings."""
    found: FloatArray = np.sqrt(parts[0] ** 2 + parts[1] ** 2)
    return found


def _in_range(parts: Parts) -> bool:
    """Tell whether all moduli are so far from the ends of the range of floats that no product underflows by much."""
    moduli = np.abs(parts[0]) + np.abs(parts[1])
    return bool(np.all((moduli > 2.0**-_RANGE) & (moduli < 2.0**_RANGE)))
