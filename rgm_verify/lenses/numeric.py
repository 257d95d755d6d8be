"""Numerical lenses: enclosures at exact points, searches for counterexamples, and printed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, ClassVar

import mpmath
import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Formula, FormulaError, Relation, both, ge, holds, lt, truth
from rgm_verify.lenses.base import Context, Lens, rational
from rgm_verify.lenses.interval import CannotEnclose, sign_by_intervals
from rgm_verify.lenses.sampling import Point, exact_points
from rgm_verify.lenses.witness import Witness, find


@dataclass(frozen=True)
class Points(Lens):
    """Enclose both sides at exact random points of the domain, by Arb and, on its own, by mpmath.

    Without free variables this decides the claim. Points where a side is not enclosed finely enough count as open.
    """

    count: int | None = None

    name: ClassVar[str] = "enclosures at points"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.ENCLOSURES, Kind.EXACT_WITNESS, Kind.COUNTEREXAMPLE, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Evaluate at points; a certain failure refutes."""
        from rgm_verify.balls.enclose import sign_at

        if claim.conclusion is None or claim.quantifier == "exists":
            return []
        if not claim.variables:
            return self.closed(claim.conclusion)
        tally = {"points": 0, "arb": 0, "mpmath": 0}
        count = self.count or context.profile.points
        for point in exact_points(claim, "points", context.seed, count, sign_at):
            tally["points"] += 1
            by_arb = point_truth(claim.conclusion, point, sign_at)
            if by_arb is False:
                return []  # the search lens makes a simple witness of it
            tally["arb"] += by_arb is True
            tally["mpmath"] += mpmath_truth(claim.conclusion, point) is True
        return [self.report(tally)]

    def report(self, tally: dict[str, int]) -> Evidence:
        """What the points amount to."""
        families = tuple(f for f in ("arb", "mpmath") if tally[f] > 0)
        if not families:
            return self.undecided(("arb", "mpmath"), f"none of {tally['points']} points was decided", **tally)
        summary = f"holds at {tally['points']} exact points: Arb agrees at {tally['arb']}, mpmath at {tally['mpmath']}"
        return self.evidence(Kind.ENCLOSURES, Finding.SUPPORTS, families, summary, details=tally)

    def closed(self, conclusion: Formula) -> list[Evidence]:
        """Decide a conclusion without variables by two interval arithmetics."""
        from rgm_verify.balls.enclose import sign_at

        by_arb = holds(conclusion, lambda e: str(sign_at(e, {})))
        by_mpmath = holds(conclusion, lambda e: mpmath_sign(e, {}))
        if by_arb is not True or by_mpmath is False:
            return []
        families = ("arb", "mpmath") if by_mpmath is True else ("arb",)
        if holds(conclusion, lambda e: sign_at(e, {})) is not True:
            return [self.evidence(Kind.ENCLOSURES, Finding.SUPPORTS, families, "the sides agree to 30 digits")]
        return [self.evidence(Kind.EXACT_WITNESS, Finding.SUPPORTS, families, "decided by enclosures of both sides")]


def point_truth(formula: Formula, point: Point, sign_at: Any) -> bool | None:
    """Truth at a point by Arb, for support and never for proof.

    Sides that agree to 30 digits and that nothing can tell apart count as equal there.
    """

    def sign(expression: sympy.Expr) -> str:
        return str(sign_at(expression, point))

    return truth(formula, lambda relation: _relation_at(relation, point, sign))


def _relation_at(relation: Relation, point: Point, sign: Any) -> bool | None:
    from rgm_verify.balls.enclose import enclose

    certain = holds(relation, sign)
    if certain is not None or relation.strict:
        return certain
    left, right = enclose(relation.lhs, point, digits=30), enclose(relation.rhs, point, digits=30)
    return True if left.overlaps(right) and _narrow(left) and _narrow(right) else None


def _narrow(enclosure: Any) -> bool:
    if enclosure.lower is None or enclosure.upper is None:
        return False
    size = max(abs(enclosure.lower), abs(enclosure.upper))
    return bool(enclosure.upper - enclosure.lower <= size / Fraction(10) ** 29)


def mpmath_truth(formula: Formula, point: Point) -> bool | None:
    """Truth at a point by mpmath: interval arithmetic where it knows the functions, else two precisions compared."""
    return truth(formula, lambda relation: _mpmath_relation(relation, point))


def _mpmath_relation(relation: Relation, point: Point) -> bool | None:
    if relation.op == "==":
        return _mpmath_equal(relation, point)
    certain = holds(relation, lambda e: mpmath_sign(e, point))
    if certain is not None or relation.strict:
        return certain
    return True if _mpmath_equal(relation, point) else None


def mpmath_sign(expression: sympy.Expr, point: Point) -> str:
    """The sign by mpmath.iv, or by evaluations at two precisions whose difference bounds the error."""
    try:
        return sign_by_intervals(expression, point)
    except CannotEnclose:
        value, error = mpmath_value(expression, point)
    if value is None or abs(value) <= error:
        return "unknown"
    return "positive" if value > 0 else "negative"


def _mpmath_equal(relation: Relation, point: Point) -> bool | None:
    left, left_error = mpmath_value(relation.lhs, point)
    right, right_error = mpmath_value(relation.rhs, point)
    if left is None or right is None:
        return None
    return bool(abs(left - right) <= left_error + right_error)


def mpmath_value(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> tuple[Any, Any]:
    """The value at 120 digits and a bound on its error: its distance from the value at 60 digits, with that many
    digits'
    rounding on top; (None, 0) where mpmath cannot evaluate or is not sure of a real value.
    """
    from rgm_verify.balls.special import MPMATH_FUNCTIONS

    # Fresh names, because a symbol called gamma would hide the function of that name.
    fresh = {s: sympy.Dummy(f"v{i}") for i, s in enumerate(point)}
    function = sympy.lambdify(list(fresh.values()), expression.xreplace(fresh), [MPMATH_FUNCTIONS, "mpmath"])
    values = []
    for digits in (60, 120):
        with mpmath.workdps(digits):
            try:
                arguments = [mpmath.mpf(v.numerator) / v.denominator for v in point.values()]
                values.append(mpmath.mpmathify(function(*arguments)))
            except (ZeroDivisionError, ValueError, OverflowError, TypeError, NameError, mpmath.libmp.NoConvergence):
                return None, 0
    with mpmath.workdps(120):
        if any(isinstance(v, mpmath.mpc) or not mpmath.isfinite(v) for v in values):
            return None, 0
        size = max(abs(values[1]), mpmath.mpf(1))
        return values[1], 2 * abs(values[1] - values[0]) + size * mpmath.mpf(10) ** -55


@dataclass(frozen=True)
class Search(Lens):
    """Look for a counterexample (for an existence claim: for an example); a winner is made simple and certified.

    A search that finds nothing is weak evidence and is named so.
    """

    name: ClassVar[str] = "search"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SEARCH, Kind.COUNTEREXAMPLE, Kind.EXACT_WITNESS, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Search once; the witness, if any, is in the details."""
        if claim.conclusion is None:
            return []
        exists = claim.quantifier == "exists"
        found = find(claim, context, wanted=exists, purpose="search", polish=3)
        if found is None:
            count = context.profile.samples
            summary = f"no {'example' if exists else 'counterexample'} among {count} points and their refinements"
            finding = Finding.UNDECIDED if exists else Finding.SUPPORTS
            return [self.evidence(Kind.SEARCH, finding, ("numpy",), summary)]
        return [self.witnessed(found, exists=exists)]

    def witnessed(self, found: Witness, *, exists: bool) -> Evidence:
        """The witness as evidence."""
        kind = Kind.EXACT_WITNESS if exists else Kind.COUNTEREXAMPLE
        finding = Finding.SUPPORTS if exists else Finding.REFUTES
        summary = f"{'holds' if exists else 'fails'} at {found.describe()}"
        return self.evidence(kind, finding, found.families, summary, details={"witness": found.to_json()})


def rounds_to(value: sympy.Expr, printed: str) -> Formula:
    """The formula that says that `value` rounds to the printed decimal at its printed precision.

    `rounds_to(x, "0.86")` is 0.855 <= x < 0.865. Raises `FormulaError` for what is not a decimal number.
    """
    try:
        number = Decimal(printed)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise FormulaError(f"printed={printed!r}: write the digits as they are printed, such as '0.86' or '8.6e-1'")
    half = Fraction(10) ** int(number.as_tuple().exponent) / 2
    low, high = Fraction(number) - half, Fraction(number) + half
    return both(ge(value, rational(low)), lt(value, rational(high)))
