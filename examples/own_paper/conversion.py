"""From Renyi to approximate differential privacy: what the best order gives, and how much a fixed order loses."""

from rgm_verify.pages import *

page = Page("own paper")
alpha = page.real("alpha", "order of the Renyi divergence", lower=1, lower_open=True)
rho = page.positive("rho", "divergence per unit of order")
L = page.positive("L", "logarithm of 1/delta")

# A page shows the name, and says below the formula what it stands for.
epsilon = named(r"\epsilon(\alpha)", alpha * rho + L / (alpha - 1))
best = rho + 2 * sqrt(rho * L)

every_order_costs_at_least_the_best = page.at("Corollary 2", "corollary-2").corollary(
    "own:best-order",
    "No order beats the best one",
    ge(epsilon, best),
    # No `by`: for an inequality between roots and quotients, real arithmetic is tried by itself.
    wrong={
        "three instead of two": rho + 3 * sqrt(rho * L),
        "the order itself instead of its excess": left(alpha * rho + L / alpha),
    },
    tightness=Tightness(
        ratio=(epsilon / best).subs(rho, Rational(1, 100)),
        ranges={alpha: (2, 64), L: (5, 20)},
        meaning=r"cost of the conversion relative to the best order, at $\rho = 1/100$",
        plot=(alpha,),
    ),
)

# Hypotheses are data: the engine drops each in turn and says whether the statement needs it.
SMALL_RATE = Hypothesis("the rate is small", ge(L, rho), where="before Corollary 3")

cost_for_small_rates = page.at("Corollary 3", "corollary-3").corollary(
    "own:small-rate",
    "A simpler bound for small rates",
    ge(3 * sqrt(rho * L), best),
    "What the best order costs, without the term that is linear in the rate.",
    given=SMALL_RATE,
    steps="own:best-order",
    wrong={"two and a half": left(Rational(5, 2) * sqrt(rho * L)), "without the hypothesis": without(SMALL_RATE)},
)
