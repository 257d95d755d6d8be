"""The classical calibration and its limits."""

from rgm_verify.pages import *

from .notation import *

page = Page("Balle and Wang 2018", "Section 2", NOTATION)
x = page.real("x", "output of the mechanism")
eta = page.positive("eta", "mean of the privacy loss")
z = page.nonnegative("z", "threshold")

#: Standard deviation of the privacy loss.
width = sqrt(2 * eta)


def exponent(mean: Expr | int) -> Expr:
    """The exponent of a normal density."""
    return -((x - mean) ** 2) / (2 * sigma**2)


loss = page.at("Lemma 3", "loss").lemma(
    "calibration:loss",
    "The privacy loss is linear in the output, and its mean is half the squared ratio",
    eq(exponent(0) - exponent(Delta), Delta**2 / (2 * sigma**2) - Delta * x / sigma**2),
    "At outputs of the mean 0, the right side is normal with this mean and twice this variance.",
    wrong={
        "without the two": Delta**2 / sigma**2 - Delta * x / sigma**2,
        "turned": left(exponent(Delta) - exponent(0)),
    },
)

variance = page.at("Lemma 3", "loss").lemma(
    "calibration:variance-of-the-loss",
    "The variance of the loss is twice its mean",
    eq((Delta / sigma**2) ** 2 * sigma**2, 2 * At(eta, eta, Delta**2 / (2 * sigma**2))),
    wrong={"its mean": Delta**2 / (2 * sigma**2), "without the square": Delta / sigma},
)

normal_tail = page.at("proof of Theorem 1", "classical").claim(
    "proof step",
    "calibration:normal-tail",
    "The tail of the normal law that the classical proof uses",
    le(normal(-z), exp(-(z**2) / 2) / 2),
    wrong={"a third": exp(-(z**2) / 2) / 3, "a larger exponent": exp(-(z**2)) / 2},
)

classical = page.at("Theorem 1", "classical").theorem(
    "calibration:classical",
    "The classical noise suffices below an epsilon of 1",
    le(At(profile(epsilon, m), m, epsilon / sqrt(2 * log(Rational(5, 4) / delta))), delta),
    given=Hypothesis("a small epsilon", le(epsilon, 1)),
    wrong={
        "a tenth of delta": delta / 10,
        "half the epsilon": left(At(profile(epsilon / 2, m), m, epsilon / sqrt(2 * log(Rational(5, 4) / delta)))),
    },
    points={epsilon: (Rational(1, 10), 1), delta: (Rational(1, 1000), Rational(1, 2))},
)

high_privacy = page.at("Section 2.3", "high-privacy").proposition(
    "calibration:total-variation",
    "With an epsilon of 0 the mechanism costs at most the ratio over the root of 2 pi",
    le(erf(m / (2 * sqrt(2))), m / sqrt(2 * pi)),
    "The left side is the total variation distance of two normal laws.",
    wrong={"a third": m / 3, "half": m / (2 * sqrt(2 * pi))},
)

simple_noise = page.at("Section 2.3", "high-privacy").remark(
    "calibration:noise-without-epsilon",
    "Noise of the sensitivity over twice delta suffices for an epsilon of 0",
    le(At(erf(m / (2 * sqrt(2))), m, 2 * delta), delta),
    wrong={"half of delta": delta / 2, "turned": turned()},
)

two_tails = page.at("Theorem 5", "two-tails").theorem(
    "calibration:two-tails",
    "Both tails of the loss in terms of the normal law",
    eq(
        At(normal((eta - epsilon) / width) - exp(epsilon) * normal(-(eta + epsilon) / width), eta, m**2 / 2),
        profile(epsilon, m),
    ),
    points={epsilon: (Rational(1, 10), 4), m: (Rational(1, 4), 4)},
    wrong={
        "without the factor": left(
            At(normal((eta - epsilon) / width) - normal(-(eta + epsilon) / width), eta, m**2 / 2)
        )
    },
)
