"""Cells that are left out lie under a mixture of two that stay, and adversaries who play them stay below the bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rgm_verify.accounting.composition.choices import needed_dots, under_two
from rgm_verify.accounting.composition.envelope import Dots, loss_through
from rgm_verify.accounting.composition.value_iteration import Curve, adaptive_curve
from rgm_verify.accounting.exact.admissible_pairs import Branch, Cover, admissible_cells, cells_around
from rgm_verify.accounting.release import Release
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure

STEP = Fraction(1, 16)
FIRST, LAST = -120, 160
RELEASES = [Release("1/100", "1/400", 22), Release("1/2", "1/4", 2), Release("1/10", "1/100", 3)]
BELOW = [Release("1/10", "1/10", 5, r_rel=1, sigma2=5), Release(1, 1, 3, r_rel=1, sigma2="1/9")]
COVERS = [
    *map(admissible_cells, RELEASES + BELOW),
    *(cells_around(release, Fraction(8, 5), both_fine=fine) for release in BELOW for fine in (True, False)),
]

numbers = st.floats(0, 1) | st.floats(0, 1).map(lambda x: x * x) | st.sampled_from([0.0, 5e-324, 1e-300])


def shares(dots, a, b):
    """The shares of `a` in mixtures that are nowhere below the dots, exactly: both ends, None where there are none."""
    low, high = Fraction(0), Fraction(1)
    for dot, one, other in zip(*(map(Fraction, array.tolist()) for array in (dots, a, b)), strict=True):
        if one == other and dot > other:
            return None
        if one > other:
            low = max(low, (dot - other) / (one - other))
        if one < other:
            high = min(high, (other - dot) / (other - one))
    return (low, high) if low <= high else None


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=8), st.floats(0, 1), st.floats(0.5, 1.5))
@example([(0.5, 0.0, 5e-324)], 0.5, 1.0)  # a quotient beyond the range of floats
def test_what_is_said_to_lie_under_a_mixture_does_exactly(rows, share, scale):
    dots, a, b = np.array(rows).T
    # Near a mixture both answers come up.
    for tried in (dots, scale * (share * a + (1 - share) * b)):
        if under_two(tried, [a, b]):
            assert shares(tried, a, b) is not None


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=8), st.integers(0, 16))
def test_every_mixture_with_room_is_found(rows, parts):
    a, b = np.array(rows).T + 0.01
    # The share is rounded to 20 bits, and no dot of these changes by more than 2^-20 with it.
    assert under_two((parts / 16 * a + (1 - parts / 16) * b) * (1 - 2.0**-12), [a, b])


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=8), st.integers(0, 7))
def test_a_dot_above_both_is_never_under_them(rows, place):
    a, b = np.array(rows).T
    dots = np.minimum(a, b)
    dots[place % len(dots)] = np.nextafter(max(a[place % len(dots)], b[place % len(dots)]), 2)
    assert not under_two(dots, [a, b])


@pytest.mark.parametrize("cover", COVERS)
def test_every_cell_lies_under_a_mixture_of_those_that_stay(cover):
    dots = Dots()
    kept = needed_dots(cover, lambda cell: dots.greatest(cell, STEP, FIRST, LAST))
    for cell in cover.cells:
        own = dots.greatest(cell, STEP, FIRST, LAST)
        stays = any(np.array_equal(own, other) for other in kept)
        # What was left out with its branch has to lie under a mixture too, since the branch lies above it.
        assert stays or any(shares(own, a, b) is not None for a, b in combinations(kept, 2))


def curve_of_two(kept) -> Curve:
    losses = [loss_through(dots, STEP, FIRST) for dots in kept]
    return adaptive_curve([losses, losses], [(-400, 400), (-200, 200), (-64, 96)], STEP)


def beaten(curve: Curve, pair, index: int) -> bool:
    """Tell whether two releases of one pair, which are one pair, certainly reach more than the bound."""
    both = pair.repeated(2)
    exact = hockey_stick_enclosure(index * STEP, both.shift_squared, both.excess, both.dimension)
    return Fraction(float(curve.values[index - curve.first])) < exact.lower


@pytest.mark.parametrize("cover", COVERS)
def test_no_pair_played_twice_is_above_the_bound_of_the_cells_that_stay(cover):
    dots = Dots()
    curve = curve_of_two(needed_dots(cover, lambda cell: dots.greatest(cell, STEP, FIRST, LAST)))
    for pair in {pair for cell in cover.cells for pair in cell}:
        assert not any(beaten(curve, pair, index) for index in (-64, -16, -1, 0, 1, 7, 32, 96))


@pytest.mark.parametrize("cover", COVERS[:3])
def test_one_order_of_the_pairs_alone_is_beaten(cover):
    """The control: without the cells that lead, what is left does not bound everything."""
    dots = Dots()
    curve = curve_of_two([dots.greatest(cover.leading[-1], STEP, FIRST, LAST)])
    assert any(beaten(curve, pair, index) for pair in cover.leading[0] for index in (-16, 0, 32, 96))


@pytest.mark.parametrize("release", RELEASES[:2])
def test_two_cells_are_all_that_a_covered_release_needs(release):
    cover, dots = admissible_cells(release), Dots()
    assert len(needed_dots(cover, lambda cell: dots.greatest(cell, STEP, FIRST, LAST))) == 2 < len(cover.cells)


def test_parts_of_a_branch_are_looked_at_where_the_branch_is_needed():
    a, b, high, low = (np.array(x) for x in ([1.0, 0.0], [0.0, 1.0], [0.9, 0.9], [0.4, 0.4]))
    names = {"a": a, "b": b, "joined": high, "first": low, "second": high}
    parts = Branch("joined", (Branch("first"), Branch("second")))
    found = needed_dots(Cover(("a", "b"), (parts,)), names.__getitem__)
    assert [array.tolist() for array in found] == [[1, 0], [0, 1], [0.9, 0.9]]
    assert len(needed_dots(Cover(("a", "b"), (Branch("first", (Branch("joined"),)),)), names.__getitem__)) == 2
