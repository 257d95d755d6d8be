"""Answers to statements: verdicts, sketches, counterexamples, and how a notebook shows them."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

import rgm_verify
from rgm_verify import check
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.claims import Page, ge
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import PROOFS, Finding, Kind
from rgm_verify.claims.outcome.record import EvidenceEntry, Record, Witness
from rgm_verify.claims.outcome.verdict import Judgement, Verdict, judge
from rgm_verify.errors import InputError, OutOfTime
from rgm_verify.jobs.pasted import python_name
from rgm_verify.lenses import Analysis
from rgm_verify.lenses.base import Context
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.statements import answer as answering
from rgm_verify.statements import checking
from rgm_verify.statements.answer import Answer
from rgm_verify.statements.checking import FAULT, SECONDS, read
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import text

TRUE = [
    "x + 1/x >= 2 for x > 0",
    "product(i, 1, 2, i + integral(t, 0, 1, 1/sqrt(t))) > 13 or "
    "product(i, 1, 2, i + integral(t, 0, 1, 1/sqrt(t))) <= product(i, 1, 2, i + 2)",
    "x^2 + y^2 >= 2*x*y",
    "for all x, y > 0: (x+y)/2 >= √(x·y)",
    "if a < b and b < c then a < c",
    "not x > 3 if x < 2",
    "x > 0 or x < 1",
    "x != 0 iff x^2 > 0",
    "log(1+x) >= x/(1+x) for x > -1",
    "n! >= 2^(n-1) for n integer >= 1",
    "sum(k, 1, n, k) = n*(n+1)/2 for natural n",
    "0.1 + 0.2 = 0.3",
    "1 + 1 = 2",
    "x = x",
    "x - x = 0",
    "x - x <= 1",
    "x^2 >= 0 and x^2 + 1 > 0",
    "there is x in [0,1] with x^2 = 1/2",
    "exp(1000) > 10^400",
    "0.999^1000 < 1/2",
]
FALSE = [
    "x + 1/x >= 2 for x != 0",
    "log(x) <= x - 1",
    "x/x = 1",
    "(x - 1)/(x - 1) = 1",
    "sqrt(x)^2 = x",
    "exp(log(x)) = x",
    "sqrt(x^2) = x",
    "x^2 - 2x + 1 > 0",
    "2^n >= n^2 for natural n",
    "1/0 = 1/0",
    "|x/0 - 3| < 1",
    "x^2/(1 - 1) = 0 for x > 0",
    "0*log(0) = 0",
    "sqrt(-1)^2 = -1",
    "(-8)^(1/3) = -2",
    "tan(pi/2) = 1",
    "arcsin(2) = 1",
    "2 = 3",
    "there is x in [0,1] with x^2 = 2",
    "there is x with 1/0 = x",
]


@pytest.mark.parametrize("statement", TRUE)
def test_what_is_true_is_shown(statement: str) -> None:
    answer = check(statement)
    assert answer.shown, str(answer)
    assert answer.checked_by
    assert answer.sketch
    assert answer.counterexample is None


@pytest.mark.parametrize("statement", FALSE)
def test_what_is_false_or_undefined_is_refuted(statement: str) -> None:
    answer = check(statement)
    assert answer.verdict is Verdict.REFUTED, str(answer)
    assert not answer.shown
    assert not answer.checked_by


def test_a_counterexample_is_python_that_shows_it() -> None:
    answer = check("x*y <= x + y for x, y > 0")
    run = subprocess.run([sys.executable, "-c", answer.snippet], capture_output=True, text=True, check=True)
    assert run.stdout.split()[-1] == "True"  # the opposite of what is claimed
    assert answer.interval is not None
    assert answer.counterexample is not None
    assert answer.interval.contains(
        abs(Fraction(answer.counterexample.values["x"]) * Fraction(answer.counterexample.values["y"])
            - Fraction(answer.counterexample.values["x"]) - Fraction(answer.counterexample.values["y"]))
    )  # fmt: skip


def test_a_counterexample_runs_whatever_the_variables_are_called() -> None:
    answer = check("print > lambda + class for print, lambda, class > 0")
    run = subprocess.run([sys.executable, "-c", answer.snippet], capture_output=True, text=True, check=True)
    assert run.stdout.split()[-1] == "True"
    assert python_name("def") == "def_"


def test_a_term_that_is_not_defined_is_named() -> None:
    answer = check("log(x) <= x - 1")
    assert answer.undefined == "log(x)"
    assert "log(x) has no value there" in str(answer)
    assert answer.interval is None
    assert "# log(x) has no real value where this is True:" in answer.snippet
    run = subprocess.run([sys.executable, "-c", answer.snippet], capture_output=True, text=True, check=True)
    assert run.stdout.split()[-1] == "True"


def test_what_is_assumed_in_reading_is_said() -> None:
    answer = check("t + x*y >= t + x + y - 1 for x, y > 0")
    assert answer.read_as == "for all t real, x > 0, y > 0: t + x*y >= t + x + y - 1"
    assert answer.notes == ("t is taken to be a real number, as no domain is given",)


@pytest.mark.parametrize("statement", ["x <= 3 for 0 < x < e", "(e*x)^2 >= 0", "e > 2"])
def test_it_is_said_that_e_is_a_number(statement: str) -> None:
    assert check(statement).notes[0] == "e is Euler's number, 2.718...; a variable needs another name, such as eps"


@pytest.mark.parametrize("statement", ["e^x >= 1 + x for x real", "e^(x^2) >= 1 for x real"])
def test_the_base_of_a_power_is_read_by_everybody_as_the_number(statement: str) -> None:
    assert check(statement).notes == ()


def test_a_sum_of_squares_is_shown_as_one() -> None:
    assert "  0 <= (x - y)^2" in check("x^2 + y^2 >= 2*x*y").sketch


def test_a_statement_of_numbers_has_the_interval_of_its_difference() -> None:
    found = check("pi > 3.14").interval
    assert found is not None
    assert found.lower is not None
    assert found.upper is not None
    assert 0 < found.lower <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**20)


def test_an_existence_statement_has_an_example() -> None:
    answer = check("there is x > 0 with x^2 = 4")
    assert answer.example is not None
    assert answer.example.values == {"x": "2"}


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("x > 1 for x > 2 given x < 1", "the domain from 2 to 1 is empty"),
        ("x > y for x, y > 0 with x > 2*y and y > 2*x", "nothing satisfies all that is given"),
        ("x > 0 for x > log(0)", "nothing satisfies this"),
        ("sum(x, 1, 3, x) > x", "use another letter"),
        ("sum(k, 1, 3, sum(k, 1, 2, k)) > 1", "bound twice"),
        ("n > 0 for n real given n integer", "declared as real"),
        ("2^(2^20) > 0", "digits"),
        ("x^(10^9) > 0", "the exponent"),
        ("(a + b + c + d)^100 > 0", "multiplied out"),
        ("(10^6)! > 0", "numbers up to 1000"),
        ("sum(k, 1, 10^6, k) > 0", "terms"),
        ("exp(exp(100)) > 0", "a number beyond"),
        ("x^(y^z) > 0", "inside of each other"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_a_reason(statement: str, says: str) -> None:
    with pytest.raises(StatementError) as refused:
        check(statement)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("option", "value"), [("profile", "slow"), ("seconds", 0), ("seconds", True), ("seconds", "1")]
)
def test_bad_options_are_refused(option: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{option}="):
        check("1 = 1", **{option: value})  # type: ignore[arg-type]


def test_the_numbering_of_lines_does_not_change_a_verdict() -> None:
    first, second = check("x^4 + 1 >= x for x real"), check("x^4 + 1 >= x for x real")
    assert first.to_json() == second.to_json()


def test_a_fault_of_a_lens_is_said_and_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(checking, "run_claim", broken)
    answer = check("x^2 >= 0")
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.reason.startswith(FAULT)


def test_a_statement_that_is_stuck_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(checking, "run_claim", stuck)
    answer = check("x^2 >= 0", seconds=1)
    assert answer.verdict is Verdict.UNDECIDED
    assert "time-out" in answer.reason
    assert SECONDS["quick"] >= 10


def test_what_is_enclosed_for_certain_counts_where_the_clock_ends_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> Any:
        raise OutOfTime("time-out: not done")

    monkeypatch.setattr(checking, "run_claim", late)
    refuted = check("integral(t, 0, 1, exp(t^2)) = 3/2")
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.interval is not None
    assert refuted.interval.sign() == "positive"
    assert check("x^2 > x for x > 0").verdict is Verdict.REFUTED
    undecided = check("integral(t, 0, 1, exp(t^2)) <= 3/2")
    assert undecided.verdict is Verdict.UNDECIDED
    assert "time-out" in undecided.reason


def test_an_answer_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"answer\.shown"):
        bool(check("2 = 3"))


def test_a_text_of_one_line_stands_for_an_answer() -> None:
    assert repr(check("x + 1/x >= 2 for x > 0")) == "<proved: for all x > 0: x + 1/x >= 2>"


def of_evidence(statement: str, *evidence: EvidenceEntry) -> Answer:
    """The answer to a statement of which this was found."""
    made = read(statement)[1]
    record = Record(evidence=list(evidence))
    return Answer.of(statement, text(made.read_as), made, record, judge(record, {}))


def stalled(lens: str, summary: str) -> EvidenceEntry:
    return EvidenceEntry(
        lens=lens, kind=Kind.NOTE, finding=Finding.UNDECIDED, families=[], summary=f"{lens}: {summary}",
        details={"help": "a hint"},
    )  # fmt: skip


LOOKED = EvidenceEntry(
    lens="enclosures at points", kind=Kind.ENCLOSURES, finding=Finding.SUPPORTS, families=["arb"], summary="12 points"
)


def test_an_undecided_answer_says_what_was_tried_where_it_stopped_and_what_would_help() -> None:
    statement = "x + y <= 1 for x > 0 with y <= pi"
    answer = of_evidence(statement, stalled("analysis", "the step"), stalled("region", "the box"), LOOKED)
    assert answer.verdict is Verdict.SUPPORTED
    assert list(answer.lines())[2:6] == [
        "  no proof and no counterexample; 12 points",
        "  tried: analysis, region",
        "  stopped at: the step",
        "  stopped at: the box",
    ]
    assert answer.would_help.startswith("a bounded domain for x; ")  # pi bounds y
    assert answer.to_json()["stopped_at"] == ["the step", "the box"]
    assert "what would help" in answer._repr_html_()
    assert "No proof came of analysis, region" in answer.reason


def test_advice_that_cannot_be_computed_costs_the_advice_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("nothing to say")

    monkeypatch.setattr(answering, "symbols_of", broken)
    answer = of_evidence("x + y <= 1 for x > 0 with y <= pi", stalled("analysis", "the step"), LOOKED)
    assert answer.verdict is Verdict.SUPPORTED
    assert answer.would_help == "no advice could be computed (ValueError: nothing to say)"
    assert "stopped at: the step" in str(answer)


def test_a_lens_that_proves_something_false_is_struck_off_and_the_point_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = checking.run_claim

    def caught(claim: Claim, context: Context) -> dict[str, Any]:
        found = judged(claim, context)
        entry = {
            "lens": "analysis", "kind": Kind.SYMBOLIC_PROOF.value, "finding": Finding.SUPPORTS.value,
            "families": ["sympy"], "summary": "analysis: by a fault", "details": {}, "premises": [],
        }  # fmt: skip
        found["evidence"].append(entry)
        found["false_proofs"] = [
            {"statement": "the claim", "counterexample": "fails at x = 1/2", "lens": "analysis", "summary": "a fault",
             "premises": []}
        ]  # fmt: skip
        return found

    monkeypatch.setattr(checking, "run_claim", caught)
    answer = check("x^2 >= x for x real")
    assert answer.verdict is Verdict.REFUTED
    assert answer.counterexample is not None
    assert "the lens 'analysis'" in answer.alarm
    assert "struck off" in answer.alarm


def test_a_statement_of_which_nothing_is_known_says_what_was_tried() -> None:
    answer = of_evidence("x < 1 for x in [0, 1]", stalled("analysis", "the step"), stalled("region", "the box"))
    assert answer.verdict is Verdict.UNDECIDED
    assert "nothing speaks for it either" in str(answer)
    assert "bounded domain" not in answer.would_help
    assert answer.reason == "analysis: the step. Tried as well: region. What would help: a hint"


def test_a_term_that_may_have_no_value_asks_for_a_condition() -> None:
    answer = of_evidence("log(x) < x", stalled("analysis", "could not show that a term is defined: log(x)"), LOOKED)
    assert answer.would_help == "x > 0, behind `given`: then log(x) has a value"
    other = of_evidence("log(x) < x", stalled("analysis", "could not show that a term is defined: f(x)"), LOOKED)
    assert other.would_help == "a condition under which it has a value, behind `given`: f(x)"


def test_a_decided_statement_needs_no_help() -> None:
    for statement in ("x^2 >= 0", "x^2 > 0"):
        answer = check(statement)
        assert (answer.tried, answer.stopped_at, answer.would_help) == ((), (), "")


def test_the_claim_of_a_statement_has_a_control_that_counts() -> None:
    for statement in ("x - x = 0", "x - x <= 1", "0*x >= 0", "0.5^1000 < 1"):
        assert [m.trivial for m in check(statement).record.mutants] == [False]


def test_domains_of_integers_are_closed() -> None:
    (variable,) = read("n > 0 for n integer > 1/2")[1].claim.variables
    assert (variable.lower, variable.lower_open, variable.integer) == (1, False, True)
    (variable,) = read("n > 0 for n integer with 0 < n < 4")[1].claim.variables
    assert (variable.lower, variable.upper, variable.upper_open) == (1, 3, False)


# ------------------------------------------------------------------------------------------------ notebooks


def test_a_notebook_shows_an_answer_with_everything_escaped() -> None:
    shown = check("x < y for x, y > 0")._repr_html_()
    assert "<math" in shown
    assert "x &lt; y" in shown
    assert "<pre>" in shown
    assert shown.count("<table>") == shown.count("</table>") == 1


def test_a_notebook_shows_claims_verdicts_records_and_intervals() -> None:
    page = Page()
    x = page.positive("x")
    claim = page.statement("own:claim", "Ends </td> of <b>", ge(x + 1 / x, 2))
    assert "&lt;/td&gt;" in claim._repr_html_()
    assert r"\frac{1}{x}" in claim._repr_latex_()
    assert "proved" in Verdict.PROVED._repr_html_()
    assert "&lt;" in Judgement(Verdict.REFUTED, "x < 0")._repr_html_()
    answer = check("x + 1/x >= 2 for x > 0")
    assert "made by the program" in answer.record._repr_html_()
    assert "<code>[1, 2]</code>" in Enclosure(Fraction(1), Fraction(2))._repr_html_()
    bounds = Bounds(0.5, 1.0, "a < b", "c")
    assert str(bounds) == "[0.5, 1.0]"
    assert "below: a &lt; b" in bounds._repr_html_()
    witness = Witness(values={"x": "1"}, margin=["0", "0"], relation="x < 1 $ </script>")
    assert "<script" not in witness._repr_html_()
    assert "</script" not in witness._repr_html_()


def test_the_package_offers_check_and_says_what_it_does_not_have() -> None:
    assert rgm_verify.check is check
    assert "check" in dir(rgm_verify)
    with pytest.raises(AttributeError, match="has no attribute 'chek'"):
        rgm_verify.chek  # noqa: B018


def test_what_would_help_names_the_condition_of_a_term() -> None:
    helped = check("tan(x^3 - x)^2 >= 0 for x in [0, 3]").would_help
    assert helped == "cos(x**3 - x) != 0, behind `given`: then tan(x**3 - x) has a value"
    assert check("integral(t, 0, x, log(t)) = x*log(x) - x for x > 0").shown
    improper = check("integral(t, 0, oo, exp(-a*t)) = 1/a")
    assert not improper.shown
    assert "may be improper, or diverge" in improper.would_help
    assert any("no antiderivative" in said for said in improper.stopped_at)


def test_an_open_step_says_how_its_variables_are_counted() -> None:
    # How near an integer comes to a multiple of pi is a question of number theory.
    (stopped,) = check("sin(n)^2 >= 1/(100*n^20) for n natural").stopped_at
    assert "(written with n for n - 1)" in stopped


def test_a_statement_of_arithmetic_loads_neither_scipy_nor_the_report() -> None:
    """Both take as long to load as the statement takes to judge."""
    code = "import sys; from rgm_verify import check; assert check('x + 1/x >= 2 for x > 0').shown; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "rgm_verify.lenses.points.numeric" in loaded
    assert {m for m in loaded if m.split(".")[0] == "scipy" or m.startswith("rgm_verify.report")} == set()


@pytest.mark.parametrize(
    "statement",
    [
        "tan(x)^2 >= 0 for x in [0, 2]",
        "1/cos(x)^2 >= 1 for x in [0, 2]",
        "1/(sin(3*x) - 1/2)^2 >= 0 for x in [0, 1]",
        "cot(x)^2 >= 0 for x in [3, 4]",
        "1/(tan(x) - 1)^2 > 0 for x in [-3, -2]",
        "sec(x)^2 >= 1 for x in [4, 5]",
        "sin(x) < 1 for x in [7, 8]",
    ],
)
def test_a_pole_or_an_equality_at_an_irrational_angle_is_found(statement: str) -> None:
    answer = check(statement)
    assert answer.verdict is Verdict.REFUTED
    shown = subprocess.run([sys.executable, "-c", answer.snippet], capture_output=True, text=True, check=True).stdout
    assert shown.split()[-1] == "True"


@pytest.mark.parametrize(
    "statement",
    [
        "tan(x) >= x for x in [0, 3/2]",
        "tan(x) >= x + x^3/3 for x in [0, 3/2]",
        "1/tan(x) <= 1/x for x in (0, 3/2]",
        "tan(x)^2 >= 0 for x in [2, 4]",
        "sec(x) >= 1 for x in [0, 3/2]",
        "coth(x) >= 1 for x > 0",
        "csch(x) <= 1/x for x > 0",
        "sech(x)^2 + tanh(x)^2 = 1",
        "erf(erfinv(x)) = x for x in (-1, 1)",
        "digamma(1) < 0",
        # Zero at an end of the range, and no sign of a derivative on all of it.
        "sin(x) > 0 for x in (0, 3]",
        "sin(x) >= 0 for x in [0, 3.14]",
        "cot(x) <= 1/x for x in (0, 3]",
        "sin(x) > x/10 for x in (0, 28/10)",
        "exp(-x)*sin(x) > 0 for x in (0, 3]",
        "sin(x)*sin(3 - x) > 0 for x in (0, 3)",
        # Zero inside of the range, where the goal touches.
        "cos(x) <= exp(-x^2/2) for x in [-2, 2]",
        "(x - 1/3)^2*cos(x) >= 0 for x in [-3/2, 3/2]",
        "x*sin(x)*(x - 1)^2 >= 0 for x in [-3, 3]",
    ],
)
def test_quotients_of_circular_and_hyperbolic_functions_are_proved(statement: str) -> None:
    assert check(statement).shown


@pytest.mark.parametrize(
    "statement",
    [
        "tan(x) <= x + x^3/3 for x in [1/10, 3/2]",
        "cot(x) >= 1/x for x in (0, 3]",
        "coth(x) > 1 + 1/x for x > 0",
        "digamma(x) >= log(x) for x in [1, 10]",
        "lambertw(x) >= log(1 + x) for x in [0, 3]",
        "erfinv(x) <= x for x in [1/2, 9/10]",
        "coth(0) > 1",
        "sin(x) > 0 for x in [0, 3]",
        "sin(x) > 0 for x in (0, 22/7]",
        "-sin(x) >= 0 for x in [0, 3]",
        "cos(x) - 1 >= 0 for x in [0, 3]",
        "sin(x) - x >= 0 for x in [0, 3]",
        "sin(x)*sin(3 - x) > 0 for x in [0, 3)",
        "sin(x)*sin(3 - x) > 0 for x in (0, 3]",
    ],
)
def test_false_statements_of_the_same_functions_are_refuted(statement: str) -> None:
    assert check(statement).verdict is Verdict.REFUTED


def test_a_word_behind_a_set_is_a_condition() -> None:
    """`reals positive` was read as all reals, and a false statement of positive numbers came out as proved."""
    assert check("there is x in reals positive with x = -1").verdict is Verdict.REFUTED
    assert check("x > 0 for x in reals positive").shown


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("there is a real with 1/a < 0", Verdict.PROVED),
        ("there is a real with a/a/(3 - a*(a + 1)) < 0", Verdict.PROVED),
        ("there is x real with 1/x = 0", Verdict.REFUTED),
        ("there is x real with 1/(x - x) = 1", Verdict.REFUTED),
    ],
)
def test_a_point_without_a_value_says_nothing_of_the_others(statement: str, verdict: Verdict) -> None:
    assert check(statement).verdict is verdict


def test_an_alternative_at_some_point_has_a_control_that_counts() -> None:
    assert check("there is x with (x > 1 or x < -1)").shown
    assert check("there is x with (x^2 < 0 or x^2 < -1)").verdict is Verdict.REFUTED


def test_a_proof_of_the_kernel_answers_what_the_lenses_leave_open(monkeypatch):
    # Calculus would show this one, too.
    monkeypatch.setattr(Analysis, "run", lambda self, claim, context: [])
    # The sides meet along a curve, exp(2 a) = (1 - u)/u, which no point of a search lies on exactly.
    answer = check("u*exp(a) + (1 - u)*exp(-a) >= 2*sqrt(u*(1 - u)) for 0 <= u <= 1, real a")
    assert answer.verdict is Verdict.PROVED
    assert {e.kind for e in answer.record.evidence if e.finding is Finding.SUPPORTS} & PROOFS == {Kind.KERNEL_PROOF}
    assert answer.sketch


def test_nothing_false_is_searched_for(monkeypatch):
    asked = []

    def searched(task, _):
        asked.append(task)
        return {"proof": None, "reason": "not looked for", "spent": 0, "too_slow": False}

    monkeypatch.setattr(checking, "search", searched)
    assert check("x^2 >= x for real x").verdict is Verdict.REFUTED
    assert not asked
    assert check("x^2 >= 2*x - 1 for real x").verdict is Verdict.PROVED
    assert len(asked) == 1
