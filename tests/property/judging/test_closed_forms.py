"""A closed form of a sum or a product counts only where its recurrence confirms it: SymPy's word is no proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls import closed_forms
from rgm_verify.balls.binding import done, ends_in_disorder, evaluated, placed, worked_out
from rgm_verify.balls.closed_forms import closed_form
from rgm_verify.claims import Claim, ClaimError, Hypothesis, Mutant, eq, ge, natural
from rgm_verify.claims.evidence import Finding
from rgm_verify.lenses import Identity, Smt
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.analysis import constants
from rgm_verify.lenses.base import PROFILES, Context
from rgm_verify.statements.checking import check
from rgm_verify.statements.tokens import StatementError

k, j = sympy.symbols("k j", integer=True)
n = sympy.Symbol("n", integer=True)
x = sympy.Symbol("x", real=True)
q = sympy.Symbol("q", positive=True)
Sum, Product = sympy.Sum, sympy.Product

numbers = st.fractions(min_value=-3, max_value=3, max_denominator=3).map(
    lambda v: sympy.Rational(v.numerator, v.denominator)
)
factors = st.sampled_from(
    [
        sympy.S.One, k, k**2 - x, x**3, 2**k, sympy.Rational(-1, 3) ** k, q**k, q ** (n - k), (-1) ** k,
        sympy.exp(-k), sympy.Abs(x),
    ]
)  # fmt: skip
#: Sums of a few products, for which there is a closed form.
summands = st.lists(st.tuples(numbers, factors, st.integers(0, 2)), min_size=1, max_size=3).map(
    lambda parts: sympy.Add(*(c * f * k**d for c, f, d in parts))
)
ends = st.integers(-2, 3)


def written(series: sympy.Expr, last: int) -> sympy.Expr:
    """The sum or the product up to a number, term by term, at a point of the other variables."""
    index, first, _ = series.limits[0]
    point = {x: sympy.Rational(2, 7), q: sympy.Rational(3, 5), n: sympy.Integer(last)}
    terms = [series.function.xreplace({index: sympy.Integer(i)}).xreplace(point) for i in range(int(first), last + 1)]
    return (sympy.Add if isinstance(series, Sum) else sympy.Mul)(*terms)


def at(value: sympy.Expr, last: int) -> sympy.Expr:
    return value.subs({n: last}).subs({x: sympy.Rational(2, 7), q: sympy.Rational(3, 5)})


@given(summands, ends, st.integers(-1, 6))
def test_a_sum_has_the_value_of_its_terms(term: sympy.Expr, first: int, more: int) -> None:
    series = Sum(term, (k, first, n))
    value = closed_form(series)
    if value is not None:
        assert sympy.simplify(at(value, first + more) - written(series, first + more)) == 0


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize(
    "term",
    [k, (k + 1) / k, 1 - 1 / (k + 1) ** 2, 2 * k, q, x + k, 1 - x / k, q**k, k - 5, (2 * k - 1) / (2 * k)],
    ids=str,
)
def test_a_product_has_the_value_of_its_factors(term: sympy.Expr, first: int) -> None:
    series = Product(term, (k, first, n))
    value = closed_form(series)
    assert value is not None
    for last in range(first - 1, first + 7):
        assert sympy.simplify(at(value, last) - written(series, last)) == 0


CONFIRMED = [
    Sum(k, (k, 1, n)), Sum(k**4, (k, 0, n)), Sum(x**k, (k, 0, n)), Sum(k * q**k, (k, 1, n - 1)),
    Sum((1 + x) ** -k, (k, 0, n)), Sum(1 / (k * (k + 1)), (k, 1, 2 * n)), Sum(k, (k, j, n)), Sum(1 / k, (k, 1, n)),
    Sum(k * sympy.factorial(k), (k, 1, n)), Sum(sympy.exp(-k * q), (k, 0, n)), Sum(sympy.Abs(k), (k, 1, n)),
    Sum(k * sympy.floor(x), (k, 1, n)),
    Product(k / (k + 1), (k, 1, n)), Product(1 - 1 / k**2, (k, 2, n)),
]  # fmt: skip


def other_forms(form: sympy.Expr, end: sympy.Symbol) -> Iterator[sympy.Expr]:
    """Forms that differ from a right one at some upper end."""
    yield from (form + 1, 2 * form, form + end, -form)
    yield from (form.xreplace({end: end + by}) for by in (1, -1))
    yield form + end * (end - 1) * (end - 2)
    yield form + sympy.Piecewise((0, end < 5), (1, True))
    yield from (form + sympy.floor(end / 7), form + (-1) ** end - 1, form + sympy.sign(end - 9) + 1)


@pytest.mark.parametrize("series", CONFIRMED, ids=str)
def test_a_right_form_is_confirmed_and_no_other_one(series: sympy.Expr, monkeypatch: pytest.MonkeyPatch) -> None:
    assert closed_form(series) is not None
    right, kind = type(series).doit, type(series)

    def proposed(make: Callable[[sympy.Expr, sympy.Symbol], sympy.Expr]) -> sympy.Expr | None:
        def doit(self: sympy.Expr, **hints: Any) -> sympy.Expr:
            # SymPy calls itself for parts, which stay right.
            with pytest.MonkeyPatch.context() as inner:
                inner.setattr(kind, "doit", right)
                return make(right(self, **hints), self.limits[0][2])

        closed_forms._of_any_end.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(kind, "doit", doit)
            found = closed_form(series)
        closed_forms._of_any_end.cache_clear()
        return found

    assert proposed(lambda form, _: form) is not None
    for number in range(len(list(other_forms(n, n)))):
        assert proposed(lambda form, end, number=number: list(other_forms(form, end))[number]) is None


@pytest.mark.parametrize(
    "series",
    [
        Sum(sympy.sin(k * x), (k, 1, n)), Sum(k, (k, 1, x)), Sum(sympy.log(k), (k, 1, n)),
        Sum(sympy.floor(k / 2), (k, 1, n)), Product(1 + 1 / k**2, (k, 1, n)), Sum(1 / k, (k, 1, sympy.oo)),
    ],
    ids=str,
)  # fmt: skip
def test_what_has_no_confirmed_form_stays(series: sympy.Expr) -> None:
    assert evaluated(1 + x * series) == 1 + x * series
    # By the names of the index two sums do not differ, and of an unconfirmed one nothing else is known.
    other = series.xreplace({k: j})
    assert is_zero((series + x) ** 2 - series**2 - 2 * x * other - x**2)
    assert not is_zero(series)


def test_a_sum_with_a_variable_in_its_end_is_no_constant() -> None:
    growing = Sum(sympy.sin(k), (k, 1, x))
    assert not is_zero(sympy.Derivative(growing, x))
    slope = worked_out(sympy.Derivative(Sum(sympy.sin(k * x), (k, 1, n)), x))
    assert slope == Sum(k * sympy.cos(k * x), (k, 1, n))
    assert done(sympy.Derivative(Product(x + sympy.sin(k), (k, 1, n)), x)).has(Sum, Product)


# ------------------------------------------------------------------------------------------------- a wrong SymPy


@pytest.fixture
def off_by_one(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """SymPy's closed forms have a term too much."""

    def wrong(original: Callable[..., sympy.Expr]) -> Callable[..., sympy.Expr]:
        def doit(self: sympy.Expr, **hints: Any) -> sympy.Expr:
            index, first, last = self.limits[0]
            if (last - first).is_Integer:
                return original(self, **hints)
            return original(self.func(self.function, (index, first, last + 1)), **hints)

        return doit

    caches = (evaluated, closed_forms._of_any_end, constants.vanishes)
    for cached in caches:
        cached.cache_clear()
    for kind in (Sum, Product):
        monkeypatch.setattr(kind, "doit", wrong(kind.doit))
    assert Sum(k, (k, 1, n)).doit().subs(n, 3) == 10
    yield
    for cached in caches:
        cached.cache_clear()


#: Each with the value that SymPy has with a term too much.
SERIES = [
    ("sum(k, 1, n, k)", "n*(n + 1)/2", "(n + 1)*(n + 2)/2"),
    ("sum(k, 1, n, k^2)", "n*(n + 1)*(2*n + 1)/6", "(n + 1)*(n + 2)*(2*n + 3)/6"),
    ("sum(k, 0, n, r^k)", "(1 - r^(n + 1))/(1 - r)", "(1 - r^(n + 2))/(1 - r)"),
    ("product(k, 1, n, k/(k + 1))", "1/(n + 1)", "1/(n + 2)"),
    ("product(k, 1, n, 2)", "2^n", "2^(n + 1)"),
    ("sum(k, 1, n, 1/k)", "harmonic(n)", "harmonic(n + 1)"),
]


@pytest.mark.parametrize(("series", "right", "wrong"), SERIES)
def test_a_wrong_closed_form_of_sympy_proves_nothing(off_by_one: None, series: str, right: str, wrong: str) -> None:
    where = "for n natural and 0 < r < 1" if "r" in right else "for n natural"
    assert check(f"{series} = {wrong} {where}").verdict.value == "refuted"
    assert check(f"{series} >= {wrong} {where}").verdict.value == "refuted" or "product" in series
    # The true one may be proved in another way, and is never refuted.
    assert check(f"{series} = {right} {where}").verdict.value != "refuted"


def test_no_lens_believes_a_wrong_closed_form(off_by_one: None) -> None:
    N = natural("n")
    m = N.symbol
    for conclusion in (eq(Sum(k, (k, 1, m)), (m + 1) * (m + 2) / 2), ge(Sum(k, (k, 1, m)), m + 1)):
        about = Claim(
            id="test:claim", title="t", source="s", where="w", kind="lemma", variables=(N,), conclusion=conclusion
        )
        for lens in (Identity(), Smt()):
            found = lens.run(about, Context(profile=PROFILES["quick"]))
            assert all(e.finding is not Finding.SUPPORTS for e in found)


@pytest.mark.parametrize(("series", "right", "wrong"), SERIES)
def test_a_confirmed_closed_form_proves(series: str, right: str, wrong: str) -> None:
    where = "for n natural and 0 < r < 1" if "r" in right else "for n natural"
    assert check(f"{series} = {right} {where}").shown
    assert check(f"{series} = {wrong} {where}").verdict.value == "refuted"


# ------------------------------------------------------------------------------------------------- backwards

BACKWARDS = [
    "sum(k, 5, 1, 1/(k - 3))", "product(k, 5, 1, k - 3)", "sum(k, n, n - 2, k)",
    "sum(k, 1, 3, sum(j, 5, k, 1/(j - 3)))", "sum(k, 1, 3, 0*sum(j, 5, k, 1/(j - 3)))",
]  # fmt: skip


@pytest.mark.parametrize("series", BACKWARDS)
@pytest.mark.parametrize("statement", ["{} = 0", "0*{} = 0", "0*({} + x) = 0", "{0} - {0} = 0", "if {} > 0 then x = x"])
def test_a_sum_that_ends_in_disorder_is_refused_whatever_stands_around_it(series: str, statement: str) -> None:
    with pytest.raises(StatementError, match=r"runs backwards.*its last index has to be at least"):
        check(f"{statement.format(series)} for n integer" if "n" in series else statement.format(series))


@pytest.mark.parametrize("series", ["sum(k, 1/2, 3, k)", "product(k, 1, 5/2, k)", "sum(k, 1, 3, sum(j, 1, pi, j))"])
def test_a_sum_with_an_end_that_is_no_integer_is_refused(series: str) -> None:
    with pytest.raises(StatementError, match="readers differ on what that is; its ends have to be integers"):
        check(f"0*{series} = 0")


@pytest.mark.parametrize(
    ("inner", "series"),
    [
        ("1/(j - 2)", "sum(k, 1, 3, sum(j, 1, k, {}))"),
        ("log(2 - j)", "product(k, 1, 3, sum(j, 1, k, {}))"),
        ("1/(j - 2)", "sum(i, 1, 2, sum(k, i, 3, product(j, 1, k, {})))"),
        ("1/(j - k - 1)", "sum(k, 1, n, sum(j, 1, n, {}))"),
    ],
)
def test_a_term_without_a_value_deep_in_a_sum_refutes_with_0_before_it(inner: str, series: str) -> None:
    where = " for n integer and 2 <= n <= 5" if "n" in series else ""
    assert check(f"0*{series.format(inner)} = 0{where}").verdict.value == "refuted"
    assert check(f"0*{series.format(inner.replace('- ', '+ '))} = 0{where}").verdict.value != "refuted"


@pytest.mark.parametrize(
    "statement",
    [
        "sum(k, 5, 4, 1/(k - 3)) = 0", "0*sum(k, 5, 4, k) = 0", "product(k, 5, 4, k) = 1",
        "sum(k, n, n - 1, k) = 0 for n integer", "sum(k, 1, 3, sum(j, 2, k, j)) = 7",
    ],
)  # fmt: skip
def test_the_empty_sum_is_none_that_ends_in_disorder(statement: str) -> None:
    assert check(statement).shown


@pytest.mark.parametrize(
    "statement",
    [
        "0*sum(k, 5, n, 1/k) = 0 for n integer and -5 <= n <= 1",
        "there is n integer with 0*sum(k, 5, n, 1/k) = 0 and n < 2",
    ],
)
def test_a_sum_that_ends_in_disorder_at_a_point_has_no_value_there_with_0_before_it(statement: str) -> None:
    assert check(statement).verdict.value == "undecided"


def test_a_claim_with_a_sum_that_ends_in_disorder_is_refused() -> None:
    N = natural("n")
    for series in (Sum(1 / (k - 3), (k, 5, 1)), Product(k, (k, N.symbol, N.symbol - 2))):
        wrong, right = eq(sympy.Mul(0, series, evaluate=False), N.symbol), eq(N.symbol, N.symbol**2)
        parts: list[dict[str, Any]] = [
            {"conclusion": wrong}, {"conclusion": right, "hypotheses": (Hypothesis("h", wrong),)},
            {"conclusion": right, "mutants": (Mutant("m", conclusion=wrong),)},
        ]  # fmt: skip
        for part in parts:
            with pytest.raises(ClaimError, match="runs backwards"):
                Claim(id="test:claim", title="t", source="s", where="w", kind="lemma", variables=(N,), **part)


@given(ends, st.integers(-6, 6))
def test_a_sum_ends_in_disorder_from_two_below_its_first_index_on(first: int, steps: int) -> None:
    for kind in (Sum, Product):
        assert bool(ends_in_disorder(x * kind(k, (k, first, first + steps)))) == (steps < -1)
        product = sympy.Mul(0, kind(k, (k, first, n)), evaluate=False)
        there = placed(product, {n: sympy.Integer(first + steps)})
        assert bool(ends_in_disorder(evaluated(there))) == (steps < -1)
