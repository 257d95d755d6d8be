r"""Section 4.1 on tCDP: the form that Theorem 1 takes, Gaussian Smooth Sensitivity, and subsampling.

Bounding $1/\rho$ by 2 up to the order $\omega = 1 + 1/(2q)$, $q = \eta(2+\eta)$, takes $\alpha$ out of
Theorem 1. A tCDP guarantee speaks of all orders at once, while Theorem 1 asks for a noise level per order:
the noise for the largest order $\omega$ is enough for all of them, and without any the guarantee fails.
"""

from rgm_verify.lenses.distributions.outputs import Released, Unreduced

from ...beyond.renyi.tcdp import FIXED_NOISE, HALF_RANGE_PAIRS, LAST_BASELINE, k, page as _tcdp
from ...theorems import TCDP_SUBSAMPLING
from ..appendix_a.corollary_1 import (
    D_IS_LARGE_V2,
    GAMMA_IS_SMALL,
    L,
    best_order,
    chi,
    chi_v2,
    converted_by,
    half_order,
    page as _a5_corollary_1,
)
from ..appendix_a.smooth_sensitivity import by_gss, by_section
from ..notation import *
from ..output_pairs import WORST, of_neighbours
from .theorem_1 import printed_v2

page = Page("rgm-v2", "Sec. 4.1", NOTATION, _tcdp, _a5_corollary_1)
omega = page.real("omega", "largest order", lower=1, lower_open=True)
_rate = page.positive("s", "sampling rate", upper=Rational(1, 10))
#: The printed constant and order.
constant = eta**2 * (1 / gamma + d * (2 + eta) ** 2 * (1 + eta) ** 2)
_chi, _omega = named(r"\chi", constant), named(r"\omega", half_order)

from_formula = page.at("Truncated Concentrated DP", "A24").inequality(
    "rgm-v2:tcdp-from-theorem-1",
    "The tCDP form of Theorem 1, from its formula",
    le(printed_v2, alpha * constant),
    r"On the left is version 2's bound; the factor of $\alpha$ on the right is the printed constant.",
    given=Hypothesis("range of orders", lt(alpha, _omega), "the printed omega"),
    by=(Smt(), Deduction((Premise("rgm:a5-half"),))),
    points={alpha: 1 + k / q},
    wrong={
        "half of 1/gamma": alpha * (constant - eta**2 / (2 * gamma)),
        "half of d": alpha * (constant - eta**2 * d * (2 + eta) ** 2 * (1 + eta) ** 2 / 2),
        "twice the range": changed(hypotheses=(Hypothesis("below the end of Theorem 1", lt(alpha, 1 + 1 / q)),)),
    },
)

tcdp = page.at("Truncated Concentrated DP", "A24").corollary(
    "rgm-v2:tcdp",
    "The tCDP guarantee of Sec. 4.1",
    le(divergence, alpha * constant),
    given=FIXED_NOISE,
    by=(Deduction((Premise("beyond:tcdp-of-pairs"),)), *of_neighbours(divergence, half=True)),
    points=HALF_RANGE_PAIRS,
    wrong={
        "half of 1/gamma": alpha * (constant - eta**2 / (2 * gamma)),
        "a tenth of d": alpha * (eta**2 / gamma + eta**2 * d * (2 + eta) ** 2 * (1 + eta) ** 2 / 10),
        "no baseline noise": without(LAST_BASELINE),
    },
    reading="One noise level for all orders: the baseline noise meets Theorem 1 at the largest order. The sentence does not mention the baseline "
    "noise; without it the statement fails (see the dropped hypothesis).",
)

comparable_words = page.at("Truncated Concentrated DP; App. A.6", "A25").remark(
    "rgm-v2:comparable-guarantees",
    "In dimension 1 Gaussian Smooth Sensitivity offers comparable guarantees",
    says="The mechanism extends Gaussian Smooth Sensitivity, whose guarantees in dimension 1 are comparable.",
    informal="How far apart comparable guarantees may be is not said; rgm-v2:comparable-with-gss and beyond:a6-similar have the numbers.",
)

comparable = page.at("Truncated Concentrated DP; App. A.6", source="beyond").inequality(
    "rgm-v2:comparable-with-gss",
    "In dimension 1 the tCDP constant is comparable with that of Gaussian Smooth Sensitivity",
    both(ge(by_section, by_gss), le(by_section, 9 * by_gss), gt(half_order, 1 / (4 * eta))),
    "The constant of Sec. 4.1 in dimension 1 against that of Proposition 4; its orders reach farther.",
    over=(positive("eta", "relative sensitivity", upper=1), gamma),
    wrong={"8 for 9": le(by_section, 8 * by_gss), "within a factor 2": le(by_section, 2 * by_gss)},
    reading="Where App. A.6 compares, eta <= 1. The factor 9 is approached for eta = 1 and large gamma; for eta without bound the ratio has none.",
    tightness=Tightness(
        ((2 + eta) * (1 + eta) / 2) ** 2, {eta: (0, 1)}, "ratio of the constants for large gamma", plot=(eta,)
    ),
)

comparable_small = page.at("Truncated Concentrated DP; App. A.6", source="beyond").inequality(
    "rgm-v2:comparable-with-gss-small-eta",
    "Up to eta = 1/4 the two constants differ by less than a factor 2",
    lt(by_section, 2 * by_gss),
    "In dimension 1, where Proposition 4 has orders at all.",
    over=(positive("eta", "relative sensitivity", upper=Rational(1, 4)), gamma),
    wrong={"19/10 for 2": Rational(19, 10) * by_gss, "direction": turned()},
)

_CITED = le(L, (_omega - 1) ** 2 * _chi)
_SIMILAR = (
    "Similar: the same epsilon, under the weaker condition L <= (omega - 1)^2 chi, which each of the "
    "corollary's two conditions implies."
)

#: What the conversion is for: at its epsilon the worst pair without baseline noise has at most delta.
_SPENT = converted_by(chi_v2 + 2 * sqrt(chi_v2 * L))
#: A large delta, where few releases tell; then the largest L of the condition, in several dimensions.
_CONVERTED_AT = (
    {eta: Rational(1, 10), gamma: Rational(1, 100), d: Integer(1), L: Rational(1, 100)},
    *(
        {eta: e, gamma: g, d: n, L: chi_v2.subs({eta: e, gamma: g, d: n}) / (2 * q.subs(eta, e)) ** 2}
        for e, g, n in (
            (Rational(1), Rational(1, 2), Integer(3)),
            (Rational(1, 5), Rational(1), Integer(1000)),
            (Rational(1, 2), Rational(2), Integer(2)),
        )
    ),
)

by_tcdp = page.at("after Corollary 1", "A44").inequality(
    "rgm-v2:conversion-by-tcdp",
    "Converting the tCDP guarantee uses an order of its range",
    le(best_order(_chi), _omega),
    "The best order on the left; the first condition is that of Bun et al. (2018), Prop. 6, which either condition of Corollary 1 implies.",
    given=Hypothesis("conditions of either kind", either(_CITED, GAMMA_IS_SMALL, D_IS_LARGE_V2)),
    by=(Smt(), Unreduced(bounds=_SPENT, at=_CONVERTED_AT), Released(bounds=_SPENT, at=_CONVERTED_AT[:1])),
    points={L: (k / q) ** 2 * chi_v2},
    wrong={"without a condition": without(), "half of the way": 1 + 1 / (4 * q)},
    reading=_SIMILAR,
)

_of_tcdp = named(r"\chi'", constant)
_best = named(r"\alpha", best_order(_of_tcdp))

value_by_tcdp = page.at("after Corollary 1", "A44").identity(
    "rgm-v2:epsilon-by-tcdp",
    "Converting the tCDP guarantee gives the epsilon of Corollary 1",
    eq(_best * _of_tcdp + L / (_best - 1), named(r"\chi", chi_v2) + 2 * sqrt(named(r"\chi", chi_v2) * L)),
    r"On the left is what the tCDP guarantee, with its constant $\chi'$, gives at its best order; $\chi$ is that of Corollary 1.",
    by=(
        Smt(),
        Deduction((Premise("rgm:a5-value-of-the-minimum", {chi: chi_v2}),)),
        Unreduced(bounds=_SPENT, at=_CONVERTED_AT),
        Released(bounds=_SPENT, at=_CONVERTED_AT[:1]),
    ),
    wrong={
        "one root only": chi_v2 + sqrt(chi_v2 * L),
        "the tCDP constant of d/2": eq(2 * constant, 2 * chi_v2 - eta**2 * (2 + eta) ** 2 * d),
    },
    reading=_SIMILAR,
)


def _beyond_cases(full: bool) -> Iterator[Case]:
    """Parameters and an L above the corollary's, with the pair that spends the epsilon of the largest order.

    The first has so large a delta that releases tell.
    """
    sizes = (("1/10", "100", 1, 1), ("1", "1", 3, 1), ("1/2", "2", 2, 2), ("1/5", "1", 1000, 1))
    for slope, ratio, dimension, times in sizes if full else sizes[:2]:
        at = {eta: Rational(slope), gamma: Rational(ratio), d: Integer(dimension)}
        constant_there, last = chi_v2.subs(at), half_order.subs(at)
        spent = times * (last - 1) ** 2 * constant_there
        point = {chi: constant_there, L: spent, omega: last, alpha: (1 + last) / 2}
        outputs = WORST.subs(at)
        bound = Bound(Of(HockeyStick(chi * omega + L / (omega - 1)), outputs), exp(-L))
        yield Case({s: Fraction(int(x.p), int(x.q)) for s, x in point.items()}, bounds=(bound,))


beyond_condition = page.at("after Corollary 1", source="beyond").inequality(
    "beyond:conversion-by-tcdp-elsewhere",
    "What the tCDP guarantee gives where Corollary 1 does not apply",
    ge(alpha * chi + L / (alpha - 1), omega * chi + L / (omega - 1)),
    r"The best order up to $\omega$ is $\omega$ itself.",
    given=(
        Hypothesis("where the corollary does not apply", ge(L, (omega - 1) ** 2 * chi)),
        Hypothesis("range of orders", le(alpha, omega)),
    ),
    by=(Smt(), Unreduced(cases=_beyond_cases), Released(cases=_beyond_cases)),
    wrong={"where the corollary applies": without("where the corollary does not apply"), "direction": turned()},
)

subsampling = page.at("Subsampling", "A45a").remark(
    "rgm-v2:subsampling-applies",
    "The subsampling theorem for tCDP can apply to the mechanism",
    both(
        le(_chi, Rational(1, 10)),
        ge(log(1 / _rate), 3 * _chi * (2 + log(1 / _chi) / log(2))),
        ge(_omega, log(1 / _rate) / (2 * _chi)),
        ge(log(1 / _rate) / (2 * _chi), 3),
    ),
    "Some parameters meet the conditions of the theorem on the constant, the rate and the orders.",
    exists=True,
    by=Smt(),
    points={
        eta: (0, Rational(1, 20)),
        k: (Rational(1, 2), 1),
        _rate: (Rational(1, 100), Rational(1, 10)),
        d: (1, 3),
        gamma: eta**2 / (k / 10),
    },
    wrong={
        "orders up to 3 for eta of at least 1": both(ge(eta, 1), ge(half_order, 3)),
        "a constant below 1/10 with gamma = eta^2 or less": both(le(gamma, eta**2), le(constant, Rational(1, 10))),
    },
    steps=TCDP_SUBSAMPLING.quoted(
        "The conditions are those of the theorem.",
        "The first relation.",
        "The second relation.",
        "The third and the fourth relation.",
    ),
    reading="Can be leveraged: for some parameters. The conditions are those of Bun et al. (2018), Theorem 13, quoted and not proved here. They do "
    "not hold for all parameters: the orders needed grow as the constant falls, while 1 + 1/(2q) is fixed by eta.",
)

x = page.real("x", "the record that changes")
x2 = page.real("x'", "what it changes to")
y = page.real("y", "the rest of the data")

each_batch = page.at("Subsampling", "A45b").remark(
    "rgm-v2:relative-sensitivity-of-batches",
    "Relative sensitivity of the whole data does not give that of a batch",
    both(
        le((x - x2) ** 2, eta**2 * (x + y) ** 2),
        le((x - x2) ** 2, eta**2 * (x2 + y) ** 2),
        gt((x - x2) ** 2, eta**2 * x**2),
    ),
    r"The query is the sum of two numbers; the batch holds one record alone.",
    exists=True,
    points={x: (0, 1), x2: (0, 1), y: (1, 10), eta: (0, 1)},
    wrong={
        "with an empty rest": both(
            le((x - x2) ** 2, eta**2 * x**2), le((x - x2) ** 2, eta**2 * x2**2), gt((x - x2) ** 2, eta**2 * x**2)
        )
    },
    reading="Should be satisfied for each batch: it does not follow from relative sensitivity on the whole data (R_rel = 0, sums on the line).",
)
