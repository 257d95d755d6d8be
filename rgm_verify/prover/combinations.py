"""Contradictions among the facts, over the atoms that matter: by linear and by semidefinite programming."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rgm_verify.kernel.check import absurd
from rgm_verify.kernel.terms import ONE, Formula, Monomial, Poly
from rgm_verify.prover.budget import GivenUp
from rgm_verify.prover.certificates import Combination, Inequality, Problem, contradiction
from rgm_verify.prover.functions import Functions
from rgm_verify.prover.polynomials import HIGHEST
from rgm_verify.prover.semidefinite import MISSING, available
from rgm_verify.prover.squares import sums_of_squares
from rgm_verify.prover.state import ORDERED, Steps, text

__all__ = ["Combinations"]


class Combinations(Functions):
    """A search that supposes the opposite of a goal and looks for a sum of products of facts that is absurd."""

    def refuted(self, goal: Formula, depth: int) -> Steps:
        """Suppose the opposite and look for a contradiction."""
        steps: Steps = [["suppose"]]
        self.k.assume(self.k.negate(goal))
        at = self.raised(steps, len(self.k.facts) - 1)
        return steps + self.refute(at, depth)

    def refute(self, goal: int | None, depth: int) -> Steps:
        """Find a contradiction among the facts; `goal` is the negated goal among them.

        Args:
            goal: The number of the negated goal; None looks for a contradiction among all facts.
        """
        steps: Steps = []
        problem, atoms = self.problem(steps, goal)
        # Single facts suffice for most, and a small linear program is quick.
        for pairs, most in ((False, 1500), (True, 4000)):
            self._account()
            self.budget.check()
            found = contradiction(problem, self.budget, most=most, pairs=pairs)
            if found is not None:
                return steps + self.combine(found, atoms)
        raise GivenUp("no combination of the facts is contradictory")

    def by_sums_of_squares(self, goal: Formula, depth: int) -> Steps:
        """Suppose the opposite, and find a contradiction with sums of squares by semidefinite programming.

        First with the facts about the goal's own atoms, then with all that share some with it.

        Raises:
            GivenUp: Where none was found, or no solver is installed; `lacking` tells which.
        """
        if not available():
            self.lacking = True
            raise GivenUp(MISSING)
        base: Steps = [["suppose"]]
        self.k.assume(self.k.negate(goal))
        at = self.raised(base, len(self.k.facts) - 1)
        tried: list[Problem] = []
        for links in (0, 3):
            steps: Steps = list(base)
            problem, atoms = self.problem(steps, at, links)
            base = steps
            if problem in tried:
                continue
            tried.append(problem)
            found = sums_of_squares(problem, self.budget)
            if found is not None:
                return steps + self.combine(found, atoms)
        raise GivenUp("no sums of squares")

    def combine(self, found: Combination, atoms: Sequence[int]) -> Steps:
        """State the combination that was found, and close the goal by it.

        Args:
            found: The combination, over the atoms of the problem.

        Raises:
            GivenUp: Where the sum is no contradiction after all.
        """
        steps: Steps = []

        def poly(terms: Any) -> Any:
            return self.data(
                {tuple((a, e) for a, e in zip(atoms, m, strict=True) if e): c for m, c in terms.items() if c}
            )

        products = [[text(c), refs, [poly(s) for s in squares]] for c, refs, squares in found.products]
        multiples = [[ref, poly(c)] for ref, c in found.multiples.items()]
        last = self.emit(steps, "sum", products, multiples)
        if not absurd(self.k.facts[last]):
            raise GivenUp("the combination is no contradiction")
        return [*steps, ["end", last]]

    # ---------------------------------------------------------------------------------------------- problems

    def problem(self, steps: Steps, goal: int | None, links: int = 3) -> tuple[Problem, list[int]]:
        """Return the facts as a problem over the atoms that matter.

        Of bounds on one atom the sharpest is kept, and of facts with the same polynomial the first.

        Args:
            steps: The proof so far; a bound such as 2 x >= 1 is divided by its coefficient in a step of its own.
            goal: The number of the negated goal, None without one. It is never taken as a bound: its products come
                first.
            links: How far a fact may be from the goal; 0 takes those without other atoms.

        Returns:
            The problem, and the checker's numbers of its atoms.
        """
        usable = self.usable()
        if goal is not None and goal not in usable:
            raise GivenUp("the goal has reciprocals or high powers, or is too long")
        chosen = self.relevant(usable, goal, links)
        atoms = sorted({a for ref in chosen for m in usable[ref][1] for a, _ in m})
        place = {a: i for i, a in enumerate(atoms)}

        def terms(poly: Poly) -> dict[tuple[int, ...], Fraction]:
            found = {}
            for m, c in poly.items():
                powers = [0] * len(atoms)
                for a, e in m:
                    powers[place[a]] = e
                found[tuple(powers)] = Fraction(c)
            return found

        bounds: dict[int, tuple[int, Fraction, bool]] = {}
        inequalities, equations, seen = [], [], set()
        for ref in chosen:
            _, poly, op = usable[ref]
            single = [m for m in poly if m]
            if op in ORDERED and len(single) == 1 and len(single[0]) == 1 and single[0][0][1] == 1 and ref != goal:
                c = Fraction(poly[single[0]])
                if c > 0:
                    atom, bound = place[single[0][0][0]], -Fraction(poly.get(ONE, 0)) / c
                    old = bounds.get(atom)
                    if old is None or (bound, op == ">") > (old[1], old[2]):
                        # The linear program knows bounds of the form atom >= b alone.
                        at = ref if c == 1 else self.emit(steps, "sum", [[text(1 / c), [ref], []]], [])
                        bounds[atom] = (at, bound, op == ">")
                    continue
            key = self.k.terms.key(self._primitive(poly))
            if (key, op) in seen:
                continue
            seen.add((key, op))
            if op == "==":
                equations.append((ref, terms(poly)))
            else:
                inequalities.append(Inequality(ref, terms(poly), op == ">"))
        index = next((i for i, q in enumerate(inequalities) if q.ref == goal), None)
        return (
            Problem(
                len(atoms),
                bounds,
                tuple(inequalities),
                tuple(equations),
                self.squares(terms, usable, chosen, goal),
                index,
            ),
            atoms,
        )

    def usable(self) -> dict[int, Formula]:
        """Return the facts that are polynomial inequalities or equations of some length.

        A fact with a reciprocal is left out: its atoms are no free numbers, and the cleared form of it is among the
        facts. So is one with a high power, of which a shift of an atom would make as many terms.
        """
        usable = {}
        for ref, fact in enumerate(self.k.facts):
            if fact[0] != "rel" or fact[2] == "!=" or len(fact[1]) > 120 or not fact[1].keys() - {ONE}:
                continue
            exponents = [(a, e) for m in fact[1] for a, e in m]
            if all(0 <= e <= HIGHEST and self.k.terms.atoms[a][0] != "inv" for a, e in exponents):
                usable[ref] = fact
        return usable

    def _primitive(self, poly: Poly) -> Poly:
        """Return a polynomial with its leading coefficient 1 or -1, so that multiples of a fact are
        recognised.
        """
        leading = abs(Fraction(poly[max(poly)]))
        return {m: Fraction(c) / leading for m, c in poly.items()}

    def relevant(self, usable: Mapping[int, Formula], goal: int | None, links: int) -> list[int]:
        """Return the facts that share atoms with the goal, over some links; without links, those of its own atoms.

        Facts that have nothing to do with the goal only make the linear program larger.
        """
        if goal is None:
            return list(usable)
        atoms = {a for m in usable[goal][1] for a, _ in m}
        chosen = {goal}
        if not links:
            chosen |= {ref for ref, fact in usable.items() if {a for m in fact[1] for a, _ in m} <= atoms}
        for _ in range(links):
            for ref, fact in usable.items():
                if ref not in chosen and {a for m in fact[1] for a, _ in m} & atoms:
                    chosen.add(ref)
            atoms |= {a for ref in chosen for m in usable[ref][1] for a, _ in m}
        return sorted(chosen)

    def squares(
        self, terms: Any, usable: Mapping[int, Formula], chosen: Sequence[int], goal: int | None
    ) -> tuple[Any, ...]:
        """Return differences and sums of monomials that may help as squares.

        The monomials are halves of those of the goal: a square that cancels a term of it has such terms. Twelve of them
        make 132 squares, and more would make the linear program slow.
        """
        source = usable[goal][1] if goal is not None else usable[chosen[-1]][1] if chosen else {}
        halves: dict[Monomial, None] = {ONE: None}
        for monomial in source:
            for a, _ in monomial:
                halves.setdefault(((a, 1),))
            halves.setdefault(tuple((a, e // 2) for a, e in monomial if e // 2))
            halves.setdefault(tuple((a, (e + 1) // 2) for a, e in monomial))
        candidates = list(halves)[:12]
        found = []
        for left, right in itertools.combinations(candidates, 2):
            found.append(terms({left: 1, right: -1}))
            found.append(terms({left: 1, right: 1}))
        return tuple(found)
