"""Noise on every coordinate of a vector, whose change is bounded in the 1-norm and perhaps in each coordinate too.

The worst neighbours move as many coordinates as possible by as much as one may change, and one more by the rest; where
only the 1-norm is bounded, one coordinate by all of it. So a vector is accounted as these coordinates, each a number of
its own. Derived in `derivations/beyond/composition/vectors.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rgm_verify.accounting.plans.fields import Field
from rgm_verify.accounting.plans.kinds.kind import EventData, PlannedRelease
from rgm_verify.accounting.plans.kinds.noises import DiscreteLaplace, Laplace
from rgm_verify.numbers.counted import counted
from rgm_verify.numbers.decimals import exact_text

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape
    from rgm_verify.accounting.subsampled.simple import Simple

_L1 = Field(
    "Largest change of the vector in the 1-norm, the sum over all coordinates; 1 if left out.",
    required=False,
    what="the sensitivity in the 1-norm",
    least="1e-9",
    most="1e9",
    usual=1,
)
_LINF = Field(
    "Largest change of one coordinate; all of the 1-norm if left out.",
    required=False,
    what="the sensitivity of a coordinate",
    least="1e-9",
    most="1e9",
)
_MOST_COORDINATES = 10**6
_MOST_DEVIATION = 500  # of a sum over all coordinates that change
_MOST_SQUARE = 36  # of a group: there are 35 ways to write it as a sum of squares


class Vector(PlannedRelease):
    """A vector with independent noise on each coordinate; a subclass says which noise, by `changed`.

    `scale` is in units of the query. Where `linf_sensitivity` is given, the lower end is that of neighbours that change
    `l1_sensitivity/linf_sensitivity` coordinates, rounded up: a vector of fewer has a smaller 1-norm.
    """

    scale: Fraction
    l1_sensitivity: Fraction
    linf_sensitivity: Fraction | None
    searched: ClassVar = ("scale", "count")

    def changed(self, change: Fraction, count: int) -> PlannedRelease:
        """Return `count` releases of one coordinate that changes by so much."""
        raise NotImplementedError

    def wrong(self) -> tuple[str, str] | None:
        """Return a field that does not go with the others."""
        most, one = self.l1_sensitivity, self.linf_sensitivity or self.l1_sensitivity
        if one > most:
            return "linf_sensitivity", "must be at most that in the 1-norm, which is a sum over all coordinates"
        if most > _MOST_COORDINATES * one:
            return "linf_sensitivity", "must be at least a millionth of that in the 1-norm"
        if most > 100 * self.scale:
            return "scale", "must be at least a hundredth of the sensitivity in the 1-norm"
        return None

    @property
    def unit_of_noise(self) -> Fraction:
        """The sensitivity in the 1-norm."""
        return Fraction(self.l1_sensitivity)

    @property
    def accounted(self) -> Sequence[PlannedRelease]:
        """The coordinates that the worst neighbours change, those that change alike as one."""
        one = self.linf_sensitivity or self.l1_sensitivity
        times, rest = divmod(self.l1_sensitivity, one)
        found = [self.changed(one, int(times) * self.count)]
        return [*found, self.changed(rest, self.count)] if rest else found

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return which neighbours are the worst, where a coordinate has a bound of its own."""
        if self.linf_sensitivity is None:
            return ""
        times, rest = divmod(self.l1_sensitivity, self.linf_sensitivity)
        more = f" and one more by {exact_text(Fraction(rest))}" if rest else ""
        return f"the worst neighbours change {times} coordinates by {exact_text(Fraction(self.linf_sensitivity))}{more}"

    def group(self, size: int) -> Vector:
        """Return the release for neighbours that differ in `size` records: each may change the same coordinates."""
        one = None if self.linf_sensitivity is None else self.linf_sensitivity * size
        return replace(self, l1_sensitivity=self.l1_sensitivity * size, linf_sensitivity=one)  # type: ignore[type-var]

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the events of the coordinates that change."""
        for part in self.accounted:
            yield from part.to_events(moved, place)


@dataclass(frozen=True)
class LaplaceVector(Vector):
    """Laplace noise on every coordinate of a vector, with a sensitivity in the 1-norm.

    One release has the pure epsilon `l1_sensitivity/scale`. It costs what one number with this sensitivity costs; less
    where no coordinate changes by so much, as after a histogram's records are bounded in each cell.

    Attributes:
        scale: exact, of the noise, in units of the query; at least a hundredth of the sensitivity in the 1-norm.
        l1_sensitivity: exact, between 1e-9 and 1e9.
        linf_sensitivity: exact, at most that in the 1-norm and at least a millionth of it; None for no bound.
        count: the number of releases, at most 1e12.
    """

    scale: Fraction
    l1_sensitivity: Fraction = Fraction(1)
    linf_sensitivity: Fraction | None = None
    count: int = 1
    kind: ClassVar = "laplace-vector"
    fields: ClassVar = {
        "scale": Field("Scale of the noise, in units of the query.", what="the scale", least="1e-11", most="1e9"),
        "l1_sensitivity": _L1,
        "linf_sensitivity": _LINF,
    }
    example: ClassVar = {"scale": "10", "l1_sensitivity": "3", "linf_sensitivity": "1"}

    def changed(self, change: Fraction, count: int) -> Laplace:
        """Return releases of one number, by the scale over its change."""
        return Laplace(self.scale / change, count)


@dataclass(frozen=True)
class DiscreteLaplaceVector(Vector):
    """Discrete Laplace noise on every coordinate of a vector of integers: masses in proportion to `exp(-|x|/scale)`.

    Attributes:
        scale: exact, in units of the query; at least a hundredth of the sensitivity in the 1-norm.
        l1_sensitivity: 1 to 100,000.
        linf_sensitivity: a whole number, at most that in the 1-norm; None for no bound.
        count: the number of releases, at most 1e12.
    """

    scale: Fraction
    l1_sensitivity: int = 1  # type: ignore[assignment]
    linf_sensitivity: int | None = None  # type: ignore[assignment]
    count: int = 1
    kind: ClassVar = "discrete-laplace-vector"
    fields: ClassVar = {
        "scale": Field(
            "The parameter of the noise, in units of the query: masses fall by exp(-1/scale).",
            what="the scale",
            least="1e-6",
            most="1e9",
        ),
        "l1_sensitivity": replace(_L1, least="1", most="1e5", whole=True),
        "linf_sensitivity": replace(_LINF, least="1", most="1e5", whole=True),
    }
    example: ClassVar = {"scale": "10", "l1_sensitivity": "3", "linf_sensitivity": "1"}

    def changed(self, change: Fraction, count: int) -> DiscreteLaplace:
        """Return releases of one integer."""
        return DiscreteLaplace(self.scale, int(change), count)


@dataclass(frozen=True)
class DiscreteGaussianVector(PlannedRelease):
    """Discrete Gaussian noise on every coordinate of a vector of integers, with a sensitivity in the Euclidean norm.

    The squared norm of a change is a whole number. A change is a way to write it as a sum of squares; no one of them is
    the worst at every level. The lower end is that of a vector of at least `l2_squared` coordinates.

    Attributes:
        sigma: exact, between 1/20 and 1000, in units of the query: masses go with `exp(-x^2/(2 sigma^2))`.
        l2_squared: the largest squared norm of a change, 1 to 25.
        count: the number of releases, at most 1e12.
        each: by how much each coordinate of the change changes whose curve the lower end is, as a group changes it.
    """

    sigma: Fraction
    l2_squared: int = 1
    count: int = 1
    each: int = 1
    kind: ClassVar = "discrete-gaussian-vector"
    fields: ClassVar = {
        "sigma": Field(
            "The parameter sigma of the noise, in units of the query: masses go with exp(-x^2/(2 sigma^2)).",
            what="the parameter sigma",
            least="1/20",
            most="1000",
        ),
        "l2_squared": Field(
            "Largest squared change of the vector in the Euclidean norm, a whole number; 1 if left out.",
            required=False,
            what="the squared sensitivity",
            least="1",
            most="25",
            whole=True,
            usual=1,
        ),
    }
    example: ClassVar = {"sigma": "10", "l2_squared": "2"}

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with a sigma whose sums would be long."""
        far = self.sigma**2 * self.l2_squared > _MOST_DEVIATION**2
        return ("sigma", f"must be at most {_MOST_DEVIATION} over the root of l2_squared") if far else None

    @property
    def spread(self) -> tuple[int, ...]:
        """The change that the lower end is of."""
        return (self.each,) * (self.l2_squared // self.each**2)

    def group(self, size: int) -> DiscreteGaussianVector | None:
        """Return the release for neighbours that differ in `size` records; None where there are too many changes."""
        square = self.l2_squared * size**2
        return None if square > _MOST_SQUARE else replace(self, l2_squared=square, each=self.each * size)

    def simple_of_group(self, size: int) -> Simple:
        """Return the concentration of a group, where there are too many changes to look at."""
        from rgm_verify.accounting.subsampled.simple import Simple

        return Simple(rho=self.l2_squared * size**2 * self.count / (2 * self.sigma**2))

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the one unit."""
        from rgm_verify.accounting.plans.split_unit import SplitUnit

        return (SplitUnit(self),)

    def shape(self) -> Shape:
        """Return losses that reach about as far as those of Gaussian noise."""
        from rgm_verify.accounting.replay_grids import Atoms, gaussian_reach

        lattice = 1 / (2 * self.sigma**2)
        return Atoms(partial(gaussian_reach, 2 * self.l2_squared * lattice), self.count, lattice, exact=True)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what the lower end is of: a vector of fewer coordinates may cost less."""
        changed = counted(len(self.spread), "coordinate")
        if chain or self.l2_squared == 1:
            return ""
        return f"the lower end is that of a change of {changed} by {self.each}; the upper one holds for all"
