"""Several releases, equal or different, chosen adaptively: epsilon or delta as an interval.

Adaptive means that queries may depend on all outputs before. The parameters of the releases may not: for those see
`plans.filters`.
"""

from rgm_verify.accounting.composition.composed import (
    Composition,
    Method,
    composed_delta,
    composed_epsilon,
    delta_by_method,
    epsilon_by_method,
)

__all__ = ["Composition", "Method", "composed_delta", "composed_epsilon", "delta_by_method", "epsilon_by_method"]
