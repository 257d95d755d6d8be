"""Real-arithmetic SMT: from SymPy formulas to z3, with every side condition (division, roots, logarithms) proved too.

z3 takes x/0 for some number and has no logarithms, so that a formula that is translated as it stands means something
else. Three rules keep the meaning. A term of the conclusion has to be shown to be defined before anything else. A
relation that is assumed grants that its terms are, as an assumption says nothing elsewhere. And a term beyond
arithmetic is an unknown real: what is proved for any number in its place holds for the right one, while a model says
nothing.

Work is limited by z3's own count of steps (`rlimit`), which does not depend on the machine or on its load. The clock is
only a distant backstop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import sympy
import z3

from rgm_verify.balls.binding import BINDERS, evaluated
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation, relations
from rgm_verify.errors import OutOfTime
from rgm_verify.lenses.solvers.definedness import UNKNOWN, Unknown, evident, needs, parts
from rgm_verify.terms.table import found

Answer = Literal["proved", "refuted", "unknown"]
# A power is written out as a product, and a longer one is no question for a solver.
_LARGEST_POWER = 200
#: The clock is a backstop, for questions whose steps are very long. z3 takes some 5,000 steps in a millisecond; of the
#: proofs in this project the longest takes a hundredth of what the clock allows.
_STEPS_PER_MILLISECOND = 200
_LEAST_MILLISECONDS = 20_000
#: What the clock does: it ends a question as unanswered, or raises `OutOfTime`, or ends it much later.
_clock: ContextVar[Literal["ends", "raises", "waits"]] = ContextVar("_clock", default="ends")
_PATIENCE = 3
#: The share of the steps that the first look at a question gets.
_SHORT = 4
#: Denominators that are tried, in turn, for a rational value in the place of an algebraic one.
_DENOMINATORS = (1, 2, 10, 1000, 10**6)


class NotArithmetic(ValueError):
    """A formula outside real arithmetic (a logarithm, a symbolic exponent) where atoms are not allowed."""


@dataclass
class Translation:
    """Translates formulas; with `atoms`, whatever is not arithmetic becomes an unknown real, equal for equal terms.

    A root is an unknown real as well; `_meanings` says what pins it down where it is defined. Derivatives,
    substitutions, sums and products are what SymPy makes of them.

    Attributes:
        atoms: Whether terms beyond arithmetic become unknowns.
        names: The z3 unknown of each variable.
    """

    atoms: bool = False
    names: dict[sympy.Symbol, Any] = field(default_factory=dict)
    _terms: dict[sympy.Expr, Any] = field(default_factory=dict)
    _roots: dict[sympy.Expr, Any] = field(default_factory=dict)
    _meanings: dict[sympy.Expr, Any] = field(default_factory=dict)
    _granted: set[sympy.Expr] = field(default_factory=set)
    _unknowns: int = 0

    def formula(self, formula: Formula) -> Any:
        """The z3 formula."""
        match formula:
            case Relation(lhs, op, rhs):
                return _compare(self.term(lhs), op, self.term(rhs))
            case All(members):
                return z3.And([self.formula(p) for p in members])
            case Either(members):
                return z3.Or([self.formula(p) for p in members])
            case Implies(left, right):
                return z3.Implies(self.formula(left), self.formula(right))
            case Iff(left, right):
                return self.formula(left) == self.formula(right)

    def given(self, formula: Formula) -> Iterator[Any]:
        """The z3 formulas that an assumption stands for.

        A relation that is assumed speaks only of points where its sides are defined, so that it brings their conditions
        along. Below a connective nothing says that a side is defined: a root there has its meaning only where it has
        one.


        """
        if isinstance(formula, All):
            for member in formula.parts:
                yield from self.given(member)
            return
        yield self.formula(formula)
        for node in _nodes([formula]):
            conditions, meaning = self.conditions(node)
            if isinstance(formula, Relation):
                yield from self.grant(node)
            # A root below a connective is pinned down where its base is >= 0, and is any number
            # elsewhere.
            elif meaning is not None and conditions is not None:
                yield z3.Implies(z3.And(conditions), meaning)
        for node in _results([formula]):
            conditions, meaning = self.conditions(node)
            # Nothing says that SymPy's result is defined wherever the derivative is.
            if meaning is not None and conditions is not None:
                yield z3.Implies(z3.And(conditions), meaning)

    def grant(self, node: sympy.Expr) -> Iterator[Any]:
        """Yield the facts that hold once a term is known to be defined, each term once."""
        if node not in self._granted:
            self._granted.add(node)
            if UNKNOWN in needs(node) or isinstance(node, sympy.Integral):
                return  # it is defined here, and nobody knows what that says of its arguments
            row = found(node)
            # What is only sufficient does not follow from being defined: gamma has values between its poles.
            if row is not None and not row[0].exact:
                return
            conditions, meaning = self.conditions(node)
            yield from conditions or ()
            yield from () if meaning is None else (meaning,)

    def granted(self, node: sympy.Expr) -> bool:
        """Return whether a term is already known to be defined."""
        return node in self._granted

    def conditions(self, node: sympy.Expr) -> tuple[list[Any] | None, Any]:
        """Return the conditions under which a term is defined, and the formula of its meaning (None if it has none).

        The conditions are None where they are not known.
        """
        asked = needs(node)
        known = [need for need in asked if not isinstance(need, Unknown)]
        found = None if UNKNOWN in asked else [self.formula(relation) for relation in known if not evident(relation)]
        self.term(node)
        return found, self._meanings.get(node)

    def term(self, expression: sympy.Expr) -> Any:
        """The z3 term, translated once per distinct expression."""
        if expression not in self._terms:
            self._terms[expression] = self._translate(expression)
        return self._terms[expression]

    def _translate(self, expression: sympy.Expr) -> Any:
        """Return the z3 term of an expression; derivatives, sums and the like by what SymPy evaluates them to."""
        if isinstance(expression, BINDERS):
            result = evaluated(expression)
            return self._atom(expression) if result == expression else self.term(result)
        if isinstance(expression, sympy.Symbol):
            return self._variable(expression)
        if isinstance(expression, sympy.Rational):
            return z3.RealVal(f"{expression.p}/{expression.q}")
        if isinstance(expression, sympy.Add):
            return z3.Sum([self.term(a) for a in expression.args])
        if isinstance(expression, sympy.Mul):
            return z3.Product([self.term(a) for a in expression.args])
        if isinstance(expression, sympy.Pow):
            return self._power(expression)
        return self._special(expression)

    def _variable(self, symbol: sympy.Symbol) -> Any:
        """A real unknown, for an integer variable too: what holds for all reals holds for the integers among them.

        The prefix keeps it apart from the unknowns of this translation, whatever the author calls it.


        """
        if symbol not in self.names:
            # z3 would take them for one unknown, and prove something of neither.
            if any(other.name == symbol.name for other in self.names):
                raise NotArithmetic(f"two different symbols are called {symbol.name}")
            self.names[symbol] = z3.Real(f"v:{symbol.name}")
        return self.names[symbol]

    def _power(self, expression: sympy.Pow) -> Any:
        """Return the z3 term of a power: integers by multiplication, half-integers by a root that is a new unknown.

        Any other exponent is an atom. Raises `NotArithmetic` where atoms are not allowed.
        """
        base, exponent = expression.args
        if not isinstance(exponent, sympy.Rational) or exponent.q > 2 or abs(exponent.p) > _LARGEST_POWER:
            power = self._atom(expression)
            if not exponent.is_integer:  # real only for a base >= 0, and then it is no negative number
                self._meanings[expression] = z3.And(power >= 0, z3.Implies(self.term(base) > 0, power > 0))
            return power
        if exponent.q == 1:
            return _repeat(self.term(base), int(exponent.p))
        # One root for one base: two unknowns for it could differ where the base is negative.
        if base not in self._roots:
            self._roots[base] = self._unknown("root")
        root, inner = self._roots[base], self.term(base)
        # The meaning is added where the root is known to be defined, and nowhere else.
        self._meanings[expression] = z3.And(root >= 0, root * root == inner)
        return _repeat(root, int(exponent.p))

    def _special(self, expression: sympy.Expr) -> Any:
        """Return the z3 term of an absolute value, a sign, a maximum or a minimum, by cases; else an atom."""
        if isinstance(expression, sympy.Abs):
            inner = self.term(expression.args[0])
            return z3.If(inner >= 0, inner, -inner)
        if isinstance(expression, sympy.sign):
            inner = self.term(expression.args[0])
            return z3.If(inner > 0, z3.RealVal(1), z3.If(inner < 0, z3.RealVal(-1), z3.RealVal(0)))
        if isinstance(expression, sympy.Max | sympy.Min):
            first, *others = sympy.ordered(expression.args)
            best = self.term(first)
            for argument in others:
                other = self.term(argument)
                wins = other > best if isinstance(expression, sympy.Max) else other < best
                best = z3.If(wins, other, best)
            return best
        return self._atom(expression)

    def _atom(self, expression: sympy.Expr) -> Any:
        """Return a new unknown for a term that z3 cannot express; raises `NotArithmetic` where atoms are not allowed.

        An atom forgets all about the term: a proof with atoms holds, and a model with atoms shows nothing.
        """
        if not self.atoms:
            raise NotArithmetic(f"{expression} is not real arithmetic")
        return self._unknown("atom")

    def _unknown(self, what: str) -> Any:
        """A new real, numbered within this translation so that names do not depend on what was proved before."""
        self._unknowns += 1
        return z3.Real(f"{what}!{self._unknowns}")


def _repeat(term: Any, exponent: int) -> Any:
    """Return an integer power as a product; a negative one as a quotient, whose base is shown not to be
    0 elsewhere.
    """
    product = z3.Product([term] * abs(exponent))
    return product if exponent >= 0 else 1 / product


def _nodes(formulas: Iterable[Formula]) -> Iterator[sympy.Expr]:
    """Every term of the formulas once, arguments before the terms that use them."""
    sides = [side for formula in formulas for r in relations(formula) for side in (r.lhs, r.rhs)]
    yield from dict.fromkeys(node for side in sides for node in parts(side))


def _results(formulas: Iterable[Formula]) -> Iterator[sympy.Expr]:
    """Every term of what derivatives, substitutions, sums and products of the formulas evaluate to."""
    binders = [node for node in _nodes(formulas) if isinstance(node, BINDERS)]
    yield from dict.fromkeys(node for b in binders if evaluated(b) != b for node in parts(evaluated(b)))


def _all_nodes(formula: Formula) -> list[sympy.Expr]:
    """Every term of a formula, and then those of what it evaluates to."""
    return [*_nodes([formula]), *_results([formula])]


def _compare(lhs: Any, op: str, rhs: Any) -> Any:
    """Return the z3 formula of a relation."""
    match op:
        case "<=":
            return lhs <= rhs
        case "<":
            return lhs < rhs
        case ">=":
            return lhs >= rhs
        case ">":
            return lhs > rhs
        case "==":
            return lhs == rhs
        case _:
            return lhs != rhs


def in_order(assumptions: Sequence[Formula], *others: Formula, counted: bool = True) -> list[Formula]:
    """Return the assumptions with the bounds of single variables first, in an order that the variables themselves give.

    The variables of the lowest degree in all the formulas come first; of one degree those that occur least, if they are
    `counted`; then by name. Everything that is no bound keeps its place. Two lists that differ in the order of the
    variables' bounds alone have one result.

    Args:
        *others: Formulas that count for degrees and occurrences only.
        counted: Whether occurrences break ties.
    """
    # z3 meets the variables in the order of the assumptions and eliminates them in one that starts from there, which
    # can decide whether it gets to an end. The order in which somebody has declared them must not.
    degrees, counts = _degrees([*assumptions, *others])

    def rank(bound: Formula) -> tuple[Fraction, int, str]:
        symbol = _bounded(bound)
        return (Fraction(0), 0, "") if symbol is None else (degrees[symbol], counts[symbol] * counted, symbol.name)

    bounds = sorted((a for a in assumptions if _bounded(a) is not None), key=rank)
    return [*bounds, *(a for a in assumptions if _bounded(a) is None)]


def _bounded(formula: Formula) -> sympy.Symbol | None:
    """The variable that a formula compares with a number; None for any other formula."""
    if isinstance(formula, Relation) and isinstance(formula.lhs, sympy.Symbol) and formula.rhs.is_Rational:
        return formula.lhs
    return None


def _degrees(formulas: Iterable[Formula]) -> tuple[dict[sympy.Symbol, Fraction], Counter[sympy.Symbol]]:
    """The largest absolute exponent over each variable, 1 where there is none, and the number of its occurrences."""
    degrees: dict[sympy.Symbol, Fraction] = {}
    counts: Counter[sympy.Symbol] = Counter()
    sides = [side for formula in formulas for relation in relations(formula) for side in (relation.lhs, relation.rhs)]
    for node in (node for side in sides for node in sympy.preorder_traversal(side)):
        if isinstance(node, sympy.Symbol):
            degrees.setdefault(node, Fraction(1))
            counts[node] += 1
        elif isinstance(node, sympy.Pow) and isinstance(node.exp, sympy.Rational):
            exponent = abs(Fraction(int(node.exp.p), int(node.exp.q)))
            for symbol in sympy.ordered(node.base.free_symbols):
                degrees[symbol] = max(exponent, degrees.get(symbol, Fraction(1)))
    return degrees, counts


@dataclass(frozen=True)
class SmtResult:
    """`proved` (no real point contradicts it), `refuted` (with a model where one could be read off) or `unknown`.

    The values of a model are exact: rationals, or algebraic numbers as SymPy writes them.
    """

    answer: Answer
    reason: str
    model: Mapping[sympy.Symbol, sympy.Expr] | None = None


@dataclass(frozen=True)
class Answered:
    """A statement that z3 was asked about, with its answer.

    Attributes:
        atoms: Whether terms beyond arithmetic are unknowns.
        goal: Whether the conclusion itself was asked about, and not only that its terms are real numbers.
    """

    answer: Answer
    assumptions: Sequence[Formula]
    conclusion: Formula
    atoms: bool
    goal: bool = True


_listeners: list[Callable[[Answered], None]] = []


@contextmanager
def listening(tell: Callable[[Answered], None]) -> Iterator[None]:
    """Have every answer of z3's told in the block: for a check that puts the same statements to another solver."""
    _listeners.append(tell)
    try:
        yield
    finally:
        _listeners.remove(tell)


def _say(answered: Answered) -> None:
    for tell in _listeners:
        tell(answered)


def prove(assumptions: Sequence[Formula], conclusion: Formula, *, steps: int, atoms: bool = False) -> SmtResult:
    """Decide whether the assumptions imply the conclusion over the reals, definedness of every term included.

    `steps` limits the work on each question that is put to z3.

    "proved" is a theorem about all real points, integer variables included; "refuted" comes with a model where one
    could be read off. With `atoms` terms beyond real arithmetic become unknowns; without, they make the answer
    "unknown".

    Args:
        assumptions: Formulas, domains of variables among them.
        steps: z3's resource units for each question.
        atoms: Whether terms beyond arithmetic become unknowns.

    Returns:
        The answer with its reason. "unknown" says nothing of the statement.

    Raises:
        OutOfTime: Inside `patience`, where the clock runs out.

    Examples:
        >>> from rgm_verify.claims.formula import ge
        >>> x, y = sympy.symbols("x y", real=True)
        >>> prove([], ge(x**2 + y**2, 2 * x * y), steps=100_000).answer
        'proved'
        >>> prove([], ge(1 / x, 0), steps=100_000).answer
        'refuted'
    """
    first, assumptions = in_order(assumptions, conclusion, counted=False), in_order(assumptions, conclusion)
    result = SmtResult("unknown", "")
    if first != assumptions:
        # Some questions end at once in one order and never in another, and no measure of the formulas tells which: a
        # short look in the order of the names costs a quarter more where both fail.
        result = _prove(first, conclusion, steps // _SHORT, atoms)
    if result.answer == "unknown":
        result = _prove(assumptions, conclusion, steps, atoms)
    _say(Answered(result.answer, assumptions, conclusion, atoms))
    return result


def _prove(assumptions: Sequence[Formula], conclusion: Formula, steps: int, atoms: bool) -> SmtResult:
    """Return z3's answer: definedness of every term of the conclusion first, then the conclusion itself.

    With atoms a model is one of the unknowns in their places, and no point of the claim by itself.
    """
    translation = Translation(atoms=atoms)
    try:
        context = [c for a in assumptions for c in translation.given(a)]
        problem, model = _undefined(translation, context, _all_nodes(conclusion), steps)
        if problem:
            return SmtResult("unknown" if atoms or model is None else "refuted", problem, model)
        goal = translation.formula(conclusion)
    except NotArithmetic as error:
        return SmtResult("unknown", str(error))
    negation = [*context, z3.Not(goal)]
    # If no point contradicts it, it holds everywhere; that the assumptions have a point at all is asked
    # elsewhere.
    answer, solver = _check(negation, steps)
    if answer == z3.unsat:
        return SmtResult("proved", "the negation is unsatisfiable over the reals")
    if answer == z3.sat:
        return SmtResult("refuted", "the negation has a model", _model(solver, translation, negation, steps))
    return SmtResult("unknown", f"z3 answered unknown ({solver.reason_unknown()}) within {steps} steps")


def undefined(assumptions: Sequence[Formula], formula: Formula, *, steps: int) -> str:
    """The first condition for both sides of every relation to be real numbers that was not shown; empty if all were.

    Args:
        formula: Relations, whose signs do not matter here.
        steps: z3's resource units for each condition.
    """
    open_terms = [n for n in _all_nodes(formula) if not all(evident(r) for r in needs(n))]
    # Most terms are plain by the declared domains, and a question to a solver costs far more than a
    # look.
    if not open_terms:
        return ""
    assumptions = in_order(assumptions, formula)
    translation = Translation(atoms=True)
    try:
        context = [c for a in assumptions for c in translation.given(a)]
        problem = _undefined(translation, context, _all_nodes(formula), steps)[0]
    except NotArithmetic as error:
        return str(error)
    if not problem:
        _say(Answered("proved", assumptions, formula, True, goal=False))
    return problem


def _undefined(
    translation: Translation, context: list[Any], terms: Iterable[sympy.Expr], steps: int
) -> tuple[str, Mapping[sympy.Symbol, sympy.Expr] | None]:
    """The first of `terms` that was not shown to be defined, or an empty text, and z3's point where it is not.

    What is shown is added to `context`.
    """
    for node in terms:
        conditions = [] if translation.granted(node) else translation.conditions(node)[0]
        # No point shows that such a term has no value.
        if conditions is None:
            return f"could not show that a term is defined: {node}", None
        for condition in conditions:
            negation = [*context, z3.Not(condition)]
            answer, solver = _check(negation, steps)
            if answer != z3.unsat:
                model = _model(solver, translation, negation, steps) if answer == z3.sat else None
                return f"could not show that a term is defined: {node}", model
        context += translation.grant(node)
    return "", None


def satisfiable(assumptions: Sequence[Formula], *, steps: int) -> str:
    """`yes`, `no` or `unknown`: whether some real point satisfies every assumption.

    A claim whose hypotheses nothing satisfies is true of nothing. A "yes" with atoms is only a hint, as
    an atom may be any number.
    """
    translation = Translation(atoms=True)
    try:
        context = [c for a in in_order(assumptions) for c in translation.given(a)]
    except NotArithmetic:
        return "unknown"
    answer, _ = _check(context, steps)
    return "yes" if answer == z3.sat else ("no" if answer == z3.unsat else "unknown")


@contextmanager
def patience(*, alone: bool) -> Iterator[None]:
    """Raise `OutOfTime` in the block where the clock runs out; with nothing beside it, give z3 three times as long.

    What is still open then is unanswered: a question whose steps never end must not keep the other lenses waiting.

    Args:
        alone: Whether no other question is being worked on beside.
    """
    before = _clock.set("waits" if alone else "raises")
    try:
        yield
    finally:
        _clock.reset(before)


def _check(constraints: list[Any], steps: int) -> tuple[Any, Any]:
    """Ask z3's nonlinear solver first, then the general one, each with half of the steps.

    Each question gets a context of its own: an answer must not depend on what else the process has asked.
    """
    best: tuple[Any, Any] = (z3.unknown, z3.Solver())
    # nlsat is complete for real arithmetic; the general solver ends some questions on which it does
    # not.
    for tactic in ("qfnra-nlsat", None):
        context = z3.Context()
        solver = z3.Solver(ctx=context) if tactic is None else z3.Tactic(tactic, ctx=context).solver()
        milliseconds = max(_LEAST_MILLISECONDS, steps // _STEPS_PER_MILLISECOND)
        solver.set("timeout", _PATIENCE * milliseconds if _clock.get() == "waits" else milliseconds)
        solver.set("rlimit", max(1, steps // 2))
        solver.add(*(constraint.translate(context) for constraint in constraints))
        try:
            answer = solver.check()
        except z3.Z3Exception:  # a tactic may refuse a goal; the general solver takes all of them
            continue
        if answer == z3.unknown and _clock.get() == "raises" and solver.reason_unknown() == "timeout":
            raise OutOfTime(f"time-out: z3 took more than {milliseconds / 1000} s for one question")
        best = (answer, solver)
        if answer != z3.unknown:
            break
    return best


def _model(
    solver: Any, translation: Translation, constraints: list[Any], steps: int
) -> dict[sympy.Symbol, sympy.Expr] | None:
    """The values of the variables in the model, rational and integer ones where possible, or None."""
    constraints = list(constraints)
    found: dict[sympy.Symbol, sympy.Expr] = {}
    for symbol, variable in translation.names.items():
        value = solver.model().eval(variable.translate(solver.ctx), model_completion=True)
        # A root of a polynomial is an exact value too, but long to check; a rational beside it often is a model too.
        if not z3.is_rational_value(value) or (symbol.is_integer and value.denominator_as_long() != 1):
            better = _rational_model(variable, value, constraints, bool(symbol.is_integer), steps)
            if better is not None:
                solver, value = better
        exact = _exact_value(value)
        if exact is None or (symbol.is_integer and not exact.is_integer):
            return None
        found[symbol] = exact
        if exact.is_Rational:
            constraints.append(variable == z3.RealVal(f"{exact.p}/{exact.q}"))
    return found


def _rational_model(
    variable: Any, value: Any, constraints: list[Any], integer: bool, steps: int
) -> tuple[Any, Any] | None:
    """A solver and a rational value near `value` at which the constraints still have a model, if one is found."""
    near = _approximation(value)
    if near is None:
        return None
    for denominator in _DENOMINATORS[:1] if integer else _DENOMINATORS:
        rounded = near.limit_denominator(denominator)
        for shift in (0, -1, 1) if integer else (0,):
            number = z3.RealVal(f"{(rounded + shift).numerator}/{(rounded + shift).denominator}")
            answer, solver = _check([*constraints, variable == number], steps // 20)
            if answer == z3.sat:
                return solver, number
    return None


def _approximation(value: Any) -> Fraction | None:
    """Return a rational near a value of z3's; None for one that is no number."""
    if z3.is_algebraic_value(value):
        value = value.approx(20)
    if not z3.is_rational_value(value):
        return None
    return Fraction(value.numerator_as_long(), value.denominator_as_long())


def _exact_value(value: Any) -> sympy.Expr | None:
    """A number of z3 as SymPy writes it: the same root of the same polynomial, by its place among the real roots."""
    if z3.is_rational_value(value):
        return sympy.Rational(value.numerator_as_long(), value.denominator_as_long())
    if not z3.is_algebraic_value(value):
        return None
    unknown = sympy.Symbol("x")
    coefficients = [int(c.as_long()) if z3.is_int_value(c) else int(str(c)) for c in value.poly()]
    polynomial = sympy.Poly(coefficients[::-1], unknown)
    near = _approximation(value)
    roots = [
        r
        for r in polynomial.real_roots()
        if near is not None and abs(sympy.N(r - sympy.Rational(str(near)), 30)) < 1e-15
    ]
    return roots[0] if len(roots) == 1 else None
