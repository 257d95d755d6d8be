"""Discrete losses of one release of a sample lie on their side of its exact curve, on grids that are much too short."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import pytest

from rgm_verify.recheck import sampled
from rgm_verify.recheck.losses import delta
from rgm_verify.recheck.replay import one_sampled
from rgm_verify.recheck.sampled import Grid, Sample, above, below

DIGITS, BITS = 25, 160
RATE, NOISE = Fraction(1, 5), Fraction(1)
GRIDS = [(Fraction(1, 5), (-2, 3, 1)), (Fraction(1, 10), (-1, 30, 3)), (Fraction(1, 7), (-2, 12, 1))]
LEVELS = [Fraction(k, 9) for k in range(12)]


@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize(("step", "run"), GRIDS)
def test_one_release_lies_between_both(step, run, remove):
    grid = Grid(step, (run,), DIGITS, 0)
    upper = above(Sample(RATE, NOISE).tails, grid, remove=remove)
    lower, offset = below(Sample(RATE, NOISE), grid, remove=remove)
    unit = 10**DIGITS
    assert sum(upper.masses) + upper.infinite >= unit
    assert sum(lower.masses) <= unit
    for level in LEVELS:
        low, high = one_sampled(level, RATE, NOISE, BITS, remove=remove)
        assert Fraction(low, 1 << BITS) <= Fraction(delta(upper, level, step), unit)
        assert Fraction(delta(lower, level - offset, step), unit) <= Fraction(high, 1 << BITS)


@pytest.mark.parametrize("remove", [True, False])
def test_a_place_that_is_too_high_is_not_believed(remove):
    """The guide in floats may say what it likes: places that are two too high are lowered to what is certain."""
    grid = Grid(Fraction(1, 7), ((-2, 12, 1),), DIGITS, 0)
    guide = sampled._cells

    def boastful(*arguments):
        offset, cells = guide(*arguments)
        return offset, [(place + 2, end) for place, end in cells]

    with patch.object(sampled, "_cells", boastful):
        lower, offset = below(Sample(RATE, NOISE), grid, remove=remove)
    for level in LEVELS:
        _, high = one_sampled(level, RATE, NOISE, BITS, remove=remove)
        assert Fraction(delta(lower, level - offset, grid.step), 10**DIGITS) <= Fraction(high, 1 << BITS)
