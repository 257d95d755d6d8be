"""Random samples whose pair is one of mixtures: against integrals, sums over few steps, and other adversaries."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.certificates import planned_certificate
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.accounting.subsampled.mixtures import binomial
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.full_batches import filled
from rgm_verify.recheck import mixtures
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.mechanisms import Truncated
from rgm_verify.recheck.mixtures import one_mixture
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import replay

EVERYONE = ("add-or-remove-one", "add-one", "remove-one", "replace-one")
DIGITS = mpmath.mpf(10) ** -13  # relative: bounds are floats, rounded outward after 15 digits


def of(kind, adjacency, group=1, **fields):
    return plan([release_of(kind, fields)], adjacency=adjacency, group=group)


def users(adjacency, noise, rate, records, count=1):
    fields = {"sampler": "poisson", "noise_multiplier": noise, "sampling_rate": rate, "records": records}
    return of("dp-sgd", adjacency, count=count, **fields)


def exact(value):
    return mpmath.mpf(Fraction(value).numerator) / Fraction(value).denominator


def integrated(noise, first, second, level):
    """The divergence of two mixtures, as an integral of the positive part of what is between their densities."""
    with mpmath.workdps(30):
        sigma, x = exact(noise), mpmath.exp(exact(level))

        def gap(y):
            p, q = (
                mpmath.fsum(exact(w) * mpmath.npdf(y, sign * k, sigma) for k, w in enumerate(law))
                for law, sign in ((first, 1), (second, -1))
            )
            return p - x * q

        low, high = -30 * sigma - len(second), 30 * sigma + len(first)
        # The loss grows: below the zero there is nothing, and at an end where all of it has one sign no zero.
        start = low
        if gap(low) < 0:
            a, b = low, high
            if gap(b) <= 0:
                return mpmath.mpf(0)
            for _ in range(110):
                a, b = ((a + b) / 2, b) if gap((a + b) / 2) < 0 else (a, (a + b) / 2)
            start = b
        points = [start, *(start + (high - start) * mpmath.mpf(k) / 12 for k in range(1, 13))]
        return mpmath.quad(gap, points)


def laws(adjacency, rate, records):
    """The weights of both laws, one pair for each order of neighbours."""
    mixed, rest = binomial(records, rate), (Fraction(1),)
    return {
        "replace-one": [(mixed, mixed)],
        "remove-one": [(mixed, rest)],
        "add-one": [(rest, mixed)],
        "add-or-remove-one": [(mixed, rest), (rest, mixed)],
    }[adjacency]


@settings(max_examples=6, deadline=None)
@given(
    st.sampled_from(EVERYONE),
    st.fractions(Fraction(1, 2), 4, max_denominator=6),
    st.fractions(Fraction(1, 50), Fraction(9, 10), max_denominator=50),
    st.integers(1, 4),
    st.integers(0, 6).map(lambda k: Fraction(k, 4)),
)
def test_one_step_is_the_integral_of_what_is_between_both_densities(adjacency, noise, rate, records, level):
    found = delta(users(adjacency, noise, rate, records), level)
    known = max(integrated(noise, *pair, level) for pair in laws(adjacency, rate, records))
    # Below this the integral at 30 digits is noise.
    assert known * (1 - DIGITS) - mpmath.mpf(10) ** -24 <= found.upper
    assert found.lower <= known * (1 + DIGITS) + mpmath.mpf(10) ** -24


def by_cells(noise, first, second, steps, level, cells=500):
    """Both ends of delta of few steps, by all sums of losses of cells of the output: brute force in floats."""
    sigma = float(noise)
    ends = np.linspace(-9 * sigma - len(second), 9 * sigma + len(first), cells + 1)
    tail = np.vectorize(lambda z: math.erfc(z / math.sqrt(2)) / 2)
    masses = []
    for law, sign in ((first, 1), (second, -1)):
        above = sum(float(w) * tail((ends - sign * k) / sigma) for k, w in enumerate(law))
        masses.append(-np.diff(above))
    # Merged outcomes lose, so that this is a lower end; what it lacks is of the order of a cell's width squared.
    p, q = masses
    sums_p, sums_q = p, q
    for _ in range(steps - 1):
        sums_p, sums_q = np.outer(sums_p, p).ravel(), np.outer(sums_q, q).ravel()
    return float(np.maximum(sums_p - math.exp(level) * sums_q, 0).sum())


@pytest.mark.parametrize("adjacency", ["replace-one", "remove-one", "add-one"])
@pytest.mark.parametrize(("records", "noise", "rate"), [(1, 1, Fraction(1, 5)), (3, 2, Fraction(1, 3))])
def test_two_steps_are_the_sums_of_all_pairs_of_losses(adjacency, records, noise, rate):
    (pair,) = laws(adjacency, rate, records)
    for level in (Fraction(0), Fraction(1, 4), Fraction(1)):
        found = delta(users(adjacency, noise, rate, records, count=2), level, width="1/10000")
        least = by_cells(noise, *pair, 2, float(level))
        coarse = by_cells(noise, *pair, 2, float(level), cells=250)
        # Halving the cells takes off at least half of what is missing.
        assert least * (1 - 1e-9) <= found.upper
        assert found.lower <= least + 2 * (least - coarse) + 1e-9


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(EVERYONE[1:]))
def test_no_vectors_of_the_allowed_norms_are_told_apart_better(seed, adjacency):
    """An adversary with records of its own in the plane, who tests as well as may be."""
    generator = np.random.default_rng(seed)
    rate, noise, records, level = (
        Fraction(generator.integers(1, 9), 10),
        1,
        int(generator.integers(1, 4)),
        Fraction(1, 4),
    )

    def means():
        vectors = generator.normal(size=(records, 2))
        vectors *= (generator.random(records) ** 0.25 / np.linalg.norm(vectors, axis=1))[:, None]
        chosen = np.array(list(product((0, 1), repeat=records)))
        q = float(rate)
        return chosen @ vectors, np.prod(np.where(chosen == 1, q, 1 - q), axis=1)

    alone = np.zeros((1, 2)), np.ones(1)
    first, second = {
        "replace-one": lambda: (means(), means()),
        "remove-one": lambda: (means(), alone),
        "add-one": lambda: (alone, means()),
    }[adjacency]()
    grid = np.stack(np.meshgrid(*[np.linspace(-9, 9, 181)] * 2), axis=-1).reshape(-1, 2)
    p, q = (
        sum(w * np.exp(-((grid - m) ** 2).sum(axis=1) / 2) for m, w in zip(*law, strict=True)) * 0.01 / (2 * math.pi)
        for law in (first, second)
    )
    # The rectangle rule of densities this smooth is off by far less than 1e-6; the positive part has a kink.
    attack = float(np.maximum(p - math.exp(level) * q, 0).sum())
    assert attack <= delta(users(adjacency, noise, rate, records), level).upper + 1e-4


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 300), st.integers(1, 300), st.fractions(Fraction(1, 100), Fraction(9, 10), max_denominator=100))
def test_a_batch_is_full_as_often_as_is_said_at_most(limit, others, rate):
    with mpmath.workdps(30):
        q = exact(rate)
        known = mpmath.fsum(
            mpmath.binomial(others, k) * q**k * (1 - q) ** (others - k) for k in range(limit, others + 1)
        )
        assert exact(filled(limit, others, rate)) >= known * (1 - mpmath.mpf(10) ** -25)


def test_batches_that_are_hardly_ever_full_cost_what_poisson_batches_do():
    known = epsilon(users("add-or-remove-one", 1, "1/100", 1, count=100), "1e-6")
    cut = {"noise_multiplier": 1, "sampling_rate": "1/100", "batch_limit": 200, "dataset_size": 10_000}
    found = epsilon(of("truncated-dp-sgd", "add-or-remove-one", count=100, **cut), "1e-6")
    assert found.lower <= known.upper
    # Twice the relative width that both are asked for.
    assert known.lower <= found.upper <= 1.002 * known.upper


def test_a_batch_of_one_moves_by_a_replacement():
    """One sampled record of a large data set is nearly always displaced: the upper end pays for both."""
    cut = {"noise_multiplier": 2, "sampling_rate": "1/2", "batch_limit": 1, "dataset_size": 1000}
    found = delta(of("truncated-dp-sgd", "remove-one", **cut), 1)
    twice = integrated(2, (Fraction(1, 2), Fraction(0), Fraction(1, 2)), (Fraction(1),), 1)
    once = integrated(2, (Fraction(1, 2), Fraction(1, 2)), (Fraction(1),), 1)
    assert once * (1 - DIGITS) <= found.upper
    assert found.upper <= twice * (1 + DIGITS)
    assert found.lower <= once * (1 + DIGITS)


def test_a_group_of_one_order_is_a_user_with_so_many_records():
    for adjacency in EVERYONE[1:]:
        fields = {"sampler": "poisson", "noise_multiplier": 2, "sampling_rate": "1/20", "count": 20}
        group = epsilon(of("dp-sgd", adjacency, group=3, **fields), "1e-6")
        assert group == epsilon(users(adjacency, 2, "1/20", 3, count=20), "1e-6")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"sampler": "poisson", "records": 101}, "records=101"),
        ({"sampler": "poisson", "records": 0}, "records=0"),
        ({"sampler": "fixed-batch", "records": 2}, "records=2"),
    ],
)
def test_records_out_of_range_are_named(fields, named):
    with pytest.raises(InputError, match=named):
        release_of("dp-sgd", {"noise_multiplier": 1, "sampling_rate": "1/100", **fields})


@pytest.mark.parametrize(("name", "value"), [("sampling_rate", 1), ("batch_limit", 0), ("dataset_size", "1/2")])
def test_what_a_cut_batch_cannot_be_is_named(name, value):
    fields = {"noise_multiplier": 1, "sampling_rate": "1/100", "batch_limit": 150, "dataset_size": 10_000}
    with pytest.raises(InputError, match=f"{name}="):
        release_of("truncated-dp-sgd", fields | {name: value})


@pytest.mark.parametrize(("adjacency", "steps"), [("remove-one", 1), ("replace-one", 8)])
def test_certificates_are_replayed_by_other_code_and_refuse_ends_that_are_moved_inward(adjacency, steps):
    cut = {"noise_multiplier": 2, "sampling_rate": "1/10", "batch_limit": 30, "dataset_size": 100}
    many = {"noise_multiplier": 2, "sampling_rate": "1/10", "sampler": "poisson", "records": 2}
    for kind, fields in (("dp-sgd", many), ("truncated-dp-sgd", cut)):
        planned = plan([release_of(kind, {**fields, "count": steps})], adjacency=adjacency, delta="1e-4")
        data = planned_certificate(planned, epsilon(planned, "1e-4", width="1/100"))
        assert replay(parse(data)).accepted
        for end, other in (("lower", "upper"), ("upper", "lower")):
            # Beyond the other end, which is proved.
            moved = Fraction(data[other]) * (Fraction(11, 10) if end == "lower" else Fraction(9, 10))
            assert not replay(parse({**data, end: str(moved), other: None})).accepted


@pytest.mark.parametrize("adjacency", EVERYONE[2:])
def test_the_replay_pays_for_batches_that_are_full(adjacency):
    release = Truncated(Fraction(1), Fraction(1, 5), 3, 21, 1, adjacency)
    (single, rest) = (Fraction(4, 5), Fraction(1, 5)), (Fraction(1),)
    double, full = (Fraction(4, 5), Fraction(0), Fraction(1, 5)), filled(3, 20, Fraction(1, 5))
    replaced = adjacency == "replace-one"
    known = [integrated(1, law, law if replaced else rest, Fraction(1, 2)) for law in (single, double)]
    low, high = (mpmath.mpf(end) / 2**100 for end in one_mixture(release, Fraction(1, 2), 100, remove=True))
    assert low <= known[0] * (1 + DIGITS)
    assert high >= ((1 - exact(full)) * known[0] + exact(full) * known[1]) * (1 - DIGITS)


def test_the_replay_believes_no_place_that_it_is_told():
    """A guess that is off, and no steps towards the truth: what is then enclosed still holds it, or is refused."""
    pair = mixtures.Pair(Fraction(1), (Fraction(4, 5), Fraction(1, 5)), (Fraction(4, 5), Fraction(1, 5)))
    right = pair.divergence(Fraction(1, 2), 60, remove=True)
    with patch.object(mixtures, "_NEWTON", 1), patch.object(mixtures.Pair, "guess", lambda self, loss: 1.0):
        try:
            wrong = pair.divergence(Fraction(1, 2), 60, remove=True)
        except Refused:
            return
    assert wrong[0] <= right[1]
    assert wrong[1] >= right[0]
    assert wrong != right
