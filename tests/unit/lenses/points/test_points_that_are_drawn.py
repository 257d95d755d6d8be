"""Points that are drawn: which numbers lie on an axis, how they are spread, and how they become a claim's variables."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import exp, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Formula,
    Hypothesis,
    Variable,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    ne,
    positive,
    real,
)
from rgm_verify.claims.evidence import Finding
from rgm_verify.lenses import Search
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.axes import (
    MAGNITUDES,
    Coordinate,
    coordinates,
    draw,
    generator_for,
    real_constant,
    simple_values,
)
from rgm_verify.lenses.points.floats import as_real, numeric, robustness
from rgm_verify.lenses.points.sampling import PointMaker, Rows, admissible, exact_points, makers

F = Fraction
X, Y, P, K = real("x"), real("y"), positive("p"), natural("k")
x, y, p, k = (v.symbol for v in (X, Y, P, K))


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, hypotheses=hypotheses,
        conclusion=conclusion, **rest,
    )  # fmt: skip


def axis(lower: int | Fraction | None, upper: int | Fraction | None, *, integer: bool = False, open_: bool = False
         ) -> Coordinate:  # fmt: skip
    ends = (None if end is None else F(end) for end in (lower, upper))
    return Coordinate(x, *ends, open_, open_, integer)


def maker(about: Claim, seed: int = 1) -> PointMaker:
    return PointMaker(about, generator_for(about.id, "test", seed))


# ------------------------------------------------------------------------------------------- one axis


@pytest.mark.parametrize("integer", [True, False])
def test_as_many_are_drawn_as_asked_for_and_open_ends_never(integer: bool) -> None:
    on = axis(0, 4, integer=integer, open_=True)
    values = draw(on, np.random.default_rng(2), 300)
    assert len(values) == 300
    assert all(0 < v < 4 for v in values)
    assert ({v.denominator for v in values} == {1}) is integer
    assert not integer or set(values) == {1, 2, 3}
    assert draw(on, np.random.default_rng(2), 0) == []


def test_where_no_number_is_round_four_are_drawn() -> None:
    on = axis(200, None)
    assert len(simple_values(on)) == 4
    assert simple_values(on) == simple_values(on)
    assert all(map(on.admits, simple_values(on)))


# ------------------------------------------------------------------------------------------- far and close by


def test_the_magnitudes_grow_by_at_most_a_factor_of_two_in_the_exponent() -> None:
    """From where simple numbers end to beyond the squares, the products and the whole range of floats."""
    assert all(a < b <= 2 * a for a, b in pairwise(MAGNITUDES))
    assert MAGNITUDES[0] <= 5
    assert {9, 10, 12, 15} <= set(MAGNITUDES)  # rounding, and where floats cancel
    assert any(154 < m < 308 for m in MAGNITUDES)  # the square of 10^m is no float, 10^m is one
    assert MAGNITUDES[-1] > 2 * 308


# -------------------------------------------------------------------------------------------- from axes to a claim


def test_the_axes_are_those_of_the_chart_or_of_the_variables_that_are_not_known() -> None:
    t, n = sympy.Symbol("t", real=True), sympy.Symbol("n", integer=True)
    bounded = real("y", lower=F(1, 2), upper=3, upper_open=True)
    plain = claim(ge(x, 0), X, bounded, K)
    expected = (
        Coordinate(x, None, None, X.lower_open, X.upper_open, False),
        Coordinate(bounded.symbol, F(1, 2), F(3), False, True, False),
        Coordinate(k, K.lower, None, K.lower_open, K.upper_open, True),
    )
    assert coordinates(plain) == expected
    assert coordinates(plain, known={bounded.symbol: x + 1}) == (expected[0], expected[2])
    charted = claim(ge(x, 0), X, sampling=Chart({t: (0, sympy.Rational(7, 2)), n: (None, None)}, {x: t + n}))
    assert coordinates(charted) == (
        Coordinate(t, F(0), F(7, 2), True, True, False),
        Coordinate(n, None, None, True, True, True),
    )
    assert coordinates(charted, charted=False) == coordinates(claim(ge(x, 0), X))


def test_a_chart_takes_irrational_images_to_rationals_beside_them_and_a_solution_keeps_them() -> None:
    t = sympy.Symbol("t", positive=True)
    charted = maker(claim(ge(x, 0), X, Y, sampling=Chart({t: (0, 9), y: (0, 1)}, {x: sqrt(t)})))
    found = charted.point([F(2), F(1, 3)])
    assert found is not None
    assert found[y] == F(1, 3)
    assert isinstance(found[x], Fraction)
    assert found[x].denominator <= 10**9
    assert abs(found[x] ** 2 - 2) < F(4, 10**18)
    assert charted.point([F(4), F(1)]) == {x: 2, y: 1}
    undefined = maker(claim(ge(x, 0), X, sampling=Chart({t: (0, 9)}, {x: 1 / (t - 1)})))
    assert undefined.point([F(1)]) is None
    complex_ = maker(claim(ge(x, 0), X, sampling=Chart({t: (0, 9)}, {x: sqrt(t - 5)})))
    assert complex_.point([F(1)]) is None
    missing = maker(claim(ge(x, 0), X, Y, sampling=Chart({t: (0, 9)}, {x: t, y: t})))
    del missing.maps[y]
    assert missing.point([F(1)]) is None
    solved = PointMaker(claim(ge(x, 0), X, Y), np.random.default_rng(0), known={y: sqrt(x)})
    assert solved.point([F(2)]) == {x: 2, y: sqrt(2)}
    assert solved.point([F(9)]) == {x: 9, y: 3}
    assert isinstance(solved.point([F(9)])[y], Fraction)  # type: ignore[index]
    assert solved.point([F(-2)]) is None


def test_a_chart_that_grows_beyond_every_number_that_can_be_written_ends_a_search() -> None:
    t = sympy.Symbol("t", real=True)
    for map_ in (exp(t), exp(exp(t)), exp(-exp(t))):
        about = claim(ge(x**2 + 1, 0), X, sampling=Chart({t: (None, None)}, {x: map_}))
        (found,) = Search().run(about, Context())
        assert found.finding is Finding.SUPPORTS
    false = claim(le(x, 10**300), X, sampling=Chart({t: (None, None)}, {x: exp(t)}))
    (refuted,) = Search().run(false, Context())
    assert refuted.finding is Finding.REFUTES


def test_a_real_constant_is_exact() -> None:
    assert real_constant(sympy.Rational(2, 3)) == F(2, 3)
    assert isinstance(real_constant(sympy.Rational(2, 3)), Fraction)
    assert real_constant(sqrt(2)) == sqrt(2)
    assert real_constant(sympy.Symbol("c")) is None


def test_columns_are_the_variables_as_floats_and_nan_where_a_map_has_no_value() -> None:
    t = sympy.Symbol("t", real=True)
    made = maker(claim(ge(x, 0), X, Y, sampling=Chart({t: (None, None), y: (None, None)}, {x: sqrt(t)})))
    found = made.columns(Rows.of([[F(4), F(1)], [F(-1), F(2)], [F(10) ** 400, F(-(10**400))]]))
    assert found[x][0] == 2.0
    assert math.isnan(found[x][1])
    assert found[x][2] == math.inf
    assert found[y].tolist() == [1.0, 2.0, -math.inf]
    constant = maker(claim(ge(x, 0), X, Y, sampling=Chart({y: (0, 1)}, {x: sympy.Integer(3)})))
    assert constant.columns(Rows.of([[F(1)], [F(2)]]))[x].tolist() == [3.0, 3.0]


def test_a_generator_belongs_to_the_claim_the_purpose_and_the_seed() -> None:
    seen = {
        generator_for(*of).random()
        for of in (("a", "b", 0), ("a", "b", 1), ("a", "c", 0), ("d", "b", 0), ("a|b", "", 0))
    }
    assert len(seen) == 5
    assert generator_for("a", "b", 0).random() == generator_for("a", "b", 0).random()


def test_every_branch_of_the_equations_has_a_maker_with_numbers_of_its_own() -> None:
    about = claim(ge(y, 0), X, Y, given=(eq(x**2, 4),))
    first, second = makers(about, "t", 5)
    assert {tuple(m.known.items()) for m in (first, second)} == {((x, 2),), ((x, -2),)}
    assert [axis.symbol for axis in first.axes] == [y]
    assert first.generator.random() == generator_for(about.id, "t", 5).random()
    assert second.generator.random() == generator_for(about.id, "t, branch 1", 5).random()
    t = sympy.Symbol("t", real=True)
    (charted,) = makers(claim(ge(x, 0), X, given=(eq(x**2, 4),), sampling=Chart({t: (0, 1)}, {x: t})), "t", 5)
    assert charted.known == {}
    assert [axis.symbol for axis in charted.axes] == [t]


def test_points_of_all_branches_come_in_turn_until_there_are_enough_or_no_more() -> None:
    about = claim(ge(y, 0), X, Y, given=(eq(x**2, 4),))
    assert [point[x] for point in exact_points(about, "t", 1, 6)] in ([2, -2] * 3, [-2, 2] * 3)
    lame = claim(ge(y, 0), X, Y, given=(eq(x**2, 4), gt(x, 0)))
    assert [point[x] for point in exact_points(lame, "t", 1, 5)] == [2] * 5
    few = real("i", lower=0, upper=3, integer=True)
    found = [point[few.symbol] for point in exact_points(claim(ge(few.symbol, 0), few), "t", 1, 9)]
    assert sorted(found) == [0, 1, 2, 3]
    assert len(list(exact_points(claim(ge(x, 0), X), "t", 1, 1))) == 1


def test_points_where_a_map_has_no_value_are_left_out() -> None:
    t = sympy.Symbol("t", real=True)
    for map_, allowed in ((sqrt(t - 5), lambda v: v >= 0), (1 / (t - 1), lambda v: v != 0)):
        about = claim(ge(x, 0), X, sampling=Chart({t: (0, 9)}, {x: map_}))
        found = [point[x] for point in exact_points(about, "t", 1, 20)]
        assert len(found) == 20
        assert all(map(allowed, found))


def test_an_admissible_point_has_whole_numbers_where_the_claim_says_so() -> None:
    free = real("m", integer=True)
    m = free.symbol
    assert admissible(claim(ge(m, 0), free, X), {m: F(-3), x: F(1, 2)})
    for wrong in (F(1, 2), sqrt(2)):
        assert not admissible(claim(ge(m, 0), free), {m: wrong})


# ------------------------------------------------------------------------------------------- floats as a guide


@pytest.mark.parametrize(
    ("formula", "at", "expected"),
    [
        (ge(x, 1), 3, 0.5),
        (gt(x, 1), 3, 0.5),
        (le(x, 1), 3, -0.5),
        (lt(x, 1), 3, -0.5),
        (le(1, x), 3, 0.5),
        (eq(x, 1), 3, -0.5),
        (ne(x, 1), 3, 0.5),
        (eq(3, x), 1, -0.5),
        (ne(3, x), 1, 0.5),
        (ge(x, -3), -1, 0.5),
        (ge(x, 0), 0, 0.0),
        (both(ge(x, 1), ge(x, 2)), 6, 0.5),
        (either(ge(x, 1), ge(x, 2)), 3, 0.5),
    ],
)
def test_robustness_is_the_difference_as_a_share_of_the_sides(formula: Formula, at: int, expected: float) -> None:
    assert robustness(formula, [x])(np.array([float(at), float(at)])).tolist() == [expected, expected]


def test_a_formula_with_its_own_measure_of_a_relation_uses_it_everywhere() -> None:
    def by_op(relation: Any) -> Any:
        return lambda *_: np.array([{">=": 1.0, "<=": -2.0}[relation.op]])

    one, other = ge(x, 0), le(x, 0)
    assert robustness(both(one, other), [x], by_op)(np.zeros(1)).tolist() == [-2.0]
    assert robustness(either(one, other), [x], by_op)(np.zeros(1)).tolist() == [1.0]


def test_what_is_not_real_is_no_number() -> None:
    column = np.zeros(3)
    assert as_real(np.array([1 + 0j, 2 + 1j, -3 + 0j]), [column]).tolist()[::2] == [1.0, -3.0]
    assert math.isnan(as_real(np.array([1 + 0j, 2 + 1j, 3 + 0j]), [column])[1])
    assert as_real(2, [column]).tolist() == [2.0, 2.0, 2.0]
    assert as_real(2, []).shape == ()


def test_a_float_function_has_no_value_for_an_integral_and_takes_long_integers() -> None:
    whole = sympy.Integral(exp(-(y**2)), (y, 0, x))
    columns = [np.array([1.0, 2.0])]
    assert np.isnan(numeric(whole + x, [x])(*columns)).all()
    assert numeric(whole, [x])(*columns).shape == (2,)
    # A sum has a value for floats where SymPy gives it one without a sum.
    k, n = sympy.Symbol("k", integer=True), sympy.Symbol("n", integer=True, positive=True)
    assert numeric(sympy.Sum(k, (k, 1, 9)), [])() == 45
    harmonic = float(numeric(sympy.Sum(1 / k**2, (k, 1, n)), [n])(np.array([2.0]))[0])
    # A difference of two values of zeta, each of which is rounded.
    assert abs(harmonic - 1.25) <= 8 * math.ulp(1.25)
    assert np.isnan(numeric(sympy.Sum(1 / sympy.sqrt(k), (k, 1, n)), [n])(np.array([2.0]))).all()
    for long in (2**63, -(2**63), 2**64 + 1, 10**30):
        found = numeric(sympy.log(sympy.Abs(x) + abs(long)) + long, [x])(np.array([1.0]))
        assert float(found[0]) == pytest.approx(math.log(abs(long)) + long, rel=1e-12)


def lattice(*variables: Variable, count: int) -> list[tuple[Fraction, ...]]:
    """The rows of the lattice for a claim about some variables."""
    claim = Claim(
        id="t:lattice", title="t", source="s", where="w", kind="bound", variables=variables,
        conclusion=ge(variables[0].symbol, 0),
    )  # fmt: skip
    return [tuple(row) for row in PointMaker(claim, np.random.default_rng(0)).lattice(count)]


@given(st.integers(1, 300), st.sampled_from([None, 0, -7, 3]), st.sampled_from([None, 9, 20]), st.booleans())
def test_a_lattice_holds_all_integers_closest_to_an_end(count: int, low: Any, high: Any, opened: bool) -> None:
    ends = {} if low is None else {"lower": low, "lower_open": opened}
    ends |= {} if high is None else {"upper": high, "upper_open": opened}
    m, n = (real(name, integer=True, **ends) for name in "mn")
    rows = lattice(m, n, count=count)
    side = math.isqrt(count)
    least = -400 if low is None else low + opened
    most = 400 if high is None else high - opened
    anchor = low if low is not None else high if high is not None else Fraction(-1, 4)
    nearest = sorted(range(least, most + 1), key=lambda k: abs(k - anchor))[:side]
    assert sorted(rows) == sorted((Fraction(a), Fraction(b)) for a in nearest for b in nearest)


def test_there_is_no_lattice_of_reals() -> None:
    assert lattice(real("m", integer=True), real("y"), count=100) == []


@pytest.mark.parametrize("unit", [2, -17])
def test_an_equation_in_integers_is_solved_where_all_points_are_looked_at(unit: int) -> None:
    m, n = (natural(name) for name in "mn")
    claim = Claim(
        id="t:mordell", title="t", source="s", where="w", kind="bound", variables=(m, n), quantifier="exists",
        conclusion=eq(m.symbol**3 - n.symbol**2, unit),
    )  # fmt: skip
    (found,) = Search().look(claim, Context())
    assert found.finding is Finding.SUPPORTS
    values = found.details["witness"]["values"]
    assert int(values["m"]) ** 3 - int(values["n"]) ** 2 == unit
