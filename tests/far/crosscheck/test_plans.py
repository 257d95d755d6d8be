"""Plans by dp-accounting: within its own stated error of the certified interval."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.importers import from_dp_accounting
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


def events(dp, relation):
    """Yield every kind of event with an account here, alone and composed, and what dp-accounting makes of it.

    Its accountant refuses Laplace noise under replace-one; there the oracle is its distribution for the sensitivity 2.
    """
    from dp_accounting.pld import privacy_loss_distribution as pld

    gaussian, many = dp.GaussianDpEvent(3.0), 4
    # A batch of all records is no sample; the accountant has no event of samples without replacement.
    whole = dp.SampledWithoutReplacementDpEvent(50, 50, gaussian)
    moved = 2 if relation is dp.NeighboringRelation.REPLACE_ONE else 1
    laplace = pld.from_laplace_mechanism(8.0, sensitivity=moved, value_discretization_interval=INTERVAL)
    decay = pld.from_discrete_laplace_mechanism(0.125, sensitivity=moved, value_discretization_interval=INTERVAL)

    def account(event):
        return dp.pld.PLDAccountant(relation, INTERVAL).compose(event)._pld

    yield dp.SelfComposedDpEvent(gaussian, many), account(dp.SelfComposedDpEvent(gaussian, many))
    yield dp.SelfComposedDpEvent(dp.LaplaceDpEvent(8.0), many), laplace.self_compose(many)
    yield dp.dp_event.DiscreteLaplaceDpEvent(0.125, 1), decay
    nested = dp.ComposedDpEvent([dp.NoOpDpEvent(), dp.SelfComposedDpEvent(dp.ComposedDpEvent([gaussian, gaussian]), 2)])
    yield nested, account(nested)
    yield dp.ComposedDpEvent([dp.LaplaceDpEvent(8.0), gaussian]), laplace.compose(account(gaussian))
    if moved == 2:
        # One by one: version 0.6 composes answers within a `SelfComposedDpEvent` once, whatever its count.
        answers = dp.ComposedDpEvent([dp.RandomizedResponseDpEvent(0.7, 3)] * many)
        yield answers, account(answers)
        yield dp.SelfComposedDpEvent(whole, many), account(dp.SelfComposedDpEvent(gaussian, many))
        yield dp.ComposedDpEvent([whole, gaussian, answers]), account(dp.ComposedDpEvent([gaussian, gaussian, answers]))
    else:
        sampled = dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.25, gaussian), many)
        yield sampled, account(sampled)
        yield dp.ComposedDpEvent([sampled, gaussian]), account(dp.ComposedDpEvent([sampled, gaussian]))


@pytest.mark.parametrize("name", ["ADD_OR_REMOVE_ONE", "REPLACE_ONE"])
def test_events_mean_here_what_they_mean_to_dp_accounting(dp_accounting, quiet, name):
    relation = dp_accounting.NeighboringRelation[name]
    for event, theirs in quiet(lambda: list(events(dp_accounting, relation))):
        planned = from_dp_accounting(event, adjacency=relation, one_number=True)
        ours = epsilon(planned, Fraction(1e-5))
        found = quiet(theirs.get_epsilon_for_delta, 1e-5)
        assert ours.lower <= found <= ours.upper * (1 + ABOVE), event
        # The control: a sensitivity that is wrong by a tenth would be noticed.
        assert found > ours.upper / 1.05, event
