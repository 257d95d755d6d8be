"""Auditing: how private a mechanism is at most, from its outputs alone, with exact confidence at every sample size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rgm_verify.accounting.auditing.control import control_samplers
from rgm_verify.accounting.auditing.events import Event, Samples, Score, choose_events, fit_scores
from rgm_verify.accounting.auditing.samples import Sampler, draw, sampler
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.balls.statistics.quantiles import normal_above
from rgm_verify.errors import InputError, reject, takes
from rgm_verify.numbers.bounds import round_down
from rgm_verify.numbers.exact import ExactInput, NumberInput, nonnegative, positive, positive_integer
from rgm_verify.numbers.sampling import Inconclusive, Interval, false_alarm_rate, require_generator
from rgm_verify.numbers.shown import Framed, Rows, Shown, of_fields

FloatArray: TypeAlias = NDArray[np.float64]
Outcome: TypeAlias = Literal["consistent", "rejected", "inconclusive"]

ScoreInput: TypeAlias = Callable[[FloatArray], FloatArray]
"""A number for each row of an array of outputs `(n, m)`, which must depend on that row only."""

_FEWEST = 16
_LARGEST_EPSILON = 10**6


# --------------------------------------------------------------------------------------- what is found


@dataclass(frozen=True)
class Finding(Shown):
    """One event `A` and how often it held in fresh outputs: `P` is the law at the first input, `Q` at the other.

    Attributes:
        event: the event in words.
        order: the input that is `P`.
        hits_first: how often it held under `P`.
        hits_second: how often under `Q`.
        trials: fresh outputs under each.
        epsilon_lower: a lower bound on `log((P(A) - delta) / Q(A))`, and 0 where there is no positive one.
    """

    event: str
    order: Literal["x over y", "y over x"]
    hits_first: int
    hits_second: int
    trials: int
    epsilon_lower: float


@dataclass(frozen=True)
class Audit(Framed):
    """The pair of inputs allows no `epsilon` below `epsilon_lower` at `delta`; wrong with probability `false_alarm`.

    `findings` are the two orders of the pair; `epsilon_lower` is the larger of their bounds.
    """

    epsilon_lower: float
    delta: Fraction
    false_alarm: float
    findings: tuple[Finding, ...]

    def rows(self) -> Rows:
        """A row for each order of the pair."""
        return [of_fields(finding) for finding in self.findings]

    @property
    def best(self) -> Finding:
        """The finding that gives `epsilon_lower`."""
        return max(self.findings, key=lambda finding: finding.epsilon_lower)


@dataclass(frozen=True)
class ClaimCheck(Shown):
    """The answer of outputs to claims `(epsilon, delta)`: `bool()` raises, since there are three outcomes.

    `rejected`: some claim is false; a mechanism for which all are true meets this with probability `false_alarm` at
    most. `consistent`: nothing was found, and an audit of the same size rejects the control. `inconclusive`: nothing
    was found, and nothing would have been.
    """

    outcome: Outcome
    detail: str
    claims: tuple[tuple[Fraction, Fraction], ...]
    audits: tuple[Audit, ...]
    false_alarm: float
    control: str
    control_rejected: bool | None

    def __bool__(self) -> NoReturn:
        raise TypeError("the check of a claim has three outcomes; compare check.outcome with 'rejected'")


# ---------------------------------------------------------------------------------------------- audit


def audit(
    sampler_x: Sampler,
    sampler_y: Sampler,
    *,
    delta: ExactInput,
    generator: np.random.Generator,
    samples: int = 100_000,
    false_alarm: float = 1e-9,
    score: ScoreInput | None = None,
) -> Audit | Inconclusive:
    """Return a lower bound on the `epsilon` that two neighbouring inputs allow at `delta`, from their outputs.

    `sampler_x(generator, n)` and `sampler_y` return `n` independent outputs along the first axis;
    `samples.sampler` makes them of a mechanism and an input. `samples` outputs are drawn
    at each input. A part chooses an event for each order of the inputs (`score`, or the best of
    `events.fit_scores`; then a threshold), the other half estimates its two probabilities.

    Formal Guarantees:
        * If the two laws are (epsilon, delta)-indistinguishable, `epsilon_lower > epsilon` has probability
          `false_alarm` at most, at every sample size: four ends of Clopper-Pearson intervals with a quarter each, on
          outputs that had no part in the choice. The logarithm is enclosed and rounded down.
        * It presumes that outputs are independent of each other. A mechanism that violates this by fixed random
          numbers is no mechanism at all, and its repetitions are found as such.

    Edge cases:
        * `delta = 0` is allowed: pure differential privacy.
        * `Inconclusive` where `samples` are so few that even laws that never overlap would not be told apart.
        * `InputError` for `delta` outside [0, 1), outputs of different shapes, NaN and infinities, and a score that is
          not one number for each output.

    What this does not protect against: the bound is about this pair of inputs and the events that were looked at. A
    small bound is no evidence of privacy.
    """
    level, rate = _allowed(delta), false_alarm_rate(false_alarm)
    count, source = (
        positive_integer(samples, name="samples", meaning="the number of samples"),
        require_generator(generator),
    )
    tests = _Drawn.of(sampler_x, sampler_y, count, source, score) if _decidable(count, level, rate) else None
    if tests is None:
        return Inconclusive(
            f"{count} samples cannot show anything at delta={float(level):.6g}, false_alarm={rate}: take more"
        )
    return tests.judge(level, rate)


@dataclass(frozen=True)
class _Drawn:
    """Outputs in parts that were drawn one after the other, and the scores fitted to the first of them."""

    scores: tuple[Score, ...]
    choice: Samples
    test: Samples

    @classmethod
    def of(
        cls, x: Sampler, y: Sampler, samples: int, generator: np.random.Generator, score: ScoreInput | None
    ) -> _Drawn:
        """Draw a quarter of the outputs for the scores, a quarter for the events, and half for the test.

        A given score leaves out the first part. Raises `InputError` for outputs of different lengths.
        """
        # The test gets half: its counts decide how tight the bound is.
        # A quarter each for fitting and for choosing: what is chosen on outputs must not be tested on them.
        sizes = samples // 4, samples // 4, samples - 2 * (samples // 4)
        parts = [_draw_both(x, y, size, generator) for size in (sizes if score is None else sizes[1:])]
        if len({rows.shape[1] for part in parts for rows in part}) > 1:
            raise InputError(f"outputs of {parts[0].x.shape[1]} and {parts[0].y.shape[1]} numbers: all must be equal")
        scores = fit_scores(parts[0]) if score is None else [Score("the given score", _checked(score))]
        return cls(tuple(scores), parts[-2], parts[-1])

    def judge(self, delta: Fraction, false_alarm: float) -> Audit:
        """Choose an event for each order on one part, and bound it on the part that was kept for that.

        Each order gets half of `false_alarm`, so that the larger of both bounds errs with `false_alarm` at most.
        """
        trials = len(self.test.x)
        # Two orders with two probabilities each: four ends share the rate.
        quantile = normal_above(false_alarm / 4)
        forward, backward = choose_events(self.scores, self.choice, float(delta), trials, quantile)
        findings = (
            bound_event(forward, self.test.x, self.test.y, delta, false_alarm / 2, order="x over y"),
            bound_event(backward, self.test.y, self.test.x, delta, false_alarm / 2, order="y over x"),
        )
        return Audit(max(f.epsilon_lower for f in findings), delta, false_alarm, findings)


def _draw_both(x: Sampler, y: Sampler, size: int, generator: np.random.Generator) -> Samples:
    """Return outputs at both inputs, drawn one after the other."""
    return Samples(draw(x, generator, size, name="outputs at x"), draw(y, generator, size, name="outputs at y"))


def _checked(score: ScoreInput) -> ScoreInput:
    """Return the score with a check of its answers: `InputError` unless each output gets one number, not NaN."""

    def values(rows: FloatArray) -> FloatArray:
        found = np.asarray(score(rows), dtype=np.float64)
        if found.shape != rows.shape[:1] or np.isnan(found).any():
            raise reject("score", f"values of shape {found.shape}", f"expected {len(rows)} numbers, one an output")
        return found

    return values


def _allowed(delta: ExactInput) -> Fraction:
    """Return a delta in [0, 1)."""
    level = nonnegative(delta, name="delta", meaning="a probability")
    if level >= 1:
        raise reject("delta", delta, "must be < 1")
    return level


def _decidable(samples: int, delta: Fraction, false_alarm: float) -> bool:
    """Return whether outputs of laws that never overlap would show a positive bound; fewer show nothing."""
    trials = samples - 2 * (samples // 4)
    return samples >= _FEWEST and _epsilon_lower(trials, 0, trials, delta, false_alarm / 2) > 0


# ---------------------------------------------------------------------------------------------- bound


@takes(event=Event)
def bound_event(
    event: Event,
    first: FloatArray,
    second: FloatArray,
    delta: Fraction,
    false_alarm: float,
    *,
    order: Literal["x over y", "y over x"],
) -> Finding:
    """Return the lower bound that one event gives, rounded down, in nats.

    `first` and `second` have a row for each output, under the two inputs in the order `order`. The confidence `1 -
    false_alarm` is exact for an event that was chosen without these outputs, at every number of them; an event chosen
    on them makes it void.
    """
    hits, misses, trials = event.count(first), event.count(second), len(first)
    return Finding(str(event), order, hits, misses, trials, _epsilon_lower(hits, misses, trials, delta, false_alarm))


def _epsilon_lower(hits: int, misses: int, trials: int, delta: Fraction, false_alarm: float) -> float:
    """Return a lower bound on `log((P - delta)/Q)`, rounded down, 0 where there is no positive one.

    Each end of a Clopper-Pearson interval errs with half of its false-alarm rate, so both together with all of it.
    """
    # Of each two-sided interval one end is used: P from below, Q from above, and together they cost the one false
    # alarm.
    first, second = (clopper_pearson(count, trials, false_alarm) for count in (hits, misses))
    if not isinstance(first, Interval) or not isinstance(second, Interval):
        return 0.0
    # In rationals up to the logarithm: a difference of floats near delta could round a ratio over 1.
    ratio = (Fraction(first.lower) - delta) / Fraction(second.upper)
    return _log_rounded_down(ratio) if ratio > 1 else 0.0


def _log_rounded_down(ratio: Fraction) -> float:
    """Return a lower bound of the logarithm as a float, at least 0: an audit must not gain by rounding."""
    with precision(96):
        lower, _ = rational_ends(ball(ratio).log())
    return 0.0 if lower is None else max(0.0, round_down(lower))


# ---------------------------------------------------------------------------------------------- claims


def check_claims(
    sampler_x: Sampler,
    sampler_y: Sampler,
    claims: Sequence[tuple[NumberInput, ExactInput]],
    *,
    generator: np.random.Generator,
    samples: int = 100_000,
    false_alarm: float = 1e-9,
    score: ScoreInput | None = None,
    control: ExactInput = 2,
) -> ClaimCheck:
    """Return what outputs at two neighbouring inputs say about claims `(epsilon, delta)`.

    All claims are judged on the same outputs, each with its share of `false_alarm`; the shares add up. Power: nothing
    found counts as `consistent` only if an audit of the same size rejects, for each claim, Gaussian noise (Laplace
    where `delta = 0`) in the same dimension that meets the claim exactly at a sensitivity `control` times smaller than
    it has. With `epsilon = delta = 0` there is none, so such a claim is never `consistent`.

    Args:
        sampler_x: `sampler(generator, n)` returns `n` independent outputs at the one input.
        sampler_y: the same at its neighbour.
        claims: pairs; a float for an `epsilon` is the binary number that it is, as the accountants return them.
        generator: the source of all chance.
        samples: outputs drawn at each input.
        false_alarm: the probability with which true claims may be rejected.
        score: a number for each output; chosen from the fitted ones unless given.
        control: by how much the control violates a claim, > 1.

    Raises:
        InputError: as `audit`, for no claims, `epsilon` outside [0, 10^6] and `control <= 1`.
    """
    wanted, rate, source = _claims(claims), false_alarm_rate(false_alarm), require_generator(generator)
    factor = positive(control, name="control", meaning="the sensitivity of the control")
    if factor <= 1:
        raise reject("control", control, "must be > 1: the control has to violate the claim")
    count = positive_integer(samples, name="samples", meaning="the number of samples")
    # Rounded down, so that the shares add up to no more than the rate.
    share = math.nextafter(rate / len(wanted), 0)
    what = f"noise for a sensitivity {factor} times smaller than it is"
    # Before anything is drawn: outputs may be expensive.
    few = [delta for _, delta in wanted if not _decidable(count, delta, share)]
    if few:
        reason = f"{count} samples cannot show anything at delta={float(few[0]):.6g}, false_alarm={share}: take more"
        return ClaimCheck("inconclusive", reason, wanted, (), rate, what, None)
    drawn = _Drawn.of(sampler_x, sampler_y, count, source, score)
    # The same outputs answer all claims: the shares of the false alarm add up, whatever depends on what.
    audits = tuple(drawn.judge(delta, share) for _, delta in wanted)
    broken = [i for i, (epsilon, _) in enumerate(wanted) if audits[i].epsilon_lower > epsilon]
    if broken:
        return ClaimCheck("rejected", _told(wanted[broken[0]], audits[broken[0]]), wanted, audits, rate, what, None)
    dimension = drawn.test.x.shape[1]
    # A claim is only called consistent where an audit of this size finds a false one: silence proves nothing else.
    survived = [c for c in wanted if not _control_rejected(c, dimension, count, share, source, float(factor))]
    if survived:
        reason = f"{count} samples are too few to reject {what} at {_shown(survived[0])}: take more, or a larger delta"
        return ClaimCheck("inconclusive", reason, wanted, audits, rate, what, False)
    detail = "; ".join(
        f"{_shown(c)}: found epsilon >= {a.epsilon_lower:.6g}" for c, a in zip(wanted, audits, strict=True)
    )
    return ClaimCheck("consistent", detail, wanted, audits, rate, what, True)


def _claims(claims: Sequence[tuple[NumberInput, ExactInput]]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return exact claims; `InputError` for none and for an epsilon beyond what floats tell apart."""
    wanted = tuple((nonnegative(e, name="epsilon", floats="binary"), _allowed(d)) for e, d in claims)
    if not wanted:
        raise InputError("claims: expected at least one pair (epsilon, delta)")
    largest = max(epsilon for epsilon, _ in wanted)
    if largest > _LARGEST_EPSILON:
        raise reject("epsilon", float(min(largest, Fraction(10**300))), f"must be at most {_LARGEST_EPSILON}")
    return wanted


def check_claim(
    mechanism: Any, x: Any, y: Any, *, epsilon: NumberInput, delta: ExactInput, **options: Any
) -> ClaimCheck:
    """Return what outputs of `mechanism` at the neighbouring inputs `x`, `y` say about one claim.

    `mechanism` is what `samples.sampler` takes: an object with `release(value, generator)`, or a callable
    `(value, generator)` with or without `size`. `options` are those of `check_claims`: `generator`, and others.
    """
    return check_claims(sampler(mechanism, x), sampler(mechanism, y), [(epsilon, delta)], **options)


def _shown(claim: tuple[Fraction, Fraction]) -> str:
    """Return a claim as a message shows it."""
    return f"epsilon={float(claim[0]):.6g} at delta={float(claim[1]):.6g}"


def _told(claim: tuple[Fraction, Fraction], found: Audit) -> str:
    """Return why a claim is false: the event, and how often it held."""
    best = found.best
    return (
        f"{_shown(claim)} is false: epsilon >= {best.epsilon_lower:.6g} ({best.order}), since '{best.event}' held in "
        f"{best.hits_first} against {best.hits_second} of {best.trials} outputs"
    )


def _control_rejected(
    claim: tuple[Fraction, Fraction],
    dimension: int,
    samples: int,
    false_alarm: float,
    generator: np.random.Generator,
    factor: float,
) -> bool:
    """Return whether an audit of the same size finds the control; it has outputs and events of its own."""
    epsilon, delta = claim
    x, y = control_samplers(epsilon, delta, dimension, factor)
    return _Drawn.of(x, y, samples, generator, None).judge(delta, false_alarm).epsilon_lower > epsilon
