"""Sparse histograms: Gaussian noise on the cells that are not empty, of which those above a threshold are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from rgm_verify.accounting.plans.fields import Field
from rgm_verify.accounting.plans.kinds.kind import PlannedRelease
from rgm_verify.numbers.decimals import decimal

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape

_BITS = 128


@dataclass(frozen=True)
class SparseHistogram(PlannedRelease):
    """Counts with Gaussian noise, of the cells with a record alone, and only where they are above a threshold.

    A record that is alone in a cell is shown there with the probability of so much noise; else the cell is not there,
    as without it. Whoever shows the names of the cells alone, as in a selection of partitions, shows no more. The upper
    end is for neighbours that are alone in some of their cells, the lower one for those that are in none.

    Attributes:
        sigma: exact, the deviation of the noise, in units of what a record changes in a cell at most.
        threshold: exact, in the same units, above 1.
        cells: the number of cells in which neighbours may differ, 1 to 1e6.
        count: the number of releases, at most 1e12.
    """

    sigma: Fraction
    threshold: Fraction
    cells: int = 1
    count: int = 1
    kind: ClassVar = "sparse-histogram"
    fields: ClassVar = {
        "sigma": Field(
            "Standard deviation of the noise over what a record changes in a cell.",
            what="the noise",
            least="1e-6",
            most="1e9",
        ),
        "threshold": Field("What a noisy cell has to exceed, in the same units.", what="the threshold", most="1e12"),
        "cells": Field(
            "Number of cells in which neighbours may differ; 1 if left out.",
            required=False,
            what="the number of cells",
            most="1e6",
            whole=True,
            usual=1,
        ),
    }
    example: ClassVar = {"sigma": "5", "threshold": "40", "cells": "3"}
    one_pair: ClassVar = True

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with a threshold that shows a record that is alone as a rule."""
        if self.threshold <= 1:
            return "threshold", "must be above 1, what one record adds"
        if self.failing >= 1:
            return "threshold", f"a record is shown with a probability up to {decimal(self.failing, up=True)}"
        return None

    @cached_property
    def failing(self) -> Fraction:
        """A bound of the probability that one of the cells with this record alone is shown: the sum over the cells."""
        from rgm_verify.balls.arithmetic import ball, precision
        from rgm_verify.balls.fourier import float_above

        with precision(_BITS):
            tail = (ball((self.threshold - 1) / self.sigma) / ball(Fraction(2)).sqrt()).erfc() / 2
            return Fraction(float_above(self.cells * tail))

    @property
    def failing_below(self) -> Fraction:
        """Nothing: of neighbours that are alone in no cell."""
        return Fraction(0)

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the noise on all of the cells."""
        from rgm_verify.accounting.plans.units import GaussianUnit

        return (GaussianUnit(self.count * self.cells / self.sigma**2),)

    def shape(self) -> Shape:
        """Return the losses of this noise."""
        from rgm_verify.accounting.replay_grids import gaussian_shape

        return gaussian_shape(self.count * self.cells / self.sigma**2)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return with what probability a record is shown, and what the lower end is of."""
        shown = decimal(self.count * self.failing, up=True)
        return f"a record is shown with a probability up to {shown}; the lower end is for one that is alone in no cell"
