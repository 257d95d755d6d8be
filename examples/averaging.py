"""An average with a trusted server and without one: the same privacy, and the error that it costs.

python examples/averaging.py
"""

import numpy as np

from rgm_verify.mechanisms.averaging import CentralAverage, LocalAverage

parties, generator = 10_000, np.random.default_rng(1)
values = generator.uniform(0, 1, parties)
local = LocalAverage(parties, 2)
central = CentralAverage(parties, local.deviation / parties)
print(f"epsilon is {local.epsilon('1e-6').upper:.3f} for both")
for name, average, mechanism in (
    ("central", float(central.release(values, generator)), central),
    ("local", local.release(values, generator).mean(), local),
):
    error = float(mechanism.squared_error) ** 0.5
    print(f"{name}: {average:.4f} for an average of {values.mean():.4f}, with a deviation of {error:.4f}")
