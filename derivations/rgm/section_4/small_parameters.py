r"""Section 4.1, Arbitrary privacy guarantees cannot be achieved: small $\eta$, few dimensions, parts of a query.

As $\eta \to 0$ every order and level is reached. The level grows with the dimension; leaving out coordinates helps if the noise is still set by the whole
output, or if the rest is itself relatively sensitive, which does not follow.
"""

from ...beyond.renyi.curve_notation import (
    ADMISSIBLE,
    IN_RANGE,
    WORST_PAIRS,
    exact_curve,
    exact_log_term,
    page as _exact_renyi,
)
from ..notation import *
from ..output_pairs import LOWER_POINTS, fewer, of_neighbours
from .theorem_1 import printed_v1, printed_v2

page = Page("beyond", "§4.1, Arbitrary privacy guarantees cannot be achieved", NOTATION, _exact_renyi)
_level = page.positive("epsilon", "level of Rényi differential privacy", latex=r"\varepsilon")
_fewer = page.natural("m", "a smaller dimension")
_kept = page.positive("theta", "relative sensitivity of the restricted or adapted query")
_part = page.nonnegative("Delta", "distance of the two outputs in the coordinates that are kept")
_k = positive("k").symbol
_ADMISSIBLE = Hypothesis("the hypotheses of Theorem 1", both(*(h.formula for h in ADMISSIBLE)), "Theorem 1")
_VERSIONS = (("v1", printed_v1), ("v2", printed_v2))

_SMALL_ETA = (
    Hypothesis("eta at most 1", le(eta, 1)),
    Hypothesis("eta small for the order", le(6 * (alpha - 1) * eta, 1)),
    Hypothesis("eta small for the level", le(72 * alpha * d * eta**2, _level)),
    Hypothesis("gamma large for the level", ge(gamma * _level, 2 * alpha * eta**2)),
)
_SMALL_CHART = {
    eta: (0, 1),
    _level: (1, None, 72 * _level * (1 + _k / (6 * eta)) * d * eta**2),
    gamma: (1, None, gamma / (36 * d)),
    d: (0, 100),
    alpha: 1 + _k / (6 * eta),
}
_ETA_TO_0 = r"When $\eta \to 0$: for every order and level there is an $\eta_0$ such that they are possible for all $\eta \le \eta_0$."

small_eta_factors = page.inequality(
    "beyond:small-eta-factors",
    "The factors of the level for small eta",
    both(ge(rho, Rational(1, 2)), le((2 + eta) ** 2 * (1 + eta) ** 2, 36), le((2 + eta) ** 2, 9)),
    given=_SMALL_ETA[:2],
    points={eta: (0, 1), alpha: 1 + _k / (6 * eta)},
    wrong={
        "rho at least 3/4": ge(rho, Rational(3, 4)),
        "any order": changed(hypotheses=_SMALL_ETA[:1]),
        "35": le((2 + eta) ** 2 * (1 + eta) ** 2, 35),
    },
)

small_eta = tuple(
    page.at("", "A30", source=f"rgm-{version}").remark(
        f"rgm-{version}:small-eta-levels",
        f"Version {version[1]}: for small eta the theorem reaches every level",
        both(gt(rho, 0), le(printed, _level)),
        r"The order lies in the range of Theorem 1, and a large $\gamma$ brings its level down.",
        given=_SMALL_ETA,
        points=_SMALL_CHART,
        wrong={
            "any eta": changed(hypotheses=_SMALL_ETA[3:]),
            "any gamma": changed(hypotheses=_SMALL_ETA[:3]),
            "a hundredth of the level": both(gt(rho, 0), le(printed, _level / 100)),
        },
        reading=_ETA_TO_0,
        steps=Premise("beyond:small-eta-factors"),
    )
    for version, printed in _VERSIONS
)

small_eta_mechanism = page.at("", "A30", source="rgm-v1+v2").remark(
    "rgm:small-eta-achieves-every-level",
    "For small eta the mechanism achieves every order and level",
    le(divergence, _level),
    outputs=of_neighbours(
        divergence, points=LOWER_POINTS[:3], further={_level: Max(72 * alpha * d * eta**2, 2 * alpha * eta**2 / gamma)}
    ),
    given=(_ADMISSIBLE, Hypothesis("eta small, gamma large", both(*(h.formula for h in _SMALL_ETA)))),
    points={**_SMALL_CHART, sigma2: (0, 1, sigma2 / 1000), a: (1 + eta) * b, c: Integer(1), r_rel: Integer(0)},
    wrong={"a thousandth of the level": _level / 1000, "any gamma": changed(hypotheses=(_ADMISSIBLE, *_SMALL_ETA[:3]))},
    reading=_ETA_TO_0,
    steps=(Premise("rgm-v2:theorem-1"), Premise("rgm-v2:small-eta-levels")),
)

dimension = tuple(
    page.at("", "A33", source=source).remark(
        f"{prefix}:guarantee-weaker-with-dimension",
        title,
        lt(level.subs(d, _fewer), level),
        given=(Hypothesis("fewer coordinates", lt(_fewer, d)), IN_RANGE),
        by=check,
        points={_fewer: (0, 100), d: (0, 100, _fewer + d), alpha: 1 + _k / q},
        wrong={
            "direction": ge(level.subs(d, _fewer), level),
            "by half": level / 2,
            "in proportion to the dimension": le(level.subs(d, _fewer), level * _fewer / d),
        },
        reading="More likely to give good guarantees: the level is smaller, everything else being equal.",
    )
    for prefix, source, level, title, check in (
        ("rgm-v1", "rgm-v1", printed_v1, "Version 1: the level grows with the dimension", Smt()),
        ("rgm-v2", "rgm-v2", printed_v2, "Version 2: the level grows with the dimension", Smt()),
        (
            "rgm",
            "rgm-v1+v2",
            exact_curve,
            "The exact divergence of the worst pair grows with the dimension",
            Deduction((Premise("beyond:floor"),)),
        ),
    )
)

_x1, _x2, _y1, _y2 = (
    page.real(n, f"coordinate {n[2]} of R({n[0]})", latex=f"R_{n[2]}({n[0]})") for n in ("x_1", "x_2", "y_1", "y_2")
)
_apart = named(r"\|R(x)-R(y)\|^2", (_x1 - _y1) ** 2 + (_x2 - _y2) ** 2)

subset = page.at("", "A34", source="rgm-v1+v2").remark(
    "rgm:subset-of-coordinates",
    "A part of a relatively sensitive query is relatively sensitive",
    le((_x2 - _y2) ** 2, eta**2 * _x2**2 + r_rel**2),
    r"The second coordinate of a query with two keeps its $\eta$ and $R_{rel}$.",
    given=tuple(
        Hypothesis(f"relative sensitivity at {n}", le(_apart, eta**2 * (u**2 + v**2) + r_rel**2), "Definition 2")
        for n, u, v in (("x", _x1, _x2), ("y", _y1, _y2))
    ),
    by=(Search(), Smt()),
    reading="Restricting the query mitigates the dependence if Theorem 1 then speaks of the restricted query, with fewer coordinates and the same constants.",
    instance="Queries with two coordinates, of which the second is kept.",
    mistake=("missing hypothesis", "beyond:subset-of-coordinates-of-the-noised-output"),
    remark="A coordinate near 0 may move with the norm of the others. Restricting helps if the rest is relatively sensitive itself, or if the noise "
    "is still set by the norm of the whole output.",
)

_spread = alpha * variance_y + (1 - alpha) * variance_x

spread_positive = page.inequality(
    "beyond:spread-positive",
    "The mixed variance is positive in the range of Theorem 1",
    gt(_spread, 0),
    given=ADMISSIBLE,
    points=fewer(WORST_PAIRS, "d"),
    wrong={"no range of alpha": without(IN_RANGE), "at least the variance at x": variance_x},
    steps=Premise("beyond:ratio-in-range"),
)

_of_part = divergence - alpha * (distance2 - _part**2) / (2 * _spread)
_PART = Outputs((_part,), (Integer(0),), d, variances=(variance_x, variance_y))

subset_after = page.remark(
    "beyond:subset-of-coordinates-of-the-noised-output",
    "Releasing some coordinates of the noised output mitigates the dependence on the dimension",
    le(_of_part, exact_curve),
    "The noise is set by the norm of the whole output, and $d$ coordinates of the result are released. On the left is their divergence, on the right "
    "the exact level for that dimension.",
    outputs=of_neighbours(_of_part, outputs=_PART, points=LOWER_POINTS[:3], further={_part: a - b}),
    given=(_ADMISSIBLE, Hypothesis("a part of the distance", le(_part**2, distance2))),
    points={**WORST_PAIRS, _part: (0, 1, eta * b * _part)},
    wrong={"half of the level": exact_curve / 2, "the level of dimension 0": exact_curve - d * exact_log_term},
    reading="The released coordinates are two Gaussians with the variances of the whole, in dimension d, at a distance of at most that of the whole.",
    steps=(Premise("beyond:exact-renyi-upper"), Premise("beyond:spread-positive")),
)

adapted = tuple(
    page.at("", "A34", source=f"rgm-{version}").remark(
        f"rgm-{version}:fewer-coordinates-or-smaller-eta",
        f"Version {version[1]}: fewer coordinates or a smaller eta lower the level",
        le(printed.subs({eta: _kept, d: _fewer}), printed),
        given=(
            Hypothesis("fewer coordinates", le(_fewer, d)),
            Hypothesis("theta is not larger", le(_kept, eta)),
            IN_RANGE,
        ),
        by=Smt(),
        points={_kept: (0, 1, eta * _kept), _fewer: (0, 100), d: (0, 100, _fewer + d), alpha: 1 + _k / q},
        wrong={
            "more coordinates": without("fewer coordinates"),
            "a larger eta": without("theta is not larger"),
            "by half": printed / 2,
        },
        reading="The restricted or adapted query is taken to be relatively sensitive with the constants that are put in.",
        steps=Premise(f"rgm-{version}:guarantee-grows-with-eta", {_kept: _kept}, where_it_applies=True),
    )
    for version, printed in _VERSIONS
)
