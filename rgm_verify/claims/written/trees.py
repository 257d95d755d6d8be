"""Formulas as small JSON trees, and back: what a certificate records of a claim, readable without SymPy.

    expression  "p/q" ("p" when q = 1)   ["var", name]   ["pi"]  ["e"]  ["euler"]  ["add", x, ...]  ["mul", x, ...]
                ["pow", x, y]            ["min", x, ...]  ["max", x, ...]
                [f, x] for f among exp log sin cos sinh cosh tanh erf erfc gamma loggamma digamma trigamma abs sign
                asin acos atan asinh acosh atanh erfi erfinv erfcinv lambertw floor ceil
                ["uppergamma", s, x]  ["lowergamma", s, x]
                ["logrem", "a", "b", x]  integral_0^1 s^(a-1) / (1 + s x)^b ds
    formula     [op, x, y] for op among <= < >= > == !=   ["and", p, ...]  ["or", p, ...]  ["implies", p, q]
                ["iff", p, q]
    statement   {"quantifier": "forall" or "exists", "variables": [[name, "real" or "integer", [domain, ...]], ...],
                 "hypotheses": [formula, ...], "conclusion": formula}

A statement for the proof kernel may also hold derivatives and values at a point, which bind their variable:

    ["derivative", x, name, "n"]   ["at", x, name, point]

Everything is exact. x^(1/q) is the root that is >= 0 of x >= 0; x^y with another y is exp(y log x).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import sympy

from rgm_verify.balls.compiling import in_plain_functions
from rgm_verify.claims.claim import Chart, Claim, Variable, real
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation
from rgm_verify.terms import table

if TYPE_CHECKING:
    from rgm_verify.balls.certificate import Subject

Tree: TypeAlias = Any

#: Functions of the table by their names in trees.
_ROWS: Final = {row.tree: row for row in table.FUNCTIONS if row.tree}
_CONSTANTS: dict[sympy.Expr, str] = {sympy.pi: "pi", sympy.E: "e", sympy.EulerGamma: "euler"}
_SEVERAL: dict[str, Callable[..., sympy.Expr]] = {"add": sympy.Add, "mul": sympy.Mul, "pow": sympy.Pow}
_MOMENTS = ("LogRemainder", "LogRemainderD", "LogRemainderMoment")


class NoTree(ValueError):
    """A part of a formula that the trees cannot hold: the text names it."""


def expression_tree(value: sympy.Expr, *, binders: bool = False) -> Tree:
    """Return the tree of an exact expression; raises `NoTree` naming what has none (a float, an integral).

    Derivatives and values at a point have trees only with `binders`.

    The tree is JSON data, and equal expressions have equal trees: arguments of a maximum or minimum, which SymPy keeps
    in a set, are sorted.

    Args:
        binders: Whether derivatives and values at a point are allowed, which only the proof kernel reads.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> expression_tree(sympy.sqrt(x) + sympy.Rational(1, 2))
        ['add', '1/2', ['pow', ['var', 'x'], '1/2']]
        >>> expression_tree(sympy.Integral(x, x))
        Traceback (most recent call last):
        rgm_verify.claims.written.trees.NoTree: Integral(x, x): Integral has no place in the trees of a certificate
    """
    # By the name of the class: the special functions of this library are not imported for it.
    name = type(value).__name__
    if isinstance(value, sympy.Symbol):
        return ["var", value.name]
    if isinstance(value, sympy.Rational):
        return str(Fraction(int(value.p), int(value.q)))
    if value in _CONSTANTS:
        return [_CONSTANTS[value]]
    row = table.found(value)
    if row is not None and row[0].tree:
        # A maximum and a minimum keep their arguments in a set.
        parts = sympy.ordered(row[1]) if name in ("Min", "Max") else row[1]
        return [row[0].tree, *(expression_tree(part, binders=binders) for part in parts)]
    if name in _MOMENTS:
        a, b, x = value.moment()
        if a.is_Integer and b.is_Integer:
            return ["logrem", str(a), str(b), expression_tree(x, binders=binders)]
    if name.lower() in _SEVERAL:
        return [name.lower(), *(expression_tree(part, binders=binders) for part in value.args)]
    if binders and name in ("Derivative", "At"):
        return _binder_tree(value)
    # Last: a function that has a tree of its own keeps it, and the rest is put in terms of such.
    plain = in_plain_functions(value)
    if plain is not None:
        return expression_tree(plain, binders=binders)
    raise NoTree(f"{value}: {name} has no place in the trees of a certificate")


def _binder_tree(value: sympy.Expr) -> Tree:
    """Return the tree of a derivative, one variable after the other, or of a value at a point; raises `NoTree`."""
    found = expression_tree(value.args[0], binders=True)
    if isinstance(value, sympy.Derivative):
        for symbol, order in value.variable_count:
            if not order.is_Integer:
                raise NoTree(f"{value}: a derivative of the order {order} has no place in the trees of a proof")
            found = ["derivative", found, symbol.name, str(order)]
        return found
    names, points = value.args[1], value.args[2]
    # One after the other would put the second value into the first one as well.
    if any(point.has(name) for point in points for name in names if len(names) > 1):
        raise NoTree(f"{value}: several variables at once at a point of these variables have no tree")
    for symbol, point in zip(names, points, strict=True):
        found = ["at", found, symbol.name, expression_tree(point, binders=True)]
    return found


def formula_tree(formula: Formula, *, binders: bool = False) -> Tree:
    """Return the tree of a formula; raises `NoTree`.

    A definition is an equation here: that it asserts nothing is for whoever judges.
    """
    match formula:
        case Relation(lhs, op, rhs):
            return [op, expression_tree(lhs, binders=binders), expression_tree(rhs, binders=binders)]
        case All(parts) | Either(parts):
            members = [formula_tree(part, binders=binders) for part in parts]
            return ["and" if isinstance(formula, All) else "or", *members]
        case Implies(left, right) | Iff(left, right):
            sides = [formula_tree(side, binders=binders) for side in (left, right)]
            return ["implies" if isinstance(formula, Implies) else "iff", *sides]


def statement_tree(claim: Claim, *, binders: bool = False) -> dict[str, Tree]:
    """Return the whole statement of a claim: variables with domains, hypotheses, conclusion; raises `NoTree`."""
    if claim.conclusion is None:
        # A sentence has nothing that a checker could read.
        raise NoTree(f"{claim.id}: an informal claim has no formula")
    return {
        "quantifier": claim.quantifier,
        "variables": [
            # Domains without binders: their ends are rational numbers.
            [v.symbol.name, "integer" if v.integer else "real", [formula_tree(r) for r in v.domain()]]
            for v in claim.variables
        ],
        "hypotheses": [formula_tree(h.formula, binders=binders) for h in claim.hypotheses],
        "conclusion": formula_tree(claim.conclusion, binders=binders),
    }


def chart_tree(
    claim: Claim, chart: Chart, *, target: sympy.Expr | None = None, factor: sympy.Expr | None = None
) -> dict[str, Tree]:
    """Return a chart with what is certified in it, {} where it is the identity and nothing is divided out.

    Raises `NoTree`.
    """
    # A variable without a map is a coordinate itself.
    images = {v.symbol: sympy.sympify(chart.maps.get(v.symbol, v.symbol)) for v in claim.variables}
    # The identity says nothing, and a replayer then has nothing to look at.
    if target is None and set(images) == set(chart.ranges) and all(s == image for s, image in images.items()):
        return {}
    inverse = {s: sympy.sympify((chart.inverse or {}).get(s, s)) for s in chart.ranges}
    return {
        "variables": {s.name: expression_tree(image) for s, image in images.items()},
        "inverse": {s.name: expression_tree(value) for s, value in inverse.items()},
        "factor": None if target is None or factor is None else expression_tree(sympy.sympify(factor)),
        "target": None if target is None else expression_tree(sympy.sympify(target)),
    }


def inequality_on_box(
    claim: str,
    expression: sympy.Expr,
    box: Mapping[str, tuple[Fraction, Fraction]],
    *,
    hypotheses: Sequence[sympy.Expr] = (),
    strict: bool = False,
) -> Subject:
    """Return the subject of a bare inequality: expression >= 0 (> 0 if strict) where the hypotheses are >= 0 in a box.

    For `rgm_verify.balls.certify` without a claim; `claim` is the id that the certificate bears. Raises `NoTree`.
    """
    from rgm_verify.balls.certificate import Subject

    variables = [
        [name, "real", [[">=", ["var", name], str(Fraction(low))], ["<=", ["var", name], str(Fraction(high))]]]
        for name, (low, high) in box.items()
    ]
    statement = {
        "quantifier": "forall",
        "variables": variables,
        "hypotheses": [[">=", expression_tree(sympy.sympify(part)), "0"] for part in hypotheses],
        "conclusion": [">" if strict else ">=", expression_tree(sympy.sympify(expression)), "0"],
    }
    return Subject(claim, statement, {}, tuple(range(len(hypotheses))))


# ------------------------------------------------------------------------------------------------ reading


def read_expression(tree: Tree, symbols: Mapping[str, sympy.Symbol]) -> sympy.Expr:
    """Return the expression of a tree over the symbols of these names; raises `NoTree`.

    SymPy may simplify on the way, so that the expression need not have the same tree again.
    """
    match tree:
        # A text is a number and never code: `Rational` of anything else is an error.
        case str():
            return sympy.Rational(tree)
        case ["var", str(name)] if name in symbols:
            return symbols[name]
        case [str(name)] if name in _CONSTANTS.values():
            return next(constant for constant, known in _CONSTANTS.items() if known == name)
        case ["logrem", str(a), str(b), x]:
            return _moment(int(a), int(b), read_expression(x, symbols))
        case [str(name), *parts] if name in _SEVERAL and parts:
            return _SEVERAL[name](*(read_expression(part, symbols) for part in parts))
        case [str(name), *parts] if name in _ROWS and parts:
            return table.made(_ROWS[name], *(read_expression(part, symbols) for part in parts))
    raise NoTree(f"{str(tree)[:60]}: is no tree of an expression in {', '.join(symbols) or 'no symbols'}")


def _moment(a: int, b: int, x: sympy.Expr) -> sympy.Expr:
    """Return the special function of a `logrem` tree, in the class that `moment` of it came from."""
    from rgm_verify.balls.special import LogRemainder, LogRemainderD, LogRemainderMoment

    if b == 1:
        return LogRemainder(a, x)
    return LogRemainderD(a - 1, x) if b == 2 and a > 1 else LogRemainderMoment(a, b, x)


def read_formula(tree: Tree, symbols: Mapping[str, sympy.Symbol]) -> Formula:
    """Return the formula of a tree; raises `NoTree`."""
    match tree:
        case [("<=" | "<" | ">=" | ">" | "==" | "!=") as op, left, right]:
            return Relation(read_expression(left, symbols), op, read_expression(right, symbols))
        case [("and" | "or") as word, *parts] if parts:
            members = tuple(read_formula(part, symbols) for part in parts)
            return All(members) if word == "and" else Either(members)
        case [("implies" | "iff") as word, left, right]:
            kind = Implies if word == "implies" else Iff
            return kind(read_formula(left, symbols), read_formula(right, symbols))
    raise NoTree(f"{str(tree)[:60]}: is no tree of a formula")


def read_statement(tree: Mapping[str, Tree]) -> tuple[tuple[Variable, ...], tuple[Formula, ...], Formula]:
    """Return (variables, hypotheses, conclusion) of a statement; raises `NoTree`."""
    variables = tuple(_read_variable(*entry) for entry in tree["variables"])
    symbols = {v.symbol.name: v.symbol for v in variables}
    hypotheses = tuple(read_formula(part, symbols) for part in tree["hypotheses"])
    return variables, hypotheses, read_formula(tree["conclusion"], symbols)


def _read_variable(name: str, kind: str, domain: list[Tree]) -> Variable:
    """Return the variable with the domain that the relations give; raises `NoTree` for a relation that is no end."""
    ends: dict[str, Any] = {}
    for end in domain:
        match end:
            case [(">=" | ">") as op, ["var", _], str(value)]:
                ends |= {"lower": sympy.Rational(value), "lower_open": op == ">"}
            case [("<=" | "<") as op, ["var", _], str(value)]:
                ends |= {"upper": sympy.Rational(value), "upper_open": op == "<"}
            # Any other relation is a hypothesis, and a domain that forgot it would be too large.
            case _:
                raise NoTree(f"{str(end)[:60]}: is no end of a variable's domain")
    return real(name, **ends, integer=kind == "integer")
