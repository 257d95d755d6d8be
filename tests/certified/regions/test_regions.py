"""Branch and bound proves what is true, finds what is false, and says when it does not know."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.balls.branch import certify
from rgm_verify.balls.cells import Box
from rgm_verify.balls.enclose import sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.balls.ranges import bound_range
from rgm_verify.balls.replay import replay
from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims.written.trees import inequality_on_box

r, c = sympy.symbols("r c", real=True)
UNIT = {"r": (Fraction(0), Fraction(1)), "c": (Fraction(0), Fraction(1))}
LOG_GAP = (r - 1 - sympy.log(r) - c * (r - 1) ** 2) * (1 + c) / (2 + r)

TRUE = [
    ("logarithm_below_its_tangent", r - 1 - sympy.log(r), {"r": (Fraction(11, 10), Fraction(5))}, ()),
    ("remainder_above_its_end", LogRemainder(2, r) - c, {"r": UNIT["r"], "c": (Fraction(0), Fraction(3, 10))}, ()),
    ("log_gap", LOG_GAP, {"r": (Fraction(101, 100), Fraction(2)), "c": (Fraction(1, 10), Fraction(306, 1000))}, ()),
    ("square", (r - c) ** 2, UNIT, ()),
    ("under_a_hypothesis", r - c, UNIT, (r - c - sympy.Rational(1, 50),)),
    ("kinks", sympy.Abs(r - c) + sympy.Max(r, c) - sympy.Min(r, c) + sympy.Rational(1, 100), UNIT, ()),
    ("non_dyadic_ends", sympy.exp(r) - 1 - r, {"r": (Fraction(1, 3), Fraction(7, 5))}, ()),
    ("equality_at_a_corner", r + c, UNIT, ()),
    ("fixed_axis", r * c - c, {"r": (Fraction(1), Fraction(2)), "c": (Fraction(3), Fraction(3))}, ()),
    ("empty_hypotheses", -sympy.Integer(1) + 0 * r, UNIT, (-1 - r,)),
]


@pytest.mark.parametrize(("name", "expression", "box", "hypotheses"), TRUE, ids=[case[0] for case in TRUE])
def test_true_inequalities_are_certified_and_replayed(name, expression, box, hypotheses):
    about = inequality_on_box("test:inequality", expression, box, hypotheses=hypotheses)
    found = certify(expression, box, hypotheses=hypotheses, subject=about)
    assert found.status == "certified"
    assert found.certificate is not None
    assert found.boxes == len(found.certificate.tree)
    result = replay(found.certificate.to_json())
    assert result.accepted, result.reason
    assert result.leaves == found.certificate.leaves()


FALSE = [
    (r - 1 - sympy.log(r) - c * (r - 1) ** 2, {"r": (Fraction(1), Fraction(2)), "c": (Fraction(0), Fraction(31, 100))}),
    ((r - sympy.Rational(1, 3)) ** 2 + (c - sympy.Rational(2, 7)) ** 2 - sympy.Rational(1, 10**6), UNIT),
    (sympy.Abs(r - sympy.Rational(1, 7)) - sympy.Rational(1, 1000), {"r": UNIT["r"]}),
    (LogRemainder(2, r) - c, {"r": UNIT["r"], "c": (Fraction(0), Fraction(307, 1000))}),
]


@pytest.mark.parametrize(("expression", "box"), FALSE)
def test_false_inequalities_get_an_exact_witness_inside_the_box(expression, box):
    found = certify(expression, box)
    assert found.status == "violated"
    assert found.certificate is None
    assert found.witness is not None
    assert sign_at(expression, found.witness) == "negative"
    assert all(low <= found.witness[name] <= high for name, (low, high) in box.items())


small = st.fractions(min_value=0, max_value=1, max_denominator=20)


@settings(max_examples=40)
@given(
    small, small, st.fractions(min_value=Fraction(-1, 4), max_value=Fraction(1, 4), max_denominator=200), st.booleans()
)
def test_the_verdict_on_a_paraboloid_is_the_sign_of_its_least_value(at_r, at_c, least, strict):
    bowl = (
        (r - at_r.limit_denominator()) ** 2 + 3 * (c - at_c) ** 2 + sympy.Rational(least.numerator, least.denominator)
    )
    found = certify(bowl, UNIT, strict=strict, maximum_boxes=20_000)
    if least > 0:
        assert found.status == "certified"
        assert found.lower_bound is not None
        assert 0 <= found.lower_bound <= least
    elif least < 0:
        assert found.status == "violated"
    else:
        assert found.status != ("certified" if strict else "violated")


@settings(max_examples=25)
@given(st.fractions(min_value=Fraction(1, 100), max_value=1, max_denominator=100))
def test_a_witness_satisfies_every_hypothesis(threshold):
    found = certify(threshold / 2 - r * c, UNIT, hypotheses=[r - c, r + c - sympy.Rational(threshold)])
    assert found.witness is not None
    assert sign_at(r - c, found.witness) in ("positive", "zero")
    assert sign_at(r + c - sympy.Rational(threshold), found.witness) in ("positive", "zero")


def test_a_strict_claim_fails_where_the_two_sides_are_equal():
    found = certify(r - c, UNIT, strict=True, hypotheses=[r - c])
    assert found.status == "violated"
    assert found.witness is not None
    assert sign_at(r - c, found.witness) == "zero"


def test_a_strict_claim_is_not_certified_by_a_ball_that_touches_zero():
    """The square of r - 1/3 is enclosed by a ball from 0 upward; 1/3 is no point that the search would try."""
    square = (r - sympy.Rational(1, 3)) ** 2
    assert certify(square, {"r": UNIT["r"]}).status == "certified"
    assert certify(square, {"r": UNIT["r"]}, strict=True).status == "undecided"


def test_a_strict_claim_is_not_certified_by_a_mean_value_that_touches_zero():
    """(1 - r)(2 - r) falls to 0 at r = 1; with nine more axes that corner is not among the points tried first."""
    product = 2 - 3 * r + r**2
    box = {"r": UNIT["r"], **{f"fixed{k}": (Fraction(0), Fraction(0)) for k in range(9)}}
    found = certify(product, box)
    assert found.certificate is not None
    assert found.certificate.tree == "M"
    strict = certify(product, box, strict=True)
    assert strict.status == "violated"
    assert strict.witness is not None
    assert strict.witness["r"] == 1


def test_undecided_boxes_are_counted_and_cover_the_doubtful_point():
    doubtful = r - 1 - sympy.log(r)
    found = certify(doubtful, {"r": (Fraction(1, 2), Fraction(2))})
    assert found.status == "undecided"
    assert found.certificate is None
    assert found.undecided_count == len(found.undecided) >= 1
    assert any(low <= 1 <= high for box in found.undecided for low, high in box.axes.values())


def test_running_out_of_boxes_is_undecided_and_nothing_is_dropped():
    found = certify(LOG_GAP, {"r": (Fraction(1), Fraction(2)), "c": (Fraction(0), Fraction(3, 10))}, maximum_boxes=50)
    assert found.status == "undecided"
    assert found.undecided_count >= len(found.undecided) > 0


def test_an_expression_undefined_on_the_box_is_not_certified():
    assert certify(1 + sympy.sqrt(r - 2), {"r": UNIT["r"]}, maximum_boxes=2_000).status == "undecided"
    assert (
        certify(1 + sympy.log(r) ** 2, {"r": (Fraction(-1), Fraction(-1, 2))}, maximum_boxes=2_000).status
        == "undecided"
    )


def test_the_centred_form_is_only_an_accelerator():
    box = {"r": (Fraction(11, 10), Fraction(2)), "c": (Fraction(1, 10), Fraction(3, 10))}
    with_it, without = (certify(LOG_GAP, box, centred=centred) for centred in (True, False))
    assert with_it.status == without.status == "certified"
    assert with_it.boxes < without.boxes
    assert without.certificate is not None
    assert "M" not in without.certificate.tree


@pytest.mark.parametrize(
    ("box", "error", "message"),
    [
        ({"r": (Fraction(2), Fraction(1))}, ValueError, "r: lower end 2 exceeds upper end 1"),
        ({"r": (0.5, Fraction(1))}, TypeError, "a float is not accepted"),
        ({"r": (Fraction(0), sympy.oo)}, TypeError, "must be an exact rational"),
        ({"r": (Fraction(0),)}, ValueError, "must be a pair"),
        ({f"r{k}": (0, 1) for k in range(11)}, ValueError, "at most 10"),
    ],
)
def test_a_bad_box_is_refused_with_its_name_and_value(box, error, message):
    with pytest.raises(error, match=message):
        certify(r, box)


def test_a_symbol_without_an_axis_is_refused():
    with pytest.raises(UnsupportedExpression, match="c: symbol without a value; given: r"):
        certify(r + c, {"r": UNIT["r"]})


def test_a_box_shows_itself_exactly():
    box = Box({"r": (0, Fraction(1, 3))})
    assert str(box) == "r in [0, 1/3]"
    assert box.midpoint() == {"r": Fraction(1, 6)}
    assert box.to_json() == {"r": ["0", "1/3"]}


@settings(max_examples=30)
@given(small, small, st.lists(st.tuples(small, small), min_size=1, max_size=5))
def test_ranges_hold_every_value(at_r, at_c, points):
    expression = sympy.exp(-((r - at_r) ** 2)) * (1 + c) / (2 + at_c * r)
    found = bound_range(expression, UNIT, relative_width=Fraction(1, 50), maximum_boxes=2_000)
    assert found.complete
    for p, q in points:
        low, high = expression - found.infimum.lower, found.supremum.upper - expression
        assert sign_at(low, {r: p, c: q}) in ("positive", "zero", "nonnegative")
        assert sign_at(high, {r: p, c: q}) in ("positive", "zero", "nonnegative")


def test_a_range_is_as_tight_as_asked_for_and_its_ends_are_reached():
    found = bound_range(r * (1 - r) + c, UNIT)
    assert found.complete
    assert found.infimum.contains(0)
    assert found.supremum.contains(Fraction(5, 4))
    assert found.supremum.width() <= Fraction(5, 4) / 1000
    assert found.where_supremum is not None
    reached = found.where_supremum["r"] * (1 - found.where_supremum["r"]) + found.where_supremum["c"]
    assert found.supremum.contains(reached)


def test_a_range_respects_its_hypotheses():
    found = bound_range(r + c, UNIT, hypotheses=[sympy.Rational(1, 2) - r, sympy.Rational(1, 4) - c])
    assert found.supremum.contains(Fraction(3, 4))
    assert found.where_supremum is not None
    assert found.where_supremum["r"] <= Fraction(1, 2)
    assert found.where_supremum["c"] <= Fraction(1, 4)


def test_the_range_over_nothing_is_indeterminate():
    found = bound_range(r, UNIT, hypotheses=[-1 - r])
    assert found.infimum.indeterminate
    assert found.where_infimum is None
    assert not found.complete


def test_the_range_up_to_a_pole_is_unbounded_and_incomplete():
    found = bound_range(1 / r, {"r": UNIT["r"]}, maximum_boxes=500)
    assert not found.complete
    assert found.supremum.upper is None
    assert found.infimum.contains(1)
