"""One suite that any mechanism with isotropic Gaussian noise can be put through, without a test framework.

A check of a random quantity uses its exact distribution under the claim, states its false-alarm rate, and has a power
control: the same check is run on noise that is wrong by 30 %, and has to reject it. A check whose control survives
is inconclusive, not passed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from rgm_verify.balls.statistics.confidence import gaussian_variance_interval
from rgm_verify.errors import InputError, reject
from rgm_verify.mechanisms.protocol import Releases
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.exact import positive_integer
from rgm_verify.numbers.sampling import empirical_cdf_margin, false_alarm_rate, require_generator

FloatArray = NDArray[np.float64]
Outcome = Literal["passed", "failed", "inconclusive"]
Variance = Callable[[FloatArray], float]

OFF = 0.3
"""How wrong the noise of a power control is, relatively."""

_SCALES = (0.5, 2.0, 3.0)
_FRESH_ROWS = 64


# --------------------------------------------------------------------------------------------- report


@dataclass(frozen=True)
class Check:
    """One named check and its outcome.

    `false_alarm` bounds the probability that a mechanism which is as claimed fails it (0 for checks without chance).
    `control` says what the power control was; `control_rejected` is None for checks without chance.
    """

    name: str
    outcome: Outcome
    detail: str
    false_alarm: float = 0.0
    control: str = ""
    control_rejected: bool | None = None


@dataclass(frozen=True)
class ConformanceReport:
    """All checks of one mechanism. Ask `outcome`; `bool()` raises, because inconclusive is neither true nor false."""

    mechanism: str
    checks: tuple[Check, ...]

    @property
    def outcome(self) -> Outcome:
        """`failed` if any check failed, else `inconclusive` if any is, else `passed`."""
        found = {check.outcome for check in self.checks}
        return "failed" if "failed" in found else "inconclusive" if "inconclusive" in found else "passed"

    @property
    def false_alarm(self) -> float:
        """An upper bound on the probability that a mechanism which is as claimed fails (union bound)."""
        return math.fsum(check.false_alarm for check in self.checks)

    def failures(self) -> tuple[Check, ...]:
        """Return the checks that failed."""
        return tuple(check for check in self.checks if check.outcome == "failed")

    def __bool__(self) -> NoReturn:
        raise TypeError("a conformance report has three outcomes; compare report.outcome with 'passed'")

    def __str__(self) -> str:
        lines = [f"{self.mechanism}: {self.outcome} (false-alarm rate <= {self.false_alarm:.1e})"]
        return "\n".join(lines + [f"  {c.outcome:12} {c.name}: {c.detail}" for c in self.checks])


# ---------------------------------------------------------------------------------------------- suite


def check_mechanism(
    mechanism: Releases,
    values: Iterable[ArrayLike],
    *,
    claimed_variance: Variance,
    generator: np.random.Generator,
    false_alarm: float = 1e-9,
    samples: int = 20_000,
    rotation_invariant: bool = False,
    scaling_power: float | None = None,
    name: str = "",
) -> ConformanceReport:
    """Return what a mechanism does, against the claim that it adds isotropic Gaussian noise of a known variance.

    `values` are vectors or scalars to release; take some of norm far from 0 and 1 and of dimension > 1, or different
    variance laws cannot be told apart. `claimed_variance(value)` is the variance per coordinate. `false_alarm` bounds
    the probability that a conforming mechanism fails anywhere in the suite. `samples` is the number of draws per value.
    `rotation_invariant` claims equal variance at rotated values; `scaling_power = p` claims variance `c^p` times as
    large at `c` times the value.

    Checks: shape, no-mutation, determinism, fresh-noise, bad-input, and for each value mean, variance, law (shape of
    the distribution), independence of rows (neighbours and halves of a batch), of coordinates and of calls; rotation
    and scaling where claimed.
    Wrong shapes end the suite early. Raises `InputError` for bad arguments of its own; what the mechanism raises on
    good input after the shape check goes through.
    """
    source = require_generator(generator)
    count = positive_integer(samples, name="samples", meaning="the number of samples")
    vectors = [checked_values(value, name=f"values[{i}]") for i, value in enumerate(values)]
    if not vectors or any(vector.ndim > 1 for vector in vectors):
        raise InputError("values: expected at least one value, each a scalar or a vector; the suite makes the batches")
    label = name or str(mechanism)
    shape = _check_shape(mechanism, vectors, claimed_variance, source)
    if shape.outcome == "failed":
        rest = Check("all other checks", "inconclusive", "not run, because the shapes are wrong")
        return ConformanceReport(label, (shape, rest))
    fixed = [shape, *(check(mechanism, vectors, claimed_variance, source) for check in _FIXED)]
    statistical = [
        _statistical_checks(mechanism, index, vector, claimed_variance, source, count)
        for index, vector in enumerate(vectors)
    ]
    laws = _law_checks(mechanism, vectors, claimed_variance, source, count, rotation_invariant, scaling_power)
    pending = [test for group in [*statistical, laws] for test in group]
    # A union bound: the tests of one mechanism are not independent.
    share = false_alarm_rate(false_alarm) / max(1, len(pending))
    judged = [test.judge(share) for test in pending]
    return ConformanceReport(label, (*fixed, *judged))


# ------------------------------------------------------------------------------- checks without chance

_FixedCheck = Callable[[Releases, Sequence[FloatArray], Variance, np.random.Generator], Check]


def _verdict(name: str, problems: Sequence[str], detail: str) -> Check:
    """Return a check without chance: failed with all problems, or passed with the detail."""
    return Check(name, "failed" if problems else "passed", "; ".join(problems) or detail)


def _check_shape(
    mechanism: Releases, vectors: Sequence[FloatArray], _: Variance, generator: np.random.Generator
) -> Check:
    """Check that scalars, vectors and batches of both keep their shape and become finite floats."""
    problems = []
    for vector in vectors:
        row = np.atleast_1d(vector)
        for value in (vector, np.stack([row] * 3), np.stack([np.stack([row] * 2)] * 3)):
            try:
                found = np.asarray(mechanism.release(value, generator))
            except (TypeError, ValueError, IndexError) as error:
                problems.append(f"a value of shape {value.shape} raised {type(error).__name__}: {error}")
                continue
            if found.shape != value.shape:
                problems.append(f"{value.shape} became {found.shape}")
            elif found.dtype != np.float64 or not np.isfinite(found).all():
                problems.append(f"a value of shape {value.shape} became {found.dtype}, all finite: no")
    return _verdict("shape", problems, "scalars, vectors and batches keep their shape and are finite floats")


def _check_mutation(
    mechanism: Releases, vectors: Sequence[FloatArray], _: Variance, generator: np.random.Generator
) -> Check:
    """Check that a release neither changes its input nor shares memory with it: a caller may go on using the input."""
    problems = []
    for index, vector in enumerate(vectors):
        value = vector.copy()
        released = mechanism.release(value, generator)
        if not np.array_equal(value, vector):
            problems.append(f"values[{index}] was changed by its release")
        if np.shares_memory(value, released):
            problems.append(f"the release of values[{index}] shares memory with it")
    return _verdict("no-mutation", problems, "the input is left alone and the output is a new array")


def _seeds(generator: np.random.Generator) -> tuple[int, int]:
    """Return two different seeds."""
    first, second = (int(seed) for seed in generator.integers(0, 2**63, size=2))
    return first, second if second != first else first + 1


def _check_determinism(
    mechanism: Releases, vectors: Sequence[FloatArray], _: Variance, generator: np.random.Generator
) -> Check:
    """Check that equal seeds give equal outputs: a hidden source of chance could not be tested or repeated."""
    problems = []
    for index, vector in enumerate(vectors):
        seed, _other = _seeds(generator)
        one, two = (mechanism.release(vector, np.random.default_rng(seed)) for _ in range(2))
        if not np.array_equal(one, two):
            problems.append(f"values[{index}]: equal seeds, different outputs")
    return _verdict("determinism", problems, "equal seeds give equal outputs, bit for bit")


def _check_fresh_noise(
    mechanism: Releases, vectors: Sequence[FloatArray], variance: Variance, generator: np.random.Generator
) -> Check:
    problems = []
    for index, vector in enumerate(vectors):
        if variance(vector) == 0:
            if not np.array_equal(mechanism.release(vector, generator), vector):
                problems.append(f"values[{index}]: claimed variance 0, but the output is not the value")
            continue
        seed, other = _seeds(generator)
        # Many rows, so that equal outputs by chance are out of the question even for coarse noise.
        batch = np.stack([np.atleast_1d(vector)] * _FRESH_ROWS)
        stream = np.random.default_rng(seed)
        first, second = mechanism.release(batch, stream), mechanism.release(batch, stream)
        if np.array_equal(first, second):
            problems.append(f"values[{index}]: two calls on one stream gave the same noise")
        if np.array_equal(first, mechanism.release(batch, np.random.default_rng(other))):
            problems.append(f"values[{index}]: different seeds, equal outputs")
    return _verdict("fresh-noise", problems, "each call and each seed gives other noise")


_BAD_VALUES: tuple[tuple[str, object], ...] = (
    ("NaN", [1.0, math.nan]),
    ("infinity", [math.inf, 1.0]),
    ("an empty vector", []),
    ("a text", "one"),
    ("None", None),
    ("a complex number", [1j]),
    ("truth values", [True, False]),
    ("a ragged list", [[1.0], [1.0, 2.0]]),
)
_BAD_GENERATORS: tuple[tuple[str, object], ...] = (("no generator", None), ("a seed instead of a generator", 0))


def _check_bad_input(
    mechanism: Releases, vectors: Sequence[FloatArray], _: Variance, generator: np.random.Generator
) -> Check:
    calls = [(what, value, generator) for what, value in _BAD_VALUES]
    calls += [(what, vectors[0], wrong) for what, wrong in _BAD_GENERATORS]  # type: ignore[misc]
    problems = [found for call in calls if (found := _acceptance(mechanism, *call))]
    return _verdict("bad-input", problems, f"all {len(calls)} wrong calls raise InputError")


def _acceptance(mechanism: Releases, what: str, value: object, generator: object) -> str:
    try:
        mechanism.release(value, generator)  # type: ignore[arg-type]
    except InputError:
        return ""
    except (TypeError, ValueError, AttributeError) as error:
        return f"{what} raised {type(error).__name__} instead of InputError"
    return f"{what} was accepted"


_FIXED: tuple[_FixedCheck, ...] = (
    _check_mutation,
    _check_determinism,
    _check_fresh_noise,
    _check_bad_input,
)


# --------------------------------------------------------------------------------- checks with chance


class _Finding(NamedTuple):
    rejected: bool
    detail: str


@dataclass(frozen=True)
class _Test:
    """A test of noise that has been divided by its claimed deviation: under the claim it is standard Gaussian."""

    name: str
    decide: Callable[[FloatArray, float], _Finding]
    noise: FloatArray
    controls: tuple[tuple[str, FloatArray], ...]

    def judge(self, false_alarm: float) -> Check:
        """Run the test and its controls at one false-alarm rate.

        `failed` rejects the mechanism, which happens to a correct one with probability <= `false_alarm`. `passed` needs
        every control (the same test on a wrong noise) to be rejected: a test that could not have failed is
        `inconclusive`.
        """
        finding = self.decide(self.noise, false_alarm)
        survivors = [what for what, noise in self.controls if not self.decide(noise, false_alarm).rejected]
        check = Check(
            self.name,
            "failed" if finding.rejected else "inconclusive" if survivors else "passed",
            finding.detail,
            false_alarm,
            "; ".join(what for what, _ in self.controls),
            not survivors,
        )
        if check.outcome == "inconclusive":
            return replace(check, detail=f"too few samples to see {', '.join(survivors)}; take more")
        return check


def _standard_noise(
    mechanism: Releases, vector: FloatArray, variance: float, generator: np.random.Generator, samples: int
) -> FloatArray:
    """Return noise over claimed deviation, shape `(samples, dimension)`, from one release of a batch of equal rows."""
    row = np.atleast_1d(vector)
    batch = np.repeat(row[np.newaxis, :], samples, axis=0)
    released = np.asarray(mechanism.release(batch, generator), dtype=np.float64)
    if released.shape != batch.shape:
        raise InputError(f"the mechanism turned a batch of shape {batch.shape} into {released.shape}")
    return np.asarray((released - batch) / math.sqrt(variance), dtype=np.float64)


def _claimed(variance: Variance, vector: FloatArray, where: str) -> float:
    claimed = float(variance(vector.copy()))
    if not (math.isfinite(claimed) and claimed >= 0):
        raise reject("claimed_variance", claimed, f"must be finite and >= 0 (at {where})")
    return claimed


def _statistical_checks(
    mechanism: Releases,
    index: int,
    vector: FloatArray,
    variance: Variance,
    generator: np.random.Generator,
    samples: int,
) -> list[_Test]:
    where = f"values[{index}]"
    claimed = _claimed(variance, vector, where)
    if claimed == 0:
        return []
    noise = _standard_noise(mechanism, vector, claimed, generator, samples)
    again = _standard_noise(mechanism, vector, claimed, generator, samples)
    ideal = generator.standard_normal((2, *noise.shape))
    tests = [
        _Test(f"mean {where}", _mean_is_zero, noise, ((f"a bias of {OFF} deviations", ideal[0] + OFF),)),
        _variance_test(f"variance {where}", noise, ideal[0]),
        _Test(f"law {where}", _law_is_gaussian, noise, _scaled(ideal[0])),
        _independence_test(f"rows {where}", _row_pairs(noise), ideal),
        _independence_test(f"halves {where}", _half_pairs(noise), ideal),
        _independence_test(f"calls {where}", np.stack([noise, again]), ideal),
    ]
    if noise.shape[1] > 1:
        tests.append(_independence_test(f"coordinates {where}", _coordinate_pairs(noise), ideal))
    return tests


def _scaled(ideal: FloatArray) -> tuple[tuple[str, FloatArray], ...]:
    return (
        (f"noise {OFF:.0%} too large", ideal * (1 + OFF)),
        (f"noise {OFF:.0%} too small", ideal * (1 - OFF)),
    )


def _variance_test(name: str, noise: FloatArray, ideal: FloatArray) -> _Test:
    return _Test(name, _variance_is_one, noise, _scaled(ideal))


def _independence_test(name: str, pairs: FloatArray, ideal: FloatArray) -> _Test:
    mixed = OFF * ideal[0] + math.sqrt(1 - OFF * OFF) * ideal[1]
    return _Test(name, _pairs_are_independent, pairs, ((f"a correlation of {OFF}", np.stack([ideal[0], mixed])),))


def _row_pairs(noise: FloatArray) -> FloatArray:
    even = noise.shape[0] // 2 * 2
    return np.stack([noise[0:even:2], noise[1:even:2]])


def _half_pairs(noise: FloatArray) -> FloatArray:
    half = noise.shape[0] // 2
    return np.stack([noise[:half], noise[half : 2 * half]])


def _coordinate_pairs(noise: FloatArray) -> FloatArray:
    """Return disjoint pairs of coordinates: (0, 1), (2, 3), ...; then the sums over pairs stay independent."""
    even = noise.shape[1] // 2 * 2
    return np.stack([noise[:, 0:even:2], noise[:, 1:even:2]])


def _mean_is_zero(noise: FloatArray, false_alarm: float) -> _Finding:
    count, dimension = noise.shape
    statistic = count * float(np.square(noise.mean(axis=0)).sum())
    limit = 2 * float(special.gammainccinv(dimension / 2, false_alarm))
    return _Finding(not statistic <= limit, f"chi-square {statistic:.4g} of the means, at most {limit:.4g} allowed")


def _variance_is_one(noise: FloatArray, false_alarm: float) -> _Finding:
    count, dimension = noise.shape
    squares = np.square(noise).sum(axis=0)
    intervals = [gaussian_variance_interval(float(s), count, false_alarm / dimension) for s in squares]
    lower, upper = max(i.lower for i in intervals), min(i.upper for i in intervals)
    outside = [i for i, interval in enumerate(intervals) if not interval.contains(1.0)]
    detail = f"variance over claim in [{lower:.4g}, {upper:.4g}] in every coordinate"
    if outside:
        worst = intervals[outside[0]]
        detail = f"coordinate {outside[0]}: variance over claim is in [{worst.lower:.4g}, {worst.upper:.4g}]"
    return _Finding(bool(outside), detail)


def _law_is_gaussian(noise: FloatArray, false_alarm: float) -> _Finding:
    draws = np.sort(noise, axis=None)
    cdf = special.ndtr(draws)
    steps = np.arange(draws.size + 1) / draws.size
    distance = float(max(np.abs(cdf - steps[1:]).max(), np.abs(cdf - steps[:-1]).max()))
    margin = empirical_cdf_margin(draws.size, false_alarm)
    return _Finding(
        not distance <= margin, f"distribution function off by {distance:.4g}, at most {margin:.4g} allowed"
    )


def _pairs_are_independent(pairs: FloatArray, false_alarm: float) -> _Finding:
    """Test two arrays of standard noise: their sum and their difference have variance 2, unless they correlate."""
    for what, combined in (("sum", pairs[0] + pairs[1]), ("difference", pairs[0] - pairs[1])):
        interval = gaussian_variance_interval(float(np.square(combined).sum()) / 2, combined.size, false_alarm / 2)
        if not interval.contains(1.0):
            detail = f"variance of the {what} over that of independent noise is in [{interval.lower:.4g}, "
            return _Finding(True, detail + f"{interval.upper:.4g}]")
    return _Finding(False, "sums and differences of pairs have the variance of independent noise")


# ------------------------------------------------------------------------------ laws that may be claimed


def _law_checks(
    mechanism: Releases,
    vectors: Sequence[FloatArray],
    variance: Variance,
    generator: np.random.Generator,
    samples: int,
    rotation_invariant: bool,
    scaling_power: float | None,
) -> list[_Test]:
    """Return tests that release at transformed values and expect the variance that the law says."""
    cases: list[tuple[str, FloatArray, float]] = []
    for index, vector in enumerate(vectors):
        claimed = _claimed(variance, vector, f"values[{index}]")
        if rotation_invariant:
            cases.append((f"rotation values[{index}]", _rotated(vector, generator), claimed))
        if scaling_power is not None:
            cases += [(f"scaling by {c:g} values[{index}]", c * vector, c**scaling_power * claimed) for c in _SCALES]
    tests = []
    for name, vector, claimed in cases:
        if claimed > 0:
            noise = _standard_noise(mechanism, vector, claimed, generator, samples)
            tests.append(_variance_test(name, noise, generator.standard_normal(noise.shape)))
    return tests


def _rotated(vector: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Return the image of `vector` under a random reflection (an orthogonal map); a scalar changes its sign."""
    if vector.ndim == 0:
        return np.asarray(-vector)
    normal = generator.standard_normal(vector.shape)
    normal /= np.linalg.norm(normal)
    return np.asarray(vector - 2 * float(normal @ vector) * normal, dtype=np.float64)
