"""Contradictions among polynomial inequalities by sums of squares: semidefinite programming and exact rounding.

By the Positivstellensatz, facts that no point satisfies have an identity

    sum of w * s + sum of sigma * g + sum of lambda * e = 0,

where the s are products of strict facts (the empty product is 1) whose weights w >= 0 add up to 1, the g are products
of facts, the sigma are sums of squares, the e are equations and the lambda any polynomials. With the negated goal among
the facts this is Putinar's and Schmuedgen's form, and more: the goal may be multiplied by a sum of squares. For each
bound on degrees the sigma are positive semidefinite Gram matrices with linear equations between their entries.

Floats propose the matrices. Where all solutions are singular, the common null space is found in floats, made rational
and taken out (facial reduction), until there is an inside; there rounding keeps the signs. What is returned satisfies
the identity exactly, and the kernel checks it again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

from rgm_verify.prover.budget import Budget
from rgm_verify.prover.certificates import Combination, Exponents, Problem, Terms, multiplied
from rgm_verify.prover.gram import DENOMINATORS, Elimination, complement, null_space, squares_of
from rgm_verify.prover.semidefinite import ITERATIONS, Program, Solved, solve

__all__ = ["sums_of_squares"]

#: The largest Gram matrix, the most entries of all together, the most equations: beyond them a program is not tried.
LARGEST = 36
MOST_ENTRIES = 1500
MOST_EQUATIONS = 400
#: The least eigenvalue from which on a solution counts as inside, and the bounds below which eigenvalues count as 0.
INSIDE = 1e-3
NULL = (1e-6, 1e-5, 1e-4, 1e-3)
#: How often null spaces are taken out.
ROUNDS = 5


@dataclass(frozen=True)
class _Block:
    """A product of facts and the basis of its sum of squares; `normal` for a weight of a strict product.

    Attributes:
        refs: Numbers of the facts.
        product: Their product, times `scale`.
        scale: A power of two, so that coefficients are near 1 in floats.
        basis: Polynomials whose products the Gram matrix weighs.
        normal: Whether the weight counts for the sum that has to be 1.
    """

    refs: tuple[int, ...]
    product: Terms
    scale: Fraction
    basis: tuple[Terms, ...]
    normal: bool = False


@dataclass(frozen=True)
class _Equation:
    """An equation of the problem, times `scale`, and the monomials of its cofactor."""

    ref: int
    terms: Terms
    scale: Fraction
    monomials: tuple[Exponents, ...]


def sums_of_squares(problem: Problem, budget: Budget) -> Combination | None:
    """Return a combination of the facts with sums of squares that no point satisfies, or None.

    None says nothing: a combination may need higher degrees, or be too large to be tried.

    Args:
        budget: What the search may still do.

    Returns:
        A combination whose identity holds exactly.

    Raises:
        GivenUp: Where the budget is spent.

    Examples:
        x^2 + x + 1 is never <= 0, as it is (x + 1/2)^2 + 3/4:

        >>> from rgm_verify.prover.certificates import Inequality
        >>> fact = Inequality(7, {(2,): Fraction(-1), (1,): Fraction(-1), (0,): Fraction(-1)}, strict=False)
        >>> found = sums_of_squares(Problem(1, {}, (fact,), (), (), 0), Budget(10**6))
        >>> found is not None
        True
    """
    for blocks, equations in _levels(problem, budget):
        budget.check()
        found = _identity(blocks, equations, budget)
        if found is not None:
            return found
    return None


# ------------------------------------------------------------------------------------------------ the program


def _levels(problem: Problem, budget: Budget) -> Iterator[tuple[list[_Block], list[_Equation]]]:
    """Yield programs, small ones first: single facts, pairs of facts, then a degree more for each square."""
    n = problem.atoms
    one: Terms = {(0,) * n: Fraction(1)}
    singles = [((ref,), _minus(n, atom, bound), strict) for atom, (ref, bound, strict) in problem.bounds.items()]
    singles += [((q.ref,), q.terms, q.strict) for q in problem.inequalities]
    # The degree of the goal; without one that of all facts.
    if problem.goal is not None:
        degree = _degree(problem.inequalities[problem.goal].terms)
    else:
        degree = max(map(_degree, [*(p for _, p, _ in singles), *(e for _, e in problem.equations)]), default=0)
    least = max(2, degree + degree % 2)
    last: tuple[object, ...] = ()
    for extra, pairs in ((0, False), (0, True), (2, False), (2, True)):
        most = least + extra
        products: list[tuple[tuple[int, ...], Terms, bool]] = [((), one, True), *singles]
        for (r, p, s), (o, q, t) in itertools.combinations(singles, 2) if pairs else ():
            if _degree(p) + _degree(q) <= most:
                products.append((r + o, multiplied(p, q), s and t))
        blocks = []
        for refs, product, strict in products:
            if not product or _degree(product) > most:
                continue
            scaled, scale = _scaled(product)
            if strict:
                blocks.append(_Block(refs, scaled, scale, (one,), normal=True))
            rest = (most - _degree(product)) // 2
            # Counted before they are made: a high degree has more monomials than fit into the memory.
            if comb(n + rest, n) > 4 * LARGEST:
                continue
            # The weight of a strict product is there already.
            if rest or not strict:
                blocks.append(_Block(refs, scaled, scale, tuple({m: Fraction(1)} for m in _monomials(n, rest))))
        equations = [
            _Equation(ref, *_scaled(e), tuple(_monomials(n, most - _degree(e))))
            for ref, e in problem.equations
            if e and _degree(e) <= most and comb(n + most - _degree(e), n) <= MOST_ENTRIES
        ]
        # Before the thinning, which looks at all pairs of monomials, and after it.
        if not _small(blocks, equations, 4):
            continue
        blocks = _thinned(blocks, equations, budget)
        shape = (tuple((b.refs, len(b.basis)) for b in blocks), tuple((e.ref, len(e.monomials)) for e in equations))
        if shape != last and any(b.normal for b in blocks) and _small(blocks, equations):
            last = shape
            yield blocks, equations


def _small(blocks: Sequence[_Block], equations: Sequence[_Equation], times: int = 1) -> bool:
    """Return whether a program is at most so many times as large as those that are tried."""
    entries = sum(len(b.basis) * (len(b.basis) + 1) // 2 for b in blocks) + sum(len(e.monomials) for e in equations)
    return entries <= times * MOST_ENTRIES and max(len(b.basis) for b in blocks) <= times * LARGEST


def _thinned(blocks: list[_Block], equations: Sequence[_Equation], budget: Budget) -> list[_Block]:
    """Return the blocks without monomials whose squares nothing can cancel; the bases are monomials here.

    A monomial of the identity that comes with one sign, and from diagonal entries alone, forces these entries to be 0.
    Repeated, this leaves at most half of the Newton polytope where only squares are there.
    """
    while True:
        budget.check()
        budget.entries(sum(len(b.basis) ** 2 * len(b.product) for b in blocks) // 4)
        free = {_plus(m, t) for e in equations for m in e.monomials for t in e.terms}
        above, below = set(free), set(free)
        for b in blocks:
            monomials = [m for p in b.basis for m in p]
            for m, n in itertools.combinations(monomials, 2):
                free.update(_plus(_plus(m, n), t) for t in b.product)
            for m in monomials:
                for t, c in b.product.items():
                    (above if c > 0 else below).add(_plus(_plus(m, m), t))
        both = free | above & below
        kept = []
        for b in blocks:
            basis = tuple(p for p in b.basis for m in p if all(_plus(_plus(m, m), t) in both for t in b.product))
            if basis:
                kept.append(replace(b, basis=basis))
        if [len(b.basis) for b in kept] == [len(b.basis) for b in blocks]:
            return kept
        blocks = kept


# ------------------------------------------------------------------------------------------------ solving


def _identity(blocks: Sequence[_Block], equations: Sequence[_Equation], budget: Budget) -> Combination | None:
    """Return the identity of a program; None where floats find none, or rounding fails."""
    current = list(blocks)
    for _ in range(ROUNDS):
        columns, right = _system(current, equations)
        if len(right) > MOST_EQUATIONS or not any(b.normal for b in current):
            return None
        sizes = [len(b.basis) for b in current]
        free = sum(len(e.monomials) for e in equations)
        budget.check()
        budget.entries(sum(map(len, columns)))
        try:
            floats = [{i: float(c) for i, c in column.items()} for column in columns]
        # A coefficient beyond the floats: there is nothing to be proposed.
        except OverflowError:
            return None
        solved = solve(Program(sizes, free, floats, [float(c) for c in right]))
        budget.semidefinite(len(columns), len(right), ITERATIONS if solved is None else solved.iterations)
        if solved is None or solved.inside < -INSIDE:
            return None
        found = _rounded(current, equations, columns, right, solved, budget)
        if found is not None or solved.inside > INSIDE:
            return found
        smaller = _reduced(current, solved)
        if smaller is None:
            return None
        current = smaller
    return None


def _system(
    blocks: Sequence[_Block], equations: Sequence[_Equation]
) -> tuple[list[dict[int, Fraction]], list[Fraction]]:
    """Return the columns of the unknowns and the right sides: each monomial vanishes, and the weights sum to 1."""
    rows: dict[Exponents, int] = {}
    columns: list[dict[int, Fraction]] = []

    def column(terms: Terms, factor: int) -> dict[int, Fraction]:
        return {rows.setdefault(m, len(rows) + 1): factor * c for m, c in terms.items()}

    for b in blocks:
        for j, q in enumerate(b.basis):
            for i, p in enumerate(b.basis[: j + 1]):
                entry = column(multiplied(multiplied(p, q), b.product), 1 if i == j else 2)
                columns.append({0: Fraction(1), **entry} if b.normal else entry)
    for e in equations:
        columns += [column({_plus(m, t): c for t, c in e.terms.items()}, 1) for m in e.monomials]
    return columns, [Fraction(1)] + [Fraction(0)] * len(rows)


def _rounded(
    blocks: Sequence[_Block],
    equations: Sequence[_Equation],
    columns: Sequence[dict[int, Fraction]],
    right: Sequence[Fraction],
    solved: Solved,
    budget: Budget,
) -> Combination | None:
    """Return an exact identity near a solution in floats; None where a sign is lost."""
    budget.entries(4 * len(columns) * len(right))
    system = Elimination(columns, right)
    if not system.solvable:
        return None
    guess = [m[i, j] for m in solved.matrices for j in range(len(m)) for i in range(j + 1)] + list(solved.free)
    for denominator in DENOMINATORS:
        values = iter(system.near(guess, denominator))
        found = Combination()
        for b in blocks:
            n = len(b.basis)
            matrix = [[Fraction(0)] * n for _ in range(n)]
            for j in range(n):
                for i in range(j + 1):
                    matrix[i][j] = matrix[j][i] = next(values)
            budget.entries(n**3)
            squares = squares_of(matrix)
            if squares is None:
                break
            found.products += [_product(b, weight, vector) for weight, vector in squares]
        else:
            for e in equations:
                cofactor = {m: c * e.scale for m in e.monomials if (c := next(values))}
                if cofactor:
                    found.multiples[e.ref] = cofactor
            return found
    return None


def _product(block: _Block, weight: Fraction, vector: Sequence[Fraction]) -> tuple[Fraction, list[int], list[Terms]]:
    """Return a square times facts, without the square of a number."""
    square = _combined(block.basis, vector)
    if len(square) == 1:
        ((m, c),) = square.items()
        if not any(m):
            return weight * block.scale * c * c, list(block.refs), []
    return weight * block.scale, list(block.refs), [square]


def _reduced(blocks: Sequence[_Block], solved: Solved) -> list[_Block] | None:
    """Return the blocks with the null spaces of a singular solution taken out; None where none is rational."""
    for below in NULL:
        smaller = []
        for b, matrix in zip(blocks, solved.matrices, strict=True):
            vectors = null_space(matrix, below)
            if vectors is None:
                break
            basis = tuple(_combined(b.basis, v) for v in complement(vectors, len(b.basis))) if vectors else b.basis
            if basis:
                smaller.append(replace(b, basis=basis))
        else:
            if sum(len(b.basis) for b in smaller) < sum(len(b.basis) for b in blocks):
                return smaller
    return None


# ------------------------------------------------------------------------------------------------ polynomials


def _degree(terms: Terms) -> int:
    return max(map(sum, terms), default=0)


def _plus(m: Exponents, n: Exponents) -> Exponents:
    return tuple(map(int.__add__, m, n))


def _minus(n: int, atom: int, bound: Fraction) -> Terms:
    """Return atom - bound as a polynomial."""
    unit = {tuple(int(i == atom) for i in range(n)): Fraction(1)}
    return {**unit, (0,) * n: -bound} if bound else unit


def _scaled(terms: Terms) -> tuple[Terms, Fraction]:
    """Return a polynomial times a power of two that brings its largest coefficient near 1, and the power."""
    largest = max(map(abs, terms.values()))
    scale = Fraction(2) ** (largest.denominator.bit_length() - largest.numerator.bit_length())
    return {m: c * scale for m, c in terms.items()}, scale


def _combined(basis: Sequence[Terms], vector: Sequence[Fraction]) -> Terms:
    """Return a linear combination of polynomials."""
    total: Terms = {}
    for p, weight in zip(basis, vector, strict=True):
        for m, c in p.items():
            total[m] = total.get(m, Fraction(0)) + weight * c
    return {m: c for m, c in total.items() if c}


def _monomials(n: int, degree: int) -> Iterator[Exponents]:
    """Yield the monomials of up to a degree, the low ones first."""
    for d in range(degree + 1):
        for chosen in itertools.combinations_with_replacement(range(n), d):
            yield tuple(chosen.count(i) for i in range(n))
