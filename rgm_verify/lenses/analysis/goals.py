"""A goal of the search, an expression that is to be >= 0, on a domain: variables with their ranges, and assumptions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import sympy

from rgm_verify.claims.claim import Variable
from rgm_verify.claims.formula import Formula, Relation
from rgm_verify.lenses.analysis.rules.monotone import by_arguments
from rgm_verify.lenses.analysis.univariate import Open
from rgm_verify.lenses.solvers.definedness import evident

__all__ = ["Domain", "Goal", "is_true", "narrowed", "symbols_in"]


@dataclass(frozen=True)
class Domain:
    """Variables with their ranges, and what else is assumed, as relations whose sides are defined in the ranges.

    Attributes:
        variables: Real variables with rational ends, open or closed.
        extra: Assumptions in these variables.
    """

    variables: tuple[Variable, ...]
    extra: tuple[Relation, ...] = ()

    @property
    def formulas(self) -> list[Formula]:
        """All of it as formulas."""
        return [*(r for v in self.variables for r in v.domain()), *self.extra]

    def range_of(self, symbol: sympy.Symbol) -> Open:
        """The interval of a variable, without its ends."""
        found = next(v for v in self.variables if v.symbol == symbol)
        # Without the ends, since calculus is done inside and ends are looked at by themselves.
        return Open(found.lower, found.upper)

    def closed_ends(self, symbol: sympy.Symbol) -> list[Fraction]:
        """The ends of a variable's range that belong to it."""
        v = next(v for v in self.variables if v.symbol == symbol)
        ends = [(v.lower, v.lower_open), (v.upper, v.upper_open)]
        return [end for end, is_open in ends if end is not None and not is_open]

    def inside(self, symbol: sympy.Symbol) -> Domain:
        """The domain without the ends of a variable's range."""
        opened = tuple(
            replace(v, lower_open=v.lower is not None, upper_open=v.upper is not None) if v.symbol == symbol else v
            for v in self.variables
        )
        return replace(self, variables=opened)

    def given(self, relation: Relation) -> Domain:
        """The domain with one more assumption, which narrows a range where it can.

        Args:
            relation: What is assumed beside; both sides are defined on the domain.
        """
        return replace(self, extra=(*self.extra, by_arguments(relation)))

    def fixed(self, symbol: sympy.Symbol, value: sympy.Expr) -> Domain:
        """The domain at one value of a variable, as conditions on the others.

        Args:
            symbol: The variable that gets a value.
        """
        kept = tuple(v for v in self.variables if v.symbol != symbol)
        extra = tuple(
            Relation(r.lhs.subs(symbol, value), r.op, r.rhs.subs(symbol, value)) if symbol in symbols_in(r) else r
            for r in self.extra
        )
        # A condition that became a true relation of numbers would only make the solver's questions longer.
        return Domain(kept, tuple(r for r in extra if not is_true(r)))


def symbols_in(relation: Relation) -> set[sympy.Basic]:
    """Return the free symbols of both sides."""
    return set(relation.lhs.free_symbols | relation.rhs.free_symbols)


def is_true(relation: Relation) -> bool:
    """Return whether a relation between two numbers holds by its form."""
    return not symbols_in(relation) and relation.gap.is_Rational and evident(relation)


@dataclass(frozen=True)
class Goal:
    """`expression >= 0` (`> 0` if strict) on a domain on which it is defined.

    Attributes:
        expression: A real number everywhere on the domain.
        strict: Whether > 0 is asked for.
        domain: The variables and what is assumed of them.
    """

    expression: sympy.Expr
    strict: bool
    domain: Domain

    def __str__(self) -> str:
        return f"{self.expression} {'>' if self.strict else '>='} 0"


def narrowed(domain: Domain) -> Domain:
    """The domain with assumptions that bound one variable by a number as ends of its range.

    The rules for one variable look at its range alone; an assumption would be lost to them.
    """
    kept: list[Relation] = []
    variables = {v.symbol: v for v in domain.variables}
    for relation in domain.extra:
        symbols = relation.gap.free_symbols
        if len(symbols) != 1 or relation.op in ("==", "!="):
            kept.append(relation)
            continue
        symbol = next(iter(symbols))
        slope = relation.gap.diff(symbol)
        if not slope.is_Rational or slope == 0:
            kept.append(relation)
            continue
        found = sympy.sympify(-relation.gap.xreplace({symbol: sympy.S.Zero}) / slope)
        if not found.is_Rational:
            kept.append(relation)
            continue
        end, v = Fraction(int(found.p), int(found.q)), variables[symbol]
        if slope > 0 and (v.lower is None or end > v.lower or (end == v.lower and relation.strict)):
            v = replace(v, lower=end, lower_open=relation.strict)
        if slope < 0 and (v.upper is None or end < v.upper or (end == v.upper and relation.strict)):
            v = replace(v, upper=end, upper_open=relation.strict)
        variables[symbol] = v
    return Domain(tuple(variables.values()), tuple(kept))
