"""Region certificates: an inequality over its whole stated domain, by branch and bound in ball
arithmetic.

The domain is covered by boxes small enough that ball arithmetic sees the sign of the gap on each.
That is a proof for every point of the box, with any functions that Arb knows.

The certificate holds the statement, the chart and every box. Code that shares nothing with the
search replays it at once, and anybody can later. The replay shows what stands between the boxes and
the claim: the chart reaches every admissible point, the sides are defined there, and a factor that
is divided out where the sides meet has the right sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.balls.certificate import EXCLUDED
from rgm_verify.claims.claim import Chart, Claim, Exact
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import FormulaError, Relation, negation, rewrite
from rgm_verify.claims.written.trees import NoTree, chart_tree, statement_tree
from rgm_verify.lenses.base import Context, Lens, rational
from rgm_verify.lenses.points.witness import confirmed
from rgm_verify.lenses.solvers.smt import undefined

if TYPE_CHECKING:
    from rgm_verify.balls.branch import RegionResult
    from rgm_verify.balls.certificate import Certificate

Box = dict[str, tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Region(Lens):
    """Certify a single inequality on the whole set where its hypotheses hold.

    `chart` maps a closed box onto that set (needed where the set is unbounded or the sides are singular at its edge);
    maps and `inverse` are rational functions. `target` and `factor`, in the chart's coordinates, state that the gap of
    the conclusion equals factor * target with factor >= 0 on the domain (> 0 for a strict inequality): then
    `target >= 0` is what is certified. Hypotheses that are single inequalities are used to drop boxes.

    Proves: a single inequality (not an equation, not !=), on any domain that a chart maps a closed
    bounded box onto. It refutes an existence claim by its opposite. It gives nothing where the sides
    meet inside the box and no factor is divided out.

    Attributes:
        chart: The map of a closed box onto the domain, with its inverse; None for a domain that is a
            closed bounded box.
        target: The expression that is certified to be >= 0, in the coordinates.
        factor: A rational function of the coordinates; None for 1.
        bits: The precision of the balls.
    """

    chart: Chart | None = None
    target: sympy.Expr | None = None
    factor: sympy.Expr | None = None
    bits: int = 64

    name: ClassVar[str] = "region certificate"
    grants: ClassVar[frozenset[Kind]] = frozenset(
        {Kind.REGION_CERTIFICATE, Kind.COUNTEREXAMPLE, Kind.EXACT_WITNESS, Kind.NOTE}
    )

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Certify the claim (for an existence claim: its negation, which refutes it).

        Args:
            claim: The claim or a control of it.
            context: The number of boxes, the steps for z3, and a place for the certificate.

        Returns:
            One piece of evidence.
        """
        conclusion = (
            negation(claim.conclusion)
            if claim.quantifier == "exists" and claim.conclusion is not None
            else claim.conclusion
        )
        if not isinstance(conclusion, Relation) or conclusion.op in ("==", "!="):
            return [self.undecided(("arb",), "the conclusion is not a single inequality")]
        chart = self.chart if self.chart is not None else whole_domain(claim)
        if chart is None:
            return [self.undecided(("arb",), "the domain is not a closed bounded box: give a chart")]
        # A side without a value somewhere keeps every search from its end: it is asked for before.
        problem = misuse(claim, chart, self.target, self.factor) or undefined(
            [h.formula for h in claim.assumptions], conclusion, steps=context.profile.smt_steps
        )
        if problem:
            return [self.undecided(("arb", "sympy", "z3"), problem)]
        return self.certify(claim, chart, conclusion, context)

    def certify(self, claim: Claim, chart: Chart, conclusion: Relation, context: Context) -> list[Evidence]:
        """Return the evidence of branch and bound; a certificate counts if every box is settled and a replay accepts
        it.

        The certificate names the claim, its statement and the chart, so that it cannot serve another claim. Boxes where
        a hypothesis fails are left out.

        Args:
            chart: The chart in use.
            conclusion: The inequality.
            context: The number of boxes and a place for the certificate.

        Returns:
            A certificate as evidence; a counterexample, if the search met a point that exact arithmetic
            confirms; or a note of the boxes that stayed open.
        """
        from rgm_verify.balls.branch import certify
        from rgm_verify.balls.certificate import Subject
        from rgm_verify.balls.replay import UnreadableCertificate, replay, unproved_before_the_leaves

        maps = dict(chart.maps)
        box = {s.name: (_exact(lo), _exact(hi)) for s, (lo, hi) in chart.ranges.items()}
        try:
            cuts = _cuts(claim, maps)
            trees = statement_tree(_evaluated(claim)), chart_tree(claim, chart, target=self.target, factor=self.factor)
        except FormulaError as error:
            return [self.undecided(("arb", "sympy"), f"the chart's maps mean nothing here: {error}")]
        except NoTree as missing:
            return [self.undecided(("arb",), f"no certificate can hold the statement: {missing}")]
        subject = Subject(claim.id, *trees, tuple(number for number, _ in cuts))
        try:
            # Before the search: without an answer no boxes could help.
            problem = unproved_before_the_leaves(subject.to_json(), box)
        except UnreadableCertificate:
            # The replay will say so; a point where the inequality fails may be found all the same.
            problem = ""
        if problem:
            return [self.undecided(("arb",), problem)]
        larger, smaller = _sides(conclusion, maps)
        value, plain = (_gap(conclusion, maps), larger - smaller) if self.target is None else (self.target, self.target)
        about: dict[str, Any] = {"strict": conclusion.strict, "hypotheses": [gap for _, gap in cuts], "bits": self.bits}
        # A few points first, of what SymPy makes of the difference: large parts that cancel would hide that it fails.
        result = certify(plain, box, **about, centred=False, maximum_boxes=0)
        if result.witness is None:
            result = certify(value, box, **about, maximum_boxes=context.profile.boxes, subject=subject)
        # A point where the target is negative ends the search: no more boxes could help.
        if result.witness is not None:
            return [self.violated(claim, chart, result.witness)]
        # A search that stopped has shown something of most boxes, and nothing of the claim.
        if result.status != "certified" or result.certificate is None:
            return [self.stalled(result)]
        try:
            # The replay shares no code with the search: a mistake there would have to be made twice.
            again = replay(result.certificate.to_json())
        except UnreadableCertificate as error:
            return [self.undecided(("arb",), f"the replay does not read the certificate: {error}")]
        if not again.accepted:
            return [self.undecided(("arb",), f"the replay does not accept the certificate: {again.reason}")]
        name = self.keep(result.certificate, context)
        finding = Finding.REFUTES if claim.quantifier == "exists" else Finding.SUPPORTS
        summary = f"certified on the whole domain with {result.boxes} boxes, replayed"
        details = {"boxes": result.boxes, "certificate": name, "bits": self.bits, "box": _box_text(box)}
        return [self.evidence(Kind.REGION_CERTIFICATE, finding, ("arb",), summary, details=details)]

    def stalled(self, result: RegionResult) -> Evidence:
        """Report the smallest box that was left over, near which both sides may touch.

        Args:
            result: The search that ended without a certificate.
        """
        summary, help_ = f"{result.status} after {result.boxes} boxes", ""
        left = sorted(result.undecided, key=lambda b: sum(float(high - low) for low, high in b.axes.values()))
        if left:
            place = ", ".join(f"{name} = {float(value):.6g}" for name, value in left[0].midpoint().items())
            summary += f", of which {result.undecided_count} are open; the smallest lies at {place}"
            help_ = (
                f"if both sides meet near {place}, divide out what vanishes there (target and factor of Region), or "
                "give a chart that leaves the place out and a claim of its own for it"
            )
        return self.undecided(("arb",), summary, boxes=result.boxes, help=help_)

    def violated(self, claim: Claim, chart: Chart, place: Mapping[str, Fraction]) -> Evidence:
        """Report a point of the box where the inequality fails: it decides if the claim itself fails there.

        Args:
            chart: The chart in use.
            place: A point of the box.
        """
        exists = claim.quantifier == "exists"
        values = {s: rational(place[s.name]) for s in chart.ranges}
        point = {
            v.symbol: sympy.sympify(chart.maps.get(v.symbol, v.symbol)).subs(values, simultaneous=True)
            for v in claim.variables
        }
        text = ", ".join(f"{s} = {v}" for s, v in point.items())
        # The chart may be wrong; the claim itself is asked before anything is called a counterexample.
        found = confirmed(claim, point, wanted=exists)
        if found is None:
            return self.undecided(
                ("arb",), f"the inequality fails in the chart, where the claim was not decided: {text}"
            )
        kind = Kind.EXACT_WITNESS if exists else Kind.COUNTEREXAMPLE
        finding = Finding.SUPPORTS if exists else Finding.REFUTES
        summary = f"{'holds' if exists else 'fails'} at {found.describe()}"
        return self.evidence(kind, finding, found.families, summary, details=found.details())

    def keep(self, certificate: Certificate, context: Context) -> str:
        """Hand the certificate over for storage under a name that tells the claim and the content."""
        name = certificate.file_name()
        context.certificates[name] = certificate.to_json()
        return name


def misuse(claim: Claim, chart: Chart, target: Any, factor: Any) -> str:
    """Return what is wrong with the keys and symbols of the settings; empty if nothing is.

    The replay would refuse what comes of them, without saying why.

    Args:
        chart: The chart in use.
        target: The expression to certify, or None.
        factor: The factor, or None.
    """
    declared, coordinates = {v.symbol for v in claim.variables}, set(chart.ranges)
    # A certificate goes by names, and would take the two for one.
    if {s.name for s in coordinates - declared} & {s.name for s in declared}:
        return "a coordinate of the chart has the name of a variable but is another symbol; rename it"
    for place, keys, allowed in (
        ("maps", set(chart.maps), declared),
        ("inverse", set(chart.inverse or {}), coordinates),
    ):
        stray = sorted(keys - allowed, key=str)
        if stray:
            what = "variable of the claim" if place == "maps" else "coordinate of the chart"
            return f"the chart's {place} name {stray[0]}, which is no {what}"
    for symbol, (lower, upper) in chart.ranges.items():
        if lower is None or upper is None or symbol not in (chart.inverse or {}):
            return f"the chart's coordinate {symbol} lacks an end or an inverse: give both ends and its inverse"
    stray = sorted(declared - set(chart.maps) - coordinates, key=str)
    if stray:
        return f"the chart says nothing of {', '.join(map(str, stray))}"
    in_coordinates = [*chart.maps.values(), *(e for e in (target, factor) if e is not None)]
    for expression, allowed in [
        *((e, coordinates) for e in in_coordinates),
        *((e, declared) for e in (chart.inverse or {}).values()),
    ]:
        stray = sorted(sympy.sympify(expression).free_symbols - allowed, key=str)
        if stray:
            names = ", ".join(sorted(map(str, allowed))) or "none"
            return f"{expression}: it uses the undeclared symbol {stray[0]}; allowed here are: {names}"
    return ""


def whole_domain(claim: Claim) -> Chart | None:
    """The identity chart where every variable has a closed bounded range by itself, else None.

    Returns:
        A chart whose maps change nothing. Open ends are closed, which only adds points to the box.
    """
    ranges: dict[sympy.Symbol, tuple[Exact | None, Exact | None]] = {}
    for variable in claim.variables:
        if variable.lower is None or variable.upper is None:
            return None
        # An open end does no harm: the closed box certifies more.
        ranges[variable.symbol] = (variable.lower, variable.upper)
    same = {s: s for s in ranges}
    return Chart(ranges, same, same)


def _exact(value: Any) -> Fraction:
    """Return an exact number as a fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


def _sides(relation: Relation, maps: Mapping[sympy.Symbol, sympy.Expr]) -> tuple[sympy.Expr, sympy.Expr]:
    """Return the sides of an inequality in the chart, the larger one first."""
    left, right = (evaluated(side).subs(dict(maps), simultaneous=True) for side in (relation.lhs, relation.rhs))
    return (left, right) if relation.op in (">=", ">") else (right, left)


def _gap(relation: Relation, maps: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """Return larger side minus smaller side in the chart, as it stands: the replay simplifies nothing."""
    larger, smaller = _sides(relation, maps)
    return sympy.Add(larger, -smaller, evaluate=False)


def _cuts(claim: Claim, maps: Mapping[sympy.Symbol, sympy.Expr]) -> list[tuple[int, sympy.Expr]]:
    """The numbers of the hypotheses that may drop boxes, each with an expression that is >= 0 where it holds."""
    found = []
    for number, hypothesis in enumerate(claim.hypotheses):
        formula = hypothesis.formula
        if isinstance(formula, Relation) and formula.op not in ("==", "!="):
            larger, smaller = _sides(formula, maps)
            # One that fails nowhere drops no box: it would cost time and no truth.
            if (larger - smaller).free_symbols and not (larger - smaller).is_nonnegative:
                found.append((number, _gap(formula, maps)))
    return found[: len(EXCLUDED)]


def _evaluated(claim: Claim) -> Claim:
    """The claim with derivatives, substitutions and sums worked out: a certificate holds plain terms only."""
    if claim.conclusion is None:
        return claim
    hypotheses = tuple(replace(h, formula=rewrite(h.formula, evaluated)) for h in claim.hypotheses)
    return replace(claim, conclusion=rewrite(claim.conclusion, evaluated), hypotheses=hypotheses, mutants=())


def _box_text(box: Box) -> dict[str, list[str]]:
    """Return a box as texts of exact fractions."""
    return {name: [str(lo), str(hi)] for name, (lo, hi) in box.items()}
