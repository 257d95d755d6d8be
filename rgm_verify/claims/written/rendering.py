"""LaTeX of formulas, rendered from the objects that the lenses check, with names as they were written.

There is no second source of what a page shows: a formula that was judged and a formula that is shown cannot differ but
by a fault of this file. Only signs, brackets and line breaks are chosen here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy
from sympy.printing.latex import LatexPrinter

from rgm_verify.claims.formula import DEFINITION, All, Either, Formula, Iff, Implies, Relation, relations
from rgm_verify.claims.notation import MatrixName, names_in, outside_of_brackets

if TYPE_CHECKING:
    from rgm_verify.claims.claim import Claim, Mutant

_SIGNS = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "==": "=", "!=": r"\ne"}
#: Relations with more LaTeX than this are set in two lines.
_LONG = 150

#: Indices and exponents of one character, which need no braces.
_ONE = re.compile(r"([\^_])\{([A-Za-z0-9])\}")

#: LaTeX of symbols that a page shows otherwise than SymPy would.
Symbols: TypeAlias = Mapping[sympy.Symbol, str]


class _Printer(LatexPrinter):
    """SymPy's printer, with the brackets that a reader needs and no others."""

    def _print_Transpose(self, value: Any) -> str:
        return self._raised(value.arg, "T") or str(super()._print_Transpose(value))

    def _print_MatPow(self, value: Any) -> str:
        return self._raised(value.base, self._print(value.exp)) or str(super()._print_MatPow(value))

    def _raised(self, matrix: Any, exponent: str) -> str:
        """Return a named matrix with an exponent; empty for a matrix without a name, which SymPy sets well."""
        if not isinstance(matrix, MatrixName):
            return ""
        return f"{self.parenthesize_super(matrix.title)}^{{{exponent}}}"

    def parenthesize_super(self, s: str) -> str:
        """Put a base in brackets that has a power of its own; one between bars or brackets is closed off already."""
        return f"({s})" if "^" in outside_of_brackets(s) else s

    def _needs_mul_brackets(self, expr: Any, first: bool = False, last: bool = False) -> bool:
        """Put a derivative in brackets where another factor follows, which it would seem to act upon."""
        if isinstance(expr, sympy.Derivative) and not last:
            return True
        return bool(super()._needs_mul_brackets(expr, first=first, last=last))

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        """Put a positive term first, if there is one: readers expect 1 - x, not -x + 1."""
        terms = list(super()._as_ordered_terms(expr, order=order))
        first = next((i for i, t in enumerate(terms) if not t.could_extract_minus_sign()), 0)
        # The order of the others stays: it is SymPy's, and the same in every run.
        return [terms[first], *terms[:first], *terms[first + 1 :]]

    def _print_log(self, expr: Any, exp: Any = None) -> str:
        """Return a logarithm with its argument in brackets; a power of it stands behind the word: log^2(x)."""
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\log{power}\left({self._print(expr.args[0])}\right)"


#: What is taller than a line.
_TALL = re.compile(r"\\(frac|sqrt|sum|int|prod|lim|begin|left|big)|\^\{")
_INNERMOST = re.compile(r"\\left\(((?:(?!\\left\b|\\right\b).)*?) ?\\right\)", re.DOTALL)


def _plain_brackets(text: str) -> str:
    """Brackets around what is no taller than a line do not grow."""
    # Innermost ones only: around them a bracket has to be as tall as what is in it.
    return _INNERMOST.sub(lambda m: m[0].replace(" \\right", r"\right") if _TALL.search(m[1]) else f"({m[1]})", text)


def latex(formula: Formula, symbols: Symbols | None = None) -> str:
    r"""LaTeX of the formula, rendered from the same objects that the lenses check.

    Connectives inside of each other get no brackets.

    Args:
        formula: The formula; its sides are shown as they were written, names included.
        symbols: LaTeX of symbols that a page shows otherwise than SymPy would.

    Examples:
        >>> from rgm_verify.claims.formula import chain
        >>> x = sympy.Symbol("x", real=True)
        >>> print(latex(chain(0, "<=", x**2, "<", 1 - x)))
        0 \le x^2 < 1 - x
    """
    match formula:
        case Relation():
            lhs, rhs = (expression_latex(side, symbols) for side in formula.written)
            return _relation_latex(lhs, _sign(formula), rhs)
        case All(parts):
            return _chain_latex(parts, symbols)
        case Either(parts):
            return r" \quad\text{or}\quad ".join(_bracketed(p, symbols, All, Implies, Iff) for p in parts)
        case Implies(left, right):
            sides = (_bracketed(side, symbols, Implies, Iff) for side in (left, right))
            return r" \;\Longrightarrow\; ".join(sides)
        case Iff(left, right):
            sides = (_bracketed(side, symbols, Implies, Iff) for side in (left, right))
            return r" \;\Longleftrightarrow\; ".join(sides)


def _bracketed(formula: Formula, symbols: Symbols | None, *kinds: type) -> str:
    """Return a part of a formula, in brackets where it is of a kind that a reader could take apart.

    Nobody agrees whether "and" binds closer than "or", and an arrow points from everything before it.
    """
    text = latex(formula, symbols)
    # A chain such as 0 < x < 1 is one relation to a reader.
    one = isinstance(formula, All | Either) and len(_groups(formula.parts)) == 1
    return f"({text})" if isinstance(formula, kinds) and not one else text


def _sign(relation: Relation) -> str:
    """Return the sign of a relation in LaTeX, `:=` for a definition."""
    return DEFINITION if relation.definition else _SIGNS[relation.op]


def _relation_latex(lhs: str, sign: str, rhs: str) -> str:
    """Both sides in a row, or, where that would be too long to read, one below the other."""
    # The length of the LaTeX is a rough measure of the width, and good enough to choose a line break.
    if len(lhs) + len(rhs) <= _LONG:
        return f"{lhs} {sign} {rhs}"
    return rf"\begin{{aligned}} & {lhs} \\ & \quad {sign} {rhs} \end{{aligned}}"


def _groups(parts: tuple[Formula, ...]) -> list[list[Formula]]:
    """Return the parts of a conjunction in chains: neighbours that share a side."""
    groups: list[list[Formula]] = []
    for part in parts:
        if groups and _continues(groups[-1][-1], part):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _chain_latex(parts: tuple[Formula, ...], symbols: Symbols | None) -> str:
    """The parts joined by "and"; neighbours that share a side are one chain."""
    texts = [_group_latex(group, symbols) for group in _groups(parts)]
    if sum(map(len, texts)) <= _LONG or len(texts) == 1:
        return r" \quad\text{and}\quad ".join(texts)
    return r"\begin{aligned} & " + r" \\ & \text{and}\quad ".join(texts) + r" \end{aligned}"


def _continues(previous: Formula, part: Formula) -> bool:
    """Return whether a relation begins with the side that the one before it ends in, so that both are one chain."""
    return isinstance(previous, Relation) and isinstance(part, Relation) and previous.written[1] == part.written[0]


def _group_latex(group: list[Formula], symbols: Symbols | None) -> str:
    """Return a chain in a row, or, where that would be too long to read, one relation below the other."""
    chained = [part for part in group if isinstance(part, Relation)]
    if len(chained) < 2:
        return _bracketed(group[0], symbols, Either, Implies, Iff)
    first = expression_latex(chained[0].written[0], symbols)
    rest = [f"{_sign(part)} {expression_latex(part.written[1], symbols)}" for part in chained]
    if len(first) + sum(map(len, rest)) <= _LONG:
        return " ".join([first, *rest])
    return r"\begin{aligned} & " + r" \\ & \quad ".join([first, *rest]) + r" \end{aligned}"


def expression_latex(value: sympy.Expr, symbols: Symbols | None = None) -> str:
    """LaTeX of one expression, logarithms written as log and products in the order SymPy keeps."""
    printer = _Printer({"ln_notation": False, "mul_symbol": None, "symbol_names": dict(symbols or {})})
    return _plain_brackets(_ONE.sub(r"\1\2", printer.doprint(sympy.sympify(value))))


def names(formulas: Iterable[Formula], symbols: Symbols | None = None) -> list[tuple[str, str]]:
    """The names in formulas and what each stands for, in LaTeX; a name comes before those that its expression uses."""
    sides = [side for formula in formulas for relation in relations(formula) for side in relation.written]
    return [(name.title, expression_latex(name.value, symbols)) for name in names_in(sides)]


def control_latex(claim: Claim, mutant: Mutant) -> str:
    """LaTeX of what a control changes: its conclusion, or the hypotheses that it changes and leaves out."""
    if mutant.conclusion is not None:
        return latex(mutant.conclusion, claim.symbols)
    # By name: a hypothesis that is changed keeps its name, and is no dropped one.
    kept = {h.name for h in mutant.hypotheses or ()}
    changed = [h for h in mutant.hypotheses or () if h not in claim.hypotheses]
    dropped = [h for h in claim.hypotheses if h.name not in kept]
    parts = [latex(h.formula, claim.symbols) for h in changed]
    parts += [rf"\text{{without }} {latex(h.formula, claim.symbols)}" for h in dropped]
    return r" ,\quad ".join(parts)
