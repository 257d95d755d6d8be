"""DP-SGD on the breast cancer data of scikit-learn, with its certified cost after each quarter of the steps.

python examples/dp_sgd.py
"""

import numpy as np
from sklearn.datasets import load_breast_cancer

from rgm_verify.accounting.subsampled.account import epsilon
from rgm_verify.learning.dp_sgd import DpSgd

X, y = load_breast_cancer(return_X_y=True)
X = (X - X.mean(axis=0)) / X.std(axis=0) / np.sqrt(X.shape[1])  # scaled by the data: in real use by public numbers
run = DpSgd("logistic", clip=1, noise_multiplier=2, batch=57, rate="1/10", steps=80, step_size=2, radius=20)
theta = run.train(X, y, np.random.default_rng(1))
print(f"accuracy {np.mean((X @ theta > 0) == y):.2f}, of the larger class {max(y.mean(), 1 - y.mean()):.2f}")
for t in (20, 40, 60, 80):
    cost = epsilon(run.account(len(y), after=t), "1e-5", width="1/50")
    print(f"after {t} steps epsilon is between {cost.lower:.2f} and {cost.upper:.2f} at a delta of 1e-5")
