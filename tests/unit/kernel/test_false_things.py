"""False statements and hostile documents: the kernel refuses each, and accepts its true neighbour."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rgm_verify.kernel.check import FORMAT, Checker, check, opened
from rgm_verify.kernel.terms import Refused

x, y, n = ["var", "x"], ["var", "y"], ["var", "n"]
W = ["var", "between 1"]
MINUS = ["mul", "-1", x]


def stated(
    conclusion: Any, variables: Any = ("x",), hypotheses: Any = (), quantifier: str = "forall"
) -> dict[str, Any]:
    """Return a statement; a variable is a name, or (name, kind, domain)."""
    entries = [[v, "real", []] if isinstance(v, str) else list(v) for v in variables]
    return {
        "quantifier": quantifier, "variables": entries, "hypotheses": list(hypotheses), "conclusion": conclusion,
    }  # fmt: skip


def document(statement: Any, proof: Any, names: Any = (), premises: Any = None, witness: Any = None) -> dict[str, Any]:
    """Return a document as JSON gives it."""
    found = {
        "format": FORMAT, "claim": "c", "statement": statement, "premises": premises or {}, "names": list(names),
        "witness": witness or {}, "proof": proof,
    }  # fmt: skip
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


FALSE = stated([">=", "-1", "0"], ())
X = [[1, 0, 1]]


def test_the_point_of_the_mean_value_theorem_stands_not_in_its_function() -> None:
    """(t - w)^3 has slope 0 at w, but its values at 0 and 1 differ for every real w."""
    cubic = ["pow", ["add", ["var", "t"], ["mul", "-1", W]], "3"]
    steps = [
        ["mean", cubic, "t", "0", "1", None, []],
        ["sum", [[1, [], [[[1, 0, 1], ["-1/2"]]]]], [[0, [["1/3"]]]]],
    ]
    with pytest.raises(Refused, match="is no variable here"):
        check(document(FALSE, [*steps, ["end", 3]], [W]))


@pytest.mark.parametrize(("low", "high"), [(W, ["add", W, "1"]), (["add", W, "-1"], W)])
def test_the_point_of_the_mean_value_theorem_stands_at_no_end(low: Any, high: Any) -> None:
    steps = [["mean", ["var", "t"], "t", low, high, None, []]]
    with pytest.raises(Refused, match="is no variable here"):
        check(document(FALSE, [*steps, ["end", 1]]))


def test_the_point_of_the_mean_value_theorem_stands_in_no_fact() -> None:
    inner = [["mean", ["var", "t"], "t", "0", "1", None, []], ["end", 4]]
    proof = [["sign", [[1, 0, 1]]], ["cases", 0, [inner, inner, inner]]]
    with pytest.raises(Refused, match="is no variable here"):
        check(document(FALSE, proof, [W]))


def test_each_point_of_the_mean_value_theorem_is_a_new_one() -> None:
    """Knowledge of the first point says nothing of the second, in whatever branch it comes."""
    k = Checker([], {}, {})
    for count in (1, 2, 3):
        k.advance(["mean", ["pow", ["var", "t"], "2"], "t", "0", "1", None, []])
        assert f"between {count}" in k.terms.variables
        assert len(k.facts) == 3 * count
        assert len({str(fact) for fact in k.facts}) == 3 * count


def test_no_variable_bears_the_name_of_a_point() -> None:
    with pytest.raises(Refused, match="stands for points"):
        check(document(stated([">=", W, W], ("between 1",)), [["number", [], 5]]))


def roots_of(value: Any) -> dict[str, Any]:
    """Return the true claim that x^y >= -5 speaks of x >= 0."""
    return stated([">=", x, "0"], ("x", "y"), [[">=", ["pow", x, y], "-5"]])


def test_a_power_with_a_real_exponent_speaks_of_no_negative_base_at_an_integer_either() -> None:
    proof = [["cases", 0, [[["end", 2]], [["end", 2]]]]]
    assert check(document(roots_of(y), proof, [x])) == ()
    use = [["use", "p", {"x": "-1", "y": "2"}, []], ["end", 0]]
    with pytest.raises(Refused, match="stops before"):
        check(document(stated([">=", "-1", "0"], ()), use, premises={"p": roots_of(y)}))
    use[0][2] = {"x": "4", "y": "2"}  # type: ignore[call-overload]
    assert check(document(stated([">=", "4", "0"], ()), use, premises={"p": roots_of(y)})) == ("p",)


def test_a_power_with_an_integer_exponent_may_be_used_at_a_negative_base() -> None:
    premise = stated([">=", ["pow", x, "2"], "0"], ("x", ("n", "integer", [])), [[">=", ["pow", x, n], "-5"]])
    use = [["use", "p", {"x": "-1", "n": "2"}, []], ["end", 0]]
    assert check(document(stated([">=", "1", "0"], ()), use, premises={"p": premise})) == ("p",)


def test_a_claim_is_no_premise_of_itself() -> None:
    proof = [["use", "c", {}, []], ["end", 0]]
    with pytest.raises(Refused, match="premise of itself"):
        check(document(FALSE, proof, premises={"c": FALSE}))
    assert check(document(FALSE, [["use", "d", {}, []], ["end", 0]], premises={"d": FALSE})) == ("d",)


def test_a_slope_is_defined_only_where_its_function_is() -> None:
    slope = ["derivative", ["add", x, ["log", y]], "x", "1"]
    proof = [["sum", [], []], ["end", 0]]
    with pytest.raises(Refused):
        check(document(stated(["==", slope, "1"], ("x", "y")), proof))
    assert (
        check(
            document(stated(["==", slope, "1"], ("x", ("y", "real", [[">", y, "0"]]))), [["sum", [], []], ["end", 1]])
        )
        == ()
    )


def test_what_a_slope_asks_for_is_not_asked_for_where_it_is_known() -> None:
    """The root is smooth where x > 0, a hypothesis: then nothing but the conclusion is left to prove."""
    slope = ["derivative", ["pow", x, "1/2"], "x", "1"]
    statement = stated([">", slope, "0"], [("x", "real", [[">", x, "0"]])])
    _, goal = opened(document(statement, []))
    assert goal[0] == "rel"
    _, goal = opened(document(stated([">", slope, "0"]), []))
    assert goal[0] == "and"


def test_no_hypothesis_holds_a_slope() -> None:
    """The slope of (x^4)^(1/2) is 2 x at 0 too, where the kernel knows of none."""
    slope = ["derivative", ["pow", ["pow", x, "4"], "1/2"], "x", "1"]
    with pytest.raises(Refused, match="hypothesis holds a derivative"):
        check(document(stated(["!=", x, "0"], ("x",), [[">=", slope, "0"]]), [["end", 0]]))


@pytest.mark.parametrize("place", ["domain", "hypothesis", "conclusion"])
def test_no_statement_brings_its_own_conditions(place: str) -> None:
    smuggled = [">=", ["given", "1", [">=", "-1", "0"]], "0"]
    statement = {
        "domain": stated([">=", x, "1"], [("x", "real", [smuggled])]),
        "hypothesis": stated([">=", x, "1"], ("x",), [smuggled]),
        "conclusion": stated(smuggled),
    }[place]
    with pytest.raises(Refused, match="stands in no statement"):
        check(document(statement, [["end", 0]]))


# ------------------------------------------------------------------------------------------------ functions


@pytest.mark.parametrize(
    ("conclusion", "why"),
    [
        ([">=", ["pow", x, "-1"], ["pow", x, "-1"]], "1/x is no number at 0"),
        ([">=", ["log", x], ["log", x]], "log x is no number below 0"),
        ([">=", ["pow", x, "1/2"], ["pow", x, "1/2"]], "the root of x is no number below 0"),
        ([">=", ["pow", x, "-1/2"], ["pow", x, "-1/2"]], "1 over the root is no number at 0"),
        ([">=", ["pow", x, y], ["pow", x, y]], "x^y is no number everywhere"),
        ([">=", ["gamma", x], ["gamma", x]], "gamma has poles"),
        ([">=", ["uppergamma", x, y], ["uppergamma", x, y]], "it is no function of the kernel"),
        ([">=", ["sin", x], ["sin", x]], "it is no function of the kernel"),
        (["==", ["mul", x, ["pow", x, "-1"]], "1"], "0 times 1/0"),
        ([">=", ["mul", "0", ["log", x]], "0"], "0 times nothing is nothing"),
    ],
)
def test_what_is_not_defined_everywhere_is_no_truth(conclusion: Any, why: str) -> None:
    for proof in ([["sum", [], []], ["end", 0]], [["end", 0]], [["sum", [[1, [], []]], []], ["end", 0]]):
        with pytest.raises(Refused):
            check(document(stated(conclusion, ("x", "y")), proof))


def test_one_divided_by_zero_is_zero_and_no_statement() -> None:
    """Zero is what the kernel reckons with; a statement on it has to prove first that 0 is not 0."""
    with pytest.raises(Refused):
        check(document(stated(["==", ["pow", "0", "-1"], "0"], ()), [["sum", [], []], ["end", 0]]))


# ------------------------------------------------------------------------------------------------ hostile data

GOOD = document(stated([">=", ["pow", x, "2"], "0"]), [["sum", [[1, [], [X]]], []], ["end", 0]], [x])


def test_the_good_document_is_good() -> None:
    assert check(GOOD) == ()


def deep(levels: int) -> Any:
    """Return a tree of that many sums in sums."""
    tree: Any = x
    for _ in range(levels):
        tree = ["add", tree, "1"]
    return tree


@pytest.mark.parametrize(
    "value", [None, True, 1, 1.5, float("nan"), "text", [], {}, [[]], [["end"]], [[1]], [["end", True]]]
)
@pytest.mark.parametrize("field", sorted(GOOD))
def test_a_field_of_another_kind_is_refused(field: str, value: Any) -> None:
    if (field, value) in (("claim", value), ("premises", {}), ("witness", {})) or field == "witness":
        return  # a name means nothing to the kernel; the rest is what it expects, or what it does not read
    with pytest.raises(Refused):
        check({**GOOD, field: value})


@pytest.mark.parametrize("field", sorted(GOOD))
def test_a_document_has_exactly_its_fields(field: str) -> None:
    with pytest.raises(Refused, match="exactly the fields"):
        check({k: v for k, v in GOOD.items() if k != field})
    with pytest.raises(Refused, match="exactly the fields"):
        check({**GOOD, "another": 1})
    with pytest.raises(Refused, match="expected a document"):
        check({**GOOD, "format": "rgm-verify proof 1"})


@pytest.mark.parametrize(
    "coefficient",
    [
        True,
        False,
        0.5,
        float("nan"),
        float("inf"),
        None,
        "1.5",
        "1e3",
        "--1",
        "1/0",
        "1/-2",
        "",
        "-",
        "²",
        "9" * 5000,
        [],
    ],
)
def test_a_coefficient_is_a_rational(coefficient: Any) -> None:
    with pytest.raises(Refused):
        check({**GOOD, "proof": [["sum", [[coefficient, [], [X]]], []], ["end", 0]]})
    with pytest.raises(Refused):
        check({**GOOD, "proof": [["sum", [[1, [], [[[coefficient, 0, 1]]]]], []], ["end", 0]]})


@pytest.mark.parametrize(
    "square",
    [
        [[1, 1, 1]],
        [[1, -1, 1]],
        [[1, 0, -1]],
        [[1, 0, 201]],
        [[1, 0]],
        [1],
        "1",
        [["1", "0", 1]],
        [[1, 0, 1.0]],
        [[1, 0.0, 1]],
    ],
)
def test_a_polynomial_is_a_list_of_terms_over_names(square: Any) -> None:
    with pytest.raises(Refused):
        check({**GOOD, "proof": [["sum", [[1, [], [square]]], []], ["end", 0]]})


@pytest.mark.parametrize("ref", [-1, 1, True, False, 0.0, "0", None, [0], 10**30])
def test_a_fact_has_a_number(ref: Any) -> None:
    with pytest.raises(Refused):
        check({**GOOD, "proof": [["sum", [[1, [], [X]]], []], ["end", ref]]})


def test_the_same_variable_twice_is_refused() -> None:
    with pytest.raises(Refused, match="different names"):
        check(document(stated([">=", x, x], ("x", "x")), [["end", 0]]))
    with pytest.raises(Refused, match="each real or integer"):
        check(document(stated([">=", x, x], [("x", "complex", [])]), [["end", 0]]))
    with pytest.raises(Refused, match="no variable of the statement"):
        check(document(stated([">=", x, y], ("x",)), [["end", 0]]))
    with pytest.raises(Refused, match="quantifier"):
        check(document(stated([">=", x, x], ("x",), (), "most"), [["end", 0]]))


def nested(levels: int) -> Any:
    formula: Any = [">=", x, "0"]
    for _ in range(levels):
        formula = ["iff", [">=", x, "1"], formula]
    return formula


def doubled(levels: int) -> Any:
    tree: Any = x
    for _ in range(levels):
        tree = ["at", ["add", ["mul", x, x], "1"], "x", tree]
    return tree


def powers(levels: int) -> Any:
    tree: Any = "9" * 2000
    for _ in range(levels):
        tree = ["pow", tree, "200"]
    return tree


def sums(count: int) -> Any:
    return ["add", *(f"1/{10**1900 + k}" for k in range(count))]


BOMBS = {
    "nested equivalences": stated(nested(40)),
    "values at values": stated([">=", doubled(40), "0"]),
    "values of values": stated([">=", ["at", doubled(15), "x", doubled(15)], "0"]),
    "powers of powers": stated([">=", powers(6), "0"]),
    "long denominators": stated([">=", sums(3000), "0"]),
    "a wide product's slopes": stated([">=", ["derivative", ["mul", *[["exp", x]] * 200], "x", "8"], "0"]),
    "a very wide product's slope": stated([">=", ["derivative", ["mul", *[["exp", x]] * 3000], "x", "1"], "0"]),
    "the slopes of a deep function": stated(
        [">=", ["derivative", ["erf", ["erf", ["erf", ["erf", x]]]], "x", "8"], "0"]
    ),
    "a power of a sum": stated([">=", ["pow", ["add", x, y, "1"], "200"], "0"], ("x", "y")),
    "a deep tree": stated([">=", deep(5000), "0"]),
    "a deep sum of powers": stated([">=", ["pow", deep(200), "200"], "0"]),
    "an order of a million": stated([">=", ["derivative", x, "x", "1000000"], "0"]),
    "an exponent of a million": stated([">=", ["pow", x, "1000000"], "0"]),
    "a root of a million": stated([">=", ["pow", x, "1/1000000"], "0"]),
}  # fmt: skip


@pytest.mark.parametrize("bomb", sorted(BOMBS))
def test_a_statement_that_would_take_for_ever_is_refused_soon(bomb: str) -> None:
    with pytest.raises(Refused):
        check({**GOOD, "statement": BOMBS[bomb]})


STEPS: dict[str, list[Any]] = {
    "a long loop of an exponent": [["number", [[1, 1, 1], [-1]], 64]],
    "too many steps": [["exp", X]] * 30_000,
    "a formula that doubles": [["have", nested(40), []]],
    "a sum of many terms": [["have", [">=", [[1, 0, 1 + i % 200, 2, 1 + i // 200] for i in range(40_000)]], []]],
    "deep proofs": [["each", []]],
    "a root that is too large": [["number", [[1, 3, 1], [-1]], 64]],
    "a logarithm of a large negative number": [["number", [[1, 4, 1], [-1]], 64]],
    "a slope of slopes": [["mean", ["mul", *[["exp", x]] * 3000], "x", "0", "1", None, []]],
}


@pytest.mark.parametrize("bomb", sorted(STEPS))
def test_a_step_that_would_take_for_ever_is_refused_soon(bomb: str) -> None:
    huge = str(10**1500)
    names = [x, ["exp", huge], y, ["exp", ["pow", huge, "1/2"]], ["log", ["add", ["mul", "-1", ["pi"]], f"-{huge}"]]]
    proof = STEPS[bomb]
    if bomb == "deep proofs":
        for _ in range(200):
            proof = [["have", [">=", []], proof]]
    with pytest.raises(Refused):
        check({**GOOD, "names": names, "proof": proof})


def test_a_proof_has_one_end() -> None:
    with pytest.raises(Refused, match="steps after it"):
        check({**GOOD, "proof": [*GOOD["proof"], ["end", 0]]})
    with pytest.raises(Refused, match="stops before"):
        check({**GOOD, "proof": GOOD["proof"][:1]})
    with pytest.raises(Refused, match="no step of the kernel"):
        check({**GOOD, "proof": [["believe", 0]]})
    for step in (["end"], ["exp"], ["exp", X, X], ["sum", []], ["each"]):
        with pytest.raises(Refused, match="malformed: TypeError"):
            check({**GOOD, "proof": [step]})
    with pytest.raises(Refused, match="expected a step"):
        check({**GOOD, "proof": ["end"]})
    with pytest.raises(Refused, match="expected a step"):
        check({**GOOD, "proof": "end"})


def test_proofs_are_nested_so_many_times_and_no_more() -> None:
    proof: Any = GOOD["proof"]
    for _ in range(60):
        proof = [["have", [">=", [[1, 0, 2]]], proof], ["end", 0]]
    assert check({**GOOD, "proof": proof}) == ()
    with pytest.raises(Refused, match="nested more than 60"):
        check({**GOOD, "proof": [["have", [">=", [[1, 0, 2]]], proof], ["end", 0]]})


def test_the_slope_of_a_slope_is_the_second_slope() -> None:
    cube = ["derivative", ["derivative", ["pow", x, "3"], "x", "1"], "x", "1"]
    proof = [["sum", [], []], ["end", 0]]
    assert check(document(stated(["==", cube, ["mul", "6", x]]), proof)) == ()
    with pytest.raises(Refused):
        check(document(stated(["==", cube, ["mul", "3", x]]), proof))
