"""What a page shows, read back and compared with what is proved: the same, another one, or not read with the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rgm_verify.statements.readback.compare import AGREES, DIFFERS, UNREAD, Compared, all_compared, compared

A, X, N = ["var", "a"], ["var", "x"], ["var", "n"]
#: A page as a ledger has it: a norm and an integer as variables, a name with a power, a hypothesis.
PAGE: Mapping[str, Any] = {
    "id": "p:a",
    "quantifier": "forall",
    "variables": [
        {"latex": r"\|R(x)\|", "domain": r"\|R(x)\| \in [0, \infty)"},
        {"latex": "x", "domain": r"x \in (-\infty, \frac{1}{2}]"},
        {"latex": "n", "domain": r"n \in [1, \infty) \cap \mathbb{Z}"},
    ],
    "names": [{"latex": r"\sigma_1^2", "value": r"1 + n \|R(x)\|^2"}],
    "hypotheses": [{"latex": r"x \ne 0"}],
    "formula": r"\frac{e^{- 2 x}}{2 n \sigma_1^2} \le \sqrt{\|R(x)\|} + 3",
}
SIGMA = ["add", "1", ["mul", ["pow", A, "2"], N]]
STATEMENT: Mapping[str, Any] = {
    "quantifier": "forall",
    "variables": [
        ["a", "real", [[">=", A, "0"]]],
        ["x", "real", [["<=", X, "1/2"]]],
        ["n", "integer", [[">=", N, "1"]]],
    ],
    "hypotheses": [["!=", X, "0"]],
    "conclusion": [
        "<=",
        ["mul", "1/2", ["pow", N, "-1"], ["exp", ["mul", "-2", X]], ["pow", SIGMA, "-1"]],
        ["add", "3", ["pow", A, "1/2"]],
    ],
}


def of(formula: str, conclusion: Any = None, **page: Any) -> Compared:
    statement = STATEMENT if conclusion is None else {**STATEMENT, "conclusion": conclusion}
    return compared({**PAGE, "formula": formula, **page}, statement)


def test_a_page_that_shows_what_is_proved_agrees_and_says_up_to_what() -> None:
    assert compared(PAGE, STATEMENT) == Compared("p:a", AGREES, "", ("names", "definitions", "order"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\le", r"\ge"), (r"\le", "<"), ("+ 3", "- 3"), ("- 2 x", "2 x"), ("+ 3", "+ 4"),
        (r"\sqrt{\|R(x)\|}", r"\|R(x)\|"), (r"2 n \sigma_1^2", r"2 n"), (r"2 n \sigma_1^2", r"2 x \sigma_1^2"),
        (r"\sigma_1^2", r"(\sigma_1^2)^2"),
    ],
)  # fmt: skip
def test_a_changed_formula_is_another_one(old: str, new: str) -> None:
    assert of(PAGE["formula"].replace(old, new, 1)).outcome == DIFFERS


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"quantifier": "exists"}, "the page says `exists` and the proof `forall`"),
        ({"hypotheses": []}, "the page has 0 hypotheses, and the proof 1"),
        ({"hypotheses": [{"latex": "x > 0"}]}, "a hypothesis is another one: the page shows x > 0"),
        ({"names": [{"latex": r"\sigma_1^2", "value": r"1 - n \|R(x)\|^2"}]}, "the conclusion is another one"),
        ({"variables": PAGE["variables"][:2]}, "the page has 2 variables, and the proof 3"),
        (
            {"variables": [{**PAGE["variables"][0], "domain": r"\|R(x)\| \in (0, \infty)"}, *PAGE["variables"][1:]]},
            "the domain of a is another one",
        ),
        (
            {"variables": [*PAGE["variables"][:2], {**PAGE["variables"][2], "domain": r"n \in [1, \infty)"}]},
            "the domain of n is another one",
        ),
    ],
)
def test_a_changed_hypothesis_domain_name_or_quantifier_is_another_statement(part: dict[str, Any], words: str) -> None:
    found = of(PAGE["formula"], **part)
    assert (found.outcome, found.reason[: len(words)]) == (DIFFERS, words)


@pytest.mark.parametrize(
    ("formula", "tree"),
    [
        (
            r"x > 0 \;\Longrightarrow\; x = 1 \quad\text{and}\quad n > 2",
            ["implies", [">", X, "0"], ["and", ["==", X, "1"], [">", N, "2"]]],
        ),
        (
            r"(x > 0 \;\Longleftrightarrow\; n > 2) \quad\text{and}\quad x \ne 1",
            ["and", ["iff", [">", X, "0"], [">", N, "2"]], ["!=", X, "1"]],
        ),
        (r"\begin{aligned} & 0 < x \\ & \quad \le n \end{aligned}", ["and", ["<", "0", X], ["<=", X, N]]),
        (
            r"\frac{\partial}{\partial x} n x^2 \log(n) + x > 0",
            [">", ["add", X, ["derivative", ["mul", N, ["pow", X, "2"], ["log", N]], "x", "1"]], "0"],
        ),
        (r"\frac{d^2}{d x^2} (x + 1) = 0", ["==", ["derivative", ["add", X, "1"], "x", "2"], "0"]),
        (
            r"\left. t^2 x \right|_{\substack{ t=n + 1 }} > 0",
            [">", ["at", ["mul", X, ["pow", ["var", "t"], "2"]], "t", ["add", N, "1"]], "0"],
        ),
        (r"\max\left(x, \left|{n - 2}\right|\right) \ge \pi", [">=", ["max", ["abs", ["add", N, "-2"]], X], ["pi"]]),
    ],
)
def test_connectives_lines_derivatives_and_values_at_a_point_are_read_as_pages_write_them(
    formula: str, tree: Any
) -> None:
    assert of(formula, tree).outcome == AGREES


@pytest.mark.parametrize(
    ("formula", "tree", "freedom"),
    [
        ("(x + 1)^2 = n", ["==", ["add", "1", ["mul", "2", X], ["pow", X, "2"]], N], "arithmetic"),
        (r"\frac{x}{\frac{1}{n}} = n", ["==", ["mul", X, N], N], "signs"),
        (r"\sqrt{\|R(x)\|}^2 = n", ["==", A, N], "signs"),
        (r"x \left|{n}\right| = 1", ["==", ["mul", X, N], "1"], "signs"),
    ],
)
def test_a_freedom_that_was_needed_is_named(formula: str, tree: Any, freedom: str) -> None:
    found = of(formula, tree)
    assert found.outcome == AGREES
    assert freedom in found.freedoms


@pytest.mark.parametrize(
    ("formula", "tree"),
    [
        # Equal values are not enough: the page asks for more, which the proof does not show.
        (r"\frac{x - n}{x - n} = 1", ["==", "1", "1"]),
        (r"\frac{1}{\frac{1}{x - n}} = 1", ["==", ["add", X, ["mul", "-1", N]], "1"]),
        (r"\sqrt{x}^2 = x", ["==", X, X]),
        (r"\sqrt{x^2} = x", ["==", X, X]),
        (r"\frac{1 + \sqrt{x}}{1 + \sqrt{x}} = 1", ["==", "1", "1"]),
        (r"e^{\log(x)} = x", ["==", X, X]),
        # A variable that is bound at a point is not the one of the domain.
        (
            r"\left. \sqrt{n}^2 \right|_{\substack{ n=x }} = x",
            ["==", ["at", N, "n", X], X],
        ),
        # And what both sides share does not go away.
        (r"x + \|R(x)\| > \|R(x)\|", [">", X, "0"]),
    ],
)
def test_what_holds_at_some_points_alone_is_no_freedom(formula: str, tree: Any) -> None:
    assert of(formula, tree).outcome == DIFFERS


def test_an_alternative_says_no_sign() -> None:
    tree = ["or", [">", ["pow", X, "-1"], "5"], [">", N, "2"]]
    page = {
        **PAGE,
        "hypotheses": [{"latex": r"\frac{1}{x} > 5 \quad\text{or}\quad n > 2"}],
        "formula": r"\frac{1}{\frac{1}{x}} = n",
    }
    assert compared(page, {**STATEMENT, "hypotheses": [tree], "conclusion": ["==", X, N]}).outcome == DIFFERS


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ({"formula": "y > 0"}, "a name that the page does not declare, y"),
        ({"formula": r"\sin(x) > 0"}, "sin: it has no tree in the kernel"),
        ({"formula": r"x > 0 \quad\text{and}\quad x < 1 \quad\text{or}\quad n > 1"}, "connectives whose order"),
        ({"formula": r"\begin{aligned} & x > 0 \\ & n > 1 \end{aligned}"}, "a line that does not go on"),
        ({"names": [{"latex": r"\|R(x)\|^2", "value": "4"}]}, "a name of the page may also be a power of another one"),
        ({"names": [{"latex": "x", "value": "4"}]}, "two names of the page are the same text"),
        ({"names": [{"latex": "r", "value": "r + 1"}], "formula": "r > 0"}, "a name that stands for itself"),
        ({"formula": "z_2 > 0"}, "a name that the page does not declare, z with an index"),
        ({"formula": "z_{2} > 0"}, "a name that the page does not declare, z with an index"),
        ({"formula": None}, "malformed: TypeError"),
    ],
)
def test_what_is_not_read_is_told_with_the_reason(part: dict[str, Any], reason: str) -> None:
    found = compared({**PAGE, **part}, STATEMENT)
    assert (found.outcome, found.reason[: len(reason)]) == (UNREAD, reason)


def test_names_that_grow_without_end_are_refused_at_once() -> None:
    names = [{"latex": f"m_{{{k}}}", "value": f"m_{{{k + 1}}} m_{{{k + 1}}}"} for k in range(40)]
    names.append({"latex": "m_{40}", "value": "x + 1"})
    found = of("m_{0} > 0", names=names)
    assert (found.outcome, found.reason[:11]) == (UNREAD, "the kernel ")


def test_a_formula_that_the_source_prints_is_compared_too(tmp_path: Path) -> None:
    proof = {"format": "rgm-verify proof 2", "claim": "p:a", "statement": STATEMENT}
    kept = {"format": "rgm-verify proofs 1", "proofs": {"p:a": proof}}
    for name, data in {
        "claims/proofs/a.json": kept,
        "ledger/a.py.json": {"claims": [{**PAGE, "printed": ""}]},
        "ledger/index.json": {"entries": [{"claims": ["p:a"], "printed": {"formula": PAGE["formula"]}}]},
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data))
    (found,) = all_compared(tmp_path / "claims", tmp_path / "ledger")
    assert (found.outcome, found.as_printed, len(found.digest)) == (AGREES, True, 16)
    (tmp_path / "ledger" / "index.json").write_text(
        '{"entries": [{"claims": ["p:a"], "printed": {"formula": "x > 0"}}]}'
    )
    (found,) = all_compared(tmp_path / "claims", tmp_path / "ledger")
    assert (found.outcome, found.as_printed) == (AGREES, False)
