"""dp-accounting 0.6.0: a pessimistic epsilon of 100,000 Gaussian releases is below the truth."""

from fractions import Fraction

from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism

from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import Gaussian

pld = from_gaussian_mechanism(158.0, value_discretization_interval=1e-4, use_connect_dots=True).self_compose(100_000)
found, ours = pld.get_epsilon_for_delta(1e-12), epsilon(plan([Gaussian(Fraction(158), 100_000)]), Fraction(1e-12))
print(f"epsilon at delta=1e-12: {found}; certified: [{ours.lower}, {ours.upper}]")
print(f"too low by {ours.lower - found}")
