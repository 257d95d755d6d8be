"""Ranges: the signs of a function of one variable, boxes, and zeros inside of a range and at its ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import sympy

from rgm_verify.claims.claim import Variable
from rgm_verify.claims.formula import FormulaError, ge, gt
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign
from rgm_verify.lenses.analysis.asymptotics.kernels import plain, split_logarithms
from rgm_verify.lenses.analysis.boxes import nonnegative_over
from rgm_verify.lenses.analysis.floats import floats
from rgm_verify.lenses.analysis.forms import text
from rgm_verify.lenses.analysis.goals import Domain, Goal, symbols_in
from rgm_verify.lenses.analysis.rules.far import bounds_beyond
from rgm_verify.lenses.analysis.rules.steps import by_loggamma, end_value, fall
from rgm_verify.lenses.analysis.univariate import Open, Signs
from rgm_verify.lenses.analysis.ways import Ways
from rgm_verify.lenses.points.floats import as_real, numeric

_BOXES = 1500
#: Derivatives that are looked at where a goal is 0 at an end, and how far the range is halved beside it.
_HIGHEST_ORDER = 6
_MOST_HALVINGS = 8
#: Where floats look for zeros inside of a range, and the denominators of the places that they propose.
_GRID = 400
_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20)


#: Functions of whose signs on a range there is no pattern.
_NO_PATTERN = (sympy.gamma, sympy.loggamma, sympy.polygamma, sympy.zeta, sympy.LambertW)
#: Where an unbounded range is split into a bounded middle and what lies beyond.
_RADII = (4, 16)


class Ranges(Ways):
    """A search that decides a goal on a range of one variable, or on a box."""

    def _by_signs(self, goal: Goal, variable: sympy.Symbol) -> bool:
        """A function of one variable, on the whole range of the variable; of its reciprocal where that is simpler.

        The range without the assumptions is a larger set, so that they may be left out.
        """
        where = goal.domain.range_of(variable)
        if self._signed(goal, variable, goal.expression, where):
            return True
        if self._in_exponentials(goal, variable, goal.expression, where):
            return True
        # Turned around only where a function of 1/x gains by it.
        inner = {a for f in goal.expression.atoms(sympy.Function) for a in f.args}
        if where.lower != 0 or not any((1 / variable) in a.atoms(sympy.Pow) for a in inner):
            return False
        turned = Open(Fraction(0) if where.upper is None else 1 / where.upper, None)
        moved = goal.expression.xreplace({variable: 1 / variable})
        return self._signed(goal, variable, moved, turned) or self._in_exponentials(goal, variable, moved, turned)

    def _in_exponentials(self, goal: Goal, variable: sympy.Symbol, e: sympy.Expr, where: Open) -> bool:
        """A function of one variable x that occurs in exponentials, at x = log w: every x is the logarithm of one w.

        Only from 0 or from everywhere to everywhere, where w has a rational range.
        """
        if where.upper is not None or where.lower not in (None, 0):
            return False
        terms = {t for t in e.atoms(sympy.exp) if t.has(variable)}
        # Without an exponential of a polynomial the new variable makes nothing simpler.
        if not any(t.args[0].is_polynomial(variable) for t in terms):
            return False
        w = sympy.Symbol(variable.name, positive=True)
        moved = plain(sympy.expand(e).xreplace({variable: sympy.log(w)}))
        moved = split_logarithms(sympy.expand(moved), lambda f: f.is_positive is True)
        if moved.has(sympy.exp) and any(t.has(sympy.log) for t in moved.atoms(sympy.exp)):
            return False
        range_ = Open(Fraction(0) if where.lower is None else Fraction(1), None)
        return self._signed(goal, w, moved, range_, at_ends=(variable, goal.expression))

    def _signed(
        self,
        goal: Goal,
        variable: sympy.Symbol,
        e: sympy.Expr,
        where: Open,
        at_ends: tuple[sympy.Symbol, sympy.Expr] | None = None,
    ) -> bool:
        """Return whether e, the goal on the open interval, has the right sign there, and the goal at its ends.

        `at_ends` is the variable of the domain, and the goal in it, where `variable` is another one.
        """
        signs = Signs(variable)
        own, there = at_ends or (variable, goal.expression)
        self.effort -= int(sympy.count_ops(e))
        try:
            pattern = signs.pattern(e, where)
            # A zero inside breaks a strict goal, whatever the signs beside it are.
            if any(s < 0 for s in pattern.signs) or (goal.strict and (pattern.roots or 0 in pattern.signs)):
                return False
            for end in goal.domain.closed_ends(own):
                value = Signs(own).sign(there, end)
                if value < 0 or (value == 0 and goal.strict):
                    return False
        except (NotKnown, StopIteration) as error:
            self.open.append(f"the signs of {text(goal.expression)}: {error}")
            return False
        self.log.append(f"{text(goal.expression)}: its signs follow from those of its derivatives in {variable}")
        return True

    def _by_boxes(self, goal: Goal) -> bool:
        """Branch and bound where every variable has a closed bounded range.

        Open ends are closed: a certificate on a larger set holds on the smaller one.
        """
        used = goal.expression.free_symbols
        box = {}
        for v in goal.domain.variables:
            if v.symbol in used:
                if v.lower is None or v.upper is None:
                    return False
                box[v.symbol] = (v.lower, v.upper)
        low, _ = self._range(goal.expression, goal.domain)
        # Of the assumptions only those that the boxes can see; leaving one out asks for more.
        hypotheses = [r.gap for r in goal.domain.extra if r.op not in ("==", "!=") and symbols_in(r) <= set(box)]
        # Where the goal comes near 0 no number of boxes suffices.
        boxes = (
            nonnegative_over(goal.expression, box, strict=goal.strict, boxes=_BOXES, hypotheses=hypotheses)
            if low > 0
            else 0
        )
        if boxes:
            self.boxes += boxes
            self.log.append(f"{text(goal.expression)} on the whole box, by {boxes} balls")
            return True
        return len(box) == 1 and self._beside_zeros(goal)

    # ------------------------------------------------------------------------------------------ zeros

    def _beside_zeros(self, goal: Goal) -> bool:
        """Prove a goal in one variable that is 0 at an end of its bounded range, or touches 0 inside of it.

        If all derivatives below order k are 0 at an end a, the goal at x is `f^(k)(c) (x - a)^k / k!` for a c between
        them (Taylor). So one sign of that derivative, in balls beside a, gives the goal there without cancellation; in
        the middle the goal is away from 0.
        """
        (v,) = (v for v in goal.domain.variables if v.symbol in goal.expression.free_symbols)
        x, low, high = v.symbol, v.lower, v.upper
        if low is None or high is None or low >= high:
            return False
        signs = Signs(x)
        # Smooth inside, and at the ends themselves: a value there that is not the limit would prove nothing.
        if not self.smooth(goal.expression, x, Domain((v,), ())):
            return False
        if not all(signs._continuous_at(goal.expression, end) for end in (low, high)):
            return False
        # Inside of the range a strict goal has no zeros, and the balls see that.
        cuts = [] if goal.strict else self._inner_zeros(goal.expression, x, low, high)
        places = [low, *cuts, high]
        found = all(
            self._between_zeros(
                goal, x, (left, right), opened=(v.lower_open and left == low, v.upper_open and right == high)
            )
            for left, right in pairwise(places)
        )
        if found:
            self.log.append(f"{text(goal.expression)}: by its derivatives beside its zeros, and by balls")
        return found

    def _inner_zeros(self, f: sympy.Expr, x: sympy.Symbol, low: Fraction, high: Fraction) -> list[Fraction]:
        """Return rational places inside of a range where the function is exactly 0; floats propose them."""
        grid = np.linspace(float(low), float(high), _GRID + 2)[1:-1]
        with np.errstate(all="ignore"):
            values = np.abs(as_real(numeric(f, [x])(grid), [grid]))
        # A zero where the function touches is next to a place that is lower than its neighbours.
        valleys = [k for k in range(1, len(grid) - 1) if values[k] <= values[k - 1] and values[k] <= values[k + 1]]
        spacing = (high - low) / (_GRID + 1)
        near = [Fraction(float(grid[k])).limit_denominator(d) for k in valleys for d in _DENOMINATORS]
        found = set()
        for place in sorted({Fraction(0), *near}):
            close = any(abs(place - Fraction(float(grid[k]))) <= 2 * spacing for k in valleys)
            if not (low < place < high and close):
                continue
            try:
                # Exactly 0 and no less: beside a place that is only nearly 0 the boxes have to do the work.
                zero = constant_sign(f.subs(x, sympy.Rational(place))) == 0
            except NotKnown:
                zero = False
            if zero:
                found.add(place)
        return sorted(found)

    def _between_zeros(
        self, goal: Goal, x: sympy.Symbol, ends: tuple[Fraction, Fraction], *, opened: tuple[bool, bool]
    ) -> bool:
        """Prove a goal between two places, at each of which it is 0 or positive."""
        low, high = ends
        for end, other, apart in ((ends[0], ends[1], opened[0]), (ends[1], ends[0], opened[1])):
            try:
                there = constant_sign(goal.expression.subs(x, sympy.Rational(end)))
            except NotKnown:
                return False
            # An end that is left out of the domain may be a zero of a strict goal.
            if there < 0 or (there == 0 and goal.strict and not apart):
                return False
            if there == 0:
                reached = self._from_zero(goal.expression, x, end, other)
                if reached is None:
                    return False
                low, high = (reached, high) if end == ends[0] else (low, reached)
        boxes = 1 if low >= high else nonnegative_over(goal.expression, {x: (low, high)}, strict=True, boxes=_BOXES)
        self.boxes += boxes
        return bool(boxes)

    def _from_zero(self, f: sympy.Expr, x: sympy.Symbol, end: Fraction, other: Fraction) -> Fraction | None:
        """Return a place up to which a function that is 0 at an end is positive beside it; None if none was found."""
        for order in range(1, _HIGHEST_ORDER + 1):
            # Towards smaller x an odd derivative acts with the opposite sign.
            slope = sympy.diff(f, x, order) * (1 if end < other else (-1) ** order)
            try:
                there = constant_sign(slope.subs(x, sympy.Rational(end)))
            except NotKnown:
                return None
            if there < 0:
                return None
            if there == 0:
                continue
            for halvings in range(1, _MOST_HALVINGS + 1):
                place: Fraction = end + (other - end) / 2**halvings
                boxes = nonnegative_over(slope, {x: (min(end, place), max(end, place))}, strict=True, boxes=_BOXES)
                if boxes:
                    self.boxes += boxes
                    return place
            return None
        return None

    # ------------------------------------------------------------------------------------------ steps, and far out

    def _by_steps(self, goal: Goal, variable: sympy.Symbol, depth: int) -> bool:
        """Prove a goal that falls from x to x + h, and tends to something that is not negative."""
        domain = goal.domain
        where = domain.range_of(variable)
        if where.upper is not None or where.lower is None or any(variable in symbols_in(r) for r in domain.extra):
            return False
        e = by_loggamma(goal.expression)
        step = fall(e, variable)
        # What takes the place of a logarithm of a gamma function asks for positive arguments, as it does.
        if step is None or not (self.defined(e, domain) and self.defined(step, domain)):
            return False
        value = end_value(e, variable, lambda other: self.sign(other, domain))
        if value is None or value == -sympy.oo:
            return False
        if value != sympy.oo and not self.show(Goal(value, False, domain), depth - 1):
            return False
        self.log.append(f"{text(e)} tends to something >= 0, and falls along steps in {variable}")
        return self.show(Goal(step, goal.strict, domain), depth - 1)

    def _far_apart(self, goal: Goal, variable: sympy.Symbol) -> bool:
        """Split an unbounded range of one variable: bounds far out, and balls or Taylor's formula in the middle."""
        where = goal.domain.range_of(variable)
        if (where.lower is not None and where.upper is not None) or goal.expression.is_polynomial(variable):
            return False
        v = next(v for v in goal.domain.variables if v.symbol == variable)
        for radius in _RADII:
            low, high = where.lower, where.upper
            parts = []
            if high is None:
                high = Fraction(radius) if low is None else low + radius
                parts.append((replace(v, lower=high, lower_open=False), high, 1))
            if low is None:
                low = -Fraction(radius) if where.upper is None else where.upper - radius
                parts.append((replace(v, upper=low, upper_open=False), -low, -1))
            middle = replace(v, lower=low, upper=high, lower_open=v.lower_open, upper_open=v.upper_open)
            if all(self._beyond_radius(goal, *part) for part in parts):
                inner = replace(goal, domain=Domain((middle,)))
                return self._by_boxes(inner)
        return False

    def _around_minimum(self, goal: Goal, variable: sympy.Symbol, depth: int) -> bool:
        """Prove a goal in one variable by balls around its least value, towards which it falls from both sides.

        Floats propose the middle; that the slope has one sign on each side of it is shown.
        """
        e, domain = goal.expression, goal.domain
        if domain.extra or len(domain.variables) != 1 or not e.has(*_NO_PATTERN):
            return False
        if not self.smooth(e, variable, domain):
            return False
        slope = sympy.diff(e, variable)
        places = np.sort(np.asarray(self.columns(domain)[variable], dtype=float))
        rises = floats(slope, {variable: places}) > 0
        if not rises.any() or rises.all():
            return False
        first = int(np.argmax(rises))
        start, end = (Fraction(float(places[max(i, 0)])).limit_denominator(100) for i in (first - 1, first))
        where = domain.range_of(variable)
        step = Fraction(1, 20)
        low = start - step if where.lower is None or start - step > where.lower else start
        high = end + step if where.upper is None or end + step < where.upper else end
        if not low < high or (where.lower is not None and low <= where.lower):
            return False
        v = domain.variables[0]
        middle = replace(v, lower=low, upper=high, lower_open=False, upper_open=False)
        sides = ((-slope, replace(v, upper=low, upper_open=False)), (slope, replace(v, lower=high, lower_open=False)))
        return self._by_boxes(replace(goal, domain=Domain((middle,)))) and all(
            self.show(Goal(side, False, Domain((part,))), depth - 1) for side, part in sides
        )

    def _beyond_radius(self, goal: Goal, v: Variable, start: Fraction, direction: int) -> bool:
        """Prove a goal on a half-line: by the ranges of its terms, or by the solver."""
        turned = goal.expression.xreplace({v.symbol: direction * v.symbol})
        try:
            low, _ = bounds_beyond(turned, v.symbol, start)
            if low > 0 or (low == 0 and not goal.strict):
                return True
        except NotKnown:
            pass  # the solver may know more of a product
        try:
            return self.holds(gt(goal.expression, 0) if goal.strict else ge(goal.expression, 0), Domain((v,)))
        except FormulaError:
            return False
