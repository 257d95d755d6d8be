"""Inequalities between polynomials: by a known one, by factors, by a square, and by cases of an atom."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rgm_verify.kernel.check import absurd, implies
from rgm_verify.kernel.terms import ONE, Formula, Poly, Rel
from rgm_verify.prover.budget import GivenUp
from rgm_verify.prover.combinations import Combinations
from rgm_verify.prover.polynomials import divide, factored
from rgm_verify.prover.state import HIDDEN, ORDERED, Steps, text

__all__ = ["Inequalities"]


class Inequalities(Combinations):
    """A search that closes p >= 0 and p > 0 for a polynomial p over atoms."""

    def by_known(self, goal: Formula, depth: int) -> Steps:
        """Prove a multiple of a known inequality, where the factor has a sign.

        Facts are tried from the last to the first, since what was shown on the way to a goal is the likeliest to divide
        it.
        """
        _, poly, op = goal
        own = {a for m in poly for a, _ in m}
        for ref in range(len(self.k.facts) - 1, -1, -1):
            fact = self.k.facts[ref]
            # A fact with one term is a bound, which the linear program multiplies by itself.
            if fact[0] != "rel" or fact[2] not in ORDERED or len(fact[1]) < 2 or (op == ">" and fact[2] == ">="):
                continue
            atoms = {a for m in fact[1] for a, _ in m}
            # A divisor has no atom that the product does not have.
            if not atoms <= own or len(fact[1]) > len(poly):
                continue
            quotient = divide(poly, fact[1])
            if quotient is None:
                continue
            part = Rel(quotient, op)
            if not quotient.keys() - {ONE}:
                if quotient.get(ONE, 0) > 0:
                    return [["end", ref]] if implies(fact, goal) else self._scaled(ref, quotient[ONE])
                continue
            if self.guess(part) is False:
                continue
            proof = self.attempt(lambda part=part: self.arithmetic(part, depth + 1))  # type: ignore[misc]
            if proof is not None:
                steps: Steps = []
                factor = self.have(steps, part, proof)
                last = self.emit(steps, "sum", [[1, [ref, factor], []]], [])
                return [*steps, ["end", last]]
        raise GivenUp("no known inequality divides it")

    def _scaled(self, ref: int, factor: Any) -> Steps:
        """Return steps for a positive multiple of a fact."""
        steps: Steps = []
        last = self.emit(steps, "sum", [[text(factor), [ref], []]], [])
        return [*steps, ["end", last]]

    def by_factors(self, goal: Formula, depth: int) -> Steps:
        """Prove a product of factors from the signs of the factors.

        A factor with an even exponent is a square; any other one is proved to be >= 0, or its negative is.

        Raises:
            GivenUp: For an irreducible polynomial, a factor without a sign, and signs that multiply to the wrong one.
        """
        _, poly, op = goal
        factors = factored(poly)
        if not factors or (len(factors) == 1 and factors[0][1] == 1):
            raise GivenUp("irreducible")
        sign = 1
        # One term is enough to compare, as the two can differ by a factor alone.
        leading = self.k.terms.key(poly)[-1]
        product: Poly = {ONE: 1}
        refs: list[int] = []
        squares: list[Any] = []
        steps: Steps = []
        for factor, exponent in factors:
            # For a strict goal the square has to be positive, and its factor needs a sign.
            if exponent % 2 == 0 and op == ">=":
                squares += [self.data(factor)] * (exponent // 2)
                product = self.k.terms.multiply(product, self.k.terms.power(factor, exponent))
                continue
            wanted = ">" if op == ">" else ">="
            for side in (1, -1):
                value = self.k.terms.add({}, factor, side)
                part = Rel(value, wanted)
                if self.known(part) is None and not self.guess(part):
                    continue
                ref = self.known(part)
                if ref is None:
                    proof = self.attempt(lambda part=part: self.arithmetic(part, depth + 1))  # type: ignore[misc]
                    if proof is None:
                        raise GivenUp("the sign of a factor")
                    ref = self.have(steps, part, proof)
                refs += [ref] * exponent
                product = self.k.terms.multiply(product, self.k.terms.power(self.k.facts[ref][1], exponent))
                break
            else:
                raise GivenUp("a factor without a sign")
        monomial = leading[0]
        # The product of what was shown, and the polynomial, differ by a number: its sign decides.
        ratio = Fraction(leading[1]) / product[monomial]
        if ratio * sign <= 0:
            raise GivenUp("the factors have the wrong sign")
        last = self.emit(steps, "sum", [[text(ratio), refs, squares]], [])
        return [*steps, ["end", last]]

    def by_square(self, goal: Formula, depth: int) -> Steps:
        """4 A p = (2 A x + B)^2 + (4 A C - B^2) where p is A x^2 + B x + C with A > 0.

        The discriminant decides a quadratic: with A > 0 and 4 A C - B^2 >= 0 it is >= 0 everywhere. A, B and C may hold
        other atoms; each atom of degree 2 is tried as x.
        """
        _, poly, op = goal
        for x in sorted({a for m in poly for a, _ in m}):
            coefficients: dict[int, Poly] = {}
            for m, c in poly.items():
                powers = dict(m)
                e = powers.pop(x, 0)
                coefficients.setdefault(e, {})[tuple(sorted(powers.items()))] = c
            if max(coefficients) != 2 or min(coefficients) < 0 or 1 not in coefficients:
                continue
            a, b, c0 = coefficients[2], coefficients[1], coefficients.get(0, {})
            mul, add = self.k.terms.multiply, self.k.terms.add
            gap = add(mul(add({}, a, 4), c0), mul(b, b), -1)
            # Two guesses are cheaper than one search for a sign that is not there.
            if self.guess(Rel(a, ">")) is False or self.guess(Rel(gap, op)) is False:
                continue
            steps: Steps = []
            above = self.shown(steps, Rel(a, ">"))
            if above is None and not self.k.evident(Rel(a, ">")):
                continue
            proof = self.attempt(lambda gap=gap: self.arithmetic(Rel(gap, op), depth + 1))  # type: ignore[misc]
            if proof is None:
                continue
            ref = self.have(steps, Rel(gap, op), proof)
            square = add(mul(add({}, a, 2), {((x, 1),): 1}), b)
            last = self.emit(steps, "sum", [[1, [ref], []], [1, [], [self.data(square)]]], [])
            if a.keys() - {ONE}:
                four = self.emit(steps, "sum", [[4, [above], []]], [])
                return [*steps, *self.divided_by(goal, last, four)]
            return [*steps, ["end", last]]
        raise GivenUp("no square to complete")

    def divided_by(self, goal: Formula, product: int, divisor: int) -> Steps:
        """Prove p >= 0 (or > 0) from M p >= 0 (or > 0) and M > 0: the opposite times M contradicts it."""
        steps: Steps = [["suppose"]]
        self.k.assume(self.k.negate(goal))
        opposite = len(self.k.facts) - 1
        last = self.emit(steps, "sum", [[1, [product], []], [1, [divisor, opposite], []]], [])
        if not absurd(self.k.facts[last]):
            raise GivenUp("no division")
        return [*steps, ["end", last]]

    def by_cases(self, goal: Formula, depth: int) -> Steps:
        """Distinguish whether a nonnegative atom is 0 or positive.

        With the atom gone, or with its sign strict, a combination may exist that has to fail in general.

        Raises:
            GivenUp: Where no atom helps, and more than eight goals deep: cases of cases double with each.
        """
        if depth > 8:
            raise GivenUp("too many cases")
        atoms = sorted({a for m in goal[1] for a, _ in m})
        for atom in atoms:
            value: Poly = {((atom, 1),): 1}
            if self.known(Rel(value, ">=")) is None or self.known(Rel(value, ">")) is not None:
                # A positive atom has no other case, and one without a bound three.
                continue
            positive = self.attempt(lambda value=value: self._case_then(Rel(value, ">"), goal, depth))  # type: ignore[misc]
            if positive is None:
                continue
            zero = self.attempt(lambda value=value: self._case_then(Rel(value, "=="), goal, depth))  # type: ignore[misc]
            if zero is None:
                continue
            ref = self.known(Rel(value, ">="))
            base = len(self.k.facts)
            # The kernel has three cases for a sign, and the third contradicts what is known of the atom.
            below = [["sum", [[1, [ref], []], [1, [base + 1], []]], []], ["end", base + 2]]
            return [["sign", self.data(value)], ["cases", base, [positive, zero, below]]]
        raise GivenUp("no case helps")

    def _case_then(self, case: Formula, goal: Formula, depth: int) -> Steps:
        """Prove the goal where an atom is 0, or where it is positive."""
        self.k.facts.append(HIDDEN)
        self.k.assume(case)
        if case[2] == "==":
            ref = len(self.k.facts) - 1
            ((monomial, _),) = case[1].items()
            # First among the rules: an atom that is 0 takes the most away.
            self.rewrites.insert(0, (ref, monomial[0][0], 1))
            return self.relation(goal, depth + 2)
        steps: Steps = []
        self.clear_facts(steps)
        return steps + self.arithmetic(goal, depth + 2)
