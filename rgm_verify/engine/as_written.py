"""Reading claims as they are written: where SymPy would forget that a term is not defined everywhere, it stays.

`exp(log(y))` becomes `y` while a claim is written, `sqrt(y)**2` as well, and `(x - 1)/(x - 1)` becomes 1: what is then
judged is defined where the statement is not. While a folder of claims is imported, an operation that the author writes
is therefore left unevaluated where its result no longer shows a condition that its parts, or the operation itself, put
on the variables, unless the declared domains imply it. Rewriting that an author asks for (`simplify`, `cancel`, `subs`,
`diff`) is left alone: its result is what the author states.

The operators of SymPy are replaced for the time of the import and look at who calls them; for everybody else they do
what they did.

Why this matters: a claim `log(x**2) = 2 log(x)` that SymPy has simplified on the way is judged where
both sides exist and looks true, while the printed statement fails or has no meaning at other points.
The price is a claim with unevaluated terms, which each lens evaluates itself after it has asked what is
defined.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache, wraps
from types import FunctionType
from typing import Any

import sympy
from sympy.core.function import FunctionClass
from sympy.core.parameters import global_parameters
from sympy.matrices.expressions.matexpr import MatrixExpr

from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.solvers.definedness import UNKNOWN, Unknown, arguments, evident, needs

#: A condition in a normal form: what is compared with 0, and how; or a term of which it is not known what it needs.
Condition = tuple[str, sympy.Expr]
_UNKNOWN = "unknown"
# A condition is kept by a stronger one: x > 0 says that x is not 0.
_STRONGER = {"!=": (">",), ">=": (">",), ">": (), _UNKNOWN: ()}


def _unevaluated_quotient(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    """Return a quotient whose numerator and denominator stay apart."""
    return sympy.Mul(a, sympy.Pow(b, -1, evaluate=False), evaluate=False)


def _unevaluated_difference(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    """Return a difference that does not cancel."""
    return sympy.Add(a, sympy.Mul(-1, b, evaluate=False), evaluate=False)


_Build = Callable[..., sympy.Expr]
#: Operators without evaluation, by the names that Python has for them.
BINARY: dict[str, _Build] = {
    "__add__": lambda a, b: sympy.Add(a, b, evaluate=False),
    "__sub__": _unevaluated_difference,
    "__mul__": lambda a, b: sympy.Mul(a, b, evaluate=False),
    "__truediv__": _unevaluated_quotient,
    "__pow__": lambda a, b: sympy.Pow(a, b, evaluate=False),
}
#: The same between matrices, or a number and a matrix.
_MATRICES: dict[str, _Build] = {
    "__add__": lambda a, b: sympy.MatAdd(a, b, evaluate=False),
    "__sub__": lambda a, b: sympy.MatAdd(a, sympy.MatMul(-1, b, evaluate=False), evaluate=False),
    "__mul__": lambda a, b: sympy.MatMul(a, b, evaluate=False),
    "__truediv__": lambda a, b: sympy.MatMul(sympy.Pow(b, -1, evaluate=False), a, evaluate=False),
    "__pow__": lambda a, b: sympy.MatPow(a, b, evaluate=False),
}
_REFLECTED = {f"__r{name[2:]}": name for name in BINARY}


@contextmanager
def as_written(package: str) -> Iterator[None]:
    """Keep every condition of a term that modules of `package` write, while the block runs.

    SymPy cancels `x / x` to 1 and forgets `x != 0`. Inside the block the operators of its classes compare the
    conditions before and after, and leave the operation unevaluated where one is lost. Code of other packages is served
    as usual, and the end of the block restores everything. Not thread-safe.

    Args:
        package: The name of the package that the folder's files are imported as.
    """
    with ExitStack() as undo:
        for kind in _kinds():
            for name in (*BINARY, *_REFLECTED, "__neg__"):
                # A class that inherits an operator has none of its own to replace.
                if isinstance(vars(kind).get(name), FunctionType):
                    undo.callback(_replace(kind, name, _operator(vars(kind)[name], name, package)))
        undo.callback(_replace(FunctionClass, "__call__", _application(package)))
        undo.callback(_replace(MatrixExpr, "I", property(_inversion(vars(MatrixExpr)["I"].fget, package))))
        undo.callback(_replace(MatrixExpr, "inverse", _inversion(vars(MatrixExpr)["inverse"], package)))
        for name in ("sqrt", "cbrt", "root"):
            undo.callback(_replace(sympy, name, _function(getattr(sympy, name), package)))
        yield


def _kinds() -> list[type]:
    """The classes of expressions, each once."""
    found: dict[type, None] = {}
    waiting: list[type] = [sympy.Expr]
    while waiting:
        kind = waiting.pop()
        if kind not in found:
            found[kind] = None
            # Subclasses as well: some have operators of their own, which Expr's would not reach.
            waiting += kind.__subclasses__()
    return list(found)


def _replace(owner: Any, name: str, new: Any) -> Callable[[], None]:
    """Set an attribute and return what sets it back."""
    missing = object()
    before = vars(owner).get(name, missing)
    setattr(owner, name, new)

    def back() -> None:
        if before is missing:
            delattr(owner, name)
        else:
            setattr(owner, name, before)

    return back


def _written_by(package: str) -> bool:
    """Return whether the caller of the operation is a module of the package."""
    module = str(sys._getframe(2).f_globals.get("__name__", ""))
    return module == package or module.startswith(package + ".")


def _operator(original: Callable[..., Any], name: str, package: str) -> Callable[..., Any]:
    """Return an operator of SymPy's that keeps conditions for callers in `package`."""
    if name == "__neg__":

        @wraps(original)
        def negated(self: sympy.Expr) -> Any:
            result = original(self)
            if not _written_by(package) or isinstance(result, MatrixExpr):
                return result
            return kept(result, (self,), lambda a: sympy.Mul(-1, a, evaluate=False))

        return negated
    build = BINARY.get(name) or BINARY[_REFLECTED[name]]

    @wraps(original)
    def operated(self: sympy.Expr, other: Any) -> Any:
        result = original(self, other)
        if result is NotImplemented or not _written_by(package):
            return result
        pair = (other, self) if name in _REFLECTED else (self, other)
        if any(isinstance(part, MatrixExpr) for part in (result, *pair)):
            return _kept_in_matrices(result, pair, _MATRICES.get(_REFLECTED.get(name, name)))
        return kept(result, pair, build)

    return operated


def _inversion(original: Callable[..., Any], package: str) -> Callable[..., Any]:
    """The inverse of an inverse is the matrix itself only where the matrix has one."""

    @wraps(original)
    def inverted(self: MatrixExpr) -> Any:
        result = original(self)
        return _kept_in_matrices(result, (self,), sympy.Inverse) if _written_by(package) else result

    return inverted


def _application(package: str) -> Callable[..., Any]:
    """Return the call of a function class that keeps conditions for callers in `package`; options are left alone."""

    def called(cls: Any, *arguments: Any, **options: Any) -> Any:
        result = type.__call__(cls, *arguments, **options)
        if options or not _written_by(package):
            return result
        return kept(result, arguments, lambda *a: cls(*a, evaluate=False))

    return called


def _function(original: Callable[..., Any], package: str) -> Callable[..., Any]:
    """A root: its degree is what the result of an innocent argument shows."""

    @wraps(original)
    def applied(argument: Any, *rest: Any, **options: Any) -> Any:
        result = original(argument, *rest, **options)
        if options or not _written_by(package):
            return result
        # A positive argument shows the exponent without anything being simplified by its sign.
        inner = sympy.Dummy("inner", positive=True)
        shape = original(inner, *rest)
        if not isinstance(shape, sympy.Pow) or shape.base != inner:
            return result
        return kept(result, (argument,), lambda a: sympy.Pow(a, shape.exp, evaluate=False))

    return applied


def kept(result: Any, arguments: Sequence[Any], build: _Build) -> Any:
    """Return the result of an operation, or the operation unevaluated where the result forgets a condition.

    A condition is forgotten if neither it nor a stronger one is asked by the result. Numbers alone lose none.

    Args:
        result: What SymPy made of the operation.
        arguments: The arguments as written.
        build: The operation without evaluation.

    Returns:
        One of the two; never anything else.
    """
    if not isinstance(result, sympy.Expr) or not global_parameters.evaluate:  # nothing is evaluated, nothing lost
        return result
    given = [sympy.sympify(argument) for argument in arguments]
    if not all(isinstance(argument, sympy.Expr) for argument in given):
        return result
    inner = frozenset().union(*(conditions(argument) for argument in given))
    # Numbers are evaluated: `2/4` is meant to be `1/2`.
    if not inner and all(argument.is_number for argument in given):
        return result
    written = build(*given)
    asked = inner | _own(written)
    if not asked:
        return result
    shown = conditions(result)
    lost = [c for c in asked if not _shown(c, shown)]
    return written if lost else result


def _kept_in_matrices(result: Any, arguments: Sequence[Any], build: _Build | None) -> Any:
    """The same for matrices: neither a condition of a coefficient nor an inverse may be lost."""
    if build is None or not global_parameters.evaluate:
        return result
    given = [sympy.sympify(argument) for argument in arguments]
    written = build(*given)
    shown = sympy.sympify(result)
    # An inverse that is gone was a condition: the matrix is regular.
    lost = _of_coefficients(written) - _of_coefficients(shown) or _inverted(written) - _inverted(shown)
    return written if lost else result


def _inverted(expression: sympy.Basic) -> frozenset[sympy.Basic]:
    """Return the matrices whose inverses an expression takes."""
    powers = expression.atoms(sympy.MatPow)
    return frozenset(power.base for power in powers if not power.exp.is_nonnegative)


def _of_coefficients(expression: sympy.Basic) -> frozenset[Condition]:
    """The conditions of the parts of an expression that hold no matrix."""
    if not isinstance(expression, sympy.Expr) or isinstance(expression, sympy.MatrixSymbol):
        return frozenset()
    if not expression.has(MatrixExpr):
        return conditions(expression)
    return frozenset().union(*(_of_coefficients(part) for part in expression.args))


def _own(written: sympy.Expr) -> frozenset[Condition]:
    """The conditions of the outermost operation (two nodes of a quotient)."""
    nodes = [written, *(a for a in written.args if isinstance(a, sympy.Pow))]
    return frozenset().union(*map(_asked, nodes))


@lru_cache(maxsize=100_000)
def _asked(node: sympy.Expr) -> frozenset[Condition]:
    """The conditions of one operation: the same few operations come back all over a folder."""
    asked = needs(node)
    # Such a term is kept as a whole: another one of the same kind does not speak for it.
    unknown = [(_UNKNOWN, node)] if UNKNOWN in asked else []
    known = (need for need in asked if not isinstance(need, Unknown))
    return frozenset([*unknown, *(c for r in known for c in _normal(r))])


def _shown(condition: Condition, shown: frozenset[Condition]) -> bool:
    """Return whether a condition, or a stronger one of the same side, is among those of the result."""
    op, side = condition
    return condition in shown or any((stronger, side) in shown for stronger in _STRONGER[op])


@lru_cache(maxsize=100_000)
def conditions(expression: sympy.Expr) -> frozenset[Condition]:
    """Return what has to hold for the expression to be a real number and is not plain from the declared domains.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> conditions(1 / x)
        frozenset({('!=', x)})
    """
    # By the arguments' own conditions, which are known already: an author makes large terms of smaller ones.
    return _asked(expression).union(*map(conditions, arguments(expression)))


def _normal(relation: Relation) -> Iterator[Condition]:
    """The conditions that a relation with 0 comes to, without factors whose sign is known."""
    if evident(relation):
        return
    gap, op = relation.gap, relation.op
    if op in ("<", "<="):
        op = ">" if op == "<" else ">="
    factors = [f for f in sympy.Mul.make_args(gap) if not f.is_positive]
    if op == "!=":
        for factor in factors:
            # 2 x != 0 and x != 0 are one condition, and so are those of x - 1 and 1 - x.
            base = factor.as_base_exp()[0].primitive()[1]
            if not base.is_nonzero:
                yield "!=", -base if base.could_extract_minus_sign() else base
        return
    # Factors that are positive do not change a sign, and two conditions may differ by them alone.
    yield op, sympy.Mul(*factors, evaluate=len(factors) == 1)
