"""Negative controls: mutants that the lenses must refute, and hypotheses dropped one at a time.

A lens that supports everything supports nothing. Three questions test the machinery on each claim
itself. Are the author's mistakes (`wrong`) refuted by the lenses that support the claim? Is each
hypothesis needed? And does a lens that proves ever prove a statement that has an exact
counterexample? The last one is the test of soundness: a proof of such a statement shows that a lens
is wrong, whatever it says of the claim.

A search without success proves nothing here either: a hypothesis without a counterexample is
reported as that and not as superfluous.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.claim import Claim, Mutant, Variable
from rgm_verify.claims.evidence import PROOFS, Evidence, Finding
from rgm_verify.claims.formula import relations
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.points.search import find
from rgm_verify.lenses.points.values import enclosed, exact


def refute_mutants(claim: Claim, lenses: tuple[Lens, ...], context: Context) -> list[dict[str, Any]]:
    """Try to refute each mutant of the claim; the results are JSON data in the order of the claim's list.

    Args:
        claim: The claim with its controls.
        lenses: The lenses that look at the claim.
        context: Effort and seed of the run.

    Returns:
        For each control its `name`, whether it is `killed`, `how`, and the `witness` as JSON data or
        None. A control that constants alone make false or true has `trivial` set and is not killed.
    """
    return [_try_mutant(claim, index, lenses, context) for index in range(len(claim.controls))]


def _try_mutant(claim: Claim, index: int, lenses: tuple[Lens, ...], context: Context) -> dict[str, Any]:
    """Let the claim's own lenses and a search refute one mutant; a trivially false one counts as no control.

    The search comes first, as an exact point is what a reader can check; a lens is asked where no point
    was found, or where points say nothing (`alone` lenses, claims that something exists).
    """
    mutant = claim.controls[index]
    mutated = claim.mutate(mutant)
    result: dict[str, Any] = {
        "name": mutant.name,
        "killed": False,
        "how": "",
        "witness": None,
    }
    if is_trivial(claim, mutant):
        return {**result, "trivial": True, "how": "false whatever its variables are: it counts as no control"}
    # A point outside of the recorded values would refute a control of a measurement that nobody
    # measured there.
    if claim.quantifier == "forall" and not any(lens.alone for lens in lenses):
        found = find(mutated, context, wanted=False, purpose=f"mutant {mutant.name}", attempts=2)
        if found is not None:
            return {**result, "killed": True, "how": f"fails at {found.describe()}", "witness": found.to_json()}
    # A mutant is judged by what the lenses do anyway; with `proved` the search leaves out its most
    # expensive parts.
    short = replace(context, proved=True)  # so that the search does not go as far as for a claim of its own
    # Those that the claim itself needed come first: evidence stands on the code of every lens that was asked.
    for lens in sorted(lenses, key=lambda lens: type(lens).__name__ not in context.looked):
        against = [e for e in lens.look(mutated, short) if e.finding is Finding.REFUTES]
        if against:
            witness = against[0].details.get("witness")
            return {**result, "killed": True, "how": f"{lens.name}: {against[0].summary}", "witness": witness}
    return {**result, "how": "no lens refuted it"}


def is_trivial(claim: Claim, mutant: Mutant) -> bool:
    """Return whether constants alone make a control false (or true), such as `1 < 0`: any lens would notice it.

    Args:
        claim: The claim that the control belongs to.
        mutant: A control; one without a conclusion of its own drops or changes hypotheses and is never
            trivial.

    Returns:
        True if no variable is left in any relation of the control after expansion, although the claim
        has variables.
    """
    if mutant.conclusion is None or not claim.variables:
        return False
    places, gaps = _places(claim), [r.gap for r in relations(mutant.conclusion)]
    return not any(_varies(gap, places) or sympy.expand(evaluated(gap)).free_symbols for gap in gaps)


def _places(claim: Claim) -> list[dict[sympy.Symbol, Fraction]]:
    """Return two points of the box of the variables, hypotheses apart, with another value for each variable."""
    return [{v.symbol: _between(v, Fraction(1 + k, 3 + k + i)) for i, v in enumerate(claim.variables)} for k in (0, 5)]


def _between(variable: Variable, share: Fraction) -> Fraction:
    """Return a value of a variable's range at a share of it; where the range has no end, as if it were ten long."""
    lower, upper = (None if end is None else exact(end) for end in (variable.lower, variable.upper))
    first = lower if isinstance(lower, Fraction) else upper - 10 if isinstance(upper, Fraction) else Fraction(0)
    last = upper if isinstance(upper, Fraction) else first + 10
    value = first + share * (last - first)
    return Fraction(round(value)) if variable.integer else value


def _varies(gap: sympy.Expr, places: list[dict[sympy.Symbol, Fraction]]) -> bool:
    """Return whether enclosures at two points show that a difference is no constant: far cheaper than to expand it."""
    try:
        first, second = (enclosed(gap, place, digits=6) for place in places)
    except UnsupportedExpression:
        return False
    return not first.overlaps(second)


def drop_hypotheses(claim: Claim, context: Context) -> list[dict[str, Any]]:
    """Drop each hypothesis in turn and look for a counterexample: `needed` with a witness, or none found.

    Nothing is said of an existence claim, where a dropped hypothesis cannot break anything.

    Args:
        claim: The claim with its hypotheses.
        context: Effort and seed of the run.

    Returns:
        For each hypothesis its `name`, `dropped` (`needed`, `no counterexample found` or `not tried`)
        and the `witness` as JSON data or None. `needed` is exact; the second says only that a search
        found nothing.
    """
    if claim.conclusion is None or claim.quantifier == "exists":
        return [{"name": h.name, "dropped": "not tried", "witness": None} for h in claim.hypotheses]
    return [_drop(claim, index, context) for index in range(len(claim.hypotheses))]


def _drop(claim: Claim, index: int, context: Context) -> dict[str, Any]:
    """Look for a counterexample of the claim without one hypothesis, with one attempt of the search."""
    hypothesis = claim.hypotheses[index]
    found = find(claim.without(hypothesis), context, wanted=False, purpose=f"without {hypothesis.name}")
    if found is None:
        return {"name": hypothesis.name, "dropped": "no counterexample found", "witness": None}
    return {"name": hypothesis.name, "dropped": "needed", "witness": found.to_json()}


#: What the control of the prover may cost, as a share of what the proof may.
_EFFORT = 8
_BOXES = 4_000


def false_proofs(
    claim: Claim,
    lenses: tuple[Lens, ...],
    context: Context,
    evidence: list[Evidence],
    mutants: list[dict[str, Any]],
    hypotheses: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    """Give statements that have an exact counterexample to the lenses that prove as well; what they prove of them.

    A lens that has proved the claim is asked about the claim itself, one control and what one dropped hypothesis
    leaves: its word is what the verdict stands on. A profile with `every_prover` asks every lens about all controls and
    hypotheses, which tests the lenses and not the claim.

    Each item names the statement, its counterexample, the lens and what the proof rests on. Anything in this list means
    that a lens is wrong, unless the proof rests on premises that do not hold themselves.

    The context of this control is a fresh one: certificates of the claim must not leak into a false
    statement, and a second solver would double the cost of what should fail at once. A lens that has looked at the
    claim itself is not asked again.

    Args:
        lenses: The lenses that look at it; those that grant no kind of proof are left out.
        context: Effort and seed of the run; proofs of controls get an eighth of the steps and few boxes.
        evidence: The evidence of the claim, whose refutation makes the claim itself a false statement.
        mutants: What `refute_mutants` returned.
        hypotheses: What `drop_hypotheses` returned.

    Returns:
        JSON data; empty unless some lens proved what an exact point refutes.
    """
    # One point does not refute an existence claim, so that there is no exactly false statement to
    # offer.
    if claim.quantifier == "exists":
        return []
    by = {e.lens for e in evidence if e.finding is Finding.SUPPORTS and e.kind in PROOFS}
    provers = [lens for lens in lenses if lens.grants & PROOFS and (context.profile.every_prover or lens.name in by)]
    quick = replace(context.profile, smt_steps=context.profile.smt_steps // _EFFORT, boxes=_BOXES)
    found: list[dict[str, Any]] = []
    statements = _false_statements(claim, evidence, mutants, hypotheses)
    if not context.profile.every_prover:
        statements = _one_of_each(statements)
    for kind, statement, false_claim, counterexample in statements:
        itself = kind == "claim"
        for lens in provers:
            # `certificates={}`: what a lens stores about a false statement would stand beside the
            # claim's own certificates.
            profile = context.profile if itself else quick
            control = replace(context, profile=profile, certificates={})
            already = [e for e in evidence if e.lens == lens.name] if itself else []
            said = {"statement": statement, "counterexample": counterexample, "lens": lens.name}
            found += [
                {**said, "summary": item.summary, "premises": list(item.premises)}
                for item in already or lens.look(false_claim, control)
                if item.finding is Finding.SUPPORTS and item.kind in PROOFS
            ]
    return found


_Statement: TypeAlias = "tuple[str, str, Claim, str]"


def _one_of_each(statements: Iterator[_Statement]) -> Iterator[_Statement]:
    """Yield the first statement of each kind."""
    seen: set[str] = set()
    for statement in statements:
        if statement[0] not in seen:
            seen.add(statement[0])
            yield statement


def _false_statements(
    claim: Claim, evidence: list[Evidence], mutants: list[dict[str, Any]], hypotheses: list[dict[str, Any]]
) -> Iterator[_Statement]:
    """The claim, its controls and what is left without a hypothesis, as far as an exact point refutes them.

    Each with its kind, its name and its counterexample. Only refutations with a witness count: a lens's argument
    without a point would be tested against itself.
    """
    for item in evidence:
        if item.finding is Finding.REFUTES and "witness" in item.details:
            yield "claim", "the claim itself", claim, item.summary
            break
    for mutant, result in zip(claim.controls, mutants, strict=False):
        if result["witness"] is not None:
            yield "control", f"the control {mutant.name!r}", claim.mutate(mutant), result["how"]
    for hypothesis, dropped in zip(claim.hypotheses, hypotheses, strict=False):
        if dropped["witness"] is not None:
            values = ", ".join(f"{name} = {value}" for name, value in dropped["witness"]["values"].items())
            without = claim.without(hypothesis)
            yield "hypothesis", f"without {hypothesis.name!r}", without, f"fails at {values}"


def is_refuted(evidence: list[Evidence]) -> bool:
    """Return whether some lens refuted the claim.

    Args:
        evidence: All evidence of one claim.

    Returns:
        True for a finding that refutes. A finding that contradicts is none.
    """
    return any(e.finding is Finding.REFUTES for e in evidence)
