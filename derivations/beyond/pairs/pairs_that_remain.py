r"""The pairs of outputs that remain when every pair with a worse one is left out, as rational functions of one parameter.

Let $m$ be the smaller of two norms, $D = \sqrt{\eta^2m^2 + R_{rel}^2}$ and $z = \eta m/D$. In units of the smaller variance, with
$\kappa = \frac{\sigma^2\eta^2}{\gamma R_{rel}^2}$ and $N = \kappa + (1-\kappa)z^2$, two outputs at the distance $D$ have $S = \frac{\eta^2}{\gamma N}$, and

* on one ray (`outer`), with the norms $m$ and $m + D$: $w = \frac{\eta(\eta+2z)}N$ for $0 \le z \le 1$;
* opposite each other (`inner`), with the norms $m$ and $D - m$: $w = \frac{\eta(\eta-2z)}N$ for $0 \le z \le \min(1, \frac\eta2)$;
* with equal norms: $w = 0$, for $z \ge \frac\eta2$.

Every excess between these occurs in two dimensions and more, and is not worse than the ends (`variance_ends.py`). Outputs opposite each
other at less than $D$ are enlarged until they are at $D$, or without end: for $\eta > 2$ the limits $S = (1+z)^2/\gamma$, $w = z^2 - 1$ with
$1 \le z \le \eta - 1$ remain. On the line the limits of outputs on one ray are covered by the largest of them.
"""

from ...rgm.notation import *
from .below_threshold import largest_distance
from .pairs_in_space import looked_at, never_worse

page = Page("beyond", "used for exact accounting; in neither version", NOTATION)
z = page.real("z", "place on the curve: eta times the smaller norm over the distance", lower=0, upper=1)
KAPPA = positive("kappa", "baseline noise over its threshold")
_D = page.positive("D", "the largest distance at the smaller norm")
kappa = page.add(KAPPA)
#: Proportional to the smaller variance, in units of the squared distance.
spread = named("N", kappa + (1 - kappa) * z**2)
shift2 = eta**2 / gamma / spread
outer_excess = eta * (eta + 2 * z) / spread
inner_excess = eta * (eta - 2 * z) / spread
_norm = named("m", z * _D / eta)
_absolute2 = named(r"R_{rel}^2", _D**2 * (1 - z**2))
_baseline = named(r"\sigma^2", kappa * gamma * _absolute2 / eta**2)
_variance = named(r"\sigma_2^2", gamma * _norm**2 + _baseline)


def _excess(larger: Expr) -> Expr:
    return gamma * (larger**2 - _norm**2) / _variance


#: The outputs on one ray as vectors, and the pair in units of its smaller variance: each is no worse than the other.
_ON_ONE_RAY = Outputs((_norm + _D, Integer(0)), (_norm,), 2, gamma, _baseline)
_IN_UNITS = Outputs((Integer(0), sqrt(shift2)), (), 2, variances=(1 + outer_excess, Integer(1)))
_SAME = (*never_worse(_ON_ONE_RAY, _IN_UNITS, (1,)), *never_worse(_IN_UNITS, _ON_ONE_RAY, (1,)))
_PLACES = tuple(
    {z: Rational(p), _D: Rational(m), eta: Rational(n), gamma: Rational(o), kappa: Rational(k)}
    for p, m, n, o, k in (("1/2", "1", "1/2", "1/5", "1"), ("9/10", "2", "1", "1", "2"))
)

family = page.identity(
    "beyond:pairs-at-full-distance",
    "The pairs at the largest distance, by one parameter",
    All(
        (
            eq(eta**2 * _norm**2 + _absolute2, _D**2),
            eq(_D**2 / _variance, shift2),
            eq(_excess(_norm + _D), outer_excess),
            eq(_excess(_D - _norm), inner_excess),
        )
    ),
    "The outputs have the smaller norm $m$ and the distance $D$. The last two lines are the excess of the norm $m + D$ and that of $D - m$.",
    by=(Smt(), Identity(), *looked_at(_SAME, _PLACES)),
    wrong={
        "kappa on the other term": eq(_D**2 / _variance, eta**2 / gamma / (z**2 * kappa + 1 - z**2)),
        "z for 2 z": eq(_excess(_norm + _D), eta * (eta + z) / spread),
        "the same for both": eq(_excess(_D - _norm), outer_excess),
    },
    remark=r"Every $m \ge 0$ occurs for one $0 \le z < 1$ where $R_{rel} > 0$; $z = 1$ is the limit of large outputs.",
)

_y = page.real("y", "distance over eta times the smaller norm", lower=1)
_by_ratio = 1 - kappa + kappa * _y**2
_place_at = named("z", 1 / _y)
_spread_at = named("N", kappa + (1 - kappa) * _place_at**2)

reciprocal = page.identity(
    "beyond:pairs-at-full-distance-by-the-ratio",
    "The same curve by the reciprocal of the parameter",
    both(
        eq(eta**2 / gamma * _y**2 / _by_ratio, eta**2 / gamma / _spread_at),
        eq(eta * _y * (2 + eta * _y) / _by_ratio, eta * (eta + 2 * _place_at) / _spread_at),
    ),
    "It is the curve of `beyond:curve-by-the-ratio`.",
    by=Smt(),
    wrong={
        "z = y": eq(eta**2 / gamma * _y**2 / _by_ratio, shift2.subs(z, _y)),
        "the inner curve": eq(eta * _y * (2 + eta * _y) / _by_ratio, inner_excess.subs(z, 1 / _y)),
    },
    steps="beyond:curve-by-the-ratio",
)

_Z = page.real("Z", "a larger one", lower=0, upper=1)
_later = named("N(Z)", spread.subs(z, _Z))

monotone = page.inequality(
    "beyond:distance-along-the-curve",
    "Along the curve the distance is monotone, on either side of the threshold",
    All((gt(spread, 0), ge((1 - kappa) * (_later - spread), 0))),
    r"So $N$ does not fall where $\kappa$ is at most 1, and does not rise where it is at least 1.",
    given=Hypothesis("in order", le(z, _Z)),
    wrong={
        "rises above the threshold too": ge(_later - spread, 0),
        "direction": le((1 - kappa) * (_later - spread), 0),
    },
)

_a = page.positive("a", "norm of R(x)", latex=r"\|R(x)\|")
_b = page.positive("b", "norm of R(y)", latex=r"\|R(y)\|")
_cosine = named("c", (_a**2 + _b**2 - _D**2) / (2 * _a * _b))

in_the_plane = page.inequality(
    "beyond:distance-of-two-norms",
    "Which distances two norms can have in the plane",
    Iff(both(le(_a - _b, _D), le(_D, _a + _b)), both(le(_cosine, 1), ge(_cosine, -1))),
    "On the right is the cosine of the angle of two outputs of these norms at the distance $D$, in two dimensions and more. On the line only the two ends occur.",
    given=Hypothesis("in order", ge(_a, _b)),
    wrong={
        "whatever their sum": Iff(le(_a - _b, _D), both(le(_cosine, 1), ge(_cosine, -1))),
        "up to twice the larger": Iff(both(le(_a - _b, _D), le(_D, 2 * _a)), both(le(_cosine, 1), ge(_cosine, -1))),
    },
    remark=r"So large outputs at the distance $\eta m$ have any ratio of norms from $\max(1, \eta-1)$ to $1+\eta$: for $\eta > 2$ not that of equal norms.",
)

_SMALLER = Hypothesis("y has the smaller norm", le(b, a))

remaining = page.inequality(
    "beyond:norms-at-a-smaller-norm",
    "The larger norm, at a given smaller one",
    Either((le(a + b, largest_distance), All((ge(a, b), ge(a, largest_distance - b), le(a, b + largest_distance))))),
    "The number $D$ is the largest distance at the smaller norm.",
    given=(Hypothesis("relative sensitivity", le(distance2, eta**2 * b**2 + r_rel**2), "Definition 2"), _SMALLER),
    wrong={
        "always": both(ge(a, largest_distance - b), le(a, b + largest_distance)),
        "at most the distance": Either((le(a + b, largest_distance), le(a, largest_distance))),
        "without the sensitivity": without("relative sensitivity"),
    },
    steps=(
        Premise("beyond:largest-norm"),
        Step("At given norms the largest distance is the worst.", "beyond:hockey-stick-monotone-in-distance"),
        Step(
            "Norms that add up to at least $D$ can be at the distance $D$ in two dimensions and more.",
            "beyond:distance-of-two-norms",
        ),
        Step(
            "There the excess is worst at an end: on one ray, or opposite each other or of equal norms.",
            "beyond:variance-ends",
        ),
        Step("Which of these two is decided by $z$.", "beyond:place-of-equal-norms"),
        Step(
            "Norms that add up to less than $D$ are worst opposite each other, and worse when they are larger,",
            "beyond:outputs-farther-out",
        ),
        Step("until they are at the distance $D$,", "beyond:other-outputs-reach-the-full-distance"),
        Step("or without end.", "beyond:large-outputs-stay-admissible"),
        Step("The limits.", "beyond:large-outputs-opposite"),
        Step(
            "On the line outputs on one side are enlarged in the same way, and of their limits the last is the worst.",
            "beyond:large-outputs-on-one-ray",
        ),
        "beyond:rays-of-pairs",
    ),
)

_POSITIVE_R = page.positive("R_rel", "absolute part of the relative sensitivity")
_full = named("D", largest_distance.subs({b: _b, r_rel: _POSITIVE_R}))
_place = named("z", eta * _b / _full)

equal_norms = page.inequality(
    "beyond:place-of-equal-norms",
    "Equal norms are possible from z = eta/2 on",
    both(Iff(le(_full, 2 * _b), ge(_place, eta / 2)), le(_place, 1)),
    "From there on two outputs of norm $m$ can be at the distance $D$; otherwise the norm $D - m$ opposite is the larger one.",
    wrong={"from eta on": Iff(le(_full, 2 * _b), ge(_place, eta)), "always": le(_full, 2 * _b)},
)

_s = page.positive("s", "distance over the smaller norm")
_k = page.real("k", "the larger norm over the smaller one", lower=1)

one_ray = page.inequality(
    "beyond:large-outputs-on-one-ray",
    "Of large outputs on one ray those farthest apart are the worst",
    both(le(_s * (2 + _s), q), le(_s**2 / gamma * q, eta**2 / gamma * _s * (2 + _s))),
    r"Large outputs of norms $m$ and $(1+s)m$ on one ray tend to this excess and to $S$ of $s^2/\gamma$. So the last pair is worse.",
    given=Hypothesis("relative sensitivity", le(_s, eta)),
    wrong={
        "any side": without(),
        "S alone": le(_s**2 / gamma * q, eta**2 / gamma * _s**2),
        "half": both(le(_s * (2 + _s), q / 2), le(_s**2 / gamma * q, eta**2 / gamma * _s * (2 + _s))),
    },
    steps=("beyond:rays-of-pairs", "beyond:large-outputs-stay-admissible"),
)

_at_y = named(r"\sigma_2^2", gamma * _b**2 + sigma2)

opposite = page.inequality(
    "beyond:large-outputs-opposite",
    "Large outputs opposite each other",
    All(
        (
            le((1 + _k) ** 2 * _b**2 / _at_y, (1 + _k) ** 2 / gamma),
            le(gamma * (_k**2 - 1) * _b**2 / _at_y, _k**2 - 1),
            le(_k, eta - 1),
            ge(eta, 2),
        )
    ),
    r"On the right are the limits for large $m$ of $S$ and $w$, for the norms $m$ and $km$ opposite each other. They exist from $\eta$ of 2 on.",
    given=Hypothesis("within eta times the smaller norm", le((1 + _k) * _b, eta * _b)),
    points={_k: (1, 4), _b: (0, 5), _s: (0, 2), gamma: (0, 5), sigma2: (0, 5), eta: 1 + _k + _s},
    wrong={
        "half of it": le((1 + _k) ** 2 * _b**2 / _at_y, (1 + _k) ** 2 / (2 * gamma)),
        "eta - 2": le(_k, eta - 2),
        "from 3 on": ge(eta, 3),
    },
    steps=("beyond:outputs-farther-out", "beyond:large-outputs-stay-admissible"),
)
