"""Laws of the integrals over the densities: closed forms, and certified enclosures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb

from rgm_verify.balls.arithmetic import precision
from rgm_verify.errors import InputError
from rgm_verify.gaussians import enclosures
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.gaussians.symbolic import renyi_enclosure
from rgm_verify.gaussians.unreduced import (
    Exponential,
    Law,
    Measured,
    hockey_stick,
    loss_above,
    mean_of_loss,
    renyi,
)

F = Fraction
TINY = mpmath.mpf("1e-29")


def laws(distance: Fraction, first: Fraction, second: Fraction) -> tuple[Law, Law]:
    """A pair at a distance, away from the origin."""
    return Law((distance + 3,), first), Law((F(3),), second)


def off(found: Measured, enclosure: Any) -> Any:
    """Return the relative distance of a value from an enclosure, beyond its own error."""
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
        assert off(found, enclosures.hockey_stick(pair, level, digits=40)) < TINY
        assert found.error < 1e-27 * found.value
    above = loss_above(*laws(distance, first, second), d, F(1, 2), under="Q")
    below = enclosures.loss_cdf(pair, F(1, 2), digits=40, under="Q")
    with mpmath.workdps(50):
        missing = 1 - above.value
        assert off(Measured(missing, above.error), below) < TINY
        assert above.error < 1e-27 * missing


def test_a_tiny_hockey_stick_keeps_its_digits() -> None:
    pair = GaussianPair.of(1, 1, 1, 2)
    found = hockey_stick(*laws(F(1), F(1), F(1)), 2, 15)
    assert found.error < 1e-25 * found.value < 1e-70
    assert off(found, enclosures.hockey_stick(pair, 15, digits=40)) < TINY


def test_beyond_the_largest_loss_there_is_nothing() -> None:
    assert hockey_stick(*laws(F(0), F(1), F(4)), 3, 5) == (0, 0)
    assert hockey_stick(*laws(F(1), F(1), F(4)), 1, 20) == (0, 0)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_value_does_not_see_where_the_means_are(d: int) -> None:
    """Vectors in general position: only their distance counts, and more coordinates that agree change nothing."""
    plain = hockey_stick(Law((5,), 2), Law((0,), 1), d, 1)
    assert plain.error < 1e-27
    others = [hockey_stick(Law((F(22, 3),), 2), Law((F(7, 3),), 1), d, 1)]
    others += [hockey_stick(Law((3, F(-1)), 2), Law((0, F(3)), 1), d, 1)] if d > 1 else []
    with mpmath.workdps(50):
        assert all(abs(plain.value - other.value) <= plain.error + other.error for other in others)


def test_probabilities_are_those_of_chi_square() -> None:
    """With equal means the loss is linear in a chi-square variable."""
    found = loss_above(Law((F(1),), 2), Law((F(1),), 1), 3, F(1, 4))
    with mpmath.workdps(50):
        radius2 = 4 * (mpmath.mpf(1) / 4 + 3 * mpmath.log(2) / 2)
        exact = mpmath.gammainc(mpmath.mpf(3) / 2, radius2 / 4, regularized=True)
        assert abs(found.value - exact) <= found.error < 1e-27


def test_one_dimension_is_a_difference_of_normal_probabilities() -> None:
    """The density of N(3/2, 2) exceeds exp(1/3) times that of N(0, 1) outside of the roots of a quadratic."""
    found = hockey_stick(Law((F(3, 2),), 2), Law((), 1), 1, F(1, 3))
    with mpmath.workdps(50):
        third, half = mpmath.mpf(1) / 3, mpmath.mpf(3) / 2
        low, high = sorted(mpmath.polyroots([mpmath.mpf(1) / 4, half / 2, -(half**2) / 4 - mpmath.log(2) / 2 - third]))
        root = mpmath.sqrt(2)
        first = mpmath.ncdf((low - half) / root) + mpmath.ncdf((half - high) / root)
        exact = first - mpmath.exp(third) * (mpmath.ncdf(low) + mpmath.ncdf(-high))
        assert abs(found.value - exact) <= found.error < 1e-27


def test_moments_of_the_loss() -> None:
    first, second = Law((F(2),), 3), Law((), 2)
    mean = mean_of_loss(first, second, 2, lambda loss: loss)
    square = mean_of_loss(first, second, 2, lambda loss: loss * loss)
    with mpmath.workdps(50):  # the loss at (2, 0) + sqrt(3) z is 1 - log(3/2) + sqrt(3) z_1 + |z|^2/4
        exact = mpmath.mpf(3) / 2 - mpmath.log(mpmath.mpf(3) / 2)
        variance = mpmath.mpf(13) / 4
        assert abs(mean.value - exact) <= mean.error < 1e-25
        assert abs(square.value - exact**2 - variance) <= square.error < 1e-25


def test_parts_of_a_mean_add_up() -> None:
    first, second = Law((F(2),), 3), Law((), 2)
    whole, low, high = (
        mean_of_loss(first, second, 3, lambda loss: loss, **part)
        for part in ({}, {"below": F(1, 5)}, {"above": F(1, 5)})
    )
    with mpmath.workdps(50):
        assert abs(whole.value - low.value - high.value) <= whole.error + low.error + high.error


def test_the_stated_error_notices_too_few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rgm_verify.gaussians.unreduced._START", 8)
    monkeypatch.setattr("rgm_verify.gaussians.unreduced._ROUNDS", (1.25,))
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


@pytest.mark.parametrize("size", ["1e-40", "1e-4", "0.002", "0.7", "30", "300"])
def test_an_exponential_weight_keeps_its_digits_near_its_zero(size: str) -> None:
    """In both kinds of numbers: of losses, and of terms with their losses."""
    with mpmath.workdps(40):
        x = mpmath.mpf(size)
    for there in (x, -x):
        with mpmath.workdps(40), precision(mpmath.mp.prec):
            weight = Exponential(mpmath.mpf(1), mpmath.mpf(0), mpmath.mpf(-2))
            found = weight(there)
            (ball,) = weight.times([arb(3)], [arb(there)])
        with mpmath.workdps(90), precision(mpmath.mp.prec):
            exact = -2 * mpmath.expm1(there)
            assert abs(found - exact) <= abs(exact) * mpmath.mpf(10) ** -38
            assert ball.contains(3 * arb(exact))
        assert ball.rel_accuracy_bits() > 120
    assert weight(mpmath.mpf(0)) == 0
