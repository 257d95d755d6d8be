"""riskcal 1.5.1: the connected-dots accountant's epsilon of 10,000 Gaussian releases is below the truth."""

from fractions import Fraction

from riskcal.accountants import CTDAccountant

from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import Gaussian

theirs = CTDAccountant()
theirs.history = [(100.0, 1.0, 10_000)]
found, ours = theirs.get_epsilon(delta=1e-12), epsilon(plan([Gaussian(Fraction(100), 10_000)]), Fraction(1e-12))
print(f"epsilon at delta=1e-12: {found}; certified: [{ours.lower}, {ours.upper}]; too low by {ours.lower - found}")
