"""prv_accountant 0.2.0: the lower end of epsilon of 10,000 Gaussian releases is above the truth."""

from fractions import Fraction

from prv_accountant import GaussianMechanism, PRVAccountant

from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import Gaussian

theirs = PRVAccountant([GaussianMechanism(30.0)], eps_error=0.01, delta_error=1e-15, max_self_compositions=[10_000])
found, ours = theirs.compute_epsilon(1e-12, [10_000]), epsilon(plan([Gaussian(Fraction(30), 10_000)]), Fraction(1e-12))
print(f"epsilon at delta=1e-12, lower, estimate, upper: {found}; certified: [{ours.lower}, {ours.upper}]")
print(f"lower end too high by {found[0] - ours.upper}, stated error 0.01")
