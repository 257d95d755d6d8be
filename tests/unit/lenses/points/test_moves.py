"""Moved points: exact numbers on the axes, beside the floats, and on the boundaries that they were moved to."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.claims import Claim, Hypothesis, Variable, ge, le, natural, positive, real
from rgm_verify.claims.formula import Formula
from rgm_verify.lenses.points.axes import Coordinate, beside, generator_for, inside
from rgm_verify.lenses.points.moves import around, boundary_moves, to_boundaries
from rgm_verify.lenses.points.sampling import PointMaker, Rows

F = Fraction
X, Y, P, K = real("x"), real("y", lower=-2, upper=F(7, 3)), positive("p"), natural("k")
x, y, p, k = (v.symbol for v in (X, Y, P, K))


def claim(*variables: Variable, given: tuple[Formula, ...] = ()) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, hypotheses=hypotheses,
        conclusion=ge(variables[0].symbol, 0),
    )  # fmt: skip


def maker(about: Claim) -> PointMaker:
    return PointMaker(about, generator_for(about.id, "test", 1))


def drawn_around(about: Claim, rounds: int = 4) -> tuple[PointMaker, Rows]:
    """Rows after rounds of moves; those that are farthest out are taken for the best ones."""
    made, generator = maker(about), np.random.default_rng(5)
    rows = made.draw(400)
    for _ in range(rounds):
        best = np.argsort(-np.abs(rows.floats).max(axis=1))[:12].tolist()
        rows = around(made, rows, best, 400, boundary_moves(about), generator)
    return made, rows


def test_exact_numbers_of_moved_points_lie_on_their_axes_beside_the_floats() -> None:
    made, rows = drawn_around(claim(X, Y, P, K))
    floats = rows.floats.copy()
    for row, near in zip(rows, floats.tolist(), strict=True):
        for axis, value, number in zip(made.axes, row, near, strict=True):
            assert axis.admits(value)
            # A short number: at most 1e-6 away between two ends, and six digits elsewhere.
            assert abs(value - F(number)) <= F(1, 10**6) * max(1, abs(F(number)))


def test_moved_points_are_still_there_and_far_out_after_some_rounds() -> None:
    _, rows = drawn_around(claim(X, P))
    assert len({tuple(row) for row in rows}) > 300
    assert max(abs(value) for row in rows for value in row) > 2_000  # beyond what is drawn


def test_half_of_the_points_meet_a_hypothesis_with_equality_exactly() -> None:
    about = claim(X, P, given=(le(3 * x, 9 * p + 1),))
    made = maker(about)
    rows = to_boundaries(made, made.draw(400), boundary_moves(about), np.random.default_rng(1))
    found = [row[0] == 3 * row[1] + F(1, 3) for row in rows]
    # Where p would not be positive a point stays as it was drawn.
    assert 140 < sum(found[:200]) <= 200
    assert sum(found[200:]) < 20


def test_a_boundary_that_needs_a_division_by_zero_or_leaves_the_axis_moves_nothing() -> None:
    about = claim(P, X, given=(ge(x * p, -1),))
    made = maker(about)
    before = Rows.of([[F(2), F(0)], [F(2), F(3)]] * 50)
    before.axes = made.axes
    rows = list(
        to_boundaries(made, before, [move for move in boundary_moves(about) if move[0] == p], np.random.default_rng(1))
    )
    assert rows == [[F(2), F(0)], [F(2), F(3)]] * 50


@given(
    st.floats(-1e9, 1e9),
    st.sampled_from([(None, None), (F(-3), None), (None, F(5)), (F(1, 3), F(10**7, 3))]),
    st.booleans(),
)
def test_a_number_beside_a_float_is_on_the_axis_of_the_float(
    value: float, ends: tuple[Fraction | None, Fraction | None], is_open: bool
) -> None:
    axis = Coordinate(sympy.Symbol("x"), *ends, is_open, is_open)
    if inside(axis, np.array([value]))[0] and axis.admits(F(value)):
        found = beside(axis, value)
        assert axis.admits(found)
        assert abs(found - F(value)) <= F(1, 10**6) * max(1, abs(F(value)))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 0.5, -1.0, 4.0])
def test_what_is_no_number_of_the_axis_is_not_inside(value: float) -> None:
    axis = Coordinate(sympy.Symbol("n"), F(0), F(3), False, False, True)
    assert not inside(axis, np.array([value]))[0]
    assert inside(axis, np.array([0.0, 3.0])).all()
