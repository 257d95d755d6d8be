"""Sums over Poisson batches: no event tells neighbours apart better than the account allows, and one as well."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rgm_verify.accounting.plans.account import delta
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError
from rgm_verify.mechanisms.sampled import SampledSumMechanism
from rgm_verify.numbers.sampling import spawn

FALSE_ALARM = 1e-9
DRAWS = 100_000
LEVEL = "1/4"
EAST, WEST = [1.0, 0.0], [-1.0, 0.0]
FIELDS = {"noise_multiplier": 1, "sampling_rate": "2/5"}
CUT = {"batch_limit": 2, "dataset_size": 6}

#: Kind, fields, neighbours, data with and without, and whether the pair is the worst one.
CASES = {
    "replaced": ("dp-sgd", {"sampler": "poisson"}, "replace-one", [EAST], [WEST], True),
    "replaced, others turn away": ("dp-sgd", {"sampler": "poisson"}, "replace-one", [EAST, WEST], [WEST, WEST], False),
    "a user": ("dp-sgd", {"sampler": "poisson", "records": 3}, "remove-one", [EAST] * 3, [], True),
    "a user, one record apart": (
        "dp-sgd", {"sampler": "poisson", "records": 3}, "remove-one", [EAST, EAST, [0.0, 3.0]], [], False
    ),
    "cut, alone": ("truncated-dp-sgd", CUT, "remove-one", [EAST], [], True),
    "cut, in the place of others": ("truncated-dp-sgd", CUT, "remove-one", [EAST, *[WEST] * 5], [WEST] * 5, False),
}  # fmt: skip


def told_apart(data, other, limit):
    """Both ends, at the stated rate of false alarms, of `P(S) - e^level Q(S)` for outputs to the east of a place."""
    mechanism = SampledSumMechanism(1, "2/5", limit)
    draws = [
        mechanism.release(np.array(records).reshape(-1, 2), generator, size=DRAWS)[:, 0]
        for records, generator in zip((data, other), spawn(9, 2), strict=True)
    ]
    # From draws of its own, so that the choice of the event is no part of the test.
    rough = [
        mechanism.release(np.array(records).reshape(-1, 2), generator, size=DRAWS // 10)[:, 0]
        for records, generator in zip((data, other), spawn(10, 2), strict=True)
    ]
    factor = math.exp(1 / 4)
    place = max(np.linspace(-4, 6, 60), key=lambda t: np.mean(rough[0] > t) - factor * np.mean(rough[1] > t))
    p, q = (clopper_pearson(int(np.sum(sample > place)), DRAWS, FALSE_ALARM / 2) for sample in draws)
    return p[0] - factor * q[1], p[1] - factor * q[0]


@pytest.mark.parametrize("case", CASES)
def test_no_event_beats_the_account_and_the_worst_pair_comes_close(case):
    kind, fields, adjacency, data, other, worst = CASES[case]
    found = delta(plan([release_of(kind, {**FIELDS, **fields})], adjacency=adjacency), LEVEL)
    least, most = told_apart(data, other, fields.get("batch_limit"))
    assert least <= found.upper
    if worst:
        assert most >= found.lower
        # As sharp as this: an account of three quarters of it is found out.
        assert least > 0.75 * found.lower


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((0, "1/2"), "noise_multiplier=0"), ((1, 2), "sampling_rate=2"), ((1, 1, 0), "batch_limit=0")],
)
def test_numbers_out_of_range_are_named(arguments, named):
    with pytest.raises(InputError, match=named):
        SampledSumMechanism(*arguments)
