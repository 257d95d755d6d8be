"""dp-accounting 0.6.0: a pessimistic delta of 10,000 Gaussian releases is negative."""

from fractions import Fraction

from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism

from rgm_verify.accounting.plans.account import delta
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import Gaussian

pld = from_gaussian_mechanism(100.0, value_discretization_interval=1e-4, use_connect_dots=True).self_compose(10_000)
found, ours = pld.get_delta_for_epsilon(8.5), delta(plan([Gaussian(Fraction(100), 10_000)]), Fraction(8.5))
print(f"delta at epsilon=8.5: {found}; certified: [{ours.lower}, {ours.upper}]")
print(f"too low by {ours.lower - found}")
