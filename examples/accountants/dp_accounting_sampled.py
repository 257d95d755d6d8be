"""dp-accounting 0.6.0: a pessimistic epsilon of DP-SGD, 100 steps at rate 1/100, is below the truth."""

from fractions import Fraction

from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism

from rgm_verify.accounting.subsampled.account import epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson

one = from_gaussian_mechanism(1.0, sampling_prob=0.01, value_discretization_interval=1e-4, use_connect_dots=True)
found = one.self_compose(100).get_epsilon_for_delta(1e-12)
ours = epsilon(poisson(Fraction(0.01), 1, 100), Fraction(1e-12), width="1e-4")
print(f"epsilon at delta=1e-12: {found}; certified: [{ours.lower}, {ours.upper}]")
print(f"too low by {ours.lower - found}")
