"""(6) integers: large ones, relaxations, powers of negative numbers, parity; a few existence claims."""

from .known import *

N, n = whole("n")
N0, n0 = whole("n", "[0,inf)")
J, j = whole("j", "R")
I_, i = whole("i", "R")
K, k = whole("k")
B, b = whole("n", "[1,10000000000]")
X, x = var("x")
W, w = var("w", "[-2,1]")
EPS, eps = var("eps", "[0,inf)")
H, h = whole("n", "[1/2,3/2]")
N4, n4 = whole("n", "[4,inf)")
L2, l2 = whole("n", "[2,inf)")
Z2, z2 = whole("m", "[1,inf)")


def pt(**names):
    return [{k: str(v) for k, v in names.items()}]


CLAIMS = [
    true("int-square-above", ge(j**2, j), J, why="n(n-1) >= 0 for integers; false for 1/2", cat="6"),
    true("int-between", ge(j**2 + 2, 3 * j), J, why="(n-1)(n-2) >= 0: no integer lies between", cat="6"),
    true("int-half", ge((2 * j - 1) ** 2, 1), J, why="an odd number is at least 1 in size", cat="6"),
    true("int-not-half", ne(2 * j, 1), J, why="parity", cat="6"),
    true("int-root-2", ne(n**2, 2 * z2**2), N, Z2, why="sqrt 2 is irrational", cat="6"),
    true("int-mod-4", ne(j**2, 4 * i + 3), J, I_, why="squares are 0 or 1 mod 4", cat="6"),
    true("int-difference", ge((j - i) ** 2, Abs(j - i)), J, I_, why="n^2 >= |n|", cat="6"),
    true("int-power", ge(2**n, n + 1), N, why="Bernoulli with 1; equal at 1", cat="6"),
    true("int-power-square", ge(2**n4, n4**2), N4, why="induction from 4, equal at 4", cat="6"),
    true("int-bernoulli", ge((1 + eps) ** k, 1 + k * eps), EPS, K, why="binomial; equal at eps = 0 or k = 1", cat="6"),
    true("int-gap", either(le(j, 0), ge(j, 1)), J, why="no integer strictly between 0 and 1", mutants=(Mutant("one more", conclusion=either(le(j, 0), ge(j, 2))),), cat="6"),
    true("int-only-1", eq(h, 1), H, why="1 is the only integer in [1/2, 3/2]", cat="6"),
    true("int-consecutive", ne(j * (j + 1), 3), J, why="a product of neighbours is even", cat="6"),
    true("int-sign-power", le((-1) ** n * n, n), N, why="the factor is 1 or -1", cat="6"),
    false("int-one-bad", ne(n, 123456789), N, at={"n": 123456789}, why="false at one integer", cat="6"),
    false("int-one-bad-square", gt((n - 1048577) ** 2, 0), N, at={"n": 1048577}, why="false at one integer", cat="6"),
    false("int-one-bad-product", ne(n * (n + 1), 123456789 * 123456790), N, at={"n": 123456789}, why="false at one integer", cat="6"),
    false("int-large", le(n, 10**15), N, at={"n": 10**15 + 1}, why="above 1e15", cat="6"),
    false("int-bounded-upper", lt(b, 10**10), B, at={"n": 10**10}, why="false at the last integer", cat="6"),
    false("int-parity", eq((-1) ** n, 1), N, at={"n": 1}, why="false for odd n", cat="6"),
    false("int-parity-deep", ge(cos(pi * n / 2) + R(1, 2), 0), N, at={"n": 2}, why="cos(pi) = -1", cat="6"),
    false("int-power-of-negative", le(w**n, 1), W, N, at={"w": -2, "n": 2}, why="(-2)^2 = 4", cat="6"),
    false("int-power-of-negative-odd", ge(w**n, -2), W, N, at={"w": -2, "n": 3}, why="-8", cat="6"),
    false("int-power-abs", le(Abs(w) ** n, 2**10), W, N, at={"w": -2, "n": 11}, why="2^11", cat="6"),
    false("int-pell-61", ne(n**2 - 61 * z2**2, 1), N, Z2, at={"n": 1766319049, "m": 226153980}, why="Fermat's challenge, the smallest solution", cat="6"),
    false("int-pell-2", ne(n**2 - 2 * z2**2, 1), N, Z2, given=ge(z2, 10**6), at={"n": 3880899, "m": 2744210}, why="solutions of Pell's equation go on", cat="6"),
    false("int-taxicab", ne(n**3 + k**3, 1729), N, K, at={"n": 1, "k": 12}, why="1729 = 1 + 1728", cat="6"),
    false("int-gap-wrong", either(le(j, 0), ge(j, 2)), J, at={"j": 1}, why="1 is left out", mutants=(Mutant("three", conclusion=either(le(j, 0), ge(j, 3))),), cat="6"),
    false("int-power-late", le(2**n, 10**15 * n**2), N, at={"n": 64}, why="2^64 = 1.8e19 > 4.1e18", cat="6"),
    false("int-relaxed-half", ge(j**2 - 3 * j + 2, 1), J, at={"j": 1}, why="0 at 1 and at 2", cat="6"),
    false("int-sum-of-squares", ne(n**2 + k**2, 1000000016000000073), N, K, at={"n": 1000000008, "k": 3}, why="1000000008^2 + 9", cat="6"),
    true("exists-root-2", eq(x**2, 2), X, quantifier="exists", why="sqrt 2", points=pt(x="sqrt(2)"), mutants=(Mutant("minus", conclusion=eq(x**2, -2)),), cat="6"),
    true("exists-pell", eq(n**2 - 61 * z2**2, 1), N, Z2, quantifier="exists", why="1766319049, 226153980", points=pt(n=1766319049, m=226153980),
         mutants=(Mutant("parity", conclusion=eq(2 * n, 2 * z2 + 1)),), cat="6"),
    false("exists-minus-square", eq(x**2, -1), X, quantifier="exists", why="squares are nonnegative", cat="6"),
    false("exists-int-root-2", eq(j**2, 2), J, quantifier="exists", why="sqrt 2 is no integer", cat="6"),
    false("exists-log", gt(log(n), n - R(1, 2)), N, quantifier="exists", why="log n <= n - 1", cat="6"),
]
