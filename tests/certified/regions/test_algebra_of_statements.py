"""The exact part of a replay: boxes that cover a statement, charts that lead back, targets that stand for a gap."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from rgm_verify.balls.certificate import Certificate, Subject
from rgm_verify.balls.replay import unproved_before_the_leaves

F = Fraction
T, X, Y = ["var", "t"], ["var", "x"], ["var", "y"]
Ends = list[tuple[str, Fraction]]


def domain(name: str, ends: Ends) -> list[Any]:
    return [name, "real", [[op, ["var", name], str(end)] for op, end in ends]]


def reason(
    conclusion: Any, domains: dict[str, Ends], box: dict[str, tuple[Any, Any]], *, given: Any = (), chart: Any = None
) -> str:
    """What is left to be shown before any leaf counts, "" for nothing."""
    variables = [domain(name, ends) for name, ends in domains.items()]
    statement = {"quantifier": "forall", "variables": variables, "hypotheses": list(given), "conclusion": conclusion}
    exact = {name: (F(low), F(high)) for name, (low, high) in box.items()}
    return unproved_before_the_leaves(Subject("t:claim", statement, chart or {}).to_json(), exact)


def chart(maps: Any, inverse: Any, target: Any = None, factor: Any = None) -> Any:
    return {"variables": maps, "inverse": inverse, "target": target, "factor": factor}


def power(base: Any, n: int | str) -> Any:
    return ["pow", base, str(n)]


#: x is its own coordinate; what is certified is the target.
def same(target: Any, factor: Any = None) -> Any:
    return chart({"x": X}, {"x": X}, target, factor)


numbers = st.fractions(min_value=-3, max_value=3, max_denominator=6)
TRUE = [">=", "1", "0"]

# ------------------------------------------------------------------------------------------------ the box


@given(numbers, numbers, numbers, numbers)
def test_a_box_covers_a_variable_where_it_holds_both_its_ends(
    a: Fraction, b: Fraction, c: Fraction, d: Fraction
) -> None:
    (low, high), (first, last) = sorted((a, b)), sorted((c, d))
    found = reason(TRUE, {"x": [(">=", low), ("<=", high)]}, {"x": (first, last)})
    assert (found == "") is (first <= low and high <= last)


@given(numbers, numbers, numbers)
def test_ends_may_come_from_hypotheses(low: Fraction, high: Fraction, box: Fraction) -> None:
    assume(low < high)
    given = (["<=", ["mul", "2", X], str(2 * high)], [">", ["add", X, "1"], str(low + 1)])
    assert (reason(TRUE, {"x": []}, {"x": (low, box)}, given=given) == "") is (box >= high) or box < low


def test_a_hypothesis_about_constants_alone_bounds_no_variable() -> None:
    given = ([">=", ["pi"], "3"], ["<=", ["mul", "2", ["pi"]], "7"])
    assert reason(TRUE, {"x": [(">=", F(0)), ("<=", F(1))]}, {"x": (0, 1)}, given=given) == ""
    assert "x was not shown" in reason(TRUE, {"x": [(">=", F(0))]}, {"x": (0, 3)}, given=given)


@pytest.mark.parametrize("ends", [[], [(">=", F(0))], [("<=", F(1))]])
def test_no_box_covers_a_variable_without_ends(ends: Ends) -> None:
    assert "x was not shown to stay in its range" in reason(TRUE, {"x": ends}, {"x": (0, 1)})


TO_1 = ["mul", X, power(["add", "1", X], -1)]
BACK = ["mul", T, power(["add", "1", ["mul", "-1", T]], -1)]


@pytest.mark.parametrize(
    ("low", "high", "covers"), [(0, 1, True), (-1, 2, True), (F(1, 9), 1, False), (0, F(8, 9), False)]
)
def test_a_chart_maps_a_domain_without_end_into_a_box(low: Any, high: Any, covers: bool) -> None:
    found = reason(TRUE, {"x": [(">=", F(0))]}, {"t": (low, high)}, chart=chart({"x": BACK}, {"t": TO_1}))
    assert (found == "") is covers
    assert covers or "t = x/(1 + x) was not shown to stay in its range" in found


@pytest.mark.parametrize("other", [T, power(T, 2), ["mul", "2", BACK], ["add", BACK, "1/1000000000000"]])
def test_maps_have_to_lead_back(other: Any) -> None:
    found = reason(TRUE, {"x": [(">=", F(0))]}, {"t": (0, 1)}, chart=chart({"x": other}, {"t": TO_1}))
    assert found.startswith("the chart's maps do not invert its inverse at x")


@pytest.mark.parametrize("ends", [[], [(">=", F(-1))], [(">=", F(-2))]])
def test_an_inverse_needs_a_value_at_every_point(ends: Ends) -> None:
    found = reason(TRUE, {"x": ends}, {"t": (-9, 9)}, chart=chart({"x": BACK}, {"t": TO_1}))
    assert found == "a term was not shown to be defined: 1/(1 + x)"


exponents = st.integers(0, 3)
polynomials = st.lists(st.tuples(numbers, exponents, exponents), min_size=1, max_size=4)
ranges = st.sampled_from([
    [], [(">=", F(-1, 2))], [(">", F(1))], [("<=", F(2))], [(">=", F(-1)), ("<", F(2))], [(">", F(0)), ("<=", F(3))],
])  # fmt: skip
steps = st.fractions(min_value=0, max_value=4, max_denominator=4)


def inside(ends: Ends, step: Fraction) -> Fraction:
    """A point of a range, growing with the step."""
    known = {op[0]: end for op, end in ends}
    if len(known) == 2:
        return known[">"] + (known["<"] - known[">"]) * (step + F(1, 8)) / 5
    return known[">"] + step + F(1, 8) if ">" in known else known["<"] - step if "<" in known else step - 2


@settings(max_examples=100)
@given(
    polynomials, ranges, ranges, st.lists(st.tuples(steps, steps), min_size=1, max_size=6), st.integers(-20, 1).map(F)
)
def test_what_is_shown_to_stay_in_a_range_does(
    terms: Any, first: Ends, second: Ends, places: Any, low: Fraction
) -> None:
    """The sign of a polynomial on a domain: whatever is shown holds at its points. The other end is a hypothesis."""
    tree = ["add", *(["mul", str(c), power(X, a), power(Y, b)] for c, a, b in terms)]
    inverse = chart({"x": "0", "y": "0"}, {"t": tree})
    found = reason(
        TRUE, {"x": first, "y": second}, {"t": (low, 10**9)}, given=(["<=", tree, "1000000000"],), chart=inverse
    )
    event(f"shown: {'stay in its range' not in found}")
    for one, other in places if "stay in its range" not in found else ():
        x, y = inside(first, one), inside(second, other)
        assert low <= sum(c * x**a * y**b for c, a, b in terms)


def test_what_holds_on_a_domain_is_shown_where_coefficients_tell() -> None:
    for ends, terms, low in (
        ([(">=", F(1))], {1: 1, 0: 2}, 3), ([("<=", F(-1))], {3: -1}, 1), ([], {2: 1, 4: 3}, 0),
        ([(">=", F(-1)), ("<=", F(2))], {2: -1}, -4), ([(">=", F(0)), ("<=", F(1))], {1: 1, 2: -1}, 0),
    ):  # fmt: skip
        for end, shown in ((low, True), (low + F(1, 10**9), False)):
            tree = ["add", *(["mul", str(c), power(X, n)] for n, c in terms.items())]
            given = (["<=", tree, "1000000000"],)
            found = reason(TRUE, {"x": ends}, {"t": (end, 10**9)}, given=given, chart=chart({"x": "0"}, {"t": tree}))
            assert ("stay in its range" not in found) is shown


# ------------------------------------------------------------------------------------------------ targets

UNIT = {"x": [(">=", F(0)), ("<=", F(1))]}
BOX = {"x": (0, 1)}


def stands(conclusion: Any, target: Any, factor: Any = None, **rest: Any) -> str:
    return reason(conclusion, UNIT, BOX, chart=same(target, factor), **rest)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("m", [0, 1, 3])
def test_a_remainder_stands_for_the_logarithm(n: int, m: int) -> None:
    """log(1 + x) is its Taylor polynomial and x^n times the remainder, whatever other remainders stand beside it."""
    taylor = [["mul", str(F((-1) ** (k - 1), k)), power(X, k)] for k in range(1, n)]
    other = ["mul", str(m), ["logrem", str(n + m or 1), "1", X]]
    target = ["add", *taylor, ["mul", str((-1) ** (n - 1)), power(X, n), ["logrem", str(n), "1", X]], other, "0"]
    gap = ["add", ["log", ["add", "1", X]], other]
    assert stands([">=", gap, "0"], target) == ""
    off = ["add", target, ["mul", "1/1000000000000", power(X, 9)]]
    assert stands([">=", gap, "0"], off) == "the gap of the conclusion was not shown to equal factor * target"


@pytest.mark.parametrize(
    ("conclusion", "target", "factor", "shown"),
    [
        ([">=", power(X, 3), power(X, 2)], ["add", X, "-1"], power(X, 2), True),
        ([">", power(X, 3), power(X, 2)], ["add", X, "-1"], power(X, 2), False),  # the factor may be 0
        ([">=", power(X, 2), power(X, 3)], ["add", X, "-1"], ["mul", "-1", power(X, 2)], False),
        ([">=", ["exp", X], "1"], ["add", ["exp", X], "-1"], None, True),
        ([">=", ["exp", X], "1"], ["add", ["exp", ["mul", "2", X, "1/2"]], "-1"], None, True),
        ([">=", ["exp", X], "1"], ["add", ["exp", power(X, 2)], "-1"], None, False),
        ([">=", ["max", X, "1", "2"], "1"], ["add", ["max", X, "1"], "-1"], None, False),
        ([">=", power(X, "1/3"), "0"], power(X, "1/3"), None, True),
        ([">=", power(X, "1/3"), "0"], power(X, "1/5"), None, False),
        ([">=", ["pi"], ["mul", "3", X]], ["add", ["pi"], ["mul", "-3", X]], None, True),
    ],
)  # fmt: skip
def test_a_target_is_the_gap_by_a_factor_that_is_not_negative(
    conclusion: Any, target: Any, factor: Any, shown: bool
) -> None:
    assert (stands(conclusion, target, factor) == "") is shown


@pytest.mark.parametrize("hidden", [["log", ["add", X, "-2"]], ["gamma", X], power(["add", X, "-1/2"], "1/2")])
def test_what_cancels_in_the_gap_has_to_have_a_value(hidden: Any) -> None:
    """The target does not evaluate it, and SymPy would not show it."""
    assert "was not shown to be defined" in stands([">=", ["add", X, hidden], hidden], X)
    assert "was not shown to be defined: 1/(x)" in stands([">=", ["add", X, power(X, -1)], power(X, -1)], X)


def test_a_factor_is_a_rational_function() -> None:
    found = stands([">=", ["mul", X, ["exp", X]], "0"], X, ["exp", X])
    assert found.startswith("a term was not shown to be defined, as no leaf evaluates it: exp(x)")


def test_a_factor_of_a_strict_inequality_is_positive_where_its_zeros_are_excluded() -> None:
    """x^2 > 0 where x is not 0."""
    conclusion, by_square = [">", power(X, 2), "0"], same("1", power(X, 2))
    for ends, box, shown in (
        ([(">=", F(0)), ("<=", F(1))], (0, 1), False), ([(">", F(0)), ("<=", F(1))], (0, 1), True),
        ([(">=", F(-1)), ("<", F(0))], (-1, 0), True), ([(">=", F(-1)), ("<=", F(1))], (-1, 1), False),
    ):  # fmt: skip
        found = reason(conclusion, {"x": ends}, {"x": box}, chart=by_square)
        assert ("was not shown to be positive" not in found) is shown


@pytest.mark.parametrize("apart", [True, False])
def test_a_hypothesis_may_exclude_the_zeros_of_a_factor(apart: bool) -> None:
    """x^2 y^2 > 0 for x >= 1, with the coordinates 1/x and x y, of which y has no ends of its own."""
    product = ["mul", X, Y]
    given = [[">=", product, "-1"], ["<=", product, "1"], *([["!=", Y, "0"]] if apart else [])]
    maps, inverse = {"x": power(["var", "s"], -1), "y": ["mul", ["var", "s"], T]}, {"s": power(X, -1), "t": product}
    box = {"s": (0, 1), "t": (-1, 1)}
    about = chart(maps, inverse, "1", power(T, 2))
    found = reason([">", power(product, 2), "0"], {"x": [(">=", F(1))], "y": []}, box, given=given, chart=about)
    assert (found == "") is apart


# ------------------------------------------------------------------------------------------------ work


def nested(levels: int) -> Any:
    tree: Any = ["add", X, "1"]
    for _ in range(levels):
        tree = power(tree, 100)
    return tree


LARGE = {
    "powers of powers": nested(4),
    "a power": power(["add", "1", X], 10**6),
    "a dense power": power(["add", "1", X, power(X, 7), power(X, 31), power(X, 101)], 150),
    "long numbers": power(["add", X, "9" * 4000], 200),
    "a root of many": ["add", *(power(["add", X, str(k)], "1/2") for k in range(50))],
}


@pytest.mark.parametrize("kind", LARGE)
def test_work_is_refused_before_it_is_done(kind: str) -> None:
    started = time.process_time()
    assert stands([">=", LARGE[kind], "0"], LARGE[kind])
    assert time.process_time() - started < 20


def test_a_hypothesis_that_is_too_large_is_left_alone() -> None:
    given = [[">=", LARGE["a dense power"], "0"], ["<=", X, "1"], [">=", X, "0"]]
    assert reason([">=", X, "0"], {"x": []}, BOX, given=given) == ""
    assert reason([">=", X, "0"], {"x": []}, BOX, given=given[:2]) != ""


def test_the_subject_of_a_certificate_is_what_the_algebra_reads() -> None:
    subject = Subject("t:claim", {"quantifier": "forall"}, {}, (0, 1))
    made = Certificate(("x",), ((F(0), F(1)),), 64, "D", subject).to_json()
    assert {key: made[key] for key in subject.to_json()} == subject.to_json()
