"""Base of all lenses: settings as data, a signature, and the evidence that a lens may make.

A lens is a frozen dataclass. Its fields are what an author of a claim may set, `signature` turns
them into the text that stored evidence is keyed by, and `look` is what the engine calls. A lens
makes evidence only through `Lens.evidence`, so that the kind is one that it `grants`; the verdict
reads kinds and findings and never a summary.

A lens promises three things. It supports only what it has shown for all that it speaks of, it
refutes only by an exact point or an exact argument, and it says `undecided`, with the reason, where
it looked and could not tell. No lens trusts its own settings: what an author asserts in them is
proved like anything else.
"""

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


@dataclass(frozen=True)
class Profile:
    """The effort of a run: counts of points, samples and boxes. No count decides a verdict by itself.

    Attributes:
        name: The name on the command line.
        points: Admissible exact points that `Points` asks for, unless the lens sets its own count.
        samples: Rows that a search draws before it refines, at least 1.
        refinements: Rounds in which a search draws around its best rows.
        boxes: Boxes that a region certificate may split its domain into.
        smt_steps: Resource units of z3 for one question; deterministic, where a time limit would not
            be.
        simulation_samples: Releases that a simulation draws.
    """

    name: str
    points: int
    samples: int
    refinements: int
    boxes: int
    smt_steps: int
    simulation_samples: int
    #: Whether every false statement is given to every lens that proves, or one of each kind to those alone that have
    #: proved the claim.
    every_prover: bool = False


# The counts of QUICK keep a run of all claims at minutes; FULL is for what is published. Both are only
# effort: no count turns what was not shown into a proof.
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
    every_prover=True,
)
PROFILES = {p.name: p for p in (QUICK, FULL)}


@dataclass
class Context:
    """The surroundings that a lens may use: the profile, a seed, the other claims, and a place for certificates.

    `proved` says that a lens that ran before has proved the claim, `deduced` that one has from premises.

    Attributes:
        profile: The effort of the run.
        seed: The seed of everything that is drawn; the same seed draws the same points for the same
            claim.
        claims: All claims by id, for lenses that take premises.
        certificates: Filled by lenses, by name, with JSON data that the run keeps beside the evidence.
        looked: Filled by `Lens.look` with the names of the classes that were asked; a copy of a context shares it.
    """

    profile: Profile = QUICK
    seed: int = 0
    claims: Mapping[str, Claim] = field(default_factory=dict)
    certificates: dict[str, dict[str, Any]] = field(default_factory=dict)
    proved: bool = False
    deduced: bool = False
    looked: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Lens:
    """A way of looking at a claim. Subclasses are frozen dataclasses whose fields are the lens's settings.

    A subclass sets `name` and `grants` and implements `run`. A class outside of
    `rgm_verify.lenses.library.HOMES` makes no evidence that counts, whatever it derives from.

    Attributes:
        name: The name that evidence and reports show.
        grants: The kinds of evidence that the lens may make; any other raises `EvidenceError`.
    """

    name: ClassVar[str] = "lens"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NOTE})
    #: Whether a claim that asks for this lens speaks about recorded values only, so that others, which look at every
    #: admissible point, have nothing to say about it or its controls.
    alone: ClassVar[bool] = False

    def signature(self) -> str:
        """The settings as a text that is equal for equal settings, from run to run.

        Returns:
            One text of all fields. Functions are named and not read: their code counts through the
            modules that define them (`rgm_verify.lenses.settings.modules_of`).

        Raises:
            InputError: For a path among the settings that cannot be read.
        """
        return ";".join(f"{f.name}={stable_text(getattr(self, f.name))}" for f in dataclasses.fields(self))

    def refuse(self, claim: Claim) -> None:
        """Raise `ClaimError` for settings that do not fit the claim; asked before anything runs.

        Args:
            claim: The claim that asks for the lens.

        Raises:
            ClaimError: In subclasses, for a setting that could never give evidence about this claim.
                The base refuses nothing.
        """

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Look at the claim; an empty list means that the lens has nothing to say.

        Args:
            claim: The claim, or a control of it: a lens must not assume that what it looks at is true.
            context: The effort, the seed and the other claims.

        Returns:
            Evidence made by `evidence`, `against` or `undecided`.

        Raises:
            FormulaError: For a formula that the lens has no form for; `look` makes an undecided note of
                it.
            UnsupportedExpression: The same, for a term without a ball program.
            NotImplementedError: The same, for what SymPy cannot do.
        """
        raise NotImplementedError

    def look(self, claim: Claim, context: Context) -> list[Evidence]:
        """Run, and be undecided about a term that the lens cannot work with, so that other lenses go on.

        Other exceptions are defects and end the judging of the claim with an error.

        Args:
            claim: The claim, or a control of it.
            context: The effort, the seed and the other claims.

        Returns:
            What `run` found, or one undecided note without a family.
        """
        context.looked.add(type(self).__name__)
        try:
            return self.run(claim, context)
        # These three say that a term is beyond the lens. Anything else would hide a fault of the lens
        # behind "undecided".
        except (FormulaError, UnsupportedExpression, NotImplementedError) as error:
            return [self.undecided((), f"{type(error).__name__}: {error}")]

    def evidence(self, kind: Kind, finding: Finding, families: tuple[str, ...], summary: str, **rest: Any) -> Evidence:
        """Make evidence in this lens's name.

        Args:
            kind: A kind that the lens grants.
            finding: The direction in which it points.
            families: The bodies of code that took part, each by itself.
            summary: One sentence for the report.
            **rest: `details` (JSON data) and `premises` (ids of claims).

        Raises:
            EvidenceError: For a kind that the lens does not grant or a family that is not known.
        """
        return Evidence(kind, finding, families, summary, issuer=self, **rest)

    def against(self, families: tuple[str, ...], summary: str, **details: Any) -> Evidence:
        """Say that something speaks against the claim that exact arithmetic has not confirmed.

        A note that contradicts refutes nothing; it keeps the claim from being decided by anything less
        than a proof.

        Args:
            families: The bodies of code that found it.
            summary: The finding in one sentence, without the name of the lens.
            **details: JSON data for the report.
        """
        return self.evidence(Kind.NOTE, Finding.CONTRADICTS, families, f"{self.name}: {summary}", details=details)

    def undecided(self, families: tuple[str, ...], summary: str, **details: Any) -> Evidence:
        """Say that the lens looked and could not tell; `summary` gives the reason.

        Args:
            families: The bodies of code that looked; empty if none did.
            summary: The reason in one sentence, without the name of the lens.
            **details: JSON data for the report.
        """
        return self.evidence(Kind.NOTE, Finding.UNDECIDED, families, f"{self.name}: {summary}", details=details)


def stray_symbols(claim: Claim, expressions: Iterable[sympy.Expr], also: Iterable[sympy.Symbol] = ()) -> str:
    """Return what an expression in a lens's settings uses and the claim does not declare, as a text; empty if nothing.

    A symbol of a declared name but with other assumptions is such a thing: solvers would take the two for one.

    Args:
        claim: The claim whose variables are declared.
        expressions: Expressions from the settings of a lens.
        also: Symbols that the lens allows beside the variables, such as the axes of a chart.

    Returns:
        A clause that names the first stray symbol, for "it uses ...", or an empty text.
    """
    allowed = {v.symbol for v in claim.variables} | set(also)
    found = sorted({s for e in expressions for s in sympy.sympify(e).free_symbols} - allowed, key=str)
    if not found:
        return ""
    # SymPy prints both symbols alike, so that without the hint the message would contradict itself.
    twin = any(s.name == str(found[0]) for s in allowed)
    hint = ", which is not the variable of that name (another domain)" if twin else ""
    return f"the undeclared symbol {found[0]}{hint}; declared are: {', '.join(sorted(map(str, allowed))) or 'none'}"


def fraction_text(value: Fraction) -> str:
    """An exact rational as a reader would write it: 3, 1/7, and powers of ten as 1/100000 or 10^12.

    Examples:
        >>> fraction_text(Fraction(2, 14))
        '1/7'
    """
    return str(value)


def rational(value: Fraction | int) -> sympy.Rational:
    """A Fraction as a SymPy number.

    Args:
        value: An exact number.

    Returns:
        The same number, exactly.

    Examples:
        >>> rational(Fraction(3, 6))
        1/2
    """
    value = Fraction(value)
    return sympy.Rational(value.numerator, value.denominator)
