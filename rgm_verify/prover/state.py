"""The state of a search: a checker with its facts, the names of the proof, and the work that is left.

Three conventions run through the search. `steps` is the proof so far, and a method that is given it appends to it. A
number of a fact (`ref`, `at`, `last`) is its place in the checker's list, which the finished proof names. And whoever
tries something (`attempt`) leaves the facts as they were: a proof is then added as one step with a proof inside
(`have`), or forgotten.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import z3

from rgm_verify.kernel.check import Checker, implies
from rgm_verify.kernel.terms import ONE, Formula, Poly, Refused, Rel, Tree
from rgm_verify.prover.budget import Budget, GivenUp
from rgm_verify.prover.guesses import follows
from rgm_verify.prover.polynomials import HIGHEST

__all__ = ["FALSE_GOAL", "HIDDEN", "ORDERED", "State", "Steps", "text"]

Steps = list[Any]
#: Relations that may be added and multiplied; equations and disequations have their own ways.
ORDERED = (">=", ">")
#: The units of work for one guess.
GUESS = 800_000
#: A relation that no point satisfies: what z3 proves of it, the facts contradict.
# A goal like any other for z3, where FALSE has no polynomial.
FALSE_GOAL = Rel({ONE: -1}, ">=")

#: Stands for a fact that is not looked at for a while, so that the others keep their numbers.
HIDDEN: Formula = ("and", ())


def text(value: Any) -> Any:
    """Return a rational as JSON: small integers as they are, others as text.

    A reader of JSON may take a number for a float, which holds integers below 2^53 alone exactly.

    Examples:
        >>> text(3), text(Fraction(1, 3)), text(2**60)
        (3, '1/3', '1152921504606846976')
    """
    value = Fraction(value)
    if value.denominator == 1 and abs(value.numerator) < 2**53:
        return value.numerator
    return str(value)


class State(ABC):
    """A checker, the names that its proof uses, and how long the search may go on.

    Attributes:
        k: The checker; its `facts` are what is known at this place of the proof.
        rewrites: Equations that replace a power of an atom: number of the fact, atom, degree.
        lacking: Whether sums of squares were wanted, and no solver of semidefinite programs is installed.
    """

    def __init__(self, k: Checker, budget: Budget) -> None:
        self.k, self.budget = k, budget
        # Names by atom and by the sign of its exponent, as an atom and its reciprocal are two names.
        self._index: dict[tuple[int, int], int] = {}
        self._counted = 0
        self._seen: set[Any] = set()
        self.rewrites: list[tuple[int, int, int]] = []
        self.lacking = False

    # ---------------------------------------------------------------------------------------------- the way back

    @abstractmethod
    def solve(self, goal: Formula, depth: int = 0) -> Steps:
        """Return steps that close a goal of any form; raises `GivenUp`."""

    @abstractmethod
    def relation(self, goal: Formula, depth: int) -> Steps:
        """Return steps that close a relation, denominators and all; raises `GivenUp`."""

    @abstractmethod
    def arithmetic(self, goal: Formula, depth: int) -> Steps:
        """Return steps that close a relation between polynomials; raises `GivenUp`."""

    @abstractmethod
    def axioms(self, steps: Steps, goals: Sequence[Formula]) -> None:
        """State what is known of every function in facts and goals."""

    @abstractmethod
    def axiom(self, steps: Steps, atom: int) -> None:
        """State the facts of one atom."""

    # ---------------------------------------------------------------------------------------------- writing

    def tree(self, poly: Poly) -> Tree:
        """Return a tree whose polynomial this is.

        It is the way back from the kernel's normal form. Terms are sorted, so that the same polynomial has the same
        tree in every run, and a document does not change without a reason.

        Args:
            poly: A polynomial over the checker's atoms.
        """
        terms = []
        for monomial, coefficient in sorted(poly.items()):
            factors: list[Tree] = [] if coefficient == 1 and monomial else [str(Fraction(coefficient))]
            for atom, exponent in monomial:
                base = self.atom_tree(atom)
                factors.append(base if exponent == 1 else ["pow", base, str(exponent)])
            terms.append(factors[0] if len(factors) == 1 else ["mul", *factors])
        return "0" if not terms else terms[0] if len(terms) == 1 else ["add", *terms]

    def atom_tree(self, atom: int) -> Tree:
        """Return the tree of an atom."""
        name, *arguments = self.k.terms.atoms[atom]
        if name == "var":
            return ["var", arguments[0]]
        if name == "inv":
            return ["pow", self.tree(dict(arguments[0])), "-1"]
        if name == "root":
            return ["pow", self.tree(dict(arguments[1])), f"1/{arguments[0]}"]
        return [name, *(self.tree(dict(key)) for key in arguments)]

    def data(self, poly: Poly) -> list[Any]:
        """Return a polynomial as the kernel reads it, over the document's names.

        Names are added to the document where an atom has none. A negative exponent becomes the reciprocal's own name,
        since the format knows exponents >= 0 alone.

        Args:
            poly: A polynomial over the checker's atoms.

        Returns:
            Terms [coefficient, name, exponent, name, exponent, ...].
        """
        found = []
        for monomial, coefficient in sorted(poly.items()):
            term = [text(coefficient)]
            for atom, exponent in monomial:
                sign = 1 if exponent > 0 else -1
                if (atom, sign) not in self._index:
                    base = self.atom_tree(atom)
                    self._index[atom, sign] = len(self.k.names)
                    self.k.names.append(base if sign > 0 else ["pow", base, "-1"])
                term += [self._index[atom, sign], abs(exponent)]
            found.append(term)
        return found

    # ---------------------------------------------------------------------------------------------- facts

    def emit(self, steps: Steps, *step: Any) -> int:
        """Do a step, keep it, and return the number of its last fact.

        Args:
            steps: The proof so far, which the step is added to.

        Raises:
            GivenUp: When the work is done that the search may do.
            Refused: Where the kernel refuses the step.
        """
        # Before the step: a search that is over adds none, not even a cheap one.
        self._account()
        self.budget.check()
        self.budget.step()
        self.k.advance(list(step))
        # Only now: a step that the kernel refuses is no part of the proof.
        steps.append(list(step))
        return len(self.k.facts) - 1

    def _account(self) -> None:
        """Count the arithmetic that was done since the last time, by this search and by the kernel's own steps.

        The kernel's counter is read, which it keeps against documents that are too large, so that no work is counted
        twice or forgotten.
        """
        done = self.k.terms._spent
        self.budget.arithmetic(done - self._counted)
        self._counted = done

    def have(self, steps: Steps, goal: Formula, proof: Steps) -> int:
        """Keep a relation that was proved, and return the number of its fact.

        The relation is assumed in the checker without its proof being done again. The kernel does it when it checks the
        document.

        Args:
            proof: Steps that close it, from the facts as they are now.
        """
        steps.append(["have", [goal[2], self.data(goal[1])], proof])
        self.k.assume(goal)
        return len(self.k.facts) - 1

    def known(self, goal: Formula) -> int | None:
        """Return the number of a fact that implies the goal; None without one.

        It implies it up to a positive factor and a weaker sign, as the kernel's `implies` sees it: nothing is proved
        here.
        """
        for ref, fact in enumerate(self.k.facts):
            if implies(fact, goal):
                return ref
        return None

    def attempt(self, search: Callable[[], Steps]) -> Steps | None:
        """Return what a search finds; facts and rewriting rules are those before, whatever happens.

        Args:
            search: A function that returns steps, or gives up.

        Returns:
            Steps that are not yet part of the proof; None where the search gave up.
        """
        facts, rewrites, seen = len(self.k.facts), list(self.rewrites), set(self._seen)
        try:
            return search()
        except (GivenUp, Refused, z3.Z3Exception):
            # Work that is done ends the whole search, and not this attempt alone.
            if self.budget.over:
                raise
            return None
        finally:
            del self.k.facts[facts:]
            self.rewrites, self._seen = rewrites, seen

    def atoms(self, formulas: Iterable[Formula]) -> Iterator[int]:
        """Yield the atoms of relations, those inside of other atoms' arguments first.

        The order makes sure that the sign of an argument is known when its function is looked at.

        Args:
            formulas: Relations, conjunctions and disjunctions, to any depth.
        """
        done: set[int] = set()

        def visit(poly: Poly) -> Iterator[int]:
            for monomial in poly:
                for atom, _ in monomial:
                    if atom in done:
                        continue
                    done.add(atom)
                    for argument in self.k.terms.atoms[atom][1:]:
                        if isinstance(argument, tuple):
                            yield from visit(dict(argument))
                    yield atom

        # A list and no recursion: formulas of many parts are looked at in the order in which they stand.
        waiting = list(formulas)[::-1]
        while waiting:
            formula = waiting.pop()
            if formula[0] == "rel":
                yield from visit(formula[1])
            else:
                waiting += formula[1][::-1]

    def guess(self, goal: Formula, work: int = GUESS) -> bool | None:
        """Return what z3 thinks of a relation over the atoms: None where it does not know.

        Args:
            work: The most units of work. The outcome of a search may depend on it, a proof does not.

        Returns:
            True or False as z3 answers, never used as a proof. False says that there are values of the atoms for which
            the facts hold and the goal fails. These values need not come from any point: atoms are free numbers for z3,
            and exp(x) has nothing to do with x but for the facts that say so.

        Raises:
            TooSlow: Where z3 does not end although its steps are few.
        """
        if goal[0] != "rel":
            return None
        if not goal[1].keys() - {ONE} and goal is not FALSE_GOAL:
            return self.k.evident(goal)
        if any(abs(exponent) > HIGHEST for monomial in goal[1] for _, exponent in monomial):
            return None
        self._account()
        self.budget.check()
        return follows(self.k.facts, self.k.negate(goal), self.budget, work)
