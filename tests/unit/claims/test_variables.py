"""Variables and their domains: what a declaration says, to SymPy and as relations, and what is refused as empty."""

from __future__ import annotations

import operator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import sympy

from rgm_verify.claims import (
    Claim,
    ClaimError,
    Hypothesis,
    Mutant,
    Tightness,
    Variable,
    ge,
    gt,
    le,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.claim import Chart, Step
from rgm_verify.lenses import Identity, Monotone, Smt

F = Fraction
ENDS = [None, F(-2), F(-1, 2), F(0), F(1, 3), F(1), F(5, 2)]
OPERATORS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
GRID = [F(k, 6) for k in range(-24, 25)]


def inside(value: Fraction, low: Any, high: Any, low_open: bool, high_open: bool, integer: bool) -> bool:
    """The domain as plain arithmetic has it."""
    above = low is None or value > low or (value == low and not low_open)
    below = high is None or value < high or (value == high and not high_open)
    return above and below and (not integer or value.denominator == 1)


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize(("low_open", "high_open"), list(product([False, True], repeat=2)))
def test_a_variable_has_the_domain_that_is_declared_and_none_is_empty(
    low_open: bool, high_open: bool, integer: bool
) -> None:
    for low, high in product(ENDS, repeat=2):
        settings: Any = {
            "lower": low, "upper": high, "lower_open": low_open, "upper_open": high_open, "integer": integer,
        }  # fmt: skip
        domain = [v for v in GRID if inside(v, low, high, low_open, high_open, integer)]
        if not domain:
            with pytest.raises(ClaimError, match=r"is empty|there is no integer from"):
                real("v", **settings)
            continue
        made = real("v", "a number", **settings)
        assert (made.meaning, made.lower, made.upper, made.integer) == ("a number", low, high, integer)
        assert (made.lower_open, made.upper_open) == (low_open, high_open)
        for value in GRID:
            holds = all(OPERATORS[r.op](value, F(int(r.rhs.p), int(r.rhs.q))) for r in made.domain())
            assert all(r.lhs == made.symbol for r in made.domain())
            assert holds is inside(value, low, high, low_open, high_open, False)
        # The symbol promises no more than the domain, and its sign wherever that has one.
        assert made.symbol.is_real
        assert made.symbol.is_integer is (True if integer else None)
        always_positive = low is not None and (low > 0 or (low == 0 and low_open))
        assert made.symbol.is_positive is (True if always_positive else None)
        assert made.symbol.is_nonnegative is (True if low is not None and low >= 0 else None)
        assert made.symbol.is_negative is (False if low is not None and low >= 0 else None)
        Claim(id="t:a", title="t", source="s", where="w", kind="k", variables=(made,), conclusion=ge(made.symbol**2, 0))


def test_the_short_ways_to_declare_a_variable() -> None:
    for made, low, low_open, high, high_open, integer in (
        (real("v"), None, False, None, False, False),
        (positive("v"), 0, True, None, False, False),
        (positive("v", upper=2), 0, True, 2, False, False),
        (positive("v", upper=2, upper_open=True), 0, True, 2, True, False),
        (nonnegative("v"), 0, False, None, False, False),
        (nonnegative("v", upper=F(1, 2)), 0, False, F(1, 2), False, False),
        (natural("v"), 1, False, None, False, True),
        (natural("v", lower=0, upper=3), 0, False, 3, False, True),
        (Variable(sympy.Symbol("v", real=True)), None, False, None, False, False),
    ):
        assert (made.lower, made.lower_open, made.upper, made.upper_open) == (low, low_open, high, high_open)
        assert (made.integer, made.meaning, made.symbol.name) == (integer, "", "v")
        assert len(made.domain()) == (low is not None) + (high is not None)


@pytest.mark.parametrize("end", [F(1, 3), sympy.Rational(1, 3)])
def test_an_end_is_an_exact_number(end: Any) -> None:
    assert real("v", lower=end, upper=2).lower == F(1, 3)
    assert type(real("v", lower=end).lower) is Fraction


@pytest.mark.parametrize("end", [0.5, True, "1", sympy.sqrt(2), sympy.Float("0.5"), sympy.oo])
def test_any_other_end_is_refused_by_name(end: Any) -> None:
    for name in ("lower", "upper"):
        with pytest.raises(ClaimError, match=rf"^v\.{name}=.*an int, a Fraction or a sympy\.Rational"):
            real("v", **{name: end})


@pytest.mark.parametrize("name", ["", "  ", None, 3])
def test_a_variable_has_a_name(name: Any) -> None:
    with pytest.raises(ClaimError, match="a variable needs a name"):
        real(name)


@pytest.mark.parametrize(
    "symbol",
    [sympy.Symbol("v"), sympy.Symbol("v", positive=True), sympy.Symbol("v", integer=True),
     sympy.Symbol("v", nonnegative=True), sympy.Symbol("v", real=True, nonzero=True)],
)  # fmt: skip
def test_a_symbol_that_promises_more_than_the_domain_is_refused(symbol: sympy.Symbol) -> None:
    rest: Any = {"id": "t:a", "title": "t", "source": "s", "where": "w", "kind": "k"}
    with pytest.raises(ClaimError, match="assumes something else than its domain"):
        Claim(**rest, variables=(Variable(symbol),), conclusion=ge(symbol**2, 0))
    at_least_two = Variable(sympy.Symbol("v", positive=True), lower=F(2))
    Claim(**rest, variables=(at_least_two,), conclusion=ge(at_least_two.symbol, 2))
    between = Variable(sympy.Symbol("v", integer=True, positive=True), "", F(1, 3), F(2, 3), integer=True)
    with pytest.raises(ClaimError, match="there is no integer from"):
        Claim(**rest, variables=(between,), conclusion=ge(between.symbol, 2))


def test_different_charts_have_different_texts() -> None:
    v, t = sympy.Symbol("v", positive=True), sympy.Symbol("t", real=True)
    base = Chart({t: (0, 1)}, {v: t / (1 - t)}, {t: v / (1 + v)})
    others = [
        Chart({t: (0, 2)}, {v: t / (1 - t)}, {t: v / (1 + v)}), Chart({t: (0, 1)}, {v: t}, {t: v / (1 + v)}),
        Chart({t: (0, 1)}, {v: t / (1 - t)}, {t: v}), Chart({t: (0, 1)}, {v: t / (1 - t)}),
    ]  # fmt: skip
    assert len({c.canonical() for c in (base, *others)}) == 5
    assert base.canonical() == Chart({t: (0, 1)}, {v: t / (1 - t)}, {t: v / (1 + v)}).canonical()


# ------------------------------------------------------------------------------------------------- claims

V = real("v", lower=0, upper=2)
v = V.symbol
POSITIVE = Hypothesis("h", gt(v, 0))
WHOLE = Claim(
    id="t:a", title="t", source="s", where="w", kind="k", variables=(V,), hypotheses=(POSITIVE,),
    conclusion=le(v**2, 4), checks=(Smt(),), mutants=(Mutant("m", conclusion=le(v, 1)),),
    sampling=Chart({v: (0, 1)}, {v: v}), tightness=(Tightness(v**2 / 4, {v: (0, 2)}, "the ratio"),),
)  # fmt: skip
COUNTS: dict[str, Any] = {
    "id": "t:c", "quantifier": "exists", "conclusion": le(v**2, 5), "variables": (real("v", lower=0, upper=3),),
    "hypotheses": (Hypothesis("h", ge(v, 0)),), "checks": (Identity(),),
    "sampling": Chart({v: (0, 2)}, {v: v}), "mutants": (Mutant("m", conclusion=le(v, 0)),),
    "tightness": (Tightness(v**2 / 5, {v: (0, 2)}, "the ratio"),),
}  # fmt: skip
MORE: list[dict[str, Any]] = [
    {"hypotheses": ()}, {"hypotheses": (Hypothesis("g", gt(v, 0)),)}, {"mutants": ()}, {"sampling": None},
    {"mutants": (Mutant("n", conclusion=le(v, 1)),)}, {"mutants": (Mutant("m", hypotheses=()),)}, {"checks": ()},
    {"mutants": (Mutant("m", conclusion=le(v, 1), hypotheses=()),)}, {"checks": (Smt(steps=7),)},
    {"mutants": (Mutant("m", conclusion=le(v, 1), hypotheses=(Hypothesis("h", ge(v, 1)),)),)}, {"tightness": ()},
    {"tightness": (Tightness(v**2 / 4, {v: (0, 1)}, "the ratio"),)}, {"checks": (Smt(), Monotone(v, sympy.S.Zero))},
    {"tightness": (Tightness(v**2 / 4, {v: (0, 2)}, "another"),)},
]  # fmt: skip


def test_all_that_evidence_depends_on_counts_in_the_signature_and_words_do_not() -> None:
    changed = [replace(WHOLE, **{name: value}) for name, value in COUNTS.items()]
    changed += [replace(WHOLE, **change) for change in MORE]
    assert len({c.signature() for c in (WHOLE, *changed)}) == 1 + len(COUNTS) + len(MORE)
    words: dict[str, Any] = {
        "title": "another", "source": "b", "where": "c", "statement": "d", "refs": ("e",), "reading": "f",
        "remark": "g", "derivation": (Step("h", "t:b"),), "scope": "core", "category": None,
    }  # fmt: skip
    for name, value in words.items():
        said = {"missing": "the rest"} if name == "scope" else {}
        assert replace(WHOLE, **{name: value}, **said).signature() == WHOLE.signature()


def test_a_mutant_replaces_what_it_names_and_keeps_the_rest() -> None:
    (only,) = WHOLE.mutants
    assert (WHOLE.mutate(only).conclusion, WHOLE.mutate(only).hypotheses) == (le(v, 1), (POSITIVE,))
    bare = WHOLE.mutate(Mutant("m", hypotheses=()))
    assert (bare.conclusion, bare.hypotheses, bare.mutants) == (WHOLE.conclusion, (), ())
    other = Hypothesis("other", ge(v, 1))
    two = replace(WHOLE, hypotheses=(POSITIVE, other))
    assert two.without(POSITIVE).hypotheses == (other,)
    assert two.without(other).hypotheses == (POSITIVE,)
    assert two.without(other).mutants == ()


def test_domains_come_before_hypotheses_and_a_conclusion_is_taken_at_values() -> None:
    assert [h.formula for h in WHOLE.assumptions] == [ge(v, 0), le(v, 2), gt(v, 0)]
    assert [h.formula for h in WHOLE.domain] == [ge(v, 0), le(v, 2)]
    assert WHOLE.at({v: v + 1}) == le((v + 1) ** 2, 4)
    with pytest.raises(ClaimError, match="an informal claim has no conclusion"):
        Claim(id="t:a", title="t", source="s", where="w", kind="k", informal="words").at({})
