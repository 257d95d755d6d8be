"""The matrix mechanism, which is DP-FTRL where prefix sums of gradients are wanted: one release with Gaussian noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from rgm_verify.accounting.plans.fields import Field
from rgm_verify.accounting.plans.kinds.kind import EventData, PlannedRelease
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import round_down

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape

# As `mechanisms.strategies`, which needs NumPy and is loaded where a strategy is looked at.
_STRATEGIES = ("identity", "prefix-sums", "tree", "square-root", "toeplitz", "given")
_WHOLE = Field("", required=False, most="1e6", whole=True)


@dataclass(frozen=True)
class MatrixMechanism(PlannedRelease):
    """A strategy `C` of the sums `x` of some rounds: `C x` with Gaussian noise, of which prefix sums are made, say.

    Sums may depend on what was released of the rounds before, so that this is also DP-FTRL. A record takes part in at
    most `participations` rounds, any two of which are at least `separation` apart. Its sensitivity is exact as a rule,
    and enclosed where columns of such rounds overlap in a way that no rule knows.

    Attributes:
        noise_multiplier: exact, the deviation of the noise over what neighbours change in the sum of a round.
        strategy: "identity", "prefix-sums", "tree", "square-root", "toeplitz" or "given".
        rounds: the number of rounds, at most 1e6.
        participations: 1 to the number of rounds.
        separation: at least 1.
        bands: the number of diagonals of "square-root", 1 to 128.
        coefficients: the first column of "toeplitz", a text with commas.
        matrix: the rows of "given", with semicolons between them.
        count: the number of such runs, at most 1e12.
    """

    noise_multiplier: Fraction
    strategy: str
    rounds: int
    participations: int = 1
    separation: int = 1
    bands: int | None = None
    coefficients: str | None = None
    matrix: str | None = None
    count: int = 1
    kind: ClassVar = "matrix-mechanism"
    fields: ClassVar = {
        "noise_multiplier": Field(
            "Standard deviation of the noise over what neighbours change in the sum of a round.",
            what="the noise multiplier",
            least="1e-6",
            most="1e9",
        ),
        "strategy": Field("The strategy.", choices=_STRATEGIES),
        "rounds": replace(_WHOLE, meaning="Number of rounds.", required=True, what="the number of rounds"),
        "participations": replace(
            _WHOLE, meaning="Most rounds that a record takes part in; 1 if left out.", usual=1, what="the number"
        ),
        "separation": replace(
            _WHOLE, meaning="Least distance of two of them, in rounds; 1 if left out.", usual=1, what="the distance"
        ),
        "bands": replace(_WHOLE, meaning="Number of diagonals of square-root.", what="the number of diagonals"),
        "coefficients": Field("First column of toeplitz: 1, 1/2, 3/8", required=False, written=True),
        "matrix": Field("Rows of given: 1 0; 1 1", required=False, written=True),
    }
    searched: ClassVar = ("noise_multiplier", "count")
    example: ClassVar = {"noise_multiplier": "10", "strategy": "tree", "rounds": "1000"}
    one_pair: ClassVar = True

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with the strategy."""
        try:
            if self.squares[0] <= 0:
                return "strategy", "must release something of each round"
        except InputError as error:
            return "strategy", str(error)
        return None

    @cached_property
    def squares(self) -> tuple[Fraction, Fraction]:
        """Both ends of the squared sensitivity, for sums that move by 1."""
        from rgm_verify.mechanisms.strategies import strategy_of

        found = strategy_of(
            self.strategy, self.rounds, bands=self.bands, coefficients=self.coefficients, matrix=self.matrix
        )
        return found.sensitivity_squared(self.participations, self.separation)

    def group(self, size: int) -> MatrixMechanism:
        """Return the release for neighbours that differ in `size` records, which may take part in the same rounds."""
        return replace(self, noise_multiplier=self.noise_multiplier / size)

    @property
    def unit_of_noise(self) -> Fraction:
        """About the sensitivity."""
        return Fraction(max(1, round(float(self.squares[1]) ** 0.5)))

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the one pair of all runs, or one above and one below."""
        from rgm_verify.accounting.plans.units import GaussianUnit

        least, most = (self.count * square / self.noise_multiplier**2 for square in self.squares)
        return (GaussianUnit(most, None if least == most else least),)

    def shape(self) -> Shape:
        """Return the losses of the one pair."""
        from rgm_verify.accounting.replay_grids import gaussian_shape

        return gaussian_shape(self.count * self.squares[1] / self.noise_multiplier**2)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return the sensitivity."""
        least, most = (float(square) ** 0.5 for square in self.squares)
        if self.squares[0] == self.squares[1]:
            return f"the sensitivity of the strategy is {most:.6g}, for rounds that move by 1"
        return f"the sensitivity of the strategy lies between {least:.6g} and {most:.6g}, for rounds that move by 1"

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield a Gaussian event with the same cost, or a little more."""
        from rgm_verify.accounting.plans.units import root

        noise = root(self.noise_multiplier**2 / self.squares[1], up=False)
        yield ("GaussianDpEvent", {"noise_multiplier": round_down(noise * moved)}), self.count
