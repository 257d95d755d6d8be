r"""Appendix A.5: from the Rényi bounds to (epsilon, delta), and the closed form of Corollary 1.

Write $q = \eta(2+\eta)$ and $L = \log(1/\delta)$. The bound of Theorem 1, converted at the order $\alpha$,
is $g(\alpha)$. For orders up to $1 + 1/(2q)$ its denominator is at least $\frac12$, so that $g(\alpha) \le
\alpha\chi + L/(\alpha-1)$; the right side is smallest at $\alpha = 1 + \sqrt{L/\chi}$, where it is $\chi +
2\sqrt{\chi L}$. A condition on $\gamma$ or on $d$ puts that order into the range.

Two things come out differently from what is printed. The minimum of $g$ over the whole range is not a
guarantee in version 1, whose Theorem 1 fails for large orders; and version 2's last line has a root in the
wrong place. Neither spoils the corollary.
"""

from rgm_verify.claims.notation import spelled

from ...beyond.renyi.curve_notation import IN_RANGE, exact_curve, page as _exact_renyi
from ...beyond.renyi.log_notation import P, Q
from ...beyond.renyi.tcdp import page as _tcdp
from ..notation import *
from ..output_pairs import WORST, of_the_worst_pair

page = Page("rgm-v1+v2", "App. A.5", NOTATION, _exact_renyi, _tcdp)
L = page.positive("L", "log(1/delta)", latex=r"\log(1/\delta)")
chi = page.positive("chi", "the constant of Corollary 1")
_K = page.positive("K", "a level")

#: The bounds of Theorem 1, the constants of Corollary 1.
renyi_v1 = alpha * eta**2 / (2 * gamma * (1 - eta * (2 + eta) * (alpha - 1))) + alpha * eta**2 / 2 * d * (2 + eta) ** 2

renyi_v2 = (
    alpha
    * eta**2
    / (2 * gamma)
    * (1 + gamma * d * (2 + eta) ** 2 * (1 + eta) ** 2)
    / (1 - eta * (2 + eta) * (alpha - 1))
)

g_v1 = named(r"g(\alpha)", renyi_v1 + L / (alpha - 1))
g_v2 = named(r"g(\alpha)", renyi_v2 + L / (alpha - 1))
chi_v1 = named(r"\chi", eta**2 / gamma + eta**2 * d * (2 + eta) ** 2 / 2)
chi_v2 = named(r"\chi", eta**2 / gamma + eta**2 * d * (2 + eta) ** 2 * (1 + eta) ** 2)

#: The middle terms of v1 (44) and v2 (46).
_sum_v1 = alpha * eta**2 / gamma + alpha * eta**2 / 2 * d * (2 + eta) ** 2 + L / (alpha - 1)
_sum_v2 = alpha * eta**2 / gamma + alpha * eta**2 * d * (2 + eta) ** 2 * (1 + eta) ** 2 + L / (alpha - 1)

#: The largest order of Theorem 1 and the one that the proof of the corollary goes up to.
last_order = (1 + eta) ** 2 / (eta * (2 + eta))
half_order = 1 + 1 / (2 * eta * (2 + eta))
UP_TO_HALF = Hypothesis("restriction of alpha", le(alpha, half_order), "App. A.5")
_BELOW_LAST = Hypothesis("range of Theorem 1", lt(alpha, last_order), "Theorem 1")
VARIABLES = (eta, gamma, DIMENSION)
k_half = positive("k").symbol
HALF_POINTS = {k_half: (0, Rational(1, 2)), alpha: 1 + k_half / q}


def best_order(constant: Expr) -> Expr:
    """The order at which alpha chi + L/(alpha - 1) is smallest."""
    return 1 + sqrt(L / constant)


range_of_half_order = page.at("before v1 (44) and v2 (46)", "A97a").inequality(
    "rgm:a5-half-order-in-range",
    "The restricted range of orders lies inside that of Theorem 1",
    le(half_order, last_order),
    by=(combination((1 / (2 * eta * (2 + eta)),)), Smt()),
    wrong={
        "1 + 2/q": left(1 + 2 / (eta * (2 + eta))),
        "1 + eta without the square": (1 + eta) / (eta * (2 + eta)),
        "direction": turned(),
    },
)

half = page.at("before v1 (44) and v2 (46)", "A97b").inequality(
    "rgm:a5-half",
    "The denominator stays above one half",
    le(eta * (2 + eta) * (alpha - 1), Rational(1, 2)),
    given=UP_TO_HALF,
    by=(combination((eta * (2 + eta), half_order - alpha)), Smt()),
    points={k_half: (0, Rational(1, 2)), alpha: 1 + k_half / q},
    wrong={"1/2 becomes 1/3": Rational(1, 3), "the range of Theorem 1": changed(hypotheses=(_BELOW_LAST,))},
)


def _bound_on_g(version: int, place: str, g: Expr, total: Expr, chi: Expr, control: str, wrong: Expr) -> Claim:
    return page.at(place, f"A98.v{version}", source=f"rgm-v{version}").inequality(
        f"rgm-v{version}:a5-bound-on-g",
        f"Version {version}: g is at most alpha chi + log(1/delta)/(alpha - 1)",
        le(g, total),
        given=UP_TO_HALF,
        points=HALF_POINTS,
        wrong={
            "the first term halved": alpha * (chi - eta**2 / (2 * gamma)) + L / (alpha - 1),
            control: alpha * wrong + L / (alpha - 1),
            "the range of Theorem 1": changed(hypotheses=(_BELOW_LAST,)),
        },
        steps=Premise("rgm:a5-half"),
    )


_second_halved = chi_v1 - eta**2 * d * (2 + eta) ** 2 / 4
_without_factor = eta**2 / gamma + eta**2 * d * (2 + eta) ** 2
bound_v1 = _bound_on_g(1, "v1 (44)", g_v1, _sum_v1, chi_v1, "the second term halved", _second_halved)
bound_v2 = _bound_on_g(2, "v2 (46)", g_v2, _sum_v2, chi_v2, "without (1 + eta)^2", _without_factor)


def _collected(version: int, total: Expr, constant: Expr, ref: str) -> Claim:
    return page.elsewhere(
        f"App. A.5, v{version} ({44 if version == 1 else 46}), last relation", ref, source=f"rgm-v{version}"
    ).identity(
        f"rgm-v{version}:a5-chi",
        f"Version {version}: the bound on g in terms of chi",
        eq(total, alpha * constant + L / (alpha - 1)),
        over=(*VARIABLES, alpha, L),
        wrong={"without alpha": constant + L / (alpha - 1), "chi doubled": 2 * alpha * constant + L / (alpha - 1)},
    )


chi_of_v1 = _collected(1, _sum_v1, chi_v1, "A98.v1")
chi_of_v2 = _collected(2, _sum_v2, chi_v2, "A98.v2")

minimum = page.at("after v1 (44) and v2 (46)", "A99").inequality(
    "rgm:a5-minimum",
    "The smallest value of alpha chi + L/(alpha - 1)",
    ge(alpha * chi + L / (alpha - 1), chi + 2 * sqrt(chi * L)),
    wrong={
        "2 becomes 3": chi + 3 * sqrt(chi * L),
        "chi becomes 2 chi": 2 * chi + 2 * sqrt(chi * L),
        "direction": turned(),
    },
)

_star = named(r"\alpha_\star", best_order(chi))

value_of_minimum = page.at("after v1 (44) and v2 (46)", "A99").identity(
    "rgm:a5-value-of-the-minimum",
    "The chosen order reaches the smallest value",
    both(
        eq(printed(lambda: L / ((1 + sqrt(L / chi)) - 1) ** 2), chi),
        eq(_star * chi + L / (_star - 1), chi + 2 * sqrt(chi * L)),
    ),
    by=(Identity(), Smt()),
    wrong={
        "one root only": eq(_star * chi + L / (_star - 1), chi + sqrt(chi * L)),
        "the root upside down": eq(L * L / chi, chi),
    },
)

minimiser = page.at("after v1 (44) and v2 (46)", "A99").inequality(
    "rgm:a5-minimiser",
    "No other order reaches it",
    both(gt(alpha * chi + L / (alpha - 1), chi + 2 * sqrt(chi * L)), ne(chi, L / (alpha - 1) ** 2)),
    "So the condition and the order single out the same point.",
    given=Hypothesis("another order", ne(alpha, 1 + sqrt(L / chi))),
    wrong={
        "2 becomes 3": gt(alpha * chi + L / (alpha - 1), chi + 3 * sqrt(chi * L)),
        "another order is excluded": changed(
            ge(alpha * chi + L / (alpha - 1), chi + 3 * sqrt(chi * L)),
            (Hypothesis("not 1 + chi/L", ne(alpha, 1 + chi / L)),),
        ),
    },
)


def _best(constant: Expr) -> Hypothesis:
    return Hypothesis(
        "the order is in the restricted range", le(best_order(constant), half_order), "App. A.5, last lines"
    )


def _chosen_chart(constant: Expr) -> dict[Symbol, Any]:
    """Points with L = (k/q)^2 chi, so that the chosen order is 1 + k/q."""
    return {
        k_half: (0, Rational(1, 2)),
        eta: (0, None),
        gamma: (0, None),
        d: (1, None),
        L: (k_half / q) ** 2 * constant,
    }


def _chain_claim(version: int, g: Expr, constant: Expr, ref: str) -> Claim:
    root = sqrt(constant * L)
    order = named(r"\alpha_\star", best_order(constant))
    value = named(r"g(\alpha_\star)", g.subs(alpha, best_order(constant)))
    return page.elsewhere(
        f"App. A.5, v{version} ({45 if version == 1 else 47})", ref, source=f"rgm-v{version}"
    ).inequality(
        f"rgm-v{version}:a5-value-at-best-order",
        f"Version {version}: g at the chosen order",
        both(
            chain(Integer(1), "<=", order, "<=", last_order),
            chain(value, "<=", printed(lambda: constant + root + root), "<=", constant + 2 * root),
        ),
        given=_best(constant),
        steps=(
            Premise(f"rgm-v{version}:a5-bound-on-g", {alpha: best_order(constant)}),
            Premise("rgm:a5-value-of-the-minimum", {chi: constant}),
        ),
        points=_chosen_chart(constant),
        over=(*VARIABLES, L),
        wrong={"one root only": le(value, constant + root), "direction": ge(value, constant + 2 * root)},
        reading="The minimum over the range is at most the value at the chosen order because that order lies in "
        "the range, which is the first "
        "part of the formula; that it does is what the lines after it derive from the corollary's "
        "conditions.",
    )


value_v1 = _chain_claim(1, g_v1, chi_v1, "A100a")
value_v2 = _chain_claim(2, g_v2, chi_v2, "A100b1")

misplaced_root = page.at("v2 (47), last relation", "A100b2", source="rgm-v2").inequality(
    "rgm-v2:a5-last-relation",
    "Version 2: the last relation of the chain",
    le(chi + sqrt(chi * L) + sqrt(chi * L), chi + 2 * sqrt(chi) * L),
    "The logarithm stands outside of the root.",
    mistake=("misprint", "rgm-v1:a5-value-at-best-order"),
    remark="It fails for every delta above 1/e and holds below; the corollary itself has the root over both "
    "factors, as in version 1.",
)

misplaced_root_for_small_delta = page.at("v2 (47), last relation", source="beyond").inequality(
    "beyond:a5-last-relation-for-small-delta",
    "Where the misplaced root does no harm",
    Iff(le(chi + sqrt(chi * L) + sqrt(chi * L), chi + 2 * sqrt(chi) * L), ge(L, 1)),
    wrong={
        "from 1/2 on": Iff(le(chi + 2 * sqrt(chi * L), chi + 2 * sqrt(chi) * L), ge(L, Rational(1, 2))),
        "from 2 on": Iff(le(chi + 2 * sqrt(chi * L), chi + 2 * sqrt(chi) * L), ge(L, 2)),
    },
)


def _equivalence(version: int, constant: Expr, ref: str) -> Claim:
    quotient = constant / (4 * eta**2 * (2 + eta) ** 2)
    return page.elsewhere(
        f"App. A.5, v{version} ({46 if version == 1 else 48})", ref, source=f"rgm-v{version}"
    ).identity(
        f"rgm-v{version}:a5-order-in-range",
        f"Version {version}: when the chosen order lies in the restricted range",
        Iff(le(best_order(constant), half_order), ge(quotient, L)),
        by=Smt(),
        over=(*VARIABLES, L),
        wrong={
            "4 becomes 2": Iff(le(best_order(constant), half_order), ge(2 * quotient, L)),
            "the root upside down": Iff(le(1 + sqrt(constant / L), half_order), ge(quotient, L)),
        },
    )


def _quotient(version: int, constant: Expr, share: Expr, ref: str) -> Claim:
    quotient = constant / (4 * eta**2 * (2 + eta) ** 2)
    sides = 1 / (4 * gamma * (2 + eta) ** 2) + share * d
    return page.elsewhere(
        f"App. A.5, v{version} ({46 if version == 1 else 48}), the equation", ref, source=f"rgm-v{version}"
    ).identity(
        f"rgm-v{version}:a5-chi-over-4q2",
        f"Version {version}: chi over 4 q^2",
        eq(quotient, sides),
        over=VARIABLES,
        wrong={"the share of d doubled": sides + share * d, "without the share of 1/gamma": share * d},
    )


quotient_v1 = _quotient(1, chi_v1, Rational(1, 8), "A100c1.v1")
quotient_v2 = _quotient(2, chi_v2, (1 + eta) ** 2 / 4, "A100c1.v2")
equivalence_v1 = _equivalence(1, chi_v1, "A100c1.v1")
equivalence_v2 = _equivalence(2, chi_v2, "A100c1.v2")
GAMMA_IS_SMALL = le(gamma, 1 / (4 * (2 + eta) ** 2 * L))
D_IS_LARGE_V1 = ge(d, 8 * L)
D_IS_LARGE_V2 = ge(d, 4 * L / (1 + eta) ** 2)


def _sufficient(version: int, constant: Expr, large: Formula, weaker: Formula, ref: str) -> Claim:
    return page.elsewhere(
        f"App. A.5, after v{version} ({45 if version == 1 else 47})", ref, source=f"rgm-v{version}"
    ).inequality(
        f"rgm-v{version}:a5-conditions-suffice",
        f"Version {version}: each condition of the corollary puts the order into the range",
        le(best_order(constant), half_order),
        given=Hypothesis("small gamma or large d", either(GAMMA_IS_SMALL, large), "Corollary 1"),
        by=Smt(),
        over=(*VARIABLES, L),
        wrong={
            "half of d is enough": changed(
                hypotheses=(Hypothesis("small gamma or half of d", either(GAMMA_IS_SMALL, weaker)),)
            ),
            "neither condition": without(),
            "a quarter of the way": 1 + 1 / (8 * eta * (2 + eta)),
        },
        steps=(Premise(f"rgm-v{version}:a5-order-in-range"), Premise(f"rgm-v{version}:a5-chi-over-4q2")),
    )


sufficient_v1 = _sufficient(1, chi_v1, D_IS_LARGE_V1, ge(d, 4 * L), "A100c2.v1")
sufficient_v2 = _sufficient(2, chi_v2, D_IS_LARGE_V2, ge(d, 2 * L / (1 + eta) ** 2), "A100c2.v2")
LOG_DELTAS = {L: Rational(1, 2) + 0 * eta}


def converted_by(level: Expr) -> tuple[Bound]:
    """The unreduced statement: at the level the hockey-stick divergence of the worst pair is at most delta."""
    return (Bound(Of(HockeyStick(level), WORST), exp(-L)),)


exact_below_v2 = page.at("v2 (45)", "A37 A96", source="rgm-v2").corollary(
    "rgm-v2:a5-converted-bound",
    "Version 2: g is a guarantee at every order of the range",
    le(exact_curve + L / (alpha - 1), g_v2),
    "On the left the exact Rényi curve is converted; so the smallest value of $g$ is a guarantee.",
    given=IN_RANGE,
    by=(*of_the_worst_pair(exact_curve, further=LOG_DELTAS, bounds=converted_by(g_v2)), Deduction()),
    points={alpha: 1 + k_half / q},
    wrong={
        "the first term halved": g_v2 - alpha * eta**2 / (4 * gamma * rho),
        "the second term over 8": alpha * eta**2 / (2 * gamma * rho)
        + alpha * d * q**2 * (1 + eta) ** 2 / (16 * rho)
        + L / (alpha - 1),
        "sides swapped": turned(),
    },
    steps=(
        Premise("beyond:log-upper", {P: Integer(1), Q: rho}),
        Premise("beyond:log-quadratic-lower", {P: 1 + q, Q: Integer(1)}),
        Premise("beyond:logarithms-at-the-ends"),
        "rgm-v2:theorem-1",
        Step("The worst case over neighbours.", "beyond:exact-renyi-upper"),
    ),
    reading="The baseline noise meets Theorem 1 at the order that is used. The worst case over neighbours is "
    "the exact curve of beyond:exact-renyi-upper; "
    "the conversion is log(1/delta)/(alpha - 1). The range is taken without its ends, where g has no "
    "value (see rgm:a5-ends).",
    printed=r"\epsilon = \min_{1 \le \alpha \le \frac{(1+\eta)^2}{2\eta+\eta^2}} \left\{ g(\alpha) := \frac{\alpha\eta^2}{2\gamma}\,\frac{1+\gamma d(2+\eta)^2(1+\eta)^2}{1-\eta(2+\eta)(\alpha-1)} + \frac{\log(1/\delta)}{\alpha-1} \right\}",
)

#: One claim speaks of both.
_at_level_v1, _at_level_v2 = named(r"g_1(\alpha)", spelled(g_v1)), named(r"g_2(\alpha)", spelled(g_v2))

ends = page.at("v1 (43) and v2 (45)", "A95 A96").inequality(
    "rgm:a5-ends",
    "The minimum is not at an end of the range",
    both(
        Implies(either(lt(alpha - 1, L / _K), lt(rho, eta**2 / (2 * gamma * _K))), gt(_at_level_v1, _K)),
        Implies(either(lt(alpha - 1, L / _K), lt(rho, eta**2 / (2 * gamma * _K))), gt(_at_level_v2, _K)),
    ),
    "The printed range of orders contains both ends, where $g$ divides by zero; near both it exceeds every level $K$, so that nothing is lost.",
    given=IN_RANGE,
    points={alpha: 1 + k_half / q},
    wrong={
        "ten times as far from 1": Implies(lt(alpha - 1, 10 * L / _K), gt(_at_level_v1, _K)),
        "ten times as far from the end": Implies(lt(rho, 5 * eta**2 / (gamma * _K)), gt(_at_level_v2, _K)),
    },
    reading="Exceeding every level K: above it for alpha - 1 < L/K, and for rho < eta^2/(2 gamma K).",
)
