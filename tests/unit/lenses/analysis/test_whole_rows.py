"""Whole rows of binomial coefficients with powers of the index have their value by the binomial theorem."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from sympy import Integer, Rational, binomial, cos, exp

from rgm_verify.lenses.analysis.rules.known_sums import binomial_theorem
from rgm_verify.lenses.points.values import truth_by_arb

k = sympy.Symbol("k", integer=True)
n = sympy.Symbol("n", integer=True, nonnegative=True)
q, a = sympy.symbols("q a", real=True)
#: Terms beside (n over k), and the value of the row.
ROWS = [
    (q**k * (1 - q) ** (n - k), Integer(1)), (Integer(1), 2**n), ((-1) ** k * 3**n, 0**n * 3**n),
    (q ** (2 * k + 1), q * (1 + q**2) ** n), (q**k * (1 - q) ** (n - k) * exp(a * k), (1 - q + q * exp(a)) ** n),
    (exp(-a * k) * a, a * (1 + exp(-a)) ** n), (q ** (-k) * 2 ** (3 * n - k), (8 + 4 / q) ** n),
    (q ** (a * k), (1 + q**a) ** n), (k, n * 2 ** (n - 1)),
    (k * q**k * (1 - q) ** (n - k), n * q), (k * a ** (n + k), n * a ** (n + 1) * (1 + a) ** (n - 1)),
]  # fmt: skip
OTHERS = [
    k**2, k * (-1) ** k, k + 1,
    q ** (k**2), binomial(n, k), exp(k * (k - 1)), 1 / (k + 1), cos(k * q), q ** (n**2 * k + n**2), (k + 1) ** q,
    q ** sympy.floor(k / 2), q ** sympy.Abs(k - 2),
]  # fmt: skip


def row(term: sympy.Expr) -> sympy.Sum:
    return sympy.Sum(binomial(n, k) * term, (k, 0, n))


@pytest.mark.parametrize(("term", "value"), ROWS, ids=[str(term) for term, _ in ROWS])
@pytest.mark.parametrize("number", range(5))
def test_a_row_has_the_value_of_its_terms(term, value, number):
    found, conditions = binomial_theorem(row(term))
    assert all(truth_by_arb(condition, {q: Fraction(2, 7), a: Fraction(3)}) for condition in conditions)
    point = {q: Rational(2, 7), a: Integer(3), n: Integer(number)}
    exact = sum(binomial(number, i) * term.subs(k, i).subs(point) for i in range(number + 1))
    assert sympy.simplify(found.subs(point) - exact) == 0
    assert sympy.simplify(value.subs(point) - exact) == 0


@pytest.mark.parametrize("term", OTHERS, ids=str)
def test_other_rows_have_no_value_here(term):
    assert binomial_theorem(row(term)) is None


def test_other_ranges_are_no_whole_row():
    whole = row(q**k)
    for limits in ((k, 1, n), (k, 0, n - 1), (k, 0, a)):
        assert binomial_theorem(sympy.Sum(whole.function, limits)) is None


def test_no_base_may_be_0_and_none_negative_below_a_real_exponent():
    assert [str(c) for c in binomial_theorem(row(q**k))[1]] == ["q != 0"]
    assert [str(c) for c in binomial_theorem(row(q ** (a * k)))[1]] == ["q > 0"]
    assert not binomial_theorem(row(exp(a * k)))[1]
    assert [str(c) for c in binomial_theorem(row(k * q**k))[1]] == ["q != 0", "q + 1 != 0"]


def test_the_lens_proves_by_it_and_nothing_false(proved):
    text = "Sum(binomial(n, k)*q**k*(1 - q)**(n - k)*exp(k*a), (k, 0, n))"
    assert proved(f"n{{1}} q(0,1) a | {text} == (1 + q*(exp(a) - 1))**n")
    assert proved(f"n{{1}} q(0,1) a[0,inf) | {text} >= 1")
    assert proved("n{0} | Sum(k*binomial(n, k), (k, 0, n)) == n*2**(n - 1)")
    assert not proved("n{0} | Sum(k*binomial(n, k), (k, 0, n)) == n*2**n")
    assert not proved(f"n{{1}} q(0,1) a | {text} == (1 + q*exp(a))**n")
    assert not proved(f"n{{1}} q(-1,1) a | {text} == (1 + q*(exp(a) - 1))**n")
    assert not proved(f"n{{1}} q(0,1) a | {text.replace('(k, 0, n)', '(k, 1, n)')} == (1 + q*(exp(a) - 1))**n")
