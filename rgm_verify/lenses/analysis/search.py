"""A search for proofs that an expression is >= 0 (or > 0) wherever assumptions hold, by rules that make it simpler.

The rules are those of a calculus course: a product by the signs of its factors; a function by its value where a way
starts and the sign of its derivative on the way; a case for each sign of an absolute value; logarithms of both sides.
What is left is asked of a solver of real arithmetic that knows the ranges of functions, of the signs of a function of
one variable, or of ball arithmetic on a box. Every expression that is put to a rule is known to be a real number
wherever the assumptions hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import sympy

from rgm_verify.claims.claim import Variable
from rgm_verify.claims.formula import Formula, FormulaError, Relation, ge, gt, le, lt
from rgm_verify.lenses.algebra.equations import roots
from rgm_verify.lenses.algebra.smoothness import smoothness
from rgm_verify.lenses.analysis.boxes import nonnegative_over
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.facts import implied
from rgm_verify.lenses.analysis.growth import NotKnown, constant_sign
from rgm_verify.lenses.analysis.kernels import Positive, factors, plain, split_logarithms
from rgm_verify.lenses.analysis.limits import limit_at
from rgm_verify.lenses.analysis.univariate import Open, Signs
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.sampling import numeric
from rgm_verify.lenses.solvers.definedness import evident, needs, parts

__all__ = ["Domain", "Goal", "Prover"]

_SOLVER_STEPS = 150_000
_QUICK_STEPS = 40_000
_MOST_GOALS = 70
_MOST_QUERIES = 140
#: What a search may cost: operations of the expressions that it looks at, and so many for each question to a solver.
_EFFORT = 3_500
_QUESTION = 12
#: Ways within ways that are tried, in turn: most proofs are short.
_DEPTHS = (1, 3, 5)
_LONGEST = 150
_POINTS = 600
#: Longer values at a start are not simplified.
_SIMPLIFIED = 60
_BOXES = 1500


@dataclass(frozen=True)
class Domain:
    """Variables with their ranges, and what else is assumed, as relations whose sides are defined in the ranges."""

    variables: tuple[Variable, ...]
    extra: tuple[Relation, ...] = ()

    @property
    def formulas(self) -> list[Formula]:
        """All of it as formulas."""
        return [*(r for v in self.variables for r in v.domain()), *self.extra]

    def range_of(self, symbol: sympy.Symbol) -> Open:
        """The interval of a variable, without its ends."""
        found = next(v for v in self.variables if v.symbol == symbol)
        return Open(found.lower, found.upper)

    def closed_ends(self, symbol: sympy.Symbol) -> list[Fraction]:
        """The ends of a variable's range that belong to it."""
        v = next(v for v in self.variables if v.symbol == symbol)
        ends = [(v.lower, v.lower_open), (v.upper, v.upper_open)]
        return [end for end, is_open in ends if end is not None and not is_open]

    def inside(self, symbol: sympy.Symbol) -> Domain:
        """The domain without the ends of a variable's range."""
        opened = tuple(
            replace(v, lower_open=v.lower is not None, upper_open=v.upper is not None) if v.symbol == symbol else v
            for v in self.variables
        )
        return replace(self, variables=opened)

    def given(self, relation: Relation) -> Domain:
        """The domain with one more assumption, which narrows a range where it can."""
        return replace(self, extra=(*self.extra, relation))

    def fixed(self, symbol: sympy.Symbol, value: sympy.Expr) -> Domain:
        """The domain at one value of a variable, as conditions on the others."""
        kept = tuple(v for v in self.variables if v.symbol != symbol)
        extra = tuple(
            Relation(r.lhs.subs(symbol, value), r.op, r.rhs.subs(symbol, value)) if symbol in _symbols(r) else r
            for r in self.extra
        )
        return Domain(kept, tuple(r for r in extra if not _is_true(r)))


def _symbols(relation: Relation) -> set[sympy.Basic]:
    return set(relation.lhs.free_symbols | relation.rhs.free_symbols)


def _is_true(relation: Relation) -> bool:
    return not _symbols(relation) and relation.gap.is_Rational and evident(relation)


@dataclass(frozen=True)
class Goal:
    """`expression >= 0` (`> 0` if strict) on a domain on which it is defined."""

    expression: sympy.Expr
    strict: bool
    domain: Domain

    def __str__(self) -> str:
        return f"{self.expression} {'>' if self.strict else '>='} 0"


@dataclass
class Prover:
    """One search with its budget. `log` holds the steps of a proof, `open` the goals that nothing reached."""

    goals: int = _MOST_GOALS
    queries: int = _MOST_QUERIES
    effort: int = _EFFORT
    log: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    boxes: int = 0
    _known: dict[tuple[Goal, int], bool] = field(default_factory=dict)
    _points: dict[Domain, dict[sympy.Symbol, np.ndarray]] = field(default_factory=dict)
    _signs: dict[tuple[sympy.Expr, Domain], int | None] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------ entry

    def show(self, goal: Goal, depth: int | None = None) -> bool:
        """Return whether a proof was found, with at most `depth` ways within ways."""
        if depth is None:
            return any(self.show(goal, d) for d in _DEPTHS)
        key = (goal, depth)
        if key in self._known:
            return self._known[key]
        if depth < 0 or self.goals <= 0 or self.effort <= 0:
            return False
        self.goals -= 1
        self.effort -= int(sympy.count_ops(goal.expression))
        if sympy.count_ops(goal.expression) > 2 * _LONGEST:
            return False
        mark = len(self.log)
        found = self._show(goal, depth)
        if not found:
            del self.log[mark:]
            self.open.append(f"{_short(goal)} was not shown")
        self._known[key] = found
        return found

    def prove(self, goal: Goal) -> bool:
        """Show a goal of which it is not known that its expression is a real number wherever the assumptions hold."""
        return self.defined(goal.expression, goal.domain) and self.show(goal)

    def defined(self, e: sympy.Expr, domain: Domain) -> bool:
        """Return whether every term of an expression was shown to be a real number on the domain."""
        return not self.undefined(e, domain)

    def undefined(self, e: sympy.Expr, domain: Domain) -> str:
        """The first term of an expression that was not shown to be a real number on the domain; empty if all were."""
        for node in dict.fromkeys(parts(e)):
            for need in needs(node):
                # Arguments come first, so that both sides of what is needed are known to be defined.
                if not evident(need) and not self.met(need, domain):
                    return str(node)
        return ""

    def met(self, need: Relation, domain: Domain) -> bool:
        """Return whether a condition, both sides of which are defined, was shown on the whole domain."""
        if self.holds(need, domain):
            return True
        if need.op == "!=":
            return any(self.show(Goal(sign * need.gap, True, domain), 2) for sign in (1, -1))
        return need.op != "==" and self.show(Goal(need.gap, need.strict, domain), 3)

    def _show(self, goal: Goal, depth: int) -> bool:
        e = goal.expression
        if e.is_number:
            return self._constant(goal)
        if self._fails_somewhere(goal):
            return False
        cases = self._cases(goal)
        if cases is not None:
            return all(self.show(case, depth) for case in cases)
        e = self._tidy(e, goal.domain)
        if e.is_number:
            return self._constant(replace(goal, expression=e))
        goal = replace(goal, expression=e)
        # A common denominator would spoil what one derivative makes rational, or what two logarithms tell.
        early = _is_rational_but_for_logarithms(e) and self._core(goal, depth)
        return early or self._by_logarithms(goal, depth) or self._by_factors(goal, depth)

    def _constant(self, goal: Goal) -> bool:
        try:
            sign = constant_sign(goal.expression)
        except NotKnown:
            return False
        return sign > 0 or (sign == 0 and not goal.strict)

    # ------------------------------------------------------------------------------------------ signs

    def holds(self, relation: Relation, domain: Domain, steps: int = _QUICK_STEPS) -> bool:
        """Return whether the solver shows a relation, whose sides are defined on the domain."""
        if evident(relation):
            return True
        if self.queries <= 0 or self.effort <= 0:
            return False
        self.queries -= 1
        self.effort -= _QUESTION
        return implied(domain.formulas, relation, [relation.lhs, relation.rhs, *_sides(domain)], steps)

    def sign(self, e: sympy.Expr, domain: Domain) -> int | None:
        """The sign that e has on the whole domain: 1 and -1 strictly, 2 for >= 0, -2 for <= 0, None if not seen."""
        key = (e, domain)
        if key not in self._signs:
            self._signs[key] = self._sign(e, domain)
        return self._signs[key]

    def _sign(self, e: sympy.Expr, domain: Domain) -> int | None:
        if e.is_number:
            try:
                return constant_sign(e) or 2
            except NotKnown:
                return None
        if e.is_positive or isinstance(e, sympy.exp):
            return 1
        if e.is_negative:
            return -1
        low, high = self._range(e, domain)
        try:
            if low >= 0:
                return 1 if self.holds(gt(e, 0), domain) else 2 if self.holds(ge(e, 0), domain) else None
            if high <= 0:
                return -1 if self.holds(lt(e, 0), domain) else -2 if self.holds(le(e, 0), domain) else None
        except FormulaError:
            return None
        return None

    def positive(self, domain: Domain) -> Positive:
        """The predicate that the solver shows something to be positive on the domain."""
        return lambda e: self.sign(e, domain) == 1

    def _tidy(self, e: sympy.Expr, domain: Domain) -> sympy.Expr:
        if sympy.count_ops(e) > _LONGEST:
            return e
        return split_logarithms(plain(e), self.positive(domain))

    # ------------------------------------------------------------------------------------------ floats

    def _columns(self, domain: Domain) -> dict[sympy.Symbol, np.ndarray]:
        """Floats that satisfy the assumptions, drawn once for a domain: they rule out, and prove nothing."""
        if domain not in self._points:
            generator = np.random.default_rng(len(domain.variables))
            columns = {v.symbol: _drawn(v, generator) for v in domain.variables}
            keep = np.ones(_POINTS, dtype=bool)
            for relation in domain.extra:
                values = _floats(relation.gap, columns)
                values = np.abs(values) if relation.op == "!=" else values
                keep &= np.nan_to_num(values, nan=-1.0) > (0 if relation.strict else -1e-12)
            self._points[domain] = {s: c[keep] for s, c in columns.items()}
        return self._points[domain]

    def _range(self, e: sympy.Expr, domain: Domain) -> tuple[float, float]:
        """The least and the largest value at the points, up to rounding."""
        columns = self._columns(domain)
        values = _floats(e, columns)
        values = values[np.isfinite(values)]
        if not len(values):
            return 0.0, 0.0
        noise = 1e-10 * max(1.0, float(np.median(np.abs(values))))
        low, high = float(values.min()), float(values.max())
        return (0.0 if abs(low) < noise else low), (0.0 if abs(high) < noise else high)

    def _fails_somewhere(self, goal: Goal) -> bool:
        """Return whether the goal plainly fails at a point, so that looking for a proof is idle."""
        columns = self._columns(goal.domain)
        values = _floats(goal.expression, columns)
        with np.errstate(all="ignore"):
            scale = sum(np.abs(_floats(t, columns)) for t in sympy.Add.make_args(goal.expression))
            return bool(np.any(values < -1e-7 * np.asarray(scale)))

    # ------------------------------------------------------------------------------------------ rules

    def _cases(self, goal: Goal) -> list[Goal] | None:
        """One goal for each sign of an absolute value, or for each member of a maximum; None if there is none."""
        e = goal.expression
        bent = sorted((a for a in e.atoms(sympy.Abs, sympy.Max, sympy.Min)), key=sympy.count_ops)
        bent = [a for a in bent if not any(b is not a and a.has(b) for b in bent)]
        if not bent:
            return None
        node = bent[0]
        try:
            if isinstance(node, sympy.Abs):
                inner = node.args[0]
                return [
                    Goal(e.xreplace({node: inner}), goal.strict, goal.domain.given(ge(inner, 0))),
                    Goal(e.xreplace({node: -inner}), goal.strict, goal.domain.given(le(inner, 0))),
                ]
            first, rest = node.args[0], node.func(*node.args[1:])
            wins = ge if isinstance(node, sympy.Max) else le
            loses = le if isinstance(node, sympy.Max) else ge
            return [
                Goal(e.xreplace({node: first}), goal.strict, goal.domain.given(wins(first, rest))),
                Goal(e.xreplace({node: rest}), goal.strict, goal.domain.given(loses(first, rest))),
            ]
        except FormulaError:
            return None

    def _by_factors(self, goal: Goal, depth: int) -> bool:
        """Take the factors of known sign away; what is left is one factor, or two that change sign together."""
        sign, unknown = 1, []
        try:
            found = factors(goal.expression)
        except (ZeroDivisionError, sympy.polys.polyerrors.BasePolynomialError):
            found = [(goal.expression, 1)]
        strict_needed = goal.strict
        for factor, power in found:
            known = self.sign(factor, goal.domain)
            if known is None and power % 2 == 0:
                if strict_needed and self.holds(Relation(factor, "!=", sympy.S.Zero), goal.domain) is False:
                    return False
                continue
            if known is None:
                unknown.append(factor)
                continue
            if abs(known) == 2 and strict_needed:
                unknown.append(factor)
                continue
            if power % 2:
                sign *= 1 if known > 0 else -1
        if not unknown:
            if sign > 0:
                self.log.append(f"{_text(goal.expression)}: every factor has the right sign")
            return sign > 0
        if len(unknown) == 1:
            core = Goal(sympy.expand(sign * unknown[0]) if sign < 0 else unknown[0], goal.strict, goal.domain)
            return self._core(core, depth) or self._as_it_stands(goal, core, depth) or self._end_apart(core, depth)
        return len(unknown) == 2 and depth > 0 and self._two_together(goal, sign, unknown, depth)

    def _two_together(self, goal: Goal, sign: int, unknown: list[sympy.Expr], depth: int) -> bool:
        """Prove that two factors have the same sign everywhere (the opposite one for a negative `sign`)."""
        first, second = sorted(unknown, key=sympy.count_ops)
        try:
            halves = [
                Goal(sign * direction * second, goal.strict, goal.domain.given(op(first, 0)))
                for op, direction in ((ge, 1), (le, -1))
            ]
            return all(self.show(half, depth - 1) for half in halves) and (
                not goal.strict or self.holds(Relation(first, "!=", sympy.S.Zero), goal.domain)
            )
        except FormulaError:
            return False

    def _core(self, goal: Goal, depth: int) -> bool:
        """Prove a goal whose factors of known sign are gone."""
        e, free = goal.expression, sorted(goal.expression.free_symbols, key=str)
        if len(free) == 1 and self._by_signs(goal, free[0]):
            return True
        try:
            if self.holds(gt(e, 0) if goal.strict else ge(e, 0), goal.domain, _SOLVER_STEPS):
                self.log.append(f"{_text(e)} {'>' if goal.strict else '>='} 0 by real arithmetic")
                return True
        except FormulaError:
            return False
        if depth <= 0:
            return False
        if self._by_logarithms(goal, depth) or self._by_boxes(goal):
            return True
        return any(self._along(goal, v, depth) for v in self._order(goal))

    def _as_it_stands(self, goal: Goal, core: Goal, depth: int) -> bool:
        """Walk along a variable with a quotient as it is: its derivative may be simpler than that of its numerator."""
        if depth <= 0 or core.expression == goal.expression or len(goal.expression.free_symbols) < 2:
            return False
        return any(self._along(goal, v, depth) for v in self._order(goal))

    def _end_apart(self, goal: Goal, depth: int) -> bool:
        """Look at an end of a range by itself, so that the variable is positive in what is left."""
        if depth <= 1 or len(goal.expression.free_symbols) < 2:
            return False
        for v in goal.domain.variables:
            if v.symbol in goal.expression.free_symbols and v.lower == 0 and not v.lower_open:
                if any(v.symbol in _symbols(r) for r in goal.domain.extra):
                    continue
                there = goal.expression.subs(v.symbol, 0)
                if there.has(sympy.zoo, sympy.nan, sympy.oo):
                    continue
                rest = goal.domain.fixed(v.symbol, sympy.S.Zero)
                if not self.show(Goal(there, goal.strict, rest), depth - 1):
                    continue
                opened = replace(v, lower_open=True, symbol=sympy.Symbol(v.symbol.name, positive=True))
                variables = tuple(opened if w is v else w for w in goal.domain.variables)
                moved = goal.expression.xreplace({v.symbol: opened.symbol})
                return self.show(Goal(moved, goal.strict, replace(goal.domain, variables=variables)), depth - 1)
        return False

    def _by_signs(self, goal: Goal, variable: sympy.Symbol) -> bool:
        """A function of one variable, on the whole range of the variable; of its reciprocal where that is simpler."""
        where = goal.domain.range_of(variable)
        if self._signed(goal, variable, goal.expression, where):
            return True
        inner = [a for f in goal.expression.atoms(sympy.Function) for a in f.args]
        if where.lower != 0 or not any((1 / variable) in a.atoms(sympy.Pow) for a in inner):
            return False
        turned = Open(Fraction(0) if where.upper is None else 1 / where.upper, None)
        return self._signed(goal, variable, goal.expression.xreplace({variable: 1 / variable}), turned)

    def _signed(self, goal: Goal, variable: sympy.Symbol, e: sympy.Expr, where: Open) -> bool:
        """Return whether e, the goal on the open interval, has the right sign there, and the goal at its ends."""
        signs = Signs(variable)
        self.effort -= int(sympy.count_ops(e))
        try:
            pattern = signs.pattern(e, where)
            if any(s < 0 for s in pattern.signs) or (goal.strict and (pattern.roots or 0 in pattern.signs)):
                return False
            for end in goal.domain.closed_ends(variable):
                value = signs.sign(goal.expression, end)
                if value < 0 or (value == 0 and goal.strict):
                    return False
        except (NotKnown, StopIteration) as error:
            self.open.append(f"the signs of {_text(goal.expression)}: {error}")
            return False
        self.log.append(f"{_text(goal.expression)}: its signs follow from those of its derivatives in {variable}")
        return True

    def _by_logarithms(self, goal: Goal, depth: int) -> bool:
        """A - b with positive a and b is like log a - log b, which has no exponentials left."""
        terms = sympy.Add.make_args(goal.expression)
        if len(terms) != 2 or depth <= 0:
            return False
        minus = [t for t in terms if self.sign(t, goal.domain) == -1]
        plus = [t for t in terms if self.sign(t, goal.domain) == 1]
        if len(minus) != 1 or len(plus) != 1:
            return False
        above, below = plus[0], -minus[0]
        if not any(
            p.exp.free_symbols for t in (above, below) for p in t.atoms(sympy.Pow, sympy.exp) if hasattr(p, "exp")
        ):
            return False
        positive = self.positive(goal.domain)
        difference = _logarithm(above, positive) - _logarithm(below, positive)
        if sympy.expand(difference - goal.expression) == 0:
            return False
        return self.show(Goal(difference, goal.strict, goal.domain), depth - 1)

    def _by_boxes(self, goal: Goal) -> bool:
        """Branch and bound where every variable has a closed bounded range."""
        used = goal.expression.free_symbols
        box = {}
        for v in goal.domain.variables:
            if v.symbol in used:
                if v.lower is None or v.upper is None:
                    return False
                box[v.symbol] = (v.lower, v.upper)
        low, _ = self._range(goal.expression, goal.domain)
        if low <= 0:
            return False
        hypotheses = [r.gap for r in goal.domain.extra if r.op not in ("==", "!=") and _symbols(r) <= set(box)]
        boxes = nonnegative_over(goal.expression, box, strict=goal.strict, boxes=_BOXES, hypotheses=hypotheses)
        if boxes:
            self.boxes += boxes
            self.log.append(f"{_text(goal.expression)} on the whole box, by {boxes} balls")
        return bool(boxes)

    # ------------------------------------------------------------------------------------------ ways

    def _order(self, goal: Goal) -> list[sympy.Symbol]:
        """The variables, those first in which a derivative is simplest."""
        used = [v.symbol for v in goal.domain.variables if v.symbol in goal.expression.free_symbols]
        return sorted(used, key=lambda s: sympy.count_ops(sympy.diff(goal.expression, s)))

    def _along(self, goal: Goal, variable: sympy.Symbol, depth: int) -> bool:
        """Walk along a variable from a start where the goal holds, with a slope that has the right sign."""
        e = goal.expression
        if not self._smooth(e, variable, goal.domain):
            return False
        slope = sympy.diff(e, variable)
        for start in self._starts(goal, variable, slope):
            mark = len(self.log)
            if self._from(goal, variable, slope, start, depth):
                return True
            del self.log[mark:]
        return False

    def _smooth(self, e: sympy.Expr, variable: sympy.Symbol, domain: Domain) -> bool:
        """Return whether e is differentiable in the variable everywhere but at the ends of its range."""
        inner = domain.inside(variable)
        for condition in smoothness(e, variable):
            gap = condition.lhs - condition.rhs
            if condition.op == ">" and self.sign(gap, inner) == 1:
                continue
            try:
                if condition.op == "!=" and (self.sign(gap, inner) in (1, -1) or self.holds(condition, inner)):
                    continue
            except FormulaError:
                return False
            return False
        return True

    def _starts(self, goal: Goal, variable: sympy.Symbol, slope: sympy.Expr) -> Iterator[sympy.Expr | Open]:
        """Where a way may start: zeros of the slope, closed ends, open ends (as limits), 0 and 1."""
        where, given = goal.domain.range_of(variable), []
        edges = (r.gap for r in goal.domain.extra if variable in _symbols(r) and r.gap.diff(variable).is_number)
        given += [sympy.expand(variable - gap / gap.diff(variable)) for gap in edges]
        for factor, power in factors(self._tidy(slope, goal.domain)) if sympy.count_ops(slope) < _LONGEST else []:
            if power > 0 and factor.has(variable):
                given += [sympy.powsimp(r) for r in roots(factor, variable)]
        ends = [rational(end) for end in goal.domain.closed_ends(variable)]
        given += ends
        if not any(variable in _symbols(r) for r in goal.domain.extra):
            for end, above in ((where.lower, True), (where.upper, False)):
                if end is None or rational(end) not in ends:
                    given.append(_Limit(end, above))
        given += [sympy.S.Zero, sympy.S.One]
        seen: list[object] = []
        for start in given:
            if start in seen or (isinstance(start, sympy.Expr) and start.has(sympy.I, sympy.zoo, sympy.nan, sympy.oo)):
                continue
            seen.append(start)
            yield start

    def _from(
        self, goal: Goal, variable: sympy.Symbol, slope: sympy.Expr, start: sympy.Expr | _Limit, depth: int
    ) -> bool:
        e, domain = goal.expression, goal.domain
        if isinstance(start, _Limit):
            return self._from_limit(goal, variable, slope, start, depth)
        closed = self._may_start(e, variable, start, domain, closed=True)
        if not closed and not self._may_start(e, variable, start, domain, closed=False):
            return False
        sides = [(gt, 1), (lt, -1)]
        where = domain.range_of(variable)
        if start.is_Rational:
            value = Fraction(int(start.p), int(start.q))
            sides = [
                side
                for side, end in zip(sides, (where.upper, where.lower), strict=True)
                if end is None or (value < end if side[1] > 0 else value > end)
            ]
        try:
            there = e.subs(variable, start)
            if sympy.count_ops(there) < _SIMPLIFIED and reduced(there):
                there = sympy.S.Zero
            # At the start itself a strict goal has to hold strictly, unless the start is left out of the domain.
            on_start = not self._avoids(variable, start, domain)
            # Where the start itself is not in the domain, only assumptions on the other variables hold there.
            kept = (
                domain
                if closed
                else replace(domain, extra=tuple(r for r in domain.extra if variable not in _symbols(r)))
            )
            rest = kept.fixed(variable, start) if start.is_Rational else kept
            if not self.show(Goal(sympy.expand(there), goal.strict and on_start, rest), depth - 1):
                return False
            self.log.append(f"in {variable} from {start}: {_text(slope)} has the right sign on the way")
            return all(
                self.show(
                    Goal(
                        slope if direction > 0 else -slope,
                        goal.strict and not on_start,
                        self._beyond(domain.inside(variable), variable, start, direction, op),
                    ),
                    depth - 1,
                )
                for op, direction in sides
            )
        except FormulaError:
            return False

    @staticmethod
    def _beyond(domain: Domain, variable: sympy.Symbol, start: sympy.Expr, direction: int, op: object) -> Domain:
        """The part of the domain on one side of the start; a rational start becomes an end of the range."""
        if start.is_Rational:
            end = Fraction(int(start.p), int(start.q))
            changed = []
            for v in domain.variables:
                if v.symbol == variable:
                    changed.append(
                        replace(v, lower=end, lower_open=True)
                        if direction > 0
                        else replace(v, upper=end, upper_open=True)
                    )
                else:
                    changed.append(v)
            return replace(domain, variables=tuple(changed))
        return domain.given(op(variable, start))  # type: ignore[operator]

    def _avoids(self, variable: sympy.Symbol, start: sympy.Expr, domain: Domain) -> bool:
        return self.holds(Relation(variable, "!=", start), domain)

    def _may_start(
        self, e: sympy.Expr, variable: sympy.Symbol, start: sympy.Expr, domain: Domain, *, closed: bool
    ) -> bool:
        """Return whether the way from the start stays in the domain, and the function is continuous on all of it.

        With `closed` the start itself has to satisfy every assumption, too.
        """
        if start.has(variable):
            return False
        for node in parts(start):
            for need in needs(node):
                if not evident(need) and not self.holds(need, domain):
                    return False
        found = next(v for v in domain.variables if v.symbol == variable)
        for relation in found.domain():
            within = Relation(start, {">": ">=", "<": "<="}.get(relation.op, relation.op), relation.rhs)
            if not _is_true(within) and not self.holds(within, domain):
                return False
        w = sympy.Dummy(
            "w", **{k: v for k, v in variable.assumptions0.items() if k in ("real", "positive", "nonnegative")}
        )
        between = [Relation((w - start) * (variable - w), ">=" if closed else ">", sympy.S.Zero)]
        for relation in domain.extra:
            if variable in _symbols(relation):
                wide = domain.given(between[0])
                wide = replace(wide, variables=(*wide.variables, replace(found, symbol=w)))
                conditions = [n for side in (relation.lhs, relation.rhs) for p in parts(side) for n in needs(p)]
                for condition in [*(c for c in conditions if not evident(c)), relation]:
                    left, right = condition.lhs.subs(variable, w), condition.rhs.subs(variable, w)
                    if not self.holds(Relation(left, condition.op, right), wide):
                        return False
        # At the start the function has to have its limit as its value.
        there = e.subs(variable, start)
        if there.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I):
            return False
        return all(
            self._need_at(need, variable, start, domain)
            for node in parts(e)
            if node.has(variable)
            for need in needs(node)
        )

    def _need_at(self, need: Relation, variable: sympy.Symbol, start: sympy.Expr, domain: Domain) -> bool:
        try:
            moved = Relation(need.lhs.subs(variable, start), need.op, need.rhs.subs(variable, start))
        except FormulaError:
            return False
        return _is_true(moved) or self.holds(moved, domain)

    def _from_limit(self, goal: Goal, variable: sympy.Symbol, slope: sympy.Expr, start: _Limit, depth: int) -> bool:
        """Start at an open or infinite end, from the limit there."""
        domain = goal.domain
        if any(variable in _symbols(r) for r in domain.extra):
            return False
        value = limit_at(
            goal.expression, variable, start.end, from_above=start.from_above, sign=lambda e: self.sign(e, domain)
        )
        if value is None or value == -sympy.oo:
            return False
        if value != sympy.oo and not self.show(Goal(value, False, domain), depth - 1):
            return False
        self.log.append(
            f"in {variable} from {'infinity' if start.end is None else start.end}, where the limit is {value}"
        )
        direction = 1 if start.from_above else -1
        # The limit is only approached, so that a slope that is nowhere 0 makes the goal strict.
        inside = domain.inside(variable)
        return self.show(Goal(slope if direction > 0 else -slope, goal.strict, inside), depth - 1)


@dataclass(frozen=True)
class _Limit:
    """An end of a range that the variable only tends to."""

    end: Fraction | None
    from_above: bool


def _is_rational_but_for_logarithms(e: sympy.Expr) -> bool:
    """Return whether one derivative makes e rational, which clearing its denominators would spoil."""
    logs = e.atoms(sympy.log)
    if not logs or not isinstance(e, sympy.Add):
        return False
    names = {node: sympy.Dummy() for node in logs}
    inside = sympy.expand(e.xreplace(names))
    return all(inside.diff(s).is_number for s in names.values()) and inside.is_rational_function(*inside.free_symbols)


def _sides(domain: Domain) -> list[sympy.Expr]:
    return [side for r in domain.extra for side in (r.lhs, r.rhs)]


def _logarithm(e: sympy.Expr, positive: Positive) -> sympy.Expr:
    total = sympy.S.Zero
    for factor in sympy.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        if base is sympy.E:
            total += exponent
        else:
            total += exponent * split_logarithms(sympy.log(base), positive)
    return total


def _drawn(v: Variable, generator: np.random.Generator) -> np.ndarray:
    """Floats spread over a range: towards its ends and far out."""
    size = np.exp(generator.uniform(-7, 5, _POINTS))
    low = None if v.lower is None else float(v.lower)
    high = None if v.upper is None else float(v.upper)
    if low is not None and high is not None:
        share = generator.random(_POINTS)
        share = np.where(generator.random(_POINTS) < 0.3, np.exp(-9 * share), share)
        share = np.where(generator.random(_POINTS) < 0.5, share, 1 - share)
        values = low + (high - low) * share
    elif low is not None:
        values = low + size
    elif high is not None:
        values = high - size
    else:
        values = np.where(generator.random(_POINTS) < 0.5, size, -size)
    return np.round(values) if v.integer else values


def _floats(e: sympy.Expr, columns: dict[sympy.Symbol, np.ndarray]) -> np.ndarray:
    """Values at the points, NaN where there are none."""
    count = len(next(iter(columns.values()))) if columns else 1
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(numeric(e, tuple(columns))(*columns.values()))
    except (NameError, TypeError, ValueError, ZeroDivisionError, OverflowError, NotImplementedError, AttributeError):
        return np.full(count, np.nan)  # a function that NumPy does not have: nothing is ruled out
    if np.iscomplexobj(found):
        found = np.where(found.imag == 0, found.real, np.nan)
    return np.broadcast_to(found.astype(float), (count,))


def _text(e: sympy.Expr) -> str:
    text = str(e)
    return text if len(text) < 80 else text[:77] + "..."


def _short(goal: Goal) -> str:
    return _text(goal.expression) + (" > 0" if goal.strict else " >= 0")
