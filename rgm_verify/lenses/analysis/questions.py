"""Questions of a search about one expression: whether it is defined, its sign, what a solver and floats say of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

import numpy as np
import sympy

from rgm_verify.balls.enclose import sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.claim import real
from rgm_verify.claims.formula import FormulaError, Relation, ge, gt, is_constant, le, lt
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign
from rgm_verify.lenses.analysis.asymptotics.kernels import Positive, plain, split_logarithms
from rgm_verify.lenses.analysis.facts import implied
from rgm_verify.lenses.analysis.floats import POINTS, drawn, floats
from rgm_verify.lenses.analysis.forms import LONGEST, sides
from rgm_verify.lenses.analysis.goals import Domain, Goal
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

_T = TypeVar("_T")
# Budgets are counts, so that the same claim has the same proof on every machine.
SOLVER_STEPS = 150_000
_QUICK_STEPS = 40_000
_MOST_GOALS = 80
_MOST_QUERIES = 240
#: What a search may cost: operations of the expressions that it looks at, and so many for each question to a solver.
_EFFORT = 5_000
_QUESTION = 12
#: The share of a budget for a first look.
_BRIEF = 0.25
#: Bits for a failure at a point.
_BITS = 256


@dataclass
class Questions(ABC):
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

    @abstractmethod
    def show(self, goal: Goal, depth: int | None = None) -> bool:
        """Return whether a goal was shown."""

    # ------------------------------------------------------------------------------------------ budgets

    def within(self, share: float, attempt: Callable[[], _T]) -> _T:
        """The result of an attempt that may cost a share of the budget; the rest is kept for others.

        Args:
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

    # ------------------------------------------------------------------------------------------ definedness

    def defined(self, e: sympy.Expr, domain: Domain) -> bool:
        """Return whether every term of an expression was shown to be a real number on the domain."""
        return not self.undefined(e, domain)

    def undefined(self, e: sympy.Expr, domain: Domain) -> str:
        """The first term of an expression that was not shown to be a real number on the domain; empty if all were."""
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

    # ------------------------------------------------------------------------------------------ signs

    def holds(self, relation: Relation, domain: Domain, steps: int = _QUICK_STEPS) -> bool:
        """Return whether the solver shows a relation, whose sides are defined on the domain.

        Args:
            relation: A relation whose sides are defined on the domain.

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
        return implied(domain.formulas, relation, [relation.lhs, relation.rhs, *sides(domain)], steps)

    def sign(self, e: sympy.Expr, domain: Domain) -> int | None:
        """The sign that e has on the whole domain: 1 and -1 strictly, 2 for >= 0, -2 for <= 0, None if not seen.

        Args:
            e: An expression that is defined on the domain.
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
        """The predicate that the solver shows something to be positive on the domain."""
        return lambda e: self.sign(e, domain) == 1

    def tidy(self, e: sympy.Expr, domain: Domain) -> sympy.Expr:
        """Return an equal expression with its logarithms taken apart where the domain allows it."""
        # Left as it is, which is no error: tidying is there to make rules apply more often.
        if sympy.count_ops(e) > LONGEST:
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
