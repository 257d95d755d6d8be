"""The kernel: a proof of a statement, checked step by step over the rationals.

A proof is a list of steps. Each adds facts to those that are known, or closes the goal. Facts and goals are formulas
whose relations compare a polynomial (`rgm_verify.kernel.terms`) with 0. Steps that add facts:

    ["sum", [[c, [facts], [squares]], ...], [[fact, cofactor], ...]]
                        a nonnegative combination of products of inequalities and squares, and multiples of equations
    ["clear", fact, q, sign]                  a relation times q, where q (1/q) is 1 and `sign` says q > 0 (or q != 0)
    ["have", [op, poly], proof]               a relation that has a proof of its own
    ["use", claim, {variable: tree}, proof]   another claim at values of its variables that satisfy its hypotheses
    ["mean", f, name, low, high, apart, proof]   the mean value theorem, at a new variable between low and high
    [rule, ...]                               a rule for a function: see `rgm_verify.kernel.rules`

Steps that close: ["end", fact], ["end", fact, fact] (they exclude each other), ["cases", fact, [proof, ...]], ["each",
[proof, ...]]. Steps that change the goal: ["suppose"] (its negation becomes a fact; the proof goes on to a
contradiction), ["choose", index], ["clear_goal", q, sign]. A polynomial is a list of terms [c, name, exponent, name,
exponent, ...] over the document's `names`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import eq, ge, gt, ne
from typing import Any

from rgm_verify.kernel.calculus import asks, conditions, derivative, resolved, small, substitute, whole
from rgm_verify.kernel.rules import RULES
from rgm_verify.kernel.terms import (
    FALSE,
    ONE,
    WALKED,
    And,
    Formula,
    Or,
    Poly,
    Refused,
    Rel,
    Terms,
    Tree,
    literal,
    require,
    same,
)

MOST_STEPS = 20_000
DEEPEST = 60
#: The points of the mean value theorem have this name and a number; no variable of a statement begins with it.
BETWEEN = "between "
FORMAT = "rgm-verify proof 2"
PARTS = ("quantifier", "variables", "hypotheses", "conclusion")
FIELDS = {"format", "claim", "statement", "premises", "names", "witness", "proof"}

_SIGNS: dict[str, Callable[[Any, Any], bool]] = {">=": ge, ">": gt, "==": eq, "!=": ne}
#: What a relation implies when its polynomial is multiplied by a positive number, and by a negative one.
_IMPLIES = {">": {">", ">=", "!="}, ">=": {">="}, "==": {"==", ">="}, "!=": {"!="}}
_IMPLIES_TURNED = {">": {"!="}, ">=": set(), "==": {"==", ">="}, "!=": {"!="}}
_TURNED = {"<=": ">=", "<": ">"}


class Checker:
    """The state of one check: facts, terms, and the premises that the proof used.

    `names` are the trees that polynomials of the document refer to by number, `variables` say which are integers.
    """

    def __init__(self, names: list[Tree], premises: Mapping[str, Any], variables: Mapping[str, bool]) -> None:
        self.terms, self.names, self.premises = Terms(variables), names, premises
        self.kinds = dict(variables)
        self.facts: list[Formula] = []
        self.used: set[str] = set()
        self.steps = self.fresh = 0

    # ---------------------------------------------------------------------------------------------- formulas

    def formula(self, tree: Tree) -> Formula:
        """Return the formula of a tree; `Refused` for what is none. `a <= b` is kept as `b - a >= 0`."""
        op = tree[0] if isinstance(tree, list) and tree else None
        if op in ("and", "or") and len(tree) > 1:
            return (And if op == "and" else Or)([self.formula(part) for part in tree[1:]])
        if op in ("implies", "iff") and len(tree) == 3:
            left, right = self.formula(tree[1]), self.formula(tree[2])
            forward = Or([self.negate(left), right])
            return forward if op == "implies" else And([forward, Or([left, self.negate(right)])])
        if op in (*_TURNED, *_SIGNS) and len(tree) == 3:
            high, low = map(self.terms.poly, tree[2:0:-1] if op in _TURNED else tree[1:])
            return Rel(self.terms.add(high, low, -1), _TURNED.get(str(op), str(op)))
        raise Refused(f"{op!r:.60}: expected a formula")

    def negate(self, formula: Formula) -> Formula:
        """Return the formula that holds exactly where this one does not: terms are total, so one of both does."""
        # An `iff` holds its sides twice: nested, a short statement would have a negation of any size.
        self.terms.spend(20)
        if formula[0] != "rel":
            return ("or" if formula[0] == "and" else "and", tuple(map(self.negate, formula[1])))
        _, poly, op = formula
        if op in ("==", "!="):
            return Rel(poly, "!=" if op == "==" else "==")
        return Rel(self.terms.add({}, poly, -1), ">" if op == ">=" else ">=")

    def needs(self, tree: Tree) -> Iterator[Formula]:
        """Yield what makes each term of an expression or a formula a real number, arguments first."""
        if not isinstance(tree, str) and tree[0] != "var":
            for argument in tree[1:]:
                yield from self.needs(argument)
            yield from map(self.formula, asks(tree))

    def assume(self, formula: Formula) -> None:
        """Add a fact; a conjunction adds its parts."""
        if formula[0] == "and":
            for part in formula[1]:
                self.assume(part)
        else:
            self.facts.append(formula)

    def grant(self, tree: Tree) -> None:
        """Assume a hypothesis, and that its sides are defined: it speaks of points where they are."""
        # Not inside of `or`: an alternative that does not hold may speak of what is not defined.
        for part in tree[1:] if tree[0] == "and" else [tree]:
            for need in self.needs(part) if part[0] in (*_TURNED, *_SIGNS) else ():
                self.assume(need)
            self.assume(self.formula(part))

    def obligations(self, tree: Tree) -> list[Formula]:
        """Return what has to be proved for a conclusion: its terms are defined, and it holds."""
        return [n for n in self.needs(tree) if not self.evident(n)] + [self.formula(tree)]

    def evident(self, formula: Formula) -> bool:
        """Return whether a formula is a fact, or a true relation between numbers."""
        if formula[0] == "rel" and not formula[1].keys() - {ONE}:
            return _SIGNS[formula[2]](formula[1].get(ONE, 0), 0)
        if any(implies(fact, formula) for fact in self.facts):
            return True
        return formula[0] != "rel" and (all if formula[0] == "and" else any)(map(self.evident, formula[1]))

    def open(self, formulas: Sequence[Formula]) -> Formula:
        """Return the goal that formulas hold, without those that are evident."""
        return And([f for f in formulas if not self.evident(f)])

    def instance(self, stated: Mapping[str, Any], images: Mapping[str, Tree]) -> list[Formula]:
        """Return what says that values of a statement's variables are in their domains and satisfy its hypotheses."""
        require(set(images) == {name for name, _, _ in stated["variables"]}, "expected a value for each variable")
        small(["values", *images.values()])
        found: list[Formula] = []
        for name, kind, domain in stated["variables"]:
            require(kind == "real" or whole(images[name], self.kinds), "{!r:.60}: its value is no integer", name)
            found += self.needs(images[name])
            found += [f for relation in domain for f in self.obligations(substitute(relation, images))]
        return found + [f for h in stated["hypotheses"] for f in self.obligations(substitute(h, images))]

    # ---------------------------------------------------------------------------------------------- proofs

    def prove(self, goal: Formula, proof: Any, depth: int = 0) -> None:
        """Check a proof of a goal from the facts that are known, which are the same afterwards; `Refused` else."""
        if goal == ("and", ()) and proof == []:
            return
        require(depth <= DEEPEST, "the proof is nested more than {} times", DEEPEST)
        known = len(self.facts)
        for index, step in enumerate(proof):
            self.steps += 1
            require(self.steps <= MOST_STEPS, "the proof has more than {} steps", MOST_STEPS)
            good = isinstance(step, list) and step and isinstance(step[0], str)
            require(good, "{!r:.60}: expected a step, such as ['end', 3]", step)
            name = step[0]
            if step == ["suppose"]:
                self.assume(self.negate(goal))
                goal = FALSE
            elif name == "choose" and len(step) == 2 and goal[0] == "or" and step[1] in range(len(goal[1])):
                goal = goal[1][step[1]]
            elif name == "clear_goal" and len(step) == 3:
                goal = self.cleared(goal, *step[1:])
            elif name in ("end", "cases", "each"):
                require(index == len(proof) - 1, "{}: steps after it belong to no goal", name)
                getattr(self, f"_close_{name}")(goal, depth, *step[1:])
                del self.facts[known:]
                return
            else:
                self.advance(step, depth)
        raise Refused("the proof stops before its goal is reached")

    def advance(self, step: Sequence[Any], depth: int = 0) -> None:
        """Do a step that adds facts."""
        name = step[0]
        if name in ("sum", "clear", "have", "use", "mean"):
            getattr(self, f"_step_{name}")(depth, *step[1:])
        else:
            require(name in RULES, "{!r:.40}: no step of the kernel", name)
            for fact in RULES[name](self, *step[1:]):
                self.assume(fact)

    def _close_end(self, goal: Formula, depth: int, ref: int, *others: int) -> None:
        """A fact is the goal, or absurd; or it excludes another fact, and from a contradiction any goal follows."""
        fact, goals = self.fact(ref), [self.negate(self.fact(other)) for other in others] or [goal]
        good = absurd(fact) or any(implies(fact, g) for g in goals)
        require(good, "fact {} is not the goal, and excludes none of {!r:.60}", ref, others)

    def _close_cases(self, goal: Formula, depth: int, ref: int, proofs: Any) -> None:
        """Prove the goal once in each alternative of a disjunction, with that alternative as a fact."""
        fact, known = self.fact(ref), len(self.facts)
        good = fact[0] == "or" and len(proofs) == len(fact[1])
        require(good, "cases: fact {} has not as many alternatives as there are proofs", ref)
        for case, proof in zip(fact[1], proofs, strict=True):
            self.assume(case)
            self.prove(goal, proof, depth + 1)
            del self.facts[known:]

    def _close_each(self, goal: Formula, depth: int, proofs: Any) -> None:
        """Prove the parts of a conjunction in order; a part that is proved is a fact for those behind it."""
        good = goal[0] == "and" and len(proofs) == len(goal[1])
        require(good, "each: the goal has not as many parts as there are proofs")
        for part, proof in zip(goal[1], proofs, strict=True):
            self.prove(part, proof, depth + 1)
            self.assume(part)

    # ---------------------------------------------------------------------------------------------- steps

    def fact(self, ref: int) -> Formula:
        """Return a fact by its number."""
        good = type(ref) is int and 0 <= ref < len(self.facts)
        require(good, "fact {!r:.40}: there are {} facts, numbered from 0", ref, len(self.facts))
        return self.facts[ref]

    def relation(self, ref: Any, ops: Sequence[str]) -> Formula:
        """Return a fact that is a relation with one of some signs."""
        fact = self.fact(ref)
        require(fact[0] == "rel" and fact[2] in ops, "fact {} is no relation with one of the signs {}", ref, ops)
        return fact

    def poly(self, data: Any) -> Poly:
        """Return a polynomial from its terms over the document's names."""
        total: Poly = {}
        for term in data:
            good = isinstance(term, list) and len(term) % 2
            require(good, "{!r:.60}: expected a term, [coefficient, name, exponent, ...]", term)
            product: Poly = {ONE: literal(term[0])}
            for name, exponent in zip(term[1::2], term[2::2], strict=True):
                good = isinstance(name, int) and 0 <= name < len(self.names) and isinstance(exponent, int)
                require(good, "{!r:.60}: there are {} names, and integer exponents", term, len(self.names))
                base = self.terms.poly(self.names[name])
                product = self.terms.multiply(product, self.terms.power(base, exponent))
            total = self.terms.add(total, product)
        return total

    def says(self, ref: Any, poly: Poly, op: str) -> bool:
        """Return whether a fact (or arithmetic alone, for null) says `poly op 0`."""
        goal = Rel(poly, op)
        return self.evident(goal) if ref is None else implies(self.fact(ref), goal)

    def positive(self, ref: Any, poly: Poly, op: str = ">") -> None:
        """Refuse unless a fact says `poly op 0`."""
        require(self.says(ref, poly, op), "fact {!r:.40} does not say that the argument is {} 0", ref, op)

    def _step_sum(self, depth: int, products: list[Any], multiples: list[Any]) -> None:
        """Add what a sum says: > 0 if a product of strict facts alone counts, >= 0 for others, == 0 for none."""
        total: Poly = {}
        op = ">=" if products else "=="
        for coefficient, refs, squares in products:
            value = literal(coefficient)
            require(value >= 0, "sum: the coefficient {} is negative", coefficient)
            factors = [self.relation(ref, (">=", ">", "==")) for ref in refs]
            product: Poly = {ONE: value}
            for base in (*(f[1] for f in factors), *(p for s in squares for p in [self.poly(s)] * 2)):
                product = self.terms.multiply(product, base)
            total = self.terms.add(total, product)
            # A square may be 0, and so may a product with a factor that is only >= 0.
            if value > 0 and not squares and all(f[2] == ">" for f in factors):
                op = ">"
        for ref, cofactor in multiples:
            equation = self.relation(ref, ("==",))
            total = self.terms.add(total, self.terms.multiply(equation[1], self.poly(cofactor)))
        self.assume(Rel(total, op))

    def cleared(self, relation: Formula, data: Any, sign: Any) -> Formula:
        """Return an equivalent relation: both sides times q, where q > 0 (q != 0 for an equation)."""
        q = self.poly(data)
        require(relation[0] == "rel", "clear: expected a relation")
        self.positive(sign, q, "!=" if relation[2] in ("==", "!=") else ">")
        # `inverse` takes q apart, so that 1/q is one term; q * (1/q) = 1 needs the sign that was asked for.
        ((inverse, factor),) = self.terms.inverse(q).items()
        undone = 1 / Fraction(factor)
        product: Poly = {}
        for monomial, coefficient in relation[1].items():
            rest = self.terms.without(monomial, inverse)
            term = self.terms.multiply({monomial: coefficient}, q) if rest is None else {rest: coefficient * undone}
            product = self.terms.add(product, term)
        return Rel(product, relation[2])

    def _step_clear(self, depth: int, ref: int, data: Any, sign: Any) -> None:
        self.assume(self.cleared(self.fact(ref), data, sign))

    def _step_have(self, depth: int, relation: Any, proof: Any) -> None:
        """Add a relation between a polynomial and 0 that has a proof of its own from the facts so far."""
        op, data = relation
        require(op in _SIGNS, "have: {!r:.40}: expected one of the signs {}", op, list(_SIGNS))
        goal = Rel(self.poly(data), op)
        self.prove(goal, proof, depth + 1)
        self.assume(goal)

    def _step_use(self, depth: int, claim: Any, images: Any, proof: Any) -> None:
        """Take another claim at values: each is defined and in its domain, and the hypotheses hold there."""
        stated: Any = self.premises.get(claim)
        good = stated is not None and stated["quantifier"] == "forall"
        require(good, "use: {!r:.60} is no premise of the document that speaks of all values", claim)
        self.prove(self.open(self.instance(stated, images)), proof, depth + 1)
        conclusion = substitute(stated["conclusion"], images)
        for fact in (*self.needs(conclusion), self.formula(conclusion)):
            self.assume(fact)
        self.used.add(claim)

    def _step_mean(self, depth: int, tree: Tree, name: Any, low: Tree, high: Tree, apart: Any, proof: Any) -> None:
        """The mean value theorem: f(high) - f(low) = f'(w) (high - low) for some w between, where f is smooth.

        `apart` is a fact that says high > low or low > high.
        """
        add, poly = self.terms.add, self.terms.poly
        way, slope = add(poly(small(high)), poly(small(low)), -1), small(derivative(small(tree), name))
        gap = add(poly(substitute(tree, {name: high})), poly(substitute(tree, {name: low})), -1)
        start, end = (low, high) if self.says(apart, way, ">") else (high, low)
        self.positive(apart, add(poly(end), poly(start), -1))
        # Nothing mentions the point so far: only from here on may trees hold its name.
        self.fresh += 1
        w = ["var", f"{BETWEEN}{self.fresh}"]
        self.terms.variables.add(w[1])
        sides = add(poly(w), poly(start), -1), add(poly(end), poly(w), -1)
        known = len(self.facts)
        self.facts += [Rel(side, ">=") for side in sides]
        smooth = [self.formula(substitute(condition, {name: w})) for condition in conditions(tree, name)]
        self.prove(self.open(smooth), proof, depth + 1)
        del self.facts[known:]
        equation = add(gap, self.terms.multiply(poly(substitute(slope, {name: w})), way), -1)
        self.facts += [Rel(equation, "=="), *(Rel(side, ">") for side in sides)]


def implies(fact: Formula, goal: Formula) -> bool:
    """Return whether a fact is the goal, up to a factor and to a weaker relation."""
    if same(fact, goal) or goal == ("and", ()):
        return True
    if fact[0] != "rel" or goal[0] != "rel":
        return goal[0] == "or" and any(implies(fact, part) for part in goal[1])
    left, right = fact[1], goal[1]
    if left.keys() != right.keys() or not left:
        return False
    first = next(iter(left))
    ratio = Fraction(right[first]) / left[first]
    allowed = (_IMPLIES if ratio > 0 else _IMPLIES_TURNED)[fact[2]]
    return goal[2] in allowed and all(right[m] == ratio * c for m, c in left.items())


def absurd(fact: Formula) -> bool:
    """Return whether a fact is a relation between numbers that does not hold, or a disjunction of nothing."""
    if fact[0] != "rel":
        return fact == FALSE
    return not fact[1].keys() - {ONE} and not _SIGNS[fact[2]](fact[1].get(ONE, 0), 0)


# ---------------------------------------------------------------------------------------------- documents


def check(document: Any) -> tuple[str, ...]:
    """Check a document and return the ids of the premises that its proof used; raises `Refused`.

    What is then proved: `document["statement"]`, with all terms of its conclusion defined, provided that the premises
    in `document["premises"]` hold.
    """
    good = isinstance(document, dict) and set(document) == FIELDS and document["format"] == FORMAT
    require(good, "expected a document with format={!r} and exactly the fields {}", FORMAT, sorted(FIELDS))
    counted = WALKED.set([0])
    try:
        checker, goal = opened(document)
        checker.prove(goal, document["proof"])
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError, ArithmeticError, MemoryError) as error:
        raise Refused(f"malformed: {type(error).__name__}: {error!s:.100}") from error
    finally:
        WALKED.reset(counted)
    return tuple(sorted(checker.used))


def opened(document: Mapping[str, Any]) -> tuple[Checker, Formula]:
    """Return a checker that knows what the statement of a document assumes, and the goal."""
    require(document["claim"] not in document["premises"], "the claim is a premise of itself")
    stated = plain(document["statement"])
    premises = {name: plain(statement) for name, statement in document["premises"].items()}
    exists, witness = stated["quantifier"] == "exists", document["witness"]
    # A proof that something exists knows no variables: the witness is a constant.
    variables = {} if exists else {name: kind == "integer" for name, kind, _ in stated["variables"]}
    small(["names", *document["names"]])
    checker = Checker(document["names"], premises, variables)
    if exists:
        goals = checker.instance(stated, witness)
        goals += checker.obligations(substitute(stated["conclusion"], witness))
        return checker, checker.open(goals)
    for tree in (*(relation for _, _, domain in stated["variables"] for relation in domain), *stated["hypotheses"]):
        checker.grant(tree)
    return checker, And(checker.obligations(stated["conclusion"]))


def plain(stated: Any) -> dict[str, Any]:
    """Return a statement in the kernel's functions alone; raises `Refused` for one that is malformed."""
    quantifier, variables, hypotheses, conclusion = map(stated.__getitem__, PARTS)
    require(len(stated) == len(PARTS), "a statement holds exactly {}", PARTS)
    require(quantifier in ("forall", "exists"), "quantifier={!r:.40}: allowed are forall, exists", quantifier)
    kinds = {name: kind == "integer" for name, kind, _ in variables}
    good = len(kinds) == len(variables) and all(kind in ("real", "integer") for _, kind, _ in variables)
    require(good, "variables: expected different names, each real or integer")
    good = not any(name.startswith(BETWEEN) for name in kinds)
    require(good, "variables: a name beginning with {!r} stands for points of the mean value theorem", BETWEEN)
    small(["and", conclusion, *hypotheses, *(r for _, _, domain in variables for r in domain)])
    domains = [[name, kind, [resolved(r, kinds, slopes=False) for r in domain]] for name, kind, domain in variables]
    read = [quantifier, domains, [resolved(h, kinds, slopes=False) for h in hypotheses], resolved(conclusion, kinds)]
    return dict(zip(PARTS, read, strict=True))
