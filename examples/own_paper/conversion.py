"""From Renyi to approximate differential privacy: what the best order gives, and how much a fixed order loses."""

from __future__ import annotations

from sympy import Rational, sqrt

from rgm_verify.claims import Claim, Hypothesis, Mutant, Step, Tightness, ge, positive, real

order = real("alpha", "order of the Renyi divergence", lower=1, lower_open=True)
rate = positive("rho", "divergence per unit of order")
log_inverse_delta = positive("L", "logarithm of 1/delta")
alpha, rho, L = order.symbol, rate.symbol, log_inverse_delta.symbol

epsilon = alpha * rho + L / (alpha - 1)
best = rho + 2 * sqrt(rho * L)

every_order_costs_at_least_the_best = Claim(
    id="own:best-order",
    refs=("corollary-2",),
    title="No order beats the best one",
    source="own paper",
    where="Corollary 2",
    kind="corollary",
    statement=r"At any order the conversion costs at least $\rho + 2\sqrt{\rho L}$.",
    variables=(order, rate, log_inverse_delta),
    conclusion=ge(epsilon, best),
    # No `checks`: for an inequality between roots and quotients, real arithmetic is tried by itself.
    mutants=(
        Mutant("three instead of two", conclusion=ge(epsilon, rho + 3 * sqrt(rho * L))),
        Mutant("the order itself instead of its excess", conclusion=ge(alpha * rho + L / alpha, best)),
    ),
    tightness=(
        Tightness(
            ratio=(epsilon / best).subs(rho, Rational(1, 100)),
            ranges={alpha: (2, 64), L: (5, 20)},
            meaning=r"cost of the conversion relative to the best order, at $\rho = 1/100$",
            plot=(alpha,),
        ),
    ),
)

small_rate = Hypothesis("the rate is small", ge(L, rho), where="before Corollary 3")

cost_for_small_rates = Claim(
    id="own:small-rate",
    refs=("corollary-3",),
    title="A simpler bound for small rates",
    source="own paper",
    where="Corollary 3",
    kind="corollary",
    statement=r"While $\rho \le L$, the cost at the best order is at most $3\sqrt{\rho L}$.",
    variables=(rate, log_inverse_delta),
    # Hypotheses are data: the engine drops each in turn and says whether the statement needs it.
    hypotheses=(small_rate,),
    conclusion=ge(3 * sqrt(rho * L), best),
    derivation=(Step(claim="own:best-order"),),
    mutants=(
        Mutant("two and a half", conclusion=ge(Rational(5, 2) * sqrt(rho * L), best)),
        Mutant("without the hypothesis", hypotheses=()),
    ),
)
