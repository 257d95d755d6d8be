"""One suite that any mechanism with equal noise on every coordinate can be put through, without a test framework.

A check of a random quantity uses its exact distribution under the claim, states its false-alarm rate, and has a power
control: the same check is run on noise that is wrong by 30 %, and has to reject it. A check whose control survives is
inconclusive, not passed.

The claim that is tested is that released minus value is Gaussian, or another law that is claimed, with independent
coordinates of the claimed variance. Noise of another law is turned into Gaussian noise first (`noise_laws`).
Limits: a fault below about 30 % may pass with few samples, one at other values than those released is not seen, and low
bits, running time and the generator itself are not looked at.
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
from rgm_verify.mechanisms.noise_laws import LAWS, NoiseLaw
from rgm_verify.mechanisms.protocol import Releases
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.exact import positive_integer
from rgm_verify.numbers.sampling import empirical_cdf_margin, false_alarm_rate, require_generator
from rgm_verify.numbers.shown import Framed, Rows, Shown, of_fields

FloatArray = NDArray[np.float64]
Outcome = Literal["passed", "failed", "inconclusive"]
Variance = Callable[[FloatArray], float]

OFF = 0.3
"""The relative error in the noise of a power control."""

# Below and above 1, and one that is no power of 2, whose rounding differs.
_SCALES = (0.5, 2.0, 3.0)
_FRESH_ROWS = 64


# --------------------------------------------------------------------------------------------- report


@dataclass(frozen=True)
class Check(Shown):
    """One named check and its outcome.

    Attributes:
        name: the kind of check and the value, as in `variance values[0]`.
        outcome: `passed`, `failed` or `inconclusive`.
        detail: the numbers behind the outcome, for reading.
        false_alarm: bounds the probability that a mechanism which is as claimed fails it; 0 for checks without chance.
        control: the wrong noises on which the check was tried.
        control_rejected: whether all of them were rejected; None for checks without chance.
    """

    name: str
    outcome: Outcome
    detail: str
    false_alarm: float = 0.0
    control: str = ""
    control_rejected: bool | None = None


@dataclass(frozen=True)
class ConformanceReport(Framed):
    """All checks of one mechanism. Ask `outcome`; `bool()` raises, because inconclusive is neither true nor false.

    Attributes:
        mechanism: its name, for reading.
        checks: every check that was run, in order.
    """

    mechanism: str
    checks: tuple[Check, ...]

    def rows(self) -> Rows:
        """A row for each check."""
        return [of_fields(check) for check in self.checks]

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
    noise: str = "gaussian",
    rotation_invariant: bool = False,
    scaling_power: float | None = None,
    name: str = "",
) -> ConformanceReport:
    """Return the outcomes of all checks against the claim that a mechanism adds noise of a law and a known variance.

    Checks: shape, no-mutation, determinism, fresh-noise, bad-input, and for each value mean, variance, law (shape of
    the distribution), independence of rows (neighbours and halves of a batch), of coordinates and of calls; rotation
    and scaling where claimed. Wrong shapes end the suite early.

    Args:
        mechanism: the mechanism; only `release` is called.
        values: vectors or scalars to release; take some of norm far from 0 and 1 and of dimension > 1, or different
            variance laws cannot be told apart.
        claimed_variance: maps a value to the variance per coordinate, finite and >= 0.
        generator: the source of all chance, here and in the mechanism.
        false_alarm: bounds the probability that a conforming mechanism fails anywhere in the suite.
        samples: the number of draws for each value, >= 1; too few make checks inconclusive.
        noise: the law of each coordinate, "gaussian" or "laplace".
        rotation_invariant: claims equal variance at rotated values.
        scaling_power: `p` claims variance `c^p` times as large at `c` times the value.
        name: the mechanism's name in the report, its `str` unless given.

    Returns:
        A report. `failed` happens to a conforming mechanism with probability at most `false_alarm`.

    Raises:
        InputError: for bad arguments of its own; what the mechanism raises on good input after the shape check goes
            through.

    Examples:
        >>> from rgm_verify.mechanisms.gaussian import GaussianMechanism
        >>> report = check_mechanism(
        ...     GaussianMechanism(4),
        ...     [[3.0, -40.0]],
        ...     claimed_variance=lambda value: 4.0,
        ...     generator=np.random.default_rng(1),
        ...     samples=5_000,
        ... )
        >>> report.outcome, report.false_alarm <= 1e-9
        ('passed', True)
    """
    source = require_generator(generator)
    count = positive_integer(samples, name="samples", meaning="the number of samples")
    vectors = [checked_values(value, name=f"values[{i}]") for i, value in enumerate(values)]
    if noise not in LAWS:
        raise reject("noise", noise, f"allowed are {', '.join(LAWS)}")
    law = LAWS[noise]
    # A batch of the caller's would be one of unequal rows, whose noise cannot be standardised by one number.
    if not vectors or any(vector.ndim > 1 for vector in vectors):
        raise InputError("values: expected at least one value, each a scalar or a vector; the suite makes the batches")
    # An empty name is no name.
    label = name or str(mechanism)
    shape = _check_shape(mechanism, vectors, claimed_variance, source)
    if shape.outcome == "failed":
        # Every other check stacks releases; with wrong shapes their answers would be about the stacking.
        rest = Check("all other checks", "inconclusive", "not run, because the shapes are wrong")
        return ConformanceReport(label, (shape, rest))
    # Before anything with chance: what shares memory or repeats its noise makes nonsense of statistics.
    fixed = [shape, *(check(mechanism, vectors, claimed_variance, source) for check in _FIXED)]
    statistical = [
        _statistical_checks(mechanism, index, vector, claimed_variance, law, source, count)
        for index, vector in enumerate(vectors)
    ]
    laws = _law_checks(mechanism, vectors, claimed_variance, law, source, count, rotation_invariant, scaling_power)
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
        # A batch of scalars has shape (n, 1), since an array of one dimension is one vector.
        row = np.atleast_1d(vector)
        for value in (vector, np.stack([row] * 3), np.stack([np.stack([row] * 2)] * 3)):
            try:
                found = np.asarray(mechanism.release(value, generator))
            # The usual ways in which wrong shapes show; anything else is a fault that the caller should see.
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
        # Both runs get a generator of their own: one stream would go on in the second.
        seed, _other = _seeds(generator)
        one, two = (mechanism.release(vector, np.random.default_rng(seed)) for _ in range(2))
        if not np.array_equal(one, two):
            problems.append(f"values[{index}]: equal seeds, different outputs")
    return _verdict("determinism", problems, "equal seeds give equal outputs, bit for bit")


def _check_fresh_noise(
    mechanism: Releases, vectors: Sequence[FloatArray], variance: Variance, generator: np.random.Generator
) -> Check:
    """Check that noise is drawn anew by every call and from the generator that was given.

    Equal noise in two releases would cancel in their difference and give both values away. A claimed variance of 0 asks
    for the value itself.
    """
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
    """Check that wrong calls raise `InputError`, so that no release happens on what cannot be measured."""
    calls = [(what, value, generator) for what, value in _BAD_VALUES]
    calls += [(what, vectors[0], wrong) for what, wrong in _BAD_GENERATORS]  # type: ignore[misc]
    problems = [found for call in calls if (found := _acceptance(mechanism, *call))]
    return _verdict("bad-input", problems, f"all {len(calls)} wrong calls raise InputError")


def _acceptance(mechanism: Releases, what: str, value: object, generator: object) -> str:
    """Return the complaint about one wrong call; empty where it raised `InputError`."""
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
    """The decision of a test on one noise: whether it rejects, and the numbers behind it."""

    rejected: bool
    detail: str


@dataclass(frozen=True)
class _Test:
    """A test of noise that has been divided by its claimed deviation, and turned into Gaussian noise.

    Attributes:
        name: of the check.
        decide: maps noise and a false-alarm rate to a finding. Under the claim it rejects with at most that
            probability.
        noise: the mechanism's noise, in the shape that `decide` takes.
        controls: wrong noises in the same shape, each with words for what is wrong with it.
    """

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
    mechanism: Releases,
    vector: FloatArray,
    variance: float,
    law: NoiseLaw,
    generator: np.random.Generator,
    samples: int,
) -> FloatArray:
    """Return noise that is standard Gaussian under the claim, from one release of a batch of equal rows.

    Its shape is `(samples, dimension)`.
    """
    row = np.atleast_1d(vector)
    # Equal rows, so that the variance is one number; the rounding of the batch itself is far below any deviation.
    batch = np.repeat(row[np.newaxis, :], samples, axis=0)
    released = np.asarray(mechanism.release(batch, generator), dtype=np.float64)
    if released.shape != batch.shape:
        raise InputError(f"the mechanism turned a batch of shape {batch.shape} into {released.shape}")
    return law.as_gaussian(np.asarray((released - batch) / math.sqrt(variance), dtype=np.float64))


def _claimed(variance: Variance, vector: FloatArray, where: str) -> float:
    """Return the claimed variance at a value, checked. The value is copied, as the claim is the caller's code."""
    claimed = float(variance(vector.copy()))
    if not (math.isfinite(claimed) and claimed >= 0):
        raise reject("claimed_variance", claimed, f"must be finite and >= 0 (at {where})")
    return claimed


def _statistical_checks(
    mechanism: Releases,
    index: int,
    vector: FloatArray,
    variance: Variance,
    law: NoiseLaw,
    generator: np.random.Generator,
    samples: int,
) -> list[_Test]:
    """Return the tests at one value: the mean, the variance, the law, and independence in each direction.

    The tests of one value share its noise. They depend on each other, which the union bound of the caller allows.
    """
    where = f"values[{index}]"
    claimed = _claimed(variance, vector, where)
    # Without noise there is nothing to standardise; the check of fresh noise has compared the output with the value.
    if claimed == 0:
        return []
    noise = _standard_noise(mechanism, vector, claimed, law, generator, samples)
    # A second call, for the check that two calls draw different noise.
    again = _standard_noise(mechanism, vector, claimed, law, generator, samples)
    # Controls are made of true noise, so that they show the power of the check and nothing of the mechanism.
    ideal = generator.standard_normal((2, *noise.shape))
    biased = law.as_gaussian(law.draw(generator, noise.shape) + OFF)
    scaled = _scaled(law, generator, noise.shape)
    tests = [
        _Test(f"mean {where}", _mean_is_zero, noise, ((f"a bias of {OFF} deviations", biased),)),
        _Test(f"variance {where}", _variance_is_one, noise, scaled),
        _Test(f"law {where}", _law_is_gaussian, noise, scaled),
        _independence_test(f"rows {where}", _row_pairs(noise), ideal),
        _independence_test(f"halves {where}", _half_pairs(noise), ideal),
        _independence_test(f"calls {where}", np.stack([noise, again]), ideal),
    ]
    if noise.shape[1] > 1:
        tests.append(_independence_test(f"coordinates {where}", _coordinate_pairs(noise), ideal))
    return tests


def _scaled(
    law: NoiseLaw, generator: np.random.Generator, shape: tuple[int, ...]
) -> tuple[tuple[str, FloatArray], ...]:
    """Return the controls of a scale: noise of the law too large and too small by `OFF`."""
    ideal = law.draw(generator, shape)
    return (
        (f"noise {OFF:.0%} too large", law.as_gaussian(ideal * (1 + OFF))),
        (f"noise {OFF:.0%} too small", law.as_gaussian(ideal * (1 - OFF))),
    )


def _independence_test(name: str, pairs: FloatArray, ideal: FloatArray) -> _Test:
    # Variance 1 again: the control differs from good noise in the correlation alone.
    """Return a test of pairs, with pairs of correlation `OFF` as its control."""
    mixed = OFF * ideal[0] + math.sqrt(1 - OFF * OFF) * ideal[1]
    return _Test(name, _pairs_are_independent, pairs, ((f"a correlation of {OFF}", np.stack([ideal[0], mixed])),))


def _row_pairs(noise: FloatArray) -> FloatArray:
    """Return each even row with the next one, shape (2, n // 2, d): a generator that is used twice shows between
    neighbours.
    """
    even = noise.shape[0] // 2 * 2
    return np.stack([noise[0:even:2], noise[1:even:2]])


def _half_pairs(noise: FloatArray) -> FloatArray:
    """Return the first half of the rows with the second, shape (2, n // 2, d): noise that repeats within a batch
    shows here.
    """
    half = noise.shape[0] // 2
    return np.stack([noise[:half], noise[half : 2 * half]])


def _coordinate_pairs(noise: FloatArray) -> FloatArray:
    """Return disjoint pairs of coordinates: (0, 1), (2, 3), ...; then the sums over pairs stay independent."""
    even = noise.shape[1] // 2 * 2
    return np.stack([noise[:, 0:even:2], noise[:, 1:even:2]])


def _mean_is_zero(noise: FloatArray, false_alarm: float) -> _Finding:
    """Reject where the squared norm of the mean is in the tail of its law.

    `n |mean|^2` is chi-square with d degrees of freedom; the limit is its quantile in floats. The error of SciPy's
    inverse is far below what changes a decision at these rates, and is not bounded.
    """
    count, dimension = noise.shape
    statistic = count * float(np.square(noise.mean(axis=0)).sum())
    limit = 2 * float(special.gammainccinv(dimension / 2, false_alarm))
    # Written with `not`, so that NaN rejects.
    return _Finding(not statistic <= limit, f"chi-square {statistic:.4g} of the means, at most {limit:.4g} allowed")


def _variance_is_one(noise: FloatArray, false_alarm: float) -> _Finding:
    """Reject where the exact interval of some coordinate's variance misses 1; each coordinate gets its share of the
    rate.
    """
    count, dimension = noise.shape
    squares = np.square(noise).sum(axis=0)
    # Coordinate by coordinate: a fault in one of them would drown in the sum over many.
    intervals = [gaussian_variance_interval(float(s), count, false_alarm / dimension) for s in squares]
    lower, upper = max(i.lower for i in intervals), min(i.upper for i in intervals)
    outside = [i for i, interval in enumerate(intervals) if not interval.contains(1.0)]
    detail = f"variance over claim in [{lower:.4g}, {upper:.4g}] in every coordinate"
    if outside:
        worst = intervals[outside[0]]
        detail = f"coordinate {outside[0]}: variance over claim is in [{worst.lower:.4g}, {worst.upper:.4g}]"
    return _Finding(bool(outside), detail)


def _law_is_gaussian(noise: FloatArray, false_alarm: float) -> _Finding:
    """Reject where the empirical distribution function of all entries is off by more than chance allows.

    The distance is the largest on either side of a step, which is where an empirical function is farthest away. The
    margin is that of Massart, valid at every sample size.
    """
    draws = np.sort(noise, axis=None)
    # Its error is a few roundings, and the margin of a sample is millions of times as wide.
    cdf = special.ndtr(draws)
    steps = np.arange(draws.size + 1) / draws.size
    distance = float(max(np.abs(cdf - steps[1:]).max(), np.abs(cdf - steps[:-1]).max()))
    margin = empirical_cdf_margin(draws.size, false_alarm)
    return _Finding(
        not distance <= margin, f"distribution function off by {distance:.4g}, at most {margin:.4g} allowed"
    )


def _pairs_are_independent(pairs: FloatArray, false_alarm: float) -> _Finding:
    """Test two arrays of standard noise: their sum and their difference have variance 2, unless they correlate.

    It sees correlation, which is dependence between Gaussians; other dependence of rows that keeps the law it does not
    see.
    """
    # Equally dependent either way: positive correlation widens the sum, negative the difference. Each gets half of the
    # rate.
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
    law: NoiseLaw,
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
            noise = _standard_noise(mechanism, vector, claimed, law, generator, samples)
            tests.append(_Test(name, _variance_is_one, noise, _scaled(law, generator, noise.shape)))
    return tests


def _rotated(vector: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Return the image of `vector` under a random reflection (an orthogonal map); a scalar changes its sign.

    Reflections reach every vector of the same norm, and cost d operations where a rotation matrix takes d^2.
    """
    if vector.ndim == 0:
        return np.asarray(-vector)
    normal = generator.standard_normal(vector.shape)
    normal /= np.linalg.norm(normal)
    return np.asarray(vector - 2 * float(normal @ vector) * normal, dtype=np.float64)
