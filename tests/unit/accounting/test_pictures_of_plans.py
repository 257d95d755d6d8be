"""Pictures of plans: the first releases of a plan, and the places where a band is computed."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify import Accountant
from rgm_verify.accounting.plans.pictures import OVER, first, plan_picture
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import DpSgd, Gaussian, Laplace
from rgm_verify.accounting.subsampled.mechanism import Segment, sampled_gaussian
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


def test_an_accountant_draws_all_its_lines_and_a_notebook_shows_the_picture():
    accountant = Accountant(neighbours="add-or-remove-one")
    accountant.add("gaussian", noise_multiplier=5, count=2)
    accountant.add("laplace", scale=9)
    for over, axis in zip(OVER, ("releases", "δ", "rate of false alarms"), strict=True):
        picture = accountant.picture(delta="1e-5", over=over)
        assert picture._repr_svg_() == picture
        texts = [e.text for e in ElementTree.fromstring(picture).iter() if e.text]
        assert axis in texts
        assert any("gaussian, 2: laplace" in text for text in texts)
    assert "δ against ε" in accountant.picture(epsilon="1")


def test_the_trade_off_that_is_drawn_is_the_one_that_is_answered(monkeypatch):
    """Every point of the band lies on the curve of the account, on the side of each end."""
    drawn = []
    monkeypatch.setattr("rgm_verify.accounting.plans.pictures.document", lambda curves, **_: drawn.extend(curves))
    accountant = Accountant(neighbours="add-one")
    accountant.add("laplace", scale=1, count=2)
    accountant.picture(over="trade-off")
    points = drawn[0].points
    exact = accountant.trade_off([Fraction(x).limit_denominator(1000) for x, *_ in points], width="1/10000")
    assert all(low <= e.upper and e.lower <= high for (_, low, high), e in zip(points, exact, strict=True))
    assert all(low < 1 - x for x, low, _ in points)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"over": "time"}, "over='time'"),
        ({}, "needs one of them"),
        ({"delta": "1e-5", "epsilon": 1}, "delta, epsilon"),
        ({"delta": 2}, "delta=2"),
    ],
)
def test_who_asks_for_no_picture_is_told_what_is_allowed(asked, said):
    accountant = Accountant(neighbours="add-one")
    with pytest.raises(InputError, match="nothing to draw"):
        accountant.picture(delta="1e-5")
    accountant.add("laplace", scale=1)
    with pytest.raises(InputError) as raised:
        accountant.picture(**asked)
    assert said in str(raised.value)
