"""A hundred private steps: simple and advanced composition, and the optimum that no theorem can improve on.

python examples/composition.py
"""

from rgm_verify.accounting.composition.equal_steps import advanced, optimal_epsilon, simple

epsilon, steps = "1/20", 100
total, failures = simple(epsilon, "1e-8", steps)
print(f"simple: ({float(total):.3f}, {float(failures):.1e})")
level, failure = advanced(epsilon, "1e-8", steps, extra="9e-6")
print(f"advanced: ({level:.3f}, {failure:.1e})")
best = optimal_epsilon(epsilon, "1e-8", steps, target="1e-5")
print(f"optimal at a delta of 1e-05: {best.upper:.3f}")
