"""The parts of a claim: variables with their domains, hypotheses, charts, controls, steps, and how tight a bound is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeAlias

import sympy

from rgm_verify.claims.fields import wrong_fields
from rgm_verify.claims.formula import Formula, Relation, structure
from rgm_verify.claims.notation import spelled
from rgm_verify.claims.theorem import Theorem, TheoremError

__all__ = [
    "ID",
    "LONGEST_ID",
    "Category",
    "Chart",
    "Check",
    "ClaimError",
    "Hypothesis",
    "Mutant",
    "Quantifier",
    "Step",
    "Tightness",
    "Variable",
    "holds_integer",
    "natural",
    "nonnegative",
    "positive",
    "real",
    "symbol_of",
]

Exact: TypeAlias = int | Fraction | sympy.Rational


# An id is the name of files and a word of the command line: nothing in it needs quotes anywhere.
ID = re.compile(r"[a-z0-9][a-z0-9.+-]*(:[a-z0-9][a-z0-9._-]*)?")


#: Files are named after ids, with up to 70 characters more, and file systems take 255.
LONGEST_ID = 150


class ClaimError(ValueError):
    """A claim that cannot be judged as it is written; the message names the claim and what to change."""


class Check(Protocol):
    """A check that a claim may ask for: a lens with its settings (see `rgm_verify.lenses`)."""

    @property
    def name(self) -> str:
        """The lens's name in the ledger."""
        ...

    def signature(self) -> str:
        """The settings as a text: part of what the evidence is keyed by."""
        ...


@dataclass(frozen=True)
class Variable:
    """A real variable (or an integer one) with its domain; ends are exact, None is infinite.

    `latex` is how pages show it, if not as SymPy would show its symbol.

    Attributes:
        symbol: A symbol that assumes no more and no less than the domain implies.
        meaning: The meaning in words.
        lower: The lower end, None for minus infinity.
        upper: The upper end, None for infinity.
        lower_open: Whether the lower end is left out.
        upper_open: Whether the upper end is left out.
        integer: Whether it is an integer.
    """

    symbol: sympy.Symbol
    meaning: str = ""
    lower: Fraction | None = None
    upper: Fraction | None = None
    lower_open: bool = False
    upper_open: bool = False
    integer: bool = False
    # How it is shown is no part of what it is: evidence stays when a page shows another letter.
    latex: str = field(default="", compare=False, repr=False)

    def domain(self) -> tuple[Relation, ...]:
        """The variable's domain as relations, those that the symbol's declaration already implies included.

        They are all there because solvers know nothing of what SymPy assumes of a symbol.
        """
        found = []
        if self.lower is not None:
            found.append(Relation(self.symbol, ">" if self.lower_open else ">=", _rational(self.lower)))
        if self.upper is not None:
            found.append(Relation(self.symbol, "<" if self.upper_open else "<=", _rational(self.upper)))
        return tuple(found)


def _rational(value: Exact) -> sympy.Rational:
    """Return an exact number as SymPy's, for the sides of relations."""
    return value if isinstance(value, sympy.Rational) else sympy.Rational(value.numerator, value.denominator)


def _exact(value: Exact | None, name: str) -> Fraction | None:
    """Return an end of a domain as a fraction.

    Args:
        value: An exact number.
        name: The name of the end, for the message.

    Raises:
        ClaimError: For a float or anything else that is not exact.
    """
    if value is None:
        return None
    # A float is not the number that its author wrote: 0.1 is a little more than a tenth.
    if isinstance(value, bool | float) or not isinstance(value, int | Fraction | sympy.Rational):
        raise ClaimError(f"{name}={value!r}: an end of a domain is an int, a Fraction or a sympy.Rational, or None")
    return Fraction(int(value.numerator), int(value.denominator))


def real(
    name: str,
    meaning: str = "",
    *,
    lower: Exact | None = None,
    upper: Exact | None = None,
    lower_open: bool = False,
    upper_open: bool = False,
    integer: bool = False,
    latex: str = "",
) -> Variable:
    """A variable named `name` (a LaTeX-able SymPy name) on the interval from `lower` to `upper`.

    Pages show it as `latex`, if that is given.

    The SymPy symbol carries the sign that the domain implies, so simplification may use it;
    nothing else is assumed of it.

    Args:
        name: The name of the symbol.
        meaning: The meaning in words, for the report.
        lower: An exact end; None for minus infinity.
        upper: An exact end; None for infinity.
        lower_open: Whether the lower end is left out.
        upper_open: Whether the upper end is left out.
        integer: Whether it is an integer.
        latex: LaTeX for the pages.

    Raises:
        ClaimError: For an end that is not exact, and a domain without a point.

    Examples:
        >>> x = real("x", lower=0, upper=1, upper_open=True)
        >>> [str(relation) for relation in x.domain()], x.symbol.is_nonnegative
        (['x >= 0', 'x < 1'], True)
    """
    # A number or nothing in the place of the name would become a symbol that no page can show.
    given: Any = name
    if not isinstance(given, str) or not given.strip():
        raise ClaimError(f"name={name!r}: a variable needs a name, such as 'x' or 'alpha'")
    low, high = _exact(lower, f"{name}.lower"), _exact(upper, f"{name}.upper")
    # Over an empty domain every statement is true, and none says anything.
    if low is not None and high is not None and (low > high or (low == high and (lower_open or upper_open))):
        raise ClaimError(f"{name}: the domain from {low} to {high} is empty")
    if integer and low is not None and high is not None and not holds_integer(low, high, lower_open, upper_open):
        raise ClaimError(f"{name}: there is no integer from {low} to {high}")
    symbol = symbol_of(name, low, lower_open=lower_open, integer=integer)
    return Variable(symbol, meaning, low, high, lower_open, upper_open, integer, latex)


def holds_integer(low: Fraction, high: Fraction, lower_open: bool, upper_open: bool) -> bool:
    """Return whether an integer lies between two ends.

    Args:
        low: The lower end.
        high: The upper end.
        lower_open: Whether the lower end is left out.
        upper_open: Whether the upper end is left out.

    Examples:
        >>> holds_integer(Fraction(1, 2), Fraction(1), False, False)
        True
        >>> holds_integer(Fraction(0), Fraction(1), True, True)
        False
    """
    # The first integer from the lower end on: the floor plus 1, or the ceiling.
    first = low.numerator // low.denominator + 1 if lower_open else -(-low.numerator // low.denominator)
    return first < high or (first == high and not upper_open)


def symbol_of(name: str, lower: Fraction | None, *, lower_open: bool, integer: bool) -> sympy.Symbol:
    """Return the symbol of a domain: real or integer, with the sign that the lower end implies.

    An upper end gives the symbol no sign: claims have few negative variables, and a symbol that assumes less than its
    domain loses a simplification and no truth.

    Args:
        lower: The lower end of the domain.
        lower_open: Whether that end is left out.
        integer: Whether it is an integer.
    """
    # Without `real` or `integer` SymPy computes with complex numbers, and simplifies less.
    assumptions: dict[str, bool] = {"integer": True} if integer else {"real": True}
    # No more than the domain says: SymPy simplifies by it, and proofs would rest on it.
    if lower is not None and (lower > 0 or (lower == 0 and lower_open)):
        assumptions["positive"] = True
    elif lower is not None and lower == 0:
        assumptions["nonnegative"] = True
    return sympy.Symbol(name, **assumptions)


def positive(
    name: str, meaning: str = "", *, upper: Exact | None = None, upper_open: bool = False, latex: str = ""
) -> Variable:
    """A variable on (0, upper), unbounded unless `upper` is given.

    The upper end belongs to it unless `upper_open` says otherwise, so that the interval is then (0, upper].

    Examples:
        >>> [str(relation) for relation in positive("t", upper=2).domain()]
        ['t > 0', 't <= 2']
    """
    return real(name, meaning, lower=0, lower_open=True, upper=upper, upper_open=upper_open, latex=latex)


def nonnegative(name: str, meaning: str = "", *, upper: Exact | None = None, latex: str = "") -> Variable:
    """A variable on [0, upper], unbounded unless `upper` is given."""
    return real(name, meaning, lower=0, upper=upper, latex=latex)


def natural(name: str, meaning: str = "", *, lower: int = 1, upper: int | None = None, latex: str = "") -> Variable:
    """An integer variable from `lower` (1 unless given).

    Both ends belong to it.

    Examples:
        >>> n = natural("n", lower=0)
        >>> n.integer, n.symbol.is_integer, [str(relation) for relation in n.domain()]
        (True, True, ['n >= 0'])
    """
    return real(name, meaning, lower=lower, upper=upper, integer=True, latex=latex)


@dataclass(frozen=True)
class Hypothesis:
    """An assumption of a statement beyond the domains of its variables.

    `where` is the place of the source that assumes it; `by` are the ids of claims that justify it where the source
    does not assume it but shows it.

    Attributes:
        name: A name that is told when it fails or is dropped.
        formula: What is assumed.
        where: The place of the source.
        by: Ids of claims; the verdict is then no stronger than theirs.
    """

    name: str
    formula: Formula
    where: str = ""
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chart:
    """Coordinates on the set where a claim speaks: closed rational ranges, maps to the claim's variables.

    With `inverse` (each coordinate as an expression in the variables) a lens can check that the chart covers
    every admissible point; without it the chart only serves for choosing points.

    Attributes:
        ranges: Both ends for each coordinate; None is infinite.
        maps: Each variable in the coordinates.
        inverse: Each coordinate in the variables.
    """

    ranges: Mapping[sympy.Symbol, tuple[Exact | None, Exact | None]]
    maps: Mapping[sympy.Symbol, sympy.Expr]
    inverse: Mapping[sympy.Symbol, sympy.Expr] | None = None

    def canonical(self) -> str:
        """A text equal for equal charts, which is a part of a claim's signature.

        The order of coordinates counts: boxes are cut along them in this order.
        """
        parts = [f"{s}:{self.ranges[s]}" for s in self.ranges]
        parts += [f"{structure(s)}->{structure(sympy.sympify(e))}" for s, e in self.maps.items()]
        parts += [f"{structure(s)}<-{structure(sympy.sympify(e))}" for s, e in (self.inverse or {}).items()]
        return ";".join(parts)


@dataclass(frozen=True)
class Mutant:
    """A negative control: the claim with something wrong in it, which its lenses must refute.

    Give `conclusion` or `hypotheses` (or both) to replace those of the claim.

    Attributes:
        name: The mistake in words.
        conclusion: Another conclusion.
        hypotheses: Other hypotheses, all of them.
    """

    name: str
    conclusion: Formula | None = None
    hypotheses: tuple[Hypothesis, ...] | None = None


@dataclass(frozen=True)
class Step:
    """One step of a derivation, in our words (`$...$` marks formulas), and what carries it.

    That is a claim, or a theorem that is quoted: `met` then says of each of its conditions why it holds, by the id of a
    claim or by a sentence. A step without a text is a mere dependency. Whatever a step names, the claim rests on.
    In the place of an id, `claim` may be a `Premise` (see `rgm_verify.lenses`), which is kept as `premise`.

    Attributes:
        text: The step in words.
        claim: An id, or a premise.
        theorem: A theorem that is quoted.
        met: A reason for each of its conditions.
        premise: The premise that `claim` was given as.

    Raises:
        ClaimError: For a step that says nothing, and for a theorem without a reason for a condition.
    """

    text: str = ""
    claim: Any = None
    theorem: Theorem | None = None
    met: Mapping[str, str] = field(default_factory=dict)
    premise: Any = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if is_premise(self.claim):
            # The step keeps the id, for whoever follows what the claim rests on, and the whole premise for the
            # deduction.
            object.__setattr__(self, "premise", self.claim)
            object.__setattr__(self, "claim", self.claim.claim)
        if not isinstance(self.claim, str | None):
            raise ClaimError(f"a step of a derivation: claim={self.claim!r}: expected the id of a claim, or a Premise")
        for fault in wrong_fields(self):
            raise ClaimError(f"a step of a derivation: {fault}")
        # Reasons for no conditions would be shown nowhere.
        if self.theorem is None and self.met:
            raise ClaimError(f"met={self.met!r}: only a step that quotes a theorem has conditions to meet")
        # An empty step would be a line of a derivation that nobody wrote.
        if not self.text and self.claim is None and self.theorem is None:
            raise ClaimError("a step of a derivation says nothing: give a text, the id of a claim, or a theorem")
        # A theorem without its conditions is the most common gap of a derivation.
        try:
            if self.theorem is not None:
                self.theorem.refuse(self.met)
        except TheoremError as error:
            raise ClaimError(f"a step of a derivation: {error}") from error

    def names(self) -> tuple[str, ...]:
        """The ids of the claims that the step rests on, those by which a theorem's conditions are met included."""
        # A reason that has the form of an id is one; a sentence has blanks, and never that form.
        reasons = tuple(reason for reason in self.met.values() if ID.fullmatch(reason))
        return (self.claim, *reasons) if self.claim else reasons


def is_premise(value: object) -> bool:
    """Return whether `value` is another claim taken at a substitution, as a deduction takes it.

    It is asked by what it has, and not by its class: premises belong to the lenses, which import this module.
    """
    return not isinstance(value, type) and hasattr(value, "claim") and hasattr(value, "where_it_applies")


@dataclass(frozen=True)
class Tightness:
    """A ratio (or gap) whose certified range over a closed box tells how loose an inequality is.

    Attributes:
        ratio: The ratio or the gap.
        ranges: A closed range for each variable of it.
        meaning: The ratio in words.
        plot: The variable of the curve.
        at: Values of the others along the curve.
        written: The ratio with the names that pages show.
    """

    ratio: sympy.Expr
    ranges: Mapping[sympy.Symbol, tuple[Exact, Exact]]
    meaning: str
    plot: tuple[sympy.Symbol, ...] = ()
    at: Mapping[sympy.Symbol, Exact] = field(default_factory=dict)
    written: sympy.Expr | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Pages show it with its names, and lenses get it without.
        object.__setattr__(self, "written", self.ratio)
        object.__setattr__(self, "ratio", spelled(self.ratio))


Quantifier: TypeAlias = Literal["forall", "exists"]


Category: TypeAlias = Literal[
    "misprint", "missing hypothesis", "wrong constant", "does not follow", "inconsistent definition", "false"
]
