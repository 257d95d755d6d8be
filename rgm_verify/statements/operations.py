"""Operations and functions of a statement on expressions: as written where SymPy's result would forget a condition."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import sympy

from rgm_verify.claims.formula import Relation, beyond_reals
from rgm_verify.engine.as_written import BINARY, kept
from rgm_verify.lenses.solvers.definedness import Unknown, needs
from rgm_verify.terms import table

__all__ = ["NeverDefined", "applied", "called", "negative", "operated"]

_FUNCTIONS: Final = {row.text: partial(table.made, row) for row in table.FUNCTIONS if row.text and row.sympy}
#: Functions that SymPy would compute at a constant, digit by digit, however large the constant is.
_STEPS = ("floor", "ceil")


class NeverDefined(Exception):
    """A term of constants that is no real number; `condition` is what it would need, and fails.

    Such a term is no error of the author's: `1/0 = 1` is a statement, and it is false. See `meaning`.
    """

    def __init__(self, term: sympy.Expr, condition: Relation) -> None:
        super().__init__(str(term))
        self.term, self.condition = term, condition


def negative(value: sympy.Expr) -> sympy.Expr:
    """Return minus a value, unevaluated."""
    return BINARY["__mul__"](sympy.S.NegativeOne, value)


def operated(name: str, left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    """Return the result of an operator, unevaluated where the result forgets a condition.

    Args:
        name: Python's name of the operator, a key of `engine.as_written.BINARY`.
        left: The left side.
        right: The right side.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> operated("__truediv__", x, x), operated("__add__", x, x)
        (x/x, 2*x)
    """
    return applied(BINARY[name], lambda a, b: getattr(a, name)(b), left, right)


def applied(written: Callable[..., sympy.Expr], done: Callable[..., Any], *arguments: sympy.Expr) -> sympy.Expr:
    """Return the result of an operation, or the operation as written where the result forgets a condition.

    Args:
        written: Makes the operation without evaluation.
        done: Makes it as SymPy evaluates it.
        *arguments: What it is applied to, read already.

    Raises:
        NeverDefined: For an operation on constants that has no real value.
    """
    result = done(*arguments)
    # An infinity or an i in the middle of a real expression may cancel later on, and the fault would be gone.
    lost = not isinstance(result, sympy.Expr) or bool(beyond_reals(result))
    if not lost and not (all(a.is_number for a in arguments) and result.is_real is False):
        return kept(result, arguments, written)
    term = written(*arguments)
    condition = _failing(term)
    if condition is not None:  # such as x/0
        raise NeverDefined(term, condition)
    return term


def _failing(term: sympy.Expr) -> Relation | None:
    """Return a condition of an operation that fails whatever the variables are; None if none is known to.

    A quotient is two nodes for SymPy, a product and a power, and the condition is asked by the power.
    """
    nodes = [term, *(a for a in term.args if isinstance(a, sympy.Pow))]
    asked = (need for node in nodes for need in needs(node) if not isinstance(need, Unknown))
    return next((need for need in asked if not need.gap.free_symbols and _fails(need)), None)


def _fails(need: Relation) -> bool:
    """Return whether SymPy is certain that a condition without variables does not hold."""
    gap = need.gap
    return (gap.is_zero if need.op == "!=" else gap.is_nonpositive if need.strict else gap.is_negative) is True


def called(name: str, arguments: list[sympy.Expr]) -> sympy.Expr:
    """Return the value of a function by its name in the grammar.

    Roots are powers and logarithms to other bases quotients, as the lenses know these. `cbrt` is the power 1/3, and
    asks for a nonnegative argument like every root here.
    """
    if name in ("sqrt", "cbrt"):
        return operated("__pow__", arguments[0], sympy.Rational(1, 2 if name == "sqrt" else 3))
    if name == "Phi":
        inner = operated("__truediv__", applied(negative, lambda a: -a, arguments[0]), sympy.sqrt(2))
        return operated("__truediv__", called("erfc", [inner]), sympy.Integer(2))
    if name in ("log2", "log10"):
        base = sympy.log(sympy.Integer(int(name[3:])))
        return operated("__truediv__", called("log", arguments), base)
    # The parser lets known names pass alone, so that this finds every one.
    function = _FUNCTIONS[name]
    # The digits of a huge constant would take all memory before anybody asks for them.
    if name in _STEPS and arguments[0].is_number and not arguments[0].is_Rational:
        return function(*arguments, evaluate=False)
    return applied(lambda *a: function(*a, evaluate=False), function, *arguments)
