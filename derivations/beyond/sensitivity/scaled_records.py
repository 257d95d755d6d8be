r"""What is released beside the moments when a regression is fitted in several looks: histograms and clipped gradients.

Each has a sensitivity that depends on public numbers and on earlier outputs alone, and noise of a fixed multiple of it.
All looks together are a filter of Gaussian releases, `beyond:gaussian-filter`. Only the record that is replaced counts:
the contributions of the others cancel.
"""

from sympy import Max, Min

from rgm_verify.pages import *

page = Page("beyond", "histograms and clipped gradients of a regression")
_a = page.nonnegative("a", "squared norm of the record's shares of the cells", upper=1)
_b = page.nonnegative("b", "that of the record in its place", upper=1)
_c = page.nonnegative("c", "inner product of both")

shares = page.theorem(
    "beyond:histogram-sensitivity",
    "The sensitivity of a histogram whose records may be shared by cells",
    le(_a + _b - 2 * _c, 2),
    r"A record gives the cells shares $\ge 0$ that add up to 1, so that their squares add up to at most 1: a histogram moves by at most $\sqrt2$, and by 1 where a record is added or removed. Two records in two cells attain it.",
    points={_a: (0, 1, 1 - (1 - _a) / 1000), _b: (0, 1, 1 - (1 - _b) / 1000), _c: (0, 1, _c**4)},
    wrong={"the number of a record more": Integer(1), "99/100 of it": Rational(99, 50)},
    reading="The squared distance of two vectors of shares, from their norms and their inner product.",
)

_length = page.positive("m", "length of the record's features in the metric", latex=r"\|P^\top u\|")
_residual = page.real("r", "the record's residual")
_threshold = page.positive("tau", "threshold, made of earlier outputs", latex=r"\tau")
_floor = page.positive("f", "what lengths are raised to at least")
_bound = _threshold / Max(_length, _floor)

kept = page.theorem(
    "beyond:clipped-residual-bound",
    "A gradient is no longer than the threshold once its residual is clipped",
    le(_length * Abs(Max(-_bound, Min(_bound, _residual))), _threshold),
    "The factor of the features is the record's own, so that the direction stays. Raising a length only clips more.",
    points={_residual: (-30, 30)},
    wrong={"not clipped": left(_length * Abs(_residual)), "99/100 of it": Rational(99, 100) * _threshold},
    reading=r"The length of $P^\top u$ times the clipped residual.",
)

_x = page.nonnegative("x", "length of the record's clipped gradient")
_y = page.nonnegative("y", "that of the record in its place")
_z = page.real("z", "inner product of both")
_CLIPPED = Hypothesis("clipped", both(le(_x, _threshold), le(_y, _threshold)), by=("beyond:clipped-residual-bound",))
_PRODUCT = Hypothesis("Cauchy-Schwarz", ge(_z, -_x * _y))

clipped = page.theorem(
    "beyond:clipped-gradients-sensitivity",
    "The sensitivity of a sum of clipped gradients in a released metric",
    le(_x**2 + _y**2 - 2 * _z, 4 * _threshold**2),
    r"So the sum moves by at most $2\tau$, and by $\tau$ where a record is added or removed. Opposite gradients at the threshold attain it. Metric, point and threshold are made of earlier outputs.",
    given=(_CLIPPED, _PRODUCT),
    points={
        _x: (0, 1, _threshold * (1 - _x / 1000)),
        _y: (0, 1, _threshold * (1 - _y / 1000)),
        _z: (-1, 1, _z * _x * _y),
    },
    wrong={"one threshold": _threshold**2, "99/100 of it": Rational(99, 25) * _threshold**2},
    reading="The squared distance of two clipped gradients, from their lengths and their inner product.",
)
