"""Ways along a variable: a function by its value where a way starts, and the sign of its slope on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy

from rgm_verify.claims.formula import FormulaError, Relation, gt, lt
from rgm_verify.lenses.algebra.equations import roots
from rgm_verify.lenses.algebra.smoothness import smoothness
from rgm_verify.lenses.analysis.asymptotics.kernels import factors, plain
from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.forms import LONGEST, by_exponential, logarithm, power_of_logarithms, text
from rgm_verify.lenses.analysis.goals import Domain, Goal, is_true, symbols_in
from rgm_verify.lenses.analysis.questions import Questions
from rgm_verify.lenses.analysis.rules.ends import domain_at_end
from rgm_verify.lenses.analysis.rules.segments import holds_on_segment
from rgm_verify.lenses.analysis.univariate import Open
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.solvers.definedness import Need, Unknown, evident, needs, parts

#: Longer values at a start are not simplified.
_SIMPLIFIED = 60


@dataclass(frozen=True)
class _Limit:
    """An end of a range that the variable only tends to."""

    end: Fraction | None
    from_above: bool


class Ways(Questions):
    """A search that goes along a variable."""

    def _order(self, goal: Goal) -> list[sympy.Symbol]:
        """The variables, those first in which a derivative is simplest."""
        used = [v.symbol for v in goal.domain.variables if v.symbol in goal.expression.free_symbols]
        return sorted(used, key=lambda s: sympy.count_ops(sympy.diff(goal.expression, s)))

    def _along(self, goal: Goal, variable: sympy.Symbol, depth: int) -> bool:
        """Walk along a variable from a start where the goal holds, with a slope that has the right sign.

        The mean value theorem: with f(start) >= 0 and a slope of the right sign on the way, f stays >=
        0. The way has to stay in the domain, where f is continuous, and f differentiable inside of it.
        """
        e = goal.expression
        # A slope across a pole or a kink says nothing.
        if not self.smooth(e, variable, goal.domain):
            return False
        slope = sympy.diff(e, variable)
        for start in self._starts(goal, variable, slope):
            mark = len(self.log)
            if self._from(goal, variable, slope, start, depth):
                return True
            del self.log[mark:]
        return False

    def _from_critical(self, goal: Goal, depth: int) -> bool:
        """Walk from the one zero of a slope that is a difference of two positive terms, not multiplied out.

        A weighted mean of powers or exponentials against their product is of this kind.
        """
        if depth <= 1 or len(goal.expression.free_symbols) < 2 or sympy.count_ops(goal.expression) > LONGEST:
            return False
        for variable in self._order(goal):
            slope = self.tidy(sympy.diff(goal.expression, variable), goal.domain)
            # A rational slope has its zeros found elsewhere, and with more terms there is no single equation.
            if len(sympy.Add.make_args(slope)) != 2 or slope.is_rational_function(variable):
                continue
            for start in self._roots_by_logarithms(slope, variable, goal.domain):
                if not self.smooth(goal.expression, variable, goal.domain):
                    break
                mark = len(self.log)
                if self._from(goal, variable, slope, start, depth):
                    return True
                del self.log[mark:]
        return False

    def smooth(self, e: sympy.Expr, variable: sympy.Symbol, domain: Domain) -> bool:
        """Return whether e is differentiable in the variable everywhere but at the ends of its range."""
        # The mean value theorem asks for a derivative inside, and at the ends for continuity alone.
        inner = domain.inside(variable)
        gammas = [n for n in sympy.ordered(e.atoms(sympy.uppergamma, sympy.lowergamma)) if n.has(variable)]
        # In the order they are smooth as well, by a derivative that no rule here knows.
        if any(n.args[0].has(variable) or self.sign(n.args[1], inner) != 1 for n in gammas):
            return False
        for condition in smoothness(e, variable):
            if isinstance(condition, Unknown):
                return False
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
        """The places where a way may start: zeros of the slope, closed ends, open ends (as limits), 0 and 1."""
        where, given = goal.domain.range_of(variable), []
        # Where an assumption is linear in the variable, its edge is where the domain begins.
        edges = (r.gap for r in goal.domain.extra if variable in symbols_in(r) and r.gap.diff(variable).is_number)
        given += [sympy.expand(variable - gap / gap.diff(variable)) for gap in edges]
        for factor, power in factors(self.tidy(slope, goal.domain)) if sympy.count_ops(slope) < LONGEST else []:
            if power > 0 and factor.has(variable):
                found = roots(factor, variable) or self._roots_by_logarithms(factor, variable, goal.domain)
                given += [sympy.powsimp(r) for r in found]
        ends = [rational(end) for end in goal.domain.closed_ends(variable)]
        given += ends
        for end, above in ((where.lower, True), (where.upper, False)):
            if end is None or rational(end) not in ends:
                given.append(_Limit(end, above))
        given += [sympy.S.Zero, sympy.S.One]
        # Two sides often meet where two variables are equal.
        given += [v.symbol for v in goal.domain.variables if v.symbol != variable and goal.expression.has(v.symbol)]
        seen: list[object] = []
        for start in given:
            if start in seen or (isinstance(start, sympy.Expr) and start.has(sympy.I, sympy.zoo, sympy.nan, sympy.oo)):
                continue
            seen.append(start)
            yield start

    def _roots_by_logarithms(self, slope: sympy.Expr, variable: sympy.Symbol, domain: Domain) -> tuple[sympy.Expr, ...]:
        """Candidates for zeros of a sum of logarithms, or of a difference of two positive terms, by one equation.

        They are places to start from: that the slope has the right sign on both sides of one is shown afterwards.
        """
        if (found := power_of_logarithms(slope, variable)) is not None:
            return roots(found, variable)
        if (found := by_exponential(slope, variable)) is not None:
            return found
        terms = sympy.Add.make_args(slope)
        if len(terms) != 2:
            return ()
        signs = [self.sign(t, domain) for t in terms]
        # Both terms need a strict sign, or there is no logarithm to compare.
        if sorted(str(s) for s in signs) != ["-1", "1"]:
            return ()
        above, below = (terms[0], -terms[1]) if signs[0] == 1 else (terms[1], -terms[0])
        positive = self.positive(domain)
        difference = sympy.expand(logarithm(above, positive) - logarithm(below, positive))
        if difference.has(variable) and not any(n.has(variable) for n in difference.atoms(sympy.log)):
            return tuple(map(sympy.cancel, roots(sympy.collect(difference, variable), variable)))
        return ()

    def _from(
        self, goal: Goal, variable: sympy.Symbol, slope: sympy.Expr, start: sympy.Expr | _Limit, depth: int
    ) -> bool:
        """Return whether the goal holds at a start and the slope has the right sign on both sides of
        it.

        A strict goal needs a strict value at the start; if the start itself is left out of the
        domain, a slope that is nowhere 0 makes it strict instead.
        """
        domain = goal.domain
        if isinstance(start, _Limit):
            return self._from_limit(goal, variable, slope, start, depth)
        there = self.at_start(goal, variable, start)
        if there is None:
            return False
        # A start at an end of the range has one side only.
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
            if not self.show(there, depth - 1):
                return False
            # Where the start is left out of the domain, the goal there need not be strict.
            on_start = not self._avoids(variable, start, domain)
            self.log.append(f"in {variable} from {start}: {text(slope)} has the right sign on the way")
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

    def at_start(self, goal: Goal, variable: sympy.Symbol, start: sympy.Expr) -> Goal | None:
        """The goal at a start of ways along a variable; None if one may leave the domain or the goal may jump there.

        Args:
            goal: A goal that is defined on its domain.
            variable: The variable along which the ways go.
        """
        e, domain = goal.expression, goal.domain
        closed = self._may_start(e, variable, start, domain, closed=True)
        if not closed and not self._may_start(e, variable, start, domain, closed=False):
            return None
        try:
            there = e.subs(variable, start)
            if sympy.count_ops(there) < _SIMPLIFIED and (reduced(there) or reduced(plain(there))):
                there = sympy.S.Zero
            # At the start itself a strict goal has to hold strictly, unless the start is left out of the domain.
            on_start = not self._avoids(variable, start, domain)
            # Where the start itself is not in the domain, only assumptions on the other variables hold there.
            apart = tuple(r for r in domain.extra if variable not in symbols_in(r))
            kept = domain if closed else replace(domain, extra=apart)
            # A rational start can be put into every assumption; any other stays a condition on the variables.
            rest = kept.fixed(variable, start) if start.is_Rational else kept
        except FormulaError:
            return None
        return Goal(sympy.expand(there), goal.strict and on_start, rest)

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
        if isinstance(start, sympy.log):
            # The same in terms of the exponential, which real arithmetic can use.
            return domain.given(op(sympy.exp(variable), start.args[0]))  # type: ignore[operator]
        return domain.given(op(variable, start))  # type: ignore[operator]

    def _avoids(self, variable: sympy.Symbol, start: sympy.Expr, domain: Domain) -> bool:
        """Return whether no point of the domain has the variable at the start."""
        return self.holds(Relation(variable, "!=", start), domain)

    def _may_start(
        self, e: sympy.Expr, variable: sympy.Symbol, start: sympy.Expr, domain: Domain, *, closed: bool
    ) -> bool:
        """Return whether the way from the start stays in the domain, and the function is continuous on all of it.

        With `closed` the start itself has to satisfy every assumption, too.
        """
        if not self._within_range(variable, start, domain):
            return False
        found = next(v for v in domain.variables if v.symbol == variable)
        # A start that belongs to the way may be an open end of the range, where an assumption may fail.
        promised = ("real", "nonnegative") if closed else ("real", "positive", "nonnegative")
        along = replace(found, lower_open=False, upper_open=False) if closed else found
        # A point of the way between the start and the variable, at which every assumption is asked for again.
        w = sympy.Dummy("w", **{k: v for k, v in variable.assumptions0.items() if k in promised})
        between = [Relation((w - start) * (variable - w), ">=" if closed else ">", sympy.S.Zero)]
        for relation in domain.extra:
            if variable in symbols_in(relation):
                if holds_on_segment(relation, variable, start, lambda r: self.holds(r, domain), closed=closed):
                    continue
                wide = domain.given(between[0])
                wide = replace(wide, variables=(*wide.variables, replace(along, symbol=w)))
                conditions = [n for side in (relation.lhs, relation.rhs) for p in parts(side) for n in needs(p)]
                for condition in [*(c for c in conditions if not evident(c)), relation]:
                    if isinstance(condition, Unknown):
                        return False
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

    def _within_range(self, variable: sympy.Symbol, start: sympy.Expr, domain: Domain) -> bool:
        """Return whether a start is defined, and lies in the range of its variable or at an end of that."""
        # A start that moves with the variable is no start.
        if start.has(variable) or not start.free_symbols <= {v.symbol for v in domain.variables}:
            return False
        for node in parts(start):
            for need in needs(node):
                if isinstance(need, Unknown) or (not evident(need) and not self.holds(need, domain)):
                    return False
        found = next(v for v in domain.variables if v.symbol == variable)
        for relation in found.domain():
            within = Relation(start, {">": ">=", "<": "<="}.get(relation.op, relation.op), relation.rhs)
            if not is_true(within) and not self.holds(within, domain):
                return False
        return True

    def _need_at(self, need: Need, variable: sympy.Symbol, start: sympy.Expr, domain: Domain) -> bool:
        """Return whether a condition was shown at the start of the way."""
        if isinstance(need, Unknown):
            return False
        try:
            moved = Relation(need.lhs.subs(variable, start), need.op, need.rhs.subs(variable, start))
        except FormulaError:
            return False
        return is_true(moved) or self.holds(moved, domain)

    def _from_limit(self, goal: Goal, variable: sympy.Symbol, slope: sympy.Expr, start: _Limit, depth: int) -> bool:
        """Start at an open or infinite end, from the limit there.

        An assumption on the variable has to hold on the whole way to the end.
        """
        domain = goal.domain
        beside = domain_at_end(domain, variable, start.end, from_above=start.from_above, prover=self)
        if beside is None:
            return False
        value = limit_at(
            goal.expression, variable, start.end, from_above=start.from_above, sign=lambda e: self.sign(e, beside)
        )
        # A function that comes from minus infinity is negative near the end.
        if value is None or value == -sympy.oo:
            return False
        if value != sympy.oo and not self.show(Goal(value, False, beside), depth - 1):
            return False
        self.log.append(
            f"in {variable} from {'infinity' if start.end is None else start.end}, where the limit is {value}"
        )
        direction = 1 if start.from_above else -1
        # The limit is only approached, so that a slope that is nowhere 0 makes the goal strict.
        inside = domain.inside(variable)
        return self.show(Goal(slope if direction > 0 else -slope, goal.strict, inside), depth - 1)
