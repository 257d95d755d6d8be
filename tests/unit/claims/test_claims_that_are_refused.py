"""Claims that hold something of the wrong kind are refused when they are made, by name and with what to write."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

from rgm_verify.claims import (
    Claim,
    ClaimError,
    Hypothesis,
    Mutant,
    Variable,
    both,
    eq,
    ge,
    le,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.claim import Chart, collect, nothing_asserted
from rgm_verify.lenses import Smt

X = real("x")
x = X.symbol
WHOLE = sympy.Symbol("x", integer=True, positive=True)
GOOD: dict[str, Any] = {
    "id": "t:claim", "title": "t", "source": "s", "where": "w", "kind": "k", "variables": (X,),
    "conclusion": ge(x**2, 0),
}  # fmt: skip


def claim(**changes: Any) -> Claim:
    return Claim(**{**GOOD, **changes})


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a title that is no text": ({"title": 5}, "title=5: expected a text in quotes"),
    "a statement that is no text": ({"statement": None}, "statement=None: expected a text"),
    "one reference without a comma": ({"refs": "T1"}, r"refs='T1': expected a tuple; for a single one write \('T1',\)"),
    "a reference that is a number": ({"refs": (1,)}, "refs holds 1: expected str"),
    "variables in a list": ({"variables": [X]}, "variables=.*expected a tuple"),
    "a symbol among the variables": ({"variables": (x,)}, "variables holds x: expected Variable"),
    "a formula among the hypotheses": ({"hypotheses": (ge(x, 0),)}, "expected Hypothesis"),
    "a formula among the mutants": ({"mutants": (ge(x, 0),)}, "expected Mutant"),
    "a number among the entries": ({"refs": (3,)}, "refs holds 3"),
    "a text among the steps": ({"derivation": ("so",)}, "derivation holds 'so': expected Step"),
    "a text among the tightness": ({"tightness": ("so",)}, "tightness holds 'so': expected Tightness"),
    "a variable as the variable of an integral": (
        {"conclusion": ge(x + sympy.Integral(x**2, (x, 0, 1)), 0)}, "conclusion: x is bound by a sum, .* use another"
    ),
    "a variable as an index of a sum": (
        {"conclusion": ge(x + sympy.Sum(WHOLE, (WHOLE, 1, 2)), 0)}, "conclusion: x is bound by a sum, .* use another"
    ),
    "a variable as an index in a hypothesis": (
        {"hypotheses": (Hypothesis("h", ge(sympy.Product(x, (x, 1, 2)), 0)),)}, "hypothesis 'h': x is bound by a sum"
    ),
    "a variable as an index in a mutant": (
        {"mutants": (Mutant("m", conclusion=ge(sympy.Sum(x, (x, 1, 2)), 0)),)}, "mutant 'm': x is bound by a sum"
    ),
    "a conclusion of SymPy's": ({"conclusion": x >= 0}, "conclusion"),
    "a conclusion that is a truth value": ({"conclusion": True}, "conclusion"),
    "a hypothesis of SymPy's": ({"hypotheses": (Hypothesis("h", x >= 0),)}, "hypothesis 'h'"),
    "a hypothesis whose name is a number": ({"hypotheses": (Hypothesis(5, ge(x, 0)),)}, "hypothesis name=5"),
    "a mutant of SymPy's": ({"mutants": (Mutant("m", conclusion=x >= 1),)}, "mutant 'm'"),
    "a mutant whose name is a number": ({"mutants": (Mutant(5, conclusion=ge(x, 1)),)}, "mutant name=5"),
    "a mutant with hypotheses in a list": (
        {"mutants": (Mutant("m", hypotheses=[Hypothesis("h", ge(x, 0))]),)},
        "mutant 'm': hypotheses=.*expected a tuple",
    ),
    "a mutant with a formula for a hypothesis": (
        {"mutants": (Mutant("m", hypotheses=(ge(x, 0),)),)}, "mutant 'm' holds .*expected Hypothesis",
    ),
    "a mutant with a hypothesis of SymPy's": (
        {"mutants": (Mutant("m", hypotheses=(Hypothesis("h", x >= 0),)),)}, "hypothesis 'h'",
    ),
    "another quantifier": ({"quantifier": "all"}, "quantifier='all': allowed are 'forall', 'exists'"),
    "no quantifier": ({"quantifier": None}, "quantifier=None"),
    "another category": ({"category": "typo"}, "category='typo': allowed are None, 'misprint'"),
    "a correction that is a claim": ({"corrected": 5}, "corrected=5: expected the id of a claim"),
    "coordinates that are no chart": ({"sampling": {x: (0, 1)}}, "sampling=.*expected a Chart"),
    "one check without a comma": ({"checks": Smt()}, r"checks=.*\(Smt\(\),\)"),
    "a class for a check": ({"checks": (Smt,)}, "checks"),
    "a variable that was made by hand": ({"variables": (Variable(x, lower=0),)}, "make it with real"),
    "a variable with a float for an end": ({"variables": (Variable(x, upper=0.5),)}, "make it with real"),
    "a variable without its sign": (
        {"variables": (Variable(x, lower=Fraction(0)),)}, "assumes something else than its domain",
    ),
    "integers where there are none": (
        {"variables": (Variable(WHOLE, "", Fraction(1, 3), Fraction(2, 3), integer=True),), "conclusion": ge(WHOLE, 0)},
        "there is no integer from 1/3 to 2/3",
    ),
    "a hypothesis in a symbol that is not declared": (
        {"hypotheses": (Hypothesis("h", ge(sympy.Symbol("z"), 0)),)}, "hypothesis 'h' uses the undeclared symbol z",
    ),
    "a mutant's hypothesis in a symbol that is not declared": (
        {"mutants": (Mutant("m", hypotheses=(Hypothesis("h", ge(sympy.Symbol("z"), 0)),)),)},
        "mutant 'm' uses the undeclared symbol z",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_it_is_refused_with_what_to_write(case: str) -> None:
    changes, words = WRONG[case]
    with pytest.raises(ClaimError, match=words):
        claim(**changes)


def test_what_is_right_is_not_refused() -> None:
    made = claim(
        refs=("T1",), hypotheses=(Hypothesis("h", ge(x, -1)),), mutants=(Mutant("m", hypotheses=()),),
        checks=(Smt(),), sampling=Chart({x: (0, 1)}, {x: x}), category="misprint",
        corrected="t:other", quantifier="exists",
    )  # fmt: skip
    assert made.checks == (Smt(),)


@pytest.mark.parametrize(
    ("low", "high", "low_open", "high_open", "some"),
    [
        (1, 1, False, False, True),
        (Fraction(1, 2), Fraction(3, 2), False, False, True),
        (Fraction(1, 3), Fraction(2, 3), False, False, False),
        (1, 2, True, True, False),
        (1, 2, True, False, True),
        (1, 2, False, True, True),
        (1, 3, True, True, True),
        (Fraction(1, 2), 1, False, True, False),
        (Fraction(1, 2), 1, False, False, True),
        (-1, Fraction(-1, 2), True, False, False),
    ],
)
def test_a_domain_of_integers_holds_one(low: Any, high: Any, low_open: bool, high_open: bool, some: bool) -> None:
    ends = {"lower": low, "upper": high, "lower_open": low_open, "upper_open": high_open, "integer": True}
    if some:
        assert real("n", **ends).integer
    else:
        with pytest.raises(ClaimError, match="there is no integer"):
            real("n", **ends)


@pytest.mark.parametrize(
    ("low", "high", "opened", "empty"), [(1, 0, {}, True), (1, 1, {}, False), (1, 1, {"lower_open": True}, True),
    (1, 1, {"upper_open": True}, True), (0, 1, {"lower_open": True, "upper_open": True}, False)],
)  # fmt: skip
def test_an_empty_domain_is_refused(low: int, high: int, opened: dict[str, bool], empty: bool) -> None:
    if empty:
        with pytest.raises(ClaimError, match="is empty"):
            real("y", lower=low, upper=high, **opened)
    else:
        assert real("y", lower=low, upper=high, **opened).lower == low


@pytest.mark.parametrize("end", [0.5, True, "1", sympy.pi, sympy.oo])
def test_an_end_of_a_domain_is_an_exact_number(end: Any) -> None:
    with pytest.raises(ClaimError, match=r"y\.upper="):
        real("y", upper=end)


@pytest.mark.parametrize("name", ["", "  ", 5])
def test_a_variable_has_a_name(name: Any) -> None:
    with pytest.raises(ClaimError, match="needs a name"):
        real(name)


def test_a_symbol_promises_the_sign_of_its_domain_and_nothing_else() -> None:
    assert (real("v").symbol.is_positive, real("v").symbol.is_real) == (None, True)
    assert real("v", lower=1).symbol.is_positive
    assert real("v", lower=0, lower_open=True).symbol.is_positive
    assert (real("v", lower=0).symbol.is_positive, real("v", lower=0).symbol.is_nonnegative) == (None, True)
    assert real("v", lower=-1).symbol.is_nonnegative is None
    assert real("v", upper=-1).symbol.is_negative is None
    assert natural("k").symbol.is_integer
    assert (natural("k").lower, natural("k", lower=0, upper=3).upper) == (1, 3)
    assert (positive("v").lower_open, nonnegative("v").lower_open) == (True, False)


def test_a_domain_says_its_ends() -> None:
    v = real("v", lower=-1, upper=2, lower_open=True)
    assert [(r.op, r.rhs) for r in v.domain()] == [(">", -1), ("<=", 2)]
    w = real("w", lower=-1, upper=2, upper_open=True)
    assert [(r.op, r.rhs) for r in w.domain()] == [(">=", -1), ("<", 2)]
    assert real("v").domain() == ()
    about = claim(variables=(X, v), hypotheses=(Hypothesis("h", le(x, 1)),))
    assert [h.name for h in about.assumptions] == ["domain of v", "domain of v", "h"]


def test_what_evidence_depends_on_is_in_the_signature_and_words_are_not() -> None:
    base = claim(mutants=(Mutant("m", conclusion=ge(x, 0)),))
    same = claim(mutants=base.mutants, title="other", statement="other", reading="other", category="false")
    assert base.signature() == same.signature()
    others = [
        claim(), claim(mutants=(Mutant("n", conclusion=ge(x, 0)),)), claim(mutants=(Mutant("m", conclusion=ge(x, 1)),)),
        claim(mutants=(Mutant("m", hypotheses=()),)), claim(mutants=(Mutant("m", conclusion=ge(x, 0), hypotheses=()),)),
        claim(id="t:other", mutants=base.mutants), claim(quantifier="exists", mutants=base.mutants),
        claim(conclusion=ge(x**2, 1), mutants=base.mutants), claim(checks=(Smt(),), mutants=base.mutants),
        claim(checks=(Smt(steps=5),), mutants=base.mutants),
        claim(hypotheses=(Hypothesis("h", ge(x, 0)),), mutants=base.mutants),
        claim(hypotheses=(Hypothesis("h", ge(x, 1)),), mutants=base.mutants),
        claim(variables=(X, real("y")), mutants=base.mutants),
        claim(variables=(X, real("y", upper=3)), mutants=base.mutants),
        claim(sampling=Chart({x: (0, 1)}, {x: x}), mutants=base.mutants),
        claim(sampling=Chart({x: (0, 1)}, {x: x}, {x: x}), mutants=base.mutants),
        claim(sampling=Chart({x: (0, 2)}, {x: x}), mutants=base.mutants),
        claim(sampling=Chart({x: (0, 1)}, {x: x**2}), mutants=base.mutants),
    ]  # fmt: skip
    signatures = [c.signature() for c in (base, *others)]
    assert len(set(signatures)) == len(signatures)


def test_a_control_replaces_what_it_names_and_a_dropped_hypothesis_is_the_one_meant() -> None:
    one, two = Hypothesis("h", ge(x, 0)), Hypothesis("h", ge(x, 1))
    about = claim(hypotheses=(one, two), mutants=(Mutant("m", conclusion=ge(x, 5)),))
    mutated = about.mutate(Mutant("m", conclusion=ge(x, 5)))
    assert (mutated.conclusion, mutated.hypotheses, mutated.mutants) == (ge(x, 5), (one, two), ())
    mutated = about.mutate(Mutant("m", hypotheses=()))
    assert (mutated.conclusion, mutated.hypotheses) == (about.conclusion, ())
    assert about.without(one).hypotheses == (two,)
    assert about.without(two).hypotheses == (one,)


def test_claims_are_collected_once_and_from_lists() -> None:
    one, other = claim(), claim(id="t:other")
    assert collect([one, [other, (one,)], "no claim", 5]) == [one, other]


SAME, OTHER, NAMES = eq(2 * x, 2 * x), ge(x**2, 0), eq(2 * x, 2 * x, definition=True)


@pytest.mark.parametrize(
    ("conclusion", "hypotheses", "said"),
    [
        (OTHER, (), ""), (OTHER, (OTHER,), ""), (OTHER, (NAMES,), ""), (both(NAMES, OTHER), (), ""), (None, (), ""),
        (SAME, (), "the conclusion has the same expression, 2*x, on both sides"),
        (both(OTHER, SAME), (), "the conclusion has the same expression, 2*x, on both sides"),
        (OTHER, (OTHER, SAME), "the hypothesis 'h1' has the same expression, 2*x, on both sides"),
        (NAMES, (), "the conclusion only defines something"),
        (both(NAMES, NAMES), (OTHER,), "the conclusion only defines something"),
        (None, (SAME,), "the hypothesis 'h0' has the same expression"),
    ],
)  # fmt: skip
def test_what_asserts_nothing_is_said(conclusion: Any, hypotheses: tuple[Any, ...], said: str) -> None:
    given = tuple(Hypothesis(f"h{i}", formula) for i, formula in enumerate(hypotheses))
    found = nothing_asserted(
        claim(conclusion=conclusion, hypotheses=given, informal="words" if conclusion is None else "")
    )
    assert found.startswith(said) if said else found == ""
