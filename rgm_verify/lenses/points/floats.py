"""Expressions and formulas as functions of columns of floats: they guide a search, and decide nothing."""

from __future__ import annotations

import builtins
import dis
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation


def as_float(value: Fraction) -> float:
    """Return a fraction as a float, infinite where it is too large.

    Args:
        value: An exact number.
    """
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


#: Functions that NumPy has, under the names by which SymPy writes them.
_ELEMENTARY = frozenset({
    sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh,
    sympy.atan, sympy.Abs, sympy.Max, sympy.Min,
})  # fmt: skip


def numeric(expression: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> Callable[..., Any]:
    """A vectorised float function of `symbols`; NaN where there is none, as for an integral or an unknown function.

    Args:
        expression: An expression in the symbols.
        symbols: The order of the arguments.

    Returns:
        A function of one array for each symbol. It may be complex or NaN; `as_real` makes such values
        NaN.
    """
    return _numeric(expression, tuple(symbols))


@lru_cache(maxsize=2_000)
def _numeric(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Callable[..., Any]:
    """Make the function once: controls of a claim share most of its expressions."""
    from rgm_verify.balls.special import NUMPY_FUNCTIONS

    # Some sums have a value without a sum, such as a harmonic number.
    plain = evaluated(expression)
    if plain.has(sympy.Integral, sympy.Sum, sympy.Product):
        return _nowhere
    # Fresh names, because a symbol called gamma would hide the function of that name.
    fresh = {s: sympy.Dummy(f"v{i}") for i, s in enumerate(symbols)}
    # NumPy takes no logarithm of an integer that is longer than its own.
    long = {n: sympy.Float(n) for n in plain.atoms(sympy.Integer) if abs(n) >= 2**63}
    # SciPy is slow to load, and most claims need none of its functions.
    special = any(type(node) not in _ELEMENTARY for node in sympy.preorder_traversal(plain) if node.args)
    modules = [NUMPY_FUNCTIONS, *(("scipy",) if special else ()), "numpy"]
    try:
        function: Callable[..., Any] = sympy.lambdify(
            list(fresh.values()), plain.xreplace({**fresh, **long}), modules, cse=True
        )
    except NotImplementedError:
        # SymPy writes no code for it, as for a derivative of an unknown function.
        return _nowhere
    return _nowhere if _missing(function) else function


def _nowhere(*columns: np.ndarray) -> np.ndarray:
    """NaN at every point: the values of an expression that floats do not know."""
    return np.full(columns[0].shape if columns else (), np.nan)


def _missing(function: Callable[..., Any]) -> set[str]:
    """Return the functions that made code calls and that none of its modules has, such as an unknown `f`."""
    code: Any = function
    called = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return {name for name in called if name not in code.__globals__ and not hasattr(builtins, name)}


def robustness(
    formula: Formula,
    symbols: Sequence[sympy.Symbol],
    of_relation: Callable[[Relation], Callable[..., np.ndarray]] | None = None,
) -> Callable[..., np.ndarray]:
    """Return a float function that is positive where the formula holds and negative where it fails, relative to its
    sides.

    It takes one array for each symbol and returns an array of the same shape. It only guides a search: what the search
    finds is certified afterwards. `of_relation` may replace the measure of a single relation.

    Args:
        symbols: The order of the arguments.
        of_relation: The measure of one relation; None takes the difference of the sides relative to
            their sum.

    Returns:
        The measure, where a conjunction has its least part and an alternative its greatest.
    """
    match formula:
        case Relation():
            return _relation_robustness(formula, symbols) if of_relation is None else of_relation(formula)
        case All(parts):
            return _combine(np.minimum, [robustness(p, symbols, of_relation) for p in parts])
        case Either(parts):
            return _combine(np.maximum, [robustness(p, symbols, of_relation) for p in parts])
        case Implies(left, right):
            first, second = robustness(left, symbols, of_relation), robustness(right, symbols, of_relation)
            return lambda *a: np.maximum(-first(*a), second(*a))
        case Iff(left, right):
            first, second = robustness(left, symbols, of_relation), robustness(right, symbols, of_relation)
            return lambda *a: np.minimum(np.maximum(-first(*a), second(*a)), np.maximum(first(*a), -second(*a)))


def _combine(how: Any, parts: list[Callable[..., np.ndarray]]) -> Callable[..., np.ndarray]:
    """Return the measure that takes the least or the greatest of several."""
    return lambda *a: how.reduce([part(*a) for part in parts])


def _relation_robustness(relation: Relation, symbols: Sequence[sympy.Symbol]) -> Callable[..., np.ndarray]:
    """Return the measure of one relation: the difference of its sides relative to the sum of their
    absolute values.
    """
    lhs, rhs = numeric(relation.lhs, symbols), numeric(relation.rhs, symbols)
    # A side that is 0 has no size: an equation is compared with what is added up.
    terms = [t for side in (relation.lhs, relation.rhs) for t in sympy.Add.make_args(side)]
    empty = 0 in (relation.lhs, relation.rhs)
    sizes = [numeric(t, symbols) for t in terms] if relation.op == "==" and empty else []

    def value(*columns: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            left, right = as_real(lhs(*columns), columns), as_real(rhs(*columns), columns)
            # The tiny number keeps 0 <= 0 from being 0/0.
            scale = np.abs(left) + np.abs(right) + 1e-300
            if sizes:
                scale = sum((np.abs(as_real(size(*columns), columns)) for size in sizes), scale)
            gap: np.ndarray = (left - right if relation.op in (">=", ">") else right - left) / scale
            if relation.op in ("==", "!="):
                gap = -np.abs(gap) if relation.op == "==" else np.abs(gap)
        return gap

    return value


def as_real(value: Any, columns: Sequence[np.ndarray]) -> np.ndarray:
    """The values of a float function, NaN where they are not real.

    Args:
        value: A number or an array, possibly complex.
        columns: Columns that the result has the shape of.
    """
    array = np.asarray(value)
    if np.iscomplexobj(array):
        array = np.where(array.imag == 0, array.real, np.nan)
    return np.broadcast_to(array.astype(float), columns[0].shape) if columns else array.astype(float)
