r"""Sparse histograms: what a threshold shows of a record that is alone in a cell adds its probability to the curve of the noise.

Noise is on the cells that have a record, and those above a threshold are shown. Neighbours differ in some cells that both have, and in some that only one of them
has.
"""

from rgm_verify.pages import *

page = Page("beyond", "sparse histograms")
x = page.positive("x", "e to a level")
_p = page.real("p", "mass of an event on the cells that both have", lower=0, upper=1)
_q = page.real("q", "the same for the neighbour", lower=0, upper=1)
_d = page.nonnegative("d", "largest divergence there")
_f = page.real("f", "probability that no cell is shown that only one of both has", lower=0, upper=1)
_k = page.real("k", "a bound of it", lower=0, upper=1)
_BOUND = Hypothesis("a bound of what is not shown", le(_k, _f))


def _chart(first: Expr) -> Chart:
    return Chart(
        {x: (0, 3), _p: (0, 1), _q: (0, 1), _d: (0, 1), _f: (0, 1), _k: (0, 1)},
        {x: x, _p: _p, _q: _q, _d: Max(first, 0) + _d, _f: _f, _k: _k * _f},
    )


_FIRST = Hypothesis("the curve of the cells that both have", le(_p - x * _q, _d))
_SECOND = Hypothesis("the same in the other order", le(_q - x * _p, _d))

new = page.theorem(
    "beyond:threshold-with-a-new-cell",
    "A cell that the neighbour does not have is shown, or nothing of it is",
    le(1 - _f + _f * _p - x * _q, 1 - _k * (1 - _d)),
    r"An event has at most the mass $1-f+fp$, and by the neighbour $q$ at least. So the curve is at most that of the mechanism that shows the record with probability $1-k$ and else has noise alone. The probability that one of $c$ cells is shown is at most the sum, $c\,\Phi(-(\tau-1)/\sigma)$.",
    given=(_BOUND, _FIRST),
    by=Smt(),
    points=_chart(_p - x * _q),
    wrong={"nothing added": right(_d), "no bound": without(_BOUND)},
    steps=(
        "beyond:worst-of-a-guarantee",
        Step("Of fewer cells that both have.", "beyond:hockey-stick-monotone-in-distance"),
    ),
)

old = page.theorem(
    "beyond:threshold-without-an-old-cell",
    "A cell that the neighbour alone has is shown, or nothing of it is",
    le(_q - x * _f * _p, 1 - _k * (1 - _d)),
    r"An event has at most the mass $q$, and by the neighbour, who shows no cell of its own with probability $f$, at least $fp$.",
    given=(_BOUND, _SECOND),
    by=Smt(),
    points=_chart(_q - x * _p),
    wrong={"nothing added": right(_d), "no bound": without(_BOUND)},
    steps=(
        "beyond:worst-of-a-guarantee",
        Step("Of fewer cells that both have.", "beyond:hockey-stick-monotone-in-distance"),
    ),
)
