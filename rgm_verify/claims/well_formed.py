"""Refusals of claims as they are made: other kinds of fields, undeclared symbols, controls that change nothing."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, get_args

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits

from rgm_verify.balls.binding import ends_in_disorder
from rgm_verify.claims.fields import wrong_fields
from rgm_verify.claims.formula import Formula, FormulaError, refuse_other, relations, symbols_of
from rgm_verify.claims.parts import (
    ID,
    LONGEST_ID,
    Category,
    Chart,
    ClaimError,
    Hypothesis,
    Mutant,
    Quantifier,
    Step,
    Tightness,
    Variable,
    holds_integer,
    symbol_of,
)
from rgm_verify.claims.scope import SCOPES

if TYPE_CHECKING:
    from rgm_verify.claims.claim import Claim

__all__ = ["check_shape", "check_symbols", "check_types", "nothing_asserted"]

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


def check_types(claim: Claim) -> None:
    """Refuse values of a wrong type, before any reader of a field takes them for something else.

    A text in the place of a tuple is a tuple of letters to Python, and a truth value a number.

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


def check_shape(claim: Claim) -> None:
    """Refuse an id, a scope or a combination of fields that no report could show.

    Raises:
        ClaimError: Naming the claim, and what to change.
    """
    if not ID.fullmatch(claim.id):
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


def check_symbols(claim: Claim) -> None:
    """Refuse symbols that are declared twice, without a name, with other assumptions than the domain, or not at all.

    Sums that run backwards are refused as well.

    SymPy takes two symbols of one name but different assumptions for different ones: the formula would speak of a
    variable that nothing is known about.

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
        if not holds_integer(*ends):
            raise ClaimError(f"{claim.id}: {symbol}: there is no integer from {variable.lower} to {variable.upper}")
    # SymPy would simplify by what the symbol promises, and nobody has shown it.
    if symbol != symbol_of(symbol.name, variable.lower, lower_open=variable.lower_open, integer=variable.integer):
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
