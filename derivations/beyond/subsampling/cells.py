r"""Discrete losses on both sides of a curve: masses of cells split between grid points, and cells as single outcomes.

A cell of outputs has the masses $p$ and $q$; its losses lie between those of its ends, $\log x_0$ and $\log x_1$. Curves are functions of $x = e^\epsilon$.
"""

from sympy import Max, Min

from rgm_verify.pages import *

from ...theorems import DATA_PROCESSING

page = Page("beyond", "discrete losses of a random sample")
p = page.nonnegative("p", "mass of a cell under the first law")
q = page.nonnegative("q", "mass of the cell under the second law")
x0 = page.positive("x_0", "quotient of the densities at the left end of the cell")
x1 = page.positive("x_1", "the same at its right end")
x = page.nonnegative("x", "e^epsilon")
_ORDER = Hypothesis("the ends are in order", lt(x0, x1))
#: What goes to the left and to the right end, under the second law.
_l = named("l", (x1 * q - p) / (x1 - x0))
_r = named("r", (p - x0 * q) / (x1 - x0))
_place = page.real("s", "place between the ends", lower=0, upper=1)

split = page.identity(
    "beyond:cell-split",
    "A cell split between its ends keeps both masses",
    both(eq(_l + _r, q), eq(x0 * _l + x1 * _r, p)),
    given=(_ORDER,),
    wrong={
        "ends exchanged": both(eq(_l + _r, q), eq(x1 * _l + x0 * _r, p)),
        "halves": both(eq(_l + _r, q), eq((x0 + x1) / 2 * q, p)),
    },
)

above = page.inequality(
    "beyond:cell-split-above",
    "The split cell has the larger curve",
    le(Max(p - x * q, 0), _l * Max(x0 - x, 0) + _r * Max(x1 - x, 0)),
    "This is so for each part of the cell, and so for the cell with its own losses: connected dots, cell by cell.",
    given=(_ORDER, Hypothesis("losses of the cell lie between its ends", both(le(x0 * q, p), le(p, x1 * q)))),
    by=Smt(),
    points=Chart(
        {x0: (0, 3), x1: (0, 3), q: (0, 1), x: (0, 6), _place: (0, 1)},
        {x0: x0, x1: x0 + x1, q: q, x: x, p: q * (x0 + _place * x1)},
    ),
    over=(_place,),
    wrong={
        "direction": turned(),
        "all of it left": q * Max(x0 - x, 0),
        "shares exchanged": _r * Max(x0 - x, 0) + _l * Max(x1 - x, 0),
    },
    steps=("beyond:cell-split", "beyond:sampled-mixture"),
    reading="$l$ and $r$ are masses under the second law; under the first they are $x_0l$ and $x_1r$.",
)

_u = page.real("u", "value of the line to the right of the cell")

lesser = page.identity(
    "beyond:cells-lesser-line",
    "The lesser of the two lines that meet at a cell",
    both(
        eq(Min(_u + p - x * q, _u), _u - Max(x * q - p, 0)),
        eq(Min(_u + p - x * q, _u), _u + p - x * q - Max(p - x * q, 0)),
    ),
    r"Line $i$ is $\sum_{j>i}(p_j - xq_j)$, a lower bound of the curve of the cells; line $i - 1$ is larger by $p_i - xq_i$.",
    by=Smt(),
    wrong={
        "signs exchanged": both(
            eq(Min(_u + p - x * q, _u), _u - Max(p - x * q, 0)),
            eq(Min(_u + p - x * q, _u), _u + p - x * q - Max(p - x * q, 0)),
        ),
        "the greater": both(
            eq(Max(_u + p - x * q, _u), _u - Max(x * q - p, 0)),
            eq(Min(_u + p - x * q, _u), _u + p - x * q - Max(p - x * q, 0)),
        ),
    },
    steps=(
        Step(
            "What is known of the cell alone bounds from below.",
            theorem=DATA_PROCESSING,
            met={"one kernel": "The cell is a function of the output."},
        ),
    ),
)

_f0, _f1 = (page.real(f"f_{i}", f"value of the broken line at x_{i}") for i in (0, 1))
_t = page.real("t", "place between two grid points", lower=0, upper=1)
_at = (1 - _t) * x0 + _t * x1

below = page.inequality(
    "beyond:cells-broken-line",
    "The broken line lies below the line that both of its ends lie below",
    le((1 - _t) * _f0 + _t * _f1, _u - _at * q),
    given=(Hypothesis("left end", le(_f0, _u - x0 * q)), Hypothesis("right end", le(_f1, _u - x1 * q))),
    points=Chart(
        {x0: (0, 3), x1: (0, 3), q: (0, 1), _u: (0, 2), _t: (0, 1), p: (0, 1), x: (0, 1)},
        {x0: x0, x1: x1, q: q, _u: _u, _t: _t, _f0: _u - x0 * q - p, _f1: _u - x1 * q - x},
    ),
    over=(p, x),
    wrong={"direction": turned(), "one end alone": without(Hypothesis("right end", le(_f1, _u - x1 * q)))},
    steps=("beyond:cells-lesser-line",),
    reading=r"$u$ and $q$ are the sums of the masses to the right of line $i$, $x_0$ and $x_1$ the grid points next to it.",
)

_g = page.positive("g", "change of slope that is negative, times minus the grid point")
_first, _second = (page.positive(f"y_{i}", f"e to the {n} place of the mass") for i, n in ((1, "first"), (2, "second")))

debt = page.inequality(
    "beyond:cells-negative-mass",
    "A negative mass moved up lowers the curve",
    chain(-_g * Max(1 - x / _first, 0), ">=", -_g * Max(1 - x / _second, 0), ">=", -_g),
    "At last it is made good by a mass there, or stays at infinity.",
    given=(Hypothesis("upwards", le(_first, _second)),),
    wrong={
        "downwards": instead(Hypothesis("upwards", ge(_first, _second), "downwards")),
        "for nothing": chain(-_g * Max(1 - x / _first, 0), ">=", -_g * Max(1 - x / _second, 0), ">=", 0),
    },
)

_S = page.real("S", "value with the other masses alone")
_n = page.nonnegative("n", "what is negative at infinity, in one step")
_m = page.nonnegative("m", "sum of the other masses")
_k = page.nonnegative("k", "number of steps before")

owed = page.inequality(
    "beyond:cells-debt-of-many-steps",
    "One more step costs what is negative in it once more",
    ge(_S - _m * _k * _n * (1 + _n) ** _k - _n, _S - (_k + 1) * _n * (1 + _n) ** (_k + 1)),
    r"By induction $T$ steps have at least what the other masses alone have, less $Tn(1+n)^T$.",
    given=(Hypothesis("the masses add up to at most 1", le(_m, 1 + _n), "signed, they do"),),
    points={_S: (0, 1), _n: (0, 1), _m: (0, 1), _k: (0, 9)},
    wrong={"once in all": _S - _n * (1 + _n) ** (_k + 1), "nothing": _S},
    steps=("beyond:cells-negative-mass", "beyond:value-iteration-kernel"),
)
