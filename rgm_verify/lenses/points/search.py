"""The search for a point where a formula fails (or holds), and making it simple.

Floats order many points, and the best few are put to exact arithmetic (`witness.certified`). So
nothing here can make a false statement; at worst it misses a counterexample. The places are chosen
for that: round numbers, the boundary of each hypothesis, the neighbourhood of the worst points,
zeros of factors and slopes, far out and beside ends, and with 60 digits where both sides nearly meet.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import sympy
from sympy.polys.polyerrors import BasePolynomialError

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import Formula, Relation, negation, relations
from rgm_verify.lenses.algebra.equations import roots
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.approach import Approach, approach, gap_and_size
from rgm_verify.lenses.points.axes import MAGNITUDES, real_constant
from rgm_verify.lenses.points.factors import special_factors
from rgm_verify.lenses.points.floats import as_real, numeric, robustness
from rgm_verify.lenses.points.moves import around, boundary_moves, to_boundaries
from rgm_verify.lenses.points.sampling import PointMaker, Rows, makers
from rgm_verify.lenses.points.thin import thin_points
from rgm_verify.lenses.points.values import (
    UNDEFINED,
    Point,
    Value,
    as_sympy,
    sign,
    truth_by_arb,
    with_numbers,
)
from rgm_verify.lenses.points.witness import Witness, certified

# Whether a point touches is asked with as many bits as a witness is certified with.
_BITS = 1024
#: What SymPy raises where it cannot solve for a place, or write its function as floats.
_NO_PLACE = (
    ArithmeticError,
    AttributeError,
    BasePolynomialError,
    LookupError,
    NotImplementedError,
    TypeError,
    ValueError,
)
#: Thin places that a statement of one operation gets; longer ones get fewer.
_THIN_LOOKS = 60_000
_FEW_BITS = 256  # for many points, of which most plainly hold
_CLEAR = 1e-7  # simpler points must violate clearly, or the simplest point would be a marginal one
_ROUNDING = 1e-9  # a violation below this share of the sides may be rounding: Arb decides it
_EQUAL = 1e-14  # the sides of an equation differ by so much through rounding alone
_PARENTS = 12  # rows around which the next ones are drawn
_MEASURED = 64  # candidates of which the simplest are chosen
_MOST_FAINT = 6  # candidates within rounding that Arb is asked about at a time
_CLOSE = 1e-3  # sides that come nearer than this share of their size are looked at with many digits
_SIMPLE_ROWS, _MOST_SPECIAL = 3, 72
_LATTICE = 4096  # points of integers that are all looked at: 64 by 64 for two variables
_NICE = {Fraction(t) for t in ("0", "1", "2", "3", "1/2", "10", "1/10", "100", "1/100", "1000", "1/1000")}


@dataclass
class Outcome:
    """The outcome of a search: the witness if there is one, and otherwise how hard it looked and how near it came.

    `admissible` counts points that satisfied every assumption up to rounding. `crossed` is an inequation whose sides
    lie one way round at some of them and the other way round at others, so that they may meet in between. `nearest` is
    the closest that the sides of the conclusion came with many digits, where that is near.
    """

    witness: Witness | None = None
    admissible: int = 0
    crossed: Relation | None = None
    nearest: Approach | None = None


def find(
    claim: Claim, context: Context, *, wanted: bool, purpose: str, attempts: int = 1, polish: int = 1
) -> Witness | None:
    """An exact admissible point where the conclusion certainly is `wanted` (False: a counterexample), or None.

    Floating point guides the search; only what interval arithmetic certifies is returned. `attempts` is how often
    the search starts afresh, `polish` how many rounds are spent on making the point simple.

    Args:
        claim: The claim or a control of it.
        context: Profile and seed.
        wanted: The truth value that is looked for.
        purpose: The name of the draws; another purpose sees other points.
        attempts: At least 1.
        polish: At least 0.

    Returns:
        A certified witness, or None, which says nothing of the claim.
    """
    return search(claim, context, wanted=wanted, purpose=purpose, attempts=attempts, polish=polish).witness


def search(
    claim: Claim,
    context: Context,
    *,
    wanted: bool,
    purpose: str,
    attempts: int = 1,
    polish: int = 1,
    thorough: bool = False,
    close: bool = False,
) -> Outcome:
    """Look for a witness as `find` does; `thorough` also goes far out and to zeros, `close` where sides come close.

    Args:
        claim: The claim or a control of it.
        context: Profile and seed.
        wanted: The truth value that is looked for.
        purpose: The name of the draws.
        attempts: Fresh starts, at least 1.
        polish: Rounds of making the witness simple.
        thorough: Whether far places, ends and zeros are looked at.
        close: Whether places where the sides nearly meet are looked at.

    Returns:
        The witness, or what the search saw instead.
    """
    outcome = Outcome()
    if claim.conclusion is None:
        return outcome
    looked = _Search(claim, claim.conclusion, context, polish, wanted=wanted, outcome=outcome)
    for attempt in range(attempts):
        # A chart shows the part of the domain that its author had in mind. A counterexample may lie
        # outside of it.
        for charted in (True, False) if claim.sampling is not None else (False,):
            plain = claim if charted else _without_chart(claim)
            for maker in makers(plain, f"{purpose}-{charted}-{attempt}", context.seed):
                outcome.witness = looked.run(maker, thorough=thorough, close=close)
                if outcome.witness is not None:
                    return outcome
    return outcome


def _without_chart(claim: Claim) -> Claim:
    """Return the claim without its sampling chart, which leaves its meaning as it is."""
    return claim if claim.sampling is None else replace(claim, sampling=None)


def largest_first(scores: np.ndarray) -> np.ndarray:
    """Return the places of scores in falling order, the same on every processor.

    Many rows tie, and NumPy's own order of ties depends on the instructions that a processor has; so do the last digits
    of a score. Equal to seven digits counts as a tie, and ties stay in the order in which they were drawn.

    Args:
        scores: Floats, infinite ones among them.

    Examples:
        >>> largest_first(np.array([0.5, 1.0, 0.5 + 1e-12, -np.inf, np.inf])).tolist()
        [4, 1, 0, 2, 3]
    """
    with np.errstate(all="ignore"):
        return np.argsort(-scores.astype(np.float32), kind="stable")


def relative_slack(formula: Formula, symbols: Sequence[sympy.Symbol]) -> Callable[..., np.ndarray]:
    """Measure in floats how far a formula is from failing, relative to the size of its sides (`gap_and_size`).

    The function takes a column for each symbol and returns one: positive where the formula holds, negative where it
    fails. Rounding makes it worthless close to 0, so it orders points and decides about none.

    Args:
        symbols: The order of the arguments.
    """

    def of_relation(relation: Relation) -> Callable[..., np.ndarray]:
        gap, size = (numeric(e, symbols) for e in gap_and_size(relation))

        def value(*columns: np.ndarray) -> np.ndarray:
            share: np.ndarray = as_real(gap(*columns), columns) / (as_real(size(*columns), columns) + 1e-300)
            return np.abs(share) if relation.op == "!=" else -np.abs(share) if relation.op == "==" else share

        return value

    return robustness(formula, symbols, of_relation)


class _Search:
    """One search for a point where the conclusion certainly is `wanted` under the claim's assumptions."""

    def __init__(
        self, claim: Claim, conclusion: Formula, context: Context, polish: int, *, wanted: bool, outcome: Outcome
    ) -> None:
        self.polish = polish
        self.claim = claim
        self.conclusion = conclusion
        self.wanted = wanted
        self.outcome = outcome
        self.profile = context.profile
        self.symbols = [v.symbol for v in claim.variables]
        self._score = robustness(conclusion if wanted else negation(conclusion), self.symbols)
        self._conditions = [robustness(h.formula, self.symbols) for h in claim.assumptions]
        self._moves = boundary_moves(claim)
        # What fails an equation is beyond rounding; what meets one is not.
        self._equations = not wanted and all(r.op == "==" for r in relations(conclusion))
        self._tried: set[tuple[Value, ...]] = set()

    def run(self, maker: PointMaker, *, thorough: bool, close: bool) -> Witness | None:
        """Search with the points of one maker, from what is cheap and simple to what is expensive and
        rare.

        Args:
            maker: The source of points.
            thorough: Whether far places, ends and zeros are looked at.
            close: Whether places where the sides nearly meet are looked at.

        Returns:
            A certified witness that was made simple, or None.
        """
        if not self.symbols:
            return self.certify({})
        # A false claim mostly fails at round numbers already, and such a witness needs no polish.
        simple = maker.draw_simple(self.profile.samples)
        found = self.certify_best(maker, simple, self.scores(maker.columns(simple)))
        if found is not None:
            return self.simplify(found)
        generator = maker.generator
        rows = to_boundaries(maker, maker.draw(self.profile.samples), self._moves, generator)
        scores = self.scores(maker.columns(rows))
        for _ in range(self.profile.refinements):
            found = self.certify_best(maker, rows, scores)
            if found is not None:
                return self.simplify(found)
            best = [i for i in largest_first(scores)[:_PARENTS].tolist() if np.isfinite(scores[i])]
            rows = around(maker, rows, best, max(200, self.profile.samples // 4), self._moves, generator)
            scores = self.scores(maker.columns(rows))
        # The rows of the last refinement have not been looked at yet.
        found = self.certify_best(maker, rows, scores)
        if found is None and thorough:
            if self.outcome.crossed is None:
                self.outcome.crossed = self.crossing(maker, rows, simple)
            lattice = maker.lattice(_LATTICE)
            found = self.certify_best(maker, lattice, self.scores(maker.columns(lattice))) if lattice else None
            # These cost most and find least often, so that they come last.
            found = found or self.far_out(maker) or self.special(maker)
        if found is None and close:
            found = self.thin(maker) or self.close_by(maker, rows, simple)
        return None if found is None else self.simplify(found)

    def scores(self, columns: Mapping[sympy.Symbol, np.ndarray]) -> np.ndarray:
        """Robustness of what is looked for, minus infinity where an assumption clearly fails.

        Where the conclusion is not a number but the assumptions hold, the score is infinite: a term may be undefined.

        Args:
            columns: A column of floats for each variable.

        Returns:
            Floats in [-1, 1], or infinite as above; positive where the point may be a witness.
        """
        values = [columns[s] for s in self.symbols]
        with np.errstate(all="ignore"):
            raw = np.asarray(self._score(*values), dtype=float)
        # A point without a value may be the best of all: infinity marks it for the exact check.
        score: np.ndarray = np.where(np.isnan(raw), np.inf, np.clip(raw, -1.0, 1.0))
        for condition in self._conditions:
            with np.errstate(all="ignore"):
                # A hypothesis that holds with equality may be off by rounding; the exact check decides.
                ok = condition(*values) >= -1e-12
            score = np.where(ok, score, -np.inf)
        return score

    def certify_best(self, maker: PointMaker, rows: Rows, scores: np.ndarray) -> Witness | None:
        """Certify the simplest of the clear candidates, then the clearest, then what may be rounding.

        Floats only propose: a score within rounding of 0 may be either side, and an infinite one may be an undefined
        term. So few of each kind are certified exactly, which is what takes long.

        Args:
            maker: The source of the rows.
            rows: Coordinates.
            scores: The score of each row.

        Returns:
            The first candidate that is certain, or None.
        """
        self.outcome.admissible += int(np.sum(scores > -np.inf))
        best = [i for i in largest_first(scores)[:400][::-1] if scores[i] >= -_ROUNDING]
        # Floats are hashed far faster than Fractions, and a moved row has no others yet.
        order = list({rows.floats[i].tobytes(): i for i in best}.values())[::-1]
        odd = [i for i in order if scores[i] == np.inf]
        clear = [i for i in order if _ROUNDING < scores[i] < np.inf]
        faint = [
            i
            for i in order
            if (scores[i] > _EQUAL if self._equations else scores[i] >= -_ROUNDING) and scores[i] <= _ROUNDING
        ]

        def simplest(indices: list[int], count: int) -> list[int]:
            return sorted(indices[:_MEASURED], key=lambda i: sum(map(complexity, rows[i])))[:count]

        # At most a dozen exact checks for each table of rows: they take far longer than all the floats.
        chosen = [*simplest(clear, 3), *clear[:3], *simplest(faint, _MOST_FAINT // 2), *faint[: _MOST_FAINT // 2]]
        for index in dict.fromkeys([*chosen, *(simplest(odd, 3) if not self.wanted else ())]):
            found = self.certify_row(maker, rows[index])
            if found is not None:
                return found
        return None

    def certify_row(self, maker: PointMaker, row: Sequence[Fraction]) -> Witness | None:
        """Certify the point of a coordinate tuple, each point once.

        Args:
            maker: The source of the row.
            row: One value for each axis.
        """
        point = maker.point(row)
        if point is None or tuple(point.values()) in self._tried:
            return None
        # Different coordinates may lead to one point, and to certify it takes far longer than to remember it.
        self._tried.add(tuple(point.values()))
        return self.certify(point)

    def far_out(self, maker: PointMaker) -> Witness | None:
        """Look far out and beside the ends, where floats overflow or cancel: Arb decides what they leave open."""
        rows = maker.far_rows()
        if not rows:
            return None
        columns = maker.columns(rows)
        scores = self.scores(columns)
        clear = [i for i in range(len(rows)) if _ROUNDING < scores[i] < np.inf]
        unclear = [i for i in range(len(rows)) if abs(scores[i]) <= _ROUNDING or scores[i] == np.inf]
        # A clear score far out is mostly an overflow, so that few are tried; the unclear ones are what
        # floats cannot see.
        for index in [*clear[:4], *unclear[: 4 * _MOST_FAINT]]:
            found = self.certify_row(maker, rows[index])
            if found is not None:
                return found
        return None

    def special(self, maker: PointMaker) -> Witness | None:
        """Look where a factor of a difference or of a denominator vanishes: exactly there, and close beside it.

        There a claim may fail at a single point, an irrational one too, or in a spike beside a pole.
        """
        for point in itertools.islice(self._special_points(maker), _MOST_SPECIAL):
            found = self.certify(point)
            if found is not None:
                return found
        return None

    def _special_points(self, maker: PointMaker) -> Iterator[Point]:
        """Yield points where a factor vanishes in one variable, then rational points close beside the first of them.

        The other variables take simple values. Equality in a factor is where a strict sign or a denominator fails, and
        random points never hit it.
        """
        beside: list[Point] = []
        rows = maker.draw_simple(_SIMPLE_ROWS)
        for factor in special_factors(self.conclusion):
            for symbol in (s for s in self.symbols if factor.has(s) and not s.is_integer):
                for root in roots(factor, symbol):
                    for point in filter(None, map(maker.point, rows)):
                        rest = {s: as_sympy(v) for s, v in point.items() if s != symbol}
                        # A zero that is not real at the other coordinates is no point.
                        there = with_numbers(root, rest)
                        value = None if there is None else real_constant(there)
                        if value is None:
                            continue
                        yield {**point, symbol: value}
                        if isinstance(value, Fraction):
                            steps = [side * Fraction(1, 10**k) for k in MAGNITUDES for side in (1, -1)]
                            beside += [{**point, symbol: value + step} for step in steps] if not beside else []
        yield from beside

    def thin(self, maker: PointMaker) -> Witness | None:
        """Look at the thin places: few bits drop what plainly holds, and what does not is certified.

        The places are a help: where SymPy cannot solve for the next one, or write it as floats, there are no more.
        """
        size = sum(sympy.count_ops(side) for r in relations(self.conclusion) for side in (r.lhs, r.rhs))
        # A look costs as much as the statement is long, and a long one has many places.
        places = itertools.islice(thin_points(self.claim, self.conclusion, maker), _THIN_LOOKS // (1 + size))
        while True:
            try:
                point = next(places, None)
            except _NO_PLACE:
                return None
            if point is None:
                return None
            truth = truth_by_arb(self.conclusion, point, maximum_bits=_FEW_BITS)
            # What no formula holds at may still be outside of the domain: certifying asks for that as well.
            if truth is True if self.wanted else truth in (False, UNDEFINED):
                found = self.certify(point)
                if found is not None:
                    return found

    def close_by(self, maker: PointMaker, *tables: Rows) -> Witness | None:
        """Return where the sides come close: move there with many digits, and certify what fails on the way.

        The best rows of each table are starts, so that simple points are among them whatever was drawn.

        Args:
            maker: The source of the rows.
            *tables: Rows seen before.

        Returns:
            A witness, or None; `outcome.nearest` then says how near the sides came.
        """
        # Sides that come close say nothing of a point where a formula holds by a margin.
        if self.wanted:
            return None
        starts = list(dict.fromkeys(start for rows in tables for start in self.best(maker, rows, 27)[::13]))
        slack_of = relative_slack(self.conclusion, self.symbols)

        def quick(point: Sequence[float]) -> float:
            columns = maker.columns_of(np.array([point], dtype=float))
            values = [columns[s] for s in self.symbols]
            with np.errstate(all="ignore"):
                # Hypotheses that hold with equality are where claims fail first, and rounding must not hide them. What
                # is found is certified exactly, so a point that is outside by so little cannot refute anything.
                inside = all(condition(*values)[0] >= -1e-12 for condition in self._conditions)
                slack = float(slack_of(*values)[0]) if inside else np.inf
            return slack if np.isfinite(slack) else 1e9  # finite, as the descent compares differences

        # Several starts: the nearest valley of floats need not be the one in which the sides cross.
        for start in starts:
            near = approach(self.claim, self.conclusion, maker, start, quick)
            if near is None:
                continue
            for row in near.rows:
                found = self.certify_row(maker, row)
                if found is not None:
                    return found
            # Sides that are equal at an exact point touch there, which is what a tight bound does;
            # elsewhere they may cross.
            if near.meets:
                near = replace(near, exact=any(self.touches(maker, row) for row in near.rows))
            worst = self.outcome.nearest
            if near.slack < _CLOSE and (worst is None or (near.exact, near.slack) < (worst.exact, worst.slack)):
                self.outcome.nearest = near
        return None

    def best(self, maker: PointMaker, rows: Rows, count: int) -> list[tuple[Fraction, ...]]:
        """The admissible rows without repetitions, those first that come closest to failing; at most `count`."""
        scores = self.scores(maker.columns(rows))
        order = {rows.floats[i].tobytes(): i for i in largest_first(scores)[::-1] if np.isfinite(scores[i])}
        return [tuple(rows[i]) for i in itertools.islice(reversed(order.values()), count)]

    def crossing(self, maker: PointMaker, *tables: Rows) -> Relation | None:
        """The first inequation (!=) of the conclusion whose difference takes both signs at admissible points.

        By the intermediate value theorem a continuous difference is 0 in between, which would break the
        inequation.
        """
        columns = maker.columns_of(np.concatenate([rows.floats for rows in tables]))
        values = [columns[s] for s in self.symbols]
        inside = self.scores(columns) > -np.inf
        for relation in (r for r in relations(self.conclusion) if r.op == "!="):
            with np.errstate(all="ignore"):
                gap = as_real(numeric(relation.gap, self.symbols)(*values), values)
            # Between the two signs a continuous difference is 0: the point itself may be irrational.
            if np.any(inside & (gap > 0)) and np.any(inside & (gap < 0)):
                return relation
        return None

    def touches(self, maker: PointMaker, row: Sequence[Fraction]) -> bool:
        """Return whether the conclusion certainly holds at a point, with two sides that are exactly equal."""
        point = maker.point(row)
        if point is None or truth_by_arb(self.conclusion, point, maximum_bits=_BITS) is not True:
            return False
        return any(sign(r.gap, point, maximum_bits=_BITS) == "zero" for r in relations(self.conclusion))

    def certify(self, point: Mapping[sympy.Symbol, Value]) -> Witness | None:
        """The point as a witness if it is certain."""
        return certified(self.claim, self.conclusion, point, wanted=self.wanted)

    def simplify(self, found: Witness) -> Witness:
        """Round each value in turn to the simplest number that still witnesses."""
        best = found
        for _ in range(self.polish):
            for symbol in self.symbols:
                best = self.simplify_one(best, symbol)
        return best

    def simplify_one(self, found: Witness, symbol: sympy.Symbol) -> Witness:
        """Return the witness with the first simpler value of one variable that still certifies, else the witness as
        found.

        An undefined term stays one and a failure stays a failure: the two say different things of the claim.

        Args:
            found: A certified witness.
            symbol: The variable to simplify.
        """
        value = found.point[symbol]
        candidates = simpler_values(value) if isinstance(value, Fraction) else []
        if not candidates:
            return found
        try:
            # A quick look by floats first: most simpler numbers witness nothing.
            columns = {s: np.full(len(candidates), float(v)) for s, v in found.point.items()}
            columns[symbol] = np.array([float(v) for v in candidates])
        except OverflowError:
            return found
        scores = self.scores(columns)
        for candidate, score in zip(candidates, scores, strict=True):
            again = self.certify({**found.point, symbol: candidate}) if score > _CLEAR else None
            # A simpler point that fails for another reason is another finding.
            if again is not None and (again.undefined is None) == (found.undefined is None):
                return again
        return found


def complexity(value: Fraction) -> int:
    """Return a measure of a number's length for a reader; powers of ten in either place count little.

    Examples:
        >>> complexity(Fraction(1, 1000)) < complexity(Fraction(7, 13)) < complexity(Fraction(1234, 999))
        True
    """
    return sum(len(str(abs(n)).rstrip("0")) * 3 + len(str(abs(n))) for n in (value.numerator, value.denominator))


def simpler_values(value: Fraction) -> list[Fraction]:
    """Numbers near `value` that are simpler than it, simplest first.

    Args:
        value: An exact number.

    Returns:
        At most 24 numbers of smaller complexity: with small denominators, round ones, and those with
        one or two digits.
    """
    candidates = {value.limit_denominator(n) for n in (1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 1000)}
    candidates |= _NICE
    if value != 0:
        exponent = len(str(abs(value.numerator))) - len(str(value.denominator))
        for shift in range(-1, 2):
            scale = Fraction(10) ** (exponent + shift)
            candidates |= {Fraction(m) * scale * (1 if value > 0 else -1) for m in (1, 2, 5)}
            candidates |= {round(value / scale) * scale, round(value / scale * 10) * scale / 10}
    return sorted((c for c in candidates if complexity(c) < complexity(value)), key=complexity)[:24]
