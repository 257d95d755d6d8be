"""Parameters as exact rationals: numbers and vectors, as they were typed.

A float such as ``0.1`` is not the number that was typed, and the difference decides the truth of statements
that hold with equality. So a float is refused, unless the caller says that its exact binary value is meant.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Literal, Protocol, SupportsIndex, SupportsInt, TypeAlias

from rgm_verify.errors import InputError, reject

_LARGEST_EXPONENT = 100_000
_ALLOWED = 'expected an exact number: an int, a Fraction, a Decimal, a rational, or a string such as "1/1000" or "1e-8"'
_FLOAT = (
    'a float is not the decimal that was typed; pass a string such as "0.1", a Fraction, '
    'or floats="binary" to take the exact binary number that it is'
)


class RationalLike(Protocol):
    """Anything with a numerator `p` and a denominator `q`: ``sympy.Rational``, ``flint.fmpq``."""

    @property
    def p(self) -> SupportsInt:
        """Numerator."""
        ...

    @property
    def q(self) -> SupportsInt:
        """Denominator."""
        ...


ExactInput: TypeAlias = int | str | Fraction | Decimal | Integral | Rational | RationalLike
"""What is taken as an exact number everywhere."""

NumberInput: TypeAlias = ExactInput | float | Real
"""What is taken where floats may stand for their exact binary value."""

VectorInput: TypeAlias = NumberInput | Iterable[NumberInput]
"""A vector of numbers; a bare number is a vector of dimension 1."""

Floats: TypeAlias = Literal["refuse", "binary"]


# --------------------------------------------------------------------------------------------- numbers


def exact(value: NumberInput, *, name: str, floats: Floats = "refuse") -> Fraction:
    """Return the exact rational number that `value` is.

    Accepts integers (numpy's too), `Fraction`, `Decimal`, rationals with a numerator and a denominator (SymPy,
    FLINT) and strings ``"1/1000"``, ``"1e-8"``, ``"0.1"``. With ``floats="binary"`` a float is the binary number
    it is. Raises `InputError` for a float (unless allowed), NaN, an infinity, a bool and what is no number.
    """
    if floats not in ("refuse", "binary"):
        raise reject("floats", floats, 'allowed are "refuse" and "binary"')
    if type(value).__name__ in ("bool", "bool_"):
        raise reject(name, value, "a truth value is not a number; pass 0 or 1")
    if isinstance(value, str):
        return _from_text(value, name)
    if isinstance(value, Decimal):
        return _from_decimal(value, name)
    if isinstance(value, Integral):
        return Fraction(int(value))
    rational = _numerator_and_denominator(value)
    if rational is not None:
        return _quotient(*rational, value, name)
    if isinstance(value, Real):
        return _from_float(value, name, floats)
    if isinstance(value, SupportsIndex) and not hasattr(value, "shape"):
        return Fraction(operator.index(value))
    raise reject(name, value, f"{_ALLOWED}; got {type(value).__name__}")


def positive(value: NumberInput, *, name: str, meaning: str = "the value", floats: Floats = "refuse") -> Fraction:
    """Return `value` as an exact number > 0; otherwise raise `InputError` (``sigma=0: the value must be > 0``)."""
    number = exact(value, name=name, floats=floats)
    if number <= 0:
        raise reject(name, value, f"{meaning} must be > 0")
    return number


def nonnegative(value: NumberInput, *, name: str, meaning: str = "the value", floats: Floats = "refuse") -> Fraction:
    """Return `value` as an exact number >= 0; otherwise raise `InputError` (``eta=-1: the value must be >= 0``)."""
    number = exact(value, name=name, floats=floats)
    if number < 0:
        raise reject(name, value, f"{meaning} must be >= 0")
    return number


def positive_integer(value: NumberInput, *, name: str, meaning: str = "the value") -> int:
    """Return `value` as an integer >= 1; otherwise raise `InputError` (``dimension=1/2``, ``dimension=0``)."""
    number = exact(value, name=name)
    if number.denominator != 1 or number < 1:
        raise reject(name, value, f"{meaning} must be an integer >= 1")
    return int(number)


def _from_text(text: str, name: str) -> Fraction:
    exponent = re.search(r"[eE][+-]?(\d+)\s*$", text)
    # Fraction("1e999999999") would fill the memory before anyone could see what was typed.
    if exponent and float(exponent[1]) > _LARGEST_EXPONENT:
        raise reject(name, text, f"the exponent must be within +-{_LARGEST_EXPONENT}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise reject(name, text, "the denominator must not be 0") from None
    except ValueError:
        raise reject(name, text, _not_finite(text) or _ALLOWED) from None


def _not_finite(text: str) -> str:
    word = text.strip().lower().lstrip("+-")
    return "the number must be finite" if word in {"nan", "inf", "infinity", "oo"} else ""


def _from_decimal(value: Decimal, name: str) -> Fraction:
    if not value.is_finite():
        raise reject(name, value, "the number must be finite")
    if value and abs(value.adjusted()) > _LARGEST_EXPONENT:
        raise reject(name, value, f"the exponent must be within +-{_LARGEST_EXPONENT}")
    return Fraction(value)


def _numerator_and_denominator(value: object) -> tuple[object, object] | None:
    if isinstance(value, Rational):
        return value.numerator, value.denominator
    # SymPy's infinities carry p and q as well; they are no rationals and say so.
    if getattr(value, "is_Rational", True) and hasattr(value, "p") and hasattr(value, "q"):
        return value.p, value.q
    return None


def _quotient(numerator: object, denominator: object, value: object, name: str) -> Fraction:
    try:
        return Fraction(int(numerator), int(denominator))  # type: ignore[call-overload]
    except (TypeError, ValueError, ZeroDivisionError):
        raise reject(name, value, _ALLOWED) from None


def _from_float(value: Real, name: str, floats: Floats) -> Fraction:
    if not math.isfinite(value):
        raise reject(name, value, "the number must be finite")
    if floats == "refuse":
        raise reject(name, value, _FLOAT)
    ratio = getattr(value, "as_integer_ratio", None)
    if ratio is None:
        raise reject(name, value, f"{_ALLOWED}; got {type(value).__name__}")
    numerator, denominator = ratio()
    return Fraction(int(numerator), int(denominator))


# --------------------------------------------------------------------------------------------- vectors


def exact_vector(values: VectorInput, *, name: str, floats: Floats = "refuse") -> tuple[Fraction, ...]:
    """Return `values` as a non-empty tuple of exact numbers; a bare number becomes a tuple of length 1.

    Raises `InputError` naming the offending entry (``x[2]=nan: ...``), and for an empty or nested input.
    """
    shape = getattr(values, "shape", None)
    if shape is not None and len(shape) > 1:
        raise reject(name, values, f"expected a vector, got an array of shape {tuple(shape)}")
    if shape == () and hasattr(values, "item"):
        values = values.item()
    if isinstance(values, str) or not isinstance(values, Iterable):
        return (exact(values, name=name, floats=floats),)
    vector = tuple(exact(value, name=f"{name}[{i}]", floats=floats) for i, value in enumerate(values))
    if not vector:
        raise reject(name, "()", "expected a vector with at least one entry")
    return vector


def norm_squared(vector: Sequence[Fraction]) -> Fraction:
    """Return the exact squared Euclidean norm of a vector of rationals."""
    return sum((entry * entry for entry in vector), Fraction(0))


def distance_squared(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """Return the exact squared Euclidean distance of two rational vectors; `InputError` if the lengths differ."""
    if len(x) != len(y):
        raise InputError(f"len(x)={len(x)}, len(y)={len(y)}: both vectors must have the same dimension")
    return sum(((a - b) * (a - b) for a, b in zip(x, y, strict=True)), Fraction(0))
