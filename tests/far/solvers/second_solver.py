"""A second solver beside z3: cvc5 is asked what z3 has answered, and where the two disagree nothing is believed.

The questions are written in SMT-LIB from the formulas themselves, by code that shares nothing with the translation for
z3: roots, quotients, absolute values and maxima are unknowns that their defining relations pin down, and what makes a
term a number stands in a table of its own. Work is limited by cvc5's own count of resources; the clock is a distant
backstop, for computations that heed no limit, and can only cost an answer.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import sympy
from sympy.core.function import AppliedUndef

from rgm_verify.balls.binding import BINDERS
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation, relations
from rgm_verify.claims.outcome.verdict import FalseProof
from rgm_verify.lenses.solvers.smt import Answer, Answered

#: cvc5's resources for one question. Of the questions of this project that it answers, nearly all take a tenth.
WORK = 1_000_000
#: The clock for all questions of one statement, each way. Answers take a tenth of a second, nearly all of them.
SECONDS = 20
PROGRAM = Path(__file__).with_name("ask_cvc5.py")
#: How much longer the clock runs, where other work keeps the machine busy.
_WAITING = 20
#: The ways to look, in turn: incremental linearisation, then cylindrical coverings for what it leaves open.
WAYS: tuple[dict[str, str], ...] = ({}, {"nl-cov": "true", "nl-ext": "none"})
_LARGEST_POWER = 200
_SMT = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "==": "=", "!=": "distinct"}
#: Functions that are real numbers wherever their arguments are.
_EVERYWHERE = (
    "Abs", "Add", "Max", "Min", "Mul", "asinh", "atan", "ceiling", "cos", "cosh", "erf", "erfc", "exp", "floor",
    "sign", "sin", "sinh", "tanh",
)  # fmt: skip
_CLOSED = (sympy.Integral, sympy.Sum, sympy.Product)


class Disagreement(FalseProof):
    """Two solvers give opposite answers to one question: at least one of them, or a translation, is wrong."""


class Unwritable(ValueError):
    """A formula that has no place in real arithmetic."""


class SecondSolver(Protocol):
    """A solver that is asked beside z3."""

    def answer(self, questions: Sequence[str]) -> list[tuple[str, Mapping[str, str]]]:
        """For each question in SMT-LIB, `sat`, `unsat` or `unknown`, with the values of a model."""
        ...


# ----------------------------------------------------------------------------------------------- opinions


@dataclass
class Opinion:
    """A second solver's view of z3's answers: it is asked what z3 was asked, in texts that are written by other code.

    `agreed` and `unanswered` count z3's answers; an answer that z3 left open is not asked about.
    """

    claim: str
    solver: SecondSolver
    agreed: int = 0
    unanswered: int = 0

    def hear(self, heard: Answered) -> None:
        """Ask the second solver what z3 has answered; `Disagreement` if it says the opposite."""
        answer, assumptions, conclusion = heard.answer, heard.assumptions, heard.conclusion
        if answer == "unknown":
            return
        if any(_is_bound(formula) for formula in (*assumptions, conclusion)):
            self.unanswered += 1  # it knows nothing of what a derivative or a sum needs to be defined
            return
        second, point = decide(self.solver, assumptions, conclusion, atoms=heard.atoms, goal=heard.goal)
        if second == "unknown":
            self.unanswered += 1
        elif second == answer:
            self.agreed += 1
        else:
            where = ", ".join(f"{name} = {value}" for name, value in point.items())
            given = "; ".join(map(str, assumptions)) or "nothing"
            raise Disagreement(
                f"{self.claim}: two solvers disagree: z3 says {answer!r}, cvc5 says {second!r}"
                f"{f' (at {where})' if where else ''}; assumptions: {given}; conclusion: "
                f"{conclusion}{'' if heard.goal else ' (that its terms are real numbers)'}"
            )


def _is_bound(formula: Formula) -> bool:
    """Return whether a formula contains an unevaluated derivative, substitution, sum or product."""
    return any(side.has(*BINDERS) for r in relations(formula) for side in (r.lhs, r.rhs))


def decide(
    solver: SecondSolver, assumptions: Sequence[Formula], conclusion: Formula, *, atoms: bool = False, goal: bool = True
) -> tuple[Answer, dict[str, str]]:
    """Return whether the assumptions imply the conclusion over the reals, and the values of a point where they do not.

    As with z3, a statement counts as refuted where one of its terms is not a real number.

    Args:
        atoms: Whether terms beyond arithmetic are unknowns.
        goal: Whether the conclusion itself is asked about.
    """
    writer = Writer(atoms=atoms)
    try:
        asked = list(writer.questions(assumptions, conclusion, goal=goal))
    except Unwritable:
        return "unknown", {}
    found = solver.answer(asked)
    # One question that has a model refutes, whatever the others say.
    for answer, values in found:
        if answer == "sat":
            return "refuted", writer.named(values)
    # An answer that is missing is an open one, whatever the others say.
    done = len(found) == len(asked) and all(answer == "unsat" for answer, _ in found)
    return ("proved" if done else "unknown"), {}


# ------------------------------------------------------------------------------------------------ cvc5


@dataclass(frozen=True)
class Cvc5:
    """cvc5 in a process of its own for each list of questions and each way to look.

    `work` limits its count of resources for one question, `seconds` the processor time of all questions together.

    Attributes:
        work: cvc5's resource units for one question.
        seconds: Processor time for all questions of one statement and one way.
    """

    work: int = WORK
    seconds: int = SECONDS

    def answer(self, questions: Sequence[str]) -> list[tuple[str, Mapping[str, str]]]:
        """Answers in the order of the questions; `unknown` for those that the clock or a crash has cut off."""
        found: list[tuple[str, Mapping[str, str]]] = [("unknown", {})] * len(questions)
        for way in WAYS:
            # The second way is asked only what the first has left open.
            left = [index for index, (answer, _) in enumerate(found) if answer == "unknown"]
            for index, answer in zip(left, self._ask([questions[i] for i in left], way), strict=False):
                found[index] = answer
        return found

    def _ask(self, questions: Sequence[str], way: Mapping[str, str]) -> list[tuple[str, Mapping[str, str]]]:
        """The answers that came in time, to the first of the questions."""
        if not questions:
            return []
        asked = json.dumps({"scripts": list(questions), "way": dict(way), "work": self.work, "seconds": self.seconds})
        # A process of its own: a crash or endless loop of the solver's takes no other answer along.
        command = [sys.executable, "-P", str(PROGRAM)]
        try:
            told = subprocess.run(
                command, input=asked, capture_output=True, text=True, timeout=_WAITING * self.seconds
            ).stdout
        except subprocess.TimeoutExpired as late:
            so_far: Any = late.stdout or ""
            told = so_far.decode() if isinstance(so_far, bytes) else so_far
        # A line that a crash has cut short does not end with its bracket.
        lines = [json.loads(line) for line in told.splitlines() if line.endswith("]")]
        return [(answer, values) for answer, values in lines]


def installed() -> str:
    """The version of cvc5, or an empty text where it is not installed."""
    return version("cvc5") if importlib.util.find_spec("cvc5") is not None else ""


# ----------------------------------------------------------------------------------------------- writing


@dataclass
class Writer:
    """Writes a statement as questions in SMT-LIB: it holds if and only if every question is unsatisfiable.

    With `atoms`, whatever is not arithmetic is an unknown real, equal for equal terms. Names of variables are numbered,
    so that an author may call them anything.

    Attributes:
        atoms: Whether terms beyond arithmetic are unknowns.
        lines: Declarations and assertions so far.
    """

    atoms: bool = False
    lines: list[str] = field(default_factory=list)
    _terms: dict[sympy.Expr, str] = field(default_factory=dict)
    _variables: dict[sympy.Symbol, str] = field(default_factory=dict)
    _inverses: dict[str, str] = field(default_factory=dict)
    _roots: dict[sympy.Expr, str] = field(default_factory=dict)
    _realities: dict[sympy.Expr, str] = field(default_factory=dict)
    _shown: set[str] = field(default_factory=set)
    _count: int = 0

    def questions(self, assumptions: Sequence[Formula], conclusion: Formula, *, goal: bool = True) -> Iterator[str]:
        """The statement's questions, each a complete script without its last command, `check-sat`."""
        for assumption in assumptions:
            self.assume(assumption)
        for node in _terms_of(conclusion):
            for condition in self.reality(node):
                if condition not in self._shown:
                    # Once it is answered the condition may be used for the next one, as the caller
                    # gives up at the first that fails.
                    yield self.script(f"(not {condition})")
                    self.know(condition)
        if goal:
            yield self.script(f"(not {self.formula(conclusion)})")

    def script(self, question: str) -> str:
        """A script that asks whether the question can be true together with all that is known."""
        return "\n".join(["(set-logic QF_NRA)", *self.lines, f"(assert {question})"])

    def know(self, fact: str) -> None:
        """Assert a fact from here on."""
        self._shown.add(fact)
        self.lines.append(f"(assert {fact})")

    def assume(self, formula: Formula) -> None:
        """Assert an assumption; a relation that is assumed says as well that its terms are real numbers.

        Below a connective it says nothing of the kind: the relation may be the part that does not hold.
        """
        if isinstance(formula, All):
            for part in formula.parts:
                self.assume(part)
            return
        if isinstance(formula, Relation):
            for node in _terms_of(formula):
                # A relation whose terms have no value does not hold, so that assuming it says that they have one.
                for condition in self.reality(node):
                    self.know(condition)
        self.know(self.formula(formula))

    def formula(self, formula: Formula) -> str:
        """The formula in SMT-LIB."""
        match formula:
            case Relation(lhs, op, rhs):
                return f"({_SMT[op]} {self.term(lhs)} {self.term(rhs)})"
            case All(members):
                return _joined("and", [self.formula(part) for part in members])
            case Either(members):
                return _joined("or", [self.formula(part) for part in members])
            case Implies(left, right):
                return f"(=> {self.formula(left)} {self.formula(right)})"
            case Iff(left, right):
                return f"(= {self.formula(left)} {self.formula(right)})"

    def reality(self, node: sympy.Expr) -> list[str]:
        """Conditions under which a term is a real number if its arguments are; what SymPy knows anyway is left out.

        A term of which nothing is known is one where a truth value of its own says so.
        """
        needed = _reality(node)
        # A truth value that nothing pins down: it is never shown, and being assumed it says nothing.
        if needed is None:
            self.term(node)
            if node not in self._realities:
                self._realities[node] = self._new("d", "Bool")
            return [self._realities[node]]
        return [f"({op} {self.term(side)} 0.0)" for side, op in needed if not _obvious(side, op)]

    def term(self, expression: sympy.Expr) -> str:
        """The name or the number that stands for an expression."""
        if expression not in self._terms:
            self._terms[expression] = self._write(expression)
        return self._terms[expression]

    def named(self, values: Mapping[str, str]) -> dict[str, str]:
        """The values of a model under the author's names."""
        return {symbol.name: values[name] for symbol, name in self._variables.items() if name in values}

    def _write(self, expression: sympy.Expr) -> str:
        """Return the SMT-LIB term of an expression that was not written before, with definitions of its parts on the
        way.
        """
        match expression:
            case sympy.Symbol():
                self._variables[expression] = self._new("x")
                return self._variables[expression]
            case sympy.Rational():
                return _number(int(expression.p), int(expression.q))
            case sympy.Add():
                return self._define(_joined("+", [self.term(a) for a in expression.args] or ["0.0"]))
            case sympy.Mul():
                return self._define(_joined("*", [self.term(a) for a in expression.args] or ["1.0"]))
            case sympy.Pow():
                return self._power(expression)
            case sympy.Abs():
                return self._absolute(self.term(expression.args[0]))
            case sympy.sign():
                return self._sign(self.term(expression.args[0]))
            case sympy.Max():
                return self._extreme(">=", [self.term(a) for a in sympy.ordered(expression.args)])
            case sympy.Min():
                return self._extreme("<=", [self.term(a) for a in sympy.ordered(expression.args)])
        return self._atom(expression)

    def _power(self, expression: sympy.Pow) -> str:
        """Return the term of a power: integers by multiplication, half-integers by a root that is a new constant.

        A negative exponent takes the inverse of the power; any other exponent is an unknown.
        """
        base, exponent = expression.args
        if not isinstance(exponent, sympy.Rational) or abs(exponent.p) > _LARGEST_POWER or exponent.q > 2:
            return self._unknown_power(expression)
        factor = self.term(base) if exponent.q == 1 else self._root(base)
        times = abs(int(exponent.p))
        power = factor if times == 1 else self._define(_joined("*", [factor] * times))
        # The inverse of the power, as z3 divides: at 0 the power of an inverse would say more of it.
        return power if exponent > 0 else self._inverse(power)

    def _unknown_power(self, expression: sympy.Pow) -> str:
        """An unknown; where its exponent need not be an integer, it is positive with its base and never negative."""
        base, exponent = expression.args
        power = self._atom(expression)
        if not exponent.is_integer:
            lower = self.term(base)
            needed = [
                f"({op} {self.term(side)} 0.0)" for side, op in _reality(expression) or () if not _obvious(side, op)
            ]
            meaning = f"(and (>= {power} 0.0) (=> (> {lower} 0.0) (> {power} 0.0)))"
            self.know(f"(=> {_joined('and', needed)} {meaning})" if needed else meaning)
        return power

    def _inverse(self, term: str) -> str:
        """1 / term: the number whose product with it is 1; that of zero is some number, always the same.

        One constant for 1/0 keeps equal terms equal where they have no value; whether they have one is
        asked elsewhere.
        """
        # One reciprocal for one term: two unknowns for it could differ at zero.
        if term not in self._inverses:
            if "of_zero" not in self._shown:
                self._shown.add("of_zero")
                self.lines.append("(declare-const of_zero Real)")
            inverse = self._inverses[term] = self._new("q")
            self.know(f"(or (= (* {inverse} {term}) 1.0) (and (= {term} 0.0) (= {inverse} of_zero)))")
        return self._inverses[term]

    def _root(self, base: sympy.Expr) -> str:
        """The number >= 0 whose square is the base, where the base is not negative."""
        if base not in self._roots:
            inner = self.term(base)
            root = self._roots[base] = self._new("r")
            meaning = f"(and (>= {root} 0.0) (= (* {root} {root}) {inner}))"
            # Below 0 nothing is said of the root, which is then any number.
            self.know(meaning if _obvious(base, ">=") else f"(=> (>= {inner} 0.0) {meaning})")
        return self._roots[base]

    def _absolute(self, inner: str) -> str:
        """Return a new constant >= 0 that is the inner term or its negative."""
        value = self._new("a")
        self.know(f"(>= {value} 0.0)")
        self.know(f"(or (= {value} {inner}) (= {value} (- {inner})))")
        return value

    def _sign(self, inner: str) -> str:
        """Return a new constant that is 1, -1 or 0 with the sign of the inner term."""
        value = self._new("s")
        cases = [
            f"(and ({op} {inner} 0.0) (= {value} {sign}))" for op, sign in ((">", 1.0), ("<", "(- 1.0)"), ("=", 0.0))
        ]
        self.know(_joined("or", cases))
        return value

    def _extreme(self, op: str, members: list[str]) -> str:
        """The member that is at least (at most) all members."""
        value = self._new("m")
        for member in members:
            self.know(f"({op} {value} {member})")
        self.know(_joined("or", [f"(= {value} {member})" for member in members]))
        return value

    def _atom(self, expression: sympy.Expr) -> str:
        """Return a new unknown for a term that the solver cannot express; raises `Unwritable` where atoms are not
        allowed.
        """
        if not self.atoms:
            raise Unwritable(f"{expression} is not real arithmetic")
        return self._new("u")

    def _define(self, body: str) -> str:
        """Return a name for a compound term, so that a shared term is written once and the text stays short."""
        if not body.startswith("("):
            return body
        self._count += 1
        self.lines.append(f"(define-fun t{self._count} () Real {body})")
        return f"t{self._count}"

    def _new(self, letter: str, sort: str = "Real") -> str:
        """Declare a new constant and return its name."""
        self._count += 1
        self.lines.append(f"(declare-const {letter}{self._count} {sort})")
        return f"{letter}{self._count}"


def _joined(operator: str, parts: list[str]) -> str:
    """The parts joined by an operator; SMT-LIB has none of a single argument here."""
    return parts[0] if len(parts) == 1 else f"({operator} {' '.join(parts)})"


def _number(numerator: int, denominator: int) -> str:
    """Return a rational as SMT-LIB writes it: no negative literals, and a quotient for a fraction."""
    magnitude = f"{abs(numerator)}.0" if denominator == 1 else f"(/ {abs(numerator)}.0 {denominator}.0)"
    return f"(- {magnitude})" if numerator < 0 else magnitude


def _terms_of(formula: Formula) -> list[sympy.Expr]:
    """The terms of all sides, each once, arguments first; an integral or a sum is one term."""
    found: dict[sympy.Expr, None] = {}

    def visit(node: sympy.Expr) -> None:
        # A shared term is visited once: without this the time doubles with each level.
        if node in found:
            return
        for argument in () if isinstance(node, _CLOSED) else node.args:
            if isinstance(argument, sympy.Expr):
                visit(argument)
        found[node] = None

    for relation in relations(formula):
        visit(relation.lhs)
        visit(relation.rhs)
    return list(found)


def _reality(node: sympy.Expr) -> list[tuple[sympy.Expr, str]] | None:
    """Return expressions with the relations to 0 that make a term a real number; None where nothing is known."""
    name = type(node).__name__
    match node:
        case sympy.Symbol() | sympy.Rational() | sympy.NumberSymbol() | AppliedUndef():
            return []
        case sympy.Pow(args=(base, exponent)):
            if base == sympy.E:
                return []
            if exponent.is_integer:
                return [] if exponent.is_nonnegative else [(base, "distinct")]
            return [(base, ">=" if exponent.is_positive else ">")]
    if isinstance(node, _CLOSED) or name in _EVERYWHERE:
        return []
    if name in ("log", "gamma"):
        return [(node.args[0], ">")]
    if name in ("uppergamma", "lowergamma"):
        return [(node.args[0], ">"), (node.args[1], ">=")]
    if name.startswith("LogRemainder"):
        return [(1 + node.args[-1], ">")]
    return None


def _obvious(side: sympy.Expr, op: str) -> bool:
    """Return whether the declared domains of the symbols alone put a side in this relation to 0."""
    known = {">": side.is_positive, ">=": side.is_nonnegative, "distinct": side.is_nonzero}
    return known[op] is True
