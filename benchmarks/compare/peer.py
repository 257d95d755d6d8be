"""Fits of diffprivlib, in an environment of its own, for `benchmarks.compare.run`: `python peer.py records.npz`."""

from __future__ import annotations

import json
import sys
import warnings

import numpy as np
from diffprivlib.models import LinearRegression, LogisticRegression
from splits import split

warnings.simplefilter("ignore")
found = np.load(sys.argv[1])
X, y, epsilon, task = found["X"], found["y"], float(found["epsilon"]), str(found["task"])
for seed in range(int(found["seeds"])):
    if task == "regression":
        model = LinearRegression(
            epsilon=epsilon, bounds_X=(-1, 1), bounds_y=(-1, 1), fit_intercept=False, random_state=seed
        )
    else:
        longest = X.shape[1] ** 0.5 * (1 + 1e-12)
        model = LogisticRegression(epsilon=epsilon, data_norm=longest, fit_intercept=False, random_state=seed)
    try:
        theta = np.ravel(model.fit(*split(X, y, seed)[:2]).coef_).tolist()
    except Exception:  # noqa: BLE001 - a fit that fails has no coefficients, whatever the reason
        theta = None
    sys.stdout.write(json.dumps(theta) + "\n")
