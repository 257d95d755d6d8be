"""Statements that are false on a thin set, and true ones beside them: the first are refuted, the second never.

Thin is: beside an end, far out, at one parity, in a spike, at a kink or a jump, where two things meet, and, for what is
said to exist, on both sides of a pole.
"""

from __future__ import annotations

import pytest

from rgm_verify import check

BESIDE_ENDS = (
    "x^2 >= 10^-20 * x for x in [0, 1]", "sqrt(x) <= 10^9 * x for x > 0", "log(x) >= -50 for x > 0",
    "(1 - x)^2 >= 10^-15 * (1 - x) for x in [0, 1]", "1/(x - 2) <= 10^12 for x in (2, 3]",
    "x*(x - 10^-12) >= 0 for x in [-1, 1]", "if x > 0 then x >= 10^-20 for x real",
    "tan(x) <= 10^10 for x in (0, 1.5707963267948966)", "1/abs(x - 0.61803) <= 10^9 for x in [0, 0.61803)",
    "x/y <= 10^15 for x, y in (0, 1]",
)  # fmt: skip
FAR_OUT = (
    "x/(1 + x) <= 1 - 10^-22 for x >= 0", "arctan(x) <= pi/2 - 10^-16 for x real", "exp(-x) >= 10^-400 for x >= 0",
    "sqrt(x^2 + 1) - x >= 10^-12 for x >= 0", "log(n) <= 50 for n integer >= 1",
    "sqrt(n + 1) - sqrt(n) >= 10^-7 for n integer >= 1", "floor(log(n)/log(10)) <= 17 for n integer >= 1",
    "x*y <= 10^40 for x, y > 0", "(x - 3)*(x - 4) >= 0 for x in [0, 10^9]",
)  # fmt: skip
AT_INTEGERS = (
    "(-1)^n * n <= 2^40 for n integer >= 1", "(-1)^n * n >= -10^12 for n integer >= 1",
    "(-1)^n * n^2 <= 10^30 for n integer >= 1", "(1 + (-1)^n) * n <= 10^15 for n integer",
    "(1 - (-1)^n) * n <= 10^15 for n integer", "(-1)^(n*(n + 1)/2) * n <= 10^12 for n integer >= 1",
    "n^2 != 15241578750190521 for n integer", "n != 123456789 for n integer",
    "max(0, 1 - 10^6*abs(n - 27182818)) <= 1/2 for n integer",
    "floor(n/3) * 3 >= n - 1 for n integer >= 10^9", "(n - 12345678)*(n - 12345680) >= 0 for n integer >= 0",
)  # fmt: skip
IN_SPIKES = (
    "exp(-10^8*(x - 0.577215)^2) <= 1/2 for x real", "abs(3*x - 1) >= 10^-15 * x for x in [0, 1]",
    "(x - 0.123456)*(x - 0.123457) >= 0 for x in [0, 1]", "(x - 2)*(x - 2.0000001) >= 0 for x real",
    "max(x/3, 1 - x) >= 1/4 + 10^-10 for x in [0, 1]", "min(x, 2.2 - x) <= 1.1 - 10^-12 for x in [0, 2]",
    "x - floor(x) <= 1 - 10^-12 for x in [2.5, 4.5]", "floor(x^2) >= x^2 - 1 + 10^-9 for x in [0, 2]",
    "(x - 0.7)*(x - 0.7 - 10^-13) >= 0 for x in [0, 1]", "abs(x - 0.25)^(1/4) >= 10^-4 for x in [0, 1]",
    "(x^3 - x - 1)^2 >= 10^-14 for x real",
    "abs(x + exp(x)) >= 10^-11 for x real",
)  # fmt: skip
NOT_THERE = (
    "there is x in [-1, 1] with 1/x = 0", "there is x in [-2, 2] with x + 1/x = 1",
    "there is x in [0, 3] with x/(x - 1) = 1", "there is x real with 1/(x^2 - 2) = -1/4",
    "there is x in [0, 5] with floor(x) = 1/2", "there is x real with floor(x) = 1/2",
    "there is x real with floor(2*x) < 2*floor(x)", "there is x in [0, 3] with sec(x) = 1/2",
    "there is x in [-1, 3] with log(x) > x", "there is x in [-1, 1] with sqrt(x) + sqrt(-x) > 0",
    "there is x real with sqrt(x - 2)*sqrt(1 - x) >= 0", "there is x in [0, 2] with 1/log(x) = 0",
    "there is x, y real with 1/(x - y) = 0", "there is x in [-3, 3] with exp(1/x) = 1",
    "there is x real with sign(x) = 1/2", "there is x real with x/abs(x) = 1/3",
    "there is x in [0, 2] with tan(x) = 1 and x > 1", "there is x in [-1, 1] with (x^2 + 1)/(2*x) = 1/2",
    "there is x in [-5, 5] with 1/(x - 1) + 1/(x + 1) = 1/x",
)  # fmt: skip
#: False, and nothing is found: a sign at a long number, poles of gamma, and tangents on both sides of pi/2.
OPEN = (
    "sign(x - 0.7301) != 0 for x in [0, 1]", "there is x in [0, 4] with gamma(x - 2) = 0",
    "there is x in [0, 3] with tan(x) + 1/tan(x) = 1",
)  # fmt: skip
TRUE = (
    "x^2 >= -10^-20 * x for x in [0, 1]", "log(x) <= x - 1 for x > 0", "-x*log(x) <= 1/e for x in (0, 1]",
    "x/(1 + x) < 1 for x >= 0", "sqrt(1 - x^2) > 0 for x in (-1, 1)", "arctan(x) < pi/2 for x real",
    "x - sin(x) >= 0 for x in [0, 1]", "(-1)^n * n >= -n for n integer >= 0", "n^2 != 15241578750190522 for n integer",
    "floor(n/2) >= n/2 - 1/2 for n integer >= 10^9", "exp(-10^8*(x - 0.577215)^2) <= 1 for x real",
    "abs(3*x - 1) >= 0 for x in [0, 1]", "max(x, 1 - x) >= 1/2 for x in [0, 1]",
    "max(x/3, 1 - x) >= 1/4 for x in [0, 1]", "min(x, 2.2 - x) <= 1.1 for x in [0, 2]", "floor(x) > x - 1 for x real",
    "x - floor(x) < 1 for x in [0, 5]", "floor(10*x)/10 > x - 0.1 for x in [0, 1]", "cos(x) >= -1 for x real",
    "max(x, y, 1 - x - y) >= 1/3 for x, y in [0, 1]", "x*exp(-x) <= 1/e for x >= 0", "sqrt(x^2 + 1) > x for x >= 0",
    "(n - 12345678)*(n - 12345679) >= 0 for n integer >= 0", "erf(x) < 1 for x >= 0",
    "(1 + (-1)^n) * n <= 2*n for n integer >= 0", "n/2 - floor(n/2) <= 1/2 for n integer >= 1",
)  # fmt: skip
THERE = (
    "there is x in [-1, 1] with 1/x = 1", "there is x in [-2, 3] with x + 1/x = 2",
    "there is x in [0, 5] with floor(x) = 2", "there is x in [0, 3] with tan(x) = -1",
    "there is x real with 1/(x^2 - 2) = -1/2", "there is x in [-1, 3] with log(x) > x - 2",
    "there is x in [-1, 1] with sqrt(x) + sqrt(-x) >= 0", "there is x real with sqrt(x - 2)*sqrt(2 - x) >= 0",
    "there is x in [0, 2] with 1/log(x) = -1", "there is x, y real with 1/(x - y) = 1",
    "there is x real with sign(x) = 0", "there is x in [0, 3] with x - floor(x) >= 1 - 10^-6",
    "there is x in [0, 10] with ceil(x) - floor(x) = 1", "there is x real with floor(2*x) > 2*floor(x)",
    "there is x in [0, 1] with exp(-10^8*(x - 0.577215)^2) > 1/2", "there is x in [0, 2] with floor(x) = x and x > 1",
    "there is x in [-5, 5] with x/(x - 1) = 5/4", "there is x in [0, 4] with abs(x - 1) + abs(x - 3) = 2",
    "there is x in [0, 1] with max(x, 1 - x) <= 1/2", "there is x in [-1, 1] with abs(x)/x = -1",
    "there is x in [-1, 1] with x*sign(x) <= 0", "there is x in [0, 1] with x^2 >= 1",
)  # fmt: skip


@pytest.mark.parametrize("statement", BESIDE_ENDS + FAR_OUT + AT_INTEGERS + IN_SPIKES + NOT_THERE)
def test_a_statement_that_is_false_on_a_thin_set_is_refuted(statement: str) -> None:
    assert check(statement).verdict.value == "refuted"


@pytest.mark.parametrize("statement", TRUE + THERE)
def test_a_true_statement_beside_a_thin_falsehood_is_not_refuted(statement: str) -> None:
    assert check(statement).verdict.value != "refuted"


@pytest.mark.parametrize("statement", OPEN)
def test_a_false_statement_that_nothing_refutes_is_not_called_proved(statement: str) -> None:
    assert check(statement).verdict.value in ("supported", "undecided")
