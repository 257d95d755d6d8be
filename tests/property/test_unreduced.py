"""Laws of the integrals over the densities: closed forms, certified enclosures, and SciPy's distributions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import integrate, stats

from rgm_verify.divergences import certified
from rgm_verify.divergences.pair import GaussianPair
from rgm_verify.divergences.symbolic import renyi_enclosure
from rgm_verify.divergences.unreduced import Law, Measured, hockey_stick, loss_above, mean_of_loss, renyi
from rgm_verify.errors import InputError

F = Fraction
TINY = mpmath.mpf("1e-29")


def laws(distance: Fraction, first: Fraction, second: Fraction) -> tuple[Law, Law]:
    """A pair at a distance, away from the origin."""
    return Law((distance + 3,), first), Law((F(3),), second)


def off(found: Measured, enclosure: Any) -> Any:
    """How far a value is from an enclosure, relatively, beyond its own error."""
    with mpmath.workdps(60):
        middle = mpmath.mpf(enclosure.lower.numerator) / enclosure.lower.denominator
        return (abs(found.value - middle) - found.error) / abs(middle) if middle else abs(found.value)


PAIRS = [
    (1, F(2), F(3), F(1)),
    (1, F(1, 1000), F(1), F(1001, 1000)),
    (2, F(1), F(1, 3), F(2)),
    (2, F(0), F(2), F(1)),
    (3, F(5), F(1), F(1)),
    (3, F(1, 7), F(121, 100), F(1)),
    (4, F(3), F(9), F(4)),
    (1000, F(1), F(1), F(101, 100)),
]


@pytest.mark.parametrize(("d", "distance", "first", "second"), PAIRS)
def test_the_renyi_divergence_is_its_closed_form_to_thirty_digits(d: int, distance: F, first: F, second: F) -> None:
    for order in (F(1, 3), 1, F(1001, 1000), F(5, 4)):
        found = renyi(*laws(distance, first, second), d, order)
        closed = renyi_enclosure(order, distance**2, first, second, d, digits=45)
        assert off(found, closed) < TINY, (d, order)
        # The logarithm of a number near 1 has the digits that are left.
        assert found.error < 1e-28 * max(1, 1 / abs(float(order) - 1) if order != 1 else 1)


@pytest.mark.parametrize(("d", "distance", "first", "second"), [PAIRS[0], PAIRS[2], PAIRS[4], PAIRS[7]])
def test_hockey_stick_and_tails_are_certified_ones(d: int, distance: F, first: F, second: F) -> None:
    pair = GaussianPair.of(distance**2, first, second, d)
    for level in (F(-1, 2), F(2)):
        found = hockey_stick(*laws(distance, first, second), d, level)
        assert off(found, certified.hockey_stick(pair, level, digits=40)) < TINY
    above = loss_above(*laws(distance, first, second), d, F(1, 2), under="Q")
    below = certified.loss_cdf(pair, F(1, 2), digits=40, under="Q")
    with mpmath.workdps(50):
        missing = 1 - above.value
        assert off(Measured(missing, above.error), below) < TINY


def test_a_tiny_hockey_stick_keeps_its_digits() -> None:
    pair = GaussianPair.of(1, 1, 1, 2)
    found = hockey_stick(*laws(F(1), F(1), F(1)), 2, 15)
    assert found.value < 1e-45
    assert off(found, certified.hockey_stick(pair, 15, digits=40)) < TINY


def test_beyond_the_largest_loss_there_is_nothing() -> None:
    assert hockey_stick(*laws(F(0), F(1), F(4)), 3, 5) == (0, 0)
    assert hockey_stick(*laws(F(1), F(1), F(4)), 1, 20) == (0, 0)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_value_does_not_see_where_the_means_are(d: int) -> None:
    """Vectors in general position: only their distance counts, and more coordinates that agree change nothing."""
    plain = hockey_stick(Law((5,), 2), Law((0,), 1), d, 1)
    if d > 1:
        turned = hockey_stick(Law((3, F(-1)), 2), Law((0, F(3)), 1), d, 1)
        with mpmath.workdps(50):
            assert abs(plain.value - turned.value) <= plain.error + turned.error


def test_probabilities_are_those_of_chi_square() -> None:
    """With equal means the loss is linear in a chi-square variable."""
    first, second, d, level = 2.0, 1.0, 3, 0.25
    found = loss_above(Law((F(1),), 2), Law((F(1),), 1), d, F(1, 4))
    radius = (level + d / 2 * math.log(first / second)) * 2 / (1 / second - 1 / first)
    assert float(found.value) == pytest.approx(stats.chi2(d).sf(radius / first), rel=1e-13)


def test_one_dimension_is_scipys_integral() -> None:
    p, q = stats.norm(1.5, math.sqrt(2)), stats.norm(0, 1)
    found = hockey_stick(Law((F(3, 2),), 2), Law((), 1), 1, F(1, 3))
    grid = lambda x: max(p.pdf(x) - math.exp(1 / 3) * q.pdf(x), 0.0)  # noqa: E731
    total = sum(integrate.quad(grid, a, a + 1, limit=200)[0] for a in range(-25, 25))
    assert float(found.value) == pytest.approx(total, rel=1e-7)


def test_moments_of_the_loss() -> None:
    first, second = Law((F(2),), 3), Law((), 2)
    mean = mean_of_loss(first, second, 2, lambda loss: loss)
    square = mean_of_loss(first, second, 2, lambda loss: loss * loss)
    generator = np.random.default_rng(0)
    x = generator.normal(size=(200_000, 2)) * math.sqrt(3) + [2, 0]
    losses = stats.multivariate_normal([2, 0], 3).logpdf(x) - stats.multivariate_normal([0, 0], 2).logpdf(x)
    assert float(mean.value) == pytest.approx(losses.mean(), abs=0.02)
    assert float(square.value) == pytest.approx(np.square(losses).mean(), rel=0.03)


def test_parts_of_a_mean_add_up() -> None:
    first, second = Law((F(2),), 3), Law((), 2)
    whole, low, high = (
        mean_of_loss(first, second, 3, lambda loss: loss, **part)
        for part in ({}, {"below": F(1, 5)}, {"above": F(1, 5)})
    )
    with mpmath.workdps(50):
        assert abs(whole.value - low.value - high.value) <= whole.error + low.error + high.error


def test_the_stated_error_notices_too_few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rgm_verify.divergences.unreduced._START", 8)
    monkeypatch.setattr("rgm_verify.divergences.unreduced._ROUNDS", 1)
    found = renyi(*laws(F(1), F(1), F(2)), 2, F(3, 2))
    exact = renyi_enclosure(F(3, 2), 1, 1, 2, 2, digits=45)
    assert found.error > 1e-25
    assert off(found, exact) < TINY


def test_what_has_no_value_is_refused() -> None:
    first, second = Law((F(1),), 2), Law((), 1)
    with pytest.raises(InputError, match="infinite"):
        renyi(first, second, 2, 2)
    with pytest.raises(InputError, match="variance"):
        Law((F(1),), 0)
    with pytest.raises(InputError, match="dimension"):
        renyi(Law((F(1), F(1)), 1), second, 1, 2)
    with pytest.raises(InputError, match="under"):
        loss_above(first, second, 2, 0, under="R")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="one of the two"):
        mean_of_loss(first, second, 2, lambda loss: loss, above=0, below=1)
