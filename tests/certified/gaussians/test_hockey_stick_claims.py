"""The claims about exact accounting, said of a pair, on certified enclosures that come by another route."""

from __future__ import annotations

from fractions import Fraction

import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.gaussians.certified.hockey_stick import chi_square_floor_enclosure, hockey_stick_enclosure

epsilons = st.fractions(-3, 4, max_denominator=50)
squares = st.fractions(0, 9, max_denominator=50)
excesses = st.fractions(Fraction(-9, 10), 4, max_denominator=50).filter(bool)
dimensions = st.sampled_from([1, 2, 3, 10, 200])
more = st.fractions(Fraction(1, 50), 3, max_denominator=50)

e, D2, w, d, b = sympy.symbols("epsilon D2 w d beta", real=True)


def value(expression: sympy.Expr, **point: Fraction | int) -> Enclosure:
    return enclose(expression, {name: Fraction(number) for name, number in point.items()}, digits=25)


def ends(enclosure: Enclosure) -> tuple[Fraction, Fraction]:
    assert enclosure.lower is not None
    assert enclosure.upper is not None
    return enclosure.lower, enclosure.upper


@given(epsilons, squares, more, excesses, dimensions)
def test_hockey_stick_grows_with_the_distance_in_both_orders(
    epsilon: Fraction, square: Fraction, further: Fraction, excess: Fraction, dimension: int
) -> None:
    near = hockey_stick_enclosure(epsilon, square, excess, dimension)
    far = hockey_stick_enclosure(epsilon, square + further, excess, dimension)
    assert ends(far)[1] >= ends(near)[0]
    if excess > 0 and epsilon >= 0:
        assert ends(far)[0] > ends(near)[1]


@given(epsilons, squares, excesses, dimensions)
def test_negative_levels_are_the_other_order(
    epsilon: Fraction, square: Fraction, excess: Fraction, dimension: int
) -> None:
    low, high = ends(hockey_stick_enclosure(-epsilon, square / (1 + excess), -excess / (1 + excess), dimension))
    weight = ends(value(sympy.exp(e), epsilon=epsilon))
    by_duality = Enclosure(1 - weight[1] + weight[0] * low, 1 - weight[0] + weight[1] * high)
    assert by_duality.overlaps(hockey_stick_enclosure(epsilon, square, excess, dimension))


@given(epsilons, squares, excesses, dimensions, st.fractions(Fraction(1, 20), 20, max_denominator=20))
def test_the_converted_delta_is_above_the_exact_one(
    epsilon: Fraction, square: Fraction, excess: Fraction, dimension: int, beta: Fraction
) -> None:
    assume(1 - beta * excess > 0)
    tilted = 1 - b * w
    cumulant = D2 * b * (b + 1) / (2 * tilted) - d / 2 * (sympy.log(tilted) + b * sympy.log(1 + w))
    bound = sympy.exp(cumulant - b * e + b * sympy.log(b) - (1 + b) * sympy.log(1 + b))
    converted = value(bound, epsilon=epsilon, D2=square, w=excess, d=dimension, beta=beta)
    assert ends(converted)[1] >= ends(hockey_stick_enclosure(epsilon, square, excess, dimension))[0]


@given(epsilons, more, excesses, dimensions)
def test_a_shift_adds_at_most_two_fifths_of_itself(
    epsilon: Fraction, square: Fraction, excess: Fraction, dimension: int
) -> None:
    added = value(sympy.Rational(2, 5) * sympy.sqrt(D2 / (1 + w)), D2=square, w=excess)
    centred = hockey_stick_enclosure(epsilon, Fraction(0), excess, dimension)
    shifted = hockey_stick_enclosure(epsilon, square, excess, dimension)
    assert ends(shifted)[0] <= ends(centred)[1] + ends(added)[1]


@given(st.fractions(0, 4, max_denominator=50), more)
def test_the_floor_in_the_plane_has_its_closed_form(epsilon: Fraction, excess: Fraction) -> None:
    closed = value((1 - 1 / (1 + w)) * sympy.exp(-(sympy.log(1 + w) + e) / w), epsilon=epsilon, w=excess)
    assert closed.overlaps(hockey_stick_enclosure(epsilon, Fraction(0), excess, 2))
    assert closed.overlaps(chi_square_floor_enclosure(epsilon, excess, 2, digits=15))
