"""Exact parameters: what is accepted, what is refused and how it is said, and the sensitivity types."""

from __future__ import annotations

import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError, reject
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, Adjacency, RelativeSensitivity
from rgm_verify.numbers.exact import (
    distance_squared,
    exact,
    exact_vector,
    nonnegative,
    norm_squared,
    positive,
    positive_integer,
)

fractions = st.fractions(min_value=-100, max_value=100, max_denominator=1000)


@pytest.mark.parametrize(
    ("given_value", "value"),
    [
        (3, Fraction(3)),
        (Fraction(1, 3), Fraction(1, 3)),
        ("1/1000", Fraction(1, 1000)),
        ("1e-8", Fraction(1, 10**8)),
        ("0.1", Fraction(1, 10)),
        (Decimal("0.1"), Fraction(1, 10)),
        (sympy.Rational(1, 3), Fraction(1, 3)),
        (sympy.Integer(7), Fraction(7)),
        (np.int64(4), Fraction(4)),
        (np.uint8(255), Fraction(255)),
        (flint.fmpq(2, 3), Fraction(2, 3)),
        (flint.fmpz(5), Fraction(5)),
    ],
)
def test_exact_numbers_keep_their_value(given_value, value):
    assert exact(given_value, name="x") == value


@pytest.mark.parametrize("value", [0.1, np.float64(0.5), np.float32(2), sympy.Float("0.1")])
def test_floats_are_refused_with_the_way_out(value):
    with pytest.raises(InputError, match=r"^sigma=.*a float is not the decimal.*string.*Fraction.*binary"):
        exact(value, name="sigma")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_binary_float_is_the_number_that_it_is(value):
    assert float(exact(value, name="x", floats="binary")) == value
    assert exact(value, name="x", floats="binary") == Fraction(value)


@given(fractions)
def test_text_round_trips(value):
    assert exact(str(value), name="x") == value


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, np.float32("nan"), Decimal("NaN"), Decimal("-Infinity"), "nan", "inf", "-Infinity"],
)
def test_what_is_not_finite_is_refused_even_as_binary(value):
    with pytest.raises(InputError, match="finite"):
        exact(value, name="x", floats="binary")


@pytest.mark.parametrize(
    "value", [True, np.bool_(False), None, 1j, [1], "", "one", "1//2", "0x10", sympy.pi, sympy.oo, sympy.nan, sympy.zoo]
)
def test_what_is_no_number_is_refused_by_name(value):
    with pytest.raises(InputError, match=r"^eta="):
        exact(value, name="eta", floats="binary")


@pytest.mark.parametrize("value", ["1e999999999", "1e-999999999999999999999999", "1e1_000_000", Decimal("1e500000")])
def test_an_exponent_that_would_fill_the_memory_is_refused(value):
    with pytest.raises(InputError, match="exponent"):
        exact(value, name="x")


def test_a_zero_denominator_is_named():
    with pytest.raises(InputError, match="denominator must not be 0"):
        exact("1/0", name="x")


def test_the_way_to_treat_floats_is_checked():
    with pytest.raises(InputError, match="floats='round'"):
        exact(1, name="x", floats="round")


def test_errors_read_as_the_house_demands():
    assert str(reject("sigma", -1, "the noise scale must be >= 0")) == "sigma=-1: the noise scale must be >= 0"
    with pytest.raises(InputError, match=r"^sigma=-1: the noise scale must be >= 0$"):
        nonnegative(-1, name="sigma", meaning="the noise scale")
    with pytest.raises(InputError, match=r"^alpha=0: the order must be > 0$"):
        positive(0, name="alpha", meaning="the order")


def test_errors_stay_short():
    assert len(str(reject("x", "9" * 10_000, "too long"))) < 200
    assert "16610 bits" in str(reject("x", 10**5000, "too long"))
    assert issubclass(InputError, ValueError)


@pytest.mark.parametrize("value", [0, -1, "1/2", "2.5"])
def test_a_positive_integer_is_one(value):
    with pytest.raises(InputError, match="must be an integer >= 1"):
        positive_integer(value, name="dimension")


def test_integers_may_be_written_in_any_exact_way():
    assert [positive_integer(v, name="d") for v in (3, "3", "1e2", Fraction(4, 2), np.int32(7))] == [3, 3, 100, 2, 7]


def test_vectors_name_the_entry_that_is_wrong():
    with pytest.raises(InputError, match=r"^x\[1\]=nan"):
        exact_vector([1, math.nan], name="x", floats="binary")
    with pytest.raises(InputError, match="at least one entry"):
        exact_vector([], name="x")
    with pytest.raises(InputError, match=r"shape \(2, 2\)"):
        exact_vector(np.eye(2), name="x", floats="binary")


def test_a_number_is_a_vector_of_dimension_one():
    assert exact_vector("1/3", name="x") == exact_vector([Fraction(1, 3)], name="x") == (Fraction(1, 3),)
    assert exact_vector(np.array(2.0), name="x", floats="binary") == (Fraction(2),)


def test_different_dimensions_have_no_distance():
    with pytest.raises(InputError, match="same dimension"):
        distance_squared((Fraction(1),), (Fraction(1), Fraction(2)))


# ------------------------------------------------------------------------------------------ sensitivity

vectors = st.integers(1, 4).flatmap(lambda d: st.tuples(*[st.lists(fractions, min_size=d, max_size=d)] * 2))
positives = st.fractions(min_value=0, max_value=10, max_denominator=100)


@given(vectors, positives, positives)
def test_admissible_pairs_are_symmetric(pair, eta, r_rel):
    sensitivity = RelativeSensitivity(eta, r_rel, Adjacency.REPLACE_ONE)
    assert sensitivity.admits(*pair) == sensitivity.admits(*reversed(pair))


@given(vectors, positives, positives, st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=100))
def test_admissible_pairs_scale_with_r_rel(pair, eta, r_rel, factor):
    scaled = [[factor * entry for entry in vector] for vector in pair]
    before = RelativeSensitivity(eta, r_rel, "replace_one").admits(*pair)
    assert RelativeSensitivity(eta, factor * r_rel, "replace_one").admits(*scaled) == before


@given(vectors, positives)
def test_relative_sensitivity_without_eta_is_absolute(pair, bound):
    relative = RelativeSensitivity(0, bound, "replace_one")
    assert relative.admits(*pair) == AbsoluteSensitivity(bound, "replace_one").admits(*pair)


@given(vectors, positives)
def test_the_boundary_itself_is_admissible_and_nothing_beyond(pair, eta):
    x, y = (exact_vector(v, name="v") for v in pair)
    smaller = min(norm_squared(x), norm_squared(y))
    excess = distance_squared(x, y) - RelativeSensitivity(eta, 0, "replace_one").largest_distance_squared(smaller)
    if excess > 0:
        short = RelativeSensitivity(eta, excess / (1 + excess), "replace_one")  # (e / (1 + e))^2 < e
        enough = RelativeSensitivity(eta, 1 + excess, "replace_one")  # (1 + e)^2 > e
        assert not short.admits(x, y)
        assert enough.admits(x, y)


def test_floats_are_decided_exactly():
    # 1.1 is a little above 11/10, so the pair is not admissible at eta = 1/10, although the floats round to equality.
    sensitivity = RelativeSensitivity("1/10", 0, "replace_one")
    assert not sensitivity.admits(1.0, 1.1)
    assert sensitivity.admits([1], ["11/10"])
    assert sensitivity.admits(np.array([1.0, 0.0]), np.array([1.0, 0.09]))


def test_equality_at_irrational_norms_is_decided():
    assert RelativeSensitivity(1, 0, "replace_one").admits([1, 1], [2, 2])
    assert not RelativeSensitivity("999999999999999999999/1000000000000000000000", 0, "replace_one").admits(
        [1, 1], [2, 2]
    )


def test_replacing_a_record_is_worth_a_factor_of_two():
    added = AbsoluteSensitivity("1/2", Adjacency.ADD_OR_REMOVE)
    assert added.for_replace_one() == AbsoluteSensitivity(1, Adjacency.REPLACE_ONE)
    assert added.for_replace_one().for_replace_one() == added.for_replace_one()


def test_sensitivities_refuse_what_they_cannot_be():
    with pytest.raises(InputError, match="eta=-1"):
        RelativeSensitivity(-1, 0, "replace_one")
    with pytest.raises(InputError, match=r"r_rel=0\.1: a float"):
        RelativeSensitivity(0, 0.1, "replace_one")
    with pytest.raises(InputError, match="bound=-2"):
        AbsoluteSensitivity(-2, "replace_one")
    with pytest.raises(InputError, match="adjacency='swap': allowed are replace_one, add_or_remove"):
        AbsoluteSensitivity(1, "swap")
    with pytest.raises(InputError, match="finite"):
        AbsoluteSensitivity(1, "replace_one").admits(math.nan, 0)


def test_the_package_loads_no_heavy_library():
    code = (
        "import sys, rgm_verify, rgm_verify.numbers.exact, rgm_verify.errors\n"
        "heavy = {'numpy', 'scipy', 'sympy', 'flint', 'z3', 'matplotlib', 'rgm_verify.mechanisms'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
