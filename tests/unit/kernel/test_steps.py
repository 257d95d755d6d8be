"""Each step of a proof: accepted where it is right, refused where an ingredient is another one."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rgm_verify.kernel.calculus import substitute, whole
from rgm_verify.kernel.check import FORMAT, Checker, absurd, check, implies
from rgm_verify.kernel.terms import FALSE, And, Formula, Or, Refused, Rel, Terms, literal

PROOFS = Path(__file__).resolve().parents[3] / "derivations" / "proofs"
x, y, n = ["var", "x"], ["var", "y"], ["var", "n"]
X, Y, ONE, XY = [[1, 0, 1]], [[1, 1, 1]], [[1]], [[1, 0, 1, 1, 1]]
NAMES = [x, y, ["pow", x, "-1"], ["exp", x], ["exp", ["mul", "-1", x]]]


def kernel(*facts: Any) -> Checker:
    """Return a checker that knows formulas, given as trees."""
    k = Checker(NAMES, {}, {"x": False, "y": False, "n": True})
    for fact in facts:
        k.assume(k.formula(fact))
    return k


def said(k: Checker, op: str, tree: Any) -> Formula:
    return Rel(k.terms.poly(tree), op)


GE, GT, EQ, NE = ([op, x, "0"] for op in (">=", ">", "==", "!="))
YGE, YGT, YEQ = ([op, y, "0"] for op in (">=", ">", "=="))


@pytest.mark.parametrize(
    ("facts", "step", "op", "tree"),
    [
        ([GE, YGE], ["sum", [[2, [0], []], [3, [0, 1], []]], []], ">=", ["add", ["mul", "2", x], ["mul", "3", x, y]]),
        ([GT, YGE], ["sum", [[1, [0], []], [1, [1], []]], []], ">", ["add", x, y]),
        ([GT, YGT], ["sum", [[1, [0, 1], []]], []], ">", ["mul", x, y]),
        ([GT, YGE], ["sum", [[1, [0, 1], []]], []], ">=", ["mul", x, y]),
        ([GE, YGT], ["sum", [[1, [0, 1], []]], []], ">=", ["mul", x, y]),
        ([GT], ["sum", [[0, [0], []]], []], ">=", "0"),
        ([GT], ["sum", [[1, [0], [Y]]], []], ">=", ["mul", x, y, y]),
        ([], ["sum", [["1/2", [], []]], []], ">", "1/2"),
        ([], ["sum", [[1, [], [X]]], []], ">=", ["mul", x, x]),
        ([EQ], ["sum", [[1, [0], []]], []], ">=", x),
        ([EQ], ["sum", [], [[0, [[-7, 1, 1]]]]], "==", ["mul", "-7", x, y]),
        ([EQ, GE], ["sum", [[1, [1], []]], [[0, [[-7]]]]], ">=", ["mul", "-6", x]),
        ([EQ, GT], ["sum", [[1, [1], []]], [[0, [[-7]]]]], ">", ["mul", "-6", x]),
        ([[">=", ["pow", x, "-1"], y], GT], ["clear", 0, X, 1], ">=", ["add", "1", ["mul", "-1", x, y]]),
        ([["==", ["pow", x, "-1"], y], NE], ["clear", 0, X, 1], "==", ["add", "1", ["mul", "-1", x, y]]),
        ([["!=", ["pow", x, "-2"], y], NE], ["clear", 0, X, 1], "!=", ["add", ["pow", x, "-1"], ["mul", "-1", x, y]]),
        ([[">", y, "1"]], ["clear", 0, [[3]], None], ">", ["mul", "3", ["add", y, "-1"]]),
        (
            [[">", ["mul", "1/2", ["pow", x, "-1"]], y], GT],
            ["clear", 0, [[2, 0, 1]], 1],
            ">",
            ["add", "1", ["mul", "-2", x, y]],
        ),
        ([[">", ["exp", ["mul", "-1", x]], y]], ["clear", 0, [[1, 3, 1]], None], None, None),
        ([], ["number", [[1, 3, 1], [-2]], 40], None, None),
        ([GE], ["have", [">=", [[2, 0, 1]]], [["end", 0]]], ">=", ["mul", "2", x]),
    ],
)
def test_a_step_adds_what_follows_and_no_more(facts: Sequence[Any], step: list[Any], op: str | None, tree: Any) -> None:
    k = kernel(*facts)
    if op is None:
        with pytest.raises(Refused):
            k.advance(step)
        return
    known = len(k.facts)
    k.advance(step)
    assert k.facts[known:] == [said(k, op, tree)]


@pytest.mark.parametrize(
    ("facts", "step"),
    [
        ([GE], ["sum", [[-1, [0], []]], []]),
        ([NE], ["sum", [[1, [0], []]], []]),
        ([GE], ["sum", [], [[0, ONE]]]),
        ([NE], ["sum", [], [[0, ONE]]]),
        ([["or", GE, YGE]], ["sum", [[1, [0], []]], []]),
        ([["or", EQ, YEQ]], ["sum", [], [[0, ONE]]]),
        ([GE], ["sum", [["-1/9", [], []]], []]),
        ([[">=", ["pow", x, "-1"], y], NE], ["clear", 0, X, 1]),
        ([[">=", ["pow", x, "-1"], y], GE], ["clear", 0, X, 1]),
        ([["==", ["pow", x, "-1"], y], GE], ["clear", 0, X, 1]),
        ([["==", ["pow", x, "-1"], y], EQ], ["clear", 0, X, 1]),
        ([[">=", ["pow", x, "-1"], y], [">", y, "0"]], ["clear", 0, X, 1]),
        ([["or", GE, YGE], GT], ["clear", 0, X, 1]),
        ([GE], ["clear", 0, [[-3]], None]),
        ([GE], ["clear", 0, [], None]),
        ([["==", x, y]], ["clear", 0, [], None]),
        ([GE, GT], ["have", [">", X], [["end", 0]]]),
        ([GE], ["have", [">=", [[-2, 0, 1]]], [["end", 0]]]),
        ([GE], ["have", [">=", X], []]),
        ([], ["number", X, 40]),
        ([], ["number", [], 40]),
        ([], ["number", [[1, 3, 1]], 0]),
        ([], ["mean", ["abs", x], "x", "0", "1", None, []]),
        ([], ["mean", x, "x", "0", "0", None, []]),
        ([], ["mean", x, "x", "0", y, None, []]),
        ([], ["mean", ["log", x], "x", "0", "1", None, []]),
        ([], ["mean", ["pow", x, "-1"], "x", "-1", "1", None, []]),
        ([], ["mean", x, [], "0", "1", None, []]),
        ([], ["mean", ["pow", x, "1/2"], "x", "0", "1", None, []]),
        ([], ["use", "p", {}, []]),
        ([], ["use", [], {}, []]),
    ],
)
def test_a_step_with_another_ingredient_is_refused(facts: Sequence[Any], step: list[Any]) -> None:
    with pytest.raises((Refused, ValueError, TypeError)):
        kernel(*facts).advance(step)


@pytest.mark.parametrize(
    ("facts", "goal", "proof", "right"),
    [
        ([GE], GE, [["end", 0]], True),
        ([GT], GE, [["end", 0]], True),
        ([GE], GT, [["end", 0]], False),
        ([EQ], GE, [["end", 0]], True),
        ([EQ], GT, [["end", 0]], False),
        ([GT], NE, [["end", 0]], True),
        ([EQ], NE, [["end", 0]], False),
        ([["<", x, "0"]], NE, [["end", 0]], True),
        ([["<", x, "0"]], GE, [["end", 0]], False),
        ([EQ], ["<=", x, "0"], [["end", 0]], True),
        ([GE], ["<=", x, "0"], [["end", 0]], False),
        ([NE], ["!=", ["mul", "-3", x], "0"], [["end", 0]], True),
        ([GE], [">=", ["mul", "3", x], "0"], [["end", 0]], True),
        ([GE], [">=", ["add", x, y], "0"], [["end", 0]], False),
        ([GE], [">=", ["add", x, "1"], "0"], [["end", 0]], False),
        ([NE], GT, [["end", 0]], False),
        ([NE], EQ, [["end", 0]], False),
        ([GE], EQ, [["end", 0]], False),
        ([GT], EQ, [["end", 0]], False),
        ([GE], NE, [["end", 0]], False),
        ([GT], ["or", YGT, GE], [["end", 0]], True),
        ([GT], ["or", YGT, YGE], [["end", 0]], False),
        ([["or", GT, YGT]], ["or", GT, YGT], [["end", 0]], True),
        ([["or", GT, YGT]], ["or", YGT, GT], [["end", 0]], False),
        ([GT], ["or", YGT, GE], [["choose", 1], ["end", 0]], True),
        ([GT], ["or", YGT, GE], [["choose", 0], ["end", 0]], False),
        ([GT], ["or", YGT, GE], [["choose", 2], ["end", 0]], False),
        ([GT], ["or", YGT, GE], [["choose", -1], ["end", 0]], False),
        ([GT], GT, [["choose", 0], ["end", 0]], False),
        ([GT, YGE], ["and", GE, YGE], [["choose", 0], ["end", 0]], False),
        ([[">=", "-1", "0"]], YGT, [["end", 0]], True),
        ([[">=", "1", "0"]], YGT, [["end", 0]], False),
        ([[">", "0", "0"]], YGT, [["end", 0]], True),
        ([[">=", "0", "0"]], YGT, [["end", 0]], False),
        ([["==", "1", "0"]], YGT, [["end", 0]], True),
        ([["!=", "0", "0"]], YGT, [["end", 0]], True),
        ([["!=", "2", "0"]], YGT, [["end", 0]], False),
        ([["==", "0", "0"]], YGT, [["end", 0]], False),
        ([GT, ["<=", x, "0"]], YGT, [["end", 0, 1]], True),
        ([GE, ["<=", x, "0"]], YGT, [["end", 0, 1]], False),
        ([EQ, NE], YGT, [["end", 0, 1]], True),
        ([GE, NE], YGT, [["end", 0, 1]], False),
        ([GT, GE], YGT, [["end", 0, 1]], False),
        ([GT, EQ], YGT, [["end", 0, 1]], True),
        ([GE], GE, [["suppose"], ["end", 0, 1]], True),
        ([GE], GT, [["suppose"], ["end", 0, 1]], False),
        ([GE], GT, [["suppose"], ["end", 1]], False),
        ([EQ], EQ, [["suppose"], ["end", 0, 1]], True),
        ([GT, YGT], ["and", GT, YGT], [["each", [[["end", 0]], [["end", 1]]]]], True),
        ([GT, YGT], ["and", GT, YGT], [["each", [[["end", 0]], [["end", 0]]]]], False),
        ([GT, YGT], ["and", GT, YGT], [["each", [[["end", 0]]]]], False),
        ([GT], GT, [["each", [[["end", 0]]]]], False),
        ([GT, YGT], ["and", GT, ["or", YGT, GT]], [["each", [[["end", 0]], [["end", 2]]]]], True),
        ([GT, YGT], ["and", GE, GT], [["each", [[["end", 2]], [["end", 0]]]]], False),
        ([["or", GT, EQ]], GE, [["cases", 0, [[["end", 1]], [["end", 1]]]]], True),
        ([["or", GT, NE]], GE, [["cases", 0, [[["end", 1]], [["end", 1]]]]], False),
        ([["or", NE, GT]], GE, [["cases", 0, [[["end", 1]], [["end", 1]]]]], False),
        ([["or", GT, EQ]], GE, [["cases", 0, [[["end", 1]]]]], False),
        ([["or", GT, EQ]], GE, [["cases", 0, [[["end", 1]], [["end", 2]]]]], False),
        ([GE], GE, [["cases", 0, []]], False),
        (
            [],
            [">=", ["mul", x, x], "0"],
            [
                ["sign", X],
                [
                    "cases",
                    0,
                    [
                        [["sum", [[1, [1, 1], []]], []], ["end", 2]],
                        [["sum", [], [[1, X]]], ["end", 2]],
                        [["sum", [[1, [1, 1], []]], []], ["end", 2]],
                    ],
                ],
            ],
            True,
        ),
        ([], GE, [["sign", X], ["cases", 0, [[["end", 1]], [["end", 1]], [["end", 1]]]]], False),
        ([], GE, [["sign", X], ["cases", 0, [[["end", 1]], [["end", 1]]]]], False),
        ([GE], GT, [["sign", X], ["cases", 1, [[["end", 2]], [["end", 2]], [["end", 0, 2]]]]], False),
        ([NE, GE], GT, [["sign", X], ["cases", 2, [[["end", 3]], [["end", 0, 3]], [["end", 1, 3]]]]], True),
        ([NE, GE], GT, [["sign", X], ["cases", 2, [[["end", 3]], [["end", 1, 3]], [["end", 1, 3]]]]], False),
        (
            [GT, YGT],
            [">", ["pow", x, "-1"], ["mul", "-1", y]],
            [["clear_goal", X, 0], ["sum", [[1, [], []], [1, [0, 1], []]], []], ["end", 2]],
            True,
        ),
        (
            [NE, YGT],
            [">", ["pow", x, "-1"], ["mul", "-1", y]],
            [["clear_goal", X, 0], ["sum", [[1, [], []], [1, [0, 1], []]], []], ["end", 2]],
            False,
        ),
        ([GE], ["implies", GT, GE], [["suppose"], ["end", 0, 2]], True),
        ([YGE], ["implies", GT, GE], [["suppose"], ["end", 1, 2]], True),
        ([], ["implies", GE, GT], [["suppose"], ["end", 0, 1]], False),
        ([], ["iff", GE, GE], [["each", [[["suppose"], ["end", 0, 1]], [["suppose"], ["end", 1, 2]]]]], True),
        ([], ["iff", GE, GT], [["each", [[["suppose"], ["end", 0, 1]], [["suppose"], ["end", 1, 2]]]]], False),
        ([], ["iff", GT, GE], [["each", [[["suppose"], ["end", 0, 1]], [["suppose"], ["end", 1, 2]]]]], False),
    ],
)
def test_a_goal_is_reached_where_it_follows_and_only_there(facts: Any, goal: Any, proof: Any, right: bool) -> None:
    k = kernel(*facts)
    known = list(k.facts)
    formula = k.formula(goal)
    if not right:
        with pytest.raises(Refused):
            k.prove(formula, proof)
        return
    k.prove(formula, proof)
    assert k.facts == known


def test_the_mean_value_theorem_says_what_it_says() -> None:
    """x^2 from 1: 1 + 2 w (x - 1) with the point w between, on either side."""
    for fact, low, high in (([">", x, "1"], "1", x), (["<", x, "1"], "1", x)):
        k = kernel(fact)
        k.advance(["mean", ["pow", ["var", "t"], "2"], "t", low, high, 0, []])
        w = ["var", "between 1"]
        ends = (low, high) if fact[0] == ">" else (high, low)
        mean = ["add", ["pow", x, "2"], "-1", ["mul", "-2", w, ["add", x, "-1"]]]
        assert k.facts[1:] == [
            said(k, "==", mean),
            said(k, ">", ["add", w, ["mul", "-1", ends[0]]]),
            said(k, ">", ["add", ends[1], ["mul", "-1", w]]),
        ]


def test_what_a_function_asks_for_is_shown_between_the_ends_alone() -> None:
    """1/t is smooth from 1 to 2, whose ends bound the point; from -1 to 2 it is not."""
    positive = [["sum", [[1, [0], []], [1, [], []]], []], ["end", 2]]
    k = kernel()
    k.advance(["mean", ["pow", ["var", "t"], "-1"], "t", "1", "2", None, positive])
    assert len(k.facts) == 3
    with pytest.raises(Refused):
        kernel().advance(["mean", ["pow", ["var", "t"], "-1"], "t", "-1", "2", None, positive])


PREMISE = {
    "quantifier": "forall",
    "variables": [["x", "real", [[">", x, "0"]]], ["n", "integer", [[">=", n, "1"]]]],
    "hypotheses": [["<=", ["log", x], n]],
    "conclusion": [">=", ["mul", n, ["pow", x, "-1"]], ["log", x]],
}


@pytest.mark.parametrize(
    ("images", "facts", "right"),
    [
        ({"x": y, "n": "2"}, [YGT, ["<=", ["log", y], "2"]], True),
        ({"x": y, "n": n}, [YGT, ["<=", ["log", y], n], [">=", n, "1"]], True),
        ({"x": y, "n": n}, [YGT, ["<=", ["log", y], n]], False),
        ({"x": y, "n": "2"}, [YGE, ["<=", ["log", y], "2"]], False),
        ({"x": y, "n": "2"}, [YGT], False),
        ({"x": y, "n": "0"}, [YGT, ["<=", ["log", y], "0"]], False),
        ({"x": y, "n": "3/2"}, [YGT, ["<=", ["log", y], "3/2"]], False),
        ({"x": y, "n": x}, [YGT, ["<=", ["log", y], x], [">=", x, "1"]], False),
        ({"x": y}, [YGT, ["<=", ["log", y], n], [">=", n, "1"]], False),
        ({"x": y, "n": "2", "y": x}, [YGT, ["<=", ["log", y], "2"]], False),
        ({"x": ["log", y], "n": "2"}, [[">", ["log", y], "0"], ["<=", ["log", ["log", y]], "2"]], False),
        ({"x": ["log", y], "n": "2"}, [[">", ["log", y], "0"], ["<=", ["log", ["log", y]], "2"], YGT], True),
    ],
)
def test_a_premise_is_used_where_its_hypotheses_hold(images: Any, facts: Any, right: bool) -> None:
    k = Checker(NAMES, {"p": PREMISE}, {"x": False, "y": False, "n": True})
    for fact in facts:
        k.assume(k.formula(fact))
    if not right:
        with pytest.raises((Refused, KeyError)):
            k.advance(["use", "p", images, []])
        return
    k.advance(["use", "p", images, []])
    assert k.facts[-1] == k.formula(substitute(PREMISE["conclusion"], images))
    assert k.used == {"p"}


def test_a_premise_that_something_exists_is_not_used_at_values() -> None:
    k = Checker(NAMES, {"p": {**PREMISE, "quantifier": "exists", "hypotheses": [], "variables": []}}, {})
    with pytest.raises(Refused):
        k.advance(["use", "p", {}, []])


def test_existence_needs_a_witness_in_its_domain() -> None:
    statement = {
        "quantifier": "exists",
        "variables": [["x", "real", [[">", x, "0"]]], ["n", "integer", []]],
        "hypotheses": [[">=", x, "1"]],
        "conclusion": [">", ["pow", x, "2"], n],
    }
    document = {
        "format": FORMAT,
        "claim": "c",
        "statement": statement,
        "premises": {},
        "names": [],
        "witness": {"x": "2", "n": "3"},
        "proof": [],
    }
    assert check(document) == ()
    for witness in (
        {"x": "2", "n": "4"},
        {"x": "2", "n": "1/2"},
        {"x": "1/2", "n": "0"},
        {"x": "-2", "n": "3"},
        {"x": "2"},
        {"x": x, "n": "3"},
        {"x": "2", "n": "3", "y": "1"},
        {"x": ["log", "-1"], "n": "3"},
    ):
        with pytest.raises(Refused):
            check({**document, "witness": witness})


@pytest.mark.parametrize("text", ["1", "-1/2", "0", "12/8", "-0"])
def test_a_literal_is_a_rational(text: str) -> None:
    assert literal(text) == Fraction(text)


def test_integers_are_known_by_their_form() -> None:
    kinds = {"x": False, "y": False, "n": True}
    for tree in ("3", n, ["add", n, "-2"], ["mul", n, n], ["max", n, "0"], ["max", n, ["add", n, "1"]]):
        assert whole(tree, kinds)
    for tree in ("1/2", x, ["add", n, x], ["mul", "1/2", n], ["pow", n, "2"], ["exp", n], ["sign", x], ["e"]):
        assert not whole(tree, kinds)


def test_implication_and_absurdity_are_about_relations() -> None:
    t = Terms("x")
    p = t.poly(x)
    assert implies(Rel(p, ">"), And([]))
    assert not implies(And([Rel(p, ">"), Rel(p, ">=")]), Rel(p, ">"))
    assert not implies(Rel({}, ">="), Rel(p, ">="))
    assert absurd(FALSE)
    assert not absurd(Or([Rel(p, ">"), Rel(p, ">=")]))
    assert not absurd(Rel(p, ">"))


# ------------------------------------------------------------------------------------------------ kept proofs


def kept() -> list[dict[str, Any]]:
    return [p for path in sorted(PROOFS.rglob("*.json")) for p in json.loads(path.read_text())["proofs"].values()]


def test_every_kept_proof_is_accepted() -> None:
    for document in kept():
        assert set(check(document)) <= set(document["premises"])


def test_a_kept_proof_without_one_of_its_steps_is_hardly_ever_a_proof() -> None:
    """Without its last step it is none; without its first one it is none but where that was not needed."""
    spared = 0
    # Of a witness that is evident there is nothing left to prove, and no step to leave out.
    documents = [document for document in kept() if document["proof"] not in ([], [["each", []]])][::5]
    for document in documents:
        with pytest.raises(Refused):
            check({**document, "proof": document["proof"][:-1] or [["each", []]]})
        shorter = copy.deepcopy(document)
        del shorter["proof"][0]
        try:
            check(shorter)
            spared += bool(shorter["proof"])
        except Refused:
            continue
    assert spared <= len(documents) // 20
