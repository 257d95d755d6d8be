"""The data sets of the comparison: features in the box [-1, 1] and a constant column, labels in [-1, 1] or +1 and -1.

Ranges are those of the whole set, in the place of public ones that a user would know. Real sets are those that
`rgm_verify.experiments.data` finds, and those that come with scikit-learn; the others are made here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rgm_verify.experiments.data import datasets

LIBSVM = ("australian", "cod-rna", "ijcnn1", "mushrooms", "phishing", "skin_nonskin", "a9a")
MOST = 20_000  # records of a set, drawn by a fixed seed where it has more


def bundled(name: str):
    from sklearn import datasets as others

    return getattr(others, f"load_{name}")(return_X_y=True)


def made(n: int, d: int, *, kappa: float = 1, tails: float = 0, classes: bool = False, seed: int = 1):
    """Return records of a linear or logistic model, with columns whose scales fall to 1/kappa, or with heavy tails."""
    generator = np.random.default_rng(seed)
    X = generator.uniform(-1, 1, (n, d)) * np.geomspace(1, 1 / kappa, d)
    if tails:
        X = generator.standard_t(tails, (n, d))
    weights = generator.standard_normal(d) / np.sqrt(np.square(X).mean(axis=0) * d)
    noise = generator.standard_t(tails, n) if tails else generator.standard_normal(n)
    if classes:
        return X, np.where(generator.random(n) < 1 / (1 + np.exp(-4 * X @ weights)), 1.0, -1.0)
    return X, X @ weights + 0.15 * noise


Made = Callable[[], tuple[np.ndarray, np.ndarray]]
REGRESSION: dict[str, Made] = {name: (lambda name=name: _libsvm(name)) for name in LIBSVM}
REGRESSION |= {
    "diabetes": lambda: bundled("diabetes"),
    "well": lambda: made(20_000, 10),
    "ill": lambda: made(40_000, 10, kappa=100),
    "heavy": lambda: made(40_000, 10, tails=3),
    "wide": lambda: made(40_000, 50),
}
CLASSIFICATION: dict[str, Made] = {name: (lambda name=name: _libsvm(name)) for name in LIBSVM}
CLASSIFICATION |= {
    "breast_cancer": lambda: bundled("breast_cancer"),
    "well": lambda: made(20_000, 10, classes=True),
    "ill": lambda: made(40_000, 10, kappa=100, classes=True),
    "wide": lambda: made(40_000, 50, classes=True),
}
TASKS = {"regression": REGRESSION, "classification": CLASSIFICATION}


def _libsvm(name: str):
    found = datasets.load(name, download=False)
    return found.X, found.y


def load(task: str, name: str):
    """Return features (n, d) with a constant column as the last one, and labels (n,)."""
    X, y = (np.asarray(array, dtype=float) for array in TASKS[task][name]())
    if len(X) > MOST:
        rows = np.sort(np.random.default_rng(0).choice(len(X), MOST, replace=False))
        X, y = X[rows], y[rows]
    low, high = X.min(axis=0), X.max(axis=0)
    X = 2 * (X - low) / np.where(high > low, high - low, 1) - 1
    y = 2 * (y - y.min()) / (y.max() - y.min()) - 1 if task == "regression" else np.where(y > y.min(), 1.0, -1.0)
    return np.column_stack([X, np.ones(len(X))]), y
