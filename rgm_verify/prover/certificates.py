"""Contradictions among polynomial inequalities: nonnegative combinations of products, by linear programming.

What is found here is only proposed. The coefficients are rational, solved exactly on the support that the
floating-point solver picks, and the kernel checks the identity.

By the Positivstellensatz a system of polynomial inequalities without a solution has a combination of
products of them, and of squares, that is identically negative. Here the products have a bounded degree
and grow from those of the goal, so that few columns are tried, and none found says nothing. Floats
choose the columns; rational arithmetic finds the weights.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np

from rgm_verify.prover.budget import PER_SECOND, Budget

#: The units of work for the pivots of one linear program.
_WORK = 4 * PER_SECOND

__all__ = ["Combination", "Inequality", "Problem", "contradiction", "multiplied"]

Exponents: TypeAlias = tuple[int, ...]
Terms: TypeAlias = dict[Exponents, Fraction]


@dataclass(frozen=True)
class Inequality:
    """A polynomial that is >= 0 (> 0 if strict), by its fact's number; exponents count the problem's atoms.

    Attributes:
        ref: The number of the fact.
        terms: Coefficients by exponents.
        strict: Whether it is > 0.
    """

    ref: int
    terms: Terms
    strict: bool


@dataclass(frozen=True)
class Problem:
    """Facts over atoms: lower bounds of single atoms, inequalities, equations, and squares worth a try.

    Bounds stand apart from the inequalities because they give more: with atom >= b every power of (atom - b) is a
    factor that needs no proof of its own.

    Attributes:
        atoms: The number of atoms.
        inequalities: Facts other than bounds.
        equations: Numbers of facts with polynomials that are 0.
        squares: Polynomials whose squares may be used.
    """

    atoms: int
    bounds: dict[int, tuple[int, Fraction, bool]]
    """Atom: (number of the fact, b, strict) for a fact that says atom - b >= 0."""
    inequalities: tuple[Inequality, ...]
    equations: tuple[tuple[int, Terms], ...]
    squares: tuple[Terms, ...] = ()
    goal: int | None = None
    """The fact that is the negated goal: its products come first."""


@dataclass
class Combination:
    """sum of c * product of facts * squares + sum of cofactor * equation = 0 or a negative number.

    Attributes:
        products: Weights, numbers of facts, and polynomials to be squared.
        multiples: Cofactors of equations by the number of the fact.
    """

    products: list[tuple[Fraction, list[int], list[Terms]]] = field(default_factory=list)
    multiples: dict[int, Terms] = field(default_factory=dict)


def multiplied(a: Terms, b: Terms) -> Terms:
    """Return the product of two polynomials in the same atoms; terms that cancel are left out."""
    total: Terms = {}
    for m, c in a.items():
        for n, d in b.items():
            key = tuple(map(int.__add__, m, n))
            total[key] = total.get(key, Fraction(0)) + c * d
    return {m: c for m, c in total.items() if c}


def _times(a: Terms, monomial: Exponents) -> Terms:
    return {tuple(map(int.__add__, m, monomial)): c for m, c in a.items()}


class _Shifted:
    """Coordinates in which every bounded atom is >= 0.

    A lower bound b of an atom becomes 0 by the substitution atom = b + new atom; every monomial in such
    atoms is then >= 0, and may be a factor without a square.

    Attributes:
        problem: The facts.
        n: The number of atoms; exponents have this length.
        moved: Bounds other than 0 by atom. Without any, both ways are the identity.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.n = problem, problem.atoms
        self.moved = {a: b for a, (_, b, _) in problem.bounds.items() if b}
        if self.moved:
            names = tuple(f"x{i}" for i in range(self.n))
            self.ring = flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)
            gens = self.ring.gens()
            self.there = [g + _fmpq(self.moved.get(i, Fraction(0))) for i, g in enumerate(gens)]
            self.back = [g - _fmpq(self.moved.get(i, Fraction(0))) for i, g in enumerate(gens)]

    def __call__(self, terms: Terms) -> Terms:
        """Return a polynomial in the new atoms."""
        return self._compose(terms, self.there) if self.moved else terms

    def undo(self, terms: Terms) -> Terms:
        """Return a polynomial in the old atoms.

        Only cofactors of equations need it: products name facts, which are the same in either coordinates.
        """
        return self._compose(terms, self.back) if self.moved else terms

    def _compose(self, terms: Terms, images: list[Any]) -> Terms:
        """Return a polynomial with each atom replaced by its image, exactly over the rationals."""
        poly = self.ring.from_dict({m: _fmpq(c) for m, c in terms.items()})
        return {tuple(map(int, m)): Fraction(int(c.p), int(c.q)) for m, c in poly.compose(*images).to_dict().items()}


def _fmpq(value: Fraction) -> Any:
    """Return a fraction as FLINT's rational."""
    value = Fraction(value)
    return flint.fmpq(value.numerator, value.denominator)


def contradiction(
    problem: Problem, budget: Budget | None = None, *, most: int = 4000, pairs: bool = True
) -> Combination | None:
    """Return a combination of the facts that no point satisfies, or None.

    None says nothing: a combination may need higher degrees, other squares, or more columns.

    Args:
        budget: What the search may still do; a few seconds' worth if not given.
        most: The most columns of the linear program.
        pairs: Whether products of two inequalities are tried.

    Returns:
        A combination whose identity the kernel has still to check.

    Raises:
        GivenUp: Where the budget is spent.

    Examples:
        No x has -x^2 - 1 >= 0: the fact, a square and a number sum to 0, and the number is positive.

        >>> fact = Inequality(7, {(2,): Fraction(-1), (0,): Fraction(-1)}, strict=False)
        >>> for weight, facts, squares in contradiction(Problem(1, {}, (fact,), ())).products:
        ...     print(weight, facts, squares)
        1 [7] []
        1 [] [{(1,): Fraction(1, 1)}]
        1 [] []

        Some x have x^2 - 1 >= 0:

        >>> fact = Inequality(7, {(2,): Fraction(1), (0,): Fraction(-1)}, strict=False)
        >>> contradiction(Problem(1, {}, (fact,), ())) is None
        True
    """
    return _Search(problem, most, pairs, Budget(_WORK) if budget is None else budget).run()


class _Search:
    """One search: columns are products of facts, squares and monomials; weights >= 0 make their sum vanish.

    Attributes:
        products: Indices of inequalities, their product, and whether it is > 0 where they hold.
        squared: Squares of the polynomials that the problem proposes.
        columns: Polynomials in shifted atoms by a key: ("t", indices, monomial) for a product of facts,
            ("s", index, monomial) for a square, ("e", index, monomial, sign) for half of a multiple of an
            equation.
        degree: The largest degree of a product.
    """

    def __init__(self, problem: Problem, most: int, pairs: bool, budget: Budget) -> None:
        self.problem, self.most, self.budget = problem, most, budget
        self.shift = _Shifted(problem)
        self.n = problem.atoms
        self.positive = set(problem.bounds)
        self.free = [i for i in range(self.n) if i not in self.positive]
        self.zero: Exponents = (0,) * self.n
        self.products = self._base_products(pairs)
        self.squares = [self.shift(s) for s in problem.squares]
        self.squared = [multiplied(s, s) for s in self.squares]
        self.equations = [(ref, self.shift(e)) for ref, e in problem.equations]
        self.columns: dict[tuple[Any, ...], Terms] = {}
        self.degree = max((sum(m) for _, t, _ in self.products for m in t), default=0)

    def _base_products(self, pairs: bool) -> list[tuple[tuple[int, ...], Terms, bool]]:
        """Return (indices of inequalities, product, strict): single ones, and pairs, first those with the goal.

        A product is strict where both of its factors are.

        Args:
            pairs: Whether products of two are made at all. Long ones are left out even then, as each of their terms is
                an equation of the linear program.
        """
        singles: list[tuple[tuple[int, ...], Terms, bool]] = [
            ((i,), self.shift(q.terms), q.strict) for i, q in enumerate(self.problem.inequalities)
        ]
        found = list(singles)
        if pairs:
            for (i, a, s), (j, b, t) in itertools.combinations_with_replacement(singles, 2):
                # All pairs of many inequalities are too many; those with the negated goal are what a
                # proof by contradiction needs.
                if len(a) * len(b) <= 200 and (len(singles) <= 7 or self.problem.goal in (i[0], j[0])):
                    product = multiplied(a, b)
                    self.budget.entries(len(a) * len(b))
                    if product:
                        found.append((i + j, product, s and t))
        return found

    def nonnegative(self, monomial: Exponents) -> bool:
        """Return whether a monomial is >= 0 everywhere: atoms without a bound stand in it with even
        exponents.
        """
        return all(monomial[i] % 2 == 0 for i in self.free)

    def strictly(self, monomial: Exponents) -> bool:
        """Return whether a monomial is > 0 everywhere: each of its atoms has a strict bound."""
        return all(not e or (i in self.positive and self.problem.bounds[i][2]) for i, e in enumerate(monomial))

    def add(self, key: tuple[Any, ...], terms: Terms) -> None:
        """Add a column, unless it is there."""
        if key not in self.columns:
            self.columns[key] = terms
            self.budget.entries(len(terms))

    def run(self) -> Combination | None:
        """Return a contradiction of products whose monomials meet those of the goal, in two rounds.

        The second round multiplies what the first has brought in. More rounds find little, and the linear program grows
        with each.
        """
        support = self._start()
        most = max((sum(m) for m in support), default=0)
        # Products may exceed the degree of the goal by one: a proof seldom needs more, and the columns
        # double with each degree.
        limit = max(most, min(self.degree, most + 1))
        for _ in range(2):
            new: set[Exponents] = set()
            for key, terms, _ in self.products:
                self._multiples(("t", key), terms, support, new, limit, signed=False)
            for i, terms in enumerate(self.squared):
                self._multiples(("s", i), terms, support, new, limit, signed=False)
            for i, (_, terms) in enumerate(self.equations):
                self._multiples(("e", i), terms, support, new, limit + 1, signed=True)
            support |= new
            # A monomial that is >= 0 everywhere needs no fact: it may take up what is left of a sum.
            for m in support:
                if self.nonnegative(m):
                    self.add(("t", (), m), {m: Fraction(1)})
            found = self._solve()
            if found is not None or len(self.columns) >= self.most:
                return found
        return None

    def _start(self) -> set[Exponents]:
        """Add the products of the goal, and return the monomials in them; without a goal those of all facts."""
        support: set[Exponents] = {self.zero}
        goal = [p for p in self.products if self.problem.goal is not None and p[0] == (self.problem.goal,)]
        start = goal or self.products
        for key, terms, _ in start:
            support |= set(terms)
            self.add(("t", key, self.zero), terms)
            if goal:
                for i in sorted(self.positive):
                    unit = tuple(int(j == i) for j in range(self.n))
                    # An atom that is only >= 0 may be 0, and the product would lose the
                    # strictness of the goal.
                    if self.problem.bounds[i][2]:
                        moved = _times(terms, unit)
                        self.add(("t", key, unit), moved)
                        support |= set(moved)
        if not goal:
            # A contradiction among the facts may be that of an equation with the signs of its terms.
            support |= {m for _, terms in self.equations for m in terms}
        for key, terms, _ in self.products:
            if goal and len(key) == 2 and self.problem.goal in key and len(self.products) <= 60:
                self.add(("t", key, self.zero), terms)
                support |= set(terms)
        return support

    def _multiples(
        self,
        key: tuple[Any, ...],
        terms: Terms,
        support: set[Exponents],
        new: set[Exponents],
        limit: int,
        *,
        signed: bool,
    ) -> None:
        """Add the products with monomials that make one of the terms meet the support.

        Args:
            key: The first parts of the keys of the new columns.
            support: The monomials that a combination has to cancel so far.
            new: Gets the monomials of the columns that are added.
            signed: Whether the weight may have either sign, as for an equation.
        """
        for m in terms:
            for target in support:
                # The columns are looked at in a fixed order, so that what is cut off is the same in
                # every run.
                if len(self.columns) >= self.most:
                    return
                difference = tuple(map(int.__sub__, target, m))
                if min(difference, default=0) < 0 or not (signed or self.nonnegative(difference)):
                    continue
                full = (*key, difference)
                if full in self.columns or (signed and (*full, "+") in self.columns):
                    continue
                moved = _times(terms, difference)
                if max(map(sum, moved)) > limit:
                    continue
                new |= set(moved)
                # A linear program has weights >= 0: an equation, which may be taken with either sign, needs two
                # columns.
                if signed:
                    self.add((*full, "+"), moved)
                    self.add((*full, "-"), {k: -c for k, c in moved.items()})
                else:
                    self.add(full, moved)

    def _strict(self, key: tuple[Any, ...]) -> bool:
        """Return whether a column is > 0 everywhere.

        A square is not, as it may be 0; an equation is 0.
        """
        if key[0] != "t" or not self.strictly(key[2]):
            return False
        return all(self.problem.inequalities[i].strict for i in key[1])

    def _solve(self) -> Combination | None:
        """Find weights >= 0 whose combination vanishes, with strict columns of total weight 1.

        Returns:
            The combination with exact weights. None without a strict column, if the linear program finds
            nothing in its time, and if its support has no exact solution.
        """
        from scipy.optimize import linprog
        from scipy.sparse import coo_matrix

        keys = list(self.columns)
        # Without a strict column every combination could be 0 = 0, which is no contradiction.
        normal = [j for j, k in enumerate(keys) if self._strict(k)]
        if not normal:
            return None
        rows: dict[Exponents, int] = {}
        i_: list[int] = []
        j_: list[int] = []
        v_: list[float] = []
        for j, k in enumerate(keys):
            for m, c in self.columns[k].items():
                i_.append(rows.setdefault(m, len(rows)))
                j_.append(j)
                v_.append(float(c))
        size = len(rows)
        # One more equation, so that the weights are not all 0.
        i_ += [size] * len(normal)
        j_ += normal
        v_ += [1.0] * len(normal)
        matrix = coo_matrix((np.array(v_), (np.array(i_), np.array(j_))), shape=(size + 1, len(keys))).tocsr()
        right = np.zeros(size + 1)
        right[size] = 1.0
        cost = np.array([self._cost(k) for k in keys])
        self.budget.check()
        most = self.budget.pivots(matrix.nnz, _WORK)
        try:
            # Pivots are counted and not timed, so that the same program has the same answer on a slow machine.
            result: Any = linprog(  # type: ignore[call-overload]
                cost, A_eq=matrix, b_eq=right, bounds=(0, None), method="highs-ds", options={"maxiter": most}
            )
            self.budget.program(matrix.nnz, int(result.nit))
        # A coefficient beyond the floats: the program is not solved, and the search goes on elsewhere.
        except (ValueError, OverflowError):
            return None
        if result.status != 0:
            return None
        # Floats say which columns take part; their weights are found exactly on these.
        support = [j for j in range(len(keys)) if result.x[j] > 1e-9]
        exact = self._exact(keys, support, set(normal), rows, result.x)
        # The floats may have left out a column with a tiny weight, and then there is no exact solution.
        return None if exact is None else self._combination(exact)

    def _cost(self, key: tuple[Any, ...]) -> float:
        """Return the price of a column: short products make short proofs.

        The cost decides which of several combinations is taken. That some price is positive for every column also keeps
        the program bounded.
        """
        if key[0] == "t":
            return 1.0 + 0.2 * float(sum(key[2]) + 2 * len(key[1]))
        return 2.0 if key[0] == "s" else 1.0

    def _exact(
        self, keys: list[tuple[Any, ...]], support: list[int], normal: set[int], rows: dict[Exponents, int], guess: Any
    ) -> list[tuple[tuple[Any, ...], Fraction]] | None:
        """Solve the equations on the support over the rationals; None where a weight comes out negative.

        More columns than equations leave weights free: these are set near what the floats say, and the
        others follow.

        Args:
            support: Places in `keys` of the columns that take part.
            normal: Places of the strict columns, whose weights sum to 1.
            rows: Places of monomials among the equations.
            guess: The weights by the linear program, floats by the place of the column.

        Returns:
            Columns and their weights, those of weight 0 left out.
        """
        used = sorted({rows[m] for j in support for m in self.columns[keys[j]]})
        place = {row: i for i, row in enumerate(used)}
        matrix = flint.fmpq_mat(len(used) + 1, len(support) + 1)
        for column, j in enumerate(support):
            for m, c in self.columns[keys[j]].items():
                matrix[place[rows[m]], column] = _fmpq(c)
            if j in normal:
                matrix[len(used), column] = 1
        matrix[len(used), len(support)] = 1
        reduced, rank = matrix.rref()
        n = len(support)
        pivots = [next(j for j in range(n + 1) if reduced[i, j] != 0) for i in range(rank)]
        # A pivot on the right side says that the equations contradict each other on this support.
        if n in pivots:
            return None
        value = [Fraction(0)] * n
        for j in set(range(n)) - set(pivots):
            # A small denominator keeps the other weights short; any value solves the equations.
            value[j] = Fraction(float(guess[support[j]])).limit_denominator(64)
        for i, pivot in enumerate(pivots):
            total = Fraction(int(reduced[i, n].p), int(reduced[i, n].q))
            for j in range(n):
                if j != pivot and value[j] and j not in pivots and reduced[i, j] != 0:
                    total -= Fraction(int(reduced[i, j].p), int(reduced[i, j].q)) * value[j]
            value[pivot] = total
        if any(v < 0 for v in value):
            return None
        return [(keys[j], v) for j, v in zip(support, value, strict=True) if v]

    def _combination(self, weights: list[tuple[tuple[Any, ...], Fraction]]) -> Combination:
        """Return the weights as a combination of the facts in the old atoms.

        Args:
            weights: Columns by their keys, with weights >= 0. The two halves of a multiple of an equation become one
                cofactor of either sign.
        """
        found = Combination()
        shifted: dict[int, Terms] = {}
        for key, weight in weights:
            if key[0] == "e":
                cofactor = shifted.setdefault(self.equations[key[1]][0], {})
                cofactor[key[2]] = cofactor.get(key[2], Fraction(0)) + (weight if key[3] == "+" else -weight)
                continue
            refs, squares = self._monomial(key[2])
            if key[0] == "t":
                refs = [self.problem.inequalities[i].ref for i in key[1]] + refs
            else:
                squares = [self.problem.squares[key[1]], *squares]
            found.products.append((weight, refs, squares))
        found.multiples = {ref: self.shift.undo(c) for ref, c in shifted.items()}
        return found

    def _monomial(self, monomial: Exponents) -> tuple[list[int], list[Terms]]:
        """Return a nonnegative monomial in shifted atoms as facts and squares."""
        refs: list[int] = []
        squares: list[Terms] = []
        for i, exponent in enumerate(monomial):
            if i in self.positive:
                refs += [self.problem.bounds[i][0]] * exponent
            elif exponent:
                squares.append({tuple(exponent // 2 if j == i else 0 for j in range(self.n)): Fraction(1)})
        return refs, squares
