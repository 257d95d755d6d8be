r"""Trees of statements as LaTeX that is read as the same statement again.

Examples:
    >>> from rgm_verify.statements.parser import parse
    >>> latex_of(parse("for all x in [0, 1]: x*(1 - x) <= 1/4"))
    '\\forall x \\in \\mathbb{R}, x \\ge 0, x \\le 1: x \\cdot \\left(1 - x\\right) \\le \\frac{1}{4}'
"""

from __future__ import annotations

from typing import Final

from rgm_verify.statements.latex.words import GREEK
from rgm_verify.statements.trees import (
    And,
    Call,
    Compare,
    Expression,
    Factors,
    Formula,
    Given,
    If,
    Iff,
    Law,
    Name,
    Number,
    Or,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    text,
)
from rgm_verify.terms import table

__all__ = ["latex_of"]

_SIGNS: Final = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "=": "=", "!=": r"\ne"}
_ROWS: Final = {row.text: row for row in table.FUNCTIONS if row.text}


def latex_of(statement: Statement) -> str:
    """Return LaTeX of a statement, with what is given in front.

    Args:
        statement: A tree of the grammar.

    Raises:
        ValueError: For `not`, conditions inside of conditions, random variables, and `there is` without a domain, which
            have none here.
    """
    says = _formula(statement.says)
    if not statement.given:
        if statement.exists:
            raise ValueError(f"no LaTeX is written of {text(statement)}")
        return says
    given = ", ".join(_given(one) for one in statement.given)
    return rf"\exists {given}: {says}" if statement.exists else rf"\forall {given}: {says}"


def _given(one: Given) -> str:
    """Return a declaration or a condition."""
    if isinstance(one, Sort):
        return rf"{_name(one.name)} \in \mathbb{{{'Z' if one.kind == 'integer' else 'R'}}}"
    if isinstance(one, Law):
        raise ValueError(f"no LaTeX is written of {text(one)}")  # noqa: TRY004 - a statement may have it, LaTeX none
    return _formula(one)


def _formula(tree: Formula) -> str:
    """Return a formula."""
    match tree:
        case Compare(sides, signs):
            shown = [_expression(side, 1) for side in sides]
            return shown[0] + "".join(f" {_SIGNS[s]} {side}" for s, side in zip(signs, shown[1:], strict=True))
        case And(parts) | Or(parts):
            if all(isinstance(part, Compare) for part in parts):
                return rf" \{'land' if isinstance(tree, And) else 'lor'} ".join(map(_formula, parts))
        case If(left, right) | Iff(left, right):
            if isinstance(right, Compare) and isinstance(left, Compare | And if isinstance(tree, If) else Compare):
                return rf"{_formula(left)} \{'implies' if isinstance(tree, If) else 'iff'} {_formula(right)}"
    raise ValueError(f"no LaTeX is written of {text(tree)}")


def _name(name: str) -> str:
    r"""Return the LaTeX of a name.

    Examples:
        >>> _name("x"), _name("epsilon_0"), _name("x_prime"), _name("R_rel"), _name("risk")
        ('x', '\\epsilon_{0}', "x'", 'R_{\\mathrm{rel}}', '\\mathit{risk}')
    """
    base, *parts = name.split("_")
    primes = 0
    while parts and parts[-1] == "prime":
        parts.pop()
        primes += 1
    index = ",".join(p if p.isdigit() or len(p) == 1 else rf"\mathrm{{{p}}}" for p in parts)
    command = base in GREEK.values() or base == "pi"
    shown = base if len(base) == 1 else rf"\{base}" if command else rf"\mathit{{{base}}}"
    return f"{shown}{f'_{{{index}}}' if parts else ''}{chr(39) * primes}"


_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4


def _expression(tree: Expression, least: int) -> str:
    """Return an expression, in parentheses where it binds less than `least`."""
    found, strength = "", _ATOM
    match tree:
        case Number():
            return text(tree)
        case Name(name):
            return _name(name)
        case Terms(parts):
            strength = _SUM
            shown = [(sign, _expression(part, _PRODUCT)) for sign, part in parts]
            found = ("-" if shown[0][0] == "-" else "") + shown[0][1] + "".join(f" {s} {p}" for s, p in shown[1:])
        case Factors(parts):
            strength = _PRODUCT
            found = _expression(parts[0][1], _POWER)
            for sign, part in parts[1:]:
                if sign == "/":
                    found = rf"\frac{{{found}}}{{{_expression(part, 0)}}}"
                else:
                    found = rf"{found} \cdot {_expression(part, _POWER)}"
        case Power(base, exponent):
            strength = _POWER
            shown_base = _expression(base, _ATOM)
            # What a power behind a function is of could be read in two ways.
            shown_base = rf"\left({shown_base}\right)" if isinstance(base, Call) else shown_base
            found = rf"{shown_base}^{{{_expression(exponent, 0)}}}"
        case Call(name, arguments):
            return _call(name, arguments)
        case Series(kind, index, first, last, body):
            strength = _PRODUCT
            low, high = (
                ("-\\infty" if first is None else _expression(first, 0)),
                ("\\infty" if last is None else _expression(last, 0)),
            )
            if kind == "integral":
                return rf"\left(\int_{{{low}}}^{{{high}}} {_expression(body, 0)} \, \mathrm{{d}} {_name(index)}\right)"
            command = "sum" if kind == "sum" else "prod"
            return rf"\left(\{command}_{{{_name(index)}={low}}}^{{{high}}} \left({_expression(body, 0)}\right)\right)"
    return rf"\left({found}\right)" if strength < least else found


def _call(name: str, arguments: tuple[Expression, ...]) -> str:
    """Return a call."""
    shown = [_expression(a, 0) for a in arguments]
    row = _ROWS[name]
    if row.latex:
        # A minimum and a maximum take a list.
        return row.latex.format(*shown if row.count[0] == row.count[1] else (", ".join(shown),))
    function = rf"\{name}" if row.command else rf"\operatorname{{{name}}}"
    return rf"{function}\left({', '.join(shown)}\right)"
