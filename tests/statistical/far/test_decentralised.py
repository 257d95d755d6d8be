"""Transcripts of decentralised descent: an audit of a view agrees with its upper end, and finds less noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.accounting.auditing.audits import check_claims
from rgm_verify.learning.decentralised import DecentralisedSgd, network_loss

STEPS, TARGET = 4, 1


def sampler(sign, noise, parties, coalition, self_loops):
    """Return how views are drawn: the moves of the model that the target sent to the coalition, one number a run."""
    protocol = DecentralisedSgd(steps=STEPS, step_size=1, noise=noise, lipschitz=1, smoothness=1, self_loops=self_loops)
    gradients = [lambda model: 0 * model] * parties
    gradients[TARGET] = lambda model: 0 * model + sign

    def draw(generator, size):
        rows = np.zeros((size, 1))
        for row in rows:
            known, known_at = 0.0, 0
            for message in protocol.run(gradients, [0.0], generator).view(*coalition):
                model = float(message.model[0])
                if message.receiver in coalition and message.sender == TARGET:
                    row[0] += (model - known) / (message.step - known_at)
                known, known_at = model, message.step
        return rows

    return draw


def checked(claimed, actual, parties, coalition, self_loops):
    bound = network_loss(
        parties, STEPS, distance=2 / claimed, delta="1/100", coalition=len(coalition), self_loops=self_loops
    )
    draws = [sampler(sign, actual, parties, coalition, self_loops) for sign in (1.0, -1.0)]
    return check_claims(
        *draws,
        [(bound.upper, "1/100")],
        generator=np.random.default_rng(1722),
        samples=8000,
        false_alarm=1e-9,
        score=lambda rows: rows[:, 0],
    )


@pytest.mark.parametrize(("parties", "coalition", "self_loops"), [(3, (0,), True), (4, (0, 3), False)])
def test_views_agree_with_the_upper_end_and_refute_that_of_a_larger_noise(parties, coalition, self_loops):
    here = (parties, coalition, self_loops)
    assert checked(Fraction(2), Fraction(2), *here).outcome != "rejected"
    assert checked(Fraction(8), Fraction(1, 2), *here).outcome == "rejected"
