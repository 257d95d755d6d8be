"""Guards of the kernel that only a crafted document meets: each is refused with its reason, beside what is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from rgm_verify.kernel.check import FORMAT, Checker, check, opened, plain
from rgm_verify.kernel.terms import And, Or, Refused, Rel, Terms

x, y, n = ["var", "x"], ["var", "y"], ["var", "n"]
GT, GE, NE = ([op, x, "0"] for op in (">", ">=", "!="))
KINDS = {"x": False, "y": False, "n": True}


def kernel(*facts: Any, names: Any = (x, y)) -> Checker:
    k = Checker(list(names), {}, KINDS)
    for fact in facts:
        k.assume(k.formula(fact))
    return k


def stated(conclusion: Any, hypotheses: Any = (), **fields: Any) -> dict[str, Any]:
    return {
        "quantifier": "forall", "variables": [["x", "real", []]], "hypotheses": list(hypotheses),
        "conclusion": conclusion, **fields,
    }  # fmt: skip


def document(statement: Any, proof: Any, **fields: Any) -> dict[str, Any]:
    return {
        "format": FORMAT, "claim": "c", "statement": statement, "premises": {}, "names": [x], "witness": {},
        "proof": proof, **fields,
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ goals


@pytest.mark.parametrize("goal", [Rel({}, ">"), Or([]), Or([Rel({}, ">"), Rel({}, "!=")])])
def test_only_a_conjunction_is_proved_part_by_part(goal: Any) -> None:
    """A relation between nothing has no parts either: without the guard 0 > 0 would be proved by no proofs."""
    for proofs in ([], [[["end", 0]]], [[["end", 0]], [["end", 0]]]):
        with pytest.raises(Refused, match="has not as many parts"):
            kernel(GT).prove(goal, [["each", proofs]])


def test_every_alternative_can_be_chosen() -> None:
    for index in range(4):
        parts = [["==", x, str(i)] for i in range(4)]
        k = kernel(["==", x, str(index)])
        goal = k.formula(["or", *parts])
        k.prove(goal, [["choose", index], ["end", 0]])
    with pytest.raises(Refused, match="no step of the kernel"):
        k.prove(goal, [["choose", 4], ["end", 0]])


@pytest.mark.parametrize(
    "step", [["choose"], ["choose", 0, 0], ["clear_goal", [[1]]], ["clear_goal", [[1]], None, 1], ["suppose", 0]]
)
def test_a_step_for_the_goal_with_too_few_or_many_parts_is_no_step(step: Any) -> None:
    with pytest.raises(Refused, match="no step of the kernel"):
        kernel(GT).prove(Or([Rel({}, ">="), Rel({}, ">")]), [step, ["end", 0]])


def test_no_proof_of_no_goals_is_needed_and_no_other_goal_has_none() -> None:
    kernel().prove(And([]), [])
    with pytest.raises(Refused, match="stops before"):
        kernel(GT).prove(kernel().formula(GT), [])
    with pytest.raises(Refused, match="stops before"):
        kernel().prove(Rel({}, ">="), [])


def test_what_is_supposed_leaves_nothing_behind() -> None:
    k = kernel(GT, GE)
    goal = k.formula(["or", NE, GE])
    k.prove(goal, [["suppose"], ["end", 0, 3]])
    assert len(k.facts) == 2
    k.prove(And([goal, goal]), [["each", [[["end", 0]], [["end", 2]]]]])
    assert len(k.facts) == 2


# ------------------------------------------------------------------------------------------------ steps


@pytest.mark.parametrize("term", ["1", (1,), [], [1, 0], [1, 0, 1, 1], {"1": 1}])
def test_a_term_is_a_list_of_odd_length(term: Any) -> None:
    with pytest.raises(Refused, match="expected a term"):
        kernel().poly([term])


@pytest.mark.parametrize("term", [[1, 2, 1], [1, -1, 1], [1, "0", 1], [1, 0, "1"], [1, None, 1]])
def test_a_term_names_what_there_is(term: Any) -> None:
    with pytest.raises(Refused, match="there are 2 names, and integer exponents"):
        kernel().poly([term])


def test_a_term_is_the_product_of_all_its_powers() -> None:
    k = kernel()
    assert k.poly([["1/2", 0, 2, 1, 3], [5]]) == k.terms.poly(
        ["add", ["mul", "1/2", ["pow", x, "2"], ["pow", y, "3"]], "5"]
    )
    assert k.poly([[3, 0, 1], [-3, 0, 1]]) == {}
    assert k.poly([]) == {}


def test_a_premise_that_is_not_there_is_refused_with_its_name() -> None:
    with pytest.raises(Refused, match="'q' is no premise of the document"):
        kernel().advance(["use", "q", {}, []])


def test_a_sign_is_told_by_the_last_unit() -> None:
    k = kernel()
    k.advance(["number", [["3/8"]], 2])
    k.advance(["number", [["-3/8"]], 2])
    assert k.facts == [Rel({(): k.terms.poly("3/8")[()]}, ">")] * 2
    for value in ("1/8", "-1/8", 0):
        with pytest.raises(Refused, match="does not tell the sign"):
            kernel().advance(["number", [[value]], 2])


@pytest.mark.parametrize("degree", [1, 0, -2, "2", 2.0, None])
def test_a_root_has_a_degree_from_2_on(degree: Any) -> None:
    with pytest.raises(Refused, match="expected an integer >= 2"):
        kernel(GT).advance(["root", degree, [[1, 0, 1]], 0])


def test_a_fact_that_excludes_none_of_the_others_closes_nothing() -> None:
    k = kernel(GT, ["<=", x, "0"], [">", y, "0"])
    k.prove(k.formula([">", "0", "0"]), [["end", 0, 2, 1]])
    for proof in ([["end", 0, 2]], [["end", 2, 0, 1]], [["end", 0, 0]]):
        with pytest.raises(Refused, match="is not the goal, and excludes none of"):
            k.prove(k.formula([">", "0", "0"]), proof)


def test_a_case_says_nothing_in_the_next_one() -> None:
    k = kernel(["or", GT, ["<", x, "0"]])
    with pytest.raises(Refused):
        k.prove(k.formula(GT), [["cases", 0, [[["end", 1]], [["end", 1]]]]])


# ------------------------------------------------------------------------------------------------ statements


def test_a_hypothesis_speaks_of_points_where_all_its_parts_are_defined() -> None:
    positive = [">=", ["log", x], "-5"]
    for hypotheses in ([positive], [["and", positive, ["<=", x, "9"]]], [["and", ["<=", x, "9"], positive]]):
        checker, _ = opened(document(stated(GT, hypotheses), []))
        assert checker.formula(GT) in checker.facts
        assert checker.formula(positive) in checker.facts


@pytest.mark.parametrize(
    "hypothesis",
    [
        ["or", [">=", ["log", x], "-5"], [">=", "1", "0"]],
        ["implies", [">=", ["log", x], "-5"], [">=", "1", "0"]],
        ["iff", [">=", ["log", x], "-5"], [">=", "1", "0"]],
        ["and", ["or", [">=", ["log", x], "-5"], [">=", "1", "0"]], [">=", "1", "0"]],
    ],
)
def test_an_alternative_says_nothing_on_where_it_is_defined(hypothesis: Any) -> None:
    checker, _ = opened(document(stated(GT, [hypothesis]), []))
    assert checker.formula(GT) not in checker.facts


def test_a_domain_is_assumed_as_a_hypothesis_is() -> None:
    statement = stated(GT, variables=[["x", "real", [[">", x, "0"], [">=", ["log", x], "0"]]]])
    assert check(document(statement, [["end", 0]])) == ()


def test_what_is_evident_is_no_obligation() -> None:
    statement = stated([">=", ["log", x], ["log", x]], [GT])
    _, goal = opened(document(statement, []))
    assert goal[0] == "rel"
    _, goal = opened(document(stated([">=", ["log", x], ["log", x]]), []))
    assert goal[0] == "and"
    assert len(goal[1]) == 3


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ({**stated(GT), "extra": 1}, "a statement holds exactly"),
        (stated(GT, quantifier="all"), "allowed are forall, exists"),
        (stated(GT, variables=[["x", "real", []], ["x", "real", []]]), "different names"),
        (stated(GT, variables=[["x", "natural", []]]), "each real or integer"),
        (stated(GT, variables=[["x", "real", []], ["between 2", "real", []]]), "stands for points"),
        (stated([">", y, "0"]), "'y' is no variable of the statement"),
        (stated(GT, [[">", y, "0"]]), "'y' is no variable of the statement"),
        (stated(GT, variables=[["x", "real", [[">", y, "0"]]]]), "'y' is no variable of the statement"),
    ],
)
def test_a_statement_of_another_form_is_refused_with_the_reason(statement: Any, text: str) -> None:
    with pytest.raises(Refused, match=text):
        plain(statement)


def test_a_variable_is_as_real_as_the_statement_says() -> None:
    power = [">=", ["pow", x, n], "0"]
    variables = [["x", "real", []], ["n", "integer", []]]
    assert plain(stated(power, variables=variables))["conclusion"] == power
    variables[1][1] = "real"
    assert plain(stated(power, variables=variables))["conclusion"] == [">=", ["real_pow", x, n], "0"]


def test_a_witness_is_defined_and_in_its_domain() -> None:
    statement = stated([">=", x, "0"], quantifier="exists")
    assert check(document(statement, [], witness={"x": "1/2"})) == ()
    assert check(document(statement, [["number", [[1, 0, 1]], 9], ["end", 0]], names=[["log", "2"]],
                          witness={"x": ["log", "2"]})) == ()  # fmt: skip
    for witness in ({"x": ["log", "-2"]}, {"x": ["pow", "0", "-1"]}):
        with pytest.raises(Refused):
            check(document(statement, [], witness=witness))


def test_the_premises_that_were_used_are_named_in_order() -> None:
    fact = stated([">=", ["pow", x, "2"], "0"])
    premises = dict.fromkeys(("b", "a", "unused"), fact)
    proof = [["use", "b", {"x": x}, []], ["use", "a", {"x": x}, []], ["end", 1]]
    assert check(document(fact, proof, premises=premises)) == ("a", "b")


# ------------------------------------------------------------------------------------------------ polynomials


def test_a_reciprocal_of_a_product_is_taken_factor_by_factor() -> None:
    t = Terms("xy")
    one, two = ["add", x, "1"], ["add", y, "2"]
    for exponent in ("-1", "-2"):
        apart = ["mul", ["pow", one, exponent], ["pow", two, exponent]]
        assert t.poly(["pow", ["mul", one, two], exponent]) == t.poly(apart)


def test_a_root_of_a_product_is_one_root() -> None:
    """The root of x y is no product of roots where both are negative."""
    t = Terms("xy")
    for exponent in ("1/2", "-1/2"):
        whole, (monomial,) = t.poly(["pow", ["mul", x, y], exponent]), t.poly(["pow", ["mul", x, y], exponent])
        assert len(whole) == 1
        assert len(monomial) == 1
        assert whole != t.poly(["mul", ["pow", x, exponent], ["pow", y, exponent]])


def test_clearing_takes_away_one_reciprocal_where_there_is_one() -> None:
    k = kernel([">", ["add", ["pow", x, "-2"], ["pow", x, "-1"], "3"], "0"], GT)
    k.advance(["clear", 0, [[2, 0, 1]], 1])
    assert k.facts[-1] == k.formula([">", ["add", ["mul", "2", ["pow", x, "-1"]], "2", ["mul", "6", x]], "0"])


def test_a_relation_alone_is_cleared() -> None:
    k = kernel(["or", GT, GE], GT)
    with pytest.raises(Refused, match="expected a relation"):
        k.advance(["clear", 0, [[1, 0, 1]], 1])


@pytest.mark.parametrize("fact", [["==", "0", "0"], [">=", x, "0"], ["and", GT, NE]])
def test_only_a_disjunction_has_cases(fact: Any) -> None:
    """A relation between nothing has no alternatives either: without the guard it would prove anything."""
    k = kernel(fact)
    for proofs in ([], [[["end", 0]]]):
        with pytest.raises(Refused, match="has not as many alternatives"):
            k.prove(Rel({}, ">"), [["cases", 0, proofs]])


@pytest.mark.parametrize("tree", [5, 1.5, {"and": 1}, True])
def test_a_formula_is_a_list(tree: Any) -> None:
    with pytest.raises(Refused, match="expected a formula"):
        kernel().formula(tree)


def test_a_witness_is_a_constant() -> None:
    statement = stated([">=", ["pow", x, "2"], "0"], quantifier="exists")
    with pytest.raises(Refused, match="is no variable here"):
        check(document(statement, [["sum", [[1, [], [[[1, 0, 1]]]], []], []], ["end", 0]], witness={"x": x}))


def test_a_premise_on_existence_is_refused_as_such() -> None:
    premise = stated([">=", "-1", "0"], quantifier="exists", variables=[])
    with pytest.raises(Refused, match="that speaks of all values"):
        Checker([], {"p": premise}, {}).advance(["use", "p", {}, []])


@pytest.mark.parametrize("op", ["<", "<=", "=", "and"])
def test_what_is_had_is_one_of_four_relations(op: str) -> None:
    with pytest.raises(Refused, match="expected one of the signs"):
        kernel(GT).advance(["have", [op, [[1, 0, 1]]], [["suppose"], ["end", 0, 1]]])


def test_a_factor_with_the_exponent_0_says_nothing() -> None:
    k = kernel(GT)
    with pytest.raises(Refused, match="does not say"):
        k.advance(["log_product", [[2, [[1, 0, 1]], 0], [0, [[1, 0, 1]], 0]], None])
    k.advance(["log_product", [[0, [[1, 0, 1]], 0]], None])
    assert k.facts[1:] == [Rel({}, "==")]


@pytest.mark.parametrize("value", [None, 1, "text", [], sorted(document(stated(GT), []))])
def test_a_document_is_an_object(value: Any) -> None:
    with pytest.raises(Refused, match="expected a document"):
        check(value)
