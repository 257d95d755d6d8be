"""Plans by dp-accounting: within its own stated error of the certified interval."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of

#: Connected dots at 1e-4: far below the first digit of what separates our two ends.
INTERVAL = 1e-4
ABOVE = 1e-3


def laplace(pld, scale, count):
    return pld.from_laplace_mechanism(scale, value_discretization_interval=INTERVAL).self_compose(count)


def gaussian(pld, sigma, count):
    return pld.from_gaussian_mechanism(sigma, value_discretization_interval=INTERVAL).self_compose(count)


def discrete_laplace(pld, scale, count):
    found = pld.from_discrete_laplace_mechanism(1 / scale, sensitivity=2, value_discretization_interval=INTERVAL)
    return found.self_compose(count)


def discrete_gaussian(pld, sigma, count):
    found = pld.from_discrete_gaussian_mechanism(sigma, sensitivity=2, value_discretization_interval=INTERVAL)
    return found.self_compose(count)


LISTS = {
    "laplace": [(laplace, "laplace", {"scale": 10}, 30)],
    "discrete": [
        (discrete_laplace, "discrete-laplace", {"scale": 10, "sensitivity": 2}, 10),
        (discrete_gaussian, "discrete-gaussian", {"sigma": 12, "sensitivity": 2}, 10),
    ],
    "mixed": [
        (laplace, "laplace", {"scale": 15}, 20),
        (gaussian, "gaussian", {"noise_multiplier": 8}, 10),
        (discrete_gaussian, "discrete-gaussian", {"sigma": 12, "sensitivity": 2}, 5),
    ],
}


@pytest.mark.parametrize("delta", [1e-4, 1e-6])
@pytest.mark.parametrize("name", LISTS)
def test_the_pessimistic_pld_of_dp_accounting_lies_in_or_next_to_the_interval(dp_accounting, name, delta):
    from dp_accounting.pld import privacy_loss_distribution as pld

    total = None
    for theirs, _, fields, count in LISTS[name]:
        one = theirs(pld, float(next(iter(fields.values()))), count)
        total = one if total is None else total.compose(one)
    releases = [release_of(kind, {**fields, "count": count}) for _, kind, fields, count in LISTS[name]]
    ours = epsilon(plan(releases), Fraction(delta))
    found = total.get_epsilon_for_delta(delta)
    assert found >= ours.lower
    assert found <= ours.upper * (1 + ABOVE)
    # The control: one release more is noticed.
    more = epsilon(plan([*releases, releases[0]]), Fraction(delta))
    assert found < more.lower
