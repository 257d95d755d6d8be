"""Base of all lenses: settings as data, a signature, and the evidence that a lens may make."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import sympy

from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import FormulaError
from rgm_verify.lenses.settings import stable_text
from rgm_verify.lenses.solvers.second_solver import FAMILY, Cvc5, Opinion, SecondSolver, installed


@dataclass(frozen=True)
class Profile:
    """The effort of a run: counts of points, samples and boxes. No count decides a verdict by itself."""

    name: str
    points: int
    samples: int
    refinements: int
    boxes: int
    smt_steps: int
    simulation_samples: int
    #: Whether a second solver is asked about every answer of z3's, where it is installed.
    second_solver: bool = False


QUICK = Profile(
    "quick", points=12, samples=2_000, refinements=6, boxes=150_000, smt_steps=4_000_000, simulation_samples=60_000
)
FULL = Profile(
    "full",
    points=200,
    samples=60_000,
    refinements=40,
    boxes=4_000_000,
    smt_steps=60_000_000,
    simulation_samples=2_000_000,
    second_solver=True,
)
PROFILES = {p.name: p for p in (QUICK, FULL)}


@dataclass
class Context:
    """The surroundings that a lens may use: the profile, a seed, the other claims, and a place for certificates.

    `proved` says that a lens that ran before has proved the claim, `deduced` that one has from premises. `second` is
    asked about every answer of z3's.
    """

    profile: Profile = QUICK
    seed: int = 0
    claims: Mapping[str, Claim] = field(default_factory=dict)
    certificates: dict[str, dict[str, Any]] = field(default_factory=dict)
    proved: bool = False
    deduced: bool = False
    second: SecondSolver | None = None

    def opinion(self, claim: Claim) -> Opinion:
        """Return what the second solver, if there is one, is going to think of z3's answers about a claim."""
        return Opinion(claim.id, self.second)


def second_solver(profile: Profile) -> SecondSolver | None:
    """The solver that a profile asks beside z3; None if it asks none or none is installed."""
    return Cvc5() if profile.second_solver and installed() else None


def second_versions(profile: Profile) -> dict[str, str]:
    """The version of the second solver that a profile asks for, as far as it asks for one."""
    return {FAMILY: installed() or "not installed"} if profile.second_solver else {}


@dataclass(frozen=True)
class Lens:
    """A way of looking at a claim. Subclasses are frozen dataclasses whose fields are the lens's settings."""

    name: ClassVar[str] = "lens"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NOTE})
    #: Whether a claim that asks for this lens speaks about recorded values only, so that others, which look at every
    #: admissible point, have nothing to say about it or its controls.
    alone: ClassVar[bool] = False

    def signature(self) -> str:
        """The settings as a text that is equal for equal settings, from run to run."""
        return ";".join(f"{f.name}={stable_text(getattr(self, f.name))}" for f in dataclasses.fields(self))

    def refuse(self, claim: Claim) -> None:
        """Raise `ClaimError` for settings that do not fit the claim; asked before anything runs."""

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Look at the claim; an empty list means that the lens has nothing to say."""
        raise NotImplementedError

    def look(self, claim: Claim, context: Context) -> list[Evidence]:
        """Run, and be undecided about a term that the lens cannot work with, so that other lenses go on."""
        try:
            return self.run(claim, context)
        except (FormulaError, UnsupportedExpression, NotImplementedError) as error:
            return [self.undecided((), f"{type(error).__name__}: {error}")]

    def evidence(self, kind: Kind, finding: Finding, families: tuple[str, ...], summary: str, **rest: Any) -> Evidence:
        """Make evidence in this lens's name."""
        return Evidence(kind, finding, families, summary, issuer=self, **rest)

    def against(self, families: tuple[str, ...], summary: str, **details: Any) -> Evidence:
        """Say that something speaks against the claim that exact arithmetic has not confirmed."""
        return self.evidence(Kind.NOTE, Finding.CONTRADICTS, families, f"{self.name}: {summary}", details=details)

    def undecided(self, families: tuple[str, ...], summary: str, **details: Any) -> Evidence:
        """Say that the lens looked and could not tell; `summary` gives the reason."""
        return self.evidence(Kind.NOTE, Finding.UNDECIDED, families, f"{self.name}: {summary}", details=details)


def stray_symbols(claim: Claim, expressions: Iterable[sympy.Expr], also: Iterable[sympy.Symbol] = ()) -> str:
    """Return what an expression in a lens's settings uses and the claim does not declare, as a text; empty if nothing.

    A symbol of a declared name but with other assumptions is such a thing: solvers would take the two for one.
    """
    allowed = {v.symbol for v in claim.variables} | set(also)
    found = sorted({s for e in expressions for s in sympy.sympify(e).free_symbols} - allowed, key=str)
    if not found:
        return ""
    twin = any(s.name == str(found[0]) for s in allowed)
    hint = ", which is not the variable of that name (another domain)" if twin else ""
    return f"the undeclared symbol {found[0]}{hint}; declared are: {', '.join(sorted(map(str, allowed))) or 'none'}"


def fraction_text(value: Fraction) -> str:
    """An exact rational as a reader would write it: 3, 1/7, and powers of ten as 1/100000 or 10^12."""
    return str(value)


def rational(value: Fraction | int) -> sympy.Rational:
    """A Fraction as a SymPy number."""
    value = Fraction(value)
    return sympy.Rational(value.numerator, value.denominator)
