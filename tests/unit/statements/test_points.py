"""Points that exist for each of others: a formula is given or found, and nothing is said where none is proved."""

from __future__ import annotations

import pytest

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.statements.checking import read
from rgm_verify.statements.parser import parse
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import text

GIVEN = {
    "for all x > 0: there is y > 0 with y < x, namely y = x/2": "for all x > 0: x/2 > 0 and x/2 < x",
    "for all n integer: there is k integer with 2k <= n, taking k = floor(n/2)":
        "for all n integer: floor(n/2) = floor(floor(n/2)) and 2*floor(n/2) <= n",
    "for all x real, there is y, z real such that x = y*z, namely y = x and z = 1": "for all x real: x = x*1",
    "for all x real: there is y > x with sum(k, 1, 2, k*y) > x, namely y = |x| + 1":
        "for all x real: abs(x) + 1 > x and sum(k, 1, 2, k*(abs(x) + 1)) > x",
}  # fmt: skip
FOUND = {
    "for all x real: there is y with y > x": "x + 1",
    "for all x real: there is n integer with n > x": "floor(x) + 1",
    "Let x > 0. There is y > x with y^2 = x^2 + 1.": "sqrt(x^2 + 1)",
    "for all x, y real, x < y: there is z with x < z < y": "x/2 + y/2",
    "for all rho > 0, delta in (0, 1): there is a > 1 with "
    "rho*a + log(1/delta)/(a - 1) = rho + 2*sqrt(rho*log(1/delta))": "1 + sqrt(-log(delta))/sqrt(rho)",
}
NOT_SHOWN = (
    "for all x real: there is y with y^2 = x",
    "for all x > 0: there is y > x with y^2 = x^2 - 1",
    "for all x real: there is n integer with 2n = x",
)
REFUSED = {
    "for all x > 0: there is y > 0 with y < x, namely y = y/2": "by a formula of the others",
    "for all x > 0: there is y > 0 with y < x, namely z = x/2": "by a formula of the others",
    "for all x > 0: there is y > 0 with y < x, namely y = t": "by a formula of the others",
    "for all x > 0: there is y real with x > 0, namely y = 1/(x - x)": "by a formula of the others",
    "for all x > 0: there is x > 0 with x < 1": "stands before already",
    "for all x > 0: there is y > x with y + t > 0": "t: for all of these, or is there one?",
    "for all k > 0: there is y with sum(k, 1, 2, y) > 1, namely y = k": "k is bound",
}


@pytest.mark.parametrize("written", GIVEN)
def test_a_formula_for_a_point_is_a_part_of_the_statement(written: str) -> None:
    assert text(parse(written)) == GIVEN[written]
    assert any(note.startswith("the point is a part of the statement") for note in read(written)[1].notes)


def test_a_wrong_formula_refutes_the_statement_with_the_formula() -> None:
    assert check("for all x > 0: there is y > 0 with y < x, namely y = x/2").verdict is Verdict.PROVED
    assert check("for all x > 0: there is y > 0 with y < x, namely y = 2x").verdict is Verdict.REFUTED
    assert check("for all n integer: there is k integer with 2k <= n, namely k = n/2").verdict is Verdict.REFUTED


@pytest.mark.parametrize("written", FOUND)
def test_a_point_is_found_and_its_formula_is_shown(written: str) -> None:
    answer = check(written)
    assert answer.verdict is Verdict.PROVED
    assert "there is" in answer.read_as
    assert any(f"= {FOUND[written]}:" in note for note in answer.notes)
    assert text(parse(answer.read_as)) == answer.read_as


@pytest.mark.parametrize("written", NOT_SHOWN)
def test_where_no_formula_is_proved_nothing_is_said(written: str) -> None:
    answer = check(written, seconds=5)
    assert answer.verdict is Verdict.UNDECIDED
    assert "namely y = x + 1" in answer.reason
    assert answer.counterexample is None


@pytest.mark.parametrize("written", REFUSED)
def test_what_depends_on_what_is_not_guessed(written: str) -> None:
    with pytest.raises(StatementError) as refused:
        check(written)
    assert REFUSED[written] in refused.value.problem
