r"""Mechanisms of which nothing is known but their guarantee, in one account with others: the worst of them, as a pair of laws.

A guarantee $(\epsilon, \delta)$ holds in both orders of two neighbours. At a level $x$ a curve is the largest $P(A) - xQ(A)$; it is convex, falls, and is 1
at $x = 0$.
"""

from sympy import Max

from rgm_verify.pages import *

page = Page("beyond", "guarantees in one account")
x = page.positive("x", "e to a level")

# ---------------------------------------------------------------------------------------------- the worst mechanism

_k = page.real("k", "probability that the record is not shown", lower=0, upper=1)
_p = page.nonnegative("p", "mass of an answer where the record is not shown")
_q = page.nonnegative("q", "the same for the neighbour")

worst = page.identity(
    "beyond:worst-of-a-guarantee",
    "What shows the record for certain adds to the curve of the rest",
    eq(1 - _k + Max(_k * _p - x * _k * _q, 0), 1 - _k * (1 - Max(_p - x * _q, 0))),
    r"A record is shown with probability $1-k$, by an output that its neighbour never has; all else has the curve $d$. Together they have $1-k(1-d)$, at every level, and so have many releases with the product of their $k$.",
    by=Smt(),
    points={_k: (0, 1), _p: (0, 1), _q: (0, 1), x: (0, 3)},
    wrong={"nothing added": left(Max(_k * _p - x * _k * _q, 0)), "all of the rest": 1 - _k + Max(_p - x * _q, 0)},
)

# ---------------------------------------------------------------------------------------- it is above all the others

_A = page.positive("A", "e to the epsilon of the guarantee")
_d = page.real("delta", "the delta of the guarantee", lower=0, upper=1)
_t = page.real("t", "place between both levels", lower=0, upper=1)

chords = page.identity(
    "beyond:guarantee-below-its-chords",
    "Between its two levels a guarantee allows what randomised response has",
    eq((1 - _t) * (1 - (1 - _d) / _A) + _t * _d, _d + (1 - _d) * (_A - ((1 - _t) / _A + _t * _A)) / (1 + _A)),
    r"A curve is at most $\delta$ at $x=A=e^\epsilon$, by the other order at most $1-(1-\delta)/A$ at $x=1/A$, and 1 at 0. The chords through these are the curve of the pair that shows the record with probability $\delta$ and else answers by randomised response: $\delta+(1-\delta)\max(A-x,0)/(1+A)$ from $1/A$ on, and $1-(1-\delta)x$ before.",
    points={_A: (1, 5), _d: (0, 1), _t: (0, 1)},
    wrong={
        "deltas of both orders": left((1 - _t) * (1 - (1 - _d) / _A) + 2 * _t * _d),
        "one order alone": left((1 - _t) + _t * _d),
    },
    steps=(
        Step("The other order turns the level around.", "beyond:hockey-stick-at-negative-levels"),
        Step("A convex curve lies below its chords.", "beyond:hockey-stick-below-its-chords"),
        "beyond:worst-of-a-guarantee",
        "beyond:randomised-response-loss",
    ),
)
