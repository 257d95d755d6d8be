"""Exact worlds: what fails in one is found and shown exactly, and what cannot be refuted is not called supported."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
import sympy

from rgm_verify.claims import Claim, ClaimError, Hypothesis, Mutant, eq, ge, le, nonnegative, real
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.outcome.ledger import Witness
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses import Smt, Worlds
from rgm_verify.lenses.base import FULL, QUICK, Context
from rgm_verify.lenses.worlds import exact as worlds
from rgm_verify.lenses.worlds.exact import (
    Failure,
    OutsideError,
    Slack,
    World,
    at_most,
    certain,
    equal,
    evaluate,
    every,
    holds,
    is_control,
    leaves,
    relative,
    replaced,
    require,
    root_at_most,
    same,
    simplified,
)
from rgm_verify.lenses.worlds.library import ordered_matrices, ordered_pair, size, vector
from rgm_verify.lenses.worlds.linear import apply, diagonal, dot, inverse, plus, squared
from rgm_verify.lenses.worlds.reduction import cosine, norm

X = real("x")
CLAIM = Claim("test:claim", "A claim", "test", "nowhere", "remark", variables=(X,), conclusion=eq(X.symbol, X.symbol))


def look(lens: Worlds, claim: Claim = CLAIM, seed: int = 0, **context: Any) -> Evidence:
    (found,) = lens.run(claim, Context(seed=seed, **context))
    return found


def two_vectors(generator: np.random.Generator) -> World:
    return {"x": vector(generator, 2), "y": vector(generator, 2)}


def cauchy(world: World, factor: Fraction = Fraction(1)) -> Slack:
    x, y = world["x"], world["y"]
    return at_most(dot(x, y) ** 2, factor * squared(x) * squared(y))


def nine_tenths(world: World) -> Slack:
    return cauchy(world, Fraction(9, 10))


def fails_in_a_corner(world: World) -> Slack:
    """False only where both coordinates are close to 7: no drawn world is there."""
    x, y = world["x"]
    distance = (x - 7) ** 2 + (y - 7) ** 2
    return at_most(Fraction(1, 100), distance)


def inverse_squares(world: World) -> Slack:
    """True of matrices that commute, and false of others."""
    a, c = ordered_matrices(world)
    left, right = squared(apply(inverse(a), world["x"])), squared(apply(inverse(c), world["x"]))
    return at_most(world["rho"] ** 2 * left, right)


def commuting(generator: np.random.Generator) -> World:
    d = 2
    root = diagonal([size(generator) for _ in range(d)])
    return {
        "root": root,
        "ridge": size(generator),
        "above": diagonal([size(generator) for _ in range(d)]),
        "rho": size(generator),
        "x": vector(generator, d),
    }


#: Squared norms of two vectors, and their inner product.
GRAM = (nonnegative("p"), nonnegative("q"), real("s"))
NUMBERS = tuple(v.symbol for v in GRAM)


def gram_claim(factor: Fraction = Fraction(1)) -> Claim:
    """Cauchy-Schwarz by three numbers, which is false with a factor below 1."""
    p, q, s = NUMBERS
    semidefinite = Hypothesis("the Gram determinant", ge(p * q, s**2))
    conclusion = le(s**2, sympy.Rational(factor.numerator, factor.denominator) * p * q)
    return replace(
        CLAIM,
        variables=GRAM,
        hypotheses=(semidefinite,),
        conclusion=conclusion,
        mutants=(Mutant("half", le(s**2, p * q / 2)),),
    )


def of_vectors(world: World) -> tuple[Fraction, ...]:
    x, y = world["x"], world["y"]
    return squared(x), squared(y), dot(x, y)


def one_of_vectors(world: World, place: int) -> Fraction:
    return of_vectors(world)[place]


SCHWARZ = Worlds("Cauchy-Schwarz", two_vectors, cauchy, {"nine tenths": nine_tenths})
BY_NUMBERS = Worlds("Cauchy-Schwarz with 9/10", two_vectors, nine_tenths)


def test_a_true_statement_is_supported_with_its_controls() -> None:
    found = look(Worlds("Cauchy-Schwarz", two_vectors, cauchy, {"nine tenths": nine_tenths}))
    assert (found.finding, found.kind, found.families) == (Finding.SUPPORTS, Kind.NOTE, ("fractions",))
    assert found.details["worlds"] == 4 * QUICK.points + 48
    assert found.details["controls"] == ["nine tenths"]
    assert "Cauchy-Schwarz" in found.summary


def test_a_false_statement_is_refuted_by_a_world_that_can_be_pasted() -> None:
    found = look(BY_NUMBERS.mapped(of_vectors, *NUMBERS), gram_claim(Fraction(9, 10)))
    assert (found.finding, found.kind) == (Finding.REFUTES, Kind.COUNTEREXAMPLE)
    witness = Witness(**found.details["witness"])
    names: dict[str, Any] = {}
    exec(witness.snippet, names)
    assert nine_tenths(names["world"]).slack == Fraction(found.details["slack"]) < 0


def test_the_adversary_finds_what_no_drawn_world_shows() -> None:
    def far(generator: np.random.Generator) -> World:
        return {"x": (Fraction(int(generator.integers(0, 3))), Fraction(1))}

    lens = Worlds("a corner", far, fails_in_a_corner)
    found = look(lens)
    assert found.finding is Finding.CONTRADICTS
    drawn = [far(np.random.default_rng(i)) for i in range(50)]
    assert all(fails_in_a_corner(w).slack >= 0 for w in drawn)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_true_by_commuting_alone_is_refuted_by_a_world_that_does_not_commute(seed: int) -> None:
    found = look(Worlds("squares of inverses", ordered_pair, inverse_squares), seed=seed)
    assert found.finding is Finding.CONTRADICTS
    names: dict[str, Any] = {}
    exec(Witness(**found.details["witness"]).snippet, names)
    a, c = ordered_matrices(names["world"])
    assert any(
        dot(a[i], tuple(r[j] for r in c)) != dot(c[i], tuple(r[j] for r in a)) for i in range(2) for j in range(2)
    )


def test_among_commuting_matrices_the_same_statement_is_supported() -> None:
    def adversary_stays_diagonal(world: World) -> Slack:
        require(all(world[n][i][1 - i] == 0 for n in ("root", "above") for i in (0, 1)))
        return inverse_squares(world)

    lens = Worlds("squares of inverses", commuting, adversary_stays_diagonal, {"the other way round": _exchanged})
    assert look(lens).finding is Finding.SUPPORTS


def _exchanged(world: World) -> Slack:
    found = inverse_squares(world)
    return Slack(-found.slack, found.scale)


def test_a_lens_whose_control_survives_is_undecided() -> None:
    found = look(
        Worlds("Cauchy-Schwarz", two_vectors, cauchy, {"twice, which is true": lambda w: cauchy(w, Fraction(2))})
    )
    assert found.finding is Finding.UNDECIDED
    assert "twice, which is true" in found.summary


def test_a_lens_without_a_control_is_undecided() -> None:
    assert look(Worlds("Cauchy-Schwarz", two_vectors, cauchy)).finding is Finding.UNDECIDED


def test_worlds_that_break_a_hypothesis_are_put_away_and_too_few_that_are_left_decide_nothing() -> None:
    def rarely(world: World) -> Slack:
        require(world["x"][0] == 6)
        return cauchy(world)

    def often(world: World) -> Slack:
        require(world["x"][0] >= 0)
        return cauchy(world)

    few = look(Worlds("Cauchy-Schwarz", two_vectors, rarely, {"nine tenths": nine_tenths}))
    assert few.finding is Finding.UNDECIDED
    assert "meet the hypotheses" in few.summary
    enough = look(Worlds("Cauchy-Schwarz", two_vectors, often, {"nine tenths": nine_tenths}))
    assert enough.details["put_away"] > 0
    assert enough.details["worlds"] + enough.details["put_away"] == 4 * QUICK.points + 48


def test_a_division_by_zero_puts_a_world_away() -> None:
    def quotient(world: World) -> Slack:
        return equal(world["x"][0] / world["x"][0], Fraction(1))

    found = look(
        Worlds("a quotient", two_vectors, quotient, {"two": lambda w: equal(w["x"][0] / w["x"][0], Fraction(2))})
    )
    assert found.finding is Finding.SUPPORTS
    assert found.details["put_away"] > 0


def test_a_failure_by_rounding_is_not_a_failure() -> None:
    """Over floats the two sides differ in the last digit; over Fractions they are equal."""

    def tenth(world: World) -> Slack:
        x = world["x"][0]
        return at_most(x / 10 + x / 5, 3 * x / 10)

    lens = Worlds("a sum", two_vectors, tenth, {"less": lambda w: at_most(w["x"][0], w["x"][0] * 9 / 10)})
    assert look(lens).finding is Finding.SUPPORTS


def test_a_statement_that_uses_floats_is_not_exact() -> None:
    with pytest.raises(TypeError, match="not exact"):
        look(Worlds("a float", two_vectors, lambda w: at_most(0.1 * w["x"][0], w["x"][0])))


def test_mutants_of_the_claim_are_not_the_business_of_worlds() -> None:
    lens = Worlds("Cauchy-Schwarz", two_vectors, cauchy, {"nine tenths": nine_tenths})
    claims = {CLAIM.id: CLAIM}
    assert lens.run(replace(CLAIM, conclusion=ge(X.symbol, 0)), Context(claims=claims)) == []
    assert lens.run(replace(CLAIM, hypotheses=(Hypothesis("h", ge(X.symbol, 0)),)), Context(claims=claims)) == []
    assert look(lens, claims=claims).finding is Finding.SUPPORTS


def test_the_same_worlds_are_drawn_every_time() -> None:
    lens = Worlds("Cauchy-Schwarz", two_vectors, cauchy, {"nine tenths": nine_tenths})
    assert look(lens).to_json() == look(lens).to_json()


def test_more_worlds_are_drawn_in_the_full_profile() -> None:
    lens = Worlds("Cauchy-Schwarz", two_vectors, cauchy, {"nine tenths": nine_tenths})
    assert look(lens, profile=replace(FULL, refinements=6)).details["worlds"] > look(lens).details["worlds"]


def test_the_signature_follows_the_statement() -> None:
    first = Worlds("a", two_vectors, cauchy, {"b": nine_tenths})
    second = Worlds("a", two_vectors, fails_in_a_corner, {"b": nine_tenths})
    assert first.signature() != second.signature()


def test_the_signature_follows_the_methods_of_a_class_that_the_statement_uses() -> None:
    def statement(factor: int) -> Any:
        class Pair:
            @property
            def twice(self) -> Fraction:
                return Fraction(factor)

        def holds(world: World) -> Slack:
            return at_most(Fraction(0), Pair().twice)

        return holds

    def other() -> Any:
        class Pair:
            @property
            def twice(self) -> Fraction:
                return Fraction(1) + Fraction(1)

        def holds(world: World) -> Slack:
            return at_most(Fraction(0), Pair().twice)

        return holds

    first, same_again, second, third = (
        Worlds("a", two_vectors, s).signature() for s in (statement(2), statement(2), statement(3), other())
    )
    assert first == same_again
    assert len({first, second, third}) == 3


@pytest.mark.parametrize(
    ("squares", "true"), [((9, 4, 1), True), ((9, 1, 1), False), ((4, 1, 1), True), ((5, 1, 1), False)]
)
def test_norms_are_compared_by_their_squares(squares: tuple[int, int, int], true: bool) -> None:
    assert (root_at_most(*map(Fraction, squares)).slack >= 0) is true


def test_leaves_are_put_back_in_order() -> None:
    world = {"x": (Fraction(1), (Fraction(2), 5)), "n": 3, "y": Fraction(4)}
    assert leaves(world) == [1, 2, 4]
    assert replaced(world, iter([7, 8, 9])) == {"x": (7, (8, 5)), "n": 3, "y": 9}


def test_a_reduction_that_is_proved_and_a_statement_that_fails_contradict_each_other() -> None:
    """The formula is true; what it was said to stand for is not: the verdict is not a positive one."""
    lens = Worlds("squares of inverses, as if they commuted", ordered_pair, inverse_squares)
    claim = replace(
        CLAIM, conclusion=ge(X.symbol**2, 0), checks=(Smt(), lens), mutants=(Mutant("sign", ge(X.symbol, 0)),)
    )
    record = run_claim(claim, Context(claims={claim.id: claim}))
    assert {e["finding"] for e in record["evidence"]} == {"supports", "contradicts"}
    verdict = judge(read_record(record), {})
    assert verdict.verdict is Verdict.UNDECIDED
    assert "contradictory" in verdict.reason


def test_a_reduction_and_its_statement_together_are_proved() -> None:
    claim = replace(gram_claim(), checks=(Smt(), SCHWARZ.mapped(of_vectors, *NUMBERS)))
    record = run_claim(claim, Context(claims={claim.id: claim}))
    assert judge(read_record(record), {}).verdict is Verdict.PROVED
    assert [m["killed"] for m in record["mutants"]] == [True]


# ------------------------------------------------------------------------------------- the map to the claim's symbols


def test_with_a_map_that_agrees_worlds_are_a_route() -> None:
    found = look(SCHWARZ.mapped(of_vectors, *NUMBERS), gram_claim())
    assert (found.finding, found.kind) == (Finding.SUPPORTS, Kind.NUMERICAL_ROUTE)
    assert found.families == ("fractions", "arb")
    assert found.details["points"] > 6


def test_a_map_may_have_one_function_for_each_variable() -> None:
    each = {s: partial(one_of_vectors, place=i) for i, s in enumerate(NUMBERS)}
    assert look(replace(SCHWARZ, quantities=each), gram_claim()).kind is Kind.NUMERICAL_ROUTE


def test_norms_and_cosines_are_exact_constants() -> None:
    a, b, c, d = (nonnegative("a"), nonnegative("b"), real("c", lower=-1, upper=1), nonnegative("d"))
    triangle = replace(
        CLAIM,
        variables=(a, b, c, d),
        hypotheses=(
            Hypothesis("cosines", eq(d.symbol**2, a.symbol**2 + b.symbol**2 + 2 * a.symbol * b.symbol * c.symbol)),
        ),
        conclusion=le(d.symbol, a.symbol + b.symbol),
    )

    def numbers(world: World) -> tuple[Any, ...]:
        x, y = world["x"], world["y"]
        return norm(x), norm(y), cosine(x, y), norm(plus(x, y))

    def statement(world: World) -> Slack:
        x, y = world["x"], world["y"]
        return root_at_most(squared(plus(x, y)), squared(x), squared(y))

    def without_cross_term(world: World) -> Slack:
        return at_most(squared(plus(world["x"], world["y"])), squared(world["x"]) + squared(world["y"]))

    lens = Worlds("the triangle inequality", two_vectors, statement, {"Pythagoras": without_cross_term})
    found = look(lens.mapped(numbers, *(v.symbol for v in (a, b, c, d))), triangle)
    assert (found.kind, found.finding) == (Kind.NUMERICAL_ROUTE, Finding.SUPPORTS)


def test_a_constant_statement_is_no_route() -> None:
    """The case of a claim that is false everywhere, and of a lens that has nothing to do with it."""
    idle = Worlds("1 is positive", two_vectors, lambda _: Slack(1, 1), {"no": lambda _: Slack(-1, 1)})
    found = look(idle, gram_claim())
    assert (found.finding, found.kind) == (Finding.SUPPORTS, Kind.NOTE)
    sure = {"kind": "symbolic proof", "finding": "supports", "families": ["sympy"], "summary": "s", "lens": "l"}
    record = {"informal": "", "evidence": [sure, found.to_json()], "mutants": [], "quantifier": "forall"}
    assert "no independent numerical route" in judge(read_record(record), {}).reason


def test_a_constant_statement_with_a_map_is_checked_against_the_claim() -> None:
    idle = Worlds("1 is positive", two_vectors, lambda _: Slack(1, 1), {"no": lambda _: Slack(-1, 1)})
    found = look(idle.mapped(of_vectors, *NUMBERS), gram_claim(Fraction(1, 10)))
    assert found.finding is Finding.UNDECIDED
    assert "the claim's formula fails at p = " in found.summary
    same_point = look(idle.mapped(lambda _: (1, 1, 1), *NUMBERS), gram_claim())
    assert same_point.finding is Finding.UNDECIDED
    assert "to the same point" in same_point.summary


def wrong_sign(world: World) -> Slack:
    return Slack(-cauchy(world).slack, cauchy(world).scale)


def test_a_wrong_sign_does_not_refute_a_true_claim() -> None:
    lens = Worlds("Cauchy-Schwarz, the other way", two_vectors, wrong_sign)
    alone = look(lens, gram_claim())
    assert (alone.finding, alone.kind) == (Finding.CONTRADICTS, Kind.NOTE)
    mapped = look(lens.mapped(of_vectors, *NUMBERS), gram_claim())
    assert (mapped.finding, mapped.kind) == (Finding.UNDECIDED, Kind.NOTE)
    assert "in the world x = (" in mapped.summary
    assert "the statement fails, but the claim's formula holds at p = " in mapped.summary
    claim = replace(gram_claim(), checks=(Smt(), lens))
    assert judge(read_record(run_claim(claim, Context(claims={claim.id: claim}))), {}).verdict is Verdict.UNDECIDED


def test_a_world_that_is_outside_of_the_claim_is_named() -> None:
    def half_of_the_product(world: World) -> tuple[Fraction, ...]:
        p, q, r = of_vectors(world)
        return p, q - 1, r

    found = look(SCHWARZ.mapped(half_of_the_product, *NUMBERS), gram_claim())
    assert found.finding is Finding.UNDECIDED
    assert "in the world x = (" in found.summary
    assert "not certain to be an admissible point" in found.summary


def test_a_quantity_without_a_value_leaves_the_lens_undecided() -> None:
    def quotient(world: World) -> tuple[Fraction, ...]:
        return (world["x"][0] / 0, *of_vectors(world)[1:])

    found = look(SCHWARZ.mapped(quotient, *NUMBERS), gram_claim())
    assert found.finding is Finding.UNDECIDED
    assert "has no value" in found.summary


def test_a_map_of_only_some_variables_is_refused() -> None:
    with pytest.raises(ClaimError, match=r"no quantity for s; give quantities= for each of: p, q, s"):
        look(SCHWARZ.mapped(lambda world: of_vectors(world)[:2], *NUMBERS[:2]), gram_claim())
    with pytest.raises(ClaimError, match="x is no variable of it"):
        look(SCHWARZ.mapped(lambda world: (*of_vectors(world), 1), *NUMBERS, X.symbol), gram_claim())
    with pytest.raises(TypeError, match="2 values for 3 variables"):
        look(SCHWARZ.mapped(lambda world: of_vectors(world)[:2], *NUMBERS), gram_claim())


@pytest.mark.parametrize("value", [0.5, sympy.Float(1), sympy.I, sympy.Symbol("z"), True, "1"])
def test_a_quantity_that_is_not_exact_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="not exact"):
        look(SCHWARZ.mapped(lambda world: (value, *of_vectors(world)[1:]), *NUMBERS), gram_claim())


def test_a_world_is_no_counterexample_to_existence() -> None:
    claim = replace(gram_claim(Fraction(9, 10)), quantifier="exists", mutants=())
    assert look(BY_NUMBERS.mapped(of_vectors, *NUMBERS), claim).finding is Finding.CONTRADICTS


def test_the_signature_follows_the_map() -> None:
    first, second = SCHWARZ.mapped(of_vectors, *NUMBERS), SCHWARZ.mapped(of_vectors, *NUMBERS[::-1])
    assert len({SCHWARZ.signature(), first.signature(), second.signature()}) == 3
    look(first, gram_claim())
    assert first.signature() == SCHWARZ.mapped(of_vectors, *NUMBERS).signature()


# ------------------------------------------------------------------------------------------- the parts of the lens

half, third = Fraction(1, 2), Fraction(1, 3)


def test_a_slack_is_what_is_missing_against_the_size_of_what_was_compared() -> None:
    assert at_most(Fraction(-3), Fraction(2)) == (5, 5)
    assert at_most(Fraction(3), Fraction(2)) == (-1, 5)
    assert equal(Fraction(3), Fraction(-2)) == (-5, 5)
    assert equal(Fraction(-2), Fraction(-2)) == (0, 4)
    assert holds(1) == (1, 1)
    assert holds(()) == (-1, 1)
    assert relative(Slack(half, 2)) == Fraction(1, 4)
    assert relative(Slack(Fraction(0), 0)) == 0
    assert every(Slack(1, 2), Slack(-1, 9), Slack(3, 4)) == (-1, 9)
    assert every(Slack(2, 10), Slack(1, 10**6)) == (1, 10**6)
    assert same((half, third), (half, third)).slack == 0
    assert same((half, third), (half, half)) == (-Fraction(1, 6), Fraction(5, 6))
    with pytest.raises(ValueError, match="longer"):
        same((half,), (half, third))


@pytest.mark.parametrize(
    ("square", "first", "second", "found"),
    [(9, 4, 1, (0, 32)), (9, 1, 1, (4 - 49, 4 + 49)), (4, 1, 1, (0, 8)), (2, 1, 1, (0, 4)), (1, 1, 1, (1, 3)),
     (0, 2, 3, (5, 5)), (5, 1, 1, (-5, 13)), (6, 2, 3, (23, 25))],
)  # fmt: skip
def test_the_slack_of_a_triangle_inequality_is_that_of_its_square(
    square: int, first: int, second: int, found: tuple[int, int]
) -> None:
    assert root_at_most(*map(Fraction, (square, first, second))) == found


def test_a_world_outside_of_the_hypotheses_has_no_slack() -> None:
    require(1)
    with pytest.raises(OutsideError):
        require(0)

    def statement(world: World) -> Slack:
        require(world["x"] != 2)
        return at_most(1 / world["x"], Fraction(1))

    assert evaluate(statement, {"x": Fraction(2)}) is certain(statement, {"x": Fraction(2)}) is None
    assert evaluate(statement, {"x": Fraction(0)}) is None
    assert certain(statement, {"x": Fraction(4)}) == (Fraction(3, 4), Fraction(5, 4))
    assert certain(lambda _: Slack(1, 2), {}) == (1, 2)
    for wrong in (Slack(0.5, 1), Slack(1, 0.5)):
        with pytest.raises(TypeError, match="not exact"):
            certain(lambda _, wrong=wrong: wrong, {})


@pytest.mark.parametrize(
    ("fails", "value", "expected"),
    [
        (lambda v: v > 0, Fraction(17, 3), 1),
        (lambda v: v >= 0, Fraction(17, 3), 0),
        (lambda v: v < 0, Fraction(-17, 3), -1),
        (lambda v: v > 5, Fraction(17, 3), 6),
        (lambda v: half < v < 1, Fraction(57, 100), None),
        (lambda v: 0 < v < 1, Fraction(57, 100), half),
        (lambda v: 0 < v < Fraction(4, 10), Fraction(36, 100), third),
        (lambda v: 0 < v < Fraction(3, 10), Fraction(26, 100), Fraction(1, 4)),
        (lambda v: abs(v) == 1, Fraction(1), 1),
        (lambda v: v in (2, 0), Fraction(2), 0),
        (lambda v: v in (2, 3), Fraction(2), 2),
    ],
)
def test_a_failure_is_made_as_simple_as_it_can_be(fails: Any, value: Fraction, expected: Fraction | None) -> None:
    def statement(world: World) -> Slack:
        return holds(not fails(world["x"]))

    found = simplified(statement, Failure({"x": value}, Slack(-1, 1)))
    assert found.world == {"x": value if expected is None else expected}
    assert found.found == (-1, 1)


def test_every_coordinate_of_a_failure_is_made_simple_in_turn() -> None:
    def statement(world: World) -> Slack:
        a, b = world["x"]
        require(a != 0)
        return at_most(a, b)

    failure = Failure({"x": (Fraction(71, 9), Fraction(-22, 7)), "n": 3}, Slack(-1, 1))
    found = simplified(statement, failure)
    assert found.world == {"x": (1, 0), "n": 3}
    assert found.found == (-1, 1)


def drawn_worlds(count: int, good: int) -> Any:
    """A generator of worlds 1, 2, ... of which the first `good` meet `is_good`, at slacks 1/1, 1/2, ..."""
    numbers = iter(range(1, count + 1))
    return lambda _: {"x": Fraction(next(numbers))}, lambda world: require(world["x"] <= good)


@pytest.mark.parametrize(
    ("count", "good", "enough"), [(60, 10, True), (60, 9, False), (24, 6, True), (24, 5, False), (600, 100, True),
                                  (600, 99, False)]
)  # fmt: skip
def test_a_sixth_of_the_worlds_and_six_of_them_have_to_meet_the_hypotheses(count: int, good: int, enough: bool) -> None:
    draws, meets = drawn_worlds(count, good)

    def statement(world: World) -> Slack:
        meets(world)
        return at_most(Fraction(0), world["x"])

    found = look(Worlds("s", draws, statement, {"no": lambda _: Slack(-1, 1)}, count=count))
    assert found.finding is (Finding.SUPPORTS if enough else Finding.UNDECIDED)
    assert (f"only {good} of {count} worlds" in found.summary) is not enough
    assert (found.details["worlds"], found.details["put_away"]) == (good, count - good)


@pytest.mark.parametrize(("values", "finding"), [(2, Finding.SUPPORTS), (1, Finding.UNDECIDED)])
def test_two_points_of_the_claim_are_enough(values: int, finding: Finding) -> None:
    about = replace(CLAIM, conclusion=ge(X.symbol, 0))
    lens = Worlds("s", two_vectors, lambda _: Slack(1, 1), {"no": lambda _: Slack(-1, 1)})
    found = look(lens.mapped(lambda world: (int(world["x"][0] > 0) % values,), X.symbol), about)
    assert found.finding is finding
    assert finding is Finding.UNDECIDED or found.details["points"] == 2


def test_the_effort_follows_the_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(worlds, "adversary", lambda _, starts, evaluations: seen.append((len(starts), evaluations)))
    for profile, expected in ((QUICK, (4, 40 * 6)), (FULL, (10, 40 * 20)), (replace(QUICK, refinements=24), (6, 800))):
        seen.clear()
        look(SCHWARZ, profile=replace(profile, points=12))
        assert seen == [expected]  # the control fails in a drawn world


@pytest.mark.parametrize("without", ["worlds", "statement"])
def test_a_lens_without_worlds_or_a_statement_says_nothing(without: str) -> None:
    assert replace(SCHWARZ, **{without: None}).run(CLAIM, Context()) == []


def test_a_failure_that_is_refuted_by_the_claim_is_a_counterexample_in_both_worlds() -> None:
    """The world that is found and the simpler one have both to break the claim's formula."""
    about = replace(CLAIM, conclusion=le(X.symbol, 5))
    lens = Worlds("at most 5", lambda _: {"x": Fraction(29, 3)}, lambda world: at_most(world["x"], Fraction(5)))
    found = look(lens.mapped(lambda world: (world["x"],), X.symbol), about)
    assert (found.finding, found.details["witness"]["values"]) == (Finding.REFUTES, {"x": "10"})
    off = look(lens.mapped(lambda world: (world["x"] if world["x"] == 10 else 0,), X.symbol), about)
    assert off.finding is Finding.UNDECIDED
    assert "in the world x = 29/3 the statement fails, but the claim's formula holds" in off.summary


def test_a_control_is_another_formula_or_other_hypotheses_of_a_claim_that_is_known() -> None:
    other = replace(CLAIM, conclusion=ge(X.symbol, 0))
    fewer = replace(CLAIM, hypotheses=(Hypothesis("h", ge(X.symbol, 0)),))
    known = Context(claims={CLAIM.id: CLAIM})
    assert [is_control(c, known) for c in (CLAIM, other, fewer)] == [False, True, True]
    assert not any(is_control(c, Context()) for c in (CLAIM, other, fewer))


def test_only_fractions_are_moved() -> None:
    world = {"x": (Fraction(1), (2, "a", (Fraction(3), 0.5))), "f": {"g": Fraction(4)}, "n": 3}
    assert leaves(world) == [1, 3, 4]
    assert replaced(world, iter("abc")) == {"x": ("a", (2, "a", ("b", 0.5))), "f": {"g": "c"}, "n": 3}
