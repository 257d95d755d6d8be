"""Parameters as exact rationals, and the adjacency and sensitivity types that are built from them.

A float such as ``0.1`` is not the number that was typed, and the difference decides the truth of statements
that hold with equality. So a float is refused, unless the caller says that its exact binary value is meant.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
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


# -------------------------------------------------------------------------------- adjacency, sensitivity


class Adjacency(StrEnum):
    """Which data sets are neighbours. It is part of every privacy statement, because it is worth a factor.

    Replacing a record is removing one and adding another. So an absolute bound for `ADD_OR_REMOVE` gives, by
    the triangle inequality, *twice* that bound for `REPLACE_ONE`, and the squared sensitivity (what Renyi bounds
    scale with) grows by 4. There is no such factor in the other direction: a bound for `REPLACE_ONE` says
    nothing about `ADD_OR_REMOVE`. For relative sensitivity the factor is not 2 either, because the norm moves
    at each step.
    """

    REPLACE_ONE = "replace_one"
    ADD_OR_REMOVE = "add_or_remove"


def adjacency(value: Adjacency | str) -> Adjacency:
    """Return the `Adjacency` that `value` names; raise `InputError` with the allowed names otherwise."""
    try:
        return Adjacency(value)
    except ValueError:
        raise reject("adjacency", value, f"allowed are {', '.join(a.value for a in Adjacency)}") from None


@dataclass(frozen=True, init=False)
class AbsoluteSensitivity:
    """`|R(x) - R(y)| <= bound` for all neighbours, Euclidean norm. Exact. Source: RGM paper (v2), eq. (2)."""

    bound: Fraction
    adjacency: Adjacency

    def __init__(self, bound: ExactInput, adjacency: Adjacency | str) -> None:
        object.__setattr__(self, "bound", nonnegative(bound, name="bound", meaning="a sensitivity"))
        object.__setattr__(self, "adjacency", _adjacency(adjacency))

    def admits(self, x: VectorInput, y: VectorInput) -> bool:
        """Decide exactly whether `x` and `y` may be the outputs on two neighbours.

        Floats in the vectors count as the exact binary numbers they are, so nothing is rounded.
        Raises `InputError` for NaN, infinities and different dimensions.
        """
        left, right = _pair(x, y)
        return distance_squared(left, right) <= self.bound * self.bound

    def for_replace_one(self) -> AbsoluteSensitivity:
        """Return a bound that holds when one record is replaced: twice the one for adding or removing one."""
        factor = 2 if self.adjacency is Adjacency.ADD_OR_REMOVE else 1
        return AbsoluteSensitivity(factor * self.bound, Adjacency.REPLACE_ONE)


@dataclass(frozen=True, init=False)
class RelativeSensitivity:
    """`|R(x) - R(y)|^2 <= eta^2 min(|R(x)|^2, |R(y)|^2) + r_rel^2` for all neighbours, in the Euclidean norm.

    The bound holds from both sides, since neighbours are neighbours of each other; hence the minimum. `eta = 0`
    is absolute sensitivity. Exact. Source: RGM paper (v2), Definition 2 and the remark after it.
    """

    eta: Fraction
    r_rel: Fraction
    adjacency: Adjacency

    def __init__(self, eta: ExactInput, r_rel: ExactInput, adjacency: Adjacency | str) -> None:
        object.__setattr__(self, "eta", nonnegative(eta, name="eta", meaning="a relative sensitivity"))
        object.__setattr__(self, "r_rel", nonnegative(r_rel, name="r_rel", meaning="a sensitivity"))
        object.__setattr__(self, "adjacency", _adjacency(adjacency))

    def admits(self, x: VectorInput, y: VectorInput) -> bool:
        """Decide exactly whether `x` and `y` may be the outputs on two neighbours (in either order).

        Floats in the vectors count as the exact binary numbers they are, so nothing is rounded.
        Raises `InputError` for NaN, infinities and different dimensions.
        """
        left, right = _pair(x, y)
        smaller = min(norm_squared(left), norm_squared(right))
        return distance_squared(left, right) <= self.largest_distance_squared(smaller)

    def largest_distance_squared(self, norm_squared: ExactInput) -> Fraction:
        """Return the exact right-hand side `eta^2 m + r_rel^2`; `m` is the smaller squared norm of the two."""
        smaller = nonnegative(norm_squared, name="norm_squared", meaning="a squared norm")
        return self.eta * self.eta * smaller + self.r_rel * self.r_rel


_adjacency = adjacency


def _pair(x: VectorInput, y: VectorInput) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    return exact_vector(x, name="x", floats="binary"), exact_vector(y, name="y", floats="binary")
