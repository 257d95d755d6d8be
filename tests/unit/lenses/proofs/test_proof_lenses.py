"""Lenses that prove: each finds what it should, and none calls a false claim proved."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from rgm_verify.claims import (
    All,
    Claim,
    Formula,
    Hypothesis,
    Variable,
    both,
    chain,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    ne,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses import Combination, Deduction, Identity, Monotone, Premise, Smt
from rgm_verify.lenses.base import Context, Lens

X, Y, P, N, K = real("x"), real("y"), positive("p"), nonnegative("n"), natural("k")
x, y, p, n, k = (v.symbol for v in (X, Y, P, N, K))
log, exp, root = sympy.log, sympy.exp, sympy.sqrt
PROOFS = {Kind.SYMBOLIC_PROOF, Kind.SMT_PROOF, Kind.DEDUCTION, Kind.REGION_CERTIFICATE, Kind.EXACT_WITNESS}


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id=rest.pop("id", "test:claim"),
        title="t",
        source="s",
        where="w",
        kind="lemma",
        variables=variables,
        hypotheses=hypotheses,
        conclusion=conclusion,
        **rest,
    )


def only(lens: Lens, about: Claim, *others: Claim) -> Evidence:
    (found,) = lens.run(about, Context(claims={c.id: c for c in (about, *others)}))
    return found


def proves(lens: Lens, about: Claim, *others: Claim) -> bool:
    found = only(lens, about, *others)
    if found.finding is Finding.SUPPORTS:
        return found.kind in PROOFS
    assert found.finding is Finding.UNDECIDED
    assert found.summary.startswith(lens.name)
    return False


# ------------------------------------------------------------------------------------------------------------ monotone

WALKS: list[tuple[str, Claim, Monotone]] = [
    ("log below its tangent", claim(le(log(1 + n), n), N), Monotone(n, 0, order=1)),
    ("log above a parabola", claim(ge(log(1 + n), n - n**2 / 2), N), Monotone(n, 0, order=1)),
    ("from the middle, order two", claim(le(log(p), p - 1), P), Monotone(p, 1, order=2)),
    ("backwards with an odd order", claim(ge(x**3, -8), real("x", lower=-2)), Monotone(x, -2, order=1)),
    ("strictly", claim(lt(log(1 + p), p), P), Monotone(p, 0, order=1)),
    ("a polynomial", claim(ge(x**4 + 1, 0), X), Monotone(x, 0, order=2)),
    ("from a start that moves", claim(ge(2 * p, p), P), Monotone(p, p / 2, order=1)),
]


@pytest.mark.parametrize(("about", "lens"), [w[1:] for w in WALKS], ids=[w[0] for w in WALKS])
def test_a_walk_proves_an_inequality(about: Claim, lens: Monotone) -> None:
    assert only(lens, about).kind is Kind.SYMBOLIC_PROOF


STUMBLES: list[tuple[str, Claim, Monotone]] = [
    ("over a pole", claim(le(1 / x, 1), X, given=(ne(x, 0),)), Monotone(x, 1, order=1)),
    ("over a logarithm's end", claim(ge(log(x**2), 0), X, given=(ge(x**2, 1), lt(x, 0))), Monotone(x, 1, order=1)),
    ("from outside the domain", claim(ge(log(p), 0), P), Monotone(p, -1, order=1)),
    ("from a singular start", claim(ge(1 / p, 0), P), Monotone(p, 0, order=1)),
    ("over a kink", claim(ge(-sympy.Abs(x), -1), X), Monotone(x, 1, order=1)),
    ("over a maximum", claim(le(sympy.Max(x, 0), 1), X), Monotone(x, 0, order=2)),
    ("over a root's end", claim(ge(root(x), -1), X), Monotone(x, 0, order=1)),
    ("below the start with an even order", claim(ge(x, 0), X), Monotone(x, 0, order=1)),
    ("below the start with an odd order", claim(ge(x**3, 0), X), Monotone(x, 0, order=3)),
    ("a strict claim that is an equality at the start", claim(lt(log(1 + n), n), N), Monotone(n, 0, order=1)),
    ("a strict claim that is an equality all the way", claim(gt(p - p, 0), P), Monotone(p, 0, order=1)),
    ("a first term of the wrong sign", claim(ge(n - 1, 0), N), Monotone(n, 0, order=1)),
    ("a linear term of the wrong sign", claim(ge(n**2 - n, 0), N), Monotone(n, 0, order=2)),
    ("a false bound", claim(le(log(1 + n), n / 2), N), Monotone(n, 0, order=1)),
    ("an infinite start", claim(le(1 / p, 0), P), Monotone(p, sympy.oo, order=1)),
    ("an unknown function", claim(ge(sympy.gamma(p), 1), P), Monotone(p, 1, order=1)),
    ("sides undefined where the difference is not", claim(ge(1 / x + x**2, 1 / x), X), Monotone(x, 0, order=2)),
    ("a power with a base that changes sign", claim(ge(x**y, -1), X, Y), Monotone(x, 1, order=1)),
    ("an equation", claim(eq(x, x), X), Monotone(x, 0)),
    ("two inequalities", claim(both(ge(n, 0), ge(n, 0)), N), Monotone(n, 0)),
    ("an existence claim", claim(ge(n, 0), N, quantifier="exists"), Monotone(n, 0)),
]


@pytest.mark.parametrize(("about", "lens"), [w[1:] for w in STUMBLES], ids=[w[0] for w in STUMBLES])
def test_a_walk_that_is_not_allowed_proves_nothing(about: Claim, lens: Monotone) -> None:
    assert not proves(lens, about)


def test_signs_that_symbols_promise_do_not_hide_what_is_on_the_way() -> None:
    """With p > 0, SymPy writes the root of p^2 as p; on the way from -1 the two differ, and p - 1/p has a pole."""
    about = claim(ge(root(p**2) + 1 / p, 0), P)
    assert not proves(Monotone(p, -1, order=1), about)


def test_a_walk_may_lean_on_a_premise_and_says_so() -> None:
    """The slope of p - q log(1 + p) in p is 1 - q / (1 + p): what q is comes from the premise."""
    q = real("q")
    premise = claim(le(q.symbol**3, 1), q, given=(le(q.symbol, 1),), id="test:premise")
    about = claim(le(q.symbol**3 * log(1 + p), p), P, q, given=(le(q.symbol, 1),))
    lens = Monotone(p, 0, order=1, premises=(Premise("test:premise"),))
    found = only(lens, about, premise)
    assert (found.kind, found.premises) == (Kind.DEDUCTION, ("test:premise",))
    assert "given test:premise" in found.summary


def test_a_strict_walk_along_an_error_function_keeps_its_exponentials_as_premises_write_them() -> None:
    """The slope of erf in p at y + p is exp(-(y + p)^2) up to a positive factor, and is not taken apart."""
    positive_exp = claim(gt(exp(x), 0), X, id="test:premise")
    on_the_way = Premise("test:premise", {x: -((y + sympy.Symbol("w_on_the_way", real=True)) ** 2)})
    rises = lt(root(sympy.pi) * sympy.erf(y), root(sympy.pi) * sympy.erf(y + p))
    lens = Monotone(p, 0, order=1, premises=(on_the_way,))
    assert proves(lens, claim(rises, Y, P), positive_exp)
    assert not proves(lens, claim(lt(rises.rhs, rises.lhs), Y, P), positive_exp)
    assert not proves(Monotone(p, 0, order=1), claim(rises, Y, P))


def test_a_walk_takes_premises_only_where_they_hold() -> None:
    about = claim(le(log(1 + n), n), N)
    needs_more = claim(le(log(1 + x), -1), X, given=(lt(x, -5),), id="test:premise")
    exists = claim(gt(x, 7), X, id="test:premise", quantifier="exists")
    integers = claim(ge((k - 1) * (k - 2), 0), K, id="test:premise")
    for other in (needs_more, exists):
        assert not proves(Monotone(n, 0, premises=(Premise("test:premise", {x: n}),)), about, other)
    assert not proves(Monotone(n, 0, premises=(Premise("test:premise", {k: n + 1}),)), about, integers)
    assert not proves(Monotone(n, 0, premises=(Premise("test:missing"),)), about)


# --------------------------------------------------------------------------------------------------------- combination

SUMS: list[tuple[str, Claim, Combination]] = [
    ("a square", claim(ge(x**2 + y**2, 2 * x * y), X, Y), Combination(((((x - y) ** 2),),))),
    ("positive symbols", claim(gt(p * (1 + p), 0), P), Combination(((p, 1 + p),))),
    ("a hypothesis", claim(ge(x**2, x), X, given=(ge(x, 1),)), Combination(((x - 1,), (x - 1, x - 1)))),
    ("a hypothesis of a conjunction", claim(ge(x, 0), X, given=(both(ge(x, 0), ge(x, -1)),)), Combination(((x,),))),
    ("an equation either way", claim(ge(y - x, 0), X, Y, given=(eq(x, y),)), Combination(((y - x,),))),
    (
        "strict by a strict hypothesis",
        claim(gt(x**2, x), X, given=(gt(x, 1),)),
        Combination(((x - 1,), (x - 1, x - 1))),
    ),
    ("nothing at all", claim(ge(x, x), X), Combination(())),
]


@pytest.mark.parametrize(("about", "lens"), [w[1:] for w in SUMS], ids=[w[0] for w in SUMS])
def test_a_sum_of_nonnegative_terms_proves_an_inequality(about: Claim, lens: Combination) -> None:
    assert only(lens, about).kind is Kind.SYMBOLIC_PROOF


BROKEN_SUMS: list[tuple[str, Claim, Combination]] = [
    ("a factor of unknown sign", claim(ge(x * y, 0), X, Y), Combination(((x, y),))),
    ("terms that do not add up", claim(ge(x**2, 1), X), Combination(((x**2,),))),
    ("a hypothesis the wrong way round", claim(ge(x, 0), X, given=(le(x, 0),)), Combination(((x,),))),
    ("an inequation", claim(ge(x, 0), X, given=(ne(x, 0),)), Combination(((x,),))),
    (
        "a hypothesis inside an alternative",
        claim(ge(x, 0), X, Y, given=(either(ge(x, 0), ge(y, 0)),)),
        Combination(((x,),)),
    ),
    ("strict from a weak hypothesis", claim(gt(x, 1), X, given=(ge(x, 1),)), Combination(((x - 1,),))),
    ("strict from squares", claim(gt(x**2, 0), X), Combination(((x**2,),))),
    ("strict with one weak factor", claim(gt(n * p, 0), N, P), Combination(((n, p),))),
    ("strict from nothing", claim(gt(x, x), X), Combination(())),
    ("an undefined side", claim(ge(1 / x + 1, 1 / x), X), Combination(((sympy.Integer(1),),))),
    ("an undefined factor", claim(ge(x**2, 0), X), Combination(((x**4, x**-2),))),
    ("a root that may not exist", claim(ge(x, 0), X), Combination(((root(x), root(x)),))),
    ("an equation", claim(eq(x, x), X), Combination(())),
    ("an existence claim", claim(ge(n, 0), N, quantifier="exists"), Combination(((n,),))),
]


@pytest.mark.parametrize(("about", "lens"), [w[1:] for w in BROKEN_SUMS], ids=[w[0] for w in BROKEN_SUMS])
def test_a_broken_sum_proves_nothing(about: Claim, lens: Combination) -> None:
    assert not proves(lens, about)


# ------------------------------------------------------------------------------------------------------------ identity

EQUATIONS: list[tuple[str, Claim, Identity]] = [
    ("expansion", claim(eq((x + y) ** 2, x**2 + 2 * x * y + y**2), X, Y), Identity()),
    ("a chain", claim(chain(x**2 - 1, "==", (x - 1) * (x + 1), "==", x * x - 1), X), Identity()),
    ("fractions", claim(eq(1 / p - 1 / (p + 1), 1 / (p * (p + 1))), P), Identity()),
    ("logarithms", claim(eq(log(p**2 * (1 + p)), 2 * log(p) + log(1 + p)), P), Identity()),
    (
        "logarithms of what is positive by hypothesis",
        claim(eq(log((x - 1) ** 2), 2 * log(x - 1)), X, given=(gt(x, 1),)),
        Identity(positive=(x - 1,)),
    ),
    (
        "logarithms beside what is positive by hypothesis",
        claim(
            eq(log(p / (x - y)) + (x - y) ** 2, log(p) - log(x - y) + x**2 - 2 * x * y + y**2),
            X,
            Y,
            P,
            given=(gt(x, y),),
        ),
        Identity(positive=(x - y,)),
    ),
    ("a derivative", claim(eq(sympy.sinh(x), (exp(x) - exp(-x)) / 2), X), Identity(differentiate=(x, sympy.S.Zero))),
]


@pytest.mark.parametrize(("about", "lens"), [w[1:] for w in EQUATIONS], ids=[w[0] for w in EQUATIONS])
def test_an_identity_is_proved(about: Claim, lens: Identity) -> None:
    assert only(lens, about).kind is Kind.SYMBOLIC_PROOF


NO_EQUATIONS: list[tuple[str, Claim, Identity]] = [
    # SymPy's value is no proof: `run_claim` puts a confirmed one in its place before any lens looks.
    ("an integral", claim(eq(sympy.Integral(y, (y, 0, x)), x**2 / 2), X), Identity()),
    ("a wrong constant", claim(eq((x + y) ** 2, x**2 + x * y + y**2), X, Y), Identity()),
    ("a chain with one wrong link", claim(chain(x, "==", x, "==", x + 1), X), Identity()),
    ("a logarithm's branch", claim(eq(log(x**2), 2 * log(x)), X, given=(ne(x, 0),)), Identity()),
    ("a root's branch", claim(eq(root(x**2), x), X), Identity()),
    (
        "a factor that is not positive",
        claim(eq(log((x - 1) ** 2), 2 * log(x - 1)), X, given=(ne(x, 1),)),
        Identity(positive=(x - 1,)),
    ),
    (
        "a factor that is positive only sometimes",
        claim(eq(root(x**2), x), X, given=(ge(x, -1),)),
        Identity(positive=(x,)),
    ),
    (
        "what is positive put back into something else",
        claim(eq(log(p / (x - y)) + (x - y) ** 2, log(p) - log(x - y) + x**2 + y**2), X, Y, P, given=(gt(x, y),)),
        Identity(positive=(x - y,)),
    ),
    ("a removable singularity", claim(eq((x**2 - 1) / (x - 1), x + 1), X), Identity()),
    ("undefined logarithms", claim(eq((log(x) + 1) ** 2, log(x) ** 2 + 2 * log(x) + 1), X), Identity()),
    ("a derivative without the value", claim(eq(x + 1, x), X), Identity(differentiate=(x, sympy.S.Zero))),
    ("a value without the derivative", claim(eq(x**2, x), X), Identity(differentiate=(x, sympy.S.Zero))),
    ("an existence claim", claim(eq(x, x + y - y), X, Y, quantifier="exists"), Identity()),
]


@pytest.mark.parametrize(("about", "lens"), [w[1:] for w in NO_EQUATIONS], ids=[w[0] for w in NO_EQUATIONS])
def test_what_is_no_identity_is_not_proved(about: Claim, lens: Identity) -> None:
    assert not proves(lens, about)


def test_an_identity_has_nothing_to_say_about_inequalities() -> None:
    for conclusion in (ge(x, x), All((eq(x, x), ge(x, x)))):
        assert Identity().run(claim(conclusion, X), Context()) == []


# ------------------------------------------------------------------------------------------------------ deduction, SMT

LOG = claim(le(log(1 + x), x), X, given=(gt(x, -1),), id="test:log")


def test_a_deduction_names_its_premises() -> None:
    about = claim(le(log(1 + p) + p, 2 * p), P)
    found = only(Deduction((Premise("test:log", {x: p}),)), about, LOG)
    assert (found.kind, found.premises, found.finding) == (Kind.DEDUCTION, ("test:log",), Finding.SUPPORTS)


def test_a_deduction_keeps_symbols_of_the_same_name() -> None:
    about = claim(le(log(1 + x), x + 1), X, given=(ge(x, 0),))
    assert proves(Deduction((Premise("test:log"),)), about, LOG)


def test_a_hypothesis_of_a_premise_must_hold_here() -> None:
    about = claim(le(log(1 + x), x), X)
    found = only(Deduction((Premise("test:log"),)), about, LOG)
    assert found.finding is Finding.UNDECIDED
    assert "test:log" in found.summary
    assert "'h0'" in found.summary


def test_a_premise_where_it_applies_says_nothing_elsewhere() -> None:
    bounded = claim(le(root(x - 1), x), X, given=(ge(x, 1),), id="test:root")
    cases = Deduction((Premise("test:root", where_it_applies=True),))
    assert not proves(cases, claim(ge(x, 1), X), bounded)
    assert not proves(cases, claim(ge(x, 1), X), claim(ge(x, 5), X, id="test:root", given=(lt(x, -3),)))
    squares = (
        claim(ge(x**2, x), X, given=(ge(x, 1),), id="test:large"),
        claim(ge(x**2, x), X, given=(le(x, 1),), id="test:small"),
    )
    both_cases = tuple(Premise(c.id, where_it_applies=True) for c in squares)
    assert proves(Deduction(both_cases), claim(ge(x**2, x), X), *squares)


def test_a_premise_without_hypotheses_applies_everywhere() -> None:
    free = claim(ge(exp(x), 1 + x), X, id="test:exp")
    assert proves(Deduction((Premise("test:exp", where_it_applies=True),)), claim(ge(exp(x), x), X), free)


@pytest.mark.parametrize("where_it_applies", [False, True])
def test_a_premise_about_integers_says_nothing_of_other_numbers(where_it_applies: bool) -> None:
    integers = claim(ge((k - 1) * (k - 2), 0), K, id="test:integers")
    about = claim(ge((x - 1) * (x - 2), 0), X, given=(ge(x, 1),))
    lens = Deduction((Premise("test:integers", {k: x}, where_it_applies=where_it_applies),))
    assert not proves(lens, about, integers)
    m = natural("m", lower=0)
    shifted = claim(ge(m.symbol * (m.symbol - 1), 0), m)
    assert proves(Deduction((Premise("test:integers", {k: m.symbol + 1}),)), shifted, integers)
    assert proves(Deduction((Premise("test:integers"),)), claim(ge((k - 1) * (k - 2) + 1, 0), K), integers)


def test_only_universal_claims_of_the_paper_are_premises() -> None:
    about = claim(gt(x, 7), X)
    for other in (
        claim(gt(x, 7), X, quantifier="exists", id="test:other"),
        Claim(id="test:other", title="", source="", where="", kind="remark", informal="words"),
    ):
        assert "not a universal claim" in only(Deduction((Premise("test:other"),)), about, other).summary
    assert not proves(Deduction((Premise("test:none"),)), about)


def test_a_deduction_that_does_not_follow_is_undecided() -> None:
    assert not proves(Deduction((Premise("test:log", {x: p}),)), claim(le(log(1 + p), p / 2), P), LOG)
    assert not proves(Deduction((Premise("test:log", {x: p}),)), claim(le(log(1 + 2 * p), p), P), LOG)


def test_nothing_is_deduced_about_existence() -> None:
    assert Deduction(()).run(claim(ge(x, 0), X, quantifier="exists"), Context()) == []


def test_smt_proves_and_its_models_are_confirmed_and_decide() -> None:
    assert only(Smt(), claim(ge(x**2, 0), X)).kind is Kind.SMT_PROOF
    against = only(Smt(), claim(lt(x**2, 0), X, quantifier="exists"))
    assert (against.kind, against.finding) == (Kind.SMT_PROOF, Finding.REFUTES)
    fails = only(Smt(), claim(gt(x**2, 0), X))
    assert (fails.kind, fails.finding) == (Kind.COUNTEREXAMPLE, Finding.REFUTES)
    assert fails.details["witness"]["values"] == {"x": "0"}
    example = only(Smt(), claim(lt(x, 0), X, quantifier="exists"))
    assert (example.kind, example.finding) == (Kind.EXACT_WITNESS, Finding.SUPPORTS)
    assert not proves(Smt(steps=400_000), claim(le(log(p), p), P))


def test_smt_takes_integers_for_reals_and_a_model_between_them_decides_nothing() -> None:
    assert only(Smt(), claim(ge(5 * (k - 1) * (k - 2), 0), K)).finding is Finding.UNDECIDED
    fails = only(Smt(), claim(ge((k - 1) * (k - 3), 0), K))
    assert (fails.finding, fails.details["witness"]["values"]) == (Finding.REFUTES, {"k": "2"})


@pytest.mark.parametrize("lens", [Smt(), Deduction(()), Identity()])
def test_a_proof_lens_has_nothing_to_say_about_words(lens: Lens) -> None:
    words = Claim(id="test:words", title="", source="", where="", kind="remark", informal="words")
    assert lens.run(words, Context()) == []
