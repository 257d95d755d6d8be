"""Strategies of the matrix mechanism: what they release of the sums of some rounds, and how far one record moves it.

With a strategy `C` a mechanism releases `C x + z`, where row `i` of `x` is the sum of round `i` and `z` is Gaussian
noise of one deviation on every coordinate; what is wanted, such as prefix sums, is made of it afterwards. A record that
takes part in the rounds of a pattern moves each of their sums by a vector of at most unit length, and `C x` by at most
the root of the sum of `|<c_i, c_j>|` over the pattern; by no less where no product is negative, as then all vectors may
be one. The largest such sum of all patterns is found exactly where one round is all of a pattern, where columns of
rounds far enough apart are orthogonal, and for Toeplitz matrices whose entries fall and are not negative, as then the
earliest rounds cost most. Else it is enclosed: a pattern costs at most the sum over its rounds of the
most that any pattern with this round costs it. Derived in `derivations/beyond/composition/strategies.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, reject
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.exact import NumberInput, positive

__all__ = ["IDENTITY", "STRATEGIES", "MatrixMechanism", "Strategy", "strategy_of"]

IDENTITY, PREFIX, TREE, ROOT, TOEPLITZ, GIVEN = "identity", "prefix-sums", "tree", "square-root", "toeplitz", "given"
STRATEGIES = (IDENTITY, PREFIX, TREE, ROOT, TOEPLITZ, GIVEN)
MOST_WORK = 5_000_000
"""Rounds, twice, times participations, where columns of different rounds of a pattern overlap."""

_MOST_ROUNDS, _MOST_BANDS, _MOST_ENTRIES = 10**6, 128, 10**6
_LARGEST_INTEGER = 2**62

Gram: TypeAlias = Callable[[int, int], int]
Ends: TypeAlias = tuple[Fraction, Fraction]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Strategy:
    """A matrix by the products of its columns, exactly.

    Attributes:
        rounds: the number of its columns.
        gram: the product of two columns, times `scale`; the first number is not above the second.
        scale: a whole number.
        reach: columns that are farther apart are orthogonal.
        entries: the entry of a row and a column.
        rows: the number of rows.
        falling: whether no product grows when both rounds are later, or farther apart.
    """

    rounds: int
    gram: Gram
    scale: int
    reach: int
    entries: Callable[[int, int], Fraction]
    rows: int
    falling: bool = False

    def sensitivity_squared(self, participations: int, separation: int) -> Ends:
        """Return both ends of the squared sensitivity, which are one number where it is known exactly.

        Args:
            participations: the most rounds that a record takes part in.
            separation: two of them are at least so many rounds apart, >= 1.

        Raises:
            InputError: Where columns overlap and rounds and participations are too many to look at.
        """
        most = min(participations, -(-self.rounds // separation))
        if self.falling:
            # Round by round any pattern is as late as this one, and as far apart.
            earliest = [separation * k for k in range(most)]
            total = sum(self.gram(i, j) * (1 if i == j else 2) for n, i in enumerate(earliest) for j in earliest[n:])
            return Fraction(total, self.scale), Fraction(total, self.scale)
        if most == 1 or self.reach < separation:
            weights = [self.gram(i, i) for i in range(self.rounds)]
            found = Fraction(sum(weights[i] for i in _heaviest(weights, most, separation)), self.scale)
            return found, found
        if self.rounds**2 * most > MOST_WORK:
            raise reject("rounds", self.rounds, f"at most {math.isqrt(MOST_WORK // most)} for {most} participations")
        products = self._products()
        weights = _rows(np.abs(products), most, separation)
        patterns = [_heaviest(weights, most, separation)]
        patterns += [list(range(s, self.rounds, separation))[:most] for s in range(min(separation, self.rounds))]
        high = sum(weights[i] for i in patterns[0])
        low = 0
        for pattern in patterns:
            part = products[np.ix_(pattern, pattern)]
            # All vectors may be one; and of all signs some give at least the sum of the squares.
            low = max(low, int(part.sum()), int(np.trace(part)))
        return Fraction(low, self.scale), Fraction(high, self.scale)

    def _products(self) -> NDArray[Any]:
        """Return all products of columns, of whole numbers without rounding."""
        n = self.rounds
        largest = max(self.gram(i, i) for i in range(n))
        kind: Any = np.int64 if largest * n * n < _LARGEST_INTEGER else object
        found = np.zeros((n, n), dtype=kind)
        for i in range(n):
            for j in range(i, min(n, i + self.reach + 1)):
                found[i, j] = found[j, i] = self.gram(i, j)
        return found

    def matrix(self) -> FloatArray:
        """Return the matrix in floats, shape (rows, rounds)."""
        if self.rows * self.rounds > _MOST_ENTRIES:
            raise reject("rounds", self.rounds, f"a matrix of at most {_MOST_ENTRIES} entries is made")
        return np.array([[float(self.entries(r, i)) for i in range(self.rounds)] for r in range(self.rows)])


def _rows(sizes: NDArray[Any], most: int, separation: int) -> list[int]:
    """Return for each round the most that it costs in a pattern: the sum of its row of `sizes` over the pattern."""
    n = len(sizes)
    sides = []
    # The rounds before it, and those after it, which are those before it in the opposite order.
    for part in (sizes, sizes[::-1, ::-1]):
        best, found = np.zeros((n, n + 1), dtype=sizes.dtype), []
        for _ in range(most):
            # Of column j the best sum of so many rounds before j.
            found.append([best[i, max(0, i - separation + 1)] for i in range(n)])
            more = np.zeros_like(best)
            for j in range(n):
                more[:, j + 1] = np.maximum(more[:, j], part[:, j] + best[:, max(0, j - separation + 1)])
            best = more
        sides.append(found)
    before, after = sides
    return [
        int(sizes[i, i]) + max(int(before[p][i]) + int(after[most - 1 - p][n - 1 - i]) for p in range(most))
        for i in range(n)
    ]


def _heaviest(weights: Sequence[int], most: int, separation: int) -> list[int]:
    """Return the rounds of a pattern with the largest sum of weights, which are not negative."""
    n = len(weights)
    best = [[0] * (n + 1)]
    for _ in range(most):
        row = [0] * (n + 1)
        for j in range(n):
            row[j + 1] = max(row[j], weights[j] + best[-1][max(0, j - separation + 1)])
        best.append(row)
    found, j, left = [], n, most
    while left and j > 0:
        if best[left][j] == best[left][j - 1]:
            j -= 1
        else:
            found.append(j - 1)
            j, left = max(0, j - separation), left - 1
    return found[::-1]


# ----------------------------------------------------------------------------------------------------- strategies


def strategy_of(
    kind: str, rounds: int, *, bands: int | None = None, coefficients: str | None = None, matrix: str | None = None
) -> Strategy:
    """Return a strategy by its name.

    Args:
        kind: "identity", noise on each round; "prefix-sums", noise on each sum of all rounds so far; "tree", on the
            sums of all whole dyadic intervals; "square-root", the first `bands` of the square root of prefix sums,
            `1, 1/2, 3/8, 5/16, ...`; "toeplitz", a lower triangular matrix by the `coefficients` of its first column;
            "given", by the rows of a `matrix`.
        rounds: the number of rounds.
        bands: 1 to 128, of "square-root".
        coefficients: texts with commas, of "toeplitz".
        matrix: rows with semicolons, their entries with spaces, of "given".

    Raises:
        InputError: with the field that is wrong, is missing, or does not go with the strategy.

    Examples:
        >>> strategy_of("tree", 8).sensitivity_squared(1, 1), strategy_of("prefix-sums", 8).sensitivity_squared(1, 1)
        ((Fraction(4, 1), Fraction(4, 1)), (Fraction(8, 1), Fraction(8, 1)))
    """
    if kind not in STRATEGIES:
        raise reject("strategy", kind, f"must be {' or '.join(STRATEGIES)}")
    if not 1 <= rounds <= _MOST_ROUNDS:
        raise reject("rounds", rounds, f"must lie between 1 and {_MOST_ROUNDS}")
    for name, value, owner in (
        ("bands", bands, ROOT), ("coefficients", coefficients, TOEPLITZ), ("matrix", matrix, GIVEN),
    ):  # fmt: skip
        if (value is not None) != (kind == owner):
            raise InputError(f"{name}: {'missing' if kind == owner else 'given'}; it goes with strategy {owner}")
    if kind == PREFIX:
        return Strategy(rounds, lambda i, j: rounds - j, 1, rounds, lambda r, i: Fraction(int(i <= r)), rounds, True)
    if kind == TREE:
        return _tree(rounds)
    if kind == GIVEN:
        return _given(matrix or "", rounds)
    if kind == ROOT and not 1 <= (bands or 0) <= _MOST_BANDS:
        raise reject("bands", bands, f"must lie between 1 and {_MOST_BANDS}")
    if kind == TOEPLITZ:
        column = [_number(part, "coefficients") for part in (coefficients or "").split(",")]
        if len(column) > min(_MOST_BANDS, rounds):
            raise reject("coefficients", f"{len(column)} numbers", f"at most {min(_MOST_BANDS, rounds)} are allowed")
    else:
        column = [Fraction(math.comb(2 * j, j), 4**j) for j in range(min(bands or 1, rounds))]
    return _toeplitz(column, rounds)


def _number(text: str, name: str) -> Fraction:
    """Return a number of any sign."""
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise reject(name, text, "must be exact numbers such as 1, 1/2 or 0.375") from None


def _toeplitz(column: Sequence[Fraction], rounds: int) -> Strategy:
    """Return the lower triangular matrix with this first column, zeros below it left out."""
    bottom = math.lcm(*(c.denominator for c in column))
    whole = [int(c * bottom) for c in column]
    sums = []
    for offset in range(len(whole)):
        total, part = 0, []
        for m in range(len(whole) - offset):
            total += whole[m] * whole[m + offset]
            part.append(total)
        sums.append(part)

    def gram(i: int, j: int) -> int:
        # The last rows cut the columns short.
        part = sums[j - i] if j - i < len(sums) else [0]
        return part[min(rounds - 1 - j, len(part) - 1)]

    def entry(r: int, i: int) -> Fraction:
        return column[r - i] if 0 <= r - i < len(column) else Fraction(0)

    falling = whole[-1] >= 0 and all(a >= b for a, b in pairwise(whole))
    return Strategy(rounds, gram, bottom**2, len(whole) - 1, entry, rounds, falling)


def _tree(rounds: int) -> Strategy:
    """Return the sums of all dyadic intervals that lie within the rounds."""
    nodes = [
        (start, start + (1 << level))
        for level in range(rounds.bit_length())
        for start in range(0, rounds - (1 << level) + 1, 1 << level)
    ]

    def gram(i: int, j: int) -> int:
        return sum(
            i >> level == j >> level and ((i >> level) + 1) << level <= rounds for level in range(rounds.bit_length())
        )

    return Strategy(rounds, gram, 1, rounds, lambda r, i: Fraction(int(nodes[r][0] <= i < nodes[r][1])), len(nodes))


def _given(text: str, rounds: int) -> Strategy:
    """Return the matrix of a text."""
    rows = [[_number(part, "matrix") for part in row.split()] for row in text.split(";")]
    if any(len(row) != rounds for row in rows) or len(rows) * rounds > _MOST_ENTRIES:
        raise reject("matrix", f"{len(rows)} rows", f"each must have {rounds} entries, one for each round")
    bottom = math.lcm(*(c.denominator for row in rows for c in row))
    whole = [[int(c * bottom) for c in row] for row in rows]
    return Strategy(
        rounds,
        lambda i, j: sum(row[i] * row[j] for row in whole),
        bottom**2,
        rounds,
        lambda r, i: rows[r][i],
        len(rows),
    )


# ------------------------------------------------------------------------------------------------------ a mechanism


@dataclass(frozen=True, init=False)
class MatrixMechanism:
    """Release the answers of a strategy with Gaussian noise, and make prefix sums of them: a reference mechanism.

    Attributes:
        strategy: what is released.
        noise: adds the noise to the answers; its edges and what it does not protect against are its own.

    Examples:
        >>> mechanism = MatrixMechanism(strategy_of("tree", 4), "1/10")
        >>> mechanism.answers([[1.0], [2.0], [3.0], [4.0]]).ravel().tolist()
        [1.0, 2.0, 3.0, 4.0, 3.0, 7.0, 10.0]
    """

    strategy: Strategy
    noise: GaussianMechanism

    def __init__(self, strategy: Strategy, sigma: NumberInput) -> None:
        object.__setattr__(self, "strategy", strategy)
        deviation = positive(sigma, name="sigma", meaning="the noise")
        object.__setattr__(self, "noise", GaussianMechanism(deviation**2))

    def answers(self, rounds: ArrayLike) -> FloatArray:
        """Return the answers without noise, shape (rows, d), of the sums of the rounds, shape (rounds, d)."""
        values = checked_values(rounds, name="rounds")
        if values.ndim != 2 or len(values) != self.strategy.rounds:
            raise reject("rounds", values.shape, f"must have a row for each of {self.strategy.rounds} rounds")
        found: FloatArray = self.strategy.matrix() @ values
        return found

    def release(self, rounds: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the answers with noise, shape (rows, d)."""
        return self.noise.release(self.answers(rounds), generator)

    def prefix_sums(self, released: ArrayLike) -> FloatArray:
        """Return the prefix sums of all rounds by least squares, shape (rounds, d), from what was released."""
        found: FloatArray = np.cumsum(np.linalg.pinv(self.strategy.matrix()) @ checked_values(released), axis=0)
        return found
