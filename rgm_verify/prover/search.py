"""The search for proofs: it runs the kernel's own steps and keeps those that lead to the goal.

The prover holds a kernel checker and does each step in it, so that the facts are the kernel's and a step that the
kernel would refuse is refused at once. The strategy: state what is known of every function that occurs
(`functions`), clear denominators whose sign is known and rewrite by equations (`denominators`), and close what is left
(`arithmetic`) by linear programming over products of facts (`combinations`). z3 guesses before each attempt whether a
relation follows from the facts as polynomials over atoms (`guesses`); its "no" saves the attempt.

It gives up with the goal at which it stopped. That it found nothing says nothing of the claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from rgm_verify.kernel.calculus import resolved, substitute
from rgm_verify.kernel.check import FORMAT, absurd, implies, opened, plain
from rgm_verify.kernel.terms import FALSE, ONE, And, Formula, Poly, Refused, Rel, Tree
from rgm_verify.prover.budget import PER_SECOND, Budget, GivenUp
from rgm_verify.prover.semidefinite import MISSING
from rgm_verify.prover.slopes import Slopes
from rgm_verify.prover.state import FALSE_GOAL, HIDDEN, ORDERED, Steps, text

__all__ = ["GivenUp", "Prover"]


class Prover(Slopes):
    """One search: a checker, the names that its proof uses, and how long it may go on.

    Args:
        terms: Products of nonnegative factors that the author names.
        monotone: A variable, a start and an order for Taylor's formula.
        witness: For a statement that something exists, a rational tree for each variable. The search finds none itself.
        budget: The work for the whole search, in counts: no clock is read.

    Attributes:
        goal: What the statement asks to be proved, its terms' definedness included.
        missing: Ids of premises whose conditions were not shown.

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
        self.statement, self.stated, self.raw = plain(statement), statement, dict(premises or {})
        self.exists = self.statement["quantifier"] == "exists"
        if self.exists and witness is None:
            raise GivenUp("no witness is known")
        self.witness = dict(witness or {}) if self.exists else {}
        k, self.goal = opened(self._document("the claim", [], self.raw))
        super().__init__(k, Budget(20 * PER_SECOND) if budget is None else budget)
        self.premises = self.k.premises
        self.uses = [(other, {name: self._read(t) for name, t in images.items()}) for other, images in uses]
        self.terms = [[self._read(factor) for factor in factors] for factors in terms]
        self.monotone = monotone and (monotone[0], self._read(monotone[1]), monotone[2])
        self.missing: list[str] = []
        """Premises whose conditions were not shown."""

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

    # ---------------------------------------------------------------------------------------------- what authors say

    def by_terms(self, goal: Formula) -> Steps:
        """Prove that the goal is the sum of the products that the author gave.

        Raises:
            GivenUp: Where the goal is no inequality, or the products do not add up to it.
        """
        if goal[0] != "rel" or goal[2] not in ORDERED:
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
        at = self.emit(steps, "sum", [[text(weight), refs, squares]], [])
        self.cleared_fact(steps, at)
        return at

    def taylor(self, goal: Formula, name: str, start: Tree, order: int) -> Steps:
        """Prove an inequality by Taylor's formula in a variable from a start.

        On each side of the start the difference of the sides is its value there plus a slope times the way. The sign of
        the slope is proved, or with a higher order the sign of the slope's own slope, and so on. At the start itself
        the value is looked at alone.

        Args:
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
            gap: The larger side less the smaller one, as a tree.
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

    # ---------------------------------------------------------------------------------------------- goals

    def solve(self, goal: Formula, depth: int = 0) -> Steps:
        """Return steps that close a goal; raises `GivenUp`.

        A conjunction part by part, a disjunction among the facts by cases, an alternative by choice, a relation by
        arithmetic.

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
