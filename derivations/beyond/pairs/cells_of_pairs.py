r"""Bounds of excess and distance along the curve of extreme pairs, below the threshold of the baseline noise.

By the ratio $y \ge 1$ of the largest distance to $\eta m$ (`curve_of_pairs.py`), $D^2 = \frac{\eta^2}\gamma\frac{y^2}{n}$ and $w = \frac{\eta y(2+\eta y)}n$ with
$n = 1 - \kappa + \kappa y^2$, $\kappa < 1$. $D^2$ grows. $w$ reaches a given excess $W$ exactly where a quadratic in $y$ is not positive: so the
largest excess is a root of its discriminant, and the largest distance that goes with $W$ is that at its larger root. A cell of
pairs (`rgm_verify/accounting/exact/admissible_pairs.py`) takes both.
"""

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, eta

page = Page("beyond", "used for exact accounting; in neither version", NOTATION)
y = page.real("y", "distance over eta times the smaller norm", lower=1)
kappa = page.real("kappa", "baseline noise over its threshold", lower=0, upper=1, lower_open=True, upper_open=True)
_w = page.positive("W", "an excess")
narrow = named("n", 1 - kappa + kappa * y**2)
excess = named("w(y)", eta * y * (2 + eta * y) / narrow)
#: Not positive exactly where the curve reaches the excess W.
quadratic = (_w * kappa - eta**2) * y**2 - 2 * eta * y + _w * (1 - kappa)
_rise = (1 - kappa) * (1 + eta * y) - kappa * y**2

reaches = page.inequality(
    "beyond:where-the-curve-reaches-an-excess",
    "Where the curve of extreme pairs reaches an excess",
    Iff(ge(excess, _w), le(quadratic, 0)),
    wrong={
        "kappa for 1 - kappa": Iff(ge(excess, _w), le(quadratic + _w * (2 * kappa - 1), 0)),
        "once eta y": Iff(ge(excess, _w), le(quadratic + eta * y, 0)),
        "direction": Iff(ge(excess, _w), ge(quadratic, 0)),
    },
    steps="beyond:curve-by-the-ratio",
)

_REACHED = Hypothesis("the excess is reached", le(quadratic, 0))
_discriminant = named(r"\Delta", eta**2 - (_w * kappa - eta**2) * _w * (1 - kappa))
_SHARE = real("f", lower=0, upper=1).symbol

farthest = page.inequality(
    "beyond:farthest-pair-of-an-excess",
    "The farthest pair with at least a given excess",
    both(ge(_discriminant, 0), le((_w * kappa - eta**2) * y - eta, sqrt(_discriminant))),
    "So $y$ is at most the larger root of the quadratic, and $D^2$ grows with $y$. Where the quadratic does not open upwards every large $y$ reaches $W$.",
    given=(Hypothesis("the quadratic opens upwards", gt(_w * kappa, eta**2)), _REACHED),
    points={eta: (0, 3), y: (1, 20), _SHARE: (0, 1), _w: excess * _SHARE + (1 - _SHARE) * eta**2 / kappa},
    wrong={
        "the smaller root": le((_w * kappa - eta**2) * y - eta, -sqrt(_discriminant)),
        "wherever": without(_REACHED),
    },
    steps=("beyond:where-the-curve-reaches-an-excess", "beyond:curve-distance-rises"),
)

_slack = 1 - kappa
_root = sqrt(eta**4 * _slack**2 + 4 * kappa * _slack * eta**2)
_top = eta**2 * _slack + _root

largest = page.inequality(
    "beyond:largest-excess-of-the-curve",
    "No pair has a larger excess than a root of the discriminant",
    le(2 * kappa * _slack * excess, _top),
    r"Both sides are multiplied by $2\kappa(1-\kappa)$.",
    wrong={"without the 4": _top - _root + eta**2 * _slack, "half": left(4 * kappa * _slack * excess)},
    steps="beyond:where-the-curve-reaches-an-excess",
)

turns = page.identity(
    "beyond:where-the-excess-falls",
    "Where the excess falls along the curve of extreme pairs",
    eq(Derivative(excess, y), 2 * eta / narrow**2 * _rise),
    "From the larger root of the quadratic in brackets on the excess falls.",
    wrong={
        "without 2": eta / narrow**2 * _rise,
        "kappa for 1 - kappa": 2 * eta / narrow**2 * (kappa * (1 + eta * y) - kappa * y**2),
    },
)

_more = page.real("Y", "a larger ratio", lower=1)
_later = named("w(Y)", excess.subs(y, _more))

keeps_falling = page.inequality(
    "beyond:the-excess-falls-for-good",
    "Once the excess falls it falls for good",
    le(_later, excess),
    "A pair of a larger excess than $w(Y)$ has a smaller ratio than $Y$.",
    given=(Hypothesis("in order", le(y, _more)), Hypothesis("it falls", le(_rise, 0))),
    points={
        eta: (0, 3),
        y: (1, 20),
        _SHARE: (0, 1),
        _w: (0, 5),
        _more: y + _w,
        kappa: (1 + eta * y + _SHARE * y**2) / (1 + eta * y + y**2),
    },
    wrong={"from the start": without("it falls"), "direction": lt(excess, _later)},
    steps="beyond:where-the-excess-falls",
)
