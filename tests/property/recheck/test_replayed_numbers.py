"""Certificates of computed numbers replay, and a number moved beyond the other end does not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.certificates import release_certificate, sampled_certificate
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled import account
from rgm_verify.accounting.subsampled.mechanism import sampled_gaussian
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import delta_above, delta_below, replay

DELTAS = st.sampled_from(["1e-3", "1e-6", "1e-12", "1e-40"])
RELEASES = st.builds(
    lambda eta, gamma, dimension, cover: Release(
        eta, gamma, dimension, r_rel=cover and 1, sigma2=cover * gamma / eta**2
    ),
    st.sampled_from([Fraction(1, 50), Fraction(1, 4), Fraction(2)]),
    st.fractions(Fraction(1, 100), 1, max_denominator=100),
    st.integers(2, 30),
    st.sampled_from([0, 1, 2]),
)


def accepted(data: dict[str, Any], **ends: str) -> bool:
    return replay(parse({**data, **ends})).accepted


def beyond(data: dict[str, Any]) -> None:
    """Both ends fail where the opposite end is exceeded by a unit of the last place of a float."""
    assert accepted(data)
    low, high = Fraction(data["lower"]), Fraction(data["upper"])
    if low > 0:
        assert not accepted(data, lower=str(high * (1 + Fraction(1, 2**52))), upper=str(high * 2))
        assert not accepted(data, upper=str(low * (1 - Fraction(1, 2**52))), lower="0")


@given(RELEASES, DELTAS)
@settings(deadline=None, max_examples=25)
def test_epsilon_of_a_release(release, target):
    found = one_release.epsilon(release, target)
    if found.upper < 1000:
        beyond(release_certificate(release, found, delta=Fraction(target), epsilon=None))


@given(RELEASES, st.fractions(0, 3, max_denominator=100))
@settings(deadline=None, max_examples=25)
def test_delta_of_a_release(release, level):
    found = one_release.delta(release, level)
    if 1e-190 < found.lower < 0.9:
        beyond(release_certificate(release, found, delta=None, epsilon=level))


@given(
    st.fractions(Fraction(1, 20), 1, max_denominator=20),
    st.fractions(1, 8, max_denominator=10),
    st.integers(1, 30),
    st.sampled_from(["1e-3", "1e-6", "1e-9"]),
)
@settings(deadline=None, max_examples=6)
def test_epsilon_of_sampled_releases(rate, noise, steps, target):
    run = sampled_gaussian([(rate, noise, steps)], sampler="poisson")
    found = account.epsilon(run, target, width="1/50")
    if found.lower > 0.01:
        beyond(sampled_certificate(run, found, delta=Fraction(target), epsilon=None))


@given(st.fractions(0, 3, max_denominator=10), st.integers(1, 6))
@settings(deadline=None, max_examples=6)
def test_a_grid_never_contradicts_the_account(level, steps):
    """A proof by a poor grid is poor, and never wrong: its bounds hold the certified interval."""
    run = sampled_gaussian([("1/5", "2", steps)], sampler="poisson")
    truth = account.delta(run, level, width="1/100")
    for step, run_of_places in (("1/7", [-2, 30, 1]), ("1/40", [-9, 300, 3]), ("1/40", [-8, 60, 1])):
        data = {
            "format": "rgm-verify-number/1",
            "mechanism": {
                "name": "dp-sgd",
                "noise_multiplier": "2",
                "sampling_rate": "1/5",
                "steps": steps,
                "sampler": "poisson",
                "adjacency": "add-or-remove-one",
            },
            "quantity": "delta",
            "given": str(level),
            "lower": None,
            "upper": "1",
            "check": {"kind": "grid", "step": step, "runs": [run_of_places], "digits": 25, "cut": 0},
        }
        certificate = parse(data)
        assert delta_above(certificate, level) >= truth.lower
        assert delta_below(certificate, level) <= truth.upper


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5), st.data()
)
def test_a_field_of_any_content_is_refused_or_read(content, data):
    good = {
        "format": "rgm-verify-number/1",
        "mechanism": {"name": "rgm", "eta": "1", "gamma": "1", "dimension": 1, "r_rel": "0", "sigma2": "0", "steps": 1},
        "quantity": "epsilon",
        "given": "1e-3",
        "lower": None,
        "upper": "1",
        "check": {"kind": "closed", "bits": 64},
    }
    place: Any = data.draw(st.sampled_from([good, good["mechanism"], good["check"]]))
    place[data.draw(st.sampled_from(sorted(place)))] = content
    try:
        parse(good)
    except Refused as error:
        message = str(error)
    else:
        message = "read"
    assert message
