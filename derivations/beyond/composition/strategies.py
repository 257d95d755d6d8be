r"""The matrix mechanism: how far one record moves the answers of a strategy over the rounds that it takes part in.

With a strategy $C$ the answers are $Cx$, with a Gaussian noise of one deviation on each. A record takes part in the rounds of a pattern, and moves the sum of round
$i$ by a vector $u_i$ of at most unit length. With $g_{ij}=\langle c_i,c_j\rangle$ the answers move by $\sum_{i,j}g_{ij}\langle u_i,u_j\rangle$ in the squared norm.
"""

from rgm_verify.pages import *

from ...theorems import CAUCHY_SCHWARZ

page = Page("beyond", "strategies of the matrix mechanism")
_g11, _g22 = (page.nonnegative(f"g_{i}{i}", f"square of column {i}") for i in (1, 2))
_g12 = page.real("g_12", "product of columns 1 and 2")
_t11, _t22 = (page.real(f"t_{i}{i}", f"square of the vector of round {i}", lower=0, upper=1) for i in (1, 2))
_t12 = page.real("t_12", "product of both vectors", lower=-1, upper=1)

pattern = page.theorem(
    "beyond:pattern-moves-a-strategy",
    "A record moves the answers by at most the sizes of all products of its columns",
    le(_g11 * _t11 + 2 * _g12 * _t12 + _g22 * _t22, _g11 + 2 * Abs(_g12) + _g22),
    r"And so for any number of rounds, term by term. Where no product is negative both sides are equal if all vectors are one: then the sensitivity is known exactly, else $\sum g_{ij}$ and $\sum g_{ii}$ are below it, the latter as the mean over all signs.",
    by=Smt(),
    points={_g11: (0, 2), _g22: (0, 2), _g12: (-2, 2), _t11: (0, 1), _t22: (0, 1), _t12: (-1, 1)},
    wrong={"once": right(_g11 + Abs(_g12) + _g22), "with its sign": right(_g11 + 2 * _g12 + _g22)},
    steps=(
        CAUCHY_SCHWARZ.quoted(
            "Products of vectors of at most unit length lie between -1 and 1.", "It is the usual one."
        ),
        Step(
            "Sums may depend on what was released before: whatever they are, the squares of all rows together are so much.",
            "beyond:gaussian-filter",
        ),
        Step(
            "A pair of Gaussians at a larger distance is told apart better.", "beyond:hockey-stick-monotone-in-distance"
        ),
    ),
)

_r1, _r2 = (page.nonnegative(f"r_{i}", f"sum of the row of round {i} over the pattern") for i in (1, 2))
_R1, _R2 = (page.nonnegative(f"R_{i}", f"the largest such sum of all patterns with round {i}") for i in (1, 2))
_M = page.nonnegative("M", "the largest sum of these over a pattern")
_ROWS = tuple(Hypothesis(f"the largest of round {i}", le(r, R)) for i, r, R in ((1, _r1, _R1), (2, _r2, _R2)))
_MOST = Hypothesis("the largest of a pattern", le(_R1 + _R2, _M))

rounds = page.theorem(
    "beyond:rounds-bound-a-pattern",
    "A pattern costs at most the sum of what its rounds cost in the worst pattern of each",
    le(_r1 + _r2, _M),
    r"The sum of $|g_{ij}|$ over a pattern is one over its rows. Both maxima are over patterns of a number of rounds that are some distance apart, and are found by going through the rounds once for each number. Where columns so far apart are orthogonal, a row is $g_{ii}$ and the bound is the truth.",
    given=(*_ROWS, _MOST),
    by=Smt(),
    points=Chart(
        {_r1: (0, 1), _r2: (0, 1), _R1: (0, 1), _R2: (0, 1), _M: (0, 1)},
        {_r1: _r1, _r2: _r2, _R1: _r1 + _R1, _R2: _r2 + _R2, _M: _r1 + _R1 + _r2 + _R2 + _M},
    ),
    wrong={"one row free": without(_ROWS[1]), "half of it": right(_M / 2)},
    steps=("beyond:pattern-moves-a-strategy",),
)

_c = page.nonnegative("c", "entry of the later column")
_near, _far = (page.nonnegative(f"c_{name}", f"entry of the earlier column, {name}") for name in ("near", "far"))
_rest = page.nonnegative("s", "products of further rows, which a later round does not have")
_FALLS = Hypothesis("entries fall", le(_far, _near))

earliest = page.theorem(
    "beyond:earliest-rounds-cost-most",
    "Of a Toeplitz matrix whose entries fall the earliest rounds cost most",
    le(_c * _far, _c * _near + _rest),
    r"For a lower triangular Toeplitz matrix, $g_{ij}=\sum_m c_mc_{m+j-i}$ over the rows from $j$ on, for $i\le j$. If entries fall and are not negative, it is no larger for a later $j$, which has fewer rows, and for a larger $j-i$, term by term. Round $a$ of a pattern is at least as late as $(a-1)b$, and rounds $a$ and $c$ are at least $(c-a)b$ apart: so no pattern costs more than $1,1+b,1+2b,\ldots$",
    given=(_FALLS,),
    by=Smt(),
    points=Chart(
        {_c: (0, 1), _near: (0, 1), _far: (0, 1), _rest: (0, 1)},
        {_c: _c, _near: _far + _near, _far: _far, _rest: _rest},
    ),
    wrong={"entries that may grow": without(_FALLS), "direction": turned()},
    steps=("beyond:pattern-moves-a-strategy",),
)
