"""Factors of polynomials: FLINT finds what SymPy finds, in the same order, without SymPy's cost."""

from types import SimpleNamespace

import flint
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.lenses.algebra import factoring
from rgm_verify.lenses.algebra.factoring import polynomial_factors

SYMBOLS = sympy.symbols("x y z w")
COEFFICIENTS = st.builds(sympy.Rational, st.integers(-9, 9).filter(bool), st.integers(1, 3))
MONOMIALS = st.lists(st.sampled_from(SYMBOLS), max_size=3).map(lambda parts: sympy.Mul(*parts))
SUMS = st.lists(st.builds(sympy.Mul, COEFFICIENTS, MONOMIALS), min_size=1, max_size=4).map(lambda t: sympy.Add(*t))
PRODUCTS = st.lists(st.builds(sympy.Pow, SUMS, st.integers(1, 2)), min_size=1, max_size=3).map(lambda p: sympy.Mul(*p))


@given(PRODUCTS)
def test_the_factors_are_those_of_sympy(product):
    constant, found = polynomial_factors(product)
    expected, others = sympy.factor_list(sympy.expand(product))
    assert (constant, found) == (expected, list(others))


@given(PRODUCTS)
def test_the_factors_multiply_to_the_polynomial(product):
    constant, found = polynomial_factors(product)
    assert sympy.expand(constant * sympy.Mul(*(f**k for f, k in found)) - product) == 0


x, y = SYMBOLS[:2]


@pytest.mark.parametrize(
    "expression",
    [
        sympy.sqrt(2) * x + sympy.sqrt(2) * y, x**2 + sympy.I * x, x**2 + sympy.Float(1.5) * x * y, sympy.Integer(6),
        3 * x * y**2, sympy.exp(2 * x) - 1, sympy.sin(x) ** 2 - x**2,
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_polynomial_with_rational_coefficients_is_left_to_sympy(expression):
    expected, others = sympy.factor_list(sympy.expand(expression))
    assert polynomial_factors(expression) == (expected, list(others))


def test_what_has_no_factors_stays_whole():
    matrices = sympy.Symbol("A", commutative=False) + x
    assert polynomial_factors(matrices) == (1, [(matrices, 1)])


def test_symbols_of_one_name_are_told_apart():
    first, second = sympy.Dummy("g"), sympy.Dummy("g")
    constant, found = polynomial_factors(first**2 - second**2)
    # SymPy orders symbols of one name by chance, and the sign of the constant follows the order.
    assert sympy.expand(sympy.Mul(constant, *(f for f, _ in found)) - first**2 + second**2) == 0
    assert len(found) == 2


class WrongContext:
    """A context of FLINT's whose polynomials say that they have no factors."""

    def __init__(self, names, order):
        self.right = flint.fmpz_mpoly_ctx.get(names, order)
        self.constant = self.right.constant

    def from_dict(self, terms):
        return WrongPolynomial(self.right.from_dict(terms))


class WrongPolynomial:
    __hash__ = None

    def __init__(self, right):
        self.right = right

    def __eq__(self, other):
        return other == self.right

    def factor(self):
        return 1, []


def test_wrong_factors_are_refused(monkeypatch):
    wrong = SimpleNamespace(fmpz_mpoly_ctx=SimpleNamespace(get=WrongContext), Ordering=flint.Ordering)
    monkeypatch.setattr(factoring, "flint", wrong)
    with pytest.raises(ArithmeticError, match="do not multiply"):
        polynomial_factors(SYMBOLS[0] ** 2 - SYMBOLS[1] ** 2)
