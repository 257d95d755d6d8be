"""A search for proofs that an expression is >= 0 (or > 0) wherever assumptions hold, by rules that make it simpler.

The rules are those of a calculus course: a product by the signs of its factors; a function by its value where a way
starts and the sign of its derivative on the way; a case for each sign of an absolute value; logarithms of both sides.
What is left is asked of a solver of real arithmetic that knows the ranges of functions, of the signs of a function of
one variable, or of ball arithmetic on a box. Every expression that is put to a rule is known to be a real number
wherever the assumptions hold.

The search goes depth first with a budget; each goal is looked at once for each depth. Floats come
before every rule: a goal that fails at a point is given up, since most goals that a rule makes are
false. Nothing that floats say is used in a proof, and a goal that they do not rule out is still to be
shown.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import sympy

from rgm_verify.balls.binding import BINDING
from rgm_verify.claims.formula import FormulaError, ge, gt, is_constant
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign
from rgm_verify.lenses.analysis.asymptotics.kernels import factors
from rgm_verify.lenses.analysis.forms import (
    LONGEST,
    is_evident,
    is_linear_beside_exponentials,
    is_quotient_of_exponentials,
    is_rational_but_for_logarithms,
    is_rational_in_exponentials,
    short,
    text,
)
from rgm_verify.lenses.analysis.goals import Domain, Goal, symbols_in
from rgm_verify.lenses.analysis.products import Products
from rgm_verify.lenses.analysis.questions import SOLVER_STEPS
from rgm_verify.lenses.analysis.rules.circular import on_circles
from rgm_verify.lenses.analysis.rules.common_terms import by_common_term
from rgm_verify.lenses.analysis.rules.concave import by_concavity
from rgm_verify.lenses.analysis.rules.lambert import without_lambert
from rgm_verify.lenses.analysis.rules.means import by_means
from rgm_verify.lenses.analysis.rules.scaling import by_scaling
from rgm_verify.lenses.analysis.rules.shares import by_odds
from rgm_verify.lenses.analysis.rules.squares import by_squares, by_squaring
from rgm_verify.lenses.analysis.rules.tangents import by_tangents
from rgm_verify.lenses.analysis.rules.taylor import by_taylor
from rgm_verify.lenses.analysis.rules.whole import without_rounding
from rgm_verify.lenses.base import rational

__all__ = ["Domain", "Goal", "Prover"]

#: Ways within ways that are tried, in turn, and the share of what is left that each may cost: most proofs are short.
# A deep search first would spend the budget on ways that a short proof does without.
_DEPTHS = ((1, 0.3), (3, 0.9), (5, 1.0))
#: Functions of which a term may be left out.
_SPECIAL = (sympy.erf, sympy.erfc, sympy.gamma, sympy.loggamma, sympy.polygamma, sympy.log)


class Prover(Products):
    """One search with its budget; `log` holds the steps of a proof, `open` the goals that nothing reached."""

    # ------------------------------------------------------------------------------------------ entry

    def show(self, goal: Goal, depth: int | None = None) -> bool:
        """Return whether a proof was found, with at most `depth` ways within ways.

        Args:
            goal: A goal whose expression is defined on its domain.
            depth: Ways within ways that may be tried; None tries short proofs before long ones.

        Returns:
            True for a proof. False says nothing: the budget may have ended.
        """
        if depth is None:
            return any(self.within(share, partial(self.show, goal, d)) for d, share in _DEPTHS)
        # With the depth: what fails with few ways may succeed with more.
        key = (goal, depth)
        if key in self._known:
            return self._known[key]
        # A goal that is not looked at for want of budget is not remembered as failed.
        if depth < 0 or self.goals <= 0 or self.effort <= 0:
            return False
        self.goals -= 1
        self.effort -= int(sympy.count_ops(goal.expression))
        # A rule that names a term would name it below an integral as well, where it is no single number.
        if goal.expression.free_symbols and goal.expression.has(*BINDING):
            self.open.append(f"{short(goal)} was not shown: a sum or an integral is left in it")
            return False
        # Every rule below expands or differentiates, which takes such an expression beyond all bounds.
        if sympy.count_ops(goal.expression) > 2 * LONGEST:
            return False
        mark = len(self.log)
        found = self._show(goal, depth)
        if not found:
            # The log is the proof: steps of an attempt that failed are no part of it.
            del self.log[mark:]
            if not is_constant(goal.expression):  # an attempt that ends at a false relation of numbers is no open step
                self.open.append(f"{short(goal)} was not shown")
        self._known[key] = found
        return found

    def prove(self, goal: Goal, depth: int | None = None) -> bool:
        """Show a goal of which it is not known that its expression is a real number wherever the assumptions hold.

        Args:
            depth: Ways within ways that may be tried; None tries short proofs before long ones.
        """
        return self.defined(goal.expression, goal.domain) and self.show(goal, depth)

    # ------------------------------------------------------------------------------------------ rules, in order

    def _show(self, goal: Goal, depth: int) -> bool:
        """Return whether a rule shows a goal: constants, cases, then the signs of its factors and what
        is left of them.
        """
        e = goal.expression
        if (known := self._at_once(goal)) is not None:
            return known
        if (plain := without_rounding(e, strict=goal.strict)) is not None:
            self.log.append(f"{text(e)}: the rest beside a floor or a ceiling is whole"[:120])
            return self.show(replace(goal, expression=plain[0], strict=plain[1]), depth)
        if depth > 0 and self.briefly(lambda: by_squaring(goal, self, depth)):
            return True
        cases = self._cases(goal)
        if cases is not None:
            return all(self.show(case, depth) for case in cases)
        if depth > 0 and (opened := self._inside(goal)) is not None:
            return self.show(opened, depth)
        if depth > 0 and (found := self._in_other_variables(goal, depth)) is not None:
            return found
        if depth > 0 and self._before_factors(goal, depth):
            return True
        as_it_is, one = goal, sorted(e.free_symbols, key=str)[0] if len(e.free_symbols) == 1 else None
        # A common denominator would put factors beside functions that change by steps.
        if depth > 0 and one is not None and self._as_written(goal, one, depth):
            return True
        e = self.tidy(e, goal.domain)
        if is_constant(e):
            return self._constant(replace(goal, expression=e))
        goal = replace(goal, expression=e)
        # A common denominator would spoil what one derivative makes rational, or what two logarithms tell.
        early = (is_rational_but_for_logarithms(e) or is_linear_beside_exponentials(e)) and self._core(goal, depth)
        return (
            early
            or by_common_term(goal, self, depth)
            or (not is_quotient_of_exponentials(e) and self._by_logarithms(goal, depth))
            or self._from_critical(goal, depth)
            or self._by_factors(goal, depth)
            or (depth > 0 and one is not None and self._far_apart(as_it_is, one))
            or (depth > 0 and one is not None and self._around_minimum(as_it_is, one, depth))
        )

    def _in_other_variables(self, goal: Goal, depth: int) -> bool | None:
        """Return whether a goal holds in variables in which it is simpler; None where it is to be tried as it is."""
        # A variable less at no loss, so that nothing else is tried beside it.
        if (scaled := by_scaling(goal, self)) is not None:
            self.log.append(f"in units of a variable that is 1 then: {text(scaled.expression)}")
            return self.show(scaled, depth)
        if (inverted := without_lambert(goal)) is not None:
            return self.defined(inverted.expression, inverted.domain) and self.show(inverted, depth)
        odds = by_odds(goal)
        if odds is not None and self.defined(odds.expression, odds.domain) and self.show(odds, depth):
            self.log.append(f"with the odds y^2 of a share: {text(odds.expression)}")
            return True
        return None

    def _at_once(self, goal: Goal) -> bool | None:
        """Return whether a goal holds where a look tells, and None elsewhere."""
        if self._is_empty(goal.domain):
            self.log.append("its assumptions contradict each other, so that nothing is to be shown")
            return True
        if is_constant(goal.expression):
            return self._constant(goal)
        if is_evident(goal):
            self.log.append(f"{text(goal.expression)}: a sum of squares and of positive terms")
            return True
        # Cheap, and it ends most goals that a rule has made in vain.
        return False if self.fails(goal) else None

    def _before_factors(self, goal: Goal, depth: int) -> bool:
        """Try what a common denominator would spoil in a goal of any number of variables."""
        if self._by_weighted_means(goal, depth) or self._by_circles(goal):
            return True
        # Over a common denominator a difference of two terms would have more of them.
        worse = len(goal.expression.free_symbols) > 1 or goal.expression.has(sympy.gamma, sympy.factorial)
        worse = worse and not is_rational_in_exponentials(goal.expression)
        if worse and len(sympy.Add.make_args(goal.expression)) == 2 and self._by_logarithms(goal, depth):
            return True
        # What these spend in vain would be missing where a statement has another proof.
        if self.briefly(lambda: by_taylor(goal, self, depth) or by_squares(goal, self, depth)):
            return True
        if self.briefly(lambda: by_tangents(goal, self, depth)):
            return True
        return self._without_a_term(goal, depth) or self._by_written_factors(goal, depth)

    def _by_written_factors(self, goal: Goal, depth: int) -> bool:
        """A common factor of the terms as they are written: it has to have the sign of the rest of them."""
        e = goal.expression
        if len(sympy.Add.make_args(e)) != 2 or goal.strict or e.is_rational_function(*e.free_symbols):
            return False
        number, *rest = sympy.Mul.make_args(sympy.factor_terms(e))
        parts = [f for f in (number, *rest) if f.free_symbols]
        if len(parts) != 2 or not all(isinstance(f, sympy.Add) for f in parts):
            return False
        scale = sympy.Mul(*(f for f in (number, *rest) if not f.free_symbols))
        known = self.sign(scale, goal.domain)
        return known in (1, -1) and self._two_together(goal, known or 1, parts, depth)

    def _as_written(self, goal: Goal, variable: sympy.Symbol, depth: int) -> bool:
        """A goal in one variable before it is multiplied out: by unit steps, or by its signs where an error function or
        an inverse one stands in it, whose derivative is simpler than what is left over a common denominator.
        """
        if self._by_steps(goal, variable, depth):
            return True
        simpler = goal.expression.has(sympy.erf, sympy.erfc, sympy.acos, sympy.asin)
        # A logarithm beside a quotient of exponentials goes away with one derivative.
        beside = goal.expression.has(sympy.log) and is_quotient_of_exponentials(
            sympy.Add(*(t for t in sympy.Add.make_args(goal.expression) if not t.has(sympy.log)))
        )
        return (simpler or beside) and self._by_signs(goal, variable)

    def _inside(self, goal: Goal) -> Goal | None:
        """The goal in one variable without the ends of its range, where it was shown; None where that is no help.

        At an end the base of a power may be 0, and its logarithm of no use inside.
        """
        free = goal.expression.free_symbols
        powers = sorted(
            (p for p in goal.expression.atoms(sympy.Pow) if p.base.free_symbols and p.exp.free_symbols),
            key=sympy.default_sort_key,
        )
        if len(free) != 1 or not powers or goal.domain.extra:
            return None
        (symbol,) = free
        ends = goal.domain.closed_ends(symbol)
        try:
            values = [constant_sign(goal.expression.subs(symbol, rational(end))) for end in ends]
        except NotKnown:
            return None
        if not ends or any(value < 0 or (value == 0 and goal.strict) for value in values):
            return None
        return replace(goal, domain=goal.domain.inside(symbol))

    def _by_weighted_means(self, goal: Goal, depth: int) -> bool:
        """Prove the goal with weighted sums in the places of products of powers, which makes it harder."""
        if not any(p.exp.free_symbols for p in goal.expression.atoms(sympy.Pow)):
            return False
        lower = by_means(goal.expression, lambda r: self.holds(r, goal.domain))
        if lower is None:
            return False
        self.log.append(f"a weighted mean of powers: {text(lower)}")
        return self.show(Goal(sympy.expand(lower), goal.strict, goal.domain), depth - 1)

    def _by_circles(self, goal: Goal) -> bool:
        """Ask the solver about sines and cosines of single variables as points of circles."""
        told = on_circles(goal)
        if told is None or self.fails(told):
            return False
        e = told.expression
        if not self.holds(gt(e, 0) if goal.strict else ge(e, 0), told.domain, SOLVER_STEPS):
            return False
        self.log.append(f"{text(e)} on circles, by real arithmetic")
        return True

    def _without_a_term(self, goal: Goal, depth: int) -> bool:
        """Leave out a term with a special function that only helps: it is >= 0, and the goal may hold without it."""
        terms = sympy.Add.make_args(goal.expression)
        if len(terms) < 3 or len(goal.expression.free_symbols) < 2:
            return False
        for term in sorted((t for t in terms if t.has(*_SPECIAL)), key=sympy.default_sort_key):
            rest = Goal(goal.expression - term, goal.strict, goal.domain)
            # Floats first, as in every goal: mostly each term is needed.
            if self.sign(term, goal.domain) in (1, 2) and not self.fails(rest):
                self.log.append(f"without {text(term)}, which is not negative")
                return self.show(rest, depth - 1)
        return False

    def _constant(self, goal: Goal) -> bool:
        """Return whether a goal without variables holds, by Arb or algebra."""
        try:
            sign = constant_sign(goal.expression)
        except NotKnown:
            return False
        return sign > 0 or (sign == 0 and not goal.strict)

    def _by_factors(self, goal: Goal, depth: int) -> bool:
        """Take the factors of known sign away; what is left is one factor, or two that change sign together.

        A factor with an even power needs to be nowhere 0 for a strict goal, and nothing else.
        """
        try:
            found = factors(goal.expression)
        except (ZeroDivisionError, sympy.polys.polyerrors.BasePolynomialError):
            # What cannot be factored is its own only factor.
            found = [(goal.expression, 1)]
        told = self._told_apart(goal, found, depth)
        if told is None:
            return False
        sign, unknown = told
        # A denominator is nowhere 0, so that mostly it has one sign; beside another unknown sign it is worth a search.
        for factor in [f for f, power in found if power < 0 and f in unknown] if len(unknown) > 1 and depth else ():
            shown = next((s for s in (1, -1) if self.show(Goal(s * factor, True, goal.domain), depth - 1)), 0)
            if shown:
                unknown.remove(factor)
                sign *= shown
        if not unknown:
            if sign > 0:
                self.log.append(f"{text(goal.expression)}: every factor has the right sign")
            return sign > 0
        if len(unknown) == 1:
            # The other factors are positive, or squares that are not 0 where that counts: the sign is that of this one.
            core = Goal(sympy.expand(sign * unknown[0]) if sign < 0 else unknown[0], goal.strict, goal.domain)
            if self._where_none_vanishes(core, [f for f, _ in found if f is not unknown[0]]):
                return True
            return self._core(core, depth) or self._as_it_stands(goal, core, depth) or self._end_apart(core, depth)
        if len(unknown) == 2 and depth > 0 and self._two_together(goal, sign, unknown, depth):
            return True
        return depth > 0 and len(goal.expression.free_symbols) == 1 and self._by_boxes(goal)

    def _core(self, goal: Goal, depth: int) -> bool:
        """Prove a goal whose factors of known sign are gone."""
        e, free = goal.expression, sorted(goal.expression.free_symbols, key=str)
        # One variable has a complete method; the solver is asked where it does not reach.
        if len(free) == 1 and self._by_signs(goal, free[0]):
            return True
        try:
            if self.holds(gt(e, 0) if goal.strict else ge(e, 0), goal.domain, SOLVER_STEPS):
                self.log.append(f"{text(e)} {'>' if goal.strict else '>='} 0 by real arithmetic")
                return True
        except FormulaError:
            return False
        if depth <= 0:
            return False
        if self._by_product(goal, depth):
            return True
        if self._by_logarithms(goal, depth) or self._by_boxes(goal):
            return True
        # A derivative takes a logarithm away, and undoing it makes the other terms worse.
        stepping = [v.symbol for v in goal.domain.variables if v.symbol in free]
        if any(self._by_steps(goal, v, depth) for v in stepping) or (len(free) == 1 and self._far_apart(goal, free[0])):
            return True
        if depth > 1 and any(by_concavity(goal, v, self, depth) for v in free):
            return True
        return any(self._along(goal, v, depth) for v in self._order(goal)) or self._by_one_logarithm(goal, depth)

    def _as_it_stands(self, goal: Goal, core: Goal, depth: int) -> bool:
        """Walk along a variable with a quotient as it is: its derivative may be simpler than that of its numerator."""
        if depth <= 0 or core.expression == goal.expression or len(goal.expression.free_symbols) < 2:
            return False
        return any(self._along(goal, v, depth) for v in self._order(goal))

    def _end_apart(self, goal: Goal, depth: int) -> bool:
        """Look at an end of a range by itself, so that the variable is positive in what is left.

        A variable that SymPy knows to be positive simplifies powers and logarithms that one >= 0 does
        not.
        """
        powers = any(p.exp.free_symbols for p in goal.expression.atoms(sympy.Pow))
        if depth <= 1 or (len(goal.expression.free_symbols) < 2 and not powers):
            return False
        for v in goal.domain.variables:
            if v.symbol in goal.expression.free_symbols and v.lower == 0 and not v.lower_open:
                # An assumption on the variable would keep its old symbol, and say nothing of the new one.
                if any(v.symbol in symbols_in(r) for r in goal.domain.extra):
                    continue
                # The end belongs to the domain, and the goal has to hold there too.
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
