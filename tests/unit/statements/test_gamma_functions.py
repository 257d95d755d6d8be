"""Beta and incomplete gamma functions in statements: their identities, their domains, and a constant beside them."""

from __future__ import annotations

import pytest

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.statements.latex.reading import read_latex


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("beta(a, b) = beta(b, a) for a, b > 0", Verdict.PROVED),
        ("beta(a + 1, b) = beta(a, b)*a/(a + b) for a, b > 0", Verdict.PROVED),
        ("beta(a, b) = beta(a + 1, b) + beta(a, b + 1) for a, b > 0", Verdict.PROVED),
        ("lowergamma(s, x) + uppergamma(s, x) = gamma(s) for s, x > 0", Verdict.PROVED),
        # A constant on a side of its own, which had 15 digits where the other side had as many as were asked for.
        ("beta(1/2, 1/2) = pi", Verdict.PROVED),
        ("beta(2, 3) = 1/12", Verdict.PROVED),
        ("beta(a + 1, b) = beta(a, b)*b/(a + b) for a, b > 0", Verdict.REFUTED),
        ("lowergamma(s, x) + uppergamma(s, x) = gamma(s) + 1/10^9 for s, x > 0", Verdict.REFUTED),
        ("beta(1/2, 1/2) = 22/7", Verdict.REFUTED),
    ],
)
def test_what_is_said_of_beta_and_of_incomplete_gamma_functions(statement: str, verdict: Verdict) -> None:
    assert check(statement).verdict is verdict


def test_their_ends_are_not_shown_to_have_a_value() -> None:
    assert check("beta(a, b)/beta(a, b) = 1 for a, b >= 0").verdict in (Verdict.SUPPORTED, Verdict.REFUTED)


@pytest.mark.parametrize(
    ("latex", "read"),
    [
        (r"\gamma(s,x)+\Gamma(s,x)=\Gamma(s),\quad s,x>0",
         "for all s > 0, x > 0: lowergamma(s, x) + uppergamma(s, x) = Gamma(s)"),
        (r"\operatorname{Phi}(-x)\le\tfrac12\quad\text{for }x\ge0", "for all x >= 0: Phi(-x) <= 1/2"),
        (r"\gamma(1-\gamma)\le\tfrac14,\quad\gamma>0", "for all gamma > 0: gamma*(1 - gamma) <= 1/4"),
    ],
)  # fmt: skip
def test_latex_has_letters_for_them(latex: str, read: str) -> None:
    assert [found.text for found in read_latex(latex)] == [read]
