"""Claims: statements with their hypotheses as data, their controls, and where they stand in a source.

A claim is refused when it is made if it cannot mean what its author wants: an undeclared symbol, a symbol with other
assumptions than its domain, an empty domain, a control that changes nothing, a field of another kind. Whatever is left
to the lenses is mathematics. A claim never holds its verdict.

Claims are frozen data without behaviour of their own. Pages make them (`rgm_verify.claims.page`), lenses judge them
(`rgm_verify.lenses`), and what is found is kept beside them (`rgm_verify.claims.outcome`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from typing import Any, Literal, Protocol, TypeAlias, get_args

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits

from rgm_verify.balls.binding import ends_in_disorder
from rgm_verify.claims.fields import wrong_fields
from rgm_verify.claims.formula import (
    All,
    Either,
    Formula,
    FormulaError,
    Iff,
    Implies,
    Relation,
    canonical,
    expression,
    is_constant,
    negation,
    refuse_other,
    relations,
    structure,
    substitute,
    symbols_of,
)
from rgm_verify.claims.notation import spelled, spelled_throughout
from rgm_verify.claims.scope import SCOPES, Scope
from rgm_verify.claims.theorem import Theorem, TheoremError
from rgm_verify.claims.written.notebook import math, table

Exact: TypeAlias = int | Fraction | sympy.Rational
# An id is the name of files and a word of the command line: nothing in it needs quotes anywhere.
_ID = re.compile(r"[a-z0-9][a-z0-9.+-]*(:[a-z0-9][a-z0-9._-]*)?")
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
    if integer and low is not None and high is not None and not _holds_integer(low, high, lower_open, upper_open):
        raise ClaimError(f"{name}: there is no integer from {low} to {high}")
    symbol = _symbol(name, low, lower_open=lower_open, integer=integer)
    return Variable(symbol, meaning, low, high, lower_open, upper_open, integer, latex)


def _holds_integer(low: Fraction, high: Fraction, lower_open: bool, upper_open: bool) -> bool:
    """Return whether an integer lies between two ends.

    Args:
        low: The lower end.
        high: The upper end.
        lower_open: Whether the lower end is left out.
        upper_open: Whether the upper end is left out.

    Examples:
        >>> _holds_integer(Fraction(1, 2), Fraction(1), False, False)
        True
        >>> _holds_integer(Fraction(0), Fraction(1), True, True)
        False
    """
    # The first integer from the lower end on: the floor plus 1, or the ceiling.
    first = low.numerator // low.denominator + 1 if lower_open else -(-low.numerator // low.denominator)
    return first < high or (first == high and not upper_open)


def _symbol(name: str, lower: Fraction | None, *, lower_open: bool, integer: bool) -> sympy.Symbol:
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
        reasons = tuple(reason for reason in self.met.values() if _ID.fullmatch(reason))
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


@dataclass(frozen=True)
class Claim:
    """A statement that lenses can judge.

    `conclusion` is None only for a sentence without mathematical content, and then `informal` says why.
    `refs` are the inventory entries that the claim answers; `reading` says how words of the source were read
    where they leave a choice. `category` and `corrected` speak only where the verdict turns out refuted; they are
    the author's explanation and take no part in the verdict. `scope` says how much of the printed statement the formula
    carries, and `missing` what it leaves out if that is not all. `printed` is the formula as the source prints it, in
    LaTeX, where `conclusion` judges it in another form. `outputs` are checks of what a mechanism releases, beside
    those that judge: integrals of densities, and releases. A claim about a law that has none gives a text in their
    place, the reason, which pages show.

    Names (`rgm_verify.claims.notation`) may stand in all of it; pages show them, and lenses see what they stand for.

    Raises:
        ClaimError: For a field of another kind, an undeclared symbol, or a combination of fields that
            means nothing.
    """

    id: str
    title: str
    source: str = ""
    where: str = ""
    kind: str = "statement"
    statement: str = ""
    refs: tuple[str, ...] = ()
    variables: tuple[Variable, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    conclusion: Formula | None = None
    quantifier: Quantifier = "forall"
    informal: str = ""
    reading: str = ""
    checks: tuple[Check, ...] = ()
    sampling: Chart | None = None
    mutants: tuple[Mutant, ...] = ()
    tightness: tuple[Tightness, ...] = ()
    derivation: tuple[Step, ...] = ()
    scope: Scope = "statement"
    missing: str = ""
    category: Category | None = None
    corrected: str | None = None
    remark: str = ""
    printed: str = ""
    outputs: tuple[Check, ...] | str = ()

    def __post_init__(self) -> None:
        # Lenses see what names stand for; the formulas keep both forms themselves.
        for name in ("checks", "sampling", "outputs"):
            object.__setattr__(self, name, spelled_throughout(getattr(self, name)))
        # In this order: each look relies on what the one before has made sure of.
        _check_types(self)
        _check_shape(self)
        _check_symbols(self)
        for fault in wrong_fields(
            self, without=frozenset({"checks", "outputs"})
        ):  # lenses are looked at where a folder is loaded
            raise ClaimError(f"{self.id}: {fault}")

    @property
    def every_check(self) -> tuple[Check, ...]:
        """The checks that judge, and those of outputs."""
        return self.checks if isinstance(self.outputs, str) else self.checks + self.outputs

    @property
    def domain(self) -> tuple[Hypothesis, ...]:
        """The domains of the variables, as hypotheses."""
        return tuple(Hypothesis(f"domain of {v.symbol}", r) for v in self.variables for r in v.domain())

    @property
    def assumptions(self) -> tuple[Hypothesis, ...]:
        """Everything assumed: the domains and the hypotheses."""
        return self.domain + self.hypotheses

    @property
    def symbols(self) -> dict[sympy.Symbol, str]:
        """LaTeX of the variables that pages show otherwise than SymPy would."""
        return {v.symbol: v.latex for v in self.variables if v.latex}

    @property
    def controls(self) -> tuple[Mutant, ...]:
        """The negative controls: the author's, or one that is made from the conclusion where the author gives none.

        A control that the program makes is false wherever the conclusion is true, so that lenses that
        prove anything are found out.
        """
        # An author's own controls test more than the made one: they are mistakes that somebody could make.
        if self.mutants or self.conclusion is None:
            return self.mutants
        # By a margin: the mere negation of a tight bound may hold at no point that a search would meet.
        made = _opposite_by_far(self.conclusion, exists=self.quantifier == "exists")
        return (Mutant("made by the program: the opposite by a margin of 1", conclusion=made),)

    def signature(self) -> str:
        """SHA-256 over everything that evidence about this claim depends on, as a hexadecimal text.

        Title, statement, source and remarks are not part of it: evidence stays when they change. Any change of a
        formula, a domain, a check's settings, a mutant or a range changes it.
        """
        parts = [self.id, self.quantifier, "informal" if self.conclusion is None else canonical(self.conclusion)]
        # The meaning and the ends are in it; the order counts, as solvers are asked in it.
        parts += [f"{v}" for v in self.variables]
        parts += [f"{h.name}:{canonical(h.formula)}" for h in self.hypotheses]
        # A check with other settings makes other evidence.
        parts += [check.name + check.signature() for check in self.checks]
        if self.outputs:
            more = [self.outputs] if isinstance(self.outputs, str) else [c.name + c.signature() for c in self.outputs]
            parts += ["outputs", *more]
        parts += [self.sampling.canonical() if self.sampling else ""]
        # The controls that the program makes follow from the conclusion, which is in it already.
        for mutant in self.mutants:
            parts.append(mutant.name)
            parts.append("" if mutant.conclusion is None else canonical(mutant.conclusion))
            # Without the word, a control without hypotheses and one that leaves them alone would be the same.
            parts.append("unchanged" if mutant.hypotheses is None else "replaced")
            parts += [canonical(h.formula) for h in mutant.hypotheses or ()]
        parts += [f"{structure(t.ratio)}{t.ranges}{t.meaning}{t.plot}{t.at}" for t in self.tightness]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def _repr_latex_(self) -> str:
        """Return the conclusion between dollar signs, for notebooks; empty for a sentence."""
        from rgm_verify.claims.written.rendering import latex

        if self.conclusion is None:
            return ""
        return f"${latex(self.conclusion, self.symbols)}$"

    def _repr_html_(self) -> str:
        """Return the claim as a table of HTML, for notebooks: id, domains, hypotheses, conclusion.

        It says what is claimed. A verdict is no part of a claim, and none is shown.
        """
        from rgm_verify.claims.written.rendering import latex

        word = "there is" if self.quantifier == "exists" else "for all"
        domains = [latex(r, self.symbols) for v in self.variables for r in v.domain()]
        given = [f"{escape(h.name)}: {math(latex(h.formula, self.symbols))}" for h in self.hypotheses]
        rows = [
            ("claim", f"{escape(self.id)}, {escape(self.title)}"),
            (
                word,
                math(r" ,\ ".join(domains)) if domains else escape(", ".join(v.symbol.name for v in self.variables)),
            ),
            ("given", "<br>".join(given)),
            ("says", escape(self.informal) if self.conclusion is None else math(latex(self.conclusion, self.symbols))),
        ]
        return table(rows)

    def mutate(self, mutant: Mutant) -> Claim:
        """Return the claim that a mutant stands for: what the mutant leaves out stays, and it has no mutants of its
        own.

        The id stays too, so that a lens meets the mutant at the same points as the claim.

        Args:
            mutant: A control of the claim.

        Examples:
            >>> from rgm_verify.claims.formula import ge
            >>> x = real("x")
            >>> claim = Claim("my:square", "Squares", variables=(x,), conclusion=ge(x.symbol**2, 0))
            >>> print(claim.mutate(Mutant("a sign", conclusion=ge(-x.symbol**2, 0))).conclusion)
            -x**2 >= 0
            >>> print(claim.mutate(claim.controls[0]).conclusion)
            x**2 <= -1
        """
        return replace(
            self,
            conclusion=mutant.conclusion if mutant.conclusion is not None else self.conclusion,
            hypotheses=mutant.hypotheses if mutant.hypotheses is not None else self.hypotheses,
            mutants=(),
        )

    def without(self, hypothesis: Hypothesis) -> Claim:
        """The claim with one hypothesis dropped.

        Args:
            hypothesis: One of the claim's, by identity.
        """
        # By identity: two hypotheses may say the same, and one of them is dropped.
        return replace(self, hypotheses=tuple(h for h in self.hypotheses if h is not hypothesis), mutants=())

    def at(self, values: Mapping[sympy.Symbol, sympy.Expr]) -> Formula:
        """Return the conclusion with variables replaced; raises `ClaimError` for an informal claim.

        Args:
            values: Expressions for some variables.
        """
        if self.conclusion is None:
            raise ClaimError(f"{self.id}: an informal claim has no conclusion to substitute into")
        return substitute(self.conclusion, values)


def _opposite_by_far(conclusion: Formula, *, exists: bool) -> Formula:
    """Return a formula that no point meets at which the conclusion holds (for an existence claim: that no point meets).

    Of several relations the first is turned; an implication and the like is negated. The negation of an existence claim
    may hold somewhere, so that there the first relation takes the place of the whole.

    Args:
        conclusion: What the claim says.
        exists: Whether it says so of some point.

    Examples:
        >>> from rgm_verify.claims.formula import eq, le
        >>> x = sympy.Symbol("x", real=True)
        >>> print(_opposite_by_far(le(x, 3), exists=False), _opposite_by_far(eq(x, 3), exists=False), sep=", ")
        x >= 4, x == 4
    """
    match conclusion:
        # A square is at most -1 nowhere.
        case Relation() if exists:
            return Relation(conclusion.gap**2, "<=", sympy.Integer(-1))
        case Either() | Implies() | Iff() if exists:
            return _opposite_by_far(next(iter(relations(conclusion))), exists=True)
        # lhs == rhs + 1 of an identity is 0 == 1 once both cancel, which any lens notices; 2 rhs + 1 keeps a variable.
        case Relation(lhs, "==", rhs):
            return Relation(lhs, "==", rhs + 1 if is_constant(rhs) else 2 * rhs + 1)
        case Relation(lhs, "!=", rhs):
            return Relation(lhs, "==", rhs)
        case Relation(lhs, op, rhs):
            # A constant margin between constants is decided without any variable, and such a control does not count.
            more = 1 + lhs**2 if is_constant(sympy.expand(conclusion.gap)) else sympy.S.One
            return Relation(lhs, "<=", rhs - more) if op in (">=", ">") else Relation(lhs, ">=", rhs + more)
        case All(parts):
            return All((_opposite_by_far(parts[0], exists=exists), *parts[1:]))
    return negation(conclusion)


_TEXTS = (
    "id", "title", "source", "where", "kind", "statement", "informal", "reading", "remark", "missing", "printed",
)  # fmt: skip
#: The fields that hold several things, what each of them must be, and how one of them is written.
_SEVERAL: tuple[tuple[str, type, str], ...] = (
    ("refs", str, "'T1'"),
    ("variables", Variable, "positive('x')"),
    ("hypotheses", Hypothesis, "Hypothesis('name', le(x, 1))"),
    ("mutants", Mutant, "Mutant('a sign', conclusion=le(x, -1))"),
    ("tightness", Tightness, "Tightness(...)"),
    ("derivation", Step, "Step('text')"),
)


def _check_types(claim: Claim) -> None:
    """Refuse values of a wrong type, before any reader of a field takes them for something else.

    A text in the place of a tuple is a tuple of letters to Python, and a truth value a number.

    Args:
        claim: A claim that is being made.

    Raises:
        ClaimError: Naming the claim, the field, and what is wanted.
    """
    # Texts first: the id is in every message below.
    for name in _TEXTS:
        if not isinstance(getattr(claim, name), str):
            raise ClaimError(f"{claim.id!r}: {name}={getattr(claim, name)!r}: expected a text in quotes")
    for name, kind, example in _SEVERAL:
        _check_several(claim, name, kind, example)
    if claim.conclusion is not None:
        _check_formula(claim, claim.conclusion, "conclusion")
    for hypothesis in claim.hypotheses:
        _check_hypothesis(claim, hypothesis)
    for mutant in claim.mutants:
        _check_mutant(claim, mutant)
    _check_choice(claim, "quantifier", get_args(Quantifier))
    _check_choice(claim, "category", (None, *get_args(Category)))
    _check_choice(claim, "scope", SCOPES)
    if not isinstance(claim.corrected, str | None):
        raise ClaimError(f"{claim.id}: corrected={claim.corrected!r}: expected the id of a claim, in quotes")
    if not isinstance(claim.sampling, Chart | None):
        raise ClaimError(f"{claim.id}: sampling={claim.sampling!r}: expected a Chart")
    _check_checks(claim)


def _check_several(claim: Claim, name: str, kind: type, example: str) -> None:
    """Raise `ClaimError` unless a field is a tuple of things of one kind.

    Args:
        name: The field.
        kind: The class of its items.
        example: One of them as an author writes it, for the message.
    """
    values = getattr(claim, name)
    # A list would do as well today, and could be changed tomorrow: claims are keyed by their content.
    if not isinstance(values, tuple):
        raise ClaimError(f"{claim.id}: {name}={values!r}: expected a tuple; for a single one write ({example},)")
    for value in values:
        if not isinstance(value, kind):
            raise ClaimError(f"{claim.id}: {name} holds {value!r}: expected {kind.__name__}, such as {example}")


def _check_formula(claim: Claim, formula: object, place: str) -> None:
    """Raise `ClaimError` for something in the place of a formula.

    Most often it is a truth value: `x <= 1` in Python is evaluated by SymPy before a claim sees it, and may be `True`.
    """
    try:
        refuse_other(formula, place)
    except FormulaError as error:
        raise ClaimError(f"{claim.id}: {error}") from error


def _check_hypothesis(claim: Claim, hypothesis: Hypothesis) -> None:
    """Raise `ClaimError` for a hypothesis with a field of another kind."""
    if not isinstance(hypothesis.name, str):
        raise ClaimError(f"{claim.id}: hypothesis name={hypothesis.name!r}: expected a text in quotes")
    _check_formula(claim, hypothesis.formula, f"hypothesis {hypothesis.name!r}: formula")


def _check_mutant(claim: Claim, mutant: Mutant) -> None:
    """Raise `ClaimError` for a control with a field of another kind."""
    if not isinstance(mutant.name, str):
        raise ClaimError(f"{claim.id}: mutant name={mutant.name!r}: expected a text in quotes")
    if mutant.conclusion is not None:
        _check_formula(claim, mutant.conclusion, f"mutant {mutant.name!r}: conclusion")
    if not isinstance(mutant.hypotheses, tuple | None):
        raise ClaimError(f"{claim.id}: mutant {mutant.name!r}: hypotheses={mutant.hypotheses!r}: expected a tuple")
    for hypothesis in mutant.hypotheses or ():
        if not isinstance(hypothesis, Hypothesis):
            raise ClaimError(f"{claim.id}: mutant {mutant.name!r} holds {hypothesis!r}: expected Hypothesis(...)")
        _check_hypothesis(claim, hypothesis)


def _check_choice(claim: Claim, name: str, allowed: tuple[str | None, ...]) -> None:
    """Raise `ClaimError` for a value that is not one of those allowed."""
    value = getattr(claim, name)
    if value not in allowed:
        raise ClaimError(f"{claim.id}: {name}={value!r}: allowed are {', '.join(map(repr, allowed))}")


def _check_checks(claim: Claim) -> None:
    """A first look at the lenses, which another room knows; the engine refuses those that are not the library's.

    Claims import no lens, as lenses import claims.
    """
    if not isinstance(claim.checks, tuple):
        raise ClaimError(f"{claim.id}: checks={claim.checks!r}: expected a tuple; for a single lens write (Smt(),)")
    if not isinstance(claim.outputs, tuple | str):
        raise ClaimError(
            f"{claim.id}: outputs={claim.outputs!r}: expected a tuple of lenses, or the reason why there are none"
        )
    for check in claim.every_check:
        # Smt for Smt(): a class has a name and a signature too, and would be found out much later.
        if isinstance(check, type):
            raise ClaimError(f"{claim.id}: checks holds the class {check.__name__}; write {check.__name__}()")


def nothing_asserted(claim: Claim) -> str:
    """Return why the conclusion or a hypothesis says nothing that could be checked; empty if it says something.

    A relation whose two sides are one expression is such a case: SymPy has done the work while the claim was written.
    """
    formulas = [] if claim.conclusion is None else [("the conclusion", claim.conclusion)]
    formulas += [(f"the hypothesis {h.name!r}", h.formula) for h in claim.hypotheses]
    for place, formula in formulas:
        # Each relation by itself: a trivial part beside a real one is still nothing that was checked.
        for relation in relations(formula):
            if relation.lhs == relation.rhs and not relation.definition:
                return (
                    f"{place} has the same expression, {relation.lhs}, on both sides of a relation, so that nothing is "
                    "left to check; keep a side as it is printed (Derivative(f, x), At(f, x, a), Sum, or "
                    "printed(lambda: ...)), or say that it is a definition: eq(a, b, definition=True)"
                )
    # Definitions are true by decree, so that nothing can be found out about them.
    if claim.conclusion is not None and all(relation.definition for relation in relations(claim.conclusion)):
        return "the conclusion only defines something; add what is asserted, or give `informal` instead"
    return ""


def _check_shape(claim: Claim) -> None:
    """Refuse an id, a scope or a combination of fields that no report could show.

    Args:
        claim: A claim whose fields have the right types.

    Raises:
        ClaimError: Naming the claim, and what to change.
    """
    if not _ID.fullmatch(claim.id):
        raise ClaimError(f"id={claim.id!r}: use lower-case letters, digits, dots and hyphens, as in rgm-v2:theorem-1")
    # File systems cut or refuse longer names, each in its own way.
    if len(claim.id) > LONGEST_ID:
        raise ClaimError(
            f"id={claim.id[:40]!r}...: {len(claim.id)} characters; files are named after it, use at most {LONGEST_ID}"
        )
    if claim.conclusion is None and not claim.informal:
        raise ClaimError(f"{claim.id}: missing conclusion: give a formula, or say in `informal` why there is none")
    # A gap that is not named would be counted as if the whole statement had been judged.
    if (claim.scope == "statement") is not (not claim.missing.strip()):
        raise ClaimError(
            f"{claim.id}: scope={claim.scope!r}, missing={claim.missing!r}: a core or an instance says in `missing` "
            "what its formula leaves out of the statement, and a statement leaves out nothing"
        )
    # One of the two would be ignored, and a reader could not tell which.
    if claim.conclusion is not None and claim.informal:
        raise ClaimError(f"{claim.id}: `informal` is only for a claim without a conclusion")
    if claim.conclusion is not None and not claim.variables and symbols_of(claim.conclusion):
        raise ClaimError(f"{claim.id}: missing hypotheses: no variable is declared; add variables=(positive('x'), ...)")


def _check_symbols(claim: Claim) -> None:
    """Refuse symbols that are declared twice, without a name, with other assumptions than the domain, or not at all.

    Sums that run backwards are refused as well.

    SymPy takes two symbols of one name but different assumptions for different ones: the formula would speak of a
    variable that nothing is known about.

    Args:
        claim: A claim whose fields have the right types.

    Raises:
        ClaimError: Naming the place and the symbol.
    """
    declared = [v.symbol for v in claim.variables]
    for variable in claim.variables:
        _refuse_other_assumptions(claim, variable)
    if len({s.name for s in declared}) != len(declared):
        raise ClaimError(f"{claim.id}: two variables share a name: {', '.join(s.name for s in declared)}")
    if not all(s.name.strip() for s in declared):
        raise ClaimError(f"{claim.id}: a variable has no name; give it one, such as real('x')")
    formulas: list[tuple[str, Formula]] = [(f"hypothesis {h.name!r}", h.formula) for h in claim.hypotheses]
    if claim.conclusion is not None:
        formulas.append(("conclusion", claim.conclusion))
    # A control with a foreign symbol would be refuted for that reason, and count as a success.
    for mutant in claim.mutants:
        formulas += [(f"mutant {mutant.name!r}", f) for f in _mutant_formulas(mutant)]
    for place, formula in formulas:
        _refuse_undeclared(claim, place, symbols_of(formula), declared)
        _refuse_bound_twice(claim, place, formula, declared)
        _refuse_backwards(claim, place, formula)


def _refuse_backwards(claim: Claim, place: str, formula: Formula) -> None:
    """Raise `ClaimError` for a sum or a product that runs backwards: it has no value that readers agree on."""
    for relation in relations(formula):
        for side in (relation.lhs, relation.rhs):
            if problem := ends_in_disorder(side):
                raise ClaimError(f"{claim.id}: {place}: {problem}")


def _refuse_bound_twice(claim: Claim, place: str, formula: Formula, declared: list[sympy.Symbol]) -> None:
    """Refuse a variable of the claim as the index of a sum or a product, or as the variable of an integral.

    A lens that names a term in the variable would name the term below the integral as well, where it varies.

    Args:
        claim: The claim, for the message.
        place: Where the formula stands, for the message.
        declared: The symbols of the claim's variables.

    Raises:
        ClaimError: Naming the place and the symbol.
    """
    sides = [side for relation in relations(formula) for side in (relation.lhs, relation.rhs)]
    bound = {symbol.name for side in sides for node in side.atoms(ExprWithLimits) for symbol in node.variables}
    taken = sorted(bound & {s.name for s in declared})
    if taken:
        raise ClaimError(
            f"{claim.id}: {place}: {taken[0]} is bound by a sum, a product or an integral, and is a variable of the "
            "claim as well; use another letter for one of them"
        )


def _refuse_other_assumptions(claim: Claim, variable: Variable) -> None:
    """Refuse a symbol that promises SymPy more (or less) than the domain says: simplification would use it.

    A symbol declared positive with a domain that contains 0 would let `sqrt(x**2)/x` become 1, and a proof would rest
    on a condition that nobody stated.

    Args:
        claim: The claim, for the message.
        variable: A variable with its symbol.

    Raises:
        ClaimError: Naming the symbol and how to declare it.
    """
    symbol = variable.symbol
    if not isinstance(symbol, sympy.Symbol) or not all(
        isinstance(e, Fraction | None) for e in (variable.lower, variable.upper)
    ):
        raise ClaimError(
            f"{claim.id}: the variable {variable!r}: its symbol or an end of its domain (lower, upper) is of another "
            "kind; make it with real(...), positive(...) or natural(...)"
        )
    # After the symbol, which names the variable in the message.
    for fault in wrong_fields(variable):
        raise ClaimError(f"{claim.id}: the variable {symbol}: {fault}")
    if variable.integer and variable.lower is not None and variable.upper is not None:
        ends = (variable.lower, variable.upper, variable.lower_open, variable.upper_open)
        if not _holds_integer(*ends):
            raise ClaimError(f"{claim.id}: {symbol}: there is no integer from {variable.lower} to {variable.upper}")
    # SymPy would simplify by what the symbol promises, and nobody has shown it.
    if symbol != _symbol(symbol.name, variable.lower, lower_open=variable.lower_open, integer=variable.integer):
        raise ClaimError(
            f"{claim.id}: the symbol {symbol} assumes something else than its domain; make it with real(...)"
        )


def _mutant_formulas(mutant: Mutant) -> list[Formula]:
    """Return the formulas that a mutant changes; raises `ClaimError` for a mutant that changes nothing."""
    if mutant.conclusion is None and mutant.hypotheses is None:
        raise ClaimError(f"mutant {mutant.name!r}: it changes nothing; give conclusion= or hypotheses=")
    return [f for f in (mutant.conclusion, *(h.formula for h in mutant.hypotheses or ())) if f is not None]


def _refuse_undeclared(claim: Claim, place: str, used: Iterable[sympy.Symbol], declared: list[sympy.Symbol]) -> None:
    """Raise `ClaimError` for the first symbol that no variable declares, with a hint where another of that name is
    declared.
    """
    # In the order of names: a set of symbols has another one in every run.
    unknown = sorted((s for s in used if s not in declared), key=str)
    if not unknown:
        return
    # The usual slip: x = symbols('x') beside a declared x, which looks the same in every printout.
    twin = next((s for s in declared if s.name == unknown[0].name), None)
    hint = " (a symbol of that name is declared, but with another domain)" if twin is not None else ""
    names = ", ".join(s.name for s in declared) or "none"
    raise ClaimError(f"{claim.id}: {place} uses the undeclared symbol {unknown[0]}{hint}; declared are: {names}")


def collect(values: Iterable[Any]) -> list[Claim]:
    """Every claim among `values`, looking into lists and tuples, in order, each once.

    Each once by identity: two equal claims are two, so that a duplicated id can be refused where a folder is loaded.

    Args:
        values: Objects of any kind, such as those of a module.
    """
    found: dict[int, Claim] = {}
    seen: dict[int, Any] = {}  # it keeps what it has seen, so that no two of them have one address
    # A list and no recursion: folders hold lists in lists, and some hold themselves.
    waiting = list(values)[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Claim):
            found.setdefault(id(value), value)
        elif isinstance(value, list | tuple) and id(value) not in seen:
            seen[id(value)] = value
            waiting += value[::-1]
    return list(found.values())


__all__ = [
    "Category",
    "Chart",
    "Check",
    "Claim",
    "ClaimError",
    "Formula",
    "FormulaError",
    "Hypothesis",
    "Mutant",
    "Quantifier",
    "Step",
    "Tightness",
    "Variable",
    "collect",
    "expression",
    "natural",
    "nonnegative",
    "nothing_asserted",
    "positive",
    "real",
]
