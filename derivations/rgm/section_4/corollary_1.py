r"""Section 4.1, Corollary 1: a closed form of the $(\epsilon, \delta)$ guarantee, and what optimising adds.

Both versions state $\epsilon = \chi + 2\sqrt{\chi\log(1/\delta)}$, with different $\chi$ and different
conditions. Both are true as long as the baseline noise meets Theorem 1 somewhere in the range of orders
that the proof may use: version 1's although its Theorem 1 is false, because the order $1 +
\sqrt{\log(1/\delta)/\chi}$ stays where its formula is still an upper bound. For $\delta = 0$ the conditions
cannot hold, and for $\delta = 1$ there is nothing to show; between them $L = \log(1/\delta) > 0$.
"""

from ...beyond.renyi.curve_notation import IN_RANGE, POSITIVE_NOISE, WORST_PAIRS
from ...beyond.renyi.tcdp import LAST_BASELINE
from ..appendix_a import corollary_1 as a5
from ..notation import *
from ..output_pairs import LOWER_POINTS, fewer, of_neighbours

page = Page("rgm-v1", "Sec. 4.1", NOTATION, a5.page)
_k = positive("k").symbol


def _condition(large: Formula) -> Hypothesis:
    return Hypothesis("small gamma or large d", either(a5.GAMMA_IS_SMALL, large), "Corollary 1")


def _pairs(constant: Expr, version: int) -> dict[Symbol, Any]:
    """Worst pairs with L = (k/q)^2 chi, so that the chosen order is 1 + k/q."""
    usual = fewer(WORST_PAIRS, "k", "eta", "alpha")
    return {**usual, eta: (0, 1 if version == 1 else None), _k: (0, 1), a5.L: (_k / q) ** 2 * constant}


def _corollary(version: int, constant: Expr, large: Formula, ref: str, *further: Hypothesis, remark: str = "") -> Claim:
    named_chi = named(r"\chi", constant)
    order = named(r"\alpha", a5.best_order(named_chi))
    there = divergence.subs(alpha, a5.best_order(constant))
    return page.elsewhere(
        f"Sec. 4.1, Corollary 1; App. A.5, v{version} ({42 if version == 1 else 44})", ref, source=f"rgm-v{version}"
    ).corollary(
        f"rgm-v{version}:corollary-1",
        f"Version {version}: Corollary 1",
        le(keeping_names(divergence, {alpha: order}) + a5.L / (order - 1), named_chi + 2 * sqrt(named_chi * a5.L)),
        r"On the left the divergence at one order is converted, on the right is the printed $\epsilon$.",
        given=(*RELATIVE_SENSITIVITY, LAST_BASELINE, POSITIVE_NOISE, *further, _condition(large)),
        by=(
            Deduction(),
            *of_neighbours(
                there, a5.best_order(constant), points=LOWER_POINTS, further={a5.L: (alpha - 1) ** 2 * constant}
            ),
        ),
        points=_pairs(constant, version),
        wrong={
            "no baseline noise": without(LAST_BASELINE),
            "one root instead of two": constant + sqrt(constant * a5.L),
            "half of chi": constant / 2 + 2 * sqrt(constant * a5.L / 2),
        },
        steps=(
            Premise(f"rgm-v{version}:a5-conditions-suffice"),
            Premise("beyond:tcdp-of-pairs", {alpha: a5.best_order(constant)}),
            Premise("rgm:a5-value-of-the-minimum", {a5.chi: constant}),
            Step("Convert the Rényi bound at an order of the range.", "rgm:s4-conversion"),
            Step(r"Up to the order $1 + 1/(2q)$ the divergence is at most $\alpha\chi$.", "beyond:tcdp-of-pairs"),
            Step("The sum with the conversion term is smallest at one order.", "rgm:a5-value-of-the-minimum"),
            Step("The conditions put that order into the range.", f"rgm-v{version}:a5-conditions-suffice"),
        ),
        reading="The corollary takes over the notations of Theorem 1 and names no order for its condition on the baseline noise. Read: the noise meets "
        "Theorem 1 at the order 1 + 1/(2 eta (2 + eta)), the largest that the proof may use; at the order that it does use Theorem 1 asks for more, "
        "so that choosing it there is enough. Conversion by log(1/delta)/(alpha - 1) at alpha = 1 + sqrt(log(1/delta)/chi). "
        "For delta = 0 the conditions cannot hold, and for delta = 1 there is nothing to show; L = log(1/delta) > 0 otherwise.",
        remark=remark,
    )


corollary_v1 = _corollary(
    1,
    a5.chi_v1,
    a5.D_IS_LARGE_V1,
    "A38",
    Hypothesis("eta at most 1", le(eta, 1), "Theorem 1 of version 1"),
    remark="Version 1's Theorem 1, on which its proof rests, is false; the corollary survives because the order that it uses stays where that bound holds.",
)
corollary_v2 = _corollary(2, a5.chi_v2, a5.D_IS_LARGE_V2, "A39")


def _better(version: int, g: Expr, constant: Expr, large: Formula, ref: str) -> Claim:
    named_chi = named(r"\chi", constant)
    order = named(r"\alpha", a5.best_order(named_chi))
    return page.at("Conversion to (epsilon, delta)-DP", ref, source=f"rgm-v{version}").inequality(
        f"rgm-v{version}:optimising-is-better",
        f"Version {version}: optimising over alpha always improves on Corollary 1",
        lt(named(r"g(\alpha)", keeping_names(g, {alpha: order})), named_chi + 2 * sqrt(named_chi * a5.L)),
        r"The bound $g$ that is minimised is below the $\epsilon$ of the corollary at an order of the range.",
        given=_condition(large),
        by=(Smt(), Deduction()),
        steps=(
            Premise(f"rgm-v{version}:a5-conditions-suffice"),
            Premise("rgm:a5-value-of-the-minimum", {a5.chi: constant}),
            Premise(f"rgm-v{version}:a5-chi-over-4q2"),
        ),
        points={_k: (0, Rational(1, 2)), a5.L: (_k / q) ** 2 * constant},
        over=(ETA_V1 if version == 1 else eta,),
        wrong={
            "half of it": left(2 * g.subs(alpha, a5.best_order(constant))),
            "at the last order of the proof": left(g.subs(alpha, a5.half_order)),
        },
        reading="Better: strictly smaller for every choice of parameters that the corollary allows.",
    )


better_v1 = _better(1, a5.g_v1, a5.chi_v1, a5.D_IS_LARGE_V1, "A36")
better_v2 = _better(2, a5.g_v2, a5.chi_v2, a5.D_IS_LARGE_V2, "A37")
_at_half_order = a5.g_v1.subs(alpha, a5.half_order)

optimum_is_safe = page.at("Conversion to (epsilon, delta)-DP", "A36").inequality(
    "rgm-v1:optimum-in-restricted-range",
    "Version 1: where Corollary 1 applies, the optimised bound is a guarantee",
    ge(named(r"g(\alpha)", a5.g_v1), named(r"g(\omega)", _at_half_order)),
    r"With $\omega$ for the largest order of the proof: no order above it does better, so that the minimum is taken where version 1's formula is an "
    r"upper bound.",
    given=(
        _condition(a5.D_IS_LARGE_V1),
        IN_RANGE,
        Hypothesis("an order above the restricted range", ge(alpha, named(r"\omega", a5.half_order))),
    ),
    by=(Smt(), Deduction()),
    points={_k: (Rational(1, 2), 1), alpha: 1 + _k / q},
    over=(ETA_V1,),
    wrong={
        "without the corollary's conditions": without("small gamma or large d"),
        "twice as much": 2 * _at_half_order,
        "direction": turned(),
    },
    steps=(
        Premise("rgm-v1:a5-conditions-suffice"),
        Premise("rgm-v1:a5-order-in-range"),
        Premise("rgm-v1:a5-chi-over-4q2"),
        "beyond:a5-converted-bound-restricted",
    ),
    reading="Guarantees can be obtained: compared with Corollary 1, hence where it applies. As a guarantee for every choice of parameters that "
    "Theorem 1 allows, the minimum is refuted in rgm-v1:a5-optimised-guarantee.",
)
