"""One step with noise on magnitude and angles, as printed and with proved noise, beside noise on the gradient.

python examples/geodp.py
"""

import numpy as np

from rgm_verify.learning.geometric import ClampedGeoDP, GeoDPAsPrinted

gradient, generator = np.array([0.06, -0.05, 0.02, 0.04]), np.random.default_rng(1)
printed = GeoDPAsPrinted("1/10", 8192, 1, "1/10")  # clip, batch, noise multiplier, bounding factor
clamped = ClampedGeoDP("1/10", 8192, 1, "1/10", center=[1.2, 1.6, 1.1])  # a public direction
for name, mechanism in (("as printed", printed), ("clamped", clamped)):
    moments = mechanism.moments(gradient)
    print(f"{name}: released {mechanism.release(gradient, generator).round(4)}, mean {moments.mean.round(4)}")
    print(f"  neighbours are at most {mechanism.distance('replace_one'):.6g} deviations apart; DP-SGD: 2")
