"""A comparison of two values of one strictly monotone function is one of their arguments.

f(a) <= f(b) is a <= b for an f that is strictly increasing where it is defined, and a >= b for one that is strictly
decreasing, at every point where both values are defined: each such function here is defined on one interval. The same
holds of strict comparisons, of equations and of disequations. A common positive rational factor is divided out.
"""

from __future__ import annotations

import sympy

from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.terms.table import found

__all__ = ["by_arguments"]

_MOST_TIMES = 4
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def by_arguments(relation: Relation) -> Relation:
    """The same relation between arguments, as long as both sides are values of one strictly monotone function.

    Args:
        relation: A relation whose sides are defined wherever it is looked at.

    Examples:
        >>> x, y = sympy.symbols("x y", positive=True)
        >>> str(by_arguments(Relation(sympy.log(x), "<=", sympy.log(y))))
        'x <= y'
    """
    for _ in range(_MOST_TIMES):
        found = _once(relation)
        if found is None:
            return relation
        relation = found
    return relation


def _once(relation: Relation) -> Relation | None:
    """The relation between arguments of the outermost functions; None where these are not the same monotone one."""
    terms = sympy.Add.make_args(relation.lhs - relation.rhs)
    if len(terms) != 2:
        return None
    pairs = [t.as_coeff_Mul(rational=True) for t in terms]
    (c, left), (d, right) = pairs
    # The term with the positive factor is the one that stands on the left.
    if c < 0:
        (c, left), (d, right) = (d, right), (c, left)
    if not (c > 0 and c == -d):
        return None
    direction, a, b = _arguments(left, right)
    if not direction:
        return None
    op = relation.op if direction > 0 else _TURNED[relation.op]
    try:
        return Relation(a, op, b)
    except FormulaError:
        return None


def _arguments(left: sympy.Expr, right: sympy.Expr) -> tuple[int, sympy.Expr, sympy.Expr]:
    """1 or -1 for a rising or falling function with the two arguments; 0 for no common monotone function."""
    if isinstance(left, sympy.Pow) and isinstance(right, sympy.Pow) and left.base is not sympy.E:
        # A root of something >= 0, or any power of something positive.
        if left.exp != right.exp or not left.exp.is_Rational or left.exp == 0:
            return 0, left, right
        plain = left.exp == sympy.Rational(1, 2) or (left.base.is_positive and right.base.is_positive)
        return ((1 if left.exp > 0 else -1) if plain else 0), left.base, right.base
    row = found(left)
    if row is None or type(left) is not type(right) or len(left.args) != 1 or len(right.args) != 1:
        return 0, left, right
    return row[0].rises, left.args[0], right.args[0]
