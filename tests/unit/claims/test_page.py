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
    Theorem,
    TheoremError,
    Tightness,
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
from rgm_verify.lenses import Deduction, Identity, Premise, Smt

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


def test_a_point_is_a_range_an_expression_or_both() -> None:
    k = page.real("k", lower=0, upper=1)
    made = page.inequality("my:points", "Points", ge(a + k + 1, 1), points={a: (0, 9, a**2), k: 1 / (1 + a)})
    assert made.sampling == Chart({a: (0, 9)}, {a: a**2, k: 1 / (1 + a)})


def test_a_coordinate_of_the_page_ranges_over_its_domain() -> None:
    share = page.real("share", lower=0, upper=1)
    made = page.inequality("my:points", "Points", ge(a + 1, 1), points={a: share**2})
    assert made.sampling == Chart({share: (Fraction(0), Fraction(1))}, {a: share**2})


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


FUBINI = Theorem("fubini", "Fubini", "Swap.", {"measurable": "It is.", "integrable": "It is."}, "A book")


def test_steps_are_one_list_of_sentences_theorems_dependencies_and_premises() -> None:
    made = page.inequality(
        "my:steps",
        "Steps",
        ge(a + 1, 1),
        by=(Smt(), Deduction()),
        steps=(
            Step("One.", Premise("my:one", {a: a + 1})),
            Premise("my:two"),
            FUBINI.quoted("Three.", "my:three", "It is bounded."),
            "my:four",
        ),
    )
    assert made.derivation == (
        Step("One.", "my:one"),
        Step("Three.", theorem=FUBINI, met={"measurable": "my:three", "integrable": "It is bounded."}),
        Step(claim="my:four"),
    )
    assert made.checks == (Smt(), Deduction((Premise("my:one", {a: a + 1}), Premise("my:two"))))


def test_a_single_step_and_a_single_ratio_need_no_brackets() -> None:
    ratio = Tightness(a, {a: (1, 2)}, "a size")
    made = page.inequality("my:one", "One", ge(a + 1, 1), steps=Step("One.", "my:two"), tightness=ratio)
    assert (made.derivation, made.tightness) == ((Step("One.", "my:two"),), (ratio,))
    assert page.inequality("my:one", "One", ge(a + 1, 1), steps="my:two").derivation == (Step(claim="my:two"),)


def test_what_is_left_out_and_what_is_wrong_are_said_in_one_word_each() -> None:
    core = page.inequality("my:core", "Core", ge(a, 1), core="The rest.", mistake=("false", "my:right"))
    assert (core.scope, core.missing, core.category, core.corrected) == ("core", "The rest.", "false", "my:right")
    assert page.inequality("my:case", "Case", ge(a, 1), instance="Size 1.").scope == "instance"


@pytest.mark.parametrize("by", [(), Smt(), (Deduction(), Smt())])
def test_premises_among_the_steps_are_deduced_from_first(by: Any) -> None:
    made = page.inequality(
        "my:found", "Found", ge(a, 1), by=by, steps=(Premise("my:one"), "my:two", Premise("my:three"))
    )
    checks = [check for check in (by if isinstance(by, tuple) else (by,)) if not isinstance(check, Deduction)]
    assert made.checks == (Deduction((Premise("my:one"), Premise("my:three"))), *checks)
    assert made.derivation == (Step(claim="my:two"),)


@pytest.mark.parametrize("by", [(Deduction(), Deduction()), Deduction((Premise("my:other"),))])
def test_a_premise_that_no_deduction_or_more_than_one_could_take_is_refused(by: Any) -> None:
    with pytest.raises(ClaimError, match=r"my:lost: a step has a Premise"):
        page.inequality("my:lost", "Lost", ge(a, 1), by=by, steps=Premise("my:one"))


def test_claims_under_shared_settings_take_them_unless_they_have_their_own() -> None:
    shared_page = page.under(given=LARGE, points={a: (2, 3)}).under(by=Smt())
    plain = shared_page.at("(8)", "T3").inequality("my:plain", "Plain", ge(a, 1))
    assert plain == page.at("(8)", "T3").inequality(
        "my:plain", "Plain", ge(a, 1), given=LARGE, points={a: (2, 3)}, by=Smt()
    )
    assert shared_page.inequality("my:own", "Own", ge(x, -1), given=SMALL, points=None).hypotheses == (SMALL,)
    assert page.inequality("my:none", "None", ge(a, 0)).hypotheses == ()


def test_a_range_for_several_symbols_is_that_of_each() -> None:
    one = about(points={(a, x): (0, 1), k: (1, 9)})
    assert one.sampling == about(points={a: (0, 1), x: (0, 1), k: (1, 9)}).sampling


def test_a_theorem_is_quoted_with_a_reason_for_each_condition() -> None:
    with pytest.raises(TheoremError, match="Fubini is quoted with 1 reasons"):
        FUBINI.quoted("Swap.", "It is bounded.")


def test_what_a_step_names_is_an_id() -> None:
    with pytest.raises(ClaimError, match="expected the id of a claim"):
        Step("One.", 3)


def test_source_place_and_kind_may_be_left_out() -> None:
    bare = Page()
    y = bare.positive("y")
    claim = bare.statement("my:bare", "Bare", ge(y, 0))
    assert (claim.source, claim.where, claim.kind) == ("", "", "statement")
    assert bare.at("(1)").statement("my:placed", "Placed", ge(y, 0)).where == "(1)"


def test_a_page_in_the_place_of_a_source_is_refused() -> None:
    with pytest.raises(ClaimError, match="expected a text in quotes"):
        Page(page)  # type: ignore[arg-type]


def test_the_one_import_of_a_page_brings_what_formulas_need() -> None:
    names: dict[str, Any] = {}
    exec(
        "from rgm_verify.pages import *\n"
        "page = Page('own')\n"
        "a, t = page.positive('a', 'a rate'), Symbol('t', real=True)\n"
        "mean = page.identity('own:mean', 'A mean', eq(Integral(a * t * exp(-a * t), (t, 0, oo)), 1 / a))\n"
        "page.identity('own:circle', 'A circle', eq(sin(2 * a), 2 * sin(a) * cos(a)))\n"
        "page.inequality('own:sum', 'A sum', ge(Sum(t, (t, 1, 3)), floor(a) - floor(a)))\n",
        names,
    )
    assert str(names["mean"].conclusion) == "Integral(a*t*exp(-a*t), (t, 0, oo)) == 1/a"
