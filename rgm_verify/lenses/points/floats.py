"""Expressions and formulas as functions of columns of floats: they guide a search, and decide nothing."""

from __future__ import annotations

import builtins
import dis
import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from importlib import import_module
from typing import Any

import numpy as np
import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.balls.special import NUMPY_FUNCTIONS
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation
from rgm_verify.terms.table import found

_LARGEST_EXPONENT = 2**31


def as_float(value: Fraction) -> float:
    """Return a fraction as a float, infinite where it is too large.

    Args:
        value: An exact number.
    """
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


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
    try:
        # Some sums have a value without a sum, such as a harmonic number.
        return _Steps(evaluated(expression), symbols)
    except NotImplementedError:
        return _nowhere


class _Steps:
    """The nodes of an expression in order, each once, as operations on columns.

    Raises `NotImplementedError` for an expression with a node that floats do not know.
    """

    def __init__(self, expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> None:
        self._values: list[Any] = list(symbols)
        self._places: dict[Any, int] = {s: i for i, s in enumerate(symbols)}
        self._steps: list[tuple[int, Callable[..., Any], tuple[int, ...]]] = []
        self._last = self._place(expression)

    def __call__(self, *columns: Any) -> Any:
        values = [*columns, *self._values[len(columns) :]]
        with np.errstate(all="ignore"):
            for target, function, places in self._steps:
                values[target] = function(*[values[i] for i in places])
        return values[self._last]

    def _place(self, node: sympy.Expr) -> int:
        """Return where the values of a node will stand."""
        if node not in self._places:
            self._places[node] = self._made(node)
        return self._places[node]

    def _made(self, node: sympy.Expr) -> int:
        if isinstance(node, sympy.Rational):
            return self._kept(np.float64(as_float(Fraction(int(node.p), int(node.q)))))
        if isinstance(node, sympy.Float | sympy.NumberSymbol | sympy.ComplexRootOf):
            return self._kept(np.float64(node))
        if isinstance(node, sympy.Add):
            return self._step(lambda *parts: reduce(operator.add, parts), node.args)
        if isinstance(node, sympy.Mul):
            return self._quotient(node)
        if isinstance(node, sympy.Pow):
            return self._power(*node.args)
        if not all(isinstance(part, sympy.Expr) for part in node.args):
            raise NotImplementedError(f"{type(node).__name__}: no operation of floats")
        row = found(node)
        if row is None and type(node).__name__ in NUMPY_FUNCTIONS:
            return self._step(NUMPY_FUNCTIONS[type(node).__name__], node.args)
        if row is not None and row[0].floats:
            return self._step(_operation(row[0].floats), row[1])
        if row is not None and row[0].plain is not None:
            return self._place(row[0].plain(*row[1]))
        return self._step(_foreign(node.func, len(node.args)), node.args)

    def _quotient(self, node: sympy.Mul) -> int:
        above: list[sympy.Expr] = []
        below: list[sympy.Expr] = []
        for part in node.args:
            exponent = part.exp if isinstance(part, sympy.Pow) else None
            down = exponent is not None and exponent.is_Rational and exponent < 0
            (below if down else above).append(1 / part if down else part)
        top = self._product(above)
        return top if not below else self._add(operator.truediv, (top, self._product(below)))

    def _product(self, parts: Sequence[sympy.Expr]) -> int:
        return self._step(lambda *factors: reduce(operator.mul, factors, np.float64(1)), parts)

    def _power(self, base: sympy.Expr, exponent: sympy.Expr) -> int:
        if exponent == sympy.Rational(1, 2):
            return self._step(np.sqrt, (base,))
        if exponent.is_Integer and 0 < exponent < _LARGEST_EXPONENT:
            whole = int(exponent)
            return self._step(lambda x: x**whole, (base,))
        if exponent.is_Rational and exponent < 0:
            return self._add(operator.truediv, (self._kept(np.float64(1)), self._power(base, -exponent)))
        return self._step(np.power, (base, exponent))

    def _step(self, function: Callable[..., Any], arguments: Sequence[sympy.Expr]) -> int:
        return self._add(function, tuple(map(self._place, arguments)))

    def _add(self, function: Callable[..., Any], places: tuple[int, ...]) -> int:
        self._steps.append((len(self._values), function, places))
        return self._kept(None)

    def _kept(self, value: Any) -> int:
        self._values.append(value)
        return len(self._values) - 1


def _operation(name: str | Callable[..., Any]) -> Callable[..., Any]:
    """The function of NumPy's or of SciPy's of a name; of two arguments it takes more as well."""
    if not isinstance(name, str):
        return name
    # SciPy is slow to load, and most claims need none of its functions.
    if not hasattr(np, name):
        return getattr(import_module("scipy.special"), name)  # type: ignore[no-any-return]
    function = getattr(np, name)
    return function if function.nin == 1 else lambda *arguments: reduce(function, arguments)


@lru_cache
def _foreign(function: Any, count: int) -> Callable[..., Any]:
    """The code that SymPy writes for a function that has no row, such as one of Bessel's."""
    if not (isinstance(function, type) and issubclass(function, sympy.Function)):
        raise NotImplementedError(f"{function}: no operation of floats")
    arguments = [sympy.Dummy(f"v{i}") for i in range(count)]
    code: Any = sympy.lambdify(arguments, function(*arguments), ["scipy", "numpy"])
    called = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    missing = sorted(name for name in called if name not in code.__globals__ and not hasattr(builtins, name))
    if missing:
        raise NotImplementedError(f"{', '.join(missing)}: no operation of floats")
    return code  # type: ignore[no-any-return]


def _nowhere(*columns: np.ndarray) -> np.ndarray:
    """NaN at every point: the values of an expression that floats do not know."""
    return np.full(columns[0].shape if columns else (), np.nan)


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
