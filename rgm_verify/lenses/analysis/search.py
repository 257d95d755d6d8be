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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TypeVar

import numpy as np
import sympy

from rgm_verify.balls.binding import BINDING
from rgm_verify.balls.enclose import sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.claim import Variable, real
from rgm_verify.claims.formula import FormulaError, Relation, ge, gt, is_constant, le, lt
from rgm_verify.lenses.algebra.equations import roots
from rgm_verify.lenses.algebra.smoothness import smoothness
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign
from rgm_verify.lenses.analysis.asymptotics.kernels import Positive, factors, plain, split_logarithms
from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.boxes import nonnegative_over
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.facts import implied
from rgm_verify.lenses.analysis.floats import POINTS, drawn, floats
from rgm_verify.lenses.analysis.goals import Domain, Goal, is_true, narrowed, symbols_in
from rgm_verify.lenses.analysis.rules.circular import on_circles
from rgm_verify.lenses.analysis.rules.common_terms import by_common_term
from rgm_verify.lenses.analysis.rules.concave import by_concavity
from rgm_verify.lenses.analysis.rules.ends import domain_at_end
from rgm_verify.lenses.analysis.rules.far import bounds_beyond
from rgm_verify.lenses.analysis.rules.lambert import without_lambert
from rgm_verify.lenses.analysis.rules.means import by_means
from rgm_verify.lenses.analysis.rules.scaling import by_scaling
from rgm_verify.lenses.analysis.rules.segments import holds_on_segment
from rgm_verify.lenses.analysis.rules.shares import by_odds
from rgm_verify.lenses.analysis.rules.squares import by_squares
from rgm_verify.lenses.analysis.rules.steps import by_loggamma, end_value, fall
from rgm_verify.lenses.analysis.rules.taylor import by_taylor
from rgm_verify.lenses.analysis.univariate import Open, Signs
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.sampling import as_real, numeric
from rgm_verify.lenses.solvers.definedness import (
    UNKNOWN,
    Need,
    Unknown,
    as_promised,
    continuous_parts,
    evident,
    has_infinite_ends,
    needs,
    parts,
)

__all__ = ["Domain", "Goal", "Prover"]

_T = TypeVar("_T")

# Budgets are counts, so that the same claim has the same proof on every machine.
_SOLVER_STEPS = 150_000
_QUICK_STEPS = 40_000
_MOST_GOALS = 80
_MOST_QUERIES = 240
#: What a search may cost: operations of the expressions that it looks at, and so many for each question to a solver.
_EFFORT = 5_000
_QUESTION = 12
#: Ways within ways that are tried, in turn, and the share of what is left that each may cost: most proofs are short.
# A deep search first would spend the budget on ways that a short proof does without.
_DEPTHS = ((1, 0.3), (3, 0.9), (5, 1.0))
#: The share of a budget for a first look.
_BRIEF = 0.25
_LONGEST = 150
#: Functions of which a term may be left out.
_SPECIAL = (sympy.erf, sympy.erfc, sympy.gamma, sympy.loggamma, sympy.polygamma, sympy.log)
#: Longer values at a start are not simplified.
_SIMPLIFIED = 60
#: Sums of more terms are not compared by logarithms.
_MOST_TERMS = 8
#: Higher powers are not multiplied out when logarithms are undone.
_HIGHEST_POWER = 4
_BOXES = 1500
#: Bits for a failure at a point.
_BITS = 256
#: Derivatives that are looked at where a goal is 0 at an end, and how far the range is halved beside it.
_HIGHEST_ORDER = 6
#: Where an unbounded range is split into a bounded middle and what lies beyond.
_RADII = (4, 16)
_MOST_HALVINGS = 8
#: Where floats look for zeros inside of a range, and the denominators of the places that they propose.
_GRID = 400
_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20)


@dataclass
class Prover:
    """One search with its budget. `log` holds the steps of a proof, `open` the goals that nothing reached.

    Attributes:
        goals: Goals that may still be looked at.
        queries: Questions that the solver may still be asked.
        effort: Operations that may still be spent.
        log: The steps of the proof, for reading; a failed attempt takes its steps back.
        open: Goals that no rule reached.
        boxes: Boxes of the certificates that were used.
    """

    goals: int = _MOST_GOALS
    queries: int = _MOST_QUERIES
    effort: int = _EFFORT
    log: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    boxes: int = 0
    _known: dict[tuple[Goal, int], bool] = field(default_factory=dict)
    _points: dict[Domain, dict[sympy.Symbol, np.ndarray]] = field(default_factory=dict)
    _signs: dict[tuple[sympy.Expr, Domain], int | None] = field(default_factory=dict)
    _empty: dict[Domain, bool] = field(default_factory=dict)

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
            self.open.append(f"{_short(goal)} was not shown: a sum or an integral is left in it")
            return False
        # Every rule below expands or differentiates, which takes such an expression beyond all bounds.
        if sympy.count_ops(goal.expression) > 2 * _LONGEST:
            return False
        mark = len(self.log)
        found = self._show(goal, depth)
        if not found:
            # The log is the proof: steps of an attempt that failed are no part of it.
            del self.log[mark:]
            if not is_constant(goal.expression):  # an attempt that ends at a false relation of numbers is no open step
                self.open.append(f"{_short(goal)} was not shown")
        self._known[key] = found
        return found

    def within(self, share: float, attempt: Callable[[], _T]) -> _T:
        """The result of an attempt that may cost a share of the budget; the rest is kept for others.

        Args:
            share: The share of what is left.
            attempt: The attempt, which asks this search.
        """
        before = self.goals, self.queries, self.effort
        allowed = [int(share * b) for b in before]
        self.goals, self.queries, self.effort = allowed
        found = attempt()
        left = self.goals, self.queries, self.effort
        # What is spent is taken off the whole: an attempt that ends early leaves its rest to the next.
        spent = (a - b for a, b in zip(allowed, left, strict=True))
        self.goals, self.queries, self.effort = (b - s for b, s in zip(before, spent, strict=True))
        return found

    def briefly(self, attempt: Callable[[], _T]) -> _T:
        """The result of a short attempt; one that fails costs nothing of the budget, and leaves no goal as given up.

        Args:
            attempt: The attempt, which asks this search.
        """
        before, known = (self.goals, self.queries, self.effort), dict(self._known)
        found = self.within(_BRIEF, attempt)
        if not found:
            # What was left for want of budget may be reached by a longer search.
            self._known = known
            self.goals, self.queries, self.effort = before
        return found

    def prove(self, goal: Goal, depth: int | None = None) -> bool:
        """Show a goal of which it is not known that its expression is a real number wherever the assumptions hold.

        Args:
            depth: Ways within ways that may be tried; None tries short proofs before long ones.
        """
        return self.defined(goal.expression, goal.domain) and self.show(goal, depth)

    def defined(self, e: sympy.Expr, domain: Domain) -> bool:
        """Return whether every term of an expression was shown to be a real number on the domain.

        Args:
            e: An expression in the variables of the domain.
            domain: The variables and what is assumed of them.
        """
        return not self.undefined(e, domain)

    def undefined(self, e: sympy.Expr, domain: Domain) -> str:
        """The first term of an expression that was not shown to be a real number on the domain; empty if all were.

        Args:
            e: An expression in the variables of the domain.
            domain: The variables and what is assumed of them.
        """
        for node in dict.fromkeys(parts(e)):
            # Arguments come first, so that both sides of what is needed are known to be defined.
            needed = all(evident(need) or self.met(need, domain) for need in needs(node))
            if not needed and not (isinstance(node, sympy.Integral) and self.integrable(node, domain)):
                return str(node)
        return ""

    def integrable(self, node: sympy.Integral, domain: Domain) -> bool:
        """Return whether an integrand was shown to be continuous between the ends, wherever in the domain these lie.

        A function that is continuous on a closed range is bounded there, and has an integral. At an infinite end it
        may have none.

        Args:
            node: An integral, the ends of which are defined on the domain.
            domain: The variables and what is assumed of them.
        """
        # A double integral and one without ends have conditions of their own, which are not asked for here.
        if len(node.limits) != 1 or len(node.limits[0]) != 3 or node.function.has(sympy.Integral):
            return False
        if has_infinite_ends(node):
            return False
        variable, lower, upper = node.limits[0]
        # A variable of its own: the one of the integral may carry assumptions that hold nowhere.
        between = real(f"(between {lower} and {upper})")
        found = list(continuous_parts(node))
        if not as_promised(variable, lower, upper) or any(UNKNOWN in needs(part) for part, _ in found):
            return False
        s = between.symbol
        # Either end may be the lower one: between them the product of the two distances is not negative.
        extra: tuple[Relation, ...] = (Relation((s - lower) * (upper - s), ">=", sympy.S.Zero),)
        if self.holds(Relation(lower, "<=", upper), domain):
            extra = (Relation(s, ">=", lower), Relation(s, "<=", upper))
        wide = Domain((*domain.variables, between), (*domain.extra, *extra))
        return self.defined(node.function.xreplace({variable: s}), wide)

    def met(self, need: Need, domain: Domain) -> bool:
        """Return whether a condition, both sides of which are defined, was shown on the whole domain.

        Args:
            need: The condition, such as a denominator that is not 0.
            domain: The variables and what is assumed of them.
        """
        if isinstance(need, Unknown):
            return False
        if self.holds(need, domain):
            return True
        # A continuous function that is nowhere 0 mostly has one sign, which the rules can show.
        if need.op == "!=":
            return any(self.show(Goal(sign * need.gap, True, domain), 2) for sign in (1, -1))
        # An equation is no sign, and no rule of this search shows one.
        return need.op != "==" and self.show(Goal(need.gap, need.strict, domain), 3)

    def _show(self, goal: Goal, depth: int) -> bool:
        """Return whether a rule shows a goal: constants, cases, then the signs of its factors and what
        is left of them.
        """
        e = goal.expression
        if (known := self._at_once(goal)) is not None:
            return known
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
        early = (_is_rational_but_for_logarithms(e) or _is_linear_beside_exponentials(e)) and self._core(goal, depth)
        return (
            early
            or by_common_term(goal, self, depth)
            or (not _is_quotient_of_exponentials(e) and self._by_logarithms(goal, depth))
            or self._from_critical(goal, depth)
            or self._by_factors(goal, depth)
            or (depth > 0 and one is not None and self._far_apart(as_it_is, one))
        )

    def _in_other_variables(self, goal: Goal, depth: int) -> bool | None:
        """Return whether a goal holds in variables in which it is simpler; None where it is to be tried as it is."""
        # A variable less at no loss, so that nothing else is tried beside it.
        if (scaled := by_scaling(goal, self)) is not None:
            self.log.append(f"in units of a variable that is 1 then: {_text(scaled.expression)}")
            return self.show(scaled, depth)
        if (inverted := without_lambert(goal)) is not None:
            return self.defined(inverted.expression, inverted.domain) and self.show(inverted, depth)
        odds = by_odds(goal)
        if odds is not None and self.defined(odds.expression, odds.domain) and self.show(odds, depth):
            self.log.append(f"with the odds y^2 of a share: {_text(odds.expression)}")
            return True
        return None

    def _at_once(self, goal: Goal) -> bool | None:
        """Return whether a goal holds where a look tells, and None elsewhere."""
        if self._is_empty(goal.domain):
            self.log.append("its assumptions contradict each other, so that nothing is to be shown")
            return True
        if is_constant(goal.expression):
            return self._constant(goal)
        if _is_evident(goal):
            self.log.append(f"{_text(goal.expression)}: a sum of squares and of positive terms")
            return True
        # Cheap, and it ends most goals that a rule has made in vain.
        return False if self.fails(goal) else None

    def _before_factors(self, goal: Goal, depth: int) -> bool:
        """Try what a common denominator would spoil in a goal of any number of variables."""
        if self._by_weighted_means(goal, depth) or self._by_circles(goal):
            return True
        # Over a common denominator a difference of two terms would have more of them.
        worse = len(goal.expression.free_symbols) > 1 or goal.expression.has(sympy.gamma, sympy.factorial)
        worse = worse and not _is_rational_in_exponentials(goal.expression)
        if worse and len(sympy.Add.make_args(goal.expression)) == 2 and self._by_logarithms(goal, depth):
            return True
        # What these spend in vain would be missing where a statement has another proof.
        if self.briefly(lambda: by_taylor(goal, self, depth) or by_squares(goal, self, depth)):
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
        beside = goal.expression.has(sympy.log) and _is_quotient_of_exponentials(
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
        self.log.append(f"a weighted mean of powers: {_text(lower)}")
        return self.show(Goal(sympy.expand(lower), goal.strict, goal.domain), depth - 1)

    def _by_circles(self, goal: Goal) -> bool:
        """Ask the solver about sines and cosines of single variables as points of circles."""
        told = on_circles(goal)
        if told is None or self.fails(told):
            return False
        e = told.expression
        if not self.holds(gt(e, 0) if goal.strict else ge(e, 0), told.domain, _SOLVER_STEPS):
            return False
        self.log.append(f"{_text(e)} on circles, by real arithmetic")
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
                self.log.append(f"without {_text(term)}, which is not negative")
                return self.show(rest, depth - 1)
        return False

    def _constant(self, goal: Goal) -> bool:
        """Return whether a goal without variables holds, by Arb or algebra."""
        try:
            sign = constant_sign(goal.expression)
        except NotKnown:
            return False
        return sign > 0 or (sign == 0 and not goal.strict)

    # ------------------------------------------------------------------------------------------ signs

    def holds(self, relation: Relation, domain: Domain, steps: int = _QUICK_STEPS) -> bool:
        """Return whether the solver shows a relation, whose sides are defined on the domain.

        Args:
            relation: A relation whose sides are defined on the domain.
            domain: The variables and what is assumed of them.
            steps: The effort for the solver.

        Returns:
            True only if the solver has shown it.
        """
        if evident(relation):
            return True
        if self.queries <= 0 or self.effort <= 0:
            return False
        self.queries -= 1
        self.effort -= _QUESTION
        # The sides of the assumptions are given as well: their terms are defined wherever the assumptions hold.
        return implied(domain.formulas, relation, [relation.lhs, relation.rhs, *_sides(domain)], steps)

    def sign(self, e: sympy.Expr, domain: Domain) -> int | None:
        """The sign that e has on the whole domain: 1 and -1 strictly, 2 for >= 0, -2 for <= 0, None if not seen.

        Args:
            e: An expression that is defined on the domain.
            domain: The variables and what is assumed of them.
        """
        key = (e, domain)
        if key not in self._signs:
            self._signs[key] = self._sign(e, domain)
        return self._signs[key]

    def _sign(self, e: sympy.Expr, domain: Domain) -> int | None:
        """Return the sign of an expression by its form, or by the solver where floats suggest one."""
        if is_constant(e):
            try:
                # Zero is both >= 0 and <= 0, and the first of these is as good as any.
                return constant_sign(e) or 2
            except NotKnown:
                return None
        # An exponential of a real number, as the goal is defined: SymPy need not know that.
        if e.is_positive or isinstance(e, sympy.exp):
            return 1
        if e.is_negative:
            return -1
        # Floats say which of the signs is worth a question; the solver answers it.
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
        """The predicate that the solver shows something to be positive on the domain.

        Args:
            domain: The variables and what is assumed of them.
        """
        return lambda e: self.sign(e, domain) == 1

    def tidy(self, e: sympy.Expr, domain: Domain) -> sympy.Expr:
        """Return an equal expression with its logarithms taken apart where the domain allows it."""
        # Left as it is, which is no error: tidying is there to make rules apply more often.
        if sympy.count_ops(e) > _LONGEST:
            return e
        return split_logarithms(plain(e), self.positive(domain))

    # ------------------------------------------------------------------------------------------ floats

    def columns(self, domain: Domain) -> dict[sympy.Symbol, np.ndarray]:
        """Floats that satisfy the assumptions, drawn once for a domain: they rule out, and prove nothing."""
        if domain not in self._points:
            # A fixed seed: the same domain has the same points in every run.
            generator = np.random.default_rng(len(domain.variables))
            columns = {v.symbol: drawn(v, generator) for v in domain.variables}
            keep = np.ones(POINTS, dtype=bool)
            for relation in domain.extra:
                values = floats(relation.gap, columns)
                # Any point but those on a surface satisfies a disequation, on either side of it.
                values = np.abs(values) if relation.op == "!=" else values
                keep &= np.nan_to_num(values, nan=-1.0) > (0 if relation.strict else -1e-12)
            self._points[domain] = {s: c[keep] for s, c in columns.items()}
        return self._points[domain]

    def _is_empty(self, domain: Domain) -> bool:
        """Return whether the solver shows that the assumptions contradict each other; asked where floats find no point.

        A way to one side of its start may leave the domain at once.
        """
        if not domain.extra or any(len(c) for c in self.columns(domain).values()):
            return False
        if domain not in self._empty:
            self._empty[domain] = self.holds(Relation(sympy.S.One, "<=", sympy.S.Zero), domain)
        return self._empty[domain]

    def _range(self, e: sympy.Expr, domain: Domain) -> tuple[float, float]:
        """The least and the largest value at the points, up to rounding."""
        columns = self.columns(domain)
        values = floats(e, columns)
        values = values[np.isfinite(values)]
        if not len(values):
            return 0.0, 0.0
        # Rounding of a value that is 0 must not look like a sign.
        noise = 1e-10 * max(1.0, float(np.median(np.abs(values))))
        low, high = float(values.min()), float(values.max())
        return (0.0 if abs(low) < noise else low), (0.0 if abs(high) < noise else high)

    def fails(self, goal: Goal) -> bool:
        """Return whether the goal plainly fails at a point, so that looking for a proof is idle."""
        columns = self.columns(goal.domain)
        values = floats(goal.expression, columns)
        with np.errstate(all="ignore"):
            # Relative to the terms: where large ones cancel, a small negative value is rounding.
            scale = sum(np.abs(floats(t, columns)) for t in sympy.Add.make_args(goal.expression))
            shares = np.nan_to_num(values / np.asarray(scale), nan=0.0, posinf=0.0, neginf=0.0)
        below = np.flatnonzero(shares < -1e-7)
        # What cancels inside of a term is no failure: Arb has to see one of the worst points fail.
        worst = below[np.argsort(shares[below], kind="stable")][[0, len(below) // 2, -1]] if len(below) else ()
        return any(self._fails_at(goal, columns, int(place)) for place in dict.fromkeys(worst))

    @staticmethod
    def _fails_at(goal: Goal, columns: dict[sympy.Symbol, np.ndarray], place: int) -> bool:
        """Return whether Arb sees the goal fail at one of the points."""
        used = {s: Fraction(float(c[place])) for s, c in columns.items() if s in goal.expression.free_symbols}
        try:
            return sign_at(goal.expression, used, maximum_bits=_BITS) == "negative"
        except (UnsupportedExpression, OverflowError):
            return True  # floats are all that there is

    # ------------------------------------------------------------------------------------------ rules

    def _cases(self, goal: Goal) -> list[Goal] | None:
        """One goal for each sign of an absolute value, or for each member of a maximum; None if there is none."""
        e = goal.expression
        bent = sorted(sympy.ordered(e.atoms(sympy.Abs, sympy.Max, sympy.Min)), key=sympy.count_ops)
        # The innermost first: an absolute value around it becomes simpler.
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
            # The members of a maximum are a set, whose order differs from process to process.
            first, *others = sympy.ordered(node.args)
            rest = node.func(*others)
            wins = ge if isinstance(node, sympy.Max) else le
            loses = le if isinstance(node, sympy.Max) else ge
            return [
                Goal(e.xreplace({node: first}), goal.strict, goal.domain.given(wins(first, rest))),
                Goal(e.xreplace({node: rest}), goal.strict, goal.domain.given(loses(first, rest))),
            ]
        except FormulaError:
            return None

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
                self.log.append(f"{_text(goal.expression)}: every factor has the right sign")
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

    def _where_none_vanishes(self, core: Goal, others: list[sympy.Expr]) -> bool:
        """Ask the solver about a factor where the others are not 0: where one of them is, so is the whole goal."""
        weak = [f for f in others if self.sign(f, core.domain) in (2, -2)]
        if core.strict or not weak:
            return False
        try:
            domain = core.domain
            for f in weak:
                domain = domain.given(gt(f, 0) if self.sign(f, core.domain) == 2 else lt(f, 0))
            if not self.holds(ge(core.expression, 0), domain, _SOLVER_STEPS):
                return False
        except FormulaError:
            return False
        self.log.append(f"{_text(core.expression)} >= 0 by real arithmetic, where the other factors are not 0")
        return True

    def _told_apart(
        self, goal: Goal, found: Sequence[tuple[sympy.Expr, int]], depth: int
    ) -> tuple[int, list[sympy.Expr]] | None:
        """Return the sign of the factors whose sign is known, and the others; None where the goal is not reached so."""
        sign, unknown = 1, []
        for factor, power in found:
            known = self.sign(factor, goal.domain)
            if known not in (1, -1) and power % 2 == 0:
                # Its base may lie on either side of 0, so that its sign must not be asked for below.
                if goal.strict and not self._nonzero(factor, known, goal.domain, depth):
                    return None
                continue
            # A factor that may be 0 has its strict sign still to be shown.
            if known is None or (abs(known) == 2 and goal.strict):
                unknown.append(factor)
                continue
            if power % 2:
                sign *= 1 if known > 0 else -1
        return sign, unknown

    def _nonzero(self, factor: sympy.Expr, known: int | None, domain: Domain, depth: int) -> bool:
        """Return whether a factor was shown to be nowhere 0; `known` is its sign, which says on which side to look."""
        if self.holds(Relation(factor, "!=", sympy.S.Zero), domain):
            return True
        return known is not None and self.show(Goal(factor if known > 0 else -factor, True, domain), depth - 1)

    def _two_together(self, goal: Goal, sign: int, unknown: list[sympy.Expr], depth: int) -> bool:
        """Prove that two factors have the same sign everywhere (the opposite one for a negative `sign`).

        Where the first is >= 0 the second has to be >= 0, where it is <= 0 the second too.
        """
        # The simpler one splits the domain, since its sign becomes an assumption of every question.
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
        # One variable has a complete method; the solver is asked where it does not reach.
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
        if self._by_product(goal, depth):
            return True
        if self._by_logarithms(goal, depth) or self._by_boxes(goal):
            return True
        # A derivative takes a logarithm away, and undoing it makes the other terms worse.
        stepping = [v.symbol for v in goal.domain.variables if v.symbol in free]
        if any(self._by_steps(goal, v, depth) for v in stepping) or (len(free) == 1 and self._far_apart(goal, free[0])):
            return True
        if len(free) > 1 and depth > 1 and any(by_concavity(goal, v, self, depth) for v in free):
            return True
        return any(self._along(goal, v, depth) for v in self._order(goal)) or self._by_one_logarithm(goal, depth)

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
        self.log.append(f"{_text(e)} tends to something >= 0, and falls along steps in {variable}")
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
            self.open.append(f"the signs of {_text(goal.expression)}: {error}")
            return False
        self.log.append(f"{_text(goal.expression)}: its signs follow from those of its derivatives in {variable}")
        return True

    def _by_logarithms(self, goal: Goal, depth: int) -> bool:
        """A - b with positive a and b is like log a - log b, which has no exponentials left.

        The logarithm is increasing, and both are shown to be positive. One of the two is a single term that grows.
        """
        terms = sympy.Add.make_args(goal.expression)
        if len(terms) < 2 or depth <= 0:
            return False
        if len(terms) == 2:
            # Only a difference of two positive terms has a logarithm on each side.
            minus = [t for t in terms if self.sign(t, goal.domain) in (-1, -2)]
            plus = [t for t in terms if self.sign(t, goal.domain) == 1]
            if len(minus) != 1 or len(plus) != 1:
                return False
            above, below = plus[0], -minus[0]
            special = goal.expression.has(sympy.gamma, sympy.factorial, sympy.binomial)
            if not special and not any(_grows(t) for t in (above, below)):
                return False
            # Where the term that is taken away is 0, the other one is left, which is positive.
            domain = self._without_zeros(below, goal.domain)
            return domain is not None and self._compared(replace(goal, domain=domain), above, below, depth)
        # Real arithmetic and derivatives reach what is rational in exponentials.
        if _is_rational_in_exponentials(goal.expression):
            return False
        growing = [t for t in terms if _grows(t)]
        # The term that is hardest to differentiate, against all that is left.
        for term in sorted(growing, key=sympy.count_ops, reverse=True)[:1] if len(terms) <= _MOST_TERMS else ():
            rest = goal.expression - term
            known = self.sign(term, goal.domain)
            if known in (1, -1) and self.sign(rest, goal.domain) == -known:
                above, below = (term, -rest) if known == 1 else (rest, -term)
                return self._compared(goal, above, below, depth)
        return False

    def _without_zeros(self, product: sympy.Expr, domain: Domain) -> Domain | None:
        """Return the part of a domain where a product >= 0 is positive; None where its zeros are not those of bases."""
        for factor in sympy.Mul.make_args(product):
            if self.sign(factor, domain) in (1, -1):
                continue
            base, exponent = factor.as_base_exp()
            # With the exponent 0 a power of 0 is 1.
            if self.sign(base, domain) != 2 or self.sign(exponent, domain) != 1:
                return None
            domain = narrowed(domain.given(gt(base, 0)))
        return domain

    def _compared(self, goal: Goal, above: sympy.Expr, below: sympy.Expr, depth: int) -> bool:
        """Prove that a positive expression is at least another one by their logarithms."""
        positive = self.positive(goal.domain)
        difference = _logarithm(above, positive) - _logarithm(below, positive)
        # The same goal again would be looked at without end.
        if sympy.expand(difference - goal.expression) == 0:
            return False
        return self.show(Goal(difference, goal.strict, goal.domain), depth - 1)

    def _by_product(self, goal: Goal, depth: int) -> bool:
        """Undo several logarithms with integer factors and nothing beside them: a product is at least another one.

        All of their arguments are positive, where they are defined.
        """
        found = _products(goal.expression)
        if found is None:
            return False
        gap = sympy.expand(found[0] - found[1])
        return sympy.count_ops(gap) <= _LONGEST and self.show(Goal(gap, goal.strict, goal.domain), depth - 1)

    def _by_one_logarithm(self, goal: Goal, depth: int) -> bool:
        """Undo a logarithm: `c log a + r >= 0` is like `a >= exp(-r/c)` for a number c > 0, and `a <= ...` for c < 0.

        Both sides of `log a >= -r/c` are real numbers, of which the exponential is an increasing function.
        """
        found = _single_logarithm(goal.expression)
        if found is None:
            return False
        inner, coefficient, rest = found
        undone = sympy.powsimp(sympy.expand(sympy.exp(sympy.expand(-rest / coefficient))))
        # Dividing by a negative coefficient turns the relation around.
        sign = 1 if coefficient > 0 else -1
        gap = sympy.expand(sign * (inner - plain(undone)))
        return sympy.count_ops(gap) <= _LONGEST and self.show(Goal(gap, goal.strict, goal.domain), depth - 1)

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
            self.log.append(f"{_text(goal.expression)} on the whole box, by {boxes} balls")
            return True
        return len(box) == 1 and self._beside_zeros(goal)

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
            self.log.append(f"{_text(goal.expression)}: by its derivatives beside its zeros, and by balls")
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

    # ------------------------------------------------------------------------------------------ ways

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
        if depth <= 1 or len(goal.expression.free_symbols) < 2 or sympy.count_ops(goal.expression) > _LONGEST:
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
        for factor, power in factors(self.tidy(slope, goal.domain)) if sympy.count_ops(slope) < _LONGEST else []:
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
        if (found := _power_of_logarithms(slope, variable)) is not None:
            return roots(found, variable)
        if (found := _by_exponential(slope, variable)) is not None:
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
        difference = sympy.expand(_logarithm(above, positive) - _logarithm(below, positive))
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

    def at_start(self, goal: Goal, variable: sympy.Symbol, start: sympy.Expr) -> Goal | None:
        """The goal at a start of ways along a variable; None if one may leave the domain or the goal may jump there.

        Args:
            goal: A goal that is defined on its domain.
            variable: The variable along which the ways go.
            start: An expression in the other variables.
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


@dataclass(frozen=True)
class _Limit:
    """An end of a range that the variable only tends to."""

    end: Fraction | None
    from_above: bool


def _is_evident(goal: Goal) -> bool:
    """Return whether a goal is a sum of terms >= 0 by their form, one of them positive if the goal is strict.

    Its expression is a real number wherever the assumptions hold, and so is the base of every even power.
    """
    terms = [sympy.Mul.make_args(term) for term in sympy.Add.make_args(goal.expression)]
    if goal.strict and not any(all(_is_positive_by_form(f) for f in factors) for factors in terms):
        return False
    return all(_is_positive_by_form(f) or _is_square(f) for factors in terms for f in factors)


def _is_positive_by_form(factor: sympy.Expr) -> bool:
    """Return whether a real number is positive by its form: a positive rational, or a value of exp."""
    return (factor.is_Rational and factor.is_positive) or isinstance(factor, sympy.exp)


def _is_square(factor: sympy.Expr) -> bool:
    """Return whether a real number is >= 0 by its form: an even power, or an absolute value."""
    if isinstance(factor, sympy.Pow):
        return bool(factor.exp.is_Integer and factor.exp % 2 == 0)
    return isinstance(factor, sympy.Abs)


def _is_rational_but_for_logarithms(e: sympy.Expr) -> bool:
    """Return whether one derivative makes e rational, which clearing its denominators would spoil."""
    logs = e.atoms(sympy.log)
    if not logs or not isinstance(e, sympy.Add):
        return False
    names = {node: sympy.Dummy() for node in logs}
    inside = sympy.expand(e.xreplace(names))
    return all(inside.diff(s).is_number for s in names.values()) and inside.is_rational_function(*inside.free_symbols)


def _is_rational_in_exponentials(e: sympy.Expr) -> bool:
    """Return whether an expression is a rational one of its variables and of exponentials with linear exponents."""
    terms = e.atoms(sympy.exp)
    if not all(t.args[0].diff(s).is_number for t in terms for s in t.args[0].free_symbols):
        return False
    inside = e.xreplace({t: sympy.Dummy("w") for t in terms})
    return bool(inside.is_rational_function(*inside.free_symbols))


def _is_quotient_of_exponentials(e: sympy.Expr) -> bool:
    """Return whether real arithmetic may know the sign of a quotient better than that of a difference of logarithms."""
    sums = any(p.exp.is_negative and isinstance(p.base, sympy.Add) for p in e.atoms(sympy.Pow))
    return sums and _is_rational_in_exponentials(e)


def _is_linear_beside_exponentials(e: sympy.Expr) -> bool:
    """Return whether a variable stands to the first degree beside a quotient of its exponentials, and nowhere else."""
    if not isinstance(e, sympy.Add):
        return False
    for v in sympy.ordered(e.free_symbols):
        terms = {t: t.args[0] / v for t in e.atoms(sympy.exp) if t.has(v)}
        # A rate may be another variable: the derivative has the same exponentials.
        if terms and not any(k.has(v) for k in terms.values()):
            names = {t: sympy.Dummy("w", positive=True) for t in terms}
            inside = e.xreplace(names)
            slope = inside.diff(v)
            if slope != 0 and not slope.has(v, *names.values()) and inside.is_rational_function(*inside.free_symbols):
                return bool(sympy.denom(sympy.together(inside)).has(*names.values()))
    return False


def _single_logarithm(e: sympy.Expr) -> tuple[sympy.Expr, sympy.Rational, sympy.Expr] | None:
    """(a, c, r) with e = c log a + r, where c is a rational number and r has no logarithm; None for another form."""
    logs = e.atoms(sympy.log)
    if len(logs) != 1:
        return None
    log = next(iter(logs))
    # The logarithm of a number is a coefficient here.
    if not log.free_symbols:
        return None
    expanded = sympy.expand(e, log=False)
    coefficient = expanded.coeff(log, 1)
    rest = sympy.expand(expanded - coefficient * log)
    if not coefficient.is_Rational or coefficient == 0 or rest.has(log):
        return None
    return log.args[0], coefficient, rest


def _products(e: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """(a, b) with the sign of a - b that of e, a sum of two or more logarithms with small integer factors; else None.

    At least two of them are of something that varies, and their arguments are polynomials.
    """
    above, below, varying = sympy.S.One, sympy.S.One, 0
    terms = sympy.Add.make_args(sympy.expand(e, log=False))
    scale = sympy.ilcm(1, *(t.as_coeff_Mul(rational=True)[0].q for t in terms))
    for term in terms:
        number, log = (term * scale).as_coeff_Mul(rational=True)
        if not isinstance(log, sympy.log) or abs(number) > _HIGHEST_POWER:
            return None
        inner = log.args[0]
        if not inner.is_polynomial(*inner.free_symbols):
            return None
        varying += bool(inner.free_symbols)
        above, below = (above * inner**number, below) if number > 0 else (above, below * inner**-number)
    return (above, below) if varying > 1 else None


def _by_exponential(slope: sympy.Expr, variable: sympy.Symbol) -> tuple[sympy.Expr, ...] | None:
    """The zero of an expression of the first degree in one exponential, which is all that the variable stands in."""
    terms = sorted((t for t in slope.atoms(sympy.exp) if t.has(variable)), key=sympy.default_sort_key)
    rates = [sympy.expand(t.args[0]).coeff(variable, 1) for t in terms]
    if len(terms) != 1 or rates[0].has(variable) or sympy.expand(terms[0].args[0] - rates[0] * variable) != 0:
        return None
    w = sympy.Dummy("w", positive=True)
    inside = sympy.expand(slope.xreplace({terms[0]: w}))
    share = inside.coeff(w, 1)
    rest = sympy.expand(inside - share * w)
    if share == 0 or rest.has(w, variable) or share.has(w, variable):
        return None
    return (sympy.log(sympy.factor(-rest / share)) / rates[0],)


def _power_of_logarithms(slope: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr | None:
    """An expression that vanishes where a sum of logarithms with equal coefficients up to sign, and a number, does."""
    expanded = sympy.expand(slope)
    logs = sorted((n for n in expanded.atoms(sympy.log) if n.has(variable)), key=str)
    shares = [expanded.coeff(n, 1) for n in logs]
    if len(logs) < 2 or not all(s.is_Rational and abs(s) == abs(shares[0]) and s != 0 for s in shares):
        return None
    rest = sympy.expand(expanded - sympy.Add(*(s * n for s, n in zip(shares, logs, strict=True))))
    if rest.has(variable):
        return None
    product = sympy.Mul(*(n.args[0] ** (s / abs(s)) for s, n in zip(shares, logs, strict=True)))
    return sympy.numer(sympy.together(product - sympy.exp(-rest / abs(shares[0]))))


def _sides(domain: Domain) -> list[sympy.Expr]:
    """Return the sides of all assumptions, whose terms are defined wherever these hold."""
    return [side for r in domain.extra for side in (r.lhs, r.rhs)]


def _grows(term: sympy.Expr) -> bool:
    """Return whether a term has an exponential, or a power with an exponent that is no number, outside of logarithms.

    An exponential within a logarithm stays there: the logarithm of the term would be one of a logarithm.
    """
    outside = term.xreplace({n: sympy.Dummy() for n in sympy.ordered(term.atoms(sympy.log))})
    return any(p.exp.free_symbols for p in outside.atoms(sympy.Pow, sympy.exp) if hasattr(p, "exp"))


def _logarithm(e: sympy.Expr, positive: Positive) -> sympy.Expr:
    """Return the logarithm of a positive product as a sum, as far as its factors are positive."""
    total = sympy.S.Zero
    for factor in sympy.Mul.make_args(sympy.factor_terms(e)):
        base, exponent = factor.as_base_exp()
        if base is sympy.E:
            total += exponent
        else:
            total += exponent * split_logarithms(sympy.log(base), positive)
    return total


def _text(e: sympy.Expr) -> str:
    """Return an expression for the log, cut where it is long."""
    text = str(e)
    return text if len(text) < 80 else text[:77] + "..."


def _short(goal: Goal) -> str:
    """Return a goal for the log."""
    return _text(goal.expression) + (" > 0" if goal.strict else " >= 0")
