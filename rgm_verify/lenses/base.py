"""What every lens has in common: settings as data, a signature, and the evidence it may make."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any, ClassVar

import sympy

from rgm_verify.claims.claim import Chart, Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import All, Either, Iff, Implies, Relation, canonical, structure


@dataclass(frozen=True)
class Profile:
    """How hard to look: counts of points, samples and boxes. No count decides a verdict by itself."""

    name: str
    points: int
    samples: int
    refinements: int
    boxes: int
    smt_steps: int
    simulation_samples: int


QUICK = Profile(
    "quick", points=12, samples=2_000, refinements=6, boxes=150_000, smt_steps=200_000_000, simulation_samples=60_000
)
FULL = Profile(
    "full",
    points=200,
    samples=60_000,
    refinements=40,
    boxes=4_000_000,
    smt_steps=3_000_000_000,
    simulation_samples=2_000_000,
)
PROFILES = {p.name: p for p in (QUICK, FULL)}


@dataclass
class Context:
    """What a lens may use besides the claim: the profile, a seed, the other claims, and a place for certificates.

    `proved` says that a lens that ran before has proved the claim.
    """

    profile: Profile = QUICK
    seed: int = 0
    claims: Mapping[str, Claim] = field(default_factory=dict)
    certificates: dict[str, dict[str, Any]] = field(default_factory=dict)
    proved: bool = False


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

    def against(self, families: tuple[str, ...], summary: str, **details: Any) -> Evidence:
        """Say that something speaks against the claim that exact arithmetic has not confirmed."""
        return self.evidence(Kind.NOTE, Finding.CONTRADICTS, families, f"{self.name}: {summary}", details=details)

    def undecided(self, families: tuple[str, ...], summary: str, **details: Any) -> Evidence:
        """Say that the lens looked and could not tell; `summary` gives the reason."""
        return self.evidence(Kind.NOTE, Finding.UNDECIDED, families, f"{self.name}: {summary}", details=details)


def stable_text(value: Any) -> str:
    """A text for a setting that does not change from run to run (no memory addresses, no hash order)."""
    if isinstance(value, Relation | All | Either | Implies | Iff):
        return canonical(value)
    if isinstance(value, sympy.Basic):
        return structure(value)
    if isinstance(value, Chart):
        return value.canonical()
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{stable_text(k)}:{stable_text(v)}" for k, v in value.items())) + "}"
    if isinstance(value, tuple | list):
        return "[" + ",".join(stable_text(v) for v in value) + "]"
    if isinstance(value, set | frozenset):
        return "{" + ",".join(sorted(stable_text(v) for v in value)) + "}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = (f"{f.name}={stable_text(getattr(value, f.name))}" for f in dataclasses.fields(value))
        return f"{type(value).__name__}({','.join(fields)})"
    return _callable_text(value, frozenset()) if callable(value) else repr(value)


def _callable_text(value: Any, seen: frozenset[Any]) -> str:
    """What a function does, as a text: its code and constants, its defaults, and what of its own module it uses."""
    if isinstance(value, partial):
        return f"partial({_callable_text(value.func, seen)},{stable_text(value.args)},{stable_text(value.keywords)})"
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    code = getattr(value, "__code__", None)
    if code is None or code in seen:
        return name
    seen |= {code}
    cells = [cell.cell_contents for cell in value.__closure__ or ()]
    used = [value.__globals__[n] for n in sorted(_names(code)) if n in value.__globals__]
    parts = [_part_text(v, value.__module__, seen) for v in (*(value.__defaults__ or ()), *cells, *used)]
    parts.append(stable_text(value.__kwdefaults__ or {}))
    return f"{name}:{_code_text(code)}({','.join(parts)})"


def _part_text(value: Any, module: str, seen: frozenset[Any]) -> str:
    """A thing that a function uses: followed within its own package, named by its name elsewhere."""
    if isinstance(value, ModuleType):
        return value.__name__
    if not callable(value):
        return stable_text(value)
    near = str(getattr(value, "__module__", "")).partition(".")[0] == module.partition(".")[0]
    if near and isinstance(value, type):
        return _class_text(value, seen)
    return _callable_text(value, seen) if near else str(getattr(value, "__qualname__", repr(value)))


def _class_text(value: type, seen: frozenset[Any]) -> str:
    """What a class does: its own methods and properties, but for those that a decorator writes."""
    name = f"{value.__module__}.{value.__qualname__}"
    if value in seen:
        return name
    members = (m.fget if isinstance(m, property) else m for m in vars(value).values())
    written = [m for m in members if isinstance(m, FunctionType) and not m.__code__.co_filename.startswith("<")]
    return f"{name}{{{','.join(_callable_text(m, seen | {value}) for m in written)}}}"


def _names(code: CodeType) -> set[str]:
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*(_names(c) for c in inner))


def _code_text(code: CodeType) -> str:
    constants = (_code_text(c) if isinstance(c, CodeType) else stable_text(c) for c in code.co_consts)
    return f"{code.co_code.hex()}{code.co_names}[{','.join(constants)}]"


def stray_symbols(claim: Claim, expressions: Iterable[sympy.Expr], also: Iterable[sympy.Symbol] = ()) -> str:
    """What an expression in a lens's settings uses and the claim does not declare, as a text; empty if nothing.

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
