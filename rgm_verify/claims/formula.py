"""Formulas: relations between exact expressions, and the few connectives that claims need.

SymPy's own relationals evaluate and rearrange themselves on construction, so that a page would show something
else than what is printed in a source. A `Relation` keeps both sides as they were written.

Formulas are immutable, and their parts are SymPy's expressions with exact numbers. Lenses take them
apart by `match`, evaluate them by `truth` with three values, and rewrite them by `rewrite`. The text
that evidence is keyed by is `canonical`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn, TypeAlias

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef

from rgm_verify.claims.expressions import (
    ExpressionLike,
    FormulaError,
    beyond_reals,
    expression,
    is_constant,
    no_formula,
)
from rgm_verify.claims.notation import spelled

__all__ = [
    "DEFINITION",
    "OPERATORS",
    "All",
    "Either",
    "ExpressionLike",
    "Formula",
    "FormulaError",
    "Iff",
    "Implies",
    "Relation",
    "beyond_reals",
    "both",
    "canonical",
    "chain",
    "either",
    "eq",
    "expression",
    "ge",
    "gt",
    "holds",
    "is_constant",
    "is_formula",
    "le",
    "lt",
    "ne",
    "negation",
    "printed",
    "refuse_other",
    "relations",
    "rewrite",
    "structure",
    "substitute",
    "symbols_of",
    "truth",
]

OPERATORS = ("<=", "<", ">=", ">", "==", "!=")
_NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


#: What a chain or a relation may write for an equation that gives a name to something.
DEFINITION = ":="

# SymPy asks whatever it calls a number for a sign, and drops `Max(i, 1)`, `Abs(i)` or `floor(i)` by the answer, before
# any lens has seen the integral `i`. Its quadrature has no error bound: a narrow peak is 0 for it. So no integral and
# no sum is a number for SymPy from here on, and its signs are left to the lenses, which enclose it. In the whole
# process, since an author's expressions are evaluated before anybody is handed them.
ExprWithLimits.is_number = False


class _NoTruthValue:
    """A formula without a truth value: Python's `and`, `or`, `not` and `if` would drop a part of it without a word."""

    def __bool__(self) -> NoReturn:
        raise FormulaError(
            f"{self}: a formula is not true or false for Python, and `and`, `or` and `not` would drop a part of it; "
            "write both(...), either(...) or negation(...)"
        )

    def __str__(self) -> str:
        match self:
            case Relation(lhs, op, rhs):
                return f"{lhs} {op} {rhs}"
            case All(parts):
                return "(" + " and ".join(map(str, parts)) + ")"
            case Either(parts):
                return "(" + " or ".join(map(str, parts)) + ")"
            case Implies(left, right):
                return f"({left} implies {right})"
            case Iff(left, right):
                return f"({left} if and only if {right})"
            case _:
                return repr(self)


@dataclass(frozen=True)
class Relation(_NoTruthValue):
    """`lhs op rhs` between two exact expressions; `op` is one of <=, <, >=, >, ==, != (or := for a definition).

    `definition` marks an equation that only gives a name to its right side: nothing is asserted by it, so both sides
    may be one expression. `written` keeps both sides as the author gave them, names included. Raises `FormulaError` for
    another operator, a float, a side that is not real, or an expression that nothing is known of.

    Attributes:
        lhs: The left side, with names spelled out.
        op: The operator.
        rhs: The right side, with names spelled out.
        definition: Whether it only gives a name.
        written: Both sides as the author gave them.
    """

    lhs: sympy.Expr
    op: str
    rhs: sympy.Expr
    definition: bool = False
    written: tuple[sympy.Expr, sympy.Expr] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Operators are few for everybody who takes formulas apart: a definition is an equation with a mark.
        if self.op == DEFINITION:
            object.__setattr__(self, "op", "==")
            object.__setattr__(self, "definition", True)
        if self.definition and self.op != "==":
            raise FormulaError(f"op={self.op!r}: only an equation can be a definition")
        if self.op not in OPERATORS:
            raise FormulaError(f"op={self.op!r}: allowed are {', '.join(OPERATORS)}")
        written = expression(self.lhs, name="lhs"), expression(self.rhs, name="rhs")
        object.__setattr__(self, "lhs", spelled(written[0]))
        object.__setattr__(self, "rhs", spelled(written[1]))
        object.__setattr__(self, "written", written)

    @property
    def gap(self) -> sympy.Expr:
        """The expression that is >= 0 (or > 0, = 0, != 0) exactly when the relation holds.

        Sides that SymPy would cancel completely keep their difference as it is written, for others to evaluate.
        """
        left, right = (self.lhs, self.rhs) if self.op in (">=", ">") else (self.rhs, self.lhs)
        # For `<=` it is the right side less the left one: a lens then knows one direction.
        gap = left - right
        if gap == 0 and left != right:
            return sympy.Add(left, sympy.Mul(-1, right, evaluate=False), evaluate=False)
        return gap

    @property
    def strict(self) -> bool:
        """Return whether equality of the two sides would break the relation.

        Examples:
            >>> x = sympy.Symbol("x", real=True)
            >>> lt(x, 1).strict, le(x, 1).strict, ne(x, 1).strict, eq(x, 1).strict
            (True, False, True, False)
        """
        return self.op in ("<", ">", "!=")


@dataclass(frozen=True)
class All(_NoTruthValue):
    """Every part holds. Raises `FormulaError` without a part, or for a part that is no formula."""

    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        _check_parts(self, self.parts)


@dataclass(frozen=True)
class Either(_NoTruthValue):
    """At least one part holds. Raises `FormulaError` without a part, or for a part that is no formula."""

    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        _check_parts(self, self.parts)


@dataclass(frozen=True)
class Implies(_NoTruthValue):
    """`left` is false or `right` holds."""

    left: Formula
    right: Formula

    def __post_init__(self) -> None:
        _check_parts(self, (self.left, self.right))


@dataclass(frozen=True)
class Iff(_NoTruthValue):
    """Both sides hold or neither does."""

    left: Formula
    right: Formula

    def __post_init__(self) -> None:
        _check_parts(self, (self.left, self.right))


Formula: TypeAlias = Relation | All | Either | Implies | Iff


def is_formula(value: object) -> bool:
    """Return whether `value` is a formula of ours, and not a truth value or a relation of SymPy's.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> is_formula(le(x, 1)), is_formula(x <= 1), is_formula(True)
        (True, False, False)
    """
    return isinstance(value, Relation | All | Either | Implies | Iff)


def refuse_other(value: object, name: str) -> None:
    """Raise `FormulaError` naming `name` and the remedy unless `value` is a formula."""
    if not is_formula(value):
        raise FormulaError(f"{name}={value!r}: {no_formula(value)}")


def _check_parts(formula: Any, parts: Iterable[object]) -> None:
    """Raise `FormulaError` for no part, and for a part that is no formula."""
    name = type(formula).__name__
    # An empty conjunction is true and an empty alternative false: neither was meant by anybody.
    if not isinstance(parts, tuple) or not parts:
        raise FormulaError(f"{name}({parts!r}): expected at least one formula, in a tuple")
    for index, part in enumerate(parts):
        refuse_other(part, f"part {index + 1} of {name}")


def le(lhs: ExpressionLike, rhs: ExpressionLike) -> Relation:
    """`lhs <= rhs`.

    Both sides stay as they are written: `le(x, 1)` is not turned into `1 >= x`. Like its five relatives it raises
    `FormulaError` for a float, a text, and a side that is not real.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> from fractions import Fraction
        >>> print(le(2 * x, Fraction(1, 2)))
        2*x <= 1/2
        >>> le(x, 0.5)
        Traceback (most recent call last):
        rgm_verify.claims.expressions.FormulaError: rhs=0.5: 0.500000000000000 is a float; ...
    """
    return Relation(expression(lhs, name="lhs"), "<=", expression(rhs, name="rhs"))


def lt(lhs: ExpressionLike, rhs: ExpressionLike) -> Relation:
    """`lhs < rhs`."""
    return Relation(expression(lhs, name="lhs"), "<", expression(rhs, name="rhs"))


def ge(lhs: ExpressionLike, rhs: ExpressionLike) -> Relation:
    """`lhs >= rhs`."""
    return Relation(expression(lhs, name="lhs"), ">=", expression(rhs, name="rhs"))


def gt(lhs: ExpressionLike, rhs: ExpressionLike) -> Relation:
    """`lhs > rhs`."""
    return Relation(expression(lhs, name="lhs"), ">", expression(rhs, name="rhs"))


def eq(lhs: ExpressionLike, rhs: ExpressionLike, *, definition: bool = False) -> Relation:
    """`lhs = rhs`; with `definition` the equation only names its right side and asserts nothing.

    A claim whose two sides are one expression is refused unless that is said: SymPy has then done the work while it was
    written.
    """
    return Relation(expression(lhs, name="lhs"), "==", expression(rhs, name="rhs"), definition)


def ne(lhs: ExpressionLike, rhs: ExpressionLike) -> Relation:
    """`lhs != rhs`."""
    return Relation(expression(lhs, name="lhs"), "!=", expression(rhs, name="rhs"))


def chain(*items: ExpressionLike | str) -> Formula:
    """Return a chain such as `chain(a, "<=", b, "==", c)`: every neighbouring relation holds.

    `:=` between two sides is an equation that only gives a name to something. Raises `FormulaError` unless sides and
    operators come in turn.

    Args:
        *items: A side, an operator, a side, and so on.

    Examples:
        >>> x = sympy.Symbol("x")
        >>> str(chain(0, "<=", x, "<", 1))
        '(0 <= x and x < 1)'
    """
    # An operator at the end would otherwise be dropped without a word.
    if len(items) < 3 or len(items) % 2 == 0:
        raise FormulaError(f"chain of {len(items)} items: write sides and operators in turn, as in chain(a, '<=', b)")
    relations = tuple(
        Relation(expression(items[i], name="side"), str(items[i + 1]), expression(items[i + 2], name="side"))
        for i in range(0, len(items) - 2, 2)
    )
    return relations[0] if len(relations) == 1 else All(relations)


def printed(build: Callable[[], sympy.Expr]) -> sympy.Expr:
    """Return the expression that `build` makes, with every operation left as written.

    For a side that SymPy would turn into the other one: `eq(printed(lambda: x / (x / 2)), 2)`. Names that stand for
    expressions made elsewhere are parts that stay what they are.

    Args:
        build: Makes the expression. It is a function because Python would evaluate an argument before this is called.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> x / (x / 2), printed(lambda: x / (x / 2)) == 2
        (2, False)
    """
    with sympy.evaluate(False):
        return _leveled(build())


def _leveled(value: sympy.Expr) -> sympy.Expr:
    """The expression with `(a + b) + c` as one sum and `(a * b) * c` as one product: so Python reads `a + b + c`."""
    if not value.args or not value.has(sympy.Add, sympy.Mul):
        return value
    arguments = [_leveled(a) if isinstance(a, sympy.Expr) else a for a in value.args]
    # Only the first: a + (b + c) has brackets because its author wrote them.
    if isinstance(value, sympy.Add | sympy.Mul) and type(arguments[0]) is type(value):
        arguments[:1] = arguments[0].args
    return value if tuple(arguments) == value.args else value.func(*arguments)


def both(*parts: Formula) -> All:
    """Return the formula that every part holds."""
    return All(tuple(parts))


def either(*parts: Formula) -> Either:
    """Return the formula that at least one part holds."""
    return Either(tuple(parts))


def negation(formula: Formula) -> Formula:
    """Return the formula that holds exactly where `formula` does not (where every side is defined).

    It stays within the connectives: a negated implication becomes a conjunction.

    Examples:
        >>> x = sympy.Symbol("x")
        >>> str(negation(Implies(ge(x, 0), gt(x, 1))))
        '(x >= 0 and x <= 1)'
    """
    match formula:
        # An opposite sign, and no `not`: where a side is not defined neither of the two holds.
        case Relation(lhs, op, rhs):
            return Relation(lhs, _NEGATED[op], rhs)
        case All(parts):
            return Either(tuple(negation(p) for p in parts))
        case Either(parts):
            return All(tuple(negation(p) for p in parts))
        case Implies(left, right):
            return All((left, negation(right)))
        case Iff(left, right):
            return Either((All((left, negation(right))), All((negation(left), right))))


def relations(formula: Formula) -> Iterator[Relation]:
    """The relations of a formula, from left to right.

    Signs and connectives are lost: the relation of a premise comes out like one that is asserted.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> print(*relations(Implies(ge(x, 0), both(gt(x, -1), le(x, 1)))), sep=", ")
        x >= 0, x > -1, x <= 1
    """
    match formula:
        case Relation():
            yield formula
        case All(parts) | Either(parts):
            for part in parts:
                yield from relations(part)
        case Implies(left, right) | Iff(left, right):
            yield from relations(left)
            yield from relations(right)


def rewrite(formula: Formula, change: Callable[[sympy.Expr], sympy.Expr]) -> Formula:
    """Return the formula with `change` applied to every side; connectives, operators and definitions stay.

    `change` sees whole sides, from left to right. The names that a page shows are lost: what is returned is for
    judging.

    Args:
        change: A function of a side.
    """
    match formula:
        case Relation(lhs, op, rhs):
            # Left before right: a change may count its calls.
            return Relation(change(lhs), op, change(rhs), formula.definition)
        case All(parts):
            return All(tuple(rewrite(p, change) for p in parts))
        case Either(parts):
            return Either(tuple(rewrite(p, change) for p in parts))
        case Implies(left, right):
            return Implies(rewrite(left, change), rewrite(right, change))
        case Iff(left, right):
            return Iff(rewrite(left, change), rewrite(right, change))


def substitute(formula: Formula, values: Mapping[sympy.Symbol, sympy.Expr]) -> Formula:
    """Return the formula with symbols replaced, all at once: a value that contains another symbol is not replaced
    again.

    Args:
        values: Expressions by symbol.

    Raises:
        FormulaError: A value holds the variable of a sum, a product, an integral or a derivative of the formula. It
            would vary there with that variable, and the formula would say something else.

    Examples:
        >>> x, y = sympy.symbols("x y", real=True)
        >>> print(substitute(le(x, y), {x: y, y: x}))
        y <= x
    """
    return rewrite(formula, lambda side: _substituted(side, values)) if values else formula


def _substituted(side: sympy.Expr, values: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """Return a side with symbols replaced; raises `FormulaError` where a value would come to depend on an index."""
    for node in sympy.ordered(side.atoms(ExprWithLimits, sympy.Derivative)):
        free = node.free_symbols.difference(node.variables)
        for symbol in sympy.ordered(s for s in values if s in free):
            # SymPy renames no index, and lets it catch the symbol.
            inside = sympy.sympify(values[symbol]).free_symbols
            caught = sorted(s.name for s in node.variables if s in inside)
            if caught:
                raise FormulaError(
                    f"{symbol} = {values[symbol]}: {caught[0]} is the variable of a sum, a product, an integral or a "
                    f"derivative in {node}; use another letter for one of them"
                )
    return side.subs(dict(values), simultaneous=True)


def symbols_of(formula: Formula) -> frozenset[sympy.Symbol]:
    """Every free symbol of the formula (integration variables are not free).

    Returns:
        SymPy's symbols, with their assumptions: two symbols of one name may both occur.
    """
    found: set[sympy.Symbol] = set()
    for relation in relations(formula):
        found |= relation.lhs.free_symbols | relation.rhs.free_symbols
    # Other things count as free for SymPy, such as an indexed element.
    return frozenset(s for s in found if isinstance(s, sympy.Symbol))


def holds(formula: Formula, sign: Callable[[sympy.Expr], str]) -> bool | None:
    """Three-valued truth at one point, given the certain sign of an expression there.

    `sign` answers `positive`, `negative`, `zero`, `nonnegative`, `nonpositive` or `unknown`; the result is None where
    those answers do not settle the formula.

    Args:
        sign: The certain sign of an expression at the point. It is asked for the gap of each relation.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> signs = ("positive", "zero", "nonnegative", "unknown")
        >>> [holds(ge(x, 0), lambda gap: sign) for sign in signs]
        [True, True, True, None]
        >>> [holds(gt(x, 0), lambda gap: sign) for sign in signs]
        [True, False, None, None]
    """
    return truth(formula, lambda relation: _relation_holds(relation, sign(relation.gap)))


def truth(formula: Formula, decide: Callable[[Relation], bool | None]) -> bool | None:
    """Three-valued truth of a formula, given that of its relations (None: not settled).

    One part that certainly fails settles a conjunction, and one that certainly holds an alternative, whatever the
    others are; an equivalence needs both sides. The answer is never more certain than what it was made of.

    Args:
        decide: The truth of a relation.
    """
    match formula:
        case Relation():
            return decide(formula)
        case All(parts):
            return _conjunction([truth(p, decide) for p in parts])
        case Either(parts):
            # Through its negation, so that there is one rule for open parts and not two.
            return _not(_conjunction([_not(truth(p, decide)) for p in parts]))
        case Implies(left, right):
            return _not(_conjunction([truth(left, decide), _not(truth(right, decide))]))
        case Iff(left, right):
            # No shortcut here: one side alone says nothing of an equivalence.
            first, second = truth(left, decide), truth(right, decide)
            return None if first is None or second is None else first == second


def _relation_holds(relation: Relation, sign: str) -> bool | None:
    """Return whether a relation holds, given the sign of its gap; None where the sign does not tell.

    Args:
        sign: The sign of its gap: `positive`, `nonnegative`, `zero`, `nonpositive` or `negative`.
    """
    if relation.op in ("==", "!="):
        # Only a certain sign: of a gap that is >= 0 nobody knows whether it is 0.
        equal = {"zero": True, "positive": False, "negative": False}.get(sign)
        return equal if relation.op == "==" else _not(equal)
    if relation.strict:
        return {"positive": True, "negative": False, "zero": False, "nonpositive": False}.get(sign)
    return {"positive": True, "zero": True, "nonnegative": True, "negative": False}.get(sign)


def _conjunction(values: list[bool | None]) -> bool | None:
    """Return the truth of a conjunction of truth values."""
    # Before the open ones are looked at: they could not save it.
    if any(v is False for v in values):
        return False
    return None if any(v is None for v in values) else True


def _not(value: bool | None) -> bool | None:
    """Return the opposite of a truth value; what is open stays so."""
    return None if value is None else not value


@cache
def structure(value: sympy.Basic) -> str:
    """A text that is equal for equal expressions, from run to run, and different for different ones.

    The same as `sympy.srepr`, but for the order of sums and products, by their texts, which costs no comparison of
    expressions, and for symbols, by everything that is assumed of them. Parts that occur again are looked up.

    Args:
        value: An expression.
    """
    if isinstance(value, sympy.Symbol) and not isinstance(value, sympy.Dummy):
        # `srepr` shows what an author wrote. SymPy takes Symbol("x", positive=True) and Symbol("x", real=True,
        # positive=True) for the same symbol, and its caches hand out whichever of the two was there first.
        facts = ", ".join(f"{fact}={known}" for fact, known in sorted(value.assumptions0.items()))
        return f"{type(value).__name__}({value.name!r}, {facts})"
    # A number, a constant, or a dummy, whose number is a part of its text.
    if not value.args:
        return str(sympy.srepr(value))
    parts = [structure(part) for part in value.args]
    if isinstance(value, sympy.Add | sympy.Mul) and value.is_commutative:
        # SymPy orders sums by its caches, which differ from run to run.
        parts.sort()
    name = sympy.srepr(value.func) if isinstance(value, AppliedUndef) else type(value).__name__
    return f"{name}({', '.join(parts)})"


def canonical(formula: Formula) -> str:
    """A text that is equal for equal formulas, from run to run: what freshness is keyed by.

    Different formulas have different texts, also where they mean the same: `x < y` and `y > x` are judged apart. See
    `structure` for the sides.

    Args:
        formula: The formula. The names that its sides are written with have no part in the text.
    """
    match formula:
        case Relation(lhs, op, rhs):
            return f"({structure(lhs)} {DEFINITION if formula.definition else op} {structure(rhs)})"
        case All(parts):
            return "all(" + ",".join(canonical(p) for p in parts) + ")"
        case Either(parts):
            return "either(" + ",".join(canonical(p) for p in parts) + ")"
        case Implies(left, right):
            return f"implies({canonical(left)},{canonical(right)})"
        case Iff(left, right):
            return f"iff({canonical(left)},{canonical(right)})"
