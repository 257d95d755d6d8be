"""Delta of a composition by other means than the library's: exact sums over atoms, and a contour integral.

With `M(s) = E_P[exp(s L)]` of the loss `L` of a pair, which is multiplied from release to release,

    delta(epsilon) = 1/(2 pi i) int_(c - i inf)^(c + i inf) M(s) exp(-s epsilon) / (s (s + 1)) ds,   c > 0.

The integral is a sum over `s = c + i k h`. By Poisson's formula the sum is that of `delta(epsilon + 2 pi j / h)` times
`exp(2 pi j c / h)`, which Markov's inequality bounds for every `j != 0`; where the sum ends, the rest is bounded by the
largest modulus from there on over `s^2`. Losses on a lattice bring the modulus back to its height again and again, so
that it is not looked up near the end but bounded (`log_ceiling`). Nothing here rounds outward: an oracle states its own
error, and one that knows too little is silent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, log_ndtr

_BLOCK = 2048  # points at once, and fewer of costly integrands
_POINTS = 30_000
_WORK = 1_000_000  # complex exponentials for one value
_ATOMS = 300_000
_NATS = 25.0  # of what is left out, over the value


@dataclass(frozen=True)
class Gaussian:
    """All Gaussian releases: one pair at the distance `mu`, in standard deviations."""

    mu: float
    count: int = 1
    cost: int = 1
    highest: float = math.inf

    def log_mgf(self, s, direction):
        return s * (s + 1) * (self.mu**2 / 2)

    def log_ceiling(self, s, direction):
        return self.log_mgf(s, direction).real


@dataclass(frozen=True)
class Laplace:
    """Laplace noise at the distance 1."""

    scale: float
    count: int
    cost: int = 1
    highest: float = math.inf

    def log_mgf(self, s, direction):
        far = np.exp(-(1 + 2 * s) / self.scale)
        return s / self.scale + np.log(0.5 + 0.5 * far + (1 - far) / (2 * (1 + 2 * s)))

    def log_ceiling(self, s, direction):
        far = np.exp(-(1 + 2 * s.real) / self.scale)
        return s.real / self.scale + np.log(0.5 + 0.5 * far + (1 + far) / (2 * np.abs(1 + 2 * s)))


@dataclass(frozen=True)
class Atoms:
    """Losses on a lattice, `first + k step`, with their masses; those of outputs left out have `dropped` together."""

    first: float
    step: float
    masses: np.ndarray
    count: int
    highest: float = math.inf
    dropped: float = 0.0

    @property
    def cost(self):
        return len(self.masses)

    @property
    def losses(self):
        return self.first + self.step * np.arange(len(self.masses))

    def log_mgf(self, s, direction):
        top = self.first + self.step * (len(self.masses) - 1)
        return s * top + np.log(np.exp(np.outer(s, self.losses - top)) @ self.masses)

    def log_ceiling(self, s, direction):
        return np.full(s.shape, self.log_mgf(s[:1].real + 0j, direction)[0].real)


@dataclass(frozen=True)
class Sampled:
    """Gaussian noise on a sample; `chances[j]` is the probability of `j` of the records in the batch.

    Of records that are replaced, `others[j]` is that of `j` of their successors, which move the sum the other way.
    """

    chances: tuple[float, ...]
    noise: float
    count: int
    others: tuple[float, ...] = (1.0,)
    cost: int = 300
    highest: float = math.inf

    def log_mgf(self, s, direction):
        sigma, order = self.noise, float(np.max(s.real)) + 1
        farthest, against = len(self.chances) - 1, len(self.others) - 1
        both = farthest + against
        turn = float(np.max(np.abs(s.imag)))
        # Fine enough for the turns of the phase, and wide enough for the tilt.
        step = min(sigma / 4, sigma**2 / (2 * both), 2 * math.pi / (both * turn / sigma**2 + 14 / sigma))
        low, high = -12 * sigma, 12 * sigma + farthest * (order if direction else 0)
        low -= against * (order - 1) if direction else farthest * (order - 1) + against * order
        y = np.arange(low, high, step)
        if len(y) * len(s) > _WORK:
            raise OverflowError("too fine an integral")
        weights = np.log(step / (sigma * math.sqrt(2 * math.pi))) - y**2 / (2 * sigma**2)
        first, second = (
            np.logaddexp.reduce(
                [
                    math.log(p) + (2 * j * sign * y - j * j) / (2 * sigma**2) if p > 0 else np.full_like(y, -np.inf)
                    for j, p in enumerate(law)
                ],
                axis=0,
            )
            for law, sign in ((self.chances, 1), (self.others, -1))
        )
        if not direction:
            first, second = second, first
        log_ratio = first - second
        exponents = weights + first + float(s[0].real) * log_ratio
        top = float(np.max(exponents))
        kept = exponents > top - 45
        body, phase = np.exp(exponents[kept] - top), log_ratio[kept]
        found = np.array([np.dot(body, np.exp(1j * one.imag * phase)) for one in s])
        return top + np.log(found)


@dataclass(frozen=True)
class Relative:
    """Noise in proportion to the norm: outputs of norms 1 and `1 + eta` on one ray; `direction`: the wide one first."""

    eta: float
    gamma: float
    dimension: int
    count: int
    cost: int = 1

    @property
    def highest(self):
        return 1 / (self.eta * (2 + self.eta))

    def log_mgf(self, s, direction):
        ends = (self.gamma, self.gamma * (1 + self.eta) ** 2)
        first, second = (ends[1], ends[0]) if direction else ends
        mixed = (1 + s) * second - s * first
        scale = ((1 + s) * math.log(second) - s * math.log(first) - np.log(mixed)) / 2
        return self.dimension * scale + s * (s + 1) * self.eta**2 / (2 * mixed)


def randomised(epsilon, answers, count):
    """The losses of randomised response."""
    x = math.exp(epsilon)
    total = x + answers - 1
    return Atoms(-epsilon, epsilon, np.array([1 / total, (answers - 2) / total, x / total]), count)


def discrete_laplace(scale, distance, count):
    """The losses of discrete Laplace noise, by all outputs between both answers."""
    ratio = math.exp(-1 / scale)
    side = 1 / (1 + ratio)
    x = np.arange(distance, -1, -1)
    masses = (1 - ratio) * side * ratio ** x.astype(float)
    masses[0], masses[-1] = side * ratio**distance, side
    return Atoms(-distance / scale, 2 / scale, masses, count)


def discrete_gaussian(sigma, distance, count, order=8.0):
    """The losses of discrete Gaussian noise, at outputs that matter up to this order."""
    reach = math.ceil(14 * sigma + distance * (order + 1)) + 2
    x = np.arange(distance + reach, -reach - 1, -1)
    weights = np.exp(-(x.astype(float) ** 2) / (2 * sigma**2))
    first = (distance - 2 * float(x[0])) * distance / (2 * sigma**2)
    held = np.flatnonzero(weights > 0)
    step = distance / sigma**2
    # At most the integral from the last output on either side.
    dropped = 2 * math.exp(-(reach**2) / (2 * sigma**2)) * (1 + 2 * sigma)
    masses = weights[held[0] : held[-1] + 1] / weights.sum()
    return Atoms(first + step * held[0], step, masses, count, dropped=dropped)


def binomial(records, rate):
    """The chances of so many of the records in a batch."""
    logs = [
        gammaln(records + 1) - gammaln(j + 1) - gammaln(records - j + 1) + j * math.log(rate)
        + ((records - j) * math.log1p(-rate) if rate < 1 else (0.0 if j == records else -math.inf))
        for j in range(records + 1)
    ]  # fmt: skip
    return tuple(math.exp(v) for v in logs)


@dataclass(frozen=True)
class Shown:
    """The record is shown for certain with probability `delta`, in each of so many releases."""

    delta: float
    count: int


# ---------------------------------------------------------------------------------------------------------- exact sums


def _power(masses, count):
    """The masses of a sum of equal losses; every term is positive, so that the error stays relative."""
    found, power = np.ones(1), masses
    while count:
        if count & 1:
            found = np.convolve(found, power)
        count >>= 1
        if count:
            power = np.convolve(power, power)
    return found


def by_sums(lines, epsilon):
    """Delta with its error, of atoms and perhaps a Gaussian pair; None for other lines and for too many atoms."""
    atoms = [line for line in lines if isinstance(line, Atoms)]
    gaussian = [line for line in lines if isinstance(line, Gaussian)]
    sizes = [line.count * (len(line.masses) - 1) + 1 for line in atoms]
    if len(atoms) + len(gaussian) < len(lines) or math.prod(sizes) > _ATOMS or max(sizes, default=0) > 12_000:
        return None
    losses, masses = np.zeros(1), np.ones(1)
    for line, size in zip(atoms, sizes, strict=True):
        own = line.count * line.first + line.step * np.arange(size)
        losses = np.add.outer(losses, own).reshape(-1)
        masses = np.multiply.outer(masses, _power(line.masses, line.count)).reshape(-1)
    rest = epsilon - losses
    if gaussian:
        mu = gaussian[0].mu
        a = log_ndtr(mu / 2 - rest / mu)
        shift = np.minimum(rest + log_ndtr(-mu / 2 - rest / mu) - a, 0.0)
        terms = masses * np.exp(a) * -np.expm1(shift)
        # Two logarithms of about the size of their arguments, and an exponent that is their difference.
        lost = 1e-14 * (1 + np.abs(rest) + np.abs(a))
        return float(terms.sum()), float((masses * np.exp(a) * lost).sum()) + 1e-12 * float(terms.sum())
    inside = rest < 0
    terms = masses[inside] * -np.expm1(rest[inside])
    scale = 1e-14 * (1 + abs(epsilon) + float(np.max(np.abs(losses))))
    return float(terms.sum()), scale * float(masses[rest < scale].sum()) + 1e-12 * float(terms.sum())


# ------------------------------------------------------------------------------------------------------------ contour


def _log_mgf(lines, s, direction):
    return sum((line.count * line.log_mgf(s, direction) for line in lines), np.zeros(s.shape, complex))


def _log_ceiling(lines, s, direction, logs):
    """Logarithms of bounds of the modulus from here on; of continuous losses the modulus here, `logs`, will do."""
    lattice = [line for line in lines if hasattr(line, "log_ceiling")]
    own = _log_mgf(lattice, s, direction).real
    return logs.real - own + sum(line.count * line.log_ceiling(s, direction) for line in lattice)


def _heights(lines, orders, direction):
    """The logarithms of `M` at real orders."""
    s = orders.astype(complex)
    single = [line for line in lines if isinstance(line, Sampled)]
    found = _log_mgf([line for line in lines if not isinstance(line, Sampled)], s, direction).real
    for line in single:  # each order has outputs of its own
        found = found + line.count * np.array([line.log_mgf(s[k : k + 1], direction)[0].real for k in range(len(s))])
    return found


def by_contour(lines, epsilon, direction):
    """Delta at `epsilon` > 0 with its error; None where the integral would take too long."""
    end = min([0.98 * line.highest for line in lines if direction or not isinstance(line, Relative)], default=math.inf)
    orders = np.geomspace(1e-4, min(3000.0, end), 48)
    with np.errstate(all="ignore"):
        found = _heights(lines, orders, direction) - orders * epsilon
    heights = [float(v) if math.isfinite(v) else math.inf for v in found]
    shown = [v - math.log(c * (c + 1)) for v, c in zip(heights, orders, strict=True)]
    best = int(np.argmin(shown))
    c, height = float(orders[best]), shown[best]
    if not math.isfinite(height):
        return None
    # The losses end near epsilon or below it: only Markov's inequality is left, and that delta is not negative.
    if best >= len(orders) - 2:
        return 0.0, math.exp(min(0.0, min(heights)))
    # About delta: the integrand at its saddle times a width, which is at least the reciprocal of the order.
    about = height + math.log(c) - 3
    period = (_NATS - about) / c
    # Epsilon is so far below the losses that no contour right of 0 is any good.
    if period <= 0:
        return None
    rights = [(v - w * period, w) for v, w in zip(heights, orders, strict=True) if w > 1.05 * c]
    while rights and period < 1e9:
        rights = [(v - w * period, w) for v, w in zip(heights, orders, strict=True) if w > 1.05 * c]
        if min(v for v, _ in rights) + c * period < about - _NATS:
            break
        period *= 1.3
    step = 2 * math.pi / period
    total, largest, done, size = 0.0, 0.0, 0, 0.0
    cost = sum(line.cost for line in lines)
    block = max(32, min(_BLOCK, 100_000 // cost))
    budget = min(_POINTS, max(block, _WORK // cost))
    while done < budget:
        k = np.arange(done, done + block)
        s = c + 1j * k * step
        try:
            whole = _log_mgf(lines, s, direction)
            logs = whole - s * epsilon
        except OverflowError:
            if block > 8:
                block //= 4
                continue
            if done == 0:
                return None
            break
        values = np.exp(logs - height) / (s * (s + 1))
        if done == 0:
            values[0] /= 2
        total += float(values.real.sum())
        size += float(np.abs(values).sum())
        done += block
        near = slice(-block // 2, None)
        ceiling = _log_ceiling(lines, s[near], direction, whole[near])
        largest = math.exp(float(np.max(ceiling)) - c * epsilon - height)
        if largest / s[-1].imag < 1e-10 * abs(total) * step:
            break
    rest = 3 * largest / (done * step) / math.pi
    scale = math.exp(height) if height < 700 else math.inf
    left = math.exp(min(0.0, -c * period))
    right = math.exp(min(0.0, min((v - w * period for v, w in zip(heights, orders, strict=True) if w > 1.05 * c),
                                  default=0.0) + c * period))  # fmt: skip
    value = scale * step * total / math.pi
    error = scale * (rest + 1e-12 * step * size * (1 + abs(height))) + 2 * left + 2 * right
    return (value, error) if math.isfinite(value) and math.isfinite(error) else None


def delta_of(lines, epsilon, directions=(True, False)):
    """Delta with its error, the larger one of the directions; None where neither means knows it."""
    shown = [line for line in lines if isinstance(line, Shown)]
    if shown:
        found = delta_of([line for line in lines if not isinstance(line, Shown)], epsilon, directions)
        if found is None:
            return None
        log_kept = sum(line.count * math.log1p(-line.delta) for line in shown)
        value = -math.expm1(log_kept) + math.exp(log_kept) * found[0]
        return value, math.exp(log_kept) * found[1] + 1e-15 * (value - log_kept)
    # An output that is left out may add its whole mass.
    dropped = sum(line.count * line.dropped for line in lines if isinstance(line, Atoms))
    exact = by_sums(lines, epsilon)
    if exact is not None:
        return exact[0], exact[1] + dropped
    both = any(isinstance(line, Sampled | Relative) for line in lines)
    found = [by_contour(lines, epsilon, direction) for direction in (directions if both else (True,))]
    if None in found:
        return None
    return max(v for v, _ in found), max(e for _, e in found) + dropped
