"""An average without a trusted server: messages hide the values behind noise that cancels in the sum.

python examples/gopa.py
"""

import numpy as np

from rgm_verify.mechanisms.averaging import Gopa, neighbours_needed, party_distances, random_graph

parties, generator = 1000, np.random.default_rng(1)
selections = neighbours_needed("4/5", parties, "1e-9")  # one party in five shares what it knows with the server
protocol = Gopa(parties, random_graph(parties, selections, generator), pairwise=20, independent="1/10")
values, coalition = generator.uniform(0, 1, parties), np.arange(parties) < parties // 5
messages = protocol.messages(values, generator)
worst = max(party_distances(protocol, coalition=coalition), key=lambda found: found.upper)
print(f"average {values.mean():.5f}, of the messages {messages.average():.5f}")
print(f"the worst party moves what the coalition sees by {worst.upper**0.5:.4f} deviations at most")
print(f"with a trusted server: {1 / (0.1 * 800**0.5):.4f}, with local noise alone: {1 / 0.1:.4f}")
