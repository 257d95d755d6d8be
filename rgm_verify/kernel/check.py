"""The kernel: a proof of a statement, checked step by step over the rationals.

A proof is a list of steps. Each adds facts to those that are known, or closes the goal. Facts and goals are formulas
whose relations compare a polynomial (`rgm_verify.kernel.terms`) with 0. Steps that add facts:

    ["sum", [[c, [facts], [squares]], ...], [[fact, cofactor], ...]]
                        a nonnegative combination of products of inequalities and squares, and multiples of equations
    ["divide", fact, positive, quotient]      M p >= 0 and M > 0 give p >= 0
    ["clear", fact, q, sign]                  a relation times q, where q (1/q) is 1 and `sign` says q > 0 (or q != 0)
    ["have", formula, proof]                  a formula that has a proof of its own
    ["use", claim, {variable: tree}, proof]   another claim at values of its variables that satisfy its hypotheses
    ["taylor", f, name, low, high, order, apart, proof]   Lagrange's form, at a new variable between low and high
    ["number", poly, bits]                    the sign of a constant, by an enclosure
    [rule, ...]                               a rule for a function: see `rgm_verify.kernel.rules`

Steps that close: ["end", fact], ["clash", fact, fact], ["cases", fact, [proof, ...]],
["sign", poly, [proof, proof, proof]], ["each", [proof, ...]]. Steps that change the goal: ["suppose"] (its negation
becomes a fact; the proof goes on to a contradiction), ["choose", index], ["clear_goal", q, sign]. A polynomial is a
list of terms [c, name, exponent, name, exponent, ...] over the document's `names`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rgm_verify.kernel.calculus import conditions, derivative, resolved, small
from rgm_verify.kernel.enclosures import enclose
from rgm_verify.kernel.formulas import FALSE, And, Formula, Or, Rel
from rgm_verify.kernel.rules import RULES
from rgm_verify.kernel.terms import ONE, Poly, Refused, Terms, Tree, literal, substitute

__all__ = ["FORMAT", "Checker", "absurd", "check", "exists_goal", "forall_goal", "implies", "plain"]

MOST_STEPS = 20_000
DEEPEST = 60
#: The points of Taylor's formula have this name and a number; no variable of a statement begins with it.
BETWEEN = "between "
FORMAT = "rgm-verify proof 1"

_SIGNS: dict[str, Callable[[Any], bool]] = {
    ">=": lambda c: c >= 0, ">": lambda c: c > 0, "==": lambda c: c == 0, "!=": lambda c: c != 0,
}  # fmt: skip
#: What a relation implies when its polynomial is multiplied by a positive number, and by a negative one.
_IMPLIES = {">": {">", ">=", "!="}, ">=": {">="}, "==": {"==", ">="}, "!=": {"!="}}
_IMPLIES_TURNED = {">": {"!="}, ">=": set(), "==": {"==", ">="}, "!=": {"!="}}


class Checker:
    """The state of one check: facts, terms, and the premises that the proof used."""

    def __init__(self, names: Sequence[Tree], premises: Mapping[str, Any], variables: Mapping[str, bool]) -> None:
        self.terms = Terms()
        self.names = [self.terms.poly(tree) for tree in names]
        self.premises = premises
        self.integers = frozenset(name for name, whole in variables.items() if whole)
        self.variables = frozenset(variables)
        self.facts: list[Formula] = []
        self.used: set[str] = set()
        self._steps = self._fresh = 0

    # ---------------------------------------------------------------------------------------------- formulas

    def formula(self, tree: Tree) -> Formula:
        """Return the formula of a tree."""
        op = tree[0] if isinstance(tree, list) and tree else None
        if op == "defined":
            return And([])
        if op in ("and", "or") and len(tree) > 1:
            return (And if op == "and" else Or)([self.formula(part) for part in tree[1:]])
        if op in ("implies", "iff") and len(tree) == 3:
            left, right = self.formula(tree[1]), self.formula(tree[2])
            forward = Or([self.negate(left), right])
            return forward if op == "implies" else And([forward, Or([left, self.negate(right)])])
        if op in ("<=", "<", ">=", ">", "==", "!=") and len(tree) == 3:
            low, high = self.terms.poly(tree[1]), self.terms.poly(tree[2])
            if op in ("<=", "<"):
                low, high, op = high, low, {"<=": ">=", "<": ">"}[op]
            return Rel(self.terms.add(low, high, -1), op)
        raise Refused(f"{tree!r:.60}: expected a formula")

    def negate(self, formula: Formula) -> Formula:
        """Return the formula that holds exactly where this one does not."""
        self.terms.spend(20)
        if formula[0] == "rel":
            _, poly, op = formula
            if op in ("==", "!="):
                return Rel(poly, "!=" if op == "==" else "==")
            return Rel(self.terms.add({}, poly, -1), ">" if op == ">=" else ">=")
        return ("or" if formula[0] == "and" else "and", tuple(self.negate(part) for part in formula[1]))

    def needs(self, tree: Tree) -> Iterator[Formula]:
        """Yield what makes each term of an expression or a formula a real number, arguments first."""
        if isinstance(tree, str):
            return
        name, arguments = tree[0], tree[1:]
        if name == "given":
            yield from self._slope_needs(arguments[0], arguments[1:])
            return
        for argument in arguments if name not in ("var", "logrem") else arguments[2:]:
            yield from self.needs(argument)
        if name == "pow":
            yield from self._power_needs(*arguments)
        elif name in ("log", "gamma", "loggamma", "digamma"):
            yield Rel(self.terms.poly(arguments[0]), ">")
        elif name in ("uppergamma", "lowergamma"):
            yield Rel(self.terms.poly(arguments[0]), ">")
            yield Rel(self.terms.poly(arguments[1]), ">=")
        elif name == "logrem":
            yield Rel(self.terms.add({ONE: 1}, self.terms.poly(arguments[2])), ">")

    def _slope_needs(self, slope: Tree, conditions: Sequence[Tree]) -> Iterator[Formula]:
        """Yield what a derivative asks for: of the function itself only what does not follow from the rest."""
        found = [need for part in (slope, *conditions) if part[0] != "defined" for need in self.needs(part)]
        found += [self.formula(condition) for condition in conditions]
        for function in (c[1] for c in conditions if c[0] == "defined"):
            for need in self.needs(function):
                self.terms.spend(len(found))
                if not any(implies(known, need) for known in found):
                    found.append(need)
        yield from found

    def _power_needs(self, base: Tree, exponent: Tree) -> Iterator[Formula]:
        value = self.terms.poly(base)
        if isinstance(exponent, str):
            power = Fraction(literal(exponent))
            if power.denominator > 1:
                yield Rel(value, ">=" if power > 0 else ">")
            elif power < 0:
                yield Rel(value, "!=")
            return
        if base == ["e"]:
            return
        order = self.terms.poly(exponent)
        if self.whole(exponent):
            yield Or([Rel(order, ">="), Rel(value, "!=")])
        else:
            yield Or([Rel(value, ">"), And([Rel(value, ">="), Rel(order, ">")])])

    def powers_needs(self, stated: Mapping[str, Any], images: Mapping[str, Tree]) -> Iterator[Formula]:
        """Yield what powers in the hypotheses ask for whose exponents are reals, but integers at the images.

        A hypothesis on x^y for real y speaks of x >= 0 alone, also where y happens to be 2.
        """
        integers = {name for name, kind, _ in stated["variables"] if kind == "integer"}
        for base, exponent in (p for h in stated["hypotheses"] for p in _powers(h)):
            image = substitute(exponent, images)
            if _whole(image, self.integers) and not _whole(exponent, integers) and base != ["e"]:
                value, order = self.terms.poly(substitute(base, images)), self.terms.poly(image)
                yield Or([Rel(value, ">"), And([Rel(value, ">="), Rel(order, ">")])])

    def whole(self, tree: Tree) -> bool:
        """Return whether an expression is an integer by its form: integer variables, sums, products."""
        return _whole(tree, self.integers)

    def assume(self, formula: Formula) -> None:
        """Add a fact; a conjunction adds its parts."""
        if formula[0] == "and":
            for part in formula[1]:
                self.assume(part)
        else:
            self.facts.append(formula)

    def grant(self, tree: Tree) -> None:
        """Assume a hypothesis, and that its sides are defined: it speaks of points where they are."""
        if tree[0] == "and":
            for part in tree[1:]:
                self.grant(part)
            return
        if tree[0] in ("<=", "<", ">=", ">", "==", "!="):
            for need in self.needs(tree):
                self.assume(need)
        self.assume(self.formula(tree))

    def obligations(self, tree: Tree) -> list[Formula]:
        """Return what has to be proved for a conclusion: its terms are defined, and it holds."""
        return [n for n in self.needs(tree) if not self.evident(n)] + [self.formula(tree)]

    def evident(self, formula: Formula) -> bool:
        """Return whether a formula is a fact, or a true relation between numbers."""
        if formula[0] == "rel" and not formula[1].keys() - {ONE}:
            return _SIGNS[formula[2]](formula[1].get(ONE, 0))
        if any(implies(fact, formula) for fact in self.facts):
            return True
        return formula[0] != "rel" and (all if formula[0] == "and" else any)(map(self.evident, formula[1]))

    # ---------------------------------------------------------------------------------------------- proofs

    def prove(self, goal: Formula, proof: Any, depth: int = 0) -> None:
        """Check a proof of a goal from the facts that are known; afterwards the facts are those before."""
        if depth > DEEPEST:
            raise Refused(f"the proof is nested more than {DEEPEST} times")
        if goal == ("and", ()) and proof == []:
            return
        known = len(self.facts)
        if not isinstance(proof, list):
            raise Refused(f"{proof!r:.60}: expected a proof, a list of steps")
        for index, step in enumerate(proof):
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise Refused(f"the proof has more than {MOST_STEPS} steps")
            if not (isinstance(step, list) and step and isinstance(step[0], str)):
                raise Refused(f"{step!r:.60}: expected a step, such as ['end', 3]")
            name = step[0]
            if name == "suppose" and len(step) == 1:
                self.assume(self.negate(goal))
                goal = FALSE
            elif name == "choose" and len(step) == 2 and goal[0] == "or" and step[1] in range(len(goal[1])):
                goal = goal[1][step[1]]
            elif name == "clear_goal" and len(step) == 3:
                goal = self.cleared(goal, *step[1:])
            elif name in _CLOSING:
                if index != len(proof) - 1:
                    raise Refused(f"{name}: steps after it belong to no goal")
                _arity(step, _CLOSING[name])
                getattr(self, f"_close_{name}")(goal, depth, *step[1:])
                del self.facts[known:]
                return
            else:
                self.advance(step, depth)
        raise Refused("the proof stops before its goal is reached")

    def advance(self, step: Sequence[Any], depth: int = 0) -> None:
        """Do a step that adds facts."""
        name = step[0]
        if name in _FORWARD:
            _arity(step, _FORWARD[name])
            getattr(self, f"_step_{name}")(depth, *step[1:])
        elif name in RULES:
            _arity(step, RULES[name][0])
            for fact in RULES[name][1](self, *step[1:]):
                self.assume(fact)
        else:
            raise Refused(f"{name!r:.40}: no step of the kernel")

    def _close_end(self, goal: Formula, depth: int, ref: int) -> None:
        fact = self.fact(ref)
        if not (absurd(fact) or implies(fact, goal)):
            raise Refused(f"fact {ref} is not the goal")

    def _close_clash(self, goal: Formula, depth: int, ref: int, other: int) -> None:
        if not implies(self.fact(ref), self.negate(self.fact(other))):
            raise Refused(f"facts {ref} and {other} do not exclude each other")

    def _close_cases(self, goal: Formula, depth: int, ref: int, proofs: Any) -> None:
        fact = self.fact(ref)
        if fact[0] != "or" or not isinstance(proofs, list) or len(proofs) != len(fact[1]):
            raise Refused(f"cases: fact {ref} has not as many alternatives as there are proofs")
        self._split(goal, depth, fact[1], proofs)

    def _close_sign(self, goal: Formula, depth: int, poly: Any, proofs: Any) -> None:
        value = self.poly(poly)
        cases = (Rel(value, ">"), Rel(value, "=="), Rel(self.terms.add({}, value, -1), ">"))
        if not isinstance(proofs, list) or len(proofs) != 3:
            raise Refused("sign: expected three proofs, for a positive, a zero and a negative value")
        self._split(goal, depth, cases, proofs)

    def _split(self, goal: Formula, depth: int, cases: Sequence[Formula], proofs: Sequence[Any]) -> None:
        known = len(self.facts)
        for case, proof in zip(cases, proofs, strict=True):
            self.assume(case)
            self.prove(goal, proof, depth + 1)
            del self.facts[known:]

    def _close_each(self, goal: Formula, depth: int, proofs: Any) -> None:
        parts = goal[1] if goal[0] == "and" else ()
        if not isinstance(proofs, list) or len(proofs) != len(parts) or not parts:
            raise Refused("each: the goal has not as many parts as there are proofs")
        for part, proof in zip(parts, proofs, strict=True):
            self.prove(part, proof, depth + 1)
            self.assume(part)

    # ---------------------------------------------------------------------------------------------- steps

    def fact(self, ref: Any) -> Formula:
        """Return a fact by its number."""
        if isinstance(ref, bool) or not isinstance(ref, int) or not 0 <= ref < len(self.facts):
            raise Refused(f"fact {ref!r:.40}: there are facts 0 to {len(self.facts) - 1}")
        return self.facts[ref]

    def poly(self, data: Any) -> Poly:
        """Return a polynomial from its terms over the document's names."""
        total: Poly = {}
        if not isinstance(data, list):
            raise Refused(f"{data!r:.60}: expected a list of terms")
        for term in data:
            if not isinstance(term, list) or len(term) % 2 == 0:
                raise Refused(f"{term!r:.60}: expected a term, [coefficient, name, exponent, ...]")
            product: Poly = {ONE: literal(term[0])}
            for name, exponent in zip(term[1::2], term[2::2], strict=True):
                if not isinstance(name, int) or not 0 <= name < len(self.names) or not isinstance(exponent, int):
                    raise Refused(f"{term!r:.60}: there are names 0 to {len(self.names) - 1}, and integer exponents")
                product = self.terms.multiply(product, self.terms.power(self.names[name], exponent))
            total = self.terms.add(total, product)
        return total

    def inequality(self, ref: Any) -> tuple[Poly, bool]:
        """Return the polynomial of a fact that it is >= 0, and whether it is > 0."""
        fact = self.fact(ref)
        if fact[0] != "rel" or fact[2] not in (">=", ">", "=="):
            raise Refused(f"fact {ref} is no inequality")
        return fact[1], fact[2] == ">"

    def says(self, ref: Any, poly: Poly, op: str) -> bool:
        """Return whether a fact (or arithmetic alone, for null) says `poly op 0`."""
        goal = Rel(poly, op)
        return self.evident(goal) if ref is None else implies(self.fact(ref), goal)

    def positive(self, ref: Any, poly: Poly, op: str = ">") -> None:
        """Refuse unless a fact says `poly op 0`."""
        if not self.says(ref, poly, op):
            raise Refused(f"fact {ref!r:.40} does not say that the argument is {op} 0")

    def _step_sum(self, depth: int, products: list[Any], multiples: list[Any]) -> None:
        total: Poly = {}
        strict, equation = False, True
        for coefficient, refs, squares in products:
            value = literal(coefficient)
            if value < 0:
                raise Refused(f"sum: the coefficient {coefficient} is negative")
            product, positive = {ONE: value}, value > 0
            for ref in refs:
                part, above = self.inequality(ref)
                product, positive = self.terms.multiply(product, part), positive and above
            for square in squares:
                base = self.poly(square)
                product, positive = self.terms.multiply(product, self.terms.multiply(base, base)), False
            total, strict, equation = self.terms.add(total, product), strict or positive, False
        for ref, cofactor in multiples:
            fact = self.fact(ref)
            if fact[0] != "rel" or fact[2] != "==":
                raise Refused(f"fact {ref} is no equation")
            total = self.terms.add(total, self.terms.multiply(fact[1], self.poly(cofactor)))
        self.assume(Rel(total, "==" if equation else ">" if strict else ">="))

    def _step_divide(self, depth: int, ref: int, positive: int, quotient: Any) -> None:
        fact, value = self.fact(ref), self.poly(quotient)
        divisor = self.fact(positive)
        nonzero = divisor[0] == "rel" and divisor[2] in (">", "!=")
        if fact[0] != "rel" or not nonzero or (divisor[2] == "!=" and fact[2] not in ("==", "!=")):
            raise Refused("divide: expected a relation, and a fact that the divisor is > 0")
        if self.terms.multiply(divisor[1], value) != fact[1]:
            raise Refused("divide: the divisor times the quotient is not the fact")
        self.assume(Rel(value, fact[2]))

    def cleared(self, relation: Formula, data: Any, sign: Any) -> Formula:
        """Return an equivalent relation: both sides times q, where q > 0 (q != 0 for an equation)."""
        q = self.poly(data)
        if relation[0] != "rel":
            raise Refused("clear: expected a relation")
        self.positive(sign, q, "!=" if relation[2] in ("==", "!=") else ">")
        (inverse,) = self.terms.inverse(q)
        product: Poly = {}
        for monomial, coefficient in relation[1].items():
            rest = self.terms.without(monomial, inverse)
            term = {monomial: coefficient} if rest is None else {rest: coefficient}
            factor = q if rest is None else {ONE: 1 / Fraction(self.terms.inverse(q)[inverse])}
            product = self.terms.add(product, self.terms.multiply(term, factor))
        return Rel(product, relation[2])

    def _step_clear(self, depth: int, ref: int, data: Any, sign: Any) -> None:
        self.assume(self.cleared(self.fact(ref), data, sign))

    def _mentioned(self, formula: Formula) -> set[str]:
        """Return the names of the variables in a formula."""
        if formula[0] == "rel":
            return self.terms.variables(formula[1])
        return {name for part in formula[1] for name in self._mentioned(part)}

    def _step_have(self, depth: int, tree: Any, proof: list[Any]) -> None:
        if isinstance(tree, list) and len(tree) == 2 and tree[0] in _SIGNS:
            goal = Rel(self.poly(tree[1]), tree[0])
        else:
            goal = self.formula(tree)
        self.prove(goal, proof, depth + 1)
        self.assume(goal)

    def _step_number(self, depth: int, data: Any, bits: int) -> None:
        value = self.poly(data)
        low, high = enclose(self.terms, value, bits)
        if low <= 0 <= high:
            raise Refused(f"number: the enclosure {float(low):.3g} to {float(high):.3g} does not tell the sign")
        self.assume(Rel(value if low > 0 else self.terms.add({}, value, -1), ">"))

    def _step_taylor(
        self, depth: int, tree: Tree, name: Any, low: Tree, high: Tree, order: Any, apart: Any, proof: Any
    ) -> None:
        """f(high) is Taylor's sum at low and f^(n)(w) (high - low)^n / n! for some w between, where f is smooth.

        `apart` is a fact that says high > low or low > high.
        """
        if not isinstance(order, int) or not 1 <= order <= 8 or not isinstance(name, str):
            raise Refused(f"taylor: order {order!r:.40}: allowed are 1 to 8")
        add, poly = self.terms.add, self.terms.poly
        start, end = poly(low), poly(high)
        way = add(end, start, -1)
        if not self.says(apart, way, ">"):
            way, start, end = add({}, way, -1), end, start
            self.positive(apart, way)
        self._fresh += 1
        between = ["var", f"{BETWEEN}{self._fresh}"]
        w = poly(between)
        known = len(self.facts)
        if any(between[1] in self._mentioned(fact) for fact in self.facts):
            raise Refused(f"taylor: {between[1]} stands in a fact already; the point between is a new one")
        if any(between[1] in _variables(part) for part in (tree, low, high)):
            raise Refused(f"taylor: {between[1]} stands in the function or at an end; the point between is a new one")
        self.assume(Rel(add(w, start, -1), ">="))
        self.assume(Rel(add(end, w, -1), ">="))
        smooth = [self.formula(substitute(condition, {name: between})) for condition in conditions(tree, name)]
        self.prove(And([c for c in smooth if not self.evident(c)]), proof, depth + 1)
        del self.facts[known:]
        way = add(poly(high), poly(low), -1)
        gap, slope = poly(substitute(tree, {name: high})), tree
        term: Poly = {ONE: 1}
        for j in range(order + 1):
            place = low if j < order else between
            gap = add(gap, self.terms.multiply(term, poly(substitute(slope, {name: place}))), -1)
            term = self.terms.add({}, self.terms.multiply(term, way), Fraction(1, j + 1))
            slope = small(derivative(slope, name)) if j < order else slope
        self.assume(Rel(gap, "=="))
        self.assume(Rel(add(w, start, -1), ">"))
        self.assume(Rel(add(end, w, -1), ">"))

    def _step_use(self, depth: int, claim: Any, images: Any, proof: Any) -> None:
        """Take another claim at values: each is defined and in its domain, and the hypotheses hold there."""
        stated = self.premises.get(claim) if isinstance(claim, str) else None
        if stated is None or stated["quantifier"] != "forall" or not isinstance(images, dict):
            raise Refused(f"use: {claim!r:.60} is no premise of the document that speaks of all values")
        conditions: list[Formula] = []
        if set(images) != {name for name, *_ in stated["variables"]}:
            raise Refused(f"use {claim}: expected a value for each of its variables")
        for name, kind, domain in stated["variables"]:
            if kind == "integer" and not self.whole(images[name]):
                raise Refused(f"use {claim}: the value of {name} is no integer by its form")
            conditions += self.needs(images[name])
            conditions += [f for relation in domain for f in self.obligations(substitute(relation, images))]
        for hypothesis in stated["hypotheses"]:
            conditions += self.obligations(substitute(hypothesis, images))
        conditions += self.powers_needs(stated, images)
        goal = And([c for c in conditions if not self.evident(c)])
        self.prove(goal, proof, depth + 1)
        conclusion = substitute(stated["conclusion"], images)
        for need in self.needs(conclusion):
            self.assume(need)
        self.assume(self.formula(conclusion))
        self.used.add(claim)


def implies(fact: Formula, goal: Formula) -> bool:
    """Return whether a fact is the goal, up to a factor and to a weaker relation."""
    if fact == goal or goal == ("and", ()):
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
    return not fact[1].keys() - {ONE} and not _SIGNS[fact[2]](fact[1].get(ONE, 0))


def _whole(tree: Tree, integers: Collection[str]) -> bool:
    """Return whether an expression is an integer by its form, given the variables that are."""
    if isinstance(tree, str):
        return Fraction(literal(tree)).denominator == 1
    if tree[0] == "var":
        return tree[1] in integers
    return tree[0] in ("add", "mul", "max", "min", "abs") and all(_whole(part, integers) for part in tree[1:])


def _powers(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield base and exponent of each power in a tree."""
    if isinstance(tree, str) or tree[0] == "var":
        return
    if tree[0] == "pow":
        yield tree[1], tree[2]
    for part in tree[1:]:
        yield from _powers(part)


def _arity(step: Sequence[Any], count: int) -> None:
    if len(step) != count + 1:
        raise Refused(f"{step[0]}: expected {count} arguments, got {len(step) - 1}")


_CLOSING = {"end": 1, "clash": 2, "cases": 2, "sign": 2, "each": 1}
_FORWARD = {"sum": 2, "divide": 3, "have": 2, "number": 2, "use": 3, "clear": 3, "taylor": 7}


def check(document: Any) -> tuple[str, ...]:
    """Check a document and return the ids of the premises that its proof used; raises `Refused`.

    What is then proved: `document["statement"]`, with all terms of its conclusion defined, provided that the premises
    in `document["premises"]` hold.
    """
    fields = {"format", "claim", "statement", "premises", "names", "witness", "proof"}
    if not isinstance(document, dict) or set(document) != fields or document["format"] != FORMAT:
        raise Refused(f"expected a document with format={FORMAT!r} and exactly the fields {', '.join(sorted(fields))}")
    witness = document["witness"]
    try:
        if document["claim"] in document["premises"]:
            raise Refused("the claim is a premise of itself")
        stated = plain(document["statement"])
        premises = {name: plain(statement) for name, statement in document["premises"].items()}
        checker = Checker(
            document["names"], premises, {name: kind == "integer" for name, kind, _ in stated["variables"]}
        )
        goal = (
            exists_goal(checker, stated, witness) if stated["quantifier"] == "exists" else forall_goal(checker, stated)
        )
        checker.prove(goal, document["proof"])
    except (
        TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError, ArithmeticError, MemoryError
    ) as error:  # fmt: skip
        if isinstance(error, Refused):
            raise
        raise Refused(f"malformed: {type(error).__name__}: {error!s:.100}") from error
    return tuple(sorted(checker.used))


def plain(stated: Any) -> dict[str, Any]:
    """Return a statement without derivatives and substitutions; raises `Refused` for one that is malformed."""
    if set(stated) != {"quantifier", "variables", "hypotheses", "conclusion"}:
        raise Refused("a statement holds exactly quantifier, variables, hypotheses and conclusion")
    if stated["quantifier"] not in ("forall", "exists"):
        raise Refused(f"quantifier={stated['quantifier']!r:.40}: allowed are forall, exists")
    names = [name for name, _, _ in stated["variables"]]
    if len(set(names)) != len(names) or any(kind not in ("real", "integer") for _, kind, _ in stated["variables"]):
        raise Refused("variables: expected different names, each real or integer")
    if any(name.startswith(BETWEEN) for name in names):
        raise Refused(f"variables: a name beginning with {BETWEEN!r} stands for points of Taylor's formula")
    found = {
        "quantifier": stated["quantifier"],
        "variables": [[name, kind, [resolved(r) for r in domain]] for name, kind, domain in stated["variables"]],
        "hypotheses": [resolved(h) for h in stated["hypotheses"]],
        "conclusion": resolved(stated["conclusion"]),
    }
    domains = [relation for _, _, domain in found["variables"] for relation in domain]
    for tree in (*domains, *found["hypotheses"], found["conclusion"]):
        stray = _variables(tree) - set(names)
        if stray:
            raise Refused(f"{sorted(stray)[0]!r:.60} is no variable of the statement")
    return found


def _variables(tree: Tree) -> set[str]:
    if isinstance(tree, str):
        return set()
    return {tree[1]} if tree[0] == "var" else {name for part in tree[1:] for name in _variables(part)}


def _holds(tree: Tree, head: str) -> bool:
    """Return whether a tree has a part with a head."""
    return not isinstance(tree, str) and (tree[0] == head or any(_holds(part, head) for part in tree[1:]))


def forall_goal(checker: Checker, stated: Mapping[str, Any]) -> Formula:
    """Assume the domains and the hypotheses, and return the goal."""
    for _, _, domain in stated["variables"]:
        for relation in domain:
            checker.grant(relation)
    for hypothesis in stated["hypotheses"]:
        if _holds(hypothesis, "given"):
            raise Refused("a hypothesis holds a derivative: where it is defined the kernel does not know")
        checker.grant(hypothesis)
    return And(checker.obligations(stated["conclusion"]))


def exists_goal(checker: Checker, stated: Mapping[str, Any], witness: Any) -> Formula:
    """Return the goal that the witness is in the domains, and that hypotheses and conclusion hold there."""
    if set(witness) != {name for name, _, _ in stated["variables"]}:
        raise Refused("witness: expected a value for each variable")
    goals: list[Formula] = []
    for name, kind, domain in stated["variables"]:
        if _variables(witness[name]) or (kind == "integer" and not checker.whole(witness[name])):
            raise Refused(f"witness: the value of {name!r:.60} is no constant of its kind")
        goals += checker.needs(witness[name])
        goals += [f for relation in domain for f in checker.obligations(substitute(relation, witness))]
    for tree in (*stated["hypotheses"], stated["conclusion"]):
        goals += checker.obligations(substitute(tree, witness))
    return And([g for g in goals if not checker.evident(g)])
