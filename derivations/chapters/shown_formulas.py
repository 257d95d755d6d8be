r"""Formulas of a page, compared with those that claims judge.

A page shows a formula in the letters and the order of the source. Here its LaTeX is read, as `rgm-verify check --latex`
reads it, and compared with the expression of a claim; a formula with another value is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from sympy import Expr, N, Rational, Symbol

from rgm_verify.claims import Claim, Relation
from rgm_verify.claims.formula import relations
from rgm_verify.claims.notation import names_in
from rgm_verify.statements.checking import read
from rgm_verify.statements.latex.reading import read_latex

#: Two values of 30 digits that differ by less than this share are one.
_CLOSE = Rational(1, 10**20)
_POINTS = 3


@dataclass(frozen=True)
class Shown:
    """A formula as a page shows it, and what it has to be worth.

    Attributes:
        latex: What is shown.
        judged: Parts of it, and the expressions of claims that they stand for; a part without a value, such as an
            event, has to stand in a name of the claim.
        letters: LaTeX in the parts that stands for an expression; every other letter is the symbol of its name.
    """

    latex: str
    judged: Mapping[str, Expr | str]
    letters: Mapping[str, Expr] = field(default_factory=dict)

    def compare(self) -> None:
        """Compare each part with its expression.

        Raises:
            ValueError: For a part that is not in the formula, or that is not its expression.
        """
        for part, judged in self.judged.items():
            if part not in self.latex:
                raise ValueError(f"{part}: it is no part of {self.latex}")
            if isinstance(judged, str):
                if _plain(part) not in _plain(judged):
                    raise ValueError(f"{part}: the claim has {judged}")
                continue
            value = self._value(part, judged)
            if not _equal(value, judged):
                raise ValueError(f"{part}: it is read as {value}, and the claim has {judged}")

    def _value(self, part: str, judged: Expr) -> Expr:
        """Return the expression that LaTeX stands for, in the symbols of an expression and of the letters."""
        meant: dict[str, Expr] = {s.name: s for e in (judged, *self.letters.values()) for s in e.free_symbols}
        text = part
        # The longest first: one may be part of another. A letter or a word such as \rho keeps its name.
        for number, (latex, value) in enumerate(sorted(self.letters.items(), key=lambda item: -len(item[0]))):
            if latex.lstrip("\\").isalpha():
                meant[latex.lstrip("\\")] = value
            else:
                text = text.replace(latex, f" z_{{{number}}} ")
                meant[f"z_{number}"] = value
        (one,) = read_latex(f"{text} = 0")
        found = relation(read(one.text)[1].claim).lhs
        unknown = sorted(s.name for s in found.free_symbols if s.name not in meant)
        if unknown:
            raise ValueError(f"{part}: the claim has no {', '.join(unknown)}; it has {', '.join(sorted(meant))}")
        return found.subs({s: meant[s.name] for s in found.free_symbols}, simultaneous=True)


def _plain(latex: str) -> str:
    """Return LaTeX with one spelling of epsilon."""
    return latex.replace(r"\varepsilon", r"\epsilon")


def _equal(one: Expr, other: Expr) -> bool:
    """Return whether two expressions have the same value at a few exact points."""
    symbols: list[Symbol] = sorted(one.free_symbols | other.free_symbols, key=str)
    for start in range(_POINTS):
        # Distinct rationals in (0, 1), where every letter of the five formulas has a meaning.
        at = {s: Rational(1, 2 + start + 3 * k) for s, k in zip(symbols, count(), strict=False)}
        values = [N(side.subs(at), 30) for side in (one, other)]
        if not all(v.is_number and v.is_finite for v in values):
            raise ValueError(f"{one}: it has no value at {at}")
        if abs(values[0] - values[1]) > _CLOSE * (1 + abs(values[1])):
            return False
    return True


def relation(claim: Claim) -> Relation:
    """The last relation of the conclusion of a claim."""
    if claim.conclusion is None:
        raise TypeError(f"{claim.id}: it has no formula")
    return list(relations(claim.conclusion))[-1]


def titled(claim: Claim, title: str) -> Expr:
    """The expression that a claim gives a name to.

    Args:
        claim: The claim.
        title: The name in LaTeX.

    Raises:
        ValueError: For a name that the formula of the claim does not have.
    """
    found = [name.value for name in names_in(relation(claim).written) if name.title == title]
    if not found:
        raise ValueError(f"{claim.id}: it has no name {title}")
    return found[0]


def symbol(claim: Claim, name: str) -> Symbol:
    """The symbol of a variable of a claim by its name."""
    found = [v.symbol for v in claim.variables if v.symbol.name == name]
    if not found:
        raise ValueError(f"{claim.id}: it has no variable {name}")
    return found[0]
