"""Methods on small nodes: thresholds, noise, accounts as printed, as proved and calibrated; what is infeasible."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.experiments.methods import best_share, costs
from rgm_verify.experiments.methods.by_name import METHODS, SWEEP, method
from rgm_verify.experiments.methods.neighbours import reached_level
from rgm_verify.experiments.methods.oracles import Prepared
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.sensitivities import (
    by_regularization,
    by_test,
    largest_gradient_at_optimum,
    printed,
)
from rgm_verify.experiments.run.one_run import expected_curve
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.data import EPS, FloatArray

D = 3
LARGE = Setup(copies=20_000, iterations=5)


@dataclass(frozen=True, eq=False)
class Small:
    X: FloatArray
    y: FloatArray
    linear: FloatArray = field(default_factory=lambda: np.zeros(D))
    centre: FloatArray = field(default_factory=lambda: np.zeros(D))


def problem(setup: Setup = LARGE, *, linear: float = 0.0, centre: float = 0.0) -> TwoNodes:
    """Two nodes with 40 and 41 records; the second one has what bias is asked for."""
    rng = np.random.default_rng(5)
    nodes = []
    for n in (40, 41):
        X = rng.uniform(-1, 1, (n, D))
        nodes.append(Small(X, np.sign(X @ [1.0, -0.5, 0.25] + rng.normal(0, 0.4, n))))
    second = nodes[1]
    shift = np.full(D, centre)
    nodes[1] = Small(second.X, second.y + second.X @ shift, np.full(D, linear), shift)
    return TwoNodes.of((nodes[0], nodes[1]), setup)


def accounts(name: str, setup: Setup = LARGE):
    return method(name).prepare(problem(setup)).accounts


def test_methods_are_known_by_their_names_and_others_are_refused() -> None:
    assert all(name == each.name for name, each in METHODS.items())
    compared = {"none", "iterate-vouched", "rgm-printed", "rgm-vouched", "rgm-exact", "rgm-best"}
    for stem in ("clip", "clip-high", "clip-low", *(f"clip-x{factor}" for factor in SWEEP)):
        compared |= {f"{stem}-printed", f"{stem}-vouched"}
    assert set(METHODS) == compared
    with pytest.raises(InputError, match="rgm-printed"):
        method("rgm")


# ------------------------------------------------------------------------------------------------------- clipping


@pytest.mark.parametrize("at", ["own", "common"])
@pytest.mark.parametrize("regularizer", ["outside", "inside"])
def test_the_recipe_s_threshold_is_the_least_that_clips_no_gradient_at_the_optimum(at, regularizer) -> None:
    made = problem(replace(LARGE, threshold_at=at, regularizer=regularizer))
    node, objective = made.nodes[0], made.objectives[0]
    point = made.minimiser if at == "common" else objective.minimiser()
    threshold = largest_gradient_at_optimum(made, 0)

    def clipped(share: str) -> FloatArray:
        clip = Fraction(threshold) * Fraction(share)
        return ClippedGradient.of(node.X, node.y, clip, regularization="0.03", regularizer=regularizer)(point)

    # Records are clipped with a margin of (d + 20) 1e-15; sums of 40 terms round by less than the second term.
    error = (1e-15 * (D + 20) + 100 * EPS) * threshold
    assert np.abs(clipped("1") - objective.gradient(point)).max() <= error
    assert np.abs(clipped("99/100") - objective.gradient(point)).max() > error


@pytest.mark.parametrize(("neighbours", "factor"), [("replace_one", 2), ("add_or_remove", Fraction(1, 2))])
def test_clipping_as_printed_costs_twice_the_aim_or_half_of_it(neighbours, factor) -> None:
    for account in accounts("clip-printed", replace(LARGE, neighbours=neighbours)):
        exact = factor * Fraction(1, 10)
        slack = 4 * Fraction(EPS) * exact
        assert exact - slack <= Fraction(account.release.lower) <= Fraction(account.release.upper) <= exact + slack
        assert account.reached == account.release.lower


@pytest.mark.parametrize("neighbours", ["replace_one", "add_or_remove"])
@pytest.mark.parametrize(
    "name", ["clip-vouched", "clip-high-vouched", "clip-low-vouched", "clip-x3e-3-vouched", "iterate-vouched"]
)
def test_vouched_gaussian_noise_reaches_its_level_from_below_within_rounding(name, neighbours) -> None:
    for account in accounts(name, replace(LARGE, neighbours=neighbours)):
        level = Fraction(1, 10)
        assert Fraction(account.release.upper) <= Fraction(np.nextafter(0.1, 1))
        assert Fraction(account.release.lower) >= level * (1 - 4 * Fraction(EPS))


@pytest.mark.parametrize("at", [0.0, 2.0])
def test_noise_at_the_iterate_has_the_variance_of_the_sensitivity_there(at) -> None:
    """Bounds are the largest of the records; a public bias moves the point at which records are seen."""
    made, theta = problem(centre=1.5, linear=1.0), np.full(D, at)
    oracles = method("iterate-vouched").prepare(made).oracles
    for node, objective, oracle in zip(made.nodes, made.objectives, oracles, strict=True):
        longest = float(np.linalg.norm(node.X, axis=1).max())
        label = float(np.abs(node.y - node.X @ node.centre).max())
        k = longest * float(np.linalg.norm(theta - node.centre)) / label
        angles = np.linspace(0, math.pi / 2, 100_001)
        move = longest * label * (2 * np.sin(angles) * (k * np.cos(angles) + 1)).max() / objective.records
        noise = oracle(theta, np.random.default_rng(3)) - objective.gradient(theta)
        # Order 2 and level 1/10: ten times the square. The grid loses less than the square of its width.
        expected = np.random.default_rng(3).standard_normal(D) * math.sqrt(10) * move
        assert np.abs(noise - expected).max() <= 1e-9 * np.abs(expected).max() + 8 * EPS * (1 + at) * D


def test_thresholds_are_the_multiples_that_their_names_say() -> None:
    base = accounts("clip-vouched")[0].clip
    for factor in SWEEP:
        found = accounts(f"clip-x{factor}-vouched")[0].clip
        assert found == pytest.approx(float(factor) * base, rel=4 * EPS, abs=0)
    assert accounts("clip-high-printed")[0].clip == accounts("clip-x10-printed")[0].clip
    assert accounts("clip-low-printed")[0].clip == accounts("clip-x1e-1-printed")[0].clip


def test_with_the_total_number_of_records_the_printed_noise_is_that_much_smaller() -> None:
    node, total = (accounts("clip-printed", replace(LARGE, count=count))[0] for count in ("node", "total"))
    assert total.sigma2 * 81**2 == pytest.approx(node.sigma2 * 40**2, rel=8 * EPS, abs=0)
    assert total.release.lower > 3 * node.release.upper


def test_the_whole_run_costs_iterations_times_the_level_of_one_release() -> None:
    for name in ("clip-vouched", "rgm-exact", "rgm-printed"):
        for account in accounts(name):
            assert account.total.upper >= account.iterations * account.release.upper * (1 - 1e-15)
            assert account.total.lower <= account.iterations * account.release.lower
            assert account.epsilon.lower <= account.epsilon.upper


# ------------------------------------------------------------------------------------------------- relative noise


def test_exactly_calibrated_noise_is_certified_and_a_little_less_fails() -> None:
    for account in accounts("rgm-exact"):
        parameters = {"r_rel": Fraction(account.r_rel), "sigma2": Fraction(account.sigma2)}
        eta, gamma = Fraction(account.eta), Fraction(account.gamma)
        assert account.release.upper <= 0.1
        assert renyi_bounds(Release(eta, gamma, D, **parameters), 2).upper <= 0.1
        less = gamma * (1 - Fraction(1, 10**9))
        assert renyi_bounds(Release(eta, less, D, **parameters), 2).lower > 0.1
        # And less baseline noise, a thousandth at this gamma, is told apart as well.
        parameters["sigma2"] *= Fraction(999, 1000)
        assert renyi_bounds(Release(eta, less, D, **parameters), 2).lower > 0.1


def test_theorem_1_with_all_constants_keeps_its_level_and_asks_for_more_noise_than_the_exact_curve() -> None:
    eta, r_rel = Fraction(1, 200), Fraction(1, 1000)
    theorem, exact = costs.by_theorem_1(eta, r_rel, D, LARGE), costs.exactly(eta, r_rel, D, LARGE)
    release = Release(eta, theorem.gamma, D, r_rel=r_rel, sigma2=theorem.sigma2)
    assert renyi_bounds(release, 2).upper <= 0.1
    assert exact.gamma < theorem.gamma
    assert exact.sigma2 < theorem.sigma2
    assert exact.floor < theorem.floor


def test_neglecting_the_dimension_breaks_the_level_even_with_a_true_sensitivity() -> None:
    eta, r_rel = Fraction(1, 200), Fraction(1, 1000)
    noise = costs.by_main_term(eta, r_rel, LARGE)
    release = Release(eta, noise.gamma, D, r_rel=r_rel, sigma2=noise.sigma2)
    assert renyi_bounds(release, 2).lower > 0.1


def test_what_is_printed_costs_more_than_it_aims_at() -> None:
    for account in accounts("rgm-printed"):
        assert account.vouched_eta > account.eta
        assert account.aim < account.release.upper
        assert account.aim < account.reached_anywhere
        assert account.reached <= account.release.upper


def test_vouched_parameters_keep_the_level_and_explicit_neighbours_lose_no_more() -> None:
    for name in ("rgm-vouched", "rgm-exact"):
        for account in accounts(name):
            assert account.reached <= account.release.upper <= 0.1


def test_without_a_test_no_two_data_sets_within_the_bounds_lose_more_than_is_proved() -> None:
    # With a regularization of 1 nothing is gained by a test.
    for name in ("rgm-exact", "rgm-printed"):
        for account in accounts(name, replace(LARGE, regularization="1", rho="1/100")):
            assert account.test_distance is None
            assert account.reached <= account.reached_anywhere <= account.release.upper


def test_what_a_test_rests_on_is_in_its_account() -> None:
    for account in accounts("rgm-vouched"):
        assert account.test_distance > 1
        assert math.exp(-0.1 * (account.test_distance - 1)) / 2 <= account.test_delta
        assert any("Hessian" in sentence for sentence in account.caveats)


def test_the_cheapest_split_of_the_sensitivity_is_no_dearer_than_any() -> None:
    made = problem()
    proved = [by_regularization(made, 0), by_test(made, 0)]
    gamma, sigma2 = Fraction(1, 1000), Fraction(1, 10**6)
    best = costs.cheapest(proved, gamma, sigma2, D, LARGE)
    for each in proved:
        for eta, r_rel in each.all_shares():
            other = renyi_bounds(Release(eta, gamma, D, r_rel=r_rel, sigma2=sigma2), 2)
            assert best.level.upper <= other.upper


def test_explicit_neighbours_on_the_line_have_the_divergence_of_two_normal_laws() -> None:
    X, y = np.array([[1.0], [0.5], [-1.0]]), np.array([1.0, -1.0, -1.0])
    node = Small(X, y, np.zeros(1), np.zeros(1))
    made = TwoNodes.of((node, node), Setup(copies=10))
    gamma, sigma2 = Fraction(1, 2), Fraction(1, 3)
    found = reached_level(made, 0, gamma, sigma2)
    # Far away the baseline does not count: the largest record is replaced by zeros, A' / A = (A - 1/30) / A.
    A = (1 + 0.25 + 1) / 3 + 0.03
    p, q = (A - 1 / 30) / A, 1.0
    wide, narrow = q**2, p**2
    shift, excess = (q - p) ** 2 / (0.5 * narrow), wide / narrow - 1
    exact = shift / (1 - excess) - math.log(1 - excess) / 2 - math.log1p(excess) / 2
    assert found >= exact * (1 - 2e-6)


def test_below_the_floor_nothing_is_run_and_no_noise_ratio_would_do() -> None:
    small = replace(LARGE, copies=1)
    for name in ("rgm-vouched", "rgm-exact"):
        prepared = method(name).prepare(problem(small))
        assert prepared.oracles is None
        for account in prepared.accounts:
            assert not account.feasible
            assert account.gamma is account.sigma2 is None
            assert account.reason
    for account in method("rgm-exact").prepare(problem(replace(LARGE, copies=40, level="0.0001"))).accounts:
        assert account.floor >= 0.0001
        assert renyi_bounds(Release(Fraction(account.eta), 10**12, D), 2).lower >= 0.0001


def test_an_order_out_of_range_is_said_to_be_so() -> None:
    account = accounts("rgm-exact", replace(LARGE, order="100000"))[0]
    assert not account.feasible
    assert "orders end at" in account.reason


# ------------------------------------------------------------------------------------------------- sensitivities


def test_a_public_bias_changes_no_proved_sensitivity() -> None:
    for route in (by_regularization, by_test):
        without, with_bias = (route(problem(centre=size), 1) for size in (0.0, 100.0))
        assert with_bias.e == without.e
        # The labels are recovered from y + X.B, and rounded.
        assert without.r <= with_bias.r <= without.r * (1 + Fraction(1, 10**12))


def test_a_private_bias_and_a_linear_term_make_the_absolute_part_larger_alone() -> None:
    plain = by_regularization(problem(), 1)
    private = by_regularization(problem(replace(LARGE, bias_known="private"), centre=10.0), 1)
    linear = by_regularization(problem(linear=1.0), 1)
    for other in (private, linear):
        assert other.e == plain.e
        assert other.r > plain.r


def test_the_two_readings_of_b_differ_by_the_number_of_records() -> None:
    small, large = (printed(problem(replace(LARGE, printed_b=b)), 0) for b in ("section-5", "appendix-c"))
    assert small[0] == large[0]
    made = problem()
    products = made.nodes[0].X * made.nodes[0].y[:, np.newaxis]
    n, longest = 40 * 20_000, float(np.linalg.norm(products, axis=1).max())
    assert float(large[1] - small[1]) == pytest.approx(2 * longest * (1 - 1 / n), rel=8 * (D + 4) * EPS, abs=0)


def test_printed_etas_are_ordered_as_their_constants() -> None:
    norm, kappa, proposition = (
        printed(problem(replace(LARGE, printed_eta=eta)), 0)[0] for eta in ("norm", "kappa", "proposition-1")
    )
    assert norm <= kappa
    # Two ways to max |A^-1 X|, each off by some d condition numbers of roundings.
    condition = max(each.smoothness / each.strong_convexity for each in problem().objectives)
    assert float(proposition / norm) == pytest.approx(2 * math.sqrt(6), rel=8 * D * condition * EPS, abs=0)


def test_bounds_of_the_format_refuse_data_beyond_them() -> None:
    setup = replace(LARGE, parameters="domain")
    wide = by_regularization(problem(setup), 0)
    assert wide.e > by_regularization(problem(), 0).e
    node = Small(np.array([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.array([1.0, -1.0]))
    with pytest.raises(InputError, match="outside"):
        by_regularization(TwoNodes.of((node, node), setup), 0)


def test_accounts_are_plain_data() -> None:
    import json

    for name in ("none", "clip-printed", "rgm-printed", "rgm-vouched", "rgm-exact"):
        for account in accounts(name):
            json.dumps(account.to_json(), allow_nan=False)


def test_what_is_left_out_of_an_account_is_said() -> None:
    copied = replace(LARGE, split="label", label_rest="copied", centred=True)
    sentences = " ".join(accounts("clip-vouched", copied)[0].caveats)
    for word in ("mean", "both nodes", "20000 times", "step size", "threshold"):
        assert word in sentences


def test_the_alternative_of_the_optimum_has_the_move_of_unclipped_gradients_as_its_absolute_part() -> None:
    made = problem(replace(LARGE, printed_r_rel="optimum"))
    _, r_rel = printed(made, 0)
    assert float(r_rel) == pytest.approx(2 * largest_gradient_at_optimum(made, 0) / (40 * 20_000), rel=4 * EPS, abs=0)


def test_the_best_share_leaves_no_more_than_others_and_says_that_it_was_chosen_afterwards(monkeypatch) -> None:
    # Two of them, as each takes a calibration; neither is that of the setup.
    monkeypatch.setattr(best_share, "SHARES", ("1/8", "4"))

    def left(prepared: Prepared) -> float:
        given = problem()
        return expected_curve(given, prepared, np.zeros(D), given.step(prepared.gamma))[-1]

    best = method("rgm-best").prepare(problem())
    others = [left(method("rgm-exact").prepare(problem(replace(LARGE, share=share)))) for share in best_share.SHARES]
    assert left(best) == min(others) < max(others)
    assert all("nobody knows beforehand" in account.caveats[-1] for account in best.accounts)
    # Where no share serves, the accounts say why, as without a choice.
    none = method("rgm-best").prepare(problem(replace(LARGE, copies=1)))
    assert none.noises is None
    assert not all(account.feasible for account in none.accounts)
