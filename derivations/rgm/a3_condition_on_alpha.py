"""Appendix A.3, first part: may Lemma 2 be applied to two neighbours, for the orders and the noise of Theorem 1?

It may if S = alpha sigma_2^2 + (1 - alpha) sigma_1^2 is positive. Lemma 1 bounds the ratio of the two variances, which
gives the range of alpha; the baseline noise of Theorem 1 is enough for Lemma 1. At the closed end of the printed range
the bound of Lemma 1 alone does not decide, and there the printed equivalences between > and >= part.
"""

from sympy import Integer, Rational, Symbol

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Implies,
    Mutant,
    Step,
    both,
    chain,
    eq,
    ge,
    gt,
    le,
    lt,
    positive,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Search, Smt

from .notation import (
    BASELINE_OF_LEMMA_1,
    BASELINE_OF_THEOREM_1,
    ETA,
    GAMMA,
    PAIR,
    R_REL,
    RELATIVE_SENSITIVITY,
    SIGMA2,
    a,
    alpha,
    b,
    c,
    eta,
    gamma,
    q,
    r_rel,
    rho,
    sigma2,
    variance_x,
    variance_y,
)

_SOURCE = "rgm-v1+v2"

#: The orders of Theorem 1 start at 1, where the divergence is that of Kullback and Leibler.
ORDER = real("alpha", "order of the Rényi divergence", lower=1)
VARIANCE_1 = positive("v_1", "variance at x, sigma_1^2")
VARIANCE_2 = positive("v_2", "variance at y, sigma_2^2")
v1, v2 = VARIANCE_1.symbol, VARIANCE_2.symbol

#: The last order of Theorem 1, which the theorem excludes.
end = (1 + eta) ** 2 / (2 * eta + eta**2)
PRINTED_RANGE = Hypothesis("orders of Theorem 1", lt(alpha, end), "Theorem 1")
NOISE = Hypothesis("noise", gt(sigma2, 0), "Definition 3")
#: Coordinates of charts: the share of the range of orders, and what is added to the least noise.
_k, _l = Symbol("k", real=True), Symbol("l", real=True)
mixed = alpha * variance_y + (1 - alpha) * variance_x
_mixed = alpha * v2 + (1 - alpha) * v1
_closed = ge((1 + eta) ** (-2), 1 - 1 / alpha)

condition_printed = Claim(
    id="rgm:a3-condition-equivalence",
    refs=("A75a",),
    title="The condition on the variances, as an equivalence",
    source=_SOURCE,
    where="App. A.3, Verifying the condition on alpha",
    kind="remark",
    statement=r"$\alpha\sigma_2^2 + (1-\alpha)\sigma_1^2 > 0$ is said to be $\sigma_2^2/\sigma_1^2 \ge 1 - 1/\alpha$.",
    variables=(ORDER, VARIANCE_1, VARIANCE_2),
    conclusion=Iff(gt(_mixed, 0), ge(v2 / v1, 1 - 1 / alpha)),
    sampling=Chart({alpha: (1, None), v1: (0, None)}, {v2: v1 * (1 - 1 / alpha)}),
    category="misprint",
    corrected="rgm:a3-condition-equivalence-strict",
    remark="At equality the mixed variance is zero and the divergence infinite: the sign has to be strict.",
)

condition = Claim(
    id="rgm:a3-condition-equivalence-strict",
    title="The condition on the variances, with a strict sign",
    source="beyond",
    where="App. A.3, Verifying the condition on alpha",
    kind="remark",
    statement=r"$\alpha\sigma_2^2 + (1-\alpha)\sigma_1^2 > 0$ exactly if $\sigma_2^2/\sigma_1^2 > 1 - 1/\alpha$.",
    variables=(ORDER, VARIANCE_1, VARIANCE_2),
    conclusion=Iff(gt(_mixed, 0), gt(v2 / v1, 1 - 1 / alpha)),
    checks=(Smt(),),
    mutants=(
        Mutant("ratio inverted", Iff(gt(_mixed, 0), gt(v1 / v2, 1 - 1 / alpha))),
        Mutant("1 - 1/alpha becomes 1/alpha", Iff(gt(_mixed, 0), gt(v2 / v1, 1 / alpha))),
        Mutant("alpha - 1", Iff(gt(_mixed, 0), gt(v2 / v1, alpha - 1))),
    ),
)

strict = Claim(
    id="beyond:lemma-1-strict",
    title="With noise, the bound of Lemma 1 is not reached",
    source="beyond",
    where="App. A.1, Lemma 1, with the noise of Definition 3",
    kind="inequality",
    statement=r"With positive baseline noise the variance at $x$ is less than $(1+\eta)^2$ times that at $y$.",
    variables=(*PAIR, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1, NOISE),
    conclusion=lt(variance_x, (1 + eta) ** 2 * variance_y),
    checks=(Smt(),),
    mutants=(
        Mutant("no baseline bound", hypotheses=(*RELATIVE_SENSITIVITY, NOISE)),
        Mutant("1 + eta", lt(variance_x, (1 + eta) * variance_y)),
        Mutant("direction", gt(variance_x, (1 + eta) ** 2 * variance_y)),
    ),
)

from_ratio = Claim(
    id="rgm:a3-positive-from-ratio",
    title="From the ratio of the variances to the mixed variance",
    source="beyond",
    where="App. A.3, v1 (12), v2 (14)",
    kind="inequality",
    statement="A variance ratio strictly inside the bound of Lemma 1 leaves the mixed variance positive on the closed range.",
    variables=(ORDER, ETA, VARIANCE_1, VARIANCE_2),
    hypotheses=(
        Hypothesis("ratio", lt(v1, (1 + eta) ** 2 * v2), "Lemma 1, strictly"),
        Hypothesis("order", _closed, "v1 (12), v2 (14)"),
    ),
    conclusion=gt(_mixed, 0),
    sampling=Chart(
        {_k: (0, 1), _l: (0, 2), eta: (0, None), v2: (0, None)},
        {alpha: 1 + _k / (eta * (2 + eta)), v1: _l * (1 + eta) ** 2 * v2},
    ),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "ratio up to twice the bound",
            hypotheses=(Hypothesis("ratio", lt(v1, 2 * (1 + eta) ** 2 * v2)), Hypothesis("order", _closed)),
        ),
        Mutant("no bound on the order", hypotheses=(Hypothesis("ratio", lt(v1, (1 + eta) ** 2 * v2)),)),
        Mutant("variances exchanged", gt(alpha * v1 + (1 - alpha) * v2, 0)),
    ),
)

by_lemma_1 = Claim(
    id="rgm:a3-positive-by-lemma-1",
    refs=("A75b",),
    title="Lemma 1 makes the mixed variance positive, the end of the range included",
    source=_SOURCE,
    where="App. A.3, v1 (12), v2 (14)",
    kind="inequality",
    statement=r"Under Lemma 1's hypotheses and with noise, $(1+\eta)^{-2} \ge 1 - 1/\alpha$ makes $S$ positive.",
    variables=(ORDER, *PAIR, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(
        *RELATIVE_SENSITIVITY,
        BASELINE_OF_LEMMA_1,
        NOISE,
        Hypothesis("order", _closed, "v1 (12), v2 (14)"),
    ),
    conclusion=gt(mixed, 0),
    reading=(
        "Noise is positive by Definition 3. At equality of the orders this needs more than the statement of Lemma 1, "
        "namely that noise makes its bound strict; see `beyond:lemma-1-leaves-equality`."
    ),
    sampling=Chart(
        {
            a: (0, None),
            b: (0, None),
            c: (-1, 1),
            eta: (0, None),
            gamma: (0, None),
            r_rel: (0, None),
            _l: (0, None),
            _k: (0, 1),
        },
        {
            alpha: 1 + _k / (eta * (2 + eta)),
            sigma2: gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2 + _l,
        },
    ),
    checks=(
        Deduction(
            (
                Premise("beyond:lemma-1-strict"),
                Premise("rgm:a3-positive-from-ratio", {v1: variance_x, v2: variance_y}),
            )
        ),
    ),
    mutants=(
        Mutant(
            "(1 + eta)^-1",
            hypotheses=(
                *RELATIVE_SENSITIVITY,
                BASELINE_OF_LEMMA_1,
                NOISE,
                Hypothesis("order", le(alpha, 2 + 1 / (eta * (2 + eta)))),
            ),
        ),
        Mutant("negative", lt(mixed, 0)),
        Mutant(
            "no baseline bound",
            hypotheses=(*RELATIVE_SENSITIVITY, NOISE, Hypothesis("order", _closed)),
        ),
    ),
    derivation=(
        Step("With noise, the bound of Lemma 1 is strict.", "beyond:lemma-1-strict"),
        Step("A strict ratio is enough on the closed range.", "rgm:a3-positive-from-ratio"),
    ),
)

leaves_equality = Claim(
    id="beyond:lemma-1-leaves-equality",
    title="The bound of Lemma 1 alone leaves the end of the range open",
    source="beyond",
    where="App. A.3, v1 (12)-(13), v2 (14)-(15)",
    kind="remark",
    statement="Two variances within the bound of Lemma 1, and an order in the closed range, can have a mixed variance that is not positive.",
    variables=(ORDER, ETA, VARIANCE_1, VARIANCE_2),
    hypotheses=(
        Hypothesis("ratio", both(le(v1, (1 + eta) ** 2 * v2), le(v2, (1 + eta) ** 2 * v1)), "Lemma 1"),
        Hypothesis("order", le(alpha, end), "v1 (13), v2 (15)"),
    ),
    conclusion=le(_mixed, 0),
    quantifier="exists",
    sampling=Chart({_k: (0, 1)}, {eta: Integer(2), alpha: Rational(9, 8), v1: Integer(9), v2: Integer(1)}),
    checks=(Search(), Smt()),
    mutants=(Mutant("below zero", lt(_mixed, 0)),),
)

range_inverse = Claim(
    id="rgm:a3-range-inverse",
    refs=("A75c",),
    title="The range as a bound on 1/alpha",
    source=_SOURCE,
    where="App. A.3, v1 (12), v2 (14)",
    kind="identity",
    statement=r"The condition on the order is a lower bound on $1/\alpha$.",
    variables=(ORDER, ETA),
    conclusion=Iff(_closed, ge(1 / alpha, 1 - (1 + eta) ** (-2))),
    checks=(Smt(),),
    mutants=(
        Mutant("direction", Iff(_closed, le(1 / alpha, 1 - (1 + eta) ** (-2)))),
        Mutant("(1 + eta)^-1", Iff(_closed, ge(1 / alpha, 1 - (1 + eta) ** (-1)))),
    ),
)

range_fraction = Claim(
    id="rgm:a3-range-fraction",
    refs=("A75c",),
    title="The bound on 1/alpha over one denominator",
    source=_SOURCE,
    where="App. A.3, v1 (12), v2 (14)",
    kind="identity",
    statement="The bound is brought over one denominator.",
    variables=(ETA,),
    conclusion=eq(1 - (1 + eta) ** (-2), eta * (2 + eta) / (1 + eta) ** 2),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("1 + eta for 2 + eta", eq(1 - (1 + eta) ** (-2), eta * (1 + eta) / (1 + eta) ** 2)),
        Mutant("2 eta only", eq(1 - (1 + eta) ** (-2), 2 * eta / (1 + eta) ** 2)),
    ),
)

range_upper = Claim(
    id="rgm:a3-range-upper",
    refs=("A75d",),
    title="The range as a bound on alpha",
    source=_SOURCE,
    where="App. A.3, v1 (13), v2 (15)",
    kind="inequality",
    statement=r"The bound on $1/\alpha$ is an upper bound on $\alpha$.",
    variables=(ORDER, ETA),
    conclusion=Implies(ge(1 / alpha, eta * (2 + eta) / (1 + eta) ** 2), le(alpha, (1 + eta) ** 2 / (eta * (2 + eta)))),
    checks=(Smt(),),
    mutants=(
        Mutant("one less", Implies(ge(1 / alpha, q / (1 + eta) ** 2), le(alpha, (1 + eta) ** 2 / q - 1))),
        Mutant("direction", Implies(ge(1 / alpha, q / (1 + eta) ** 2), ge(alpha, (1 + eta) ** 2 / q))),
    ),
)

range_shifted = Claim(
    id="rgm:a3-range-shifted",
    refs=("A76a",),
    title="The range as a bound on alpha - 1",
    source=_SOURCE,
    where="App. A.3, after v1 (13), v2 (15)",
    kind="remark",
    statement=r"$\alpha \le (1+\eta)^2/(\eta(2+\eta))$ is the same as $\alpha - 1 \le 1/(\eta(2+\eta))$.",
    variables=(ORDER, ETA),
    conclusion=Iff(le(alpha, (1 + eta) ** 2 / (eta * (2 + eta))), le(alpha - 1, 1 / (eta * (2 + eta)))),
    remark="Theorem 1 itself excludes the end of the range (rgm:a3-range-strict), where its bound divides by zero.",
    checks=(Smt(),),
    mutants=(
        Mutant("alpha for alpha - 1", Iff(le(alpha, (1 + eta) ** 2 / q), le(alpha, 1 / q))),
        Mutant("without the square", Iff(le(alpha, (1 + eta) / q), le(alpha - 1, 1 / q))),
    ),
)

range_of_theorem = Claim(
    id="rgm:a3-range-of-theorem-1",
    title="The closed range, said to be the condition of Theorem 1",
    source="beyond",
    where="App. A.3, after v1 (13), v2 (15)",
    kind="remark",
    statement=r"$\alpha - 1 \le 1/(\eta(2+\eta))$ is called the condition of Theorem 1, which excludes equality.",
    variables=(ORDER, ETA),
    conclusion=Iff(le(alpha - 1, 1 / (eta * (2 + eta))), lt(alpha, end)),
    reading="The sentence at its word; only the end of the range is at stake, where nothing is used.",
    sampling=Chart({_k: (0, 1)}, {eta: Integer(2), alpha: Rational(9, 8)}),
    category="misprint",
    corrected="rgm:a3-range-strict",
    remark="At the end of the range the bound of Theorem 1 divides by zero.",
)

range_strict = Claim(
    id="rgm:a3-range-strict",
    title="The range of Theorem 1, four ways",
    source="beyond",
    where="App. A.3, after v1 (13), v2 (15)",
    kind="remark",
    statement=r"With strict signs the forms agree, among them $\eta(\alpha-1)(2+\eta) < 1$.",
    variables=(ORDER, ETA),
    conclusion=both(
        Iff(lt(alpha, end), lt(alpha - 1, 1 / (eta * (2 + eta)))),
        Iff(lt(alpha, end), gt(rho, 0)),
        Iff(lt(alpha, end), gt((1 + eta) ** (-2), 1 - 1 / alpha)),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("the other side", Iff(lt(alpha, end), lt(rho, 0))),
        Mutant("1 + eta for 2 + eta", Iff(lt(alpha, end), lt(alpha - 1, 1 / (eta * (1 + eta))))),
    ),
)

baseline = Claim(
    id="rgm:a3-baseline-needed",
    refs=("A76b",),
    title="The baseline noise that Lemma 1 needs",
    source=_SOURCE,
    where="App. A.3, v1 (14), v2 (16)",
    kind="identity",
    statement=r"The bound on $\sigma^2$ of Lemma 1, with $\gamma R^2/\eta^2$ taken out.",
    variables=(ETA, GAMMA, R_REL),
    conclusion=eq(
        gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2, gamma * r_rel**2 / eta**2 * (1 + eta) / (2 + eta)
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant(
            "eta for eta^2",
            eq(gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2, gamma * r_rel**2 / eta * (1 + eta) / (2 + eta)),
        ),
        Mutant(
            "fraction inverted",
            eq(
                gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2,
                gamma * r_rel**2 / eta**2 * (2 + eta) / (1 + eta),
            ),
        ),
    ),
)

_UP_TO_END = Hypothesis("order", le(alpha - 1, 1 / (eta * (2 + eta))), "after v1 (13), v2 (15)")

factor_bound = Claim(
    id="rgm:a3-baseline-factor",
    refs=("A76c",),
    title="The factor in the baseline noise of Theorem 1",
    source=_SOURCE,
    where="App. A.3, v1 (15), v2 (17)",
    kind="inequality",
    statement=r"In the range of orders the factor $1 - \eta(\alpha-1)$ is at least $(1+\eta)/(2+\eta)$.",
    variables=(ORDER, ETA),
    hypotheses=(_UP_TO_END,),
    conclusion=chain(1 - eta * (alpha - 1), ">=", 1 - (2 + eta) ** (-1), "==", (1 + eta) / (2 + eta)),
    sampling=Chart({_k: (0, 1), eta: (0, None)}, {alpha: 1 + _k / (eta * (2 + eta))}),
    checks=(Smt(),),
    mutants=(
        Mutant("1 - 1/(3 + eta)", ge(1 - eta * (alpha - 1), 1 - (3 + eta) ** (-1))),
        Mutant("for every order", hypotheses=()),
        Mutant("direction", le(1 - eta * (alpha - 1), 1 - (2 + eta) ** (-1))),
    ),
)

baseline_enough = Claim(
    id="rgm:a3-baseline-enough",
    refs=("A76c",),
    title="The baseline noise of Theorem 1 is enough for Lemma 1",
    source=_SOURCE,
    where="App. A.3, v1 (14)-(15), v2 (16)-(17)",
    kind="inequality",
    statement=r"The lower bound on $\sigma^2$ in Theorem 1 implies that of Lemma 1.",
    variables=(ORDER, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(BASELINE_OF_THEOREM_1, _UP_TO_END),
    conclusion=ge(sigma2, gamma * r_rel**2 / eta**2 * (1 + eta) / (2 + eta)),
    sampling=Chart(
        {_k: (0, 1), eta: (0, None), gamma: (0, None), r_rel: (0, None), _l: (0, None)},
        {
            alpha: 1 + _k / (eta * (2 + eta)),
            sigma2: gamma / eta**2 * (1 - eta * (alpha - 1)).subs(alpha, 1 + _k / (eta * (2 + eta))) * r_rel**2 + _l,
        },
    ),
    checks=(
        Combination(
            terms=(
                (sigma2 - gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2,),
                (gamma / eta, r_rel**2, 1 / (eta * (2 + eta)) - (alpha - 1)),
            )
        ),
        Smt(),
    ),
    mutants=(
        Mutant("the whole of gamma R^2 / eta^2", ge(sigma2, gamma * r_rel**2 / eta**2)),
        Mutant(
            "orders up to twice the end",
            hypotheses=(BASELINE_OF_THEOREM_1, Hypothesis("order", le(alpha - 1, 2 / (eta * (2 + eta))))),
        ),
        Mutant(
            "half of the baseline noise",
            hypotheses=(
                Hypothesis("half", ge(sigma2, gamma / (2 * eta**2) * (1 - eta * (alpha - 1)) * r_rel**2)),
                _UP_TO_END,
            ),
        ),
    ),
)

applicable = Claim(
    id="rgm:a3-lemma-2-applies",
    refs=("A17",),
    title="Lemma 2 applies to neighbours under the hypotheses of Theorem 1",
    source=_SOURCE,
    where="Sec. 4.1, Theorem 1; App. A.3, between v1 (13) and (16), v2 (15) and (18)",
    kind="remark",
    statement=r"For the orders and the noise of Theorem 1, $\alpha\sigma_2^2 + (1-\alpha)\sigma_1^2$ is positive.",
    variables=(ORDER, *PAIR, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_THEOREM_1, PRINTED_RANGE, NOISE),
    conclusion=gt(mixed, 0),
    reading="Theorem 1 speaks of the mechanism of Definition 3, where the baseline noise is positive.",
    sampling=Chart(
        {
            a: (0, None),
            b: (0, None),
            c: (-1, 1),
            eta: (0, None),
            gamma: (0, None),
            r_rel: (0, None),
            _l: (0, None),
            _k: (0, 1),
        },
        {
            alpha: 1 + _k / (eta * (2 + eta)),
            sigma2: gamma / eta**2 * (1 - _k / (2 + eta)) * r_rel**2 + _l,
        },
    ),
    checks=(
        Deduction(
            (
                Premise("rgm:a3-range-strict"),
                Premise("rgm:a3-range-shifted"),
                Premise("rgm:a3-baseline-enough"),
                Premise("rgm:a3-baseline-needed"),
                Premise("beyond:lemma-1-strict"),
                Premise("rgm:a3-positive-from-ratio", {v1: variance_x, v2: variance_y}),
            )
        ),
    ),
    mutants=(
        Mutant("an order more by one", gt(mixed + variance_y - variance_x, 0)),
        Mutant("no bound on the order", hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_THEOREM_1, NOISE)),
        Mutant("no baseline bound", hypotheses=(*RELATIVE_SENSITIVITY, PRINTED_RANGE, NOISE)),
    ),
    derivation=(
        Step("The baseline noise is enough for Lemma 1.", "rgm:a3-baseline-enough"),
        Step("With noise, the bound of Lemma 1 is strict.", "beyond:lemma-1-strict"),
        Step("So the mixed variance is positive.", "rgm:a3-positive-from-ratio"),
    ),
)
