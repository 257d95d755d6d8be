"""The tie between what a lens looks at and the claim's formula: what stands in it, what agrees, and what is exact."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import Rational, exp, log, sqrt

from rgm_verify.balls.enclose import Enclosure
from rgm_verify.claims import Claim, ClaimError, Formula, Hypothesis, Variable, both, eq, ge, gt, le, positive, real
from rgm_verify.lenses import Quadrature
from rgm_verify.lenses.base import QUICK, Context
from rgm_verify.lenses.worlds.reduction import (
    agree,
    cosine,
    disagreement,
    norm,
    point_of,
    point_text,
    read_off,
    refuse_other_symbols,
    relative_width,
    root,
    stands_in,
)

F, R = Fraction, Rational
X, Y, P = real("x"), real("y"), positive("p")
x, y, p = (v.symbol for v in (X, Y, P))
SUM, NESTED = sqrt(2) + sqrt(3), sqrt(5 + 2 * sqrt(6))


def claim(conclusion: Formula | None, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, hypotheses=hypotheses,
        conclusion=conclusion, **rest,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- exact numbers


def test_roots_norms_and_cosines_are_exact() -> None:
    assert root(F(9, 4)) == F(3, 2)
    assert isinstance(root(F(9, 4)), Fraction)
    assert root(2) == root(sympy.Integer(2)) == sqrt(2)
    assert norm((F(3), F(-4))) == 5
    assert norm((1, 1)) == sqrt(2)
    assert cosine((3, 4), (F(4), F(-3))) == 0
    assert cosine((2, 0), (-3, 0)) == -1
    assert cosine((1, 0), (1, 1)) == sqrt(2) / 2
    assert cosine((3, 4), (4, 3)) == F(24, 25)
    for pair in (((0, 0), (1, 1)), ((1, 1), (0, 0)), ((0, 0), (0, 0))):
        assert cosine(*pair) == 0
        assert isinstance(cosine(*pair), Fraction)


def test_values_that_are_read_off_are_worked_out_once_for_each_place() -> None:
    asked: list[Any] = []

    def values(place: Any) -> tuple[Any, ...]:
        asked.append(place)
        return place[1] + 10, place[0]

    quantities = read_off(values, (x, y))
    first, second = [1, 2], [1, 2]  # equal and not the same
    assert point_of(quantities, first) == {x: 12, y: 1}
    assert point_of(quantities, second) == {x: 12, y: 1}
    assert point_of(quantities, second) == {x: 12, y: 1}
    assert [place is expected for place, expected in zip(asked, [first, second], strict=True)] == [True, True]
    for count in (1, 3):
        with pytest.raises(TypeError, match=f"{count} values for 2 variables"):
            point_of(read_off(lambda _, count=count: (1,) * count, (x, y)), [])


@pytest.mark.parametrize("value", [True, 0.5, "1", None, sympy.Float(2), sqrt(-1), sympy.oo, x, sqrt(2) + 0.5])
def test_a_quantity_that_is_no_exact_real_number_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=r"x=.*not exact"):
        point_of({x: lambda _: value}, None)


def test_exact_quantities_are_fractions_or_constants() -> None:
    found = point_of({x: lambda _: 3, y: lambda _: sympy.Rational(1, 2), p: lambda _: sqrt(2)}, None)
    assert found == {x: 3, y: F(1, 2), p: sqrt(2)}
    assert [isinstance(v, Fraction) for v in found.values()] == [True, True, False]


def test_a_map_has_a_quantity_for_every_variable_and_for_nothing_else() -> None:
    about, one = claim(ge(x, y), X, Y), (lambda _: 1)
    refuse_other_symbols(about, "lens", {x: one, y: one})
    with pytest.raises(ClaimError, match="no quantity for y; give quantities= for each of: x, y"):
        refuse_other_symbols(about, "lens", {x: one})
    with pytest.raises(ClaimError, match="no quantity for x, y"):
        refuse_other_symbols(about, "lens", {p: one})
    with pytest.raises(ClaimError, match="p is no variable of it"):
        refuse_other_symbols(about, "lens", {x: one, y: one, p: one})


# ------------------------------------------------------------------------------------------- the claim's side


def test_the_formula_has_to_say_what_was_found() -> None:
    about = claim(ge(x, 1), X, given=(ge(x, 0),))
    assert disagreement(about, {x: F(2)}, holds=True) == ""
    assert disagreement(about, {x: F(1, 2)}, holds=False) == ""
    assert disagreement(about, {x: F(1, 2)}, holds=True) == "the claim's formula fails at x = 1/2"
    assert disagreement(about, {x: F(2)}, holds=False) == "the claim's formula holds at x = 2"
    for holds in (True, False):
        assert "not certain to be an admissible point" in disagreement(about, {x: F(-1)}, holds=holds)
        assert "could not be decided" in disagreement(claim(eq(SUM, NESTED)), {}, holds=holds)
        assert "could not be decided" in disagreement(claim(None, informal="words"), {}, holds=holds)
    undefined = claim(ge(log(x), -1), X)
    assert "fails" in disagreement(undefined, {x: F(-1)}, holds=True)
    assert disagreement(undefined, {x: F(-1)}, holds=False) == ""


def test_a_point_in_words() -> None:
    assert point_text({x: F(1, 2), y: sqrt(2)}) == "x = 1/2, y = sqrt(2)"
    assert point_text({}) == "the claim without variables"


@pytest.mark.parametrize(
    ("part", "stands"),
    [
        (x + exp(p), True),  # a side
        (y, True),  # a bare variable, as a whole side
        (log(p), True),
        (x * p, True),
        (exp(p), True),  # in a sum
        (exp(x), False),
        (x, False),  # a bare variable in a side
        (p, False),
        (sympy.Integer(7), False),
        (sympy.Integer(2), False),
        (x + y, False),
    ],
)
def test_a_part_stands_on_either_side_of_any_relation(part: sympy.Expr, stands: bool) -> None:
    about = claim(both(ge(x + exp(p), y), le(x * p + 2, 7), gt(2, log(p))), X, Y, P)
    assert stands_in(about, part) is stands


def test_nothing_stands_in_words() -> None:
    assert not stands_in(claim(None, informal="words"), x)


@pytest.mark.parametrize(
    ("first", "second", "point", "expected"),
    [
        (exp(x) ** 2, exp(2 * x), {x: F(1, 3)}, True),
        (exp(x), exp(x) * (1 + R(1, 10**20)), {x: F(1, 3)}, False),
        (exp(x), exp(x) * (1 + R(1, 10**90)), {x: F(1, 3)}, True),  # below what is enclosed
        (exp(x), exp(x) * (1 + R(1, 10**12)), {x: F(1, 3)}, False),
        (x, x + 1, {x: F(2)}, False),
        (x**2, 2 * y / y, {x: sqrt(2), y: F(3)}, True),
        (x**2, 3 + 0 * y, {x: sqrt(2), y: F(3)}, False),
        (exp(x), exp(x) + (SUM - NESTED) * exp(2_810), {x: F(1)}, None),  # enclosed, to few digits
        (SUM - NESTED, 0 * x, {x: F(1)}, None),  # it overlaps 0, and is not enclosed narrowly
        (0 * x, SUM - NESTED, {x: F(1)}, None),
        (1 / x, 1 / x, {x: F(0)}, None),
        (sympy.Function("f")(x), x, {x: F(1)}, None),
        (x - 1, x - 1, {x: F(1)}, True),
    ],
)
def test_two_expressions_agree_where_narrow_enclosures_overlap(
    first: sympy.Expr, second: sympy.Expr, point: Any, expected: bool | None
) -> None:
    assert agree(first, second, point) is expected


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [(F(1), F(2), F(1, 2)), (F(-2), F(-1), F(1, 2)), (F(-3), F(1), F(4, 3)), (F(0), F(0), F(0)), (None, F(1), F(1)),
     (F(1), None, F(1)), (F(5), F(5), F(0))],
)  # fmt: skip
def test_a_width_is_a_share_of_the_size(lower: Any, upper: Any, expected: Fraction) -> None:
    assert relative_width(Enclosure(lower, upper)) == expected


# ------------------------------------------------------------------------------------------- integrals

U = sympy.Symbol("u", real=True)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_an_integral_is_taken_at_as_many_points_as_asked_for(count: int) -> None:
    about = claim(gt(sqrt(sympy.pi / p), 0), P)
    lens = Quadrature(-p * U**2, U, sqrt(sympy.pi / p), count=count)
    found = list(lens.points(about, Context()))
    assert len(found) == len({point[p] for point in found}) == count
    by_profile = Quadrature(-p * U**2, U, sqrt(sympy.pi / p))
    assert len(list(by_profile.points(about, Context()))) == QUICK.points // 3 == 4
    assert len(list(by_profile.points(about, Context(profile=replace(QUICK, points=6))))) == 3
    (evidence,) = lens.run(about, Context())
    assert evidence.details == {"points": count, "arb": count, "mpmath": count}


def test_fixed_numbers_take_the_place_of_drawn_ones_and_have_to_be_admissible() -> None:
    about = claim(gt(p + x, 0), P, X, given=(ge(x, 3),))
    lens = Quadrature(-p * U**2, U, sqrt(sympy.pi / p), count=3, at={x: R(7, 2)})
    assert {point[x] for point in lens.points(about, Context())} == {F(7, 2)}
    outside = Quadrature(-p * U**2, U, sqrt(sympy.pi / p), count=3, at={x: 2})
    assert list(outside.points(about, Context())) == []


@pytest.mark.parametrize(
    ("closed", "part", "conclusion", "tied"),
    [
        (exp(log(2 * p) ** 2), None, ge(log(2 * p) ** 2 + p, p - 1), log(2 * p) ** 2),
        (exp(p**2), None, ge(exp(p**2), 1), exp(p**2)),
        (exp(p**2), None, ge(p**2, 0), p**2),
        (p**2 * x**3, None, ge(2 * log(p) + 3 * log(x), -5), 2 * log(p) + 3 * log(x)),
        (exp(p**2), None, ge(p**3, 0), None),
        (exp(p**2), p**3, ge(p**3 + p**2, 0), p**3),
        (exp(p**2), p**3, ge(exp(p**2), 0), None),
    ],
)
def test_the_value_of_an_integral_its_exponent_or_its_logarithm_may_stand_in_the_claim(
    closed: sympy.Expr, part: Any, conclusion: Formula, tied: Any
) -> None:
    about = claim(conclusion, P, X)
    assert Quadrature(-(U**2), U, closed, part=part).tied(about) == tied


@pytest.mark.parametrize(
    ("part", "closed", "expected"),
    [(x**2, x * x, True), (log(2) + x, 2 * exp(x), True), (x, 2 * x, False), (SUM - NESTED + 0 * x, x - x, None),
     (1 / (x - 1), x, None)],
)  # fmt: skip
def test_a_part_agrees_with_a_value_or_with_its_logarithm(part: Any, closed: Any, expected: bool | None) -> None:
    assert Quadrature(-(U**2), U, closed).agrees(sympy.sympify(part), {x: F(1)}) is expected


@pytest.mark.parametrize("square", [R(1), R(3, 7)])
def test_coefficients_of_an_exponent_are_read_off_with_the_prefactor(square: sympy.Rational) -> None:
    lens = Quadrature(-square * U**2 + 5 * U * x + y, U, x, prefactor=3 * p, dimension=2)
    assert lens.coefficients() == (square, 5 * x, y + log(3 * p))


@pytest.mark.parametrize(
    ("exponent", "prefactor", "closed", "right"),
    [
        (-p * U**2 + U, sympy.S.One, sqrt(sympy.pi / p) * exp(1 / (4 * p)), True),
        (-p * (U - 40) ** 2, sympy.S.One, sqrt(sympy.pi / p), True),
        (-p * U**2, U**2, sqrt(sympy.pi / p) / (2 * p), True),
        (-p * U**2, sympy.S.One, sqrt(sympy.pi / p) * (1 + R(1, 10**15)), False),
        (-p * U**2 + U, sympy.S.One, sqrt(sympy.pi / p), False),
        (-p * U**2, U**2, sqrt(sympy.pi / p) / p, False),
    ],
)
def test_both_routes_tell_an_integral_from_a_value_that_is_close(
    exponent: Any, prefactor: Any, closed: Any, right: bool
) -> None:
    lens = Quadrature(exponent, U, closed, prefactor=prefactor)
    for point in ({p: F(1, 3)}, {p: F(25)}):
        assert lens.by_balls(point) is right
        assert lens.by_mpmath(point) is right
    assert Quadrature(-p * U**2, U, 1 / (p - 1)).by_mpmath({p: F(1)}) is None
