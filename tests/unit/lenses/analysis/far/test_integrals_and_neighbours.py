"""Integrals without a value, quotients and differences of neighbours, squares and tangents: true ones and near misses.

That no false one of the kind is shown is for the attack of `tests/far/corpus`; here stands that each method reaches
what it is for, and that a small change makes the same statement false.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from rgm_verify import check
from rgm_verify.claims import Claim, Hypothesis, gt, le
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses.base import PROFILES, Context

PROVED = (Verdict.PROVED, Verdict.CERTIFIED)

#: A statement that is true, and the same with another number or the other order, which is false.
PAIRS = [
    # Integrals of integrals; absolute values with several zeros; waves beside a falling exponential.
    ("integral(x, 0, 1, integral(y, 0, x, x*y)) = {}", "1/8", "1/7"),
    ("integral(x, 0, 2*pi, |sin(x)*cos(x)|) = {}", "2", "1"),
    ("integral(x, 0, oo, exp(-x)*sin(x)) = {}", "1/2", "1/3"),
    # Rests of tails, and of a peak at an end.
    ("integral(t, 0, oo, exp(-t)/(1 + t)) <= {}", "0.597", "0.596"),
    ("integral(t, 0, 1, exp(t)/sqrt(t)) <= {}", "2.926", "2.925"),
    # A slope at the lower end; a factor by its value at an end.
    ("integral(t, x, oo, exp(-t)/t) >= exp(-x)/(x + {}) for x > 0", "1", None),
    ("integral(t, 0, oo, exp(-a*t)/(1 + t)) <= {}/a for a > 0", "1", None),
    ("integral(x, 0, 1, x^n/(1 + x)) <= {}/(n + 1) for n natural", "1", "1/2"),
    # Neighbours: quotients from the first on and to a limit, differences, and Zeilberger's recurrences.
    ("n! >= (n/{})^n for n natural", "e", "(e - 1/2)"),
    ("binomial(2*n, n) {} 4^n/sqrt(pi*n) for n natural, n >= 1", "<=", ">="),
    ("sum(k, 1, 2*n, (-1)^(k + 1)/k) = sum(k, n + {}, 2*n, 1/k) for n natural", "1", "2"),
    ("sum(k, 0, n, binomial(n, k)^2) = binomial(2*n, n{}) for n natural, n >= 1", "", " - 1"),
    ("binomial(n, k) >= {} for n, k natural, k <= n", "1", "2"),
    # Squares, tangents, a least value between two slopes, whole parts.
    ("|p - q| <= sqrt((p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))/{}) for p, q in (0, 1)", "2", "3"),
    ("-x*log(x) - y*log(y) - z*log(z) <= log({}) for x, y, z > 0 given x + y + z = 1", "3", "2"),
    ("gamma(x) >= {} for x > 0", "0.885", "0.886"),
    ("floor(x/2) + floor((x + {})/2) = floor(x) for x real", "1", "2"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "right", "wrong"), PAIRS)
def test_a_true_statement_is_proved_and_its_neighbour_refuted(text: str, right: str, wrong: str | None) -> None:
    assert check(text.format(right)).verdict in PROVED
    assert wrong is None or check(text.format(wrong)).verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("text", [
    "integral(t, 1, oo, 1/t) <= 100",
    "integral(t, 0, oo, sin(t)) <= 100",
    "integral(t, 0, 1, 1/t) <= 100",
    "integral(x, 1, 0, integral(y, 0, 1, x*y)) = 1/4",
    "integral(t, x, oo, 1/t) >= 0 for x > 0",
])  # fmt: skip
def test_what_has_no_value_or_another_one_is_not_proved(text: str) -> None:
    assert check(text).verdict not in PROVED


@pytest.mark.slow
def test_a_false_assumption_about_numbers_refutes_nothing() -> None:
    """The opposite of an inequality refutes it where nothing is assumed."""
    t = sympy.Symbol("t", real=True)
    conclusion = le(sympy.Integral(sympy.exp(-t) / (1 + t), (t, 0, sympy.oo)), sympy.Rational(1, 2))
    plain = Claim(id="test:numbers", title="t", conclusion=conclusion)
    assumed = replace(plain, hypotheses=(Hypothesis("false", gt(sympy.log(2), 1)),))
    assert verdict(plain) is Verdict.REFUTED
    assert verdict(assumed) is not Verdict.REFUTED


def verdict(claim: Claim) -> Verdict:
    context = Context(profile=PROFILES["quick"], seed=1, claims={claim.id: claim})
    return judge(read_record(run_claim(claim, context)), {}).verdict
