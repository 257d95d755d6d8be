r"""Discrete Gaussian noise on vectors of whole numbers: one lattice for the losses of all changes, and the largest of their curves.

Neighbours may change a vector of whole numbers by $v$ with $|v|^2 \le D$. At some levels a change of one coordinate is told apart best, at others one of many;
so the curve that an account composes is the largest of all of them.
"""

from sympy import Max

from rgm_verify.pages import *

page = Page("beyond", "discrete Gaussian noise on a vector")
_v1, _v2 = (page.real(f"v_{i}", f"change of coordinate {i}") for i in (1, 2))
_y1, _y2 = (page.real(f"y_{i}", f"output of coordinate {i}") for i in (1, 2))
_sigma = page.positive("sigma", "parameter of the noise")
_D, _m = named("D", _v1**2 + _v2**2), named("m", _v1 * _y1 + _v2 * _y2)

lattice = page.identity(
    "beyond:loss-of-a-whole-change",
    "The loss of a change depends on one whole number",
    eq(((_y1 - _v1) ** 2 - _y1**2 + (_y2 - _v2) ** 2 - _y2**2) / (2 * _sigma**2), (_D - 2 * _m) / (2 * _sigma**2)),
    r"And so in every dimension. For whole $v$ and $y$ the losses of all changes of one norm lie on one lattice, and outputs with a loss above a level are those with $m$ up to some whole number $c$. Their masses under both laws are $F(c)$ and $F(c - D)$, where $F$ is the distribution function of $m$ for noise alone.",
    points={_v1: (-2, 2), _v2: (-2, 2), _y1: (-3, 3), _y2: (-3, 3), _sigma: (0, 2)},
    wrong={"half of m": (_D - _m) / (2 * _sigma**2), "the other order": (2 * _m - _D) / (2 * _sigma**2)},
)

_t = page.real("t", "place between both levels", lower=0, upper=1)
_h1, _h2 = (page.nonnegative(f"h_{i}", f"curve of change {i} there") for i in (1, 2))
_a1, _a2 = (page.nonnegative(f"a_{i}", f"curve of change {i} at the lower level") for i in (1, 2))
_b1, _b2 = (page.nonnegative(f"b_{i}", f"curve of change {i} at the upper level") for i in (1, 2))
_CHORDS = tuple(
    Hypothesis(f"curve {i} below its chord", le(h, (1 - _t) * a + _t * b), by=("beyond:hockey-stick-below-its-chords",))
    for i, h, a, b in ((1, _h1, _a1, _b1), (2, _h2, _a2, _b2))
)

largest = page.theorem(
    "beyond:largest-of-the-curves-of-changes",
    "The largest curve of all changes lies below its chords",
    le(Max(_h1, _h2), (1 - _t) * Max(_a1, _a2) + _t * Max(_b1, _b2)),
    r"The loss whose curve joins the largest values by chords dominates every change with $|v|^2 \le D$, and may stand for a release whose change is chosen after all outputs before. A change of a smaller norm has at most the curve of one that changes further coordinates by 1, up to $|v|^2 = D$. Such changes are the ways to write $D$ as a sum of squares.",
    given=_CHORDS,
    by=Smt(),
    points={
        _t: (0, 1),
        _a1: (0, 1),
        _a2: (0, 1),
        _b1: (0, 1),
        _b2: (0, 1),
        _h1: (0, 1, _h1 * ((1 - _t) * _a1 + _t * _b1)),
        _h2: (0, 1, _h2 * ((1 - _t) * _a2 + _t * _b2)),
    },
    wrong={
        "the lesser of two values": right((1 - _t) * Min(_a1, _a2) + _t * Max(_b1, _b2)),
        "one free": without(_CHORDS[1]),
    },
    steps=(
        "beyond:loss-of-a-whole-change",
        Step("A coordinate that changes by more is told apart better.", "beyond:shifted-noise-grows"),
        Step("Both orders have one curve.", "beyond:laplace-pair-turns"),
        "beyond:hockey-stick-below-its-chords",
    ),
)
