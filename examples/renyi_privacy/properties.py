"""Composition, groups, conversions, and what an event can lose."""

from rgm_verify.pages import *

from .notation import *

page = Page("Mironov 2017", "Sections III to V", NOTATION)
beta = page.real("beta", "another order", lower=1, lower_open=True)
first = page.real("s", "exponent of Hoelder's inequality", lower=1, lower_open=True)
A = page.real("A", "probability of an event", lower=0, upper=1, lower_open=True)
B = page.real("B", "probability of the event for the neighbour", lower=0, upper=1, lower_open=True)
n = page.natural("n", "number of mechanisms")
c = page.natural("c", "logarithm of the size of a group")
second = first / (first - 1)

to_approximate = page.at("Proposition 3", "to-approximate").proposition(
    "renyi:to-approximate",
    "Outputs that are less probable than delta are paid for",
    le(
        (alpha - 1) * (epsilon + log(B)) / alpha,
        epsilon + L / (alpha - 1) + log(B),
    ),
    "The left side bounds the logarithm of an event that is more probable than delta.",
    given=Hypothesis("an event above delta", ge((alpha - 1) * (epsilon + log(B)) / alpha, -L)),
    wrong={"without the hypothesis": without(), "divided by the order": epsilon + L / (2 * alpha) + log(B)},
)

conjugate = page.at("Proposition 9", "weak-triangle").proposition(
    "renyi:weak-triangle-orders",
    "The exponents of the weak triangle inequality",
    eq((alpha - 1 / first) / (alpha - 1), (alpha * first - 1) / (first * (alpha - 1))),
    wrong={"the other exponent": (alpha * second - 1) / (second * (alpha - 1))},
)

powers = page.at("proof of Proposition 9", "weak-triangle").claim(
    "proof step",
    "renyi:weak-triangle-powers",
    "The second factor of Hoelder's inequality is a moment of the second pair",
    eq(second * (1 - alpha), 1 - second * (alpha - 1 / first)),
    wrong={"the first exponent": 1 - first * (alpha - 1 / first)},
)

groups = page.at("Proposition 2", "groups").proposition(
    "renyi:groups",
    "One doubling of a group at half the order costs at most three times as much",
    le((alpha - Rational(1, 2)) / (alpha - 1) * epsilon + epsilon, 3 * epsilon),
    "The weak triangle inequality with both exponents 2, where both parts are at most epsilon.",
    given=Hypothesis("a large enough order", ge(alpha, 2)),
    wrong={"two times": 2 * epsilon, "without the hypothesis": without()},
)

groups_repeated = page.at("Proposition 2", "groups").proposition(
    "renyi:groups-repeated",
    "Doublings multiply",
    eq(3 * (3**c * epsilon), 3 ** (c + 1) * epsilon),
    wrong={"powers of two": 2 ** (c + 1) * epsilon},
)

preservation = page.at("Proposition 10", "preservation").proposition(
    "renyi:probability-preservation",
    "Both bounds on the probability of an event say the same with the roles exchanged",
    Iff(
        le(log(A), (alpha - 1) * (epsilon + log(B)) / alpha),
        ge(log(B), alpha * log(A) / (alpha - 1) - epsilon),
    ),
    wrong={
        "the order for its excess": Iff(
            le(log(A), (alpha - 1) * (epsilon + log(B)) / alpha), ge(log(B), log(A) - epsilon)
        )
    },
)

pure_moment = page.at("Lemma 1", "pure-moment").lemma(
    "renyi:moment-of-pure-privacy",
    "The moment of the worst pure mechanism is below that of a normal loss",
    le(
        log((exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))),
        (alpha - 1) * 2 * alpha * epsilon**2,
    ),
    wrong={"a third": (alpha - 1) * alpha * epsilon**2 / 3, "turned": turned()},
)

order = sqrt(L / (2 * n)) / epsilon

first_part = page.at("proof of Proposition 4", "advanced").claim(
    "proof step",
    "renyi:advanced-first-part",
    "The divergence at the chosen order is the root of the number of mechanisms",
    eq(At(2 * alpha * n * epsilon**2, alpha, order), epsilon * sqrt(2 * n * L)),
    wrong={"twice": 2 * epsilon * sqrt(2 * n * L)},
)

advanced = page.at("Proposition 4", "advanced").proposition(
    "renyi:advanced",
    "The conversion at the chosen order",
    le(2 * order * n * epsilon**2 + L / (order - 1), 4 * epsilon * sqrt(2 * n * L)),
    given=Hypothesis("a small enough epsilon", ge(L, 8 * n * epsilon**2)),
    wrong={"one root": epsilon * sqrt(2 * n * L), "two roots": 2 * epsilon * sqrt(2 * n * L)},
)

composition = page.at("Proposition 1", "composition").proposition(
    "renyi:composition",
    "Composing Gaussian mechanisms is adding the squares of their ratios",
    eq(n * alpha * mu**2 / (2 * sigma**2), At(alpha * mu**2 / (2 * sigma**2), mu, sqrt(n) * mu)),
    wrong={"linear in the number": At(alpha * mu**2 / (2 * sigma**2), mu, n * mu)},
)

monotone = page.at("Section III", "monotone").remark(
    "renyi:gaussian-monotone",
    "The divergence of the Gaussian mechanism grows with the order",
    le(alpha * mu**2 / (2 * sigma**2), beta * mu**2 / (2 * sigma**2)),
    given=Hypothesis("the larger order", le(alpha, beta)),
    wrong={"turned": turned(), "without the hypothesis": without()},
)
