"""Points, searches, integrals, simulations, units and printed numbers: they find what is wrong and claim no proof."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from rgm_verify import check
from rgm_verify.claims import (
    Chart,
    Claim,
    Formula,
    FormulaError,
    Hypothesis,
    Iff,
    Implies,
    Tightness,
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
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.evidence import Evidence, EvidenceError, Finding, Kind
from rgm_verify.claims.formula import holds
from rgm_verify.claims.outcome.record import Witness as Record
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.lenses import Points, Quadrature, Search, Simulation, Units, rounds_to
from rgm_verify.lenses.base import Context, Lens, Profile, fraction_text
from rgm_verify.lenses.distributions.simulation import Interval
from rgm_verify.lenses.points.axes import Coordinate, draw, simple_values
from rgm_verify.lenses.points.interval import CannotEnclose, enclose_by_intervals, sign_by_intervals
from rgm_verify.lenses.points.numeric import mpmath_truth, mpmath_value
from rgm_verify.lenses.points.search import complexity, find, simpler_values
from rgm_verify.lenses.proofs.tightness import measure
from rgm_verify.statements.checking import FAULT

X, P, N, K = real("x"), positive("p"), nonnegative("n"), natural("k")
x, p, n, k = (v.symbol for v in (X, P, N, K))
log, exp, root, pi = sympy.log, sympy.exp, sympy.sqrt, sympy.pi
SMALL = Profile(
    "quick", points=6, samples=400, refinements=3, boxes=2_000, smt_steps=2_000_000, simulation_samples=4_000
)


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="test:claim",
        title="t",
        source="s",
        where="w",
        kind="lemma",
        variables=variables,
        hypotheses=hypotheses,
        conclusion=conclusion,
        **rest,
    )


def look(lens: Lens, about: Claim) -> list[Evidence]:
    return lens.run(about, Context(profile=SMALL))


def only(lens: Lens, about: Claim) -> Evidence:
    (found,) = look(lens, about)
    return found


# -------------------------------------------------------------------------------------------------------------- points


def test_points_support_by_two_arithmetics_and_prove_nothing() -> None:
    found = only(Points(), claim(le(log(1 + n), n + 1), N))
    assert (found.kind, found.finding, found.families) == (Kind.ENCLOSURES, Finding.SUPPORTS, ("arb", "mpmath"))
    assert found.details["points"] == found.details["arb"] == SMALL.points


@pytest.mark.parametrize(
    "conclusion", [le(n, 1), eq(n, 2 * n), either(lt(n, 0), gt(n, 10**6)), Iff(ge(n, 1), ge(n, 2))]
)
def test_a_claim_that_fails_at_a_point_is_refuted_there(conclusion: Formula) -> None:
    found = only(Points(count=40), claim(conclusion, N))
    assert (found.kind, found.finding) == (Kind.COUNTEREXAMPLE, Finding.REFUTES)
    assert set(found.details["witness"]["values"]) == {"n"}


def test_points_decide_equations_and_chains_of_them() -> None:
    found = only(Points(), claim(both(eq(log(p**2), 2 * log(p)), eq(root(p) ** 4, p * p)), P))
    assert found.families == ("arb", "mpmath")


def test_equality_at_the_boundary_is_not_a_failure() -> None:
    assert only(Points(count=30), claim(le(n, 1), N, given=(le(n, 1),))).finding is Finding.SUPPORTS


def test_a_point_where_nothing_is_certain_is_open() -> None:
    equal = p * (log(2) + log(3) - log(6))
    found = look(Points(), claim(ge(p + sympy.Max(equal, 0), p), P))
    assert all(e.kind in (Kind.ENCLOSURES, Kind.NOTE) for e in found)


def test_points_have_nothing_to_say_about_existence_or_words() -> None:
    assert look(Points(), claim(gt(x, 0), X, quantifier="exists")) == []
    words = Claim(id="test:words", title="", source="", where="", kind="remark", informal="words")
    assert look(Points(), words) == look(Search(), words) == []


def test_a_closed_inequality_is_decided() -> None:
    found = only(Points(), claim(gt(pi, sympy.Rational(314159, 100000))))
    assert (found.kind, found.families) == (Kind.EXACT_WITNESS, ("arb", "mpmath"))
    against = only(Points(), claim(gt(pi, sympy.Rational(314160, 100000))))
    assert (against.kind, against.finding) == (Kind.COUNTEREXAMPLE, Finding.REFUTES)


def test_a_closed_equation_that_no_enclosure_can_decide_is_no_proof() -> None:
    """The sides differ by about e^-4000, which is below what is tried, and agree to 800 digits."""
    nearly = claim(eq(log(1 + exp(-2000)), exp(-2000)))
    found = only(Points(), nearly)
    assert (found.kind, found.finding) == (Kind.NOTE, Finding.UNDECIDED)
    assert look(Search(), nearly) == []
    equal = claim(eq(log(2) + log(3), log(6)))
    (beside,) = Points().look(equal, Context(proved=True))
    assert (beside.kind, beside.finding) == (Kind.ENCLOSURES, Finding.SUPPORTS)
    assert only(Points(), equal).finding is Finding.UNDECIDED
    assert only(Points(), claim(eq(root(2) * root(8), 4))).kind is Kind.EXACT_WITNESS


# -------------------------------------------------------------------------------------------------------------- search

FALSE: list[tuple[str, Claim]] = [
    ("in a half line", claim(le(n, 1000), N)),
    ("near an end", claim(ge(n, sympy.Rational(1, 1000)), N)),
    ("at an end only", claim(gt(n, 0), N)),
    ("at one interior point", claim(ne(n, 3), N)),
    ("between two roots", claim(ge((p - 1) * (p - 2), 0), P)),
    ("of integers", claim(ge((2 * k - 5) ** 2, 9), K)),
    ("with a logarithm", claim(le(log(1 + p), p - p**2 / 4), P)),
    ("of an equation", claim(eq(log(1 + p), p), P)),
    ("of an alternative", claim(either(lt(x, 0), gt(x, 1)), X)),
    ("of an implication", claim(Implies(gt(x, 2), gt(x, 3)), X)),
    ("of an equivalence", claim(Iff(gt(x, 2), gt(x, 3)), X)),
    ("where a hypothesis is active", claim(lt(x * x, 2 * x - 1), X, given=(le(x, 1),))),
    ("without variables", claim(gt(exp(1), 3))),
    ("on a bounded interval", claim(lt(real("v", lower=0, upper=1).symbol, 1), real("v", lower=0, upper=1))),
    ("below an upper end", claim(ge(real("v", upper=5).symbol, -100), real("v", upper=5))),
]


@pytest.mark.parametrize("about", [f[1] for f in FALSE], ids=[f[0] for f in FALSE])
def test_a_search_finds_an_exact_counterexample(about: Claim) -> None:
    found = only(Search(), about)
    assert (found.kind, found.finding) == (Kind.COUNTEREXAMPLE, Finding.REFUTES)
    assert "arb" in found.families
    values = {v.symbol: Fraction(found.details["witness"]["values"][v.symbol.name]) for v in about.variables}
    assert about.conclusion is not None
    assert holds(about.conclusion, lambda e: exact_sign(e, values)) is False
    assert all(holds(h.formula, lambda e: exact_sign(e, values)) is True for h in about.assumptions)
    assert all(values[v.symbol].denominator == 1 for v in about.variables if v.integer)


def exact_sign(expression: sympy.Expr, values: Mapping[sympy.Symbol, Fraction]) -> str:
    value = expression.subs({s: sympy.Rational(v.numerator, v.denominator) for s, v in values.items()})
    return "zero" if value == 0 else "positive" if value.evalf(60) > 0 else "negative"


TRUE = [
    claim(ge(n, 0), N),
    claim(le(log(1 + n), n), N),
    claim(ge((k - 1) * (k - 2), 0), K),  # false between the integers
    claim(ge(x**2, 1), X, given=(either(le(x, -1), ge(x, 1)),)),
    claim(lt(exp(1), 3)),
]


@pytest.mark.parametrize("about", TRUE[:-1])
def test_a_search_that_finds_nothing_is_named_so(about: Claim) -> None:
    found = only(Search(), about)
    assert (found.kind, found.finding) == (Kind.SEARCH, Finding.SUPPORTS)
    assert "no counterexample" in found.summary


def test_a_search_gives_an_example_of_what_exists_and_is_undecided_otherwise() -> None:
    found = only(Search(), claim(lt(x**2, x), X, quantifier="exists"))
    assert (found.kind, found.finding) == (Kind.EXACT_WITNESS, Finding.SUPPORTS)
    missing = only(Search(), claim(lt(x**2, 0), X, quantifier="exists"))
    assert (missing.kind, missing.finding) == (Kind.SEARCH, Finding.UNDECIDED)


def test_a_chart_leads_the_search_to_a_thin_set() -> None:
    thin = positive("q")
    given = (ge(p * thin.symbol, 1), le(p * thin.symbol, 1))
    t = sympy.Symbol("t", positive=True)
    chart = Chart({t: (0, 10)}, {p: t, thin.symbol: 1 / t})
    found = only(Search(), claim(ge(p + thin.symbol, 3), P, thin, given=given, sampling=chart))
    assert found.finding is Finding.REFUTES


def test_the_same_seed_finds_the_same_witness() -> None:
    first, second = (only(Search(), claim(le(log(1 + p), p - p**2 / 4), P)).details for _ in range(2))
    assert first == second


def test_a_witness_snippet_runs_and_says_that_the_claim_fails(capsys: pytest.CaptureFixture[str]) -> None:
    lam = positive("lambda")
    witness = find(
        claim(le(log(1 + lam.symbol), lam.symbol / 2), lam), Context(profile=SMALL), wanted=False, purpose="t"
    )
    assert witness is not None
    with mpmath.workdps(15):  # the snippet sets the precision of the process
        exec(Record(**witness.to_json()).snippet, {})
    assert capsys.readouterr().out.strip().endswith("True")  # the relation that decides is the negated one


def test_an_undeclared_part_is_no_search() -> None:
    assert (
        find(Claim(id="a", title="", source="", where="", kind="", informal="w"), Context(), wanted=True, purpose="t")
        is None
    )


def test_simpler_values_are_simpler() -> None:
    for value in (Fraction(123457, 1000), Fraction(-7, 3), Fraction(1, 999), Fraction(0)):
        assert all(complexity(c) < complexity(value) for c in simpler_values(value))


@pytest.mark.parametrize(
    "axis",
    [
        Coordinate(x, None, None, False, False),
        Coordinate(x, Fraction(0), None, True, False),
        Coordinate(x, None, Fraction(2), False, True),
        Coordinate(x, Fraction(1, 3), Fraction(1, 2), True, True),
        Coordinate(x, Fraction(-5), Fraction(5), False, False, integer=True),
        Coordinate(x, Fraction(10), None, True, False, integer=True),
    ],
)
def test_what_is_drawn_lies_on_its_axis(axis: Coordinate) -> None:
    assert all(axis.admits(v) for v in draw(axis, np.random.default_rng(1), 200))
    assert simple_values(axis)
    assert all(axis.admits(v) for v in simple_values(axis))


# --------------------------------------------------------------------------------------------- integrals, simulations

U = sympy.Symbol("u", real=True)


def gaussian(closed: sympy.Expr, about: Formula | None = None, **rest: Any) -> Evidence:
    """The integral of exp(-p u^2) against a closed form, for a claim whose formula contains that form."""
    lens = Quadrature(log_integrand=-p * U**2, variable=U, closed_form=closed, count=2, **rest)
    return only(lens, claim(gt(closed, 0) if about is None else about, positive("p", upper=4)))


p4 = positive("p", upper=4).symbol


def test_a_closed_form_of_an_integral_is_confirmed_on_two_routes() -> None:
    found = gaussian(root(pi / p4))
    assert (found.kind, found.families) == (Kind.NUMERICAL_ROUTE, ("arb", "mpmath"))
    plane = gaussian(pi / p4, dimension=2)
    assert (plane.kind, plane.families) == (Kind.NUMERICAL_ROUTE, ("arb",))
    weighted = gaussian(3 * root(pi / p4), prefactor=sympy.Integer(3))
    assert weighted.finding is Finding.SUPPORTS


def test_a_wrong_closed_form_in_the_plane_is_noticed_by_balls_alone() -> None:
    """In the plane mpmath has no route: only the enclosures that do not overlap tell."""
    found = gaussian(pi / p4 * (1 + sympy.Rational(1, 10**12)), dimension=2)
    assert found.finding is Finding.UNDECIDED
    assert "disagrees with the closed form at p = " in found.summary
    lens = Quadrature(log_integrand=-p * U**2, variable=U, closed_form=2 * pi / p4, dimension=2)
    assert lens.by_balls({p4: Fraction(1)}) is False


@pytest.mark.parametrize("wrong", [root(pi / p4) * (1 + sympy.Rational(1, 10**12)), root(2 * pi / p4), pi / p4])
def test_a_wrong_closed_form_is_noticed_with_its_point(wrong: sympy.Expr) -> None:
    found = gaussian(wrong)
    assert found.finding is Finding.UNDECIDED
    assert "disagrees with the closed form at p = " in found.summary


def test_an_integral_that_the_claim_does_not_contain_is_a_note() -> None:
    for about in (gt(p4, 0), gt(root(p4), 0), gt(2 * pi, 1 / p4)):
        found = gaussian(root(pi / p4), about)
        assert (found.kind, found.finding) == (Kind.NOTE, Finding.SUPPORTS)
        assert "a note: the claim does not contain it" in found.summary
    bare = gaussian(p4 * root(pi / p4), gt(1 / p4, 0), prefactor=p4, part=p4)
    assert bare.kind is Kind.NOTE  # a bare variable stands nearly everywhere


def test_an_integral_may_stand_in_the_claim_as_a_factor_or_by_its_logarithm() -> None:
    assert gaussian(root(pi / p4), le(p4, p4 + root(pi / p4) * exp(p4))).kind is Kind.NUMERICAL_ROUTE
    logarithm = log(pi / p4) / 2
    assert gaussian(root(pi / p4), le(logarithm, p4 + 4), part=logarithm).kind is Kind.NUMERICAL_ROUTE
    exponent = Quadrature(p4**2 - U**2, U, exp(p4**2), prefactor=1 / root(pi), count=2)
    assert only(exponent, claim(ge(p4**2 + p4, p4), positive("p", upper=4))).kind is Kind.NUMERICAL_ROUTE


def test_a_part_of_the_claim_with_another_value_is_a_finding() -> None:
    found = gaussian(root(pi / p4), gt(root(3 / p4), 0), part=root(3 / p4))
    assert found.finding is Finding.UNDECIDED
    assert "which stands in the claim, has another value at p = " in found.summary


def test_the_dimension_of_an_integral_is_that_of_the_claim() -> None:
    in_dimension = claim(gt((pi / p4) ** (sympy.Rational(1, 2) * k), 0), positive("p", upper=4), K)
    lens = Quadrature(-p4 * U**2, U, pi / p4, dimension=2, count=2, part=(pi / p4) ** (k / 2), at={k: 2})
    assert only(lens, in_dimension).kind is Kind.NUMERICAL_ROUTE
    other = Quadrature(-p4 * U**2, U, pi / p4, dimension=2, count=2, part=(pi / p4) ** (k / 2), at={k: 3})
    assert only(other, in_dimension).finding is Finding.UNDECIDED


@pytest.mark.parametrize("name", ["pi", "exp", "sqrt", "e"])
def test_a_variable_of_an_integral_may_have_the_name_of_a_number_or_a_function(name: str) -> None:
    v = sympy.Symbol(name, real=True)
    lens = Quadrature(-p4 * v**2 + 1, v, sympy.E * root(pi / p4), prefactor=sympy.Integer(1), count=2)
    about = claim(gt(sympy.E * root(pi / p4), 0), positive("p", upper=4))
    assert only(lens, about).kind is Kind.NUMERICAL_ROUTE


def test_points_that_are_not_rational_are_left_out_of_an_integral() -> None:
    """All points of this claim are irrational in x; the integral needs p alone, or nothing that is rational."""
    square = claim(gt(root(pi / p) + x**2, 0), P, X, given=(eq(x**2, 2),))
    assert only(Quadrature(-p * U**2, U, root(pi / p), count=2), square).kind is Kind.NUMERICAL_ROUTE
    needs_x = Quadrature(-(x**2) * U**2, U, root(pi) / sympy.Abs(x), count=2)
    found = only(needs_x, square)
    assert found.finding is Finding.UNDECIDED
    assert "no integral was enclosed at 0 points" in found.summary


def estimator(shift: float, width: float = 0.01) -> Any:
    def experiment(samples: int, generator: np.random.Generator, false_alarm: float, scale: float) -> Interval:
        middle = scale * (2 + shift) + 0 * generator.random()
        return middle - width, middle + width

    return experiment


def simulated(experiment: Any, **rest: Any) -> Evidence:
    return only(Simulation(experiment, expected=2 * p, at={p: Fraction(1)}, **rest), claim(gt(2 * p, 0), P))


def test_a_simulation_supports_only_what_it_could_have_rejected() -> None:
    found = simulated(estimator(0))
    assert (found.kind, found.finding) == (Kind.SIMULATION, Finding.SUPPORTS)
    assert found.details["samples"] == SMALL.simulation_samples
    assert "power control failed" in simulated(estimator(0, width=5)).summary
    assert "misses the exact value" in simulated(estimator(0.5)).summary


@pytest.mark.parametrize(
    ("about", "at", "why"),
    [
        (claim(gt(p, 0), P), {p: Fraction(1)}, "the claim does not contain it"),
        (claim(gt(2 * p + n, 0), P, N), {p: Fraction(1)}, "no value for n"),
        (claim(gt(2 * p, 0), P, given=(ge(p, 2),)), {p: Fraction(1)}, "not at an admissible point"),
    ],
)
def test_a_simulation_of_something_else_is_a_note(about: Claim, at: dict[Any, Any], why: str) -> None:
    found = only(Simulation(estimator(0), expected=2 * p, at=at), about)
    assert (found.kind, found.finding) == (Kind.NOTE, Finding.SUPPORTS)
    assert why in found.summary


def test_a_simulation_may_name_the_part_of_the_claim() -> None:
    lens = Simulation(estimator(0), expected=2 * p, at={p: Fraction(1)}, part=p**2 + p)
    assert only(lens, claim(gt(p**2 + p, 0), P)).kind is Kind.SIMULATION
    wrong = Simulation(estimator(0), expected=2 * p, at={p: Fraction(1)}, part=p**2 + 2 * p)
    found = only(wrong, claim(gt(p**2 + 2 * p, 0), P))
    assert found.kind is Kind.NOTE
    assert "another value there" in found.summary


@pytest.mark.parametrize("broken", [None, (math.nan, 1.0), (0.0, math.inf), "Inconclusive"])
def test_a_simulation_without_a_number_is_inconclusive(broken: Any) -> None:
    found = simulated(lambda *_: broken)
    assert (found.kind, found.finding) == (Kind.NOTE, Finding.UNDECIDED)
    assert "inconclusive" in found.summary


def test_a_simulation_without_an_experiment_says_nothing() -> None:
    assert look(Simulation(), claim(gt(p, 0), P)) == []


# ------------------------------------------------------------------------------------------- units and printed numbers


@pytest.mark.parametrize(
    ("conclusion", "weights", "alike"),
    [
        (le(x**2 + 3 * x * p, p**2), {x: 1, p: 1}, True),
        (le(x**2 + p, p**2), {x: 1, p: 1}, False),
        (le(x, p**2), {x: 2, p: 1}, True),
        (le(root(p), x), {x: Fraction(1, 2), p: 1}, True),
        (le(x, 0), {x: 1}, True),
        (le(log(p), x), {p: 1}, False),
        (both(le(x, p), le(x, p**2)), {x: 1, p: 1}, False),
        (eq(0, 0), {x: 1}, True),
    ],
)
def test_units_are_counted_on_both_sides(conclusion: Formula, weights: dict[Any, Any], alike: bool) -> None:
    found = only(Units(weights), claim(conclusion, X, P))
    assert found.kind is Kind.NOTE
    assert found.finding is (Finding.SUPPORTS if alike else Finding.UNDECIDED)


def test_units_have_nothing_to_say_about_words() -> None:
    words = Claim(id="test:words", title="", source="", where="", kind="remark", informal="words")
    assert look(Units({}), words) == []


@pytest.mark.parametrize(
    ("value", "printed", "right"),
    [
        ("0.855", "0.86", True),
        ("0.8649", "0.86", True),
        ("0.865", "0.86", False),
        ("0.8549", "0.86", False),
        ("-0.8651", "-0.86", False),
        ("-0.8649", "-0.86", True),
        ("0.0014", "1e-3", True),
        ("0.4", "1e-3", False),
        ("0.0864", "8.6e-2", True),
        ("0.09", "8.6e-2", False),
        ("12.4", "12", True),
        ("12.5", "12", False),
        ("1.04", "1.0", True),
        ("1.06", "1.0", False),
    ],
)
def test_a_printed_number_stands_for_what_rounds_to_it(value: str, printed: str, right: bool) -> None:
    exact = Fraction(value)
    formula = rounds_to(sympy.Rational(exact.numerator, exact.denominator), printed)
    assert holds(formula, lambda e: exact_sign(e, {})) is right


@pytest.mark.parametrize("printed", ["", "one", "1/3", "nan", "inf"])
def test_what_is_no_decimal_number_cannot_have_been_printed(printed: str) -> None:
    with pytest.raises(FormulaError, match="write the digits as they are printed"):
        rounds_to(x, printed)


# ---------------------------------------------------------------------------------------------------- tightness, mpmath


def test_tightness_encloses_the_range_of_the_ratio_and_where_it_is_reached() -> None:
    loose = Tightness(x * (1 - x), {x: (0, 1)}, "product")
    (found,) = measure(claim(ge(x, x), X, tightness=(loose,)), Context(profile=SMALL))
    low, high = (float(v) for v in found["supremum"])
    assert low <= 0.25 <= high
    assert float(found["infimum"][0]) <= 0 <= float(found["infimum"][1])
    assert (found["curve_variable"], len(found["curve"])) == ("x", 41)


def test_a_tightness_curve_runs_along_the_chosen_variable() -> None:
    loose = Tightness(x + p, {x: (0, 1), p: (1, 2)}, "sum", plot=(p,), at={x: Fraction(1, 4)})
    (found,) = measure(claim(ge(x, x), X, P, tightness=(loose,)), Context(profile=SMALL))
    assert (found["curve_variable"], found["curve_fixed"]) == ("p", {"x": "1/4"})
    assert found["curve"][0][0] == "1"
    assert float(found["curve"][0][1]) <= 1.25 <= float(found["curve"][0][2])


CASES = [
    (pi + sympy.E, {}, "positive"),
    (x**-2 - 4, {x: Fraction(1, 2)}, "zero"),
    (sympy.Max(x, 2) - sympy.Min(x, 2), {x: Fraction(1)}, "positive"),
    (-sympy.Abs(x), {x: Fraction(-1)}, "negative"),
    (root(x) + x ** sympy.Rational(-1, 2), {x: Fraction(2)}, "positive"),
    (x**pi - 1, {x: Fraction(2)}, "positive"),
    (exp(x) - 1, {x: Fraction(-1)}, "negative"),
    (log(2) + log(x) - log(6), {x: Fraction(3)}, "unknown"),
]


@pytest.mark.parametrize(("expression", "point", "sign"), CASES)
def test_mpmath_intervals_give_the_sign(expression: sympy.Expr, point: dict[sympy.Symbol, Fraction], sign: str) -> None:
    assert sign_by_intervals(expression, point) == sign


@pytest.mark.parametrize(
    "expression", [1 / x, root(x - 1), log(x), 1 / root(x), x**pi, sympy.gamma(x + 1), log(x - 1) ** -1]
)
def test_mpmath_intervals_refuse_what_they_cannot_enclose(expression: sympy.Expr) -> None:
    with pytest.raises(CannotEnclose):
        enclose_by_intervals(expression, {x: Fraction(0)}, bits=100)


def test_a_log_remainder_of_an_interval_that_begins_at_zero_is_refused() -> None:
    """The size of a difference of equal numbers: an interval [0, tiny], on which a quotient by it says nothing."""
    from rgm_verify.balls.special import LogRemainder

    size = sympy.Abs(log(2) + log(3) - log(6) + x, evaluate=False)
    assert enclose_by_intervals(size, {x: Fraction(0)}, bits=100).a == 0
    for order in (1, 2, 3):
        with pytest.raises(CannotEnclose, match="LogRemainder at an interval around 0"):
            enclose_by_intervals(LogRemainder(order, size), {x: Fraction(0)}, bits=100)


def test_log_remainders_agree_with_their_definition_in_mpmath_intervals() -> None:
    from rgm_verify.balls.special import LogRemainder

    value = LogRemainder(2, x)
    assert sign_by_intervals(value - sympy.Rational(1, 2), {x: Fraction(0)}) == "zero"
    assert sign_by_intervals(value - sympy.Rational(1, 2), {x: Fraction(1)}) == "negative"
    with pytest.raises(CannotEnclose):
        enclose_by_intervals(value.subs(x, log(2) + log(3) - log(6) + x), {x: Fraction(0)}, bits=100)


def test_mpmath_is_silent_where_it_has_no_real_value() -> None:
    point = {x: Fraction(-1)}
    assert mpmath_value(root(x), point) == (None, 0)
    assert mpmath_value(1 / (x + 1), point) == (None, 0)
    assert mpmath_truth(eq(root(x), 1), point) is None
    assert mpmath_truth(gt(sympy.gamma(x + 3), 0), point) is True
    assert mpmath_truth(lt(sympy.gamma(x + 3), 0), point) is False
    assert mpmath_truth(gt(root(x), 0), point) is None


# ------------------------------------------------------------------------------------------------- who may say what


ALL_LENSES = [Points(), Search(), Quadrature(), Simulation(), Units({})]


@pytest.mark.parametrize("lens", ALL_LENSES, ids=lambda lens: lens.name)
def test_a_lens_makes_only_the_kinds_that_it_grants(lens: Lens) -> None:
    for kind in Kind:
        if kind in lens.grants:
            assert lens.evidence(kind, Finding.SUPPORTS, ("arb",), "s").lens == lens.name
        else:
            with pytest.raises(EvidenceError, match="may not make this kind"):
                lens.evidence(kind, Finding.SUPPORTS, ("arb",), "s")


def test_nothing_else_makes_evidence() -> None:
    with pytest.raises(EvidenceError, match="nothing may not make"):
        Evidence(Kind.NOTE, Finding.SUPPORTS, (), "s")
    with pytest.raises(EvidenceError, match="allowed are"):
        Points().evidence(Kind.NOTE, Finding.SUPPORTS, ("crystal ball",), "s")


def test_no_numerical_lens_grants_a_proof() -> None:
    proofs = {Kind.SYMBOLIC_PROOF, Kind.SMT_PROOF, Kind.DEDUCTION, Kind.REGION_CERTIFICATE}
    assert all(not proofs & lens.grants for lens in ALL_LENSES)


def test_a_lens_that_looks_nowhere_is_not_one() -> None:
    with pytest.raises(NotImplementedError):
        Lens().run(claim(ge(x, x), X), Context())
    assert fraction_text(Fraction(1, 7)) == "1/7"


# -------------------------------------------------------------------------------------------------------------- charts


def test_a_chart_with_irrational_images_is_followed_at_rational_points_nearby() -> None:
    t = sympy.Symbol("t", positive=True)
    about = claim(le(p, 2), P, given=(le(p**2, 10),), sampling=Chart({t: (0, 10)}, {p: root(t)}))
    assert only(Search(), about).finding is Finding.REFUTES
    true = claim(le(p**2, 11), P, given=(le(p**2, 10),), sampling=Chart({t: (0, 10)}, {p: root(t)}))
    assert only(Points(), true).families == ("arb", "mpmath")


def test_points_that_a_chart_sends_nowhere_are_left_out() -> None:
    t = sympy.Symbol("t", real=True)
    about = claim(ge(p, 0), P, sampling=Chart({t: (-5, 5)}, {p: log(t)}))
    assert only(Points(), about).details["arb"] == SMALL.points
    nowhere = claim(ge(p, 0), P, sampling=Chart({t: (-5, -4)}, {p: root(t)}))
    assert only(Points(), nowhere).finding is Finding.UNDECIDED


def test_integers_are_drawn_as_integers() -> None:
    found = only(Points(), claim(eq((-1) ** (2 * k), 1), K))
    assert found.finding is Finding.SUPPORTS
    assert find(claim(ge(k, 5), K), Context(profile=SMALL), wanted=False, purpose="t") is not None


@pytest.mark.parametrize(
    ("lower", "upper"), [(None, None), (Fraction(0), None), (None, Fraction(3)), (Fraction(0), Fraction(3))]
)
def test_every_shape_of_domain_is_searched(lower: Fraction | None, upper: Fraction | None) -> None:
    v = real("v", lower=lower, upper=upper)
    s = v.symbol
    hard = claim(ge((s - sympy.Rational(22, 7)) ** 2 + (s - sympy.Rational(1, 3)) ** 2, 8), v)
    assert only(Search(), hard).finding is Finding.REFUTES


@pytest.mark.parametrize("sign", ["<=", ">"])
def test_a_sum_with_a_term_without_a_value_is_an_answer_and_no_fault(sign: str) -> None:
    s = "sum(k, 0, n, 1/(k - 3))"
    answer = check(f"{s} {sign} 0 or {s} {'>' if sign == '<=' else '<='} 0 for n natural")
    assert answer.verdict in (Verdict.REFUTED, Verdict.UNDECIDED)
    assert FAULT not in "\n".join(answer.lines())
