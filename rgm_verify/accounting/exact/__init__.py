"""Exact accounting of one release, over all pairs of outputs that it admits.

Exact means that the two certified ends agree to as many digits as asked for: no bound is left between them.
"""

from rgm_verify.accounting.exact.one_release import delta, deltas, epsilon
from rgm_verify.accounting.exact.renyi_curve import renyi, renyi_bounds

__all__ = ["delta", "deltas", "epsilon", "renyi", "renyi_bounds"]
