"""Kinds of releases that a certificate may be about, as exact data: what each is, and what its numbers mean."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True)
class Sampled:
    """`steps` releases of DP-SGD at one `rate` and one noise multiplier.

    `noise` is the deviation of the noise over the clipping norm, > 0; `rate` the share of the records in a batch, in
    (0, 1]. `sampler` is "poisson" (a record joins on its own) or "fixed-batch" (all batches of one size alike); the
    `adjacency` is one that `_NEIGHBOURS` has for it. A user has up to `records` records; more than one by Poisson
    sampling alone.
    """

    noise: Fraction
    rate: Fraction
    steps: int
    sampler: str
    adjacency: str
    records: int = 1

    @property
    def mixed(self) -> bool:
        """Tell whether its pair is one of mixtures, and neither a Gaussian one nor that of one record more or less."""
        replaced = self.adjacency == "replace-one"
        return self.sampler == "poisson" and self.rate < 1 and (replaced or self.records > 1)


@dataclass(frozen=True)
class Truncated:
    """`steps` releases of DP-SGD by Poisson sampling at a `rate` in (0, 1) with batches of at most `limit` records.

    Either of two neighbouring data sets has at most `size` records. Which records stay of more than the limit does not
    depend on what is in them.
    """

    noise: Fraction
    rate: Fraction
    limit: int
    size: int
    steps: int
    adjacency: str


@dataclass(frozen=True)
class Relative:
    """`steps` releases of the relative Gaussian mechanism.

    The squared distance of neighbouring outputs is at most `eta^2` times the squared norm of either, plus `r_rel^2`.
    The variance of a coordinate is `gamma` times the squared norm of the output, plus `sigma2`. `eta` and `gamma` are
    positive, `r_rel` and `sigma2` at least 0.
    """

    eta: Fraction
    gamma: Fraction
    dimension: int
    r_rel: Fraction
    sigma2: Fraction
    steps: int = 1


@dataclass(frozen=True)
class Noised:
    """`steps` releases with Gaussian noise, whose deviation is the `noise` times the sensitivity."""

    noise: Fraction
    steps: int


@dataclass(frozen=True)
class Thresholded:
    """`steps` histograms with Gaussian noise of the deviation `sigma` on their cells, shown above a `threshold > 1`.

    Neighbours differ in at most `cells` cells, by at most 1. Those without a record have no noise and are not shown.
    """

    sigma: Fraction
    threshold: Fraction
    cells: int
    steps: int


@dataclass(frozen=True)
class Factored:
    """`steps` runs of the matrix mechanism: a strategy of the sums of `rounds`, with Gaussian noise on every answer.

    `noise` is the deviation over what neighbours change in the sum of a round. A record takes part in at most
    `participations` rounds, any two of them at least `separation` apart. A strategy is identity, prefix-sums, tree,
    square-root, toeplitz or given; some have `bands`, `coefficients` or the rows of a `matrix`.
    """

    noise: Fraction
    strategy: str
    rounds: int
    participations: int
    separation: int
    bands: int | None
    coefficients: tuple[Fraction, ...] | None
    matrix: tuple[tuple[Fraction, ...], ...] | None
    steps: int


@dataclass(frozen=True)
class Laplace:
    """`steps` releases of one number with Laplace noise, whose scale is `scale > 0` times the sensitivity."""

    scale: Fraction
    steps: int


@dataclass(frozen=True)
class DiscreteLaplace:
    """`steps` releases of one whole number with noise of masses in proportion to `exp(-|y|/scale)`, `scale > 0`.

    Neighbouring answers differ by at most the whole number `distance >= 1`.
    """

    scale: Fraction
    distance: int
    steps: int


@dataclass(frozen=True)
class DiscreteGaussian:
    """`steps` releases of one whole number with noise of masses in proportion to `exp(-y^2/(2 sigma^2))`, `sigma > 0`.

    Neighbouring answers differ by at most the whole number `distance >= 1`.
    """

    sigma: Fraction
    distance: int
    steps: int


@dataclass(frozen=True)
class Vector:
    """`steps` releases of a vector with Laplace noise of `scale > 0` on every coordinate, `discrete` or not.

    Neighbouring answers differ by at most `all > 0` in the sum over the coordinates, and by at most `one <= all` in
    each; for discrete noise both are whole.
    """

    scale: Fraction
    all: Fraction
    one: Fraction
    discrete: bool
    steps: int

    @property
    def coordinates(self) -> tuple[Laplace | DiscreteLaplace, ...]:
        """The numbers that the worst neighbours change: as many as may be by `one`, and one more by the rest."""
        times, rest = divmod(self.all, self.one)
        changes = [(self.one, int(times)), (rest, 1)]
        return tuple(
            DiscreteLaplace(self.scale, int(change), self.steps * many)
            if self.discrete
            else Laplace(self.scale / change, self.steps * many)
            for change, many in changes
            if change
        )


@dataclass(frozen=True)
class WholeVector:
    """`steps` releases of a vector of whole numbers, each coordinate with noise as of `DiscreteGaussian`.

    The squared norm of the difference of neighbouring answers is at most the whole number `square >= 1`. The lower end
    is that of neighbours that change `square/each^2` coordinates by `each`, a whole number.
    """

    sigma: Fraction
    square: int
    each: int
    steps: int


@dataclass(frozen=True)
class Randomised:
    """`steps` answers of a record by randomised response: the true one, or one of the others, all as likely.

    Given is the probability `truth` of the true one, above that of any other and below 1, or the `loss > 0` of one
    answer in nats; the other one is None. There are `answers >= 2` in all.
    """

    truth: Fraction | None
    loss: Fraction | None
    answers: int
    steps: int


@dataclass(frozen=True)
class Guaranteed:
    """`steps` mechanisms of which nothing is known but that each is (`loss`, `failing`) private in both orders.

    `loss > 0` is the epsilon, in nats; `failing` the delta, 0 for pure privacy. The worst of them shows the record with
    probability `failing`, and else answers by randomised response.
    """

    loss: Fraction
    failing: Fraction
    steps: int

    @property
    def response(self) -> Randomised:
        """The answers of the worst of them where it does not show the record."""
        return Randomised(None, self.loss, 2, self.steps)


@dataclass(frozen=True)
class Selected:
    """`steps` choices of a candidate by the largest noisy score, of which nothing but the choice is shown.

    `noise` is gumbel, exponential or laplace; `loss > 0` is the pure epsilon of a choice, in nats: two over the scale
    of the noise and the sensitivity of a score, or one where all scores change in one direction.
    """

    loss: Fraction
    noise: str
    steps: int

    @property
    def response(self) -> Randomised:
        """The answers of the worst mechanism with this pure epsilon."""
        return Randomised(None, self.loss, 2, self.steps)


@dataclass(frozen=True)
class Concentrated:
    """`steps` mechanisms of which nothing is known but that each is `rho`-zCDP, `rho > 0`.

    The Renyi divergence of each order `a > 1` is at most `a rho`, in both orders of two neighbours. Gaussian noise of
    the squared distance `2 rho` is one of them.
    """

    rho: Fraction
    steps: int


@dataclass(frozen=True)
class Divergent:
    """`steps` mechanisms of which nothing is known but bounds of the Renyi divergence of each at some orders.

    `curve` has the orders, above 1, and the bounds, > 0, in both orders of two neighbours. Gaussian noise with the
    squared distance `2 rho` is one of them, for `rho` the least quotient of both.
    """

    curve: tuple[tuple[Fraction, Fraction], ...]
    steps: int

    @property
    def rho(self) -> Fraction:
        """Of that Gaussian noise."""
        return min(value / order for order, value in self.curve)


Noise: TypeAlias = Laplace | DiscreteLaplace | DiscreteGaussian | WholeVector | Randomised | Guaranteed | Selected
Mixed: TypeAlias = Sampled | Truncated
"""Samples whose pair is one of mixtures, where the one of DP-SGD says so."""
Single: TypeAlias = Mixed | Relative | Noised | Thresholded | Factored | Noise | Concentrated | Divergent | Vector


@dataclass(frozen=True)
class Planned:
    """Releases of different kinds for the same neighbours; those of samples bear the name of these."""

    releases: tuple[Single, ...]


@dataclass(frozen=True)
class Grouped:
    """Releases whose neighbours differ in `records` records; the parameters are those for one record."""

    records: int
    of: Single | Planned


Mechanism: TypeAlias = Single | Planned | Grouped
