r"""The formula that a claim judges, compared with the one that its source prints, where that is LaTeX that is read.

A page may give `printed`, the LaTeX of the source. Here it is read, and its sides are compared with those of the
conclusion at a few exact points of the domain. A difference is told and changes no verdict: many claims judge another
form of what is printed, and say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Final

import sympy

from rgm_verify.claims.claim import Claim, Variable
from rgm_verify.claims.formula import Relation, relations
from rgm_verify.errors import InputError
from rgm_verify.numbers.counted import counted
from rgm_verify.statements.checking import read
from rgm_verify.statements.latex.reading import read_latex

__all__ = ["differences", "printed_against_judged"]

_STEPS: Final = (Fraction(1, 3), Fraction(3, 7), Fraction(5, 8))
_TURNED: Final = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}
#: Two values of 30 digits that differ by less than this share are one.
_CLOSE: Final = sympy.Float("1e-20", 30)


def printed_against_judged(claim: Claim) -> str:
    r"""Return a sentence on the printed formula of a claim; empty without one.

    Args:
        claim: A claim with `printed`.

    Examples:
        >>> from rgm_verify.claims.claim import positive
        >>> from rgm_verify.claims.formula import le
        >>> x = positive("x")
        >>> for right in (r"x - 1", r"x + 1"):
        ...     made = Claim("own:a", "A", variables=(x,), conclusion=le(sympy.log(x.symbol), x.symbol - 1),
        ...                  printed=rf"\log x \le {right}")
        ...     print(printed_against_judged(made))
        printed is read as `log(x) <= x - 1`, the formula that is judged
        printed is read as `log(x) <= x + 1`, which is not the formula that is judged: at x = 1/3 a side is 1.33333, ...
    """
    if not claim.printed or claim.conclusion is None:
        return ""
    try:
        one = read_latex(claim.printed, alone=False)[0]
        made = read(one.text)[1].claim
    except InputError as error:
        problem = getattr(error, "problem", str(error)).splitlines()[0]
        return f"printed is not read ({problem}), and not compared with the formula that is judged"
    said = f"printed is read as `{one.text}`"
    difference = _difference(claim, made)
    if not difference:
        return f"{said}, the formula that is judged"
    return f"{said}, which is not the formula that is judged: {difference}"


def differences(claims: Sequence[Claim]) -> Iterator[str]:
    """Yield a line for each claim whose printed formula is read and is not the one that is judged."""
    for claim in claims:
        said = printed_against_judged(claim)
        if "which is not" in said:
            yield f"{claim.id}: {said}"


def _names(variable: Variable) -> set[str]:
    """Return the names that a variable may have in the reading of LaTeX."""
    found = {variable.symbol.name}
    if variable.latex:
        with suppress(InputError):
            found.add(read_latex(f"{variable.latex} = 0", alone=False)[0].text.partition(" = ")[0])
    return found | {re.sub(r"^(.+?)_?([0-9]+)$", r"\1_\2", variable.symbol.name)}


def _difference(claim: Claim, made: Claim) -> str:
    """Return how two claims differ in what they say; empty where no difference was found."""
    assert claim.conclusion is not None  # noqa: S101 - the caller looked
    assert made.conclusion is not None  # noqa: S101 - a statement has one
    judged, printed = list(relations(claim.conclusion)), list(relations(made.conclusion))
    known = {name: v.symbol for v in claim.variables for name in _names(v)}
    foreign = [v.symbol.name for v in made.variables if v.symbol.name not in known]
    if foreign:
        return f"the claim has no variable {', '.join(foreign)}"
    if len(judged) != len(printed):
        return f"it has {counted(len(printed), 'relation')}, and the judged formula has {len(judged)}"
    own = {v.symbol: known[v.symbol.name] for v in made.variables}
    for step in _STEPS:
        at = {v.symbol: _inside(v, step) for v in claim.variables}
        for one, other in zip(printed, judged, strict=True):
            sides = [(s.subs(own), t) for s, t in _paired(one, other)]
            if not sides:
                return f"{one.op} stands where the judged formula has {other.op}"
            for first, second in sides:
                values = [sympy.N(side.subs(at), 30) for side in (first, second)]
                if all(v.is_number for v in values) and abs(values[0] - values[1]) > _CLOSE * (1 + abs(values[1])):
                    where = ", ".join(
                        f"{s} = {at[s]}" for s in sorted(first.free_symbols | second.free_symbols, key=str)
                    )
                    shown = " and ".join(str(sympy.N(v, 6)) for v in values)
                    return f"at {where or 'no point'} a side is {shown.replace(' and ', ', and as judged ')}"
    return ""


def _paired(one: Relation, other: Relation) -> list[tuple[sympy.Expr, sympy.Expr]]:
    """Return the sides that have to be equal, also where one relation is the other turned around."""
    if one.op == other.op:
        return [(one.lhs, other.lhs), (one.rhs, other.rhs)]
    if _TURNED.get(one.op) == other.op:
        return [(one.rhs, other.lhs), (one.lhs, other.rhs)]
    return []


def _inside(variable: Variable, step: Fraction) -> sympy.Rational:
    """Return a point of a domain."""
    low, high = variable.lower, variable.upper
    if low is None:
        value = (high if high is not None else Fraction(1)) - step
    else:
        width = Fraction(1) if high is None else min(Fraction(1), high - low)
        value = low + step * width
    if variable.integer:
        value = Fraction(int(value) + (1 if low is not None else 0))
        value = min(value, Fraction(high)) if high is not None else value
    return sympy.Rational(value.numerator, value.denominator)
