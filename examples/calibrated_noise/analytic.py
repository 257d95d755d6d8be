"""The exact profile and the algorithm that inverts it."""

from rgm_verify.pages import *

from .notation import *

page = Page("Balle and Wang 2018", "Section 3", NOTATION)
v = page.nonnegative("v", "parameter of the search")
density = exp(-((m / 2 - epsilon / m) ** 2) / 2) / sqrt(2 * pi)

profile_positive = page.at("Theorem 8", "profile").theorem(
    "calibration:profile-is-positive",
    "No Gaussian noise is enough for a delta of 0",
    ge(profile(epsilon, m), 0),
    wrong={"turned": turned(), "at least a hundredth": Rational(1, 100)},
)

profile_below = page.at("Theorem 8", "profile").theorem(
    "calibration:profile-below-the-tail",
    "The profile is below the tail of the loss",
    le(profile(epsilon, m), normal(m / 2 - epsilon / m)),
    wrong={"turned": turned(), "half of it": normal(m / 2 - epsilon / m) / 2},
)

densities = page.at("proof of Theorem 8", "profile-rises").claim(
    "proof step",
    "calibration:densities-at-the-ends",
    "The densities at both thresholds differ by the factor exp(epsilon)",
    eq(exp(-((m / 2 - epsilon / m) ** 2) / 2), exp(epsilon) * exp(-((m / 2 + epsilon / m) ** 2) / 2)),
    wrong={"its square": exp(2 * epsilon) * exp(-((m / 2 + epsilon / m) ** 2) / 2)},
)

slope_in_ratio = page.at("proof of Theorem 8", "profile-rises").claim(
    "proof step",
    "calibration:slope-in-the-ratio",
    "The profile rises with the ratio, by the density at the first threshold",
    eq(Derivative(profile(epsilon, m), m), density),
    wrong={"half of it": density / 2, "the other sign": -density},
)

slope_in_epsilon = page.at("proof of Theorem 8", "profile-falls").claim(
    "proof step",
    "calibration:slope-in-epsilon",
    "The profile falls with epsilon, by the second of its terms",
    eq(Derivative(profile(epsilon, m), epsilon), -exp(epsilon) * normal(-m / 2 - epsilon / m)),
    wrong={"the other sign": exp(epsilon) * normal(-m / 2 - epsilon / m), "the density": -density},
)

high = sqrt(1 + v / 2) - sqrt(v / 2)
low = sqrt(1 + v / 2) + sqrt(v / 2)

reciprocal = page.at("Algorithm 1", "algorithm").algorithm(
    "calibration:both-branches",
    "The factors of both branches of the algorithm are reciprocal",
    eq(high * low, 1),
    wrong={"not halved": left((sqrt(1 + v) - sqrt(v / 2)) * low)},
)

first_threshold = page.at("Algorithm 1", "algorithm").algorithm(
    "calibration:first-threshold",
    "The branch with less noise moves the first threshold to the root of epsilon times its parameter",
    eq(sqrt(epsilon / 2) / high - high * sqrt(epsilon / 2), sqrt(epsilon * v)),
    "The thresholds at a noise of the sensitivity times this factor over the root of twice epsilon.",
    wrong={
        "half the parameter": sqrt(epsilon * v / 2),
        "a sum": left(sqrt(epsilon / 2) / high + high * sqrt(epsilon / 2)),
    },
)

second_threshold = page.at("Algorithm 1", "algorithm").algorithm(
    "calibration:second-threshold",
    "And the second one to the root of epsilon times two more",
    eq(sqrt(epsilon / 2) / high + high * sqrt(epsilon / 2), sqrt(epsilon * (v + 2))),
    wrong={"one more": sqrt(epsilon * (v + 1))},
)

rising = page.at("Algorithm 1", "algorithm").algorithm(
    "calibration:search-rises",
    "In the branch with less noise the profile rises with the parameter",
    ge(Derivative(normal(sqrt(epsilon * v)) - exp(epsilon) * normal(-sqrt(epsilon * (v + 2))), v), 0),
    given=Hypothesis("inside", gt(v, 0)),
    wrong={"turned": turned()},
)

noise = page.at("Algorithm 1", "algorithm-noise").algorithm(
    "calibration:factor-at-the-middle",
    "The factors lie on both sides of 1",
    both(le(high, 1), ge(low, 1)),
    wrong={"turned": both(ge(high, 1), ge(low, 1)), "a half": both(le(high, Rational(1, 2)), ge(low, 1))},
)

s = page.nonnegative("s", "squared norm of the query")
t = page.positive("t", "variance of the noise")

shrinkage = page.at("Section 4", "shrinkage").remark(
    "calibration:shrinkage",
    "The best multiple of a noisy answer has an error below that of the answer",
    le(s * t / (s + t), t),
    wrong={"half of it": t / 2, "turned": turned()},
)
