"""Scaling laws: a statement says the same before and after a change of units, hypotheses and domains included.

`Units` compares the two sides of a conclusion by weights. Here a change is given by what becomes of each variable, such
as `C -> s C` with `rho -> rho / s`, and every relation of the claim has to be equivalent to what it becomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim, Variable
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Relation, relations
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.worlds.exact import is_control

#: By how much a unit changes: a name that no variable of a claim has.
S = sympy.Symbol("change of unit", positive=True)
Change = Mapping[sympy.Symbol, sympy.Expr]


@dataclass(frozen=True)
class Scaling(Lens):
    """Check that the claim is the same after `change`, which is one for every positive `S`; `says` names it.

    `broken` are changes that leave something out; each has to change the claim, or the lens is undecided. Only
    variables that it moves are named in a change. A claim that does not scale need not be false: this is a note.

    Attributes:
        says: The change in words.
        change: What becomes of each variable that it moves, in the variables and `S`.
        broken: Changes that leave something out, by name; at least one is needed.
    """

    says: str = ""
    change: Change = field(default_factory=dict)
    broken: Mapping[str, Change] = field(default_factory=dict)

    name: ClassVar[str] = "scaling"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Compare every relation, and the domains, before and after; every control must be noticed."""
        if claim.conclusion is None or not self.change or is_control(claim, context):
            return []
        changed = first_change(claim, self.change)
        if changed is not None:
            return [self.undecided(("sympy",), f"{self.says}: {changed} does not stay the same")]
        survivors = [name for name, change in self.broken.items() if first_change(claim, change) is None]
        if survivors or not self.broken:
            reason = f"the control {survivors[0]!r} was not noticed" if survivors else "no control was given"
            return [self.undecided(("sympy",), f"{self.says}: {reason}")]
        summary = f"{self.says}: hypotheses and conclusion stay the same; noticed controls: {', '.join(self.broken)}"
        return [self.evidence(Kind.NOTE, Finding.SUPPORTS, ("sympy",), summary)]


def first_change(claim: Claim, change: Change) -> str | None:
    """Return the name of the first part of the claim that `change` alters, or None: domains, then hypotheses, then
    conclusion.

    Args:
        change: What becomes of each variable.
    """
    for variable in claim.variables:
        if variable.symbol in change and not _keeps_domain(variable, sympy.sympify(change[variable.symbol])):
            return f"the domain of {variable.symbol}"
    for hypothesis in claim.hypotheses:
        if not _all_equivalent(relations(hypothesis.formula), change):
            return f"the hypothesis {hypothesis.name!r}"
    conclusion = () if claim.conclusion is None else relations(claim.conclusion)
    return None if _all_equivalent(conclusion, change) else "the conclusion"


def _keeps_domain(variable: Variable, image: sympy.Expr) -> bool:
    """Return whether a multiple of a variable runs through its domain: the line, or what is above 0."""
    whole = (variable.lower is None or variable.lower == 0) and variable.upper is None and not variable.integer
    factor = sympy.simplify(image / variable.symbol)
    return whole and factor.is_positive is True and factor.free_symbols <= {S}


def _all_equivalent(parts: Iterable[Relation], change: Change) -> bool:
    return all(_equivalent(relation, change) for relation in parts)


def _equivalent(relation: Relation, change: Change) -> bool:
    """Return whether the gap is only multiplied with a power of `S`: found by doubling the unit, and then checked.

    A positive factor leaves the sign of the gap, and with it the relation, as it was.
    """
    gap = sympy.together(evaluated(relation.gap))
    if gap == 0:
        return True
    moved = gap.subs(dict(change), simultaneous=True)
    # Doubling the unit suggests the degree; it is believed only after the check for every unit.
    power = sympy.simplify(moved.subs(S, 2) / gap)
    degree = sympy.simplify(sympy.log(power, 2)) if power.is_number and power.is_positive else None
    return degree is not None and bool(degree.is_number) and bool(is_zero(moved - S**degree * gap))
