"""Region certificates: an inequality over its whole stated domain, by branch and bound in ball
arithmetic.

The domain is covered by boxes small enough that ball arithmetic sees the sign of the gap on each.
That is a proof for every point of the box, with any functions that Arb knows. Three things stand
between a box and a claim, and each is proved here: the chart must reach every admissible point, the
sides must be defined there, and where the sides meet, a factor that is divided out must be positive.

The certificate holds the statement, the chart and every box. Code that shares nothing with the
search replays it at once, and anybody can later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Chart, Claim, Exact
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Formula, FormulaError, Relation, ge, gt, le, lt, ne, negation, rewrite, substitute
from rgm_verify.claims.written.trees import NoTree, chart_tree, statement_tree
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.base import Context, Lens, rational
from rgm_verify.lenses.points.witness import confirmed
from rgm_verify.lenses.solvers.definedness import Unknown, needs, parts
from rgm_verify.lenses.solvers.smt import prove, undefined

if TYPE_CHECKING:
    from rgm_verify.balls.branch import RegionResult
    from rgm_verify.balls.certificate import Certificate

#: What a coordinate's symbol may promise, because it is checked: see `_declared`.
_PROMISES = frozenset(
    "real integer positive nonnegative negative nonpositive nonzero extended_real finite commutative".split()
)
Box = dict[str, tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Region(Lens):
    """Certify a single inequality on the whole set where its hypotheses hold.

    `chart` maps a closed box onto that set (needed where the set is unbounded or the sides are singular at its edge);
    its `inverse` is used to show, by SMT, that the box covers every admissible point. `target` and `factor`, in the
    chart's
    coordinates, state that the gap of the conclusion equals factor * target with factor > 0 on the domain: then
    `target >= 0` is what is certified. Hypotheses that do not follow from the chart's ranges are used to drop boxes.

    Proves: a single inequality (not an equation, not !=), on any domain that a chart maps a closed
    bounded box onto. It refutes an existence claim by its opposite. It gives nothing where the sides
    meet inside the box and no factor is divided out.

    Attributes:
        chart: The map of a closed box onto the domain, with its inverse; None for a domain that is a
            closed bounded box.
        target: The expression that is certified to be >= 0, in the coordinates.
        factor: A positive factor, in the coordinates; None for 1.
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
        try:
            problem = self.problem(claim, chart, conclusion, context)
        except FormulaError as error:
            problem = f"the chart's maps mean nothing here: {error}"
        if problem:
            return [self.undecided(("arb", "sympy", "z3"), problem)]
        return self.certify(claim, chart, conclusion, context)

    def problem(self, claim: Claim, chart: Chart, conclusion: Relation, context: Context) -> str:
        """The first thing that the certificate needs and that was not shown; empty if everything was.

        The settings must fit the claim, its sides be defined, the chart cover the whole domain, and the gap be the
        target times a positive factor. Each is proved, as the certificate speaks of the box and the target alone.

        Args:
            chart: The chart in use.
            conclusion: The inequality that is certified.
            context: The steps for z3.
        """
        return (
            misuse(claim, chart, self.target, self.factor)
            or undefined(
                [h.formula for h in claim.assumptions],
                conclusion,
                steps=context.profile.smt_steps,
            )
            or self.uncovered(claim, chart, context)
            or self.unequal(claim, chart, conclusion, context)
        )

    def uncovered(self, claim: Claim, chart: Chart, context: Context) -> str:
        """Return the reason why the chart was not shown to cover every admissible point; empty if it was.

        The inverse must map each admissible point into the box, and the maps must lead back to the point. Then a
        certificate on the box is one on the whole domain. Both parts are proved: ranges by real arithmetic, the way
        back by algebra.

        Args:
            chart: The chart in use.
            context: The steps for z3.
        """
        # Without it a chart may leave points of the domain out, and boxes would certify less than is claimed.
        if chart.inverse is None:
            return "the chart has no inverse, so that it was not shown to cover the domain"
        given = [h.formula for h in claim.assumptions]
        for symbol, (lower, upper) in chart.ranges.items():
            if lower is None or upper is None or symbol not in chart.inverse:
                return f"the chart's coordinate {symbol} lacks an end or an inverse: give both ends and its inverse"
            value = sympy.sympify(chart.inverse[symbol])
            # SymPy would simplify by an assumption that the coordinate does not keep.
            if symbol.is_integer and not value.is_integer:
                return f"the chart's coordinate {symbol} is declared an integer, which {value} need not be"
            for goal in (
                ge(value, rational(_exact(lower))),
                le(value, rational(_exact(upper))),
                *_declared(symbol, value),
            ):
                result = prove(given, goal, steps=context.profile.smt_steps)
                if result.answer != "proved":
                    return f"the chart's coordinate {symbol} was not shown to stay in its range: {result.reason}"
        stray = {v.symbol for v in claim.variables} - set(chart.maps) - set(chart.ranges)
        if stray:
            return f"the chart says nothing of {', '.join(sorted(map(str, stray)))}"
        for variable in claim.variables:
            image = sympy.sympify(chart.maps.get(variable.symbol, variable.symbol))
            # All at once: one coordinate's inverse may contain the name of another.
            back = image.subs(dict(chart.inverse), simultaneous=True) - variable.symbol
            if not is_zero(back):
                return f"the chart's maps do not invert its inverse at {variable.symbol}: the difference is {back}"
            # Both sides are equal where the map is defined: at every admissible point, and not at most of them.
            problem = _undefined_at_inverse(given, image, chart, context)
            if problem:
                return f"the chart's map of {variable.symbol}: {problem}"
        return ""

    def unequal(self, claim: Claim, chart: Chart, conclusion: Relation, context: Context) -> str:
        """Return why `gap = factor * target` with a positive factor was not shown; empty if shown or not needed.

        A factor divides out the place where both sides meet, as no box around it could be certified otherwise. Factor
        and target must be defined at every admissible point: an identity of expressions says nothing where one has no
        value.

        Args:
            chart: The chart in use.
            conclusion: The inequality.
            context: The steps for z3.
        """
        if self.target is None:
            return ""
        factor = sympy.sympify(1 if self.factor is None else self.factor)
        gap = evaluated(conclusion.gap).subs(dict(chart.maps), simultaneous=True)
        # What is certified is the target: it has to have the sign of the gap at every point.
        if not is_zero(gap - factor * self.target):
            return "the gap was not shown to equal factor * target"
        given = [h.formula for h in claim.assumptions]
        for part in (factor, sympy.sympify(self.target)):
            problem = _undefined_at_inverse(given, part, chart, context)
            if problem:
                return f"factor * target: {problem}"
        if factor.is_positive:
            return ""
        in_variables = factor.subs(dict(chart.inverse or {}), simultaneous=True)
        result = prove(given, gt(in_variables, 0), steps=context.profile.smt_steps)
        return "" if result.answer == "proved" else f"the factor {factor} was not shown to be positive: {result.reason}"

    def certify(self, claim: Claim, chart: Chart, conclusion: Relation, context: Context) -> list[Evidence]:
        """Return the evidence of branch and bound; a certificate counts if every box is settled and a replay accepts
        it.

        The certificate names the claim, its statement and the chart, so that it cannot serve another claim. Outputs
        after the first are hypotheses: boxes where one of them fails are left out.

        Args:
            chart: A chart that was shown to cover the domain.
            conclusion: The inequality.
            context: The number of boxes and a place for the certificate.

        Returns:
            A certificate as evidence; a counterexample, if the search met a point that exact arithmetic
            confirms; or a note of the boxes that stayed open.
        """
        from rgm_verify.balls.branch import certify
        from rgm_verify.balls.certificate import Subject
        from rgm_verify.balls.replay import UnreadableCertificate, replay

        maps = dict(chart.maps)
        exclusions = _exclusions(claim, chart, maps)
        outputs: list[tuple[str | int, str]] = [("conclusion", _side(conclusion))]
        outputs += [(number, side) for number, side, _ in exclusions]
        try:
            trees = statement_tree(_evaluated(claim)), chart_tree(claim, chart, target=self.target, factor=self.factor)
        except NoTree as missing:
            return [self.undecided(("arb",), f"no certificate can hold the statement: {missing}")]
        gap = evaluated(conclusion.gap)
        value = self.target if self.target is not None else gap.subs(maps, simultaneous=True)
        box = {s.name: (_exact(lo), _exact(hi)) for s, (lo, hi) in chart.ranges.items()}
        result = certify(
            value,
            box,
            strict=conclusion.strict,
            hypotheses=[gap for _, _, gap in exclusions],
            bits=self.bits,
            maximum_boxes=context.profile.boxes,
            subject=Subject(claim.id, *trees, tuple(outputs)),
        )
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


def _surplus(symbol: sympy.Symbol) -> str:
    """Return a fact that is assumed of a symbol and does not follow from its sign, from real and integer, or nothing.

    Everything that is assumed is compared, not the words of the declaration: of two symbols that SymPy takes for the
    same, declared in other words, its caches hand out whichever was there first.
    """
    if not isinstance(symbol, sympy.Symbol):
        return "no symbol"
    assumed = symbol.assumptions0
    checked = sympy.Symbol(symbol.name, **{fact: known for fact, known in assumed.items() if fact in _PROMISES})
    unchecked = sorted(assumed.keys() - checked.assumptions0.keys())
    return str(min(set(symbol._assumptions_orig) & set(unchecked), default="".join(unchecked[:1])))


def misuse(claim: Claim, chart: Chart, target: Any, factor: Any) -> str:
    """Return what is wrong with the keys and symbols of the settings; empty if nothing is.

    A key that is no variable would be replaced in the conclusion all the same, and a symbol that promises more than the
    range of its coordinate would let SymPy simplify what does not hold there.

    Args:
        chart: The chart in use.
        target: The expression to certify, or None.
        factor: The factor, or None.
    """
    declared, coordinates = {v.symbol for v in claim.variables}, set(chart.ranges)
    for symbol in coordinates:
        surplus = _surplus(symbol)
        if surplus:
            return f"the chart's coordinate {symbol} is declared {surplus}; only signs, real and integer are checked"
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


def _undefined_at_inverse(given: Sequence[Formula], expression: sympy.Expr, chart: Chart, context: Context) -> str:
    """The first term of an expression in the coordinates that was not shown to be defined at every admissible point.

    Its conditions are put into the variables one by one: SymPy would cancel what is not defined.


    """
    for node in parts(expression):
        # The inverse leads from an admissible point to the box: there, and nowhere else, the term has
        # to have a value.
        for condition in needs(node):
            if isinstance(condition, Unknown):
                return f"could not show that a term is defined: {node}"
            goal = substitute(condition, dict(chart.inverse or {}))
            if prove(given, goal, steps=context.profile.smt_steps, atoms=True).answer != "proved":
                return f"could not show that a term is defined: {node}"
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


def _declared(symbol: sympy.Symbol, value: sympy.Expr) -> list[Relation]:
    """Return the facts that SymPy assumes of a coordinate because of its symbol, as conditions on its value."""
    signs = [
        (symbol.is_positive, gt(value, 0)),
        (symbol.is_nonnegative, ge(value, 0)),
        (symbol.is_negative, lt(value, 0)),
        (symbol.is_nonpositive, le(value, 0)),
        (symbol.is_nonzero, ne(value, 0)),
    ]
    return [condition for declared, condition in signs if declared]


def _exact(value: Any) -> Fraction:
    """Return an exact number as a fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


def _exclusions(
    claim: Claim, chart: Chart, maps: Mapping[sympy.Symbol, sympy.Expr]
) -> list[tuple[int, str, sympy.Expr]]:
    """Expressions that are >= 0 wherever the hypotheses hold, for dropping boxes outside the domain.

    Each with the number of its hypothesis and the side that is subtracted from the other.
    """
    found = []
    for number, hypothesis in enumerate(claim.hypotheses):
        formula = _in_chart(hypothesis.formula, maps)
        if isinstance(formula, Relation) and formula.op not in ("==", "!="):
            # A hypothesis only drops boxes, on which it is certainly false; one that drops none costs
            # time and no truth.
            gap = sympy.cancel(sympy.together(formula.gap))
            if gap.free_symbols and not gap.is_nonnegative:
                found.append((number, _side(formula), gap))
    return found


def _evaluated(claim: Claim) -> Claim:
    """The claim with derivatives, substitutions and sums worked out: a certificate holds plain terms only."""
    if claim.conclusion is None:
        return claim
    hypotheses = tuple(replace(h, formula=rewrite(h.formula, evaluated)) for h in claim.hypotheses)
    return replace(claim, conclusion=rewrite(claim.conclusion, evaluated), hypotheses=hypotheses, mutants=())


def _side(relation: Relation) -> str:
    """Return which side of a relation is subtracted from which in its gap."""
    return "left - right" if relation.op in (">=", ">") else "right - left"


def _in_chart(formula: Formula, maps: Mapping[sympy.Symbol, sympy.Expr]) -> Formula:
    return rewrite(formula, lambda e: evaluated(e).subs(dict(maps), simultaneous=True))


def _box_text(box: Box) -> dict[str, list[str]]:
    """Return a box as texts of exact fractions."""
    return {name: [str(lo), str(hi)] for name, (lo, hi) in box.items()}
