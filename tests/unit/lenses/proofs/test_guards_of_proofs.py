"""The side conditions of a proof: each guard by itself, on a statement that would pass without it."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy import Rational, atan, exp, log, sqrt

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Formula,
    Hypothesis,
    Implies,
    Mutant,
    Variable,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    ne,
    positive,
    real,
)
from rgm_verify.claims.evidence import Evidence, Finding
from rgm_verify.lenses import Combination, Deduction, Identity, Monotone, Premise, Region
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.algebra.smoothness import WAY, on_the_way, smoothness, undefined_on_the_way
from rgm_verify.lenses.base import Context, Lens, stray_symbols
from rgm_verify.lenses.controls import is_trivial, refute_mutants
from rgm_verify.lenses.proofs.premises import facts
from rgm_verify.lenses.solvers.definedness import UNKNOWN, Need, evident, needs, parts
from rgm_verify.lenses.solvers.smt import prove, satisfiable, undefined

R = Rational
X, Y, P, K = real("x"), real("y"), positive("p"), natural("k")
x, y, p, k = (v.symbol for v in (X, Y, P, K))
UNIT = real("u", lower=0, upper=1)
u = UNIT.symbol
STEPS = 2_000_000
HALF, THIRD = R(1, 2), R(1, 3)


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id=rest.pop("id", "t:claim"), title="t", source="s", where="w", kind="k", variables=variables,
        hypotheses=hypotheses, conclusion=conclusion, **rest,
    )  # fmt: skip


def only(lens: Lens, about: Claim, *others: Claim) -> Evidence:
    (found,) = lens.run(about, Context(claims={c.id: c for c in (about, *others)}))
    return found


def open_because(lens: Lens, about: Claim, *others: Claim) -> str:
    found = only(lens, about, *others)
    assert found.finding is Finding.UNDECIDED
    return found.summary


# ------------------------------------------------------------------------------------------------------------------ smt

HARD = x**6 * y + y**6 + x * y**5 - 7 * x**3 * y**2 + 1000


@pytest.mark.parametrize("formula", [ge(sqrt(HARD), 0), ge(1 / HARD, 0), ge(log(HARD), 0)])
def test_a_term_is_not_defined_because_z3_has_not_found_where_it_is_not(formula: Formula) -> None:
    assert "could not show that a term is defined" in undefined([ge(x, 0), ge(y, 0)], formula, steps=1)
    for atoms in (True, False):
        if atoms or not formula.lhs.has(log):  # type: ignore[union-attr]
            assert prove([ge(x, 0), ge(y, 0)], formula, steps=1, atoms=atoms).answer == "unknown"


def test_a_root_below_a_connective_has_its_meaning_where_it_is_defined() -> None:
    n = sympy.Symbol("n", nonnegative=True)
    for root in (sqrt(n), sqrt(x), At(sqrt(x), x, n), At(sqrt(x), x, y), sqrt(sqrt(x) + 1), sqrt(x + n)):
        defined = [ge(x, 0), ge(y, 0), ge(n, 0)]
        for given in (
            either(lt(root, 0), gt(y, 5)),
            Implies(ge(root, 0), gt(y, 5)),
            either(both(lt(root, 0)), gt(y, 5)),
        ):
            assert prove([*defined, given], gt(y, 5), steps=STEPS).answer == "proved"
            if root.free_symbols & {x, y}:
                assert prove([given], gt(y, 5), steps=STEPS).answer != "proved"


def test_roots_of_different_degrees_are_different_numbers() -> None:
    third, fourth, half = p ** R(1, 3), p ** R(1, 4), sqrt(p)
    for one, other in ((third, half), (fourth, half), (third, fourth)):
        assert prove([], eq(one, other), steps=STEPS, atoms=True).answer != "proved"
    assert prove([gt(x, 0)], ge(sqrt(x) ** 3, 0), steps=STEPS).answer == "proved"
    assert prove([eq(x, 4)], eq(x ** R(3, 2), 8), steps=STEPS).answer == "proved"
    assert prove([eq(x, 4)], eq(x ** R(-1, 2), HALF), steps=STEPS).answer == "proved"


def test_a_high_power_of_a_negative_number_may_be_negative() -> None:
    assert prove([lt(x, 0)], ge(x**201, 0), steps=STEPS, atoms=True).answer != "proved"
    assert prove([ne(x, 0)], ge(x**-201, 0), steps=STEPS, atoms=True).answer != "proved"
    assert prove([eq(x, 1)], eq(x**200, 1), steps=STEPS).answer == "proved"


def test_a_root_of_zero_is_not_positive_and_one_of_a_positive_number_is() -> None:
    third = x ** R(1, 3)
    assert prove([ge(x, 0)], ge(third, 0), steps=STEPS, atoms=True).answer == "proved"
    assert prove([ge(x, 0)], gt(third, 0), steps=STEPS, atoms=True).answer != "proved"
    assert prove([gt(x, 0)], gt(third, 0), steps=STEPS, atoms=True).answer == "proved"


def test_the_sign_of_zero_is_zero() -> None:
    assert prove([eq(x, 0)], eq(sympy.sign(x), 0), steps=STEPS).answer == "proved"
    assert prove([lt(x, 0)], eq(sympy.sign(x), -1), steps=STEPS).answer == "proved"
    assert prove([gt(x, 0)], eq(sympy.sign(x), 1), steps=STEPS).answer == "proved"


def test_nothing_is_known_of_a_question_outside_of_arithmetic() -> None:
    foreign = sympy.Symbol("x", positive=True)
    assert satisfiable([gt(foreign, 0), lt(x, 0)], steps=STEPS) == "unknown"
    assert "two different symbols are called x" in undefined([gt(foreign, 0)], ge(1 / x, 0), steps=STEPS)


# ---------------------------------------------------------------------------------------------------------- definedness


@pytest.mark.parametrize(
    ("node", "conditions"),
    [
        (log(x), (gt(x, 0),)),
        (sqrt(x), (ge(x, 0),)),
        (x**y, (gt(x, 0),)),
        (x**p, (ge(x, 0),)),
        (1 / x, (ne(x, 0),)),
        (x**-k, (ne(x, 0),)),
        (x**3, ()),
        (x**k, ()),
        (x ** R(-1, 2), (gt(x, 0),)),
        (exp(x), ()),
        (sympy.gamma(x), (gt(x, 0),)),
        (sympy.uppergamma(x, y), (gt(x, 0), ge(y, 0))),
        (sympy.lowergamma(x, y), (gt(x, 0), ge(y, 0))),
        (sympy.asin(x), (ge(x, -1), le(x, 1))),
        (sympy.erfinv(x), (gt(x, -1), lt(x, 1))),
        (sympy.acosh(x), (ge(x, 1),)),
        (sympy.tan(x), (ne(sympy.cos(x), 0),)),
        (sympy.factorial(x), (gt(x, -1),)),
        (sympy.harmonic(x), (gt(x, -1),)),
        (sympy.airyai(x), (UNKNOWN,)),
        (sympy.Abs(x) + sympy.erf(x), ()),
    ],
)
def test_a_term_is_defined_under_exactly_these_conditions(node: sympy.Expr, conditions: tuple[Formula, ...]) -> None:
    assert needs(node) == conditions


def test_a_log_remainder_is_defined_above_minus_one() -> None:
    from rgm_verify.balls.special import LogRemainder

    assert needs(LogRemainder(2, x)) == (gt(1 + x, 0),)
    assert undefined([gt(x, -1)], ge(LogRemainder(2, x), 0), steps=STEPS) == ""
    assert undefined([ge(x, -1)], ge(LogRemainder(2, x), 0), steps=STEPS) != ""


def test_only_what_declarations_imply_is_evident() -> None:
    n = sympy.Symbol("n", nonnegative=True)
    assert evident(gt(p, 0))
    assert evident(ge(n, 0))
    assert evident(ne(p, 0))
    assert evident(ge(p, 0))
    assert not any(map(evident, (gt(n, 0), ge(x, 0), ne(n, 0), ne(x, 0), gt(x, 0), UNKNOWN)))


def test_the_terms_of_an_expression_come_before_what_is_made_of_them_and_integrals_hide_theirs() -> None:
    assert list(parts(log(sqrt(x)))) == [x, HALF, HALF * log(x)] or list(parts(sqrt(x))) == [x, HALF, sqrt(x)]
    whole = sympy.Integral(1 / x, (x, 1, 2))
    assert list(parts(whole + 1))[-2:] == [whole, whole + 1] or whole in list(parts(whole + 1))
    assert 1 / x not in list(parts(whole + 1))


# ----------------------------------------------------------------------------------------------------------- smoothness


@pytest.mark.parametrize(
    ("expression", "conditions"),
    [
        (log(x), [gt(x, 0)]),
        (sqrt(x), [gt(x, 0)]),
        (x**y, [gt(x, 0)]),
        (x ** R(-3, 2), [gt(x, 0)]),
        (1 / x, [ne(x, 0)]),
        (x**-2, [ne(x, 0)]),
        (x**3, []),
        (exp(x) * sympy.erf(x) + sympy.atan(x) + sympy.tanh(x), []),
        (sqrt(p) + 1 / p + p**x, []),
        (log(p), [gt(p, 0)]),
        (sympy.Abs(x), [UNKNOWN]),
        (sympy.Max(x, 0), [UNKNOWN]),
        (sympy.gamma(x), [gt(x, 0)]),
        (sympy.airyai(x), [UNKNOWN]),
        (sympy.floor(x), [UNKNOWN]),
        (log(1 / x), [gt(1 / x, 0), ne(x, 0)]),
    ],
)
def test_an_expression_is_smooth_under_exactly_these_conditions(expression: sympy.Expr, conditions: list[Need]) -> None:
    assert list(smoothness(expression)) == conditions


def test_the_way_runs_from_the_start_to_the_variable_in_either_direction() -> None:
    between = on_the_way(x, R(1))
    for given, inside in (([eq(x, 2)], (1, 2)), ([eq(x, -3)], (-3, 1)), ([eq(x, 1)], (1, 1))):
        low, high = inside
        assert prove([*given, between], both(ge(WAY, low), le(WAY, high)), steps=STEPS).answer == "proved"
        for end in inside:
            assert prove([*given, eq(WAY, end)], between, steps=STEPS).answer == "proved"


def test_what_breaks_on_the_way_is_named_and_hypotheses_about_the_variable_are_not_about_the_way() -> None:
    assert undefined_on_the_way([ne(x, 0)], 1 / x, x, R(1), STEPS).endswith("w_on_the_way != 0")
    assert undefined_on_the_way([gt(x, 0)], 1 / x, x, R(1), STEPS) == ""
    assert undefined_on_the_way([gt(x, 0)], log(x), x, R(0), STEPS) != ""
    assert undefined_on_the_way([gt(x, 0)], sqrt(x), x, R(1), STEPS) == ""


@pytest.mark.parametrize("kind", [sympy.uppergamma, sympy.lowergamma])
def test_an_incomplete_gamma_function_is_smooth_above_zero_in_its_argument_alone(kind: Any) -> None:
    known = [ge(x, 0), gt(y, 0)]
    assert undefined_on_the_way(known, kind(THIRD, x), x, R(1), STEPS) != ""  # the way may end at 0
    assert undefined_on_the_way([gt(x, 0)], kind(THIRD, x), x, R(1), STEPS) == ""
    assert undefined_on_the_way([gt(x, 0)], kind(p, x), x, R(1), STEPS) == ""
    assert undefined_on_the_way([gt(x, 0)], kind(p, x) * kind(THIRD, 2 * x), x, R(1), STEPS) == ""
    assert undefined_on_the_way([gt(x, 0)], kind(p, x) * kind(THIRD, x - 1), x, R(1), STEPS) != ""
    # A continuous start is enough where only the derivative on the way is asked for.
    assert undefined_on_the_way([ge(x, 0)], kind(THIRD, x), x, R(0), STEPS, from_start=False) == ""
    assert undefined_on_the_way([ge(x, 0)], kind(THIRD, x), x, R(0), STEPS) != ""
    assert undefined_on_the_way([ge(x, 0)], kind(THIRD, x - 1), x, R(0), STEPS, from_start=False) != ""
    # In its order, or of an order that may be 0, nothing is known.
    for order in (x, p + x, y, R(0), R(-1), sympy.Symbol("s", nonnegative=True)):
        found = undefined_on_the_way([gt(x, 0), gt(y, 0)], kind(order, p + x), x, R(1), STEPS)
        assert found.startswith("not shown to be smooth on the way: ")


def test_every_condition_on_the_way_counts_and_those_without_the_variable_do_not() -> None:
    assert undefined_on_the_way([gt(x, 0)], log(x) + 1 / (x - 5), x, R(1), STEPS) != ""
    assert undefined_on_the_way([gt(x, 0)], 1 / (x - 5) + log(x), x, R(1), STEPS) != ""
    assert undefined_on_the_way([gt(x, 0)], sympy.Abs(y) * log(x) + sqrt(y), x, R(1), STEPS) == ""
    assert undefined_on_the_way([gt(x, 0)], sympy.Abs(x) * log(x), x, R(1), STEPS) != ""
    assert list(smoothness(sympy.Abs(y) + 1 / x, x)) == [ne(x, 0)]


def test_a_walk_over_a_jump_whose_derivative_does_not_show_it_proves_nothing() -> None:
    """The derivative of atan(1/x) is -1/(1 + x^2): it has no pole where the function jumps from -pi/2 to pi/2."""
    jump = claim(le(atan(1 / x), 0), X, given=(ne(x, 0), ge(x, -1)))
    assert "smooth on the way" in open_because(Monotone(x, R(-1), 1), jump)
    equal = claim(eq(atan(x) + atan(1 / x), -sympy.pi / 2), X, given=(ne(x, 0),))
    assert "smooth on the way" in open_because(Identity(differentiate=(x, R(-1))), equal)
    rising = claim(le(atan(1 / x), sympy.pi), X, given=(gt(x, 0),))
    assert "sign" not in open_because(Monotone(x, R(-1), 1), rising)


@pytest.mark.parametrize("order", [0, -1, 1.0, 2.5])
def test_the_order_of_a_walk_is_a_positive_integer(order: Any) -> None:
    assert "order of at least 1" in open_because(Monotone(x, R(0), order), claim(ge(x**2, 0), X))


def test_what_a_walk_runs_along_and_starts_from_is_declared() -> None:
    about = claim(ge(x**2, 0), X)
    assert "no variable of the claim" in open_because(Monotone(y, R(0), 1), about)
    assert "undeclared symbol y" in open_because(Monotone(x, y, 1), about)


# ------------------------------------------------------------------------------------------------------------- premises

ABOVE_ONE = real("q", lower=1)
q = ABOVE_ONE.symbol
GROWS = claim(ge(q**2, q), ABOVE_ONE, id="t:grows")
SMALL_Y, LARGE_Y = real("y", lower=0, upper=1), real("y", lower=2)


@pytest.mark.parametrize("where_it_applies", [False, True])
def test_a_premise_is_used_only_in_the_domain_of_its_variables(where_it_applies: bool) -> None:
    for variable, follows in ((SMALL_Y, False), (LARGE_Y, True)):
        s = variable.symbol
        lens = Deduction((Premise("t:grows", {q: s}, where_it_applies=where_it_applies),))
        # A logarithm keeps real arithmetic from proving it without the premise.
        about = claim(ge(s**2 + log(2), s + log(2)), variable)
        assert (only(lens, about, GROWS).finding is Finding.SUPPORTS) is follows
    assert ("domain of q" in open_because(lens_at(SMALL_Y), claim(ge(SMALL_Y.symbol, 0), SMALL_Y), GROWS)) is True


def lens_at(variable: Variable) -> Deduction:
    return Deduction((Premise("t:grows", {q: variable.symbol}),))


def test_a_premise_about_integers_is_not_used_for_a_real_number_of_the_same_name() -> None:
    integers = claim(ge((k - 1) * (k - 2), 0), K, id="t:integers")
    line = real("k", lower=1)
    about = claim(ge((line.symbol - 1) * (line.symbol - 2), 0), line)
    assert "integers k" in open_because(Deduction((Premise("t:integers"),)), about, integers)
    assert "integers k" in open_because(Deduction((Premise("t:integers", {k: line.symbol}),)), about, integers)
    more = claim(ge(k * (k - 1), 0), K)
    assert only(Deduction((Premise("t:integers", {k: k + 1}),)), more, integers).finding is Finding.SUPPORTS


def test_what_stands_for_a_variable_of_a_premise_is_said() -> None:
    about = claim(ge(x, 0), X)
    assert "nothing stands for its variable q" in open_because(Deduction((Premise("t:grows"),)), about, GROWS)
    assert "q + 1 is not a variable" in open_because(Deduction((Premise("t:grows", {q + 1: x}),)), about, GROWS)
    assert "uses the undeclared symbol" in open_because(Deduction((Premise("t:grows", {q: y}),)), about, GROWS)


def test_an_image_may_not_be_caught_by_a_sum_of_the_premise() -> None:
    index = sympy.Symbol("i", integer=True)
    summed = claim(ge(sympy.Sum(p * index**0 * p**index, (index, 1, 3)), 0), P, id="t:sum")
    own = sympy.Symbol("i", real=True)
    variable = Variable(own, lower=None)
    about = claim(ge(own, 0), variable, given=(gt(own, 0),))
    assert "bound in it" in open_because(Deduction((Premise("t:sum", {p: own}),)), about, summed)


def test_images_may_speak_of_the_way_only_in_a_walk() -> None:
    about = claim(ge(x, 0), X)
    square = claim(ge(y**2, 0), Y, id="t:square")
    context = Context(claims={"t:square": square})
    premise = (Premise("t:square", {y: WAY}),)
    assert facts(about, premise, context, way=True).formulas == [ge(WAY**2, 0)]
    assert "undeclared symbol w_on_the_way" in facts(about, premise, context).problem


def test_an_earlier_fact_may_help_a_later_premise_and_a_later_one_may_not() -> None:
    first = claim(ge(exp(x), 1 + x), X, id="t:exponential")
    second = claim(ge(q + 1, 2), ABOVE_ONE, id="t:two")
    n = real("z", lower=0)
    about = claim(ge(exp(n.symbol) + 1, 2), n)
    context = Context(claims={c.id: c for c in (first, second)})
    one, other = Premise("t:exponential", {x: n.symbol}), Premise("t:two", {q: exp(n.symbol)})
    assert facts(about, (one, other), context).problem == ""
    assert "domain of q" in facts(about, (other, one), context).problem


def test_stray_symbols_are_named_with_what_is_declared() -> None:
    about = claim(ge(x, 0), X)
    assert stray_symbols(about, [x + 1, R(2)]) == ""
    assert stray_symbols(about, [WAY], also=(WAY,)) == ""
    assert stray_symbols(about, [y]) == "the undeclared symbol y; declared are: x"
    twin = sympy.Symbol("x", positive=True)
    assert "not the variable of that name (another domain)" in stray_symbols(about, [twin])


# -------------------------------------------------------------------------------------------------------------- algebra


@pytest.mark.parametrize("side", [x, -x])
def test_an_inequation_gives_no_sign(side: sympy.Expr) -> None:
    """Neither the difference of the sides of x != 0 nor its negative is known to be nonnegative."""
    about = claim(ge(side, 0), X, given=(ne(x, 0),))
    assert "not known to be nonnegative" in open_because(Combination(((side,),)), about)


@pytest.mark.parametrize("side", [x, -x])
def test_an_equation_gives_both_signs_and_no_strict_one(side: sympy.Expr) -> None:
    about = claim(ge(side, 0), X, given=(eq(x, 0),))
    assert only(Combination(((side,),)), about).finding is Finding.SUPPORTS
    strict = claim(gt(side, 0), X, given=(eq(x, 0),))
    assert "known to be positive" in open_because(Combination(((side,),)), strict)


def test_a_strict_sum_needs_one_term_with_strict_factors_only() -> None:
    loose, strict = (ge(x, 0), gt(y, 0)), (gt(x, 0), gt(y, 0))
    about = claim(gt(x * y, 0), X, Y, given=loose)
    assert "known to be positive" in open_because(Combination(((x, y),)), about)
    assert only(Combination(((x, y),)), claim(gt(x * y, 0), X, Y, given=strict)).finding is Finding.SUPPORTS
    together = claim(gt(x * y, 0), X, Y, given=(both(*strict),))
    assert only(Combination(((x, y),)), together).finding is Finding.SUPPORTS
    cases = claim(ge(x, 0), X, given=(either(ge(x, 0), ge(x**3, 0)),))
    assert "not known to be nonnegative" in open_because(Combination(((x,),)), cases)


def test_a_part_that_is_not_shown_to_be_positive_is_not_taken_for_positive() -> None:
    """Real arithmetic says nothing of a logarithm: sqrt(log(p)^2) = log(p) fails below 1."""
    about = claim(eq(sqrt(log(p) ** 2), log(p)), P)
    assert "cannot show that log(p) is positive" in open_because(Identity(positive=(log(p),)), about)


def test_the_domain_of_a_variable_makes_a_term_positive() -> None:
    above, not_below = real("q", lower=1, lower_open=True), real("q", lower=1)
    for variable, strict in ((above, True), (not_below, False)):
        gap = variable.symbol - 1
        lens = Combination(((gap, gap),))
        assert only(lens, claim(ge(gap**2, 0), variable)).finding is Finding.SUPPORTS
        assert (only(lens, claim(gt(gap**2, 0), variable)).finding is Finding.SUPPORTS) is strict
        assert only(Combination(((gap,),)), claim(ge(gap, 0), variable)).finding is Finding.SUPPORTS


def test_an_equation_needs_its_sides_defined() -> None:
    about = claim(eq(sympy.Mul(x, 1 / x, evaluate=False), 1), X)
    assert "defined" in open_because(Identity(), about)
    second = claim(both(eq(x + x, 2 * x), eq(log(x**2) - log(x**2), sympy.Mul(0, log(x), evaluate=False))), X)
    assert "defined" in open_because(Identity(), second)


def test_every_equation_of_a_chain_has_to_be_reduced() -> None:
    about = claim(both(eq(x + x, 2 * x), eq(x, 2 * x)), X)
    assert "was not reduced to 0: " in open_because(Identity(), about)
    assert only(Identity(), claim(both(eq((x + 1) ** 2, x**2 + 2 * x + 1), eq(x + x, 2 * x)), X)).finding is (
        Finding.SUPPORTS
    )
    assert Identity().run(claim(both(eq(x, x), ge(x, x)), X), Context()) == []
    one, other = eq((x + 1) ** 2, x**2 + 2 * x + 1), eq(x + x, 2 * x)
    for formula in (either(one, other), Implies(one, other), Implies(eq(x, 1), eq(x**2, 1)), both(one, ge(x**2, 0))):
        assert Identity().run(claim(formula, X), Context()) == []


def test_a_zero_slope_and_a_zero_are_both_needed() -> None:
    start = Identity(differentiate=(p, R(1)))
    assert only(start, claim(eq(log(p**2), 2 * log(p)), P)).finding is Finding.SUPPORTS
    assert open_because(start, claim(eq(log(p**2), 2 * log(p) + 1), P))
    assert open_because(start, claim(eq(log(p**2), 2 * log(p) + p - 1), P))
    assert "is not a variable" in open_because(Identity(differentiate=(p**2, R(1))), claim(eq(p, p), P))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "how"),
    [
        (x - x, "evaluation"),
        ((x + 1) ** 2 - x**2 - 2 * x - 1, "expansion"),
        (1 / (1 + p) + p / (1 + p) - 1, "a common denominator"),
        (log(p**2) - 2 * log(p), "evaluation"),
        (log(p * exp(y)) - log(p) - y, "expanded logarithms"),
        (log(1 + 2 * p + p**2) - 2 * log(1 + p), "factored logarithms"),
        (sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1, "simplification"),
    ],
)
def test_zero_is_recognised_and_the_reduction_is_named(value: sympy.Expr, how: str) -> None:
    assert is_zero(value) in (how, "evaluation", "expansion")
    assert is_zero(value + R(1, 10**9)) == ""


# --------------------------------------------------------------------------------------------------------------- region

SAME = Chart({u: (0, 1)}, {u: u}, {u: u})


def test_a_factor_that_vanishes_somewhere_is_not_positive() -> None:
    """u^2 > 0 fails at 0, though it is u^2 times 1."""
    lens = Region(chart=SAME, target=sympy.S.One, factor=u**2)
    assert "not shown to be positive" in open_because(lens, claim(gt(u**2, 0), UNIT))


@pytest.mark.parametrize("conclusion", [le(u, HALF), ge(u, HALF)])
def test_an_inequation_among_the_hypotheses_drops_no_box(conclusion: Formula) -> None:
    found = only(Region(), claim(conclusion, UNIT, given=(ne(u, HALF),)))
    assert found.finding is Finding.REFUTES


@pytest.mark.parametrize("given", [lt(u, HALF), le(u, HALF), gt(HALF, u), ge(HALF, u)])
def test_each_inequality_among_the_hypotheses_drops_the_boxes_where_it_fails(given: Formula) -> None:
    assert only(Region(), claim(le(u, R(51, 100)), UNIT, given=(given,))).finding is Finding.SUPPORTS
    assert only(Region(), claim(le(u, R(49, 100)), UNIT, given=(given,))).finding is Finding.REFUTES


def test_a_hypothesis_that_constants_contradict_certifies_nothing() -> None:
    about = claim(le(u, HALF), UNIT, given=(le(sympy.Integer(3), 2),))
    assert "the claim was not decided" in open_because(Region(), about)


def test_a_coordinate_may_not_have_the_name_of_a_variable_that_it_is_not() -> None:
    twin = sympy.Symbol("u", real=True)
    chart = Chart({twin: (0, 1)}, {u: twin}, {twin: u})
    assert "another symbol" in open_because(Region(chart=chart), claim(ge(u, 0), UNIT))


# ------------------------------------------------------------------------------------------------------------- controls


class Noted(Lens):
    """A lens that looks and decides nothing."""

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        return [self.undecided((), "nothing seen"), self.against((), "it looks wrong")]


def test_a_note_kills_no_control() -> None:
    about = claim(ge(x**2, 0), X, mutants=(Mutant("true as well", conclusion=ge(x**2 + 1, 0)),))
    (result,) = refute_mutants(about, (Noted(),), Context())
    assert (result["killed"], result["how"], result["witness"]) == (False, "no lens refuted it", None)


def test_a_control_that_constants_decide_is_none() -> None:
    about = claim(ge(x**2, 0), X)
    for conclusion, trivial in (
        (lt(sympy.S.One, 0), True),
        (ge(x - x, 1), True),
        (ge((x + 1) * (x - 1) - x**2, 0), True),
        (ge(x, 0), False),
        (both(lt(sympy.S.One, 0), ge(x, 0)), False),
    ):
        assert is_trivial(about, Mutant("m", conclusion=conclusion)) is trivial
    assert not is_trivial(about, Mutant("m", hypotheses=()))
    assert not is_trivial(claim(lt(sympy.E, 3)), Mutant("m", conclusion=lt(sympy.E, 2)))
    (result,) = refute_mutants(
        claim(ge(x**2, 0), X, mutants=(Mutant("m", conclusion=lt(sympy.S.One, 0)),)), (), Context()
    )
    assert (result["killed"], result["trivial"]) == (False, True)
