"""Products and logarithms: the signs of factors, logarithms of both sides, and a case for each sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sympy

from rgm_verify.claims.formula import FormulaError, Relation, ge, gt, le, lt
from rgm_verify.lenses.analysis.asymptotics.kernels import plain
from rgm_verify.lenses.analysis.forms import (
    LONGEST,
    grows,
    is_rational_in_exponentials,
    logarithm,
    products_of,
    single_logarithm,
    text,
)
from rgm_verify.lenses.analysis.goals import Domain, Goal, narrowed
from rgm_verify.lenses.analysis.questions import SOLVER_STEPS
from rgm_verify.lenses.analysis.ranges import Ranges

#: Sums of more terms are not compared by logarithms.
_MOST_TERMS = 8


class Products(Ranges):
    """A search that takes products and sums of logarithms apart."""

    # ------------------------------------------------------------------------------------------ factors

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

    def _where_none_vanishes(self, core: Goal, others: list[sympy.Expr]) -> bool:
        """Ask the solver about a factor where the others are not 0: where one of them is, so is the whole goal."""
        weak = [f for f in others if self.sign(f, core.domain) in (2, -2)]
        if core.strict or not weak:
            return False
        try:
            domain = core.domain
            for f in weak:
                domain = domain.given(gt(f, 0) if self.sign(f, core.domain) == 2 else lt(f, 0))
            if not self.holds(ge(core.expression, 0), domain, SOLVER_STEPS):
                return False
        except FormulaError:
            return False
        self.log.append(f"{text(core.expression)} >= 0 by real arithmetic, where the other factors are not 0")
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

    # ------------------------------------------------------------------------------------------ logarithms

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
            if not special and not any(grows(t) for t in (above, below)):
                return False
            # Where the term that is taken away is 0, the other one is left, which is positive.
            domain = self._without_zeros(below, goal.domain)
            return domain is not None and self._compared(replace(goal, domain=domain), above, below, depth)
        # Real arithmetic and derivatives reach what is rational in exponentials.
        if is_rational_in_exponentials(goal.expression):
            return False
        growing = [t for t in terms if grows(t)]
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
        difference = logarithm(above, positive) - logarithm(below, positive)
        # The same goal again would be looked at without end.
        if sympy.expand(difference - goal.expression) == 0:
            return False
        return self.show(Goal(difference, goal.strict, goal.domain), depth - 1)

    def _by_product(self, goal: Goal, depth: int) -> bool:
        """Undo several logarithms with integer factors and nothing beside them: a product is at least another one.

        All of their arguments are positive, where they are defined.
        """
        found = products_of(goal.expression)
        if found is None:
            return False
        gap = sympy.expand(found[0] - found[1])
        return sympy.count_ops(gap) <= LONGEST and self.show(Goal(gap, goal.strict, goal.domain), depth - 1)

    def _by_one_logarithm(self, goal: Goal, depth: int) -> bool:
        """Undo a logarithm: `c log a + r >= 0` is like `a >= exp(-r/c)` for a number c > 0, and `a <= ...` for c < 0.

        Both sides of `log a >= -r/c` are real numbers, of which the exponential is an increasing function.
        """
        found = single_logarithm(goal.expression)
        if found is None:
            return False
        inner, coefficient, rest = found
        undone = sympy.powsimp(sympy.expand(sympy.exp(sympy.expand(-rest / coefficient))))
        # Dividing by a negative coefficient turns the relation around.
        sign = 1 if coefficient > 0 else -1
        gap = sympy.expand(sign * (inner - plain(undone)))
        return sympy.count_ops(gap) <= LONGEST and self.show(Goal(gap, goal.strict, goal.domain), depth - 1)
