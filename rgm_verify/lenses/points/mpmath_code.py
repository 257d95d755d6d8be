"""Expressions in the language of mpmath: as functions for the lenses, and as text for readers to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import mpmath
import sympy
from sympy.printing.pycode import MpmathPrinter

from rgm_verify.balls.binding import BINDING
from rgm_verify.balls.special import MPMATH_FUNCTIONS

__all__ = ["mpmath_function", "mpmath_text"]

#: Longer sums and products are not added up.
_MOST_TERMS = 10_000
#: Functions that mpmath has under another name.
_NAMES = {"LambertW": "lambertw", "Ei": "ei", "Si": "si", "Ci": "ci"}
#: The numbers that an index runs through; as numbers of mpmath's, since Python divides integers as floats.
_STEPS = "arange"


class _Printer(MpmathPrinter):
    """SymPy's printer, with what it lacks: sums and products in many digits, and names of some functions."""

    def _print_Sum(self, e: sympy.Sum) -> str:
        return self._loop("fsum", e)

    def _print_Product(self, e: sympy.Product) -> str:
        return self._loop("fprod", e)

    def _loop(self, name: str, e: Any) -> str:
        """Print a sum or a product as a loop; the last of its indices is the outermost one."""
        inner = e.function if len(e.limits) == 1 else e.func(e.function, *e.limits[:-1])
        index, first, last = (self._print(part) for part in e.limits[-1])
        return f"{name}({self._print(inner)} for {index} in {_STEPS}({first}, {last} + 1))"

    def _print_Integral(self, e: sympy.Integral) -> str:
        """Print an integral with the places where its integrand has a kink, across which quadrature is inexact."""
        kinks = _kinks(e.function, e.limits[0][0]) if len(e.limits) == 1 and len(e.limits[0]) == 3 else []
        if not kinks:
            return str(super()._print_Integral(e))
        variable, low, high = (self._print(part) for part in e.limits[0])
        places = ", ".join(self._print(kink) for kink in kinks)
        inside = f"*sorted(c for c in [{places}] if {low} < c < {high})"
        return f"quad(lambda {variable}: {self._print(e.function)}, [{low}, {inside}, {high}])"

    def _print_binomial(self, e: sympy.Expr) -> str:
        # SymPy's own printer writes gamma functions, which have poles where the coefficient is 0.
        return f"binomial({', '.join(self._print(entry) for entry in e.args)})"

    def _print_erfcinv(self, e: sympy.Expr) -> str:
        return str(self._print(sympy.erfinv(1 - e.args[0])))

    def _print_harmonic(self, e: sympy.Expr) -> str:
        number, order = (*e.args, sympy.S.One)[:2]
        if order == 1:
            return f"harmonic({self._print(number)})"
        return f"(zeta({self._print(order)}) - zeta({self._print(order)}, {self._print(number + 1)}))"


def _kinks(f: sympy.Expr, t: sympy.Symbol) -> list[sympy.Expr]:
    """Return the places at which an absolute value, or two members of a maximum or minimum, change over.

    Only those of a linear difference: there is one place, whatever the other variables are.
    """
    differences = [node.args[0] for node in sympy.ordered(f.atoms(sympy.Abs))]
    for node in sympy.ordered(f.atoms(sympy.Max, sympy.Min)):
        differences += [a - b for a, b in combinations(node.args, 2)]
    slopes = {sympy.expand(gap): sympy.expand(gap).diff(t) for gap in differences}
    found = {sympy.expand(t - gap / slope) for gap, slope in slopes.items() if slope.is_Rational and slope != 0}
    return list(sympy.ordered(found))


def _printer() -> _Printer:
    """A printer that writes functions without the name of their module."""
    return _Printer({"fully_qualified_modules": False, "allow_unknown_functions": True, "user_functions": _NAMES})


def mpmath_text(expression: sympy.Expr) -> str:
    """The expression in Python, for someone who has imported all of mpmath.

    Args:
        expression: An expression. Symbols keep their names.

    Raises:
        NotImplementedError: There is no name for a part of it, such as a derivative of an unknown function.

    Examples:
        >>> k, n = sympy.symbols("k n", integer=True)
        >>> mpmath_text(sympy.Product(1 + 1 / k, (k, 1, n)))
        'fprod(1 + 1/k for k in arange(1, n + 1))'
    """
    return str(_printer().doprint(expression))


def mpmath_function(symbols: Sequence[sympy.Symbol], expression: sympy.Expr) -> Callable[..., Any]:
    """The function of mpmath's for an expression, at the precision in force when it is called.

    Args:
        symbols: The arguments. Their names must be no names of mpmath's.
        expression: An expression in these.

    Returns:
        A function. It raises ValueError where a sum or a product has more than 10,000 terms, and NameError where
        mpmath lacks a function.

    Raises:
        NotImplementedError: There is no name for a part of it, such as a derivative of an unknown function.
    """
    modules = [{**MPMATH_FUNCTIONS, _STEPS: _steps}, "mpmath"]
    # SymPy would compute a common part of a sum before the loop, where its index has no value.
    shared = not expression.has(*BINDING)
    made: Callable[..., Any] = sympy.lambdify(list(symbols), expression, modules, cse=shared, printer=_printer())
    return made


def _steps(first: Any, end: Any) -> list[Any]:
    """The numbers from the first one up to below the end, in steps of 1."""
    if not end - first <= _MOST_TERMS:
        raise ValueError(f"a sum from {first} to {end} is too long")
    return list(mpmath.arange(first, end))
