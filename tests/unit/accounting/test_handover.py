"""The hand-over to dp-accounting: dominated, composed, mixed and refused as it should be."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure

dp_accounting = pytest.importorskip("dp_accounting", reason="the optional extra dp-accounting is not installed")

from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism  # noqa: E402

from rgm_verify.accounting.handover import (  # noqa: E402
    RelativeGaussianAccountant,
    RelativeGaussianDpEvent,
    RelativeGaussianRdpAccountant,
    privacy_loss_distribution,
)

ADD = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
REPLACE = dp_accounting.NeighboringRelation.REPLACE_ONE
RELEASE = Release("1/100", "1/400", 22)
EVENT = RelativeGaussianDpEvent("1/100", "1/400", 22, ADD)
INTERVAL = 1e-3


def accountant(kind=RelativeGaussianAccountant, relation=ADD):
    return kind(neighboring_relation=relation, value_discretization_interval=INTERVAL)


@pytest.mark.parametrize("steps", [1, 7, 60])
@pytest.mark.parametrize("delta", [1e-3, 1e-8])
def test_the_distribution_costs_at_least_what_is_certainly_needed(steps, delta):
    found = privacy_loss_distribution(RELEASE, value_discretization_interval=INTERVAL)
    epsilon = (
        found.self_compose(steps).get_epsilon_for_delta(delta) if steps > 1 else found.get_epsilon_for_delta(delta)
    )
    lower = composed_epsilon(RELEASE, str(delta), steps=steps, methods=["rdp"]).lower
    assert lower <= epsilon <= 1.05 * lower


@pytest.mark.parametrize("epsilon", ["-1", "-1/10", "0", "1/7", "1", "2"])
def test_the_distribution_lies_above_both_orders_of_the_worst_pair_at_every_epsilon(epsilon):
    found = privacy_loss_distribution(RELEASE, value_discretization_interval=INTERVAL)
    point = Fraction(epsilon)
    for pair in (RELEASE.worst_pair, RELEASE.worst_pair.reversed()):
        true = hockey_stick_enclosure(point, pair.shift_squared, pair.excess, pair.dimension).lower
        # Their sum over some hundred masses rounds; it is not ours to make certain.
        assert found.get_delta_for_epsilon(float(point)) >= float(true) * (1 - 1e-12)


def test_mixed_with_their_gaussian_it_costs_more_than_either():
    gaussian = dp_accounting.GaussianDpEvent(5.0)
    both = accountant().compose(EVENT, 4).compose(gaussian).get_epsilon(1e-6)
    ours = accountant().compose(EVENT, 4).get_epsilon(1e-6)
    theirs = accountant().compose(gaussian).get_epsilon(1e-6)
    assert max(ours, theirs) < both < ours + theirs


def test_a_small_relative_change_is_the_gaussian_mechanism():
    """As `eta` falls with `eta / sqrt(gamma)` kept, the variances agree and what is left is their Gaussian."""
    found = privacy_loss_distribution(Release("1e-7", "1e-12", 3), value_discretization_interval=1e-4)
    gaussian = from_gaussian_mechanism(10.0, value_discretization_interval=1e-4)
    for delta in (1e-2, 1e-5, 1e-9):
        # The grid of the dots is up to 0.001 wide; it can cost no more than its own width.
        assert 0 <= found.get_epsilon_for_delta(delta) - gaussian.get_epsilon_for_delta(delta) + 1e-6 <= 1.001e-3


def test_events_compose_and_nest_as_their_own_do():
    nested = dp_accounting.SelfComposedDpEvent(dp_accounting.ComposedDpEvent([EVENT, dp_accounting.NoOpDpEvent()]), 6)
    flat = accountant().compose(EVENT, 6).get_epsilon(1e-6)
    assert accountant().compose(nested).get_epsilon(1e-6) == flat


def test_the_renyi_accountant_agrees_with_the_exact_renyi_curve():
    orders = [1.5, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]
    found = RelativeGaussianRdpAccountant(orders=orders).compose(EVENT, 10).get_epsilon(1e-6)
    bounds = composed_epsilon(RELEASE, "1e-6", steps=10, methods=["rdp"])
    assert bounds.lower <= found
    assert bounds.upper <= found <= 1.1 * bounds.upper


@pytest.mark.parametrize("kind", [RelativeGaussianAccountant, RelativeGaussianRdpAccountant])
def test_an_event_for_another_relation_is_refused(kind):
    found = kind(neighboring_relation=REPLACE)
    assert not found.supports(EVENT)
    with pytest.raises(dp_accounting.UnsupportedEventError, match="ADD_OR_REMOVE_ONE"):
        found.compose(EVENT)


@pytest.mark.parametrize("kind", [RelativeGaussianAccountant, RelativeGaussianRdpAccountant])
def test_a_sampled_event_is_refused(kind):
    assert not kind().supports(dp_accounting.PoissonSampledDpEvent(0.1, EVENT))


def test_their_own_accountant_refuses_the_event():
    assert not dp_accounting.pld.PLDAccountant().supports(EVENT)


def test_an_event_survives_as_a_named_tuple():
    assert dp_accounting.DpEvent.from_named_tuple(EVENT.to_named_tuple()) == EVENT


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("0", "1", 1, ADD), "eta="),
        (("1/10", "1", 0, ADD), "dimension="),
        ((0.1, "1", 1, ADD), "0.1"),
        (("1/10", "1", 1, "add"), "neighboring_relation="),
    ],
)
def test_an_event_that_is_no_release_is_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        RelativeGaussianDpEvent(*arguments)


@pytest.mark.parametrize("interval", [0, -1e-4, float("nan"), float("inf"), 1e-12])
def test_an_interval_that_cannot_be_is_refused(interval):
    with pytest.raises(InputError, match="value_discretization_interval="):
        privacy_loss_distribution(RELEASE, value_discretization_interval=interval)


def test_without_the_package_the_error_says_how_to_install_it():
    source = "import sys; sys.modules['dp_accounting'] = None\nimport rgm_verify.accounting.handover"
    found = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert "pip install 'rgm-verify[dp-accounting]'" in found.stderr


def test_the_error_of_the_transforms_grows_with_what_is_composed_and_delta_has_it_added():
    few, many = accountant().compose(EVENT, 2), accountant().compose(EVENT, 50)
    assert 0 < few.transform_error < many.transform_error
    before = many.transform_error
    bare = many._pld.get_delta_for_epsilon(1.0)
    assert many.get_delta(1.0) == bare + many.transform_error
    many.compose(dp_accounting.GaussianDpEvent(50.0))
    assert many.transform_error > before


def test_nothing_composed_has_no_error():
    assert accountant().transform_error == 0.0
    assert accountant().get_delta(1.0) == 0.0


@pytest.mark.parametrize(("sigma", "steps"), [(30, 1_000), (100, 10_000)])
def test_where_their_epsilon_is_too_low_ours_is_refused(sigma, steps):
    """Repeated events of theirs take the transform here: a Gaussian sampled at a rate next to 1 is nearly plain."""
    event = dp_accounting.PoissonSampledDpEvent(1 - 1e-12, dp_accounting.GaussianDpEvent(float(sigma)))
    ours = RelativeGaussianAccountant().compose(event, steps)
    with pytest.raises(InputError, match="transforms of dp-accounting may be wrong"):
        ours.get_epsilon(1e-12)
    with pytest.raises(InputError, match="transforms of dp-accounting may be wrong"):
        ours.get_delta(9.0 * steps**0.5 / sigma)


@pytest.mark.parametrize("delta", [1e-3, 1e-5])
def test_an_answer_of_many_gaussians_is_above_the_certified_lower_end(delta):
    event = dp_accounting.PoissonSampledDpEvent(1 - 1e-12, dp_accounting.GaussianDpEvent(100.0))
    found = RelativeGaussianAccountant().compose(event, 10_000).get_epsilon(delta)
    certain = epsilon_enclosure(Fraction(delta), Fraction(1), Fraction(0), 1)
    # Sampling at that rate takes at most its distance from 1 from each release.
    assert certain.lower * (1 - Fraction(1, 10**7)) <= Fraction(found) <= certain.upper * Fraction(101, 100)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-3, float("nan")])
def test_a_delta_that_is_no_probability_is_refused(delta):
    with pytest.raises(InputError, match="target_delta="):
        accountant().compose(EVENT).get_epsilon(delta)
