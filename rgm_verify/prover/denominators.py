"""Denominators, rewriting by equations, and exponents below 0: from facts to polynomial facts over atoms."""

from __future__ import annotations

from fractions import Fraction

from rgm_verify.kernel.check import implies
from rgm_verify.kernel.terms import ONE, Formula, Monomial, Poly, Rel
from rgm_verify.prover.state import ORDERED, State, Steps

__all__ = ["Denominators"]


class Denominators(State):
    """A search that clears denominators whose sign it shows, and applies rewriting rules to facts."""

    # ---------------------------------------------------------------------------------------------- signs

    def argument(self, inverse: int) -> Poly:
        """Return x for an atom 1/x."""
        return dict(self.k.terms.atoms[inverse][1])

    def outermost(self, poly: Poly) -> int | None:
        """Return a reciprocal of the polynomial that stands in no other one's argument; None without a reciprocal.

        Denominators are cleared from the outside: an inner one comes to light as the outer ones go.
        """
        present = {a for m in poly for a, _ in m if self.k.terms.atoms[a][0] == "inv"}
        for atom in sorted(present):
            inside = {b for other in present - {atom} for b in self.atoms([Rel(self.argument(other), "==")])}
            if atom not in inside:
                return atom
        return None

    def sign(self, steps: Steps, q: Poly, *, ordered: bool = False) -> int | None:
        """Return a fact that says q > 0 or q < 0, or else (unless `ordered`) q != 0; it is looked for and proved.

        Args:
            q: A polynomial.
            ordered: Whether q != 0 is not enough.
        """
        signs = (Rel(q, ">"), Rel(self.k.terms.add({}, q, -1), ">"))
        for goal in signs:
            ref = self.known(goal)
            if ref is not None and self.k.facts[ref][0] == "rel":
                return ref
        # A sign that was looked for in vain is not looked for again before there are new facts.
        mark = ("sign", self.k.terms.key(q), len(self.k.facts))
        if mark not in self._seen:
            self._seen.add(mark)
            for goal in signs:
                ref = self.shown(steps, goal) if self.guess(goal) is not False else None
                if ref is not None:
                    return ref
        # For an inequality q != 0 is of no use: multiplied by a negative q it would turn.
        if ordered:
            return None
        ref = self.known(Rel(q, "!="))
        return self.shown(steps, Rel(q, "!=")) if ref is None else ref

    def shown(self, steps: Steps, goal: Formula) -> int | None:
        """Return a fact that says the goal, proving it if need be; None if no proof was found.

        None also stands for a goal that is evident to the kernel, such as a relation between numbers. Whoever needs to
        tell the two apart asks `self.k.evident`.

        Args:
            steps: The proof so far, to which a proof of the goal is added.
        """
        ref = self.known(goal)
        if ref is not None or self.k.evident(goal):
            return ref
        mark = ("shown", goal[2], self.k.terms.key(goal[1]), len(self.k.facts))
        if mark in self._seen:
            return None
        self._seen.add(mark)
        # z3 has a model of the facts in which it fails: over atoms, so that it may still hold, but
        # arithmetic will not show it.
        if self.guess(goal) is False:
            return None
        proof = self.attempt(lambda: self.quick(goal))
        return None if proof is None else self.have(steps, goal, proof)

    def quick(self, goal: Formula) -> Steps:
        """Prove a side condition.

        It starts at depth 6, so that a condition gets less of the search than a goal, and conditions of conditions soon
        end.
        """
        steps: Steps = []
        self.axioms(steps, [goal])
        return steps + self.relation(goal, 6)

    # ---------------------------------------------------------------------------------------------- facts

    def clear_facts(self, steps: Steps) -> None:
        """Multiply relations by the denominators whose sign is known, and by exponentials of negative exponent.

        New facts are looked at as well, since the list grows while it is gone through. Facts of more than 400 terms
        stay as they are.
        """
        ref = 0
        while ref < len(self.k.facts):
            fact = self.k.facts[ref]
            # By its content and not by its number: numbers are given again to other facts after an attempt.
            mark = (
                "cleared",
                fact[2] if fact[0] == "rel" else "",
                self.k.terms.key(fact[1]) if fact[0] == "rel" else "",
            )
            if fact[0] == "rel" and mark not in self._seen and len(fact[1]) <= 400:
                self._seen.add(mark)
                self.cleared_fact(steps, ref)
            ref += 1

    def cleared_fact(self, steps: Steps, ref: int) -> None:
        """Add a fact without reciprocals of the same content, if all signs are known.

        All signs are looked for before the first step is made, so that a fact is cleared as a whole or not at all.
        """
        fact = self.k.facts[ref]
        todo: list[tuple[Poly, int]] = []
        value = fact
        # A bound on denominators inside of denominators.
        for _ in range(40):
            inverse = self.outermost(value[1])
            if inverse is None:
                break
            q = self.argument(inverse)
            sign = self.sign(steps, q, ordered=value[2] in ORDERED)
            if sign is None:
                return
            # A known sign may be the negative one: the kernel multiplies by what is positive, so -q is taken.
            if value[2] in ORDERED and not implies(self.k.facts[sign], Rel(q, ">")):
                q = self.k.terms.add({}, q, -1)
            value = self.k.cleared(value, self.data(q), sign)
            todo.append((q, sign))
        at = ref
        for q, sign in todo:
            at = self.emit(steps, "clear", at, self.data(q), sign)
        if todo:
            self._seen.add(("cleared", value[2], self.k.terms.key(value[1])))
        if value[2] != "!=":
            at = self.raised(steps, at)
            self.rewritten(steps, at)

    def rewritten(self, steps: Steps, ref: int) -> None:
        """Add a fact with rewriting rules applied, unless it is such a rule.

        A rule that is rewritten by itself becomes 0 = 0. The fact and the multiples of rules that turn it into the new
        one are a single step for the kernel.
        """
        if any(ref == rule for rule, _, _ in self.rewrites):
            return
        poly, cofactors = self.rewrite(self.k.facts[ref][1])
        # A fact that became 0 = 0 or 0 >= 0 says nothing, and a long one slows everything down.
        if not cofactors or not poly or len(poly) > 400:
            return
        multiples = [[r, self.data(self.k.terms.add({}, c, -1))] for r, c in cofactors.items() if c]
        if self.k.facts[ref][2] == "==":
            last = self.emit(steps, "sum", [], [[ref, self.data({ONE: 1})], *multiples])
        else:
            last = self.emit(steps, "sum", [[1, [ref], []]], multiples)
        self._seen.add(("cleared", self.k.facts[last][2], self.k.terms.key(self.k.facts[last][1])))

    def raised(self, steps: Steps, ref: int) -> int:
        """Return a fact without negative exponents of exponentials: the fact times powers of them.

        An exponential is positive, so that nothing is lost; the linear program knows exponents >= 0 alone.

        Returns:
            The number of the new fact, or of the given one where there is nothing to do.
        """
        factors = self.negative(self.k.facts[ref][1])
        if not factors:
            return ref
        power: Monomial = tuple(factors)
        if self.k.facts[ref][2] == "==":
            return self.emit(steps, "sum", [], [[ref, self.data({power: 1})]])
        refs = []
        for atom, exponent in factors:
            positive = self.known(Rel({((atom, 1),): 1}, ">"))
            if positive is None:
                self.axiom(steps, atom)
                positive = self.known(Rel({((atom, 1),): 1}, ">"))
            refs += [positive] * exponent
        return self.emit(steps, "sum", [[1, [ref, *refs], []]], [])

    def negative(self, poly: Poly) -> list[tuple[int, int]]:
        """Return exponentials with the powers that clear their negative exponents.

        Only exponentials have such exponents in the kernel's normal form, as they are never 0.
        """
        lowest: dict[int, int] = {}
        for monomial in poly:
            for atom, exponent in monomial:
                lowest[atom] = min(lowest.get(atom, 0), exponent)
        return [(a, -e) for a, e in sorted(lowest.items()) if e < 0]

    # ---------------------------------------------------------------------------------------------- rewriting

    def rewrite(self, poly: Poly) -> tuple[Poly, dict[int, Poly]]:
        """Replace powers of atoms by equations; return what is left and what each equation was multiplied by.

        Each equation says that a power of an atom is something simpler; the cofactors let a step undo the rewriting.

        Returns:
            The polynomial that is left, and cofactors by the number of the equation: the given polynomial is what is
            left plus the sum of cofactors times equations, exactly. After 200 replacements it stops, which bounds rules
            that go round in a circle.
        """
        cofactors: dict[int, Poly] = {}
        for _ in range(200):
            found = self._rewritable(poly)
            if found is None:
                break
            ref, atom, degree = found
            equation = self.k.facts[ref][1]
            leading = ((atom, degree),)
            c = equation[leading]
            cofactor: Poly = {}
            for monomial, value in poly.items():
                rest = self.k.terms.without(monomial, leading)
                if rest is not None:
                    cofactor[rest] = Fraction(value) / c
            poly = self.k.terms.add(poly, self.k.terms.multiply(equation, cofactor), -1)
            cofactors[ref] = self.k.terms.add(cofactors.get(ref, {}), cofactor)
        return poly, cofactors

    def _rewritable(self, poly: Poly) -> tuple[int, int, int] | None:
        """Return an equation that replaces a power in the polynomial: number of the fact, atom and degree.

        None where no rule applies. A rule whose fact is gone, or is another one by now, is passed over: facts are
        forgotten after an attempt, and rules may outlive them.
        """
        for ref, atom, degree in self.rewrites:
            if ref < len(self.k.facts) and any(dict(m).get(atom, 0) >= degree for m in poly):
                equation = self.k.facts[ref]
                if equation[0] == "rel" and equation[2] == "==" and ((atom, degree),) in equation[1]:
                    # An equation with the same power on its other side would go on for ever.
                    others = [m for m in equation[1] if m != ((atom, degree),)]
                    if all(dict(m).get(atom, 0) < degree for m in others):
                        return ref, atom, degree
        return None
