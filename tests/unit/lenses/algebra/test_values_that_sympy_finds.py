"""Values that SymPy finds are no proofs: each call that could bring one is reviewed, and what it finds is confirmed."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sympy
from click.testing import CliRunner

import rgm_verify
from rgm_verify.cli.judging.check import check_command
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.proofs import logic
from rgm_verify.lenses.solvers.smt import SmtResult
from rgm_verify.statements.checking import check

#: Methods and functions of SymPy that find values, zeros or signs, by an algorithm that may be wrong.
FINDERS = {
    "doit", "integrate", "manualintegrate", "summation", "gosper_term", "limit", "simplify", "solveset", "nsimplify",
    "rsolve", "dsolve", "combsimp", "gammasimp", "minimal_polynomial", "equals", "residue", "hyperexpand",
    "is_convergent", "nroots", "real_roots", "reduce_inequalities", "solve_univariate_inequality", "is_increasing",
    "is_monotonic", "continuous_domain", "function_range", "stationary_points", "solve_poly_system",
}  # fmt: skip
OURS, ALGEBRA = "a function of this library", "equal by rules of algebra, and no integral in it"
REVIEWED = {
    ("balls/binding.py", "doit"): (3, "derivatives and substitutions; integrals, sums and products stay as they are"),
    ("balls/closed_forms.py", "doit"): (1, "a proposal, which fulfils the recurrence of the sum or the product"),
    ("balls/closed_forms.py", "simplify"): (1, ALGEBRA),
    ("balls/integrate.py", "integrate"): (1, OURS),
    ("balls/special.py", "doit"): (1, "the arguments of functions of this library, by the hints of the caller"),
    ("claims/notation.py", "simplify"): (1, "a name passes on what it is asked"),
    ("lenses/algebra/equations.py", "real_roots"): (1, "isolated by exact arithmetic on a polynomial"),
    ("lenses/algebra/identities.py", "gammasimp"): (1, ALGEBRA),
    ("lenses/analysis/asymptotics/growth.py", "limit"): (1, OURS),
    ("lenses/analysis/asymptotics/kernels.py", "gammasimp"): (1, ALGEBRA),
    ("lenses/analysis/asymptotics/limits.py", "limit"): (2, OURS),
    ("lenses/analysis/asymptotics/limits.py", "simplify"): (1, ALGEBRA),
    ("lenses/analysis/constants.py", "minimal_polynomial"): (1, "exact arithmetic on an algebraic number"),
    ("lenses/analysis/identities.py", "gammasimp"): (1, ALGEBRA),
    ("lenses/analysis/improper.py", "integrate"): (1, "a proposal, whose derivative is compared with the integrand"),
    ("lenses/analysis/improper.py", "manualintegrate"): (1, "a proposal, as before"),
    ("lenses/analysis/improper.py", "simplify"): (2, ALGEBRA),
    ("lenses/analysis/induction.py", "combsimp"): (3, ALGEBRA),
    ("lenses/analysis/rules/known_integrals.py", "simplify"): (1, ALGEBRA),
    ("lenses/analysis/rules/series.py", "combsimp"): (2, ALGEBRA),
    ("lenses/analysis/rules/series.py", "gosper_term"): (1, "a proposal, which is shown to telescope"),
    ("lenses/analysis/rules/series.py", "manualintegrate"): (1, "a proposal, whose derivative is compared"),
    ("lenses/analysis/rules/series.py", "simplify"): (1, ALGEBRA),
    ("lenses/analysis/univariate.py", "limit"): (1, OURS),
    ("lenses/distributions/simulation.py", "simplify"): (1, "a degree that steers a simulation, and proves nothing"),
    ("lenses/points/search.py", "simplify"): (3, OURS),
    ("lenses/solvers/smt.py", "real_roots"): (1, "isolated by exact arithmetic on a polynomial"),
    ("lenses/worlds/scaling.py", "simplify"): (3, ALGEBRA),
}


def test_each_call_that_finds_a_value_is_reviewed() -> None:
    """A new call fails here until somebody has said why its result may be believed, or that it is a proposal."""
    root = Path(rgm_verify.__file__).parent
    found: Counter[tuple[str, str]] = Counter()
    for room in ("lenses", "engine", "prover", "statements", "claims", "balls", "kernel"):
        for path in sorted((root / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                called = node.func if isinstance(node, ast.Call) else None
                name = getattr(called, "attr", getattr(called, "id", ""))
                if name in FINDERS:
                    found[path.relative_to(root).as_posix(), name] += 1
    assert dict(found) == {call: count for call, (count, _) in REVIEWED.items()}


@pytest.mark.parametrize("wrong", [1, 3])
@pytest.mark.parametrize("factor", ["", "a*"])
def test_a_wrong_value_of_an_integral_with_kinks_is_never_proved(wrong: int, factor: str) -> None:
    """SymPy has 1 for an integral that is 2, as it does not see all kinks of the integrand."""
    given = " for a > 0" if factor else ""
    answer = check(f"integral(x, 0, 2*pi, {factor}|sin(x)*cos(x)|) = {factor}{wrong}{given}")
    assert answer.verdict.value == "refuted"


@pytest.mark.parametrize(
    "statement",
    [
        "integral(x, 0, 1, x^2) = 1/3", "integral(x, 0, a, x) = a^2/2 for a > 0", "integral(x, 0, pi, sin(x)) = 2",
        "integral(t, x, y, cos(t)) = sin(y) - sin(x)", "integral(x, 0, 1, |2*x - 1|) = 1/2",
        "integral(t, 0, 1, exp(t^3)) = integral(s, 0, 1, exp(s^3))",
    ],
)  # fmt: skip
def test_a_value_with_a_confirmed_antiderivative_is_proved(statement: str) -> None:
    assert check(statement).shown


def test_an_integral_is_a_number_of_which_reductions_know_nothing() -> None:
    x, a = sympy.symbols("x a", real=True)
    known, kinks = (sympy.Integral(f, (x, 0, 2 * sympy.pi)) for f in (x, sympy.Abs(sympy.sin(x) * sympy.cos(x))))
    assert is_zero(known - 2 * sympy.pi**2) == is_zero(kinks - 1) == is_zero(kinks - 2) == ""
    assert is_zero((known + a) ** 2 - known**2 - 2 * a * known - a**2) != ""


def test_a_lens_that_proves_a_false_line_is_struck_off_and_the_other_lines_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A solver that proves a false line and its opposite: the line is not proved, whatever else is found of it."""
    asked = logic.prove

    def prove(given: Any, conclusion: Any, **options: Any) -> SmtResult:
        wrong = "301/100" in str(conclusion)
        return SmtResult("proved", "said") if wrong else asked(given, conclusion, **options)

    monkeypatch.setattr(logic, "prove", prove)
    lines = ["x^2 + 1 >= 2*x for x real", "(x - 3)*(x - 301/100) >= 0 for x real", "x^2 + 4 >= 4*x for x real"]
    result = CliRunner().invoke(check_command, lines)
    assert result.exit_code == 70
    assert "Traceback" not in result.output
    verdicts = [
        line.split(":")[0] for line in result.output.splitlines() if line.split(":")[0] in ("proved", "supported")
    ]
    assert verdicts == ["proved", "supported", "proved"]
    assert "is struck off here, please report this" in result.output
