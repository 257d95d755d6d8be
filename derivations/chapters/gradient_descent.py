"""Private gradient descent in numbers: convergence and steps beside the truth, and utility at equal certified privacy.

Second moments of the example are exact, those on data are known up to a stated error, privacy is certified; where
something is simulated, its confidence is stated. What is shown is the same on every processor.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rgm_verify.accounting.calibration import UnreachableTarget, calibrate
from rgm_verify.accounting.composition import Method
from rgm_verify.claims.chapter import Block, Chapter, Figure, Heading, Paragraph, Series, Table
from rgm_verify.gaussians.enclosures import epsilon as pair_epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.learning import as_printed
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent import second_moments, utility
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.learning.sensitivity.of_domain import Level, RecordDomain, relative_sensitivity
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.numbers.sampling import spawn
from rgm_verify.numbers.settled import enclosed, geometric, settled

DELTA = Fraction(1, 10**6)
SEED = 20230830
ERROR = Fraction(1, 10**9)
"""A relative error that no value by floating point here comes near: 30 products of matrices with condition numbers below 10^3."""


def build(profile: str) -> list[Block]:
    """Return all blocks; the full profile has more points and simulated runs."""
    full = profile == "full"
    return [
        *convergence(runs=400_000 if full else 40_000),
        *steps(),
        *comparison(points=13 if full else 5, methods=("rdp", "iteration") if full else ("rdp",)),
    ]


class Quadratic(NamedTuple):
    """A quadratic with its noise: eight eigenvalues 1, two 1/10; a start at squared distance 1/10."""

    curvatures: tuple[Fraction, ...] = (Fraction(1),) * 8 + (Fraction(1, 10),) * 2
    begin: tuple[Fraction, ...] = (Fraction(1, 100),) * 10
    distance: Fraction = Fraction(1, 10)
    mu: Fraction = Fraction(1, 10)
    smoothness: Fraction = Fraction(1)
    gamma: Fraction = Fraction(1, 4)
    sigma2: Fraction = Fraction(1, 100)

    @property
    def mechanism(self) -> RelativeGaussianMechanism:
        """The noise as a mechanism."""
        return RelativeGaussianMechanism(self.gamma, self.sigma2)

    @property
    def eigenvalues(self) -> FloatArray:
        """The curvatures as floats."""
        return np.array([float(value) for value in self.curvatures])

    @property
    def start(self) -> FloatArray:
        """The squared coordinates of the start as floats."""
        return np.array([float(value) for value in self.begin])

    def moments(self, step: Fraction, count: int) -> list[Fraction]:
        """`E |theta_t - theta_*|^2` for t = 0 to `count`, exactly: the recursion of `second_moments` in rational numbers."""
        moments, found = self.begin, [sum(self.begin, Fraction(0))]
        for _ in range(count):
            noise = sum((w**2 * m for w, m in zip(self.curvatures, moments, strict=True)), Fraction(0))
            added = step**2 * (self.gamma * noise + self.sigma2)
            moments = tuple((1 - step * w) ** 2 * m + added for w, m in zip(self.curvatures, moments, strict=True))
            found.append(sum(moments, Fraction(0)))
        return found

    def stationary(self, step: Fraction) -> Fraction:
        """The limit of the moments, exactly; `beyond:quadratic-stationary`."""
        inflow = 1 - self.gamma * sum((step * w / (2 - step * w) for w in self.curvatures), Fraction(0))
        return sum((step * self.sigma2 / (w * (2 - step * w)) for w in self.curvatures), Fraction(0)) / inflow


def convergence(runs: int) -> Iterable[Block]:
    """One quadratic: the exact second moment, the bounds, and a simulation."""
    case, count = Quadratic(), 100
    d = len(case.start)
    step, longest = utility.theorem_step(1, case.gamma, d), as_printed.largest_step(1, case.gamma)
    exact, far = case.moments(step, count), case.moments(longest, count)
    times = range(count + 1)
    printed = [as_printed.distance_bound(case.distance, case.mu, step=step, steps=t, sigma2=case.sigma2) for t in times]
    below = next(t for t in times if exact[t] > printed[t])
    yield Heading(text="Convergence: Theorem 2 beside the truth")
    yield Paragraph(
        text=r"Relative Gaussian descent on a quadratic in ten dimensions, $L = 1$, $\mu = 1/10$, $\gamma = 1/4$, $\sigma^2 = 1/100$, from "
        r"$|\theta_0-\theta_\star|^2 = 1/10$. The second moment of every iterate is known exactly. Printed: $(1-\tau\mu)^t|\theta_0-\theta_\star|^2 + \tau\sigma^2/\mu$ "
        r"for $\tau \le 1/(L+\gamma)$; proved: the same with $d\tau\sigma^2/\mu$ for $\tau \le 1/((1+\gamma d)L)$."
    )
    yield Figure(
        caption=rf"With the step $1/((1+\gamma d)L) = {step}$ the printed bound is below the truth from step {below} on, the proved ones are "
        rf"above it; with the step $1/(L+\gamma) = {longest}$, which is printed as allowed, the truth grows without bound.",
        x="step t",
        y="squared distance",
        log_y=True,
        series=[
            _curve("exact", exact),
            _curve("largest over all such functions", [_class_bound(case, step, t) for t in times]),
            _curve("Theorem 2, corrected", [_corrected(case, step, t) for t in times]),
            _curve("Theorem 2, as printed", printed),
            _simulation(case, step, count, runs),
            _curve("exact, with the longest step as printed", [value for value in far if value < 3]),
        ],
    )
    yield Table(
        caption=r"The squared distance after many steps, in the same example: the printed bound promises less than half of what remains.",
        columns=["what", "value", "times the truth"],
        rows=list(_limits(case, step)),
    )


def _curve(name: str, values: Iterable[Fraction | float]) -> Series:
    """Exact values, and floats that were rounded up exactly."""
    return Series(name=name, points=[[str(t), *enclosed(value, value)] for t, value in enumerate(values)])


def _class_bound(case: Quadratic, step: Fraction, t: int) -> float:
    return utility.distance_bound(
        case.distance,
        case.mu,
        case.smoothness,
        step=step,
        steps=t,
        gamma=case.gamma,
        sigma2=case.sigma2,
        dimension=len(case.start),
    )


def _corrected(case: Quadratic, step: Fraction, t: int) -> Fraction:
    return (1 - step * case.mu) ** t * case.distance + len(case.start) * step * case.sigma2 / case.mu


def _simulation(case: Quadratic, step: Fraction, count: int, runs: int) -> Series:
    """Means of simulated runs, each with a margin that the truth leaves with probability 1/100 at most (Chebyshev)."""
    theta = np.tile(np.sqrt(case.start), (runs, 1))
    generator, points = spawn(SEED, 1)[0], []
    for t in range(1, count + 1):
        theta = theta - float(step) * case.mechanism.release(theta * case.eigenvalues, generator)
        if t % 10 == 0:
            mean, margin = float(np.square(theta).sum(axis=1).mean()), 10 * _deviation(case, step, t) / math.sqrt(runs)
            low, high = mean - margin, mean + margin
            ends = settled(low, error=ERROR, rounded="down"), settled(high, error=ERROR, rounded="up")
            points.append([str(t), *ends])
    return Series(name=f"{runs} simulated runs", points=points, note="each band holds the mean with probability 99/100")


def _deviation(case: Quadratic, step: Fraction, count: int) -> float:
    """The standard deviation of `|theta_t - theta_*|^2`, by the exact recursion of the fourth moments."""
    tau, gamma, sigma2 = float(step), float(case.gamma), float(case.sigma2)
    m, s, shrink, w = (
        case.start,
        np.outer(case.start, case.start),
        (1 - tau * case.eigenvalues) ** 2,
        case.eigenvalues**2,
    )
    for _ in range(count):
        v = tau**2 * (gamma * w @ m + sigma2)
        vx = tau**2 * (gamma * s @ w + sigma2 * m)
        vv = tau**4 * (gamma**2 * w @ s @ w + 2 * gamma * sigma2 * w @ m + sigma2**2)
        s = np.outer(shrink, shrink) * s + shrink[:, None] * vx[:, None] + shrink * vx + vv
        s = s + np.diag(4 * shrink * vx + 2 * vv)
        m = shrink * m + v
    return math.sqrt(float(s.sum() - m.sum() ** 2))


def _limits(case: Quadratic, step: Fraction) -> Iterator[list[str]]:
    truth = case.stationary(step)
    added = len(case.start) * step**2 * case.sigma2
    largest = added / (1 - utility.rate(case.mu, 1, step=step, gamma=case.gamma, dimension=len(case.start)))
    yield ["exact, on this quadratic", f"{float(truth):.5g}", "1"]
    for name, value in (
        ("largest over all such functions", largest),
        (r"$d\tau\sigma^2/\mu$, corrected", len(case.start) * step * case.sigma2 / case.mu),
        (r"$\tau\sigma^2/\mu$, as printed", step * case.sigma2 / case.mu),
    ):
        yield [name, f"{float(value):.5g}", f"{float(value / truth):.3f}"]


def steps() -> Iterable[Block]:
    """The largest stable step against the printed one, in other units and dimensions."""
    yield Heading(text="How long a step may be")
    yield Paragraph(
        text=r"On all $L$-smooth functions in $d$ dimensions the iterates stay bounded exactly for $\tau < 2/((1+\gamma d)L)$. The printed "
        r"$1/(L+\gamma)$ adds a number with the unit of the loss to one without, so that its length depends on the units."
    )
    cases = [
        *((L, Fraction(1, 10), d) for L in (Fraction(1, 100), Fraction(1), Fraction(100)) for d in (1, 22, 100)),
        *((Fraction(1), gamma, 22) for gamma in (Fraction(1, 10**4), Fraction(1))),
    ]
    yield Table(
        caption=r"Above 1 the printed step is longer than every stable one: the iterates diverge on some function.",
        columns=[
            "L",
            r"$\gamma$",
            "d",
            r"printed $1/(L+\gamma)$",
            r"proved $1/((1+\gamma d)L)$",
            "printed / longest stable",
        ],
        rows=[_step_row(*case) for case in cases],
    )


def _step_row(smoothness: Fraction, gamma: Fraction, dimension: int) -> list[str]:
    printed = as_printed.largest_step(smoothness, gamma)
    stable = utility.stable_step(smoothness, gamma, dimension)
    return [f"{float(value):.4g}" for value in (smoothness, gamma, dimension, printed, stable / 2, printed / stable)]


def comparison(points: int, methods: Sequence[Method]) -> Iterable[Block]:
    """Relative Gaussian descent against Gaussian noise on clipped gradients, at the same certified privacy."""
    count, d, mu = 30, 5, Fraction(1, 10)
    yield Heading(text="Utility at equal privacy")
    yield Paragraph(
        text=rf"Synthetic ridge regression, {d} features, records with $|x| \le 1$, $|y| \le 1$, $\mu_{{\rm reg}} = {mu}$, {count} steps that are together $(1, 10^{{-6}})$-private, "
        rf"by certified accounting of both (for relative noise by {' and '.join(methods)}). The relative sensitivity is the public one, without a test. Each method has the step that is best for it, of 40. "
        "The second moments follow their exact recursion; for clipping they suppose that the threshold never acts, which favours it."
    )
    sizes = geometric(1000, 300_000, points)
    rows = [(n, *_compared(n, d, mu, count, methods)) for n in sizes]
    names = (
        "relative Gaussian",
        "Gaussian, threshold 1 (public)",
        "Gaussian, largest gradient at the optimum as threshold (not private)",
    )
    out = [row[0] for row in rows if math.isinf(row[1])]
    start = f"With {max(out)} records or fewer relative noise cannot reach the target; with" if out else "With"
    yield Figure(
        caption=f"{start} {sizes[-1]} records its squared distance to the optimum is {settled(rows[-1][1] / rows[-1][2], error=3 * ERROR, digits=2)} times that of clipping with a public threshold.",
        x="records n",
        y="squared distance after the run",
        log_x=True,
        log_y=True,
        series=[
            Series(
                name=name,
                points=[
                    [str(row[0]), *(settled(row[1 + k], error=ERROR, rounded=end) for end in ("down", "up"))]
                    for row in rows
                    if math.isfinite(row[1 + k])
                ],
            )
            for k, name in enumerate(names)
        ],
    )


def _compared(n: int, d: int, mu: Fraction, count: int, methods: Sequence[Method]) -> tuple[float, float, float]:
    generator = spawn(SEED, 1)[0]
    rows = generator.normal(size=(n, d)) * np.geomspace(1, 0.2, d)
    rows /= np.maximum(1.0, np.linalg.norm(rows, axis=1, keepdims=True))
    labels = np.clip(rows @ np.ones(d) / 2 + generator.normal(size=n) / 10, -1, 1)
    objective = RidgeObjective.of(rows, labels, mu)
    residuals = np.abs(rows @ objective.minimiser() - labels)
    largest = float((np.linalg.norm(rows, axis=1) * residuals).max())
    per_unit = _gaussian_variance(count)
    gaussian = [RelativeGaussianMechanism(0, per_unit * (2 * Fraction(c) / n) ** 2) for c in (1.0, largest)]
    found = [_best(objective, mechanism, count) for mechanism in gaussian]
    return _best(objective, _relative(n, d, mu, count, methods), count), found[0], found[1]


def _relative(n: int, d: int, mu: Fraction, count: int, methods: Sequence[Method]) -> RelativeGaussianMechanism | None:
    domain = RecordDomain(1, 1)
    known = relative_sensitivity(domain, Level.everywhere(mu, domain), n)
    try:
        found = calibrate(
            1,
            DELTA,
            eta=known.eta,
            r_rel=known.r_rel,
            dimension=d,
            steps=count,
            methods=methods,
            relative_tolerance="1/1000",
        )
    except UnreachableTarget:
        return None
    return RelativeGaussianMechanism(found.release.gamma, found.release.sigma2)


def _gaussian_variance(count: int) -> Fraction:
    """A noise variance for a sensitivity of 1 with which `count` releases are certainly (1, DELTA)-private, nearly the least."""
    low, high = Fraction(1), Fraction(10**5)
    while high > low * Fraction(1001, 1000):
        middle = Fraction(round(1000 * math.sqrt(low * high)), 1000)
        upper = pair_epsilon(GaussianPair(count / middle, 0, 1), DELTA, 8).upper
        low, high = (low, middle) if upper is not None and upper <= 1 else (middle, high)
    return high


def _best(objective: RidgeObjective, mechanism: RelativeGaussianMechanism | None, count: int) -> float:
    """The exact second moment after `count` steps from 0, at the best of 40 steps; infinite without a mechanism."""
    if mechanism is None:
        return math.inf
    values, start = objective.spectrum[0], np.square(objective.coordinates(np.zeros(objective.dimension)))
    taus = [Fraction(float(tau)) for tau in np.geomspace(1e-4, 1.9, 40) / objective.smoothness]
    return min(second_moments.second_moment(values, start, step=t, steps=count, mechanism=mechanism) for t in taus)


chapter = Chapter(
    id="gradient-descent",
    title="Gradient descent",
    summary="What the theory of private gradient descent is worth: its bounds and steps beside exact second moments, and its utility beside clipping at "
    "the same certified privacy.",
    build=build,
)
