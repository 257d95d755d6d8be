"""Private ridge regression over the records of many nodes: with sums in one place, and without a server.

python examples/nodes.py
"""

import numpy as np

from rgm_verify.learning import PrivateRidge
from rgm_verify.learning.nodes import over_gopa, over_nodes
from rgm_verify.mechanisms.averaging import random_graph

generator = np.random.default_rng(1)
nodes = [(X := generator.uniform(-1, 1, (500, 3)), np.clip(X @ [0.5, -0.3, 0.1], -1, 1)) for _ in range(40)]
model = PrivateRidge(1, "1e-6", feature_bound=2, label_bound=1, mechanism="statistics", random_state=0)
print("sums in one place:", over_nodes(model, nodes).coef_.round(3))
# One node in ten shares what it knows with whoever sees all messages.
coalition = np.arange(40) < 4
fit = over_gopa(model, nodes, random_graph(40, 8, generator), coalition=coalition)
print("without a server: ", fit.coef_.round(3), f"at epsilon <= {fit.privacy_.epsilon.upper:.4f}")
