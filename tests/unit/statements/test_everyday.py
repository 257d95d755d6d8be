"""Everyday writing: what has one reading is read, and what has several is not judged."""

from __future__ import annotations

import pytest

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.statements.checking import read
from rgm_verify.statements.parser import parse
from rgm_verify.statements.tokens import DoubtfulReading, StatementError
from rgm_verify.statements.trees import text

READ = {
    # Stops and commas.
    "x^2 >= 0 for x real.": "for all x real: x^2 >= 0",
    "x >= 2.": "x >= 2",
    "x + 1/x >= 2, x > 0": "for all x > 0: x + 1/x >= 2",
    "x + 1/x >= 2, for x > 0": "for all x > 0: x + 1/x >= 2",
    "x > 0 for x > 1, where y > 0": "for all x > 1, y > 0: x > 0",
    "∀x>0, x + 1/x ≥ 2": "for all x > 0: x + 1/x >= 2",
    "for all x > 0, y > 0, x*y > 0": "for all x > 0, y > 0: x*y > 0",
    "for all x, if x > 0 then x^2 > 0": "for all x real: if x > 0 then x^2 > 0",
    "if x in (0, 1), then x^2 < x": "if x > 0 and x < 1 then x^2 < x",
    "there is x > 0, with x^2 = 2": "there is x > 0 with x^2 = 2",
    # Sentences.
    "Let x > 0. Then x + 1/x >= 2.": "for all x > 0: x + 1/x >= 2",
    "Let x, y be positive reals. Then x*y > 0": "for all x in (0, infinity), y in (0, infinity): x*y > 0",
    "let n be a natural number; n^2 >= n": "for all n integer >= 1: n^2 >= n",
    "Suppose x > 0. Let y > 0. Then x*y > 0.": "for all x > 0, y > 0: x*y > 0",
    "For all x > 0: x > 0": "for all x > 0: x > 0",
    # Sorts and sets.
    "n^2 + n > 0 for n >= 1 integer": "for all n integer >= 1: n^2 + n > 0",
    "n^2 + n > 0 for 1 <= n <= 5 integer": "for all n integer, 1 <= n <= 5: n^2 + n > 0",
    "n >= 0 for n integer in [1, 20]": "for all n integer >= 1, n <= 20: n >= 0",
    "x^2 >= y for x, y in {1}": "for all x = 1, y = 1: x^2 >= y",
    "x in [0, 1] implies x^2 <= x": "if x >= 0 and x <= 1 then x^2 <= x",
    # Products without a sign.
    "x(1-x)^2 <= 1/4 for x in [0,1]": "for all x in [0, 1]: x*(1 - x)^2 <= 1/4",
    "n(n+1)(2n+1)/6 > 0 for n natural": "for all n integer >= 1: n*(n + 1)*(2*n + 1)/6 > 0",
    "sum(k, 1, 3, k(k+1)) = 20": "sum(k, 1, 3, k*(k + 1)) = 20",
    "2 x y <= x^2 + y^2 for x, y real": "for all x real, y real: 2*x*y <= x^2 + y^2",
    "|x||y| = |x*y|": "abs(x)*abs(y) = abs(x*y)",
    "2|x|(1+|y|) >= 0": "2*abs(x)*(1 + abs(y)) >= 0",
    "2πr² >= 0": "2*pi*r^2 >= 0",
    # Functions.
    "beta(1 - beta) <= 1/4 for beta in [0, 1]": "for all beta in [0, 1]: beta*(1 - beta) <= 1/4",
    "beta(a, beta(a, 1)) > 0 for a > 0": "for all a > 0: beta(a, beta(a, 1)) > 0",
    "sin x <= x for x >= 0": "for all x >= 0: sin(x) <= x",
    "n log n >= x sin(x) for n > 1, x < 0": "for all n > 1, x < 0: n*log(n) >= x*sin(x)",
    "2 log log n + cos π >= 0": "2*log(log(n)) + cos(pi) >= 0",
    "sin^2(x) + cos²(x) = 1": "sin(x)^2 + cos(x)^2 = 1",
    "tan^2 x >= 0": "tan(x)^2 >= 0",
    "log_2(8) + log_10(10) + log_3(x) > 4": "log2(8) + log10(10) + log(x)/log(3) > 4",
    "log_b(x) > 1": "log(x)/log(b) > 1",
    "n choose k <= 2^n for n, k natural": "for all n integer >= 1, k integer >= 1: binomial(n, k) <= 2^n",
    # Ranges with dots.
    "sum(k = 1..n, k^2) >= 0": "sum(k, 1, n, k^2) >= 0",
    "sum(k^2, k=1...n) >= 0": "sum(k, 1, n, k^2) >= 0",
    "integral(t=-oo..0, exp(t)) = 1": "integral(t, -infinity, 0, exp(t)) = 1",
}  # fmt: skip

DOUBTFUL = {
    "x <= y, y <= z": ("y <= z: x <= y", "x <= y and y <= z"),
    "x^2 <= 1, x <= 1 for x in [0, 1]": ("for all x <= 1", "x^2 <= 1 and x <= 1"),
    "x >= 0, x >= 1": ("for all x >= 1: x >= 0", "x >= 0 and x >= 1"),
    "1/x(1-x) >= 4 for x in (0,1)": ("1/x*(1 - x)", "1/(x*(1 - x))"),
    "2^x(1-x) >= 0 for x in (0,1)": ("2^x*(1 - x)", "2^(x*(1 - x))"),
    "2^x y >= 0 for x, y > 0": ("2^x*y", "2^(x*y)"),
    "e^πx >= 0": ("e^pi*x", "e^(pi*x)"),
    "sin 2x <= 1": ("sin(2)*x", "sin(2*x)"),
    "sin x^2 <= 1": ("sin(x)^2", "sin(x^2)"),
    "log x/y <= 1": ("log(x)/y", "log(x/y)"),
    "sin x(1-x) <= 1 for x in [0, 1]": ("sin(x)*(1 - x)", "sin(x*(1 - x))"),
    "sin^-1(x) <= 2": ("sin(x)^(-1)", "arcsin(x)"),
    "sqrt x y >= 0 for x, y > 0": ("sqrt(x)*y", "sqrt(x*y)"),
    "log x log y >= 0 for x, y > 1": ("log(x)*log(y)", "log(x*log(y))"),
    "1/x log x >= 0 for x > 1": ("1/x*log(x)", "1/(x*log(x))"),
    "log(x, 2) <= x": ("log(x)/log(2)", "log(2)/log(x)"),
    "x > 1 => x > 0": ("if x > 1 then x > 0", "x > 1 >= x > 0"),
    "log^2(x) >= 0": ("log(x)^2", "log(log(x))"),
}  # fmt: skip

REFUSED = {
    "x(1-x) <= 1/4": "give x a domain",
    "f(x) = 2 for x > 0": "no function",
    "if x > 0 then x(1 + x) > 0": "give x a domain",
    "π(x) > 0 for x > 0": "no function",
    "2 x y <= x^2 + y^2": "an operation is missing",
    "|x|y| > 0": "an operation is missing",
    "for all x > 0, y > 0": "a colon",
    "for all x > 0, y > 0, x > 1": "a colon",
    "x > 0. y > 0": "another statement",
    "n > 0 for m, n >= 1 integer": "in front of the bound",
    "n > 0 for n >= m integer": "in front of the bound",
    "sin^2(x)^2 >= 0": "two exponents",
    "sin^n(x) >= 0": "sin(x)^n",
    "2n choose n >= 1 for n natural": "in parentheses",
    "n choose k^2 >= 1 for n, k natural": "in parentheses",
    "n k choose 2 >= 0 for n, k natural": "in parentheses",
    "n + 1 choose 2 >= 0 for n natural": "in parentheses",
    "n choose 2 * n >= 0 for n natural": "in parentheses",
    "x log x >= 0": "an operation is missing",
    "limit(n, oo, 1/n) = 0": "limits are not read",
    "sum(k=1..n) k >= 0": "sum(k, from, to, term)",
    "n >= 1 implies n in N": "declare the variable",
    "pi ~ 3.14": "a number that is near",
}  # fmt: skip


@pytest.mark.parametrize("written", READ)
def test_everyday_writing_is_read_as(written: str) -> None:
    assert text(parse(written)) == READ[written]
    assert parse(READ[written]).says == parse(written).says


@pytest.mark.parametrize("written", DOUBTFUL)
def test_what_has_two_readings_is_not_judged(written: str) -> None:
    with pytest.raises(DoubtfulReading) as doubt:
        read(written)
    readings = [r.statement for r in doubt.value.readings]
    for part in DOUBTFUL[written]:
        assert any(part in reading for reading in readings), readings


@pytest.mark.parametrize("written", REFUSED)
def test_what_has_no_reading_is_refused_with_a_hint(written: str) -> None:
    with pytest.raises(StatementError) as refused:
        read(written)
    assert REFUSED[written] in refused.value.problem
    assert not isinstance(refused.value, DoubtfulReading)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Let x in [0, 1]. Then x(1-x) <= 1/4.", "Let x in [0, 1]. Then x(1-x) <= 1/5."),
        ("n(n+1) >= 2, n >= 1 integer", "n(n+1) >= 3, n >= 1 integer"),
        ("sin^2(x) + cos^2(x) = 1", "sin^2(x) - cos^2(x) = 1"),
        ("|x||y| >= x*y for x, y real", "|x||y| > x*y for x, y real"),
        ("log_2(8) = 3", "log_3(8) = 2"),
    ],
)
def test_what_is_read_is_judged(true: str, false: str) -> None:
    assert check(true).verdict is Verdict.PROVED
    assert check(false).verdict is Verdict.REFUTED


def test_a_set_of_numbers_is_an_alternative() -> None:
    assert text(parse("x > y for x, y in {1, 2}")) == "for all (x = 1 or x = 2), (y = 1 or y = 2): x > y"
