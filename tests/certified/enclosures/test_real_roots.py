"""Real roots of polynomials with exact coefficients: every one in the interval, and no other."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.balls.real_roots import real_roots

F = Fraction


def product(roots: list[Fraction]) -> list[Fraction]:
    """The coefficients of the polynomial with these roots, the constant first."""
    found = [F(1)]
    for root in roots:
        found = [a - root * b for a, b in zip([F(0), *found], [*found, F(0)], strict=True)]
    return found


@pytest.mark.parametrize(
    ("roots", "low", "high", "inside"),
    [
        ([F(0)], F(0), F(1), [F(0)]),
        ([F(1)], F(0), F(1), [F(1)]),
        ([F(0), F(1), F(2)], F(0), F(2), [F(0), F(1), F(2)]),
        ([F(-1), F(1, 3), F(5, 2)], F(0), F(2), [F(1, 3)]),
        ([F(-3), F(3)], F(-1), F(1), []),
        ([F(1, 3), F(1, 3), F(1, 2)], F(0), F(1), [F(1, 3), F(1, 2)]),
    ],
)
def test_every_root_in_the_interval_is_enclosed_once(
    roots: list[Fraction], low: Fraction, high: Fraction, inside: list[Fraction]
) -> None:
    found = real_roots(product(roots), low, high)
    assert len(found) == len(inside)
    assert all(lower <= root <= upper for (lower, upper), root in zip(found, inside, strict=True))
    assert all(low <= lower <= upper <= high and upper - lower < F(1, 2**100) for lower, upper in found)


def test_a_polynomial_without_real_roots_has_none() -> None:
    assert real_roots([F(1), F(0), F(1)], F(-5), F(5)) == []
    assert real_roots([F(7)], F(-5), F(5)) == []


def test_fractions_in_the_coefficients_move_no_root() -> None:
    ((lower, upper),) = real_roots([F(-1, 6), F(1, 3)], F(0), F(1))
    assert lower <= F(1, 2) <= upper


@pytest.mark.parametrize("coefficients", [[], [F(0)], [F(0), F(0)]])
def test_of_the_zero_polynomial_every_number_is_a_root(coefficients: list[Fraction]) -> None:
    with pytest.raises(ValueError, match="every number is a root"):
        real_roots(coefficients, F(0), F(1))


@pytest.mark.parametrize("bits", [64, 128, 500])
def test_about_the_bits_asked_for_are_known_of_each_root(bits: int) -> None:
    """The roots of x^3 - 6 x^2 + 11 x - 6 - 1/10: irrational, near 1, 2 and 3."""
    found = real_roots([F(-61, 10), F(11), F(-6), F(1)], F(0), F(4), bits=bits)
    assert len(found) == 3
    for lower, upper in found:
        assert 0 < upper - lower < F(1, 2 ** (bits - 10))
        assert upper - lower > F(1, 2 ** (bits + 40))
    assert real_roots([F(-2), F(0), F(1)], F(0), F(4)) == real_roots([F(-2), F(0), F(1)], F(0), F(4), bits=128)


def test_intervals_are_cut_to_the_range_and_sorted() -> None:
    """The root of x^2 = 2 within a ball whose ends lie on both sides of an end of the range."""
    ((lower, upper),) = real_roots([F(-2), F(0), F(1)], F(0), F(4), bits=64)
    middle = (lower + upper) / 2
    assert real_roots([F(-2), F(0), F(1)], F(0), middle, bits=64) == [(lower, middle)]
    assert real_roots([F(-2), F(0), F(1)], middle, F(4), bits=64) == [(middle, upper)]
    assert real_roots([F(-2), F(0), F(1)], F(0), lower, bits=64) == [(lower, lower)]
    assert real_roots([F(-2), F(0), F(1)], upper, F(4), bits=64) == [(upper, upper)]
    assert real_roots([F(-2), F(0), F(1)], upper + F(1, 2**200), F(4), bits=64) == []
    ends = real_roots(product([F(3), F(-1), F(2), F(1, 2)]), F(-5), F(5))
    assert ends == sorted(ends)
    assert len(ends) == 4
