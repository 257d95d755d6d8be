"""Discrete losses through dots, against the closed forms that they stand for."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.dots import Curve, dots_above, dots_below
from rgm_verify.recheck.losses import Loss, delta, power
from rgm_verify.recheck.mechanisms import Noised, Planned, Relative, Sampled
from rgm_verify.recheck.pairs import Pair, hockey_stick
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import delta_above, delta_below, one_sampled, pairs_of
from rgm_verify.recheck.sampled import Grid

DIGITS = 25
BITS = 160


def grid(places: int, step: str = "1/20") -> Grid:
    return Grid(Fraction(step), ((-places, places + 1, 1),), DIGITS, 0)


def curve(pair: Pair) -> Curve:
    return partial(lambda p, level, bits: hockey_stick(level, p, bits), pair)


def value(loss: Loss, level: Fraction, step: str = "1/20") -> Fraction:
    return Fraction(delta(loss, level, Fraction(step)), 10**DIGITS)


def ends(level: Fraction, pair: Pair, bits: int = BITS) -> list[Fraction]:
    return [Fraction(end, 2**bits) for end in hockey_stick(level, pair, bits)]


gaussians = st.fractions(Fraction(1, 10), 3, max_denominator=20).map(lambda shift: Pair(shift, Fraction(0), 1))
levels = st.fractions(-2, 3, max_denominator=33)


@settings(max_examples=30, deadline=None)
@given(gaussians, levels, st.integers(1, 5))
def test_the_loss_through_dots_is_nowhere_below_the_curve_nor_far_above(
    pair: Pair, level: Fraction, times: int
) -> None:
    """Equal releases of a Gaussian pair are one such pair: so is every power of the loss."""
    loss = power(dots_above(curve(pair), grid(300)), times, 0)
    low, high = ends(level, pair.repeated(times))
    found = value(loss, level)
    assert found >= low
    # A chord of width h lies above the curve by at most (e^h - 1)/4 times the mass of its cell, which is less than
    # 1.3 h: the loss has a deviation of at least 0.3. Each release adds no more than that.
    assert found <= high + times * Fraction(1, 20) ** 2


@settings(max_examples=30, deadline=None)
@given(
    gaussians,
    st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(-1, 6)]),
    st.integers(1, 4),
    levels,
)
def test_the_loss_from_below_is_nowhere_above_the_curve_nor_far_below(
    pair: Pair, excess: Fraction, dimension: int, level: Fraction
) -> None:
    pair = Pair(pair.shift, excess, dimension)
    found = value(dots_below(curve(pair), grid(200)), level)
    assert found <= ends(level, pair)[1]
    # It is that of losses that are smaller by one step, to what lies beyond the grid.
    assert found >= ends(level + Fraction(1, 20), pair)[0] - Fraction(1, 10**6)


def test_dots_too_low_are_noticed() -> None:
    """The comparison above could fail: the same loss through nine tenths of the dots is below the curve."""
    pair = Pair(Fraction(1), Fraction(0), 1)

    def low(level: Fraction, bits: int) -> tuple[int, int]:
        found = hockey_stick(level, pair, bits)
        return found[0] * 9 // 10, found[1] * 9 // 10

    assert value(dots_above(low, grid(200)), Fraction(1)) < ends(Fraction(1), pair)[0]


@pytest.mark.parametrize("runs", [((1, 9, 1),), ((-9, 1, 1),), ((-9, 9, 2),)])
def test_a_grid_without_0_as_a_place_or_nothing_above_it_is_refused(runs: tuple[tuple[int, int, int], ...]) -> None:
    with pytest.raises(Refused, match="with 0 as a place"):
        dots_above(curve(Pair(Fraction(1), Fraction(0), 1)), Grid(Fraction(1, 8), runs, DIGITS, 0))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 4), st.fractions(0, 3, max_denominator=10))
def test_a_fixed_batch_is_dominated_by_its_pair_in_both_orders(times: int, level: Fraction) -> None:
    """One step is the closed form; the loss of more dominates both products of the pair of removal and of its turn."""
    rate, noise = Fraction(1, 5), Fraction(1)

    def step(at: Fraction, bits: int) -> tuple[int, int]:
        return one_sampled(at, rate, noise, bits, remove=True)

    loss = dots_above(step, grid(120))
    if times == 1:
        low, high = (Fraction(end, 2**BITS) for end in step(level, BITS))
        assert low <= value(loss, level) <= high + Fraction(1, 400)
    more = power(loss, times, 0)
    assert value(more, level) >= value(loss, level) * (1 - Fraction(1, 10**12))


# ------------------------------------------------------------------------------------------------ whole certificates


def stated(mechanism: dict[str, object], runs: object, step: str = "1/20") -> dict[str, object]:
    return {
        "format": "rgm-verify-number/1", "mechanism": mechanism, "quantity": "delta", "given": "1", "lower": None,
        "upper": "1", "check": {"kind": "grid", "step": step, "runs": runs, "digits": DIGITS, "cut": 0},
    }  # fmt: skip


SYMMETRIC = [[-250, 251, 1]]


def relative(**fields: object) -> dict[str, object]:
    return {
        "name": "rgm", "eta": "1/5", "gamma": "1/2", "dimension": 3, "r_rel": "0", "sigma2": "0", "steps": 2, **fields,
    }  # fmt: skip


def gaussian(noise: str, steps: int) -> dict[str, object]:
    return {"name": "gaussian", "noise_multiplier": noise, "steps": steps}


def poisson(adjacency: str = "add-or-remove-one", steps: int = 3) -> dict[str, object]:
    return {
        "name": "dp-sgd", "noise_multiplier": "2", "sampling_rate": "1/5", "steps": steps, "sampler": "poisson",
        "adjacency": adjacency,
    }  # fmt: skip


@pytest.mark.parametrize("level", [Fraction(0), Fraction(1, 2), Fraction(2)])
def test_a_plan_of_gaussians_is_one_gaussian(level: Fraction) -> None:
    plan = {"name": "plan", "releases": [gaussian("2", 3), gaussian("3", 1), gaussian("5", 10)]}
    certificate = parse(stated(plan, [SYMMETRIC] * 3))
    low, high = ends(level, Pair(Fraction(3, 4) + Fraction(1, 9) + Fraction(10, 25), Fraction(0), 1))
    assert low <= delta_above(certificate, level) <= high + Fraction(3, 400)
    assert delta_below(certificate, level) <= high
    assert delta_below(certificate, level) >= ends(level + Fraction(3, 20), Pair(Fraction(227, 180), Fraction(0), 1))[0]


@pytest.mark.parametrize("level", [Fraction(1, 3), Fraction(2)])
def test_releases_of_the_relative_mechanism_cost_no_less_than_each_of_its_pairs(level: Fraction) -> None:
    certificate = parse(stated(relative(steps=3), SYMMETRIC))
    release = Relative(Fraction(1, 5), Fraction(1, 2), 3, Fraction(0), Fraction(0), 3)
    # Fewer bits than the replay has: its enclosure lies within this one.
    each = [ends(level, pair.repeated(3), 100) for pair in pairs_of(release)]
    assert len(each) == 3
    assert delta_above(certificate, level) >= max(low for low, _ in each)
    assert max(low for low, _ in each) <= delta_below(certificate, level) <= max(high for _, high in each)
    # A release more costs more, from either side.
    more = parse(stated(relative(steps=4), SYMMETRIC))
    assert delta_above(more, level) > delta_above(certificate, level)
    assert delta_below(more, level) > delta_below(certificate, level)


def test_a_plan_costs_no_less_than_its_parts_in_any_order() -> None:
    level = Fraction(1)
    parts: list[tuple[dict[str, object], list[list[int]]]] = [
        (relative(), SYMMETRIC), (poisson(), [[-5, 120, 1]]), (gaussian("4", 2), SYMMETRIC),
    ]  # fmt: skip
    alone = [parse(stated(mechanism, runs)) for mechanism, runs in parts]
    found = []
    for order in ((0, 1, 2), (2, 0, 1)):
        plan = {"name": "plan", "releases": [parts[i][0] for i in order]}
        certificate = parse(stated(plan, [parts[i][1] for i in order]))
        found.append((delta_above(certificate, level), delta_below(certificate, level)))
        assert all(delta_above(certificate, level) >= delta_below(part, level) for part in alone)
        assert found[-1][1] <= found[-1][0]
    # Only the roundings differ, upward and downward by less than a unit for each of some thousand masses.
    assert all(abs(a - b) <= Fraction(10**6, 10**DIGITS) for a, b in zip(*found, strict=True))


def test_directions_of_samples_are_taken_apart() -> None:
    """A plan with samples is as costly as the worse of the two orders."""
    level = Fraction(1)
    found = {}
    for adjacency in ("add-one", "remove-one", "add-or-remove-one"):
        plan = {"name": "plan", "releases": [poisson(adjacency), gaussian("4", 1)]}
        found[adjacency] = delta_above(parse(stated(plan, [[[-5, 120, 1]], SYMMETRIC])), level)
    assert found["add-or-remove-one"] == max(found["add-one"], found["remove-one"])
    assert found["add-one"] != found["remove-one"]


def test_plans_are_read_to_releases() -> None:
    plan = {"name": "plan", "releases": [relative(), gaussian("5", 7), poisson(steps=9)]}
    certificate = parse(stated(plan, [SYMMETRIC, SYMMETRIC, [[-5, 120, 1]]]))
    assert certificate.mechanism == Planned(
        (
            Relative(Fraction(1, 5), Fraction(1, 2), 3, Fraction(0), Fraction(0), 2),
            Noised(Fraction(5), 7),
            Sampled(Fraction(2), Fraction(1, 5), 9, "poisson", "add-or-remove-one"),
        )
    )
    assert len(certificate.grids) == 3


@pytest.mark.parametrize(
    ("mechanism", "runs", "message"),
    [
        ({"name": "plan", "releases": []}, [], "list of 1 to 50"),
        ({"name": "plan", "releases": [gaussian("5", 1)] * 51}, [SYMMETRIC] * 51, "list of 1 to 50"),
        ({"name": "plan", "releases": gaussian("5", 1)}, [], "list of 1 to 50"),
        ({"name": "plan", "releases": [{"name": "plan", "releases": [gaussian("5", 1)]}]}, [SYMMETRIC], "mechanism"),
        ({"name": "plan", "releases": [poisson("add-one"), poisson("remove-one")]}, [SYMMETRIC] * 2, "same neighbours"),
        ({"name": "plan", "releases": [gaussian("5", 1)], "budget": 1}, [SYMMETRIC], "not known"),
        ({"name": "plan", "releases": [gaussian("5", 1)] * 2}, [SYMMETRIC], "for each release"),
        ({"name": "plan", "releases": [gaussian("5", 1)]}, SYMMETRIC, "is expected"),
        ({"name": "plan", "releases": [gaussian("0", 1)]}, [SYMMETRIC], "must be > 0"),
        ({"name": "plan", "releases": [gaussian("5", 0)]}, [SYMMETRIC], "steps"),
        ({"name": "plan", "releases": [{"name": "cauchy", "scale": "1", "steps": 1}]}, [SYMMETRIC], "mechanism"),
    ],
)
def test_a_damaged_plan_is_refused_with_the_field(mechanism: dict[str, object], runs: object, message: str) -> None:
    with pytest.raises(Refused, match=message):
        parse(stated(mechanism, runs))


def test_a_closed_form_is_for_one_release() -> None:
    for mechanism in ({"name": "plan", "releases": [gaussian("5", 1)]}, relative(steps=2)):
        data = {**stated(mechanism, []), "check": {"kind": "closed", "bits": 100}}
        with pytest.raises(Refused, match="by a grid"):
            delta_above(parse(data), Fraction(1))
    # Gaussian releases have one however many they are.
    data = {**stated(gaussian("5", 25), []), "check": {"kind": "closed", "bits": BITS}}
    assert delta_above(parse(data), Fraction(1)) == ends(Fraction(1), Pair(Fraction(1), Fraction(0), 1))[1]
