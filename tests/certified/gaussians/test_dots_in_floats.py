"""Dots of a curve in floats are never below the divergence in balls, and as close as they are asked to be."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from rgm_verify.gaussians.certified import dots
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure

F = Fraction
PAIRS = [
    (F(1, 100), F(0), 10),
    (F(1, 100), F(2001, 10**6), 10),
    (F(1, 100), F(-2001, 1002001), 10),
    (F(1, 25), F(201, 10000), 22),
    (F(1, 25), F(-201, 10201), 22),
    (F(2, 25), F(2, 9), 3),
    (F(1, 10**8), F(1, 10**5), 10**5),
    (F(100), F(3), 1),
    (F(9), F(-1, 2), 3),
]
DIGITS = 11


def step_of(pair):
    shift, excess, dimension = map(float, pair)
    deviation = math.sqrt(shift * (1 + excess) + dimension * excess**2 / 2)
    return F(round(deviation / 20 * 2**30), 2**30)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_dots_lie_above_the_divergence_by_no_more_than_was_asked(pair):
    step = step_of(pair)
    found = dots.dots_from_zero(pair, step, 0, 160, digits=DIGITS)
    for k in range(0, 161, 8):
        true = hockey_stick_enclosure(k * step, *pair, digits=18)
        # Two roundings to floats come on top of what was asked for.
        most = true.upper * (1 + F(1, 10**DIGITS)) * (1 + F(1, 2**51))
        assert true.lower <= F(float(found[k])) <= most + F(1, 2**1000)


@pytest.mark.parametrize("pair", PAIRS[:4], ids=str)
def test_hardly_any_dot_of_an_easy_pair_is_left_to_balls(pair, monkeypatch):
    asked = []
    monkeypatch.setattr(
        dots, "_one_by_one", lambda pair, epsilons, digits: asked.append(len(epsilons)) or whole(pair, epsilons, digits)
    )
    dots.dots_from_zero(pair, step_of(pair), 0, 160)
    assert sum(asked) <= 16


whole = dots._one_by_one


def test_a_curve_that_starts_later_has_the_same_bounds():
    pair, step = PAIRS[3], step_of(PAIRS[3])
    later = dots.dots_from_zero(pair, step, 40, 90)
    for k in (40, 55, 90):
        assert hockey_stick_enclosure(k * step, *pair, digits=18).lower <= F(float(later[k - 40]))
    assert len(dots.dots_from_zero(pair, step, 5, 4)) == 0


def test_beyond_the_range_of_the_loss_and_for_equal_laws_all_dots_are_zero():
    assert not dots.dots_from_zero((F(1, 4), F(-1, 2), 1), F(1), 3, 12).any()
    assert not dots.dots_from_zero((F(0), F(0), 2), F(1), 0, 3).any()
