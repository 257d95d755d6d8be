"""The parts of branch and bound, each by itself: witnesses, splits, halves, forms and ends, on exact numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy
from flint import arb

from rgm_verify.balls import branch
from rgm_verify.balls.arithmetic import ball, exact, precision
from rgm_verify.balls.branch import Box, _compile, _fails_at, _halves, _mean_value, _radius_ball, _Region, _split_axis
from rgm_verify.balls.enclose import Enclosure

x, y = sympy.symbols("x y", real=True)
F = Fraction
UNIT = Box({"x": (F(0), F(1))})


@pytest.mark.parametrize(
    ("value", "strict", "fails"),
    [(F(1, 2), True, False), (F(1, 2), False, False), (F(0), True, True), (F(0), False, False), (F(-1, 2), False, True),
     (F(-1, 2), True, True), (F(1, 10**30), True, False), (F(-1, 10**30), False, True)],
)  # fmt: skip
def test_an_inequality_fails_at_a_point_only_where_that_is_certain(value: Fraction, strict: bool, fails: bool) -> None:
    program, _ = _compile(x, {"x": (F(-1), F(1))}, ())
    assert _fails_at(program, {"x": value}, strict) is fails


@pytest.mark.parametrize(("at", "fails"), [(F(0), True), (F(1, 4), True), (F(1, 2), False), (F(-1, 8), False)])
def test_a_point_is_a_failure_only_where_every_hypothesis_holds(at: Fraction, fails: bool) -> None:
    program, _ = _compile(-1 - x**2, {"x": (F(-1), F(1))}, (x, sympy.Rational(1, 4) - x))
    assert _fails_at(program, {"x": at}, False) is fails


def test_what_no_ball_decides_is_no_failure() -> None:
    zero = sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1
    program, _ = _compile(zero, UNIT, ())
    assert not _fails_at(program, {"x": F(1, 3)}, True)
    hidden, _ = _compile(-1 - x, UNIT, (zero,))
    assert not _fails_at(hidden, {"x": F(1, 3)}, False)


@pytest.mark.parametrize("half", [F(1), F(1, 2), F(3, 8), F(1, 3), F(10**9 + 7, 3)])
def test_a_ball_for_a_radius_holds_both_ends(half: Fraction) -> None:
    with precision(64):
        found = _radius_ball(half)
        low, high = exact(found.lower()), exact(found.upper())
    assert low is not None
    assert high is not None
    assert low <= -half
    assert half <= high
    if half.denominator in (1, 2, 8) and half < 2:
        assert (low, high) == (-half, half)
    assert high <= half * (1 + F(1, 2**28))


def test_a_cell_is_halved_into_two_that_cover_it() -> None:
    with precision(64):
        program, box = _compile(x + y, {"x": (F(0), F(1)), "y": (F(-1), F(3))}, ())
        region = _Region.build(program, box, True)
        zeros = (0, 0)
        upper, lower = _halves(region, region.start(), (zeros, zeros), 1)
        assert [region.cell_box(cell).axes["y"] for _, cell in (lower, upper)] == [(F(-1), F(1)), (F(1), F(3))]
        assert all(region.cell_box(cell).axes["x"] == (F(0), F(1)) for _, cell in (lower, upper))
        assert [exact(centre[1]) for centre, _ in (lower, upper)] == [F(0), F(2)]
        deeper, _ = _halves(region, *lower, 0)
        assert region.cell_box(deeper[1]).axes == {"x": (F(1, 2), F(1)), "y": (F(-1), F(1))}
        covered = region.enclose(deeper[0], deeper[1][0])
        ends = ((F(1, 2), F(1)), (F(-1), F(1)))
        assert all(part.contains(ball(end)) for part, pair in zip(covered, ends, strict=True) for end in pair)
        assert region.point(deeper[1], (-1, 0)) == {"x": F(1, 2), "y": F(0)}
        assert region.point(deeper[1], (1, 1)) == {"x": F(1), "y": F(1)}


def test_the_mean_value_form_starts_from_the_corner_that_the_slopes_point_to() -> None:
    with precision(64):
        program, box = _compile(3 * x - 2 * y + (x - x) * y, {"x": (F(0), F(1)), "y": (F(0), F(1))}, ())
        region = _Region.build(program, box, True)
        start, depths = region.start(), (0, 0)
        assert region.gradient is not None
        place, value, form, sides = _mean_value(region, start, depths, region.gradient(*region.enclose(start, depths)))
        assert (sides, [exact(v) for v in place]) == ([-1, 1], [F(0), F(1)])
        assert exact(value) == exact(form) == F(-2)
        mixed, _ = _compile(x**2, {"x": (F(-1), F(1))}, ())
        kink = _Region.build(mixed, Box({"x": (F(-1), F(1))}), True)
        assert kink.gradient is not None
        place, value, form, sides = _mean_value(
            kink, kink.start(), (0,), kink.gradient(*kink.enclose(kink.start(), (0,)))
        )
        assert (sides, exact(value), exact(place[0])) == ([0], F(0), F(0))
        low, high = exact(form.lower()), exact(form.upper())
        assert low is not None
        assert high is not None
        assert low <= -2
        assert high >= 2


def test_the_axis_that_varies_most_is_split_and_none_beyond_the_depth() -> None:
    with precision(64):
        program, box = _compile(x + y, {"x": (F(0), F(1)), "y": (F(0), F(8))}, ())
        region = _Region.build(program, box, True)
        assert _split_axis(region, (0, 0), [arb(1), arb(1)]) == 1
        assert _split_axis(region, (0, 0), [arb(-9), arb(1)]) == 0
        assert _split_axis(region, (0, 4), [arb(1), arb(1)]) == 0
        assert _split_axis(region, (2, 1), None) == 1
        assert _split_axis(region, (branch.MAXIMUM_DEPTH, 5), [arb(9), arb(1)]) == 1
        assert _split_axis(region, (branch.MAXIMUM_DEPTH,) * 2, [arb(1), arb(1)]) == -1
        flat, where = _compile(x + y, {"x": (F(0), F(0)), "y": (F(0), F(1))}, ())
        assert _split_axis(_Region.build(flat, where, True), (0, 0), None) == 1


def test_a_lower_bound_is_below_every_value_and_known_where_certified() -> None:
    found = branch.certify(x**2 - x + 1, UNIT)
    assert found.status == "certified"
    assert found.lower_bound is not None
    assert F(0) <= found.lower_bound <= F(3, 4)
    assert branch.certify(x + 1, {"x": (F(0), F(0))}).lower_bound == F(1)


def test_the_least_box_that_is_left_is_counted_with_the_rest() -> None:
    hard = sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1
    found = branch.certify(hard, UNIT, maximum_boxes=10)
    assert (found.status, found.certificate) == ("undecided", None)
    assert found.boxes == 2 * found.undecided_count - 1  # a binary tree
    ends = sorted(box.axes["x"] for box in found.undecided)
    assert (ends[0][0], ends[-1][1]) == (F(0), F(1))
    assert all(before[1] == after[0] for before, after in itertools.pairwise(ends))


@pytest.mark.parametrize(
    ("expression", "box", "low", "high"),
    [
        (x**2 + x, {"x": (F(1), F(2))}, F(2), F(6)),
        (x * y, {"x": (F(-1), F(1)), "y": (F(2), F(3))}, F(-3), F(3)),
        (-x, {"x": (F(1), F(3))}, F(-3), F(-1)),
    ],
)
def test_a_range_reaches_its_ends(expression: sympy.Expr, box: dict, low: Fraction, high: Fraction) -> None:
    found = branch.bound_range(expression, box)
    assert found.complete
    assert found.infimum.contains(low)
    assert found.supremum.contains(high)
    assert (found.infimum.upper, found.supremum.lower) == (low, high)
    for end, place in ((low, found.where_infimum), (high, found.where_supremum)):
        assert place is not None
        values = {sympy.Symbol(n, real=True): sympy.Rational(v.numerator, v.denominator) for n, v in place.items()}
        assert expression.subs(values) == sympy.Rational(end.numerator, end.denominator)


def test_a_range_stays_within_its_number_of_boxes_and_says_so() -> None:
    found = branch.bound_range(sympy.sin(20 * x) * x, UNIT, relative_width=F(1, 10**9), maximum_boxes=5)
    assert not found.complete
    assert found.boxes <= 14
    assert found.infimum.lower is not None
    assert found.infimum.lower <= F(-9, 10)
    empty = branch.bound_range(x, UNIT, hypotheses=(x - 2,))
    assert (empty.infimum, empty.where_infimum) == (Enclosure(None, None, indeterminate=True), None)
