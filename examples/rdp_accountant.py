"""A Renyi accountant: curves of mechanisms add up, and the sum becomes (epsilon, delta) at its best order.

python examples/rdp_accountant.py
"""

from fractions import Fraction

from rgm_verify.accounting.conversion import epsilon_from_renyi
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair

squared_distances = [Fraction(1, 100)] * 50 + [Fraction(1, 4)]  # fifty small Gaussian releases and a larger one
total = sum(squared_distances)
for form in ("mironov", "improved"):
    found = epsilon_from_renyi(lambda order: float(order * total / 2), "1e-5", largest_order=None, form=form)
    print(f"{form}: epsilon {found.epsilon:.4f} at order {float(found.order):.2f}, {len(squared_distances)} releases")
exact = epsilon(GaussianPair(total, 0, 1), "1e-5", 8)  # Gaussian releases compose to one at the total distance
print(f"exact: epsilon in {exact}")
