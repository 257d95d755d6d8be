"""A page makes the claim that one would write out, and says what is wrong with what it is given."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

from rgm_verify.claims import (
    Chart,
    Claim,
    ClaimError,
    Hypothesis,
    Mutant,
    Notation,
    Page,
    Step,
    Variable,
    both,
    changed,
    ge,
    gt,
    instead,
    le,
    left,
    lt,
    named,
    positive,
    real,
    right,
    turned,
    without,
)
from rgm_verify.lenses import Identity, Smt

shared = Notation()
a = shared.positive("a", "a size", latex=r"\|a\|")
page = Page("my-paper", "Section 2", shared)
x = page.real("x", "a place", lower=-1)
k = page.natural("k", "a number")

LARGE = Hypothesis("large", ge(a, 2), "(3)")
SMALL = Hypothesis("small", le(x, 1))


def about(**more: Any) -> Claim:
    return page.at("(7)", "T1 T2").inequality("my:sum", "A sum", ge(a + x, 1), **more)


def test_a_page_makes_the_claim_that_one_would_write_out() -> None:
    made = about(
        given=(LARGE, SMALL),
        by=(Identity(), Smt()),
        points={a: (0, 3)},
        wrong={"a sign": a, "three": left(3 * a + x)},
        steps=("my:first", Step("A sentence.", "my:second")),
        reading="as it stands",
    )
    written = Claim(
        id="my:sum", title="A sum", source="my-paper", where="Section 2, (7)", kind="inequality", refs=("T1", "T2"),
        variables=(positive("a", "a size"), real("x", "a place", lower=-1)), hypotheses=(LARGE, SMALL),
        conclusion=ge(a + x, 1), checks=(Identity(), Smt()), sampling=Chart({a: (0, 3), x: (Fraction(-1), None)}, {}),
        mutants=(Mutant("a sign", ge(a + x, a)), Mutant("three", ge(3 * a + x, 1))),
        derivation=(Step(claim="my:first"), Step("A sentence.", "my:second")), reading="as it stands",
    )  # fmt: skip
    assert made == written
    assert made.signature() == written.signature()
    assert made.symbols == {a: r"\|a\|"}


def test_the_symbols_of_controls_are_variables_too() -> None:
    assert [v.symbol for v in about(wrong={"with a number": k}).variables] == [a, x, k]


@pytest.mark.parametrize(
    ("edit", "conclusion", "hypotheses"),
    [
        (left(a), ge(a, 1), None),
        (right(2), ge(a + x, 2), None),
        (turned(), le(a + x, 1), None),
        (lt(a, x), lt(a, x), None),
        (without(LARGE), None, (SMALL,)),
        (without("small"), None, (LARGE,)),
        (without(), None, ()),
        (instead(Hypothesis("large", ge(a, 1))), None, (Hypothesis("large", ge(a, 1)), SMALL)),
        (instead(Hypothesis("new", ge(a, 1))), None, (LARGE, SMALL, Hypothesis("new", ge(a, 1)))),
        (changed(gt(a, 0), (SMALL,)), gt(a, 0), (SMALL,)),
    ],
)
def test_an_edit_changes_what_it_names(edit: Any, conclusion: Any, hypotheses: Any) -> None:
    made = about(given=(LARGE, SMALL), wrong={"it": edit}).mutants[0]
    assert made == Mutant("it", conclusion, hypotheses)


def test_an_edit_keeps_the_names_of_the_side_that_it_leaves() -> None:
    total = named("S", a + x)
    made = page.inequality("my:named", "Named", ge(total, 1), wrong={"two": 2})
    assert made.mutants[0].conclusion is not None
    assert made.mutants[0].conclusion.written[0] == total  # type: ignore[union-attr]


def test_a_variable_can_have_another_domain_in_one_claim() -> None:
    narrow = positive("a", "a size", upper=1)
    assert about(over=(narrow,)).variables[0] == narrow
    assert [v.symbol for v in about(over=(k,)).variables] == [k, a, x]


def test_points_are_the_domain_where_nothing_else_is_said() -> None:
    made = about(points={x: a - 1}).sampling
    assert made is not None
    assert made.ranges == {a: (0, None)}
    assert made.maps == {x: a - 1}


def test_ones_own_symbols_come_before_those_of_others() -> None:
    other = Page("other", "", page)
    mine = other.add(positive("a", upper=3))
    assert mine == a
    assert other.inequality("my:own", "Own", ge(a, 0)).variables[0].upper == 3


def test_a_claim_that_no_method_is_named_after_and_a_place_apart() -> None:
    made = page.elsewhere("Appendix", source="theirs").claim("proof step", "my:step", "A step", ge(a, 0), exists=True)
    assert (made.kind, made.where, made.source, made.quantifier) == ("proof step", "Appendix", "theirs", "exists")
    assert page.remark("my:words", "Words", informal="a wish").conclusion is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: about(wrong={"it": without("huge")}), "drops the unknown hypothesis"),
        (lambda: about(given=LARGE, wrong={"it": without("huge")}), "'large'"),
        (lambda: page.inequality("my:two", "Two", both(ge(a, 1), ge(x, 1)), wrong={"it": 3}), "whole formula"),
        (lambda: about(wrong={"it": "a text"}), "expected a right side"),
        (lambda: about(wrong={"it": 0.5}), "expected a right side"),
        (lambda: about(over=(sympy.Symbol("q"),)), "over=q"),
        (lambda: page.inequality("my:z", "Z", ge(sympy.Symbol("z", real=True), 1)), r"page\.real\('z'\)"),
        (lambda: page.inequality("my:a", "A", ge(sympy.Symbol("a", real=True), 1)), "another domain"),
        (lambda: page.add(real("k", integer=True, lower=1, upper=3)), "another domain"),
        (lambda: Page("my", "", {"x": x}), "expected a Notation"),  # type: ignore[arg-type]
    ],
)
def test_what_is_wrong_is_said_with_the_claim_and_the_remedy(make: Any, message: str) -> None:
    with pytest.raises(ClaimError, match=message):
        make()


def test_several_variables_are_declared_at_once() -> None:
    other = Page("other")
    found = other.declare(*(real(f"u_{i}") for i in range(3)))
    assert [other.find(s) for s in found] == [real(f"u_{i}") for i in range(3)]
    assert isinstance(other.find(found[0]), Variable)
    assert other.find(a) is None
