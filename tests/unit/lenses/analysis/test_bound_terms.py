"""Terms below a sum or an integral depend on its variable: no rule takes them for numbers."""

from __future__ import annotations

import pytest
import sympy

from rgm_verify.balls.binding import At
from rgm_verify.claims.claim import real
from rgm_verify.lenses.analysis.goals import Domain, Goal
from rgm_verify.lenses.analysis.integrals import by_derivative
from rgm_verify.lenses.analysis.search import Prover

k = sympy.Symbol("k", integer=True)
t = sympy.Symbol("t", real=True)
X, N = real("x", lower=0), real("n", integer=True, lower=1)
x, n = X.symbol, N.symbol
DOMAIN = Domain((X, N), ())

#: False for some n: each holds at n = 1, and its step holds if the power below the integral is taken for a number.
FALSE = [
    "n{1} | Integral(sin(t)**n, (t, 0, pi/2)) <= sqrt(pi/(2*n + 11/10))",
    "n{1} | Integral(t**n, (t, 0, 1)) <= 1/2**n",
    "n{1} | Integral(exp(-n*t), (t, 0, 1)) <= 64*exp(-n)/37",
    "n{1} | Integral(Integral(t**n, (t, 0, 1)), (k, 0, 1)) <= 1/2**n",
]


@pytest.mark.parametrize("line", FALSE)
def test_induction_takes_no_term_from_below_an_integral(proved, line):
    assert not proved(line)


@pytest.mark.parametrize(
    "bound",
    [
        sympy.Integral(sympy.exp(t * x), (t, 0, 1)), sympy.Sum(x**k, (k, 1, n)), sympy.Product(x + k, (k, 1, 2)),
        sympy.Derivative(x**3, x), At(sympy.Derivative(t**3, t), t, x),
    ],
    ids=str,
)  # fmt: skip
def test_the_search_looks_at_no_goal_in_which_something_is_bound(bound):
    prover = Prover()
    assert not prover.show(Goal(1 + bound, True, DOMAIN), 3)
    assert "a sum or an integral is left in it" in prover.open[0]
    assert prover.show(Goal(1 + x, True, DOMAIN), 3)


def test_numbers_may_be_sums_and_integrals():
    goal = Goal(sympy.Integral(sympy.exp(t), (t, 0, 1)) - sympy.Sum(1 / k**2, (k, 1, 5)), True, Domain((), ()))
    assert Prover().show(goal, 1)


def test_an_integral_below_a_sum_is_not_differentiated():
    domain = Domain((X,), ())
    inner = sympy.Integral(sympy.exp(k * t), (t, 0, x))
    assert by_derivative(sympy.Sum(inner, (k, 1, 2)), False, domain, Prover()) == ""
    assert by_derivative(inner.subs(k, 2), False, domain, Prover())
