"""Formulas of the kernel: relations of a polynomial to 0, conjunctions and disjunctions, as plain tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from rgm_verify.kernel.terms import Poly

__all__ = ["FALSE", "And", "Formula", "Or", "Rel"]

#: ("rel", poly, op) says `poly op 0` with op among >= > == !=; ("and", parts); ("or", parts).
Formula: TypeAlias = tuple[Any, ...]
FALSE: Formula = ("or", ())


def Rel(poly: Poly, op: str) -> Formula:
    """Return the formula `poly op 0`."""
    return ("rel", poly, op)


def And(parts: Sequence[Formula]) -> Formula:
    """Return the formula that all parts hold."""
    return parts[0] if len(parts) == 1 else ("and", tuple(parts))


def Or(parts: Sequence[Formula]) -> Formula:
    """Return the formula that a part holds."""
    return parts[0] if len(parts) == 1 else ("or", tuple(parts))
