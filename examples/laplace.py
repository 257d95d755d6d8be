"""Discrete Laplace noise on a count: drawn without floating point, and private without a delta.

python examples/laplace.py
"""

import math
import random
from fractions import Fraction

from rgm_verify.mechanisms.exact_noise import DiscreteLaplaceMechanism

epsilon = Fraction(1, 2)
mechanism = DiscreteLaplaceMechanism(1 / epsilon, bits=random.Random(1).getrandbits)  # leave bits out for real use
counts = [mechanism.release(1000) for _ in range(20_000)]
q = math.exp(-epsilon)
print(f"mean of the releases {sum(counts) / len(counts):.2f}, of the count 1000")
square = sum((count - 1000) ** 2 for count in counts) / len(counts)
print(f"mean square of the noise {square:.2f}, by law {2 * q / (1 - q) ** 2:.2f}")
seen = counts.count(1001) / counts.count(1002)
print(f"1001 comes {seen:.2f} times as often as 1002, and at most {math.exp(epsilon):.2f} times is allowed")
