r"""Appendix A.6, its end: the guarantees of Theorem 1 and of Proposition 4 compared, as tCDP.

The guarantee that the section derives from Theorem 1 is true, and does not follow from version 2's formula; the
inequality used for it needs half of the printed range. The constants are similar, the orders are not, and the factor 2
is reached only in the limit of large $\gamma$.
"""

from rgm_verify.claims.notation import Name

from ...beyond.renyi.tcdp import FIXED_NOISE, HALF_RANGE_PAIRS, LAST_BASELINE, k, page as _tcdp
from ..notation import *
from ..output_pairs import of_neighbours
from .corollary_1 import half_order, last_order, renyi_v2
from .smooth_sensitivity import by_gss, by_section, gss_order, page as _a6_smooth_sensitivity

page = Page("rgm-v2", "App. A.6", _a6_smooth_sensitivity, _tcdp)
by_appendix = named(r"\rho_{A.6}", eta**2 / gamma + eta**2 * (2 + eta) ** 2 / 2)
_section_order = named(r"\omega_{4.1}", half_order)
_halved = eta**2 / gamma + d * q**2 / 2
_j = positive("j").symbol

by_tcdp = page.at("", "A107").corollary(
    "rgm-v2:a6-tcdp",
    "The tCDP guarantee of App. A.6, with d/2",
    le(divergence, alpha * _halved),
    given=FIXED_NOISE,
    by=(Deduction((Premise("beyond:tcdp-of-pairs"),)), *of_neighbours(divergence, half=True)),
    points=HALF_RANGE_PAIRS,
    wrong={
        "half of 1/gamma": alpha * (_halved - eta**2 / (2 * gamma)),
        "a fourth for a half": alpha * (eta**2 / gamma + d * q**2 / 4),
        "no baseline noise": without(LAST_BASELINE),
    },
    reading="One noise level for all orders: the baseline noise meets Theorem 1 at the largest order, which the choice of App. A.6 does.",
    remark="It does not follow from version 2's Theorem 1, from which the section derives it: rgm-v2:a6-tcdp-from-theorem-1. It follows from "
    "the exact Rényi curve, even with 2/5 for 1/2 (beyond:tcdp-of-pairs).",
)

eliminated = page.at("", source="beyond").inequality(
    "rgm-v2:a6-tcdp-from-theorem-1",
    "The step from version 2's Theorem 1 to the tCDP constant with d/2",
    le(named(r"\varepsilon(\alpha)", renyi_v2), alpha * _halved),
    "Version 2's bound of Theorem 1 against the printed constant.",
    given=Hypothesis("range of orders", lt(alpha, half_order), "the printed omega"),
    points={eta: (0, Rational(1, 10)), alpha: 1 + k / q},
    reading="The step, not the guarantee, which is true: rgm-v2:a6-tcdp.",
    mistake=("does not follow", "rgm-v2:a6-tcdp"),
    remark="The constant is the one that version 1's Theorem 1 gives. Version 2's gives d (2 + eta)^2 (1 + eta)^2 without the half, as in Sec. 4.1.",
)

factor_two = page.at("", "A108").inequality(
    "rgm-v2:a6-factor-two",
    "The inverse of the denominator is at most 2, on the printed range",
    le(1 / (1 - eta * (alpha - 1) * (2 + eta)), 2),
    given=Hypothesis("printed range", lt(alpha - 1, 1 / (2 * eta + eta**2)), "App. A.6"),
    points={k: (0, 1), eta: (0, 1), alpha: 1 + k / q},
    mistake=("wrong constant", "beyond:a6-factor-two"),
    remark="On the printed range the inverse has no bound; half of the range is needed, as in the omega that "
    "the same sentence states.",
)

factor_two_corrected = page.elsewhere("replaces App. A.6", source="beyond").inequality(
    "beyond:a6-factor-two",
    "The inverse of the denominator is at most 2, on half of the range",
    le(1 / (1 - eta * (alpha - 1) * (2 + eta)), 2),
    given=Hypothesis("half of the range", le(alpha - 1, 1 / (2 * (2 * eta + eta**2)))),
    points={alpha: 1 + k / q},
    wrong={
        "3/2 for 2": Rational(3, 2),
        "three quarters of the range": instead(
            Hypothesis("half of the range", le(alpha - 1, 3 / (4 * (2 * eta + eta**2))))
        ),
    },
)

_BELOW_ONE = positive("eta", "relative sensitivity", upper=1, upper_open=True)

similar = page.at("", "A109").remark(
    "rgm-v2:a6-similar",
    "Both tCDP guarantees for eta < 1",
    both(gt(gss_order, 1), gt(_section_order, 1)),
    "Both guarantees speak of some order.",
    points={},
    over=(_BELOW_ONE,),
    reading="A tCDP guarantee is a pair: a constant and the orders below omega for which it holds. However much 'very similar' allows, "
    "a guarantee that holds for no order is not similar to one that holds for some. No factor is chosen.",
    mistake=("false", "beyond:a6-similar"),
    remark="The constants are similar; the orders are not. From eta = 1/4 on Proposition 4 says nothing (compare A112).",
)

constants_similar = page.elsewhere("replaces App. A.6", source="beyond").correction(
    "beyond:a6-similar",
    "The two tCDP constants differ by less than a factor 2 for eta < 1, where both have orders",
    both(
        gt(2 * by_appendix, by_gss),
        lt(by_appendix, Rational(9, 8) * by_gss),
        gt(_section_order, gss_order),
        gt(_section_order, 1),
        Iff(gt(gss_order, 1), lt(eta, Rational(1, 4))),
    ),
    "In dimension 1, with the constant printed in App. A.6; the orders of the RGM reach farther.",
    over=(_BELOW_ONE,),
    wrong={
        "three halves for 2": gt(Rational(3, 2) * by_appendix, by_gss),
        "never larger": lt(by_appendix, by_gss),
        "shorter orders": lt(_section_order, gss_order),
        "orders up to 1/2": Iff(gt(gss_order, 1), lt(eta, Rational(1, 2))),
    },
    reading="The constants as printed in App. A.6, which are true guarantees, though not from version 2's Theorem 1.",
)

_order_two_exact = diff(
    alpha * eta**2 / (2 * gamma * rho) + d * (-log(rho) / (2 * (alpha - 1)) - log(1 + eta)), eta, 2
).subs(eta, 0)
_order_two_v2 = diff(renyi_v2, eta, 2).subs(eta, 0)

small_eta_coefficients = page.elsewhere("App. A.6; Sec. 4.2, Tightness", "A110").identity(
    "rgm-v2:a6-small-eta",
    "Both curves for small eta",
    both(eq(_order_two_exact, alpha * (1 / gamma + 2 * d)), eq(_order_two_v2, alpha * (1 / gamma + 4 * d))),
    r"The coefficients of $\eta^2$, doubled: of the exact curve, and of version 2's bound.",
    wrong={
        "4 d for 2 d": eq(_order_two_exact, alpha * (1 / gamma + 4 * d)),
        "2 d for 4 d": eq(_order_two_v2, alpha * (1 / gamma + 2 * d)),
    },
)

tight_for_small_eta = page.elsewhere("App. A.6; Sec. 4.2, Tightness", "A110").inequality(
    "rgm-v2:a6-tight",
    "Theorem 1 is tight up to a factor 2 for small eta",
    both(
        lt(alpha * (1 / gamma + 2 * d), alpha * (1 / gamma + 4 * d)),
        lt(alpha * (1 / gamma + 4 * d), 2 * alpha * (1 / gamma + 2 * d)),
    ),
    r"The limits of version 2's bound and of the exact curve for small $\eta$.",
    wrong={
        "three halves for 2": lt(alpha * (1 / gamma + 4 * d), Rational(3, 2) * alpha * (1 / gamma + 2 * d)),
        "the ratio tends to 1": ge(alpha * (1 / gamma + 2 * d), alpha * (1 / gamma + 4 * d)),
    },
    steps="rgm-v2:a6-small-eta",
    reading="Tight: up to the factor 2 that Sec. 4.2 announces, for the limit of the ratio of both curves at "
    "fixed alpha, gamma and d. It is not tight in the sense that the "
    "ratio tends to 1: the limit (1 + 4 gamma d)/(1 + 2 gamma d) is above 1 for all parameters.",
    tightness=Tightness(
        (1 + 4 * _j) / (1 + 2 * _j), {_j: (0, 100)}, "limit of the ratio of both curves against gamma d", plot=(_j,)
    ),
)

improvable = page.at("", "A110").inequality(
    "rgm-v2:a6-improvable",
    "For larger eta the bound of Theorem 1 can be improved",
    ge(eta**2 * d * (2 + eta) ** 2 * (1 + eta) ** 2, 10 * Rational(2, 5) * d * q**2),
    "The term in $d$ of version 2's tCDP constant against that of the true constant of beyond:tcdp.",
    given=Hypothesis("large eta", ge(eta, 1)),
    wrong={"11 for 10": 11 * Rational(2, 5) * d * q**2, "for small eta too": without()},
    steps="beyond:tcdp",
    reading="Could be improved for larger eta: for eta >= 1 another bound, on the same orders, is smaller by a "
    "factor 10 or more.",
)


def _improvement(constant: Name) -> Expr:
    """The limit, for eta to 0, of the constant of Proposition 4 over another one, by coefficients of eta^2."""
    limit = diff(by_gss, eta, 2).subs(eta, 0) / diff(constant, eta, 2).subs(eta, 0)
    return named(rf"\lim_{{\eta\to0}}\frac{{{by_gss.title}}}{{{constant.title}}}", limit)


factor_of_two = page.at("", "A111").inequality(
    "rgm-v2:a6-improvement-by-two",
    "An improvement by a factor 2 for small eta",
    ge(_improvement(by_appendix), 2),
    r"Said of the constants for small $\eta$.",
    reading="In the limit eta -> 0 at fixed gamma the ratio of the constants, with the constant printed in App. "
    "A.6, is at least 2.",
    mistake=("false", "beyond:a6-improvement"),
    remark="The factor is (1 + 4 gamma)/(1 + 2 gamma): 2 only as gamma grows without bound, nearly 1 for small "
    "gamma; with the constant of Sec. 4.1 it is 1.",
)

improvement = page.elsewhere("replaces App. A.6", source="beyond").inequality(
    "beyond:a6-improvement",
    "The improvement for small eta",
    both(
        gt(_improvement(by_appendix), 1),
        lt(_improvement(by_appendix), 2),
        ge(_improvement(by_appendix), 2 - 1 / gamma),
        le(_improvement(by_section), 1),
        ge(_improvement(by_section), 1),
    ),
    r"At fixed $\gamma$; with the constant of Sec. 4.1 nothing is gained.",
    wrong={
        "below 3/2": lt(_improvement(by_appendix), Rational(3, 2)),
        "the appendix does not improve": le(_improvement(by_appendix), 1),
    },
)

recovered_constant = page.at("last paragraph", "A112").inequality(
    "rgm-v2:a6-constant-recovered",
    "In dimension 1 Proposition 4 gives at least the constant of Sec. 4.1",
    le(by_gss, by_section),
    wrong={"the constant of App. A.6": by_appendix, "half of it": by_section / 2},
    reading="Recovered, first half: the bound on the orders that Proposition 4 reaches.",
)

recovered_range = page.at("last paragraph", "A112").inequality(
    "rgm-v2:a6-orders-recovered",
    "In dimension 1 Proposition 4 reaches the orders of Theorem 1",
    ge(gss_order, _section_order),
    "If the results of Theorem 1 in dimension 1 followed from Proposition 4, its orders would contain those of the tCDP result.",
    points={eta: (0, Rational(1, 4))},
    reading="Recovered, second half: every order below 1 + 1/(2 eta (2 + eta)), itself only half of the range of Theorem 1.",
    mistake=("false", "beyond:a6-orders-not-recovered"),
    remark="For eta >= 1/4 Proposition 4 says nothing, while Theorem 1 does; it also allows less baseline "
    "noise at large orders.",
)

not_recovered = page.elsewhere("replaces App. A.6, last paragraph", source="beyond").inequality(
    "beyond:a6-orders-not-recovered",
    "Proposition 4 always falls short of the orders of Theorem 1",
    both(lt(gss_order, _section_order), lt(_section_order, last_order)),
    "So Proposition 4 recovers the constant on a part of the range.",
    wrong={
        "short by more than one order": lt(gss_order + 1, _section_order),
        "two thirds of the range": lt(1 + 2 / (3 * q), gss_order),
    },
)
