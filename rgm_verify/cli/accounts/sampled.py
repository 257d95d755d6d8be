"""Questions of the commands about DP-SGD, checked before anything heavy is imported, and the answers to them.

Epsilon and delta come as intervals that are refined until they are as narrow as asked for, or the time is over; then
the interval that was reached is the answer, and a note says that it is wider.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rgm_verify import __version__
from rgm_verify.accounting.subsampled.mechanism import FIXED, SampledGaussian, rate_and_steps, sampled_gaussian
from rgm_verify.cli.accounts.answers import End, SampledAccount, SampledCalibrated, exact_inputs
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.counted import counted
from rgm_verify.numbers.decimals import exact_text, interval
from rgm_verify.numbers.exact import nonnegative, positive

_PATIENCE = 2.0  # seconds without a word
_DIGITS = 6


@dataclass(frozen=True)
class Training:
    """Sampling rates and steps of a run, said in one of two ways each; all are texts of the options.

    Attributes:
        sampling_rate: Shares of the records in a batch.
        steps: Numbers of steps, one for each segment of the run.
        dataset_size: In place of the rate, with `batch_size`.
        batch_size: The same.
        epochs: In place of the steps.
    """

    sampling_rate: Sequence[str]
    steps: Sequence[str]
    dataset_size: str | None
    batch_size: str | None
    epochs: str | None

    @classmethod
    def taken(cls, inputs: dict[str, Any]) -> Training:
        """Return what the options of a command say, and take it out of them."""
        return cls(*(inputs.pop(name) for name in ("sampling_rate", "steps", "dataset_size", "batch_size", "epochs")))

    def numbers(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return rates and steps, each empty where it is not said; `InputError` where one is said twice or in half."""
        if (self.dataset_size is None) != (self.batch_size is None):
            missing = "dataset-size" if self.dataset_size is None else "batch-size"
            raise InputError(f"--{missing}: missing; --dataset-size and --batch-size go together")
        if self.epochs is not None and self.steps:
            raise InputError("--epochs: give either --epochs or --steps")
        if self.dataset_size is None or self.batch_size is None:
            if self.epochs is not None:
                raise InputError("--epochs: needs --dataset-size and --batch-size")
            return self.sampling_rate, self.steps
        if self.sampling_rate:
            raise InputError("--sampling-rate: give either --sampling-rate or --dataset-size and --batch-size")
        rate, steps = rate_and_steps(self.dataset_size, self.batch_size, self.epochs)
        return [exact_text(rate)], self.steps if steps is None else [str(steps)]

    def notes(self) -> list[str]:
        """Return what the numbers are that were not said as such."""
        if self.dataset_size is None:
            return []
        (rate, *_), (steps, *_) = self.numbers()
        told = f"the sampling rate is {rate}"
        if self.epochs is None:
            return [told]
        return [f"{told}, and {counted(int(steps), 'step')}: each epoch is rounded up to whole batches"]

    def single(self) -> tuple[str | None, str | None]:
        """Return the rate and the steps of a run of one segment, None where it is not said."""
        rates, steps = self.numbers()
        for name, given in (("sampling-rate", rates), ("steps", steps)):
            if len(given) > 1:
                raise InputError(f"--{name}: given {len(given)} times; give it once")
        return rates[0] if rates else None, steps[0] if steps else None


@dataclass(frozen=True)
class SampledQuestion:
    """Epsilon at a `delta`, or delta at an `epsilon`, of a run of DP-SGD; one of the two is None.

    Attributes:
        run: Sampler, neighbours, and segments of steps with their noise and rate.
        delta: In (0, 1), exact.
        epsilon: In nats, at least 0, exact.
        width: The relative width of the interval to reach.
        time_limit: Seconds, None for no limit.
        said: What is to be said of the numbers of the run.
    """

    run: SampledGaussian
    delta: Fraction | None
    epsilon: Fraction | None
    width: Fraction
    time_limit: Fraction | None
    said: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        *,
        training: Training,
        noise_multiplier: Sequence[str],
        sampler: str | None,
        adjacency: str | None,
        delta: str | None,
        epsilon: str | None,
        width: str,
        time_limit: str | None,
    ) -> SampledQuestion:
        """Return the question, or raise the `InputError` that says what is wrong with it.

        Noise is a sequence of texts, one for each segment of the run; noise and rate may be given once for all
        segments. Names are those of the options.
        """
        sampling_rate, steps = training.numbers()
        if not noise_multiplier:
            raise InputError(
                "--noise-multiplier: missing; `rgm-verify calibrate dp-sgd` finds the least one for a target"
            )
        if not sampling_rate:
            raise InputError("--sampling-rate: missing; or give --dataset-size and --batch-size")
        if not steps:
            raise InputError("--steps: missing; or give --epochs, with --dataset-size and --batch-size")
        if (delta is None) == (epsilon is None):
            given = "both were" if delta is not None else "none was"
            raise InputError(f"give --delta to get epsilon or --epsilon to get delta, one of the two ({given} given)")
        segments = zip(
            _as_often(sampling_rate, steps, "sampling-rate"),
            _as_often(noise_multiplier, steps, "noise-multiplier"),
            steps,
            strict=True,
        )
        run = sampled_gaussian(segments, sampler=sampler, adjacency=adjacency)
        return cls(
            run,
            None if delta is None else below_one(delta),
            None if epsilon is None else nonnegative(epsilon, name="epsilon", meaning="the privacy parameter"),
            positive(width, name="width", meaning="the relative width"),
            None if time_limit is None else positive(time_limit, name="time_limit", meaning="the limit in seconds"),
            tuple(training.notes()),
        )

    def answer(self, say: Callable[[str], None]) -> SampledAccount:
        """Compute the answer; after two seconds `say` is told each interval that is reached.

        Each of these intervals is certified already.
        """
        from rgm_verify.accounting.subsampled import account

        name = "epsilon" if self.delta is not None else "delta"

        def progress(bounds: Bounds, seconds: float) -> None:
            # The last interval is the answer and is printed as such.
            if seconds > _PATIENCE and bounds.relative_width > self.width:
                say(f"after {seconds:.0f} s: {name} = {interval(bounds.lower, bounds.upper, digits=_DIGITS)}")

        if self.delta is not None:
            found = account.epsilon(
                self.run, self.delta, width=self.width, time_limit=self.time_limit, progress=progress
            )
        else:
            found = account.delta(
                self.run, self.epsilon or 0, width=self.width, time_limit=self.time_limit, progress=progress
            )
        end = End.of(found)
        return SampledAccount(
            rgm_verify=__version__,
            inputs=self.inputs(),
            sampler=self.run.sampler,
            adjacency=self.run.adjacency,
            epsilon=end if name == "epsilon" else None,
            delta=end if name == "delta" else None,
            notes=self.notes(found),
        )

    def inputs(self) -> dict[str, str]:
        """Return every input as an exact text.

        Those of several segments are numbered from 0, as `segments[0].steps`; with one segment they have their plain
        names.
        """
        segments = self.run.segments
        values: dict[str, Fraction | int | None] = {}
        for number, segment in enumerate(segments):
            # Numbered only where there are several: the usual run reads as its options.
            place = f"segments[{number}]." if len(segments) > 1 else ""
            values[f"{place}noise_multiplier"] = segment.noise_multiplier
            values[f"{place}sampling_rate"] = segment.rate
            values[f"{place}steps"] = segment.steps
        asked = {"delta": self.delta, "epsilon": self.epsilon, "width": self.width, "time_limit": self.time_limit}
        return exact_inputs({**values, **asked})

    def notes(self, found: Bounds) -> list[str]:
        """Return what a reader should know about the interval.

        Args:
            found: The interval.
        """
        notes = list(self.said)
        # A closed form is of the worst pair itself.
        if self.run.sampler == FIXED and found.lower_method != found.upper_method:
            notes.append("the lower end is what one pair of data sets needs; the truth may lie anywhere between")
        # The time was over, or no finer grid narrows it: the interval is certified all the same.
        if found.relative_width > self.width:
            notes.append(f"the width {exact_text(self.width)} was not reached")
        return notes


def _as_often(given: Sequence[str], steps: Sequence[str], name: str) -> Sequence[str]:
    """Return one value for each segment: those given, or the one given for all.

    Args:
        given: Values of an option, in the order of the command line.
        steps: The steps of the segments, one for each.
        name: The option, for the message.

    Examples:
        >>> _as_often(["1/100"], ["500", "500"], "sampling-rate")
        ['1/100', '1/100']
    """
    # Neither once nor for each: which segment goes without is not to be guessed.
    if len(given) not in (1, len(steps)):
        raise InputError(
            f"--{name}: given {counted(len(given), 'time')} and --steps {counted(len(steps), 'time')}; "
            "give it once, or as often"
        )
    return list(given) * len(steps) if len(given) == 1 else given


def calibrated(
    *,
    epsilon: str,
    delta: str,
    sampling_rate: str,
    steps: str,
    sampler: str,
    adjacency: str | None,
    tolerance: str,
) -> SampledCalibrated:
    """Return the least noise multiplier as the answer of the command; `InputError` says what is wrong.

    All arguments are the texts of the options. The multiplier is on the safe side: it certainly reaches the target.
    """
    # With any noise: what is wrong with the rest is said before the accountant is loaded.
    sampled_gaussian([(sampling_rate, 1, steps)], sampler=sampler, adjacency=adjacency)
    positive(epsilon, name="epsilon", meaning="the privacy parameter")
    below_one(delta)
    from rgm_verify.accounting.subsampled.calibration import calibrate_noise

    found = calibrate_noise(
        epsilon, delta, rate=sampling_rate, steps=steps, sampler=sampler, adjacency=adjacency, tolerance=tolerance
    )
    segment = found.run.segments[0]
    inputs: dict[str, Fraction | int | None] = {
        "epsilon": Fraction(epsilon),
        "delta": Fraction(delta),
        "sampling_rate": segment.rate,
        "steps": segment.steps,
        "tolerance": Fraction(tolerance),
    }
    return SampledCalibrated(
        rgm_verify=__version__,
        inputs=exact_inputs(inputs),
        sampler=found.run.sampler,
        adjacency=found.run.adjacency,
        noise_multiplier=exact_text(found.noise_multiplier),
        fails=exact_text(found.fails),
        delta=End.of(found.delta),
        evaluations=found.evaluations,
    )


def below_one(delta: str, *, pure: bool = False) -> Fraction:
    """Return `delta` as an exact number in (0, 1), or 0 where `pure` privacy is possible; else raise `InputError`.

    Examples:
        >>> below_one("1e-6")
        Fraction(1, 1000000)
        >>> below_one("1")
        Traceback (most recent call last):
        rgm_verify.errors.InputError: delta='1': must be < 1; every mechanism is (0, 1) private
    """
    number = (nonnegative if pure else positive)(delta, name="delta", meaning="a probability")
    if number >= 1:
        raise reject("delta", delta, "must be < 1; every mechanism is (0, 1) private")
    return number
