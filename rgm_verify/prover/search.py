"""The search for proofs: it runs the kernel's own steps and keeps those that lead to the goal.

The prover holds a kernel checker and does each step in it, so that the facts are the kernel's and a step that the
kernel would refuse is refused at once. The strategy: state what is known of every function that occurs, clear
denominators whose sign is known, rewrite by equations, and close what is left by linear programming over products of
facts. z3 guesses before each attempt whether a relation follows from the facts as polynomials over atoms; its "no"
saves the attempt.

It gives up with the goal at which it stopped. That it found nothing says nothing of the claim.

Three conventions run through the file. `steps` is the proof so far, and a method that is given it appends to it. A
number of a fact (`ref`, `at`, `last`) is its place in the checker's list, which the finished proof names. And whoever
tries something (`attempt`) leaves the facts as they were: a proof is then added as one step with a proof inside
(`have`), or forgotten.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint
import sympy
import z3

from rgm_verify.kernel.calculus import conditions, derivative, resolved, substitute
from rgm_verify.kernel.check import BETWEEN, FORMAT, absurd, implies, opened, plain
from rgm_verify.kernel.terms import FALSE, ONE, And, Formula, Monomial, Poly, Refused, Rel, Tree
from rgm_verify.prover.budget import PATIENCE, PER_SECOND, Budget, GivenUp, TooSlow
from rgm_verify.prover.certificates import Combination, Inequality, Problem, contradiction
from rgm_verify.prover.semidefinite import MISSING, available
from rgm_verify.prover.squares import sums_of_squares

__all__ = ["GivenUp", "Prover"]

Steps = list[Any]
# Relations that may be added and multiplied; equations and disequations have their own ways.
_ORDERED = (">=", ">")
#: The units of work for one guess.
_GUESS = 800_000
#: With powers above this neither z3 nor a division or a factorisation of polynomials has an end that can be foreseen.
_HIGHEST = 100
#: A relation that no point satisfies: what z3 proves of it, the facts contradict.
# A goal like any other for z3, where FALSE has no polynomial.
FALSE_GOAL = Rel({ONE: -1}, ">=")

#: Stands for a fact that is not looked at for a while, so that the others keep their numbers.
HIDDEN: Formula = ("and", ())


def _text(value: Any) -> Any:
    """Return a rational as JSON: small integers as they are, others as text.

    A reader of JSON may take a number for a float, which holds integers below 2^53 alone exactly.

    Examples:
        >>> _text(3), _text(Fraction(1, 3)), _text(2**60)
        (3, '1/3', '1152921504606846976')
    """
    value = Fraction(value)
    if value.denominator == 1 and abs(value.numerator) < 2**53:
        return value.numerator
    return str(value)


class Prover:
    """One search: a checker, the names that its proof uses, and how long it may go on.

    Args:
        statement: The statement as a tree.
        premises: Statements of other claims by id.
        uses: Premises with the expressions that stand for their variables.
        terms: Products of nonnegative factors that the author names.
        monotone: A variable, a start and an order for Taylor's formula.
        witness: For a statement that something exists, a rational tree for each variable. The search finds none itself.
        budget: The work for the whole search, in counts: no clock is read.

    Attributes:
        k: The checker; its `facts` are what is known at this place of the proof.
        goal: What the statement asks to be proved, its terms' definedness included.
        rewrites: Equations that replace a power of an atom: number of the fact, atom, degree.
        missing: Ids of premises whose conditions were not shown.
        lacking: Whether sums of squares were wanted, and no solver of semidefinite programs is installed.

    Raises:
        GivenUp: For a statement that something exists, where no witness is given.
        Refused: For a statement that the kernel cannot read.

    Examples:
        >>> from rgm_verify.kernel.check import check
        >>> x = ["var", "x"]
        >>> stated = {"quantifier": "forall", "variables": [["x", "real", [[">", x, "0"]]]], "hypotheses": []}
        >>> found = Prover({**stated, "conclusion": [">=", ["add", x, ["pow", x, "-1"]], "2"]}).document("my claim")
        >>> found["proof"][-2:]
        [['sum', [[1, [], [[[-1], [1, 0, 1]]]]], []], ['end', 5]]
        >>> check(found)
        ()
        >>> Prover({**stated, "conclusion": [">=", x, "1"]}).document("my claim")
        Traceback (most recent call last):
        rgm_verify.prover.budget.GivenUp: it need not hold: ['add', '-1', ['var', 'x']]
    """

    def __init__(
        self,
        statement: Mapping[str, Any],
        premises: Mapping[str, Any] | None = None,
        uses: Sequence[tuple[str, Mapping[str, Tree]]] = (),
        *,
        terms: Sequence[Sequence[Tree]] = (),
        monotone: tuple[str, Tree, int] | None = None,
        witness: Mapping[str, Tree] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.budget = Budget(20 * PER_SECOND) if budget is None else budget
        self.statement, self.stated, self.raw = plain(statement), statement, dict(premises or {})
        self.exists = self.statement["quantifier"] == "exists"
        if self.exists and witness is None:
            raise GivenUp("no witness is known")
        self.witness = dict(witness or {}) if self.exists else {}
        self.k, self.goal = opened(self._document("the claim", [], self.raw))
        self.premises = self.k.premises
        self.uses = [(other, {name: self._read(t) for name, t in images.items()}) for other, images in uses]
        self.terms = [[self._read(factor) for factor in factors] for factors in terms]
        self.monotone = monotone and (monotone[0], self._read(monotone[1]), monotone[2])
        # Names by atom and by the sign of its exponent, as an atom and its reciprocal are two names.
        self._index: dict[tuple[int, int], int] = {}
        self._counted = 0
        self._seen: set[Any] = set()
        self.rewrites: list[tuple[int, int, int]] = []
        self.missing: list[str] = []
        """Premises whose conditions were not shown."""
        self.lacking = False

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
            term = [_text(coefficient)]
            for atom, exponent in monomial:
                sign = 1 if exponent > 0 else -1
                if (atom, sign) not in self._index:
                    base = self.atom_tree(atom)
                    self._index[atom, sign] = len(self.k.names)
                    self.k.names.append(base if sign > 0 else ["pow", base, "-1"])
                term += [self._index[atom, sign], abs(exponent)]
            found.append(term)
        return found

    # ---------------------------------------------------------------------------------------------- state

    def emit(self, steps: Steps, *step: Any) -> int:
        """Do a step, keep it, and return the number of its last fact.

        Args:
            steps: The proof so far, which the step is added to.
            *step: The step in the kernel's format.

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
            steps: The proof so far.
            goal: The relation.
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

    # ---------------------------------------------------------------------------------------------- documents

    def _read(self, tree: Tree) -> Tree:
        """Return a tree in the functions of the kernel, with the points of the mean value theorem left out."""
        return resolved(tree, self.k.kinds)

    def _document(self, claim: str, steps: Steps, premises: Mapping[str, Any]) -> dict[str, Any]:
        """Return a document in the kernel's format, with exactly the fields that it demands.

        The statement is the one that was given, not the one that the search works on: what is proved has to be what was
        stated.
        """
        return {
            "format": FORMAT,
            "claim": claim,
            "statement": dict(self.stated),
            "premises": dict(premises),
            "names": self.k.names if steps else [],
            "witness": self.witness,
            "proof": steps,
        }

    def document(self, claim: str) -> dict[str, Any]:
        """Return a proof of the statement as a document; raises `GivenUp`.

        The author's hints come first, in the order in which they are cheapest to follow: premises, products of
        nonnegative factors, a Taylor formula. What a hint yields becomes a fact, and the search goes on as it would
        without it. A hint that leads nowhere costs work, and no proof.

        Args:
            claim: The id that the document bears.

        Returns:
            A document that the kernel has still to check.

        Raises:
            GivenUp: Where no proof was found, or the work is done; with the goal at which it stopped.
            TooSlow: Where the clock ended a question to z3.
        """
        goal = self.goal
        try:
            steps: Steps = []
            for other, images in self.uses:
                self.use(steps, other, images)
            self.axioms(steps, [goal])
            self.terms_refs = [ref for factors in self.terms if (ref := self.product_of(steps, factors)) is not None]
            if self.terms_refs and len(self.terms_refs) == len(self.terms):
                # The conclusion comes last, after what the statement needs to be defined.
                last = goal[1][-1] if goal[0] == "and" else goal
                found = self.attempt(lambda: self.by_terms(last))
                if found is not None:
                    self.have(steps, last, found)
            if self.monotone is not None and self.statement["conclusion"][0] in ("<=", "<", ">=", ">"):
                last = goal[1][-1] if goal[0] == "and" else goal
                found = self.attempt(lambda: self.taylor(last, *self.monotone))  # type: ignore[misc]
                if found is not None and last[0] == "rel":
                    self.have(steps, last, found)
            steps += self.solve(goal)
        except (Refused, z3.Z3Exception, OverflowError) as error:
            raise GivenUp(f"{type(error).__name__}: {error}") from error
        except GivenUp as error:
            raise GivenUp(f"{error}; {MISSING}" if self.lacking else str(error)) from error
        # A premise that no step uses would only make the proof depend on another claim.
        used = sorted({s[1] for s in _all_steps(steps) if s[0] == "use"})
        return self._document(claim, steps, {name: self.raw[name] for name in used})

    def use(self, steps: Steps, claim: str, images: Mapping[str, Tree]) -> None:
        """Take a premise at values.

        A premise whose conditions were not shown is left out, and remembered: the goal may do without it.

        Args:
            steps: The proof so far.
            claim: The id of the premise.
            images: Expressions for some of its variables; the others keep their names.

        Raises:
            GivenUp: For a premise without a statement.
        """
        stated = self.premises.get(claim)
        if stated is None:
            raise GivenUp(f"the premise {claim} has no statement")
        values = {name: images.get(name, ["var", name]) for name, _, _ in stated["variables"]}
        self.axioms(steps, self.conditions_of(stated, values))
        # The kernel leaves out what is evident in the same way, and wants a proof for each of the others.
        goal = And([c for c in self.conditions_of(stated, values) if not self.k.evident(c)])
        proof = [] if goal == ("and", ()) else self.attempt(lambda: self.solve(goal))
        if proof is None:
            self.missing.append(claim)
            return
        self.emit(steps, "use", claim, values, proof)

    def conditions_of(self, stated: Mapping[str, Any], values: Mapping[str, Tree]) -> list[Formula]:
        """Return what has to be shown before a premise may be used at values.

        They follow those that the kernel asks for (`Checker.instance`): each value is defined and in its domain, and
        the hypotheses are defined and hold. A condition too few here makes a proof that the kernel refuses, and nothing
        worse.

        Args:
            stated: The statement of the premise.
            values: An expression for each of its variables.
        """
        found: list[Formula] = []
        for name, _, domain in stated["variables"]:
            found += self.k.needs(values[name])
            found += [self.k.formula(substitute(r, values)) for r in domain]
        for hypothesis in stated["hypotheses"]:
            tree = substitute(hypothesis, values)
            found += [*self.k.needs(tree), self.k.formula(tree)]
        return found

    def by_terms(self, goal: Formula) -> Steps:
        """Prove that the goal is the sum of the products that the author gave.

        Raises:
            GivenUp: Where the goal is no inequality, or the products do not add up to it.
        """
        if goal[0] != "rel" or goal[2] not in _ORDERED:
            raise GivenUp("no inequality")
        total: Poly = {}
        for ref in self.terms_refs:
            total = self.k.terms.add(total, self.k.facts[ref][1])
        steps: Steps = []
        # Sums may agree only after fractions are cleared: then the difference is an equation to be proved.
        gap = self.k.terms.add(goal[1], total, -1)
        products: list[Any] = [[1, [ref], []] for ref in self.terms_refs]
        if gap:
            same = self.have_solved(steps, Rel(gap, "=="), 3)
            last = self.emit(steps, "sum", products, [[same, self.data({ONE: 1})]])
        else:
            last = self.emit(steps, "sum", products, [])
        if not implies(self.k.facts[last], goal):
            raise GivenUp("the products do not give the goal")
        return [*steps, ["end", last]]

    def product_of(self, steps: Steps, factors: Sequence[Tree]) -> int | None:
        """Return the fact that a product of nonnegative factors is nonnegative; None where a sign was not shown.

        Args:
            steps: The proof so far.
            factors: Trees; a square needs no sign, and numbers are taken together.
        """
        refs, squares = [], []
        self.axioms(steps, [Rel(self.k.terms.poly(f), "==") for f in factors])
        for factor in factors:
            if isinstance(factor, list) and factor[0] == "pow" and factor[2] == "2":
                squares.append(self.data(self.k.terms.poly(factor[1])))
                continue
            poly = self.k.terms.poly(factor)
            if not poly.keys() - {ONE}:
                continue
            # The strict sign first: a product of strict ones is strict, which a strict goal needs.
            ref = self.shown(steps, Rel(poly, ">"))
            ref = self.shown(steps, Rel(poly, ">=")) if ref is None else ref
            if ref is None:
                return None
            refs.append(ref)
        number = [p for f in factors if not (p := self.k.terms.poly(f)).keys() - {ONE}]
        weight = Fraction(1)
        for constant in number:
            weight *= Fraction(constant.get(ONE, 0))
        at = self.emit(steps, "sum", [[_text(weight), refs, squares]], [])
        self.cleared_fact(steps, at)
        return at

    def taylor(self, goal: Formula, name: str, start: Tree, order: int) -> Steps:
        """Prove an inequality by Taylor's formula in a variable from a start.

        On each side of the start the difference of the sides is its value there plus a slope times the way. The sign of
        the slope is proved, or with a higher order the sign of the slope's own slope, and so on. At the start itself
        the value is looked at alone.

        Args:
            goal: The relation to prove.
            name: The variable.
            start: The start, without that variable.
            order: The order of the last derivative, at least 1.

        Returns:
            Steps that close the goal.

        Raises:
            GivenUp: Where a side of the start is not proved.
        """
        conclusion = self.statement["conclusion"]
        left, right = conclusion[1:] if conclusion[0] in (">=", ">") else conclusion[:0:-1]
        gap = ["add", left, ["mul", "-1", right]]
        variable = self.k.terms.poly(["var", name])
        way = self.k.terms.add(variable, self.k.terms.poly(start), -1)
        backward = self.k.terms.add({}, way, -1)
        steps: Steps = []
        proofs = []
        # If the facts say on which side the variable lies, one case is enough.
        for case in (Rel(way, ">"), Rel(way, "=="), Rel(backward, ">")):
            if self.shown(steps, case) is not None:
                return steps + self.along(goal, gap, name, start, order, case)
        base = len(self.k.facts)  # the fact that the way has one of three signs; each proof sees one of them
        for case in (Rel(way, ">"), Rel(way, "=="), Rel(backward, ">")):
            proof = self.attempt(lambda case=case: self._taylor_case(case, goal, gap, name, start, order))  # type: ignore[misc]
            if proof is None:
                raise GivenUp("a side of the start")
            proofs.append(proof)
        # The proofs were made with the number `base` for the three cases, which `sign` states below.
        del self.k.facts[base:]
        return [*steps, ["sign", self.data(way)], ["cases", base, proofs]]

    def _taylor_case(self, case: Formula, goal: Formula, gap: Tree, name: str, start: Tree, order: int) -> Steps:
        """Prove the goal on one side of the start, or at the start.

        Args:
            case: The relation that says where the variable lies.
            goal: The relation to prove.
            gap: The larger side less the smaller one, as a tree.
            name: The variable.
            order: The order of the last derivative.
        """
        # In the finished proof the three cases are a fact at this place, and the case is the next one.
        self.k.facts.append(HIDDEN)
        self.k.assume(case)
        # A side that the domain excludes needs no slope.
        if self.guess(FALSE_GOAL) is True:
            found = self.attempt(lambda: self.refute(None, 9))
            if found is not None:
                return found
        if case[2] == "==":
            ref = len(self.k.facts) - 1
            steps: Steps = []
            value = self.k.terms.poly(substitute(gap, {name: start}))
            self.axioms(steps, [Rel(value, goal[2])])
            at = self.have_solved(steps, Rel(value, goal[2]), 3)
            same = self.emit(steps, "equal", gap, name, ["var", name], start, ref)
            end = self.emit(steps, "sum", [[1, [at], []]], [[same, self.data({ONE: 1})]])
            if not implies(self.k.facts[end], goal):
                raise GivenUp("the value at the start is not the goal")
            return [*steps, ["end", end]]
        return self.along(goal, gap, name, start, order, case)

    def along(
        self, goal: Formula, gap: Tree, name: str, start: Tree, order: int, case: Formula, end: Tree = None
    ) -> Steps:
        """Prove the goal where `end` (the variable, unless given) is on one side of the start: by the sign of a slope.

        With an order above 1, the sign of the slope is proved in the same way, between the start and the point of the
        mean value theorem.

        Args:
            goal: The relation to prove of `gap` at `end`.
            gap: An expression of the variable, as a tree.
            name: The variable.
            start: Where the way begins.
            order: How many derivatives may be taken.
            case: A known relation that says on which side of the start `end` lies.
            end: Where the way ends.

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
            name: The variable in which it has to be smooth.
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

    # ---------------------------------------------------------------------------------------------- goals

    def solve(self, goal: Formula, depth: int = 0) -> Steps:
        """Return steps that close a goal; raises `GivenUp`.

        A conjunction part by part, a disjunction among the facts by cases, an alternative by choice, a relation by
        arithmetic.

        Args:
            depth: Goals around this one.

        Returns:
            Steps that the caller puts in their place. Facts that they add stay among the checker's, so that whoever
            goes on after a proof has to cut them off.

        Raises:
            GivenUp: Where no way closes it.
        """
        # A bound on goals around goals: each has facts of its own, and the search for them starts anew.
        if depth > 12:
            raise GivenUp("too deep")
        ref = self.known(goal)
        if ref is not None:
            return [["end", ref]]
        if goal[0] == "and":
            proofs, start = [], len(self.k.facts)
            try:
                for part in goal[1]:
                    facts = len(self.k.facts)
                    proofs.append(self.solve(part, depth + 1))
                    del self.k.facts[facts:]
                    # Later parts may use the earlier ones: a denominator that is shown not to be 0 is needed by the
                    # relation behind it.
                    self.k.assume(part)
            finally:
                del self.k.facts[start:]
            return [["each", proofs]]
        # A contradiction among the facts closes any goal.
        for ref, fact in enumerate(self.k.facts):
            if absurd(fact):
                return [["end", ref]]
        for ref, fact in enumerate(self.k.facts):
            if fact[0] == "or":
                # Before the goal is chosen from: which alternative holds may differ between the cases.
                return self.split(goal, ref, depth)
        if goal[0] == "or" and goal != FALSE:
            return self.choose(goal, depth)
        steps: Steps = []
        self.axioms(steps, [goal])
        # A maximum states a disjunction among its axioms, and that is to be split before arithmetic.
        if any(f[0] == "or" for f in self.k.facts):
            return steps + self.solve(goal, depth + 1)
        return steps + self.relation(goal, depth)

    def split(self, goal: Formula, ref: int, depth: int) -> Steps:
        """Distinguish the cases of a disjunction; the fact itself is hidden while they are looked at.

        Otherwise `solve` would find it among the facts again, and split it for ever.

        Args:
            goal: The formula to prove in every case.
            ref: The number of the fact.
            depth: Goals around this one.
        """
        fact = self.k.facts[ref]
        # A disjunction that is true by its form says nothing: to look at its cases would be idle.
        if any(self.k.evident(part) for part in fact[1]):
            self.k.facts[ref] = HIDDEN
            try:
                return self.solve(goal, depth)
            finally:
                self.k.facts[ref] = fact
        proofs = []
        self.k.facts[ref] = HIDDEN
        try:
            for part in fact[1]:
                found = self.attempt(lambda part=part: self._case(part, goal, depth))  # type: ignore[misc]
                if found is None:
                    raise GivenUp("a case of a disjunction")
                proofs.append(found)
        finally:
            self.k.facts[ref] = fact
        return [["cases", ref, proofs]]

    def _case(self, part: Formula, goal: Formula, depth: int) -> Steps:
        """Prove the goal in one case, or that the case contradicts what is known.

        A combination for the goal leaves out facts that share no term with it, so that a case which
        never occurs needs a look of its own.

        Args:
            part: The alternative that is assumed.
            goal: The formula to prove.
            depth: Goals around this one.
        """
        self.k.assume(part)
        found = self.attempt(lambda: self.solve(goal, depth + 1))
        if found is not None:
            return found
        # The goal does not follow in this case, and need not where the case cannot occur.
        steps: Steps = []
        self.axioms(steps, [])
        return steps + self.refute(None, depth)

    def choose(self, goal: Formula, depth: int) -> Steps:
        """Prove one alternative, or all from the negation of the others.

        The second way is there for goals of which no alternative holds everywhere, such as `x > 0 or x <= 0`.
        """
        for index, part in enumerate(goal[1]):
            # An alternative that fails for some atoms is not worth a search; another one may hold.
            if part[0] == "rel" and self.guess(part) is False:
                continue
            found = self.attempt(lambda part=part: self.solve(part, depth + 1))  # type: ignore[misc]
            if found is not None:
                return [["choose", index], *found]
        steps: Steps = [["suppose"]]
        self.k.assume(self.k.negate(goal))
        return steps + self.solve(FALSE, depth + 1)

    # ---------------------------------------------------------------------------------------------- axioms

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

    def axioms(self, steps: Steps, goals: Sequence[Formula]) -> None:
        """State what is known of every function in facts and goals, until nothing new appears.

        A fact about one atom may bring new atoms along; four rounds have been enough, and bound the search.

        Args:
            steps: The proof so far.
            goals: Formulas whose atoms are looked at beside those of the facts.
        """
        for _ in range(4):
            found = [a for a in self.atoms([*self.k.facts, *goals]) if a not in self._seen]
            if not found:
                break
            for atom in found:
                self._seen.add(atom)
                self.axiom(steps, atom)
        # After all of them, since a denominator is cleared by the sign that its own axiom states.
        self.clear_facts(steps)

    def axiom(self, steps: Steps, atom: int) -> None:
        """State the facts of one atom; those whose conditions are not shown are left out.

        A function without a method `_axiom_...`, such as a variable or `erf`, has none. It is then a number of which
        nothing is known.
        """
        name, *arguments = self.k.terms.atoms[atom]
        rule = getattr(self, f"_axiom_{name}", None)
        if rule is not None:
            rule(steps, atom, *arguments)

    def _axiom_inv(self, steps: Steps, atom: int, key: Any) -> None:
        """State x * (1/x) = 1 and the sign of 1/x, where the sign of x is known."""
        ref = self.sign(steps, dict(key))
        if ref is not None:
            q = dict(key)
            if not implies(self.k.facts[ref], Rel(q, ">")) and self.k.facts[ref][2] == ">":
                q = self.k.terms.add({}, q, -1)
            self.emit(steps, "inv", self.data(q), ref)

    def _axiom_pi(self, steps: Steps, atom: int) -> None:
        """State that pi is positive, by an enclosure of 16 bits. Relations between constants get their own, see
        `numeric`.
        """
        self.emit(steps, "number", self.data({((atom, 1),): 1}), 16)

    def _axiom_root(self, steps: Steps, atom: int, degree: int, key: Any) -> None:
        """State that a root is >= 0 and has its base as a power, where the base is >= 0."""
        base = dict(key)
        ref = self.shown(steps, Rel(base, ">"))
        if ref is None:
            ref = self.shown(steps, Rel(base, ">="))
        if ref is not None or self.k.evident(Rel(base, ">=")):
            last = self.emit(steps, "root", degree, self.data(base), ref)
            self.rewrites.append((last - 1, atom, degree))

    def _axiom_exp(self, steps: Steps, atom: int, key: Any) -> None:
        """State that an exponential is positive, how it is related to others, and its form with a
        simpler exponent.
        """
        self.emit(steps, "exp", self.data(dict(key)))
        simple = self.simplified(steps, dict(key))
        gap = self.k.terms.add(dict(key), simple, -1)
        if gap:
            ref = self.shown(steps, Rel(gap, "=="))
            if ref is not None:
                sides = self.tree(dict(key)), self.tree(simple)
                last = self.emit(steps, "equal", ["exp", ["var", "x"]], "x", *sides, ref)
                self.rewrites.append((last, atom, 1))

    def _axiom_log(self, steps: Steps, atom: int, key: Any) -> None:
        """State what is known of a logarithm of something positive, and take it apart.

        Nothing is known of a logarithm whose argument was not shown to be positive: the kernel's functions are total,
        and it could be anything there.
        """
        base = dict(key)
        ref = self.shown(steps, Rel(base, ">"))
        if ref is None and not self.k.evident(Rel(base, ">")):
            return
        last = self.emit(steps, "log", self.data(base), ref)
        # exp(log x) becomes x wherever it occurs: without it the atom would be a stranger to x.
        exponential = next(iter(self.k.terms.apply("exp", {((atom, 1),): 1})))
        self.rewrites.append((last, exponential[0][0], 1))
        self.product(steps, atom, base)

    def product(self, steps: Steps, atom: int, base: Poly) -> None:
        """Take a logarithm of a product apart, factor by factor.

        The logarithm of a product is the sum of those of its positive factors, of numerator and denominator. Nothing is
        stated where a factor was not shown to be positive: log(x y) has a value for two negative numbers, and log x has
        none.

        Args:
            steps: The proof so far.
            atom: The logarithm.
            base: Its argument.
        """
        if not self.k.terms.apply("log", base):
            return
        self.log_of_atom(steps, base)
        factors, equation = self.factors(steps, base)
        if factors is None or (len(factors) == 1 and factors[0][1] == 1 and factors[0][0] == base):
            return
        refs = []
        for factor, exponent in factors:
            ref = self.shown(steps, Rel(factor, ">"))
            if ref is None and not self.k.evident(Rel(factor, ">")):
                return
            refs.append([exponent, self.data(factor), ref])
        # The rule asks for the sign of the whole as well as for those of the factors.
        own = self.known(Rel(base, ">"))
        if own is None and not self.k.evident(Rel(base, ">")):
            return
        last = self.emit(steps, "log_product", [[-1, self.data(base), own], *refs], equation)
        self.rewrites.append((last, atom, 1))
        for factor, _ in factors:
            self.log_of_atom(steps, factor)

    def log_of_atom(self, steps: Steps, factor: Poly) -> None:
        """State the logarithm of an exponential or of a root.

        Args:
            steps: The proof so far.
            factor: The argument of the logarithm; nothing is done unless it is a single atom, to the power 1.
        """
        if len(factor) != 1:
            return
        ((monomial, c),) = factor.items()
        if c != 1 or len(monomial) != 1 or monomial[0][1] != 1:
            return
        name, *arguments = self.k.terms.atoms[monomial[0][0]]
        single = next(iter(self.k.terms.apply("log", factor)))[0][0]
        if name == "exp":
            last = self.emit(steps, "log_exp", self.data(dict(arguments[0])))
            self.rewrites.append((last, single, 1))
        elif name == "root":
            base = dict(arguments[1])
            gap = self.k.terms.add(self.k.terms.power(factor, arguments[0]), base, -1)
            # r^n = x is what `_axiom_root` has stated, unless the sign of x was not known there.
            ref, same = self.shown(steps, Rel(base, ">")), self.known(Rel(gap, "=="))
            if same is None or (arguments[0] % 2 == 0 and not self.k.evident(Rel(factor, ">"))):
                return
            if ref is not None or self.k.evident(Rel(base, ">")):
                own = self.shown(steps, Rel(factor, ">"))
                factors = [[-arguments[0], self.data(factor), own], [1, self.data(base), ref]]
                last = self.emit(steps, "log_product", factors, same)
                self.rewrites.append((last, single, 1))
                self.product(steps, next(iter(self.k.terms.apply("log", base)))[0][0], base)

    def quotient_of(self, steps: Steps, poly: Poly) -> tuple[Poly, Poly] | None:
        """Return numerator and denominator, simplified and without common factors; None where a sign is not known.

        Args:
            steps: The proof so far, for signs that are shown on the way.
            poly: A polynomial with reciprocals.

        Returns:
            Two polynomials without reciprocals and without negative exponents. That their quotient is the given one
            holds where the denominators are not 0, and is proved by whoever uses it.
        """
        top, bottom = poly, {ONE: 1}
        for _ in range(40):
            inverse = self.outermost(top)
            if inverse is None:
                break
            q = self.argument(inverse)
            ref = self.sign(steps, q)
            if ref is None:
                return None
            top = self.k.cleared(Rel(top, "=="), self.data(q), ref)[1]
            bottom = self.k.terms.multiply(bottom, q)
        # With the rules applied first, more of numerator and denominator is found to be common.
        top, bottom = self.rewrite(top)[0], self.rewrite(bottom)[0]
        negative = dict(self.negative(top))
        for atom, exponent in self.negative(bottom):
            negative[atom] = max(negative.get(atom, 0), exponent)
        # An exponential with a negative exponent is a reciprocal as well.
        if negative:
            power = {tuple(sorted(negative.items())): 1}
            top, bottom = self.k.terms.multiply(top, power), self.k.terms.multiply(bottom, power)
        ring, atoms = self.ring([top, bottom])
        if ring is not None and bottom.keys() - {ONE} and top:
            common = self.to(ring, atoms, top).gcd(self.to(ring, atoms, bottom))
            top = self.of(atoms, self.to(ring, atoms, top) // common)
            bottom = self.of(atoms, self.to(ring, atoms, bottom) // common)
        return top, bottom

    def simplified(self, steps: Steps, poly: Poly) -> Poly:
        """Return an equal polynomial with denominators put together, factor by factor.

        It is a proposal, as everything here is: `_axiom_exp` proves the equation before it uses it.
        """
        found = self.quotient_of(steps, poly)
        if found is None:
            return poly
        result = found[0]
        for factor, exponent in self.factored(found[1]):
            result = self.k.terms.multiply(result, self.k.terms.power(self.k.terms.inverse(factor), exponent))
        leading = self.leading(found[1])
        return {m: Fraction(c) * leading for m, c in result.items()} if leading < 0 else result

    def leading(self, poly: Poly) -> int:
        """Return the sign that the factors of a polynomial leave out: 1 or -1."""
        product: Poly = {ONE: 1}
        for factor, exponent in self.factored(poly):
            product = self.k.terms.multiply(product, self.k.terms.power(factor, exponent))
        return 1 if product == {m: Fraction(c) for m, c in poly.items()} else -1

    def factors(self, steps: Steps, base: Poly) -> tuple[list[tuple[Poly, int]] | None, int | None]:
        """Return irreducible positive factors of numerator and denominator, and the equation that says so.

        Args:
            steps: The proof so far.
            base: A polynomial with reciprocals, positive where it stands.

        Returns:
            Factors with exponents, negative ones from the denominator; None where that is not shown. Then the number of
            the equation, None where both sides are one polynomial and the kernel sees it by itself.
        """
        quotient = self.quotient_of(steps, base)
        if quotient is None:
            return None, None
        found: dict[Any, int] = {}
        for poly, direction in ((quotient[0], 1), (quotient[1], -1)):
            for factor, exponent in self.factored(poly):
                found[self.k.terms.key(factor)] = found.get(self.k.terms.key(factor), 0) + direction * exponent
        factors = []
        for key, exponent in found.items():
            factor = dict(key)
            if not exponent:
                continue
            if self.shown(steps, Rel(factor, ">")) is None and not self.k.evident(Rel(factor, ">")):
                # A negative factor comes with another one, and the kernel takes logarithms of positive ones alone.
                factor = self.k.terms.add({}, factor, -1)
            factors.append((factor, exponent))
        left, right = base, {ONE: 1}
        for factor, exponent in factors:
            power = self.k.terms.power(factor, abs(exponent))
            if exponent < 0:
                left = self.k.terms.multiply(left, power)
            else:
                right = self.k.terms.multiply(right, power)
        gap = self.k.terms.add(left, right, -1)
        if not gap:
            return factors, None
        ref = self.shown(steps, Rel(gap, "=="))
        return (factors, ref) if ref is not None else (None, None)

    def _axiom_pow(self, steps: Steps, atom: int, base: Any, exponent: Any) -> None:
        """State what is known of a power with a variable exponent and a positive base."""
        ref = self.shown(steps, Rel(dict(base), ">"))
        if ref is not None or self.k.evident(Rel(dict(base), ">")):
            last = self.emit(steps, "pow", self.data(dict(base)), self.data(dict(exponent)), ref)
            self.rewrites.append((last - 1, atom, 1))

    def _axiom_max(self, steps: Steps, atom: int, *keys: Any) -> None:
        """State that a maximum is one of its members and at least each."""
        self.emit(steps, "max", [self.data(dict(k)) for k in keys])

    def _axiom_gamma(self, steps: Steps, atom: int, key: Any) -> None:
        """State the recurrence of the gamma function at an argument and one below it."""
        # The argument of one gamma is often that of another one plus 1: both neighbours tie them together.
        for shift in (0, 1):
            x = self.k.terms.add(dict(key), {ONE: 1}, -shift)
            ref = self.shown(steps, Rel(x, ">"))
            if ref is not None or self.k.evident(Rel(x, ">")):
                self.emit(steps, "gamma", self.data(x), ref)

    # ---------------------------------------------------------------------------------------------- reciprocals

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
            steps: The proof so far.
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
            goal: A relation.
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

        Args:
            steps: The proof so far.
            ref: The number of a relation.
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
            sign = self.sign(steps, q, ordered=value[2] in _ORDERED)
            if sign is None:
                return
            # A known sign may be the negative one: the kernel multiplies by what is positive, so -q is taken.
            if value[2] in _ORDERED and not implies(self.k.facts[sign], Rel(q, ">")):
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

    # ---------------------------------------------------------------------------------------------- relations

    def relation(self, goal: Formula, depth: int) -> Steps:
        """Close a goal that is a relation (or FALSE) by arithmetic.

        Denominators are cleared first, then rules are applied, then exponentials get exponents >= 0: what is left is a
        polynomial relation over atoms.

        Args:
            goal: A relation, or FALSE.
            depth: Goals around this one.

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
            sign = self.sign(steps, q, ordered=goal[2] in _ORDERED)
            if sign is None:
                raise GivenUp(f"the sign of {self.tree(q)}")
            if goal[2] in _ORDERED and not implies(self.k.facts[sign], Rel(q, ">")):
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

    def negative(self, poly: Poly) -> list[tuple[int, int]]:
        """Return exponentials with the powers that clear their negative exponents.

        Only exponentials have such exponents in the kernel's normal form, as they are never 0.
        """
        lowest: dict[int, int] = {}
        for monomial in poly:
            for atom, exponent in monomial:
                lowest[atom] = min(lowest.get(atom, 0), exponent)
        return [(a, -e) for a, e in sorted(lowest.items()) if e < 0]

    def without_negative(self, goal: Formula, negative: list[tuple[int, int]], depth: int) -> Steps:
        """Prove the goal times exponentials, and divide by them again.

        Args:
            goal: A relation other than `!=`.
            negative: Atoms and exponents, as `negative` returns them.
            depth: Goals around this one.
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
            goal: The relation before.
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

    def constant(self, goal: Formula) -> Steps:
        """Prove a relation between numbers, `!=` by the sign of the number.

        Raises:
            GivenUp: For a false relation.
        """
        value = goal[1].get(ONE, 0)
        if goal[2] == "==" and not value:
            steps: Steps = []
            return [*steps, ["sum", [], []], ["end", len(self.k.facts)]]
        if goal[2] in _ORDERED and (value > 0 or (value == 0 and goal[2] == ">=")):
            return [["sum", [[_text(value), [], []]], []], ["end", len(self.k.facts)]]
        if goal[2] == "!=" and value:
            return [["sum", [[_text(abs(value)), [], []]], []], ["end", len(self.k.facts)]]
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
            depth: Goals around this one.
        """
        equations = [
            (r, f[1]) for r, f in enumerate(self.k.facts) if f[0] == "rel" and f[2] == "==" and len(f[1]) <= 60
        ]
        if equations:
            found = self.divided(poly, equations)
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

    def divided(self, poly: Poly, equations: Sequence[tuple[int, Poly]]) -> dict[int, Poly] | None:
        """Return cofactors of equations whose sum is the polynomial: by SymPy's division with remainder.

        A remainder depends on the order of the atoms when the equations are no Groebner basis, so that two orders are
        tried. None thus does not say that there are no cofactors.

        Args:
            poly: The polynomial.
            equations: Numbers of facts, with polynomials that are 0.

        Returns:
            A cofactor for each equation that takes part; None where the division leaves a remainder, for negative
            exponents, of which SymPy's polynomials know nothing, and for high ones.
        """
        atoms = sorted({a for p in (poly, *(e for _, e in equations)) for m in p for a, _ in m})
        if any(not 0 <= e <= _HIGHEST for p in (poly, *(q for _, q in equations)) for m in p for _, e in m):
            return None
        symbols = {a: sympy.Symbol(f"a{a}") for a in atoms}

        def symbolic(p: Poly) -> Any:
            rows = {}
            for m, c in p.items():
                powers = dict(m)
                rows[tuple(powers.get(a, 0) for a in atoms)] = sympy.Rational(
                    Fraction(c).numerator, Fraction(c).denominator
                )
            return sympy.Poly(rows, *symbols.values())

        related = [(r, e) for r, e in equations if e]
        for order in (atoms, atoms[::-1]):
            atoms, symbols = order, {a: symbols[a] for a in order}
            try:
                quotients, rest = sympy.reduced(
                    symbolic(poly), [symbolic(e) for _, e in related], *symbols.values(), order="grevlex", polys=True
                )
            except (sympy.PolynomialError, ValueError):
                return None
            if rest == 0:
                break
        else:
            return None
        found = {}
        for (ref, _), quotient in zip(related, quotients, strict=True):
            if quotient != 0:
                found[ref] = {
                    tuple((a, e) for a, e in zip(atoms, m, strict=True) if e): Fraction(int(c.p), int(c.q))
                    for m, c in quotient.terms()
                }
        return found

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
        factors = self.factored(poly)
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
                if self.quotient(self.k.facts[at][1], divisor) is None:
                    raise GivenUp("a factor that does not divide")
                # The equation times 1/q, less the rest times q (1/q) - 1.
                first = self.emit(steps, "inv", self.data(divisor), ref)
                at = self.quotient_fact(steps, at, divisor, first)
        return [*steps, ["end", at]]

    def quotient_fact(self, steps: Steps, at: int, divisor: Poly, after: int) -> int:
        """State p / q = 0 from p = 0 and the equation q (1/q) = 1.

        Args:
            steps: The proof so far.
            at: The number of the fact p = 0.
            divisor: The polynomial q, which divides p.
            after: Where the equation was stated; it is looked for among all facts.

        Returns:
            The number of the new fact.
        """
        inverse = self.k.terms.inverse(divisor)
        one = self.k.terms.add(self.k.terms.multiply(divisor, inverse), {ONE: 1}, -1)
        same = self.known(Rel(one, "=="))
        rest = self.quotient(self.k.facts[at][1], divisor)
        if same is None or rest is None:
            raise GivenUp("a quotient")
        minus = self.data(self.k.terms.add({}, rest, -1))
        return self.emit(steps, "sum", [], [[at, self.data(inverse)], [same, minus]])

    def divided_by(self, goal: Formula, product: int, divisor: int) -> Steps:
        """Prove p >= 0 (or > 0) from M p >= 0 (or > 0) and M > 0: the opposite times M contradicts it."""
        steps: Steps = [["suppose"]]
        self.k.assume(self.k.negate(goal))
        opposite = len(self.k.facts) - 1
        last = self.emit(steps, "sum", [[1, [product], []], [1, [divisor, opposite], []]], [])
        if not absurd(self.k.facts[last]):
            raise GivenUp("no division")
        return [*steps, ["end", last]]

    def quotient(self, poly: Poly, divisor: Poly) -> Poly | None:
        """Return the quotient of a division without remainder; None if there is a remainder, or an exponent is
        negative.
        """
        ring, atoms = self.ring([poly, divisor])
        if ring is None:
            return None
        q, r = divmod(self.to(ring, atoms, poly), self.to(ring, atoms, divisor))
        return self.of(atoms, q) if r == 0 else None

    # ---------------------------------------------------------------------------------------------- inequalities

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
            if fact[0] != "rel" or fact[2] not in _ORDERED or len(fact[1]) < 2 or (op == ">" and fact[2] == ">="):
                continue
            atoms = {a for m in fact[1] for a, _ in m}
            # A divisor has no atom that the product does not have.
            if not atoms <= own or len(fact[1]) > len(poly):
                continue
            quotient = self.quotient(poly, fact[1])
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
        last = self.emit(steps, "sum", [[_text(factor), [ref], []]], [])
        return [*steps, ["end", last]]

    def by_factors(self, goal: Formula, depth: int) -> Steps:
        """Prove a product of factors from the signs of the factors.

        A factor with an even exponent is a square; any other one is proved to be >= 0, or its negative is.

        Raises:
            GivenUp: For an irreducible polynomial, a factor without a sign, and signs that multiply to the wrong one.
        """
        _, poly, op = goal
        factors = self.factored(poly)
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
        last = self.emit(steps, "sum", [[_text(ratio), refs, squares]], [])
        return [*steps, ["end", last]]

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
            depth: Goals around this one.
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

    def combine(self, found: Combination, atoms: Sequence[int]) -> Steps:
        """State the combination that was found, and close the goal by it.

        Args:
            found: The combination, over the atoms of the problem.
            atoms: The checker's numbers of these atoms.

        Raises:
            GivenUp: Where the sum is no contradiction after all.
        """
        steps: Steps = []

        def poly(terms: Any) -> Any:
            return self.data(
                {tuple((a, e) for a, e in zip(atoms, m, strict=True) if e): c for m, c in terms.items() if c}
            )

        products = [[_text(c), refs, [poly(s) for s in squares]] for c, refs, squares in found.products]
        multiples = [[ref, poly(c)] for ref, c in found.multiples.items()]
        last = self.emit(steps, "sum", products, multiples)
        if not absurd(self.k.facts[last]):
            raise GivenUp("the combination is no contradiction")
        return [*steps, ["end", last]]

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
            if op in _ORDERED and len(single) == 1 and len(single[0]) == 1 and single[0][0][1] == 1 and ref != goal:
                c = Fraction(poly[single[0]])
                if c > 0:
                    atom, bound = place[single[0][0][0]], -Fraction(poly.get(ONE, 0)) / c
                    old = bounds.get(atom)
                    if old is None or (bound, op == ">") > (old[1], old[2]):
                        # The linear program knows bounds of the form atom >= b alone.
                        at = ref if c == 1 else self.emit(steps, "sum", [[_text(1 / c), [ref], []]], [])
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
            if all(0 <= e <= _HIGHEST and self.k.terms.atoms[a][0] != "inv" for a, e in exponents):
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
        """Prove the goal where an atom is 0, or where it is positive.

        Args:
            case: The relation that is assumed.
            depth: Goals around this one.
        """
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

    # ---------------------------------------------------------------------------------------------- polynomials

    def ring(self, polys: Sequence[Poly]) -> tuple[Any, list[int]]:
        """Return a ring over the atoms of polynomials, and the atoms; no ring for negative and for high exponents.

        FLINT's polynomials are fast, and know no reciprocals. A quotient may have as many terms as the exponent says,
        and exp(10^16 x) is a power with the exponent 10^16.
        """
        atoms = sorted({a for p in polys for m in p for a, _ in m})
        if not atoms or any(not 0 <= e <= _HIGHEST for p in polys for m in p for _, e in m):
            return None, atoms
        return flint.fmpq_mpoly_ctx.get(tuple(f"x{i}" for i in range(len(atoms))), flint.Ordering.lex), atoms

    def to(self, ring: Any, atoms: Sequence[int], poly: Poly) -> Any:
        """Return a polynomial as an element of a ring."""
        rows = {}
        for m, c in poly.items():
            powers = dict(m)
            value = Fraction(c)
            rows[tuple(powers.get(a, 0) for a in atoms)] = flint.fmpq(value.numerator, value.denominator)
        return ring.from_dict(rows)

    def of(self, atoms: Sequence[int], poly: Any) -> Poly:
        """Return an element of a ring as a polynomial."""
        return {
            tuple((a, int(e)) for a, e in zip(atoms, m, strict=True) if e): (
                int(c.p) if c.q == 1 else Fraction(int(c.p), int(c.q))
            )
            for m, c in poly.to_dict().items()
        }

    def factored(self, poly: Poly) -> list[tuple[Poly, int]]:
        """Return irreducible factors with exponents; numbers are left out, but for a constant polynomial.

        The product of the factors is the polynomial up to its sign; see `leading`.
        """
        ring, atoms = self.ring([poly])
        if ring is None:
            return (
                [(poly, 1)]
                if not poly.keys() - {ONE} and poly.get(ONE, 0) != 1
                else [(poly, 1)]
                if poly.keys() - {ONE}
                else []
            )
        content, factors = self.to(ring, atoms, poly).factor()
        found = [(self.of(atoms, f), int(e)) for f, e in factors]
        if content != 1:
            value = Fraction(int(content.p), int(content.q))
            if abs(value) != 1:
                found.append(({ONE: abs(value)}, 1))
        return found

    # ---------------------------------------------------------------------------------------------- guesses

    def guess(self, goal: Formula, work: int = _GUESS) -> bool | None:
        """Return what z3 thinks of a relation over the atoms: None where it does not know.

        Args:
            goal: A relation.
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
        if any(abs(exponent) > _HIGHEST for monomial in goal[1] for _, exponent in monomial):
            return None
        # A context of its own: the answer must not depend on the questions before.
        context = z3.Context()
        reals: dict[int, Any] = {}
        self._account()
        self.budget.check()

        def term(poly: Poly) -> Any:
            parts = []
            for m, c in poly.items():
                value = Fraction(c)
                factors = [z3.RealVal(f"{value.numerator}/{value.denominator}", context)]
                for atom, exponent in m:
                    if atom not in reals:
                        reals[atom] = z3.Real(f"a{atom}", context)
                    factors += [reals[atom]] * abs(exponent) if exponent > 0 else [1 / reals[atom]] * abs(exponent)
                parts.append(z3.Product(factors))
                self.budget.factors(len(factors))
            return z3.Sum(parts) if parts else z3.RealVal(0, context)

        compare = {">=": lambda t: t >= 0, ">": lambda t: t > 0, "==": lambda t: t == 0, "!=": lambda t: t != 0}
        solver = z3.Tactic("qfnra-nlsat", ctx=context).solver()
        solver.set("rlimit", self.budget.z3_steps(work))
        # Far above what its steps take: a guard against steps that do not end, and no answer depends on it.
        solver.set("timeout", 1000 * PATIENCE)
        for _, poly, op in (f for f in self.k.facts if f[0] == "rel"):
            # Long facts slow z3 down more than they help a guess.
            if len(poly) <= 60 and all(abs(exponent) <= _HIGHEST for monomial in poly for _, exponent in monomial):
                solver.add(compare[op](term(poly)))
        negated = self.k.negate(goal)
        solver.add(compare[negated[2]](term(negated[1])))
        answer = solver.check()
        if answer == z3.unknown and solver.reason_unknown() == "timeout":
            raise TooSlow(f"out of time: z3 took more than {PATIENCE} s for a question of few steps")
        self.budget.question(next((count for name, count in solver.statistics() if name == "rlimit count"), 0))
        return True if answer == z3.unsat else False if answer == z3.sat else None


def _all_steps(steps: Any) -> Iterator[list[Any]]:
    """Yield every step of a proof, nested ones too.

    The places of nested proofs are those of the kernel's format.
    """
    for step in steps:
        yield step
        name = step[0]
        if name == "have":
            yield from _all_steps(step[2])
        elif name == "use":
            yield from _all_steps(step[3])
        elif name == "mean":
            yield from _all_steps(step[6])
        elif name == "cases":
            for proof in step[2]:
                yield from _all_steps(proof)
        elif name == "each":
            for proof in step[1]:
                yield from _all_steps(proof)
