"""What every lens has in common: settings as data, a signature, and the evidence it may make."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses.settings import stable_text


@dataclass(frozen=True)
class Profile:
    """How hard to look: counts of points, samples and boxes. No count decides a verdict by itself."""

    name: str
    points: int
    samples: int
    refinements: int
    boxes: int
    smt_milliseconds: int
    simulation_samples: int


QUICK = Profile(
    "quick", points=12, samples=2_000, refinements=6, boxes=150_000, smt_milliseconds=8_000, simulation_samples=60_000
)
FULL = Profile(
    "full",
    points=200,
    samples=60_000,
    refinements=40,
    boxes=4_000_000,
    smt_milliseconds=120_000,
    simulation_samples=2_000_000,
)
PROFILES = {p.name: p for p in (QUICK, FULL)}


@dataclass
class Context:
    """What a lens may use besides the claim: the profile, a seed, the other claims, and a place for certificates."""

    profile: Profile = QUICK
    seed: int = 0
    claims: Mapping[str, Claim] = field(default_factory=dict)
    certificates: dict[str, dict[str, Any]] = field(default_factory=dict)


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

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Look at the claim; an empty list means that the lens has nothing to say."""
        raise NotImplementedError

    def evidence(self, kind: Kind, finding: Finding, families: tuple[str, ...], summary: str, **rest: Any) -> Evidence:
        """Make evidence in this lens's name."""
        return Evidence(kind, finding, families, summary, issuer=self, **rest)

    def undecided(self, families: tuple[str, ...], summary: str, **details: Any) -> Evidence:
        """Say that the lens looked and could not tell; `summary` gives the reason."""
        return self.evidence(Kind.NOTE, Finding.UNDECIDED, families, f"{self.name}: {summary}", details=details)


def fraction_text(value: Fraction) -> str:
    """An exact rational as a reader would write it: 3, 1/7, and powers of ten as 1/100000 or 10^12."""
    return str(value)


def rational(value: Fraction | int) -> sympy.Rational:
    """A Fraction as a SymPy number."""
    value = Fraction(value)
    return sympy.Rational(value.numerator, value.denominator)
