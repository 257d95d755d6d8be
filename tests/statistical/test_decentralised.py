"""Transcripts of decentralised descent: an audit of a view agrees with its upper end, and finds less noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rgm_verify.accounting.auditing.audits import check_claims
from rgm_verify.learning.decentralised import DecentralisedSgd, network_loss

PARTIES, STEPS, TARGET, OBSERVER = 3, 4, 1, 0


def sampler(sign, noise):
    """Return how views are drawn: the moves of the model that the target sent to the observer, one number a run."""
    protocol = DecentralisedSgd(steps=STEPS, step_size=1, noise=noise, lipschitz=1, smoothness=1)
    gradients = [lambda model: 0 * model] * PARTIES
    gradients[TARGET] = lambda model: 0 * model + sign

    def draw(generator, size):
        rows = np.zeros((size, 1))
        for row in rows:
            known, known_at = 0.0, 0
            for message in protocol.run(gradients, [0.0], generator).view(OBSERVER):
                model = float(message.model[0])
                if message.receiver == OBSERVER and message.sender == TARGET:
                    row[0] += (model - known) / (message.step - known_at)
                known, known_at = model, message.step
        return rows

    return draw


def checked(claimed, actual):
    bound = network_loss(PARTIES, STEPS, distance=2 / claimed, delta="1/100")
    draws = [sampler(sign, actual) for sign in (1.0, -1.0)]
    return check_claims(
        *draws,
        [(bound.upper, "1/100")],
        generator=np.random.default_rng(1722),
        samples=8000,
        false_alarm=1e-9,
        score=lambda rows: rows[:, 0],
    )


def test_views_agree_with_the_upper_end_and_refute_that_of_a_larger_noise():
    assert checked(Fraction(2), Fraction(2)).outcome != "rejected"
    assert checked(Fraction(8), Fraction(1, 2)).outcome == "rejected"
