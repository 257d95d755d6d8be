"""Integrals up to a variable: an inequality from its value at the lower end and the sign of its derivative."""

from __future__ import annotations

import sympy

from rgm_verify.balls.binding import BINDING
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import rational

__all__ = ["by_derivative"]

#: Functions that are continuous wherever they are real.
_CONTINUOUS = (
    sympy.Add, sympy.Mul, sympy.Pow, sympy.Symbol, sympy.Rational, sympy.NumberSymbol, sympy.exp, sympy.log, sympy.sin,
    sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.atan, sympy.asinh, sympy.erf, sympy.erfc, sympy.Abs,
)  # fmt: skip


def by_derivative(gap: sympy.Expr, strict: bool, domain: Domain, prover: Prover) -> str:
    """Say how a difference with integrals from the least value of a variable up to it was shown; empty if it was not.

    By the fundamental theorem of calculus: the integral of a continuous f from a to x is differentiable for x > a with
    the slope f(x), is continuous at a, and is 0 there. So a difference that is >= 0 (> 0) at a, and whose
    slope is >= 0 beyond, is >= 0 (> 0) everywhere. The integrand has to be continuous on [a, x] for every x of
    the domain.
    """
    for variable in domain.variables:
        if variable.lower is None or variable.lower_open or variable.integer:
            continue
        x, start = variable.symbol, rational(variable.lower)
        integrals = sorted(gap.atoms(sympy.Integral), key=str)
        names = {node: sympy.Dummy(f"integral {i}", real=True) for i, node in enumerate(integrals)}
        plain = gap.xreplace(names)
        if any(x in relation.gap.free_symbols for relation in domain.extra) or plain.has(*BINDING):
            continue
        if not all(_is_up_to(node, x, start) and prover.integrable(node, domain) for node in integrals):
            continue
        shares = {node: plain.diff(name) for node, name in names.items()}
        if any(share.has(x, *names.values()) for share in shares.values()):
            continue
        rest = plain.xreplace(dict.fromkeys(names.values(), sympy.S.Zero))
        # A sign or a floor may jump at the start itself.
        continuous = all(isinstance(part, _CONTINUOUS) for part in sympy.preorder_traversal(rest))
        if not continuous or not prover.defined(rest, domain) or not prover.smooth(rest, x, domain):
            continue
        slope = rest.diff(x) + sympy.Add(*(share * _at_end(node, x) for node, share in shares.items()))
        at_start = Goal(sympy.expand(rest.subs(x, start)), strict, domain.fixed(x, start))
        beyond = Goal(slope, False, domain.inside(x))
        if prover.prove(at_start) and prover.prove(beyond):
            return f"by the derivative in {x}, which is that of the rest and the integrand: {slope}"
    return ""


def _is_up_to(node: sympy.Integral, x: sympy.Symbol, start: sympy.Rational) -> bool:
    """Return whether an integral is one over a single variable from the start up to x, with x nowhere else."""
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        return False
    _, lower, upper = node.limits[0]
    return bool(lower == start and upper == x and not node.function.has(x) and not node.function.has(sympy.Integral))


def _at_end(node: sympy.Integral, x: sympy.Symbol) -> sympy.Expr:
    return node.function.xreplace({node.limits[0][0]: x})
