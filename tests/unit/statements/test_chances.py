"""Random variables in a line: they are read as integrals and sums, and nothing is guessed about them."""

from __future__ import annotations

import operator
from fractions import Fraction
from math import comb

import pytest
import sympy

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.statements.checking import read
from rgm_verify.statements.tokens import DoubtfulReading, StatementError
from rgm_verify.statements.trees import text

READ = {
    "for X ~ N(0, s^2), t >= 0: Pr(X >= t) <= exp(-t^2/(2 s^2))":
        "for all s > 0, t >= 0: integral(x, t, infinity, exp(-x^2/(2*s^2))/sqrt(2*pi*s^2)) <= exp(-t^2/(2*s^2))",
    "E[exp(l X)] = 1 for X ~ N(m, v), l, m real":
        "for all v > 0, l real, m real: "
        "integral(x, -infinity, infinity, exp(l*x)*exp(-(x - m)^2/(2*v))/sqrt(2*pi*v)) = 1",
    "Let X ~ N(0, sd=2). Then E(X) = 0.":
        "integral(x, -infinity, infinity, x*exp(-x^2/(2*2^2))/sqrt(2*pi*2^2)) = 0",
    "Pr(|X - m| > t) < 1 for X ~ Laplace(m, b), t > 0, m real":
        "for all b > 0, t > 0, m real: integral(x, -infinity, m - t, exp(-abs(x - m)/b)/(2*b)) + "
        "integral(x, m + t, infinity, exp(-abs(x - m)/b)/(2*b)) < 1",
    "Pr(2 - X <= t) < 1 for X ~ N(0, 1), t real":
        "for all t real: integral(x, 2 - t, infinity, exp(-x^2/(2*1))/sqrt(2*pi*1)) < 1",
    "Pr(X >= t) < 2 for X ~ Exp(scale=b), t real":
        "for all b > 0, t real: integral(x, max(t, 0), infinity, (1/b)*exp(-(1/b)*x)) < 2",
    "P(X = 2) = 3/8 for X ~ Bin(3, 1/2)":
        "sum(k, 2, 2, binomial(3, k)*(1/2)^k*(1 - 1/2)^(3 - k)) = 3/8",
    "Pr(X > 1) < 1 for X ~ Poisson(l)": "for all l > 0: 1 - sum(k, 0, 1, exp(-l)*l^k/factorial(k)) < 1",
    "k + E[X] > k for X ~ Ber(p), k real":
        "for all p >= 0, p <= 1, k real: k + sum(j, 0, 1, j*p^j*(1 - p)^(1 - j)) > k",
}  # fmt: skip

REFUSED = {
    "X >= 0 for X ~ N(0, 1)": "X is a random variable",
    "E[X] + X = 0 for X ~ N(0, 1)": "X is a random variable",
    "E[Y] = 0 for X ~ N(0, 1), Y ~ N(X, 1)": "X is a random variable",
    "E[X] = 0": "declare the random variable",
    "E[3] = 3 for X ~ N(0, 1)": "not random",
    "E[X*Y] = 0 for X, Y ~ N(0, 1)": "how they depend on each other",
    "E[X] = 0 for X ~ N(0, -1)": "it needs v > 0",
    "E[X] = 0 for X ~ Uniform(2, 1)": "it needs a < b",
    "E[X] = 1 for X ~ Bin(5/2, p)": "an integer or the name of one",
    "E[X] = 0 for X ~ Cauchy(0, 1)": "no law that is known",
    "E[X] = 0 for X ~ N(0)": "2 parameters",
    "Pr(X^2 >= 1) < 1 for X ~ N(0, 1)": "solve it for X",
    "Pr(X >= 1 or X <= -1) < 1 for X ~ N(0, 1)": "an event is read as",
    "Pr(X = 0) = 0 for X ~ N(0, 1)": "probability 0",
    "Pr(|X| < t) < 1 for X ~ Bin(3, p)": "give it a domain",
    "sum(k, 1, 3, E[X]) = 0 for X ~ N(k, 1)": "k is bound",
    "there is t > 0, X ~ N(0, 1) with E[X] = t": "that something exists",
}  # fmt: skip


@pytest.mark.parametrize("written", READ)
def test_a_random_variable_is_read_as_an_integral_or_a_sum(written: str) -> None:
    tree, meaning = read(written)
    assert text(tree) == READ[written]
    assert any(" is " in note and "~" in note for note in meaning.notes)
    assert read(READ[written])[1].claim.conclusion == meaning.claim.conclusion


@pytest.mark.parametrize("written", REFUSED)
def test_what_is_not_read_of_a_random_variable_is_named(written: str) -> None:
    with pytest.raises(StatementError) as refused:
        read(written)
    assert REFUSED[written] in refused.value.problem
    assert not isinstance(refused.value, DoubtfulReading)


@pytest.mark.parametrize(
    ("written", "ways"),
    [
        ("E[X] = 1 for X ~ Exp(a)", ("x*a*exp(-a*x)", "x*(1/a)*exp(-(1/a)*x)")),
        ("E[X] = 1 for X ~ Gamma(k, a)", ("a^k*x^(k - 1)", "(1/a)^k*x^(k - 1)")),
        ("Pr(X <= 3) < 1 for X ~ Geom(p)", ("sum(k, 0, ", "sum(k, 1, ")),
    ],
)
def test_parameters_with_two_conventions_are_asked_for(written: str, ways: tuple[str, ...]) -> None:
    with pytest.raises(DoubtfulReading) as doubt:
        read(written)
    readings = [r.statement for r in doubt.value.readings]
    assert len(readings) == len(ways)
    assert all(way in reading for way, reading in zip(ways, readings, strict=True)), readings


SIGNS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "=": operator.eq, "!=": operator.ne}
MASSES = {
    "Bin(3, 1/3)": {k: Fraction(comb(3, k) * 2 ** (3 - k), 27) for k in range(4)},
    "Bernoulli(1/4)": {0: Fraction(3, 4), 1: Fraction(1, 4)},
}
#: Geometric from 1 on; what lies beyond 30 counts as one more value.
GEOMETRIC = {k: Fraction(1, 2**k) for k in range(1, 31)} | {31: Fraction(1, 2**30)}
THRESHOLDS = ("-2", "0", "3/2", "2", "3", "7/2")


@pytest.mark.parametrize("law", [*MASSES, "Geom(1/2, first=1)"])
@pytest.mark.parametrize("sign", SIGNS)
def test_the_probability_of_an_event_is_the_sum_of_its_masses(law: str, sign: str) -> None:
    masses = MASSES.get(law, GEOMETRIC)
    for threshold in THRESHOLDS:
        value = Fraction(threshold)
        for event, holds in (
            (f"X {sign} {threshold}", lambda k, v=value: SIGNS[sign](k, v)),
            (f"{threshold} {sign} X", lambda k, v=value: SIGNS[sign](v, k)),
            (f"1 - X {sign} {threshold}", lambda k, v=value: SIGNS[sign](1 - k, v)),
        ):
            assert probability(event, law) == sum((m for k, m in masses.items() if holds(k)), Fraction(0)), event


@pytest.mark.parametrize("law", MASSES)
def test_the_probability_between_two_ends_is_the_sum_of_its_masses(law: str) -> None:
    for low in THRESHOLDS:
        for high in THRESHOLDS:
            wanted = sum((m for k, m in MASSES[law].items() if Fraction(low) < k <= Fraction(high)), Fraction(0))
            assert probability(f"{low} < X <= {high}", law) == wanted
        if Fraction(low) >= 0:
            around = sum((m for k, m in MASSES[law].items() if abs(k - 1) >= Fraction(low)), Fraction(0))
            assert probability(f"|X - 1| >= {low}", law) == around
            assert probability(f"|1 - X| < {low}", law) == 1 - around


def probability(event: str, law: str) -> Fraction:
    """Return the exact value of what a probability is read as."""
    relation = read(f"Pr({event}) = 5 for X ~ {law}")[1].claim.conclusion
    found = sympy.nsimplify((relation.lhs - relation.rhs + 5).doit())
    return Fraction(int(found.p), int(found.q))


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("for X ~ N(0, s^2), t >= 0: Pr(X >= t) <= exp(-t^2/(2 s^2))/2",
         "for X ~ N(0, s^2), t >= 0: Pr(X >= t) <= exp(-t^2/(2 s^2))/3"),
        ("E[exp(l X)] = exp(l^2 s^2/2) for X ~ N(0, s^2), l real",
         "E[exp(l X)] = exp(l^2 s/2) for X ~ N(0, s^2), l real"),
        ("Var(X) = v for X ~ N(m, v), m real", "Var(X) = v^2 for X ~ N(m, v), m real"),
        ("Pr(|X| >= t) = exp(-t/b) for X ~ Lap(b), t >= 0", "Pr(X >= t) = exp(-t/b) for X ~ Lap(b), t >= 0"),
        ("E[X] = 1/a for X ~ Exp(rate=a)", "E[X] = 1/a for X ~ Exp(scale=a)"),
        ("E[X] = a/(a + b) for X ~ Beta(a, b)", "E[X] = b/(a + b) for X ~ Beta(a, b)"),
        ("E[X^2] = 1/3 for X ~ U(0, 1)", "E[X^2] = 1/4 for X ~ U(0, 1)"),
        ("Pr(X >= 1) = 1 - (1 - p)^n for X ~ Bin(n, p)", "Pr(X >= 1) = 1 - p^n for X ~ Bin(n, p)"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_random_variable_is_judged(true: str, false: str) -> None:
    assert check(true).verdict is Verdict.PROVED
    assert check(false).verdict is Verdict.REFUTED


def test_an_expectation_that_does_not_exist_is_no_value() -> None:
    # exp(X) has a mean for b < 1 alone.
    assert not check("E[exp(X)] = 1/(1 - b^2) for X ~ Lap(b), b > 1").shown
