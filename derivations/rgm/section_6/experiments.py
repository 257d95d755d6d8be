r"""Section 6: the numbers of the experiments.

The distance of the test is at least $\frac n{2R_c^2}$, not $\frac n{2R_c}$, and the test then passes at the stated $\delta$ only every other time. The numbers themselves round as printed; that the largest
$X_i^\top A^{-1}X_i$ is about 91 depends on the data: see `experiment:distance-over-all-records`. A node that holds half of the records has half of the distance, and $\delta \approx 10^{-17}$ instead of $10^{-34}$. The methods that are
called equivalent are not: clipping is run at twice the level when neighbours differ in one record.
"""

from rgm_verify.pages import *

from ..gaussian_notation import GAUSSIAN_NOTATION, epsilon, rejection

page = Page("beyond", "§6", GAUSSIAN_NOTATION)
_TRAIN, _TEST, _ALL = Integer(49990), Integer(91701), Integer(141691)

sizes = page.at("", "EX.1", source="rgm-v1+v2").numeric(
    "rgm:ijcnn1-size",
    "The number of records of ijcnn1",
    eq(printed(lambda: Integer(_TRAIN) + Integer(_TEST)), _ALL),
    "The records of the published train and test files.",
    by=(Points(), Identity()),
    wrong={"train without the records for validation": left(35000 + _TEST), "the test file only": left(_TEST)},
    reading='The files\' numbers of records, with 22 features each; "train" includes the records for validation.',
    remark="The number is odd: two nodes cannot hold equally many.",
)

_n = page.natural("n", "number of records")
_m = page.natural("m", "number of records in I_R")
_radius = page.positive("R_c", "clipping radius")
_sum = page.nonnegative("S", "sum over I_R of X^T (A - rho C)^-1 X")

_REACHED = (
    Hypothesis("each summand", le(_sum, _m * 2 * _radius**2), "X^T A^-1 X at most R_c^2, and (A - A/2)^-1 = 2 A^-1"),
    Hypothesis("the sum reaches n", ge(_sum, _n), "Proposition 2"),
)
_DISTANCE_READING = r"$C = \tilde A$, $\rho = \frac12$: $\tilde X_i^\top(\tilde A-\rho C)^{-1}\tilde X_i = 2\tilde X_i^\top\tilde A^{-1}\tilde X_i \le 2R_c^2$, from either kind of clipping (Cauchy-Schwarz)."

distance_printed = page.at("", "EX.2a", source="rgm-v2").numeric(
    "rgm-v2:experiment-distance-printed",
    "The distance of the test, as printed",
    ge(_m, _n / (2 * _radius)),
    "So many records must change before the sum of Proposition 2 reaches $n$.",
    given=_REACHED,
    by=(Search(), Smt()),
    reading=_DISTANCE_READING,
    mistake=("misprint", "beyond:experiment-distance"),
    remark=r"The square is missing: with $R_c^2 \approx 91$ the printed 780 is $\frac n{2R_c^2}$ (`rgm-v2:experiment-distance-number`).",
)

distance = page.correction(
    "beyond:experiment-distance",
    "The distance of the test in the experiments",
    ge(_m, _n / (2 * _radius**2)),
    "So many records must change before the sum of Proposition 2 reaches $n$.",
    given=_REACHED,
    points={_n: (0, 100), _radius: (0, None, 1 + _radius), _sum: (0, 1, _n + _sum * _n), _m: (0, 100, _n + _m)},
    wrong={
        "without the square": _n / (2 * _radius),
        "without the 2": _n / _radius**2,
        "the sum anything": without("the sum reaches n"),
    },
    reading=_DISTANCE_READING,
    remark=r"C has to be fixed beforehand: with $C = \tilde A$ from the data themselves the statistic is not one of the Proposition.",
)

_v = page.positive("v", "R_c^2, the largest X^T A^-1 X")
_AT_780 = rounds_to(_ALL / (2 * _v), "7.8E+2")

distance_number = page.at("", "EX.2a", source="rgm-v2").numeric(
    "rgm-v2:experiment-distance-number",
    "The number 780",
    Iff(_AT_780, both(gt(_v, _ALL / 1570), le(_v, _ALL / 1550))),
    "Exactly if $R_c^2$ is between 90.25 and 91.41 the distance rounds to 780.",
    wrong={
        "R_c^2 up to 92": Iff(_AT_780, both(gt(_v, _ALL / 1570), le(_v, 92))),
        "half of the records": Iff(
            rounds_to(_ALL / (4 * _v), "7.8E+2"), both(gt(_v, _ALL / 1570), le(_v, _ALL / 1550))
        ),
    },
    reading="About 780: two digits. The corrected formula is taken. Whether the data have such an R_c: `experiment:distance-over-all-records`.",
    remark=r"In floating point, on the published files with $\mu_{reg} = 0.03$, the largest $X^\top A^{-1}X$ is 92.7 over all records (which gives 764) and 90.8 over every other record: the printed number seems to take $R_c$ from a "
    "node and n from both.",
    printed=r"\frac{n}{2R_c^2} \approx 780 \;\Longleftrightarrow\; \frac{n}{1570} < R_c^2 \le \frac{n}{1550}",
)

_d = page.positive("D", "the distance Delta")

failure = page.at("", "EX.2b", source="rgm-v2").numeric(
    "rgm-v2:experiment-delta",
    "The failure probability of the test",
    both(
        le(-_d / 10, -34 * log(10) + log(3)),
        ge(-_d / 10, -34 * log(10) - log(3)),
        rounds_to(exp(Integer(-78)) * Integer(10) ** 34, "1"),
    ),
    "Within a factor 3 for every distance from 775 to 785, and at 780 to the printed digit.",
    given=Hypothesis("about 780", both(ge(_d, 775), le(_d, 785)), "EX.2a"),
    points={_d: (775, 785)},
    wrong={
        "10^-35": le(-_d / 10, -35 * log(10) + log(3)),
        "10^-33": ge(-_d / 10, -33 * log(10) - log(3)),
        "any distance": without(),
    },
    steps=(Step("The logarithms.", Premise("beyond:log-ten-bounds")), Step("At 780.", Premise("beyond:exp-minus-78"))),
    reading="A power of ten after a sign for about: the exponent counts. In logarithms.",
    printed=r"\delta = e^{-\varepsilon\Delta} \approx 10^{-34}",
)

logarithms = page.numeric(
    "beyond:log-ten-bounds",
    "The logarithms of 3 and 10",
    both(gt(log(10), Rational(23025, 10000)), gt(Rational(23026, 10000), log(10)), gt(log(3), Rational(1098, 1000))),
    by=Points(),
    wrong={"2.302": gt(Rational(2302, 1000), log(10)), "1.099": gt(log(3), Rational(1099, 1000))},
)

at_780 = page.numeric(
    "beyond:exp-minus-78",
    "The failure probability at 780",
    rounds_to(exp(Integer(-78)) * Integer(10) ** 34, "1"),
    by=Points(),
    wrong={
        "79": rounds_to(exp(Integer(-79)) * Integer(10) ** 34, "1"),
        "77": rounds_to(exp(Integer(-77)) * Integer(10) ** 34, "1"),
    },
)

per_node = page.numeric(
    "beyond:experiment-delta-per-node",
    "The failure probability at a node with half of the records",
    both(
        ge(Integer(70846) / (2 * _v), 387),
        le(Integer(70846) / (2 * _v), 393),
        ge(-Integer(70846) / (2 * _v) / 10, -18 * log(10)),
    ),
    "For a node with 70846 records and the same $R_c$.",
    given=Hypothesis("R_c^2 of the printed number", both(gt(_v, _ALL / 1570), le(_v, _ALL / 1550))),
    points={_v: (_ALL / 1570, _ALL / 1550)},
    wrong={
        "10^-16": ge(-Integer(70846) / (2 * _v) / 10, -16 * log(10)),
        "all records": le(_ALL / (2 * _v), 393),
        "any R_c": without(),
    },
    steps=Step("The logarithm of 10.", Premise("beyond:log-ten-bounds")),
    reading="Every node protects its own records and tests its own covariance: n is the number of its records.",
    remark="Split by label, the node with the 13565 positive labels has a distance of about 84 in floating point, and a failure probability of about 1/4500: no longer negligible.",
    printed=r"387 \le \frac{n}{2R_c^2} \le 393 \quad\text{and}\quad e^{-\varepsilon\Delta} \ge 10^{-18}",
)

_delta = page.positive("delta", "failure probability", upper=1)
_at_equality = real("g").symbol

at_equality = page.identity(
    "beyond:experiment-test-passes",
    "How often the test passes",
    both(
        eq(rejection(_d - log(1 / _delta) / epsilon), exp(-epsilon * _d) / (2 * _delta)),
        eq(At(rejection(_at_equality), _at_equality, 0), Rational(1, 2)),
    ),
    "The test rejects every other time at the stated failure probability.",
    wrong={
        "half": eq(rejection(_d - log(1 / _delta) / epsilon), exp(-epsilon * _d) / (4 * _delta)),
        "always passes": eq(rejection(_d - log(1 / _delta) / epsilon), 0),
    },
    reading=r"The statistic with Laplace noise of scale $1/\varepsilon$ rejects by falling below the threshold. To pass with probability $1-\nu$ needs $\delta \ge e^{-\varepsilon\Delta}/(2\nu)$, which is a modest price here.",
)

tuned = page.at("", "XP.5", source="rgm-v1+v2").remark(
    "rgm:experiment-threshold-has-to-be-tuned",
    "The clipping threshold has to be tuned",
    says="The threshold has to be tuned, which takes communication and privacy.",
    informal="Whether it has to depends on the size of the bias, which the paper does not give. With a bias of norm 10 one multiple of the recipe's threshold serves all three splits (`experiment:one-threshold-printed`), with one of norm 100 none does (`experiment:threshold-problem-dependent-large-bias-printed`). What tuning would cost was not measured.",
)

_c = page.positive("c", "clipping threshold")
_number = page.natural("N", "number of records of the node")
_TENTH = Rational(1, 10)
_variance = 2 * _c**2 / (_TENTH * _number**2)

equivalent = page.at("Figure 1 caption", "EX.4", source="rgm-v1+v2").remark(
    "rgm:experiment-equivalent-guarantees",
    "Equivalent guarantees",
    eq(2 * (2 * _c / _number) ** 2 / (2 * _variance), _TENTH),
    "The Rényi divergence of clipping with the noise of Appendix C.1, of order 2 and in each step, when a record is replaced, against the level.",
    by=(Search(), Identity()),
    over=(_c, _number),
    reading="Equivalent: the same level at the same order, for the same neighbours, per step; judged for clipping, whose divergence is exact. The other method is calibrated by Theorem 1 for neighbours that differ in one record.",
    mistake=("wrong constant", "beyond:experiment-clipping-level"),
    remark=r"It is twice the level. The relative mechanism leaves out the constants of its eta and the term of the dimension, and has N too much in the second term of its absolute part: neither curve is at the stated level.",
)

_level_replaced = printed(lambda: 2 * (2 * _c / _number) ** 2 / (2 * _variance))
_level_added = printed(lambda: 2 * (_c / _number) ** 2 / (2 * _variance))

clipping_level = page.at("Figure 1 caption").correction(
    "beyond:experiment-clipping-level",
    "The level at which clipping is run",
    both(eq(_level_replaced, Rational(1, 5)), eq(_level_added, Rational(1, 20))),
    "The divergence of clipping in each step, when a record is replaced, and when one is added or left out.",
    by=(Identity(), Smt()),
    wrong={
        "the norm of the change once": eq(printed(lambda: 2 * (2 * _c / _number) / (2 * _variance)), Rational(1, 5)),
        "the change of the sum": eq(printed(lambda: 2 * (2 * _c) ** 2 / (2 * _variance)), Rational(1, 5)),
        "one gradient of the other kind": eq(printed(lambda: 2 * _c**2 / (2 * _variance)), Rational(1, 20)),
    },
    steps=(
        Step("The calibration.", "beyond:clipping-noise"),
        Step("The other adjacency.", "beyond:clipping-noise-add-or-remove"),
    ),
)
