"""Exact witnesses: a point where a formula certainly fails (or holds), as a report shows it.

A search is cheap and wrong at times, a certificate is exact: `certified` alone makes a `Witness`. A
counterexample is also a point where a term of the conclusion has no real value although every
hypothesis holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import Formula, Relation, holds, negation, relations
from rgm_verify.claims.written.rendering import expression_latex, latex
from rgm_verify.jobs.pasted import python_name
from rgm_verify.lenses.points.axes import Coordinate
from rgm_verify.lenses.points.interval import CannotEnclose, sign_by_intervals
from rgm_verify.lenses.points.mpmath_code import mpmath_text
from rgm_verify.lenses.points.sampling import admissible
from rgm_verify.lenses.points.values import (
    ROOT,
    UNDEFINED,
    Gap,
    Point,
    Value,
    as_sympy,
    enclosed,
    exact,
    first_gap,
    sign,
    split,
    truth_by_arb,
)

# Witnesses are certified with fewer bits than points are looked at with: a margin that needs more is no
# good witness.
_BITS = 1024


@dataclass(frozen=True)
class Witness:
    """An exact admissible point, the relation that decides there, and the certified enclosure of its margin.

    `families` names the interval arithmetics that certified it, each on its own. `undefined` is the term of the claim
    that is no real number at the point, where that is what is wrong; `relation` is then the condition's opposite.

    Attributes:
        point: An exact value for each variable of the claim.
        relation: A relation that certainly holds at the point and shows what is wrong (or right) there.
        margin: Decimal ends of an enclosure of the relation's gap, rounded outward.
        families: "arb", and "mpmath" where its intervals agree.
    """

    point: Mapping[sympy.Symbol, Value]
    relation: Relation
    margin: tuple[str, str]
    families: tuple[str, ...]
    undefined: sympy.Expr | None = None

    def to_json(self) -> dict[str, Any]:
        """The witness as JSON data, with both sides in Python so that a reader can recompute it.

        Returns:
            `values` by name, `margin`, `relation` in LaTeX and `python` (left side, sign, right side, and the term
            that has no value where there is one).
        """
        without = [] if self.undefined is None else [str(self.undefined)]
        shown = latex(self.relation)
        # The relation alone would not say why it refutes.
        if self.undefined is not None:
            shown += rf",\ \text{{so that }} {expression_latex(self.undefined)} \text{{ is no real number}}"
        return {
            "values": {s.name: value_text(v) for s, v in self.point.items()},
            "margin": list(self.margin),
            "relation": shown,
            "python": [*python_sides(self.relation, self.point), *without],
        }

    def details(self) -> dict[str, Any]:
        """Return what evidence says of the witness, as JSON data."""
        missing = {} if self.undefined is None else {"undefined": str(self.undefined)}
        return {"witness": self.to_json(), **missing}

    def describe(self) -> str:
        """The point in one line."""
        place = ", ".join(f"{s.name} = {value_text(v)}" for s, v in self.point.items()) or "no free variable"
        return place if self.undefined is None else f"{place}, where {self.undefined} is not defined"


def value_text(value: Value) -> str:
    """An exact value as a reader would write it.

    Args:
        value: A fraction or a constant of SymPy's.

    Examples:
        >>> value_text(Fraction(3, 4))
        '3/4'
    """
    # Such a root has no name but its polynomial, and digits tell which of the roots it is.
    if isinstance(value, ROOT):
        return f"the root of {value.expr} near {sympy.N(value, 8)}"
    return str(value)


def python_sides(relation: Relation, point: Mapping[sympy.Symbol, Value]) -> list[str]:
    """Left side, sign and right side of `relation` in Python: exact where both are equal rational numbers, else mpmath.

    A value without a short exact text appears in the sides with 60 digits.

    Args:
        relation: A relation in the symbols of the point.
        point: An exact value for each of them.

    Returns:
        Python texts in which every variable stands under its name; whoever pastes them assigns the
        values first.
    """
    names = {s: sympy.Symbol(python_name(s.name)) for s in point}
    # mpmath would print two numbers that differ in the last digit for what is equal.
    sides = [evaluated(side) for side in (relation.lhs, relation.rhs)]
    if _are_equal_rationals(sides, point):
        left, right = (_exact_side(side.xreplace(names)) for side in sides)
        return [left, relation.op, right]
    written = {s: _digits(v) if _is_long(v) else names[s] for s, v in point.items()}
    left, right = (mpmath_text(_closed_form(side).xreplace(written)) for side in (relation.lhs, relation.rhs))
    return [left, relation.op, right]


#: What Python computes with fractions.
_ARITHMETIC = (sympy.Add, sympy.Mul, sympy.Pow, sympy.Symbol, sympy.Number, sympy.NumberSymbol)


def _are_equal_rationals(sides: list[sympy.Expr], point: Mapping[sympy.Symbol, Value]) -> bool:
    """Return whether both sides are equal rational numbers, which digits would not show."""
    # An irrational coordinate cannot be written exactly in Python.
    if not all(isinstance(v, Fraction) for v in point.values()):
        return False
    if not all(side.is_rational_function(*side.free_symbols) for side in sides):
        return False
    if not all(isinstance(node, _ARITHMETIC) for side in sides for node in sympy.preorder_traversal(side)):
        return False
    values = {s: as_sympy(v) for s, v in point.items()}
    left, right = (side.xreplace(values) for side in sides)
    return bool(left == right)


def _exact_side(value: sympy.Expr) -> str:
    """Return a rational side in Python with `Fraction` for numbers, so that nothing is rounded when it
    is run.

    Both sides are the same term in a constant such as pi, so 60 digits of it show that they are equal.
    """
    numbers = {n: sympy.Symbol(f"Fraction({int(n.p)}, {int(n.q)})") for n in value.atoms(sympy.Rational) if n.q != 1}
    constants = {c: sympy.Symbol(f"Fraction('{c.evalf(60)}')") for c in value.atoms(sympy.NumberSymbol)}
    return f"Fraction({sympy.pycode(value.xreplace({**numbers, **constants}))})"


def _is_long(value: Value) -> bool:
    """Return whether a value is made of roots of polynomials, for which mpmath has no name."""
    return not isinstance(value, Fraction) and value.has(ROOT)


def _digits(value: Value) -> sympy.Expr:
    """Return a value with its roots of polynomials as 60 digits."""
    expression = as_sympy(value)
    roots = expression.atoms(ROOT)
    return expression.xreplace({root: root.evalf(60) for root in roots})


def _closed_form(value: sympy.Expr) -> sympy.Expr:
    """Return an expression without derivatives and with the library's own functions by logarithms, for
    mpmath to evaluate.

    SymPy's own functions keep their names: an arc tangent by logarithms would be a complex number.
    """
    return evaluated(value).replace(_is_ours, lambda inner: inner.rewrite(sympy.log))


def _is_ours(value: sympy.Basic) -> bool:
    """Return whether a term is a function of this library, for which mpmath has no name.

    A function that an author names without a definition, `Function("f")(x)`, comes from no module at all.
    """
    module = str(type(value).__module__)
    return isinstance(value, sympy.Function) and module.partition(".")[0] == __name__.partition(".")[0]


def confirmed(claim: Claim, values: Mapping[sympy.Symbol, sympy.Expr], *, wanted: bool) -> Witness | None:
    """The point as a witness if exact arithmetic is certain of it; a variable without a value gets a simple one.

    Args:
        values: Exact constants for some of its variables, as from a solver.
        wanted: The truth value that is looked for.
    """
    if claim.conclusion is None:
        return None
    point: Point = {}
    for variable in claim.variables:
        value = values.get(variable.symbol)
        point[variable.symbol] = _default(variable) if value is None else exact(value)
    return certified(claim, claim.conclusion, point, wanted=wanted)


def _default(variable: Any) -> Fraction:
    """Return a simple value of a variable's domain."""
    from rgm_verify.lenses.points.axes import simple_values

    v = variable
    return simple_values(Coordinate(v.symbol, v.lower, v.upper, v.lower_open, v.upper_open, v.integer))[0]


def certified(
    claim: Claim, conclusion: Formula, point: Mapping[sympy.Symbol, Value], *, wanted: bool
) -> Witness | None:
    """The point as a witness if Arb is certain of it; mpmath.iv is asked too and named when it agrees.

    With `wanted` the formula has to hold there, else to fail or to be undefined; domain and hypotheses have to hold in
    either case. The margin is an enclosure of 12 digits. None where any of this is not certain: a witness is never a
    guess.

    Args:
        claim: The claim, for its domain and hypotheses.
        point: An exact value for each variable.
        wanted: The truth value that is looked for.

    Returns:
        The witness, or None.
    """
    found = truth_by_arb(conclusion, point, maximum_bits=_BITS)
    # A claim is refuted by a term without a value too; nothing is shown to hold by one.
    if found is not True if wanted else found not in (False, UNDEFINED):
        return None
    # After the conclusion: most candidates fail there, and there may be many hypotheses.
    if not admissible(claim, point, maximum_bits=_BITS):
        return None
    if found == UNDEFINED:
        return _undefined(conclusion, point)
    target = conclusion if wanted else negation(conclusion)
    # A reader gets one relation to recompute, and not a formula.
    relation = deciding_relation(target, lambda e: sign(e, point, maximum_bits=_BITS))
    margin = enclosed(relation.gap, point)
    return Witness(point, relation, margin.decimals(), _agreeing(target, point))


def _undefined(conclusion: Formula, point: Mapping[sympy.Symbol, Value]) -> Witness | None:
    """Return the witness of a term without a real value: the opposite of the condition that it needs,
    with its margin.
    """
    gap: Gap | None = first_gap(conclusion, point)
    if gap is None:
        return None
    opposite = negation(gap.condition)
    if not isinstance(opposite, Relation):
        return None
    margin = enclosed(opposite.gap, point)
    return Witness(point, opposite, margin.decimals(), ("arb",), gap.term)


def _agreeing(target: Formula, point: Mapping[sympy.Symbol, Value]) -> tuple[str, ...]:
    """Return the arithmetics that certify a formula at a point: Arb, and mpmath's intervals where they
    are certain as well.
    """

    def by_intervals(expression: sympy.Expr) -> str:
        return sign_by_intervals(*split(expression, point))

    try:
        agrees = holds(target, by_intervals)
    # mpmath has fewer functions: its silence takes nothing from what Arb has certified.
    except CannotEnclose:
        return ("arb",)
    return ("arb", "mpmath") if agrees is True else ("arb",)


def deciding_relation(formula: Formula, sign: Callable[[sympy.Expr], str]) -> Relation:
    """The last relation of the formula that certainly holds at the point, one with different sides if there is one.

    Args:
        formula: A formula that holds at the point.
        sign: The certain sign of an expression there.

    Returns:
        The relation that a report shows; where nothing is certain to hold, the last one.
    """
    holding = [r for r in relations(formula) if holds(r, sign) is True]
    apart = [r for r in holding if sign(r.gap) in ("positive", "negative")]
    return (apart or holding or list(relations(formula)))[-1]
