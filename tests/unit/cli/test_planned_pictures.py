"""Pictures of plans: the first releases of a plan, and the places where a band is computed."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import DpSgd, Gaussian, Laplace
from rgm_verify.accounting.subsampled.mechanism import Segment, sampled_gaussian
from rgm_verify.cli.accounts.planned_pictures import first, plan_picture, run_of
from rgm_verify.errors import InputError

SEGMENTS = [("1/10", 1, 3), ("1/5", 1, 4)]
MIXED = plan(
    [Gaussian(Fraction(5), 2), DpSgd(sampled_gaussian(SEGMENTS, sampler="poisson")), Laplace(Fraction(9), 2)],
    delta="1e-5",
    adjacency="add-or-remove-one",
)


def singles(planned):
    """Return every release by itself, in order."""
    found = []
    for release in planned.releases:
        if isinstance(release, DpSgd):
            found += [Segment(s.rate, s.noise_multiplier, 1) for s in release.run.segments for _ in range(s.steps)]
        else:
            found += [type(release)(*[1 if name == "count" else getattr(release, name) for name in vars(release)])] * (
                release.count
            )
    return found


@given(st.integers(1, 11))
def test_the_first_releases_are_those_in_order(count):
    assert len(singles(MIXED)) == 11
    assert singles(first(MIXED, count)) == singles(MIXED)[:count]


def test_pictures_of_a_plan_have_names_at_their_axes():
    small = plan([Gaussian(Fraction(5), 9)], delta="1e-5")
    for over, names in (("steps", ("releases", "ε")), ("curve", ("δ", "ε"))):
        texts = [e.text for e in ElementTree.fromstring(plan_picture(small, over, {"d": "1"})).iter() if e.text]
        assert all(name in texts for name in names)
    asked = plan([Gaussian(Fraction(5), 9)], epsilon="1")
    texts = [e.text for e in ElementTree.fromstring(plan_picture(asked, "curve", {})).iter() if e.text]
    assert "δ against ε" in texts


def test_a_trade_off_is_for_one_run():
    with pytest.raises(InputError, match="--over='trade-off'"):
        run_of(MIXED)
