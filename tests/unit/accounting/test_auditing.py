"""The parts of an audit: drawing outputs, events, bounds summed over all outcomes, controls, and bad input."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from rgm_verify.accounting.auditing import audit, bound_event, check_claim, check_claims
from rgm_verify.accounting.auditing.control import control_samplers, gaussian_shift
from rgm_verify.accounting.auditing.events import Event, Samples, Score, choose_events, fit_scores
from rgm_verify.accounting.auditing.samples import draw, sampler
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.mechanisms import RelativeGaussianMechanism
from rgm_verify.numbers.sampling import Inconclusive

FIRST = Score("output[0]", lambda rows: rows[:, 0])
ONE = Event(FIRST, 1.0, above=True)


def generator():
    return np.random.default_rng(0)


def outputs(ones, count):
    return np.array([[1.0]] * ones + [[0.0]] * (count - ones))


def noise(g, size):
    return g.standard_normal((size, 2))


# --------------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize("trials", [10, 40])
@pytest.mark.parametrize("odds", [Fraction(101, 100), 3, 20])
def test_false_alarms_summed_over_all_outcomes_are_at_most_as_stated(trials, odds):
    """No simulation: a coin of probability `odds / (1 + odds)` against its mirror image, so epsilon is `log odds`."""
    rate, truth, p = 0.5, math.log(odds), float(odds / (1 + Fraction(odds)))
    total = 0.0
    for hits in range(trials + 1):
        for misses in range(trials + 1):
            first, second = outputs(hits, trials), outputs(misses, trials)
            bound = bound_event(ONE, first, second, Fraction(0), rate, order="x over y").epsilon_lower
            if bound > truth:
                total += stats.binom.pmf(hits, trials, p) * stats.binom.pmf(misses, trials, 1 - p)
    assert total <= rate
    # Not empty: with 40 throws it does say too much now and then, but for the odds that few throws can reach.
    assert total > 0 or (odds == 20 and trials == 10)


def test_delta_is_taken_off_the_probability():
    found = [
        bound_event(ONE, outputs(900, 1000), outputs(100, 1000), Fraction(d, 10), 0.01, order="x over y").epsilon_lower
        for d in (0, 3, 6, 8, 9)
    ]
    assert found == sorted(found, reverse=True)
    assert found[0] > 1.5
    assert found[-1] == 0


# --------------------------------------------------------------------------------------------- events


def test_an_event_counts_the_rows_on_its_side_of_the_threshold():
    rows = np.array([[0.0], [1.0], [2.0]])
    assert [Event(FIRST, 1.0, above=side).count(rows) for side in (True, False)] == [2, 2]
    assert Event(FIRST, 1.5, above=True).count(rows) == 1
    assert str(Event(FIRST, 1.5, above=False)) == "output[0] <= 1.5"


@pytest.mark.parametrize(
    ("x", "y", "best"),
    [
        (lambda g: g.standard_normal((4000, 1)) + 3, lambda g: g.standard_normal((4000, 1)), "output[0]"),
        (
            lambda g: g.standard_normal((4000, 30)) * 1.2,
            lambda g: g.standard_normal((4000, 30)),
            "norm|isotropic|quadratic",
        ),
        (lambda g: g.standard_normal((4000, 30)) + 0.4, lambda g: g.standard_normal((4000, 30)), "linear|quadratic"),
        (lambda g: _correlated(g, 0.95), lambda g: _correlated(g, -0.95), "quadratic discriminant"),
        (lambda g: g.integers(0, 8, (4000, 1)) * 2.0, lambda g: g.integers(0, 8, (4000, 1)) * 2 + 1.0, "exactly this"),
    ],
)
def test_the_score_that_fits_the_difference_is_chosen(x, y, best):
    g = generator()
    fit, choice = Samples(x(g), y(g)), Samples(x(g), y(g))
    forward, _ = choose_events(fit_scores(fit), choice, 0.0, 4000, 3.0)
    assert any(word in forward.score.name for word in best.split("|")), forward


def _correlated(g, correlation):
    first, second = g.standard_normal((2, 4000))
    return np.stack([first, correlation * first + math.sqrt(1 - correlation**2) * second], axis=1)


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1.0, 1e150, 1e300])
def test_scores_survive_outputs_of_every_size(scale):
    g = generator()
    found = audit(
        lambda g, n: scale * (g.standard_normal((n, 3)) + 5),
        lambda g, n: scale * g.standard_normal((n, 3)),
        delta="1/100",
        generator=g,
        samples=4000,
    )
    assert found.epsilon_lower > 4


def test_laws_that_differ_in_the_sign_of_zero_are_told_apart():
    """Whoever sees the bits sees it."""
    found = audit(
        lambda g, n: np.zeros((n, 1)), lambda g, n: -np.zeros((n, 1)), delta=0, generator=generator(), samples=1000
    )
    assert found.epsilon_lower > 2
    same = audit(lambda g, n: np.zeros(n), lambda g, n: np.zeros(n), delta=0, generator=generator(), samples=1000)
    assert same.epsilon_lower == 0


def test_outputs_of_many_dimensions_are_told_apart():
    found = audit(
        lambda g, n: g.standard_normal((n, 700)) + 0.2, lambda g, n: g.standard_normal((n, 700)),
        delta="1/100", generator=generator(), samples=1000,
    )  # fmt: skip
    assert found.epsilon_lower > 2


# --------------------------------------------------------------------------------------------- drawing


def test_the_three_forms_of_a_mechanism_give_rows():
    def single(value, g):
        return value + g.standard_normal(2)

    def batched(value, g, size):
        return value + g.standard_normal((size, 2))

    for mechanism in (single, batched, RelativeGaussianMechanism(1, 0)):
        rows = draw(sampler(mechanism, np.array([1.0, 2.0])), generator(), 5, name="outputs")
        assert rows.shape == (5, 2)
        assert len(np.unique(rows)) == 10
    assert draw(sampler(lambda v, g: bool(g.random() < v), 0.5), generator(), 5, name="outputs").shape == (5, 1)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (lambda g, n: np.full((n, 2), math.nan), ": every output must be finite"),
        (lambda g, n: np.full((n, 2), math.inf), ": every output must be finite"),
        (lambda g, n: np.zeros((n + 1, 2)), r"an array of shape \(\d+, 2\); expected \d+ outputs along the first axis"),
        (lambda g, n: 1.0, r"an array of shape \(\)"),
        (lambda g, n: np.zeros((n, 0)), r"an array of shape \(\d+, 0\)"),
        (lambda g, n: ["a"] * n, "expected real numbers"),
        (lambda g, n: [1j] * n, "expected real numbers"),
        (lambda g, n: [None] * n, "expected real numbers"),
        (lambda g, n: [[1.0]] * (n - 1) + [[1.0, 2.0]], "all must have one shape"),
    ],
)
def test_bad_outputs_are_refused_with_the_input_they_belong_to(found, message):
    with pytest.raises(InputError, match=f"outputs at y.*{message}"):
        audit(noise, found, delta="1/20", generator=generator(), samples=100, false_alarm=0.1)


def test_outputs_of_different_lengths_are_refused():
    with pytest.raises(InputError, match="outputs of 2 and 3 numbers: all must be equal"):
        audit(noise, lambda g, n: np.zeros((n, 3)), delta=0, generator=generator(), samples=100, false_alarm=0.1)
    lengths = iter([1, 2] * 50_000)
    with pytest.raises(InputError, match="all must be equal"):
        check_claim(lambda v, g: np.zeros(next(lengths)), 0, 1, epsilon=1, delta="1/20", generator=generator())


def test_what_a_mechanism_raises_goes_through():
    def broken(value, g):
        raise ValueError("no such patient")

    with pytest.raises(ValueError, match="no such patient"):
        check_claim(broken, 0, 1, epsilon=1, delta="1/20", generator=generator())
    with pytest.raises(InputError, match="mechanism=3: expected a callable"):
        sampler(3, 0)


# ------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize("delta", [-1, 1, "3/2", 0.1, math.nan])
def test_delta_is_an_exact_probability(delta):
    with pytest.raises(InputError, match="delta="):
        audit(noise, noise, delta=delta, generator=generator())
    with pytest.raises(InputError, match="delta="):
        check_claims(noise, noise, [(1, delta)], generator=generator())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, "samples=0"),
        ({"false_alarm": 0.0}, "false_alarm=0.0"),
        ({"generator": None}, "generator=None"),
        ({"score": lambda rows: rows}, "expected .* numbers, one an output"),
        ({"score": lambda rows: np.full(len(rows), math.nan)}, "expected .* numbers, one an output"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    given = {"delta": "1/20", "generator": generator(), "samples": 1000} | options
    with pytest.raises(InputError, match=message):
        audit(noise, noise, **given)


@pytest.mark.parametrize(
    ("claims", "options", "message"),
    [
        ([], {}, "at least one pair"),
        ([(-1, "1/20")], {}, "epsilon=-1"),
        ([(math.nan, "1/20")], {}, "epsilon=nan"),
        ([("1e400", "1/20")], {}, r"epsilon=1e\+300: must be at most 1000000"),
        ([(1, "1/20")], {"control": 1}, "control=1: must be > 1"),
    ],
)
def test_bad_claims_are_refused(claims, options, message):
    with pytest.raises(InputError, match=message):
        check_claims(noise, noise, claims, generator=generator(), **options)


# ------------------------------------------------------------------------------------------- outcomes


@pytest.mark.parametrize("samples", [1, 15, 40])
def test_too_few_samples_are_inconclusive_and_never_a_number(samples):
    found = audit(noise, noise, delta="1/20", generator=generator(), samples=samples)
    assert isinstance(found, Inconclusive)
    check = check_claims(noise, noise, [(1, "1/20")], generator=generator(), samples=samples)
    assert check.outcome == "inconclusive"
    assert check.audits == ()


def test_a_claim_that_so_few_samples_cannot_reject_is_inconclusive():
    check = check_claims(noise, noise, [(10, "1e-8")], generator=generator(), samples=2000)
    assert check.outcome == "inconclusive"
    assert check.control_rejected is False
    assert "too few to reject" in check.detail
    huge = check_claims(noise, noise, [(10**6, "1e-400")], generator=generator(), samples=2000)
    assert huge.outcome == "inconclusive"
    with pytest.raises(TypeError, match="three outcomes"):
        bool(check)


def test_claims_at_several_deltas_are_judged_on_the_same_outputs():
    def shifted(g, n):
        return g.standard_normal((n, 1)) + 1

    def centred(g, n):
        return g.standard_normal((n, 1))

    claims = [(e, Fraction(hockey_stick_enclosure(Fraction(e), Fraction(1), Fraction(0), 1).upper)) for e in (1, 2)]
    assert check_claims(shifted, centred, claims, generator=generator()).outcome == "consistent"
    claims[1] = (1, claims[1][1])
    check = check_claims(shifted, centred, claims, generator=generator())
    assert check.outcome == "rejected"
    assert [a.epsilon_lower > 1 for a in check.audits] == [False, True]


def test_pure_differential_privacy_can_be_claimed():
    def laplace(scale):
        return lambda v, g, size: v + g.laplace(scale=scale, size=(size, 1))

    good = check_claim(laplace(1), 1.0, 0.0, epsilon=1, delta=0, generator=generator())
    assert good.outcome == "consistent", good.detail
    assert check_claim(laplace(0.5), 1.0, 0.0, epsilon=1, delta=0, generator=generator()).outcome == "rejected"
    nothing = check_claim(laplace(1), 1.0, 1.0, epsilon=0, delta=0, generator=generator(), samples=2000)
    assert nothing.outcome == "inconclusive"


def test_a_given_score_is_the_one_that_is_used():
    found = audit(
        lambda g, n: noise(g, n) + np.array([0, 3]), noise, delta="1/20", generator=generator(), samples=4000,
        score=lambda rows: rows[:, 0],
    )  # fmt: skip
    assert found.best.event.startswith("the given score")
    assert found.epsilon_lower == 0


def test_an_audit_is_a_function_of_the_seed():
    first, second = (audit(noise, lambda g, n: noise(g, n) + 1, delta="1/20", generator=generator()) for _ in range(2))
    assert first == second


# -------------------------------------------------------------------------------------------- control


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [*((e, d) for e in (0, 0.1, 1, 10, 1000) for d in (0.9, 0.05, 1e-8)), (1, 1e-100)],
)
def test_the_control_meets_its_claim_exactly(epsilon, delta):
    shift = gaussian_shift(epsilon, delta)

    def spent(factor):
        squared = Fraction(shift * factor) ** 2
        return hockey_stick_enclosure(Fraction(epsilon), squared, Fraction(0), 1)

    # Brackets of a thousandth: a control needs no more.
    assert spent(0.999).upper < delta < spent(1.001).lower


def test_the_control_is_off_by_its_factor_in_one_coordinate():
    x, y = control_samplers(Fraction(1), Fraction(0), 3, 2.0)
    assert np.array_equal(x(generator(), 4), y(generator(), 4) + np.array([2.0, 0.0, 0.0]))
