"""Statistics with certified ends: quantiles on the safe side, and confidence intervals that end at them.

Intervals that need no quantile are in `numbers.sampling`.
"""
