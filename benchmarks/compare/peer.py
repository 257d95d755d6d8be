"""Fits of diffprivlib, in an environment of its own, for `benchmarks.compare.run`: `python peer.py records.npz`."""

from __future__ import annotations

import json
import sys
import warnings

import numpy as np
from diffprivlib.models import LinearRegression, LogisticRegression

warnings.simplefilter("ignore")
found = np.load(sys.argv[1])
X, y, epsilon, seed = found["X"], found["y"], float(found["epsilon"]), int(found["seed"])
if str(found["task"]) == "regression":
    model = LinearRegression(
        epsilon=epsilon, bounds_X=(-1, 1), bounds_y=(-1, 1), fit_intercept=False, random_state=seed
    )
else:
    model = LogisticRegression(
        epsilon=epsilon, data_norm=X.shape[1] ** 0.5 * (1 + 1e-12), fit_intercept=False, random_state=seed
    )
print(json.dumps(np.ravel(model.fit(X, y).coef_).tolist()))
