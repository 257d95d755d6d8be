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

# Far beyond every parameter of a privacy statement, and still quick to compute with.
_LARGEST_EXPONENT = 100_000
_ALLOWED = 'expected an exact number: an int, a Fraction, a Decimal, a rational, or a string such as "1/1000" or "1e-8"'
_FLOAT = (
    'a float is not the decimal that was typed; pass a string such as "0.1", '
    "or Fraction(x) to take the exact binary number that it is"
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
"""The types of exact numbers."""

NumberInput: TypeAlias = ExactInput | float | Real
"""The types of numbers where floats may stand for their exact binary value."""

VectorInput: TypeAlias = NumberInput | Iterable[NumberInput]
"""A vector of numbers; a bare number is a vector of dimension 1."""

Floats: TypeAlias = Literal["refuse", "binary"]


# --------------------------------------------------------------------------------------------- numbers


def exact(value: NumberInput, *, name: str, floats: Floats = "refuse") -> Fraction:
    """Return the exact rational number that `value` is.

    Args:
        value: an integer (numpy's too), a `Fraction`, a `Decimal`, a rational with a numerator and a denominator
            (SymPy, FLINT), or a string ``"1/1000"``, ``"1e-8"``, ``"0.1"``.
        name: the argument's name, for the message of an error.
        floats: ``"binary"`` takes a float as the binary number that it is; ``"refuse"`` raises for it.

    Returns:
        The number, exactly; nothing is rounded on any path.

    Raises:
        InputError: for a float (unless allowed), NaN, an infinity, a bool, an exponent beyond 100,000 in size, and what
            is no number.

    Examples:
        >>> exact("0.1", name="delta"), exact(0.5, name="delta", floats="binary")
        (Fraction(1, 10), Fraction(1, 2))
        >>> exact(0.1, name="delta")
        Traceback (most recent call last):
            ...
        rgm_verify.errors.InputError: delta=0.1: a float is not the decimal that was typed; pass a string such as "0.1",
        or Fraction(x) to take the exact binary number that it is
    """
    if floats not in ("refuse", "binary"):
        raise reject("floats", floats, 'allowed are "refuse" and "binary"')
    # By name, so that numpy's truth values are caught without importing numpy. They come first: a bool is an
    # `Integral`.
    if type(value).__name__ in ("bool", "bool_"):
        raise reject(name, value, "a truth value is not a number; pass 0 or 1")
    if isinstance(value, str):
        return _from_text(value, name)
    if isinstance(value, Decimal):
        return _from_decimal(value, name)
    if isinstance(value, Integral):
        return Fraction(int(value))
    # Before `Real`: a rational type is a `Real` too, and its quotient is exact where a conversion to float is not.
    rational = _numerator_and_denominator(value)
    if rational is not None:
        return _quotient(*rational, value, name)
    if isinstance(value, Real):
        return _from_float(value, name, floats)
    # An array with one entry has `__index__` as well; a vector is no number, so what has a shape is refused.
    if isinstance(value, SupportsIndex) and not hasattr(value, "shape"):
        return Fraction(operator.index(value))
    raise reject(name, value, f"{_ALLOWED}; got {type(value).__name__}")


def positive(value: NumberInput, *, name: str, meaning: str = "the value", floats: Floats = "refuse") -> Fraction:
    """Return `value` as an exact number > 0.

    Args:
        value: as in `exact`.
        name: the argument's name, for the message of an error.
        meaning: the words for the number in that message, as in ``sigma=0: the noise scale must be > 0``.
        floats: as in `exact`.

    Raises:
        InputError: for 0, for a negative number, and for what `exact` refuses.
    """
    number = exact(value, name=name, floats=floats)
    if number <= 0:
        raise reject(name, value, f"{meaning} must be > 0")
    return number


def nonnegative(value: NumberInput, *, name: str, meaning: str = "the value", floats: Floats = "refuse") -> Fraction:
    """Return `value` as an exact number >= 0; arguments as in `positive`.

    Raises:
        InputError: for a negative number (``eta=-1: the value must be >= 0``), and for what `exact` refuses.
    """
    number = exact(value, name=name, floats=floats)
    if number < 0:
        raise reject(name, value, f"{meaning} must be >= 0")
    return number


def positive_integer(value: NumberInput, *, name: str, meaning: str = "the value") -> int:
    """Return `value` as an integer >= 1. A rational that is an integer is one, so that ``"1e3"`` is 1000.

    Raises:
        InputError: for a fraction, for a number below 1 (``dimension=1/2``, ``dimension=0``), and for floats, which are
            refused here even where they are whole.

    Examples:
        >>> positive_integer("1e3", name="dimension")
        1000
    """
    number = exact(value, name=name)
    if number.denominator != 1 or number < 1:
        raise reject(name, value, f"{meaning} must be an integer >= 1")
    return int(number)


def _from_text(text: str, name: str) -> Fraction:
    """Return the number that a text writes; the size of its exponent is checked before anything is computed."""
    # Underscores may stand between digits, as in Python's own numbers.
    exponent = re.search(r"[eE][+-]?([\d_]+)\s*$", text)
    # Fraction("1e999999999") would fill the memory before anyone could see what was typed.
    if exponent and float(exponent[1].replace("_", "") or 0) > _LARGEST_EXPONENT:
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
    """Return the number of a `Decimal`, with the same bound on its exponent as a text."""
    if not value.is_finite():
        raise reject(name, value, "the number must be finite")
    # `Decimal` keeps an exponent as an integer, so that looking at it costs nothing, while converting it may.
    if value and abs(value.adjusted()) > _LARGEST_EXPONENT:
        raise reject(name, value, f"the exponent must be within +-{_LARGEST_EXPONENT}")
    return Fraction(value)


def _numerator_and_denominator(value: object) -> tuple[object, object] | None:
    """Return both parts of a rational of whatever library, None for what is no rational."""
    if isinstance(value, Rational):
        return value.numerator, value.denominator
    # SymPy's infinities carry p and q as well; they are no rationals and say so.
    if getattr(value, "is_Rational", True) and hasattr(value, "p") and hasattr(value, "q"):
        return value.p, value.q
    return None


def _quotient(numerator: object, denominator: object, value: object, name: str) -> Fraction:
    """Return the quotient as a `Fraction`; the parts may be integers of another library."""
    try:
        return Fraction(int(numerator), int(denominator))  # type: ignore[call-overload]
    except (TypeError, ValueError, ZeroDivisionError):
        raise reject(name, value, _ALLOWED) from None


def _from_float(value: Real, name: str, floats: Floats) -> Fraction:
    """Return the exact binary value of a float of whatever width, if the caller allows floats."""
    if not math.isfinite(value):
        raise reject(name, value, "the number must be finite")
    if floats == "refuse":
        raise reject(name, value, _FLOAT)
    # Not every `Real` has an exact ratio; a detour over `float` would round without saying so.
    ratio = getattr(value, "as_integer_ratio", None)
    if ratio is None:
        raise reject(name, value, f"{_ALLOWED}; got {type(value).__name__}")
    numerator, denominator = ratio()
    return Fraction(int(numerator), int(denominator))


# --------------------------------------------------------------------------------------------- vectors


def exact_vector(values: VectorInput, *, name: str, floats: Floats = "refuse") -> tuple[Fraction, ...]:
    """Return `values` as a non-empty tuple of exact numbers; a bare number becomes a tuple of length 1.

    Args:
        values: a number, or an iterable of numbers (a list, an array of one dimension); each as in `exact`.
        name: the argument's name; an entry is called ``x[2]`` in a message.
        floats: as in `exact`, for every entry.

    Raises:
        InputError: naming the offending entry (``x[2]=nan: ...``), and for an empty or nested input.
    """
    shape = getattr(values, "shape", None)
    if shape is not None and len(shape) > 1:
        raise reject(name, values, f"expected a vector, got an array of shape {tuple(shape)}")
    # An array of no dimension is a number, which numpy does not say by its type.
    if shape == () and hasattr(values, "item"):
        values = values.item()
    # A text is iterable too, and its characters are no entries.
    if isinstance(values, str) or not isinstance(values, Iterable):
        return (exact(values, name=name, floats=floats),)
    vector = tuple(exact(value, name=f"{name}[{i}]", floats=floats) for i, value in enumerate(values))
    if not vector:
        raise reject(name, "()", "expected a vector with at least one entry")
    return vector


def norm_squared(vector: Sequence[Fraction]) -> Fraction:
    """Return the exact squared Euclidean norm of a vector of rationals; 0 for the empty vector."""
    return sum((entry * entry for entry in vector), Fraction(0))


def distance_squared(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """Return the exact squared Euclidean distance of two rational vectors.

    Raises:
        InputError: if the lengths differ; vectors are never padded or broadcast.
    """
    if len(x) != len(y):
        raise InputError(f"len(x)={len(x)}, len(y)={len(y)}: both vectors must have the same dimension")
    return sum(((a - b) * (a - b) for a, b in zip(x, y, strict=True)), Fraction(0))
