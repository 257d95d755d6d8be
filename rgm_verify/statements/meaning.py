"""Claims from trees: domains, hypotheses and formulas with exact expressions, where no condition gets lost.

SymPy cancels what it is given: `x/x` becomes 1 and is then defined at 0. Here every operation stays as it is written
where its result would forget a condition.

This is the step on which all answers depend: whatever is proved is proved of the claim that is made here. A reading
that is wrong by one condition is a false answer that no lens notices. So nothing is guessed in silence: what was
assumed is a note, what can be read in two ways is refused before (`parser`), and what would become too large to be
judged is refused before any expression is built (`sizes`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import sympy
from sympy.core.alphabets import greeks as greek_letters_set

from rgm_verify.balls.binding import ends_in_disorder
from rgm_verify.claims.claim import Claim, ClaimError, Hypothesis, Mutant, Variable, real
from rgm_verify.claims.formula import (
    All,
    Either,
    FormulaError,
    Implies,
    Relation,
    negation,
)
from rgm_verify.claims.formula import Formula as ClaimFormula
from rgm_verify.claims.formula import Iff as ClaimIff
from rgm_verify.engine.as_written import BINARY
from rgm_verify.lenses.controls import is_trivial
from rgm_verify.lenses.solvers.definedness import evident, needs, parts
from rgm_verify.statements import trees
from rgm_verify.statements.doubts import refuse_doubtful
from rgm_verify.statements.infinite import UNKNOWN_SUM
from rgm_verify.statements.operations import NeverDefined, applied, called, negative, operated
from rgm_verify.statements.sizes import constant, refuse_large
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import (
    CONSTANTS,
    And,
    Call,
    Compare,
    Expression,
    Factors,
    Formula,
    Given,
    If,
    Iff,
    Name,
    Not,
    Number,
    Or,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    conditions,
    inside,
    names,
    series,
    series_in,
    sides,
)

__all__ = ["ID", "IMPROPER", "Meaning", "meaning"]

#: The id of every claim that comes of a statement: random points depend on it, so that answers do not depend on names.
ID: Final = "statement"
#: The reading of an integral whose integrand may lack a value somewhere.
IMPROPER: Final = (
    "an integral is read as improper: at a point of its range where the integrand has no value it is the limit from "
    "either side, each by itself; if one of them does not exist, the integral has no value, and the statement is false"
)
#: Letters that are of integers in most texts.
_LIKE_INTEGERS: Final = ("i", "j", "k", "l", "m", "n")
#: What SymPy raises where it cannot make an expression of what it is given.
_GIVES_UP = (ValueError, TypeError, ArithmeticError, AttributeError, NotImplementedError, RecursionError)
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Meaning:
    """A statement as a claim, how it is understood, and what was assumed in reading it.

    Attributes:
        claim: The claim that the lenses judge.
        read_as: The statement with the domains that were assumed.
        notes: Sentences about what was assumed, for whoever asked.
    """

    claim: Claim
    read_as: Statement
    notes: tuple[str, ...]
    undefined: str
    """A term that has a value nowhere; empty if there is none."""


def meaning(text: str, statement: Statement) -> Meaning:
    """Return the claim of a statement.

    The conditions of `if ... then ...` are taken among what is given, where lenses look for them. A relation between a
    variable and a rational number becomes the end of a domain. Neither changes what is said: "if A then B, given C" and
    "B, given A and C" are true of the same points.

    Args:
        text: The statement as it was typed, for messages.
        statement: Its tree.

    Returns:
        The claim, quantified over every variable that occurs.

    Raises:
        DoubtfulReading: For a name that may be a product, and what else hangs on the names (`doubts`).
        StatementError: For an empty domain, a variable that is bound twice, and what would become too large.

    Examples:
        >>> from rgm_verify.statements.parser import parse
        >>> made = meaning("if x > 1 then x^2 > x", parse("if x > 1 then x^2 > x"))
        >>> print(made.claim.conclusion, made.claim.hypotheses)
        x**2 > x ()
        >>> [(v.symbol, v.lower, v.lower_open) for v in made.claim.variables]
        [(x, Fraction(1, 1), True)]

        A condition that SymPy would cancel is kept, and a term without any value is turned into what it needs:

        >>> print(meaning("x/x = 1", parse("x/x = 1")).claim.conclusion)
        x/x == 1
        >>> meaning("1/0 = 1", parse("1/0 = 1")).notes
        ('1/0 is no real number, whatever the variables are: it needs 0 != 0',)
    """
    refuse_doubtful(text, statement)
    says, given = statement.says, list(statement.given)
    # Of a point that exists nothing may be given: the condition is part of what is asked.
    while isinstance(says, If) and not statement.exists:
        given += _flat(says.condition)
        says = says.consequence
    reader = _Reader(text)
    reader.notes += statement.notes
    reader.declare(given)
    # Before any symbol is made: it finds the variables, and refuses what must not become an expression.
    reader.look([says, *conditions(given)])
    variables = reader.variables()
    try:
        claim = reader.claim(says, conditions(given), variables, exists=statement.exists)
    except StatementError:
        raise
    except (ClaimError, FormulaError) as error:
        raise StatementError(text, says.position, str(error).removeprefix(f"{ID}: ")) from error
    # Whatever SymPy stumbles over is a statement that was not read, and never one that was read in part.
    except _GIVES_UP as error:
        raise StatementError(text, says.position, f"no expression can be made of this: {error}") from error
    read_as = Statement(statement.says, (*reader.assumed, *statement.given), statement.exists)
    return Meaning(claim, read_as, tuple(reader.notes), reader.undefined)


def _flat(formula: Formula) -> list[Formula]:
    """Return the parts of a conjunction, of conjunctions in it too."""
    return [f for part in formula.parts for f in _flat(part)] if isinstance(formula, And) else [formula]


def _judgeable(formula: ClaimFormula) -> ClaimFormula:
    """Return the formula with a relation between equal expressions as one between their difference and 0.

    A statement such as `1 + 1 = 2` is one expression twice for SymPy, and nothing would be left to look at. The
    difference is not evaluated, so that conditions of the two sides stay: `1/x = 1/x` fails at 0 as before.
    """
    match formula:
        case Relation(lhs, op, rhs) if lhs == rhs:
            return Relation(BINARY["__sub__"](lhs, rhs), op, sympy.S.Zero)
        case Relation():
            return formula
        case All(parts):
            return All(tuple(map(_judgeable, parts)))
        case Either(parts):
            return Either(tuple(map(_judgeable, parts)))
        case Implies(left, right):
            return Implies(_judgeable(left), _judgeable(right))
        case ClaimIff(left, right):
            return ClaimIff(_judgeable(left), _judgeable(right))


def _controlled(claim: Claim) -> Claim:
    """Return the claim with a control that counts, where the one that is made by default does not suit.

    That is one which is false by its constants alone, and for a statement about numbers one with their squares. Without
    a control that counts no proof makes a claim `proved`, so that `exp(1) < 2.72` could never be.

    Args:
        claim: The claim as it was read.

    Returns:
        The claim as it is, or with one control: the opposite of the conclusion by a margin. The control is false
        wherever the conclusion is true and defined; where the conclusion is false nothing depends on it.
    """
    conclusion = claim.conclusion
    # One wrong part makes a conjunction wrong, and the first is as good as any.
    while isinstance(conclusion, All):
        conclusion = conclusion.parts[0]
    made = claim.controls
    if not isinstance(conclusion, Relation) or claim.quantifier == "exists" or conclusion.op == "!=" or not made:
        # No proof hangs on a control for a point that exists, or for `!=`: what is made by default stays.
        return claim
    if claim.variables and not is_trivial(claim, made[0]):
        return claim
    # A margin with a variable in it: by constants alone the control would be false at once.
    more = 1 + claim.variables[0].symbol ** 2 if claim.variables else sympy.S.One
    lhs, op, rhs = conclusion.lhs, conclusion.op, conclusion.rhs
    wrong = {"==": ("==", rhs + more), ">=": ("<=", rhs - more), ">": ("<=", rhs - more)}
    name = f"made by the program: the opposite by a margin of {more}"
    return replace(claim, mutants=(Mutant(name, Relation(lhs, *wrong.get(op, (">=", rhs + more)))),))


@dataclass
class _Domain:
    """The facts about a variable: its sort, its ends, and where it was declared.

    Attributes:
        kind: `real`, `integer`, or empty as long as nobody has said.
        lower: The largest lower end so far; None without one.
        upper: The least upper end so far; None without one.
        lower_open: Whether the lower end is left out.
        upper_open: Whether the upper end is left out.
        position: The column of the declaration, from 0.
    """

    kind: str = ""
    lower: Fraction | None = None
    upper: Fraction | None = None
    lower_open: bool = False
    upper_open: bool = False
    position: int = 0

    def narrow(self, sign: str, value: Fraction) -> None:
        """Take in `variable sign value`; of two equal ends the open one is the narrower.

        An equation narrows from both sides. Ends that cross make an empty domain; `variable` reports it.

        Examples:
            >>> domain = _Domain()
            >>> for sign, value in ((">=", 0), (">", 0), ("<", 3), (">", -1)):
            ...     domain.narrow(sign, Fraction(value))
            >>> domain.lower, domain.lower_open, domain.upper, domain.upper_open
            (Fraction(0, 1), True, Fraction(3, 1), True)
        """
        if sign in (">", ">=", "="):
            tighter = self.lower is None or value > self.lower or (value == self.lower and sign == ">")
            if tighter:
                self.lower, self.lower_open = value, sign == ">"
        if sign in ("<", "<=", "="):
            tighter = self.upper is None or value < self.upper or (value == self.upper and sign == "<")
            if tighter:
                self.upper, self.upper_open = value, sign == "<"

    def variable(self, name: str) -> Variable:
        """Return the variable, with the ends of an integer's range as integers that belong to it.

        An open end of an integer's range is moved to the next integer, which says the same with a closed end.

        Raises:
            ClaimError: For a domain without a point.

        Examples:
            >>> n = _Domain("integer", lower=Fraction(1, 2), upper=Fraction(4), upper_open=True).variable("n")
            >>> n.lower, n.upper
            (Fraction(1, 1), Fraction(3, 1))
        """
        latex = _latex(name)
        # Real ends stay as they are: an open one cannot be moved anywhere.
        if self.kind != "integer":
            left, right = self.lower_open, self.upper_open
            return real(name, lower=self.lower, upper=self.upper, lower_open=left, upper_open=right, latex=latex)
        low, high = self.lower, self.upper
        if low is not None:
            low = Fraction(math.floor(low) + 1 if self.lower_open else math.ceil(low))
        if high is not None:
            high = Fraction(math.ceil(high) - 1 if self.upper_open else math.floor(high))
        return real(name, lower=low, upper=high, integer=True, latex=latex)


def _latex(name: str) -> str:
    r"""Return LaTeX of a name of several letters, which are no product; empty for what SymPy shows well.

    Examples:
        >>> print(_latex("risk"), _latex("alpha") == _latex("x") == "")
        \mathrm{risk} True
    """
    word = len(name) > 1 and name.isalpha() and name.lower() not in greek_letters_set
    return rf"\mathrm{{{name}}}" if word else ""


class _Reader:
    """The variables of one statement, and its expressions.

    The methods are called in one order, as `meaning` does: `declare`, then `look`, which adds the variables that nobody
    declared, then `variables`, which makes their symbols, then `claim`. Expressions before the symbols would not know
    the domains, and SymPy evaluates by them.

    Attributes:
        text: The statement as it was typed.
        domains: The domain of each free variable, in the order of their first places.
        notes: What was assumed.
        assumed: The sorts of variables that nobody declared.
        undefined: A term of what is said that has a value nowhere.
        symbols: The symbol of each free variable.
        bound: The symbols of the sums and integrals that are open.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.domains: dict[str, _Domain] = {}
        self.ends: list[Given] = []
        """Formulas that domains hold in full."""
        self.notes: list[str] = []
        self.assumed: list[Sort] = []
        self.undefined = ""
        self.symbols: dict[str, sympy.Symbol] = {}
        self.bound: dict[str, sympy.Symbol] = {}

    def fail(self, position: int, problem: str) -> None:
        """Raise `StatementError` at a column from 0; it never returns."""
        raise StatementError(self.text, position, problem)

    # ---------------------------------------------------------------------------------------------- domains

    def declare(self, given: Sequence[Given]) -> None:
        """Take in sorts, and relations between a variable and a rational number.

        Relations that a domain holds in full are remembered in `ends`, and are no hypotheses any more: a lens would
        take each for a condition of its own, and the report would ask whether it is needed.

        Raises:
            StatementError: For a variable that is declared as real and as an integer.
        """
        for item in given:
            if isinstance(item, Sort):
                domain = self.domains.setdefault(item.name, _Domain(position=item.position))
                if domain.kind not in ("", item.kind):
                    self.fail(
                        item.position, f"{item.name} is declared as {domain.kind} before, and as {item.kind} here"
                    )
                domain.kind = item.kind
            elif isinstance(item, Compare) and self.is_domain(item):
                self.ends.append(item)

    def is_domain(self, chain: Compare) -> bool:
        """Take in a chain if all its relations bound variables by numbers, and return whether they do.

        Args:
            chain: `0 < x <= 1`, `n >= 4`, but not `x < y`, `x^2 < 2`, or `x != 0`. A side counts as a number where
                `constant` knows its rational value: `x < 1/3` is a domain, and `x < sqrt(2)` a hypothesis.

        Returns:
            True if the domains say all that the chain says; False if nothing was taken in.
        """
        found = []
        for left, sign, right in zip(chain.sides[:-1], chain.signs, chain.sides[1:], strict=True):
            refuse_large(self.text, [left, right])
            if isinstance(left, Name) and left.name not in CONSTANTS:
                name, value, turned = left, constant(right), sign
            elif isinstance(right, Name) and right.name not in CONSTANTS:
                name, value, turned = right, constant(left), _TURNED[sign]
            else:
                return False
            # A domain is an interval; one point less is a hypothesis.
            if value is None or sign == "!=":
                return False
            # All or nothing: a chain that is a domain in part stays a hypothesis as a whole.
            found.append((name, turned, value))
        # Only now: before the last relation it was not sure that any of them counts.
        for name, turned, value in found:
            self.domains.setdefault(name.name, _Domain(position=name.position)).narrow(turned, value)
        return True

    def look(self, formulas: Sequence[Formula]) -> None:
        """Refuse what is too large or bound twice, and find variables that nothing declares.

        These are real numbers, and a note says so. So it does of a variable that has ends, no sort, and a letter that
        is of an integer elsewhere.

        Args:
            formulas: What is said, and what is given, sorts excepted.

        Raises:
            StatementError: With the column of the sum, or of the part that is too large.
        """
        refuse_large(self.text, [s for f in formulas for s in sides(f)])
        free: dict[str, int] = {}
        for place in names(formulas):
            free.setdefault(place.name, place.position)
        for one in series(formulas):
            # SymPy would let it pass, and a reader cannot tell which of the two a hypothesis is about.
            if one.index in free or one.index in self.domains:
                self.fail(one.position, f"{one.index} is bound here and free elsewhere; use another letter")
            # The inner letter hides the outer one, which is legal and almost always a slip.
            inner = [s for s in series_in(one.body) if s.index == one.index]
            if inner:
                self.fail(inner[0].position, f"{one.index} is bound twice; use another letter")
        if any(_bare_euler(side) for formula in formulas for side in sides(formula)):
            self.notes.append("e is Euler's number, 2.718...; a variable needs another name, such as eps")
        if any(_calls(side, "Phi") for formula in formulas for side in sides(formula)):
            self.notes.append("Phi is the distribution function of the normal law with mean 0 and variance 1")
        unknown = [name for name in free if name not in self.domains]
        for name in unknown:
            # Behind the declared ones, so that a variable keeps its place when others get domains.
            self.domains[name] = _Domain("real", position=free[name])
            self.assumed.append(Sort(name, "real", position=free[name]))
        if unknown:
            several = len(unknown) > 1
            are = "are taken to be real numbers" if several else "is taken to be a real number"
            self.notes.append(f"{', '.join(unknown)} {are}, as no domain is given")
        real_ones = [name for name, domain in self.domains.items() if name in _LIKE_INTEGERS and not domain.kind]
        if real_ones:
            run = "run" if len(real_ones) > 1 else "runs"
            self.notes.append(f"{', '.join(real_ones)} {run} through real numbers, as no sort is given")

    def variables(self) -> tuple[Variable, ...]:
        """Return the variables in the order of their first places; raises `StatementError` for an empty domain."""
        found = []
        for name, domain in self.domains.items():
            try:
                found.append(domain.variable(name))
            except ClaimError as error:
                self.fail(domain.position, f"{error}: nothing is left to say something about")
            self.symbols[name] = found[-1].symbol
        return tuple(found)

    # ---------------------------------------------------------------------------------------------- formulas

    def claim(self, says: Formula, given: Sequence[Formula], variables: tuple[Variable, ...], *, exists: bool) -> Claim:
        """Return the claim that `says` holds where everything given does, with a control that counts.

        Args:
            says: What is said.
            given: Formulas; those that domains hold in full are left out.
            variables: The variables with their domains.
            exists: Whether it is said of some point rather than of all.
        """
        claim = Claim(
            id=ID,
            title="A statement",
            variables=variables,
            hypotheses=tuple(Hypothesis(trees.text(g), self.hypothesis(g)) for g in given if g not in self.ends),
            conclusion=self.conclusion(says),
            quantifier="exists" if exists else "forall",
        )
        return _controlled(claim)

    def conclusion(self, tree: Formula) -> ClaimFormula:
        """Return the formula of what is said; where a term has a value nowhere, the condition that it fails.

        A statement about a term without a value is false, not void. The condition is a formula that can be judged, and
        that is refuted with the same outcome; `undefined` lets the answer name the term instead.
        """
        try:
            return _judgeable(self.formula(tree))
        except NeverDefined as error:
            self.notes.append(f"{error.term} is no real number, whatever the variables are: it needs {error.condition}")
            self.undefined = str(error.term)
            return _judgeable(error.condition)

    def hypothesis(self, tree: Formula) -> ClaimFormula:
        """Return the formula of what is given; raises `StatementError` where a term of it has a value nowhere.

        A given term without a value is refused, unlike one that is said: everything would follow from it.
        """
        try:
            return self.formula(tree)
        except NeverDefined as error:
            raise StatementError(
                self.text, tree.position, f"{error.term} has no value, so that nothing satisfies this"
            ) from error

    def formula(self, tree: Formula) -> ClaimFormula:
        """Return the formula of a tree.

        A chain becomes all of its relations: `a < b < c` says `a < b` and `b < c`, with the middle side the same in
        both. Negations are carried inward (`negation`), since claims have no sign for "not".
        """
        match tree:
            case Compare(sides, signs):
                made = [self.expression(side) for side in sides]
                parts = tuple(
                    Relation(left, "==" if sign == "=" else sign, right)
                    for left, sign, right in zip(made[:-1], signs, made[1:], strict=True)
                )
                return parts[0] if len(parts) == 1 else All(parts)
            case And(parts):
                return All(tuple(map(self.formula, parts)))
            case Or(parts):
                return Either(tuple(map(self.formula, parts)))
            case Not(part):
                return negation(self.formula(part))
            case If(condition, consequence):
                return Implies(self.formula(condition), self.formula(consequence))
            case Iff(left, right):
                return ClaimIff(self.formula(left), self.formula(right))

    # ---------------------------------------------------------------------------------------------- expressions

    def expression(self, tree: Expression) -> sympy.Expr:
        """Return the expression of a tree, with every condition that its operations put on the variables.

        Operations are applied one at a time from the inside, as `applied` compares the conditions before and after
        each. A whole expression handed to SymPy at once would be simplified before anybody could look.

        Raises:
            NeverDefined: For an operation on constants without a real value, such as `log(-1)`.
        """
        match tree:
            case Number(value):
                return sympy.Rational(value.numerator, value.denominator)
            case Name(name):
                return {"pi": sympy.pi, "e": sympy.E}.get(name) or self.bound.get(name) or self.symbols[name]
            case Terms(parts):
                (sign, start), *rest = parts
                found = self.expression(start)
                found = applied(negative, lambda a: -a, found) if sign == "-" else found
                for sign, part in rest:
                    found = operated("__add__" if sign == "+" else "__sub__", found, self.expression(part))
                return found
            case Factors(factors):
                found = self.expression(factors[0][1])
                for stroke, part in factors[1:]:
                    found = operated("__mul__" if stroke == "*" else "__truediv__", found, self.expression(part))
                return found
            case Power(base, exponent):
                return operated("__pow__", self.expression(base), self.expression(exponent))
            case Call(name, arguments):
                return called(name, [self.expression(a) for a in arguments])
            case Series():
                return self.series(tree)

    def series(self, tree: Series) -> sympy.Expr:
        """Return a sum, a product or an integral, kept as it is written.

        It is never evaluated here: SymPy's closed form of a sum may hold for other ends than those that are given, and
        an integral may diverge. The lenses that evaluate have their own checks.

        Raises:
            StatementError: For a sum or a product that runs backwards, whatever stands around it.
        """
        if tree.kind == "sum" and (tree.first is None or tree.last is None):
            self.fail(tree.position, UNKNOWN_SUM)
        first = -sympy.oo if tree.first is None else self.expression(tree.first)
        last = sympy.oo if tree.last is None else self.expression(tree.last)
        # The letter of a sum runs through integers, and SymPy may use that in the term.
        kind = {"real": True} if tree.kind == "integral" else {"integer": True}
        index = sympy.Symbol(tree.index, **kind)
        before = self.bound
        self.bound = {**before, tree.index: index}
        body = self.expression(tree.body)
        # The letter means something else again outside of the sum.
        self.bound = before
        made = {"sum": sympy.Sum, "product": sympy.Product, "integral": sympy.Integral}[tree.kind]
        # Where the integrand may lack a value, another reading of the integral has another value, or none.
        lacking = tree.kind == "integral" and any(not evident(r) for node in parts(body) for r in needs(node))
        if lacking and IMPROPER not in self.notes:
            self.notes.append(IMPROPER)
        found = made(body, (index, first, last))
        # Here, as SymPy drops a sum with 0 before it.
        if problem := ends_in_disorder(found):
            self.fail(tree.position, problem)
        return found


# ------------------------------------------------------------------------------------------------ looking into trees


def _calls(tree: Expression, name: str) -> bool:
    """Return whether a function is called in an expression."""
    return (isinstance(tree, Call) and tree.name == name) or any(_calls(part, name) for part in inside(tree))


def _bare_euler(tree: Expression) -> bool:
    """Return whether `e` stands in an expression other than as the base of a power, where nobody misreads it."""
    if isinstance(tree, Power) and tree.base == Name("e"):
        return _bare_euler(tree.exponent)
    return tree == Name("e") or any(map(_bare_euler, inside(tree)))
