"""Averages and walks without a trusted server, at real numbers of parties: processor time, memory, and how tight.

Seconds are of the processor, so that other work on the machine counts little; each is divided by what was promised.
"""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import cg

from rgm_verify.learning.decentralised import network_loss
from rgm_verify.mechanisms.averaging import Gopa, party_distances, random_graph

SELECTIONS, PAIRWISE, INDEPENDENT = 20, 10, Fraction(1, 10)  # and about as many others select a party

#: 200 honest parties of 100,000, in a process of its own, so that nothing else counts. ru_maxrss is in KiB on Linux.
MANY = """
import resource, sys
import numpy as np
from benchmarks.test_averaging_bench import protocol_of
from rgm_verify.mechanisms.averaging import party_distances
protocol = protocol_of(100_000)
start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
wanted = sorted(np.random.default_rng(2).choice(100_000, 200, replace=False).tolist())
found = party_distances(protocol, parties=wanted)
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime - start, used.ru_maxrss / 2**20, *(value.upper for value in found))
"""


def protocol_of(parties: int) -> Gopa:
    """Return the protocol on a random graph of a fixed seed."""
    graph = random_graph(parties, SELECTIONS, np.random.default_rng(1))
    return Gopa(parties, graph, pairwise=PAIRWISE, independent=INDEPENDENT)


def solved(protocol: Gopa, parties: list[int]) -> list[float]:
    """Return the squared distances by conjugate gradients on the covariance of all messages, in floating point."""
    edges, ones = protocol.edges, np.ones(len(protocol.edges))
    across = sparse.coo_matrix((ones, edges.T), shape=(protocol.parties,) * 2)
    adjacency = (across + across.T).tocsr()
    laplacian = sparse.diags(np.asarray(adjacency.sum(axis=1)).ravel()) - adjacency
    covariance = float(INDEPENDENT) ** 2 * sparse.identity(protocol.parties) + PAIRWISE**2 * laplacian
    found = []
    for party in parties:
        unit = np.zeros(protocol.parties)
        unit[party] = 1
        solution, failed = cg(covariance, unit, rtol=1e-10)
        assert failed == 0
        found.append(float(solution[party]))
    return found


def test_the_protocol_of_a_hundred_thousand_parties(report):
    start = time.process_time()
    protocol = protocol_of(100_000)
    generator = np.random.default_rng(3)
    messages = protocol.messages(generator.uniform(0, 1, 100_000), generator)
    assert 0 < messages.average() < 1
    seconds = time.process_time() - start
    report(f"protocol of 100,000 parties: {seconds:.2f} s of 5", seconds / 5, target=1.0)


def test_exact_bounds_for_two_thousand_parties(report):
    protocol = protocol_of(2_000)
    start = time.process_time()
    found = party_distances(protocol)
    seconds = time.process_time() - start
    assert len(found) == 2_000
    report(f"bounds of all 2,000 parties: {seconds:.1f} s of 60", seconds / 60, target=1.0)
    widest = max(value.upper / value.lower for value in found)
    report(f"upper over lower end, widest of 2,000 parties: 1 + {widest - 1:.1e}", widest, target=2.0)


def test_bounds_for_some_of_a_hundred_thousand_parties(report):
    answer = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, check=True)
    seconds, memory, *upper = map(float, answer.stdout.split())
    report(f"bounds of 200 of 100,000 parties: {seconds:.1f} s of 120", seconds / 120, target=1.0)
    report("their peak memory in GiB", memory, target=2.0)
    wanted = sorted(np.random.default_rng(2).choice(100_000, 200, replace=False).tolist())
    # A tenth of them are solved again: an iterative solution of all would take longer than the bounds.
    reference = solved(protocol_of(100_000), wanted[::10])
    report("upper end over an iterative solution", max(np.divide(upper[::10], reference)), target=2.0)


def test_network_against_local_privacy(report):
    found = network_loss(1_000, 10_000, distance="1/10", delta="1e-6")
    report(
        "local over network epsilon (K = 1,000, T = 10,000)", found.local_lower / found.upper, target=3, relation=">="
    )
    report("lower over upper end there", found.lower / found.upper, target=0.1, relation=">=")
