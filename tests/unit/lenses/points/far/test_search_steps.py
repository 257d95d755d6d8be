"""The steps of a search for a witness: which points are tried, in which order, and where the next ones are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import Rational, exp, log, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Formula,
    Hypothesis,
    Variable,
    both,
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
from rgm_verify.jobs.pasted import pasted
from rgm_verify.lenses.base import QUICK, Context
from rgm_verify.lenses.points import witness
from rgm_verify.lenses.points.approach import Approach
from rgm_verify.lenses.points.moves import boundary_moves
from rgm_verify.lenses.points.sampling import MAGNITUDES, PointMaker, Rows, generator_for
from rgm_verify.lenses.points.witness import (
    Outcome,
    Witness,
    _Search,
    _undefined,
    certified,
    confirmed,
    find,
    python_sides,
    search,
    special_factors,
    value_text,
)

F, R = Fraction, Rational
X, Y, P, K = real("x"), real("y"), positive("p"), natural("k")
x, y, p, k = (v.symbol for v in (X, Y, P, K))
SMALL = replace(QUICK, samples=400, refinements=2)
FOUND = Witness({x: F(0)}, ge(x, 1), ("0", "0"), ("arb",))


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, hypotheses=hypotheses,
        conclusion=conclusion, **rest,
    )  # fmt: skip


def maker(about: Claim) -> PointMaker:
    return PointMaker(about, generator_for(about.id, "test", 1))


def looking(about: Claim, *, wanted: bool = False, polish: int = 0) -> _Search:
    assert about.conclusion is not None
    context = Context(profile=SMALL)
    return _Search(about, about.conclusion, context, polish, wanted=wanted, outcome=Outcome())


class Asked:
    """Stands in for an exact check: remembers what was asked, and confirms what it is told to."""

    def __init__(self, confirms: Callable[[Any], bool] = lambda _: False) -> None:
        self.asked: list[Any] = []
        self.confirms = confirms

    def __call__(self, *arguments: Any) -> Witness | None:
        self.asked.append(arguments[-1])
        return FOUND if self.confirms(arguments[-1]) else None


# ------------------------------------------------------------------------------------------- which candidates are tried

ONE = claim(ge(x, 0), X)
#: A score for each row; rows that are written with fewer letters are simpler.
SCORED = {
    F(1234567): 0.9, F(1234568): 0.8, F(123457): 0.7, F(12347): 0.6, F(1237): 0.5, F(127): 0.4, F(17): 0.3, F(7): 0.2,
    F(2): 0.1, F(3, 7): 1e-10, F(31, 77): 5e-11, F(311, 777): 2e-11, F(31111, 777): 0.0, F(31, 777779): -1e-10,
    F(5): -5e-10, F(29, 7): -8e-10, F(6): -1e-3, F(4): -np.inf, F(9): np.inf, F(8): np.inf, F(88): np.inf,
    F(888): np.inf,
}  # fmt: skip


def tried(wanted: bool = False, about: Claim = ONE, confirms: Callable[[Any], bool] = lambda _: False) -> Any:
    looked = looking(about, wanted=wanted)
    asked = Asked(lambda row: confirms(row[0]))
    looked.certify_row = asked  # type: ignore[method-assign]
    rows = [[value] for value in SCORED]
    # Rows that occur twice are tried once.
    found = looked.certify_best(maker(about), Rows.of([*rows, *rows]), np.array([*SCORED.values()] * 2))
    return found, [row[0] for row in asked.asked], looked


def test_the_simplest_clear_candidates_are_tried_first_then_the_clearest_then_what_may_be_rounding() -> None:
    found, order, looked = tried()
    assert found is None
    clear = [v for v, score in SCORED.items() if 1e-9 < score < np.inf]
    faint = [v for v, score in SCORED.items() if abs(score) <= 1e-9]
    odd = [v for v, score in SCORED.items() if score == np.inf]
    assert order[:6] == [7, 2, 17, 1234567, 1234568, 123457]
    rest = order[6:]
    assert rest[:3] == [5, F(29, 7), F(3, 7)] or set(rest[:3]) == {F(5), F(3, 7), F(29, 7)}
    assert rest[3:5] == [F(31, 77), F(311, 777)]  # the clearest of these, less the one that is simple
    assert (set(order[-3:-1]), order[-1]) == ({8, 9}, 88)
    assert len(order) == 14
    assert set(order) <= {*clear, *faint, *odd}
    assert looked.outcome.admissible == 2 * sum(score > -np.inf for score in SCORED.values())


def test_where_an_example_is_looked_for_what_is_not_defined_is_none() -> None:
    _, order, _ = tried(wanted=True)
    assert len(order) == 11
    assert not {8, 9, 88, 888} & set(order)


def test_an_equation_fails_by_rounding_only_below_fourteen_digits() -> None:
    scored = {F(3, 7): 1e-10, F(31, 77): 2e-14, F(5): 1e-15, F(6): 0.0, F(7): -1e-10}
    about = claim(eq(x, 0), X)
    looked, asked = looking(about), Asked()
    looked.certify_row = asked  # type: ignore[method-assign]
    looked.certify_best(maker(about), Rows.of([[v] for v in scored]), np.array(list(scored.values())))
    assert {row[0] for row in asked.asked} == {F(3, 7), F(31, 77)}


def test_the_first_candidate_that_is_certain_ends_the_round() -> None:
    found, order, _ = tried(confirms=lambda value: value == 17)
    assert (found, order) == (FOUND, [7, 2, 17])


def test_candidates_are_the_best_four_hundred() -> None:
    rows = Rows.of([[F(1000 + i)] for i in range(900)])
    scores = np.array([0.1 + i / 10_000 for i in range(900)])
    looked, asked = looking(ONE), Asked()
    looked.certify_row = asked  # type: ignore[method-assign]
    looked.certify_best(maker(ONE), rows, scores)
    assert min(row[0] for row in asked.asked) >= 1500
    assert {F(1899), F(1898), F(1897)} <= {row[0] for row in asked.asked}


def test_a_point_is_checked_once() -> None:
    looked, asked = looking(ONE), Asked(lambda point: point[x] == 3)
    looked.certify = asked  # type: ignore[method-assign]
    made = maker(ONE)
    assert looked.certify_row(made, [F(1)]) is None
    assert looked.certify_row(made, [F(1)]) is None
    assert looked.certify_row(made, [F(3)]) is FOUND
    assert asked.asked == [{x: 1}, {x: 3}]
    t = sympy.Symbol("t", real=True)
    charted = claim(ge(x, 0), X, sampling=Chart({t: (-1, 1)}, {x: 1 / t}))
    assert looking(charted).certify_row(maker(charted), [F(0)]) is None


def test_scores_follow_the_assumptions_and_are_infinite_where_a_term_has_no_value() -> None:
    looked = looking(claim(ge(log(x), 0), X, given=(ge(x, -2), le(x, 4))))
    found = looked.scores({x: np.array([-3.0, -1.0, 1 / math.e, math.e, 5.0, 4.0])})
    assert found.tolist()[:2] == [-np.inf, np.inf]
    assert found[2:4].tolist() == [1.0, -1.0]
    assert found[4] == -np.inf
    assert found[5] == -1.0
    wide = looking(claim(ge(x, 0), X), wanted=True)
    assert wide.scores({x: np.array([-3.0, 0.0, 3.0])}).tolist() == [-1.0, 0.0, 1.0]


# ------------------------------------------------------------------------------------------------ far out, and special


def test_far_out_clear_failures_are_tried_first_and_then_what_floats_leave_open() -> None:
    looked, asked = looking(claim(le(x, 10**20), X)), Asked()
    looked.certify_row = asked  # type: ignore[method-assign]
    assert looked.far_out(maker(looked.claim)) is None
    values = [row[0] for row in asked.asked]
    assert values[:4] == [F(10) ** e for e in (25, 30, 40, 60)]  # below the end of floats the sides are clear
    open_ = values[4:]
    assert F(10) ** 20 in open_  # equal to rounding
    assert F(10) ** 500 in open_  # no float
    assert all(v == F(10) ** 20 or abs(v) > F(10) ** 307 for v in open_)
    assert {F(10) ** 1000, -(F(10) ** 500)} <= set(open_)
    hit = Asked(lambda row: row[0] == F(10) ** 1000)
    looked.certify_row = hit  # type: ignore[method-assign]
    assert looked.far_out(maker(looked.claim)) is FOUND
    assert looking(claim(lt(sympy.E, 3))).far_out(maker(claim(lt(sympy.E, 3)))) is None


def test_far_out_no_more_than_so_many_open_places_are_checked() -> None:
    about = claim(ge(x + y + p, x + y + p), X, Y, P)
    looked, asked = looking(about), Asked()
    looked.certify_row = asked  # type: ignore[method-assign]
    looked.far_out(maker(about))
    assert len(asked.asked) == 24


def test_special_points_are_zeros_of_factors_and_places_beside_the_first_rational_one() -> None:
    about = claim(ge((x - 1) * (y**2 - 2), 0), X, Y)
    points = list(looking(about)._special_points(maker(about)))
    zeros, beside = [q for q in points if q[x] == 1 or q[y] ** 2 == 2], [q for q in points if abs(q[x] - 1) < 1]
    simple = maker(about).draw_simple(3)
    for row in simple:
        assert {x: F(1), y: row[1]} in points
        assert {x: row[0], y: sqrt(2)} in points
        assert {x: row[0], y: -sqrt(2)} in points
    steps = {side / F(10) ** m for m in MAGNITUDES for side in (1, -1)}
    assert {q[x] - 1 for q in points[9:]} == steps
    assert len({q[y] for q in points[9:]}) == 1
    assert points[9][y] in {row[1] for row in simple}
    assert len(points) == 9 + len(steps)
    assert zeros
    assert beside


def test_special_points_of_whole_numbers_and_of_what_is_no_real_number_are_left_out() -> None:
    assert list(looking(claim(ge((k - 3) ** 2, 1), K))._special_points(maker(claim(ge(k, 1), K)))) == []
    about = claim(ge(x**2 - y, 1 - y), X, Y)
    points = list(looking(about)._special_points(maker(about)))
    assert points
    assert all(sympy.sympify(value).is_real for point in points for value in point.values())


def test_every_special_point_is_checked_until_one_is_certain_and_so_many_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = looking(ONE)
    points = [{x: F(i)} for i in range(500)]
    monkeypatch.setattr(looked, "_special_points", lambda _: iter(points))
    asked = Asked(lambda point: point == {x: 40})
    looked.certify = asked  # type: ignore[method-assign]
    assert looked.special(maker(ONE)) is FOUND
    assert asked.asked == points[:41]
    asked.confirms = lambda _: False
    assert looked.special(maker(ONE)) is None
    assert asked.asked[41:] == points[: len(asked.asked) - 41]
    assert 2 * len(MAGNITUDES) < len(asked.asked) - 41 <= 100  # zeros, and the places beside the first one


# ------------------------------------------------------------------------------------------- sides that meet


def approached(
    about: Claim, rows: Sequence[Sequence[Fraction]], answers: Sequence[Approach | None], **rest: Any
) -> Any:
    """The starts that `close_by` takes, the search after it, and what it returned."""
    starts: list[Any] = []
    left = iter(answers)

    def by_script(_: Any, __: Any, ___: Any, start: Any, quick: Any) -> Approach | None:
        starts.append((start, quick))
        return next(left, None)

    looked = looking(about, **rest)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(witness, "approach", by_script)
        found = looked.close_by(maker(about), Rows.of(rows))
    return starts, looked, found


def test_three_starts_of_the_nearest_twenty_seven_of_each_table_are_taken() -> None:
    rows = [[F(i, 100)] for i in range(1, 100)] * 2
    starts, _, found = approached(claim(ge(x, -1), X), rows, [])
    assert found is None
    nearest = sorted({tuple(row) for row in rows}, key=lambda row: row[0])
    assert [start for start, _ in starts] == [nearest[0], nearest[13], nearest[26]]
    simple = [[F(i, 10)] for i in range(1, 10)]
    both_tables = looking(claim(ge(x, -1), X))
    asked: list[Any] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(witness, "approach", lambda *a: asked.append(a[3]))
        assert both_tables.close_by(maker(both_tables.claim), Rows.of(rows), Rows.of(simple)) is None
    assert asked == [nearest[0], nearest[13], nearest[26], (F(1, 10),)]
    assert approached(claim(ge(x, -1), X), rows, [], wanted=True)[0] == []
    outside = approached(claim(ge(x, -1), X, given=(ge(x, 1),)), [[F(0)], [F(2)]], [])
    assert [start for start, _ in outside[0]] == [(F(2),)]


def test_the_quick_slack_is_far_outside_of_the_domain_and_holds_at_its_ends() -> None:
    third = R(1, 3)
    about = claim(ge(log(x), -5), X, given=(le(3 * x, 1), ge(x + 2 * third, R(2, 3))))
    (start, *_), _, _ = approached(about, [[F(1, 4)]], [])
    quick = start[1]
    expected = (math.log(1 / 3) + 5) / (1 + abs(math.log(1 / 3)) + 5)
    assert quick([1 / 3]) == pytest.approx(expected, rel=1e-12)  # an end, by rounding on either side
    assert quick([1 / 3 * (1 + 2e-16)]) == pytest.approx(expected, rel=1e-12)
    assert quick([0.4]) == 1e9
    assert quick([0.0]) == 1e9  # no logarithm
    assert quick([-0.1]) == 1e9


def near(slack: float, *rows: Fraction) -> Approach:
    return Approach(slack, ("somewhere",), tuple((row,) for row in rows))


def test_the_nearest_that_sides_come_is_kept_and_one_that_only_touches_counts_less() -> None:
    rows = [[F(i)] for i in range(1, 60)]
    about = claim(ge((x - 1) ** 2 * (x - 3), -1), X)

    def kept(*answers: Approach | None) -> Approach | None:
        nearest: Approach | None = approached(about, rows, answers)[1].outcome.nearest
        return nearest

    one, two = near(1e-4, F(7)), near(1e-9, F(8))
    assert kept(one, two) == two
    assert kept(two, one) == two
    assert kept(None, one) == one
    assert kept(near(1e-3, F(7))) is None
    assert kept(near(9e-4, F(7))) is not None
    touching = claim(ge((x - 1) ** 2, 0), X)
    starts, looked, _ = approached(touching, rows, [near(1e-30, F(2), F(1)), near(1e-25, F(5))])
    assert len(starts) == 3
    assert looked.outcome.nearest == near(1e-25, F(5))  # at 5 the sides do not touch: it may be a crossing
    _, looked, _ = approached(touching, rows, [near(1e-30, F(2), F(1))])
    assert looked.outcome.nearest == replace(near(1e-30, F(2), F(1)), exact=True)


def test_a_rational_on_the_way_that_fails_is_the_witness() -> None:
    about = claim(ge(x, 100), X)
    _, _, found = approached(about, [[F(200)], [F(300)]], [near(1e-5, F(101), F(99), F(98))])
    assert found is not None
    assert found.point == {x: 99}


def test_sides_that_nearly_meet_on_a_thin_set_are_followed_along_it() -> None:
    """On p * q = 1 the sum is at least 2, with equality at 1 alone; the bound is off by 1e-24."""
    t, q = sympy.Symbol("t", positive=True), positive("q")
    thin = (ge(p * q.symbol, 1), le(p * q.symbol, 1))
    chart = Chart({t: (R(1, 2), 20)}, {p: t * R(3, 7), q.symbol: R(7, 3) / t})
    about = claim(ge(p + q.symbol, 2 + R(1, 10**24)), P, q, given=thin, sampling=chart)
    outcome = search(about, Context(profile=SMALL), wanted=False, purpose="t", close=True)
    assert outcome.witness is not None


def test_sides_cross_where_an_inequation_has_both_signs_at_admissible_points() -> None:
    about = claim(both(ge(x**2 + 1, 0), ne(x, R(1, 3))), X, given=(ge(x, -1),))

    def crossing(*values: Fraction) -> Any:
        return looking(about).crossing(maker(about), Rows.of([[v] for v in values]))

    assert crossing(F(0), F(1)) == ne(x, R(1, 3))
    assert crossing(F(0), F(0)) is None
    assert crossing(F(1), F(2)) is None
    assert crossing(F(-2), F(1)) is None  # not admissible
    assert crossing(F(1), F(-2)) is None
    up_to_2 = claim(ne(x, R(1, 3)), X, given=(le(x, 2),))
    assert looking(up_to_2).crossing(maker(up_to_2), Rows.of([[F(0)], [F(3)]])) is None
    at_a_root = claim(ne(x, 1), X)
    for other in (F(0), F(2)):
        assert looking(at_a_root).crossing(maker(at_a_root), Rows.of([[F(1)], [other]])) is None
    two = claim(both(ne(x, 50), ne(x, 5)), X)
    assert looking(two).crossing(maker(two), Rows.of([[F(0)], [F(10)]])) == ne(x, 5)
    inequality = claim(ge(x, 1), X)
    assert looking(inequality).crossing(maker(inequality), Rows.of([[F(0)], [F(2)]])) is None


def test_sides_touch_where_the_conclusion_holds_with_equality() -> None:
    about = claim(both(ge(x, 1), ge(y, 2)), X, Y)
    looked, made = looking(about), maker(about)
    assert looked.touches(made, [F(1), F(3)])
    assert looked.touches(made, [F(3), F(2)])
    assert not looked.touches(made, [F(3), F(3)])
    assert not looked.touches(made, [F(1), F(1)])
    t = sympy.Symbol("t", real=True)
    charted = claim(ge(x, 1), X, sampling=Chart({t: (-1, 1)}, {x: 1 / t}))
    assert not looking(charted).touches(maker(charted), [F(0)])


# ------------------------------------------------------------------------------------------- the next points


def test_the_boundary_of_an_alternative_and_of_quotients() -> None:
    about = claim(ge(x, 0), X, Y, given=(ge(1 / x, y), both(le(x, 2), gt(x**2, y))))
    found = {(symbol, move(F(5), F(7))) for symbol, move in boundary_moves(about)}
    assert found == {(x, F(1, 7)), (y, F(1, 5)), (x, F(2)), (y, F(25))}


def test_boundaries_are_exact_whatever_the_coefficients() -> None:
    given = (le(3 * x, y), ge(7 * y, 2 * x + R(5, 11)), le(x, R(3, 2)))
    moves = boundary_moves(claim(ge(x, 0), X, Y, given=given))
    found = [(symbol, move(F(1), F(1))) for symbol, move in moves]
    assert set(found) == {(x, F(1, 3)), (y, F(3)), (x, (7 - F(5, 11)) / 2),
                          (y, (2 + F(5, 11)) / 7), (x, F(3, 2))}  # fmt: skip
    assert all(isinstance(value, Fraction) for _, value in found)
    irrational = boundary_moves(claim(ge(x, 0), X, given=(le(x, sqrt(2)),)))
    assert not any(isinstance(move(F(1)), int | Fraction) for _, move in irrational)


def test_a_variable_called_e_or_pi_is_no_number() -> None:
    e, pi = (sympy.Symbol(name, real=True) for name in ("e", "pi"))
    given = (le(sympy.E * e + 1, sympy.pi * pi),)
    moves = dict(boundary_moves(claim(ge(e, 0), real("e"), real("pi"), given=given)))
    for found, value in ((moves[e], (math.pi * 7 - 1) / math.e), (moves[pi], (math.e * 5 + 1) / math.pi)):
        # Three operations on floats, each of which rounds once, and in another order here.
        assert abs(found(F(5), F(7)) - value) <= 6 * math.ulp(value)


def test_a_search_goes_to_a_boundary_with_rational_coefficients() -> None:
    """The claim fails on the line 3 x = 7 y + 1/5 alone, where no drawn point lies."""
    thin = (le(3 * x, 7 * y + R(1, 5)), ge(x, 1000), le(x, 1100))
    about = claim(lt(3 * x, 7 * y + R(1, 5)), X, Y, given=thin)
    outcome = search(about, Context(profile=SMALL), wanted=False, purpose="t")
    assert outcome.witness is not None


# ------------------------------------------------------------------------------------------- a whole search


def test_a_search_starts_afresh_with_a_chart_and_without_it() -> None:
    t = sympy.Symbol("t", real=True)
    charted = claim(ge(x, 0), X, sampling=Chart({t: (0, 1)}, {x: t}))

    def asked(about: Claim, **rest: Any) -> list[tuple[bool, str, int]]:
        seen: list[tuple[bool, str, int]] = []
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(
                witness, "makers", lambda c, purpose, seed: seen.append((c.sampling is not None, purpose, seed)) or []
            )
            outcome = search(about, Context(seed=5), wanted=False, purpose="why", **rest)
        assert outcome.witness is None
        return seen

    assert asked(charted) == [(True, "why-True-0", 5), (False, "why-False-0", 5)]
    assert asked(ONE) == [(False, "why-False-0", 5)]
    assert asked(ONE, attempts=3) == [(False, f"why-False-{i}", 5) for i in range(3)]
    assert asked(charted, attempts=2)[2:] == [(True, "why-True-1", 5), (False, "why-False-1", 5)]


@pytest.mark.parametrize(("successes", "runs"), [((), 6), ((2,), 3), ((0, 1), 1)])
def test_a_search_goes_on_until_a_witness_is_found(successes: tuple[int, ...], runs: int) -> None:
    seen: list[int] = []

    def run(_: object, maker: int, **__: object) -> Witness | None:
        seen.append(maker)
        return FOUND if len(seen) - 1 in successes else None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(witness, "makers", lambda *_: [7, 8])
        patched.setattr(witness._Search, "run", run)
        outcome = search(ONE, Context(), wanted=False, purpose="why", attempts=3)
    assert seen == [7, 8, 7, 8, 7, 8][:runs]
    assert outcome.witness is (FOUND if successes else None)


@pytest.mark.parametrize(
    ("thorough", "close", "expected"),
    [(False, False, []), (True, False, ["crossing", "far_out", "special"]), (False, True, ["thin", "close_by"]),
     (True, True, ["crossing", "far_out", "special", "thin", "close_by"])],
)  # fmt: skip
def test_what_a_search_goes_on_to(thorough: bool, close: bool, expected: list[str]) -> None:
    about = claim(ge(x**2 + 1, 0), X)
    looked, seen = looking(about), []
    counted: list[int] = []
    for name in ("crossing", "far_out", "special", "thin", "close_by"):
        setattr(looked, name, lambda *_, name=name: seen.append(name))
    original = looked.certify_best
    looked.certify_best = lambda *a: counted.append(len(a[1])) or original(*a)  # type: ignore[method-assign]
    assert looked.run(maker(about), thorough=thorough, close=close) is None
    assert seen == expected
    # Simple points, as many drawn ones, and two rounds of points around the best.
    assert counted == [400, 400, 200, 200]
    assert looked.outcome.admissible == sum(counted)


@pytest.mark.parametrize("at", ["far_out", "special", "thin", "close_by"])
def test_what_is_found_in_the_end_is_the_witness(at: str) -> None:
    about = claim(ge(x**2 + 1, 0), X)
    looked = looking(about)
    for name in ("far_out", "special", "thin", "close_by"):
        setattr(looked, name, lambda *_, name=name: FOUND if name == at else None)
    assert looked.run(maker(about), thorough=True, close=True) is FOUND


@pytest.mark.parametrize("round_", [1, 2, 3, 4])
def test_what_is_found_in_any_round_is_made_simple_and_returned(round_: int) -> None:
    about = claim(ge(x**2 + 1, 0), X)
    looked, rounds = looking(about), []
    simple = replace(FOUND, families=("simple",))
    looked.certify_best = lambda *a: rounds.append(a) or (FOUND if len(rounds) == round_ else None)  # type: ignore[method-assign]
    looked.simplify = lambda found: simple if found is FOUND else found  # type: ignore[method-assign]
    assert looked.run(maker(about), thorough=False, close=False) is simple
    assert len(rounds) == round_


def test_what_a_search_finds_is_what_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def record(_: Any, __: Any, **how: Any) -> Outcome:
        seen.append(how)
        return Outcome(FOUND)

    monkeypatch.setattr(witness, "search", record)
    assert find(ONE, Context(), wanted=True, purpose="t", attempts=3, polish=4) is FOUND
    assert find(ONE, Context(), wanted=False, purpose="u") is FOUND
    assert seen == [
        {"wanted": True, "purpose": "t", "attempts": 3, "polish": 4},
        {"wanted": False, "purpose": "u", "attempts": 1, "polish": 1},
    ]


def test_the_first_inequation_that_crosses_is_remembered() -> None:
    about = claim(ne(x**2 + 1, 0), X)
    looked = looking(about)
    answers = iter([ne(x, 1), ne(x, 2)])
    looked.crossing = lambda *_: next(answers)  # type: ignore[method-assign]
    for _ in range(2):
        looked.run(maker(about), thorough=True, close=False)
    assert looked.outcome.crossed == ne(x, 1)


# ------------------------------------------------------------------------------------------- witnesses


def test_a_point_that_is_given_in_part_is_completed_by_a_simple_number() -> None:
    about = claim(ge(x, y), X, Y, P)
    found = confirmed(about, {x: sympy.Integer(-1), y: sqrt(2)}, wanted=False)
    assert found is not None
    assert found.point == {x: -1, y: sqrt(2), p: 1}
    assert isinstance(found.point[x], Fraction)
    assert confirmed(about, {x: sqrt(2)}, wanted=False) is None
    in_range = real("v", lower=3, upper=5, integer=True)
    assert confirmed(claim(ge(in_range.symbol, 5), in_range), {}, wanted=False) is not None
    words = Claim(id="t:w", title="", source="", where="", kind="remark", informal="words")
    assert confirmed(words, {}, wanted=False) is None


def test_the_margin_of_a_witness_encloses_the_difference_of_the_sides() -> None:
    about = claim(both(ge(x, 0), le(exp(x), 2)), X)
    assert about.conclusion is not None
    found = certified(about, about.conclusion, {x: F(1)}, wanted=False)
    assert found is not None
    assert found.relation == gt(exp(x), 2)
    low, high = map(F, found.margin)
    assert low <= F("0.718281828459045") <= high
    assert high - low < F(1, 10**10)
    assert found.families == ("arb", "mpmath")


def test_a_witness_of_what_mpmath_cannot_enclose_names_arb_alone() -> None:
    about = claim(ge(sympy.gamma(x), 100), X)
    assert about.conclusion is not None
    found = certified(about, about.conclusion, {x: F(3)}, wanted=False)
    assert found is not None
    assert found.families == ("arb",)


def test_a_term_without_a_value_is_a_witness_with_the_condition_that_is_broken() -> None:
    found = _undefined(ge(log(x), 0), {x: F(-2)})
    assert found is not None
    assert (found.undefined, found.relation, found.families) == (log(x), le(x, 0), ("arb",))
    assert tuple(map(F, found.margin)) == (2, 2)
    assert _undefined(ge(log(x), 0), {x: F(2)}) is None


@pytest.mark.parametrize(
    ("relation", "point", "exact"),
    [
        (eq(x, 1 / y), {x: F(1, 3), y: F(3)}, True),
        (eq(x / 3 + R(1, 7), y / 27 + R(1, 7)), {x: F(1, 3), y: F(3)}, True),
        (eq(x, y), {x: F(1, 3), y: F(3)}, False),
        (eq(x**2, 2), {x: sqrt(2)}, False),
        (eq(abs(x), 3), {x: F(3)}, False),
        (eq(exp(x), 1), {x: F(0)}, False),
        (eq(1, exp(x)), {x: F(0)}, False),
        (ge(x, 3), {x: F(3)}, True),
    ],
)
def test_an_exact_equality_is_shown_exactly(
    relation: Any, point: Any, exact: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = python_sides(relation, point)
    text = pasted({s.name: value_text(v) for s, v in point.items()}, sides)
    assert ("fractions" in text) is exact
    if exact:
        exec(text, {})
        left, right, true = capsys.readouterr().out.split()
        assert true == "True"
        assert F(left) == F(right) == relation.lhs.subs({s: R(str(v)) for s, v in point.items()})


def test_a_function_without_a_definition_keeps_its_name() -> None:
    """`Function("f")` comes from no module, and its claim still shows both sides."""
    assert python_sides(ge(sympy.Function("f")(x) + 1, exp(x)), {x: F(1, 2)}) == ["f(x) + 1", ">=", "exp(x)"]


def test_factors_of_long_differences_are_not_looked_at() -> None:
    short = sympy.Mul(*((x - i) for i in range(20)), evaluate=False)
    assert {f.subs(x, 3) == 0 for f in special_factors(ge(short, 0))} == {True, False}
    long = sympy.Add(*((x - i) ** (i + 2) for i in range(60)))
    assert special_factors(ge(long, 0)) == []
    # Zeros of slopes: where the argument of a function, or a base below, turns.
    for formula in (ge(exp(-((x - 7) ** 2)), y), ge(1 / ((x - 7) ** 2 + 1), y)):
        assert any(f.subs(x, 7) == 0 for f in special_factors(formula))
    assert any(f.subs(x, 7) == 0 for f in special_factors(ge(sqrt(x - 7), y)))
    assert list(islice(special_factors(ge(x + 1, x + 1)), 3)) == []
