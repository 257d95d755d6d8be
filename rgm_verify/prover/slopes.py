"""Taylor's formula: an inequality from a start, by the signs of slopes on the way."""

from __future__ import annotations

from typing import Any

from rgm_verify.kernel.calculus import conditions, derivative, substitute
from rgm_verify.kernel.check import BETWEEN, implies
from rgm_verify.kernel.terms import ONE, Formula, Rel, Tree
from rgm_verify.prover.arithmetic import Arithmetic
from rgm_verify.prover.budget import GivenUp
from rgm_verify.prover.state import Steps

__all__ = ["Slopes"]


class Slopes(Arithmetic):
    """A search that proves inequalities along a way, by the mean value theorem."""

    def along(
        self, goal: Formula, gap: Tree, name: str, start: Tree, order: int, case: Formula, end: Tree = None
    ) -> Steps:
        """Prove the goal where `end` (the variable, unless given) is on one side of the start: by the sign of a slope.

        With an order above 1, the sign of the slope is proved in the same way, between the start and the point of the
        mean value theorem.

        Args:
            goal: The relation to prove of `gap` at `end`.
            gap: An expression of the variable, as a tree.
            order: How many derivatives may be taken.
            case: A known relation that says on which side of the start `end` lies.

        Raises:
            GivenUp: Where the expression was not shown to be smooth, or a sign is missing.
        """
        steps: Steps = []
        poly, add = self.k.terms.poly, self.k.terms.add
        end = ["var", name] if end is None else end
        apart, way = self.known(case), add(poly(end), poly(start), -1)
        forward = case[1] == way
        slope = derivative(gap, name)
        proof, between = self.smooth(gap, name, (start, end) if forward else (end, start))
        self.emit(steps, "mean", gap, name, start, end, apart, proof)
        # The step states an equation and where its new point lies: three facts.
        equation = len(self.k.facts) - 3
        products: list[Any] = []
        first = poly(substitute(gap, {name: start}))
        if first:
            self.axioms(steps, [Rel(first, ">=")])
            products.append([1, [self.have_solved(steps, Rel(first, ">="), 3)], []])
        # To the left of the start the way is negative, and so must the slope be.
        turned = slope if forward else ["mul", "-1", slope]
        value = Rel(poly(substitute(turned, {name: between})), goal[2])
        self.axioms(steps, [value])
        if order > 1:
            side = add(poly(between), poly(start), -1)
            nearer = Rel(side if forward else add({}, side, -1), ">")
            facts = len(self.k.facts)
            inner = self.along(value, turned, name, start, order - 1, nearer, between)
            del self.k.facts[facts:]
            last = self.have(steps, value, inner)
        else:
            last = self.have_solved(steps, value, 3)
        products.append([1, [last, self.known(case)], []])
        at = self.emit(steps, "sum", products, [[equation, self.data({ONE: 1})]])
        if not implies(self.k.facts[at], goal):
            raise GivenUp("the mean value theorem does not give the goal")
        return [*steps, ["end", at]]

    def smooth(self, gap: Tree, name: str, ends: tuple[Tree, Tree]) -> tuple[Steps, Tree]:
        """Return a proof that a tree is smooth between two ends, and the point that the next step adds.

        Smoothness is asked at a point between the ends of which nothing else is known, both ends included, as the
        kernel asks for it. The point has the name that the kernel will give it.

        Args:
            ends: The lower end and the upper one.

        Raises:
            GivenUp: Where a condition was not shown.
        """
        between = ["var", f"{BETWEEN}{self.k.fresh + 1}"]
        self.k.terms.variables.add(between[1])
        low, w, high = map(self.k.terms.poly, (ends[0], between, ends[1]))
        facts = len(self.k.facts)
        # A use of the theorem inside of this proof has to take another name.
        self.k.fresh += 1
        self.k.facts += [Rel(self.k.terms.add(w, low, -1), ">="), Rel(self.k.terms.add(high, w, -1), ">=")]
        goal = self.k.open([self.k.formula(substitute(c, {name: between})) for c in conditions(gap, name)])
        proof = [] if goal == ("and", ()) else self.attempt(lambda: self.solve(goal))
        del self.k.facts[facts:]
        self.k.fresh -= 1
        if proof is None:
            raise GivenUp("it was not shown to be smooth")
        return proof, between
