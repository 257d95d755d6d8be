"""Proofs as data of the theory in `theory/Syntax.v`: what a page's theorem is closed by, and nobody has to read.

The kernel checks a document first. Its atoms and polynomials are then written out, so that the checker in Coq searches
for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, reduce
from typing import Any

from rgm_verify.coq.trees import Node, Statement, Unsupported, formula_of, lift, number, statement_of, tree_of
from rgm_verify.kernel.calculus import asks
from rgm_verify.kernel.check import BETWEEN, opened, plain
from rgm_verify.kernel.enclosures import enclose
from rgm_verify.kernel.terms import Monomial, Poly, literal

_OPS = {">=": "GE", ">": "GT", "==": "EQ", "!=": "NE"}


def data(value: Any) -> str:
    """Return a value as Coq reads it: nodes are constructors with arguments, lists are lists, True is true."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"({value})" if value < 0 else str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{'; '.join(map(data, value))}]"
    # Scopes are said by the types of constructors: TZ's argument is an integer, TV's is positive.
    return f"({' '.join(map(data, value))})" if len(value) > 1 else str(value[0])


def chained(nodes: Sequence[Node], end: Any) -> str:
    """Return nodes as Coq reads them, each with the next one as its last argument: there may be thousands."""
    begun = [" ".join(["(" + node[0], *map(data, node[1:]), ""]) for node in nodes]
    return "".join([*begun, data(end), ")" * len(begun)])


def _pair(*parts: Any) -> str:
    return f"({', '.join(map(data, parts))})"


def _ordered(left: Monomial, right: Monomial) -> int:
    """Compare monomials as `mcmp` of the theory does: exponents of the least atom first, and 0 where it is absent."""
    for (a, e), (b, f) in zip(left, right, strict=False):
        if a != b:
            return (e > 0) - (e < 0) if a < b else (f < 0) - (f > 0)
        if e != f:
            return 1 if e > f else -1
    rest = left[len(right) :] or right[len(left) :]
    sign = (rest[0][1] > 0) - (rest[0][1] < 0) if rest else 0
    return sign if len(left) > len(right) else -sign


class Shared:
    """What certificates of one file share: Coq takes longer to read data than to check it.

    Attributes:
        definitions: Lines of Coq that define it, each before it is used.
    """

    def __init__(self) -> None:
        self.definitions: list[str] = []
        self._names: dict[tuple[str, str], str] = {}

    def name(self, kind: str, value: str) -> str:
        """Return the name of a value of a type of Coq's, defined where it is new.

        Args:
            kind: The type, whose first letter begins the name.
            value: As Coq reads it.
        """
        found = self._names.get((kind, value))
        if found is None:
            found = self._names[kind, value] = f"{kind[0]}{len(self._names)}"
            self.definitions.append(f"Definition {found} : {kind} := {value}.")
        return found


def _rational(value: Any) -> str:
    fraction = Fraction(value)
    return f"({data(fraction.numerator)} # {fraction.denominator})%Q"


@dataclass(frozen=True)
class Certificate:
    """A document as data.

    Attributes:
        definition: The value of the record `certificate`, in the scope of positive numbers.
        statement: What it proves.
        names: The variables of the document; the statement's come first, in its order.
        needed: The premises by their claims, and None for a fact about numbers, each with its statement.
    """

    definition: str
    statement: Statement
    names: list[str]
    needed: list[tuple[str | None, Statement]]


def certificate(document: Mapping[str, Any], shared: Shared | None = None) -> Certificate:
    """Return a document as data of the theory.

    Args:
        document: The proof.
        shared: Where names of what it has in common with other certificates are kept; none are used without it.

    Raises:
        Unsupported: for a rule or a function that the theory does not know.
        rgm_verify.kernel.terms.Refused: for a document that the kernel does not accept.
    """
    try:
        return _Writer(document, shared).certificate()
    except RecursionError:
        raise Unsupported("a proof or a polynomial of more than some hundred parts") from None


class _Writer:
    def __init__(self, document: Mapping[str, Any], shared: Shared | None) -> None:
        self.document, self.shared = document, shared
        self.checker, goal = opened(document)
        # Every atom that the proof meets is in the checker's table afterwards.
        self.checker.prove(goal, document["proof"])
        self.numbers: dict[str, int] = {}
        self.fresh = 0
        stated = plain(document["statement"])
        lifted = lift(document["statement"])
        self.statement = statement_of(stated, self.variable, lifted)
        # What the kernel proves of a statement with derivatives, in its order: of their formulas.
        self.formulas = None if lifted is None else (list(_asked(stated["conclusion"])), stated["conclusion"])
        # The goal as a tree: the conclusion alone, or behind what it asks for; with a witness it is another one.
        self.goal: Any = stated["conclusion"] if stated["quantifier"] == "forall" else ("",)
        if stated["quantifier"] == "forall" and goal != self.checker.formula(stated["conclusion"]):
            self.goal = ["goals", *[("",)] * (len(goal[1]) - 1), stated["conclusion"]]
        self.claims = sorted(self.checker.used)
        self.premises = {claim: plain(document["premises"][claim]) for claim in self.claims}
        self.needed: list[tuple[str | None, Statement]] = [
            (claim, statement_of(self.premises[claim], self.variable)) for claim in self.claims
        ]

    def certificate(self) -> Certificate:
        steps = self.proof(self.document["proof"], self.goal)
        witness = [_pair(self.variable(n), self.tree(t)) for n, t in self.document["witness"].items()]
        parts = {
            "needed": data([record(stated) for _, stated in self.needed]),
            "atoms": data([_pair(i + 1, self.atom(*what)) for i, what in enumerate(self.checker.terms.atoms)]),
            "claimed": record(self.statement),
            "witness": data(witness),
            "formulas": self.proved(),
            "steps": data(steps),
        }
        definition = "{| " + ";\n  ".join(f"{name} := {value}" for name, value in parts.items()) + " |}"
        return Certificate(definition, self.statement, list(self.numbers), self.needed)

    def proved(self) -> str:
        """Return what is proved of the formulas of derivatives, as Coq reads it."""
        if self.formulas is None:
            return "None"
        needed, conclusion = self.formulas
        formulas = [formula_of(need, self.variable) for need in needed]
        return f"Some {_pair(formulas, formula_of(conclusion, self.variable))}"

    def variable(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers) + 1)

    def tree(self, tree: Any) -> Node:
        return tree_of(tree, self.variable)

    def named(self, kind: str, value: str) -> str:
        """Return a value of a type of Coq's, by its name where names are kept."""
        return value if self.shared is None else self.shared.name(kind, value)

    def count(self, number: int) -> str:
        """Return the number of a fact."""
        return self.named("nat", f"{number}%nat")

    def ref(self, ref: int | None) -> str:
        """Return the number of a fact, or that there is none."""
        return "None" if ref is None else self.named("option nat", f"(Some {self.count(ref)})")

    # -------------------------------------------------------------------------------------------- polynomials

    def poly(self, poly: Poly) -> str:
        terms: list[Node] = []
        for monomial in sorted(poly, key=cmp_to_key(_ordered)):
            c = Fraction(poly[monomial])
            powers = chained([("X", atom + 1, exponent) for atom, exponent in monomial], "nil")
            terms.append(("T", c.numerator, c.denominator, self.named("mono", powers)))
        return self.named("poly", chained(terms, "nil"))

    def given(self, terms: Any) -> str:
        return self.poly(self.checker.poly(terms))

    def atom(self, name: str, *arguments: Any) -> Node:
        if name == "var":
            return ("DVar", self.variable(arguments[0]))
        if name == "pi":
            return ("DPi",)
        names = {
            "inv": "DInv",
            "exp": "DExp",
            "log": "DLog",
            "root": "DRoot",
            "max": "DMax",
            "pow": "DPower",
            "erf": "DErf",
        }
        if name not in names or (name == "max" and len(arguments) > 2):
            raise Unsupported(f"{name} of {len(arguments)} arguments")
        return (names[name], *(a if isinstance(a, int) else self.poly(dict(a)) for a in arguments))

    def constant(self, poly: Poly) -> Node:
        """Return a polynomial of constants as a tree."""
        total: Node | None = None
        for monomial, coefficient in poly.items():
            factors = [number(Fraction(coefficient))] if coefficient != 1 or not monomial else []
            factors += [("TPow", self._constant_atom(*self.checker.terms.atoms[a]), e) for a, e in monomial]
            term = reduce(lambda left, right: ("TMul", left, right), factors)
            total = term if total is None else ("TAdd", total, term)
        return total or ("TZ", 0)

    def _constant_atom(self, name: str, *arguments: Any) -> Node:
        if name == "pi":
            return ("TPi",)
        inner = self.constant(dict(arguments[-1]))
        if name in ("exp", "log"):
            return (f"T{name.capitalize()}", inner)
        return ("TPow", inner, -1) if name == "inv" else ("TRoot", arguments[0], inner, 1)

    # -------------------------------------------------------------------------------------------- proofs

    def proof(self, steps: Sequence[Any], goal: Any = ("",)) -> str:
        # In the order of the proof, as new variables are numbered so.
        made: list[Any] = [self.each(step[1], goal) if step[0] == "each" else self.step(step) for step in steps]
        closes = bool(steps) and steps[-1][0] in ("end", "cases", "each")
        end = made.pop() if closes else ("PDone",)
        return chained(made, end)

    def step(self, step: Sequence[Any]) -> Node:
        """Return a step; what follows it is its last argument, which is not there yet."""
        name, *given = step
        simple: dict[str, Callable[[], Node]] = {
            "suppose": lambda: ("PSuppose",),
            "choose": lambda: ("PChoose", self.count(given[0])),
            "clear_goal": lambda: ("PClearGoal", self.given(given[0]), self.ref(given[1])),
            "clear": lambda: ("PClear", self.count(given[0]), self.given(given[1]), self.ref(given[2])),
            "have": lambda: ("PHave", _OPS[given[0][0]], self.given(given[0][1]), self.proof(given[1])),
            "number": lambda: ("PNumber", self.count(self.sign_of(*given))),
            "end": lambda: ("PEnd" if len(given) == 1 else "PEnd2", *map(self.count, given)),
        }
        if name in simple:
            return simple[name]()
        if name == "cases":
            cases = [("PCase", self.proof(proof)) for proof in given[1]]
            return ("PCases", self.count(given[0]), chained(cases, ("PDone",)))
        if name == "sum":
            products = [
                _pair(self.named("Q", _rational(literal(c))), [*map(self.count, refs)], [*map(self.given, qs)])
                for c, refs, qs in given[0]
            ]
            return ("PSum", products, [_pair(self.count(ref), self.given(cofactor)) for ref, cofactor in given[1]])
        if name == "use":
            claim, images, proof = given
            values = [_pair(self.variable(n), self.tree(images[n])) for n, _, _ in self.premises[claim]["variables"]]
            return ("PUse", self.count(self.claims.index(claim)), values, self.proof(proof))
        if name == "mean":
            function, at, low, high, ref, proof = given
            self.fresh += 1
            # A number that stands for no other variable: `at` may be one of the statement's.
            point = self.variable(f"{BETWEEN}{self.fresh}")
            ends = (self.tree(low), self.tree(high))
            return ("PMean", self.tree(function), self.variable(at), *ends, self.ref(ref), point, self.proof(proof))
        if name == "equal":
            function, at, left, right, ref = given
            return ("PEqual", self.tree(function), self.variable(at), self.tree(left), self.tree(right), self.ref(ref))
        return ("PRule", self.rule(name, given))

    def each(self, given: Sequence[Any], goal: Any) -> str:
        """Return the proofs of a conjunction's parts; one whose last part is one as well has its parts in Coq."""
        known = goal[0] in ("and", "goals") and len(goal) == len(given) + 1
        proofs = [self.proof(proof, *goal[i : i + 1] if known else ()) for i, proof in enumerate(given, 1)]
        end = proofs.pop() if known and goal[0] == goal[-1][0] == "and" else ("PDone",)
        return chained([("PEach", proof) for proof in proofs], end)

    def sign_of(self, terms: Any, bits: int) -> int:
        """Return the place of the fact that a constant (or its negative) is positive, which Coq shows by `interval`."""
        poly = self.checker.poly(terms)
        x = self.constant(poly)
        positive = enclose(self.checker.terms, poly, bits)[0] > 0
        stated: Statement = (False, [], [], ("TRel", "Gt", x if positive else ("TOpp", x), ("TZ", 0)), [])
        self.needed.append((None, stated))
        return len(self.needed) - 1

    def rule(self, name: str, given: Sequence[Any]) -> Node:
        key = self.checker.terms.key
        polys: dict[str, Callable[[], Node]] = {
            "sign": lambda: ("RSign", self.given(given[0])),
            "inv": lambda: ("RInv", self.given(given[0]), self.ref(given[1])),
            "root": lambda: ("RRoot", given[0], self.given(given[1]), self.ref(given[2])),
            "exp": lambda: ("RExp", self.given(given[0])),
            "log": lambda: ("RLog", self.given(given[0]), self.ref(given[1])),
            "log_exp": lambda: ("RLogExp", self.given(given[0])),
            "log_product": lambda: ("RLogProduct", [self.factor(*factor) for factor in given[0]], self.ref(given[1])),
            "pow": lambda: ("RPow", self.given(given[0]), self.given(given[1]), self.ref(given[2])),
            "max": lambda: ("RMax", *map(self.poly, sorted(map(self.checker.poly, given[0]), key=key))),
        }
        if name not in polys:
            raise Unsupported(f"the rule {name}")
        return polys[name]()

    def factor(self, exponent: int, factor: Any, ref: int | None) -> str:
        return _pair(f"{data(exponent)}%Z", self.given(factor), self.ref(ref))


def _asked(tree: Any) -> Iterator[Any]:
    """Yield what makes the terms of a formula real numbers, in the order of `Checker.needs`."""
    if not isinstance(tree, str) and tree[0] != "var":
        for argument in tree[1:]:
            yield from _asked(argument)
        yield from asks(tree)


def record(stated: Statement) -> str:
    """Return a statement as the record of the theory."""
    exists, variables, hypotheses, conclusion, slopes = stated
    listed = [f"({n}, {_pair(whole, domain)})" for n, whole, domain in variables]
    derivatives = [f"({d}, {_pair(f'{order}%nat', x, f, p)})" for d, order, x, f, p in slopes]
    parts = {"exists_one": exists, "vars": listed, "hyps": hypotheses, "slopes": derivatives, "concl": conclusion}
    return "{| " + "; ".join(f"{name} := {data(value)}" for name, value in parts.items()) + " |}"
