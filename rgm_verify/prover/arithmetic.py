"""Relations: from any relation to one between polynomials, and each kind of these by its own ways."""

from __future__ import annotations

from rgm_verify.kernel.check import implies
from rgm_verify.kernel.terms import FALSE, ONE, Formula, Poly, Refused, Rel
from rgm_verify.prover.budget import GivenUp
from rgm_verify.prover.inequalities import Inequalities
from rgm_verify.prover.polynomials import cofactors_of, divide, factored
from rgm_verify.prover.state import ORDERED, Steps, text

__all__ = ["Arithmetic"]


class Arithmetic(Inequalities):
    """A search that closes a relation by arithmetic."""

    def relation(self, goal: Formula, depth: int) -> Steps:
        """Close a goal that is a relation (or FALSE) by arithmetic.

        Denominators are cleared first, then rules are applied, then exponentials get exponents >= 0: what is left is a
        polynomial relation over atoms.

        Args:
            goal: A relation, or FALSE.

        Raises:
            GivenUp: Where the sign of a denominator is not shown, or arithmetic finds nothing.
        """
        steps: Steps = []
        if goal == FALSE:
            return steps + self.refute(None, depth)
        for _ in range(40):
            inverse = self.outermost(goal[1])
            if inverse is None:
                break
            q = self.argument(inverse)
            sign = self.sign(steps, q, ordered=goal[2] in ORDERED)
            if sign is None:
                raise GivenUp(f"the sign of {self.tree(q)}")
            if goal[2] in ORDERED and not implies(self.k.facts[sign], Rel(q, ">")):
                q = self.k.terms.add({}, q, -1)
            goal = self.k.cleared(goal, self.data(q), sign)
            steps.append(["clear_goal", self.data(q), sign])
        simpler, cofactors = self.rewrite(goal[1])
        if cofactors:
            at = self.have_solved(steps, Rel(simpler, goal[2]), depth)
            # The rewritten relation is proved beside, since the kernel has no step that rewrites a goal.
            return steps + self._restore(at, cofactors, goal)
        negative = self.negative(goal[1])
        if negative and goal[2] != "!=":
            return steps + self.without_negative(goal, negative, depth)
        return steps + self.arithmetic(goal, depth)

    def without_negative(self, goal: Formula, negative: list[tuple[int, int]], depth: int) -> Steps:
        """Prove the goal times exponentials, and divide by them again.

        Args:
            goal: A relation other than `!=`.
            negative: Atoms and exponents, as `negative` returns them.
        """
        steps: Steps = []
        raised = self.k.terms.multiply(goal[1], {tuple(negative): 1})
        at = self.have_solved(steps, Rel(raised, goal[2]), depth)
        if goal[2] == "==":
            undone = {tuple((a, -e) for a, e in negative): 1}
            last = self.emit(steps, "sum", [], [[at, self.data(undone)]])
            return [*steps, ["end", last]]
        refs = []
        for atom, exponent in negative:
            key = dict(self.k.terms.atoms[atom][1])
            # Dividing by exp(x) is multiplying by exp(-x), which is positive by the rule.
            first = self.emit(steps, "exp", self.data(self.k.terms.add({}, key, -1))) - 1
            refs += [first] * exponent
        last = self.emit(steps, "sum", [[1, [at, *refs], []]], [])
        return [*steps, ["end", last]]

    def have_solved(self, steps: Steps, goal: Formula, depth: int) -> int:
        """Prove a relation and keep it; return the number of its fact.

        Unlike `shown` it does not take no for an answer.

        Raises:
            GivenUp: Where it was not proved.
        """
        facts, rewrites, seen = len(self.k.facts), list(self.rewrites), set(self._seen)
        try:
            proof = self.relation(goal, depth + 1)
        finally:
            del self.k.facts[facts:]
            self.rewrites, self._seen = rewrites, seen
        return self.have(steps, goal, proof)

    def _restore(self, at: int, cofactors: dict[int, Poly], goal: Formula) -> Steps:
        """Return steps that lead from the rewritten relation back to the goal.

        Args:
            at: The number of the fact that says the rewritten relation.
            cofactors: What each equation was multiplied by.
        """
        steps: Steps = []
        multiples = [[ref, self.data(c)] for ref, c in cofactors.items() if c]
        if goal[2] == "!=":
            raise GivenUp("a disequation after rewriting")
        if goal[2] == "==":
            multiples.append([at, self.data({ONE: 1})])
            last = self.emit(steps, "sum", [], multiples)
        else:
            last = self.emit(steps, "sum", [[1, [at], []]], multiples)
        return [*steps, ["end", last]]

    def arithmetic(self, goal: Formula, depth: int) -> Steps:
        """Close a relation between polynomials.

        The ways are tried from the one that makes the shortest proofs to the one with the most cases.

        Raises:
            GivenUp: With the polynomial, shortened: "it need not hold" where z3 has values of the atoms for which it
                fails, "no certificate" where nobody knows.
        """
        _, poly, op = goal
        ref = self.known(goal)
        if ref is not None:
            return [["end", ref]]
        if not poly.keys() - {ONE}:
            return self.constant(goal)
        # A constant has a sign that an enclosure tells.
        if not self.variables(poly):
            found = self.attempt(lambda: self.numeric(goal))
            if found is not None:
                return found
        if op == "==":
            return self.equation(poly, depth)
        if op == "!=":
            return self.disequation(poly, depth)
        if self.guess(goal) is False:
            raise GivenUp(f"it need not hold: {str(self.tree(poly))[:200]}")
        ways = (self.by_known, self.by_factors, self.refuted, self.by_square, self.by_cases, self.by_sums_of_squares)
        for way in ways:
            found = self.attempt(lambda way=way: way(goal, depth))  # type: ignore[misc]
            if found is not None:
                return found
        raise GivenUp(f"no certificate: {str(self.tree(poly))[:200]} {op} 0")

    def variables(self, poly: Poly) -> bool:
        """Return whether a polynomial contains a variable."""
        return any(self.k.terms.atoms[a][0] == "var" for a in self.atoms([Rel(poly, "==")]))

    # ---------------------------------------------------------------------------------------------- by kind

    def constant(self, goal: Formula) -> Steps:
        """Prove a relation between numbers, `!=` by the sign of the number.

        Raises:
            GivenUp: For a false relation.
        """
        value = goal[1].get(ONE, 0)
        if goal[2] == "==" and not value:
            steps: Steps = []
            return [*steps, ["sum", [], []], ["end", len(self.k.facts)]]
        if goal[2] in ORDERED and (value > 0 or (value == 0 and goal[2] == ">=")):
            return [["sum", [[text(value), [], []]], []], ["end", len(self.k.facts)]]
        if goal[2] == "!=" and value:
            return [["sum", [[text(abs(value)), [], []]], []], ["end", len(self.k.facts)]]
        raise GivenUp("a false relation between numbers")

    def numeric(self, goal: Formula) -> Steps:
        """Prove the sign of a constant by an enclosure.

        64 bits tell most signs, and 256 what nearly cancels.
        """
        for bits in (64, 256):
            steps: Steps = []
            try:
                last = self.emit(steps, "number", self.data(goal[1]), bits)
            except Refused:
                continue
            if implies(self.k.facts[last], goal):
                return [*steps, ["end", last]]
        raise GivenUp("a constant whose sign was not found")

    def equation(self, poly: Poly, depth: int) -> Steps:
        """Prove p = 0 by multiples of known equations, or by two inequalities.

        Two inequalities make an equation: the third case of the sign contradicts one of them.

        Args:
            poly: The polynomial p.
        """
        equations = [
            (r, f[1]) for r, f in enumerate(self.k.facts) if f[0] == "rel" and f[2] == "==" and len(f[1]) <= 60
        ]
        if equations:
            found = cofactors_of(poly, equations)
            if found is not None:
                steps: Steps = []
                last = self.emit(steps, "sum", [], [[r, self.data(c)] for r, c in found.items() if c])
                return [*steps, ["end", last]]
        opposite = self.k.terms.add({}, poly, -1)
        if self.guess(Rel(poly, "==")) is False or self.vanishes_nowhere(poly):
            raise GivenUp(f"no equation: {str(self.tree(poly))[:200]}")
        steps = []
        first = self.have_solved(steps, Rel(poly, ">="), depth)
        second = self.have_solved(steps, Rel(opposite, ">="), depth)
        steps.append(["suppose"])
        base = len(self.k.facts)  # the supposed p != 0; then come the three cases, and the one of them
        above = [["sum", [[1, [second], []], [1, [base + 2], []]], []], ["end", base + 3]]
        below = [["sum", [[1, [first], []], [1, [base + 2], []]], []], ["end", base + 3]]
        steps += [["sign", self.data(poly)], ["cases", base + 1, [above, [["end", base + 2, base]], below]]]
        return steps

    def vanishes_nowhere(self, poly: Poly) -> bool:
        """Return whether no fact could make a polynomial 0: there is no equation and no pair of bounds."""
        return not any(f[0] == "rel" and f[2] in ("==", ">=") for f in self.k.facts)

    def disequation(self, poly: Poly, depth: int) -> Steps:
        """Prove p != 0 by its sign, or factor by factor.

        A polynomial with a sign is not 0; else each factor must not be. The proof supposes p = 0 and divides by one
        factor after the other, until a number that is not 0 is said to be 0.
        """
        for goal in (Rel(poly, ">"), Rel(self.k.terms.add({}, poly, -1), ">")):
            if self.guess(goal):
                steps: Steps = []
                at = self.have_solved(steps, goal, depth)
                return [*steps, ["end", at]]
        factors = factored(poly)
        steps = [["suppose"]]
        self.k.assume(Rel(poly, "=="))
        at = len(self.k.facts) - 1
        for factor, exponent in factors:
            for _ in range(exponent):
                ref = self.known(Rel(factor, "!="))
                if ref is None:
                    ref = self.sign(steps, factor)
                if ref is None:
                    raise GivenUp("a factor that may be 0")
                divisor = self.k.facts[ref][1]
                if divide(self.k.facts[at][1], divisor) is None:
                    raise GivenUp("a factor that does not divide")
                # The equation times 1/q, less the rest times q (1/q) - 1.
                first = self.emit(steps, "inv", self.data(divisor), ref)
                at = self.quotient_fact(steps, at, divisor, first)
        return [*steps, ["end", at]]

    def quotient_fact(self, steps: Steps, at: int, divisor: Poly, after: int) -> int:
        """State p / q = 0 from p = 0 and the equation q (1/q) = 1.

        Args:
            at: The number of the fact p = 0.
            divisor: The polynomial q, which divides p.
            after: Where the equation was stated; it is looked for among all facts.

        Returns:
            The number of the new fact.
        """
        inverse = self.k.terms.inverse(divisor)
        one = self.k.terms.add(self.k.terms.multiply(divisor, inverse), {ONE: 1}, -1)
        same = self.known(Rel(one, "=="))
        rest = divide(self.k.facts[at][1], divisor)
        if same is None or rest is None:
            raise GivenUp("a quotient")
        minus = self.data(self.k.terms.add({}, rest, -1))
        return self.emit(steps, "sum", [], [[at, self.data(inverse)], [same, minus]])
