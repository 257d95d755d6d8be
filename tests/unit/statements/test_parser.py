"""The grammar of statements: what is read as what, and where an error points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.errors import InputError
from rgm_verify.statements.parser import DEEPEST, parse, plain
from rgm_verify.statements.tokens import LONGEST, StatementError
from rgm_verify.statements.trees import text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("x + 1/x >= 2 for x > 0", "for all x > 0: x + 1/x >= 2"),
        ("for all x, y > 0: (x+y)/2 ≥ √(x·y)", "for all x > 0, y > 0: (x + y)/2 >= sqrt(x*y)"),
        ("∀ x ∈ [0, 1): x² ≤ x", "for all x in [0, 1): x^2 <= x"),
        ("∃ x ∈ ℝ with x³ = 2", "there is x real with x^3 = 2"),
        ("there is x in [0,1] with x^2 = 1/2", "there is x in [0, 1] with x^2 = 1/2"),
        ("there is x in (0, ∞) such that x^2 = 2", "there is x in (0, infinity) with x^2 = 2"),
        ("x^2 = 2 for some x > 0", "there is x > 0 with x^2 = 2"),
        ("0 < x < 1 for x in (-infinity, 1)", "for all x in (-infinity, 1): 0 < x < 1"),
        ("-x^2 <= 0", "-x^2 <= 0"),
        ("(-x)^2 >= 0", "(-x)^2 >= 0"),
        ("2^3^2 = 512", "2^(3^2) = 512"),
        ("2**-1 = 0.5", "2^(-1) = 0.5"),
        ("x⁻² > 0", "x^(-2) > 0"),
        ("a - b + c = a - (b - c)", "a - b + c = a - (b - c)"),
        ("a/b/c = a/(b*c)", "a/b/c = a/(b*c)"),
        ("2x(2) = 4x", None),
        ("2x = 4(x/2)", "2*x = 4*(x/2)"),
        ("(x+1)(x-1) = x^2 - 1", "(x + 1)*(x - 1) = x^2 - 1"),
        ("2|x| >= ||x| - 1|", "2*abs(x) >= abs(abs(x) - 1)"),
        ("|x|y| > 0", None),
        ("|(2|x|)| > 0", "abs(2*abs(x)) > 0"),
        ("integral(t, -oo, ∞, exp(-t^2)) > 1", "integral(t, -infinity, infinity, exp(-t^2)) > 1"),
        ("integral(t, (a), +inf, 1/t) > 1", "integral(t, a, infinity, 1/t) > 1"),
        ("Integral(exp(-t), (t, 0, oo)) = 1", "integral(t, 0, infinity, exp(-t)) = 1"),
        ("Sum(k*(k, 1), (k, 1, n)) > 0", None),
        (
            "Sum(binomial(n, k), (k, 0, n)) = 2^n for n natural",
            "for all n integer >= 1: sum(k, 0, n, binomial(n, k)) = 2^n",
        ),
        ("product(k, (a), n, k) > 0", "product(k, a, n, k) > 0"),
        ("x > 0 for x in reals positive", "for all x in (0, infinity): x > 0"),
        ("(n!)! >= n! for n natural", "for all n integer >= 1: factorial(factorial(n)) >= factorial(n)"),
        ("n!=0", "n != 0"),
        ("ln(x) <= x - 1 where x > 0", "for all x > 0: log(x) <= x - 1"),
        ("x > 0 if x > 1", "for all x > 1: x > 0"),
        ("x > 0 given x > 1 and y = x", "for all x > 1, y = x: x > 0"),
        ("if x > 1 then x > 0", "if x > 1 then x > 0"),
        ("x > 1 ⇒ x > 0", "if x > 1 then x > 0"),
        ("x > 0 ⇔ 2*x > 0", "x > 0 iff 2*x > 0"),
        ("x > 0 and y > 0 or z > 0", "(x > 0 and y > 0) or z > 0"),
        ("x > 0 and (y > 0 or z > 0)", "x > 0 and (y > 0 or z > 0)"),
        ("not x < 0 and y > 0", "not x < 0 and y > 0"),
        ("x > 0 for positive integers n, m", "for all n integer > 0, m integer > 0: x > 0"),
        ("x > 0 for x, y real, n in N", "for all x real, y real, n integer >= 1: x > 0"),
        ("x > 0 for x, y != 0", "for all x != 0, y != 0: x > 0"),
        ("x > 0 for (x > 1 or x < -1), y > 0", "for all (x > 1 or x < -1), y > 0: x > 0"),
        ("gamma > 0 for gamma > 0", "for all gamma > 0: gamma > 0"),
        ("Γ(x + 1) = x*Γ(x)", "Gamma(x + 1) = x*Gamma(x)"),
        ("sum(k, 1, n, k) = n*(n+1)/2", "sum(k, 1, n, k) = n*(n + 1)/2"),
        ("1e-3 < .5", "0.001 < 0.5"),
        ("σ_1 > 0", "sigma_1 > 0"),
    ],
)
def test_a_text_is_read_as(written: str, read: str | None) -> None:
    if read is None:
        with pytest.raises(StatementError):
            parse(written)
        return
    assert text(parse(written)) == read
    assert parse(read) == parse(written)


@pytest.mark.parametrize(
    ("written", "column", "says"),
    [
        ("", 1, "expected a statement"),
        ("x + y", 6, "a statement compares two"),
        ("x >", 4, "expected a number, a variable"),
        ("x +* 2 > 0", 4, "expected a number, a variable"),
        ("(x > 0", 7, "the closing parenthesis"),
        ("x > 0)", 6, "expected an operation"),
        ("x => 2", 3, "write >="),
        ("x =< 2", 3, "write <="),
        ("max x <= x", 1, "max(x, y)"),
        ("sum(k) > 0", 6, "sum(k, from, to, term)"),
        ("product(k, 1, oo, 1/k^2) < 2", 15, "infinitely many terms"),
        ("integral(t, oo, 0, t) = 1", 13, "goes from -infinity to infinity"),
        ("integral(t, 0, -oo, t) = 1", 16, "goes from -infinity to infinity"),
        ("sum(1/k, (k, 1)) > 1", 15, "a comma: sum(k, from, to, term)"),
        ("f(x) = 2", 1, "no function that is known here"),
        ("sqrtt(x) > 0", 1, "did you mean sqrt?"),
        ("x(y + 1) > 0", 1, "write x*(...)"),
        ("1/2x > 0", 4, "may mean two things"),
        ("a b > 0", 3, "an operation is missing"),
        ("min(x) > 0", 1, "at least 2 arguments"),
        ("binomial(x) > 0", 1, "2 arguments, not 1"),
        ("(x > 0) + 1 > 2", 1, "a number is expected here"),
        ("x and y > 0", 3, "a statement compares two"),
        ("p*q < 1 for 0 < p, q < 1", 20, "may mean two things"),
        ("x > 0 for x > 1 or x < 0 and y > 0", 26, "in parentheses"),
        ("for all x > 0, y > 0", 21, "a colon between"),
        ("for all x > 0 and x + 1/x >= 2", 31, "a colon between"),
        ("for all x > 0: there is y", 26, "`with` and what holds there"),
        ("x > 0 for x in 3", 16, "an interval such as"),
        ("x > 0 for x in [0 1]", 19, "a comma between the ends"),
        ("x > 0 for real integer x", 11, "choose one"),
        ("x > 0 for", 10, "expected a number"),
        ("x > $2", 5, "dollar"),
        ("\\frac{1}{2} > 0", 1, "this is LaTeX: give it with --latex"),
        ("x > {1}", 5, "use ( )"),
        ("x > 1" + "0" * 200, 5, "digits"),
        ("x > 1e5000", 5, "power of ten"),
        ("(" * (DEEPEST + 1) + "x > 0", DEEPEST + 1, "nested"),
        ("x" * (LONGEST + 1), LONGEST + 1, "at most"),
        ("x" + " + x" * 400 + " > 0", 1201, "words"),
    ],
)
def test_an_error_points_at_the_column_and_says_what_is_allowed(written: str, column: int, says: str) -> None:
    with pytest.raises(StatementError) as refused:
        parse(written)
    assert refused.value.column == column
    assert says in refused.value.problem
    assert isinstance(refused.value, InputError)


def test_an_error_shows_the_text_with_a_caret_below_the_column() -> None:
    with pytest.raises(StatementError) as refused:
        parse("x +\t* 2 > 0")
    assert str(refused.value).splitlines()[1:] == ["  x + * 2 > 0", "      ^"]


def test_a_long_text_is_shown_around_the_column() -> None:
    with pytest.raises(StatementError) as refused:
        parse("x + " * 60 + "; > 0")
    shown, caret = str(refused.value).splitlines()[1:]
    assert shown.strip().startswith("...")
    assert shown[caret.index("^")] == ";"


def test_numbers_are_exact() -> None:
    assert plain("0.1") == Fraction(1, 10)
    assert plain("1e-6") == Fraction(1, 10**6)
    assert plain("3.") == 3
    assert plain(".25E1") == Fraction(5, 2)


def test_a_statement_is_a_text() -> None:
    with pytest.raises(StatementError, match="expected a text, got int"):
        parse(3)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ constants


@pytest.mark.parametrize(
    ("written", "column"),
    [
        ("exp(-e) <= 1 for e > 0", 18),
        ("exp(-e) <= 1 for e >= u", 18),
        ("exp(-e) <= 1 for 0 < e < 1", 22),
        ("exp(-e) <= 1 for u < e < x", 22),
        ("exp(-e) <= 1 for e real", 18),
        ("exp(-e) <= 1 for e in (0, 1)", 18),
        ("exp(-e) <= 1 for u, e > 0", 21),
        ("exp(-e) <= 1 for positive e", 27),
        ("exp(-e) <= 1 for x > 0, 1 < e", 29),
        ("x > 0 given x > 1 and e < x", 23),
        ("for all e: e >= 0", 9),
        ("for all e > 0, x > 0: e >= 0", 9),
        ("there is e > 0 with e^2 = 2", 10),
        ("pi >= 0 for pi real", 13),
        ("x > 0 for x > 1, pi > 3", 18),
    ],
)
def test_a_constant_in_the_place_of_a_variable_is_refused(written: str, column: int) -> None:
    with pytest.raises(StatementError, match=f"column {column}: (e is Euler's number|pi is a number) and no variable"):
        parse(written)


@pytest.mark.parametrize(
    "written",
    [
        "x > 0 for x > e", "x < 3 for 0 < x < e", "x > 1 for x >= e^2", "x > 1 for e^2 < x", "x <= 4 for pi > x > 0",
        "sin(x) >= 0 for x in (0, pi)", "sin(x) >= 0 for 0 <= x <= pi", "x > 0 for x + 1 > e", "3 > e", "e <= 3 < pi",
    ],
)  # fmt: skip
def test_a_constant_may_bound_a_variable_or_be_compared(written: str) -> None:
    assert parse(written).says
