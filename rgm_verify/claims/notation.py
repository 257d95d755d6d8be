r"""Names for expressions: pages show the name, everything that judges sees the expression.

`rho = named(r"\rho", 1 - eta * (alpha - 1) * (2 + eta))` may stand wherever the expression may. Whoever differentiates
it or puts values in gets the expression; a formula spells it out and remembers how it was written.

A name must never decide anything. So it vanishes as soon as SymPy changes something in it, it answers SymPy's questions
as its expression would, and every formula is spelled out before a lens sees it (`spelled`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import sympy
from sympy.core.operations import LatticeOp
from sympy.core.sympify import CantSympify
from sympy.matrices.expressions.matexpr import MatrixExpr
from sympy.printing.precedence import PRECEDENCE


class NamingError(ValueError):
    """A name that no page could show, or that stands for nothing."""


class _Title(sympy.Atom, CantSympify):
    """The LaTeX of a name with its expression: SymPy never looks into it.

    The name can so tell whether its expression was changed, by a substitution for instance.
    """

    __slots__ = ("latex", "value")

    def __new__(cls, latex: str, value: sympy.Basic) -> _Title:
        """Make a title; it is equal to another one with the same LaTeX and the same expression."""
        title: _Title = sympy.Atom.__new__(cls)
        title.latex, title.value = latex, value
        return title

    def _hashable_content(self) -> tuple[Any, ...]:
        return self.latex, self.value

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.latex, self.value

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        # SymPy would send an atom without its two fields to another process.
        return _Title, (self.latex, self.value)


def _fact(fact: str) -> Any:
    """Make the answer to SymPy's question after a fact: that of the expression."""
    # None included: what is not known of the expression is not known of its name.
    return lambda self: getattr(self.args[0], f"is_{fact}")


def _precedence(title: str) -> int:
    """Return how tightly a name binds: one with a power in it is put in brackets under another power."""
    return int(PRECEDENCE["Pow" if "^" in outside_of_brackets(title) else "Atom"])


class Name(sympy.Expr):
    """An expression under a name. With anything in it changed it is the changed expression, without the name.

    SymPy's questions after facts get the answers of the expression, so that a name hides nothing from a proof.
    """

    is_commutative = True
    _eval_is_real = _fact("real")
    _eval_is_extended_real = _fact("extended_real")
    _eval_is_complex = _fact("complex")
    _eval_is_finite = _fact("finite")
    _eval_is_integer = _fact("integer")
    _eval_is_rational = _fact("rational")
    _eval_is_zero = _fact("zero")
    _eval_is_positive = _fact("positive")
    _eval_is_negative = _fact("negative")
    _eval_is_nonnegative = _fact("nonnegative")
    _eval_is_nonpositive = _fact("nonpositive")

    def __new__(cls, value: sympy.Expr, title: _Title) -> sympy.Expr:
        """Make the name, or the bare value where that is not what the title stands for."""
        # SymPy makes a changed expression by its class: with another value under the same title the name would lie.
        if value != title.value or not value.args:
            return value
        return sympy.Expr.__new__(cls, value, title)

    @property
    def value(self) -> sympy.Expr:
        """The expression that the name stands for."""
        return self.args[0]

    @property
    def title(self) -> str:
        """LaTeX of the name."""
        return str(self.args[1].latex)

    @property
    def precedence(self) -> int:
        """The precedence with which it is printed."""
        return _precedence(self.title)

    def _eval_derivative(self, symbol: sympy.Symbol) -> sympy.Expr:
        # By the expression: a name that were its own derivative's variable would make it 0.
        return self.value.diff(symbol)

    def _eval_evalf(self, precision: int) -> sympy.Expr:
        return self.value._eval_evalf(precision)

    def _eval_expand_basic(self, **hints: Any) -> sympy.Expr:
        return self.value

    def _eval_simplify(self, **hints: Any) -> sympy.Expr:
        return sympy.simplify(self.value, **hints)

    def _latex(self, printer: Any) -> str:
        return self.title

    def _sympystr(self, printer: Any) -> str:
        return self.title


class MatrixName(MatrixExpr):
    """A matrix under a name."""

    def __new__(cls, value: MatrixExpr, title: _Title) -> MatrixExpr:
        """Make the name, or the bare value where that is not what the title stands for."""
        # As for `Name`.
        if value != title.value or not value.args:
            return value
        return sympy.Basic.__new__(cls, value, title)

    @property
    def value(self) -> MatrixExpr:
        """The matrix that the name stands for."""
        return self.args[0]

    @property
    def title(self) -> str:
        """LaTeX of the name."""
        return str(self.args[1].latex)

    @property
    def shape(self) -> tuple[sympy.Expr, sympy.Expr]:
        """Rows and columns."""
        found: tuple[sympy.Expr, sympy.Expr] = self.value.shape
        return found

    @property
    def precedence(self) -> int:
        """The precedence with which it is printed."""
        return _precedence(self.title)

    def _latex(self, printer: Any) -> str:
        return self.title

    def _sympystr(self, printer: Any) -> str:
        return self.title


def outside_of_brackets(title: str) -> str:
    r"""Return what of a name stands outside of brackets, bars and indices.

    Args:
        title: LaTeX of a name.

    Examples:
        >>> outside_of_brackets(r"\rho_{a + b}"), outside_of_brackets("|a + b|^2"), outside_of_brackets("a + b")
        ('\\rho_', '^2', 'a + b')
    """
    found, depth, barred = "", 0, False
    for letter in title.replace(r"\|", "|").replace(r"\lVert", "|").replace(r"\rVert", "|"):
        # Bars open and close by the same sign, so that only those on the outermost level can be paired.
        if letter == "|" and depth == 0:
            barred = not barred
        elif letter in "{([":
            depth += 1
        elif letter in "})]":
            depth -= 1
        elif depth == 0 and not barred:
            found += letter
    return found


def named(title: str, value: Any) -> Any:
    r"""Return `value` under the name `title`, in LaTeX: `named(r"\rho", 1 - eta)`.

    Args:
        title: The name, without an operation or a relation outside of brackets.
        value: An expression or a matrix of SymPy's, with names in it if you like. A number or a symbol has a name
            already and is returned as it is.

    Raises:
        NamingError: For a name that is empty, no text, or no unit for a reader, and for a value of another kind.

    Examples:
        >>> eta = sympy.Symbol("eta", positive=True)
        >>> rho = named(r"\rho", 1 - eta)
        >>> print(rho, spelled(2 * rho), rho.subs(eta, sympy.Rational(1, 4)), rho.diff(eta), sep="   ")
        \rho   2 - 2*eta   3/4   -1
    """
    given: Any = title
    if not isinstance(given, str) or not given.strip():
        raise NamingError(f"title={title!r}: a name is a text in LaTeX, such as r'\\rho'")
    # 2 times the name `a + b` would be set as 2 a + b.
    odd = next((letter for letter in outside_of_brackets(title) if letter in "+-=<>,"), None)
    if odd is not None:
        raise NamingError(f"title={title!r}: {odd!r} stands outside of brackets; a reader could not tell where it ends")
    value = sympy.sympify(value)
    if isinstance(value, MatrixExpr):
        return MatrixName(value, _Title(title, value))
    if not isinstance(value, sympy.Expr):
        raise NamingError(f"value={value!r}: {title} must stand for an expression or a matrix of SymPy's")
    return Name(value, _Title(title, value))


def has_names(value: Any) -> bool:
    """Return whether an expression contains names."""
    return isinstance(value, sympy.Basic) and value.has(Name, MatrixName)


def spelled(value: Any) -> Any:
    """Return an expression with all names spelled out; what SymPy was told to leave as written stays so.

    Args:
        value: An expression, or anything else, which is returned as it is.
    """
    if not has_names(value):
        return value
    if isinstance(value, Name | MatrixName):
        return spelled(value.value)
    arguments = [spelled(part) for part in value.args]
    # A part that SymPy would change when it is made again was left unevaluated on purpose, and its conditions with it.
    if value.func(*value.args) == value:
        return value.func(*arguments)
    return value.func(*arguments, evaluate=False)


def spelled_throughout(value: Any) -> Any:
    """Return settings (expressions in tuples, lists, dicts and dataclasses) with all names spelled out.

    What holds no name is returned as the same object.
    """
    if isinstance(value, sympy.Basic):
        return spelled(value)
    if isinstance(value, tuple | list):
        # The same object where nothing changes: settings are compared, and some are large.
        parts = [spelled_throughout(part) for part in value]
        same = all(new is old for new, old in zip(parts, value, strict=True))
        return value if same else _rebuilt(value, parts)
    if isinstance(value, Mapping):
        pairs = [(spelled_throughout(k), spelled_throughout(v)) for k, v in value.items()]
        same = all(k is i and v is j for (k, v), (i, j) in zip(pairs, value.items(), strict=True))
        return value if same else dict(pairs)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for field in dataclasses.fields(value):
            # Fields that a class fills in itself follow from the others.
            if field.init:
                old = getattr(value, field.name)
                new = spelled_throughout(old)
                if new is not old:
                    changed[field.name] = new
        return dataclasses.replace(value, **changed) if changed else value
    return value


def _rebuilt(value: Any, parts: list[Any]) -> Any:
    """Return a tuple, a named tuple or a list with other parts."""
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


def _in_order(value: sympy.Basic) -> Iterator[sympy.Basic]:
    """Yield the nodes of an expression from the outside in; the members of a maximum, which are a set, by name."""
    yield value
    for part in sympy.ordered(value.args) if isinstance(value, LatticeOp) else value.args:
        yield from _in_order(part)


def names_in(values: Any) -> Iterator[Name | MatrixName]:
    """Yield the names in expressions, each once, those that others are made of after these.

    The order is that of the places where they occur, so that pages list them as a reader meets them.

    Args:
        values: Expressions.
    """
    seen: set[sympy.Basic] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop(0)
        for node in _in_order(value):
            if isinstance(node, Name | MatrixName) and node not in seen:
                seen.add(node)
                yield node
                # A name may be made of other names, which a reader needs explained too.
                waiting.append(node.value)
