"""Contradictions among polynomial inequalities: nonnegative combinations of products, by linear programming.

What is found here is only proposed. The coefficients are rational, solved exactly on the support that the
floating-point solver picks, and the kernel checks the identity.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

__all__ = ["Combination", "Inequality", "Problem", "contradiction"]

Exponents: TypeAlias = tuple[int, ...]
Terms: TypeAlias = dict[Exponents, Fraction]


@dataclass(frozen=True)
class Inequality:
    """A polynomial that is >= 0 (> 0 if strict), by its fact's number; exponents count the problem's atoms."""

    ref: int
    terms: Terms
    strict: bool


@dataclass(frozen=True)
class Problem:
    """Facts over atoms: lower bounds of single atoms, inequalities, equations, and squares worth a try."""

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
    """sum of c * product of facts * squares + sum of cofactor * equation = 0 or a negative number."""

    products: list[tuple[Fraction, list[int], list[Terms]]] = field(default_factory=list)
    multiples: dict[int, Terms] = field(default_factory=dict)


def _mul(a: Terms, b: Terms) -> Terms:
    total: Terms = {}
    for m, c in a.items():
        for n, d in b.items():
            key = tuple(map(int.__add__, m, n))
            total[key] = total.get(key, Fraction(0)) + c * d
    return {m: c for m, c in total.items() if c}


def _times(a: Terms, monomial: Exponents) -> Terms:
    return {tuple(map(int.__add__, m, monomial)): c for m, c in a.items()}


class _Shifted:
    """Coordinates in which every bounded atom is >= 0."""

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
        return self._compose(terms, self.there) if self.moved else terms

    def undo(self, terms: Terms) -> Terms:
        return self._compose(terms, self.back) if self.moved else terms

    def _compose(self, terms: Terms, images: list[Any]) -> Terms:
        poly = self.ring.from_dict({m: _fmpq(c) for m, c in terms.items()})
        return {tuple(map(int, m)): Fraction(int(c.p), int(c.q)) for m, c in poly.compose(*images).to_dict().items()}


def _fmpq(value: Fraction) -> Any:
    value = Fraction(value)
    return flint.fmpq(value.numerator, value.denominator)


def contradiction(
    problem: Problem, *, most: int = 4000, pairs: bool = True, seconds: float = 4.0
) -> Combination | None:
    """Return a combination of the facts that no point satisfies, or None."""
    return _Search(problem, most, pairs, seconds).run()


class _Search:
    def __init__(self, problem: Problem, most: int, pairs: bool, seconds: float) -> None:
        self.problem, self.most, self.seconds = problem, most, seconds
        self.shift = _Shifted(problem)
        self.n = problem.atoms
        self.positive = set(problem.bounds)
        self.free = [i for i in range(self.n) if i not in self.positive]
        self.zero: Exponents = (0,) * self.n
        self.products = self._base_products(pairs)
        self.squares = [self.shift(s) for s in problem.squares]
        self.squared = [_mul(s, s) for s in self.squares]
        self.equations = [(ref, self.shift(e)) for ref, e in problem.equations]
        self.columns: dict[tuple[Any, ...], Terms] = {}
        self.degree = max((sum(m) for _, t, _ in self.products for m in t), default=0)

    def _base_products(self, pairs: bool) -> list[tuple[tuple[int, ...], Terms, bool]]:
        """Return (indices of inequalities, product, strict): single ones, and pairs, first those with the goal."""
        singles: list[tuple[tuple[int, ...], Terms, bool]] = [
            ((i,), self.shift(q.terms), q.strict) for i, q in enumerate(self.problem.inequalities)
        ]
        found = list(singles)
        if pairs:
            for (i, a, s), (j, b, t) in itertools.combinations_with_replacement(singles, 2):
                if len(a) * len(b) <= 200 and (len(singles) <= 7 or self.problem.goal in (i[0], j[0])):
                    product = _mul(a, b)
                    if product:
                        found.append((i + j, product, s and t))
        return found

    def nonnegative(self, monomial: Exponents) -> bool:
        return all(monomial[i] % 2 == 0 for i in self.free)

    def strictly(self, monomial: Exponents) -> bool:
        return all(not e or (i in self.positive and self.problem.bounds[i][2]) for i, e in enumerate(monomial))

    def add(self, key: tuple[Any, ...], terms: Terms) -> None:
        self.columns.setdefault(key, terms)

    def run(self) -> Combination | None:
        """Return a contradiction of products whose monomials meet those of the goal, in two rounds."""
        support = self._start()
        most = max((sum(m) for m in support), default=0)
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
            for m in support:
                if self.nonnegative(m):
                    self.add(("t", (), m), {m: Fraction(1)})
            found = self._solve()
            if found is not None or len(self.columns) >= self.most:
                return found
        return None

    def _start(self) -> set[Exponents]:
        """Add the products of the goal, and return the monomials in them."""
        support: set[Exponents] = {self.zero}
        goal = [p for p in self.products if self.problem.goal is not None and p[0] == (self.problem.goal,)]
        start = goal or self.products
        for key, terms, _ in start:
            support |= set(terms)
            self.add(("t", key, self.zero), terms)
            if goal:
                for i in sorted(self.positive):
                    unit = tuple(int(j == i) for j in range(self.n))
                    if self.problem.bounds[i][2]:
                        moved = _times(terms, unit)
                        self.add(("t", key, unit), moved)
                        support |= set(moved)
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
        """Add the products with monomials that make one of the terms meet the support."""
        for m in terms:
            for target in support:
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
                if signed:
                    self.add((*full, "+"), moved)
                    self.add((*full, "-"), {k: -c for k, c in moved.items()})
                else:
                    self.add(full, moved)

    def _strict(self, key: tuple[Any, ...]) -> bool:
        """Return whether a column is > 0 everywhere."""
        if key[0] != "t" or not self.strictly(key[2]):
            return False
        return all(self.problem.inequalities[i].strict for i in key[1])

    def _solve(self) -> Combination | None:
        """Find weights >= 0 whose combination vanishes, with strict columns of total weight 1."""
        keys = list(self.columns)
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
        i_ += [size] * len(normal)
        j_ += normal
        v_ += [1.0] * len(normal)
        matrix = coo_matrix((np.array(v_), (np.array(i_), np.array(j_))), shape=(size + 1, len(keys))).tocsr()
        right = np.zeros(size + 1)
        right[size] = 1.0
        cost = np.array([self._cost(k) for k in keys])
        try:
            result: Any = linprog(  # type: ignore[call-overload]
                cost, A_eq=matrix, b_eq=right, bounds=(0, None), method="highs-ds", options={"time_limit": self.seconds}
            )
        except (ValueError, OverflowError):
            return None
        if result.status != 0:
            return None
        support = [j for j in range(len(keys)) if result.x[j] > 1e-9]
        exact = self._exact(keys, support, set(normal), rows, result.x)
        return None if exact is None else self._combination(exact)

    def _cost(self, key: tuple[Any, ...]) -> float:
        if key[0] == "t":
            return 1.0 + 0.2 * float(sum(key[2]) + 2 * len(key[1]))
        return 2.0 if key[0] == "s" else 1.0

    def _exact(
        self, keys: list[tuple[Any, ...]], support: list[int], normal: set[int], rows: dict[Exponents, int], guess: Any
    ) -> list[tuple[tuple[Any, ...], Fraction]] | None:
        """Solve the equations on the support over the rationals; None where a weight comes out negative."""
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
        if n in pivots:
            return None
        value = [Fraction(0)] * n
        for j in set(range(n)) - set(pivots):
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
