"""Questions about accountants, and their certified truths.

    python -m benchmarks.accountants.questions

computes what is missing, a run at a time, and writes all of it.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import flint
import msgspec

from derivations.chapters.accountants_data import BETA, DELTA, EPSILON, TRUTHS, Run, lines
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import Plan, plan
from rgm_verify.accounting.plans.releases import PlannedRelease, release_of
from rgm_verify.jobs.files import write_atomically
from rgm_verify.numbers.bounds import Bounds, round_down, round_up

DELTAS = (1e-2, 1e-3, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12, 1e-15)
COMPOSED = (10, 100, 1_000, 10_000, 100_000)
SINGLE = (0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 20.0, 50.0, 100.0)
#: Distances of the composed Gaussians, in deviations.
DISTANCES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0)
#: Known to be hard for transforms without an error term.
HARD = ((100.0, 10_000), (30.0, 10_000), (1.0, 100))
#: Where delta is asked for, in deviations of the loss above its mean.
ABOVE_MEAN = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.5)
RATES = (0.5, 0.1, 0.01, 1e-3, 1e-4)
NOISES = (0.6, 0.8, 1.0, 1.5, 2.0, 5.0)
#: About the deviation of the loss of a sampled run: below it nothing is seen, above it nothing is private.
SPREAD = (0.02, 8.0)
LAPLACE = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0)
LAPLACE_COMPOSED = ((10, 2.0), (10, 10.0), (100, 5.0), (100, 20.0), (1_000, 20.0), (1_000, 100.0), (10_000, 200.0))
RELATIVE = ((0.01, 1 / 400, 22), (0.01, 0.01, 100), (0.1, 0.5, 1))
RELATIVE_STEPS = (1, 10)
PARTIAL = Path(__file__).resolve().parents[2] / ".grade" / "truths.jsonl"
WIDTH = Fraction(1, 10_000)
#: Long sampled runs and composed Laplace noise are costly, and what is found there is far above this.
LONG, WIDTH_OF_COSTLY = 10_000, Fraction(1, 1_000)
LONGEST, FEWER = 100_000, (1e-3, 1e-6, 1e-10, 1e-12)
LIMIT = 2
PRECISION = 256
ARB = "Gaussian tails by Arb"
RATES_OF_ALARMS = (0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12)
#: A truth whose own interval is wider grades nobody.
WIDEST = 0.02


def questions() -> list[Run]:
    """Return all runs without their truths, none twice."""
    return list(dict.fromkeys(_questions()))


def _questions() -> Iterator[Run]:
    """Yield all runs, some of them twice."""
    yield from (Run("gaussian", noise, 1, EPSILON, DELTAS) for noise in SINGLE)
    composed = [(three_digits(math.sqrt(steps) / mu), steps) for steps in COMPOSED for mu in DISTANCES]
    yield from (Run("gaussian", noise, steps, EPSILON, DELTAS) for noise, steps in (*HARD, *composed))
    yield from (deltas(*each) for each in ((1.0, 1), (5.0, 1), *HARD, *composed[::3]))
    yield from (Run("sampled", noise, 1, EPSILON, DELTAS, rate=rate) for rate in RATES for noise in NOISES)
    for steps in COMPOSED:
        for rate in RATES:
            for noise in NOISES:
                if SPREAD[0] <= rate * math.sqrt(steps * math.expm1(noise**-2)) <= SPREAD[1]:
                    if steps < LONGEST:
                        yield Run("sampled", noise, steps, EPSILON, DELTAS, rate=rate)
                    elif noise in NOISES[::2]:
                        yield Run("sampled", noise, steps, EPSILON, FEWER, rate=rate)
    yield from (Run("laplace", scale, 1, EPSILON, DELTAS) for scale in LAPLACE)
    yield from (Run("laplace", scale, steps, EPSILON, DELTAS) for steps, scale in LAPLACE_COMPOSED)
    for steps in RELATIVE_STEPS:
        for eta, gamma, dimension in RELATIVE:
            yield Run("rgm", gamma, steps, EPSILON, DELTAS if steps == 1 else FEWER, eta=eta, dimension=dimension)
    for rate, noise, steps in (
        (0.01, 1.0, 1_000),
        (0.1, 2.0, 100),
        (0.5, 5.0, 100),
        (0.01, 2.0, 10_000),
        (1e-3, 0.8, 1_000),
    ):
        yield Run("sampled", noise, steps, DELTA, (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0), rate=rate)
    for noise, steps in ((1.0, 1), (0.5, 1), (5.0, 1), (1.0, 100), (10.0, 100), (30.0, 10_000), (100.0, 10_000)):
        yield Run("gaussian", noise, steps, BETA, RATES_OF_ALARMS)
    yield from (deltas(*each) for each in (*composed[1::3], *composed[2::3]))


def deltas(noise: float, steps: int) -> Run:
    """Return a run of Gaussians of which delta is asked at several epsilons."""
    mu = math.sqrt(steps) / noise
    return Run("gaussian", noise, steps, DELTA, (0.0, *(mu * mu / 2 + k * mu for k in ABOVE_MEAN)))


def three_digits(value: float) -> float:
    """Return a number with three digits."""
    return float(f"{value:.3g}")


def release(run: Run) -> PlannedRelease:
    """Return a run for our own account; every float is taken exactly."""
    noise, rate = Fraction(run.noise), Fraction(run.rate)
    match run.kind:
        case "gaussian":
            return release_of("gaussian", {"noise_multiplier": noise, "count": run.steps})
        case "laplace":
            return release_of("laplace", {"scale": noise, "count": run.steps})
        case "sampled":
            return release_of(
                "dp-sgd", {"noise_multiplier": noise, "sampling_rate": rate, "count": run.steps, "sampler": "poisson"}
            )
        case _:
            fields = {"eta": Fraction(run.eta), "gamma": noise, "d": run.dimension, "count": run.steps}
            return release_of("rgm", fields)


@dataclass(frozen=True)
class Truth:
    """Truths of a run, where the interval is narrow enough and its upper end above 0, and how long they took."""

    run: Run
    seconds: float


def answer(run: Run) -> Truth:
    """Return the run with certified ends at each question."""
    started = time.process_time()
    planned = plan([release(run)])
    kept = [(at, found) for at in run.at if tells(found := interval(run, planned, Fraction(at)))]
    ends = {"at": tuple(at for at, _ in kept)}
    ends["lower"], ends["upper"] = tuple(b.lower for _, b in kept), tuple(b.upper for _, b in kept)
    return Truth(msgspec.structs.replace(run, **ends), time.process_time() - started)


def interval(run: Run, planned: Plan, at: Fraction) -> Bounds:
    """Return certified bounds of what is asked."""
    if run.asks == BETA:
        return misses(Fraction(run.steps) / Fraction(run.noise) ** 2, at)
    costly = run.steps >= {"sampled": LONG, "laplace": 2}.get(run.kind, math.inf)
    width = WIDTH_OF_COSTLY if costly else WIDTH
    if run.asks == EPSILON:
        return epsilon(planned, at, width=width, time_limit=LIMIT)
    return delta(planned, at, width=width, time_limit=LIMIT)


def misses(distance_squared: Fraction, alarms: Fraction) -> Bounds:
    """Return bounds on the least rate of misses between Gaussians at a rate of false alarms, by Arb."""

    def ball(value: Fraction) -> flint.arb:
        return flint.arb(flint.fmpq(value.numerator, value.denominator))

    def tail(z: flint.arb) -> flint.arb:
        return (z / flint.arb(2).sqrt()).erfc() / 2

    with flint.ctx.workprec(PRECISION):
        rate = ball(alarms)
        low, high = Fraction(-64), Fraction(64)
        for _ in range(PRECISION // 2):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(ball(middle)) > rate else (low, middle)
        # The tail at `high` was never proved to be above the rate; that it is not, is asked for here.
        if not (tail(ball(low)) >= rate >= tail(ball(high))):
            raise ArithmeticError("the level of a rate of false alarms was not enclosed")
        distance = ball(distance_squared).sqrt()
        lower, upper = tail(distance - ball(low)), tail(distance - ball(high))
        ends = Fraction(str(lower.lower().fmpq())), Fraction(str(upper.upper().fmpq()))
    return Bounds(round_down(ends[0]), round_up(ends[1]), ARB, ARB)


def tells(found: Bounds) -> bool:
    """Return whether a truth tells accountants apart: it is above 0, and narrow."""
    return found.lower > 0 and found.relative_width <= WIDEST


def main(partial: Path = PARTIAL) -> int:
    """Compute what `partial` does not hold yet, and write all truths."""
    partial.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, tuple[Run, float]] = {}
    if partial.exists():
        for line in partial.read_text(encoding="utf-8").splitlines():
            asked, run, seconds = json.loads(line)
            known[json.dumps(asked)] = msgspec.convert(run, Run), seconds
    with partial.open("a", encoding="utf-8") as stream:
        for run in questions():
            key = json.dumps(msgspec.to_builtins(run))
            if key not in known:
                found = answer(run)
                known[key] = found.run, found.seconds
                stream.write(f"[{key}, {json.dumps(msgspec.to_builtins(found.run))}, {found.seconds:.3f}]\n")
                stream.flush()
                sys.stderr.write(f"{found.seconds:.1f} s for {key}\n")
    all_of_them = [known[json.dumps(msgspec.to_builtins(run))] for run in questions()]
    rows = [run for run, _ in all_of_them if run.at]
    write_atomically(TRUTHS, lines({"seconds": round(sum(s for _, s in all_of_them), 1)}, "runs", rows))
    sys.stdout.write(f"{sum(len(run.at) for run in rows)} truths of {len(rows)} runs in {TRUTHS}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
