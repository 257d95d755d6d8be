"""The kernel's answers to the letter: facts of rules, conditions, slopes, and the limits up to which it goes."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rgm_verify.kernel import calculus, enclosures
from rgm_verify.kernel import check as checking
from rgm_verify.kernel import terms as ground
from rgm_verify.kernel.calculus import asks, conditions, derivative, free, resolved, small, whole
from rgm_verify.kernel.check import FORMAT, Checker, absurd, check, implies
from rgm_verify.kernel.enclosures import enclose
from rgm_verify.kernel.terms import FALSE, And, Or, Refused, Rel, Terms, literal

x, y, n = ["var", "x"], ["var", "y"], ["var", "n"]
X, Y, ONE = [[1, 0, 1]], [[1, 1, 1]], [[1]]
KINDS = {"x": False, "y": False, "n": True}


def kernel(*facts: Any, names: Any = (x, y)) -> Checker:
    k = Checker(list(names), {}, KINDS)
    for fact in facts:
        k.assume(k.formula(fact))
    return k


def minus(tree: Any) -> Any:
    return ["mul", "-1", tree]


def document(conclusion: Any, proof: Any, *, names: Any = (), domain: Any = (), **fields: Any) -> dict[str, Any]:
    """Return a document about all real x."""
    stated = {
        "quantifier": "forall",
        "variables": [["x", "real", list(domain)]],
        "hypotheses": [],
        "conclusion": conclusion,
    }
    found = {
        "format": FORMAT,
        "claim": "c",
        "statement": stated,
        "premises": {},
        "names": list(names),
        "witness": {},
        "proof": proof,
        **fields,
    }
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ rules

GT, GE, NE = ([op, x, "0"] for op in (">", ">=", "!="))
INV, LOG, EXP = ["pow", x, "-1"], ["log", x], ["exp", x]
CUBE = ["pow", x, "1/3"]


@pytest.mark.parametrize(
    ("facts", "step", "answer"),
    [
        ([], ["sign", X], [["or", GT, ["==", x, "0"], [">", minus(x), "0"]]]),
        ([NE], ["inv", X, 0], [["==", ["mul", x, INV], "1"]]),
        ([GT], ["inv", X, 0], [["==", ["mul", x, INV], "1"], [">", INV, "0"]]),
        ([GE], ["root", 3, X, 0], [["==", ["pow", CUBE, "3"], x], [">=", CUBE, "0"]]),
        ([GT], ["root", 2, X, 0], [["==", ["pow", ["pow", x, "1/2"], "2"], x], [">", ["pow", x, "1/2"], "0"]]),
        ([], ["exp", X], [[">", EXP, "0"], [">=", EXP, ["add", "1", x]]]),
        (
            [GT],
            ["log", X, 0],
            [
                [">=", ["add", x, "-1"], LOG],
                [">=", ["mul", x, LOG], ["add", x, "-1"]],
                ["==", ["exp", LOG], x],
            ],
        ),
        ([], ["log_exp", X], [["==", ["log", EXP], x]]),
        (
            [GT],
            ["pow", X, Y, 0],
            [["==", ["pow", x, y], ["exp", ["mul", y, LOG]]], [">", ["pow", x, y], "0"]],
        ),
        (
            [],
            ["max", [X, Y]],
            [
                [">=", ["max", x, y], x],
                [">=", ["max", x, y], y],
                ["or", ["==", ["max", x, y], x], ["==", ["max", x, y], y]],
            ],
        ),
        ([], ["max", [X]], [[">=", ["max", x], x], ["==", ["max", x], x]]),
        (
            [GT],
            ["gamma", X, 0],
            [[">", ["gamma", x], "0"], ["==", ["gamma", ["add", x, "1"]], ["mul", x, ["gamma", x]]]],
        ),
        ([["==", x, y]], ["equal", ["exp", ["var", "t"]], "t", x, y, 0], [["==", EXP, ["exp", y]]]),
        (
            [GT, [">", y, "0"], ["==", ["pow", x, "2"], y]],
            ["log_product", [[2, X, 0], [-1, Y, 1]], 2],
            [["==", ["mul", "2", LOG], ["log", y]]],
        ),
        ([], ["log_product", [[1, ONE, None]], None], [["==", "0", "0"]]),
    ],
)
def test_a_rule_answers_this_and_nothing_else(facts: Any, step: Any, answer: Any) -> None:
    k = kernel(*facts)
    known = len(k.facts)
    k.advance(step)
    expected = kernel()
    expected.terms = k.terms
    for formula in answer:
        expected.assume(k.formula(formula))
    assert k.facts[known:] == expected.facts


def test_a_constant_above_0_and_one_below() -> None:
    k = kernel(names=[["pi"]])
    k.advance(["number", [[1, 0, 1], [-3]], 10])
    k.advance(["number", [[1, 0, 1], [-4]], 10])
    assert k.facts == [
        k.formula([">", ["add", ["pi"], "-3"], "0"]),
        k.formula([">", ["add", "4", minus(["pi"])], "0"]),
    ]


@pytest.mark.parametrize(
    "step",
    [["inv", X, None], ["root", 2, X, None], ["log", X, None], ["pow", X, Y, None], ["gamma", X, None]],
    ids=lambda s: str(s[0]),
)
def test_a_rule_with_a_condition_asks_for_a_fact(step: Any) -> None:
    with pytest.raises(Refused, match="does not say that the argument"):
        kernel().advance(step)


def test_arithmetic_alone_is_enough_for_a_number() -> None:
    k = kernel()
    k.advance(["log", [[2]], None])
    assert k.facts[0] == k.formula([">=", "1", ["log", "2"]])
    with pytest.raises(Refused, match="does not say"):
        kernel().advance(["log", [[-2]], None])
    with pytest.raises(Refused, match="does not say"):
        kernel().advance(["log", [], None])


def test_the_fact_named_is_the_one_that_has_to_say_it() -> None:
    """Another fact that says it does not count, so that a proof reads as it is written."""
    with pytest.raises(Refused, match="does not say"):
        kernel([">", y, "0"], GT).advance(["log", X, 0])


# ------------------------------------------------------------------------------------------------ conditions


@pytest.mark.parametrize(
    ("tree", "smooth", "answer"),
    [
        (LOG, False, [GT]),
        (["gamma", x], True, [GT]),
        (["pow", x, "2"], False, []),
        (["pow", x, "2"], True, []),
        (["pow", x, "0"], True, []),
        (["pow", x, "-1"], False, [NE]),
        (["pow", x, "-1"], True, [NE]),
        (["pow", x, "1/2"], False, [GE]),
        (["pow", x, "1/2"], True, [GT]),
        (["pow", x, "-1/2"], False, [GT]),
        (["pow", x, "-3/2"], True, [GT]),
        (["pow", x, n], False, [["or", [">=", n, "0"], NE]]),
        (["pow", x, n], True, [GT]),
        (["real_pow", x, y], True, [GT]),
        (["real_pow", x, y], False, [["or", GT, ["and", GE, [">", y, "0"]]]]),
        (["real_pow", x, "2"], False, [["or", GT, ["and", GE, [">", "2", "0"]]]]),
        (["real_pow", x, "2"], True, [GT]),
        (["exp", x], True, []),
        (["given", x, GT, ["defined", LOG], GE], False, [GT, GE]),
    ],
)
def test_a_function_asks_for_this(tree: Any, smooth: bool, answer: Any) -> None:
    assert list(asks(tree, smooth=smooth)) == answer


def test_a_needless_answer_is_never_given_for_what_does_not_vary() -> None:
    assert list(conditions(["add", LOG, ["log", y]], "x")) == [GT]
    assert list(conditions(["log", y], "x")) == []
    assert list(conditions(x, "x")) == []
    assert list(conditions(["exp", LOG], "x")) == [GT]
    assert list(conditions(["real_pow", LOG, y], "x")) == [GT, [">", LOG, "0"]]
    assert list(conditions(["given", LOG, [">=", y, "0"]], "x")) == [GT, [">=", y, "0"]]
    assert list(conditions(["gamma", y], "x")) == []
    with pytest.raises(Refused, match="nothing is known of its smoothness"):
        list(conditions(["gamma", x], "x"))
    with pytest.raises(Refused, match="nothing is known of its smoothness"):
        list(conditions(["max", x, "0"], "x"))


def test_needs_come_arguments_first() -> None:
    k = kernel()
    assert list(k.needs(["log", INV])) == [k.formula(NE), k.formula([">", INV, "0"])]
    assert list(k.needs(["and", [">=", LOG, "0"], GT])) == [k.formula(GT)]
    assert list(k.needs(x)) == list(k.needs("1/2")) == list(k.needs(["var", "pow"])) == []


@pytest.mark.parametrize(
    ("tree", "answer"),
    [
        ("3", "0"),
        (y, "0"),
        (["log", y], "0"),
        (x, "1"),
        (["add", x, y], ["add", "1", "0"]),
        (["mul", x, y, x], ["add", ["mul", "1", y, x], ["mul", x, y, "1"]]),
        (["mul", y, x], ["add", ["mul", y, "1"]]),
        (["pow", x, "3"], ["mul", "3", ["pow", x, "2"], "1"]),
        (["pow", x, "1/2"], ["mul", "1/2", ["pow", x, "-1/2"], "1"]),
        (EXP, ["mul", EXP, "1"]),
        (LOG, ["mul", INV, "1"]),
        (["erf", x], ["mul", ["mul", "2", ["pow", ["pi"], "-1/2"], ["exp", minus(["pow", x, "2"])]], "1"]),
        (["given", x, GT], "1"),
        (
            ["real_pow", x, y],
            ["mul", ["real_pow", x, y], ["add", ["mul", "0", LOG], ["mul", y, "1", INV]]],
        ),
    ],
)
def test_a_slope_is_this(tree: Any, answer: Any) -> None:
    assert derivative(tree, "x") == answer


def test_what_has_no_slope_is_refused() -> None:
    for tree in (["gamma", x], ["max", x, y], ["and", x, x]):
        with pytest.raises(Refused, match="has no derivative"):
            derivative(tree, "x")


def test_a_variable_is_found_where_it_stands_and_nowhere_else() -> None:
    assert free(["add", "1", ["log", x]], "x")
    assert not free(["add", "x", ["log", y]], "x")
    assert not free("x", "x")
    # The name of a function is no variable.
    assert not free(["log", y], "log")
    assert not free(["var", "y"], "var")


def test_an_unknown_variable_is_no_integer() -> None:
    assert not whole(["var", "z"], KINDS)
    assert not whole(["add", n, ["var", "z"]], {})
    assert whole(["add"], {})


def test_statements_are_resolved_to_this() -> None:
    assert resolved(["e"], {}) == ["exp", "1"]
    assert resolved(["abs", x], KINDS) == ["max", x, minus(x)]
    assert resolved(["min", x, y], KINDS) == minus(["max", minus(x), minus(y)])
    assert resolved(["pow", x, y], KINDS) == ["real_pow", x, y]
    assert resolved(["pow", x, n], KINDS) == ["pow", x, n]
    assert resolved(["pow", x, ["add", n, "1"]], KINDS) == ["pow", x, ["add", n, "1"]]
    assert resolved(["pow", x, ["add", n, "1/2"]], KINDS) == ["real_pow", x, ["add", n, "1/2"]]
    assert resolved(["pow", x, "1/2"], KINDS) == ["pow", x, "1/2"]
    assert resolved(["exp", ["abs", x]], KINDS) == ["exp", ["max", x, minus(x)]]
    assert resolved(["at", ["log", ["var", "t"]], "t", ["abs", x]], KINDS) == ["log", ["max", x, minus(x)]]
    # The variable that is bound is real, whatever its name means outside.
    assert resolved(["at", ["pow", x, n], "n", x], KINDS) == ["real_pow", x, x]
    assert resolved(["derivative", LOG, "x", "1"], KINDS) == ["given", ["mul", INV, "1"], GT, ["defined", LOG]]
    twice = derivative(derivative(["pow", x, "2"], "x"), "x")
    assert resolved(["derivative", ["pow", x, "2"], "x", "2"], KINDS) == ["given", twice, ["defined", ["pow", x, "2"]]]


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (["at", y, "t", x], "does not depend on it"),
        (["derivative", x, "x", "0"], "order '0'"),
        (["derivative", x, "x", "9"], "order '9'"),
        (["derivative", x, "x", "-1"], "order '-1'"),
        (["derivative", x, "x", 1], "order 1"),
        (["given", x, GT], "stands in no statement"),
        (["real_pow", x, y], "stands in no statement"),
        (["exp", ["var", "z"]], "no variable of the statement"),
    ],
)
def test_a_tree_of_another_form_is_refused_with_the_reason(tree: Any, text: str) -> None:
    with pytest.raises(Refused, match=text):
        resolved(tree, KINDS)


def test_slopes_go_up_to_the_order_8() -> None:
    assert resolved(["derivative", EXP, "x", "8"], KINDS)[0] == "given"


def test_no_slope_stands_below_a_hypothesis() -> None:
    for tree in (["exp", ["derivative", x, "x", "1"]], ["at", ["derivative", x, "x", "1"], "x", y]):
        with pytest.raises(Refused, match="hypothesis holds a derivative"):
            resolved(tree, KINDS, slopes=False)
    with pytest.raises(Refused, match="hypothesis holds a derivative"):
        resolved(["at", x, "x", ["derivative", x, "x", "1"]], KINDS, slopes=False)


# ------------------------------------------------------------------------------------------------ formulas


def test_formulas_are_read_to_this() -> None:
    k = kernel()
    p, q = k.terms.poly(x), k.terms.poly(y)
    gap = k.terms.add(p, q, -1)
    turned = k.terms.add(q, p, -1)
    assert k.formula([">=", x, y]) == ("rel", gap, ">=")
    assert k.formula(["<", x, y]) == ("rel", turned, ">")
    assert k.formula(["<=", x, y]) == ("rel", turned, ">=")
    assert k.formula(["!=", x, y]) == ("rel", gap, "!=")
    assert k.formula(["and", GT, GE]) == ("and", (("rel", p, ">"), ("rel", p, ">=")))
    assert k.formula(["or", GT]) == k.formula(["and", GT]) == ("rel", p, ">")
    assert k.formula(["implies", GT, GE]) == ("or", (("rel", k.terms.add({}, p, -1), ">="), ("rel", p, ">=")))
    assert k.formula(["iff", GT, NE]) == (
        "and",
        (
            ("or", (("rel", k.terms.add({}, p, -1), ">="), ("rel", p, "!="))),
            ("or", (("rel", p, ">"), ("rel", p, "=="))),
        ),
    )


@pytest.mark.parametrize(
    "tree",
    [
        "x",
        [],
        None,
        ["and"],
        ["or"],
        ["implies", GT],
        ["implies", GT, GT, GT],
        ["iff", GT],
        [">=", x],
        [">=", x, x, x],
        ["<", x],
        ["==", x, x, x],
        ["not", GT],
        x,
        [[">=", x, x]],
    ],
)
def test_what_is_no_formula_is_refused_with_the_reason(tree: Any) -> None:
    with pytest.raises(Refused, match="expected a formula"):
        kernel().formula(tree)


def test_the_negation_holds_exactly_elsewhere() -> None:
    k = kernel()
    pairs = [
        (GT, ["<=", x, "0"]),
        (GE, ["<", x, "0"]),
        (NE, ["==", x, "0"]),
        (["and", GT, NE], ["or", ["<=", x, "0"], ["==", x, "0"]]),
    ]
    for one, other in pairs:
        assert k.negate(k.formula(one)) == k.formula(other)
        assert k.negate(k.formula(other)) == k.formula(one)


def test_what_is_evident() -> None:
    k = kernel(GT)
    for good in (
        GT,
        GE,
        NE,
        [">=", "0", "0"],
        [">", "1/2", "0"],
        ["or", ["<", "1", "0"], GT],
        ["and", GE, NE],
        [">", ["mul", "2", x], "0"],
        ["==", x, x],
        ["or", ["and", GE, NE], GT],
    ):
        assert k.evident(k.formula(good)), good
    for bad in (
        ["==", x, "0"],
        [">", "0", "0"],
        ["!=", "0", "0"],
        ["or", ["<", "1", "0"], ["<", x, "0"]],
        ["and", GE, ["<", x, "0"]],
        [">", y, "0"],
        [">", ["add", x, "1"], "0"],
        [">", minus(x), "0"],
    ):
        assert not k.evident(k.formula(bad)), bad
    # Nothing has to be proved of no parts, and one of no parts never holds.
    assert k.evident(("and", ()))
    assert not k.evident(FALSE)


def test_implication_is_up_to_a_factor_and_no_more() -> None:
    t = Terms("xy")
    p, q = t.poly(["add", x, "2"]), t.poly(["add", ["mul", "3", x], "6"])
    down, other = t.add({}, q, -1), t.poly(["add", ["mul", "3", x], "5"])
    signs = {">": {">", ">=", "!="}, ">=": {">="}, "==": {"==", ">="}, "!=": {"!="}}
    turned: dict[str, set[str]] = {">": {"!="}, ">=": set(), "==": {"==", ">="}, "!=": {"!="}}
    for fact, allowed in signs.items():
        assert {op for op in signs if implies(Rel(p, fact), Rel(q, op))} == allowed
        assert {op for op in signs if implies(Rel(p, fact), Rel(down, op))} == turned[fact]
        assert not any(implies(Rel(p, fact), Rel(other, op)) for op in signs)
        assert implies(Rel(p, fact), Or([Rel(other, ">"), Rel(q, fact)]))
    assert not implies(Or([Rel(p, ">"), Rel(p, "==")]), Rel(p, ">="))
    assert not implies(Rel(p, ">"), And([Rel(p, ">"), Rel(p, ">=")]))
    assert not implies(Rel({}, "=="), Rel({}, ">"))
    assert implies(FALSE, FALSE)


def test_absurd_is_what_no_numbers_satisfy() -> None:
    t = Terms("x")
    for op, good in ((">", True), (">=", False), ("!=", True), ("==", False)):
        assert absurd(Rel({}, op)) is good
    for value, op, good in ((1, "==", True), (-1, ">=", True), (1, ">", False), (1, "!=", False)):
        assert absurd(Rel({(): value}, op)) is good
    assert not absurd(Rel(t.poly(x), ">"))
    assert not absurd(("and", ()))


# ------------------------------------------------------------------------------------------------ polynomials


def test_products_and_powers_are_written_once() -> None:
    t = Terms("xy")
    assert t.poly(["add", x, minus(x)]) == {}
    assert t.poly(["mul", x, "0"]) == {}
    assert t.poly("0") == {}
    assert t.poly(["pow", x, "0"]) == {(): 1}
    assert t.poly(["mul", ["add", x, y], ["add", x, minus(y)]]) == t.poly(
        ["add", ["pow", x, "2"], minus(["pow", y, "2"])]
    )
    assert t.poly(["pow", ["mul", x, y], "-2"]) == t.poly(["mul", ["pow", x, "-2"], ["pow", y, "-1"], ["pow", y, "-1"]])
    assert t.poly(["pow", ["mul", "2", x], "-1"]) == t.poly(["mul", "1/2", INV])
    assert t.poly(["pow", "0", "-1"]) == {}
    assert t.poly(["pow", ["pow", x, "-1"], "-1"]) == t.poly(x)
    assert t.poly(["pow", ["exp", x], "-1"]) == t.poly(["exp", minus(x)])
    assert t.poly(["exp", ["add", x, "1"]]) == t.poly(["mul", ["exp", x], ["exp", "1"]])
    assert t.poly(["exp", ["mul", "3/2", x]]) == t.poly(["pow", ["exp", ["mul", "1/2", x]], "3"])
    assert t.poly(["exp", "0"]) == {(): 1}
    assert t.poly(["log", "1"]) == {}
    assert t.poly(["log", "2"]) != {}
    assert t.poly(["max", x, y]) == t.poly(["max", y, x])
    assert t.poly(["max", x, y]) != t.poly(["max", x, x])
    assert t.poly(["pow", x, "2/3"]) == t.poly(["pow", ["pow", x, "1/3"], "2"])
    assert t.poly(["pow", x, "-1/2"]) == t.inverse(t.poly(["pow", x, "1/2"]))
    assert t.poly(["given", x, GT]) == t.poly(x)
    assert t.poly(["pow", ["add", ["mul", "2", x], "4"], "-1"]) == t.poly(
        ["mul", "1/2", ["pow", ["add", x, "2"], "-1"]]
    )
    assert t.poly(["pow", ["add", ["mul", x, x], ["mul", x, y]], "-1"]) == t.poly(
        ["mul", INV, ["pow", ["add", x, y], "-1"]]
    )


def test_a_reciprocal_takes_out_what_all_terms_share() -> None:
    t = Terms("xy")
    for shared in (["mul", x, EXP], ["mul", ["pow", x, "2"], ["exp", minus(x)]], ["pow", y, "-1"]):
        whole_ = t.poly(["mul", shared, ["add", x, y]])
        assert t.inverse(whole_) == t.multiply(t.inverse(t.poly(shared)), t.inverse(t.poly(["add", x, y])))


def test_a_monomial_is_divided_by_what_it_contains() -> None:
    t = Terms("xy")
    one, two, three, both = (next(iter(t.poly(tree))) for tree in (x, ["mul", x, x], ["pow", x, "3"], ["mul", x, y]))
    assert t.without(three, one) == two
    assert t.without(both, one) == next(iter(t.poly(y)))
    assert t.without(three, three) == ()
    assert t.without(two, three) is None
    assert t.without(three, both) is None


@pytest.mark.parametrize(
    "tree",
    [
        [],
        None,
        1,
        [1, 2],
        [[x]],
        ["var"],
        ["var", "z"],
        ["var", "x", "y"],
        ["add"],
        ["mul"],
        ["max"],
        ["exp"],
        ["log", x, x],
        ["given"],
        ["pow", x],
        ["pow", x, "1", "2"],
        ["min", x, y],
        ["sin", x],
        ["derivative", x, "x", "1"],
    ],
)
def test_what_is_no_tree_is_refused(tree: Any) -> None:
    with pytest.raises(Refused, match=r"expected a tree|no function of the kernel|is no variable here"):
        Terms("xy").poly(tree)


@pytest.mark.parametrize(
    ("text", "value"), [("007", 7), ("-3/6", Fraction(-1, 2)), (5, 5), ("4/2", 2), ("1/010", Fraction(1, 10))]
)
def test_a_literal_is_this_rational(text: Any, value: Any) -> None:
    found = literal(text)
    assert found == value
    assert type(found) is (int if Fraction(value).denominator == 1 else Fraction)


# ------------------------------------------------------------------------------------------------ limits


def test_literals_are_as_long_as_this() -> None:
    assert literal("1" + "0" * (2 * ground.MOST_DIGITS - 1)) == 10 ** (2 * ground.MOST_DIGITS - 1)
    with pytest.raises(Refused, match="expected a rational"):
        literal("1" * (2 * ground.MOST_DIGITS + 1))


def test_coefficients_are_as_long_as_this() -> None:
    assert ground.number(2**ground.MOST_BITS - 1) == 2**ground.MOST_BITS - 1
    assert ground.number(Fraction(1, 2**ground.MOST_BITS - 1)) == Fraction(1, 2**ground.MOST_BITS - 1)
    for long in (2**ground.MOST_BITS, Fraction(1, 2**ground.MOST_BITS), Fraction(2**ground.MOST_BITS, 3)):
        with pytest.raises(Refused, match=f"too long: more than {ground.MOST_BITS} bits"):
            ground.number(long)


def test_powers_go_as_far_as_this() -> None:
    t = Terms("x")
    assert t.poly(["pow", x, "200"]) == t.power(t.poly(x), 200)
    assert len(t.poly(["pow", x, "-200"])) == len(t.poly(["pow", x, "1/200"])) == 1
    assert len(t.poly(["pow", x, "199/200"])) == 1
    for exponent in ("201", "-201", "1/201", "201/2", "-1/201"):
        with pytest.raises(Refused, match="at most 200 above and below"):
            t.poly(["pow", x, exponent])
    for power in (-1, 201):
        with pytest.raises(Refused, match="allowed are 0 to 200"):
            t.power(t.poly(x), power)


def test_work_goes_as_far_as_this() -> None:
    t = Terms("x")
    t.spend(ground.MOST_WORK)
    with pytest.raises(Refused, match="steps of work"):
        t.spend(1)
    assert ground.MOST_WORK == 1_000_000


def test_all_arithmetic_is_counted() -> None:
    t = Terms([f"x{i}" for i in range(64)])
    many = t.poly(["add", *(["var", f"x{i}"] for i in range(64))])

    def spent(*call: Any) -> int:
        before = t._spent
        call[0](*call[1:])
        return t._spent - before

    assert spent(t.add, many, many) == 1 + 64 // 32 + 64 // 8
    assert spent(t.add, {}, {}) == 1
    assert spent(t.multiply, many, many) == 64 * 64
    assert spent(t.poly, ["var", "x1"]) == 1
    assert spent(t.poly, "1/2") == 0


def test_trees_are_as_large_as_this() -> None:
    fits = ["add", *(["1"] * (calculus.LARGEST_TREE - 1))]
    assert small(fits) is fits
    with pytest.raises(Refused, match=f"more than {calculus.LARGEST_TREE} nodes"):
        small([*fits, "1"])
    # The name of a function is no node of its own.
    assert small([["add", "1"]]) == [["add", "1"]]


def test_products_have_slopes_up_to_this_size() -> None:
    root = int(calculus.LARGEST_TREE**0.5)
    assert len(derivative(["mul", *[x] * root], "x")) == root + 1
    with pytest.raises(Refused, match=f"product of {root + 1} factors is too large"):
        derivative(["mul", *[x] * (root + 1)], "x")
    # Factors that do not vary have no part of the sum.
    assert len(derivative(["mul", x, *["2"] * 20_000], "x")) == 2


def test_proofs_have_so_many_steps_and_no_more() -> None:
    true = [">=", ["pow", x, "2"], "0"]
    filler, end = ["sum", [], []], [["sum", [[1, [], [X]]], []], ["end", checking.MOST_STEPS - 2]]
    assert check(document(true, [filler] * (checking.MOST_STEPS - 2) + end, names=[x])) == ()
    end[1] = ["end", checking.MOST_STEPS - 1]
    with pytest.raises(Refused, match=f"more than {checking.MOST_STEPS} steps"):
        check(document(true, [filler] * (checking.MOST_STEPS - 1) + end, names=[x]))


@pytest.mark.parametrize("step", ["cases", "each", "have", "use", "mean"])
def test_every_step_with_a_proof_in_it_goes_one_level_down(step: str) -> None:
    """At the deepest level but one a step with a proof in it is done, at the deepest none."""
    premise = {"quantifier": "forall", "variables": [], "hypotheses": [[">=", "1", "0"]], "conclusion": GT}
    k = Checker([x], {"p": premise}, KINDS)
    k.assume(k.formula(["or", GE, GT]))
    k.assume(k.formula(GE))
    good, goal = [["end", 1]], k.formula(GE)
    proofs: dict[str, tuple[Any, list[Any]]] = {
        "cases": (goal, [["cases", 0, [good, good]]]),
        "each": (And([goal, k.formula(["or", GT, GE])]), [["each", [good, good]]]),
        "have": (goal, [["have", [">=", X], good], ["end", 2]]),
        "use": (goal, [["use", "p", {}, [["each", []]]], ["end", 1]]),
        "mean": (goal, [["mean", x, "x", "0", "1", None, [["each", []]]], ["end", 1]]),
    }
    target, proof = proofs[step]
    k.prove(target, proof, checking.DEEPEST - 1)
    with pytest.raises(Refused, match=f"nested more than {checking.DEEPEST}"):
        k.prove(target, proof, checking.DEEPEST)


# ------------------------------------------------------------------------------------------------ enclosures


@pytest.mark.parametrize(
    ("tree", "bits", "low", "high"),
    [
        ("1/3", 1, 0, 1),
        ("1/3", 10, 341, 342),
        ("-1/3", 10, -342, -341),
        ("5", 3, 40, 40),
        (["pi"], 10, 3216, 3218),
        (["pow", "16", "1/2"], 4, 64, 65),
        (["pow", "2", "1/2"], 20, 1482910, 1482911),
        (["mul", "-1", ["pow", "2", "1/2"]], 20, -1482911, -1482910),
        (["pow", "2", "2/3"], 20, 1664507, 1664515),
        (["pow", ["pi"], "-1"], 20, 333771, 333774),
        (["mul", "2", ["pow", ["add", ["pi"], "-4"], "-1"]], 20, -2443084, -2443066),
    ],
)
def test_an_enclosure_is_as_narrow_as_its_units(tree: Any, bits: int, low: int, high: int) -> None:
    terms = Terms("")
    found = enclose(terms, terms.poly(tree), bits)
    assert low <= found[0] <= found[1] <= high


@pytest.mark.parametrize("bits", [30, 100, 400])
def test_logarithms_and_exponentials_are_narrow(bits: int) -> None:
    for value in (Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(40)):
        scaled = int(value * 2**bits)
        low, high = enclosures._log(scaled, bits)
        assert 0 <= high - low <= 60 * bits
        low, high = enclosures._exp(scaled, bits)
        assert 0 <= high - low <= 3 ** (int(2 * value) + 2).bit_length() * 60 * bits * (low >> bits) + 60 * bits * 4**8


def test_exponents_of_constants_go_as_far_as_this() -> None:
    terms = Terms("")
    half = terms.poly(["exp", "1/1000"])
    ((monomial, _),) = half.items()
    assert enclose(terms, {((monomial[0][0], enclosures.LARGEST),): 1}, 60)
    for exponent in (enclosures.LARGEST + 1, -enclosures.LARGEST - 1):
        with pytest.raises(Refused, match="allowed are exponents to 1000"):
            enclose(terms, {((monomial[0][0], exponent),): 1}, 60)


def test_exponentials_are_of_arguments_up_to_this() -> None:
    assert enclosures._exp(1000 << 8, 8)[0] > 0
    assert enclosures._exp(-1000 << 8, 8)[0] <= 0 < enclosures._exp(-1000 << 8, 8)[1]
    for value in ((1000 << 8) + 1, (-1000 << 8) - 1):
        with pytest.raises(Refused, match="allowed are arguments up to 1000"):
            enclosures._exp(value, 8)


@pytest.mark.parametrize("bits", [1, enclosures.MOST_BITS])
def test_bits_go_from_1_to_512(bits: int) -> None:
    terms = Terms("")
    assert enclose(terms, terms.poly("1/2"), bits) == (1 << bits - 1, 1 << bits - 1)


def test_a_reciprocal_is_of_what_is_certainly_not_0() -> None:
    assert enclosures._reciprocal((2, 4), 3) == (16, 32)
    assert enclosures._reciprocal((-4, -2), 3) == (-32, -16)
    assert enclosures._reciprocal((3, 5), 3) == (12, 22)
    for value in ((0, 1), (-1, 0), (-1, 1), (0, 0)):
        with pytest.raises(Refused, match="may be 0"):
            enclosures._reciprocal(value, 3)


def test_products_of_intervals_are_rounded_outward() -> None:
    assert enclosures._times((3, 5), (3, 5), 1) == (4, 13)
    assert enclosures._times((-5, 3), (-3, 7), 1) == (-18, 11)
    assert enclosures._times((-5, -3), (3, 5), 2) == (-7, -2)


@pytest.mark.parametrize("tree", [["erf", "1"], x, ["gamma", "2"], ["max", "1", "2"], ["pow", x, y]])
def test_what_has_no_enclosure_is_named(tree: Any) -> None:
    terms = Terms("xy")
    with pytest.raises(Refused, match="has no enclosure in the kernel"):
        enclose(terms, terms.poly(tree), 20)


@pytest.mark.parametrize("tree", [["log", "-1"], ["log", "0"], ["pow", "-1", "1/2"], ["pow", "0", "1/2"]])
def test_a_root_or_logarithm_is_of_what_is_certainly_positive(tree: Any) -> None:
    terms = Terms("")
    with pytest.raises(Refused, match="may be too small"):
        enclose(terms, terms.poly(tree), 20)


def test_a_series_pays_three_units_for_each_power_and_six_for_its_tail() -> None:
    """No input may come near the worst case of this bound, which is proved in its docstring: so it is held exactly."""
    # Of 0 one power is kept, the constant one; of 1/2 the powers 16, 8, 4 and 2.
    assert enclosures._series(Fraction(0), 10, lambda n: Fraction(1)) == (1024 - 9, 1024 + 9)
    assert enclosures._series(Fraction(1, 2), 4, lambda n: Fraction(1)) == (30 - 18, 30 + 18)
