"""The Gaussian mechanism, the way to approximate privacy, and composition."""

from rgm_verify.pages import *

from .notation import *

page = Page("Bun and Steinke 2016", "Sections 1 to 3", NOTATION)
x = page.real("x", "output of the mechanism")
mu = page.real("mu", "mean of the first output")
nu = page.real("nu", "mean of the second output")


def square(at: Expr, mean: Expr | int) -> Expr:
    """The exponent of a normal density."""
    return -((at - mean) ** 2) / (2 * sigma**2)


tilted = alpha * mu + (1 - alpha) * nu
divergence = alpha * (mu - nu) ** 2 / (2 * sigma**2)

gaussian_divergence = page.at("Lemma 2.4", "gaussian-divergence").lemma(
    "zcdp:gaussian-divergence",
    "The exponents of two normal densities complete a square",
    eq(alpha * square(x, mu) + (1 - alpha) * square(x, nu), square(x, tilted) + (alpha - 1) * divergence),
    r"What depends on $x$ is a normal density, so that $D_\alpha$ is the last term over $\alpha-1$.",
    wrong={
        "the constant subtracted": square(x, tilted) - (alpha - 1) * divergence,
        "centred between the means": square(x, (mu + nu) / 2) + (alpha - 1) * divergence,
    },
)

gaussian_mechanism = page.at("Proposition 1.6", "gaussian-mechanism").proposition(
    "zcdp:gaussian-mechanism",
    "Means at most the sensitivity apart cost at most its square over twice the variance",
    le(divergence, alpha * Delta**2 / (2 * sigma**2)),
    given=Hypothesis("sensitivity", le(Abs(mu - nu), Delta)),
    wrong={"without the two": left(2 * divergence), "a smaller bound": alpha * Delta**2 / (3 * sigma**2)},
)

scale = page.at("after Proposition 1.6").remark(
    "zcdp:noise-for-a-rate",
    "The noise that a rate asks for",
    eq(At(Delta**2 / (2 * sigma**2), sigma, Delta / sqrt(2 * rho)), rho),
    "A standard deviation of the sensitivity over the root of twice the rate gives that rate.",
    wrong={
        "twice the rate": 2 * rho,
        "the rate without its two": left(At(Delta**2 / (2 * sigma**2), sigma, Delta / sqrt(rho))),
    },
)

least = rho + 2 * sqrt(rho * L)

to_approximate = page.at("Proposition 1.3", "to-approximate").proposition(
    "zcdp:to-approximate",
    "Some order gives the stated epsilon",
    eq(At(alpha * rho + L / (alpha - 1), alpha, 1 + sqrt(L / rho)), least),
    wrong={"without the rate": 2 * sqrt(rho * L), "another order": left(At(alpha * rho + L / (alpha - 1), alpha, 2))},
)

no_order_is_better = page.at("proof of Proposition 1.3", "to-approximate").claim(
    "proof step",
    "zcdp:no-order-is-better",
    "No order gives less",
    ge(alpha * rho + L / (alpha - 1), least),
    wrong={"the order for its excess": left(alpha * rho + L / alpha), "three": rho + 3 * sqrt(rho * L)},
)

tail = page.at("Lemma 3.5", "tail").lemma(
    "zcdp:tail",
    "The moment bound on the probability of a large loss, at its best order",
    ge((alpha - 1) * (alpha * rho - epsilon), -((epsilon - rho) ** 2) / (4 * rho)),
    r"The left side bounds $\log\Pr[Z>\epsilon]$ at every order, by Markov's inequality.",
    wrong={"half the variance": -((epsilon - rho) ** 2) / (8 * rho), "a fifth": -((epsilon - rho) ** 2) / (5 * rho)},
)

tail_is_reached = page.at("proof of Lemma 3.5", "tail").claim(
    "proof step",
    "zcdp:tail-is-reached",
    "The best order reaches the bound",
    eq(
        At((alpha - 1) * (alpha * rho - epsilon), alpha, (epsilon + rho) / (2 * rho)),
        -((epsilon - rho) ** 2) / (4 * rho),
    ),
    wrong={"the order of a smaller loss": left(At((alpha - 1) * (alpha * rho - epsilon), alpha, epsilon / (2 * rho)))},
)

excess = (epsilon - rho) / (2 * rho)
sharper = 2 / (1 + excess + sqrt((1 + excess) ** 2 + 4 / (pi * rho)))

sharper_tail = page.at("Lemma 3.6", "sharper-tail").lemma(
    "zcdp:sharper-tail",
    "The last factor of the sharper tail is below the one before it",
    le(sharper, 1 / (1 + excess)),
    given=Hypothesis("a loss above the rate", ge(epsilon, rho)),
    wrong={"half of it": 1 / (2 * (1 + excess)), "turned": turned()},
)

composition = page.at("Lemma 1.7", "composition").lemma(
    "zcdp:composition",
    "Composed mechanisms together cost no more than each converted by itself",
    le(At(least, rho, rho + xi), least + At(least, rho, xi)),
    "The rates add up before the conversion, which is subadditive in the rate.",
    wrong={"turned": turned(), "of the smaller rate twice": 2 * At(least, rho, xi)},
)

with_offset = page.at("Lemma 3.5", "with-offset").lemma(
    "zcdp:with-offset",
    "An offset moves the converted epsilon by itself",
    eq(At(xi + alpha * rho + L / (alpha - 1), alpha, 1 + sqrt(L / rho)), xi + rho + sqrt(4 * rho * L)),
    wrong={"twice the offset": 2 * xi + rho + sqrt(4 * rho * L), "without the four": xi + rho + sqrt(rho * L)},
)
