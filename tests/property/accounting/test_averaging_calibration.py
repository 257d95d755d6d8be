"""Noise of GOPA for a target: it reaches the target, less of it does not, and the floor of independent noise is one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.averaging import calibrate_gopa
from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError
from rgm_verify.mechanisms.averaging import Gopa, party_distances

GRAPHS = [
    (4, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]),
    (5, [(i, j) for i in range(5) for j in range(i)]),
    (3, [(0, 1)]),
]
TARGETS = st.sampled_from([("1/2", "1e-6"), (1, "1e-3"), (3, "1e-9")])


def exact_distances(protocol):
    """Return the diagonal of the inverse of the covariance of all messages, for noise without roundings."""
    count = protocol.parties
    rows = [[Fraction(protocol.independent**2 if i == j else 0) for j in range(count)] for i in range(count)]
    for a, b in protocol.edges.tolist():
        for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            rows[i][j] += sign * protocol.pairwise**2
    inverse = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in rows]).inv()
    return [Fraction(int(inverse[i, i].p), int(inverse[i, i].q)) for i in range(count)]


@settings(max_examples=25)
@given(st.sampled_from(GRAPHS), TARGETS, st.sampled_from(["1/50", "1/10", 1]))
def test_the_target_is_reached_and_less_pairwise_noise_does_not_reach_it(graph, target, excess):
    parties, edges = graph
    epsilon, delta = target
    found = calibrate_gopa(parties, edges, epsilon=epsilon, delta=delta, excess=excess)
    assert max(exact_distances(found.protocol)) <= Fraction(found.distance) <= found.budget
    assert GaussianFilter(found.budget).delta(epsilon).upper <= Fraction(delta)
    if found.protocol.pairwise:
        less = Gopa(
            parties, edges, pairwise=found.protocol.pairwise * Fraction(98, 100), independent=found.protocol.independent
        )
        assert max(d.upper for d in party_distances(less)) > found.budget


@given(st.sampled_from(GRAPHS), TARGETS)
@settings(max_examples=15)
def test_below_the_floor_no_pairwise_noise_reaches_the_target(graph, target):
    """Also without any rounding, by exact rationals: pairwise noise a million times as large does not help."""
    parties, edges = graph
    found = calibrate_gopa(parties, edges, epsilon=target[0], delta=target[1])
    own = found.least_independent * (1 - Fraction(1, 10**9))
    below = Gopa(parties, edges, pairwise=10**6 * own, independent=own, fraction_bits=1)
    assert max(exact_distances(below)) > found.budget


def test_a_party_without_pairs_decides_and_a_coalition_takes_pairs_away():
    alone = calibrate_gopa(3, [(0, 1)], epsilon=1, delta="1e-6")
    complete = calibrate_gopa(3, [(0, 1), (1, 2), (0, 2)], epsilon=1, delta="1e-6")
    corrupted = calibrate_gopa(
        3, [(0, 1), (1, 2), (0, 2)], epsilon=1, delta="1e-6", coalition=np.array([True, True, False])
    )
    # One party, three parties, one honest party: the independent variance goes with 1/n, and its root is rounded up by
    # less than 2^-62 of it.
    for found, group in ((alone, 1), (complete, 3), (corrupted, 1)):
        variance = 1 / (group * found.budget)
        assert variance <= found.least_independent**2 < variance * (1 + Fraction(1, 2**62)) ** 2
    assert alone.protocol.pairwise == corrupted.protocol.pairwise == 0
    assert complete.protocol.pairwise > 0


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"epsilon": -1}, "epsilon"),
        ({"delta": 1}, "must be < 1"),
        ({"excess": 0}, "excess"),
        ({"tolerance": 0}, "tolerance"),
        ({"coalition": np.ones(3, dtype=bool)}, "no honest party"),
        ({"coalition": [1, 0, 0]}, "3 truth values"),
        ({"coalition": np.ones(4, dtype=bool)}, "3 truth values"),
        ({"edges": [(0, 0)]}, "itself"),
        ({"parties": 0}, "parties"),
        ({"excess": "1e-13", "fraction_bits": 45}, "no room in a message"),
        ({"excess": "1e-13", "fraction_bits": 1}, "accept more"),
    ],
)
def test_bad_input_is_refused(change, part):
    usual = {"parties": 3, "edges": [(0, 1), (1, 2)], "epsilon": 1, "delta": "1e-6"}
    with pytest.raises(InputError, match=part):
        calibrate_gopa(**(usual | change))


def test_an_executor_changes_no_answer():
    parties, edges = GRAPHS[1]
    alone = calibrate_gopa(parties, edges, epsilon="1/2", delta="1e-6", excess="1/50")
    with ThreadPoolExecutor(2) as executor:
        there = calibrate_gopa(parties, edges, epsilon="1/2", delta="1e-6", excess="1/50", executor=executor)
    assert alone.protocol.pairwise > 0
    assert (there.protocol.pairwise, there.distance) == (alone.protocol.pairwise, alone.distance)
