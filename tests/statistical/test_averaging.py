"""Central and local averages, and GOPA: the noise is as claimed, and outputs agree with the certified epsilons."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.accounting.auditing.audits import check_claims
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.mechanisms.averaging import CentralAverage, Gopa, LocalAverage, party_distances
from rgm_verify.mechanisms.conformance import check_mechanism
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.sampling import spawn

PARTIES = 4
DELTA = "1/100"


class OfEqualValues:
    """An average as a mechanism that keeps shapes: all parties hold the value."""

    def __init__(self, average):
        self.average = average

    def release(self, value, generator):
        held = checked_values(value)
        return self.average.release(np.repeat(held[..., np.newaxis], PARTIES, axis=-1), generator)


class Messages:
    """The messages of GOPA as numbers, for one row of values or many."""

    def __init__(self, protocol):
        self.protocol = protocol

    def release(self, value, generator):
        held = checked_values(value)
        rows = [self.protocol.messages(row, generator) for row in held.reshape(-1, PARTIES)]
        words = np.array([row.words.view(np.int64) for row in rows])
        return (words / 2.0**self.protocol.fraction_bits).reshape(held.shape)


# Without pairwise noise the messages of GOPA are independent, up to the last of 40 bits.
UNPAIRED = Gopa(PARTIES, [(0, 1)], pairwise=0, independent="1/2", fraction_bits=40)
MECHANISMS = [
    ("central", OfEqualValues(CentralAverage(PARTIES, "1/5")), [[0.25, 0.5, 1.0]], 0.04),
    ("local", LocalAverage(PARTIES, "1/2"), [[0.0, 0.25, 0.5, 1.0]], 0.25),
    ("GOPA", Messages(UNPAIRED), [[0.0, 0.25, 0.5, 1.0]], 0.25),
]


@pytest.mark.parametrize(("name", "mechanism", "values", "variance"), MECHANISMS)
def test_averages_conform_and_other_noise_does_not(name, mechanism, values, variance):
    """False-alarm rate 1e-9 each; the second run is the power control."""
    report = check_mechanism(
        mechanism, values, claimed_variance=lambda _: variance, generator=spawn([17, len(name)], 1)[0], samples=4000
    )
    assert report.outcome == "passed", str(report)
    wrong = check_mechanism(
        mechanism,
        values,
        claimed_variance=lambda _: 1.5 * variance,
        generator=spawn([17, len(name)], 1)[0],
        samples=4000,
    )
    assert wrong.outcome == "failed"


def outcome(mechanism, score, claimed):
    """Return what an audit at values 1 and 0 of the first party says of an epsilon at DELTA."""

    def draws(value):
        held = np.array([value, 0.5, 0.5, 0.5])
        return lambda generator, size: mechanism.release(np.tile(held, (size, 1)), generator).reshape(size, -1)

    return check_claims(
        draws(1.0), draws(0.0), [(claimed, DELTA)], generator=spawn(1718, 1)[0], samples=20_000, score=score
    ).outcome


@pytest.mark.parametrize("kind", ["central", "local", "GOPA"])
def test_an_audit_agrees_with_the_certified_epsilon_and_refutes_a_fifth_of_it(kind):
    """False-alarm rate 1e-9; a fifth of the epsilon is the power control."""
    if kind == "GOPA":
        protocol = Gopa(PARTIES, [(0, 1), (1, 2), (2, 3), (0, 3)], pairwise="1/2", independent="1/4", fraction_bits=40)
        worst = party_distances(protocol, parties=[0])[0]
        bound = epsilon(GaussianPair(Fraction(worst.upper), 0, 1), DELTA, 8)
        around = np.roll(np.eye(PARTIES), 1, 0) + np.roll(np.eye(PARTIES), -1, 0)
        covariance = np.eye(PARTIES) / 16 + (2 * np.eye(PARTIES) - around) / 4
        direction = np.linalg.solve(covariance, np.eye(PARTIES)[0])
        mechanism, score = Messages(protocol), lambda rows: rows @ direction
    else:
        mechanism = CentralAverage(PARTIES, "1/8") if kind == "central" else LocalAverage(PARTIES, "1/2")
        bound, score = mechanism.epsilon(DELTA), lambda rows: rows[:, 0]
    assert outcome(mechanism, score, bound.upper) != "rejected"
    assert outcome(mechanism, score, bound.upper / 5) == "rejected"
