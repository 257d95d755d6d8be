"""Infinite sums and named functions: what is known of them is put in their place, and existence is part of it."""

from __future__ import annotations

import mpmath
import pytest
import sympy

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.statements.checking import read
from rgm_verify.statements.tokens import DoubtfulReading, StatementError
from rgm_verify.statements.trees import text

READ = {
    "sum(k, 0, oo, k*exp(-l)*l^k/k!) = l for l > 0": "for all l > 0: exp(-l)*(l*exp(l)) = l",
    "sum(k=0..∞, r^k) < 2 for r in (-1, 1)": "for all r in (-1, 1): 1/(1 - r) < 2",
    "sum(r^k, (k, 0, oo)) < 2 for r real": "for all r real: (1 + r)/sqrt(1 - r^2)^2 < 2",
    "sum(k, 1, oo, (1 - p)^(k - 1)) = 1 for p in (0, 1]": "for all p in (0, 1]: 1/(1 - (1 - p)) = 1",
    "sum(k, 2, oo, x^k/k!) = 1 for x real": "for all x real: exp(x) - x^0/factorial(0) - (x^1)/factorial(1) = 1",
    "sum(k, 1, oo, 1/k^4) > 1": "pi^4/90 > 1",
    "zeta(2) < 2": "pi^2/6 < 2",
    "zeta(3) > 1": "zeta(3) > 1",
    "sum(k, 1, oo, 1/k^3) > 1": "zeta(3) > 1",
    "Φ(x) <= 1": "Phi(x) <= 1",
    "E[X] = 1 for X ~ Poisson(l)": "for all l > 0: exp(-l)*(l*exp(l)) = 1",
}
REFUSED = {
    "sum(k, 1, oo, 1/k) > 2": "an infinite sum is read where",
    "sum(k, 1, oo, 1/k^(3/2)) > 1": "an infinite sum is read where",
    "sum(k, -oo, 0, 2^k) = 2": "an infinite sum is read where",
    # A sum of zeros exists for every r.
    "sum(k, 0, oo, a*r^k) = a/(1 - r) for a, r real": "an infinite sum is read where",
    # 0^0 has a value, and 1/0 has none.
    "sum(k, 0, oo, x^(k - 1)) = 1 for x real": "an infinite sum is read where",
    "product(k, 1, oo, 1 + 1/k^2) > 3": "infinitely many terms",
    "zeta(61) > 1": "2, 3, ..., 60",
}
POLYNOMIALS = {
    "1": lambda k: 1, "(k - 3)": lambda k: k - 3, "k*(k - 1)": lambda k: k * (k - 1),
    "(2k + 1)^2": lambda k: (2 * k + 1) ** 2, "k^3": lambda k: k**3,
}  # fmt: skip
POWERS = {
    "(1/3)^k": lambda k: sympy.Rational(1, 3) ** k, "(-1)^k/5^k": lambda k: sympy.Rational(-1, 5) ** k,
    "0.5^(2k + 1)": lambda k: sympy.Rational(1, 2) ** (2 * k + 1), "2^(3 - k)": lambda k: sympy.Integer(2) ** (3 - k),
    "2^(k + 1)/k!": lambda k: sympy.Integer(2) ** (k + 1) / sympy.factorial(k),
    "(-3)^k/k!": lambda k: sympy.Integer(-3) ** k / sympy.factorial(k),
}  # fmt: skip


@pytest.mark.parametrize("written", READ)
def test_an_infinite_sum_is_read_as_its_value(written: str) -> None:
    tree, meaning = read(written)
    assert text(tree) == READ[written]
    assert read(READ[written])[1].claim.conclusion == meaning.claim.conclusion
    assert "zeta" in written or any("is read as its value" in n or "Phi is" in n for n in meaning.notes)


@pytest.mark.parametrize("written", REFUSED)
def test_an_infinite_sum_without_a_known_value_is_refused(written: str) -> None:
    with pytest.raises(StatementError) as refused:
        read(written)
    assert REFUSED[written] in refused.value.problem


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("start", [0, 2])
def test_the_value_lies_between_partial_sums_and_their_tails(power: str, start: int) -> None:
    for polynomial, coefficient in POLYNOMIALS.items():
        relation = read(f"sum(k, {start}, oo, {polynomial}*({power})) = 12345")[1].claim.conclusion
        with mpmath.workdps(60):
            value = sympy.N(relation.lhs - relation.rhs + 12345, 50)
            partial = sum((coefficient(k) * POWERS[power](k) for k in range(start, 120)), sympy.S.Zero)
            # From 120 on each term is at most 7/8 of the one before, in size.
            tail = 8 * abs(coefficient(120) * POWERS[power](120))
            assert abs(value - sympy.N(partial, 50)) <= sympy.N(tail, 50) + sympy.Float(10, 50) ** -40


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("sum(k, 0, oo, r^k) = 1/(1 - r) for r in (-1, 1)", "sum(k, 0, oo, r^k) = 1/(1 - r) for r in [-1, 1)"),
        ("sum(k, 0, oo, exp(-k*t)) = 1/(1 - exp(-t)) for t > 0", "sum(k, 0, oo, exp(k*t)) = 1/(1 - exp(t)) for t > 0"),
        ("sum(k, 1, oo, 1/k^2) < 1.65", "sum(k, 1, oo, 1/k^2) < 1.64"),
        ("sum(k, 1, oo, 1/k^3) < 1.203", "zeta(3) < 1.202"),
        ("zeta(5) < zeta(3)", "zeta(3) = pi^3/26"),
        ("Var(X) = l for X ~ Poisson(l)", "Var(X) = l + 1/10 for X ~ Poisson(l)"),
        ("E[X] = 1/p for X ~ Geom(p, first=1)", "E[X] = 1/p for X ~ Geom(p, first=0)"),
        ("Phi(x) + Phi(-x) = 1", "Phi(x) <= 1/2"),
        ("Pr(X <= t) = Phi(t/s) for X ~ N(0, s^2)", "Pr(X <= t) = Phi(t/s^2) for X ~ N(0, s^2)"),
        ("uppergamma(1, x) = exp(-x) for x > 0", "uppergamma(2, x) + lowergamma(2, x) = 2 for x > 0"),
    ],
)
def test_values_are_judged(true: str, false: str) -> None:
    assert check(true).verdict is Verdict.PROVED
    assert check(false).verdict is Verdict.REFUTED


def test_a_sum_that_diverges_makes_its_negation_false_as_well() -> None:
    assert check("not sum(k, 0, oo, r^k) = 2 for r in [2, 3]").verdict is Verdict.REFUTED
    assert check("sum(k, 0, oo, 2^k) = -1").verdict is Verdict.REFUTED


def test_phi_beside_a_variable_of_that_name_is_doubtful() -> None:
    with pytest.raises(DoubtfulReading) as doubt:
        read("Phi(1 - Phi) <= 1 for Phi > 0")
    assert doubt.value.readings[0].statement == "for all Phi > 0: Phi*(1 - Phi) <= 1"
