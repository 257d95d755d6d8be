"""Claims: statements with their hypotheses as data, their controls, and where they stand in a source.

A claim is refused when it is made if it cannot mean what its author wants: an undeclared symbol, a symbol with other
assumptions than its domain, an empty domain, a control that changes nothing, a field of another kind. Whatever is left
to the lenses is mathematics. A claim never holds its verdict.

Claims are frozen data without behaviour of their own. Pages make them (`rgm_verify.claims.page`), lenses judge them
(`rgm_verify.lenses`), and what is found is kept beside them (`rgm_verify.claims.outcome`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

import sympy

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
    relations,
    structure,
    substitute,
)
from rgm_verify.claims.notation import spelled_throughout
from rgm_verify.claims.parts import (
    Category,
    Chart,
    Check,
    ClaimError,
    Exact,
    Hypothesis,
    Mutant,
    Quantifier,
    Step,
    Tightness,
    Variable,
    is_premise,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.scope import Scope
from rgm_verify.claims.well_formed import check_shape, check_symbols, check_types, nothing_asserted
from rgm_verify.claims.written.notebook import math, table
from rgm_verify.claims.written.rendering import latex


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
        check_types(self)
        check_shape(self)
        check_symbols(self)
        for fault in wrong_fields(
            self, without=frozenset({"checks", "outputs"})
        ):  # lenses are looked at where a folder is loaded
            raise ClaimError(f"{self.id}: {fault}")

    @property
    def every_check(self) -> tuple[Check, ...]:
        """The checks that judge, and those of outputs."""
        return self.checks if isinstance(self.outputs, str) else self.checks + self.outputs

    @cached_property
    def domain(self) -> tuple[Hypothesis, ...]:
        """The domains of the variables, as hypotheses."""
        return tuple(Hypothesis(f"domain of {v.symbol}", r) for v in self.variables for r in v.domain())

    @cached_property
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
        if self.conclusion is None:
            return ""
        return f"${latex(self.conclusion, self.symbols)}$"

    def _repr_html_(self) -> str:
        """Return the claim as a table of HTML, for notebooks: id, domains, hypotheses, conclusion.

        It says what is claimed. A verdict is no part of a claim, and none is shown.
        """
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
    "Exact",
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
    "is_premise",
    "natural",
    "nonnegative",
    "nothing_asserted",
    "positive",
    "real",
]
