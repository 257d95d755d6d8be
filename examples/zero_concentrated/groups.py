"""Groups, other notions of concentration, and what the notion limits."""

from rgm_verify.pages import *

from .notation import *

page = Page("Bun and Steinke 2016", "Sections 4 to 8", NOTATION)
k = page.natural("k", "size of a group", lower=2)
n = page.natural("n", "number of people")
H = page.positive("H", "harmonic number of k - 1")
mu = page.nonnegative("mu", "mean of the privacy loss")
tau = page.nonnegative("tau", "subgaussian width of the privacy loss")
delta = page.real("delta", "probability of a failure", lower=0, upper=1)
gamma = page.real("gamma", "probability of another failure", lower=0, upper=1)

#: The order at which the first part of a path is looked at.
inner = (k * alpha - 1) / (k - 1)
weight = k * alpha / (k * alpha - 1)
#: Conjugate exponents.
first, second = inner / alpha, (k * alpha - 1) / (alpha - 1)

orders = page.at("Lemma 5.2", "weak-triangle").lemma(
    "zcdp:orders-of-the-path",
    "Both orders of the weak triangle inequality are above that of the whole",
    both(ge(inner, alpha), ge(k * alpha, alpha)),
    wrong={"turned": both(le(inner, alpha), ge(k * alpha, alpha))},
)

hoelder = page.at("proof of Lemma 5.2", "weak-triangle").claim(
    "proof step",
    "zcdp:hoelder-exponents",
    "The exponents of Hoelder's inequality in the weak triangle inequality are conjugate",
    both(eq(1 / first + 1 / second, 1), eq(second * (alpha - 1 / first), k * alpha)),
    "The second one turns the order that is left into the size times the order of the whole.",
    wrong={"the exponents swapped": both(eq(1 / first + 1 / second, 1), eq(first * (alpha - 1 / second), k * alpha))},
)

groups = page.at("Proposition 1.9", "groups").proposition(
    "zcdp:groups",
    "One more member of a group: the square of its size",
    eq(weight * (k - 1) ** 2 * rho * inner + rho * k * alpha, k**2 * rho * alpha),
    "The induction step: a group of k - 1 and one more member, by the weak triangle inequality.",
    wrong={
        "linear in the size": k * rho * alpha,
        "without the weight": left((k - 1) ** 2 * rho * inner + rho * k * alpha),
    },
)

groups_with_offset = page.at("Proposition 5.3", "groups-with-offset").proposition(
    "zcdp:groups-with-offset",
    "One more member of a group: the offset grows like the size times its harmonic number",
    le(weight * (k - 1) * H * xi + xi, k * (H + 1 / k) * xi),
    wrong={"without the harmonic number": k * xi, "turned": turned()},
)

mean_concentrated = page.at("Lemma 4.2", "mean-concentrated").lemma(
    "zcdp:mean-concentrated",
    "Mean-concentrated privacy in terms of offset and rate",
    eq(mu + (alpha - 1) * tau**2 / 2, (mu - tau**2 / 2) + tau**2 / 2 * alpha),
    wrong={"without the correction of the mean": mu + tau**2 / 2 * alpha},
)

mean_of_the_loss = page.at("Section 4", "mean-concentrated").remark(
    "zcdp:gaussian-loss-is-both",
    "A Gaussian loss has no offset",
    eq(At(mu + (alpha - 1) * tau**2 / 2, tau, sqrt(2 * mu)), alpha * mu),
    "The loss of the Gaussian mechanism has a variance of twice its mean.",
    wrong={
        "half of it": alpha * mu / 2,
        "a width without the two": left(At(mu + (alpha - 1) * tau**2 / 2, tau, sqrt(mu))),
    },
)

information = page.at("Proposition 1.10", "information").proposition(
    "zcdp:information-of-independent-people",
    "Independent people give away no more than any people",
    le(rho * n, rho * n**2),
    wrong={"turned": turned(), "half a square": rho * n**2 / 2},
)

approximate = page.at("Lemma 8.2", "approximate-composition").lemma(
    "zcdp:approximate-composition",
    "Failures of composed mechanisms add up at most",
    both(le(delta + gamma - delta * gamma, delta + gamma), le(delta + gamma - delta * gamma, 1)),
    wrong={"the larger one": le(delta + gamma - delta * gamma, Max(delta, gamma))},
)

counting = page.at("Section 7", "counting").remark(
    "zcdp:counting-queries",
    "Noise for many queries under one rate",
    eq(At(n * Delta**2 / (2 * sigma**2), sigma, Delta * sqrt(n / (2 * rho))), rho),
    "A standard deviation that grows with the root of the number of queries keeps the rate of all of them.",
    wrong={
        "twice": 2 * rho,
        "noise that does not grow": left(At(n * Delta**2 / (2 * sigma**2), sigma, Delta / sqrt(2 * rho))),
    },
)
