"""Accountants with the interfaces of other libraries answer what their own history, or their own event, answers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rgm_verify.accounting.drop_in import EventAccountant, OpacusAccountant
from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.importers import from_dp_accounting, from_opacus
from rgm_verify.errors import InputError

EVENT = {
    "type": "PoissonSampledDpEvent",
    "sampling_probability": 0.02,
    "event": {"type": "GaussianDpEvent", "noise_multiplier": 1.5},
}


def test_a_history_by_steps_is_that_of_opacus():
    accountant = OpacusAccountant(sampler="poisson")
    assert accountant.get_epsilon(1e-5) == 0
    hook = accountant.get_optimizer_hook_fn(0.01)
    for noise, steps in ((1.5, 20), (2.0, 30)):
        for _ in range(steps):
            hook(SimpleNamespace(noise_multiplier=noise, accumulated_iterations=2))
    assert accountant.history == [(1.5, 0.02, 20), (2.0, 0.02, 30)]
    assert len(accountant) == 50
    # The float 1e-5 is off by 2^-53 of itself, and epsilon by less than that of the logarithm's slope.
    known = epsilon(from_opacus(accountant.history, sampler="poisson"), "1e-5").upper
    assert abs(accountant.get_epsilon(delta=1e-5, alphas=[2, 3]) - known) <= 1e-9 * known
    again = OpacusAccountant(sampler="poisson")
    again.load_state_dict(accountant.state_dict())
    assert again.history == accountant.history


def test_events_are_composed():
    accountant = EventAccountant(adjacency="ADD_OR_REMOVE_ONE").compose(EVENT, 30).compose(EVENT, 20)
    event = {"type": "SelfComposedDpEvent", "count": 50, "event": EVENT}
    known = epsilon(from_dp_accounting(event, adjacency="ADD_OR_REMOVE_ONE"), "1e-5").upper
    found = accountant.get_epsilon(1e-5)
    assert abs(found - known) <= 1e-9 * known
    assert accountant.get_delta(found) <= 1.01e-5
    assert accountant.supports(EVENT)
    assert not accountant.supports({"type": "UnsupportedDpEvent"})


def test_what_the_other_libraries_leave_open_is_asked_for():
    with pytest.raises(InputError, match="sampler"):
        OpacusAccountant()
    with pytest.raises(InputError, match="adjacency: missing"):
        EventAccountant()
    accountant = OpacusAccountant(sampler="poisson")
    with pytest.raises(InputError, match=r"sampling_rate|rate"):
        accountant.step(noise_multiplier=1.0, sample_rate=2.0)
    assert accountant.history == []
    with pytest.raises(InputError, match="count=0"):
        EventAccountant(adjacency="REPLACE_ONE").compose({"type": "ZCDpEvent", "rho": 0.1}, 0)
