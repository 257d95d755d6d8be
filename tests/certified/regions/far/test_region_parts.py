"""The parts of branch and bound, each by itself: witnesses, splits, halves, forms and ends, on exact numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy
from flint import arb

from rgm_verify.balls import branch
from rgm_verify.balls.arithmetic import ball, exact, precision
from rgm_verify.balls.branch import (
    Box,
    _compile,
    _fails_at,
    _halves,
    _mean_value,
    _Minimiser,
    _radius_ball,
    _Region,
    _Search,
    _split_axis,
)
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


@pytest.mark.parametrize("half", [F(1), F(1, 2), F(3, 8), F(1, 3), F(10**9 + 7, 3), (2**29 + 1) * (1 + F(1, 2**33))])
@pytest.mark.parametrize("bits", [64, 256])
def test_a_ball_for_a_radius_holds_both_ends(half: Fraction, bits: int) -> None:
    """With 256 bits the last is a hair above a number of 30 bits, which a hair less is rounded up to."""
    with precision(bits):
        found = _radius_ball(half)
        low, high = exact(found.lower()), exact(found.upper())
    assert low is not None
    assert high is not None
    assert low <= -half
    assert half <= high
    if half.denominator in (1, 2, 8) and half < 2:
        assert (low, high) == (-half, half)
    assert -low <= half * (1 + F(1, 2**28))
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


# ------------------------------------------------------------------------------------------------- least values


def minimiser(expression: sympy.Expr, box: dict, hypotheses: tuple = (), centred: bool = True) -> _Minimiser:
    program, region_box = _compile(expression, box, hypotheses)
    return _Minimiser(_Region.build(program, region_box, centred))


def visited(search: _Minimiser) -> _Minimiser:
    zeros = (0,) * len(search.region.spans)
    search._visit(search.region.start(), (zeros, zeros))
    return search


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("expression", [sympy.sqrt(x), sympy.sqrt(x) + x])
def test_without_finite_slopes_the_middle_of_a_cell_is_tried(expression: sympy.Expr, centred: bool) -> None:
    """The slope of the root is infinite at 0."""
    with precision(64):
        search = visited(minimiser(expression, {"x": (F(0), F(1, 2))}, centred=centred))
        assert search.point == {"x": F(1, 4)}
        assert search.best is not None
        assert abs(search.best - (F(1, 2) if expression == sympy.sqrt(x) else F(3, 4))) < F(1, 10**15)
        assert search.boxes == 1
        assert len(search.heap) == 1


def test_with_slopes_of_one_sign_the_least_corner_is_tried_and_bounds_the_cell() -> None:
    with precision(64):
        for expression, place in ((x**2 + x, F(1)), (-x, F(2)), (1 / x, F(2))):
            search = visited(minimiser(expression, {"x": (F(1), F(2))}))
            value = expression.subs(x, sympy.Rational(place.numerator, place.denominator))
            exact_value = F(int(value.p), int(value.q))
            assert search.point == {"x": place}
            assert search.best is not None
            assert 0 <= search.best - exact_value < F(1, 10**15)
            ((priority, _, lower, _, cell, slopes),) = search.heap
            assert cell == ((0,), (0,))
            assert exact(lower) <= exact_value
            assert exact_value - exact(lower) < F(1, 10**15)
            assert priority == float(lower)
            assert slopes is not None


def test_a_cell_outside_the_hypotheses_or_above_the_best_value_is_left() -> None:
    with precision(64):
        outside = visited(minimiser(x, {"x": (F(0), F(1))}, (x - 2,)))
        assert (outside.heap, outside.best, outside.boxes) == ([], None, 1)
        assert outside.enclosure().indeterminate
        above = minimiser(x, {"x": (F(0), F(1))})
        above.best, above.best_ball = F(-1), ball(F(-1))
        visited(above)
        assert (above.heap, above.best) == ([], F(-1))
        equal = minimiser(x, {"x": (F(0), F(1))})
        equal.best, equal.best_ball = F(0), ball(F(0))
        assert len(visited(equal).heap) == 1


def test_a_point_is_kept_only_where_every_hypothesis_certainly_holds_and_it_is_less() -> None:
    with precision(64):
        search = minimiser(x, {"x": (F(0), F(1))}, (x - sympy.Rational(1, 2), 1 - x))
        search._try({"x": F(1, 4)})
        assert search.point is None
        search._try({"x": F(3, 4)})
        assert (search.point, search.best) == ({"x": F(3, 4)}, F(3, 4))
        search._try({"x": F(7, 8)})
        assert search.point == {"x": F(3, 4)}
        search._try({"x": F(1, 2)})
        assert (search.point, search.best) == ({"x": F(1, 2)}, F(1, 2))
        assert search.best_ball is not None
        assert search.best_ball >= ball(F(1, 2))
        doubtful = minimiser(x, {"x": (F(0), F(1))}, (sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1,))
        doubtful._try({"x": F(1, 3)})
        assert doubtful.point is None
        undefined = minimiser(1 / (x - sympy.Rational(1, 2)), {"x": (F(0), F(1))})
        undefined._try({"x": F(1, 2)})
        assert undefined.point is None


def test_a_cell_too_small_to_split_still_bounds_the_least_value() -> None:
    with precision(64):
        search = minimiser(x, {"x": (F(0), F(1))})
        search.best = F(5)
        assert search.enclosure() == Enclosure(F(5), F(5))
        search._close(arb(3))
        assert search.enclosure() == Enclosure(F(3), F(5))
        search._close(arb(4))
        assert search.enclosure() == Enclosure(F(3), F(5))
        search._close(arb(2))
        assert search.enclosure() == Enclosure(F(2), F(5))
        search._close(None)
        assert search.enclosure() == Enclosure(None, F(5))
        infinite = minimiser(x, {"x": (F(0), F(1))})
        infinite._close(-arb.pos_inf())
        assert infinite.unresolved
        assert infinite.enclosure() == Enclosure(None, None)


def test_the_least_bound_of_the_heap_counts_and_one_cell_without_a_bound_takes_it_away() -> None:
    with precision(64):
        search = minimiser(x, {"x": (F(0), F(1))})
        search.best = F(9)
        # Two bounds that round to one float: the one behind is the smaller.
        lows = [arb(1) + arb(2) ** -60, arb(1) + arb(2) ** -61]
        search.heap = [(float(low), number, low, (), (), None) for number, low in enumerate(lows)]
        assert search.enclosure().lower == 1 + F(1, 2**61)
        search.heap.append((2.0, 7, arb(2), (), (), None))
        assert search.enclosure().lower == 1 + F(1, 2**61)
        search.closed = F(1, 2)
        assert search.enclosure().lower == F(1, 2)
        search.heap.insert(0, (float("-inf"), 8, None, (), (), None))
        assert search.enclosure() == Enclosure(None, F(9))


@pytest.mark.parametrize(
    ("low", "best", "width", "narrow"),
    [(F(9), F(10), F(1, 10), True), (F(9), F(10), F(1, 11), False), (F(-10), F(-9), F(1, 10), True),
     (F(-10), F(-9), F(1, 11), False), (F(-1), F(1), F(2), True), (F(-1), F(1), F(19, 10), False),
     (F(0), F(0), F(0), True), (None, F(1), F(5), False), (F(1), None, F(5), False)],
)  # fmt: skip
@pytest.mark.parametrize("in_heap", [True, False])
def test_an_enclosure_is_narrow_relative_to_its_larger_end(low, best, width, narrow: bool, in_heap: bool) -> None:
    with precision(64):
        search = minimiser(x, {"x": (F(0), F(1))})
        search.best = best
        if low is None:
            search.unresolved = True
        elif in_heap:
            search.heap = [(float(low), 0, ball(low), (), (), None)]
        else:
            search.closed = low
        assert search._narrow(width) is narrow


@pytest.mark.parametrize("shift", [F(0), F(1, 3), F(-2)])
def test_a_range_takes_the_boxes_that_its_width_needs(shift: Fraction) -> None:
    """The parabola needs about one cell of its width's root around the top: few boxes, and more for a hundredth."""
    top = sympy.Rational(1, 3)
    boxes = []
    for width in (F(1, 100), F(1, 10**4), F(1, 10**6)):
        found = branch.bound_range(1 + sympy.Rational(shift.numerator, shift.denominator) - (x - top) ** 2, UNIT,
                                   relative_width=width)  # fmt: skip
        assert found.complete
        assert found.supremum.contains(1 + shift)
        assert found.infimum.contains(1 + shift - F(4, 9))
        for end in (found.supremum, found.infimum):
            assert end.width() <= width * max(abs(end.lower), abs(end.upper))
        boxes.append(found.boxes)
    assert boxes[0] <= boxes[1] <= boxes[2] <= 80


@pytest.mark.parametrize("complete", [(True, True), (True, False), (False, True), (False, False)])
def test_a_range_is_complete_only_where_both_searches_are(complete: tuple[bool, bool], monkeypatch) -> None:
    searches = iter(
        branch._Minimum(Enclosure(F(low), F(low + 1)), {"x": F(low)}, 3 + low, done)
        for low, done in zip((0, 5), complete, strict=True)
    )
    monkeypatch.setattr(branch, "_minimise", lambda *a: next(searches))
    found = branch.bound_range(x, UNIT)
    assert found.complete is all(complete)
    assert (found.infimum, found.supremum) == (Enclosure(F(0), F(1)), Enclosure(F(-6), F(-5)))
    assert (found.where_infimum, found.where_supremum, found.boxes) == ({"x": F(0)}, {"x": F(5)}, 11)


def test_the_mean_value_form_adds_what_every_axis_of_unknown_slope_adds() -> None:
    with precision(64):
        program, box = _compile(x**2 + y**2, {"x": (F(-1), F(1)), "y": (F(-1), F(1))}, ())
        region = _Region.build(program, box, True)
        start, depths = region.start(), (0, 0)
        slopes = [arb(1, 2), arb(0, 3)]  # [-1, 3] and [-3, 3] over [-1, 1]
        _, value, form, sides = _mean_value(region, start, depths, slopes)
        assert (exact(value), sides) == (F(0), [0, 0])
        low, high = exact(form.lower()), exact(form.upper())
        assert low is not None
        assert high is not None
        assert F(-6) - F(1, 10**6) <= low <= -6
        assert 6 <= high <= F(6) + F(1, 10**6)


def test_a_negated_program_and_a_mirrored_enclosure_are_the_other_side() -> None:
    program, box = _compile(x**2 - 3, UNIT, (x,))
    negated = branch._negated(program)
    with precision(64):
        for at in (F(0), F(1, 3), F(1)):
            (one, condition), (other, same) = (branch.compile_balls(p)(ball(at)) for p in (program, negated))
            assert (one + other).contains(0)
            assert condition.overlaps(same)
    assert box.names == ("x",)
    assert branch._mirror(Enclosure(F(1), F(2))) == Enclosure(F(-2), F(-1))
    assert branch._mirror(Enclosure(None, F(2))) == Enclosure(F(-2), None)
    assert branch._mirror(Enclosure(None, None, indeterminate=True)).indeterminate


@pytest.mark.parametrize("axes", [1, 2, 3, 5])
def test_the_grid_of_first_points_has_both_ends_and_points_between(axes: int) -> None:
    """A dent at one point of the grid is found before the search, one beside the grid is not."""
    names = [f"v{k}" for k in range(axes)]
    symbols = [sympy.Symbol(name, real=True) for name in names]
    box = Box({name: (F(-1), F(3)) for name in names})
    per_axis = {1: 243, 2: 15, 3: 6, 5: 3}[axes]
    for place in (0, per_axis - 1, per_axis // 2):
        at = F(-1) + F(4 * place, per_axis - 1)
        dent = sum((s - sympy.Rational(at.numerator, at.denominator)) ** 2 for s in symbols) - sympy.Rational(1, 10**12)
        program, _ = _compile(dent, box, ())
        assert branch._sampled_witness(program, box, False) == dict.fromkeys(names, at)
        beside = sum(
            (s - sympy.Rational(at.numerator, at.denominator) - sympy.Rational(1, 10**4)) ** 2 for s in symbols
        )
        program, _ = _compile(beside - sympy.Rational(1, 10**12), box, ())
        assert branch._sampled_witness(program, box, False) is None


def test_the_first_points_of_a_fixed_box_are_its_only_one() -> None:
    box = Box({"x": (F(2), F(2))})
    for expression, strict, found in ((x - 3, False, True), (x - 2, False, False), (x - 2, True, True)):
        program, _ = _compile(expression, box, ())
        assert branch._sampled_witness(program, box, strict) == ({"x": F(2)} if found else None)
    program, _ = _compile(x - x - 1, Box({}), ())
    assert branch._sampled_witness(program, Box({}), False) == {}


# -------------------------------------------------------------------------------------------------- one search


def search_of(expression: sympy.Expr, box: dict, hypotheses=(), strict=False, centred=True, boxes=1) -> _Search:
    """A search that has run; the points of the grid are not tried before."""
    program, region_box = _compile(expression, box, hypotheses)
    search = _Search(_Region.build(program, region_box, centred), strict, boxes)
    search.run()
    return search


DENT = (x - sympy.Rational(1, 2)) ** 2 - sympy.Rational(1, 10**9)


@pytest.mark.parametrize("expression", [DENT, DENT + sympy.sqrt(x) * sympy.Rational(1, 10**12)])
def test_without_slopes_the_middle_of_the_cell_is_the_witness(expression: sympy.Expr) -> None:
    with precision(64):
        for centred in (True, False):
            search = search_of(expression, {"x": (F(0), F(1))}, centred=centred, boxes=3)
            assert search.witness == {"x": F(1, 2)}


def test_with_slopes_of_one_sign_the_corner_is_the_witness() -> None:
    with precision(64):
        for expression, place in ((x - sympy.Rational(1, 100), F(0)), (sympy.Rational(99, 100) - x, F(1))):
            assert search_of(expression, {"x": (F(0), F(1))}).witness == {"x": place}


@pytest.mark.parametrize("strict", [True, False])
def test_a_leaf_is_proved_where_its_value_or_its_form_is_at_least_zero(strict: bool) -> None:
    with precision(64):
        unit = {"x": (F(0), F(1))}
        for expression, codes in ((x + 1, "DD"), (x, "DM"), (x - x**2 / 2 + 1, "DD"), (x**3 + x, "DM")):
            search = search_of(expression, unit, strict=strict, boxes=1)
            zero_inside = expression.subs(x, 0) == 0
            if strict and zero_inside:
                assert search.witness == {"x": F(0)}
                continue
            assert "".join(search.tree) in codes
            assert search.undecided_count == 0
            assert search.least is not None
            least = exact(search.least)
            assert least is not None
            assert F(-1, 10**9) <= least <= F(int(expression.subs(x, 0)))


def test_the_least_of_all_leaves_is_kept() -> None:
    with precision(64):
        search = search_of(x, {"x": (F(0), F(1))})
        for value, least in ((arb(5), F(0)), (arb(-1), F(-1)), (arb(0), F(-1)), (arb(-3, 1), F(-4))):
            search._note(value, "D")
            found = exact(search.least)
            assert found is not None
            assert abs(found - least) <= F(1, 2**26)
        assert search.tree[-4:] == ["D"] * 4


def test_a_cell_where_a_hypothesis_certainly_fails_is_left_out_with_its_number() -> None:
    unit = {"x": (F(0), F(1))}
    with precision(64):
        for hypotheses, code in (((x - 2,), 0), ((x, x - 2), 1), ((x, 2 - x, x - 3), 2)):
            assert search_of(x - 5, unit, hypotheses).tree == [branch.EXCLUDED[code]]
        # At the corner that the slope points to, the hypothesis holds with equality.
        assert search_of(x - 1, unit, (-x,)).witness == {"x": F(0)}
        assert search_of(x - 1, unit, (-x, x - 1)).witness is None


@pytest.mark.parametrize("boxes", [1, 2, 5, 20])
def test_a_search_looks_at_no_more_boxes_than_allowed_and_counts_what_is_left(boxes: int) -> None:
    with precision(64):
        hard = sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1
        search = search_of(hard, {"x": (F(0), F(1))}, boxes=boxes)
        splits = [code for code in search.tree if code != "?"]
        assert len(splits) <= boxes
        assert search.tree.count("?") == search.undecided_count == len(splits) + 1
        assert search.result(64, None).status == "undecided"


def test_of_many_undecided_cells_a_hundred_are_shown() -> None:
    with precision(64):
        search = search_of(x, {"x": (F(0), F(1))})
        for number in range(150):
            search._give_up(((8,), (number,)))
        found = search.result(64, None)
        assert (found.undecided_count, len(found.undecided)) == (150, branch.SHOWN_BOXES)
        assert found.undecided[3].axes == {"x": (F(3, 256), F(4, 256))}
