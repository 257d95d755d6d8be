r"""Bounds of excess and distance along the curve of extreme pairs, below the threshold of the baseline noise.

By the ratio $y \ge 1$ of the largest distance to $\eta m$ (`below_threshold.py`), $D^2 = \frac{\eta^2}\gamma\frac{y^2}{n}$ and $w = \frac{\eta y(2+\eta y)}n$ with
$n = 1 - \kappa + \kappa y^2$, $\kappa < 1$. $D^2$ grows. $w$ reaches a given excess $W$ exactly where a quadratic in $y$ is not positive: so the
largest excess is a root of its discriminant, and the largest distance that goes with $W$ is that at its larger root. A cell of
pairs (`rgm_verify/accounting/exact/admissible_pairs.py`) takes both.
"""

from sympy import diff, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Mutant,
    Step,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    positive,
    real,
)
from rgm_verify.lenses import Identity, Smt

from ..rgm.notation import ETA, eta

_WHERE = "used for exact accounting; in neither version"

RATIO = real("y", "distance over eta times the smaller norm", lower=1)
KAPPA = real("kappa", "baseline noise over its threshold", lower=0, upper=1, lower_open=True, upper_open=True)
EXCESS = positive("W", "an excess")
y, kappa, _w = (k.symbol for k in (RATIO, KAPPA, EXCESS))

narrow = 1 - kappa + kappa * y**2
excess = eta * y * (2 + eta * y) / narrow
#: Not positive exactly where the curve reaches the excess W.
quadratic = (_w * kappa - eta**2) * y**2 - 2 * eta * y + _w * (1 - kappa)
_rise = (1 - kappa) * (1 + eta * y) - kappa * y**2

reaches = Claim(
    id="beyond:where-the-curve-reaches-an-excess",
    title="Where the curve of extreme pairs reaches an excess",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$w(y) \ge W$ exactly where $(W\kappa - \eta^2)y^2 - 2\eta y + W(1-\kappa) \le 0$.",
    variables=(RATIO, ETA, KAPPA, EXCESS),
    conclusion=Iff(ge(excess, _w), le(quadratic, 0)),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:curve-by-the-ratio"),),
    mutants=(
        Mutant("kappa for 1 - kappa", Iff(ge(excess, _w), le(quadratic + _w * (2 * kappa - 1), 0))),
        Mutant("once eta y", Iff(ge(excess, _w), le(quadratic + eta * y, 0))),
        Mutant("direction", Iff(ge(excess, _w), ge(quadratic, 0))),
    ),
)

_CURVED = Hypothesis("the quadratic opens upwards", gt(_w * kappa, eta**2))
_discriminant = eta**2 - (_w * kappa - eta**2) * _w * (1 - kappa)
_largest_root = (eta + sqrt(_discriminant)) / (_w * kappa - eta**2)
_SHARE = real("f", lower=0, upper=1).symbol

farthest = Claim(
    id="beyond:farthest-pair-of-an-excess",
    title="The farthest pair with at least a given excess",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"For $W\kappa > \eta^2$ and $w(y) \ge W$: the discriminant is not negative, and $y$ is at most the larger root "
        r"$\frac{\eta + \sqrt{\eta^2 - (W\kappa-\eta^2)W(1-\kappa)}}{W\kappa - \eta^2}$; $D^2$ grows with $y$. For $W\kappa \le \eta^2$ every large $y$ reaches $W$."
    ),
    variables=(RATIO, ETA, KAPPA, EXCESS),
    hypotheses=(_CURVED, Hypothesis("the excess is reached", le(quadratic, 0))),
    conclusion=both(ge(_discriminant, 0), le((_w * kappa - eta**2) * y - eta, sqrt(_discriminant))),
    checks=(Smt(),),
    derivation=(
        Step(claim="beyond:where-the-curve-reaches-an-excess"),
        Step(claim="beyond:curve-distance-rises"),
    ),
    sampling=Chart(
        {eta: (0, 3), kappa: (0, 1), y: (1, 20), _SHARE: (0, 1)},
        {eta: eta, kappa: kappa, y: y, _w: excess * _SHARE + (1 - _SHARE) * eta**2 / kappa},
    ),
    mutants=(
        Mutant("the smaller root", le((_w * kappa - eta**2) * y - eta, -sqrt(_discriminant))),
        Mutant("wherever", hypotheses=(_CURVED,)),
    ),
)

_slack = 1 - kappa
_top = eta**2 * _slack + sqrt(eta**4 * _slack**2 + 4 * kappa * _slack * eta**2)

largest = Claim(
    id="beyond:largest-excess-of-the-curve",
    title="No pair has a larger excess than a root of the discriminant",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$w(y) \le \frac{\eta^2(1-\kappa) + \sqrt{\eta^4(1-\kappa)^2 + 4\kappa(1-\kappa)\eta^2}}{2\kappa(1-\kappa)}$ for every $y$; multiplied by $2\kappa(1-\kappa)$.",
    variables=(RATIO, ETA, KAPPA),
    conclusion=le(2 * kappa * _slack * excess, _top),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:where-the-curve-reaches-an-excess"),),
    mutants=(
        Mutant(
            "without the 4",
            le(
                2 * kappa * _slack * excess,
                _top - sqrt(eta**4 * _slack**2 + 4 * kappa * _slack * eta**2) + eta**2 * _slack,
            ),
        ),
        Mutant("half", le(4 * kappa * _slack * excess, _top)),
    ),
)

turns = Claim(
    id="beyond:where-the-excess-falls",
    title="Where the excess falls along the curve of extreme pairs",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"The derivative of $w$ by $y$ is $\frac{2\eta}{n^2}\left((1-\kappa)(1+\eta y) - \kappa y^2\right)$: from the larger root $y$ of "
        r"$\kappa y^2 - (1-\kappa)(\eta y + 1)$ on the excess falls."
    ),
    variables=(RATIO, ETA, KAPPA),
    conclusion=eq(diff(excess, y), 2 * eta / narrow**2 * _rise),
    checks=(Identity(),),
    mutants=(
        Mutant("without 2", eq(diff(excess, y), eta / narrow**2 * _rise)),
        Mutant(
            "kappa for 1 - kappa", eq(diff(excess, y), 2 * eta / narrow**2 * (kappa * (1 + eta * y) - kappa * y**2))
        ),
    ),
)

_FURTHER = real("Y", "a larger ratio", lower=1)
_more = _FURTHER.symbol

keeps_falling = Claim(
    id="beyond:the-excess-falls-for-good",
    title="Once the excess falls it falls for good",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"If $\kappa y^2 \ge (1-\kappa)(1+\eta y)$, then $w(Y) \le w(y)$ for $Y \ge y$: a pair of a larger excess than $w(Y)$ has a smaller ratio than $Y$.",
    variables=(RATIO, _FURTHER, ETA, KAPPA),
    hypotheses=(Hypothesis("in order", le(y, _more)), Hypothesis("it falls", le(_rise, 0))),
    conclusion=le(excess.subs(y, _more), excess),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:where-the-excess-falls"),),
    sampling=Chart(
        {eta: (0, 3), y: (1, 20), _SHARE: (0, 1), _w: (0, 5)},
        {eta: eta, y: y, _more: y + _w, kappa: (1 + eta * y + _SHARE * y**2) / (1 + eta * y + y**2)},
    ),
    mutants=(
        Mutant("from the start", hypotheses=(Hypothesis("in order", le(y, _more)),)),
        Mutant("direction", lt(excess, excess.subs(y, _more))),
    ),
)
