"""The Gaussian mechanism: noise as it is usually printed, and the privacy that this noise has.

python examples/gaussian.py
"""

import math
from fractions import Fraction

import numpy as np

from rgm_verify.mechanisms import GaussianMechanism
from rgm_verify.mechanisms.averaging import CentralAverage

delta = Fraction(1, 100_000)
for stated in (Fraction(1, 2), Fraction(1), Fraction(50)):  # for a query that a record moves by 1 at most
    sigma = Fraction(math.sqrt(2 * math.log(1.25 / delta)) / stated).limit_denominator(10**6)
    exact = CentralAverage(1, sigma).epsilon(delta)  # the average of one value is such a query
    print(f"sigma {float(sigma):.4f} for a stated epsilon of {stated}: it has {exact.upper:.4f}")
low, high = Fraction(1, 100), Fraction(10)  # the least noise for epsilon 1, by bisection on the safe side
for _ in range(30):
    middle = (low + high) / 2
    low, high = (low, middle) if CentralAverage(1, middle).epsilon(delta).upper <= 1 else (middle, high)
print(f"the least sigma for an epsilon of 1 is {float(high):.4f}")
print("a release:", GaussianMechanism(high**2).release([3.0, 4.0], np.random.default_rng(1)).round(3))
