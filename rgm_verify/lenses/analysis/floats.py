"""Floats at points of a domain: they rule a goal out, or say which question is worth asking, and prove nothing."""

from __future__ import annotations

import numpy as np
import sympy

from rgm_verify.claims.claim import Variable
from rgm_verify.lenses.points.floats import numeric

__all__ = ["POINTS", "drawn", "floats"]

#: Points that are drawn for a domain.
POINTS = 600


def drawn(v: Variable, generator: np.random.Generator) -> np.ndarray:
    """Floats spread over a range: towards its ends and far out."""
    size = np.exp(generator.uniform(-7, 5, POINTS))
    low = None if v.lower is None else float(v.lower)
    high = None if v.upper is None else float(v.upper)
    if low is not None and high is not None:
        share = generator.random(POINTS)
        share = np.where(generator.random(POINTS) < 0.3, np.exp(-9 * share), share)
        share = np.where(generator.random(POINTS) < 0.5, share, 1 - share)
        values = low + (high - low) * share
    elif low is not None:
        values = low + size
    elif high is not None:
        values = high - size
    else:
        values = np.where(generator.random(POINTS) < 0.5, size, -size)
    # A float between two integers would rule out a goal that holds at all integers.
    return np.round(values) if v.integer else values


def floats(e: sympy.Expr, columns: dict[sympy.Symbol, np.ndarray]) -> np.ndarray:
    """Values at the points, NaN where there are none."""
    count = len(next(iter(columns.values()))) if columns else 1
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(numeric(e, tuple(columns))(*columns.values()))
    except (NameError, TypeError, ValueError, ZeroDivisionError, OverflowError, NotImplementedError, AttributeError):
        return np.full(count, np.nan)  # a function that NumPy does not have: nothing is ruled out
    # A value off the real line is none, and rules nothing out.
    if np.iscomplexobj(found):
        found = np.where(found.imag == 0, found.real, np.nan)
    return np.broadcast_to(found.astype(float), (count,))
