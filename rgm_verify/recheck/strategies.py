"""The squared sensitivity of a strategy of the matrix mechanism, exactly or from both sides, over rational numbers.

A record that takes part in the rounds of a pattern moves the answers by the columns of these rounds, each times a
vector of at most unit length: in the squared norm by at most the sum of `|<c_i, c_j>|` over the pattern
(`beyond:pattern-moves-a-strategy`). Over all patterns that is at most the sum, over the rounds of one, of the most that
any pattern with such a round costs it (`beyond:rounds-bound-a-pattern`). From below a few patterns are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import comb, lcm

from rgm_verify.recheck.mechanisms import Factored
from rgm_verify.recheck.refusal import Refused

MOST_WORK = 5_000_000


@lru_cache(maxsize=8)
def squares(release: Factored) -> tuple[Fraction, Fraction]:
    """Return both ends of the squared sensitivity, for rounds that move by 1; `Refused` where there is too much to do.

    Examples:
        >>> squares(Factored(Fraction(1), "tree", 8, 2, 4, None, None, None, 1))
        (Fraction(10, 1), Fraction(10, 1))
    """
    product, bottom, reach = _products(release)
    n, apart = release.rounds, release.separation
    most = min(release.participations, -(-n // apart))
    if _falls(release):
        earliest = range(0, most * apart, apart)
        whole = sum(product(i, j) for i in earliest for j in earliest)
        return Fraction(whole, bottom), Fraction(whole, bottom)
    if most == 1 or reach < apart:
        costs = [product(i, i) for i in range(n)]
    elif n**2 * most > MOST_WORK:
        raise Refused("rounds: too many for so many participations")
    else:
        costs = [_cost(i, n, most, apart, product) for i in range(n)]
    total, pattern = _best(costs, most, apart)
    patterns: list[list[int]] = [pattern]
    if most > 1 and reach >= apart:
        patterns += [list(range(start, n, apart))[:most] for start in range(min(apart, n))]
    low = 0
    for rounds in patterns:
        own = sum(product(i, i) for i in rounds)
        if most > 1 and reach >= apart:
            cross = sum(product(i, j) for a, i in enumerate(rounds) for j in rounds[a + 1 :])
            low = max(low, own + 2 * cross)
        low = max(low, own)
    return Fraction(low, bottom), Fraction(total, bottom)


def _falls(release: Factored) -> bool:
    """Return whether it is a lower triangular Toeplitz matrix whose entries fall and are not negative.

    A product of two columns is then no larger for later rounds, and for rounds farther apart, so that the earliest
    rounds of all patterns cost most (`beyond:earliest-rounds-cost-most`).
    """
    if release.strategy in ("identity", "prefix-sums", "square-root"):
        return True
    column = release.coefficients or ()
    return bool(column) and column[-1] >= 0 and all(a >= b for a, b in pairwise(column))


def _cost(place: int, n: int, most: int, apart: int, product: Callable[[int, int], int]) -> int:
    """Return the most that a round costs in a pattern with it: its row of products over the pattern."""
    before, _ = _sums([abs(product(j, place)) for j in range(max(0, place - apart + 1))], most - 1, apart)
    after, _ = _sums([abs(product(place, j)) for j in range(n - 1, place + apart - 1, -1)], most - 1, apart)
    return product(place, place) + max(before[k] + after[most - 1 - k] for k in range(most))


def _best(costs: Sequence[int], most: int, apart: int) -> tuple[int, list[int]]:
    """Return the largest sum of a pattern, and the pattern."""
    sums, steps = _sums(costs, most, apart)
    found, at, left = [], len(costs), most
    while left and at > 0:
        if steps[left][at] == steps[left][at - 1]:
            at -= 1
            continue
        found.append(at - 1)
        at, left = max(0, at - apart), left - 1
    return sums[most], found[::-1]


def _sums(costs: Sequence[int], most: int, apart: int) -> tuple[list[int], list[list[int]]]:
    """Return the largest sums of up to 0, 1, ..., `most` costs that are so far apart, and those of all beginnings."""
    rows = [[0] * (len(costs) + 1)]
    for _ in range(most):
        last, row = rows[-1], [0]
        for j, cost in enumerate(costs):
            row.append(max(row[-1], cost + last[max(0, j + 1 - apart)]))
        rows.append(row)
    return [row[-1] for row in rows], rows


def _products(release: Factored) -> tuple[Callable[[int, int], int], int, int]:
    """Return the products of columns, times a whole number, that number, and how far columns reach."""
    n = release.rounds
    if release.strategy == "prefix-sums":
        return lambda i, j: n - max(i, j), 1, n
    if release.strategy == "tree":
        sizes = [2**level for level in range(n.bit_length())]
        return lambda i, j: sum(i // s == j // s and (i // s + 1) * s <= n for s in sizes), 1, n
    if release.strategy == "given":
        rows = release.matrix or ()
        bottom = lcm(*(entry.denominator for row in rows for entry in row))
        columns = [[int(row[i] * bottom) for row in rows] for i in range(n)]
        return lambda i, j: sum(a * b for a, b in zip(columns[i], columns[j], strict=True)), bottom**2, n
    column = list(release.coefficients or (Fraction(1),))
    if release.strategy == "square-root":
        column = [Fraction(comb(2 * k, k), 4**k) for k in range(min(release.bands or 1, n))]
    bottom = lcm(*(entry.denominator for entry in column))
    whole = [int(entry * bottom) for entry in column]

    @cache
    def shifted(offset: int, rows: int) -> int:
        return sum(whole[k] * whole[k + offset] for k in range(min(rows, len(whole) - offset)))

    return lambda i, j: shifted(abs(j - i), min(n - max(i, j), len(whole))), bottom**2, len(whole) - 1
