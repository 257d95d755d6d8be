"""Statements about matrices of all sizes: a proof by multiplying out, and exact random matrices of
several sizes.

Two routes that share no code. The proof writes both sides as sums of words in letters that do not
commute, with the rules that hypotheses allow (symmetric, invertible); equal normal forms are equal
matrices, whatever the sizes and the entries. The other evaluates the sides as written, over
Fractions, and can refute. That the normal forms differ shows nothing: a statement may hold for a
reason that the rules do not know.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import sympy
from sympy.matrices.expressions.matexpr import MatrixExpr

from rgm_verify.claims.claim import Claim, ClaimError
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import All, Formula, Relation, ge, ne, relations, truth
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.base import Context, Lens, stray_symbols
from rgm_verify.lenses.matrices.normal_forms import Rules, Sum, WordError, difference, fit, shape
from rgm_verify.lenses.points.axes import generator_for
from rgm_verify.lenses.solvers.smt import prove, undefined
from rgm_verify.lenses.worlds import linear
from rgm_verify.lenses.worlds.exact import Failure, Slack


@dataclass(frozen=True)
class Matrices(Lens):
    """Equations and inequalities between matrices whose sizes are variables, for all sizes and all real entries.

    Sides are SymPy's expressions in `MatrixSymbol`s: sums, products, transposes, powers, inverses and traces, with
    coefficients in the claim's variables. Every size is a number or an integer variable of the claim from 1 on. Of the
    matrices only what the hypotheses say is known: `eq(A.T, A)` makes one symmetric, `ne(Determinant(A), 0)`
    invertible. Other hypotheses concern numbers.

    An equation is proved by normal forms (`matrices.normal_forms`). An inequality `left >= right` between numbers is
    proved by writing its gap as the sum of `squares`, pairs of a coefficient that is not negative and a matrix M, which
    stands for the trace of M^T M, and of multiples of the gaps of hypotheses: `using` pairs their names with
    coefficients that are not negative.

    The second route evaluates both sides as they are written, by plain linear algebra over Fractions, for random
    matrices of several sizes, size 1 included; where one fails, it refutes. It refutes the claim's mutants too. Raises
    `ClaimError` for names or sizes that are not clear.

    Attributes:
        squares: Coefficients that are not negative, each with a matrix.
        using: Names of hypotheses, each with a coefficient that is not negative.
    """

    squares: tuple[tuple[sympy.Expr, sympy.Expr], ...] = ()
    using: tuple[tuple[str, sympy.Expr], ...] = ()

    name: ClassVar[str] = "matrices of all sizes"
    grants: ClassVar[frozenset[Kind]] = frozenset(
        {Kind.SYMBOLIC_PROOF, Kind.NUMERICAL_ROUTE, Kind.COUNTEREXAMPLE, Kind.NOTE}
    )
    alone: ClassVar[bool] = True

    def refuse(self, claim: Claim) -> None:
        """Raise `ClaimError` for two things of one name, and for a size that no integer variable of the claim is.

        An equality of matrices needs one meaning for each name and sizes that the worlds can draw. A relation between a
        matrix and a number is refused as well.

        Args:
            claim: The claim that asks for the lens.

        Raises:
            ClaimError: As above, and for symbols in the settings that the claim does not declare.
        """
        declared = {v.symbol: v for v in claim.variables}
        names: dict[str, Any] = {s.name: s for s in declared}
        for matrix in _symbols(claim, self):
            # Words and worlds go by names: two matrices of one name would be one.
            if names.setdefault(str(matrix.name), matrix) != matrix:
                raise ClaimError(f"{claim.id}: {self.name}: two things are called {matrix.name}; rename one of them")
            for length in matrix.shape:
                known = declared.get(length)
                if not isinstance(length, sympy.Integer) and (known is None or not _is_size(known)):
                    raise ClaimError(
                        f"{claim.id}: {self.name}: the size {length} of {matrix.name} is neither a number nor an "
                        "integer variable of the claim from 1 on; declare it with natural(...)"
                    )
        for relation in (r for f in _formulas(claim) for r in relations(f)):
            # SymPy compares such sides without a word, and nobody could say what is meant.
            mixed = isinstance(relation.lhs, MatrixExpr) is not isinstance(relation.rhs, MatrixExpr)
            if mixed:
                raise ClaimError(
                    f"{claim.id}: {self.name}: {relation} compares a matrix with a number; make a number of the "
                    "matrix with Trace(...), or a matrix of the number with Identity(1) or ZeroMatrix(1, 1)"
                )
        stray = stray_symbols(claim, self._settings())
        if stray:
            raise ClaimError(f"{claim.id}: {self.name}: the settings use {stray}")

    def _settings(self) -> list[sympy.Expr]:
        """Return the numbers in the settings, whose symbols have to be variables of the claim."""
        given = [factor for factor, _ in self.squares] + [factor for _, factor in self.using]
        return [n for part in (*given, *(m for _, m in self.squares)) for n in _numbers(sympy.sympify(part))]

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Prove the claim, and look at worlds of several sizes.

        Args:
            claim: The claim or a control of it.
            context: Profile, seed and second solver.

        Returns:
            Evidence of the proof and of the worlds, each by itself; an undecided note alone where a
            side has no meaning.
        """
        if claim.conclusion is None:
            return []
        self.refuse(claim)
        found = _parts(claim.conclusion)
        # Multiplying out shows what holds for all matrices, and random ones refute nothing of existence.
        if claim.quantifier == "exists" or found is None:
            return [self.undecided(("sympy",), "it looks at equations and inequalities that hold for all matrices")]
        try:
            for side in (side for r in found for side in (r.lhs, r.rhs)):
                fit(side)
            second = self.tried(claim, found, context)
        # The worlds have looked already, and what they found stands without a proof.
        except WordError as error:
            return [self.undecided(("sympy",), str(error))]
        try:
            return [self.proved(claim, found, context), second]
        except WordError as error:
            return [self.undecided(("sympy",), str(error)), second]

    def proved(self, claim: Claim, found: Sequence[Relation], context: Context) -> Evidence:
        """The proof, or why there is none.

        Args:
            found: The relations of its conclusion.
            context: The steps for z3 and the second solver.
        """
        known = _Known.of(claim, context)
        for number, relation in enumerate(found, 1):
            if problem := self._open(relation, known):
                # By its number: SymPy takes seconds to write some products of matrices.
                place = f"relation {number} of {len(found)}: " if len(found) > 1 else ""
                return self.undecided(("sympy",), place + problem)
        equations = all(r.op == "==" for r in found)
        way = (
            "both sides multiply out to the same words"
            if equations
            else "the gap is a sum of squares and of what is assumed"
        )
        summary = f"{way}, whatever the sizes are"
        details = {"symmetric": sorted(known.rules.symmetric), "invertible": sorted(known.rules.invertible)}
        return self.evidence(Kind.SYMBOLIC_PROOF, Finding.SUPPORTS, ("sympy",), summary, details=details)

    def _open(self, relation: Relation, known: _Known) -> str:
        """Return what is not shown of a relation; empty if it is proved."""
        if shape(relation.lhs) != shape(relation.rhs):
            return "the sides have different sizes"
        # An inverse without a hypothesis, or a quotient of numbers, may have no value.
        if problem := known.undefined(relation.lhs, relation.rhs):
            return problem
        gap = _gap(relation, known)
        if relation.op == "==":
            return "" if _vanishes(gap) else "the normal forms of the sides differ"
        if relation.op not in ("<=", ">=") or shape(relation.lhs) != ("1", "1"):
            return "it looks at equations, and at inequalities between numbers that are not strict"
        for factor, part in self._parts_of_gap(known):
            if problem := known.undefined(factor) or known.negative(factor):
                return problem
            # Each part is >= 0 and its factor as well: what is left of the gap has to be nothing at all.
            gap = difference(gap, part, factor)
        return "" if _vanishes(gap) else "squares and hypotheses do not add up to the gap"

    def _parts_of_gap(self, known: _Known) -> Iterator[tuple[sympy.Expr, Sum]]:
        """Yield the terms whose sum is to be the gap: traces of M^T M, which are >= 0, and gaps of
        hypotheses, each with its factor.
        """
        for factor, matrix in self.squares:
            yield sympy.sympify(factor), known.rules.normal(sympy.Trace(sympy.MatMul(matrix.T, matrix)))
        for name, factor in self.using:
            if name not in known.inequalities:
                raise WordError(f"using: no hypothesis called {name!r} is an inequality between numbers")
            yield sympy.sympify(factor), _gap(known.inequalities[name], known)

    def tried(self, claim: Claim, found: Sequence[Relation], context: Context) -> Evidence:
        """Look at random matrices: a counterexample, a route of its own, or nothing if too few meet the hypotheses.

        Args:
            found: The relations of its conclusion.
            context: Profile and seed.
        """
        wanted = 4 * context.profile.points + 48
        generator = generator_for(claim.id, "matrices", context.seed)
        kept, sizes = 0, set()
        # Hypotheses such as an inequality are met by chance; twelve times as many draws leave room for
        # that.
        for world in itertools.islice(_worlds(claim, self, generator), 12 * wanted):
            if kept >= wanted:
                break
            # A world that breaks a hypothesis is none that the claim speaks of.
            if not _admissible(claim, world):
                continue
            failure = _failure(found, world)
            if failure is not None:
                summary = f"fails in the world {failure.describe()}"
                details = {"witness": failure.to_json("both sides, for these matrices (tuples of rows)")}
                return self.evidence(Kind.COUNTEREXAMPLE, Finding.REFUTES, ("fractions",), summary, details=details)
            kept += 1
            sizes.add(tuple(sorted((str(k), v) for k, v in world.items() if isinstance(v, int))))
        # Few worlds mean that the hypotheses are hardly ever met, and agreement there says little.
        if kept < wanted:
            return self.undecided(("fractions",), f"only {kept} random worlds meet the hypotheses, of {wanted} wanted")
        summary = f"holds exactly for random rational matrices in {kept} worlds of {len(sizes)} combinations of sizes"
        counts = {"worlds": kept, "combinations": len(sizes)}
        return self.evidence(Kind.NUMERICAL_ROUTE, Finding.SUPPORTS, ("fractions",), summary, details=counts)


def _parts(formula: Formula) -> list[Relation] | None:
    """The relations of a conjunction; None for another formula."""
    if isinstance(formula, Relation):
        return [formula]
    if not isinstance(formula, All):
        return None
    found = [_parts(p) for p in formula.parts]
    return None if None in found else [r for p in found if p is not None for r in p]


def _formulas(claim: Claim) -> list[Formula]:
    return [h.formula for h in claim.hypotheses] + ([] if claim.conclusion is None else [claim.conclusion])


def _symbols(claim: Claim, lens: Matrices) -> list[sympy.MatrixSymbol]:
    """Return the matrix symbols of a claim and of the lens's settings, in a fixed order."""
    sides = [side for f in _formulas(claim) for r in relations(f) for side in (r.lhs, r.rhs)]
    sides += [sympy.sympify(part) for pair in lens.squares for part in pair]
    found = {s for side in sides for s in side.atoms(sympy.MatrixSymbol)}
    return sorted(found, key=sympy.default_sort_key)


def _is_size(variable: Any) -> bool:
    """Return whether a variable is an integer from 1 on."""
    # A matrix with 0 rows has no entry to look at, and its words no letters.
    return bool(variable.integer) and variable.lower is not None and variable.lower >= 1


def _holds_matrices(formula: Formula) -> bool:
    """Return whether a formula speaks of matrices."""
    return any(side.has(MatrixExpr) for r in relations(formula) for side in (r.lhs, r.rhs))


def _gap(relation: Relation, known: _Known) -> Sum:
    """The side that is the larger one, less the other."""
    left, right = (relation.rhs, relation.lhs) if relation.op == "<=" else (relation.lhs, relation.rhs)
    return difference(known.rules.normal(left), known.rules.normal(right))


def _vanishes(gap: Sum) -> bool:
    """Return whether every coefficient of a normal form reduces to 0."""
    # By algebra and not by floats: a tiny coefficient is not 0.
    return all(is_zero(coefficient) for coefficient in gap.values())


@dataclass(frozen=True)
class _Known:
    """Knowledge of a claim's matrices and numbers, from its hypotheses.

    Attributes:
        rules: What normal forms may use.
        numbers: Hypotheses about numbers.
        inequalities: Hypotheses that are inequalities between numbers made of matrices, by name.
        steps: The effort for z3.
        claim: The claim.
        context: The second solver.
    """

    rules: Rules
    numbers: tuple[Formula, ...]
    inequalities: Mapping[str, Relation]
    steps: int
    claim: Claim
    context: Context

    @classmethod
    def of(cls, claim: Claim, context: Context) -> _Known:
        """Sort the hypotheses; `WordError` for one that is of no kind."""
        symmetric, invertible, numbers, inequalities = set(), set(), [], {}
        for hypothesis in claim.assumptions:
            formula = hypothesis.formula
            if not _holds_matrices(formula):
                numbers.append(formula)
            # Each hypothesis must be of a kind that is understood: one that is silently left out might
            # be misread as used.
            elif (name := _is_symmetric(formula)) is not None:
                symmetric.add(name)
            elif (name := _is_invertible(formula)) is not None:
                invertible.add(name)
            elif isinstance(formula, Relation) and formula.op in ("<=", ">=") and shape(formula.lhs) == ("1", "1"):
                inequalities[hypothesis.name] = formula
            else:
                raise WordError(f"the hypothesis {hypothesis.name!r}: nothing is known to do with it")
        steps = context.profile.smt_steps

        def nonzero(value: sympy.Expr) -> bool:
            return prove(numbers, ne(value, 0), steps=steps).answer == "proved"

        rules = Rules(frozenset(symmetric), frozenset(invertible), nonzero)
        return cls(rules, tuple(numbers), inequalities, steps, claim, context)

    def undefined(self, *values: sympy.Expr) -> str:
        """The first coefficient that was not shown to be a real number; empty if all were."""
        for number in (n for v in values for n in _numbers(v)):
            if problem := undefined(self.numbers, ge(number, 0), steps=self.steps):
                return problem
        return ""

    def negative(self, factor: sympy.Expr) -> str:
        """Return why a factor may be negative; empty if it was shown not to be."""
        known = prove(self.numbers, ge(factor, 0), steps=self.steps)
        return "" if known.answer == "proved" else f"the factor {factor} was not shown to be at least 0: {known.reason}"


def _numbers(value: sympy.Expr) -> list[sympy.Expr]:
    """The largest parts of an expression that hold no matrix; sizes of matrices are none.

    The size of an identity matrix stands in it and is no coefficient.
    """
    if not value.has(MatrixExpr):
        return [value]
    # Their arguments are sizes, which are real numbers by declaration.
    if isinstance(value, sympy.MatrixSymbol | sympy.Identity | sympy.ZeroMatrix):
        return []
    return [n for part in value.args if isinstance(part, sympy.Expr) for n in _numbers(part)]


def _is_symmetric(formula: Formula) -> str | None:
    """The name of the square matrix that an equation says is its own transpose."""
    if not isinstance(formula, Relation) or formula.op != "==":
        return None
    # An author may write the equation either way around.
    for one, other in ((formula.lhs, formula.rhs), (formula.rhs, formula.lhs)):
        if isinstance(other, sympy.MatrixSymbol) and one == sympy.Transpose(other) and len(set(shape(other))) == 1:
            return str(other.name)
    return None


def _is_invertible(formula: Formula) -> str | None:
    """The name of the square matrix whose determinant is said to differ from 0."""
    if not isinstance(formula, Relation) or formula.op != "!=" or formula.rhs != 0:
        return None
    if not isinstance(formula.lhs, sympy.Determinant) or not isinstance(formula.lhs.arg, sympy.MatrixSymbol):
        return None
    return str(formula.lhs.arg.name)


#: The largest size, and the largest numerator and denominator, that are drawn.
_LARGEST, _TOP, _BOTTOM = 3, 4, 3
_ZERO_MATRICES = 0.05


def _worlds(claim: Claim, lens: Matrices, generator: np.random.Generator) -> Iterator[dict[Any, Any]]:
    """Yield numbers for the claim's variables and matrices of Fractions, for all combinations of small sizes in turn.

    It never ends: the caller stops. A matrix is zero now and then, and symmetric where a hypothesis says so; the other
    hypotheses are left to the caller.
    """
    matrices = _symbols(claim, lens)
    sizes = {s for m in matrices for s in m.shape if isinstance(s, sympy.Symbol)}
    lengths = [v for v in claim.variables if v.symbol in sizes]
    symmetric = {n for h in claim.hypotheses if (n := _is_symmetric(h.formula)) is not None}
    starts = [int(v.lower or 1) for v in lengths]
    ends = [
        min(a + _LARGEST, int(v.upper) + 1 if v.upper is not None else a + _LARGEST)
        for a, v in zip(starts, lengths, strict=True)
    ]
    # Every combination in turn, not at random: a statement may be false for one shape alone, such as a single row.
    choices = list(itertools.product(*(range(a, b) for a, b in zip(starts, ends, strict=True))))
    while True:
        for chosen in choices:
            world: dict[Any, Any] = {v.symbol: c for v, c in zip(lengths, chosen, strict=True)}
            for variable in claim.variables:
                if variable.symbol not in sizes:
                    world[variable.symbol] = _number(variable, generator)
            for matrix in matrices:
                world[matrix] = _matrix(matrix, world, symmetric, generator)
            yield world


def _number(variable: Any, generator: np.random.Generator) -> Fraction:
    """A number of the variable's domain; ends that are not closed may be drawn, and are put away later."""
    step = Fraction(
        int(generator.integers(0, 4 * _TOP + 1)), 1 if variable.integer else int(generator.integers(1, _BOTTOM + 1))
    )
    if variable.lower is not None and variable.upper is not None and not variable.integer:
        return Fraction(variable.lower + (variable.upper - variable.lower) * step / (4 * _TOP))
    if variable.lower is not None:
        return Fraction(variable.lower + step)
    return Fraction(variable.upper - step) if variable.upper is not None else step - 2 * _TOP


def _matrix(
    symbol: sympy.MatrixSymbol, world: Mapping[Any, Any], symmetric: set[str], generator: np.random.Generator
) -> linear.Matrix:
    """Draw a matrix of the symbol's sizes with small rational entries; symmetric if its name is among `symmetric`."""
    rows, columns = (int(world.get(s, s)) for s in symbol.shape)
    # A zero matrix is where a missing hypothesis on inverses or definiteness shows.
    zero = generator.random() < _ZERO_MATRICES
    entries = [
        [
            Fraction(0 if zero else int(generator.integers(-_TOP, _TOP + 1)), int(generator.integers(1, _BOTTOM + 1)))
            for _ in range(columns)
        ]
        for _ in range(rows)
    ]
    if str(symbol.name) in symmetric:
        entries = [[entries[min(i, j)][max(i, j)] for j in range(columns)] for i in range(rows)]
    return tuple(tuple(row) for row in entries)


def _admissible(claim: Claim, world: Mapping[Any, Any]) -> bool:
    """Return whether every hypothesis holds in a world, exactly."""
    return all(truth(h.formula, lambda relation: _holds(relation, world)) is True for h in claim.assumptions)


def _holds(relation: Relation, world: Mapping[Any, Any]) -> bool:
    """Return whether a relation holds in a world, which is False where a side has no value."""
    try:
        slack = _slack(relation, world)
    except ZeroDivisionError:
        return False
    return slack is not None and slack.slack >= 0


_EXACT: Mapping[str, Callable[[Fraction], bool]] = {
    "<=": lambda gap: gap >= 0,
    "<": lambda gap: gap > 0,
    ">=": lambda gap: gap >= 0,
    ">": lambda gap: gap > 0,
    "==": lambda gap: gap == 0,
    "!=": lambda gap: gap != 0,
}


def _slack(relation: Relation, world: Mapping[Any, Any]) -> Slack | None:
    """Return by how much a relation holds (negative: fails), exactly; None where the sides cannot be compared.

    The scale beside it is the sum of all absolute values on both sides. A strict relation that fails with equality has
    slack -1, since a zero would read as holding. Only 1x1 matrices have an order.
    """
    left, right = _value(relation.lhs, world), _value(relation.rhs, world)
    # For this choice of sizes the claim compares what has different shapes.
    if len(left) != len(right) or len(left[0]) != len(right[0]):
        return None
    pairs = [(a, b) for r, s in zip(left, right, strict=True) for a, b in zip(r, s, strict=True)]
    scale = sum(abs(a) + abs(b) for a, b in pairs)
    if relation.op in ("==", "!="):
        distance = sum((abs(a - b) for a, b in pairs), Fraction(0))
        # An equation holds or fails; its slack is 0 at best, so that no "almost" can be read into it.
        good = (distance == 0) == (relation.op == "==")
        return Slack(Fraction(0) if good else -(distance or Fraction(1)), scale)
    if len(pairs) != 1:
        return None
    ((a, b),) = pairs
    gap = a - b if relation.op in (">", ">=") else b - a
    return Slack(abs(gap) if _EXACT[relation.op](gap) else -(abs(gap) or Fraction(1)), scale)


def _failure(found: Iterable[Relation], world: Mapping[Any, Any]) -> Failure | None:
    """The first relation that fails in a world; a side without a value is one that fails."""
    for relation in found:
        try:
            slack = _slack(relation, world)
        except ZeroDivisionError:
            # A singular matrix has no inverse, and a statement about it is not true there.
            slack = Slack(Fraction(-1), Fraction(1))
        if slack is None:
            raise WordError(f"{relation}: the sides cannot be compared")
        if slack.slack < 0:
            return Failure({str(k): v for k, v in world.items()}, slack)
    return None


def _value(expression: sympy.Expr, world: Mapping[Any, Any]) -> linear.Matrix:
    """The exact value of an expression as it is written; numbers are 1x1 matrices.

    Raises `ZeroDivisionError` where an inverse does not exist, and `WordError` for what it cannot evaluate.
    """
    match expression:
        case sympy.MatrixSymbol():
            return tuple(world[expression])
        case sympy.Identity():
            return linear.identity(_length(expression.rows, world))
        case sympy.ZeroMatrix():
            return tuple(
                (Fraction(0),) * _length(expression.cols, world) for _ in range(_length(expression.rows, world))
            )
        case sympy.Transpose():
            return linear.transpose(_value(expression.arg, world))
        case sympy.Trace():
            return ((linear.trace(_value(expression.arg, world)),),)
        case sympy.Determinant():
            return ((_determinant(_value(expression.arg, world)),),)
        case sympy.MatAdd() | sympy.Add():
            return linear.combination(*((1, _value(a, world)) for a in expression.args))
        case sympy.MatMul() | sympy.Mul():
            return _product([(_value(a, world), isinstance(a, MatrixExpr)) for a in expression.args])
        case sympy.MatPow() | sympy.Pow() if expression.exp.is_Integer:
            base = _value(expression.base, world)
            # Inverted once and multiplied: as written, without a rule for powers.
            base = linear.inverse(base) if expression.exp < 0 else base
            return _product([(base, True)] * abs(int(expression.exp)) or [(linear.identity(len(base)), True)])
        case sympy.Rational():
            return ((Fraction(int(expression.p), int(expression.q)),),)
        case sympy.Symbol() if expression in world:
            return ((Fraction(world[expression]),),)
    raise WordError(f"{expression}: there is no exact value of {type(expression).__name__}")


def _length(value: sympy.Expr, world: Mapping[Any, Any]) -> int:
    """Return a size as an integer."""
    return int(world.get(value, value))


def _product(parts: Sequence[tuple[linear.Matrix, bool]]) -> linear.Matrix:
    """The product of matrices and of numbers, which may stand anywhere."""
    factor, whole = Fraction(1), None
    for value, is_matrix in parts:
        if not is_matrix:
            factor *= value[0][0]
        else:
            whole = value if whole is None else linear.product(whole, value)
    # Numbers alone are a 1x1 matrix, as everything here is.
    return ((factor,),) if whole is None else linear.combination((factor, whole))


def _determinant(matrix: linear.Matrix) -> Fraction:
    """The determinant, by expansion along the first row; sizes are small."""
    if not matrix:
        return Fraction(1)
    minors = (tuple(row[:j] + row[j + 1 :] for row in matrix[1:]) for j in range(len(matrix)))
    signed = (
        (-1) ** j * entry * _determinant(minor) for j, (entry, minor) in enumerate(zip(matrix[0], minors, strict=True))
    )
    return sum(signed, Fraction(0))


__all__ = ["Matrices"]
