"""The grids of a composition: how fine they are, how far they reach, and the curves that are computed on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import chain, repeat

import numpy as np

from rgm_verify.accounting.composition.choices import needed_dots
from rgm_verify.accounting.composition.envelope import (
    DiscreteLoss,
    Dots,
    loss_through,
    merged,
    power,
    spread,
)
from rgm_verify.accounting.composition.loss_tails import (
    Tails,
    exponents_for,
    grid_ends,
    grid_step,
    largest_variance,
    windows,
)
from rgm_verify.accounting.composition.value_iteration import Curve, adaptive_curve, fixed_curve
from rgm_verify.accounting.exact.admissible_pairs import (
    FEWEST_POINTS,
    Cover,
    admissible_cells,
    cells_around,
)
from rgm_verify.accounting.release import Release
from rgm_verify.errors import reject

_CUT = 1e-5  # what grids and windows may leave out, as a part of delta
_LOWEST = 1e-10  # the probability of low losses that may move up: they matter least of all
_LIBRARY_CUT = 1e-18  # the mass at infinity that is handed over; far below what Fourier transforms leave of delta
_MOST_POINTS_PER_DEVIATION = 10_000
_MOST_DOTS = 20_000
_MOST_POINTS = 1 << 22  # of a curve, up to twice the larger end
_FINEST = 40.0
_COARSER = 16.0  # with many cells, each of which costs what the grid costs
_FEW_STEPS = 250
_MOST_CELLS_TO_A_SIDE = 64
_MARGIN = 1.02  # the upper end of what is searched, over a guess


@dataclass(frozen=True)
class Focus:
    """The rough place of a release's worst pair on its curve of extreme pairs; it guides the choice of cells.

    `both_orders`: whether narrow against wide needs fine cells too. With hardly any excess both orders are about as
    bad, and a coarse cell mixes the largest distance with an excess that no pair has there.
    """

    place: Fraction
    both_orders: bool


@dataclass(frozen=True, eq=False)
class Plan:
    """A composition made ready for grids.

    The error of a grid is about `1 / (12 resolution^2)` of the variance of the loss, at any number of releases.

    Attributes:
        groups: for each release the cover of its pairs, its tails and its number.
        step: the common step; each release has a power of 2 times it.
        resolution: grid points to a standard deviation.
        known: dots that a method has computed, for the next one.
    """

    groups: Sequence[tuple[Cover, Tails, int]]
    step: Fraction
    resolution: float
    known: Dots = field(default_factory=Dots, repr=False)

    @classmethod
    def of(
        cls,
        groups: Sequence[tuple[Release, int]],
        resolution: float | None = None,
        focus: Sequence[Focus | None] | None = None,
    ) -> Plan:
        """Return the plan for releases with their numbers; `focus`: one for each, None where the baseline covers.

        `resolution` is in grid points to a standard deviation of the loss; unless given it depends on the number of
        releases, and is coarser where the pairs are a curve and cells multiply the work. Raises `InputError` for a
        resolution outside its range. The plan steers: any grid gives certified bounds, and a poor one loose bounds.
        """
        if resolution is not None and not 1 <= resolution <= _MOST_POINTS_PER_DEVIATION:
            raise reject("resolution", resolution, f"must lie between 1 and {_MOST_POINTS_PER_DEVIATION}")
        places = [None] * len(groups) if focus is None else focus
        steps = sum(count for _, count in groups)
        covers = [_cover(release, place, resolution) for (release, _), place in zip(groups, places, strict=True)]
        cells = [cover.cells for cover in covers]
        # The mean over all releases: the common step suits the usual one, and `_grid` coarsens where losses spread
        # more.
        mean = sum(count * largest_variance(c) for c, (_, count) in zip(cells, groups, strict=True)) / steps
        many_cells = any(place is not None for place in places)
        # Each cell costs what the grid costs, and many cells already cost more than a finer grid would gain.
        usual = min(usual_resolution(steps), _COARSER) if many_cells else usual_resolution(steps)
        fineness = usual if resolution is None else resolution
        exponents = exponents_for([cell for found in cells for cell in found], steps)
        tails = [Tails.of(found, exponents) for found in cells]
        prepared = [(c, t, count) for c, t, (_, count) in zip(covers, tails, groups, strict=True)]
        return cls(prepared, grid_step(math.sqrt(mean), fineness), fineness)

    @property
    def steps(self) -> int:
        """The number of releases."""
        return sum(count for _, _, count in self.groups)

    def fits(self, ends: tuple[float, float], delta: float) -> bool:
        """Return whether no grid needs too many points, nor the curve between two epsilons.

        They do when losses are spread very unevenly, or when bounds of epsilon are far apart for their spread.
        """
        if not ends[1] - ends[0] / 2 <= _MOST_POINTS * self.step:
            return False
        grids = [self._grid(cover, tails, delta) for cover, tails, _ in self.groups]
        # Decided before any dot is computed: the dots are what takes the time.
        return all(last - first <= _MOST_DOTS for _, first, last in grids)

    def _grid(self, cover: Cover, tails: Tails, delta: float) -> tuple[Fraction, int, int]:
        """Return the step of the dots of one release, a power of 2 times the common one, and the ends of their grid."""
        # Steps that differ by powers of 2 can be brought to one grid without a rounding.
        finest = math.sqrt(largest_variance(cover.cells)) / self.resolution / self.step
        own = self.step * (1 << max(0, math.floor(math.log2(finest))))
        return own, *grid_ends(tails, own, delta * _CUT / self.steps, _LOWEST / self.steps)

    def epsilon_guide(self, delta: float) -> float:
        """Return an epsilon that is above the composition's, by Chernoff; a guide for windows."""
        total = sum((count * tails.above for _, tails, count in self.groups), np.zeros(1))
        return float(np.min((total - math.log(delta)) / self.groups[0][1].exponents))

    def curve(self, method: str, ends: tuple[float, float], delta: float) -> Curve:
        """Return the curve of the composition between two epsilons, where it is about `delta`, by a method."""
        targets = ends[0], ends[1] * _MARGIN
        return self._adaptive(targets, delta) if method == "iteration" else self._envelope(targets, delta)

    def _losses(self, cover: Cover, tails: Tails, envelope: bool, delta: float) -> list[DiscreteLoss]:
        """Return the discrete losses of one release on the common grid, one for each cell or one for all."""
        own, first, last = self._grid(cover, tails, delta)
        dots = needed_dots(cover, lambda cell: self.known.greatest(cell, own, first, last))
        # One loss for all cells is larger than each, and composes without an adversary's choice.
        wanted = [np.max(dots, axis=0)] if envelope else dots
        return [spread(loss_through(curve, own, first), int(own / self.step)) for curve in wanted]

    def _adaptive(self, targets: tuple[float, float], delta: float) -> Curve:
        """Return the curve by value iteration, the last release first."""
        # Backwards, as in every dynamic programme: the value of a choice needs the values after it.
        stages = [repeat(self._losses(c, t, False, delta), count) for c, t, count in reversed(self.groups)]
        kept = windows([(t, count) for _, t, count in self.groups], targets, delta * _CUT, self.step)
        return adaptive_curve(chain.from_iterable(stages), kept, self.step)

    def _envelope(self, targets: tuple[float, float], delta: float) -> Curve:
        """Return the curve of one dominating loss for each release, composed in any order."""
        cut, low = delta * _CUT / len(self.groups), _LOWEST / len(self.groups)
        powers = [
            power(self._losses(c, t, True, delta)[0], count, highest=cut, lowest=low) for c, t, count in self.groups
        ]
        total = reduce(merged, powers)
        step = float(total.step)
        # An envelope costs more than the guess knows; points are cheap here.
        return fixed_curve(total, math.floor(targets[0] / step) - 1, math.ceil(2 * targets[1] / step) + 1)


def envelope_loss(
    release: Release, step: Fraction, resolution: float, most: int, *, highest: float = _LIBRARY_CUT
) -> DiscreteLoss | None:
    """Return one discrete loss on multiples of `step` that dominates all admissible pairs; None over `most` points.

    The dots are `resolution` to a standard deviation, or at every multiple if the step is coarser. About `highest` is
    what goes to infinity.
    """
    cover = admissible_cells(release)
    tails = Tails.of(cover.cells, exponents_for(cover.cells, 1))
    # Computed on a coarser grid and spread: the dots cost, and zeros between them cost nothing.
    factor = max(1, math.floor(math.sqrt(largest_variance(cover.cells)) / resolution / step))
    first, last = grid_ends(tails, step * factor, highest, _LOWEST)
    if (last - first) * factor > most:
        return None
    known = Dots()
    dots = needed_dots(cover, lambda cell: known.greatest(cell, step * factor, first, last))
    return spread(loss_through(np.max(dots, axis=0), step * factor, first), factor)


def _cover(release: Release, focus: Focus | None, resolution: float | None) -> Cover:
    """Return the cells of one release; around `focus` below the threshold, more of them for a finer grid."""
    if focus is None:
        return admissible_cells(release)
    finer = FEWEST_POINTS if resolution is None else math.ceil(min(resolution, _MOST_CELLS_TO_A_SIDE))
    return cells_around(release, focus.place, points=max(FEWEST_POINTS, finer), both_fine=focus.both_orders)


def usual_resolution(steps: int) -> float:
    """Return the usual number of grid points in a standard deviation, for this number of releases."""
    return max(4.0, min(_FINEST, _FINEST * math.pow(_FEW_STEPS / steps, 1 / 3)))
