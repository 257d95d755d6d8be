"""Numerical lenses: enclosures at exact points, searches for counterexamples, and printed numbers.

`Points` evaluates a claim at exact points that certainly satisfy its hypotheses: by Arb, and by
mpmath, which share no code. `Search` uses floats to find a point where the claim fails and exact
arithmetic to confirm it. Neither proves a statement about all points; either refutes it by one.
Points are drawn by the claim's id and the seed, so that a second run sees the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import mpmath
import sympy

from rgm_verify.balls.binding import ends_in_disorder, evaluated, placed, terms
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import POINTS, SEARCH, Evidence, Finding, Kind
from rgm_verify.claims.formula import Formula, FormulaError, Relation, both, ge, holds, lt, relations
from rgm_verify.lenses.base import FULL, Context, Lens, rational
from rgm_verify.lenses.points.approach import gap_and_size
from rgm_verify.lenses.points.interval import CannotEnclose, sign_by_intervals
from rgm_verify.lenses.points.mpmath_code import mpmath_function
from rgm_verify.lenses.points.sampling import exact_points, makers
from rgm_verify.lenses.points.search import Outcome, search
from rgm_verify.lenses.points.values import UNDEFINED, Truth, Value, sign, split, truth_at, undefined_part
from rgm_verify.lenses.points.witness import Witness, certified, value_text

_AFTER_A_PROOF = 2  # rounds of a search in a quick run that may only find that a proof is wrong
#: Fewer admissible points, or a smaller share of them decided, say nothing.
# One or two points may satisfy a false claim by chance.
_FEWEST_POINTS = 4
_SHARE_DECIDED = Fraction(3, 4)
#: The precision up to which the sides of a closed statement are compared.
_MOST_BITS = 4096
#: A search over fewer admissible points has looked at nothing.
_FEWEST_SEARCHED = 30


@dataclass(frozen=True)
class Points(Lens):
    """Enclose both sides at exact random points of the domain, by Arb and, on its own, by mpmath.

    Of a derivative Arb differentiates the program, and mpmath evaluates what SymPy makes of it.
    Without free variables this decides the claim. A point where a side is not enclosed finely enough counts as open; a
    point where Arb is certain that the claim fails, or that a term of it is not defined, refutes; where mpmath alone
    contradicts, the claim is at most undecided.

    Gives: `enclosures at points` for a claim about all points, `exact witness` for one without
    variables, `exact counterexample` where a point is certain to break it. It closes the trap of a
    definition: a side that is no real number at an admissible point refutes. It is undecided with fewer
    than four admissible points (unless the domain has fewer), or if Arb decided less than three
    quarters of them.

    Attributes:
        count: Admissible points to look at; None takes the profile's.
    """

    count: int | None = None

    name: ClassVar[str] = POINTS
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.ENCLOSURES, Kind.EXACT_WITNESS, Kind.COUNTEREXAMPLE, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Evaluate at points; a certain failure refutes.

        Args:
            claim: The claim or a control of it; claims that something exists are left to `Search`.
            context: Profile and seed.

        Returns:
            One piece of evidence; none for a claim without a conclusion or about existence.
        """
        if claim.conclusion is None or claim.quantifier == "exists":
            return []
        if not claim.variables:
            return self.closed(claim, claim.conclusion, proved=context.proved)
        tally = {"points": 0, "arb": 0, "mpmath": 0}
        decided = 0
        integrals = any(side.has(sympy.Integral) for r in relations(claim.conclusion) for side in (r.lhs, r.rhs))
        wanted = self.count or context.profile.points
        for point in exact_points(claim, "points", context.seed, wanted):
            tally["points"] += 1
            by_arb = point_truth(claim.conclusion, point)
            if by_arb is False or by_arb == UNDEFINED:
                # What refutes is confirmed from scratch, hypotheses included: the point was admissible
                # by a first look only.
                found = certified(claim, claim.conclusion, point, wanted=False)
                return [self.failing(point) if found is None else self.witnessed(found)]
            by_mpmath = mpmath_truth(claim.conclusion, point)
            # mpmath's sign may rest on two precisions that agree, which is good evidence and no proof.
            if by_mpmath is False:
                return [self.against(("mpmath",), f"mpmath finds that it fails at {_text(point)}, and Arb does not")]
            # mpmath gives a divergent integral some value: nothing speaks for the claim at a point that may be one.
            if by_arb is None and integrals:
                return [self.undecided(("arb",), f"an integral is not shown to converge at {_text(point)}", **tally)]
            tally["arb"] += by_arb is True
            tally["mpmath"] += by_mpmath is True
            decided += by_arb is True
        return [self.report(claim, context, tally, decided, min(wanted, _FEWEST_POINTS))]

    def failing(self, point: Mapping[sympy.Symbol, Value]) -> Evidence:
        """Return the evidence of a failure that the exact check did not confirm.

        Args:
            point: The point that Arb found to fail and that `certified` did not accept.
        """
        return self.against(("arb",), f"it seems to fail at {_text(point)}")

    def witnessed(self, found: Witness) -> Evidence:
        """A counterexample.

        Args:
            found: The certified witness.
        """
        summary = f"fails at {found.describe()}"
        return self.evidence(Kind.COUNTEREXAMPLE, Finding.REFUTES, found.families, summary, details=found.details())

    def report(self, claim: Claim, context: Context, tally: dict[str, int], decided: int, fewest: int) -> Evidence:
        """Return the evidence of the points: undecided if they are too few, or if Arb decided too few of them.

        Args:
            claim: The claim, whose domain may have few points altogether.
            context: Profile and seed.
            tally: The points seen, and how many of them each arithmetic confirmed.
            decided: The points that Arb confirmed.
            fewest: The least number of points that says anything.
        """
        families = tuple(f for f in ("arb", "mpmath") if tally[f] > 0)
        count = tally["points"]
        if count == 0:
            return self.undecided(("arb", "mpmath"), "no admissible point was found", **tally)
        if count < min(fewest, _size(claim, context)):
            return self.undecided(("arb", "mpmath"), f"only {count} admissible points were found", **tally)
        if decided < _SHARE_DECIDED * count:
            return self.undecided(("arb", "mpmath"), f"Arb decided only {decided} of {count} points", **tally)
        summary = f"holds at {count} exact points: Arb agrees at {tally['arb']}, mpmath at {tally['mpmath']}"
        return self.evidence(Kind.ENCLOSURES, Finding.SUPPORTS, families, summary, details=tally)

    def closed(self, claim: Claim, conclusion: Formula, *, proved: bool) -> list[Evidence]:
        """Decide a conclusion without variables by two interval arithmetics.

        Digits that agree are a second route beside a proof, and by themselves say nothing.

        Args:
            claim: A claim without variables.
            proved: Whether another lens has proved it.

        Returns:
            One piece of evidence. Support asks for Arb's certainty, where mpmath may be silent and must
            not disagree.
        """
        by_arb = truth_at(conclusion, lambda r: _certain(r, {}))
        if by_arb is False or by_arb == UNDEFINED:
            found = certified(claim, conclusion, {}, wanted=False)
            return [self.failing({}) if found is None else self.witnessed(found)]
        by_mpmath = mpmath_truth(conclusion, {})
        if by_mpmath is False:
            return [self.against(("mpmath",), "mpmath finds that it fails, and Arb does not")]
        if by_arb is None:
            if not proved or by_mpmath is not True or point_truth(conclusion, {}) is not True:
                return [self.undecided(("arb",), "no precision tells the sides apart")]
            summary = f"no precision up to {_MOST_BITS} bits tells the sides apart, and mpmath agrees"
            return [self.evidence(Kind.ENCLOSURES, Finding.SUPPORTS, ("arb", "mpmath"), summary)]
        families = ("arb", "mpmath") if by_mpmath is True else ("arb",)
        return [self.evidence(Kind.EXACT_WITNESS, Finding.SUPPORTS, families, "decided by enclosures of both sides")]


def _text(point: Mapping[sympy.Symbol, Value]) -> str:
    return ", ".join(f"{s} = {value_text(v)}" for s, v in point.items()) or "no free variable"


def _size(claim: Claim, context: Context) -> int:
    """Return how many admissible points there may be, at least 1 and as far as it matters here.

    They are few only for few integers, or where equations determine every variable.
    """
    ways = makers(claim, "count", context.seed)
    if not any(maker.axes for maker in ways):
        return 1
    size = 1
    for v in claim.variables:
        if not v.integer or v.lower is None or v.upper is None:
            return _FEWEST_POINTS
        size *= int(v.upper) - int(v.lower) + 1
    return max(1, min(size, _FEWEST_POINTS))


def _certain(relation: Relation, point: Mapping[sympy.Symbol, Value]) -> Truth:
    """Return what Arb is certain of for one relation; an undefined term comes before any sign."""
    if undefined_part(relation, point) is not None:
        return UNDEFINED
    return holds(relation, lambda e: sign(e, point))


def point_truth(formula: Formula, point: Mapping[sympy.Symbol, Value]) -> Truth:
    """Truth at a point by Arb, for support and never for proof.

    Sides that agree to 30 digits and that nothing can tell apart count as equal there.

    Args:
        point: An exact value for each free symbol.

    Returns:
        True, False, `UNDEFINED`, or None where it is open. False is certain; True may rest on 30 equal
        digits.
    """
    return truth_at(formula, lambda relation: _relation_at(relation, point))


def _relation_at(relation: Relation, point: Mapping[sympy.Symbol, Value]) -> Truth:
    """Return the truth of a relation at a point; sides that agree to 30 digits are equal where that suffices."""
    from rgm_verify.balls.enclose import enclose
    from rgm_verify.balls.program import UnsupportedExpression

    certain = _certain(relation, point)
    if certain is not None or relation.strict:
        return certain
    try:
        left, right = (enclose(*split(side, point), digits=30) for side in (relation.lhs, relation.rhs))
        if left.overlaps(right) and _narrow(left) and _narrow(right):
            return True
        gap, size = (enclose(*split(e, point), digits=30, maximum_bits=256) for e in gap_and_size(relation))
    except UnsupportedExpression:
        return None
    # A side that is 0 has no relative width: the difference is compared with the size of what is added up.
    if gap.lower is None or gap.upper is None or size.lower is None or not gap.contains(0):
        return None
    return True if gap.upper - gap.lower <= size.lower / Fraction(10) ** 29 else None


def _narrow(enclosure: Any) -> bool:
    """Return whether an enclosure is at most 1e-29 of its own size wide."""
    if enclosure.lower is None or enclosure.upper is None:
        return False
    size = max(abs(enclosure.lower), abs(enclosure.upper))
    return bool(enclosure.upper - enclosure.lower <= size / Fraction(10) ** 29)


def mpmath_truth(formula: Formula, point: Mapping[sympy.Symbol, Value]) -> Truth:
    """Truth at a point by mpmath: interval arithmetic where it knows the functions, else two precisions compared.

    Args:
        point: An exact value for each free symbol.

    Returns:
        True or False as mpmath sees it, None where it cannot tell. Not certain, unless intervals told.
    """
    return truth_at(formula, lambda relation: _mpmath_relation(relation, point))


def _mpmath_relation(relation: Relation, point: Mapping[sympy.Symbol, Value]) -> bool | None:
    """Return the truth of one relation: an equation by two values with error bounds, an inequality by a
    sign first.
    """
    sides = [split(side, point) for side in (relation.lhs, relation.rhs)]
    there = Relation(sides[0][0], relation.op, sides[1][0])
    rational_point = sides[0][1]
    if relation.op == "==":
        return _mpmath_equal(there, rational_point)
    certain = holds(there, lambda e: mpmath_sign(e, rational_point))
    # Sides that are equal within their errors make `<=` true enough for support, and say nothing of
    # `<`.
    if certain is not None or relation.strict:
        return certain
    return True if _mpmath_equal(there, rational_point) else None


def mpmath_sign(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> str:
    """The sign by mpmath.iv, or by evaluations at two precisions whose difference bounds the error.

    Args:
        point: Exact rational coordinates.

    Returns:
        `positive`, `negative`, `zero` (by intervals alone) or `unknown`.
    """
    try:
        return sign_by_intervals(expression, point)
    except CannotEnclose:
        value, error = mpmath_value(expression, point)
    if value is None or abs(value) <= error:
        return "unknown"
    return "positive" if value > 0 else "negative"


def _mpmath_equal(relation: Relation, point: Mapping[sympy.Symbol, Fraction]) -> bool | None:
    """Return whether two sides agree within the sum of their error bounds; None where one has no value."""
    left, left_error = mpmath_value(relation.lhs, point)
    right, right_error = mpmath_value(relation.rhs, point)
    if left is None or right is None:
        return None
    return bool(abs(left - right) <= left_error + right_error)


def mpmath_value(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> tuple[Any, Any]:
    """The value at 120 digits and a bound on its error: its distance from the value at 60 digits, with that many
    digits'
    rounding on top; (None, 0) where mpmath cannot evaluate or is not sure of a real value. Derivatives, substitutions,
    sums and products are evaluated by SymPy first, where Arb differentiates, substitutes and adds up programs.
    """
    if expression.has(sympy.Sum, sympy.Product):
        # The ends of a sum have to be numbers before SymPy can add it up.
        there = placed(expression, {s: rational(v) for s, v in point.items()})
        if ends_in_disorder(there):
            return None, 0
        expression, point = _written_out(there), {}
        if expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):  # a term has no value
            return None, 0
    try:
        function = _by_mpmath(expression, tuple(point))
    # SymPy writes numbers in decimal digits, and Python refuses to write more than 4300 of them. It writes no code for
    # a derivative of an unknown function.
    except (ValueError, NotImplementedError):
        return None, 0
    values = []
    # A value that is wrong by cancellation changes when the digits double; a value that does not is
    # right to 60 of them.
    for digits in (60, 120):
        with mpmath.workdps(digits):
            try:
                arguments = [mpmath.mpf(v.numerator) / v.denominator for v in point.values()]
                # A constant such as pi has the digits of whoever asks it: here it becomes a number.
                values.append(+mpmath.mpmathify(function(*arguments)))
            except (ZeroDivisionError, ValueError, OverflowError, TypeError, NameError, mpmath.libmp.NoConvergence):
                return None, 0
    with mpmath.workdps(120):
        if any(isinstance(v, mpmath.mpc) or not mpmath.isfinite(v) for v in values):
            return None, 0
        size = max(abs(values[1]), mpmath.mpf(1))
        return values[1], 2 * abs(values[1] - values[0]) + size * mpmath.mpf(10) ** -55


def _written_out(expression: sympy.Expr) -> sympy.Expr:
    """Return an expression with its sums and products between numbers as their terms, which SymPy need not look for.

    SymPy tries to find a closed form of a sum of more than a hundred terms, which may take minutes.
    """
    if not isinstance(expression, sympy.Expr) or not expression.has(sympy.Sum, sympy.Product):
        return expression
    found = terms(expression) if isinstance(expression, sympy.Sum | sympy.Product) else None
    if found is None:
        return expression.func(*(_written_out(a) if isinstance(a, sympy.Expr) else a for a in expression.args))
    kind = sympy.Add if isinstance(expression, sympy.Sum) else sympy.Mul
    return kind(*(_written_out(t) for t in found))


@lru_cache(maxsize=512)
def _by_mpmath(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Callable[..., Any]:
    """The function of mpmath's for an expression, made once for all points."""
    # Fresh names, because a symbol called gamma would hide the function of that name.
    fresh = {s: sympy.Dummy(f"v{i}") for i, s in enumerate(symbols)}
    return mpmath_function(list(fresh.values()), evaluated(expression).xreplace(fresh))


@dataclass(frozen=True)
class Search(Lens):
    """Look for a counterexample (for an existence claim: for an example); a winner is made simple and certified.

    What nothing has proved (in the full profile: everything) is also looked at far out, where factors vanish, and,
    where it does not follow from premises either, where the sides come close. A search that finds nothing is weak
    evidence and is named so. It is none where few points were admissible, or where the sides come so close that no
    exact point tells which is larger.

    Gives: an exact counterexample (or, for an existence claim, an example), or the remark that none was
    found. It never proves a claim about all points.
    """

    name: ClassVar[str] = SEARCH
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SEARCH, Kind.COUNTEREXAMPLE, Kind.EXACT_WITNESS, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Search once; the witness, if any, is in the details.

        Args:
            claim: The claim or a control of it.
            context: Profile, seed, and what was proved before.

        Returns:
            One piece of evidence; none for a claim without a conclusion, or without variables and
            witness.
        """
        if claim.conclusion is None:
            return []
        exists = claim.quantifier == "exists"
        whole = context.profile.name == FULL.name
        # A proof makes the expensive places idle in a quick run; the full profile looks there all the
        # same.
        thorough, close = whole or not context.proved, whole or not (context.proved or context.deduced)
        if not thorough:
            rounds = min(_AFTER_A_PROOF, context.profile.refinements)
            context = replace(context, profile=replace(context.profile, refinements=rounds))
        outcome = search(claim, context, wanted=exists, purpose="search", polish=3, thorough=thorough, close=close)
        if outcome.witness is not None:
            return [self.witnessed(outcome.witness, exists=exists)]
        if not claim.variables:
            return []  # there is nothing to search
        return [self.unsuccessful(claim, outcome, context)]

    def unsuccessful(self, claim: Claim, outcome: Outcome, context: Context) -> Evidence:
        """Return what it means that nothing was found.

        Args:
            outcome: The counts and near misses of the search.
            context: The profile, for the counts in the text.

        Returns:
            Weak support, or an undecided note: for an existence claim, for fewer than 30 admissible
            points, for an inequation whose sides cross, and for sides that meet in 24 digits at a place
            that is no exact point of equality.
        """
        if claim.quantifier == "exists":
            summary = f"no example among {context.profile.samples} points and their refinements"
            return self.evidence(Kind.SEARCH, Finding.UNDECIDED, ("numpy",), summary)
        if outcome.admissible < _FEWEST_SEARCHED:
            return self.undecided(("numpy",), f"only {outcome.admissible} points met the hypotheses")
        if outcome.crossed is not None:
            sides = f"{outcome.crossed.lhs} and {outcome.crossed.rhs}"
            return self.undecided(
                ("numpy",), f"which of {sides} is larger changes, so that they may be equal in between"
            )
        near = outcome.nearest
        if near is not None and near.meets and not near.exact:
            place = ", ".join(near.place)
            return self.undecided(
                ("numpy", "mpmath"), f"the sides meet to {near.slack:.0e} of their size near ({place})"
            )
        summary = f"no counterexample among {context.profile.samples} points and their refinements"
        return self.evidence(Kind.SEARCH, Finding.SUPPORTS, ("numpy",), summary)

    def witnessed(self, found: Witness, *, exists: bool) -> Evidence:
        """The witness as evidence.

        Args:
            found: The certified witness.
            exists: Whether the claim says that something exists.
        """
        kind = Kind.EXACT_WITNESS if exists else Kind.COUNTEREXAMPLE
        finding = Finding.SUPPORTS if exists else Finding.REFUTES
        summary = f"{'holds' if exists else 'fails'} at {found.describe()}"
        return self.evidence(kind, finding, found.families, summary, details=found.details())


def rounds_to(value: sympy.Expr, printed: str) -> Formula:
    """The formula that says that `value` rounds to the printed decimal at its printed precision.

    `rounds_to(x, "0.86")` is 0.855 <= x < 0.865. Raises `FormulaError` for what is not a decimal number.

    Args:
        value: The expression that the number was computed from.
        printed: The digits as printed; trailing zeros count.

    Returns:
        The conjunction of two relations with exact ends; the upper end is left out (half up).

    Raises:
        FormulaError: For what is not a finite decimal number.

    Examples:
        >>> import sympy
        >>> str(rounds_to(sympy.Symbol("x"), "0.86"))
        '(x >= 171/200 and x < 173/200)'
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
